"""`manage.py load_content`: checks all content files, then stores them in one transaction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tutor.content import load


class Command(BaseCommand):
    help = "Checks all lessons, rule pages, terms and puzzles against the engine, then stores them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="only check, store nothing")
        parser.add_argument("--only", default="", help="show only faults of files whose name starts so")
        parser.add_argument("--folder", type=Path, default=load.FIXTURES, help="where the files are")

    def handle(self, *args: Any, **options: Any) -> None:
        content = load.check(options["folder"])
        faults = [str(fault) for fault in content.faults if str(fault).startswith(options["only"])]
        if not faults and not options["only"]:
            faults = list(load.missing(content))
        for fault in faults:
            self.stderr.write(fault)
        steps = sum(len(chapter.steps) for chapter in content.chapters)
        levels = sum(len(chapter.levels) for chapter in content.chapters)
        counted = (
            f"{len(content.chapters)} chapters, {steps} steps, {levels} levels, "
            f"{len(content.topics)} rule pages, {len(content.terms)} terms, "
            f"{len(content.questions)} questions, {len(content.picked)} puzzles"
        )
        if faults:
            raise CommandError(f"{len(faults)} faults; nothing was changed. ({counted})")
        if options["check"] or options["only"]:
            self.stdout.write(f"All is well: {counted}.")
            return
        changes = load.store(content)
        if any(changes):
            self.stdout.write(
                f"Stored: {changes.added} added, {changes.changed} changed, {changes.removed} removed."
                f" ({counted})"
            )
        else:
            self.stdout.write(f"Nothing has changed. ({counted})")
