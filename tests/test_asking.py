"""The table asked in text: what every ruling takes, how answers are written, and what can't be asked."""

from __future__ import annotations

import inspect
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command

import rules
from rules import HandError, Ruleset, asking
from rules.circumstances import Circumstances
from rules.claims import Claim, Turn
from rules.table import Ruling
from rules.tiles import tile
from rules.wall import Break, Drawn, Place, Wall
from tests.conftest import real_content

CHANGCHUN, CHANGSHA = GAMES = tuple(rules.rulesets().values())
# What a settlement is made of; a scenario says it, not a question to the table.
SETTLEMENT = {"Prize", "Gang", "Text"}
SUPPLIED = {"Ruleset"}

CHI = "46m 258p 147s ESWCF"
PENG = "55m 258p 147s ESWCF"
GANG = "555m 28p 147s ESWCF"
HU = "46m 123p 111s 99s EEE"


def parameters(game: Ruleset, ruling: Ruling) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(getattr(game.table, ruling.method)).parameters)


def kind_of(parameter: inspect.Parameter) -> str:
    return str(parameter.annotation).removesuffix(" | None")


def can_be_asked(game: Ruleset, ruling: Ruling) -> bool:
    """Whether a ruling has one answer, and all that it needs can be written."""
    method = getattr(game.table, ruling.method)
    answers = str(inspect.signature(method).return_annotation).startswith("Outcome")
    needed = [p for p in parameters(game, ruling).values() if p.default is inspect.Parameter.empty]
    return answers and not {kind_of(p) for p in needed} & SETTLEMENT


def mappings(plain: Any) -> Iterator[dict[str, Any]]:
    """Every mapping in a tree of plain data."""
    if isinstance(plain, dict):
        yield plain
    for inner in plain.values() if isinstance(plain, dict) else plain if isinstance(plain, list) else ():
        yield from mappings(inner)


def asked_in_content() -> set[tuple[str, str]]:
    """Every ruling that the lessons and rule pages ask, as game and key."""
    found = set()
    for place, piece in real_content().pieces.items():
        if place.startswith(("question/", "picked/")):
            continue
        for mapping in mappings(piece):
            game = mapping.get("game") or next((key for key in rules.rulesets() if f"/{key}" in place), "")
            if "ask" in mapping:
                found.add((game, mapping["ask"]))
            if "gets" in mapping:
                way = {"added": "robbing", "opened": "kai-claims", "tile": "claims"}
                found |= {(game, key) for word, key in way.items() if word in mapping["gets"]}
                found.add((game, "priority"))
    return found


# What is asked


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_ruling_that_can_be_asked_in_text_is_asked_by_a_lesson_or_a_rule_page(game: Ruleset) -> None:
    asked = asked_in_content()
    keys = [ruling.key for ruling in game.table.rulings if can_be_asked(game, ruling)]
    assert len(keys) > 30
    assert [key for key in keys if (game.key, key) not in asked] == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_everything_that_a_ruling_takes_can_be_written_unless_a_settlement_holds_it(game: Ruleset) -> None:
    kinds = {kind_of(p) for ruling in game.table.rulings for p in parameters(game, ruling).values()}
    assert len(kinds) > 10
    assert kinds - set(asking.READERS) - SUPPLIED - SETTLEMENT == set()


def test_nothing_can_be_read_that_no_ruling_takes() -> None:
    kinds = {kind_of(p) for game in GAMES for r in game.table.rulings for p in parameters(game, r).values()}
    assert set(asking.READERS) - kinds == set()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_whoever_asks_is_told_what_a_ruling_takes_without_the_game(game: Ruleset) -> None:
    for ruling in game.table.rulings:
        named = [said.partition(": ")[0] for said in asking.parameters(game, ruling.key)]
        assert named == [name for name in parameters(game, ruling) if name != "game"]


# Reading what is given, and writing the answer


@pytest.mark.parametrize(
    ("game", "key", "given", "told"),
    [
        # numbers, dice and seats
        (CHANGCHUN, "stacks", {"seat": "1"}, ["17"]),
        (CHANGSHA, "stacks", {"seat": "1"}, ["13"]),
        (CHANGCHUN, "dice", {"dice": "3 4"}, ["7"]),
        (CHANGCHUN, "dice", {"dice": ["3", "4"]}, ["7"]),
        (CHANGCHUN, "dice", {"dice": "3,4"}, ["7"]),
        (CHANGCHUN, "wall-break", {"first": "3 4", "second": "2 5"}, ["2:7"]),
        (CHANGCHUN, "wall-break", {"first": "1 4", "second": "6 6"}, ["0:12"]),
        (CHANGCHUN, "reserve", {"gangs": "2"}, ["8"]),
        (CHANGCHUN, "reserve", {"gangs": 2}, ["8"]),
        (CHANGSHA, "bird-seat", {"number": "5", "winner": "2"}, ["0"]),
        (CHANGSHA, "win-points", {"big_wins": ["1", "2"], "with_dealer": "yes"}, ["21"]),
        # what may be none or left out
        (CHANGCHUN, "next-dealer", {"winners": "2"}, ["1"]),
        (CHANGCHUN, "next-dealer", {"winners": []}, ["0"]),
        (CHANGSHA, "next-dealer", {"winners": "1 3", "discarder": "0"}, ["0"]),
        (CHANGSHA, "next-dealer", {"winners": []}, ["none"]),
        (CHANGCHUN, "next-to-act", {"discarder": "none", "claim": "none"}, ["0:discard"]),
        (CHANGCHUN, "next-to-act", {"discarder": None}, ["0:discard"]),
        (CHANGCHUN, "next-to-act", {"discarder": "0", "claim": "none"}, ["1:draw"]),
        # yes and no
        (CHANGCHUN, "must-discard", {"after": "peng", "wins": "no"}, ["yes"]),
        (CHANGCHUN, "must-discard", {"after": "peng", "wins": "yes"}, ["no"]),
        (CHANGCHUN, "must-discard", {"after": "peng", "wins": True}, ["no"]),
        (CHANGSHA, "last-tile-taker", {"next_to_draw": "2", "answers": "no yes"}, ["3"]),
        # tiles, hands, melds
        (CHANGCHUN, "dadan", {"kind": "1m", "dealt": "yes"}, ["no"]),
        (CHANGCHUN, "dadan", {"kind": "1s", "dealt": "yes"}, ["yes"]),
        (CHANGSHA, "last-tile-bird", {"tile": "5m"}, ["5m"]),
        (CHANGCHUN, "declaring", {"hand": "123m 456p 789s EEE 5p 6p", "discard": "6p"}, ["5p"]),
        (CHANGCHUN, "own-gangs", {"hand": "1111m 456p 789s EEE 5p"}, ["[1111m]"]),
        (CHANGCHUN, "down-to-one", {"melds": ["(123m)", "(555p)", "(777s)", "(EEE)"]}, ["no"]),
        (CHANGCHUN, "down-to-one", {"melds": ["(222m)", "(555p)", "(777s)", "(EEE)"]}, ["yes"]),
        (
            CHANGCHUN,
            "special-gangs",
            {"seat": "1", "hand": "ESWN 123m 456p 789s C", "drawn": [], "moved": "no"},
            ["{ESWN}"],
        ),
        (
            CHANGCHUN,
            "special-gangs",
            {"seat": "1", "hand": "ESWN 123m 456p 789s C", "drawn": ["N"], "moved": "no"},
            [],
        ),
        (CHANGSHA, "kai-win", {"opener": "1", "hand": "123m 456p 22s 56s (9999m)", "kinds": "4s 1p"}, ["4s"]),
        (CHANGSHA, "bu-win", {"seat": "2", "hand": "123m 456p 22s 56s (9999m)", "kind": "4s"}, ["self-draw"]),
        # claims and what binds a seat
        (CHANGCHUN, "next-to-act", {"discarder": "0", "claim": "2:peng:(555m)"}, ["2:discard"]),
        (CHANGCHUN, "after-robbing", {"adder": "0", "claim": "2:hu"}, ["2:end"]),
        (CHANGSHA, "after-robbing", {"adder": "0", "winners": "1:hu 3:hu"}, ["1:end"]),
        (CHANGCHUN, "claims", {"discarder": "0", "kind": "5m", "hands": {"1": CHI}}, ["1:chi"]),
        (
            CHANGCHUN,
            "claims",
            {"discarder": "0", "kind": "5m", "hands": {"1": CHI}, "standings": {"1": {"locked": "yes"}}},
            [],
        ),
        (
            CHANGCHUN,
            "priority",
            {"giver": "0", "possible": ["1:chi:(456m)", "2:hu"], "declared": ["1:chi:(456m)", "2:hu"]},
            ["2:hu"],
        ),
        # the wall
        (CHANGCHUN, "replacement", {"wall": {"stacks": "68", "drawn": "53"}}, ["134"]),
        (CHANGCHUN, "replacement", {"wall": {"stacks": "68", "drawn": "53", "replaced": "1"}}, ["135"]),
        (CHANGCHUN, "bao-place", {"wall": {"stacks": "68", "drawn": "53"}, "dice": "3 4"}, ["61:upper"]),
        (
            CHANGSHA,
            "opened-stack",
            {"wall": {"stacks": "54", "drawn": "53"}, "dice": "3 4"},
            ["7 94 95"],
        ),
        (CHANGSHA, "last-tile", {"wall": {"stacks": "54", "drawn": "107"}}, ["yes"]),
        (CHANGSHA, "last-tile", {"wall": {"stacks": "54", "drawn": "106"}}, ["no"]),
        (CHANGCHUN, "deal", {"wall": {"stacks": "68"}, "first": "0"}, ["14", "13", "13", "13"]),
    ],
    ids=lambda value: value.key if isinstance(value, Ruleset) else None,
)
def test_a_ruling_is_asked_and_answered_in_text(
    game: Ruleset, key: str, given: dict[str, Any], told: list[str]
) -> None:
    outcome = asking.ask(game, key, given)
    assert list(asking.told(outcome.value)) == told
    assert outcome.reasons
    for reason in outcome.reasons:
        assert reason.message.en.strip()
        assert reason.message.zh.strip()


def test_a_table_of_the_house_is_asked_as_it_plays() -> None:
    given = {"first": "3 4"}
    usual = asking.told(asking.ask(CHANGCHUN, "first-taker", given).value)
    own = asking.told(
        asking.ask(CHANGCHUN.with_options({"first-taker": "dealer"}), "first-taker", given).value
    )
    assert (usual, own) == (("2",), ("0",))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, ("none",)),
        (True, ("yes",)),
        (False, ("no",)),
        (8, ("8",)),
        ("bu", ("bu",)),
        ((), ()),
        (("bu", "kai"), ("bu", "kai")),
        (tile("5m"), ("5m",)),
        ((tile("5m"), tile("E")), ("5m", "E")),
        (CHANGCHUN.parse("123m 456p 789s E (555p)").melds[0], ("(555p)",)),
        (Claim(1, "peng"), ("1:peng",)),
        (Turn(2, "draw"), ("2:draw",)),
        (Break(2, 7), ("2:7",)),
        (Place(61, upper=True), ("61:upper",)),
        (Place(0, upper=False), ("0:lower",)),
        (Drawn(134, Wall.numbered(2)), ("134",)),
        (Circumstances("self-draw", 2, None), ("self-draw",)),
    ],
    ids=repr,
)
def test_an_answer_is_written_in_short_texts(value: Any, told: tuple[str, ...]) -> None:
    assert asking.told(value) == told


# What can't be asked


@pytest.mark.parametrize(
    ("key", "given", "said"),
    [
        ("nothing", {}, "changchun has no table ruling 'nothing'"),
        ("kai-lock", {}, "changchun has no table ruling 'kai-lock'"),
        ("reserve", {}, "reserve needs gangs"),
        ("robbing", {"meld": "(5555m)"}, "robbing needs adder"),
        ("reserve", {"gang": "1"}, "reserve takes gangs, special, added, not gang"),
        ("reserve", {"gangs": "1", "x": "1", "y": "2"}, "not x, y"),
        ("claims", {"game": "x", "discarder": "0", "kind": "5m", "hands": {}}, "game can't be given in text"),
        ("win-pays", {"prize": "5"}, "prize can't be given in text"),
        ("gang-points", {"gang": "(5555m)"}, "gang can't be given in text"),
        ("points", {"fan": "5"}, "points is no question with one answer"),
        ("reserve", {"gangs": "many"}, "many"),
        ("must-discard", {"after": "peng", "wins": "maybe"}, "yes or no, not 'maybe'"),
        ("must-discard", {"after": "jump", "wins": "no"}, "not 'jump'"),
        ("dice", {"dice": "9 9"}, "two dice show 1 to 6"),
        ("dice", {"dice": None}, "dice can't be read from None"),
        ("dadan", {"kind": "0m", "dealt": "no"}, "no tile is written '0m'"),
        ("declaring", {"hand": "zz", "discard": "5m"}, "“z” needs digits before it"),
        ("declaring", {"hand": "123m 456p 789s EEE 5p 6p", "discard": "56p"}, "no tile is written '56p'"),
        ("down-to-one", {"melds": ["5m"]}, "one meld is needed, not '5m'"),
        ("down-to-one", {"melds": ["(555m)(666m)"]}, "one meld is needed"),
        ("claims", {"discarder": "0", "kind": "5m", "hands": "46m"}, "hands can't be read from '46m'"),
        ("own-gangs", {"hand": "1111m 456p 789s EEE 5p", "standing": "yes"}, "standing can't be read from"),
        ("next-to-act", {"discarder": "0", "claim": "1:grab"}, "no claim is called 'grab'"),
        ("replacement", {"wall": "68"}, "wall can't be read from '68'"),
        ("replacement", {"wall": {"drawn": "3"}}, "wall can't be read from"),
        ("replacement", {"wall": {"stacks": "2", "drawn": "9"}}, "no tile is left in the wall"),
        ("turn-order", {"seat": "7"}, "a seat is 0 to 3, not 7"),
    ],
)
def test_what_cant_be_asked_is_refused_with_a_sentence(key: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        asking.ask(CHANGCHUN, key, given)


def test_a_hand_that_cant_be_read_is_refused_as_everywhere() -> None:
    with pytest.raises(HandError) as refused:
        asking.ask(CHANGCHUN, "own-gangs", {"hand": "11111m"})
    assert refused.value.code == "too-many-copies"


# Who gets a tile

WAITS_47M = "123m 456p 789s 22s 56m"
PAIR_OF_4M = "44m 258p 369s 17p 14s 9m"
CS_HU, CS_HU_TOO = "46m 123p 789p 777s 55s", "46m 234p 678p 333s 88s"


@pytest.mark.parametrize(
    ("game", "given", "claims"),
    [
        # Only the next player may chi; peng comes before chi, a win before both.
        (CHANGCHUN, {"tile": "5m", "hands": {"1": CHI}}, ["1:chi"]),
        (CHANGCHUN, {"tile": "5m", "hands": {"2": CHI}}, []),
        (CHANGCHUN, {"tile": "5m", "hands": {"1": CHI, "2": PENG}}, ["2:peng"]),
        (CHANGCHUN, {"tile": "5m", "hands": {"1": CHI, "2": PENG, "3": HU}}, ["3:hu"]),
        (CHANGCHUN, {"tile": "9m", "hands": {"1": CHI, "2": PENG, "3": HU}}, []),
        # Who passes or takes less is passed over.
        (CHANGCHUN, {"tile": "5m", "hands": {"1": CHI, "2": PENG}, "declared": {"2": "pass"}}, ["1:chi"]),
        (
            CHANGCHUN,
            {"tile": "5m", "hands": {"1": CHI, "2": PENG}, "declared": {"1": "pass", "2": "pass"}},
            [],
        ),
        (CHANGCHUN, {"tile": "5m", "hands": {"2": GANG}}, ["2:gang"]),
        (CHANGCHUN, {"tile": "5m", "hands": {"2": GANG}, "declared": {"2": "peng"}}, ["2:peng"]),
        # Of several winners Changchun has the nearest, Changsha all, who passes too once one wins.
        (CHANGCHUN, {"tile": "5m", "hands": {"1": HU, "3": HU}}, ["1:hu"]),
        (CHANGCHUN, {"tile": "5m", "hands": {"1": HU, "3": HU}, "declared": {"1": "pass"}}, ["3:hu"]),
        (CHANGSHA, {"tile": "5m", "hands": {"1": CS_HU, "3": CS_HU_TOO}}, ["1:hu", "3:hu"]),
        (
            CHANGSHA,
            {"tile": "5m", "hands": {"1": CS_HU, "3": CS_HU_TOO}, "declared": {"1": "pass"}},
            ["1:hu", "3:hu"],
        ),
        (
            CHANGSHA,
            {"tile": "5m", "hands": {"1": CS_HU, "3": CS_HU_TOO}, "declared": {"1": "pass", "3": "pass"}},
            [],
        ),
        # What binds a seat.
        (CHANGCHUN, {"tile": "5m", "hands": {"1": CHI}, "standings": {"1": {"locked": "yes"}}}, []),
        (
            CHANGSHA,
            {"tile": "5m", "hands": {"1": CS_HU, "3": CS_HU_TOO}, "standings": {"1": {"missed": "9"}}},
            ["3:hu"],
        ),
        # Robbing: a tile added to a special gang in Changchun, to a peng in Changsha.
        (CHANGCHUN, {"added": "5s", "meld": "(5555s)", "hands": {"1": "123m 555p 22p 678s 34s"}}, []),
        (CHANGSHA, {"added": "5s", "meld": "(5555s)", "hands": {"1": "123m 555p 22p 678s 34s"}}, ["1:hu"]),
        (
            CHANGCHUN,
            {"added": "1p", "meld": "{1m1p1s1p}", "hands": {"3": "23p 567m 88m 999s 345s"}},
            ["3:hu"],
        ),
        (CHANGCHUN, {"added": "1p", "meld": "{1m1p1s1p}", "hands": {"2": "11p 23467m 678s ENC"}}, ["2:peng"]),
        # Two tiles at once, after a gang that was opened.
        (CHANGSHA, {"opened": "4m 7m", "hands": {"1": WAITS_47M, "2": PAIR_OF_4M}}, ["1:hu"]),
        (CHANGSHA, {"opened": ["4m", "7m"], "hands": {"2": PAIR_OF_4M}}, ["2:peng"]),
        (CHANGSHA, {"opened": "1p 9p", "hands": {"2": PAIR_OF_4M}}, []),
    ],
    ids=lambda value: value.key if isinstance(value, Ruleset) else None,
)
def test_a_tile_goes_to_whom_the_table_gives_it(
    game: Ruleset, given: dict[str, Any], claims: list[str]
) -> None:
    outcome = asking.gets(game, {"from": "0", **given})
    assert list(asking.told(outcome.value)) == claims
    assert outcome.reasons
    assert len(set(outcome.reasons)) == len(outcome.reasons)


def test_who_gets_a_tile_is_told_with_what_each_could_have_done() -> None:
    given = {"tile": "5m", "from": "0", "hands": {"1": CHI, "2": PENG}}
    assert asking.told(asking.possible(CHANGCHUN, given).value) == ("1:chi", "2:peng")
    said = " ".join(reason.message.en for reason in asking.gets(CHANGCHUN, given).reasons)
    assert "The next player may chi 5万 with 4万 and 6万." in said
    assert "that comes before the chi of the next player." in said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"tile": "5m", "hands": {"1": CHI}}, "from"),
        ({"from": "0", "hands": {"1": CHI}}, "tile"),
        ({"added": "5m", "from": "0", "hands": {}}, "meld"),
        ({"tile": "5m", "from": "0", "hands": {"1": CHI}, "declared": ["pass"]}, "declared"),
        ({"tile": "5m", "from": "0"}, "claims needs hands"),
        ({"tile": "5m", "from": "0", "hands": "46m"}, "hands can't be read from '46m'"),
        ({"tile": "5m", "from": "0", "hands": {"1": "46m"}}, "it should have 13"),
        ({"tile": "5m", "from": "0", "hands": {"0": CHI}}, "seat 0 can't take a tile from seat 0"),
        ({"tile": "5m", "from": "x", "hands": {"1": CHI}}, "'x'"),
        ({"tile": "5m", "from": "0", "hands": {"1": CHI}, "declared": {"1": "steal"}}, "can't steal here"),
        ({"tile": "5m", "from": "0", "hands": {"1": CHI}, "declared": {"2": "peng"}}, "can't peng here"),
        ({"opened": "4m 7m", "from": "0", "hands": {}}, "changchun has no table ruling 'kai-claims'"),
        ({"tile": "5m", "from": "0", "hands": {"1": CHI}, "colour": "red"}, "colour"),
        ({"tile": "5m", "from": "0", "hands": {"1": CHI}, "declared": {"x": "pass"}}, "declared"),
    ],
)
def test_a_question_about_a_tile_that_cant_be_asked_is_refused_with_a_sentence(
    given: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        asking.gets(CHANGCHUN, given)


# The command


def printed(*arguments: str) -> str:
    out = io.StringIO()
    call_command("ask_table", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_prints_the_answer_and_its_reasons_in_both_languages() -> None:
    answer, english, chinese = printed("changchun", "reserve", '{"gangs": "2"}').splitlines()
    assert json.loads(answer) == ["8"]
    (reason,) = asking.ask(CHANGCHUN, "reserve", {"gangs": 2}).reasons
    assert english.strip() == f"{reason.message.en} {' '.join(reason.cites)}"
    assert chinese.strip() == reason.message.zh


def test_the_command_asks_who_gets_a_tile() -> None:
    given = json.dumps({"tile": "5m", "from": 0, "hands": {"1": CHI}})
    assert json.loads(printed("changchun", "gets", given).splitlines()[0]) == ["1:chi"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_command_lists_every_ruling_with_what_it_takes(game: Ruleset) -> None:
    listed = printed(game.key).splitlines()
    assert [line.split()[0] for line in listed] == [ruling.key for ruling in game.table.rulings]
    for line, ruling in zip(listed, game.table.rulings, strict=True):
        assert all(name in line for name in parameters(game, ruling) if name != "game")
        assert line.endswith(ruling.meaning.en)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mars"], "mars"),
        (["changchun", "nothing"], "no table ruling"),
        (["changchun", "reserve"], "reserve needs gangs"),
        (["changchun", "reserve", "{gangs}"], "Expecting property name"),
    ],
)
def test_the_command_refuses_what_cant_be_asked_in_a_sentence(arguments: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=re.escape(said)):
        printed(*arguments)


@pytest.mark.parametrize(
    ("key", "given", "said"),
    [
        ("own-gangs", {"hand": "1111m 456p 789s EEE 5p", "standing": {"lockd": "yes"}}, "lockd"),
        ("replacement", {"wall": {"stacks": "68", "drwan": "3"}}, "drwan"),
    ],
)
def test_a_misspelt_key_within_what_a_ruling_takes_is_refused(
    key: str, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        asking.ask(CHANGCHUN, key, given)


@pytest.mark.parametrize(
    ("key", "given", "said"),
    [
        ("dice", {"dice": "3"}, "dice can't be read from '3'"),
        ("dice", {"dice": "3 4 5"}, "dice can't be read from '3 4 5'"),
        ("reserve", {"gangs": "many"}, "gangs can't be read from 'many'"),
        ("must-discard", {"after": "peng", "wins": "maybe"}, "wins can't be read from 'maybe'"),
        ("next-to-act", {"discarder": "1", "claim": "2"}, "claim can't be read from '2'"),
        ("bao-looks", {"listeners": "one"}, "listeners can't be read from 'one'"),
    ],
)
def test_what_cant_be_read_is_named(key: str, given: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        asking.ask(CHANGCHUN, key, given)
