"""Judging on workers: each job once, whoever works, is killed or fails; and without workers as ever."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

import pytest
from django.conf import LazySettings, settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks import TaskContext
from django_tasks_db.models import DBTaskResult

from tests.school import Classrooms, Members, answered, client_of, teacher_of
from tests.test_judging import (
    BOTH,
    HANDS,
    asking,
    change_rules,
    classroom,
    finished,
    flips,
    recounted,
    teacher,
    text_of,
    url,
    verdicts,
)
from tutor.classes import jobs, rejudge
from tutor.classes.models import Change, Classroom, Judging, Work
from tutor.people.tidy import tidy

__all__ = ["classroom"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shelved")]

HTMX = {"HX-Request": "true"}
POLLS = 'hx-trigger="every 3s"'
BY_ITSELF = "load delay"
IMMEDIATE = {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"}
DATABASE = {"BACKEND": "django_tasks_db.DatabaseBackend"}


@pytest.fixture
def queued(settings: LazySettings) -> None:
    """The site has workers, as JOBS=database says."""
    settings.TASKS = {"default": DATABASE, "page": IMMEDIATE}


def work() -> None:
    """A worker does all that waits in the queue, and ends."""
    tells = {name: logging.getLogger(name).level for name in ("django_tasks", "django_tasks_db")}
    handlers = {
        number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT)
    }
    try:
        # In a test that is one transaction, its connection has to stay.
        with patch("django_tasks_db.management.commands.db_worker.close_old_connections"):
            call_command("db_worker", batch=True, interval=0, reload=False, startup_delay=False)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for name, level in tells.items():
            logging.getLogger(name).setLevel(level)


def begun(classroom: Classroom, client: Client | None = None) -> Judging:
    """A judging as its teacher begins it on the page."""
    client = client or client_of(teacher(classroom))
    assert client.post(url("class-judge", classroom.pk)).status_code == 303
    return classroom.judgings.latest("pk")


def page_of(judging: Judging) -> str:
    return url("class-judging", judging.classroom_id, judging.pk)


def later(seconds: float) -> None:
    """Lets time go by for what is in the queue: all of it happened so much earlier."""
    ago = timedelta(seconds=seconds)
    for row in DBTaskResult.objects.all():
        for name in ("enqueued_at", "started_at", "finished_at", "run_after"):
            at = getattr(row, name)
            if at is not None and at.year < 9999:
                setattr(row, name, at - ago)
        row.save()


def is_done_right(judging: Judging, before: dict[int, bool | None]) -> bool:
    """Whether it found what an independent recount finds, each answer seen once."""
    judging.refresh_from_db()
    wanted = {pk: now for pk, now in recounted(judging.classroom, BOTH).items() if now != before[pk]}
    return bool(judging.finished) and judging.seen == len(before) and flips(judging) == wanted != {}


# Without workers, as a site is unless it is told otherwise


def test_unless_told_otherwise_nothing_has_to_be_started() -> None:
    assert settings.JOBS == ""
    assert settings.TASKS == {"default": IMMEDIATE, "page": IMMEDIATE}


def test_without_workers_nothing_is_put_into_the_queue_and_the_page_judges(classroom: Classroom) -> None:
    before = verdicts(classroom)
    change_rules(classroom, BOTH)
    client = client_of(teacher(classroom))
    judging = begun(classroom, client)
    assert (judging.task, judging.seen) == ("", 0)
    assert BY_ITSELF in text_of(client.get(page_of(judging)))
    client.post(page_of(judging), {"do": "go-on"}, headers=HTMX)
    assert is_done_right(judging, before)
    client.post(page_of(judging), {"do": "accept"})
    assert not DBTaskResult.objects.exists()
    assert works_are_right(classroom)


def works_are_right(classroom: Classroom) -> bool:
    now = verdicts(classroom)
    return all(
        work.right == sum(bool(now[pk]) for pk in work.attempts.values_list("pk", flat=True))
        for work in Work.objects.filter(assignment__classroom=classroom)
    )


def test_a_queue_that_there_is_not_is_refused_at_the_start() -> None:
    told = {**os.environ, "JOBS": "redis"}
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=settings.BASE_DIR,
        env=told,
        capture_output=True,
        check=False,
    )
    assert done.returncode
    assert ImproperlyConfigured.__name__ in done.stderr.decode()
    assert "JOBS is 'redis'" in done.stderr.decode()


def test_a_worker_is_refused_where_there_is_no_queue() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "db_worker", "--batch"],
        cwd=settings.BASE_DIR,
        env={name: value for name, value in os.environ.items() if name != "JOBS"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2  # the one status after which its service is not started again
    assert "not a database backend" in done.stderr.decode()


# With workers


@pytest.mark.usefixtures("queued")
def test_a_worker_judges_it_all_and_the_page_says_how_far_it_is(classroom: Classroom) -> None:
    before = verdicts(classroom)
    change_rules(classroom, BOTH)
    client = client_of(teacher(classroom))
    judging = begun(classroom, client)
    here = page_of(judging)
    for shown in (text_of(client.get(here)), text_of(client.get(here, headers=HTMX))):
        assert f"0 of {len(before)} answers judged" in shown
        assert POLLS in shown
        assert BY_ITSELF not in shown
        assert f'href="{here}">See how far it is' in shown, "without JavaScript"
    work()
    assert is_done_right(judging, before)
    for shown in (text_of(client.get(here)), text_of(client.get(here, headers=HTMX))):
        assert "Accept: change" in shown
        assert POLLS not in shown


@pytest.mark.usefixtures("queued")
def test_what_follows_is_counted_by_workers_too(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_rules(classroom, BOTH)
    asking(classroom)
    judging = finished(classroom)
    client = client_of(teacher(classroom))
    with monkeypatch.context() as patch:  # more than a page can wait for
        patch.setattr(rejudge, "_followed", lambda judging: judging)
        patch.setattr(jobs, "_SECONDS", 0)
        said = client.post(page_of(judging), {"do": "accept"}, follow=True)
    shown = text_of(said)
    assert f"{judging.changes.count()} answers were changed." in shown
    assert "0 of 1 counted anew" in shown
    assert POLLS in shown
    assert not works_are_right(classroom)
    work()
    assert works_are_right(classroom)
    assert "counted anew" not in text_of(client.get(page_of(judging)))


@pytest.mark.usefixtures("queued")
def test_a_turn_ends_and_the_next_one_goes_on(classroom: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    before = verdicts(classroom)
    change_rules(classroom, BOTH)
    judging = begun(classroom)
    monkeypatch.setattr(jobs, "TURN", timedelta())  # but one answer
    for turn in range(len(before)):
        assert not is_done_right(judging, before)
        work_once()
        judging.refresh_from_db()
        assert judging.seen == turn + 1
    assert is_done_right(judging, before)
    work_once()
    statuses = list(DBTaskResult.objects.values_list("status", flat=True))
    assert statuses == ["SUCCESSFUL"] * (len(before) + 1)


def work_once() -> None:
    """A worker does one thing that waits in the queue."""
    task = DBTaskResult.objects.ready().first()
    if task is not None:
        task.claim("test")
        try:
            task.set_successful(
                jobs.turn.call(TaskContext(task_result=task.task_result), *task.args_kwargs["args"])
            )
        except ZeroDivisionError as error:
            task.set_failed(error)


@pytest.mark.usefixtures("queued")
def test_the_queue_holds_keys_alone(classroom: Classroom) -> None:
    judging = begun(classroom)
    work()
    first, following = DBTaskResult.objects.order_by("enqueued_at")
    assert first.args_kwargs == {"args": [judging.pk], "kwargs": {}}
    assert following.args_kwargs == {"args": [judging.pk, str(first.pk), [0, 0]], "kwargs": {}}
    assert first.return_value is None


@pytest.mark.usefixtures("queued")
def test_pressed_twice_it_is_left_to_workers_once(classroom: Classroom) -> None:
    client = client_of(teacher(classroom))
    judging = begun(classroom, client)
    assert begun(classroom, client).pk == judging.pk
    assert DBTaskResult.objects.count() == 1


@pytest.mark.usefixtures("queued")
def test_what_is_undone_was_never_in_the_queue(classroom: Classroom) -> None:
    class Undone(Exception):
        pass

    def begin_and_fail() -> None:
        with transaction.atomic():
            jobs.hand_over(rejudge.begin(classroom, "Ms Lin"))
            assert DBTaskResult.objects.count() == 1
            raise Undone

    with pytest.raises(Undone):
        begin_and_fail()
    assert not DBTaskResult.objects.exists()


@pytest.mark.usefixtures("queued", "transactional_db")
def test_the_queue_has_it_when_it_is_committed_and_not_before(classroom: Classroom) -> None:
    with transaction.atomic():
        judging = rejudge.begin(classroom, "Ms Lin")
        jobs.hand_over(judging)
        if connection.vendor != "sqlite":  # where one who writes keeps the next from looking for work
            with worker():
                pass
            judging.refresh_from_db()
            assert judging.seen == 0
    with worker():
        pass
    judging.refresh_from_db()
    assert judging.finished


@pytest.mark.usefixtures("queued")
@pytest.mark.parametrize("gone", ["dropped", "deleted", "judged by hand"])
def test_a_worker_leaves_alone_what_is_over(classroom: Classroom, gone: str) -> None:
    judging = begun(classroom)
    if gone == "dropped":
        rejudge.drop(judging)
    elif gone == "deleted":
        judging.delete()
    else:
        rejudge.go_on(judging)
    seen = Judging.objects.values_list("seen", flat=True).first()
    work()
    assert Judging.objects.values_list("seen", flat=True).first() == seen
    assert [row.status for row in DBTaskResult.objects.all()] == ["SUCCESSFUL"]


# Where no worker comes, or one fails


@pytest.mark.usefixtures("queued")
def test_where_no_worker_comes_the_page_goes_on(classroom: Classroom) -> None:
    before = verdicts(classroom)
    change_rules(classroom, BOTH)
    client = client_of(teacher(classroom))
    judging = begun(classroom, client)
    here = page_of(judging)
    later(14)
    assert BY_ITSELF not in text_of(client.get(here, headers=HTMX))
    later(2)
    assert BY_ITSELF in text_of(client.get(here, headers=HTMX))
    assert "Accept: change" in text_of(client.post(here, {"do": "go-on"}, headers=HTMX))
    assert is_done_right(judging, before)
    work()
    assert is_done_right(judging, before)


@pytest.mark.usefixtures("queued")
def test_after_a_worker_was_killed_before_anything_was_stored_what_follows_goes_to_workers(
    classroom: Classroom,
) -> None:
    again = asking(classroom)
    for student in classroom.members.filter(is_teacher=False):
        answered(student, again, [True] * len(HANDS))
    change_rules(classroom, BOTH)
    judging = begun(classroom)
    DBTaskResult.objects.update(status="RUNNING", started_at=timezone.now())  # as a kill leaves it
    later(60)
    client = client_of(teacher(classroom))
    assert BY_ITSELF in text_of(client.get(page_of(judging)))
    client.post(page_of(judging), {"do": "go-on"}, headers=HTMX)
    with patch.object(jobs, "_SECONDS", 0):
        client.post(page_of(judging), {"do": "accept"})
    judging.refresh_from_db()
    assert judging.follows
    work()
    judging.refresh_from_db()
    assert judging.follows == []
    assert works_are_right(classroom)


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_a_class_that_is_deleted_while_it_is_judged_is_not_found(
    classroom: Classroom, headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    judging = begun(classroom)
    client = client_of(teacher(classroom))

    def gone(judging: Judging, **how: float) -> None:
        Classroom.objects.filter(pk=classroom.pk).delete()
        raise Judging.DoesNotExist

    with patch.object(rejudge, "go_on", gone):
        answer = client.post(page_of(judging), {"do": "go-on"}, headers=headers, follow=True)
    assert answer.status_code == 404
    assert not [line for line in caplog.records if line.levelno >= logging.ERROR]


@pytest.mark.usefixtures("queued")
def test_workers_taken_away_again_leave_it_to_the_page(classroom: Classroom, settings: LazySettings) -> None:
    client = client_of(teacher(classroom))
    judging = begun(classroom, client)
    settings.TASKS = {"default": IMMEDIATE, "page": IMMEDIATE}
    assert BY_ITSELF in text_of(client.get(page_of(judging)))


@pytest.mark.usefixtures("queued")
def test_a_failure_is_said_and_can_be_tried_again(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = verdicts(classroom)
    change_rules(classroom, BOTH)
    client = client_of(teacher(classroom))
    judging = begun(classroom, client)
    here = page_of(judging)
    with monkeypatch.context() as patch:
        patch.setattr(rejudge, "_changed", lambda *_: 1 / 0)
        work()
        assert "ZeroDivisionError" in caplog.text
        for shown in (text_of(client.get(here)), text_of(client.get(here, headers=HTMX))):
            assert "Something went wrong on this site" in shown
            assert "Try again" in shown
            assert POLLS not in shown
            assert BY_ITSELF not in shown
        later(60)
        work()  # the turn after one that got nowhere does nothing
        assert [row.status for row in DBTaskResult.objects.all()].count("FAILED") == 1
    again = text_of(client.post(here, {"do": "go-on"}, headers=HTMX))
    assert POLLS in again
    assert "went wrong" not in again
    work()
    assert is_done_right(judging, before)


def test_without_workers_a_failure_is_said_too(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = client_of(teacher(classroom))
    judging = begun(classroom, client)
    here = page_of(judging)
    with monkeypatch.context() as patch:
        patch.setattr(rejudge, "_changed", lambda *_: 1 / 0)
        part = text_of(client.post(here, {"do": "go-on"}, headers=HTMX))
        whole = text_of(client.post(here, {"do": "go-on"}, follow=True))
    assert "ZeroDivisionError" in caplog.text
    for shown in (part, whole):
        assert "Something went wrong on this site" in shown
    assert BY_ITSELF not in part
    assert "Try again" in part
    assert "not decided yet" in text_of(client.post(here, {"do": "go-on"}, headers=HTMX))


@pytest.mark.usefixtures("queued")
def test_a_failure_halfway_keeps_what_was_judged(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = verdicts(classroom)
    change_rules(classroom, BOTH)
    judging = begun(classroom)
    judged = rejudge._changed
    bad = max(before)

    def fails(attempt: Any, *more: Any) -> Change | None:
        if attempt.pk == bad:
            raise ZeroDivisionError
        return judged(attempt, *more)

    monkeypatch.setattr(rejudge, "BATCH", 5)
    with monkeypatch.context() as patch:
        patch.setattr(rejudge, "_changed", fails)
        for _ in range(4):
            work_once()
            later(60)
        judging.refresh_from_db()
        assert judging.seen == 20
        failed = DBTaskResult.objects.failed().count()
        assert failed == 2, "once more, for it had got somewhere"
        assert not DBTaskResult.objects.ready().exists()
    assert jobs.who(judging) == jobs.FAILED
    jobs.hand_over(judging)
    work()
    assert is_done_right(judging, before)


@pytest.mark.usefixtures("queued")
def test_a_turn_left_over_from_before_it_was_tried_again_does_nothing(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    judging = begun(classroom)
    monkeypatch.setattr(jobs, "TURN", timedelta())  # but one answer
    work_once()
    DBTaskResult.objects.successful().update(status="FAILED")
    judging.refresh_from_db()
    jobs.hand_over(judging)
    seen = []
    for _ in range(3):
        work_once()
        judging.refresh_from_db()
        seen.append(judging.seen)
    assert seen == [1, 2, 3]


# Workers as they are run, as processes of their own

_WORKER = """
import sys, time
import django
from django.conf import settings
django.setup()
from django.core.management import call_command
from tutor.classes import rejudge
judged, seconds = rejudge._changed, float(sys.argv[1])
def slow(attempt, *more):
    print(attempt.pk, flush=True)
    time.sleep(seconds)
    return judged(attempt, *more)
rejudge._changed = slow
rejudge.BATCH = 3
call_command("db_worker", *sys.argv[2:])
"""


@contextmanager
def worker(seconds: float = 0, *options: str) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A worker that takes so many seconds for each answer, and when it has ended the keys of those that it
    judged. It is waited for, and ends when there is no more to do unless options say otherwise."""
    judged: list[int] = []
    options = options or ("--batch", "--interval=0", "--no-startup-delay", "--verbosity=0")
    with subprocess.Popen(
        [sys.executable, "-c", _WORKER, str(seconds), *options],
        cwd=settings.BASE_DIR,
        env={
            **os.environ,
            "DATABASE_URL": _address(),
            "JOBS": "database",
            "DJANGO_SETTINGS_MODULE": "tutor.settings",
        }
        | {"DEBUG": "0", "SECRET_KEY": "for tests " * 8, "ALLOWED_HOSTS": "testserver"},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process, judged
            process.wait(60)
            judged += [int(line) for line in process.stdout or ()]
        finally:
            process.kill()


def _address() -> str:
    """The address of the database that a test has."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{given['NAME']}"
    return f"postgres://{given['USER']}@{quote(given['HOST'], safe='')}:{given['PORT']}/{given['NAME']}"


@pytest.mark.usefixtures("queued", "transactional_db")
def test_of_two_workers_each_job_is_done_by_one(classroom: Classroom) -> None:
    rooms = [classroom, *(Classrooms() for _ in range(3))]
    for room in rooms[1:]:
        teacher_of(room)
        assignment = asking(room, HANDS[:4])
        answered(Members(classroom=room), assignment, [True] * 4)
    judgings = [begun(room) for room in rooms]
    before = {room.pk: verdicts(room) for room in rooms}
    with worker(0.05) as (_, by_one), worker(0.05) as (_, by_other):
        pass
    assert sorted(by_one + by_other) == sorted(pk for found in before.values() for pk in found)
    assert by_one
    assert by_other
    for judging in judgings:
        judging.refresh_from_db()
        assert (bool(judging.finished), judging.seen) == (True, len(before[judging.classroom_id]))
    turns = DBTaskResult.objects.exclude(started_at=None)
    assert turns.count() == len(rooms)
    assert all(row.status == "SUCCESSFUL" and len(row.worker_ids) == 1 for row in turns)


@pytest.mark.usefixtures("queued", "transactional_db")
def test_what_a_killed_worker_had_begun_another_takes_up(classroom: Classroom) -> None:
    before = verdicts(classroom)
    change_rules(classroom, BOTH)
    client = client_of(teacher(classroom))
    judging = begun(classroom, client)
    here = page_of(judging)
    with worker(0.1) as (killed, _):
        until(lambda: Judging.objects.get().seen >= 6)
        killed.send_signal(signal.SIGKILL)
    judging.refresh_from_db()
    seen = judging.seen
    assert 6 <= seen < len(before)
    assert [row.status for row in DBTaskResult.objects.order_by("enqueued_at")] == ["RUNNING", "READY"]
    assert POLLS in text_of(client.get(here)), "nobody knows yet"
    with worker():
        pass
    judging.refresh_from_db()
    assert not judging.finished, "nor is it another's turn before the first one's is over"
    later(jobs.TURN.total_seconds())
    assert POLLS in text_of(client.get(here))
    with worker() as (_, judged):
        pass
    assert is_done_right(judging, before)
    assert judged == sorted(before)[seen:]


@pytest.mark.usefixtures("queued", "transactional_db")
def test_what_a_killed_worker_had_begun_the_page_takes_up(classroom: Classroom) -> None:
    before = verdicts(classroom)
    change_rules(classroom, BOTH)
    client = client_of(teacher(classroom))
    judging = begun(classroom, client)
    with worker(0.1) as (killed, _):
        until(lambda: Judging.objects.get().seen >= 6)
        killed.send_signal(signal.SIGKILL)
    later((jobs.TURN + jobs.WAIT).total_seconds() + 1)
    assert BY_ITSELF in text_of(client.get(page_of(judging)))
    client.post(page_of(judging), {"do": "go-on"})
    assert is_done_right(judging, before)


@pytest.mark.usefixtures("queued", "transactional_db")
def test_a_worker_that_is_told_to_stop_ends_its_turn_first(classroom: Classroom) -> None:
    before = verdicts(classroom)
    change_rules(classroom, BOTH)
    judging = begun(classroom)
    with worker(0.05, "--verbosity=0", "--interval=5") as (stopped, _):
        until(lambda: Judging.objects.get().seen >= 3)
        stopped.send_signal(signal.SIGTERM)
    assert stopped.returncode == 0
    assert is_done_right(judging, before)


def until(holds: Callable[[], bool], seconds: float = 30) -> None:
    """Waits for something."""
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.02)


# Who may see it, and what it costs


@pytest.mark.usefixtures("queued")
def test_nobody_else_sees_how_far_it_is_or_touches_it(classroom: Classroom) -> None:
    judging = begun(classroom)
    student = classroom.members.filter(is_teacher=False).first()
    elsewhere = teacher_of(Classrooms())
    for who in (student, elsewhere, None):
        client = client_of(who)
        for headers in ({}, HTMX):
            assert client.get(page_of(judging), headers=headers).status_code == 404
            assert client.post(page_of(judging), {"do": "go-on"}, headers=headers).status_code == 404
        assert client.post(url("class-judge", classroom.pk)).status_code == 404
    of_other = client_of(elsewhere)
    assert of_other.get(url("class-judging", elsewhere.classroom_id, judging.pk)).status_code == 404
    assert DBTaskResult.objects.count() == 1
    judging.refresh_from_db()
    assert judging.seen == 0


@pytest.mark.usefixtures("queued")
def test_asking_how_far_it_is_costs_one_query_more(classroom: Classroom) -> None:
    client = client_of(teacher(classroom))
    judging = begun(classroom, client)

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            client.get(page_of(judging), headers=HTMX)
        return len(found)

    queries()
    with_worker = queries()
    Judging.objects.update(task="")
    assert with_worker == queries() + 1
    assert with_worker <= 8


@pytest.mark.usefixtures("queued")
def test_what_was_done_long_ago_is_tidied_away(classroom: Classroom) -> None:
    begun(classroom)
    work()
    rows = DBTaskResult.objects.count()
    assert rows == 2
    later(6 * 24 * 3600)
    assert tidy().jobs == 0
    later(2 * 24 * 3600)
    assert tidy(dry_run=True).jobs == rows
    assert tidy().jobs == rows
    assert not DBTaskResult.objects.exists()
