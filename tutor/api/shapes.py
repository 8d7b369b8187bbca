"""The shapes of what is sent and answered, as JSON Schemas (2020-12) made of the games themselves.

What is said in words is a `Text`, which `tutor.api.description` turns into what JSON can hold.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import rules
from rules import Ruleset, Text, settlement
from rules.notation import MAX_LENGTH
from rules.payments import GANG, OPENING, WIN
from rules.text import LANGUAGES
from rules.tiles import FLOWERS, TILES
from rules.verdict import FAIL, OPEN, PASS, WAIVED
from tutor.api.vocabulary import (
    ERRORS,
    SEAT,
    SERVER_ERROR,
    TOO_MANY,
    UNAVAILABLE,
    Schema,
    check_parameters,
    keys,
    most_birds,
    variants,
)

FAN, BIG_WINS = "fan", "big_wins"
PAYMENTS: Schema = {"items": {"type": "integer"}, "minItems": 4, "maxItems": 4}
WRITTEN = r"[1-9mpsESWNCFP()\[\]{}+ ]"


@cache
def schemas() -> dict[str, Schema]:
    """Every shape by its name: those that all games share, then those of each game."""
    found: dict[str, Schema] = {
        "Words": _closed(
            Text("A sentence in both languages.", "一句话，两种语言。"),
            {language: {"type": "string", "minLength": 1} for language in LANGUAGES},
        ),
        "Error": _closed(
            Text("Why there is no answer.", "为什么没有回答。"),
            {
                "error": _closed(
                    Text("The first fault.", "先遇到的错。"),
                    {
                        "code": _said(
                            {"type": "string", "enum": [*ERRORS, TOO_MANY, SERVER_ERROR, UNAVAILABLE]},
                            "what is wrong",
                            "什么错",
                        ),
                        "at": _said(
                            {"type": ["integer", "null"], "minimum": 0},
                            "the place in the text, counted in code points from 0",
                            "在文字里的位置，从0数起",
                        ),
                        "tiles": _said(
                            {"type": "array", "items": {"enum": [t.code for t in (*TILES, *FLOWERS)]}},
                            "the tiles at fault",
                            "有问题的牌",
                        ),
                        "message": ref("Words"),
                    },
                )
            },
        ),
        "Settlement": _settlement(),
    }
    for game in rules.rulesets().values():
        for name, schema in _of_game(game).items():
            found[f"{name}-{game.key}"] = schema
    return found


def _of_game(game: Ruleset) -> dict[str, Schema]:
    return {
        "Tile": {"type": "string", "enum": [t.code for t in game.tiles.tiles]},
        "Cite": _said(
            {"type": "string", "enum": list(game.lines)}, "a line of the rule text", "规则原文的一条"
        ),
        "Patterns": _closed(
            Text("What is counted, each with its worth.", "算了什么，各值多少。"),
            {key: {"type": "integer", "minimum": 0} for key in keys([game], lambda g: g.patterns)},
            optional=True,
        ),
        "Verdict": _verdict(game),
        "Finding": _finding(game),
        "Reading": _reading(game),
        "Deal": _dealt(game),
        "Scenario": _scenario(game),
        "Win": _win(game),
        "Gang": _gang(),
        "Opening": _opening(game),
    }


def _verdict(game: Ruleset) -> Schema:
    measure = game.measure.key
    tile = ref("Tile", game)
    wait = {"tile": tile, "left": {"type": "integer", "minimum": 0, "maximum": 4}}
    breakable = [key for key in keys([game], lambda g: g.rules) if key != game.rules[0].key]
    others = [key for key in (FAN, BIG_WINS) if key != measure]
    chosen = {o.key: {"enum": [c.key for c in o.choices[1:]]} for o in game.options}
    properties: dict[str, Schema] = {
        "ruleset": {"const": game.key},
        "hand": _said(
            {"type": "string", "pattern": f"^{WRITTEN}+$"}, "the hand, written out", "这手牌的规范写法"
        ),
        "state": _said(
            {"enum": ["win", "not-win", "ready", "not-ready"]},
            "`win` or `not-win` for a full hand, `ready` or `not-ready` for one a tile short",
            "够张数的牌是`win`或`not-win`，差一张的是`ready`或`not-ready`",
        ),
        "wins": {"type": "boolean"},
        "findings": _said(
            _list(ref("Finding", game), minItems=len(game.rules)),
            "every rule of a win, for the reading that pays most or else fails least",
            "每一条胡牌条件，按算得最多的拆法；胡不了就按差得最少的拆法",
        ),
        "readings": _said(_list(ref("Reading", game)), "how the tiles can be grouped", "牌可以怎样拆"),
        "patterns": ref("Patterns", game),
        measure: _said({"type": ["integer", "null"], "minimum": 0}, "the total", "一共多少"),
        **{key: {"type": "null"} for key in others},
        "payments": _said(
            {"type": ["array", "null"], **PAYMENTS},
            "what each seat gains or loses; null where nothing is paid yet",
            "每个座位的输赢；还不能付时是 null",
        ),
        "waits": _said(
            _list(_closed(None, wait)), "the tiles that win, and how many are left", "胡哪几张，各剩几张"
        ),
        "blocked_waits": _said(
            _list(_closed(None, wait | {"fails": _list({"enum": breakable}, minItems=1)})),
            "the tiles that complete a shape but break a rule",
            "凑得成牌型、但不合条件的牌",
        ),
        "distance": _said(
            {"type": ["integer", "null"], "minimum": -1},
            "how many exchanges before the hand is ready, -1 for a win; null where no exchange can ever help",
            "换几张才听，胡了是-1；怎么换都不行就是 null",
        ),
        "fixes": _said(
            _list(_closed(None, {"out": tile, "in": tile, "message": ref("Words")}), maxItems=12),
            "the exchanges of one tile that make it win, best first",
            "换一张就能胡的换法，好的在前",
        ),
    }
    required = list(properties)
    if game.substitutes:
        properties["stands_for"] = _said(
            tile, "the tile that the winning tile stands for", "胡的那张当哪张用"
        )
    properties["options"] = _said(
        _closed(None, chosen, optional=True) | {"minProperties": 1},
        "the table rules that are not the usual ones",
        "和默认不一样的桌上规矩",
    )
    properties["changed_by"] = _said(
        _list({"enum": list(chosen)}),
        "those of them without which the verdict would be another",
        "其中哪几条影响了这次判定",
    )
    nothing: Schema = {"maxProperties": 0}
    return {
        **_closed(Text("The verdict on a hand.", "一手牌的判定。"), properties, required=required),
        "dependentRequired": {"options": ["changed_by"], "changed_by": ["options"]},
        "if": {"properties": {"state": {"const": "win"}}},
        "then": {
            "properties": {
                "wins": {"const": True},
                measure: {"type": "integer"},
                "distance": {"const": -1},
                "fixes": {"maxItems": 0},
            }
        },
        "else": {
            "properties": {
                "wins": {"const": False},
                "patterns": nothing,
                measure: {"type": "null"},
                "payments": {"type": "null"},
                "distance": {"minimum": 0},
            }
        },
    }


def _finding(game: Ruleset) -> Schema:
    return _closed(
        Text("How a hand stands to one rule of a win.", "一手牌合不合一条胡牌条件。"),
        {
            "rule": {"enum": list(keys([game], lambda g: g.rules))},
            "status": _said(
                {"enum": [PASS, FAIL, WAIVED, OPEN]},
                f"`{OPEN}`: it can't be told without a shape",
                f"`{OPEN}`：牌型没凑成，还说不准",
            ),
            "tiles": _list(ref("Tile", game)),
            "cites": _list(ref("Cite", game), minItems=1),
            "message": ref("Words"),
        },
    )


def _reading(game: Ruleset) -> Schema:
    return _closed(
        Text("One way to group the tiles of a full hand.", "一种拆法。"),
        {
            "sets": _list({"type": "string", "pattern": f"^{WRITTEN}+$"}),
            "pair": _said(
                {"type": ["string", "null"]},
                "null for seven pairs and hands without sets",
                "七对和不成型的牌是 null",
            ),
            "wins": {"type": "boolean"},
            "chosen": _said({"type": "boolean"}, "whether it is the one that counts", "是不是算数的那种"),
            "patterns": ref("Patterns", game),
        },
    )


def _dealt(game: Ruleset) -> Schema:
    opening = {"enum": list(keys([game], lambda g: g.openings))}
    return _closed(
        Text("What dealt tiles hold.", "起手的牌里有什么。"),
        {
            "openings": _list(opening),
            "ready": _said({"type": "boolean"}, "whether it waits for a tile as dealt", "起手就听了没有"),
            "details": _said(
                _list(
                    _closed(
                        None,
                        {
                            "opening": opening,
                            "tiles": _list(ref("Tile", game)),
                            "cites": _list(ref("Cite", game), minItems=1),
                            "message": ref("Words"),
                        },
                    )
                ),
                "each way in which the tiles make an opening",
                "每种起手是哪几张牌",
            ),
            "waits": _list(ref("Tile", game)),
        },
    )


def _settlement() -> Schema:
    lines = [line for game in rules.rulesets().values() for line in game.lines]
    return _closed(
        Text("Who pays whom.", "谁付谁。"),
        {
            "payments": _said(
                {"type": "array", **PAYMENTS}, "by seat; they sum to zero", "每个座位的输赢，加起来是零"
            ),
            "lines": _said(
                _list(
                    _closed(
                        None,
                        {
                            "from": SEAT,
                            "to": SEAT,
                            "points": {"type": "integer", "minimum": 1},
                            "for": {"enum": [WIN, GANG, OPENING]},
                        },
                    )
                ),
                "who pays whom for what",
                "谁付谁、为什么付",
            ),
            "next_dealer": _said(
                {"type": ["integer", "null"], "minimum": 0, "maximum": 3},
                "a seat, or null where nothing tells it",
                "下一局庄家的座位，说不准时是 null",
            ),
            "explained": _said(
                _list(_closed(None, {"cites": _list({"enum": lines}), "message": ref("Words")})),
                "why, line by line",
                "逐条说明理由",
            ),
        },
    )


def _scenario(game: Ruleset) -> Schema:
    last_tile = _closed(None, {"offered": SEAT, "taker": _or_null(SEAT)}, required=["offered"])
    offers = any(g.table.offers_last_tile for g in variants(game))
    properties: dict[str, Schema] = {
        "ruleset": {"const": game.key},
        "options": _said(
            {
                "type": ["object", "null"],
                "properties": {o.key: {"enum": [c.key for c in o.choices]} for o in game.options},
                "additionalProperties": False,
            },
            "table rules: an object of strings",
            "桌上规矩，值都写成文字",
        ),
        "wins": _said(
            _or_null(_list(ref("Win", game), maxItems=settlement.MOST_WINS)),
            "empty for a draw. Several are several winners of one tile; two with one seat are the two tiles "
            "of one opened gang",
            "没人胡就是空的。几项就是一炮多响；同一个座位两项，是一次开杠的两张牌都胡",
        ),
        "gangs": _said(
            _or_null(_list(ref("Gang", game), maxItems=settlement.MOST_GANGS)),
            "the gangs of all four players; one inside a winning hand may be left out or stand here too",
            "四家的杠；胡的牌里已经写了的，这里可写可不写",
        ),
        "openings": _said(
            _or_null(_list(ref("Opening", game), maxItems=settlement.MOST_OPENINGS)),
            "what was shown before play",
            "起手亮了什么",
        ),
        "birds": _said(
            _or_null(_list({"type": "string", "minLength": 1}, maxItems=most_birds(game))),
            "the bird tiles drawn" if most_birds(game) else "always empty: this game has none",
            "扎出来的鸟" if most_birds(game) else "总是空的：这种麻将没有鸟",
        ),
        "last_tile": _said(
            _or_null(last_tile) if offers else {"type": "null"},
            "on a draw: the seat `offered` it first, and the `taker` or null"
            if offers
            else "always null here",
            "没人胡时：`offered`是先问的座位，`taker`是要了的座位，没人要就是 null"
            if offers
            else "这里总是 null",
        ),
    }
    return _closed(Text("How a hand ended.", "一局是怎么结束的。"), properties, required=["ruleset"])


def _win(game: Ruleset) -> Schema:
    measure = game.measure.key
    ways = {way.key: way for g in variants(game) for way in g.ways}
    least = min(p.worth for g in variants(game) for p in g.patterns)
    # A seat may be written as a text here, as in an address.
    seat: Schema = {"enum": [*range(4), *map(str, range(4)), None]}
    moments = list(keys([game], lambda g: [p for p in g.patterns if p.is_moment]))
    inputs: dict[str, Schema] = {
        "moments": {
            "type": ["array", "string", "null"],
            "items": {"enum": moments},
            "maxItems": 1,
            "anyOf": [{"type": ["array", "null"]}, {"enum": moments}],
        },
        "listening": {"type": ["boolean", "null"]},
        "bao": {"type": ["string", "null"], "minLength": 1},
    }
    # What a game has not may be there, but empty.
    empty: dict[str, Schema] = {
        "moments": {"type": ["array", "null"], "maxItems": 0},
        "listening": {"enum": [False, None]},
        "bao": {"type": "null"},
    }
    meanings = {p.name: p.meaning for p in check_parameters()}
    drawn = [key for key, way in ways.items() if way.self_drawn]
    properties: dict[str, Schema] = {
        "seat": {**seat, "description": meanings["seat"]},
        "from": {
            **seat,
            "description": Text(
                "who discarded or was robbed; none for a self-draw", "谁点的炮、抢了谁的杠；自摸不写"
            ),
        },
        "by": {"enum": [*ways, None], "description": meanings["by"]},
        "hand": _said(
            {"type": ["string", "null"], "maxLength": MAX_LENGTH},
            f"with the winning tile after `+`; or else `{measure}`",
            f"胡的那张写在`+`后面；不写手牌就写`{measure}`",
        ),
        measure: _said(
            {"type": ["integer", "null"], "minimum": least, "maximum": settlement.MOST_TOTAL},
            "what the hand is worth, instead of the hand itself",
            "不写手牌，只写一共多少",
        ),
        **{
            key: {**(schema if key in game.inputs else empty[key]), "description": meanings[key]}
            for key, schema in inputs.items()
        },
    }
    given = {"not": {"type": "null"}}
    return {
        **_closed(Text("One win.", "一次胡牌。"), properties, required=[]),
        "oneOf": [{"required": [key], "properties": {key: given}} for key in ("hand", measure)],
        "if": {"required": ["by"], "properties": {"by": {"enum": drawn}}},
        "then": {"properties": {"from": {"type": "null"}}},
        "else": {"required": ["from"], "properties": {"from": given}},
    }


def _gang() -> Schema:
    return _closed(
        Text("A gang on the table.", "桌上的一个杠。"),
        {
            "seat": SEAT,
            "tiles": _said({"type": "string", "maxLength": MAX_LENGTH}, "in their brackets", "连括号写"),
            "from": _said(_or_null(SEAT), "whose discard made it", "用谁打的牌"),
            "dealt": _said(
                {"type": ["boolean", "null"]}, "whether all its tiles were dealt", "是不是起手就齐"
            ),
        },
        required=["seat", "tiles"],
    )


def _opening(game: Ruleset) -> Schema:
    paid = [g for g in variants(game) if g.table.pays_openings]
    keys = list(dict.fromkeys(o.key for g in paid for o in g.openings if not o.is_win))
    listed = _list({"enum": keys}, uniqueItems=True, maxItems=10) if keys else _list({}, maxItems=0)
    return _closed(
        Text("What one player showed before play.", "一家起手亮了什么。"),
        {"seat": SEAT, "keys": _or_null(listed)},
        required=["seat"],
    )


def _closed(
    meaning: Text | None,
    properties: dict[str, Schema],
    *,
    required: list[str] | None = None,
    optional: bool = False,
) -> Schema:
    """An object of exactly these keys, all of them required unless said otherwise."""
    said: Schema = {"description": meaning} if meaning else {}
    needed = [] if optional else list(properties) if required is None else required
    return {
        **said,
        "type": "object",
        "properties": properties,
        **({"required": needed} if needed else {}),
        "additionalProperties": False,
    }


def _list(items: Schema, **limits: Any) -> Schema:
    return {"type": "array", "items": items, **limits}


def _said(schema: Schema, english: str, chinese: str) -> Schema:
    return {**schema, "description": Text(english, chinese)}


def _or_null(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]}


def ref(name: str, game: Ruleset | None = None) -> Schema:
    return {"$ref": f"#/components/schemas/{name}{f'-{game.key}' if game else ''}"}
