"""The example clients are run against a live server: what they print and raise is what they say."""

from __future__ import annotations

import html
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import FLAGS, NAMES, PROGRAMS
from tests.test_checker_page import read
from tutor.api.examples import CLIENTS, EXAMPLES, SETTLE
from tutor.api.examples.client import Paili, Refused

HAND = "12355m 45678p 789s +9p"
SCENARIO = next(e for e in EXAMPLES if e.endpoint == SETTLE)
NODE = shutil.which("node")
TOO_MANY = {
    "error": {
        "code": "too-many-requests",
        "at": None,
        "tiles": [],
        "message": {"en": "Wait.", "zh-hans": "等"},
    }
}

# What each client is asked in turn, and told.
SCRIPT = """
const { Paili, Refused } = await import(module);
const paili = new Paili(site);
const told = [];
told.push((await paili.check("changsha", hand)).state);
told.push((await paili.check("changsha", hand, { by: "self-draw", seat: 0, option: ["birds=0"] })).payments);
told.push((await paili.deal("changsha", "2222m 13579p 1479s")).openings);
told.push((await paili.settle(scenario)).payments);
try {
  await paili.check("changsha", "123m x");
} catch (error) {
  told.push([error instanceof Refused, error.status, error.code, error.at, error.said.en !== ""]);
}
return told;
"""


def told() -> list[Any]:
    """The same, asked without a client."""
    client = Client()
    asked: dict[str, Any] = {"ruleset": "changsha", "hand": HAND}
    drawn = asked | {"by": "self-draw", "seat": 0, "option": ["birds=0"]}
    dealt = {"ruleset": "changsha", "tiles": "2222m 13579p 1479s"}
    return [
        client.get("/api/v1/check", asked).json()["state"],
        client.get("/api/v1/check", drawn).json()["payments"],
        client.get("/api/v1/deal", dealt).json()["openings"],
        SCENARIO.answer["payments"],
        [True, 400, "bad-character", 5, True],
    ]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    # Nothing of this process' settings: a client needs none of them.
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(command, env=kept, capture_output=True, text=True, check=False, timeout=60)


@contextmanager
def busy(times: int, other: tuple[int, str, bytes]) -> Iterator[tuple[str, list[str]]]:
    """A server that is too busy for as many requests, then answers otherwise; and what it was asked."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            """Says that it is too busy, or answers."""
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            seen.append(f"{self.command} {self.path}")
            status, kind, body = other
            if len(seen) <= times:
                status, kind, body = 429, "application/json", json.dumps(TOO_MANY).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = answer  # noqa: N815 - as the library calls them

        def log_message(self, *args: object) -> None:
            """Says nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", seen
        finally:
            server.shutdown()
            thread.join()


def test_the_python_client_asks_all_three(live_server: LiveServer) -> None:
    paili = Paili(live_server.url)
    found: list[Any] = [
        paili.check("changsha", HAND)["state"],
        paili.check("changsha", HAND, ["birds=0"], by="self-draw", seat=0)["payments"],
        paili.deal("changsha", "2222m 13579p 1479s")["openings"],
        paili.settle(SCENARIO.asked)["payments"],
    ]
    with pytest.raises(Refused) as refused:
        paili.check("changsha", "123m x")
    error = refused.value
    assert [*found, [True, error.status, error.code, error.at, error.message["en"] != ""]] == told()
    assert paili.check("changsha", HAND, from_=2)["payments"][2] < 0


COMMANDS = [
    pytest.param([sys.executable, "-I"], "client.py", id="python"),
    pytest.param(
        [NODE], "client.mjs", id="node", marks=pytest.mark.skipif(NODE is None, reason="There is no node.")
    ),
]


@pytest.mark.parametrize(("program", "name"), COMMANDS)
def test_a_client_prints_a_verdict_by_itself(live_server: LiveServer, program: list[str], name: str) -> None:
    done = run(*program, str(CLIENTS[name]), live_server.url, "changsha", HAND)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        json.loads(done.stdout) == Client().get("/api/v1/check", {"ruleset": "changsha", "hand": HAND}).json()
    )


@pytest.mark.parametrize(("program", "name"), COMMANDS)
def test_a_client_says_what_was_refused(live_server: LiveServer, program: list[str], name: str) -> None:
    done = run(*program, str(CLIENTS[name]), live_server.url, "changsha", "123m x")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bad-character (at 5): ")


@pytest.mark.parametrize(("program", "name"), COMMANDS)
def test_a_client_says_when_there_is_nobody_to_ask(program: list[str], name: str) -> None:
    done = run(*program, str(CLIENTS[name]), "http://127.0.0.1:9", "changsha", HAND)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Paili can't be asked: ")


@pytest.mark.parametrize(("program", "name"), COMMANDS)
def test_a_client_asks_again_where_paili_is_too_busy(program: list[str], name: str) -> None:
    with busy(2, (200, "application/json", b'{"state": "win"}')) as (site, seen):
        done = run(*program, str(CLIENTS[name]), site, "changsha", HAND)
    assert (done.returncode, json.loads(done.stdout)) == (0, {"state": "win"})
    assert len(seen) == 3
    with busy(9, (200, "application/json", b"{}")) as (site, seen):
        done = run(*program, str(CLIENTS[name]), site, "changsha", HAND)
    assert (done.returncode, done.stderr, len(seen)) == (2, "too-many-requests: Wait.\n", 3)


@pytest.mark.parametrize(("program", "name"), COMMANDS)
def test_a_client_says_when_it_is_no_paili_that_answers(program: list[str], name: str) -> None:
    with busy(0, (502, "text/html", b"<h1>Bad gateway</h1>")) as (site, _):
        done = run(*program, str(CLIENTS[name]), site, "changsha", HAND)
    assert (done.returncode, done.stdout) == (1, "")
    assert "502" in done.stderr


def test_the_python_client_gives_up_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(TimeoutError):
        Paili(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.2).check("changsha", HAND)
    with pytest.raises(ValueError, match="not the address"):
        Paili("file:///etc/hostname")


@pytest.mark.skipif(NODE is None, reason="There is no node.")
def test_node_gives_up_in_time() -> None:
    script = f"""
        const {{ Paili }} = await import({json.dumps(CLIENTS["client.mjs"].as_uri())});
        const site = "http://127.0.0.1:" + process.argv[1];
        await new Paili(site, {{ timeout: 0.2 }}).deal("changsha", "1m").catch((e) => console.log(e.name));
    """
    with socket.create_server(("127.0.0.1", 0)) as silent:
        done = run(str(NODE), "--input-type=module", "--eval", script, str(silent.getsockname()[1]))
    assert (done.stdout, done.stderr) == ("TimeoutError\n", "")


@pytest.mark.skipif(NODE is None, reason="There is no node.")
def test_node_asks_all_three(live_server: LiveServer) -> None:
    given = {"module": CLIENTS["client.mjs"].as_uri(), "site": live_server.url}
    given |= {"hand": HAND, "scenario": SCENARIO.asked}
    script = f"""
        const {{ module, site, hand, scenario }} = {json.dumps(given)};
        const told = await (async () => {{ {SCRIPT} }})();
        console.log(JSON.stringify(told));
    """
    done = run(str(NODE), "--input-type=module", "--eval", script)
    assert done.stderr == ""
    assert json.loads(done.stdout) == told()


@pytest.mark.browser
def test_a_browser_asks_all_three(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    program = next((p for p in (*PROGRAMS, *map(shutil.which, NAMES)) if p and Path(p).is_file()), None)
    if program is None:
        pytest.skip("There is no Chromium: install Debian's package chromium-headless-shell.")
    expected = told()
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    source = CLIENTS["client.mjs"].read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        page = browser.new_page()
        # The client stands on a page of the same site, as it must.
        page.route(
            "**/own/client.mjs", lambda route: route.fulfill(content_type="text/javascript", body=source)
        )
        page.route("**/own/", lambda route: route.fulfill(content_type="text/html", body="<!doctype html>"))
        page.goto(f"{live_server.url}/own/")
        given = {
            "module": "/own/client.mjs",
            "site": live_server.url,
            "hand": HAND,
            "scenario": SCENARIO.asked,
        }
        found = page.evaluate(f"async ({{ module, site, hand, scenario }}) => {{ {SCRIPT} }}", given)
        browser.close()
    assert found == expected


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_page_shows_both_as_they_are(client: Client, language: str) -> None:
    markup = client.get(f"/{language}/api/").content.decode()
    shown = {e["id"]: e for e in read(markup).all("pre", "listing")}
    assert set(shown) == {"client-py", "client-mjs"}
    for name, path in CLIENTS.items():
        start = markup.index(f'id="{name.replace(".", "-")}"')
        block = markup[markup.index(">", start) + 1 : markup.index("</pre>", start)]
        # A browser drops the line break with which a <pre> begins.
        assert html.unescape(block).removeprefix("\n") == path.read_text(encoding="utf-8")
