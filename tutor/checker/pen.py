"""Writing in the reader's language, and drawing tiles.

Whatever a `Pen` writes is markup: texts of the rules, which may quote what a visitor typed, come out escaped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape
from itertools import groupby

from django.templatetags.static import static
from django.utils import translation

from rules import Ruleset
from rules.hands import GANG, SEQUENCE, TRIPLET, Hand, Meld, Set
from rules.text import Text, listed
from rules.tiles import Tile, TileSet
from tutor.templatetags.addresses import cited, rule_address

_HAN = re.compile(r"[\u3400-\u9fff]+")
_MELDS = {
    (SEQUENCE, False): Text("chi", "吃"),
    (TRIPLET, False): Text("peng", "碰"),
    (GANG, False): Text("exposed gang", "明杠"),
    (GANG, True): Text("concealed gang", "暗杠"),
}


class Pen:
    """Writes in one language, which is the one that is active."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._is_chinese = language.startswith("zh")
        self._translated: dict[tuple[str | int, ...], str] = {}

    # The texts of pages, each looked up once. They are in the catalogue as they are in templates: as markup,
    # with values in it that must be markup too.

    def gettext(self, message: str, **values: object) -> str:
        """A message of the catalogue."""
        found = self._translated.get((message,))
        if found is None:
            found = self._translated[message,] = translation.gettext(message)
        return found % values if values else found

    def pgettext(self, context: str, message: str) -> str:
        """A message that means something else elsewhere."""
        found = self._translated.get((context, message))
        if found is None:
            found = self._translated[context, message] = translation.pgettext(context, message)
        return found

    def ngettext(self, one: str, many: str, n: int, **values: object) -> str:
        """A message that speaks of n things, with this number in it."""
        found = self._translated.get((one, many, n))
        if found is None:
            found = self._translated[one, many, n] = translation.ngettext(one, many, n)
        return found % {"n": n, **values}

    # Texts of the rules

    def words(self, text: Text) -> str:
        """A text in the reader's language."""
        return escape(text.zh if self._is_chinese else text.en)

    def marked(self, text: Text) -> str:
        """A text with its Han characters marked as Chinese where the page is not, for those who hear it."""
        return self.mark(escape(text.zh if self._is_chinese else text.en))

    def mark(self, markup: str) -> str:
        """The same for what is markup already."""
        if self._is_chinese or markup.isascii():
            return markup
        return _HAN.sub(r'<span lang="zh-Hans">\g<0></span>', markup)

    def label(self, tile_set: TileSet, kind: Tile) -> str:
        """A tile's picture in words."""
        return _label(self, tile_set, kind)

    def cited(self, lines: tuple[str, ...]) -> str:
        """The ids of source lines with their links."""
        return _cited(lines, self.language)

    def rule_address(self, game: Ruleset, kind: str, key: str) -> str:
        """The address of the page of a rule or pattern."""
        return _rule_address(game, kind, key, self.language)

    # Pictures

    def picture(self, tiles: Iterable[Tile], tile_set: TileSet, style: str = "") -> str:
        """A row of tiles as one picture."""
        return self.drawn(
            "".join([face(t.code) for t in tiles]), label_of_all(tiles, tile_set), f"tiles {style}"
        )

    def set_picture(self, group: Set | Meld, tile_set: TileSet) -> str:
        """A set or meld as one picture; a concealed gang shows two backs."""
        return _set(self, group, tile_set)

    def hand_picture(
        self, hand: Hand, tile_set: TileSet, raised: Iterable[Tile] = (), style: str = ""
    ) -> str:
        """A whole hand: concealed tiles, melds apart and lower, the winning tile to the right.

        raised: the tiles that a finding speaks of, each as often as it is meant. style: "good" for no fault.
        """
        left = Counter(raised)
        parts = [
            f'<span class="suit">{"".join([face(t.code, _raise(t, left)) for t in tiles])}</span>'
            for _, tiles in groupby(hand.concealed, key=lambda t: t.suit)
        ]
        if hand.winning:
            parts.append(
                f'<span class="winning">{face(hand.winning.code, _raise(hand.winning, left))}</span>'
            )
        row = f'<span class="concealed">{"".join(parts)}</span>'
        if hand.melds:
            melds = "".join([f'<span class="meld">{faces(m, left)}</span>' for m in hand.melds])
            row += f'<span class="melds">{melds}</span>'
        return self.drawn(row, hand_label(hand, tile_set), f"hand {style}".strip())

    def drawn(self, parts: str, label: Text, style: str) -> str:
        """Several tiles as one picture."""
        return f'<span class="{escape(style)}" role="img" aria-label="{self.words(label)}">{parts}</span>'


def pen() -> Pen:
    """The pen of the language that is active."""
    return _pen(translation.get_language() or "en")


@cache
def _pen(language: str) -> Pen:
    return Pen(language)


def signed(number: int) -> str:
    """A number with its sign: +3, −3, 0."""
    return f"{number:+}".replace("-", "−") if number else "0"


# Sets, pairs and a few tiles in a row are the same in many hands.


@lru_cache(maxsize=512)
def _row(to: Pen, tiles: tuple[Tile, ...], tile_set: TileSet, style: str) -> str:
    drawn = "".join([face(t.code) for t in tiles])
    return to.drawn(drawn, label_of_all(tiles, tile_set), f"tiles {style}")


@lru_cache(maxsize=1024)
def _set(to: Pen, group: Set | Meld, tile_set: TileSet) -> str:
    style = "tiles meld" if isinstance(group, Meld) else "tiles"
    return to.drawn(faces(group), label_of_all(group.tiles, tile_set), style)


@lru_cache(maxsize=512)
def _cited(lines: tuple[str, ...], language: str) -> str:
    return cited(lines)


@lru_cache(maxsize=512)
def _rule_address(game: Ruleset, kind: str, key: str, language: str) -> str:
    return escape(rule_address(game, kind, key))


@lru_cache(maxsize=512)
def face(code: str, style: str = "") -> str:
    """A tile's picture without a label. code: a tile's, or "back"."""
    classes, sprite = f"tile {escape(style)}" if style else "tile", static("tiles.svg")
    body = "" if code == "back" else f'<use href="{sprite}#f"/>'
    return f'<svg class="{classes}" aria-hidden="true">{body}<use href="{sprite}#t-{code}"/></svg>'


def faces(group: Set | Meld, raised: Counter[Tile] | None = None) -> str:
    """The tiles of a set or meld without a label; of a concealed gang two backs."""
    found = [face(t.code, _raise(t, raised) if raised else "") for t in group.tiles]
    if isinstance(group, Meld) and group.concealed:
        found[0] = found[-1] = face("back")
    return "".join(found)


def _raise(kind: Tile, left: Counter[Tile]) -> str:
    if left[kind] < 1:
        return ""
    left[kind] -= 1
    return "raised"


@lru_cache(maxsize=1024)
def _label(to: Pen, tile_set: TileSet, kind: Tile) -> str:
    return to.words(label_of(tile_set, kind))


@lru_cache(maxsize=1024)
def label_of(tile_set: TileSet, kind: Tile) -> Text:
    """A tile's picture in words."""
    return tile_set.label(kind)


def label_of_all(tiles: Iterable[Tile], tile_set: TileSet) -> Text:
    """A row of tiles in words."""
    return listed([label_of(tile_set, t) for t in tiles], last=Text("and", "、"))


def hand_label(hand: Hand, tile_set: TileSet) -> Text:
    """A hand read aloud: the concealed tiles, each meld, the winning tile."""
    parts = [label_of_all(hand.concealed, tile_set)] if hand.concealed else []
    parts += [meld_label(m, tile_set) for m in hand.melds]
    if hand.winning:
        label = label_of(tile_set, hand.winning)
        parts.append(Text(f"winning tile: {label.en}", f"胡{label.zh}"))
    return Text("; ".join(p.en for p in parts), "；".join(p.zh for p in parts))


def meld_label(meld: Meld, tile_set: TileSet) -> Text:
    """A meld read aloud: what it is, and of which tiles."""
    special = tile_set.special_gangs.get(meld.special or "")
    name = special.name if special else _MELDS[meld.kind, meld.concealed]
    alike = len(set(meld.tiles)) == 1
    tiles = label_of(tile_set, meld.tiles[0]) if alike else label_of_all(meld.tiles, tile_set)
    return Text(f"{name.en} of {tiles.en}", f"{name.zh}{tiles.zh}")
