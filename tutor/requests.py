"""What the pages have in common: whole pages and parts of them, addresses, queries too long to read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

from tutor import answers

LONGEST_ADDRESS = 4000


class Request(HttpRequest):
    """A request as HtmxMiddleware hands it on."""

    htmx: HtmxDetails


def readable(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answers a query with more fields than Django reads with an error in words instead of its own page."""

    @wraps(view)
    def checked(request: HttpRequest) -> HttpResponse:
        try:
            len(request.GET)  # read here for the first time
        except TooManyFieldsSent:
            error = answers.bad_request("The query has too many fields.", "网址里的参数太多了。")
            return refused(error)
        return view(request)

    return checked


def refused(error: answers.HandError) -> JsonResponse:
    """An error as JSON with status 400."""
    return JsonResponse(answers.error_as_json(error), status=400, json_dumps_params={"ensure_ascii": False})


def wants_part(request: Request) -> bool:
    """Whether htmx asks for the parts that change, not for a whole page to restore."""
    return bool(request.htmx) and not request.htmx.history_restore_request


def varied(response: HttpResponse, *headers: str) -> HttpResponse:
    """A response that caches keep apart by these headers; htmx's own alone by default."""
    patch_vary_headers(response, headers or ["HX-Request"])
    return response
