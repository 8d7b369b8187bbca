"""How near a hand is to a win: the fewest tiles it lacks of any full hand that breaks no rule.

Rules say what they need of a win in the language of columns (one suit, or the honors): this column holds a 1 or
9, that one a triplet, no column a sequence. A feature is such a demand on one complete column; a need puts
features on the four columns; where a rule may be met in several ways, there are several needs.

All complete columns of a kind stand in a `Library`, each as one bit of long integers. So what each of them
lacks is found for all at once: the missing tiles of every rank, added up bit by bit. The fewest of a group of
columns is then a few operations more. What comes out for a column is kept by its tiles and features, since
columns are seen again in other hands, and so is what two columns come to together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from . import columns
from .hands import Hand
from .tiles import COLUMN_TILES, Kinds

NEVER = 99  # more tiles than any hand lacks
_KEPT = 1 << 15  # a cache holds at most so many; past it, it starts anew

Need = tuple[int, int, int, int]
Needs = tuple[Need, ...]
NOTHING: Needs = ((0, 0, 0, 0),)
IMPOSSIBLE: Needs = ()


class Complete(NamedTuple):
    """A complete column read in one way. held: four bits a rank. pair: the pair's rank or 0."""

    held: int
    pair: int
    sequences: int
    triplets: int


class Library:
    """Every complete column of one kind, in groups.

    groups: the columns of each. sums: for two groups the one their columns make together, -1 where none.
    Sets of columns are integers with a bit for each.
    """

    def __init__(
        self, kinds: int, groups: Sequence[Sequence[Complete]], sums: Sequence[Sequence[int]]
    ) -> None:
        self.kinds = kinds
        self.sums = sums
        self._columns = [column for group in groups for column in group]
        self._spans = []
        at = 0
        for group in groups:
            self._spans.append((1 << len(group)) - 1 << at)
            at += len(group)
        self._features: dict[int, int] = {}

    def holding(self, ranks: Iterable[int]) -> int:
        """The columns that hold any of these ranks."""
        found = 0
        for rank in ranks:
            if rank <= self.kinds:
                found |= self._more[rank - 1][0]
        return found

    def paired(self, ranks: Iterable[int]) -> int:
        """The columns with a pair of any of these ranks; rank 0: without a pair."""
        return self._where([c.pair in ranks for c in self._columns])

    @cached_property
    def with_triplet(self) -> int:
        """The columns read with a triplet."""
        return self._where([c.triplets > 0 for c in self._columns])

    @cached_property
    def with_sequence(self) -> int:
        """The columns read with a sequence."""
        return self._where([c.sequences > 0 for c in self._columns])

    def _where(self, flags: Iterable[bool]) -> int:
        return _bits(bytes(flags), 0)

    @cached_property
    def _more(self) -> list[list[int]]:
        """For each rank, the columns that hold more than 0, 1, 2 and 3 of it."""
        planes = []
        for shift in range(0, 4 * self.kinds, 4):
            held = bytes([c.held >> shift & 0xF for c in self._columns])
            planes.append([_bits(held, n) for n in range(4)])
        return planes

    @cached_property
    def _short(self) -> list[list[list[int]]]:
        """For each rank and number held, how many more each column has: the bits of that number."""
        return [[_sum([[plane] for plane in more[held:]]) for held in range(5)] for more in self._more]

    @lru_cache(maxsize=1 << 6)  # noqa: B019 - the libraries are few, and stay
    def _lacking(self, counts: int) -> list[int]:
        """How many tiles each column has that these tiles don't: the bits of that number, the highest first."""
        ranks = columns.ranks(counts)[: self.kinds]
        return _sum([short[held] for short, held in zip(self._short, ranks, strict=True)])[::-1]

    def fewest(self, counts: int, melded: int, features: int) -> tuple[int, ...]:
        """For each group, the fewest tiles that a column of it lacks, NEVER where the group has none.

        counts: a column's tiles. melded: those of it in melds, which leave fewer copies.
        """
        having = self._having(features)
        if melded:
            for more, held in zip(self._more, columns.ranks(melded), strict=False):
                if held:
                    having &= ~more[4 - held]
        found = []
        lacking = self._lacking(counts)
        for span in self._spans:
            left = having & span
            fewest = 0 if left else NEVER
            if left:
                for bit in lacking:
                    fewer = left & ~bit
                    left = fewer or left
                    fewest += fewest + (not fewer)
            found.append(fewest)
        return tuple(found)

    def _having(self, features: int) -> int:
        having = self._features.get(features)
        if having is None:
            having = (1 << len(self._columns)) - 1
            for n, feature_of in enumerate(_FEATURES):
                if features >> n & 1:
                    having &= feature_of(self)
            self._features[features] = having
        return having


def _bits(held: bytes, more_than: int) -> int:
    """A bit for each byte that is more than a number, the first byte's the lowest."""
    return int(held[::-1].translate(_DIGITS[more_than]), 2)


_DIGITS = [bytes(49 if held > n else 48 for held in range(256)) for n in range(4)]


def _sum(numbers: Iterable[list[int]]) -> list[int]:
    """The sum of numbers that are each given by their bits, the lowest first, for many columns at once."""
    total: list[int] = []
    for number in numbers:
        if len(number) > len(total):
            total, number = number, total
        found, carry = [], 0
        for n, a in enumerate(total):
            b = number[n] if n < len(number) else 0
            if not (b or carry):
                found += total[n:]
                break
            half = a ^ b
            found.append(half ^ carry)
            carry = a & b | half & carry
        total = [*found, carry] if carry else found
    return total


# Features

_FEATURES: list[Callable[[Library], int]] = []


def feature(having: Callable[[Library], int]) -> int:
    """A demand on a complete column: a bit, to be put together with others by `|`. having: the columns that have it."""
    _FEATURES.append(having)
    return 1 << len(_FEATURES) - 1


HELD = feature(lambda library: library.holding(range(1, 10)))
EMPTY = feature(lambda library: ~library.holding(range(1, 10)))


@cache
def only(ranks: frozenset[int]) -> int:
    """The feature that no other rank is held."""
    others = [rank for rank in range(1, 10) if rank not in ranks]
    return feature(lambda library: ~library.holding(others))


@lru_cache(maxsize=1 << 10)
def both(needs: Needs, more: Needs) -> Needs:
    """The needs that meet one of each: all pairs of them, put together."""
    return tuple(
        sorted({(a | w, b | x, c | y, d | z) for (a, b, c, d), (w, x, y, z) in product(needs, more)})
    )


# Adding columns up


class Shelf:
    """The libraries of one shape, of the suits and of the honors, and what columns of theirs come to together.

    Costs of a column are kept once each and numbered, and so are those of two columns and of four.
    """

    def __init__(self, suits: Callable[[], Library], honors: Callable[[], Library]) -> None:
        self._make = (suits, honors)
        self._columns: dict[tuple[int, int, int, bool], int] = {}
        self._costs: list[tuple[int, ...]] = []
        self._numbers: dict[tuple[int, ...], int] = {}
        self._joined: dict[int, int] = {}

    @cached_property
    def _libraries(self) -> tuple[Library, Library]:
        suits, honors = self._make
        return suits(), honors()

    def fewest(self, counts: Need, melded: Need, needs: Needs, within: Need, group: int) -> int:
        """The fewest tiles lacking of four columns of any need that together make a group; NEVER if none do.

        counts, melded: the hand's columns, concealed and in melds. within: what every need asks for.
        """
        best = NEVER
        # No need costs less than what they have in common: the search ends where that is reached.
        bound = self._together(counts, melded, within)[group]
        if needs == NOTHING or bound == NEVER:
            return bound
        a, b, c, d = within
        for w, x, y, z in needs:
            lacking = self._together(counts, melded, (a | w, b | x, c | y, d | z))[group]
            if lacking < best:
                best = lacking
                if best == bound:
                    break
        return best

    def _together(self, counts: Need, melded: Need, need: Need) -> tuple[int, ...]:
        """What the four columns come to together, by group."""
        a, b, c, d = counts
        e, f, g, h = melded
        w, x, y, z = need
        known, joined = self._columns, self._joined
        try:
            one, two = known[a, e, w, False], known[b, f, x, False]
            three, four = known[c, g, y, False], known[d, h, z, True]
        except KeyError:
            one, two = self._column(a, e, w, False), self._column(b, f, x, False)
            three, four = self._column(c, g, y, False), self._column(d, h, z, True)
        key = one << 16 | two
        left = joined[key] if key in joined else self._join(key)
        key = three << 16 | four
        right = joined[key] if key in joined else self._join(key)
        key = left << 16 | right
        return self._costs[joined[key] if key in joined else self._join(key)]

    def _column(self, counts: int, melded: int, features: int, is_honors: bool) -> int:
        key = (counts, melded, features, is_honors)
        number = self._columns.get(key)
        if number is None:
            if len(self._columns) >= _KEPT:
                self._columns.clear()
            costs = self._libraries[is_honors].fewest(counts, melded, features)
            number = self._columns[key] = self._number(costs)
        return number

    def _number(self, costs: tuple[int, ...]) -> int:
        number = self._numbers.get(costs)
        if number is None:
            number = self._numbers[costs] = len(self._costs)
            self._costs.append(costs)
        return number

    def _join(self, key: int) -> int:
        if len(self._joined) >= 8 * _KEPT:
            self._joined.clear()
        one, two = self._costs[key >> 16], self._costs[key & 0xFFFF]
        joined = [NEVER] * len(one)
        for n, sums in enumerate(self._libraries[0].sums):
            if one[n] < NEVER:
                for m, total in enumerate(sums):
                    if total >= 0 and one[n] + two[m] < joined[total]:
                        joined[total] = one[n] + two[m]
        number = self._joined[key] = self._number(tuple(joined))
        return number


def _four_sets_library(kinds: int, *, sequences: bool) -> Library:
    """The columns of up to four sets, without and with a pair: groups 0 to 4, and 5 to 9."""
    units = [1 << 4 * n for n in range(kinds)]
    blocks = [(3 * unit, 0, 1) for unit in units]
    if sequences:
        blocks += [(sum(units[n : n + 3]), 1, 0) for n in range(kinds - 2)]
    too_many = sum(8 * unit for unit in units)  # set in a rank of more than four, once three is added to each
    threes = sum(3 * unit for unit in units)
    level = {(0, 0, 0)}
    of_sets, with_pair = [], []
    for _ in range(5):
        of_sets.append([Complete(held, 0, runs, alike) for held, runs, alike in sorted(level)])
        with_pair.append(
            [
                Complete(held + 2 * unit, rank, runs, alike)
                for held, runs, alike in sorted(level)
                for rank, unit in enumerate(units, 1)
                if not held + 2 * unit + threes & too_many
            ]
        )
        level = {
            (held + tiles, runs + run, alike + triplet)
            for held, runs, alike in level
            for tiles, run, triplet in blocks
            if not held + tiles + threes & too_many
        }
    sums = [[-1] * 10 for _ in range(10)]
    for n, m in product(range(10), range(10)):
        sets, pairs = n % 5 + m % 5, n // 5 + m // 5
        if sets <= 4 and pairs <= 1:
            sums[n][m] = sets + 5 * pairs
    return Library(kinds, of_sets + with_pair, sums)


def _pairs_library(kinds: int) -> Library:
    """The columns of pairs, by how many there are; four alike are two pairs."""
    groups: list[list[Complete]] = [[] for _ in range(8)]
    for pairs in product((0, 1, 2), repeat=kinds):
        if sum(pairs) <= 7:
            held = sum(2 * n << 4 * at for at, n in enumerate(pairs))
            groups[sum(pairs)].append(Complete(held, 0, 0, 0))
    sums = [[n + m if n + m <= 7 else -1 for m in range(8)] for n in range(8)]
    return Library(kinds, groups, sums)


_SETS_AND_PAIR = Shelf(
    lambda: _four_sets_library(9, sequences=True), lambda: _four_sets_library(7, sequences=False)
)
_PAIRS = Shelf(lambda: _pairs_library(9), lambda: _pairs_library(7))


@lru_cache(maxsize=1 << 6)
def _within(kinds: Kinds) -> Need:
    """What every column of a game has: no tile that the game is played without."""
    found = []
    for tiles in COLUMN_TILES:
        ranks = frozenset(t.rank for t in tiles if t in kinds)
        found.append(0 if len(ranks) == len(tiles) else only(ranks))
    a, b, c, d = found
    return a, b, c, d


def of_sets_and_pair(hand: Hand, needs: Needs, kinds: Kinds) -> int | None:
    """The fewest tiles a hand lacks of four sets and a pair that meet a need; None where nothing can."""
    melded = (0, 0, 0, 0)
    if hand.melds:
        (a, b, c, d), (w, x, y, z) = hand.all_counts, hand.counts
        melded = a - w, b - x, c - y, d - z
    group = 9 - len(hand.melds)
    lacking = _SETS_AND_PAIR.fewest(hand.counts, melded, needs, _within(kinds), group)
    return lacking if lacking < NEVER else None


def of_pairs(hand: Hand, needs: Needs, kinds: Kinds) -> int | None:
    """The fewest tiles a hand lacks of seven pairs that meet a need; None where nothing can."""
    if hand.melds:
        return None
    lacking = _PAIRS.fewest(hand.counts, (0, 0, 0, 0), needs, _within(kinds), 7)
    return lacking if lacking < NEVER else None
