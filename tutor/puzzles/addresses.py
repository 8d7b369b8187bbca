"""Where a puzzle is found: the address of an id, and the id of an address."""

from __future__ import annotations

from django.urls import reverse


def of_puzzle(id: str) -> str:
    """The address of a puzzle's own page, in the language of the page."""
    path, question_mark, query = id.partition("?")
    return reverse("puzzle", args=[path]) + question_mark + query
