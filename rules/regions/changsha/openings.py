"""What dealt tiles may be shown for in Changsha 起手胡: each is paid as a small self-drawn win."""

from __future__ import annotations

from ...circumstances import Circumstances
from ...hands import Hand
from ...house import House
from ...ruleset import Found, Opening, Ruleset
from ...text import Text, listed
from ...tiles import SUITS
from .house import FOUR_IN_LIULIUSHUN, OPENING_BIRDS
from .rules import JIANG

_TIANHU = Circumstances(by="self-draw", seat=0, discarder=None, moments=("tianhu",))


def _pays(hand: Hand, why: Text) -> Text:
    """The reason and what it brings, which is more where the dealer is in it."""
    if hand.is_full:
        return Text(f"{why.en} The dealer gets 2 from each.", f"{why.zh}庄家向每家收2分。")
    return Text(
        f"{why.en} 2 points from the dealer and 1 from each of the others.",
        f"{why.zh}庄家付2分，其他两家各付1分。",
    )


def _queyise(game: Ruleset, hand: Hand) -> list[Found]:
    absent = [suit for n, suit in enumerate(SUITS) if not hand.counts[n]]
    if not absent:
        return []
    names = listed([game.tiles.suit_name(suit) for suit in absent])
    return [Found(hand.tiles, _pays(hand, Text(f"No {names.en}.", f"没有{names.zh}。")))]


def _sixi(game: Ruleset, hand: Hand) -> list[Found]:
    fours = tuple(t for t in hand.tiles if hand.copies(t) == 4)
    if not fours:
        return []
    names = game.tiles.names(sorted(set(fours)))
    return [Found(fours, _pays(hand, Text(f"Four alike: {names.en}.", f"四张一样的：{names.zh}。")))]


def _banbanhu(game: Ruleset, hand: Hand) -> list[Found]:
    if hand.holds(JIANG):
        return []
    return [Found(hand.tiles, _pays(hand, Text("No 2, 5 or 8 at all.", "一张二、五、八也没有。")))]


def _liuliushun(game: Ruleset, hand: Hand, *, four_counts: bool) -> list[Found]:
    wanted = (3, 4) if four_counts else (3,)
    kinds = [t for t in sorted(set(hand.tiles)) if hand.copies(t) in wanted]
    if len(kinds) < 2:
        return []
    names = game.tiles.names(kinds)
    shown = tuple(t for t in kinds for _ in range(3))
    return [Found(shown, _pays(hand, Text(f"Three alike of {names.en}.", f"{names.zh}各有三张。")))]


def _tianhu(game: Ruleset, hand: Hand) -> list[Found]:
    if not hand.is_full or not game.wins(hand, _TIANHU):
        return []
    words = Text("The dealer is dealt a win: a big win, paid as one.", "庄家起手就胡了，算大胡，按胡牌结算。")
    return [Found(hand.tiles, words)]


def openings(house: House) -> tuple[Opening, ...]:
    """What a table lets be shown from the deal."""
    four_counts = house.says(FOUR_IN_LIULIUSHUN)
    return (
        Opening(
            "queyise",
            Text("Queyise", "缺一色"),
            Text("a suit is missing", "缺一门花色"),
            ("CS-5", "CS-8"),
            _queyise,
            options=(OPENING_BIRDS,),
        ),
        Opening("sixi", Text("Sixi", "四喜"), Text("four alike", "四张一样的"), ("CS-5", "CS-9"), _sixi),
        Opening(
            "banbanhu",
            Text("Banbanhu", "板板胡"),
            Text("no 2, 5 or 8", "没有二、五、八"),
            ("CS-5", "CS-10"),
            _banbanhu,
        ),
        Opening(
            "liuliushun",
            Text("Liuliushun", "六六顺"),
            Text("three alike, twice", "两套三张一样的"),
            ("CS-5", "CS-11"),
            lambda game, hand: _liuliushun(game, hand, four_counts=four_counts),
            options=(FOUR_IN_LIULIUSHUN,),
        ),
        Opening(
            "tianhu",
            Text("Tianhu as dealt", "起手天胡"),
            Text("the dealer is dealt a win", "庄家起手就胡"),
            ("CS-12",),
            _tianhu,
            is_win=True,
        ),
    )
