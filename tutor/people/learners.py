"""The learner behind a request, and what is remembered of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from tutor.people.models import Learner, Progress

_KEY = "learner"


def of(request: HttpRequest) -> int | None:
    """The id of the learner that this browser is known as, None before anything was kept."""
    found = request.session.get(_KEY)
    return found if isinstance(found, int) else None


def note(request: HttpRequest, place: str, *, is_done: bool) -> None:
    """Remembers that something was tried or done; what is done stays done."""
    known = of(request)
    with transaction.atomic():
        again = {"at": timezone.now(), **({"is_done": True} if is_done else {})}
        if known is not None and Progress.objects.filter(learner_id=known, place=place).update(**again):
            return
        if known is None or not Learner.objects.filter(pk=known).exists():
            known = Learner.objects.create().pk
            request.session[_KEY] = known
        Progress.objects.update_or_create(learner_id=known, place=place, defaults=again)


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
    rows = Progress.objects.filter(learner_id=known).order_by("at", "pk").values_list("place", "is_done")
    return Done(dict(rows))
