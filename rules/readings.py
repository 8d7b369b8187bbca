"""Every way to read a hand: the shapes and the parts they fall into.

A shape says which readings a full hand has and which tiles complete one that is a tile short. The work
is done a column at a time (one suit, or the honors): a table says at a look whether a column is complete or
which tiles it lacks, and how a complete one can be read is found out once and kept, because the same columns
are seen again and again in other hands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from . import columns, nearness
from .columns import Row
from .hands import GANG, PAIR, SEQUENCE, TRIPLET, Hand, Meld, Set, expand
from .nearness import Needs, Steps
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
_ROWS, _SUIT, _HONORS = columns.tables()
_EMPTY = _ROWS[_SUIT[0]].makeups
_UNITS = tuple(columns.unit(rank) for rank in range(1, 10))


def _learn(counts: int, table: Sequence[int], known: dict[int, tuple[Part, ...]]) -> tuple[Part, ...]:
    """Every way to read a column; () where it is not complete.

    The lowest tile is in a triplet, in the pair or starts a sequence, and what remains must be complete
    again. Two ways that differ only in order come out alike.
    """
    ways = known.get(counts)
    if ways is not None:
        return ways
    row = _ROWS[table[counts & columns.INDEX]]
    if not row.makeups:
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
    if held[at] >= 2 and row.state == columns.PAIRED:
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


class _TilesOf(dict[int, tuple[Tile, ...]]):
    """The tiles of a column whose ranks have their bit set, by the bits."""

    def __init__(self, column: int) -> None:
        super().__init__()
        self.column = column

    def __missing__(self, bits: int) -> tuple[Tile, ...]:
        found = self[bits] = tuple(t for t in COLUMN_TILES[self.column] if bits >> t.rank - 1 & 1)
        return found


_TILES_OF = tuple(map(_TilesOf, range(COLUMNS)))


@cache
def _set_of(column: int, code: int) -> Set:
    rank, kind = divmod(code, 3)
    of_kind = ((0, 0, 0), (0, 1, 2), (0, 0))[kind]
    return Set(_KINDS[kind], tuple(COLUMN_TILES[column][rank - 1 + n] for n in of_kind))


class Outline(NamedTuple):
    """What the rules of a win look at in a reading. sequences, triplets: how many sets are of that kind,
    melds included; a gang counts as a triplet. pair: the pair's tile, None where the shape has none of
    its own."""

    shape: Shape
    pair: Tile | None
    sequences: int
    triplets: int


class Reading(NamedTuple):
    """One way to read a whole hand: an outline with its sets, which `parts` holds by column."""

    shape: Shape
    pair: Tile | None
    sequences: int
    triplets: int
    parts: tuple[Part, ...]
    melds: tuple[Meld, ...]

    @property
    def concealed_sets(self) -> tuple[Set, ...]:
        """The sets read from the concealed tiles and the winning tile, in canonical order."""
        return tuple(_set_of(column, code) for column, part in enumerate(self.parts) for code in part.sets)

    @property
    def sets(self) -> tuple[Set | Meld, ...]:
        """All sets, the declared melds last. Empty where the shape asks for no structure."""
        return self.concealed_sets + (self.melds if self.shape.has_sets else ())

    def sequences_with(self, kind: Tile) -> list[Set]:
        """The sequences read from the concealed tiles and the winning tile that hold a kind."""
        # A sequence's number is one over three times its lowest rank, which is at most two below the kind's.
        highest = 3 * kind.rank + 1
        codes = self.parts[kind.column].sets
        return [_set_of(kind.column, n) for n in codes if n % 3 == 1 and highest - 6 <= n <= highest]

    def first_triplet(self) -> Set | Meld | None:
        """A triplet or gang of this reading (a special gang is none), or None."""
        return next((s for s in self.sets if s.kind in (TRIPLET, GANG)), None)


# What a rule's status may be asked about: it looks at what both have.
Outlined = Outline | Reading


class Leftover(NamedTuple):
    """How close a hand comes to a shape it does not have: what can be read, and the tiles that can't."""

    words: Text
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, eq=False)
class Shape:
    """A form that a full hand may have.

    readings: the ways to read a full hand. completing: the tiles that complete a hand one tile short, in
    canonical order. waits: the same, each with the outlines of the hand so completed. missing: the fewest
    tiles that a hand lacks of a full one in this shape that meets a need of each demand, None where nothing can;
    the number is what it is known to be at least. steps: for a hand that lacks so many, what brings it nearer.
    leftover: for a full hand without this shape, what is left over, or None if it comes nowhere near.
    has_sets: whether the sets mean anything. fallback: read only where no shape before it reads the hand.
    """

    key: str
    name: Text
    readings: Callable[[Shape, Hand], list[Reading]]
    completing: Callable[[Hand], tuple[Tile, ...]]
    waits: Callable[[Shape, Hand], list[tuple[Tile, list[Outline]]]]
    missing: Callable[[Hand, tuple[Needs, ...], Kinds, int], int | None]
    steps: Callable[[Hand, tuple[Needs, ...], Kinds, int], Steps]
    leftover: Callable[[Hand], Leftover | None] | None = None
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
    if melds:
        more, most = _kinds_of(melds)
        sequences += more
        triplets += most
    pair = TILES[p - 1 if p else q + 8 if q else r + 17 if r else s + 26]
    return tuple.__new__(Reading, (shape, pair, sequences, triplets, parts, melds))


def _kinds_of(melds: tuple[Meld, ...]) -> tuple[int, int]:
    """How many melds are sequences, and how many triplets or gangs."""
    sequences = len([meld for meld in melds if meld.kind == SEQUENCE])
    return sequences, len(melds) - sequences


def _rows(hand: Hand) -> tuple[Row, Row, Row, Row]:
    a, b, c, d = hand.counts
    index = columns.INDEX
    return (
        _ROWS[_SUIT[a & index]],
        _ROWS[_SUIT[b & index]],
        _ROWS[_SUIT[c & index]],
        _ROWS[_HONORS[d & index]],
    )


def _waiting(hand: Hand, rows: tuple[Row, Row, Row, Row]) -> tuple[Tile, ...]:
    """The tiles that complete four sets and a pair, found from the states of the columns alone."""
    w, x, y, z = rows
    states = (w[0], x[0], y[0], z[0])
    of_sets = states.count(columns.SETS)
    if of_sets == 3 and columns.SHORT in states:
        column = states.index(columns.SHORT)
        waits = _TILES_OF[column][rows[column][1]]
    elif of_sets == 2 and states.count(columns.PAIRED) == 2:
        first = states.index(columns.PAIRED)
        second = states.index(columns.PAIRED, first + 1)
        waits = _TILES_OF[first][rows[first][1]] if rows[second][2] else ()
        if rows[first][2]:
            waits += _TILES_OF[second][rows[second][1]]
    else:
        return ()
    if hand.melds:
        return tuple([t for t in waits if hand.left(t) > 0])
    return waits


def _four_sets_completing(hand: Hand) -> tuple[Tile, ...]:
    return _waiting(hand, _rows(hand))


def _four_sets_waits(shape: Shape, hand: Hand) -> list[tuple[Tile, list[Outline]]]:
    rows = _rows(hand)
    found = []
    column = -1
    for kind in _waiting(hand, rows):
        if kind.column != column:
            # The columns that don't wait are put together once; each tile changes only its own.
            column = kind.column
            rest = _put_together(rows, column, hand.melds)
            table = _HONORS if column == 3 else _SUIT
            counts = hand.counts[column]
            before = 9 * column - 1
        outlines = []
        for rank, more, most in _ROWS[table[counts + kind.unit & columns.INDEX]][2]:
            for pair, sequences, triplets in rest:
                own = TILES[before + rank if rank else pair]
                outlines.append(tuple.__new__(Outline, (shape, own, sequences + more, triplets + most)))
        found.append((kind, outlines))
    return found


def _put_together(rows: tuple[Row, ...], without: int, melds: tuple[Meld, ...]) -> list[tuple[int, int, int]]:
    """What the columns but one and the melds come to, in each way: the pair's place among the tiles, or -1;
    how many sequences; how many triplets."""
    pair = -1
    sequences, triplets = _kinds_of(melds)
    several = []
    for column, row in enumerate(rows):
        makeups = row[2]
        if column == without or makeups is _EMPTY:
            continue
        if len(makeups) > 1:
            several.append((column, makeups))
            continue
        rank, more, most = makeups[0]
        sequences += more
        triplets += most
        if rank:
            pair = 9 * column + rank - 1
    ways = [(pair, sequences, triplets)]
    for column, makeups in several:
        ways = [
            (9 * column + rank - 1 if rank else pair, sequences + more, triplets + most)
            for rank, more, most in makeups
            for pair, sequences, triplets in ways
        ]
    return ways


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


@lru_cache(maxsize=1 << 11)
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
        return (
            Text(f"{_ENGLISH_SETS[sets]} and a pair", f"成了{sets}组和一对")
            if sets
            else Text("Only a pair", "只成了一对")
        )
    if not sets:
        return Text("No set and no pair", "一组也没成")
    return Text(f"{_ENGLISH_SETS[sets]} but no pair", f"成了{sets}组，缺将")


_ODD = 0x111111111 << columns.RANKS  # the bits that tell odd numbers of a rank from even ones


def _seven_pairs(shape: Shape, hand: Hand) -> list[Reading]:
    a, b, c, d = hand.counts
    if hand.melds or (a | b | c | d) & _ODD:
        return []
    pairs: list[list[int]] = [[] for _ in range(COLUMNS)]
    for t in expand(hand.counts)[::2]:
        pairs[t.column].append(3 * t.rank + _KINDS.index(PAIR))
    return [Reading(shape, None, 0, 0, tuple(Part(tuple(p), 0, 0, 0) for p in pairs), ())]


def _seven_pairs_completing(hand: Hand) -> tuple[Tile, ...]:
    if hand.melds:
        return ()
    odd = 0
    for counts in hand.counts:
        odd += (counts & _ODD).bit_count()
        if odd > 1:
            return ()
    return _singles(hand) if odd == 1 else ()


def _singles(hand: Hand) -> tuple[Tile, ...]:
    """A tile of each kind of which the hand holds an odd number."""
    return expand(tuple(c & _ODD for c in hand.counts))  # type: ignore[arg-type]


def _seven_pairs_missing(hand: Hand, demands: tuple[Needs, ...], kinds: Kinds, least: int) -> int | None:
    if hand.melds or demands:
        return nearness.of_pairs(hand, demands, kinds, least)
    # Without further demands a pair for every odd tile there is will do, and there are always enough.
    odd = sum((counts & _ODD).bit_count() for counts in hand.counts)
    return 7 - (13 + hand.is_full - odd) // 2


def _seven_pairs_steps(hand: Hand, demands: tuple[Needs, ...], kinds: Kinds, lacking: int) -> Steps:
    if demands:
        return nearness.steps_to_pairs(hand, demands, kinds, lacking)
    single = set(_singles(hand))
    return {discard: single - {discard} for discard in single} if hand.is_full else {None: single}


def _seven_pairs_leftover(hand: Hand) -> Leftover | None:
    if hand.melds:
        return None
    single = _singles(hand)
    pairs = (len(hand.tiles) - len(single)) // 2
    return Leftover(Text(f"{pairs} pairs", f"已有{pairs}对"), single)


def _outlined(
    completing: Callable[[Hand], tuple[Tile, ...]],
) -> Callable[[Shape, Hand], list[tuple[Tile, list[Outline]]]]:
    """The waits of a shape whose readings have neither sequences nor triplets nor a pair."""

    def waits(shape: Shape, hand: Hand) -> list[tuple[Tile, list[Outline]]]:
        return [(t, [Outline(shape, None, 0, 0)]) for t in completing(hand)]

    return waits


FOUR_SETS = Shape(
    "four-sets",
    Text("four sets and a pair", "四组加一对"),
    _four_sets,
    _four_sets_completing,
    _four_sets_waits,
    nearness.of_sets_and_pair,
    nearness.steps_to_sets_and_pair,
    _four_sets_leftover,
)
SEVEN_PAIRS = Shape(
    "seven-pairs",
    Text("seven pairs", "七对"),
    _seven_pairs,
    _seven_pairs_completing,
    _outlined(_seven_pairs_completing),
    _seven_pairs_missing,
    _seven_pairs_steps,
    _seven_pairs_leftover,
)


def all_of(key: str, name: Text, kinds: Kinds, meld_allowed: Callable[[Meld], bool]) -> Shape:
    """A shape without structure: every tile is of these kinds, and the melds are allowed ones.

    No rule may need more of it than that.
    """

    def fits(hand: Hand) -> bool:
        return hand.holds_only(kinds) and all(map(meld_allowed, hand.melds))

    def readings(shape: Shape, hand: Hand) -> list[Reading]:
        return [Reading(shape, None, 0, 0, (), hand.melds)] if fits(hand) else []

    def completing(hand: Hand) -> tuple[Tile, ...]:
        return tuple(t for t in sorted(kinds.tiles) if hand.left(t) > 0) if fits(hand) else ()

    def missing(hand: Hand, demands: tuple[Needs, ...], within: Kinds, least: int) -> int | None:
        if demands:
            raise NotImplementedError(f"{key} has no columns of which a rule could need anything")
        if not all(meld_allowed(m) and set(m.tiles) <= kinds.tiles for m in hand.melds):
            return None
        return 14 - 3 * len(hand.melds) - sum(t in kinds for t in hand.loose)

    def steps(hand: Hand, demands: tuple[Needs, ...], within: Kinds, lacking: int) -> Steps:
        left = {t for t in kinds.tiles if hand.left(t) > 0}
        return {t: left for t in hand.loose if t not in kinds} if hand.is_full else {None: left}

    def leftover(hand: Hand) -> Leftover | None:
        strays = tuple(t for t in hand.tiles if t not in kinds)
        if len(strays) > 2 or not all(map(meld_allowed, hand.melds)):
            return None
        return Leftover(Text(f"Almost {name.en}", f"差一点{name.zh}"), strays)

    return Shape(
        key,
        name,
        readings,
        completing,
        _outlined(completing),
        missing,
        steps,
        leftover,
        has_sets=False,
        fallback=True,
    )
