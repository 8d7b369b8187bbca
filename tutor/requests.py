"""What the pages have in common: whole pages and parts, addresses, queries and forms that can't be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_header_parameters
from django.utils.translation import get_language_from_request, override
from django_htmx.middleware import HtmxDetails

from rules import Ruleset, Text, rulesets
from tutor import answers
from tutor.embed import frames

LONGEST_ADDRESS = 4000

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Request(HttpRequest):
    """A request as HtmxMiddleware hands it on."""

    htmx: HtmxDetails


def in_utf8(application: Application) -> Application:
    """The WSGI application, for which queries and forms are UTF-8 whatever charset a header claims.

    Django decodes by any codec of Python's that the header names, some of which decode no text, and does so
    before its first middleware is asked.
    """

    def wrapped(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if "charset" in environ.get("CONTENT_TYPE", "").lower():
            environ["CONTENT_TYPE"] = _without_charset(environ["CONTENT_TYPE"])
        return application(environ, start_response)

    return wrapped


def _without_charset(content_type: str) -> str:
    try:
        kind, parameters = parse_header_parameters(content_type)
    except (LookupError, ValueError):
        return "application/octet-stream"
    quoted = {key: value.replace("\\", "\\\\").replace('"', '\\"') for key, value in parameters.items()}
    return "; ".join([kind, *(f'{key}="{value}"' for key, value in quoted.items() if key != "charset")])


class ReadableForms:
    """Middleware, before any that reads a form: answers one that can't be read in words, not Django's.

    A view that takes its body as it comes is left alone.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, *args: Any) -> HttpResponse | None:
        """The refusal of a form that can't be read, else None."""
        takes_body = getattr(view, "csrf_exempt", False) and not getattr(view, "takes_form", False)
        if request.method != "POST" or takes_body:
            return None
        try:
            len(request.POST)  # read here for the first time
        except RequestDataTooBig:
            request._mark_post_parse_error()  # type: ignore[attr-defined]
            return refusal(request, answers.bad_request("The form is too large.", "表单太大了。"), 413)
        except (TooManyFieldsSent, TooManyFilesSent):
            request._mark_post_parse_error()  # type: ignore[attr-defined]
            error = answers.bad_request("The form has too many fields.", "表单里的字段太多了。")
            return refusal(request, error, 400)
        except (BadRequest, MultiPartParserError):
            return refusal(request, answers.bad_request("The form can't be read.", "这份表单读不了。"), 400)
        return None


def readable(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answers a query with more fields than Django reads with an error in words instead of its own page."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            len(request.GET)
        except TooManyFieldsSent:
            error = answers.bad_request("The query has too many fields.", "网址里的参数太多了。")
            return refusal(request, error, 400)
        return view(request, *args, **kwargs)

    return checked


def from_own_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Refuses what another site's page posts, by the headers that browsers add and pages can't forge.

    For forms on pages that everybody shares, which can hold no token, and that change nothing but what this
    browser's learner has done.
    """

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and not _is_own(request):
            error = answers.bad_request(
                "This form was sent from another site.", "这份表单是从别的网站发来的。"
            )
            return refusal(request, error, 403)
        return view(request, *args, **kwargs)

    checked.takes_form = True  # type: ignore[attr-defined]
    return checked


def _is_own(request: HttpRequest) -> bool:
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    # The server in front may speak HTTPS where Paili sees plain HTTP: what counts is the host.
    sender = request.headers.get("Origin", request.headers.get("Referer"))
    return sender is None or sender.partition("://")[2].partition("/")[0] == request.get_host()


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer to an address that there is not. Unlike Django's own it never reads a form."""
    may_be_of_class = request.path.startswith(reverse("classes"))
    response = render(request, "404.html", {"may_be_of_class": may_be_of_class}, status=404)
    if request.path.startswith(frames.ADDRESSES):
        return response  # nobody is known there
    return varied(response, "Cookie")  # always: else it told where somebody else finds a page


def no_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The answer to a form from elsewhere, from a browser without cookies, or from a page of before."""
    return render(request, "no_token.html", {"query": ""}, status=403)


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer to what this browser may not do."""
    return render(request, "403.html", status=403)


def failed(request: HttpRequest) -> HttpResponse:
    """The answer where Paili itself has failed: a page that rests on nothing that may have failed with it."""
    if request.path.startswith("/api/v1/"):
        message = Text("Paili has failed here; this is not your fault.", "牌理这边出错了，不是你的问题。")
        error = answers.HandError("server-error", message)
        return refused(error, status=500)
    with override(language_of(request)):
        return HttpResponse(render_to_string("500.html", {"address": request.path}), status=500)


def refusal(request: HttpRequest, error: answers.HandError, status: int) -> HttpResponse:
    """An error for whoever asked: JSON for a program, a page for a visitor."""
    if request.resolver_match and (request.resolver_match.view_name or "").startswith("api-"):
        return refused(error)
    with override(language_of(request)):
        return render(request, "unreadable.html", {"message": error.message}, status=status)


def language_of(request: HttpRequest) -> str:
    """The language of the address, which a frame says in its own way, else the one that the browser wants."""
    match = request.resolver_match
    of_frame = match.kwargs.get("language") if match else None
    if of_frame in dict(settings.LANGUAGES):
        return str(of_frame)
    return get_language_from_request(request, check_path=True)


def refused(error: answers.HandError, status: int = 400) -> JsonResponse:
    """An error as JSON."""
    said = answers.error_as_json(error)
    return JsonResponse(said, status=status, json_dumps_params={"ensure_ascii": False})


def game_of(key: str) -> Ruleset:
    """The game that an address names. Raises Http404 where there is none."""
    found = rulesets().get(key)
    if found is None:
        raise Http404
    return found


def wants_part(request: Request) -> bool:
    """Whether htmx asks for the parts that change, not for a whole page to restore."""
    return bool(request.htmx) and not request.htmx.history_restore_request


def varied(response: HttpResponse, *headers: str) -> HttpResponse:
    """A response that caches keep apart by these headers; htmx's own alone by default."""
    patch_vary_headers(response, headers or ["HX-Request"])
    return response
