"""What is logged: a line of JSON for each record, with the number of the request that it belongs to.

No line holds personal data: a request is named by the pattern of its address, not by the address, which may
hold a class code or what somebody searched for; of an exception there are its kind and the places it went
through, for its words may hold what was typed. Tracebacks in full are for the developer's own machine.
"""

from __future__ import annotations

import json
import logging
import re
import time
import traceback
import uuid
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse

from tutor.service import metrics

HEADER = "X-Request-ID"
_NUMBER = "paili.number"
_GIVEN = re.compile(r"[A-Za-z0-9-]{8,64}")
_number: ContextVar[str] = ContextVar("request", default="")
_access = logging.getLogger("paili.access")


class Requests:
    """Middleware around all others: numbers each request, and says when it is answered.

    A number that the server in front gave is kept, so that its log and this one can be laid side by side.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        number = given if _GIVEN.fullmatch(given) else uuid.uuid4().hex
        token = _number.set(number)
        request.META[_NUMBER] = number  # Django logs errors when this is over
        started = time.perf_counter()
        try:
            response = self.get_response(request)
            seconds = time.perf_counter() - started
            route = route_of(request)
            metrics.count(route, request.method or "", response.status_code, seconds)
            _access.info(
                "answered",
                extra={
                    "method": request.method,
                    "route": route,
                    "status": response.status_code,
                    "ms": round(seconds * 1000, 1),
                },
            )
        finally:
            _number.reset(token)
        response[HEADER] = number
        if request.method == "HEAD" and not response.streaming:
            response.content = b""  # its length has been said by now
        return response


def route_of(request: HttpRequest) -> str:
    """The pattern of a request's address, "learn/<slug:game>/"; "-" where nothing stands."""
    match = request.resolver_match
    return match.route if match else "-"


class Numbered(logging.Filter):
    """Notes on each record which request it belongs to."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _number.get()
        return True


class Line(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
        }
        asked = getattr(record, "request", None)
        if number := getattr(record, "request_id", "") or getattr(asked, "META", {}).get(_NUMBER):
            said["request"] = number
        if record.name == "django.request" or record.name.startswith("django.security"):
            # Django puts the address into the words, and what was refused.
            said["message"] = f"{record.name} {getattr(record, 'status_code', '')}".strip()
            if asked is not None:
                said["route"] = route_of(asked)
        else:
            said["message"] = record.getMessage()
        for name in ("method", "route", "status", "ms"):
            if hasattr(record, name):
                said[name] = getattr(record, name)
        if record.exc_info and record.exc_info[0]:
            said["exception"] = record.exc_info[0].__qualname__
            said["at"] = [
                f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(record.exc_info[2])
            ]
        return json.dumps(said, ensure_ascii=False)
