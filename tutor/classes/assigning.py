"""Making assignments: their parts, dates and ways, tried as a student would, given out."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from random import SystemRandom
from typing import Any, ClassVar, NamedTuple

from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import rules
from rules import Ruleset, Text
from tutor.checker.templatetags.tiles import words
from tutor.classes import access, dates, drafting, editing, handing, own, parts, results, working
from tutor.classes.assign_forms import Head, MoreTime, Target, Ways
from tutor.classes.drafting import RefusedError
from tutor.classes.editing import by_teacher, locked, locked_class
from tutor.classes.models import (
    AFTER_DUE,
    AT_ONCE,
    CHAPTER,
    LONGEST_TITLE,
    SET,
    Assignment,
    Classroom,
    Extension,
    Member,
    Part,
    Question,
)
from tutor.classes.pages import page, see
from tutor.content.build import Chapter, pages_of
from tutor.content.shelf import shelf
from tutor.practice import asking
from tutor.practice.answering import Place
from tutor.practice.asking import Asked
from tutor.practice.models import Attempt
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import MOST_SEEDS, NoPuzzleError, Puzzle
from tutor.puzzles.stock import stock
from tutor.requests import Request, from_own_page, readable, wants_part

_SHOW, _BACK = "show", "back"
_USUAL_LEVEL = 2
_WEAKEST_SIZE = 10
_OTHER = Text(
    "This form belongs to another question. Here is the one that stands here now.",
    "这份答案是另一道题的。现在这里是下面这道。",
)


# The list


@require_POST
@readable
@by_teacher
def move(request: Request, me: Member, given: Assignment) -> HttpResponse:
    """Moves an assignment up or down the class's list by one."""
    to = editing.DOWN if request.POST.get("to") == editing.DOWN else editing.UP
    with transaction.atomic():
        locked_class(me.classroom)
        editing.move(list(me.classroom.assignments.order_by("place", "pk")), given.pk, to)
    return editing.moved(request, "classroom", me.classroom_id, row=given.pk, to=to)


@require_http_methods(["GET", "HEAD", "POST"])
@readable
@by_teacher
def assign(request: Request, me: Member) -> HttpResponse:
    """Makes a draft, and leads to it; with rules and kinds, one that has a set of questions about them."""
    is_sent = request.method == "POST"
    wanted = _wanted(request.POST if is_sent else request.GET, me.classroom)
    usual = {"title": gettext("What went wrong, once more")} if wanted else {}
    # The page of what goes wrong sends rules and kinds alone.
    data = {**usual, **request.POST.dict()} if is_sent else None
    form = Head(data, initial=usual)
    if form.is_valid():
        try:
            made, said = _drafted(me.classroom, form, wanted)
        except RefusedError as error:
            form.add_error(None, words(error.text))
        else:
            return see(request, "class-assignment", me.classroom_id, made.pk, said=said)
    context = {
        "form": form,
        "wanted": wanted,
        "game": me.classroom.games[wanted.game] if wanted else None,
    }
    return page(request, me, "assignment_new", context, here="classroom")


def _wanted(params: QueryDict, classroom: Classroom) -> Part | None:
    """The set that an address or a form asks for, None where it asks for none. Raises Http404 for what no
    page offers."""
    asked = params.getlist("topic"), params.getlist("kind")
    if not any(asked):
        return None
    game = parts.game_of(params, classroom)
    topics = list(dict.fromkeys(topic for topic in asked[0] if topic in pages_of(game)))
    kinds = list(dict.fromkeys(kind for kind in asked[1] if kind in KINDS))
    if len(set(topics)) < len(set(asked[0])) or len(kinds) < len(set(asked[1])):
        raise Http404
    data = {
        "kinds": kinds,
        "topics": topics[: handing.MOST_TOPICS],
        "level": _USUAL_LEVEL,
        "seed": SystemRandom().randrange(MOST_SEEDS),
        "same": True,
    }
    return Part(kind=SET, game=game.key, data=data, size=_WEAKEST_SIZE)


def _drafted(classroom: Classroom, form: Head, wanted: Part | None) -> tuple[Assignment, str]:
    """A new draft at the end of the class's list, and what is said of it. Raises RefusedError."""
    with transaction.atomic():
        locked_class(classroom)
        place = editing.next_place(classroom.assignments.all())
        made = Assignment.objects.create(classroom=classroom, place=place, **form.cleaned_data)
        size = drafting.add_set(made, wanted) if wanted else _WEAKEST_SIZE
    if size < _WEAKEST_SIZE:
        return made, parts.no_more_than(size)
    return made, gettext("The draft is made. No student sees it yet.")


# One assignment


class Shown(NamedTuple):
    """A part on its assignment's page. first: the number of its first question. questions: those it asks
    everybody, with their numbers. chapter: the chapter that it is, if there is such a one."""

    part: Part
    game: Ruleset | None
    first: int
    questions: list[tuple[int, Question]]
    chapter: Chapter | None

    @property
    def is_each(self) -> bool:
        """Whether each student gets other questions."""
        return handing.is_own_for_each(self.part)


@require_safe
@readable
def assignment(request: Request, classroom: int, assignment: int) -> HttpResponse:
    """An assignment as its teachers see it."""
    me = access.teacher_of(request, classroom)
    given = access.assignment_of(me.classroom, assignment)
    return _page(request, me, given, MoreTime(assignment=given))


def _page(request: Request, me: Member, given: Assignment, more_time: MoreTime) -> HttpResponse:
    now = timezone.now()
    told = working.told_from(given)
    shown = _parts(given)
    played = {one.game.key: one.game for one in shown if one.game}
    context = {
        "assignment": given,
        "state": dates.state_of(given, given.due, now),
        "parts": shown,
        "tables": [game for game in played.values() if game.house.chosen],
        "missing": _missing(given, bool(shown), now),
        "students": me.classroom.members.filter(left=None, is_teacher=False).count(),
        "begun": editing.begun(given),
        "standing": results.standing(given),
        "is_repeated": given.tries != 1
        and given.reveal == AT_ONCE
        and handing.has_same(one.part for one in shown),
        "extensions": given.extensions.filter(member__left=None).select_related("member").order_by("due"),
        "more_time": more_time,
        "told": told,
        "is_told": told is None or now >= told,
    }
    return page(request, me, "assignment", context, here="classroom")


def _parts(given: Assignment) -> list[Shown]:
    """The parts of an assignment in order, with their questions."""
    by_part: dict[int, list[Question]] = {}
    for question in handing.questions_of(given, None):
        by_part.setdefault(question.part_id, []).append(question)
    found, first = [], 1
    for part in given.parts.order_by("place", "pk"):
        known = part.game in rules.rulesets()
        game = given.classroom.played(part.game) if known else None
        questions = list(enumerate(by_part.get(part.pk, []), start=first))
        is_chapter = game is not None and part.kind == CHAPTER
        chapter = shelf().chapter(rules.rulesets()[part.game], part.data["slug"]) if is_chapter else None
        found.append(Shown(part, game, first, questions, chapter))
        first += part.size
    return found


def _missing(given: Assignment, has_parts: bool, now: datetime) -> str:
    """What has to be done before an assignment can be given out now, "" for nothing."""
    if not has_parts:
        return gettext("There is nothing to do in it yet: add a part first.")
    if given.reveal == AFTER_DUE and given.due is None:
        return gettext("What is right is shown after the due date, so set one first.")
    if dates.is_late(given.due, now):
        return gettext("It would be due already: set a later date first.")
    return ""


@require_http_methods(["GET", "HEAD", "POST"])
@readable
@by_teacher
def edit(request: Request, me: Member, given: Assignment) -> HttpResponse:
    """Changes when and how an assignment is done; what was answered is counted by the new ways."""
    form = Ways(
        request.POST if request.method == "POST" else None, assignment=given, begun=editing.begun(given)
    )
    if form.is_valid():
        with transaction.atomic():
            now = locked(given)
            form.apply(now)
            now.save()
            _settle(now)
        said = gettext("The settings are changed.")
        return see(request, "class-assignment", me.classroom_id, given.pk, said=said)
    return page(request, me, "assignment_form", {"assignment": given, "form": form}, here="classroom")


def _settle(given: Assignment) -> None:
    """Brings all answers in line with an assignment's dates; in the transaction that changes them."""
    working.seal(given)
    working.recount(given)


@require_POST
@readable
@by_teacher
def give(request: Request, me: Member, given: Assignment) -> HttpResponse:
    """Gives an assignment out now, or makes it a draft again while nobody has begun."""
    with transaction.atomic():
        now, moment = locked(given), timezone.now()
        if request.POST.get("do") == _BACK:
            said = _taken_back(now)
        elif now.opens is not None and now.opens <= moment:
            said = gettext("It is given out already.")
        else:
            said = _missing(now, now.parts.exists(), moment)
            if not said:
                now.opens = moment
                now.save(update_fields=["opens"])
                said = gettext("It is given out: students see it now.")
    return see(request, "class-assignment", me.classroom_id, given.pk, said=said)


def _taken_back(given: Assignment) -> str:
    if given.works.exists():
        return gettext("Somebody has begun it, so it can't be a draft again.")
    given.opens = None
    given.save(update_fields=["opens"])
    return gettext("It is a draft again: students don't see it.")


@require_POST
@readable
@by_teacher
def extend(request: Request, me: Member, given: Assignment) -> HttpResponse:
    """Gives a student more time, or takes it back."""
    if "remove" in request.POST:
        key = request.POST["remove"]
        with transaction.atomic():
            now = locked(given)
            now.extensions.filter(member=int(key) if key.isdecimal() and len(key) < 19 else None).delete()
            _settle(now)
        said = gettext("The due date for everyone holds for them again.")
        return see(request, "class-assignment", me.classroom_id, given.pk, said=said)
    form = MoreTime(request.POST, assignment=given)
    if not form.is_valid():
        return _page(request, me, given, form)
    with transaction.atomic():
        now = locked(given)
        member = form.cleaned_data["member"]
        Extension.objects.update_or_create(
            assignment=now, member=member, defaults={"due": form.cleaned_data["due"]}
        )
        _settle(now)
    said = gettext("%(name)s has more time.") % {"name": member.name}
    return see(request, "class-assignment", me.classroom_id, given.pk, said=said)


@require_POST
@readable
@by_teacher
def reveal(request: Request, me: Member, given: Assignment) -> HttpResponse:
    """Tells what is right now, or takes that back."""
    with transaction.atomic():
        now = locked(given)
        if request.POST.get("do") != _SHOW:
            now.revealed = None
        elif now.revealed is None:
            now.revealed = timezone.now()
        now.save(update_fields=["revealed"])
        working.seal(now)
    said = (
        gettext("Students see what was right.") if now.revealed else gettext("The answers are hidden again.")
    )
    return see(request, "class-assignment", me.classroom_id, given.pk, said=said)


@require_http_methods(["GET", "HEAD", "POST"])
@readable
@by_teacher
def duplicate(request: Request, me: Member, given: Assignment) -> HttpResponse:
    """Copies an assignment, into this class or another of the teacher's."""
    mine = Classroom.objects.filter(
        pk__in=access.memberships(request).filter(is_teacher=True).values("classroom"), archived=None
    )
    title = gettext("%(title)s (copy)") % {"title": given.title}
    form = Target(
        request.POST if request.method == "POST" else None,
        mine=mine.order_by("name", "pk"),
        games=set(given.parts.values_list("game", flat=True)),
        initial={"into": me.classroom_id, "title": title[:LONGEST_TITLE]},
    )
    if form.is_valid():
        into = form.cleaned_data["into"]
        made = drafting.copied(given, into, form.cleaned_data["title"])
        said = gettext("The copy is made: a draft without dates.")
        return see(request, "class-assignment", into.pk, made.pk, said=said)
    return page(request, me, "assignment_copy", {"assignment": given, "form": form}, here="classroom")


@require_http_methods(["GET", "HEAD", "POST"])
@readable
@by_teacher
def delete(request: Request, me: Member, given: Assignment) -> HttpResponse:
    """Deletes an assignment, after saying what goes with it."""
    if request.method == "POST":
        with transaction.atomic():
            now = locked(given)
            # Nobody will ever say when these may be told, so they are told from now on.
            Attempt.objects.filter(work__assignment=now).update(visible=None)
            now.delete()
        said = gettext("“%(title)s” is deleted.") % {"title": given.title}
        return see(request, "classroom", me.classroom_id, said=said)
    context = {"assignment": given, "begun": editing.begun(given)}
    return page(request, me, "assignment_delete", context, here="classroom")


# Trying it


@dataclass(frozen=True)
class Preview(Place):
    """A question as a student would see it, answered for nothing. number: its place in all, from 1. length:
    how many there are. is_sample: it was made for this page, and each student gets another."""

    can_repeat: ClassVar[bool] = True

    assignment: Assignment
    number: int
    length: int
    is_sample: bool

    @property
    def has_hints(self) -> bool:
        """As the assignment says."""
        return self.assignment.has_hints

    @property
    def address(self) -> str:
        """The page of the question."""
        return self.at(self.number)

    def at(self, number: int) -> str:
        """The page of another question."""
        return reverse("class-preview", args=[self.assignment.classroom_id, self.assignment.pk, number])

    def context(self, now: datetime, *, is_answered: bool) -> Mapping[str, Any]:
        """Where it stands in the assignment, and what follows."""
        given, is_last = self.assignment, self.number >= self.length
        back = reverse("class-assignment", args=[given.classroom_id, given.pk])
        return {
            "classroom": given.classroom,
            "assignment": given,
            "back": back,
            "number": self.number,
            "length": self.length,
            "next": back if is_last else self.at(self.number + 1),
            "leads": "assignment" if is_last else "question",
        }


@csrf_exempt  # the question's form is the same everywhere and holds no token; from_own_page sees to it
@require_http_methods(["GET", "HEAD", "POST"])
@readable
@from_own_page
def preview(request: Request, classroom: int, assignment: int, question: int) -> HttpResponse:
    """A question as a student would see it; posted, an answer that is judged and kept nowhere."""
    me = access.teacher_of(request, classroom)
    given = access.assignment_of(me.classroom, assignment)
    shown = _parts(given)
    length = sum(one.part.size for one in shown)
    holder = next((one for one in shown if one.first <= question < one.first + one.part.size), None)
    if holder is None:
        raise Http404
    around = {
        "previous": question - 1,
        "number": question,
        "following": question + 1 if question < length else None,
        "assignment": given,
        "is_sample": holder.is_each,
    }
    try:
        puzzle = _tried(holder, question, given)
    except NoPuzzleError:
        return page(request, me, "preview_gone", around, here="classroom")
    place = Preview(puzzle, given, question, length, holder.is_each)
    form = request.POST
    if request.method != "POST":
        now = Asked(place, again=True)
    elif form.get("puzzle") != puzzle.id or form.get("form") != puzzle.form:
        now = Asked(place, again=True, said=_OTHER)
    else:
        now = asking.once_more(place, form)
    is_part = wants_part(request)
    template = "practice/_puzzle.html" if is_part else "classes/preview.html"
    context = {**around, **asking.context_of(now), "is_part": is_part, "query": ""}
    return asking.own(render(request, template, context))


def _tried(holder: Shown, number: int, given: Assignment) -> Puzzle:
    """The question at a number; of a set that is other for each, one of another seed than any student's.
    Raises NoPuzzleError where there is none any more."""
    at = number - holder.first
    if not holder.is_each:
        if at >= len(holder.questions):
            raise NoPuzzleError(str(number))
        return handing.asked_by(holder.questions[at][1], given.classroom)
    if holder.game is None:
        raise NoPuzzleError(holder.part.game)
    part = copy.copy(holder.part)
    part.size = at + 1  # those after it are not looked at
    made = handing.made(part, holder.game, part.data["seed"], stock())
    if not made:
        raise NoPuzzleError(str(number))
    return made[-1]


_HERE = "<int:classroom>/assignments/<int:assignment>/"
urls: list[URLPattern] = [
    path("<int:classroom>/assignments/new/", assign, name="class-assign"),
    path(_HERE, assignment, name="class-assignment"),
    path(f"{_HERE}edit/", edit, name="class-assignment-edit"),
    path(f"{_HERE}move/", move, name="class-move"),
    path(f"{_HERE}give/", give, name="class-give"),
    path(f"{_HERE}extend/", extend, name="class-extend"),
    path(f"{_HERE}reveal/", reveal, name="class-reveal"),
    path(f"{_HERE}duplicate/", duplicate, name="class-duplicate"),
    path(f"{_HERE}delete/", delete, name="class-assignment-delete"),
    path(f"{_HERE}preview/<int:question>/", preview, name="class-preview"),
    *own.urls,
    *parts.urls,
]
