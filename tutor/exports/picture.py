"""A hand as a picture in a file of its own, for places that have neither the site's sprite nor its styles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

from django.conf import settings

from rules.hands import Hand, Meld

WIDTH, HEIGHT = 60, 80  # of a tile, as it is drawn in the sprite
_NEXT, _APART, _LOWER = 2, 16, 12
_SCALE = 0.6
_PIECE = re.compile(r'^<(?:path|symbol) id="([^"]+)".*$', re.MULTILINE)
_USED = re.compile(r'href="#([^"]+)"')
_SET = re.compile(r"var\(--[a-z-]+,([^)]+)\)")  # what a page may set, with what it is by itself
_INDEX = re.compile(r'<path display="var\(--tile-index.*?/>')


class Picture(NamedTuple):
    """An SVG file, and how wide and high it is shown."""

    svg: str
    width: int
    height: int


class _Face(NamedTuple):
    code: str
    x: int
    y: int = 0


@lru_cache(maxsize=512)
def picture(hand: Hand) -> Picture:
    """A hand in one row: the suits apart, the winning tile in a frame, melds lower."""
    faces, x, frame = [], 0, ""
    for _, tiles in groupby(hand.concealed, key=lambda tile: tile.suit):
        row, x = _row((tile.code for tile in tiles), x)
        faces += row
    if hand.winning:
        row, after = _row([hand.winning.code], x + _APART)
        faces += row
        frame = (
            f'<rect x="{row[0].x}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="none" '
            'stroke="#0b6b4d" stroke-width="5"/>'
        )
        x = after
    for meld in hand.melds:
        row, x = _row(_codes(meld), x + _APART, _LOWER)
        faces += row
    width, height = x - _APART + 6, HEIGHT + 6 + (_LOWER if hand.melds else 0)
    shown_at = 'width="{}" height="{}"'.format(*(round(side * _SCALE) for side in (width, height)))
    parts = [
        (face, key) for face in faces for key in ("f", f"t-{face.code}") if key != "f" or face.code != "back"
    ]
    pieces = "\n".join(_sprite()[key] for key in _needed(key for _, key in parts))
    uses = "".join(
        f'<use href="#{key}" x="{face.x}" y="{face.y}" width="{WIDTH}" height="{HEIGHT}"/>'
        for face, key in parts
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -3 {width} {height}" {shown_at}>'
        f"<defs>\n{pieces}\n</defs>{uses}{frame}</svg>"
    )
    return Picture(svg, round(width * _SCALE), round(height * _SCALE))


def _row(codes: Iterable[str], x: int, y: int = 0) -> tuple[list[_Face], int]:
    """Tiles side by side from x on, and where what stands apart from them begins."""
    row = []
    for code in codes:
        row.append(_Face(code, x, y))
        x += WIDTH + _NEXT
    return row, x - _NEXT + _APART


def _codes(meld: Meld) -> list[str]:
    codes = [tile.code for tile in meld.tiles]
    if meld.concealed:
        codes[0] = codes[-1] = "back"
    return codes


@cache
def _sprite() -> dict[str, str]:
    """The pieces of the site's sprite by their ids."""
    text = (settings.BASE_DIR / "static" / "tiles.svg").read_text(encoding="utf-8")
    text = _SET.sub(r"\1", _INDEX.sub("", text))
    return {found[1]: found[0] for found in _PIECE.finditer(text)}


def _needed(keys: Iterable[str]) -> list[str]:
    """These pieces of the sprite, and those that they are made of, each once."""
    found: dict[str, None] = {}
    for key in keys:
        for each in (*_parts(key), key):
            found[each] = None
    return list(found)


def _parts(key: str) -> Iterator[str]:
    for used in _USED.findall(_sprite()[key]):
        yield from _parts(used)
        yield used
