"""The page that says how somebody's practice goes, with what they can switch on it: the rating, reviews."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, timedelta
from itertools import islice
from typing import Any, NamedTuple

from django.db import transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

import rules
from rules import Ruleset, Text
from tutor.content.build import pages_of
from tutor.content.shelf import Shelf, shelf
from tutor.people import learners
from tutor.practice import record as records
from tutor.practice import reviews
from tutor.practice.record import Day, Rating, Record, Standing
from tutor.practice.runs import CLOCK_SECONDS, RULE
from tutor.puzzles.hands import LEVELS
from tutor.puzzles.kinds import KINDS
from tutor.requests import Request, readable
from tutor.rulebook import addresses

WEAKEST = 3
SHOWN = 10  # rows of a table before the rest has to be opened
LONGEST_SECONDS = 300  # a median above is drawn at the edge, or one long break would flatten all others


@never_cache
@require_safe
@readable
def progress(request: Request) -> HttpResponse:
    """How somebody's practice goes; where there was none yet, what to do for a start."""
    learner = learners.found(request)
    now = timezone.now()
    found = records.record(learner.pk, now, with_ratings=not learner.hides_rating) if learner else None
    context: dict[str, Any] = {"query": "", "learner": learner, "record": found}
    if learner and found:
        context |= {
            "games": _games(found, shelf()),
            "charts": charts(found.days, now.astimezone(UTC).date()),
            "days": found.days[::-1],
            "due": records.due(learner.pk, now),
            "last": records.LAST,
            "rated": records.RATED,
            "step": records.STEP,
            "clock_minutes": CLOCK_SECONDS // 60,
            "longest": LONGEST_SECONDS,
            "rule": RULE,
        }
    return render(request, "practice/progress.html", context)


@never_cache
@require_POST
def rating(request: Request) -> HttpResponse:
    """Hides somebody's rating or shows it again, as `hide` says (1 or 0), else what it is not."""
    with transaction.atomic():
        learner = learners.locked(request)
        if learner:
            learner.hides_rating = _wanted(request, "hide", learner.hides_rating)
            learner.save(update_fields=["hides_rating"])
    return _see("rating")


@never_cache
@require_POST
def switch_reviews(request: Request) -> HttpResponse:
    """Switches somebody's reviews on or off, as `on` says (1 or 0), else to what they are not."""
    with transaction.atomic():
        learner = learners.locked(request)
        if learner:
            were_on, learner.reviews = learner.reviews, _wanted(request, "on", learner.reviews)
            learner.save(update_fields=["reviews"])
            if learner.reviews and not were_on:
                reviews.rebuild(learner)
            elif were_on and not learner.reviews:
                reviews.clear(learner)
    return _see("reviews")


def _wanted(request: Request, name: str, is_now: bool) -> bool:
    return {"1": True, "0": False}.get(request.POST.get(name, ""), not is_now)


def _see(place: str) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('progress')}#{place}", status=303)


# How well each rule is known


class Row(NamedTuple):
    """A rule in one kind of question. name, kind: in words, or as they are kept, where there is no such any
    more. address: of the rule's page, "" without one."""

    standing: Standing
    name: Text
    kind: Text
    address: str


class Game(NamedTuple):
    """What is known of one game. weakest: what there is to practise."""

    key: str
    name: Text
    weakest: list[Row]
    rows: list[Row]
    rating: Rating | None

    @property
    def first(self) -> list[Row]:
        """The rows that are seen at once."""
        return self.rows if len(self.rows) <= SHOWN + 2 else self.rows[:SHOWN]

    @property
    def others(self) -> list[Row]:
        """The rows to be opened."""
        return self.rows[len(self.first) :]


def _games(found: Record, stock: Shelf) -> list[Game]:
    known = rules.rulesets()
    keys = [key for key in known if key in found.standings]
    keys += sorted(key for key in found.standings if key not in known)
    return [_game(key, known.get(key), found, stock) for key in keys]


def _game(key: str, game: Ruleset | None, found: Record, stock: Shelf) -> Game:
    pages = pages_of(game) if game else {}
    rows = []
    for standing in found.standings[key]:
        entry, kind = pages.get(standing.topic), KINDS.get(standing.kind)
        rows.append(
            Row(
                standing,
                entry.name if entry else _as_kept(standing.topic),
                kind.name if kind else _as_kept(standing.kind),
                addresses.of_rule(f"{key}/{standing.topic}") if entry else "",
            )
        )
    weak = (
        row for row in rows if game and row.standing.percent < 100 and _can_ask(game, row.standing, stock)
    )
    name = game.name if game else _as_kept(key)
    return Game(key, name, list(islice(weak, WEAKEST)), rows, (found.ratings or {}).get(key))


def _as_kept(key: str) -> Text:
    return Text(key, key)


def _can_ask(game: Ruleset, standing: Standing, stock: Shelf) -> bool:
    """Whether there are questions of that kind about that rule, made by chance."""
    kind = KINDS.get(standing.kind)
    return kind is not None and any(standing.topic in kind.topics(game, stock, level) for level in LEVELS)


# Twelve weeks drawn: a day is three units wide

LEFT, TOP, HEIGHT, DAY_WIDTH = 40, 10, 80, 3
BOTTOM = TOP + HEIGHT
RIGHT = LEFT + DAY_WIDTH * 7 * records.WEEKS


class Line(NamedTuple):
    """A line across a chart, with what it stands for."""

    y: int
    label: str


class Month(NamedTuple):
    """Where a month begins."""

    x: int
    day: date


class Chart(NamedTuple):
    """One of the drawings, as paths. key: what it shows. is_bars: solid and rest are bars, the right answers
    and the others; else dots are days and the line leads from one to the next. over: days that would be
    above the edge."""

    key: str
    lines: list[Line]
    months: list[Month]
    is_bars: bool = False
    solid: str = ""
    rest: str = ""
    dots: str = ""
    over: str = ""
    line: str = ""
    least: int = 0
    most: int = 0
    all: int = 0
    right: int = 0

    @property
    def percent(self) -> int:
        """The share of all answers that is right."""
        return records.percent(self.right, self.all)


def charts(days: Sequence[Day], today: date) -> list[Chart]:
    """Answers per day, the share that is right, and seconds an answer, over the last twelve weeks."""
    if not days:
        return []
    start = records.first_day(today)
    months = _months(start, today)

    def middle(day: Day) -> float:
        return LEFT + DAY_WIDTH * (day.day - start).days + DAY_WIDTH / 2

    most = _even(max(day.answers for day in days))
    solid = [(middle(day), 0.0, day.right / most) for day in days if day.right]
    rest = [(middle(day), day.right / most, day.answers / most) for day in days if day.right < day.answers]
    every, right = sum(day.answers for day in days), sum(day.right for day in days)
    share = [(middle(day), day.right / day.answers) for day in days]
    found = [
        Chart("answers", _lines(most), months, True, solid=_bars(solid), rest=_bars(rest), all=every),
        Chart(
            "share", _lines(100, "%"), months, dots=_dots(share), line=_line(share), all=every, right=right
        ),
    ]
    timed = [(middle(day), day.seconds) for day in days if day.seconds is not None]
    if timed:
        values = [seconds for _, seconds in timed]
        edge = min(_even(max(values)), LONGEST_SECONDS)
        heights = [(x, min(1.0, seconds / edge)) for x, seconds in timed]
        found.append(
            Chart(
                "pace",
                _lines(edge),
                months,
                dots=_dots([at for at, value in zip(heights, values, strict=True) if value <= edge]),
                over=_tips(at for at, value in zip(heights, values, strict=True) if value > edge),
                line=_line(heights),
                least=round(min(values)),
                most=round(max(values)),
            )
        )
    return found


def _even(most: float) -> int:
    """The next round number that a scale can end with, and that has a half."""
    scale = 1
    while True:
        for step in (2, 4, 6, 10):
            if step * scale >= most:
                return step * scale
        scale *= 10


def _lines(most: int, unit: str = "") -> list[Line]:
    return [Line(BOTTOM - HEIGHT * n // 2, f"{most * n // 2}{unit}") for n in range(3)]


def _months(start: date, today: date) -> list[Month]:
    """The first days of months, as far as there is room for their names."""
    days = [start + timedelta(days=n) for n in range((today - start).days + 1)]
    firsts = [Month(LEFT + DAY_WIDTH * n, day) for n, day in enumerate(days) if day.day == 1]
    return [month for month in firsts if month.x <= RIGHT - 24]


def _y(share: float) -> str:
    return f"{BOTTOM - HEIGHT * share:.4g}"


def _bars(bars: Iterable[tuple[float, float, float]]) -> str:
    return "".join(f"M{x:g} {_y(low)}V{_y(high)}" for x, low, high in bars)


def _dots(points: Iterable[tuple[float, float]]) -> str:
    """Lines without length, which round ends make dots."""
    return "".join(f"M{x:g} {_y(share)}h0" for x, share in points)


def _tips(points: Iterable[tuple[float, float]]) -> str:
    return "".join(f"M{x - 3:g} {TOP + 3}l3 -6l3 6z" for x, _ in points)


def _line(points: Sequence[tuple[float, float]]) -> str:
    return "".join(f"{'L' if n else 'M'}{x:g} {_y(share)}" for n, (x, share) in enumerate(points))
