"""What teachers see of a class: the grid, a student, a question, what goes wrong, the activity.

Each page and its file show the same rows, in the same order; only pages are cut into parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.core.paginator import InvalidPage, Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, pgettext
from django.views.decorators.http import require_safe

from rules import Text
from tutor import answers
from tutor.checker.templatetags.tiles import words
from tutor.classes import access, csvs, handing, results, tables
from tutor.classes.models import Assignment, Classroom, Member, Part
from tutor.classes.pages import page
from tutor.classes.results import NAME, TOTAL, Cell, Given, Grid, Line, Rule, Tally, Window
from tutor.classes.windows import WEEK, WINDOWS, Days, preset
from tutor.content.levels import BIRDS, CLAIMS, HANDS, ROW, WALL
from tutor.lessons.tries import UNTRIED, Try
from tutor.practice import runs
from tutor.practice.asking import Step, own
from tutor.practice.models import Attempt
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import Puzzle
from tutor.puzzles.stock import stock
from tutor.requests import Request, readable, refusal

PAGE = 50  # answers on a page
WEAKEST = 5  # rules that a set is made from unless others are ticked
OFFERED = 12  # rules that can be ticked
CSV = "csv"


def _wants_file(request: Request) -> bool:
    """Whether a table is asked for as a file. Raises Http404 for any other format."""
    asked = request.GET.get("format", "")
    if asked not in ("", CSV):
        raise Http404
    return asked == CSV


def _file(classroom: Classroom, what: str, plain: str, table: tables.Table) -> HttpResponse:
    """A table as a file. what: what it holds, in words; plain: in ASCII."""
    title = f"{classroom.name} {what}"
    return own(csvs.response(title, f"{plain}-{classroom.pk}", *table, classroom.zone))


def _as_file(request: Request) -> str:
    """The address of the same table as a file."""
    query = request.GET.copy()
    query.pop("page", None)
    query["format"] = CSV
    return f"?{query.urlencode()}"


def _cut(request: Request, rows: Sequence[Any] | QuerySet[Any]) -> Page[Any]:
    """The part of some rows that is asked for. Raises Http404 where there is none such."""
    try:
        return Paginator(rows, PAGE).page(request.GET.get("page", "1"))
    except InvalidPage:
        raise Http404 from None


# The grid


@require_safe
@readable
def grid(request: Request, classroom: int) -> HttpResponse:
    """Students and assignments, with every result."""
    return _grid(request, classroom, as_file=_wants_file(request))


def _grid(request: Request, classroom: int, *, as_file: bool) -> HttpResponse:
    me = access.teacher_of(request, classroom)
    sort, down = request.GET.get("sort", NAME), request.GET.get("desc", "")
    try:
        found = results.grid(me.classroom, timezone.now(), sort, down=down == "1")
    except KeyError:
        error = answers.bad_request(
            "The table can't be sorted by this: the assignment may have been deleted.",
            "不能按这一项排序：这份作业可能已经删了。",
        )
        return refusal(request, error, 400)
    if as_file:
        return _file(me.classroom, pgettext("pages of a class", "Results"), "results", tables.of_grid(found))
    context = {
        "grid": found,
        "heads": [_head(me.classroom, column, sort, down) for column in found.columns],
        "rows": _rows(me.classroom, found),
        "by_name": _order(NAME, sort, down),
        "by_total": _order(TOTAL, sort, down),
        "idle": [line.student for line in found.lines if not line.is_begun],
        "as_file": f"{reverse('class-grid-csv', args=[classroom])}?{request.GET.urlencode()}".rstrip("?"),
    }
    return page(request, me, "grid", context, here="class-grid")


class Order(NamedTuple):
    """A link that sorts. is: "ascending" or "descending" where the table is sorted so, else ""."""

    query: str
    now: str


def _order(key: str, sort: str, down: str) -> Order:
    """The order by a column: numbers from the highest, names from the first, then the other way round."""
    if key != sort:
        return Order(urlencode({"sort": key} | ({} if key == NAME else {"desc": 1})), "")
    query = {"sort": key} if down == "1" else {"sort": key, "desc": 1}
    return Order(urlencode(query), "descending" if down == "1" else "ascending")


class Head(NamedTuple):
    """The head of an assignment's column. questions: the address of its first question, "" without any."""

    title: str
    order: Order
    questions: str


def _head(classroom: Classroom, column: results.Column, sort: str, down: str) -> Head:
    one, first = column.assignment, column.first
    address = reverse("class-answers", args=[classroom.pk, one.pk, first.pk, 1]) if first else ""
    return Head(one.title, _order(f"a{one.pk}", sort, down), address)


def _rows(classroom: Classroom, found: Grid) -> list[SafeString]:
    """The lines of the grid as markup, each in one piece: a template would take a second for ten thousand."""
    cell = cache(partial(_cell, _marks()))
    return [_row(classroom, line, cell) for line in found.lines]


def _row(classroom: Classroom, line: Line, cell: Callable[[Cell], str]) -> SafeString:
    head = format_html(
        '<tr><th scope="row"><a href="{}">{}</a></th>',
        reverse("class-student", args=[classroom.pk, line.student.key]),
        line.student.name,
    )
    total = f"<td><b>{line.total}%</b></td>" if line.is_begun and line.total is not None else "<td>–</td>"
    cells = "".join([cell(one) for one in line.cells])
    return mark_safe(f"{head}{cells}{total}</tr>")  # noqa: S308 - numbers, and words escaped in _marks


def _marks() -> dict[str, str]:
    """The marks of a cell as markup, with what they mean for those who hear it."""
    told = {
        "passed": ("✓", pgettext("an assignment", "passed")),
        "failed": ("✕", pgettext("an assignment", "not passed")),
        "late": (pgettext("a mark in the grid", "L"), gettext("some answers late")),
        "over": ("!", pgettext("an assignment", "overdue")),
        "more": ("+", gettext("has more time")),
    }
    return {
        key: f' <b class="is-{key}" role="img" aria-label="{escape(meaning)}" title="{escape(meaning)}">'
        f"{escape(mark)}</b>"
        for key, (mark, meaning) in told.items()
    }


def _cell(marks: Mapping[str, str], cell: Cell) -> str:
    result = cell.result
    if result.is_done:
        said = f"{result.percent}%"
    elif result.done:
        said = f"{result.done}/{result.of}"
    else:
        said = "–"
    passed = cell.is_passed
    if passed is not None:
        said += marks["passed" if passed else "failed"]
    if result.late:
        said += marks["late"]
    if cell.is_over and not result.is_done and result.of:
        said += marks["over"]
    if cell.extended:
        said += marks["more"]
    return f"<td>{said}</td>"


@require_safe
@readable
def grid_csv(request: Request, classroom: int) -> HttpResponse:
    """The same as a file."""
    return _grid(request, classroom, as_file=True)


# One student


@require_safe
@readable
def student(request: Request, classroom: int, member: int) -> HttpResponse:
    """One student: what came of each assignment, what goes wrong, what was answered last."""
    me = access.teacher_of(request, classroom)
    who = access.other_of(me.classroom, member)
    if who.is_teacher:
        raise Http404
    rows = results.assignments_of(who, timezone.now())
    answered = results.answered_by(who)
    if _wants_file(request):
        if request.GET.get("of") == "answers":
            what = tables.titled(who.name, pgettext("a heading", "Answers"))
            return _file(me.classroom, what, "answers", tables.of_answers(answered))
        return _file(
            me.classroom,
            tables.titled(who.name, pgettext("pages of a class", "Results")),
            "student",
            tables.of_student(rows),
        )
    weak = results.weakest(results.rules_of(results.judged_in(me.classroom).filter(learner=who.learner_id)))
    shown = _cut(request, answered)
    context = {
        "student": who,
        "rows": [(row, cell, tables.finished(row)) for row, cell in rows],
        "weak": [(one, _about(me.classroom, one.rule, one.kind)) for one in weak[:WEAKEST]],
        "shown": shown,
        "answers": [(one, tables.where(one), _place_of(me.classroom, who, one)) for one in shown],
    }
    return page(request, me, "student", context, here="class-grid")


def _place_of(classroom: Classroom, who: Member, attempt: Attempt) -> str:
    """Where an answer is shown with the question."""
    asked = attempt.asked
    if asked is None:
        return reverse("class-boards", args=[classroom.pk])
    address = reverse(
        "class-answers", args=[classroom.pk, asked.part.assignment_id, asked.part_id, asked.number]
    )
    again = f"-{attempt.work.number}" if attempt.work and attempt.work.number > 1 else ""
    return f"{address}#m{who.pk}{again}"


# One question


@require_safe
@readable
def question_answers(
    request: Request, classroom: int, assignment: int, part: int, number: int
) -> HttpResponse:
    """A question of an assignment with all answers to it: alike ones together, or, of a set that is different
    for each, each student's own question."""
    me = access.teacher_of(request, classroom)
    given = access.assignment_of(me.classroom, assignment)
    places = results.questions_in(given)
    at = next((n for n, (one, of) in enumerate(places) if (one.pk, of) == (part, number)), None)
    if at is None:
        raise Http404
    of_part = places[at][0]
    is_own = handing.is_own_for_each(of_part)
    kept = None if is_own else results.question_of(of_part, number)
    if kept is None and not is_own:
        raise Http404
    found = results.answers_to(me.classroom, of_part, number)
    if _wants_file(request):
        every = results.given(found, me.classroom)
        if not is_own:
            every = [one for group in results.same(every) for one in group.all]
        what = tables.titled(given.title, gettext("Question %(n)s") % {"n": at + 1})
        return _file(me.classroom, what, "answers", tables.of_question(every))
    context = {
        "assignment": given,
        "number": at + 1,
        "length": len(places),
        "is_own": is_own,
        "asked": kept and Posed(results.as_asked(kept, me.classroom), UNTRIED, "question"),
        "before": _address_of(me.classroom, given, places, at - 1),
        "after": _address_of(me.classroom, given, places, at + 1),
        "as_file": _as_file(request),
        **(_own_ones(request, me, found) if is_own else _alike_ones(request, me, found)),
    }
    return page(request, me, "question_answers", context, here="class-grid")


class Posed(NamedTuple):
    """A question on a page of several. slug: what its fields are named after."""

    puzzle: Puzzle | None
    tried: Try
    slug: str

    @property
    def step(self) -> Step:
        """As the ways to answer want it."""
        return Step(self.slug)

    @property
    def is_drawn(self) -> bool:
        """Whether the way to answer shows what the question is about."""
        return self.puzzle is not None and self.puzzle.level.widget in _DRAWN


# What is answered by pointing at what the question shows.
_DRAWN = (ROW, HANDS, CLAIMS, WALL, BIRDS)


class Answered(NamedTuple):
    """An answer with its question, on a page of several."""

    question: Posed
    given: Given


def _answered(found: Iterable[Attempt], classroom: Classroom) -> list[Answered]:
    return [
        Answered(Posed(one.puzzle, Try(one.answer), f"q{one.attempt.pk}"), one)
        for one in results.given(found, classroom)
    ]


def _own_ones(request: Request, me: Member, found: Sequence[Attempt]) -> dict[str, Any]:
    shown = _cut(request, found)
    return {"shown": shown, "answers": _answered(shown, me.classroom), "count": len(found)}


def _alike_ones(request: Request, me: Member, found: Iterable[Attempt]) -> dict[str, Any]:
    every = results.given(found, me.classroom)
    shown = _cut(request, results.same(every))
    return {"shown": shown, "groups": list(shown), "count": len(every)}


def _address_of(
    classroom: Classroom, assignment: Assignment, places: Sequence[tuple[Part, int]], at: int
) -> str:
    """The page of an assignment's question at a place among all, "" where there is none."""
    if not 0 <= at < len(places):
        return ""
    part, number = places[at]
    return reverse("class-answers", args=[classroom.pk, assignment.pk, part.pk, number])


# What goes wrong


@require_safe
@readable
def wrong(request: Request, classroom: int) -> HttpResponse:
    """Rules and kinds of questions, with the share of answers that is wrong."""
    me = access.teacher_of(request, classroom)
    every = results.rules_of(results.judged_in(me.classroom))
    games = list(dict.fromkeys(rule.game for rule in every))
    game = request.GET.get("game", "")
    if game and game not in games and game not in me.classroom.games:
        raise Http404
    found = [rule for rule in every if game in ("", rule.game)]
    if _wants_file(request):
        return _file(
            me.classroom, pgettext("pages of a class", "What goes wrong"), "wrong", tables.of_wrong(found)
        )
    kinds = results.kinds_in(found)
    said = gettext("%(share)s%% of %(n)s")
    context = {
        "kinds": [(kind, results.kind_words(kind)) for kind in kinds],
        "rules": [(rule, _shares(me.classroom, rule, kinds, said)) for rule in found],
        "games": {key: results.game_words(key) for key in sorted(games)} if len(games) > 1 else {},
        "game": game,
        "sets": [] if me.classroom.archived else _sets(me.classroom, found),
        "as_file": _as_file(request),
    }
    return page(request, me, "map", context, here="class-map")


def _about(classroom: Classroom, rule: Rule, kind: str) -> str:
    """The answers about a rule in one kind of question."""
    return reverse("class-map-answers", args=[classroom.pk, rule.game, rule.topic, kind])


class Share(NamedTuple):
    """A cell of the map. said: the share and of how many. address: of the answers, "" for all kinds."""

    tally: Tally
    said: str
    address: str = ""


def _shares(classroom: Classroom, rule: Rule, kinds: Iterable[str], said: str) -> list[Share | None]:
    """A rule's cells, first that of all kinds. said: how they are told."""
    cells: list[Share | None] = [Share(rule.all, _share(said, rule.all))]
    for kind in kinds:
        tally = rule.kinds.get(kind)
        address = _about(classroom, rule, kind) if tally else ""
        cells.append(Share(tally, _share(said, tally), address) if tally else None)
    return cells


def _share(said: str, tally: Tally) -> str:
    return said % {"share": tally.percent, "n": tally.answers}


class Offered(NamedTuple):
    """What a set of a game can be made from. topics, kinds: each with its name, and whether it is ticked."""

    game: str
    name: str
    topics: list[tuple[str, Text, bool]]
    kinds: list[tuple[str, str, bool]]


def _sets(classroom: Classroom, found: Iterable[Rule]) -> list[Offered]:
    """For each game the weakest rules that can be asked, of which the first few are ticked."""
    made = []
    for key, game in classroom.games.items():
        able: list[tuple[Rule, tuple[str, ...]]] = []
        for rule in found:
            if rule.game == key and rule.all.wrong and len(able) < OFFERED:
                kinds = runs.kinds_about(game, rule.topic, stock())
                able += [(rule, kinds)] if kinds else []
        ticked = [rule for rule, _ in able[:WEAKEST]]
        missed = {kind for rule in ticked for kind, tally in rule.kinds.items() if tally.wrong}
        askable = {kind for _, kinds in able for kind in kinds}
        topics = [(rule.topic, rule.name, rule in ticked) for rule, _ in able]
        kinds_of = [(kind, results.kind_words(kind), kind in missed) for kind in KINDS if kind in askable]
        if topics:
            made.append(Offered(key, words(game.name), topics, kinds_of))
    return made


@require_safe
@readable
def wrong_answers(request: Request, classroom: int, game: str, topic: str, kind: str) -> HttpResponse:
    """The answers about a rule in one kind of question, wrong ones first."""
    me = access.teacher_of(request, classroom)
    found = results.answers_about(me.classroom, game, topic, kind)
    shown = _cut(request, found)
    if not shown.paginator.count:
        raise Http404
    wrong = found.filter(is_right=False).count()
    context = {
        "rule": results.topic_words(game, topic),
        "address": results.topic_address(game, topic),
        "kind": results.kind_words(kind),
        "game_name": results.game_words(game),
        "tally": Tally(shown.paginator.count, wrong),
        "shown": shown,
        "answers": _answered(shown, me.classroom),
    }
    return page(request, me, "map_answers", context, here="class-map")


# Activity


@require_safe
@readable
def activity(request: Request, classroom: int) -> HttpResponse:
    """What each student did within some days."""
    me = access.teacher_of(request, classroom)
    key = "" if {"from", "to"} & set(request.GET) else request.GET.get("window", WEEK)
    window = None
    if key:
        window = _preset(me.classroom, key)
        form = Days({"from": window.first, "to": window.last})
    else:
        form = Days(request.GET)
        if form.is_valid():
            window = Window(form.cleaned_data["from"], form.cleaned_data["to"], me.classroom.zone)
    rows = results.activity(me.classroom, window) if window else []
    if window and _wants_file(request):
        activity = pgettext("pages of a class", "Activity")  # in braces it would not be collected
        what = f"{activity} {window.first} – {window.last}"
        return _file(me.classroom, what, f"activity-{window.first}-{window.last}", tables.of_activity(rows))
    context = {
        "form": form,
        "window": window,
        "windows": [(one, name, one == key) for one, (name, _) in WINDOWS.items()],
        "rows": rows,
        "as_file": _as_file(request),
    }
    return page(request, me, "activity", context, here="class-activity", status=200 if window else 400)


def _preset(classroom: Classroom, key: str) -> Window:
    """The days that go by a word. Raises Http404."""
    try:
        return preset(classroom, key, timezone.now().astimezone(classroom.zone).date())
    except KeyError:
        raise Http404 from None


urls: list[URLPattern] = [
    path("<int:classroom>/results/", grid, name="class-grid"),
    path("<int:classroom>/results.csv", grid_csv, name="class-grid-csv"),
    path("<int:classroom>/students/<int:member>/", student, name="class-student"),
    path(
        "<int:classroom>/assignments/<int:assignment>/questions/<int:part>/<int:number>/",
        question_answers,
        name="class-answers",
    ),
    path("<int:classroom>/wrong/", wrong, name="class-map"),
    path(
        "<int:classroom>/wrong/<slug:game>/<path:topic>/<slug:kind>/", wrong_answers, name="class-map-answers"
    ),
    path("<int:classroom>/activity/", activity, name="class-activity"),
]
