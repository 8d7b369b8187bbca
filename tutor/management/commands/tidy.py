"""manage.py tidy: removes what nobody can reach any more, while the site goes on."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tutor.people.tidy import tidy

_WORDS = {
    "guests": "guests whom no browser knows any more",
    "merged": "guests whose things an account took over",
    "sessions": "expired sessions",
    "login_codes": "expired login codes",
    "brakes": "counts of wrong tries",
    "jobs": "turns of workers, done or not, of a week ago",
}


class Command(BaseCommand):
    """Removes what is over, and says how much of what."""

    help = "Remove guests whom no browser can know any more, expired sessions and login codes, old counts."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whether to look only."""
        parser.add_argument("--dry-run", action="store_true", help="remove nothing, say what would go")

    def handle(self, *args: Any, **options: Any) -> None:
        """Says what went."""
        found = tidy(dry_run=options["dry_run"])
        self.stdout.write("Would be removed:" if options["dry_run"] else "Removed:")
        for name, count in found._asdict().items():
            self.stdout.write(f"{count:>9,} {_WORDS[name]}")
