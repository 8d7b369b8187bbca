"""Where a visitor's own score sheet is kept: in a signed cookie of their browser, and nowhere else."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse

from tutor.settle.sheet import NoSheet, Sheet, decode, encode

COOKIE = "paili-sheet"
DAYS_KEPT = 60


def kept(request: HttpRequest) -> Sheet:
    """The visitor's sheet; a blank one where there is none or it can't be read."""
    try:
        return decode(request.get_signed_cookie(COOKIE, default="", salt=COOKIE) or "")
    except NoSheet:
        return Sheet()


class Lost(NamedTuple):
    """A sheet in the visitor's browser that nobody vouches for. link: what it seems to hold, if anything."""

    link: str


def lost(request: HttpRequest) -> Lost | None:
    """The sheet in the visitor's browser that can't be read, None where none is or it can."""
    if COOKIE not in request.COOKIES:
        return None
    code = request.get_signed_cookie(COOKIE, default="", salt=COOKIE) or ""
    try:
        decode(code)
    except NoSheet:
        return Lost(_seeming(request.COOKIES[COOKIE].partition(":")[0]))
    return None


def _seeming(code: str) -> str:
    """A code if it is a sheet's, though nobody vouches for it; else ""."""
    try:
        decode(code)
    except NoSheet:
        return ""
    return code


def keep(request: HttpRequest, response: HttpResponse, sheet: Sheet) -> HttpResponse:
    """Sends the sheet to the visitor's browser."""
    response.set_signed_cookie(
        COOKIE,
        encode(sheet),
        salt=COOKIE,
        max_age=DAYS_KEPT * 24 * 60 * 60,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response
