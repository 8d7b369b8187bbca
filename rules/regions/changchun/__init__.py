"""Changchun 长春麻将: three suits, a 1 or 9, a triplet; special gangs; the bao after 听; fan added up.

Ids CC-… are the lines of the regional rule text this game is made from; R-numbers are readings of it
where it leaves room.
"""

from __future__ import annotations

from types import MappingProxyType

from ...circumstances import Circumstances
from ...common import shape_rule
from ...hands import GANG, SEQUENCE, SPECIAL_GANG, TRIPLET, Hand
from ...readings import FOUR_SETS, SEVEN_PAIRS, Outlined, Reading
from ...ruleset import FAIL, OPEN, PASS, WAIVED, Evidence, Example, Measure, Pattern, Rule, Ruleset, Way, Win
from ...text import Text, listed
from ...tiles import DRAGONS, HONOR_KINDS, SUITS, TERMINALS, TILES, Kinds, SpecialGang, Tile, TileSet, tiles

_TILES = TileSet(
    kinds=Kinds(TILES),
    suits=MappingProxyType({"m": "万", "p": "饼", "s": "条"}),
    special_gangs=MappingProxyType(
        {
            "xuanfenggang": SpecialGang(Text("xuanfenggang (the four winds)", "旋风杠"), tiles("E S W N")),
            "xigang": SpecialGang(Text("xigang (the three dragons)", "喜杠"), tiles("C F P")),
            "yaodan": SpecialGang(Text("yaodan (the three 1s)", "幺蛋"), tiles("1m 1p 1s")),
            "jiudan": SpecialGang(Text("jiudan (the three 9s)", "九蛋"), tiles("9m 9p 9s")),
        }
    ),
    nicknames=MappingProxyType({"1s": "幺鸡"}),
)
_ADDABLE = Kinds(t for gang in _TILES.special_gangs.values() for t in gang.tiles)


# Three suits


def _three_suits_status(hand: Hand, reading: Outlined | None) -> str:
    characters, dots, bamboo, _ = hand.all_counts
    return PASS if characters and dots and bamboo else FAIL


def _three_suits(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
    first_of = {t.suit: t for t in reversed(hand.tiles) if t.suit}
    shown = tuple(first_of[suit] for suit in SUITS if suit in first_of)
    if status == PASS:
        return Evidence(shown, Text("All three suits are there.", "万子、饼子、条子三色齐。"))
    absent = listed([game.tiles.suit_name(suit) for suit in SUITS if suit not in first_of])
    return Evidence(
        shown,
        Text(f"All three suits are needed; missing: {absent.en}.", f"三色不全，缺{absent.zh}。"),
    )


# A 1 or 9


def _terminal_status(hand: Hand, reading: Outlined | None) -> str:
    if hand.holds(TERMINALS):
        return PASS
    return WAIVED if hand.holds(HONOR_KINDS) else FAIL


def _terminal(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
    if status == PASS:
        shown = hand.of_kinds(TERMINALS)
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
    return Evidence(
        hand.tiles,
        Text(
            "There is no 1 or 9, and no wind or dragon to excuse it.",
            "没有幺也没有九，也没有风牌、中发白可以免。",
        ),
        ("CC-70", "CC-71"),
    )


# A triplet


def _triplet_status(hand: Hand, reading: Outlined | None) -> str:
    special = len([m for m in hand.melds if m.special]) if hand.melds else 0
    if reading:
        if reading.triplets > special:
            return PASS
        return WAIVED if special or hand.holds(DRAGONS) else FAIL
    if any(m.kind in (TRIPLET, GANG) for m in hand.melds):
        return PASS
    return WAIVED if special or hand.holds(DRAGONS) else OPEN


def _triplet(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
    if status == PASS:
        declared = [m for m in hand.melds if m.kind in (TRIPLET, GANG)]
        found = (reading.first_triplet() if reading else None) or declared[0]
        name = game.tiles.name(found.tiles[0])
        kind = Text("gang", "杠") if found.kind == GANG else Text("triplet", "刻子")
        return Evidence(
            found.tiles, Text(f"There is a {kind.en} of {name.en}.", f"有{name.zh}的{kind.zh}。"), ("CC-72",)
        )
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
        ),
        ("CC-72", "CC-73"),
    )


def _excused(reading: Reading | None, by: Text) -> Text:
    if reading is None:
        return Text(f"A triplet is not needed: the hand has {by.en}.", f"有{by.zh}，刻子可有可无。")
    return Text(f"No triplet, but not needed: the hand has {by.en}.", f"没有刻子，但有{by.zh}，可以免。")


# One tile left in hand


def _single_tile_status(hand: Hand, reading: Outlined | None) -> str:
    if len(hand.melds) < 4:
        return PASS
    return FAIL if any(m.kind == SEQUENCE for m in hand.melds) else PASS


def _single_tile(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
    if len(hand.melds) < 4:
        return Evidence((), Text("More than one tile is in hand.", "手里不止一张，没有手把一。"))
    if status == PASS:
        shown = tuple(t for m in hand.melds for t in m.tiles)
        return Evidence(
            shown,
            Text("Down to one tile, as only piaohu may be.", "只有飘胡才许手把一，这手牌没有顺子，可以。"),
        )
    shown = tuple(t for m in hand.melds if m.kind == SEQUENCE for t in m.tiles)
    return Evidence(
        shown,
        Text(
            "Down to one tile only piaohu may win, and this hand has a sequence.",
            "只有飘胡才许手把一，这手牌吃过，有顺子。",
        ),
    )


def _shape_cites(reading: Reading | None) -> tuple[str, ...]:
    """The listed shape that a reading is of. R1: four sequences are none of them, but CC-73 excuses the triplet."""
    if reading is None:
        return ("CC-57", "CC-58", "CC-59", "CC-60", "CC-61")
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


_RULES = (
    shape_rule(_shape_cites, _why_no_shape),
    Rule("three-suits", Text("Three suits", "三色全"), ("CC-69",), _three_suits_status, _three_suits),
    Rule("terminal-or-honor", Text("A 1 or 9", "不缺1、9"), ("CC-70", "CC-71"), _terminal_status, _terminal),
    Rule("triplet", Text("A triplet", "最少一刻"), ("CC-72", "CC-73"), _triplet_status, _triplet),
    Rule(
        "single-tile-hand",
        Text("One tile left: piaohu only", "手把一限飘胡"),
        ("CC-77",),
        _single_tile_status,
        _single_tile,
        is_final=True,
    ),
)


# Patterns


def _on_discard(win: Win) -> bool:
    return win.circumstances.by in ("discard", "robbed-gang")


def _self_drawn(win: Win) -> bool:
    return win.circumstances.by in ("self-draw", "bao-match")


def _jiahu(win: Win) -> bool:
    """R8: the tile fills an edge, a closed run or the pair, and is the only one the hand waits for."""
    kind = win.hand.winning
    return kind is not None and _fills_a_gap(kind, win.reading) and win.is_only_wait


def _fills_a_gap(kind: Tile, reading: Reading) -> bool:
    if reading.pair is kind:
        return True
    for s in reading.sequences_with(kind):
        first, middle, last = s.tiles
        if kind is middle or (kind is last and kind.rank == 3) or (kind is first and kind.rank == 7):
            return True
    return False


def _baopai(win: Win) -> bool:
    return win.bao_drawn or win.circumstances.by == "bao-match"


_PATTERNS = (
    Pattern(
        "pinghu", Text("Pinghu", "平胡"), Text("any win", "胡牌就有"), 1, ("CC-84", "CC-85"), lambda win: True
    ),
    Pattern(
        "fangpao",
        Text("Fangpao", "放炮"),
        Text("won on another player's discard", "胡别家打出的牌"),
        1,
        ("CC-63", "CC-86"),
        _on_discard,
        needs_winning_tile=True,
    ),
    Pattern(
        "zimo",
        Text("Zimo", "自摸"),
        Text("self-drawn", "自己摸到胡的牌"),
        1,
        ("CC-65", "CC-87"),
        _self_drawn,
        needs_winning_tile=True,
    ),
    Pattern(
        "jiahu",
        Text("Jiahu", "夹胡"),
        Text("an edge, closed or single wait, and the only one", "边张、坎张或单吊，而且只听这一张"),
        1,
        ("CC-66", "CC-88"),
        _jiahu,
        needs_winning_tile=True,
    ),
    Pattern(
        "baopai",
        Text("Baopai", "宝牌"),
        Text("the bao was drawn or shown", "摸到或看到宝牌胡"),
        2,
        ("CC-56", "CC-89"),
        _baopai,
        needs_winning_tile=True,
    ),
    Pattern(
        "duibao",
        Text("Duibao", "对宝"),
        Text("the bao shown is the tile waited for", "看到的宝牌正是要胡的牌"),
        2,
        ("CC-55", "CC-67", "CC-90"),
        lambda win: win.circumstances.by == "bao-match",
        needs_winning_tile=True,
    ),
    Pattern(
        "piaohu",
        Text("Piaohu", "飘胡"),
        Text("every set a triplet or gang", "全是刻子和杠"),
        2,
        ("CC-68", "CC-78", "CC-91"),
        lambda win: win.reading.sequences == 0,
    ),
    Pattern(
        "zhuanghu",
        Text("Zhuanghu", "庄胡"),
        Text("the dealer wins", "庄家胡牌"),
        1,
        ("CC-92",),
        lambda win: win.circumstances.seat == 0,
    ),
    Pattern(
        "lihu",
        Text("Lihu", "立胡"),
        Text("no chi, peng or gang", "没吃、没碰、没杠"),
        1,
        ("CC-74", "CC-75", "CC-93"),
        lambda win: not win.hand.melds,
    ),
)


# Ways to win


def _robbed(game: Ruleset, hand: Hand, circumstances: Circumstances) -> Text | None:
    """R19: only a tile added to a special gang can be robbed, and that gang shows one of its own."""
    kind = hand.winning
    if kind is None:
        return None
    name = game.tiles.name(kind)
    if kind not in _ADDABLE:
        return Text(
            f"{name.en} can't be robbed: only winds, dragons, 1s and 9s are added to special gangs.",
            f"{name.zh}抢不到：只有风牌、中发白、幺和九才能补到特殊杠上。",
        )
    gang = next(gang for gang in _TILES.special_gangs.values() if kind in gang.tiles)
    for held in gang.tiles:
        if hand.left(held) < 1:
            other = game.tiles.name(held)
            return Text(
                f"The gang that was robbed holds a {other.en}, so this hand can't hold all four.",
                f"被抢的那副杠里有一张{other.zh}，手里不可能四张都有。",
            )
    return None


def _bao_match(game: Ruleset, hand: Hand, circumstances: Circumstances) -> Text | None:
    if not circumstances.listening:
        return Text(
            "Duibao needs ready declared (听): only then may a player look at the bao.",
            "对宝要先报听，听牌后才能看宝牌。",
        )
    if circumstances.bao is None or hand.winning is not circumstances.bao:
        return Text(
            "In duibao the winning tile is the bao: choose the same tile for both.",
            "对宝胡的就是宝牌，两处要选同一张。",
        )
    return None


_WAYS = (
    Way("discard", Text("discard", "点炮")),
    Way("self-draw", Text("self-draw", "自摸"), self_drawn=True),
    Way("robbed-gang", Text("robbing a gang", "抢杠"), complaint=_robbed),
    Way("bao-match", Text("duibao: the bao shown wins", "对宝"), self_drawn=True, complaint=_bao_match),
)


def _bao_stands_for(game: Ruleset, hand: Hand, circumstances: Circumstances) -> list[Tile]:
    """R11: after 听, a drawn bao may be any tile the hand legally waits for; itself first, where it is one."""
    bao = circumstances.bao
    if not (circumstances.listening and circumstances.by == "self-draw" and bao and hand.winning is bao):
        return []
    return sorted(game.waits(hand.without_winning()), key=lambda t: t is not bao)


RULESET = Ruleset(
    key="changchun",
    name=Text("Changchun", "长春"),
    tiles=_TILES,
    shapes=(FOUR_SETS,),
    rules=_RULES,
    patterns=_PATTERNS,
    ways=_WAYS,
    measure=Measure("fan", Text("fan", "番"), lambda n: Text(f"{n} fan", f"{n}番")),
    inputs=("listening", "bao"),
    substitutes=_bao_stands_for,
    examples=(
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
    ),
)
