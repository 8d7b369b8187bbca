"""What dealt tiles may be shown for in Changchun: special gangs, and four alike that make a 大蛋."""

from __future__ import annotations

from collections.abc import Callable

from ...hands import Hand
from ...house import House
from ...ruleset import Found, Opening, Ruleset
from ...text import Text
from ...tiles import Kinds, SpecialGang, Tile, tiles
from .house import DADAN, DADAN_1M, SPECIAL_GANG_TWICE
from .tiles import SPECIAL_GANGS

_CITES = {
    "xuanfenggang": ("CC-28", "CC-29"),
    "xigang": ("CC-30", "CC-31"),
    "yaodan": ("CC-32", "CC-33"),
    "jiudan": ("CC-34", "CC-35"),
}

_KINDS = {
    "xuanfenggang": Text("the four winds", "东南西北"),
    "xigang": Text("the three dragons", "中发白"),
    "yaodan": Text("the three 1s", "幺万、幺饼、幺鸡"),
    "jiudan": Text("the three 9s", "九万、九饼、九条"),
}


def dadan_kinds(house: House) -> Kinds:
    """The tiles of which four make a 大蛋 (R16)."""
    return Kinds(tiles("1m 1p 1s C F P") if house.says(DADAN_1M) else tiles("1p 1s C F P"))


def _special(gang: SpecialGang, house: House) -> Callable[[Ruleset, Hand], list[Found]]:
    twice = house.says(SPECIAL_GANG_TWICE)

    def found(game: Ruleset, hand: Hand) -> list[Found]:
        times = min(hand.copies(t) for t in gang.tiles)
        if not times:
            return []
        shown = times if twice else 1
        spare = tuple(t for t in gang.tiles for _ in range(hand.copies(t) - shown))
        first = [Found(gang.tiles, Text("1 point from each of the others.", "其他三家各付1分。"))] * (
            shown - 1
        )
        return [*first, Found(gang.tiles, _with_spare(game, spare, is_dealer=hand.is_full))]

    return found


def _with_spare(game: Ruleset, spare: tuple[Tile, ...], *, is_dealer: bool) -> Text:
    """What a special gang pays, and what may be added to it and when (CC-40, CC-41)."""
    if not spare:
        return Text(
            "1 point from each of the others, and 1 more for each such tile drawn and added later.",
            "其他三家各付1分；以后摸到同类的牌补上，每张再付1分。",
        )
    names = game.tiles.names(spare)
    if is_dealer:
        return Text(
            f"1 point from each of the others. {names.en} may be added for 1 more each, but not before the dealer's first discard.",
            f"其他三家各付1分。{names.zh}也能补，每张再付1分，但庄家要打出第一张以后才能补。",
        )
    return Text(
        f"1 point from each of the others, and 1 more each for {names.en}, which may be added at once.",
        f"其他三家各付1分；{names.zh}可以马上连着补，每张再付1分。",
    )


def _dadan(kinds: Kinds) -> Callable[[Ruleset, Hand], list[Found]]:
    def found(game: Ruleset, hand: Hand) -> list[Found]:
        words = Text(
            "Ganged face up 2 points from each of the others, face down 4; never ganged, nothing.",
            "亮开杠，三家各付2分；扣着暗杠，三家各付4分；不杠没有分。",
        )
        return [Found((t,) * 4, words) for t in sorted(kinds.tiles) if hand.copies(t) == 4]

    return found


def openings(house: House) -> tuple[Opening, ...]:
    """What a table lets be shown from the deal."""
    special = [
        Opening(
            key,
            gang.name,
            Text(
                f"{_KINDS[key].en}, all dealt: may be shown as one exposed gang",
                f"起手集齐{_KINDS[key].zh}，可以亮出来，算一个明杠",
            ),
            (*_CITES[key], "CC-39"),
            _special(gang, house),
            options=(SPECIAL_GANG_TWICE,),
        )
        for key, gang in SPECIAL_GANGS.items()
    ]
    dadan = Opening(
        "dadan",
        Text("Dadan", "大蛋"),
        Text(
            "four alike of 1万, 1条, 1饼 or a dragon, all dealt",
            "起手四张一样的幺万、幺鸡、幺饼、红中、发财或白板",
        )
        if house.says(DADAN_1M)
        else Text(
            "four alike of 1条, 1饼 or a dragon, all dealt", "起手四张一样的幺鸡、幺饼、红中、发财或白板"
        ),
        ("CC-36", "CC-37", "CC-38", "CC-39"),
        _dadan(dadan_kinds(house)),
        options=(DADAN, DADAN_1M),
    )
    return (*special, dadan)
