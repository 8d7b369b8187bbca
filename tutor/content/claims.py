"""What a lesson claims about the game, as questions that the engine answers.

A claim is a question (a hand, a deal, a settlement, a ruling of the table, who gets a tile) and what the
author says is so. `Question` asks; `check` compares and says in English what the engine says instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import rules
from rules import HandError, Ruleset, asking, settlement
from rules.deal import Deal
from rules.settlement import Settlement
from rules.table import Outcome
from rules.verdict import FAIL, PASS, WAIVED, Verdict
from tutor import answers
from tutor.content.source import Node

HAND, DEAL, SETTLE, ASK, GETS = KINDS = ("hand", "deal", "settle", "ask", "gets")


@dataclass(frozen=True)
class Question:
    """Something asked of a game. kind: one of KINDS. asked: the hand, the dealt tiles or the ruling's key.

    given: circumstances, a scenario, or what a ruling takes. options: house rules by key.
    """

    game: Ruleset
    kind: str
    asked: str
    given: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def pairs(self) -> list[str]:
        """The house rules as `key=value`."""
        return [f"{key}={value}" for key, value in self.options.items()]

    @property
    def played(self) -> Ruleset:
        """The game as the table of this question plays it."""
        return self.game.with_options(self.options)

    def verdict(self) -> Verdict:
        """The verdict on a hand. Raises HandError."""
        return answers.judge(self.game.key, self.asked, self.given, self.pairs)

    def deal(self) -> Deal:
        """What dealt tiles hold. Raises HandError."""
        return answers.look(self.game.key, self.asked, self.pairs)

    def settled(self) -> Settlement:
        """Who pays whom. Raises HandError."""
        return settlement.settle(self.game, {**self.given, "options": dict(self.options)})

    def outcome(self) -> Outcome[Any]:
        """What the table says. Raises ValueError."""
        if self.kind == GETS:
            return asking.gets(self.played, self.given)
        return asking.ask(self.played, self.asked, self.given)


def question(node: Node, game: Ruleset, options: Mapping[str, str], kind: str | None = None) -> Question:
    """The question that a mapping asks. options: the house rules that hold around it. Raises Fault."""
    kind = kind or next((k for k in KINDS if k in node), None)
    if kind is None:
        raise node.fault(f"one of {', '.join(KINDS)} is needed")
    named = node.get("game")
    if named:
        if named.text not in rules.rulesets():
            raise named.fault(f"there is no game {named.text!r}")
        game = rules.rulesets()[named.text]
        options = {}
    own = options_of(node.get("options"), game)
    options = {**options, **own}
    asked = node[kind]
    if kind == HAND:
        return Question(game, kind, asked.text, circumstances_of(node), options)
    if kind == DEAL:
        return Question(game, kind, asked.text, {}, options)
    if kind == SETTLE:
        return Question(game, kind, "", scenario(asked), options)
    if kind == GETS:
        asked.mapping  # noqa: B018 - a fault where it is none
        return Question(game, kind, "", asked.plain, options)
    given = node.get("given")
    return Question(game, kind, asked.text, given.plain if given else {}, options)


def options_of(node: Node | None, game: Ruleset) -> dict[str, str]:
    """House rules of the game by key; {} for a list, which holds answers to choose from. Raises Fault."""
    if node is None or isinstance(node.value, list):
        return {}
    chosen = {key: item.text for key, item in node.mapping.items()}
    try:
        game.with_options(chosen)
    except HandError as error:
        raise node.fault(str(error)) from None
    return chosen


def circumstances_of(node: Node) -> dict[str, str]:
    """How a hand was won, as `answers.judge` takes it, from the keys of a mapping."""
    found = {}
    for key in answers.GIVEN:
        item = node.get(key)
        if item is not None:
            text = ",".join(item.texts)
            found[key] = {"yes": "1", "no": "0"}.get(text, text) if key == "listening" else text
    return found


def scenario(node: Node) -> dict[str, Any]:
    """A settlement's scenario as JSON data has it: numbers, yes and no, none, told by their keys."""
    read: Any = _typed(node.plain, "")
    if not isinstance(read, dict):
        raise node.fault("a scenario is a mapping")
    if "options" in read:
        raise node.fault("house rules stand beside the scenario, under `options`, not in it")
    return read


_NUMBERS = {"seat", "from", "fan", "big_wins", "offered", "taker"}
_FLAGS = {"listening", "dealt"}


def _typed(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        return {k: _typed(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [_typed(v, key) for v in value]
    if value in ("none", "null", "~", ""):
        return None
    if key in _NUMBERS and re.fullmatch(r"-?[0-9]{1,6}", value):
        return int(value)
    if key in _FLAGS and value in ("yes", "no"):
        return value == "yes"
    return value


# Comparing


def check(asked: Question, said: Node) -> None:
    """Raises Fault where the engine says something else than `said`, or can't be asked."""
    if asked.kind in (ASK, GETS):
        try:
            told = list(asking.told(asked.outcome().value))
        except ValueError as error:
            raise said.fault(f"the table can't be asked this: {error}") from None
        _same(said, said.texts, [] if told == ["none"] and not said.texts else told, ordered=True)
        return
    refused = said.get("error")
    try:
        tests = _TESTS[asked.kind](asked)
    except HandError as error:
        if refused is None or refused.text != error.code:
            words = f"the engine refuses this ({error.code}): {error}"
            raise (said.fault(words) if refused is None else refused.refuted(words)) from None
        return
    if refused is not None:
        raise refused.refuted(f"claimed to be refused ({refused.text}), the engine takes it")
    if not said.mapping:
        raise said.fault("nothing is claimed")
    for key, item in said.mapping.items():
        if key not in tests:
            raise item.fault(f"{key!r} can't be claimed here; known: {', '.join(tests)}")
        if not item.value and key in _NEVER_EMPTY:
            raise item.fault(f"{key!r} claims nothing")
        tests[key](item)


_Test = Callable[[Node], None]
_NEVER_EMPTY = ("has", "lacks", "passes", "fixes", "left")
STATES = ("win", "not-win", "ready", "not-ready")


def meets(verdict: Verdict, goal: Node) -> bool:
    """Whether a verdict is what a goal asks for. Raises Fault for a goal that asks for nothing there is."""
    for key, item in goal.mapping.items():
        if not item.value:
            raise item.fault(f"{key!r} asks for nothing")
        if key in ("has", "lacks"):
            _known(item, [p.key for p in verdict.ruleset.patterns], "pattern")
        if key == "state":
            if item.text not in STATES:
                raise item.fault(f"a state is one of {', '.join(STATES)}, not {item.text!r}")
            met = verdict.state == item.text
        elif key == "has":
            met = set(item.texts) <= set(verdict.patterns)
        elif key == "lacks":
            met = not set(item.texts) & set(verdict.patterns)
        elif key in ("fan", "big_wins"):
            met = verdict.total == item.number
        elif key == "at_least":
            met = (verdict.total or 0) >= item.number
        else:
            raise item.fault(f"a goal has no {key!r}")
        if not met:
            return False
    return bool(goal.mapping) and (verdict.wins or "state" in goal)


def _hand_tests(asked: Question) -> dict[str, _Test]:
    verdict = asked.verdict()
    game = verdict.ruleset
    by_status = {s: [f.rule.key for f in verdict.findings if f.status == s] for s in (FAIL, WAIVED, PASS)}

    def state(item: Node) -> None:
        if item.text not in STATES:
            raise item.fault(f"a state is one of {', '.join(STATES)}, not {item.text!r}")
        _same(item, [item.text], [verdict.state])

    def status(name: str) -> _Test:
        def test(item: Node) -> None:
            _known(item, [rule.key for rule in game.rules], "rule")
            if name == PASS:
                _holds_all(item, by_status[name])
            else:
                _same(item, item.texts, by_status[name])

        return test

    def total(key: str) -> _Test:
        def test(item: Node) -> None:
            if game.measure.key != key:
                raise item.fault(f"{game.key} counts {game.measure.key}")
            _same(item, [item.text], [str(verdict.total) if verdict.wins else "no win"])

        return test

    def patterns(item: Node) -> None:
        claimed = {key: worth.text for key, worth in item.mapping.items()}
        _known(Node(list(map(Node, claimed)), item.where), [p.key for p in game.patterns], "pattern")
        actual = {key: str(worth) for key, worth in verdict.patterns.items()}
        _same(item, [f"{k} {v}" for k, v in claimed.items()], [f"{k} {v}" for k, v in actual.items()])

    def has(item: Node) -> None:
        _known(item, [p.key for p in game.patterns], "pattern")
        _holds_all(item, list(verdict.patterns))

    def lacks(item: Node) -> None:
        _known(item, [p.key for p in game.patterns], "pattern")
        held = [key for key in item.texts if key in verdict.patterns]
        if held:
            raise item.refuted(f"claimed to lack {', '.join(held)}, the engine finds it")

    def waits(item: Node) -> None:
        _same(item, item.texts, [w.tile.code for w in verdict.waits])

    def blocked(item: Node) -> None:
        claimed = [f"{tile}: {' '.join(sorted(fails.texts))}" for tile, fails in item.mapping.items()]
        actual = [f"{w.tile.code}: {' '.join(sorted(w.fails))}" for w in verdict.blocked_waits]
        _same(item, claimed, actual)

    def left(item: Node) -> None:
        for code, count in item.mapping.items():
            tile = next((t for t in game.tiles.tiles if t.code == code), None)
            if tile is None:
                raise count.fault(f"there is no tile {code!r}")
            _same(count, [count.text], [str(verdict.hand.left(tile))])

    def payments(item: Node) -> None:
        _same(item, item.texts, [str(n) for n in verdict.payments or ()], ordered=True)

    def distance(item: Node) -> None:
        _same(item, [item.text], ["none" if verdict.distance is None else str(verdict.distance)])

    def fixes(item: Node) -> None:
        _holds_all(item, [f"{f.out.code}>{f.into.code}" for f in verdict.all_fixes])

    def readings(item: Node) -> None:
        _same(item, [item.text], [str(len(verdict.readings))])

    def stands_for(item: Node) -> None:
        _same(item, [item.text], [verdict.stands_for.code if verdict.stands_for else "none"])

    return {
        "state": state,
        "fails": status(FAIL),
        "waived": status(WAIVED),
        "passes": status(PASS),
        "fan": total("fan"),
        "big_wins": total("big_wins"),
        "patterns": patterns,
        "has": has,
        "lacks": lacks,
        "waits": waits,
        "blocked": blocked,
        "left": left,
        "payments": payments,
        "distance": distance,
        "fixes": fixes,
        "readings": readings,
        "stands_for": stands_for,
    }


def _deal_tests(asked: Question) -> dict[str, _Test]:
    deal = asked.deal()
    return {
        "openings": lambda item: _same(item, item.texts, [o.key for o, _ in deal.openings]),
        "ready": lambda item: _same(item, [item.text], ["yes" if deal.is_ready else "no"]),
        "waits": lambda item: _same(item, item.texts, [t.code for t in deal.waits]),
    }


def _settle_tests(asked: Question) -> dict[str, _Test]:
    settled = asked.settled()
    dealer = "none" if settled.next_dealer is None else str(settled.next_dealer)
    return {
        "payments": lambda item: _same(item, item.texts, [str(n) for n in settled.payments], ordered=True),
        "next_dealer": lambda item: _same(item, [item.text], [dealer]),
    }


_TESTS: dict[str, Callable[[Question], dict[str, _Test]]] = {
    HAND: _hand_tests,
    DEAL: _deal_tests,
    SETTLE: _settle_tests,
}


def _same(item: Node, claimed: list[str], actual: list[str], *, ordered: bool = False) -> None:
    if claimed != actual if ordered else sorted(claimed) != sorted(actual):
        raise item.refuted(f"claimed {_list(claimed)}; the engine says {_list(actual)}")


def _holds_all(item: Node, actual: list[str]) -> None:
    if not set(item.texts) <= set(actual):
        raise item.refuted(f"claimed {_list(item.texts)}; the engine says {_list(actual)}")


def _known(item: Node, keys: list[str], what: str) -> None:
    for text in item.items:
        if text.text not in keys:
            raise text.fault(f"there is no {what} {text.text!r}; known: {', '.join(keys)}")


def _list(items: list[str]) -> str:
    return ", ".join(items) if items else "nothing"
