"""What the pages that change assignments have in common: who may, and how two teachers stay out of each
other's way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

from django.db.models import Max, QuerySet
from django.http import Http404, HttpResponse
from django.utils.translation import gettext

from tutor.classes import access
from tutor.classes.models import Assignment, Classroom, Part
from tutor.classes.pages import see
from tutor.requests import Request

UP, DOWN = "up", "down"
Placed = TypeVar("Placed", Assignment, Part)


def by_teacher(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For a view that changes what a class is given: it gets the teacher, and the assignment where the
    address names one. In an archived class nothing is changed."""

    @wraps(view)
    def checked(request: Request, classroom: int, assignment: int | None = None, **keys: Any) -> HttpResponse:
        me = access.teacher_of(request, classroom)
        found = () if assignment is None else (access.assignment_of(me.classroom, assignment),)
        if me.classroom.archived is not None:
            return see(
                request,
                "classroom",
                classroom,
                said=gettext("This class is archived: nothing in it is changed any more."),
            )
        return view(request, me, *found, **keys)

    return checked


def locked(assignment: Assignment) -> Assignment:
    """An assignment as it is now, locked until the transaction ends. Raises Http404 where somebody has just
    deleted it."""
    found = Assignment.objects.select_for_update().filter(pk=assignment.pk).first()
    if found is None:
        raise Http404
    found.classroom = assignment.classroom
    return found


def locked_class(classroom: Classroom) -> None:
    """Locks a class until the transaction ends. Raises Http404 where somebody has just deleted it."""
    if not Classroom.objects.select_for_update().filter(pk=classroom.pk).exists():
        raise Http404


def begun(assignment: Assignment) -> int:
    """How many students have begun an assignment."""
    return assignment.works.filter(member__left=None).values("member").distinct().count()


def next_place(rows: QuerySet[Placed]) -> int:
    """The place after the last of some rows."""
    last = rows.aggregate(last=Max("place"))["last"]
    return 0 if last is None else last + 1


def move(rows: Sequence[Placed], key: int, to: str) -> None:
    """Moves one of some rows up or down by one, and stores the place of each; at the end it stays."""
    order = list(rows)
    at = next((n for n, row in enumerate(order) if row.pk == key), None)
    if at is None:
        return
    other = at - 1 if to == UP else at + 1
    if 0 <= other < len(order):
        order[at], order[other] = order[other], order[at]
    for place, row in enumerate(order):
        row.place = place
    if order:
        type(order[0])._default_manager.bulk_update(order, ["place"])


def moved(request: Request, name: str, *keys: int, row: int, to: str) -> HttpResponse:
    """Leads back to a list in which a row was moved, with the focus on the same button."""
    response = see(request, name, *keys)
    response["Location"] += f"?moved={row}&to={to}"
    return response
