"""Old answers in a file: nothing is lost, nothing comes twice, and nobody sees a difference in what they have
done."""

from __future__ import annotations

import gzip
import json
import os
from datetime import timedelta
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from tests.school import Assignments, Classrooms, Learners, Members, add_set, answered, client_of, teacher_of
from tests.test_record import PAIR, SHAPE, answer, store
from tutor.classes import working
from tutor.classes.models import Classroom, Member
from tutor.people.models import Account, Learner
from tutor.practice import archive, record, reviews, traces
from tutor.practice.archive import ArchiveError, Moved
from tutor.practice.models import Archived, Attempt, Card, Run
from tutor.practice.runs import CLOCK, QUICK

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
NOW = timezone.now().replace(microsecond=123_456)
LONG_AGO = NOW - 800 * DAY


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "answers.gz"


def run_of(learner: Learner, at: Any, mode: str = QUICK) -> Run:
    return Run.objects.create(learner=learner, mode=mode, game="changsha", seed=1, started=at)


def practise(learner: Learner, seed: int, count: int = 120) -> None:
    """Rounds of three years: of each mode, about some rules, as it comes; some old, some new."""
    chance, made = Random(seed), []
    ages = [1_000, 10, *(chance.randrange(1, 1_100) for _ in range(count // 6 - 2))]
    for age in ages:
        at = NOW - age * DAY - timedelta(seconds=chance.randrange(80_000))
        run = run_of(learner, at, chance.choice((QUICK, CLOCK, reviews.REVIEW)))
        for n in range(6):
            game, topic = chance.choice(("changsha", "changchun")), chance.choice((PAIR, SHAPE))
            made.append(
                answer(
                    learner,
                    chance.random() < 0.7,
                    at=at + timedelta(seconds=45 * n, microseconds=n),
                    game=game,
                    topic=topic,
                    kind=chance.choice(("can-win", "waits")),
                    level=chance.randrange(1, 6),
                    helped=chance.choice((0, 0, 0, 1, 4)),
                    seconds=chance.randrange(90),
                    run=run,
                )
            )
    store(made)


def rows() -> list[dict[str, Any]]:
    """All answers, to the last field."""
    return list(Attempt.objects.order_by("pk").values())


def cards_of(learner: Learner) -> list[tuple[Any, ...]]:
    return sorted(
        (c.game, c.topic, c.kind, c.due, c.missed, json.dumps(c.state, sort_keys=True))
        for c in learner.cards.all()
    )


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(file.read_bytes()).decode().splitlines()]


# What a learner sees


@pytest.mark.parametrize("seed", range(5))
def test_progress_and_reviews_are_the_same_before_in_the_archive_and_back(file: Path, seed: int) -> None:
    learner = Learner.objects.create(reviews=True)
    practise(learner, seed)
    reviews.rebuild(learner)
    before, kept, cards = rows(), record.record(learner.pk, NOW), cards_of(learner)
    moved = archive.archive(file, NOW)
    assert 0 < moved.answers < len(before)
    assert Attempt.objects.count() == len(before) - moved.answers
    assert record.record(learner.pk, NOW) == kept
    reviews.rebuild(learner)
    assert cards_of(learner) == cards
    assert archive.restore(file) == moved
    assert rows() == before
    assert record.record(learner.pk, NOW) == kept
    assert not Archived.objects.exists()


def test_several_archives_come_back_in_any_order(tmp_path: Path) -> None:
    learner = Learner.objects.create(reviews=True)
    practise(learner, 7)
    reviews.rebuild(learner)
    before, kept, cards = rows(), record.record(learner.pk, NOW), cards_of(learner)
    for n, days in enumerate((900, 730, 300)):
        assert archive.archive(tmp_path / f"{n}.gz", NOW, days).answers
    for n in (1, 0, 2):
        assert record.record(learner.pk, NOW) == kept
        reviews.rebuild(learner)
        assert cards_of(learner) == cards
        archive.restore(tmp_path / f"{n}.gz")
    assert rows() == before


def test_the_rating_is_of_the_last_answers_wherever_they_are(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "RATED", 40)
    learner = Learner.objects.create()
    practise(learner, 3)
    kept = record.record(learner.pk, NOW)
    archive.archive(file, NOW, days=200)
    assert record.record(learner.pk, NOW) == kept
    assert kept
    assert kept.ratings
    assert sum(one.answers for one in kept.ratings.values()) == 40


def test_a_rating_that_nobody_asks_for_is_not_there(file: Path) -> None:
    learner = Learner.objects.create()
    practise(learner, 3)
    archive.archive(file, NOW)
    kept = record.record(learner.pk, NOW, with_ratings=False)
    assert kept
    assert kept.ratings is None


def test_progress_opens_where_every_answer_is_in_an_archive(content: object, file: Path) -> None:
    learner = Learners()
    run = run_of(learner, LONG_AGO)
    store([answer(learner, n != 1, at=LONG_AGO + timedelta(minutes=n), run=run) for n in range(3)])
    archive.archive(file, NOW)
    assert not Attempt.objects.exists()
    client = client_of(learner)
    assert client.get("/en/progress/").status_code == 200
    assert client.get(f"/en/practice/runs/{run.pk}/").status_code == 303
    Run.objects.update(ended=LONG_AGO)
    assert client.get(f"/en/practice/runs/{run.pk}/end/").status_code == 200
    kept = record.record(learner.pk, NOW)
    assert kept
    assert (kept.answers, kept.row) == (3, 1)


def test_a_trace_is_what_it_was_made_of() -> None:
    learner = Learner.objects.create()
    practise(learner, 1)
    every = traces.in_order(Attempt.objects.all())
    kept = Archived(learner=learner, trace=json.loads(json.dumps(traces.packed(every))))
    assert traces.unpacked(kept) == every
    with pytest.raises(ValueError, match="was not answered"):
        traces.of(Attempt(), "")


# What goes and what stays


def test_only_what_is_old_answered_and_told_goes(file: Path) -> None:
    learner = Learner.objects.create()
    run = run_of(learner, LONG_AGO)
    new, hinted, sealed, alone = (answer(learner, at=LONG_AGO, run=run) for _ in range(4))
    new.at = NOW - 729 * DAY
    hinted.at = hinted.is_right = hinted.answer = None
    sealed.visible = NOW + DAY
    store([new, hinted, sealed, alone])
    Attempt.objects.filter(pk=alone.pk).update(run=None, slot="x")  # the puzzle's own id
    assert archive.archive(file, NOW) == Moved(0, 0)
    assert not file.exists()
    Attempt.objects.filter(pk=new.pk).update(at=NOW - 731 * DAY)
    assert archive.archive(file, NOW) == Moved(1, 1)
    assert [line["id"] for line in lines(file)[1:]] == [new.pk]


@pytest.fixture
def room(content: object) -> Classroom:
    """A class whose three students answered long ago."""
    room: Classroom = Classrooms()
    teacher_of(room)
    given = Assignments(classroom=room, opens=LONG_AGO - DAY, pass_mark=50)
    add_set(given, size=3)
    for n in range(3):
        answered(Members(classroom=room, joined=LONG_AGO), given, [True, n > 0, False], at=LONG_AGO)
    return room


@pytest.mark.parametrize(("closed", "moved"), [(None, 0), (NOW - 700 * DAY, 0), (NOW - 740 * DAY, 9)])
def test_a_class_keeps_its_answers_until_it_is_closed_for_as_long(
    file: Path, room: Classroom, closed: Any, moved: int
) -> None:
    Classroom.objects.update(archived=closed)
    assert archive.archive(file, NOW).answers == moved


def test_results_of_a_class_stay_whatever_is_counted_anew(file: Path, room: Classroom) -> None:
    teacher = client_of(Member.objects.get(is_teacher=True))
    address = f"/en/classes/{room.pk}/results.csv"
    before = teacher.get(address).content
    Classroom.objects.update(archived=NOW - 740 * DAY)
    archive.archive(file, NOW)
    assert teacher.get(address).content == before
    Classroom.objects.update(archived=None)
    working.recount(room.assignments.get())
    for work in room.assignments.get().works.all():
        working.count(work, room.assignments.get(), None)
    assert teacher.get(address).content == before
    archive.restore(file)
    working.recount(room.assignments.get())
    assert teacher.get(address).content == before
    Attempt.objects.update(is_right=False)
    working.recount(room.assignments.get())
    assert teacher.get(address).content != before


def test_answers_come_back_to_where_their_learner_is_now(file: Path, room: Classroom) -> None:
    Classroom.objects.update(archived=NOW - 740 * DAY)
    archive.archive(file, NOW)
    gone, stays, moved = Member.objects.filter(is_teacher=False).order_by("pk")
    Member.objects.filter(pk=gone.pk).update(left=NOW)
    into = Learners()
    Archived.objects.filter(learner=moved.learner).update(learner=into)  # as when a guest signs in
    archive.restore(file)
    found = dict(Attempt.objects.values_list("learner", "classroom"))
    assert found == {gone.learner_id: None, stays.learner_id: room.pk, into.pk: None}
    room.assignments.all().delete()
    assert Attempt.objects.filter(work=None, asked=None).count() == 9


def test_what_answers_belonged_to_may_be_gone(file: Path, room: Classroom) -> None:
    Classroom.objects.update(archived=NOW - 740 * DAY)
    archive.archive(file, NOW)
    room.delete()
    assert archive.restore(file).answers == 9
    assert Attempt.objects.filter(work=None, asked=None, classroom=None).count() == 9


def test_a_slot_and_a_key_that_are_taken_again_are_no_hindrance(file: Path) -> None:
    learner = Learner.objects.create()
    store([answer(learner, at=LONG_AGO, run=run_of(learner, LONG_AGO))])
    old = Attempt.objects.get()
    archive.archive(file, NOW)
    taken = answer(learner, at=NOW)
    taken.pk, taken.slot = old.pk, old.slot
    taken.save()
    archive.restore(file)
    assert Attempt.objects.count() == 2
    assert Attempt.objects.filter(slot=f"{old.slot}~{old.pk}").get().at == LONG_AGO


# Broken off


class Broken(Exception):
    """The power went."""


@pytest.fixture
def learners(monkeypatch: pytest.MonkeyPatch) -> list[Learner]:
    """Five learners, of whom two make a batch."""
    monkeypatch.setattr(archive, "_LEARNERS", 2)
    made = [Learner.objects.create() for _ in range(5)]
    for n, learner in enumerate(made):
        practise(learner, n, 30)
    return made


def breaking(monkeypatch: pytest.MonkeyPatch, name: str, after: int) -> None:
    """Lets a step of the archive break off when it is done for the last time."""
    step, left = getattr(archive, name), iter(range(after))

    def broken(*args: Any) -> Any:
        if next(left, None) is None:
            raise Broken
        return step(*args)

    monkeypatch.setattr(archive, name, broken)


@pytest.mark.parametrize(
    ("step", "after"), [("_append", 0), ("_append", 2), ("_leave_traces", 1), ("_leave_traces", 3)]
)
@pytest.mark.django_db(transaction=True)
def test_broken_off_anywhere_nothing_is_lost_or_doubled(
    tmp_path: Path, learners: list[Learner], monkeypatch: pytest.MonkeyPatch, step: str, after: int
) -> None:
    before = rows()
    with monkeypatch.context() as patch:
        breaking(patch, step, after)
        with pytest.raises(Broken):
            archive.archive(tmp_path / "first.gz", NOW)
    kept = {row["id"] for row in rows()}
    if (tmp_path / "first.gz").exists():
        in_file = {line["id"] for line in lines(tmp_path / "first.gz")[1:]}
        assert {row["id"] for row in before} == kept | in_file
    archive.archive(tmp_path / "second.gz", NOW)
    for name in ("first.gz", "second.gz"):
        if (tmp_path / name).exists():
            archive.restore(tmp_path / name)
    assert rows() == before


def test_a_file_that_ends_halfway_gives_back_what_was_taken(
    file: Path, learners: list[Learner], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows()
    breaking(monkeypatch, "_leave_traces", 2)
    with pytest.raises(Broken):
        archive.archive(file, NOW)
    file.write_bytes(file.read_bytes()[:-30])  # of a batch that was never deleted
    archive.restore(file)
    assert rows() == before


def test_a_damaged_archive_is_told_of_and_never_purged(file: Path, learners: list[Learner]) -> None:
    archive.archive(file, NOW)
    whole = file.read_bytes()
    file.write_bytes(whole[:-30])
    with pytest.raises(ArchiveError, match="not whole"):
        archive.purge(file)
    assert file.read_bytes() == whole[:-30]
    with pytest.raises(ArchiveError, match="answers are missing"):
        archive.restore(file)
    assert Archived.objects.count() == 1
    file.write_bytes(whole)
    archive.restore(file)
    assert not Archived.objects.exists()


def test_each_batch_is_on_disk_before_its_answers_are_deleted(
    file: Path, learners: list[Learner], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    flush, create = os.fsync, Archived.objects.create
    monkeypatch.setattr(os, "fsync", lambda there: (done.append("disk"), flush(there)))
    monkeypatch.setattr(Archived.objects, "create", lambda **row: (done.append("rows"), create(**row))[1])
    archive.archive(file, NOW)
    assert done == ["disk", "disk", "disk", "rows", "rows", "disk", "rows", "rows", "disk", "rows"]


def test_restoring_twice_brings_nothing_twice(file: Path, learners: list[Learner]) -> None:
    before = rows()
    moved = archive.archive(file, NOW)
    archive.restore(file)
    assert archive.restore(file) == Moved(0, 0, moved.answers)
    assert rows() == before


def test_an_older_archive_of_the_same_answers_gives_nothing(tmp_path: Path, learners: list[Learner]) -> None:
    first, second = tmp_path / "first.gz", tmp_path / "second.gz"
    moved = archive.archive(first, NOW)
    archive.restore(first)
    archive.archive(second, NOW)
    assert archive.restore(first) == Moved(0, 0, moved.answers)
    assert archive.restore(second) == moved


# Who is gone


def test_answers_of_a_deleted_account_never_come_back(file: Path) -> None:
    account = Account.objects.create_user("Lan", "a long password")
    gone, stays = Learner.objects.create(account=account), Learner.objects.create()
    for n, learner in enumerate((gone, stays)):
        practise(learner, n, 30)
    moved = archive.archive(file, NOW)
    client = Client()
    client.post("/en/account/sign-in/", {"name": "Lan", "password": "a long password"})
    client.post("/en/account/delete/", {"old": "a long password"})
    assert not Account.objects.exists()
    assert not Archived.objects.filter(whose=gone.pk).exists()
    theirs = sum(line.get("learner_id") == gone.pk for line in lines(file))
    assert theirs
    assert archive.restore(file) == Moved(moved.answers - theirs, 1, theirs)
    assert set(Attempt.objects.values_list("learner", flat=True)) == {stays.pk}


def test_a_purged_archive_holds_nothing_of_those_who_are_gone(file: Path, learners: list[Learner]) -> None:
    before = archive.archive(file, NOW)
    gone = learners[1].pk
    learners[1].delete()
    kept = archive.purge(file)
    assert kept.answers + kept.gone == before.answers
    assert {line["learner_id"] for line in lines(file)[1:]} == {one.pk for one in learners} - {gone, None}
    assert file.stat().st_mode & 0o777 == 0o600
    assert archive.restore(file) == Moved(kept.answers, 4)
    archive.purge(file)
    assert not file.exists()


def test_an_archive_holds_no_names(file: Path, room: Classroom) -> None:
    Classroom.objects.update(archived=NOW - 740 * DAY)
    names = [*Account.objects.values_list("name", flat=True), *Member.objects.values_list("name", flat=True)]
    archive.archive(file, NOW)
    text = gzip.decompress(file.read_bytes()).decode()
    assert len(names) == 8
    assert not [name for name in (*names, room.name) if f'"{name}"' in text]
    assert file.stat().st_mode & 0o777 == 0o600


# The command


def told(*arguments: Any, **options: Any) -> str:
    out = StringIO()
    call_command("archive", *arguments, stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def practised(learners: list[Learner]) -> int:
    return archive.old(timezone.now()).count()


def test_the_command_moves_answers_there_and_back(
    file: Path, practised: int, learners: list[Learner]
) -> None:
    before = rows()
    assert told(file, dry_run=True) == f"{practised} answers would go.\n"
    assert rows() == before
    assert told(file) == f"{practised} answers of 5 learners are in the file.\n"
    with pytest.raises(CommandError, match="there already"):
        told(file)
    assert "of 1 learners are back" in told(file, restore=True, learner=learners[2].pk)
    assert "of 4 learners stay in the file.\n" in told(file, purge=True)
    assert "of 4 learners are back.\n" in told(file, restore=True)
    assert rows() == before
    assert "answers of 5 learners" in told(file.with_suffix(".new"), days=100)


def test_the_command_says_what_is_amiss(file: Path) -> None:
    with pytest.raises(CommandError, match="100 days at least"):
        told(file, days=99)
    with pytest.raises(CommandError, match="There is no file"):
        told(file, restore=True)
    file.write_text("something else")
    with pytest.raises(CommandError, match="no archive of answers"):
        told(file, restore=True)
    with pytest.raises(CommandError, match="no archive of answers"):
        told(file, purge=True)
    learner = Learner.objects.create()
    store([answer(learner, at=LONG_AGO, run=run_of(learner, LONG_AGO))])
    with pytest.raises(CommandError, match="can't be written"):
        told(file / "below")
    assert Attempt.objects.count() == 1
    assert not Card.objects.exists()
