"""The questions that the API's page answers, asked of the engine when the page is made: it can't drift."""

from __future__ import annotations

import json
import shlex
from typing import Any, NamedTuple
from urllib.parse import urlencode

from rules import HandError, Text
from tutor import answers

CHECK, DEAL, SETTLE = "check", "deal", "settle"
_COMMANDS = {CHECK: ("check_hand", "hand"), DEAL: ("check_deal", "tiles")}


class Example(NamedTuple):
    """A question with its title. endpoint: `check`, `deal` or `settle`. asked: its parameters, of which a
    list repeats one, or the scenario."""

    endpoint: str
    title: Text
    asked: dict[str, Any]

    @property
    def query(self) -> str:
        """The parameters as an address holds them."""
        return urlencode(self.asked, doseq=True)

    @property
    def body(self) -> str:
        """The scenario as it is sent."""
        return json.dumps(self.asked, ensure_ascii=False)

    @property
    def command(self) -> str:
        """The same on the command line."""
        if self.endpoint == SETTLE:
            return f"echo {shlex.quote(self.body)} | manage.py settle {self.asked['ruleset']} - --json"
        command, main = _COMMANDS[self.endpoint]
        words = [command, self.asked["ruleset"], self.asked[main]]
        for key, value in self.asked.items():
            if key in ("ruleset", main):
                continue
            if key == "listening":
                words.append("--listening")
            else:
                words += [
                    part
                    for item in (value if isinstance(value, list) else [value])
                    for part in (f"--{key}", item)
                ]
        return f"manage.py {shlex.join([*words, '--json'])}"

    @property
    def answer(self) -> dict[str, Any]:
        """What the API answers."""
        asked = self.asked
        try:
            if self.endpoint == SETTLE:
                return answers.settlement_as_json(answers.settle(answers.scenario_from(self.body.encode())))
            if self.endpoint == DEAL:
                return answers.deal_as_json(
                    answers.look(asked["ruleset"], asked["tiles"], asked.get("option", []))
                )
            given = {key: asked[key] for key in answers.GIVEN if key in asked}
            verdict = answers.judge(asked["ruleset"], asked["hand"], given, asked.get("option", []))
            return answers.as_json(verdict)
        except HandError as error:
            return answers.error_as_json(error)

    @property
    def answer_text(self) -> str:
        """The answer as text, Chinese as it is."""
        return json.dumps(self.answer, ensure_ascii=False, indent=2)


EXAMPLES = (
    Example(
        CHECK,
        Text("A win, and what it pays", "胡了，一共多少番"),
        {"ruleset": "changchun", "hand": "23456m 555p 77888s +1m"},
    ),
    Example(
        CHECK,
        Text("Not a win: which rule fails, and what would mend it", "没胡：哪条不符合，换哪张能胡"),
        {"ruleset": "changsha", "hand": "123m 11456p 67789s +8s", "by": "self-draw", "seat": "2"},
    ),
    Example(
        CHECK,
        Text("By a table's own rules", "按自己桌上的规矩"),
        {
            "ruleset": "changchun",
            "hand": "2255m 3377p 1199s C +C",
            "by": "self-draw",
            "option": ["seven-pairs=yes", "points=doubling"],
        },
    ),
    Example(CHECK, Text("An error", "出错时"), {"ruleset": "changsha", "hand": "22222m"}),
    Example(
        DEAL, Text("What a deal holds", "起手有什么"), {"ruleset": "changsha", "tiles": "2222m 13579p 1479s"}
    ),
    Example(
        SETTLE,
        Text("A win, an opening and birds", "胡牌、起手胡和鸟"),
        {
            "ruleset": "changsha",
            "options": {"birds": "2"},
            "wins": [
                {
                    "seat": 1,
                    "from": 0,
                    "by": "discard",
                    "hand": "123m 55m 456p 78p 789s +9p",
                    "moments": [],
                }
            ],
            "openings": [{"seat": 3, "keys": ["sixi"]}],
            "birds": ["2m", "3p"],
        },
    ),
    Example(
        SETTLE,
        Text("Gangs of several players", "几家的杠"),
        {
            "ruleset": "changchun",
            "wins": [
                {
                    "seat": 1,
                    "from": 0,
                    "by": "discard",
                    "hand": "123m 456p 55p 78s SSS +9s",
                    "listening": False,
                    "bao": None,
                }
            ],
            "gangs": [
                {"seat": 2, "tiles": "[5555m]"},
                {"seat": 0, "tiles": "{ESWNE}", "dealt": True},
                {"seat": 3, "tiles": "(2222p)", "from": 1},
            ],
        },
    ),
)
