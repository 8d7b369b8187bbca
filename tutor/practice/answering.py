"""Keeping answers: one for each place where a question was asked, whatever is sent twice."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.http import Http404, HttpRequest
from django.utils import timezone

import rules
from rules import HandError
from tutor.content import picked
from tutor.content.build import pages_of
from tutor.content.source import Fault
from tutor.lessons.tries import Try
from tutor.people import learners
from tutor.people.models import Learner
from tutor.practice import reviews
from tutor.practice.models import Attempt, Run
from tutor.practice.runs import Round
from tutor.puzzles.hints import MOST
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import NoPuzzleError, Puzzle

SHOWN = MOST + 1  # the help of one whose solution was shown
LONGEST = 3600  # seconds: whoever took longer was elsewhere


class Place(NamedTuple):
    """Where a question is asked: in a run, at a number, or by itself."""

    puzzle: Puzzle
    run: Run | None = None
    number: int | None = None

    @property
    def slot(self) -> str:
        """The place as text, one of a kind for a learner."""
        return f"{self.run.pk}:{self.number}" if self.run else self.puzzle.id


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
    game, node, kind = puzzle.game, kept.question, KINDS.get(kept.kind)
    if kind is None or kept.topic not in pages_of(game):
        raise NoPuzzleError(kept.puzzle)
    usual = rules.rulesets()[game.key]
    try:
        level = picked.level_of(node.get("kind", kind.key), node, usual, dict(game.house.chosen))
        level = replace(level, prompt=kind.asks(node, game), takes_nothing=kind.takes_nothing)
    except (Fault, HandError, LookupError):
        raise NoPuzzleError(kept.puzzle) from None
    return replace(
        puzzle,
        kind=kind,
        number=kept.level,
        topic=kept.topic,
        level=level,
        node=node,
        hand=node.get("hand") or node.get("deal"),
        form=kept.form,
        note=None,
    )


def found(learner_id: int | None, slot: str) -> Attempt | None:
    """What is kept of a question so far; one query, none for somebody new."""
    if learner_id is None:
        return None
    return Attempt.objects.filter(learner_id=learner_id, slot=slot).first()


def keep(
    request: HttpRequest,
    place: Place,
    attempt: Try,
    *,
    here: Round | None = None,
    hints: int = 0,
    seconds: int | None = None,
) -> Kept:
    """Keeps an answer, or that the solution was shown; the first one stays. Raises Http404 where all that
    was kept of the learner is gone.

    here: the round that the question stands in, which ends with its last answer. hints: how many the page
    showed.
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
        if here is not None:
            here.close(kept)
        if learner.reviews:
            reviews.note(kept, place.run.mode if place.run else "")
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
    known = learners.of(request)
    learner = learners.resolve(known) if known is not None else None
    if learner is None:
        is_round_gone = place is not None and place.run is not None
        if is_round_gone or (known is not None and not _has_session(request)):
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
            "run": place.run,
            "number": place.number,
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
