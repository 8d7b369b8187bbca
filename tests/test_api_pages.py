"""The page that describes the API: every example on it is asked of the API and answered alike."""

from __future__ import annotations

import json
import re
import shlex
from io import StringIO
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.test import Client

import rules
from tests.test_checker_page import Element, assert_valid, read
from tutor.api.examples import EXAMPLES, SETTLE
from tutor.api.pages import ERRORS

URLS = {"en": "/en/api/", "zh-hans": "/zh-hans/api/"}


def page(client: Client, language: str = "en") -> Element:
    response = client.get(URLS[language])
    assert response.status_code == 200
    return read(response.content.decode())


def preformatted(markup: str) -> list[list[str]]:
    """The question, the command and the answer of each example, white space as it is."""
    blocks = re.findall(r"<pre>(.*?)</pre>", markup, re.DOTALL)
    unescaped = [
        block.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", '"')
        .replace("&#x27;", "'")
        .replace("&amp;", "&")
        for block in blocks
    ]
    return [unescaped[n : n + 3] for n in range(0, len(unescaped), 3)]


@pytest.mark.parametrize("language", URLS)
def test_the_page_is_sound_html(client: Client, language: str) -> None:
    tree = page(client, language)
    assert_valid(tree)
    assert len(tree.all("h1")) == 1
    assert len(tree.all("details", "example")) == len(EXAMPLES)


@pytest.mark.parametrize(
    ("accepted", "language"), [("zh-CN,zh;q=0.9", "zh-hans"), ("en-GB", "en"), ("", "en")]
)
def test_the_bare_address_leads_to_the_readers_language(client: Client, accepted: str, language: str) -> None:
    response = client.get("/api/", headers={"accept-language": accepted} if accepted else {})
    assert (response.status_code, response["Location"]) == (302, URLS[language])
    assert "Accept-Language" in response["Vary"]


@pytest.mark.parametrize("language", URLS)
def test_every_example_is_answered_as_the_page_shows(client: Client, language: str) -> None:
    shown = preformatted(client.get(URLS[language]).content.decode())
    assert len(shown) == len(EXAMPLES)
    for example, (question, _, answer) in zip(EXAMPLES, shown, strict=True):
        _, *words = shlex.split(question)
        if example.endpoint == SETTLE:
            address, flag, body = words
            assert flag == "-d"
            response = client.post(
                urlsplit(address).path, body.encode(), content_type="application/x-www-form-urlencoded"
            )
        else:
            there = urlsplit(words[0])
            response = client.get(f"{there.path}?{there.query}")
        assert response.json() == json.loads(answer)
        assert response.status_code == (400 if "error" in response.json() else 200)


def test_every_command_prints_what_the_page_shows(client: Client) -> None:
    for _, command, answer in preformatted(client.get(URLS["en"]).content.decode()):
        out = StringIO()
        before, _, after = command.partition("manage.py ")
        sent = shlex.split(before.replace("|", ""))[1:]
        stdin = mock.Mock(buffer=mock.Mock(read=lambda size, sent=sent: sent[0].encode()))
        with mock.patch("sys.stdin", stdin):
            try:
                call_command(*shlex.split(after), stdout=out)
                status: Any = 0
            except SystemExit as end:
                status = end.code
        assert json.loads(out.getvalue()) == json.loads(answer)
        assert status == (2 if "error" in json.loads(answer) else 0)


def test_every_house_rule_and_value_is_named(client: Client) -> None:
    tree = page(client)
    tables = tree.all("table", "options")
    assert len(tables) == len(rules.rulesets())
    for game, table in zip(rules.rulesets().values(), tables, strict=True):
        shown = {
            row.all("th")[0].text: [item.all("code")[0].text for item in row.all("li")]
            for row in table.all("tbody")[0].all("tr")
        }
        assert shown == {option.key: [c.key for c in option.choices] for option in game.options}


def test_every_key_of_the_games_is_named(client: Client) -> None:
    codes = {e.text for e in page(client).all("code")}
    for game in rules.rulesets().values():
        for things in (game.ways, game.rules, game.patterns, game.openings):
            assert {thing.key for thing in things} <= codes


def test_every_error_is_described(client: Client) -> None:
    assert set(ERRORS) == {
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
    assert set(ERRORS) <= {e.text for e in page(client).all("code")}


def test_the_page_is_only_read(client: Client) -> None:
    assert client.post(URLS["en"]).status_code == 405
    assert client.head(URLS["en"]).status_code == 200


PAGES = ("learn", "practice", "classes", "check", "deal", "settle", "rules")


@pytest.mark.parametrize("language", URLS)
def test_every_page_leads_here_and_to_the_others(client: Client, language: str) -> None:
    for path in ("check", "deal", "settle", "settle/sheet", "api"):
        tree = read(client.get(f"/{language}/{path}/").content.decode())
        links = [a["href"] for a in tree.by_id("pages").all("a")]
        assert links == [f"/{language}/{name}/" for name in PAGES]
        current = [a["href"] for a in tree.by_id("pages").all("a") if a.get("aria-current")]
        assert current == [link for link in links if f"/{language}/{path}/".startswith(link)]
        assert URLS[language] in [a["href"] for a in tree.all("footer")[0].all("a")]
