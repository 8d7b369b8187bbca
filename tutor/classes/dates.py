"""Dates of a class, in its own time zone, and what they allow: when something opens, is due, and is told."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from tutor.classes.models import AFTER_DUE, AT_ONCE, REFUSED, SEALED, Assignment

DRAFT, COMING, OPEN, OVERDUE, CLOSED = "draft", "coming", "open", "overdue", "closed"
# What is due at a minute is in time until that minute is over.
MINUTE = timedelta(minutes=1)


def instant(local: datetime, zone: ZoneInfo) -> datetime:
    """The moment when the clocks of a zone show a time; the later one where they show it twice.

    Raises ValidationError for a time that they skip, with the time that they show instead.
    """
    moment = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    back = moment.astimezone(zone).replace(tzinfo=None)
    if back == local:
        return moment
    # In a gap fold=0 stands for the time before it: what the clocks show once they have been put forward.
    shown = local.replace(tzinfo=zone, fold=0).astimezone(UTC).astimezone(zone)
    raise ValidationError(
        gettext("The clocks go forward then: there is no %(time)s on that day. Choose %(instead)s, for one.")
        % {"time": f"{local:%H:%M}", "instead": f"{shown:%H:%M}"}
    )


def due_of(assignment: Assignment, extended: datetime | None) -> datetime | None:
    """When an assignment is due for somebody, None for never. extended: their own date, if they have one."""
    if assignment.due is None or extended is None:
        return assignment.due
    return max(assignment.due, extended)


def is_late(due: datetime | None, now: datetime) -> bool:
    """Whether the minute that something is due is over."""
    return due is not None and now >= due + MINUTE


def state_of(assignment: Assignment, due: datetime | None, now: datetime) -> str:
    """What an assignment is to somebody: draft, coming, open, overdue (late answers are taken), closed."""
    if assignment.opens is None:
        return DRAFT
    if now < assignment.opens:
        return COMING
    if not is_late(due, now):
        return OPEN
    return CLOSED if assignment.late == REFUSED else OVERDUE


def told_from(assignment: Assignment, extensions: Iterable[datetime]) -> datetime | None:
    """From when it is told what is right, None for at once: after the last who has more time."""
    if assignment.reveal == AT_ONCE or assignment.revealed is not None:
        return None
    if assignment.reveal == AFTER_DUE and assignment.due is not None:
        return max([assignment.due, *extensions]) + MINUTE
    return SEALED
