"""Classes, who is in them, what they are given to do, and how far each has come.

Answers themselves are `practice.Attempt` rows, as everywhere: a learner's own record holds them too. A row
here says only where they belong. Questions that were handed out are kept as they were asked, so that a new
version of the makers of puzzles changes nobody's work.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

import rules
from rules import HandError, Ruleset
from tutor.people.models import Learner, folded

LONGEST_NAME = 40
LONGEST_TITLE = 120
# What an answer waits for until a teacher shows the solutions by hand.
SEALED = datetime(9999, 1, 1, tzinfo=UTC)

LATE, HALF, REFUSED = "late", "half", "refused"
AT_ONCE, AFTER_DUE, BY_HAND = "at-once", "after-due", "by-hand"
CHAPTER, SET, PUZZLE, OWN = "chapter", "set", "puzzle", "own"


def by_house_rules(game: Ruleset, options: Mapping[str, str]) -> Ruleset:
    """A game by house rules that were kept; those that there are no more are left out."""
    for option, value in options.items():
        with suppress(HandError):
            game = game.with_options({**game.house.chosen, option: value})
    return game


class Classroom(models.Model):
    """A class. game: the key of the one game it plays, "" for all. options: its house rules, by game.

    language: in which its cards and papers are made. time_zone: by its IANA name; dates are shown and set in
    it. code: what pupils join with while is_open. teacher_code: what one more teacher joins with, once; None
    for none. archived: since when nothing is answered any more.
    """

    name = models.CharField(max_length=LONGEST_TITLE)
    game = models.CharField(max_length=40, blank=True)
    options = models.JSONField(default=dict)
    language = models.CharField(max_length=10)
    time_zone = models.CharField(max_length=64)
    code = models.CharField(max_length=12, unique=True)
    is_open = models.BooleanField(default=True)
    teacher_code = models.CharField(max_length=12, unique=True, null=True)  # noqa: DJ001 - unique where it is
    created = models.DateTimeField(auto_now_add=True)
    archived = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("class")
        verbose_name_plural = _("classes")

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        """Its time zone."""
        return ZoneInfo(self.time_zone)

    @cached_property
    def games(self) -> dict[str, Ruleset]:
        """The games it plays, each by its house rules."""
        return {key: self.played(key) for key in rules.rulesets() if self.game in ("", key)}

    def played(self, key: str) -> Ruleset:
        """A game by this class's house rules; those that there are no more are left out. Raises KeyError."""
        return by_house_rules(rules.rulesets()[key], self.options.get(key, {}))


class Member(models.Model):
    """Somebody in a class. name: what they are called there, and seen nowhere else.

    is_managed: the account was made for the class, so that its teachers may give it a new password. left:
    since when they are in it no more; their work is kept for the case that they come back. is_barred: a
    teacher removed them, and has to take them in again.
    """

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="members")
    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="memberships")
    name = models.CharField(max_length=LONGEST_NAME)
    folded = models.CharField(max_length=LONGEST_NAME * 3, editable=False)
    is_teacher = models.BooleanField(default=False)
    is_managed = models.BooleanField(default=False)
    is_barred = models.BooleanField(default=False)
    joined = models.DateTimeField()
    left = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["classroom", "learner"], name="once_in_a_class")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Stores the name with how names are compared and put in order."""
        self.folded = folded(self.name)
        super().save(*args, **kwargs)


class Assignment(models.Model):
    """Something to do. place: its place in the class's list, from 0.

    opens: None while it is a draft. due: the last minute that is in time, None for no end. late: what becomes
    of answers after it. tries: how often it may be done, 0 for as often as one likes. pass_mark: in percent,
    None for none. reveal: when right and wrong are told; revealed: when a teacher did so by hand.
    """

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="assignments")
    title = models.CharField(max_length=LONGEST_TITLE)
    note = models.TextField(blank=True)
    place = models.PositiveIntegerField(default=0)
    opens = models.DateTimeField(null=True)
    due = models.DateTimeField(null=True)
    late = models.CharField(max_length=10, default=LATE)
    tries = models.PositiveSmallIntegerField(default=1)
    pass_mark = models.PositiveSmallIntegerField(null=True)
    has_hints = models.BooleanField(default=True)
    reveal = models.CharField(max_length=10, default=AT_ONCE)
    revealed = models.DateTimeField(null=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["classroom", "place"], name="assignments_in_order")]

    def __str__(self) -> str:
        return self.title


class Part(models.Model):
    """A part of an assignment. kind: a chapter, a set of made questions, a picked puzzle, or a teacher's own.

    place: its place, from 0. data: of a chapter its "slug"; of a set its "kinds", "topic", "level", "seed"
    and whether it is the "same" for all. size: how many questions it asks, 0 for a chapter.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="parts")
    place = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=10)
    game = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    size = models.PositiveSmallIntegerField(default=1)

    class Meta:
        indexes = [models.Index(fields=["assignment", "place"], name="parts_in_order")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.game}"


class Work(models.Model):
    """A member's try at an assignment. number: which try, from 1. seed: what is made for it alone.

    finished: when everything was answered. total: how many questions there are to answer, without those that
    can't be asked any more. answered, right, late: how many of them were. points: two for a right answer, one
    for a late one that counts half.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="works")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="works")
    number = models.PositiveSmallIntegerField(default=1)
    seed = models.PositiveIntegerField()
    started = models.DateTimeField()
    finished = models.DateTimeField(null=True)
    total = models.PositiveSmallIntegerField(default=0)
    answered = models.PositiveSmallIntegerField(default=0)
    right = models.PositiveSmallIntegerField(default=0)
    late = models.PositiveSmallIntegerField(default=0)
    points = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "member", "number"], name="one_work_a_try")
        ]

    def __str__(self) -> str:
        return f"try {self.number}: {self.answered} of {self.total}"


class Kept(models.Model):
    """A question as it was asked. puzzle: the id it was made from, "" for a teacher's own. level: 1 to 5.

    topic: the rule it is about. options: house rules of its own, above those of the class. node: what it
    asks, as an author writes it. form: the same for the same question with suits renamed. title: what it is
    called.
    """

    puzzle = models.CharField(max_length=1000, blank=True)
    game = models.CharField(max_length=40)
    kind = models.CharField(max_length=20)
    topic = models.CharField(max_length=80)
    level = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    node = models.JSONField()
    form = models.CharField(max_length=32)
    title = models.CharField(max_length=LONGEST_TITLE, blank=True)

    class Meta:
        abstract = True


class Question(Kept):
    """A question that was handed out. work: whose alone it is, None for all. number: its place in its part,
    from 1. is_void: it was found that by the class's house rules it can't be asked any more."""

    part = models.ForeignKey(Part, on_delete=models.CASCADE, related_name="questions")
    work = models.ForeignKey(
        Work, on_delete=models.CASCADE, null=True, related_name="questions", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    is_void = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["part", "work", "number"], name="one_question_a_place"),
            models.UniqueConstraint(
                fields=["part", "number"], name="one_question_for_all", condition=models.Q(work__isnull=True)
            ),
        ]
        indexes = [
            # Of those that are somebody's alone: SQLite would go through all that are not, to find a part's.
            models.Index(fields=["work"], name="questions_of_a_work", condition=models.Q(work__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class Extension(models.Model):
    """More time for one member. due: theirs in place of the assignment's."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="extensions")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="extensions")
    due = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "member"], name="one_extension_a_member")
        ]

    def __str__(self) -> str:
        return f"until {self.due:%Y-%m-%d %H:%M}"


class Board(Kept):
    """A question that a class answers together, live. closed: when answers ended. revealed: when the solution
    was shown."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="boards")
    opened = models.DateTimeField()
    closed = models.DateTimeField(null=True)
    revealed = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["classroom", "opened"], name="boards_in_time")]

    def __str__(self) -> str:
        return f"{self.kind}, {self.opened:%Y-%m-%d %H:%M}"


class Judging(models.Model):
    """Answers judged again, by the rules of now: a job that goes on from where it stopped.

    options: the class's house rules when it began. rules: the engine's version. last: the key of the last
    answer that was judged. seen: how many were. finished: when all were. accepted, dropped: what a teacher
    made of it. follows: what has to be counted anew since it was accepted, as pairs of a word and a key;
    following: how much that was at first. task: the worker's turn at it that began last, "" for none.
    """

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="judgings")
    asked_by = models.CharField(max_length=LONGEST_NAME)
    options = models.JSONField(default=dict)
    rules = models.CharField(max_length=20)
    begun = models.DateTimeField()
    last = models.BigIntegerField(default=0)
    seen = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    finished = models.DateTimeField(null=True)
    accepted = models.DateTimeField(null=True)
    dropped = models.DateTimeField(null=True)
    # Known to the database too: the version before knows nothing of them, and may be running still.
    follows = models.JSONField(default=list, db_default=[])
    following = models.PositiveIntegerField(default=0, db_default=0)
    task = models.CharField(max_length=64, blank=True, default="", db_default="")

    def __str__(self) -> str:
        return f"{self.seen} of {self.total}"


class Change(models.Model):
    """An answer that a judging found to be other than it was counted. was_right, was_rules: how it had been
    judged. is_right: None where it can't be asked any more."""

    judging = models.ForeignKey(Judging, on_delete=models.CASCADE, related_name="changes")
    attempt = models.ForeignKey("practice.Attempt", on_delete=models.CASCADE, related_name="changes")
    was_right = models.BooleanField()
    was_rules = models.CharField(max_length=20)
    is_right = models.BooleanField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["judging", "attempt"], name="one_change_an_answer")]

    def __str__(self) -> str:
        return f"{self.was_right} → {self.is_right}"
