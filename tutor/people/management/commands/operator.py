"""manage.py operator: says whose account runs the site, which no page can."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tutor.classes.models import Member
from tutor.people.models import Account


class Command(BaseCommand):
    """Makes an operator of an account, or none any more; without a name it says who they are."""

    help = (
        "Make an operator of the account of this name, or with --not none any more; list them without a name."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Who, and which way."""
        parser.add_argument("name", nargs="?", help="the sign-in name of the account")
        parser.add_argument("--not", dest="is_over", action="store_true", help="an operator no more")

    def handle(self, *args: Any, name: str | None, is_over: bool, **options: Any) -> None:
        """Says what is so then.

        Raises CommandError for an account that is not there, is closed, or was made for a class.
        """
        if name is None:
            names = list(
                Account.objects.filter(is_operator=True).order_by("folded").values_list("name", flat=True)
            )
            self.stdout.write("\n".join(names) or "There is no operator: manage.py operator NAME makes one.")
            return
        try:
            account = Account.objects.get_by_natural_key(name)
        except Account.DoesNotExist:
            raise CommandError(f"There is no account of the name {name}.") from None
        if not is_over and Member.objects.filter(learner__account=account, is_managed=True).exists():
            raise CommandError(
                f"The account {account.name} was made for a class, whose teachers may give it another "
                "password. Sign up for another one."
            )
        if not is_over and not account.is_active:
            raise CommandError(f"The account {account.name} is closed. Open it first, or name another one.")
        account.is_operator = not is_over
        account.save(update_fields=["is_operator"])
        self.stdout.write(f"{account.name} is {'no operator any more' if is_over else 'an operator'}.")
        if not is_over and not settings.ADMIN:
            self.stdout.write("There is no /admin/ here as long as ADMIN=1 is not set.")
