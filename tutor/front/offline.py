"""What lets a browser keep pages to be read offline: a manifest, a worker, a page in their stead."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.db.models import Count, Max
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext, override, pgettext
from django.views.decorators.http import require_safe

import rules
from tutor.content.models import Piece

# The static files of the pages that a browser keeps.
FILES = [
    "paili.css",
    "home.css",
    "lessons.css",
    "figures.css",
    "tiles.css",
    "tiles.svg",
    "icon.svg",
    "django_htmx/htmx-2.min.js",
    "js/offline.js",
    "js/lessons.js",
    "js/forms.js",
]
NAMES = {"en": ("Paili 牌理", "Paili", "en"), "zh-hans": ("牌理 Paili", "牌理", "zh-Hans")}
PAPER = "#faf8f2"
HOUR = 3600  # seconds


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that is shown where there is no network and the page asked for was not kept."""
    return render(request, "front/offline.html")


@require_safe
def manifest(request: HttpRequest, language: str) -> HttpResponse:
    """The manifest by which a browser installs the site in one language."""
    if language not in NAMES:
        raise Http404
    with override(language):
        said = _manifest(language)
    response = JsonResponse(
        said, content_type="application/manifest+json", json_dumps_params={"ensure_ascii": False}
    )
    patch_cache_control(response, public=True, max_age=HOUR)
    return response


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, whose text differs whenever the pages that browsers keep may differ."""
    files = [static(name) for name in FILES]
    for language in NAMES:
        with override(language):
            files += [reverse("offline"), reverse("check")]
    context = {"files": json.dumps(files), "version": _version(files), "static": settings.STATIC_URL}
    response = render(request, "front/sw.js", context, content_type="text/javascript")
    patch_cache_control(response, no_cache=True)
    return response


def _version(files: list[str]) -> str:
    """What the kept pages are made of, in short, the same in all processes of a site."""
    content = Piece.objects.aggregate(count=Count("pk"), last=Max("changed"))
    # Names that are not made of what is in the files say nothing of a change.
    found = [finders.find(name) for name in FILES if static(name).endswith(name)]
    times = [Path(path).stat().st_mtime_ns for path in found if path]
    made_of = repr((rules.VERSION, content["count"], str(content["last"]), files, times))
    return hashlib.sha256(made_of.encode()).hexdigest()[:12]


def _manifest(language: str) -> dict[str, object]:
    name, short_name, code = NAMES[language]
    check = pgettext("in the navigation", "Check a hand")
    practise = pgettext("in the navigation", "Practise")
    return {
        "name": name,
        "short_name": short_name,
        "description": gettext("The mahjong of Changchun and of Changsha, each by its own rules."),
        "lang": code,
        "dir": "ltr",
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "theme_color": PAPER,
        "background_color": PAPER,
        "categories": ["education", "games"],
        "icons": [
            {"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            _icon("192", 192),
            _icon("512", 512),
            _icon("maskable", 512) | {"purpose": "maskable"},
        ],
        "shortcuts": [
            {"name": check, "url": reverse("check"), "icons": [_icon("192", 192)]},
            {"name": practise, "url": reverse("practice"), "icons": [_icon("192", 192)]},
        ],
    }


def _icon(name: str, size: int) -> dict[str, str]:
    return {"src": static(f"icons/{name}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
