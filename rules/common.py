"""Clauses that several games share, made to each game's measure."""

from __future__ import annotations

from .hands import Hand
from .readings import Outlined, Reading, Shape
from .ruleset import FAIL, PASS, Evidence, Rule, Ruleset
from .text import Text


def shape_rule(
    cites: tuple[str, ...], *, not_here: tuple[tuple[Shape, Text, tuple[str, ...]], ...] = ()
) -> Rule:
    """The clause that a hand has one of the game's shapes.

    not_here: shapes that other games know and this one does not, with what to say of such a hand and the
    source rules that say so.
    """

    def status(hand: Hand, reading: Outlined | None) -> str:
        return PASS if reading else FAIL

    def explain(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
        if reading:
            name = reading.shape.name
            return Evidence(hand.tiles, Text(f"The shape is complete: {name.en}.", f"牌型成了：{name.zh}。"))
        for shape, words, why in not_here:
            if shape.read(hand):
                return Evidence(hand.tiles, words, why)
        leftovers = [shape.leftover(hand) for shape in game.shapes if shape.leftover]
        nearest = min(leftovers, key=lambda left: len(left.tiles))
        names = game.tiles.names(nearest.tiles)
        verb = "is" if len(nearest.tiles) == 1 else "are"
        return Evidence(
            nearest.tiles,
            Text(
                f"{nearest.words.en}; {names.en} {verb} left over.",
                f"{nearest.words.zh}；剩下{names.zh}用不上。",
            ),
        )

    return Rule("shape", Text("Shape", "牌型"), cites, status, explain)
