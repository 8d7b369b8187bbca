"""What a win is paid for in Changchun, in fan, and how the winning tile may come."""

from __future__ import annotations

from collections.abc import Callable

from ...circumstances import Circumstances
from ...hands import GANG, Hand
from ...house import House
from ...readings import FOUR_SETS, SEVEN_PAIRS, Reading
from ...ruleset import Pattern, Ruleset, Way, Win
from ...text import Text
from ...tiles import Kinds, Tile
from .house import (
    CONCEALED_GANG_KEEPS_LIHU,
    DUIBAO_INCLUDES_BAOPAI,
    JIAHU,
    ROB_ADDED_GANG,
    SPECIAL_GANG_IN_PIAOHU,
    SPECIAL_GANG_KEEPS_LIHU,
)
from .tiles import SPECIAL_GANGS

_ADDABLE = Kinds(t for gang in SPECIAL_GANGS.values() for t in gang.tiles)


def _on_discard(win: Win) -> bool:
    return win.circumstances.by in ("discard", "robbed-gang")


def _self_drawn(win: Win) -> bool:
    return win.circumstances.by in ("self-draw", "bao-match")


def _jiahu(house: House) -> Callable[[Win], bool]:
    """R8: the tile fills an edge, a closed run or the pair, and is the only one the hand waits for."""
    asked = house[JIAHU]

    def holds(win: Win) -> bool:
        kind = win.hand.winning
        if kind is None or (asked != "only-wait" and not _fills_a_gap(kind, win.reading)):
            return False
        return asked == "shape" or win.is_only_wait

    return holds


def _fills_a_gap(kind: Tile, reading: Reading) -> bool:
    if reading.pair is kind or reading.shape is SEVEN_PAIRS:
        return True
    for s in reading.sequences_with(kind):
        first, middle, last = s.tiles
        if kind is middle or (kind is last and kind.rank == 3) or (kind is first and kind.rank == 7):
            return True
    return False


def _baopai(house: House) -> Callable[[Win], bool]:
    ways = ("bao-match",) if house.says(DUIBAO_INCLUDES_BAOPAI) else ()
    return lambda win: win.bao_drawn or win.circumstances.by in ways


def _piaohu(house: House) -> Callable[[Win], bool]:
    special_too = house.says(SPECIAL_GANG_IN_PIAOHU)

    def holds(win: Win) -> bool:
        reading = win.reading
        if reading.sequences or reading.shape is not FOUR_SETS:
            return False
        return special_too or not any(m.special for m in win.hand.melds)

    return holds


def _lihu(house: House) -> Callable[[Win], bool]:
    """R6: any meld ends it, but for those gangs that the table lets pass."""
    concealed, special = house.says(CONCEALED_GANG_KEEPS_LIHU), house.says(SPECIAL_GANG_KEEPS_LIHU)

    def holds(win: Win) -> bool:
        return all(
            (concealed and m.kind == GANG and m.concealed) or (special and m.special) for m in win.hand.melds
        )

    return holds


def patterns(house: House) -> tuple[Pattern, ...]:
    """What a table pays a win for."""
    return (
        Pattern(
            "pinghu",
            Text("Pinghu", "平胡"),
            Text("any win", "胡牌就有"),
            1,
            ("CC-84", "CC-85"),
            lambda win: True,
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
            {
                "shape-and-only-wait": Text(
                    "an edge, closed or single wait, and the only one", "边张、坎张或单吊，而且只听这一张"
                ),
                "shape": Text("an edge, closed or single wait", "边张、坎张或单吊"),
                "only-wait": Text("the only tile waited for", "独听这一张"),
            }[house[JIAHU]],
            1,
            ("CC-66", "CC-88"),
            _jiahu(house),
            needs_winning_tile=True,
            options=(JIAHU,),
        ),
        Pattern(
            "baopai",
            Text("Baopai", "宝牌"),
            Text("the bao was drawn or shown", "摸到或看到宝牌胡")
            if house.says(DUIBAO_INCLUDES_BAOPAI)
            else Text("the bao was drawn", "摸到宝牌胡"),
            2,
            ("CC-56", "CC-89"),
            _baopai(house),
            needs_winning_tile=True,
            options=(DUIBAO_INCLUDES_BAOPAI,),
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
            _piaohu(house),
            options=(SPECIAL_GANG_IN_PIAOHU,),
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
            _lihu(house),
            options=(CONCEALED_GANG_KEEPS_LIHU, SPECIAL_GANG_KEEPS_LIHU),
        ),
    )


def _robbed(house: House) -> Callable[[Ruleset, Hand | None, Circumstances], Text | None]:
    """R19: a tile added to a special gang, which shows one of its own each; or at some tables the fourth
    of a peng, which shows the other three."""
    any_addition = house.says(ROB_ADDED_GANG, "any")

    def complaint(game: Ruleset, hand: Hand | None, circumstances: Circumstances) -> Text | None:
        kind = hand.winning if hand else None
        if hand is None or kind is None or (any_addition and hand.copies(kind) == 1):
            return None
        name = game.tiles.name(kind)
        if kind not in _ADDABLE and any_addition:
            return Text(
                f"The robbed gang holds the other three {name.en}, so this hand can't hold one.",
                f"人家已经碰了三张{name.zh}，手里不可能再有。",
            )
        if kind not in _ADDABLE:
            return Text(
                f"{name.en} can't be robbed: only winds, dragons, 1s and 9s are added to special gangs.",
                f"{name.zh}抢不到：只有风牌、中发白、幺和九才能补到特殊杠上。",
            )
        gang = next(gang for gang in SPECIAL_GANGS.values() if kind in gang.tiles)
        for held in gang.tiles:
            if hand.left(held) < 1:
                other = game.tiles.name(held)
                return Text(
                    f"The gang that was robbed holds a {other.en}, so this hand can't hold all four.",
                    f"被抢的那副杠里有一张{other.zh}，手里不可能四张都有。",
                )
        return None

    return complaint


def _bao_match(game: Ruleset, hand: Hand | None, circumstances: Circumstances) -> Text | None:
    if not circumstances.listening:
        return Text(
            "Duibao needs ready declared (听): only then may a player look at the bao.",
            "对宝要先报听，听牌后才能看宝牌。",
        )
    if hand and hand.winning is None:
        return Text(
            "In duibao the winning tile is the bao: write it after a “+”.",
            "对宝胡的就是宝牌，请写在“+”后面。",
        )
    if hand and hand.winning is not circumstances.bao:
        return Text(
            "In duibao the winning tile is the bao: choose the same tile for both.",
            "对宝胡的就是宝牌，两处要选同一张。",
        )
    return None


def ways(house: House) -> tuple[Way, ...]:
    """How the winning tile may come at a table."""
    return (
        Way("discard", Text("discard", "点炮")),
        Way("self-draw", Text("self-draw", "自摸"), self_drawn=True),
        Way(
            "robbed-gang",
            Text("robbing a gang", "抢杠"),
            complaint=_robbed(house),
            options=(ROB_ADDED_GANG,),
        ),
        Way("bao-match", Text("duibao: the bao shown wins", "对宝"), self_drawn=True, complaint=_bao_match),
    )


def bao_stands_for(game: Ruleset, hand: Hand, circumstances: Circumstances) -> list[Tile]:
    """R11: after 听, a drawn bao may be any tile the hand legally waits for; itself first, where it is one."""
    bao = circumstances.bao
    if not (circumstances.listening and circumstances.by == "self-draw" and bao and hand.winning is bao):
        return []
    return sorted(game.waits(hand.without_winning(), circumstances), key=lambda t: t is not bao)
