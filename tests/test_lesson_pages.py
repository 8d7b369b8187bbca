"""The pages of lessons, rules and terms: sound, linked up, in one language each, and cheap to serve."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import LazySettings
from django.contrib.sessions.models import Session
from django.test import Client
from pytest_django import DjangoAssertNumQueries

import rules
from tests.conftest import real_content, some_of
from tests.test_checker_page import ENGLISH, FULL_STOP, HAN, HTMX, RESTORE, Element, assert_valid, read, said
from tests.test_levels import (
    ONE_OF_EACH,
    STEPS,
    address,
    answered,
    form_in,
    fresh_form,
    level_at,
    sent,
    tree_of,
    wrong_answers,
)
from tests.test_levels import said as feedback
from tutor.content import load
from tutor.content.build import pages_of
from tutor.content.levels import GROUP
from tutor.content.load import Content
from tutor.content.models import Piece
from tutor.people.models import Learner, Progress

LANGUAGES = ("en", "zh-hans")
OTHER = {"en": "zh-hans", "zh-hans": "en"}
CHAPTERS = [chapter.place for chapter in real_content().chapters]
PATHS = [
    "learn/",
    *(f"learn/{key}/" for key in rules.rulesets()),
    *(f"learn/{place}/" for place in CHAPTERS),
    "rules/",
    *(f"rules/{key}/" for key in rules.rulesets()),
    *(f"rules/{game.key}/{about}/" for game in rules.rulesets().values() for about in pages_of(game)),
    "glossary/",
    "compare/",
]
CHAPTER = "/en/learn/changchun/tiles/"
each_page = pytest.mark.parametrize("path", PATHS)
in_both_languages = pytest.mark.parametrize("language", LANGUAGES)
ONE_FOR_EACH_WIDGET = {level_at(place).widget: place for place in STEPS}

_READ: dict[str, Element] = {}


def page(client: Client, url: str) -> Element:
    """A page as somebody sees it who has done nothing yet; read once for all tests of a process."""
    if url not in _READ:
        _READ[url] = tree_of(client.get(url))
    return _READ[url]


def spoken(element: Element) -> Element:
    """A page as it is read aloud: a picture is its label, and what another element labels is labelled."""
    children: list[Element | str] = [spoken(c) if isinstance(c, Element) else c for c in element.children]
    if element.get("role") == "img":
        children.append(element["aria-label"])
    label = {"aria-label": element["aria-labelledby"]} if element.get("aria-labelledby") else {}
    return Element(element.tag, label | element.attributes, children)


def links(tree: Element, url: str) -> Iterator[tuple[str, str]]:
    """Where the links of a page lead: path with query, and fragment."""
    for link in tree.all("a"):
        leads = urlsplit(link["href"])
        assert not leads.netloc
        yield (f"{leads.path or url}{'?' if leads.query else ''}{leads.query}", leads.fragment)


# Every page


@each_page
@in_both_languages
def test_a_page_is_sound_and_speaks_one_language(
    client: Client, shelved: None, path: str, language: str
) -> None:
    tree = page(client, f"/{language}/{path}")
    assert_valid(spoken(tree))
    (root,) = tree.all("html")
    assert root["lang"] == language
    for tag in ("h1", "title", "main"):
        assert len(tree.all(tag)) == 1
    headings = [int(e.tag[1]) for e in tree if re.fullmatch("h[1-6]", e.tag)]
    assert all(after - before <= 1 for before, after in pairwise(headings))
    title, heading = tree.all("title")[0].text, tree.all("h1")[0].text
    (description,) = [e["content"] for e in tree.all("meta") if e.get("name") == "description"]
    for words in (title, heading, description):
        assert words
    everything = [*said(tree, ""), title]
    for mark in ("{{", "{%", "[[", "]]", "`", "**", "](", "None of", "&amp;", "<Text", "object at 0x"):
        assert [text for text in everything if mark in text and not text.startswith("None of")] == []
    if language == "en":
        assert [text for text in said(tree, "zh-hans") if HAN.sub("", text).strip(" ：（）") == ""] == []
        assert [text for text in said(tree, "zh-hans") if FULL_STOP.search(text)] == []
    else:
        assert [text for text in said(tree, "en") if ENGLISH.search(text)] == []
        assert HAN.search(heading)


@in_both_languages
def test_every_page_is_found_from_the_courses_and_every_link_and_fragment_leads_somewhere(
    client: Client, shelved: None, language: str
) -> None:
    inside = re.compile(rf"/{language}/(learn|rules|glossary|compare)/[^?]*")
    found, todo = {}, [f"/{language}/learn/"]
    elsewhere: Counter[str] = Counter()
    while todo:
        url = todo.pop()
        if url in found:
            continue
        tree = found[url] = page(client, url)
        for leads, _ in links(tree, url):
            if inside.fullmatch(leads):
                todo.append(leads)
            else:
                elsewhere[leads] += 1
    assert set(found) == {f"/{language}/{path}" for path in PATHS}
    ids = {url: {e["id"] for e in tree if e.get("id")} for url, tree in found.items()}
    dead = [
        (url, leads, fragment)
        for url, tree in found.items()
        for leads, fragment in links(tree, url)
        if fragment and fragment not in ids[leads.partition("?")[0]]
    ]
    assert dead == []
    targets = {
        (url, e["popovertarget"]) for url, tree in found.items() for e in tree if e.get("popovertarget")
    }
    assert [(url, target) for url, target in targets if target not in ids[url]] == []
    paths = Counter(leads.partition("?")[0] for leads in elsewhere)
    solutions = sum(n for path, n in paths.items() if path in found)
    assert solutions >= len(STEPS)
    assert set(paths) - set(found) == {
        *(
            f"/{language}/{name}/"
            for name in ("check", "deal", "settle", "api", "account", "practice", "classes", "privacy")
        ),
        *(f"/{language}/{path}" for path in ("", "tiles/", "search/", "progress/")),
        *(url.replace(f"/{language}/", f"/{OTHER[language]}/") for url in found),
    }


def test_every_hand_that_a_page_takes_to_the_checker_is_judged_there_as_here(
    client: Client, shelved: None
) -> None:
    seen = set()
    for path in PATHS:
        for leads, _ in links(page(client, f"/en/{path}"), f"/en/{path}"):
            if leads.startswith("/en/check/?ruleset=") and "hand=" in leads:
                seen.add(leads)
    assert len(seen) > 100
    for leads in some_of(sorted(seen)[::7], 0, 3):
        (answer,) = tree_of(client.get(leads)).all("article", "answer")
        assert "error" not in answer["class"].split()


@in_both_languages
def test_the_language_link_leads_to_the_same_page_and_back(
    client: Client, shelved: None, language: str
) -> None:
    for path in (CHAPTER[4:], "rules/changchun/win/triplet/", "glossary/", "compare/", "learn/"):
        (link,) = page(client, f"/{language}/{path}").by_id("language").all("a")
        assert link["href"] == f"/{OTHER[language]}/{path}"


@pytest.mark.parametrize("place", ONE_FOR_EACH_WIDGET.values())
def test_an_answer_is_there_in_the_other_language_too(client: Client, shelved: None, place: str) -> None:
    slug = place.partition("#")[2]
    items = sorted(
        item.split(".")[0] if level_at(place).widget == GROUP else item for item in level_at(place).rights[0]
    )
    query = {"step": slug, "a": items, "said": "1"}
    tree = tree_of(client.get(address(place), query))
    assert feedback(tree, place).startswith("Right.")
    (link,) = tree.by_id("language").all("a")
    assert feedback(tree_of(client.get(link["href"])), place).startswith("对了")


@each_page
def test_a_page_that_is_asked_for_again_is_the_same(client: Client, shelved: None, path: str) -> None:
    first = client.get(f"/en/{path}")
    assert client.get(f"/en/{path}").content == first.content
    head = client.head(f"/en/{path}")
    assert (head.status_code, head.content) == (200, b"")


def test_a_page_in_one_language_is_never_served_for_the_other(client: Client, content: Content) -> None:
    for path in (CHAPTER[4:], "rules/changchun/win/triplet/", "glossary/", "compare/", "rules/changsha/"):
        for language in ("en", "zh-hans", "en"):
            response = client.get(f"/{language}/{path}")
            assert response["Content-Language"] == language
            (root,) = tree_of(response).all("html")
            assert root["lang"] == language
            title = tree_of(response).all("title")[0].text.partition("– Paili")[0]
            assert bool(HAN.search(title)) is (language == "zh-hans")


def test_without_content_the_pages_say_so_or_are_not_there(
    client: Client, db: None, fresh_shelf: None
) -> None:
    assert "No course has been loaded yet." in tree_of(client.get("/en/learn/")).text
    for path in ("learn/changchun/", "learn/changchun/tiles/"):
        assert client.get(f"/en/{path}").status_code == 404
    for path in ("rules/changchun/", "rules/changchun/win/triplet/", "glossary/", "compare/"):
        assert len(tree_of(client.get(f"/en/{path}")).all("h1")) == 1


# What isn't there


@pytest.mark.parametrize(
    "path",
    [
        "learn/mars/",
        "learn/changchun/nothing/",
        "learn/changchun/birds/",
        "learn/mars/tiles/",
        "learn/Changchun/",
        "learn/changchun/tiles/suits/",
        "rules/mars/",
        "rules/changchun/win/nothing/",
        "rules/changchun/wins/triplet/",
        "rules/changchun/pattern/triplet/",
        "rules/changsha/win/triplet/",
        "rules/mars/win/triplet/",
        "rules/changchun/win/",
        "glossary/ting/",
        "compare/changchun/",
    ],
)
@in_both_languages
def test_an_address_of_nothing_is_not_found(client: Client, shelved: None, path: str, language: str) -> None:
    response = client.get(f"/{language}/{path}")
    assert response.status_code == 404
    assert len(read(response.content.decode()).all("h1")) == 1


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"step": ""},
        {"step": "nothing", "a": "1m"},
        {"step": "Suits"},
        {"a": "1m", "do": "answer"},
        {"do": "reads"},
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_an_answer_to_no_level_is_not_found_and_nothing_is_remembered(
    client: Client, shelved: None, data: dict[str, str], headers: dict[str, str]
) -> None:
    assert client.post(CHAPTER, data, headers=headers).status_code == 404
    assert not Learner.objects.exists()


def test_an_address_that_names_no_level_is_the_chapter(client: Client, shelved: None) -> None:
    plain = tree_of(client.get(CHAPTER))
    for query in (
        {"step": "nothing"},
        {"step": ""},
        {"said": "1", "a": "1m"},
        {"show": "solution"},
        {"x": "y"},
    ):
        assert tree_of(client.get(CHAPTER, query)) == plain
        if "step" in query:
            assert client.get(CHAPTER, query, headers=HTMX).status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
@pytest.mark.parametrize(
    "path",
    [
        "learn/",
        "learn/changchun/",
        "learn/changchun/tiles/",
        "rules/",
        "rules/changchun/",
        "rules/changchun/win/triplet/",
        "glossary/",
        "compare/",
    ],
)
def test_pages_are_only_read_and_chapters_answered(
    client: Client, shelved: None, path: str, method: str
) -> None:
    if (method, path) != ("post", "learn/changchun/tiles/"):
        assert getattr(client, method)(f"/en/{path}").status_code == 405


# What can be sent

FORGED: dict[str, dict[str, Any]] = {
    "nothing": {},
    "an empty item": {"a": ""},
    "an unknown item": {"a": "zz"},
    "an empty item beside others": {"a": ["", "yes", "1m", "none"]},
    "an unknown item beside others": {"a": ["zz", "yes", "1m", "none"]},
    "many items": {"a": [f"i{n}" for n in range(900)]},
    "one item many times": {"a": ["1m"] * 900},
    "a null": {"a": "\0"},
    "a huge number": {"a": "9" * 400, "n0": "9" * 400},
    "a long item": {"a": "x" * 5_000},
    "numbers that are none": {f"n{n}": "1e9" for n in range(4)},
    "words for numbers": {f"n{n}": "ten" for n in range(4)},
    "some of the numbers": {"n0": "1"},
    "half a swap": {"out": "1m"},
    "a swap of nothing": {"out": "zz", "in": "yy"},
    "markup": {"a": "<script>alert(1)</script>", "n0": "<b>"},
    "another script": {"a": "一万", "n0": "七"},
    "a lone surrogate": {"a": "%ED%A0%80"},
    "a throw of dice": {"throw": "3"},
    "separators": {"a": [":", ">", ".", "1:", ":1", ">1m"]},
}
forged = pytest.mark.parametrize("name", FORGED)
each_widget = pytest.mark.parametrize("place", ONE_FOR_EACH_WIDGET.values(), ids=ONE_FOR_EACH_WIDGET)


@forged
@each_widget
def test_whatever_is_sent_is_answered_with_a_sentence(
    client: Client, shelved: None, name: str, place: str
) -> None:
    data = {"step": place.partition("#")[2], "do": "answer", **FORGED[name]}
    part = tree_of(client.post(address(place), data, headers=HTMX))
    assert feedback(part, place)
    assert not feedback(part, place).startswith("Right.")
    response = client.post(address(place), data)
    assert response.status_code == 303
    leads = response["Location"].partition("#")[0]
    assert client.get(leads).content.count(b"<h1") == 1
    if level_at(place).widget != GROUP:
        assert feedback(tree_of(client.get(leads, headers=HTMX)), place) == feedback(part, place)
        assert_valid(spoken(part))
    assert not Progress.objects.filter(is_done=True).exists()


@each_widget
def test_the_answer_of_another_level_is_none_to_this_one(client: Client, shelved: None, place: str) -> None:
    level = level_at(place)
    other = next(p for w, p in ONE_FOR_EACH_WIDGET.items() if w not in (level.widget, "numbers", "swap"))
    items = sorted(level_at(other).rights[0])
    data = {"step": place.partition("#")[2], "do": "answer", "a": items}
    assert feedback(tree_of(client.post(address(place), data, headers=HTMX)), place)
    assert not Progress.objects.filter(is_done=True).exists()


@pytest.mark.parametrize("place", [p for w, p in ONE_FOR_EACH_WIDGET.items() if level_at(p).offers])
def test_an_item_that_is_not_offered_belongs_to_another_question(
    client: Client, shelved: None, place: str
) -> None:
    for language, words in (
        ("en", "This answer belongs to another question."),
        ("zh-hans", "这个答案不是这道题的。"),
    ):
        data = {"step": place.partition("#")[2], "do": "answer", "a": ["zz", *level_at(place).rights[0]]}
        if level_at(place).widget != "birds":
            assert (
                feedback(tree_of(client.post(address(place, language), data, headers=HTMX)), place) == words
            )
    assert not Learner.objects.exists()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_form_or_an_address_with_too_many_fields_is_refused_in_words(
    client: Client, shelved: None, headers: dict[str, str]
) -> None:
    many = {"step": "suits", "a": ["1m"] * 1500}
    for response in (client.post(CHAPTER, many, headers=headers), client.get(CHAPTER, many, headers=headers)):
        assert response.status_code == 400
        assert "too many fields" in read(response.content.decode()).text
    assert not Learner.objects.exists()


@pytest.mark.parametrize("do", ["read", "answer"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"},
        {"Origin": "https://example.org"},
        {"Origin": "http://testserver.example.org"},
        {"Origin": "null"},
        {"Referer": "https://example.org/en/learn/"},
        {"Origin": "https://example.org", "Referer": "http://testserver/en/learn/"},
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_another_site_posts_is_refused_and_nothing_is_remembered(
    client: Client, shelved: None, do: str, headers: dict[str, str], language: str
) -> None:
    place = next(iter(STEPS))
    data = {"step": place.partition("#")[2], "a": sorted(level_at(place).rights[0]), "do": do}
    response = client.post(address(place, language), data, headers=headers)
    assert response.status_code == 403
    words = {"en": "This form was sent from another site.", "zh-hans": "这份表单是从别的网站发来的。"}
    assert words[language] in read(response.content.decode()).text
    assert not response.cookies
    assert not Learner.objects.exists()
    assert not Session.objects.exists()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://testserver"},
        {"Origin": "https://testserver"},
        {"Referer": "https://testserver/en/learn/changchun/tiles/"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"},
    ],
)
def test_what_the_page_itself_posts_is_taken(client: Client, shelved: None, headers: dict[str, str]) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(CHAPTER, {"do": "read"}, headers=headers).status_code == 303
    assert Progress.objects.get().place == "changchun/tiles"


def test_another_site_may_link_to_a_chapter_and_to_an_answer(client: Client, shelved: None) -> None:
    for query in ({}, {"step": "suits", "a": "1m", "said": "1"}):
        assert client.get(CHAPTER, query, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


# Addresses


@pytest.mark.parametrize("place", ONE_OF_EACH.values())
def test_an_address_of_an_answer_shows_the_same_to_whoever_it_is_sent_to(
    client: Client, shelved: None, place: str
) -> None:
    level = level_at(place)
    slug = place.partition("#")[2]
    items = [item.split(".")[0] if level.widget == GROUP else item for item in level.rights[0]]
    wrong = next(iter(wrong_answers(level)), None)
    tries = [(items, "Right.")] + ([(sorted(wrong), "Not yet.")] if wrong and level.widget != GROUP else [])
    for answer, begins in tries:
        query = {"step": slug, "a": answer, "said": "1"}
        first = client.get(address(place), query)
        for again in (
            client.get(address(place), query),
            Client().get(address(place), query),
            client.get(address(place), query, headers=RESTORE),
        ):
            assert again.content == first.content
        whole, part = tree_of(first), tree_of(client.get(address(place), query, headers=HTMX))
        assert feedback(whole, place).startswith(begins)
        assert part.by_id(f"level-{slug}") == whole.by_id(f"level-{slug}")
    assert not Learner.objects.exists()


def test_what_htmx_gets_is_the_level_and_the_marks_as_the_page_holds_them(
    client: Client, shelved: None
) -> None:
    place = next(iter(STEPS))
    slug = place.partition("#")[2]
    part = answered(client, fresh_form(client, place), place, level_at(place).rights[0], with_htmx=True)
    query = {"step": slug, "a": sorted(level_at(place).rights[0]), "said": "1"}
    whole = tree_of(client.get(address(place), query))
    assert [e["id"] for e in part.children if isinstance(e, Element)] == [
        f"level-{slug}",
        f"mark-{slug}",
        "tally",
    ]
    for name in (f"level-{slug}", f"mark-{slug}", "tally"):
        mine = part.by_id(name)
        attributes = {k: v for k, v in mine.attributes.items() if k != "hx-swap-oob"}
        assert Element(mine.tag, attributes, mine.children) == whole.by_id(name)
        assert ("hx-swap-oob" in mine.attributes) is (not name.startswith("level-"))


@pytest.mark.parametrize("headers", [{}, HTMX, RESTORE])
def test_caches_are_told_that_a_page_depends_on_the_visitor_and_on_htmx(
    client: Client, shelved: None, headers: dict[str, str]
) -> None:
    place = next(iter(STEPS))
    slug = place.partition("#")[2]
    for response in (
        client.get(address(place), headers=headers),
        client.get(address(place), {"step": slug}, headers=headers),
        client.get("/en/learn/", headers=headers),
        client.get("/en/learn/changchun/", headers=headers),
        client.post(address(place), {"step": slug, "do": "answer"}, headers=HTMX),
    ):
        assert {"Cookie", "HX-Request"} <= {name.strip() for name in response["Vary"].split(",")}


# What a page costs


def learner_with(client: Client, number: int) -> Learner:
    """Makes a browser that of a learner who did so much."""
    learner = Learner.objects.create()
    session = client.session
    session["learner"] = learner.pk
    session.save()
    client.cookies["sessionid"] = session.session_key
    places = [*STEPS, *CHAPTERS, *(f"changchun/gone-{n}#x" for n in range(300))][:number]
    Progress.objects.bulk_create(
        Progress(learner=learner, place=place, is_done=True, at="2026-01-01T00:00Z") for place in places
    )
    return learner


VERSION, SESSION, PROGRESS, PIECES = 1, 1, 1, 1


@pytest.mark.parametrize("path", ["learn/changchun/", "learn/changchun/tiles/"])
@pytest.mark.parametrize("number", [0, 1, 300])
def test_a_page_costs_a_learner_as_much_however_much_was_done(
    client: Client,
    content: Content,
    django_assert_num_queries: DjangoAssertNumQueries,
    path: str,
    number: int,
) -> None:
    client.get(f"/en/{path}")
    learner_with(client, number)
    client.get(f"/en/{path}")
    with django_assert_num_queries(VERSION + SESSION + PROGRESS):
        client.get(f"/en/{path}")


@pytest.mark.parametrize(
    "path",
    [
        "learn/changchun/",
        "learn/changchun/tiles/",
        "rules/changchun/",
        "rules/changchun/win/triplet/",
        "glossary/",
        "compare/",
    ],
)
def test_a_page_costs_a_visitor_without_a_session_only_the_look_for_a_new_version(
    client: Client, content: Content, django_assert_num_queries: DjangoAssertNumQueries, path: str
) -> None:
    client.get(f"/en/{path}")
    with django_assert_num_queries(VERSION):
        client.get(f"/en/{path}")


def test_the_version_is_looked_for_only_every_so_often(
    client: Client,
    content: Content,
    django_assert_num_queries: DjangoAssertNumQueries,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.CONTENT_SECONDS = 30
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with django_assert_num_queries(VERSION + PIECES):
        client.get(CHAPTER)
    with django_assert_num_queries(0):
        old = client.get(CHAPTER).content
    rename(content, "chapter/changchun/tiles", "Another title")
    monkeypatch.setattr(time, "monotonic", lambda: now + 29)
    assert client.get(CHAPTER).content == old
    monkeypatch.setattr(time, "monotonic", lambda: now + 31)
    assert "Another title" in tree_of(client.get(CHAPTER)).all("h1")[0].text


def test_the_page_of_a_chapter_is_made_once_for_all_who_have_done_nothing(
    client: Client, content: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get(CHAPTER).content

    def fails(*args: object, **more: object) -> None:
        raise AssertionError("the page is made anew")

    monkeypatch.setattr("tutor.lessons.views.render_to_string", fails)
    assert Client().get(CHAPTER).content == first


def rename(content: Content, place: str, title: str, **more: str) -> None:
    """Loads the same content with another title of one piece, or more of them; one changes by that."""
    pieces = dict(content.pieces)
    for renamed, words in {place: title, **more}.items():
        pieces[renamed] = {**pieces[renamed], "title": {"en": words, "zh": "另一个题目"}}
    assert load.store(Content(pieces=pieces)) == load.Changes(0, 1, 0)


def test_kept_pages_are_made_anew_once_something_else_is_loaded(client: Client, content: Content) -> None:
    paths = ("learn/", "learn/changchun/", "learn/changchun/tiles/", "compare/")
    before = {path: client.get(f"/en/{path}").content for path in paths}
    rename(content, "chapter/changchun/tiles", "Another title")
    for path in paths[1:3]:
        assert "Another title" in tree_of(client.get(f"/en/{path}")).text
    assert client.get("/en/compare/").content == before["compare/"]
    rename(content, "chapter/changchun/tiles", "Another title", compare="Quite another title")
    assert tree_of(client.get("/en/compare/")).all("h1")[0].text == "Quite another title"


def test_kept_pages_of_rules_and_terms_are_made_anew_too(client: Client, content: Content) -> None:
    urls = ("/en/rules/changchun/win/triplet/", "/zh-hans/glossary/", CHAPTER)
    for url in urls:
        client.get(url)
    pieces = dict(content.pieces)
    pieces["rule/changchun/win/triplet"] = {
        **pieces["rule/changchun/win/triplet"],
        "text": {"en": "Quite another text.", "zh": "另一段话。"},
    }
    pieces["term/tile"] = {**pieces["term/tile"], "short": {"en": "Another thing.", "zh": "另一样东西。"}}
    assert load.store(Content(pieces=pieces)) == load.Changes(0, 2, 0)
    assert "Quite another text." in tree_of(client.get(urls[0])).text
    assert "另一样东西。" in tree_of(client.get(urls[1])).text


def test_a_chapter_that_is_no_longer_there_is_not_found_and_its_neighbours_are_neighbours(
    client: Client, content: Content
) -> None:
    first, second, third = [place for place in CHAPTERS if place.startswith("changchun/")][:3]
    assert client.get(f"/en/learn/{second}/").status_code == 200
    Piece.objects.get(place=f"chapter/{second}").delete()
    assert client.get(f"/en/learn/{second}/").status_code == 404
    response = client.post(f"/en/learn/{first}/", {"do": "read"})
    assert response["Location"] == f"/en/learn/{third}/"
    assert f"/en/learn/{first}/" in [
        leads for leads, _ in links(tree_of(client.get(f"/en/learn/{third}/")), "")
    ]


# What is typed and forged


@pytest.mark.parametrize("typed", ["6", "06", "６", " 6 ", "+6"])
def test_a_number_counts_however_it_is_typed(client: Client, content: load.Content, typed: str) -> None:
    given = {"step": "count-it", "n0": typed, "do": "answer"}
    answer = client.post("/en/learn/changchun/exam/", given, headers={"HX-Request": "true"})
    assert "Right." in answer.content.decode()


@pytest.mark.parametrize(
    ("chapter", "query", "words"),
    [
        ("special-gangs", "step=dadan-worth&n0=--5&n1=1&n2=1&n3=1&do=answer", "is no number"),
        ("special-gangs", "step=dadan-worth&said=1&a=9:1&a=8:1&a=7:1&a=6:1", "another question"),
        ("special-gangs", "step=dadan-worth&said=1&a=1&a=2&a=3&a=4", "another question"),
        ("special-gangs", "step=dadan-worth&said=1&a=0:1&a=0:2&a=1:1&a=2:1", "another question"),
        ("winning-shape", "step=four-sets-and-a-pair&a=m&said=1", "another question"),
        ("winning-shape", "step=four-sets-and-a-pair&t=m&do=answer", "another question"),
        ("winning-shape", "step=two-readings&t=EEE&do=answer", "another question"),
    ],
)
def test_a_forged_answer_is_refused_in_words(
    client: Client, content: load.Content, chapter: str, query: str, words: str
) -> None:
    answer = client.get(f"/en/learn/changchun/{chapter}/?{query}")
    assert answer.status_code == 200
    assert words in answer.content.decode()


SCORE, PAYMENTS = (next(p for p in STEPS if level_at(p).kind == kind) for kind in ("score", "payments"))


def told(client: Client, place: str, data: dict[str, Any]) -> str:
    """What is said to something that is sent to a level."""
    form = {"step": place.partition("#")[2], "do": "answer", **data}
    return feedback(tree_of(client.post(address(place), form, headers=HTMX)), place)


@pytest.mark.parametrize("number", ["--5", "-", "+-5", "1" * 5000, "-" + "1" * 5000, "1_0", "0x1"])
@pytest.mark.parametrize("place", [SCORE, PAYMENTS])
def test_a_number_that_is_none_is_said_to_be_none(
    client: Client, shelved: None, place: str, number: str
) -> None:
    assert "is no number." in told(client, place, {f"n{n}": number for n in range(4)})


@pytest.mark.parametrize("items", ["9:5 8:5 7:5 6:5", "x:1 y:1 z:1 w:1", "5 6 7 8", ":1 :2 :3 :4"])
def test_payments_of_seats_that_there_are_not_are_answered_with_a_sentence(
    client: Client, shelved: None, items: str
) -> None:
    assert told(client, PAYMENTS, {"a": items.split()})
    assert not Progress.objects.filter(is_done=True).exists()


@pytest.mark.parametrize(
    "data", [{"do": "undo:²"}, {"do": "undo:" + "1" * 5000}, {"t": ["", ""]}, {"t": [".2"]}, {"a": [""]}]
)
def test_a_forged_group_is_answered_with_a_sound_page(
    client: Client, shelved: None, data: dict[str, Any]
) -> None:
    place = ONE_FOR_EACH_WIDGET[GROUP]
    form = {"step": place.partition("#")[2], "do": "answer", **data}
    part = tree_of(client.post(address(place), form, headers=HTMX))
    assert [e for e in part.all() if e.get("role") == "img" and not e["aria-label"]] == []


@pytest.mark.parametrize("place", [p for w, p in ONE_FOR_EACH_WIDGET.items() if w not in (GROUP, "birds")])
def test_an_answer_of_any_length_leads_to_an_address_that_can_be_asked_for(
    client: Client, shelved: None, place: str
) -> None:
    response = client.post(address(place), {"step": place.partition("#")[2], "a": ["x" * 20_000] * 40})
    assert response.status_code == 303
    assert len(response["Location"]) < 8000
    leads = response["Location"].partition("#")[0]
    assert feedback(tree_of(client.get(leads, headers=HTMX)), place)


def test_half_an_exchange_is_kept_when_the_other_half_is_missing(client: Client, shelved: None) -> None:
    place = ONE_FOR_EACH_WIDGET["swap"]
    for name, code in (("out", level_at(place).shown.hand.loose[0].code), ("in", "5s")):
        data = {"step": place.partition("#")[2], "do": "answer", name: code}
        for tree in (
            tree_of(client.post(address(place), data, headers=HTMX)),
            tree_of(client.post(address(place), data, follow=True)),
        ):
            assert feedback(tree, place) == "Choose a tile to give up and one to take."
            assert sent(form_in(tree, place)).get(name) == [code]


@pytest.mark.parametrize("number", [None, 0, 300])
def test_the_list_of_courses_costs_no_more_than_a_course(
    client: Client, content: object, django_assert_num_queries: DjangoAssertNumQueries, number: int | None
) -> None:
    client.get("/en/learn/")
    if number is not None:
        learner_with(client, number)
    with django_assert_num_queries(VERSION + (2 if number is not None else 0)):
        client.get("/en/learn/")


def unmarked(element: Element) -> list[str]:
    """Each text of an English page with Chinese in it that is not marked as such."""
    if element.tag in ("title", "code") or (element.get("lang") and element.tag != "html"):
        return []
    found = []
    for child in element.children:
        found += unmarked(child) if isinstance(child, Element) else [child] if HAN.search(child) else []
    return found


def test_chinese_on_an_english_page_is_marked_as_chinese(client: Client, shelved: None) -> None:
    found = {
        text for path in PATHS if "must-discard" not in path for text in unmarked(page(client, f"/en/{path}"))
    }
    assert sorted(found) == []


def test_what_was_typed_at_great_length_is_answered_in_words_and_not_kept(
    client: Client, shelved: None
) -> None:
    url = "/en/learn/changchun/winning-shape/"
    long = {"step": "four-sets-and-a-pair", "do": "answer", "t": ["3m." + "x" * 100_000, "W"]}
    part = client.post(url, long, headers=HTMX).content.decode()
    assert "xxxxxxxxx" not in part
    assert len(part) < 50_000
    many = {"step": "pieces", "do": "answer", "a": [f"{n}" * 400 for n in range(40)]}
    answer = client.post(url, many)
    assert answer.status_code == 200
    assert "This answer belongs to another question." in answer.content.decode()
