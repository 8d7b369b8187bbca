"""What holds for the claims of both games: words, sources, and answers to what can't be."""

from __future__ import annotations

from typing import TypeVar

import pytest

import rules
from rules.hands import Hand
from rules.house import House
from rules.regions.changchun.claims import ClaimRulings as Changchun
from rules.regions.changsha.claims import ClaimRulings as Changsha
from rules.table import Outcome, Table
from rules.tiles import Tile, tiles
from tests.test_words import assert_cites, complaint

T = TypeVar("T")
PREFIX = {"CC": "changchun", "CS": "changsha"}
CHANGCHUN, CHANGSHA = rules.ruleset("changchun"), rules.ruleset("changsha")


def value(outcome: Outcome[T]) -> T:
    """What an outcome says, its reasons being written as reasons should be."""
    assert outcome.reasons
    assert len(set(outcome.reasons)) == len(outcome.reasons)
    for message, cites in outcome.reasons:
        assert complaint(message, sentence=True) is None
        if cites:
            assert_cites(PREFIX[cites[0][:2]], cites)
    return outcome.value


def said(outcome: Outcome[T]) -> str:
    """The English reasons in one string."""
    value(outcome)
    return " ".join(reason.message.en for reason in outcome.reasons)


def cited(outcome: Outcome[T]) -> set[str]:
    """The ids that the reasons rest on."""
    return {cite for reason in outcome.reasons for cite in reason.cites}


def hands(game: rules.Ruleset, **texts: str) -> dict[int, Hand]:
    """The hands of seats: `hands(game, next="…", opposite="…", previous="…")` for the dealer's discard."""
    seats = {"dealer": 0, "next": 1, "opposite": 2, "previous": 3}
    return {seats[name]: game.parse(text) for name, text in texts.items()}


def the(code: str) -> Tile:
    (kind,) = tiles(code)
    return kind


@pytest.mark.parametrize("table", [Changchun(), Changsha()], ids=PREFIX.values())
def test_every_ruling_has_words_in_both_languages_and_rests_on_something(table: Table) -> None:
    (key,) = {PREFIX[cite[:2]] for ruling in table.rulings for cite in ruling.cites}
    for ruling in table.rulings:
        assert complaint(ruling.name) is None
        assert complaint(ruling.meaning, sentence=True) is None
        assert ruling.cites
        assert_cites(key, ruling.cites)
    keys = [ruling.key for ruling in table.rulings]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("table", [Changchun(), Changsha()], ids=PREFIX.values())
def test_turns_go_to_the_next_player_the_one_opposite_and_the_previous_one(
    table: Changchun | Changsha,
) -> None:
    assert [value(table.turn_order(seat)) for seat in range(4)] == [
        (1, 2, 3),
        (2, 3, 0),
        (3, 0, 1),
        (0, 1, 2),
    ]
    with pytest.raises(ValueError, match="a seat is 0 to 3"):
        table.turn_order(4)


@pytest.mark.parametrize(
    ("table", "game"), [(Changchun(), CHANGCHUN), (Changsha(), CHANGSHA)], ids=PREFIX.values()
)
def test_no_reason_names_a_compass_direction(table: Changchun | Changsha, game: rules.Ruleset) -> None:
    words = [text for ruling in table.rulings for text in (ruling.name, ruling.meaning)]
    words += [reason.message for reason in table.turn_order(0).reasons]
    for text in words:
        assert "clockwise" not in text.en
        assert "时针" not in text.zh


@pytest.mark.parametrize(
    ("table", "game"), [(Changchun(), CHANGCHUN), (Changsha(), CHANGSHA)], ids=PREFIX.values()
)
def test_a_tile_that_serves_nobody_is_left_lying(table: Changchun | Changsha, game: rules.Ruleset) -> None:
    outcome = table.claims(game, 3, the("5m"), {0: game.parse("258m 1447p 2336s 99s")})
    assert value(outcome) == ()
    assert said(outcome) == "Nobody can do anything with 5万."


@pytest.mark.parametrize(
    ("table", "game"), [(Changchun(), CHANGCHUN), (Changsha(), CHANGSHA)], ids=PREFIX.values()
)
def test_the_claims_on_a_tile_are_refused_where_the_hands_can_not_be(
    table: Changchun | Changsha, game: rules.Ruleset
) -> None:
    waiting = game.parse("123m 456p 789s 22s 56m")
    for discarder, kind, given in (
        (0, the("5m"), {0: waiting}),
        (7, the("5m"), {}),
        (0, the("5m"), {1: game.parse("123m 456p 789s 22s 56m +7m")}),
        (0, the("5m"), {1: game.parse("55m 456p 789s 22s 567m"), 2: waiting}),
    ):
        with pytest.raises(ValueError, match=r"seat|one short|only four"):
            table.claims(game, discarder, kind, given)


def house(**chosen: str) -> House:
    """A house by options written with underscores."""
    return House({key.replace("_", "-"): value for key, value in chosen.items()})
