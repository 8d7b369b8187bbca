"""The clauses of a win in Changchun: shape, three suits, a 1 or 9, a triplet, one tile left."""

from __future__ import annotations

from collections.abc import Callable

from ...circumstances import Circumstances
from ...common import shape_rule
from ...features import ENDS, HELD, feature
from ...features import TRIPLET as ALIKE
from ...hands import GANG, SEQUENCE, SPECIAL_GANG, TRIPLET, Counts, Hand, count, expand
from ...house import House
from ...nearness import IMPOSSIBLE, NOTHING, Needs
from ...readings import SEVEN_PAIRS, Outlined, Reading, Shape
from ...ruleset import Evidence, Rule, Ruleset
from ...text import Text, listed
from ...tiles import DRAGONS, HONOR_KINDS, SUITS, TERMINALS, Tile
from ...verdict import FAIL, OPEN, PASS, WAIVED
from .house import (
    DRAGON_PAIR_WAIVES_TRIPLET,
    MUST_DECLARE_TING,
    SEVEN_PAIRS_WIN,
    SPECIAL_GANG_COUNTS_SUITS,
    SPECIAL_GANG_IN_PIAOHU,
)

# Three suits


def _three_suits(house: House) -> Rule:
    counts_of = _counts_of(house)

    def status(hand: Hand, reading: Outlined | None, circumstances: Circumstances) -> str:
        characters, dots, bamboo, _ = counts_of(hand)
        return PASS if characters and dots and bamboo else FAIL

    def explain(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
        return _explain_three_suits(game, hand, expand(counts_of(hand)), status)

    def needs(shape: Shape, hand: Hand, circumstances: Circumstances) -> Needs:
        a, b, c, _ = _melded(hand, counts_of)
        return ((0 if a else HELD, 0 if b else HELD, 0 if c else HELD, 0),)

    return Rule(
        "three-suits",
        Text("Three suits", "三色全"),
        ("CC-69",),
        status,
        explain,
        needs,
        options=(SPECIAL_GANG_COUNTS_SUITS,),
    )


def _counts_of(house: House) -> Callable[[Hand], Counts]:
    """What counts for the suits and for a 1 or 9: all tiles, or all but those in special gangs (R4)."""
    if house.says(SPECIAL_GANG_COUNTS_SUITS):
        return lambda hand: hand.all_counts
    return lambda hand: count([*hand.loose, *(t for m in hand.melds if not m.special for t in m.tiles)])


def _melded(hand: Hand, counts_of: Callable[[Hand], Counts]) -> Counts:
    """What of it is in melds."""
    if not hand.melds:
        return (0, 0, 0, 0)
    (a, b, c, d), (w, x, y, z) = counts_of(hand), hand.counts
    return a - w, b - x, c - y, d - z


def _explain_three_suits(game: Ruleset, hand: Hand, counted: tuple[Tile, ...], status: str) -> Evidence:
    first_of = {t.suit: t for t in reversed(counted) if t.suit}
    shown = tuple(first_of[suit] for suit in SUITS if suit in first_of)
    if status == PASS:
        return Evidence(shown, Text("All three suits are there.", "万子、饼子、条子三色齐。"))
    absent = listed([game.tiles.suit_name(suit) for suit in SUITS if suit not in first_of])
    aside = any(t.suit for m in hand.melds if m.special for t in m.tiles) and len(counted) < len(hand.tiles)
    return Evidence(
        shown,
        Text(
            f"All three suits are needed{' beside the special gang' if aside else ''}; missing: {absent.en}.",
            f"{'特殊杠不算，' if aside else ''}三色不全，缺{absent.zh}。",
        ),
    )


# A 1 or 9


def _terminal(house: House) -> Rule:
    everything = house.says(SPECIAL_GANG_COUNTS_SUITS)
    counts_of = _counts_of(house)

    def status(hand: Hand, reading: Outlined | None, circumstances: Circumstances) -> str:
        if hand.holds(TERMINALS) if everything else TERMINALS.among(counts_of(hand)):
            return PASS
        return WAIVED if hand.holds(HONOR_KINDS) else FAIL

    def explain(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
        shown = tuple(t for t in expand(counts_of(hand)) if t in TERMINALS)
        return _explain_terminal(game, hand, shown, status)

    def needs(shape: Shape, hand: Hand, circumstances: Circumstances) -> Needs:
        if hand.melds and (hand.all_counts[3] != hand.counts[3] or TERMINALS.among(_melded(hand, counts_of))):
            return NOTHING
        return _TERMINAL_OR_HONOR

    return Rule(
        "terminal-or-honor",
        Text("A 1 or 9", "不缺1、9"),
        ("CC-70", "CC-71"),
        status,
        explain,
        needs,
        options=(SPECIAL_GANG_COUNTS_SUITS,),
    )


_TERMINAL_OR_HONOR = ((ENDS, 0, 0, 0), (0, ENDS, 0, 0), (0, 0, ENDS, 0), (0, 0, 0, HELD))


def _explain_terminal(game: Ruleset, hand: Hand, shown: tuple[Tile, ...], status: str) -> Evidence:
    if status == PASS:
        names = game.tiles.names(sorted(set(shown)))
        return Evidence(shown, Text(f"There is a 1 or 9: {names.en}.", f"有幺九：{names.zh}。"), ("CC-70",))
    if status == WAIVED:
        shown = hand.of_kinds(HONOR_KINDS)
        names = game.tiles.names(sorted(set(shown)))
        return Evidence(
            shown,
            Text(
                f"No 1 or 9, but not needed: the hand has {names.en}.", f"没有幺九，但有{names.zh}，可以免。"
            ),
            ("CC-71",),
        )
    if hand.holds(TERMINALS):
        words = Text(
            "There is no 1 or 9 beside the special gang, where at this table they don't count.",
            "除了特殊杠没有幺九，这桌特殊杠里的不算。",
        )
    else:
        words = Text(
            "There is no 1 or 9, and no wind or dragon to excuse it.",
            "没有幺也没有九，也没有风牌、中发白可以免。",
        )
    return Evidence(
        hand.tiles,
        words,
        ("CC-70", "CC-71"),
    )


# A triplet


def _triplet(house: House) -> Rule:
    dragons_excuse = house.says(DRAGON_PAIR_WAIVES_TRIPLET)

    def status(hand: Hand, reading: Outlined | None, circumstances: Circumstances) -> str:
        special = len([m for m in hand.melds if m.special]) if hand.melds else 0
        if reading:
            if reading.triplets > special:
                return PASS
            if special or (dragons_excuse and hand.holds(DRAGONS)) or reading.shape is SEVEN_PAIRS:
                return WAIVED
            return FAIL
        if any(m.kind in (TRIPLET, GANG) for m in hand.melds):
            return PASS
        return WAIVED if special or (dragons_excuse and hand.holds(DRAGONS)) else OPEN

    def needs(shape: Shape, hand: Hand, circumstances: Circumstances) -> Needs:
        if shape is SEVEN_PAIRS or any(m.kind != SEQUENCE for m in hand.melds):
            return NOTHING
        return _TRIPLET_OR_DRAGON if dragons_excuse else _TRIPLET

    return Rule(
        "triplet",
        Text("A triplet", "最少一刻"),
        ("CC-72", "CC-73"),
        status,
        _explain_triplet,
        needs,
        options=(DRAGON_PAIR_WAIVES_TRIPLET,),
    )


_ALIKE_OR_DRAGON = feature(
    lambda library: library.with_triplet | library.holding(t.rank for t in DRAGONS.tiles)
)
_TRIPLET = ((ALIKE, 0, 0, 0), (0, ALIKE, 0, 0), (0, 0, ALIKE, 0), (0, 0, 0, ALIKE))
_TRIPLET_OR_DRAGON = (*_TRIPLET[:3], (0, 0, 0, _ALIKE_OR_DRAGON))


def _explain_triplet(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
    if status == PASS:
        declared = [m for m in hand.melds if m.kind in (TRIPLET, GANG)]
        found = (reading.first_triplet() if reading else None) or declared[0]
        name = game.tiles.name(found.tiles[0])
        kind = Text("gang", "杠") if found.kind == GANG else Text("triplet", "刻子")
        return Evidence(
            found.tiles, Text(f"There is a {kind.en} of {name.en}.", f"有{name.zh}的{kind.zh}。"), ("CC-72",)
        )
    if status == WAIVED and reading and reading.shape is SEVEN_PAIRS:
        return Evidence((), Text("Seven pairs need no triplet.", "七对不要刻子。"), ("CC-57",))
    if status == WAIVED:
        special = next((m for m in hand.melds if m.kind == SPECIAL_GANG), None)
        if special:
            name = game.tiles.special_gangs[special.special or ""].name
            return Evidence(special.tiles, _excused(reading, Text(f"a {name.en}", name.zh)), ("CC-73",))
        shown = hand.of_kinds(DRAGONS)
        names = game.tiles.names(sorted(set(shown)))
        return Evidence(shown, _excused(reading, names), ("CC-73",))
    return Evidence(
        tuple(t for s in reading.sets for t in s.tiles) if reading else (),
        Text(
            "There is no triplet, and no dragon or special gang to excuse it.",
            "一个刻子也没有，也没有中发白或特殊杠可以免。",
        )
        if not hand.holds(DRAGONS)
        else Text(
            "There is no triplet, and at this table a pair of dragons does not excuse it.",
            "一个刻子也没有，这桌中发白做将不免刻子。",
        ),
        ("CC-72", "CC-73"),
    )


def _excused(reading: Reading | None, by: Text) -> Text:
    if reading is None:
        return Text(f"A triplet is not needed: the hand has {by.en}.", f"有{by.zh}，刻子可有可无。")
    return Text(f"No triplet, but not needed: the hand has {by.en}.", f"没有刻子，但有{by.zh}，可以免。")


# One tile left in hand


def _single_tile(house: House) -> Rule:
    barred = (SEQUENCE,) if house.says(SPECIAL_GANG_IN_PIAOHU) else (SEQUENCE, SPECIAL_GANG)

    def status(hand: Hand, reading: Outlined | None, circumstances: Circumstances) -> str:
        if len(hand.melds) < 4:
            return PASS
        return FAIL if any(m.kind in barred for m in hand.melds) else PASS

    def needs(shape: Shape, hand: Hand, circumstances: Circumstances) -> Needs:
        return NOTHING if status(hand, None, circumstances) == PASS else IMPOSSIBLE

    return Rule(
        "single-tile-hand",
        Text("One tile left: piaohu only", "手把一限飘胡"),
        ("CC-77",),
        status,
        _explain_single_tile,
        needs,
        is_final=True,
        options=(SPECIAL_GANG_IN_PIAOHU,),
    )


def _explain_single_tile(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
    if len(hand.melds) < 4:
        return Evidence(
            (), Text("More than one tile is in hand, so this does not apply.", "手里不止一张，用不着看这条。")
        )
    if status == PASS:
        shown = tuple(t for m in hand.melds for t in m.tiles)
        return Evidence(
            shown,
            Text("Down to one tile, as only piaohu may be.", "只有飘胡才许手把一，这手牌没有顺子，可以。"),
        )
    shown = tuple(t for m in hand.melds if m.kind == SEQUENCE for t in m.tiles)
    if not shown:
        return Evidence(
            tuple(t for m in hand.melds if m.special for t in m.tiles),
            Text(
                "Down to one tile only piaohu may win, and at this table a special gang is not part of one.",
                "只有飘胡才许手把一，这桌有特殊杠不算飘胡。",
            ),
        )
    return Evidence(
        shown,
        Text(
            "Down to one tile only piaohu may win, and this hand has a sequence.",
            "只有飘胡才许手把一，这手牌吃过，有顺子。",
        ),
    )


# Ready declared


def _declared_status(hand: Hand, reading: Outlined | None, circumstances: Circumstances) -> str:
    return PASS if circumstances.listening else FAIL


def _declared(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
    if status == PASS:
        return Evidence((), Text("Ready (听) was declared.", "已经报听。"))
    return Evidence(
        (),
        Text(
            "Ready (听) was not declared, and at this table nobody wins without it.",
            "没有报听，这桌不报听不能胡。",
        ),
    )


_DECLARED = Rule(
    "declared",
    Text("Ready declared", "先报听"),
    ("CC-46",),
    _declared_status,
    _declared,
    lambda shape, hand, circumstances: NOTHING if circumstances.listening else IMPOSSIBLE,
    is_final=True,
    options=(MUST_DECLARE_TING,),
)


def _shape_cites(reading: Reading | None) -> tuple[str, ...]:
    """The listed shape that a reading is of. R1: four sequences are none of them, but CC-73 excuses the triplet."""
    if reading is None:
        return ("CC-57", "CC-58", "CC-59", "CC-60", "CC-61")
    if reading.shape is SEVEN_PAIRS:
        return ("CC-57",)
    return (("CC-73", "CC-58", "CC-59", "CC-60", "CC-61")[reading.triplets],)


def _why_no_shape(hand: Hand) -> Evidence | None:
    if not SEVEN_PAIRS.read(hand):
        return None
    return Evidence(
        hand.tiles,
        Text(
            "Seven pairs is no winning shape in Changchun: it takes four sets and a pair.",
            "长春麻将不算七对，要四组牌加一对。",
        ),
        ("CC-57",),
    )


def rules(house: House) -> tuple[Rule, ...]:
    """The clauses of a win at a table."""
    why_not = _why_no_shape if house.says(SEVEN_PAIRS_WIN, "no") else lambda hand: None
    return (
        shape_rule(_shape_cites, why_not, (SEVEN_PAIRS_WIN,)),
        _three_suits(house),
        _terminal(house),
        _triplet(house),
        _single_tile(house),
        *([_DECLARED] if house.says(MUST_DECLARE_TING) else []),
    )
