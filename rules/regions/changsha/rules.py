"""The clauses of a win in Changsha: a shape, and a pair of 2, 5 or 8 where nothing excuses it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ...circumstances import Circumstances
from ...common import shape_rule
from ...features import EMPTY, NO_SEQUENCE, PAIR_OF_258
from ...hands import GANG, SEQUENCE, TRIPLET, Hand
from ...house import House
from ...nearness import NOTHING, Needs
from ...readings import FOUR_SETS, SEVEN_PAIRS, Outlined, Reading, Shape, all_of
from ...ruleset import Evidence, Rule, Ruleset
from ...text import Text
from ...tiles import SUITS, TILES, Kinds
from ...verdict import FAIL, OPEN, PASS, WAIVED
from .house import JIANGJIANGHU_NEEDS_SHAPE, MOMENTS_NEED_258, QUANQIUREN_CONCEALED_GANG

JIANG = Kinds(t for t in TILES if t.suit and t.rank in (2, 5, 8))
ALL_JIANG = all_of(
    "all-jiang",
    Text("every tile a 2, 5 or 8", "全是二五八"),
    JIANG,
    lambda meld: meld.kind in (TRIPLET, GANG),
)


def is_one_suit(hand: Hand) -> bool:
    """Whether all tiles, melds included, are of one suit."""
    return hand.all_counts.count(0) == 3


# The pair


# S2: situations that excuse the pair at some tables; the last tile of the wall never does.
_EXCUSING = ("tianhu", "dihu", "gangshanghua", "gangshangpao")


def is_quanqiuren(house: House) -> Callable[[Hand], bool]:
    """Whether four declared melds leave a single tile, as a table counts them (S10)."""
    concealed_too = house.says(QUANQIUREN_CONCEALED_GANG)
    return lambda hand: len(hand.melds) == 4 and (concealed_too or not any(m.concealed for m in hand.melds))


def _pair(house: House) -> Rule:
    quanqiuren = is_quanqiuren(house)
    moments_excuse = house.says(MOMENTS_NEED_258, "no")

    def any_pair(hand: Hand, circumstances: Circumstances) -> bool:
        if hand.melds and quanqiuren(hand):
            return True
        return moments_excuse and (
            circumstances.by == "robbed-gang" or any(m in _EXCUSING for m in circumstances.moments)
        )

    def status(hand: Hand, reading: Outlined | None, circumstances: Circumstances) -> str:
        if reading and reading.pair and reading.pair.rank in (2, 5, 8):
            return PASS
        if is_one_suit(hand) or any_pair(hand, circumstances):
            return WAIVED
        if reading is None:
            return OPEN
        return FAIL if reading.pair and reading.sequences else WAIVED

    def explain(game: Ruleset, hand: Hand, reading: Reading | None, status: str) -> Evidence:
        return _explain_pair(game, hand, reading, status, quanqiuren)

    def needs(shape: Shape, hand: Hand, circumstances: Circumstances) -> Needs:
        if shape is not FOUR_SETS or any_pair(hand, circumstances):
            return NOTHING
        if not hand.melds:
            return _JIANG_OR_ALIKE_OR_ONE_SUIT
        needs = [_JIANG_PAIR]
        if not any(m.kind == SEQUENCE for m in hand.melds):
            needs.append(_ALL_ALIKE)
        melded = {m.tiles[0].suit for m in hand.melds}
        if len(melded) == 1:
            needs += [need for suit, need in zip(SUITS, _ONE_SUIT, strict=True) if suit in melded]
        return tuple(needs)

    return Rule(
        "pair-258",
        Text("A pair of 2, 5 or 8", "二五八将"),
        ("CS-3",),
        status,
        explain,
        needs,
        options=(MOMENTS_NEED_258, QUANQIUREN_CONCEALED_GANG),
    )


_JIANG_PAIR = (PAIR_OF_258, PAIR_OF_258, PAIR_OF_258, 0)
_ALL_ALIKE = (NO_SEQUENCE, NO_SEQUENCE, NO_SEQUENCE, 0)
_ONE_SUIT = ((0, EMPTY, EMPTY, 0), (EMPTY, 0, EMPTY, 0), (EMPTY, EMPTY, 0, 0))
_JIANG_OR_ALIKE_OR_ONE_SUIT = (_JIANG_PAIR, _ALL_ALIKE, *_ONE_SUIT)


def _explain_pair(
    game: Ruleset, hand: Hand, reading: Reading | None, status: str, quanqiuren: Callable[[Hand], bool]
) -> Evidence:
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
    why, cites = _why_any_pair(hand, reading, quanqiuren)
    return Evidence(shown, why, cites)


def _why_any_pair(
    hand: Hand, reading: Reading | None, quanqiuren: Callable[[Hand], bool]
) -> tuple[Text, tuple[str, ...]]:
    if reading and reading.shape is SEVEN_PAIRS:
        return Text(
            "Seven pairs have no pair of their own: any will do.", "七对没有单独的将，什么对子都行。"
        ), ("CS-27",)
    if reading and reading.shape is ALL_JIANG:
        return Text("Jiangjianghu asks for no pair at all.", "将将胡不用看对子。"), ("CS-16",)
    if quanqiuren(hand):
        return Text("Quanqiuren may win with any pair.", "全求人乱将，任意一对都行。"), ("CS-40",)
    if is_one_suit(hand):
        return Text("Qingyise may win with any pair.", "清一色乱将，任意一对都行。"), ("CS-19",)
    if reading is None or reading.sequences:
        return Text("At this table a win of this kind may have any pair.", "这桌这样胡是大胡，乱将就行。"), (
            "CS-3",
        )
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


def shapes(house: House) -> tuple[Shape, ...]:
    """The shapes that win at a table."""
    if house.says(JIANGJIANGHU_NEEDS_SHAPE):
        return (FOUR_SETS, SEVEN_PAIRS)
    return (FOUR_SETS, SEVEN_PAIRS, ALL_JIANG)


def rules(house: House) -> tuple[Rule, ...]:
    """The clauses of a win at a table."""
    return (shape_rule(_shape_cites, _why_no_shape, (JIANGJIANGHU_NEEDS_SHAPE,)), _pair(house))
