"""What a deal holds: the openings that may be shown before play, and whether the hand is ready as dealt."""

from __future__ import annotations

from typing import NamedTuple

from . import notation
from .errors import HandError
from .hands import Hand
from .ruleset import Found, Opening, Ruleset
from .text import Text, plural
from .tiles import Tile


class Deal(NamedTuple):
    """What dealt tiles hold. openings: each with the ways in which the tiles make it. waits: the tiles that
    would win on the first discard; () for the dealer, who discards it."""

    ruleset: Ruleset
    hand: Hand
    openings: tuple[tuple[Opening, tuple[Found, ...]], ...]
    waits: tuple[Tile, ...]

    @property
    def is_dealer(self) -> bool:
        """Whether these are the dealer's 14 tiles."""
        return self.hand.is_full

    @property
    def showing(self) -> tuple[Tile, ...]:
        """The tiles that make openings, each as often as it does; () where that is all of them."""
        ways = [way for _, found in self.openings for way in found]
        tiles = tuple(t for way in ways if len(way.tiles) < len(self.hand.tiles) for t in way.tiles)
        return tiles if len(tiles) < len(self.hand.tiles) else ()

    @property
    def is_ready(self) -> bool:
        """Whether the hand waits for a tile as dealt."""
        return bool(self.waits)


def read(ruleset: Ruleset, text: str) -> Hand:
    """The dealt tiles in a text: 13, or the dealer's 14. Raises HandError."""
    hand = notation.parse_unfinished(text, ruleset.tiles)
    if hand.melds or hand.winning:
        raise HandError(
            "bad-meld" if hand.melds else "bad-character",
            Text(
                "Dealt tiles are all concealed: write no melds and no “+”.",
                "起手的牌都在手里，不要写吃碰杠，也不要写“+”。",
            ),
            at=notation.place_of(text, "([{" if hand.melds else "+"),
        )
    size = len(hand.loose)
    if size not in (13, 14):
        raise HandError(
            "tile-count",
            Text(
                f"A deal is 13 tiles, or 14 for the dealer; here {'is' if size == 1 else 'are'} {plural(size, 'tile')}.",
                f"起手是13张，庄家14张；现在有{size}张。",
            ),
            missing=13 - size,
        )
    return hand


def look(ruleset: Ruleset, hand: Hand) -> Deal:
    """What a deal holds. hand: 13 concealed tiles, or the dealer's 14."""
    openings = [(opening, tuple(opening.found(ruleset, hand))) for opening in ruleset.openings]
    waits = [] if hand.is_full else ruleset.waits(hand, ruleset.table.dealt)
    return Deal(ruleset, hand, tuple((o, found) for o, found in openings if found), tuple(waits))
