"""What the pages of classes say of times, marks and house rules."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

from tutor.classes.models import SEALED, Classroom

register = template.Library()


@register.simple_tag
def when(moment: datetime | None, classroom: Classroom) -> SafeString | str:
    """A moment in a class's time zone, "" for none and for one that a teacher has yet to choose."""
    if moment is None or moment >= SEALED:
        return ""
    local = moment.astimezone(classroom.zone)
    pattern = pgettext("the date format of a moment", "D j M Y, H:i")
    return format_html(
        '<time datetime="{}">{}</time>', local.isoformat(timespec="seconds"), date_format(local, pattern)
    )


@register.filter
def zone_name(zone: str) -> str:
    """A time zone as people call it: most classes are in one, all others go by their IANA names."""
    return gettext("Beijing time") if zone == "Asia/Shanghai" else zone.replace("_", " ")
