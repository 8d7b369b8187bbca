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
# At first, columns that need more than so many further tiles are left out: most hands are nearer.
_REACH = 5
_KEPT = 1 << 14  # a cache holds at most so many; past it, it starts anew

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
    """Every complete column of one kind, in groups of one size, the smallest first.

    groups: the columns of each. sizes: how many tiles they have. sums: for two groups the one their columns
    make together, -1 where none. Sets of columns are integers with a bit for each.
    """

    def __init__(
        self,
        kinds: int,
        groups: Sequence[Sequence[Complete]],
        sizes: Sequence[int],
        sums: Sequence[Sequence[int]],
    ) -> None:
        self.kinds = kinds
        self.sums = sums
        self._sizes = sizes
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

    def fewest(self, counts: int, melded: int, wanted: Sequence[int], reach: int) -> list[tuple[int, ...]]:
        """For each of the wanted features and each group, the fewest tiles that a column lacks; NEVER for none.

        counts: a column's tiles. melded: those of it in melds, which leave fewer copies. reach: groups that
        have over so many more tiles than the column are left out.
        """
        ranks = columns.ranks(counts)[: self.kinds]
        most = sum(ranks) + reach
        groups = sum(size <= most for size in self._sizes)
        lacking = (self._tiers.get(groups) or self._tier(groups)).lacking(ranks)
        possible = self._all
        if melded:
            for more, held in zip(self._more, columns.ranks(melded), strict=False):
                if held:
                    possible &= ~more[4 - held]
        having = [self._columns_having(features) & possible for features in wanted]
        found: list[list[int]] = [[] for _ in wanted]
        for span in self._spans[:groups]:
            fewest, nearest = _fewest_of(possible & span, lacking)
            for costs, columns_having in zip(found, having, strict=True):
                # Among the nearest there is mostly one that has the features.
                if nearest & columns_having:
                    costs.append(fewest)
                else:
                    costs.append(_fewest_of(columns_having & span, lacking)[0])
        return [(*costs, *[NEVER] * (len(self._spans) - groups)) for costs in found]

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


class _Sums:
    """What columns come to together, within a reach. Costs by group are kept once each and numbered."""

    def __init__(self, libraries: tuple[Library, Library], reach: int) -> None:
        self.libraries = libraries
        self.reach = reach
        # The features that were ever asked for, of the suits and of the honors; each has its place.
        self._features: tuple[dict[int, int], dict[int, int]] = ({}, {})
        # For each column with its melds, the number of its costs for each of those features.
        self._columns: tuple[dict[tuple[int, int], tuple[int, ...]], ...] = ({}, {})
        self._costs: list[tuple[int, ...]] = []
        self._numbers: dict[tuple[int, ...], int] = {}
        self._joined: dict[int, int] = {}

    def places(self, need: Need) -> Need:
        """The places of a need's features."""
        suits, honors = self._features
        a, b, c = (suits.setdefault(features, len(suits)) for features in need[:3])
        return a, b, c, honors.setdefault(need[3], len(honors))

    def column(self, counts: int, melded: int, is_honors: bool) -> tuple[int, ...]:
        """The numbers of a column's costs, by the place of the features."""
        kept, features = self._columns[is_honors], self._features[is_honors]
        found = kept.get((counts, melded), ())
        if len(found) < len(features):
            if len(kept) >= _KEPT:
                kept.clear()
            costs = self.libraries[is_honors].fewest(counts, melded, list(features), self.reach)
            found = kept[counts, melded] = tuple(map(self._number, costs))
        return found

    def together(self, one: int, two: int, three: int, four: int) -> tuple[int, ...]:
        """By group, the fewest tiles lacking of four columns, given by the numbers of their costs."""
        joined = self._joined
        key = one << 20 | two
        left = joined[key] if key in joined else self._join(key)
        key = three << 20 | four
        right = joined[key] if key in joined else self._join(key)
        key = left << 20 | right
        return self._costs[joined[key] if key in joined else self._join(key)]

    def _number(self, costs: tuple[int, ...]) -> int:
        number = self._numbers.get(costs)
        if number is None:
            number = self._numbers[costs] = len(self._costs)
            self._costs.append(costs)
        return number

    def _join(self, key: int) -> int:
        if len(self._joined) >= 2 * _KEPT:
            self._joined.clear()
        one, two = self._costs[key >> 20], self._costs[key & 0xFFFFF]
        joined = [NEVER] * len(one)
        others = [(m, cost) for m, cost in enumerate(two) if cost < NEVER]
        for n, cost in enumerate(one):
            if cost < NEVER:
                sums = self.libraries[0].sums[n]
                for m, more in others:
                    total = sums[m]
                    if total >= 0 and cost + more < joined[total]:
                        joined[total] = cost + more
        number = self._joined[key] = self._number(tuple(joined))
        return number


class Shelf:
    """The libraries of one shape, of the suits and of the honors."""

    def __init__(self, suits: Callable[[], Library], honors: Callable[[], Library]) -> None:
        self._make = (suits, honors)

    @cached_property
    def _near(self) -> _Sums:
        suits, honors = self._make
        return _Sums((suits(), honors()), _REACH)

    @cached_property
    def _far(self) -> _Sums:
        return _Sums(self._near.libraries, NEVER)

    def fewest(self, counts: Need, melded: Need, needs: Needs, within: Need, group: int) -> int:
        """The fewest tiles lacking of four columns of any need that together make a group; NEVER if none do.

        counts, melded: the hand's columns, concealed and in melds. within: what every need asks for.
        """
        lacking = _fewest(self._near, counts, melded, needs, within, group)
        if lacking <= _REACH + 1:
            # What was left out lacks at least as many.
            return lacking
        return _fewest(self._far, counts, melded, needs, within, group)


def _fewest(sums: _Sums, counts: Need, melded: Need, needs: Needs, within: Need, group: int) -> int:
    first, *others = _plans(sums, needs, within)
    a, b, c = (sums.column(*column, False) for column in zip(counts[:3], melded[:3], strict=True))
    d = sums.column(counts[3], melded[3], True)
    # No need costs less than what they have in common: the search ends where that is reached.
    w, x, y, z = first
    bound = sums.together(a[w], b[x], c[y], d[z])[group]
    if not others or bound == NEVER:
        return bound
    best = NEVER
    for w, x, y, z in others:
        lacking = sums.together(a[w], b[x], c[y], d[z])[group]
        if lacking < best:
            best = lacking
            if best == bound:
                break
    return best


@lru_cache(maxsize=1 << 10)
def _plans(sums: _Sums, needs: Needs, within: Need) -> list[Need]:
    """The places of the features that every need asks for, and then those of each need."""
    a, b, c, d = within
    each = [] if needs == NOTHING else [(a | w, b | x, c | y, d | z) for w, x, y, z in needs]
    return [sums.places(need) for need in (within, *each)]


def _four_sets_library(kinds: int, *, sequences: bool) -> Library:
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
    sizes = [3 * (n // 2) + 2 * (n % 2) for n in range(10)]
    sums = [[-1] * 10 for _ in range(10)]
    for n, m in product(range(10), range(10)):
        if n + m < 10 and not n & m & 1:
            sums[n][m] = n + m
    return Library(kinds, groups, sizes, sums)


def _pairs_library(kinds: int) -> Library:
    """The columns of pairs, by how many there are; four alike are two pairs."""
    groups: list[list[Complete]] = [[] for _ in range(8)]
    for pairs in product((0, 1, 2), repeat=kinds):
        if sum(pairs) <= 7:
            held = sum(2 * n << 4 * at for at, n in enumerate(pairs))
            groups[sum(pairs)].append(Complete(held, 0, 0, 0))
    sums = [[n + m if n + m <= 7 else -1 for m in range(8)] for n in range(8)]
    return Library(kinds, groups, [2 * n for n in range(8)], sums)


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
    group = 9 - 2 * len(hand.melds)
    lacking = _SETS_AND_PAIR.fewest(hand.counts, melded, needs, _within(kinds), group)
    return lacking if lacking < NEVER else None


def of_pairs(hand: Hand, needs: Needs, kinds: Kinds) -> int | None:
    """The fewest tiles a hand lacks of seven pairs that meet a need; None where nothing can."""
    if hand.melds:
        return None
    lacking = _PAIRS.fewest(hand.counts, (0, 0, 0, 0), needs, _within(kinds), 7)
    return lacking if lacking < NEVER else None
