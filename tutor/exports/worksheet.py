"""Puzzles on paper: a worksheet to print on A4, and a key with the answers and reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from rules import Ruleset
from rules.tiles import Tile
from tutor.content.levels import KEYS, ROW
from tutor.lessons import tries
from tutor.lessons.tries import UNTRIED, Try
from tutor.practice.asking import Step
from tutor.puzzles.puzzle import Puzzle


class Sheet(NamedTuple):
    """A question on the sheet. step: what its fields are named after. solved: the answer that the key
    gives."""

    puzzle: Puzzle
    step: Step
    blank: Try
    solved: Try

    @property
    def tiles(self) -> list[Tile]:
        """The tiles that are right, each alone or all together; none where the answer is something else."""
        if self.puzzle.level.widget not in (KEYS, ROW):
            return []
        right = {item for answer in self.puzzle.level.rights for item in answer}
        return sorted(
            {offer.tile for offer in self.puzzle.level.offers if offer.tile and offer.value in right}
        )


def worksheet(
    request: HttpRequest,
    title: str,
    puzzles: Sequence[Puzzle],
    *,
    with_key: bool,
    heading: Mapping[str, Any] = {},
) -> HttpResponse:
    """The worksheet as a page. with_key: the key follows on a page of its own. heading: what else stands at
    its head, by what it is called."""
    questions = [
        Sheet(puzzle, Step(f"q{number}"), UNTRIED, tries.shown(puzzle.level))
        for number, puzzle in enumerate(puzzles, 1)
    ]
    context = {
        "title": title,
        "questions": questions,
        "tables": _tables(puzzles),
        "with_key": with_key,
        "heading": heading.items(),
        "query": request.GET.urlencode(),
    }
    return render(request, "exports/worksheet.html", context)


def _tables(puzzles: Sequence[Puzzle]) -> list[Ruleset]:
    """The games on the sheet, each as it is played there, once."""
    games: dict[tuple[str, str], Ruleset] = {}
    for puzzle in puzzles:
        games.setdefault((puzzle.game.key, repr(sorted(puzzle.options.items()))), puzzle.game)
    return list(games.values())
