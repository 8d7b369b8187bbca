"""Two learners made one: what somebody did as a guest joins what is kept with their account."""

from __future__ import annotations

from tutor.people.models import Learner, Progress
from tutor.practice.models import Archived, Attempt, Card, Run

_LONGEST_SLOT = Attempt._meta.get_field("slot").max_length or 0


def merge(guest: Learner, into: Learner) -> None:
    """Gives all that is kept of a guest to another learner; of two states of one thing the better stays.

    Both are as `resolve` gave them, in the transaction that still goes on. The guest stays as a sign to
    where everything went. Places in classes are the account's alone: a guest has none.
    """
    _merge_progress(guest, into)
    _merge_attempts(guest, into)
    _merge_cards(guest, into)
    Run.objects.filter(learner=guest).update(learner=into)
    Archived.objects.filter(learner=guest).update(learner=into)
    into.reviews = into.reviews or guest.reviews
    into.hides_rating = into.hides_rating or guest.hides_rating
    into.save(update_fields=["reviews", "hides_rating"])
    guest.merged_into = into
    guest.save(update_fields=["merged_into"])


def _merge_progress(guest: Learner, into: Learner) -> None:
    """What is done stays done, and the latest time counts."""
    # Locked, for `note` changes a row that is there without asking whose it is by now.
    both = Progress.objects.select_for_update().filter(learner__in=(guest, into)).order_by("pk")
    rows: dict[int, dict[str, Progress]] = {guest.pk: {}, into.pk: {}}
    for row in both:
        rows[row.learner_id][row.place] = row
    twice = [(row, rows[into.pk][place]) for place, row in rows[guest.pk].items() if place in rows[into.pk]]
    for theirs, kept in twice:
        kept.is_done = kept.is_done or theirs.is_done
        kept.at = max(kept.at, theirs.at)
    Progress.objects.bulk_update([kept for _, kept in twice], ["is_done", "at"], batch_size=200)
    _delete(Progress, [theirs.pk for theirs, _ in twice])
    Progress.objects.filter(learner=guest).update(learner=into)


def _merge_attempts(guest: Learner, into: Learner) -> None:
    """Each answer is kept; where both have one in the same slot, the guest's gets a slot of its own."""
    taken = Attempt.objects.filter(learner=into).values("slot")
    for attempt in Attempt.objects.filter(learner=guest, slot__in=taken).only("slot"):
        mark = f"~{attempt.pk}"
        attempt.slot = f"{attempt.slot[: _LONGEST_SLOT - len(mark)]}{mark}"
        attempt.save(update_fields=["slot"])
    Attempt.objects.filter(learner=guest).update(learner=into)


def _merge_cards(guest: Learner, into: Learner) -> None:
    """A rule that both review comes up as early as it would have for either."""
    both = Card.objects.select_for_update().filter(learner__in=(guest, into))
    # The account's last, so that its own stays where both are due at once.
    cards: dict[tuple[str, str, str], Card] = {}
    late = []
    for card in sorted(both, key=lambda card: (card.due, card.learner_id == guest.pk), reverse=True):
        key = (card.game, card.topic, card.kind)
        if key in cards:
            late.append(cards[key].pk)
        cards[key] = card
    _delete(Card, late)
    Card.objects.filter(learner=guest).update(learner=into)


def _delete(model: type[Progress] | type[Card], keys: list[int]) -> None:
    # In pieces, for a database takes only so many parameters.
    for start in range(0, len(keys), 200):
        model._default_manager.filter(pk__in=keys[start : start + 200]).delete()
