"""Lists of names, pasted or from a file: read, looked at line by line, made into students with accounts.

Nothing is made before somebody has seen what each line will become, and what can't be made says why.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext

from tutor.classes import members
from tutor.classes.models import Classroom, Member
from tutor.people import cards
from tutor.people.models import folded

MOST_NAMES = 200
LARGEST_FILE = 100 * 1024
HEADS = ("name", "姓名")
NEW, THERE, BAD = "new", "there", "bad"
_ENCODINGS = (("utf-8-sig", "UTF-8"), ("gb18030", "GB18030"))


class Listed(NamedTuple):
    """A name as a list has it, and in which line."""

    number: int
    text: str


class Line(NamedTuple):
    """What becomes of a line. state: NEW, THERE for somebody who is in the class, BAD. account: the name to
    sign in with. why: in words, of a bad one."""

    number: int
    name: str
    state: str
    account: str = ""
    why: str = ""


class Stale(Exception):
    """Students were added since the list was looked at."""


def from_text(text: str) -> list[Listed]:
    """The names of a list with one a line. Raises ValidationError in words."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return _some(Listed(number, line) for number, line in enumerate(lines, start=1))


def from_file(data: bytes) -> tuple[list[Listed], str]:
    """The names of a CSV file, and the encoding it was read in. Raises ValidationError in words.

    They stand in the column that the first line calls a name, else in the first.
    """
    text, encoding = _decoded(data)
    rows = list(_rows(text))
    heads = [folded(cell) for cell in rows[0][1]] if rows else []
    column = next((heads.index(head) for head in HEADS if head in heads), None)
    names = rows if column is None else rows[1:]
    return _some(Listed(number, _cell(row, column or 0)) for number, row in names), encoding


def _cell(row: Sequence[str], column: int) -> str:
    return row[column] if column < len(row) else ""


def _decoded(data: bytes) -> tuple[str, str]:
    for encoding, name in _ENCODINGS:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, name
    raise ValidationError(
        gettext("This file holds no text that can be read. Save it as CSV in UTF-8, or paste the names.")
    )


def _rows(text: str) -> Iterable[tuple[int, list[str]]]:
    """The rows that hold anything, each with the number of the line it begins in."""
    lines = io.StringIO(text, newline="")
    first = next((line for line in lines if line.strip()), "")
    lines.seek(0)
    reader = csv.reader(lines, delimiter=max(",;\t", key=first.count), strict=True)
    begins = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield begins, row
            begins = reader.line_num + 1
    except csv.Error:
        raise ValidationError(
            gettext("Line %(n)s can't be read as CSV: look at its quotation marks.") % {"n": begins}
        ) from None


def _some(listed: Iterable[Listed]) -> list[Listed]:
    found = [one for one in listed if one.text.strip()]
    if not found:
        raise ValidationError(gettext("There is no name in this list."))
    if len(found) > MOST_NAMES:
        raise ValidationError(
            gettext("This list has %(n)s names. At most %(most)s can be added at once: split it.")
            % {"n": len(found), "most": MOST_NAMES}
        )
    return found


def mark(classroom: Classroom) -> str:
    """What is another whenever accounts have been added to a class."""
    made = classroom.members.filter(is_managed=True).aggregate(last=Max("pk"))
    return str(made["last"] or 0)


def look(classroom: Classroom, listed: Sequence[Listed]) -> list[Line]:
    """What would become of a list. Nothing is kept."""
    lines = _sorted_out(classroom, listed)
    with transaction.atomic():
        # Which names the accounts get is known for certain once they are made: made, looked at, undone.
        made = cards.make_accounts([line.name for line in _new(lines)], with_code=timedelta(days=1))
        transaction.set_rollback(True)
    accounts = iter([card.account.name for card in made])
    return [line._replace(account=next(accounts)) if line.state == NEW else line for line in lines]


def make(
    classroom: Classroom, listed: Sequence[Listed], *, seen: str, with_code: timedelta | None
) -> list[cards.Card]:
    """Accounts and places in a class for those of a list who have none, all or none of them.

    seen: the `mark` when somebody looked at the list. Raises Stale where it is another now: a form sent twice
    makes nobody twice.
    """
    with transaction.atomic():
        members.locked(classroom.pk)
        if mark(classroom) != seen:
            raise Stale
        new = _new(_sorted_out(classroom, listed))
        made = cards.make_accounts([line.name for line in new], with_code=with_code)
        now = timezone.now()
        Member.objects.bulk_create(
            Member(
                classroom=classroom,
                learner=card.account.learner,
                name=card.name,
                folded=folded(card.name),
                is_managed=True,
                joined=now,
            )
            for card in made
        )
    return made


def _new(lines: Iterable[Line]) -> list[Line]:
    return [line for line in lines if line.state == NEW]


def _sorted_out(classroom: Classroom, listed: Iterable[Listed]) -> list[Line]:
    there = set(classroom.members.filter(left=None).values_list("folded", flat=True))
    numbers: dict[str, int] = {}
    return [_line(one, there, numbers) for one in listed]


def _line(listed: Listed, there: set[str], numbers: dict[str, int]) -> Line:
    """What becomes of one. numbers: in which line each name came first, to which it is added."""
    number, text = listed
    try:
        name = cards.display_name(text)
    except ValidationError as error:
        return Line(number, text, BAD, why=" ".join(error.messages))
    first = numbers.setdefault(folded(name), number)
    if first != number:
        why = gettext("The same name as in line %(n)s. Add a letter or a number.") % {"n": first}
        return Line(number, name, BAD, why=why)
    return Line(number, name, THERE if folded(name) in there else NEW)
