"""Where a visitor's own score sheet is kept: in a signed cookie of their browser, and nowhere else."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from tutor.settle.sheet import NoSheet, Sheet, decode, encode

COOKIE = "paili-sheet"
DAYS_KEPT = 60


def kept(request: HttpRequest) -> Sheet:
    """The visitor's sheet; a blank one where there is none or it can't be read."""
    code = request.get_signed_cookie(COOKIE, default="", salt=COOKIE) or ""
    try:
        return decode(code)
    except NoSheet:
        return Sheet()


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
