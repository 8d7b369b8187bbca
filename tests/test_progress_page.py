"""The page of practice's progress: what it says, to whom, and what can be switched on it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rules import rulesets
from tests.test_checker_page import Element, assert_valid, read
from tests.test_record import PAIR, SHAPE, a_round, answer, store
from tutor.content.build import pages_of
from tutor.people.models import Account, Learner
from tutor.practice import progress, reviews
from tutor.practice.models import Attempt, Card
from tutor.practice.record import Day
from tutor.puzzles.kinds import KINDS

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
URLS = {"en": "/en/progress/", "zh-hans": "/zh-hans/progress/"}

pytestmark = pytest.mark.usefixtures("shelved", "frozen")


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is noon."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def learner(client: Client, db: None) -> Learner:
    """Whom this browser is known as."""
    return known_as(client, Learner.objects.create())


def known_as(client: Client, learner: Learner) -> Learner:
    session = client.session
    session["learner"] = learner.pk
    session.save()
    client.cookies["sessionid"] = session.session_key
    return learner


def page(client: Client, language: str = "en") -> Element:
    response = client.get(URLS[language])
    assert response.status_code == 200
    return read(response.content.decode())


def rows(part: Element) -> list[list[str]]:
    """The cells of a table, without its head."""
    return [
        [cell.text for cell in row.children if isinstance(cell, Element)]
        for body in part.all("tbody")
        for row in body.all("tr")
    ]


def figures(tree: Element) -> dict[str, tuple[str, str]]:
    """The figures at the top, by name, each with what it counts."""
    return {
        item.all("dt")[0].text: (item.all("dd", "value")[0].text, item.all("dd", "since")[0].text)
        for item in tree.all("dl", "figures")[0].all("div")
    }


def sends(form: Element, pressed: int = 0) -> dict[str, str]:
    """What a form sends with one of its buttons, but for the token."""
    fields = {e["name"]: e["value"] for e in form.all("input") if e["name"] != "csrfmiddlewaretoken"}
    button = form.all("button")[pressed]
    return {**fields, **({button["name"]: button["value"]} if button.get("name") else {})}


def leads_to(response: HttpResponse) -> str:
    assert response.status_code == 303
    return response["Location"]


def much(learner: Learner, count: int) -> None:
    """Answers of half a year, about everything."""
    chance = Random(7)
    places = [(game.key, topic) for game in rulesets().values() for topic in pages_of(game)]
    a_round(learner, "clock", *[(True, 0, n) for n in range(3)])
    made = []
    for _ in range(count - 3):
        game, topic = chance.choice(places)
        made.append(
            answer(
                learner,
                chance.random() < 0.7,
                at=NOW - timedelta(minutes=chance.randrange(260_000)),
                game=game,
                topic=topic,
                kind=chance.choice(list(KINDS)),
                level=chance.randint(1, 5),
                helped=chance.choice([0, 0, 0, 1, 4]),
                seconds=chance.choice([None, chance.randrange(5, 400)]),
            )
        )
    store(made)


# Nothing yet


@pytest.mark.parametrize("language", URLS)
def test_whoever_has_answered_nothing_is_told_what_to_do(client: Client, language: str) -> None:
    response = client.get(URLS[language])
    tree = read(response.content.decode())
    assert_valid(tree)
    (main,) = tree.all("main")
    assert [link["href"] for link in main.all("a", "main")] == [f"/{language}/practice/"]
    assert not main.all("form")
    assert not main.all("table")
    assert not response.cookies
    assert not Learner.objects.exists()


def test_lessons_alone_are_no_practice(client: Client, learner: Learner) -> None:
    store([answer(learner, None, at=None)])
    assert page(client).all("div", "begin")


def test_a_learner_who_is_gone_is_nobody(client: Client, learner: Learner) -> None:
    Learner.objects.all().delete()
    assert page(client).all("div", "begin")
    assert leads_to(client.post("/en/progress/rating/")) == "/en/progress/#rating"
    assert not Learner.objects.exists()


# In every state


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize("state", ["one", "some", "many", "old", "hidden", "reviews"])
def test_the_page_is_sound(client: Client, learner: Learner, state: str, language: str) -> None:
    if state == "many":
        much(learner, 3000)
    elif state == "old":
        store([answer(learner, at=NOW - timedelta(days=200))])
    else:
        store(answer(learner, n % 3 > 0, seconds=n) for n in range(1 if state == "one" else 20))
    learner.hides_rating, learner.reviews = state == "hidden", state == "reviews"
    learner.save()
    response = client.get(URLS[language])
    assert "no-store" in response["Cache-Control"]
    tree = read(response.content.decode())
    assert_valid(tree)
    levels = [int(e.tag[1]) for e in tree if re.fullmatch("h[1-6]", e.tag)]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for form in tree.all("form"):
        assert form["method"] == "post"
        assert form.field("csrfmiddlewaretoken")
    links = {link["href"] for link in tree.all("main")[0].all("a")}
    assert {f"/{language}/practice/", f"/{language}/account/", f"/{language}/account/data/"} <= links


def test_another_language_has_the_same_page(client: Client, learner: Learner) -> None:
    store([answer(learner)])
    assert URLS["zh-hans"] in [link["href"] for link in page(client).by_id("language").all("a")]


# How well each rule is known


def test_each_rule_and_kind_has_a_bar_with_its_number(client: Client, learner: Learner) -> None:
    store([*[answer(learner, n >= 9) for n in range(16)], answer(learner, topic=SHAPE, kind="waits")])
    game = page(client).by_id("known-changsha")
    assert game.text == "Changsha"
    (table,) = page(client).all("table", "standings")
    assert rows(table) == [
        ["A pair of 2, 5 or 8Can it win?", "70% 7/10", "16"],
        ["ShapeWhat does it wait for?", "100% 1/1", "1"],
    ]
    assert [link["href"] for link in table.all("a")] == [
        "/en/rules/changsha/win/pair-258/",
        "/en/rules/changsha/win/shape/",
    ]
    bars = [[path["d"] for path in bar.all("path")] for bar in table.all("svg", "pips")]
    assert bars == [["M0 6h100", "M0 6h70"], ["M0 6h10", "M0 6h10"]]
    assert "the last 10 answers" in table.all("caption")[0].text


def test_the_weakest_three_are_offered(client: Client, learner: Learner) -> None:
    told = {"win/shape": 3, "win/pair-258": 1, "pattern/qidui": 0, "pattern/xiaohu": 4, "opening/sixi": 2}
    kinds = {"win": "why-not", "pattern": "score", "opening": "opening"}
    store(
        answer(learner, n < right, topic=topic, kind=kinds[topic.partition("/")[0]], level=3)
        for topic, right in told.items()
        for n in range(4)
    )
    tree = page(client)
    (offered,) = tree.all("ul", "weakest")
    forms = offered.all("form")
    assert {form["action"] for form in forms} == {"/en/practice/start/"}
    assert [sends(form) for form in forms] == [
        {"mode": "rule", "game": "changsha", "topic": topic, "kind": kind, "level": "3"}
        for topic, kind in (("pattern/qidui", "score"), (PAIR, "why-not"), ("opening/sixi", "opening"))
    ]
    assert forms[1].all("button")[0].text == "A pair of 2, 5 or 8Why not? · 1 of 4 right→"


def test_what_is_known_is_not_offered(client: Client, learner: Learner) -> None:
    store([answer(learner)])
    assert not page(client).all("ul", "weakest")


def test_what_there_is_no_more_is_shown_by_its_key_and_not_offered(client: Client, learner: Learner) -> None:
    store(
        [
            answer(learner, False, topic="win/gone", kind="can-win"),
            answer(learner, False, topic="win/shape", kind="gone-kind"),
            answer(learner, False, topic="win/shape", game="<gone>"),
            answer(learner, False, topic="table/claims", kind="can-win"),
        ]
    )
    tree = page(client)
    assert_valid(tree)
    tables = [rows(table) for table in tree.all("table", "standings")]
    assert [[row[0] for row in table] for table in tables] == [
        ["Claims on a discardCan it win?", "win/gone Can it win?", "Shapegone-kind"],
        ["win/shape Can it win?"],
    ]
    assert "<gone>" in tree.by_id("known-<gone>").text
    assert not tree.all("ul", "weakest")


def test_beyond_ten_rows_the_rest_is_opened_on_request(client: Client, learner: Learner) -> None:
    topics = list(pages_of(rulesets()["changsha"]))[:20]
    store(answer(learner, n % 2 == 0, topic=topic) for n, topic in enumerate(topics))
    first, rest = page(client).all("table", "standings")
    assert (len(rows(first)), len(rows(rest))) == (10, 10)
    assert {row[1] for row in rows(first)} == {"0% 0/1"}
    assert page(client).all("details", "rest")[0].all("summary")[0].text == "10 more"


# Days, rows and rounds


def test_the_figures_say_what_they_count_and_since_when(client: Client, learner: Learner) -> None:
    store(answer(learner, at=NOW - timedelta(days=n)) for n in (200, 199, 198, 1))
    assert figures(page(client)) == {
        "Days practised": ("4", "since 14 May 2026"),
        "Days in a row now": ("1", "up to yesterday: an answer today keeps it going"),
        "Most days in a row": ("3", "since 14 May 2026"),
        "Most right answers in a row": ("4", "without help, since 14 May 2026"),
        "Best against the clock": ("–", "no such round yet"),
    }
    a_round(learner, "clock", (True, 0, 10), (True, 0, 20))
    found = figures(page(client))
    assert found["Days in a row now"] == ("2", "up to today")
    assert found["Best against the clock"] == (
        "2",
        "right within 3 minutes of one round, since 14 May 2026",
    )
    assert page(client).all("p", "lead")[0].text == "6 answers since 14 May 2026."


def test_twelve_weeks_are_drawn_with_the_numbers_behind(client: Client, learner: Learner) -> None:
    yesterday = NOW - timedelta(days=1)
    store(
        [
            *[answer(learner, seconds=10), answer(learner, False, seconds=15), answer(learner, helped=1)],
            *[answer(learner, False, at=yesterday), answer(learner, at=NOW - timedelta(days=90))],
        ]
    )
    tree = page(client)
    drawn = tree.all("figure", "chart")
    assert [e["id"] for e in drawn] == ["chart-answers", "chart-share", "chart-pace"]
    for figure in drawn:
        (picture,) = figure.all("svg")
        assert picture["role"] == "img"
        assert picture["aria-label"] == figure.all("h3")[0].text
        assert tree.by_id(picture["aria-describedby"]).tag == "figcaption"
    assert "4 answers in the last 12 weeks; days with answers: 2." in drawn[0].text
    assert "2 of 4 right, which is 50%, in the last 12 weeks." in drawn[1].text
    (table,) = tree.all("table", "by-day")
    assert rows(table) == [
        ["2026-11-30", "3", "2 (67%)", "1", "12.5"],
        ["2026-11-29", "1", "0 (0%)", "0", "–"],
    ]
    assert "UTC" in table.all("caption")[0].text


def test_without_answers_in_twelve_weeks_nothing_is_drawn(client: Client, learner: Learner) -> None:
    store([answer(learner, at=NOW - timedelta(days=84))])
    tree = page(client)
    assert not tree.all("figure")
    assert "No answers in these weeks." in tree.text


def day(ago: int, answers: int, right: int, seconds: float | None = None) -> Day:
    return Day((NOW - timedelta(days=ago)).date(), answers, right, right, seconds)


def test_a_drawing_shows_each_day_in_its_place() -> None:
    days = [day(83, 4, 4, 10.0), day(1, 8, 2, 20.0), day(0, 1, 0)]
    answers, share, pace = progress.charts(days, NOW.date())
    assert [line.label for line in answers.lines] == ["0", "5", "10"]
    assert answers.solid == "M41.5 90V58M287.5 90V74"
    assert answers.rest == "M287.5 74V26M290.5 90V82"
    assert share.dots == "M41.5 10h0M287.5 70h0M290.5 90h0"
    assert share.line == "M41.5 10L287.5 70L290.5 90"
    assert [line.label for line in share.lines] == ["0%", "50%", "100%"]
    assert pace.dots == "M41.5 50h0M287.5 10h0"
    assert (pace.least, pace.most, pace.over) == (10, 20, "")
    assert [month.day.isoformat() for month in pace.months] == ["2026-10-01", "2026-11-01"]


def test_one_long_break_does_not_flatten_all_other_days() -> None:
    pace = progress.charts([day(1, 1, 1, 30.0), day(0, 1, 1, 3600.0)], NOW.date())[-1]
    assert [line.label for line in pace.lines] == ["0", "150", "300"]
    assert pace.dots == "M287.5 82h0"
    assert pace.over == "M287.5 13l3 -6l3 6z"


def test_without_known_seconds_no_pace_is_drawn() -> None:
    assert [chart.key for chart in progress.charts([day(0, 1, 1)], NOW.date())] == ["answers", "share"]
    assert progress.charts([], NOW.date()) == []


# The rating


def test_each_game_has_its_rating_with_an_explanation(client: Client, learner: Learner) -> None:
    store([answer(learner, level=1), answer(learner, False, game="changchun", level=1)])
    part = page(client).by_id("rating")
    assert [e.text for e in part.all("dd", "value")] == ["988", "1012"]
    assert part.all("dd", "since")[0].text == "from 1 answer: too few to say much yet"
    assert "24 points at most. Your last 2000 answers count." in part.text


@pytest.mark.parametrize("language", URLS)
def test_a_hidden_rating_is_nowhere_on_the_page(client: Client, learner: Learner, language: str) -> None:
    store([answer(learner, level=5)])
    assert "1024" in page(client, language).text
    (form,) = page(client, language).by_id("rating").all("form")
    assert leads_to(client.post(form["action"], sends(form))) == f"/{language}/progress/#rating"
    learner.refresh_from_db()
    assert learner.hides_rating
    shown = client.get(URLS[language]).content.decode()
    assert "1024" not in shown
    assert not read(shown).by_id("rating").all("dl")
    (form,) = read(shown).by_id("rating").all("form")
    client.post(form["action"], sends(form))
    assert "1024" in page(client, language).text


def test_a_form_sent_twice_hides_the_rating_once(client: Client, learner: Learner) -> None:
    for said, hidden in (("1", True), ("1", True), ("0", False), ("0", False), ("", True), ("x", False)):
        client.post("/en/progress/rating/", {"hide": said})
        learner.refresh_from_db()
        assert learner.hides_rating is hidden


# Reviews


def test_reviews_are_switched_on_made_from_the_answers_and_off(client: Client, learner: Learner) -> None:
    store([answer(learner, False, at=NOW - timedelta(days=2)), answer(learner, topic=SHAPE)])
    part = page(client).by_id("reviews")
    assert "Off" in part.text
    (form,) = part.all("form")
    assert leads_to(client.post(form["action"], sends(form))) == "/en/progress/#reviews"
    learner.refresh_from_db()
    assert learner.reviews
    assert [card.topic for card in Card.objects.filter(learner=learner)] == [PAIR]
    part = page(client).by_id("reviews")
    assert "On: 1 rule is due now." in part.text
    review, switch = part.all("form")
    assert (review["action"], sends(review)["mode"]) == ("/en/practice/start/", reviews.REVIEW)
    client.post(switch["action"], sends(switch))
    learner.refresh_from_db()
    assert not learner.reviews
    assert not Card.objects.exists()


def test_cards_are_made_anew_only_when_reviews_come_on(
    client: Client, learner: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    monkeypatch.setattr(reviews, "rebuild", lambda learner: made.append(learner.pk))
    for said in ("0", "1", "1", "0", "", ""):
        client.post("/en/progress/reviews/", {"on": said})
    assert made == [learner.pk] * 2


def test_nothing_due_is_said(client: Client, learner: Learner) -> None:
    store([answer(learner)])
    client.post("/en/progress/reviews/", {"on": "1"})
    part = page(client).by_id("reviews")
    assert "On: nothing is due now." in part.text
    assert len(part.all("form")) == 1


# Whose it is


def test_nobody_sees_or_changes_what_is_another_s(client: Client, learner: Learner) -> None:
    member = Learner.objects.create(
        account=Account.objects.create_user("Lan", "plum blossom 9"), reviews=True
    )
    store([answer(member, False, topic="win/shape"), answer(learner)])
    Card.objects.create(
        learner=member, game="changsha", topic=SHAPE, kind="waits", state={}, due=NOW, missed=NOW
    )
    (table,) = page(client).all("table", "standings")
    assert [row[0] for row in rows(table)] == ["A pair of 2, 5 or 8Can it win?"]
    for said in ({"learner": member.pk, "hide": "1"}, {"learner": member.pk, "on": "0"}):
        client.post("/en/progress/rating/", said)
        client.post("/en/progress/reviews/", said)
    member.refresh_from_db()
    assert (member.hides_rating, member.reviews, member.cards.count()) == (False, True, 1)
    stranger = Client()
    assert page(stranger).all("div", "begin")
    assert leads_to(stranger.post("/en/progress/reviews/", {"on": "1"})) == "/en/progress/#reviews"
    assert not stranger.cookies
    assert Learner.objects.count() == 2


def test_what_is_switched_by_one_who_was_merged_is_the_account_s(client: Client, learner: Learner) -> None:
    member = Learner.objects.create(account=Account.objects.create_user("Lan", "plum blossom 9"))
    Learner.objects.filter(pk=learner.pk).update(merged_into=member)
    client.post("/en/progress/rating/", {"hide": "1"})
    member.refresh_from_db()
    assert member.hides_rating


@pytest.mark.parametrize("path", ["rating/", "reviews/"])
def test_switches_are_posted_with_a_token(learner: Learner, path: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    known_as(strict, learner)
    store([answer(learner)])
    assert strict.post(URLS["en"] + path).status_code == 403
    assert strict.get(URLS["en"] + path).status_code == 405
    token = page(strict).by_id("rating").field("csrfmiddlewaretoken")[0]["value"]
    assert strict.post(URLS["en"] + path, {"csrfmiddlewaretoken": token}).status_code == 303


# How much it costs


def queries(client: Client) -> list[str]:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(URLS["en"]).status_code == 200
    return [query["sql"] for query in asked]


def test_as_many_queries_for_ten_answers_as_for_five_thousand(client: Client, learner: Learner) -> None:
    much(learner, 10)
    few = queries(client)
    Attempt.objects.all().delete()
    much(learner, 5000)
    many = queries(client)
    assert len(few) == len(many) == 10
    assert not [sql for sql in many if '"question"' in sql]


def test_the_same_answers_give_the_same_page(client: Client, learner: Learner) -> None:
    much(learner, 500)
    first, second = (client.get(URLS["en"]).content.decode() for _ in range(2))
    tokens = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
    assert tokens.sub("", first) == tokens.sub("", second)
