"""All that is kept of a learner: counted for a page, and written out for them to take away."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Case, Q, QuerySet, Sum, When
from django.utils import timezone

from tutor.classes.models import Member
from tutor.people.models import Account, Learner, LoginCode, Progress
from tutor.practice.models import Archived, Attempt, Card, Run, told
from tutor.puzzles.kinds import KINDS

_Row = Progress | Run | Attempt | Archived | Card | Member


class Kept(NamedTuple):
    """How much is kept: places of the lessons, rounds and answers of practice, archived ones too, rules to
    review, classes."""

    places: int = 0
    rounds: int = 0
    answers: int = 0
    cards: int = 0
    classes: int = 0


def kept(learner_id: int | None) -> Kept:
    """How much is kept of a learner; six queries, none for somebody new."""
    if learner_id is None:
        return Kept()
    found = Kept(*(model._default_manager.filter(learner=learner_id).count() for model in _MODELS))
    archived = Archived.objects.filter(learner=learner_id).aggregate(answers=Sum("answers", default=0))
    return found._replace(answers=found.answers + archived["answers"])


_MODELS: tuple[type[_Row], ...] = (Progress, Run, Attempt, Card, Member)
# Each model's rows: the part of the copy, and by the keys there the fields. What is left out is named in the
# tests: what only the database needs, or what follows from the rest.
_ROWS: tuple[tuple[str, type[_Row], dict[str, str]], ...] = (
    ("progress", Progress, {"place": "place", "done": "is_done", "at": "at"}),
    (
        "runs",
        Run,
        {
            "run": "pk",
            "mode": "mode",
            "game": "game",
            "asked": "spec",
            "seed": "seed",
            "started": "started",
            "ended": "ended",
        },
    ),
    (
        "attempts",
        Attempt,
        {
            "puzzle": "puzzle",
            "game": "game",
            "kind": "kind",
            "topic": "told_topic",
            "level": "level",
            "run": "run",
            "number": "number",
            "question": "question",
            "answer": "answer",
            "right": "right",
            "help": "help",
            "seconds": "seconds",
            "at": "at",
            "rules": "rules",
            "class": "classroom__name",
        },
    ),
    # Of answers that went to an archive what is still kept here; the rest of them is in that file.
    (
        "archived",
        Archived,
        {"archive": "archive", "answers": "answers", "kept": "trace", "clock": "clock"},
    ),
    (
        "cards",
        Card,
        {
            "game": "game",
            "topic": "topic",
            "kind": "kind",
            "due": "due",
            "missed": "missed",
            "state": "state",
        },
    ),
    (
        "classes",
        Member,
        {
            "class": "classroom__name",
            "name": "name",
            "teacher": "is_teacher",
            "joined": "joined",
            "left": "left",
        },
    ),
)


def written(learner_id: int | None, account: Account | None) -> Iterator[str]:
    """JSON with all that is kept of a learner, in pieces: a diligent one has answered a lot."""
    learner = None if learner_id is None else Learner.objects.filter(pk=learner_id).first()
    head: dict[str, Any] = {"account": None, "since": None, "settings": None}
    if account is not None:
        head["account"] = {
            "name": account.name,
            "created": account.created,
            "last_sign_in": account.last_login,
            "login_code": _login_code(account),
        }
    if learner is not None:
        head["since"] = learner.created
        head["settings"] = {"reviews": learner.reviews, "hides_rating": learner.hides_rating}
    yield _json(head)[:-1]
    for part, model, fields in _ROWS:
        rows = _rows(model, learner_id).values_list(*fields.values())
        found = rows.iterator() if learner_id is not None else ()
        yield f", {_json(part)}: ["
        yield from _listed(dict(zip(fields, row, strict=True)) for row in found)
        yield "]"
    yield "}\n"


def _rows(model: type[_Row], learner_id: int | None) -> QuerySet[Any]:
    rows = model._default_manager.filter(learner=learner_id).order_by("pk")
    if model is Attempt:
        # As long as a class keeps back which of its answers are right, this says nothing of them either: nor
        # what a question is about, which may be its answer, as it is in some kinds as long as they are open.
        is_told = told(timezone.now())
        telling = [key for key, kind in KINDS.items() if kind.tells_topic]
        is_asked = is_told & (Q(at__isnull=False) | ~Q(kind__in=telling))
        return rows.annotate(
            right=Case(When(is_told, then="is_right")), told_topic=Case(When(is_asked, then="topic"))
        )
    return rows


def _login_code(account: Account) -> dict[str, Any] | None:
    """When the code was made that stands in for a password, and when it expires."""
    if account.has_usable_password():
        return None
    code = LoginCode.objects.filter(account=account).first()
    return {"made": code.made, "expires": code.expires} if code else None


def _listed(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    for number, row in enumerate(rows):
        yield f"{',' if number else ''}\n{_json(row)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in JSON")
