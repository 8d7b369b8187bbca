"""manage.py archive FILE: old answers out of the database into a compressed file, and back with --restore."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tutor.practice import archive


class Command(BaseCommand):
    """Moves answers between the database and a file."""

    help = "Move old answers to a compressed file, while the site goes on, or bring them back."

    def add_arguments(self, parser: CommandParser) -> None:
        """The file, and what to do with it."""
        parser.add_argument("file", type=Path, help="a file that is not there yet; one that is, to be read")
        parser.add_argument(
            "--days", type=int, default=archive.DAYS, help="how old answers are (default: %(default)s)"
        )
        parser.add_argument("--dry-run", action="store_true", help="move nothing, say what would go")
        parser.add_argument("--restore", action="store_true", help="bring the answers of the file back")
        parser.add_argument("--learner", type=int, help="with --restore: those of one learner alone")
        parser.add_argument(
            "--purge", action="store_true", help="take out of the file what belongs to nobody any more"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Says how many were moved."""
        file = options["file"]
        try:
            if options["restore"]:
                found = archive.restore(file, options["learner"])
                self._say(found, "are back")
            elif options["purge"]:
                found = archive.purge(file)
                self.stdout.write(
                    f"{found.answers:,} answers of {found.learners:,} learners stay in the file."
                )
            elif options["dry_run"]:
                count = archive.old(timezone.now(), options["days"]).count()
                self.stdout.write(f"{count:,} answers would go.")
                return
            else:
                found = archive.archive(file, days=options["days"])
                self.stdout.write(
                    f"{found.answers:,} answers of {found.learners:,} learners are in the file."
                )
        except archive.ArchiveError as error:
            raise CommandError(str(error)) from None
        if found.gone:
            self.stdout.write(f"{found.gone:,} belong to nobody any more, or came back before.")

    def _say(self, found: archive.Moved, what: str) -> None:
        self.stdout.write(f"{found.answers:,} answers of {found.learners:,} learners {what}.")
