"""A student's work: begun, answered question by question, counted, and told how it went.

The numbers that lists show are kept with the work, and follow from the answers alone: whatever changes an
answer, a date or a part counts them anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from random import SystemRandom
from typing import Any, ClassVar, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse

from rules import Text
from tutor.classes import dates, handing
from tutor.classes.models import CHAPTER, HALF, Assignment, Extension, Member, Part, Question, Work
from tutor.people.models import Learner, Progress
from tutor.practice import reviews
from tutor.practice.answering import Place
from tutor.practice.models import Attempt
from tutor.puzzles.puzzle import MOST_SEEDS
from tutor.puzzles.stock import stock

_LATE = Text("This came after the due date.", "这道题过了截止时间才交。")


class NothingAskedError(LookupError):
    """There is no question to answer."""


class Result(NamedTuple):
    """What somebody has done of an assignment. done, of: questions and chapters. points, full: two for each.

    late: how many answers came late.
    """

    done: int = 0
    of: int = 0
    points: int = 0
    full: int = 0
    late: int = 0
    pass_mark: int | None = None

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return self.of > 0 and self.done >= self.of

    @property
    def percent(self) -> int:
        """The share of the points, rounded down: a pass mark is reached or not."""
        return 100 * self.points // self.full if self.full else 0

    @property
    def is_passed(self) -> bool | None:
        """Whether the pass mark is reached, None where there is none."""
        return None if self.pass_mark is None else self.percent >= self.pass_mark


def chapter_places(parts: Iterable[Part]) -> list[str]:
    """The places of the chapters among parts, as progress knows them."""
    return [f"{part.game}/{part.data['slug']}" for part in parts if part.kind == CHAPTER]


def result_of(assignment: Assignment, work: Work | None, size: int, read: int, chapters: int) -> Result:
    """What somebody has done. size: how many questions there are for whoever has not begun. read: how many of
    its chapters they have."""
    answered = work.answered if work else 0
    size = work.total if work else size
    return Result(
        done=answered + read,
        of=size + chapters,
        points=(work.points if work else 0) + 2 * read,
        full=2 * (size + chapters),
        late=work.late if work else 0,
        pass_mark=assignment.pass_mark,
    )


def best(works: Iterable[Work]) -> Work | None:
    """The work that counts: the one with the most points, of several such the furthest, then the first."""
    return max(works, key=lambda work: (work.points, work.answered, -work.number), default=None)


def extended(assignment: Assignment, member: Member) -> datetime | None:
    """The due date that a member has instead of the assignment's, if any."""
    found = Extension.objects.filter(assignment=assignment, member=member)
    return found.values_list("due", flat=True).first()


def told_from(assignment: Assignment) -> datetime | None:
    """From when an assignment's answers are told, None for at once."""
    present = assignment.extensions.filter(member__left=None)
    return dates.told_from(assignment, present.values_list("due", flat=True))


def can_begin(assignment: Assignment, works: Iterable[Work]) -> bool:
    """Whether one more try is allowed: all before it are finished, and there may be another."""
    begun = list(works)
    return all(work.finished for work in begun) and (not assignment.tries or len(begun) < assignment.tries)


def begin(assignment: Assignment, member: Member, now: datetime) -> Work:
    """A member's try that goes on, or a new one. Raises Http404 where none is allowed any more,
    NothingAskedError where it would ask nothing."""
    with transaction.atomic():
        # The assignment first, as whoever changes it does: two who lock can't wait for each other.
        given = Assignment.objects.select_for_update().filter(pk=assignment.pk, opens__isnull=False)
        present = Member.objects.select_for_update().filter(pk=member.pk, left=None)
        if not given.exists() or not present.exists():
            raise Http404
        works = list(Work.objects.filter(assignment=assignment, member=member).order_by("number"))
        going = next((work for work in works if work.finished is None), None)
        if going is not None:
            return going
        if not can_begin(assignment, works):
            raise Http404
        seed = SystemRandom().randrange(MOST_SEEDS)
        work = Work.objects.create(
            assignment=assignment, member=member, number=len(works) + 1, seed=seed, started=now
        )
        parts = list(assignment.parts.order_by("place", "pk"))
        for part in parts:
            if handing.is_own_for_each(part):
                handing.hand_out(part, assignment.classroom, work.seed + part.pk, stock(), work)
        work.total = sum(not question.is_void for question in handing.questions_of(assignment, work))
        if not work.total:
            raise NothingAskedError
        work.save(update_fields=["total"])
        return work


def count(work: Work, assignment: Assignment, due: datetime | None) -> None:
    """Counts a work anew from its answers, and stores the numbers. due: for whoever does it."""
    here = Work.objects.select_for_update().exclude(pk__in=_archived(pk=work.pk))
    if not (found := here.filter(pk=work.pk).first()):
        return
    work = found
    answered = work.attempts.filter(asked__isnull=False, at__isnull=False)
    _count(work, assignment, due, answered.values_list("is_right", "at"))
    work.save(update_fields=["answered", "right", "late", "points", "finished", "total"])


def recount(assignment: Assignment) -> None:
    """Counts all works of an assignment anew, after a change of dates, parts or answers."""
    # Locked before the answers are read, or one that comes in meanwhile might not be counted.
    here = Work.objects.select_for_update().exclude(pk__in=_archived(assignment=assignment))
    works = list(here.filter(assignment=assignment).order_by("pk"))
    extensions = dict(assignment.extensions.values_list("member", "due"))
    answered = Attempt.objects.filter(work__assignment=assignment, asked__isnull=False, at__isnull=False)
    by_work: dict[int, list[tuple[bool | None, datetime | None]]] = {}
    own: Counter[int] = Counter()
    for key, is_right, at, is_void in answered.values_list("work", "is_right", "at", "asked__is_void"):
        by_work.setdefault(key or 0, []).append((is_right, at))
        own[key or 0] += is_void  # answered while it could be asked
    shared = Question.objects.filter(part__assignment=assignment, work=None, is_void=False).count()
    for key in Question.objects.filter(work__assignment=assignment, is_void=False).values_list(
        "work", flat=True
    ):
        own[key or 0] += 1
    for work in works:
        work.total = shared + own[work.pk]
        due = dates.due_of(assignment, extensions.get(work.member_id))
        _count(work, assignment, due, by_work.get(work.pk, ()))
    Work.objects.bulk_update(
        works, ["answered", "right", "late", "points", "finished", "total"], batch_size=100
    )


def _archived(**those: Any) -> QuerySet[Work]:
    """The works among those of which answers are in an archive: their numbers stay, for what they would be
    counted from is not there."""
    return Work.objects.filter(archived__isnull=False, **those)


def _count(
    work: Work,
    assignment: Assignment,
    due: datetime | None,
    answers: Iterable[tuple[bool | None, datetime | None]],
) -> None:
    work.answered = work.right = work.late = work.points = 0
    latest = None
    for is_right, at in answers:
        late = at is not None and dates.is_late(due, at)
        work.answered += 1
        work.right += bool(is_right)
        work.late += late
        work.points += (1 if late and assignment.late == HALF else 2) if is_right else 0
        latest = at if latest is None or (at and at > latest) else latest
    if work.answered >= work.total and latest is not None:
        work.finished = work.finished or latest
    else:
        work.finished = None


def note_void(question: Question, *, is_void: bool) -> None:
    """Notes that a question can't be asked any more, or can be again, and counts anew what that changes."""
    if question.is_void is not is_void:
        with transaction.atomic():
            Question.objects.filter(pk=question.pk).update(is_void=is_void)
            recount(question.part.assignment)


def seal(assignment: Assignment) -> None:
    """Stores with each answer from when it is told; after a change of dates, of extensions or of the way.

    What is told now, or is not any more, changes the reviews of those who have some.
    """
    whose = Work.objects.filter(assignment=assignment).values("member__learner")
    # Before their answers, as whoever answers does: two who lock can't wait for each other.
    learners = list(Learner.objects.select_for_update().filter(pk__in=whose, reviews=True).order_by("pk"))
    Attempt.objects.filter(work__assignment=assignment).update(visible=told_from(assignment))
    for learner in learners:
        reviews.rebuild(learner)


def read(member: Member, places: Iterable[str]) -> set[str]:
    """Which of some chapters a member has read."""
    done = Progress.objects.filter(learner=member.learner_id, place__in=list(places), is_done=True)
    return set(done.values_list("place", flat=True))


@dataclass(frozen=True)
class InWork(Place):
    """A question of a work. kept: the question as it was handed out. number: its place in all, from 1.
    length: how many there are. due: for whoever works. told: from when it is told what is right, None for at
    once. now: when it is looked at."""

    is_handed_in: ClassVar[bool] = True

    work: Work
    assignment: Assignment
    kept: Question
    number: int
    length: int
    due: datetime | None
    told: datetime | None
    now: datetime

    @property
    def has_hints(self) -> bool:
        """As the assignment says."""
        return self.assignment.has_hints

    @property
    def is_sealed(self) -> bool:
        """Until the assignment's answers are told."""
        return self.told is not None and self.now < self.told

    @property
    def slot(self) -> str:
        """The work and the question."""
        return f"work:{self.work.pk}:{self.kept.pk}"

    @property
    def address(self) -> str:
        """The page of the question in this work."""
        return self._at(self.number)

    def _at(self, number: int) -> str:
        keys = [self.assignment.classroom_id, self.assignment.pk, self.work.number, number]
        return reverse("class-question", args=keys)

    @property
    def back(self) -> str:
        """The page of the work."""
        return reverse("class-work", args=[self.assignment.classroom_id, self.assignment.pk])

    def row(self) -> dict[str, Any]:
        """Where in the class it is asked. Raises Http404 for whoever is not in it any more, and where the
        question was taken out."""
        here = Work.objects.filter(pk=self.work.pk, member__left=None)
        if not here.exists() or not Question.objects.filter(pk=self.kept.pk).exists():
            raise Http404
        return {
            "number": self.number,
            "work": self.work,
            "asked": self.kept,
            "classroom": self.assignment.classroom,
            "visible": self.told,
        }

    def done(self, kept: Attempt) -> None:
        """Counts it."""
        count(self.work, self.assignment, self.due)

    def remark(self, kept: Attempt) -> Text | None:
        """That it is late, where it is."""
        return _LATE if kept.at is not None and dates.is_late(self.due, kept.at) else None

    def context(self, now: datetime, *, is_answered: bool) -> Mapping[str, Any]:
        """Where it stands in the assignment, and what follows."""
        is_last = self.number >= self.length
        return {
            "classroom": self.assignment.classroom,
            "assignment": self.assignment,
            "back": self.back,
            "number": self.number,
            "length": self.length,
            "next": self.back if is_last else self._at(self.number + 1),
            "leads": "assignment" if is_last else "question",
            "told": self.told,
            "due": self.due,
        }
