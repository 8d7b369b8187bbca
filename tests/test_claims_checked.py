"""What lessons claim, each kind true and false: the false one is a fault that says what the engine says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import rules
from rules import Ruleset
from tutor.content import claims
from tutor.content.claims import Question
from tutor.content.source import Fault, Node, read

CHANGCHUN, CHANGSHA = (rules.ruleset(key) for key in ("changchun", "changsha"))
FILE = "fixtures/changchun/ting.yaml"

SELF_DRAWN = "hand: 123m 456p 789s EEE 5p +5p\nby: self-draw\nseat: 0"
TWO_SUITS = "hand: 123m 456m 789p EEE 55p"
ONLY_MIDDLE = "hand: 234m 456p 777s 678s SS"
BLOCKED = "hand: 23456m 555p 77888s"
BLOCKED_WITH_4 = "hand: 23456m 555p 77888s +4m"
BAO = "hand: 456m 45556p 89s SSS +2m\nby: self-draw\nlistening: yes\nbao: 2m"
FAR = "hand: 147m 258p 1469s 147s"
PAIRS = "hand: 2233445566778m +8m"
BIG = "hand: 22558m 2258p 2588s +5p"
DEALT = "deal: 2222m 13579p 1479s"
READY_AS_DEALT = "deal: 12355m 45678p 789s"
WON = "settle: {wins: [{seat: 2, from: 1, fan: 4}]}"
CHI = "gets: {tile: 5m, from: 0, hands: {1: 46m 258p 147s ESWCF, 2: 55m 258p 147s ESWCF}}"

# Each claim that can be made: the question, the key, what is so, what isn't, and what the engine then says.
CLAIMS: dict[str, tuple[Ruleset, str, str, str, str, str]] = {
    "a win": (CHANGCHUN, SELF_DRAWN, "state", "win", "not-win", "not-win; the engine says win"),
    "no win": (CHANGCHUN, TWO_SUITS, "state", "not-win", "win", "win; the engine says not-win"),
    "ready": (CHANGCHUN, BLOCKED, "state", "ready", "not-ready", "not-ready; the engine says ready"),
    "not ready": (CHANGCHUN, FAR, "state", "not-ready", "ready", "ready; the engine says not-ready"),
    "one rule broken": (
        CHANGCHUN,
        TWO_SUITS,
        "fails",
        "[three-suits]",
        "[triplet]",
        "triplet; the engine says three-suits",
    ),
    "no rule broken": (
        CHANGCHUN,
        SELF_DRAWN,
        "fails",
        "[]",
        "[shape]",
        "shape; the engine says nothing",
    ),
    "every rule broken": (
        CHANGCHUN,
        TWO_SUITS,
        "fails",
        "[three-suits]",
        "[]",
        "nothing; the engine says three-suits",
    ),
    "a rule waived": (
        CHANGCHUN,
        ONLY_MIDDLE,
        "waived",
        "[terminal-or-honor]",
        "[triplet]",
        "triplet; the engine says terminal-or-honor",
    ),
    "rules met, and others too": (
        CHANGCHUN,
        ONLY_MIDDLE,
        "passes",
        "[triplet, shape]",
        "[shape, terminal-or-honor]",
        "shape, terminal-or-honor; the engine says shape, three-suits, triplet, single-tile-hand",
    ),
    "fan": (CHANGCHUN, SELF_DRAWN, "fan", "5", "4", "4; the engine says 5"),
    "fan of no win": (CHANGCHUN, TWO_SUITS, "fan", "no win", "0", "0; the engine says no win"),
    "big wins": (CHANGSHA, PAIRS, "big_wins", "2", "1", "1; the engine says 2"),
    "all patterns": (
        CHANGSHA,
        PAIRS,
        "patterns",
        "{qidui: 1, qingyise: 1}",
        "{qidui: 1}",
        "qidui 1; the engine says qingyise 1, qidui 1",
    ),
    "what a pattern is worth": (
        CHANGSHA,
        BIG,
        "patterns",
        "{jiangjianghu: 1}",
        "{jiangjianghu: 2}",
        "jiangjianghu 2; the engine says jiangjianghu 1",
    ),
    "some patterns": (
        CHANGCHUN,
        SELF_DRAWN,
        "has",
        "[zhuanghu, jiahu]",
        "[zhuanghu, piaohu]",
        "zhuanghu, piaohu; the engine says pinghu, zimo, jiahu, zhuanghu, lihu",
    ),
    "patterns that are not there": (
        CHANGCHUN,
        SELF_DRAWN,
        "lacks",
        "[piaohu, baopai]",
        "[piaohu, jiahu]",
        "claimed to lack jiahu, the engine finds it",
    ),
    "waits": (CHANGCHUN, BLOCKED, "waits", "[1m]", "[1m, 4m]", "1m, 4m; the engine says 1m"),
    "all waits": (CHANGSHA, PAIRS, "waits", "[8m, 2m, 5m]", "[2m, 5m]", "2m, 5m; the engine says 2m, 5m, 8m"),
    "blocked waits with the rules": (
        CHANGCHUN,
        BLOCKED,
        "blocked",
        "{7m: [terminal-or-honor], 4m: [terminal-or-honor]}",
        "{4m: [terminal-or-honor], 7m: [triplet]}",
        "7m: triplet; the engine says 4m: terminal-or-honor, 7m: terminal-or-honor",
    ),
    "tiles left": (CHANGCHUN, BLOCKED, "left", "{8s: 1, 1m: 4}", "{8s: 2}", "2; the engine says 1"),
    "payments": (
        CHANGCHUN,
        SELF_DRAWN,
        "payments",
        "[15, -5, -5, -5]",
        "[-5, 15, -5, -5]",
        "-5, 15, -5, -5; the engine says 15, -5, -5, -5",
    ),
    "payments of no win": (CHANGCHUN, TWO_SUITS, "payments", "[]", "[0, 0, 0, 0]", "the engine says nothing"),
    "distance": (CHANGCHUN, FAR, "distance", "5", "4", "4; the engine says 5"),
    "fixes, and others too": (
        CHANGCHUN,
        BLOCKED_WITH_4,
        "fixes",
        '["7s>9s"]',
        '["7s>9s", "4m>7m"]',
        "7s>9s, 4m>7m; the engine says 4m>1m, 7s>9s",
    ),
    "readings": (CHANGSHA, PAIRS, "readings", "4", "3", "3; the engine says 4"),
    "what the bao stands for": (CHANGCHUN, BAO, "stands_for", "7s", "2m", "2m; the engine says 7s"),
    "a bao that stands for nothing": (CHANGCHUN, SELF_DRAWN, "stands_for", "none", "5p", "says none"),
    "a hand that is refused": (
        CHANGCHUN,
        "hand: 123m (12p) 5s",
        "error",
        "bad-meld",
        "tile-count",
        "the engine refuses this (bad-meld)",
    ),
    "openings": (CHANGSHA, DEALT, "openings", "[sixi]", "[]", "nothing; the engine says sixi"),
    "no opening": (CHANGSHA, READY_AS_DEALT, "openings", "[]", "[sixi]", "sixi; the engine says nothing"),
    "ready as dealt": (CHANGSHA, READY_AS_DEALT, "ready", "yes", "no", "no; the engine says yes"),
    "not ready as dealt": (CHANGSHA, DEALT, "ready", "no", "yes", "yes; the engine says no"),
    "waits of a deal": (
        CHANGSHA,
        READY_AS_DEALT,
        "waits",
        "[3p, 6p, 9p]",
        "[3p]",
        "3p; the engine says 3p, 6p, 9p",
    ),
    "a deal that is refused": (
        CHANGSHA,
        "deal: 22222m",
        "error",
        "too-many-copies",
        "tile-count",
        "the engine refuses this (too-many-copies)",
    ),
    "a settlement": (
        CHANGCHUN,
        WON,
        "payments",
        "[0, -4, 4, 0]",
        "[-4, 0, 4, 0]",
        "-4, 0, 4, 0; the engine says 0, -4, 4, 0",
    ),
    "who deals next": (CHANGCHUN, WON, "next_dealer", "1", "2", "2; the engine says 1"),
    "that nobody is known to deal next": (
        CHANGSHA,
        "settle: {wins: []}",
        "next_dealer",
        "none",
        "0",
        "0; the engine says none",
    ),
    "a settlement that is refused": (
        CHANGCHUN,
        "settle: {wins: [{seat: 2, from: 1, hand: 123m 456m 789m EEE 5p +5p}]}",
        "error",
        "not-a-win",
        "bad-meld",
        "the engine refuses this (not-a-win)",
    ),
}
for_each_claim = pytest.mark.parametrize("name", CLAIMS)


@pytest.fixture
def node(tmp_path: Path) -> Callable[[str], Node]:
    """Reads a text as the content file FILE."""

    def of(text: str) -> Node:
        path = tmp_path / "file.yaml"
        path.write_text(text, encoding="utf-8")
        return read(path, FILE)

    return of


Reader = Callable[[str], Node]


def run(root: Node, game: Ruleset, options: Mapping[str, str] | None = None) -> None:
    """Runs a claim as the loader does."""
    claims.check(claims.question(root, game, options or {}), root["is"])


# One key at a time


@for_each_claim
def test_what_is_so_may_be_claimed(node: Reader, name: str) -> None:
    game, asked, key, true, _, _ = CLAIMS[name]
    run(node(f"{asked}\nis:\n  {key}: {true}\n"), game)


@for_each_claim
def test_what_is_not_so_is_a_fault_with_its_line_and_what_the_engine_says(node: Reader, name: str) -> None:
    game, asked, key, _, false, says = CLAIMS[name]
    text = f"{asked}\nis:\n  {key}: {false}\n"
    with pytest.raises(Fault) as fault:
        run(node(text), game)
    where, _, said = str(fault.value).partition(": ")
    assert where == f"{FILE}:{len(text.splitlines())}"
    assert says in said
    assert said.startswith(("claimed", "the engine refuses this"))


@pytest.mark.parametrize(
    ("game", "asked"),
    [(CHANGCHUN, SELF_DRAWN), (CHANGSHA, DEALT), (CHANGCHUN, WON)],
    ids=["hand", "deal", "settle"],
)
def test_every_key_is_claimed_here_and_another_is_a_fault_that_names_them(
    node: Reader, game: Ruleset, asked: str
) -> None:
    with pytest.raises(Fault, match=f"^{FILE}:") as fault:
        run(node(f"{asked}\nis: {{colour: red}}\n"), game)
    said = str(fault.value)
    assert "'colour' can't be claimed here" in said
    known = said.partition("known: ")[2].split(", ")
    kind = asked.partition(":")[0]
    tried = {key for _, question, key, *_ in CLAIMS.values() if question.startswith(f"{kind}:")}
    assert set(known) == tried - {"error"}


def test_several_things_are_claimed_at_once_and_each_must_be_so(node: Reader) -> None:
    run(node(f"{SELF_DRAWN}\nis: {{state: win, fan: 5, has: [jiahu]}}\n"), CHANGCHUN)
    with pytest.raises(Fault, match="claimed 6; the engine says 5"):
        run(node(f"{SELF_DRAWN}\nis: {{state: win, fan: 6, has: [jiahu]}}\n"), CHANGCHUN)


@pytest.mark.parametrize(
    ("game", "asked", "said", "line", "words"),
    [
        (CHANGCHUN, SELF_DRAWN, "{}", 4, "nothing is claimed"),
        (CHANGCHUN, SELF_DRAWN, "win", 4, "a mapping"),
        (
            CHANGCHUN,
            TWO_SUITS,
            "{fails: [three-suit]}",
            2,
            "there is no rule 'three-suit'; known: shape, three",
        ),
        (CHANGCHUN, TWO_SUITS, "{waived: [pair-258]}", 2, "there is no rule 'pair-258'"),
        (CHANGCHUN, TWO_SUITS, "{passes: [nothing]}", 2, "there is no rule 'nothing'"),
        (CHANGCHUN, SELF_DRAWN, "{has: [qidui]}", 4, "there is no pattern 'qidui'; known: pinghu"),
        (CHANGCHUN, SELF_DRAWN, "{lacks: [qidui]}", 4, "there is no pattern 'qidui'"),
        (CHANGCHUN, BLOCKED, "{left: {0m: 4}}", 2, "there is no tile '0m'"),
        (CHANGSHA, BIG, "{fan: 1}", 2, "changsha counts big_wins"),
        (CHANGCHUN, SELF_DRAWN, "{big_wins: 1}", 4, "changchun counts fan"),
        (
            CHANGCHUN,
            SELF_DRAWN,
            "{error: bad-meld}",
            4,
            "claimed to be refused (bad-meld), the engine takes it",
        ),
        (CHANGCHUN, "hand: 123m 12x", "{state: win}", 2, "the engine refuses this (bad-character)"),
        (CHANGSHA, "hand: 123m EE", "{state: win}", 2, "the engine refuses this (tile-not-in-set)"),
    ],
)
def test_what_cant_be_compared_is_a_fault_too(
    node: Reader, game: Ruleset, asked: str, said: str, line: int, words: str
) -> None:
    with pytest.raises(Fault, match=f"^{FILE}:{line}: .*{re.escape(words)}"):
        run(node(f"{asked}\nis: {said}\n"), game)


# The table


@pytest.mark.parametrize(
    ("game", "asked", "true", "false", "says"),
    [
        (CHANGCHUN, "ask: reserve\ngiven: {gangs: 2}", "8", "7", "claimed 7; the engine says 8"),
        (CHANGCHUN, "ask: must-discard\ngiven: {after: peng, wins: no}", "yes", "no", "the engine says yes"),
        (CHANGSHA, "ask: next-dealer\ngiven: {winners: []}", "none", "0", "claimed 0; the engine says none"),
        (CHANGSHA, "ask: next-dealer\ngiven: {winners: []}", "[]", "0", "claimed 0; the engine says none"),
        (
            CHANGSHA,
            "ask: gang-choices\ngiven: {hand: 123m 456p 22s 56s (9999m)}",
            "[bu, kai]",
            "[kai, bu]",
            "claimed kai, bu; the engine says bu, kai",
        ),
        (CHANGCHUN, CHI, '["2:peng"]', '["1:chi"]', "claimed 1:chi; the engine says 2:peng"),
        (
            CHANGCHUN,
            "gets: {tile: 9m, from: 0, hands: {1: 46m 258p 147s ESWCF}}",
            "[]",
            '["1:chi"]',
            "claimed 1:chi; the engine says nothing",
        ),
    ],
)
def test_a_ruling_is_claimed_by_its_answer(
    node: Reader, game: Ruleset, asked: str, true: str, false: str, says: str
) -> None:
    run(node(f"{asked}\nis: {true}\n"), game)
    line = len(asked.splitlines()) + 1
    with pytest.raises(Fault, match=f"^{FILE}:{line}: .*{re.escape(says)}$"):
        run(node(f"{asked}\nis: {false}\n"), game)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("ask: nothing", "changchun has no table ruling 'nothing'"),
        ("ask: reserve", "reserve needs gangs"),
        ("ask: reserve\ngiven: {gang: 2}", "reserve takes gangs"),
        ("gets: {tile: 5m, from: 0, hands: {1: 46m}}", "it should have 13"),
    ],
)
def test_a_ruling_that_cant_be_asked_is_a_fault(node: Reader, asked: str, words: str) -> None:
    with pytest.raises(Fault, match=f"^{FILE}:.*the table can't be asked this: .*{re.escape(words)}"):
        run(node(f"{asked}\nis: 8\n"), CHANGCHUN)


# What is asked


def test_house_rules_stand_with_a_claim_or_around_it(node: Reader) -> None:
    dragons = "hand: 234m 567p 678s 345s CC"
    run(node(f"{dragons}\nis: {{state: win}}\n"), CHANGCHUN)
    own = node(f"{dragons}\noptions: {{dragon-pair-waives-triplet: no}}\nis: {{state: not-win}}\n")
    run(own, CHANGCHUN)
    strict = {"dragon-pair-waives-triplet": "no"}
    run(node(f"{dragons}\nis: {{state: not-win, fails: [triplet]}}\n"), CHANGCHUN, strict)
    back = node(f"{dragons}\noptions: {{dragon-pair-waives-triplet: yes}}\nis: {{state: win}}\n")
    run(back, CHANGCHUN, strict)
    table = "ask: first-taker\ngiven: {first: 3 4}\n"
    run(node(f"{table}is: 2\n"), CHANGCHUN)
    run(node(f"{table}is: 0\n"), CHANGCHUN, {"first-taker": "dealer"})


def test_another_game_may_be_asked_which_knows_nothing_of_the_house_rules_around(node: Reader) -> None:
    root = node(f"game: changsha\n{BIG}\nis: {{big_wins: 1}}\n")
    asked = claims.question(root, CHANGCHUN, {"seven-pairs": "yes"})
    assert (asked.game.key, asked.options) == ("changsha", {})
    claims.check(asked, root["is"])


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("is: {state: win}", 1, "one of hand, deal, settle, ask, gets is needed"),
        ("hand: 123m\ngame: mars", 2, "there is no game 'mars'"),
        ("hand: 123m\noptions:\n  colour: red", 3, "colour"),
        ("hand: 123m\noptions: {jiahu: red}", 2, "red"),
        ("hand: [123m]", 1, "a text is expected here"),
        ("settle: 5", 1, "a scenario is a mapping"),
        ("gets: 5m", 1, "a mapping"),
    ],
)
def test_what_is_no_question_is_a_fault(node: Reader, text: str, line: int, words: str) -> None:
    with pytest.raises(Fault, match=f"^{FILE}:{line}: .*{re.escape(words)}"):
        claims.question(node(text), CHANGCHUN, {})


def test_how_a_hand_was_won_is_read_as_the_checker_reads_it(node: Reader) -> None:
    how = "by: self-draw\nseat: 2\nfrom: 1\nlistening: yes\nbao: 2m\nmoments: [a, b]\nbirds: 2m 5p"
    asked = claims.question(node(f"hand: x\n{how}"), CHANGCHUN, {})
    assert asked == Question(
        CHANGCHUN,
        "hand",
        "x",
        {
            "by": "self-draw",
            "seat": "2",
            "from": "1",
            "listening": "1",
            "bao": "2m",
            "moments": "a,b",
            "birds": "2m,5p",
        },
    )
    assert claims.question(node("hand: x\nlistening: no"), CHANGCHUN, {}).given == {"listening": "0"}


def test_a_scenario_has_numbers_flags_and_nothing_where_the_settlement_wants_them(node: Reader) -> None:
    text = """\
settle:
  wins: [{seat: 2, from: none, fan: "4", listening: yes, hand: 123m}]
  gangs: [{seat: 0, meld: "(5555m)", dealt: no, from: -1}]
  birds: [2m]
"""
    assert claims.question(node(text), CHANGCHUN, {}).given == {
        "wins": [{"seat": 2, "from": None, "fan": 4, "listening": True, "hand": "123m"}],
        "gangs": [{"seat": 0, "meld": "(5555m)", "dealt": False, "from": -1}],
        "birds": ["2m"],
    }


# Goals


@pytest.mark.parametrize(
    ("game", "asked", "goal", "met"),
    [
        (CHANGCHUN, SELF_DRAWN, {"state": "win"}, True),
        (CHANGCHUN, TWO_SUITS, {"state": "win"}, False),
        (CHANGCHUN, BLOCKED, {"state": "ready"}, True),
        (CHANGCHUN, SELF_DRAWN, {"has": ["jiahu", "zimo"]}, True),
        (CHANGCHUN, SELF_DRAWN, {"has": ["jiahu", "piaohu"]}, False),
        (CHANGCHUN, SELF_DRAWN, {"lacks": ["piaohu"]}, True),
        (CHANGCHUN, SELF_DRAWN, {"lacks": ["piaohu", "jiahu"]}, False),
        (CHANGCHUN, SELF_DRAWN, {"fan": "5"}, True),
        (CHANGCHUN, SELF_DRAWN, {"fan": "4"}, False),
        (CHANGSHA, PAIRS, {"big_wins": "2"}, True),
        (CHANGSHA, PAIRS, {"big_wins": "1"}, False),
        (CHANGSHA, PAIRS, {"at_least": "2"}, True),
        (CHANGSHA, PAIRS, {"at_least": "3"}, False),
        (CHANGCHUN, TWO_SUITS, {"at_least": "1"}, False),
        (CHANGCHUN, SELF_DRAWN, {"state": "win", "has": ["jiahu"], "fan": "5"}, True),
        (CHANGCHUN, SELF_DRAWN, {"state": "win", "has": ["jiahu"], "fan": "6"}, False),
        (CHANGCHUN, SELF_DRAWN, {}, False),
    ],
)
def test_a_hand_meets_a_goal_where_it_meets_all_of_it(
    node: Reader, game: Ruleset, asked: str, goal: dict[str, object], met: bool
) -> None:
    verdict = claims.question(node(asked), game, {}).verdict()
    assert claims.meets(verdict, Node.of(goal)) is met


def test_a_goal_that_there_is_not_is_a_fault(node: Reader) -> None:
    verdict = claims.question(node(SELF_DRAWN), CHANGCHUN, {}).verdict()
    with pytest.raises(Fault, match="a goal has no 'colour'"):
        claims.meets(verdict, Node.of({"colour": "red"}))
