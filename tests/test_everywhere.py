"""Whatever is sent to whatever address, by whoever, there is an answer: never an exception, never a fault.

An ordinary run sends some hundreds of requests and texts; `make fuzz` sends PAILI_FUZZ of each.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.test import Client

import rules
from rules import HandError, Ruleset, notation
from tests import everything
from tests.school import client_of
from tests.test_notation import FRAGMENTS

ALL = int(os.environ.get("PAILI_FUZZ", "400"))
BATCH = 400  # requests to one site, or texts times ten
SEED = int(os.environ.get("PAILI_FUZZ_SEED", "1"))
BATCHES = [pytest.param(f"{SEED}.{n}", id=f"{SEED}.{n}") for n in range(-(-ALL // BATCH))]

CHARACTERS = (
    "0129aZ mps+~,=&%<>\"'\\/#?;:.-_()[]{}\t\r\n\x00\x1b\x85\u2028\u202e\u0301\ufeff\ufffd一万條🀄👍é٣"
)
WEIRD = (
    "", "0", "-1", "1e9", "9223372036854775807", "9223372036854775808", "1" * 400, "NaN", "٣", "null", "true",
    "\x00", "a\x00b", "\ud800", "%00", "%ff", "../../etc/passwd", "<script>alert(1)</script>", "' OR 1=1 --",
    "{{ 7 }}", "=HYPERLINK(1)", "一" * 300, "x" * 5000, "\r\nSet-Cookie: a=b", "both", "changsha",
    "2026-02-30T25:61", "2026-03-29T02:30", "9999-12-31T23:59", "0001-01-01T00:00", "win/triplet",
)  # fmt: skip
FIELD = re.compile(
    r"<(?:input|button|select|textarea)\b[^>]*\bname=\"([^\"]+)\"(?:[^>]*\bvalue=\"([^\"]*)\")?"
)
HEADERS = ["Accept-Language", "Referer", "HX-Current-URL", "X-Request-ID", "Range", "Cookie", "Origin"]
METHODS = ["GET"] * 40 + ["POST"] * 40 + ["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "BREW"]


def text(dice: random.Random) -> str:
    """Something that a person, a program or an enemy may write."""
    kind = dice.randrange(4)
    if kind == 0:
        return dice.choice(WEIRD)
    if kind == 1:
        return "".join(dice.choices(CHARACTERS, k=dice.randrange(12)))
    if kind == 2:
        return "".join(dice.choices(FRAGMENTS, k=dice.randrange(8)))
    return "".join(chr(dice.randrange(0x11_0000)) for _ in range(dice.randrange(8)))


def in_bytes(value: str) -> bytes:
    """A text as it is sent; half a surrogate pair as the bytes that some programs send."""
    return value.encode("utf-8", "surrogatepass")


class Sender:
    """Sends requests of all kinds to a site, as one of its people or another."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.site = everything.made()
        self.names = [p.name for p in everything.patterns() if p.name]
        self.fields: dict[str, list[tuple[str, str]]] = {}
        self.refused: set[tuple[str, str]] = set()  # names and methods that they don't take

    def client(self, name: str) -> Client:
        """The browser of who sees this page, or of another; signed in anew, as a request before
        may have ended it."""
        who = (
            everything.who_sees(name)
            if self.dice.random() < 0.8
            else self.dice.choice(list(self.site.people))
        )
        learner = self.site.people[who]
        if learner is not None:
            learner = type(learner).objects.filter(pk=learner.pk).select_related("account").first()
        return client_of(learner if learner and learner.account else None, raise_request_exception=False)

    def path(self, name: str) -> str:
        """An address of a page; now and then one that there is not."""
        language = self.dice.choice(["en", "zh-hans"])
        path = everything.address(self.site, name, language)
        if self.dice.random() < 0.1:
            parts = path.split("/")
            place = self.dice.randrange(len(parts))
            parts[place] = quote(in_bytes(text(self.dice)), safe="")
            path = "/" + "/".join(parts).lstrip("/")
        return path

    def known(self, client: Client, path: str) -> list[tuple[str, str]]:
        """The fields of the forms of a page, as it fills them in."""
        if path not in self.fields:
            body = b"".join(client.get(path)).decode("utf-8", "replace")  # type: ignore[arg-type]
            self.fields[path] = FIELD.findall(body)
        return self.fields[path]

    def filled(self, known: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Fields, some as they were, some not, some twice, some that no form has."""
        dice = self.dice
        chosen = [pair for pair in known if dice.random() < 0.7] if known else []
        for _ in range(dice.randrange(1, 4)):
            name = dice.choice(known)[0] if known and dice.random() < 0.8 else text(dice)
            value = dice.choice(known)[1] if known and dice.random() < 0.2 else text(dice)
            place = next((n for n, pair in enumerate(chosen) if pair[0] == name), None)
            if place is None or dice.random() < 0.2:
                chosen.append((name, value))
            else:
                chosen[place] = (name, value)
        return chosen

    def body(self, fields: list[tuple[str, str]]) -> tuple[bytes, str]:
        """What is posted, and the type that it is said to have."""
        dice = self.dice
        encoded = urlencode([(in_bytes(name), in_bytes(value)) for name, value in fields]).encode()
        kind = dice.randrange(8)
        if kind == 0:
            thing = dice.choice([dict(fields), fields, text(dice), [[[[]]]], 10**400, {"wins": text(dice)}])
            return json.dumps(thing).encode(), "application/json"
        if kind == 1:
            return dice.randbytes(dice.randrange(60)), "application/json; charset=utf-8"
        if kind == 2:
            return encoded, dice.choice(["multipart/form-data; boundary=x", "multipart/form-data", "text/x"])
        return encoded, "application/x-www-form-urlencoded"

    def send(self) -> tuple[Any, str]:
        """Sends one. Returns its answer, and what was sent."""
        dice = self.dice
        name, method = dice.choice(self.names), dice.choice(METHODS)
        if (name, method) in self.refused and dice.random() < 0.9:
            method = "GET" if method == "POST" else "POST"
        client = self.client(name)
        path = self.path(name)
        fields = self.filled(self.known(client, path))
        headers: dict[str, str] = {}
        if dice.random() < 0.4:
            headers["HX-Request"] = "true"
        if dice.random() < 0.1:
            headers[dice.choice(HEADERS)] = in_bytes(text(dice)).decode("latin-1")
        beside = fields if method in ("GET", "HEAD") else self.filled([]) if dice.random() < 0.3 else []
        query = urlencode([(in_bytes(name), in_bytes(value)) for name, value in beside])
        data, kind = self.body(fields) if method not in ("GET", "HEAD") else (b"", "")
        answer = client.generic(method, path, data, kind, headers=headers, QUERY_STRING=query)
        if answer.status_code == 405:
            self.refused.add((name, method))
        return answer, f"{method} {path}?{query} {headers} {kind} {data!r}"


@pytest.mark.parametrize("batch", BATCHES)
def test_every_address_answers_whatever_is_sent(content: object, batch: str) -> None:
    sender = Sender(random.Random(batch))
    for _ in range(BATCH):
        answer, sent = sender.send()
        assert answer.status_code < 500, (sent, answer.content[:2000], getattr(answer, "exc_info", None))
        if answer.streaming:
            b"".join(answer.streaming_content)


def asked() -> Iterator[Callable[[str], object]]:
    """All that reads a text: the notation of each game, whole hands and unfinished ones."""
    for game in rules.rulesets().values():
        yield game.parse
        yield partial(_judged, game)
        yield partial(notation.parse_unfinished, tile_set=game.tiles)


def _judged(game: Ruleset, given: str) -> object:
    return game.judge(game.parse(given))


def refusal(read: Callable[[str], object], given: str) -> HandError | None:
    """Why a text is not read; None where it is."""
    try:
        read(given)
    except HandError as error:
        return error
    return None


@pytest.mark.parametrize("batch", BATCHES)
def test_every_text_is_read_or_refused_with_its_place(batch: str) -> None:
    dice = random.Random(batch)
    readers = list(asked())
    for _ in range(BATCH):
        given = text(dice) + (text(dice) if dice.random() < 0.5 else "")
        for read in readers:
            error = refusal(read, given)
            if error is not None:
                assert error.at is None or 0 <= error.at < max(len(given), 1), (given, error)
                assert error.message.en, given
                assert error.message.zh, given
