"""Practice: rounds of questions, puzzles by themselves, those of the day and those picked by hand."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, timedelta
from functools import cache
from http.cookiejar import CookieJar
from http.cookies import SimpleCookie
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import unquote, urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from django.conf import LazySettings, settings
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from django_htmx.middleware import HtmxDetails

import rules
from rules import Text
from tests.conftest import some_of
from tests.test_accounts import NAME, PASSWORD, at_once, known_as, sign_in, sign_up
from tests.test_accounts import with_session as read_session
from tests.test_checker_page import ENGLISH, FULL_STOP, HAN, HTMX, RESTORE, Element, assert_valid, read, said
from tests.test_lesson_pages import FORGED, spoken
from tests.test_levels import filled, sent, tree_of, words_of, wrong_answers
from tutor.content.levels import CHOICES, CLAIMS, KEYS, LOOK_AGAIN, ROW, Answer, Level
from tutor.people.models import Account, Learner
from tutor.practice import asking, days, runs, views
from tutor.practice.models import Attempt, Card, Run
from tutor.practice.runs import Round
from tutor.puzzles.addresses import of_puzzle
from tutor.puzzles.hands import LEVELS
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import MOST_SEEDS, Key, Puzzle, by_id, picked_puzzle
from tutor.puzzles.puzzle import puzzle as made
from tutor.puzzles.stock import stock

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "zh-hans")
NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
ALL = [(game.key, kind) for game in rules.rulesets().values() for kind in KINDS]
in_both_languages = pytest.mark.parametrize("language", LANGUAGES)
# Each kind in both games, or in one of them in turn.
ASKED = some_of(ALL, 0, 2)
each_kind = pytest.mark.parametrize(("game", "kind"), ASKED, ids=[f"{game} {kind}" for game, kind in ASKED])
# Each kind in both languages, in one game each.
IN_TURN = [(game, kind, LANGUAGES[(n + n // len(KINDS)) % 2]) for n, (game, kind) in enumerate(ALL)]
each_kind_in_turn = pytest.mark.parametrize(
    ("game", "kind", "language"), IN_TURN, ids=[" ".join(item) for item in IN_TURN]
)


# What somebody does


def url(path: str = "", language: str = "en") -> str:
    return f"/{language}/practice/{path}"


def address_of(id: str, language: str = "en") -> str:
    with translation.override(language):
        return of_puzzle(id)


def puzzle_on(tree: Element) -> Puzzle:
    """The puzzle that a page or its part asks."""
    (field,) = tree.by_id("puzzle").field("puzzle")
    return by_id(field["value"], stock())


def form_on(tree: Element) -> Element:
    (form,) = tree.by_id("puzzle").all("form")
    return form


def feedback(tree: Element) -> Element | None:
    """What is said to the answer; None where none was given."""
    found = tree.by_id("puzzle").all("div", "feedback")
    return found[0] if found else None


def called(tree: Element) -> str:
    """What an answer is called: right, wrong, told (the solution), error; "" where none was given."""
    found = feedback(tree)
    return found["class"].removeprefix("feedback ") if found else ""


def send(client: Client, form: Element, data: dict[str, Any], *, with_htmx: bool = False) -> HttpResponse:
    assert (form["method"], form["hx-post"], form["hx-target"]) == ("post", form["action"], "#puzzle")
    return client.post(form["action"], data, headers=HTMX if with_htmx else {})


def give(client: Client, address: str, answer: Answer | None = None, *, with_htmx: bool = False) -> Element:
    """Gives an answer in the form of a page, the right one unless it is named; what is then seen."""
    tree = tree_of(client.get(address))
    level = puzzle_on(tree).level
    form = form_on(tree)
    data = filled(form, level, level.rights[0] if answer is None else answer)
    response = send(client, form, data, with_htmx=with_htmx)
    if with_htmx:
        return tree_of(response)
    assert response.status_code == 303
    assert response["Location"] == form["action"]
    return tree_of(client.get(response["Location"]))


def give_wrong(client: Client, address: str, **more: Any) -> Element:
    level = puzzle_on(tree_of(client.get(address))).level
    return give(client, address, wrong_answers(level)[0], **more)


def told_beside_the_solution(level: Level, wrong: Answer) -> tuple[Text, ...]:
    """What is said to a wrong answer that is not tried again."""
    if not wrong:
        return (Text("You chose nothing, but something is right.", "你什么都没选，其实有对的。"),)
    return tuple(why for why in level.why_wrong(wrong) if why != LOOK_AGAIN)


def draft(form: Element, level: Level, answer: Answer) -> dict[str, list[str]]:
    """What a form sends with a choice made so far, by another button than the one that gives it."""
    data = sent(form) if form.all("div", "one-tap") else filled(form, level, answer)
    data.pop("do", None)
    return data


def begin(client: Client, mode: str = "quick", game: str = "changchun", **more: Any) -> Run:
    """Begins a round."""
    response = client.post(url("start/"), {"mode": mode, "game": game, **more})
    assert response.status_code == 303
    run = Run.objects.latest("pk")
    assert response["Location"] == place(run, 1)
    return run


def place(run: Run, number: int | str = "", language: str = "en") -> str:
    return url(f"runs/{run.pk}/{number}/" if number else f"runs/{run.pk}/", language)


def leads(response: HttpResponse) -> str:
    assert response.status_code == 303
    return response["Location"]


def compared(part: Element) -> Element:
    """A question without what differs between the page and its part: a focus, and the time it was made."""
    attributes = dict(part.attributes)
    if part.tag == "h1":
        attributes.pop("tabindex", None)
    if attributes.get("name") == "asked":
        attributes["value"] = ""
    children = [compared(c) if isinstance(c, Element) else c for c in part.children]
    return Element(part.tag, attributes, children)


def assert_sound(tree: Element, language: str) -> None:
    """A whole page: valid, one heading, one language, nothing unfinished."""
    assert_valid(spoken(tree))
    (root,) = tree.all("html")
    assert root["lang"] == language
    for tag in ("h1", "title", "main"):
        assert len(tree.all(tag)) == 1
    headings = [int(e.tag[1]) for e in tree if re.fullmatch("h[1-6]", e.tag)]
    assert all(after - before <= 1 for before, after in pairwise(headings))
    ids = {e["id"] for e in tree if e.get("id")}
    assert {e["popovertarget"] for e in tree if e.get("popovertarget")} <= ids
    everything = [*said(tree, ""), tree.all("title")[0].text]
    for mark in ("{{", "{%", "[[", "]]", "`", "**", "](", "&amp;", "<Text", "object at 0x"):
        assert [text for text in everything if mark in text] == []
    if language == "en":
        assert [text for text in said(tree, "zh-hans") if HAN.sub("", text).strip(" ：（）") == ""] == []
        assert [text for text in said(tree, "zh-hans") if FULL_STOP.search(text)] == []
    else:
        assert [text for text in said(tree, "en") if ENGLISH.search(text)] == []
        assert HAN.search(tree.all("h1")[0].text)


def some(game: str, kind: str, count: int = 3) -> list[Puzzle]:
    """Puzzles of a kind, from the easiest level to the hardest."""
    levels = (1, 3, 5)
    ruleset = rules.ruleset(game)
    return [made(Key(kind, ruleset, levels[n % 3], 1000 + 77 * n), stock()) for n in range(count)]


def wrong_ones(level: Level) -> list[Answer]:
    found = wrong_answers(level)[:2]
    offered = {offer.value.split(".")[0] if offer.tile else offer.value for offer in level.offers}
    left = len(offered) - len(level.rights)
    assert len(found) == (1 if not level.many and left == 1 else 2)
    return found


def in_sight(tree: Element, tag: str, style: str) -> list[Element]:
    """The elements of a tag and a class that nothing has to be opened for."""
    folded = {id(e) for details in tree.all("details") for e in details}
    return [e for e in tree.all(tag, style) if id(e) not in folded]


# Each kind of question


@each_kind_in_turn
def test_a_question_stands_on_a_sound_page_and_its_right_answers_are_called_right(
    shelved: None, game: str, kind: str, language: str
) -> None:
    for puzzle in some(game, kind):
        address = address_of(puzzle.id, language)
        tree = tree_of(Client().get(address))
        assert_sound(tree, language)
        assert puzzle_on(tree).id == puzzle.id
        assert called(tree) == ""
        for right in puzzle.level.rights[:3]:
            client = Client()
            seen = give(client, address, right, with_htmx=True)
            assert called(seen) == "right"
            assert not in_sight(seen, "ul", "solution")
            whole = tree_of(client.get(address))
            assert_sound(whole, language)
            attempt = Attempt.objects.get(learner=known_as(client))
            assert (attempt.is_right, attempt.help, attempt.slot) == (True, 0, puzzle.id)
            assert (attempt.kind, attempt.topic, attempt.level) == (kind, puzzle.topic, puzzle.number)
            assert attempt.answer == sorted(right)


@each_kind_in_turn
def test_wrong_answers_are_called_wrong_with_the_reason_and_the_solution(
    shelved: None, game: str, kind: str, language: str
) -> None:
    for puzzle in some(game, kind):
        address, played = address_of(puzzle.id, language), puzzle.game
        for wrong in wrong_ones(puzzle.level):
            client = Client()
            told = feedback(give(client, address, wrong, with_htmx=True))
            assert told is not None
            assert told["class"] == "feedback wrong"
            assert puzzle.level.why_wrong(wrong)
            reasons = told_beside_the_solution(puzzle.level, wrong)
            assert reasons or told.all("p", "verdict-line")[1:] or told.all("ul", "because")
            for reason in reasons:
                assert words_of(reason, played, language) in told.text
            assert LOOK_AGAIN.in_language(language) not in told.text
            (solution,) = in_sight(told, "ul", "solution")
            assert spoken(solution).text
            assert_sound(tree_of(client.get(address)), language)
            attempt = Attempt.objects.get(learner=known_as(client))
            assert (attempt.is_right, attempt.answer) == (False, sorted(wrong))


@each_kind_in_turn
def test_the_part_that_htmx_gets_is_the_one_in_the_page_and_no_javascript_shows_the_same(
    shelved: None, game: str, kind: str, language: str
) -> None:
    (puzzle,) = some(game, kind, 1)
    address = address_of(puzzle.id, language)
    for answer in (puzzle.level.rights[0], wrong_ones(puzzle.level)[0]):
        with_htmx, without = Client(), Client()
        fresh = tree_of(with_htmx.get(address, headers=HTMX))
        assert compared(fresh.by_id("puzzle")) == compared(tree_of(without.get(address)).by_id("puzzle"))
        part = give(with_htmx, address, answer, with_htmx=True)
        assert part.children == [part.by_id("puzzle")]
        whole = give(without, address, answer)
        assert compared(part.by_id("puzzle")) == compared(whole.by_id("puzzle"))
        again = tree_of(with_htmx.get(address, headers=RESTORE))
        assert compared(again.by_id("puzzle")) == compared(part.by_id("puzzle"))
        assert len(again.all("html")) == 1


@each_kind
def test_there_are_three_hints_and_the_choice_made_so_far_is_kept(
    client: Client, shelved: None, game: str, kind: str
) -> None:
    (puzzle,) = some(game, kind, 1)
    address, level = address_of(puzzle.id), puzzle.level
    tree = tree_of(client.get(address))
    wrong = wrong_ones(level)[0]
    for number, with_htmx in ((1, True), (2, False), (3, True), (3, True), (3, False)):
        data = draft(form_on(tree), level, wrong)
        chosen = {name: value for name, value in data.items() if name in ("a", "out", "in") or name[0] == "n"}
        tree = tree_of(send(client, form_on(tree), data | {"do": "hint"}, with_htmx=with_htmx))
        (hints,) = tree.all("ol", "hints")
        assert len({item.text for item in hints.all("li")}) == number
        assert called(tree) == ""
        buttons = [button["value"] for button in form_on(tree).all("button")]
        answering = ["yes", "no"] if kind == "can-win" else ["answer"]
        assert buttons == [*answering, *(["hint", "solution"] if number < 3 else ["solution"])]
        kept = sent(form_on(tree))
        # The order means nothing, nor does which of two tiles alike it is.
        assert {name: set(kept[name]) for name in chosen} == {n: set(v) for n, v in chosen.items()}
        tree = tree_of(client.get(address))
        assert len(tree.all("ol", "hints")[0].all("li")) == number
    tree = give(client, address)
    assert called(tree) == "right"
    attempt = Attempt.objects.get()
    assert (attempt.help, attempt.is_right) == (3, True)
    data = {"puzzle": puzzle.id, "do": "hint"}
    assert called(tree_of(client.post(address, data, headers=HTMX))) == "right"
    assert Attempt.objects.get().help == 3


@each_kind
@pytest.mark.parametrize("with_htmx", [True, False], ids=["htmx", "page"])
def test_to_see_the_solution_is_not_to_be_right(
    client: Client, shelved: None, game: str, kind: str, with_htmx: bool
) -> None:
    (puzzle,) = some(game, kind, 1)
    address = address_of(puzzle.id)
    form = form_on(tree_of(client.get(address)))
    response = send(client, form, sent(form) | {"do": "solution"}, with_htmx=with_htmx)
    tree = tree_of(response) if with_htmx else tree_of(client.get(leads(response)))
    assert called(tree) == "told"
    assert tree.all("ul", "solution")
    assert not tree.all("ol", "hints")
    attempt = Attempt.objects.get()
    assert (attempt.is_right, attempt.help) == (False, 4)
    assert attempt.answer == sorted(puzzle.level.rights[0])
    # What is sent from a page of before changes nothing.
    right = filled(form, puzzle.level, puzzle.level.rights[0])
    tree = tree_of(client.post(address, right, headers=HTMX))
    assert (called(tree), len(tree.all("p", "said"))) == ("told", 1)
    assert Attempt.objects.get().is_right is False


@in_both_languages
def test_a_table_s_own_rules_stand_in_the_address_and_on_the_page(
    client: Client, shelved: None, language: str
) -> None:
    for game in rules.rulesets().values():
        for option in game.options[::4]:
            played = game.with_options({option.key: option.choices[-1].key})
            if not KINDS["can-win"].topics(played, stock(), 2):
                continue
            puzzle = made(Key("can-win", played, 2, 5), stock())
            tree = give(client, address_of(puzzle.id, language), with_htmx=True)
            assert called(tree) == "right"
            (told,) = tree.all("p", "by-table")
            words = option.choices[-1].words
            assert (words.en if language == "en" else words.zh) in told.text
            tree = tree_of(client.get(address_of(puzzle.id, language)))
            assert (called(tree), puzzle_on(tree).id) == ("right", puzzle.id)
            assert_sound(tree, language)


def test_the_next_puzzle_is_another_one_and_is_there(client: Client, shelved: None) -> None:
    for game, kind in ALL[::3]:
        for seed in (7, MOST_SEEDS - 1):
            puzzle = made(Key(kind, rules.ruleset(game), 2, seed), stock())
            (link,) = give(client, address_of(puzzle.id), with_htmx=True).all("a", "next")
            after = puzzle_on(tree_of(client.get(link["href"])))
            assert (after.kind, after.number, after.game.key) == (puzzle.kind, 2, game)
            assert after.id != puzzle.id


@in_both_languages
@pytest.mark.parametrize("game", rules.rulesets())
def test_whether_a_hand_wins_is_answered_by_a_press_of_one_of_two_buttons(
    client: Client, shelved: None, game: str, language: str
) -> None:
    for puzzle, right in zip(some(game, "can-win", 6), [True, False] * 3, strict=True):
        address = address_of(puzzle.id, language)
        form = form_on(tree_of(client.get(address)))
        assert not form.all("fieldset")
        assert [button["value"] for button in form.all("button")] == ["yes", "no", "hint", "solution"]
        (group,) = form.all("div", "one-tap")
        buttons = group.all("button")
        assert {(button["type"], button["name"]) for button in buttons} == {("submit", "a")}
        answer = "yes" if (puzzle.keys == ["yes"]) is right else "no"
        tree = tree_of(send(client, form, sent(form) | {"a": answer}, with_htmx=True))
        assert called(tree) == ("right" if right else "wrong")
        form = form_on(tree)
        assert not form.all("button")
        assert not form.all("div", "one-tap")
        (given,) = form.all("fieldset", "given")
        assert "disabled" in given.attributes
        assert [f["value"] for f in given.field("a") if "checked" in f.attributes] == [answer]
        # A press of nothing leaves the question as it is, were there one.
        other = made(Key("can-win", puzzle.game, 2, puzzle.number + 500), stock())
        form = form_on(tree_of(client.get(address_of(other.id, language))))
        assert called(tree_of(send(client, form, sent(form)))) == ""
    assert Attempt.objects.count() == 6


def marked(tree: Element, style: str) -> set[str]:
    """What a page marks as right, or as wrong; each time in words too."""
    labels = tree.by_id("puzzle").all("label", style)
    root = tree.all("html")
    is_english = not root or root[0]["lang"] == "en"
    words = {"is-right": ("right", "对"), "is-wrong": ("wrong", "错")}[style][not is_english]
    for label in labels:
        assert words in label.all("span", "unseen")[-1].text
    return {label.all("input")[0]["value"].split(".")[0] for label in labels}


@each_kind
def test_what_is_right_and_what_was_chosen_and_is_not_are_marked_and_in_words(
    shelved: None, game: str, kind: str
) -> None:
    is_tried = False
    for puzzle in some(game, kind):
        level, address = puzzle.level, address_of(puzzle.id)
        if level.widget not in (ROW, KEYS, CHOICES, CLAIMS):
            continue
        for answer in (level.rights[0], *wrong_ones(level)):
            client = Client()
            fresh = tree_of(client.get(address))
            assert not [e for e in fresh if {"is-right", "is-wrong"} & set((e.get("class") or "").split())]
            tree = give(client, address, answer)
            right = level.nearest(answer) if level.many else {item for one in level.rights for item in one}
            assert marked(tree, "is-right") == {item.split(".")[0] for item in right}
            assert marked(tree, "is-wrong") == {item.split(".")[0] for item in answer - right}
            is_tried = is_tried or bool(marked(tree, "is-wrong"))
        client = Client()
        form = form_on(tree_of(client.get(address)))
        send(client, form, sent(form) | {"do": "solution"})
        tree = tree_of(client.get(address))
        assert marked(tree, "is-wrong") == set()
    assert is_tried or kind in ("build", "score", "payment", "table")


@in_both_languages
def test_who_chose_nothing_where_something_is_right_is_told_so(shelved: None, language: str) -> None:
    words = {"en": "You chose nothing, but something is right.", "zh-hans": "你什么都没选，其实有对的。"}
    tried = 0
    for game, kind in ALL:
        if kind not in ("waits", "opening", "claim"):
            continue
        for puzzle in some(game, kind, 4):
            if frozenset() in puzzle.level.rights:
                continue
            told = feedback(give(client := Client(), address_of(puzzle.id, language), frozenset()))
            assert told is not None
            assert told["class"] == "feedback wrong"
            assert words[language] in told.text
            assert LOOK_AGAIN.in_language(language) not in told.text
            assert Attempt.objects.get(learner=known_as(client)).answer == []
            tried += 1
    assert tried > 10


@pytest.mark.parametrize("game", rules.rulesets())
def test_of_several_right_exchanges_all_can_be_seen(client: Client, shelved: None, game: str) -> None:
    puzzles = [p for p in some(game, "build", 9) if len(p.level.rights) > 1]
    assert puzzles
    for puzzle in puzzles:
        tree = give(client, address_of(puzzle.id))
        (listed,) = tree.all("ul", "solution")
        assert not in_sight(tree, "ul", "solution")
        assert len({spoken(item).text for item in listed.all("li")}) == len(puzzle.level.rights)


# Once more, without counting


def kept_now() -> list[list[dict[str, Any]]]:
    """All that is kept of what was answered."""
    return [list(kind.objects.order_by("pk").values()) for kind in (Learner, Attempt, Card, Run)]


def once_more(client: Client, address: str) -> Element:
    """The page that the link of an answered question leads to."""
    (link,) = (a for a in tree_of(client.get(address)).all("a", "quiet") if a["href"].startswith(address))
    return tree_of(client.get(link["href"]))


@pytest.mark.parametrize(
    ("game", "kind", "with_htmx"),
    [(game, kind, n % 2 == 0) for n, (game, kind) in enumerate(some_of(ALL, 1, 2))],
)
def test_what_is_answered_once_more_is_judged_and_kept_nowhere(
    client: Client, shelved: None, game: str, kind: str, with_htmx: bool
) -> None:
    (puzzle,) = some(game, kind, 1)
    level, address = puzzle.level, address_of(puzzle.id)
    wrong = wrong_ones(level)[0]
    begin(client)
    Learner.objects.update(reviews=True)
    give(client, address, wrong)
    before = kept_now()
    assert [len(rows) for rows in before] == [1, 1, 1, 1]
    tree = once_more(client, address)
    assert_sound(tree, "en")
    assert (called(tree), marked(tree, "is-right"), tree.all("ol", "hints")) == ("", set(), [])
    fresh = form_on(tree)
    assert fresh.field("again")[0]["value"] == "1"
    # Hints, one after another; what was chosen so far stays.
    form = fresh
    for number in (1, 2, 3, 3):
        data = draft(form, level, wrong)
        tree = tree_of(send(client, form, data | {"do": ["hint"]}, with_htmx=with_htmx))
        form = form_on(tree)
        assert (called(tree), len(tree.all("ol", "hints")[0].all("li"))) == ("", number)
        assert bool([b for b in form.all("button") if b["value"] == "hint"]) is (number < 3)
        if kind != "can-win":
            kept = sent(form)
            same = data.keys() - {"hints", "asked"}
            assert {name: set(kept[name]) for name in same} == {name: set(data[name]) for name in same}
    for answer, result in ((level.rights[0], "right"), (wrong, "wrong")):
        tree = tree_of(send(client, form, filled(fresh, level, answer) | {"hints": "3"}, with_htmx=with_htmx))
        assert (called(tree), len(tree.all("ol", "hints")[0].all("li"))) == (result, 3)
        assert not tree.all("p", "said")
        assert not form_on(tree).all("button")
        assert [a["href"] for a in tree.all("a", "quiet")] == [f"{address}?again=1"]
    for reason in told_beside_the_solution(level, wrong):
        assert words_of(reason, puzzle.game, "en") in tree.text
    tree = tree_of(send(client, form, sent(form) | {"do": "solution"}, with_htmx=with_htmx))
    assert (called(tree), tree.all("ol", "hints")) == ("told", [])
    if not with_htmx:
        assert_sound(tree, "en")
    # What can't be judged is told, and the next answer counts for as little.
    tree = tree_of(send(client, fresh, sent(fresh) | {"a": ["zz"], "n0": ["x"]}, with_htmx=with_htmx))
    assert (called(tree), form_on(tree).field("again")[0]["value"]) == ("error", "1")
    assert kept_now() == before
    assert called(tree_of(client.get(address))) == "wrong"
    assert called(once_more(client, address)) == ""


def test_once_more_is_for_what_was_answered_by_itself(client: Client, shelved: None) -> None:
    (puzzle,) = some("changsha", "waits", 1)
    address, level = address_of(puzzle.id), puzzle.level
    for path in (address, f"{address}?again=1"):
        tree = tree_of(client.get(path))
        assert not form_on(tree).field("again")
        assert not tree.all("a", "quiet")
        send(client, form := form_on(tree), sent(form) | {"do": "hint"})
        assert Attempt.objects.get().at is None
    form = form_on(tree)
    # Forged, it is the first answer all the same; so it is in a round.
    tree = tree_of(
        send(client, form, filled(form, level, wrong_ones(level)[0]) | {"again": "1"}, with_htmx=True)
    )
    assert called(tree) == "wrong"
    assert Attempt.objects.get().at is not None
    run = begin(client)
    form = form_on(tree := tree_of(client.get(f"{place(run, 1)}?again=1")))
    answer = puzzle_on(tree).level.rights[0]
    data = filled(form, puzzle_on(tree).level, answer) | {"again": "1"}
    assert called(tree_of(send(client, form, data, with_htmx=True))) == "right"
    assert run.attempts.get().is_right
    tree = tree_of(client.get(f"{place(run, 1)}?again=1"))
    assert (called(tree), tree.all("a", "quiet")) == ("right", [])


def test_once_more_at_a_table_of_one_s_own_and_in_the_form_of_another_question(
    client: Client, shelved: None
) -> None:
    played = rules.ruleset("changchun").with_options({"jiahu": "shape"})
    puzzle = made(Key("waits", played, 2, 5), stock())
    address = address_of(puzzle.id)
    assert "?option=" in address
    give(client, address)
    tree = once_more(client, address)
    form = form_on(tree)
    assert (called(tree), puzzle_on(tree).id, len(form.field("again"))) == ("", puzzle.id, 1)
    before = kept_now()
    data = filled(form, puzzle.level, wrong_ones(puzzle.level)[0])
    assert called(tree_of(send(client, form, data, with_htmx=True))) == "wrong"
    for forged in ({"form": "another"}, {"puzzle": "changchun/can-win/1/5"}):
        tree = tree_of(send(client, form, data | forged, with_htmx=True))
        assert "This form belongs to another question" in tree.all("p", "said")[0].text
        assert called(tree) == "right"
    assert kept_now() == before
    client.post("/en/learn/forget/")
    # Now nothing is answered any more: this is a first answer.
    assert called(tree_of(send(client, form, data, with_htmx=True))) == "wrong"
    assert Attempt.objects.get().answer == sorted(wrong_ones(puzzle.level)[0])


# Answers that aren't any


@in_both_languages
@pytest.mark.parametrize("game", rules.rulesets())
def test_a_tile_for_itself_is_no_exchange_and_in_none_goes_with_no_game(
    client: Client, shelved: None, game: str, language: str
) -> None:
    words = {
        ("build", "en"): "Take another tile than the one you give up.",
        ("build", "zh-hans"): "换进来的要和换出去的不一样。",
        ("which-game", "en"): "“in neither” goes with nothing else.",
        ("which-game", "zh-hans"): "选了“都不能胡”就不能再选别的。",
    }
    for kind in ("build", "which-game"):
        (puzzle,) = some(game, kind, 1)
        address = address_of(puzzle.id, language)
        form = form_on(tree_of(client.get(address)))
        tile = puzzle.level.shown.hand.loose[0].code if kind == "build" else ""
        chosen = {"out": [tile], "in": [tile]} if kind == "build" else {"a": ["none", game]}
        for with_htmx in (True, False):
            tree = tree_of(send(client, form, sent(form) | chosen, with_htmx=with_htmx))
            told = feedback(tree)
            assert told is not None
            assert (told["class"], told.text.strip()) == ("feedback error", words[kind, language])
            kept = sent(form_on(tree))
            assert {name: sorted(kept[name]) for name in chosen} == {n: sorted(v) for n, v in chosen.items()}
    assert not Attempt.objects.exists()


@cache
def one_for_each_widget() -> list[Puzzle]:
    """A puzzle for each way of answering."""
    every = [some(game, kind, 1)[0] for game, kind in ALL]
    return list({puzzle.level.widget: puzzle for puzzle in every}.values())


@pytest.mark.parametrize("name", FORGED)
def test_whatever_is_sent_is_answered_with_a_page_and_counts_once_at_most(shelved: None, name: str) -> None:
    for puzzle in one_for_each_widget():
        client, address = Client(), address_of(puzzle.id)
        for do in ("answer", "hint", "nonsense"):
            data = {"puzzle": puzzle.id, "do": do, **FORGED[name]}
            tree = tree_of(client.post(address, data, headers=HTMX))
            # Of some, nothing is the right answer.
            assert called(tree) != "right" or frozenset() in puzzle.level.rights
            assert_valid(spoken(tree))
        assert Attempt.objects.filter(slot=puzzle.id).count() <= 1
        Attempt.objects.all().delete()


@pytest.mark.parametrize("value", ["", "-1", "²", "٣", "9" * 400, "1e3", "NaN", "\0", "999999", "12"])
def test_forged_numbers_beside_an_answer_do_no_harm(client: Client, shelved: None, value: str) -> None:
    (puzzle,) = some("changsha", "can-win", 1)
    form = form_on(tree_of(client.get(address_of(puzzle.id))))
    data = filled(form, puzzle.level, puzzle.level.rights[0])
    forged = {"seconds": value, "asked": value, "hints": value}
    assert called(tree_of(send(client, form, data | forged, with_htmx=True))) == "right"
    attempt = Attempt.objects.get()
    assert attempt.help in range(4)
    assert attempt.seconds == {"999999": 3600, "12": 12}.get(value)


def test_the_seconds_are_those_since_the_page_was_made_where_it_counted_none(
    client: Client, shelved: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (puzzle,) = some("changsha", "can-win", 1)
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    form = form_on(tree_of(client.get(address_of(puzzle.id))))
    monkeypatch.setattr(timezone, "now", lambda: NOON + timedelta(seconds=42))
    send(client, form, filled(form, puzzle.level, puzzle.level.rights[0]))
    assert Attempt.objects.get().seconds == 42


@each_kind_in_turn
def test_an_incomplete_answer_is_told_and_what_was_chosen_is_kept(
    client: Client, shelved: None, game: str, kind: str, language: str
) -> None:
    (puzzle,) = some(game, kind, 1)
    level = puzzle.level
    address = address_of(puzzle.id, language)
    form = form_on(tree_of(client.get(address)))
    data = filled(form, level, level.rights[0])
    if level.widget == "swap":
        data.pop("in")
    elif level.widget in ("numbers", "birds"):
        data["n0"] = [""]
    elif kind == "can-win":  # nothing is ever chosen there: what the page can't send
        data["a"] = ["zz"]
    elif level.widget == "claims" or level.takes_nothing or frozenset() in level.rights:
        data["a"] = [*data.get("a", []), "zz"]
    else:
        data.pop("a")
    for with_htmx in (True, False):
        tree = tree_of(send(client, form, data, with_htmx=with_htmx))
        assert called(tree) == "error"
        kept = sent(form_on(tree))
        wanted = {k: [v for v in values if v not in ("", "zz")] for k, values in data.items()}
        assert {k: v for k, v in kept.items() if k != "asked"} == {
            k: v for k, v in wanted.items() if k != "asked" and (v or k == "seconds")
        } | {"seconds": [""]}
    assert not Attempt.objects.exists()
    assert not Learner.objects.exists()


@pytest.mark.parametrize("with_htmx", [True, False], ids=["htmx", "page"])
def test_the_form_of_another_question_counts_nowhere_and_says_so(
    client: Client, shelved: None, with_htmx: bool
) -> None:
    one, other = some("changchun", "can-win", 2)
    form = form_on(tree_of(client.get(address_of(one.id))))
    data = filled(form, one.level, one.level.rights[0])
    for forged in (other.id, "", "changchun/can-win/1/99999999999", "nonsense", "\0"):
        for do in ("answer", "hint", "solution"):
            tree = tree_of(send(client, form, data | {"puzzle": forged, "do": do}, with_htmx=with_htmx))
            assert "This form belongs to another question" in tree.all("p", "said")[0].text
            assert (puzzle_on(tree).id, called(tree)) == (one.id, "")
    assert not Attempt.objects.exists()


@each_kind
def test_what_was_answered_stays_as_it_was_when_its_address_gives_another_question(
    client: Client, shelved: None, game: str, kind: str
) -> None:
    then, now = some(game, kind, 2)
    run = begin(client, game=game)
    data = filled(form_on(tree_of(client.get(address_of(now.id)))), now.level, now.level.rights[0])
    wrong = wrong_ones(then.level)[0]
    for address, slot in ((address_of(now.id), now.id), (place(run, 1), f"{run.pk}:1")):
        Attempt.objects.create(
            learner=known_as(client),
            run=run if address != address_of(now.id) else None,
            number=1 if address != address_of(now.id) else None,
            slot=slot,
            puzzle=now.id,
            game=game,
            kind=kind,
            topic=then.topic,
            level=then.number,
            question=dict(then.node),
            form=then.form,
            answer=sorted(wrong),
            is_right=False,
            at=NOON,
        )
        tree = tree_of(client.get(address))
        assert called(tree) == "wrong"
        for reason in told_beside_the_solution(then.level, wrong):
            assert words_of(reason, then.game, "en") in tree.text
        assert_sound(tree, "en")
        # What was sent from a page of now is no answer to what was asked then.
        tree = tree_of(client.post(address, data, headers=HTMX))
        assert (called(tree), len(tree.all("p", "said"))) == ("wrong", 1)
        Attempt.objects.filter(slot=slot).update(topic="win/nothing")
        assert client.get(address).status_code == 404


@pytest.mark.parametrize("with_htmx", [True, False], ids=["htmx", "page"])
def test_the_page_of_before_a_question_changed_counts_nowhere(
    client: Client, shelved: None, with_htmx: bool
) -> None:
    (puzzle,) = some("changsha", "can-win", 1)
    form = form_on(tree_of(client.get(address_of(puzzle.id))))
    data = filled(form, puzzle.level, puzzle.level.rights[0]) | {"form": ["another"]}
    tree = tree_of(send(client, form, data, with_htmx=with_htmx))
    assert (called(tree), len(tree.all("p", "said"))) == ("", 1)
    assert not Attempt.objects.exists()


@pytest.mark.parametrize(
    "id",
    [
        "mars/can-win/1/5",
        "changchun/nothing/1/5",
        "changchun/can-win/0/5",
        "changchun/can-win/6/5",
        "changchun/can-win/1/-5",
        f"changchun/can-win/1/{10**9}",
        f"changchun/can-win/1/{10**30}",
        f"changchun/can-win/{10**30}/1",
        "changchun/can-win/1/5/6",
        "changchun/can-win/1/",
        "changchun/picked/nothing",
        "changsha/picked/one-of-each-end",
        "mars/picked/one-of-each-end",
        "changchun/can-win/1/５",
        "nothing",
        "changchun/can-win/1/5%3Foption=colour=red",
        "%00",
        "x" * 3000,
    ],
)
@in_both_languages
def test_an_address_of_no_puzzle_is_not_found(client: Client, shelved: None, id: str, language: str) -> None:
    for respond in (client.get, client.post):
        response = respond(f"/{language}/puzzles/{id}/")
        assert response.status_code == 404
    assert not Learner.objects.exists()


def test_house_rules_in_an_address_that_there_are_not_are_refused_in_words(
    client: Client, shelved: None
) -> None:
    for option in ("colour=red", "jiahu", "jiahu=nothing", "=", "\0"):
        for respond in (client.get, client.post):
            query = urlencode({"option": option})
            response = respond(f"/en/puzzles/changchun/can-win/1/5/?{query}")
            assert response.status_code == 400
            assert read(response.content.decode()).all("h1")[0].text
    response = client.get("/en/puzzles/changchun/can-win/1/5/?option=jiahu=shape&option=jiahu=only-wait")
    assert response.status_code == 400


@in_both_languages
def test_a_house_rule_that_is_a_question_is_followed_by_what_is_played_without_a_colon(
    client: Client, shelved: None, language: str
) -> None:
    option = next(o for o in rules.ruleset("changsha").options if o.key == "jiangjianghu-needs-shape")
    name, played = (said.in_language(language) for said in (option.name, option.choices[1].words))
    response = client.get(
        f"/{language}/puzzles/changsha/can-win/1/5/?option={option.key}={option.choices[1].key}"
    )
    (table,) = read(response.content.decode()).all("p", "by-table")
    assert table.text.endswith(name + (" " if language == "en" else "") + played)


def test_by_itself_a_question_is_checked_and_its_solution_warns_of_nothing(
    client: Client, shelved: None
) -> None:
    buttons = {
        b.get("value"): b for b in tree_of(client.get("/en/puzzles/changsha/waits/2/5/")).all("button")
    }
    assert buttons["answer"].text == "Check"
    assert "aria-describedby" not in buttons["solution"].attributes


def test_however_an_address_is_written_it_is_the_same_question_once(client: Client, shelved: None) -> None:
    game = rules.ruleset("changchun")
    usual, other = next(option for option in game.options if option.key == "jiahu").choices[:2]
    give(client, "/en/puzzles/changchun/can-win/2/000000005/")
    assert Attempt.objects.get().slot == "changchun/can-win/2/5"
    for written in ("5/", "000000005/", f"5/?option=jiahu={usual.key}", "5/?x=y"):
        assert called(tree_of(client.get(f"/en/puzzles/changchun/can-win/2/{written}"))) == "right"
    assert called(tree_of(client.get(f"/en/puzzles/changchun/can-win/2/5/?option=jiahu={other.key}"))) == ""


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_form_or_an_address_with_too_many_fields_is_refused_in_words(
    client: Client, shelved: None, headers: dict[str, str]
) -> None:
    run = begin(client)
    many = {"do": "answer", "a": ["1m"] * 1500}
    for path in (place(run, 1), place(run, "end"), address_of("changsha/can-win/1/5")):
        for response in (client.post(path, many, headers=headers), client.get(path, many, headers=headers)):
            assert response.status_code == 400
            assert "too many fields" in read(response.content.decode()).text
    assert client.post(url("start/"), many | {"mode": "quick"}).status_code == 400
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options"])
def test_pages_are_read_and_answered_and_nothing_else(client: Client, shelved: None, method: str) -> None:
    run = begin(client)
    for path in (url(), url("start/"), url("daily/"), url("picked/changsha/"), place(run), place(run, 1)):
        assert getattr(client, method)(path).status_code == 405
    for path in (url(), url("daily/"), url("picked/changsha/"), place(run)):
        assert client.post(path).status_code == 405
        assert client.head(path).status_code in (200, 303)
    assert client.get(url("start/")).status_code == 405


# Rounds


def finish(client: Client, run: Run, *, wrong: tuple[int, ...] = (), count: int = 10) -> list[Puzzle]:
    """Answers all questions of a round; the questions."""
    asked = []
    for number in range(1, count + 1):
        tree = tree_of(client.get(place(run, number)))
        asked.append(puzzle_on(tree))
        seen = (give_wrong if number in wrong else give)(client, place(run, number), with_htmx=True)
        (link,) = seen.all("a", "next")
        assert link["href"] == place(run, number + 1 if number < count else "end")
    return asked


@pytest.mark.parametrize(
    ("mode", "more"),
    [
        ("quick", {}),
        ("quick", {"kind": "waits", "level": "5"}),
        ("quick", {"kind": ["claim", "table", "nonsense"], "level": "1"}),
        ("mixed", {}),
        ("rule", {"topic": "win/three-suits"}),
        ("rule", {"topic": "table/win-pays", "kind": "payment"}),
        ("quick", {"option": ["jiahu=shape", ""], "game": "changchun"}),
    ],
)
def test_a_round_has_ten_questions_none_twice_and_an_end_that_says_what_went_wrong(
    client: Client, shelved: None, mode: str, more: dict[str, Any]
) -> None:
    run = begin(client, mode, **more)
    assert leads(client.get(place(run))) == place(run, 1)
    assert leads(client.get(place(run, "end"))) == place(run, 1)
    asked = finish(client, run, wrong=(3, 7))
    assert len({puzzle.form for puzzle in asked}) == 10
    assert leads(client.get(place(run))) == place(run, "end")
    assert client.get(place(run, 11)).status_code == 404
    wanted = more.get("kind", list(KINDS))
    assert {p.kind.key for p in asked} <= set([wanted] if isinstance(wanted, str) else wanted)
    if mode == "mixed":
        assert [p.game.key for p in asked] == ["changsha", "changchun"] * 5
    else:
        assert {p.game.key for p in asked} == {"changchun"}
    if mode == "rule":
        assert {p.topic for p in asked} == {more["topic"]}
    if "option" in more:
        assert {p.options.get("jiahu") for p in asked} == {"shape"}
    run.refresh_from_db()
    last = run.attempts.latest("at")
    assert run.ended == last.at
    for language in LANGUAGES:
        tree = tree_of(client.get(place(run, "end", language)))
        assert_sound(tree, language)
        assert re.findall(r"\d+", tree.all("h1")[0].text)[:2] in (["8", "10"], ["10", "8"])
        marks = [item["class"] for item in tree.all("ol", "tally-row")[0].all("li")]
        assert [n for n, mark in enumerate(marks, 1) if mark == "wrong"] == [3, 7]
        topics = {(asked[n].game.key, asked[n].topic) for n in (2, 6)}
        assert len(tree.all("div", "missed")) == len(topics)
        listed = [link["href"] for part in tree.all("div", "missed") for link in part.all("li")[0].all("a")]
        assert set(listed) <= {place(run, 3, language), place(run, 7, language)}
    # Each of these rules is asked again.
    for form in [
        f for part in tree_of(client.get(place(run, "end"))).all("div", "missed") for f in part.all("form")
    ]:
        data = {field["name"]: field["value"] for field in form.all("input")}
        again = client.post(form["action"], data)
        question = puzzle_on(tree_of(client.get(leads(again))))
        assert (question.game.key, question.topic) == (data["game"], data["topic"])
        assert question.options == (asked[0].options if mode != "mixed" else {})
    # And the same round once more.
    (form,) = [f for f in tree_of(client.get(place(run, "end"))).all("form") if "Once more" in f.text]
    data: dict[str, list[str]] = {}
    for field in form.all("input"):
        data.setdefault(field["name"], []).append(field["value"])
    assert leads(client.post(form["action"], data))
    once_more = Run.objects.latest("pk")
    assert (once_more.mode, once_more.game, once_more.spec) == (run.mode, run.game, run.spec)
    assert once_more.seed != run.seed


def test_no_question_of_a_round_is_asked_twice_up_to_the_names_of_suits(
    client: Client, shelved: None
) -> None:
    learner = Learner.objects.create()
    for seed in range(6):
        for game, kinds in (("changchun", ["can-win"]), ("changsha", list(KINDS)), ("", ["waits", "score"])):
            run = Run.objects.create(
                learner=learner,
                mode="endless" if game else "mixed",
                game=game,
                seed=seed,
                started=NOON,
                spec={"kinds": kinds, "level": 1 + seed % 5},
            )
            here, forms = Round(run), []
            for number in range(1, 11):
                asked = here.question(number, stock())
                ahead = here.question(number + 1, stock())
                forms.append(asked.form)
                kept = Attempt(number=number, form=asked.form, at=NOON)
                here = Round(run, {**here.attempts, number: kept})
                assert here.question(number + 1, stock()).id == ahead.id
            assert len(set(forms)) == 10


def test_an_endless_round_goes_on_until_it_is_ended(client: Client, shelved: None) -> None:
    run = begin(client, "endless", kind="can-win")
    for number in range(1, 13):
        (link,) = give(client, place(run, number), with_htmx=True).all("a", "next")
        assert link["href"] == place(run, number + 1)
    tree = tree_of(client.get(place(run, "end")))
    assert tree.all("h1")[0].text == "12 of 12 right"
    (form,) = [f for f in tree.all("form") if not f.get("action")]
    assert form["method"] == "post"
    in_sight = tree_of(client.get(url())).all("section")[0]
    assert place(run) in [link["href"] for link in in_sight.all("a")]
    assert leads(client.post(place(run, "end"))) == place(run, "end")
    assert leads(client.get(place(run, 13))) == place(run, "end")
    assert leads(client.get(place(run))) == place(run, "end")
    assert called(tree_of(client.get(place(run, 5)))) == "right"
    assert place(run) not in [link["href"] for link in tree_of(client.get(url())).all("a")]
    assert not [f for f in tree_of(client.get(place(run, "end"))).all("form") if not f.get("action")]
    ended = Run.objects.get().ended
    client.post(place(run, "end"))
    assert Run.objects.get().ended == ended


def test_an_answer_on_its_way_when_the_round_is_ended_is_kept(client: Client, shelved: None) -> None:
    run = begin(client, "endless", kind="can-win")
    give(client, place(run, 1))
    form, level = form_on(tree := tree_of(client.get(place(run, 2)))), puzzle_on(tree).level
    client.post(place(run, "end"))
    tree = tree_of(client.get(leads(send(client, form, filled(form, level, level.rights[0])))))
    assert called(tree) == "right"
    assert tree_of(client.get(place(run, "end"))).all("h1")[0].text == "2 of 2 right"


@in_both_languages
def test_against_the_clock_what_comes_after_three_minutes_is_kept_and_does_not_count(
    client: Client, shelved: None, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    now = NOON
    monkeypatch.setattr(timezone, "now", lambda: now)
    run = begin(client, "clock")
    assert set(kinds_of(run)) == {"can-win", "why-not"}
    tree = give(client, place(run, 1, language), with_htmx=True)
    (clock,) = tree.all("span", "clock")
    assert clock["data-ends"] == "2026-05-04T12:03:00+00:00"
    late = {"en": "The time was up.", "zh-hans": "时间已到。"}[language]
    now = NOON + timedelta(seconds=180)
    tree = give(client, place(run, 2, language), with_htmx=True)
    assert (called(tree), late in tree.text) == ("right", False)
    form, level = form_on(tree := tree_of(client.get(place(run, 3, language)))), puzzle_on(tree).level
    assert place(run, "", language) in [a["href"] for a in tree_of(client.get(url("", language))).all("a")]
    now = NOON + timedelta(seconds=180, microseconds=1)
    # A form without JavaScript, its page again, and htmx say the same.
    right = filled(form, level, level.rights[0])
    first = tree_of(client.get(leads(send(client, form, right))))
    assert first.all("a", "next")[0]["href"] == place(run, "end", language)
    again = tree_of(client.get(place(run, 3, language), headers=HTMX))
    for tree in (first, again):
        assert called(tree) == "right"
        assert tree.all("p", "said")[0].text.startswith(late)
    for number in ("", 4):
        assert leads(client.get(place(run, number, language))) == place(run, "end", language)
    assert place(run, "", language) not in [
        a["href"] for a in tree_of(client.get(url("", language))).all("a")
    ]
    tree = tree_of(client.get(place(run, "end", language)))
    assert_sound(tree, language)
    assert sorted(re.findall(r"\d+", tree.all("h1")[0].text)) == ["2", "2"]
    assert Attempt.objects.filter(is_right=True).count() == 3
    assert Run.objects.get().ended == NOON + timedelta(seconds=180)


def kinds_of(run: Run) -> tuple[str, ...]:
    return runs.Spec.of(run).kinds


def test_a_round_against_the_clock_without_an_answer_ends_too(
    client: Client, shelved: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(client, "clock")
    monkeypatch.setattr(timezone, "now", lambda: run.started + timedelta(hours=1))
    assert leads(client.get(place(run, 1))) == place(run, "end")
    for language in LANGUAGES:
        tree = tree_of(client.get(place(run, "end", language)))
        assert_sound(tree, language)
        assert not tree.all("ol", "tally-row")


def test_who_skips_ahead_is_led_back_and_one_question_ahead_is_the_one_that_comes(
    client: Client, shelved: None
) -> None:
    run = begin(client)
    for number in (3, 10):
        assert leads(client.get(place(run, number))) == place(run, 1)
        assert leads(client.post(place(run, number), {"do": "answer"})) == place(run, 1)
    ahead = puzzle_on(tree_of(client.get(place(run, 2), headers=HTMX)))
    give(client, place(run, 1))
    assert puzzle_on(tree_of(client.get(place(run, 2)))).id == ahead.id
    for number in (0, 11, 10**12, 10**30):
        assert client.get(place(run, number or "0")).status_code == 404
    endless = begin(client, "endless")
    for number in (10**12, 10**30):
        for respond in (client.get, client.post):
            assert leads(respond(place(endless, number))) == place(endless, 1)
    assert Attempt.objects.count() == 1


@pytest.mark.parametrize("key", [0, 10**12, 10**18, 10**19, 10**30, "1" * 5000, "-1", "x"])
@in_both_languages
def test_a_round_that_is_none_is_not_found(client: Client, shelved: None, key: Any, language: str) -> None:
    begin(client)
    for path in ("", "1/", "end/", f"{10**30}/"):
        for respond in (client.get, client.post):
            status = respond(url(f"runs/{key}/{path}", language)).status_code
            assert status == 404 or (status == 405 and respond == client.post and not path)


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({}, 404),
        ({"mode": "nonsense"}, 404),
        ({"mode": "quick"}, 404),
        ({"mode": "quick", "game": "mars"}, 404),
        ({"mode": "quick", "game": "changchun", "level": "6"}, 404),
        ({"mode": "quick", "game": "changchun", "level": "9" * 5000}, 404),
        ({"mode": "quick", "game": "changchun", "level": "２"}, 404),
        ({"mode": "quick", "game": "changchun", "level": ""}, 404),
        ({"mode": "rule", "game": "changchun"}, 404),
        ({"mode": "rule", "game": "changchun", "topic": "win/nothing"}, 404),
        ({"mode": "rule", "game": "changchun", "topic": "\0" * 900}, 404),
        ({"mode": "rule", "game": "changsha", "topic": "win/three-suits"}, 404),
        ({"mode": "rule"}, 404),
        ({"mode": "quick", "game": "changchun", "option": "colour=red"}, 400),
        ({"mode": "quick", "game": "changchun", "option": "jiahu"}, 400),
        ({"mode": "quick", "game": "changchun", "option": "jiahu=\0"}, 400),
        ({"mode": "quick", "game": "changchun", "option": ["jiahu=shape", "jiahu=only-wait"]}, 400),
        ({"mode": "clock", "game": "", "level": "2"}, 404),
        ({"mode": "mixed", "option": "nonsense"}, 400),
        ({"mode": "review", "level": "x"}, 404),
    ],
)
def test_a_round_that_the_page_never_offers_is_refused_in_words(
    client: Client, shelved: None, form: dict[str, Any], status: int
) -> None:
    response = client.post(url("start/"), form)
    assert response.status_code == status
    assert read(response.content.decode()).all("h1")[0].text
    assert not Run.objects.exists()
    assert not Learner.objects.exists()


def test_a_kind_that_there_is_not_leaves_the_others(client: Client, shelved: None) -> None:
    assert kinds_of(begin(client, kind=["nonsense", "waits"])) == ("waits",)
    assert kinds_of(begin(client, kind="nonsense")) == tuple(KINDS)
    rule = begin(client, "rule", topic="win/three-suits", kind=["score", "waits"])
    assert "score" not in kinds_of(rule)
    clock = begin(client, "clock", kind=["nonsense", "score", "waits"])
    assert set(kinds_of(clock)) == {"score", "waits"}
    assert set(kinds_of(begin(client, "clock", kind="nonsense"))) == {"can-win", "why-not"}


def test_a_round_on_a_rule_asks_nothing_whose_answer_is_the_rule_unless_it_is_ticked(
    client: Client, shelved: None
) -> None:
    telling = {key for key, kind in KINDS.items() if kind.tells_topic}
    assert {"why-not", "opening"} == telling
    for game in rules.rulesets().values():
        for topic, kinds in runs.topics(game, stock()).items():
            asked = kinds_of(begin(client, "rule", game.key, topic=topic))
            assert set(asked) == set(kinds) - telling or (set(asked) == set(kinds) <= telling)
            for kind in telling & set(kinds):
                assert kinds_of(begin(client, "rule", game.key, topic=topic, kind=kind)) == (kind,)


@pytest.mark.parametrize("mode", ["rule", "quick"])
def test_a_round_on_a_rule_ends_where_there_is_nothing_more_to_ask(
    client: Client, shelved: None, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    there_is = [puzzle.id.rpartition("/")[2] for puzzle in some("changchun", "waits", 2)]
    keys = [
        Key("waits", rules.ruleset("changchun"), level, int(seed))
        for level, seed in zip((1, 3), there_is, strict=True)
    ]
    monkeypatch.setattr(runs, "keys", lambda *given: iter(keys))
    run = begin(client, mode, topic="win/three-suits")
    for number in (1, 2):
        give(client, place(run, number))
    if mode == "quick":  # there the same comes again
        assert called(tree_of(client.get(place(run, 3)))) == ""
        return
    assert client.post(place(run, 3), {"do": "answer"}).status_code == 404
    assert leads(client.get(place(run, 3))) == place(run, "end")
    run.refresh_from_db()
    assert run.ended is not None
    for language in LANGUAGES:
        tree = tree_of(client.get(place(run, "end", language)))
        assert_sound(tree, language)
        assert sorted(re.findall(r"\d+", tree.all("h1")[0].text)) == ["2", "2"]
    assert leads(client.get(place(run))) == place(run, "end")
    assert called(tree_of(client.get(place(run, 2)))) == "right"


def test_the_end_says_where_a_hint_or_the_solution_was_seen(client: Client, shelved: None) -> None:
    run = begin(client)
    for number, do in ((1, "hint"), (2, "solution"), (3, "")):
        if do:
            form = form_on(tree_of(client.get(place(run, number))))
            send(client, form, sent(form) | {"do": do})
        if do != "solution":
            give(client, place(run, number))
    items = tree_of(client.get(place(run, "end"))).all("ol", "tally-row")[0].all("li")
    assert [[mark.text for mark in item.all("span", "helped")] for item in items] == [
        ["with a hint"],
        ["solution seen"],
        [],
    ]
    assert [item["class"] for item in items] == ["right", "wrong", "right"]


def test_every_way_that_the_page_offers_leads_to_a_question(client: Client, shelved: None) -> None:
    for language in LANGUAGES:
        tree = tree_of(client.get(url("", language)))
        for form in tree.all("form"):
            fields: dict[str, list[str]] = {}
            for field in form.all("input"):
                if field.get("type") == "hidden" or "checked" in field.attributes:
                    fields.setdefault(field["name"], []).append(field["value"])
            for select in form.all("select"):
                fields.setdefault(select["name"], []).append(select.all("option")[0]["value"])
            for button in form.all("button"):
                press = {button["name"]: button["value"]} if button.get("name") else {}
                question = client.get(leads(client.post(form["action"], fields | press)))
                assert called(tree_of(question)) == ""


def test_every_rule_that_the_page_offers_can_be_practised_by_itself(client: Client, shelved: None) -> None:
    tree = tree_of(client.get(url()))
    for first, game in enumerate(rules.rulesets()):
        (select,) = [s for s in tree.all("select") if s["id"] == f"topic-{game}"]
        topics = [option["value"] for option in select.all("option")]
        assert len(topics) > 20
        for topic in some_of(topics, first, 3):
            run = begin(client, "rule", game, topic=topic)
            for number in (1, 2):
                assert puzzle_on(tree_of(client.get(place(run, number)))).topic == topic


def test_a_rule_that_only_some_tables_have_can_be_asked_again(client: Client, shelved: None) -> None:
    game = rules.ruleset("changchun")
    usual = set(runs.topics(game, stock()))
    played = game.with_options({"must-declare-ting": "yes"})
    (topic,) = set(runs.topics(played, stock())) - usual
    run = begin(client, "rule", topic=topic, option="must-declare-ting=yes")
    give_wrong(client, place(run, 1))
    (part,) = tree_of(client.get(place(run, "end"))).all("div", "missed")
    assert topic not in part.text  # it has a name
    (form,) = part.all("form")
    data = {field["name"]: field["value"] for field in form.all("input")}
    question = puzzle_on(tree_of(client.get(leads(client.post(form["action"], data)))))
    assert (question.topic, question.options) == (topic, {"must-declare-ting": "yes"})


@in_both_languages
def test_the_pages_of_practice_are_sound_for_whoever_comes(
    client: Client, shelved: None, language: str
) -> None:
    run = begin(client, "mixed")
    finish(client, run, wrong=(1, 2, 3, 4))
    begin(client, "endless")
    for browser in (Client(), client):
        for path in (
            "",
            "?ruleset=changsha",
            "?ruleset=mars",
            "daily/",
            "picked/changchun/",
            "picked/changsha/",
        ):
            assert_sound(tree_of(browser.get(url(path, language))), language)
    opened = {
        key: [
            form.field("game")[0]["value"]
            for details in tree_of(client.get(url(f"?ruleset={key}" if key else ""))).all("details")
            if "open" in details.attributes
            for form in details.all("form")
        ]
        for key in (*rules.rulesets(), "mars", "")
    }
    assert opened == {"changchun": ["changchun"], "changsha": ["changsha"], "mars": [], "": []}


def test_the_other_language_keeps_what_the_address_says(client: Client, shelved: None) -> None:
    played = rules.ruleset("changchun").with_options({"jiahu": "shape"})
    alone = address_of(made(Key("waits", played, 2, 5), stock()).id)
    give(client, alone)
    for path in (alone, f"{alone}&again=1", url("?ruleset=changsha"), url(), place(begin(client), 1)):
        (link,) = tree_of(client.get(path)).by_id("language").all("a")
        assert unquote(link["href"]) == path.replace("/en/", "/zh-hans/", 1)
        (back,) = tree_of(client.get(link["href"])).by_id("language").all("a")
        assert unquote(back["href"]) == path


def test_nothing_of_practice_is_stored_by_others(client: Client, shelved: None) -> None:
    run = begin(client)
    (puzzle,) = some("changchun", "can-win", 1)
    for path in (url(), url("daily/"), url("picked/changchun/"), place(run, 1), address_of(puzzle.id)):
        response = client.get(path)
        assert response["Cache-Control"] == "private, no-store"
        assert {"Cookie", "HX-Request"} <= set(response["Vary"].replace(" ", "").split(","))


def test_who_only_looks_leaves_nothing(client: Client, shelved: None) -> None:
    (puzzle,) = some("changchun", "can-win", 1)
    for path in (url(), url("daily/"), url("picked/changchun/"), address_of(puzzle.id)):
        response = client.get(path)
        assert (response.status_code, list(response.cookies)) == (200, [])
    assert leads(client.post(url("start/"), {"mode": "review"})) == url()
    assert not Learner.objects.exists()


# One attempt


@pytest.mark.parametrize("with_htmx", [True, False], ids=["htmx", "page"])
def test_the_first_answer_counts_whatever_comes_later(client: Client, shelved: None, with_htmx: bool) -> None:
    run = begin(client)
    (alone,) = some("changsha", "why-not", 1)
    for address in (place(run, 1), address_of(alone.id)):
        form, level = form_on(tree := tree_of(client.get(address))), puzzle_on(tree).level
        wrong, right = wrong_answers(level)[0], level.rights[0]
        assert send(client, form, filled(form, level, wrong)).status_code == 303
        tree = tree_of(send(client, form, filled(form, level, right), with_htmx=with_htmx))
        assert called(tree) == "wrong"
        assert tree.all("p", "said")[0].text == "This was answered already: the first answer counts."
        # Gone back to, the page shows what counts and offers nothing more.
        tree = tree_of(client.get(address))
        assert called(tree) == "wrong"
        assert not tree.all("p", "said")
        assert not form_on(tree).all("button")
    assert Attempt.objects.count() == 2
    assert Attempt.objects.filter(is_right=False).count() == 2


def test_another_s_round_is_nobody_s_to_see(client: Client, shelved: None) -> None:
    run = begin(client)
    give(client, place(run, 1))
    stranger = Client()
    begin(stranger)
    sign_up(somebody := Client(), name="Stranger")
    for browser in (stranger, Client(), somebody):
        for path in ("", 1, 2, "end"):
            assert browser.get(place(run, path)).status_code == 404
            if path:
                data = {"puzzle": "x", "do": "answer"}
                assert browser.post(place(run, path), data).status_code == 404
    run.refresh_from_db()
    assert (run.ended, run.attempts.count()) == (None, 1)


def test_the_same_puzzle_is_each_learner_s_own(shelved: None) -> None:
    (puzzle,) = some("changsha", "waits", 1)
    one, other = Client(), Client()
    give(one, address_of(puzzle.id))
    assert called(tree_of(other.get(address_of(puzzle.id)))) == ""
    give_wrong(other, address_of(puzzle.id))
    assert called(tree_of(one.get(address_of(puzzle.id)))) == "right"
    assert Attempt.objects.count() == 2


def test_after_all_is_forgotten_an_old_page_does_no_harm(client: Client, shelved: None) -> None:
    run = begin(client)
    (alone,) = some("changsha", "waits", 1)
    give(client, place(run, 1))
    forms = [
        (form_on(t), puzzle_on(t).level)
        for t in (tree_of(client.get(p)) for p in (place(run, 2), address_of(alone.id)))
    ]
    client.post("/en/learn/forget/")
    assert not Learner.objects.exists()
    (form, level), (lone, lone_level) = forms
    for with_htmx in (True, False):
        for do in ("answer", "hint", "solution"):
            data = filled(form, level, level.rights[0]) | {"do": do}
            assert send(client, form, data, with_htmx=with_htmx).status_code == 404
    assert not Learner.objects.exists()
    data = filled(lone, lone_level, lone_level.rights[0])
    assert called(tree_of(send(client, lone, data, with_htmx=True))) == "right"
    assert Attempt.objects.get().learner == known_as(client)


def under_way(client: Client, form: Element, data: dict[str, list[str]]) -> HttpRequest:
    """A request of a browser that has been read, but not yet dealt with."""
    request = read_session(client)
    request.path = request.path_info = form["action"]
    request.POST = request.GET.copy()
    for name, values in data.items():
        request.POST.setlist(name, values)
    request.htmx = HtmxDetails(request)
    return request


def test_an_answer_on_its_way_while_somebody_signs_in_lands_with_the_account(
    client: Client, shelved: None
) -> None:
    Account.objects.create_user(NAME, PASSWORD)
    run = begin(client)
    (alone,) = some("changsha", "waits", 1)
    requests = []
    for address in (place(run, 1), address_of(alone.id)):
        form = form_on(tree := tree_of(client.get(address)))
        level = puzzle_on(tree).level
        requests.append(under_way(client, form, filled(form, level, level.rights[0])))
    sign_in(client)
    answers = [views.question(requests[0], run=run.pk, number=1), views.puzzle(requests[1], id=alone.id)]
    assert [answer.status_code for answer in answers] == [303, 303]
    account = Account.objects.get().learner
    assert account == known_as(client)
    assert set(Attempt.objects.values_list("learner", "is_right")) == {(account.pk, True)}
    assert not [request for request in requests if request.session.modified]
    assert called(tree_of(client.get(place(run, 1)))) == "right"
    assert Learner.objects.count() == 2


def test_an_answer_on_its_way_while_all_is_forgotten_is_refused_and_leaves_nothing(
    client: Client, shelved: None
) -> None:
    run = begin(client)
    (alone,) = some("changsha", "waits", 1)
    requests = []
    for address, do in ((place(run, 1), "answer"), (place(run, 1), "hint"), (address_of(alone.id), "answer")):
        form = form_on(tree := tree_of(client.get(address)))
        level = puzzle_on(tree).level
        data = filled(form, level, level.rights[0]) | {"do": [do]}
        requests.append(under_way(client, form, data))
    client.post("/en/learn/forget/")
    for request in requests[:2]:
        with pytest.raises(Http404):
            views.question(request, run=run.pk, number=1)
    with pytest.raises(Http404):
        views.puzzle(requests[2], id=alone.id)
    assert not Learner.objects.exists()
    assert not Attempt.objects.exists()


def test_a_round_that_is_forgotten_after_it_was_looked_up_is_refused_too(
    client: Client, shelved: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(client)
    form, level = form_on(tree := tree_of(client.get(place(run, 1)))), puzzle_on(tree).level
    asked = asking.posted

    def forgotten_first(*given: Any) -> HttpResponse:
        Learner.objects.all().delete()
        return asked(*given)

    monkeypatch.setattr(asking, "posted", forgotten_first)
    assert send(client, form, filled(form, level, level.rights[0])).status_code == 404
    assert not Attempt.objects.exists()


def test_the_page_of_before_somebody_signed_in_still_answers(shelved: None) -> None:
    client = Client(enforce_csrf_checks=True)
    Account.objects.create_user(NAME, PASSWORD)
    own = {"Sec-Fetch-Site": "same-origin"}
    assert client.post(url("start/"), {"mode": "quick", "game": "changsha"}, headers=own).status_code == 303
    run = Run.objects.get()
    form, level = form_on(tree := tree_of(client.get(place(run, 1)))), puzzle_on(tree).level
    token = read(client.get("/en/account/sign-in/").content.decode()).field("csrfmiddlewaretoken")[0]["value"]
    data = {"name": NAME, "password": PASSWORD, "csrfmiddlewaretoken": token}
    assert client.post("/en/account/sign-in/", data).status_code == 303
    right = filled(form, level, level.rights[0])
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}):
        for path in (place(run, 1), place(run, "end"), address_of("changsha/can-win/1/5")):
            assert client.post(path, right, headers=headers).status_code == 403
    assert not Attempt.objects.exists()
    assert called(tree_of(client.post(form["action"], right, headers={**own, **HTMX}))) == "right"
    assert Attempt.objects.get().learner == Account.objects.get().learner == known_as(client)


def copy_of(client: Client) -> Client:
    """Another tab of the same browser."""
    tab = Client()
    tab.cookies = SimpleCookie()
    tab.cookies[settings.SESSION_COOKIE_NAME] = client.cookies[settings.SESSION_COOKIE_NAME].value
    return tab


def sending(client: Client, form: Element, data: dict[str, Any], **more: Any) -> Callable[[], HttpResponse]:
    """What sends a form from a tab of its own."""
    tab = copy_of(client)
    return lambda: send(tab, form, data, **more)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shelved")
class TestAtOnce:
    """Several tabs at the same time."""

    def test_of_two_answers_at_once_one_counts(self) -> None:
        client = Client()
        run = begin(client)
        (alone,) = some("changsha", "waits", 1)
        for address in (place(run, 1), address_of(alone.id)):
            form, level = form_on(tree := tree_of(client.get(address))), puzzle_on(tree).level
            answers = [level.rights[0], wrong_answers(level)[0]] * 2
            acts = [sending(client, form, filled(form, level, answer), with_htmx=True) for answer in answers]
            trees = [tree_of(response) for response in at_once(*acts)]
            attempt = Attempt.objects.get(slot=alone.id if address == address_of(alone.id) else f"{run.pk}:1")
            assert {called(tree) for tree in trees} == {"right" if attempt.is_right else "wrong"}
            assert sum(bool(tree.all("p", "said")) for tree in trees) == 3
        assert Attempt.objects.count() == 2
        assert Learner.objects.count() == 1

    def test_the_last_two_answers_at_once_end_the_round(self) -> None:
        client = Client()
        run = begin(client)
        for number in range(1, 9):
            give(client, place(run, number), with_htmx=True)
        acts = []
        for number in (9, 10):
            form = form_on(tree := tree_of(client.get(place(run, number))))
            level = puzzle_on(tree).level
            data = filled(form, level, level.rights[0])
            acts.append(sending(client, form, data))
        assert [response.status_code for response in at_once(*acts)] == [303, 303]
        run.refresh_from_db()
        assert run.ended == run.attempts.latest("at").at
        assert run.attempts.count() == 10

    def test_hints_at_once_are_hints_of_one_attempt(self) -> None:
        client = Client()
        run = begin(client)
        form = form_on(tree_of(client.get(place(run, 1))))
        acts = [sending(client, form, sent(form) | {"do": "hint"}, with_htmx=True) for _ in range(5)]
        assert {response.status_code for response in at_once(*acts)} == {200}
        assert Attempt.objects.get().help == 3

    @pytest.mark.parametrize("turn", range(3))
    def test_no_answer_is_lost_while_somebody_signs_in(self, turn: int) -> None:
        Account.objects.create_user(NAME, PASSWORD)
        client = Client()
        run = begin(client)
        forms = []
        for number in (1, 2):
            form = form_on(tree := tree_of(client.get(place(run, number))))
            level = puzzle_on(tree).level
            forms.append((form, filled(form, level, level.rights[0])))
        acts = [sending(client, form, data) for form, data in forms]
        acts.insert(turn, lambda: sign_in(client))
        results = at_once(*acts)
        results.pop(turn)
        # Who came when the session had just gone presses again.
        for (form, data), response in zip(forms, results, strict=True):
            assert response.status_code in (303, 404)
            if response.status_code == 404:
                assert send(client, form, data).status_code == 303
        account = Account.objects.get().learner
        assert list(run.attempts.values_list("learner", "is_right")) == [(account.pk, True)] * 2

    def test_an_answer_is_one_transaction_that_writes(self) -> None:
        client = Client()
        run = begin(client)
        Learner.objects.update(reviews=True)
        for number in range(1, 11):
            form = form_on(tree := tree_of(client.get(place(run, number))))
            level = puzzle_on(tree).level
            if number % 3 == 0:
                send(client, form, sent(form) | {"do": "hint"})
            answer = wrong_answers(level)[0] if number % 2 else level.rights[0]
            with CaptureQueriesContext(connection) as seen:
                assert send(client, form, filled(form, level, answer)).status_code == 303
            assert transactions(seen) == 1
            with CaptureQueriesContext(connection) as seen:
                client.get(place(run, number))
                client.get(place(run, number + 1))
            assert transactions(seen) == 0
        run.refresh_from_db()
        assert run.ended is not None


def transactions(seen: CaptureQueriesContext) -> int:
    """How many transactions wrote something, those of a single statement too."""
    found, is_open = 0, False
    for query in seen.captured_queries:
        said = query["sql"].lstrip().upper()
        if said.startswith("BEGIN"):
            is_open, found = True, found + 1
        elif said.startswith(("COMMIT", "ROLLBACK")) and not said.startswith("ROLLBACK TO"):
            is_open = False
        elif said.startswith(("INSERT", "UPDATE", "DELETE")) and not is_open:
            found += 1
    return found


# What pages and answers cost


def test_pages_and_answers_take_as_many_queries_whatever_is_kept(client: Client, shelved: None) -> None:
    (alone, other) = some("changsha", "can-win", 2)
    give(client, address_of(other.id))
    learner = known_as(client)
    learner.reviews = True
    learner.save()
    counts: list[dict[str, int]] = []
    for many in (1, 300):
        run = begin(client, "endless", kind="can-win")
        tree = tree_of(client.get(place(run, 1)))
        rows = [
            Attempt(
                learner=learner,
                run=run,
                number=n,
                slot=f"{run.pk}:{n}",
                puzzle=puzzle_on(tree).id,
                game="changchun",
                kind="can-win",
                topic=("win/three-suits", "win/triplet")[n % 2],
                level=1,
                question=dict(alone.node),
                form=f"form {n}",
                answer=["no"],
                is_right=n % 3 == 0,
                at=NOON,
            )
            for n in range(1, many)
        ]
        Attempt.objects.bulk_create(rows)
        question = place(run, many)
        found: dict[str, int] = {}
        paths = {
            "home": url(),
            "daily": url("daily/"),
            "picked": url("picked/changchun/"),
            "question": question,
        }
        paths |= {"ended": place(run, "end"), "alone": address_of(alone.id)}
        form, level = form_on(tree := tree_of(client.get(question))), puzzle_on(tree).level
        data = filled(form, level, wrong_answers(level)[0])
        with CaptureQueriesContext(connection) as seen:
            send(client, form, data, with_htmx=True)
        found["answer"] = len(seen)
        for name, path in paths.items():
            with CaptureQueriesContext(connection) as seen:
                assert client.get(path).status_code == 200
            found[name] = len(seen)
        counts.append(found)
        learner.cards.all().delete()
    assert counts[0] == counts[1]
    assert max(counts[0].values()) <= 16
    with CaptureQueriesContext(connection) as seen:
        for path in (url(), url("daily/"), url("picked/changchun/"), address_of(alone.id)):
            Client().get(path)
    assert len(seen) == 0


# What is kept stays


SERVE = """
import sys
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", "migrate", "--verbosity", "0"])
execute_from_command_line(["manage.py", "runserver", "--noreload", "--skip-checks", sys.argv[1]])
"""


@contextmanager
def server(database: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server of its own, with a database of its own; its address and its process."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{database}"}
    root = settings.BASE_DIR
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    serve = [sys.executable, "-c", SERVE, f"127.0.0.1:{port}"]
    process = subprocess.Popen(serve, cwd=root, env=environment, **quiet)
    try:
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.kill()
        process.wait()


def test_an_answer_survives_the_death_of_the_server_right_after_it(tmp_path: Path) -> None:
    database = tmp_path / "kept.sqlite3"
    with server(database) as (site, process):
        browser = build_opener(HTTPCookieProcessor(CookieJar()))

        def ask(path: str, data: dict[str, Any] | None = None) -> Element:
            sent = urlencode(data, doseq=True).encode() if data is not None else None
            for _ in range(600):
                try:
                    with browser.open(f"{site}{path}", sent, timeout=60) as answer:
                        return read(answer.read().decode())
                except ConnectionRefusedError:
                    time.sleep(0.1)
                except URLError as error:
                    if not isinstance(error.reason, ConnectionRefusedError):
                        raise
                    time.sleep(0.1)
            raise AssertionError("the server does not answer")

        tree = ask("/en/practice/start/", {"mode": "quick", "game": "changsha", "kind": "can-win"})
        form = form_on(tree)
        question = form.field("puzzle")[0]["value"]
        tree = ask(form["action"], sent(form) | {"a": "yes"})
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert called(tree) in ("right", "wrong")
    with closing(sqlite3.connect(database)) as kept:
        rows = kept.execute("select puzzle, answer, is_right, number from practice_attempt").fetchall()
        assert kept.execute("pragma integrity_check").fetchall() == [("ok",)]
    assert rows == [(question, '["yes"]', int(called(tree) == "right"), 1)]


# The day's


def test_the_puzzle_of_the_day_is_everyone_s_and_changes_at_midnight_utc(
    shelved: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listed(client: Client, language: str = "en") -> list[list[str]]:
        (table,) = tree_of(client.get(url("daily/", language))).all("table")
        return [[link["href"] for link in row.all("a")] for row in table.all("tr")[1:]]

    now = datetime(2026, 5, 4, 23, 59, 59, 999_999, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: now)
    before, other = listed(client := Client()), listed(Client())
    assert before == other
    assert [len(row) for row in before] == [2] * 30
    assert len({address for row in before for address in row}) == 60
    home = [link["href"] for link in tree_of(client.get(url())).all("a")]
    assert set(before[0]) <= set(home)
    now += timedelta(microseconds=1)
    after = listed(client)
    assert after[1:] == before[:-1]
    assert after[0] != before[0]
    assert set(after[0]) <= {link["href"] for link in tree_of(client.get(url())).all("a")}
    for address in (address for row in after for address in row):
        tree = tree_of(client.get(address))
        assert form_on(tree)["action"] == address
    for language, words in (("en", "4 May"), ("zh-hans", "5月4日")):
        (table,) = tree_of(client.get(url("daily/", language))).all("table")
        assert [cell.text for cell in table.all("th") if cell.get("scope") == "row"][1] == words
    chinese = listed(client, "zh-hans")
    assert [[a.replace("/zh-hans/", "/en/") for a in row] for row in chinese] == after


@in_both_languages
def test_the_page_of_a_day_s_puzzle_names_the_day_and_leads_back_to_the_list(
    client: Client, shelved: None, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    names = {"en": ("4 May", "5 Apr"), "zh-hans": ("5月4日", "4月5日")}[language]
    daily = url("daily/", language)
    for game in rules.rulesets().values():
        for ago, name in ((0, names[0]), (29, names[1]), (30, None), (-1, None)):
            day = NOON.date() - timedelta(days=ago)
            address = address_of(days.key_of(game, day).id, language)
            tree = tree_of(client.get(address))
            assert_sound(tree, language)
            (crumbs,) = tree.all("p", "crumbs")
            assert [(time["datetime"], time.text) for time in crumbs.all("time")] == (
                [(day.isoformat(), name)] if name else []
            )
            assert (daily in [a["href"] for a in crumbs.all("a")]) is bool(name)
            (link,) = give(client, address, with_htmx=True).all("a", "next")
            assert (link["href"] == daily) is bool(name)


def test_no_two_games_ask_the_same_kind_on_a_day() -> None:
    for n in range(400):
        day = date(2026, 1, 1) + timedelta(days=n)
        keys = [days.key_of(game, day) for game in rules.rulesets().values()]
        assert len({key.kind for key in keys}) == len(keys)
        assert all(days.key_of(key.game, day + timedelta(days=1)).kind != key.kind for key in keys)


def test_the_day_s_table_says_what_was_answered(client: Client, shelved: None) -> None:
    (table,) = tree_of(client.get(url("daily/"))).all("table")
    today, yesterday = (row.all("a") for row in table.all("tr")[1:3])
    give(client, today[0]["href"])
    give_wrong(client, yesterday[1]["href"])
    for language in LANGUAGES:
        tree = tree_of(client.get(url("daily/", language)))
        marks = [[m["class"] for m in row.all("span", "done-mark")] for row in tree.all("tr")[1:]]
        assert marks == [["done-mark right"], ["done-mark wrong"], *[[]] * 28]


def test_each_day_of_a_century_has_a_puzzle_that_there_can_be() -> None:
    for game in rules.rulesets().values():
        for n in range(0, 36_525, 11):
            key = days.key_of(game, date(2000, 1, 1) + timedelta(days=n))
            assert key.kind in KINDS
            assert key.level in LEVELS
            assert 0 <= key.seed < MOST_SEEDS


# Picked by hand


@in_both_languages
@pytest.mark.parametrize("game", rules.rulesets())
def test_every_picked_puzzle_is_listed_in_order(
    client: Client, shelved: None, game: str, language: str
) -> None:
    ruleset = rules.ruleset(game)
    found = stock().picked(ruleset)
    tree = tree_of(client.get(url(f"picked/{game}/", language)))
    links = [item.all("a")[0] for item in tree.all("ol", "picked")[0].all("li")]
    assert [link["href"] for link in links] == [
        address_of(f"{game}/picked/{one.slug}", language) for one in found
    ]
    assert [link.text for link in links] == [one.title.in_language(language) for one in found]
    assert [one.number for one in found] == sorted(one.number for one in found)
    give(client, links[0]["href"])
    give_wrong(client, links[2]["href"])
    tree = tree_of(client.get(url(f"picked/{game}/", language)))
    marks = [[m["class"] for m in i.all("span", "done-mark")] for i in tree.all("ol", "picked")[0].all("li")]
    assert marks[:4] == [["done-mark right"], [], ["done-mark wrong"], []]


@pytest.mark.parametrize(("game", "language"), list(zip(rules.rulesets(), LANGUAGES, strict=True)))
@pytest.mark.parametrize("part", range(3))
def test_each_picked_puzzle_opens_and_tells_its_note_after_the_answer_only(
    shelved: None, game: str, language: str, part: int
) -> None:
    language = LANGUAGES[(LANGUAGES.index(language) + part) % 2]  # in turn
    found = stock().picked(rules.ruleset(game))
    pairs = list(zip(found, [*found[1:], None], strict=True))[part::3]
    for one, after in some_of(pairs, part % 2, 2):
        client = Client()
        puzzle = picked_puzzle(one)
        assert puzzle.note is not None
        address = address_of(puzzle.id, language)
        note = words_of(puzzle.note, puzzle.game, language)
        tree = tree_of(client.get(address))
        assert note not in tree.text
        assert one.title.in_language(language) in tree.all("h1")[0].text
        assert_sound(tree, language)
        tree = give(client, address, with_htmx=True)
        assert called(tree) == "right"
        assert note in tree.text
        (link,) = tree.all("a", "next")
        with translation.override(language):
            leads_to = of_puzzle(f"{game}/picked/{after.slug}") if after else url(f"picked/{game}/", language)
        assert link["href"] == leads_to
        assert_sound(tree_of(client.get(address)), language)


def test_the_picked_puzzles_of_no_game_are_not_found(client: Client, shelved: None) -> None:
    for language in LANGUAGES:
        assert client.get(url("picked/mars/", language)).status_code == 404


def test_without_content_practice_still_asks(
    client: Client, db: None, fresh_shelf: None, settings: LazySettings
) -> None:
    for path in ("", "daily/", "picked/changchun/"):
        assert client.get(url(path)).status_code == 200
    assert called(give(client, place(begin(client), 1))) == "right"


def test_the_words_of_practice_are_in_both_languages() -> None:
    for text in (*runs.MODE_NAMES.values(), *(kind.name for kind in KINDS.values())):
        assert isinstance(text, Text)
        assert text.en
        assert HAN.search(text.zh)
