"""The rules, one page each, with hands judged when the page is made; the glossary; the games side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

import rules
from rules import Ruleset, Text, asking
from rules.house import HouseRule
from rules.table import Reason
from rules.verdict import Finding, Verdict
from tutor.content import claims, load
from tutor.content.build import KINDS, Chapter, Sample, Step, Term, Topic, compared, pages_of, passes
from tutor.content.claims import Question
from tutor.content.shelf import Shelf, shelf
from tutor.front import tiles
from tutor.practice import runs
from tutor.requests import Request, game_of, readable, varied

KIND_NAMES = {
    "win": Text("Rules of a win", "胡牌的条件"),
    "pattern": Text("What a win is paid for", "胡牌算什么"),
    "opening": Text("What may be shown from the deal", "起手能亮的牌"),
    "table": Text("At the table", "桌上的规矩"),
}


class Entry(NamedTuple):
    """A rule, pattern, opening or ruling, as pages show it. worth: fan or big wins, None for no pattern."""

    kind: str
    key: str
    name: Text
    meaning: Text
    cites: tuple[str, ...]
    options: tuple[HouseRule, ...]
    worth: int | None


class Shown(NamedTuple):
    """An example with what the engine says of it. passes: whether it meets the rule, None for the table."""

    sample: Sample
    passes: bool | None
    verdict: Verdict | None = None
    finding: Finding | None = None
    deal: Any = None
    settled: Any = None
    reasons: tuple[Reason, ...] = ()
    answer: tuple[str, ...] = ()


@require_safe
@readable
def rulebooks(request: Request) -> HttpResponse:
    """The games whose rules there are."""
    return render(request, "rulebook/rulebooks.html", {"games": rules.rulesets().values()})


@require_safe
@readable
def rulebook(request: Request, game: str) -> HttpResponse:
    """All rules of a game on one page, and every line of the text it is made from, with where it is told."""
    found = game_of(game)
    return _kept(request, "rulebook/rulebook.html", lambda stock: _rulebook(stock, found))


def _rulebook(stock: Shelf, found: Ruleset) -> dict[str, Any]:
    entries = _entries(found)
    groups = [(KIND_NAMES[kind], [e for e in entries if e.kind == kind]) for kind in KINDS]
    lines = [
        (
            line,
            [entry for entry in entries if line in entry.cites],
            [stock.steps[place] for place in stock.taught.get(line, [])],
        )
        for line in found.lines
    ]
    return {
        "game": found,
        "groups": [(name, group) for name, group in groups if group],
        "lines": lines,
    }


@require_safe
@readable
def rule(request: Request, game: str, kind: str, key: str) -> HttpResponse:
    """A rule's page."""
    found = game_of(game)
    entry = next((e for e in _entries(found) if (e.kind, e.key) == (kind, key)), None)
    if entry is None:
        raise Http404
    return _kept(request, "rulebook/rule.html", lambda stock: _rule(stock, found, entry))


def _rule(stock: Shelf, found: Ruleset, entry: Entry) -> dict[str, Any]:
    kind, key = entry.kind, entry.key
    topic = stock.topic(found, f"{kind}/{key}")
    samples = [_shown(topic, sample) for sample in topic.samples] if topic else []
    return {
        "game": found,
        "entry": entry,
        "kind_name": KIND_NAMES[kind],
        "topic": topic,
        "samples": samples,
        "taught": _taught(stock, found, entry, topic),
        "terms": stock.terms_in(f"{load.RULE}/{found.key}/{kind}/{key}"),
        "is_practised": f"{kind}/{key}" in runs.topics(found, stock),
    }


@require_safe
@readable
def glossary(request: Request) -> HttpResponse:
    """The words of the table."""
    return _kept(request, "rulebook/glossary.html", _glossary)


def _glossary(stock: Shelf) -> dict[str, Any]:
    terms = stock.terms.values()
    groups: list[tuple[Text | None, list[Term]]] = [
        (None, [term for term in terms if not term.games]),
        *((game.name, [t for t in terms if game.key in t.games]) for game in rules.rulesets().values()),
    ]
    return {"groups": [(name, terms) for name, terms in groups if terms]}


@require_safe
@readable
def compare(request: Request) -> HttpResponse:
    """The games point by point, and hands that every game judges."""
    return _kept(request, "rulebook/compare.html", _compare)


def _compare(stock: Shelf) -> dict[str, Any]:
    found = stock.comparison
    games = compared(found.points) if found else []
    hands = []
    for hand, said in found.hands if found else ():
        hands.append((said, [Question(game, claims.HAND, hand).verdict() for game in games]))
    points = [
        (point, [(game, point.said[game.key]) for game in games if game.key in point.said])
        for point in (found.points if found else ())
    ]
    terms = stock.terms_in(load.COMPARISON)
    return {"comparison": found, "games": games, "points": points, "hands": hands, "terms": terms}


def _kept(request: Request, template: str, context_of: Callable[[Shelf], dict[str, Any]]) -> HttpResponse:
    """A page that is the same for everybody, kept as long as the content stays."""
    stock = shelf()
    key = (template, request.path, get_language() or "", tiles.chosen(request))
    html = stock.keep(key, lambda: render_to_string(template, context_of(stock), request))
    return varied(HttpResponse(html), "Cookie")


def _entries(game: Ruleset) -> list[Entry]:
    """Everything of a game that has a page, in order."""
    found = []
    for place, thing in pages_of(game).items():
        kind, _, key = place.partition("/")
        worth = thing.worth if kind == "pattern" else None
        meaning = getattr(thing, "meaning", Text("", ""))
        found.append(Entry(kind, key, thing.name, meaning, thing.cites, thing.options, worth))
    return found


def _taught(stock: Shelf, game: Ruleset, entry: Entry, topic: Topic | None) -> list[tuple[Chapter, Step]]:
    """The steps that teach a rule: the one an author names first, then those that cite a line of it."""
    places = [f"{game.key}/{topic.step}"] if topic and topic.step else []
    places += [place for line in entry.cites for place in stock.taught.get(line, [])]
    return [stock.steps[place] for place in dict.fromkeys(places) if place in stock.steps][:6]


def _shown(topic: Topic, sample: Sample) -> Shown:
    asked = sample.question
    if asked.kind in (claims.ASK, claims.GETS):
        outcome = asked.outcome()
        return Shown(sample, None, reasons=outcome.reasons, answer=asking.told(outcome.value))
    if asked.kind == claims.SETTLE:
        return Shown(sample, None, settled=asked.settled())
    kind, _, key = topic.about.partition("/")
    met = passes(topic, sample) if kind != "table" else None
    if asked.kind == claims.DEAL:
        return Shown(sample, met, deal=asked.deal())
    verdict = asked.verdict()
    finding = next((f for f in verdict.findings if f.rule.key == key), None) if kind == "win" else None
    return Shown(sample, met, verdict=verdict, finding=finding)
