"""Who learns here, and what they have done. Nothing is stored before there is something worth keeping."""

from __future__ import annotations

from django.db import models


class Learner(models.Model):
    """Somebody who learns: for now known to one browser alone, by its session. No name, no address."""

    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"learner {self.pk}"


class Progress(models.Model):
    """What a learner has done at a place of the lessons: a chapter read ("changsha/birds"), a level tried or
    solved ("changsha/birds#origin").

    Places are kept as text: lessons come and go, what somebody did stays.
    """

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="progress")
    place = models.CharField(max_length=160)
    is_done = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["learner", "place"], name="one_progress_a_place")]

    def __str__(self) -> str:
        return f"{self.place}: {'done' if self.is_done else 'tried'}"
