"""The parts of an assignment, as its teachers add, order and take them out: chapters, sets of made questions,
puzzles. Questions of their own, see `own`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from rules import Ruleset
from tutor.checker.templatetags.tiles import words
from tutor.classes import drafting, editing
from tutor.classes.assign_forms import Adding, Chapters, MadeSet, Puzzles
from tutor.classes.drafting import Draft, RefusedError
from tutor.classes.editing import by_teacher, locked
from tutor.classes.models import CHAPTER, PUZZLE, SET, Assignment, Classroom, Member, Part
from tutor.classes.pages import page, see
from tutor.practice.models import Attempt
from tutor.puzzles.stock import stock
from tutor.requests import Request, readable


def game_of(params: QueryDict, classroom: Classroom) -> Ruleset:
    """The game that an address or a form names, by the class's rules: its first where none is named. Raises
    Http404."""
    found = classroom.games.get(params.get("game") or next(iter(classroom.games), ""))
    if found is None:
        raise Http404
    return found


def game_chosen(request: Request, classroom: Classroom) -> Ruleset:
    """The game that a page is about. Raises Http404."""
    return game_of(request.POST if request.method == "POST" else request.GET, classroom)


def no_more_than(size: int) -> str:
    """What is said where there are fewer questions than were asked for."""
    return gettext("There are no more than %(n)s such questions, so the set has %(n)s.") % {"n": size}


def _chapters(given: Assignment, game: Ruleset, data: Any, shared: Mapping[str, Any]) -> Chapters:
    parts = given.parts.filter(kind=CHAPTER, game=game.key)
    return Chapters(data, stock=stock(), taken={part.data["slug"] for part in parts}, **shared)


def _made_set(given: Assignment, game: Ruleset, data: Any, shared: Mapping[str, Any]) -> MadeSet:
    return MadeSet(data, stock=stock(), **shared)


def _puzzles(given: Assignment, game: Ruleset, data: Any, shared: Mapping[str, Any]) -> Puzzles:
    return Puzzles(data, stock=stock(), **shared)


_FORMS: Mapping[str, Callable[..., Adding]] = {CHAPTER: _chapters, SET: _made_set, PUZZLE: _puzzles}


@require_http_methods(["GET", "HEAD", "POST"])
@readable
@by_teacher
def add(request: Request, me: Member, given: Assignment, kind: str) -> HttpResponse:
    """Adds parts of one kind."""
    if kind not in _FORMS:
        raise Http404
    game = game_chosen(request, me.classroom)
    shared = {"classroom": me.classroom, "game": game, "begun": editing.begun(given)}
    form = _FORMS[kind](given, game, request.POST if request.method == "POST" else None, shared)
    if form.is_valid():
        try:
            said = _added(given, game, form)
        except RefusedError as error:
            form.add_error(None, words(error.text))
        else:
            return see(request, "class-assignment", me.classroom_id, given.pk, said=said)
    context = {"assignment": given, "form": form, "game": game, "kind": kind}
    return page(request, me, f"part_{kind}", context, here="classroom")


def _added(given: Assignment, game: Ruleset, form: Adding) -> str:
    """Stores what was chosen. Returns what is said of it. Raises RefusedError."""
    chosen = form.cleaned_data
    if isinstance(form, MadeSet):
        part = Part(kind=SET, game=game.key, data=form.data_of_part, size=chosen["size"])
        size = drafting.add_set(given, part)
        if size < chosen["size"]:
            return no_more_than(size)
        return gettext("The set of questions is added.")
    if isinstance(form, Puzzles):
        questions = form.questions
        drafting.add(given, (Draft(Part(kind=PUZZLE, game=one.game, size=1), [one]) for one in questions))
        return gettext("Added.")
    drafting.add(
        given,
        (
            Draft(Part(kind=CHAPTER, game=game.key, data={"slug": slug}, size=0))
            for slug in chosen["chapters"]
        ),
    )
    return gettext("Added.")


@require_POST
@readable
@by_teacher
def move(request: Request, me: Member, given: Assignment, part: int) -> HttpResponse:
    """Moves a part up or down by one."""
    to = editing.DOWN if request.POST.get("to") == editing.DOWN else editing.UP
    with transaction.atomic():
        editing.move(list(locked(given).parts.order_by("place", "pk")), part, to)
    return editing.moved(request, "class-assignment", me.classroom_id, given.pk, row=part, to=to)


@require_http_methods(["GET", "HEAD", "POST"])
@readable
@by_teacher
def remove(request: Request, me: Member, given: Assignment, part: int) -> HttpResponse:
    """Takes a part out, after saying what will become of the answers to it."""
    found = given.parts.filter(pk=part).first()
    if request.method == "POST" or found is None:  # or somebody has just taken it out
        drafting.remove(given, part)
        return see(request, "class-assignment", me.classroom_id, given.pk, said=gettext("It is taken out."))
    answered = Attempt.objects.filter(asked__part=found, at__isnull=False)
    context = {
        "assignment": given,
        "part": found,
        "game": me.classroom.games.get(found.game),
        "answered": answered.values("learner").distinct().count(),
        "begun": editing.begun(given),
    }
    return page(request, me, "part_remove", context, here="classroom")


_PART = "<int:classroom>/assignments/<int:assignment>/parts/"
urls = [
    path(f"{_PART}new/<slug:kind>/", add, name="class-part-add"),
    path(f"{_PART}<int:part>/move/", move, name="class-part-move"),
    path(f"{_PART}<int:part>/remove/", remove, name="class-part-remove"),
]
