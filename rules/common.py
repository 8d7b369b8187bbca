"""Clauses that several games share, made to each game's measure."""

from __future__ import annotations

from collections.abc import Callable

from .circumstances import Circumstances
from .hands import Hand
from .house import HouseRule
from .readings import Outlined, Reading
from .ruleset import Evidence, Rule, Ruleset
from .text import Text
from .verdict import FAIL, PASS

# With more tiles left over than this, naming them helps nobody.
_NAMED = 7


def shape_rule(
    cites: Callable[[Reading | None], tuple[str, ...]],
    why_not: Callable[[Hand], Evidence | None] = lambda hand: None,
    options: tuple[HouseRule, ...] = (),
) -> Rule:
    """The clause that a hand has one of the game's shapes.

    cites: the source rules of a reading's shape, or of all shapes for None. why_not: something better to say
    of a hand without a shape than what is left over, or None. options: the house rules that change the shapes.
    """

    def status(hand: Hand, reading: Outlined | None, circumstances: Circumstances) -> str:
        return PASS if reading else FAIL

    def explain(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
        if reading:
            name = reading.shape.name
            words = Text(f"The shape is complete: {name.en}.", f"牌型成了：{name.zh}。")
            return Evidence(hand.tiles, words, cites(reading))
        return why_not(hand) or _leftover(game, hand)

    return Rule("shape", Text("Shape", "牌型"), cites(None), status, explain, options=options)


def _leftover(game: Ruleset, hand: Hand) -> Evidence:
    """What of the nearest shape the hand has, and the tiles that don't belong to it."""
    leftovers = [left for shape in game.shapes if shape.leftover and (left := shape.leftover(hand))]
    nearest = min(leftovers, key=lambda left: len(left.tiles))
    if len(nearest.tiles) > _NAMED:
        return Evidence(nearest.tiles, Text("The tiles are far from any shape.", "牌型还差得远。"))
    names = game.tiles.names(nearest.tiles)
    verb = "is" if len(nearest.tiles) == 1 else "are"
    return Evidence(
        nearest.tiles,
        Text(f"{nearest.words.en}; {names.en} {verb} left over.", f"{nearest.words.zh}；{names.zh}用不上。"),
    )
