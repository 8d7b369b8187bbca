"""Who may see what of a class: whoever is in it, and more for its teachers. To all others it is not there.

Each view loads what it shows through one of these, so that nothing is shown before it is asked whose it is.
"""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest

from tutor.classes.models import Assignment, Board, Classroom, Member
from tutor.people import learners

Found = TypeVar("Found", Assignment, Board, Member)
Row = TypeVar("Row", bound=Model)
_LARGEST = 2**63 - 1  # than which no key of a database is larger


def memberships(request: HttpRequest) -> QuerySet[Member]:
    """Where whoever asks is in, with the class; none for a guest."""
    if not learners.is_signed_in(request):
        return Member.objects.none()
    mine = Member.objects.filter(learner=learners.of(request), left=None)
    return mine.select_related("classroom")


def member_of(request: HttpRequest, classroom: int) -> Member:
    """Whoever asks, as somebody in a class. Raises Http404 for anybody else."""
    if classroom > _LARGEST:
        raise Http404
    return _found(memberships(request).filter(classroom=classroom))


def teacher_of(request: HttpRequest, classroom: int) -> Member:
    """Whoever asks, as a teacher of a class. Raises Http404 for anybody else."""
    return _as(request, classroom, is_teacher=True)


def student_of(request: HttpRequest, classroom: int) -> Member:
    """Whoever asks, as a student of a class. Raises Http404 for anybody else."""
    return _as(request, classroom, is_teacher=False)


def _as(request: HttpRequest, classroom: int, *, is_teacher: bool) -> Member:
    found = member_of(request, classroom)
    if found.is_teacher is not is_teacher:
        raise Http404
    return found


def assignment_of(classroom: Classroom, key: int) -> Assignment:
    """An assignment of a class, for its teachers. Raises Http404."""
    return _of(classroom, Assignment.objects.filter(pk=key, classroom=classroom))


def given_to(member: Member, key: int) -> Assignment:
    """An assignment as a student may see it: no draft. Raises Http404."""
    return _of(
        member.classroom,
        Assignment.objects.filter(pk=key, classroom=member.classroom_id, opens__isnull=False),
    )


def other_of(classroom: Classroom, key: int) -> Member:
    """Somebody in a class, for its teachers. Raises Http404."""
    return _of(
        classroom,
        Member.objects.filter(pk=key, classroom=classroom, left=None).select_related("learner__account"),
    )


def board_of(classroom: Classroom, key: int) -> Board:
    """A live board of a class. Raises Http404."""
    return _of(classroom, Board.objects.filter(pk=key, classroom=classroom))


def _of(classroom: Classroom, rows: QuerySet[Found]) -> Found:
    """One of a class's rows, which then knows the class as it was loaded."""
    found = _found(rows)
    found.classroom = classroom
    return found


def _found(rows: QuerySet[Row]) -> Row:
    found = rows.first()
    if found is None:
        raise Http404
    return found
