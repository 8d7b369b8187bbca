"""What a teacher chooses to ask the whole class on a live board, with what is said to mistakes."""

from __future__ import annotations

from random import SystemRandom
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules import HandError, Ruleset
from tutor.checker.templatetags.tiles import words
from tutor.classes import drafting, handing
from tutor.classes.models import SET, Classroom, Kept, Part, Question
from tutor.content.build import pages_of
from tutor.content.shelf import Shelf
from tutor.practice import runs
from tutor.puzzles.hands import LEVELS
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import MOST_SEEDS, NoPuzzleError, Puzzle, picked_id

MAKE = ("about", "kind", "level")  # the fields that say how a fresh question is to be
_USUAL_LEVEL = "2"
_TRIES = 5  # fresh questions until one is asked that was asked lately
_LATELY = 50  # boards
_GONE = _("That is not in the list any more. Choose again.")


class Asking(forms.Form):
    """A way to choose a question. fields_of_board: what the board keeps of it, once the form is valid."""

    fields_of_board: dict[str, Any]

    def __init__(self, *args: Any, classroom: Classroom, stock: Shelf, **more: Any) -> None:
        super().__init__(*args, **more)
        self.classroom = classroom
        self.stock = stock
        self.fill()

    def fill(self) -> None:
        """Says what the lists offer."""

    def offer(self, name: str, choices: list[Any]) -> None:
        """Says what one list offers."""
        cast(forms.ChoiceField, self.fields[name]).choices = choices

    def take(self, field: str, id: str) -> None:
        """Takes a puzzle by its id or address, or says of the field why it can't be asked here."""
        try:
            self.fields_of_board = _fields_of(drafting.for_class(id, self.classroom, self.stock))
        except drafting.RefusedError as refused:
            self.add_error(field, words(refused.text))


def _fields_of(question: Question) -> dict[str, Any]:
    """A question as the fields that keep it on a board."""
    return {field.name: getattr(question, field.name) for field in Kept._meta.get_fields()}


class Fresh(Asking):
    """A question that is made for this moment."""

    about = forms.ChoiceField(label=_("Topic"), error_messages={"required": _GONE, "invalid_choice": _GONE})
    kind = forms.ChoiceField(
        label=_("Kind of question"), required=False, error_messages={"invalid_choice": _GONE}
    )
    level = forms.TypedChoiceField(
        label=_("How hard, 1 to 5"),
        coerce=int,
        initial=_USUAL_LEVEL,
        choices=[(str(level), str(level)) for level in LEVELS],
        error_messages={"required": _GONE, "invalid_choice": _GONE},
    )

    def fill(self) -> None:
        """The class's games, each with its rules; the kinds of questions."""
        games = self.classroom.games
        self.offer("about", [(words(game.name), self._topics(game)) for game in games.values()])
        kinds = {
            kind
            for game in games.values()
            for able in runs.topics(game, self.stock).values()
            for kind in able
        }
        named = [(key, words(kind.name)) for key, kind in KINDS.items() if key in kinds]
        self.offer("kind", [("", gettext("any")), *named])

    def _topics(self, game: Ruleset) -> list[tuple[str, str]]:
        pages = pages_of(game)
        everything = gettext("%(game)s, any rule") % {"game": words(game.name)}
        named = [
            (f"{game.key}:{t}", words(pages[t].name)) for t in runs.topics(game, self.stock) if t in pages
        ]
        return [(f"{game.key}:", everything), *named]

    def clean(self) -> dict[str, Any]:
        """There are such questions."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        key, _colon, topic = given["about"].partition(":")
        game, kind = self.classroom.games[key], given["kind"]
        drilled = runs.topics(game, self.stock)
        able = drilled[topic] if topic else {kind for kinds in drilled.values() for kind in kinds}
        if kind and kind not in able:
            self.add_error(
                "kind", gettext("No question of this kind asks about that. Choose another, or any.")
            )
            return given
        found = self._made(game, [kind] if kind else [], topic, given["level"])
        if found is None:
            raise ValidationError(gettext("By this class's table rules there are no such questions."))
        self.fields_of_board = handing.kept(found)
        return given

    def _made(self, game: Ruleset, kinds: list[str], topic: str, level: int) -> Puzzle | None:
        """A question that the class was not asked lately, if there is one."""
        lately = self.classroom.boards.order_by("-opened").values_list("form", flat=True)[:_LATELY]
        known = set(lately)
        data = {"kinds": kinds, "topics": [topic] if topic else [], "level": level}
        part = Part(kind=SET, game=game.key, data=data, size=1)
        found: list[Puzzle] = []
        for _try in range(_TRIES):
            found = handing.made(part, game, SystemRandom().randrange(MOST_SEEDS), self.stock) or found
            if found and found[0].form not in known:
                break
        return found[0] if found else None


class Picked(Asking):
    """A puzzle picked by hand."""

    picked = forms.ChoiceField(
        label=_("Hand-picked puzzle"), error_messages={"required": _GONE, "invalid_choice": _GONE}
    )

    def fill(self) -> None:
        """The puzzles of the class's games."""
        self.offer(
            "picked",
            [
                (
                    words(game.name),
                    [
                        (picked_id(one), f"{words(one.title)} · {words(KINDS[one.kind].name)} · {one.number}")
                        for one in self.stock.picked(game)
                    ],
                )
                for game in self.classroom.games.values()
            ],
        )

    def clean(self) -> dict[str, Any]:
        """It can be asked in this class."""
        given = super().clean() or self.cleaned_data
        if not self.errors:
            self.take("picked", given["picked"])
        return given


class ByAddress(Asking):
    """Any puzzle by its address or id."""

    address = forms.CharField(
        label=_("Its link"),
        max_length=1500,
        help_text=_(
            "Open a question under Practise and copy its address, like …/puzzles/changsha/can-win/3/84210/."
        ),
        error_messages={
            "required": _("Paste the link of a question."),
            "max_length": _("This is no link to a question."),
        },
        widget=forms.TextInput(
            attrs={"autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"}
        ),
    )

    def clean(self) -> dict[str, Any]:
        """There is such a puzzle, and it can be asked in this class."""
        given = super().clean() or self.cleaned_data
        if not self.errors:
            self.take("address", given["address"])
        return given


class Assigned(Asking):
    """A question of one of the class's assignments that all of it are asked."""

    question = forms.ChoiceField(
        label=_("Question"), error_messages={"required": _GONE, "invalid_choice": _GONE}
    )

    def fill(self) -> None:
        """The questions, by assignment; one query."""
        rows = Question.objects.filter(part__assignment__classroom=self.classroom, work=None)
        ordered = rows.select_related("part__assignment").order_by(
            "part__assignment__place", "part__assignment", "part__place", "part", "number"
        )
        self.found = {str(row.pk): row for row in ordered}
        groups: dict[int, tuple[str, list[tuple[str, str]]]] = {}
        for key, row in self.found.items():
            assignment = row.part.assignment
            group = groups.setdefault(assignment.pk, (assignment.title, []))[1]
            name = words(KINDS[row.kind].name) if row.kind in KINDS else row.kind
            group.append((key, f"{len(group) + 1} · {row.title or name} · {row.level}"))
        self.offer("question", list(groups.values()))

    def clean(self) -> dict[str, Any]:
        """It can still be asked."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        row = self.found[given["question"]]
        try:
            handing.asked_by(row, self.classroom)
        except (NoPuzzleError, HandError):
            self.add_error(
                "question",
                gettext("By the current rules this question can't be asked any more. Choose another."),
            )
        self.fields_of_board = _fields_of(row)
        return given


WAYS: dict[str, type[Asking]] = {
    "fresh": Fresh,
    "picked": Picked,
    "address": ByAddress,
    "assigned": Assigned,
}
