"""What a class has done, counted for its teachers: where pages and files both take their numbers from.

Of those who have left nothing is seen and nothing counts, and neither does what was answered to a question
that there is no more. Every count takes the same number of queries, however large the class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, partial
from typing import NamedTuple, cast
from zoneinfo import ZoneInfo

from django.db.models import Count, Max, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils.translation import pgettext

import rules
from rules import HandError, Text
from tutor.checker.templatetags.tiles import words
from tutor.classes import dates, handing, members, todo, working
from tutor.classes.models import CHAPTER, Assignment, Classroom, Extension, Member, Part, Question, Work
from tutor.classes.working import Result
from tutor.content.build import pages_of
from tutor.content.levels import LOOK_AGAIN, Answer, Level, Offer
from tutor.exports.quiz import item_words
from tutor.people.models import Progress
from tutor.practice.answering import SHOWN
from tutor.practice.models import Attempt
from tutor.practice.record import percent
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import NoPuzzleError, Puzzle
from tutor.rulebook import addresses

NAME, TOTAL = "name", "total"  # what the grid is sorted by, beside "a" and the key of an assignment
_NOTHING = Text("Nothing", "什么都没选")


class Student(NamedTuple):
    """Somebody in a class. key: of the member."""

    key: int
    learner: int
    name: str


def students_of(classroom: Classroom) -> list[Student]:
    """The students of a class by name."""
    found = [Student(*row) for row in _students(classroom).values_list("pk", "learner", "name")]
    return sorted(found, key=lambda one: (members.in_order(one.name), one.key))


def _students(classroom: Classroom) -> QuerySet[Member]:
    return Member.objects.filter(classroom=classroom, left=None, is_teacher=False)


def answers_of(classroom: Classroom) -> QuerySet[Attempt]:
    """What the students of a class have answered there."""
    return _asked_in(classroom).filter(at__isnull=False)


def judged_in(classroom: Classroom) -> QuerySet[Attempt]:
    """The same as far as it is right or wrong, which nothing is that was not answered: an index tells it."""
    return _asked_in(classroom).filter(is_right__isnull=False)


def _asked_in(classroom: Classroom) -> QuerySet[Attempt]:
    return Attempt.objects.filter(
        Q(asked__isnull=False) | Q(board__isnull=False),
        classroom=classroom,
        learner__in=_students(classroom).values("learner"),
    )


# The grid: students and assignments


class Column(NamedTuple):
    """An assignment. size: how many questions it asks. places: of its chapters. first: its first part with
    questions, if any. extensions: who has until when."""

    assignment: Assignment
    size: int
    places: tuple[str, ...]
    first: Part | None
    extensions: Mapping[int, datetime]


class Cell(NamedTuple):
    """A student's result. is_over: whether it is due by now. extended: until when they have more time."""

    result: Result
    is_over: bool
    extended: datetime | None

    @property
    def is_passed(self) -> bool | None:
        """Whether the pass mark is reached; None where there is none, or there is still time."""
        return self.result.is_passed if self.is_over or self.result.is_done else None


class Line(NamedTuple):
    """A student with a cell for each column. total: the percent of all points, None without any."""

    student: Student
    cells: list[Cell]
    total: int | None

    @property
    def is_begun(self) -> bool:
        """Whether anything was done."""
        return any(cell.result.done for cell in self.cells)


class Average(NamedTuple):
    """How a column stands. percent: of those who have begun, None without any.

    done: how many have finished.
    """

    percent: int | None
    begun: int
    done: int


class Grid(NamedTuple):
    """All results of a class. total: the average of the totals."""

    columns: list[Column]
    lines: list[Line]
    averages: list[Average]
    total: int | None


def grid(classroom: Classroom, now: datetime, sort: str = NAME, *, down: bool = False) -> Grid:
    """The results of all students in all that was given so far. Raises KeyError for no such order."""
    columns = _columns(classroom.assignments.filter(opens__lte=now).order_by("place", "pk"))
    orders = {NAME: -2, TOTAL: -1, **{f"a{column.assignment.pk}": n for n, column in enumerate(columns)}}
    by = orders[sort]
    works = _best_works(Work.objects.filter(assignment__classroom=classroom))
    read = _read(classroom, {place for column in columns for place in column.places})
    cell = cache(partial(_cell, columns, now))
    lines = [
        _line(student, columns, cell, works.get(student.key, {}), read.get(student.learner, frozenset()))
        for student in students_of(classroom)
    ]
    if by == orders[NAME]:
        lines = lines[::-1] if down else lines
    elif by == orders[TOTAL]:
        lines.sort(key=lambda line: (line.is_begun, line.total or 0), reverse=down)
    else:
        lines.sort(key=lambda line: _rank(line.cells[by].result), reverse=down)
    totals = [line.total for line in lines if line.total is not None and line.is_begun]
    return Grid(columns, lines, [_average(cells) for cells in _turned(lines, columns)], _mean(totals))


def _rank(result: Result) -> tuple[bool, int, int]:
    return result.done > 0, result.percent, result.done


def standing(assignment: Assignment) -> Average:
    """How an assignment stands: what the grid counts of it, also before it is there."""
    columns = _columns([assignment])
    works = _best_works(assignment.works.all())
    read = _read(assignment.classroom, set(columns[0].places))
    cell = cache(partial(_cell, columns, datetime.now(UTC)))
    lines = [
        _line(one, columns, cell, works.get(one.key, {}), read.get(one.learner, frozenset()))
        for one in students_of(assignment.classroom)
    ]
    return _average(line.cells[0] for line in lines)


def _columns(assignments: Iterable[Assignment]) -> list[Column]:
    given = list(assignments)
    parts: dict[int, list[Part]] = {}
    for part in Part.objects.filter(assignment__in=given).order_by("place", "pk"):
        parts.setdefault(part.assignment_id, []).append(part)
    extensions: dict[int, dict[int, datetime]] = {}
    for key, member, due in Extension.objects.filter(assignment__in=given, member__left=None).values_list(
        "assignment", "member", "due"
    ):
        extensions.setdefault(key, {})[member] = due
    return [
        Column(
            one,
            sum(part.size for part in parts.get(one.pk, ())),
            tuple(working.chapter_places(parts.get(one.pk, ()))),
            next((part for part in parts.get(one.pk, ()) if part.kind != CHAPTER), None),
            extensions.get(one.pk, {}),
        )
        for one in given
    ]


class _Tried(NamedTuple):
    """As much of a work as results are counted from."""

    number: int
    answered: int
    late: int
    points: int
    total: int


def _best_works(every: QuerySet[Work]) -> dict[int, dict[int, Work]]:
    """The works that count, by member and assignment. They are no models, of which thousands take long, and
    those with the same numbers are the same."""
    found: dict[int, dict[int, Work]] = {}
    made = cache(_Tried)
    rows = every.filter(member__left=None)
    for member, assignment, *numbers in rows.values_list("member", "assignment", *_Tried._fields):
        own, work = found.setdefault(member, {}), cast(Work, made(*numbers))
        own[assignment] = cast(Work, working.best((own[assignment], work))) if assignment in own else work
    return found


def _read(classroom: Classroom, places: set[str]) -> dict[int, frozenset[str]]:
    """Which of some chapters each student has read, by learner."""
    read: dict[int, set[str]] = {}
    done = Progress.objects.filter(
        learner__in=_students(classroom).values("learner"), place__in=places, is_done=True
    )
    for learner, place in done.values_list("learner", "place"):
        read.setdefault(learner, set()).add(place)
    return {learner: frozenset(own) for learner, own in read.items()}


def _line(
    student: Student,
    columns: Sequence[Column],
    cell: Callable[[int, Work | None, int, datetime | None], Cell],
    works: Mapping[int, Work],
    read: frozenset[str],
) -> Line:
    cells = [
        cell(
            n,
            works.get(column.assignment.pk),
            len(read.intersection(column.places)) if column.places else 0,
            column.extensions.get(student.key),
        )
        for n, column in enumerate(columns)
    ]
    points = sum([cell.result.points for cell in cells])
    full = sum([cell.result.full for cell in cells])
    return Line(student, cells, 100 * points // full if full else None)


def _cell(
    columns: Sequence[Column], now: datetime, n: int, work: Work | None, read: int, extended: datetime | None
) -> Cell:
    """A cell of a column. Of those with the same numbers one is enough."""
    column = columns[n]
    result = working.result_of(column.assignment, work, column.size, read, len(column.places))
    return Cell(result, dates.is_late(dates.due_of(column.assignment, extended), now), extended)


def _turned(lines: Sequence[Line], columns: Sequence[Column]) -> Iterator[list[Cell]]:
    return ([line.cells[n] for line in lines] for n in range(len(columns)))


def _average(cells: Iterable[Cell]) -> Average:
    begun = [cell.result for cell in cells if cell.result.done]
    return Average(
        _mean([result.percent for result in begun]), len(begun), sum(result.is_done for result in begun)
    )


def _mean(numbers: Sequence[int]) -> int | None:
    return round(sum(numbers) / len(numbers)) if numbers else None


# What goes wrong: rules and kinds of questions


class Tally(NamedTuple):
    """Answers about a rule in one kind of question, or in all of them."""

    answers: int
    wrong: int

    @property
    def percent(self) -> int:
        """The share that is wrong."""
        return percent(self.wrong, self.answers)

    @property
    def shade(self) -> int:
        """The same in six steps, from 0."""
        return (self.percent + 19) // 20


class Rule(NamedTuple):
    """A rule with its tallies by kind. address: of its page, "" where there is no such rule any more."""

    game: str
    topic: str
    name: Text
    address: str
    kinds: Mapping[str, Tally]
    all: Tally

    @property
    def game_name(self) -> str:
        """What its game is called, in the active language."""
        return game_words(self.game)


def rules_of(judged: QuerySet[Attempt]) -> list[Rule]:
    """How some answers went, rule by rule, the weakest first. One query."""
    rows = judged.values_list("game", "topic", "kind").annotate(
        answers=Count("*"), wrong=Count("is_right", filter=Q(is_right=False))
    )
    found: dict[tuple[str, str], dict[str, Tally]] = {}
    for game, topic, kind, count, wrong in rows:
        found.setdefault((game, topic), {})[kind] = Tally(count, wrong)
    told = [_rule(game, topic, kinds) for (game, topic), kinds in found.items()]
    return sorted(told, key=lambda rule: (*_weakness(rule.all), rule.game, rule.topic))


def _rule(game: str, topic: str, kinds: Mapping[str, Tally]) -> Rule:
    every = Tally(sum(one.answers for one in kinds.values()), sum(one.wrong for one in kinds.values()))
    return Rule(game, topic, topic_words(game, topic), topic_address(game, topic), kinds, every)


def topic_words(game: str, topic: str) -> Text:
    """The name of a rule; its key where there is none such any more."""
    return pages_of(rules.rulesets()[game])[topic].name if _is_page(game, topic) else Text(topic, topic)


def topic_address(game: str, topic: str) -> str:
    """The page of a rule, "" where there is none such any more."""
    return addresses.of_rule(f"{game}/{topic}") if _is_page(game, topic) else ""


def _is_page(game: str, topic: str) -> bool:
    played = rules.rulesets().get(game)
    return played is not None and topic in pages_of(played)


def _weakness(tally: Tally) -> tuple[float, int]:
    return -tally.wrong / tally.answers, -tally.answers


class Weak(NamedTuple):
    """A rule asked in one kind of question."""

    rule: Rule
    kind: str
    tally: Tally


def weakest(found: Iterable[Rule]) -> list[Weak]:
    """Rules by kind of question that something went wrong with, the weakest first."""
    every = [Weak(rule, kind, tally) for rule in found for kind, tally in rule.kinds.items() if tally.wrong]
    return sorted(every, key=lambda weak: (*_weakness(weak.tally), weak.rule.topic, weak.kind))


def kinds_in(found: Iterable[Rule]) -> list[str]:
    """The kinds of questions that were asked, in their usual order."""
    asked = {kind for rule in found for kind in rule.kinds}
    return [kind for kind in KINDS if kind in asked] + sorted(asked - set(KINDS))


def kind_words(kind: str) -> str:
    """The name of a kind of question in the active language; its key where there is none such any more."""
    return words(KINDS[kind].name) if kind in KINDS else kind


def game_words(game: str) -> str:
    """The name of a game in the active language; its key where there is none such any more."""
    found = rules.rulesets().get(game)
    return words(found.name) if found else game


# Answers, one by one


class Given(NamedTuple):
    """An answer that a student gave. puzzle: the question as the class plays now, None where it can't be
    asked any more. number: which try of theirs it was in, None on a board."""

    student: Student
    attempt: Attempt
    puzzle: Puzzle | None
    number: int | None

    @property
    def answer(self) -> Answer:
        """What was chosen."""
        return frozenset(self.attempt.answer or ())

    @property
    def is_shown(self) -> bool:
        """Whether the solution was looked at instead."""
        return bool(self.attempt.help == SHOWN)

    @property
    def chosen(self) -> Level | None:
        """The question as if what was chosen were right, for templates that show what is."""
        level = self.puzzle.level if self.puzzle else None
        return replace(level, rights=(self.answer,)) if level and _is_offered(level, self.answer) else None

    @property
    def said(self) -> str:
        """What was chosen, in words."""
        return answer_words(self.puzzle.level if self.puzzle else None, self.answer)

    @property
    def reasons(self) -> tuple[Text, ...]:
        """Why it is wrong; () where it is not, or the engine has nothing to say."""
        level = self.puzzle.level if self.puzzle else None
        if level is None or self.is_shown or self.attempt.is_right is not False:
            return ()
        if level.is_right(self.answer) or not _is_offered(level, self.answer):
            return ()
        return tuple(say for say in level.why_wrong(self.answer) if say is not LOOK_AGAIN)


def _is_offered(level: Level, answer: Answer) -> bool:
    """Whether an answer can be given to a question as it is asked now."""
    return not level.offers or answer <= {offer.value for offer in level.offers}


class Same(NamedTuple):
    """One answer to a question, with all who gave it."""

    first: Given
    all: list[Given]


def answers_to(classroom: Classroom, part: Part, number: int) -> list[Attempt]:
    """All answers to a question of an assignment, by name and try; of a set that is different for each, to
    the questions in one place of it."""
    found = _with_questions(answers_of(classroom).filter(asked__part=part, asked__number=number))
    return sorted(found.select_related("work__member").order_by("work__number", "pk"), key=_by_name)


def _by_name(attempt: Attempt) -> tuple[bytes, int]:
    member = attempt.work.member if attempt.work else None
    return (members.in_order(member.name), member.pk) if member else (b"", 0)


def answers_about(classroom: Classroom, game: str, topic: str, kind: str) -> QuerySet[Attempt]:
    """All answers about a rule in one kind of question: wrong ones first, then the latest."""
    found = judged_in(classroom).filter(game=game, topic=topic, kind=kind)
    return _with_questions(found).order_by("is_right", "-at", "-pk")


def _with_questions(found: QuerySet[Attempt]) -> QuerySet[Attempt]:
    return found.select_related("asked", "board", "work")


def same(every: Iterable[Given]) -> list[Same]:
    """Answers to one question, alike ones together: the most frequent first."""
    found: dict[tuple[Answer, bool, bool | None], list[Given]] = {}
    for one in every:
        found.setdefault((one.answer, one.is_shown, one.attempt.is_right), []).append(one)
    return sorted((Same(all[0], all) for all in found.values()), key=lambda one: -len(one.all))


def given(found: Iterable[Attempt], classroom: Classroom) -> list[Given]:
    """Answers with who gave them and the questions, each of which is made once."""
    students = {student.learner: student for student in students_of(classroom)}
    puzzles: dict[tuple[int | None, int | None], Puzzle | None] = {}
    every = []
    for attempt in found:
        key = (attempt.asked_id, attempt.board_id)
        kept = attempt.asked or attempt.board
        if key not in puzzles:
            puzzles[key] = as_asked(kept, classroom) if kept else None
        number = attempt.work.number if attempt.work else None
        every.append(Given(students[attempt.learner_id], attempt, puzzles[key], number))
    return every


def as_asked(kept: handing.Kept, classroom: Classroom) -> Puzzle | None:
    """A kept question as the class plays now, None where it can't be asked any more."""
    try:
        return handing.asked_by(kept, classroom)
    except NoPuzzleError:
        return None


def questions_in(assignment: Assignment) -> list[tuple[Part, int]]:
    """All questions of an assignment in order, each as its part and its number there."""
    parts = assignment.parts.exclude(kind=CHAPTER).order_by("place", "pk")
    return [(part, number) for part in parts for number in range(1, part.size + 1)]


def question_of(part: Part, number: int) -> Question | None:
    """The question that all are asked in one place of a part, None where each has another."""
    return Question.objects.filter(part=part, work=None, number=number).first()


def answer_words(level: Level | None, items: Iterable[str]) -> str:
    """An answer in words of the active language; items that the question doesn't know stay as they are."""
    chosen = sorted(items)
    if not chosen:
        return words(_NOTHING)
    if level is None:
        return " ".join(chosen)
    offers = {offer.value: offer for offer in level.offers}
    comma = pgettext("between the parts of a total", ", ")
    return comma.join(_item_words(level, item, offers.get(item)) for item in chosen)


def _item_words(level: Level, item: str, offer: Offer | None) -> str:
    try:
        return item_words(level, item, offer, with_codes=False)
    except (HandError, LookupError, ValueError):
        return item


# One student


def assignments_of(student: Member, now: datetime) -> list[tuple[todo.Row, Cell]]:
    """How far a student is in all that was given so far, with the grid's cell for it."""
    rows = [row for row in todo.rows_of(student, now) if row.state != dates.COMING]
    return [
        (
            row,
            Cell(
                row.result,
                row.state in (dates.OVERDUE, dates.CLOSED),
                row.due if row.due != row.assignment.due else None,
            ),
        )
        for row in rows
    ]


def answered_by(student: Member) -> QuerySet[Attempt]:
    """What a student has answered in the class, the latest first."""
    found = answers_of(student.classroom).filter(learner=student.learner_id)
    return found.select_related("asked__part__assignment", "work").order_by("-at", "-pk")


# Activity


class Window(NamedTuple):
    """Days, the first and the last of them included, as a class counts them."""

    first: date
    last: date
    zone: ZoneInfo

    @property
    def start(self) -> datetime:
        """When it begins."""
        return _midnight(self.first, self.zone)

    @property
    def end(self) -> datetime:
        """When it is over."""
        return _midnight(self.last + timedelta(days=1), self.zone)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    """When a day begins; where the clocks skip midnight, when they do."""
    return datetime.combine(day, time.min, tzinfo=zone)


class Activity(NamedTuple):
    """What a student did. seconds: all together, as far as they are known. days: how many had an answer.
    seen: their last answer in the class ever, None for none."""

    student: Student
    answers: int = 0
    right: int = 0
    seconds: int = 0
    days: int = 0
    seen: datetime | None = None

    @property
    def minutes(self) -> int:
        """The time it took, to the next full minute."""
        return -(-self.seconds // 60)


def activity(classroom: Classroom, window: Window) -> list[Activity]:
    """What each student did in class work within some days, by name."""
    every = answers_of(classroom).order_by()
    seen = dict(every.values_list("learner").annotate(seen=Max("at")))
    within = every.filter(at__gte=window.start, at__lt=window.end)
    counts: dict[int, tuple[int, int, int, int]] = {
        learner: (count, right, spent, days)
        for learner, count, right, spent, days in within.values_list("learner").annotate(
            answers=Count("pk"),
            rights=Count("pk", filter=Q(is_right=True)),
            spent=Sum("seconds", default=0),
            days=Count(TruncDate("at", tzinfo=window.zone), distinct=True),
        )
    }
    return [
        Activity(student, *counts.get(student.learner, (0, 0, 0, 0)), seen.get(student.learner))
        for student in students_of(classroom)
    ]
