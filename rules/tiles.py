"""The tiles, their codes, and what each game calls them.

A tile is one of 34 kinds (plus the flowers, which can be read but belong to no game here). Tiles are
interned: the same kind is always the same object, so they compare and hash by identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from . import columns
from .text import Text, listed

SUITS = ("m", "p", "s")
HONORS = "ESWNCFP"
COLUMNS = 4  # the three suits, then the honors


class Tile:
    """A kind of tile. suit: "m" 万, "p" 饼/筒, "s" 条, or None for an honor. rank: 1–9 in a suit."""

    __slots__ = ("code", "column", "counts", "order", "rank", "shift", "suit", "unit")

    code: str
    suit: str | None
    rank: int
    order: int
    column: int  # which of the COLUMNS counts this tile …
    unit: int  # … and one tile of it in that column, as `columns` counts

    counts: tuple[int, int, int, int]  # the same, as a hand of this one tile is counted
    shift: int  # where in its column the number of such tiles stands

    def __init__(self, code: str, suit: str | None, rank: int, order: int, column: int) -> None:
        unit = columns.unit(rank) if rank <= 9 else 1 << 60 + rank
        shift = columns.RANKS + 4 * (rank - 1)
        counts = tuple(unit if c == column else 0 for c in range(COLUMNS))
        for slot, value in zip(
            self.__slots__, (code, column, counts, order, rank, shift, suit, unit), strict=True
        ):
            object.__setattr__(self, slot, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("tiles don't change")

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return tile, (self.code,)

    def __repr__(self) -> str:
        return self.code

    def __lt__(self, other: Tile) -> bool:
        return self.order < other.order


def _kinds() -> tuple[Tile, ...]:
    suited = [
        Tile(f"{rank}{suit}", suit, rank, 9 * c + rank - 1, c)
        for c, suit in enumerate(SUITS)
        for rank in range(1, 10)
    ]
    honors = [Tile(code, None, rank, 26 + rank, 3) for rank, code in enumerate(HONORS, 1)]
    return tuple(suited + honors)


TILES: tuple[Tile, ...] = _kinds()
# Plum to joker: they can be pasted from other programs, so they can be named in an error.
FLOWERS = tuple(Tile(chr(0x1F022 + n), None, n + 8, 34 + n, 3) for n in range(10))
COLUMN_TILES = tuple(tuple(t for t in TILES if t.column == column) for column in range(COLUMNS))
_BY_CODE = {t.code: t for t in TILES + FLOWERS}


def tile(code: str) -> Tile:
    """The tile of a canonical code such as "5m" or "E". KeyError for anything else."""
    return _BY_CODE[code]


def tiles(codes: str) -> tuple[Tile, ...]:
    """The tiles of space-separated canonical codes: `tiles("1m 9m E")`."""
    return tuple(map(tile, codes.split()))


class Kinds:
    """Some kinds of tile, made for asking quickly whether a hand holds any of them, or only them."""

    __slots__ = ("masks", "others", "tiles")

    def __init__(self, kinds: Iterable[Tile]) -> None:
        self.tiles = frozenset(kinds)
        masks = [0] * COLUMNS
        for kind in self.tiles:
            masks[kind.column] |= 0xF << columns.RANKS + 4 * (kind.rank - 1)
        self.masks = tuple(masks)
        # Column masks of all other kinds, the flowers among them.
        self.others = tuple((1 << 100) - 1 - columns.INDEX & ~mask for mask in masks)

    def __contains__(self, kind: object) -> bool:
        return kind in self.tiles

    def among(self, counts: tuple[int, int, int, int]) -> bool:
        """Whether tiles, counted by column, hold any of these kinds."""
        a, b, c, d = counts
        w, x, y, z = self.masks
        return bool(a & w or b & x or c & y or d & z)


SUITED = Kinds(t for t in TILES if t.suit)
TERMINALS = Kinds(t for t in TILES if t.suit and t.rank in (1, 9))
WINDS = Kinds(tiles("E S W N"))
DRAGONS = Kinds(tiles("C F P"))
HONOR_KINDS = Kinds(WINDS.tiles | DRAGONS.tiles)

_HONOR_WORDS = {
    "E": Text("East", "东"),
    "S": Text("South", "南"),
    "W": Text("West", "西"),
    "N": Text("North", "北"),
    "C": Text("Red", "红中"),
    "F": Text("Green", "发财"),
    "P": Text("White", "白板"),
}
_HONOR_KIND = {**dict.fromkeys("ESWN", Text("wind", "风")), **dict.fromkeys("CFP", Text("dragon", ""))}
_SUIT_WORDS = {"m": "万", "p": "饼", "s": "条"}  # for a suit that a game is played without
_SUIT_LABELS = {"m": "characters", "p": "dots", "s": "bamboo"}


class SpecialGang(NamedTuple):
    """A gang declared as `{…}`: its name, and the kinds of which it must hold each at least once."""

    name: Text
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, eq=False)
class TileSet:
    """What a game is played with: its kinds of tile, its special gangs and its own words for them.

    suits: the Chinese word for each suit. special_gangs: by key. nicknames: Chinese names that replace the plain one (幺鸡).
    special_gang_twice: whether one player may show two of a kind.
    """

    kinds: Kinds
    suits: Mapping[str, str]
    special_gangs: Mapping[str, SpecialGang] = field(default_factory=lambda: MappingProxyType({}))
    nicknames: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    special_gang_twice: bool = True

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """Every kind in canonical order."""
        return tuple(t for t in TILES if t in self.kinds)

    def name(self, kind: Tile) -> Text:
        """A tile in running text: 7条, 幺鸡, East (东)."""
        if kind.suit:
            plain = f"{kind.rank}{self.suits.get(kind.suit, _SUIT_WORDS[kind.suit])}"
            return Text(plain, self.nicknames.get(kind.code, plain))
        if kind.code not in _HONOR_WORDS:
            return Text(kind.code, kind.code)
        word = _HONOR_WORDS[kind.code]
        short = word.zh[-1] if kind.code == "C" else word.zh[0]
        return Text(f"{word.en} ({short})", word.zh + _HONOR_KIND[kind.code].zh)

    def label(self, kind: Tile) -> Text:
        """A tile's picture in words, for those who hear the page: "7 bamboo", "East wind", 「7条」."""
        if kind.suit:
            label = _SUIT_LABELS[kind.suit]
            label = label.removesuffix("s") if kind.rank == 1 else label
            return Text(f"{kind.rank} {label}", self.name(kind).zh)
        if kind.code not in _HONOR_WORDS:
            return self.name(kind)
        return Text(f"{_HONOR_WORDS[kind.code].en} {_HONOR_KIND[kind.code].en}", self.name(kind).zh)

    def suit_name(self, suit: str) -> Text:
        """A suit in running text: "bamboo (条)", 「条子」."""
        return Text(f"{_SUIT_LABELS[suit]} ({self.suits[suit]})", f"{self.suits[suit]}子")

    def names(self, kinds: Iterable[Tile], *, last: Text = Text("and", "和")) -> Text:
        """Several tiles in running text, in the order given."""
        return listed([self.name(kind) for kind in kinds], last=last)
