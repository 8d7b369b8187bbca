"""A game as a value, and how a hand is judged by it.

A `Ruleset` holds what one region plays with: tiles, shapes, rules of a win, patterns that pay, ways to win.
Judging runs along one line: every reading of the hand → each rule's status → patterns of the readings
that win → the one that pays most. Nothing here knows which region it serves.

The quick part decides; the words come later. A `Verdict` keeps what was decided and makes findings, waits
and sentences when somebody asks for them, from the very rules that decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from . import notation
from .circumstances import Circumstances
from .hands import Hand
from .readings import Outline, Outlined, Reading, Shape
from .text import Text, listed
from .tiles import Tile, TileSet

_Statuses = Sequence[tuple[str, Callable[["Hand", "Outlined | None"], str]]]

PASS, FAIL, WAIVED, OPEN = "pass", "fail", "waived", "open"


class Evidence(NamedTuple):
    """What shows a rule's status: the tiles, the sentence, and the source rules where they differ from the rule's own."""

    tiles: tuple[Tile, ...]
    message: Text
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Rule:
    """A clause that a win must meet.

    status: `PASS`, `FAIL`, `WAIVED`, or `OPEN` where it can't be told without a reading, which is then None.
    explain: the evidence for a status. cites: ids of the source rules. is_final: what fails a tile short fails
    for good.
    """

    key: str
    name: Text
    cites: tuple[str, ...]
    status: Callable[[Hand, Outlined | None], str]
    explain: Callable[[Ruleset, Hand, Reading | None, str], Evidence]
    is_final: bool = False


@dataclass(frozen=True, eq=False)
class Pattern:
    """Something a win is paid for.

    worth: fan or big wins. holds: whether a win has it. needs_winning_tile: it can't be told while no tile
    is set apart. is_moment: a situation that somebody must name, not seen from the tiles; complaint says
    why it can't be, or None. implied_by: the way to win that names it already.
    """

    key: str
    name: Text
    meaning: Text
    worth: int
    cites: tuple[str, ...]
    holds: Callable[[Win], bool]
    needs_winning_tile: bool = False
    is_moment: bool = False
    complaint: Callable[[Ruleset, Hand, Circumstances], Text | None] | None = None
    implied_by: str | None = None


@dataclass(frozen=True, eq=False)
class Way:
    """How the winning tile may come. self_drawn: it comes from nobody. complaint: why it can't be, or None."""

    key: str
    name: Text
    self_drawn: bool = False
    complaint: Callable[[Ruleset, Hand, Circumstances], Text | None] | None = None


@dataclass(frozen=True)
class Measure:
    """What patterns are counted in: the JSON key, and a total in words."""

    key: str
    name: Text
    total: Callable[[int], Text]


@dataclass(frozen=True)
class Example:
    """A hand worth looking at: a title and the query that judges it."""

    title: Text
    hand: str
    given: tuple[tuple[str, str], ...] = ()


class Win(NamedTuple):
    """A reading that breaks no rule, with its circumstances: what a pattern looks at.

    bao_drawn: the winning tile is a bao drawn after 听, and stands for another. patterns: those found so far.
    """

    ruleset: Ruleset
    hand: Hand
    reading: Reading
    circumstances: Circumstances
    bao_drawn: bool
    patterns: dict[str, int]

    @property
    def is_only_wait(self) -> bool:
        """Whether the hand legally waited for its winning tile alone."""
        game, winning = self.ruleset, self.hand.winning
        waiting = self.hand.without_winning()
        for shape in game.shapes:
            for kind in shape.completing(waiting):
                if kind is not winning and game.wins(waiting.with_winning(kind)):
                    return False
        return True


class Judged(NamedTuple):
    """A reading with what came of it: the keys of the rules it breaks, and where it breaks none, its patterns."""

    hand: Hand
    reading: Reading
    fails: tuple[str, ...]
    patterns: dict[str, int]
    total: int

    @property
    def wins(self) -> bool:
        """Whether this reading breaks no rule."""
        return not self.fails


class Finding(NamedTuple):
    """A rule's status in a verdict, with the tiles that show it and the reason in words."""

    rule: Rule
    status: str
    tiles: tuple[Tile, ...]
    cites: tuple[str, ...]
    message: Text


class Wait(NamedTuple):
    """A tile that completes the hand. left: copies the hand does not hold. fails: the rules it would break."""

    tile: Tile
    left: int
    fails: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Ruleset:
    """One region's game. inputs: the circumstances it uses beside `by`, `seat` and `from`.

    substitutes: the tiles that a winning tile may stand for, best first to be tried, or None.
    rules[0] is the shape. Everything is in the order in which it is shown.
    """

    key: str
    name: Text
    tiles: TileSet
    shapes: tuple[Shape, ...]
    rules: tuple[Rule, ...]
    patterns: tuple[Pattern, ...]
    ways: tuple[Way, ...]
    measure: Measure
    inputs: tuple[str, ...] = ()
    substitutes: Callable[[Ruleset, Hand, Circumstances], list[Tile]] | None = None
    examples: tuple[Example, ...] = ()

    def parse(self, text: str) -> Hand:
        """The hand written in a text; raises HandError as `notation.parse` does."""
        return notation.parse(text, self.tiles)

    def judge(self, hand: Hand, circumstances: Circumstances = Circumstances()) -> Verdict:
        """The verdict on a hand, full or one tile short."""
        if not hand.is_full:
            return Verdict(self, hand, circumstances, None, [], False)
        if self.substitutes and hand.winning and (stand_ins := self.substitutes(self, hand, circumstances)):
            judged = [j for t in stand_ins for j in self._read(hand.with_winning(t), circumstances, True)]
            best = _best(judged)
            return Verdict(
                self, hand, circumstances, best, [j for j in judged if best and j.hand is best.hand], True
            )
        judged = self._read(hand, circumstances, False)
        return Verdict(self, hand, circumstances, _best(judged), judged, False)

    def wins(self, hand: Hand) -> bool:
        """Whether a full hand has a reading that breaks no rule: the quickest way to ask."""
        return any(not _broken(hand, reading, self._statuses) for reading in self._readings(hand))

    def waits(self, hand: Hand) -> list[Tile]:
        """The tiles that win a hand one tile short, in canonical order."""
        return [wait.tile for wait in self.all_waits(hand) if not wait.fails]

    def all_waits(self, hand: Hand) -> list[Wait]:
        """The tiles that complete a shape, in canonical order, with the rules each would break.

        hand: one tile short, or full with its winning tile, which then counts among the copies alone.
        """
        waiting = hand if hand.winning is None else hand.without_winning()
        found: list[Wait] = []
        several = False
        for shape in self.shapes:
            waits = shape.waits(shape, waiting)
            several = several or bool(found and waits)
            for kind, outlines in waits:
                fails = self._least_broken(waiting.with_winning(kind), outlines)
                found.append(tuple.__new__(Wait, (kind, hand.left(kind), fails)))
        return _merged(found) if several else found

    def _least_broken(self, hand: Hand, outlines: list[Outline]) -> tuple[str, ...]:
        """The keys of the rules that the reading which breaks fewest breaks."""
        least = _broken(hand, outlines[0], self._statuses)
        for outline in outlines[1:]:
            if not least:
                break
            least = min(least, _broken(hand, outline, self._statuses), key=len)
        return least

    def pattern(self, key: str) -> Pattern:
        """The pattern of a key; KeyError where there is none."""
        return self._patterns[key]

    def rule(self, key: str) -> Rule:
        """The rule of a key; KeyError where there is none."""
        return self._rules[key]

    @cached_property
    def _patterns(self) -> dict[str, Pattern]:
        return {p.key: p for p in self.patterns}

    @cached_property
    def _rules(self) -> dict[str, Rule]:
        return {r.key: r for r in self.rules}

    @cached_property
    def _holding(self) -> list[tuple[str, int, Callable[[Win], bool]]]:
        return [(p.key, p.worth, p.holds) for p in self.patterns]

    @cached_property
    def _holding_unmarked(self) -> list[tuple[str, int, Callable[[Win], bool]]]:
        return [(p.key, p.worth, p.holds) for p in self.patterns if not p.needs_winning_tile]

    @cached_property
    def _statuses(self) -> _Statuses:
        return tuple((r.key, r.status) for r in self.rules[1:])

    def _readings(self, hand: Hand) -> list[Reading]:
        first, *others = self.shapes
        found = first.readings(first, hand)
        for shape in others:
            if not (shape.fallback and found):
                found += shape.readings(shape, hand)
        return found

    def _read(self, hand: Hand, circumstances: Circumstances, bao_drawn: bool) -> list[Judged]:
        judged = []
        for reading in self._readings(hand):
            fails = _broken(hand, reading, self._statuses)
            if fails:
                judged.append(Judged(hand, reading, fails, {}, -1))
                continue
            found: dict[str, int] = {}
            win = tuple.__new__(Win, (self, hand, reading, circumstances, bao_drawn, found))
            total = 0
            for key, worth, holds in self._holding if hand.winning else self._holding_unmarked:
                if holds(win):
                    found[key] = worth
                    total += worth
            judged.append(tuple.__new__(Judged, (hand, reading, (), found, total)))
        return judged


def _broken(hand: Hand, outline: Outlined, statuses: _Statuses) -> tuple[str, ...]:
    """The keys of the rules that a reading breaks."""
    fails: tuple[str, ...] = ()
    for key, status in statuses:
        if status(hand, outline) is FAIL:
            fails += (key,)
    return fails


def _merged(waits: list[Wait]) -> list[Wait]:
    """Each tile once, in canonical order, as the shape that breaks fewest rules has it."""
    best: dict[Tile, Wait] = {}
    for wait in waits:
        if wait.tile not in best or len(wait.fails) < len(best[wait.tile].fails):
            best[wait.tile] = wait
    return sorted(best.values(), key=lambda wait: wait.tile.order)


def _best(judged: list[Judged]) -> Judged | None:
    """The reading that pays most or, where none wins, breaks fewest rules; the first of equals."""
    if len(judged) < 2:
        return judged[0] if judged else None
    return max(judged, key=lambda j: (j.total, -len(j.fails)))


class Verdict:
    """What a ruleset says of a hand. state: `win`, `not-win`, `ready` or `not-ready`.

    chosen: the reading the verdict stands on, None where the hand has none. The rest is worked out when
    asked for, and follows from the chosen reading alone.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        hand: Hand,
        circumstances: Circumstances,
        chosen: Judged | None,
        judged: list[Judged],
        bao_drawn: bool,
    ) -> None:
        self.ruleset = ruleset
        self.hand = hand
        self.circumstances = circumstances
        self.chosen = chosen
        self.judged = judged
        self.bao_drawn = bao_drawn

    @property
    def wins(self) -> bool:
        """Whether the hand is full and wins."""
        return self.chosen is not None and not self.chosen.fails

    @cached_property
    def is_full(self) -> bool:
        """Whether the hand has all its tiles."""
        return self.hand.is_full

    @property
    def state(self) -> str:
        """`win`, `not-win`, or for a hand one tile short `ready`, `not-ready`."""
        if self.is_full:
            return "win" if self.wins else "not-win"
        return "ready" if self.waits else "not-ready"

    @property
    def patterns(self) -> dict[str, int]:
        """What the win is paid for and how much, by key; {} where the hand does not win."""
        return self.chosen.patterns if self.chosen else {}

    @property
    def total(self) -> int | None:
        """Fan or big wins in all, None where the hand does not win."""
        return self.chosen.total if self.chosen and self.wins else None

    @property
    def stands_for(self) -> Tile | None:
        """The tile that a drawn bao stands for, else None."""
        return self.chosen.hand.winning if self.bao_drawn and self.chosen else None

    @cached_property
    def readings(self) -> list[Judged]:
        """Every reading, the chosen one first, then those that pay more or fail less."""
        rest = [j for j in self.judged if j is not self.chosen]
        rest.sort(key=lambda j: (-j.total, len(j.fails)))
        return [self.chosen, *rest] if self.chosen else []

    @cached_property
    def findings(self) -> list[Finding]:
        """Every rule of the ruleset with its status, in order."""
        hand = self.chosen.hand if self.chosen else self.hand
        reading = self.chosen.reading if self.chosen else None
        return [self._finding(rule, hand, reading) for rule in self.ruleset.rules]

    def _finding(self, rule: Rule, hand: Hand, reading: Reading | None) -> Finding:
        status = rule.status(hand, reading)
        if not self.is_full and status == FAIL and not rule.is_final:
            status = OPEN
        if status == OPEN:
            words = _OPEN_SHORT if not self.is_full else _OPEN_SHAPELESS
            return Finding(rule, status, (), rule.cites, words)
        evidence = rule.explain(self.ruleset, hand, reading, status)
        return Finding(rule, status, evidence.tiles, evidence.cites or rule.cites, evidence.message)

    @cached_property
    def _completions(self) -> list[Wait]:
        if self.is_full and self.hand.winning is None:
            return []
        return self.ruleset.all_waits(self.hand)

    @property
    def waits(self) -> list[Wait]:
        """The tiles that win the hand without its winning tile."""
        return [w for w in self._completions if not w.fails]

    @property
    def blocked_waits(self) -> list[Wait]:
        """The tiles that complete a shape but break a rule."""
        return [w for w in self._completions if w.fails]

    @cached_property
    def summary(self) -> Text:
        """The verdict in one sentence."""
        tiles = self.ruleset.tiles
        if self.wins:
            total = self.ruleset.measure.total(self.total or 0)
            return Text(f"A win: {total.en}.", f"胡了：{total.zh}。")
        if self.is_full:
            first = next(f for f in self.findings if f.status == FAIL)
            english = first.message.en
            return Text(f"Not a win yet: {english[0].lower()}{english[1:]}", f"还不能胡：{first.message.zh}")
        if self.waits:
            names = tiles.names([w.tile for w in self.waits], last=Text("or", "、"))
            return Text(f"Ready: waits for {names.en}.", f"听牌了：听{names.zh}。")
        if self.blocked_waits:
            names = tiles.names([w.tile for w in self.blocked_waits], last=Text("or", "或"))
            broken = {key: None for w in self.blocked_waits for key in w.fails}
            rules = listed([self.ruleset.rule(key).name for key in broken])
            rule = "a rule" if len(broken) == 1 else "rules"
            return Text(
                f"Not ready: {names.en} would complete the shape, but break {rule}: {rules.en.lower()}.",
                f"还没听牌：来了{names.zh}牌型能成，可是不符合“{rules.zh}”。",
            )
        return Text("Not ready: no single tile would complete this hand.", "还没听牌：再来哪一张都胡不了。")


_OPEN_SHORT = Text("To be judged when the hand is complete.", "等牌齐了再看。")
_OPEN_SHAPELESS = Text("Can't be told before the hand has a shape.", "牌型没成，还看不出来。")
