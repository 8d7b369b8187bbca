"""Changchun 长春麻将: three suits, a 1 or 9, a triplet; special gangs; the bao after 听; fan added up.

Ids CC-… are the lines of the regional rule text this game is made from; R-numbers are readings of it
where it leaves room.
"""

from __future__ import annotations

from types import MappingProxyType

from ...house import House
from ...readings import FOUR_SETS, SEVEN_PAIRS
from ...ruleset import Example, Measure, Ruleset
from ...table import Table
from ...text import Text
from .house import SEVEN_PAIRS_WIN
from .openings import openings
from .patterns import bao_stands_for, patterns, ways
from .rules import rules
from .tiles import tile_set

_EXAMPLES = (
    Example(Text("A closed hand wins", "门清胡牌"), "123m 45556p 78s SSS +9s"),
    Example(Text("Looks complete, lacks a suit", "看着胡了，缺一门"), "123456m 555p 78p EE +9p"),
    Example(Text("No 1, no 9", "没有1和9"), "23456m 555p 77888s +4m"),
    Example(Text("All sequences: no triplet", "全是顺子，没有刻子"), "123m 456p 45789s EE +6s"),
    Example(Text("A pair of dragons excuses two rules", "一对发财，免两条"), "234m 567p 34567s FF +8s"),
    Example(
        Text("Seven pairs don't count here", "七对在这里不算"),
        "2255m 3377p 1199s C +C",
        (("by", "self-draw"),),
    ),
    Example(Text("One tile left, after a chi", "手把一，可是吃过"), "C (123m) (222p) (777s) (999m) +C"),
    Example(Text("A gang of the three dragons", "喜杠"), "23488m 567p 34s {CFP} +5s"),
    Example(
        Text("The bao is drawn", "摸到宝牌"),
        "456m 45556p 89s SSS +2m",
        (("by", "self-draw"), ("listening", "1"), ("bao", "2m")),
    ),
    Example(Text("What does it wait for?", "听哪几张？"), "23456m 555p 77888s"),
)


_BACKGROUND = MappingProxyType(
    {
        "CC-1": "says which games this one grew out of; what that means is said by the other lines",
        "CC-27": "calls the special gangs typical of the game; the lines after it say how they work",
        "CC-62": "explains the signs in which the text writes its shapes",
    }
)


def _table(house: House) -> Table:
    # Only now: it is large, and a verdict needs none of it.
    from .table import ChangchunTable

    return ChangchunTable(house)


def _build(house: House) -> Ruleset:
    return Ruleset(
        key="changchun",
        name=Text("Changchun", "长春"),
        tiles=tile_set(house),
        shapes=(FOUR_SETS, SEVEN_PAIRS) if house.says(SEVEN_PAIRS_WIN) else (FOUR_SETS,),
        rules=rules(house),
        patterns=patterns(house),
        ways=ways(house),
        measure=Measure("fan", Text("fan", "番"), lambda n: Text(f"{n} fan", f"{n}番")),
        inputs=("listening", "bao"),
        substitutes=bao_stands_for,
        examples=_EXAMPLES,
        openings=openings(house),
        make_table=_table,
        house=house,
        build=_build,
        lines=tuple(f"CC-{n}" for n in range(1, 98)),
        background=_BACKGROUND,
    )


RULESET = _build(House())
