"""One puzzle, or the checker, in a frame of another site: a class page, a forum, a blog.

In somebody else's page a browser sends no cookies, so nothing here reads or sets any: answers are judged and
shown, and kept nowhere. These are the only pages that may be framed, see `frames`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import activate
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

import rules
from rules import HandError, Text
from tutor import answers, house
from tutor.checker.entry import Entry, act, tile_set_of
from tutor.checker.views import BOTH, answer_of, board_of
from tutor.practice import asking
from tutor.practice.answering import Place
from tutor.practice.asking import Asked
from tutor.puzzles.addresses import of_puzzle
from tutor.puzzles.puzzle import Key, NoPuzzleError, by_id
from tutor.puzzles.stock import stock
from tutor.requests import Request, game_of, readable, refusal, varied, wants_part

_CHANGED = Text(
    "The question at this address has changed since. Here is the one that stands here now.",
    "这个网址上的题换过了，现在是下面这道。",
)


@dataclass(frozen=True)
class Framed(Place):
    """A puzzle in a frame. language: of the frame."""

    language: str

    @property
    def address(self) -> str:
        """The frame's own address."""
        return address_of(self.puzzle.id, self.language)


def address_of(id: str, language: str) -> str:
    """The address of a puzzle in a frame."""
    path, question_mark, query = id.partition("?")
    return reverse("embed-puzzle", args=[language, path]) + question_mark + query


def _in_language(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answers in the language of the address. Raises Http404 where there is none such."""

    @wraps(view)
    def spoken(request: Request, language: str, *args: Any, **kwargs: Any) -> HttpResponse:
        if language not in dict(settings.LANGUAGES):
            raise Http404
        activate(language)
        return view(request, language, *args, **kwargs)

    return spoken


@csrf_exempt  # there is nothing to protect: what is sent changes nothing
@require_http_methods(["GET", "HEAD", "POST"])
@readable
@_in_language
def puzzle(request: Request, language: str, id: str) -> HttpResponse:
    """A puzzle; posted, an answer to it, which is judged and shown."""
    try:
        options = answers.chosen_from(request.GET.getlist("option"))
        if options:
            played = game_of(id.partition("/")[0]).with_options(options)
            id = f"{id}{Key('', played, 1, 0).id.partition('/1/0')[2]}"
        place = Framed(by_id(id, stock()), language)
    except HandError as error:
        return refusal(request, error, 400)
    except NoPuzzleError:
        raise Http404 from None
    form = request.POST
    is_its_own = form.get("puzzle") == place.puzzle.id and form.get("form") == place.puzzle.form
    if is_its_own:
        asked = asking.once_more(place, form)
    else:
        asked = Asked(place, said=_CHANGED if form else None, again=True)
    context = {**asking.context_of(asked), "full_page": of_puzzle(place.puzzle.id)}
    return _framed(request, "puzzle", context)


puzzle.takes_form = True  # type: ignore[attr-defined]


@require_safe
@readable
@_in_language
def check(request: Request, language: str) -> HttpResponse:
    """The checker: the verdict on a hand, with a line to write another."""
    known = rules.rulesets()
    key = request.GET.get("ruleset", "")
    plain = list(known.values()) if key == BOTH else [known.get(key) or next(iter(known.values()))]
    actions = request.GET.getlist("do")
    options = house.options_from(request.GET, plain, actions)
    games = [house.played(game, options) for game in plain]
    tile_set = tile_set_of(games)
    presses = [action for action in actions if not action.startswith(house.USUAL)]
    entry = act(Entry(request.GET.get("hand", "")), presses, tile_set)
    given = _given(request)
    written = house.written(games, house.strays(options, plain))
    shown = BOTH if key == BOTH else plain[0].key
    fields = {"ruleset": shown, "hand": entry.text, **given}
    query = urlencode([*fields.items(), *(("option", option) for option in written)])
    context = {
        "entry": entry,
        "board": board_of(entry, tile_set),
        "games": games,
        "ruleset": shown,
        "rulesets": known.values(),
        "both": BOTH,
        "given": given.items(),
        "options": written,
        "answers": [
            answer_of(game, key, entry.text, given, house.options_of(game, options, games)) for game in games
        ],
        "address": reverse("embed-check", args=[language]),
        "full_page": f"{reverse('check')}?{query}",
    }
    return _framed(request, "check", context)


def _given(request: Request) -> dict[str, str]:
    """How the hand was won, as the address says it: one value each, but any number of birds."""
    said = {name: [value for value in request.GET.getlist(name) if value] for name in answers.GIVEN}
    return {
        name: ",".join(values if name == "birds" else values[-1:]) for name, values in said.items() if values
    }


def _framed(request: Request, name: str, context: Mapping[str, Any]) -> HttpResponse:
    """A page for a frame, or the part of it that htmx asks for."""
    template = f"embed/_{name}.html" if wants_part(request) else f"embed/{name}.html"
    return varied(render(request, template, {**context, "is_part": wants_part(request)}))
