"""Which names a browser has signed in with before, so that it doesn't wait for what strangers type wrongly.

The browser itself keeps that, in a signed cookie: a mark of its own, by chance, and digests of the last
names. Its wrong tries count on their own, by name and mark, so that the cookie lets nobody guess without
limit.
"""

from __future__ import annotations

import secrets

from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from tutor.people.models import folded

COOKIE = "known"
_MOST = 10
LASTS = 365 * 24 * 3600


def key(name: str, mark: str = "") -> str:
    """The key of the brake on signing in with a name: for strangers, or for the browser of a mark."""
    return f"sign in {mark} {folded(name)}"


def key_for(request: HttpRequest, name: str) -> str:
    """The key of the brake on signing in with a name from this browser."""
    mark, *names = _read(request)
    return key(name, mark if _digest(name) in names else "")


def remember(request: HttpRequest, response: HttpResponse, name: str) -> None:
    """Lets the browser keep that it has signed in with a name."""
    mark, *names = _read(request)
    names = [digest for digest in names if digest != _digest(name)]
    response.set_signed_cookie(
        COOKIE,
        ".".join([mark or secrets.token_hex(8), *names[1 - _MOST :], _digest(name)]),
        salt=__name__,
        max_age=LASTS,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def forget(response: HttpResponse) -> None:
    """Lets the browser forget with which names it has signed in."""
    response.delete_cookie(COOKIE, samesite="Lax")


def _read(request: HttpRequest) -> list[str]:
    """The mark of a browser, "" for one without, then the digests of its names, the latest last."""
    kept = request.get_signed_cookie(COOKIE, "", salt=__name__, max_age=LASTS)
    return (kept or "").split(".")


def _digest(name: str) -> str:
    return salted_hmac(__name__, folded(name), algorithm="sha256").hexdigest()[:16]
