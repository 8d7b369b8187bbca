"""Who goes on with a judging: workers, where the site has some, else the page that shows how far it is.

Worker and page do the same small pieces (see `rejudge`): both may be at it at once. A worker has turns: each
leaves the next one in the queue before it begins, and whichever worker is free takes that up when the turn is
over, or was cut short.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django_tasks import TaskContext, TaskResult, TaskResultStatus, default_task_backend, task
from django_tasks.exceptions import TaskResultDoesNotExist

from tutor.classes import rejudge
from tutor.classes.models import Judging

PAGE, WORKER, FAILED = "page", "worker", "failed"
TURN = timedelta(seconds=20)  # a worker that is told to stop ends its turn first
WAIT = timedelta(seconds=15)  # until nobody is taken to be at it any more
_SECONDS = 0.8  # of work that one request does


@task(backend="page")
def piece(judging: int) -> None:
    """Goes on with a judging for as long as somebody can wait for a page."""
    with suppress(Judging.DoesNotExist):  # its class was deleted on the way
        rejudge.go_on(Judging(pk=judging), seconds=_SECONDS)


@task(takes_context=True)
def turn(context: TaskContext, judging: int, before: str = "", stood: list[int] | None = None) -> None:
    """A worker's turn at a judging. before: the turn that left this one; stood: where that one began.

    After a turn that got nowhere none goes on by itself, or what kills one worker would kill them all. Nor
    does one whose judging was left to workers anew since.
    """
    with transaction.atomic():
        now = Judging.objects.select_for_update().filter(pk=judging).first()
        mine = context.task_result.id
        if now is None or not rejudge.is_going(now) or now.task not in (mine, before):
            return
        stands = [now.last, len(now.follows)]
        if stands == stood:
            return
        now.task = mine
        now.save(update_fields=["task"])
        turn.using(run_after=timezone.now() + TURN).enqueue(judging, mine, stands)
    with suppress(Judging.DoesNotExist):
        rejudge.go_on(now, seconds=TURN.total_seconds())


def hand_over(judging: Judging) -> None:
    """Leaves a judging to the workers, where the site has some, unless they have it already.

    The queue is the database: it is theirs when the transaction is committed, and never if it is not.
    """
    if not default_task_backend.supports_defer:
        return
    with transaction.atomic():
        now = Judging.objects.select_for_update().get(pk=judging.pk)
        last = _last_turn(now)
        # A worker that was killed leaves its turn as one that goes on for ever.
        is_over = last is None or last.is_finished or (last.started_at is not None and who(now) == PAGE)
        if rejudge.is_going(now) and is_over:
            now.task = turn.enqueue(judging.pk).id
            now.save(update_fields=["task"])


def who(judging: Judging) -> str:
    """Who goes on with a judging: PAGE or WORKER; FAILED where the last worker did. One query at most."""
    last = _last_turn(judging)
    if last is None:
        return PAGE
    if last.status == TaskResultStatus.FAILED:
        return FAILED
    since = last.finished_at or last.started_at or last.enqueued_at
    lasts = TURN if last.status == TaskResultStatus.RUNNING else timedelta()
    return WORKER if since and timezone.now() < since + lasts + WAIT else PAGE


def _last_turn(judging: Judging) -> TaskResult[None] | None:
    """The turn that began last, or waits to begin first."""
    if not judging.task or not default_task_backend.supports_get_result:
        return None
    try:
        return default_task_backend.get_result(judging.task)
    except TaskResultDoesNotExist:
        return None
