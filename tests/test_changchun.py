"""Changchun, rule by rule: hands whose right answer is known, and what single clauses promise.

The hands stand in `data/known_hands.json` with the source rules that they prove.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rules
from rules import HandError
from rules.circumstances import read
from rules.verdict import Verdict

GAME = rules.ruleset("changchun")
INPUTS = ("by", "seat", "from", "listening", "bao", "moments", "birds")
_FILE = Path(__file__).parent / "data" / "known_hands.json"


def known_hands(ruleset: str) -> list[Any]:
    """The known hands of a ruleset, each under its id."""
    hands = json.loads(_FILE.read_text(encoding="utf-8"))["hands"]
    return [pytest.param(case, id=case["id"]) for case in hands if case["ruleset"] == ruleset]


def judged(ruleset: str, text: str, **given: Any) -> Verdict:
    """The verdict on a hand in its circumstances."""
    game = rules.ruleset(ruleset)
    hand = game.parse(text)
    return game.judge(hand, read(game, hand, given))


def statuses(verdict: Verdict) -> dict[str, str]:
    """Each rule with its status."""
    return {f.rule.key: f.status for f in verdict.findings}


def assert_known(case: dict[str, Any]) -> None:
    """Judge a known hand and compare all that its case states."""
    game = rules.ruleset(case["ruleset"])
    if "error" in case:
        with pytest.raises(HandError) as refused:
            game.parse(case["hand"])
        assert refused.value.code == case["error"]
        assert refused.value.at == case["at"]
        return
    hand = game.parse(case["hand"])
    verdict = game.judge(hand, read(game, hand, {key: case[key] for key in INPUTS if key in case}))
    by_rule = statuses(verdict)
    assert verdict.wins is case["wins"]
    assert verdict.state == case["state"]
    assert verdict.patterns == case.get("patterns", {})
    assert verdict.total == case.get(game.measure.key)
    assert sorted(key for key, status in by_rule.items() if status == "fail") == sorted(case.get("fails", []))
    assert {w.tile.code: w.left for w in verdict.waits} == case["waits"]
    blocked = {w.tile.code: sorted(w.fails) for w in verdict.blocked_waits}
    assert blocked == {code: sorted(fails) for code, fails in case["blocked_waits"].items()}
    assert (verdict.stands_for.code if verdict.stands_for else None) == case.get("stands_for")
    assert case.get("findings", {}).items() <= by_rule.items()
    if "readings" in case:
        assert len(verdict.readings) == case["readings"]


@pytest.mark.parametrize("case", known_hands("changchun"))
def test_a_known_hand_is_judged_as_the_rule_text_says(case: dict[str, Any]) -> None:
    assert_known(case)


def test_the_known_hands_show_every_rule_in_every_status_and_every_pattern() -> None:
    seen: set[tuple[str, str]] = set()
    paid: set[str] = set()
    for (case,) in (param.values for param in known_hands("changchun")):
        if "error" not in case:
            given = {key: case[key] for key in INPUTS if key in case}
            verdict = judged("changchun", case["hand"], **given)
            seen |= set(statuses(verdict).items())
            paid |= set(verdict.patterns)
    assert paid == {p.key for p in GAME.patterns}
    assert seen >= {(rule.key, status) for rule in GAME.rules for status in ("pass", "fail")}
    assert seen >= {("terminal-or-honor", "waived"), ("triplet", "waived")}
    assert seen >= {
        ("shape", "open"),
        ("triplet", "open"),
        ("three-suits", "open"),
    }
    assert not seen & {("three-suits", "waived"), ("single-tile-hand", "waived"), ("shape", "waived")}


def test_rules_and_patterns_have_the_keys_and_fan_that_others_rely_on() -> None:
    """CC-84 to CC-93."""
    assert [r.key for r in GAME.rules] == [
        "shape",
        "three-suits",
        "terminal-or-honor",
        "triplet",
        "single-tile-hand",
    ]
    assert {p.key: p.worth for p in GAME.patterns} == {
        "pinghu": 1,
        "fangpao": 1,
        "zimo": 1,
        "jiahu": 1,
        "baopai": 2,
        "duibao": 2,
        "piaohu": 2,
        "zhuanghu": 1,
        "lihu": 1,
    }
    assert [w.key for w in GAME.ways] == ["discard", "self-draw", "robbed-gang", "bao-match"]
    assert set(GAME.tiles.special_gangs) == {"xuanfenggang", "xigang", "yaodan", "jiudan"}
    assert GAME.measure.key == "fan"


@pytest.mark.parametrize("pair", ["EE", "SS", "WW", "NN"])
def test_a_pair_of_winds_excuses_the_1_or_9_but_not_the_triplet(pair: str) -> None:
    """CC-71, CC-72, CC-73."""
    found = statuses(judged("changchun", f"234m 456p 34567s {pair} +8s"))
    assert found["terminal-or-honor"] == "waived"
    assert found["triplet"] == "fail"


@pytest.mark.parametrize("pair", ["CC", "FF", "PP"])
def test_a_pair_of_dragons_excuses_both(pair: str) -> None:
    """CC-71, CC-73."""
    verdict = judged("changchun", f"234m 456p 34567s {pair} +8s")
    assert statuses(verdict)["terminal-or-honor"] == statuses(verdict)["triplet"] == "waived"
    assert verdict.wins


@pytest.mark.parametrize("gang", ["{ESWN}", "{CFP}", "{1m1p1s}", "{9m9p9s}", "{EESSWWNN}", "{1m1m1p1s1s}"])
def test_any_special_gang_is_one_set_that_excuses_the_triplet(gang: str) -> None:
    """CC-28 to CC-35, CC-73; R2."""
    verdict = judged("changchun", f"23488m 567p 34s {gang} +5s")
    assert verdict.patterns == {"pinghu": 1, "fangpao": 1}
    assert statuses(verdict)["triplet"] == "waived"


def test_a_finding_cites_the_clause_that_decided() -> None:
    """CC-70 asks for the 1 or 9, CC-71 excuses it; CC-72 asks for the triplet, CC-73 excuses it."""
    with_nine = {f.rule.key: f.cites for f in judged("changchun", "123m 45556p 78s SSS +9s").findings}
    assert with_nine["terminal-or-honor"] == ("CC-70",)
    assert with_nine["triplet"] == ("CC-72",)
    excused = {f.rule.key: f.cites for f in judged("changchun", "234m 456p 34567s CC +8s").findings}
    assert excused["terminal-or-honor"] == ("CC-71",)
    assert excused["triplet"] == ("CC-73",)


def test_a_finding_shows_the_tiles_it_speaks_of() -> None:
    """CC-69, CC-70, CC-72."""
    found = {f.rule.key: f.tiles for f in judged("changchun", "123m 45556p 78s SSS +9s").findings}
    assert {t.suit for t in found["three-suits"]} == {"m", "p", "s"}
    assert [t.code for t in found["terminal-or-honor"]] == ["1m", "9s"]
    assert [t.code for t in found["triplet"]] == ["S", "S", "S"]


@pytest.mark.parametrize(
    ("meld", "lihu"),
    [
        ("", True),
        ("(123m)", False),
        ("(111m)", False),
        ("(1111m)", False),
        ("[1111m]", False),
        ("{CFP}", False),
    ],
)
def test_anything_declared_ends_lihu(meld: str, lihu: bool) -> None:
    """CC-74, CC-75, CC-93; R6."""
    first = meld or "111m"
    verdict = judged("changchun", f"555p 789s NN 23m {first} +4m")
    assert verdict.wins
    assert ("lihu" in verdict.patterns) is lihu


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_only_the_dealer_has_zhuanghu(seat: int) -> None:
    """CC-92; R14."""
    verdict = judged("changchun", "123m 45556p 78s SSS +9s", by="self-draw", seat=seat)
    assert ("zhuanghu" in verdict.patterns) is (seat == 0)


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        ("12m 45556p 789s SSS +3m", "edge"),
        ("89m 45556p 789s SSS +7m", "edge"),
        ("46m 45556p 789s SSS +5m", "closed run"),
        ("123m 4p 555p 789s SSS +4p", None),
        ("123m 456p 789s SSS E +E", "single"),
        ("23m 45556p 789s SSS +1m", None),
        ("78m 45556p 789s SSS +9m", None),
        ("55m 678p 789s SSS 88p +8p", None),
    ],
)
def test_jiahu_is_an_edge_a_closed_run_or_a_single_tile_and_the_only_wait(hand: str, why: str | None) -> None:
    """CC-66, CC-88; R8."""
    verdict = judged("changchun", hand)
    assert verdict.wins
    assert ("jiahu" in verdict.patterns) is (why is not None)


def test_a_bao_drawn_without_a_declared_ting_or_discarded_is_an_ordinary_tile() -> None:
    """CC-48, CC-56; R11."""
    hand = "456m 45556p 89s SSS +2m"
    assert judged("changchun", hand, by="self-draw", listening="1", bao="2m").wins
    assert not judged("changchun", hand, by="self-draw", bao="2m").wins
    assert not judged("changchun", hand, by="discard", listening="1", bao="2m").wins
    assert not judged("changchun", hand, by="self-draw", listening="1", bao="3m").wins


def test_the_turned_bao_is_no_copy_of_the_hand() -> None:
    """CC-51: `left` counts the hand alone."""
    for bao in ("7s", "2m"):
        verdict = judged("changchun", "456m 45556p 89s SSS", listening="1", bao=bao)
        assert [(w.tile.code, w.left) for w in verdict.waits] == [("7s", 4)]


def test_duibao_pays_for_the_draw_the_bao_and_the_match() -> None:
    """CC-55, CC-67, CC-90; R10."""
    verdict = judged("changchun", "456m 45556p 89s SSS +7s", by="bao-match", listening="1", bao="7s")
    assert verdict.patterns == {"pinghu": 1, "zimo": 1, "jiahu": 1, "baopai": 2, "duibao": 2, "lihu": 1}
    assert verdict.stands_for is None


@pytest.mark.parametrize("single", ["(123m)", "(789s)"])
def test_a_sequence_bars_the_hand_that_is_down_to_one_tile(single: str) -> None:
    """CC-77, CC-78; R7."""
    verdict = judged("changchun", f"C {single} (222p) (555s) (999m) +C")
    assert statuses(verdict)["single-tile-hand"] == "fail"
    assert judged("changchun", f"CC 2p {single} (555s) (999m) 2p +2p").wins


def test_seven_pairs_are_told_apart_from_an_unfinished_hand() -> None:
    """CC-57; R24."""
    shape = judged("changchun", "2255m 3377p 1199s C +C").findings[0]
    assert "Seven pairs" in shape.message.en
    assert "七对" in shape.message.zh
    unfinished = judged("changchun", "2255m 3377p 1199s C +F").findings[0]
    assert "Seven pairs" not in unfinished.message.en


def test_words_for_suits_are_those_of_changchun() -> None:
    """CC-4: 万, 饼, 条; 1条 is 幺鸡."""
    said = {t.code: GAME.tiles.name(t).zh for t in GAME.tiles.tiles}
    assert (said["5m"], said["5p"], said["5s"], said["1s"]) == ("5万", "5饼", "5条", "幺鸡")
    assert len(said) == 34


# Fan that add up


def patterns_of(text: str, **given: str) -> dict[str, int]:
    return judged("changchun", text, **given).patterns


@pytest.mark.proves("CC-75", "CC-93")
def test_a_hand_without_a_meld_wins_one_fan_more() -> None:
    closed, open_ = patterns_of("123m 45556p 78s SSS +9s"), patterns_of("123m 55p 78s SSS (456p) +9s")
    assert closed == {"pinghu": 1, "fangpao": 1, "lihu": 1}
    assert "lihu" not in open_


@pytest.mark.proves("CC-87", "CC-65")
def test_a_self_drawn_win_has_a_fan_of_its_own_in_place_of_the_discards() -> None:
    assert patterns_of("123m 45556p 78s SSS +9s", by="self-draw") == {"pinghu": 1, "zimo": 1, "lihu": 1}


@pytest.mark.proves("R9", "CC-84", "CC-88", "CC-91")
def test_jiahu_piaohu_and_zimo_all_add_up() -> None:
    found = patterns_of("1m (333m) (777p) (555s) (EEE) +1m", by="self-draw", seat="0")
    assert found == {"pinghu": 1, "zimo": 1, "jiahu": 1, "piaohu": 2, "zhuanghu": 1}
