"""The API in OpenAPI 3.1: the description is sound, it is served, and what is answered is as it says."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings as django_settings
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import rules
from rules.text import LANGUAGES
from rules.tiles import TILES
from tests.test_changchun import INPUTS, known_hands
from tests.test_checker_page import assert_valid, read
from tutor import answers
from tutor.api.description import PATH, REQUESTS, SECONDS
from tutor.api.outline import outline
from tutor.api.vocabulary import ERRORS, NEVER, check_parameters, deal_parameters

URL = "/api/v1/openapi.json"
CLIENT = Client()
HAN = re.compile(r"[\u3400-\u9fff]")
KNOWN: list[Any] = [param.values[0] for game in rules.rulesets() for param in known_hands(game)]


@cache
def document() -> Any:
    """The description as it is served."""
    response = CLIENT.get(URL)
    assert response.status_code == 200
    return response.json()


@cache
def validator(operation: str, status: str) -> Draft202012Validator:
    """What an answer of an operation with that status must be."""
    schema = operations()[operation]["responses"][status]["content"]["application/json"]["schema"]
    return Draft202012Validator({**schema, "components": document()["components"]})


@cache
def scenarios() -> Draft202012Validator:
    """What a scenario must be."""
    schema = operations()["settle"]["requestBody"]["content"]["application/json"]["schema"]
    return Draft202012Validator({**schema, "components": document()["components"]})


def operations() -> dict[str, Any]:
    """The operations by what they are called."""
    return {op["operationId"]: op for item in document()["paths"].values() for op in item.values()}


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Every object in JSON data."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from nodes(inner)


def ask(operation: str, asked: Any) -> HttpResponse:
    """The answer to a question: a query, or the scenario of a settlement."""
    if operation == "settle":
        return CLIENT.post(f"{PATH}settle", json.dumps(asked), content_type="application/json")
    return CLIENT.get(f"{PATH}{operation}", QUERY_STRING=urlencode(asked, doseq=True))


def assert_described(operation: str, response: HttpResponse) -> Any:
    """The answer's status, kind and shape are those that the description gives."""
    assert str(response.status_code) in operations()[operation]["responses"]
    assert response["Content-Type"] == "application/json"
    answer = json.loads(response.content)
    errors = list(validator(operation, str(response.status_code)).iter_errors(answer))
    assert errors == [], (answer, errors)
    return answer


# The document


def test_it_is_served_for_caches_to_keep(client: Client) -> None:
    response = client.get(URL)
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    assert response["Cache-Control"] == "public, max-age=3600"
    assert re.fullmatch(r'"[0-9a-f]{20}"', response["ETag"])
    again = client.get(URL, headers={"if-none-match": response["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", response["ETag"])
    assert client.get(URL, headers={"if-none-match": '"other"'}).status_code == 200
    assert client.get(URL).content == response.content
    assert not response.cookies


def test_it_is_sent_compressed_and_known_again_by_the_etag_of_that(client: Client) -> None:
    packed = client.get(URL, headers={"accept-encoding": "gzip"})
    assert gzip.decompress(packed.content) == client.get(URL).content
    assert len(packed.content) < 16_000
    again = client.get(URL, headers={"accept-encoding": "gzip", "if-none-match": packed["ETag"]})
    assert again.status_code == 304


def test_it_is_only_read_and_takes_no_parameters(client: Client) -> None:
    assert client.post(URL).status_code == 405
    assert client.head(URL).status_code == 200
    response = client.get(URL, {"colour": "red"})
    assert response.status_code == 400
    assert_described("description", response)


def test_every_endpoint_is_described_by_its_methods() -> None:
    described = {(path, m) for path, item in document()["paths"].items() for m in item}
    assert described == {
        ("/api/v1/check", "get"),
        ("/api/v1/deal", "get"),
        ("/api/v1/settle", "post"),
        ("/api/v1/openapi.json", "get"),
    }
    strict = Client(enforce_csrf_checks=True)
    for path, method in described:
        for other in {"get", "head", "post", "put", "patch", "delete", "query"} - {method}:
            if (method, other) != ("get", "head"):
                response = strict.generic(other.upper(), path)
                assert response.status_code == 405, (other, path)
                assert set(response["Allow"].split(", ")) == (
                    {"GET", "HEAD"} if method == "get" else {"POST"}
                )


def test_every_schema_is_one_and_every_reference_leads_to_one() -> None:
    parts = document()["components"]["schemas"]
    for schema in [*parts.values(), *(n["schema"] for n in nodes(document()) if "schema" in n)]:
        Draft202012Validator.check_schema(schema)
    named = {node["$ref"] for node in nodes(document()) if "$ref" in node}
    assert named == {f"#/components/schemas/{name}" for name in parts}


def test_every_object_that_is_answered_or_taken_is_closed() -> None:
    open_ones = [
        node
        for part in document()["components"]["schemas"].values()
        for node in nodes(part)
        if "object" in node.get("type", ()) and node.get("additionalProperties") is not False
    ]
    assert open_ones == []


def test_every_description_is_in_both_languages() -> None:
    for node in nodes(document()):
        words = node.get("description", node.get("summary"))
        if isinstance(words, str) and "title" not in node:
            assert words.strip()
            assert not HAN.search(words)
            assert HAN.search(node["x-zh-hans"])


def test_every_parameter_of_the_views_is_described() -> None:
    for name, parameters in (("check", check_parameters()), ("deal", deal_parameters())):
        described = {p["name"]: p for p in operations()[name]["parameters"]}
        assert set(described) == {p.name for p in parameters}
        message = json.loads(ask(name, {"colour": "red"}).content)["error"]["message"]["en"]
        assert set(message.partition("known: ")[2].rstrip(".").split(", ")) == set(described)
        assert [p["name"] for p in described.values() if p["required"]] == [
            "ruleset",
            "hand" if name == "check" else "tiles",
        ]


def test_every_key_of_a_scenario_is_described() -> None:
    for game in rules.rulesets():
        for part, asked in {
            "Scenario": {"colour": 1},
            "Win": {"wins": [{"colour": 1}]},
            "Gang": {"gangs": [{"colour": 1}]},
            "Opening": {"openings": [{"colour": 1}]},
        }.items():
            message = json.loads(ask("settle", {"ruleset": game, **asked}).content)["error"]["message"]["en"]
            known = set(message.partition("known: ")[2].rstrip(".").split(", "))
            assert set(document()["components"]["schemas"][f"{part}-{game}"]["properties"]) == known


def test_every_value_of_every_house_rule_is_described() -> None:
    option = next(p for p in operations()["check"]["parameters"] if p["name"] == "option")
    described = option["schema"]["items"]["enum"]
    for game in rules.rulesets().values():
        scenario = document()["components"]["schemas"][f"Scenario-{game.key}"]["properties"]
        assert scenario["options"]["properties"] == {
            o.key: {"enum": [c.key for c in o.choices]} for o in game.options
        }
        assert {f"{o.key}={c.key}" for o in game.options for c in o.choices} <= set(described)
    for option in described:
        said = [ask("check", {"ruleset": g, "hand": "1m", "option": option}) for g in rules.rulesets()]
        assert "tile-count" in [json.loads(answer.content)["error"]["code"] for answer in said]


def test_every_error_that_is_raised_is_described() -> None:
    raised = set()
    for folder in ("rules", "tutor"):
        for path in (django_settings.BASE_DIR / folder).rglob("*.py"):
            source = path.read_text(encoding="utf-8")
            raised |= set(re.findall(r'HandError\(\s*"([a-z-]+)"', source))
    assert raised == {*ERRORS, "server-error", "unavailable"}
    error = document()["components"]["schemas"]["Error"]["properties"]["error"]["properties"]
    assert error["code"]["enum"] == [*ERRORS, "too-many-requests", "server-error", "unavailable"]


def examples() -> Iterator[tuple[str, str, Any]]:
    """Each example of an answer: the operation, the status and the example."""
    for name, operation in operations().items():
        for status, answer in operation["responses"].items():
            shown = answer.get("content", {}).get("application/json", {}).get("examples", {})
            yield from ((name, status, example) for example in shown.values())


def test_every_example_is_answered_as_described() -> None:
    seen = Counter[tuple[str, str]]()
    for name, status, example in examples():
        asked = example["x-asked"]
        response = ask(name, asked) if name == "settle" else CLIENT.get(asked)
        assert (str(response.status_code), assert_described(name, response)) == (status, example["value"])
        seen[name, status] += 1
    for name in ("check", "deal", "settle"):
        assert seen[name, "200"] >= 1
        assert seen[name, "400"] == len(ERRORS) - len(NEVER[name])


def test_every_error_of_an_endpoint_has_an_example_of_its_name() -> None:
    for name in ("check", "deal", "settle"):
        shown = operations()[name]["responses"]["400"]["content"]["application/json"]["examples"]
        assert list(shown) == [code for code in ERRORS if code not in NEVER[name]]
        assert all(example["value"]["error"]["code"] == code for code, example in shown.items())


def test_the_scenarios_shown_are_such_as_described() -> None:
    shown = operations()["settle"]["requestBody"]["content"]["application/json"]["examples"]
    answered = operations()["settle"]["responses"]["200"]["content"]["application/json"]["examples"]
    assert {key: e["value"] for key, e in shown.items()} == {key: e["x-asked"] for key, e in answered.items()}
    for example in shown.values():
        assert list(scenarios().iter_errors(example["value"])) == []


def test_what_is_not_as_described_would_be_seen() -> None:
    """The shapes are exact: a key more, a key less or a word that the game has not fits none of them."""
    answer = ask("check", {"ruleset": "changsha", "hand": "12355m 45678p 789s +9p"}).json()
    valid = validator("check", "200").is_valid
    assert valid(answer)
    assert not valid(answer | {"colour": "red"})
    assert not valid({key: value for key, value in answer.items() if key != "fixes"})
    assert not valid(answer | {"wins": False})
    assert not valid(answer | {"fan": 1})
    assert not valid(answer | {"ruleset": "changchun"})
    assert not valid(answer | {"waits": [{"tile": "E", "left": 1}]})
    assert not valid(answer | {"payments": [1, -1, 0]})
    assert not valid(answer | {"options": {"birds": "0"}})
    assert valid(answer | {"options": {"birds": "0"}, "changed_by": ["birds"]})
    error = ask("deal", {"ruleset": "changsha", "tiles": "x"}).json()
    assert validator("deal", "400").is_valid(error)
    error["error"]["code"] = "not-a-win"
    assert not validator("deal", "400").is_valid(error)


# What is really answered


CODES = [t.code for t in TILES]


def options_of(game: rules.Ruleset) -> st.SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries(
        {}, optional={o.key: st.sampled_from([c.key for c in o.choices]) for o in game.options}
    ) | st.just({})


@st.composite
def hands(draw: st.DrawFn, game: rules.Ruleset) -> str:
    """A hand of a game: one that is known, one like it, or tiles at random; rarely none at all."""
    known = draw(st.sampled_from([case["hand"] for case in KNOWN if case["ruleset"] == game.key]))
    kind = draw(st.integers(0, 9))
    if kind < 6:
        return known
    if kind < 8:
        out, into = draw(st.sampled_from("123456789")), draw(st.sampled_from("123456789"))
        return known.replace(out, into, 1)
    tiles = draw(st.lists(st.sampled_from([t.code for t in game.tiles.tiles]), min_size=13, max_size=14))
    return "".join(tiles[:13]) + "".join(f"+{tile}" for tile in tiles[13:])


def some(strategies: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Any of these keys, mostly few."""
    keys = st.lists(st.sampled_from(sorted(strategies)), max_size=3, unique=True)
    return keys.flatmap(lambda chosen: st.fixed_dictionaries({key: strategies[key] for key in chosen}))


SEATS = st.sampled_from(["0", "1", "2", "3", "3", "4", ""])
GAMES = st.sampled_from(list(rules.rulesets().values()))


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    """A hand with circumstances, which may not go together."""
    game = draw(GAMES)
    given = {
        "by": st.sampled_from(["discard", "self-draw", "robbed-gang", "bao-match", "x"]),
        "seat": SEATS,
        "from": SEATS,
        "listening": st.sampled_from(["0", "1"]),
        "bao": st.sampled_from(CODES),
        "moments": st.sampled_from([p.key for p in game.patterns if p.is_moment] or ["x"]),
        "birds": st.lists(st.sampled_from(CODES), max_size=2).map(",".join) | st.just("0"),
    }
    own = {key: s for key, s in given.items() if key in ("by", "seat", "from", *game.inputs)}
    asked = draw(some(own))
    options = [f"{key}={value}" for key, value in draw(options_of(game)).items()]
    return {"ruleset": game.key, "hand": draw(hands(game)), **asked, "option": options}


@st.composite
def deals(draw: st.DrawFn) -> dict[str, Any]:
    """Dealt tiles, often many of a kind."""
    game = draw(GAMES)
    kinds = [t.code for t in game.tiles.tiles]
    kinds = draw(st.lists(st.sampled_from(kinds), min_size=4, max_size=14, unique=True))
    size = draw(st.sampled_from([13, 13, 14, 14, 12]))
    stock = draw(st.permutations([code for code in kinds for _ in range(4)]))
    options = [f"{key}={value}" for key, value in draw(options_of(game)).items()]
    return {"ruleset": game.key, "tiles": "".join(stock[:size]), "option": options}


@st.composite
def ends(draw: st.DrawFn) -> dict[str, Any]:
    """A scenario as the description has it, whose parts may not go together."""
    game = draw(GAMES)
    measure = game.measure.key
    seats = st.integers(0, 3)
    won = {"seat": seats, "by": st.sampled_from([w.key for w in game.ways])}
    worth = st.fixed_dictionaries({measure: st.integers(0, 41)}) | st.fixed_dictionaries(
        {"hand": hands(game)}
    )
    win = st.builds(
        lambda how, what, more: how | what | more,
        st.fixed_dictionaries(won),
        worth,
        st.fixed_dictionaries({}, optional={"from": seats | st.none()}),
    )
    gangs = st.fixed_dictionaries(
        {"seat": seats, "tiles": st.sampled_from(["[5555m]", "(2222p)", "{ESWN}", "{CFP}", "(1111s)", "5m"])},
        optional={"dealt": st.booleans(), "from": seats | st.none()},
    )
    shown = st.fixed_dictionaries(
        {"seat": seats, "keys": st.lists(st.sampled_from([o.key for o in game.openings]), max_size=2)}
    )
    parts: dict[str, st.SearchStrategy[Any]] = {
        "options": options_of(game),
        "wins": st.lists(win, max_size=2),
        "gangs": st.lists(gangs, max_size=3),
        "openings": st.lists(shown, max_size=2),
        "birds": st.lists(st.sampled_from(CODES), max_size=2) | st.none(),
        "last_tile": st.fixed_dictionaries({"offered": seats}, optional={"taker": seats | st.none()}),
    }
    return {"ruleset": game.key, **draw(some(parts))}


@settings(max_examples=200, deadline=None)
@given(questions())
def test_any_question_about_a_hand_is_answered_as_described(asked: dict[str, Any]) -> None:
    assert_described("check", ask("check", asked))


@settings(max_examples=100, deadline=None)
@given(deals())
def test_any_question_about_a_deal_is_answered_as_described(asked: dict[str, Any]) -> None:
    assert_described("deal", ask("deal", asked))


@settings(max_examples=150, deadline=None)
@given(ends())
def test_any_scenario_is_answered_as_described(asked: dict[str, Any]) -> None:
    response = ask("settle", asked)
    answer = assert_described("settle", response)
    if response.status_code == 200:
        assert list(scenarios().iter_errors(asked)) == []
    elif not scenarios().is_valid(asked):
        assert answer["error"]["code"] in ERRORS


@pytest.mark.parametrize("ruleset", list(rules.rulesets()))
def test_every_known_hand_is_answered_as_described(ruleset: str) -> None:
    states = Counter[str]()
    for case in KNOWN:
        if case["ruleset"] == ruleset:
            circumstances = {key: case[key] for key in INPUTS if key in case}
            asked = {"ruleset": ruleset, "hand": case["hand"], **circumstances}
            for key, value in circumstances.items():
                if isinstance(value, bool):
                    asked[key] = int(value)
                elif isinstance(value, list):
                    asked[key] = ",".join(value)
            response = ask("check", asked)
            states[assert_described("check", response).get("state", "refused")] += 1
    assert set(states) == {"win", "not-win", "ready", "not-ready", "refused"}


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [(RuntimeError, 500, "server-error"), (OperationalError, 503, "unavailable")],
)
def test_trouble_of_its_own_is_answered_as_described(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception], status: int, code: str
) -> None:
    def fail(*args: object) -> None:
        raise error

    monkeypatch.setattr(answers, "judge", fail)
    asked = {"ruleset": "changsha", "hand": "1m"}
    response = Client(raise_request_exception=False).get("/api/v1/check", asked)
    assert response.status_code == status
    assert assert_described("check", response)["error"]["code"] == code
    described = operations()["check"]["responses"][str(status)].get("headers", {})
    assert [name in response for name in described] == [True] * len(described)


def test_an_empty_value_is_one_that_was_not_given() -> None:
    for name, parameters in (("check", check_parameters()), ("deal", deal_parameters())):
        asked = {"ruleset": "changchun", "hand" if name == "check" else "tiles": "123m 45556p 78s SSS +9s"}
        asked |= {"tiles": "147m 258p 369s ESWN"} if name == "deal" else {}
        for parameter in parameters:
            if parameter.name != "option":
                without = {key: value for key, value in asked.items() if key != parameter.name}
                empty = ask(name, without | {parameter.name: ""})
                assert json.loads(empty.content) == json.loads(ask(name, without).content)


# For those who read


def test_the_outline_names_every_key_of_every_shape() -> None:
    shapes = document()["components"]["schemas"]
    assert list(outline()) == list(shapes)
    for name, rows in outline().items():
        found = {row.key.rstrip("?") for row in rows}
        assert set(shapes[name].get("properties", {})) <= found or rows[0].key == ""
    kinds = {row.key: row.kind for row in outline()["Verdict-changsha"]}
    assert kinds["state"] == '"win" | "not-win" | "ready" | "not-ready"'
    assert kinds["readings"] == "Reading-changsha[]"
    assert kinds["payments"] == "integer[] | null"
    assert kinds["waits[].left"] == "0–4"
    assert "stands_for?" not in kinds


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_page_leads_to_it_and_shows_what_it_says(client: Client, language: str) -> None:
    tree = read(client.get(f"/{language}/api/").content.decode())
    assert_valid(tree)
    assert URL in [a["href"] for a in tree.all("a")]
    shown = tree.all("details", "shape")
    assert [shape.all("summary")[0].text for shape in shown] == list(outline())
    for shape, rows in zip(shown, outline().values(), strict=True):
        assert len(shape.all("tbody")[0].all("tr")) == len(rows)
        assert not any("`" in cell.text for cell in shape.all("td"))
    for parameters in (check_parameters(), deal_parameters()):
        names = [p.name for p in parameters]
        tables = [[row.all("th")[0].text for row in table.all("tr")[1:]] for table in tree.all("table")]
        assert names in tables


def test_the_limit_is_the_one_that_nginx_keeps() -> None:
    conf = (django_settings.BASE_DIR / "deploy/nginx.conf").read_text(encoding="utf-8")
    (rate,) = re.findall(r"limit_req_zone .* rate=(\d+)r/s;", conf)
    assert set(re.findall(r"limit_req zone=\w+ burst=(\d+) nodelay", conf)) == {str(REQUESTS)}
    assert int(rate) * SECONDS == REQUESTS
    assert re.findall(r"""RateLimit-Policy '(.*?)'""", conf) == [f'"default";q={REQUESTS};w={SECONDS}'] * 2
    (body,) = re.findall(r"return 429 '(.*?)';", conf)
    said = json.loads(body)
    assert list(validator("check", "429").iter_errors(said)) == []
    assert said["error"]["message"].keys() == set(LANGUAGES)
