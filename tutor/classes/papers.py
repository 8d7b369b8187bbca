"""What a class takes along: worksheets, answer keys, files for other programs, frames for other sites."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from django.http import Http404, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from tutor.classes import access, handing
from tutor.classes.models import Assignment, Part
from tutor.classes.pages import page
from tutor.embed.views import address_of
from tutor.exports import gift, moodle
from tutor.exports.worksheet import worksheet
from tutor.practice.asking import own
from tutor.puzzles.puzzle import NoPuzzleError, Puzzle
from tutor.puzzles.stock import stock
from tutor.requests import Request, readable


class Taken(NamedTuple):
    """An assignment's questions to take along. ids: of the puzzles they were made from, "" for a teacher's
    own. samples: sets that are another for each, of which one sample
    is taken. missing: how many can't be asked any more."""

    puzzles: list[Puzzle]
    ids: list[str]
    samples: list[Part]
    missing: int


def taken(assignment: Assignment) -> Taken:
    """All questions of an assignment in order, as the class plays now."""
    classroom = assignment.classroom
    asked: dict[int, list[tuple[Puzzle, str]]] = {}
    missing = 0
    for question in handing.questions_of(assignment, None):
        try:
            puzzle = handing.asked_by(question, classroom)
            asked.setdefault(question.part_id, []).append((puzzle, question.puzzle))
        except NoPuzzleError:
            missing += 1
    parts = list(assignment.parts.order_by("place", "pk"))
    samples = [part for part in parts if handing.is_own_for_each(part)]
    for part in samples:
        made = handing.made(part, classroom.played(part.game), part.data["seed"], stock())
        asked[part.pk] = [(puzzle, puzzle.id) for puzzle in made]
    found = [one for part in parts for one in asked.get(part.pk, ())]
    return Taken([puzzle for puzzle, _ in found], [id for _, id in found], samples, missing)


@require_safe
@readable
def take(request: Request, classroom: int, assignment: int) -> HttpResponse:
    """What there is to take along of an assignment."""
    me = access.teacher_of(request, classroom)
    given = access.assignment_of(me.classroom, assignment)
    found = taken(given)
    language = get_language() or "en"
    frames = [
        (number, puzzle, request.build_absolute_uri(address_of(id, language)))
        for number, (puzzle, id) in enumerate(zip(found.puzzles, found.ids, strict=True), start=1)
        if id
    ]
    return page(
        request, me, "take", {"assignment": given, "taken": found, "frames": frames}, here="classroom"
    )


@require_safe
@readable
def paper(request: Request, classroom: int, assignment: int) -> HttpResponse:
    """A worksheet to print; with ?key=1 the answer key follows it."""
    me = access.teacher_of(request, classroom)
    given = access.assignment_of(me.classroom, assignment)
    found = taken(given)
    if not found.puzzles:
        raise Http404
    heading = {gettext("Class"): me.classroom.name}
    return own(worksheet(request, given.title, found.puzzles, with_key="key" in request.GET, heading=heading))


@require_safe
@readable
def as_moodle(request: Request, classroom: int, assignment: int) -> HttpResponse:
    """The questions as a quiz in Moodle's XML."""
    given = access.assignment_of(access.teacher_of(request, classroom).classroom, assignment)
    written = moodle.xml(given.title, taken(given).puzzles, get_language() or "en")
    return _file(written, "application/xml", f"{given.title}.xml", "paili.xml")


@require_safe
@readable
def as_gift(request: Request, classroom: int, assignment: int) -> HttpResponse:
    """The questions as a quiz in GIFT."""
    given = access.assignment_of(access.teacher_of(request, classroom).classroom, assignment)
    written = gift.text(given.title, taken(given).puzzles, get_language() or "en")
    return _file(written, "text/plain", f"{given.title}.gift.txt", "paili.gift.txt")


def _file(text: str, kind: str, name: str, plain: str) -> HttpResponse:
    headers = {
        "Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
    }
    return own(HttpResponse(text, content_type=f"{kind}; charset=utf-8", headers=headers))


_AT = "<int:classroom>/assignments/<int:assignment>/"
urls: list[URLPattern] = [
    path(f"{_AT}take/", take, name="class-take"),
    path(f"{_AT}worksheet/", paper, name="class-paper"),
    path(f"{_AT}moodle.xml", as_moodle, name="class-moodle"),
    path(f"{_AT}gift.txt", as_gift, name="class-gift"),
]
