"""The places where practice asks: a puzzle by itself, and the questions of a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, ClassVar

from django.urls import reverse

import rules
from rules import Text
from tutor.practice import days
from tutor.practice.answering import Place
from tutor.practice.models import Attempt, Run
from tutor.practice.reviews import REVIEW
from tutor.practice.runs import MODE_NAMES, Round
from tutor.puzzles.addresses import of_puzzle
from tutor.puzzles.puzzle import MOST_SEEDS, Puzzle, key_of, picked_id
from tutor.puzzles.stock import stock

_LATE = Text(
    "The time was up. The answer is kept for your progress, but doesn't count in this round.",
    "时间已到。这道记进了学习记录，但不算在这一轮里。",
)


@dataclass(frozen=True)
class Alone(Place):
    """A puzzle by itself."""

    can_repeat: ClassVar[bool] = True
    is_for_anybody: ClassVar[bool] = True

    @property
    def slot(self) -> str:
        """The puzzle's own id."""
        return self.puzzle.id

    @property
    def address(self) -> str:
        """The puzzle's own page."""
        return of_puzzle(self.puzzle.id)

    def context(self, now: datetime, *, is_answered: bool) -> Mapping[str, Any]:
        """Where it comes from, and what follows it."""
        day = next((day for day in days.last(now.date()) if _is_of_day(self.puzzle, day)), None)
        following = None if day else _following(self.puzzle)
        back = reverse("daily") if day else reverse("picked", args=[self.puzzle.game.key])
        leads = "question" if following else "list"
        return {"day": day, "next": of_puzzle(following) if following else back, "leads": leads}


def _is_of_day(puzzle: Puzzle, day: date) -> bool:
    return days.key_of(rules.rulesets()[puzzle.game.key], day).id == puzzle.id


def _following(puzzle: Puzzle) -> str | None:
    """The id of the puzzle after one by itself: the next one picked by hand, None after the last; else that
    of the next seed."""
    if puzzle.title is None:
        key = key_of(puzzle.id)
        return key._replace(seed=(key.seed + 1) % MOST_SEEDS).id
    ids = [picked_id(one) for one in stock().picked(rules.rulesets()[puzzle.game.key])]
    return next(iter(ids[ids.index(puzzle.id) + 1 :]), None)


@dataclass(frozen=True)
class InRound(Place):
    """A question of a round. round: with its answers so far. number: its place there, from 1."""

    round: Round
    number: int

    @property
    def run(self) -> Run:
        """The round as it is stored."""
        return self.round.run

    @property
    def slot(self) -> str:
        """The round and the place in it."""
        return f"{self.run.pk}:{self.number}"

    @property
    def address(self) -> str:
        """The page of the round's question."""
        return self._at(self.number)

    @property
    def mode(self) -> str:
        """How the round goes on."""
        return self.run.mode

    def row(self) -> dict[str, Any]:
        """The round and the place in it."""
        return {"run": self.run, "number": self.number}

    def done(self, kept: Attempt) -> None:
        """Ends the round with its last answer."""
        self.round.close(kept)

    def after(self, kept: Attempt) -> InRound:
        """The place in the round that has this answer."""
        if self.number in self.round.attempts:
            return self
        attempts = {**self.round.attempts, self.number: kept}
        return replace(self, round=Round(self.run, attempts, self.round.opened))

    def remark(self, kept: Attempt) -> Text | None:
        """That it came too late, where it did."""
        return _LATE if self.round.is_late(kept) else None

    def context(self, now: datetime, *, is_answered: bool) -> Mapping[str, Any]:
        """Where the round stands, and what follows."""
        cards = self.round.spec.cards if self.mode == REVIEW else ()
        ends = self._is_last(now)
        return {
            "round": self.round,
            "number": self.number,
            "length": self.round.length,
            "mode": MODE_NAMES[self.mode],
            "next": reverse("run-end", args=[self.run.pk]) if ends else self._at(self.number + 1),
            "leads": "results" if ends else "question",
            "review": cards[self.number - 1] if cards else None,
        }

    def _is_last(self, now: datetime) -> bool:
        """Whether nothing is asked after it."""
        here = self.round
        if here.length is not None and self.number >= here.length:
            return True
        return self.number + 1 not in here.attempts and here.is_over(now)

    def _at(self, number: int) -> str:
        return reverse("run-question", args=[self.run.pk, number])
