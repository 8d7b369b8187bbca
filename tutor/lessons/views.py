"""The courses: what there is to learn, a course's map, and its chapters with their levels.

A chapter is the same page for everybody but for what is solved of it. So what lies around its steps, the
steps, solved and not, and the marks that say so are kept as long as the content stays, and a page is put
together of them. An answer is posted, judged and remembered; the address it leads to shows the same again, so
that going back, reloading and sending the link on all work without JavaScript too.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import chain
from typing import NamedTuple

from django.http import Http404, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import quote_etag
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

import rules
from rules import Ruleset, Text
from tutor.content import load
from tutor.content.build import Chapter, Course, Step
from tutor.content.levels import Level
from tutor.content.shelf import Shelf, shelf
from tutor.front import tiles
from tutor.lessons import tries
from tutor.lessons.tries import Try
from tutor.people import learners
from tutor.people.learners import Done
from tutor.requests import LONGEST_ADDRESS, Request, from_own_page, game_of, readable, varied, wants_part

_SLOT = mark_safe("\0")  # where a part goes that is not the same for everybody


class Map(NamedTuple):
    """A course with what somebody has done of it."""

    course: Course
    chapters: list[Chapter]
    notes: list[Chapter]
    done: Done

    @property
    def seen(self) -> int:
        """How many chapters something was done in."""
        return sum(self.state(chapter) != "new" for chapter in self.chapters)

    def state(self, chapter: Chapter) -> str:
        """`new`, `begun` or `done`: read to the end, or every level solved."""
        solved = self.done.count(step.place for step in chapter.levels)
        if self.done.is_done(chapter.place) or (chapter.levels and solved == len(chapter.levels)):
            return "done"
        return "begun" if any(place.startswith(f"{chapter.place}#") for place in self.done.places) else "new"

    @property
    def rows(self) -> list[tuple[Chapter, str, int]]:
        """Each chapter, its state, and how many of its levels are solved."""
        return [(c, self.state(c), self.done.count(s.place for s in c.levels)) for c in self.chapters]

    @property
    def next_place(self) -> tuple[str, Text] | None:
        """Where to go on, with its chapter's title: the latest place, or what follows where that is done."""
        numbers = {chapter.place: n for n, chapter in enumerate(self.chapters)}
        latest = next((p for p in reversed(self.done.places) if p.partition("#")[0] in numbers), None)
        if latest is None:
            return None
        at = numbers[latest.partition("#")[0]]
        if self.state(self.chapters[at]) != "done":
            steps = self.chapters[at].steps
            here = next((n for n, s in enumerate(steps) if s.place == latest), -1)
            if self.done.is_done(latest) and here + 1 < len(steps):
                return steps[here + 1].place, self.chapters[at].title
            return latest, self.chapters[at].title
        later = [c for c in [*self.chapters[at + 1 :], *self.chapters[:at]] if self.state(c) != "done"]
        return (later[0].place, later[0].title) if later else None


class Asked(NamedTuple):
    """A level that was asked about, with dice thrown so many times anew, and the answer to it."""

    step: Step
    level: Level
    throw: int
    attempt: Try


class Shown(NamedTuple):
    """A step as the page shows it. number: its place in the chapter, from 1. attempt: the answer, if any.

    level: its level, perhaps with dice thrown anew; throw: the number of that throw. mark: says whether it is
    solved, as HTML. html: its own HTML where nothing was answered, else "".
    """

    step: Step
    number: int
    is_done: bool
    attempt: Try
    level: Level | None
    throw: int = 0
    mark: str = ""
    html: str = ""

    @property
    def can_throw(self) -> bool:
        """Whether its dice can be thrown anew."""
        return self.level is not None and self.level.again is not None

    @property
    def next_throw(self) -> int:
        """The number of the throw after this one."""
        return self.throw % tries.MOST_THROWS + 1


@require_safe
@readable
def learn(request: Request) -> HttpResponse:
    """The courses there are."""
    done = learners.done(request)
    stock = shelf()
    maps = [made for game in rules.rulesets().values() if (made := map_of(stock, game, done))]
    return _own(render(request, "lessons/learn.html", {"maps": maps}))


@require_safe
@readable
def course(request: Request, game: str) -> HttpResponse:
    """A course's map: its chapters, and what was done of them."""
    made = map_of(shelf(), game_of(game), learners.done(request))
    if made is None:
        raise Http404
    return _own(render(request, "lessons/course.html", {"map": made, "game": made.course.game}))


@csrf_exempt  # for the pages that everybody shares hold no token; from_own_page sees to it
@require_http_methods(["GET", "HEAD", "POST"])
@readable
@from_own_page
def chapter(request: Request, game: str, slug: str) -> HttpResponse:
    """A chapter; posted, an answer to one of its levels, or that it was read."""
    stock = shelf()
    found = stock.chapter(game_of(game), slug)
    if found is None:
        raise Http404
    if request.method == "POST":
        return _posted(request, stock, found)
    if learners.of(request) is None and "step" not in request.GET:
        key = ("untouched", found.place, get_language() or "", tiles.chosen(request))
        page = stock.keep(key, lambda: _plain(request, stock, found, Done({})).decode())
        response = _shared(HttpResponse(page))
        response["ETag"] = stock.keep(("tag", *key), lambda: quote_etag(sha256(page).hexdigest())).decode()
        return response
    done, asked = learners.done(request), _asked(found, request.GET)
    if wants_part(request):
        return _part(stock, found, asked, done)
    if asked:
        return _own(HttpResponse(_answered(request, stock, found, done, asked)))
    return _own(HttpResponse(_plain(request, stock, found, done)))


def _posted(request: Request, stock: Shelf, chapter: Chapter) -> HttpResponse:
    if request.POST.get("do") == "read":
        learners.note(request, chapter.place, is_done=True)
        if wants_part(request):
            return HttpResponse(status=204)
        return HttpResponseRedirect(_after(stock, chapter), status=303)
    asked = _asked(chapter, request.POST)
    if asked is None:
        raise Http404
    if asked.attempt.is_right is not None:
        learners.note(request, asked.step.place, is_done=asked.attempt.is_right)
    done = learners.done(request)
    if asked.attempt.is_right and _is_through(chapter, done):
        learners.note(request, chapter.place, is_done=True)
    if wants_part(request):
        return _part(stock, chapter, asked, done)
    here = reverse("chapter", args=[chapter.game.key, chapter.slug])
    query = asked.attempt.query(asked.step, asked.throw)
    if len(query) > LONGEST_ADDRESS:
        return _own(HttpResponse(_answered(request, stock, chapter, done, asked)))
    return HttpResponseRedirect(f"{here}?{query}#{asked.step.slug}", status=303)


def _is_through(chapter: Chapter, done: Done) -> bool:
    """Whether every level is solved, and the chapter is not done yet."""
    return not done.is_done(chapter.place) and all(done.is_done(step.place) for step in chapter.levels)


def _part(stock: Shelf, chapter: Chapter, asked: Asked | None, done: Done) -> HttpResponse:
    """The level alone, with the marks that change with it. Others answer the same: it is kept for a while."""
    if asked is None:
        raise Http404
    shown = _shown(chapter, asked.step, done, asked)
    context = _context(chapter, done) | {"shown": shown, "is_part": True}
    key = (shown.step.place, shown.is_done, shown.attempt, shown.throw, context["solved"], get_language())
    part = stock.keep_a_while(key, lambda: render_to_string("lessons/_answered.html", context))
    return _own(HttpResponse(part))


def _plain(request: Request, stock: Shelf, chapter: Chapter, done: Done) -> bytes:
    """A chapter in which nothing is answered now."""
    language, slot = get_language() or "", _SLOT.encode()
    hollow = [_shown(chapter, step, done)._replace(mark=_SLOT, html=_SLOT) for step in chapter.steps]
    key = ("chapter", chapter.place, language, tiles.chosen(request))
    first, *rest = stock.keep(key, lambda: _drawn(request, stock, chapter, hollow, _SLOT)).split(slot)
    filled = [
        *(_mark(stock, one, language) for one in hollow),
        _tally(stock, chapter, done, language),
        *(_step(stock, chapter, one, language) for one in hollow),
    ]
    return b"".join([first, *chain.from_iterable(zip(filled, rest, strict=True))])


def _answered(request: Request, stock: Shelf, chapter: Chapter, done: Done, asked: Asked) -> str:
    """A chapter with an answer to one of its levels."""
    shown, language = [], get_language() or ""
    for step in chapter.steps:
        one = _shown(chapter, step, done, asked if step is asked.step else None)
        html = "" if step is asked.step else _safe(_step(stock, chapter, one, language))
        shown.append(one._replace(mark=_safe(_mark(stock, one, language)), html=html))
    tally = _safe(_tally(stock, chapter, done, language))
    return _drawn(request, stock, chapter, shown, tally, request.GET.urlencode())


def _drawn(
    request: Request, stock: Shelf, chapter: Chapter, steps: list[Shown], tally: str, query: str = ""
) -> str:
    """A chapter's page."""
    chapters = stock.chapters(chapter.game)
    at = [c.slug for c in chapters].index(chapter.slug)
    context = {
        "chapter": chapter,
        "game": chapter.game,
        "steps": steps,
        "tally": tally,
        "course": stock.course(chapter.game),
        "number": at + 1,
        "count": sum(not c.is_note for c in chapters),
        "previous": chapters[at - 1] if at and not chapter.is_note else None,
        "next": chapters[at + 1] if at + 1 < len(chapters) and not chapter.is_note else None,
        "terms": _terms(stock, chapter),
        "query": query,
        "nav_ruleset": chapter.game.key,  # whatever else the address says
    }
    return render_to_string("lessons/chapter.html", context, request)


def _step(stock: Shelf, chapter: Chapter, shown: Shown, language: str) -> bytes:
    """A step to which nothing is answered now: the same for all who have solved it, or who have not."""
    key = ("step", shown.step.place, str(shown.is_done), language)
    context = {"chapter": chapter, "game": chapter.game, "shown": shown}
    return stock.keep(key, lambda: render_to_string("lessons/_step.html", context))


def _mark(stock: Shelf, shown: Shown, language: str) -> bytes:
    """The mark of a step that is solved, and its place where it is not."""
    key = ("mark", shown.step.place, str(shown.is_done), language)
    return stock.keep(key, lambda: render_to_string("lessons/_mark.html", {"shown": shown}))


def _tally(stock: Shelf, chapter: Chapter, done: Done, language: str) -> bytes:
    """How many of a chapter's levels are solved."""
    context = _context(chapter, done)
    key = ("tally", chapter.place, str(context["solved"]), language)
    return stock.keep(key, lambda: render_to_string("lessons/_tally.html", context))


def _safe(html: bytes) -> str:
    return mark_safe(html.decode())  # noqa: S308 - a template of our own


def _terms(stock: Shelf, chapter: Chapter) -> str:
    """The glossary's entries that a chapter names, as they stand at its end."""
    key = ("terms", chapter.place, get_language() or "")
    context = {"terms": stock.terms_in(f"{load.CHAPTER}/{chapter.place}"), "game": chapter.game}
    return _safe(stock.keep(key, lambda: render_to_string("lessons/_terms.html", context)))


def _context(chapter: Chapter, done: Done) -> dict[str, object]:
    return {
        "chapter": chapter,
        "game": chapter.game,
        "solved": done.count(step.place for step in chapter.levels),
    }


def _shown(chapter: Chapter, step: Step, done: Done, asked: Asked | None = None) -> Shown:
    number, is_done = chapter.steps.index(step) + 1, done.is_done(step.place)
    if asked is None:
        return Shown(step, number, is_done, tries.UNTRIED, step.level)
    return Shown(step, number, is_done, asked.attempt, asked.level, asked.throw)


def _asked(chapter: Chapter, form: QueryDict) -> Asked | None:
    """What a form or an address says of one of the chapter's levels, None where it speaks of none."""
    step = next((step for step in chapter.steps if step.slug == form.get("step")), None)
    if step is None or step.level is None:
        return None
    level, throw = tries.level_of(step.level, form)
    is_solution = form.get("show") == tries.SOLUTION
    return Asked(step, level, throw, tries.shown(level) if is_solution else tries.read(level, form))


def _after(stock: Shelf, chapter: Chapter) -> str:
    """Where one goes on after a chapter."""
    chapters = [c for c in stock.chapters(chapter.game) if not c.is_note]
    at = next((n for n, c in enumerate(chapters) if c.slug == chapter.slug), len(chapters))
    if at + 1 < len(chapters):
        return reverse("chapter", args=[chapter.game.key, chapters[at + 1].slug])
    return reverse("course", args=[chapter.game.key])


def map_of(stock: Shelf, game: Ruleset, done: Done) -> Map | None:
    """A game's course with what somebody has done of it, None where it has none."""
    head = stock.course(game)
    if head is None:
        return None
    chapters = stock.chapters(game)
    return Map(
        head,
        [c for c in chapters if not c.is_note],
        [c for c in chapters if c.is_note],
        done.within(game.key),
    )


def _own(response: HttpResponse) -> HttpResponse:
    """A page that shows what this browser's learner has done, anew whenever it is gone back to."""
    response["Cache-Control"] = "private, no-store"
    return _shared(response)


def _shared(response: HttpResponse) -> HttpResponse:
    """A page that is the same for all who have done nothing yet."""
    return varied(response, "HX-Request", "Cookie")
