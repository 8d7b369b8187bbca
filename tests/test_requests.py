"""What no page may break on: charsets that headers claim, forms too large to read, wrong addresses."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client, override_settings

from tests.test_checker_page import assert_valid, read
from tutor.wsgi import application

# Codecs that Python knows by name; most of them are none for text.
CHARSETS = [
    "hex",
    "base64",
    "rot13",
    "utf-7",
    "unicode_escape",
    "utf-16",
    "idna",
    "zlib",
    "undefined",
    "nothing",
]
PAGES = {
    "/en/check/": {"ruleset": "changsha", "hand": "12355m 45678p 789s +9筒"},
    "/zh-hans/check/": {"hand": "1m", "do": "key:2m"},
    "/en/deal/": {"ruleset": "changsha", "tiles": "2222m 13579p 1479s"},
    "/en/settle/": {"ruleset": "changsha"},
    "/en/settle/sheet/": {"n": "中"},
    "/en/api/": {"a": "中"},
    "/api/v1/check": {"ruleset": "changsha", "hand": "12355m 45678p 789s +9筒"},
    "/api/v1/deal": {"ruleset": "changsha", "tiles": "2222m 13579p 1479s"},
    "/en/": {"a": "中"},
    "/": {"a": "中"},
}
TITLES = {"en": "There is no page at this address", "zh-hans": "这个网址没有页面"}


@pytest.fixture
def beside_other_tests() -> Iterator[None]:
    """A request asked without the test client leaves other tests their database, as the client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


as_a_server_asks = pytest.mark.usefixtures("beside_other_tests")


def ask(
    path: str, content_type: str, query: dict[str, str] | None = None, body: bytes | None = None
) -> tuple[str, bytes]:
    """The status and the body of what the server answers, asked as a server in front asks it."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "GET" if body is None else "POST",
        "PATH_INFO": path,
        "QUERY_STRING": urlencode(query or {}),
        "SERVER_NAME": "testserver",
        "CONTENT_TYPE": content_type,
        "CONTENT_LENGTH": str(len(body or b"")),
        "wsgi.input": io.BytesIO(body or b""),
    }
    setup_testing_defaults(environ)
    told = []
    content = b"".join(application(environ, lambda status, headers, *more: told.append(status)))
    return told[0], content


def without_token(content: bytes) -> bytes:
    """A page without what protects its forms, which is another each time."""
    return re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", content)


@as_a_server_asks
@pytest.mark.usefixtures("shelved")
@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("path", PAGES)
def test_a_charset_in_a_header_changes_no_answer(path: str, charset: str) -> None:
    status, content = ask(path, "text/plain", PAGES[path])
    assert int(status[:3]) < 400
    for header in (f"text/plain; charset={charset}", f'text/plain;CHARSET = "{charset}"; a=b'):
        told, said = ask(path, header, PAGES[path])
        assert (told, without_token(said)) == (status, without_token(content))


@as_a_server_asks
@pytest.mark.parametrize(
    "header", ["text/plain; charset*=hex''a", "text/plain; charset*=utf-8''hex", "; charset=x"]
)
def test_a_header_that_can_not_be_read_changes_no_answer(header: str) -> None:
    path = "/api/v1/deal"
    assert ask(path, header, PAGES[path]) == ask(path, "text/plain", PAGES[path])


@as_a_server_asks
@pytest.mark.usefixtures("shelved")
@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_a_charset_changes_nothing_that_a_form_does(charset: str, kind: str) -> None:
    body = b"do=players&name=%E4%B8%AD&name=&name=&name="
    if kind.startswith("multipart"):
        body = b'--x\r\nContent-Disposition: form-data; name="do"\r\n\r\nplayers\r\n--x--\r\n'
    plain, _ = ask("/en/settle/sheet/", kind, body=body)
    told, _ = ask("/en/settle/sheet/", f"{kind}; charset={charset}", body=body)
    assert told == plain == "403 Forbidden"  # no cookie came along: the form was read, then refused
    scenario = json.dumps({"ruleset": "changsha"}).encode()
    plain_api = ask("/api/v1/settle", "application/json", body=scenario)
    assert ask("/api/v1/settle", f"application/json; charset={charset}", body=scenario) == plain_api


@pytest.mark.parametrize("language", TITLES)
@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize(
    ("sent", "status", "english", "chinese"),
    [
        ({"n": ["1"] * 1500}, 400, "The form has too many fields.", "表单里的字段太多了。"),
        ({"n": "x" * 20_000_000}, 413, "The form is too large.", "表单太大了。"),
    ],
    ids=["many fields", "large"],
)
def test_a_form_that_can_not_be_read_is_answered_in_words(
    client: Client, sent: dict[str, Any], status: int, english: str, chinese: str, debug: bool, language: str
) -> None:
    for extra in ({}, {"content_type": "application/x-www-form-urlencoded"}):
        body = "&".join(f"n={n}" for n in sent["n"]) if isinstance(sent["n"], list) else f"n={sent['n']}"
        with override_settings(DEBUG=debug):
            response = client.post(f"/{language}/settle/sheet/", body if extra else sent, **extra)
        assert response.status_code == status
        tree = read(response.content.decode())
        assert_valid(tree)
        assert tree.all("h1")[0].text == (english if language == "en" else chinese)


@pytest.mark.parametrize(
    "body", ["do=players&name=%ED%A0%80", "do=add&add=%ff%fe", "do=%00&%ED%B0%80=1", "=&&=%"]
)
def test_half_a_character_in_a_form_breaks_nothing(client: Client, body: str) -> None:
    kind = "application/x-www-form-urlencoded"
    assert client.post("/en/settle/sheet/", body, content_type=kind).status_code < 500


@pytest.mark.parametrize("language", TITLES)
def test_a_query_with_too_many_fields_is_answered_in_words(client: Client, language: str) -> None:
    query = "&".join(["n=1"] * 1001)
    for path in ("check", "deal", "settle", "settle/sheet"):
        response = client.get(f"/{language}/{path}/", QUERY_STRING=query)
        assert response.status_code == 400
        tree = read(response.content.decode())
        assert_valid(tree)
        wanted = "The query has too many fields." if language == "en" else "网址里的参数太多了。"
        assert tree.all("h1")[0].text == wanted
    told = client.get("/api/v1/check", QUERY_STRING=query)
    assert (told.status_code, told.json()["error"]["code"]) == (400, "bad-request")


@pytest.mark.usefixtures("shelved")
@pytest.mark.parametrize("language", TITLES)
def test_a_language_alone_is_the_home_page(client: Client, language: str) -> None:
    response = client.get(f"/{language}/")
    assert response.status_code == 200
    assert read(response.content.decode()).all("p", "sentence")


@pytest.mark.django_db
@override_settings(DEBUG=False)
@pytest.mark.parametrize("language", TITLES)
@pytest.mark.parametrize("path", ["/{}/nothing/", "/{}/check/more/", "/nothing", "/favicon.ico"])
def test_an_address_that_is_no_page_leads_to_those_that_are(client: Client, path: str, language: str) -> None:
    response = client.get(path.format(language), headers={"Accept-Language": language})
    assert response.status_code == 404
    tree = read(response.content.decode())
    assert_valid(tree)
    assert tree.all("html")[0]["lang"] == language
    assert tree.all("h1")[0].text == TITLES[language]
    links = [a["href"] for a in tree.all("main")[0].all("a")]
    assert links == [
        f"/{language}/{page}/"
        for page in ("learn", "practice", "classes", "check", "deal", "settle", "rules")
    ]
    other = "en" if language == "zh-hans" else "zh-hans"
    assert tree.by_id("language").all("a")[0]["href"] == f"/{other}/learn/"
    assert all(client.get(link).status_code == 200 for link in links)


# The game goes along


@pytest.mark.parametrize("path", ["/en/check/", "/zh-hans/deal/", "/en/settle/"])
@pytest.mark.parametrize(
    ("asked", "carried"),
    [("changsha", "?ruleset=changsha"), ("both", ""), ("mars", ""), ('"><b>', ""), (None, "")],
)
def test_the_game_is_carried_to_the_other_pages(
    client: Client, path: str, asked: str | None, carried: str
) -> None:
    tree = read(client.get(path, {"ruleset": asked} if asked else {}).content.decode())
    language = path.split("/")[1]
    links = [html.unescape(a["href"]) for a in tree.by_id("pages").all("a")]
    assert links[3:6] == [f"/{language}/{page}/{carried}" for page in ("check", "deal", "settle")]


# Asked again


@pytest.mark.usefixtures("shelved")
@pytest.mark.parametrize(
    "path", ["/{}/", "/{}/check/", "/{}/learn/changsha/birds/", "/{}/rules/changsha/", "/{}/glossary/"]
)
def test_a_page_that_is_still_the_same_is_not_sent_again(client: Client, path: str) -> None:
    headers = {"Accept-Encoding": "gzip"}
    first = client.get(path.format("en"), headers=headers)
    again = client.get(path.format("en"), headers=headers | {"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["Vary"] == first["Vary"]
    other = client.get(path.format("zh-hans"), headers=headers | {"If-None-Match": first["ETag"]})
    assert other.status_code == 200


@pytest.mark.usefixtures("shelved")
@pytest.mark.parametrize("path", ["/en/practice/", "/en/progress/", "/en/account/sign-in/"])
def test_what_is_somebody_s_own_is_kept_by_no_browser(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    assert not answer.has_header("ETag")
