"""Changsha 长沙麻将: 108 tiles; a small win needs a pair of 2, 5 or 8; big wins add up.

Ids CS-… are the lines of the regional rule text this game is made from; S-numbers are readings of it
where it leaves room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import MappingProxyType

from ...circumstances import Circumstances
from ...common import shape_rule
from ...hands import GANG, TRIPLET, Hand
from ...readings import FOUR_SETS, SEVEN_PAIRS, Outlined, Reading, all_of
from ...ruleset import FAIL, OPEN, PASS, WAIVED, Evidence, Example, Measure, Pattern, Rule, Ruleset, Way, Win
from ...text import Text, plural
from ...tiles import SUITED, TILES, Kinds, TileSet

_TILES = TileSet(kinds=SUITED, suits=MappingProxyType({"m": "万", "p": "筒", "s": "条"}))
JIANG = Kinds(t for t in TILES if t.suit and t.rank in (2, 5, 8))
ALL_JIANG = all_of(
    "all-jiang",
    Text("every tile a 2, 5 or 8", "全是二五八"),
    JIANG,
    lambda meld: meld.kind in (TRIPLET, GANG),
)


def _is_one_suit(hand: Hand) -> bool:
    return hand.all_counts.count(0) == 3


# The pair


def _pair_status(hand: Hand, reading: Outlined | None) -> str:
    if reading and reading.pair and reading.pair.rank in (2, 5, 8):
        return PASS
    if len(hand.melds) == 4 or _is_one_suit(hand):
        return WAIVED
    if reading is None:
        return OPEN
    return FAIL if reading.pair and reading.sequences else WAIVED


def _pair(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
    shown = (reading.pair, reading.pair) if reading and reading.pair else ()
    name = game.tiles.name(reading.pair) if reading and reading.pair else Text("", "")
    if status == PASS:
        return Evidence(shown, Text(f"The pair is {name.en}.", f"将是{name.zh}。"))
    if status == FAIL:
        return Evidence(
            shown,
            Text(
                f"The pair must be 2, 5 or 8, and it is {name.en}.",
                f"将牌必须是二、五、八，这对是{name.zh}。",
            ),
        )
    why, cites = _why_any_pair(hand, reading)
    return Evidence(shown, why, cites)


def _why_any_pair(hand: Hand, reading: Reading | None) -> tuple[Text, tuple[str, ...]]:
    if reading and reading.shape is SEVEN_PAIRS:
        return Text(
            "Seven pairs have no pair of their own: any will do.", "七对没有单独的将，什么对子都行。"
        ), ("CS-27",)
    if reading and reading.shape is ALL_JIANG:
        return Text("Jiangjianghu asks for no pair at all.", "将将胡不用看对子。"), ("CS-16",)
    if len(hand.melds) == 4:
        return Text("Quanqiuren may win with any pair.", "全求人乱将，任意一对都行。"), ("CS-40",)
    if _is_one_suit(hand):
        return Text("Qingyise may win with any pair.", "清一色乱将，任意一对都行。"), ("CS-19",)
    return Text("Pengpenghu may win with any pair.", "碰碰胡任意一对都可以做将。"), ("CS-14",)


def _shape_cites(reading: Reading | None) -> tuple[str, ...]:
    if reading and reading.shape is SEVEN_PAIRS:
        return ("CS-27",)
    if reading and reading.shape is ALL_JIANG:
        return ("CS-16", "CS-17")
    return ("CS-3", "CS-4")


def _why_no_shape(hand: Hand) -> Evidence | None:
    """Of a hand that looks like seven pairs but has melds: that is why it is none."""
    counts = Counter(hand.loose).values()
    pairs = sum(count // 2 for count in counts)
    if not hand.melds or pairs < 4 or len(hand.loose) - 2 * pairs > 1:
        return None
    return Evidence(
        tuple(t for m in hand.melds for t in m.tiles),
        Text("Pairs enough, but seven pairs take no melds.", "对子是够多，可是七对不能吃碰杠。"),
        ("CS-28",),
    )


_RULES = (
    shape_rule(_shape_cites, _why_no_shape),
    Rule("pair-258", Text("A pair of 2, 5 or 8", "二五八将"), ("CS-3",), _pair_status, _pair),
)


# Patterns


def _four_alike(win: Win) -> int:
    """How many of a seven-pairs hand's tiles are four alike; -1 for any other shape."""
    if win.reading.shape is not SEVEN_PAIRS:
        return -1
    pairs = win.reading.concealed_sets
    return len(pairs) - len(set(pairs))


def _has_gang(game: Ruleset, hand: Hand, circumstances: Circumstances) -> Text | None:
    if circumstances.by != "self-draw":
        return Text(
            "Gangshanghua wins on the tile one's own gang turned up: choose self-draw.",
            "杠上花是胡自己开杠翻出的牌，要选自摸。",
        )
    if not any(m.kind == GANG for m in hand.melds):
        return Text("Gangshanghua needs a declared gang.", "杠上花要先有杠，这手牌没有杠。")
    return None


def _is_tianhu(game: Ruleset, hand: Hand, circumstances: Circumstances) -> Text | None:
    if circumstances.seat != 0 or circumstances.by != "self-draw" or hand.melds:
        return Text(
            "Tianhu is the dealer's hand as dealt: the dealer wins by self-draw, with no melds.",
            "天胡是庄家起手就胡：庄家自摸，没有吃碰杠。",
        )
    return None


def _is_dihu(game: Ruleset, hand: Hand, circumstances: Circumstances) -> Text | None:
    if circumstances.by != "discard" or circumstances.discarder != 0 or hand.melds:
        return Text(
            "Dihu is won on the dealer's first discard: discarded by the dealer, with no melds.",
            "地胡是胡庄家打出的第一张牌：点炮的是庄家，没有吃碰杠。",
        )
    return None


def _only_by(way: str, english: str, chinese: str) -> Callable[[Ruleset, Hand, Circumstances], Text | None]:
    def complaint(game: Ruleset, hand: Hand, circumstances: Circumstances) -> Text | None:
        return None if circumstances.by == way else Text(english, chinese)

    return complaint


def _moment(
    key: str,
    name: Text,
    meaning: Text,
    cites: tuple[str, ...],
    complaint: Callable[[Ruleset, Hand, Circumstances], Text | None],
) -> Pattern:
    return Pattern(
        key,
        name,
        meaning,
        1,
        cites,
        lambda win: key in win.circumstances.moments,
        needs_winning_tile=True,
        is_moment=True,
        complaint=complaint,
    )


_PATTERNS = (
    Pattern(
        "pengpenghu",
        Text("Pengpenghu", "碰碰胡"),
        Text("every set a triplet or gang", "全是刻子和杠"),
        1,
        ("CS-14", "CS-15"),
        lambda win: win.reading.shape is FOUR_SETS and not win.reading.sequences,
    ),
    Pattern(
        "jiangjianghu",
        Text("Jiangjianghu", "将将胡"),
        Text("every tile a 2, 5 or 8", "全是二五八"),
        1,
        ("CS-16", "CS-17", "CS-18"),
        lambda win: win.hand.holds_only(JIANG),
    ),
    Pattern(
        "qingyise",
        Text("Qingyise", "清一色"),
        Text("one suit only", "只有一门花色"),
        1,
        ("CS-19", "CS-20"),
        lambda win: _is_one_suit(win.hand),
    ),
    Pattern(
        "quanqiuren",
        Text("Quanqiuren", "全求人"),
        Text("four melds, and the last tile makes the pair", "四组都吃碰杠下来了，手里单吊一张"),
        1,
        ("CS-40", "CS-41"),
        lambda win: len(win.hand.melds) == 4 and win.reading.shape is FOUR_SETS,
    ),
    Pattern(
        "qidui",
        Text("Qidui", "七对"),
        Text("seven pairs", "七个对子"),
        1,
        ("CS-27", "CS-28"),
        lambda win: _four_alike(win) == 0,
    ),
    Pattern(
        "haohua-qidui",
        Text("Haohua qidui", "豪华七对"),
        Text("seven pairs, one tile four times", "七对里有一组四张一样的"),
        2,
        ("CS-42",),
        lambda win: _four_alike(win) == 1,
    ),
    Pattern(
        "chaohaohua-qidui",
        Text("Chaohaohua qidui", "超豪华七对"),
        Text("seven pairs, two or more tiles four times", "七对里不止一组四张一样的"),
        4,
        ("CS-43",),
        lambda win: _four_alike(win) > 1,
    ),
    _moment(
        "tianhu",
        Text("Tianhu", "天胡"),
        Text("the dealer is dealt a win", "庄家起手就胡"),
        ("CS-12",),
        _is_tianhu,
    ),
    _moment(
        "dihu",
        Text("Dihu", "地胡"),
        Text("ready as dealt, won on the dealer's first discard", "闲家起手听牌，庄家第一张点炮"),
        ("CS-13",),
        _is_dihu,
    ),
    _moment(
        "haidilaoyue",
        Text("Haidilaoyue", "海底捞月"),
        Text("won on the last tile of the wall, self-drawn", "要了海底牌，自己胡"),
        ("CS-21", "CS-22"),
        _only_by(
            "self-draw",
            "Haidilaoyue is a self-draw of the last tile.",
            "海底捞月是自己摸最后一张，要选自摸。",
        ),
    ),
    _moment(
        "haidipao",
        Text("Haidipao", "海底炮"),
        Text("another player discarded the wall's last tile", "别家要了海底胡不了，打出来你胡"),
        ("CS-24", "CS-25", "CS-26"),
        _only_by("discard", "Haidipao is won on a discard.", "海底炮是胡别家打出的海底牌，要选点炮。"),
    ),
    _moment(
        "gangshanghua",
        Text("Gangshanghua", "杠上花"),
        Text("won on a tile one's own gang turned up", "开杠翻出的牌自己胡"),
        ("CS-32", "CS-38", "CS-78"),
        _has_gang,
    ),
    Pattern(
        "qiangganghu",
        Text("Qiangganghu", "抢杠胡"),
        Text("robbing the tile another adds to a peng", "别家碰过再补杠，抢来胡"),
        1,
        ("CS-34", "CS-35", "CS-36"),
        lambda win: win.circumstances.by == "robbed-gang",
        needs_winning_tile=True,
        is_moment=True,
        complaint=_only_by("robbed-gang", "Qiangganghu is won by robbing a gang.", "抢杠胡要选抢杠。"),
        implied_by="robbed-gang",
    ),
    _moment(
        "gangshangpao",
        Text("Gangshangpao", "杠上炮"),
        Text("won on a tile another player's gang turned up", "别家开杠胡不了，打出来你胡"),
        ("CS-37", "CS-79"),
        _only_by("discard", "Gangshangpao is won on a discard.", "杠上炮是胡别家打出的杠牌，要选点炮。"),
    ),
    Pattern(
        "xiaohu",
        Text("Xiaohu", "小胡"),
        Text("a win without a big one", "没有大胡"),
        0,
        ("CS-44",),
        lambda win: not win.patterns,
    ),
)


def _robbed(game: Ruleset, hand: Hand, circumstances: Circumstances) -> Text | None:
    """S20: the tile is added to a 碰, which shows the other three."""
    kind = hand.winning
    if kind is None or hand.copies(kind) == 1:
        return None
    name = game.tiles.name(kind)
    return Text(
        f"The robbed gang holds the other three {name.en}, so this hand can't hold one.",
        f"人家已经碰了三张{name.zh}，手里不可能再有。",
    )


_WAYS = (
    Way("discard", Text("discard", "点炮")),
    Way("self-draw", Text("self-draw", "自摸"), self_drawn=True),
    Way("robbed-gang", Text("robbing a gang", "抢杠"), complaint=_robbed),
)


def _total(big_wins: int) -> Text:
    return Text(plural(big_wins, "big win"), f"{big_wins}个大胡") if big_wins else Text("a small win", "小胡")


RULESET = Ruleset(
    key="changsha",
    name=Text("Changsha", "长沙"),
    tiles=_TILES,
    shapes=(FOUR_SETS, SEVEN_PAIRS, ALL_JIANG),
    rules=_RULES,
    patterns=_PATTERNS,
    ways=_WAYS,
    measure=Measure("big_wins", Text("big wins", "大胡"), _total),
    inputs=("moments", "birds"),
    examples=(
        Example(Text("A small win with a pair of 5s", "小胡：五万做将"), "12355m 45678p 789s +9p"),
        Example(Text("Looks complete, wrong pair", "看着胡了，将不对"), "123m 11456p 67789s +8s"),
        Example(Text("Any pair will do: all triplets", "碰碰胡：什么将都行"), "11133m 44999p 777s +4p"),
        Example(Text("No sets at all, yet a win", "不成牌型也能胡：将将胡"), "22558m 2258p 2588s +5p"),
        Example(Text("Same tiles, several readings", "同一手牌，几种摆法"), "2233445566778m +8m"),
        Example(Text("Seven pairs with four alike", "豪华七对"), "1133m 14444p 6699s +1p"),
        Example(Text("Pairs, but one was a peng", "凑够七对，可是碰过"), "1133m 4488p 66s (999s) +8p"),
        Example(Text("Four melds, one tile", "全求人"), "3m (123m) (444p) (777s) (789p) +3m"),
        Example(
            Text("After opening a gang", "杠上花"),
            "1113455678m [9999m] +2m",
            (("by", "self-draw"), ("moments", "gangshanghua")),
        ),
        Example(Text("What does it wait for?", "听哪几张？"), "2223344m (345p) (888s)"),
    ),
)
