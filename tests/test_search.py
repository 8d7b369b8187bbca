"""Search: what is called so is found, in either language and in pinyin, and whatever is typed is answered."""

from __future__ import annotations

from random import Random
from urllib.parse import urlencode

import pytest
from django.test import Client

import rules
from tests.test_checker_page import Element, assert_valid, read
from tutor.content.build import pages_of
from tutor.content.shelf import shelf

LANGUAGES = ["en", "zh-hans"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shelved")]


def found(client: Client, words: str, language: str = "en", **more: str) -> Element:
    response = client.get(f"/{language}/search/?{urlencode({'q': words, **more})}")
    assert response.status_code == 200
    tree = read(response.content.decode())
    assert_valid(tree)
    return tree


def addresses(tree: Element) -> list[str]:
    return [a["href"] for each in tree.all("ol", "results") for a in each.all("a")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_is_found_by_its_name_in_either_language(client: Client, language: str):
    missing = []
    for game in rules.rulesets().values():
        for place, thing in pages_of(game).items():
            for name in (thing.name.en, thing.name.zh):
                wanted = f"/{language}/rules/{game.key}/{place}/"
                if wanted not in addresses(found(client, name, language, kind="rules")):
                    missing.append((game.key, place, name))
    assert not missing


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_glossary_is_found_by_name_and_pinyin(client: Client, language: str):
    missing = []
    for term in list(shelf().terms.values())[::3]:
        for word in filter(None, (term.name.en, term.han, term.pinyin)):
            where = addresses(found(client, word, language, kind="glossary"))
            if not any(each.endswith(f"#{term.slug}") for each in where):
                missing.append((term.slug, word))
    assert not missing


@pytest.mark.parametrize("words", ["qidui", "qi dui", "qī duì", "QIDUI", "七对", "seven pairs", "Seven Pair"])
def test_spellings_find_the_same(client: Client, words: str):
    assert "/en/rules/changsha/pattern/qidui/" in addresses(found(client, words))


@pytest.mark.parametrize("line", ["CC-12", "cs-3", "CS 3"])
def test_a_line_of_the_rules_is_led_to(client: Client, line: str):
    tree = found(client, line)
    assert any("/en/rules/" in a["href"] and "#" in a["href"] for a in tree.by_id("main").all("a"))


def test_a_hand_is_led_to_the_checker_of_each_game_that_has_its_tiles(client: Client):
    tree = found(client, "123m 456p EE")
    offers = [a["href"] for each in tree.all("ul", "offers") for a in each.all("a")]
    assert [each for each in offers if "ruleset=changchun" in each]
    assert not [each for each in offers if "ruleset=changsha" in each]


def test_what_is_called_so_comes_before_what_only_tells_of_it(client: Client):
    tree = found(client, "birds")
    first = tree.all("ol", "results")[0].all("a")[0]
    assert "bird" in first.text.lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_nothing_is_found_something_near_is_offered(client: Client, language: str):
    tree = found(client, "qidvi", language)
    assert not addresses(tree)
    assert any("q=" in a["href"] for a in tree.by_id("main").all("a"))


@pytest.mark.parametrize(
    "words", ["", " ", "x" * 101, "<script>alert(1)</script>", "\x00", "'\"&", "()[]{}*+?", "万" * 100]
)
def test_whatever_is_typed_is_answered(client: Client, words: str):
    tree = found(client, words)
    assert not [script for script in tree.all("script") if not script.get("src")]


def test_noise_is_answered(client: Client):
    chance = Random(7)
    letters = "ab1mpsSEW东万条饼七对的 -+()[]{}'\"<>&\\%\u0301\u200b\ud83c\udc07"
    for _ in range(60):
        found(
            client,
            "".join(chance.choices(letters.encode("utf-8", "ignore").decode(), k=chance.randint(1, 60))),
        )
