"""What the answers of one learner come to: how well each rule is known, how practice went, and a rating.

The database counts; what is loaded is one row for each rule and kind, for each day, and the last answers that
make the rating. Nothing here knows the time: it is told what now is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import (
    Case,
    Count,
    DateField,
    F,
    Func,
    IntegerField,
    QuerySet,
    Sum,
    Value,
    When,
    Window,
)
from django.db.models.functions import RowNumber

from tutor.practice import traces
from tutor.practice.answering import SHOWN
from tutor.practice.models import Archived, Attempt, Card, told
from tutor.practice.runs import CLOCK, CLOCK_SECONDS
from tutor.practice.traces import Trace

LAST = 10  # answers that say how well a rule is known
WEEKS = 12
RATED = 2_000  # answers that make the rating
START = 1_000
STEP = 24  # the most that one answer moves a rating by
SETTLED = 30  # answers after which a rating says something


class Standing(NamedTuple):
    """How well a rule is known, asked in one kind of question.

    level: of the last question. answers: how many there are. counted: how many of them count, the last 10 at
    most. right: how many of those are right without help.
    """

    game: str
    topic: str
    kind: str
    level: int
    answers: int
    counted: int
    right: int

    @property
    def percent(self) -> int:
        """The share that is right."""
        return percent(self.right, self.counted)


class Day(NamedTuple):
    """A day with answers. right: with help or without. alone: without. seconds: the median, None where
    nobody knows."""

    day: date
    answers: int
    right: int
    alone: int
    seconds: float | None = None

    @property
    def percent(self) -> int:
        """The share that is right, with help or without."""
        return percent(self.right, self.answers)


class Practised(NamedTuple):
    """On how many days there were answers. current: of those in a row up to the last, 0 once a whole day
    has passed without any. longest: the most there ever were in a row. is_today: whether today is one."""

    days: int
    current: int
    longest: int
    is_today: bool


class Rating(NamedTuple):
    """A rating, and how many answers made it."""

    value: int
    answers: int

    @property
    def is_settled(self) -> bool:
        """Whether enough answers made it to say something."""
        return self.answers >= SETTLED


class Record(NamedTuple):
    """All that the answers come to. since: the day of the first. standings: by game, the weakest first. days:
    of the last twelve weeks, those with answers. row: the most right answers in a row without help. clock:
    the most right answers in time of one round, None without such a round. ratings: by game, None where they
    were not asked for."""

    since: date
    answers: int
    standings: Mapping[str, list[Standing]]
    days: list[Day]
    practised: Practised
    row: int
    clock: int | None
    ratings: Mapping[str, Rating] | None


class _InUTC(Func):
    """The day of a time, in UTC: what SQLite keeps, and a few times faster there than Django's own
    function."""

    function = "DATE"
    output_field = DateField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(
            compiler, connection, template="(%(expressions)s AT TIME ZONE 'UTC')::date", **context
        )


def _one_if(**conditions: Any) -> Case:
    return Case(When(**conditions, then=Value(1)), default=Value(0), output_field=IntegerField())


_ALONE = _one_if(is_right=True, help=0)
_RIGHT = _one_if(is_right=True, help__lt=SHOWN)
_DAY = _InUTC("at")


def record(learner_id: int, now: datetime, *, with_ratings: bool = True) -> Record | None:
    """What a learner's answers come to, None where there is none yet."""
    answers = Attempt.objects.filter(
        told(now), learner_id=learner_id, at__isnull=False, is_right__isnull=False, at__lte=now
    )
    today = now.astimezone(UTC).date()
    start = first_day(today)
    seconds = _medians(answers.filter(at__gte=datetime.combine(start, datetime.min.time(), UTC)))
    clock = _best_clock(answers)
    ratings: Mapping[str, Rating] | None = None
    if archived := list(Archived.objects.filter(learner=learner_id)):
        # What is in archives no database can count: then everything is counted here, in one go.
        every = traces.in_order(answers, archived)
        all_days, standings, row = _days_of(every), _standings_of(every), _longest_row_of(every)
        clock = max(filter(None, (clock, *(one.clock for one in archived))), default=None)
        if with_ratings:
            ratings = rated((one.game, one.level, one.is_right, one.help) for one in every[-RATED:])
    else:
        all_days, standings, row = _days(answers), _standings(answers), _longest_row(answers)
        ratings = _ratings(answers) if with_ratings else None
    if not all_days:
        return None
    return Record(
        all_days[0].day,
        sum(day.answers for day in all_days),
        standings,
        [day._replace(seconds=seconds.get(day.day)) for day in all_days if day.day >= start],
        practised([day.day for day in all_days], today),
        row,
        clock,
        ratings,
    )


def due(learner_id: int, now: datetime) -> int:
    """How many reviews are due."""
    return Card.objects.filter(learner_id=learner_id, due__lte=now).count()


def first_day(today: date) -> date:
    """The first of the days in the last twelve weeks, of which today is the last."""
    return today - timedelta(days=7 * WEEKS - 1)


def percent(part: int, whole: int) -> int:
    """A share in percent; 0 and 100 are said of none and all alone."""
    if part in (0, whole):
        return 100 if part else 0
    return min(99, max(1, round(100 * part / whole)))


def practised(days: list[date], today: date) -> Practised:
    """How often somebody practised. days: those with answers, in order. A row lasts until a day has
    passed."""
    longest = length = 0
    last = None
    for day in days:
        length = length + 1 if last is not None and day - last == timedelta(days=1) else 1
        longest = max(longest, length)
        last = day
    lasts = last is not None and today - last <= timedelta(days=1)
    return Practised(len(days), length if lasts else 0, longest, last == today)


def rated(answers: Iterable[tuple[str, int, bool, int]]) -> dict[str, Rating]:
    """The rating in each game after answers in order: game, level, whether it is right, help."""
    values: dict[str, float] = {}
    counts: dict[str, int] = {}
    for game, level, is_right, helped in answers:
        value = values.get(game, float(START))
        expected = 1 / (1 + 10 ** ((worth(level) - value) / 400))
        gained = 0.0 if not is_right or helped >= SHOWN else 0.5 if helped else 1.0
        values[game] = value + STEP * (gained - expected)
        counts[game] = counts.get(game, 0) + 1
    return {game: Rating(round(value), counts[game]) for game, value in values.items()}


def worth(level: int) -> int:
    """What a question of a level counts, as if it were a player."""
    return START + 200 * (level - 1)


def _standings(answers: QuerySet[Attempt]) -> dict[str, list[Standing]]:
    group = [F("game"), F("topic"), F("kind")]
    numbered = answers.annotate(
        alone=_ALONE,
        back=Window(RowNumber(), partition_by=group, order_by=[F("at").desc(), F("pk").desc()]),
    ).values("game", "topic", "kind", "level", "alone", "back")
    rows = _select(
        "game, topic, kind, MAX(CASE WHEN back = 1 THEN level END), COUNT(*),"
        f" SUM(CASE WHEN back <= {LAST} THEN alone ELSE 0 END)",
        numbered,
        "GROUP BY game, topic, kind",
    )
    found: dict[str, list[Standing]] = {}
    for game, topic, kind, level, count, right in rows:
        row = Standing(game, topic, kind, level, count, min(count, LAST), right)
        found.setdefault(game, []).append(row)
    return _weakest_first(found)


def _weakest_first(found: dict[str, list[Standing]]) -> dict[str, list[Standing]]:
    for of_game in found.values():
        # Of two that are as weak, the one of which more is known.
        of_game.sort(key=lambda row: (row.right / row.counted, -row.answers, row.topic, row.kind))
    return found


def _days(answers: QuerySet[Attempt]) -> list[Day]:
    rows = (
        answers.annotate(day=_DAY)
        .values("day")
        .annotate(count=Count("pk"), right=Sum(_RIGHT), alone=Sum(_ALONE))
        .order_by("day")
    )
    return [Day(*row) for row in rows.values_list("day", "count", "right", "alone")]


def _medians(answers: QuerySet[Attempt]) -> dict[date, float]:
    """The median of the seconds of each day: the one in the middle, or between the two that are."""
    rows = (
        answers.filter(seconds__isnull=False)
        .annotate(
            day=_DAY,
            nth=Window(RowNumber(), partition_by=_DAY, order_by=[F("seconds"), F("pk")]),
            count=Window(Count("*"), partition_by=_DAY),
            off=F("nth") * 2 - F("count"),
        )
        .filter(off__gte=0, off__lte=2)
        .values_list("day", "seconds")
    )
    middle: dict[date, list[int]] = {}
    for day, seconds in rows:
        middle.setdefault(day, []).append(seconds or 0)
    return {day: sum(found) / len(found) for day, found in middle.items()}


def _longest_row(answers: QuerySet[Attempt]) -> int:
    """The most answers in a row that are right without help: those that have as many others before them."""
    numbered = answers.annotate(
        alone=_ALONE, others=Window(Sum(1 - _ALONE), order_by=[F("at"), F("pk")])
    ).values("alone", "others")
    rows = _select("SUM(alone) AS length", numbered, "GROUP BY others ORDER BY length DESC LIMIT 1")
    return rows[0][0] if rows else 0


def _select(what: str, numbered: QuerySet[Any, Any], how: str) -> list[tuple[Any, ...]]:
    """Rows counted from rows that a window has numbered, for which Django itself has no words."""
    inner, parameters = numbered.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {what} FROM ({inner}) AS numbered {how}", parameters)  # noqa: S608 - no input
        return cursor.fetchall()


def _best_clock(answers: QuerySet[Attempt]) -> int | None:
    in_time = _one_if(
        is_right=True, help__lt=SHOWN, at__lte=F("run__started") + timedelta(seconds=CLOCK_SECONDS)
    )
    rounds = answers.filter(run__mode=CLOCK).values("run").annotate(right=Sum(in_time)).order_by("-right")
    return rounds.values_list("right", flat=True).first()


def _ratings(answers: QuerySet[Attempt]) -> dict[str, Rating]:
    last = answers.order_by("-at", "-pk").values_list("game", "level", "is_right", "help")[:RATED]
    return rated((game, level, bool(is_right), helped) for game, level, is_right, helped in reversed(last))


# The same from traces, for whom some answers are in archives


def _is_alone(answer: Trace) -> bool:
    return answer.is_right and not answer.help


def _standings_of(answers: Iterable[Trace]) -> dict[str, list[Standing]]:
    by_rule: dict[tuple[str, str, str], list[Trace]] = {}
    for one in answers:
        by_rule.setdefault(one.rule, []).append(one)
    found: dict[str, list[Standing]] = {}
    for (game, topic, kind), own in by_rule.items():
        last = own[-LAST:]
        row = Standing(game, topic, kind, own[-1].level, len(own), len(last), sum(map(_is_alone, last)))
        found.setdefault(game, []).append(row)
    return _weakest_first(found)


def _days_of(answers: Iterable[Trace]) -> list[Day]:
    found: dict[date, list[Trace]] = {}
    for one in answers:
        found.setdefault(one.at.astimezone(UTC).date(), []).append(one)
    return [
        Day(day, len(own), sum(one.is_right and one.help < SHOWN for one in own), sum(map(_is_alone, own)))
        for day, own in sorted(found.items())
    ]


def _longest_row_of(answers: Iterable[Trace]) -> int:
    rows = (sum(1 for _ in row) for is_alone, row in groupby(answers, _is_alone) if is_alone)
    return max(rows, default=0)
