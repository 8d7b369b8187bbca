"""Addresses that every page needs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, override

from rules import Ruleset, rulesets
from tutor.rulebook import addresses

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


@register.simple_tag
def cited(lines: Iterable[str]) -> SafeString:
    """The ids of source lines, each with a link to where it is told among its game's."""
    language = get_language() or ""
    links = ((_line_address(line, language), line) for line in lines)
    return format_html('<span class="cites">{}</span>', format_html_join("", '<a href="{}">{}</a> ', links))


@register.simple_tag
def rule_address(game: Ruleset, kind: str, key: str) -> str:
    """The address of the page of a rule, pattern, opening or ruling."""
    return _rule_address(f"{game.key}/{kind}/{key}", get_language() or "")


@lru_cache(maxsize=1024)
def _line_address(line: str, language: str) -> str:
    game = next((game for game in rulesets().values() if line in game.lines), None)
    return addresses.of_line(game, line) if game else addresses.of_page("rules")


@lru_cache(maxsize=1024)
def _rule_address(place: str, language: str) -> str:
    return addresses.of_rule(place)
