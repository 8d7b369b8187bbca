"""Answers as progress and reviews need them, wherever they are: those in the table, and what is left here of
those that went to an archive.

Of an archived answer stays what it was about, how it went and when: some sixty bytes. Everything that is
counted from answers is counted from that, so that archiving changes nothing that a learner sees of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from heapq import merge
from typing import Any, NamedTuple

from django.db.models import QuerySet

from tutor.practice.models import Archived, Attempt

REVIEW = "review"  # the mode of a round in which cards come up
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIELDS = ("at", "game", "topic", "kind", "level", "is_right", "help", "run__mode")


class Trace(NamedTuple):
    """An answer: when, about what, and how it went. is_review: whether a round of reviews asked it."""

    at: datetime
    game: str
    topic: str
    kind: str
    level: int
    is_right: bool
    help: int
    is_review: bool

    @property
    def rule(self) -> tuple[str, str, str]:
        """What it is about: a rule of a game, asked in one kind of question."""
        return self.game, self.topic, self.kind


def of(attempt: Attempt, mode: str) -> Trace:
    """An answer that was given in a round of a mode. Raises ValueError for a question without an answer."""
    if attempt.at is None:
        raise ValueError(f"attempt {attempt.pk} was not answered")
    return Trace(
        attempt.at,
        attempt.game,
        attempt.topic,
        attempt.kind,
        attempt.level,
        bool(attempt.is_right),
        attempt.help,
        mode == REVIEW,
    )


def in_order(answers: QuerySet[Attempt], archived: Iterable[Archived] = ()) -> list[Trace]:
    """Answers with those of archives among them, the first first."""
    rows = answers.order_by("at", "pk").values_list(*_FIELDS)
    found = [
        Trace(at, game, topic, kind, level, bool(is_right), helped, mode == REVIEW)
        for at, game, topic, kind, level, is_right, helped, mode in rows.iterator()
        if at is not None
    ]
    return list(merge(found, *map(unpacked, archived), key=lambda one: one.at))


def packed(answers: Iterable[Trace]) -> dict[str, Any]:
    """Answers as they are stored: each rule once, numbers for the rest. As JSON, in order of time."""
    rules: dict[tuple[str, str, str], int] = {}
    rows = [
        [
            (one.at - _EPOCH) // timedelta(microseconds=1),
            rules.setdefault(one.rule, len(rules)),
            one.level,
            int(one.is_right),
            one.help,
            int(one.is_review),
        ]
        for one in answers
    ]
    return {"rules": [list(rule) for rule in rules], "answers": sorted(rows, key=lambda row: row[0])}


def unpacked(archived: Archived) -> list[Trace]:
    """The answers that `packed` made a stored text of."""
    kept = archived.trace
    return [
        Trace(
            _EPOCH + timedelta(microseconds=at),
            game,
            topic,
            kind,
            level,
            bool(is_right),
            helped,
            bool(is_review),
        )
        for at, rule, level, is_right, helped, is_review in kept["answers"]
        for game, topic, kind in (kept["rules"][rule],)
    ]
