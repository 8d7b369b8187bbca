"""What a win is paid for in Changsha, in big wins, and how the winning tile may come."""

from __future__ import annotations

from ...circumstances import Circumstances
from ...hands import GANG, Hand
from ...house import House
from ...readings import FOUR_SETS, SEVEN_PAIRS
from ...ruleset import Complaint, Pattern, Ruleset, Way, Win
from ...text import Text
from .house import QUANQIUREN_CONCEALED_GANG, THREE_FOURS
from .rules import JIANG, is_one_suit, is_quanqiuren


def _four_alike(win: Win) -> int:
    """How many of a seven-pairs hand's tiles are four alike; -1 for any other shape."""
    if win.reading.shape is not SEVEN_PAIRS:
        return -1
    pairs = win.reading.concealed_sets
    return len(pairs) - len(set(pairs))


def _has_gang(game: Ruleset, hand: Hand | None, circumstances: Circumstances) -> Text | None:
    if circumstances.by != "self-draw":
        return Text(
            "Gangshanghua wins on the tile one's own gang turned up: choose self-draw.",
            "杠上花是胡自己开杠翻出的牌，要选自摸。",
        )
    if hand and not any(m.kind == GANG for m in hand.melds):
        return Text("Gangshanghua needs a declared gang.", "杠上花要先有杠，这手牌没有杠。")
    return None


def _is_tianhu(game: Ruleset, hand: Hand | None, circumstances: Circumstances) -> Text | None:
    if circumstances.seat != 0 or circumstances.by != "self-draw" or (hand and hand.melds):
        return Text(
            "Tianhu is the dealer's hand as dealt: the dealer wins by self-draw, with no melds.",
            "天胡是庄家起手就胡：庄家自摸，没有吃碰杠。",
        )
    return None


def _is_dihu(game: Ruleset, hand: Hand | None, circumstances: Circumstances) -> Text | None:
    if circumstances.by != "discard" or circumstances.discarder != 0 or (hand and hand.melds):
        return Text(
            "Dihu is won on the dealer's first discard: discarded by the dealer, with no melds.",
            "地胡是胡庄家打出的第一张牌：点炮的是庄家，没有吃碰杠。",
        )
    return None


def _only_by(way: str, english: str, chinese: str) -> Complaint:
    def complaint(game: Ruleset, hand: Hand | None, circumstances: Circumstances) -> Text | None:
        return None if circumstances.by == way else Text(english, chinese)

    return complaint


def _moment(
    key: str,
    name: Text,
    meaning: Text,
    cites: tuple[str, ...],
    complaint: Complaint,
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


def patterns(house: House) -> tuple[Pattern, ...]:
    """What a table pays a win for."""
    quanqiuren = is_quanqiuren(house)
    return (
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
            lambda win: is_one_suit(win.hand),
        ),
        Pattern(
            "quanqiuren",
            Text("Quanqiuren", "全求人"),
            Text("four melds, and the last tile makes the pair", "四组都吃碰杠下来了，手里单吊一张"),
            1,
            ("CS-40", "CS-41"),
            lambda win: quanqiuren(win.hand) and win.reading.shape is FOUR_SETS,
            options=(QUANQIUREN_CONCEALED_GANG,),
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
            worth_of=(lambda win: 6 if _four_alike(win) == 3 else 4)
            if house.says(THREE_FOURS, "6")
            else None,
            options=(THREE_FOURS,),
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
            Text("robbing the tile another adds to a peng", "别家碰过再加杠，抢来胡"),
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


def _robbed(game: Ruleset, hand: Hand | None, circumstances: Circumstances) -> Text | None:
    """S20: the tile is added to a 碰, which shows the other three."""
    kind = hand.winning if hand else None
    if hand is None or kind is None or hand.copies(kind) == 1:
        return None
    name = game.tiles.name(kind)
    return Text(
        f"The robbed gang holds the other three {name.en}, so this hand can't hold one.",
        f"人家已经碰了三张{name.zh}，手里不可能再有。",
    )


WAYS = (
    Way("discard", Text("discard", "点炮")),
    Way("self-draw", Text("self-draw", "自摸"), self_drawn=True),
    Way("robbed-gang", Text("robbing a gang", "抢杠"), complaint=_robbed),
)
