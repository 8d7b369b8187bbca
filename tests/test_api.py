"""The API of the checker: what it answers, key by key, and how it refuses."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

import rules
from tests.test_changchun import INPUTS, known_hands

URL = "/api/v1/check"
KEYS = {
    "ruleset",
    "hand",
    "state",
    "wins",
    "findings",
    "readings",
    "patterns",
    "fan",
    "big_wins",
    "payments",
    "waits",
    "blocked_waits",
    "distance",
    "fixes",
}
RULES = {
    "changchun": ["shape", "three-suits", "terminal-or-honor", "triplet", "single-tile-hand"],
    "changsha": ["shape", "pair-258"],
}
CC = "123m 45556p 78s SSS +9s"
CS = "12355m 45678p 789s +9p"
CITE = re.compile(r"(CC|CS)-[1-9][0-9]?")
TILE = re.compile(r"[1-9][mps]|[ESWNCFP]")
KNOWN_HANDS = known_hands("changchun") + known_hands("changsha")


def ask(client: Client, ruleset: str, hand: str, **given: str) -> Any:
    """The API's answer, which must be one of status 200."""
    response = client.get(URL, {"ruleset": ruleset, "hand": hand, **given})
    assert response.status_code == 200, response.text
    return response.json()


def refusal(client: Client, query: Any) -> Any:
    """The API's error, which must be one of status 400 and of the agreed form."""
    response = client.get(URL, query)
    assert response.status_code == 400, response.text
    return error_in(response.json())


def error_in(answer: Any) -> Any:
    """The error that an answer consists of."""
    assert answer.keys() == {"error"}
    error = answer["error"]
    assert error.keys() == {"code", "at", "tiles", "message"}
    assert error["at"] is None or type(error["at"]) is int
    assert_both_languages(error["message"])
    return error


def assert_both_languages(message: Any) -> None:
    assert message.keys() == {"en", "zh-hans"}
    assert message["en"].strip()
    assert re.search(r"[\u3400-\u9fff]", message["zh-hans"])


def assert_form(answer: Any) -> None:
    """An answer has every agreed key, each with a value of its kind."""
    assert answer.keys() - {"stands_for"} == KEYS
    short = answer["state"] in ("ready", "not-ready")
    assert answer["state"] in ("win", "not-win") or short
    assert answer["wins"] is (answer["state"] == "win")
    assert [f["rule"] for f in answer["findings"]] == RULES[answer["ruleset"]]
    for finding in answer["findings"]:
        assert finding.keys() == {"rule", "status", "tiles", "cites", "message"}
        assert finding["status"] in ("pass", "fail", "waived", "open")
        assert all(TILE.fullmatch(t) for t in finding["tiles"])
        assert finding["cites"]
        assert all(CITE.fullmatch(c) for c in finding["cites"])
        assert_both_languages(finding["message"])
    for reading in answer["readings"]:
        assert reading.keys() == {"sets", "pair", "wins", "chosen", "patterns"}
        assert type(reading["wins"]) is bool
        assert reading["patterns"] == {} or reading["wins"]
    assert [r["chosen"] for r in answer["readings"]] == [True] + [False] * (len(answer["readings"]) - 1) or (
        answer["readings"] == []
    )
    for wait in answer["waits"]:
        assert wait.keys() == {"tile", "left"}
    for wait in answer["blocked_waits"]:
        assert wait.keys() == {"tile", "left", "fails"}
        assert set(wait["fails"]) <= set(RULES[answer["ruleset"]])
        assert wait["fails"]
    for wait in answer["waits"] + answer["blocked_waits"]:
        assert TILE.fullmatch(wait["tile"])
        assert wait["left"] in range(5)
    measure, other = ("fan", "big_wins") if answer["ruleset"] == "changchun" else ("big_wins", "fan")
    assert answer[other] is None
    if answer["wins"]:
        assert answer[measure] == sum(answer["patterns"].values())
        assert answer["patterns"] == answer["readings"][0]["patterns"]
        assert all(f["status"] in ("pass", "waived") for f in answer["findings"])
    else:
        assert answer["patterns"] == {}
        assert answer[measure] is None
    if short:
        assert answer["readings"] == []
        assert (answer["state"] == "ready") is bool(answer["waits"])
    if answer["state"] == "not-win":
        assert any(f["status"] == "fail" for f in answer["findings"])
    assert_payments(answer)
    assert_nearness(answer)


def assert_payments(answer: Any) -> None:
    """A win with its winning tile is paid, by somebody to one winner; nothing else is."""
    if not (answer["wins"] and "+" in answer["hand"]):
        assert answer["payments"] is None
        return
    assert [type(points) for points in answer["payments"]] == [int] * 4
    assert sum(answer["payments"]) == 0
    assert sum(points > 0 for points in answer["payments"]) == 1


def assert_nearness(answer: Any) -> None:
    """Distance and fixes fit the state."""
    distance, fixes = answer["distance"], answer["fixes"]
    if answer["state"] == "win":
        assert distance == -1
    elif answer["state"] == "ready":
        assert distance == 0
    elif answer["state"] == "not-ready":
        assert distance is None or distance >= 1
    else:
        assert distance is None or distance >= 0
        assert bool(fixes) is (distance == 0)
    assert len(fixes) <= 12
    assert answer["state"] == "not-win" or not fixes
    for fix in fixes:
        assert fix.keys() == {"out", "in", "message"}
        assert TILE.fullmatch(fix["out"])
        assert TILE.fullmatch(fix["in"])
        assert fix["out"] != fix["in"]
        assert_both_languages(fix["message"])


# Answers


def test_a_win_is_answered_key_by_key(client: Client) -> None:
    answer = ask(client, "changchun", "23456m 555p 77888s +1m")
    findings = {f["rule"]: f for f in answer.pop("findings")}
    assert answer == {
        "ruleset": "changchun",
        "hand": "23456m 555p 77888s +1m",
        "state": "win",
        "wins": True,
        "readings": [
            {
                "sets": ["123m", "456m", "555p", "888s"],
                "pair": "77s",
                "wins": True,
                "chosen": True,
                "patterns": {"pinghu": 1, "fangpao": 1, "lihu": 1},
            }
        ],
        "patterns": {"pinghu": 1, "fangpao": 1, "lihu": 1},
        "fan": 3,
        "big_wins": None,
        "payments": [-3, 3, 0, 0],
        "waits": [{"tile": "1m", "left": 3}],
        "blocked_waits": [
            {"tile": "4m", "left": 3, "fails": ["terminal-or-honor"]},
            {"tile": "7m", "left": 4, "fails": ["terminal-or-honor"]},
        ],
        "distance": -1,
        "fixes": [],
    }
    assert list(findings) == RULES["changchun"]
    assert findings["three-suits"]["status"] == "pass"
    assert findings["three-suits"]["cites"] == ["CC-69"]


@pytest.mark.parametrize(
    ("ruleset", "hand", "state", "fan", "big_wins"),
    [
        ("changchun", CC, "win", 3, None),
        ("changchun", "123m 456p 45789s EE +6s", "not-win", None, None),
        ("changchun", "123m 45556p 78s SSS", "ready", None, None),
        ("changchun", "123m 456p 45789s EE", "not-ready", None, None),
        ("changchun", "147m 258p 369s ESWN", "not-ready", None, None),
        ("changsha", CS, "win", None, 0),
        ("changsha", "11133m 44999p 777s +4p", "win", None, 1),
        ("changsha", "123m 11456p 67789s +8s", "not-win", None, None),
        ("changsha", "12355m 45678p 789s", "ready", None, None),
        ("changsha", "123m 11456p 67789s", "not-ready", None, None),
    ],
)
def test_a_hand_is_in_one_of_four_states(
    client: Client, ruleset: str, hand: str, state: str, fan: int | None, big_wins: int | None
) -> None:
    answer = ask(client, ruleset, hand)
    assert_form(answer)
    assert (answer["ruleset"], answer["hand"]) == (ruleset, hand)
    assert (answer["state"], answer["fan"], answer["big_wins"]) == (state, fan, big_wins)


@pytest.mark.parametrize("case", KNOWN_HANDS)
def test_a_known_hand_is_answered_as_known(client: Client, case: dict[str, Any]) -> None:
    response = client.get(URL, query_of(case))
    if "error" in case:
        assert response.status_code == 400
        error = error_in(response.json())
        assert (error["code"], error["at"]) == (case["error"], case["at"])
        return
    assert response.status_code == 200
    answer = response.json()
    assert_form(answer)
    assert (answer["state"], answer["wins"]) == (case["state"], case["wins"])
    assert answer["patterns"] == case.get("patterns", {})
    assert (answer["fan"], answer["big_wins"]) == (case.get("fan"), case.get("big_wins"))
    assert {w["tile"]: w["left"] for w in answer["waits"]} == case["waits"]
    blocked = {w["tile"]: sorted(w["fails"]) for w in answer["blocked_waits"]}
    assert blocked == {code: sorted(fails) for code, fails in case["blocked_waits"].items()}
    by_rule = {f["rule"]: f["status"] for f in answer["findings"]}
    assert sorted(k for k, s in by_rule.items() if s == "fail") == sorted(case.get("fails", []))
    assert answer.get("stands_for") == case.get("stands_for")
    if "readings" in case:
        assert len(answer["readings"]) == case["readings"]


def query_of(case: dict[str, Any]) -> dict[str, str]:
    """A known hand's question as parameters."""
    given = {key: case[key] for key in INPUTS if key in case}
    given |= {key: ",".join(value) for key, value in given.items() if isinstance(value, list)}
    given |= {key: "1" for key, value in given.items() if value is True}
    return {"ruleset": case["ruleset"], "hand": case["hand"], **{k: str(v) for k, v in given.items()}}


def test_a_full_hand_without_a_winning_tile_is_judged_without_what_depends_on_it(client: Client) -> None:
    answer = ask(client, "changchun", "123m 45556p 789s SSS")
    assert_form(answer)
    assert (answer["state"], answer["patterns"], answer["fan"]) == ("win", {"pinghu": 1, "lihu": 1}, 2)
    assert (answer["waits"], answer["blocked_waits"], answer["payments"]) == ([], [], None)
    drawn = ask(
        client, "changchun", "123m 45556p 789s SSS", by="self-draw", listening="1", bao="9s", seat="0"
    )
    assert drawn["patterns"] == {"pinghu": 1, "lihu": 1, "zhuanghu": 1}
    assert "stands_for" not in drawn
    answer = ask(client, "changsha", "12355m 456789p 789s", moments="haidipao")
    assert_form(answer)
    assert (answer["patterns"], answer["big_wins"], answer["waits"]) == ({"xiaohu": 0}, 0, [])
    lost = ask(client, "changchun", "123m 456p 456789s EE")
    assert_form(lost)
    assert (lost["state"], lost["waits"], lost["blocked_waits"]) == ("not-win", [], [])


@pytest.mark.parametrize(
    ("hand", "sets", "pair"),
    [
        (
            "23488m 567p 34s {CFP} +5s",
            {"234m", "567p", "345s", "{CFP}"},
            "88m",
        ),
        ("11m 78s [6666p] (321m) {1s1p1s1m} +9s", {"789s", "[6666p]", "(123m)", "{1m1p1s1s}"}, "11m"),
        ("C (222p) (7777s) (999m) [1111m] +C", {"(222p)", "(7777s)", "(999m)", "[1111m]"}, "CC"),
    ],
)
def test_a_readings_sets_hold_the_melds_as_written(
    client: Client, hand: str, sets: set[str], pair: str
) -> None:
    answer = ask(client, "changchun", hand)
    assert_form(answer)
    assert [set(r["sets"]) for r in answer["readings"]] == [sets]
    assert [r["pair"] for r in answer["readings"]] == [pair]


def test_seven_pairs_are_seven_sets_without_a_pair(client: Client) -> None:
    answer = ask(client, "changsha", "1133m 14444p 6699s +1p")
    assert_form(answer)
    (reading,) = answer["readings"]
    assert sorted(reading["sets"]) == ["11m", "11p", "33m", "44p", "44p", "66s", "99s"]
    assert reading["pair"] is None
    assert answer["patterns"] == {"haohua-qidui": 2}


def test_jiangjianghu_without_structure_has_neither_sets_nor_pair(client: Client) -> None:
    answer = ask(client, "changsha", "22558m 2258p 2588s +5p")
    assert_form(answer)
    (reading,) = answer["readings"]
    assert (reading["sets"], reading["pair"], reading["wins"]) == ([], None, True)
    assert answer["patterns"] == {"jiangjianghu": 1}


def test_a_hand_with_several_readings_lists_each_and_counts_the_best(client: Client) -> None:
    answer = ask(client, "changsha", "2233445566778m +8m")
    assert_form(answer)
    assert len(answer["readings"]) > 1
    best, *rest = answer["readings"]
    assert best["patterns"] == {"qingyise": 1, "qidui": 1}
    assert all(sum(r["patterns"].values()) <= answer["big_wins"] for r in rest)
    assert any(r["pair"] for r in rest)


def test_a_drawn_bao_says_what_it_stands_for(client: Client) -> None:
    hand = "456m 45556p 89s SSS +2m"
    answer = ask(client, "changchun", hand, by="self-draw", listening="1", bao="2m")
    assert_form(answer)
    assert answer["stands_for"] == "7s"
    assert answer["hand"] == hand
    assert answer["patterns"]["baopai"] == 2
    for given in ({"by": "self-draw", "bao": "2m"}, {"listening": "1", "bao": "2m"}):
        assert "stands_for" not in ask(client, "changchun", hand, **given)


def test_left_is_four_less_the_copies_in_the_whole_hand(client: Client) -> None:
    """Melds and the winning tile count; the turned bao and the birds do not."""
    waits = {w["tile"]: w["left"] for w in ask(client, "changchun", CC)["waits"]}
    assert waits == {"6s": 4, "9s": 3}
    with_bao = ask(client, "changchun", CC, listening="1", bao="6s")
    assert {w["tile"]: w["left"] for w in with_bao["waits"]} == waits
    in_melds = ask(client, "changsha", "55m 78p (789p) (789p) (456s)")
    assert {w["tile"]: w["left"] for w in in_melds["waits"]} == {"6p": 4, "9p": 2}
    with_birds = ask(client, "changsha", "55m 78p (789p) (789p) (456s) +9p", birds="9p,6p")
    assert {w["tile"]: w["left"] for w in with_birds["waits"]} == {"6p": 4, "9p": 1}


def test_what_is_answered_is_canonical_whatever_was_typed(client: Client) -> None:
    answer = ask(client, "changchun", "一二三万 ４５５５６ｐ 78条 南风🀁S ＋9索")
    assert answer["hand"] == CC


# Questions


def test_a_plus_is_written_percent_2b_and_a_bare_one_is_a_space(client: Client) -> None:
    written = client.get(URL, QUERY_STRING="ruleset=changchun&hand=123m+45556p+78s+SSS+%2B9s").json()
    assert (written["hand"], written["fan"]) == (CC, 3)
    bare = client.get(URL, QUERY_STRING="ruleset=changchun&hand=123m+45556p+78s+SSS++9s").json()
    assert (bare["hand"], bare["fan"]) == ("123m 45556p 789s SSS", 2)


@pytest.mark.parametrize(
    ("ruleset", "hand", "given", "patterns"),
    [
        ("changchun", CC, {"by": "self-draw"}, {"pinghu": 1, "zimo": 1, "lihu": 1}),
        ("changchun", CC, {"seat": "0"}, {"pinghu": 1, "fangpao": 1, "zhuanghu": 1, "lihu": 1}),
        ("changchun", CC, {"seat": "2", "from": "3"}, {"pinghu": 1, "fangpao": 1, "lihu": 1}),
        ("changchun", CC, {"by": "robbed-gang"}, {"pinghu": 1, "fangpao": 1, "lihu": 1}),
        ("changchun", CC, {"listening": "1"}, {"pinghu": 1, "fangpao": 1, "lihu": 1}),
        ("changchun", CC, {"listening": "0"}, {"pinghu": 1, "fangpao": 1, "lihu": 1}),
        (
            "changchun",
            CC,
            {"by": "bao-match", "listening": "1", "bao": "9条"},
            {"pinghu": 1, "zimo": 1, "baopai": 2, "duibao": 2, "lihu": 1},
        ),
        ("changsha", CS, {"moments": "haidipao"}, {"haidipao": 1}),
        ("changsha", CS, {"by": "robbed-gang"}, {"qiangganghu": 1}),
        ("changsha", CS, {"by": "robbed-gang", "moments": "qiangganghu"}, {"qiangganghu": 1}),
        ("changsha", CS, {"by": "self-draw", "moments": "haidilaoyue"}, {"haidilaoyue": 1}),
        ("changsha", CS, {"by": "self-draw", "seat": "0", "moments": "tianhu"}, {"tianhu": 1}),
        ("changsha", CS, {"birds": "2m,3筒"}, {"xiaohu": 0}),
        ("changsha", CS, {"birds": "0"}, {"xiaohu": 0}),
        (
            "changchun",
            CC,
            dict.fromkeys(("by", "seat", "from", "listening", "bao"), ""),
            {"pinghu": 1, "fangpao": 1, "lihu": 1},
        ),
        ("changsha", CS, dict.fromkeys(("by", "moments", "birds"), ""), {"xiaohu": 0}),
    ],
)
def test_circumstances_are_read_from_the_query(
    client: Client, ruleset: str, hand: str, given: dict[str, str], patterns: dict[str, int]
) -> None:
    answer = ask(client, ruleset, hand, **given)
    assert_form(answer)
    assert answer["patterns"] == patterns


def test_an_answer_is_readable_json(client: Client) -> None:
    response = client.get(URL, {"ruleset": "changsha", "hand": CS})
    assert response["Content-Type"] == "application/json"
    assert "将是5万。" in response.content.decode("utf-8")


@pytest.mark.parametrize("language", ["en", "zh-CN", ""])
def test_the_reader_s_language_changes_nothing(client: Client, language: str) -> None:
    for query in ({"ruleset": "changsha", "hand": CS}, {"ruleset": "changsha", "hand": "55555m"}):
        told = client.get(URL, query, headers={"accept-language": language} if language else {})
        assert told.json() == client.get(URL, query).json()


# Refusals


REFUSALS = [
    # parameters, code, at, tiles
    ({"hand": CC}, "unknown-ruleset", None, []),
    ({}, "unknown-ruleset", None, []),
    ({"ruleset": "", "hand": CC}, "unknown-ruleset", None, []),
    ({"ruleset": "mars", "hand": CC}, "unknown-ruleset", None, []),
    ({"ruleset": "Changchun", "hand": CC}, "unknown-ruleset", None, []),
    ({"ruleset": "both", "hand": CC}, "unknown-ruleset", None, []),
    ({"ruleset": "changchun", "hand": CC, "option": "colour=red"}, "bad-option", None, []),
    ({"ruleset": "changchun", "hand": CC, "option": ["a=1", "b=2"]}, "bad-option", None, []),
    ({"ruleset": "changchun", "hand": CC, "option": "nothing"}, "bad-option", None, []),
    ({"ruleset": "changchun", "hand": "1m" * 101}, "too-long", None, []),
    ({"ruleset": "changchun", "hand": "123m x"}, "bad-character", 5, []),
    ({"ruleset": "changchun", "hand": "🀄🀄 55P"}, "bad-character", 3, []),
    ({"ruleset": "changchun", "hand": "123m (12p) 5s"}, "bad-meld", 5, ["1p", "2p"]),
    ({"ruleset": "changsha", "hand": "123m {CFP}"}, "bad-meld", 5, ["C", "F", "P"]),
    ({"ruleset": "changsha", "hand": "123m 红中"}, "tile-not-in-set", 5, ["C"]),
    ({"ruleset": "changchun", "hand": "123m 🀢"}, "tile-not-in-set", 5, ["🀢"]),
    ({"ruleset": "changsha", "hand": "22222m"}, "too-many-copies", 4, ["2m"]),
    ({"ruleset": "changchun"}, "tile-count", None, []),
    ({"ruleset": "changchun", "hand": ""}, "tile-count", None, []),
    ({"ruleset": "changchun", "hand": "123m"}, "tile-count", None, []),
    ({"ruleset": "changchun", "hand": CC, "by": "magic"}, "bad-context", None, []),
    ({"ruleset": "changchun", "hand": CC, "seat": "4"}, "bad-context", None, []),
    ({"ruleset": "changchun", "hand": CC, "seat": "2", "from": "2"}, "bad-context", None, []),
    ({"ruleset": "changchun", "hand": CC, "by": "self-draw", "from": "0"}, "bad-context", None, []),
    ({"ruleset": "changchun", "hand": CC, "listening": "true"}, "bad-context", None, []),
    ({"ruleset": "changchun", "hand": CC, "bao": "12m"}, "bad-context", None, []),
    ({"ruleset": "changchun", "hand": CC, "birds": "1m"}, "bad-context", None, []),
    ({"ruleset": "changchun", "hand": CC, "by": "bao-match", "bao": "9s"}, "bad-context", None, []),
    ({"ruleset": "changsha", "hand": CS, "listening": "1"}, "bad-context", None, []),
    ({"ruleset": "changsha", "hand": CS, "birds": "1m,E"}, "bad-context", None, []),
    ({"ruleset": "changsha", "hand": CS, "moments": "haidipao,gangshangpao"}, "bad-context", None, []),
    ({"ruleset": "changsha", "hand": CS, "moments": "gangshanghua"}, "bad-context", None, []),
    ({"ruleset": "changchun", "hand": CC, "colour": "red"}, "bad-request", None, []),
    ({"ruleset": "changchun", "hand": CC, "do": "clear"}, "bad-request", None, []),
    ({"ruleset": "changchun", "hand": CC, "language": "en"}, "bad-request", None, []),
    ({"ruleset": "changchun", "hand": [CC, CC]}, "bad-request", None, []),
    ({"ruleset": ["changchun", "changsha"], "hand": CC}, "bad-request", None, []),
    ({"ruleset": "changchun", "hand": CC, "by": ["discard", "self-draw"]}, "bad-request", None, []),
    ({"ruleset": "changsha", "hand": CS, "birds": ["2m", "3m"]}, "bad-request", None, []),
]


@pytest.mark.parametrize(("query", "code", "at", "tiles"), REFUSALS, ids=ascii)
def test_what_is_no_question_is_refused_with_status_400(
    client: Client, query: dict[str, Any], code: str, at: int | None, tiles: list[str]
) -> None:
    error = refusal(client, query)
    assert (error["code"], error["at"], error["tiles"]) == (code, at, tiles)


def test_every_error_that_can_be_met_here_is_shown_above() -> None:
    assert {code for _, code, _, _ in REFUSALS} == {
        "unknown-ruleset",
        "bad-option",
        "too-long",
        "bad-character",
        "bad-meld",
        "tile-not-in-set",
        "too-many-copies",
        "tile-count",
        "bad-context",
        "bad-request",
    }


# Everything is wrong at first; each step mends what the step before was refused for.
LADDER = [
    ("mars", "x=y", "(12m) {1m1p1s} E 11111m x " * 9, "magic", "unknown-ruleset"),
    ("changsha", "x=y", "(12m) {1m1p1s} E 11111m x " * 9, "magic", "bad-option"),
    ("changsha", "", "(12m) {1m1p1s} E 11111m x " * 9, "magic", "too-long"),
    ("changsha", "", "E 11111m {1m1p1s} (12m) x", "magic", "bad-character"),
    ("changsha", "", "E 11111m {1m1p1s} (12m)", "magic", "bad-meld"),
    ("changsha", "", "11111m E (123m)", "magic", "tile-not-in-set"),
    ("changsha", "", "11111m (123m)", "magic", "too-many-copies"),
    ("changsha", "", "111m (123m)", "magic", "tile-count"),
    ("changsha", "", CS, "magic", "bad-context"),
    ("changsha", "", CS, "self-draw", None),
]


@pytest.mark.parametrize(("ruleset", "option", "hand", "by", "code"), LADDER)
def test_what_comes_first_is_reported_first(
    client: Client, ruleset: str, option: str, hand: str, by: str, code: str | None
) -> None:
    query = {"ruleset": ruleset, "hand": hand, "by": by} | ({"option": option} if option else {})
    if code is None:
        assert client.get(URL, query).status_code == 200
    else:
        assert refusal(client, query)["code"] == code


def test_a_hand_that_does_not_win_is_no_error(client: Client) -> None:
    for ruleset, hand in (("changchun", "123m 456p 45789s EE +6s"), ("changsha", "147m 258p 1469s 147s +2m")):
        assert ask(client, ruleset, hand)["state"] == "not-win"


def test_more_parameters_than_are_read_are_refused_in_json_too(client: Client) -> None:
    response = client.get(URL, QUERY_STRING="&".join(["option=a=b"] * 1001))
    assert response.status_code == 400
    assert response["Content-Type"] == "application/json"


# Requests


@pytest.mark.parametrize(("hand", "status"), [(CC, 200), ("55555p", 400)])
def test_head_is_answered_without_a_body(client: Client, hand: str, status: int) -> None:
    response = client.head(URL, {"ruleset": "changchun", "hand": hand})
    assert (response.status_code, response.content) == (status, b"")


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_only_reading_is_allowed(client: Client, method: str) -> None:
    response = getattr(client, method)(f"{URL}?ruleset=changchun&hand=1m")
    assert response.status_code == 405
    assert {m.strip() for m in response["Allow"].split(",")} == {"GET", "HEAD"}


@pytest.mark.parametrize("game", rules.rulesets().values(), ids=lambda g: g.key)
def test_every_ruleset_can_be_asked(client: Client, game: rules.Ruleset) -> None:
    for example in game.examples:
        assert_form(ask(client, game.key, example.hand, **dict(example.given)))
