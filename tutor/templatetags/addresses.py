"""Addresses that every page needs."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import NoReverseMatch, reverse
from django.utils.translation import override

register = template.Library()


@register.simple_tag(takes_context=True)
def same_page_in(context: Any, language: str) -> str:
    """The address of the page shown in another language; the start, where it has none of its own."""
    match = getattr(context.get("request"), "resolver_match", None)
    with override(language):
        try:
            return (
                reverse(match.view_name, args=match.args, kwargs=match.kwargs) if match else reverse("learn")
            )
        except NoReverseMatch:
            return reverse("learn")
