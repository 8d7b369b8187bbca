"""What the tiles allow: 吃, 碰 and 杠 from a hand, and whose claim is whose."""

from __future__ import annotations

from itertools import combinations

import pytest

import rules
from rules import claims
from rules.claims import CHI, DISCARD, DRAW, END, HU, PASS, PENG, REPLACE, Claim, Turn
from rules.hands import GANG, SEQUENCE, SPECIAL_GANG, TRIPLET, Hand, Meld
from rules.notation import write, write_set
from rules.tiles import TILES, Tile, tile
from tests import dealing

GAME = rules.ruleset("changchun")


def hand(text: str) -> Hand:
    return GAME.parse(text)


def written(melds: tuple[Meld, ...]) -> list[str]:
    return [write_set(meld) for meld in melds]


@pytest.mark.parametrize(
    ("text", "discard", "found"),
    [
        ("34678m 159p 159s EW", "5m", ["(345m)", "(456m)", "(567m)"]),
        ("23m 159p 159s EESSW", "1m", ["(123m)"]),
        ("78m 159p 159s EESSW", "9m", ["(789m)"]),
        ("89m 159p 159s EESSW", "1m", []),
        ("57m 159p 159s EESSW", "4m", []),
        ("46p 159m 159s EESSW", "5s", []),
        ("4666m 159p 159s EES", "5m", ["(456m)"]),
    ],
)
def test_a_sequence_is_taken_with_the_two_other_tiles_of_the_suit(
    text: str, discard: str, found: list[str]
) -> None:
    assert written(claims.chis_of(hand(text), tile(discard))) == found


@pytest.mark.proves("CC-19")
def test_no_wind_or_dragon_is_taken_for_a_sequence() -> None:
    everything = Hand.of([t for t in TILES for _ in range(2)])
    for kind in TILES:
        assert bool(claims.chis_of(everything, kind)) is (kind.suit is not None)


def test_every_sequence_that_can_be_taken_is_found() -> None:
    """Against trying every two tiles of the hand."""
    for dealt in dealing.hands("changchun", 5, 300):
        waiting = hand(dealing.notation(*dealt[:3])).without_winning()
        for kind in TILES:
            tried = {
                tuple(sorted((*pair, kind)))
                for pair in combinations(waiting.loose, 2)
                if is_sequence(sorted((*pair, kind)))
            }
            assert {meld.tiles for meld in claims.chis_of(waiting, kind)} == tried


def is_sequence(three: list[Tile]) -> bool:
    first, second, third = three
    return (
        first.suit is not None
        and first.suit == second.suit == third.suit
        and (second.rank, third.rank) == (first.rank + 1, first.rank + 2)
    )


@pytest.mark.proves("CC-21", "CC-23")
def test_two_alike_take_a_triplet_and_three_alike_a_gang_also() -> None:
    assert claims.peng_of(hand("5m 159p 159s EESSWW"), tile("5m")) is None
    two = hand("55m 159p 159s EESSW")
    assert claims.peng_of(two, tile("5m")) == Meld.of(TRIPLET, [tile("5m")] * 3)
    assert claims.gang_of(two, tile("5m")) is None
    three = hand("555m 159p 159s EESS")
    assert claims.peng_of(three, tile("5m")) == Meld.of(TRIPLET, [tile("5m")] * 3)
    assert claims.gang_of(three, tile("5m")) == Meld.of(GANG, [tile("5m")] * 4)


def test_tiles_in_melds_take_nothing() -> None:
    exposed = hand("159p 159s EESS (555m)")
    assert claims.peng_of(exposed, tile("5m")) is None
    assert claims.gang_of(exposed, tile("5m")) is None
    assert claims.chis_of(hand("15p 159s EESSW (345m)"), tile("6m")) == ()


@pytest.mark.proves("CC-20")
@pytest.mark.parametrize(("discarder", "seat"), [(d, s) for d in range(4) for s in range(4) if s != d])
def test_only_the_player_after_the_discarder_takes_a_sequence(discarder: int, seat: int) -> None:
    found = claims.melds_with(seat, hand("46m 55m 159p 159s EES"), tile("5m"), discarder)
    actions = [claim.action for claim in found]
    assert actions == ([PENG, CHI] if seat == (discarder + 1) % 4 else [PENG])


@pytest.mark.proves("CC-24", "CC-25")
def test_ones_own_gangs_are_four_concealed_alike_and_the_fourth_tile_of_a_triplet() -> None:
    assert written(claims.own_gangs_of(hand("5555m 159p 7s (777s) (123m)"))) == ["[5555m]", "(7777s)"]
    assert written(claims.own_gangs_of(hand("555m 159p EESW (123m) +5m"))) == ["[5555m]"]
    assert claims.own_gangs_of(hand("555m 159p 159s EESSW")) == ()
    assert claims.own_gangs_of(hand("3m 159p 159s EES (345m) +1s")) == ()


def test_taking_a_discard_leaves_a_hand_that_must_discard_or_draw_a_replacement() -> None:
    waiting = hand("46m 555m 159p 159s EE")
    chi = claims.taken(waiting, Meld.of(SEQUENCE, [tile("4m"), tile("5m"), tile("6m")]), tile("5m"))
    assert write(chi) == "555m 159p 159s EE (456m)"
    peng = claims.taken(waiting, Meld.of(TRIPLET, [tile("5m")] * 3), tile("5m"))
    assert write(peng) == "456m 159p 159s EE (555m)"
    assert chi.is_full
    assert peng.is_full
    gang = claims.taken(waiting, Meld.of(GANG, [tile("5m")] * 4), tile("5m"))
    assert write(gang) == "46m 159p 159s EE (5555m)"
    assert not gang.is_full
    with pytest.raises(ValueError, match="no 5m"):
        claims.taken(hand("5m 159p 159s EESSWW"), Meld.of(TRIPLET, [tile("5m")] * 3), tile("5m"))


def test_laying_down_ones_own_gang_leaves_a_hand_one_tile_short() -> None:
    full = hand("5555m 7s (111m) (777s) (123p)")
    concealed, added = claims.own_gangs_of(full)
    assert write(claims.laid(full, concealed)) == "7s (111m) (777s) (123p) [5555m]"
    assert write(claims.laid(full, added)) == "5555m (111m) (7777s) (123p)"


def test_a_special_gang_grows_by_the_tile_that_is_added() -> None:
    grown = claims.grown(hand("123m 456p 7s E (111p) {ESWN}"), tile("E"))
    assert write(grown) == "123m 456p 7s (111p) {EESWN}"
    assert [(m.kind, m.special) for m in grown.melds] == [(TRIPLET, None), (SPECIAL_GANG, "xuanfenggang")]
    grown = claims.grown(hand("1s 456p 7s (123s) {1m1p1s} (999p)"), tile("1s"))
    assert write(grown) == "456p 7s (123s) {1m1p1s1s} (999p)"
    with pytest.raises(ValueError, match="takes C"):
        claims.grown(hand("123m 456p 789s CC {ESWN}"), tile("C"))


def test_a_discard_leaves_the_rest_of_the_hand() -> None:
    assert write(claims.without(hand("123m 456p 789s EE (111p)"), tile("E"))) == "123m 456p 789s E (111p)"
    with pytest.raises(ValueError, match="no C"):
        claims.without(hand("123m 456p 789s EE (111p)"), tile("C"))


def test_claims_stand_in_turn_order_and_passes_drop_out() -> None:
    possible = [Claim(0, HU), Claim(2, PENG), Claim(3, HU)]
    declared = [Claim(0, HU), Claim(2, PASS), Claim(3, HU)]
    assert claims.wished(possible, declared, 2) == (Claim(3, HU), Claim(0, HU))
    assert claims.wished(possible, declared, 1) == (Claim(3, HU), Claim(0, HU))
    assert claims.wished(possible, [], 1) == ()


@pytest.mark.parametrize(
    ("declared", "complaint"),
    [
        ([Claim(2, HU), Claim(2, PENG)], "seat 2 declares 2 claims"),
        ([Claim(3, PENG)], "seat 3 can't peng"),
        ([Claim(4, PASS)], "a seat is 0 to 3"),
    ],
)
def test_a_claim_that_nobody_can_make_is_an_error(declared: list[Claim], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        claims.wished([Claim(2, HU), Claim(2, PENG)], declared, 1)


@pytest.mark.parametrize(
    ("claim", "turn"),
    [
        (None, Turn(0, DRAW)),
        (Claim(2, PASS), Turn(0, DRAW)),
        (Claim(2, PENG), Turn(2, DISCARD)),
        (Claim(0, CHI), Turn(0, DISCARD)),
        (Claim(1, GANG), Turn(1, REPLACE)),
        (Claim(1, HU), Turn(1, END)),
    ],
)
def test_who_takes_a_tile_moves_next_and_else_the_next_player_draws(claim: Claim | None, turn: Turn) -> None:
    assert claims.next_move(3, claim, {}).value == turn


@pytest.mark.parametrize(
    ("giver", "given", "hands", "complaint"),
    [
        (4, "5m", {}, "a seat is 0 to 3"),
        (0, "5m", {0: "123m 456p 789s EESS"}, "seat 0 can't take a tile from seat 0"),
        (0, "5m", {5: "123m 456p 789s EESS"}, "seat 5 can't"),
        (0, "5m", {1: "123m 456p 789s EESS W"}, "one short"),
        (0, "5m", {1: "55m 159p 159s EESSW", 2: "55m 159p 159s EESSW"}, "only four 5m"),
    ],
)
def test_a_question_that_can_not_be_is_an_error(
    giver: int, given: str, hands: dict[int, str], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        claims.check_question(GAME.tiles, giver, [tile(given)], {s: hand(t) for s, t in hands.items()})


def test_a_tile_of_another_game_is_an_error() -> None:
    with pytest.raises(ValueError, match="has no E"):
        claims.check_question(rules.ruleset("changsha").tiles, 0, [tile("E")], {})


def test_a_claim_that_has_no_name_is_an_error() -> None:
    with pytest.raises(ValueError, match="'kong'"):
        claims.next_move(0, Claim(1, "kong"), {})


def test_a_claim_is_told_in_the_tiles_that_make_it() -> None:
    found = claims.melds_with(1, hand("46m 555m 159p 159s EE"), tile("5m"), 0)
    assert [claims.claim_words(GAME.tiles, claim, tile("5m"), 0).en for claim in found] == [
        "The next player holds two 5万 and may peng.",
        "The next player holds three 5万 and may gang.",
        "The next player may chi 5万 with 4万 and 6万.",
    ]
    assert claims.claim_words(GAME.tiles, Claim(3, HU), tile("1s"), 1) == (
        "The player opposite waits for 1条 and may win.",
        "对家听幺鸡，可以胡。",
    )
