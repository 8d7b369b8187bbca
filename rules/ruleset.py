"""A game as a value, and how a hand is judged by it.

A `Ruleset` holds what one region plays with: tiles, shapes, rules of a win, patterns that pay, ways to win.
Judging runs along one line: every reading of the hand → each rule's status → patterns of the readings
that win → the one that pays most. Nothing here knows which region it serves.

The quick part decides; the words come later. A `Verdict` keeps what was decided and makes findings, waits
and sentences when somebody asks for them, from the very rules that decided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from . import nearness, notation
from .circumstances import Circumstances
from .hands import Hand
from .house import House, HouseRule, checked
from .nearness import NOTHING, Needs
from .payments import Line, Prize, totals
from .readings import Outline, Outlined, Reading, Shape
from .table import Table
from .text import Text, listed, plural
from .tiles import Tile, TileSet

_Status = Callable[["Hand", "Outlined | None", Circumstances], str]
_Statuses = Sequence[tuple[str, _Status]]

PASS, FAIL, WAIVED, OPEN = "pass", "fail", "waived", "open"


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


class Fix(NamedTuple):
    """One exchange that makes a losing hand win. out: a concealed tile or the winning tile. total: what the
    win would be worth."""

    out: Tile
    into: Tile
    total: int
    message: Text


class Draws(NamedTuple):
    """The tiles that bring a hand nearer to a win, each with its copies left. discard: the tile given up first,
    None where the hand is one tile short already."""

    discard: Tile | None
    tiles: tuple[tuple[Tile, int], ...]

    @property
    def left(self) -> int:
        """How many copies of these tiles the hand does not hold."""
        return sum(left for _, left in self.tiles)


class Wait(NamedTuple):
    """A tile that completes the hand. left: copies the hand does not hold. fails: the rules it would break."""

    tile: Tile
    left: int
    fails: tuple[str, ...]


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

    def missing(self, hand: Hand, circumstances: Circumstances = Circumstances()) -> int | None:
        """How many tiles of the nearest win this hand lacks: 0 for a win, 1 for a ready hand; None where no
        exchange of concealed tiles can ever make it win. hand: full or one tile short."""
        found = [self._missing_in(shape, hand, circumstances) for shape in self.shapes]
        return min((n for n in found if n is not None), default=None)

    def _missing_in(self, shape: Shape, hand: Hand, circumstances: Circumstances) -> int | None:
        needs = NOTHING
        for rule in self.rules[1:]:
            more = rule.needs(shape, hand, circumstances)
            if more is not NOTHING:
                needs = more if needs is NOTHING else nearness.both(needs, more)
        return shape.missing(hand, needs, self.tiles.kinds) if needs else None

    def fixes(self, hand: Hand, circumstances: Circumstances = Circumstances()) -> list[tuple[Tile, Tile]]:
        """The exchanges of one tile (out, in) that make a full hand win which does not, in canonical order."""
        found = []
        for out in sorted(set(hand.loose)):
            found += [(out, into) for into in self.waits(hand.without(out), circumstances)]
        return found

    def draws(self, hand: Hand, circumstances: Circumstances = Circumstances()) -> list[Draws]:
        """What to draw, and for a full hand what to discard first, so that a win comes nearer; most copies first.

        hand: one that neither wins nor can't. A discard that takes the hand further from a win is left out.
        """
        if not hand.is_full:
            return [self._draws(None, hand, self.missing(hand, circumstances), circumstances)]
        nearest = self.missing(hand, circumstances)
        kept = [(t, hand.without(t)) for t in sorted(set(hand.loose))]
        found = [
            self._draws(t, rest, nearest, circumstances)
            for t, rest in kept
            if self.missing(rest, circumstances) == nearest
        ]
        return sorted(found, key=lambda draws: -draws.left)

    def _draws(
        self, discard: Tile | None, hand: Hand, missing: int | None, circumstances: Circumstances
    ) -> Draws:
        if missing is None:
            return Draws(discard, ())
        nearer = missing - 1
        tiles = [t for t in self.tiles.tiles if hand.left(t) > 0]
        helping = [t for t in tiles if self.missing(hand.with_winning(t), circumstances) == nearer]
        return Draws(discard, tuple((t, hand.left(t)) for t in helping))

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
        status = rule.status(hand, reading, self.circumstances)
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
        return self.ruleset.all_waits(self.hand, self.circumstances)

    @property
    def waits(self) -> list[Wait]:
        """The tiles that win the hand without its winning tile."""
        return [w for w in self._completions if not w.fails]

    @property
    def blocked_waits(self) -> list[Wait]:
        """The tiles that complete a shape but break a rule."""
        return [w for w in self._completions if w.fails]

    @cached_property
    def distance(self) -> int | None:
        """Exchanges of concealed tiles before the hand is ready, for a full hand after its best discard.

        -1 for a win, None where no exchange can ever make it win.
        """
        if self.wins:
            return -1
        missing = self.ruleset.missing(self.hand, self.circumstances)
        return None if missing is None else missing - 1

    @cached_property
    def all_fixes(self) -> list[Fix]:
        """Every exchange of one tile that makes a losing full hand win, the win that pays most first."""
        if self.wins or not self.is_full or self.distance != 0:
            return []
        game = self.ruleset
        found = []
        for out, into in game.fixes(self.hand, self.circumstances):
            mended = game.judge(self.hand.exchanged(out, into), self.circumstances)
            total = mended.total or 0
            old, new, worth = game.tiles.name(out), game.tiles.name(into), game.measure.total(total)
            words = Text(
                f"Change {old.en} for {new.en}: {worth.en}.", f"{old.zh}换成{new.zh}就能胡：{worth.zh}。"
            )
            found.append(Fix(out, into, total, words))
        return sorted(found, key=lambda fix: -fix.total)

    @property
    def fixes(self) -> list[Fix]:
        """The first dozen of them."""
        return self.all_fixes[:12]

    @cached_property
    def draws(self) -> list[Draws]:
        """What to draw, and from a full hand to discard, on the way to a win; [] for a win or a hand that can't."""
        return [] if self.distance in (-1, None) else self.ruleset.draws(self.hand, self.circumstances)

    @property
    def nearness(self) -> tuple[Text, ...]:
        """How far the hand is from a win, in a sentence; () for a win or a ready hand."""
        if self.distance is None:
            return (
                Text(
                    "No exchange of tiles can make this hand win as things stand.",
                    "照现在这样，换哪张牌都胡不了。",
                ),
            )
        if self.is_full and self.distance == 0:
            return (Text("One tile away from a win.", "差一张就胡。"),)
        if self.distance > 0:
            away = plural(self.distance, "tile")
            return (Text(f"{away.capitalize()} away from ready.", f"差{self.distance}张听牌。"),)
        return ()

    @cached_property
    def prize(self) -> Prize | None:
        """The win as it is paid, None where the hand does not win or no winning tile is set apart."""
        if not self.wins or self.hand.winning is None:
            return None
        return self.ruleset.table.prize(self.circumstances, self.patterns, self.total or 0, self.hand.winning)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Who pays whom for the win, and why, line by line."""
        return self.ruleset.table.win_lines(self.prize) if self.prize else ()

    @property
    def payments(self) -> tuple[int, int, int, int] | None:
        """What each seat gains or loses by the win, None where nothing is paid yet."""
        return totals(self.lines) if self.prize else None

    @cached_property
    def changed_by(self) -> list[HouseRule]:
        """The house rules without whose choice this table would judge the hand otherwise."""
        game = self.ruleset
        chosen = game.house.chosen
        changing = []
        for option in game.options:
            if option.key in chosen:
                others = {key: value for key, value in chosen.items() if key != option.key}
                without = game.with_options(others).judge(self.hand, self.circumstances)
                if without._outcome != self._outcome:
                    changing.append(option)
        return changing

    @property
    def _outcome(self) -> tuple[object, ...]:
        fails = self.chosen.fails if self.chosen else None
        waits = [(wait.tile, wait.fails) for wait in self._completions]
        return self.state, fails, self.patterns, self.payments, waits

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
