"""`manage.py rule_coverage`: what carries, proves, teaches and drills each line of the rule texts."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tutor.coverage import coverage


class Command(BaseCommand):
    help = "Lists each line of the rule texts with what carries, proves and teaches it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="answer in JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        found = coverage()
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False, indent=1))
            return
        for line, row in found.items():
            carrier = row["by"] or f"background: {row['background']}"
            counts = (
                f"{len(row['tests']):3} tests {len(row['lessons']):2} lessons {len(row['puzzles']):2} puzzles"
            )
            self.stdout.write(f"{line:6} {counts}  {carrier}")
