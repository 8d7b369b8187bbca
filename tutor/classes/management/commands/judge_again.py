"""`manage.py judge_again`: judges all answers of a class again, where there are too many to wait for."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tutor.classes import rejudge
from tutor.classes.models import Classroom

_ASKED_BY = "manage.py judge_again"
_SECONDS = 2.0  # between two lines


class Command(BaseCommand):
    help = "Judges all answers of a class by the rules of now, and says what would change."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("class_id", type=int, help="the number in the class's address")
        parser.add_argument("--accept", action="store_true", help="change the answers, too")

    def handle(self, *args: Any, **options: Any) -> None:
        classroom = Classroom.objects.filter(pk=options["class_id"]).first()
        if classroom is None:
            raise CommandError(f"There is no class {options['class_id']}.")
        judging = rejudge.begin(classroom, _ASKED_BY)
        while judging.finished is None:
            judging = rejudge.go_on(judging, seconds=_SECONDS)
            if judging.dropped is not None:
                raise CommandError("It was dropped meanwhile; nothing was changed.")
            self.stdout.write(f"{judging.seen} of {judging.total} answers judged")
        found = list(judging.changes.values_list("is_right", flat=True))
        self.stdout.write(
            f"{found.count(True)} from wrong to right, {found.count(False)} from right to wrong, "
            f"{found.count(None)} that can't be judged any more"
        )
        if not options["accept"]:
            self.stdout.write("Nothing is changed yet: accept it in the class's settings, or with --accept.")
        elif rejudge.accept(judging):
            rejudge.go_on(judging)
            self.stdout.write("Accepted.")
        else:
            raise CommandError("Somebody has decided meanwhile; nothing was changed now.")
