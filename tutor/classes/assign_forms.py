"""What a teacher types to make an assignment and its parts, with what is said to mistakes."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from random import SystemRandom
from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.forms.boundfield import BoundWidget
from django.forms.widgets import ChoiceWidget
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from rules import Ruleset, Text
from tutor.checker.templatetags.tiles import words
from tutor.classes import dates, drafting, handing, members
from tutor.classes.models import (
    AFTER_DUE,
    AT_ONCE,
    BY_HAND,
    HALF,
    LATE,
    LONGEST_TITLE,
    REFUSED,
    Assignment,
    Classroom,
    Member,
    Question,
)
from tutor.content.build import pages_of
from tutor.content.picked import Picked
from tutor.content.shelf import Shelf
from tutor.people import cards
from tutor.practice import runs
from tutor.puzzles.hands import LEVELS
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import MOST_SEEDS, picked_id
from tutor.rulebook.views import KIND_NAMES

LONGEST_NOTE = 2000
SAME, EACH = "same", "each"
_YEARS = range(2000, 2101)
_USUAL_LEVEL = 2
_USUAL_SIZE = 10
_LOCAL = "%Y-%m-%dT%H:%M"


_BARRED = Text("not by this class's table rules", "这个班的桌上规矩不能出")
_UNTICK = Text("{} Untick it.", "{}请取消勾选。")


class Moment(forms.Field):
    """A date and time by the clocks of a zone. kept: the moment that stands there now, which stays the same
    to the second unless another is typed."""

    widget = forms.DateTimeInput(format=_LOCAL, attrs={"type": "datetime-local"})
    zone: ZoneInfo
    kept: datetime | None = None

    def prepare_value(self, value: Any) -> Any:
        """A moment as the clocks show it."""
        return self._shown(value) if isinstance(value, datetime) else value

    def to_python(self, value: Any) -> datetime | None:
        """The moment that was typed, None for an empty field."""
        text = str(value or "").strip()
        if not text:
            return None
        if self.kept is not None and text == self._shown(self.kept):
            return self.kept
        try:
            local = parse_datetime(text)
        except ValueError:
            local = None
        if local is None or local.tzinfo is not None:
            raise ValidationError(gettext("Write a real day and time, as 2026-03-02 09:00."))
        if local.year not in _YEARS:
            raise ValidationError(
                gettext("Choose a year from %(first)s to %(last)s.")
                % {"first": _YEARS.start, "last": _YEARS.stop - 1}
            )
        return dates.instant(local, self.zone)

    def _shown(self, moment: datetime) -> str:
        return moment.astimezone(self.zone).strftime(_LOCAL)


class Titled(forms.Form):
    """What an assignment is called."""

    title = forms.CharField(
        label=_("Title"),
        max_length=LONGEST_TITLE,
        error_messages={
            "required": _("Give it a title."),
            "max_length": _("A title has at most %(limit_value)s characters."),
        },
    )

    def clean_title(self) -> str:
        """A title that can be seen."""
        title = str(self.cleaned_data["title"])
        if not cards.is_seen(title):
            raise ValidationError(
                gettext("A title stands on one line, and all of its characters can be seen.")
            )
        return title


class Head(Titled):
    """What an assignment is called, and what its students read first."""

    note = forms.CharField(
        label=_("A note to the students (optional)"),
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"max_length": _("A note has at most %(limit_value)s characters.")},
    )


class Ways(Head):
    """All that is settled of an assignment: when, how often, and when it is told what is right."""

    opens = Moment(
        label=_("Opens"),
        required=False,
        help_text=_("Empty: it stays a draft that no student sees."),
    )
    due = Moment(
        label=_("Due"), required=False, help_text=_("The last minute that is on time. Empty: no due date.")
    )
    late = forms.ChoiceField(
        label=_("After the due date"),
        choices=[
            (LATE, _("answers are taken, and marked as late")),
            (HALF, _("answers are taken, and count half")),
            (REFUSED, _("no answers are taken")),
        ],
    )
    tries = forms.TypedChoiceField(
        label=_("How often it may be done"),
        coerce=int,
        choices=[
            ("1", _("once")),
            ("2", _("twice, the best counts")),
            ("3", _("three times, the best counts")),
            ("5", _("five times, the best counts")),
            ("0", _("as often as students like, the best counts")),
        ],
    )
    pass_mark = forms.IntegerField(
        label=_("Pass mark in percent (optional)"),
        required=False,
        min_value=1,
        max_value=100,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), _("A pass mark is a whole number from 1 to 100.")
        ),
    )
    has_hints = forms.TypedChoiceField(
        label=_("Hints"),
        coerce=lambda value: value == "yes",
        choices=[("yes", _("may be looked at")), ("no", _("are not shown"))],
    )
    reveal = forms.ChoiceField(
        label=_("Right or wrong is shown"),
        choices=[
            (AT_ONCE, _("at once, after each answer")),
            (AFTER_DUE, _("after the due date, once everybody's extra time is over")),
            (BY_HAND, _("when a teacher says so")),
        ],
    )

    def __init__(self, *args: Any, assignment: Assignment, begun: int, **more: Any) -> None:
        super().__init__(*args, **more)
        self.initial = {name: getattr(assignment, name) for name in self.fields}
        self.initial["has_hints"] = "yes" if assignment.has_hints else "no"
        self.begun = begun
        for name, field in self.fields.items():
            if isinstance(field, Moment):
                field.zone, field.kept = assignment.classroom.zone, getattr(assignment, name)
        now = self.data if self.is_bound else self.initial
        is_again = str(now.get("tries")) != "1" and now.get("reveal") == AT_ONCE
        if is_again and handing.has_same(assignment.parts.all()):
            self.fields["tries"].help_text = _(
                "With the same questions, answers shown at once are known on a second try."
            )

    def clean(self) -> dict[str, Any]:
        """The dates go together, and nobody who has begun is shut out."""
        given = super().clean() or self.cleaned_data
        opens, due = given.get("opens"), given.get("due")
        if opens and due and due <= opens:
            self.add_error("due", gettext("It is due before it opens. Choose a later date."))
        if given.get("reveal") == AFTER_DUE and "due" in given and due is None:
            self.add_error("due", gettext("What is right is shown after the due date, so there must be one."))
        if self.begun and "opens" in given and (opens is None or opens > timezone.now()):
            self.add_error(
                "opens",
                ngettext(
                    "%(n)s student has begun it already, so it stays open.",
                    "%(n)s students have begun it already, so it stays open.",
                    self.begun,
                )
                % {"n": self.begun},
            )
        return given

    def apply(self, assignment: Assignment) -> None:
        """Puts what was typed into an assignment, which is not stored by that."""
        for name in self.fields:
            setattr(assignment, name, self.cleaned_data[name])


class Target(Titled):
    """Where a copy goes, and what it is called there."""

    into = forms.ModelChoiceField(
        label=_("Into the class"),
        queryset=Classroom.objects.none(),
        empty_label=None,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), _("Choose a class of yours that is not archived.")
        ),
    )

    def __init__(self, *args: Any, mine: QuerySet[Classroom], games: set[str], **more: Any) -> None:
        super().__init__(*args, **more)
        self.games = games
        cast("forms.ModelChoiceField[Classroom]", self.fields["into"]).queryset = mine

    def clean_into(self) -> Classroom:
        """A class that plays what is asked."""
        into = self.cleaned_data["into"]
        if not self.games <= into.games.keys():
            raise ValidationError(gettext("That class doesn't play all games that this asks about."))
        return cast("Classroom", into)


class MoreTime(forms.Form):
    """A student, and until when they have time."""

    member = forms.ModelChoiceField(
        label=_("Student"),
        empty_label=_("Choose a student"),
        queryset=Member.objects.none(),
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose a student of this class.")),
    )
    due = Moment(label=_("Due for them"), error_messages={"required": _("Choose a date.")})

    def __init__(self, *args: Any, assignment: Assignment, **more: Any) -> None:
        super().__init__(*args, **more)
        self.assignment = assignment
        students = assignment.classroom.members.filter(left=None, is_teacher=False)
        member = cast("forms.ModelChoiceField[Member]", self.fields["member"])
        member.queryset = students
        by_name = sorted(students, key=lambda one: (members.in_order(one.name), one.pk))
        member.choices = [("", member.empty_label or ""), *((one.pk, one.name) for one in by_name)]
        cast(Moment, self.fields["due"]).zone = assignment.classroom.zone

    def clean_due(self) -> datetime:
        """Later than for the others."""
        due: datetime = self.cleaned_data["due"]
        if self.assignment.due is None:
            raise ValidationError(gettext("This has no due date, so nobody needs more time."))
        if due <= self.assignment.due:
            raise ValidationError(gettext("That is no more time than the others have. Choose a later date."))
        return due


class Adding(forms.Form):
    """Something that is added to an assignment. begun: how many students have begun it; then it has to be
    said that they shall have it too."""

    sure = forms.BooleanField(
        label=_("Yes, add it for them too"),
        error_messages={"required": _("Students have begun: confirm that they get it too.")},
    )

    def __init__(self, *args: Any, classroom: Classroom, game: Ruleset, begun: int, **more: Any) -> None:
        super().__init__(*args, **more)
        self.classroom = classroom
        self.game = game
        self.begun = begun
        if not begun:
            del self.fields["sure"]


class _Group(ChoiceWidget):
    """Boxes or buttons that a list of errors can lead to: what holds them has the field's id."""

    def id_for_label(self, id_: str, index: str | None = None) -> str:
        """The id of all, or of one."""
        return id_ if index is None else super().id_for_label(id_, index)


class Ticks(_Group, forms.CheckboxSelectMultiple):
    """Boxes to tick. barred: what can't be ticked; what is ticked all the same can be unticked."""

    barred: Collection[str] = ()

    def create_option(self, name: str, value: Any, *args: Any, **more: Any) -> dict[str, Any]:
        """A box, shut where it can't be ticked."""
        option: dict[str, Any] = super().create_option(name, value, *args, **more)
        if value in self.barred and not option["selected"]:
            option["attrs"]["disabled"] = True
        return option


class Buttons(_Group, forms.RadioSelect):
    """Buttons of which one is chosen."""


class Boxes(forms.MultipleChoiceField):
    """Several of what a list offers, by ticks."""

    widget = Ticks
    default_error_messages = {"invalid_choice": _("That is not in the list any more.")}


class Chapters(Adding):
    """Chapters of a game's course."""

    chapters = Boxes(label=_("Chapters"), error_messages={"required": _("Tick a chapter first.")})
    field_order = ["chapters", "sure"]

    def __init__(self, *args: Any, stock: Shelf, taken: set[str], **more: Any) -> None:
        super().__init__(*args, **more)
        offered = [
            (chapter.slug, words(chapter.title))
            for chapter in stock.chapters(self.game)
            if chapter.slug not in taken
        ]
        _offer(self, "chapters", offered)


class MadeSet(Adding):
    """A set of questions that are made: which, how hard, how many."""

    kinds = Boxes(label=_("Kinds of questions"), required=False)
    topics = Boxes(label=_("Rules"), required=False)
    level = forms.TypedChoiceField(label=_("How hard, 1 to 5"), coerce=int, initial=_USUAL_LEVEL)
    size = forms.IntegerField(
        label=_("How many questions"),
        initial=_USUAL_SIZE,
        min_value=1,
        max_value=handing.MOST_QUESTIONS,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            _("Choose a whole number from 1 to 50."),
        ),
    )
    sharing = forms.ChoiceField(
        label=_("Who gets which"),
        choices=[(SAME, _("the same questions for all")), (EACH, _("other questions for each student"))],
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        help_text=_("Change this number for other questions."),
        min_value=0,
        max_value=MOST_SEEDS - 1,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            _("A seed is a whole number from 0 to 999999999."),
        ),
    )
    field_order = ["kinds", "topics", "level", "size", "sharing", "seed", "sure"]

    def __init__(self, *args: Any, stock: Shelf, **more: Any) -> None:
        super().__init__(*args, **more)
        self.initial = {"seed": SystemRandom().randrange(MOST_SEEDS)}
        self.drilled = runs.topics(self.game, stock)
        pages = pages_of(self.game)
        kinds = {kind for able in self.drilled.values() for kind in able}
        _offer(self, "kinds", [(key, words(kind.name)) for key, kind in KINDS.items() if key in kinds])
        _offer(self, "topics", [(t, words(pages[t].name)) for t in self.drilled if t in pages])
        _offer(self, "level", [(str(n), str(n)) for n in LEVELS])

    @property
    def topic_groups(self) -> list[tuple[Text, list[BoundWidget]]]:
        """The boxes of the rules in groups, as the rulebook has them: one name may stand in several."""
        groups: dict[str, list[BoundWidget]] = {}
        for box in self["topics"]:
            groups.setdefault(str(box.data["value"]).partition("/")[0], []).append(box)
        return [(name, groups[kind]) for kind, name in KIND_NAMES.items() if kind in groups]

    def clean_topics(self) -> list[str]:
        """Not more rules than a set can turn through."""
        topics: list[str] = self.cleaned_data["topics"]
        if len(topics) > handing.MOST_TOPICS:
            raise ValidationError(
                gettext("Tick at most %(n)s rules, or none for all.") % {"n": handing.MOST_TOPICS}
            )
        return topics

    def clean(self) -> dict[str, Any]:
        """Each rule that was chosen can be asked in a kind that was chosen."""
        given = super().clean() or self.cleaned_data
        kinds, names = given.get("kinds"), dict(self.fields["topics"].choices)  # type: ignore[attr-defined]
        dry = [names[t] for t in given.get("topics", ()) if kinds and not set(kinds) & set(self.drilled[t])]
        if dry:
            self.add_error(
                "topics",
                gettext("None of the kinds ticked asks about this: %(rules)s.") % {"rules": ", ".join(dry)},
            )
        return given

    @property
    def data_of_part(self) -> dict[str, Any]:
        """What the part keeps of it."""
        given = self.cleaned_data
        kept = {key: given[key] for key in ("kinds", "topics", "level", "seed")}
        return {**kept, "same": given["sharing"] == SAME}


class Puzzles(Adding):
    """Puzzles picked by hand, or any by its address."""

    picked = Boxes(label=_("Picked by hand"), required=False)
    address = forms.CharField(
        label=_("Or any question, by its link"),
        required=False,
        max_length=1500,
        help_text=_("Copied from the page of a question, as …/puzzles/changsha/can-win/3/84210/."),
        error_messages={"max_length": _("This is no link to a question.")},
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    field_order = ["picked", "address", "sure"]

    def __init__(self, *args: Any, stock: Shelf, **more: Any) -> None:
        super().__init__(*args, **more)
        self.stock = stock
        barred = self._barred()
        _offer(
            self,
            "picked",
            [(picked_id(one), self._name(one, barred)) for one in stock.picked(self.game)],
        )
        cast(Ticks, self.fields["picked"].widget).barred = barred
        self.questions: list[Question] = []

    def _barred(self) -> set[str]:
        """The picked puzzles that the class's house rules rule out; by the usual rules all can be asked."""
        if not self.game.house.chosen:
            return set()
        barred = set()
        for one in map(picked_id, self.stock.picked(self.game)):
            try:
                drafting.for_class(one, self.classroom, self.stock)
            except drafting.RefusedError:
                barred.add(one)
        return barred

    @staticmethod
    def _name(one: Picked, barred: Collection[str]) -> str:
        level = gettext("level %(n)s") % {"n": one.number}
        why = [words(_BARRED)] if picked_id(one) in barred else []
        return " · ".join([words(one.title), words(KINDS[one.kind].name), level, *why])

    def clean(self) -> dict[str, Any]:
        """Something was chosen, and all of it can be asked in this class."""
        given = super().clean() or self.cleaned_data
        address = given.get("address", "")
        if not given.get("picked") and not address and not self.errors:
            self.add_error("picked", gettext("Tick a puzzle, or paste the link of one."))
        for name, ids in (("picked", given.get("picked", [])), ("address", [address] if address else [])):
            for id in ids:
                self._take(name, id)
        return given

    def _take(self, name: str, text: str) -> None:
        try:
            self.questions.append(drafting.for_class(text, self.classroom, self.stock))
        except drafting.RefusedError as error:
            said = words(error.text)
            self.add_error(name, said if name == "address" else words(_UNTICK).format(said))


def _offer(form: forms.Form, name: str, choices: list[tuple[str, str]]) -> None:
    """Says what a field offers to choose from."""
    cast(forms.ChoiceField, form.fields[name]).choices = choices
