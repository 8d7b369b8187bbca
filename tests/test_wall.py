"""The wall as a value: from the head by turn, from the tail after a gang, and where the dice break it."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.tiles import TILES
from rules.wall import Break, Place, Stack, Taking, Wall, broken, dealt, dice_sum, seat_counted, takings

DICE = list(product(range(1, 7), repeat=2))
MOVES = st.lists(st.sampled_from(["draw", "replace", "open"]), max_size=60)


def after(wall: Wall[int], *, draws: int = 0, replacements: int = 0) -> Wall[int]:
    """The wall after so many draws from the head and replacements from the tail."""
    for _ in range(draws):
        wall = wall.draw().wall
    for _ in range(replacements):
        wall = wall.replace().wall
    return wall


# Taking tiles


def test_a_wall_holds_any_tiles_in_drawing_order() -> None:
    wall = Wall.of(TILES)
    assert wall.next_tiles(34) == TILES
    assert wall.stacks[0] == Stack(*TILES[:2])
    assert Wall.numbered(2) == Wall.of([0, 1, 2, 3])


def test_a_wall_is_drawn_from_its_head_the_upper_tile_before_the_lower() -> None:
    wall = Wall.numbered(3)
    first = wall.draw()
    second = first.wall.draw()
    assert (first.tile, second.tile, second.wall.draw().tile) == (0, 1, 2)
    assert (wall.head, first.wall.head, second.wall.head) == (Place(0, True), Place(0, False), Place(1, True))


def test_a_replacement_comes_from_the_tail_the_upper_tile_of_the_last_stack_before_the_lower() -> None:
    wall = Wall.numbered(3)
    first = wall.replace()
    second = first.wall.replace()
    assert (first.tile, second.tile, second.wall.replace().tile) == (4, 5, 2)
    assert (wall.tail, first.wall.tail, second.wall.tail) == (Place(2, True), Place(2, False), Place(1, True))


def test_taking_a_tile_leaves_the_old_wall_as_it_was() -> None:
    wall = Wall.numbered(2)
    wall.draw()
    wall.replace()
    assert wall == Wall.numbered(2)


@given(st.integers(1, 20), MOVES)
def test_every_tile_is_taken_exactly_once_and_the_rest_is_still_there(stacks: int, moves: list[str]) -> None:
    wall, taken = Wall.numbered(stacks), []
    for move in moves:
        if not len(wall):
            break
        if move == "open":
            standing = wall.from_tail()
            place = wall.top(standing[len(standing) // 2])
            assert wall.at(place) in wall.next_tiles(2 * stacks)
            drawn = wall.take(place)
        else:
            drawn = wall.draw() if move == "draw" else wall.replace()
        assert len(drawn.wall) == len(wall) - 1
        taken.append(drawn.tile)
        wall = drawn.wall
    assert Counter(taken) + Counter(wall.next_tiles(2 * stacks)) == Counter(range(2 * stacks))
    assert all(stack.upper is None or stack.lower is not None for stack in wall.stacks)
    assert 2 * wall.count.whole + wall.count.half == len(wall)
    assert sum(wall.count) == len(wall.from_tail())


@given(st.integers(1, 20), st.integers(0, 39), st.integers(0, 39))
def test_a_tile_put_back_lies_where_it_lay(stacks: int, draws: int, number: int) -> None:
    wall = after(Wall.numbered(stacks), draws=draws % (2 * stacks))
    standing = wall.from_tail()
    place = wall.top(standing[number % len(standing)])
    drawn = wall.take(place)
    assert drawn.wall.put_back(place, drawn.tile) == wall


# Stacks


def test_stacks_are_counted_from_the_tail_and_emptied_ones_are_passed_over() -> None:
    wall = Wall.numbered(4)
    assert wall.from_tail() == (3, 2, 1, 0)
    opened = wall.take(wall.top(2)).wall
    assert opened.from_tail() == (3, 2, 1, 0)
    assert opened.take(opened.top(2)).wall.from_tail() == (3, 1, 0)


def test_a_half_stack_at_the_tail_is_a_stack_only_where_the_odd_tail_tile_counts() -> None:
    wall = after(Wall.numbered(4), draws=1, replacements=1)
    assert wall.has_odd_tail
    assert wall.count == (2, 2)
    assert wall.from_tail() == (3, 2, 1, 0)
    assert wall.from_tail(odd_tail=False) == (2, 1, 0)
    even = after(wall, replacements=1)
    assert not even.has_odd_tail
    assert even.from_tail(odd_tail=False) == (2, 1, 0)


def test_the_first_tile_of_a_stack_is_the_lower_one_where_the_upper_is_gone() -> None:
    wall = after(Wall.numbered(3), draws=1)
    assert wall.top(0) == Place(0, upper=False)
    assert wall.at(wall.top(0)) == 1
    assert wall.at(wall.top(1)) == 2


def test_what_can_not_be_is_refused() -> None:
    wall = Wall.numbered(2)
    empty = after(wall, draws=4)
    assert len(empty) == 0
    assert not empty.has_odd_tail
    for wrong in (
        lambda: Wall.of("abc"),
        empty.draw,
        empty.replace,
        lambda: wall.top(2),
        lambda: wall.top(-1),
        lambda: wall.take(Place(0, upper=False)),
        lambda: wall.at(Place(2, upper=True)),
        lambda: after(wall, draws=1).at(Place(0, upper=True)),
        lambda: wall.put_back(Place(0, upper=True), 9),
        lambda: wall.put_back(Place(0, upper=False), 9),
        lambda: empty.put_back(Place(0, upper=True), 9),
        lambda: wall.put_back(Place(5, upper=True), 9),
        lambda: dice_sum((0, 3)),
        lambda: dice_sum((3, 7)),
        lambda: seat_counted(0),
        lambda: takings(4),
        lambda: dealt(Wall.numbered(26), 0),
        lambda: Break(1, 13).order((14, 13, 14, 13)),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            wrong()


# Dice, break and deal


@pytest.mark.proves("R27")
def test_counting_by_dice_begins_with_the_dealer_as_one_and_goes_on_in_turn_order() -> None:
    assert [seat_counted(n) for n in range(1, 13)] == [0, 1, 2, 3] * 3


@pytest.mark.proves("R27", "CC-13")
def test_a_wall_is_taken_from_right_to_left_past_the_stacks_the_second_throw_keeps() -> None:
    place = broken((1, 2), (3, 4))
    assert place == Break(seat=2, stacks_kept=7)
    order = place.order((17, 17, 17, 17))
    assert order[:10] == tuple((2, n) for n in range(8, 18))
    assert order[10:61] == tuple((seat, n) for seat in (1, 0, 3) for n in range(1, 18))
    assert order[61:] == tuple((2, n) for n in range(1, 8))


@pytest.mark.parametrize("stacks", [(17, 17, 17, 17), (14, 13, 14, 13)])
def test_every_throw_breaks_the_wall_so_that_every_stack_has_one_place(stacks: tuple[int, ...]) -> None:
    for first, second in product(DICE, DICE):
        place = broken(first, second)
        order = place.order(stacks)
        assert len(set(order)) == len(order) == sum(stacks)
        assert order[0] == (place.seat, sum(second) + 1)
        assert order[-1] == (place.seat, sum(second))


def test_the_deal_goes_three_times_round_by_four_then_by_one_and_the_dealer_takes_a_fourteenth() -> None:
    order = takings(2)
    assert order[:5] == tuple(Taking(seat, 4) for seat in (2, 3, 0, 1, 2))
    assert order[12:] == (*(Taking(seat, 1) for seat in (2, 3, 0, 1)), Taking(0, 1))
    deal = dealt(Wall.numbered(68), 2)
    assert deal.hands[2] == (0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35, 48)
    assert deal.hands[0][-2:] == (50, 52)


@given(st.permutations(range(136)), st.integers(0, 3))
def test_the_deal_gives_every_tile_of_the_head_to_one_hand(tiles: list[int], first: int) -> None:
    deal = dealt(Wall.of(tiles), first)
    assert [len(hand) for hand in deal.hands] == [14, 13, 13, 13]
    assert Counter(t for hand in deal.hands for t in hand) == Counter(tiles[:53])
    assert deal.wall.next_tiles(136) == tuple(tiles[53:])
