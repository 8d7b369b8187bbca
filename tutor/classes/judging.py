"""Answers judged again, when the rules or the class's table rules have changed: begun, watched, decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods
from django_tasks import TaskResultStatus

import rules
from rules import Text
from tutor.classes import access, jobs, rejudge
from tutor.classes.models import Change, Classroom, Judging, Member
from tutor.classes.pages import page, see
from tutor.content.levels import Level
from tutor.lessons import tries
from tutor.practice.asking import own
from tutor.puzzles.puzzle import Puzzle
from tutor.requests import Request, readable, wants_part

A_PAGE = 50
GO_ON = "go-on"
SAME, CHANGED, NEVER = "same", "changed", "never"


class Row(NamedTuple):
    """A change as a teacher sees it. name: of whoever answered. puzzle: the question as it is asked now, None
    where it can't be. given: the question as if the answer were right, to show it. says: why it is not."""

    change: Change
    name: str
    puzzle: Puzzle | None = None
    given: Level | None = None
    says: Sequence[Text] = ()


@require_http_methods(["GET", "HEAD", "POST"])
@readable
def judge(request: Request, classroom: int) -> HttpResponse:
    """What judging again is for, what has changed, and what was judged before; posted, begins."""
    me = access.teacher_of(request, classroom)
    if request.method == "POST":
        if me.classroom.archived is not None:
            return _archived(request, me)
        with transaction.atomic():
            begun = rejudge.begin(me.classroom, me.name)
            jobs.hand_over(begun)
        return see(request, "class-judging", classroom, begun.pk)
    answers = rejudge.answers_of(me.classroom)
    former = list(_counted(me.classroom).order_by("-pk"))
    finished = next((one for one in former if one.finished), None)
    context = {
        **answers.aggregate(all=Count("pk"), of_others=Count("pk", filter=~Q(rules=rules.VERSION))),
        "undecided": rejudge.undecided(me.classroom),
        "since": NEVER if finished is None else SAME if _is_as_now(finished) else CHANGED,
        "finished": finished,
        "former": [(one, rejudge.as_begun(one)) for one in former],
    }
    return page(request, me, "judge", context, here="class-settings")


def _archived(request: Request, me: Member) -> HttpResponse:
    said = gettext("This class is archived: nothing in it is changed any more.")
    return see(request, "class-judge", me.classroom_id, said=said)


def _counted(classroom: Classroom) -> Any:
    """The judgings of a class, each with how many answers it found to be right, wrong, and asked no more."""
    here = Q(changes__attempt__classroom=classroom)
    return (
        Judging.objects.filter(classroom=classroom)
        .annotate(
            to_right=Count("changes", filter=Q(changes__is_right=True) & here),
            to_wrong=Count("changes", filter=Q(changes__is_right=False) & here),
            gone=Count("changes", filter=Q(changes__is_right=None) & here),
        )
        .select_related("classroom")
    )


def _is_as_now(judging: Judging) -> bool:
    """Whether a judging went by the rules and house rules that the class has now."""
    then, now = rejudge.as_begun(judging).games, judging.classroom.games
    return judging.rules == rules.VERSION and all(
        then[key].house.chosen == game.house.chosen for key, game in now.items()
    )


@require_http_methods(["GET", "HEAD", "POST"])
@readable
def judging(request: Request, classroom: int, judging: int) -> HttpResponse:
    """How far a judging is, and what it found; posted, goes on with it, takes it over or drops it."""
    me = access.teacher_of(request, classroom)
    found = _counted(me.classroom).filter(pk=judging).first()
    if found is None:
        raise Http404
    by = jobs.who(found)
    if request.method == "POST":
        do = request.POST.get("do", "")
        if me.classroom.archived is not None and not (do == GO_ON and found.accepted):
            return _archived(request, me)
        by, said = _gone_on(found, by) if do == GO_ON else (by, _decided(do, found))
        if do != GO_ON or not wants_part(request):
            return see(request, "class-judging", classroom, judging, said=said)
        found = _counted(me.classroom).filter(pk=judging).first()
        if found is None:
            raise Http404
    is_going = rejudge.is_going(found)
    context: dict[str, Any] = {
        "judging": found,
        "then": rejudge.as_begun(found),
        "classroom": me.classroom,
        "by": by if is_going else "",
        "counted": found.following - len(found.follows),
    }
    if found.finished and not is_going:
        changes = (
            rejudge.changes_of(found).select_related("attempt__asked", "attempt__board").order_by("attempt")
        )
        rows = Paginator(changes, A_PAGE).get_page(request.GET.get("page"))
        context |= {"rows": rows, "changes": rows_of(found, rows.object_list)}
    if wants_part(request):
        return own(render(request, "classes/_judging.html", context))
    return page(request, me, "judging", context, here="class-settings")


def _gone_on(judging: Judging, by: str) -> tuple[str, str]:
    """Goes on for a moment, or where workers failed leaves it to them again. Returns who goes on from here,
    and what to say."""
    if by == jobs.FAILED:
        jobs.hand_over(judging)
        return jobs.WORKER, ""
    if jobs.piece.enqueue(judging.pk).status == TaskResultStatus.FAILED:
        return jobs.FAILED, gettext("Something went wrong on this site, and it stopped.")
    return by, ""


def _decided(do: str, judging: Judging) -> str:
    """Does what a teacher decided. Returns what to say. Raises Http404."""
    if do == "accept":
        if not rejudge.accept(judging):
            return ""
        jobs.piece.enqueue(judging.pk)  # all that follows, in most classes
        jobs.hand_over(judging)
        n = judging.to_right + judging.to_wrong  # type: ignore[attr-defined]
        if not n:
            return gettext("No answer needed a change; noted.")
        return ngettext("%(n)s answer was changed.", "%(n)s answers were changed.", n) % {"n": n}
    if do == "drop":
        return gettext("It was dropped: every answer stays as it was.") if rejudge.drop(judging) else ""
    raise Http404


def rows_of(judging: Judging, changes: Iterable[Change]) -> list[Row]:
    """Changes with what there is to say of each; each question is made once."""
    changes = list(changes)
    learners = [change.attempt.learner_id for change in changes]
    names = dict(
        Member.objects.filter(classroom=judging.classroom_id, learner__in=learners).values_list(
            "learner", "name"
        )
    )
    played, cache = rejudge.as_begun(judging), {}  # type: ignore[var-annotated]
    return [
        _row(
            change,
            names.get(change.attempt.learner_id, ""),
            rejudge.asked_again(change.attempt, played, cache),
        )
        for change in changes
    ]


def _row(change: Change, name: str, puzzle: Puzzle | None) -> Row:
    if puzzle is None:
        return Row(change, name)
    answer = frozenset(change.attempt.answer or ())
    given = replace(puzzle.level, rights=(answer,))
    return Row(change, name, puzzle, given, tries.judged(puzzle.level, answer).says)


urls: list[URLPattern] = [
    path("<int:classroom>/judge/", judge, name="class-judge"),
    path("<int:classroom>/judge/<int:judging>/", judging, name="class-judging"),
]
