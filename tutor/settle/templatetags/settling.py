"""The names of the settlement's fields in templates."""

from __future__ import annotations

from django import template

from tutor.settle import form

register = template.Library()


@register.simple_tag
def win_names(number: int) -> dict[str, str]:
    """The names of a winner's fields; winners are counted from 1."""
    return dict(zip(("seat", "hand", "worth"), form.win_names(number), strict=True))


@register.simple_tag
def gang_names(number: int) -> dict[str, str]:
    """The names of a gang's fields; gangs are counted from 1."""
    return dict(zip(("seat", "kind", "tile", "added", "from", "dealt"), form.gang_names(number), strict=True))
