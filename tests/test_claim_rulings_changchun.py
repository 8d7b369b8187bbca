"""Changchun: turns, claims, gangs, robbing, ready and the bao, as the rulebook says them."""

from __future__ import annotations

import pytest

from rules.circumstances import Circumstances
from rules.claims import CHI, DISCARD, DRAW, END, FREE, HU, PASS, PENG, REPLACE, Claim, Standing, Turn
from rules.hands import GANG, SEQUENCE, SPECIAL_GANG, TRIPLET, Meld
from rules.notation import meld_of, parse_unfinished, write_set
from rules.regions.changchun.claims import CLAIMS, DICE, LOOK, ClaimRulings
from rules.ruleset import Ruleset
from rules.tiles import Tile, tiles
from tests.test_claim_rulings import CHANGCHUN as GAME
from tests.test_claim_rulings import cited, hands, house, said, the, value

TABLE = ClaimRulings()
LISTENING = Standing(listening=True)
LOCKED = Standing(listening=True, locked=True)

# Each waits for 4饼 and another tile, and holds at most one 4饼.
WAITS_14P = "123m 789p 777s 88s 23p"
WAITS_47P = "111m 789s 56p 222s 99m"
WAITS_4P_TOO = "EEE 678m 35p 333s 22m"
PAIR_OF_4P = "44p 258m 369s SWN CF"
RUN_WITH_4P = "35p 258m 369s ESWN C"


def meld(text: str) -> Meld:
    """A meld from its brackets: `meld("(123m)")`."""
    found = meld_of(text[0], parse_unfinished(text[1:-1], GAME.tiles).loose, GAME.tiles)
    assert found
    return found


def written(melds: tuple[Meld, ...]) -> list[str]:
    return [write_set(one) for one in melds]


def must_declare() -> tuple[ClaimRulings, Ruleset]:
    game = GAME.with_options({"must-declare-ting": "yes"})
    return ClaimRulings(game.house), game


# Turns


@pytest.mark.proves("CC-3", "CC-16")
def test_an_unclaimed_tile_stays_and_the_next_player_draws() -> None:
    outcome = TABLE.next_to_act(2)
    assert value(outcome) == Turn(3, DRAW)
    assert cited(outcome) == {"CC-16"}
    assert value(TABLE.next_to_act(3, Claim(1, PASS))) == Turn(0, DRAW)


@pytest.mark.proves("CC-16", "CC-79")
def test_turn_order_is_one_although_the_text_gives_two() -> None:
    outcome = TABLE.turn_order(1)
    assert value(outcome) == (2, 3, 0)
    assert "two opposite directions" in said(outcome)
    assert cited(outcome) == {"CC-3", "CC-16", "CC-79"}


@pytest.mark.proves("CC-15")
def test_play_opens_with_a_discard_of_the_dealer() -> None:
    assert value(TABLE.next_to_act(None)) == Turn(0, DISCARD)


@pytest.mark.proves("CC-15", "CC-21")
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_each_of_the_other_three_may_claim_a_discard(seat: int) -> None:
    found = value(TABLE.claims(GAME, 0, the("4p"), {seat: GAME.parse(PAIR_OF_4P)}))
    assert found == (Claim(seat, PENG, meld("(444p)")),)


@pytest.mark.proves("CC-17")
def test_who_took_a_tile_must_discard_and_who_ganged_takes_a_replacement_first() -> None:
    assert value(TABLE.next_to_act(0, Claim(1, CHI, meld("(345p)")))) == Turn(1, DISCARD)
    assert value(TABLE.next_to_act(0, Claim(3, PENG, meld("(444p)")))) == Turn(3, DISCARD)
    assert value(TABLE.next_to_act(0, Claim(2, GANG, meld("(4444p)")))) == Turn(2, REPLACE)
    assert value(TABLE.next_to_act(0, Claim(2, HU))) == Turn(2, END)


@pytest.mark.proves("CC-3", "CC-16")
def test_play_goes_round_a_draw_and_a_discard_for_each_player_until_somebody_wins() -> None:
    turn, seen = value(TABLE.next_to_act(None)), []
    for _ in range(8):
        seen.append(turn.seat)
        assert value(TABLE.must_discard(DRAW, wins=False))
        turn = value(TABLE.next_to_act(turn.seat))
        assert turn.step == DRAW
    assert seen == [0, 1, 2, 3, 0, 1, 2, 3]
    assert value(TABLE.next_to_act(3, Claim(1, HU))).step == END


@pytest.mark.proves("CC-17")
@pytest.mark.parametrize("after", [DRAW, CHI, PENG, GANG])
def test_after_every_draw_or_claim_a_hand_that_does_not_win_must_discard(after: str) -> None:
    assert value(TABLE.must_discard(after, wins=False)) is True
    assert value(TABLE.must_discard(after, wins=True)) is False


def test_a_player_discards_after_moves_alone() -> None:
    with pytest.raises(ValueError, match="'pass'"):
        TABLE.must_discard(PASS, wins=False)


# Claims


@pytest.mark.proves("CC-19")
def test_winds_and_dragons_are_never_taken_for_a_sequence() -> None:
    outcome = TABLE.claims(GAME, 0, the("E"), hands(GAME, next="SW 258m 369s 147p CF"))
    assert value(outcome) == ()
    assert said(outcome) == "East (东) can't be taken by chi: winds and dragons make no sequence."
    outcome = TABLE.claims(GAME, 0, the("P"), hands(GAME, next="SW 258m 369s 147p CF"))
    assert value(outcome) == ()
    assert cited(outcome) == {"CC-19"}
    for asked in (hands(GAME, next="S 258m 369s 147p CFP"), hands(GAME, opposite="SW 258m 369s 147p CF")):
        assert said(TABLE.claims(GAME, 0, the("E"), asked)) == "Nobody can do anything with East (东)."


@pytest.mark.proves("CC-20")
def test_only_the_next_player_takes_a_sequence() -> None:
    taken = {seat: GAME.parse(RUN_WITH_4P) for seat in (1, 2, 3)}
    outcome = TABLE.claims(GAME, 0, the("4p"), taken)
    assert value(outcome) == (Claim(1, CHI, meld("(345p)")),)
    assert "The player opposite has the tiles to chi 4饼, but only the next player may." in said(outcome)
    assert value(TABLE.claims(GAME, 1, the("4p"), {3: GAME.parse(RUN_WITH_4P)})) == ()


@pytest.mark.proves("CC-20")
def test_every_sequence_that_the_next_player_could_take_is_offered() -> None:
    found = value(TABLE.claims(GAME, 0, the("4p"), hands(GAME, next="2356p 258m 369s SWN")))
    assert written(tuple(claim.meld for claim in found if claim.meld)) == ["(234p)", "(345p)", "(456p)"]


@pytest.mark.proves("CC-21", "CC-23")
def test_two_alike_may_peng_and_three_alike_may_gang_or_peng() -> None:
    outcome = TABLE.claims(GAME, 1, the("4p"), {0: GAME.parse("444p 258m 369s SWNC")})
    assert value(outcome) == (Claim(0, PENG, meld("(444p)")), Claim(0, GANG, meld("(4444p)")))
    assert cited(outcome) == {"CC-21", "CC-23"}
    assert value(TABLE.claims(GAME, 1, the("4p"), {0: GAME.parse("4p 258m 369s ESWNCF")})) == ()


@pytest.mark.proves("CC-63")
def test_a_hand_that_a_discard_completes_may_win_and_one_that_breaks_a_rule_hears_why() -> None:
    outcome = TABLE.claims(GAME, 0, the("4p"), hands(GAME, opposite=WAITS_14P))
    assert value(outcome) == (Claim(2, HU),)
    assert cited(outcome) == {"CC-20", "CC-63"}
    assert said(outcome) == (
        "The player opposite waits for 4饼 and may win. "
        "The player opposite has the tiles to chi 4饼, but only the next player may."
    )
    outcome = TABLE.claims(GAME, 0, the("4p"), hands(GAME, opposite="123m 456m 777p 88p 23p"))
    assert value(outcome) == ()
    assert "it does not win: all three suits are needed; missing: bamboo (条)." in said(outcome)


@pytest.mark.proves("CC-22", "CC-23", "CC-49")
def test_a_win_comes_before_every_other_claim() -> None:
    asked = hands(GAME, next=RUN_WITH_4P, opposite=PAIR_OF_4P, previous=WAITS_47P)
    possible = value(TABLE.claims(GAME, 0, the("4p"), asked))
    chi, peng, win = Claim(1, CHI, meld("(345p)")), Claim(2, PENG, meld("(444p)")), Claim(3, HU)
    assert possible == (chi, peng, win)
    outcome = TABLE.resolve(0, possible, [chi, peng, win])
    assert value(outcome) == (win,)
    assert cited(outcome) == {"CC-22", "CC-49"}
    assert "The previous player gets the tile to win: that comes before the chi of the next" in said(outcome)
    gang = Claim(2, GANG, meld("(4444p)"))
    assert value(TABLE.resolve(0, [gang, win], [gang, win])) == (win,)


@pytest.mark.proves("CC-49")
def test_peng_comes_before_chi() -> None:
    asked = hands(GAME, next=RUN_WITH_4P, opposite=PAIR_OF_4P)
    possible = value(TABLE.claims(GAME, 0, the("4p"), asked))
    chi, peng = possible
    assert value(TABLE.resolve(0, possible, possible)) == (peng,)
    assert cited(TABLE.resolve(0, possible, possible)) == {"CC-49"}
    assert value(TABLE.resolve(0, possible, [chi])) == (chi,)
    assert value(TABLE.resolve(0, possible, [chi, Claim(2, PASS)])) == (chi,)


@pytest.mark.proves("CC-49", "R18")
def test_peng_comes_before_gang_and_gang_before_chi() -> None:
    chi, gang, peng = (
        Claim(1, CHI, meld("(345p)")),
        Claim(2, GANG, meld("(4444p)")),
        Claim(3, PENG, meld("(444p)")),
    )
    assert value(TABLE.resolve(0, [chi, gang, peng], [chi, gang, peng])) == (peng,)
    assert value(TABLE.resolve(0, [chi, gang, peng], [chi, gang])) == (gang,)


@pytest.mark.proves("CC-16", "CC-21")
def test_a_claim_is_a_choice_and_when_all_pass_nobody_gets_the_tile() -> None:
    possible = value(TABLE.claims(GAME, 0, the("4p"), hands(GAME, opposite=PAIR_OF_4P)))
    assert value(TABLE.resolve(0, possible, [])) == ()


@pytest.mark.proves("CC-79")
@pytest.mark.parametrize(("discarder", "nearest"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_of_several_who_declare_a_win_only_the_nearest_after_the_discarder_wins(
    discarder: int, nearest: int
) -> None:
    others = [seat for seat in range(4) if seat != discarder]
    texts = (WAITS_14P, WAITS_47P, WAITS_4P_TOO)
    asked = {seat: GAME.parse(text) for seat, text in zip(others, texts, strict=True)}
    possible = value(TABLE.claims(GAME, discarder, the("4p"), asked))
    wins = [claim for claim in possible if claim.action == HU]
    assert len(wins) == 3
    outcome = TABLE.resolve(discarder, possible, wins)
    assert value(outcome) == (Claim(nearest, HU),)
    assert cited(outcome) == {"CC-79"}


@pytest.mark.proves("CC-79", "R28", "jiehu-pass=next")
def test_when_the_nearest_winner_passes_the_next_who_declares_wins() -> None:
    possible = [Claim(1, HU), Claim(2, HU), Claim(3, HU)]
    outcome = TABLE.resolve(0, possible, [Claim(1, PASS), Claim(2, HU), Claim(3, HU)])
    assert value(outcome) == (Claim(2, HU),)
    assert "The next player could win but passes" in said(outcome)


@pytest.mark.proves("CC-79", "R28", "jiehu-pass=none")
def test_where_only_the_nearest_ever_may_win_a_pass_bars_the_others() -> None:
    table = ClaimRulings(house(jiehu_pass="none"))
    peng = Claim(3, PENG, meld("(444p)"))
    possible = [Claim(1, HU), Claim(2, HU), Claim(3, HU), peng]
    outcome = table.resolve(0, possible, [Claim(2, HU)])
    assert value(outcome) == ()
    assert "nobody else may win then" in said(outcome)
    assert value(table.resolve(0, possible, [Claim(2, HU), peng])) == (peng,)
    assert value(table.resolve(0, possible, [Claim(1, HU), Claim(2, HU)])) == (Claim(1, HU),)
    chi = Claim(1, CHI, meld("(345p)"))
    assert value(table.resolve(0, [chi, Claim(2, HU)], [chi, Claim(2, HU)])) == (Claim(2, HU),)


@pytest.mark.proves("R15", "must-declare-ting=no")
def test_a_hand_wins_on_a_discard_without_declaring_ready() -> None:
    assert value(TABLE.claims(GAME, 0, the("7p"), hands(GAME, next=WAITS_47P)))[0] == Claim(1, HU)


@pytest.mark.proves("R15", "must-declare-ting=yes")
def test_where_ready_must_be_declared_a_silent_hand_does_not_win() -> None:
    table, game = must_declare()
    asked = hands(game, opposite=WAITS_47P)
    outcome = table.claims(game, 0, the("7p"), asked)
    assert value(outcome) == ()
    assert "The player opposite has not declared ready" in said(outcome)
    for standing in (LISTENING, LOCKED, Standing(locked=True)):
        assert value(table.claims(game, 0, the("7p"), asked, {2: standing})) == (Claim(2, HU),)


@pytest.mark.proves("CC-77", "R7")
def test_a_fourth_meld_may_be_claimed_but_a_hand_with_a_sequence_then_stays_without_a_win() -> None:
    asked = hands(GAME, next="44p 5m C (123m) (777s) (999s)")
    outcome = TABLE.claims(GAME, 0, the("4p"), asked)
    assert value(outcome) == (Claim(1, PENG, meld("(444p)")),)
    assert "must stay without a win" in said(outcome)
    assert cited(outcome) == {"CC-21", "CC-77"}
    assert value(TABLE.claims(GAME, 0, the("4p"), hands(GAME, next="35p 5m C (111m) (777s) (999s)"))) == (
        Claim(1, CHI, meld("(345p)")),
    )
    stuck = GAME.parse("C (444p) (123m) (777s) (999s)")
    assert value(TABLE.claims(GAME, 0, the("C"), {1: stuck})) == ()


@pytest.mark.proves("CC-77", "R7")
def test_down_to_one_tile_only_triplets_and_gangs_may_win() -> None:
    melds = [meld(text) for text in ("(444p)", "(111m)", "{CFP}", "[7777s]")]
    assert value(TABLE.down_to_one(melds)) is True
    assert value(TABLE.down_to_one([*melds[:3], meld("(123s)")])) is False
    with pytest.raises(ValueError, match="not 3"):
        TABLE.down_to_one(melds[:3])


@pytest.mark.proves("R7", "special-gang-in-piaohu=no")
def test_where_a_special_gang_is_no_set_of_piaohu_it_can_not_be_among_four_melds() -> None:
    table = ClaimRulings(house(special_gang_in_piaohu="no"))
    assert value(table.down_to_one(map(meld, ("(444p)", "(111m)", "{CFP}", "[7777s]")))) is False
    assert value(table.down_to_one(map(meld, ("(444p)", "(111m)", "(CCC)", "[7777s]")))) is True


# Gangs in one's own turn


@pytest.mark.proves("CC-24")
def test_the_fourth_tile_may_be_added_to_a_peng() -> None:
    outcome = TABLE.own_gangs(GAME, GAME.parse("123m 456p 88s 23p (777s) +7s"))
    assert written(value(outcome)) == ["(7777s)"]
    assert cited(outcome) == {"CC-24"}


@pytest.mark.proves("CC-25")
def test_four_alike_in_hand_make_a_concealed_gang_the_drawn_one_among_them_or_not() -> None:
    for text in ("123m 456p 777s 88s 23p +7s", "123m 456p 7777s 8s 23p +8s"):
        outcome = TABLE.own_gangs(GAME, GAME.parse(text))
        assert written(value(outcome)) == ["[7777s]"]
        assert cited(outcome) == {"CC-25"}
    assert value(TABLE.own_gangs(GAME, GAME.parse("123m 456p 777s 88s 23p 5m"))) == ()


def test_a_gang_of_ones_own_waits_for_ones_turn() -> None:
    with pytest.raises(ValueError, match="all its tiles"):
        TABLE.own_gangs(GAME, GAME.parse("123m 456p 7777s 8s 23p"))


@pytest.mark.proves("CC-27", "CC-28", "CC-30", "CC-32")
def test_dealt_winds_dragons_and_1s_may_be_shown() -> None:
    outcome = TABLE.special_gangs(GAME, 1, GAME.parse("ESWN CFP 159m 19p 1s"))
    assert value(outcome) == tuple(map(meld, ("{ESWN}", "{CFP}", "{1m1p1s}")))
    assert [one.kind for one in value(outcome)] == [SPECIAL_GANG] * 3
    assert {"CC-28", "CC-30", "CC-32"} <= cited(outcome)


@pytest.mark.proves("CC-34")
def test_dealt_9s_may_be_shown() -> None:
    outcome = TABLE.special_gangs(GAME, 1, GAME.parse("ESW CF 259m 249p 179s"))
    assert value(outcome) == (meld("{9m9p9s}"),)
    assert said(outcome) == "9万, 9饼 and 9条 were dealt and may be shown."
    assert value(TABLE.special_gangs(GAME, 1, GAME.parse("ESW CF 258m 249p 179s"))) == ()


@pytest.mark.proves("CC-39", "R17")
def test_a_special_gang_that_a_later_tile_completes_is_none() -> None:
    current = GAME.parse("CFP 258m 249p 17s {ESWN}")
    assert value(TABLE.special_gangs(GAME, 1, current)) == (meld("{CFP}"),)
    outcome = TABLE.special_gangs(GAME, 1, current, drawn=tiles("P"))
    assert value(outcome) == ()
    assert "together only with a tile drawn later" in said(outcome)
    assert value(TABLE.special_gangs(GAME, 1, current, drawn=tiles("7s"))) == (meld("{CFP}"),)


@pytest.mark.proves("CC-28", "CC-39", "R17")
@pytest.mark.parametrize(("seat", "why"), [(0, "before the first discard"), (2, "first draw or claim")])
def test_a_special_gang_is_shown_before_anything_else_or_never(seat: int, why: str) -> None:
    text = "ESWN 258m 249p 179s" + (" C" if seat == 0 else "")
    assert value(TABLE.special_gangs(GAME, seat, GAME.parse(text))) == (meld("{ESWN}"),)
    outcome = TABLE.special_gangs(GAME, seat, GAME.parse(text), moved=True)
    assert value(outcome) == ()
    assert why in said(outcome)
    assert cited(outcome) == {"CC-28", "CC-39"}


@pytest.mark.proves("CC-30", "R17", "special-gang-twice=yes")
def test_two_dealt_sets_of_one_kind_may_be_shown_as_two_gangs() -> None:
    two = TABLE.special_gangs(GAME, 1, GAME.parse("CCFFPP 123m 4567s"))
    assert value(two) == (meld("{CFP}"), meld("{CFP}"))
    assert value(TABLE.special_gangs(GAME, 1, GAME.parse("CFP {CFP} 123m 4567s"))) == (meld("{CFP}"),)


@pytest.mark.proves("CC-30", "R17", "special-gang-twice=no")
def test_where_one_of_a_kind_is_all_the_second_set_is_not_shown() -> None:
    table = ClaimRulings(house(special_gang_twice="no"))
    two = table.special_gangs(GAME, 1, GAME.parse("CCFFPP 123m 4567s"))
    assert value(two) == (meld("{CFP}"),)
    assert "a second set can only be added to it" in said(two)
    assert "second set" not in said(table.special_gangs(GAME, 1, GAME.parse("CCFFP 1123m 4567s")))
    assert value(table.special_gangs(GAME, 1, GAME.parse("CFP {CFP} 123m 4567s"))) == ()
    assert value(table.special_gangs(GAME, 1, GAME.parse("CFP {ESWN} 123m 4567s"))) == (meld("{CFP}"),)


@pytest.mark.proves("CC-29", "CC-31", "CC-33", "CC-35")
@pytest.mark.parametrize(
    ("special", "drawn", "other", "cite"),
    [
        ("{ESWN}", "S", "C", "CC-29"),
        ("{CFP}", "C", "E", "CC-31"),
        ("{1m1p1s}", "1p", "9p", "CC-33"),
        ("{9m9p9s}", "9s", "1s", "CC-35"),
    ],
)
def test_a_later_tile_of_the_kind_may_be_added_to_a_special_gang(
    special: str, drawn: str, other: str, cite: str
) -> None:
    outcome = TABLE.additions(GAME, 2, GAME.parse(f"234m 456p 77s 22s {special} +{drawn}"))
    assert value(outcome) == tiles(drawn)
    assert cited(outcome) == {cite}
    assert value(TABLE.additions(GAME, 2, GAME.parse(f"234m 456p 77s 22s {special} +{other}"))) == ()


@pytest.mark.proves("CC-40", "R17")
def test_the_dealer_adds_nothing_before_the_first_discard_but_may_make_a_concealed_gang() -> None:
    dealt = GAME.parse("{ESWN} E 123m 4444p 78s 5s")
    outcome = TABLE.additions(GAME, 0, dealt, first_turn=True)
    assert value(outcome) == ()
    assert cited(outcome) == {"CC-40"}
    assert value(TABLE.additions(GAME, 0, dealt)) == tiles("E")
    assert written(value(TABLE.own_gangs(GAME, dealt))) == ["[4444p]"]


@pytest.mark.proves("CC-41", "R17")
def test_the_others_may_add_all_their_tiles_in_a_row_at_once() -> None:
    outcome = TABLE.additions(GAME, 3, GAME.parse("{ESWN} EES 123m 456p 7s"), first_turn=True)
    assert value(outcome) == tiles("E E S")
    assert "CC-41" in cited(outcome)
    outcome = TABLE.additions(GAME, 3, GAME.parse("{ESWN} ES 123m 456p 78s"), first_turn=True)
    assert value(outcome) == tiles("E S")
    assert "They may all be added in a row." in said(outcome)


# Dadan


@pytest.mark.proves("CC-36", "R16", "dadan=dealt-only")
@pytest.mark.parametrize("code", [kind.code for kind in GAME.tiles.tiles])
def test_a_dadan_is_a_dealt_gang_of_1_bamboo_1_dots_or_a_dragon(code: str) -> None:
    assert value(TABLE.dadan(GAME, the(code), dealt=True)) is (code in ("1s", "1p", "C", "F", "P"))


@pytest.mark.proves("CC-39", "R16", "dadan=dealt-only")
@pytest.mark.parametrize("code", ["1s", "1p", "C", "F", "P"])
def test_a_gang_of_these_collected_later_is_no_dadan(code: str) -> None:
    outcome = TABLE.dadan(GAME, the(code), dealt=False)
    assert value(outcome) is False
    assert cited(outcome) == {"CC-36", "CC-39"}


@pytest.mark.proves("CC-36", "R16", "dadan=any-time")
def test_where_a_dadan_counts_at_any_time_it_need_not_be_dealt() -> None:
    table = ClaimRulings(house(dadan="any-time"))
    assert value(table.dadan(GAME, the("1s"), dealt=False)) is True
    assert value(table.dadan(GAME, the("C"), dealt=True)) is True
    assert value(table.dadan(GAME, the("1m"), dealt=False)) is False
    assert value(table.dadan(GAME, the("E"), dealt=True)) is False


@pytest.mark.proves("CC-36", "R16", "dadan-1m=no")
def test_four_1_characters_are_an_ordinary_gang() -> None:
    assert value(TABLE.dadan(GAME, the("1m"), dealt=True)) is False


@pytest.mark.proves("CC-36", "R16", "dadan-1m=yes")
def test_where_1_characters_count_four_dealt_ones_are_a_dadan() -> None:
    table = ClaimRulings(house(dadan_1m="yes"))
    assert value(table.dadan(GAME, the("1m"), dealt=True)) is True
    assert value(table.dadan(GAME, the("1m"), dealt=False)) is False
    assert value(table.dadan(GAME, the("9m"), dealt=True)) is False


# Robbing

YAODAN_GROWN = "{1m1p1s1s}"
WAITS_14S = "456m 777p 99p 123p 23s"
WAITS_14S_TOO = "456m 888p 99m 123p 23s"
PAIR_OF_1S = "11s 258m 369p ESWNC"


@pytest.mark.proves("CC-42", "CC-43", "R19", "rob-added-gang=special-only")
def test_a_later_addition_to_a_special_gang_may_be_robbed_to_win_or_to_peng() -> None:
    asked = hands(GAME, next=PAIR_OF_1S, opposite="23s 258m 369p ESWNC", previous=WAITS_14S)
    outcome = TABLE.robbers(GAME, 0, meld(YAODAN_GROWN), the("1s"), asked)
    assert value(outcome) == (Claim(1, PENG, meld("(111s)")), Claim(3, HU))
    assert cited(outcome) == {"CC-42", "CC-43", "CC-45"}
    assert value(TABLE.resolve(0, value(outcome), value(outcome))) == (Claim(3, HU),)


@pytest.mark.proves("CC-79", "R19")
def test_only_the_nearest_robs_to_win() -> None:
    asked = hands(GAME, next=WAITS_14S, previous=WAITS_14S_TOO)
    possible = value(TABLE.robbers(GAME, 0, meld(YAODAN_GROWN), the("1s"), asked))
    assert possible == (Claim(1, HU), Claim(3, HU))
    assert value(TABLE.resolve(0, possible, possible)) == (Claim(1, HU),)


@pytest.mark.proves("CC-42", "R18", "R19")
def test_an_addition_is_never_robbed_for_a_gang_or_a_sequence() -> None:
    asked = hands(GAME, next="23s 258m 369p ESWNC")
    outcome = TABLE.robbers(GAME, 0, meld(YAODAN_GROWN), the("1s"), asked)
    assert value(outcome) == ()
    assert said(outcome) == "Nobody can rob 1条: the addition stands."


@pytest.mark.proves("CC-43", "R19")
def test_neither_the_first_showing_nor_an_addition_of_a_dealt_tile_can_be_robbed() -> None:
    asked = hands(GAME, next=PAIR_OF_1S, previous=WAITS_14S)
    for outcome in (
        TABLE.robbers(GAME, 0, meld("{1m1p1s}"), None, asked),
        TABLE.robbers(GAME, 0, meld(YAODAN_GROWN), the("1s"), asked, dealt=True),
    ):
        assert value(outcome) == ()
        assert cited(outcome) == {"CC-43"}


@pytest.mark.proves("CC-43", "R19", "rob-added-gang=special-only")
def test_the_fourth_tile_on_a_peng_can_not_be_robbed() -> None:
    asked = hands(GAME, next="123m 456s 222s 99m 89p")
    outcome = TABLE.robbers(GAME, 0, meld("(7777p)"), the("7p"), asked)
    assert value(outcome) == ()
    assert cited(outcome) == {"CC-43"}


@pytest.mark.proves("CC-43", "R19", "rob-added-gang=any")
def test_where_any_addition_may_be_robbed_the_fourth_tile_on_a_peng_is_robbed_to_win_alone() -> None:
    table = ClaimRulings(house(rob_added_gang="any"))
    asked = hands(GAME, next="123m 456s 222s 99m 89p", opposite="56p 258m 369s ESWNC")
    assert value(table.robbers(GAME, 0, meld("(7777p)"), the("7p"), asked)) == (Claim(1, HU),)
    assert value(table.robbers(GAME, 0, meld("[7777p]"), None, asked)) == ()
    assert value(table.robbers(GAME, 0, meld("(7777p)"), None, asked)) == ()
    dealt = hands(GAME, next=PAIR_OF_1S)
    assert value(table.robbers(GAME, 0, meld(YAODAN_GROWN), the("1s"), dealt, dealt=True)) == ()


@pytest.mark.parametrize(("lying", "added"), [("(777p)", "7p"), ("[7777p]", "7p"), ("(7777p)", "8p")])
def test_what_is_no_addition_to_a_gang_is_an_error(lying: str, added: str) -> None:
    with pytest.raises(ValueError, match="is not added"):
        TABLE.robbers(GAME, 0, meld(lying), the(added), {})


@pytest.mark.proves("CC-44", "CC-45", "R19")
def test_after_a_robbing_peng_the_addition_is_void_and_play_goes_on_from_the_robber() -> None:
    pair = hands(GAME, opposite="EE 258m 369p 147s CF")
    (claim,) = value(TABLE.robbers(GAME, 1, meld("{EESWN}"), the("E"), {2: pair[2]}))
    assert claim == Claim(2, PENG, meld("(EEE)"))
    outcome = TABLE.after_robbing(1, claim)
    assert value(outcome) == Turn(2, DISCARD)
    assert "the addition is void, its player discards nothing" in said(outcome)


@pytest.mark.proves("CC-42", "CC-44", "R19")
def test_a_robbing_win_ends_the_hand_and_an_unrobbed_addition_draws_a_replacement() -> None:
    assert value(TABLE.after_robbing(1, Claim(0, HU))) == Turn(0, END)
    assert value(TABLE.after_robbing(1, None)) == Turn(1, REPLACE)
    with pytest.raises(ValueError, match="not chi"):
        TABLE.after_robbing(1, Claim(2, CHI))
    for claim in (Claim(1, HU), Claim(1, PENG)):
        with pytest.raises(ValueError, match="can't take a tile from seat 1"):
            TABLE.after_robbing(1, claim)


# Ready


@pytest.mark.proves("CC-46", "R26")
def test_ready_is_declared_with_a_discard_after_which_a_tile_legally_wins() -> None:
    full = GAME.parse(WAITS_14P + " 9m")
    outcome = TABLE.declaring(GAME, full, the("9m"))
    assert value(outcome) == tiles("1p 4p")
    assert "waits for 1饼 or 4饼" in said(outcome)
    assert value(TABLE.declaring(GAME, full, the("1m"))) == ()


@pytest.mark.proves("CC-46", "R26")
def test_a_wait_that_breaks_a_rule_does_not_let_ready_be_declared() -> None:
    no_bamboo = GAME.parse("123m 456m 777p 88p 23p 9s")
    assert value(TABLE.declaring(GAME, no_bamboo, the("9s"))) == ()


def test_ready_is_declared_in_ones_own_turn_with_a_tile_of_the_hand() -> None:
    with pytest.raises(ValueError, match="all its tiles"):
        TABLE.declaring(GAME, GAME.parse(WAITS_14P), the("1m"))
    with pytest.raises(ValueError, match="no 9s"):
        TABLE.declaring(GAME, GAME.parse(WAITS_14P + " 9m"), the("9s"))


@pytest.mark.proves("R15", "must-declare-ting=yes")
def test_where_ready_must_be_declared_a_silent_hand_may_still_declare_it() -> None:
    table, game = must_declare()
    assert value(table.declaring(game, game.parse(WAITS_14P + " 9m"), the("9m"))) == tiles("1p 4p")
    assert value(table.look(game, game.parse(WAITS_14P), the("4p"))) is True


@pytest.mark.proves("CC-46", "CC-53", "R26")
def test_claims_on_the_discard_come_first_then_the_dice_or_a_look_at_the_bao() -> None:
    assert value(TABLE.after_declaring(first=True)) == (CLAIMS, DICE, LOOK)
    later = TABLE.after_declaring(first=False)
    assert value(later) == (CLAIMS, LOOK)
    assert "need not" in said(later)


@pytest.mark.proves("CC-52", "CC-53", "R26")
def test_the_first_to_declare_is_locked_at_once_and_a_later_one_from_looking() -> None:
    assert value(TABLE.is_locked(first=True, looked=False)) is True
    assert value(TABLE.is_locked(first=False, looked=False)) is False
    assert value(TABLE.is_locked(first=False, looked=True)) is True


@pytest.mark.proves("CC-52", "CC-53", "R26")
def test_a_locked_hand_takes_no_chi_or_peng_but_may_win() -> None:
    chi = hands(GAME, next=RUN_WITH_4P)
    peng = hands(GAME, next=PAIR_OF_4P)
    for asked in (chi, peng):
        assert len(value(TABLE.claims(GAME, 0, the("4p"), asked, {1: LISTENING}))) == 1
        outcome = TABLE.claims(GAME, 0, the("4p"), asked, {1: LOCKED})
        assert value(outcome) == ()
        assert cited(outcome) == {"CC-52", "CC-53"}
    asked = hands(GAME, opposite=WAITS_14P)
    assert value(TABLE.claims(GAME, 0, the("4p"), asked, {2: LOCKED})) == (Claim(2, HU),)


@pytest.mark.proves("CC-52", "R26")
def test_a_locked_hand_robs_a_gang_to_win_alone() -> None:
    asked = hands(GAME, next=PAIR_OF_1S, previous=WAITS_14S)
    outcome = TABLE.robbers(GAME, 0, meld(YAODAN_GROWN), the("1s"), asked, {1: LOCKED, 3: LOCKED})
    assert value(outcome) == (Claim(3, HU),)
    assert "may not peng" in said(outcome)


ENDS_THE_WAIT = "123m 456p 99p 34445s"  # 4条 or 9饼, and a gang of 4条 leaves neither
CHANGES_THE_WAIT = "123m 456p 999p 4445s"  # 3条, 5条 or 6条, and a gang of 4条 leaves 5条
KEEPS_THE_WAIT = "123m 789p 777s 88s 23p"  # 1饼 or 4饼, with a gang of 7条 as well


@pytest.mark.proves("CC-47", "R20")
@pytest.mark.parametrize(
    ("text", "kind", "silent", "listening", "locked"),
    [
        (ENDS_THE_WAIT, "4s", True, False, False),
        (CHANGES_THE_WAIT, "4s", True, True, False),
        (KEEPS_THE_WAIT, "7s", True, True, True),
    ],
)
def test_a_gang_after_ready_must_keep_a_wait_and_after_the_bao_was_seen_the_very_same(
    text: str, kind: str, silent: bool, listening: bool, locked: bool
) -> None:
    gang = Claim(2, GANG, Meld.of(GANG, [the(kind)] * 4))
    for standing, allowed in ((FREE, silent), (LISTENING, listening), (LOCKED, locked)):
        found = TABLE.claims(GAME, 0, the(kind), hands(GAME, opposite=text), {2: standing})
        assert (gang in value(found)) is allowed
        own = TABLE.own_gangs(GAME, GAME.parse(f"{text} +{kind}"), standing)
        assert bool(value(own)) is allowed
        if not allowed:
            assert "CC-47" in cited(found) & cited(own)


@pytest.mark.proves("CC-47", "CC-52", "R26")
def test_a_locked_hand_gangs_with_the_drawn_tile_or_not_at_all() -> None:
    text = "7777s 89s 123m 456p 2p +5m"
    assert written(value(TABLE.own_gangs(GAME, GAME.parse(text)))) == ["[7777s]"]
    outcome = TABLE.own_gangs(GAME, GAME.parse(text), LOCKED)
    assert value(outcome) == ()
    assert "must use the drawn tile" in said(outcome)


@pytest.mark.proves("CC-29", "CC-47", "R20")
def test_a_locked_hand_may_still_add_a_drawn_tile_to_its_special_gang() -> None:
    drawn = GAME.parse("123m 456p 88s 23p {CFP} +C")
    assert value(TABLE.additions(GAME, 1, drawn, standing=LOCKED)) == tiles("C")
    pair = GAME.parse("123m 456p 78s CC {CFP} +9p")
    assert value(TABLE.additions(GAME, 1, pair)) == tiles("C C")
    assert value(TABLE.additions(GAME, 1, pair, standing=LISTENING)) == ()


def test_a_ready_hand_names_its_drawn_tile_and_waits_for_something() -> None:
    with pytest.raises(ValueError, match="set apart"):
        TABLE.own_gangs(GAME, GAME.parse("123m 456p 7777s 88s 23p"), LISTENING)
    with pytest.raises(ValueError, match="waits for a tile"):
        TABLE.own_gangs(GAME, GAME.parse("147m 258p 7777s ESW +C"), LISTENING)
    with pytest.raises(ValueError, match="set apart"):
        TABLE.locked_draw(GAME, GAME.parse("123m 456p 7777s 88s 23p"), None)


@pytest.mark.proves("CC-52", "R26")
@pytest.mark.parametrize(
    ("drawn", "bao", "acts"),
    [
        ("9m", None, (DISCARD,)),
        ("9m", "5s", (DISCARD,)),
        ("4p", None, (HU, DISCARD)),
        ("7s", None, (GANG, DISCARD)),
        ("9m", "9m", (HU, DISCARD)),
        ("7s", "7s", (HU, GANG, DISCARD)),
    ],
)
def test_a_locked_hand_discards_what_it_draws_unless_it_wins_or_gangs(
    drawn: str, bao: str | None, acts: tuple[str, ...]
) -> None:
    hand = GAME.parse(f"{KEEPS_THE_WAIT} +{drawn}")
    assert value(TABLE.locked_draw(GAME, hand, the(bao) if bao else None)) == acts


def test_a_locked_hand_may_add_what_it_draws() -> None:
    hand = GAME.parse("123m 456p 88s 23p {CFP} +C")
    assert value(TABLE.locked_draw(GAME, hand, None)) == (GANG, DISCARD)


# The bao


@pytest.mark.proves("CC-55", "R26")
def test_a_bao_that_the_hand_legally_waits_for_wins_at_once_on_looking() -> None:
    waiting = GAME.parse(WAITS_14P)
    assert [value(TABLE.look(GAME, waiting, bao)) for bao in tiles("1p 4p 7p 9m")] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.proves("CC-55", "R26")
def test_a_bao_that_completes_the_shape_against_a_rule_does_not_win_on_looking() -> None:
    assert value(TABLE.look(GAME, GAME.parse("123m 456m 777p 88p 23p"), the("4p"))) is False


BEST_5S = "111m 999p 4445s 222p"  # waits for 3条, 5条 and 6条; 5条 makes piaohu


@pytest.mark.proves("CC-56", "R11")
def test_a_bao_drawn_after_ready_wins_as_the_wait_that_pays_most() -> None:
    hand = GAME.parse(BEST_5S)
    assert GAME.waits(hand) == list(tiles("3s 5s 6s"))
    for bao in tiles("7m E 3s 5s"):
        assert value(TABLE.bao_stands_for(GAME, hand, bao, listening=True)) is the("5s")


@pytest.mark.proves("CC-56", "R11")
def test_a_bao_is_an_ordinary_tile_before_ready_and_where_it_is_discarded() -> None:
    hand = GAME.parse(BEST_5S)
    assert value(TABLE.bao_stands_for(GAME, hand, the("7m"), listening=False)) is None
    assert value(TABLE.bao_stands_for(GAME, hand, the("7m"), listening=True, discarded=True)) is None
    assert value(TABLE.claims(GAME, 0, the("7m"), {1: hand}, {1: LOCKED})) == ()


def test_a_bao_stands_for_nothing_where_nothing_is_waited_for() -> None:
    hand = GAME.parse("147m 258p 369s ESWN")
    assert value(TABLE.bao_stands_for(GAME, hand, the("7m"), listening=True)) is None


def test_a_bao_is_a_tile_of_the_game() -> None:
    flower: Tile = the("\U0001f022")
    with pytest.raises(ValueError, match="this game has no"):
        TABLE.look(GAME, GAME.parse(BEST_5S), flower)
    with pytest.raises(ValueError, match="this game has no"):
        TABLE.dadan(GAME, flower, dealt=True)


def test_a_chi_is_made_of_its_own_tiles() -> None:
    (claim,) = value(TABLE.claims(GAME, 0, the("4p"), hands(GAME, next=RUN_WITH_4P)))
    assert claim.meld == Meld.of(SEQUENCE, tiles("3p 4p 5p"))
    (claim,) = value(TABLE.claims(GAME, 0, the("4p"), hands(GAME, next=PAIR_OF_4P)))
    assert claim.meld == Meld.of(TRIPLET, tiles("4p 4p 4p"))


# A win among the dealt tiles


@pytest.mark.proves("R24", "CC-14")
def test_of_the_dealers_dealt_tiles_the_one_that_pays_most_counts_as_drawn() -> None:
    hand = GAME.parse("1233m 456p 7889s EEE")
    found = TABLE.dealt_win(GAME, hand)
    assert value(found) is None
    hand = GAME.parse("12344m 555p 789s EEE")
    drawn = value(TABLE.dealt_win(GAME, hand))
    worth = {
        kind: GAME.judge(hand.without(kind).with_winning(kind), Circumstances("self-draw", 0, None)).total
        for kind in set(hand.loose)
    }
    assert drawn is not None
    assert worth[drawn] == max(worth.values()) > min(worth.values())


@pytest.mark.proves("R24")
def test_a_win_on_a_replacement_or_the_last_draw_is_an_ordinary_self_draw() -> None:
    hand = GAME.parse("23488m 567p 34s [9999p] +5s")
    verdict = GAME.judge(hand, Circumstances("self-draw", 1, None))
    assert verdict.patterns == {"pinghu": 1, "zimo": 1}
    # There is no situation that could be named for it.
    assert not any(pattern.is_moment for pattern in GAME.patterns)


@pytest.mark.proves("R24")
def test_a_win_that_was_passed_bars_nothing() -> None:
    asked = hands(GAME, opposite=WAITS_14P)
    first = TABLE.claims(GAME, 0, the("4p"), asked)
    assert value(TABLE.resolve(0, value(first), [])) == ()
    again = TABLE.claims(GAME, 0, the("1p"), asked)
    assert value(again) == (Claim(2, HU),)
