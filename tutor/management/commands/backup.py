"""manage.py backup FILE: a copy of the database, made while the site goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tutor.service import copies


class Command(BaseCommand):
    """Writes a copy of the database to a file."""

    help = "Write a copy of the database to a file, while the site goes on."

    def add_arguments(self, parser: CommandParser) -> None:
        """The file."""
        parser.add_argument("file", type=Path, help="a file that is not there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        """Says how large the copy is."""
        try:
            copies.save(options["file"])
        except copies.CopyError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{options['file']}: {options['file'].stat().st_size:,} bytes.")
