"""Rounds of questions: what each asks, one after another, and where one stands.

The question at a number follows from the round's seed and what was asked before it, so nothing of it is
stored until somebody answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import rules
from rules import HandError, Ruleset, Text
from tutor.content.shelf import Shelf
from tutor.practice.models import Attempt, Card, Run
from tutor.practice.reviews import REVIEW
from tutor.puzzles.hands import LEVELS
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import MOST_SEEDS, Key, NoPuzzleError, Puzzle, puzzle, seeds

QUICK, ENDLESS, RULE, MIXED, CLOCK = "quick", "endless", "rule", "mixed", "clock"
LENGTH = 10
CLOCK_SECONDS = 180
CLOCK_KINDS = ("can-win", "why-not")  # what can be answered at a glance
MOST_REVIEWS = 20
_MEMORY = 200  # so many questions back none is the same
_TRIES = 40


class Spec(NamedTuple):
    """What a round asks. kinds: of questions. level: 1 to 5. options: house rules of its game. topic: the one
    rule it is about, "" for any. cards: what a review asks, one after another."""

    kinds: tuple[str, ...]
    level: int
    options: Mapping[str, str] = {}
    topic: str = ""
    cards: tuple[Mapping[str, str], ...] = ()

    @classmethod
    def of(cls, run: Run) -> Spec:
        """The spec that a run was started with; what there is no more is left out."""
        kept: Mapping[str, Any] = run.spec
        kinds = tuple(kind for kind in kept.get("kinds", ()) if kind in KINDS)
        return cls(
            kinds or tuple(KINDS),
            kept.get("level", 2),
            kept.get("options", {}),
            kept.get("topic", ""),
            tuple(kept.get("cards", ())),
        )

    @property
    def plain(self) -> dict[str, Any]:
        """The spec as it is stored."""
        found = {
            **self._asdict(),
            "kinds": list(self.kinds),
            "options": dict(self.options),
            "cards": list(self.cards),
        }
        return {key: value for key, value in found.items() if value}


@dataclass(frozen=True)
class Round:
    """A run with its answers so far. attempts: those with an answer, by number. opened: those with hints
    alone."""

    run: Run
    attempts: Mapping[int, Attempt] = field(default_factory=dict)
    opened: Mapping[int, Attempt] = field(default_factory=dict)

    @classmethod
    def of(cls, run: Run) -> Round:
        """A run with its answers, in one query."""
        found = {a.number or 0: a for a in run.attempts.order_by("number")}
        return cls(
            run,
            {n: a for n, a in found.items() if a.at is not None},
            {n: a for n, a in found.items() if a.at is None},
        )

    @cached_property
    def spec(self) -> Spec:
        """What it asks."""
        return Spec.of(self.run)

    @property
    def length(self) -> int | None:
        """How many questions it has, None where it has no end."""
        if self.run.mode == REVIEW:
            return len(self.spec.cards)
        return None if self.run.mode in (ENDLESS, CLOCK) else LENGTH

    @property
    def current(self) -> int:
        """The number of the first question without an answer."""
        return next(n for n in range(1, len(self.attempts) + 2) if n not in self.attempts)

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(bool(a.is_right) for a in self.counted)

    @property
    def counted(self) -> list[Attempt]:
        """The answers that count here: against the clock only those in time."""
        return [a for a in self.attempts.values() if not self.is_late(a)]

    @property
    def ends(self) -> datetime | None:
        """When the time is up, None without a clock."""
        return self.run.started + timedelta(seconds=CLOCK_SECONDS) if self.run.mode == CLOCK else None

    def is_over(self, now: datetime) -> bool:
        """Whether nothing is to be asked any more."""
        if self.run.ended is not None or (self.ends is not None and now > self.ends):
            return True
        return self.length is not None and len(self.attempts) >= self.length

    def close(self, last: Attempt) -> None:
        """Keeps that it is over, where an answer ended it; in the transaction that keeps the answer."""
        at = last.at
        if at is not None and self.ends is not None:
            at = self.ends if at > self.ends else None
        elif self.length is None or self.run.attempts.filter(at__isnull=False).count() < self.length:
            at = None
        if at is not None:
            Run.objects.filter(pk=self.run.pk, ended=None).update(ended=at)

    def is_late(self, attempt: Attempt) -> bool:
        """Whether an answer came after the time was up."""
        return self.ends is not None and attempt.at is not None and attempt.at > self.ends

    def forms(self, before: int) -> list[str]:
        """The questions that were asked shortly before a number."""
        known = {**self.attempts, **self.opened}
        return [known[n].form for n in range(max(1, before - _MEMORY), before) if n in known]

    def question(self, number: int, stock: Shelf) -> Puzzle:
        """The question at a number, none of those before it. Raises NoPuzzleError where there is none."""
        before = self.forms(number)
        if number > 1 and number - 1 not in self.attempts and number - 1 not in self.opened:
            before.append(self.question(number - 1, stock).form)  # it is looked at ahead
        found = None
        for key in islice(self._keys(number, stock), _TRIES):
            try:
                found = puzzle(key, stock)
            except NoPuzzleError:
                continue
            if found.form not in before:
                return found
        if found is None or self.run.mode == RULE:  # of some rules there is not so much to ask
            raise NoPuzzleError(f"run {self.run.pk}, number {number}")
        return found  # there are no others

    def _keys(self, number: int, stock: Shelf) -> Iterator[Key]:
        chance = Random(f"{self.run.seed} {number}")  # noqa: S311 - questions, no secrets
        if self.run.mode == REVIEW:
            card = self.spec.cards[number - 1]
            yield from keys(
                self.played(card["game"]), [card["kind"]], self.spec.level, chance, stock, card["topic"]
            )
            return
        games = [self.run.game] if self.run.game else list(rules.rulesets())
        game = self.played(games[number % len(games)])
        # Each kind comes once before any comes again.
        kinds = list(self.spec.kinds)
        turn = (number - 1) // len(games)
        Random(f"{self.run.seed} {turn // len(kinds)}").shuffle(kinds)  # noqa: S311
        at = turn % len(kinds)
        yield from keys(game, kinds[at:] + kinds[:at], self.spec.level, chance, stock, self.spec.topic)

    def played(self, key: str) -> Ruleset:
        """A game as it is played here: by the house rules of the round, if it is a round of that game.
        Raises NoPuzzleError for a game that there is no more."""
        found = rules.rulesets().get(key)
        if found is None:
            raise NoPuzzleError(key)
        try:
            return found.with_options(self.spec.options) if key == self.run.game else found
        except HandError:  # a house rule that there is no more
            return found


def keys(
    game: Ruleset, kinds: Sequence[str], level: int, chance: Random, stock: Shelf, topic: str = ""
) -> Iterator[Key]:
    """Keys of questions to try, first of the first kind; about one topic, where one is named that a kind
    has."""
    for name in kinds:
        kind = KINDS.get(name)
        if kind is None:  # there is no such kind any more
            continue
        near = sorted(LEVELS, key=lambda other: abs(other - level))
        at = next((n for n in near if not topic or topic in kind.topics(game, stock, n)), None)
        if at is None or not kind.topics(game, stock, at):
            continue
        first = chance.randrange(MOST_SEEDS)
        for seed in islice(seeds(kind, game, at, first, stock, topic or None), _TRIES // 2):
            yield Key(name, game, at, seed)


def kinds_about(game: Ruleset, topic: str, stock: Shelf) -> tuple[str, ...]:
    """The kinds of questions that drill a rule."""
    return tuple(
        key for key, kind in KINDS.items() if any(topic in kind.topics(game, stock, n) for n in LEVELS)
    )


def can_ask(card: Card, stock: Shelf) -> bool:
    """Whether there are fresh questions of a card's kind about its rule."""
    game, kind = rules.rulesets().get(card.game), KINDS.get(card.kind)
    if game is None or kind is None:
        return False
    return any(card.topic in kind.topics(game, stock, n) for n in LEVELS)


def topics(game: Ruleset, stock: Shelf) -> dict[str, tuple[str, ...]]:
    """Every rule of a game that can be practised, with the kinds of questions that drill it."""
    found: dict[str, list[str]] = {}
    for key, kind in KINDS.items():
        for topic in dict.fromkeys(t for n in LEVELS for t in kind.topics(game, stock, n)):
            found.setdefault(topic, []).append(key)
    return {topic: tuple(kinds) for topic, kinds in found.items()}


MODE_NAMES: Mapping[str, Text] = {
    QUICK: Text("Quick ten", "快练十题"),
    ENDLESS: Text("Endless", "一直练"),
    RULE: Text("One rule", "专练一条"),
    MIXED: Text("Both games mixed", "两种混着练"),
    CLOCK: Text("Beat the clock", "三分钟快答"),
    REVIEW: Text("Review", "复习"),
}


def missed(attempts: Iterable[Attempt]) -> list[tuple[str, str, list[Attempt]]]:
    """What went wrong, by game and rule, the most missed first."""
    found: dict[tuple[str, str], list[Attempt]] = {}
    for attempt in attempts:
        if not attempt.is_right:
            found.setdefault((attempt.game, attempt.topic), []).append(attempt)
    ordered = sorted(found.items(), key=lambda item: -len(item[1]))
    return [(game, topic, wrong) for (game, topic), wrong in ordered]
