"""Who pays whom: a win as it is paid, and the lines of a settlement.

A line says in words why it is paid. What is paid is each region's own: see its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .hands import Meld
from .text import Text
from .tiles import Tile

WIN, GANG, OPENING = "win", "gang", "opening"


class Line(NamedTuple):
    """One payment. payer, receiver: seats. purpose: `win`, `gang` or `opening`. cites: ids of the source rules."""

    payer: int
    receiver: int
    points: int
    purpose: str
    message: Text
    cites: tuple[str, ...]


class Prize(NamedTuple):
    """A win as it is paid.

    seat: the winner. discarder: who discarded or was robbed, None for a self-draw. total: fan or big wins.
    patterns: what it is made of, {} where only the total is known. birds: the bird tiles drawn. by: the key
    of the way to win.
    """

    seat: int
    discarder: int | None
    total: int
    patterns: Mapping[str, int]
    birds: tuple[Tile, ...] = ()
    by: str = "discard"


def totals(lines: Iterable[Line]) -> tuple[int, int, int, int]:
    """What each seat gains or loses by these lines; the four sum to zero."""
    sums = [0, 0, 0, 0]
    for line in lines:
        sums[line.payer] -= line.points
        sums[line.receiver] += line.points
    a, b, c, d = sums
    return a, b, c, d


class Gang(NamedTuple):
    """A declared gang as it is paid. dealt: all its tiles were dealt. discarder: whose discard made it, or None."""

    seat: int
    meld: Meld
    dealt: bool
    discarder: int | None
