"""What the checker's page says beside a verdict: ways out of an error, what is assumed or was replaced."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from django.test import Client

import rules
from rules import HandError
from tests.test_api import CC, CS
from tests.test_checker_page import HTMX, Element, assert_valid, page, parts_of, sent, sentences, states
from tutor import answers, house

in_both_languages = pytest.mark.parametrize("language", ["en", "zh-hans"])
UNMARKED = {"ruleset": "changchun", "hand": "123m 45556p 789s SSS"}


def press(client: Client, query: dict[str, Any], value: str) -> Element:
    """The page after a press, without JavaScript."""
    return sent(client, {**query, "do": value})


# The tile it was won with


def test_a_win_without_its_tile_asks_for_it_and_a_press_sets_it_apart(client: Client) -> None:
    tree = page(client, UNMARKED)
    assert_valid(tree)
    (asked,) = tree.all("div", "last-tile")
    assert "Which tile was it won with?" in asked.text
    buttons = asked.all("button")
    assert [b["value"] for b in buttons] == [
        f"win:{code}" for code in ("1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "S")
    ]
    after = press(client, UNMARKED, "win:9s")
    assert after.by_id("hand")["value"] == "123m 45556p 78s SSS +9s"
    assert states(after) == ["win"]
    assert not after.all("div", "last-tile")


@pytest.mark.parametrize("hand", [CC, "123m 45556p 78s SSS", "147m 258p 369s ESWN C"])
def test_nobody_is_asked_for_it_else(client: Client, hand: str) -> None:
    assert not page(client, {"ruleset": "changchun", "hand": hand}).all("div", "last-tile")


@pytest.mark.parametrize(
    ("hand", "count"),
    [("123m 45556p 789s SSS", "14 tiles"), ("123m", "3 of 13"), (CC, "13 + the winning tile")],
)
def test_tiles_are_counted_as_they_are(client: Client, hand: str, count: str) -> None:
    assert page(client, {"ruleset": "changchun", "hand": hand}).all("p", "count")[0].text == count


@pytest.mark.parametrize("hand", [CC, "123m 45556p 78s SSS +8s"])
def test_the_last_tile_is_not_said_to_win(client: Client, hand: str) -> None:
    for language, words in (("en", "last tile"), ("zh-hans", "最后一张")):
        tree = page(client, {"ruleset": "changchun", "hand": hand}, language)
        assert tree.all("span", "tag")[0].text == words


# A tile in another's place


def test_a_fifteenth_tile_says_whose_place_it_took_and_the_verdict_too(client: Client) -> None:
    query = {"ruleset": "changchun", "hand": "123m 45556p 78s SSS +8s", "do": "key:9s"}
    for headers in ({}, HTMX):
        tree = page(client, query, headers=headers)
        assert tree.by_id("hand")["value"] == CC
        (brief,) = tree.all("div", "brief")
        assert brief.all("p", "notice")[0].text == "Winning tile is now 9条; it was 8条."
        assert "A win: 3 fan." in brief.text
        assert tree.by_id("announce").text == "Winning tile is now 9条; it was 8条. A win: 3 fan."
    tree = page(client, query, "zh-hans")
    assert tree.all("p", "notice")[0].text == "最后一张换成了9条，原来是8条。"


@pytest.mark.parametrize("action", ["win:9s", "key:8s", "out:win", "out:1m"])
def test_what_was_asked_for_is_no_news(client: Client, action: str) -> None:
    tree = press(client, {"ruleset": "changchun", "hand": "123m 45556p 78s SSS +8s"}, action)
    assert not tree.all("p", "notice")


# Circumstances that can't be


@pytest.mark.parametrize(
    ("given", "game", "words"),
    [
        ({"moments": "tianhu"}, "changsha", "Set it to: self-draw, won by the dealer"),
        ({"moments": "haidipao", "by": "self-draw"}, "changsha", "Set it to: discard"),
        ({"moments": "dihu", "from": "2"}, "changsha", "Set it to: discarded by the dealer"),
        ({"moments": "gangshanghua"}, "changsha", "Leave out the situation"),
        ({"seat": "2", "from": "2"}, "changsha", "Set it to: won by the player after the dealer"),
        ({"by": "self-draw", "from": "2"}, "changsha", "Leave out who discarded"),
        ({"birds": "E"}, "changsha", "Leave out the birds"),
        ({"by": "bao-match", "bao": "9s"}, "changchun", "Set it to: ready (听) declared"),
    ],
)
def test_circumstances_that_can_not_be_offer_the_nearest_that_can(
    client: Client, given: dict[str, str], game: str, words: str
) -> None:
    query = {"ruleset": game, "hand": CC if game == "changchun" else CS, **given}
    for language in ("en", "zh-hans"):
        tree = page(client, query, language)
        assert_valid(tree)
        assert states(tree) == ["error"]
        (link,) = tree.all("article")[0].all("p", "ends")[0].all("a")
        assert language != "en" or link.text == words
        there = dict(parse_qsl(link["href"][1:]))
        assert there["hand"] == query["hand"]
        assert states(page(client, there, language)) != ["error"]


def test_the_way_out_keeps_the_rules_of_the_table(client: Client) -> None:
    query = {"ruleset": "changsha", "hand": CS, "moments": "tianhu", "option": "birds=1"}
    (link,) = page(client, query).all("article")[0].all("p", "ends")[0].all("a")
    assert parse_qs(link["href"][1:])["option"] == ["birds=1"]


@pytest.mark.parametrize("by", ["", "discard", "self-draw", "robbed-gang"])
@pytest.mark.parametrize("game", rules.rulesets().values(), ids=lambda g: g.key)
def test_every_situation_that_can_not_be_has_a_way_out(client: Client, game: rules.Ruleset, by: str) -> None:
    hand = CC if game.key == "changchun" else CS
    for moment in [p.key for p in game.patterns if p.is_moment] if "moments" in game.inputs else [""]:
        query = {"ruleset": game.key, "hand": hand, **({"moments": moment} if moment else {}), "by": by}
        tree = page(client, query)
        if states(tree) == ["error"]:
            (link,) = tree.all("article")[0].all("p", "ends")[0].all("a")
            assert states(page(client, dict(parse_qsl(link["href"][1:])))) != ["error"]


# Tiles of another game


@in_both_languages
def test_a_tile_that_one_of_two_games_lacks_is_no_fault_of_the_hand(client: Client, language: str) -> None:
    tree = page(client, {"ruleset": "both", "hand": "234m 567p 34567s FF +8s"}, language)
    words = {"en": "Changsha has no Green (发).", "zh-hans": "长沙没有发财。"}[language]
    assert sentences(tree)[1] == words
    assert not [b for b in tree.all("button") if b.get("value") == "strays"]
    assert [e["class"] for e in tree.all("p", "sentence")] == ["sentence", "sentence calm"]


@pytest.mark.parametrize(
    ("hand", "words", "left"),
    [
        ("123m 456p FF EE", "Take out East (东) and Green (发)", "123m 456p"),
        ("123m 红中", "Take out Red (中)", "123m"),
        ("123m (CCC) +F", "Take out Green (发) and peng of Red dragon", "123m"),
        ("123m {1m1p1s} +9s", "Take out", "123m +9s"),
    ],
)
def test_one_press_takes_out_what_this_game_has_not(client: Client, hand: str, words: str, left: str) -> None:
    query = {"ruleset": "changsha", "hand": hand}
    tree = page(client, query)
    assert_valid(tree)
    (button,) = [b for b in tree.all("button") if b.get("value") == "strays"]
    assert button.text.startswith(words)
    after = press(client, query, "strays")
    assert after.by_id("hand")["value"] == left
    assert states(after) == ["unfinished"]


# How near it is


def test_discards_that_are_all_alike_or_far_from_ready_are_not_ranked(client: Client) -> None:
    far = page(client, {"ruleset": "changchun", "hand": "147m 258p 369s ESWN +C"})
    assert far.all("section", "nearer")
    assert not far.all("ul", "draws")
    near = page(client, {"ruleset": "changsha", "hand": "123m 11456p 67789s +8s"})
    assert near.all("ul", "draws")


# What is paid


@in_both_languages
def test_payments_say_what_they_assume_until_somebody_says_it(client: Client, language: str) -> None:
    query = {"ruleset": "changchun", "hand": CC}
    tree = page(client, query, language)
    (line,) = tree.all("p", "assumed")
    words = {
        "en": "Assuming: discard by the dealer, won by the player after the dealer – change",
        "zh-hans": "没说怎么胡的，先按庄家点炮、庄家的下家胡来算 – 改一下",
    }
    assert line.text == words[language]
    assert line.all("a")[0]["href"] == "#circumstances"
    for given in ({"by": "self-draw"}, {"seat": "0"}, {"from": "2"}):
        assert not page(client, query | given, language).all("p", "assumed")


@in_both_languages
def test_a_bao_that_does_not_count_is_said_so(client: Client, language: str) -> None:
    query = {"ruleset": "changchun", "hand": "456m 45556p 89s SSS +2m", "by": "self-draw", "bao": "2m"}
    words = {"en": "The bao does not count: ready (听) was not declared.", "zh-hans": "没有报听，宝牌不算。"}
    assert page(client, query, language).all("p", "idle")[0].text == words[language]
    for given in ({"listening": "1"}, {"bao": "3m"}, {"by": "discard"}):
        assert not page(client, query | given, language).all("p", "idle")


# Table rules


@pytest.mark.parametrize("game", rules.rulesets().values(), ids=lambda g: g.key)
def test_the_rules_put_aside_change_nothing_here(game: rules.Ruleset) -> None:
    (panel,) = house.panels([game])
    assert panel.judging
    assert panel.others
    path = Path(__file__).parent / "data" / "known_hands.json"
    hands = [h["hand"] for h in json.loads(path.read_text())["hands"] if h["ruleset"] == game.key][:60]
    others = [f"{s.rule.key}={c.key}" for s in panel.others for c in s.rule.choices[1:]]

    def said(hand: str, given: dict[str, str], options: list[str]) -> object:
        try:
            verdict = answers.judge(game.key, hand, given, options)
        except HandError as error:
            return error.message
        return verdict.summary, verdict.findings and [f.message for f in verdict.findings], verdict.lines

    for hand in hands:
        for given in ({}, {"by": "self-draw"}, {"by": "robbed-gang", "seat": "0"}):
            usual = said(hand, given, [])
            for option in others:
                assert said(hand, given, [option]) == usual, (hand, option)


def test_a_changed_rule_that_is_put_aside_is_counted_and_kept(client: Client) -> None:
    query = {"ruleset": "changchun", "hand": CC, "option": "first-taker=x"}
    game = rules.ruleset("changchun")
    rule = next(option for option in game.options if option.key == "first-taker")
    query["option"] = f"first-taker={rule.choices[1].key}"
    tree = page(client, query)
    (others,) = tree.all("details", "others")
    assert "1 changed" in others.all("summary")[0].text
    response = client.get("/en/check/", query, headers=HTMX)
    assert parse_qs(urlsplit(response["HX-Replace-Url"]).query)["option"] == [query["option"]]


# Words


def test_one_reading_is_not_counted(client: Client) -> None:
    assert "How it is read" in page(client, {"ruleset": "changchun", "hand": CC}).text
    assert "拆法" in page(client, {"ruleset": "changchun", "hand": CC}, "zh-hans").text
    assert "1种拆法" not in page(client, {"ruleset": "changchun", "hand": CC}, "zh-hans").text


@pytest.mark.parametrize("address", ["check", "deal"])
def test_examples_of_writing_are_in_the_readers_and_the_games_words(client: Client, address: str) -> None:
    for game in rules.rulesets().values():
        text = client.get(f"/zh-hans/{address}/", {"ruleset": game.key}).content.decode()
        example = {
            "check": "一二三五五万 四五六七八{0} 七七七条 +九{0}",
            "deal": "二二二二万 一三五七九{0} 一四七九条",
        }
        assert example[address].format(game.tiles.suits["p"]) in text
        part = client.get(f"/zh-hans/{address}/", {"ruleset": game.key}, headers=HTMX).content.decode()
        assert example[address].format(game.tiles.suits["p"]) in part


def test_htmx_gets_the_navigation_with_the_game(client: Client) -> None:
    fragment = page(client, {"ruleset": "changsha"}, headers=HTMX)
    links = [a["href"] for a in parts_of(fragment)["pages"].all("a")]
    assert links[3:6] == [f"/en/{name}/?ruleset=changsha" for name in ("check", "deal", "settle")]
