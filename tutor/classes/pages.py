"""What the pages of a class have in common: who looks, its other pages, and that nobody keeps a copy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from tutor.classes.models import Member
from tutor.practice.asking import own
from tutor.requests import Request

_SAID = "class_said"
# A class's pages for its teachers, in order.
_PAGES: tuple[tuple[str, str | Promise], ...] = (
    ("classroom", pgettext_lazy("pages of a class", "Assignments")),
    ("class-people", pgettext_lazy("pages of a class", "Students")),
    ("class-grid", pgettext_lazy("pages of a class", "Results")),
    ("class-map", pgettext_lazy("pages of a class", "What goes wrong")),
    ("class-activity", pgettext_lazy("pages of a class", "Activity")),
    ("class-boards", pgettext_lazy("pages of a class", "Live board")),
    ("class-settings", pgettext_lazy("pages of a class", "Settings")),
)


def page(
    request: Request,
    me: Member,
    template: str,
    context: Mapping[str, Any],
    *,
    here: str = "",
    status: int = 200,
) -> HttpResponse:
    """A page of a class. here: the name of the one among a teacher's pages that it is, or belongs to."""
    shared = {
        "classroom": me.classroom,
        "me": me,
        "is_home": here == "classroom" and not me.is_teacher,
        "class_pages": _pages(me, here) if me.is_teacher else (),
        "said": said_once(request),
        "query": "",
    }
    return own(render(request, f"classes/{template}.html", {**shared, **context}, status=status))


def _pages(me: Member, here: str) -> list[tuple[str, str | Promise, bool]]:
    return [(reverse(name, args=[me.classroom_id]), words, name == here) for name, words in _PAGES]


def said_once(request: Request) -> str:
    """What is to be said of what was done just before, "" for nothing."""
    return str(request.session.pop(_SAID, ""))


def see(request: Request, name: str, *keys: int, said: str = "") -> HttpResponse:
    """Leads to a page after something was done. said: a sentence that the page then says once."""
    if said:
        request.session[_SAID] = said
    return HttpResponseRedirect(resolve_url(name, *keys), status=303)
