"""The checker's page: every state a hand can be in, with and without htmx, in both languages."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import cycle, pairwise
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest
from django.test import Client

import rules
from rules.verdict import FAIL
from tests.test_api import CC, CS
from tests.test_options import judged

URLS = {"en": "/en/check/", "zh-hans": "/zh-hans/check/"}
HTMX = {"HX-Request": "true"}
RESTORE = {**HTMX, "HX-History-Restore-Request": "true"}
CC_SHORT = "123m 45556p 78s SSS"
BLOCKED = "23456m 555p 77888s"
PAIRS = "2255m 3377p 1199s C +C"

# Every state that a page can be in, by name: what is asked, and the state of each game's answer.
STATES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "empty": ({}, ["unfinished"]),
    "empty in Changsha": ({"ruleset": "changsha"}, ["unfinished"]),
    "a few tiles": ({"ruleset": "changchun", "hand": "123m 45p"}, ["unfinished"]),
    "a winning tile first": ({"ruleset": "changsha", "hand": "123m +9p"}, ["unfinished"]),
    "ready": ({"ruleset": "changchun", "hand": CC_SHORT}, ["ready"]),
    "ready with blocked waits": ({"ruleset": "changchun", "hand": BLOCKED}, ["ready"]),
    "only blocked waits": ({"ruleset": "changchun", "hand": "123m 456p 45789s EE"}, ["not-ready"]),
    "not ready": ({"ruleset": "changsha", "hand": "147m 258p 1469s 147s"}, ["not-ready"]),
    "a win": ({"ruleset": "changchun", "hand": CC}, ["win"]),
    "a small win": ({"ruleset": "changsha", "hand": CS}, ["win"]),
    "a win with melds": (
        {"ruleset": "changchun", "hand": "88m 34s {CCFP} [6666p] (321m) +5s"},
        ["win"],
    ),
    "a win of two readings": ({"ruleset": "changsha", "hand": "2233445566778m +8m"}, ["win"]),
    "a win without structure": ({"ruleset": "changsha", "hand": "22558m 2258p 2588s +5p"}, ["win"]),
    "a win with the bao": (
        {
            "ruleset": "changchun",
            "hand": "456m 45556p 89s SSS +2m",
            "by": "self-draw",
            "listening": "1",
            "bao": "2m",
        },
        ["win"],
    ),
    "a win in a situation": (
        {
            "ruleset": "changsha",
            "hand": "1113455678m [9999m] +2m",
            "by": "self-draw",
            "moments": "gangshanghua",
        },
        ["win"],
    ),
    "no tile set apart": ({"ruleset": "changchun", "hand": "123m 45556p 789s SSS"}, ["win"]),
    "a rule broken": ({"ruleset": "changsha", "hand": "123m 11456p 67789s +8s"}, ["not-win"]),
    "no shape": ({"ruleset": "changchun", "hand": "147m 258p 369s ESWN +C"}, ["not-win"]),
    "too many tiles": ({"ruleset": "changchun", "hand": "123m 456m 789m 123p 456p"}, ["error"]),
    "an unreadable character": ({"ruleset": "changchun", "hand": "123m <x> & y"}, ["error"]),
    "no meld": ({"ruleset": "changchun", "hand": "123m (12p) 5s"}, ["error"]),
    "no such tile": ({"ruleset": "changsha", "hand": "123m 红中"}, ["error"]),
    "a fifth copy": ({"ruleset": "changchun", "hand": "1111m (123m)"}, ["error"]),
    "too long": ({"ruleset": "changchun", "hand": "1m" * 101}, ["error"]),
    "circumstances that can't be": (
        {"ruleset": "changsha", "hand": CS, "moments": "gangshanghua"},
        ["error"],
    ),
    "an unknown ruleset": ({"ruleset": "mars", "hand": CC}, ["error"]),
    "side by side": ({"ruleset": "both", "hand": "123m 11456p 67789s +8s"}, ["not-win", "not-win"]),
    "side by side, empty": ({"ruleset": "both"}, ["unfinished", "unfinished"]),
    "side by side, one an error": ({"ruleset": "both", "hand": CC}, ["win", "error"]),
    "side by side, waiting": ({"ruleset": "both", "hand": BLOCKED}, ["ready", "not-ready"]),
    "a table's own rule": (
        {"ruleset": "changchun", "hand": PAIRS, "option": ["seven-pairs=yes", "points=doubling"]},
        ["win"],
    ),
    "a rule that changes nothing": (
        {"ruleset": "changchun", "hand": CC, "option": "special-gang-twice=no"},
        ["win"],
    ),
    "a house rule that there is not": (
        {"ruleset": "changchun", "hand": CC, "option": "colour=red"},
        ["error"],
    ),
    "a house rule said twice": (
        {"ruleset": "changchun", "hand": CC, "option": ["jiahu=shape", "jiahu=only-wait"]},
        ["error"],
    ),
    "side by side, each with its rule": (
        {
            "ruleset": "both",
            "hand": "22558m 2258p 2588s +5p",
            "option": ["points=doubling", "jiangjianghu-needs-shape=yes"],
        },
        ["not-win", "not-win"],
    ),
    "birds": ({"ruleset": "changsha", "hand": CS, "birds": "2m,5p"}, ["win"]),
    "the last tile is the bird": (
        {"ruleset": "changsha", "hand": CS, "by": "self-draw", "moments": "haidilaoyue"},
        ["win"],
    ),
    "one tile away": ({"ruleset": "changchun", "hand": f"{BLOCKED} +4m"}, ["not-win"]),
    "one tile away in many ways": ({"ruleset": "changsha", "hand": "22558m 2258p 2588s +9p"}, ["not-win"]),
    "no exchange helps": ({"ruleset": "changchun", "hand": "C (123m) (222p) (777s) (999m) +C"}, ["not-win"]),
    "a win elsewhere": ({"ruleset": "changchun", "hand": "2255m 337744p 119s +9s"}, ["not-win"]),
    "a key that can't be pressed": (
        {"ruleset": "changchun", "hand": "1111m", "do": "key:1m", "was": "111m"},
        ["unfinished"],
    ),
}


# Reading HTML


VOID = {"meta", "link", "input", "br", "hr", "img"}
NO_PARAGRAPH_HOLDS = {
    "p",
    "div",
    "ul",
    "ol",
    "table",
    "section",
    "article",
    "fieldset",
    "form",
    "h1",
    "h2",
    "h3",
}
INTERACTIVE = {"a", "button", "select", "textarea", "label"}
INLINE_HANDLER = re.compile(r"hx-on|on[a-z]")


@dataclass
class Element:
    """An element with its attributes and what is in it: elements and text, white space folded."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Element]:
        """This element and every one within, in the order of the page."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    def get(self, name: str) -> str | None:
        """An attribute, or None."""
        return self.attributes.get(name)

    @property
    def text(self) -> str:
        """The text within, with white space folded."""
        return " ".join("".join(self.strings()).split())

    def strings(self) -> Iterator[str]:
        """Each piece of text within."""
        for child in self.children:
            if isinstance(child, Element):
                yield from child.strings()
            else:
                yield child

    def all(self, tag: str = "", style: str = "") -> list[Element]:
        """The elements within of a tag and a class."""
        return [
            e
            for e in self
            if e is not self and tag in ("", e.tag) and (not style or style in (e.get("class") or "").split())
        ]

    def by_id(self, name: str) -> Element:
        """The one element of an id."""
        (found,) = [e for e in self if e.get("id") == name]
        return found

    def field(self, name: str) -> list[Element]:
        """The controls of a name."""
        return [e for e in self if e.tag in ("input", "select", "button") and e.get("name") == name]


class Reader(HTMLParser):
    """Builds the tree; an element that is not closed, or closed where it was not opened, is an error."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        repeated = [name for name, n in Counter(name for name, _ in attrs).items() if n > 1]
        assert not repeated, f"<{tag}> has {repeated} twice"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.open[-1].children.append(re.sub(r"\s+", " ", data))


def read(markup: str) -> Element:
    """The tree of a page or fragment."""
    reader = Reader()
    reader.feed(markup)
    reader.close()
    assert reader.open == [reader.root], f"<{reader.open[-1].tag}> is not closed"
    return reader.root


def page(
    client: Client, query: dict[str, Any], language: str = "en", headers: dict[str, str] | None = None
) -> Element:
    """What the page answers with status 200."""
    response = client.get(URLS[language], query, headers=headers or {})
    assert response.status_code == 200
    return read(response.content.decode("utf-8"))


def states(tree: Element) -> list[str]:
    """The state of each answer."""
    return [" ".join(set((e["class"]).split()) - {"answer"}) for e in tree.all("article", "answer")]


def sentences(tree: Element) -> list[str]:
    """The sentence that opens each answer."""
    return [e.text for e in tree.all("p", "sentence")]


def form_of(tree: Element) -> dict[str, str]:
    """What the form would send, the buttons aside."""
    sent = {}
    for e in tree:
        name = e.get("name")
        if e.tag == "input" and name:
            if e.get("type") not in ("radio", "checkbox") or "checked" in e.attributes:
                sent[name] = e.get("value") or ""
        elif e.tag == "select" and name:
            options = e.all("option")
            sent[name] = next(
                (o["value"] for o in options if "selected" in o.attributes), options[0]["value"]
            )
    return sent


def assert_valid(tree: Element) -> None:
    """Ids are unique and referred to rightly, every control is named, nothing is inline."""
    ids = Counter(e["id"] for e in tree if e.get("id") is not None)
    assert [name for name, n in ids.items() if n > 1 or not name or " " in name] == []
    for e in tree:
        for name in ("for", "aria-labelledby", "aria-describedby"):
            if e.get(name) is not None:
                assert set(e[name].split()) <= set(ids), f"{name}={e[name]}"
        if e.tag == "a" and e["href"].startswith("#"):
            assert e["href"][1:] in ids
        assert "style" not in e.attributes
        assert e.tag != "style"
        assert e.tag != "script" or (e.get("src") and not e.children)
        assert not [name for name in e.attributes if INLINE_HANDLER.match(name)]
        assert "javascript:" not in (e.get("href") or "")
        if e.tag in ("button", "a", "label", "legend", "h1", "h2", "h3", "option", "title"):
            assert (e.get("aria-label") or e.text).strip(), f"<{e.tag} {e.attributes}> says nothing"
        if e.get("role") in ("img", "group"):
            assert e["aria-label"].strip()
        if e.tag == "fieldset":
            first = e.children[0]
            assert isinstance(first, Element)
            assert first.tag == "legend"
        if e.tag == "p":
            assert not NO_PARAGRAPH_HOLDS & {inner.tag for inner in e.all()}
        if e.tag in ("button", "a"):
            assert not INTERACTIVE & {inner.tag for inner in e.all()}
        if e.tag in ("ul", "ol"):
            assert {c.tag if isinstance(c, Element) else c for c in e.children} <= {"li"}
    labelled = {e["for"] for e in tree if e.tag == "label" and e.get("for")}
    within = {id(e) for around in tree.all("label") for e in around}
    for e in tree:
        if e.tag in ("input", "select", "textarea") and e.get("type") != "hidden":
            assert e.get("id") in labelled or id(e) in within, f"{e.attributes} has no label"


def options_for(game: str, query: dict[str, Any]) -> dict[str, str]:
    """The house rules of a query that are this game's."""
    said = query.get("option", [])
    options = dict(option.split("=") for option in ([said] if isinstance(said, str) else said))
    return {
        key: value for key, value in options.items() if key in {o.key for o in rules.ruleset(game).options}
    }


def sent(client: Client, form: dict[str, Any], language: str = "en") -> Element:
    """The page to which a form leads that a browser without JavaScript sends."""
    response = client.get(URLS[language], form, follow=True)
    assert response.status_code == 200
    return read(response.content.decode("utf-8"))


# Every state, every way in


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize("state", STATES)
def test_a_page_is_sound_html_in_every_state(client: Client, state: str, language: str) -> None:
    query, expected = STATES[state]
    response = client.get(URLS[language], query)
    assert response.status_code == 200
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert response["Content-Language"] == language
    tree = read(response.content.decode("utf-8"))
    assert_valid(tree)
    assert states(tree) == expected
    (root,) = tree.all("html")
    assert root["lang"] == language
    assert len(tree.all("h1")) == 1
    assert len(tree.all("title")) == 1
    assert len(tree.all("main")) == 1
    levels = [int(e.tag[1]) for e in tree if e.tag in ("h1", "h2", "h3", "h4")]
    assert all(after - before <= 1 for before, after in pairwise(levels))


def parts_of(fragment: Element) -> dict[str, Element]:
    """What htmx puts into the page, by the id of where it goes."""
    found = {}
    for part in fragment.children:
        assert isinstance(part, Element)
        attributes = {k: v for k, v in part.attributes.items() if k != "hx-swap-oob"}
        found[part["id"]] = Element(part.tag, attributes, part.children)
    return found


def swapped(element: Element, fragment: Element) -> Element:
    """A page after htmx has put a fragment into it."""
    parts = parts_of(fragment)
    places = {part["id"]: part.get("hx-swap-oob") for part in fragment.children if isinstance(part, Element)}

    def fresh(old: Element) -> Element:
        name = old.get("id")
        if name in parts and places[name] != "innerHTML":
            return parts[name]
        children = parts[name].children if name in parts else old.children
        inner: list[Element | str] = [fresh(c) if isinstance(c, Element) else c for c in children]
        return Element(old.tag, old.attributes, inner)

    return fresh(element)


def without_what_was_chosen(element: Element) -> Element:
    """A page but for the fields that stand as the visitor left them: the game and the text."""
    attributes = element.attributes
    if element.get("name") in ("ruleset", "hand"):
        attributes = {
            k: v for k, v in attributes.items() if k != "checked" and (k, element.tag) != ("value", "input")
        }
    children: list[Element | str] = [
        without_what_was_chosen(c) if isinstance(c, Element) else c for c in element.children
    ]
    return Element(element.tag, attributes, children)


@pytest.mark.parametrize(("state", "language"), list(zip(STATES, cycle(URLS), strict=False)))
def test_what_htmx_gets_is_the_markup_that_the_page_holds(client: Client, state: str, language: str) -> None:
    query, _ = STATES[state]
    whole = page(client, query, language)
    for name, part in parts_of(page(client, query, language, HTMX)).items():
        if name == "announce":
            assert part.children == whole.by_id(name).children
        elif name != "hand":
            assert part == whole.by_id(name)


@pytest.mark.parametrize(
    ("before", "state"),
    list(zip(cycle(["side by side, waiting", "an unreadable character"]), STATES, strict=False)),
)
def test_what_htmx_gets_makes_any_page_into_the_one_asked_for(
    client: Client, before: str, state: str
) -> None:
    """Nothing of the page before is left over, whether or not it says what it shows."""
    query, _ = STATES[state]
    first, whole = page(client, STATES[before][0]), without_what_was_chosen(page(client, query))
    for shown in ({}, {"shows": first.by_id("shows")["value"]}, {"shows": "no-mark 0"}):
        made = swapped(first, page(client, query | shown, headers=HTMX))
        assert without_what_was_chosen(made) == whole


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize(
    ("ruleset", "presses"),
    [
        ("changchun", "1m 2m 3m 4p 4p peng:5s 7s 8s 9s E E undo E E dragon:C 1p"),
        ("changsha", "1m 2m 3m 4p 4p 5s 7s 8s 9s gang:9m 9s 9s clear 1m"),
        ("both", "1m 1m 1m 1m E 9s undo 8s"),
    ],
)
def test_a_press_brings_what_it_changes_and_no_more(
    client: Client, ruleset: str, presses: str, language: str
) -> None:
    made = page(client, {"ruleset": ruleset}, language)
    for press in presses.split():
        form = form_of(made) | {"do": press if ":" in press or press in ("undo", "clear") else f"key:{press}"}
        got = page(client, form, language, HTMX)
        again = page(client, {k: v for k, v in form.items() if k != "shows"}, language, HTMX)
        was, made = made, swapped(made, got)
        assert made == swapped(was, again)
        lasting = {"hand-hint", "keys", "circumstances", "table-rules", "pages", "modes"}
        assert not lasting & set(parts_of(got))
        assert lasting <= set(parts_of(again))
        rows = [name for name in parts_of(got) if name.startswith("keys-")]
        assert len(rows) == sum(made.by_id(row["id"]) != row for row in was.all("div", "row"))
    assert made.by_id("hand")["value"]


@pytest.mark.parametrize(("state", "language"), list(zip(STATES, cycle(URLS), strict=False)))
def test_htmx_gets_what_its_form_asks_for_and_the_text_only_after_a_press(
    client: Client, state: str, language: str
) -> None:
    query, _ = STATES[state]
    part = page(client, query, language, HTMX)
    assert_valid_fragment(part)
    first, *others = parts_of(part)
    assert page(client, query, language).by_id("checker")["hx-target"] == f"#{first}"
    assert {"language", "announce"} <= set(others)
    assert ("hand" in others) is ("do" in query)


def assert_valid_fragment(part: Element) -> None:
    """Its elements stand side by side, and all but the first say that they go elsewhere."""
    assert all(isinstance(c, Element) for c in part.children)
    first, *others = [c for c in part.children if isinstance(c, Element)]
    assert first.get("hx-swap-oob") is None
    assert all(e.get("hx-swap-oob") for e in others)
    assert not [e for e in first if e.get("hx-swap-oob")]
    assert not [e for e in part if e.tag in ("html", "body", "main", "h1", "script")]
    ids = Counter(e["id"] for e in part if e.get("id"))
    assert set(ids.values()) == {1}


@pytest.mark.parametrize("state", ["empty", "a win", "side by side, waiting", "a key that can't be pressed"])
def test_a_restored_page_is_the_whole_page(client: Client, state: str) -> None:
    """htmx asks so when it goes back in history and kept no copy."""
    query, _ = STATES[state]
    restored = page(client, query, headers=RESTORE)
    assert_valid(restored)
    assert restored == page(client, query)


@pytest.mark.parametrize("headers", [{}, HTMX, RESTORE])
@pytest.mark.parametrize("query", [{}, {"hand": "1111m", "do": "key:1m"}])
def test_caches_are_told_that_the_answer_depends_on_htmx(
    client: Client, headers: dict[str, str], query: dict[str, str]
) -> None:
    response = client.get(URLS["en"], query, headers=headers)
    assert "HX-Request" in [v.strip() for v in response["Vary"].split(",")]


@pytest.mark.parametrize("url", URLS.values())
def test_only_reading_is_allowed(client: Client, url: str) -> None:
    assert client.post(url, {"hand": "1m"}).status_code == 405
    head = client.head(url, {"hand": "1m"})
    assert (head.status_code, head.content) == (200, b"")


# What an answer says


def test_an_empty_page_says_what_to_do_next(client: Client) -> None:
    tree = page(client, {})
    assert sentences(tree) == ["The verdict appears here."]
    assert "Tap the tiles below" in tree.text
    assert tree.all("section", "examples")[0].all("a")
    assert "0 of 13" in tree.text
    assert tree.by_id("undo")["aria-disabled"] == "true"
    assert tree.by_id("clear")["aria-disabled"] == "true"


@pytest.mark.parametrize(
    ("hand", "english", "chinese"),
    [
        ("1m", "12 more tiles to see what the hand waits for.", "还差12张，就能看听什么。"),
        ("123m 45556p 78s SS", "1 more tile to see what the hand waits for.", "还差1张，就能看听什么。"),
        ("(1111s) {CCFP}", "7 more tiles to see what the hand waits for.", "还差7张，就能看听什么。"),
        ("123m +9s", "10 more tiles beside the winning one.", "除了胡的那张，还差10张。"),
        ("123m 45556p 78s SS +9s", "1 more tile beside the winning one.", "除了胡的那张，还差1张。"),
    ],
)
def test_an_unfinished_hand_says_how_many_tiles_it_lacks(
    client: Client, hand: str, english: str, chinese: str
) -> None:
    query = {"ruleset": "changchun", "hand": hand}
    for language, words in (("en", english), ("zh-hans", chinese)):
        tree = page(client, query, language)
        assert sentences(tree) == [words]
        assert tree.by_id("announce").text == words


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize(
    "state", [s for s, (_, told) in STATES.items() if set(told) <= {"win", "not-win", "ready", "not-ready"}]
)
def test_a_verdict_is_told_clause_by_clause(client: Client, state: str, language: str) -> None:
    query, _ = STATES[state]
    tree = page(client, query, language)
    given = {k: v for k, v in query.items() if k not in ("ruleset", "hand", "option")}
    games = list(rules.rulesets()) if query["ruleset"] == "both" else [query["ruleset"]]
    for game, article in zip(games, tree.all("article", "answer"), strict=True):
        verdict = judged(game, query["hand"], options_for(game, query), **given)
        assert sentences(article) == [verdict.summary.in_language(language)]
        items = article.all("ul", "findings")[0].all("li")
        assert [e["class"] for e in items] == [f.status for f in verdict.findings]
        for item, finding in zip(items, verdict.findings, strict=True):
            assert finding.rule.name.in_language(language) in item.text
            assert " ".join(finding.message.in_language(language).split()) in item.text
            (cites,) = item.all("span", "cites")
            assert [link.text for link in cites.all("a")] == list(finding.cites)
        score = article.all("table", "score")
        assert len(score) == verdict.wins
        if verdict.wins:
            rows = [[c.text for c in row.children if isinstance(c, Element)] for row in score[0].all("tr")]
            assert [row[-1] for row in rows[:-1]] == [str(n) for n in verdict.patterns.values()]
            total = verdict.ruleset.measure.total(verdict.total).in_language(language)
            assert rows[-1][-1] == total
        readings = article.all("ol", "readings")
        assert len(readings[0].all("li") if readings else []) == len(verdict.readings)
        if readings:
            assert readings[0].all("li")[0]["class"] == "chosen"
            assert len(readings[0].all("li", "chosen")) == 1


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize(
    ("ruleset", "hand"),
    [
        ("changchun", BLOCKED),
        ("changchun", f"{BLOCKED} +4m"),
        ("changchun", "123m 456p 45789s EE"),
        ("changsha", "123m 11456p 67789s"),
        ("changchun", "C (123m) (222p) (777s) (999m)"),
    ],
)
def test_waits_are_told_with_what_is_left_and_why_some_are_blocked(
    client: Client, ruleset: str, hand: str, language: str
) -> None:
    tree = page(client, {"ruleset": ruleset, "hand": hand}, language)
    verdict = judged(ruleset, hand)
    items = tree.all("ul", "waits")[0].all("li")
    buttons = {button["value"]: (button, item) for item in items for button in item.all("button")}
    waits = [*verdict.waits, *verdict.blocked_waits]
    assert verdict.blocked_waits
    assert sorted(buttons) == sorted(f"win:{wait.tile.code}" for wait in waits)
    for wait in waits:
        button, item = buttons[f"win:{wait.tile.code}"]
        assert button["name"] == "do"
        assert verdict.ruleset.tiles.label(wait.tile).in_language(language) in button["aria-label"]
        assert str(wait.left) in item.text
        assert (item.get("class") == "blocked") is bool(wait.fails)
        if wait.fails:
            complete = verdict.hand.without_winning().with_winning(wait.tile)
            reasons = [f for f in verdict.ruleset.judge(complete).findings if f.status == FAIL]
            assert {f.rule.key for f in reasons} == set(wait.fails)
            for reason in reasons:
                assert reason.message.in_language(language) in item.text


def test_a_wait_that_is_pressed_wins_the_hand(client: Client) -> None:
    tree = read(
        client.get(
            URLS["en"], {"ruleset": "changchun", "hand": CC_SHORT, "do": "win:9s"}, follow=True
        ).content.decode()
    )
    assert states(tree) == ["win"]
    assert tree.by_id("hand")["value"] == CC


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize(
    ("ruleset", "hand", "before", "at", "after"),
    [
        ("changchun", "123m x 5p", "123m ", "x", " 5p"),
        ("changchun", "x", "", "x", ""),
        ("changchun", "11111m", "1111", "1", "m"),
        ("changchun", "1m (12p)", "1m ", "(", "12p)"),
        ("changchun", "<b>1m</b>", "", "<", "b>1m</b>"),
        ("changchun", "1m & 2m", "1m ", "&", " 2m"),
        ("changchun", '1m " 2m', "1m ", '"', " 2m"),
        ("changchun", "🀄🀄🂡🀄", "🀄🀄", "🂡", "🀄"),
        ("changsha", "一二三万 红中", "一二三万 ", "红", "中"),
        ("changsha", "1m {CFP} 2m", "1m ", "{", "CFP} 2m"),
    ],
)
def test_the_place_of_an_error_is_marked_in_the_text(
    client: Client, language: str, ruleset: str, hand: str, before: str, at: str, after: str
) -> None:
    tree = page(client, {"ruleset": ruleset, "hand": hand}, language)
    (source,) = tree.all("p", "source")
    (mark,) = source.all("mark")
    assert "".join(mark.strings()) == at
    # The reader drops text that is only space; what was typed is compared without it.
    assert "".join("".join(source.strings()).split()) == "".join(hand.split())
    markup = client.get(URLS[language], {"ruleset": ruleset, "hand": hand}).content.decode()
    code = re.search(r'<p class="source"><code>(.*)<mark>(.*)</mark>(.*)</code></p>', markup)
    assert code
    assert [unescaped(part) for part in code.groups()] == [before, at, after]


def unescaped(markup: str) -> str:
    """The text of HTML without elements in it."""
    assert "<" not in markup
    return html.unescape(markup)


# What a visitor may type comes back in these fields of the form, and is quoted in what is wrong with it.
TYPED = "<script>alert(1)</script>\"'><b>&lt;"
FIELDS = ["hand", "was", "mode", "ruleset", "option", "by", "seat", "from", "bao", "moments", "birds", "do"]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("ruleset", ["changchun", "changsha", "both"])
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_is_typed_is_never_markup(
    client: Client, headers: dict[str, str], ruleset: str, field: str
) -> None:
    query = {"ruleset": ruleset, "hand": CS, field: f"~{TYPED}" if field == "was" else TYPED}
    response = client.get(f"{URLS['en']}?{urlencode(query)}", headers=headers, follow=True)
    assert response.status_code == 200
    shown = read(response.content.decode())
    assert not [e for e in shown if e.tag == "b" or (e.tag == "script" and not e.get("src"))]
    kept = [e.get("value") or "" for e in shown if e.tag == "input"]
    if field in ("was", "option") or (field == "hand" and not headers):
        assert [value for value in kept if TYPED in value]
    if field == "hand" and ruleset != "both":
        assert [e for e in shown if e.tag == "code" and TYPED in e.text]


def test_an_error_without_a_place_shows_no_mark(client: Client) -> None:
    for hand in ("1m" * 101, "123m 456m 789m 123p 456p"):
        tree = page(client, {"ruleset": "changchun", "hand": hand})
        assert states(tree) == ["error"]
        assert tree.all("mark") == []


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize("hand", ["", "1m", CC])
def test_an_unknown_ruleset_is_said_so(client: Client, hand: str, language: str) -> None:
    tree = page(client, {"ruleset": "mars", "hand": hand}, language)
    (sentence,) = sentences(tree)
    assert "mars" in sentence


def test_the_two_games_stand_side_by_side(client: Client) -> None:
    tree = page(client, {"ruleset": "both", "hand": "12355m 45678p 789s +9p"})
    assert [e.all("h2")[0].text for e in tree.all("article")] == ["Changchun", "Changsha"]
    assert states(tree) == ["not-win", "win"]
    brief = tree.all(style="brief")[0]
    assert [e.text.split(":")[0] for e in brief.all("li")] == ["Changchun", "Changsha"]
    assert "checked" in tree.by_id("ruleset-both").attributes
    assert {e["id"] for e in tree.all("button", "key")} >= {"key-1m", "key-E"}


@pytest.mark.parametrize(
    ("given", "game"),
    [
        ({"by": "magic"}, "changchun"),
        ({"seat": "9"}, "changchun"),
        ({"seat": "2", "from": "2"}, "changchun"),
        ({"from": "1"}, "changchun"),
        ({"by": "self-draw", "from": "2"}, "changchun"),
        ({"by": "self-draw", "from": "0"}, "changchun"),
        ({"listening": "maybe"}, "changchun"),
        ({"bao": "xx"}, "changchun"),
        ({"by": "bao-match"}, "changchun"),
        ({"moments": "haidipao"}, "changchun"),
        ({"option": "colour=red"}, "changchun"),
        ({"moments": "haidipao,dihu"}, "changsha"),
        ({"birds": "E"}, "changsha"),
        ({"listening": "1"}, "changsha"),
        ({"birds": "2m,3p"}, "changsha"),
        ({"by": "robbed-gang", "seat": "0", "from": "3"}, "changsha"),
        ({"by": "self-draw", "moments": "haidilaoyue"}, "changsha"),
    ],
)
def test_a_link_with_circumstances_is_answered_as_the_api_answers_it(
    client: Client, given: dict[str, str], game: str
) -> None:
    query = {"ruleset": game, "hand": CC if game == "changchun" else CS, **given}
    told = client.get("/api/v1/check", query).json()
    tree = page(client, query)
    if "error" in told:
        assert states(tree) == ["error"]
        assert sentences(tree) == [told["error"]["message"]["en"]]
    else:
        assert states(tree) == [told["state"]]
        assert [e.text for e in tree.all("td", "number")][:-1] == [str(n) for n in told["patterns"].values()]


# The form


@pytest.mark.parametrize(
    ("ruleset", "fields"),
    [
        ("changchun", {"by", "seat", "from", "listening", "bao"}),
        ("changsha", {"by", "seat", "from", "moments", "birds"}),
        ("both", {"by", "seat", "from"}),
    ],
)
def test_the_form_asks_only_for_what_the_game_uses(client: Client, ruleset: str, fields: set[str]) -> None:
    tree = page(client, {"ruleset": ruleset, "hand": CC})
    circumstances = tree.all("fieldset", "circumstances")[0]
    shown = {e["name"] for e in circumstances if e.tag in ("input", "select") and e.get("type") != "hidden"}
    assert shown == fields


def test_the_ways_to_win_are_those_of_the_games_shown(client: Client) -> None:
    for ruleset, ways in (
        ("changchun", ["discard", "self-draw", "robbed-gang", "bao-match"]),
        ("changsha", ["discard", "self-draw", "robbed-gang"]),
        ("both", ["discard", "self-draw", "robbed-gang"]),
    ):
        (select,) = page(client, {"ruleset": ruleset}).field("by")
        assert [o["value"] for o in select.all("option")] == ways


def test_a_self_drawn_tile_is_from_nobody_and_nobody_discards_to_himself(client: Client) -> None:
    assert page(client, {"by": "self-draw"}).field("from") == []
    for seat in "0123":
        (select,) = page(client, {"seat": seat}).field("from")
        assert [o["value"] for o in select.all("option")] == [s for s in "0123" if s != seat]


def test_what_was_given_is_chosen_in_the_form(client: Client) -> None:
    given = {"by": "robbed-gang", "seat": "2", "from": "3", "listening": "1", "bao": "5m"}
    sent = form_of(page(client, {"ruleset": "changchun", "hand": CC, **given}))
    assert given.items() <= sent.items()
    assert (sent["ruleset"], sent["hand"]) == ("changchun", CC)
    given = {"by": "discard", "seat": "3", "from": "0", "moments": "haidipao"}
    assert given.items() <= form_of(page(client, {"ruleset": "changsha", "hand": CS, **given})).items()


@pytest.mark.parametrize(
    ("before", "change", "state"),
    [
        ({"ruleset": "changchun", "hand": CC}, {"by": "self-draw"}, "win"),
        ({"ruleset": "changchun", "hand": CC}, {"seat": "0"}, "win"),
        ({"ruleset": "changchun", "hand": CC, "from": "2"}, {"seat": "2"}, "win"),
        ({"ruleset": "changchun", "hand": CC, "by": "self-draw"}, {"by": "discard"}, "win"),
        ({"ruleset": "changsha", "hand": CS, "seat": "0"}, {"seat": "1"}, "win"),
        ({"ruleset": "changchun", "hand": CC}, {"ruleset": "changsha"}, "error"),
        ({"ruleset": "changsha", "hand": CS}, {"ruleset": "changchun"}, "not-win"),
        ({"ruleset": "changchun", "hand": CS, "listening": "1"}, {"ruleset": "changsha"}, "win"),
        ({"ruleset": "changchun", "hand": CS, "bao": "5m"}, {"ruleset": "changsha"}, "win"),
        ({"ruleset": "changsha", "hand": CS, "moments": "dihu"}, {"ruleset": "changchun"}, "not-win"),
    ],
)
def test_one_field_can_be_changed_and_the_form_sent_again(
    client: Client, before: dict[str, str], change: dict[str, str], state: str
) -> None:
    """What the form held in its other fields does not stand in the way."""
    tree = sent(client, form_of(page(client, before)) | change)
    assert states(tree) == [state]
    assert change.items() <= form_of(tree).items()


def test_the_form_names_the_mode_that_the_next_key_uses(client: Client) -> None:
    for mode in ("tile", "chi", "peng", "gang", "angang", "special", "win"):
        assert form_of(page(client, {"mode": mode}))["mode"] == mode
    for query in ({"mode": "nonsense"}, {"ruleset": "changsha", "mode": "special"}, {}):
        assert form_of(page(client, query))["mode"] == "tile"


# Keys


def test_a_key_that_cannot_be_pressed_says_why_in_its_label(client: Client) -> None:
    tree = page(client, {"ruleset": "changchun", "hand": "1111m 23s"})
    used_up = tree.by_id("key-1m")
    assert used_up["aria-disabled"] == "true"
    assert used_up["aria-label"] == "1 character – All four 1万 are in the hand."
    free = tree.by_id("key-2m")
    assert "aria-disabled" not in free.attributes
    assert free["aria-label"] == "2 characters"
    chinese = page(client, {"ruleset": "changchun", "hand": "1111m 23s"}, "zh-hans")
    assert chinese.by_id("key-1m")["aria-label"] == "1万 – 四张1万都在手里了。"
    assert [e["id"] for e in tree.all("button", "key") if e.get("aria-disabled")] == ["key-1m"]


def test_in_each_mode_the_keys_that_make_nothing_are_marked(client: Client) -> None:
    chi = page(client, {"ruleset": "changchun", "mode": "chi"})
    barred = {e["id"] for e in chi.all("button", "key") if e.get("aria-disabled")}
    assert barred == {f"key-{r}{s}" for r in (8, 9) for s in "mps"} | {f"key-{h}" for h in "ESWNCFP"}
    full = page(client, {"ruleset": "changchun", "hand": "123m 45556p 789s SSS"})
    assert all(e.get("aria-disabled") for e in full.all("button", "key"))
    unreadable = page(client, {"ruleset": "changchun", "hand": "x"})
    assert all(e.get("aria-disabled") for e in unreadable.all("button", "key"))


def test_the_keys_are_the_tiles_of_the_game_with_what_is_left_of_each(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "hand": "11m (123m)"})
    keys = {e["value"]: e.text for e in tree.all("button", "key")}
    assert len(keys) == 27
    assert (keys["key:1m"], keys["key:2m"], keys["key:4m"]) == ("1", "3", "")
    assert len(page(client, {"ruleset": "changchun"}).all("button", "key")) == 34


def test_the_rack_shows_each_tile_as_a_button_that_takes_it_out(client: Client) -> None:
    tree = page(client, {"ruleset": "changchun", "hand": "55p E (123m) {CFP} +9s"})
    rack = tree.all("div", "rack")[0]
    assert [b["value"] for b in rack.all("button")] == [
        "out:5p",
        "out:5p",
        "out:E",
        "out:win",
        "out:meld0",
        "out:meld1",
    ]
    assert all(b["aria-label"].startswith("Take out") for b in rack.all("button"))


# Actions without JavaScript


def followed(client: Client, query: dict[str, Any], language: str = "en") -> dict[str, list[str]]:
    """The query to which an action leads, which is a page without the action."""
    response = client.get(URLS[language], query)
    assert response.status_code == 302
    leads = urlsplit(response["Location"])
    assert leads.path in ("", URLS[language])
    found = parse_qs(leads.query, keep_blank_values=True)
    assert "do" not in found
    assert client.get(URLS[language] + "?" + leads.query).status_code == 200
    return found


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize(
    ("hand", "mode", "action", "made"),
    [
        ("", "tile", "key:1m", "1m"),
        ("一二三万", "tile", "key:5p", "123m 5p"),
        ("123m", "peng", "key:E", "123m (EEE)"),
        (CC_SHORT, "tile", "key:9s", CC),
        (CC, "tile", "out:win", CC_SHORT),
        (CC, "tile", "clear", None),
        ("123m", "tile", "nonsense", "123m"),
    ],
)
def test_an_action_leads_to_an_address_without_it(
    client: Client, hand: str, mode: str, action: str, made: str | None, language: str
) -> None:
    query = {"ruleset": "changchun", "hand": hand, "mode": mode, "do": action}
    found = followed(client, query, language)
    assert found["ruleset"] == ["changchun"]
    assert found.get("hand") == ([made] if made else None)


def test_an_action_keeps_the_circumstances_and_leaves_out_the_defaults(client: Client) -> None:
    given = {"by": "robbed-gang", "seat": "2", "from": "3", "listening": "1", "bao": "5m"}
    query = {"ruleset": "changchun", "hand": "123m", "mode": "tile", "shown": "from", "do": "key:5p"}
    found = followed(client, query | given)
    assert {k: v[0] for k, v in found.items()} == given | {
        "ruleset": "changchun",
        "hand": "123m 5p",
        "was": "~123m",
    }
    defaults = {"by": "discard", "seat": "1", "from": "0", "listening": "0", "bao": ""}
    assert followed(client, query | defaults).keys() == {"ruleset", "hand", "was"}
    assert followed(client, query | {"seat": "0", "from": "1"}).keys() == {"ruleset", "hand", "was", "seat"}


def test_an_action_that_cannot_be_done_says_why_at_once(client: Client) -> None:
    tree = page(client, {"ruleset": "changchun", "hand": "1111m", "do": "key:1m"})
    assert tree.all("p", "notice")[0].text == "All four 1万 are in the hand."
    assert tree.by_id("announce").text == "All four 1万 are in the hand."
    assert tree.by_id("hand")["value"] == "1111m"


def test_the_form_alone_enters_a_hand_key_by_key_and_undoes_it_all(client: Client) -> None:
    """As a browser without JavaScript: each press sends the form and follows where it leads."""
    tree = page(client, {"ruleset": "changchun"})
    hands = [""]
    keys = ["1m", "2m", "3m", "E"]
    for key in keys:
        tree = press(client, tree, f"key:{key}")
        hands.append(tree.by_id("hand")["value"])
    assert hands == ["", "1m", "12m", "123m", "123m E"]
    for hand in reversed(hands[:-1]):
        assert "aria-disabled" not in tree.by_id("undo").attributes
        tree = press(client, tree, "undo")
        assert tree.by_id("hand")["value"] == hand
    assert tree.by_id("undo")["aria-disabled"] == "true"


def press(client: Client, tree: Element, action: str, headers: dict[str, str] | None = None) -> Element:
    """The page, or with htmx the fragment, after a button is pressed."""
    response = client.get(URLS["en"], form_of(tree) | {"do": action}, headers=headers or {}, follow=True)
    assert response.status_code == 200
    return read(response.content.decode("utf-8"))


def test_clear_can_be_undone(client: Client) -> None:
    tree = press(client, page(client, {"ruleset": "changchun", "hand": CC}), "clear")
    assert tree.by_id("hand")["value"] == ""
    assert press(client, tree, "undo").by_id("hand")["value"] == CC


# Actions with htmx


@pytest.mark.parametrize("language", URLS)
def test_htmx_is_told_the_address_of_what_it_shows(client: Client, language: str) -> None:
    """A press makes a step in the browser's history, typing and choosing do not."""
    query = {"ruleset": "changchun", "hand": "123m", "by": "self-draw", "seat": "1", "listening": "0"}
    shown = client.get(URLS[language], query | {"was": "12m", "mode": "chi"}, headers=HTMX)
    assert "HX-Push-Url" not in shown
    assert shown["HX-Replace-Url"] == f"{URLS[language]}?ruleset=changchun&hand=123m&by=self-draw"
    done = client.get(URLS[language], query | {"was": "12m", "do": "key:5p"}, headers=HTMX)
    assert done.status_code == 200
    assert "HX-Replace-Url" not in done
    pushed = urlsplit(done["HX-Push-Url"])
    assert pushed.path == URLS[language]
    assert parse_qsl(pushed.query) == [("ruleset", "changchun"), ("hand", "123m 5p"), ("by", "self-draw")]
    for headers in ({}, RESTORE):
        plain = client.get(URLS[language], query, headers=headers)
        assert "HX-Push-Url" not in plain
        assert "HX-Replace-Url" not in plain


@pytest.mark.parametrize("state", STATES)
def test_the_pushed_address_shows_the_same_again(client: Client, state: str) -> None:
    query, _ = STATES[state]
    response = client.get(URLS["en"], query, headers=HTMX)
    header = "HX-Push-Url" if "do" in query else "HX-Replace-Url"
    again = client.get(response[header])
    assert again.status_code == 200
    here = read(response.content.decode())
    there = read(again.content.decode())
    assert there.by_id("hand")["value"] == query.get("hand", "")
    if query.get("ruleset") != "mars":
        assert states(there) == states(here)
        assert sentences(there) == sentences(here)


def test_htmx_is_told_nothing_of_the_text_while_it_is_typed(client: Client) -> None:
    """A field that is drawn anew would throw away what was typed meanwhile."""
    typed = page(client, {"hand": "123"}, headers=HTMX)
    assert [e for e in typed if e.get("id") == "hand"] == []
    pressed = page(client, {"hand": "123m", "do": "key:5p"}, headers=HTMX)
    assert pressed.by_id("hand")["value"] == "123m 5p"
    assert pressed.by_id("hand")["hx-swap-oob"] == "true"


def test_htmx_sends_the_presses_that_gathered_in_order(client: Client) -> None:
    query = {"ruleset": "changchun", "do": ["key:1m", "key:2m", "undo", "key:3m"]}
    tree = page(client, query, headers=HTMX)
    assert tree.by_id("hand")["value"] == "13m"


@pytest.mark.parametrize("action", ["key:5p", "win:9s", "out:1m", "undo", "clear", "nonsense"])
def test_a_press_shows_the_same_with_htmx_as_without(client: Client, action: str) -> None:
    query = {"ruleset": "changchun", "hand": "123m", "was": "1m~12m", "by": "self-draw", "do": action}
    with_htmx = page(client, query, headers=HTMX)
    response = client.get(URLS["en"], query, follow=True)
    without = read(response.content.decode())
    for name, part in parts_of(with_htmx).items():
        assert part.children == without.by_id(name).children


# Languages


def test_the_language_link_keeps_the_question(client: Client) -> None:
    query = {"ruleset": "changsha", "hand": CS, "by": "self-draw", "seat": "0", "moments": "tianhu"}
    for here, there in (("en", "zh-hans"), ("zh-hans", "en")):
        for headers in ({}, HTMX):
            (link,) = page(client, query, here, headers).by_id("language").all("a")
            assert link["hreflang"].lower() == there
            leads = urlsplit(link["href"])
            assert leads.path == URLS[there]
            assert dict(parse_qsl(leads.query)) == query


def test_the_language_link_keeps_what_a_press_made(client: Client) -> None:
    tree = page(client, {"ruleset": "changchun", "hand": "1m", "do": "key:2m"}, headers=HTMX)
    (link,) = tree.by_id("language").all("a")
    assert dict(parse_qsl(urlsplit(link["href"]).query)) == {"ruleset": "changchun", "hand": "12m"}


ENGLISH = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")
HAN = re.compile(r"[\u3400-\u9fff]")
FULL_STOP = re.compile(r"[。！？，；：、]")


def said(element: Element, foreign: str) -> Iterator[str]:
    """What a page says in its own language: text and labels, but no hand and nothing marked as foreign."""
    if element.tag in ("code", "script") or (element.get("lang") or "").lower() == foreign:
        return
    for name in ("aria-label", "title", "alt", "placeholder", "data-offline", "content"):
        if name in element.attributes and element.get("name") not in ("viewport", "htmx-config"):
            yield element[name]
    for child in element.children:
        if isinstance(child, Element):
            yield from said(child, foreign)
        else:
            yield child


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_a_chinese_page_holds_no_english(client: Client, state: str, headers: dict[str, str]) -> None:
    tree = page(client, STATES[state][0], "zh-hans", headers)
    assert [t for t in said(tree, "en") if ENGLISH.search(t)] == []
    for sentence in sentences(tree):
        assert HAN.search(sentence)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_an_english_page_holds_no_chinese_but_terms(
    client: Client, state: str, headers: dict[str, str]
) -> None:
    tree = page(client, STATES[state][0], "en", headers)
    texts = list(said(tree, "zh-hans"))
    assert [t for t in texts if FULL_STOP.search(t)] == []
    assert [t for t in texts if HAN.search(t) and not re.search(r"[A-Za-z0-9]", t)] == []


# Examples


def example_links(client: Client, ruleset: str, language: str) -> list[str]:
    tree = page(client, {"ruleset": ruleset}, language)
    return [e["href"] for e in tree.all("section", "examples")[0].all("a")]


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize("ruleset", rules.rulesets())
def test_every_example_of_a_game_is_judged(client: Client, ruleset: str, language: str) -> None:
    links = example_links(client, ruleset, language)
    assert len(links) == len(rules.ruleset(ruleset).examples)
    for link in links:
        tree = read(client.get(URLS[language] + link).content.decode())
        (state,) = states(tree)
        assert state in ("win", "not-win", "ready", "not-ready"), link
        assert f"ruleset={ruleset}" in link


def test_every_example_shown_side_by_side_is_judged_in_its_own_game(client: Client) -> None:
    tree = page(client, {"ruleset": "both"})
    lists = tree.all("section", "examples")[0].all("ul")
    assert len(lists) == len(rules.rulesets())
    for number, items in enumerate(lists):
        for link in items.all("a"):
            found = states(read(client.get(URLS["en"] + link["href"]).content.decode()))
            own = found[number] if len(found) > 1 else found[0]
            assert own in ("win", "not-win", "ready", "not-ready"), link["href"]


def test_a_link_that_a_teacher_wrote_by_hand_works(client: Client) -> None:
    """A plus is %2B; a bare one is a space, as everywhere in a URL."""
    url = f"{URLS['en']}?{urlencode({'ruleset': 'changchun', 'hand': CC})}"
    assert "%2B9s" in url
    assert states(read(client.get(url).content.decode())) == ["win"]
