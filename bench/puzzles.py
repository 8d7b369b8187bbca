"""What it takes to make a puzzle, by kind: the time of the one in the middle, and of one in twenty."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

ROOT = Path(__file__).parents[1]
LIMIT = 5.0  # ms


@dataclass(frozen=True)
class Making:
    """A kind of puzzle with the ms that half of all puzzles take at most, and those of all but one in twenty.

    slowest: the highest median of any game and level, which is what the goal is for.
    """

    kind: str
    middle: float
    late: float
    slowest: float

    @property
    def met(self) -> bool:
        """Whether the goal is met."""
        return self.slowest < LIMIT


def makings(number: int) -> list[Making]:
    """Every kind, from so many puzzles of each game and level, made in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.puzzles", str(number)],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tutor.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    return [Making(*row) for row in json.loads(done.stdout)]


def _measure(number: int) -> list[tuple[str, float, float, float]]:
    import django

    django.setup()
    import rules
    from tutor.content import load
    from tutor.content.shelf import Shelf
    from tutor.puzzles.hands import LEVELS
    from tutor.puzzles.kinds import KINDS
    from tutor.puzzles.puzzle import Key, puzzle

    stock = Shelf.of(load.check().pieces)
    found = []
    for kind in KINDS:
        every: list[float] = []
        slowest = 0.0
        for game in rules.rulesets().values():
            for level in LEVELS:
                puzzle(Key(kind, game, level, number), stock)  # what is found out once is found out now
                times = []
                for seed in range(number):
                    start = perf_counter()
                    puzzle(Key(kind, game, level, seed), stock)
                    times.append((perf_counter() - start) * 1000)
                slowest = max(slowest, median(times))
                every += times
        found.append((kind, median(every), quantiles(every, n=20)[-1], slowest))
    return found


if __name__ == "__main__":
    print(json.dumps(_measure(int(sys.argv[1]))))
