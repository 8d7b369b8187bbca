"""Putting an assignment together: parts added and taken out, and all of it copied.

Whoever has begun goes on: they get what is added, and what is taken out counts for them no more.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from django.db import transaction

from rules import HandError, Text
from tutor.classes import handing, working
from tutor.classes.editing import locked, locked_class, next_place
from tutor.classes.models import LONGEST_TITLE, Assignment, Classroom, Part, Question, Work
from tutor.content.shelf import Shelf
from tutor.puzzles.puzzle import NoPuzzleError, Puzzle, by_id
from tutor.puzzles.stock import stock

_IN_ADDRESS = "/puzzles/"
_SHOWN = 80  # of a text that is no link
_NONE = Text("By this class's table rules there are no such questions.", "按这个班的桌上规矩，没有这样的题。")


class RefusedError(ValueError):
    """Something can't be asked in a class. text: why."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


class Draft(NamedTuple):
    """A part that is not stored yet, with the questions it asks everybody."""

    part: Part
    questions: Iterable[Question] = ()


def id_of(text: str) -> str:
    """The id of a puzzle from the address of its page; an id stays as it is."""
    path, _, query = text.strip().partition("?")
    try:
        path = urlsplit(path).path
    except ValueError:
        return text
    id = path.partition(_IN_ADDRESS)[2] or path
    return id.strip("/") + (f"?{query}" if query else "")


def for_class(text: str, classroom: Classroom, stock: Shelf) -> Question:
    """The puzzle of an address or id as a class's question, which is not stored yet. Raises RefusedError."""
    shown = text.strip()[:_SHOWN]
    try:
        found = by_id(id_of(text), stock)
    except NoPuzzleError:
        raise RefusedError(Text(f"There is no question at “{shown}”.", f"“{shown}”没有对应的题。")) from None
    game = found.game
    if game.key not in classroom.games:
        raise RefusedError(Text(f"This class doesn't play {game.name.en}.", f"这个班不打{game.name.zh}。"))
    of_class = classroom.played(game.key).house.chosen
    own = {key: value for key, value in game.house.chosen.items() if of_class.get(key) != value}
    title = found.title.in_language(classroom.language)[:LONGEST_TITLE] if found.title else ""
    question = Question(number=1, options=own, title=title, **handing.kept(found))
    try:
        handing.asked_by(question, classroom)
    except (NoPuzzleError, HandError):
        name = found.title or Text(shown, shown)
        raise RefusedError(
            Text(
                f"By this class's table rules “{name.en}” can't be asked.",
                f"按这个班的桌上规矩，“{name.zh}”不能出。",
            )
        ) from None
    return question


def add(assignment: Assignment, drafts: Iterable[Draft]) -> None:
    """Puts parts at the end of an assignment; a chapter that is in it already stays where it is."""
    with transaction.atomic():
        now = locked(assignment)
        there = set(working.chapter_places(now.parts.all()))
        new = [draft for draft in drafts if there.isdisjoint(working.chapter_places([draft.part]))]
        for place, draft in enumerate(new, start=next_place(now.parts.all())):
            _store(now, draft.part, place)
            for question in draft.questions:
                question.part = draft.part
                question.save()
        working.recount(now)


def add_set(assignment: Assignment, part: Part) -> int:
    """Puts a set of made questions at the end of an assignment, for whoever has begun too.

    Returns how many questions there are, which may be fewer than it asks for. Raises RefusedError where
    there is none.
    """
    # Made before anything is locked: for a whole class it takes seconds.
    shared = _made(part, assignment.classroom)
    if not shared:
        raise RefusedError(_NONE)
    is_each = handing.is_own_for_each(part)
    begun = Work.objects.filter(assignment=assignment)
    ready = {work.pk: _made(part, assignment.classroom, work) for work in begun if is_each}
    part.size = len(shared)
    with transaction.atomic():
        now = locked(assignment)
        _store(now, part, next_place(now.parts.all()))
        if is_each:
            for work in begun.all():
                own = ready.get(work.pk) or _made(part, now.classroom, work)
                handing.keep(part, own[: part.size], work)
        else:
            handing.keep(part, shared)
        working.recount(now)
    return part.size


def _made(part: Part, classroom: Classroom, work: Work | None = None) -> list[Puzzle]:
    """The questions of a set: those that all get, or those for one work."""
    seed = part.data["seed"] + (work.seed if work else 0)
    return handing.made(part, classroom.played(part.game), seed, stock())


def _store(assignment: Assignment, part: Part, place: int) -> None:
    part.assignment, part.place = assignment, place
    part.save()


def remove(assignment: Assignment, key: int) -> None:
    """Takes a part out of an assignment, if it is still in it; answers stay with those who gave them."""
    with transaction.atomic():
        now = locked(assignment)
        now.parts.filter(pk=key).delete()
        working.recount(now)


def copied(assignment: Assignment, into: Classroom, title: str) -> Assignment:
    """A copy of an assignment at the end of a class's list: a draft without dates, which asks the same."""
    with transaction.atomic():
        locked_class(into)
        made = copy.copy(assignment)
        made.pk, made._state = None, copy.copy(assignment._state)
        made._state.adding = True
        made.classroom, made.title = into, title[:LONGEST_TITLE]
        made.place = next_place(into.assignments.all())
        made.opens = made.due = made.revealed = None
        made.save(force_insert=True)
        for part in assignment.parts.order_by("place", "pk"):
            questions = list(part.questions.filter(work=None))
            part.pk = None
            part._state.adding = True
            part.assignment = made
            part.save(force_insert=True)
            for question in questions:
                question.pk, question.part = None, part
            Question.objects.bulk_create(questions)
        return made
