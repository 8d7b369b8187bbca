"""Tiles and two-language texts in templates.

Each tile is drawn by name from the one sprite. A tile or a row of tiles is a picture with a label in the
reader's language; inside a button, which has its own label, it is decoration.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from rules.circumstances import SEATS
from rules.hands import Hand, Meld, Set
from rules.ruleset import Example, Ruleset
from rules.text import Text
from rules.tiles import Tile, TileSet
from rules.verdict import Judged
from tutor.checker.pen import face, pen, signed

register = template.Library()
register.filter("signed", signed)


@register.filter
def words(text: Text | None) -> str:
    """A text in the reader's language."""
    return text.in_language(get_language() or "en") if text else ""


@register.filter(needs_autoescape=False)
def marked(text: str) -> SafeString:
    """A text with its Han characters marked as Chinese where the page is not, for those who hear it."""
    return SafeString(pen().mark(conditional_escape(text)))


@register.filter
def label(tile_set: TileSet, kind: Tile) -> str:
    """A tile's picture in the reader's words."""
    return words(tile_set.label(kind))


@register.filter
def name(tile_set: TileSet, kind: Tile) -> str:
    """A tile's name in the reader's words."""
    return words(tile_set.name(kind))


@register.filter
def seat(number: int) -> str:
    """A seat's name in the reader's words."""
    return words(SEATS[number])


@register.simple_tag
def tile_face(kind: Tile | str, style: str = "") -> SafeString:
    """A tile's picture without a label. kind: a tile, or "back"."""
    return SafeString(face(kind if isinstance(kind, str) else kind.code, style))


@register.simple_tag
def tiles_picture(tiles: Iterable[Tile], tile_set: TileSet, style: str = "") -> SafeString:
    """A row of tiles as one picture."""
    return SafeString(pen().picture(tuple(tiles), tile_set, style))


@register.simple_tag
def set_picture(group: Set | Meld, tile_set: TileSet) -> SafeString:
    """A set or meld as one picture; a concealed gang shows two backs."""
    return SafeString(pen().set_picture(group, tile_set))


@register.simple_tag
def pair_picture(kind: Tile, tile_set: TileSet) -> SafeString:
    """A reading's pair as one picture."""
    return SafeString(pen().picture((kind, kind), tile_set))


@register.simple_tag
def reading_total(game: Ruleset, judged: Judged) -> str:
    """What a winning reading is worth, in words."""
    return words(game.measure.total(judged.total))


@register.simple_tag
def example_query(game: Ruleset, example: Example, ruleset: str) -> str:
    """The query that fills the page with an example, in the game or games now shown."""
    shown = ruleset if not example.given else game.key
    return urlencode({"ruleset": shown, "hand": example.hand, **dict(example.given)})


@register.simple_tag
def hand_picture(hand: Hand, tile_set: TileSet, raised: Iterable[Tile] = (), style: str = "") -> SafeString:
    """A whole hand: concealed tiles, melds apart and lower, the winning tile to the right.

    raised: the tiles that a finding speaks of, each as often as it is meant. style: "good" for no fault.
    """
    return SafeString(pen().hand_picture(hand, tile_set, raised, style))
