"""Every line of the rule texts is carried, proved and drilled, or is background for a reason, and taught;
so is every reading of them; every answer to every house rule is proved."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import pytest
from django.core.management import call_command

import rules
from tests.conftest import real_content
from tutor.coverage import coverage, proved
from tutor.management.commands import rule_coverage
from tutor.puzzles.kinds import KINDS

LINES = [f"CC-{n}" for n in range(1, 98)] + [f"CS-{n}" for n in range(1, 87)]
READINGS = [f"R{n}" for n in range(1, 29)] + [f"S{n}" for n in range(1, 22)]
MOST_BACKGROUND = 12

COVERAGE = coverage(real_content())
PROVED = proved()
CHAPTERS = real_content().chapters
STEPS = {step.place for chapter in CHAPTERS for step in chapter.steps}
TOLD = {reading for chapter in CHAPTERS for step in chapter.steps for reading in step.rulings}


def option_values() -> Iterator[str]:
    for game in rules.rulesets().values():
        for option in game.options:
            yield from (f"{option.key}={choice.key}" for choice in option.choices)


def test_every_line_of_both_texts_is_listed_in_order() -> None:
    assert list(COVERAGE) == LINES


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_carried_and_proved_or_background(line: str) -> None:
    row = COVERAGE[line]
    if row["background"]:
        assert len(row["background"].split()) > 5
        return
    assert row["by"], f"nothing carries {line}"
    assert row["tests"], f"no test proves {line}"


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_taught_by_a_step_that_there_is(line: str) -> None:
    assert COVERAGE[line]["lessons"], f"no lesson teaches {line}"
    assert set(COVERAGE[line]["lessons"]) <= STEPS


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_is_not_background_is_drilled(line: str) -> None:
    assert COVERAGE[line]["background"] or COVERAGE[line]["puzzles"], f"no puzzle drills {line}"
    assert set(COVERAGE[line]["puzzles"]) <= set(KINDS)


@pytest.mark.parametrize("reading", READINGS)
def test_a_reading_of_the_texts_is_told_in_a_lesson(reading: str) -> None:
    assert reading in TOLD, f"no lesson tells {reading}"


def test_no_lesson_tells_of_a_reading_that_there_is_not() -> None:
    assert sorted(TOLD - set(READINGS)) == []


def test_background_is_little() -> None:
    assert sum(bool(row["background"]) for row in COVERAGE.values()) <= MOST_BACKGROUND


@pytest.mark.parametrize("reading", READINGS)
def test_a_reading_of_the_texts_is_proved(reading: str) -> None:
    assert PROVED.get(reading), f"no test proves {reading}"


@pytest.mark.parametrize("value", list(option_values()))
def test_an_answer_to_a_house_rule_is_proved(value: str) -> None:
    assert PROVED.get(value), f"no test proves {value}"


def test_nothing_is_said_to_be_proved_that_there_is_not() -> None:
    known = {*LINES, *READINGS, *option_values()}
    assert sorted(set(PROVED) - known) == []


def test_every_house_rule_belongs_to_a_reading_that_there_is() -> None:
    for game in rules.rulesets().values():
        assert {option.ruling for option in game.options} <= set(READINGS)


def test_the_command_prints_the_list_in_json() -> None:
    out = io.StringIO()
    call_command("rule_coverage", "--json", stdout=out)
    printed = json.loads(out.getvalue())
    assert printed == COVERAGE
    for row in printed.values():
        assert row.keys() == {"tests", "by", "lessons", "puzzles", "background"}


def test_the_command_prints_a_line_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_coverage, "coverage", lambda: COVERAGE)  # as it finds it, says the test before
    out = io.StringIO()
    call_command("rule_coverage", stdout=out)
    assert [line.split()[0] for line in out.getvalue().splitlines()] == LINES
