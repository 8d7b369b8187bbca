"""Whether this process lives, and whether it can answer. For whoever starts it and sends visitors to it."""

from __future__ import annotations

from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tutor.content.models import Piece

_UNHASHED = "they have their own names, as on a developer's machine"


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """That the process answers; it asks nobody else. If this fails, only a new start helps."""
    return _said("live")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Whether the database answers, has every migration and holds the lessons, and this process knows where
    static files are; 503 with what is missing."""
    try:
        missing = _missing()
    except Error:
        missing = "database: no answer"
    return _said(missing, status=503) if missing else _said("ready")


def _missing() -> str:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return "migrations: run manage.py migrate"
    if not Piece.objects.exists():
        return "content: run manage.py load_content"
    if not getattr(staticfiles_storage, "hashed_files", _UNHASHED):
        return "static files: run manage.py collectstatic, then start anew"
    return ""


def _said(words: str, status: int = 200) -> HttpResponse:
    return HttpResponse(f"{words}\n", status=status, content_type="text/plain; charset=utf-8")
