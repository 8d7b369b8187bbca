"""What is timed, in which order, and what comes of it.

The contenders of a row take turns on the same hands, and the rows take turns too, round after round: where
the machine drifts, it drifts for all. Every row and round has hands of its own, which this process has not
seen before. Garbage collection stays on, but passes over the hands that lie ready: whoever it happened to
interrupt would pay for the benchmark's own heap.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter_ns

from rules import Ruleset

from . import contenders as who
from .contenders import Contender
from .hands import ANY, BLOCKED, NEAR, READY, WIN, Deal


@dataclass(frozen=True)
class Goal:
    """How many times as long as ours a peer should take, at least; below 1, it may be faster than ours."""

    peer: str
    factor: float

    @property
    def words(self) -> str:
        """The goal in words."""
        if self.factor >= 1:
            return f"≥ {self.factor:g}× {self.peer}"
        return f"within {1 / self.factor:g}× of {self.peer}"


@dataclass
class Row:
    """One task on one kind of hand, ours first among the contenders. times: µs a hand, a number a round."""

    game: Ruleset
    task: str
    kind: str
    contenders: tuple[Contender, ...]
    goal: Goal | None = None
    times: dict[str, list[float]] = field(default_factory=dict)

    def time(self, name: str) -> float:
        """µs a hand, the median of the rounds."""
        return median(self.times[name])

    def ratio(self, name: str) -> float:
        """How many times as long as ours this contender takes: the median of the rounds' ratios."""
        return median(b / a for a, b in zip(self.times[who.OURS], self.times[name], strict=True))

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none."""
        return self.ratio(self.goal.peer) >= self.goal.factor if self.goal else None


def rows_of(game: Ruleset) -> list[Row]:
    """Everything that is timed of a game."""
    rows: list[Row] = []

    def add(task: str, goals: dict[str, Goal | None], *contenders: Contender) -> None:
        rows.extend(Row(game, task, kind, contenders, goal) for kind, goal in goals.items())

    full = (WIN, BLOCKED, NEAR)
    by_text = Goal(who.MAHJONG, 2)
    win_checks = (who.MAHJONG_WIN_CHECK, who.XIANGTING_WIN_CHECK)
    values = (who.MAHJONG_VALUE, who.MAHJONG_GB_VALUE)

    add("win check, shape alone", dict.fromkeys((WIN, NEAR)), who.OUR_READINGS, *win_checks)
    add("win check, game's rules", dict.fromkeys(full), who.our_win_check(game), *win_checks)
    add("every reading", {WIN: None}, who.OUR_READINGS, who.MAHJONG_READINGS)
    add(
        "waits",
        {READY: Goal(who.XIANGTING, 1 / 3)},
        who.OUR_WAITS,
        who.MAHJONG_WAITS,
        who.MAHJONG_WAITS_BY_DISTANCE,
        who.XIANGTING_WAITS,
        who.MAHJONG_GB_WAITS,
    )
    add(
        "waits with reasons",
        {READY: Goal(who.MAHJONG, 20)},
        who.our_reasoned_waits(game),
        who.MAHJONG_WAITS,
        who.XIANGTING_WAITS,
    )
    add(
        "distance, game's rules",
        dict.fromkeys((ANY, NEAR, BLOCKED), Goal(who.MAHJONG, 1)),
        who.our_distance(game),
        who.MAHJONG_DISTANCE,
        who.XIANGTING_WIN_CHECK,
    )
    add("best discards with their draws", {ANY: None}, who.our_discards(game))
    add("fixes", {BLOCKED: None}, who.our_fixes(game))
    add("verdict", dict.fromkeys(full, Goal(who.MAHJONG_GB, 1 / 2)), who.our_verdict(game), *values)
    add("verdict, all findings built", dict.fromkeys(full), who.our_verdict(game, findings=True), *values)
    add(
        "verdict from text",
        {WIN: Goal(who.MAHJONG, 5), BLOCKED: by_text, NEAR: by_text},
        who.our_verdict(game, from_text=True),
        who.MAHJONG_VALUE_OF_TEXT,
    )
    add(
        "verdict from text, all findings built",
        dict.fromkeys(full),
        who.our_verdict(game, from_text=True, findings=True),
        who.MAHJONG_VALUE_OF_TEXT,
    )
    return rows


class DisagreementError(Exception):
    """A contender does not say of the hands what they were dealt to be, so it does not do the row's work."""


def measure(
    rows: list[Row], deals: dict[str, dict[str, list[Deal]]], warm: int, size: int, rounds: int
) -> None:
    """Fill in the rows' times. deals: by game and kind, `hands_wanted` of each; the first `warm` warm up."""
    gc.collect()
    gc.freeze()  # before the warm-up, so that what the contenders keep is not passed over
    for row in rows:
        _warm_up(row, deals[row.game.key][row.kind][:warm])

    fresh = {
        (key, kind): iter(dealt[warm:]) for key, by_kind in deals.items() for kind, dealt in by_kind.items()
    }
    for n in range(rounds):
        for row in rows:
            source = fresh[row.game.key, row.kind]
            batch = [next(source) for _ in range(size)]
            for contender in row.contenders[:: -1 if n % 2 else 1]:
                row.times.setdefault(contender.name, []).append(_time(contender, batch))


def hands_wanted(rows: list[Row], warm: int, size: int, rounds: int) -> dict[str, int]:
    """How many hands of each kind one game needs."""
    game = rows[0].game
    kinds = [row.kind for row in rows if row.game is game]
    return {kind: warm + kinds.count(kind) * size * rounds for kind in dict.fromkeys(kinds)}


def _warm_up(row: Row, deals: list[Deal]) -> None:
    """Run every contender, and see that it answers as the hands were dealt to be answered."""
    for contender in row.contenders:
        some = deals if contender.name == who.OURS else deals[: max(50, int(500 * contender.share))]
        said = sum(contender.yes(contender.ask(*contender.prepare(deal))) for deal in some)
        expected = 0 if row.kind in (NEAR, ANY) else len(some)
        # Seven pairs and thirteen orphans are no win in some games; a broken rule is one in others.
        if row.kind != BLOCKED and abs(said - expected) > len(some) / 100:
            raise DisagreementError(
                f"{contender.name}, {row.task}, {row.game.key}: says yes to {said} of {len(some)} "
                f"hands of the kind “{row.kind}”"
            )


def _time(contender: Contender, deals: list[Deal]) -> float:
    inputs = [contender.prepare(deal) for deal in deals[: max(1, int(len(deals) * contender.share))]]
    ask = contender.ask
    start = perf_counter_ns()
    for given in inputs:
        ask(*given)
    return (perf_counter_ns() - start) / len(inputs) / 1000
