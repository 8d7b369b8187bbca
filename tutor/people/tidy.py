"""Removes what nobody can reach any more: what has ended by itself, and guests whom no browser can know.

It goes in pieces, each a short transaction of its own, so that the site and other machines that tidy go on
meanwhile. Stopped halfway it has done a part; the next time does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from tutor.classes.models import Member
from tutor.people.models import Account, Brake, Learner, LoginCode, Progress, SignedIn
from tutor.practice.models import Attempt, Card, Run

MOST = 500  # rows that one transaction removes
_DAY = timedelta(days=1)
# What hangs on a guest and may be many rows: each is removed before what it hangs on.
_ROWS: tuple[type[Attempt] | type[Run] | type[Card] | type[Progress], ...] = (Attempt, Run, Card, Progress)


class Tidied(NamedTuple):
    """How much was removed. guests: with all they did. merged: guests whose things an account took over."""

    guests: int
    merged: int
    sessions: int
    login_codes: int
    brakes: int
    jobs: int


def kept_for() -> timedelta:
    """How long what a guest has done is kept after the last of it: as long as a browser may know them, and a
    day."""
    return timedelta(seconds=settings.SESSION_COOKIE_AGE) + _DAY


def tidy(now: datetime | None = None, *, dry_run: bool = False) -> Tidied:
    """Removes it all, or with dry_run counts what would go."""
    now = now or timezone.now()
    known = _known(now)
    lone = _unreachable(now)
    went = _counted if dry_run else _removed
    merged = sum(went(lone, keys) for keys in _pieces(lone.filter(merged_into__isnull=False), known))
    guests = sum(went(lone, keys) for keys in _pieces(lone.filter(merged_into=None), known))
    sweep: Callable[[QuerySet[Any]], int] = QuerySet.count if dry_run else _swept
    # Sessions after guests, who are still known by one that ended a moment ago.
    ended = Session.objects.filter(expire_date__lt=now)
    if not dry_run:
        # First, and on their own: whoever ends the sessions of an account takes both in this order too.
        _swept(SignedIn.objects.filter(session__in=ended))
        ended = ended.filter(~Exists(SignedIn.objects.filter(session=OuterRef("pk"))))
    return Tidied(
        guests,
        merged,
        sweep(ended),
        sweep(_worthless_codes(now)),
        sweep(Brake.objects.filter(last__lt=now - _DAY)),
        sweep(DBTaskResult.objects.filter(enqueued_at__lt=now - 7 * _DAY)),
    )


def _known(now: datetime) -> set[int]:
    """The learners whom a browser may know: those named by a session that goes on or ended today."""
    live = Session.objects.filter(expire_date__gt=now - _DAY)
    named = (session.get_decoded().get("learner") for session in live.iterator(chunk_size=MOST))
    return {learner for learner in named if isinstance(learner, int)}


def _unreachable(now: datetime) -> QuerySet[Learner]:
    """Learners without an account or a class who did nothing for longer than a session lasts.

    None into whom others were merged, and none whose account may have taken over from them today: what was
    under way then still asks for them.
    """
    since = now - kept_for()
    mine = {"learner": OuterRef("pk")}
    reasons = (
        Progress.objects.filter(**mine, at__gte=since),
        Run.objects.filter(Q(started__gte=since) | Q(ended__gte=since), **mine),
        Attempt.objects.filter(**mine, at__gte=since),
        Card.objects.filter(**mine, missed__gte=since),
        Member.objects.filter(**mine),
        Learner.objects.filter(merged_into=OuterRef("pk")),
        # An account takes over when somebody signs in to it.
        Account.objects.filter(learner=OuterRef("merged_into"), last_login__gte=now - _DAY),
    )
    found = Learner.objects.filter(account=None, created__lt=since)
    for reason in reasons:
        found = found.filter(~Exists(reason))
    return found


def _pieces(found: QuerySet[Learner], known: set[int]) -> Iterator[list[int]]:
    """The keys of learners, so many at a time, without those whom a browser knows."""
    last = 0
    while keys := list(found.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:MOST]):
        last = keys[-1]
        yield [key for key in keys if key not in known]


def _counted(lone: QuerySet[Learner], keys: list[int]) -> int:
    return len(keys)


def _removed(lone: QuerySet[Learner], keys: list[int]) -> int:
    """Removes learners with all that hangs on them. Returns how many went."""
    for model in _ROWS:
        while _removed_rows(model, lone, keys):
            pass
    with transaction.atomic():
        _, gone = Learner.objects.filter(pk__in=_locked(lone, keys)).delete()
    return gone.get(Learner._meta.label, 0)


def _removed_rows(
    model: type[Attempt] | type[Run] | type[Card] | type[Progress], lone: QuerySet[Learner], keys: list[int]
) -> int:
    """Removes some of what hangs on learners. Returns how much of it."""
    rows = model._default_manager
    with transaction.atomic():
        found = rows.filter(learner__in=_locked(lone, keys)).order_by("pk")
        some = list(found.values_list("pk", flat=True)[:MOST])
        rows.filter(pk__in=some).delete()
    return len(some)


def _locked(lone: QuerySet[Learner], keys: list[int]) -> list[int]:
    """Those of some learners who are still out of reach, locked, unless another machine is removing them."""
    still = lone.filter(pk__in=keys).order_by("pk").select_for_update(skip_locked=True)
    return list(still.values_list("pk", flat=True))


def _worthless_codes(now: datetime) -> QuerySet[LoginCode]:
    """Login codes that have expired and that nobody is told of any more.

    Whoever has no password is told that their code has expired, and until when it worked, as long as a
    session that it began may go on.
    """
    without_password = Account.objects.filter(password__startswith=UNUSABLE_PASSWORD_PREFIX)
    expired = LoginCode.objects.filter(expires__lt=now)
    return expired.filter(Q(expires__lt=now - kept_for()) | ~Q(account__in=without_password))


def _swept(found: QuerySet[Any]) -> int:
    """Removes rows on which nothing hangs. Returns how many."""
    gone = 0
    while True:
        with transaction.atomic():
            some = found.order_by("pk").select_for_update(skip_locked=True)
            keys = list(some.values_list("pk", flat=True)[:MOST])
            found.model._default_manager.filter(pk__in=keys).delete()
        gone += len(keys)
        if len(keys) < MOST:
            return gone
