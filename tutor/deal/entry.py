"""Entering dealt tiles by keys: as in the checker, but that every tile stays in the hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import SystemRandom

from rules import HandError, notation
from rules.hands import Hand
from rules.tiles import Tile, TileSet
from tutor.checker import entry as keys
from tutor.checker.entry import MAX_ACTIONS, Entry, every_tile

# How many tiles each of these actions deals at random.
DEALS = {"deal": 13, "deal-dealer": 14}
_VERBS = ("key", "out", "undo", "clear")
_DICE = SystemRandom()


def act(entry: Entry, actions: Iterable[str], tile_set: TileSet) -> Entry:
    """The entry after some actions: `key:5m`, `out:5m`, `undo`, `clear`, and those of `DEALS`.

    As in the checker, what can't be done changes nothing and leaves a notice; what is unknown does nothing.
    """
    notice = None
    for action in list(actions)[:MAX_ACTIONS]:
        if action in DEALS:
            text = notation.write_tiles(sorted(random_tiles(DEALS[action], tile_set)))
            entry = keys.changed(entry, text)
        elif action.partition(":")[0] in _VERBS:
            entry = keys.act(replace(entry, notice=None), [action], tile_set)
            if action.startswith("key:"):
                entry = replace(entry, text=_all_concealed(entry.text, tile_set))
            notice = entry.notice or notice
    return replace(entry, notice=notice, news=None)


def random_tiles(number: int, tile_set: TileSet) -> list[Tile]:
    """So many tiles from the top of a shuffled wall."""
    return _DICE.sample([t for t in tile_set.tiles for _ in range(4)], number)


def _all_concealed(text: str, tile_set: TileSet) -> str:
    """The text with its winning tile, which the checker's keys set apart, among the others."""
    try:
        hand = notation.parse_unfinished(text, every_tile(tile_set))
    except HandError:
        return text
    return notation.write(Hand.of(hand.loose, hand.melds)) if hand.winning else text
