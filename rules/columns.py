"""What a column of tiles can be: complete, or short of which tiles. One look-up, from a table made beforehand.

A column (one suit, or the honors) is counted in one integer that carries the same tiles in two ways: the low
32 bits number it, with five as base, among all columns, which finds its place in the table; above them stand
four bits for each rank, which answer whether it holds this or that. Adding tiles adds both at once.

The table has 16 bits for each column, described by `WAITS`, `COMPLETE` and `PAIRED`; 0 where the column is
neither complete nor one tile short. `python -m rules.columns` makes the table anew.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterator
from functools import cache
from pathlib import Path

INDEX = 0xFFFFFFFF  # the part of a count that numbers the column
RANKS = 32  # where the four bits of rank 1 begin

WAITS = 0x1FF  # a bit for each rank that completes the column
COMPLETE = 1 << 9  # sets alone, or sets and one pair
PAIRED = 1 << 10  # two tiles over a number of sets: complete with a pair, or one tile short of sets alone

_FILE = Path(__file__).parent / "data" / "columns.bin"
_SUIT_SIZE, _HONOR_SIZE = 5**9, 5**7


def unit(rank: int) -> int:
    """One tile of a rank, as it is added to a column."""
    return 5 ** (rank - 1) + (1 << RANKS + 4 * (rank - 1))


def ranks(counts: int) -> list[int]:
    """How many tiles a column holds of each rank, from 1 to 9."""
    return [counts >> shift & 0xF for shift in range(RANKS, RANKS + 36, 4)]


@cache
def tables() -> tuple[array[int], array[int], array[int], array[int]]:
    """What each column can be, by its number: three suits, which share one table, and the honors."""
    raw = zlib.decompress(_FILE.read_bytes())
    suits, honors = array("H"), array("H")
    suits.frombytes(raw[: 2 * _SUIT_SIZE])
    honors.frombytes(raw[2 * _SUIT_SIZE :])
    if sys.byteorder == "big":
        suits.byteswap()
        honors.byteswap()
    return suits, suits, suits, honors


def _complete_columns(sets: list[int], pairs: list[int]) -> Iterator[int]:
    """Every column of at most four sets and one pair, with no more than four tiles of a rank."""

    def grow(counts: int, at: int, room: int) -> Iterator[int]:
        yield counts
        for pair in pairs:
            if max(ranks(counts + pair)) <= 4:
                yield counts + pair
        if room:
            for n in range(at, len(sets)):
                if max(ranks(counts + sets[n])) <= 4:
                    yield from grow(counts + sets[n], n, room - 1)

    return grow(0, 0, 4)


def _table(size: int, kinds: int, sequences: bool) -> array[int]:
    units = [unit(rank) for rank in range(1, kinds + 1)]
    sets = [3 * u for u in units]
    if sequences:
        sets += [sum(units[n : n + 3]) for n in range(kinds - 2)]
    table = array("H", bytes(2 * size))
    for counts in set(_complete_columns(sets, [2 * u for u in units])):
        held = ranks(counts)
        paired = sum(held) % 3 == 2
        table[counts & INDEX] |= COMPLETE | (PAIRED if paired else 0)
        for n, u in enumerate(units):
            if held[n]:
                table[counts - u & INDEX] |= 1 << n | (0 if paired else PAIRED)
    if sys.byteorder == "big":
        table.byteswap()
    return table


def build() -> bytes:
    """The table as it is kept in its file: little-endian, suits then honors, compressed."""
    suits = _table(_SUIT_SIZE, 9, sequences=True)
    honors = _table(_HONOR_SIZE, 7, sequences=False)
    return zlib.compress(suits.tobytes() + honors.tobytes(), 9)


if __name__ == "__main__":
    _FILE.parent.mkdir(exist_ok=True)
    _FILE.write_bytes(build())
