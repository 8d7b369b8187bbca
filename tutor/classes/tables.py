"""What teachers take along of a class as files: the rows of each page, with a head in the page's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from django.utils.translation import gettext, pgettext

from tutor.checker.templatetags.tiles import words
from tutor.classes import csvs, results, todo, working
from tutor.classes.results import Activity, Cell, Given, Grid, Line, Rule
from tutor.lessons.templatetags.lessons import plain_of
from tutor.practice.answering import SHOWN
from tutor.practice.models import Attempt

Table = tuple[list[str], Iterator[list[csvs.Cell]]]


def titled(*parts: str) -> str:
    """A title of several parts."""
    return " – ".join(parts)


def of_grid(found: Grid) -> Table:
    """The grid as a table: what a cell holds stands in columns of its own."""
    parts = [
        gettext("percent"),
        pgettext("of an assignment", "done"),
        pgettext("of an assignment", "of"),
        gettext("answers late"),
        pgettext("an assignment", "passed"),
        gettext("more time until"),
    ]
    header = [gettext("Student")]
    header += [titled(column.assignment.title, part) for column in found.columns for part in parts]
    return [*header, gettext("Total in percent")], (_grid_row(line) for line in found.lines)


def _grid_row(line: Line) -> list[csvs.Cell]:
    row: list[csvs.Cell] = [line.student.name]
    for cell in line.cells:
        result = cell.result
        share = result.percent if result.done else None
        row += [share, result.done, result.of, result.late, cell.is_passed, cell.extended]
    return [*row, line.total if line.is_begun else None]


def finished(row: todo.Row) -> datetime | None:
    """When the work that counts was done, None for not yet."""
    best = working.best(row.works)
    return best.finished if best else None


def of_student(rows: Iterable[tuple[todo.Row, Cell]]) -> Table:
    """A student's results, an assignment a row."""
    header = [
        gettext("Assignment"),
        gettext("percent"),
        pgettext("of an assignment", "done"),
        pgettext("of an assignment", "of"),
        pgettext("a column", "Tries"),
        gettext("answers late"),
        pgettext("an assignment", "passed"),
        pgettext("a column", "Finished"),
        pgettext("a column", "Due"),
    ]
    return header, (
        [
            row.assignment.title,
            row.result.percent if row.result.done else None,
            row.result.done,
            row.result.of,
            len(row.works),
            row.result.late,
            cell.is_passed,
            finished(row),
            row.due,
        ]
        for row, cell in rows
    )


def where(attempt: Attempt) -> str:
    """Where something was asked, in words."""
    return attempt.asked.part.assignment.title if attempt.asked else gettext("Live board")


def of_answers(answered: Iterable[Attempt]) -> Table:
    """A student's answers, one a row."""
    header = [
        gettext("When"),
        gettext("Assignment"),
        gettext("Game"),
        gettext("Rule"),
        gettext("Kind of question"),
        gettext("Level"),
        *_judged_header(),
    ]
    return header, (
        [
            one.at,
            where(one),
            results.game_words(one.game),
            words(results.topic_words(one.game, one.topic)),
            results.kind_words(one.kind),
            one.level,
            *_judged(one),
        ]
        for one in answered
    )


def _judged_header() -> list[str]:
    return [pgettext("an answer", "right"), gettext("solution seen"), gettext("Seconds")]


def _judged(attempt: Attempt) -> list[csvs.Cell]:
    return [attempt.is_right, attempt.help == SHOWN, attempt.seconds]


def of_question(every: Iterable[Given]) -> Table:
    """The answers to a question, one a row."""
    header = [
        gettext("Student"),
        pgettext("a column", "Try"),
        gettext("When"),
        gettext("Question"),
        pgettext("a column", "Hand"),
        pgettext("a heading", "Answer"),
        *_judged_header(),
        gettext("Why"),
    ]
    return header, (
        [
            one.student.name,
            one.number,
            one.attempt.at,
            plain_of(one.puzzle.level.prompt, one.puzzle.game) if one.puzzle else None,
            one.puzzle.hand if one.puzzle else None,
            one.said,
            *_judged(one.attempt),
            " ".join(plain_of(reason, one.puzzle.game if one.puzzle else None) for reason in one.reasons),
        ]
        for one in every
    )


def of_wrong(found: Iterable[Rule]) -> Table:
    """How answers went, a rule and a kind of question a row."""
    header = [
        gettext("Game"),
        gettext("Rule"),
        gettext("Kind of question"),
        pgettext("a column", "Answers"),
        pgettext("a column", "Wrong"),
        gettext("Wrong in percent"),
    ]
    return header, (
        [
            rule.game_name,
            words(rule.name),
            results.kind_words(kind),
            rule.kinds[kind].answers,
            rule.kinds[kind].wrong,
            rule.kinds[kind].percent,
        ]
        for rule in found
        for kind in results.kinds_in([rule])
    )


def of_activity(rows: Iterable[Activity]) -> Table:
    """What students did, one a row."""
    header = [
        gettext("Student"),
        pgettext("a column", "Answers"),
        pgettext("a column", "Right"),
        gettext("Minutes"),
        gettext("Days with answers"),
        gettext("Last answer"),
    ]
    return header, (
        [row.student.name, row.answers, row.right, row.minutes, row.days, row.seen] for row in rows
    )
