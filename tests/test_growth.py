"""The made site is sound, and what its pages ask the database does not grow with it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, models
from django.db.models import Count, F, Q
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import Resolver404, resolve
from django.utils.translation import override

from bench import growth
from bench.growth import FullError, Page, Probes, Row, fill
from tests import everything
from tests.conftest import real_content
from tests.school import client_of
from tutor.classes import handing, working
from tutor.classes.models import Assignment, Board, Classroom, Member, Question, Work
from tutor.content import load
from tutor.people import tidy
from tutor.people.models import Account, Learner, Progress, SignedIn
from tutor.practice import record, reviews
from tutor.practice.models import Attempt, Card, Run

NOW = datetime.now(UTC).replace(microsecond=0)
FEW, MANY = 9_000, 14_000  # of which the people that are measured have 8,000
ALL: tuple[type[models.Model], ...] = (
    *(Account, Learner, Progress, SignedIn, Classroom, Member, Assignment, Question, Work, Board, Run),
    *(Attempt, Card),
)


def made(answers: int, **more: Any) -> Probes | None:
    """A site, as of the same moment."""
    return fill(answers, now=NOW, **more)


@pytest.fixture
def site(shelved: None) -> None:
    """A site of 4,000 answers without the people that are measured."""
    made(4_000)


# What is made


def test_there_are_as_many_answers_as_were_asked_for(site: None) -> None:
    assert Attempt.objects.count() == 4_000
    assert (
        Attempt.objects.filter(at__isnull=False, is_right__isnull=False, answer__isnull=False).count()
        == 4_000
    )
    assert [model.__name__ for model in ALL if not model._default_manager.exists()] == []


def test_no_key_leads_nowhere_and_every_constraint_holds(site: None) -> None:
    connection.check_constraints()
    for model in ALL:
        for one in model._default_manager.order_by("pk")[::50]:
            one.full_clean(validate_unique=True, exclude=blank_in(model))
    indexes = connection.introspection.get_constraints(connection.cursor(), Attempt._meta.db_table)
    named = {one.name for one in (*Attempt._meta.indexes, *Attempt._meta.constraints)}
    assert named <= set(indexes)


def blank_in(model: type[models.Model]) -> set[str]:
    """The fields that are set without a form and may be empty or none."""
    return {
        field.name
        for field in model._meta.concrete_fields
        if isinstance(field, models.JSONField) or field.null or field.empty_strings_allowed
    }


def test_works_count_what_was_answered(site: None) -> None:
    numbers = ("answered", "right", "late", "points", "total", "finished")
    before = list(Work.objects.order_by("pk").values_list("pk", *numbers[:2], "total", "finished"))
    assert before
    for assignment in Assignment.objects.all():
        working.recount(assignment)
    assert list(Work.objects.order_by("pk").values_list("pk", *numbers[:2], "total", "finished")) == before


def test_answers_belong_to_whoever_was_asked(site: None) -> None:
    of_works = Attempt.objects.filter(work__isnull=False)
    assert of_works.exists()
    assert not of_works.exclude(learner=F("work__member__learner")).exists()
    assert not of_works.exclude(classroom=F("work__assignment__classroom")).exists()
    assert not of_works.exclude(asked__part__assignment=F("work__assignment")).exists()
    assert not Attempt.objects.filter(run__isnull=False).exclude(learner=F("run__learner")).exists()
    assert not Attempt.objects.filter(Q(at__gt=NOW) | Q(at__lt=NOW - growth.YEARS)).exists()
    keys = list(Attempt.objects.order_by("pk").values_list("at", flat=True))
    assert sum(a > b for a, b in pairwise(keys)) < len(keys) / 5  # much as they came in


def test_cards_are_those_that_follow_from_the_answers(site: None) -> None:
    before = list(Card.objects.order_by("learner", "game", "topic", "kind").values("due", "missed", "state"))
    for learner in Learner.objects.filter(reviews=True):
        reviews.rebuild(learner)
    after = Card.objects.order_by("learner", "game", "topic", "kind").values("due", "missed", "state")
    assert list(after) == before


def test_most_classes_are_small_and_a_few_answer_most(shelved: None) -> None:
    made(40_000)
    sizes = sorted(
        Member.objects.filter(is_teacher=False)
        .values("classroom")
        .annotate(n=Count("pk"))
        .values_list("n", flat=True)
    )
    assert len(sizes) >= 10
    assert sizes[len(sizes) // 2] < 45
    answers = list(
        Attempt.objects.values("learner").annotate(n=Count("pk")).order_by("-n").values_list("n", flat=True)
    )
    assert sum(answers[: len(answers) // 5]) > 0.4 * sum(answers)
    assert Learner.objects.filter(account=None).exists()
    assert Learner.objects.filter(memberships=None, attempts__isnull=False).exists()


def test_the_same_seed_makes_the_same_and_another_one_another(site: None) -> None:
    fields = ("puzzle", "is_right", "at", "seconds", "learner__memberships__name")
    before = list(Attempt.objects.order_by("pk").values_list(*fields))
    for again, seed in ((True, 1), (False, 2)):
        call_command("flush", interactive=False, verbosity=0)
        made(4_000, seed=seed)
        after = list(Attempt.objects.order_by("pk").values_list(*fields))
        assert (after == before) is again


def test_a_database_with_answers_is_left_alone_unless_more_is_said(site: None) -> None:
    with pytest.raises(FullError):
        made(500)
    assert Attempt.objects.count() == 4_000
    made(500, more=True)
    assert Attempt.objects.count() == 4_500
    connection.check_constraints()
    Learner.objects.create()  # the next keys are free
    with pytest.raises(ValueError, match="fill at least so many"):
        made(1_000, more=True, probes=True)


def test_nothing_is_untidy(site: None) -> None:
    assert tidy.tidy(NOW, dry_run=True).sessions == 0


# What is measured


def test_every_page_that_there_is_is_measured() -> None:
    """By the names of addresses: those of pages, and of files."""
    probe = growth.Probe(*range(1, 9))
    asked = [*growth._OPEN, *growth._OWN, *growth._ACCOUNT, *growth._STUDENT, *growth._TEACHER]
    real = {"WRONG": "classes/1/wrong/changsha/win/shape/waits/", "RUN": "1", "LAST": "1"}
    paths = [growth._of(re.sub("|".join(real), lambda found: real[found[0]], path), probe) for path in asked]
    found = set()
    with override("en"):
        for path in (*paths, "classes/1/judge/1/"):
            try:
                found.add(resolve(f"/en/{path.partition('?')[0]}").url_name)
            except Resolver404:
                pytest.fail(path)
    assert set(everything.names()) - found == {"embed-check", "embed-puzzle"}  # they know nobody


def queries_of(probes: Probes) -> dict[tuple[str, str], int]:
    """How many queries each page takes that is somebody's own."""
    found = {}
    for who, name, ask in growth._tasks(probes):
        if who not in ("", "the whole site"):
            with CaptureQueriesContext(connection) as queries:
                ask()
            found[who, name] = len(queries)
    return found


def test_no_page_asks_more_often_on_a_larger_site(shelved: None) -> None:
    found = []
    for answers in (FEW, MANY):
        call_command("flush", interactive=False, verbosity=0)
        load.store(real_content())
        probes = made(answers, probes=True)
        assert probes
        found.append(queries_of(probes))
    few, many = found
    for counted in found:
        del counted["learner", "an answer in a round"]  # a miss sets a review back
    assert len(few) > 100
    assert few == many


def test_sqlite_finds_the_questions_of_an_assignment_by_its_parts(site: None) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL counts rows before it chooses an index")
    given = Assignment.objects.earliest("pk")
    with CaptureQueriesContext(connection) as queries:
        assert handing.questions_of(given, None)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {queries[0]['sql']}")
        steps = [step for *_, step in cursor.fetchall()]
    assert [step.split()[1] for step in steps[:2]] == ["classes_part", "classes_question"]
    assert "(part_id=? AND work_id=?" in steps[1]


def test_pages_of_a_made_class_and_learner_open(shelved: None) -> None:
    probes = made(FEW, probes=True)
    assert probes
    room = probes.small.classroom
    teacher = client_of(Learner.objects.get(pk=probes.small.teacher))
    for path in ("", "results/", "wrong/", "activity/", "live/", f"students/{probes.small.member}/"):
        assert teacher.get(f"/en/classes/{room}/{path}").status_code == 200
    student = client_of(Learner.objects.get(pk=probes.small.student))
    assert student.get(f"/en/classes/{room}/").status_code == 200
    learner = Learner.objects.get(pk=probes.learner)
    assert client_of(learner).get("/en/progress/").status_code == 200
    assert Client().get(f"/en/classes/{room}/").status_code == 404
    kept = record.record(learner.pk, NOW)
    assert kept
    assert kept.answers == 600


# What is told of it


def page(name: str, ms: float, queries: int = 3) -> Page:
    return Page("learner", name, queries, ms)


def test_a_page_is_flat_that_takes_at_most_half_as_long_again() -> None:
    few, many = (
        [page("a", 20.0), page("b", 20.0), page("c", 2.0)],
        [page("a", 30), page("b", 30.1), page("c", 3.9)],
    )
    rows = growth.rows_of([few, many])
    assert [row.is_flat for row in rows] == [True, False, True]
    assert [row.times for row in rows] == [1.5, pytest.approx(1.505), 1.95]
    text = growth.as_text("SQLite", [10, 100], [few, many])
    assert "2 of 3 pages are flat" in text
    assert len(re.findall("NOT FLAT", text)) == 1


def test_what_one_size_has_alone_is_not_compared() -> None:
    (row,) = growth.rows_of([[], [page("a", 20.0)]])
    assert row == Row("learner", "a", [None, page("a", 20.0)])
    assert (row.times, row.is_flat) == (None, None)
