"""The home page: one judged hand, a way in for each who comes, what was begun. And pages of faults."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

import rules
from tests.everything import practised
from tests.school import Classrooms, Learners, Members, client_of
from tests.test_checker_page import Element, assert_valid, read
from tutor.front import home
from tutor.requests import failed, not_allowed

LANGUAGES = ["en", "zh-hans"]
GAMES = list(rules.rulesets().values())

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shelved")]


def page(client: Client, query: str = "", language: str = "en") -> Element:
    response = client.get(f"/{language}/{query}")
    assert response.status_code == 200
    tree = read(response.content.decode())
    assert_valid(tree)
    return tree


def links(tree: Element) -> list[str]:
    return [a["href"] for a in tree.by_id("main").all("a")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_hand_shown_does_not_win_and_wins_once_it_is_mended(
    client: Client, language: str, game: rules.Ruleset
):
    before = page(client, f"?game={game.key}", language)
    (answer,) = before.all("div", "answer")
    example = home.shown(game, is_mended=False)
    assert example
    judged = game.judge(game.parse(example.text))
    assert judged.is_full
    assert not judged.wins
    assert answer.all("p", "sentence")[0].text.strip() == judged.summary.in_language(language)
    (mend,) = [a["href"] for a in answer.all("a", "fix")]
    after = page(client, urlsplit(mend).query and f"?{urlsplit(mend).query}", language)
    (answer,) = after.all("div", "answer")
    assert answer["class"] == "answer win"
    (address,) = [a["href"] for a in answer.all("a", "main")]
    given = parse_qs(urlsplit(address).query)
    assert game.judge(game.parse(given["hand"][0])).wins
    assert given["ruleset"] == [game.key]


def test_a_game_without_such_a_hand_has_no_place_among_them(client: Client, monkeypatch: pytest.MonkeyPatch):
    real = home.shown
    monkeypatch.setattr(home, "shown", lambda game, **how: None if game is GAMES[-1] else real(game, **how))
    tree = page(client, f"?game={GAMES[-1].key}")
    assert [a.text for a in tree.all("div", "game-tabs")[0].all("a")] == [g.name.en for g in GAMES[:-1]]
    monkeypatch.setattr(home, "shown", lambda *args, **how: None)
    assert not page(client).all("div", "answer")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_who_comes_has_a_way_in(client: Client, language: str):
    tree = page(client, "", language)
    with override(language):
        wanted = [reverse("course", args=[game.key]) for game in GAMES]
        wanted += [
            reverse(name)
            for name in ("practice", "classes", "class-join", "tiles", "deal", "settle", "rulebooks")
        ]
        assert set(wanted) <= set(links(tree))
        forms = list(tree.by_id("main").all("form"))
        assert [f["action"] for f in forms] == [reverse("run-start")] * len(GAMES)
    assert not tree.all("section", "going")


def test_a_round_starts_from_here(client: Client):
    form = page(client).by_id("main").all("form")[0]
    fields = {field["name"]: field["value"] for field in form.all("input")}
    assert "/practice/runs/" in client.post(form["action"], fields)["Location"]


def test_somebody_new_costs_no_query(client: Client):
    page(client)
    with CaptureQueriesContext(
        connection,
    ) as seen:
        page(client)
    assert len(seen) == 0


def test_one_goes_on_where_one_left_off():
    learner = Learners()
    room = Classrooms(name="Tuesday <b>")
    Members(learner=learner, classroom=room)
    run = practised(learner)
    tree = page(client_of(learner))
    (going,) = tree.all("section", "going")
    told = [a["href"] for a in going.all("a")]
    assert f"/en/practice/runs/{run}/" in told
    assert f"/en/classes/{room.pk}/" in told
    assert any("/learn/changsha/" in each for each in told)
    assert "Tuesday <b>" in going.text


def test_what_one_has_begun_costs_the_same_however_much_it_is():
    learner = Learners()
    client = client_of(learner)
    counts = []
    for _ in range(2):
        practised(learner)
        with CaptureQueriesContext(connection) as seen:
            response = client.get("/en/")
        assert response["Cache-Control"] == "private, no-store"
        counts.append(len(seen))
        for _ in range(5):
            Members(learner=learner)
    assert counts[0] == counts[1]
    assert counts[0] <= 6


@pytest.mark.parametrize(
    "query", ["?game=nonsense", "?mended=1&mended=2", "?game=changsha%00", "?game=" + "x" * 3000]
)
def test_an_odd_address_shows_the_page(client: Client, query: str):
    page(client, query)


def test_the_root_leads_home(client: Client):
    assert client.get("/", headers={"Accept-Language": "zh-CN"})["Location"] == "/zh-hans/"


# What went wrong


@pytest.mark.parametrize(("language", "said"), [("en", "it was not you"), ("zh-hans", "不是你的问题")])
def test_a_fault_of_ours_is_said_without_the_database(language: str, said: str):
    request: HttpRequest = RequestFactory().get(f"/{language}/classes/7/<script>/")
    with CaptureQueriesContext(connection) as seen:
        response = failed(request)
    assert (response.status_code, len(seen)) == (500, 0)
    tree = read(response.content.decode())
    assert_valid(tree)
    assert said in tree.text
    assert b"<script>" not in response.content


def test_a_program_hears_of_a_fault_in_json(client: Client):
    response = failed(RequestFactory().get("/api/v1/check"))
    assert response.status_code == 500
    assert response["Content-Type"].startswith("application/json")
    assert b"server-error" in response.content


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_may_not_be_done_is_said_so(language: str):
    with override(language):
        response = not_allowed(RequestFactory().get(f"/{language}/"), PermissionDenied())
    assert response.status_code == 403
