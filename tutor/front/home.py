"""The home page: what this is, shown by one hand, and a way in for each who comes."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

import rules
from rules import Ruleset, notation
from rules.verdict import Fix
from tutor.checker.views import Answer, answer_of
from tutor.classes import access
from tutor.classes.models import Member
from tutor.content.shelf import shelf
from tutor.lessons.views import Map, map_of
from tutor.people import learners
from tutor.people.learners import Done
from tutor.practice.models import Run
from tutor.practice.runs import Round
from tutor.requests import Request, readable, varied

_MOST_CLASSES = 3


class Shown(NamedTuple):
    """A hand that the page judges. answer: what the game says. fix: what mends it by one tile, None where
    that is done. text: the hand as the checker's address writes it."""

    game: Ruleset
    answer: Answer
    fix: Fix | None
    text: str


class Going(NamedTuple):
    """What somebody has begun and may go on with."""

    maps: list[Map]
    round: Run | None
    classes: list[Member]

    def __bool__(self) -> bool:
        return bool(self.maps or self.round or self.classes)


@require_safe
@readable
def home(request: Request) -> HttpResponse:
    """The home page: its address says of which game the hand is, and whether it has been mended."""
    games = rules.rulesets()
    is_mended = "mended" in request.GET
    examples = [one for game in games.values() if (one := shown(game, is_mended=is_mended))]
    wanted = [one for one in examples if one.game.key == request.GET.get("game")]
    context = {
        "games": games.values(),
        "examples": examples,
        "shown": next(reversed(wanted or examples), None),
        "going": _going(request),
        "courses": [made for each in games.values() if (made := map_of(shelf(), each, Done({})))],
        "query": request.GET.urlencode(),
    }
    response = render(request, "front/home.html", context)
    if learners.of(request) is not None:
        response["Cache-Control"] = "private, no-store"
    return varied(response, "Cookie")


@cache
def shown(game: Ruleset, *, is_mended: bool) -> Shown | None:
    """The first of a game's examples that looks complete, does not win, and wins with one tile exchanged.

    None where it has none.
    """
    for example in game.examples:
        answer = answer_of(game, game.key, example.hand, {}, [])
        if example.given or not answer.mends:
            continue
        fix = answer.mends[0].fix
        if not is_mended:
            return Shown(game, answer, fix, example.hand)
        text = notation.write(fix.hand)
        return Shown(game, answer_of(game, game.key, text, {}, []), None, text)
    return None


def _going(request: Request) -> Going:
    """What to go on with; no query for somebody new, else the same few for everybody."""
    learner = learners.of(request)
    if learner is None:
        return Going([], None, [])
    done = learners.done(request)
    maps = [made for game in rules.rulesets().values() if (made := map_of(shelf(), game, done))]
    last = Run.objects.filter(learner=learner).order_by("-pk").first()
    classes = access.memberships(request).filter(classroom__archived=None).order_by("-classroom__created")
    return Going(
        [made for made in maps if made.done.places],
        last if last and not Round.of(last).is_over(timezone.now()) else None,
        list(classes[:_MOST_CLASSES]),
    )
