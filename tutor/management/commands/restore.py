"""manage.py restore FILE: the database as a copy holds it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tutor.service import copies


class Command(BaseCommand):
    """Puts a copy of the database in the place of what it holds now."""

    help = "Put a copy that `backup` wrote in the place of all that the database holds now."

    def add_arguments(self, parser: CommandParser) -> None:
        """The file, and that one means it."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--yes", action="store_true", help="what the database holds now may go")

    def handle(self, *args: Any, **options: Any) -> None:
        """Restores, then brings an older copy's tables up to date."""
        if not options["yes"]:
            raise CommandError("All that the database holds now would go. Say --yes if that is meant.")
        try:
            copies.restore(options["file"])
        except copies.CopyError as error:
            raise CommandError(str(error)) from None
        call_command("migrate", verbosity=0)
        self.stdout.write(f"{options['file']} is restored.")
