"""What the makers of puzzles share: what one try gives, and what can be measured of a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from rules.hands import Hand
from rules.verdict import Verdict

TRIES = 250  # hands that one search looks at before it gives up


class Asked(NamedTuple):
    """A question as an author would write it. hand: the tiles it is about, as text, None where there are
    none.

    context: how the hand was won, or what else a program must know. traits: what makes it hard, in numbers.
    """

    node: Mapping[str, Any]
    hand: str | None
    context: Mapping[str, Any]
    traits: Mapping[str, float]


def hand_traits(hand: Hand) -> dict[str, float]:
    """How many tiles are concealed, and how many of those crowd in one suit."""
    suits = Counter(t.suit for t in hand.loose if t.suit)
    return {"concealed": len(hand.loose), "crowding": max(suits.values(), default=0)}


def written(verdict: Verdict) -> dict[str, str]:
    """The circumstances of a hand where they are not the usual ones."""
    return {"listening": "1"} if verdict.circumstances.listening else {}
