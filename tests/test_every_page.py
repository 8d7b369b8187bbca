"""Every page that the site has, as it is sent: whole, with a name, and leading only to what there is.

And every style that there is, which some page must have a use for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import Resolver404, resolve
from django.utils.translation import override
from tinyhtml5.parser import HTMLParser

from tests.everything import Shown, Site, made, pages
from tests.school import client_of
from tests.test_checker_page import Element, assert_valid, read

STYLES = sorted(Path(settings.BASE_DIR, "static").glob("*.css"))
HERE = "http://testserver"
# Where a page names what a browser fetches or goes to.
ADDRESSES = [
    ("a", "href"), ("form", "action"), ("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"),
    ("use", "href"), ("button", "formaction"), ("form", "hx-get"), ("form", "hx-post"),
]  # fmt: skip


@pytest.fixture
def everything(shelved: None) -> Site:
    """The site in which everything has happened."""
    return made()


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_page_is_whole_has_a_name_and_leads_to_what_there_is(everything: Site, language: str) -> None:
    clients = {who: client_of(person) if person else Client() for who, person in everything.people.items()}
    found: dict[str, list[str]] = {}
    for shown in pages(everything, language):
        if faults := list(faults_of(clients[shown.who], shown, language)):
            found[f"{shown.name} ({shown.path})"] = faults
    assert not found, "\n".join(f"{name}: {fault}" for name, faults in found.items() for fault in faults)


def faults_of(client: Client, shown: Shown, language: str) -> Iterator[str]:
    """What is amiss with a page as it is sent."""
    response = client.get(shown.path)
    if response.status_code != 200:
        yield f"status {response.status_code}"
        return
    yield from slips_in(response.content.decode())
    try:
        tree = spoken(read(response.content.decode()))
        assert_valid(tree)
    except (AssertionError, KeyError) as error:
        yield f"{type(error).__name__}: {error}"
        return
    (root,) = tree.all("html")
    if root.get("lang") != language:
        yield f"is said to be in {root.get('lang')}"
    if len(tree.all("title")) != 1 or tree.all("title")[0].text.startswith("–"):
        yield "has no title"
    if [e["content"].strip() != "" for e in tree.all("meta") if e.get("name") == "description"] != [True]:
        yield "has no description"
    for address in sorted(addresses_in(tree)):
        if not is_there(urljoin(HERE + shown.path, address)):
            yield f"leads to {address}"


def slips_in(markup: str) -> Iterator[str]:
    """What a parser that follows the standard of HTML has to mend: where, and what."""
    parser = HTMLParser()
    parser.parse(markup)
    for (line, column), slip, details in parser.errors:
        yield f"line {line}, column {column}: {slip} {details}"


def test_a_slip_is_found_wherever_it_is() -> None:
    page = '<!doctype html><title>-</title><p id="a" id="b"><table><p>x</table><p><div></p></div>'
    assert {slip.split(" ")[4] for slip in slips_in(page)} == {
        "duplicate-attribute",
        "unexpected-start-tag-implies-table-voodoo",
        "unexpected-end-tag",
    }


def spoken(tree: Element) -> Element:
    """A page with the words that are heard for its pictures, and those that name a group from elsewhere."""
    said = {e["id"]: e.text for e in tree if e.get("id")}
    for e in tree:
        if e.get("role") in ("img", "group") and e.get("aria-labelledby"):
            labels = (said.get(name, "") for name in e["aria-labelledby"].split())
            e.attributes.setdefault("aria-label", " ".join(labels))
        if e.get("role") == "img" and e.get("aria-label"):
            e.children.append(e["aria-label"])
    return tree


def addresses_in(tree: Element) -> set[str]:
    """What a page leads to or is made of."""
    return {
        e[name] for e in tree for tag, name in ADDRESSES if e.tag == tag and e.get(name) and e[name][0] != "#"
    }


@cache
def is_there(address: str) -> bool:
    """Whether a page or file is there, as far as it is this site's."""
    parts = urlsplit(address)
    if f"{parts.scheme}://{parts.netloc}" != HERE:
        return True
    path = unquote(parts.path)
    if path.startswith(settings.STATIC_URL):
        return finders.find(path.removeprefix(settings.STATIC_URL)) is not None
    try:
        with override("zh-hans" if path.startswith("/zh-hans/") else "en"):
            resolve(path)
    except Resolver404:
        return False
    return True


@cache
def sources() -> str:
    """All places where styles and ids are given: tags of templates, strings of modules and scripts."""
    root = Path(settings.BASE_DIR)
    found: list[str] = []
    for path in sorted(root.glob("templates/**/*.html")):
        text = re.sub(r"\{% (?:translate|if|elif|comment) .*?%\}", " ", path.read_text())
        found += re.findall(r"<[^<>]*>|\{%.*?%\}", text, re.DOTALL)
    for path in sorted([*root.glob("tutor/**/*.py"), *root.glob("rules/**/*.py")]):
        found += strings_of(path)
    for path in sorted(root.glob("static/js/*.js")):
        found += re.findall(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`", path.read_text())
    return "\n".join(found)


def strings_of(path: Path) -> Iterator[str]:
    """The strings of a module that are no sentences: words alone, and markup."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if "<" in node.value or len(node.value.split()) < 3:
                yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield ast.unparse(node)


@cache
def words() -> frozenset[str]:
    """All words of the sources; a style is one of them."""
    return frozenset(re.findall(r"[\w-]+", sources()))


@pytest.mark.parametrize("style", STYLES, ids=lambda path: path.name)
def test_every_rule_of_a_style_sheet_is_for_something_that_is_on_a_page(style: Path) -> None:
    unused = [name for name in named_in(style.read_text()) if not is_used(name)]
    assert not unused


def named_in(sheet: str) -> list[str]:
    """The classes and ids in the selectors of a style sheet."""
    plain = re.sub(r"/\*.*?\*/|\"[^\"]*\"|\[[^\]]*\]", "", sheet, flags=re.DOTALL)
    selectors = " ".join(re.findall(r"([^{};]+)\{", plain))
    return list(dict.fromkeys(re.findall(r"[.#]([A-Za-z_-][\w-]*)", selectors)))


def is_used(name: str) -> bool:
    """Whether something on a page may have a class or id: it stands in a source, or is put together there."""
    stem = re.sub(r"[^-]+$", "", name)  # of "seat-2", which a template has as "seat-{{ number }}"
    return name in words() or name.startswith("htmx-") or (bool(stem) and f"{stem}{{" in sources())


def test_what_no_page_has_is_found_out() -> None:
    sheet = "/* .note */ @media (min-width: 48.5em) { .rack, #hand:has(.nobody-has-this) { color: red; } }"
    assert named_in(sheet) == ["rack", "hand", "nobody-has-this"]
    assert [is_used(name) for name in named_in(sheet)] == [True, True, False]
    assert is_used("seat-2")
    assert not is_there(f"{HERE}/en/no-such-page/")
    assert not is_there(f"{HERE}{settings.STATIC_URL}no-such.css")
