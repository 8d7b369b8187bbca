"""What pages take as answers pile up: each with the same own data, among 10,000 answers and among 5 million.

    python -m bench.growth                        # on a PostgreSQL of its own, in a temporary folder
    python -m bench.growth --database sqlite --sizes 10000 100000
    python -m bench.growth --fill 100000          # fills the database of DATABASE_URL instead, to look at

For every size a database is made anew: a fixed set of people and classes, whose own data is always the same,
and around them as many others as there are answers left. What they answered lies among what all others did at
that time, as on a site that has grown so. Then all sizes are asked in turn for page after page. A page is
flat where half of its requests take no more than half as long again among the most answers as among the
fewest.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from bench import environment, postgres

ROOT = Path(__file__).parents[1]
SIZES = (10_000, 100_000, 1_000_000, 5_000_000)
POSTGRESQL, SQLITE = "postgresql", "sqlite"
FLAT, NOISE = 1.5, 2.0  # times as long; ms that are none
HEAVY = 2_000_000  # answers from which on there are a learner and a class with very much of their own

_WARM, _REQUESTS, _SECONDS, _LEAST, _TIMES = 2, 9, 3.0, 3, 3
_MEMORY = "-c shared_buffers=512MB -c maintenance_work_mem=256MB -c max_wal_size=8GB"
YEARS = timedelta(days=730)  # in which answers were given
_DAY = 24 * 3600
# Shares and means by which a site of 5 million answers has 100,000 learners and 2,000 classes.
_ANSWERS_A_LEARNER, _ANSWERS_A_CLASS = 50, 2_500
_CLASSES_A_TEACHER = 3
_PLACES = 12


class FullError(Exception):
    """The database holds answers already."""


# What is asked


class Asked(NamedTuple):
    """A question. kept: the fields by which it is kept. right, wrong: an answer each, as JSON."""

    puzzle: str
    game: str
    kind: str
    topic: str
    level: int
    node: str
    form: str
    right: str
    wrong: str


def bank() -> list[Asked]:
    """Questions of every game, kind and of three levels, always the same. Needs content."""
    import rules
    from tutor.practice import runs
    from tutor.puzzles.kinds import KINDS
    from tutor.puzzles.puzzle import NoPuzzleError, puzzle
    from tutor.puzzles.stock import stock

    chance, found = Random("bank"), []
    for game in rules.rulesets().values():
        for kind in KINDS:
            for level in (1, 2, 3):
                for key in runs.keys(game, [kind], level, chance, stock()):
                    try:
                        made = puzzle(key, stock())
                    except NoPuzzleError:
                        continue
                    found.append(_asked(made))
                    break
    return found


def _asked(made: Any) -> Asked:
    offers = [frozenset({offer.value}) for offer in made.level.offers]
    wrong = next((offer for offer in offers if not made.level.is_right(offer)), frozenset())
    return Asked(
        made.id,
        made.game.key,
        made.kind.key,
        made.topic,
        made.number,
        _json(dict(made.node)),
        made.form,
        _json(sorted(made.level.rights[0])),
        _json(sorted(wrong)),
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# A site


class Probe(NamedTuple):
    """A class that is measured, by the keys of its rows. fresh: an assignment that the student has not
    begun."""

    classroom: int
    teacher: int
    student: int
    member: int
    assignment: int
    part: int
    board: int
    fresh: int


@dataclass
class Probes:
    """Whom pages are measured by. learner: has an account and 600 answers. guest: has 100. run: the
    learner's last round. small, large: classes of 30 and 200. heavy: a learner with 50,000 answers, vast: a
    class of 200 with 5,000 answers each; only on the largest sites."""

    learner: int
    guest: int
    run: int
    small: Probe
    large: Probe
    heavy: int | None = None
    heavy_run: int | None = None
    vast: Probe | None = None


class _Sitting(NamedTuple):
    """Questions answered one after another. asked: of each what is asked, its slot, its number and the key of
    what was handed out. where: run, class, work and board. sealed: until when nothing is told."""

    at: int
    learner: int
    skill: float
    seed: int
    asked: list[tuple[Asked, str, int | None, int | None]]
    where: tuple[int | None, int | None, int | None, int | None]
    sealed: str | None

    def answers(self) -> Iterator[tuple[bool, int, int, int]]:
        """Of each answer whether it is right, the hints, the seconds, and when; always the same."""
        chance, at = Random(self.seed), self.at
        for _ in self.asked:
            seconds = int(8 + chance.random() ** 2 * 80)
            at += seconds + 3
            helped = 4 if (share := chance.random()) > 0.98 else 1 if share > 0.93 else 0
            yield chance.random() < self.skill and helped < 4, helped, seconds, at


class _Room(NamedTuple):
    key: int
    students: list[tuple[int, int, float]]  # member, learner, skill
    begun: int
    ended: int


@dataclass
class Site:
    """What there will be: rows by model, without the answers, and who sat when over which questions."""

    answers: int
    chance: Random
    now: int
    asked: list[Asked]
    next: dict[str, int]
    rows: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    sittings: list[_Sitting] = field(default_factory=list)
    planned: int = 0
    reviewed: list[int] = field(default_factory=list)
    probed: int = 0  # the key of the first learner who is not measured

    def add(self, model: str, *values: Any) -> int:
        """One more row of a model; its key."""
        key = self.next[model]
        self.next[model] += 1
        self.rows.setdefault(model, []).append((key, *values))
        return key

    # People

    def person(
        self, chance: Random, *, account: bool = True, reviews: bool = False, before: int | None = None
    ) -> int:
        """A learner with some lessons read, and a session. before: by when they were there. Returns the
        key."""
        first = self.now - int(chance.random() * 700 * _DAY) if before is None else before
        at = first - int(chance.random() * 9 * _DAY)
        own = None
        if account:
            own = self.add("people.Account", "!", None, "", "", _time(at), True)
            name = f"person {own}"
            self.rows["people.Account"][-1] = (own, "!", None, name, name, _time(at), True)
        key = self.add("people.Learner", own, None, _time(at), reviews, False)
        for place in chance.sample(_places(), chance.randrange(_PLACES)):
            done = at + int(chance.random() * (self.now - at))
            self.add("people.Progress", key, place, chance.random() < 0.7, _time(done))
        session = f"{key:08x}{chance.getrandbits(96):024x}"
        ends = _time(self.now + int(chance.random() * 360 * _DAY))
        known = {"learner": key} | ({"signed_in": True} if account else {})
        self.rows.setdefault("sessions.Session", []).append((session, _signed(known), ends))
        if own:
            self.rows.setdefault("people.SignedIn", []).append((session, own))
        if reviews:
            self.reviewed.append(key)
        return key

    def practice(self, chance: Random, learner: int, skill: float, at: int, count: int) -> int:
        """A round of so many questions. Returns its key."""
        game = chance.choice(("changchun", "changsha"))
        key = self.next["practice.Run"]
        picked = chance.choices(self.asked, k=count)
        sitting = _Sitting(
            at,
            learner,
            skill,
            chance.getrandbits(32),
            [(one, f"{key}:{n}", n, None) for n, one in enumerate(picked, start=1)],
            (key, None, None, None),
            None,
        )
        ended = max((end for *_, end in sitting.answers()), default=at)
        mode = "quick" if count == 10 else "endless"
        spec = _json({"kinds": ["can-win"], "level": 2})
        self.add("practice.Run", learner, mode, game, spec, chance.getrandbits(30), _time(at), _time(ended))
        self._sat(sitting)
        return key

    def alone(self, chance: Random, learner: int, skill: float, at: int, one: Asked) -> None:
        """A puzzle by itself."""
        asked = [(one, one.puzzle, None, None)]
        where = (None, None, None, None)
        self._sat(_Sitting(at, learner, skill, chance.getrandbits(32), asked, where, None))

    def _sat(self, sitting: _Sitting) -> None:
        self.sittings.append(sitting)
        self.planned += len(sitting.asked)

    # Classes

    def room(self, chance: Random, teacher: int, size: int, begun: int, *, is_over: bool) -> _Room:
        """A class with its people."""
        key = self.next["classes.Classroom"]
        ended = min(begun + 150 * _DAY, self.now)
        self.add(
            "classes.Classroom",
            *(f"Class {key}", "", "{}", "en", "Asia/Shanghai", f"c{key}", True, None, _time(begun)),
            _time(ended) if is_over else None,
        )
        self._member(key, teacher, f"Teacher {key}", begun, is_teacher=True)
        students = []
        for n in range(size):
            learner = self.person(chance, reviews=chance.random() < 0.05, before=begun)
            member = self._member(key, learner, f"Student {n:03}", begun + n)
            students.append((member, learner, 0.4 + chance.random() * 0.55))
        return _Room(key, students, begun, ended)

    def _member(self, room: int, learner: int, name: str, at: int, *, is_teacher: bool = False) -> int:
        return self.add(
            *("classes.Member", room, learner, name, name.lower(), is_teacher, not is_teacher, False),
            *(_time(at), None),
        )

    def assignment(self, chance: Random, room: _Room, place: int, opens: int, size: int, share: float) -> int:
        """An assignment, done by a share of the class. Returns its key."""
        due = _time(opens + 7 * _DAY) if chance.random() < 0.7 else None
        key = self.add(
            *(
                "classes.Assignment",
                room.key,
                f"Assignment {place + 1}",
                "",
                place,
                _time(opens),
                due,
                "late",
            ),
            *(1, 60, True, "at-once", None, _time(opens)),
        )
        game = self.asked[0].game if chance.random() < 0.5 else self.asked[-1].game
        data = _json({"kinds": [], "topics": [], "level": 2, "seed": key, "same": True})
        part = self.add("classes.Part", key, 0, "set", game, data, size)
        picked = chance.sample([one for one in self.asked if one.game == game], size)
        questions = [
            self.add("classes.Question", *_kept(one), part, None, n, False)
            for n, one in enumerate(picked, start=1)
        ]
        for member, learner, skill in room.students:
            begun = opens + int(chance.random() * 6 * _DAY)
            seed = chance.getrandbits(31)
            if chance.random() >= share or begun + 3600 > self.now:
                continue
            work = self.next["classes.Work"]
            sitting = _Sitting(
                begun,
                learner,
                skill,
                seed,
                [
                    (one, f"work:{work}:{question}", n, question)
                    for n, (one, question) in enumerate(zip(picked, questions, strict=True), start=1)
                ],
                (None, room.key, work, None),
                None,
            )
            told = list(sitting.answers())
            right = sum(is_right for is_right, *_ in told)
            self.add(
                *("classes.Work", key, member, 1, seed, _time(begun), _time(told[-1][-1]), size, size),
                *(right, 0, 2 * right),
            )
            self._sat(sitting)
        return key

    def board(self, chance: Random, room: _Room, at: int) -> int:
        """A live board, answered by most. Returns its key."""
        one = chance.choice(self.asked)
        is_shown = chance.random() < 0.8
        shown = _time(at + 900)
        key = self.add("classes.Board", *_kept(one), room.key, _time(at), shown, shown if is_shown else None)
        for _, learner, skill in room.students:
            begun, seed = at + int(chance.random() * 600), chance.getrandbits(32)
            if chance.random() < 0.7:
                asked = [(one, f"board:{key}", None, None)]
                where = (None, room.key, None, key)
                sealed = None if is_shown else "9999-01-01 00:00:00"
                self._sat(_Sitting(begun, learner, skill, seed, asked, where, sealed))
        return key


def _kept(one: Asked) -> tuple[Any, ...]:
    return one.puzzle, one.game, one.kind, one.topic, one.level, "{}", one.node, one.form, ""


_KEPT = ("puzzle", "game", "kind", "topic", "level", "options", "node", "form", "title")
# What rows consist of, in the order in which tables are filled.
_FIELDS: dict[str, tuple[str, ...]] = {
    "people.Account": ("id", "password", "last_login", "name", "folded", "created", "is_active"),
    "people.Learner": ("id", "account", "merged_into", "created", "reviews", "hides_rating"),
    "people.Progress": ("id", "learner", "place", "is_done", "at"),
    "sessions.Session": ("session_key", "session_data", "expire_date"),
    "people.SignedIn": ("session", "account"),
    "classes.Classroom": (
        *("id", "name", "game", "options", "language", "time_zone", "code", "is_open", "teacher_code"),
        *("created", "archived"),
    ),
    "classes.Member": (
        *("id", "classroom", "learner", "name", "folded", "is_teacher", "is_managed", "is_barred"),
        *("joined", "left"),
    ),
    "classes.Assignment": (
        *("id", "classroom", "title", "note", "place", "opens", "due", "late", "tries", "pass_mark"),
        *("has_hints", "reveal", "revealed", "created"),
    ),
    "classes.Part": ("id", "assignment", "place", "kind", "game", "data", "size"),
    "classes.Question": ("id", *_KEPT, "part", "work", "number", "is_void"),
    "classes.Work": (
        *("id", "assignment", "member", "number", "seed", "started", "finished", "total", "answered"),
        *("right", "late", "points"),
    ),
    "classes.Board": ("id", *_KEPT, "classroom", "opened", "closed", "revealed"),
    "practice.Run": ("id", "learner", "mode", "game", "spec", "seed", "started", "ended"),
    "practice.Attempt": (
        *("id", "learner", "run", "number", "slot", "puzzle", "game", "kind", "topic", "level", "question"),
        *("form", "answer", "is_right", "help", "seconds", "at", "rules", "classroom", "work", "asked"),
        *("board", "visible"),
    ),
}


def _time(seconds: int) -> str:
    """A time as both databases read it."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"


def _places() -> list[str]:
    import rules
    from tutor.content.shelf import shelf

    return [chapter.place for game in rules.rulesets().values() for chapter in shelf().chapters(game)]


def _signed(known: dict[str, Any]) -> str:
    from django.contrib.sessions.backends.db import SessionStore

    return str(SessionStore().encode(known))


def _planned(site: Site, *, with_probes: bool) -> Probes | None:
    """Fills a site up to its number of answers."""
    probes = None
    if with_probes:
        probes = Probes(*_probed(site))
        if site.answers >= HEAVY:
            probes.heavy, probes.heavy_run, probes.vast = _heavy(site)
    if site.planned > site.answers:
        raise ValueError(f"The people that are measured have {site.planned} answers: fill at least so many.")
    chance, left = site.chance, site.answers - site.planned
    rooms = max(1, left // _ANSWERS_A_CLASS)
    teachers = [site.person(chance) for _ in range(1 + rooms // _CLASSES_A_TEACHER)]
    for _ in range(rooms):
        if not _roomful(site, chance, chance.choice(teachers)):
            break
    others = max(1, site.answers // _ANSWERS_A_LEARNER - len(site.rows["people.Learner"]))
    for _ in range(others):
        site.person(chance, account=chance.random() < 0.3, reviews=chance.random() < 0.05)
    _practised(site, chance)
    return probes


def _roomful(site: Site, chance: Random, teacher: int) -> bool:
    """A class as most are, with what it did. False where there is no more room for its answers."""
    begun = site.now - int((10 + chance.random() * 690) * _DAY)
    is_over = site.now - begun > 250 * _DAY and chance.random() < 0.6
    size = max(3, min(120, round(chance.lognormvariate(3.1, 0.6))))
    room = site.room(chance, teacher, size, begun, is_over=is_over)
    opened = [begun + int(chance.random() * 150 * _DAY) for _ in range(chance.randrange(2, 9))]
    for place, opens in enumerate(sorted(at for at in opened if at < site.now)):
        if site.planned + 12 * size > site.answers:
            return False
        site.assignment(chance, room, place, opens, chance.randrange(5, 13), 0.85)
    for _ in range(chance.randrange(1, 4)):
        if site.planned + size > site.answers:
            return False
        site.board(chance, room, begun + int(chance.random() * (room.ended - begun) * 0.95))
    return True


def _practised(site: Site, chance: Random) -> None:
    """What is left of the answers: rounds of learners, most of them by a few who are diligent."""
    learners = [(row[0], row[3]) for row in site.rows["people.Learner"] if row[0] >= site.probed]
    upto = list(accumulate(min(200.0, chance.paretovariate(1.2)) for _ in learners))
    alone: set[tuple[int, int]] = set()
    while left := site.answers - site.planned:
        key, since = learners[bisect(upto, chance.random() * upto[-1], hi=len(upto) - 1)]
        start = int(datetime.fromisoformat(since).replace(tzinfo=UTC).timestamp())
        at = start + int(chance.random() * max(1, site.now - 3600 - start))
        skill = 0.4 + (key * 7919 % 100) / 180
        number = chance.randrange(len(site.asked))
        if chance.random() < 0.05 and (key, number) not in alone:
            alone.add((key, number))
            site.alone(chance, key, skill, at, site.asked[number])
        else:
            site.practice(chance, key, skill, at, min(left, 10 if chance.random() < 0.8 else 25))


def _probed(site: Site) -> tuple[int, int, int, Probe, Probe]:
    chance = Random("probes")
    learner = site.person(chance, reviews=True, before=site.now - 720 * _DAY)
    guest = site.person(chance, account=False, before=site.now - 90 * _DAY)
    run = 0
    for n in range(60):
        run = site.practice(chance, learner, 0.8, site.now - (60 - n) * 12 * _DAY, 10)
    for n in range(10):
        site.practice(chance, guest, 0.6, site.now - (10 - n) * 9 * _DAY, 10)
    small = _probe(site, chance, 30, assignments=8, size=10, boards=4)
    large = _probe(site, chance, 200, assignments=3, size=8, boards=0)
    site.probed = site.next["people.Learner"]
    return learner, guest, run, small, large


def _heavy(site: Site) -> tuple[int, int, Probe]:
    chance = Random("heavy")
    learner, run = site.person(chance, reviews=True, before=site.now - 700 * _DAY), 0
    for n in range(5_000):
        run = site.practice(chance, learner, 0.8, site.now - 3600 - (5_000 - n) * 12_000, 10)
    vast = _probe(site, chance, 200, assignments=250, size=20, boards=0)
    site.probed = site.next["people.Learner"]
    return learner, run, vast


def _probe(site: Site, chance: Random, students: int, *, assignments: int, size: int, boards: int) -> Probe:
    begun = site.now - 700 * _DAY
    teacher = site.person(chance, before=begun)
    room = site.room(chance, teacher, students, begun, is_over=False)
    given, part = 0, 0
    for place in range(assignments):
        opens = begun + place * 690 * _DAY // assignments
        given = site.assignment(chance, room, place, opens, size, 1.0)
        part = site.next["classes.Part"] - 1
    board = 0
    for n in range(boards):
        board = site.board(chance, room, begun + (n + 1) * 100 * _DAY)
    fresh = site.assignment(chance, room, assignments, site.now - 60, size, 0.0)
    member, learner, _ = room.students[0]
    return Probe(room.key, teacher, learner, member, given, part, board, fresh)


# Written


def fill(
    answers: int, seed: int = 1, now: datetime | None = None, *, more: bool = False, probes: bool = False
) -> Probes | None:
    """Fills the database with so many answers and the people and classes that gave them. Needs content.

    The same seed and time make the same. Raises FullError where there are answers already, unless more is
    said, ValueError where the probes alone have more.
    """
    from django.apps import apps
    from django.db import connection, transaction
    from django.db.models import Max

    from tutor.people.models import Learner
    from tutor.practice import reviews
    from tutor.practice.models import Attempt

    if not more and Attempt.objects.exists():
        raise FullError
    models = {name: apps.get_model(name) for name in _FIELDS}
    first = {
        name: (model._default_manager.aggregate(last=Max("pk"))["last"] or 0) + 1
        for name, model in models.items()
        if _FIELDS[name][0] == "id"
    }
    until = int((now or datetime.now(UTC)).timestamp())
    site = Site(answers, Random(seed), until, bank(), first)
    found = _planned(site, with_probes=probes)
    with transaction.atomic(), connection.cursor() as cursor:
        for name, model in models.items():
            rows: Iterable[tuple[Any, ...]] = site.rows.pop(name, [])
            if model is Attempt:
                with _without_indexes(cursor, model._meta.db_table):
                    _write(cursor, model, _FIELDS[name], _answers(site))
            elif rows:
                _write(cursor, model, _FIELDS[name], rows)
        _number_on(cursor, [models[name] for name in first])
        for key in site.reviewed:
            reviews.rebuild(Learner(pk=key))
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        # As it does by itself within a minute.
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
    return found


def _answers(site: Site) -> Iterator[tuple[Any, ...]]:
    """The rows of all answers, in order of time."""
    key = site.next["practice.Attempt"]
    for sitting in sorted(site.sittings, key=lambda one: one.at):
        run, room, work, board = sitting.where
        for (one, slot, number, question), (is_right, helped, seconds, at) in zip(
            sitting.asked, sitting.answers(), strict=True
        ):
            yield (
                *(key, sitting.learner, run, number, slot),
                *(one.puzzle, one.game, one.kind, one.topic, one.level, one.node, one.form),
                *(one.right if is_right else one.wrong, int(is_right), helped, seconds, _time(at), "1"),
                *(room, work, question, board, sitting.sealed),
            )
            key += 1


def _write(cursor: Any, model: Any, fields: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> None:
    """Rows into a table: by COPY where there is one. What they don't say is what the model says itself."""
    from django.db import connection

    unsaid = [one for one in model._meta.concrete_fields if one.name not in fields]
    others = [one for one in unsaid if one.has_default() and not one.null]
    rest = tuple(one.get_db_prep_save(one.get_default(), connection) for one in others)
    listed = [*(model._meta.get_field(name) for name in fields), *others]
    columns = ", ".join(f'"{one.column}"' for one in listed)
    table = model._meta.db_table
    if connection.vendor == "postgresql":
        with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row + rest)
    else:
        cursor.execute("PRAGMA cache_size = -1000000")
        marks = ", ".join(["%s"] * len(listed))
        cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", (row + rest for row in rows))


@contextmanager
def _without_indexes(cursor: Any, table: str) -> Iterator[None]:
    """Lets a table be without indexes and constraints for the while, then checks and makes them at once."""
    from django.db import connection

    if connection.vendor == "postgresql":
        cursor.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid = %s::regclass AND contype IN ('f', 'u')",
            [table],
        )
        constraints = cursor.fetchall()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # of what was written before
        for name, _ in constraints:
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s AND indexname NOT IN"
            " (SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass)",
            [table, table],
        )
    else:
        constraints = []
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = %s AND sql IS NOT NULL",
            [table],
        )
    indexes = cursor.fetchall()
    for name, _ in indexes:
        cursor.execute(f'DROP INDEX "{name}"')
    yield
    for _, made in indexes:
        cursor.execute(made)
    for name, made in constraints:
        cursor.execute(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {made}')


def _number_on(cursor: Any, models: list[Any]) -> None:
    """Lets the database give keys after those that were given here."""
    from django.core.management.color import no_style
    from django.db import connection

    for statement in connection.ops.sequence_reset_sql(no_style(), models):
        cursor.execute(statement)


# Measured


class Page(NamedTuple):
    """A page at one size. who: by whose data it is measured. ms: of half of its requests at most."""

    who: str
    name: str
    queries: int
    ms: float


def measured(kind: str, sizes: list[int]) -> tuple[str, list[list[Page]]]:
    """The database's name, and the pages of each size. Each size is a site of its own, made anew in a process
    of its own; then they are asked in turn for page after page, so that whatever else the machine does
    meanwhile slows all of them down alike."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        name, urls = stack.enter_context(_databases(kind, Path(folder), sizes))
        sites = [
            stack.enter_context(_serving(size, url, folder)) for size, url in zip(sizes, urls, strict=True)
        ]
        found: list[list[Page]] = [[] for _ in sites]
        for key in dict.fromkeys(key for site in sites for key in site.tasks):
            having = [n for n, site in enumerate(sites) if key in site.tasks]
            for n, page in zip(having, _surely(key, [sites[n] for n in having]), strict=True):
                found[n].append(page)
    return name, found


def _surely(key: tuple[str, str], sites: list[_Served]) -> list[Page]:
    """A page of several sites; asked for again where it does not come out flat. What grows does so each time,
    what something else on the machine has held up does not."""
    for _ in range(_TIMES):
        pages = _asked_for(key, sites)
        if Row(*key, list(pages)).is_flat is not False:
            break
    return pages


def _asked_for(key: tuple[str, str], sites: list[_Served]) -> list[Page]:
    """A page of several sites, asked for in turn."""
    counts = [site.ask(key, counted=True).queries for _ in range(_WARM) for site in sites][-len(sites) :]
    times: list[list[float]] = [[] for _ in sites]
    spent = 0.0
    for n in range(_REQUESTS):
        if n >= _LEAST and spent > _SECONDS * len(sites):
            break
        for site, own in zip(sites, times, strict=True):
            own.append(site.ask(key).ms)
            spent += own[-1] / 1000
    return [Page(*key, count, median(own)) for count, own in zip(counts, times, strict=True)]


class _Once(NamedTuple):
    queries: int
    ms: float


@dataclass
class _Served:
    """A site in a process of its own. tasks: what it can be asked for, by whose and what."""

    process: subprocess.Popen[str]
    tasks: list[tuple[str, str]]

    def ask(self, key: tuple[str, str], *, counted: bool = False) -> _Once:
        """Asks once for a page. counted: with the number of its queries, which takes longer."""
        return _Once(*self._told(f"{self.tasks.index(key)} {int(counted)}"))

    def _told(self, asked: str) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{asked}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"The site that was asked for {self.tasks[int(asked.split()[0])]} is gone.")
        return json.loads(line)


@contextmanager
def _serving(size: int, url: str, folder: str) -> Iterator[_Served]:
    """A site of so many answers, filled; it ends with the context."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.growth", "--serve", str(size)],
        cwd=ROOT,
        env=environment(folder, url),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stdout.readline() if process.stdout else ""
        if not line:
            raise RuntimeError(f"The site of {size:,} answers was not made.")
        told = json.loads(line)
        print(f"{size:,} answers: filled in {told['seconds']:,.0f} s", file=sys.stderr, flush=True)
        yield _Served(process, [(who, name) for who, name in told["tasks"]])
    finally:
        process.communicate()  # closes what it reads, which ends it


def _serve(size: int) -> None:
    """Fills the database, says what can be asked for, and does so until nobody asks any more."""
    import django

    django.setup()
    from django.core.management import call_command

    from tutor.content import load

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    load.store(load.check())
    start = perf_counter()
    probes = fill(size, probes=True)
    seconds = perf_counter() - start
    assert probes is not None
    tasks = list(_tasks(probes))
    print(json.dumps({"seconds": seconds, "tasks": [task[:2] for task in tasks]}), flush=True)
    for line in sys.stdin:
        number, is_counted = map(int, line.split())
        print(json.dumps(_once(tasks[number][2], is_counted=bool(is_counted))), flush=True)


def _once(ask: Callable[[], object], *, is_counted: bool) -> _Once:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    if is_counted:
        with CaptureQueriesContext(connection) as queries:
            ask()
        return _Once(len(queries), 0.0)
    start = perf_counter()
    ask()
    return _Once(0, (perf_counter() - start) * 1000)


def _tasks(probes: Probes) -> Iterator[tuple[str, str, Callable[[], object]]]:
    """All that is measured: whose, what, and how to ask for it."""
    clients = {
        "": _client(None),
        "guest": _client(probes.guest),
        "learner": _client(probes.learner),
    }
    for path in _OPEN:
        yield "", path, _asks(clients[""], path)
    for who in ("guest", "learner"):
        for path in _OWN + (_ACCOUNT if who == "learner" else ()):
            yield who, path, _asks(clients[who], path.replace("RUN", str(probes.run)))
        yield who, "an answer in a round", _answers_in_round(clients[who])
    for name, probe in (("30", probes.small), ("200", probes.large), ("200 x 5,000", probes.vast)):
        if probe is not None:
            yield from _tasks_of(name, probe)
    if probes.heavy is not None:
        heavy = _client(probes.heavy)
        for path in (*_OWN, *_ACCOUNT):
            yield "50,000 answers", path, _asks(heavy, path.replace("RUN", str(probes.heavy_run)))
        yield "50,000 answers", "an answer in a round", _answers_in_round(heavy)
    yield from _chores()


def _tasks_of(name: str, probe: Probe) -> Iterator[tuple[str, str, Callable[[], object]]]:
    """The pages of a class."""
    student, teacher = _client(probe.student), _client(probe.teacher)
    for path in _STUDENT:
        yield f"student of {name}", path, _asks(student, _of(path, probe))
    yield f"student of {name}", "an answer in an assignment", _answers_in_class(student, probe)
    for path in _TEACHER:
        if probe.board or "BOARD" not in path:
            yield f"teacher of {name}", path, _asks(teacher, _of(path, probe))
    judged = _of("classes/ROOM/judge/", probe)
    begun = _posts(teacher, judged, {})
    yield f"teacher of {name}", f"{judged.replace(str(probe.classroom), 'ROOM')}…", _asks(teacher, begun)


_OPEN = (
    *("", "search/?q=qidui", "tiles/", "style/", "offline/", "privacy/", "learn/", "learn/changsha/"),
    *("learn/changsha/birds/", "rules/", "rules/changsha/", "rules/changchun/win/terminal-or-honor/"),
    *(
        "glossary/",
        "compare/",
        "practice/",
        "practice/build/",
        "practice/daily/",
        "practice/picked/changsha/",
    ),
    *(
        "progress/",
        "puzzles/changsha/why-not/2/84210/",
        "check/?ruleset=changsha&hand=123m",
        "deal/",
        "settle/",
    ),
    *("settle/sheet/", "account/", "account/sign-up/", "account/sign-in/", "classes/"),
    *("classes/join/", "api/"),
)
_OWN = (
    *("", "learn/", "learn/changsha/", "learn/changsha/birds/", "practice/", "practice/daily/"),
    *("practice/picked/changsha/", "puzzles/changsha/why-not/2/84210/", "progress/", "account/"),
    *("account/data/", "classes/"),
)
_ACCOUNT = ("account/password/", "account/delete/", "practice/runs/RUN/end/", "practice/runs/RUN/5/")
_STUDENT = (
    *("", "classes/", "classes/ROOM/", "classes/ROOM/work/GIVEN/", "classes/ROOM/work/GIVEN/1/1/"),
    *("classes/ROOM/live/now/", "classes/ROOM/leave/", "progress/", "practice/", "account/", "account/data/"),
)
_TEACHER = (
    *("", "classes/", "classes/new/", "classes/ROOM/", "classes/ROOM/people/", "classes/ROOM/people/add/"),
    *("classes/ROOM/people/MEMBER/", "classes/ROOM/results/", "classes/ROOM/results/?sort=total&desc=1"),
    *("classes/ROOM/results.csv", "classes/ROOM/students/MEMBER/", "classes/ROOM/students/MEMBER/?page=LAST"),
    *("classes/ROOM/students/MEMBER/?format=csv", "classes/ROOM/students/MEMBER/?format=csv&of=answers"),
    "classes/ROOM/assignments/GIVEN/questions/PART/1/",
    "classes/ROOM/assignments/GIVEN/questions/PART/1/?format=csv",
    *("classes/ROOM/wrong/", "classes/ROOM/wrong/?format=csv", "WRONG", "WRONG?page=LAST"),
    *("classes/ROOM/activity/", "classes/ROOM/activity/?window=term", "classes/ROOM/activity/?format=csv"),
    *("classes/ROOM/live/", "classes/ROOM/live/BOARD/", "classes/ROOM/settings/", "classes/ROOM/delete/"),
    *("classes/ROOM/code/", "classes/ROOM/assignments/new/", "classes/ROOM/assignments/GIVEN/"),
    *("classes/ROOM/assignments/GIVEN/edit/", "classes/ROOM/assignments/GIVEN/delete/"),
    *("classes/ROOM/assignments/GIVEN/preview/1/", "classes/ROOM/assignments/GIVEN/duplicate/"),
    *("classes/ROOM/assignments/GIVEN/parts/own/", "classes/ROOM/assignments/GIVEN/parts/new/set/"),
    *("classes/ROOM/assignments/GIVEN/parts/PART/remove/", "classes/ROOM/assignments/GIVEN/take/"),
    *("classes/ROOM/assignments/GIVEN/worksheet/", "classes/ROOM/assignments/GIVEN/moodle.xml"),
    "classes/ROOM/judge/",
)


def _of(path: str, probe: Probe) -> str:
    """An address with the keys of a class in it; WRONG is that of what was answered most, LAST the number of
    the last page."""
    if path.startswith("WRONG"):
        from tutor.classes.models import Classroom
        from tutor.classes.results import judged_in, rules_of

        found = rules_of(judged_in(Classroom(pk=probe.classroom)))
        answers, *rule = max(
            (tally.answers, rule.game, rule.topic, kind)
            for rule in found
            for kind, tally in rule.kinds.items()
        )
        path = path.replace("WRONG", f"classes/ROOM/wrong/{'/'.join(map(str, rule))}/")
        path = path.replace("LAST", str(_last(answers)))
    elif "LAST" in path:
        from tutor.classes.models import Member
        from tutor.classes.results import answered_by

        path = path.replace("LAST", str(_last(answered_by(Member.objects.get(pk=probe.member)).count())))
    keys = {
        "ROOM": probe.classroom,
        "MEMBER": probe.member,
        "GIVEN": probe.assignment,
        "PART": probe.part,
        "BOARD": probe.board,
    }
    return re.sub("|".join(keys), lambda found: str(keys[found[0]]), path)


def _last(rows: int) -> int:
    """The number of the last page of so many rows."""
    from tutor.classes.watching import PAGE

    return -(-rows // PAGE)


def _client(learner: int | None) -> Any:
    """The browser of somebody."""
    from django.test import Client

    from tutor.people.models import Learner

    client = Client()
    if learner is not None:
        person = Learner.objects.select_related("account").get(pk=learner)
        if person.account is not None:
            client.force_login(person.account)
        session = client.session
        session.update({"learner": learner} | ({"signed_in": True} if person.account else {}))
        session.save()
    return client


def _asks(client: Any, path: str) -> Callable[[], object]:
    def ask() -> None:
        response = client.get(f"/en/{path}")
        if response.status_code != 200 and not (response.status_code == 303 and "live/now" not in path):
            raise RuntimeError(f"{path}: {response.status_code}")
        b"".join(response)

    return ask


def _posts(client: Any, path: str, form: dict[str, str]) -> str:
    """Sends a form; the address, below the language's, that it leads to."""
    response = client.post(f"/en/{path}", form)
    if response.status_code != 303:
        raise RuntimeError(f"{path}: {response.status_code}")
    return str(response["Location"]).removeprefix("/en/").partition("#")[0]


def _answers_in_round(client: Any) -> Callable[[], object]:
    """Answers the next question of a round without an end, by looking at the solution."""
    form = {"mode": "endless", "game": "changsha", "level": "2", "kind": "can-win"}
    here = _posts(client, "practice/start/", form).rstrip("/").rpartition("/")[0]
    numbers = iter(range(1, 1_000))

    def answer() -> None:
        path = f"{here}/{next(numbers)}/"
        page = client.get(f"/en/{path}").content.decode()
        hidden = dict(re.findall(r'<input type="hidden" name="([a-z]+)" value="([^"]*)">', page))
        _posts(client, path, {**hidden, "a": "yes"})

    return answer


def _answers_in_class(client: Any, probe: Probe) -> Callable[[], object]:
    """Looks at the next question of an assignment and gives an answer to it, or none."""
    begun = _posts(client, f"classes/{probe.classroom}/work/{probe.fresh}/", {})
    here = begun.rstrip("/").rpartition("/")[0]
    numbers = iter(range(1, 1_000))

    def answer() -> None:
        path = f"{here}/{next(numbers) % 8 + 1}/"
        page = client.get(f"/en/{path}").content.decode()
        hidden = dict(re.findall(r'<input type="hidden" name="([a-z]+)" value="([^"]*)">', page))
        response = client.post(f"/en/{path}", {**hidden, "do": "show"})
        if response.status_code not in (200, 303):
            raise RuntimeError(f"{path}: {response.status_code}")

    return answer


def _chores() -> Iterator[tuple[str, str, Callable[[], object]]]:
    """What goes through the whole site, at night: it grows with it."""
    from tutor.people.tidy import tidy

    yield "the whole site", "tidy --dry-run", lambda: tidy(dry_run=True)


# Told


class Row(NamedTuple):
    """A page with what was measured at each size, None where it was not."""

    who: str
    name: str
    pages: list[Page | None]

    @property
    def times(self) -> float | None:
        """How many times as long it takes among the most answers as among the fewest; None for one size."""
        found = [page for page in self.pages if page]
        return found[-1].ms / found[0].ms if len(found) > 1 else None

    @property
    def is_flat(self) -> bool | None:
        """Whether that is flat; None where there is nothing to compare, and of what is to grow."""
        found = [page for page in self.pages if page]
        if self.times is None or self.who == "the whole site":
            return None
        return self.times <= FLAT or found[-1].ms - found[0].ms < NOISE


def rows_of(by_size: list[list[Page]]) -> list[Row]:
    """The pages of each size put side by side, in the order of the largest."""
    found = [{(page.who, page.name): page for page in pages} for pages in by_size]
    return [Row(*key, [pages.get(key) for pages in found]) for key in found[-1]]


def as_text(name: str, sizes: list[int], by_size: list[list[Page]]) -> str:
    """A table for people: of each page its queries and the ms of half of its requests, size by size."""
    rows = rows_of(by_size)
    lines = ["", f"{name}: queries and median ms of each page, among so many answers"]
    lines += [f"  {'':<74}" + "".join(f"{size:>17,}" for size in sizes) + f"{'times':>8}"]
    for row in rows:
        cells = "".join(f"{p.queries:>6}q{p.ms:>8.1f}ms" if p else f"{'':>17}" for p in row.pages)
        times = "" if row.times is None else f"{row.times:>8.2f}"
        said = {None: "", True: "  flat", False: "  NOT FLAT"}[row.is_flat]
        lines.append(f"  {row.who:<22}{_short(row.name):<52}{cells}{times}{said}")
    told = [row.is_flat for row in rows if row.is_flat is not None]
    lines.append(f"  {sum(told)} of {len(told)} pages are flat")
    return "\n".join(lines)


def _short(name: str) -> str:
    return f"/{name}" if "/" in name or not name else name


def main() -> int:
    """Measures, or fills; 2 where there is no PostgreSQL or the database is not to be filled."""
    options = argparse.ArgumentParser(
        prog="python -m bench.growth",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="answers")
    options.add_argument("--database", choices=(POSTGRESQL, SQLITE), default=POSTGRESQL)
    options.add_argument("--json", action="store_true", help="print JSON")
    options.add_argument("--fill", type=int, metavar="ANSWERS", help="fill the database, measure nothing")
    options.add_argument("--seed", type=int, default=1, help="another seed fills it otherwise")
    options.add_argument("--more", action="store_true", help="fill it though it holds answers")
    options.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.serve:
        _serve(given.serve)
        return 0
    if given.fill:
        return _filled(given.fill, given.seed, more=given.more)
    if given.database == POSTGRESQL and postgres.programs() is None:
        print("There is no PostgreSQL to be run here: --database sqlite goes without.", file=sys.stderr)
        return 2
    name, by_size = measured(given.database, given.sizes)
    if given.json:
        told = [[page._asdict() for page in pages] for pages in by_size]
        print(json.dumps({"database": name, "sizes": given.sizes, "pages": told}, indent=2))
    else:
        print(as_text(name, given.sizes, by_size))
    return 0


@contextmanager
def _databases(kind: str, folder: Path, sizes: list[int]) -> Iterator[tuple[str, list[str]]]:
    """New databases of one kind: what that is called, and the address of each."""
    if kind == SQLITE:
        yield "SQLite", [f"sqlite:///{folder}/{size}.sqlite3" for size in sizes]
        return
    import psycopg

    with postgres.running(f"{postgres.FORGETFUL} {_MEMORY}") as (name, url):
        with psycopg.connect(url, autocommit=True) as connection:
            for size in sizes:
                connection.execute(f"CREATE DATABASE growth_{size}".encode())
        yield name, [f"{url.rpartition('/')[0]}/growth_{size}" for size in sizes]


def _filled(answers: int, seed: int, *, more: bool) -> int:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tutor.settings")
    django.setup()
    try:
        fill(answers, seed, more=more)
    except FullError:
        print("The database holds answers already. --more adds to them.", file=sys.stderr)
        return 2
    print(f"{answers:,} answers.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
