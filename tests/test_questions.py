"""Questions about the table and puzzles picked by hand, as their authors write them: what comes of them, and
what is said of what is wrong, with file and line."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rules
from rules import asking
from tests.conftest import real_content
from tutor.content import load
from tutor.content.build import pages_of
from tutor.content.picked import LEVEL_OF, Picked, keys_of, level_of
from tutor.content.questions import Template, filled
from tutor.content.questions import level_of as level_of_template
from tutor.content.source import Node
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import picked_puzzle

CONTENT = real_content()
TEMPLATES = CONTENT.questions
PICKED = CONTENT.picked
SAMPLES = 60


def values_of(made: Template) -> list[dict[str, Any]]:
    """A template filled in with many values."""
    return [filled(made, Random(f"sample {n}")) for n in range(SAMPLES)]


def place(made: Template | Picked) -> str:
    return f"{made.game.key}/{made.slug}"


def texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.items() for part in item for text in texts(part)]
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    return [str(value)]


# Templates


@pytest.mark.parametrize("made", TEMPLATES, ids=place)
def test_a_question_has_one_right_answer_whatever_its_values(made: Template) -> None:
    for node in values_of(made):
        level = level_of_template(Node.of(node), made.game, {})
        assert len(level.rights) == 1, node
        offered = [offer.value for offer in level.offers]
        if node["kind"] == "choice":
            (right,) = level.rights[0]
            assert offered.count(right) == 1, node
            assert 2 <= len(offered) == len(set(offered)), node
            shown = [offer.words for offer in level.offers]
            assert len(set(shown)) == len(shown), node
        left = [text for text in texts(node) if "{" in text and any(name in text for name in vary_of(made))]
        assert not [text for text in left if "!" in text or "~" in text], node


def vary_of(made: Template) -> list[str]:
    return [f"{{{name}" for name in (made.vary.mapping if made.vary else {})]


@pytest.mark.parametrize("made", TEMPLATES, ids=place)
def test_a_question_is_not_always_answered_alike_unless_it_asks_for_a_fact(made: Template) -> None:
    """Where values vary, so do answers or at least questions."""
    if made.vary is None:
        return
    asked = {json.dumps(node, sort_keys=True, ensure_ascii=False) for node in values_of(made)}
    assert len(asked) > 1
    prompts = {node["prompt"]["en"] for node in values_of(made)}
    assert len(prompts) > 1 or any(made.node.get(key) for key in ("wall", "birds", "gets"))


@pytest.mark.parametrize("game", rules.rulesets())
def test_of_yes_and_no_neither_is_right_most_of_the_time(game: str) -> None:
    said: Counter[str] = Counter()
    for made in TEMPLATES:
        if made.game.key == game and made.node.get("choices") == "yes-no":
            for node in values_of(made)[:20]:
                said.update(asking.told(asking.ask(made.game, node["ask"], node.get("given") or {}).value))
    assert set(said) == {"yes", "no"}
    assert max(said.values()) <= 0.75 * said.total()


@pytest.mark.parametrize("game", rules.rulesets())
def test_every_ruling_that_carries_a_line_is_asked_about(game: str) -> None:
    played = rules.rulesets()[game]
    asked = {line for made in TEMPLATES if made.game.key == game for line in made.cites}
    carried = {line for ruling in played.table.rulings for line in ruling.cites}
    elsewhere = {
        line
        for about, page in pages_of(played).items()
        if not about.startswith("table/")
        for line in page.cites
    }
    assert carried - elsewhere - asked - set(played.background) == set()


def test_the_same_chance_fills_in_the_same_values() -> None:
    for made in TEMPLATES:
        assert filled(made, Random(7)) == filled(made, Random(7))


def test_slugs_of_a_game_are_each_used_once() -> None:
    for many in (TEMPLATES, PICKED):
        assert max(Counter(map(place, many)).values()) == 1


# Picked by hand


@pytest.mark.parametrize("found", PICKED, ids=place)
def test_a_picked_puzzle_asks_what_its_kind_asks(found: Picked) -> None:
    made = picked_puzzle(found)
    assert found.kind in KINDS
    assert found.topic in pages_of(found.level.game)
    assert made.level.prompt.en
    assert made.level.prompt.zh
    assert made.title
    assert made.note
    assert keys_of(level_of(found.kind, found.node, found.game, found.options)) == made.keys


@pytest.mark.parametrize("game", rules.rulesets())
def test_picked_puzzles_are_of_every_level_and_nearly_every_kind(game: str) -> None:
    own = [found for found in PICKED if found.game.key == game]
    assert len(own) >= load.LEAST_PICKED
    assert {found.number for found in own} == {1, 2, 3, 4, 5}
    assert {found.kind for found in own} == set(LEVEL_OF)
    assert len({found.title.en for found in own}) == len(own)
    assert len({picked_puzzle(found).form for found in own}) == len(own)


# What is wrong is told with file and line

QUESTIONS = """\
questions:
- slug: seats
  topic: table/reserve
  cites: [CC-80]
  vary: {gangs: 0-4, tile: suited}
  kind: choice
  prompt: {en: "Gangs: {gangs}. The tile `{tile}`.", zh: "杠：{gangs}。`{tile}`。"}
  ask: reserve
  given: {gangs: "{gangs}"}
  choices: numbers
"""
CHOSEN = """\
picked:
- slug: one
  title: {en: One, zh: 一}
  kind: waits
  level: 2
  topic: win/terminal-or-honor
  hand: 23456m 555p 77888s
  is: [1m]
  note: {en: So it is., zh: 是这样。}
- slug: two
  title: {en: Two, zh: 二}
  kind: payment
  level: 3
  hand: 123m 456p 55p 78s SSS +9s
  by: self-draw
  is: ["0:-3", "1:9", "2:-3", "3:-3"]
  note: {en: So it is., zh: 是这样。}
"""
GAME = "changchun"


def faults(folder: Path, **files: str) -> list[str]:
    """What is wrong with a folder of these files."""
    for name, text in files.items():
        path = folder / "fixtures" / GAME / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [str(fault) for fault in load.check(folder / "fixtures").faults]


def test_a_question_and_a_picked_puzzle_without_a_fault_have_none(tmp_path: Path) -> None:
    assert faults(tmp_path, questions=QUESTIONS, picked=CHOSEN) == []


WRONG = {
    # name: file, what is replaced, by what, the line of the fault, what is said
    "no such ruling": ("questions", "topic: table/reserve", "topic: table/nothing", 3, "no 'table/nothing'"),
    "a line of another ruling": ("questions", "[CC-80]", "[CC-1]", 4, "does not rest on 'CC-1'"),
    "no kind": ("questions", "  kind: choice\n", "", 2, "'kind' is missing"),
    "another kind": (
        "questions",
        "kind: choice",
        "kind: waits",
        6,
        "is one of choice, payments, wall, birds",
    ),
    "no prompt": ("questions", "prompt:", "promt:", 2, "'prompt' is missing"),
    "no Chinese": ("questions", ', zh: "杠：{gangs}。`{tile}`。"', "", 2, "the Chinese text is missing"),
    "no slug": ("questions", "slug: seats\n  ", "", 2, "'slug' is missing"),
    "a slug no address can hold": ("questions", "slug: seats", "slug: Seats!", 2, "'Seats!'"),
    "a value of no kind": ("questions", "0-4", "any", 2, "'any'"),
    "a value that can't be": ("questions", "tile: suited", "tile: [0m]", 2, "`0m` can't be read"),
    "a name that nothing is said of": (
        "questions",
        "Gangs: {gangs}",
        "Gangs: {gang}",
        2,
        "{gang} under vary",
    ),
    "a name never put in": ("questions", "0-4,", "0-4, more: 1-2,", 5, "{more} is never put in"),
    "no such question": ("questions", "ask: reserve", "ask: nothing", 2, "'nothing'"),
    "what the ruling does not take": ("questions", 'gangs: "{', 'kongs: "{', 2, "not kongs"),
    "choices of no kind": ("questions", "choices: numbers", "choices: all", 2, "not 'all'"),
    "no right choice": (
        "questions",
        "choices: numbers",
        "choices: [{answer: 100}]",
        2,
        "one choice must be the engine's answer",
    ),
    "a key nobody knows": ("questions", "  choices:", "  hint: no\n  choices:", 2, "'hint' is not known"),
    "an open mark": ("questions", "Gangs: {", "**Gangs: {", 2, "'**' is opened and not closed"),
    "no tile": ("questions", "The tile `{tile}`", "The tile `{tile}x`", 2, "can't be read"),
    "a kind there is not": ("picked", "kind: waits", "kind: wait", 4, "there is no kind of puzzle 'wait'"),
    "a level there is not": ("picked", "level: 2", "level: 6", 5, "a puzzle's level is 1 to 5"),
    "a level that is no number": ("picked", "level: 2", "level: two", 5, "a number is expected"),
    "a topic there is not": ("picked", "win/terminal-or-honor", "win/nothing", 2, "no 'win/nothing'"),
    "a wrong answer": ("picked", "is: [1m]", "is: [4m]", 8, "claimed 4m; the engine says 1m"),
    "no answer": ("picked", "is: [1m]", "is: []", 8, "claimed nothing; the engine says 1m"),
    "no note": ("picked", "  note: {en: So it is., zh: 是这样。}\n- slug: two", "- slug: two", 2, "'note'"),
    "no title": ("picked", "  title: {en: One, zh: 一}\n", "", 2, "'title' is missing"),
    "a hand that can't be read": ("picked", "555p 77888s", "555x 77888s", 2, "can't be judged"),
    "a hand of another size": ("picked", "555p 77888s", "555p 77888s +1m", 7, "one tile short"),
    "a house rule there is not": (
        "picked",
        "  is: [1m]",
        "  options: {jiahu: never}\n  is: [1m]",
        8,
        "table rule “jiahu”",
    ),
    "a key not known": ("picked", "  is: [1m]", "  hnad: 1m\n  is: [1m]", 8, "'hnad' is not known here"),
    "an unknown key of a payment": (
        "picked",
        "  by: self",
        "  bye: no\n  by: self",
        15,
        "'bye' is not known",
    ),
    "a payment of no win": ("picked", "78s SSS +9s", "78s SSS +1s", 14, "can't be settled (not-a-win)"),
    "a mark left open": ("picked", "{en: One,", "{en: '`One',", 3, "'`' is opened and not closed"),
    "a slug used before": ("picked", "slug: two", "slug: one", 10, "is already given"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_told_with_file_and_line(tmp_path: Path, wrong: str) -> None:
    name, old, new, line, said = WRONG[wrong]
    text = {"questions": QUESTIONS, "picked": CHOSEN}[name]
    assert old in text
    files = {"questions": QUESTIONS, "picked": CHOSEN} | {name: text.replace(old, new, 1)}
    found = faults(tmp_path, **files)
    assert any(
        fault.startswith(f"fixtures/{GAME}/{name}.yaml:{line}: ") and said in fault for fault in found
    ), found
    assert all(fault.startswith(f"fixtures/{GAME}/{name}.yaml:") for fault in found), found
