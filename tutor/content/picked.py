"""Puzzles that somebody picked by hand: a title, a question, and what is beautiful about it.

An author says what is right; the engine checks it, and where it disagrees, says what it finds. The same
kinds are made by chance in `tutor.puzzles`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules import Ruleset, Text
from rules.verdict import FAIL, Verdict
from tutor.content import claims, levels
from tutor.content.levels import NOTHING, Level, Making
from tutor.content.source import Fault, Node

# The kind of level that asks each kind of puzzle.
LEVEL_OF: Mapping[str, str] = {
    "can-win": "can-win",
    "why-not": "clause",
    "waits": "waits",
    "discard": "discard",
    "build": "exchange",
    "score": "score",
    "payment": "payments",
    "opening": "openings",
    "claim": "claim",
    "which-game": "which-game",
}
HARDEST = 5


@dataclass(frozen=True)
class Picked:
    """A puzzle picked by hand. number: how hard it is, 1 to 5. topic: the rule page it is about. prompt: None
    where it asks what its kind asks. options: house rules. node: the level as it was written. level: the
    question itself."""

    game: Ruleset
    slug: str
    title: Text
    kind: str
    number: int
    topic: str
    prompt: Text | None
    note: Text
    options: Mapping[str, str]
    node: Mapping[str, Any]
    level: Level

    @property
    def place(self) -> str:
        """ "game/slug"."""
        return f"{self.game.key}/{self.slug}"


_OWN = ("slug", "title", "kind", "level", "topic", "prompt", "note", "is", "options")
_WON = ("hand", "by", "seat", "from", "bao", "listening", "moments", "birds")


def picked(node: Node, game: Ruleset) -> Picked:
    """A puzzle that an author wrote. Raises Fault."""
    kind, number = node["kind"], node["level"]
    if kind.text not in LEVEL_OF:
        raise kind.fault(f"there is no kind of puzzle {kind.text!r}; known: {', '.join(LEVEL_OF)}")
    if not 1 <= number.number <= HARDEST:
        raise number.fault(f"a puzzle's level is 1 to {HARDEST}")
    options = claims.options_of(node.get("options"), game)
    own = {key: item for key, item in node.mapping.items() if key not in _OWN}
    plain = {key: item.plain for key, item in own.items()}
    asked = Node({"kind": kind, **own}, node.where)
    if kind.text == "payment" and "hand" in plain:
        for key, item in own.items():
            if key not in _WON:
                raise Fault(item.where, f"{key!r} is not known here")
        plain = {"settle": scenario_of(plain)}
        asked = Node({"kind": kind, "settle": _placed(plain["settle"], own["hand"].where)}, node.where)
    made = _level(kind.text, asked, game, options)
    prompt, topic = node.get("prompt"), node.get("topic")
    found = Picked(
        game,
        node["slug"].text,
        node["title"].both,
        kind.text,
        number.number,
        topic.text if topic else topic_of(kind.text, made),
        prompt.both if prompt else None,
        node["note"].both,
        options,
        plain,
        made,
    )
    said = sorted(item.text for item in node["is"].items)
    if said != keys_of(made):
        raise node["is"].refuted(
            f"claimed {', '.join(said) or 'nothing'}; the engine says {', '.join(keys_of(made)) or 'nothing'}"
        )
    return found


def level_of(kind: str, plain: Mapping[str, Any], game: Ruleset, options: Mapping[str, str]) -> Level:
    """The level that asks a puzzle of a kind. Raises Fault."""
    return _level(kind, Node.of({"kind": kind, **plain}), game, options)


def _level(kind: str, node: Node, game: Ruleset, options: Mapping[str, str]) -> Level:
    """The same of a mapping. What it holds beside the question is a fault."""
    made = levels.KINDS[LEVEL_OF.get(kind) or node["kind"].text](Making(node, game, options))
    if not made.rights:
        raise node.fault("no answer to this puzzle is right")
    for key in ("kind", "prompt"):
        node.get(key)
    node.done()
    return replace(made, prompt=NOTHING, done=NOTHING)


def _placed(plain: Any, where: str) -> Node:
    """The tree of plain data that all stands at one place."""
    if isinstance(plain, dict):
        return Node({key: _placed(item, where) for key, item in plain.items()}, where)
    if isinstance(plain, list):
        return Node([_placed(item, where) for item in plain], where)
    return Node(str(plain), where)


def scenario_of(plain: Mapping[str, Any]) -> dict[str, Any]:
    """The settlement of one win, from a hand and how it was won, as texts."""
    won = {key: plain[key] for key in ("hand", "by", "seat", "from", "bao") if key in plain}
    if plain.get("listening") in ("1", "yes"):
        won["listening"] = "yes"
    if plain.get("moments"):
        won["moments"] = _list(plain["moments"])
    scenario: dict[str, Any] = {"wins": [won]}
    if plain.get("birds"):
        scenario["birds"] = [bird for bird in _list(plain["birds"]) if bird != "0"]
    return scenario


def _list(value: Any) -> list[str]:
    return value.split(",") if isinstance(value, str) else list(value)


def keys_of(level: Level) -> list[str]:
    """All that is right: the items of the one right answer, or each of several right ones."""
    if level.many:
        return sorted(level.rights[0])
    return sorted({item for right in level.rights for item in right})


def topic_of(kind: str, level: Level) -> str:
    """The rule page that a puzzle is about, from what the engine finds in it."""
    shown = level.shown
    if kind == "opening":
        return next((f"opening/{key}" for key in keys_of(level)), f"opening/{level.game.openings[0].key}")
    if kind == "claim":
        return "table/robbing" if shown.gang else "table/claims"
    if kind == "payment":
        return "table/win-pays"
    if kind == "which-game":
        shown = shown.found[level.game.key]
    if isinstance(shown, Verdict):
        failing = [f.rule.key for f in shown.findings if f.status == FAIL] if shown.is_full else []
        blocked = [key for wait in shown.blocked_waits for key in wait.fails] if not shown.is_full else []
        for key in (*failing, *blocked):
            return f"win/{key}"
        if kind == "score" and shown.patterns:
            return f"pattern/{max(shown.patterns, key=lambda key: shown.patterns[key])}"
    return f"win/{level.game.rules[0].key}"
