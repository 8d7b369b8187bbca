"""A class for tests: people with accounts, signed in, what they are given and how they answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import factory
from django.db import transaction
from django.test import Client
from django.utils import timezone
from factory.django import DjangoModelFactory

from tutor.classes import dates, handing, working
from tutor.classes.models import PUZZLE, SET, Assignment, Classroom, Member, Part, Question, Work
from tutor.people.models import Account, Learner
from tutor.practice.models import Attempt
from tutor.puzzles.puzzle import by_id
from tutor.puzzles.stock import stock

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_numbers = count(1)


class Accounts(DjangoModelFactory[Account]):
    """Accounts with names of their own."""

    class Meta:
        model = Account

    name = factory.Sequence(lambda n: f"person {n}")


class Learners(DjangoModelFactory[Learner]):
    """Learners with accounts."""

    class Meta:
        model = Learner

    account = factory.SubFactory(Accounts)


class Classrooms(DjangoModelFactory[Classroom]):
    """Classes of both games, in Shanghai's time."""

    class Meta:
        model = Classroom

    name = factory.Sequence(lambda n: f"Class {n} 班")
    language = "en"
    time_zone = "Asia/Shanghai"
    code = factory.Sequence(lambda n: f"code{n:04}")


class Members(DjangoModelFactory[Member]):
    """Students, each of a class of their own unless one is given."""

    class Meta:
        model = Member

    classroom = factory.SubFactory(Classrooms)
    learner = factory.SubFactory(Learners)
    name = factory.Sequence(lambda n: f"Student {n}")
    joined = START


class Assignments(DjangoModelFactory[Assignment]):
    """Assignments that are open, without an end."""

    class Meta:
        model = Assignment

    classroom = factory.SubFactory(Classrooms)
    title = factory.Sequence(lambda n: f"Assignment {n} 作业")
    opens = START


def teacher_of(classroom: Classroom, **more: Any) -> Member:
    """A teacher of a class."""
    return Members(classroom=classroom, is_teacher=True, **more)


def client_of(who: Member | Learner | None, **more: Any) -> Client:
    """The browser of somebody who is signed in; of a guest for None."""
    client = Client(**more)
    learner = who.learner if isinstance(who, Member) else who
    if learner is None:
        return client
    assert learner.account is not None
    client.force_login(learner.account)
    session = client.session
    session["learner"] = learner.pk
    session["signed_in"] = True
    session.save()
    return client


def add_set(assignment: Assignment, game: str = "changsha", size: int = 3, **data: Any) -> Part:
    """A set of questions in an assignment, the same for all unless same=False. Needs content."""
    data = {"kinds": ["can-win"], "topics": [], "level": 2, "seed": next(_numbers), "same": True} | data
    place = assignment.parts.count()
    part = Part.objects.create(assignment=assignment, place=place, kind=SET, game=game, data=data, size=size)
    if data["same"]:
        handing.hand_out(part, assignment.classroom, data["seed"], stock())
    return part


def add_puzzle(assignment: Assignment, id: str) -> Part:
    """One puzzle in an assignment, by its id."""
    puzzle = by_id(id, stock())
    part = Part.objects.create(
        assignment=assignment, place=assignment.parts.count(), kind=PUZZLE, game=puzzle.game.key, size=1
    )
    Question.objects.create(part=part, number=1, **handing.kept(puzzle))
    return part


@transaction.atomic
def answered(
    student: Member,
    assignment: Assignment,
    rights: list[bool],
    *,
    at: datetime | None = None,
    number: int | None = None,
) -> Work:
    """A student's try with as many answers, right or wrong, each a minute after the one before."""
    at = at or timezone.now() - timedelta(hours=1)
    work = working.begin(assignment, student, at)
    due = working.extended(assignment, student)
    told = working.told_from(assignment)
    for n, (question, is_right) in enumerate(
        zip(handing.questions_of(assignment, work), rights, strict=False), start=1
    ):
        level = handing.asked_by(question, assignment.classroom).level
        right = level.rights[0]
        wrong = next(
            (one for offer in level.offers if not level.is_right(one := frozenset({offer.value}))),
            frozenset(),
        )
        place = working.InWork(
            handing.asked_by(question, assignment.classroom),
            work,
            assignment,
            question,
            n,
            work.total,
            due,
            told,
            at,
        )
        Attempt.objects.create(
            learner=student.learner,
            slot=place.slot,
            puzzle=place.puzzle.id,
            game=question.game,
            kind=question.kind,
            topic=question.topic,
            level=question.level,
            question=question.node,
            form=question.form,
            answer=sorted(right if is_right else wrong),
            is_right=is_right,
            seconds=20 + n,
            at=at + timedelta(minutes=n),
            rules="test",
            **place.row(),
        )
    working.count(work, assignment, dates.due_of(assignment, due))
    work.refresh_from_db()
    return work
