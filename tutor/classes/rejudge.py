"""A class's answers judged again, by the rules of now. Nothing changes until a teacher says so.

A judging is a job in small pieces. Each piece looks at some answers, and is stored at once or, where somebody
else has stored that piece meanwhile, thrown away: whoever works at it, and however often it is broken off,
each answer is judged once. It goes by the house rules of the moment when it began, and begins anew where the
engine was renewed on the way. What follows from a judging that was accepted is counted in small pieces too.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

import rules
from rules import HandError
from tutor.classes import handing, working
from tutor.classes.models import Assignment, Change, Classroom, Judging
from tutor.people.models import Learner
from tutor.practice import reviews
from tutor.practice.answering import SHOWN
from tutor.practice.models import Attempt
from tutor.puzzles.puzzle import NoPuzzleError, Puzzle, stored

BATCH = 100  # answers that are stored at once
_PIECE = 0.5  # seconds after which a piece is stored, however few answers it holds
_WORKS, _REVIEWS = "works", "reviews"  # of an assignment, of a learner


def answers_of(classroom: Classroom) -> QuerySet[Attempt]:
    """The answers that were given in a class."""
    return Attempt.objects.filter(classroom=classroom, at__isnull=False, answer__isnull=False)


def undecided(classroom: Classroom) -> Judging | None:
    """The judging of a class that goes on, or waits for what becomes of it."""
    return classroom.judgings.filter(accepted=None, dropped=None).order_by("-pk").first()


def changes_of(judging: Judging) -> QuerySet[Change]:
    """What a judging found of answers that are the class's: not of those who have left."""
    return judging.changes.filter(attempt__classroom=judging.classroom_id)


def begin(classroom: Classroom, asked_by: str) -> Judging:
    """A judging of all that a class has answered; the one there is, while that is undecided."""
    with transaction.atomic():
        locked = Classroom.objects.select_for_update().get(pk=classroom.pk)
        return undecided(locked) or Judging.objects.create(
            classroom=locked,
            asked_by=asked_by,
            options=locked.options,
            rules=rules.VERSION,
            begun=timezone.now(),
            total=answers_of(locked).count(),
        )


def go_on(judging: Judging, *, seconds: float | None = None, rows: int | None = None) -> Judging:
    """Judges, or counts what follows, for about so many seconds or so many answers, else to the end. Returns
    how it stands then."""
    ends = None if seconds is None else time.monotonic() + seconds
    cache: dict[Any, Puzzle | None] = {}
    judging = Judging.objects.select_related("classroom").get(pk=judging.pk)
    while is_going(judging) and (rows is None or rows > 0):
        seen = judging.seen
        if judging.finished is None:
            judging = _piece(judging, min(BATCH, rows or BATCH), ends, cache)
        else:
            judging = _followed(judging)
        if rows is not None:
            rows -= max(judging.seen - seen, 0)
        if ends is not None and time.monotonic() >= ends:
            break
    return judging


def is_going(judging: Judging) -> bool:
    """Whether there is anything left to judge, or to count."""
    return judging.dropped is None and (judging.finished is None or bool(judging.follows))


def _piece(judging: Judging, size: int, ends: float | None, cache: dict[Any, Puzzle | None]) -> Judging:
    """One piece of a judging, or nothing where another was stored meanwhile. Returns how it stands then."""
    played = as_begun(judging)
    ends = min(ends or time.monotonic() + _PIECE, time.monotonic() + _PIECE)
    after = 0 if judging.rules != rules.VERSION else judging.last
    found = answers_of(judging.classroom).filter(pk__gt=after).select_related("asked", "board")
    looked_at: list[Attempt] = []
    changes: list[Change] = []
    is_last = True
    for attempt in found.order_by("pk")[: size + 1]:
        if looked_at and (len(looked_at) == size or time.monotonic() >= ends):
            is_last = False
            break
        looked_at.append(attempt)
        change = _changed(attempt, played, cache)
        if change is not None:
            changes.append(change)
    with transaction.atomic():
        now = Judging.objects.select_for_update().get(pk=judging.pk)
        now.classroom = judging.classroom
        if (now.last, now.rules, now.finished, now.dropped) != (judging.last, judging.rules, None, None):
            return now
        if now.rules != rules.VERSION:
            now.changes.all().delete()
            now.seen, now.rules = 0, rules.VERSION
        # Whoever ended their account meanwhile took their answers along.
        locked = Attempt.objects.select_for_update().filter(pk__in=[one.attempt_id for one in changes])
        there = set(locked.order_by("pk").values_list("pk", flat=True))
        changes = [change for change in changes if change.attempt_id in there]
        for change in changes:
            change.judging = now
        Change.objects.bulk_create(changes)
        now.seen += len(looked_at)
        now.last = looked_at[-1].pk if looked_at else after
        now.total = max(now.total, now.seen)
        if is_last:
            now.total, now.finished = now.seen, timezone.now()
        now.save()
        return now


def as_begun(judging: Judging) -> Classroom:
    """The class with the house rules that it had when a judging began."""
    now = judging.classroom
    return Classroom(pk=now.pk, game=now.game, options=judging.options)


def _changed(attempt: Attempt, classroom: Classroom, cache: dict[Any, Puzzle | None]) -> Change | None:
    """What changes of an answer, None where nothing does."""
    puzzle = asked_again(attempt, classroom, cache)
    if puzzle is None:
        is_right = None
    elif attempt.help == SHOWN:
        is_right = False
    else:
        is_right = puzzle.level.is_right(frozenset(attempt.answer))
    if is_right is bool(attempt.is_right):
        return None
    return Change(
        attempt=attempt, was_right=bool(attempt.is_right), was_rules=attempt.rules, is_right=is_right
    )


def asked_again(
    attempt: Attempt, classroom: Classroom, cache: dict[Any, Puzzle | None] | None = None
) -> Puzzle | None:
    """The question of an answer as a class plays, None where it can't be asked any more."""
    cache = {} if cache is None else cache
    key = _key(attempt)
    if key not in cache:
        try:
            cache[key] = _asked_again(attempt, classroom)
        except (NoPuzzleError, HandError):  # a kind, a rule or a house rule that there is no more
            cache[key] = None
    return cache[key]


def _asked_again(attempt: Attempt, classroom: Classroom) -> Puzzle:
    kept = attempt.asked or attempt.board
    if kept is not None:
        return handing.asked_by(kept, classroom)
    if attempt.game not in rules.rulesets():
        raise NoPuzzleError(attempt.puzzle)
    return stored(
        attempt.puzzle,
        attempt.kind,
        classroom.played(attempt.game),
        number=attempt.level,
        topic=attempt.topic,
        node=attempt.question,
        form=attempt.form,
    )


def _key(attempt: Attempt) -> tuple[object, ...]:
    if attempt.asked_id or attempt.board_id:
        return attempt.asked_id, attempt.board_id
    return attempt.puzzle, attempt.game, attempt.kind, attempt.topic, json.dumps(attempt.question)


def accept(judging: Judging) -> bool:
    """Takes over what a finished judging found. Returns whether it was done now.

    An answer that was changed since stays as it is, and so does one that can't be asked any more. Works and
    reviews follow with `go_on`.
    """
    with transaction.atomic():
        now = Judging.objects.select_for_update().get(pk=judging.pk)
        if now.finished is None or now.accepted is not None or now.dropped is not None:
            return False
        touched = changes_of(now).filter(is_right__isnull=False)
        learners = list(_learners(touched))  # before their answers, as whoever changes several of those does
        for was_right in (True, False):
            changed = touched.filter(was_right=was_right, is_right=not was_right).values("attempt")
            Attempt.objects.filter(pk__in=changed, is_right=was_right).update(
                is_right=not was_right, rules=now.rules
            )
        now.follows = [[_WORKS, key] for key in _assignments(touched)]
        now.follows += [[_REVIEWS, key] for key in learners]
        now.following = len(now.follows)
        now.accepted = timezone.now()
        now.save(update_fields=["accepted", "follows", "following"])
        return True


def _assignments(changes: QuerySet[Change]) -> Iterable[int]:
    """The assignments whose works have other numbers now."""
    keys = changes.filter(attempt__work__isnull=False).values("attempt__work__assignment")
    return Assignment.objects.filter(pk__in=keys).order_by("pk").values_list("pk", flat=True)


def _learners(changes: QuerySet[Change]) -> Iterable[int]:
    """Whose reviews follow from the answers; locked until the transaction ends."""
    keys = changes.values("attempt__learner")
    locked = Learner.objects.select_for_update().filter(pk__in=keys, reviews=True)
    return locked.order_by("pk").values_list("pk", flat=True)


def _followed(judging: Judging) -> Judging:
    """Counts the next thing that follows, an assignment's works or a learner's reviews. Each comes from the
    answers alone: that somebody answers meanwhile, or that it is counted twice, makes no difference."""
    with transaction.atomic():
        now = Judging.objects.select_for_update().get(pk=judging.pk)
        now.classroom = judging.classroom
        if now.follows:
            what, key = now.follows.pop(0)
            if what == _WORKS:
                for assignment in Assignment.objects.filter(pk=key):
                    working.recount(assignment)
            else:
                for learner in Learner.objects.select_for_update().filter(pk=key, reviews=True):
                    reviews.rebuild(learner)
            now.save(update_fields=["follows"])
        return now


def drop(judging: Judging) -> bool:
    """Leaves everything as it was, and breaks a judging off that goes on. Returns whether it was done now."""
    left = Judging.objects.filter(pk=judging.pk, accepted=None, dropped=None)
    return bool(left.update(dropped=timezone.now()))
