"""Questions that teachers write: a hand, what is asked of it, and what they say is right.

The engine judges the hand by the class's rules before anything is kept. Where it finds something else, the
page says what and why; the teacher corrects the question or takes the engine's answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, QueryDict
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from rules import HandError, Ruleset, Text, notation
from rules.tiles import Tile, tile
from rules.verdict import Verdict
from tutor import answers
from tutor.checker.entry import every_tile
from tutor.checker.templatetags.tiles import words
from tutor.checker.views import given_from
from tutor.checker.winning import circumstances_of
from tutor.classes import drafting, editing
from tutor.classes.assign_forms import Adding, Boxes, Buttons
from tutor.classes.drafting import Draft
from tutor.classes.editing import by_teacher
from tutor.classes.models import LONGEST_TITLE, OWN, Assignment, Member, Part, Question
from tutor.classes.pages import page, see
from tutor.classes.parts import game_chosen
from tutor.content import levels, prose
from tutor.content.levels import Level
from tutor.content.picked import keys_of, topic_of
from tutor.lessons.tries import UNTRIED, number_of
from tutor.puzzles.forms import form_of
from tutor.puzzles.hands import LEVELS
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import level_of
from tutor.requests import Request, readable

CAN_WIN, WHY_NOT, WAITS, SCORE, DISCARD = ASKS = ("can-win", "why-not", "waits", "score", "discard")
LONGEST_HAND = 400
LONGEST_PROMPT = 300
ENGINES = "engine"  # the press that takes the engine's answer

# How a hand is typed, with the game's word for the round suit.
_HOW_WHOLE = Text(
    "For example 12355m 45678p 777s +9p, with the winning tile after the +; "
    "Chinese names are read too: 一二三五五万四五六七八{0}七七七条 + 九{0}.",
    "如一二三五五万 四五六七八{0} 七七七条 +九{0}，胡的那张写在+后面；也可以写成12355m 45678p 777s +9p。",
)
_HOW_SHORT = Text(
    "13 tiles, such as 12355m 45678p 777s. Chinese names are read too: 一二三五五万四五六七八{0}七七七条.",
    "写13张，如一二三五五万 四五六七八{0} 七七七条；也可以写成12355m 45678p 777s。",
)
_HOW_DRAWN = Text(
    "14 tiles, with the one just drawn, such as 12355m 456789p 777s. "
    "Chinese names are read too: 一二三五五万四五六七八九{0}七七七条.",
    "写14张，连刚摸的那张，如一二三五五万 四五六七八九{0} 七七七条；也可以写成12355m 456789p 777s。",
)
# What a hand must be for something to be asked of it.
_WHOLE = Text(
    "These are 13 tiles; the winning one is missing. Put it last, after a +: +7s.",
    "这里有13张，还差胡的那张：写在最后，前面加 +，如 +七条。",
)
_DRAWN = Text(
    "These are 13 tiles; a tile is discarded from 14. Add the one that was drawn.",
    "这里有13张，打牌要14张：把刚摸的那张也写上。",
)
_SHORT = Text(
    "This asks what a hand waits for: give 13 tiles, without the winning one.",
    "这种题问听什么，请写13张，不要写胡的那张。",
)
_WINS = Text(
    "By this class's rules the hand wins, so it breaks no rule.",
    "按这个班的规矩，这手牌能胡，没有违反哪条规则。",
)
_LOSES = Text(
    "By this class's rules the hand doesn't win, so it is worth nothing.",
    "按这个班的规矩，这手牌不能胡，也就不算分。",
)
_LINKS = Text(
    "The wording may name tiles between backticks and nothing else that is marked up.",
    "题目里除了用反引号写牌，不能用别的记号。",
)


class TilesField(forms.CharField):
    """Some tiles in any notation, as their codes, each once."""

    game: Ruleset

    def to_python(self, value: Any) -> Any:
        """The codes of the tiles, in order. Raises ValidationError."""
        text = super().to_python(value) or ""
        try:
            found = notation.parse_unfinished(text, self.game.tiles)
        except HandError as error:
            raise ValidationError(words(error.message)) from None
        if found.melds or found.winning:
            raise ValidationError(gettext("Tiles alone are meant here, without melds and +."))
        return sorted({one.code for one in found.loose})


class NumberField(forms.CharField):
    """A whole number, whatever digits it is typed with."""

    def to_python(self, value: Any) -> Any:
        """The number as text. Raises ValidationError."""
        text = number_of(super().to_python(value) or "")
        if text and not text.lstrip("-").isdecimal():
            raise ValidationError(gettext("Give a whole number."))
        return [text] if text else []


class Own(Adding):
    """A question of a teacher's own. claim: what they say is right.

    After it was looked at, verdict: on the hand, None where it can't be judged. question: the question, not
    stored yet; level: the same as it is asked. given: how the hand was won.
    """

    hand = forms.CharField(
        label=_("The hand"),
        max_length=LONGEST_HAND,
        error_messages={
            "required": _("Type a hand."),
            "max_length": _("That is longer than any hand."),
        },
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}),
    )
    prompt = forms.CharField(
        label=_("The question in your own words (optional)"),
        required=False,
        max_length=LONGEST_PROMPT,
        help_text=_("Tiles between backticks are drawn, as `123m`."),
        error_messages={"max_length": _("A question has at most %(limit_value)s characters.")},
    )
    hardness = forms.TypedChoiceField(
        label=_("How hard, 1 to 5"), coerce=int, initial=2, choices=[(str(n), str(n)) for n in LEVELS]
    )
    field_order = ["hand", "claim", "prompt", "hardness", "sure"]

    def __init__(self, data: QueryDict | None, *, ask: str, **more: Any) -> None:
        super().__init__(data, **more)
        self.ask = ask
        given = given_from(data, [self.game]) if data is not None else {}
        self.given: Mapping[str, str] = {key: given[key] for key in given if key in _asked_how(ask, given)}
        self.verdict: Verdict | None = None
        self.level: Level | None = None
        self.question: Question | None = None
        how = {WAITS: _HOW_SHORT, DISCARD: _HOW_DRAWN}.get(ask, _HOW_WHOLE)
        self.fields["hand"].help_text = words(how).format(self.game.tiles.suits["p"])
        self.fields["claim"] = _claim(ask, self.game)
        self.order_fields(self.field_order)

    @property
    def keys(self) -> Sequence[str]:
        """What the engine says is right."""
        return keys_of(self.level) if self.level else ()

    @property
    def found(self) -> str:
        """The same as one text, for a form to hold what its page showed."""
        return " ".join(self.keys)

    @property
    def tiles(self) -> list[Tile]:
        """The tiles that are right, where tiles are asked for."""
        return [tile(key) for key in self.keys] if self.ask in (WAITS, DISCARD) else []

    @property
    def agrees(self) -> bool:
        """Whether the engine says what the teacher says."""
        claim = self.cleaned_data["claim"]
        return sorted([claim] if isinstance(claim, str) else claim) == sorted(self.keys)

    def clean_prompt(self) -> str:
        """Words, and tiles that can be drawn."""
        text = str(self.cleaned_data["prompt"])
        if prose.leftovers(text):
            raise ValidationError(words(_LINKS))
        for mark in prose.marks(text):
            if mark.kind != prose.TILES:
                raise ValidationError(words(_LINKS))
            try:
                notation.parse_unfinished(mark.target, every_tile(self.game.tiles))
            except HandError as error:
                raise ValidationError(words(error.message)) from None
        return text

    def clean(self) -> dict[str, Any]:
        """The hand can be judged, and asked what is asked."""
        cleaned = super().clean() or self.cleaned_data
        if "hand" not in cleaned:
            return cleaned
        options = [f"{key}={value}" for key, value in self.game.house.chosen.items()]
        try:
            self.verdict = answers.judge(self.game.key, cleaned["hand"], self.given, options)
        except HandError as error:
            self.add_error(None if error.code == "bad-context" else "hand", words(error.message))
            return cleaned
        trouble = _unfit(self.ask, self.verdict)
        if trouble:
            self.add_error("hand", words(trouble))
        elif not self.errors:
            self._make(self.verdict)
        return cleaned

    def _make(self, verdict: Verdict) -> None:
        """Makes the question."""
        prompt = self.cleaned_data["prompt"]
        node: dict[str, Any] = {"hand": notation.write(verdict.hand), **self.given}
        if prompt:
            node["prompt"] = {"en": prompt, "zh": prompt}
        self.level = level_of(KINDS[self.ask], node, self.game)
        self.question = Question(
            number=1,
            game=self.game.key,
            kind=self.ask,
            topic=topic_of(self.ask, self.level),
            level=self.cleaned_data["hardness"],
            node=node,
            form=form_of(self.game, self.ask, node),
            title=prompt[:LONGEST_TITLE],
        )


def _asked_how(ask: str, given: Mapping[str, str]) -> set[str]:
    """What of how a hand was won can matter: where nothing is won, only that it was declared ready; birds
    only where it is counted."""
    if ask in (WAITS, DISCARD):
        return {"listening"}
    return set(given) - (set() if ask == SCORE else {"birds"})


def _claim(ask: str, game: Ruleset) -> forms.Field:
    """The field in which a teacher says what is right."""
    if ask == CAN_WIN:
        return forms.ChoiceField(
            label=_("It can win"),
            choices=[(value, words(said)) for value, said in levels.MAY_WIN.items()],
            widget=Buttons,
            error_messages={"required": _("Say whether it can win.")},
        )
    if ask == WHY_NOT:
        return Boxes(
            label=_("The rules it breaks"),
            choices=[(rule.key, words(rule.name)) for rule in game.rules],
            error_messages={"required": _("Tick the rule that it breaks.")},
        )
    if ask == SCORE:
        return NumberField(
            label=gettext("What it is worth (%(measure)s)") % {"measure": words(game.measure.name)},
            max_length=10,
            widget=forms.TextInput(attrs={"inputmode": "numeric"}),
            error_messages={
                "required": _("Say what it is worth."),
                "max_length": _("Give a whole number."),
            },
        )
    field = TilesField(
        label=_("What it waits for") if ask == WAITS else _("What may be discarded"),
        required=ask == DISCARD,
        max_length=LONGEST_HAND,
        help_text=_("As 25m 6p; empty where it waits for nothing.")
        if ask == WAITS
        else _("As 25m 6p: every tile that is right."),
        error_messages={
            "required": _("Say which tiles may be discarded."),
            "max_length": _("That is longer than any hand."),
        },
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    field.game = game
    return field


def _unfit(ask: str, verdict: Verdict) -> Text | None:
    """Why something can't be asked of a hand, or None."""
    if ask == WAITS:
        return _SHORT if verdict.is_full else None
    if not verdict.is_full:
        return _DRAWN if ask == DISCARD else _WHOLE
    if ask == WHY_NOT and verdict.wins:
        return _WINS
    return _LOSES if ask == SCORE and not verdict.wins else None


@require_http_methods(["GET", "HEAD", "POST"])
@readable
@by_teacher
def own(request: Request, me: Member, given: Assignment) -> HttpResponse:
    """Writes a question; posted, has it judged, and keeps it where the engine agrees or is believed."""
    game = game_chosen(request, me.classroom)
    data = request.POST if request.method == "POST" else None
    ask = (request.GET if data is None else data).get("ask", CAN_WIN)
    if ask not in ASKS:
        raise Http404
    form = Own(data, ask=ask, classroom=me.classroom, game=game, begun=editing.begun(given))
    is_disputed = False
    if form.is_valid() and form.question is not None:
        # What is taken is what the page showed, of the hand that it showed it of.
        is_taken = request.POST.get("do") == ENGINES and request.POST.get("found") == form.found
        if form.agrees or is_taken:
            drafting.add(given, [Draft(Part(kind=OWN, game=game.key, size=1), [form.question])])
            said = gettext("Your question is added.")
            return see(request, "class-assignment", me.classroom_id, given.pk, said=said)
        is_disputed = True
    circumstances = circumstances_of([game], dict(form.given), game.tiles)
    if ask != SCORE:
        circumstances = replace(circumstances, birds=None)
    context = {
        "assignment": given,
        "form": form,
        "game": game,
        "kind": OWN,
        "ask": KINDS[ask],
        "asks": [KINDS[key] for key in ASKS],
        "circumstances": circumstances,
        "is_won": ask not in (WAITS, DISCARD),
        "is_disputed": is_disputed,
        "level": form.level,
        "verdict": form.verdict,
        "attempt": UNTRIED,
    }
    return page(request, me, "own", context, here="classroom")


urls = [
    path("<int:classroom>/assignments/<int:assignment>/parts/own/", own, name="class-own"),
]
