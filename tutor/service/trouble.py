"""What is answered while the database is away: locked for too long, without room, or not there at all.
That is nobody's mistake and passes, so it is told apart from faults of Paili's own.

A view may meet it, or the session that is saved after all views: hence this stands in the place of Django's
middleware for sessions.
"""

from __future__ import annotations

import logging
import sqlite3
import threading

from django.contrib.sessions.middleware import SessionMiddleware
from django.db import Error, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django.utils.html import format_html
from django.utils.translation import override

from rules import Text
from tutor import answers
from tutor.requests import language_of, refused

RETRY_AFTER = 30  # seconds

NOT_SAVED = Text(
    "Paili can't reach its records just now, so what you sent was not saved. "
    "There is nothing wrong with it: send it again in a minute.",
    "牌理这会儿存取不了数据，你刚才提交的内容没有保存。内容本身没有问题，过一分钟再提交一次就好。",
)
NOT_SHOWN = Text(
    "Paili can't reach its records just now, so this page can't be shown. Try again in a minute.",
    "牌理这会儿存取不了数据，这个页面暂时打不开。过一分钟再试试。",
)
NO_ANSWER = Text("Paili can't answer just now. Ask again in a minute.", "牌理这会儿答不了，过一分钟再来问。")

# SQLite gives one kind of exception for a table that is missing, too, which is a mistake of ours.
_SQLITE = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_PROTOCOL: "locked",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_PERM: "read-only",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_IOERR: "can't be read or written",
    sqlite3.SQLITE_CANTOPEN: "can't be opened",
}
_READ_ONLY = "25006"  # what PostgreSQL calls a write to a standby

_log = logging.getLogger("paili.database")


class _Connections:
    """How often there was trouble, and up to which time each thread has opened its connection anew since.

    Connections to a file of SQLite share in what the first of them was allowed: as long as one that may only
    read is open somewhere in a process, none may write, whatever has changed in the meantime.
    """

    def __init__(self) -> None:
        self._met = 0
        self._here = threading.local()

    def look(self) -> None:
        """Before a request: closes a connection of before the last trouble."""
        if getattr(self._here, "met", 0) != self._met:
            self._close()

    def drop(self) -> None:
        """After trouble: closes this connection at once, and others when they are asked for again."""
        self._met += 1
        self._close()

    def _close(self) -> None:
        self._here.met = self._met
        if not connection.in_atomic_block:
            connection.close()


_connections = _Connections()


class Sessions(SessionMiddleware):
    """Django's middleware for sessions, which answers with 503 where the database is away."""

    def process_request(self, request: HttpRequest) -> None:
        """A request with its session, and with a connection that was not made in trouble."""
        _connections.look()
        super().process_request(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The answer to trouble that a view met, None for anything else."""
        why = trouble(exception)
        return unavailable(request, why, exception) if why else None

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The response with the session saved, or the answer to trouble that was met since."""
        try:
            return super().process_response(request, response)
        except Exception as error:
            # A session that can't be saved is taken for one that was ended: the trouble is what led there.
            cause: BaseException | None = error
            while cause is not None:
                if why := trouble(cause):
                    return unavailable(request, why, cause)
                cause = cause.__context__
            raise


def trouble(error: BaseException) -> str:
    """What keeps the database from answering, in words for the log; "" where the error is another one."""
    if not isinstance(error, Error):
        return ""
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # The code may say more, in its upper bits; there is none where Python itself refused.
        return _SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF, "")
    state = getattr(cause, "sqlstate", None)
    if state == _READ_ONLY:
        return "read-only"
    if isinstance(error, OperationalError | InterfaceError):
        return f"no answer ({state})" if state else "no answer"
    return ""


def unavailable(request: HttpRequest, why: str, error: BaseException) -> HttpResponse:
    """The answer where the database is away: nothing was saved, and it can be sent again."""
    _log.error("database: %s", why, exc_info=error)
    _connections.drop()
    response = _said(request)
    response["Retry-After"] = str(RETRY_AFTER)
    add_never_cache_headers(response)
    return response


def _said(request: HttpRequest) -> HttpResponse:
    if request.path.startswith("/api/v1/"):
        return refused(answers.HandError("unavailable", NO_ANSWER), status=503)
    is_asked = request.method in ("GET", "HEAD")
    language = language_of(request)
    said = (NOT_SHOWN if is_asked else NOT_SAVED).in_language(language)
    headers = request.headers
    if "HX-Request" in headers and "HX-History-Restore-Request" not in headers:
        return HttpResponse(format_html('<p class="trouble" role="alert">{}</p>\n', said), status=503)
    with override(language):
        context = {"said": said, "address": request.get_full_path() if is_asked else ""}
        return HttpResponse(render_to_string("503.html", context), status=503)
