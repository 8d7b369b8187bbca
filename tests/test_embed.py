"""One puzzle, or the checker, in a frame of another site: without cookies, judged and kept nowhere."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import translation

import rules
from rules import Text
from tests.test_checker_page import HTMX, RESTORE, Element, assert_valid, read
from tests.test_levels import filled, tree_of, words_of, wrong_answers
from tutor.content.levels import BIRDS, Level
from tutor.embed.views import address_of
from tutor.people.models import Learner
from tutor.practice.models import Attempt
from tutor.puzzles.addresses import of_puzzle
from tutor.puzzles.hints import MOST
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import Puzzle, by_id, picked_id, series
from tutor.puzzles.stock import stock
from tutor.service.trouble import NOT_SHOWN

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shelved")]

LANGUAGES = ("en", "zh-hans")
GAMES = list(rules.rulesets())
WIN = {"ruleset": "changsha", "hand": "12355m 45678p 777s +9p"}
in_both_languages = pytest.mark.parametrize("language", LANGUAGES)
ALL = [(game, kind) for game in GAMES for kind in KINDS]
each_kind = pytest.mark.parametrize(("game", "kind"), ALL, ids=[" ".join(pair) for pair in ALL])


def some(kind: str, game: str, *, number: int = 2, seed: int = 11) -> Puzzle:
    """A puzzle of a kind."""
    return next(series(kind, rules.rulesets()[game], number, seed, stock()))


def picked(game: str) -> Puzzle:
    return by_id(picked_id(stock().picked(rules.rulesets()[game])[0]), stock())


def assert_framed(response: HttpResponse) -> None:
    """Any site may frame it, and it neither sends a cookie nor depends on one."""
    policy = [part.split() for part in response["Content-Security-Policy"].split(";")]
    assert [part[1:] for part in policy if part[0] == "frame-ancestors"] == [["*"]]
    assert ["default-src", "'none'"] in policy
    assert "X-Frame-Options" not in response
    assert_without_cookies(response)


def assert_not_framed(response: HttpResponse) -> None:
    policy = [part.split() for part in response["Content-Security-Policy"].split(";")]
    assert [part[1:] for part in policy if part[0] == "frame-ancestors"] == [["'none'"]]
    assert response["X-Frame-Options"] == "DENY"


def assert_without_cookies(response: HttpResponse) -> None:
    assert not response.cookies
    assert "cookie" not in response.get("Vary", "").lower()


def form_on(tree: Element) -> Element:
    (form,) = tree.by_id("puzzle").all("form")
    return form


def called(tree: Element) -> str:
    """What an answer is called: right, wrong, told, error; "" where none was given."""
    found = tree.by_id("puzzle").all("div", "feedback")
    return found[0]["class"].removeprefix("feedback ") if found else ""


def wrong_one(level: Level) -> frozenset[str]:
    if level.kind == "payments":
        return frozenset(f"{seat}:7" for seat in range(4))
    if level.widget == BIRDS:
        return frozenset(f"{i.split(':')[0]}:{(int(i.split(':')[1]) + 1) % 4}" for i in level.rights[0])
    return wrong_answers(level)[0]


# Frames, and cookies


OTHER_PAGES = {
    "root": [],
    "learn": [],
    "course": ["changsha"],
    "rulebooks": [],
    "rulebook": ["changchun"],
    "glossary": [],
    "compare": [],
    "practice": [],
    "build": [],
    "daily": [],
    "picked": ["changsha"],
    "progress": [],
    "check": [],
    "deal": [],
    "settle": [],
    "sheet": [],
    "account": [],
    "sign-in": [],
    "sign-up": [],
    "api": [],
    "api-check": [],
}


@pytest.mark.parametrize("name", OTHER_PAGES)
def test_no_other_page_may_be_framed(client: Client, name: str) -> None:
    assert_not_framed(client.get(reverse(name, args=OTHER_PAGES[name])))


def test_not_even_the_page_of_a_puzzle_that_can_be_embedded_may_be_framed(client: Client) -> None:
    assert_not_framed(client.get(of_puzzle(some("can-win", "changsha").id)))


WRONG_ADDRESSES = [
    "/embed/",
    "/embed/de/check/",
    "/embed/EN/check/",
    "/embed/zh/puzzles/changsha/can-win/3/7/",
    "/embed/en/puzzles/changsha/can-win/3/",
    "/embed/en/puzzles/changsha/can-win/9/7/",
    "/embed/en/puzzles/changsha/nothing/3/7/",
    "/embed/en/puzzles/nowhere/can-win/3/7/",
    "/embed/en/puzzles/nowhere/can-win/3/7/?option=birds=4",
    "/embed/en/puzzles/changsha/picked/nothing/",
    "/embed/en/puzzles/changsha/can-win/3/99999999999/",
    "/embed/en/puzzles/%00/",
    "/embed/en/puzzles/../../x/",
    "/embed/zh-hans/puzzles/长沙/can-win/3/7/",
]


@pytest.mark.parametrize("address", WRONG_ADDRESSES)
def test_where_there_is_nothing_a_page_says_so_in_the_frame(client: Client, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 404
    assert_framed(response)
    links = [a for a in read(response.content.decode()).all("a") if a["href"].startswith("/")]
    assert links
    assert {a.get("target") for a in links} == {"_blank"}


@pytest.mark.parametrize("address", ["/nothing/", "/en/nothing/", "/en/embed/", "/embedded/", "/embed"])
def test_where_there_is_nothing_elsewhere_no_site_frames_what_says_so(client: Client, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 404
    assert_not_framed(response)


@in_both_languages
@pytest.mark.parametrize(
    ("error", "status", "said"),
    [(OperationalError, 503, NOT_SHOWN), (ValueError, 500, None)],
    ids=["database", "fault"],
)
def test_what_fails_says_so_in_the_frame_and_in_its_language(
    monkeypatch: pytest.MonkeyPatch, language: str, error: type[Exception], status: int, said: Text | None
) -> None:
    def broken(*args: Any) -> None:
        raise error("broken")

    monkeypatch.setattr("tutor.embed.views.board_of", broken)
    client = Client(raise_request_exception=False, headers={"accept-language": "fr"})
    response = client.get(f"/embed/{language}/check/", WIN)
    assert response.status_code == status
    assert_framed(response)
    tree = read(response.content.decode())
    assert tree.all("html")[0]["lang"] == language
    assert said is None or said.in_language(language) in tree.text
    assert_not_framed(client.get(f"/{language}/nothing/"))


WRONG_OPTIONS = ["nothing", "birds", "birds=", "birds=99", "no-such=1", "=", "birds=4&option=birds=2"]


@pytest.mark.parametrize("option", WRONG_OPTIONS)
def test_house_rules_that_there_are_not_are_told_in_words(client: Client, option: str) -> None:
    response = client.get(f"/embed/en/puzzles/changsha/can-win/3/7/?option={option}")
    assert response.status_code == 400
    (title,) = read(response.content.decode()).all("h1")
    assert title.text.endswith(".")
    assert_framed(response)


@in_both_languages
def test_more_than_can_be_read_is_refused_in_words(client: Client, language: str) -> None:
    many = "&".join(f"a{n}=1" for n in range(1100))
    address = address_of(some("can-win", "changsha").id, language)
    url_encoded = "application/x-www-form-urlencoded"
    for response, status in (
        (client.get(f"{address}?{many}"), 400),
        (client.get(f"/embed/{language}/check/?{many}"), 400),
        (client.post(address, many, content_type=url_encoded), 400),
        (client.post(address, b"--x", content_type="multipart/form-data; boundary="), 400),
        (client.post(address, {"a": "x" * 3_000_000}), 413),
    ):
        assert response.status_code == status
        assert_framed(response)
        assert read(response.content.decode()).all("html")[0]["lang"] == language


def test_nothing_but_reading_and_answering_is_done(client: Client) -> None:
    address = address_of(some("can-win", "changsha").id, "en")
    for method in ("put", "delete", "patch"):
        response = getattr(client, method)(address)
        assert response.status_code == 405
        assert_framed(response)
    assert client.post("/embed/en/check/", WIN).status_code == 405
    assert client.head(address).status_code == 200


@in_both_languages
@pytest.mark.parametrize("game", GAMES)
def test_a_cookie_changes_nothing_and_costs_no_query(
    client: Client, game: str, language: str, django_assert_num_queries: Any
) -> None:
    puzzle = picked(game)
    address = address_of(puzzle.id, language)
    plain = client.get(address).content
    for name in ("sessionid", "csrftoken", "django_language"):
        client.cookies[name] = "en" if name == "django_language" else "0123456789abcdef0123456789abcdef"
    form = form_on(read(plain.decode()))
    data = filled(form, puzzle.level, puzzle.level.rights[0])
    with django_assert_num_queries(0):
        assert client.get(address).content == plain
        assert called(tree_of(client.post(address, data))) == "right"
        assert client.get(f"/embed/{language}/check/", WIN).status_code == 200


# A puzzle


@in_both_languages
@each_kind
def test_a_puzzle_of_each_kind_is_answered_rightly_and_wrongly_and_nothing_is_kept(
    client: Client, game: str, kind: str, language: str
) -> None:
    puzzle = some(kind, game)
    level, address = puzzle.level, address_of(puzzle.id, language)
    response = client.get(address)
    assert_framed(response)
    tree = tree_of(response)
    assert_valid(tree)
    assert tree.all("html")[0]["lang"].lower() == language
    assert response["Content-Language"] == language
    assert [h.text for h in tree.all("h1")] == [words_of(level.prompt, puzzle.game, language)]
    assert called(tree) == ""
    form = form_on(tree)
    assert (form["method"], form["action"], form["hx-post"]) == ("post", address, address)
    right = client.post(address, filled(form, level, level.rights[0]))
    assert_framed(right)
    assert_valid(tree_of(right))
    assert called(tree_of(right)) == "right"
    wrong = client.post(address, filled(form, level, wrong_one(level)))
    assert_framed(wrong)
    assert_valid(tree_of(wrong))
    assert called(tree_of(wrong)) == "wrong"
    shown = client.post(address, filled(form, level, level.rights[0]) | {"do": ["solution"]})
    assert called(tree_of(shown)) == "told"
    assert (Learner.objects.count(), Attempt.objects.count()) == (0, 0)


@each_kind
def test_what_htmx_gets_is_the_part_that_the_page_holds(client: Client, game: str, kind: str) -> None:
    puzzle = some(kind, game, seed=23)
    address = address_of(puzzle.id, "en")
    form = form_on(tree_of(client.get(address)))
    data = filled(form, puzzle.level, puzzle.level.rights[0])
    for send in (
        lambda headers: client.get(address, headers=headers),
        lambda h: client.post(address, data, headers=h),
    ):
        part, page, restored = send(HTMX), send({}), send(RESTORE)
        assert_framed(part)
        assert part.content.decode().strip() in page.content.decode()
        assert restored.content == page.content
        assert "HX-Request" in part["Vary"]
        (whole,) = [child for child in tree_of(part).children if isinstance(child, Element)]
        assert whole["id"] == "puzzle"


@in_both_languages
def test_hints_come_one_by_one_and_what_was_chosen_stays(client: Client, language: str) -> None:
    puzzle = some("waits", "changchun")
    address = address_of(puzzle.id, language)
    form, chosen = form_on(tree_of(client.get(address))), puzzle.game.tiles.tiles[0].code
    data = filled(form, puzzle.level, frozenset({chosen})) | {"do": ["hint"]}
    for seen in range(1, MOST + 1):
        tree = tree_of(client.post(address, data))
        assert called(tree) == ""
        assert len(tree.by_id("puzzle").all("ol", "hints")[0].all("li")) == seen
        assert [f["value"] for f in form_on(tree).field("a") if "checked" in f.attributes] == [chosen]
        data["hints"] = [f["value"] for f in form_on(tree).field("hints")]
    assert not [b for b in form_on(tree).all("button") if b.get("value") == "hint"]


@each_kind
def test_after_an_answer_it_can_be_tried_once_more(client: Client, game: str, kind: str) -> None:
    puzzle = some(kind, game)
    address = address_of(puzzle.id, "en")
    form = form_on(tree_of(client.get(address)))
    answered = form_on(tree_of(client.post(address, filled(form, puzzle.level, puzzle.level.rights[0]))))
    hidden = {f["name"]: f["value"] for f in answered.all("input") if f.get("type") == "hidden"}
    (button,) = [b for b in answered.all("button") if b["type"] == "submit"]
    again = tree_of(client.post(address, hidden | {button["name"]: button["value"]}))
    assert called(again) == ""
    assert [f.attributes for f in form_on(again).all("input")] == [f.attributes for f in form.all("input")]


def test_nothing_chosen_is_told_and_nothing_given_is_lost(client: Client) -> None:
    puzzle = some("score", "changsha")
    address = address_of(puzzle.id, "en")
    form = form_on(tree_of(client.get(address)))
    data = filled(form, puzzle.level, puzzle.level.rights[0])
    assert called(tree_of(client.post(address, data | {"n0": [""]}))) == "error"
    tree = tree_of(client.post(address, data | {"n0": ["many"]}))
    assert called(tree) == "error"
    assert form_on(tree).field("n0")[0]["value"] == "many"


@in_both_languages
@pytest.mark.parametrize("game", GAMES)
def test_a_picked_puzzle_is_shown_with_its_title(client: Client, game: str, language: str) -> None:
    puzzle = picked(game)
    assert puzzle.title
    tree = tree_of(client.get(address_of(puzzle.id, language)))
    assert puzzle.title.in_language(language) in tree.all("h1")[0].text
    assert puzzle.title.in_language(language) in tree.all("title")[0].text


@in_both_languages
def test_the_house_rules_of_a_puzzle_stand_in_its_address(client: Client, language: str) -> None:
    played = rules.rulesets()["changsha"].with_options({"birds": "4"})
    puzzle = next(series("can-win", played, 2, 5, stock()))
    address = address_of(puzzle.id, language)
    assert address.endswith("/?option=birds=4")
    tree = tree_of(client.get(address))
    assert form_on(tree).field("puzzle")[0]["value"] == puzzle.id
    assert form_on(tree)["action"] == address
    assert len(tree.all("p", "by-table")) == 1
    data = filled(form_on(tree), puzzle.level, puzzle.level.rights[0])
    assert called(tree_of(client.post(address, data))) == "right"


GARBAGE: list[dict[str, Any]] = [
    {},
    {"a": "x"},
    {"a": ["x", "\x00", "7s.9", "𝕏"] * 30},
    {"out": "1m", "in": "1m"},
    {"out": "??", "in": ">"},
    {"n0": "١٢", "n1": "--", "n2": "1e9", "n3": "∞"},
    {"do": "nothing"},
    {"do": "undo:99"},
    {"do": "hint", "hints": "99"},
    {"do": "solution", "a": "x"},
    {"t": ["1m", "1m"], "do": "answer"},
    {"throw": "5", "said": "1", "again": "?", "asked": "x", "seconds": "-1"},
]


@pytest.mark.parametrize("kind", KINDS)
def test_garbage_is_answered_as_a_question_that_is_not_answered_or_in_words(
    client: Client, kind: str
) -> None:
    puzzle = some(kind, "changsha")
    address = address_of(puzzle.id, "zh-hans")
    own = {"puzzle": puzzle.id, "form": puzzle.form}
    for data in GARBAGE:
        response = client.post(address, own | data)
        assert_framed(response)
        assert_valid(tree_of(response))
        assert called(tree_of(response)) != "right"
    for body in (b"", b"%", b"\xff\xfe", b"a=%ff&puzzle=%00"):
        response = client.post(address, body, content_type="application/x-www-form-urlencoded")
        assert called(tree_of(response)) == ""


@in_both_languages
def test_an_answer_to_another_question_is_not_judged_and_it_is_said_why(
    client: Client, language: str
) -> None:
    one, other = some("can-win", "changsha"), some("can-win", "changsha", seed=99)
    address = address_of(one.id, language)
    data = filled(form_on(tree_of(client.get(address))), one.level, one.level.rights[0])
    tree = tree_of(client.post(address_of(other.id, language), data))
    assert called(tree) == ""
    assert len(tree.by_id("puzzle").all("p", "said")) == 1
    assert not tree_of(client.get(address)).by_id("puzzle").all("p", "said")


# What leaves the frame


@in_both_languages
@pytest.mark.parametrize("kind", ["can-win", "which-game", "opening", "payment"])
def test_links_that_leave_the_frame_open_beside_it(client: Client, kind: str, language: str) -> None:
    puzzle = some(kind, "changsha")
    address = address_of(puzzle.id, language)
    form = form_on(tree_of(client.get(address)))
    tree = tree_of(client.post(address, filled(form, puzzle.level, puzzle.level.rights[0])))
    links = tree.all("a")
    with translation.override(language):
        assert of_puzzle(puzzle.id) in [a["href"] for a in links]
    assert len(links) > 1
    for a in links:
        assert a["href"].startswith(f"/{language}/")
        assert (a["target"], a["rel"]) == ("_blank", "noopener")
    assert not tree.all("nav")


def test_links_within_the_frame_stay_in_it(client: Client) -> None:
    tree = tree_of(client.get("/embed/en/check/", {"ruleset": "changchun", "hand": WIN["hand"]}))
    within = [a for a in tree.all("a") if a["href"][0] in "?#"]
    assert within
    for a in tree.all("a"):
        assert (a.get("target") == "_blank") is (a not in within)


@in_both_languages
def test_the_text_to_copy_is_a_frame_with_a_title_whatever_is_in_it(client: Client, language: str) -> None:
    frame = 'https://paili.example/embed/en/puzzles/changsha/can-win/3/7/?option=birds=4&option="x"'
    title = 'A puzzle: <b> & "more"'
    with translation.override(language):
        markup = render_to_string("embed/_snippet.html", {"frame": frame, "frame_title": title})
    tree = read(markup)
    assert_valid(tree)
    (copied,) = read("".join(tree.by_id("snippet").strings())).all("iframe")
    assert (copied["src"], copied["title"]) == (frame, title)
    assert not tree.all("iframe")


# The checker


@in_both_languages
@pytest.mark.parametrize("ruleset", [*GAMES, "both", "", "nothing"])
@pytest.mark.parametrize(
    "hand", ["", "1m", "12355m 45678p 777s +9p", "2255m 3377p 1199s C +C", "?!", "1111111m"]
)
def test_the_checker_says_what_it_says_on_its_page(
    client: Client, ruleset: str, hand: str, language: str
) -> None:
    query = {"ruleset": ruleset, "hand": hand}
    response = client.get(f"/embed/{language}/check/", query)
    assert_framed(response)
    tree = tree_of(response)
    assert_valid(tree)
    page = tree_of(client.get(f"/{language}/check/", query))

    def sentences(of: Element) -> list[str]:
        return [p.text for p in of.by_id("answers").all("p", "sentence")]

    assert sentences(tree) == sentences(page)
    assert sentences(tree)
    part = client.get(f"/embed/{language}/check/", query, headers=HTMX)
    assert part.content.decode().strip() in response.content.decode()


def test_circumstances_and_house_rules_are_judged_and_kept_in_the_form(client: Client) -> None:
    query = {**WIN, "by": "self-draw", "seat": "0", "birds": ["5m", "7p"], "option": ["birds=4"]}
    tree = tree_of(client.get("/embed/en/check/", query))
    page = tree_of(client.get("/en/check/", query))
    assert [t.text for t in tree.all("table")] == [t.text for t in page.all("table")]
    assert tree.all("table", "payments")
    hidden = [(f["name"], f["value"]) for f in tree.all("input") if f.get("type") == "hidden"]
    assert hidden == [("by", "self-draw"), ("seat", "0"), ("birds", "5m,7p"), ("option", "birds=4")]
    again = dict(hidden) | WIN
    assert [t.text for t in tree_of(client.get("/embed/en/check/", again)).all("table")] == [
        t.text for t in tree.all("table")
    ]


def test_a_press_on_a_wait_wins_the_hand(client: Client) -> None:
    query = {"ruleset": "changsha", "hand": "12355m 45678p 777s"}
    tree = tree_of(client.get("/embed/en/check/", query))
    press = next(b for b in tree.all("button") if b.get("name") == "do" and b["value"].startswith("win:"))
    won = tree_of(client.get("/embed/en/check/", query | {"do": press["value"]}))
    assert won.by_id("hand")["value"].endswith("+" + press["value"].removeprefix("win:"))
    assert won.all("article", "win")


@pytest.mark.parametrize(
    "query",
    [
        {"ruleset": "x", "hand": "\x00"},
        {"hand": "1m" * 5000},
        {"hand": "12355m 45678p 777s +9p", "by": "nothing"},
        {"hand": "12355m 45678p 777s +9p", "seat": "9", "from": "-1"},
        {"hand": "12355m 45678p 777s +9p", "birds": ["x", "", "0"], "moments": ","},
        {"hand": "12355m 45678p 777s +9p", "option": ["=", "x", "birds=99", "birds=2", "birds=4"]},
        {"do": ["win:", "key:??", "swap:1m", "usual:", "usual:changsha", "undo"] * 30},
        {"rule-birds": "x", "mode": "?", "was": "~~~~"},
        {"hand": "𝕏 ‮", "ruleset": "both", "do": "strays"},
    ],
)
def test_garbage_in_the_checker_is_answered_in_words(client: Client, query: dict[str, Any]) -> None:
    response = client.get("/embed/zh-hans/check/", query)
    assert_framed(response)
    tree = tree_of(response)
    assert_valid(tree)
    assert all(p.text for p in tree.by_id("answers").all("p", "sentence"))


def test_the_text_on_a_puzzle_s_page_frames_that_puzzle(shelved: None) -> None:
    address = "/en/puzzles/changchun/can-win/2/5/"
    tree = tree_of(Client().get(address))
    (copied,) = read("".join(tree.by_id("snippet").strings())).all("iframe")
    assert copied["src"] == "http://testserver/embed/en/puzzles/changchun/can-win/2/5/"
    assert Client().get(copied["src"]).status_code == 200
