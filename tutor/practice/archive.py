"""Old answers moved out of the database into a compressed file, and back.

The file is JSON lines: one that says which archive it is, then one an answer, in batches. Each batch is a
gzip member of its own, and on disk before its answers are deleted, in the transaction that also keeps their
traces (see `traces`): broken off anywhere, each answer is in the database or in the file, and one that is in
both comes back only once. For an answer comes back only as long as its learner has the traces that this very
archive left: whoever has deleted their account has none.

What stays: puzzles by themselves, whose pages say that they were answered; what is not told yet; and what was
answered in a class until that class has been closed as long as an answer is kept. A teacher of an open class
sees every answer, and may still change dates or have them judged again.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from tutor.classes.models import Board, Member, Question, Work
from tutor.people.models import Learner
from tutor.practice import traces
from tutor.practice.answering import SHOWN
from tutor.practice.models import Archived, Attempt, Run, told
from tutor.practice.runs import CLOCK, Round

DAYS = 730
LEAST_DAYS = 100  # progress draws the last twelve weeks from the answers themselves
_LEARNERS = 50  # whose answers are one batch
_ROWS = 500  # that one statement takes
_KIND = "paili answers"
_FIELDS = tuple(field.attname for field in Attempt._meta.concrete_fields)


class ArchiveError(Exception):
    """Why nothing was archived or not everything came back, in English for whoever runs the site."""


class Moved(NamedTuple):
    """How many answers were moved, of how many learners. gone: answers in the file that belong to nobody any
    more, or came back before."""

    answers: int
    learners: int
    gone: int = 0


def old(now: datetime, days: int = DAYS) -> QuerySet[Attempt]:
    """The answers that may go: given longer ago than so many days, and needed by nobody. Raises ArchiveError
    for fewer days than progress needs."""
    if days < LEAST_DAYS:
        raise ArchiveError(f"Answers are kept for {LEAST_DAYS} days at least.")
    before = now - timedelta(days=days)
    of_work = Q(work=None) | Q(work__assignment__classroom__archived__lt=before)
    of_board = Q(board=None) | Q(board__classroom__archived__lt=before)
    answered = Attempt.objects.filter(told(now), at__lt=before, is_right__isnull=False)
    return answered.filter(of_work, of_board).exclude(slot=F("puzzle"))


# Away


def archive(path: Path, now: datetime | None = None, days: int = DAYS) -> Moved:
    """Moves all old answers to a new file; without any there is no file. Raises ArchiveError."""
    among = old(now or timezone.now(), days)
    if path.exists():
        raise ArchiveError(f"{path} is there already.")
    name, answers, learners, last = uuid4().hex, 0, 0, 0
    everybody = Learner.objects.order_by("pk").values_list("pk", flat=True)
    while keys := list(everybody.filter(pk__gt=last)[:_ROWS]):
        last = keys[-1]
        having = sorted(set(among.filter(learner__in=keys).values_list("learner", flat=True)))
        for some in _pieces(having, _LEARNERS):
            moved = _batch(path, name, among, some)
            answers, learners = answers + moved.answers, learners + moved.learners
    return Moved(answers, learners)


def _batch(path: Path, name: str, among: QuerySet[Attempt], keys: list[int]) -> Moved:
    """Moves the answers of some learners: to the file, then out of the database."""
    with transaction.atomic():
        owners = Learner.objects.select_for_update().filter(pk__in=keys).order_by("pk")
        locked = list(owners.values_list("pk", flat=True))
        theirs = among.select_for_update(of=("self",)).filter(learner__in=locked)
        found = theirs.select_related("run").order_by("learner", "at", "pk")
        by_learner = {key: list(own) for key, own in groupby(found, key=lambda one: one.learner_id)}
        every = [attempt for own in by_learner.values() for attempt in own]
        if not every:
            return Moved(0, 0)
        if not path.exists():
            _append(path, [{"kind": _KIND, "archive": name}])
            _settle(path.parent)
        _append(path, ({field: getattr(one, field) for field in _FIELDS} for one in every))
        for key, own in by_learner.items():
            _leave_traces(name, key, own)
        for some in _pieces(one.pk for one in every):
            Attempt.objects.filter(pk__in=some).delete()
    return Moved(len(every), len(by_learner))


def _leave_traces(name: str, learner: int, own: list[Attempt]) -> None:
    kept = Archived.objects.create(
        learner_id=learner,
        archive=name,
        whose=learner,
        answers=len(own),
        trace=traces.packed(traces.of(one, one.run.mode if one.run else "") for one in own),
        clock=_best_clock(own),
    )
    kept.works.set({one.work_id for one in own if one.work_id})


def _best_clock(own: Iterable[Attempt]) -> int | None:
    """The most right answers in time of a round against the clock, None without such a round."""
    right: Counter[int] = Counter()
    for one in own:
        if one.run is not None and one.run.mode == CLOCK:
            in_time = not Round(one.run).is_late(one)
            right[one.run.pk] += in_time and bool(one.is_right) and one.help < SHOWN
    return max(right.values(), default=None)


def _append(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """Writes lines at the end of a file, and waits until they are on disk."""
    text = "".join(f"{json.dumps(line, ensure_ascii=False, cls=_Exact)}\n" for line in lines)
    try:
        # For nobody else to read: it says what learners did.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab") as file:
            file.write(gzip.compress(text.encode()))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise ArchiveError(f"{path} can't be written: {error.strerror}.") from None


class _Exact(DjangoJSONEncoder):
    """JSON with times as they are stored, to the microsecond."""

    def default(self, o: Any) -> Any:
        """A time as text."""
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


def _settle(folder: Path) -> None:
    """Waits until the names in a folder are on disk."""
    there = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(there)
    finally:
        os.close(there)


# Back


def restore(path: Path, learner: int | None = None) -> Moved:
    """Brings back the answers of a file, or of one learner, as far as they still belong to somebody.

    Nothing comes back twice. Raises ArchiveError for what is no such file, and where some are missing in it,
    after the others came back.
    """
    name, lines = _read(path)
    answers = learners = gone = 0
    owner = Q(learner=learner) if learner is not None else Q()
    for whose, own in groupby(lines, key=lambda line: int(line["learner_id"])):
        rows = list(own)
        if _come_back(name, whose, rows, owner):
            answers, learners = answers + len(rows), learners + 1
        elif learner is None:
            gone += len(rows)
    left = Archived.objects.filter(owner, archive=name)
    if left.exists():
        short = sum(left.values_list("answers", flat=True))
        raise ArchiveError(f"{path} is not whole: {short} answers are missing in it. The others are back.")
    return Moved(answers, learners, gone)


def _come_back(name: str, whose: int, rows: list[dict[str, Any]], owner: Q) -> bool:
    """Brings one learner's answers back in the place of their traces. False where there are none."""
    with transaction.atomic():
        traced = Archived.objects.filter(owner, archive=name, whose=whose)
        found = Learner.objects.select_for_update().filter(archived__in=traced).first()
        kept = traced.filter(learner=found).first() if found else None
        if found is None or kept is None:
            return False
        if len(rows) != kept.answers:  # the file ends among them
            return False
        Attempt.objects.bulk_create(_attempts(found, rows), batch_size=_ROWS)
        kept.delete()
    return True


def _attempts(learner: Learner, rows: list[dict[str, Any]]) -> list[Attempt]:
    """Answers as they go into the table: what they belonged to may be gone, and their key or slot taken."""
    there = {
        "run_id": _still(Run.objects.all(), rows, "run_id"),
        "work_id": _still(Work.objects.all(), rows, "work_id"),
        "asked_id": _still(Question.objects.all(), rows, "asked_id"),
        "board_id": _still(Board.objects.all(), rows, "board_id"),
    }
    rooms = set(Member.objects.filter(learner=learner, left=None).values_list("classroom", flat=True))
    taken = _still(Attempt.objects.all(), rows, "id")
    slots = {row["slot"] for row in rows}
    twice = {
        slot
        for some in _pieces(slots)
        for slot in Attempt.objects.filter(learner=learner, slot__in=some).values_list("slot", flat=True)
    }
    made = []
    for row in rows:
        one = Attempt(**{**row, "learner_id": learner.pk, "at": parse_datetime(row["at"])})
        one.visible = parse_datetime(row["visible"]) if row["visible"] else None
        for field, keys in there.items():
            if row[field] not in keys:
                setattr(one, field, None)
        if one.classroom_id not in rooms:
            one.classroom_id = None
        if one.pk in taken:
            one.pk = None
        if one.slot in twice:
            mark = f"~{row['id']}"
            one.slot = f"{one.slot[: 1000 - len(mark)]}{mark}"
        made.append(one)
    return made


def _still(among: QuerySet[Any], rows: Iterable[dict[str, Any]], field: str) -> set[int]:
    """Which of the keys that rows name are there."""
    keys = {row[field] for row in rows if row[field]}
    return {key for some in _pieces(keys) for key in among.filter(pk__in=some).values_list("pk", flat=True)}


def _pieces(keys: Iterable[Any], size: int = _ROWS) -> Iterator[list[Any]]:
    every = sorted(keys)
    return (every[start : start + size] for start in range(0, len(every), size))


def _read(path: Path) -> tuple[str, Iterator[dict[str, Any]]]:
    """The name of an archive, and its answers. Where writing was broken off, up to there."""
    lines = _lines(path)
    head = next(lines, {})
    if head.get("kind") != _KIND:
        raise ArchiveError(f"{path} is no archive of answers.")
    return head["archive"], lines


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)
    except FileNotFoundError:
        raise ArchiveError(f"There is no file {path}.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile, ValueError):
        return  # what follows was never deleted, or is found missing


# Those who are gone


def purge(path: Path) -> Moved:
    """Writes a file anew without the answers that belong to nobody any more, or came back. Raises
    ArchiveError."""
    name, lines = _read(path)
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    answers = learners = gone = 0
    _append(part, [{"kind": _KIND, "archive": name}])
    for whose, own in groupby(lines, key=lambda line: int(line["learner_id"])):
        rows = list(own)
        if Archived.objects.filter(archive=name, whose=whose).exists():
            _append(part, rows)
            answers, learners = answers + len(rows), learners + 1
        else:
            gone += len(rows)
    if sum(Archived.objects.filter(archive=name).values_list("answers", flat=True)) != answers:
        part.unlink()
        raise ArchiveError(f"{path} is not whole: answers are missing in it. It stays as it was.")
    if answers:
        part.replace(path)
    else:
        part.unlink()
        path.unlink()
    _settle(path.parent)
    return Moved(answers, learners, gone)
