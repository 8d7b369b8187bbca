"""The questions that the API's page answers, asked of the engine when the page is made: it can't drift."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from rules import HandError, Text
from tutor import answers
from tutor.api.queries import CHECK, DEAL, KNOWN, SETTLE, only_known

# Programs that ask the API, each in its language's standard library alone.
CLIENTS = {name: Path(__file__).with_name(name) for name in ("client.py", "client.mjs")}
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
            only_known(((key, ("",)) for key in asked), KNOWN[self.endpoint])
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


def _refused(code: str, endpoint: str, **asked: Any) -> tuple[str, Example]:
    return code, Example(endpoint, _UNANSWERED[code], asked)


def _lost(hand: str) -> list[dict[str, Any]]:
    return [{"seat": 1, "from": 0, "hand": hand}]


_UNANSWERED = {
    "unknown-ruleset": Text("No such game", "没有这种麻将"),
    "bad-option": Text("No such value of a table rule", "桌上规矩没有这个值"),
    "too-long": Text("More text than any hand", "比什么牌都长"),
    "bad-character": Text("Something that is no tile", "不是牌的字"),
    "bad-meld": Text("Two tiles in a bracket", "括号里只有两张"),
    "tile-not-in-set": Text("An East wind in Changsha", "长沙没有东风"),
    "too-many-copies": Text("A fifth copy", "第五张"),
    "tile-count": Text("Three tiles", "只有三张"),
    "bad-context": Text("A seat that there is not", "没有这个座位"),
    "not-a-win": Text("A hand that did not win", "没胡的牌"),
    "bad-request": Text("An unknown key", "不认识的键"),
}
# Each error of each endpoint, with a question that it answers.
REFUSED = (
    _refused("unknown-ruleset", CHECK, ruleset="mars", hand="123m"),
    _refused("bad-option", CHECK, ruleset="changsha", hand="123m", option=["birds=3"]),
    _refused("too-long", CHECK, ruleset="changsha", hand="1m" * 101),
    _refused("bad-character", CHECK, ruleset="changsha", hand="123m x"),
    _refused("bad-meld", CHECK, ruleset="changsha", hand="123m (12p)"),
    _refused("tile-not-in-set", CHECK, ruleset="changsha", hand="123m E"),
    _refused("too-many-copies", CHECK, ruleset="changsha", hand="22222m"),
    _refused("tile-count", CHECK, ruleset="changsha", hand="123m"),
    _refused("bad-context", CHECK, ruleset="changsha", hand="12355m 45678p 789s +9p", seat="4"),
    _refused("bad-request", CHECK, ruleset="changsha", hand="123m", colour="red"),
    _refused("unknown-ruleset", DEAL, ruleset="mars", tiles="123m"),
    _refused("bad-option", DEAL, ruleset="changsha", tiles="123m", option=["birds=3"]),
    _refused("too-long", DEAL, ruleset="changsha", tiles="1m" * 101),
    _refused("bad-character", DEAL, ruleset="changsha", tiles="123m x"),
    _refused("bad-meld", DEAL, ruleset="changsha", tiles="123m (12p)"),
    _refused("tile-not-in-set", DEAL, ruleset="changsha", tiles="123m E"),
    _refused("too-many-copies", DEAL, ruleset="changsha", tiles="22222m"),
    _refused("tile-count", DEAL, ruleset="changsha", tiles="123m"),
    _refused("bad-request", DEAL, ruleset="changsha", tiles="123m", colour="red"),
    _refused("unknown-ruleset", SETTLE, ruleset="mars"),
    _refused("bad-option", SETTLE, ruleset="changsha", options={"birds": "3"}),
    _refused("too-long", SETTLE, ruleset="changsha", wins=_lost("1m" * 101)),
    _refused("bad-character", SETTLE, ruleset="changsha", wins=_lost("123m x +1m")),
    _refused("bad-meld", SETTLE, ruleset="changsha", wins=_lost("123m (12p) +1m")),
    _refused("tile-not-in-set", SETTLE, ruleset="changsha", wins=_lost("123m E +1m")),
    _refused("too-many-copies", SETTLE, ruleset="changsha", wins=_lost("22222m +1m")),
    _refused("tile-count", SETTLE, ruleset="changsha", wins=_lost("12m +3m")),
    _refused("bad-context", SETTLE, ruleset="changsha", openings=[{"seat": 4, "keys": ["sixi"]}]),
    _refused("not-a-win", SETTLE, ruleset="changsha", wins=_lost("123m 11456p 67789s +8s")),
    _refused("bad-request", SETTLE, ruleset="changsha", colour="red"),
)
