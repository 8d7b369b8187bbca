"""What the commands that answer questions have in common: options, languages, errors, exit status."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from rules import HandError
from tutor import answers


class AnsweringCommand(BaseCommand):
    """A command that prints an answer line by line, or an error in words or JSON with exit status 2."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # A flag cut short would be another one once there are more of them.
        return super().create_parser(prog_name, subcommand, allow_abbrev=False, **kwargs)

    def add_answer_arguments(self, parser: CommandParser) -> None:
        """The arguments that all of them take."""
        parser.add_argument(
            "--option", action="append", default=[], help="a table rule, key=value; repeatable"
        )
        parser.add_argument("--json", action="store_true", help="answer in JSON")
        parser.add_argument(
            "--language", choices=["en", "zh-hans"], default="en", help="language of the answer"
        )

    def answer(self, options: dict[str, Any]) -> Iterator[str]:
        """The lines of the answer. Raises HandError."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            for line in self.answer(options):
                self.print(line)
        except HandError as error:
            self.print(
                self.as_json(answers.error_as_json(error))
                if options["json"]
                else f"{error.code}: {error.message.in_language(options['language'])}"
            )
            sys.exit(2)
        except BrokenPipeError:
            # Whoever read the answers has seen enough; nothing is left to write to at exit either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def as_json(self, data: dict[str, Any]) -> str:
        """JSON on one line, Chinese as it is."""
        return json.dumps(data, ensure_ascii=False)

    def print(self, text: str) -> None:
        """A line of the answer; what the terminal's encoding lacks is shown by its number."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        self.stdout.write(text.encode(encoding, errors="backslashreplace").decode(encoding))
