"""What Changchun is played with: all 136 tiles, and four kinds of special gang."""

from __future__ import annotations

from types import MappingProxyType

from ...house import House
from ...text import Text
from ...tiles import TILES, Kinds, SpecialGang, TileSet, tiles
from .house import SPECIAL_GANG_TWICE

SPECIAL_GANGS = MappingProxyType(
    {
        "xuanfenggang": SpecialGang(Text("xuanfenggang (the four winds)", "旋风杠"), tiles("E S W N")),
        "xigang": SpecialGang(Text("xigang (the three dragons)", "喜杠"), tiles("C F P")),
        "yaodan": SpecialGang(Text("yaodan (the three 1s)", "幺蛋"), tiles("1m 1p 1s")),
        "jiudan": SpecialGang(Text("jiudan (the three 9s)", "九蛋"), tiles("9m 9p 9s")),
    }
)


def tile_set(house: House) -> TileSet:
    """The tiles, with the special gangs as a table lets them be shown."""
    return _TILE_SETS[house.says(SPECIAL_GANG_TWICE)]


def _tile_set(*, special_gang_twice: bool) -> TileSet:
    return TileSet(
        kinds=_KINDS,
        suits=MappingProxyType({"m": "万", "p": "饼", "s": "条"}),
        special_gangs=SPECIAL_GANGS,
        nicknames=MappingProxyType({"1s": "幺鸡"}),
        special_gang_twice=special_gang_twice,
    )


_KINDS = Kinds(TILES)
_TILE_SETS = {twice: _tile_set(special_gang_twice=twice) for twice in (True, False)}
