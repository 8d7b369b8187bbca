"""What can be asked of the API, by which words, and how it refuses: taken from the games themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import rules
from rules import Ruleset, Text
from rules.circumstances import SEATS
from rules.notation import MAX_LENGTH
from tutor.api.examples import EXAMPLES
from tutor.api.queries import CHECK, DEAL, SETTLE

Schema = dict[str, Any]

ERRORS = {
    "unknown-ruleset": Text("there is no such game", "没有这套规则"),
    "bad-option": Text("no such table rule, or no such value", "没有这条桌上规矩，或者没有这个值"),
    "too-long": Text("the text is longer than any hand", "写得太长，不会是一手牌"),
    "bad-character": Text("something that is no tile; “at” says where", "有看不懂的字，“at”指出位置"),
    "bad-meld": Text("the tiles in a bracket make no meld", "括号里的牌凑不成吃碰杠"),
    "tile-not-in-set": Text("the game is played without this tile", "这种麻将没有这张牌"),
    "too-many-copies": Text("a fifth copy of a tile", "同一张牌写了第五张"),
    "tile-count": Text("too many or too few tiles", "张数不对"),
    "bad-context": Text("the hand can't have ended that way", "牌局不可能是这样"),
    "not-a-win": Text("settling a hand that does not win", "要结算的牌没有胡"),
    "bad-request": Text("unknown parameters or JSON that can't be read", "有不认识的参数，或者 JSON 读不了"),
}
# What an endpoint never answers.
NEVER: dict[str, tuple[str, ...]] = {CHECK: ("not-a-win",), DEAL: ("bad-context", "not-a-win"), SETTLE: ()}
# What stands in an error that is not about what was asked.
SERVER_ERROR, UNAVAILABLE, TOO_MANY = "server-error", "unavailable", "too-many-requests"

SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 3}
_SEATS = Text(
    ", ".join(f"`{n}` {seat.en}" for n, seat in enumerate(SEATS)),
    "、".join(f"`{n}`{seat.zh}" for n, seat in enumerate(SEATS)),
)


class Parameter(NamedTuple):
    """A parameter of an address. explode: whether a list repeats it, None for what is no list."""

    name: str
    meaning: Text
    schema: Schema
    required: bool = False
    example: Any = None
    explode: bool | None = None


def _ruleset() -> Parameter:
    games = rules.rulesets().values()
    names = Text(
        "the game: " + ", ".join(f"`{g.key}` {g.name.en}" for g in games),
        "哪种麻将：" + "、".join(f"`{g.key}`{g.name.zh}" for g in games),
    )
    return Parameter("ruleset", names, {"type": "string", "enum": [g.key for g in games]}, True)


def _option() -> Parameter:
    chosen = sorted(
        {f"{o.key}={c.key}" for g in rules.rulesets().values() for o in g.options for c in o.choices}
    )
    return Parameter(
        "option",
        Text("a table rule as `key=value`; repeat it for more", "一条桌上规矩，写成`键=值`，可以重复"),
        {"type": "array", "items": {"type": "string", "enum": chosen}},
        explode=True,
    )


def check_parameters() -> list[Parameter]:
    """What may be asked of a hand; those of one game alone are refused for another."""
    games = rules.rulesets().values()
    ways = list(keys(games, lambda game: game.ways))
    moments = list(keys(games, lambda game: [p for p in game.patterns if p.is_moment]))
    written = {"type": "string", "minLength": 1}
    return [
        _ruleset(),
        Parameter(
            "hand",
            Text(
                "the hand as text, with the winning tile after `+`, which is written `%2B` in an address",
                "一手牌，胡的那张写在`+`后面，网址里写成`%2B`",
            ),
            written | {"maxLength": MAX_LENGTH},
            True,
            EXAMPLES[0].asked["hand"],
        ),
        Parameter(
            "by",
            Text(
                "how the winning tile came, `discard` if left out; not every game has every way",
                "怎么胡的，不写就是`discard`（点炮）；不是每种麻将都有每一种",
            ),
            {"type": "string", "enum": ways, "default": "discard"},
        ),
        Parameter(
            "seat",
            Text(f"who won, 1 if left out: {_SEATS.en}", f"谁胡的，不写就是1：{_SEATS.zh}"),
            SEAT | {"default": 1},
        ),
        Parameter(
            "from",
            Text(
                "who discarded or was robbed; if left out, the first seat that did not win",
                "谁点的炮、抢了谁的杠，不写就是没胡的第一个座位",
            ),
            SEAT,
        ),
        Parameter(
            "listening",
            _where("listening", Text("`1` where ready was declared", "报过听就写`1`")),
            {"type": "string", "enum": ["0", "1"], "default": "0"},
        ),
        Parameter("bao", _where("bao", Text("the bao tile", "宝牌是哪张")), written),
        Parameter(
            "moments",
            _where("moments", Text("a situation that makes a win worth more", "能加番、算大胡的情形")),
            {"type": "array", "items": {"type": "string", "enum": moments}, "maxItems": 1},
            explode=False,
        ),
        Parameter(
            "birds",
            _where(
                "birds",
                Text(
                    "the bird tiles drawn, with commas; `0` for none", "扎出来的鸟，用逗号隔开，没有鸟就写`0`"
                ),
            ),
            {"type": "array", "items": written, "maxItems": max(map(most_birds, games))},
            explode=False,
        ),
        _option(),
    ]


def deal_parameters() -> list[Parameter]:
    """What may be asked of a deal."""
    tiles = Parameter(
        "tiles",
        Text("13 concealed tiles, or the dealer's 14", "起手的13张牌，庄家14张"),
        {"type": "string", "minLength": 1, "maxLength": MAX_LENGTH},
        True,
        next(e.asked["tiles"] for e in EXAMPLES if e.endpoint == DEAL),
    )
    return [_ruleset(), tiles, _option()]


def _where(key: str, meaning: Text) -> Text:
    """The meaning of an input, with the games that have it where not all do."""
    games = [g for g in rules.rulesets().values() if key in g.inputs]
    if len(games) == len(rules.rulesets()):
        return meaning
    names = Text(", ".join(g.name.en for g in games), "、".join(g.name.zh for g in games))
    return Text(f"{names.en}: {meaning.en}", f"{names.zh}：{meaning.zh}")


# The words of all tables


def keys(games: Iterable[Ruleset], things: Callable[[Ruleset], Iterable[Any]]) -> Iterator[str]:
    """The keys of what games have, each once, whatever a table has chosen."""
    yield from dict.fromkeys(
        thing.key for game in games for table in variants(game) for thing in things(table)
    )


def most_birds(game: Ruleset) -> int:
    return max(table.table.most_birds for table in variants(game))


@cache
def variants(game: Ruleset) -> tuple[Ruleset, ...]:
    """The game as it is usually played, and with each other choice of each house rule."""
    return (game, *(game.with_options({o.key: c.key}) for o in game.options for c in o.choices[1:]))
