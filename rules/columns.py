"""What a column of tiles can be: complete, or short of which tiles. One look-up, from a table made beforehand.

A column (one suit, or the honors) is counted in one integer that carries the same tiles in two ways: the low
32 bits number it, with five as base, among all columns, which finds its place in the table; above them stand
four bits for each rank, which answer whether it holds this or that. Adding tiles adds both at once.

Two million columns of a suit are of some 800 different kinds, the `Row`s: the table has a row's number for
each column. Row 0 is that of a column which is neither complete nor one tile short of it.
`python rules/columns.py` makes the file anew.
"""

from __future__ import annotations

import lzma
import os
import sys
from array import array
from functools import cache
from typing import NamedTuple

INDEX = 0xFFFFFFFF  # the part of a count that numbers the column
RANKS = 32  # where the four bits of rank 1 begin

_FILE = os.path.join(os.path.dirname(__file__), "data", "columns.bin")  # noqa: PTH118, PTH120 - pathlib loads slowly
_SUIT_SIZE, _HONOR_SIZE = 5**9, 5**7


class Makeup(NamedTuple):
    """What a way to read a column comes to: the pair's rank or 0, and how many sequences and triplets."""

    pair: int
    sequences: int
    triplets: int


# The states of a column. A full hand has three columns of SETS and one PAIRED; a hand that waits has three of
# SETS and one SHORT, or two of SETS and two PAIRED, of which one is complete and the other waits.
DEAD, SETS, SHORT, PAIRED = range(4)


class Row(NamedTuple):
    """What a column can be.

    state: SETS: sets alone; SHORT: a tile short of sets and a pair; PAIRED: sets and a pair, or a tile short of
    sets alone, or both; DEAD: none of these. waits: a bit for each rank that completes it. makeups: the ways
    to read it, as far as they differ in makeup; () if not complete.
    """

    state: int
    waits: int
    makeups: tuple[Makeup, ...]


class Tables(NamedTuple):
    """The rows, and for each column's number the number of its row: of a suit, and of the honors."""

    rows: list[Row]
    suits: memoryview
    honors: memoryview


def unit(rank: int) -> int:
    """One tile of a rank, as it is added to a column."""
    number: int = 5 ** (rank - 1)
    return number + (1 << RANKS + 4 * (rank - 1))


def ranks(counts: int) -> list[int]:
    """How many tiles a column holds of each rank, from 1 to 9."""
    return [counts >> shift & 0xF for shift in range(RANKS, RANKS + 36, 4)]


@cache
def tables() -> Tables:
    """The tables of the file, read once."""
    with open(_FILE, "rb") as file:  # noqa: PTH123
        raw = memoryview(lzma.decompress(file.read()))
    honors_from, rows_from = 2 * _SUIT_SIZE, 2 * (_SUIT_SIZE + _HONOR_SIZE)
    suits, honors = raw[:honors_from].cast("H"), raw[honors_from:rows_from].cast("H")
    if sys.byteorder == "big":
        return Tables(_unpacked(raw[rows_from:]), _swapped(suits), _swapped(honors))
    return Tables(_unpacked(raw[rows_from:]), suits, honors)


def _swapped(numbers: memoryview) -> memoryview:
    turned = array("H", numbers)
    turned.byteswap()
    return memoryview(turned)


# Making the tables


def _complete(sets: list[tuple[int, bool]], pairs: list[int]) -> dict[int, set[Makeup]]:
    """Every column of at most four sets and one pair, no rank more than four times, with its makeups."""
    found: dict[int, set[Makeup]] = {}

    def grow(counts: int, at: int, sequences: int, triplets: int) -> None:
        found.setdefault(counts, set()).add(Makeup(0, sequences, triplets))
        for rank, pair in enumerate(pairs, 1):
            if max(ranks(counts + pair)) <= 4:
                found.setdefault(counts + pair, set()).add(Makeup(rank, sequences, triplets))
        if sequences + triplets < 4:
            for n in range(at, len(sets)):
                tiles, is_sequence = sets[n]
                if max(ranks(counts + tiles)) <= 4:
                    grow(counts + tiles, n, sequences + is_sequence, triplets + (not is_sequence))

    grow(0, 0, 0, 0)
    return found


def _rows_by_column(kinds: int, *, sequences: bool) -> dict[int, Row]:
    """The row of every column, by its number, that is complete or one tile short."""
    units = [unit(rank) for rank in range(1, kinds + 1)]
    sets = [(3 * u, False) for u in units]
    if sequences:
        sets += [(sum(units[n : n + 3]), True) for n in range(kinds - 2)]
    complete = _complete(sets, [2 * u for u in units])
    waits: dict[int, int] = {}
    for counts in complete:
        for n, held in enumerate(ranks(counts)[:kinds]):
            if held:
                waits[counts - units[n]] = waits.get(counts - units[n], 0) | 1 << n
    return {
        counts & INDEX: Row(
            (SETS, SHORT, PAIRED)[sum(ranks(counts)) % 3],
            waits.get(counts, 0),
            tuple(sorted(complete.get(counts, ()))),
        )
        for counts in waits.keys() | complete.keys()
    }


def build() -> bytes:
    """What the file holds, uncompressed: two bytes a column, suits then honors, then the rows."""
    suits, honors = _rows_by_column(9, sequences=True), _rows_by_column(7, sequences=False)
    rows = [Row(DEAD, 0, ()), *sorted({*suits.values(), *honors.values()})]
    numbers = {row: n for n, row in enumerate(rows)}
    raw = b""
    for size, by_column in ((_SUIT_SIZE, suits), (_HONOR_SIZE, honors)):
        table = array("H", bytes(2 * size))
        for column, row in by_column.items():
            table[column] = numbers[row]
        if sys.byteorder == "big":
            table.byteswap()
        raw += table.tobytes()
    return raw + b"".join(map(_packed, rows))


def _packed(row: Row) -> bytes:
    head = bytes([row.state << 1 | row.waits >> 8, row.waits & 0xFF, len(row.makeups)])
    return head + b"".join(map(bytes, row.makeups))


def _unpacked(raw: memoryview) -> list[Row]:
    rows = []
    at = 0
    while at < len(raw):
        first, low, count = raw[at : at + 3]
        at += 3
        makeups = tuple([Makeup(*raw[n : n + 3]) for n in range(at, at + 3 * count, 3)])
        at += 3 * count
        rows.append(Row(first >> 1, (first & 1) << 8 | low, makeups))
    return rows


if __name__ == "__main__":
    with open(_FILE, "wb") as target:  # noqa: PTH123
        target.write(lzma.compress(build()))
