"""A hand as it lies on the table: concealed tiles, declared melds, the winning tile apart.

Hands are values. Inside, a column of tiles (one suit, or the honors) is one integer with four bits for
each rank; nobody outside the modules that count tiles needs to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from .tiles import COLUMNS, TILES, Kinds, Tile

SEQUENCE, TRIPLET, GANG, SPECIAL_GANG, PAIR = "sequence", "triplet", "gang", "special-gang", "pair"

_COLUMN_TILES = tuple(tuple(t for t in TILES if t.column == c) for c in range(COLUMNS))
_NIBBLE = 0xF

Counts = tuple[int, int, int, int]
NOTHING: Counts = (0, 0, 0, 0)


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
    def of(cls, kind: str, tiles: Iterable[Tile], *, concealed: bool = False, special: str | None = None) -> Meld:
        """The meld of these tiles, in any order."""
        tiles = tuple(sorted(tiles))
        return cls(kind, tiles, concealed, special, count(tiles))


class Hand:
    """Concealed tiles, melds and the winning tile, which is None where no tile is set apart.

    The tiles come in any order and are kept sorted; the melds keep theirs. Nothing is checked here: a
    hand from outside comes through `notation.parse`, which checks everything.
    """

    __slots__ = ("_all", "_concealed", "melds", "winning")

    _concealed: Counts  # without the winning tile
    _all: Counts  # with the winning tile and the melds
    melds: tuple[Meld, ...]
    winning: Tile | None

    def __init__(self, concealed: Iterable[Tile], melds: Iterable[Meld] = (), winning: Tile | None = None) -> None:
        counts = count(concealed)
        self._concealed = counts
        self.melds = tuple(melds)
        self.winning = winning
        self._all = _total(counts, self.melds, winning)

    @classmethod
    def from_counts(cls, concealed: Counts, melds: tuple[Meld, ...], winning: Tile | None) -> Hand:
        """A hand whose concealed tiles are already counted by column."""
        hand = cls.__new__(cls)
        hand._concealed = concealed
        hand.melds = melds
        hand.winning = winning
        hand._all = _total(concealed, melds, winning)
        return hand

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        return (self._concealed, self.melds, self.winning) == (other._concealed, other.melds, other.winning)

    def __hash__(self) -> int:
        return hash((self._concealed, self.melds, self.winning))

    def __repr__(self) -> str:
        melds = "".join(f" {m.kind}{m.tiles}" for m in self.melds)
        return f"<Hand {self.concealed}{melds} + {self.winning}>"

    @property
    def concealed(self) -> tuple[Tile, ...]:
        """The concealed tiles in canonical order, the winning tile not among them."""
        return tuple(t for column, counts in enumerate(self._concealed) for t in expand(column, counts))

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile of the hand: concealed, winning and in melds, in canonical order."""
        return tuple(t for column, counts in enumerate(self._all) for t in expand(column, counts))

    @property
    def size(self) -> int:
        """Concealed tiles and the winning tile, plus three for each meld: 14 in a full hand."""
        return len(self.concealed) + 3 * len(self.melds) + (self.winning is not None)

    @property
    def is_full(self) -> bool:
        """Whether the hand has all its tiles; otherwise it is one short."""
        a, b, c, d = self.counts
        return (_size(a) + _size(b) + _size(c) + _size(d)) % 3 == 2

    @property
    def counts(self) -> Counts:
        """Concealed tiles and winning tile by column: what a reading has to use up."""
        winning = self.winning
        if winning is None:
            return self._concealed
        counts = list(self._concealed)
        counts[winning.column] += winning.unit
        return tuple(counts)  # type: ignore[return-value]

    def copies(self, kind: Tile) -> int:
        """How many tiles of a kind the hand holds, melds and winning tile included."""
        return self._all[kind.column] // kind.unit & _NIBBLE

    def left(self, kind: Tile) -> int:
        """How many tiles of a kind this hand does not hold: 4 less its own copies."""
        return 4 - self.copies(kind)

    def holds(self, kinds: Kinds) -> bool:
        """Whether any tile of the hand is of these kinds."""
        a, b, c, d = self._all
        w, x, y, z = kinds.masks
        return bool(a & w or b & x or c & y or d & z)

    def holds_only(self, kinds: Kinds) -> bool:
        """Whether every tile of the hand is of these kinds."""
        a, b, c, d = self._all
        w, x, y, z = kinds.masks
        return not (a & ~w or b & ~x or c & ~y or d & ~z)

    def of_kinds(self, kinds: Kinds) -> tuple[Tile, ...]:
        """The hand's tiles of these kinds, in canonical order."""
        return tuple(t for t in self.tiles if t in kinds.tiles)

    def columns(self) -> tuple[bool, bool, bool, bool]:
        """Whether the hand holds 万, 饼/筒, 条 and honors."""
        a, b, c, d = self._all
        return a > 0, b > 0, c > 0, d > 0

    def with_winning(self, kind: Tile) -> Hand:
        """The same hand with another winning tile, or with one where it had none."""
        return Hand.from_counts(self._concealed, self.melds, kind)

    def without_winning(self) -> Hand:
        """The hand as it waited, before the winning tile came."""
        return Hand.from_counts(self._concealed, self.melds, None)


def count(tiles: Iterable[Tile]) -> Counts:
    """Tiles by column."""
    counts = [0] * COLUMNS
    for t in tiles:
        counts[t.column] += t.unit
    return tuple(counts)  # type: ignore[return-value]


@lru_cache(maxsize=1 << 14)
def expand(column: int, counts: int) -> tuple[Tile, ...]:
    """The tiles of one column, in order: the inverse of `count`."""
    return tuple(t for t in _COLUMN_TILES[column] for _ in range(counts // t.unit & _NIBBLE))


@lru_cache(maxsize=1 << 14)
def _size(counts: int) -> int:
    return sum(counts >> shift & _NIBBLE for shift in range(0, counts.bit_length(), 4))


def ranks(counts: int) -> Iterator[int]:
    """How many tiles a column holds of each rank, from 1 to 9."""
    return (counts >> shift & _NIBBLE for shift in range(0, 36, 4))


def _total(concealed: Counts, melds: tuple[Meld, ...], winning: Tile | None) -> Counts:
    if not melds and winning is None:
        return concealed
    a, b, c, d = concealed
    for meld in melds:
        w, x, y, z = meld.counts
        a += w
        b += x
        c += y
        d += z
    counts = [a, b, c, d]
    if winning is not None:
        counts[winning.column] += winning.unit
    return tuple(counts)  # type: ignore[return-value]
