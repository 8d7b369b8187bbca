"""A game as a value, and how a hand is judged by it.

A `Ruleset` holds what one region plays with: tiles, shapes, rules of a win, patterns that pay, ways to win.
Judging runs along one line: every reading of the hand → each rule's status → patterns of the readings
that win → the one that pays most. Nothing here knows which region it serves.

The quick part decides; the words come later, in a `Verdict`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from . import notation
from .circumstances import Circumstances
from .hands import Hand
from .house import House, HouseRule, checked
from .nearness import NOTHING, Needs
from .readings import Outline, Outlined, Reading, Shape
from .table import Table
from .text import Text
from .tiles import Tile, TileSet
from .verdict import FAIL, Draws, Judged, Verdict, Wait

_Status = Callable[["Hand", "Outlined | None", Circumstances], str]
_Statuses = Sequence[tuple[str, _Status]]


class Evidence(NamedTuple):
    """What shows a rule's status: the tiles, the sentence, and the source rules where they differ from the rule's own."""

    tiles: tuple[Tile, ...]
    message: Text
    cites: tuple[str, ...] = ()


Complaint = Callable[["Ruleset", "Hand | None", Circumstances], "Text | None"]


@dataclass(frozen=True, eq=False)
class Rule:
    """A clause that a win must meet.

    status: `PASS`, `FAIL`, `WAIVED`, or `OPEN` where it can't be told without a reading, which is then None.
    explain: the evidence for a status. cites: ids of the source rules. needs: what the concealed tiles of a
    win of this shape must have so that the rule is met, melds being as they are. is_final: what fails a tile
    short fails for good. options: the house rules it was made by.
    """

    key: str
    name: Text
    cites: tuple[str, ...]
    status: _Status
    explain: Callable[[Ruleset, Hand, Reading | None, str], Evidence]
    needs: Callable[[Shape, Hand, Circumstances], Needs] = lambda shape, hand, circumstances: NOTHING
    is_final: bool = False
    options: tuple[HouseRule, ...] = ()


@dataclass(frozen=True, eq=False)
class Pattern:
    """Something a win is paid for.

    worth: fan or big wins. holds: whether a win has it. needs_winning_tile: it can't be told while no tile
    is set apart. is_moment: a situation that somebody must name, not seen from the tiles; complaint says
    why it can't be, or None; it gets no hand where only the worth of a win is known. implied_by: the way to
    win that names it already. worth_of: the worth where it differs from win to win. options: the house rules
    it was made by.
    """

    key: str
    name: Text
    meaning: Text
    worth: int
    cites: tuple[str, ...]
    holds: Callable[[Win], bool]
    needs_winning_tile: bool = False
    is_moment: bool = False
    complaint: Complaint | None = None
    implied_by: str | None = None
    worth_of: Callable[[Win], int] | None = None
    options: tuple[HouseRule, ...] = ()


@dataclass(frozen=True, eq=False)
class Way:
    """How the winning tile may come. self_drawn: it comes from nobody. complaint: why it can't be, or None."""

    key: str
    name: Text
    self_drawn: bool = False
    complaint: Complaint | None = None
    options: tuple[HouseRule, ...] = ()


class Found(NamedTuple):
    """An opening found among dealt tiles: the tiles that make it, and what it pays or allows."""

    tiles: tuple[Tile, ...]
    message: Text


@dataclass(frozen=True, eq=False)
class Opening:
    """Something the dealt tiles hold that may be shown before play.

    found: for the dealt tiles (14 are the dealer's), each way in which they make it. is_win: it is settled as
    a win, not as an opening. options: the house rules it was made by.
    """

    key: str
    name: Text
    meaning: Text
    cites: tuple[str, ...]
    found: Callable[[Ruleset, Hand], list[Found]]
    is_win: bool = False
    options: tuple[HouseRule, ...] = ()


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
                if kind is not winning and game.wins(waiting.with_winning(kind), self.circumstances):
                    return False
        return True


@dataclass(frozen=True, eq=False)
class Ruleset:
    """One region's game. inputs: the circumstances it uses beside `by`, `seat` and `from`.

    substitutes: the tiles that a winning tile may stand for, best first to be tried, or None.
    make_table: makes the table at which it is played; called when that is first asked for, as a verdict alone
    needs none. house: what is chosen where tables differ. build: makes the same game for another house.
    lines: the ids of all lines of the rule text it is made from. background: those that nothing is played by,
    each with the reason, in English for those who keep the rules. rules[0] is the shape. Everything is in the order in which it is shown.
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
    openings: tuple[Opening, ...] = ()
    make_table: Callable[[House], Table] = Table
    house: House = House()
    build: Callable[[House], Ruleset] | None = None
    lines: tuple[str, ...] = ()
    background: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @cached_property
    def table(self) -> Table:
        """What is played and paid around a win."""
        return self.make_table(self.house)

    @cached_property
    def options(self) -> tuple[HouseRule, ...]:
        """Every house rule of the game, in the order of what it changes."""
        found = [
            *(rule.options for rule in self.rules),
            *(pattern.options for pattern in self.patterns),
            *(way.options for way in self.ways),
            *(opening.options for opening in self.openings),
            *(ruling.options for ruling in self.table.rulings),
        ]
        return tuple({option.key: option for options in found for option in options}.values())

    def with_options(self, chosen: Mapping[str, str]) -> Ruleset:
        """The game as a table plays it that has chosen these; all else by default. Raises HandError `bad-option`."""
        if not chosen and not self.house.chosen:
            return self
        changed = checked(self.name, self.options, chosen)
        if changed == dict(self.house.chosen) or self.build is None:
            return self
        return _built(self.build, tuple(changed.items()))

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

    def wins(self, hand: Hand, circumstances: Circumstances = Circumstances()) -> bool:
        """Whether a full hand has a reading that breaks no rule: the quickest way to ask."""
        statuses = self._statuses
        return any(not _broken(hand, reading, statuses, circumstances) for reading in self._readings(hand))

    def waits(self, hand: Hand, circumstances: Circumstances = Circumstances()) -> list[Tile]:
        """The tiles that win a hand one tile short, in canonical order."""
        return [wait.tile for wait in self.all_waits(hand, circumstances) if not wait.fails]

    def all_waits(self, hand: Hand, circumstances: Circumstances = Circumstances()) -> list[Wait]:
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
                fails = self._least_broken(waiting.with_winning(kind), outlines, circumstances)
                found.append(tuple.__new__(Wait, (kind, hand.left(kind), fails)))
        return _merged(found) if several else found

    def _least_broken(
        self, hand: Hand, outlines: list[Outline], circumstances: Circumstances
    ) -> tuple[str, ...]:
        """The keys of the rules that the reading which breaks fewest breaks."""
        least = _broken(hand, outlines[0], self._statuses, circumstances)
        for outline in outlines[1:]:
            if not least:
                break
            least = min(least, _broken(hand, outline, self._statuses, circumstances), key=len)
        return least

    def missing(
        self, hand: Hand, circumstances: Circumstances = Circumstances(), least: int = 0
    ) -> int | None:
        """How many tiles of the nearest win this hand lacks: 0 for a win, 1 for a ready hand; None where no
        exchange of concealed tiles can ever make it win.

        hand: full or one tile short. least: what it is known to be at least, which saves looking further.
        """
        found = [self._missing_in(shape, hand, circumstances, least) for shape in self.shapes]
        return min((n for n in found if n is not None), default=None)

    def _missing_in(self, shape: Shape, hand: Hand, circumstances: Circumstances, least: int) -> int | None:
        demands = self._demands(shape, hand, circumstances)
        return None if demands is None else shape.missing(hand, demands, self.tiles.kinds, least)

    def _demands(self, shape: Shape, hand: Hand, circumstances: Circumstances) -> tuple[Needs, ...] | None:
        """What the rules need of a win of this shape, melds being as they are; None where nothing can meet it."""
        demands: tuple[Needs, ...] = ()
        for rule in self.rules[1:]:
            more = rule.needs(shape, hand, circumstances)
            if not more:
                return None
            if more is not NOTHING:
                demands += (more,)
        return demands

    def fixes(self, hand: Hand, circumstances: Circumstances = Circumstances()) -> list[tuple[Tile, Tile]]:
        """The exchanges of one tile (out, in) that make a full hand win which does not, in canonical order."""
        found = []
        for out in sorted(set(hand.loose)):
            found += [(out, into) for into in self.waits(hand.without(out), circumstances)]
        return found

    def draws(
        self, hand: Hand, circumstances: Circumstances = Circumstances(), least: int = 0
    ) -> list[Draws]:
        """What to draw, and for a full hand what to discard first, so that a win comes nearer; most copies first.

        hand: one that neither wins nor can't. A discard that takes the hand further from a win is left out. least:
        how many tiles it is known to lack at least, which saves looking further.
        """
        kinds = self.tiles.kinds
        missing = []
        for shape in self.shapes:
            demands = self._demands(shape, hand, circumstances)
            lacking = None if demands is None else shape.missing(hand, demands, kinds, least)
            if lacking is not None and demands is not None:
                missing.append((shape, demands, lacking))
        if not missing:
            return [] if hand.is_full else [Draws(None, ())]
        # A tile takes no shape nearer by more than one: only the nearest ones count.
        nearest = min(lacking for _, _, lacking in missing)
        helping: dict[Tile | None, set[Tile]] = {}
        for shape, demands, lacking in missing:
            if lacking == nearest:
                for discard, tiles in shape.steps(hand, demands, kinds, nearest).items():
                    helping.setdefault(discard, set()).update(tiles)
        found = []
        for discard in sorted(set(hand.loose)) if hand.is_full else [None]:
            if discard in helping:
                left = [(t, hand.left(t)) for t in sorted(helping[discard], key=_ORDER)]
                found.append(Draws(discard, tuple([(t, n) for t, n in left if n > 0])))
        return sorted(found, key=lambda draws: -draws.left)

    def pattern(self, key: str) -> Pattern:
        """The pattern of a key; KeyError where there is none."""
        return self._patterns[key]

    def rule(self, key: str) -> Rule:
        """The rule of a key; KeyError where there is none."""
        return self._rules[key]

    def ruling(self, key: str) -> Callable[..., Any]:
        """The method of its table that is the ruling of a key. ValueError where the table has none."""
        found = next((ruling for ruling in self.table.rulings if ruling.key == key), None)
        if found is None:
            raise ValueError(f"{self.key} has no table ruling {key!r}")
        method: Callable[..., Any] = getattr(self.table, found.method)
        return method

    @cached_property
    def _patterns(self) -> dict[str, Pattern]:
        return {p.key: p for p in self.patterns}

    @cached_property
    def _rules(self) -> dict[str, Rule]:
        return {r.key: r for r in self.rules}

    @cached_property
    def _holding(self) -> list[_Holding]:
        return [(p.key, p.worth, p.holds, p.worth_of) for p in self.patterns]

    @cached_property
    def _holding_unmarked(self) -> list[_Holding]:
        return [(p.key, p.worth, p.holds, p.worth_of) for p in self.patterns if not p.needs_winning_tile]

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
            fails = _broken(hand, reading, self._statuses, circumstances)
            if fails:
                judged.append(Judged(hand, reading, fails, {}, -1))
                continue
            found: dict[str, int] = {}
            win = tuple.__new__(Win, (self, hand, reading, circumstances, bao_drawn, found))
            total = 0
            for key, worth, holds, worth_of in self._holding if hand.winning else self._holding_unmarked:
                if holds(win):
                    if worth_of:
                        worth = worth_of(win)
                    found[key] = worth
                    total += worth
            judged.append(tuple.__new__(Judged, (hand, reading, (), found, total)))
        return judged


_ORDER = attrgetter("order")
_Holding = tuple[str, int, Callable[[Win], bool], "Callable[[Win], int] | None"]


@lru_cache(maxsize=256)
def _built(build: Callable[[House], Ruleset], chosen: tuple[tuple[str, str], ...]) -> Ruleset:
    return build(House(dict(chosen)))


def _broken(
    hand: Hand, outline: Outlined, statuses: _Statuses, circumstances: Circumstances
) -> tuple[str, ...]:
    """The keys of the rules that a reading breaks."""
    fails: tuple[str, ...] = ()
    for key, status in statuses:
        if status(hand, outline, circumstances) is FAIL:
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
