"""Reviews: rules that were missed come up again, with fresh hands, for whoever wants it, on days that follow
from the answers alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import rules
from tests.test_accounts import NAME, PASSWORD, known_as, sign_in, sign_up
from tests.test_levels import sent, tree_of, wrong_answers
from tests.test_practice import (
    LANGUAGES,
    address_of,
    assert_sound,
    begin,
    called,
    form_on,
    give,
    give_wrong,
    in_both_languages,
    leads,
    place,
    puzzle_on,
    send,
    url,
)
from tutor.people.models import Account, Learner
from tutor.practice import reviews
from tutor.practice.models import Attempt, Card, Run
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import Key, Puzzle, puzzle
from tutor.puzzles.stock import stock

pytestmark = pytest.mark.django_db

START = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


class Clock:
    """The time, which stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def wait(self, time: timedelta) -> None:
        self.now += time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock


def want_reviews(client: Client, *, wanted: bool = True) -> None:
    assert client.post("/en/progress/reviews/", {"on": "1" if wanted else "0"}).status_code == 303


@pytest.fixture
def learner(client: Client, shelved: None, clock: Clock) -> Learner:
    """Who wants reviews."""
    begin(client)
    want_reviews(client)
    return known_as(client)


def fresh(kind: str, game: str = "changchun", seed: int = 0) -> Puzzle:
    """Another puzzle at each seed."""
    return puzzle(Key(kind, rules.ruleset(game), 2, seed), stock())


def miss(client: Client, asked: Puzzle) -> None:
    assert called(give_wrong(client, address_of(asked.id), with_htmx=True)) == "wrong"


def only_card() -> Card:
    return Card.objects.get()


def begin_review(client: Client, language: str = "en") -> Run:
    """Begins a review by the form of the page of practice."""
    tree = tree_of(client.get(url("", language)))
    (form,) = [
        f for f in tree.all("form") if ("mode", "review") in [(i["name"], i["value"]) for i in f.all("input")]
    ]
    data = {field["name"]: field["value"] for field in form.all("input")}
    address = leads(client.post(form["action"], data))
    run = Run.objects.latest("pk")
    assert address == place(run, 1, language)
    return run


def is_offered(client: Client) -> bool:
    return 'value="review"' in client.get(url()).content.decode()


# A miss makes a card


def test_a_miss_makes_a_card_that_is_due_ten_minutes_later(client: Client, learner: Learner) -> None:
    asked = fresh("why-not")
    miss(client, asked)
    card = only_card()
    assert (card.learner, card.game, card.topic, card.kind) == (learner, "changchun", asked.topic, "why-not")
    assert card.missed == START
    assert card.due == START + 10 * MINUTE


def test_to_have_seen_the_solution_is_a_miss_and_hints_are_none(client: Client, learner: Learner) -> None:
    one, other = fresh("waits"), fresh("discard")
    form = form_on(tree_of(client.get(address_of(one.id))))
    send(client, form, sent(form) | {"do": "solution"})
    form = form_on(tree_of(client.get(address_of(other.id))))
    send(client, form, sent(form) | {"do": "hint"})
    give(client, address_of(other.id))
    assert only_card().kind == "waits"


def test_a_right_answer_makes_none_and_moves_none_outside_a_review(
    client: Client, learner: Learner, clock: Clock
) -> None:
    asked = fresh("why-not")
    give(client, address_of(asked.id))
    assert not Card.objects.exists()
    again = next(p for n in range(1, 99) if (p := fresh("why-not", seed=n)).topic == asked.topic)
    miss(client, again)
    before = only_card()
    clock.wait(DAY)
    third = next(p for n in range(99, 200) if (p := fresh("why-not", seed=n)).topic == asked.topic)
    give(client, address_of(third.id))
    assert (only_card().due, only_card().state) == (before.due, before.state)


def test_another_miss_makes_no_second_card_and_a_second_press_counts_once(
    client: Client, learner: Learner, clock: Clock
) -> None:
    asked = fresh("why-not")
    form = form_on(tree := tree_of(client.get(address_of(asked.id))))
    miss(client, asked)
    before = only_card()
    clock.wait(DAY)
    level = puzzle_on(tree).level
    data = sent(form) | {"a": sorted(wrong_answers(level)[1])}
    send(client, form, data, with_htmx=True)
    assert only_card().state == before.state
    again = next(p for n in range(1, 99) if (p := fresh("why-not", seed=n)).topic == asked.topic)
    miss(client, again)
    assert only_card().missed == START + DAY
    assert only_card().due == START + DAY + 10 * MINUTE


# Coming up


def test_only_what_is_due_comes_up_the_longest_due_first(
    client: Client, learner: Learner, clock: Clock
) -> None:
    assert not is_offered(client)
    assert "Nothing is due for review now." in tree_of(client.get(url())).text
    first, second = fresh("why-not"), fresh("waits", "changsha")
    miss(client, first)
    clock.wait(5 * MINUTE)
    miss(client, second)
    assert not is_offered(client)
    assert leads(client.post(url("start/"), {"mode": "review"})) == url()
    clock.wait(5 * MINUTE)
    assert "Review 1 rule that you missed" in tree_of(client.get(url())).text
    clock.wait(5 * MINUTE)
    assert "Review 2 rules that you missed" in tree_of(client.get(url())).text
    run = begin_review(client)
    asked = [puzzle_on(tree_of(client.get(place(run, n)))) for n in (1, 2)]
    assert [(p.game.key, p.kind.key, p.topic) for p in asked] == [
        (p.game.key, p.kind.key, p.topic) for p in (first, second)
    ]
    assert client.get(place(run, 3)).status_code == 404


@in_both_languages
def test_a_review_is_labelled_asks_a_fresh_hand_and_ends(
    client: Client, learner: Learner, clock: Clock, language: str
) -> None:
    missed = [fresh("why-not"), fresh("waits", "changsha"), fresh("table")]
    for asked in missed:
        miss(client, asked)
    clock.wait(DAY)
    run = begin_review(client, language)
    forms = set()
    for number, before in enumerate(missed, 1):
        tree = tree_of(client.get(place(run, number, language)))
        assert_sound(tree, language)
        asked = puzzle_on(tree)
        assert (asked.game.key, asked.kind.key, asked.topic) == (
            before.game.key,
            before.kind.key,
            before.topic,
        )
        assert asked.id != before.id
        forms.add(asked.form)
        (label,) = tree.all("p", "because-of")
        assert "2026-05-04" in label.text
        assert {"en": "Review, because you missed", "zh-hans": "复习"}[language] in label.text
        assert called(give(client, place(run, number, language))) == "right"
    assert len(forms) == 3
    tree = tree_of(client.get(leads(client.get(place(run, "", language)))))
    assert_sound(tree, language)
    assert sorted(int(n) for n in re.findall(r"\d+", tree.all("h1")[0].text)) == [3, 3]
    run.refresh_from_db()
    assert run.ended == clock.now
    assert not is_offered(client)


def test_what_is_right_comes_later_each_time_and_what_is_wrong_sooner(
    client: Client, learner: Learner, clock: Clock
) -> None:
    miss(client, fresh("can-win"))
    gaps = []
    for _ in range(5):
        clock.wait(only_card().due - clock.now)
        run = begin_review(client)
        assert called(give(client, place(run, 1), with_htmx=True)) == "right"
        gaps.append(only_card().due - clock.now)
    assert gaps == sorted(gaps)
    assert len(set(gaps)) == 5
    assert gaps[0] >= DAY
    clock.wait(only_card().due - clock.now)
    run = begin_review(client)
    assert called(give_wrong(client, place(run, 1), with_htmx=True)) == "wrong"
    assert only_card().due - clock.now == 10 * MINUTE
    assert only_card().missed == clock.now


def test_with_help_it_comes_sooner_than_without(client: Client, learner: Learner, clock: Clock) -> None:
    for kind in ("can-win", "why-not"):
        miss(client, fresh(kind))
    for _ in range(2):
        clock.wait(40 * DAY)
        run = begin_review(client)
        for number in (1, 2):
            tree = tree_of(client.get(place(run, number)))
            form = form_on(tree)
            if puzzle_on(tree).kind.key == "why-not":
                send(client, form, sent(form) | {"do": "hint"})
            give(client, place(run, number))
    due = dict(Card.objects.values_list("kind", "due"))
    assert due["why-not"] < due["can-win"]


def test_the_same_answers_at_the_same_times_give_the_same_days(
    client: Client, shelved: None, clock: Clock
) -> None:
    found = []
    for _ in range(2):
        clock.now = START
        browser = Client()
        begin(browser)
        want_reviews(browser)
        miss(browser, fresh("can-win"))
        for wait in (DAY, 3 * DAY, 30 * DAY):
            clock.wait(wait)
            if is_offered(browser):
                give(browser, place(begin_review(browser), 1))
        found.append([(c.topic, c.kind, c.due, c.missed, c.state) for c in known_as(browser).cards.all()])
    assert found[0] == found[1]
    assert found[0]


def test_a_review_has_twenty_questions_at_most_and_the_rest_stays_due(
    client: Client, learner: Learner, clock: Clock
) -> None:
    rows = []
    for game in rules.rulesets().values():
        for kind in ("can-win", "why-not", "score", "build"):
            for n, topic in enumerate(KINDS[kind].topics(game, stock(), 2)):
                key = {"game": game.key, "topic": topic, "kind": kind}
                rows.append(Card(learner=learner, due=START + n * MINUTE, missed=START, state={}, **key))
    assert len(rows) > 30
    Card.objects.bulk_create(rows)
    clock.wait(DAY)
    run = begin_review(client)
    first = list(reviews.due(learner.pk, clock.now)[:20])
    assert [(c["game"], c["topic"], c["kind"]) for c in run.spec["cards"]] == [
        (c.game, c.topic, c.kind) for c in first
    ]
    assert client.get(place(run, 21)).status_code == 404


def test_a_rule_that_nobody_can_be_asked_about_afresh_stands_in_nobody_s_way(
    client: Client, learner: Learner, clock: Clock
) -> None:
    for topic, kind, game in (
        ("win/declared", "why-not", "changchun"),
        ("win/triplet", "wins", "changsha"),
        ("win/nothing", "can-win", "changsha"),
        ("win/triplet", "can-win", "mars"),
    ):
        Card.objects.create(
            learner=learner, game=game, topic=topic, kind=kind, due=START, missed=START, state={}
        )
    assert not is_offered(client)
    assert leads(client.post(url("start/"), {"mode": "review"})) == url()
    miss(client, fresh("can-win"))
    clock.wait(DAY)
    run = begin_review(client)
    assert len(run.spec["cards"]) == 1
    give(client, place(run, 1))
    assert tree_of(client.get(place(run, "end"))).all("h1")[0].text == "1 of 1 right"


# Only for whoever wants it


def test_nothing_is_reviewed_for_whoever_did_not_ask_for_it(
    client: Client, shelved: None, clock: Clock
) -> None:
    miss(client, fresh("can-win"))
    assert not Card.objects.exists()
    clock.wait(DAY)
    assert not is_offered(client)
    # Not even where a card is left from elsewhere.
    card = {"game": "changchun", "topic": "win/three-suits", "kind": "can-win", "state": {}}
    Card.objects.create(learner=known_as(client), due=START, missed=START, **card)
    for language in LANGUAGES:
        assert 'value="review"' not in client.get(url("", language)).content.decode()
    assert leads(client.post(url("start/"), {"mode": "review"})) == url()
    assert not Run.objects.exists()


def test_to_switch_them_on_counts_what_was_missed_before_and_off_forgets(
    client: Client, shelved: None, clock: Clock
) -> None:
    asked = fresh("can-win")
    miss(client, asked)
    clock.wait(DAY)
    want_reviews(client)
    assert (only_card().topic, only_card().due) == (asked.topic, START + 10 * MINUTE)
    assert is_offered(client)
    want_reviews(client, wanted=False)
    assert not Card.objects.exists()
    miss(client, fresh("waits"))
    assert not Card.objects.exists()


def test_a_guest_s_reviews_go_on_with_the_account(client: Client, learner: Learner, clock: Clock) -> None:
    sign_up(Client())
    miss(client, fresh("can-win"))
    clock.wait(DAY)
    run = begin_review(client)
    sign_in(client, NAME, PASSWORD)
    account = Account.objects.get().learner
    assert account.reviews
    assert called(give(client, place(run, 1))) == "right"
    card = only_card()
    assert card.learner == account
    assert card.due > clock.now + DAY


# Made anew


def cards_of(learner: Learner) -> dict[tuple[str, str, str], tuple[Any, ...]]:
    return {
        (c.game, c.topic, c.kind): (c.due, c.missed, json.dumps(c.state, sort_keys=True))
        for c in learner.cards.all()
    }


def answers(learner: Learner, seed: int) -> Iterator[Attempt]:
    """A history of answers, by chance: in rounds and reviews, right, wrong, with hints, with the solution."""
    chance, at = Random(seed), START
    runs = [None] + [
        Run.objects.create(learner=learner, mode=mode, game="changsha", seed=1, started=START)
        for mode in ("quick", "review", "review")
    ]
    for n in range(120):
        at += chance.choice((timedelta(0), timedelta(microseconds=1), 5 * MINUTE, DAY, 20 * DAY))
        run = chance.choice(runs)
        help = chance.choice((0, 0, 1, 3, 4))
        yield Attempt.objects.create(
            learner=learner,
            run=run,
            number=n if run else None,
            slot=f"slot {n}",
            puzzle="p",
            game=chance.choice(("changsha", "changchun")),
            kind=chance.choice(("can-win", "waits")),
            topic=chance.choice(("win/shape", "win/pair")),
            level=2,
            question={},
            form="f",
            answer=["yes"],
            is_right=help < 4 and chance.random() < 0.6,
            help=help,
            at=at if chance.random() < 0.95 else None,
        )


@pytest.mark.parametrize("seed", range(6))
def test_cards_made_anew_are_those_noted_one_by_one(db: None, seed: int) -> None:
    learner = Learner.objects.create(reviews=True)
    stranger = Learner.objects.create(reviews=True)
    for attempt in answers(learner, seed):
        reviews.note(attempt, attempt.run.mode if attempt.run else "")
    noted = cards_of(learner)
    assert len(noted) == 8
    reviews.rebuild(learner)
    assert cards_of(learner) == noted
    reviews.rebuild(learner)
    assert cards_of(learner) == noted
    assert not stranger.cards.exists()
    reviews.clear(learner)
    assert cards_of(learner) == {}


def test_cards_made_anew_from_answers_given_on_pages_are_the_same(
    client: Client, learner: Learner, clock: Clock
) -> None:
    chance = Random(3)
    for n, kind in enumerate(KINDS):
        (give if chance.random() < 0.3 else give_wrong)(
            client, address_of(fresh(kind, seed=n).id), with_htmx=True
        )
        clock.wait(chance.choice((MINUTE, DAY)))
    for _ in range(3):
        clock.wait(DAY)
        if not is_offered(client):
            continue
        run = begin_review(client)
        for number in range(1, len(run.spec["cards"]) + 1):
            (give if chance.random() < 0.7 else give_wrong)(client, place(run, number), with_htmx=True)
            clock.wait(MINUTE)
    noted = cards_of(learner)
    assert len(noted) > 5
    reviews.rebuild(learner)
    assert cards_of(learner) == noted
