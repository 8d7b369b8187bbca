"""The style guide: every component in its states, drawn by the templates that the pages use."""

from __future__ import annotations

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

import rules
from rules import Ruleset
from tutor.checker.views import Answer, answer_of
from tutor.content.build import Chapter
from tutor.content.levels import Level
from tutor.content.shelf import shelf
from tutor.front.home import shown as example
from tutor.lessons import tries
from tutor.lessons.tries import Try
from tutor.lessons.views import Shown
from tutor.requests import Request, readable

COLOURS = (
    "paper",
    "surface",
    "ink",
    "soft",
    "jade",
    "vermilion",
    "indigo",
    "line",
    "control",
    "tint",
    "felt",
)
SIZES = (36, 28, 22, 18, 16, 14)


class Example(forms.Form):
    """A form with a field of each kind; sent empty, it shows what is wrong."""

    prefix = "example"
    name = forms.CharField(label=_("Name"), help_text=_("As your classmates know you."))
    level = forms.ChoiceField(label=_("Level"), choices=[(n, n) for n in range(1, 6)])
    number = forms.IntegerField(label=_("How many"), min_value=1, max_value=50)


@require_safe
@readable
def style(request: Request) -> HttpResponse:
    """The style guide."""
    games = list(rules.rulesets().values())
    context = {
        "colours": COLOURS,
        "sizes": SIZES,
        "tiles": games[0].tiles,
        "judged": [
            each for game in games for mended in (False, True) if (each := example(game, is_mended=mended))
        ],
        "won": [(won.answer.verdict, game) for game in games if (won := example(game, is_mended=True))],
        "others": [(each.verdict, each.game) for each in _waiting(games)],
        "levels": _levels(games),
        "form": Example(),
        "refused": Example({"refused-number": "51"}, prefix="refused"),
    }
    return render(request, "front/style.html", context)


def _waiting(games: list[Ruleset]) -> list[Answer]:
    """A hand of each game that waits."""
    found = [
        answer_of(game, game.key, e.hand, {}, []) for game in games for e in game.examples if not e.given
    ]
    return [answer for answer in found if answer.state == "ready"]


def _levels(games: list[Ruleset]) -> list[tuple[Chapter, Shown]]:
    """A question for each way to answer; in turn untouched, rightly and wrongly answered, and solved."""
    found: dict[str, tuple[Chapter, Shown]] = {}
    for game in games:
        for chapter in shelf().chapters(game):
            for number, step in enumerate(chapter.steps, 1):
                if step.level and step.level.widget not in found:
                    attempt = _tried(step.level, len(found))
                    made = Shown(step, number, attempt.is_right is True, attempt, step.level)
                    found[step.level.widget] = (chapter, made)
    return list(found.values())


def _tried(level: Level, turn: int) -> Try:
    if turn % 4 == 1:
        return tries.judged(level, level.rights[0])
    if turn % 4 == 2:
        offers = (frozenset({offer.value}) for offer in level.offers)
        wrong = next((answer for answer in offers if not level.is_right(answer)), None)
        return tries.judged(level, wrong) if wrong else tries.UNTRIED
    return tries.shown(level) if turn % 4 == 3 else tries.UNTRIED
