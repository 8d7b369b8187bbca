"""Which rules come up again, and when: spaced by FSRS on what was missed.

What is spaced is a rule in one kind of question, never a hand: each review is a fresh one. Only what was
missed is reviewed, and only where somebody asked for it. A card follows from the answers alone, so it can be
made anew from them at any time.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, cast

import fsrs
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tutor.people.models import Learner
from tutor.practice import traces
from tutor.practice.models import Attempt, Card, told
from tutor.practice.traces import REVIEW as REVIEW
from tutor.practice.traces import Trace

_SCHEDULER = fsrs.Scheduler(
    learning_steps=(timedelta(minutes=10),),
    relearning_steps=(timedelta(minutes=10),),
    enable_fuzzing=False,  # the same answers give the same days
)


def due(learner_id: int, now: datetime) -> QuerySet[Card]:
    """The cards that are due, the longest due first."""
    return Card.objects.filter(learner_id=learner_id, due__lte=now).order_by("due", "pk")


def note(attempt: Attempt, mode: str) -> None:
    """Takes an answer into account: a miss makes a card or sets one back, an answer in a review moves one on.

    To be called in the transaction that stores the answer, for a learner who has reviews.
    """
    if attempt.at is None:
        return
    known = Card.objects.filter(
        learner_id=attempt.learner_id, game=attempt.game, topic=attempt.topic, kind=attempt.kind
    ).first()
    card = _after(known, attempt.learner_id, traces.of(attempt, mode))
    if card is not None:
        card.save()


def catch_up(learner: Learner, now: datetime) -> None:
    """Takes into account what it was not told yet that it is right or wrong, and is by now."""
    told_since = learner.attempts.filter(visible__lte=now)
    if told_since.exists():
        with transaction.atomic():
            locked = Learner.objects.select_for_update().get(pk=learner.pk)
            told_since.update(visible=None)
            rebuild(locked)


def rebuild(learner: Learner) -> None:
    """Makes all cards anew from the answers that are kept, and from what stays of those in archives."""
    cards: dict[tuple[str, str, str], Card] = {}
    answered = learner.attempts.filter(told(timezone.now()), at__isnull=False)
    for one in traces.in_order(answered, learner.archived.all()):
        card = _after(cards.get(one.rule), learner.pk, one)
        if card is not None:
            cards[one.rule] = card
    learner.cards.all().delete()
    Card.objects.bulk_create(cards.values())


def clear(learner: Learner) -> None:
    """Nothing is reviewed any more."""
    learner.cards.all().delete()


def _after(card: Card | None, learner_id: int, answer: Trace) -> Card | None:
    """A card after an answer; None where the answer makes none and changes none."""
    if not answer.is_right:
        rating = fsrs.Rating.Again
    elif card is not None and answer.is_review:
        rating = fsrs.Rating.Hard if answer.help else fsrs.Rating.Good
    else:
        return None
    known = _read(card.state) if card else fsrs.Card(card_id=0, due=answer.at)
    state, _ = _SCHEDULER.review_card(known, rating, answer.at)
    if card is None:
        card = Card(learner_id=learner_id, game=answer.game, topic=answer.topic, kind=answer.kind)
    card.state = dict(state.to_dict())
    card.due = state.due
    if not answer.is_right:
        card.missed = answer.at
    return card


def _read(state: Any) -> fsrs.Card:
    return fsrs.Card.from_dict(cast(Any, state))


def topics(cards: Iterable[Card]) -> list[dict[str, str]]:
    """Cards as a round keeps them."""
    return [
        {"game": c.game, "topic": c.topic, "kind": c.kind, "missed": c.missed.date().isoformat()}
        for c in cards
    ]
