"""What is kept of practice: the rounds somebody played, each answer, and when a rule comes up for review; of
old answers that went to an archive what is still counted.

Answers are stored with the question itself, so that they can be judged again when a rule is read otherwise;
explanations are never stored. What a question asks about is kept as text, as rules and kinds come and go.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q

from tutor.people.models import Learner


class Run(models.Model):
    """A round of questions one after another. mode: how it goes on and ends, one of `runs.MODE_NAMES`.

    game: the ruleset's key. spec: what is asked, as `runs.Spec` reads it. seed: what its questions are made
    from. ended: when it was over, None while it goes on.
    """

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="runs")
    mode = models.CharField(max_length=20)
    game = models.CharField(max_length=40)
    spec = models.JSONField(default=dict)
    seed = models.PositiveIntegerField()
    started = models.DateTimeField()
    ended = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"run {self.pk}: {self.mode} of {self.game}"


def told(now: datetime) -> Q:
    """Of answers those of which it may be told whether they are right."""
    return Q(visible=None) | Q(visible__lte=now)


class Attempt(models.Model):
    """A question that somebody was asked, and the answer to it: one for each place where it was asked.

    slot: that place, "run:number" or the puzzle's own id; unique for a learner. number: its place in the run,
    from 1. puzzle: the puzzle's id. question: what was asked, from which it can be judged again. form: the
    question up to renaming of suits. topic: the rule it is about, as "win/triplet". answer: the items
    chosen, None while it is open. help: hints seen, of 3; 4 where the solution was shown. seconds: how long
    it took, None where nobody knows. rules: the version of the rules that judged it.

    classroom, work, asked, board: where a class asked it, None elsewhere. visible: from when it may be told
    whether it is right, None for at once.
    """

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="attempts")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, null=True, blank=True, related_name="attempts")
    number = models.PositiveIntegerField(null=True, blank=True)
    slot = models.CharField(max_length=1000)
    puzzle = models.CharField(max_length=1000)
    game = models.CharField(max_length=40)
    kind = models.CharField(max_length=20)
    topic = models.CharField(max_length=80)
    level = models.PositiveSmallIntegerField()
    question = models.JSONField()
    form = models.CharField(max_length=32)
    answer: Any = models.JSONField(null=True, blank=True)
    is_right = models.BooleanField(null=True, blank=True)
    help = models.PositiveSmallIntegerField(default=0)
    seconds = models.PositiveIntegerField(null=True, blank=True)
    at = models.DateTimeField(null=True, blank=True)
    rules = models.CharField(max_length=20, default="")
    classroom = models.ForeignKey(
        "classes.Classroom", on_delete=models.SET_NULL, null=True, related_name="attempts", db_index=False
    )
    work = models.ForeignKey("classes.Work", on_delete=models.SET_NULL, null=True, related_name="attempts")
    asked = models.ForeignKey(
        "classes.Question", on_delete=models.SET_NULL, null=True, related_name="attempts"
    )
    board = models.ForeignKey("classes.Board", on_delete=models.SET_NULL, null=True, related_name="attempts")
    visible = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["learner", "slot"], name="one_attempt_a_slot")]
        indexes = [
            # What goes wrong in a class, and what one of its students did, without a look at the rows.
            models.Index(
                fields=["classroom", "game", "topic", "kind", "is_right", "learner"],
                name="attempts_of_class",
                condition=Q(classroom__isnull=False) & (Q(asked__isnull=False) | Q(board__isnull=False)),
            ),
            models.Index(
                fields=["classroom", "learner", "at"],
                name="attempts_of_class_by_learner",
                condition=Q(classroom__isnull=False),
            ),
            models.Index(
                fields=["classroom", "at"],
                name="attempts_of_class_in_time",
                condition=Q(classroom__isnull=False),
            ),
            models.Index(
                fields=["learner", "visible"], name="attempts_told_later", condition=Q(visible__isnull=False)
            ),
            models.Index(fields=["learner", "at"], name="attempts_in_time"),
            models.Index(fields=["learner", "game", "topic", "kind"], name="attempts_by_topic"),
        ]

    def __str__(self) -> str:
        return f"{self.slot}: {'open' if self.answer is None else self.is_right}"


class Card(models.Model):
    """When a rule, asked in one kind of question, comes up for review. state: as the scheduler keeps it."""

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="cards")
    game = models.CharField(max_length=40)
    topic = models.CharField(max_length=80)
    kind = models.CharField(max_length=20)
    state = models.JSONField()
    due = models.DateTimeField()
    missed = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["learner", "game", "topic", "kind"], name="one_card_a_topic_and_kind"
            )
        ]
        indexes = [models.Index(fields=["learner", "due"], name="cards_due")]

    def __str__(self) -> str:
        return f"{self.game} {self.topic} {self.kind}, due {self.due:%Y-%m-%d}"


class Archived(models.Model):
    """What stays of one learner's answers that went to one archive, and lets them come back from it.

    archive: its name, as the file says it. whose: the learner's key in the file, also when an account has
    taken over from a guest. trace: of each answer what progress and reviews follow from, see `traces`.
    clock: the most right answers in time of one round among them. works: tries of which answers are among
    them; their numbers can't be counted anew.
    """

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="archived")
    archive = models.CharField(max_length=32)
    whose = models.BigIntegerField()
    answers = models.PositiveIntegerField()
    trace = models.JSONField()
    clock = models.PositiveSmallIntegerField(null=True, blank=True)
    works = models.ManyToManyField("classes.Work", related_name="archived")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["archive", "whose"], name="one_trace_an_archive")]

    def __str__(self) -> str:
        return f"{self.answers} answers in archive {self.archive}"
