"""The page that describes the API: what can be asked, by which words, and what is answered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

import rules
from rules import Text
from tutor.api.description import PATH, REQUESTS, SECONDS
from tutor.api.examples import CLIENTS, EXAMPLES
from tutor.api.outline import outline
from tutor.api.queries import CHECK, DEAL, SETTLE
from tutor.api.vocabulary import ERRORS, check_parameters, deal_parameters
from tutor.checker.templatetags.tiles import marked, words


class Row(NamedTuple):
    """A row of a table: a name, what it means to the reader, and its values where they are shown."""

    name: str
    meaning: SafeString
    kind: str = ""


class Shape(NamedTuple):
    """What is sent or answered, with its keys."""

    name: str
    rows: list[Row]


class Client(NamedTuple):
    """A program that asks the API."""

    name: str
    language: str
    source: str

    @property
    def id(self) -> str:
        """Where it stands on the page."""
        return self.name.replace(".", "-")


_LANGUAGES = {"client.py": "Python", "client.mjs": "JavaScript"}
_CLIENTS = [
    Client(name, _LANGUAGES[name], path.read_text(encoding="utf-8")) for name, path in CLIENTS.items()
]


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    """What can be asked, and what is answered."""
    shapes = [
        Shape(name, [Row(row.key, coded(row.meaning), row.kind) for row in rows])
        for name, rows in outline().items()
    ]
    context = {
        "games": rules.rulesets().values(),
        "errors": ERRORS,
        "check_parameters": _rows((p.name, p.meaning) for p in check_parameters()),
        "deal_parameters": _rows((p.name, p.meaning) for p in deal_parameters()),
        "checks": [example for example in EXAMPLES if example.endpoint == CHECK],
        "deals": [example for example in EXAMPLES if example.endpoint == DEAL],
        "settlements": [example for example in EXAMPLES if example.endpoint == SETTLE],
        "clients": _CLIENTS,
        "shapes": shapes,
        "description": f"{PATH}openapi.json",
        "requests": REQUESTS,
        "seconds": SECONDS,
        "origin": request.build_absolute_uri("/")[:-1],
        "query": "",
    }
    return render(request, "api/api.html", context)


def _rows(meanings: Iterable[tuple[str, Text]]) -> list[Row]:
    return [Row(name, coded(meaning)) for name, meaning in meanings]


def coded(text: Text | None) -> SafeString:
    """A text in the reader's language; what stands between backticks is code."""
    parts = words(text).split("`")
    return SafeString(
        "".join(format_html("<code>{}</code>", p) if n % 2 else marked(p) for n, p in enumerate(parts))
    )
