"""Making a class and running it: its name and rules, who is in it, how they come in and leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_http_methods, require_safe

import rules
from rules import Ruleset
from tutor import house
from tutor.classes import access, joining, members, pupils
from tutor.classes.forms import ClassForm, DeleteClass
from tutor.classes.models import Classroom, Member
from tutor.classes.pages import page, see
from tutor.people import cards, learners
from tutor.people.models import Account
from tutor.practice.asking import own
from tutor.practice.models import Attempt
from tutor.requests import Request, readable, wants_part


@require_http_methods(["GET", "HEAD", "POST"])
@readable
@login_required
def new(request: Request) -> HttpResponse:
    """Opens a class; whoever does so is its first teacher."""
    form, games = _form(request, {"language": get_language(), "mine": _name_of(request)}, Classroom())
    learner = learners.of(request)
    if form.is_valid() and learner is not None:
        classroom = Classroom(options=_options(games))
        form.fill(classroom)
        me = members.begin(classroom, learner, form.cleaned_data["mine"])
        if me is not None:
            return see(request, "class-people", me.classroom_id, said=gettext("Your class is open."))
    context = {"form": form, "panels": house.panels(games), "query": ""}
    return own(render(request, "classes/new.html", context))


def _name_of(request: Request) -> str:
    return request.user.name if isinstance(request.user, Account) else ""


def _form(request: Request, initial: dict[str, Any], classroom: Classroom) -> tuple[ClassForm, list[Ruleset]]:
    """The form of a class, as it is or as it was sent, and the games it plays by the table rules there."""
    games = [rules.rulesets()[key] for key in classroom.games]
    if request.method != "POST":
        return ClassForm(initial=initial), list(classroom.games.values())
    form = ClassForm(request.POST)
    chosen = house.options_from(request.POST, games, ())
    if strays := house.strays(chosen, games):
        form.add_error(
            None, gettext("There is no such table rule here: %(rules)s") % {"rules": " ".join(strays)}
        )
    return form, [house.played(game, chosen) for game in games]


def _options(games: list[Ruleset]) -> dict[str, dict[str, str]]:
    """The table rules of games as a class keeps them: what differs from the usual."""
    return {game.key: dict(game.house.chosen) for game in games if game.house.chosen}


@require_http_methods(["GET", "HEAD", "POST"])
@readable
def settings(request: Request, classroom: int) -> HttpResponse:
    """All that can be changed of a class, and its way into the archive and out of it."""
    me = access.teacher_of(request, classroom)
    act = _ACTS.get(request.POST.get("do", ""))
    if act is not None:
        return see(request, "class-settings", classroom, said=_done(me, act))
    initial = {
        "name": me.classroom.name,
        "mine": me.name,
        "game": me.classroom.game,
        "language": me.classroom.language,
        "time_zone": me.classroom.time_zone,
    }
    form, games = _form(request, initial, me.classroom)
    if form.is_valid():
        try:
            said = _done(me, lambda room: _save(room, me, form, games))
        except ValidationError as error:
            form.add_error("mine", error)
        else:
            return see(request, "class-settings", classroom, said=said)
    context = {
        "form": form,
        "panels": house.panels(games),
        "has_answers": _has_answers(me.classroom),
        "code": members.written(me.classroom.code),
        "teacher_code": members.written(me.classroom.teacher_code or ""),
        "teacher_link": _link(request, me.classroom.teacher_code or ""),
    }
    return page(request, me, "settings", context, here="class-settings")


def _done(me: Member, act: Callable[[Classroom], str]) -> str:
    """Does something to a class and stores it. Returns what is then said."""
    with transaction.atomic():
        room = members.locked(me.classroom_id)
        if room.archived is not None and act is not _unarchive:
            return gettext("This class is in the archive: nothing was changed. Take it out first.")
        said = act(room)
        room.save()
    return said


def _save(room: Classroom, me: Member, form: ClassForm, games: list[Ruleset]) -> str:
    """Raises ValidationError where the teacher's name in the class is somebody else's."""
    shown = {game.key for game in games}
    hidden = {key: options for key, options in room.options.items() if key not in shown}
    options = hidden | _options(games)
    is_played_otherwise = room.options != options
    form.fill(room)
    room.options = options
    members.rename(me, form.cleaned_data["mine"])
    if is_played_otherwise and _has_answers(room):
        return gettext("Saved. Answers given before keep their verdict until you have them judged again.")
    return gettext("Saved.")


def _has_answers(room: Classroom) -> bool:
    return Attempt.objects.filter(classroom=room, is_right__isnull=False).exists()


def _renew(room: Classroom) -> str:
    room.code = members.new_code()
    return gettext("There is a new code; the one before no longer works.")


def _open(room: Classroom) -> str:
    room.is_open = True
    return gettext("Students can join with the code.")


def _close(room: Classroom) -> str:
    room.is_open = False
    return gettext("Nobody joins with the code any more. Whoever is in stays in.")


def _give_teacher_code(room: Classroom) -> str:
    room.teacher_code = members.new_code()
    return gettext("There is a new code for teachers. Show it to nobody else.")


def _take_teacher_code(room: Classroom) -> str:
    room.teacher_code = None
    return gettext("There is no code for teachers any more. Whoever teaches goes on.")


def _archive(room: Classroom) -> str:
    room.archived = timezone.now()
    return gettext("The class is in the archive. Everything can be looked at, nothing is changed.")


def _unarchive(room: Classroom) -> str:
    room.archived = None
    return gettext("The class is out of the archive and goes on.")


_ACTS: dict[str, Callable[[Classroom], str]] = {
    "new-code": _renew,
    "open": _open,
    "close": _close,
    "teacher-code": _give_teacher_code,
    "no-teacher-code": _take_teacher_code,
    "archive": _archive,
    "unarchive": _unarchive,
}


@require_http_methods(["GET", "HEAD", "POST"])
@readable
def delete(request: Request, classroom: int) -> HttpResponse:
    """Deletes a class, after its name; for its first teacher alone."""
    me = access.teacher_of(request, classroom)
    first = members.first_teacher(me.classroom)
    if first != me:
        return page(request, me, "delete", {"first": first}, here="class-settings")
    form = DeleteClass(request.POST if request.method == "POST" else None, classroom=me.classroom)
    if form.is_valid():
        members.delete(me.classroom)
        said = gettext("The class %(name)s is deleted.") % {"name": me.classroom.name}
        return see(request, "classes", said=said)
    room = me.classroom
    context = {
        "form": form,
        "counts": {
            "students": room.members.filter(is_teacher=False, left=None).count(),
            "assignments": room.assignments.count(),
            "boards": room.boards.count(),
        },
    }
    return page(request, me, "delete", context, here="class-settings")


@require_safe
@readable
def code(request: Request, classroom: int) -> HttpResponse:
    """The code of a class for the projector; htmx asks how many have come."""
    me = access.teacher_of(request, classroom)
    joined = me.classroom.members.filter(is_teacher=False, left=None).count()
    context: dict[str, Any] = {"joined": joined, "classroom": me.classroom}
    if wants_part(request):
        return own(render(request, "classes/_joined.html", context))
    link = _link(request, me.classroom.code)
    qr = cards.qr(link, gettext("QR code: opens the page for joining"))
    context |= {"code": members.written(me.classroom.code), "link": link, "qr": qr}
    return page(request, me, "code", context, here="class-people")


def _link(request: Request, code: str) -> str:
    return request.build_absolute_uri(reverse("class-join", args=[code])) if code else ""


urls: list[URLPattern] = [
    path("new/", new, name="class-new"),
    *joining.urls,
    *pupils.urls,
    path("<int:classroom>/settings/", settings, name="class-settings"),
    path("<int:classroom>/delete/", delete, name="class-delete"),
    path("<int:classroom>/code/", code, name="class-code"),
]
