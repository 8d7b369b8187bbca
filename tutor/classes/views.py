"""A class as its students see it: what there is to do, until when, and how it went."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

import rules
from rules import Text
from tutor.classes import access, dates, handing, members, results, working
from tutor.classes.models import CHAPTER, Assignment, Classroom, Member, Question, Work
from tutor.classes.pages import page, said_once, see
from tutor.classes.todo import Row, rows_of
from tutor.classes.working import InWork, NothingAskedError
from tutor.content.build import Chapter
from tutor.content.shelf import shelf
from tutor.practice import asking
from tutor.practice.asking import own
from tutor.practice.models import Attempt
from tutor.puzzles.puzzle import NoPuzzleError
from tutor.requests import Request, from_own_page, readable

_CLOSED = Text(
    "This is closed: answers are taken no more, and yours was not kept.",
    "作业已经截止，不再收答案，这次的没有存下。",
)


@require_safe
@readable
def classes(request: Request) -> HttpResponse:
    """The classes somebody is in; to a guest, what classes are."""
    found = list(access.memberships(request).order_by("classroom__archived", "-classroom__created"))
    students = Count("members", filter=Q(members__left=None, members__is_teacher=False))
    counts = dict(
        Classroom.objects.filter(pk__in=[member.classroom_id for member in found])
        .annotate(students=students)
        .values_list("pk", "students")
    )
    rows = [(member, counts[member.classroom_id]) for member in found]
    return own(
        render(request, "classes/classes.html", {"rows": rows, "said": said_once(request), "query": ""})
    )


@require_safe
@readable
def classroom(request: Request, classroom: int) -> HttpResponse:
    """A class: to a student what there is to do, to a teacher what was given."""
    me = access.member_of(request, classroom)
    now = timezone.now()
    if me.is_teacher:
        given = {"rows": _given(me.classroom, now), "code": members.written(me.classroom.code)}
        return page(request, me, "assignments", given, here="classroom")
    rows = rows_of(me, now)
    context = {
        "to_do": sorted((row for row in rows if row.is_to_do), key=_urgency),
        "coming": [row for row in rows if row.state == dates.COMING],
        "done": [row for row in rows if not row.is_to_do and row.state != dates.COMING],
        "board": me.classroom.boards.filter(closed=None).order_by("-opened").first(),
    }
    return page(request, me, "to_do", context, here="classroom")


def _urgency(row: Row) -> tuple[bool, float]:
    return row.due is None, row.due.timestamp() if row.due else 0


def _given(classroom: Classroom, now: datetime) -> list[tuple[Assignment, str, int]]:
    """The assignments of a class in order, each with its state and how many have finished it."""
    grid = results.grid(classroom, now)
    done = {
        column.assignment.pk: average.done
        for column, average in zip(grid.columns, grid.averages, strict=True)
    }
    found = classroom.assignments.order_by("place", "pk")
    return [(one, dates.state_of(one, one.due, now), done.get(one.pk, 0)) for one in found]


@require_http_methods(["GET", "HEAD", "POST"])
@readable
def work(request: Request, classroom: int, assignment: int) -> HttpResponse:
    """An assignment as a student sees it; posted, begins a try at it."""
    me = access.student_of(request, classroom)
    given = access.given_to(me, assignment)
    now = timezone.now()
    row = next(row for row in rows_of(me, now) if row.assignment.pk == given.pk)
    if request.method == "POST":
        if not row.is_open:
            return see(request, "class-work", classroom, assignment)
        try:
            begun = working.begin(given, me, now)
            first = _first_open(given, begun)
        except NothingAskedError:
            said = gettext("There is no question to answer here now.")
            return see(request, "class-work", classroom, assignment, said=said)
        return see(request, "class-question", classroom, assignment, begun.number, first)
    if row.state == dates.COMING:
        context: dict[str, object] = {"row": row, "assignment": given}
        return page(request, me, "work", context)
    latest = row.works[-1] if row.works else None
    chapters = _chapters(given, me)
    context = {
        "row": row,
        "assignment": given,
        "tries": [
            (work, _asked(given, work), working.result_of(given, work, work.total, 0, 0))
            for work in row.works[::-1]
        ],
        "chapters": chapters,
        "going": latest if latest and latest.finished is None else None,
        "can_begin": working.can_begin(given, row.works),
        "has_questions": row.result.of > len(chapters),
        "told": working.told_from(given),
    }
    return page(request, me, "work", context)


def _chapters(assignment: Assignment, me: Member) -> list[tuple[Chapter, bool]]:
    """The chapters of an assignment that there are, each with whether it was read."""
    parts = assignment.parts.filter(kind=CHAPTER).order_by("place", "pk")
    found = [shelf().chapter(rules.rulesets()[part.game], part.data["slug"]) for part in parts]
    read = working.read(me, (chapter.place for chapter in found if chapter))
    return [(chapter, chapter.place in read) for chapter in found if chapter]


def _asked(assignment: Assignment, work: Work) -> list[tuple[Question, Attempt | None]]:
    """The questions of a work, each with its answer, if any."""
    answers = {attempt.asked_id: attempt for attempt in work.attempts.filter(at__isnull=False)}
    return [(question, answers.get(question.pk)) for question in handing.questions_of(assignment, work)]


def _first_open(assignment: Assignment, work: Work) -> int:
    """The number of the first question without an answer. Raises NothingAskedError where there is none."""
    asked = enumerate(_asked(assignment, work), start=1)
    first = next((n for n, (question, answer) in asked if answer is None and not question.is_void), None)
    if first is None:
        raise NothingAskedError
    return first


@csrf_exempt  # the question's form is the same everywhere and holds no token; from_own_page sees to it
@require_http_methods(["GET", "HEAD", "POST"])
@readable
@from_own_page
def question(request: Request, classroom: int, assignment: int, number: int, question: int) -> HttpResponse:
    """A question of a try at an assignment; posted, an answer to it."""
    me = access.student_of(request, classroom)
    given = access.given_to(me, assignment)
    work = Work.objects.filter(assignment=given, member=me, number=number).first()
    if work is None:
        raise Http404
    questions = handing.questions_of(given, work)
    if not 1 <= question <= len(questions):
        raise Http404
    now = timezone.now()
    due = dates.due_of(given, working.extended(given, me))
    kept = questions[question - 1]
    try:
        puzzle = handing.asked_by(kept, me.classroom)
    except NoPuzzleError:
        working.note_void(kept, is_void=True)
        following = (classroom, assignment, number, question + 1)
        is_last = question == len(questions)
        onwards = (
            reverse("class-work", args=following[:2])
            if is_last
            else reverse("class-question", args=following)
        )
        context = {"assignment": given, "number": question, "length": len(questions), "next": onwards}
        return page(request, me, "gone", context)
    working.note_void(kept, is_void=False)
    place = InWork(puzzle, work, given, kept, question, len(questions), due, working.told_from(given), now)
    answer = Attempt.objects.filter(learner=me.learner_id, slot=place.slot).first()
    if request.method != "POST":
        is_answered = answer is not None and answer.at is not None
        if not is_answered and not _takes(me, given, due, now):
            return see(request, "class-work", classroom, assignment)
        return asking.shown(request, asking.asked(place, answer))
    if not _takes(me, given, due, now):
        return asking.shown(request, asking.asked(place, answer)._replace(said=_CLOSED))
    return asking.posted(request, place)


def _takes(me: Member, assignment: Assignment, due: datetime | None, now: datetime) -> bool:
    """Whether answers are taken now."""
    state = dates.state_of(assignment, due, now)
    return state in (dates.OPEN, dates.OVERDUE) and me.classroom.archived is None
