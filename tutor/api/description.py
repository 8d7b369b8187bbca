"""The description of the API in OpenAPI 3.1, made of the engine's own tables: it can't drift from them.

What is said in words is a `Text`. The document says it in English under `description`, and in Chinese beside
it under `x-zh-hans`; the API's page says it in the reader's language.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any, NamedTuple

import rules
from rules import Text
from tutor import answers
from tutor.api.examples import EXAMPLES, REFUSED, Example
from tutor.api.queries import CHECK, DEAL, SETTLE
from tutor.api.shapes import ref, schemas
from tutor.api.vocabulary import (
    ERRORS,
    NEVER,
    SERVER_ERROR,
    TOO_MANY,
    UNAVAILABLE,
    Parameter,
    Schema,
    check_parameters,
    deal_parameters,
)

PATH = "/api/v1/"
# What the nginx.conf in deploy/ lets one address ask for: whoever keeps to it is never refused.
REQUESTS, SECONDS = 400, 8


_WAIT = {"description": Text("Seconds to wait.", "要等几秒。"), "schema": {"type": "integer"}}


class Document(NamedTuple):
    """The description as it is sent, with its ETag."""

    body: bytes
    etag: str


@cache
def document() -> Document:
    """The description as it is sent, made once a process."""
    body = json.dumps(spoken(description()), ensure_ascii=False, separators=(",", ":")).encode()
    return Document(body, f'"{hashlib.sha256(body).hexdigest()[:20]}"')


def spoken(node: Any) -> Any:
    """The same with each text in English, and in Chinese beside it under `x-zh-hans`."""
    if isinstance(node, Text):
        return node.en
    if isinstance(node, dict):
        said = {key: spoken(value) for key, value in node.items()}
        if isinstance(words := node.get("description", node.get("summary")), Text):
            said["x-zh-hans"] = words.zh
        return said
    if isinstance(node, list | tuple):
        return [spoken(item) for item in node]
    return node


@cache
def description() -> dict[str, Any]:
    """The description with its words in both languages."""
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "Paili 牌理",
            "version": "1",
            "summary": "Judges hands of Chinese mahjong, looks at deals and settles hands",
            "description": ABOUT,
        },
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        # Relative to where the description was read from.
        "servers": [{"url": "/"}],
        "paths": {
            f"{PATH}check": {"get": _check()},
            f"{PATH}deal": {"get": _deal()},
            f"{PATH}settle": {"post": _settle()},
            f"{PATH}openapi.json": {"get": _described()},
        },
        "components": {"schemas": schemas()},
    }


ABOUT = Text(
    "No key, no account; nothing is stored. Sentences are in both languages, under `en` and `zh-hans`.\n\n"
    "Tiles: suits `m` characters, `p` dots, `s` bamboo after their digits (`123m`); honors are single "
    "capital letters, `E S W N` the winds, `C F P` the red, green and white dragon. Melds stand in brackets: "
    "`(123m)` and `(555p)` claimed, `(8888p)` an exposed gang, `[8888p]` a concealed one, `{CFP}` a special "
    "gang. The winning tile comes last, after `+`, which an address writes `%2B`. Chinese names, Unicode "
    "tiles and full-width forms are read too.\n\n"
    "A parameter with an empty value, `option` aside, is one that was not given. HEAD is answered where GET "
    "is, and any other method with 405. The first fault alone is reported.\n\n"
    f"The server in front lets one address ask for {REQUESTS} things in any {SECONDS} seconds, pages among "
    "them, and answers beyond that with 429 and `Retry-After`; its `RateLimit-Policy` says so. Paili itself, "
    "run without that server, counts nothing.\n\n"
    "Pages of other sites can't read the answers: no header allows it.",
    "不用密钥，不用注册，什么也不保存。句子都有两种语言，在 `en` 和 `zh-hans` 下面。\n\n"
    "牌：花色写在数字后面，`m` 万、`p` 饼、`s` 条（`123m`）；"
    "字牌是一个大写字母，`E S W N` 东南西北，`C F P` 中发白。"
    "吃碰杠连括号写：`(123m)`、`(555p)` 是吃、碰，`(8888p)` 明杠，`[8888p]` 暗杠，`{CFP}` 特殊杠。"
    "胡的那张写在最后，前面加 `+`，网址里写成 `%2B`。汉字牌名、Unicode 麻将牌、全角字符也认得。\n\n"
    "参数的值是空的，就当没写，`option` 除外。能 GET 的也能 HEAD，别的方法一律答 405。先遇到的错先报。\n\n"
    f"前面的服务器让一个地址在任意{SECONDS}秒里问{REQUESTS}次，网页也算在内；"
    "再多就答 429，带 `Retry-After`，`RateLimit-Policy` 也写明这个限度。"
    "不经过那台服务器，牌理自己不限次数。\n\n"
    "别的网站的网页读不到回答：没有允许跨站的响应头。",
)

# The endpoints


def _check() -> dict[str, Any]:
    return {
        "operationId": CHECK,
        "summary": Text(
            "A hand: whether it wins, why, and what it pays", "一手牌：能不能胡，为什么，输赢多少"
        ),
        "parameters": [_as_parameter(p) for p in check_parameters()],
        "responses": _responses(
            CHECK,
            Text("The verdict. A hand that does not win is an answer too.", "判定。没胡的牌也是回答。"),
            {"oneOf": [ref("Verdict", g) for g in rules.rulesets().values()]},
        ),
    }


def _deal() -> dict[str, Any]:
    return {
        "operationId": DEAL,
        "summary": Text(
            "A deal: which openings it holds, and whether it is ready", "起手牌：有什么起手，听没听"
        ),
        "parameters": [_as_parameter(p) for p in deal_parameters()],
        "responses": _responses(
            DEAL,
            Text("What the tiles hold.", "这些牌里有什么。"),
            # A deal that holds nothing looks alike in every game.
            {"anyOf": [ref("Deal", g) for g in rules.rulesets().values()]},
        ),
    }


def _settle() -> dict[str, Any]:
    asked = {name: {"summary": e.title, "value": e.asked} for name, e in _named(SETTLE).items()}
    return {
        "operationId": SETTLE,
        "summary": Text("A settlement: who pays whom at the end of a hand", "结算：一局下来谁付谁"),
        "requestBody": {
            "required": True,
            "description": Text(
                f"One JSON object of at most {answers.LONGEST_SCENARIO} bytes, read as JSON whatever "
                "`Content-Type` says. A key that is null is one that was left out.",
                f"一个 JSON 对象，最多{answers.LONGEST_SCENARIO}字节；"
                "不管 `Content-Type` 写什么，都当 JSON 读。"
                "值是 null 的键就当没写。",
            ),
            "content": {
                "application/json": {
                    "schema": {"oneOf": [ref("Scenario", g) for g in rules.rulesets().values()]},
                    "examples": asked,
                }
            },
        },
        "responses": _responses(
            SETTLE,
            Text("Who pays whom, and who deals next.", "谁付谁，下一局谁坐庄。"),
            ref("Settlement"),
        ),
    }


def _described() -> dict[str, Any]:
    return {
        "operationId": "description",
        "summary": Text("This description", "这份说明"),
        "responses": {
            "200": {
                "description": Text("The description, in OpenAPI 3.1.", "OpenAPI 3.1 格式的说明。"),
                "headers": {
                    "ETag": {"schema": {"type": "string"}},
                    "Cache-Control": {"schema": {"type": "string"}},
                },
                "content": {"application/json": {"schema": {"type": "object", "required": ["openapi"]}}},
            },
            "304": {
                "description": Text(
                    "Unchanged since that `If-None-Match`.", "和 `If-None-Match` 说的一样，没有变。"
                )
            },
            "400": _refusal(["bad-request"], {}),
            **_failures(),
        },
    }


def _as_parameter(parameter: Parameter) -> dict[str, Any]:
    said: dict[str, Any] = {
        "name": parameter.name,
        "in": "query",
        "description": parameter.meaning,
        "required": parameter.required,
        "schema": parameter.schema,
    }
    if parameter.example is not None:
        said["example"] = parameter.example
    if parameter.explode is not None:
        said |= {"style": "form", "explode": parameter.explode}
    return said


def _named(endpoint: str) -> dict[str, Example]:
    """The examples of an endpoint that are answered, by a name."""
    asked = [e for e in EXAMPLES if e.endpoint == endpoint and "error" not in e.answer]
    return {f"{endpoint}-{n}": example for n, example in enumerate(asked, 1)}


def _responses(endpoint: str, meaning: Text, schema: Schema) -> dict[str, Any]:
    codes = [code for code in ERRORS if code not in NEVER[endpoint]]
    return {
        "200": {
            "description": meaning,
            "content": {
                "application/json": {
                    "schema": schema,
                    "examples": {name: _answered(e) for name, e in _named(endpoint).items()},
                }
            },
        },
        "400": _refusal(codes, {code: e for code, e in REFUSED if e.endpoint == endpoint}),
        **_failures(),
    }


def _answered(example: Example) -> dict[str, Any]:
    asked = example.asked if example.endpoint == SETTLE else f"{PATH}{example.endpoint}?{example.query}"
    return {"summary": example.title, "value": example.answer, "x-asked": asked}


def _refusal(codes: list[str], examples: dict[str, Example]) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": _error(codes)}
    if examples:
        content["examples"] = {code: _answered(e) for code, e in examples.items()}
    return {
        "description": Text(
            "What was asked can't be answered: " + "; ".join(f"`{c}` {ERRORS[c].en}" for c in codes) + ".",
            "问的没法回答：" + "；".join(f"`{c}` {ERRORS[c].zh}" for c in codes) + "。",
        ),
        "content": {"application/json": content},
    }


def _failures() -> dict[str, Any]:
    """What may come instead of any answer, from the server in front or where Paili fails."""
    return {
        "414": {
            "description": Text(
                "The address is longer than any question, says the server in front.",
                "前面的服务器说网址太长，没有这么长的提问。",
            ),
            "content": {"text/html": {"schema": {"type": "string"}}},
        },
        "429": {
            "description": Text(
                "Too much was asked at once, says the server in front. Wait, then ask again.",
                "前面的服务器说问得太快了。等一等再问。",
            ),
            "headers": {
                "Retry-After": _WAIT,
                "RateLimit-Policy": {
                    "description": Text(
                        "How many requests (q) one address may make in how many seconds (w).",
                        "一个地址在几秒（w）里可以问几次（q）。",
                    ),
                    "schema": {"type": "string"},
                    "example": f'"default";q={REQUESTS};w={SECONDS}',
                },
            },
            "content": {"application/json": {"schema": _error([TOO_MANY])}},
        },
        "500": {
            "description": Text(
                "Paili has failed; what was asked is not at fault.", "牌理出错了，不是问的有错。"
            ),
            "content": {"application/json": {"schema": _error([SERVER_ERROR])}},
        },
        "503": {
            "description": Text(
                "Paili can't answer just now. Wait, then ask again.", "牌理现在答不了。等一等再问。"
            ),
            "headers": {"Retry-After": _WAIT},
            "content": {"application/json": {"schema": _error([UNAVAILABLE])}},
        },
    }


def _error(codes: list[str]) -> Schema:
    return {
        "allOf": [
            {"$ref": "#/components/schemas/Error"},
            {"properties": {"error": {"properties": {"code": {"enum": codes}}}}},
        ]
    }
