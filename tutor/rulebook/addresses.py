"""Where rules, terms, steps and pages are found: turns what content points to into addresses."""

from __future__ import annotations

from urllib.parse import urlencode

from django.urls import reverse

from rules import Ruleset, notation
from rules.circumstances import Circumstances
from rules.verdict import Verdict


def of_rule(place: str) -> str:
    """The address of a rule page, "game/kind/key"."""
    game, kind, key = place.split("/")
    return reverse("rule", args=[game, kind, key])


def of_line(game: Ruleset, line: str) -> str:
    """Where a source line stands among all of its game's."""
    return f"{reverse('rulebook', args=[game.key])}#{line}"


def of_step(place: str) -> str:
    """The address of a step, "game/chapter#step", or of a chapter."""
    chapter, hash_sign, step = place.partition("#")
    return reverse("chapter", args=chapter.split("/")) + hash_sign + step


def of_term(slug: str) -> str:
    """Where a term stands in the glossary."""
    return f"{reverse('glossary')}#{slug}"


def of_page(name: str) -> str:
    """The address of one of the site's pages by its name."""
    return reverse({"rules": "rulebooks"}.get(name, name))


def of_hand(game: Ruleset, hand: str, given: dict[str, str] | None = None) -> str:
    """The checker with a hand."""
    return f"{reverse('check')}?{urlencode({'ruleset': game.key, 'hand': hand, **(given or {})})}"


def of_verdict(verdict: Verdict) -> str:
    """The checker with a hand as it was judged."""
    how, usual = verdict.circumstances, Circumstances()
    given = {}
    if how.by != usual.by:
        given["by"] = how.by
    if how.seat != usual.seat:
        given["seat"] = str(how.seat)
    if how.discarder is not None and how.discarder != (1 if how.seat == 0 else 0):
        given["from"] = str(how.discarder)
    if how.listening:
        given["listening"] = "1"
    if how.bao:
        given["bao"] = how.bao.code
    if how.moments:
        given["moments"] = ",".join(how.moments)
    if how.birds:
        given["birds"] = ",".join(bird.code for bird in how.birds)
    options = [("option", f"{key}={value}") for key, value in verdict.ruleset.house.chosen.items()]
    query = {"ruleset": verdict.ruleset.key, "hand": notation.write(verdict.hand), **given}
    return f"{reverse('check')}?{urlencode([*query.items(), *options])}"
