"""Every complete column of tiles, and what can be demanded of one.

A `Library` holds all complete columns of a kind (of one suit, or of the honors), each as one bit of long
integers. So what each of them has or lacks is found for all at once: a feature is the set of columns that have
it, and the missing tiles of every rank are added up bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from . import columns

NEVER = 99  # more tiles than any hand lacks


class Complete(NamedTuple):
    """A complete column read in one way. held: four bits a rank. pair: the pair's rank or 0."""

    held: int
    pair: int
    sequences: int
    triplets: int


class Library:
    """Every complete column of one kind, in groups of one size, the smallest first.

    groups: the columns of each. sums: for two groups the one their columns make together, -1 where none. Sets of
    columns are integers with a bit for each.
    """

    def __init__(
        self,
        kinds: int,
        groups: Sequence[Sequence[Complete]],
        sums: Sequence[Sequence[int]],
    ) -> None:
        self.kinds = kinds
        self.sums = sums
        self._spans = []
        at = 0
        for group in groups:
            self._spans.append((1 << len(group)) - 1 << at)
            at += len(group)
        self._all = (1 << at) - 1
        every = [column for group in groups for column in group]
        self.with_triplet = _bits(bytes([c.triplets > 0 for c in every]), 0)
        self.with_sequence = _bits(bytes([c.sequences > 0 for c in every]), 0)
        pairs = bytes([c.pair for c in every])
        self._paired = [_bits(bytes(n == rank for n in pairs), 0) for rank in range(kinds + 1)]
        self._more = []  # for each rank, the columns that hold more than 0, 1, 2 and 3 of it
        for shift in range(0, 4 * kinds, 4):
            held = bytes([c.held >> shift & 0xF for c in every])
            self._more.append([_bits(held, n) for n in range(4)])
        self._having: dict[int, int] = {}
        self._tiers: dict[int, _Tier] = {}

    def holding(self, ranks: Iterable[int]) -> int:
        """The columns that hold any of these ranks."""
        found = 0
        for rank in ranks:
            if rank <= self.kinds:
                found |= self._more[rank - 1][0]
        return found

    def paired(self, ranks: Iterable[int]) -> int:
        """The columns with a pair of any of these ranks; rank 0: without a pair."""
        found = 0
        for rank in ranks:
            if rank <= self.kinds:
                found |= self._paired[rank]
        return found

    def fewest(self, counts: int, melded: int, wanted: Iterable[int], groups: int) -> list[tuple[int, ...]]:
        """For each of the wanted features and each group, the fewest tiles that a column lacks; NEVER for none.

        counts: a column's tiles. melded: those of it in melds, which leave fewer copies. groups: how many of
        the groups are looked at, the smallest first.
        """
        lacking, possible = self._lacking(counts, groups), self._possible(melded)
        having = [self._columns_having(features) & possible for features in wanted]
        found: list[list[int]] = [[] for _ in having]
        for span in self._spans[:groups]:
            fewest, nearest = _fewest_of(possible & span, lacking)
            for costs, columns_having in zip(found, having, strict=True):
                # Among the nearest there is mostly one that has the features.
                if nearest & columns_having:
                    costs.append(fewest)
                else:
                    costs.append(_fewest_of(columns_having & span, lacking)[0])
        return [(*costs, *[NEVER] * (len(self._spans) - groups)) for costs in found]

    def nearest(self, counts: int, melded: int, features: int, group: int, groups: int) -> int:
        """The columns of a group with these features that lack fewest tiles: those of which `fewest` tells how many."""
        having = self._columns_having(features) & self._possible(melded) & self._spans[group]
        return _fewest_of(having, self._lacking(counts, groups))[1]

    def holding_more(self, rank: int, number: int) -> int:
        """The columns that hold more than so many, 0 to 3, of a rank."""
        return self._more[rank - 1][number]

    def _lacking(self, counts: int, groups: int) -> list[int]:
        """How many tiles each column of the smallest groups has beyond these, by bits."""
        return (self._tiers.get(groups) or self._tier(groups)).lacking(columns.ranks(counts)[: self.kinds])

    def _possible(self, melded: int) -> int:
        """The columns for which tiles in melds leave copies enough."""
        possible = self._all
        if melded:
            for more, held in zip(self._more, columns.ranks(melded), strict=False):
                if held:
                    possible &= ~more[4 - held]
        return possible

    def _tier(self, groups: int) -> _Tier:
        mask = sum(self._spans[:groups])
        tier = self._tiers[groups] = _Tier([[plane & mask for plane in more] for more in self._more])
        return tier

    def _columns_having(self, features: int) -> int:
        having = self._having.get(features)
        if having is None:
            having = self._all
            for n, having_it in enumerate(_FEATURES):
                if features >> n & 1:
                    having &= having_it(self)
            self._having[features] = having
        return having


def _fewest_of(some: int, lacking: Sequence[int]) -> tuple[int, int]:
    """The fewest tiles that any of these columns lacks, NEVER if there are none, and those that lack so many."""
    if not some:
        return NEVER, 0
    fewest = 0
    for bit in lacking:
        fewer = some & ~bit
        if fewer:
            some = fewer
            fewest += fewest
        else:
            fewest += fewest + 1
    return fewest, some


class _Tier:
    """The columns of the smallest groups of a library. more: for each rank, those that hold more than 0, 1, 2
    and 3 of it."""

    def __init__(self, more: Sequence[Sequence[int]]) -> None:
        # For each rank and number held, how many more each column has: the bits of that number.
        self._short = [[_sum([[plane] for plane in planes[held:]]) for held in range(5)] for planes in more]
        self._thirds: dict[tuple[int, ...], list[int]] = {}

    def lacking(self, ranks: Sequence[int]) -> list[int]:
        """How many tiles each column has beyond these: the bits of that number, the highest first."""
        return _sum([self._third(at, ranks[at : at + 3]) for at in range(0, len(ranks), 3)])[::-1]

    def _third(self, at: int, ranks: Sequence[int]) -> list[int]:
        key = (at, *ranks)
        found = self._thirds.get(key)
        if found is None:
            if len(self._thirds) >= 1 << 9:
                self._thirds.clear()
            short = self._short[at : at + 3]
            found = self._thirds[key] = _sum([s[held] for s, held in zip(short, ranks, strict=True)])
        return found


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
            if n >= len(number) and not carry:
                found += total[n:]
                break
            b = number[n] if n < len(number) else 0
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
ENDS = feature(lambda library: library.holding((1, 9)))
TRIPLET = feature(lambda library: library.with_triplet)
NO_SEQUENCE = feature(lambda library: ~library.with_sequence)
PAIR_OF_258 = feature(lambda library: library.paired((0, 2, 5, 8)))  # or no pair here


@cache
def only(ranks: frozenset[int]) -> int:
    """The feature that no other rank is held."""
    others = [rank for rank in range(1, 10) if rank not in ranks]
    return feature(lambda library: ~library.holding(others))


# Libraries


def four_sets(kinds: int, *, sequences: bool) -> Library:
    """The columns of up to four sets, without and with a pair: group 2 × sets + pairs."""
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
    groups = [group for pair in zip(of_sets, with_pair, strict=True) for group in pair]
    sums = [[-1] * 10 for _ in range(10)]
    for n, m in product(range(10), range(10)):
        if n + m < 10 and not n & m & 1:
            sums[n][m] = n + m
    return Library(kinds, groups, sums)


def pairs(kinds: int) -> Library:
    """The columns of pairs, by how many there are; four alike are two pairs."""
    groups: list[list[Complete]] = [[] for _ in range(8)]
    for pairs in product((0, 1, 2), repeat=kinds):
        if sum(pairs) <= 7:
            held = sum(2 * n << 4 * at for at, n in enumerate(pairs))
            groups[sum(pairs)].append(Complete(held, 0, 0, 0))
    sums = [[n + m if n + m <= 7 else -1 for m in range(8)] for n in range(8)]
    return Library(kinds, groups, sums)
