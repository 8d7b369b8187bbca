"""House rules, value by value: a hand that shows what a table changes when it plays otherwise.

Each test names its reading and the value it shows. At the end random hands under random tables are judged by
the engine and by the plain reference.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules
from rules import HandError
from rules.circumstances import read
from rules.verdict import Verdict
from tests import dealing, reference
from tests.test_reference import answer, expected, hand_of

HANDS = 400


def judged(key: str, text: str, options: dict[str, str] | None = None, **given: Any) -> Verdict:
    """The verdict on a written hand under these house rules; `discarder` stands for `from`."""
    if "discarder" in given:
        given["from"] = given.pop("discarder")
    game = rules.ruleset(key).with_options(options or {})
    hand = game.parse(text)
    return game.judge(hand, read(game, hand, given))


def changchun(text: str, options: dict[str, str] | None = None, **given: Any) -> Verdict:
    """The verdict on a hand of Changchun."""
    return judged("changchun", text, options, **given)


def changsha(text: str, options: dict[str, str] | None = None, **given: Any) -> Verdict:
    """The verdict on a hand of Changsha."""
    return judged("changsha", text, options, **given)


def fails(verdict: Verdict) -> list[str]:
    """The rules that the hand breaks."""
    return [f.rule.key for f in verdict.findings if f.status == "fail"]


def status(verdict: Verdict, rule: str) -> str:
    """The status of one rule."""
    return next(f.status for f in verdict.findings if f.rule.key == rule)


def waits(verdict: Verdict) -> list[str]:
    """The tiles that win the hand."""
    return [wait.tile.code for wait in verdict.waits]


def changed_by(verdict: Verdict) -> list[str]:
    """The house rules without which the verdict would be another."""
    return [option.key for option in verdict.changed_by]


# What every table can say


@pytest.mark.parametrize("key", ["changchun", "changsha"])
def test_a_table_that_chooses_the_defaults_plays_the_game_as_it_is(key: str) -> None:
    game = rules.ruleset(key)
    defaults = {option: values[0] for option, values in reference.HOUSE_RULES[key].items()}
    assert game.with_options(defaults) is game
    assert game.with_options({}) is game


@pytest.mark.parametrize("key", ["changchun", "changsha"])
def test_the_engine_knows_every_house_rule_of_the_reference_with_the_same_values(key: str) -> None:
    known = {option.key: tuple(c.key for c in option.choices) for option in rules.ruleset(key).options}
    for option, values in reference.HOUSE_RULES[key].items():
        assert known[option] == values


@pytest.mark.parametrize("chosen", [{"jiahu": "maybe"}, {"birds": "2"}, {"": ""}])
def test_an_answer_that_no_table_can_give_is_refused(chosen: dict[str, str]) -> None:
    with pytest.raises(HandError) as refused:
        rules.ruleset("changchun").with_options(chosen)
    assert refused.value.code == "bad-option"


# Changchun: what wins

DRAGON_PAIR = "123456m 789p 234s C +C"


@pytest.mark.proves("R1", "CC-73", "dragon-pair-waives-triplet=yes")
def test_four_sequences_win_with_a_pair_of_dragons() -> None:
    verdict = changchun(DRAGON_PAIR)
    assert verdict.wins
    assert status(verdict, "triplet") == "waived"
    assert changed_by(verdict) == []


@pytest.mark.proves("R1", "CC-72", "dragon-pair-waives-triplet=no")
def test_four_sequences_lose_with_a_pair_of_dragons_where_only_a_special_gang_waives_the_triplet() -> None:
    table = {"dragon-pair-waives-triplet": "no"}
    verdict = changchun(DRAGON_PAIR, table)
    assert fails(verdict) == ["triplet"]
    assert changed_by(verdict) == ["dragon-pair-waives-triplet"]
    assert verdict.blocked_waits[0].fails == ("triplet",)
    assert changchun("23488m 567p 34s {ESWN} +5s", table).wins


SPECIAL_AMONG_TRIPLETS = "11m 222p 77s (999m) {ESWN} +7s"
SPECIAL_AND_THREE_PENG = "C (222p) (777s) (999m) {ESWN} +C"


@pytest.mark.proves("R3", "special-gang-in-piaohu=yes")
def test_a_special_gang_may_stand_in_a_piaohu() -> None:
    assert changchun(SPECIAL_AMONG_TRIPLETS).patterns == {"pinghu": 1, "fangpao": 1, "piaohu": 2}
    assert "piaohu" in changchun(SPECIAL_AND_THREE_PENG).patterns


@pytest.mark.proves("R3", "R7", "CC-77", "special-gang-in-piaohu=no")
def test_where_a_special_gang_makes_no_piaohu_it_can_not_win_with_one_tile_left_either() -> None:
    table = {"special-gang-in-piaohu": "no"}
    assert changchun(SPECIAL_AMONG_TRIPLETS, table).patterns == {"pinghu": 1, "fangpao": 1}
    down_to_one = changchun(SPECIAL_AND_THREE_PENG, table)
    assert fails(down_to_one) == ["single-tile-hand"]
    assert changed_by(down_to_one) == ["special-gang-in-piaohu"]
    assert "piaohu" in changchun("C (222p) (777s) (999m) (EEE) +C", table).patterns


ONLY_BAMBOO_IN_A_GANG = "234567m 3488p {1m1p1s} +5p"


@pytest.mark.proves("R4", "special-gang-counts-suits=yes")
def test_a_suit_and_a_1_inside_a_special_gang_count() -> None:
    verdict = changchun(ONLY_BAMBOO_IN_A_GANG)
    assert verdict.wins
    assert status(verdict, "terminal-or-honor") == "pass"


@pytest.mark.proves("R4", "CC-69", "CC-70", "special-gang-counts-suits=no")
def test_tiles_of_a_special_gang_may_count_neither_for_three_suits_nor_as_a_1() -> None:
    table = {"special-gang-counts-suits": "no"}
    verdict = changchun(ONLY_BAMBOO_IN_A_GANG, table)
    assert fails(verdict) == ["three-suits", "terminal-or-honor"]
    assert changed_by(verdict) == ["special-gang-counts-suits"]
    assert waits(changchun("234567m 3488p {1m1p1s}", table)) == []


@pytest.mark.proves("R5", "CC-71", "special-gang-counts-suits=no")
def test_a_wind_waives_the_1_or_9_even_inside_a_special_gang_that_does_not_count() -> None:
    verdict = changchun("234m 567p 34s 88m {ESWN} +5s", {"special-gang-counts-suits": "no"})
    assert verdict.wins
    assert status(verdict, "terminal-or-honor") == "waived"


WITH_A_CONCEALED_GANG = "123m 456p 78s EE [2222p] +9s"
WITH_A_SPECIAL_GANG = "123m 456p 78s EE {CFP} +9s"


@pytest.mark.proves("R6", "CC-74", "concealed-gang-keeps-lihu=no")
def test_a_concealed_gang_ends_lihu() -> None:
    assert changchun(WITH_A_CONCEALED_GANG).patterns == {"pinghu": 1, "fangpao": 1}


@pytest.mark.proves("R6", "concealed-gang-keeps-lihu=yes")
def test_a_concealed_gang_may_keep_lihu_while_an_exposed_one_ends_it() -> None:
    table = {"concealed-gang-keeps-lihu": "yes"}
    kept = changchun(WITH_A_CONCEALED_GANG, table)
    assert kept.patterns == {"pinghu": 1, "fangpao": 1, "lihu": 1}
    assert changed_by(kept) == ["concealed-gang-keeps-lihu"]
    assert "lihu" not in changchun(WITH_A_CONCEALED_GANG.replace("[2222p]", "(2222p)"), table).patterns
    assert "lihu" not in changchun(WITH_A_SPECIAL_GANG, table).patterns


@pytest.mark.proves("R6", "CC-74", "special-gang-keeps-lihu=no")
def test_a_special_gang_ends_lihu() -> None:
    assert changchun(WITH_A_SPECIAL_GANG).patterns == {"pinghu": 1, "fangpao": 1}


@pytest.mark.proves("R6", "R16", "special-gang-keeps-lihu=yes")
def test_a_special_gang_may_keep_lihu_but_a_dadan_is_an_ordinary_gang() -> None:
    table = {"special-gang-keeps-lihu": "yes"}
    kept = changchun(WITH_A_SPECIAL_GANG, table)
    assert kept.patterns == {"pinghu": 1, "fangpao": 1, "lihu": 1}
    assert changed_by(kept) == ["special-gang-keeps-lihu"]
    assert "lihu" not in changchun("123m 456p 78s EE [CCCC] +9s", table).patterns
    both = table | {"concealed-gang-keeps-lihu": "yes"}
    assert "lihu" in changchun("123m 78s EE [2222p] {CFP} +9s", both).patterns


CLOSED_ONLY_WAIT = "13m 456p 777999s EE +2m"
ONE_OF_TWO_SINGLE_WAITS = "2345m 456p 777999s +2m"
OPEN_BUT_ONLY_WAIT = "23456m 555p 77888s +1m"


def jiahu(table: str) -> list[bool]:
    """Which of the three hands above are a 夹胡 at such a table."""
    hands = (CLOSED_ONLY_WAIT, ONE_OF_TWO_SINGLE_WAITS, OPEN_BUT_ONLY_WAIT)
    return ["jiahu" in changchun(hand, {"jiahu": table}).patterns for hand in hands]


@pytest.mark.proves("R8", "CC-66", "jiahu=shape-and-only-wait")
def test_a_jiahu_needs_a_narrow_shape_that_is_the_only_wait() -> None:
    assert jiahu("shape-and-only-wait") == [True, False, False]


@pytest.mark.proves("R8", "jiahu=shape")
def test_a_narrow_shape_alone_may_make_a_jiahu() -> None:
    assert jiahu("shape") == [True, True, False]
    assert changed_by(changchun(ONE_OF_TWO_SINGLE_WAITS, {"jiahu": "shape"})) == ["jiahu"]
    assert changed_by(changchun(CLOSED_ONLY_WAIT, {"jiahu": "shape"})) == []


@pytest.mark.proves("R8", "jiahu=only-wait")
def test_the_only_wait_alone_may_make_a_jiahu() -> None:
    """1m, 4m and 7m complete 23456m, but only 1m brings the 1 or 9 that the hand lacks."""
    assert jiahu("only-wait") == [True, False, True]
    assert changed_by(changchun(OPEN_BUT_ONLY_WAIT, {"jiahu": "only-wait"})) == ["jiahu"]


@pytest.mark.proves("R8", "R11", "jiahu=shape")
def test_a_drawn_bao_stands_for_the_wait_that_the_table_pays_most() -> None:
    """A pair of 2m or of 5m completes 2345m; by its shape either is a 夹胡, as an only wait neither."""
    given = {"by": "self-draw", "listening": True, "bao": "9p"}
    plain = changchun(ONE_OF_TWO_SINGLE_WAITS.replace("+2m", "+9p"), **given)
    assert (plain.stands_for.code, plain.total) == ("2m", 5)
    by_shape = changchun(ONE_OF_TWO_SINGLE_WAITS.replace("+2m", "+9p"), {"jiahu": "shape"}, **given)
    assert (by_shape.stands_for.code, by_shape.total) == ("2m", 6)


BAO_MATCH = {"by": "bao-match", "listening": True, "bao": "2m"}


@pytest.mark.proves("R10", "CC-67", "CC-89", "CC-90", "duibao-includes-baopai=yes")
def test_duibao_is_paid_beside_baopai_and_zimo() -> None:
    patterns = {"pinghu": 1, "zimo": 1, "baopai": 2, "duibao": 2, "jiahu": 1, "lihu": 1}
    assert changchun(CLOSED_ONLY_WAIT, **BAO_MATCH).patterns == patterns


@pytest.mark.proves("R10", "duibao-includes-baopai=no")
def test_duibao_may_be_paid_without_baopai() -> None:
    verdict = changchun(CLOSED_ONLY_WAIT, {"duibao-includes-baopai": "no"}, **BAO_MATCH)
    assert verdict.patterns == {"pinghu": 1, "zimo": 1, "duibao": 2, "jiahu": 1, "lihu": 1}
    assert changed_by(verdict) == ["duibao-includes-baopai"]
    drawn = {"by": "self-draw", "listening": True, "bao": "2m"}
    assert "baopai" in changchun(CLOSED_ONLY_WAIT, {"duibao-includes-baopai": "no"}, **drawn).patterns


@pytest.mark.proves("R15", "must-declare-ting=no")
def test_a_hand_wins_without_a_declared_ting() -> None:
    verdict = changchun(CLOSED_ONLY_WAIT)
    assert verdict.wins
    assert "declared" not in [f.rule.key for f in verdict.findings]


@pytest.mark.proves("R15", "CC-46", "must-declare-ting=yes")
def test_a_table_may_let_no_hand_win_that_has_not_declared_ting() -> None:
    table = {"must-declare-ting": "yes"}
    verdict = changchun(CLOSED_ONLY_WAIT, table)
    assert fails(verdict) == ["declared"]
    assert waits(verdict) == []
    assert [(w.tile.code, w.fails) for w in verdict.blocked_waits] == [("2m", ("declared",))]
    assert changed_by(verdict) == ["must-declare-ting"]
    declared = changchun(CLOSED_ONLY_WAIT, table, listening=True)
    assert declared.wins
    assert status(declared, "declared") == "pass"
    assert waits(declared) == ["2m"]
    assert changchun("13m 456p 777999s EE", table).state == "not-ready"
    assert changchun("13m 456p 777999s EE", table, listening=True).state == "ready"


SEVEN_PAIRS = "2255m 3377p 1199s C +C"


@pytest.mark.proves("R24", "CC-57", "seven-pairs=no")
def test_seven_pairs_are_no_shape_of_changchun() -> None:
    assert fails(changchun(SEVEN_PAIRS)) == ["shape"]


@pytest.mark.proves("R24", "seven-pairs=yes")
def test_a_table_may_let_seven_pairs_win() -> None:
    table = {"seven-pairs": "yes"}
    verdict = changchun(SEVEN_PAIRS, table)
    assert verdict.patterns == {"pinghu": 1, "fangpao": 1, "jiahu": 1, "lihu": 1}
    assert waits(verdict) == ["C"]
    assert changed_by(verdict) == ["seven-pairs"]
    assert changchun("2222m 3377p 1199s C +C", table).wins


@pytest.mark.proves("R24", "CC-69", "CC-70", "CC-72", "seven-pairs=yes")
def test_seven_pairs_are_asked_for_three_suits_and_a_1_or_9_but_not_for_a_triplet() -> None:
    table = {"seven-pairs": "yes"}
    assert fails(changchun("2255m 3377p 4488p C +C", table)) == ["three-suits"]
    assert fails(changchun("2255m 3377p 4466s 8s +8s", table)) == ["terminal-or-honor"]
    winds = changchun("2255m 3377p 4466s E +E", table)
    assert winds.wins
    assert status(winds, "triplet") == "waived"
    assert fails(changchun("2255m 3377p 44s (EEE) +C", table))[0] == "shape"


@pytest.mark.proves("R17", "special-gang-twice=yes")
def test_two_special_gangs_of_one_kind_may_be_two_melds() -> None:
    assert changchun("123m 456p 3s {CFP} {CFP} +3s").wins


@pytest.mark.proves("R17", "special-gang-twice=no")
def test_a_table_may_allow_one_special_gang_of_a_kind() -> None:
    with pytest.raises(HandError) as refused:
        changchun("123m 456p 3s {CFP} {CFP} +3s", {"special-gang-twice": "no"})
    assert (refused.value.code, refused.value.at) == ("bad-meld", 19)
    assert changchun("123m 456p 3s {CFP} {ESWN} +3s", {"special-gang-twice": "no"}).wins


ROBBED_FIVE = "123m 46p 777999s EE +5p"


@pytest.mark.proves("R19", "rob-added-gang=special-only")
def test_only_an_addition_to_a_special_gang_can_be_robbed() -> None:
    with pytest.raises(HandError) as refused:
        changchun(ROBBED_FIVE, by="robbed-gang")
    assert refused.value.code == "bad-context"
    east = changchun("123m 456p 777999s E +E", by="robbed-gang")
    assert "fangpao" in east.patterns


@pytest.mark.proves("R19", "rob-added-gang=any")
def test_a_table_may_let_any_added_gang_be_robbed() -> None:
    verdict = changchun(ROBBED_FIVE, {"rob-added-gang": "any"}, by="robbed-gang", discarder=2)
    assert verdict.patterns == {"pinghu": 1, "fangpao": 1, "jiahu": 1, "lihu": 1}
    assert verdict.payments == (0, 4, -4, 0)


# Changchun: what is paid

THREE_FAN = "123m 45556p 78sSSS +9s"  # 平胡, 放炮, 立胡
SIX_FAN = "1m (222p) (777s) (999m) EEE +1m"  # 平胡, 放炮, 夹胡, 飘胡, 庄胡 with the dealer


@pytest.mark.proves("R12", "CC-84", "points=linear")
def test_a_fan_is_a_stake() -> None:
    assert changchun(THREE_FAN).payments == (-3, 3, 0, 0)


@pytest.mark.proves("R12", "points=doubling")
def test_each_fan_after_the_first_may_double_the_stake() -> None:
    verdict = changchun(THREE_FAN, {"points": "doubling"})
    assert verdict.payments == (-4, 4, 0, 0)
    assert changed_by(verdict) == ["points"]
    drawn = changchun(THREE_FAN, {"points": "doubling"}, by="self-draw")
    assert drawn.payments == (-4, 12, -4, -4)


@pytest.mark.proves("R12", "points=two-to-fan-cap-6")
def test_every_fan_may_double_the_stake_up_to_six() -> None:
    table = {"points": "two-to-fan-cap-6"}
    assert changchun(THREE_FAN, table).payments == (-8, 8, 0, 0)
    nine = changchun(CLOSED_ONLY_WAIT, table, **BAO_MATCH, seat=0)
    assert nine.total == 9
    assert nine.payments == (192, -64, -64, -64)
    six = changchun(SIX_FAN, table, seat=0, discarder=3)
    assert six.total == 6
    assert six.payments == (64, 0, 0, -64)


@pytest.mark.proves("R13", "CC-63", "CC-64", "CC-86", "discard-pays=discarder")
def test_the_discarder_alone_pays_a_discard_win_and_only_his_own_share() -> None:
    assert changchun(THREE_FAN, seat=3, discarder=2).payments == (0, 0, -3, 3)


@pytest.mark.proves("R13", "discard-pays=everyone")
def test_everyone_may_pay_a_discard_win_the_discarder_one_fan_more() -> None:
    verdict = changchun(THREE_FAN, {"discard-pays": "everyone"}, seat=3, discarder=2)
    assert verdict.payments == (-2, -2, -3, 7)
    assert changed_by(verdict) == ["discard-pays"]
    doubled = {"discard-pays": "everyone", "points": "doubling"}
    assert changchun(THREE_FAN, doubled, seat=3, discarder=2).payments == (-2, -2, -4, 8)


@pytest.mark.proves("R13", "discard-pays=discarder-for-all")
def test_the_discarder_may_pay_what_all_three_would_have_paid() -> None:
    verdict = changchun(THREE_FAN, {"discard-pays": "discarder-for-all"}, seat=3, discarder=2)
    assert verdict.payments == (0, 0, -7, 7)
    drawn = changchun(THREE_FAN, {"discard-pays": "discarder-for-all"}, seat=3, by="self-draw")
    assert drawn.payments == (-3, -3, -3, 9)


@pytest.mark.proves("R14", "CC-92", "losing-dealer-pays-extra=no")
def test_the_dealer_gains_a_fan_when_he_wins_and_loses_none_when_he_pays() -> None:
    assert changchun(THREE_FAN, by="self-draw").payments == (-3, 9, -3, -3)
    assert changchun(THREE_FAN, seat=0, by="self-draw").payments == (12, -4, -4, -4)


@pytest.mark.proves("R14", "losing-dealer-pays-extra=yes")
def test_a_losing_dealer_may_pay_a_fan_more() -> None:
    table = {"losing-dealer-pays-extra": "yes"}
    verdict = changchun(THREE_FAN, table, by="self-draw")
    assert verdict.payments == (-4, 10, -3, -3)
    assert changed_by(verdict) == ["losing-dealer-pays-extra"]
    assert changchun(THREE_FAN, table).payments == (-4, 4, 0, 0)
    assert changchun(THREE_FAN, table, discarder=2).payments == (0, 3, -3, 0)
    everyone = table | {"discard-pays": "everyone"}
    assert changchun(THREE_FAN, everyone, discarder=2).payments == (-3, 8, -3, -2)
    for_all = table | {"discard-pays": "discarder-for-all"}
    assert changchun(THREE_FAN, for_all, discarder=2).payments == (0, 8, -8, 0)


# Changsha: what wins

WRONG_PAIR = "123m 11456p 67789s +5s"
FREEING = [
    (WRONG_PAIR, {"moments": "gangshangpao"}, {"gangshangpao": 1}),
    (WRONG_PAIR, {"moments": "dihu"}, {"dihu": 1}),
    (WRONG_PAIR, {"by": "self-draw", "seat": 0, "moments": "tianhu"}, {"tianhu": 1}),
    (WRONG_PAIR, {"by": "robbed-gang"}, {"qiangganghu": 1}),
    ("123m 11456p 78s [5555m] +9s", {"by": "self-draw", "moments": "gangshanghua"}, {"gangshanghua": 1}),
]


@pytest.mark.proves("S2", "CS-3", "moments-need-258=yes")
@pytest.mark.parametrize(("text", "given", "patterns"), FREEING)
def test_a_way_of_winning_frees_no_pair(text: str, given: dict[str, Any], patterns: dict[str, int]) -> None:
    assert fails(changsha(text, **given)) == ["pair-258"]


@pytest.mark.proves("S2", "moments-need-258=no")
@pytest.mark.parametrize(("text", "given", "patterns"), FREEING)
def test_a_way_of_winning_may_free_the_pair(
    text: str, given: dict[str, Any], patterns: dict[str, int]
) -> None:
    verdict = changsha(text, {"moments-need-258": "no"}, **given)
    assert verdict.patterns == patterns
    assert status(verdict, "pair-258") == "waived"
    assert changed_by(verdict) == ["moments-need-258"]


@pytest.mark.proves("S2", "CS-22", "CS-26", "moments-need-258=no")
@pytest.mark.parametrize(
    "given", [{"moments": "haidipao"}, {"by": "self-draw", "moments": "haidilaoyue"}, {}]
)
def test_the_last_tile_and_an_ordinary_win_always_need_their_pair(given: dict[str, Any]) -> None:
    verdict = changsha(WRONG_PAIR, {"moments-need-258": "no"}, **given)
    assert fails(verdict) == ["pair-258"]
    assert changed_by(verdict) == []


LOOSE_258 = "22558m 2258p 2588s +5m"


@pytest.mark.proves("S3", "CS-16", "CS-17", "jiangjianghu-needs-shape=no")
def test_a_jiangjianghu_needs_no_shape() -> None:
    verdict = changsha(LOOSE_258)
    assert verdict.patterns == {"jiangjianghu": 1}
    assert waits(verdict) == ["2m", "5m", "8m", "2p", "5p", "8p", "2s", "5s", "8s"]


@pytest.mark.proves("S3", "jiangjianghu-needs-shape=yes")
def test_a_table_may_want_a_shape_of_a_jiangjianghu_too() -> None:
    table = {"jiangjianghu-needs-shape": "yes"}
    verdict = changsha(LOOSE_258, table)
    assert fails(verdict) == ["shape"]
    assert waits(verdict) == []
    assert changed_by(verdict) == ["jiangjianghu-needs-shape"]
    shaped = changsha("222555m 888p 2255s +5s", table)
    assert shaped.patterns == {"pengpenghu": 1, "jiangjianghu": 1}
    pairs = changsha("2255m 2255p 22558s +8s", table)
    assert pairs.patterns == {"qidui": 1, "jiangjianghu": 1}


@pytest.mark.proves("S5", "CS-42", "CS-43", "three-fours=4")
def test_seven_pairs_with_two_or_three_fours_are_four_big_wins() -> None:
    assert changsha("1111m 4444p 66779s +9s").patterns == {"chaohaohua-qidui": 4}
    assert changsha("1111m 4444p 66669s +9s").patterns == {"chaohaohua-qidui": 4}


@pytest.mark.proves("S5", "three-fours=6")
def test_three_fours_may_be_six_big_wins() -> None:
    table = {"three-fours": "6"}
    verdict = changsha("1111m 4444p 66669s +9s", table)
    assert verdict.patterns == {"chaohaohua-qidui": 6}
    assert changed_by(verdict) == ["three-fours"]
    assert changsha("1111m 4444p 66779s +9s", table).patterns == {"chaohaohua-qidui": 4}
    assert changsha("1111m 4488p 66779s +9s", table).patterns == {"haohua-qidui": 2}


WITH_CONCEALED = "4m (123m) (5555p) (777s) [9999s] +4m"


@pytest.mark.proves("S10", "CS-40", "quanqiuren-concealed-gang=yes")
def test_a_quanqiuren_may_have_a_concealed_gang() -> None:
    assert changsha(WITH_CONCEALED).patterns == {"quanqiuren": 1}


@pytest.mark.proves("S10", "quanqiuren-concealed-gang=no")
def test_where_a_concealed_gang_makes_no_quanqiuren_the_pair_is_bound_again() -> None:
    table = {"quanqiuren-concealed-gang": "no"}
    verdict = changsha(WITH_CONCEALED, table)
    assert fails(verdict) == ["pair-258"]
    assert changed_by(verdict) == ["quanqiuren-concealed-gang"]
    assert changsha(WITH_CONCEALED.replace("4m", "5m"), table).patterns == {"xiaohu": 0}
    assert changsha(WITH_CONCEALED.replace("[9999s]", "(9999s)"), table).patterns == {"quanqiuren": 1}


# Changsha: what is paid

SMALL = "12355m 45678p 789s +9p"
BIG = "111m 333m 444p 777s 9s +9s"  # 碰碰胡


@pytest.mark.proves("S12", "CS-68", "birds=2")
def test_the_last_tile_is_its_own_bird() -> None:
    """9p falls on the dealer, as 1p and 5p do."""
    drawn = {"by": "self-draw", "moments": "haidilaoyue"}
    assert changsha(SMALL, **drawn).payments == (-14, 26, -6, -6)
    assert changsha(SMALL, moments="haidipao", discarder=2).payments == (0, 6, -6, 0)
    assert changsha(SMALL, moments="haidipao", discarder=0).payments == (-14, 14, 0, 0)


@pytest.mark.proves("S11", "S12", "birds=0")
def test_a_table_may_play_without_birds_on_the_last_tile_too() -> None:
    verdict = changsha(SMALL, {"birds": "0"}, by="self-draw", moments="haidilaoyue")
    assert verdict.payments == (-7, 19, -6, -6)
    assert changed_by(verdict) == ["birds"]


@pytest.mark.proves("S11", "CS-56", "CS-57", "bird-count-up=double")
def test_every_bird_that_hits_doubles_once_more() -> None:
    """7 x 2 x 2 = 28, the example of the text: the dealer draws a big win with two birds."""
    assert changsha(BIG, by="self-draw", seat=0, birds="1m,5p").payments == (84, -28, -28, -28)


@pytest.mark.proves("S11", "bird-count-up=add")
def test_birds_may_add_up_instead_of_doubling_each_other() -> None:
    verdict = changsha(BIG, {"bird-count-up": "add"}, by="self-draw", seat=0, birds="1m,5p")
    assert verdict.payments == (63, -21, -21, -21)
    assert changed_by(verdict) == ["bird-count-up"]
    one = changsha(BIG, {"bird-count-up": "add"}, by="self-draw", seat=0, birds="1m,2p")
    assert one.payments == (49, -21, -14, -14)


@pytest.mark.proves("S11", "CS-64", "bird-origin=dealer")
def test_birds_are_counted_from_the_dealer() -> None:
    assert changsha(BIG, by="self-draw", seat=2, birds="1m,4p").payments == (-14, -6, 32, -12)


@pytest.mark.proves("S11", "bird-origin=winner")
def test_birds_may_be_counted_from_the_winner() -> None:
    verdict = changsha(BIG, {"bird-origin": "winner"}, by="self-draw", seat=2, birds="1m,4p")
    assert verdict.payments == (-14, -24, 50, -12)
    assert changed_by(verdict) == ["bird-origin"]


# Engine and reference at random tables


def random_table(rng: random.Random, key: str) -> dict[str, str]:
    """Any answer to any question, the default to about half of them."""
    table = {}
    for option, values in reference.HOUSE_RULES[key].items():
        if rng.random() < 0.5:
            table[option] = rng.choice(values)
    return table


def random_birds(rng: random.Random, table: dict[str, str]) -> list[str] | None:
    """As many birds as the table plays with or fewer, None where nobody says."""
    number = rng.randint(0, int(table.get("birds", "2")))
    return [rng.choice(reference.NUMBERED) for _ in range(number)] or None


def by_reference(key: str, dealt: tuple, birds: list[str] | None, table: dict[str, str]) -> dict[str, Any]:
    """What the reference says of a dealt hand at a table, with the payments, None without a winning tile."""
    *hand, winning, circumstances = dealt
    said = reference.judge(key, *hand, winning, options=table, **dealing.for_judge(circumstances))
    paid = None
    if said["wins"] and winning:
        by, seat, discarder = circumstances["by"], circumstances["seat"], circumstances["from"]
        if discarder is None and by in ("discard", "robbed-gang"):
            discarder = 1 if seat == 0 else 0
        total = said["fan"] if key == "changchun" else said["big_wins"]
        paid = reference.payments(key, total, said["patterns"], by, seat, discarder, birds, table, winning)
    return expected(said) | {"payments": paid}


def by_engine(verdict: Verdict) -> dict[str, Any]:
    """What the engine says, where both say something: of a missing shape the reference says only that."""
    said = answer(verdict) | {"payments": verdict.payments and list(verdict.payments)}
    if not verdict.is_full:
        said["fails"] = []
    elif not verdict.readings:
        said["fails"] = ["shape"]
    return said


def without(said: dict[str, Any], *parts: str) -> dict[str, Any]:
    """What was said less some parts of it."""
    return {part: what for part, what in said.items() if part not in parts}


@pytest.mark.parametrize("key", ["changchun", "changsha"])
def test_random_hands_are_judged_and_paid_at_random_tables_as_the_reference_does(key: str) -> None:
    """And the house rules that are said to change a verdict are those without which it is another."""
    rng = random.Random(f"{key} tables")
    won = 0
    for dealt in dealing.hands(key, "tables", HANDS):
        concealed, melds, winning, circumstances = dealt
        table = random_table(rng, key)
        birds = random_birds(rng, table) if key == "changsha" and winning else None
        game = rules.ruleset(key).with_options(table)
        hand = hand_of(game, concealed, melds, winning)
        verdict = game.judge(hand, read(game, hand, {**circumstances, "birds": birds}))
        said = by_reference(key, dealt, birds, table)
        written = (dealing.notation(concealed, melds, winning), circumstances, table)
        assert by_engine(verdict) == said, written

        changing = []
        for option in table:
            fewer = {chosen: value for chosen, value in table.items() if chosen != option}
            # Readings that don't win, and what a bao stands for, change nothing by themselves.
            other = without(by_reference(key, dealt, birds, fewer), "readings", "stands_for")
            if other != without(said, "readings", "stands_for"):
                changing.append(option)
        assert sorted(changed_by(verdict)) == sorted(changing), written
        won += verdict.wins
    assert won > HANDS // 8
