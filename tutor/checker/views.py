"""The checker page and its API."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from rules import HandError, Text
from tutor.checker import answers


@require_safe
def api(request: HttpRequest) -> JsonResponse:
    """`GET /api/v1/check`: the verdict on a hand, or an error with status 400."""
    try:
        _known_parameters(request)
        given = {key: request.GET[key] for key in answers.GIVEN if key in request.GET}
        verdict = answers.judge(
            request.GET.get("ruleset", ""), request.GET.get("hand", ""), given, request.GET.getlist("option")
        )
    except HandError as error:
        return _json(answers.error_as_json(error), status=400)
    return _json(answers.as_json(verdict))


def _known_parameters(request: HttpRequest) -> None:
    known = ("ruleset", "hand", "option", *answers.GIVEN)
    for key, values in request.GET.lists():
        if key not in known:
            raise HandError(
                "bad-request",
                Text(
                    f"There is no parameter “{key}”; known: {', '.join(known)}.",
                    f"没有“{key}”这个参数，可用：{'、'.join(known)}。",
                ),
            )
        if len(values) > 1 and key != "option":
            raise HandError(
                "bad-request", Text(f"“{key}” is given more than once.", f"参数“{key}”写了不止一次。")
            )


def _json(data: dict, status: int = 200) -> JsonResponse:
    response = JsonResponse(data, status=status, json_dumps_params={"ensure_ascii": False})
    return response


@require_safe
def check(request: HttpRequest) -> HttpResponse:
    return HttpResponse("")
