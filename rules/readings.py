"""Every way to read a hand: the shapes and the parts they fall into.

A shape says which readings a full hand has and which tiles complete one that is a tile short. The work
is done a column at a time (one suit, or the honors), because a column is seen again and again in other
hands; the columns' parts are then put together. A column's tile count leaves 0 (sets only) or 2 (sets and
the pair) when divided by three; anything else can't be read, which settles most hands at a glance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from .hands import PAIR, SEQUENCE, TRIPLET, Counts, Hand, Meld, Set, expand, ranks
from .text import Text
from .tiles import COLUMNS, TILES, Kinds, Tile

# The cache of columns holds fewer than this many; past it, it starts anew. A column takes about 400 bytes.
_COLUMNS_KEPT = 1 << 14

_AT = tuple(tuple(t for t in TILES if t.column == column) for column in range(COLUMNS))


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
        return next((s for s in self.sets if s.kind in (TRIPLET, "gang")), None)


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


class _Column:
    """What one column of concealed tiles can be read as, found out once."""

    __slots__ = ("_waits", "column", "counts", "parts", "rest")

    def __init__(self, column: int, counts: int) -> None:
        self.column = column
        self.counts = counts
        self.rest = len(expand(column, counts)) % 3
        self.parts: tuple[Part, ...] = () if self.rest == 1 else tuple(_parts(column, counts))
        self._waits: tuple[Tile, ...] | None = None

    @property
    def waits(self) -> tuple[Tile, ...]:
        """The tiles that, added to this column, make it readable."""
        if self._waits is None:
            held = tuple(ranks(self.counts))
            self._waits = tuple(
                t
                for t in _AT[self.column]
                if held[t.rank - 1] < 4
                and _near(held, t)
                and column_of(self.column, self.counts + t.unit).parts
            )
        return self._waits


def _near(held: tuple[int, ...], kind: Tile) -> bool:
    """Whether a column holds this tile or, in a suit, one within two of it: else it can't complete a set."""
    if held[kind.rank - 1] or kind.suit is None:
        return held[kind.rank - 1] > 0
    return any(held[max(0, kind.rank - 3) : kind.rank + 2])


_columns: tuple[dict[int, _Column], ...] = tuple({} for _ in range(COLUMNS))


def column_of(column: int, counts: int) -> _Column:
    """What is known of a column, worked out at first sight."""
    known = _columns[column].get(counts)
    if known is None:
        if len(_columns[column]) >= _COLUMNS_KEPT:
            _columns[column].clear()
        known = _columns[column][counts] = _Column(column, counts)
    return known


_TRIPLETS = {t: Set(TRIPLET, (t, t, t)) for t in TILES}
_PAIRS = {t: Set(PAIR, (t, t)) for t in TILES}
_SEQUENCES = {a: Set(SEQUENCE, (a, b, c)) for a, b, c in zip(TILES, TILES[1:], TILES[2:], strict=False) if a.suit and a.suit == c.suit}


def _parts(column: int, counts: int) -> list[Part]:
    """Every way to read a column as sets and at most one pair, each way once."""
    held = list(ranks(counts))
    found: list[Part] = []
    sets: list[Set] = []
    kinds = _AT[column]
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
    sequences = triplets = pairs = 0
    options = []
    several = False
    for column, counts in enumerate(hand.counts):
        if counts:
            known = _columns[column].get(counts) or column_of(column, counts)
            parts = known.parts
            if not parts:
                return []
            pairs += known.rest
            options.append(parts)
            if len(parts) > 1:
                several = True
    if pairs != 2:
        return []
    melds = hand.melds
    for meld in melds:
        if meld.kind == SEQUENCE:
            sequences += 1
        else:
            triplets += 1
    if not several:
        pair = None
        for (part,) in options:
            sequences += part.sequences
            triplets += part.triplets
            pair = part.pair or pair
        return [Reading(shape, tuple([o[0] for o in options]), melds, pair, sequences, triplets)]
    return [
        Reading(
            shape,
            parts,
            melds,
            next(p.pair for p in parts if p.pair),
            sequences + sum(p.sequences for p in parts),
            triplets + sum(p.triplets for p in parts),
        )
        for parts in product(*options)
    ]


def _four_sets_waits(hand: Hand) -> list[Tile]:
    """With one tile short, either one column lacks a tile of its pair or set (it leaves 1 when divided by
    three), or two columns leave 2, and one of them holds the pair while the other waits."""
    open_columns = []
    for column, counts in enumerate(hand.counts):
        if counts:
            known = _columns[column].get(counts) or column_of(column, counts)
            if known.rest:
                open_columns.append(known)
            elif not known.parts:
                return []
    if len(open_columns) == 1:
        waits = open_columns[0].waits if open_columns[0].rest == 1 else ()
    elif len(open_columns) == 2 and open_columns[0].rest == 2 and open_columns[1].rest == 2:
        first, second = open_columns
        waits = (first.waits if second.parts else ()) + (second.waits if first.parts else ())
    else:
        return []
    return [t for t in waits if hand.left(t) > 0]


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
    held = list(ranks(counts))
    kinds = _AT[column]
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


def _seven_pairs(shape: Shape, hand: Hand) -> list[Reading]:
    if hand.melds:
        return []
    counts = hand.counts
    if any(c & 0x111111111 for c in counts):
        return []
    sets = tuple(_PAIRS[t] for column, c in enumerate(counts) for t in expand(column, c)[::2])
    if len(sets) != 7:
        return []
    return [Reading(shape, (Part(sets, None, 0, 0),), (), None, 0, 0)]


def _seven_pairs_waits(hand: Hand) -> list[Tile]:
    if hand.melds:
        return []
    a, b, c, d = hand.counts
    single = (a & 0x111111111, b & 0x111111111, c & 0x111111111, d & 0x111111111)
    if sum(map(int.bit_count, single)) != 1:
        return []
    return [expand(column, odd)[0] for column, odd in enumerate(single) if odd]


def _seven_pairs_leftover(hand: Hand) -> Leftover:
    counts = hand.counts
    single = tuple(t for column, c in enumerate(counts) for t in expand(column, c & 0x111111111))
    pairs = (len(hand.concealed) + (hand.winning is not None) - len(single)) // 2
    if hand.melds:
        return Leftover(Text("Seven pairs take no melds", "七对不能吃碰杠"), hand.tiles)
    return Leftover(Text(f"{pairs} pairs", f"{pairs}个对子"), single)


FOUR_SETS = Shape("four-sets", Text("four sets and a pair", "四组加一对"), _four_sets, _four_sets_waits, _four_sets_leftover)
SEVEN_PAIRS = Shape("seven-pairs", Text("seven pairs", "七对"), _seven_pairs, _seven_pairs_waits, _seven_pairs_leftover)


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
