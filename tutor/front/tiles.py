"""The page of all tiles, and how each visitor wants them drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

import rules
from rules import Text
from rules.tiles import TILES, Tile
from tutor.embed import frames
from tutor.requests import Request, from_own_page, readable, varied

STYLES = ("index", "contrast")
COOKIE = "tiles"
ASKED = "tile_style_asked"  # an attribute of a request whose answer rests on the cookie
YEAR = 365 * 24 * 3600  # seconds

_NUMBERS = (
    ("一", "yī"), ("二", "èr"), ("三", "sān"), ("四", "sì"), ("五", "wǔ"),
    ("六", "liù"), ("七", "qī"), ("八", "bā"), ("九", "jiǔ"),
)  # fmt: skip
_SUITS = {"m": ("万", "wàn"), "p": ("饼", "bǐng"), "s": ("条", "tiáo")}
_HONORS = {
    "E": ("东风", "dōngfēng"),
    "S": ("南风", "nánfēng"),
    "W": ("西风", "xīfēng"),
    "N": ("北风", "běifēng"),
    "C": ("红中", "hóngzhōng"),
    "F": ("发财", "fācái"),
    "P": ("白板", "báibǎn"),
}
_GROUPS = (
    (
        Text("Characters 万", "万子"),
        Text("A number over 萬, “ten thousand”, in its old form.", "上面是数，下面是繁体的“萬”。"),
        "m",
    ),
    (
        Text("Dots 饼 / 筒", "饼子（筒子）"),
        Text("Changchun says 饼, Changsha 筒: the same tiles.", "长春叫饼，长沙叫筒，是同样的牌。"),
        "p",
    ),
    (
        Text("Bamboo 条", "条子"),
        Text(
            "Count the sticks. The 1 is a bird. Elsewhere the suit is called 索.",
            "数竹节。一条画的是鸟。别处也叫索子。",
        ),
        "s",
    ),
    (
        Text("Winds and dragons", "风牌和中发白"),
        Text("In Changchun alone. 白板 is a frame around nothing.", "只有长春用。白板是个空框。"),
        None,
    ),
)


class Named(NamedTuple):
    """A tile with its names. also: what else it is called, None where that is all."""

    tile: Tile
    han: str
    pinyin: str
    english: str
    also: Text | None


def chosen(request: HttpRequest) -> str:
    """How this browser wants tiles drawn: classes of the page's root, and part of the key of a kept page."""
    setattr(request, ASKED, True)
    kept = request.COOKIES.get(COOKIE, "").split(".")
    return " ".join(f"tiles-{style}" for style in STYLES if style in kept)


def style(request: HttpRequest) -> dict[str, Callable[[], str]]:
    """The same, for the templates of all pages, where they ask for it. In frames nobody is known."""
    is_framed = request.path.startswith(frames.ADDRESSES)
    return {"tile_style": (lambda: "") if is_framed else lambda: chosen(request)}


@csrf_exempt  # what it changes is seen at once and can be changed back; from_own_page sees to it
@require_http_methods(["GET", "HEAD", "POST"])
@readable
@from_own_page
def tiles(request: Request) -> HttpResponse:
    """Every tile, by suit; posted, how they are drawn from now on."""
    if request.method == "POST":
        wanted = ".".join(style for style in STYLES if style in request.POST.getlist("style"))
        response = HttpResponseRedirect(reverse("tiles"), status=303)
        response.set_cookie(
            COOKIE, wanted, max_age=YEAR, samesite="Lax", httponly=True, secure=request.is_secure()
        )
        return response
    groups = [(name, about, [_named(t) for t in TILES if t.suit == suit]) for name, about, suit in _GROUPS]
    now = chosen(request)
    context = {"groups": groups, "index": "tiles-index" in now, "contrast": "tiles-contrast" in now}
    return varied(render(request, "front/tiles.html", context), "Cookie")


def _named(tile: Tile) -> Named:
    game = next(game for game in rules.rulesets().values() if tile in game.tiles.tiles)
    if tile.suit is None:
        han, pinyin = _HONORS[tile.code]
    else:
        number, suit = _NUMBERS[tile.rank - 1], _SUITS[tile.suit]
        han, pinyin = number[0] + suit[0], f"{number[1]} {suit[1]}"
    return Named(tile, han, pinyin, game.tiles.label(tile).en, _also(tile))


def _also(tile: Tile) -> Text | None:
    if tile.code == "1s":
        return Text("also 幺鸡 yāojī, “the little chicken”", "也叫幺鸡")
    if tile.code == "1m":
        return Text("in Changchun also 幺万 yāowàn", "长春也叫幺万")
    if tile.code == "1p":
        return Text("in Changsha 一筒, in Changchun also 幺饼 yāobǐng", "长沙叫一筒，长春也叫幺饼")
    if tile.suit == "p":
        han = f"{_NUMBERS[tile.rank - 1][0]}筒"
        return Text(f"in Changsha {han}", f"长沙叫{han}")
    return None
