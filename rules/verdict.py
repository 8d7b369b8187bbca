"""What a ruleset says of a hand, found out when somebody asks.

A `Verdict` keeps what was decided: the readings, the rules each breaks, what each is worth. Findings, waits,
fixes, payments and sentences are made on demand, from the very rules that decided.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from .circumstances import Circumstances
from .hands import Hand
from .house import HouseRule
from .payments import Line, Prize, totals
from .readings import Reading
from .table import Reason
from .text import Text, listed, plural
from .tiles import Tile

if TYPE_CHECKING:
    from .ruleset import Rule, Ruleset

PASS, FAIL, WAIVED, OPEN = "pass", "fail", "waived", "open"


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
    """One exchange that makes a losing hand win. out: a concealed tile or the winning tile. hand: the hand it
    makes. of_winning: it is the winning tile that goes. total: what the win would be worth."""

    out: Tile
    into: Tile
    hand: Hand
    of_winning: bool
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

    def why_blocked(self, wait: Wait) -> tuple[Text, ...]:
        """Why a blocked wait does not win. No tile stands for another here: it is asked as itself."""
        hand = self.hand.without_winning().with_winning(wait.tile)
        findings = self.ruleset.judge(hand, replace(self.circumstances, bao=None)).findings
        return tuple(finding.message for finding in findings if finding.status == FAIL)

    @cached_property
    def distance(self) -> int | None:
        """Exchanges of concealed tiles before the hand is ready, for a full hand after its best discard.

        -1 for a win, None where no exchange can ever make it win.
        """
        if self.wins:
            return -1
        if not self.is_full and self.waits:
            return 0
        missing = self.ruleset.missing(self.hand, self.circumstances, 1 if self.is_full else 2)
        return None if missing is None else missing - 1

    @cached_property
    def all_fixes(self) -> list[Fix]:
        """Every exchange of one tile that makes a losing full hand win, the win that pays most first."""
        if self.wins or not self.is_full or self.distance != 0:
            return []
        game = self.ruleset
        found = []
        for out, into in game.fixes(self.hand, self.circumstances):
            # Where the tile is both among the concealed ones and the winning one, the exchange that pays more.
            made = [game.judge(hand, self.circumstances) for hand in self.hand.exchanged(out, into)]
            mended = max(made, key=lambda verdict: verdict.total or 0)
            total = mended.total or 0
            old, new, worth = game.tiles.name(out), game.tiles.name(into), game.measure.total(total)
            words = Text(
                f"Change {old.en} for {new.en}: {worth.en}.", f"{old.zh}换成{new.zh}就能胡：{worth.zh}。"
            )
            of_winning = mended.hand.winning is not self.hand.winning
            found.append(Fix(out, into, mended.hand, of_winning, total, words))
        return sorted(found, key=lambda fix: -fix.total)

    @property
    def fixes(self) -> list[Fix]:
        """The first dozen of them."""
        return self.all_fixes[:12]

    @cached_property
    def draws(self) -> list[Draws]:
        """What to draw, and from a full hand to discard, on the way to a win; [] for a win or a hand that can't."""
        if self.distance is None or self.distance < 0:
            return []
        return self.ruleset.draws(self.hand, self.circumstances, self.distance + 1)

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
            return (Text(f"{away.capitalize()} away from ready.", f"还差{self.distance}张听牌。"),)
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
    def bird_notes(self) -> tuple[Reason, ...]:
        """Where each bird falls, and if it changes anything; () without birds."""
        return self.ruleset.table.bird_notes(self.prize) if self.prize else ()

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
            quoted = [self.ruleset.rule(key).name for key in broken]
            rules = listed([Text(f"“{name.en}”", f"“{name.zh}”") for name in quoted])
            rule = "the rule" if len(broken) == 1 else "the rules"
            return Text(
                f"Not ready: {names.en} would complete the shape, but break {rule} {rules.en}.",
                f"还没听牌：来了{names.zh}牌型能成，可是不符合{rules.zh}。",
            )
        return Text("Not ready: no single tile would complete this hand.", "还没听牌：再来哪一张都胡不了。")


_OPEN_SHORT = Text("To be judged when the hand is complete.", "等牌齐了再看。")
_OPEN_SHAPELESS = Text("Can't be judged before the hand has a shape.", "牌型没成，还看不出来。")
