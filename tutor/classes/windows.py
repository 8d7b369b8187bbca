"""The days that a teacher looks at, chosen by date or in a word."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from tutor.classes.models import Classroom
from tutor.classes.results import Window

TODAY, TERM = "today", "term"
WEEK = "7"
# What one can choose without writing dates, and how many days that is.
WINDOWS: dict[str, tuple[str | Promise, int]] = {
    TODAY: (gettext_lazy("Today"), 1),
    WEEK: (gettext_lazy("7 days"), 7),
    "30": (gettext_lazy("30 days"), 30),
    TERM: (gettext_lazy("This term"), 0),
}
_FIRST, _LAST = date(2000, 1, 1), date(2099, 12, 31)


class Days(forms.Form):
    """The first and the last day to look at."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["from"] = _day(gettext("From"))
        self.fields["to"] = _day(gettext("To, that day included"))

    def clean(self) -> dict[str, Any]:
        """Both days. Adds an error where the last is before the first."""
        given = super().clean() or {}
        if given.get("from") and given.get("to") and given["to"] < given["from"]:
            self.add_error("to", gettext("This day is before the first one."))
        return given


def _day(label: str) -> forms.DateField:
    unknown = gettext("Write a day as in 2026-03-31.")
    beyond = gettext("Choose a day from 2000 to 2099.")
    return forms.DateField(
        label=label,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={"required": gettext("Choose a day."), "invalid": unknown},
        validators=[MinValueValidator(_FIRST, beyond), MaxValueValidator(_LAST, beyond)],
    )


def preset(classroom: Classroom, key: str, today: date) -> Window:
    """The days of a preset. Raises KeyError for one that there is not."""
    days = WINDOWS[key][1]
    if key == TERM:
        return Window(classroom.created.astimezone(classroom.zone).date(), today, classroom.zone)
    return Window(today - timedelta(days=days - 1), today, classroom.zone)
