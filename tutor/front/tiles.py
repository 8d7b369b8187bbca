"""The page of all tiles, and how each visitor wants them drawn."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods


def style(request: HttpRequest) -> dict[str, str]:
    """How this browser wants tiles drawn, as classes of the page's root; for the templates of all pages."""
    return {"tile_style": ""}


@require_http_methods(["GET", "HEAD", "POST"])
def tiles(request: HttpRequest) -> HttpResponse:
    """Every tile; posted, how they are to be drawn from now on."""
    return render(request, "front/tiles.html")
