"""Practice: where one chooses what to do, the questions of a round, puzzles by themselves, the day's and
those picked by hand.

How a question is shown and answered, see `asking`.
"""

from __future__ import annotations

from datetime import datetime
from random import SystemRandom

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
from tutor.people import learners
from tutor.people.models import Learner
from tutor.practice import answering, asking, days, reviews, runs
from tutor.practice.asking import Asked, own
from tutor.practice.models import Card, Run
from tutor.practice.places import Alone, InRound
from tutor.practice.runs import MODE_NAMES, Round, Spec
from tutor.puzzles.addresses import of_puzzle
from tutor.puzzles.hands import LEVELS
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import MOST_SEEDS, Key, NoPuzzleError, Puzzle, by_id, picked_puzzle
from tutor.puzzles.stock import stock
from tutor.requests import Request, from_own_page, game_of, readable, refusal

# Choosing


@require_safe
@readable
def practice(request: Request) -> HttpResponse:
    """What there is to practise."""
    now = timezone.now()
    learner = learners.found(request)
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
        "days": [(game, of_puzzle(days.key_of(game, now.date()).id)) for game in games],
        "due": len(_due(learner, now)),
        "reviews": learner is not None and learner.reviews,
        "picked": [(game, len(stock().picked(game))) for game in games],
    }
    return own(render(request, "practice/practice.html", context))


def _due(learner: Learner | None, now: datetime) -> list[Card]:
    """The cards that are due and can be asked: of some rules all questions were picked by hand."""
    if learner is None or not learner.reviews:
        return []
    reviews.catch_up(learner, now)
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
    if mode == runs.REVIEW and not _due(learners.found(request), now):
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
        place = InRound(_of_round(here, number), here, number)
    except NoPuzzleError:
        if number in here.attempts:  # what was asked can't be shown any more
            raise Http404 from None
        return _run_dry(request, here, number)
    if request.method == "POST":
        return asking.posted(request, place)
    return asking.shown(request, asking.asked(place, here.attempts.get(number) or here.opened.get(number)))


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
    }
    return own(render(request, "practice/end.html", context))


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
        place = Alone(answering.as_asked(now, kept))
    except NoPuzzleError:
        raise Http404 from None
    if request.method == "POST":
        return asking.posted(request, place)
    if "again" in request.GET and kept is not None and kept.at is not None:
        return asking.shown(request, Asked(place, again=True))
    return asking.shown(request, asking.asked(place, kept))


@require_safe
@readable
def daily(request: Request) -> HttpResponse:
    """The puzzles of the last thirty days."""
    shown = [
        (day, [(game, days.key_of(game, day)) for game in rules.rulesets().values()])
        for day in days.last(timezone.now().date())
    ]
    done = answering.done(learners.of(request), [key.id for _, keys in shown for _, key in keys])
    rows = [
        (day, [(game, of_puzzle(key.id), KINDS[key.kind], key.level, done.get(key.id)) for game, key in keys])
        for day, keys in shown
    ]
    return own(render(request, "practice/daily.html", {"rows": rows, "games": rules.rulesets().values()}))


@require_safe
@readable
def picked(request: Request, game: str) -> HttpResponse:
    """The puzzles of a game that were picked by hand."""
    found = game_of(game)
    puzzles = [picked_puzzle(one) for one in stock().picked(found)]
    done = answering.done(learners.of(request), [puzzle.id for puzzle in puzzles])
    rows = [(p, of_puzzle(p.id), done.get(p.id)) for p in puzzles]
    context = {"game": found, "rows": rows, "done": len(done)}
    return own(render(request, "practice/picked.html", context))


def _see(address: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(address, status=303)
