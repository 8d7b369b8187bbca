"""What a student was given, until when, and how far they are with it: for them and for their teachers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from tutor.classes import dates, working
from tutor.classes.models import Assignment, Extension, Member, Part, Work
from tutor.classes.working import Result


class Row(NamedTuple):
    """An assignment in a student's list. due: for them. state: as `dates.state_of` names it. works: their
    tries. is_told: whether it is told what was right."""

    assignment: Assignment
    due: datetime | None
    state: str
    result: Result
    works: list[Work]
    is_told: bool

    @property
    def is_open(self) -> bool:
        """Whether answers are taken."""
        is_over = self.assignment.classroom.archived is not None
        return self.state in (dates.OPEN, dates.OVERDUE) and not is_over

    @property
    def is_to_do(self) -> bool:
        """Whether something is left that can still be done."""
        return self.is_open and not self.result.is_done

    @property
    def is_begun(self) -> bool:
        """Whether something was done."""
        return self.result.done > 0


def rows_of(student: Member, now: datetime) -> list[Row]:
    """All that a student was given, in order, with how far they are; a constant number of queries."""
    given = list(student.classroom.assignments.filter(opens__isnull=False).order_by("place", "pk"))
    parts: dict[int, list[Part]] = {}
    for part in Part.objects.filter(assignment__in=given):
        parts.setdefault(part.assignment_id, []).append(part)
    works: dict[int, list[Work]] = {}
    for work in Work.objects.filter(member=student).order_by("number"):
        works.setdefault(work.assignment_id, []).append(work)
    dues: dict[int, list[datetime]] = {}
    extended: dict[int, datetime] = {}
    for one in Extension.objects.filter(assignment__in=given, member__left=None):
        dues.setdefault(one.assignment_id, []).append(one.due)
        if one.member_id == student.pk:
            extended[one.assignment_id] = one.due
    read = working.read(student, {place for own in parts.values() for place in working.chapter_places(own)})
    return [
        _row(
            one,
            parts.get(one.pk, []),
            works.get(one.pk, []),
            extended.get(one.pk),
            dues.get(one.pk, ()),
            read,
            now,
        )
        for one in given
    ]


def _row(
    assignment: Assignment,
    parts: Iterable[Part],
    works: list[Work],
    extended: datetime | None,
    dues: Iterable[datetime],
    read: set[str],
    now: datetime,
) -> Row:
    parts = list(parts)
    due = dates.due_of(assignment, extended)
    places = working.chapter_places(parts)
    told = dates.told_from(assignment, dues)
    is_told = told is None or now >= told
    # Which try is the best would tell what is right: until that is told it is the last that counts.
    work = working.best(works) if is_told else works[-1] if works else None
    result = working.result_of(
        assignment,
        work,
        sum(part.size for part in parts),
        len(read.intersection(places)),
        len(places),
    )
    state = dates.state_of(assignment, due, now)
    return Row(assignment, due, state, result, works, is_told)
