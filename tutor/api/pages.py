"""The page that describes the API."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    """What can be asked, and what is answered."""
    return render(request, "api/api.html", {})
