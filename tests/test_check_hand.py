"""The command `check_hand`: the API's answers on standard output, and the same in words for people."""

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

import rules
from tests.test_api import CC, CS, KNOWN_HANDS, LADDER, REFUSALS, URL, assert_form, error_in, query_of


def run(*arguments: str) -> tuple[str, int]:
    """What the command prints, and its exit status."""
    out = StringIO()
    try:
        call_command("check_hand", *arguments, stdout=out)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


def answer(*arguments: str) -> Any:
    """The one answer of a command with `--json`, which ends with status 0."""
    printed, status = run(*arguments, "--json")
    assert status == 0, printed
    assert printed.endswith("\n")
    assert printed.count("\n") == 1
    return json.loads(printed)


def arguments_of(query: dict[str, Any]) -> list[str]:
    """The API's parameters as the command's arguments."""
    arguments = [query["ruleset"], query.get("hand", "")]
    for key, value in query.items():
        if key == "option":
            arguments += [f"--option={v}" for v in ([value] if isinstance(value, str) else value)]
        elif key == "listening":
            arguments += ["--listening"] if value == "1" else []
        elif key not in ("ruleset", "hand"):
            arguments.append(f"--{key}={value}")
    return arguments


# In JSON


@pytest.mark.parametrize("case", KNOWN_HANDS)
def test_the_command_and_the_api_answer_alike(client: Client, case: dict[str, Any]) -> None:
    query = query_of(case)
    response = client.get(URL, query)
    printed, status = run(*arguments_of(query), "--json")
    assert json.loads(printed) == response.json()
    assert (response.status_code, status) in ((200, 0), (400, 2))


REFUSED_BY_BOTH = [
    query
    for query, code, _, _ in REFUSALS
    # These have no form on the command line.
    if "ruleset" in query and code != "bad-request" and query.get("listening") != "true"
]


@pytest.mark.parametrize("query", REFUSED_BY_BOTH, ids=ascii)
def test_the_command_and_the_api_refuse_alike(client: Client, query: dict[str, Any]) -> None:
    printed, status = run(*arguments_of(query), "--json")
    assert status == 2
    assert json.loads(printed) == client.get(URL, query).json()


@pytest.mark.parametrize(("ruleset", "option", "hand", "by", "code"), LADDER)
def test_what_comes_first_is_reported_first(
    ruleset: str, option: str, hand: str, by: str, code: str | None
) -> None:
    options = ["--option", option] if option else []
    printed, status = run(ruleset, hand, "--by", by, *options, "--json")
    told = json.loads(printed)
    assert (told["error"]["code"], status) == (code, 2) if code else (told["wins"], status) == (True, 0)


@pytest.mark.parametrize(
    ("arguments", "patterns"),
    [
        ([CC], {"pinghu": 1, "fangpao": 1, "lihu": 1}),
        ([CC, "--by", "self-draw"], {"pinghu": 1, "zimo": 1, "lihu": 1}),
        ([CC, "--seat", "2", "--from", "3"], {"pinghu": 1, "fangpao": 1, "lihu": 1}),
        ([CC, "--seat=0", "--from=3"], {"pinghu": 1, "fangpao": 1, "zhuanghu": 1, "lihu": 1}),
        (
            ["456m 45556p 89s SSS +2m", "--by", "self-draw", "--listening", "--bao", "2m"],
            {"pinghu": 1, "zimo": 1, "jiahu": 1, "baopai": 2, "lihu": 1},
        ),
        (
            [CC, "--listening", "--by", "bao-match", "--bao", "9s"],
            {"pinghu": 1, "zimo": 1, "baopai": 2, "duibao": 2, "lihu": 1},
        ),
    ],
)
def test_flags_tell_how_a_hand_was_won_in_changchun(arguments: list[str], patterns: dict[str, int]) -> None:
    told = answer("changchun", *arguments)
    assert_form(told)
    assert told["patterns"] == patterns


@pytest.mark.parametrize(
    ("arguments", "patterns"),
    [
        ([CS], {"xiaohu": 0}),
        ([CS, "--moments", "haidipao"], {"haidipao": 1}),
        ([CS, "--moments=dihu"], {"dihu": 1}),
        ([CS, "--by", "self-draw", "--moments", "haidilaoyue", "--birds", "0"], {"haidilaoyue": 1}),
        ([CS, "--birds", "2m,3p"], {"xiaohu": 0}),
        ([CS, "--birds", "2万, 3筒"], {"xiaohu": 0}),
    ],
)
def test_flags_tell_how_a_hand_was_won_in_changsha(arguments: list[str], patterns: dict[str, int]) -> None:
    told = answer("changsha", *arguments)
    assert_form(told)
    assert told["patterns"] == patterns


@pytest.mark.parametrize(
    "arguments",
    [
        ["--moments", "haidipao,gangshangpao"],
        ["--birds", "2m,E"],
        ["--listening"],
        ["--bao", "1m"],
        ["--from", "1"],
        ["--by", "self-draw", "--from", "0"],
    ],
)
def test_circumstances_that_cannot_be_are_refused(arguments: list[str]) -> None:
    printed, status = run("changsha", CS, *arguments, "--json")
    assert (error_in(json.loads(printed))["code"], status) == ("bad-context", 2)


# In words


def test_a_win_is_told_in_english_by_default() -> None:
    printed, status = run("changchun", CC)
    assert status == 0
    assert printed == run("changchun", CC, "--language", "en")[0]
    assert printed.splitlines()[:2] == [f"Changchun  {CC}", "A win: 3 fan."]
    assert "  ✓ Three suits: All three suits are there.  [CC-69]" in printed
    assert "Fangpao: won on another player's discard" in printed
    assert "123m 456p 789s SSS 55p" in printed
    assert "6条 (4 left)" in printed


def test_a_win_is_told_in_chinese_when_asked() -> None:
    printed, status = run("changchun", CC, "--language", "zh-hans")
    assert status == 0
    assert printed.splitlines()[:2] == [f"长春  {CC}", "胡了：3番。"]
    assert "  ✓ 三色全: 万子、饼子、条子三色齐。  [CC-69]" in printed
    assert "放炮: 胡别家打出的牌" in printed
    for english in ("Three", "suits", "Fangpao", "left", "fan"):
        assert english not in printed


def test_a_losing_hand_is_an_answer_that_names_what_fails() -> None:
    printed, status = run("changsha", "123m 11456p 67789s +8s")
    assert status == 0
    assert "Not a win yet: the pair must be 2, 5 or 8, and it is 1筒." in printed
    assert "✕ A pair of 2, 5 or 8" in printed
    assert "胡" not in printed
    printed, status = run("changsha", "123m 11456p 67789s +8s", "--language", "zh-hans")
    assert status == 0
    assert "还不能胡：将牌必须是二、五、八，这对是1筒。" in printed


def test_a_hand_that_waits_names_its_waits_and_why_others_are_blocked() -> None:
    printed, status = run("changchun", "23456m 555p 77888s")
    assert status == 0
    assert "Ready: waits for 1万." in printed
    lines = printed.splitlines()
    assert "  → 1万 (4 left)" in lines
    assert "  · 4万 (3 left)  ✕ A 1 or 9" in lines


def test_a_drawn_bao_is_told_in_words() -> None:
    arguments = ("changchun", "456m 45556p 89s SSS +2m", "--by", "self-draw", "--listening", "--bao", "2m")
    assert "The bao stands for 7条." in run(*arguments)[0]
    assert "宝牌当7条用。" in run(*arguments, "--language", "zh-hans")[0]


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "too-many-copies: There are only four 5万"), ("zh-hans", "too-many-copies: 5万一共只有四张")],
)
def test_an_error_points_at_its_place(language: str, words: str) -> None:
    printed, status = run("changsha", "55555m", "--language", language)
    assert status == 2
    text, mark, message = printed.splitlines()
    assert (text, mark) == ("55555m", "    ^")
    assert message.startswith(words)


def test_the_mark_stands_below_its_character_though_han_is_wide() -> None:
    assert run("changsha", "一万 x")[0].splitlines()[1] == "     ^"


def test_an_error_without_a_place_is_one_line() -> None:
    printed, status = run("changsha", "123m")
    assert (printed.count("\n"), status) == (1, 2)
    assert printed.startswith("tile-count: ")


@pytest.mark.parametrize("game", rules.rulesets().values(), ids=lambda g: g.key)
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_example_is_told_in_each_language(game: rules.Ruleset, language: str) -> None:
    for example in game.examples:
        query = {"ruleset": game.key, "hand": example.hand, **dict(example.given)}
        printed, status = run(*arguments_of(query), "--language", language)
        assert status == 0
        assert len(printed.splitlines()) > len(game.rules)
        assert "None" not in printed


# Many hands


def judged_file(path: Path, content: bytes, ruleset: str = "changsha") -> list[Any]:
    """The answers to a file, one a line; the command ends with status 0."""
    path.write_bytes(content)
    printed, status = run(ruleset, "--file", str(path), "--json")
    assert status == 0
    return [json.loads(line) for line in printed.split("\n")[:-1]]


def test_a_file_is_answered_line_by_line_with_errors_and_blank_lines_in_their_places(tmp_path: Path) -> None:
    hands = [CS, "55555m", "", "123m 11456p 67789s +8s", "   ", "12355m 45678p 789s", "一二三万"]
    answers = judged_file(tmp_path / "hands.txt", "\n".join(hands).encode() + b"\n")
    alone = [json.loads(run("changsha", hand, "--json")[0]) for hand in hands]
    assert answers == alone
    assert [a.get("state") or a["error"]["code"] for a in answers] == [
        "win",
        "too-many-copies",
        "tile-count",
        "not-win",
        "tile-count",
        "ready",
        "tile-count",
    ]


@pytest.mark.parametrize(
    ("content", "number"),
    [
        (b"", 0),
        (b"\n", 1),
        (b"\n\n", 2),
        (CS.encode(), 1),
        (CS.encode() + b"\n", 1),
        (CS.encode() + b"\n\n", 2),
        (CS.encode() + b"\n" + CS.encode(), 2),
        (CS.encode() + b"\r\n" + CS.encode() + b"\r\n", 2),
    ],
)
def test_every_line_is_a_hand_whether_or_not_the_last_one_ends(
    tmp_path: Path, content: bytes, number: int
) -> None:
    answers = judged_file(tmp_path / "hands.txt", content)
    assert len(answers) == number
    for line, told in zip(content.decode().split("\n"), answers, strict=False):
        assert told.get("hand") == (CS if line.strip() else None)


def test_a_file_of_windows_is_read_as_any_other(tmp_path: Path) -> None:
    """CRLF, and a byte order mark before the first hand."""
    hands = [CS, "", "55555m", CS]
    answers = judged_file(tmp_path / "hands.txt", "\r\n".join(hands).encode("utf-8-sig"))
    assert [a.get("state") or a["error"]["code"] for a in answers] == [
        "win",
        "tile-count",
        "too-many-copies",
        "win",
    ]


@pytest.mark.parametrize(
    "spaces", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c"], ids=lambda c: f"U+{ord(c):04X}"
)
def test_only_a_line_feed_ends_a_line(tmp_path: Path, spaces: str) -> None:
    answers = judged_file(tmp_path / "hands.txt", CS.replace(" ", spaces).encode() + b"\n")
    assert [a["state"] for a in answers] == ["win"]


def test_bytes_that_are_no_text_are_an_error_of_their_line_alone(tmp_path: Path) -> None:
    answers = judged_file(
        tmp_path / "hands.txt", b"123m \xff\xfe\n" + CS.encode() + b"\n\x00\n\xed\xa0\x80\n"
    )
    assert [a.get("state") or a["error"]["code"] for a in answers] == [
        "bad-character",
        "win",
        "bad-character",
        "bad-character",
    ]
    assert answers[0]["error"]["at"] == 5


def test_a_file_of_every_known_hand_has_one_answer_a_line(tmp_path: Path) -> None:
    for ruleset in ("changchun", "changsha"):
        cases = [p.values[0] for p in KNOWN_HANDS if p.values[0]["ruleset"] == ruleset]
        answers = judged_file(
            tmp_path / "hands.txt", "\n".join(c["hand"] for c in cases).encode(), ruleset=ruleset
        )
        assert len(answers) == len(cases)
        for case, told in zip(cases, answers, strict=True):
            if "error" in case:
                assert told["error"]["code"] == case["error"]
            else:
                assert_form(told)
                assert told["waits"] == [{"tile": t, "left": n} for t, n in case["waits"].items()]


def test_what_is_wrong_for_all_is_told_for_each(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_text(f"{CS}\n{CS}\n", encoding="utf-8")
    for arguments, code in (
        (["mars"], "unknown-ruleset"),
        (["changsha", "--option", "a=b"], "bad-option"),
        (["changsha", "--by", "magic"], "bad-context"),
    ):
        printed, status = run(*arguments, "--file", str(path), "--json")
        assert status == 0
        assert [json.loads(line)["error"]["code"] for line in printed.splitlines()] == [code, code]


def test_a_file_can_be_told_in_words(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_text(f"{CS}\n55555m\n", encoding="utf-8")
    printed, status = run("changsha", "--file", str(path))
    assert status == 0
    assert "A win: a small win." in printed
    assert "too-many-copies: " in printed


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.txt", tmp_path):
        with pytest.raises(CommandError, match="can't be read") as refused:
            call_command("check_hand", "changsha", "--file", str(path), "--json", stdout=StringIO())
        assert str(path) in str(refused.value)


@pytest.mark.parametrize("arguments", [[], [CS, "--file", "hands.txt"], ["", "--file", "hands.txt"]])
def test_either_a_hand_or_a_file_is_given(arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="hand"):
        call_command("check_hand", "changsha", *arguments, "--json", stdout=StringIO())


# As a process


def process(*arguments: str | bytes) -> subprocess.CompletedProcess[bytes]:
    """The command run as people run it."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", "check_hand", *arguments],
        cwd=settings.BASE_DIR,
        env=kept,
        capture_output=True,
        check=False,
    )


def test_the_process_ends_with_0_for_an_answer_and_2_for_an_error() -> None:
    lost = process("changsha", "123m 11456p 67789s +8s", "--json")
    assert (lost.returncode, lost.stderr) == (0, b"")
    assert json.loads(lost.stdout)["state"] == "not-win"
    error = process("changsha", "二二二二二万", "--json")
    assert (error.returncode, error.stderr) == (2, b"")
    told = error_in(json.loads(error.stdout))
    assert (told["code"], told["at"]) == ("too-many-copies", 4)


@pytest.mark.skipif(os.name != "posix", reason="arguments are bytes on POSIX alone")
def test_an_argument_that_is_no_text_is_refused_in_json() -> None:
    error = process("changsha", b"123m \xff", "--json")
    assert (error.returncode, error.stderr) == (2, b"")
    told = error_in(json.loads(error.stdout.decode("utf-8")))
    assert (told["code"], told["at"]) == ("bad-character", 5)
