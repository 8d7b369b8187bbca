"""`manage.py settle`: who pays whom at the end of a hand."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

import rules
from rules.circumstances import SEATS
from rules.settlement import Settlement
from tutor import answers
from tutor.terminal import AnsweringCommand


class Command(AnsweringCommand):
    help = "Says who pays whom at the end of a hand, line by line, and who deals next."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ruleset", help=" or ".join(rules.rulesets()))
        parser.add_argument("scenario", help="a JSON file, or - for standard input")
        self.add_answer_arguments(parser)

    def answer(self, options: dict[str, Any]) -> Iterator[str]:
        scenario = answers.scenario_from(_content(options["scenario"]))
        settled = answers.settle(scenario, options["ruleset"], options["option"])
        if options["json"]:
            yield self.as_json(answers.settlement_as_json(settled))
        else:
            yield from _readable(settled, options["language"])


def _content(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read(answers.LONGEST_SCENARIO + 1)
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise CommandError(f"{path} can't be read: {error.strerror}.") from error


def _readable(settled: Settlement, language: str) -> Iterator[str]:
    seats = [seat.in_language(language) for seat in SEATS]
    for line in settled.lines:
        why = f"{line.message.in_language(language)}  [{' '.join(line.cites)}]"
        yield f"  {seats[line.payer]} → {seats[line.receiver]}  {line.points}  {why}"
    yield "  ".join(f"{seat} {points:+d}" for seat, points in zip(seats, settled.payments, strict=True))
    for reason in (*settled.bird_notes, *settled.deals_next.reasons):
        yield reason.message.in_language(language)
