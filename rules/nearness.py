"""How near a hand is to a win: the fewest tiles it lacks of any full hand that breaks no rule.

Rules say what they need of a win in the language of columns (one suit, or the honors): this column holds a 1 or
9, that one a triplet, no column a sequence. A need puts such features on the four columns; where a rule may be
met in several ways, there are several needs.

For most columns of a suit a table, made beforehand, says at a look what they lack (`make tables`). The others, those
of which tiles are in melds and the honors, are looked up in the library of all complete columns. What two columns come
to together is kept, as they are seen again in other hands. What brings a hand nearer follows from all ways to the
nearest there is: a tile helps where one of them lacks it, and another can be given up where one is left without it.
"""

from __future__ import annotations

import lzma
import os
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import product
from threading import RLock
from typing import NamedTuple

from . import columns, features
from .features import EMPTY, ENDS, HELD, NEVER, NO_SEQUENCE, PAIR_OF_258, TRIPLET, Library
from .hands import Hand
from .tiles import COLUMN_TILES, COLUMNS, Kinds, Tile

Need = tuple[int, int, int, int]
Needs = tuple[Need, ...]
NOTHING: Needs = ((0, 0, 0, 0),)
IMPOSSIBLE: Needs = ()

_FILE = os.path.join(os.path.dirname(__file__), "data", "nearness.bin")  # noqa: PTH118, PTH120 - pathlib loads slowly
_MOST = 11  # a column of more tiles is not in the table
_GROUPS = 10
_IN_TABLE = (0, ENDS, TRIPLET, ENDS | TRIPLET, PAIR_OF_258, NO_SEQUENCE)
_HONOR_COLUMN = 3  # the one that is no suit's
_CHANGING = RLock()  # held where something gets the next number, which two threads could both give it
_KEPT = 1 << 14  # a cache holds at most so many; past it, it starts anew

Costs = tuple[int, ...]
# For each tile that a full hand may give up without lacking more, and None for a hand one tile short, the tiles
# with which it then lacks one less.
Steps = dict["Tile | None", set[Tile]]
_Part = tuple[int, int]  # of a way: the place of a column's features, and the group that it makes
_Way = tuple[_Part, _Part, _Part, _Part]


def both(needs: Needs, more: Needs) -> Needs:
    """The needs that meet one of each: all pairs of them, put together."""
    return tuple(
        sorted({(a | w, b | x, c | y, d | z) for (a, b, c, d), (w, x, y, z) in product(needs, more)})
    )


class Table(NamedTuple):
    """What columns of a suit lack. costs: by group, each once. rows: for each kind of column the numbers of its
    costs, one for each of the features in the table, all after each other. row_of: the row of each column, where
    `_places` says."""

    costs: list[Costs]
    rows: memoryview
    row_of: memoryview


_LOW = 5**5  # a column's number is taken apart into that of ranks 1 to 5, and that of 6 to 9


def _tiles(number: int) -> int:
    """How many tiles a column of this number has."""
    held = 0
    while number:
        number, digit = divmod(number, 5)
        held += digit
    return held


@cache
def _places() -> tuple[list[int], list[int], list[int]]:
    """Where columns stand in the table: for each number of ranks 6 to 9 where its columns begin and how many they
    are, for each number of ranks 1 to 5 its place among them. Those of fewest tiles come first, so that the ones
    with few enough tiles are always the first."""
    low = sorted(range(_LOW), key=lambda number: (_tiles(number), number))
    place = [0] * _LOW
    for n, number in enumerate(low):
        place[number] = n
    up_to = [sum(_tiles(number) <= most for number in low) for most in range(_MOST + 1)]
    starts, lengths, at = [], [], 0
    for number in range(5**4):
        left = _MOST - _tiles(number)
        starts.append(at)
        lengths.append(up_to[left] if left >= 0 else 0)
        at += lengths[-1]
    return starts, lengths, place


def table() -> Table:
    """The table of the file."""
    with open(_FILE, "rb") as file:  # noqa: PTH123
        raw = memoryview(lzma.decompress(file.read()))
    count = int.from_bytes(raw[:2], "little")
    end = 2 + count * _GROUPS
    costs = [tuple(raw[n : n + _GROUPS]) for n in range(2, end, _GROUPS)]
    numbers = array("H", raw[end:].tobytes())
    if sys.byteorder == "big":
        numbers.byteswap()
    size = numbers[0] * len(_IN_TABLE)
    flat = memoryview(numbers)
    return Table(costs, flat[1 : 1 + size], flat[1 + size :])


def build() -> bytes:
    """What the file holds, uncompressed: how many costs and each of them, how many rows and each of them, then
    the row of each column."""
    library = features.four_sets(9, sequences=True)
    found = {
        number: tuple(library.fewest(counts, 0, _IN_TABLE, _GROUPS))
        for number, counts in _columns(1, _MOST, 0, 0)
    }
    costs = sorted({one for row in found.values() for one in row})
    place_of = {one: n for n, one in enumerate(costs)}
    rows = sorted(set(found.values()))
    row_place = {row: n for n, row in enumerate(rows)}
    starts, _, place = _places()
    row_of = array("H", [0] * len(found))
    for number, row in found.items():
        high, low = divmod(number, _LOW)
        row_of[starts[high] + place[low]] = row_place[row]
    numbers = array("H", [len(rows), *(place_of[one] for row in rows for one in row)]) + row_of
    if sys.byteorder == "big":
        numbers.byteswap()
    return len(costs).to_bytes(2, "little") + b"".join(map(bytes, costs)) + numbers.tobytes()


def write() -> None:
    """Make the file anew, which takes half a minute."""
    with open(_FILE, "wb") as file:  # noqa: PTH123
        file.write(lzma.compress(build()))


def _columns(rank: int, left: int, number: int, counts: int) -> Iterator[tuple[int, int]]:
    """Every column of at most so many more tiles of this rank and up: its number and its counts."""
    if rank > 9:
        yield number, counts
        return
    for held in range(min(4, left) + 1):
        unit = columns.unit(rank)
        yield from _columns(
            rank + 1, left - held, number + held * (unit & columns.INDEX), counts + held * unit
        )


# Adding columns up


class Shelf:
    """The libraries of one shape, of the suits and of the honors, and what columns of theirs come to together.

    Costs by group are kept once each and numbered. kept: the table for columns of a suit, if there is one.
    """

    def __init__(
        self,
        suits: Callable[[], Library],
        honors: Callable[[], Library],
        kept: Callable[[], Table] | None = None,
    ) -> None:
        self._libraries = (cache(suits), cache(honors))  # each made when first looked into
        self._kept = kept
        # The features that were ever asked for, of the suits and of the honors; each has its place.
        self._features: tuple[dict[int, int], dict[int, int]] = ({}, {})
        # For each column looked up in a library, the numbers of its costs by the place of the features.
        self._columns: tuple[dict[tuple[int, int, int], tuple[int, ...]], ...] = ({}, {})
        self._costs: list[Costs] = []
        self._numbers: dict[Costs, int] = {}
        self._joined: dict[int, int] = {}  # of two columns, by the numbers of both
        self._whole: dict[int, int] = {}  # of four columns for one group, by those of both halves
        self._rows: list[tuple[int, ...]] = []
        self._row_of: memoryview = memoryview(b"")
        self._in_table = 0  # how many of the features have their place in the table's rows

    def fewest(
        self,
        counts: Need,
        melded: Need,
        demands: tuple[Needs, ...],
        within: Need,
        group: int,
        least: int = 0,
    ) -> int:
        """The fewest tiles lacking of four columns that meet a need of each demand and together make a group;
        NEVER if none do.

        counts, melded: the hand's columns, concealed and in melds. within: what is asked of all columns. least:
        what the answer is known to be at least.
        """
        rounds, most = self._prepared(demands, within)
        rows = [self._row(n, counts[n], melded[n], group, most) for n in range(COLUMNS)]
        a, b, c, d = rows
        joined, whole = self._joined, self._whole
        best = bound = least
        for plans in rounds:
            best = NEVER
            for w, x, y, z in plans:
                key = a[w] << 16 | b[x]
                left = joined[key] if key in joined else self._join(key)
                key = c[y] << 16 | d[z]
                right = joined[key] if key in joined else self._join(key)
                key = (left << 16 | right) << 4 | group
                lacking = whole[key] if key in whole else self._add(key)
                if lacking < best:
                    best = lacking
                    if best <= bound:
                        break
            # All demands together cost no less than some of them: the search ends where that is reached.
            bound = max(bound, best)
        return best

    def steps(
        self,
        counts: Need,
        melded: Need,
        demands: tuple[Needs, ...],
        within: Need,
        group: int,
        lacking: int,
        is_full: bool,
    ) -> Steps:
        """What brings four columns, of which `fewest` says that they lack so many, nearer by one."""
        rounds, most = self._prepared(demands, within)
        rows = [self._row(n, counts[n], melded[n], group, most) for n in range(COLUMNS)]
        ways = self._ways(rounds[-1], rows, group, lacking)
        helped = [
            self._helped(n, counts[n], melded[n], group, most, {way[n] for way in ways}, is_full)
            for n in range(COLUMNS)
        ]
        kept = [by_discard[None] for by_discard in helped]
        if not is_full:
            return {None: {tile for parts in kept for tiles in parts.values() for tile in tiles}}
        found: Steps = {}
        for n, by_discard in enumerate(helped):
            for discard, parts in by_discard.items():
                left = ways if len(parts) == len(kept[n]) else [way for way in ways if way[n] in parts]
                if discard and left:
                    then = [*kept[:n], parts, *kept[n + 1 :]]
                    asked = {(m, part) for way in left for m, part in enumerate(way)}
                    found[discard] = {tile for m, part in asked for tile in then[m][part]}
        return found

    def _helped(
        self, column: int, counts: int, melded: int, group: int, most: int, asked: set[_Part], is_full: bool
    ) -> dict[Tile | None, dict[_Part, list[Tile]]]:
        """The tiles that help a column in each of its parts of ways, with nothing given up (None), and for a full
        hand with each tile given up that this part can do without."""
        tiles = [t for t in COLUMN_TILES[column] if (counts + melded) >> t.shift & 0xF < 4]
        held = [t for t in COLUMN_TILES[column] if counts >> t.shift & 0xF] if is_full else []
        found: dict[Tile | None, dict[_Part, list[Tile]]] = {discard: {} for discard in (None, *held)}
        if melded or column == _HONOR_COLUMN or sum(columns.ranks(counts)) >= _MOST:
            library = self._libraries[column == _HONOR_COLUMN]()
            by_place = list(self._features[column == _HONOR_COLUMN])
            more = [(t, library.holding_more(t.rank, counts >> t.shift & 0xF)) for t in tiles]
            for place, part in asked:
                nearest = library.nearest(counts, melded, by_place[place], part, group + 1)
                helping = [(t, with_it) for t, with_it in more if nearest & with_it]
                found[None][place, part] = [t for t, _ in helping]
                for discard in held:
                    fewer = nearest & ~library.holding_more(discard.rank, (counts >> discard.shift & 0xF) - 1)
                    if fewer:
                        found[discard][place, part] = [t for t, with_it in helping if fewer & with_it]
            return found
        costs = self._costs
        row = self._column(counts, melded, group, most)
        now = {(place, part): costs[row[place]][part] for place, part in asked}
        for given_up, parts in found.items():
            rest = counts
            if given_up:
                rest -= given_up.unit
                row = self._column(rest, melded, group, most)
            grown = [
                (t, self._column(rest + t.unit, melded, group, most)) for t in tiles if t is not given_up
            ]
            for (place, part), cost in now.items():
                if costs[row[place]][part] == cost:
                    parts[place, part] = [t for t, after in grown if costs[after[place]][part] < cost]
            if not given_up:  # what helps with a tile less helps with it too
                tiles = [t for t in tiles if any(t in helping for helping in parts.values())]
        return found

    def _ways(
        self, plans: list[Need], rows: Sequence[tuple[int, ...]], group: int, lacking: int
    ) -> list[_Way]:
        """All ways to the nearest there is."""
        a, b, c, d = rows
        costs, making = self._costs, self._making
        ways = dict[_Way, None]()
        for w, x, y, z in plans:
            left, right = self._both(a[w], b[x]), self._both(c[y], d[z])
            if self._whole_of(left, right, group) > lacking:
                continue
            first, second, third, fourth = costs[a[w]], costs[b[x]], costs[c[y]], costs[d[z]]
            some, others = costs[left], costs[right]
            for n, m in making[group]:
                if some[n] + others[m] != lacking:
                    continue
                for i, j in making[n]:
                    if first[i] + second[j] == some[n]:
                        for k, o in making[m]:
                            if third[k] + fourth[o] == others[m]:
                                ways[(w, i), (x, j), (y, k), (z, o)] = None
        return list(ways)

    def _both(self, some: int, others: int) -> int:
        key = some << 16 | others
        return self._joined[key] if key in self._joined else self._join(key)

    def _whole_of(self, some: int, others: int, group: int) -> int:
        key = (some << 16 | others) << 4 | group
        return self._whole[key] if key in self._whole else self._add(key)

    def _prepared(self, demands: tuple[Needs, ...], within: Need) -> tuple[list[list[Need]], int]:
        if self._kept and not self._in_table:
            with _CHANGING:
                if not self._in_table:
                    self._take_over(self._kept())
        return _rounds(self, demands, within)

    def _row(self, column: int, counts: int, melded: int, group: int, most: int) -> tuple[int, ...]:
        if column == _HONOR_COLUMN:
            return self._looked_up(counts, melded, group, True)
        return self._column(counts, melded, group, most)

    def places(self, need: Need) -> Need:
        """The places of a need's features."""
        suits, honors = self._features
        with _CHANGING:
            a, b, c = (suits.setdefault(asked, len(suits)) for asked in need[:3])
            return a, b, c, honors.setdefault(need[3], len(honors))

    def _take_over(self, kept: Table) -> None:
        """Start from the table: its rows, the same for columns that must hold a tile, and the empty column."""
        numbers = [self._number(costs) for costs in kept.costs]
        held = [self._number((NEVER, *costs[1:])) for costs in kept.costs]
        empty = self._number((0, *[NEVER] * (_GROUPS - 1)))
        width = len(_IN_TABLE)
        for n in range(0, len(kept.rows), width):
            row = kept.rows[n : n + width]
            self._rows.append((*[numbers[m] for m in row], *[held[m] for m in row], empty))
        self._row_of = kept.row_of
        suits = self._features[0]
        for asked in (*_IN_TABLE, *(HELD | asked for asked in _IN_TABLE), EMPTY):
            suits.setdefault(asked, len(suits))
        self._in_table = len(suits)

    def _column(self, counts: int, melded: int, group: int, most: int) -> tuple[int, ...]:
        """The numbers of a suit's costs, by the place of the features up to the highest asked for."""
        if not melded and most < self._in_table:
            starts, lengths, places = _places()
            high, low = divmod(counts & columns.INDEX, _LOW)
            place = places[low]
            if place < lengths[high]:
                return self._rows[self._row_of[starts[high] + place]]
        return self._looked_up(counts, melded, group, False)

    def _looked_up(self, counts: int, melded: int, group: int, is_honors: bool) -> tuple[int, ...]:
        kept, asked = self._columns[is_honors], self._features[is_honors]
        key = (counts, melded, group)
        found = kept.get(key, ())
        if len(found) < len(asked):
            if len(kept) >= _KEPT:
                kept.clear()
            costs = self._libraries[is_honors]().fewest(counts, melded, asked, group + 1)
            found = kept[key] = tuple(map(self._number, costs))
        return found

    def _number(self, costs: Costs) -> int:
        number = self._numbers.get(costs)
        if number is None:
            with _CHANGING:
                number = self._numbers.get(costs)
                if number is None:
                    number = len(self._costs)
                    self._costs.append(costs)
                    self._numbers[costs] = number  # last: from now on others look it up
        return number

    def _add(self, key: int) -> int:
        """The fewest tiles lacking of two halves for a group of all."""
        if len(self._whole) >= _KEPT:
            self._whole.clear()
        some, others = self._costs[key >> 20], self._costs[key >> 4 & 0xFFFF]
        fewest = min([some[n] + others[m] for n, m in self._making[key & 0xF]])
        self._whole[key] = fewest = min(fewest, NEVER)
        return fewest

    def _join(self, key: int) -> int:
        if len(self._joined) >= _KEPT:
            self._joined.clear()
        some, others = self._costs[key >> 16], self._costs[key & 0xFFFF]
        joined = [min([some[n] + others[m] for n, m in pairs]) for pairs in self._making]
        number = self._joined[key] = self._number(tuple([min(cost, NEVER) for cost in joined]))
        return number

    @cached_property
    def _making(self) -> list[list[tuple[int, int]]]:
        """For each group the pairs of groups that make it."""
        sums = self._libraries[1]().sums
        return [
            [(n, m) for n, row in enumerate(sums) for m, total in enumerate(row) if total == group]
            for group in range(len(sums))
        ]


@lru_cache(maxsize=1 << 10)
def _rounds(shelf: Shelf, demands: tuple[Needs, ...], within: Need) -> tuple[list[list[Need]], int]:
    """The needs to be tried, by the places of their features: first what is demanded of all, then what each
    demand with several needs asks beside that, at last all of it; and the highest place of a suit."""
    base: Needs = (within,)
    choices = []
    for needs in demands:
        if len(needs) == 1:
            base = both(base, needs)
        else:
            choices.append(needs)
    asked = [base, *(both(base, needs) for needs in choices)]
    if len(choices) > 1:
        every = base
        for needs in choices:
            every = both(every, needs)
        asked.append(every)
    rounds = [[shelf.places(need) for need in needs] for needs in asked]
    return rounds, max(place for plans in rounds for plan in plans for place in plan[:3])


_SETS_AND_PAIR = Shelf(
    lambda: features.four_sets(9, sequences=True), lambda: features.four_sets(7, sequences=False), table
)
_PAIRS = Shelf(lambda: features.pairs(9), lambda: features.pairs(7))


@lru_cache(maxsize=1 << 6)
def _within(kinds: Kinds) -> Need:
    """What every column of a game has: no tile that the game is played without."""
    found = []
    for tiles in COLUMN_TILES:
        ranks = frozenset(t.rank for t in tiles if t in kinds)
        found.append(0 if len(ranks) == len(tiles) else features.only(ranks))
    a, b, c, d = found
    return a, b, c, d


def of_sets_and_pair(hand: Hand, demands: tuple[Needs, ...], kinds: Kinds, least: int = 0) -> int | None:
    """The fewest tiles a hand lacks of four sets and a pair that meet a need of each demand; None where nothing can.

    least: what it is known to be at least.
    """
    melded, group = _melded(hand)
    lacking = _SETS_AND_PAIR.fewest(hand.counts, melded, demands, _within(kinds), group, least)
    return lacking if lacking < NEVER else None


def steps_to_sets_and_pair(hand: Hand, demands: tuple[Needs, ...], kinds: Kinds, lacking: int) -> Steps:
    """What brings a hand nearer by one that lacks so many tiles, as `of_sets_and_pair` says."""
    melded, group = _melded(hand)
    return _SETS_AND_PAIR.steps(hand.counts, melded, demands, _within(kinds), group, lacking, hand.is_full)


def _melded(hand: Hand) -> tuple[Need, int]:
    """A hand's columns in melds, and the group that its other tiles are to make."""
    melded = (0, 0, 0, 0)
    if hand.melds:
        (a, b, c, d), (w, x, y, z) = hand.all_counts, hand.counts
        melded = a - w, b - x, c - y, d - z
    return melded, 9 - 2 * len(hand.melds)


def of_pairs(hand: Hand, demands: tuple[Needs, ...], kinds: Kinds, least: int = 0) -> int | None:
    """The fewest tiles a hand lacks of seven pairs that meet a need of each demand; None where nothing can."""
    if hand.melds:
        return None
    lacking = _PAIRS.fewest(hand.counts, (0, 0, 0, 0), demands, _within(kinds), 7, least)
    return lacking if lacking < NEVER else None


def steps_to_pairs(hand: Hand, demands: tuple[Needs, ...], kinds: Kinds, lacking: int) -> Steps:
    """What brings a hand nearer by one that lacks so many tiles, as `of_pairs` says."""
    return _PAIRS.steps(hand.counts, (0, 0, 0, 0), demands, _within(kinds), 7, lacking, hand.is_full)
