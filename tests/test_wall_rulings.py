"""What each region says of its wall: dealer, dice, deal, replacements, bao, birds and the last tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.house import House
from rules.regions.changchun.house import FIRST_TAKER, RESERVE
from rules.regions.changchun.wall import WallRulings as Changchun
from rules.regions.changsha.house import BIRD_ORIGIN, BIRDS
from rules.regions.changsha.wall import Opened
from rules.regions.changsha.wall import WallRulings as Changsha
from rules.table import Outcome, Reason
from rules.tiles import TILES, tiles
from rules.wall import Break, Place, Wall
from tests.test_wall import DICE, after
from tests.test_words import complaint

CC, CS = Changchun(), Changsha()
CC_WALL = CC.deal(Wall.numbered(68), 0).value.wall
CS_WALL = CS.deal(Wall.numbered(54)).value.wall
FALSE_TRUE = (False, True)


def changchun(**house: str) -> Changchun:
    return Changchun(House({key.replace("_", "-"): value for key, value in house.items()}))


def changsha(**house: str) -> Changsha:
    return Changsha(House({key.replace("_", "-"): value for key, value in house.items()}))


def said(outcome: Outcome[Any]) -> str:
    """Everything an outcome says in English."""
    return " ".join(reason.message.en for reason in outcome.reasons)


def cited(outcome: Outcome[Any]) -> set[str]:
    return {source for reason in outcome.reasons for source in reason.cites}


# Changchun: players, tiles, dice


@pytest.mark.proves("CC-2")
def test_four_players_are_needed_neither_more_nor_fewer() -> None:
    assert [n for n in range(8) if CC.can_play(n).value] == [4]


@pytest.mark.proves("CC-4")
def test_changchun_is_played_with_136_tiles_four_of_each_suited_tile_wind_and_dragon() -> None:
    count = Counter(CC.tiles().value)
    assert count.total() == 136
    assert count == dict.fromkeys(TILES, 4)


@pytest.mark.proves("CC-5")
def test_each_changchun_player_builds_17_stacks_which_hold_all_the_tiles() -> None:
    assert [CC.stacks(seat).value for seat in range(4)] == [17] * 4
    assert len(Wall.of(CC.tiles().value).stacks) == 4 * 17


@pytest.mark.proves("CC-6", "R27")
def test_each_throw_is_of_two_dice_for_the_break_and_for_the_bao() -> None:
    assert {CC.throw(dice).value for dice in DICE} == set(range(2, 13))
    assert {CC.wall_break((1, 1), dice).value.stacks_kept for dice in DICE} == set(range(2, 13))
    assert {CC.bao_place(CC_WALL, dice).value for dice in DICE} == {Place(68 - n, True) for n in range(2, 13)}


# Changchun: the dealer


@pytest.mark.proves("CC-7")
def test_chance_picks_the_first_dealer_and_may_pick_anyone() -> None:
    assert [CC.first_dealer(number).value for number in range(4)] == [0, 1, 2, 3]


@pytest.mark.proves("CC-11")
def test_a_player_who_leaves_starts_a_fresh_game_whose_dealer_is_chosen_anew() -> None:
    assert [CC.fresh_game(number).value for number in range(4)] == [0, 1, 2, 3]
    assert cited(CC.fresh_game(2)) == {"CC-11"}


@pytest.mark.proves("CC-8")
def test_a_winning_dealer_stays() -> None:
    assert CC.next_dealer((0,)).value == 0


@pytest.mark.proves("CC-9")
def test_whoever_else_wins_the_player_after_the_dealer_deals_next() -> None:
    assert [CC.next_dealer((winner,)).value for winner in (1, 2, 3)] == [1, 1, 1]


@pytest.mark.proves("CC-10", "CC-83")
def test_after_a_drawn_hand_the_changchun_dealer_stays() -> None:
    assert CC.next_dealer(()).value == 0


# Changchun: break and deal


@pytest.mark.proves("CC-12", "R27", "first-taker=counted")
def test_the_first_throw_counted_from_the_dealer_names_who_takes_first() -> None:
    taker = {sum(dice): CC.first_taker(dice).value for dice in DICE}
    assert taker == {2: 1, 3: 2, 4: 3, 5: 0, 6: 1, 7: 2, 8: 3, 9: 0, 10: 1, 11: 2, 12: 3}
    assert all(CC.wall_break(dice, (1, 1)).value.seat == CC.first_taker(dice).value for dice in DICE)


@pytest.mark.proves("R27", "first-taker=dealer")
def test_where_the_house_says_so_the_dealer_takes_first_whoever_wall_is_broken() -> None:
    house = changchun(first_taker="dealer")
    assert {house.first_taker(dice).value for dice in DICE} == {0}
    assert house.wall_break((1, 1), (2, 3)).value == Break(seat=1, stacks_kept=5)


@pytest.mark.proves("CC-12", "CC-13", "R27")
def test_the_player_counted_out_keeps_as_many_stacks_at_the_right_end_as_the_second_throw_says() -> None:
    for first, second in product(DICE, DICE):
        place = CC.wall_break(first, second).value
        assert place == Break((sum(first) - 1) % 4, sum(second))
        order = place.order((17, 17, 17, 17))
        assert order[:2] == ((place.seat, sum(second) + 1), (place.seat, sum(second) + 2))
        assert order[-1] == (place.seat, sum(second))


@pytest.mark.proves("CC-14")
@pytest.mark.parametrize("first", range(4))
def test_the_changchun_dealer_has_14_tiles_the_others_13_and_the_dealer_acts_first(first: int) -> None:
    deal = CC.deal(Wall.numbered(68), first).value
    assert [len(hand) for hand in deal.hands] == [14, 13, 13, 13]
    assert 0 in deal.hands[first]
    assert 52 in deal.hands[0]
    assert len(deal.wall) == 83
    assert CC.first_to_act().value == 0


# Changchun: replacement tiles


@pytest.mark.proves("CC-18", "R2")
def test_a_gang_the_four_winds_and_each_added_tile_draw_one_replacement() -> None:
    assert [CC.replacements(gang).value for gang in ("gang", "xuanfenggang", "added")] == [1, 1, 1]


@pytest.mark.proves("R2")
def test_a_special_gang_of_three_tiles_draws_no_replacement_when_it_is_shown() -> None:
    assert [CC.replacements(gang).value for gang in ("xigang", "yaodan", "jiudan")] == [0, 0, 0]


@pytest.mark.proves("R2")
@pytest.mark.parametrize(
    ("gang", "size"), [("gang", 4), ("xuanfenggang", 4), ("xigang", 3), ("yaodan", 3), ("jiudan", 3)]
)
def test_after_its_replacements_a_hand_is_as_long_as_one_with_any_other_set(gang: str, size: int) -> None:
    assert 14 - size + CC.replacements(gang).value == 14 - 3
    assert 11 - 1 + CC.replacements("added").value == 11


@pytest.mark.proves("CC-18", "CC-26")
def test_changchun_replacements_come_from_the_last_stack_upper_then_lower() -> None:
    first = CC.replacement(CC_WALL).value
    second = CC.replacement(first.wall).value
    assert (first.tile, second.tile, CC.replacement(second.wall).value.tile) == (134, 135, 132)
    assert second.wall.head == CC_WALL.head


@pytest.mark.proves("R21")
def test_a_gang_near_the_end_still_draws_its_replacement() -> None:
    wall = after(CC_WALL, draws=69)
    assert CC.draws_left(wall, 0).value == 0
    assert CC.replacement(wall).value.tile == 134
    assert CC.draws_left(CC.replacement(wall).value.wall, 1).value == 0


# Changchun: the bao


@pytest.mark.proves("CC-50", "CC-51", "R23")
@pytest.mark.parametrize(("dice", "tile"), [((1, 1), 132), ((3, 5), 120), ((6, 6), 112)])
def test_the_bao_is_the_upper_tile_of_the_stack_the_dice_count_from_the_tail(
    dice: tuple[int, int], tile: int
) -> None:
    place = CC.bao_place(CC_WALL, dice).value
    assert place is not None
    assert place.upper
    assert CC_WALL.at(place) == tile


@pytest.mark.proves("CC-82", "R23")
def test_an_odd_tile_at_the_tail_is_not_counted_towards_the_bao() -> None:
    odd = after(CC_WALL, replacements=1)
    assert CC.bao_place(odd, (3, 5)).value == Place(67 - 8, upper=True)
    assert CC.bao_place(after(odd, replacements=1), (3, 5)).value == Place(67 - 8, upper=True)


@pytest.mark.proves("R23")
def test_the_bao_is_the_lower_tile_where_the_upper_one_is_gone() -> None:
    wall = after(Wall.numbered(8), draws=1)
    place = CC.bao_place(wall, (3, 5)).value
    assert place == Place(0, upper=False)
    assert wall.at(place) == 1


@pytest.mark.proves("R23")
def test_too_few_stacks_for_the_dice_mean_another_throw() -> None:
    assert CC.bao_place(Wall.numbered(8), (4, 5)).value is None
    assert CC.bao_place(after(Wall.numbered(9), replacements=1), (4, 5)).value is None
    assert CC.bao_place(Wall.numbered(9), (4, 5)).value == Place(0, upper=True)


@pytest.mark.proves("R23")
def test_the_bao_stays_in_the_wall_and_is_drawn_in_its_turn() -> None:
    place = CC.bao_place(CC_WALL, (6, 6)).value
    assert place is not None
    assert len(CC_WALL) == 83
    wall = after(CC_WALL, draws=112 - 53)
    assert wall.head == place
    assert wall.draw().tile == CC_WALL.at(place) == 112


@pytest.mark.proves("CC-48", "CC-51", "CC-53")
def test_the_first_listener_and_later_ones_see_the_bao_and_nobody_else_does() -> None:
    assert [CC.may_see_bao(seat, (2, 0)).value for seat in range(4)] == [True, False, True, False]
    assert "CC-51" in cited(CC.may_see_bao(2, (2, 0)))
    assert "turns the bao over" in said(CC.may_see_bao(2, (2, 0)))
    assert "CC-53" in cited(CC.may_see_bao(0, (2, 0)))
    assert not any(CC.may_see_bao(seat, ()).value for seat in range(4))


@pytest.mark.proves("CC-54", "R23")
def test_three_discarded_copies_bring_a_new_bao_claimed_ones_and_earlier_ones_included() -> None:
    changing = {
        copies for copies in product(range(5), repeat=4) if sum(copies) <= 4 and CC.bao_changes(*copies).value
    }
    assert changing == {
        copies for copies in product(range(5), repeat=4) if sum(copies) <= 4 and sum(copies[:3]) >= 3
    }
    assert (0, 3, 0, 0) in changing
    assert (0, 0, 3, 0) in changing
    assert (1, 1, 1, 0) in changing


@pytest.mark.proves("R23")
def test_a_copy_of_the_bao_shown_from_a_hand_does_not_count() -> None:
    assert not CC.bao_changes(2, shown=1).value
    assert not CC.bao_changes(0, shown=4).value
    assert CC.bao_changes(3, shown=1).value


@pytest.mark.proves("CC-54", "R23")
def test_the_first_listener_throws_for_a_new_bao_and_the_others_look_in_turn_order_after_that() -> None:
    assert CC.bao_looks((2, 1, 3)).value == (2, 3, 1)
    assert CC.bao_looks((1, 0, 3, 2)).value == (1, 2, 3, 0)
    assert CC.bao_looks((3,)).value == (3,)


# Changchun: where drawing ends


@pytest.mark.proves("CC-80", "CC-81", "R21", "reserve=grows")
def test_seven_stacks_stay_with_no_gang_or_one_and_one_more_for_each_further_gang() -> None:
    assert [CC.reserve(gangs).value for gangs in range(7)] == [7, 7, 8, 9, 10, 11, 12]


@pytest.mark.proves("R21", "reserve=grows")
def test_special_gangs_and_tiles_added_to_them_count_as_gangs() -> None:
    assert CC.reserve(0, special=2).value == 8
    assert CC.reserve(1, special=1, added=2).value == 10
    assert CC.reserve(0, special=1, added=1).value == CC.reserve(2).value


@pytest.mark.proves("R21", "reserve=seven")
def test_where_the_house_says_so_seven_stacks_stay_however_many_gangs() -> None:
    house = changchun(reserve="seven")
    assert [house.reserve(gangs, special=gangs).value for gangs in range(5)] == [7] * 5
    left = [house.draws_left(after(CC_WALL, replacements=n), n).value for n in range(5)]
    assert left == [69, 67, 67, 65, 65]


@pytest.mark.proves("R21", "reserve=none")
def test_where_the_house_says_so_the_wall_is_played_out() -> None:
    house = changchun(reserve="none")
    assert [house.reserve(gangs).value for gangs in range(5)] == [0] * 5
    left = [house.draws_left(after(CC_WALL, replacements=n), n).value for n in range(5)]
    assert left == [83, 82, 81, 80, 79]


@pytest.mark.proves("CC-80", "CC-81", "CC-82", "R21", "reserve=grows")
@pytest.mark.parametrize(("gangs", "draws"), [(0, 69), (1, 67), (2, 65), (3, 61), (4, 59)])
def test_after_the_deal_so_many_tiles_are_drawn_by_turn(gangs: int, draws: int) -> None:
    wall = after(CC_WALL, replacements=gangs)
    drawn = 0
    while not CC.is_exhausted(wall, gangs).value:
        wall, drawn = wall.draw().wall, drawn + 1
    assert drawn == draws
    assert len(wall) == 2 * CC.reserve(gangs).value + gangs % 2


@pytest.mark.proves("CC-82", "R21")
def test_the_odd_tile_at_the_tail_stays_beside_the_stacks_that_are_left() -> None:
    wall = after(CC_WALL, replacements=1, draws=67)
    assert CC.draws_left(wall, 1).value == 0
    assert len(wall) == 15


@pytest.mark.proves("CC-83")
def test_the_hand_is_drawn_when_nothing_is_left_to_draw() -> None:
    assert not CC.is_exhausted(after(CC_WALL, draws=68), 0).value
    assert CC.is_exhausted(after(CC_WALL, draws=69), 0).value
    assert CC.is_exhausted(after(CC_WALL, draws=68), 2).value


@given(
    st.lists(st.sampled_from(["draw", "gang", "xigang", "added"]), max_size=90),
    st.sampled_from(["grows", "seven", "none"]),
)
def test_draws_replacements_and_what_stays_are_the_whole_wall(moves: list[str], reserve: str) -> None:
    house, wall, gangs, special, added, taken = changchun(reserve=reserve), CC_WALL, 0, 0, 0, 0
    for move in [*moves, *["draw"] * 83]:
        if house.is_exhausted(wall, gangs, special, added).value:
            break
        if move == "draw":
            wall, taken = wall.draw().wall, taken + 1
            continue
        for _ in range(house.replacements(move).value):
            wall, taken = house.replacement(wall).value.wall, taken + 1
        gangs, special, added = (
            gangs + (move == "gang"),
            special + (move == "xigang"),
            added + (move == "added"),
        )
    assert taken + len(wall) == 83
    assert len(wall) <= 2 * house.reserve(gangs, special, added).value + wall.has_odd_tail


# Changsha: tiles, dealer, deal


@pytest.mark.proves("CS-1", "CS-2")
def test_changsha_is_played_with_108_tiles_and_no_honors() -> None:
    count = Counter(CS.tiles().value)
    assert count.total() == 108
    assert count == {t: 4 for t in TILES if t.suit}
    assert not count.keys() & set(tiles("E S W N C F P"))


@pytest.mark.proves("S21")
def test_dealer_and_opposite_build_14_stacks_the_other_two_13() -> None:
    assert [CS.stacks(seat).value for seat in range(4)] == [14, 13, 14, 13]
    assert len(Wall.of(CS.tiles().value).stacks) == 54


@pytest.mark.proves("S21")
def test_the_first_changsha_dealer_is_counted_out_by_dice_from_whoever_throws() -> None:
    counted = {sum(dice): CS.first_dealer(dice).value for dice in DICE}
    assert [counted[total] for total in range(2, 13)] == [1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]


@pytest.mark.proves("S21", "R27")
def test_the_changsha_wall_is_broken_by_two_throws_and_the_dealer_takes_first() -> None:
    for first, second in product(DICE, DICE):
        place = CS.wall_break(first, second).value
        assert place == Break((sum(first) - 1) % 4, sum(second))
        assert place.order((14, 13, 14, 13))[-1] == (place.seat, sum(second))
    assert {CS.first_taker(dice).value for dice in DICE} == {0}


@pytest.mark.proves("S21")
def test_the_changsha_dealer_has_14_tiles_and_the_others_13() -> None:
    deal = CS.deal(Wall.numbered(54)).value
    assert [len(hand) for hand in deal.hands] == [14, 13, 13, 13]
    assert deal.hands[0][:4] == (0, 1, 2, 3)
    assert deal.hands[0][-1] == 52
    assert len(deal.wall) == 55


@pytest.mark.proves("S21")
def test_the_winner_deals_next_and_after_several_winners_the_discarder() -> None:
    assert [CS.next_dealer((winner,)).value for winner in range(4)] == [0, 1, 2, 3]
    assert CS.next_dealer((3,), discarder=1).value == 3
    assert CS.next_dealer((0, 3), discarder=1).value == 1
    assert CS.next_dealer((1, 2, 3), discarder=0).value == 0


@pytest.mark.proves("S21")
def test_after_a_draw_the_taker_of_the_last_tile_deals_else_who_was_offered_it_first() -> None:
    assert CS.next_dealer((), taker=3, first_offered=2).value == 3
    assert CS.next_dealer((), first_offered=2).value == 2
    assert CS.next_dealer(()).value is None
    assert CS.next_dealer((1,), taker=3, first_offered=2).value == 1


@pytest.mark.proves("S21")
@pytest.mark.parametrize(
    "outcome",
    [
        CS.stacks(0),
        CS.first_dealer((1, 2)),
        CS.first_taker((1, 2)),
        CS.wall_break((1, 2), (3, 4)),
        CS.deal(Wall.numbered(54)),
        CS.next_dealer((1,)),
        CS.next_dealer((1, 2), discarder=3),
        CS.next_dealer((), taker=1),
        CS.next_dealer((), first_offered=1),
    ],
)
def test_what_is_not_in_the_changsha_text_is_said_to_be_so(outcome: Outcome[Any]) -> None:
    assert "not in the text" in said(outcome)
    assert any("原文没写" in reason.message.zh for reason in outcome.reasons)
    assert cited(outcome) == set()


# Changsha: 补 and 开杠


@pytest.mark.proves("CS-71")
def test_changsha_replacements_come_one_at_a_time_from_the_last_stack_upper_then_lower() -> None:
    wall, taken = CS_WALL, []
    for _ in range(3):
        drawn = CS.replacement(wall).value
        assert drawn is not None
        assert len(drawn.wall) == len(wall) - 1
        wall = drawn.wall
        taken.append(drawn.tile)
    assert taken == [106, 107, 104]


@pytest.mark.proves("CS-72", "S15")
def test_the_last_tile_is_no_replacement() -> None:
    assert CS.replacement(after(Wall.numbered(2), draws=3)).value is None
    drawn = CS.replacement(after(Wall.numbered(2), draws=2)).value
    assert drawn is not None
    assert drawn.tile == 2


@pytest.mark.proves("CS-30", "CS-77", "S13")
@pytest.mark.parametrize(("dice", "opened"), [((1, 1), (104, 105)), ((3, 5), (92, 93)), ((6, 6), (84, 85))])
def test_an_opened_gang_turns_over_the_whole_stack_the_dice_count_from_the_tail(
    dice: tuple[int, int], opened: tuple[int, int]
) -> None:
    value = CS.opened(CS_WALL, dice).value
    assert value.stack == sum(dice)
    assert value.tiles == opened
    assert set(value.wall.next_tiles(55)) == set(range(53, 108)) - set(opened)


@pytest.mark.proves("CS-31", "CS-85", "S13", "S15")
def test_of_a_stack_without_its_upper_tile_the_lower_alone_is_turned_over() -> None:
    head = after(Wall.numbered(6), draws=1)
    assert CS.opened(head, (2, 4)).value.tiles == (1,)
    tail = after(Wall.numbered(2), replacements=1)
    assert CS.opened(tail, (1, 3)).value[:2] == (1, (3,))


@pytest.mark.proves("S15")
def test_half_stacks_count_as_stacks_and_emptied_ones_do_not() -> None:
    half = after(Wall.numbered(6), replacements=1)
    assert CS.opened(half, (1, 1)).value.tiles == (8, 9)
    emptied = CS.opened(Wall.numbered(6), (1, 1)).value.wall
    assert CS.opened(emptied, (1, 1)).value.tiles == (6, 7)
    assert CS.opened(emptied, (2, 3)).value.tiles == (0, 1)
    assert CS.opened(emptied, (2, 4)).value.tiles == (6, 7)


@pytest.mark.proves("CS-83", "S15")
def test_beyond_the_wall_the_smaller_die_is_counted() -> None:
    assert CS.opened(Wall.numbered(5), (4, 2)).value[:2] == (2, (6, 7))
    assert CS.opened(Wall.numbered(6), (4, 2)).value[:2] == (6, (0, 1))
    assert CS.opened(Wall.numbered(5), (5, 5)).value[:2] == (5, (0, 1))


@pytest.mark.proves("CS-84", "S15")
def test_where_even_the_smaller_die_is_too_many_no_tile_is_taken() -> None:
    wall = Wall.numbered(2)
    assert CS.opened(wall, (3, 6)).value == Opened(0, (), wall)
    assert CS.opened(wall, (2, 6)).value.stack == 2


@pytest.mark.proves("CS-86", "S15")
def test_on_the_last_stack_no_gang_is_opened() -> None:
    assert CS.may_open(Wall.numbered(2)).value
    assert CS.may_open(after(Wall.numbered(2), draws=1, replacements=1)).value
    for wall in (Wall.numbered(1), after(Wall.numbered(2), draws=2), after(Wall.numbered(2), draws=3)):
        assert not CS.may_open(wall).value
        with pytest.raises(ValueError, match="second stack"):
            CS.opened(wall, (1, 1))


@given(st.lists(st.sampled_from(["draw", "bu", *DICE]), max_size=80))
def test_every_changsha_tile_is_drawn_replaced_or_opened_once_at_most(moves: list[Any]) -> None:
    wall, taken = CS_WALL, []
    for move in moves:
        if len(wall) < 2:
            break
        if move == "draw":
            tile, wall = wall.draw()
            taken.append(tile)
        elif move == "bu":
            drawn = CS.replacement(wall).value
            assert drawn is not None
            taken.append(drawn.tile)
            wall = drawn.wall
        elif CS.may_open(wall).value:
            _, opened, wall = CS.opened(wall, move).value
            taken += opened
    assert Counter(taken) + Counter(wall.next_tiles(55)) == Counter(range(53, 108))


# Changsha: the last tile


@pytest.mark.proves("CS-21")
def test_the_last_tile_of_the_wall_is_haidi() -> None:
    assert [CS.is_last_tile(after(Wall.numbered(2), draws=n)).value for n in range(5)] == [
        False,
        False,
        False,
        True,
        False,
    ]


@pytest.mark.proves("CS-23", "CS-73", "S18")
def test_the_last_tile_is_offered_in_turn_order_from_the_next_to_draw() -> None:
    assert [CS.last_tile_offer(2, declined).value for declined in range(5)] == [2, 3, 0, 1, None]


@pytest.mark.proves("CS-23", "CS-73", "S18")
def test_the_first_to_say_yes_takes_the_last_tile() -> None:
    assert CS.last_tile_taker(3, (True,)).value == 3
    assert CS.last_tile_taker(3, (False, True)).value == 0
    assert CS.last_tile_taker(3, (False, False, False, True)).value == 2


@pytest.mark.proves("S18")
def test_where_all_four_decline_the_last_tile_the_hand_is_drawn() -> None:
    assert CS.last_tile_taker(3, (False,) * 4).value is None


@pytest.mark.proves("S18")
def test_a_discarded_last_tile_can_be_won_on_and_nothing_else() -> None:
    claims = ("chi", "peng", "gang", "hu")
    assert [c for c in claims if CS.may_claim_last_tile(c).value] == ["hu"]


# Changsha: birds


@pytest.mark.proves("CS-63", "S11", "birds=2", "birds=1", "birds=4", "birds=6", "birds=0")
def test_the_tiles_drawn_next_after_the_win_are_the_birds_two_unless_the_house_says_otherwise() -> None:
    wall = after(CS_WALL, draws=4, replacements=1)
    assert CS.bird_tiles(wall).value == (57, 58)
    for birds in (0, 1, 2, 4, 6):
        assert changsha(birds=str(birds)).bird_tiles(wall).value == tuple(range(57, 57 + birds))


@pytest.mark.proves("S11", "birds=2", "birds=6")
def test_a_short_wall_has_fewer_birds_and_an_empty_one_none() -> None:
    one, none = after(Wall.numbered(4), draws=7), after(Wall.numbered(4), draws=8)
    assert (CS.bird_tiles(one).value, CS.bird_tiles(none).value) == ((7,), ())
    assert changsha(birds="6").bird_tiles(after(Wall.numbered(4), draws=4)).value == (4, 5, 6, 7)


@pytest.mark.proves("CS-64", "S11", "bird-origin=dealer")
def test_a_bird_falls_on_the_seat_its_number_counts_out_from_the_dealer() -> None:
    for winner in range(4):
        assert [CS.bird_seat(n, winner).value for n in range(1, 10)] == [0, 1, 2, 3, 0, 1, 2, 3, 0]


@pytest.mark.proves("S11", "bird-origin=winner")
def test_where_the_house_says_so_birds_are_counted_from_the_winner() -> None:
    house = changsha(bird_origin="winner")
    assert [house.bird_seat(n, 2).value for n in range(1, 10)] == [2, 3, 0, 1, 2, 3, 0, 1, 2]
    assert all(house.bird_seat(n, winner).value == winner for n in (1, 5, 9) for winner in range(4))


@pytest.mark.proves("CS-68", "S12", "birds=2", "birds=1", "birds=4", "birds=6")
def test_after_a_win_on_the_last_tile_that_tile_is_the_one_bird() -> None:
    for birds in ("1", "2", "4", "6"):
        assert changsha(birds=birds).last_tile_bird("5s").value == ("5s",)


@pytest.mark.proves("S12", "birds=0")
def test_where_no_birds_are_played_the_last_tile_is_none_either() -> None:
    assert changsha(birds="0").last_tile_bird("5s").value == ()


# Words and wrong arguments

CC_HOUSES = [CC, changchun(first_taker="dealer"), changchun(reserve="seven"), changchun(reserve="none")]
CS_HOUSES = [CS, *(changsha(birds=birds) for birds in "0146"), changsha(bird_origin="winner")]
FIVE = Wall.numbered(5)
CC_ASKED: dict[str, list[tuple[Any, ...]]] = {
    "can_play": [(3,), (4,)],
    "tiles": [()],
    "stacks": [(0,), (3,)],
    "throw": [((3, 5),)],
    "first_dealer": [(0,), (3,)],
    "fresh_game": [(0,), (3,)],
    "next_dealer": [((),), ((0,),), ((2,),)],
    "first_taker": [((1, 4),), ((3, 5),)],
    "wall_break": [((1, 4), (3, 5))],
    "deal": [(Wall.numbered(68), 0), (Wall.numbered(68), 2)],
    "first_to_act": [()],
    "replacements": [(gang,) for gang in ("gang", "xuanfenggang", "xigang", "yaodan", "jiudan", "added")],
    "replacement": [(CC_WALL,), (after(CC_WALL, replacements=1),)],
    "bao_place": [
        (CC_WALL, (3, 5)),
        (after(FIVE, replacements=1), (1, 1)),
        (FIVE, (3, 5)),
        (after(FIVE, draws=1), (1, 4)),
    ],
    "may_see_bao": [(0, ()), (0, (0, 1)), (1, (0, 1))],
    "bao_changes": [(0,), (2, 0, 0, 1), (1, 1, 1, 1)],
    "bao_looks": [((2, 1),)],
    "reserve": [(0,), (1,), (3,), (1, 1, 2)],
    "draws_left": [(CC_WALL, 0), (after(CC_WALL, replacements=1), 1)],
    "is_exhausted": [(CC_WALL, 0), (after(CC_WALL, replacements=1), 1), (FIVE, 0)],
}
CS_ASKED: dict[str, list[tuple[Any, ...]]] = {
    "tiles": [()],
    "stacks": [(0,), (3,)],
    "first_dealer": [((1, 4),), ((1, 1),)],
    "next_dealer": [((),), ((2,),), ((2, 3), 1), ((), None, 1), ((), None, None, 1)],
    "first_taker": [((1, 4),)],
    "wall_break": [((1, 4), (3, 5))],
    "deal": [(Wall.numbered(54),), (Wall.numbered(54), 2)],
    "replacement": [(FIVE,), (after(FIVE, replacements=1),), (after(FIVE, draws=9),)],
    "may_open": [(FIVE,), (after(FIVE, draws=8),), (after(FIVE, draws=10),)],
    "opened": [(FIVE, (1, 1)), (FIVE, (1, 5)), (after(FIVE, draws=1), (1, 4)), (Wall.numbered(2), (3, 4))],
    "is_last_tile": [(FIVE,), (after(FIVE, draws=9),)],
    "last_tile_offer": [(2, declined) for declined in range(5)],
    "last_tile_taker": [(2, (True,)), (2, (False, True)), (2, (False,) * 4)],
    "may_claim_last_tile": [("hu",), ("peng",)],
    "bird_tiles": [(FIVE,), (after(FIVE, draws=9),), (after(FIVE, draws=10),)],
    "last_tile_bird": [(9,)],
    "bird_seat": [(5, 2), (8, 1)],
}
EVERYTHING = [
    pytest.param(house, method, args, id=f"{type(house).__module__.split('.')[2]}-{method}")
    for houses, asked in ((CC_HOUSES, CC_ASKED), (CS_HOUSES, CS_ASKED))
    for house in houses
    for method, several in asked.items()
    for args in several
]


@pytest.mark.parametrize(("house", "asked"), [(CC, CC_ASKED), (CS, CS_ASKED)])
def test_every_ruling_of_the_wall_is_asked_here(house: Any, asked: dict[str, Any]) -> None:
    assert {ruling.method for ruling in house.rulings} == asked.keys()
    assert len({ruling.key for ruling in house.rulings}) == len(house.rulings)
    for ruling in house.rulings:
        assert complaint(ruling.name) is None
        assert complaint(ruling.meaning, sentence=True) is None
        assert ruling.cites or ruling.readings


@pytest.mark.parametrize(("house", "method", "args"), EVERYTHING)
def test_an_outcome_gives_whole_sentences_and_cites_what_its_ruling_carries(
    house: Any, method: str, args: tuple[Any, ...]
) -> None:
    outcome = getattr(house, method)(*args)
    carried = {ruling.method: ruling for ruling in house.rulings}[method].cites
    assert outcome.reasons
    assert all(isinstance(reason, Reason) for reason in outcome.reasons)
    assert [complaint(reason.message, sentence=True) for reason in outcome.reasons] == [None] * len(
        outcome.reasons
    )
    assert cited(outcome) <= set(carried)


@pytest.mark.parametrize(
    ("house", "option"),
    [(CC, FIRST_TAKER), (CC, RESERVE), (CS, BIRDS), (CS, BIRD_ORIGIN)],
    ids=lambda value: getattr(value, "key", ""),
)
def test_every_option_of_the_wall_is_carried_by_a_ruling(house: Any, option: Any) -> None:
    assert any(option in ruling.options for ruling in house.rulings)


WRONG: list[Callable[[], object]] = [
    lambda: CC.stacks(4),
    lambda: CC.throw((0, 1)),
    lambda: CC.first_dealer(4),
    lambda: CC.fresh_game(-1),
    lambda: CC.next_dealer((1, 2)),
    lambda: CC.next_dealer((4,)),
    lambda: CC.first_taker((7, 1)),
    lambda: changchun(first_taker="dealer").first_taker((7, 1)),
    lambda: CC.deal(Wall.numbered(54), 0),
    lambda: CC.deal(Wall.numbered(68), 4),
    lambda: CC.replacements("none"),
    lambda: CC.replacement(after(FIVE, draws=10)),
    lambda: CC.may_see_bao(0, (1, 1)),
    lambda: CC.may_see_bao(5, ()),
    lambda: CC.bao_changes(-1),
    lambda: CC.bao_changes(3, 2),
    lambda: CC.bao_looks(()),
    lambda: CC.reserve(-1),
    lambda: CS.stacks(-1),
    lambda: CS.next_dealer((1, 2)),
    lambda: CS.next_dealer((1, 2), discarder=2),
    lambda: CS.next_dealer((), taker=4),
    lambda: CS.first_taker((0, 0)),
    lambda: CS.deal(Wall.numbered(68)),
    lambda: CS.replacement(after(FIVE, draws=10)),
    lambda: CS.last_tile_offer(0, 5),
    lambda: CS.last_tile_taker(0, (True, False)),
    lambda: CS.last_tile_taker(0, (False, False)),
    lambda: CS.last_tile_taker(0, ()),
    lambda: CS.may_claim_last_tile("win"),
    lambda: CS.bird_seat(0, 0),
    lambda: CS.bird_seat(5, 4),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_arguments_that_can_not_be_are_refused_by_name(wrong: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        wrong()
