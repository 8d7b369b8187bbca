"""Dates of a class: hours that clocks skip or show twice, what is late, and when it is told what is right."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone, translation

from tests.school import Assignments, Members, add_set, answered
from tutor.classes import dates, working
from tutor.classes.models import (
    AFTER_DUE,
    AT_ONCE,
    BY_HAND,
    HALF,
    LATE,
    REFUSED,
    SEALED,
    Assignment,
    Extension,
)
from tutor.practice.models import Attempt

DUE = datetime(2026, 3, 9, 15, 59, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# From clocks to moments


@pytest.mark.parametrize(
    ("zone", "local", "moment"),
    [
        ("Europe/Berlin", "2026-01-15T12:00", "2026-01-15T11:00"),
        ("Europe/Berlin", "2026-07-15T12:00", "2026-07-15T10:00"),
        ("Europe/Berlin", "2026-03-29T01:59", "2026-03-29T00:59"),
        ("Europe/Berlin", "2026-03-29T03:00", "2026-03-29T01:00"),
        ("Europe/Berlin", "2026-10-25T01:59", "2026-10-24T23:59"),
        ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T01:30"),  # shown twice: the later
        ("Europe/Berlin", "2026-10-25T03:00", "2026-10-25T02:00"),
        ("America/New_York", "2026-03-08T03:00", "2026-03-08T07:00"),
        ("America/New_York", "2026-11-01T01:30", "2026-11-01T06:30"),  # shown twice: the later
        ("America/New_York", "2026-11-01T00:59", "2026-11-01T04:59"),
        ("Asia/Shanghai", "2026-03-29T02:30", "2026-03-28T18:30"),
        ("Asia/Shanghai", "2026-10-25T02:30", "2026-10-24T18:30"),
        ("Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T15:15"),  # half an hour, shown twice
        ("Australia/Lord_Howe", "2026-10-04T02:30", "2026-10-03T15:30"),
        ("Asia/Kathmandu", "2026-06-01T00:00", "2026-05-31T18:15"),
    ],
)
def test_a_time_is_the_moment_when_the_clocks_of_the_class_show_it(
    zone: str, local: str, moment: str
) -> None:
    found = dates.instant(datetime.fromisoformat(local), ZoneInfo(zone))
    assert found == utc(moment)
    assert found.astimezone(ZoneInfo(zone)).replace(tzinfo=None) == datetime.fromisoformat(local)


@pytest.mark.parametrize(
    ("zone", "local", "instead"),
    [
        ("Europe/Berlin", "2026-03-29T02:00", "03:00"),
        ("Europe/Berlin", "2026-03-29T02:59", "03:59"),
        ("America/New_York", "2026-03-08T02:30", "03:30"),
        ("Australia/Lord_Howe", "2026-10-04T02:00", "02:30"),
        ("Australia/Lord_Howe", "2026-10-04T02:29", "02:59"),
    ],
)
def test_a_time_that_clocks_skip_is_refused_with_what_they_show_instead(
    zone: str, local: str, instead: str
) -> None:
    for language in ("en", "zh-hans"):
        with translation.override(language), pytest.raises(ValidationError) as refused:
            dates.instant(datetime.fromisoformat(local), ZoneInfo(zone))
        assert local[-5:] in refused.value.messages[0]
        assert instead in refused.value.messages[0]


# What is late


@pytest.mark.parametrize(
    ("due", "now", "is_late"),
    [
        (None, DUE, False),
        (DUE, DUE - SECOND, False),
        (DUE, DUE, False),
        (DUE, DUE + 59 * SECOND, False),
        (DUE, DUE + 60 * SECOND, True),
        (DUE, DUE + HOUR, True),
    ],
)
def test_the_minute_that_something_is_due_is_in_time(
    due: datetime | None, now: datetime, is_late: bool
) -> None:
    assert dates.is_late(due, now) is is_late


@pytest.mark.parametrize(
    ("opens", "due", "late", "now", "state"),
    [
        (None, DUE, LATE, DUE - HOUR, dates.DRAFT),
        (None, None, LATE, DUE, dates.DRAFT),
        (DUE, None, LATE, DUE - SECOND, dates.COMING),
        (DUE, None, LATE, DUE, dates.OPEN),
        (DUE - HOUR, DUE, LATE, DUE + 59 * SECOND, dates.OPEN),
        (DUE - HOUR, DUE, LATE, DUE + 60 * SECOND, dates.OVERDUE),
        (DUE - HOUR, DUE, HALF, DUE + 60 * SECOND, dates.OVERDUE),
        (DUE - HOUR, DUE, REFUSED, DUE + 59 * SECOND, dates.OPEN),
        (DUE - HOUR, DUE, REFUSED, DUE + 60 * SECOND, dates.CLOSED),
        (DUE - HOUR, None, REFUSED, DUE + 9999 * HOUR, dates.OPEN),
    ],
)
def test_dates_and_what_becomes_of_late_answers_say_what_may_be_done(
    opens: datetime | None, due: datetime | None, late: str, now: datetime, state: str
) -> None:
    assert dates.state_of(Assignment(opens=opens, due=due, late=late), due, now) == state


@pytest.mark.parametrize(
    ("due", "extended", "theirs"),
    [
        (None, None, None),
        (None, DUE, None),
        (DUE, None, DUE),
        (DUE, DUE + HOUR, DUE + HOUR),
        (DUE + 2 * HOUR, DUE + HOUR, DUE + 2 * HOUR),  # the date of all was moved past it
    ],
)
def test_more_time_is_never_less_than_the_others_have(
    due: datetime | None, extended: datetime | None, theirs: datetime | None
) -> None:
    assert dates.due_of(Assignment(due=due), extended) == theirs


@pytest.mark.parametrize(
    ("reveal", "due", "revealed", "extensions", "told"),
    [
        (AT_ONCE, DUE, None, [], None),
        (AT_ONCE, None, None, [], None),
        (AFTER_DUE, DUE, None, [], DUE + timedelta(minutes=1)),
        (AFTER_DUE, DUE, None, [DUE + HOUR], DUE + HOUR + timedelta(minutes=1)),
        (AFTER_DUE, DUE, None, [DUE - HOUR], DUE + timedelta(minutes=1)),
        (AFTER_DUE, DUE, DUE - HOUR, [DUE + HOUR], None),
        (AFTER_DUE, None, None, [], SEALED),
        (BY_HAND, DUE, None, [], SEALED),
        (BY_HAND, DUE, DUE + HOUR, [], None),
    ],
)
def test_what_is_right_is_told_when_nobody_can_use_it_any_more(
    reveal: str,
    due: datetime | None,
    revealed: datetime | None,
    extensions: list[datetime],
    told: datetime | None,
) -> None:
    assert dates.told_from(Assignment(reveal=reveal, due=due, revealed=revealed), extensions) == told


# What is counted


def work_at(now: datetime, monkeypatch: pytest.MonkeyPatch, **ways: Any) -> tuple[Assignment, Any]:
    """An assignment that one student has done: the first answer before it was due, the others after."""
    monkeypatch.setattr(timezone, "now", lambda: now)
    given = Assignments(opens=DUE - 9 * HOUR, due=DUE, **ways)
    add_set(given)
    student = Members(classroom=given.classroom)
    # Answers come a minute apart: at 15:59, 16:00 and 16:01.
    return given, answered(student, given, [True, True, False], at=DUE - timedelta(minutes=1))


@pytest.mark.parametrize(
    ("late", "more_time", "points", "late_answers"),
    [
        (LATE, None, 4, 2),
        (HALF, None, 3, 2),
        (REFUSED, None, 4, 2),
        (LATE, timedelta(minutes=1), 4, 1),
        (HALF, timedelta(minutes=1), 4, 1),
        (HALF, HOUR, 4, 0),
        (REFUSED, HOUR, 4, 0),
    ],
)
@pytest.mark.parametrize("reveal", [AT_ONCE, AFTER_DUE, BY_HAND])
def test_answers_are_counted_by_when_they_came_and_told_by_the_last_who_has_time(
    shelved: None,
    monkeypatch: pytest.MonkeyPatch,
    late: str,
    more_time: timedelta | None,
    points: int,
    late_answers: int,
    reveal: str,
) -> None:
    given, work = work_at(DUE + HOUR, monkeypatch, late=late, reveal=reveal)
    if more_time:
        Extension.objects.create(assignment=given, member=work.member, due=DUE + more_time)
    working.recount(given)
    working.seal(given)
    work.refresh_from_db()
    assert (work.answered, work.right, work.points, work.late) == (3, 2, points, late_answers)
    told = {
        AT_ONCE: None,
        AFTER_DUE: DUE + (more_time or timedelta()) + timedelta(minutes=1),
        BY_HAND: SEALED,
    }[reveal]
    assert {*Attempt.objects.filter(work=work).values_list("visible", flat=True)} == {told}


def test_a_later_due_date_makes_late_answers_good_and_an_earlier_one_makes_them_late(
    shelved: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, work = work_at(DUE + HOUR, monkeypatch, late=HALF)
    for due, points, late in ((DUE + HOUR, 4, 0), (DUE - HOUR, 2, 3), (None, 4, 0), (DUE, 3, 2)):
        given.due = due
        given.save()
        working.recount(given)
        work.refresh_from_db()
        assert (work.points, work.late) == (points, late)
