"""What answers come to: counted by the database, and here once more by hand."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from itertools import groupby, takewhile
from random import Random
from statistics import median

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tutor.people.models import Learner
from tutor.practice import record as records
from tutor.practice.models import Attempt, Card, Run
from tutor.practice.record import Day, Practised, Rating, Record, Standing

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
TODAY = NOW.date()
PAIR, SHAPE = "win/pair-258", "win/shape"


@pytest.fixture
def learner(db: None) -> Learner:
    return Learner.objects.create()


def answer(
    learner: Learner,
    is_right: bool | None = True,
    *,
    at: datetime | None = NOW,
    game: str = "changsha",
    topic: str = PAIR,
    kind: str = "can-win",
    level: int = 2,
    helped: int = 0,
    seconds: int | None = None,
    run: Run | None = None,
) -> Attempt:
    """An answer, not stored yet."""
    made = Attempt(learner=learner, game=game, topic=topic, kind=kind, level=level, run=run)
    made.is_right, made.at, made.help, made.seconds = is_right, at, helped, seconds
    made.question, made.puzzle, made.form, made.answer = {"hand": "11m"}, "x", "x", ["no"]
    return made


def store(answers: Iterable[Attempt]) -> None:
    """Stores answers in this order, each in a slot of its own."""
    first = Attempt.objects.count()
    made = list(answers)
    for n, attempt in enumerate(made, first):
        attempt.slot = f"slot {n}"
    Attempt.objects.bulk_create(made, batch_size=200)


def minutes(*told: bool | int) -> list[tuple[bool, int, datetime]]:
    """Answers a minute apart, the last of them now: True or False, or the help with which they are right."""
    return [
        (told_one is not False, told_one if not isinstance(told_one, bool) else 0, NOW - timedelta(minutes=n))
        for n, told_one in zip(range(len(told) - 1, -1, -1), told, strict=True)
    ]


def of(learner: Learner, *, now: datetime = NOW, with_ratings: bool = True) -> Record:
    found = records.record(learner.pk, now, with_ratings=with_ratings)
    assert found is not None
    return found


def give(learner: Learner, *told: bool | int) -> Record:
    """What these answers come to, given a minute apart."""
    store(answer(learner, is_right, helped=helped, at=at) for is_right, helped, at in minutes(*told))
    return of(learner)


# Who has answered nothing, and what is no answer


def test_of_nothing_there_is_no_record(learner: Learner) -> None:
    assert records.record(learner.pk, NOW) is None


def test_a_question_without_an_answer_is_no_answer(learner: Learner) -> None:
    store([answer(learner, None, at=None, helped=2), answer(learner, None)])
    assert records.record(learner.pk, NOW) is None


def test_what_others_answered_does_not_count(learner: Learner) -> None:
    other = Learner.objects.create(merged_into=learner)
    store([answer(other), answer(other, False)])
    assert records.record(learner.pk, NOW) is None
    give(learner, True)
    found = of(learner)
    assert (found.answers, found.row, found.practised.days) == (1, 1, 1)
    assert of(other).answers == 2


def test_what_comes_after_now_does_not_count(learner: Learner) -> None:
    store([answer(learner), answer(learner, at=NOW + timedelta(seconds=1))])
    assert of(learner).answers == 1


# How well a rule is known


def test_a_rule_is_known_by_its_last_ten_answers(learner: Learner) -> None:
    found = give(learner, *[False] * 15, *[True] * 7, *[False] * 3)
    assert found.standings == {"changsha": [Standing("changsha", PAIR, "can-win", 2, 25, 10, 7)]}
    assert found.standings["changsha"][0].percent == 70


def test_fewer_than_ten_answers_count_all(learner: Learner) -> None:
    (row,) = give(learner, True, False, True).standings["changsha"]
    assert (row.answers, row.counted, row.right, row.percent) == (3, 3, 2, 67)


@pytest.mark.parametrize("helped", [1, 2, 3, 4])
def test_with_help_a_rule_is_not_known_yet(learner: Learner, helped: int) -> None:
    (row,) = give(learner, True, helped).standings["changsha"]
    assert (row.counted, row.right) == (2, 1)


def test_rules_kinds_and_games_stand_apart_the_weakest_first(learner: Learner) -> None:
    store(
        [
            answer(learner, True),
            answer(learner, False, kind="why-not"),
            answer(learner, True, topic=SHAPE),
            answer(learner, False, topic=SHAPE),
            answer(learner, False, topic=SHAPE, game="changchun"),
            *[answer(learner, False, topic="pattern/qidui", kind="score") for _ in range(3)],
        ]
    )
    found = of(learner).standings
    assert [(row.topic, row.kind) for row in found["changsha"]] == [
        ("pattern/qidui", "score"),  # as weak as the next, and more is known of it
        (PAIR, "why-not"),
        (SHAPE, "can-win"),
        (PAIR, "can-win"),
    ]
    assert [(row.topic, row.right) for row in found["changchun"]] == [(SHAPE, 0)]


def test_a_rule_is_practised_at_the_level_of_its_last_question(learner: Learner) -> None:
    times = [NOW - timedelta(minutes=n) for n in (1, 3, 2)]
    store(answer(learner, level=level, at=at) for level, at in zip((4, 1, 2), times, strict=True))
    assert of(learner).standings["changsha"][0].level == 4


def test_of_answers_at_one_moment_the_one_stored_later_is_the_later(learner: Learner) -> None:
    store([answer(learner, False, level=1), answer(learner, level=5)])
    assert of(learner).standings["changsha"][0].level == 5


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [(0, 10, 0), (10, 10, 100), (1, 3, 33), (999, 1000, 99), (1, 1000, 1), (1, 2, 50)],
)
def test_only_all_is_100_percent_and_only_none_is_0(part: int, whole: int, said: int) -> None:
    assert records.percent(part, whole) == said


# Days


def test_a_day_counts_answers_right_ones_and_the_median_of_seconds(learner: Learner) -> None:
    told = [(True, 0, 5), (True, 2, 9), (True, 4, 100), (False, 0, 7), (False, 1, None)]
    store(answer(learner, is_right, helped=helped, seconds=s) for is_right, helped, s in told)
    assert of(learner).days == [Day(TODAY, 5, 2, 1, 8.0)]


def test_a_day_whose_seconds_nobody_knows_has_none(learner: Learner) -> None:
    assert give(learner, True).days[0].seconds is None


def test_days_are_counted_in_utc(learner: Learner) -> None:
    times = ["2026-11-28T23:59:59.999999+00:00", "2026-11-29T00:00:00+00:00", "2026-11-29T04:00:00+08:00"]
    store(answer(learner, at=datetime.fromisoformat(time)) for time in times)
    assert [(day.day.day, day.answers) for day in of(learner).days] == [(28, 2), (29, 1)]


def test_the_last_twelve_weeks_are_shown_and_all_answers_counted(learner: Learner) -> None:
    ages = (0, 83, 84, 300)
    store(answer(learner, at=NOW - timedelta(days=n), seconds=n) for n in ages)
    found = of(learner)
    assert [(TODAY - day.day).days for day in found.days] == [83, 0]
    assert found.since == TODAY - timedelta(days=300)
    assert (found.answers, found.practised.days) == (4, 4)


@pytest.mark.parametrize(
    ("ages", "expected"),
    [
        ([], Practised(0, 0, 0, False)),
        ([0], Practised(1, 1, 1, True)),
        ([1], Practised(1, 1, 1, False)),
        ([2], Practised(1, 0, 1, False)),
        ([2, 1, 0], Practised(3, 3, 3, True)),
        ([9, 8, 7, 6, 3, 1, 0], Practised(7, 2, 4, True)),
        ([9, 8, 7, 6, 3, 2], Practised(6, 0, 4, False)),
    ],
)
def test_days_in_a_row_last_until_a_whole_day_has_passed(ages: list[int], expected: Practised) -> None:
    assert records.practised([TODAY - timedelta(days=n) for n in ages], TODAY) == expected


def test_days_in_a_row_go_on_over_the_end_of_a_year() -> None:
    days = [date(2026, 12, 31), date(2027, 1, 1)]
    assert records.practised(days, date(2027, 1, 2)) == Practised(2, 2, 2, False)


# Rows and rounds


@pytest.mark.parametrize(
    ("told", "length"),
    [
        ([False], 0),
        ([True], 1),
        ([True, True, False, True, True, True], 3),
        ([True, True, True, False, True], 3),
        ([True, 1, True, True], 2),
        ([2, 4, 1], 0),
        ([True, 4, True], 1),
    ],
)
def test_a_row_of_right_answers_ends_with_a_wrong_one_or_help(
    learner: Learner, told: list[bool | int], length: int
) -> None:
    assert give(learner, *told).row == length


def a_round(learner: Learner, mode: str, *told: tuple[bool, int, float]) -> Run:
    """A round: whether each answer was right, with which help, and after how many seconds."""
    run = Run.objects.create(
        learner=learner, mode=mode, game="changsha", seed=1, started=NOW - timedelta(hours=1)
    )
    store(
        answer(learner, is_right, helped=helped, at=run.started + timedelta(seconds=after), run=run)
        for is_right, helped, after in told
    )
    return run


def test_against_the_clock_counts_what_was_right_in_time(learner: Learner) -> None:
    a_round(
        learner, "clock", (True, 0, 10), (False, 0, 20), (True, 0, 180), (True, 0, 180.001), (True, 4, 30)
    )
    assert of(learner).clock == 2
    a_round(learner, "clock", *[(True, 0, n) for n in range(1, 6)])
    a_round(learner, "clock", (True, 0, 5))
    a_round(learner, "quick", *[(True, 0, n) for n in range(20)])
    assert of(learner).clock == 5


def test_without_a_round_against_the_clock_there_is_no_best(learner: Learner) -> None:
    a_round(learner, "quick", (True, 0, 5))
    assert of(learner).clock is None
    a_round(learner, "clock", (False, 0, 5))
    assert of(learner).clock == 0


# The rating


def test_levels_count_as_players_do() -> None:
    assert [records.worth(level) for level in range(1, 6)] == [1000, 1200, 1400, 1600, 1800]


@pytest.mark.parametrize(
    ("level", "is_right", "helped", "value"),
    [
        (1, True, 0, 1012),
        (1, False, 0, 988),
        (1, True, 1, 1000),
        (1, True, 4, 988),
        (5, True, 0, 1024),
        (5, True, 3, 1012),
        (5, False, 0, 1000),
    ],
)
def test_an_answer_moves_the_rating_as_in_chess(level: int, is_right: bool, helped: int, value: int) -> None:
    assert records.rated([("changsha", level, is_right, helped)]) == {"changsha": Rating(value, 1)}


def test_whoever_gets_half_of_a_level_right_is_rated_like_it() -> None:
    answers = [("changsha", 4, n % 2 == 0, 0) for n in range(600)]
    assert records.rated(answers)["changsha"].value == pytest.approx(1600, abs=15)


def test_each_game_has_a_rating_made_in_order(learner: Learner) -> None:
    wins = [answer(learner, level=3, at=NOW - timedelta(minutes=n)) for n in range(3)]
    store([*wins, answer(learner, False, at=NOW - timedelta(hours=2)), answer(learner, game="changchun")])
    expected = records.rated([("changsha", 2, False, 0), *[("changsha", 3, True, 0)] * 3])
    found = of(learner).ratings
    assert found == {**expected, "changchun": records.rated([("changchun", 2, True, 0)])["changchun"]}
    assert not found["changsha"].is_settled


def test_the_rating_comes_from_the_last_answers_alone(
    learner: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "RATED", 3)
    found = give(learner, *[False] * 5, True, True, True).ratings
    assert found == records.rated([("changsha", 2, True, 0)] * 3)


def test_a_rating_nobody_asks_for_is_not_worked_out(learner: Learner) -> None:
    give(learner, True)
    with CaptureQueriesContext(connection) as asked:
        assert of(learner, with_ratings=False).ratings is None
    assert not [query for query in asked if str(records.RATED) in query["sql"]]


# Reviews


def test_reviews_that_are_due_are_counted(learner: Learner) -> None:
    for n, due in enumerate((NOW - timedelta(days=3), NOW, NOW + timedelta(seconds=1))):
        Card.objects.create(
            learner=learner, game="changsha", topic=f"win/{n}", kind="waits", state={}, due=due, missed=NOW
        )
    assert records.due(learner.pk, NOW) == 2
    assert records.due(Learner.objects.create().pk, NOW) == 0


# All of it against a plain count


def by_hand(answers: list[Attempt]) -> Record:
    """The same, from all answers in memory."""
    answers = sorted((a for a in answers if a.at), key=lambda a: (a.at, a.pk))
    alone = [bool(a.is_right) and a.help == 0 for a in answers]
    groups: dict[tuple[str, str, str], list[Attempt]] = {}
    for a in answers:
        groups.setdefault((a.game, a.topic, a.kind), []).append(a)
    standings: dict[str, list[Standing]] = {}
    for key, group in groups.items():
        last = group[-10:]
        right = sum(a.is_right and a.help == 0 for a in last)
        standings.setdefault(key[0], []).append(Standing(*key, group[-1].level, len(group), len(last), right))
    for rows in standings.values():
        rows.sort(key=lambda row: (row.right / row.counted, -row.answers, row.topic, row.kind))
    days = []
    for day, of_day in groupby(answers, key=lambda a: a.at.date()):
        told = list(of_day)
        seconds = [a.seconds for a in told if a.seconds is not None]
        days.append(
            Day(
                day,
                len(told),
                sum(a.is_right and a.help < 4 for a in told),
                sum(a.is_right and a.help == 0 for a in told),
                median(seconds) if seconds else None,
            )
        )
    clock: dict[int, int] = {}
    for a in answers:
        if a.run and a.run.mode == "clock":
            is_counted = a.is_right and a.help < 4 and a.at - a.run.started <= timedelta(minutes=3)
            clock[a.run.pk] = clock.get(a.run.pk, 0) + bool(is_counted)
    return Record(
        answers[0].at.date(),
        len(answers),
        standings,
        [day for day in days if (TODAY - day.day).days < 84],
        records.practised([day.day for day in days], TODAY),
        max(sum(1 for _ in takewhile(bool, alone[n:])) for n in range(len(alone))),
        max(clock.values()) if clock else None,
        records.rated((a.game, a.level, a.is_right, a.help) for a in answers[-2000:]),
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_database_counts_as_one_would_by_hand(learner: Learner, seed: int) -> None:
    chance = Random(seed)
    runs = [
        Run.objects.create(
            learner=learner,
            mode=chance.choice(["clock", "quick"]),
            game="",
            seed=n,
            started=NOW - timedelta(days=chance.randrange(1, 120), seconds=chance.randrange(86400)),
        )
        for n in range(12)
    ]
    made = []
    for _ in range(300):
        run = chance.choice([None, *runs])
        start = run.started if run else NOW - timedelta(days=chance.randrange(1, 120))
        made.append(
            answer(
                learner,
                chance.random() < 0.7,
                at=start + timedelta(seconds=chance.randrange(300)),
                game=chance.choice(["changsha", "changchun"]),
                topic=chance.choice([PAIR, SHAPE, "table/claims"]),
                kind=chance.choice(["can-win", "why-not"]),
                level=chance.randint(1, 5),
                helped=chance.choice([0, 0, 0, 1, 3, 4]),
                seconds=chance.choice([None, chance.randrange(90)]),
                run=run,
            )
        )
    store(made)
    stored = list(Attempt.objects.select_related("run"))
    assert of(learner) == by_hand(stored)
