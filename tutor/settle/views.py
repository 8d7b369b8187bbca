"""The page of the settlement."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def settle(request: HttpRequest) -> HttpResponse:
    """Who pays whom."""
    return render(request, "settle/settle.html", {})
