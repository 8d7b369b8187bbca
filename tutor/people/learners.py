"""The learner behind a request, and what is remembered of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db import connection, transaction
from django.http import HttpRequest
from django.utils import timezone

from tutor.people.models import Learner, Progress

_KEY = "learner"
_DAY = "day"
_SIGNED_IN = "signed_in"  # templates ask the session for both
_FOUND = "_learner_found"
# Written out: every chapter asks this, and Django would take longer to write it than all else takes.
_DONE = "SELECT place, is_done FROM people_progress WHERE learner_id = %s ORDER BY at, id"


def of(request: HttpRequest) -> int | None:
    """The id of the learner that this browser is known as, None before anything was kept. No query.

    Whoever writes asks `resolve` who that is by now.
    """
    found = getattr(request, _FOUND, None) or request.session.get(_KEY)
    return found if isinstance(found, int) else None


def is_signed_in(request: HttpRequest) -> bool:
    """Whether this browser is known by an account, not for itself alone. No query."""
    return request.session.get(_SIGNED_IN) is True


def become(request: HttpRequest, learner: Learner) -> None:
    """From now on this browser is known as a learner, signed in where that one has an account."""
    request.session[_KEY] = learner.pk
    _stay_known(request)
    if learner.account_id is not None:
        request.session[_SIGNED_IN] = True


def resolve(learner_id: int) -> Learner | None:
    """The learner of an id, or who has taken over from them; None where there is nobody any more.

    To be called within a transaction: until it ends nobody takes over from that learner, so what is kept for
    them then is theirs. What is kept without asking here may be kept for somebody who has just signed in
    elsewhere, and be lost to them.
    """
    # Always in this direction, guest before account: two who lock can't wait for each other.
    found = Learner.objects.select_for_update().filter(pk=learner_id).first()
    while found is not None and found.merged_into_id is not None:
        found = Learner.objects.select_for_update().filter(pk=found.merged_into_id).first()
    return found


def found(request: HttpRequest) -> Learner | None:
    """The learner behind a request as they are kept; one query, none for somebody new."""
    known = of(request)
    return Learner.objects.filter(pk=known).first() if known is not None else None


def locked(request: HttpRequest) -> Learner | None:
    """The learner behind a request, or who has taken over from them, as `resolve` gives them."""
    known = of(request)
    if known is not None:
        _stay_known(request)
    return resolve(known) if known is not None else None


def _stay_known(request: HttpRequest) -> None:
    """Lets the session last anew from the last day on which something was done."""
    today = timezone.now().date().isoformat()
    if request.session.get(_DAY) != today:
        request.session[_DAY] = today


def note(request: HttpRequest, place: str, *, is_done: bool) -> None:
    """Remembers that something was tried or done; what is done stays done."""
    known = of(request)
    again = {"at": timezone.now(), **({"is_done": True} if is_done else {})}
    if known is not None:
        _stay_known(request)
    with transaction.atomic():
        if known is not None and Progress.objects.filter(learner_id=known, place=place).update(**again):
            return
        learner = locked(request)
        if learner is None:
            learner = Learner.objects.create()
            become(request, learner)
        elif learner.pk != known:
            # The session that knows it is another by now: this one is not to be saved any more.
            setattr(request, _FOUND, learner.pk)
        Progress.objects.update_or_create(learner=learner, place=place, defaults=again)


def forget(request: HttpRequest) -> None:
    """Removes the learner with everything that is remembered, and the session."""
    known = of(request)
    if known is not None:
        Learner.objects.filter(pk=known).delete()
    request.session.flush()


class Done(NamedTuple):
    """What a learner has done. places: with whether it is done, the latest last."""

    places: dict[str, bool]

    def is_done(self, place: str) -> bool:
        """Whether a chapter is read, or a level solved."""
        return self.places.get(place, False)

    def count(self, places: Iterable[str]) -> int:
        """How many of these are done."""
        return sum(self.is_done(place) for place in places)

    @property
    def latest(self) -> str | None:
        """Where the learner was last."""
        return next(reversed(self.places), None)

    def within(self, course: str) -> Done:
        """What was done in one course."""
        return Done({p: done for p, done in self.places.items() if p.startswith(f"{course}/")})


def done(request: HttpRequest) -> Done:
    """What this browser's learner has done; one query, none for somebody new."""
    known = of(request)
    if known is None:
        return Done({})
    with connection.cursor() as cursor:
        cursor.execute(_DONE, [known])
        return Done({place: bool(is_done) for place, is_done in cursor.fetchall()})
