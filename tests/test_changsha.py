"""Changsha, rule by rule: hands whose right answer is known, and what single clauses promise."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from tests.test_changchun import INPUTS, assert_known, judged, known_hands, statuses

GAME = rules.ruleset("changsha")
SMALL = "12355m 45678p 789s +9p"


@pytest.mark.parametrize("case", known_hands("changsha"))
def test_a_known_hand_is_judged_as_the_rule_text_says(case: dict[str, Any]) -> None:
    assert_known(case)


def test_the_known_hands_show_every_rule_in_every_status_and_every_pattern() -> None:
    seen: set[tuple[str, str]] = set()
    paid: set[str] = set()
    for (case,) in (param.values for param in known_hands("changsha")):
        if "error" not in case:
            given = {key: case[key] for key in INPUTS if key in case}
            verdict = judged("changsha", case["hand"], **given)
            seen |= set(statuses(verdict).items())
            paid |= set(verdict.patterns)
    assert paid == {p.key for p in GAME.patterns}
    assert seen >= {("shape", s) for s in ("pass", "fail", "open")}
    assert seen >= {("pair-258", s) for s in ("pass", "fail", "waived", "open")}


def test_rules_and_patterns_have_the_keys_and_worth_that_others_rely_on() -> None:
    """CS-42, CS-43, CS-44, CS-55; S4, S5."""
    assert [r.key for r in GAME.rules] == ["shape", "pair-258"]
    assert {p.key: p.worth for p in GAME.patterns} == {
        "pengpenghu": 1,
        "jiangjianghu": 1,
        "qingyise": 1,
        "quanqiuren": 1,
        "qidui": 1,
        "haohua-qidui": 2,
        "chaohaohua-qidui": 4,
        "tianhu": 1,
        "dihu": 1,
        "haidilaoyue": 1,
        "haidipao": 1,
        "gangshanghua": 1,
        "qiangganghu": 1,
        "gangshangpao": 1,
        "xiaohu": 0,
    }
    assert [w.key for w in GAME.ways] == ["discard", "self-draw", "robbed-gang"]
    assert not GAME.tiles.special_gangs
    assert GAME.measure.key == "big_wins"
    assert len(GAME.tiles.tiles) == 27


@pytest.mark.parametrize("rank", range(1, 10))
def test_an_ordinary_hand_needs_a_pair_of_2_5_or_8(rank: int) -> None:
    """CS-3; S1."""
    verdict = judged("changsha", f"123m 456p 789p 234m {rank}s +{rank}s")
    assert verdict.wins is (rank in (2, 5, 8))
    assert statuses(verdict) == {"shape": "pass", "pair-258": "pass" if verdict.wins else "fail"}


@pytest.mark.parametrize(
    ("hand", "freed_by"),
    [
        ("111m 333m 444p 777s 9s +9s", "CS-14"),
        ("123m 456m 789m 111m 9m +9m", "CS-19"),
        ("9s (123m) (444p) (777s) (789p) +9s", "CS-40"),
        ("1133m 4488p 66779s +9s", "CS-27"),
        ("22558m 2258p 2588s +5p", "CS-16"),
    ],
)
def test_a_big_shape_frees_the_pair_and_says_why(hand: str, freed_by: str) -> None:
    """CS-14, CS-16, CS-19, CS-27, CS-40; S1."""
    verdict = judged("changsha", hand)
    pair = verdict.findings[1]
    assert verdict.wins
    assert (pair.rule.key, pair.status, pair.cites) == ("pair-258", "waived", (freed_by,))


@pytest.mark.parametrize(
    ("hand", "given", "moment"),
    [
        (SMALL, {"by": "self-draw", "moments": "haidilaoyue"}, "haidilaoyue"),
        (SMALL, {"by": "discard", "moments": "haidipao"}, "haidipao"),
        (SMALL, {"by": "discard", "moments": "gangshangpao"}, "gangshangpao"),
        (SMALL, {"by": "discard", "moments": "dihu"}, "dihu"),
        (SMALL, {"by": "self-draw", "seat": 0, "moments": "tianhu"}, "tianhu"),
        (SMALL, {"by": "robbed-gang"}, "qiangganghu"),
        (SMALL, {"by": "robbed-gang", "moments": "qiangganghu"}, "qiangganghu"),
        (
            "12355m 45678p [9999s] +9p",
            {"by": "self-draw", "moments": "gangshanghua"},
            "gangshanghua",
        ),
    ],
)
def test_a_moment_makes_a_big_win_of_a_small_one(hand: str, given: dict[str, Any], moment: str) -> None:
    """CS-12, CS-13, CS-21, CS-24, CS-32, CS-35, CS-37; S4."""
    assert judged("changsha", hand, **given).patterns == {moment: 1}


@pytest.mark.parametrize(
    "given",
    [
        {"by": "self-draw", "moments": "haidilaoyue"},
        {"moments": "haidipao"},
        {"moments": "gangshangpao"},
        {"moments": "dihu"},
        {"by": "self-draw", "seat": 0, "moments": "tianhu"},
        {"by": "robbed-gang"},
    ],
)
def test_a_moment_does_not_free_the_pair(given: dict[str, Any]) -> None:
    """CS-22, CS-26; S2."""
    verdict = judged("changsha", "123m 11456p 67789s +5s", **given)
    assert not verdict.wins
    assert verdict.patterns == {}
    assert statuses(verdict)["pair-258"] == "fail"


@pytest.mark.parametrize(
    ("hand", "key"),
    [
        ("1133m 4488p 66779s +9s", "qidui"),
        ("1111m 4488p 66779s +9s", "haohua-qidui"),
        ("1111m 4444p 66779s +9s", "chaohaohua-qidui"),
        ("1111m 4444p 66669s +9s", "chaohaohua-qidui"),
    ],
)
def test_four_alike_make_seven_pairs_dearer(hand: str, key: str) -> None:
    """CS-27, CS-42, CS-43; S5."""
    assert list(judged("changsha", hand).patterns) == [key]


@pytest.mark.parametrize("meld", ["(999s)", "(9999s)", "[9999s]", "(123s)"])
def test_pairs_beside_a_meld_are_not_seven_pairs(meld: str) -> None:
    """CS-28."""
    verdict = judged("changsha", f"1133m 4488p 66s {meld} +8p")
    assert statuses(verdict)["shape"] == "fail"


def test_jiangjianghu_without_structure_waits_for_every_2_5_and_8_that_is_left() -> None:
    """CS-16, CS-17, CS-18; S3."""
    verdict = judged("changsha", "2588m (555p) (2222s) (888s)")
    assert [w.tile.code for w in verdict.waits] == ["2m", "5m", "8m", "2p", "5p", "8p", "5s", "8s"]
    (reading,) = judged("changsha", "2588m (555p) (2222s) (888s) +5m").readings
    assert reading.reading.sets == ()
    assert reading.reading.pair is None


@pytest.mark.parametrize("last", ["8s", "5p", "2m"])
def test_jiangjianghu_with_structure_is_read_with_it(last: str) -> None:
    """CS-16; S3: a hand that has a shape keeps it and adds the rest."""
    structured = judged("changsha", "222555m 888p 2255s +5s")
    assert structured.patterns == {"pengpenghu": 1, "jiangjianghu": 1}
    loose = judged("changsha", f"22558m 2258p 2588s +{last}")
    assert "jiangjianghu" in loose.patterns


@pytest.mark.parametrize("gang", ["[5555p]", "(5555p)"])
def test_quanqiuren_allows_gangs_of_either_kind_and_any_pair(gang: str) -> None:
    """CS-40, CS-41; S10."""
    for by in ("discard", "self-draw"):
        verdict = judged("changsha", f"4m (123m) {gang} (777s) [9999s] +4m", by=by)
        assert verdict.patterns == {"quanqiuren": 1}


def test_big_wins_add_and_a_small_win_stands_alone() -> None:
    """CS-55; S4."""
    assert judged("changsha", "6m (111m) (444m) [7777m] (999m) +6m").total == 3
    small = judged("changsha", SMALL)
    assert (small.patterns, small.total) == ({"xiaohu": 0}, 0)


def test_words_for_suits_are_those_of_changsha() -> None:
    """CS-1: 万, 筒, 条; never 索."""
    said = {t.code: GAME.tiles.name(t).zh for t in GAME.tiles.tiles}
    assert (said["5m"], said["5p"], said["5s"], said["1s"]) == ("5万", "5筒", "5条", "1条")
