"""A question on its page, wherever it is asked: shown, answered, with hints, and once it is answered.

An answer is posted, judged and kept; the same address then shows it, so that going back, reloading and a
second press change nothing. With htmx the part that holds the question is all that is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.utils import timezone

from rules import Text
from tutor.content.levels import LOOK_AGAIN, Level
from tutor.lessons import tries
from tutor.lessons.tries import UNTRIED, Try
from tutor.people import learners
from tutor.practice import answering
from tutor.practice.answering import Place
from tutor.practice.models import Attempt
from tutor.puzzles.hints import MOST, hints_of
from tutor.puzzles.puzzle import Puzzle
from tutor.requests import Request, varied, wants_part

SOLUTION, HINT, ANSWER = "solution", "hint", "answer"
_ONE_TAP = ("can-win",)  # kinds of level that a press of one of two buttons answers
_NOTHING_KEPT = Text(
    "This form belongs to another question, so nothing was counted. Here is the one that stands here now.",
    "这份答案是另一道题的，没有计入。现在这里是下面这道。",
)
_NOTHING_CHOSEN = Text("You chose nothing, but something is right.", "你什么都没选，其实有对的。")
_TWICE = Text("This was answered already: the first answer counts.", "这道已经答过了，以第一次为准。")


class Step(NamedTuple):
    """What the ways to answer, which lessons have too, name their fields after."""

    slug: str = "question"


class Asked(NamedTuple):
    """A question on its page. place: where it is asked. tried: the answer, if any. kept: what is kept of it.
    said: a word on what was sent. again: it is answered once more, which counts for nothing. seen: how many
    hints were seen then."""

    place: Place
    tried: Try = UNTRIED
    kept: Attempt | None = None
    said: Text | None = None
    again: bool = False
    seen: int = 0

    @property
    def puzzle(self) -> Puzzle:
        """The question."""
        return self.place.puzzle

    @property
    def is_answered(self) -> bool:
        """Whether an answer was given: the one that counts, or one more."""
        if self.again:
            return self.tried.is_right is not None or self.tried.is_shown
        return self.kept is not None and self.kept.at is not None

    @property
    def is_told(self) -> bool:
        """Whether an answer was given, and it is told what is right."""
        return self.is_answered and not self.place.is_sealed

    @property
    def hints(self) -> tuple[Text, ...]:
        """The hints seen so far; none beside the solution, which says it all."""
        seen = self.seen if self.again else self.kept.help if self.kept else 0
        is_shown = self.tried.is_shown or seen == answering.SHOWN
        return hints_of(self.puzzle)[:seen] if seen and not is_shown else ()


def asked(place: Place, kept: Attempt | None) -> Asked:
    """A question as it stands: with the answer that counts, if one was given."""
    if kept is None or kept.at is None:
        return Asked(place, kept=kept)
    level, answer = place.puzzle.level, frozenset(kept.answer or ())
    if place.is_sealed:
        tried = Try(answer)
    elif kept.help == answering.SHOWN:
        tried = tries.shown(level)
    else:
        tried = _told(tries.judged(level, answer))
    return Asked(place.after(kept), tried, kept, place.remark(kept))


def posted(request: Request, place: Place) -> HttpResponse:
    """Keeps what was sent, or says why not."""
    form, do = request.POST, request.POST.get("do", ANSWER)
    # An id may give another question since the page was made.
    if form.get("puzzle") != place.puzzle.id or form.get("form", place.puzzle.form) != place.puzzle.form:
        return shown(request, asked(place, _kept(request, place))._replace(said=_NOTHING_KEPT))
    if "again" in form and place.can_repeat and _is_kept(request, place):
        return shown(request, once_more(place, form))
    if do == HINT and place.has_hints:
        draft = tries.read(place.puzzle.level, _without_do(form))
        now = asked(place, answering.hint(request, place))
        return _answered(request, now if now.is_answered else now._replace(tried=Try(draft.answer)))
    level = place.puzzle.level
    attempt = tries.shown(level) if do == SOLUTION and place.has_solution else tries.read(level, form)
    if attempt.error or (attempt.is_right is None and not attempt.is_shown):
        now = asked(place, _kept(request, place))
        return shown(request, now if now.is_answered else now._replace(tried=attempt))
    kept, is_new = answering.keep(
        request,
        place,
        attempt,
        hints=_hints_seen(form) if place.has_hints else 0,
        seconds=answering.taken(form.get("seconds", ""), form.get("asked", ""), timezone.now()),
    )
    now = asked(place, kept)
    return _answered(request, now) if is_new else shown(request, now._replace(said=_TWICE))


def _kept(request: Request, place: Place) -> Attempt | None:
    return answering.found(learners.of(request), place.slot)


def _is_kept(request: Request, place: Place) -> bool:
    """Whether an answer to this question counts already."""
    kept = _kept(request, place)
    return kept is not None and kept.at is not None


def once_more(place: Place, form: QueryDict) -> Asked:
    """A question that is answered for nothing: what is sent is judged, and kept nowhere."""
    level, do, seen = place.puzzle.level, form.get("do", ANSWER), _hints_seen(form)
    if do == HINT:
        draft = tries.read(level, _without_do(form))
        return Asked(place, Try(draft.answer), again=True, seen=min(seen + 1, MOST))
    tried = tries.shown(level) if do == SOLUTION else tries.read(level, form)
    return Asked(place, _told(tried), again=True, seen=seen)


def _hints_seen(form: QueryDict) -> int:
    """How many hints the page showed that a form comes from."""
    hints = form.get("hints", "")
    return int(hints) if hints in ("1", "2", "3") else 0


def _told(tried: Try) -> Try:
    """A wrong try as one says it to somebody who sees the solution beside it."""
    if tried.is_right is not False:
        return tried
    says = tuple(say for say in tried.says if say is not LOOK_AGAIN)
    return tried._replace(says=says if tried.answer else (_NOTHING_CHOSEN,))


def _without_do(form: QueryDict) -> QueryDict:
    copy = form.copy()
    copy.pop("do", None)
    copy["said"] = "1"
    return copy


def _answered(request: Request, now: Asked) -> HttpResponse:
    """What follows a form: with htmx the part that changes, else the address that shows it."""
    if wants_part(request) or not now.is_answered:
        return shown(request, now)
    return HttpResponseRedirect(now.place.address, status=303)


def shown(request: Request, now: Asked) -> HttpResponse:
    """The page of a question, or the part of it that htmx asks for."""
    part = wants_part(request)
    template = "practice/_puzzle.html" if part else "practice/puzzle.html"
    more = {"is_part": part, "query": request.GET.urlencode()}
    return own(render(request, template, {**context_of(now), **more}))


def context_of(now: Asked) -> Mapping[str, Any]:
    """What the templates of a question are told."""
    puzzle, level, time = now.puzzle, now.puzzle.level, timezone.now()
    return {
        "asked": now,
        "puzzle": puzzle,
        "level": level,
        "game": puzzle.game,
        "step": Step(),
        "attempt": now.tried,
        "now": int(time.timestamp()),
        "others": others(level, now.tried) if now.is_told else [],
        "is_revealed": now.is_told,
        "is_one_tap": level.kind in _ONE_TAP and not now.is_answered,
        **now.place.context(time, is_answered=now.is_answered),
    }


def others(level: Level, tried: Try) -> list[tuple[Any, Text]]:
    """What else could have been chosen and is wrong, with why."""
    right = {item for answer in level.rights for item in answer}
    found: dict[str, tuple[Any, Text]] = {}
    if level.kind in _ONE_TAP:  # there the verdict says it all
        return []
    for offer in level.offers:
        value = offer.value.split(".")[0] if offer.tile else offer.value
        if value in right or offer.value in tried.answer or value in found or len(level.offers) > 20:
            continue
        why = level.reason(value)
        if why:
            found[value] = (offer, why)
    return list(found.values())


def own(response: HttpResponse) -> HttpResponse:
    """A page that shows what this browser's learner has done, anew whenever it is gone back to."""
    response["Cache-Control"] = "private, no-store"
    return varied(response, "HX-Request", "Cookie")
