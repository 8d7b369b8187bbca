"""What somebody has done: remembered from the first answer on, in one browser, until it is forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterable
from http.cookies import SimpleCookie

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from tests.conftest import real_content
from tests.test_checker_page import HTMX, Element
from tests.test_levels import STEPS, address, level_at, tree_of, wrong_answers
from tutor.content.levels import CHOICES, GROUP, KEYS, Answer
from tutor.content.models import Piece
from tutor.people.models import Learner, Progress

COURSE = "/en/learn/changchun/"
CHAPTERS = [c for c in real_content().chapters if c.game.key == "changchun" and not c.is_note]
FIRST, SECOND, THIRD, *_, LAST = CHAPTERS
# A level that is answered by choosing, with something after it in its chapter.
LEVEL = next(step.place for step in FIRST.levels if step.level and step.level.widget in (KEYS, CHOICES))


def give(
    client: Client, place: str, answer: Answer, *, language: str = "en", with_htmx: bool = False
) -> Element:
    """Sends an answer to a level."""
    items = sorted(item.split(".")[0] if level_at(place).widget == GROUP else item for item in answer)
    data = {
        "step": place.partition("#")[2],
        "a": items,
        "do": "" if level_at(place).widget == GROUP else "answer",
    }
    response = client.post(address(place, language), data, headers=HTMX if with_htmx else {})
    assert response.status_code == (200 if with_htmx else 303)
    return tree_of(response) if with_htmx else tree_of(client.get(response["Location"]))


def solve(client: Client, *places: str) -> None:
    for place in places:
        give(client, place, level_at(place).rights[0], with_htmx=True)


def fail(client: Client, place: str) -> None:
    give(client, place, wrong_answers(level_at(place))[0], with_htmx=True)


def read_to_the_end(client: Client, *places: str) -> None:
    for place in places:
        assert client.post(address(place), {"do": "read"}, headers=HTMX).status_code == 204


def rows() -> dict[str, bool]:
    """What is remembered, with whether it is done."""
    return dict(Progress.objects.order_by("at").values_list("place", "is_done"))


def onwards(client: Client, url: str = COURSE) -> list[tuple[str, str]]:
    """The links of a page that lead on in a course: their words and addresses."""
    begins = ("Begin", "Go on", "Once more from the start")
    return [
        (link.text, link["href"])
        for link in tree_of(client.get(url)).all("a")
        if link.text.startswith(begins)
    ]


def seen(client: Client) -> str:
    """What the course's page says of all its chapters."""
    found = re.search(r"You have seen \d+ of \d+ chapters?\.|\d+ chapters?", tree_of(client.get(COURSE)).text)
    assert found
    return found[0]


# What is remembered


def test_nothing_is_kept_of_somebody_who_only_reads(client: Client, shelved: None) -> None:
    slug = LEVEL.partition("#")[2]
    items = sorted(level_at(LEVEL).rights[0])
    for language in ("en", "zh-hans"):
        for url, query in (
            (f"/{language}/learn/", {}),
            (f"/{language}/learn/changchun/", {}),
            (address(LEVEL, language), {}),
            (address(LEVEL, language), {"step": slug}),
            (address(LEVEL, language), {"step": slug, "show": "solution"}),
            (address(LEVEL, language), {"step": slug, "a": items, "said": "1"}),
            (address(LEVEL, language), {"step": slug, "a": items, "do": "answer"}),
            (address(LEVEL, language), {"do": "read"}),
            (f"/{language}/rules/changchun/", {}),
            (f"/{language}/glossary/", {}),
        ):
            for headers in ({}, HTMX) if "step" in query else ({},):
                response = client.get(url, query, headers=headers)
                assert response.status_code == 200
                assert not response.cookies
            assert client.head(url, query).status_code == 200
    assert not Learner.objects.exists()
    assert not Progress.objects.exists()
    assert not Session.objects.exists()


@pytest.mark.parametrize("with_htmx", [True, False], ids=["htmx", "page"])
def test_what_cant_be_judged_is_not_remembered(client: Client, shelved: None, with_htmx: bool) -> None:
    groups = next(place for place in STEPS if level_at(place).widget == GROUP)
    first_group = min(level_at(groups).rights[0]).split(".")[0]
    for place, data in (
        (LEVEL, {"do": "answer"}),
        (LEVEL, {"a": "zz", "do": "answer"}),
        (groups, {"do": "answer"}),
        (groups, {"a": first_group}),
        (groups, {"a": [first_group], "do": "undo:0"}),
    ):
        data = {"step": place.partition("#")[2], **data}
        client.post(address(place), data, headers=HTMX if with_htmx else {})
    assert not Learner.objects.exists()
    assert not Session.objects.exists()


def test_the_first_answer_makes_a_learner_who_is_known_by_the_session_alone(
    client: Client, shelved: None
) -> None:
    fail(client, LEVEL)
    learner = Learner.objects.get()
    assert rows() == {LEVEL: False}
    assert {field.name for field in Learner._meta.get_fields()} == {
        *("id", "created", "account", "merged", "merged_into", "reviews", "hides_rating"),
        *("progress", "runs", "attempts", "cards", "archived", "memberships"),
    }
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert int(cookie["max-age"]) >= 365 * 24 * 3600
    assert client.session["learner"] == learner.pk
    solve(client, LEVEL, FIRST.levels[1].place)
    assert Learner.objects.get() == learner


def test_what_is_done_stays_done_whatever_is_answered_later(client: Client, shelved: None) -> None:
    for act, is_done in ((fail, False), (fail, False), (solve, True), (fail, True), (solve, True)):
        act(client, LEVEL)
        assert rows() == {LEVEL: is_done}
    assert Learner.objects.count() == 1


def test_a_mark_and_a_count_tell_what_is_solved(client: Client, shelved: None) -> None:
    total = len(FIRST.levels)
    slug = LEVEL.partition("#")[2]

    def shown() -> tuple[str, str]:
        tree = tree_of(client.get(address(LEVEL)))
        return tree.by_id(f"mark-{slug}").text, tree.by_id("tally").text

    assert shown() == ("", f"0 of {total} questions solved")
    fail(client, LEVEL)
    assert shown() == ("", f"0 of {total} questions solved")
    solve(client, LEVEL)
    assert shown() == ("✓solved", f"1 of {total} questions solved")
    solve(client, *(step.place for step in FIRST.levels))
    assert shown() == ("✓solved", f"{total} of {total} questions solved")


def test_a_level_says_that_it_is_solved_to_whoever_solved_it(client: Client, shelved: None) -> None:
    slug, others = LEVEL.partition("#")[2], [Client(), Client()]
    fail(others[1], LEVEL)

    def says_so(asking: Client, language: str) -> bool:
        level = tree_of(asking.get(address(LEVEL, language))).by_id(f"level-{slug}")
        return {"en": "solved", "zh-hans": "已做对"}[language] in level.text

    for _ in range(2):
        for language in ("en", "zh-hans"):
            assert [says_so(asking, language) for asking in (client, *others)] == [False] * 3
    solve(client, LEVEL)
    for _ in range(2):
        for language in ("en", "zh-hans"):
            assert [says_so(asking, language) for asking in (client, *others)] == [True, False, False]


def test_both_languages_show_the_same_progress(client: Client, shelved: None) -> None:
    give(client, LEVEL, level_at(LEVEL).rights[0], language="zh-hans")
    slug = LEVEL.partition("#")[2]
    for language in ("en", "zh-hans"):
        assert tree_of(client.get(address(LEVEL, language))).by_id(f"mark-{slug}").text.startswith("✓")


def test_reading_a_chapter_to_its_end_is_remembered_and_leads_on(client: Client, shelved: None) -> None:
    response = client.post(address(FIRST.place), {"do": "read"})
    assert (response.status_code, response["Location"]) == (303, address(SECOND.place))
    assert rows() == {FIRST.place: True}
    part = client.post(address(SECOND.place, "zh-hans"), {"do": "read"}, headers=HTMX)
    assert (part.status_code, part.content) == (204, b"")
    assert rows() == {FIRST.place: True, SECOND.place: True}
    last = client.post(address(LAST.place, "zh-hans"), {"do": "read"})
    assert (last.status_code, last["Location"]) == (303, "/zh-hans/learn/changchun/")


def test_a_chapter_has_a_button_that_leads_to_the_next_one_and_a_note_has_none(
    client: Client, shelved: None
) -> None:
    form = tree_of(client.get(address(FIRST.place))).by_id("read")
    assert (form["method"], form["action"], form["hx-post"]) == (
        "post",
        address(FIRST.place),
        address(FIRST.place),
    )
    assert {(field["name"], field["value"]) for field in form.all("input")} == {("do", "read")}
    (button,) = form.all("button")
    assert button.text == f"Next chapter: {SECOND.title.en}"
    (button,) = tree_of(client.get(address(LAST.place))).by_id("read").all("button")
    assert button.text == "Done: back to the course"
    note = next(c for c in real_content().chapters if c.is_note)
    assert not [e for e in tree_of(client.get(address(note.place))) if e.get("id") == "read"]


# The course's map


def states(client: Client) -> list[str]:
    """What the map says of each chapter: what of its questions is solved, and whether it is done."""
    (chapters,) = tree_of(client.get(COURSE)).all("ol", "map")
    return [item.all("p")[-1].text for item in chapters.all("li")]


def test_the_map_counts_chapters_in_which_something_was_done(client: Client, shelved: None) -> None:
    number = len(CHAPTERS)
    assert seen(client) == f"{number} chapters"
    fail(client, LEVEL)
    assert seen(client) == f"You have seen 1 of {number} chapters."
    solve(client, LEVEL)
    assert seen(client) == f"You have seen 1 of {number} chapters."
    read_to_the_end(client, SECOND.place)
    assert seen(client) == f"You have seen 2 of {number} chapters."
    read_to_the_end(client, *(chapter.place for chapter in CHAPTERS))
    assert seen(client) == f"You have seen {number} of {number} chapters."
    listed = tree_of(client.get("/en/learn/")).text
    assert f"You have seen {number} of {number} chapters." in listed
    other = sum(c.game.key == "changsha" and not c.is_note for c in real_content().chapters)
    assert f"{other} chapters" in listed


def test_a_chapter_is_done_when_it_is_read_or_every_level_is_solved(client: Client, shelved: None) -> None:
    every = [len(chapter.levels) for chapter in CHAPTERS]
    assert states(client) == [f"0 of {n} questions solved" for n in every]
    solve(client, LEVEL)
    assert states(client)[0] == f"1 of {every[0]} questions solved"
    solve(client, *(step.place for step in FIRST.levels))
    read_to_the_end(client, SECOND.place)
    assert states(client)[:3] == [
        f"Done · {every[0]} of {every[0]} questions solved",
        f"Done · 0 of {every[1]} questions solved",
        f"0 of {every[2]} questions solved",
    ]


def lead(client: Client, begins: str, place: str) -> bool:
    """Whether the course's page leads on with these words to this place, and the list of courses too."""
    chapter, hash_sign, slug = place.partition("#")
    ((words, leads),) = onwards(client)
    listed = [leads for _, leads in onwards(client, "/en/learn/")]
    assert leads in listed
    return words.startswith(begins) and leads == f"{address(chapter)}{hash_sign}{slug}"


def after(place: str) -> str:
    """The step after a level."""
    steps = STEPS[place][0].steps
    return steps[[step.place for step in steps].index(place) + 1].place


def test_somebody_new_begins_at_the_first_chapter(client: Client, shelved: None) -> None:
    assert lead(client, "Begin", FIRST.place)


def test_one_goes_on_where_one_was_last(client: Client, shelved: None) -> None:
    fail(client, LEVEL)
    assert lead(client, f"Go on: {FIRST.title.en}", LEVEL)
    solve(client, SECOND.levels[0].place)
    fail(client, LEVEL)
    assert lead(client, f"Go on: {FIRST.title.en}", LEVEL)


def test_one_goes_on_after_a_level_that_is_solved(client: Client, shelved: None) -> None:
    solve(client, LEVEL)
    assert lead(client, f"Go on: {FIRST.title.en}", after(LEVEL))
    other = SECOND.levels[0].place
    solve(client, other)
    assert lead(client, f"Go on: {SECOND.title.en}", after(other))


def test_one_goes_on_in_a_chapter_whose_last_level_is_solved_before_others(
    client: Client, shelved: None
) -> None:
    chapter = next(c for c in CHAPTERS if c.steps[-1].level)
    solve(client, chapter.steps[-1].place)
    assert lead(client, f"Go on: {chapter.title.en}", chapter.steps[-1].place)


def test_one_goes_on_with_the_next_chapter_that_is_not_done(client: Client, shelved: None) -> None:
    read_to_the_end(client, FIRST.place)
    assert lead(client, f"Go on: {SECOND.title.en}", SECOND.place)
    read_to_the_end(client, THIRD.place)
    read_to_the_end(client, SECOND.place)
    assert lead(client, f"Go on: {CHAPTERS[3].title.en}", CHAPTERS[3].place)
    solve(client, *(step.place for step in CHAPTERS[3].levels))
    assert lead(client, f"Go on: {CHAPTERS[4].title.en}", CHAPTERS[4].place)


def test_from_the_last_chapter_one_goes_on_with_the_first_that_was_left_out(
    client: Client, shelved: None
) -> None:
    read_to_the_end(client, FIRST.place, LAST.place)
    assert lead(client, f"Go on: {SECOND.title.en}", SECOND.place)


def test_who_has_done_everything_may_start_once_more(client: Client, shelved: None) -> None:
    read_to_the_end(client, *(chapter.place for chapter in CHAPTERS))
    assert lead(client, "Once more from the start", FIRST.place)


def test_each_course_goes_on_by_itself(client: Client, shelved: None) -> None:
    other = next(c for c in real_content().chapters if c.game.key == "changsha")
    fail(client, LEVEL)
    solve(client, other.levels[0].place)
    assert lead(client, "Go on", LEVEL)
    ((words, leads),) = onwards(client, "/en/learn/changsha/")
    assert words == f"Go on: {other.title.en}"
    assert leads.startswith(address(other.place))
    assert [words.partition(":")[0] for words, _ in onwards(client, "/en/learn/")] == ["Go on", "Go on"]


# Two browsers, a learner who is gone, and forgetting


def test_two_browsers_share_nothing(client: Client, shelved: None) -> None:
    other = Client()
    solve(client, LEVEL)
    assert lead(other, "Begin", FIRST.place)
    fail(other, LEVEL)
    assert Learner.objects.count() == 2
    assert sorted(Progress.objects.values_list("is_done", flat=True)) == [False, True]
    slug = LEVEL.partition("#")[2]
    assert [tree_of(c.get(address(LEVEL))).by_id(f"mark-{slug}").text for c in (client, other)] == [
        "✓solved",
        "",
    ]


def test_a_browser_without_cookies_is_somebody_new_each_time(client: Client, shelved: None) -> None:
    solve(client, LEVEL)
    client.cookies = SimpleCookie()
    solve(client, LEVEL)
    assert Learner.objects.count() == 2


def test_a_session_whose_learner_is_gone_goes_on_as_somebody_new(client: Client, shelved: None) -> None:
    solve(client, LEVEL)
    gone = Learner.objects.get()
    gone.delete()
    assert lead(client, "Begin", FIRST.place)
    assert tree_of(client.get(address(LEVEL))).by_id("tally").text.startswith("0 of ")
    fail(client, LEVEL)
    assert Learner.objects.get() != gone
    assert rows() == {LEVEL: False}
    Learner.objects.all().delete()
    read_to_the_end(client, FIRST.place)
    assert rows() == {FIRST.place: True}


@pytest.mark.parametrize("key", ["x" * 32, "", "no session", "<b>"])
def test_a_session_that_is_none_is_somebody_new(client: Client, shelved: None, key: str) -> None:
    client.cookies["sessionid"] = key
    assert lead(client, "Begin", FIRST.place)
    solve(client, LEVEL)
    assert rows() == {LEVEL: True}
    assert client.cookies["sessionid"].value != key


def test_what_was_done_in_a_chapter_that_is_gone_does_no_harm_and_stays(
    client: Client, content: object
) -> None:
    solve(client, LEVEL, SECOND.levels[0].place)
    Piece.objects.get(place=f"chapter/{FIRST.place}").delete()
    assert seen(client) == f"You have seen 1 of {len(CHAPTERS) - 1} chapters."
    assert lead(client, f"Go on: {SECOND.title.en}", after(SECOND.levels[0].place))
    assert rows() == {LEVEL: True, SECOND.levels[0].place: True}


def forget_form(client: Client) -> Iterable[Element]:
    return [form for form in tree_of(client.get(COURSE)).all("form") if form["action"] == "/en/learn/forget/"]


def test_everything_is_forgotten_on_demand_and_nothing_of_others(client: Client, shelved: None) -> None:
    assert forget_form(client) == []
    other = Client()
    solve(other, LEVEL)
    strict = Client(enforce_csrf_checks=True)
    solve(strict, LEVEL)
    read_to_the_end(strict, SECOND.place)
    before = strict.cookies["sessionid"].value
    (form,) = forget_form(strict)
    (token,) = form.field("csrfmiddlewaretoken")
    response = strict.post(form["action"], {"csrfmiddlewaretoken": token["value"]})
    assert (response.status_code, response["Location"]) == (303, "/en/learn/")
    assert Learner.objects.count() == 1
    assert rows() == {LEVEL: True}
    assert not Session.objects.filter(session_key=before).exists()
    assert lead(strict, "Begin", FIRST.place)
    assert seen(other).startswith("You have seen 1 of")


def test_another_site_makes_nobody_forget(client: Client, shelved: None) -> None:
    strict = Client(enforce_csrf_checks=True)
    solve(strict, LEVEL)
    for data in ({}, {"csrfmiddlewaretoken": "x" * 64}):
        assert strict.post("/en/learn/forget/", data).status_code == 403
    for method in ("get", "head", "put", "delete"):
        assert getattr(strict, method)("/en/learn/forget/").status_code in (403, 405)
    assert rows() == {LEVEL: True}


def test_to_forget_when_nothing_is_remembered_does_nothing(client: Client, shelved: None) -> None:
    assert client.post("/zh-hans/learn/forget/")["Location"] == "/zh-hans/learn/"
    assert not Session.objects.exists()


def test_one_goes_on_elsewhere_when_the_chapter_where_one_was_last_is_gone(
    client: Client, content: object
) -> None:
    solve(client, CHAPTERS[1].levels[0].place)
    read_to_the_end(client, FIRST.place)
    Piece.objects.get(place=f"chapter/{FIRST.place}").delete()
    assert lead(client, "Go on", after(CHAPTERS[1].levels[0].place))
