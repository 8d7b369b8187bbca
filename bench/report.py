"""The results as a table for people or as JSON for programs."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from . import contenders as who
from .fresh import Cost
from .hands import KINDS
from .puzzles import LIMIT, Making
from .timing import Row

_PEERS = (who.MAHJONG, who.XIANGTING, who.MAHJONG_GB)
_MET = {True: "met", False: "NOT MET", None: ""}
_NOTES = f"""\
µs a hand: medians of the rounds. In brackets: how many times as long as {who.OURS} (above 1, ours is faster).
The waits of mahjong are 34 win checks; {{by_distance}}
xiangting's are the flags of calculate_necessary_tiles, PyMahjongGB's those of RegularShanten.
PyMahjongGB says by an exception that a hand does not win. Values are of self-drawn wins.
The peers know nothing of the games' own rules, so to them a blocked hand is a win."""


@dataclass(frozen=True)
class Results:
    """All that a run has measured, and how."""

    rows: list[Row]
    costs: list[Cost]
    puzzles: list[Making]
    size: int
    rounds: int
    warm: int


def as_text(results: Results) -> str:
    """The table, every number beside its goal."""
    lines = [
        f"{_machine()}; {results.rounds} rounds of {results.size} unseen hands a row, "
        f"after {results.warm} others of each kind"
    ]
    lines += [f"  {kind}: {meaning}" for kind, meaning in KINDS.items()]
    for game in dict.fromkeys(row.game for row in results.rows):
        mine = [row for row in results.rows if row.game is game]
        lines += ["", f"{game.name.en}, {4 * len(game.tiles.tiles)} tiles, µs a hand"]
        lines += _table([("", "hand", who.OURS, *_PEERS, "goal", "")] + [_cells(row) for row in mine])
    lines += ["", "A fresh process"]
    lines += _table(
        [
            (c.name, f"{c.value:.1f} {c.unit}", f"< {c.limit:g} {c.unit}" if c.limit else "", _MET[c.met])
            for c in results.costs
        ]
    )
    lines += [
        "",
        "Puzzles made by chance: median and 95th percentile, and the slowest median of a game and level",
    ]
    lines += _table(
        [
            (
                p.kind,
                f"{p.middle:.2f} ms",
                f"{p.late:.2f} ms",
                f"{p.slowest:.2f} ms",
                f"< {LIMIT:g} ms",
                _MET[p.met],
            )
            for p in results.puzzles
        ]
    )
    slow = who.MAHJONG_BY_DISTANCE
    by_distance = ", ".join(
        f"{row.time(slow):.0f} µs ({row.ratio(slow):.0f}×) with {row.game.name.en}'s tiles"
        for row in results.rows
        if slow in row.times
    )
    return "\n".join([*lines, "", _NOTES.format(by_distance=f"34 of its distances take {by_distance};")])


def as_json(results: Results) -> dict[str, Any]:
    """The same for programs; ratios are how many times as long as ours a peer takes."""
    return {
        "machine": _machine(),
        "rounds": results.rounds,
        "hands_a_round": results.size,
        "warm_up_hands": results.warm,
        "rows": [
            {
                "ruleset": row.game.key,
                "task": row.task,
                "hand": row.kind,
                "us": {name: round(row.time(name), 3) for name in row.times},
                "ratio": {name: round(row.ratio(name), 3) for name in row.times if name != who.OURS},
                "goal": row.goal.words if row.goal else None,
                "met": row.met,
            }
            for row in results.rows
        ],
        "fresh_process": [
            {"name": c.name, "value": round(c.value, 2), "unit": c.unit, "below": c.limit, "met": c.met}
            for c in results.costs
        ],
        "puzzles": [
            {
                "kind": p.kind,
                "median_ms": round(p.middle, 3),
                "p95_ms": round(p.late, 3),
                "slowest_median_ms": round(p.slowest, 3),
                "below": LIMIT,
                "met": p.met,
            }
            for p in results.puzzles
        ],
    }


def _cells(row: Row) -> tuple[str, ...]:
    peers = (
        f"{row.time(name):.2f} ({row.ratio(name):.2f}×)" if name in row.times else "–" for name in _PEERS
    )
    goal = row.goal.words if row.goal else ""
    return row.task, row.kind, f"{row.time(who.OURS):.2f}", *peers, goal, _MET[row.met]


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    """Columns of even width: the numbers to the right, words to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    aligned = [
        "  ".join(
            cell.rjust(width) if cell[:1].isdigit() or cell == "–" else cell.ljust(width)
            for cell, width in zip(row, widths, strict=True)
        )
        for row in rows
    ]
    return [f"  {line}".rstrip() for line in aligned]


def _machine() -> str:
    peers = ", ".join(f"{name} {version(name)}" for name in _PEERS)
    return f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores; {peers}"
