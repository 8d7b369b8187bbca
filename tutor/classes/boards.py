"""The live board: one question on the projector, answered by the whole class on their phones.

Nothing is pushed: the pages ask anew every two seconds. That costs a few queries, as many for a hundred
students as for three, and is answered with nothing where nothing has changed; where nothing can change any
more, the page is told to stop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Count, F, Q
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

import rules
from rules import HandError, Text
from tutor.classes import access, handing
from tutor.classes.board_forms import MAKE, WAYS, Asking
from tutor.classes.models import SEALED, Board, Classroom, Member
from tutor.classes.pages import page, see
from tutor.content.levels import CHOICES, CLAIMS, HANDS, KEYS, NUMBERS, SWAP, Answer, Level
from tutor.lessons import tries
from tutor.people import cards
from tutor.people.models import Learner
from tutor.practice import asking, reviews, runs
from tutor.practice.answering import Place
from tutor.practice.asking import Asked, Step, own
from tutor.practice.models import Attempt
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import NoPuzzleError, Puzzle
from tutor.puzzles.stock import stock
from tutor.requests import Request, from_own_page, readable, wants_part

WAITING, OPEN, STOPPED, SHOWN, ARCHIVED = "waiting", "open", "stopped", "shown", "archived"
# How long students see a board that is over, if no other follows.
LINGERS = timedelta(hours=1)
STOP_POLLING = 286  # as htmx has it
_MOST_BARS = 12
_A_PAGE = 30
_STOPPED = Text(
    "The answers have been stopped, and yours was not kept: it came too late.",
    "已经停止作答，这次的答案来晚了，没有存下。",
)


class StoppedError(Exception):
    """The board takes no answers any more."""


# Boards


def state_of(board: Board) -> str:
    """What a board stands at: open, stopped, shown."""
    if board.revealed is not None:
        return SHOWN
    return OPEN if board.closed is None else STOPPED


def current(classroom: Classroom, now: datetime) -> Board | None:
    """The board that students of a class see now, if any."""
    if classroom.archived is not None:
        return None
    last = classroom.boards.order_by("-opened", "-pk").first()
    if last is None or (last.closed and now > (last.revealed or last.closed) + LINGERS):
        return None
    last.classroom = classroom
    return last


def open_board(classroom: Classroom, fields: Mapping[str, Any], now: datetime) -> Board:
    """Asks a class a question, and stops the one before. fields: what the board keeps of the question."""
    with transaction.atomic():
        locked = Classroom.objects.select_for_update().get(pk=classroom.pk)
        locked.boards.filter(closed=None).update(closed=now)
        return Board.objects.create(classroom=locked, opened=now, **fields)


def stop(board: Board, now: datetime) -> None:
    """Takes no answers any more."""
    Board.objects.filter(pk=board.pk, closed=None).update(closed=now)


def show(board: Board, now: datetime) -> None:
    """Stops the answers, and tells everybody what is right."""
    with transaction.atomic():
        locked = Board.objects.select_for_update().get(pk=board.pk)
        if locked.revealed is not None:
            return
        locked.closed, locked.revealed = locked.closed or now, now
        locked.save(update_fields=["closed", "revealed"])
        answers = locked.attempts.all()
        answers.update(visible=None)
        learners = Learner.objects.select_for_update().filter(pk__in=answers.values("learner"), reviews=True)
        for learner in learners.order_by("pk"):
            reviews.rebuild(learner)


def asked(board: Board) -> Puzzle | None:
    """The question of a board, None where it can't be asked any more."""
    try:
        return handing.asked_by(board, board.classroom)
    except (NoPuzzleError, HandError):
        return None


# What was answered


class Bar(NamedTuple):
    """An answer and how often it was given. level: the question as if this were right, to show it."""

    level: Level
    times: int
    percent: int
    is_right: bool


class Tally(NamedTuple):
    """How a board was answered. answers: how many there are; students: in the class now. given: how often
    each answer."""

    answers: int
    students: int
    given: Mapping[Answer, int]

    @property
    def is_complete(self) -> bool:
        """Whether everybody has answered."""
        return self.students > 0 and self.answers >= self.students


def tally_of(board: Board) -> Tally:
    """How the students who are in the class now have answered; two queries."""
    answered = board.attempts.filter(classroom=board.classroom_id, at__isnull=False)
    given = {
        frozenset(answer or ()): n for answer, n in answered.values_list("answer").annotate(n=Count("pk"))
    }
    students = Member.objects.filter(classroom=board.classroom_id, left=None, is_teacher=False).count()
    return Tally(sum(given.values()), students, given)


def bars(level: Level, given: Mapping[Answer, int]) -> tuple[list[Bar], int]:
    """Each choice with how often it was chosen; without choices each answer that was given, the most frequent
    first, and how many answers are not among those shown."""
    total = max(1, sum(given.values()))

    def bar(answer: Answer, times: int, is_right: bool) -> Bar:
        return Bar(replace(level, rights=(answer,)), times, 100 * times // total, is_right)

    nothing = frozenset[str]()
    if level.widget in (CHOICES, HANDS, CLAIMS):
        found = [
            bar(
                item,
                sum(n for answer, n in given.items() if item <= answer),
                any(item <= right for right in level.rights),
            )
            for item in (frozenset({offer.value}) for offer in level.offers)
        ]
        if nothing in given or level.many:
            found.append(bar(nothing, given.get(nothing, 0), level.is_right(nothing)))
        return found, 0
    ordered = sorted(given.items(), key=lambda item: (-item[1], sorted(item[0])))
    shown = [bar(answer, count, level.is_right(answer)) for answer, count in ordered[:_MOST_BARS]]
    return shown, sum(count for _, count in ordered[_MOST_BARS:])


# The teacher's pages


@require_http_methods(["GET", "HEAD", "POST"])
@readable
def boards(request: Request, classroom: int) -> HttpResponse:
    """What can be asked, and what was; posted, asks it."""
    me = access.teacher_of(request, classroom)
    is_archived = me.classroom.archived is not None
    chosen, form = "", None
    if request.method == "POST":
        if is_archived:
            return _archived(request, me)
        chosen = request.POST.get("make", "")
        if chosen not in WAYS:
            raise Http404
        form = _form(me.classroom, chosen, request.POST)
        if form.is_valid():
            return _opened(request, me, form)
    ways = [] if is_archived else WAYS
    forms = {way: form if form and way == chosen else _form(me.classroom, way) for way in ways}
    right = Count("attempts", filter=Q(attempts__is_right=True, attempts__classroom=F("classroom")))
    answers = Count("attempts", filter=Q(attempts__at__isnull=False, attempts__classroom=F("classroom")))
    rows = Paginator(
        me.classroom.boards.annotate(answers=answers, right=right).order_by("-opened", "-pk"), _A_PAGE
    ).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "chosen": chosen,
        "forms": forms,
        "rows": rows,
        "boards": [(row, rules.rulesets().get(row.game)) for row in rows],
    }
    return page(request, me, "boards", context, here="class-boards")


def _form(classroom: Classroom, way: str, data: Any = None) -> Asking:
    return WAYS[way](data, classroom=classroom, stock=stock(), auto_id=f"{way}-%s")


def _archived(request: Request, me: Member) -> HttpResponse:
    said = gettext("This class is archived: nothing in it is changed any more.")
    return see(request, "class-boards", me.classroom_id, said=said)


def _opened(request: Request, me: Member, form: Asking) -> HttpResponse:
    """Leads to a new board, with how it was chosen in the address: the next is to be like it."""
    board = open_board(me.classroom, form.fields_of_board, timezone.now())
    response = see(request, "class-board", me.classroom_id, board.pk)
    make = {name: form.cleaned_data[name] for name in MAKE if name in form.cleaned_data}
    if make:
        response["Location"] += f"?{urlencode(make)}"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@readable
def board(request: Request, classroom: int, board: int) -> HttpResponse:
    """A board for the projector; posted, stops the answers, shows the solution or closes it."""
    me = access.teacher_of(request, classroom)
    found = access.board_of(me.classroom, board)
    if request.method == "POST":
        return _acted(request, me, found)
    tally, state = tally_of(found), state_of(found)
    version = f"{state}.{tally.answers}.{tally.students}"
    if wants_part(request):
        seen = request.GET.get("seen", "")
        if seen == version:
            return own(HttpResponse(status=204))
        if seen.partition(".")[0] != state:  # stopped or shown from elsewhere
            return own(HttpResponse(status=STOP_POLLING, headers={"HX-Refresh": "true"}))
    puzzle = asked(found)
    context: dict[str, Any] = {
        "board": found,
        "state": state,
        "tally": tally,
        "version": version,
        "address": reverse("class-board", args=[classroom, board]),
    }
    if puzzle is not None:
        context |= _shown(puzzle, tally, state)
    if wants_part(request):
        return own(render(request, "classes/_board_tally.html", {**context, "is_part": True}))
    answer_at = request.build_absolute_uri(reverse("class-live", args=[classroom]))
    context |= {
        "answer_at": answer_at,
        "qr": cards.qr(answer_at, gettext("QR code: opens the page for answering")),
        "make": _alike(found) | {name: request.GET[name] for name in MAKE if name in request.GET},
    }
    return page(request, me, "board", context, here="class-boards")


def _alike(board: Board) -> dict[str, Any]:
    """What asks for a fresh question like a board's: of its kind and about its rule, where that is asked so.

    Where the rule is the answer, about any.
    """
    able = runs.topics(board.classroom.played(board.game), stock()).get(board.topic, ())
    is_about_it = board.kind in able and not KINDS[board.kind].tells_topic
    about = f"{board.game}:{board.topic if is_about_it else ''}"
    return {"about": about, "kind": board.kind, "level": board.level}


def _shown(puzzle: Puzzle, tally: Tally, state: str) -> dict[str, Any]:
    """What the projector shows of a question."""
    level, solution = puzzle.level, tries.shown(puzzle.level)
    shown, left = bars(level, tally.given)
    return {
        "puzzle": puzzle,
        "level": level,
        "game": puzzle.game,
        "step": Step(),
        "untried": tries.UNTRIED,
        # Elsewhere what is to be looked at stands in the question, or in the choices alone.
        "has_widget": level.widget not in (CHOICES, KEYS, SWAP, NUMBERS),
        "bars": shown,
        "left": left,
        "attempt": solution,
        "others": asking.others(level, solution) if state == SHOWN else [],
    }


def _acted(request: Request, me: Member, board: Board) -> HttpResponse:
    if me.classroom.archived is not None:
        return _archived(request, me)
    do, now = request.POST.get("do", ""), timezone.now()
    if do == "close":
        stop(board, now)
        said = gettext("The board is closed. Its solution can still be shown: open it below.")
        return see(request, "class-boards", me.classroom_id, said="" if board.revealed else said)
    if do == "stop":
        stop(board, now)
    elif do == "show":
        show(board, now)
    else:
        raise Http404
    response = see(request, "class-board", me.classroom_id, board.pk)
    if request.GET:
        response["Location"] += f"?{request.GET.urlencode()}"
    return response


# The students' page


@dataclass(frozen=True)
class OnBoard(Place):
    """A question that the class is asked together. member: who answers it."""

    is_handed_in: ClassVar[bool] = True

    board: Board
    member: Member

    @property
    def has_hints(self) -> bool:
        """None: everybody answers for themselves."""
        return False

    @property
    def is_sealed(self) -> bool:
        """Until the teacher shows the solution."""
        return self.board.revealed is None

    @property
    def slot(self) -> str:
        """The board."""
        return f"board:{self.board.pk}"

    @property
    def address(self) -> str:
        """The one page where students answer whatever is asked."""
        return reverse("class-live", args=[self.board.classroom_id])

    def row(self) -> dict[str, Any]:
        """The class and its board, locked until the transaction ends: what is shown is told to all who have
        answered. Raises StoppedError, Http404 for whoever is not in the class any more."""
        open = Board.objects.select_for_update().filter(pk=self.board.pk, closed=None)
        if not open.exists():
            raise StoppedError
        if not Member.objects.filter(pk=self.member.pk, left=None, classroom__archived=None).exists():
            raise Http404
        return {"classroom": self.board.classroom, "board": self.board, "visible": SEALED}

    def context(self, now: datetime, *, is_answered: bool) -> Mapping[str, Any]:
        """The class; what follows comes by itself."""
        return {"classroom": self.board.classroom, "told": SEALED}


@csrf_exempt  # the question's form is the same everywhere and holds no token; from_own_page sees to it
@require_http_methods(["GET", "HEAD", "POST"])
@readable
@from_own_page
def live(request: Request, classroom: int) -> HttpResponse:
    """What a student is asked on the live board, as it stands; posted, an answer."""
    me = access.member_of(request, classroom)
    if me.is_teacher:
        return see(request, "class-boards", classroom)
    found = current(me.classroom, timezone.now())
    is_posted = request.method == "POST"
    if not is_posted and wants_part(request) and request.GET.get("seen") == _version(me, found):
        return own(HttpResponse(status=204))
    puzzle = asked(found) if found else None
    if found is None or puzzle is None:
        return _shown_to(request, me, found)
    place = OnBoard(puzzle, found, me)
    if is_posted and found.closed is None:
        try:
            return asking.posted(request, place)
        except StoppedError:
            found.refresh_from_db(fields=["closed", "revealed"])
    kept = Attempt.objects.filter(learner=me.learner_id, slot=place.slot).first()
    now = asking.asked(place, kept)
    if is_posted and not now.is_answered:
        now = now._replace(said=_STOPPED)
    return _shown_to(request, me, found, now)


def _version(me: Member, board: Board | None) -> str:
    """What a student's page shows, apart from their answer, which they see at once."""
    return f"{_state(me, board)}.{board.pk if board else 0}"


def _state(me: Member, board: Board | None) -> str:
    if board is not None:
        return state_of(board)
    return WAITING if me.classroom.archived is None else ARCHIVED


def _shown_to(request: Request, me: Member, board: Board | None, now: Asked | None = None) -> HttpResponse:
    """A student's page, or the part of it that changes. now: the question, None where there is none."""
    is_part = wants_part(request)
    context: dict[str, Any] = {
        "classroom": me.classroom,
        "state": _state(me, board),
        "version": _version(me, board),
        "is_part": is_part,
        "query": "",
    }
    if now is not None:
        is_answerable = now.is_answered or context["state"] == OPEN
        if not is_answerable and context["state"] == SHOWN:
            now = Asked(now.place, tries.shown(now.puzzle.level), said=now.said, again=True)
        context |= {**asking.context_of(now), "is_answerable": is_answerable}
    template = "classes/_board_answer.html" if is_part else "classes/board_answer.html"
    status = STOP_POLLING if is_part and context["state"] == ARCHIVED else 200
    return own(render(request, template, context, status=status))


urls: list[URLPattern] = [
    path("<int:classroom>/live/", boards, name="class-boards"),
    path("<int:classroom>/live/now/", live, name="class-live"),
    path("<int:classroom>/live/<int:board>/", board, name="class-board"),
]
