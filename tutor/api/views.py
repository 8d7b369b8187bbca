"""The API: the engine's answers as JSON, and the page that describes them."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from rules import HandError, Text
from tutor import answers
from tutor.requests import readable, refused


@require_safe
@readable
def check(request: HttpRequest) -> JsonResponse:
    """`GET /api/v1/check`: the verdict on a hand, or an error with status 400."""
    try:
        _known_parameters(request, ("ruleset", "hand", "option", *answers.GIVEN))
        given = {key: request.GET[key] for key in answers.GIVEN if key in request.GET}
        verdict = answers.judge(
            request.GET.get("ruleset", ""), request.GET.get("hand", ""), given, request.GET.getlist("option")
        )
    except HandError as error:
        return refused(error)
    return _json(answers.as_json(verdict))


@require_safe
@readable
def deal(request: HttpRequest) -> JsonResponse:
    """`GET /api/v1/deal`: what dealt tiles hold, or an error with status 400."""
    try:
        _known_parameters(request, ("ruleset", "tiles", "option"))
        found = answers.look(
            request.GET.get("ruleset", ""), request.GET.get("tiles", ""), request.GET.getlist("option")
        )
    except HandError as error:
        return refused(error)
    return _json(answers.deal_as_json(found))


@csrf_exempt  # it reads nothing of the visitor's and changes nothing
@require_POST
@readable
def settle(request: HttpRequest) -> JsonResponse:
    """`POST /api/v1/settle`: who pays whom at the end of a hand, or an error with status 400."""
    try:
        _known_parameters(request, ())
        settlement = answers.settle(answers.scenario_from(_body(request)))
    except HandError as error:
        return refused(error)
    return _json(answers.settlement_as_json(settlement))


def _body(request: HttpRequest) -> bytes:
    try:
        return request.body
    except RequestDataTooBig:
        raise answers.too_long() from None


def _known_parameters(request: HttpRequest, known: tuple[str, ...]) -> None:
    for key, values in request.GET.lists():
        if key not in known:
            raise _bad_request(
                f"There is no parameter “{key}”; known: {', '.join(known) or 'none'}.",
                f"没有“{key}”这个参数，可用：{'、'.join(known) or '无'}。",
            )
        if len(values) > 1 and key != "option":
            raise _bad_request(f"“{key}” is given more than once.", f"参数“{key}”写了不止一次。")


def _bad_request(english: str, chinese: str) -> HandError:
    return HandError("bad-request", Text(english, chinese))


def _json(data: dict[str, Any], status: int = 200) -> JsonResponse:
    return JsonResponse(data, status=status, json_dumps_params={"ensure_ascii": False})
