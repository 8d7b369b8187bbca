"""Free building: a goal, and any hand that reaches it is right.

The goals of a game are found, not written down: a great many hands of every make are dealt and judged, and
what some of them reach is asked for. So each goal can be reached, and the first hand that did is kept to be
shown. A pattern is asked for where the tiles alone decide it: however such a hand is won, it has the pattern.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from itertools import combinations, islice, product
from random import Random
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

import rules
from rules import Ruleset, Text, notation
from rules.hands import Hand
from rules.ruleset import Pattern, Rule
from rules.text import listed, plural
from rules.tiles import Tile
from rules.verdict import FAIL, OPEN, PASS, Fix, Verdict
from tutor.checker.entry import Entry, act, modes_of, past_from
from tutor.checker.views import BOTH, Answer, Mend, answer_of, board_of
from tutor.puzzles.hands import (
    LEVELS,
    Box,
    NoTilesError,
    Style,
    broken_by,
    deal,
    how_of,
    is_mendable,
)
from tutor.requests import LONGEST_ADDRESS, Request, readable, varied, wants_part

WAITS, FAILS = "waits-", "fails-"
_ALL, _JIANG = "123456789", "258"  # ranks that hands are made of
_STEPS = (2, 3, 4, 6, 9)  # how many kinds of tile a hand may be asked to wait for
_TRIES = 20  # hands of each make
_LIKE = 12  # hands of the same patterns that are asked how they were won
_SHOWN = 3  # exchanges that are offered


# Goals


@dataclass(frozen=True)
class Limit:
    """Something that a hand must keep within beside its goal. keeps: whether it does, by its verdict."""

    key: str
    name: Text
    added: Text
    broken: Text
    keeps: Callable[[Verdict], bool]


LIMITS = {
    limit.key: limit
    for limit in (
        Limit(
            "no-honors",
            Text("No winds or dragons", "没有风牌和中发白"),
            Text(", without winds or dragons", "，不用风牌和中发白"),
            Text("There are winds or dragons in it.", "手里有风牌或者中发白。"),
            lambda verdict: all(t.suit for t in verdict.hand.tiles),
        ),
        Limit(
            "no-melds",
            Text("No melds", "不吃碰杠"),
            Text(", without a meld", "，不吃不碰不杠"),
            Text("There are melds.", "有吃碰杠。"),
            lambda verdict: not verdict.hand.melds,
        ),
        Limit(
            "near",
            Text("One exchange from a win", "换一张就能胡"),
            Text(", one exchange from a win", "，换一张就能胡"),
            Text("No single exchange makes it win.", "换哪一张都胡不了。"),
            is_mendable,
        ),
    )
}


class Part(NamedTuple):
    """One thing that a goal asks for. status: as a finding's. page: the rule's or pattern's own page."""

    name: Text
    status: str
    message: Text
    page: tuple[str, str] | None = None
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Goal:
    """What a hand is to be: a win with patterns, ready for at least so many kinds of tile, or one that breaks
    this rule alone. limits: keys of LIMITS."""

    game: Ruleset
    patterns: tuple[str, ...] = ()
    waits: int = 0
    rule: str = ""
    limits: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The goal as an address has it."""
        other = f"{WAITS}{self.waits}" if self.waits else f"{FAILS}{self.rule}"
        return "+".join((*(self.patterns or (other,)), *self.limits))

    @property
    def query(self) -> str:
        """The query that asks for it, with nothing built yet."""
        return urlencode({"ruleset": self.game.key, "goal": self.key}, safe="+")

    @property
    def name(self) -> Text:
        """The goal in a few words."""
        if self.waits:
            words = Text(f"Ready for {self.waits} or more", f"至少听{self.waits}种")
        elif self.rule:
            rule = self.game.rule(self.rule).name
            words = Text(f"Fail only “{rule.en}”", f"只差“{rule.zh}”")
        else:
            words = _joined(self._patterns)
        return _added(words, self.limits)

    @property
    def task(self) -> Text:
        """What is to be done, in a sentence."""
        if self.waits:
            words = Text(
                f"Build a ready hand that waits for at least {self.waits} kinds of tile",
                f"摆一手听牌，至少听{self.waits}种",
            )
        elif self.rule:
            rule = self.game.rule(self.rule).name
            words = Text(
                f"Build a full hand that breaks the rule “{rule.en}” and no other",
                f"摆一手牌，只有“{rule.zh}”这一条不符合，别的都符合",
            )
        else:
            words = _win_with([pattern.name for pattern in self._patterns])
        words = _added(words, self.limits)
        return Text(f"{words.en}.", f"{words.zh}。")

    @property
    def about(self) -> list[tuple[Text, Text]]:
        """Its patterns with what each means."""
        return [(pattern.name, pattern.meaning) for pattern in self._patterns]

    @property
    def _patterns(self) -> list[Pattern]:
        return [self.game.pattern(key) for key in self.patterns]

    def is_reached(self, verdict: Verdict) -> bool:
        """Whether a hand is what is asked for."""
        if verdict.is_full is bool(self.waits):
            return False
        if self.waits:
            reached = len(_waited_for(verdict)) >= self.waits
        elif self.rule:
            reached = broken_by(verdict) == (self.rule,)
        else:
            reached = verdict.wins and set(self.patterns) <= set(verdict.patterns)
        return reached and all(LIMITS[key].keeps(verdict) for key in self.limits)

    def parts(self, verdict: Verdict) -> list[Part]:
        """What it asks for, one by one, each with how a hand of the right size stands to it."""
        if self.waits:
            parts = [_ready(self, verdict)]
        elif self.rule:
            parts = _breaking(self.game.rule(self.rule), verdict)
        else:
            first = next((f.message for f in verdict.findings if f.status == FAIL), None)
            wins = Text("No rule is broken.", "各条都符合。")
            parts = [
                Part(Text("A win", "能胡"), FAIL if first else PASS, first or wins),
                *(_paid(pattern, verdict) for pattern in self._patterns),
            ]
        return [*parts, *(_kept(LIMITS[key], verdict) for key in self.limits)]


def _joined(patterns: Iterable[Pattern]) -> Text:
    names = [pattern.name for pattern in patterns]
    return Text(" and ".join(name.en for name in names), "加".join(name.zh for name in names))


def _win_with(names: Sequence[Text]) -> Text:
    if len(names) == 1:
        return Text(f"Build a win with {names[0].en}", f"摆一手{names[0].zh}")
    both = listed(names)
    return Text(
        f"Build a win with {both.en} at once", "摆一手牌，" + "，".join(f"又是{name.zh}" for name in names)
    )


def _added(words: Text, limits: Sequence[str]) -> Text:
    added = [LIMITS[key].added for key in limits]
    return Text(words.en + "".join(a.en for a in added), words.zh + "".join(a.zh for a in added))


def _waited_for(verdict: Verdict) -> list[Tile]:
    return [wait.tile for wait in verdict.waits if wait.left > 0]


def _ready(goal: Goal, verdict: Verdict) -> Part:
    tiles = _waited_for(verdict)
    name = Text(f"{goal.waits} kinds or more", f"至少{goal.waits}种")
    if not tiles:
        return Part(name, FAIL, verdict.summary)
    names, count = verdict.ruleset.tiles.names(tiles), plural(len(tiles), "kind")
    if len(tiles) < goal.waits:
        words = Text(f"It waits for only {count}: {names.en}.", f"只听{len(tiles)}种：{names.zh}。")
        return Part(name, FAIL, words)
    return Part(name, PASS, Text(f"It waits for {count}: {names.en}.", f"听{len(tiles)}种：{names.zh}。"))


def _breaking(rule: Rule, verdict: Verdict) -> list[Part]:
    finding = next(f for f in verdict.findings if f.rule.key == rule.key)
    others = [f for f in verdict.findings if f.status == FAIL and f.rule.key != rule.key]
    return [
        Part(
            Text(f"Breaks “{rule.name.en}”", f"不符合“{rule.name.zh}”"),
            {FAIL: PASS, OPEN: OPEN}.get(finding.status, FAIL),
            finding.message,
            ("win", rule.key),
            rule.cites,
        ),
        Part(
            Text("Breaks nothing else", "别的都符合"),
            FAIL if others else PASS,
            others[0].message if others else Text("No other rule is broken.", "别的规矩都没违反。"),
        ),
    ]


_LAST = Text(
    "This hangs on the last tile: take out the one it was, then tap it again.",
    "这要看最后来的是哪张：把那张先拿掉，再点一次。",
)


def _paid(pattern: Pattern, verdict: Verdict) -> Part:
    status, words = FAIL, pattern.meaning
    if pattern.key in verdict.patterns:
        status = PASS
    elif not verdict.wins:
        status = OPEN
    elif pattern.needs_winning_tile and verdict.hand.winning is None:
        status, words = OPEN, _LAST
    return Part(pattern.name, status, words, ("pattern", pattern.key), pattern.cites)


def _kept(limit: Limit, verdict: Verdict) -> Part:
    if limit.keeps(verdict):
        return Part(limit.name, PASS, Text("Kept.", "做到了。"))
    return Part(limit.name, FAIL, limit.broken)


# Which goals a game has


@dataclass(frozen=True)
class Group:
    """Goals of one sort. key: `one`, `two`, `ready`, `fails` or `limits`."""

    key: str
    goals: tuple[Goal, ...]


class Survey(NamedTuple):
    """What a game can be asked for. examples: a hand that reaches each goal, as text. varying: the patterns
    that hang on how a hand was won."""

    groups: tuple[Group, ...]
    examples: dict[Goal, str]
    varying: frozenset[str]

    @property
    def goals(self) -> list[Goal]:
        """Every goal in the order in which they are gone through."""
        return [goal for group in self.groups for goal in group.goals]

    def after(self, goal: Goal) -> Goal:
        """The next goal; the first after the last."""
        goals = self.goals
        return goals[(goals.index(goal) + 1) % len(goals)]


@lru_cache(maxsize=8)
def survey(game: Ruleset) -> Survey:
    """The goals of a game: what hands of every make come to. Always the same."""
    full = [game.judge(hand) for hand in _hands(game)]
    wins = [verdict for verdict in full if verdict.wins]
    varying = _varying(game, wins)
    asked = [
        pattern.key
        for pattern in sorted(game.patterns, key=lambda pattern: pattern.needs_winning_tile)
        if not pattern.is_moment
        and pattern.key not in varying
        # What every win has is no goal.
        and not all(pattern.key in verdict.patterns for verdict in wins)
    ]
    reached: dict[Goal, list[Verdict]] = {}
    for verdict in wins:
        held = [key for key in asked if key in verdict.patterns]
        for keys in [*combinations(held, 1), *combinations(held, 2)]:
            reached.setdefault(Goal(game, keys), []).append(verdict)
    one = [goal for key in asked if (goal := Goal(game, (key,))) in reached]
    two = [
        goal
        for pair in combinations(asked, 2)
        if (goal := Goal(game, pair)) in reached
        # One that always comes with the other is no second thing to aim at.
        and all(len(reached[Goal(game, (key,))]) > len(reached[goal]) for key in pair)
    ]
    ready, fails = _ready_goals(game, wins, reached), _fails_goals(game, full, wins, reached)
    limits = _limited([*one, *ready[-1:], *fails], reached)
    groups = {"one": one, "two": two, "ready": ready, "fails": fails, "limits": limits}
    found = tuple(Group(key, tuple(goals)) for key, goals in groups.items() if goals)
    goals = [goal for group in found for goal in group.goals]
    return Survey(found, {goal: notation.write(reached[goal][0].hand) for goal in goals}, frozenset(varying))


def _varying(game: Ruleset, wins: Sequence[Verdict]) -> set[str]:
    """The patterns that a hand has or lacks by how it was won."""
    varying = set[str]()
    seen = Counter[frozenset[str]]()
    for verdict in wins:
        seen[frozenset(verdict.patterns)] += 1
        if seen[frozenset(verdict.patterns)] > _LIKE:
            continue
        said = [{"by": way.key, "seat": seat} for way in game.ways for seat in "01"]
        judged = [game.judge(verdict.hand, how.read) for g in said if (how := how_of(game, verdict.hand, g))]
        found = [set(v.patterns) for v in judged if v.wins]
        if found:
            varying |= found[0].union(*found) - found[0].intersection(*found)
    return varying


def _ready_goals(game: Ruleset, wins: Sequence[Verdict], reached: dict[Goal, list[Verdict]]) -> list[Goal]:
    """How many kinds a hand can be asked to wait for: each win, less one of its tiles or another."""
    waiting = [v.hand.without(kind) for v in wins for kind in sorted(set(v.hand.loose))]
    for hand in waiting:
        verdict = game.judge(hand)
        count = len(_waited_for(verdict))
        for step in _STEPS:
            if count >= step:
                reached.setdefault(Goal(game, waits=step), []).append(verdict)
    return [goal for step in _STEPS if (goal := Goal(game, waits=step)) in reached]


def _fails_goals(
    game: Ruleset, full: list[Verdict], wins: list[Verdict], reached: dict[Goal, list[Verdict]]
) -> list[Goal]:
    """The rules that a hand can break alone; the shape, which most hands lack, next to a win."""
    shape = game.rules[0].key
    for verdict in full:
        if verdict.chosen and len(verdict.chosen.fails) == 1:
            reached.setdefault(Goal(game, rule=verdict.chosen.fails[0]), []).append(verdict)
    for verdict in wins:
        near = Goal(game, rule=shape, limits=("near",))
        spoilt = next((v for v in _exchanged(verdict) if near.is_reached(v)), None)
        if spoilt:
            reached[near] = [spoilt]
            break
    goals = [Goal(game, rule=shape, limits=("near",)), *(Goal(game, rule=rule.key) for rule in game.rules)]
    return [goal for goal in goals if goal in reached]


def _exchanged(verdict: Verdict) -> Iterator[Verdict]:
    game = verdict.ruleset
    for out, into in product(sorted(set(verdict.hand.loose)), game.tiles.tiles):
        if into is not out and verdict.hand.left(into) > 0:
            yield game.judge(verdict.hand.exchanged(out, into)[0], verdict.circumstances)


def _limited(goals: Iterable[Goal], reached: dict[Goal, list[Verdict]]) -> list[Goal]:
    """Goals with a limit that can be kept, and that a hand which reaches the goal does not mostly keep."""
    found = []
    for goal, key in product(goals, LIMITS):
        if goal.limits or (key == "near") is not bool(goal.rule):
            continue
        verdicts = reached[goal][:_TRIES]
        kept = [verdict for verdict in verdicts if LIMITS[key].keeps(verdict)]
        if kept and 2 * len(kept) < len(verdicts):
            limited = Goal(goal.game, goal.patterns, goal.waits, goal.rule, (key,))
            reached[limited] = kept
            found.append(limited)
    return found


# Hands of every make


def _hands(game: Ruleset) -> list[Hand]:
    """Full hands of sets and a pair, and of pairs: of few suits and many, closed and open."""
    chance = Random("building")  # noqa: S311 - hands, no secrets
    makes = product((1, 2, 3), (_ALL, "2345678", _JIANG), (0, 0.4, 1), (0, 1, 2, 4))
    styles = [Style(suits, ranks, triplets, 0.15, melds) for suits, ranks, triplets, melds in makes]
    pairs = product((1, 2, 3), (_ALL, _JIANG), (0, 1, 2, 3))
    styles += [Style(suits, ranks, 0, 0, 0, (fours,)) for suits, ranks, fours in pairs]
    found = []
    for n, (style, _) in enumerate(product(styles, range(_TRIES))):
        with suppress(NoTilesError):
            found.append(deal(Box(chance, game), style, LEVELS[n % len(LEVELS)]))
    chance.shuffle(found)
    return found


# The answer


@dataclass(frozen=True)
class Built(Answer):
    """What is said of a hand built for a goal: the checker's answer, and how it stands to the goal.

    varying: the patterns that hang on how a hand was won.
    """

    goal: Goal = field(kw_only=True)
    varying: frozenset[str] = frozenset()

    @property
    def is_reached(self) -> bool:
        """Whether the hand is what the goal asks for."""
        return self.verdict is not None and self.goal.is_reached(self.verdict)

    @property
    def is_short(self) -> bool:
        """Whether a tile is missing that the goal needs, though the checker would judge the hand."""
        return bool(self.verdict and not self.verdict.is_full and not self.goal.waits)

    @property
    def is_long(self) -> bool:
        """Whether the hand is full where the goal is one that waits."""
        return bool(self.verdict and self.verdict.is_full and self.goal.waits)

    @property
    def state(self) -> str:
        """`win` where the goal is reached, `not-win` where it is missed, `unfinished` or `error`."""
        if self.verdict is None:
            return super().state
        return "win" if self.is_reached else "unfinished" if self.is_short else "not-win"

    @cached_property
    def parts(self) -> list[Part]:
        """What the goal asks for, one by one; [] where the hand has another size."""
        if self.verdict is None or self.is_short or self.is_long:
            return []
        return self.goal.parts(self.verdict)

    @property
    def barred(self) -> list[tuple[list[Tile], list[Text]]]:
        """The tiles that would complete a hand that is to wait, but that rules bar, with the reasons."""
        if not self.goal.waits or self.is_long:
            return []
        return [([wait.tile for wait in blocked.waits], blocked.reasons) for blocked in self.blocked]

    @property
    def is_beyond(self) -> bool:
        """Whether no exchange turns a win that misses the goal into what it asks for."""
        if self.verdict is None or not self.verdict.wins or self.goal.waits:
            return False
        is_open = any(part.status == OPEN for part in self.parts)
        return not (self.is_reached or self.mends or is_open)

    @property
    def counted(self) -> list[Pattern]:
        """What a win counts as, whoever won it and how; for a win of nothing else, all there is."""
        found = [pattern for pattern, _ in self.patterns]
        return [pattern for pattern in found if pattern.key not in self.varying] or found

    @property
    def sentence(self) -> Text:
        """In one sentence whether the goal is reached, or why not."""
        verdict = self.verdict
        if verdict is None:
            return super().sentence
        if self.is_reached:
            return self._reached(verdict)
        if self.is_short:
            return Text("One more tile, the last.", "再来最后一张。")
        if self.is_long:
            return Text(
                "One tile too many: a hand that waits has 13, a meld counting three.",
                "多了一张：听牌的时候手牌是13张，一组吃碰杠算三张。",
            )
        if self.goal.patterns and not verdict.wins:
            return verdict.summary
        if self.goal.rule and verdict.wins:
            return Text("This hand wins, so it breaks no rule.", "这手牌能胡，各条都符合。")
        missed = [part for part in self.parts if part.status != PASS]
        lacking = [part for part in missed if part.page]
        if self.goal.rule and not verdict.wins:
            return self._broken(verdict) or missed[0].message
        if lacking and all(part.status == FAIL for part in lacking):
            return self._without([part.name for part in lacking])
        if self.goal.limits and missed[0].name == LIMITS[self.goal.limits[0]].name:
            words = missed[0].message
            return Text(f"Almost: {_small(words.en)}", f"差一点：{words.zh}")
        return (lacking or missed)[0].message

    def _reached(self, verdict: Verdict) -> Text:
        if self.goal.waits:
            return Text(f"Goal reached. {verdict.summary.en}", f"做到了。{verdict.summary.zh}")
        if self.goal.rule:
            message = next(f.message for f in verdict.findings if f.status == FAIL)
            return Text(
                f"Goal reached. Only this is wrong: {_small(message.en)}", f"做到了，只差这一条：{message.zh}"
            )
        names = listed([pattern.name for pattern in self.counted])
        return Text(f"Goal reached: a win with {names.en}.", f"做到了，胡的是{names.zh}。")

    def _broken(self, verdict: Verdict) -> Text | None:
        """What is wrong with the rules that a losing hand breaks, None where they are those asked for."""
        names = {f.rule.key: f.rule.name for f in verdict.findings if f.status == FAIL}
        asked = self.game.rule(self.goal.rule).name
        others = listed([Text(f"“{n.en}”", f"“{n.zh}”") for k, n in names.items() if k != self.goal.rule])
        if self.goal.rule not in names:
            return Text(
                f"It breaks {others.en}, not “{asked.en}”.", f"不符合的是{others.zh}，不是“{asked.zh}”。"
            )
        if len(names) > 1:
            return Text(
                f"It breaks not only “{asked.en}”, but also {others.en}.",
                f"不止“{asked.zh}”，{others.zh}也不符合。",
            )
        return None

    def _without(self, missing: list[Text]) -> Text:
        missed, counted = listed(missing), listed([pattern.name for pattern in self.counted])
        return Text(
            f"A win, but not with {missed.en}: it counts as {counted.en}.",
            f"胡是能胡，可不算{missed.zh}，算的是{counted.zh}。",
        )

    @cached_property
    def mends(self) -> list[Mend]:
        """The exchanges of one tile by which a full hand reaches the goal, the best paid first."""
        if self.verdict is None or self.is_reached or not self.verdict.is_full or self.goal.waits:
            return []
        tiles, hand = self.game.tiles, self.verdict.hand
        found = []
        for out, into, made in islice(_exchanges(self.goal, self.verdict), 12):
            old, new = tiles.name(out), tiles.name(into)
            words = Text(f"Change {old.en} for {new.en}.", f"{old.zh}换成{new.zh}。")
            of_winning = made.hand.winning is not hand.winning
            fix = Fix(out, into, made.hand, of_winning, made.total or 0, words)
            found.append(Mend(fix, hand.left(into)))
        return sorted(found, key=lambda mend: -mend.fix.total)[:_SHOWN]


def _small(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def _exchanges(goal: Goal, verdict: Verdict) -> Iterator[tuple[Tile, Tile, Verdict]]:
    """The exchanges (out, in) of a full hand's tiles that reach a goal, with what each makes of it."""
    game, hand = verdict.ruleset, verdict.hand
    breaks_shape = goal.rule == game.rules[0].key
    if breaks_shape and not verdict.wins:
        return
    for out in sorted(set(hand.loose)):
        if breaks_shape:
            kinds = list(game.tiles.tiles)
        else:
            broken = (goal.rule,) if goal.rule else ()
            waits = game.all_waits(hand.without(out), verdict.circumstances)
            kinds = [wait.tile for wait in waits if wait.fails == broken]
        for into in kinds:
            if into is out or hand.left(into) < 1:
                continue
            made = [game.judge(h, verdict.circumstances) for h in hand.exchanged(out, into)]
            reached = next((v for v in made if goal.is_reached(v)), None)
            if reached:
                yield out, into, reached


# The page


@require_safe
@readable
def build(request: Request) -> HttpResponse:
    """Free building: game, goal and hand stand in the URL; `do` are presses of keys, done and gone."""
    known = rules.rulesets()
    asked = request.GET.get("ruleset", "")
    game = known.get(asked) or next(iter(known.values()))
    found = survey(game)
    named = request.GET.get("goal", "")
    goal_named = _goal(found, named)
    goal = goal_named or found.goals[0]
    mode = request.GET.get("mode", "")
    before = Entry(
        text=request.GET.get("hand", ""),
        mode=mode if mode in modes_of(game.tiles) else "tile",
        past=past_from(request.GET.get("was", "")),
    )
    actions = request.GET.getlist("do")
    entry = act(before, actions, game.tiles)
    query = goal.query + (f"&{urlencode({'hand': entry.text})}" if entry.text else "")
    address = f"{reverse('build')}?{query}"

    is_told = entry.notice or entry.news  # which no address holds
    if actions and not request.htmx and not is_told and len(address) < LONGEST_ADDRESS:
        past = f"&{urlencode({'was': entry.past_as_text})}" if entry.past else ""
        return varied(HttpResponseRedirect(f"?{query}{past}"))
    answer = answer_of(game, "" if asked == BOTH else asked, entry.text, {}, [])
    built = Built(
        **{part.name: getattr(answer, part.name) for part in fields(answer)},
        goal=goal,
        varying=found.varying,
    )
    context = {
        "entry": entry,
        "game": game,
        "rulesets": known.values(),
        "board": board_of(entry, game.tiles),
        "answers": [built],
        "goal": goal,
        # The goal of another game stood there before the game was changed.
        "is_unknown": bool(named.strip()) and goal_named is None and not _is_of_a_game(named),
        "next_goal": found.after(goal),
        "example": f"{goal.query}&{urlencode({'hand': found.examples[goal]})}",
        "groups": found.groups,
        "query": query,
        "edited": bool(actions),
    }
    page = "practice/_build_live.html" if wants_part(request) else "practice/build.html"
    response = render(request, page, context)
    if wants_part(request) and len(address) < LONGEST_ADDRESS:
        response["HX-Push-Url" if actions else "HX-Replace-Url"] = address
    return varied(response)


def _words(text: str) -> frozenset[str]:
    """The words of a goal as an address has them; a plus sign in a query is a space."""
    return frozenset(text.replace("+", " ").split())


def _goal(found: Survey, text: str) -> Goal | None:
    """The goal that an address names, None where the game has none such."""
    asked = _words(text)
    return next((goal for goal in found.goals if _words(goal.key) == asked), None)


def _is_of_a_game(text: str) -> bool:
    """Whether any game has the goal that an address names."""
    return any(_goal(survey(game), text) for game in rules.rulesets().values())
