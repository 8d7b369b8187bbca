"""A game that lives in the tests alone: one suit, one rule beside the shape, one pattern, its own gang."""

from __future__ import annotations

from types import MappingProxyType

from rules.circumstances import Circumstances
from rules.common import shape_rule
from rules.hands import Hand
from rules.readings import FOUR_SETS, Reading
from rules.ruleset import Evidence, Example, Measure, Pattern, Rule, Ruleset, Way
from rules.text import Text
from rules.tiles import TILES, Kinds, SpecialGang, TileSet, tiles
from rules.verdict import FAIL, OPEN, PASS


def _even_status(hand: Hand, reading: Reading | None, circumstances: Circumstances) -> str:
    if reading is None or reading.pair is None:
        return OPEN
    return FAIL if reading.pair.rank % 2 else PASS


def _even(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
    pair = reading.pair if reading else None
    shown = (pair, pair) if pair else ()
    if status == PASS:
        return Evidence(shown, Text("The pair is even.", "将是双数。"))
    return Evidence(shown, Text("The pair must be even.", "将要双数。"))


RULESET = Ruleset(
    key="toy",
    name=Text("Toyland", "玩具城"),
    tiles=TileSet(
        kinds=Kinds(t for t in TILES if t.suit == "p"),
        suits=MappingProxyType({"p": "筒"}),
        special_gangs=MappingProxyType({"ladder": SpecialGang(Text("ladder", "梯子"), tiles("3p 6p 9p"))}),
    ),
    shapes=(FOUR_SETS,),
    rules=(
        shape_rule(lambda reading: ("TOY-1",)),
        Rule("even-pair", Text("An even pair", "双数将"), ("TOY-2",), _even_status, _even),
    ),
    patterns=(
        Pattern("win", Text("Win", "胡"), Text("any win", "胡牌就有"), 3, ("TOY-3",), lambda win: True),
    ),
    ways=(
        Way("discard", Text("on a discard", "点炮")),
        Way("self-draw", Text("self-drawn", "自摸"), self_drawn=True),
    ),
    measure=Measure("points", Text("points", "分"), lambda n: Text(f"{n} points", f"{n}分")),
    examples=(Example(Text("A ladder", "梯子"), "22p 123p 456p {3p6p9p} 78p +9p"),),
)
