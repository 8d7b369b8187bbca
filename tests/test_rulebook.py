"""The rules, a page each, tried out on hands; all of them on one; the glossary; the games side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import translation

import rules
from rules import Ruleset, Text, asking, regions
from tests.conftest import real_content
from tests.test_checker_page import Element, read
from tests.test_lesson_pages import page as kept_page
from tests.test_levels import tree_of
from tests.test_regions import TOY_FOLDER
from tutor.checker.templatetags.tiles import signed
from tutor.content import load
from tutor.content.build import Sample, Topic, pages_of
from tutor.content.claims import ASK, DEAL, GETS, HAND, SETTLE
from tutor.content.load import Content
from tutor.lessons.templatetags.lessons import line_of, plain_of, prose_of

GAMES = tuple(rules.rulesets().values())
TOPICS = {f"{topic.game.key}/{topic.about}": topic for topic in real_content().topics}
LANGUAGES = ("en", "zh-hans")
PASSES = {"en": "passes", "zh-hans": "符合"}
FAILS = {"en": "fails", "zh-hans": "不符合"}

each_rule = pytest.mark.parametrize("place", TOPICS)
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
in_both_languages = pytest.mark.parametrize("language", LANGUAGES)


@each_game
def test_no_two_rules_of_a_game_have_the_same_name(game: Ruleset) -> None:
    for language in ("en", "zh"):
        names = [getattr(each.name, language) for each in pages_of(game).values()]
        assert sorted(names) == sorted(set(names))


def page(client: Client, path: str, language: str = "en") -> Element:
    return kept_page(client, f"/{language}/{path}")


def in_language(text: Text, language: str) -> str:
    return " ".join(text.in_language(language).split())


def shown(text: Text, game: Ruleset | None, language: str) -> str:
    """A text of one line as the page shows it."""
    with translation.override(language):
        return read(line_of(text, game)).text


def leads(tree: Element, url: str = "") -> dict[str, str]:
    """Where the links of a page lead, with their words."""
    return {urlsplit(link["href"])._replace(query="").geturl() or url: link.text for link in tree.all("a")}


def without_spaces(text: str) -> str:
    return "".join(text.split())


# A rule's page


def sample_of(tree: Element, sample: Sample, topic: Topic, language: str) -> Element:
    """What a rule's page shows of an example."""
    words = shown(sample.words, topic.game, language)
    (found,) = [s for s in tree.all("section") if any(h.text == words for h in s.all("h3"))]
    return found


def met(topic: Topic, sample: Sample) -> bool | None:
    """Whether the engine finds a rule met, a pattern or an opening there; None for what the table says."""
    kind, _, key = topic.about.partition("/")
    if kind == "table":
        return None
    if kind == "opening":
        return key in [opening.key for opening, _ in sample.question.deal().openings]
    verdict = sample.question.verdict()
    if kind == "pattern":
        return key in verdict.patterns
    statuses = {finding.rule.key: finding.status for finding in verdict.findings}
    return statuses[key] in ("pass", "waived")


def engine_says(topic: Topic, sample: Sample) -> Iterator[Text]:
    """What the engine says of an example."""
    asked = sample.question
    if asked.kind in (ASK, GETS):
        yield from (reason.message for reason in asked.outcome().reasons)
    elif asked.kind == SETTLE:
        yield from (line.message for line in asked.settled().lines)
    elif asked.kind == DEAL:
        yield from (opening.name for opening, _ in asked.deal().openings)
    elif topic.about.startswith("win/"):
        key = topic.about.partition("/")[2]
        yield next(finding.message for finding in asked.verdict().findings if finding.rule.key == key)
    elif asked.verdict().wins and topic.about.startswith("pattern/"):
        verdict = asked.verdict()
        yield from (verdict.ruleset.pattern(key).name for key in verdict.patterns)


@each_rule
@in_both_languages
def test_a_rule_s_page_shows_each_example_with_what_the_engine_says_of_it(
    client: Client, shelved: None, place: str, language: str
) -> None:
    topic = TOPICS[place]
    tree = page(client, f"rules/{place}/", language)
    assert topic.samples
    for sample in topic.samples:
        section = sample_of(tree, sample, topic, language)
        result = met(topic, sample)
        words = [e.text for e in section.all() if e.tag in ("p", "strong", "span")]
        assert ((PASSES[language] in words), (FAILS[language] in words)) == (result is True, result is False)
        text = without_spaces(section.text)
        for message in engine_says(topic, sample):
            assert without_spaces(in_language(message, language)) in text
        if sample.question.kind == SETTLE:
            for points in sample.question.settled().payments:
                assert signed(points) in section.text
        if sample.question.kind == HAND:
            assert [link for link in section.all("a") if link["href"].startswith(f"/{language}/check/?")]


@each_rule
@in_both_languages
def test_a_rule_s_page_says_what_it_is_what_it_carries_and_where_tables_differ(
    client: Client, shelved: None, place: str, language: str
) -> None:
    topic, thing = TOPICS[place], pages_of(TOPICS[place].game)[TOPICS[place].about]
    tree = page(client, f"rules/{place}/", language)
    assert without_spaces(tree.all("h1")[0].text) == without_spaces(in_language(thing.name, language))
    (main,) = tree.all("main")
    text = without_spaces(main.text)
    with translation.override(language):
        assert without_spaces(read(prose_of(topic.text, topic.game)).text) in text
        title = f"{in_language(thing.name, language)} – {in_language(topic.game.name, language)} – Paili 牌理"
        assert tree.all("title")[0].text == title
        (description,) = [e["content"] for e in tree.all("meta") if e.get("name") == "description"]
        assert description == plain_of(topic.text, topic.game)
    cited = {f"/{language}/rules/{topic.game.key}/#{line}": line for line in thing.cites}
    linked = leads(main)
    assert cited.items() <= linked.items()
    for option in thing.options:
        assert without_spaces(in_language(option.name, language)) in text
        for choice in option.choices:
            assert without_spaces(in_language(choice.words, language)) in text
    if topic.step:
        chapter, _, slug = topic.step.partition("#")
        fragment = f"#{slug}" if slug else ""
        assert f"/{language}/learn/{topic.game.key}/{chapter}/{fragment}" in linked
    if topic.about.startswith("pattern/"):
        assert without_spaces(in_language(topic.game.measure.total(thing.worth), language)) in text


@each_rule
def test_what_a_rule_s_page_cites_are_lines_that_there_are(client: Client, shelved: None, place: str) -> None:
    lines = {line for game in GAMES for line in game.lines}
    tree = page(client, f"rules/{place}/")
    fragments = [urlsplit(a["href"]).fragment for a in tree.all("a") if a["href"].startswith("/en/rules/")]
    cited = [fragment for fragment in fragments if fragment[:3] in ("CC-", "CS-")]
    assert set(cited) <= lines
    for fragment in cited:
        game = next(game for game in GAMES if fragment in game.lines)
        assert f"/en/rules/{game.key}/#{fragment}" in leads(tree)


def test_an_example_under_a_house_rule_says_so(client: Client, shelved: None) -> None:
    found = 0
    for place, topic in TOPICS.items():
        for sample in topic.samples:
            if sample.question.options:
                found += 1
                section = sample_of(page(client, f"rules/{place}/"), sample, topic, "en")
                for key, value in sample.question.options.items():
                    option = next(option for option in sample.question.game.options if option.key == key)
                    assert without_spaces(option.choice(value).words.en) in without_spaces(section.text)
    assert found > 5


def test_a_question_to_the_table_shows_the_hands_that_it_is_about(client: Client, shelved: None) -> None:
    topic, sample = next(
        (topic, sample)
        for topic in TOPICS.values()
        for sample in topic.samples
        if sample.question.kind == GETS and len(sample.question.given["hands"]) > 1
    )
    section = sample_of(page(client, f"rules/{topic.game.key}/{topic.about}/"), sample, topic, "en")
    hands = section.all("span", "hand")
    assert len(hands) == len(sample.question.given["hands"])
    assert asking.told(sample.question.outcome().value) is not None


# All rules of a game


@each_game
@in_both_languages
def test_all_rules_of_a_game_are_on_one_page_each_with_its_link(
    client: Client, shelved: None, game: Ruleset, language: str
) -> None:
    tree = page(client, f"rules/{game.key}/", language)
    links = leads(tree)
    for about, thing in pages_of(game).items():
        words = links[f"/{language}/rules/{game.key}/{about}/"]
        assert without_spaces(words) == without_spaces(in_language(thing.name, language))
    listed = [d for d in tree.all("dl") for d in d.all("div")]
    assert len(listed) == len(pages_of(game))
    assert all(entry.all("dd")[0].text for entry in listed)


@each_game
def test_every_line_of_the_text_is_there_with_the_rules_that_carry_it_and_the_steps_that_teach_it(
    client: Client, shelved: None, game: Ruleset
) -> None:
    tree = page(client, f"rules/{game.key}/")
    taught: dict[str, set[str]] = {line: set() for line in game.lines}
    for chapter in real_content().chapters:
        for step in chapter.steps:
            for line in step.cites:
                if line in taught:
                    taught[line].add(f"/en/learn/{chapter.place}/#{step.slug}")
    rows = tree.all("tbody")[-1].all("tr")
    assert [row["id"] for row in rows] == list(game.lines)
    for row, line in zip(rows, game.lines, strict=True):
        carried, lessons = row.all("td")
        about = {f"/en/rules/{game.key}/{about}/" for about, t in pages_of(game).items() if line in t.cites}
        assert set(leads(carried)) == about
        assert carried.text == "background" or about
        assert set(leads(lessons)) == taught[line]
        assert taught[line]


def test_the_games_are_listed(client: Client, shelved: None) -> None:
    links = leads(page(client, "rules/"))
    for game in GAMES:
        assert links[f"/en/rules/{game.key}/"] == game.name.en
    assert {"/en/compare/", "/en/glossary/"} <= set(links)


# From verdicts to rules


@pytest.mark.parametrize(
    ("ruleset", "hand"),
    [
        ("changchun", "123m 456p 789s EEE 5p +5p"),
        ("changchun", "123m 456m 789p EEE 55p"),
        ("changchun", "147m 258p 369s ESWN +C"),
        ("changchun", "23456m 555p 77888s"),
        ("changsha", "123m 11456p 67789s +8s"),
        ("changsha", "2233445566778m +8m"),
        ("changsha", "22558m 2258p 2588s +5p"),
    ],
)
@in_both_languages
def test_every_rule_and_pattern_of_a_verdict_leads_to_its_page(
    client: Client, shelved: None, ruleset: str, hand: str, language: str
) -> None:
    game = rules.ruleset(ruleset)
    response = client.get(f"/{language}/check/", {"ruleset": ruleset, "hand": hand})
    verdict = game.judge(game.parse(hand))
    (answer,) = tree_of(response).all("article", "answer")
    links = leads(answer)
    expected = {f"win/{f.rule.key}": f.rule.name for f in verdict.findings}
    expected |= {f"pattern/{key}": game.pattern(key).name for key in verdict.patterns}
    for about, name in expected.items():
        words = links[f"/{language}/rules/{ruleset}/{about}/"]
        assert without_spaces(words) == without_spaces(in_language(name, language))
        heading = page(client, f"rules/{ruleset}/{about}/", language).all("h1")[0].text
        assert without_spaces(heading) == without_spaces(words)


# The glossary


@in_both_languages
def test_every_term_is_in_the_glossary_once_with_what_it_means(
    client: Client, shelved: None, language: str
) -> None:
    tree = page(client, "glossary/", language)
    assert len(real_content().terms) > 50
    for term in real_content().terms:
        entry = tree.by_id(term.slug)
        (name,), (meaning,) = entry.all("dt"), entry.all("dd")
        assert without_spaces(name.text).startswith(without_spaces(in_language(term.name, language)))
        assert term.pinyin in name.text
        assert term.han in name.text
        with translation.override(language):
            assert without_spaces(read(prose_of(term.short)).text) in without_spaces(meaning.text)
        assert {f"/{language}/rules/{place}/" for place in term.pages} <= set(leads(meaning))
        for mark in [e for e in name.all() if e.get("lang") == "zh-Latn"]:
            assert mark.text == term.pinyin


def test_terms_of_one_game_stand_under_its_name(client: Client, shelved: None) -> None:
    tree = page(client, "glossary/")
    for section in tree.all("main")[0].all("section"):
        heading = section.all("h2")[0].text
        slugs = {e["id"] for e in section.all("dl")[0].all("div") if e.get("id")}
        games = {game.name.en: game.key for game in GAMES}
        expected = {
            term.slug
            for term in real_content().terms
            if (games[heading] in term.games if heading in games else not term.games)
        }
        assert slugs == expected
        assert slugs


def test_a_term_s_rules_lead_back_from_no_other_page_than_theirs(client: Client, shelved: None) -> None:
    known = {f"{game.key}/{about}" for game in GAMES for about in pages_of(game)}
    assert all(set(term.pages) <= known for term in real_content().terms)
    assert sum(bool(term.pages) for term in real_content().terms) > 30


# The games side by side


@in_both_languages
def test_the_games_are_compared_point_by_point_and_hand_by_hand(
    client: Client, shelved: None, language: str
) -> None:
    plain: dict[str, Any] = real_content().pieces["compare"]
    tree = page(client, "compare/", language)
    key = "en" if language == "en" else "zh"
    (main,) = tree.all("main")
    text = without_spaces(main.text)
    for point in plain["points"]:
        (section,) = [s for s in main.all("section") if s.get("aria-labelledby") == point["slug"]]
        assert section.all("h2")[0]["id"] == point["slug"]
        for game in GAMES:
            assert in_language(game.name, language) in [h.text for h in section.all("h3")]
            said = Text(point[game.key]["en"], point[game.key]["zh"])
            with translation.override(language):
                assert without_spaces(read(prose_of(said)).text) in without_spaces(section.text)
        assert set(point.get("cites", ())) <= set(leads(section).values())
    for hand in plain["hands"]:
        words = shown(Text(hand["words"]["en"], hand["words"]["zh"]), None, language)
        (section,) = [s for s in main.all("section") if any(h.text == words for h in s.all("h3"))]
        for game in GAMES:
            verdict = game.judge(game.parse(hand["hand"]))
            assert without_spaces(in_language(verdict.summary, language)) in without_spaces(section.text)
    assert plain["title"][key] in [h.text for h in main.all("h1")]
    assert text


def test_a_point_cites_each_line_where_it_stands(client: Client, shelved: None) -> None:
    for url in leads(page(client, "compare/").all("main")[0]):
        fragment = urlsplit(url).fragment
        if fragment[:3] in ("CC-", "CS-"):
            owner = next(game for game in GAMES if fragment in game.lines)
            assert url == f"/en/rules/{owner.key}/#{fragment}"


# Without content


def test_a_rule_without_a_text_of_its_own_has_a_page_all_the_same(
    client: Client, db: None, fresh_shelf: None
) -> None:
    for place in (
        "changchun/win/triplet",
        "changsha/pattern/qidui",
        "changsha/opening/sixi",
        "changchun/table/reserve",
    ):
        game, _, about = place.partition("/")
        thing = pages_of(rules.ruleset(game))[about]
        tree = tree_of(client.get(f"/en/rules/{place}/"))
        assert without_spaces(tree.all("h1")[0].text) == without_spaces(thing.name.en)
        assert not tree.all("h3")


def test_a_rule_leads_to_the_step_that_teaches_it_first(client: Client, content: Content) -> None:
    url, place = "/en/rules/changchun/win/triplet/", "rule/changchun/win/triplet"
    cites = pages_of(rules.ruleset("changchun"))["win/triplet"].cites
    steps = [s for c in content.chapters if c.game.key == "changchun" for s in c.steps if s.cites]
    others = [step for step in steps if not set(step.cites) & set(cites)]
    for step in (others[0], others[-1]):
        pieces = dict(content.pieces)
        pieces[place] = {**pieces[place], "step": step.place.partition("/")[2]}
        load.store(Content(pieces=pieces))
        (main,) = tree_of(client.get(url)).all("main")
        taught = [u for u in leads(main) if u.startswith("/en/learn/") and "#" in u]
        chapter, _, slug = step.place.partition("#")
        assert taught[0] == f"/en/learn/{chapter}/#{slug}"
        assert len(taught) > 1


@pytest.mark.django_db
def test_the_comparison_stays_when_a_new_region_comes(
    client: Client, content: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regions, "__path__", [*regions.__path__, TOY_FOLDER])
    rules.rulesets.cache_clear()
    try:
        assert client.get("/en/compare/").status_code == 200
    finally:
        monkeypatch.undo()
        rules.rulesets.cache_clear()
