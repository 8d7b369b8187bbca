"""Search: what is called so is found, in either language and in pinyin, and whatever is typed is answered."""

from __future__ import annotations

from random import Random
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils.translation import override

import rules
from rules import Ruleset, Text
from tests.test_checker_page import Element, assert_valid, read
from tutor.content.build import pages_of
from tutor.content.shelf import shelf
from tutor.front import search
from tutor.front.index import EXACT, GLOSSARY, NAMED, PAGES, RULES, TOLD, Entry, Index, Query, index_of, sound

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


# What is called so comes first, whatever spells it


def named(kind: str) -> list[tuple[Entry, str]]:
    """Every entry of a kind with each of its names: English, Chinese, and how that sounds."""
    entries = [entry for entry in index_of(shelf()).entries if entry.kind == kind]
    return [
        (entry, name)
        for entry in entries
        for name in dict.fromkeys((entry.name.en, entry.name.zh, entry.pinyin or sound(entry.name.zh)))
    ]


@pytest.mark.parametrize("kind", [RULES, GLOSSARY])
def test_every_name_and_its_pinyin_finds_its_own_before_all_others(kind: str):
    index = index_of(shelf())
    names = named(kind)
    assert len(names) > 200
    late = []
    for entry, name in names:
        exact = [each.entry for each in index.search(Query.of(name)).found if each.rank == EXACT]
        if not name or entry not in exact:
            late.append((entry.place, name))
    assert not late


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [RULES, GLOSSARY])
def test_the_page_shows_what_is_called_so_in_front(client: Client, kind: str, language: str):
    """What stands first on the page has that name, and it is itself among what is shown."""
    late = []
    for entry, name in named(kind)[::5]:
        shown = addresses(found(client, name, language))
        exact = [each.entry for each in index_of(shelf()).search(Query.of(name)).found if each.rank == EXACT]
        with override(language):
            if entry.address not in shown or shown[0] not in [each.address for each in exact]:
                late.append((entry.place, name, shown[:1]))
    assert not late


def places(query: str, kind: str = "") -> list[str]:
    answer = index_of(shelf()).search(Query.of(query))
    return [each.entry.place for each in answer.found if kind in ("", each.entry.kind)]


def ranks(query: str, place: str) -> int:
    return next(n for n, found in enumerate(places(query)) if found == place)


def test_the_exact_name_then_its_beginning_then_a_name_that_holds_it_then_a_text():
    exact, begins, holds = "gang", "gang-points", "exposed-gang"
    told = "changchun/opening/xuanfenggang"
    order = [ranks("gang", place) for place in (exact, begins, holds)]
    assert order == sorted(order)
    assert places("wall", RULES)[0] == "changchun/table/wall-break"
    assert ranks("the four winds", told) < 5
    assert ranks("dealt", "changchun/table/dealt-win") < ranks("dealt", told)


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("liù liù shùn", "changsha/opening/liuliushun"),
        ("liu'liu'shun", "changsha/opening/liuliushun"),
        ("LIULIUSHUN", "changsha/opening/liuliushun"),
        ("san se quan", "changchun/win/three-suits"),
        ("sansequan", "changchun/win/three-suits"),
        ("寶牌", "changchun/pattern/baopai"),
        ("對寶", "changchun/pattern/duibao"),
        ("萬", "characters"),
        ("筒", "dots"),
        ("餅子", "dots"),
        ("条", "bamboo"),
        ("索子", "bamboo"),
        ("幺鸡", "bamboo"),
        ("中發白", "dragons"),
        ("ＱＩＤＵＩ", "changsha/pattern/qidui"),
        ("七对 长沙", "changsha/pattern/qidui"),
        ("长沙七对", "changsha/pattern/qidui"),
        ("qidui changsha", "changsha/pattern/qidui"),
        ("drag", "dragons"),
        ("dragon", "dragons"),
        ("winds", "winds"),
    ],
)
def test_spellings_of_both_regions_and_both_scripts_are_one(typed: str, place: str):
    assert place in places(typed)


def test_every_word_must_match():
    both = set(places("seven pairs"))
    assert both <= set(places("pairs"))
    assert places("qidui qwertz") == []
    assert "changchun/pattern/piaohu" not in places("changsha triplet")


def test_a_plural_finds_its_singular_and_nothing_that_only_begins_alike():
    assert "pair" in places("pairs")
    plural = Entry(PAGES, "check", Text("Winds", ""), Text("who wins", ""))
    singular = Entry(PAGES, "deal", Text("A win", ""), Text("", ""))
    other = Entry(PAGES, "settle", Text("Windy", ""), Text("", ""))
    answer = Index([plural, singular, other]).search(Query.of("wins"))
    assert [(each.entry, each.rank) for each in answer.found] == [(singular, NAMED), (plural, TOLD)]


# Lines, hands, and what stands on the page


@pytest.mark.parametrize("game", rules.rulesets().values(), ids=lambda game: game.key)
def test_every_line_of_a_game_leads_to_its_place(client: Client, game: Ruleset):
    for line in list(game.lines)[::9]:
        for typed in (line, line.lower(), line.replace("-", "")):
            tree = found(client, typed)
            assert f"/en/rules/{game.key}/#{line}" in [a["href"] for a in tree.by_id("main").all("a")]


def test_a_line_is_not_one_that_only_begins_so(client: Client):
    tree = found(client, "CC-1")
    cited = [entry for entry in index_of(shelf()).entries if "CC-1" in entry.cites]
    assert cited
    assert len(addresses(tree)) == len(cited)
    for typed in ("CC", "CC-", "CC-1999"):
        assert not [e for e in found(client, typed) if e.get("id") == "this-line"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_tiles_come_first_and_open_in_the_checker_of_every_game(client: Client, language: str):
    tree = found(client, "123m 456p", language)
    links = [a["href"] for a in tree.by_id("main").all("a")]
    hand = urlencode({"hand": "123m 456p"})
    wanted = [f"/{language}/check/?ruleset={key}&{hand}" for key in rules.rulesets()]
    assert links[: len(wanted)] == wanted
    assert all(client.get(link).status_code == 200 for link in wanted)
    assert not found(client, "123q 456z9", language).all("ul", "offers")


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_lead_to_where_it_is_told(client: Client, language: str):
    for words in ("bao", "seven pairs", "glossary", "check"):
        for address in addresses(found(client, words, language))[:6]:
            page, _, anchor = address.partition("#")
            response = client.get(page)
            assert response.status_code == 200, address
            if anchor:
                read(response.content.decode()).by_id(anchor)


def marks(tree: Element) -> list[str]:
    return [mark.text for mark in tree.all("mark", "found")]


@pytest.mark.parametrize(
    ("typed", "marked"),
    [
        ("qi dui", "qīduì"),
        ("seven pairs", "seven pairs"),
        ("听牌", "听牌"),
        ("zimo", "自摸"),
        ("TRIPLET", "triplet"),
    ],
)
def test_the_words_asked_for_are_marked(client: Client, typed: str, marked: str):
    assert marked in marks(found(client, typed)) + marks(found(client, typed, "zh-hans"))


def test_chinese_on_an_english_page_is_marked_as_such(client: Client):
    tree = found(client, "听牌")
    foreign = {id(e) for around in tree if (around.get("lang") or "").startswith("zh") for e in around}
    within = [e for e in tree.by_id("main") if any(isinstance(c, str) and "听" in c for c in e.children)]
    assert within
    assert all(id(e) in foreign for e in within)


def test_ten_of_a_kind_are_shown_and_all_of_them_on_asking(client: Client):
    tree = found(client, "gang")
    lists = tree.all("ol", "results")
    assert max(len(each.all("li")) for each in lists) == 10
    assert all(len(each.all("li")) <= 10 for each in lists)
    more = next(a["href"] for a in tree.all("a", "quiet") if "kind=rules" in a["href"])
    response = client.get(more)
    (only,) = read(response.content.decode()).all("ol", "results")
    assert len(only.all("li")) == len(places("gang", RULES)) > 10
    assert len(found(client, "gang", kind="mars").all("ol", "results")) == len(lists)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("typed", "meant"), [("qiduj", "qidui"), ("sevn pairs", "seven pairs"), ("liuliushum", "liuliushun")]
)
def test_a_near_spelling_is_offered_where_nothing_is_found(
    client: Client, typed: str, meant: str, language: str
):
    tree = found(client, typed, language)
    links = {a.text.lower(): a["href"] for a in tree.by_id("main").all("a")}
    assert meant in links
    assert addresses(read(client.get(links[meant]).content.decode()))
    assert {f"/{language}/glossary/", f"/{language}/rules/"} <= set(links.values())


def test_nothing_is_guessed_of_what_is_like_no_name(client: Client):
    assert not [a for a in found(client, "xzxzxzxz").by_id("main").all("a") if "q=" in a["href"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_search_says_what_can_be_found_and_its_examples_find(client: Client, language: str):
    examples = [a["href"] for a in found(client, "", language).by_id("main").all("a")]
    assert len(examples) >= 4
    for address in examples:
        main = read(client.get(address).content.decode()).by_id("main")
        assert main.all("ol", "results") or main.all("section", "answer"), address


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_too_long_or_unreadable_is_said_so(client: Client, language: str):
    number = Text("101 characters", "101个字符").in_language(language)
    (said,) = found(client, "x" * 101, language).all("p", "trouble")
    assert number in said.text
    assert found(client, "x" * 100, language).all("p", "trouble") == []
    response = client.get(f"/{language}/search/?q=%ff%fe")
    assert response.status_code == 200
    assert read(response.content.decode()).all("p", "trouble")
    many = "&".join(f"a{n}=1" for n in range(1500))
    assert client.get(f"/{language}/search/?{many}").status_code == 400


@pytest.mark.parametrize("typed", ["<script>alert(1)</script>", '"><img src=x>', "<b>gang</b>", "{{ 7 }}"])
def test_what_is_typed_is_only_text(client: Client, typed: str):
    markup = client.get(f"/en/search/?{urlencode({'q': typed})}").content.decode()
    tree = read(markup)
    assert tree.by_id("search-words")["value"] == typed
    assert typed in tree.all("h1")[0].text
    if "<" in typed:
        assert typed not in markup


def test_what_the_content_says_is_only_text_too(client: Client, monkeypatch: pytest.MonkeyPatch):
    said = Text("<b>One</b> gang & <i>more</i>", "<b>杠</b>")
    index = Index([Entry(PAGES, "check", said, said)])
    monkeypatch.setattr(search, "index_of", lambda stock: index)
    (result,) = found(client, "gang").all("ol", "results")
    assert not result.all("b") + result.all("i")
    assert result.text.count("<b>One</b> gang & <i>more</i>") == 2
    assert "<b>杠</b>" in result.text


def test_the_title_and_the_heading_tell_what_was_looked_for(client: Client):
    tree = found(client, "qidui")
    assert "qidui" in tree.all("title")[0].text
    assert "qidui" in tree.all("h1")[0].text


def test_no_search_asks_who_is_there(client: Client):
    response = client.get("/en/search/?q=qidui")
    assert not response.cookies


def test_a_hundred_random_texts_are_answered(client: Client):
    chance = Random(11)
    letters = [chr(code) for code in (*range(1, 0x250), *range(0x3000, 0x3400), *range(0x4E00, 0x5400))]
    for _ in range(100):
        typed = "".join(chance.choices(letters, k=chance.randint(1, 100)))
        assert client.get("/en/search/", {"q": typed}).status_code == 200


def test_an_index_is_made_once_for_a_shelf():
    assert index_of(shelf()) is index_of(shelf())
