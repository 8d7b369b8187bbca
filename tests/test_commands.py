"""The commands `check_deal` and `settle`: the API's answers on standard output, and the same in words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client

from tests.test_api import error_in
from tests.test_api_table import (
    CHANGCHUN_SCENARIO,
    CHANGSHA_SCENARIO,
    DEAL,
    DEAL_REFUSALS,
    SETTLE_REFUSALS,
    send,
)

SIXI = "2222m 13579p 1479s"


def run(*arguments: str) -> tuple[str, int]:
    """What a command prints, and its exit status."""
    out = StringIO()
    try:
        call_command(*arguments, stdout=out)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


def written(path: Path, scenario: Any) -> str:
    """The path of a file that holds a scenario."""
    body = scenario if isinstance(scenario, bytes) else json.dumps(scenario, ensure_ascii=False).encode()
    path.write_bytes(body)
    return str(path)


def process(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """A command run as people run it."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env=kept,
        input=stdin,
        capture_output=True,
        check=False,
    )


# The deal


@pytest.mark.parametrize(
    ("ruleset", "tiles", "options"),
    [
        ("changsha", SIXI, []),
        ("changsha", "12355m 456789p 789s", []),
        ("changchun", "1111m 234m 567p 123s", ["dadan-1m=yes"]),
        ("changchun", "1111m 234m 567p 123s", ["dadan-1m=yes", "special-gang-twice=no"]),
        ("changsha", "一一一一万 13579筒 1479条", []),
    ],
)
def test_check_deal_and_the_api_answer_alike(
    client: Client, ruleset: str, tiles: str, options: list[str]
) -> None:
    given = [part for option in options for part in ("--option", option)]
    printed, status = run("check_deal", ruleset, tiles, *given, "--json")
    assert status == 0
    asked = {"ruleset": ruleset, "tiles": tiles, "option": options}
    assert json.loads(printed) == client.get(DEAL, asked).json()
    assert printed.count("\n") == 1


@pytest.mark.parametrize(
    "query", [q for q, code, _ in DEAL_REFUSALS if "ruleset" in q and code != "bad-request"], ids=ascii
)
def test_check_deal_and_the_api_refuse_alike(client: Client, query: dict[str, Any]) -> None:
    option = ["--option", query["option"]] if "option" in query else []
    printed, status = run("check_deal", query["ruleset"], query.get("tiles", ""), *option, "--json")
    assert status == 2
    assert json.loads(printed) == client.get(DEAL, query).json()


def test_a_deal_is_told_in_words() -> None:
    printed, status = run("check_deal", "changsha", SIXI)
    assert status == 0
    assert printed.splitlines()[:2] == [f"Changsha  {SIXI}", "  Sixi: four alike  [CS-5 CS-9]"]
    chinese, _ = run("check_deal", "changsha", SIXI, "--language", "zh-hans")
    assert chinese.splitlines()[:2] == [f"长沙  {SIXI}", "  四喜: 四张一样的  [CS-5 CS-9]"]
    nothing, _ = run("check_deal", "changsha", "147m 258p 1469s 147s")
    assert "Nothing to show." in nothing
    ready, _ = run("check_deal", "changsha", "12355m 45678p 789s")
    assert "Ready as dealt: 3筒, 6筒 and 9筒" in ready


def test_a_deal_that_can_not_be_is_told_in_words_with_status_2() -> None:
    printed, status = run("check_deal", "changsha", "22222m")
    assert status == 2
    assert printed.startswith("too-many-copies: ")
    chinese, _ = run("check_deal", "changsha", "123m", "--language", "zh-hans")
    assert chinese.startswith("tile-count: 起手是13张")


# The settlement


@pytest.mark.parametrize(
    ("scenario", "payments"),
    [(CHANGSHA_SCENARIO, [-6, 3, -1, 4]), (CHANGCHUN_SCENARIO, [0, -2, 3, -1])],
    ids=["changsha", "changchun"],
)
def test_settle_and_the_api_answer_alike(
    client: Client, tmp_path: Path, scenario: dict[str, Any], payments: list[int]
) -> None:
    path = written(tmp_path / "scenario.json", scenario)
    printed, status = run("settle", scenario["ruleset"], path, "--json")
    assert status == 0
    assert json.loads(printed) == send(client, scenario).json()
    assert json.loads(printed)["payments"] == payments
    without = {key: value for key, value in scenario.items() if key != "ruleset"}
    alone = written(tmp_path / "alone.json", without)
    assert run("settle", scenario["ruleset"], alone, "--json") == (printed, 0)


@pytest.mark.parametrize(
    "scenario",
    [
        s
        for s, code in SETTLE_REFUSALS
        if (not isinstance(s, dict) or s.get("ruleset") in ("changsha", "changchun", "mars"))
    ],
    ids=lambda value: repr(value)[:60],
)
def test_settle_and_the_api_refuse_alike(client: Client, tmp_path: Path, scenario: Any) -> None:
    ruleset = scenario["ruleset"] if isinstance(scenario, dict) else "changsha"
    printed, status = run("settle", ruleset, written(tmp_path / "scenario.json", scenario), "--json")
    assert status == 2
    assert error_in(json.loads(printed)) == error_in(send(client, scenario).json())


def test_house_rules_of_the_command_stand_beside_those_of_the_scenario(tmp_path: Path) -> None:
    win = [{"seat": 1, "from": 0, "by": "discard", "fan": 3}]
    path = written(tmp_path / "a.json", {"options": {"points": "doubling"}, "wins": win})
    for option, paid in (
        ((), 4),
        (("--option", "points=doubling"), 4),
        (("--option", "discard-pays=everyone"), 4),
    ):
        printed, _ = run("settle", "changchun", path, *option, "--json")
        assert json.loads(printed)["payments"][0] == -paid
    printed, status = run("settle", "changchun", path, "--option", "points=linear", "--json")
    assert (json.loads(printed)["error"]["code"], status) == ("bad-option", 2)
    other = written(tmp_path / "b.json", {"ruleset": "changsha", "wins": []})
    printed, status = run("settle", "changchun", other, "--json")
    assert (json.loads(printed)["error"]["code"], status) == ("bad-request", 2)


def test_a_circumstance_is_given_once() -> None:
    twice = ("--by", "discard", "--by", "self-draw")
    printed, status = run("check_hand", "changsha", "12355m 45678p 789s +9p", *twice, "--json")
    assert (json.loads(printed)["error"]["code"], status) == ("bad-request", 2)


def test_a_settlement_is_told_in_words(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", CHANGSHA_SCENARIO)
    printed, status = run("settle", "changsha", path)
    assert status == 0
    assert "dealer → next after dealer  4  A small win, and the dealer wins or pays: 2; 2万 on the" in printed
    assert "2万. With the dealer as 1, 2 falls on the player after the dealer, the winner" in printed
    assert "dealer -6  next after dealer +3  opposite dealer -1  before dealer +4" in printed
    assert "The winner deals next" in printed
    chinese, _ = run("settle", "changsha", path, "--language", "zh-hans")
    assert "庄家 → 庄家的下家  4  小胡带庄，2分；2万扎中赢家，×2＝4分" in chinese


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.json", tmp_path):
        with pytest.raises(CommandError, match="can't be read"):
            call_command("settle", "changsha", str(path), stdout=StringIO())


def test_a_scenario_comes_from_standard_input_too() -> None:
    body = json.dumps(CHANGCHUN_SCENARIO, ensure_ascii=False).encode()
    done = process("settle", "changchun", "-", "--json", stdin=body)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["payments"] == [0, -2, 3, -1]


def test_the_processes_end_with_2_for_an_error() -> None:
    deal = process("check_deal", "changsha", "二二二二二万", "--json")
    assert (deal.returncode, deal.stderr) == (2, b"")
    told = error_in(json.loads(deal.stdout))
    assert (told["code"], told["at"]) == ("too-many-copies", 4)
    settle = process("settle", "changsha", "-", "--json", stdin=b"{")
    assert (settle.returncode, settle.stderr) == (2, b"")
    assert error_in(json.loads(settle.stdout))["code"] == "bad-request"
