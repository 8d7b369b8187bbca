"""`manage.py ask_table GAME KEY GIVEN`: what a ruling of a table says, for people who write lessons."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

import rules
from rules import asking


class Command(BaseCommand):
    help = "Asks a ruling of a game's table, and prints its answer with the reasons."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ruleset", help="changchun, changsha")
        parser.add_argument("key", nargs="?", help="the ruling's key, or gets; without it all are listed")
        parser.add_argument("given", nargs="?", default="{}", help="what it takes, as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            game = rules.ruleset(options["ruleset"])
            if options["key"] is None:
                for ruling in game.table.rulings:
                    takes = ", ".join(asking.parameters(game, ruling.key))
                    self.stdout.write(f"{ruling.key} ({takes}): {ruling.meaning.en}")
                return
            given = json.loads(options["given"])
            outcome = (
                asking.gets(game, given)
                if options["key"] == "gets"
                else asking.ask(game, options["key"], given)
            )
        except (ValueError, KeyError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(json.dumps(asking.told(outcome.value), ensure_ascii=False))
        for reason in outcome.reasons:
            self.stdout.write(f"  {reason.message.en} {' '.join(reason.cites)}\n  {reason.message.zh}")
