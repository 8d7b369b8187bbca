"""The puzzle of the day: the same for everyone, and the last thirty."""

from __future__ import annotations

from datetime import date, timedelta

from rules import Ruleset, rulesets
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import MOST_SEEDS, Key

SHOWN = 30
_ORDER = (
    "can-win",
    "waits",
    "why-not",
    "discard",
    "score",
    "build",
    "claim",
    "which-game",
    "payment",
    "opening",
)
_SPACING = 7_919  # a prime, so that days and kinds meet in every way


def key_of(game: Ruleset, day: date) -> Key:
    """The key of a game's puzzle of a day: another kind each day, harder towards the end of the week."""
    kinds = [kind for kind in _ORDER if kind in KINDS]
    number = day.toordinal()
    kind = kinds[(number + list(rulesets()).index(game.key)) % len(kinds)]  # no two games ask the same
    return Key(kind, game, 2 + day.weekday() // 2, number * _SPACING % MOST_SEEDS)


def last(today: date) -> list[date]:
    """Today and the days before it."""
    return [today - timedelta(days=n) for n in range(SHOWN)]
