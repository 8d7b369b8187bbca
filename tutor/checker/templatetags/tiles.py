"""Tiles and two-language texts in templates.

Each tile is drawn by name from the one sprite. A tile or a row of tiles is a picture with a label in the
reader's language; inside a button, which has its own label, it is decoration.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from functools import lru_cache
from itertools import groupby
from urllib.parse import urlencode

from django import template
from django.template import Context
from django.template.loader import get_template
from django.templatetags.static import static
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from rules.circumstances import SEATS
from rules.hands import GANG, SEQUENCE, TRIPLET, Hand, Meld, Set
from rules.ruleset import Example, Ruleset
from rules.text import Text, listed
from rules.tiles import Tile, TileSet
from rules.verdict import Draws, Judged

register = template.Library()

_HAN = re.compile(r"[\u3400-\u9fff]+")


@register.simple_tag
def part(template: str, **values: Hashable) -> SafeString:
    """A part of a page that rests on these values and the language alone: drawn once, then kept."""
    return _drawn(template, get_language(), tuple(values.items()))


@lru_cache(maxsize=2048)
def _drawn(template: str, language: str | None, values: tuple[tuple[str, Hashable], ...]) -> SafeString:
    return get_template(template).template.render(Context(dict(values)))  # type: ignore[attr-defined]


@register.filter
def words(text: Text | None) -> str:
    """A text in the reader's language."""
    return text.in_language(get_language() or "en") if text else ""


@register.filter(needs_autoescape=False)
def marked(text: str) -> SafeString:
    """A text with its Han characters marked as Chinese where the page is not, for those who hear it."""
    escaped = conditional_escape(text)
    if (get_language() or "en").startswith("zh"):
        return SafeString(escaped)
    return SafeString(_HAN.sub(r'<span lang="zh-Hans">\g<0></span>', escaped))


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


@register.filter
def signed(number: int) -> str:
    """A number with its sign: +3, −3, 0."""
    return f"{number:+}".replace("-", "−") if number else "0"


@register.simple_tag
def tile_face(kind: Tile | str, style: str = "") -> SafeString:
    """A tile's picture without a label. kind: a tile, or "back"."""
    return _face(kind if isinstance(kind, str) else kind.code, style)


@lru_cache(maxsize=1024)
def _face(code: str, style: str) -> SafeString:
    return format_html(
        '<svg class="tile{}" aria-hidden="true"><use href="{}#t-{}"/></svg>',
        f" {style}" if style else "",
        static("tiles.svg"),
        code,
    )


@register.simple_tag
def tiles_picture(tiles: Iterable[Tile], tile_set: TileSet, style: str = "") -> SafeString:
    """A row of tiles as one picture."""
    tiles = list(tiles)
    return _picture([tile_face(t) for t in tiles], _label(tiles, tile_set), f"tiles {style}")


@register.simple_tag
def drawn_picture(draws: Draws, tile_set: TileSet) -> SafeString:
    """The tiles that bring a hand nearer as one picture."""
    return tiles_picture((t for t, _ in draws.tiles), tile_set, "small")


@register.simple_tag
def set_picture(group: Set | Meld, tile_set: TileSet) -> SafeString:
    """A set or meld as one picture; a concealed gang shows two backs."""
    return _picture(
        _faces(group), _label(group.tiles, tile_set), "tiles meld" if isinstance(group, Meld) else "tiles"
    )


@register.simple_tag
def pair_picture(kind: Tile, tile_set: TileSet) -> SafeString:
    """A reading's pair as one picture."""
    return tiles_picture((kind, kind), tile_set)


@register.simple_tag
def meld_faces(meld: Meld) -> SafeString:
    """A meld's tiles without a label."""
    return _join(_faces(meld))


@register.simple_tag
def reading_total(game: Ruleset, judged: Judged) -> str:
    """What a winning reading is worth, in words."""
    return words(game.measure.total(judged.total))


@register.simple_tag
def broken_rules(game: Ruleset, judged: Judged) -> str:
    """The names of the rules that a reading breaks."""
    return words(listed([game.rule(key).name for key in judged.fails]))


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
    left = Counter(raised)
    parts = [
        format_html('<span class="suit">{}</span>', _join([tile_face(t, _raise(t, left)) for t in tiles]))
        for _, tiles in groupby(hand.concealed, key=lambda t: t.suit)
    ]
    if hand.winning:
        face = tile_face(hand.winning, _raise(hand.winning, left))
        parts.append(format_html('<span class="winning">{}</span>', face))
    rows = [format_html('<span class="concealed">{}</span>', _join(parts))]
    if hand.melds:
        melds = [format_html('<span class="meld">{}</span>', _join(_faces(m, left))) for m in hand.melds]
        rows.append(format_html('<span class="melds">{}</span>', _join(melds)))
    return _picture(rows, hand_label(hand, tile_set), f"hand {style}".strip())


def hand_label(hand: Hand, tile_set: TileSet) -> Text:
    """A hand read aloud: the concealed tiles, each meld, the winning tile."""
    parts = [_label(hand.concealed, tile_set)] if hand.concealed else []
    parts += [meld_label(m, tile_set) for m in hand.melds]
    if hand.winning:
        label = tile_set.label(hand.winning)
        parts.append(Text(f"winning tile: {label.en}", f"胡{label.zh}"))
    return Text("; ".join(p.en for p in parts), "；".join(p.zh for p in parts))


_MELDS = {
    (SEQUENCE, False): Text("chi", "吃"),
    (TRIPLET, False): Text("peng", "碰"),
    (GANG, False): Text("exposed gang", "明杠"),
    (GANG, True): Text("concealed gang", "暗杠"),
}


def meld_label(meld: Meld, tile_set: TileSet) -> Text:
    """A meld read aloud: what it is, and of which tiles."""
    special = tile_set.special_gangs.get(meld.special or "")
    name = special.name if special else _MELDS[meld.kind, meld.concealed]
    alike = len(set(meld.tiles)) == 1
    tiles = tile_set.label(meld.tiles[0]) if alike else _label(meld.tiles, tile_set)
    return Text(f"{name.en} of {tiles.en}", f"{name.zh}{tiles.zh}")


def _faces(group: Set | Meld, raised: Counter[Tile] | None = None) -> list[SafeString]:
    faces = [tile_face(t, _raise(t, raised) if raised else "") for t in group.tiles]
    if isinstance(group, Meld) and group.concealed:
        faces[0] = faces[-1] = tile_face("back")
    return faces


def _raise(kind: Tile, left: Counter[Tile]) -> str:
    if left[kind] < 1:
        return ""
    left[kind] -= 1
    return "raised"


def _label(tiles: Iterable[Tile], tile_set: TileSet) -> Text:
    return listed([tile_set.label(t) for t in tiles], last=Text("and", "、"))


def _picture(parts: list[SafeString], label: Text, style: str) -> SafeString:
    return format_html(
        '<span class="{}" role="img" aria-label="{}">{}</span>', style, words(label), _join(parts)
    )


def _join(parts: list[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in parts))
