"""Every way to read a hand: the shapes and the parts they fall into.

A shape says which readings a full hand has and which tiles complete one that is a tile short. The work
is done a column at a time (one suit, or the honors): a table says at a look whether a column is complete or
which tiles it lacks, and how a complete one can be read is found out once and kept, because the same columns
are seen again and again in other hands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

from . import columns
from .hands import GANG, PAIR, SEQUENCE, TRIPLET, Hand, Meld, Set, expand
from .text import Text
from .tiles import COLUMN_TILES, COLUMNS, TILES, Kinds, Tile

# The cache of complete columns holds at most this many of each; past it, it starts anew.
_COLUMNS_KEPT = 1 << 12

_known: tuple[dict[int, tuple[Part, ...]], ...] = tuple({} for _ in range(COLUMNS))


def parts_of(column: int, counts: int) -> tuple[Part, ...]:
    """Every way to read a column of tiles; () where it is not complete."""
    known = _known[column]
    parts = known.get(counts)
    if parts is None:
        if not columns.tables()[column][counts & columns.INDEX] & columns.COMPLETE:
            return ()
        if len(known) >= _COLUMNS_KEPT:
            known.clear()
        parts = known[counts] = tuple(_parts(column, counts))
    return parts


@cache
def _waits_of(column: int, mask: int) -> tuple[Tile, ...]:
    return tuple(t for t in COLUMN_TILES[column] if mask >> t.rank - 1 & 1)


class Part(NamedTuple):
    """One way to read a column: its sets, its pair if the pair lies here, and how many sets of each kind."""

    sets: tuple[Set, ...]
    pair: Tile | None
    sequences: int
    triplets: int


class Reading:
    """One way to read a whole hand. sequences, triplets: how many sets are of that kind, melds included;
    a gang counts as a triplet. pair: the pair's tile, None where the shape has no pair of its own."""

    __slots__ = ("melds", "pair", "parts", "sequences", "shape", "triplets")

    def __init__(
        self,
        shape: Shape,
        parts: tuple[Part, ...],
        melds: tuple[Meld, ...],
        pair: Tile | None,
        sequences: int,
        triplets: int,
    ) -> None:
        self.shape = shape
        self.parts = parts
        self.melds = melds
        self.pair = pair
        self.sequences = sequences
        self.triplets = triplets

    @property
    def concealed_sets(self) -> tuple[Set, ...]:
        """The sets read from the concealed tiles and the winning tile, in canonical order."""
        return tuple(s for part in self.parts for s in part.sets)

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


_TRIPLETS = {t: Set(TRIPLET, (t, t, t)) for t in TILES}
_PAIRS = {t: Set(PAIR, (t, t)) for t in TILES}
_SEQUENCES = {
    a: Set(SEQUENCE, (a, b, c))
    for a, b, c in zip(TILES, TILES[1:], TILES[2:], strict=False)
    if a.suit and a.suit == c.suit
}


def _parts(column: int, counts: int) -> list[Part]:
    """Every way to read a column as sets and at most one pair, each way once."""
    held = columns.ranks(counts)
    found: list[Part] = []
    sets: list[Set] = []
    kinds = COLUMN_TILES[column]
    suited = column < 3

    def read(at: int, pair: Tile | None) -> None:
        while at < 9 and not held[at]:
            at += 1
        if at == 9:
            triplets = sum(s.kind == TRIPLET for s in sets)
            found.append(Part(tuple(sets), pair, len(sets) - triplets, triplets))
            return
        # The lowest tile left belongs to a triplet, to the pair, or starts a sequence. How many sequences
        # start here decides the rest: none, a pair or a triplet of this tile must remain.
        kind = kinds[at]
        here = held[at]
        most = min(here, held[at + 1], held[at + 2]) if suited and at < 7 else 0
        for sequences in range(most + 1):
            alone = here - sequences
            if alone not in (0, 2, 3) or (alone == 2 and pair):
                continue
            depth = len(sets)
            if alone == 3:
                sets.append(_TRIPLETS[kind])
            sets.extend([_SEQUENCES[kind]] * sequences if sequences else ())
            held[at] = 0
            if sequences:
                held[at + 1] -= sequences
                held[at + 2] -= sequences
            read(at + 1, kind if alone == 2 else pair)
            held[at] = here
            if sequences:
                held[at + 1] += sequences
                held[at + 2] += sequences
            del sets[depth:]

    read(0, None)
    return found


def _four_sets(shape: Shape, hand: Hand) -> list[Reading]:
    options = []
    pairs = 0
    several = False
    for column, counts in enumerate(hand.counts):
        if counts:
            parts = _known[column].get(counts) or parts_of(column, counts)
            if not parts:
                return []
            if parts[0].pair:
                pairs += 1
            if len(parts) > 1:
                several = True
            options.append(parts)
    if pairs != 1:
        return []
    melds = hand.melds
    if several:
        return [_reading(shape, parts, melds) for parts in product(*options)]
    return [_reading(shape, tuple([parts[0] for parts in options]), melds)]


def _reading(shape: Shape, parts: tuple[Part, ...], melds: tuple[Meld, ...]) -> Reading:
    pair = None
    sequences = triplets = 0
    for part in parts:
        sequences += part.sequences
        triplets += part.triplets
        if part.pair:
            pair = part.pair
    for meld in melds:
        if meld.kind == SEQUENCE:
            sequences += 1
        else:
            triplets += 1
    return Reading(shape, parts, melds, pair, sequences, triplets)


def _four_sets_waits(hand: Hand) -> list[Tile]:
    """With one tile short, either one column lacks a tile of its pair, or two are two tiles over their sets:
    then one of them holds the pair while the other waits."""
    short: list[tuple[int, int]] = []
    paired = 0
    for column, (table, counts) in enumerate(zip(columns.tables(), hand.counts, strict=True)):
        if counts:
            entry = table[counts & columns.INDEX]
            if entry == columns.COMPLETE:
                continue
            if not entry:
                return []
            short.append((column, entry))
            if entry & columns.PAIRED:
                paired += 1
    if len(short) == 1 and not paired:
        column, entry = short[0]
        waits = _waits_of(column, entry & columns.WAITS)
    elif len(short) == 2 and paired == 2:
        (one, first), (other, second) = short
        waits = ()
        if second & columns.COMPLETE:
            waits += _waits_of(one, first & columns.WAITS)
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
    sets = tuple([_PAIRS[t] for t in expand(hand.counts)[::2]])
    return [Reading(shape, (Part(sets, None, 0, 0),), (), None, 0, 0)]


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
