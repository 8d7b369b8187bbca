"""Every way to read a hand: the shapes and the parts they fall into.

A shape says which readings a full hand has and which tiles complete one that is a tile short. The work
is done a column at a time (one suit, or the honors): a table says at a look whether a column is complete or
which tiles it lacks, and how a complete one can be read is found out once and kept, because the same columns
are seen again and again in other hands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

from . import columns
from .hands import GANG, PAIR, SEQUENCE, TRIPLET, Hand, Meld, Set, expand
from .text import Text
from .tiles import COLUMN_TILES, COLUMNS, TILES, Kinds, Tile

# The cache of complete columns holds at most this many; past it, it starts anew. There are 21,000 in all.
_COLUMNS_KEPT = 1 << 14

_KINDS = (TRIPLET, SEQUENCE, PAIR)


class Part(NamedTuple):
    """One way to read a column, whichever suit it is of.

    sets: each as 3 × the rank of its lowest tile plus the place of its kind in `_KINDS`, sorted. pair: the
    pair's rank, or 0. sequences, triplets: how many sets are of that kind.
    """

    sets: tuple[int, ...]
    pair: int
    sequences: int
    triplets: int


_NOTHING = (Part((), 0, 0, 0),)
_suit_parts: dict[int, tuple[Part, ...]] = {0: _NOTHING}
_honor_parts: dict[int, tuple[Part, ...]] = {0: _NOTHING}
_SUIT, _, _, _HONORS = columns.tables()
_UNITS = tuple(columns.unit(rank) for rank in range(1, 10))


def _learn(counts: int, table: Sequence[int], known: dict[int, tuple[Part, ...]]) -> tuple[Part, ...]:
    """Every way to read a column; () where it is not complete.

    The lowest tile is in a triplet, in the pair or starts a sequence, and what remains must be complete
    again. Two ways that differ only in order come out alike.
    """
    ways = known.get(counts)
    if ways is not None:
        return ways
    entry = table[counts & columns.INDEX]
    if not entry & columns.COMPLETE:
        return ()
    if len(known) >= _COLUMNS_KEPT:
        known.clear()
        known[0] = _NOTHING
    held = columns.ranks(counts)
    at = next(n for n, count in enumerate(held) if count)
    unit = _UNITS[at]
    lowest = 3 * (at + 1)
    found = set()
    if held[at] >= 3:
        for sets, pair, sequences, triplets in _learn(counts - 3 * unit, table, known):
            found.add(Part((lowest, *sets), pair, sequences, triplets + 1))
    if held[at] >= 2 and entry & columns.PAIRED:
        for sets, _, sequences, triplets in _learn(counts - 2 * unit, table, known):
            found.add(Part(sets, at + 1, sequences, triplets))
    if table is _SUIT and at < 7 and held[at + 1] and held[at + 2]:
        for sets, pair, sequences, triplets in _learn(counts - sum(_UNITS[at : at + 3]), table, known):
            found.add(Part(tuple(sorted((lowest + 1, *sets))), pair, sequences + 1, triplets))
    ways = known[counts] = tuple(sorted(found))
    return ways


def parts_of(column: int, counts: int) -> tuple[Part, ...]:
    """Every way to read a column of tiles; () where it is not complete."""
    return _learn(counts, _HONORS, _honor_parts) if column == 3 else _learn(counts, _SUIT, _suit_parts)


@cache
def _waits_of(column: int, mask: int) -> tuple[Tile, ...]:
    return tuple(t for t in COLUMN_TILES[column] if mask >> t.rank - 1 & 1)


@cache
def _set_of(column: int, code: int) -> Set:
    rank, kind = divmod(code, 3)
    of_kind = ((0, 0, 0), (0, 1, 2), (0, 0))[kind]
    return Set(_KINDS[kind], tuple(COLUMN_TILES[column][rank - 1 + n] for n in of_kind))


class Reading(NamedTuple):
    """One way to read a whole hand. sequences, triplets: how many sets are of that kind, melds included;
    a gang counts as a triplet. pair: the pair's tile, None where the shape has no pair of its own."""

    shape: Shape
    parts: tuple[Part, ...]
    melds: tuple[Meld, ...]
    pair: Tile | None
    sequences: int
    triplets: int

    @property
    def concealed_sets(self) -> tuple[Set, ...]:
        """The sets read from the concealed tiles and the winning tile, in canonical order."""
        return tuple(_set_of(column, code) for column, part in enumerate(self.parts) for code in part.sets)

    @property
    def sets(self) -> tuple[Set | Meld, ...]:
        """All sets, the declared melds last. Empty where the shape asks for no structure."""
        return self.concealed_sets + (self.melds if self.shape.has_sets else ())

    def first_triplet(self) -> Set | Meld | None:
        """A triplet or gang of this reading (a special gang is none), or None."""
        return next((s for s in self.sets if s.kind in (TRIPLET, GANG)), None)


class Leftover(NamedTuple):
    """How close a hand comes to a shape it does not have: what can be read, and the tiles that can't."""

    words: Text
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, eq=False)
class Shape:
    """A form that a full hand may have.

    readings: the ways to read a full hand. waits: the tiles that complete a hand one tile short.
    leftover: for a full hand without this shape, what is left over. has_sets: whether the sets mean
    anything. fallback: read only where no shape before it reads the hand.
    """

    key: str
    name: Text
    readings: Callable[[Shape, Hand], list[Reading]]
    waits: Callable[[Hand], list[Tile]]
    leftover: Callable[[Hand], Leftover] | None = None
    has_sets: bool = True
    fallback: bool = False

    def read(self, hand: Hand) -> list[Reading]:
        """Every reading of a full hand in this shape, in canonical order; [] where there is none."""
        return self.readings(self, hand)


def _four_sets(shape: Shape, hand: Hand) -> list[Reading]:
    # Written out for the four columns: every hand passes here.
    a, b, c, d = hand.counts
    first = _suit_parts.get(a) or parts_of(0, a)
    second = _suit_parts.get(b) or parts_of(1, b)
    third = _suit_parts.get(c) or parts_of(2, c)
    fourth = _honor_parts.get(d) or parts_of(3, d)
    if not (first and second and third and fourth):
        return []
    if (first[0].pair, second[0].pair, third[0].pair, fourth[0].pair).count(0) != 3:
        return []
    melds = hand.melds
    if len(first) == len(second) == len(third) == len(fourth) == 1:
        return [_reading(shape, (first[0], second[0], third[0], fourth[0]), melds)]
    return [_reading(shape, parts, melds) for parts in product(first, second, third, fourth)]


def _reading(shape: Shape, parts: tuple[Part, Part, Part, Part], melds: tuple[Meld, ...]) -> Reading:
    (_, p, e, i), (_, q, f, j), (_, r, g, k), (_, s, h, m) = parts
    sequences = e + f + g + h
    triplets = i + j + k + m
    for meld in melds:
        if meld.kind == SEQUENCE:
            sequences += 1
        else:
            triplets += 1
    pair = TILES[p - 1 if p else q + 8 if q else r + 17 if r else s + 26]
    return tuple.__new__(Reading, (shape, parts, melds, pair, sequences, triplets))


def _four_sets_waits(hand: Hand) -> list[Tile]:
    """With one tile short, either one column lacks a tile of its pair, or two are two tiles over their sets:
    then one of them holds the pair while the other waits."""
    a, b, c, d = hand.counts
    entries = (
        _SUIT[a & columns.INDEX],
        _SUIT[b & columns.INDEX],
        _SUIT[c & columns.INDEX],
        _HONORS[d & columns.INDEX],
    )
    complete = entries.count(columns.COMPLETE)
    if complete == 3:
        column, entry = next((n, e) for n, e in enumerate(entries) if e != columns.COMPLETE)
        waits = _waits_of(column, entry & columns.WAITS) if not entry & columns.PAIRED else ()
    elif complete == 2:
        (one, first), (other, second) = [(n, e) for n, e in enumerate(entries) if e != columns.COMPLETE]
        if not first & second & columns.PAIRED:
            return []
        waits = _waits_of(one, first & columns.WAITS) if second & columns.COMPLETE else ()
        if first & columns.COMPLETE:
            waits += _waits_of(other, second & columns.WAITS)
    else:
        return []
    if hand.melds:
        return [t for t in waits if hand.left(t) > 0]
    return list(waits)


def _four_sets_leftover(hand: Hand) -> Leftover:
    """The reading that uses most tiles, and what it leaves: "3 sets and a pair; 4条 and 7条 are left over"."""
    best: dict[bool, tuple[int, tuple[Tile, ...]]] = {False: (len(hand.melds), ())}
    for column, counts in enumerate(hand.counts):
        here = _most_of_column(column, counts)
        joined: dict[bool, tuple[int, tuple[Tile, ...]]] = {}
        for paired_before, (sets, left) in best.items():
            for paired_here, (more, rest) in here.items():
                if paired_before and paired_here:
                    continue
                key = paired_before or paired_here
                candidate = (sets + more, left + rest)
                if key not in joined or len(candidate[1]) < len(joined[key][1]):
                    joined[key] = candidate
        best = joined
    paired, (sets, left) = min(best.items(), key=lambda item: (len(item[1][1]), not item[0]))
    return Leftover(_sets_and_pair(sets, paired), left)


def _most_of_column(column: int, counts: int) -> dict[bool, tuple[int, tuple[Tile, ...]]]:
    """For a column with and without a pair: the most sets it holds, and the tiles they leave."""
    held = columns.ranks(counts)
    kinds = COLUMN_TILES[column]
    best: dict[bool, tuple[int, tuple[Tile, ...]]] = {}

    def read(at: int, sets: int, paired: bool, left: tuple[Tile, ...]) -> None:
        while at < 9 and not held[at]:
            at += 1
        if at == 9:
            if paired not in best or len(left) < len(best[paired][1]):
                best[paired] = (sets, left)
            return
        kind = kinds[at]
        for use, more, pair in ((3, 1, False), (2, 0, True)):
            if held[at] >= use and not (pair and paired):
                held[at] -= use
                read(at, sets + more, paired or pair, left)
                held[at] += use
        if column < 3 and at < 7 and held[at + 1] and held[at + 2]:
            for n in range(3):
                held[at + n] -= 1
            read(at, sets + 1, paired, left)
            for n in range(3):
                held[at + n] += 1
        held[at] -= 1
        read(at, sets, paired, (*left, kind))
        held[at] += 1

    read(0, 0, False, ())
    return best


_ENGLISH_SETS = ("No set", "1 set", "2 sets", "3 sets", "4 sets")


def _sets_and_pair(sets: int, paired: bool) -> Text:
    if paired:
        return Text(f"{_ENGLISH_SETS[sets]} and a pair", f"已成{sets}组和一对" if sets else "只成了一对")
    return Text(f"{_ENGLISH_SETS[sets]} but no pair", f"已成{sets}组，没有对子" if sets else "一组也没成")


_ODD = 0x111111111 << columns.RANKS  # the bits that tell odd numbers of a rank from even ones


def _seven_pairs(shape: Shape, hand: Hand) -> list[Reading]:
    a, b, c, d = hand.counts
    if hand.melds or (a | b | c | d) & _ODD:
        return []
    pairs: list[list[int]] = [[] for _ in range(COLUMNS)]
    for t in expand(hand.counts)[::2]:
        pairs[t.column].append(3 * t.rank + _KINDS.index(PAIR))
    return [Reading(shape, tuple(Part(tuple(p), 0, 0, 0) for p in pairs), (), None, 0, 0)]


def _seven_pairs_waits(hand: Hand) -> list[Tile]:
    if hand.melds:
        return []
    a, b, c, d = hand.counts
    odd = (a & _ODD).bit_count() + (b & _ODD).bit_count() + (c & _ODD).bit_count() + (d & _ODD).bit_count()
    return list(_singles(hand)) if odd == 1 else []


def _singles(hand: Hand) -> tuple[Tile, ...]:
    """A tile of each kind of which the hand holds an odd number."""
    return expand(tuple(c & _ODD for c in hand.counts))  # type: ignore[arg-type]


def _seven_pairs_leftover(hand: Hand) -> Leftover:
    if hand.melds:
        return Leftover(Text("Seven pairs take no melds", "七对不能吃碰杠"), hand.tiles)
    single = _singles(hand)
    pairs = (len(hand.tiles) - len(single)) // 2
    return Leftover(Text(f"{pairs} pairs", f"已有{pairs}对"), single)


FOUR_SETS = Shape(
    "four-sets", Text("four sets and a pair", "四组加一对"), _four_sets, _four_sets_waits, _four_sets_leftover
)
SEVEN_PAIRS = Shape(
    "seven-pairs", Text("seven pairs", "七对"), _seven_pairs, _seven_pairs_waits, _seven_pairs_leftover
)


def all_of(key: str, name: Text, kinds: Kinds, meld_allowed: Callable[[Meld], bool]) -> Shape:
    """A shape without structure: every tile is of these kinds, and the melds are allowed ones."""

    def fits(hand: Hand) -> bool:
        return hand.holds_only(kinds) and all(map(meld_allowed, hand.melds))

    def readings(shape: Shape, hand: Hand) -> list[Reading]:
        return [Reading(shape, (), hand.melds, None, 0, 0)] if fits(hand) else []

    def waits(hand: Hand) -> list[Tile]:
        return [t for t in sorted(kinds.tiles) if hand.left(t) > 0] if fits(hand) else []

    def leftover(hand: Hand) -> Leftover:
        if not all(map(meld_allowed, hand.melds)):
            return Leftover(name, hand.tiles)
        return Leftover(
            Text(f"Almost {name.en}", f"差一点{name.zh}"), tuple(t for t in hand.tiles if t not in kinds)
        )

    return Shape(key, name, readings, waits, leftover, has_sets=False, fallback=True)
