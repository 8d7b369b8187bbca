"""What is stored of whom, for how long, and how it goes: each number from where it is set."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tutor.front import tiles
from tutor.people import known
from tutor.people.tidy import kept_for
from tutor.requests import varied
from tutor.settle import keeping

_DAY = 24 * 3600  # seconds


class Cookie(NamedTuple):
    """A cookie that the site sets. days: how long a browser keeps it."""

    name: str
    days: int
    use: str | Promise


COOKIES = (
    Cookie(
        settings.SESSION_COOKIE_NAME,
        settings.SESSION_COOKIE_AGE // _DAY,
        _(
            "A random number by which the site knows this browser again. It is set when there is first "
            "something of yours to remember, or when you sign in."
        ),
    ),
    Cookie(
        settings.CSRF_COOKIE_NAME,
        settings.CSRF_COOKIE_AGE // _DAY,
        _("A random number that keeps other sites from sending forms in your name."),
    ),
    Cookie(
        known.COOKIE,
        known.LASTS // _DAY,
        _(
            "A random number, and scrambled forms of the last names that signed in here. Set when you sign "
            "in or make an account, so that you needn't wait when strangers try wrong passwords for "
            "your name."
        ),
    ),
    Cookie(
        tiles.COOKIE,
        tiles.YEAR // _DAY,
        _("How you want tiles drawn. Set when you choose that on the page of tiles."),
    ),
    Cookie(
        keeping.COOKIE,
        keeping.DAYS_KEPT,
        _(
            "Your score sheet, with the names and scores on it. It is kept in this browser alone: the site "
            "reads it to show the sheet, and stores nothing of it."
        ),
    ),
)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What the site stores, in plain words."""
    context = {"cookies": COOKIES, "guest_days": kept_for().days}
    return varied(render(request, "front/privacy.html", context), "Cookie")
