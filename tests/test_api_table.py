"""The API of the deal and of the settlement: what it answers, key by key, and how it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.test_api import CC, CITE, CS, TILE, assert_both_languages, error_in
from tutor.answers import LONGEST_SCENARIO

DEAL, SETTLE = "/api/v1/deal", "/api/v1/settle"
ONE_WIN = {"seat": 1, "from": 0, "by": "discard"}
# The two scenarios of the agreed form.
CHANGSHA_SCENARIO = {
    "ruleset": "changsha",
    "options": {"birds": "2"},
    "wins": [ONE_WIN | {"hand": "123m 55m 456p 78p 789s +9p", "moments": []}],
    "openings": [{"seat": 3, "keys": ["sixi"]}],
    "birds": ["2m", "3p"],
}
CHANGCHUN_SCENARIO = {
    "ruleset": "changchun",
    "wins": [ONE_WIN | {"hand": "123m 456p 55p 78s SSS +9s", "listening": False, "bao": None}],
    "gangs": [
        {"seat": 2, "tiles": "[5555m]"},
        {"seat": 0, "tiles": "{ESWNE}", "dealt": True},
        {"seat": 3, "tiles": "(2222p)", "from": 1},
    ],
}


def send(client: Client, scenario: Any, **extra: Any) -> HttpResponse:
    """A scenario, as data or as the bytes that are sent."""
    body = scenario if isinstance(scenario, bytes) else json.dumps(scenario, ensure_ascii=False).encode()
    return client.post(SETTLE, body, content_type="application/json", **extra)


def settled(client: Client, scenario: Any) -> Any:
    response = send(client, scenario)
    assert response.status_code == 200, response.content.decode()
    return response.json()


def refusal(response: HttpResponse) -> Any:
    assert response.status_code == 400, response.content.decode()
    assert response["Content-Type"] == "application/json"
    return error_in(json.loads(response.content))


# The deal


@pytest.mark.parametrize(
    ("ruleset", "tiles", "openings", "ready"),
    [
        ("changsha", "2222m 13579p 1479s", ["sixi"], False),
        ("changsha", "2222m 555m 4477p 99p", ["queyise", "sixi", "liuliushun"], True),
        ("changsha", "12355m 456789p 789s", ["tianhu"], False),
        ("changsha", "12355m 45678p 789s", [], True),
        ("changchun", "1m 123p 19s 456s ESWN", ["xuanfenggang", "yaodan"], False),
        ("changchun", "1111s 234m 567p EE C", ["dadan"], False),
        ("changchun", "234m 567p 34567s FF", [], True),
        ("changchun", "147m 258p 369s ESWN", ["xuanfenggang"], False),
    ],
)
def test_a_deal_is_answered_key_by_key(
    client: Client, ruleset: str, tiles: str, openings: list[str], ready: bool
) -> None:
    answer = client.get(DEAL, {"ruleset": ruleset, "tiles": tiles}).json()
    assert answer.keys() == {"openings", "ready", "details", "waits"}
    assert (answer["openings"], answer["ready"]) == (openings, ready)
    assert bool(answer["waits"]) is ready
    assert {detail["opening"] for detail in answer["details"]} == set(openings)
    for detail in answer["details"]:
        assert detail.keys() == {"opening", "tiles", "cites", "message"}
        assert all(TILE.fullmatch(t) for t in detail["tiles"])
        assert all(CITE.fullmatch(c) for c in detail["cites"])
        assert_both_languages(detail["message"])


def test_a_house_rule_changes_what_a_deal_holds(client: Client) -> None:
    asked = {"ruleset": "changchun", "tiles": "1111m 234m 567p 123s"}
    assert client.get(DEAL, asked).json()["openings"] == []
    changed = client.get(DEAL, asked | {"option": "dadan-1m=yes"}).json()
    assert changed["openings"] == ["dadan"]


DEAL_REFUSALS = [
    ({"tiles": CS}, "unknown-ruleset", None),
    ({"ruleset": "mars", "tiles": CS}, "unknown-ruleset", None),
    ({"ruleset": "changsha", "tiles": "1m", "option": "a=b"}, "bad-option", None),
    ({"ruleset": "changsha", "tiles": "1m", "option": "nothing"}, "bad-option", None),
    ({"ruleset": "changsha", "tiles": "1m" * 101}, "too-long", None),
    ({"ruleset": "changsha", "tiles": "123m x"}, "bad-character", 5),
    ({"ruleset": "changsha", "tiles": "123m +1p"}, "bad-character", 5),
    ({"ruleset": "changsha", "tiles": "123m (123p)"}, "bad-meld", 5),
    ({"ruleset": "changsha", "tiles": "123m (12p)"}, "bad-meld", 5),
    ({"ruleset": "changsha", "tiles": "123m E"}, "tile-not-in-set", 5),
    ({"ruleset": "changsha", "tiles": "22222m"}, "too-many-copies", 4),
    ({"ruleset": "changsha", "tiles": "123m"}, "tile-count", None),
    ({"ruleset": "changsha", "tiles": "123456789m 123456p"}, "tile-count", None),
    ({"ruleset": "changsha"}, "tile-count", None),
    ({"ruleset": "changsha", "tiles": CS, "hand": CS}, "bad-request", None),
    ({"ruleset": "changsha", "tiles": CS, "by": "discard"}, "bad-request", None),
    ({"ruleset": "changsha", "tiles": ["1m", "2m"]}, "bad-request", None),
]


@pytest.mark.parametrize(("query", "code", "at"), DEAL_REFUSALS, ids=ascii)
def test_what_is_no_deal_is_refused_with_status_400(
    client: Client, query: dict[str, Any], code: str, at: int | None
) -> None:
    error = refusal(client.get(DEAL, query))
    assert (error["code"], error["at"]) == (code, at)


def test_every_error_of_a_deal_is_shown_above() -> None:
    assert {code for _, code, _ in DEAL_REFUSALS} == {
        "unknown-ruleset",
        "bad-option",
        "too-long",
        "bad-character",
        "bad-meld",
        "tile-not-in-set",
        "too-many-copies",
        "tile-count",
        "bad-request",
    }


def test_a_deal_is_only_read(client: Client) -> None:
    head = client.head(DEAL, {"ruleset": "changsha", "tiles": "2222m 13579p 1479s"})
    assert (head.status_code, head.content) == (200, b"")
    for method in ("post", "put", "patch", "delete"):
        response = getattr(client, method)(f"{DEAL}?ruleset=changsha&tiles=1m")
        assert response.status_code == 405
        assert {m.strip() for m in response["Allow"].split(",")} == {"GET", "HEAD"}
    many = client.get(DEAL, QUERY_STRING="&".join(["option=a=b"] * 1001))
    assert refusal(many)["code"] == "bad-request"


# The settlement


def test_the_agreed_scenario_of_changsha(client: Client) -> None:
    answer = settled(client, CHANGSHA_SCENARIO)
    assert answer["payments"] == [-6, 3, -1, 4]
    assert answer["next_dealer"] == 1
    lines = {(line["from"], line["to"], line["points"], line["for"]) for line in answer["lines"]}
    assert lines == {
        (0, 1, 4, "win"),
        (0, 3, 2, "opening"),
        (1, 3, 1, "opening"),
        (2, 3, 1, "opening"),
    }


def test_the_agreed_scenario_of_changchun(client: Client) -> None:
    answer = settled(client, CHANGCHUN_SCENARIO)
    assert answer["payments"] == [0, -2, 3, -1]
    assert answer["next_dealer"] == 1
    assert {"from": 0, "to": 1, "points": 3, "for": "win"} in answer["lines"]
    gangs = [(line["to"], line["points"]) for line in answer["lines"] if line["for"] == "gang"]
    assert sorted(gangs) == [(0, 2)] * 3 + [(2, 2)] * 3 + [(3, 1)] * 3


@pytest.mark.parametrize(
    "scenario",
    [CHANGSHA_SCENARIO, CHANGCHUN_SCENARIO, {"ruleset": "changchun"}, {"ruleset": "changsha", "wins": []}],
)
def test_an_answer_has_every_agreed_key(client: Client, scenario: dict[str, Any]) -> None:
    answer = settled(client, scenario)
    assert answer.keys() == {"payments", "lines", "next_dealer", "explained"}
    assert [type(p) for p in answer["payments"]] == [int] * 4
    assert sum(answer["payments"]) == 0
    assert len(answer["explained"]) == len(answer["lines"])
    sums = [0, 0, 0, 0]
    for line in answer["lines"]:
        assert line.keys() == {"from", "to", "points", "for"}
        sums[line["from"]] -= line["points"]
        sums[line["to"]] += line["points"]
    assert sums == answer["payments"]
    for why in answer["explained"]:
        assert_both_languages(why["message"])
        assert all(CITE.fullmatch(c) for c in why["cites"])


@pytest.mark.parametrize(
    ("scenario", "payments", "next_dealer"),
    [
        ({"ruleset": "changchun"}, [0, 0, 0, 0], 0),
        ({"ruleset": "changsha"}, [0, 0, 0, 0], None),
        ({"ruleset": "changsha", "last_tile": {"offered": 2, "taker": None}}, [0, 0, 0, 0], 2),
        ({"ruleset": "changsha", "last_tile": {"offered": 2, "taker": 3}}, [0, 0, 0, 0], 3),
        ({"ruleset": "changsha", "last_tile": None, "birds": None}, [0, 0, 0, 0], None),
        ({"ruleset": "changchun", "wins": [{"seat": 0, "by": "self-draw", "fan": 4}]}, [12, -4, -4, -4], 0),
        ({"ruleset": "changsha", "wins": [ONE_WIN | {"big_wins": 0}]}, [-2, 2, 0, 0], 1),
        (
            {"ruleset": "changsha", "wins": [ONE_WIN | {"big_wins": 1}, ONE_WIN | {"seat": 2, "hand": CS}]},
            [-9, 7, 2, 0],
            0,
        ),
        (
            {"ruleset": "changsha", "wins": [ONE_WIN | {"big_wins": 1, "moments": ["gangshangpao"]}] * 2},
            [-14, 14, 0, 0],
            1,
        ),
        (
            {
                "ruleset": "changchun",
                "options": {"discard-pays": "everyone", "points": "doubling"},
                "wins": [ONE_WIN | {"hand": CC}],
            },
            [-4, 8, -2, -2],
            1,
        ),
    ],
    ids=str,
)
def test_a_scenario_is_settled(
    client: Client, scenario: dict[str, Any], payments: list[int], next_dealer: int | None
) -> None:
    answer = settled(client, scenario)
    assert (answer["payments"], answer["next_dealer"]) == (payments, next_dealer)


def cs(**keys: Any) -> dict[str, Any]:
    return {"ruleset": "changsha", **keys}


def cc(**keys: Any) -> dict[str, Any]:
    return {"ruleset": "changchun", **keys}


def won(**keys: Any) -> list[dict[str, Any]]:
    return [{key: value for key, value in (ONE_WIN | keys).items() if value is not ...}]


SETTLE_REFUSALS = [
    ({}, "unknown-ruleset"),
    ({"ruleset": "mars"}, "unknown-ruleset"),
    ({"ruleset": ""}, "unknown-ruleset"),
    (cs(options={"a": "b"}), "bad-option"),
    (cs(options={"birds": "3"}), "bad-option"),
    (cc(wins=won(hand="1m" * 101)), "too-long"),
    (cc(wins=won(hand="123m x +1m")), "bad-character"),
    (cc(wins=won(hand="123m (12p) +1m")), "bad-meld"),
    (cc(gangs=[{"seat": 1, "tiles": "(555m)"}]), "bad-meld"),
    (cc(gangs=[{"seat": 1, "tiles": "5555m"}]), "bad-meld"),
    (cc(gangs=[{"seat": 1, "tiles": "(1111m)(2222m)"}]), "bad-meld"),
    (cs(wins=won(hand="123m E +1m")), "tile-not-in-set"),
    (cs(wins=won(hand="22222m +1m")), "too-many-copies"),
    (cc(wins=won(hand=CC), gangs=[{"seat": 2, "tiles": "[SSSS]"}]), "too-many-copies"),
    (cc(wins=won(hand="123m +1m")), "tile-count"),
    (cc(wins=won(hand="123m 456p 45789s EE +6s")), "not-a-win"),
    (cs(wins=won(hand="123m 11456p 67789s +8s")), "not-a-win"),
    (cc(wins=won(hand=CC, fan=3)), "bad-context"),
    (cc(wins=won()), "bad-context"),
    (cc(wins=won(fan=0)), "bad-context"),
    (cc(wins=won(fan=99)), "bad-context"),
    (cs(wins=won(big_wins=-1)), "bad-context"),
    (cc(wins=won(hand="123m 45556p 789s SSS")), "bad-context"),
    (cc(wins=won(hand=CC, **{"from": ...})), "bad-context"),
    (cc(wins=won(hand=CC, **{"from": 1})), "bad-context"),
    (cc(wins=won(hand=CC, by="magic")), "bad-context"),
    (cc(wins=won(hand=CC, by="self-draw")), "bad-context"),
    (cc(wins=won(hand=CC, seat=4)), "bad-context"),
    (cs(wins=won(hand=CS, bao="1m")), "bad-context"),
    (cs(wins=won(hand=CS, moments=["tianhu"])), "bad-context"),
    (cs(wins=won(hand=CS, moments=["x"])), "bad-context"),
    (cc(wins=won(fan=1) + won(fan=1, seat=2)), "bad-context"),
    (
        cs(options={"several-winners": "nearest"}, wins=won(big_wins=1) + won(big_wins=1, seat=2)),
        "bad-context",
    ),
    (cs(wins=won(big_wins=1) + won(big_wins=1, seat=2, **{"from": 3})), "bad-context"),
    (cs(wins=won(big_wins=1) * 3), "bad-context"),
    (cs(wins=won(big_wins=1) * 9), "bad-context"),
    (cs(birds=["1m", "2m", "3m"]), "bad-context"),
    (cs(birds=["E"]), "bad-context"),
    (cs(options={"birds": "0"}, birds=["1m"]), "bad-context"),
    (cc(birds=["1m"]), "bad-context"),
    (cs(openings=[{"seat": 1, "keys": ["tianhu"]}]), "bad-context"),
    (cs(openings=[{"seat": 1, "keys": ["x"]}]), "bad-context"),
    (cs(openings=[{"seat": 1, "keys": ["sixi", "sixi"]}]), "bad-context"),
    (cs(openings=[{"keys": ["sixi"]}]), "bad-context"),
    (cc(openings=[{"seat": 1, "keys": ["xigang"]}]), "bad-context"),
    (cc(gangs=[{"seat": 9, "tiles": "[5555m]"}]), "bad-context"),
    (cc(gangs=[{"seat": 1, "tiles": "(5555m)", "from": 1}]), "bad-context"),
    (cc(gangs=[{"seat": 1, "tiles": "[5555m]", "from": 2}]), "bad-context"),
    (cc(gangs=[{"seat": 1, "tiles": "{CFP}", "dealt": False}]), "bad-context"),
    (cc(gangs=[{"seat": 1, "tiles": "[5555m]"}] * 17), "bad-context"),
    (cc(last_tile={"offered": 1}), "bad-context"),
    (cs(last_tile={"offered": 7}), "bad-context"),
    (cc(colour="red"), "bad-request"),
    (cc(wins=won(hand=CC, colour="red")), "bad-request"),
    (cc(gangs=[{"seat": 1, "tiles": "[5555m]", "colour": "red"}]), "bad-request"),
    (cs(wins=won(fan=3)), "bad-request"),
    (cc(wins={}), "bad-request"),
    (cc(wins=[1]), "bad-request"),
    (cc(wins=won(fan="3")), "bad-request"),
    (cc(wins=won(fan=True)), "bad-request"),
    (cc(wins=won(fan=1.5)), "bad-request"),
    (cc(wins=won(hand=5)), "bad-request"),
    (cc(wins=won(hand=CC, seat=1.5)), "bad-request"),
    (cc(wins=won(hand=CC, listening="yes")), "bad-request"),
    (cs(wins=won(hand=CS, moments=[1])), "bad-request"),
    (cc(options=[]), "bad-request"),
    (cc(options=["points"]), "bad-request"),
    (cc(options={"points": 1}), "bad-request"),
    (cc(gangs=[{"seat": 1, "tiles": 5}]), "bad-request"),
    (cc(gangs=[{"seat": 1, "tiles": "[5555m]", "dealt": 1}]), "bad-request"),
    (cs(last_tile=[1]), "bad-request"),
    ({"ruleset": 5}, "bad-request"),
    ([], "bad-request"),
    ("x", "bad-request"),
    (None, "bad-request"),
    (b"", "bad-request"),
    (b"{", "bad-request"),
    (b"\xff\xfe", "bad-request"),
    (b'{"ruleset": NaN}', "bad-request"),
    (b'{"ruleset": "changsha", "ruleset": "changchun"}', "bad-request"),
    (b'{"ruleset": "changsha", "wins": ' + b"[" * 9_000, "bad-request"),
    (b'{"ruleset": "changsha", "wins": ' + b"[" * 9_000 + b"]" * 9_000 + b"}", "bad-request"),
    (b'{"ruleset": "changsha", "birds": [' + b"9" * 10_000 + b"]}", "bad-request"),
    (b" " * (LONGEST_SCENARIO + 1), "bad-request"),
    (b" " * 3_000_000, "bad-request"),
]


@pytest.mark.parametrize(("scenario", "code"), SETTLE_REFUSALS, ids=lambda value: repr(value)[:60])
def test_what_is_no_scenario_is_refused_with_status_400(client: Client, scenario: Any, code: str) -> None:
    assert refusal(send(client, scenario))["code"] == code


def test_every_error_of_a_settlement_is_shown_above() -> None:
    assert {code for _, code in SETTLE_REFUSALS} == {
        "unknown-ruleset",
        "bad-option",
        "too-long",
        "bad-character",
        "bad-meld",
        "tile-not-in-set",
        "too-many-copies",
        "tile-count",
        "bad-context",
        "not-a-win",
        "bad-request",
    }


def test_json_that_can_not_be_read_says_where(client: Client) -> None:
    assert refusal(send(client, b'{"ruleset" "changsha"}'))["at"] == 11


def test_json_is_read_whatever_it_says_it_is(client: Client) -> None:
    body = json.dumps({"ruleset": "changchun"}).encode()
    for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded"):
        assert client.post(SETTLE, body, content_type=kind).status_code == 200
    assert send(client, b"\xef\xbb\xbf" + body).status_code == 200


def test_a_settlement_needs_no_token_and_takes_no_parameters() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert send(strict, {"ruleset": "changchun"}).status_code == 200
    response = strict.post(f"{SETTLE}?ruleset=changchun", b"{}", content_type="application/json")
    assert refusal(response)["code"] == "bad-request"


@pytest.mark.parametrize("method", ["get", "head", "put", "patch", "delete"])
def test_a_settlement_is_only_posted(client: Client, method: str) -> None:
    response = getattr(client, method)(SETTLE)
    assert response.status_code == 405
    assert response["Allow"] == "POST"
