"""What a first visit brings over the wire, compressed as a public site sends it; the bench times it."""

from __future__ import annotations

import gzip
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from posixpath import join, normpath

import pytest
from django.conf import LazySettings
from django.contrib.staticfiles import finders
from django.test import Client

from tutor.content.shelf import shelf

LIMIT = 60_000  # bytes, for a page with every file that it needs
SPRITE = 45_000  # bytes, not compressed
FOLDER = "/static/"
# What one file says of others: imports of modules, and what a stylesheet brings in.
OF_FILES = {
    ".js": re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']"""),
    ".css": re.compile(r"""(?:url\(|@import)\s*["']?((?!data:)[^"')]+)"""),
}
TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")(\w+)')

in_both_languages = pytest.mark.parametrize("language", ["en", "zh-hans"])


class Files(HTMLParser):
    """The names of the files that a page's markup asks for."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes what the element brings in; links lead elsewhere."""
        if tag != "a":
            addresses = [value or "" for name, value in attrs if name in ("href", "src", "xlink:href")]
            self.names |= {
                a.partition("#")[0].removeprefix(FOLDER) for a in addresses if a.startswith(FOLDER)
            }


def with_what_they_bring(names: set[str]) -> set[str]:
    """The files, and those that they ask for in turn."""
    seen: set[str] = set()
    while names - seen:
        name = (names - seen).pop()
        seen.add(name)
        path = Path(str(finders.find(name)))
        if pattern := OF_FILES.get(path.suffix):
            found = pattern.findall(path.read_text(encoding="utf-8"))
            names |= {normpath(join(name, "..", other)) for other in found}
    return seen


@cache
def weight(name: str) -> int:
    """A file's bytes, compressed once and for all."""
    found = finders.find(name)
    assert found, f"a page asks for {name}, which there is not"
    return len(gzip.compress(Path(str(found)).read_bytes(), 9))


def parts(path: str) -> dict[str, int]:
    """What a first visit to a page brings, each file with its bytes; the page itself is "HTML"."""
    answer = Client(headers={"accept-encoding": "gzip"}).get(path)
    assert (answer.status_code, answer["Content-Encoding"]) == (200, "gzip")
    names = with_what_they_bring(Files(gzip.decompress(answer.content).decode()).names)
    return {"HTML": len(answer.content), **{name: weight(name) for name in sorted(names)}}


def assert_light(path: str) -> None:
    """No more than the limit; what it is made of where it is more."""
    found = parts(path)
    assert sum(found.values()) <= LIMIT, f"{path}: {sum(found.values())} bytes: {found}"


@in_both_languages
@pytest.mark.parametrize("page", ["", "check/", "learn/changsha/birds/"])
def test_a_first_visit_brings_at_most_sixty_thousand_bytes(shelved: None, page: str, language: str) -> None:
    assert_light(f"/{language}/{page}")


@in_both_languages
def test_no_chapter_brings_more_than_sixty_thousand_bytes(shelved: None, language: str) -> None:
    chapters = {step.place.partition("#")[0] for _, step in shelf().steps.values()}
    assert len(chapters) > 20
    for chapter in sorted(chapters):
        assert_light(f"/{language}/learn/{chapter}/")


def test_what_is_weighed_is_what_the_page_needs(shelved: None) -> None:
    found = parts("/en/learn/changsha/birds/")
    assert {"paili.css", "lessons.css", "tiles.svg", "django_htmx/htmx-2.min.js"} <= set(found)
    assert all(size > 100 for size in found.values())


def test_a_module_is_weighed_with_those_that_it_imports(monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "js/a.js").write_text('import { b } from "./b.js";\nimport "../c.js";\n', encoding="utf-8")
    (tmp_path / "js/b.js").write_text("export const b = 1;", encoding="utf-8")
    (tmp_path / "c.js").write_text('const later = () => import("./js/a.js");', encoding="utf-8")
    monkeypatch.setattr(finders, "find", lambda name: str(tmp_path / name))
    assert with_what_they_bring({"js/a.js"}) == {"js/a.js", "js/b.js", "c.js"}


def test_the_picture_of_all_tiles_is_small() -> None:
    assert Path(str(finders.find("tiles.svg"))).stat().st_size < SPRITE


@pytest.mark.parametrize(
    "path",
    [
        "/en/learn/changsha/birds/",
        "/zh-hans/check/?ruleset=changsha&hand=123m+11456p+67789s+%2B8s",
        "/en/account/sign-in/",
        "/embed/en/check/?ruleset=changchun&hand=123m+45556p+78s+SSS+%2B9s",
        "/api/v1/check?ruleset=changchun&hand=123m+45556p+78s+SSS+%2B9s",
    ],
)
def test_what_is_sent_compressed_is_what_is_sent_whole(shelved: None, client: Client, path: str) -> None:
    whole = client.get(path)
    packed = client.get(path, headers={"accept-encoding": "gzip"})
    assert (whole.status_code, whole.get("Content-Encoding")) == (200, None)
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in whole["Vary"]
    assert packed["Vary"] == whole["Vary"]
    assert int(packed["Content-Length"]) == len(packed.content) < len(whole.content)
    assert TOKEN.sub(rb"\1", gzip.decompress(packed.content)) == TOKEN.sub(rb"\1", whole.content)


def test_a_short_answer_is_not_compressed(client: Client, settings: LazySettings) -> None:
    settings.ROOT_URLCONF = "bench.bare"
    answer = client.get("/bare/", headers={"accept-encoding": "gzip"})
    assert (answer.content, answer.get("Content-Encoding")) == (b"ok", None)


def test_a_form_in_a_compressed_page_never_shows_the_same_token_twice(db: None, client: Client) -> None:
    """What compresses well says nothing of the secret: it is masked anew each time."""
    pages = [client.get("/en/account/sign-in/", headers={"accept-encoding": "gzip"}) for _ in range(2)]
    tokens = [TOKEN.search(gzip.decompress(page.content)) for page in pages]
    assert None not in tokens
    assert tokens[0][2] != tokens[1][2]


def test_a_form_from_a_compressed_page_is_taken(db: None) -> None:
    client = Client(enforce_csrf_checks=True, headers={"accept-encoding": "gzip"})
    path = "/en/account/sign-in/"
    token = TOKEN.search(gzip.decompress(client.get(path).content))[2].decode()
    assert client.post(path, {"name": "nobody"}).status_code == 403
    assert client.post(path, {"name": "nobody", "csrfmiddlewaretoken": token}).status_code != 403
