"""Practice: where one chooses what to do, the questions of a round, puzzles by themselves, the day's and
those picked by hand.

An answer is posted, judged and kept; the same address then shows it, so that going back, reloading and a
second press change nothing. With htmx the part that holds the question is all that is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from random import SystemRandom
from typing import Any, NamedTuple

from django.db import transaction
from django.http import Http404, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import rules
from rules import HandError, Ruleset, Text
from tutor import answers
from tutor.content.build import pages_of
from tutor.content.levels import LOOK_AGAIN, Level
from tutor.lessons import tries
from tutor.lessons.tries import UNTRIED, Try
from tutor.people import learners
from tutor.people.models import Learner
from tutor.practice import answering, days, reviews, runs
from tutor.practice.answering import Place
from tutor.practice.models import Attempt, Card, Run
from tutor.practice.runs import MODE_NAMES, Round, Spec
from tutor.puzzles.addresses import of_puzzle
from tutor.puzzles.hands import LEVELS
from tutor.puzzles.hints import MOST, hints_of
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import MOST_SEEDS, Key, NoPuzzleError, Puzzle, by_id, picked_puzzle
from tutor.puzzles.stock import stock
from tutor.requests import Request, from_own_page, game_of, readable, refusal, varied, wants_part

SOLUTION, HINT, ANSWER = "solution", "hint", "answer"
_ONE_TAP = ("can-win",)  # kinds of level that a press of one of two buttons answers
_NOTHING_KEPT = Text(
    "This form belongs to another question, so nothing was counted. Here is the one that stands here now.",
    "这份答案是另一道题的，没有计入。现在这里是下面这道。",
)
_LATE = Text(
    "The time was up. The answer is kept for your progress, but doesn't count in this round.",
    "时间已到。这道记进了学习记录，但不算在这一轮里。",
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
    round: Round | None = None
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
    def hints(self) -> tuple[Text, ...]:
        """The hints seen so far; none beside the solution, which says it all."""
        seen = self.seen if self.again else self.kept.help if self.kept else 0
        is_shown = self.tried.is_shown or seen == answering.SHOWN
        return hints_of(self.puzzle)[:seen] if seen and not is_shown else ()

    @property
    def address(self) -> str:
        """The address of the question."""
        run = self.place.run
        return reverse("run-question", args=[run.pk, self.place.number]) if run else of_puzzle(self.puzzle.id)


# Choosing


@require_safe
@readable
def practice(request: Request) -> HttpResponse:
    """What there is to practise."""
    now = timezone.now()
    learner = _known(request)
    games = list(rules.rulesets().values())
    last = Run.objects.filter(learner=learner).order_by("-pk").first() if learner else None
    context = {
        "games": games,
        "query": request.GET.urlencode(),
        "chosen": _chosen(request),
        "kinds": KINDS.values(),
        "levels": LEVELS,
        "usual_level": last.spec.get("level", 2) if last else 2,
        "topics": {game.key: _topics(game) for game in games},
        "going": last if last and not Round(last).is_over(now) else None,
        "today": now.date(),
        "days": [(game, of_puzzle(days.key_of(game, now.date()).id)) for game in games],
        "due": len(_due(learner, now)),
        "reviews": learner is not None and learner.reviews,
        "picked": [(game, len(stock().picked(game))) for game in games],
        "modes": MODE_NAMES,
    }
    return _own(render(request, "practice/practice.html", context))


def _known(request: Request) -> Learner | None:
    known = learners.of(request)
    return Learner.objects.filter(pk=known).first() if known is not None else None


def _due(learner: Learner | None, now: datetime) -> list[Card]:
    """The cards that are due and can be asked: of some rules all questions were picked by hand."""
    if learner is None or not learner.reviews:
        return []
    return [card for card in reviews.due(learner.pk, now) if runs.can_ask(card, stock())]


def _chosen(request: Request) -> Ruleset | None:
    return rules.rulesets().get(request.GET.get("ruleset", ""))


def _topics(game: Ruleset) -> list[tuple[str, Text]]:
    pages = pages_of(game)
    return [(topic, pages[topic].name) for topic in runs.topics(game, stock()) if topic in pages]


@csrf_exempt  # for pages that everybody shares lead here and hold no token; from_own_page sees to it
@require_POST
@readable
@from_own_page
def start(request: Request) -> HttpResponse:
    """Begins a round and leads to its first question."""
    form = request.POST
    mode = form.get("mode", "")
    if mode not in MODE_NAMES:
        raise Http404
    key = "" if mode == runs.MIXED or mode == runs.REVIEW else form.get("game", "")
    game = game_of(key) if key or mode not in (runs.MIXED, runs.REVIEW) else None
    try:
        spec = _spec(form, mode, game)
    except HandError as error:
        return refusal(request, error, 400)
    now = timezone.now()
    if mode == runs.REVIEW and not _due(_known(request), now):
        return _see(reverse("practice"))
    with transaction.atomic():
        learner = answering.learner_of(request)
        if mode == runs.REVIEW:
            spec = spec._replace(cards=tuple(reviews.topics(_due(learner, now)[: runs.MOST_REVIEWS])))
        run = Run.objects.create(
            learner=learner,
            mode=mode,
            game=game.key if game else "",
            spec=spec.plain,
            seed=SystemRandom().randrange(MOST_SEEDS),
            started=now,
        )
    return _see(reverse("run-question", args=[run.pk, 1]))


def _spec(form: QueryDict, mode: str, game: Ruleset | None) -> Spec:
    """What a form asks for. Raises HandError, Http404 for what the page never offers."""
    level = form.get("level", "2")
    if level not in map(str, LEVELS):
        raise Http404
    options = answers.chosen_from([option for option in form.getlist("option") if option])
    if game:
        game = game.with_options(options)
    topic = form.get("topic", "") if mode == runs.RULE else ""
    if mode == runs.CLOCK:
        ticked = tuple(kind for kind in form.getlist("kind") if kind in KINDS)
        kinds: tuple[str, ...] = ticked or runs.CLOCK_KINDS
    elif mode == runs.RULE and game:
        able = runs.kinds_about(game, topic, stock())
        telling = tuple(kind for kind in able if not KINDS[kind].tells_topic)
        kinds = tuple(kind for kind in able if kind in form.getlist("kind")) or telling or able
        if not kinds:
            raise Http404
    else:
        kinds = tuple(kind for kind in form.getlist("kind") if kind in KINDS) or tuple(KINDS)
    if game and not any(KINDS[kind].topics(game, stock(), n) for kind in kinds for n in LEVELS):
        raise answers.bad_request(
            "By these table rules there are no such questions.", "按这样的规矩，没有这种题。"
        )
    return Spec(kinds, int(level), options if game else {}, topic)


# The questions of a round


@require_safe
@readable
def run(request: Request, run: int) -> HttpResponse:
    """Leads to where a round stands."""
    here = Round.of(_run(request, run))
    if here.is_over(timezone.now()):
        return _see(reverse("run-end", args=[run]))
    return _see(reverse("run-question", args=[run, here.current]))


@csrf_exempt  # a token would be of before somebody signed in in another tab; from_own_page sees to it
@require_http_methods(["GET", "HEAD", "POST"])
@readable
@from_own_page
def question(request: Request, run: int, number: int) -> HttpResponse:
    """A question of a round; posted, an answer to it."""
    here = Round.of(_run(request, run))
    now = timezone.now()
    if not 1 <= number <= (here.length or number):
        raise Http404
    if number not in here.attempts:
        # One question ahead may be looked at, for it to be there when it is wanted.
        if here.is_over(now) and request.method != "POST":
            return _see(reverse("run-end", args=[run]))
        if number > here.current + 1:
            return _see(reverse("run-question", args=[run, here.current]))
    try:
        place = Place(_of_round(here, number), here.run, number)
    except NoPuzzleError:
        if number in here.attempts:  # what was asked can't be shown any more
            raise Http404 from None
        return _run_dry(request, here, number)
    kept = here.attempts.get(number) or here.opened.get(number)
    if request.method != "POST":
        return _shown(request, _asked(request, place, kept, here))
    return _posted(request, place, here)


def _run_dry(request: Request, here: Round, number: int) -> HttpResponse:
    """What follows where a round has nothing more to ask: its end. Raises Http404 for an answer."""
    if request.method == "POST":
        raise Http404
    if number == here.current:
        Run.objects.filter(pk=here.run.pk, ended=None).update(ended=timezone.now())
    return _see(reverse("run-end", args=[here.run.pk]))


def _of_round(here: Round, number: int) -> Puzzle:
    """The question at a number: as it was asked, once it was."""
    kept = here.attempts.get(number) or here.opened.get(number)
    if kept is not None:
        return answering.as_asked(by_id(kept.puzzle, stock()), kept)
    return here.question(number, stock())


@csrf_exempt  # a token would be of before somebody signed in in another tab; from_own_page sees to it
@require_http_methods(["GET", "HEAD", "POST"])
@readable
@from_own_page
def end(request: Request, run: int) -> HttpResponse:
    """How a round went, and what to practise next; posted, ends one that has no end of its own."""
    here = Round.of(_run(request, run))
    now = timezone.now()
    if request.method == "POST":
        Run.objects.filter(pk=run, ended=None).update(ended=now)
        return _see(reverse("run-end", args=[run]))
    if not here.is_over(now) and not here.attempts:
        return _see(reverse("run-question", args=[run, 1]))
    wrong = [
        (here.played(game), topic, attempts)
        for game, topic, attempts in runs.missed(here.counted)
        if game in rules.rulesets()
    ]
    context = {
        "round": here,
        "name": MODE_NAMES[here.run.mode],
        "wrong": wrong,
        "is_over": here.is_over(now),
        "kinds": KINDS,
    }
    return _own(render(request, "practice/end.html", context))


def _run(request: Request, key: int) -> Run:
    """The round of a key, if it is this learner's. Raises Http404."""
    known = learners.of(request)
    found = Run.objects.filter(pk=key).first()
    if found is None or known is None:
        raise Http404
    if found.mode not in MODE_NAMES or (found.game and found.game not in rules.rulesets()):
        raise Http404  # there was such a one once
    if found.learner_id != known:
        # What was begun as a guest goes on after signing in, even from a page of before.
        now = Learner.objects.filter(pk=known).values_list("merged_into", flat=True).first()
        if now != found.learner_id:
            raise Http404
    return found


# Puzzles by themselves


@csrf_exempt  # a token would be of before somebody signed in in another tab; from_own_page sees to it
@require_http_methods(["GET", "HEAD", "POST"])
@readable
@from_own_page
def puzzle(request: Request, id: str) -> HttpResponse:
    """A puzzle by itself; posted, an answer to it."""
    options = request.GET.getlist("option")
    if options:
        game, _, _ = id.partition("/")
        try:
            played = game_of(game).with_options(answers.chosen_from(options))
        except HandError as error:
            return refusal(request, error, 400)
        id = f"{id}{Key('', played, 1, 0).id.partition('/1/0')[2]}"
    try:
        now = by_id(id, stock())
        kept = answering.found(learners.of(request), now.id)
        place = Place(answering.as_asked(now, kept))
    except NoPuzzleError:
        raise Http404 from None
    if request.method == "POST":
        return _posted(request, place, None)
    if "again" in request.GET and kept is not None and kept.at is not None:
        return _shown(request, Asked(place, again=True))
    return _shown(request, _asked(request, place, kept, None))


@require_safe
@readable
def daily(request: Request) -> HttpResponse:
    """The puzzles of the last thirty days."""
    known = learners.of(request)
    shown = [
        (day, [(game, days.key_of(game, day)) for game in rules.rulesets().values()])
        for day in days.last(timezone.now().date())
    ]
    slots = [key.id for _, keys in shown for _, key in keys]
    done = dict(
        Attempt.objects.filter(learner_id=known, slot__in=slots, at__isnull=False).values_list(
            "slot", "is_right"
        )
        if known
        else ()
    )
    rows = [
        (day, [(game, of_puzzle(key.id), KINDS[key.kind], key.level, done.get(key.id)) for game, key in keys])
        for day, keys in shown
    ]
    return _own(render(request, "practice/daily.html", {"rows": rows, "games": rules.rulesets().values()}))


@require_safe
@readable
def picked(request: Request, game: str) -> HttpResponse:
    """The puzzles of a game that were picked by hand."""
    found = game_of(game)
    known = learners.of(request)
    puzzles = [picked_puzzle(one) for one in stock().picked(found)]
    done = dict(
        Attempt.objects.filter(
            learner_id=known, slot__in=[p.id for p in puzzles], at__isnull=False
        ).values_list("slot", "is_right")
        if known
        else ()
    )
    rows = [(p, of_puzzle(p.id), done.get(p.id)) for p in puzzles]
    context = {"game": found, "rows": rows, "done": len(done)}
    return _own(render(request, "practice/picked.html", context))


# Asking and answering


def _posted(request: Request, place: Place, here: Round | None) -> HttpResponse:
    """Keeps what was sent, or says why not."""
    form, do = request.POST, request.POST.get("do", ANSWER)
    # An id may give another question since the page was made.
    if form.get("puzzle") != place.puzzle.id or form.get("form", place.puzzle.form) != place.puzzle.form:
        kept = answering.found(learners.of(request), place.slot)
        return _shown(request, _asked(request, place, kept, here)._replace(said=_NOTHING_KEPT))
    if "again" in form and here is None and _is_kept(request, place):
        return _shown(request, _once_more(place, form, do))
    if do == HINT:
        kept = answering.hint(request, place)
        draft = tries.read(place.puzzle.level, _without_do(form))
        asked = _asked(request, place, kept, here)
        if not asked.is_answered:
            asked = asked._replace(tried=Try(draft.answer))
        return _answered(request, asked)
    level = place.puzzle.level
    attempt = tries.shown(level) if do == SOLUTION else tries.read(level, form)
    if attempt.error or (attempt.is_right is None and not attempt.is_shown):
        kept = answering.found(learners.of(request), place.slot)
        asked = _asked(request, place, kept, here)
        return _shown(request, asked if asked.is_answered else asked._replace(tried=attempt))
    done = answering.keep(
        request,
        place,
        attempt,
        here=here,
        hints=_hints_seen(form),
        seconds=answering.taken(form.get("seconds", ""), form.get("asked", ""), timezone.now()),
    )
    asked = _asked(request, place, done.attempt, here)
    if not done.is_new:
        return _shown(request, asked._replace(said=_TWICE))
    return _answered(request, asked)


def _is_kept(request: Request, place: Place) -> bool:
    """Whether an answer to this question counts already."""
    kept = answering.found(learners.of(request), place.slot)
    return kept is not None and kept.at is not None


def _once_more(place: Place, form: QueryDict, do: str) -> Asked:
    """A question that is answered once more: what is sent is judged, and kept nowhere."""
    level, seen = place.puzzle.level, _hints_seen(form)
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


def _asked(request: Request, place: Place, kept: Attempt | None, here: Round | None) -> Asked:
    """A question as it stands: with the answer that counts, if one was given."""
    tried = UNTRIED
    if kept is not None and kept.at is not None:
        level = place.puzzle.level
        tried = (
            tries.shown(level)
            if kept.help == answering.SHOWN
            else _told(tries.judged(level, frozenset(kept.answer or ())))
        )
    if here is not None and kept is not None and kept.at is not None and place.number not in here.attempts:
        here = Round(here.run, {**here.attempts, place.number or 0: kept}, here.opened)
    late = _LATE if here is not None and kept is not None and here.is_late(kept) else None
    return Asked(place, tried, kept, late, here)


def _answered(request: Request, asked: Asked) -> HttpResponse:
    """What follows a form: with htmx the part that changes, else the address that shows it."""
    if wants_part(request) or not asked.is_answered:
        return _shown(request, asked)
    return _see(asked.address)


def _shown(request: Request, asked: Asked) -> HttpResponse:
    part = wants_part(request)
    template = "practice/_puzzle.html" if part else "practice/puzzle.html"
    more = {"is_part": part, "query": request.GET.urlencode()}
    return _own(render(request, template, {**_context(asked), **more}))


def _context(asked: Asked) -> Mapping[str, Any]:
    here = asked.round
    puzzle, level = asked.puzzle, asked.puzzle.level
    context: dict[str, Any] = {
        "asked": asked,
        "puzzle": puzzle,
        "level": level,
        "game": puzzle.game,
        "step": Step(),
        "attempt": asked.tried,
        "round": here,
        "now": int(timezone.now().timestamp()),
        "others": _others(level, asked.tried) if asked.is_answered else [],
        "is_revealed": asked.is_answered,
        "is_one_tap": level.kind in _ONE_TAP and not asked.is_answered,
    }
    if here is not None and asked.place.number is not None:
        context |= {
            "mode": MODE_NAMES[here.run.mode],
            "next": _next(here, asked.place.number),
            "review": here.spec.cards[asked.place.number - 1] if here.run.mode == reviews.REVIEW else None,
        }
    else:
        context["next"] = _next_alone(puzzle)
        today = timezone.now().date()
        context["day"] = next((day for day in days.last(today) if _is_of_day(puzzle, day)), None)
        if context["day"]:
            context["next"] = reverse("daily")
    return context


def _is_of_day(puzzle: Puzzle, day: date) -> bool:
    return days.key_of(rules.rulesets()[puzzle.game.key], day).id == puzzle.id


def _next(here: Round, number: int) -> str:
    is_last = here.length is not None and number >= here.length
    if is_last or (number + 1 not in here.attempts and here.is_over(timezone.now())):
        return reverse("run-end", args=[here.run.pk])
    return reverse("run-question", args=[here.run.pk, number + 1])


def _next_alone(puzzle: Puzzle) -> str:
    """The puzzle after one by itself: the next one picked by hand, or that of the next seed."""
    if puzzle.title is not None:
        all_ = [
            f"{one.game.key}/picked/{one.slug}" for one in stock().picked(rules.rulesets()[puzzle.game.key])
        ]
        at = all_.index(puzzle.id) + 1
        return of_puzzle(all_[at]) if at < len(all_) else reverse("picked", args=[puzzle.game.key])
    seed = int(puzzle.id.partition("?")[0].rpartition("/")[2])
    return of_puzzle(Key(puzzle.kind.key, puzzle.game, puzzle.number, (seed + 1) % MOST_SEEDS).id)


def _others(level: Level, tried: Try) -> list[tuple[Any, Text]]:
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


def _see(address: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(address, status=303)


def _own(response: HttpResponse) -> HttpResponse:
    """A page that shows what this browser's learner has done, anew whenever it is gone back to."""
    response["Cache-Control"] = "private, no-store"
    return varied(response, "HX-Request", "Cookie")
