"""What is typed to make and run a class, with what is said to mistakes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import get_language, gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import rules
from tutor.classes import rosters
from tutor.classes.models import LONGEST_TITLE, Classroom, Member
from tutor.classes.rosters import Listed
from tutor.people import cards
from tutor.people.models import folded

Choices = list[tuple[Any, Any]]

# Where most classes are, named as people there know them; all others by their names alone.
_ZONES: tuple[tuple[str, str | Promise], ...] = (
    ("Asia/Shanghai", _("China, Beijing time")),
    ("Asia/Hong_Kong", _("Hong Kong")),
    ("Asia/Macau", _("Macau")),
    ("Asia/Taipei", _("Taipei")),
    ("Asia/Singapore", _("Singapore")),
    ("Asia/Kuala_Lumpur", _("Kuala Lumpur")),
    ("Asia/Tokyo", _("Tokyo")),
    ("Europe/London", _("London")),
    ("America/New_York", _("New York")),
    ("America/Los_Angeles", _("Los Angeles")),
    ("Australia/Sydney", _("Sydney")),
)
_DAY = timedelta(days=1)
_SECRETS: dict[str, tuple[str | Promise, timedelta | None]] = {
    "password": (_("A first password"), None),
    "1": (_("A login code for one day"), _DAY),
    "7": (_("A login code for seven days"), 7 * _DAY),
    "30": (_("A login code for thirty days"), 30 * _DAY),
}


def _games() -> Choices:
    language = get_language() or "en"
    games = [(key, game.name.in_language(language)) for key, game in rules.rulesets().items()]
    return [("", pgettext_lazy("which games a class plays", "All games")), *games]


def _zones() -> Choices:
    usual = [(zone, format_lazy("{} ({})", words, zone)) for zone, words in _ZONES]
    return [("", _("Choose a time zone")), (_("Often chosen"), usual), *_all_zones()]


@lru_cache
def _all_zones() -> Choices:
    """All other zones, grouped by the part of the world."""
    named = {zone for zone, _words in _ZONES}
    groups: dict[str, Choices] = {}
    for zone in sorted(available_timezones() - named):
        part, slash, _place = zone.partition("/")
        if slash and part not in ("Etc", "SystemV", "US"):
            groups.setdefault(part, []).append((zone, zone.replace("_", " ")))
    return [*groups.items(), ("UTC", [("UTC", "UTC")])]


class DisplayName(forms.CharField):
    """What somebody is called in a class."""

    def clean(self, value: Any) -> str:
        """The name, tidied. Raises ValidationError with what it can't be."""
        return cards.display_name(str(value or ""))


class ClassForm(forms.Form):
    """A class: what it is called and plays, where it is, and what its teacher is called in it."""

    name = forms.CharField(
        label=_("Name of the class"),
        error_messages={"required": _("Give the class a name.")},
    )
    mine = DisplayName(label=_("Your name in this class"), help_text=_("As your students know you."))
    game = forms.ChoiceField(
        label=_("Game"),
        required=False,
        choices=_games,
        error_messages={"invalid_choice": _("Choose one of the games, or all.")},
    )
    language = forms.ChoiceField(
        label=_("Language"),
        help_text=_("For login cards and papers. On screen everybody chooses their own."),
        choices=settings.LANGUAGES,
        error_messages={
            "required": _("Choose a language."),
            "invalid_choice": _("Choose one of these languages."),
        },
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        help_text=_("All dates of the class are set and shown in it."),
        choices=_zones,
        error_messages={
            "required": _("Choose the time zone that the class lives in."),
            "invalid_choice": _("Choose one of these time zones."),
        },
    )

    def clean_name(self) -> str:
        """A name that can be seen and is not too long."""
        name = str(self.cleaned_data["name"])
        if not cards.is_seen(name):
            raise ValidationError(
                gettext("A name stands on one line, and all of its characters can be seen.")
            )
        if len(name) > LONGEST_TITLE:
            raise ValidationError(gettext("A name has at most %(n)s characters.") % {"n": LONGEST_TITLE})
        return name

    def fill(self, classroom: Classroom) -> None:
        """Gives a class what was typed of it."""
        for field in ("name", "game", "language", "time_zone"):
            setattr(classroom, field, self.cleaned_data[field])


class CodeForm(forms.Form):
    """The code of a class."""

    code = forms.CharField(
        label=_("Code of the class"),
        help_text=_("Eight letters and digits, from your teacher. Capitals and hyphens don't matter."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
        error_messages={"required": _("Type the code.")},
    )


class NameForm(forms.Form):
    """What somebody is to be called in a class."""

    name = DisplayName(label=_("Name in this class"))


class DeleteClass(forms.Form):
    """The name of a class, typed so that it is not deleted by a slip."""

    typed = forms.CharField(
        label=_("Name of the class"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": _("Type the name of the class.")},
    )

    def __init__(self, *args: Any, classroom: Classroom, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.classroom = classroom

    def clean_typed(self) -> str:
        """It is the class's own, however it is written."""
        typed = str(self.cleaned_data["typed"])
        if folded(typed) != folded(self.classroom.name):
            raise ValidationError(gettext("This is not the name of the class."))
        return typed


class ListForm(forms.Form):
    """A list of names, pasted or as a file. encoding: that of the file. listed: the names."""

    names = forms.CharField(
        label=_("Names, one per line"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 8})
    )
    file = forms.FileField(
        label=_("Or a CSV file"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,text/csv,text/plain"}),
        error_messages={"invalid": _("Choose a file.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.encoding = ""
        self.listed: list[Listed] = []
        self.fields["file"].help_text = gettext(
            "The column headed %(heads)s is read, else the first. UTF-8 or GB18030, at most 100 KB."
        ) % {"heads": " / ".join(rosters.HEADS)}

    def clean_names(self) -> str:
        """Names that can be read, if there are any."""
        text = str(self.cleaned_data["names"])
        if text.strip():
            self.listed = rosters.from_text(text)
        return text

    def clean_file(self) -> Any:
        """A file that can be read, if there is one."""
        file = self.cleaned_data["file"]
        if file is not None:
            if file.size > rosters.LARGEST_FILE:
                raise ValidationError(gettext("This file is larger than 100 KB. A list of names is not."))
            listed, self.encoding = rosters.from_file(file.read())
            if self.listed:
                raise ValidationError(gettext("Paste names or choose a file, one of the two."))
            self.listed = listed
        return file

    def clean(self) -> dict[str, Any]:
        """There is one of the two."""
        given = super().clean() or self.cleaned_data
        if not self.listed and not self.errors:
            self.add_error("names", gettext("Type or paste some names, or choose a file."))
        return given


class SecretForm(forms.Form):
    """With what somebody signs in for the first time."""

    secret = forms.ChoiceField(
        label=_("What they first sign in with"),
        choices=[(key, words) for key, (words, _lasts) in _SECRETS.items()],
        error_messages={
            "required": _("Choose a first password or a login code."),
            "invalid_choice": _("Choose a first password or a login code."),
        },
    )

    @property
    def with_code(self) -> timedelta | None:
        """How long the login code is to last, None for a password."""
        return _SECRETS[self.cleaned_data["secret"]][1]


class MoveForm(forms.Form):
    """Another class that the same teacher has."""

    into = forms.TypedChoiceField(
        label=_("Class to move to"),
        coerce=int,
        error_messages={
            "required": _("Choose a class."),
            "invalid_choice": _("Choose one of your other classes."),
        },
    )

    def __init__(self, *args: Any, taught: Iterable[Member], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.taught = {member.classroom_id: member.classroom for member in taught}
        self.fields["into"].choices = [  # type: ignore[attr-defined]
            (key, classroom.name) for key, classroom in self.taught.items()
        ]

    @property
    def classroom(self) -> Classroom:
        """The class that was chosen."""
        return self.taught[self.cleaned_data["into"]]
