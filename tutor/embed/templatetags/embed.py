"""Where a puzzle or the checker is found for a frame of another site."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import get_language

from tutor.embed.views import address_of
from tutor.puzzles.puzzle import Puzzle

register = template.Library()


@register.simple_tag(takes_context=True)
def frame_of(context: Any, puzzle: Puzzle | None = None) -> str:
    """The full address of a puzzle in a frame, of the checker without one, in the language of the page."""
    language = get_language() or ""
    address = address_of(puzzle.id, language) if puzzle else reverse("embed-check", args=[language])
    return str(context["request"].build_absolute_uri(address))
