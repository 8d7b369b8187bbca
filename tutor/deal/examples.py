"""Deals worth looking at. They name no game: each game shows those that hold something in it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules import HandError, Ruleset, Text, deal
from rules.ruleset import Opening
from rules.text import listed
from rules.tiles import Tile

_DEALS = (
    "2222m 13579p 1479s",
    "222m 555p 1479s 146m",
    "13467m 13469p 134s",
    "1123467m 123479p",
    "2222m 555m 4477p 99p",
    "12355m 45678p 789s",
    "12355m 456789p 789s",
    "1m 123p 19s 456s ESWN",
    "1234m 567p 55s 9s CFP",
    "159m 1p 1s 456p 789s EE",
    "9m 9p 9s 123m 45p 66s SSS",
    "1111s 234m 567p EE C",
    "1m 1p 15s ESWN CFP 5m 5p",
    "234m 567p 34567s FF",
)


class Example(NamedTuple):
    """A deal in text, and what it holds as its title."""

    title: Text
    tiles: str


@lru_cache(maxsize=16)
def examples(game: Ruleset) -> tuple[Example, ...]:
    """The deals that hold something in this game, each title once."""
    found: dict[Text, str] = {}
    for text in _DEALS:
        try:
            look = deal.look(game, deal.read(game, text))
        except HandError:
            continue
        holds = [opening.name for opening, _ in look.openings]
        if look.is_ready:
            holds.append(Text("ready as dealt", "起手听牌"))
        title = listed(holds)
        if holds:
            found.setdefault(Text(title.en[0].upper() + title.en[1:], title.zh), text)
    return tuple(Example(title, text) for title, text in found.items())


@lru_cache(maxsize=16)
def would_count(game: Ruleset) -> tuple[tuple[Opening, tuple[Tile, ...]], ...]:
    """Each opening of the game with tiles that make it; () where no few tiles do."""
    shown: dict[str, tuple[Tile, ...]] = {}
    for example in examples(game):
        for opening, ways in deal.look(game, deal.read(game, example.tiles)).openings:
            if len(ways[0].tiles) < 13:
                shown.setdefault(opening.key, ways[0].tiles)
    return tuple((opening, shown.get(opening.key, ())) for opening in game.openings)
