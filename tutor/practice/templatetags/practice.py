"""What the pages of practice say of puzzles, rounds and reviews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from rules import HandError, Ruleset, Text, notation, rulesets
from rules.circumstances import SEATS
from rules.tiles import Tile
from rules.tiles import tile as tile_of
from rules.verdict import Draws, Verdict
from tutor.checker.templatetags.tiles import marked, words
from tutor.content.build import pages_of
from tutor.content.levels import Level, Offer
from tutor.lessons.tries import Try
from tutor.practice.models import Attempt
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import Puzzle
from tutor.rulebook import addresses

register = template.Library()


@register.filter
def kind_name(key: str) -> SafeString:
    """The name of a kind of question."""
    return marked(words(KINDS[key].name)) if key in KINDS else marked(key)


@register.simple_tag
def topic_words(game: Ruleset, topic: str) -> SafeString:
    """The name of a rule that questions are about, "win/triplet"; its key where there is no such rule any
    more."""
    page = pages_of(game).get(topic)
    return marked(words(page.name)) if page else marked(topic)


@register.simple_tag
def topic_name(puzzle: Puzzle) -> SafeString:
    """The name of the rule that a puzzle is about."""
    return topic_words(puzzle.game, puzzle.topic)


@register.simple_tag
def topic_address(game: Ruleset, topic: str) -> str:
    """The page of a rule that questions are about; all rules where it has none, as one of a house rule."""
    usual = rulesets()[game.key]
    if topic in pages_of(usual):
        return addresses.of_rule(f"{game.key}/{topic}")
    return reverse("rulebook", args=[game.key])


@register.simple_tag
def rule_page_of(puzzle: Puzzle) -> str:
    """The page of the rule that a puzzle is about."""
    return topic_address(puzzle.game, puzzle.topic)


@register.filter
def reviewed(card: Mapping[str, str]) -> str:
    """The name of the rule that is reviewed."""
    game = rulesets().get(card["game"])
    page = pages_of(game).get(card["topic"]) if game else None
    return words(page.name) if page else card["topic"]


@register.simple_tag
def house_words(game: Ruleset) -> SafeString:
    """The house rules of a table that are not the usual ones, in words."""
    return marked(table_rules(game))


def table_rules(game: Ruleset) -> str:
    """The same as plain text."""
    chosen = game.house.chosen
    return " · ".join(
        _answered(words(option.name), words(option.choice(chosen[option.key]).words))
        for option in game.options
        if option.key in chosen
    )


def _answered(asks: str, choice: str) -> str:
    """A house rule, which is a question, with what is played."""
    return f"{asks}{choice}" if asks.endswith("？") else f"{asks} {choice}"


@register.filter
def in_checker(puzzle: Puzzle) -> list[str]:
    """Where a puzzle's hand can be looked at: the checker, the page of the deal; () for one without a
    hand."""
    level, key = puzzle.level, puzzle.game.key
    if isinstance(level.shown, Verdict):
        return [addresses.of_verdict(level.shown)]
    if puzzle.kind.key == "which-game" and puzzle.hand:
        return [addresses.of_hand(puzzle.game, puzzle.hand)]
    if puzzle.kind.key == "payment":
        wins = [win.verdict for win in level.shown.scenario.wins if win.verdict]
        return [addresses.of_verdict(verdict) for verdict in wins[:1]]
    if puzzle.kind.key == "opening" and puzzle.hand:
        return [f"{reverse('deal')}?ruleset={key}&tiles={puzzle.hand.replace(' ', '+')}"]
    return []


@register.filter
def seat_of(offer: Offer) -> str:
    """The seat that a claim to choose belongs to."""
    return words(SEATS[int(offer.value.partition(":")[0])])


@register.simple_tag
def mended(level: Level, attempt: Try) -> Verdict | None:
    """The verdict on the hand after the right exchange that was made, else after the first right one."""
    right = attempt.answer if attempt.answer in level.rights else level.rights[0]
    out, _, into = next(iter(right)).partition(">")
    verdict: Verdict = level.shown
    made = [
        verdict.ruleset.judge(hand, verdict.circumstances)
        for hand in verdict.hand.exchanged(tile_of(out), tile_of(into))
    ]
    return max(made, key=lambda one: one.total or -1, default=None)


@register.filter
def drawn_tiles(draws: Draws) -> list[Tile]:
    """The tiles that a discard makes wanted."""
    return [kind for kind, _ in draws.tiles]


@register.filter
def by_game(level: Level) -> list[tuple[Ruleset, Verdict | Text]]:
    """What each game says of a hand."""
    found = level.shown.found
    return [(level.game if key == level.game.key else rulesets()[key], said) for key, said in found.items()]


@register.simple_tag
def hand_of(attempt: Attempt) -> Any:
    """The hand that a question was about, None where it was about none."""
    text = attempt.question.get("hand") or attempt.question.get("deal")
    game = rulesets().get(attempt.game)
    if not text or game is None:
        return None
    try:
        return notation.parse_unfinished(text, game.tiles)
    except HandError:
        return None


@register.filter
def of_game(by_key: Mapping[str, Any], game: Ruleset) -> Any:
    """What a mapping by game holds for one."""
    return by_key[game.key]
