"""The content security policy, written out once: nearly every answer has the same."""

from __future__ import annotations

from functools import cache

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase


class Policy(CSPMiddleware):
    """Middleware that adds it; what a view has changed of it is built for that answer."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer with its policy."""
        is_usual = not any(name.startswith("_csp") for holder in (request, response) for name in vars(holder))
        if settings.DEBUG or not is_usual:
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, _usual())
        return response


@cache
def _usual() -> str:
    return build_policy()
