"""What is counted for Prometheus: answers by route and status, and how long they took.

Off unless METRICS=1. With several processes they leave their counts in the folder that
PROMETHEUS_MULTIPROC_DIR names, and whichever is asked adds them up.
"""

from __future__ import annotations

import os

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

_METHODS = ("GET", "HEAD", "POST")
_answers = Counter(
    "paili_answers", "Answers sent, by route, method and status.", ["route", "method", "status"]
)
_seconds = Histogram(
    "paili_answer_seconds",
    "Seconds until an answer was ready, by route.",
    ["route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


def count(route: str, method: str, status: int, seconds: float) -> None:
    """Counts an answer, where that is wanted."""
    if settings.METRICS:
        _answers.labels(route, method if method in _METHODS else "other", str(status)).inc()
        _seconds.labels(route).observe(seconds)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The counts, as Prometheus reads them. Http404 where they are off."""
    if not settings.METRICS:
        raise Http404
    registry = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
