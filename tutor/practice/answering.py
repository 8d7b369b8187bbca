"""Keeping answers: one for each place where a question was asked, whatever is sent twice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, NamedTuple, Self

from django.db import transaction
from django.http import Http404, HttpRequest
from django.utils import timezone

import rules
from rules import Text
from tutor.lessons.tries import Try
from tutor.people import learners
from tutor.people.models import Learner
from tutor.practice import reviews
from tutor.practice.models import Attempt
from tutor.puzzles.hints import MOST
from tutor.puzzles.puzzle import Puzzle, stored

SHOWN = MOST + 1  # the help of one whose solution was shown
LONGEST = 3600  # seconds: whoever took longer was elsewhere


@dataclass(frozen=True)
class Place:
    """Where a question is asked, and what comes of an answer there. This one: by itself.

    can_repeat: whether it may be answered once more, for nothing. is_for_anybody: whether somebody new may
    answer, of whom nothing is kept yet. is_handed_in: whether it is answered for a class, once and for all.
    """

    puzzle: Puzzle

    can_repeat: ClassVar[bool] = False
    is_for_anybody: ClassVar[bool] = False
    is_handed_in: ClassVar[bool] = False

    @property
    def has_hints(self) -> bool:
        """Whether hints may be looked at."""
        return True

    @property
    def has_solution(self) -> bool:
        """Whether the solution may be looked at, which counts as an answer."""
        return not self.is_sealed

    @property
    def is_sealed(self) -> bool:
        """Whether it is not told yet what is right."""
        return False

    @property
    def slot(self) -> str:
        """The place as text, one of a kind for a learner."""
        raise NotImplementedError

    @property
    def address(self) -> str:
        """Where its page is."""
        raise NotImplementedError

    @property
    def mode(self) -> str:
        """The mode of the round that it is in, "" where it is in none."""
        return ""

    def row(self) -> dict[str, Any]:
        """What is stored with an answer of where it was given. Raises Http404 where nobody can answer here
        any more. In the transaction that keeps it."""
        return {}

    def done(self, kept: Attempt) -> None:
        """What else changes with an answer; in the transaction that keeps it."""

    def after(self, kept: Attempt) -> Self:
        """The place with an answer that was kept there."""
        return self

    def remark(self, kept: Attempt) -> Text | None:
        """A word on an answer that is kept here, None for nothing special."""
        return None

    def context(self, now: datetime, *, is_answered: bool) -> Mapping[str, Any]:
        """What the page says of the place, beside the question."""
        return {}


class Kept(NamedTuple):
    """What is kept of a question now. is_new: whether this answer was kept; else another was there before
    it."""

    attempt: Attempt
    is_new: bool


def as_asked(puzzle: Puzzle, kept: Attempt | None) -> Puzzle:
    """A puzzle as it was asked when it was answered, where its id gives another one by now: content changes,
    and so do the makers of puzzles. Raises NoPuzzleError where it can't be asked any more."""
    if kept is None or kept.form == puzzle.form:
        return puzzle
    return stored(
        kept.puzzle,
        kept.kind,
        puzzle.game,
        number=kept.level,
        topic=kept.topic,
        node=kept.question,
        form=kept.form,
        title=puzzle.title,
    )


def found(learner_id: int | None, slot: str) -> Attempt | None:
    """What is kept of a question so far; one query, none for somebody new."""
    if learner_id is None:
        return None
    return Attempt.objects.filter(learner_id=learner_id, slot=slot).first()


def done(learner_id: int | None, slots: Iterable[str]) -> dict[str, bool | None]:
    """Which of some questions are answered, and whether rightly; one query, none for somebody new."""
    if learner_id is None:
        return {}
    answered = Attempt.objects.filter(learner_id=learner_id, slot__in=list(slots), at__isnull=False)
    return dict(answered.values_list("slot", "is_right"))


def keep(
    request: HttpRequest,
    place: Place,
    attempt: Try,
    *,
    hints: int = 0,
    seconds: int | None = None,
) -> Kept:
    """Keeps an answer, or that the solution was shown; the first one stays. Raises Http404 where all that
    was kept of the learner is gone.

    hints: how many the page showed. seconds: how long it took.
    """
    with transaction.atomic():
        learner = learner_of(request, place)
        kept = _opened(learner, place)
        if kept.at is not None:
            return Kept(kept, False)
        kept.help = SHOWN if attempt.is_shown else max(kept.help, min(hints, MOST))
        # With a group per item an answer is a list all the same; its order means nothing.
        kept.answer = sorted(attempt.answer)
        kept.is_right = bool(attempt.is_right) and not attempt.is_shown
        kept.seconds = None if seconds is None else max(0, min(seconds, LONGEST))
        kept.at = timezone.now()
        kept.rules = rules.VERSION
        kept.save()
        place.done(kept)
        if learner.reviews and kept.visible is None:
            reviews.note(kept, place.mode)
        return Kept(kept, True)


def hint(request: HttpRequest, place: Place) -> Attempt:
    """Keeps that one more hint was looked at. Raises Http404 as `keep` does."""
    with transaction.atomic():
        kept = _opened(learner_of(request, place), place)
        if kept.at is None and kept.help < MOST:
            kept.help += 1
            kept.save()
        return kept


def learner_of(request: HttpRequest, place: Place | None = None) -> Learner:
    """The learner behind a request, made where there is none; locked until the transaction ends.

    Raises Http404 where somebody has just had everything forgotten, and the round of the place with it.
    """
    learner = learners.locked(request)
    if learner is None:
        is_gone = place is not None and not place.is_for_anybody
        if is_gone or (learners.of(request) is not None and not _has_session(request)):
            raise Http404
        learner = Learner.objects.create()
        learners.become(request, learner)
    return learner


def _has_session(request: HttpRequest) -> bool:
    key = request.session.session_key
    return key is not None and request.session.exists(key)


def _opened(learner: Learner, place: Place) -> Attempt:
    """The row of a question, made where there is none; locked until the transaction ends."""
    puzzle = place.puzzle
    kept, _ = Attempt.objects.select_for_update().get_or_create(
        learner=learner,
        slot=place.slot,
        defaults={
            **place.row(),
            "puzzle": puzzle.id,
            "game": puzzle.game.key,
            "kind": puzzle.kind.key,
            "topic": puzzle.topic,
            "level": puzzle.number,
            "question": dict(puzzle.node),
            "form": puzzle.form,
            "rules": rules.VERSION,
        },
    )
    return kept


def taken(form_value: str, asked: str, now: datetime) -> int | None:
    """The seconds that an answer took: as the page counted them, else since it was made; None where
    neither is known."""
    if re.fullmatch(r"[0-9]{1,6}", form_value):
        return int(form_value)
    if re.fullmatch(r"[0-9]{1,11}", asked):
        since = now - datetime.fromtimestamp(int(asked), tz=now.tzinfo)
        return int(since.total_seconds()) if timedelta() <= since < timedelta(days=1) else None
    return None
