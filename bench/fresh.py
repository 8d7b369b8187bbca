"""What the engine costs a process that starts: time to the first verdict, memory, files."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).parents[1]

# Linux adds up ru_maxrss over fork and exec, so it shows the memory of a large parent, which this one is;
# VmHWM is of the process alone.
_PEAK = """
def peak():
    import resource, sys
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
    except OSError:
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
"""
_FIRST_VERDICT = """
import rules
game = rules.ruleset("changchun")
game.judge(game.parse("123m 45556p 78s SSS +9s")).findings
"""
_MANY_HANDS = """
import sys
import rules
for line in sys.stdin:
    key, text = line.rstrip().split(" ", 1)
    game = rules.ruleset(key)
    verdict = game.judge(game.parse(text))
    verdict.findings, verdict.waits, verdict.summary, verdict.distance, verdict.payments
"""


@dataclass(frozen=True)
class Cost:
    """One number beside its goal, which is an upper limit; limit None: there to compare with."""

    name: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none."""
        return None if self.limit is None else self.value < self.limit


def costs(texts: Iterable[str], starts: int) -> list[Cost]:
    """Times of a start, medians of so many, and peaks of memory; texts: hands as "key notation"."""
    lines = list(texts)
    bare, first = [], []
    _run(_FIRST_VERDICT)  # the first one may have to compile
    for _ in range(starts):
        bare.append(_run(""))
        first.append(_run(_FIRST_VERDICT))
    peak = _run(_MANY_HANDS, "\n".join(lines))[1]
    data = sum(file.stat().st_size for file in (ROOT / "rules" / "data").rglob("*") if file.is_file())
    return [
        Cost("start of Python alone", median(seconds for seconds, _ in bare) * 1000, "ms"),
        Cost("start, import, first verdict", median(seconds for seconds, _ in first) * 1000, "ms", 60),
        Cost("memory of Python alone", median(size for _, size in bare) / 1e6, "MB"),
        Cost("memory after the first verdict", median(size for _, size in first) / 1e6, "MB", 40),
        Cost(f"memory after {len(lines):,} hands", peak / 1e6, "MB", 40),
        Cost("data files", data / 1e3, "KB", 200),
    ]


def _run(script: str, given: str = "") -> tuple[float, int]:
    """Seconds from start to end of a Python process, and the bytes of memory it had at most."""
    code = f"{script}{_PEAK}print(peak())"
    start = perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input=given, capture_output=True, text=True, check=True
    )
    return perf_counter() - start, int(done.stdout)
