"""What a teacher's pages of a large class take: whole requests, with the queries that each makes.

The class has 200 students, 50 assignments and 200,000 answers, in a PostgreSQL of its own where one is
installed, else in SQLite. PostgreSQL is started for the while of the measurement, in a temporary folder that
nothing but its own socket leads to; it refuses to run as root, so root hands it to its own user.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from bench import environment, postgres

ROOT = Path(__file__).parents[1]
LIMIT = 150.0  # ms
STUDENTS, ASSIGNMENTS, QUESTIONS = 200, 50, 20
_WARM, _REQUESTS = 3, 40
_BATCH = 5_000


@dataclass(frozen=True)
class Page:
    """A page with the ms that half of all requests take at most, and those of all but one in twenty."""

    page: str
    queries: int
    middle: float
    late: float

    @property
    def met(self) -> bool:
        """Whether the goal is met by half of all requests."""
        return self.middle < LIMIT


@dataclass(frozen=True)
class Measured:
    """The pages, and the database that they were measured with."""

    database: str
    pages: list[Page]


def measured() -> Measured:
    """A large class made anew and its pages asked for, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder, _database(Path(folder)) as (name, url):
        done = subprocess.run(
            [sys.executable, "-m", "bench.classes"],
            cwd=ROOT,
            env=environment(folder, url),
            capture_output=True,
            text=True,
            check=True,
        )
    return Measured(name, [Page(*row) for row in json.loads(done.stdout)])


@contextmanager
def _database(folder: Path) -> Iterator[tuple[str, str]]:
    """A database of its own: its name and its address."""
    if postgres.programs() is None:
        yield "SQLite", f"sqlite:///{folder}/bench.sqlite3"
        return
    with postgres.running() as found:
        yield found


def as_text(found: Measured) -> str:
    """The pages as a table for people."""
    title = (
        f"A class of {STUDENTS} students, {ASSIGNMENTS} assignments, "
        f"{STUDENTS * ASSIGNMENTS * QUESTIONS:,} answers, in {found.database}: median and 95th percentile"
    )
    rows = [
        f"  {p.page:<24}{p.queries:>3} queries {p.middle:>8.1f} ms {p.late:>8.1f} ms"
        f"  < {LIMIT:g} ms  {'met' if p.met else 'NOT MET'}"
        for p in found.pages
    ]
    return "\n".join(["", title, *rows])


def as_json(found: Measured) -> dict[str, Any]:
    """The same for programs."""
    return {
        "database": found.database,
        "pages": [
            {
                "page": p.page,
                "queries": p.queries,
                "median_ms": round(p.middle, 1),
                "p95_ms": round(p.late, 1),
                "below": LIMIT,
                "met": p.met,
            }
            for p in found.pages
        ],
    }


# The class


def _measure() -> list[tuple[str, int, float, float]]:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    from tutor.content import load

    load.store(load.check())
    classroom, teacher, student = _seeded()
    if connection.vendor == "postgresql":  # as it does by itself within a minute
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
    client = Client()
    client.force_login(teacher.account)
    session = client.session
    session.update({"learner": teacher.pk, "signed_in": True})
    session.save()
    pages = {
        "results": f"/en/classes/{classroom}/results/",
        "results, by the total": f"/en/classes/{classroom}/results/?sort=total&desc=1",
        "what goes wrong": f"/en/classes/{classroom}/wrong/",
        "a student": f"/en/classes/{classroom}/students/{student}/",
    }
    rows = []
    for name, address in pages.items():

        def ask(address: str = address) -> None:
            response = client.get(address)
            if response.status_code != 200:
                raise RuntimeError(f"{address}: {response.status_code}")

        for _ in range(_WARM):
            ask()
        with CaptureQueriesContext(connection) as queries:
            ask()
        count = len(queries)
        times = []
        for _ in range(_REQUESTS):
            start = perf_counter()
            ask()
            times.append((perf_counter() - start) * 1000)
        rows.append((name, count, median(times), quantiles(times, n=20)[-1]))
    return rows


def _seeded() -> tuple[int, Any, int]:
    """A class with all its answers: its key, its teacher, and the key of a student."""
    from django.utils import timezone

    from tutor.classes import handing
    from tutor.classes.models import SET, Assignment, Classroom, Member, Part, Work
    from tutor.people.models import Account, Learner
    from tutor.practice.models import Attempt
    from tutor.puzzles.stock import stock

    chance, now = Random("a class"), timezone.now()
    classroom = Classroom.objects.create(name="Bench", language="en", time_zone="Asia/Shanghai", code="bench")
    accounts = [Account.objects.create(name=f"person {n}", password="!") for n in range(STUDENTS + 1)]
    learners = [Learner.objects.create(account=account) for account in accounts]
    members = [
        Member.objects.create(
            classroom=classroom, learner=learner, name=f"Student {n:03}", is_teacher=n == STUDENTS, joined=now
        )
        for n, learner in enumerate(learners)
    ]
    students = members[:STUDENTS]
    for n in range(ASSIGNMENTS):
        opens = now - timedelta(days=ASSIGNMENTS - n)
        assignment = Assignment.objects.create(
            classroom=classroom, title=f"Assignment {n + 1}", place=n, opens=opens, pass_mark=60
        )
        data = {"kinds": [], "topics": [], "level": 2, "seed": n, "same": True}
        game = ("changchun", "changsha")[n % 2]
        part = Part.objects.create(assignment=assignment, kind=SET, game=game, data=data, size=QUESTIONS)
        handing.hand_out(part, classroom, n, stock())
        asked = [
            (one, _answers(handing.asked_by(one, classroom)))
            for one in handing.questions_of(assignment, None)
        ]
        works = Work.objects.bulk_create(
            Work(assignment=assignment, member=member, seed=1, started=opens, total=len(asked))
            for member in students
        )
        rows = []
        for work, member in zip(works, students, strict=True):
            rights = [chance.random() < 0.7 for _ in asked]
            at = opens + timedelta(hours=chance.random() * 24)
            work.answered, work.right, work.points = len(asked), sum(rights), 2 * sum(rights)
            work.finished = at + timedelta(minutes=len(asked))
            rows += [
                Attempt(
                    learner_id=member.learner_id,
                    slot=f"work:{work.pk}:{question.pk}",
                    number=number,
                    puzzle=question.puzzle,
                    game=question.game,
                    kind=question.kind,
                    topic=question.topic,
                    level=question.level,
                    question=question.node,
                    form=question.form,
                    answer=answers[is_right],
                    is_right=is_right,
                    seconds=chance.randrange(5, 90),
                    at=at + timedelta(minutes=number),
                    rules="1",
                    classroom=classroom,
                    work=work,
                    asked=question,
                )
                for number, ((question, answers), is_right) in enumerate(
                    zip(asked, rights, strict=True), start=1
                )
            ]
        Work.objects.bulk_update(works, ["answered", "right", "points", "finished"])
        Attempt.objects.bulk_create(rows, batch_size=_BATCH)
    return classroom.pk, learners[STUDENTS], students[0].pk


def _answers(puzzle: Any) -> dict[bool, list[str]]:
    """A right answer and a wrong one."""
    level = puzzle.level
    wrong = next(
        ({offer.value} for offer in level.offers if not level.is_right(frozenset({offer.value}))), set()
    )
    return {True: sorted(level.rights[0]), False: sorted(wrong)}


if __name__ == "__main__":
    print(json.dumps(_measure()))
