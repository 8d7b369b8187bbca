"""What carries and proves each line of the regional rule texts: for the people who keep them in step.

Carriers are asked from the games themselves. Tests say what they prove by the mark `proves`, and known hands
by what they cite; both are read from the files without running anything, and are missing where there are no
tests.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

import rules
from rules import Ruleset
from tutor.content import load
from tutor.content.build import taught
from tutor.content.shelf import Shelf
from tutor.puzzles.kinds import KINDS

TESTS = Path(settings.BASE_DIR) / "tests"


def coverage(content: load.Content | None = None) -> dict[str, dict[str, Any]]:
    """For each source line of each game: the tests that prove it, what carries it, where it is taught and
    drilled, and why it is background where it is nothing else. content: the project's own unless given."""
    proofs = proved()
    content = content or load.check()
    lessons = taught(content.chapters)
    found: dict[str, dict[str, Any]] = {}
    stock = Shelf.of(content.pieces)
    for game in rules.rulesets().values():
        carried = carriers(game)
        drills = drilled(game, stock)
        for line in game.lines:
            found[line] = {
                "tests": proofs.get(line, []),
                "by": ", ".join(carried.get(line, [])) or None,
                "lessons": lessons.get(line, []),
                "puzzles": drills.get(line, []),
                "background": game.background.get(line),
            }
    return found


def drilled(game: Ruleset, stock: Shelf) -> dict[str, list[str]]:
    """The kinds of puzzle that drill each source line of a game, by the line."""
    found: dict[str, dict[str, None]] = {}
    for kind in KINDS.values():
        for line in kind.lines(game, stock):
            found.setdefault(line, {})[kind.key] = None
    return {line: list(kinds) for line, kinds in found.items()}


def carriers(game: Ruleset) -> dict[str, list[str]]:
    """What of a game carries each source line, by the line: "rule triplet", "table reserve"."""
    owners = [
        *(("rule", rule.key, rule.cites) for rule in game.rules),
        *(("pattern", pattern.key, pattern.cites) for pattern in game.patterns),
        *(("opening", opening.key, opening.cites) for opening in game.openings),
        *(("table", ruling.key, ruling.cites) for ruling in game.table.rulings),
    ]
    found: dict[str, list[str]] = {}
    for kind, key, cites in owners:
        for line in cites:
            found.setdefault(line, []).append(f"{kind} {key}")
    return found


def proved() -> dict[str, list[str]]:
    """The tests that prove something, by what they prove: source lines, readings of them, option values."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for name, what in _marked(path):
            found.setdefault(what, []).append(f"{path.relative_to(TESTS.parent).as_posix()}::{name}")
    for hand in _known_hands():
        for line in hand.get("cites", []):
            found.setdefault(line, []).append(f"tests/data/known_hands.json::{hand['id']}")
    return {what: list(dict.fromkeys(names)) for what, names in found.items()}


def _marked(path: Path) -> Iterator[tuple[str, str]]:
    """Each test function of a file with each thing that it is marked to prove."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    for function in [*module.body, *(node for holder in classes for node in holder.body)]:
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
            nodes = (node for decorator in function.decorator_list for node in ast.walk(decorator))
            for mark in (node for node in nodes if isinstance(node, ast.Call)):
                if isinstance(mark.func, ast.Attribute) and mark.func.attr == "proves":
                    constants = (node for node in mark.args if isinstance(node, ast.Constant))
                    yield from ((function.name, str(constant.value)) for constant in constants)


def _known_hands() -> list[dict[str, Any]]:
    path = TESTS / "data" / "known_hands.json"
    if not path.exists():
        return []
    hands: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["hands"]
    return hands
