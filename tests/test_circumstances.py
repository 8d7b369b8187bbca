"""How a hand was completed: what is assumed where nobody says, and what can't be."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from rules import HandError
from rules.circumstances import Circumstances, read
from rules.tiles import tile

CC = "123m 45556p 78s SSS +9s"
CC_SHORT = "123m 45556p 78s SSS"
CS = "12355m 45678p 789s +9p"
CS_SHORT = "12355m 45678p 789s"
CS_PENG = "12355m 45678p (999s) +9p"
CS_GANG = "12355m 45678p [9999s] +9p"


def circumstances(ruleset: str, text: str, given: dict[str, Any]) -> Circumstances:
    """The circumstances of a hand, read from strings."""
    game = rules.ruleset(ruleset)
    return read(game, game.parse(text), given)


def assert_refused(ruleset: str, text: str, given: dict[str, Any]) -> HandError:
    """These circumstances can't be, and the error says so in both languages."""
    with pytest.raises(HandError) as refused:
        circumstances(ruleset, text, given)
    error = refused.value
    assert error.code == "bad-context"
    assert error.at is None
    assert error.message.en.strip()
    assert error.message.zh.strip()
    return error


@pytest.mark.parametrize(("ruleset", "text"), [("changchun", CC), ("changsha", CS)])
def test_where_nobody_says_the_next_player_wins_on_the_dealers_discard(ruleset: str, text: str) -> None:
    assert circumstances(ruleset, text, {}) == Circumstances(
        by="discard", seat=1, discarder=0, listening=False, bao=None, moments=(), birds=None
    )


@pytest.mark.parametrize("by", ["discard", "robbed-gang"])
@pytest.mark.parametrize(("seat", "discarder"), [("0", 1), ("1", 0), ("2", 0), ("3", 0)])
def test_the_discarder_is_the_first_seat_that_is_not_the_winner(by: str, seat: str, discarder: int) -> None:
    for given in ({"by": by, "seat": seat}, {"by": by, "seat": int(seat)}):
        found = circumstances("changsha", CS, given)
        assert (found.seat, found.discarder) == (int(seat), discarder)


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("source", range(4))
def test_any_other_player_may_have_discarded(seat: int, source: int) -> None:
    given = {"seat": str(seat), "from": str(source)}
    if source == seat:
        assert_refused("changsha", CS, given)
        assert_refused("changchun", CC, given)
    else:
        assert circumstances("changsha", CS, given).discarder == source


@pytest.mark.parametrize(
    ("ruleset", "text", "given"),
    [
        ("changsha", CS, {"by": "self-draw"}),
        ("changchun", CC, {"by": "self-draw"}),
        ("changchun", CC, {"by": "bao-match", "listening": "1", "bao": "9s"}),
    ],
)
def test_a_self_draw_is_from_nobody(ruleset: str, text: str, given: dict[str, str]) -> None:
    assert circumstances(ruleset, text, given).discarder is None
    for source in ("0", "2", "3"):
        assert_refused(ruleset, text, {**given, "from": source})


@pytest.mark.parametrize("empty", ["", None, (), []])
def test_an_empty_input_is_one_not_given(empty: object) -> None:
    for key in ("by", "seat", "from", "listening", "bao"):
        assert circumstances("changchun", CC, {key: empty}) == Circumstances()
    for key in ("by", "seat", "from", "moments", "birds", "listening", "bao"):
        assert circumstances("changsha", CS, {key: empty}) == Circumstances()


def test_lists_are_comma_separated_or_sequences() -> None:
    for birds in ("2m,3p", " 2m , 3p ", ["2m", "3p"], ("2m", "3p")):
        assert circumstances("changsha", CS, {"birds": birds}).birds == (tile("2m"), tile("3p"))
    for moments in ("haidipao", ["haidipao"], ("haidipao",)):
        assert circumstances("changsha", CS, {"moments": moments}).moments == ("haidipao",)


def test_no_birds_are_told_apart_from_birds_that_nobody_named() -> None:
    assert circumstances("changsha", CS, {"birds": "0"}).birds == ()
    assert circumstances("changsha", CS, {}).birds is None


def test_ting_and_the_bao_are_read_in_changchun() -> None:
    found = circumstances("changchun", CC, {"listening": "1", "bao": "红中"})
    assert (found.listening, found.bao) == (True, tile("C"))
    assert circumstances("changchun", CC, {"listening": True}).listening
    assert not circumstances("changchun", CC, {"listening": "0"}).listening
    assert not circumstances("changchun", CC, {"listening": False}).listening


# Each circumstance that can't be, beside the nearest that can.
CANNOT_BE = [
    ("an unknown way", "changchun", CC, {"by": "steal"}, {"by": "discard"}),
    ("an unknown way", "changsha", CS, {"by": "Discard"}, {"by": "discard"}),
    ("a way of the other game", "changsha", CS, {"by": "bao-match"}, {"by": "self-draw"}),
    ("a seat beyond the table", "changsha", CS, {"seat": "4"}, {"seat": "3"}),
    ("a negative seat", "changsha", CS, {"seat": "-1"}, {"seat": "0"}),
    ("a seat that is no number", "changsha", CS, {"seat": "east"}, {"seat": "1"}),
    ("a discarder beyond the table", "changsha", CS, {"from": "4"}, {"from": "3"}),
    ("the winner's own discard", "changsha", CS, {"seat": "2", "from": "2"}, {"seat": "2", "from": "1"}),
    ("the default winner's own discard", "changsha", CS, {"from": "1"}, {"from": "2"}),
    (
        "robbing oneself",
        "changsha",
        CS,
        {"by": "robbed-gang", "from": "1"},
        {"by": "robbed-gang", "from": "2"},
    ),
    ("a discarder of a self-draw", "changchun", CC, {"by": "self-draw", "from": "0"}, {"by": "self-draw"}),
    ("ting in Changsha", "changsha", CS, {"listening": "1"}, {}),
    ("a bao in Changsha", "changsha", CS, {"bao": "1m"}, {}),
    ("moments in Changchun", "changchun", CC, {"moments": "haidilaoyue"}, {}),
    ("birds in Changchun", "changchun", CC, {"birds": "1m"}, {}),
    ("no birds in Changchun", "changchun", CC, {"birds": "0"}, {}),
    ("an input nobody knows", "changchun", CC, {"colour": "red"}, {}),
    ("an unclear flag", "changchun", CC, {"listening": "maybe"}, {"listening": "1"}),
    ("an unknown moment", "changsha", CS, {"moments": "qingyise"}, {"moments": "haidipao"}),
    ("a moment of the tiles", "changsha", CS, {"moments": "xiaohu"}, {"moments": "haidipao"}),
    ("two moments", "changsha", CS, {"moments": "haidipao,gangshangpao"}, {"moments": "gangshangpao"}),
    (
        "two self-drawn moments",
        "changsha",
        CS_GANG,
        {"by": "self-draw", "moments": "haidilaoyue,gangshanghua"},
        {"by": "self-draw", "moments": "haidilaoyue"},
    ),
    ("dihu and haidipao", "changsha", CS, {"moments": "dihu,haidipao"}, {"moments": "dihu"}),
    (
        "tianhu on a discard",
        "changsha",
        CS,
        {"seat": "0", "moments": "tianhu"},
        {"seat": "0", "by": "self-draw", "moments": "tianhu"},
    ),
    (
        "tianhu of another player",
        "changsha",
        CS,
        {"seat": "1", "by": "self-draw", "moments": "tianhu"},
        {"seat": "0", "by": "self-draw", "moments": "tianhu"},
    ),
    (
        "tianhu with a meld",
        "changsha",
        CS_PENG,
        {"seat": "0", "by": "self-draw", "moments": "tianhu"},
        {"seat": "0", "by": "self-draw"},
    ),
    (
        "tianhu with a concealed gang",
        "changsha",
        CS_GANG,
        {"seat": "0", "by": "self-draw", "moments": "tianhu"},
        {"seat": "0", "by": "self-draw", "moments": "gangshanghua"},
    ),
    ("dihu self-drawn", "changsha", CS, {"by": "self-draw", "moments": "dihu"}, {"moments": "dihu"}),
    (
        "dihu from another player",
        "changsha",
        CS,
        {"from": "2", "moments": "dihu"},
        {"from": "0", "moments": "dihu"},
    ),
    (
        "dihu of the dealer",
        "changsha",
        CS,
        {"seat": "0", "moments": "dihu"},
        {"seat": "3", "moments": "dihu"},
    ),
    ("dihu with a meld", "changsha", CS_PENG, {"moments": "dihu"}, {"moments": "haidipao"}),
    ("dihu with a concealed gang", "changsha", CS_GANG, {"moments": "dihu"}, {"moments": "haidipao"}),
    (
        "haidilaoyue on a discard",
        "changsha",
        CS,
        {"moments": "haidilaoyue"},
        {"by": "self-draw", "moments": "haidilaoyue"},
    ),
    (
        "haidipao self-drawn",
        "changsha",
        CS,
        {"by": "self-draw", "moments": "haidipao"},
        {"moments": "haidipao"},
    ),
    (
        "gangshanghua on a discard",
        "changsha",
        CS_GANG,
        {"moments": "gangshanghua"},
        {"by": "self-draw", "moments": "gangshanghua"},
    ),
    (
        "gangshanghua without a gang",
        "changsha",
        CS_PENG,
        {"by": "self-draw", "moments": "gangshanghua"},
        {"by": "self-draw", "moments": "haidilaoyue"},
    ),
    (
        "gangshanghua without a meld",
        "changsha",
        CS,
        {"by": "self-draw", "moments": "gangshanghua"},
        {"by": "self-draw", "moments": "haidilaoyue"},
    ),
    (
        "gangshangpao self-drawn",
        "changsha",
        CS,
        {"by": "self-draw", "moments": "gangshangpao"},
        {"moments": "gangshangpao"},
    ),
    (
        "qiangganghu on a discard",
        "changsha",
        CS,
        {"moments": "qiangganghu"},
        {"by": "robbed-gang", "moments": "qiangganghu"},
    ),
    (
        "qiangganghu self-drawn",
        "changsha",
        CS,
        {"by": "self-draw", "moments": "qiangganghu"},
        {"by": "robbed-gang"},
    ),
    (
        "a robbed gang that is also haidipao",
        "changsha",
        CS,
        {"by": "robbed-gang", "moments": "haidipao"},
        {"by": "robbed-gang"},
    ),
    (
        "a robbed gang that is also gangshangpao",
        "changsha",
        CS,
        {"by": "robbed-gang", "moments": "gangshangpao"},
        {"moments": "gangshangpao"},
    ),
    (
        "a robbed tile of no special gang",
        "changchun",
        "123m 45556p 79s SSS +8s",
        {"by": "robbed-gang"},
        {"by": "discard"},
    ),
    (
        "duibao without ting",
        "changchun",
        CC,
        {"by": "bao-match", "bao": "9s"},
        {"by": "self-draw", "bao": "9s"},
    ),
    (
        "duibao without a bao",
        "changchun",
        CC,
        {"by": "bao-match", "listening": "1"},
        {"by": "bao-match", "listening": "1", "bao": "9s"},
    ),
    (
        "duibao on another tile",
        "changchun",
        CC,
        {"by": "bao-match", "listening": "1", "bao": "6s"},
        {"by": "bao-match", "listening": "1", "bao": "9s"},
    ),
    (
        "duibao without a winning tile",
        "changchun",
        CC_SHORT,
        {"by": "bao-match", "listening": "1", "bao": "9s"},
        {"listening": "1", "bao": "9s"},
    ),
    ("a bao that is no tile", "changchun", CC, {"bao": "0m"}, {"bao": "1m"}),
    ("a bao of two tiles", "changchun", CC, {"bao": "12m"}, {"bao": "2m"}),
    ("a flower as bao", "changchun", CC, {"bao": "\U0001f022"}, {"bao": "\U0001f000"}),
    ("a wind as bird", "changsha", CS, {"birds": "E"}, {"birds": "1m"}),
    ("a bird that is no tile", "changsha", CS, {"birds": "1m,x"}, {"birds": "1m,9s"}),
    ("a flower as bird", "changsha", CS, {"birds": "\U0001f022"}, {"birds": "\U0001f010"}),
    ("no birds and a bird", "changsha", CS, {"birds": "0,1m"}, {"birds": "0"}),
]


@pytest.mark.parametrize(
    ("ruleset", "text", "given", "fine"), [row[1:] for row in CANNOT_BE], ids=[row[0] for row in CANNOT_BE]
)
def test_what_cannot_be_is_refused_and_what_is_nearest_to_it_is_fine(
    ruleset: str, text: str, given: dict[str, Any], fine: dict[str, Any]
) -> None:
    assert_refused(ruleset, text, given)
    assert circumstances(ruleset, text, fine)


@pytest.mark.parametrize("code", [*"ESWNCFP", "1m", "1p", "1s", "9m", "9p", "9s"])
def test_a_tile_of_a_special_gang_may_be_robbed_in_changchun(code: str) -> None:
    """CC-42, CC-43; R19."""
    assert circumstances("changchun", f"234m 5678p 678s 444s +{code}", {"by": "robbed-gang"})


@pytest.mark.parametrize("code", [f"{rank}{suit}" for suit in "mps" for rank in range(2, 9)])
def test_no_other_tile_may_be_robbed_in_changchun(code: str) -> None:
    """R19."""
    assert_refused("changchun", f"123m 999p 789s NNN E +{code}", {"by": "robbed-gang"})


def test_a_robbed_tile_may_be_any_in_changsha_of_which_the_hand_holds_no_other() -> None:
    """CS-35; S20: the 碰 that it was added to shows the other three."""
    assert circumstances("changsha", "12355m 45678p 789s +3p", {"by": "robbed-gang"})
    assert_refused("changsha", "12355m 45678p 789s +6p", {"by": "robbed-gang"})


@pytest.mark.parametrize("code", ["1m", "5p", "9s"])
def test_birds_may_be_any_tile_of_the_game_and_any_number(code: str) -> None:
    assert circumstances("changsha", CS, {"birds": f"{code},{code}"}).birds == (tile(code), tile(code))


def test_the_bao_and_the_birds_are_no_copies_of_the_hand() -> None:
    assert circumstances("changchun", "1111m 23m 555p 789s E +E", {"bao": "1m"}).bao is tile("1m")
    assert circumstances("changsha", "5555m 123456p 789s +1s", {"birds": "5m,5m"})
