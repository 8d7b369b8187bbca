"""`manage.py make_puzzles`: puzzles in a terminal, and for scripts and worksheets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import translation

import rules
from tutor import answers
from tutor.puzzles.addresses import of_puzzle
from tutor.puzzles.hands import LEVELS
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import MOST_SEEDS, Puzzle, series
from tutor.puzzles.stock import stock
from tutor.terminal import AnsweringCommand

MOST = 100_000


class Command(AnsweringCommand):
    help = "Makes puzzles with every right answer: the same for a seed, none twice up to renaming of suits."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ruleset", help=" or ".join(rules.rulesets()))
        parser.add_argument("--kind", required=True, choices=KINDS, help="what is asked")
        parser.add_argument(
            "--level", type=int, choices=LEVELS, default=2, help="how hard, 1 to 5; 2 if not given"
        )
        parser.add_argument("--n", type=int, default=1, help="how many; 1 if not given")
        parser.add_argument("--seed", type=int, default=0, help="what they are made from; 0 if not given")
        self.add_answer_arguments(parser)

    def answer(self, options: dict[str, Any]) -> Iterator[str]:
        if not 1 <= options["n"] <= MOST:
            raise CommandError(f"--n is 1 to {MOST}.")
        if not 0 <= options["seed"] < MOST_SEEDS:
            raise CommandError(f"--seed is 0 to {MOST_SEEDS - 1}.")
        game = answers.game_of(options["ruleset"], options["option"])
        found = series(options["kind"], game, options["level"], options["seed"], stock())
        made = 0
        for made, puzzle in enumerate(islice(found, options["n"]), 1):  # noqa: B007 - how many there were
            if options["json"]:
                yield self.as_json(_as_data(puzzle))
            else:
                yield from _readable(puzzle, options["language"])
        if made < options["n"]:
            raise CommandError(f"By these rules there are only {made} such puzzles.")


def _as_data(puzzle: Puzzle) -> dict[str, Any]:
    with translation.override("en"):
        url = of_puzzle(puzzle.id)
    return {
        "id": puzzle.id,
        "kind": puzzle.kind.key,
        "ruleset": puzzle.game.key,
        "level": puzzle.number,
        "topic": puzzle.topic,
        "hand": puzzle.hand,
        "context": puzzle.context,
        "key": puzzle.keys,
        "choices": puzzle.choices,
        "url": url,
    }


def _readable(puzzle: Puzzle, language: str) -> Iterator[str]:
    yield f"{puzzle.id}: {puzzle.level.prompt.in_language(language)}"
    if puzzle.hand:
        yield f"  {puzzle.hand}"
    for name, value in puzzle.context.items():
        yield f"  {name}: {value}"
    yield f"  = {', '.join(puzzle.keys) or '–'}"
