"""Changsha: turns, claims, gangs, robbing, the last tile and missed wins, as the rulebook says them."""

from __future__ import annotations

import pytest

from rules.circumstances import Circumstances
from rules.claims import (
    CHI,
    DISCARD,
    DRAW,
    END,
    HU,
    PASS,
    PENG,
    REPLACE,
    Claim,
    Standing,
    Turn,
    laid,
    taken,
)
from rules.hands import GANG, Meld
from rules.notation import meld_of, parse_unfinished, write_set
from rules.regions.changsha.claims import BU, KAI, ClaimRulings
from rules.tiles import tiles
from tests.test_claim_rulings import CHANGSHA as GAME
from tests.test_claim_rulings import cited, hands, house, said, the, value

TABLE = ClaimRulings()
LOCKED = Standing(locked=True)

WAITS_47M = "123m 456p 789s 22s 56m"
WAITS_14M = "23m 567p 888s 55p 789p"
WAITS_4M = "35m 111p 234s 678s 88p"
PAIR_OF_4M = "44m 258p 369s 17p 14s 9m"
RUN_WITH_4M = "35m 1479p 1479s 8m 2p 5s"


def meld(text: str) -> Meld:
    """A meld from its brackets: `meld("(123m)")`."""
    found = meld_of(text[0], parse_unfinished(text[1:-1], GAME.tiles).loose, GAME.tiles)
    assert found
    return found


def missed(points: int) -> Standing:
    return Standing(missed=points)


# Turns and claims


@pytest.mark.proves("S21")
def test_play_opens_with_the_dealer_and_goes_on_to_the_next_player_which_the_text_does_not_say() -> None:
    assert value(TABLE.next_to_act(None)) == Turn(0, DISCARD)
    outcome = TABLE.next_to_act(1)
    assert value(outcome) == Turn(2, DRAW)
    assert "This is not in the text" in said(outcome)
    assert "This is not in the text" in said(TABLE.turn_order(0))
    assert value(TABLE.next_to_act(1, Claim(3, PENG, meld("(444m)")))) == Turn(3, DISCARD)
    assert value(TABLE.next_to_act(1, Claim(3, GANG, meld("(4444m)")))) == Turn(3, REPLACE)


@pytest.mark.proves("S21")
def test_only_the_next_player_takes_a_sequence_which_the_text_does_not_say() -> None:
    assert value(TABLE.claims(GAME, 0, the("4m"), hands(GAME, next=RUN_WITH_4M))) == (
        Claim(1, CHI, meld("(345m)")),
    )
    for seat in (2, 3):
        outcome = TABLE.claims(GAME, 0, the("4m"), {seat: GAME.parse(RUN_WITH_4M)})
        assert value(outcome) == ()
        assert "only the next player may. This is not in the text" in said(outcome)


@pytest.mark.proves("S21")
def test_a_win_comes_before_peng_or_gang_and_these_before_chi_which_the_text_does_not_say() -> None:
    asked = hands(GAME, next=RUN_WITH_4M, opposite=PAIR_OF_4M, previous=WAITS_47M)
    possible = value(TABLE.claims(GAME, 0, the("4m"), asked))
    chi, peng, win = Claim(1, CHI, meld("(345m)")), Claim(2, PENG, meld("(444m)")), Claim(3, HU)
    assert possible == (chi, peng, win)
    for declared, winner in (([chi, peng, win], win), ([chi, peng], peng), ([chi], chi)):
        outcome = TABLE.resolve(0, possible, declared)
        assert value(outcome) == (winner,)
        assert ("This is not in the text" in said(outcome)) is (len(declared) > 1)
        assert "dead" not in said(outcome)
    gang = Claim(2, GANG, meld("(4444m)"))
    assert value(TABLE.resolve(0, [chi, gang], [chi, gang])) == (gang,)
    assert value(TABLE.resolve(0, possible, [])) == ()


def test_a_hand_that_a_discard_completes_against_a_rule_hears_why() -> None:
    outcome = TABLE.claims(GAME, 0, the("4m"), hands(GAME, opposite="123m 456p 789s 99s 56m"))
    assert value(outcome) == ()
    assert "it does not win: the pair must be 2, 5 or 8, and it is 9条." in said(outcome)


# Several winners


@pytest.mark.proves("CS-61", "S16", "several-winners=all")
def test_all_who_can_win_on_one_tile_do() -> None:
    asked = hands(GAME, next=WAITS_47M, opposite=WAITS_14M, previous=WAITS_4M)
    possible = value(TABLE.claims(GAME, 0, the("4m"), asked))
    wins = tuple(claim for claim in possible if claim.action == HU)
    assert wins == (Claim(1, HU), Claim(2, HU), Claim(3, HU))
    assert value(TABLE.resolve(0, possible, wins)) == wins


@pytest.mark.proves("CS-62", "S16", "several-winners=all")
def test_once_one_wins_the_others_who_can_must_even_if_they_passed_or_wanted_the_tile_otherwise() -> None:
    peng = Claim(1, PENG, meld("(444m)"))
    possible = [Claim(1, HU), peng, Claim(2, HU), Claim(3, HU)]
    outcome = TABLE.resolve(0, possible, [peng, Claim(2, PASS), Claim(3, HU)])
    assert value(outcome) == (Claim(1, HU), Claim(2, HU), Claim(3, HU))
    assert "The player opposite can win too, and must, since the previous player does." in said(outcome)
    assert cited(outcome) == {"CS-61", "CS-62"}
    assert value(TABLE.resolve(0, possible, [peng])) == (peng,)


@pytest.mark.proves("CS-62", "CS-74", "S16", "S17")
def test_a_player_barred_by_a_missed_win_is_not_made_to_win() -> None:
    asked = hands(GAME, next=WAITS_47M, opposite=WAITS_14M)
    possible = value(TABLE.claims(GAME, 0, the("4m"), asked, {2: missed(2)}))
    assert [claim for claim in possible if claim.action == HU] == [Claim(1, HU)]
    assert value(TABLE.resolve(0, possible, [Claim(1, HU)])) == (Claim(1, HU),)


@pytest.mark.proves("S16", "several-winners=nearest")
def test_where_one_wins_it_is_the_nearest_who_declares() -> None:
    table = ClaimRulings(house(several_winners="nearest"))
    possible = [Claim(0, HU), Claim(1, HU), Claim(3, HU)]
    assert value(table.resolve(2, possible, possible)) == (Claim(3, HU),)
    assert value(table.resolve(2, possible, [Claim(0, HU), Claim(1, HU)])) == (Claim(0, HU),)
    assert value(table.resolve(2, possible, [Claim(1, HU)])) == (Claim(1, HU),)
    both = Claim(1, HU, None, tiles("4m 7m"))
    assert value(table.resolve(2, [both], [both])) == (both,)
    assert "dead" not in said(table.resolve(2, [both], [both]))


# Gangs


@pytest.mark.proves("CS-29", "CS-69", "CS-76", "S13")
def test_a_hand_ready_without_the_four_tiles_may_take_a_tile_or_open() -> None:
    assert value(TABLE.gang_choices(GAME, GAME.parse("123m 456p 22s 56s (9999m)"))) == (BU, KAI)
    full = GAME.parse("123m 456p 22s 56s 9999m")
    (gang,) = value(TABLE.own_gangs(GAME, full))
    assert gang.concealed
    assert value(TABLE.gang_choices(GAME, laid(full, gang))) == (BU, KAI)


@pytest.mark.proves("CS-69", "CS-76", "S13")
def test_a_hand_that_is_not_ready_without_the_four_tiles_only_takes_a_tile() -> None:
    ready = GAME.parse("2223m 456p 789s 678p")
    assert GAME.waits(ready) == list(tiles("1m 4m"))
    rest = taken(ready, Meld.of(GANG, [the("2m")] * 4), the("2m"))
    outcome = TABLE.gang_choices(GAME, rest)
    assert value(outcome) == (BU,)
    assert cited(outcome) == {"CS-69", "CS-76"}
    with pytest.raises(ValueError, match="no gang"):
        TABLE.gang_choices(GAME, ready)


@pytest.mark.proves("CS-70", "S13")
def test_a_win_on_a_taken_tile_is_a_plain_self_draw() -> None:
    rest = GAME.parse("123m 456p 22s 56s (9999m)")
    how = value(TABLE.bu_win(GAME, 2, rest, the("4s")))
    assert how == Circumstances("self-draw", 2, None)
    assert GAME.judge(rest.with_winning(the("4s")), how).patterns == {"xiaohu": 0}
    assert value(TABLE.bu_win(GAME, 2, rest, the("1p"))) is None


@pytest.mark.proves("CS-32", "CS-33", "CS-38", "CS-78", "S13")
@pytest.mark.parametrize(
    ("turned", "won"),
    [("4s 7s", "4s 7s"), ("7s 1p", "7s"), ("1p 4s", "4s"), ("4s 4s", "4s 4s"), ("7s", "7s"), ("1p 9p", "")],
)
def test_the_opener_wins_on_either_tile_or_both_or_must_discard_them(turned: str, won: str) -> None:
    rest = GAME.parse("123m 456p 22s 56s (9999m)")
    outcome = TABLE.opener_wins(GAME, 1, rest, tiles(turned))
    assert value(outcome) == tiles(won)
    assert ("gangshanghua" in said(outcome)) is bool(won)
    assert ("CS-33" in cited(outcome)) is (len(won.split()) == 2)


@pytest.mark.proves("CS-37", "CS-39", "CS-79", "S13")
def test_others_win_on_the_tiles_an_opener_discards_each_on_every_tile_he_can() -> None:
    asked = hands(GAME, next=WAITS_47M, opposite=WAITS_14M, previous=PAIR_OF_4M)
    outcome = TABLE.claims_on_opened(GAME, 0, tiles("4m 7m"), asked)
    both, one = Claim(1, HU, None, tiles("4m 7m")), Claim(2, HU, None, tiles("4m"))
    wins = tuple(claim for claim in value(outcome) if claim.action == HU)
    assert wins == (both, one)
    assert {"CS-37", "CS-39", "CS-79"} <= cited(outcome)
    peng = Claim(3, PENG, meld("(444m)"), tiles("4m"))
    assert peng in value(outcome)
    assert value(TABLE.resolve(0, value(outcome), [one, peng])) == (both, one)


@pytest.mark.proves("CS-39", "S13")
def test_two_opened_tiles_alike_are_both_won() -> None:
    outcome = TABLE.claims_on_opened(GAME, 0, tiles("4m 4m"), hands(GAME, opposite=WAITS_14M))
    assert value(outcome) == (Claim(2, HU, None, tiles("4m 4m")),)


@pytest.mark.proves("CS-81", "S13")
def test_of_two_opened_tiles_that_nobody_wins_one_claim_takes_one_and_the_other_is_dead() -> None:
    asked = hands(GAME, next="23p 147m 258s 69s 999m", opposite="88s 147m 369p 258p 14s")
    outcome = TABLE.claims_on_opened(GAME, 0, tiles("1p 8s"), asked)
    chi = Claim(1, CHI, meld("(123p)"), tiles("1p"))
    peng = Claim(2, PENG, meld("(888s)"), tiles("8s"))
    assert value(outcome) == (chi, peng)
    assert cited(outcome) == {"CS-81"}
    resolved = TABLE.resolve(0, (chi, peng), [chi, peng])
    assert value(resolved) == (peng,)
    assert "The other tile of the 开杠 is dead." in said(resolved)
    assert value(TABLE.resolve(0, (chi, peng), [chi])) == (chi,)


@pytest.mark.proves("CS-81", "S13")
def test_an_opened_tile_may_also_be_ganged_and_of_two_such_claims_the_nearer_takes_its_tile() -> None:
    asked = hands(GAME, next="88s 147m 369p 258p 14s", previous="111p 147m 369s 147s 5m")
    possible = value(TABLE.claims_on_opened(GAME, 0, tiles("1p 8s"), asked))
    peng, gang = Claim(1, PENG, meld("(888s)"), tiles("8s")), Claim(3, GANG, meld("(1111p)"), tiles("1p"))
    assert peng in possible
    assert gang in possible
    assert value(TABLE.resolve(0, possible, [gang, peng])) == (peng,)
    assert value(TABLE.resolve(0, possible, [gang])) == (gang,)


def test_a_single_opened_tile_is_claimed_as_any_discard() -> None:
    outcome = TABLE.claims_on_opened(GAME, 0, tiles("4m"), hands(GAME, opposite=WAITS_47M))
    assert value(outcome) == (Claim(2, HU),)
    assert cited(outcome) >= {"CS-37", "CS-79"}


@pytest.mark.parametrize("turned", ["", "1m 2m 3m"])
def test_a_gang_opens_one_tile_or_two(turned: str) -> None:
    with pytest.raises(ValueError, match="one tile or two"):
        TABLE.claims_on_opened(GAME, 0, tiles(turned), {})
    with pytest.raises(ValueError, match="one tile or two"):
        TABLE.opener_wins(GAME, 0, GAME.parse(WAITS_47M), tiles(turned))


@pytest.mark.proves("CS-80", "S13")
def test_after_opening_a_drawn_tile_wins_or_is_discarded_and_is_never_ganged() -> None:
    assert value(TABLE.locked_draw(GAME, 1, GAME.parse(WAITS_47M + " +7m"))) == (HU, DISCARD)
    assert value(TABLE.locked_draw(GAME, 1, GAME.parse(WAITS_47M + " +9p"))) == (DISCARD,)
    four = GAME.parse("999s 123m 456p 22p 56m +9s")
    assert [write_set(m) for m in value(TABLE.own_gangs(GAME, four))] == ["[9999s]"]
    outcome = TABLE.own_gangs(GAME, four, LOCKED)
    assert value(outcome) == ()
    assert cited(outcome) == {"CS-80"}
    assert value(TABLE.own_gangs(GAME, GAME.parse(WAITS_47M + " +7m"))) == ()
    with pytest.raises(ValueError, match="set apart"):
        TABLE.locked_draw(GAME, 1, GAME.parse("999s 123m 456p 22p 56m 9s"))


@pytest.mark.proves("CS-80", "S13")
def test_after_opening_a_hand_takes_no_chi_or_peng_but_may_win() -> None:
    for text in (RUN_WITH_4M, PAIR_OF_4M):
        outcome = TABLE.claims(GAME, 0, the("4m"), hands(GAME, next=text), {1: LOCKED})
        assert value(outcome) == ()
        assert cited(outcome) == {"CS-80"}
    found = TABLE.claims(GAME, 0, the("7m"), hands(GAME, next=WAITS_47M), {1: LOCKED})
    assert value(found) == (Claim(1, HU),)


@pytest.mark.proves("CS-82", "S13")
def test_after_opening_a_discard_may_be_ganged_if_the_hand_stays_ready() -> None:
    keeps = TABLE.claims(GAME, 0, the("9s"), {2: GAME.parse("999s 123m 456p 22p 56m")}, {2: LOCKED})
    assert value(keeps) == (Claim(2, GANG, meld("(9999s)")),)
    assert "CS-82" in cited(keeps)
    loses = TABLE.claims(GAME, 0, the("2m"), {2: GAME.parse("2223m 456p 789s 678p")}, {2: LOCKED})
    assert value(loses) == ()
    assert "would end its wait" in said(loses)
    free = value(TABLE.claims(GAME, 0, the("2m"), {2: GAME.parse("2223m 456p 789s 678p")}))
    assert Claim(2, GANG, meld("(2222m)")) in free


@pytest.mark.proves("S15")
def test_where_the_dice_reach_no_tile_the_turn_passes_and_the_lock_holds() -> None:
    assert value(TABLE.opened_nothing(3)) == (Turn(0, DRAW), LOCKED)


# Robbing


@pytest.mark.proves("CS-35", "S20")
def test_a_tile_added_to_a_peng_may_be_robbed_to_win_and_for_nothing_else() -> None:
    asked = hands(GAME, next="56m 258p 369s 147s 17p", opposite=WAITS_47M, previous="89m 555p 789p 345s 22s")
    outcome = TABLE.robbers(GAME, 0, meld("(7777m)"), the("7m"), asked)
    assert value(outcome) == (Claim(2, HU), Claim(3, HU))
    assert cited(outcome) == {"CS-35"}
    assert value(TABLE.resolve(0, value(outcome), [Claim(3, HU)])) == (Claim(2, HU), Claim(3, HU))


@pytest.mark.proves("CS-34", "S20")
def test_a_concealed_gang_is_never_robbed() -> None:
    outcome = TABLE.robbers(GAME, 0, meld("[7777m]"), None, hands(GAME, next=WAITS_47M))
    assert value(outcome) == ()
    assert cited(outcome) == {"CS-34"}


@pytest.mark.proves("CS-36", "S20")
def test_a_gang_made_with_a_discard_is_never_robbed_by_who_passed_that_discard() -> None:
    outcome = TABLE.robbers(GAME, 0, meld("(7777m)"), None, hands(GAME, next=WAITS_47M))
    assert value(outcome) == ()
    assert cited(outcome) == {"CS-36"}


@pytest.mark.proves("CS-35", "S20")
def test_a_robbed_gang_is_void_and_ends_the_hand() -> None:
    outcome = TABLE.after_robbing(1, (Claim(3, HU), Claim(0, HU)))
    assert value(outcome) == Turn(3, END)
    assert "the gang is void" in said(outcome)
    assert value(TABLE.after_robbing(1, ())) == Turn(1, REPLACE)
    with pytest.raises(ValueError, match="hu alone"):
        TABLE.after_robbing(1, (Claim(2, PENG),))


@pytest.mark.parametrize(("lying", "added"), [("(777m)", "7m"), ("[7777m]", "7m"), ("(7777m)", "8m")])
def test_what_is_no_addition_to_a_gang_is_an_error(lying: str, added: str) -> None:
    with pytest.raises(ValueError, match="is not added"):
        TABLE.robbers(GAME, 0, meld(lying), the(added), {})


# The last tile


@pytest.mark.proves("CS-22", "S18")
@pytest.mark.parametrize(
    ("text", "kind", "act"),
    [
        (WAITS_47M, "4m", HU),
        (WAITS_47M, "9p", DISCARD),
        ("123m 456p 789s 99s 56m", "4m", DISCARD),
        ("111m 345m 678m 99m 56m", "7m", HU),
        ("111m 444p 777s 99s 66m", "6m", HU),
    ],
)
def test_who_took_the_last_tile_wins_with_the_pair_its_shape_asks_for_or_discards_it(
    text: str, kind: str, act: str
) -> None:
    assert value(TABLE.last_tile(GAME, 1, GAME.parse(text), the(kind))) == (act,)


@pytest.mark.proves("CS-24", "CS-25", "S16", "S18")
def test_a_discarded_last_tile_is_won_by_all_who_can() -> None:
    asked = hands(GAME, next=WAITS_47M, opposite=WAITS_14M)
    outcome = TABLE.claims(GAME, 0, the("4m"), asked, moment="haidipao")
    assert value(outcome) == (Claim(1, HU), Claim(2, HU))
    assert {"CS-24", "CS-25"} <= cited(outcome)
    assert value(TABLE.resolve(0, value(outcome), [Claim(2, HU)])) == (Claim(1, HU), Claim(2, HU))


@pytest.mark.proves("CS-26")
def test_a_win_on_a_discarded_last_tile_needs_the_pair_its_shape_asks_for() -> None:
    wrong_pair, one_suit = "123m 456p 789s 99s 56m", "111m 345m 678m 99m 56m"
    asked = hands(GAME, opposite=wrong_pair)
    assert value(TABLE.claims(GAME, 0, the("4m"), asked, moment="haidipao")) == ()
    asked = hands(GAME, opposite=one_suit)
    assert value(TABLE.claims(GAME, 0, the("4m"), asked, moment="haidipao")) == (Claim(2, HU),)


@pytest.mark.proves("S18")
def test_a_discarded_last_tile_is_only_won_with() -> None:
    asked = hands(GAME, next=RUN_WITH_4M, opposite=PAIR_OF_4M)
    assert len(value(TABLE.claims(GAME, 0, the("4m"), asked))) == 2
    outcome = TABLE.claims(GAME, 0, the("4m"), asked, moment="haidipao")
    assert value(outcome) == ()
    assert "can only be won with" in said(outcome)
    with pytest.raises(ValueError, match="'tianhu'"):
        TABLE.claims(GAME, 0, the("4m"), asked, moment="tianhu")


# Missed wins


@pytest.mark.proves("CS-74", "S17")
@pytest.mark.parametrize(
    ("big_wins", "with_dealer", "points"),
    [
        ((0,), False, 1),
        ((0,), True, 2),
        ((1,), False, 6),
        ((1,), True, 7),
        ((3,), True, 21),
        ((2, 1), False, 18),
    ],
)
def test_a_discard_win_scores_what_it_would_pay_before_birds(
    big_wins: tuple[int, ...], with_dealer: bool, points: int
) -> None:
    assert value(TABLE.win_points(big_wins, with_dealer)) == points


@pytest.mark.proves("S14", "double-gang=each")
def test_two_opened_tiles_score_each_by_itself() -> None:
    assert value(TABLE.win_points((2, 2), with_dealer=False)) == 24


@pytest.mark.proves("S14", "double-gang=once")
def test_where_the_shape_counts_once_two_opened_tiles_score_it_once() -> None:
    table = ClaimRulings(house(double_gang="once"))
    assert value(table.win_points((2, 2), with_dealer=False)) == 18
    assert value(table.win_points((0,), with_dealer=True)) == 2
    for wrong in ((), (-1,)):
        with pytest.raises(ValueError, match="big wins"):
            table.win_points(wrong, with_dealer=False)


@pytest.mark.proves("CS-74", "CS-75", "S17", "missed-win=yes")
def test_a_passed_win_bars_every_discard_that_does_not_score_more() -> None:
    asked = hands(GAME, dealer=PAIR_OF_4M, opposite=WAITS_47M)
    win = Claim(2, HU)
    for passed, allowed in ((0, True), (1, False), (6, False)):
        found = TABLE.claims(GAME, 1, the("4m"), asked, {2: missed(passed)})
        assert (win in value(found)) is allowed
    assert "scores 1: no win on a discard before the player's next move" in said(found)
    assert {"CS-74", "CS-75"} <= cited(found)


@pytest.mark.proves("CS-75", "S17", "missed-win=yes")
def test_a_win_that_scores_more_may_be_taken_and_the_dealers_point_counts() -> None:
    asked = hands(GAME, opposite=WAITS_47M)
    win = Claim(2, HU)
    assert win in value(TABLE.claims(GAME, 0, the("4m"), asked, {2: missed(1)}))
    assert win not in value(TABLE.claims(GAME, 0, the("4m"), asked, {2: missed(2)}))
    big = TABLE.claims(GAME, 1, the("2m"), {2: GAME.parse("1113456788999m")}, {2: missed(1)})
    assert win in value(big)


@pytest.mark.proves("S17", "missed-win=yes")
def test_a_robbed_gang_and_a_last_tile_are_barred_as_discards_unless_they_score_more() -> None:
    asked = hands(GAME, opposite=WAITS_47M)
    for passed, allowed in ((2, True), (7, False)):
        robbed = TABLE.robbers(GAME, 0, meld("(7777m)"), the("7m"), asked, {2: missed(passed)})
        last = TABLE.claims(GAME, 0, the("7m"), asked, {2: missed(passed)}, moment="haidipao")
        assert value(robbed) == value(last) == ((Claim(2, HU),) if allowed else ())


@pytest.mark.proves("S13", "S17")
def test_two_opened_tiles_together_may_score_more_than_the_win_that_was_passed() -> None:
    asked = hands(GAME, opposite=WAITS_47M)
    for turned, allowed in (("4m 7m", True), ("4m 9p", False)):
        found = TABLE.claims_on_opened(GAME, 1, tiles(turned), asked, {2: missed(6)})
        assert bool([c for c in value(found) if c.action == HU]) is allowed


@pytest.mark.proves("CS-74", "S17")
def test_a_self_drawn_win_is_never_barred() -> None:
    assert value(TABLE.is_barred(7, 1)) is True
    assert value(TABLE.is_barred(7, 1, self_drawn=True)) is False


@pytest.mark.proves("CS-74", "S17", "missed-win=yes")
def test_the_best_win_passed_since_the_last_move_is_what_counts() -> None:
    assert value(TABLE.missed_after(0, 1)) == 1
    assert value(TABLE.missed_after(6, 1)) == 6
    assert value(TABLE.missed_after(1, 7)) == 7
    with pytest.raises(ValueError, match="never negative"):
        TABLE.missed_after(-1, 7)
    with pytest.raises(ValueError, match="never negative"):
        TABLE.is_barred(7, -1)


@pytest.mark.proves("CS-75", "S17")
@pytest.mark.parametrize(
    ("act", "lifts"),
    [(DRAW, True), (CHI, True), (PENG, True), (BU, True), (GANG, True), (DISCARD, False), (PASS, False)],
)
def test_a_draw_or_claim_of_ones_own_lifts_the_bar(act: str, lifts: bool) -> None:
    assert value(TABLE.lifts_bar(act)) is lifts
    with pytest.raises(ValueError, match="'hu'"):
        TABLE.lifts_bar(HU)


@pytest.mark.proves("S17", "missed-win=no")
def test_where_missed_wins_are_not_played_every_discard_is_a_new_chance() -> None:
    table = ClaimRulings(house(missed_win="no"))
    asked = hands(GAME, opposite=WAITS_47M)
    assert Claim(2, HU) in value(table.claims(GAME, 1, the("4m"), asked, {2: missed(6)}))
    assert value(table.is_barred(6, 1)) is False
    assert value(table.missed_after(0, 6)) == 0


# The first moments


@pytest.mark.proves("CS-12")
def test_dealt_tiles_of_the_dealer_that_win_are_tianhu() -> None:
    assert value(TABLE.is_tianhu(GAME, GAME.parse("12355m 45678p 789s 9p"))) is True
    assert value(TABLE.is_tianhu(GAME, GAME.parse("12344m 45678p 789s 9p"))) is False
    with pytest.raises(ValueError, match="all its tiles"):
        TABLE.is_tianhu(GAME, GAME.parse("12355m 45678p 789s"))
    with pytest.raises(ValueError, match="no melds"):
        TABLE.is_tianhu(GAME, GAME.parse("12355m 45678p 9p (789s)"))


@pytest.mark.proves("CS-13", "S19")
def test_dihu_is_won_on_the_dealers_first_discard_with_nothing_claimed_before() -> None:
    hand, kind = GAME.parse(WAITS_47M), the("4m")
    assert value(TABLE.is_dihu(GAME, 2, hand, kind, first_discard=True)) is True
    assert value(TABLE.is_dihu(GAME, 2, hand, the("9p"), first_discard=True)) is False
    assert value(TABLE.is_dihu(GAME, 2, hand, kind, first_discard=False)) is False
    assert value(TABLE.is_dihu(GAME, 2, hand, kind, first_discard=True, claimed=True)) is False
    assert value(TABLE.is_dihu(GAME, 2, hand, kind, first_discard=True, opened=True)) is False
    melded = GAME.parse("456p 789s 22s 56m (123m)")
    assert value(TABLE.is_dihu(GAME, 2, melded, kind, first_discard=True)) is False
    with pytest.raises(ValueError, match="seat 0 can't take a tile from seat 0"):
        TABLE.is_dihu(GAME, 0, hand, kind, first_discard=True)


@pytest.mark.proves("CS-13", "S19")
def test_a_dihu_is_claimed_as_a_win_on_the_dealers_discard() -> None:
    outcome = TABLE.claims(GAME, 0, the("7m"), hands(GAME, previous=WAITS_47M), moment="dihu")
    assert value(outcome) == (Claim(3, HU),)
    assert cited(outcome) == {"CS-13"}


@pytest.mark.proves("CS-5", "CS-6", "S6")
def test_shown_tiles_lie_open_until_the_dealers_first_discard() -> None:
    hand, shown = GAME.parse("5555m 123p 678s 789s"), tiles("5m 5m 5m 5m")
    assert value(TABLE.shown_openings(GAME, hand, shown, dealer_has_discarded=False)) == shown
    assert value(TABLE.shown_openings(GAME, hand, shown, dealer_has_discarded=True)) == ()
    with pytest.raises(ValueError, match="not 4 of 1p"):
        TABLE.shown_openings(GAME, hand, tiles("1p 1p 1p 1p"), dealer_has_discarded=False)


@pytest.mark.proves("CS-7", "S6")
def test_shown_tiles_stay_in_the_hand_and_do_not_hinder_a_later_win() -> None:
    waiting, shown = GAME.parse("222m 555m 123p 78s 88p"), tiles("2m 2m 2m 5m 5m 5m")
    outcome = TABLE.shown_openings(GAME, waiting, shown, dealer_has_discarded=True)
    assert value(outcome) == ()
    assert "may still win as any other" in said(outcome)
    assert Claim(1, HU) in value(TABLE.claims(GAME, 0, the("9s"), {1: waiting}))
