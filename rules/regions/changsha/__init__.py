"""Changsha 长沙麻将: 108 tiles; a small win needs a pair of 2, 5 or 8; big wins add up.

Ids CS-… are the lines of the regional rule text this game is made from; S-numbers are readings of it
where it leaves room.
"""

from __future__ import annotations

from ...house import House
from ...ruleset import Example, Measure, Ruleset
from ...table import Table
from ...text import Text, plural
from .openings import openings
from .patterns import WAYS, patterns
from .rules import rules, shapes
from .tiles import TILE_SET

_EXAMPLES = (
    Example(Text("A small win with a pair of 5s", "小胡：五万做将"), "12355m 45678p 789s +9p"),
    Example(Text("Looks complete, wrong pair", "看着胡了，将不对"), "123m 11456p 67789s +8s"),
    Example(Text("Wrong pair, one tile away", "将不对，换一张就胡"), "123m 44456p 67789s +8s"),
    Example(Text("Any pair will do: all triplets", "碰碰胡：什么将都行"), "11133m 44999p 777s +4p"),
    Example(Text("No sets at all, yet a win", "不成牌型也能胡：将将胡"), "22558m 2258p 2588s +5p"),
    Example(Text("Same tiles, several readings", "同一手牌，几种拆法"), "2233445566778m +8m"),
    Example(Text("Seven pairs with four alike", "豪华七对"), "1133m 14444p 6699s +1p"),
    Example(Text("Pairs, but one was a peng", "凑够七对，可是碰过"), "1133m 4488p 66s (999s) +8p"),
    Example(Text("Four melds, one tile", "全求人"), "3m (123m) (444p) (777s) (789p) +3m"),
    Example(
        Text("After opening a gang", "杠上花"),
        "1113455678m [9999m] +2m",
        (("by", "self-draw"), ("moments", "gangshanghua")),
    ),
    Example(Text("What does it wait for?", "听哪几张？"), "2223344m (345p) (888s)"),
)


def _total(big_wins: int) -> Text:
    return Text(plural(big_wins, "big win"), f"{big_wins}个大胡") if big_wins else Text("a small win", "小胡")


def _table(house: House) -> Table:
    # Only now: it is large, and a verdict needs none of it.
    from .table import ChangshaTable

    return ChangshaTable(house)


def _build(house: House) -> Ruleset:
    return Ruleset(
        key="changsha",
        name=Text("Changsha", "长沙"),
        tiles=TILE_SET,
        shapes=shapes(house),
        rules=rules(house),
        patterns=patterns(house),
        ways=WAYS,
        measure=Measure("big_wins", Text("big wins", "大胡"), _total),
        inputs=("moments", "birds"),
        examples=_EXAMPLES,
        openings=openings(house),
        make_table=_table,
        house=house,
        build=_build,
        lines=tuple(f"CS-{n}" for n in range(1, 87)),
    )


RULESET = _build(House())
