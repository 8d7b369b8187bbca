"""The API: the engine's answers as JSON, and the page that describes them."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import condition, require_POST, require_safe

from rules import HandError
from tutor import answers
from tutor.api.description import document
from tutor.api.queries import CHECK, DEAL, KNOWN, SETTLE, only_known
from tutor.requests import readable, refused

HOUR = 3600  # seconds

# No view here asks for a token: none reads anything of the visitor's or changes anything, and one that only
# answers GET says so to every other method.


@csrf_exempt
@require_safe
@readable
def check(request: HttpRequest) -> JsonResponse:
    """`GET /api/v1/check`: the verdict on a hand, or an error with status 400."""
    try:
        only_known(request.GET.lists(), KNOWN[CHECK])
        given = {key: request.GET[key] for key in answers.GIVEN if key in request.GET}
        verdict = answers.judge(
            request.GET.get("ruleset", ""), request.GET.get("hand", ""), given, request.GET.getlist("option")
        )
    except HandError as error:
        return refused(error)
    return _json(answers.as_json(verdict))


@csrf_exempt
@require_safe
@readable
def deal(request: HttpRequest) -> JsonResponse:
    """`GET /api/v1/deal`: what dealt tiles hold, or an error with status 400."""
    try:
        only_known(request.GET.lists(), KNOWN[DEAL])
        found = answers.look(
            request.GET.get("ruleset", ""), request.GET.get("tiles", ""), request.GET.getlist("option")
        )
    except HandError as error:
        return refused(error)
    return _json(answers.deal_as_json(found))


@csrf_exempt
@require_POST
@readable
def settle(request: HttpRequest) -> JsonResponse:
    """`POST /api/v1/settle`: who pays whom at the end of a hand, or an error with status 400."""
    try:
        only_known(request.GET.lists(), KNOWN[SETTLE])
        settlement = answers.settle(answers.scenario_from(_body(request)))
    except HandError as error:
        return refused(error)
    return _json(answers.settlement_as_json(settlement))


@csrf_exempt
@require_safe
@readable
def description(request: HttpRequest) -> HttpResponse:
    """`GET /api/v1/openapi.json`: the description of all this in OpenAPI 3.1."""
    try:
        only_known(request.GET.lists(), ())
    except HandError as error:
        return refused(error)
    return _described(request)


@condition(etag_func=lambda request: document().etag)
def _described(request: HttpRequest) -> HttpResponse:
    response = HttpResponse(document().body, content_type="application/json")
    patch_cache_control(response, public=True, max_age=HOUR)
    return response


def _body(request: HttpRequest) -> bytes:
    try:
        return request.body
    except RequestDataTooBig:
        raise answers.too_long() from None


def _json(data: dict[str, Any], status: int = 200) -> JsonResponse:
    return JsonResponse(data, status=status, json_dumps_params={"ensure_ascii": False})
