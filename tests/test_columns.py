"""The table of columns against a plain recursion that tries everything."""

from __future__ import annotations

import lzma
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import columns

SUIT, HONORS = 0, 3
KINDS = {SUIT: 9, HONORS: 7}


def splits(column: int, ranks: tuple[int, ...], pair: int = 0) -> set[tuple[int, int, int]]:
    """Every way to read sorted ranks as sets and at most a pair: pair (rank or 0), sequences, triplets."""
    if not ranks:
        return {(pair, 0, 0)}
    first = ranks[0]
    run = (first, first + 1, first + 2)
    found = set()
    if not pair and ranks[:2] == (first,) * 2:
        found |= splits(column, ranks[2:], first)
    if ranks[:3] == (first,) * 3:
        found |= {(p, s, t + 1) for p, s, t in splits(column, ranks[3:], pair)}
    if column == SUIT and set(run) <= set(ranks):
        found |= {(p, s + 1, t) for p, s, t in splits(column, less(ranks, run), pair)}
    return found


def less(ranks: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    """The ranks without those taken."""
    left = list(ranks)
    for rank in taken:
        left.remove(rank)
    return tuple(left)


def ways(column: int, ranks: tuple[int, ...]) -> set[tuple[int, int, int]]:
    """The ways to read a column that a hand can hold: no rank more than four times, at most 14 tiles."""
    return splits(column, tuple(sorted(ranks))) if at_most_four(ranks) and len(ranks) <= 14 else set()


def at_most_four(ranks: tuple[int, ...]) -> bool:
    return max(map(ranks.count, ranks), default=0) <= 4


def counted(ranks: tuple[int, ...]) -> int:
    """The ranks as one integer."""
    return sum(columns.unit(rank) for rank in ranks)


def row(column: int, ranks: tuple[int, ...]) -> columns.Row:
    """What the table says of a column."""
    rows, suits, honors = columns.tables()
    return rows[(suits if column == SUIT else honors)[counted(ranks) & columns.INDEX]]


def expected(column: int, ranks: tuple[int, ...]) -> columns.Row:
    """What the table ought to say."""
    found = ways(column, ranks)
    waits = sum(1 << n - 1 for n in range(1, KINDS[column] + 1) if ways(column, (*ranks, n)))
    state = (columns.SETS, columns.SHORT, columns.PAIRED)[len(ranks) % 3] if found or waits else columns.DEAD
    return columns.Row(state, waits, tuple(sorted(columns.Makeup(*way) for way in found)))


def legal(column: int, size: int) -> list[tuple[int, ...]]:
    """Every column of so many tiles, none more than four times."""
    kinds = range(1, KINDS[column] + 1)
    found = combinations_with_replacement(kinds, size)
    return [ranks for ranks in found if at_most_four(ranks)]


def test_the_table_file_is_what_its_module_builds() -> None:
    kept = Path(columns.__file__).parent / "data" / "columns.bin"
    assert lzma.decompress(kept.read_bytes()) == columns.build()


def test_the_table_has_a_place_for_every_column() -> None:
    rows, suits, honors = columns.tables()
    assert (len(suits), len(honors)) == (5**9, 5**7)
    assert rows[0] == columns.Row(columns.DEAD, 0, ())
    assert len(set(rows)) == len(rows)
    assert max(max(suits), max(honors)) == len(rows) - 1


@pytest.mark.parametrize("size", range(6))
@pytest.mark.parametrize("column", [SUIT, HONORS])
def test_every_short_column_is_known(column: int, size: int) -> None:
    for ranks in legal(column, size):
        assert row(column, ranks) == expected(column, ranks), ranks


def tiles_of(column: int, size: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Any column of up to so many tiles."""
    ranks = st.integers(1, KINDS[column])
    return st.lists(ranks, max_size=size).map(sorted).map(tuple).filter(at_most_four)


@st.composite
def nearly_complete(draw: st.DrawFn, column: int) -> tuple[int, ...]:
    """Up to four sets and perhaps a pair, sometimes with a tile taken away or exchanged."""
    ranks: list[int] = []
    for _ in range(draw(st.integers(0, 4))):
        if column == SUIT and draw(st.booleans()):
            first = draw(st.integers(1, 7))
            ranks += [first, first + 1, first + 2]
        else:
            ranks += [draw(st.integers(1, KINDS[column]))] * 3
    ranks += [draw(st.integers(1, KINDS[column]))] * draw(st.sampled_from([0, 2]))
    if ranks and draw(st.booleans()):
        ranks.remove(draw(st.sampled_from(ranks)))
        if draw(st.booleans()):
            ranks.append(draw(st.integers(1, KINDS[column])))
    return tuple(sorted(ranks))


@given(st.one_of(tiles_of(SUIT, 14), nearly_complete(SUIT).filter(at_most_four)))
@settings(max_examples=1200, deadline=None)
def test_longer_suits_are_known(ranks: tuple[int, ...]) -> None:
    assert row(SUIT, ranks) == expected(SUIT, ranks)


@given(st.one_of(tiles_of(HONORS, 14), nearly_complete(HONORS).filter(at_most_four)))
@settings(max_examples=400, deadline=None)
def test_longer_honors_are_known(ranks: tuple[int, ...]) -> None:
    assert row(HONORS, ranks) == expected(HONORS, ranks)


@given(tiles_of(SUIT, 14))
@settings(max_examples=200, deadline=None)
def test_a_count_tells_how_many_there_are_of_each_rank(ranks: tuple[int, ...]) -> None:
    assert columns.ranks(counted(ranks)) == [ranks.count(rank) for rank in range(1, 10)]


@pytest.mark.parametrize(
    ("ranks", "waits"),
    [
        ((1, 2), (3,)),
        ((2, 3), (1, 4)),
        ((1, 3), (2,)),
        ((5,), (5,)),
        ((2, 3, 4, 5), (2, 5)),
        ((1, 1, 1, 2), (2, 3)),
        ((1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9), tuple(range(1, 10))),
        ((2, 3, 4, 5, 6, 7, 8), (2, 5, 8)),
        ((5, 5, 5, 5), ()),
        ((1, 4, 7), ()),
    ],
)
def test_well_known_waits(ranks: tuple[int, ...], waits: tuple[int, ...]) -> None:
    mask = row(SUIT, ranks).waits
    assert tuple(rank for rank in range(1, 10) if mask >> rank - 1 & 1) == waits
