"""Who pays whom at the end of a hand: the examples of both texts, the house rules, and random scenarios.

The random ones are settled by the engine and by the plain reference.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules import HandError
from rules.settlement import Settlement, settle
from tests import dealing, reference, reference_settlement

SMALL = "123m 55m 456p 78p 789s +9p"
THREE_FAN = "123m 45556p 78s SSS +9s"  # 平胡, 放炮, 立胡; 自摸 instead of 放炮 where it is drawn
SEEDS = st.integers(0, 2**32)

Scenario = dict[str, Any]


def changchun(scenario: Scenario, **options: str) -> Settlement:
    """The settlement of a hand of Changchun."""
    return settle(rules.ruleset("changchun"), {**scenario, "options": named(options)})


def changsha(scenario: Scenario, **options: str) -> Settlement:
    """The settlement of a hand of Changsha."""
    return settle(rules.ruleset("changsha"), {**scenario, "options": named(options)})


def named(options: dict[str, str]) -> dict[str, str]:
    """Options by their keys: `discard_pays` stands for discard-pays."""
    return {key.replace("_", "-"): value for key, value in options.items()}


def discard(seat: int, source: int, **more: Any) -> Scenario:
    """A winner on a discard."""
    return {"seat": seat, "from": source, "by": "discard", **more}


def drawn(seat: int, **more: Any) -> Scenario:
    """A winner who has drawn the tile."""
    return {"seat": seat, "by": "self-draw", **more}


def one(win: Scenario, *birds: str) -> Scenario:
    """A hand with one winner."""
    return {"wins": [win], "birds": list(birds)} if birds else {"wins": [win]}


def gangs(*listed: Scenario) -> Scenario:
    """A hand that nobody won, with these gangs."""
    return {"wins": [], "gangs": list(listed)}


# Changchun: the win


@pytest.mark.proves("CC-63", "CC-64", "R13", "discard-pays=discarder")
def test_the_discarder_alone_pays_and_not_for_the_others() -> None:
    assert changchun(one(discard(1, 0, fan=3))).payments == (-3, 3, 0, 0)
    assert changchun(one(discard(1, 2, hand=THREE_FAN))).payments == (0, 3, -3, 0)


@pytest.mark.proves("CC-65")
def test_all_three_others_pay_a_self_drawn_win() -> None:
    assert changchun(one(drawn(1, fan=3))).payments == (-3, 9, -3, -3)
    assert changchun(one(drawn(2, hand=THREE_FAN))).payments == (-3, -3, 9, -3)


@pytest.mark.proves("CC-67", "R10")
def test_all_three_others_pay_a_duibao_as_they_pay_a_self_drawn_win() -> None:
    win = {"seat": 3, "by": "bao-match", "hand": THREE_FAN, "listening": True, "bao": "9s"}
    assert changchun(one(win)).payments == (-7, -7, -7, 21)


@pytest.mark.proves("CC-42", "CC-44", "R19")
def test_who_added_the_robbed_tile_pays_as_a_discarder_does() -> None:
    win = {"seat": 1, "from": 3, "by": "robbed-gang", "hand": THREE_FAN}
    assert changchun(one(win)).payments == (0, 3, 0, -3)


@pytest.mark.proves("R13", "discard-pays=everyone")
def test_everyone_may_pay_with_the_plus_one_in_the_discarders_share() -> None:
    assert changchun(one(discard(1, 2, fan=3)), discard_pays="everyone").payments == (-2, 7, -3, -2)
    assert changchun(one(drawn(1, fan=3)), discard_pays="everyone").payments == (-3, 9, -3, -3)


@pytest.mark.proves("R13", "discard-pays=discarder-for-all")
def test_the_discarder_may_pay_for_all_three() -> None:
    assert changchun(one(discard(1, 2, fan=3)), discard_pays="discarder-for-all").payments == (0, 7, -7, 0)


@pytest.mark.proves("R14", "losing-dealer-pays-extra=no")
def test_a_losing_dealer_pays_like_any_other() -> None:
    assert changchun(one(drawn(3, fan=2))).payments == (-2, -2, -2, 6)


@pytest.mark.proves("R14", "losing-dealer-pays-extra=yes")
def test_a_losing_dealer_may_owe_one_fan_more() -> None:
    table = {"losing_dealer_pays_extra": "yes"}
    assert changchun(one(drawn(3, fan=2)), **table).payments == (-3, -2, -2, 7)
    assert changchun(one(discard(3, 0, fan=2)), **table).payments == (-3, 0, 0, 3)
    assert changchun(one(discard(3, 1, fan=2)), **table).payments == (0, -2, 0, 2)
    assert changchun(one(drawn(0, fan=2)), **table).payments == (6, -2, -2, -2)


@pytest.mark.proves("R12", "points=linear", "points=doubling", "points=two-to-fan-cap-6")
@pytest.mark.parametrize(
    ("fan", "linear", "doubling", "capped"), [(2, 2, 2, 4), (3, 3, 4, 8), (6, 6, 32, 64), (9, 9, 256, 64)]
)
def test_fan_become_points_as_the_table_counts(fan: int, linear: int, doubling: int, capped: int) -> None:
    scenario = one(discard(2, 3, fan=fan))
    assert changchun(scenario, points="linear").payments == (0, 0, linear, -linear)
    assert changchun(scenario, points="doubling").payments == (0, 0, doubling, -doubling)
    assert changchun(scenario, points="two-to-fan-cap-6").payments == (0, 0, capped, -capped)


# Changchun: the gangs


@pytest.mark.proves("CC-94", "CC-95", "CC-96", "R22", "direct-gang-pays=everyone")
@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("tiles", ["(2222p)", "{ESWN}", "{CFP}", "{1m1p1s}", "{9m9p9s}"])
def test_a_gang_is_paid_one_stake_by_each_of_the_others_even_on_a_draw(tiles: str, seat: int) -> None:
    settled = changchun(gangs({"seat": seat, "tiles": tiles}))
    assert settled.payments == tuple(3 if other == seat else -1 for other in range(4))
    assert {line.purpose for line in settled.lines} == {"gang"}


@pytest.mark.proves("CC-97", "CC-94")
def test_a_concealed_gang_is_paid_two_stakes() -> None:
    assert changchun(gangs({"seat": 2, "tiles": "[5555m]"})).payments == (-2, -2, 6, -2)
    assert changchun(gangs({"seat": 0, "tiles": "[EEEE]"})).payments == (6, -2, -2, -2)


@pytest.mark.proves("CC-29", "CC-31", "CC-33", "CC-35", "R22")
@pytest.mark.parametrize(
    ("tiles", "stakes"), [("{ESWNE}", 2), ("{CFPPP}", 3), ("{1m1m1p1s}", 2), ("{9m9m9m9p9p9s}", 4)]
)
def test_each_tile_added_to_a_special_gang_is_paid_like_another_gang(tiles: str, stakes: int) -> None:
    settled = changchun(gangs({"seat": 1, "tiles": tiles}))
    assert settled.payments == (-stakes, 3 * stakes, -stakes, -stakes)


@pytest.mark.proves("CC-36", "CC-37", "R16", "dadan=dealt-only")
@pytest.mark.parametrize("tiles", ["(1111s)", "(1111p)", "(CCCC)", "(FFFF)", "(PPPP)"])
def test_a_dealt_dadan_shown_is_paid_two_stakes(tiles: str) -> None:
    assert changchun(gangs({"seat": 1, "tiles": tiles, "dealt": True})).payments == (-2, 6, -2, -2)
    assert changchun(gangs({"seat": 1, "tiles": tiles})).payments == (-1, 3, -1, -1)


@pytest.mark.proves("CC-36", "CC-38", "R16", "dadan=dealt-only")
@pytest.mark.parametrize("tiles", ["[1111s]", "[1111p]", "[CCCC]", "[FFFF]", "[PPPP]"])
def test_a_dealt_dadan_face_down_is_paid_four_stakes(tiles: str) -> None:
    assert changchun(gangs({"seat": 1, "tiles": tiles, "dealt": True})).payments == (-4, 12, -4, -4)
    assert changchun(gangs({"seat": 1, "tiles": tiles})).payments == (-2, 6, -2, -2)


@pytest.mark.proves("R16", "CC-37", "CC-38", "dadan=any-time")
def test_a_dadan_may_be_paid_as_one_whenever_it_came_together() -> None:
    assert changchun(gangs({"seat": 1, "tiles": "(1111s)"}), dadan="any-time").payments == (-2, 6, -2, -2)
    assert changchun(gangs({"seat": 1, "tiles": "[CCCC]"}), dadan="any-time").payments == (-4, 12, -4, -4)
    assert changchun(gangs({"seat": 1, "tiles": "[EEEE]"}), dadan="any-time").payments == (-2, 6, -2, -2)


@pytest.mark.proves("R16", "CC-36", "dadan-1m=no")
def test_four_1m_are_an_ordinary_gang() -> None:
    assert changchun(gangs({"seat": 1, "tiles": "[1111m]", "dealt": True})).payments == (-2, 6, -2, -2)
    assert changchun(gangs({"seat": 1, "tiles": "[9999s]", "dealt": True})).payments == (-2, 6, -2, -2)


@pytest.mark.proves("R16", "dadan-1m=yes")
def test_four_1m_may_be_a_dadan_too() -> None:
    scenario = gangs({"seat": 1, "tiles": "[1111m]", "dealt": True})
    assert changchun(scenario, dadan_1m="yes").payments == (-4, 12, -4, -4)
    later = gangs({"seat": 1, "tiles": "(1111m)"})
    assert changchun(later, dadan_1m="yes").payments == (-1, 3, -1, -1)
    assert changchun(later, dadan_1m="yes", dadan="any-time").payments == (-2, 6, -2, -2)


@pytest.mark.proves("R22", "direct-gang-pays=everyone")
def test_everyone_pays_for_a_gang_on_a_discard() -> None:
    assert changchun(gangs({"seat": 3, "tiles": "(2222p)", "from": 1})).payments == (-1, -1, -1, 3)


@pytest.mark.proves("R22", "direct-gang-pays=discarder")
def test_the_discarder_alone_may_pay_his_share_of_a_gang_on_his_discard() -> None:
    table = {"direct_gang_pays": "discarder"}
    assert changchun(gangs({"seat": 3, "tiles": "(2222p)", "from": 1}), **table).payments == (0, -1, 0, 1)
    added = {"seat": 3, "tiles": "(2222p)", "from": None}
    assert changchun(gangs(added), **table).payments == (-1, -1, -1, 3)
    assert changchun(gangs({"seat": 3, "tiles": "[2222p]"}), **table).payments == (-2, -2, -2, 6)


@pytest.mark.proves("CC-95")
def test_gangs_are_settled_when_nobody_wins() -> None:
    drawn_hand = changchun({"wins": [], "gangs": [{"seat": 2, "tiles": "[5555m]"}]})
    assert drawn_hand.payments == (-2, -2, 6, -2)
    assert {line.purpose for line in drawn_hand.lines} == {"gang"}


@pytest.mark.proves("R25", "CC-76")
def test_a_loser_pays_for_a_win_the_same_whether_closed_or_open() -> None:
    win = one(drawn(1, fan=3))
    closed = changchun(win)
    opened = changchun({**win, "gangs": [{"seat": 2, "tiles": "(5555m)", "from": 3}]})
    for settled in (closed, opened):
        owed = {line.payer: line.points for line in settled.lines if line.purpose == "win"}
        assert owed == {0: 3, 2: 3, 3: 3}


@pytest.mark.proves("CC-94", "CC-96", "CC-97")
def test_gangs_are_settled_beside_the_win_and_not_by_fan() -> None:
    scenario = {
        "wins": [discard(1, 0, fan=3)],
        "gangs": [
            {"seat": 2, "tiles": "[5555m]"},
            {"seat": 0, "tiles": "{ESWNE}", "dealt": True},
            {"seat": 3, "tiles": "(2222p)", "from": 1},
        ],
    }
    assert changchun(scenario).payments == (-3 - 2 + 6 - 1, 3 - 2 - 2 - 1, 6 - 2 - 1, -2 - 2 + 3)
    assert changchun(scenario, points="doubling").payments == (-1, -1, 3, -1)


@pytest.mark.proves("CC-94")
def test_a_gang_inside_the_winning_hand_is_paid_where_it_is_listed_and_only_there() -> None:
    hand = "123m 456p 78s EE [2222p] +9s"
    plain = changchun(one(discard(1, 0, hand=hand)))
    assert plain.payments == (-2, 2, 0, 0)
    listed = changchun({**one(discard(1, 0, hand=hand)), "gangs": [{"seat": 1, "tiles": "[2222p]"}]})
    assert listed.payments == (-4, 8, -2, -2)


@pytest.mark.proves("CC-8", "CC-9", "CC-10", "CC-83")
def test_the_dealer_stays_after_his_own_win_and_after_a_draw() -> None:
    assert changchun(one(drawn(0, fan=3))).next_dealer == 0
    assert changchun({}).next_dealer == 0
    assert changchun({"wins": []}).payments == (0, 0, 0, 0)
    assert [changchun(one(drawn(seat, fan=2))).next_dealer for seat in (1, 2, 3)] == [1, 1, 1]


def test_in_changchun_only_one_player_wins() -> None:
    with pytest.raises(HandError) as refused:
        changchun({"wins": [discard(1, 0, fan=3), discard(2, 0, fan=2)]})
    assert refused.value.code == "bad-context"


# Changsha: small and big wins


@pytest.mark.proves("CS-44", "CS-46")
def test_a_small_win_on_a_discard_is_1_and_2_where_the_dealer_wins() -> None:
    assert changsha(one(discard(1, 2, big_wins=0))).payments == (0, 1, -1, 0)
    assert changsha(one(discard(0, 2, big_wins=0))).payments == (2, 0, -2, 0)
    assert changsha(one(discard(1, 2, hand=SMALL))).payments == (0, 1, -1, 0)


@pytest.mark.proves("CS-44", "CS-47")
def test_a_dealer_who_discards_into_a_small_win_pays_2() -> None:
    assert changsha(one(discard(1, 0, big_wins=0))).payments == (-2, 2, 0, 0)


@pytest.mark.proves("CS-44", "CS-49")
def test_a_dealer_who_draws_a_small_win_gets_2_of_each() -> None:
    assert changsha(one(drawn(0, big_wins=0))).payments == (6, -2, -2, -2)


@pytest.mark.proves("CS-44", "CS-50")
def test_another_who_draws_a_small_win_gets_2_of_the_dealer_and_1_of_the_others() -> None:
    assert changsha(one(drawn(2, big_wins=0))).payments == (-2, -1, 4, -1)


@pytest.mark.proves("CS-45", "CS-51", "CS-52")
def test_a_big_win_on_a_discard_is_6_and_7_where_the_dealer_wins_or_pays() -> None:
    assert changsha(one(discard(0, 2, big_wins=1))).payments == (7, 0, -7, 0)
    assert changsha(one(discard(2, 0, big_wins=1))).payments == (-7, 0, 7, 0)
    assert changsha(one(discard(2, 3, big_wins=1))).payments == (0, 0, 6, -6)


@pytest.mark.proves("CS-45", "CS-53")
def test_a_dealer_who_draws_a_big_win_gets_7_of_each() -> None:
    assert changsha(one(drawn(0, big_wins=1))).payments == (21, -7, -7, -7)


@pytest.mark.proves("CS-45", "CS-54")
def test_another_who_draws_a_big_win_gets_7_of_the_dealer_and_6_of_the_others() -> None:
    assert changsha(one(drawn(3, big_wins=1))).payments == (-7, -6, -6, 19)


@pytest.mark.proves("CS-55", "S4")
def test_big_wins_add_up_before_anything_else() -> None:
    assert changsha(one(discard(0, 1, big_wins=2))).payments == (14, -14, 0, 0)
    assert changsha(one(discard(0, 1, big_wins=3))).payments == (21, -21, 0, 0)
    assert changsha(one(discard(2, 1, big_wins=3))).payments == (0, -18, 18, 0)


# Changsha: birds


@pytest.mark.proves("CS-48", "CS-56", "CS-57", "S11", "birds=2", "bird-count-up=double")
def test_a_dealer_who_draws_a_big_win_with_two_birds_gets_28_of_each() -> None:
    assert changsha(one(drawn(0, big_wins=1), "1m", "5p")).payments == (84, -28, -28, -28)


@pytest.mark.proves("CS-55", "CS-56")
def test_birds_double_the_sum_of_the_big_wins() -> None:
    assert changsha(one(discard(0, 1, big_wins=2), "9s")).payments == (28, -28, 0, 0)


@pytest.mark.proves("CS-65")
@pytest.mark.parametrize(("bird", "points"), [("2m", 12), ("4p", 12), ("1s", 6), ("3s", 6), ("8m", 12)])
def test_on_a_discard_a_bird_counts_on_the_winner_and_on_the_discarder(bird: str, points: int) -> None:
    assert changsha(one(discard(1, 3, big_wins=1), bird)).payments == (0, points, 0, -points)


@pytest.mark.proves("CS-65", "CS-56", "S11")
def test_a_bird_on_the_winner_and_one_on_the_discarder_double_twice() -> None:
    assert changsha(one(discard(1, 3, big_wins=0), "2m", "4p")).payments == (0, 4, 0, -4)


@pytest.mark.proves("CS-66")
def test_on_a_self_draw_a_bird_on_the_winner_doubles_what_everyone_pays() -> None:
    assert changsha(one(drawn(1, big_wins=0), "2m")).payments == (-4, 8, -2, -2)


@pytest.mark.proves("CS-67")
def test_on_a_self_draw_a_bird_on_another_doubles_what_he_alone_pays() -> None:
    assert changsha(one(drawn(1, big_wins=0), "3m")).payments == (-2, 5, -2, -1)
    assert changsha(one(drawn(1, big_wins=0), "1m")).payments == (-4, 6, -1, -1)


@pytest.mark.proves("CS-64", "S11", "bird-origin=dealer")
@pytest.mark.parametrize("number", range(1, 10))
def test_a_bird_falls_on_the_seat_that_its_number_counts_to_from_the_dealer(number: int) -> None:
    payments = changsha(one(drawn(2, big_wins=1), f"{number}s")).payments
    on = (number - 1) % 4
    factors = [2 if on in (2, seat) else 1 for seat in range(4)]
    assert payments[0] == -7 * factors[0]
    assert payments[1] == -6 * factors[1]
    assert payments[3] == -6 * factors[3]


@pytest.mark.proves("S11", "bird-origin=winner")
def test_birds_may_be_counted_from_the_winner() -> None:
    scenario = one(discard(2, 3, big_wins=1), "1m")
    assert changsha(scenario, bird_origin="dealer").payments == (0, 0, 6, -6)
    assert changsha(scenario, bird_origin="winner").payments == (0, 0, 12, -12)
    assert changsha(one(drawn(2, big_wins=1), "3m"), bird_origin="winner").payments == (-14, -6, 26, -6)


@pytest.mark.proves("S11", "bird-count-up=add")
def test_birds_may_add_up() -> None:
    scenario = one(drawn(0, big_wins=1), "1m", "5p")
    assert changsha(scenario, bird_count_up="add").payments == (63, -21, -21, -21)
    mixed = one(discard(1, 3, big_wins=0), "2m", "4p")
    assert changsha(mixed, bird_count_up="add").payments == (0, 3, 0, -3)


@pytest.mark.proves("S11", "birds=2", "birds=1", "birds=4", "birds=6", "birds=0")
@pytest.mark.parametrize("number", [2, 1, 4, 6, 0])
def test_a_table_draws_as_many_birds_as_it_plays_with_or_fewer(number: int) -> None:
    """Every 1 falls on the dealer, who wins: each doubles. One bird too many can't have been drawn."""
    win = drawn(0, big_wins=0)
    for birds in range(number + 1):
        payments = changsha({"wins": [win], "birds": ["1m"] * birds}, birds=str(number)).payments
        assert payments[1] == -2 * 2**birds
    with pytest.raises(HandError) as refused:
        changsha({"wins": [win], "birds": ["1m"] * (number + 1)}, birds=str(number))
    assert refused.value.code == "bad-context"


@pytest.mark.proves("CS-68", "CS-21", "S12")
def test_the_last_tile_is_the_bird_of_a_win_on_it() -> None:
    """9p falls on the dealer. A small hand on the last tile is one big win."""
    win = drawn(1, hand=SMALL, moments=["haidilaoyue"])
    assert changsha(one(win)).payments == (-14, 26, -6, -6)
    assert changsha(one(discard(1, 0, hand=SMALL, moments=["haidipao"]))).payments == (-14, 14, 0, 0)
    assert changsha(one(discard(1, 2, hand=SMALL, moments=["haidipao"]))).payments == (0, 6, -6, 0)


@pytest.mark.proves("S12", "birds=0")
def test_the_last_tile_is_no_bird_where_the_table_has_none() -> None:
    win = drawn(1, hand=SMALL, moments=["haidilaoyue"])
    assert changsha(one(win), birds="0").payments == (-7, 19, -6, -6)


# Changsha: the two tiles of one 开杠


def hits(seat: int, totals: list[int], by: str = "self-draw", source: int | None = None) -> list[Scenario]:
    """A winner on both tiles of a 开杠, told by his big wins."""
    moment = "gangshanghua" if by == "self-draw" else "gangshangpao"
    from_whom = {} if source is None else {"from": source}
    return [{"seat": seat, "by": by, "big_wins": n, "moments": [moment], **from_whom} for n in totals]


@pytest.mark.proves("CS-33", "CS-39", "CS-58", "CS-59", "S14", "double-gang=each")
def test_a_one_suit_hand_that_wins_on_both_gang_tiles_has_four_big_wins() -> None:
    both = [
        drawn(1, hand=f"34m 678m 99m 789m [1111m] +{tile}", moments=["gangshanghua"]) for tile in ("2m", "5m")
    ]
    assert changsha({"wins": both}).payments == (-28, 76, -24, -24)
    assert changsha({"wins": hits(1, [2, 2])}).payments == (-28, 76, -24, -24)


@pytest.mark.proves("CS-33", "CS-58", "CS-60", "S14", "double-gang=each")
def test_pengpenghu_on_one_gang_tile_and_a_small_hand_on_the_other_have_three_big_wins() -> None:
    """With 2m the hand is 22m 333m 444m 555m, with 5m it is 234m 345m 345m 55m."""
    both = [drawn(1, hand=f"2333444555m [9999s] +{tile}", moments=["gangshanghua"]) for tile in ("2m", "5m")]
    assert changsha({"wins": both[:1]}).payments == (-14, 38, -12, -12)
    assert changsha({"wins": both[1:]}).payments == (-7, 19, -6, -6)
    assert changsha({"wins": both}).payments == (-21, 57, -18, -18)
    assert changsha({"wins": hits(1, [2, 1])}).payments == (-21, 57, -18, -18)


@pytest.mark.proves("S14", "double-gang=once")
def test_the_shape_may_count_once_beside_the_number_of_hits() -> None:
    """清一色 on both tiles: 1 + 2 instead of 2 + 2. 碰碰胡 on one of them: the greater shape, 1 + 2."""
    assert changsha({"wins": hits(1, [2, 2])}, double_gang="once").payments == (-21, 57, -18, -18)
    assert changsha({"wins": hits(1, [2, 1])}, double_gang="once").payments == (-21, 57, -18, -18)
    assert changsha({"wins": hits(1, [1, 1])}, double_gang="once").payments == (-14, 38, -12, -12)


@pytest.mark.proves("CS-37", "CS-58", "S14")
def test_another_who_wins_on_both_gang_tiles_is_paid_by_the_opener_alone() -> None:
    assert changsha({"wins": hits(2, [2, 1], "discard", 3)}).payments == (0, 0, 18, -18)


@pytest.mark.proves("S11", "S14", "CS-56")
def test_birds_double_the_sum_of_both_gang_tiles_once() -> None:
    assert changsha({"wins": hits(2, [2, 1], "discard", 3), "birds": ["3m"]}).payments == (0, 0, 36, -36)


# Changsha: several winners


@pytest.mark.proves("CS-25", "CS-61", "S16", "several-winners=all")
def test_everyone_who_wins_on_a_tile_is_paid_for_it() -> None:
    settled = changsha({"wins": [discard(1, 3, big_wins=0), discard(0, 3, big_wins=1)]})
    assert settled.payments == (7, 1, 0, -8)
    assert settled.next_dealer == 3


@pytest.mark.proves("CS-25", "CS-35", "CS-37", "CS-61", "S16")
@pytest.mark.parametrize(
    ("given", "big_wins"),
    [
        ({"by": "discard"}, 0),
        ({"by": "discard", "moments": ["haidipao"]}, 1),
        ({"by": "discard", "moments": ["gangshangpao"]}, 1),
        ({"by": "robbed-gang"}, 1),
    ],
)
def test_several_hands_may_win_on_one_tile_however_it_came(given: dict[str, Any], big_wins: int) -> None:
    """3m falls on the player opposite the dealer, who neither wins nor pays."""
    wins = [
        {"seat": 0, "from": 3, "hand": "12m 55m 456p 789p 789s +3m", **given},
        {"seat": 1, "from": 3, "hand": "45m 88m 111p 222p 789s +3m", **given},
    ]
    settled = changsha({"wins": wins, "birds": ["3m"]})
    if big_wins:
        assert settled.payments == (7, 6, 0, -13)
    else:
        assert settled.payments == (2, 1, 0, -3)
    assert settled.next_dealer == 3


@pytest.mark.proves("CS-37", "CS-58", "S14", "S16")
def test_two_may_win_on_the_two_tiles_of_one_gang_and_one_of_them_on_both() -> None:
    wins = [
        discard(0, 3, hand="34m 55m 456p 789p 789s +2m", moments=["gangshangpao"]),
        discard(1, 3, hand="67m 88p 111p 222p 789s +5m", moments=["gangshangpao"]),
        discard(0, 3, hand="34m 55m 456p 789p 789s +5m", moments=["gangshangpao"]),
    ]
    settled = changsha({"wins": wins})
    assert settled.payments == (14, 6, 0, -20)
    assert settled.next_dealer == 3


@pytest.mark.proves("S11", "S16")
def test_a_bird_on_one_of_several_winners_doubles_what_he_gets_alone() -> None:
    wins = [discard(1, 3, big_wins=0), discard(0, 3, big_wins=1)]
    assert changsha({"wins": wins, "birds": ["2m"]}).payments == (7, 2, 0, -9)
    assert changsha({"wins": wins, "birds": ["4m"]}).payments == (14, 2, 0, -16)


@pytest.mark.proves("S16", "several-winners=nearest")
def test_a_table_may_let_only_the_nearest_win() -> None:
    with pytest.raises(HandError) as refused:
        changsha({"wins": [discard(1, 3, big_wins=0), discard(0, 3, big_wins=1)]}, several_winners="nearest")
    assert refused.value.code == "bad-context"
    alone = changsha(one(discard(0, 3, big_wins=1)), several_winners="nearest")
    assert alone.payments == (7, 0, 0, -7)
    both_tiles = changsha({"wins": hits(2, [2, 1], "discard", 3)}, several_winners="nearest")
    assert both_tiles.payments == (0, 0, 18, -18)


# Changsha: openings


@pytest.mark.proves("CS-5", "CS-44", "S6", "opening-birds=no")
def test_an_opening_is_paid_as_a_small_win_by_self_draw() -> None:
    settled = changsha({"openings": [{"seat": 3, "keys": ["sixi"]}]})
    assert settled.payments == (-2, -1, -1, 4)
    assert {line.purpose for line in settled.lines} == {"opening"}
    assert changsha({"openings": [{"seat": 0, "keys": ["queyise"]}]}).payments == (6, -2, -2, -2)


@pytest.mark.proves("S6")
def test_opening_patterns_add_up() -> None:
    both = {"openings": [{"seat": 3, "keys": ["sixi", "liuliushun"]}]}
    assert changsha(both).payments == (-4, -2, -2, 8)


@pytest.mark.proves("CS-7", "S6", "opening-birds=no")
def test_an_opening_is_paid_beside_a_later_win_and_has_no_birds() -> None:
    scenario = {**one(discard(1, 0, hand=SMALL), "4m"), "openings": [{"seat": 3, "keys": ["sixi"]}]}
    settled = changsha(scenario)
    assert settled.payments == (-2 - 2, 2 - 1, -1, 4)
    assert settled.next_dealer == 1


@pytest.mark.proves("S6", "opening-birds=yes")
def test_birds_may_double_the_openings_too() -> None:
    scenario = {**one(discard(1, 0, big_wins=0), "4m"), "openings": [{"seat": 3, "keys": ["sixi"]}]}
    assert changsha(scenario, opening_birds="yes").payments == (-2 - 4, 2 - 2, -2, 8)


@pytest.mark.proves("S6", "S12", "CS-68", "opening-birds=yes")
def test_the_last_tile_is_the_bird_of_the_openings_too_where_these_have_birds() -> None:
    """It is the one bird of the hand, told or not: 9p falls on the dealer."""
    openings = {"openings": [{"seat": 3, "keys": ["sixi"]}]}
    win = drawn(1, hand=SMALL, moments=["haidilaoyue"])
    told = changsha({**one(win, "9p"), **openings}, opening_birds="yes")
    assert told.payments == (-14 - 4, 26 - 1, -6 - 1, -6 + 6)
    assert changsha({**one(win), **openings}, opening_birds="yes").payments == told.payments


@pytest.mark.proves("S6", "CS-12")
def test_a_tianhu_is_settled_as_a_win_and_not_as_an_opening() -> None:
    with pytest.raises(HandError) as refused:
        changsha({"openings": [{"seat": 0, "keys": ["tianhu"]}]})
    assert refused.value.code == "bad-context"
    assert changsha(one(drawn(0, hand=SMALL, moments=["tianhu"]))).payments == (21, -7, -7, -7)


# Changsha: who deals next


@pytest.mark.proves("S21")
@pytest.mark.parametrize("seat", range(4))
def test_in_changsha_the_winner_deals_next(seat: int) -> None:
    assert changsha(one(drawn(seat, big_wins=0))).next_dealer == seat


@pytest.mark.proves("S21")
def test_after_a_draw_the_taker_of_the_last_tile_deals_or_who_was_offered_it_first() -> None:
    assert changsha({"last_tile": {"offered": 2, "taker": None}}).next_dealer == 2
    assert changsha({"last_tile": {"offered": 2, "taker": 0}}).next_dealer == 0
    assert changsha({"wins": []}).next_dealer is None


# What can't be settled


@pytest.mark.parametrize(
    ("key", "hand"), [("changchun", "12223m 456p 45789s +6s"), ("changsha", "123m 11456p 67789s +5s")]
)
def test_a_hand_that_does_not_win_is_not_settled(key: str, hand: str) -> None:
    with pytest.raises(HandError) as refused:
        settle(rules.ruleset(key), one(discard(1, 0, hand=hand)))
    assert refused.value.code == "not-a-win"


@pytest.mark.parametrize(("key", "total"), [("changchun", {"fan": 3}), ("changsha", {"big_wins": 0})])
def test_a_discard_win_tells_whose_discard_it_was(key: str, total: dict[str, int]) -> None:
    with pytest.raises(HandError) as refused:
        settle(rules.ruleset(key), one({"seat": 1, "by": "discard", **total}))
    assert refused.value.code == "bad-context"


@pytest.mark.proves("CS-64", "S11")
def test_it_is_said_of_each_bird_where_it_falls_and_what_it_changes() -> None:
    settled = changsha({"wins": [discard(1, 0, big_wins=0)], "birds": ["6p", "3m"]})
    notes = [note.message.en for note in settled.bird_notes]
    assert "6 falls on the player after the dealer, the winner" in notes[0]
    assert "3 falls on the player opposite the dealer, who neither wins nor pays" in notes[1]
    assert changsha({"wins": [drawn(2, big_wins=1)]}).bird_notes == ()


def test_a_bird_is_told_once_for_all_who_win_the_same_tile() -> None:
    wins = [{"seat": seat, "from": 0, "by": "discard", "big_wins": 1} for seat in (1, 2)]
    settled = changsha({"wins": wins, "birds": ["2m", "1p"]})
    notes = [note.message.en for note in settled.bird_notes]
    assert [note.split(".")[0] for note in notes] == ["2万", "1筒"]
    assert "one of the winners" in notes[0]
    assert "pays: it counts for each payment" in notes[1]
    assert settled.payments == (-42, 28, 14, 0)


# Random scenarios


class Dice:
    """A random scenario, drawn from one seed."""

    def __init__(self, seed: int, key: str) -> None:
        self.rng = random.Random(f"{key} settlement {seed}")
        self.key = key

    def table(self) -> dict[str, str]:
        """Any answers to any questions of the game."""
        every = reference.HOUSE_RULES[self.key] | reference_settlement.HOUSE_RULES[self.key]
        return {
            option: self.rng.choice(values) for option, values in every.items() if self.rng.random() < 0.5
        }

    def win_by_hand(self, table: dict[str, str]) -> Scenario | None:
        """A winner with a hand that wins at this table, None where the deal brings none."""
        for *hand, winning, found in dealing.hands(self.key, self.rng.random(), 12):
            if winning is None:
                continue
            told = dealing.for_judge(found)
            if reference.judge(self.key, *hand, winning, options=table, waits=False, **told)["wins"]:
                return self.as_entry(dealing.notation(*hand, winning), found)
        return None

    def as_entry(self, hand: str, found: dict[str, Any]) -> Scenario:
        """A dealt winner as an entry of a scenario."""
        seat, by = found["seat"], found["by"]
        entry: Scenario = {"seat": seat, "by": by, "hand": hand}
        if by in ("discard", "robbed-gang"):
            source = found["from"]
            if source is None:
                source = 0 if "dihu" in found["moments"] else self.rng.choice(others(seat))
            entry["from"] = source
        if self.key == "changchun":
            return entry | {"listening": found["listening"], "bao": found["bao"]}
        return entry | {"moments": list(found["moments"])}

    def win_by_number(self) -> Scenario:
        """A winner with a total."""
        seat = self.rng.randrange(4)
        total = {"fan": self.rng.randint(2, 11)} if self.key == "changchun" else {"big_wins": self.big_wins()}
        if self.rng.random() < 0.5:
            return drawn(seat, **total)
        by = self.rng.choice(["discard", "discard", "robbed-gang"])
        return {"seat": seat, "from": self.rng.choice(others(seat)), "by": by, **total}

    def big_wins(self) -> int:
        """Big wins, none for half of the winners."""
        return self.rng.choice([0, 0, 0, 1, 2, 3, 5])

    def several(self) -> list[Scenario]:
        """Two or three winners on one discard, or on the two tiles of a 开杠 with two hits for some."""
        source = self.rng.randrange(4)
        winners = self.rng.sample(others(source), self.rng.choice([2, 2, 3]))
        if self.rng.random() < 0.5:
            by = self.rng.choice(["discard", "robbed-gang"])
            return [{"seat": seat, "from": source, "by": by, "big_wins": self.big_wins()} for seat in winners]
        wins = []
        for seat in winners:
            totals = [self.rng.randint(1, 4) for _ in range(self.rng.choice([1, 2]))]
            wins += hits(seat, totals, "discard", source)
        self.rng.shuffle(wins)
        return wins

    def wins(self, table: dict[str, str]) -> list[Scenario]:
        """Nobody, one winner, or what Changsha has beside."""
        chance = self.rng.random()
        if chance < 0.15:
            return []
        if chance < 0.45:
            win = self.win_by_hand(table)
            return [win] if win else []
        if self.key == "changsha" and chance < 0.65 and table.get("several-winners") != "nearest":
            return self.several()
        if self.key == "changsha" and chance < 0.75:
            return hits(self.rng.randrange(4), [self.rng.randint(1, 4) for _ in range(2)])
        return [self.win_by_number()]

    def gangs(self, wins: list[Scenario]) -> list[Scenario]:
        """Gangs of all players from the tiles that the winning hand leaves, and those inside it."""
        wall = dealing.Wall(self.rng, "changchun")
        listed = []
        for win in wins:
            if "hand" in win:
                concealed, melds, winning = reference_settlement.read_hand(win["hand"])
                wall.take([concealed + reference.tiles_of(melds) + [winning]])
                inside = [meld for meld in melds if meld[0].endswith("gang")]
                listed += [self.as_gang(win["seat"], kind, tiles) for kind, tiles in inside]
        for _ in range(self.rng.choice([0, 1, 2, 3, 5])):
            try:
                kinds = ["exposed-gang", "concealed-gang", "special-gang"]
                kind, tiles = dealing.take_meld(wall, wall.tiles, kinds)
            except dealing.NoTilesError:
                continue
            seat = self.rng.randrange(4)
            if [entry["seat"] for entry in listed].count(seat) < 4:
                listed.append(self.as_gang(seat, kind, tiles))
        return listed

    def as_gang(self, seat: int, kind: str, tiles: list[str]) -> Scenario:
        """A gang as an entry: dealt or not, on a discard or not, as its kind allows."""
        entry: Scenario = {"seat": seat, "tiles": dealing.notation([], [(kind, tiles)], None).strip()}
        chance = self.rng.random()
        if kind == "exposed-gang" and chance < 0.4:
            entry["from"] = self.rng.choice(others(seat))
        elif chance < 0.7:
            entry["dealt"] = True
        return entry

    def birds(self, table: dict[str, str]) -> list[str]:
        """As many birds as the table plays with, or fewer."""
        number = self.rng.randint(0, int(table.get("birds", "2")))
        return [self.rng.choice(reference.NUMBERED) for _ in range(number)]

    def openings(self) -> list[Scenario]:
        """Openings of some players."""
        keys = ["queyise", "sixi", "banbanhu", "liuliushun"]
        seats = self.rng.sample(range(4), self.rng.choice([0, 0, 1, 1, 2]))
        return [
            {"seat": seat, "keys": self.rng.sample(keys, self.rng.choice([1, 1, 2, 3]))} for seat in seats
        ]

    def last_tile(self) -> Scenario | None:
        """Who was offered the last tile of a draw, and who took it."""
        if self.rng.random() < 0.5:
            return None
        return {"offered": self.rng.randrange(4), "taker": self.rng.choice([None, 0, 1, 2, 3])}

    def scenario(self) -> Scenario:
        """Everything that may stand at the end of a hand."""
        table = self.table()
        found: Scenario = {"options": table, "wins": self.wins(table)}
        if self.key == "changchun":
            return found | {"gangs": self.gangs(found["wins"])}
        found |= {"openings": self.openings()}
        if found["wins"] and (birds := self.birds(table)):
            found["birds"] = birds
        if not found["wins"] and (last := self.last_tile()):
            found["last_tile"] = last
        return found


def others(seat: int) -> list[int]:
    """The other three seats."""
    return [other for other in range(4) if other != seat]


@pytest.mark.parametrize("key", ["changchun", "changsha"])
@given(SEEDS)
@settings(max_examples=250, deadline=None)
def test_a_random_hand_is_settled_as_the_reference_settles_it(key: str, seed: int) -> None:
    scenario = Dice(seed, key).scenario()
    settled = settle(rules.ruleset(key), scenario)
    said = reference_settlement.settle(key, scenario)
    assert list(settled.payments) == said["payments"]
    assert settled.next_dealer == said["next_dealer"]
    assert added_up(map(as_tuple, settled.lines)) == added_up(said["lines"])


def as_tuple(line: Any) -> tuple[int, int, int, str]:
    """A line of the engine as the reference writes it."""
    return line.payer, line.receiver, line.points, line.purpose


def added_up(lines: Any) -> dict[tuple[int, int, str], int]:
    """What each owes each for each purpose."""
    owed: Counter[tuple[int, int, str]] = Counter()
    for payer, receiver, points, purpose in lines:
        owed[payer, receiver, purpose] += points
    return {key: points for key, points in owed.items() if points}


@pytest.mark.parametrize("key", ["changchun", "changsha"])
@given(SEEDS)
@settings(max_examples=150, deadline=None)
def test_nothing_is_lost_between_the_lines_and_the_players(key: str, seed: int) -> None:
    settled = settle(rules.ruleset(key), Dice(seed, key).scenario())
    assert sum(settled.payments) == 0
    change = [0, 0, 0, 0]
    for line in settled.lines:
        assert line.payer != line.receiver
        assert line.points > 0
        change[line.payer] -= line.points
        change[line.receiver] += line.points
    assert tuple(change) == tuple(settled.payments)
