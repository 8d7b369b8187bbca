"""Slows down whoever guesses: after some wrong tries the next one has to wait, each time longer.

What counts is what is tried, a name or a code, never where from: a whole class may share one address. Nobody
is locked out for long, for anybody can type wrong passwords for a name that is not theirs.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from tutor.people.models import Brake

FREE = 5
LONGEST = 60
FORGOTTEN = timedelta(hours=1)
_KEPT = timedelta(days=1)
_SWEPT = 100  # rows at a time, of which each miss makes a few at most


def wait(*keys: str, now: datetime | None = None) -> int:
    """The seconds that must pass before the next try under any of these keys, 0 for none. One query."""
    now = now or timezone.now()
    left = (
        brake.last + timedelta(seconds=_seconds(brake.misses)) - now
        for brake in Brake.objects.filter(pk__in=map(_digest, keys), last__gt=now - FORGOTTEN)
    )
    return max((math.ceil(time.total_seconds()) for time in left if time > timedelta()), default=0)


def missed(*keys: str) -> None:
    """Notes a wrong try under each of these keys. Not to be called for one that was refused unseen."""
    now = timezone.now()
    with transaction.atomic():
        for digest in sorted(map(_digest, keys)):  # always in this direction: two can't wait for each other
            brakes = Brake.objects.select_for_update()
            brake, is_new = brakes.get_or_create(pk=digest, defaults={"last": now})
            if not is_new:
                brake.misses = brake.misses + 1 if brake.last > now - FORGOTTEN else 1
                brake.last = now
                brake.save()
    _sweep(now)


def cleared(*keys: str) -> None:
    """Forgets the wrong tries under these keys, after one that was right."""
    Brake.objects.filter(pk__in=map(_digest, keys)).delete()


def in_words(seconds: int) -> str:
    """What is said to a try that has to wait."""
    return ngettext(
        "Too many wrong tries. Wait %(n)s second, then try again.",
        "Too many wrong tries. Wait %(n)s seconds, then try again.",
        seconds,
    ) % {"n": seconds}


def _seconds(misses: int) -> int:
    """How long after so many misses the next try has to wait: nothing at first, then 2, 4, 8 …"""
    return min(2 ** min(misses - FREE, LONGEST), LONGEST) if misses > FREE else 0


def _digest(key: str) -> str:
    return salted_hmac(__name__, key, algorithm="sha256").hexdigest()


def _sweep(now: datetime) -> None:
    """Removes some of what was forgotten long ago, and leaves alone what somebody counts right now."""
    with transaction.atomic():
        old = Brake.objects.select_for_update(skip_locked=True).filter(last__lt=now - _KEPT)
        Brake.objects.filter(pk__in=[brake.pk for brake in old[:_SWEPT]]).delete()
