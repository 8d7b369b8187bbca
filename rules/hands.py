"""A hand as it lies on the table: concealed tiles, declared melds, the winning tile apart.

Hands are values: nothing changes one once it is made. Inside, a column of tiles (one suit, or the honors)
is one integer, as `columns` counts; nobody outside the modules that count tiles needs to know.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from . import columns
from .tiles import COLUMN_TILES, COLUMNS, Kinds, Tile

SEQUENCE, TRIPLET, GANG, SPECIAL_GANG, PAIR = "sequence", "triplet", "gang", "special-gang", "pair"

Counts = tuple[int, int, int, int]


class Set(NamedTuple):
    """Tiles that belong together in a reading: a sequence, a triplet, or a pair of seven pairs."""

    kind: str
    tiles: tuple[Tile, ...]


class Meld(NamedTuple):
    """A set declared in front of its player.

    kind: `sequence` 吃, `triplet` 碰, `gang` 杠 or `special-gang`. concealed: 暗杠. special: which special
    gang (`xuanfenggang`, …), else None. tiles: sorted. counts: the same tiles, by column.
    """

    kind: str
    tiles: tuple[Tile, ...]
    concealed: bool
    special: str | None
    counts: Counts

    @classmethod
    def of(
        cls, kind: str, tiles: Iterable[Tile], *, concealed: bool = False, special: str | None = None
    ) -> Meld:
        """The meld of these tiles, in any order."""
        tiles = tuple(sorted(tiles))
        return cls(kind, tiles, concealed, special, count(tiles))


class Hand(NamedTuple):
    """Concealed tiles, melds and the winning tile, which is None where no tile is set apart.

    is_full: whether it has all its tiles; otherwise it is one short. The tiles come in any order and are
    kept sorted; the melds keep theirs. Nothing is checked here: a hand from outside comes through
    `notation.parse`, which checks everything.
    """

    counts: Counts  # concealed tiles and winning tile by column: what a reading has to use up
    all_counts: Counts  # the same with the melds
    melds: tuple[Meld, ...]
    winning: Tile | None
    is_full: bool

    @classmethod
    def of(cls, concealed: Iterable[Tile], melds: Iterable[Meld] = (), winning: Tile | None = None) -> Hand:
        """The hand of these tiles, which come in any order; the melds keep theirs."""
        tiles = [*concealed, *([winning] if winning else [])]
        melds = tuple(melds)
        counts = all_counts = count(tiles)
        for meld in melds:
            all_counts = _sum(all_counts, meld.counts)
        return cls(counts, all_counts, melds, winning, len(tiles) % 3 == 2)

    def __repr__(self) -> str:
        melds = "".join(f" {m.kind}{m.tiles}" for m in self.melds)
        return f"<Hand {self.concealed}{melds} + {self.winning}>"

    @property
    def concealed(self) -> tuple[Tile, ...]:
        """The concealed tiles in canonical order, the winning tile not among them."""
        return expand(self.without_winning().counts)

    @property
    def loose(self) -> tuple[Tile, ...]:
        """The concealed tiles and the winning tile, in canonical order."""
        return expand(self.counts)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile of the hand: concealed, winning and in melds, in canonical order."""
        return expand(self.all_counts)

    def copies(self, kind: Tile) -> int:
        """How many tiles of a kind the hand holds, melds and winning tile included."""
        return self.all_counts[kind.column] >> kind.shift & 0xF

    def left(self, kind: Tile) -> int:
        """How many tiles of a kind this hand does not hold: 4 less its own copies."""
        return 4 - (self.all_counts[kind.column] >> kind.shift & 0xF)

    def holds(self, kinds: Kinds) -> bool:
        """Whether any tile of the hand is of these kinds."""
        a, b, c, d = self.all_counts
        w, x, y, z = kinds.masks
        return bool(a & w or b & x or c & y or d & z)

    def holds_only(self, kinds: Kinds) -> bool:
        """Whether every tile of the hand is of these kinds."""
        a, b, c, d = self.all_counts
        w, x, y, z = kinds.others
        return not (a & w or b & x or c & y or d & z)

    def of_kinds(self, kinds: Kinds) -> tuple[Tile, ...]:
        """The hand's tiles of these kinds, in canonical order."""
        return tuple(t for t in self.tiles if t in kinds)

    def with_winning(self, kind: Tile) -> Hand:
        """A hand that is one tile short, with this winning tile; a full one with this instead of its own."""
        if self.winning is not None:
            return self.without_winning().with_winning(kind)
        w, x, y, z = kind.counts
        a, b, c, d = self.counts
        counts = all_counts = (a + w, b + x, c + y, d + z)
        if self.melds:
            a, b, c, d = self.all_counts
            all_counts = (a + w, b + x, c + y, d + z)
        return tuple.__new__(Hand, (counts, all_counts, self.melds, kind, True))

    def without(self, kind: Tile) -> Hand:
        """A full hand less one of its concealed tiles, or its winning tile; no tile stands apart any more."""
        counts = _less(self.counts, kind.counts)
        all_counts = _less(self.all_counts, kind.counts) if self.melds else counts
        return tuple.__new__(Hand, (counts, all_counts, self.melds, None, False))

    def exchanged(self, out: Tile, into: Tile) -> list[Hand]:
        """A full hand with one tile for another: a concealed one, the winning one, or either where both are such."""
        rest = self.without(out)
        counts, all_counts = _sum(rest.counts, into.counts), _sum(rest.all_counts, into.counts)
        found = []
        if self.without_winning().counts[out.column] >> out.shift & 0xF:
            found.append(Hand(counts, all_counts, self.melds, self.winning, True))
        if self.winning is out:
            found.append(Hand(counts, all_counts, self.melds, into, True))
        return found

    def without_winning(self) -> Hand:
        """The hand as it waited, before the winning tile came; itself where none is set apart."""
        if self.winning is None:
            return self
        counts = _less(self.counts, self.winning.counts)
        all_counts = _less(self.all_counts, self.winning.counts) if self.melds else counts
        return tuple.__new__(Hand, (counts, all_counts, self.melds, None, False))


def _sum(counts: Counts, more: Counts) -> Counts:
    a, b, c, d = counts
    w, x, y, z = more
    return a + w, b + x, c + y, d + z


def _less(counts: Counts, less: Counts) -> Counts:
    a, b, c, d = counts
    w, x, y, z = less
    return a - w, b - x, c - y, d - z


def count(tiles: Iterable[Tile]) -> Counts:
    """Tiles by column."""
    counts = [0] * COLUMNS
    for t in tiles:
        counts[t.column] += t.unit
    a, b, c, d = counts
    return a, b, c, d


def expand(counts: Counts) -> tuple[Tile, ...]:
    """The tiles that were counted, in canonical order: the inverse of `count`."""
    a, b, c, d = counts
    return _expanded(0, a) + _expanded(1, b) + _expanded(2, c) + _expanded(3, d)


@lru_cache(maxsize=1 << 12)
def _expanded(column: int, counts: int) -> tuple[Tile, ...]:
    return tuple(
        t for t, held in zip(COLUMN_TILES[column], columns.ranks(counts), strict=False) for _ in range(held)
    )
