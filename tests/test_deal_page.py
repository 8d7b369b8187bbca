"""The deal's page: what dealt tiles hold, with and without htmx, in both languages."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

import rules
from rules import deal, notation
from tests.test_checker_page import (
    HTMX,
    RESTORE,
    Element,
    assert_valid,
    assert_valid_fragment,
    parts_of,
    read,
)
from tutor.deal.examples import examples

URLS = {"en": "/en/deal/", "zh-hans": "/zh-hans/deal/"}
SIXI = "2222m 13579p 1479s"

# Every state that the page can be in: what is asked, and the state of the answer.
STATES: dict[str, tuple[dict[str, Any], str]] = {
    "empty": ({}, "unfinished"),
    "a few tiles": ({"ruleset": "changsha", "tiles": "123m"}, "unfinished"),
    "one opening": ({"ruleset": "changsha", "tiles": SIXI}, "win"),
    "several, and ready": ({"ruleset": "changsha", "tiles": "2222m 555m 4477p 99p"}, "win"),
    "one twice": ({"ruleset": "changchun", "tiles": "ESWN ESWN 1m 2p 3s 55s"}, "win"),
    "ready alone": ({"ruleset": "changchun", "tiles": "234m 567p 34567s FF"}, "win"),
    "the dealer's": ({"ruleset": "changsha", "tiles": "12355m 456789p 789s"}, "win"),
    "nothing": ({"ruleset": "changsha", "tiles": "147m 258p 1469s 147s"}, "nothing"),
    "nothing for the dealer": ({"ruleset": "changchun", "tiles": "147m 258p 1469s 147s E"}, "nothing"),
    "a fifth copy": ({"ruleset": "changsha", "tiles": "22222m"}, "error"),
    "too many": ({"ruleset": "changsha", "tiles": "123456789m 123456p"}, "error"),
    "an unreadable character": ({"ruleset": "changsha", "tiles": "123m <x> & y"}, "error"),
    "a tile of another game": ({"ruleset": "changsha", "tiles": "123m E"}, "error"),
    "a meld": ({"ruleset": "changchun", "tiles": "123m (123p)"}, "error"),
    "a winning tile": ({"ruleset": "changchun", "tiles": "123m +1p"}, "error"),
    "too long": ({"ruleset": "changchun", "tiles": "1m" * 101}, "error"),
    "an unknown ruleset": ({"ruleset": "mars", "tiles": SIXI}, "error"),
    "an unknown option": ({"ruleset": "changsha", "tiles": SIXI, "option": "a=b"}, "error"),
    "a changed option": (
        {"ruleset": "changchun", "tiles": "1111m 234m 567p 123s", "option": "dadan-1m=yes"},
        "win",
    ),
}


def page(
    client: Client, query: dict[str, Any], language: str = "en", headers: dict[str, str] | None = None
) -> Element:
    response = client.get(URLS[language], query, headers=headers or {})
    assert response.status_code == 200
    return read(response.content.decode("utf-8"))


def state(tree: Element) -> str:
    (answer,) = tree.all("article", "answer")
    return " ".join(set(answer["class"].split()) - {"answer"})


def sentence(tree: Element) -> str:
    (said,) = tree.all("p", "sentence")
    return said.text


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize("name", STATES)
def test_a_page_is_sound_html_in_every_state(client: Client, name: str, language: str) -> None:
    query, expected = STATES[name]
    tree = page(client, query, language)
    assert_valid(tree)
    assert state(tree) == expected
    (root,) = tree.all("html")
    assert root["lang"] == language
    assert len(tree.all("h1")) == 1
    for tiles in tree.field("tiles"):
        assert tiles["value"] == query.get("tiles", "")


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize("name", STATES)
def test_what_htmx_gets_is_the_markup_that_the_page_holds(client: Client, name: str, language: str) -> None:
    query, _ = STATES[name]
    whole = page(client, query, language)
    fragment = page(client, query, language, HTMX)
    assert_valid_fragment(fragment)
    for key, part in parts_of(fragment).items():
        if key == "announce":
            assert part.children == whole.by_id(key).children
        else:
            assert part == whole.by_id(key)


def test_a_restored_page_is_the_whole_page(client: Client) -> None:
    query, _ = STATES["one opening"]
    assert page(client, query, headers=RESTORE) == page(client, query)


@pytest.mark.parametrize("headers", [{}, HTMX, RESTORE])
@pytest.mark.parametrize("query", [{}, {"do": "key:1m"}])
def test_caches_are_told_that_the_answer_depends_on_htmx(
    client: Client, headers: dict[str, str], query: dict[str, str]
) -> None:
    response = client.get(URLS["en"], query, headers=headers)
    assert "HX-Request" in [v.strip() for v in response["Vary"].split(",")]


@pytest.mark.parametrize("url", URLS.values())
def test_only_reading_is_allowed(client: Client, url: str) -> None:
    assert client.post(url, {"tiles": "1m"}).status_code == 405
    assert client.head(url).status_code == 200


@pytest.mark.parametrize(
    ("language", "words", "meaning"),
    [
        ("en", "This deal holds Sixi.", "four alike"),
        ("zh-hans", "起手有四喜。", "四张一样的"),
    ],
)
def test_an_opening_is_named_with_its_meaning_what_it_pays_and_its_sources(
    client: Client, language: str, words: str, meaning: str
) -> None:
    tree = page(client, {"ruleset": "changsha", "tiles": SIXI}, language)
    assert sentence(tree) == words
    (found,) = tree.all("ul", "findings")[0].all("li")
    assert meaning in found.text
    assert [cite.text for cite in found.all("span", "cites")[0].all("a")] == ["CS-5", "CS-9"]
    look = deal.look(rules.ruleset("changsha"), deal.read(rules.ruleset("changsha"), SIXI))
    ((_, (way,)),) = look.openings
    assert way.message.in_language(language) in found.text
    assert tree.by_id("announce").text == words


def test_the_tiles_of_an_opening_are_raised_in_the_hand(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "tiles": SIXI})
    hand = tree.all("span", "hand")[0]
    raised = [svg.all("use")[-1]["href"].rsplit("-", 1)[1] for svg in hand.all("svg", "raised")]
    assert raised == ["2m"] * 4


def test_the_tiles_of_an_opening_are_raised_as_something_good(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "tiles": SIXI})
    assert tree.all("span", "hand")[0]["class"] == "hand good"


def test_a_deal_with_nothing_shows_tiles_that_would_have_counted(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "tiles": "147m 258p 1469s 147s"})
    assert sentence(tree) == "Nothing to show in this deal."
    assert "What would have counted" in tree.text
    (listed,) = tree.all("ul", "plain")
    (sixi,) = [item for item in listed.all("li") if item.text.startswith("Sixi")]
    assert (
        sixi.all("span", "tiles")[0]["aria-label"]
        == "2 characters, 2 characters, 2 characters and 2 characters"
    )


def test_a_random_deal_can_be_undone_whatever_was_written(client: Client) -> None:
    dealt = followed(client, {"ruleset": "changsha", "tiles": "12m~3p", "do": "deal"})
    assert "was" not in dealt
    kept = followed(client, {"ruleset": "changsha", "tiles": "12m", "do": "deal"})
    assert kept["was"] == ["~12m"]


def test_a_missing_suit_is_shown_by_no_tile_and_raises_none(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "tiles": "1123467m 123479p"})
    assert not tree.all("svg", "raised")
    assert "Queyise" in sentence(tree)


def test_a_hand_ready_as_dealt_names_its_waits_and_what_that_is_good_for(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "tiles": "12355m 45678p 789s"})
    assert sentence(tree) == "No opening, but ready as dealt."
    assert "Dihu: ready as dealt, won on the dealer's first discard CS-13" in tree.text
    (waits,) = [e for e in tree.all("span", "tiles") if e.get("role") == "img"]
    assert waits["aria-label"] == "3 dots, 6 dots and 9 dots"
    for text in ("147m 258p 1469s 147s", SIXI):
        assert "Not ready as dealt" in page(client, {"ruleset": "changsha", "tiles": text}).text


def test_a_deal_with_nothing_lists_what_it_was_looked_through_for(client: Client) -> None:
    for game in rules.rulesets().values():
        tree = page(client, {"ruleset": game.key, "tiles": "147m 258p 1469s 147s"})
        (listed,) = tree.all("ul", "plain")
        assert [item.text.split(":")[0] for item in listed.all("li")] == [o.name.en for o in game.openings]


@pytest.mark.parametrize(
    ("tiles", "at", "rest"), [("55555m", "5", "m"), ("123m x", "x", ""), ("123m (123p)", "(", "123p)")]
)
def test_an_error_points_at_its_place_and_keeps_what_was_typed(
    client: Client, tiles: str, at: str, rest: str
) -> None:
    tree = page(client, {"ruleset": "changchun", "tiles": tiles})
    (mark,) = tree.all("mark")
    assert mark.text == at
    assert tree.all("p", "source")[0].text.endswith(at + rest)
    assert tree.by_id("tiles")["value"] == tiles


def test_fewer_tiles_say_how_many_are_missing(client: Client) -> None:
    assert sentence(page(client, {"ruleset": "changsha", "tiles": "123m"})) == "10 more tiles."
    assert sentence(page(client, {"ruleset": "changsha", "tiles": "123m 123456789p"})) == "1 more tile."


# Keys


def followed(client: Client, query: dict[str, Any]) -> dict[str, list[str]]:
    response = client.get(URLS["en"], query)
    assert response.status_code == 302
    found = parse_qs(urlsplit(response["Location"]).query, keep_blank_values=True)
    assert "do" not in found
    assert client.get(URLS["en"] + response["Location"]).status_code == 200
    return found


@pytest.mark.parametrize(
    ("tiles", "action", "made"),
    [
        ("", "key:1m", "1m"),
        ("23m", "key:1m", "123m"),
        ("1m", "out:1m", None),
        ("2222m 13579p 147s", "key:9s", SIXI),
        (SIXI, "key:9s", "2222m 13579p 14799s"),
        (SIXI, "clear", None),
        ("123m +9p", "key:1s", "123m 9p 1s"),
    ],
)
def test_a_press_leads_to_a_page_of_its_own_without_javascript(
    client: Client, tiles: str, action: str, made: str | None
) -> None:
    found = followed(client, {"ruleset": "changsha", "tiles": tiles, "do": action})
    assert found.get("tiles") == ([made] if made else None)
    again = followed(client, {k: v[0] for k, v in found.items()} | {"do": "undo"})
    assert again.get("tiles", [""]) == [tiles]


@pytest.mark.parametrize(("action", "number"), [("deal", 13), ("deal-dealer", 14)])
@pytest.mark.parametrize("ruleset", rules.rulesets())
def test_a_random_deal_is_one_of_the_games_own(
    client: Client, ruleset: str, action: str, number: int
) -> None:
    game = rules.ruleset(ruleset)
    seen = set()
    for _ in range(5):
        found = followed(client, {"ruleset": ruleset, "tiles": "1m", "do": action})
        hand = deal.read(game, found["tiles"][0])
        assert len(hand.tiles) == number
        assert found["tiles"] == [notation.write(hand)]
        seen.add(found["tiles"][0])
    assert len(seen) > 1


def test_a_key_that_can_not_be_pressed_says_why(client: Client) -> None:
    full = "2222m 13579p 14799s"
    tree = page(client, {"ruleset": "changsha", "tiles": full, "do": "key:1m"})
    assert tree.all("p", "notice")[0].text == "The hand is full: take a tile out first."
    assert tree.by_id("tiles")["value"] == full
    assert all(key.get("aria-disabled") for key in tree.all("button", "key"))
    four = page(client, {"ruleset": "changsha", "tiles": "2222m"})
    assert [key["id"] for key in four.all("button", "key") if key.get("aria-disabled")] == ["key-2m"]


@pytest.mark.parametrize("action", ["", "x", "chi:1m", "key:9z", "out:meld9", "out:win", "win:1m", "deal:9"])
def test_an_action_that_is_none_does_nothing(client: Client, action: str) -> None:
    found = followed(client, {"ruleset": "changsha", "tiles": "123m", "do": action})
    assert found["tiles"] == ["123m"]


def test_htmx_gets_its_address_and_the_new_text(client: Client) -> None:
    response = client.get(
        URLS["en"], {"ruleset": "changsha", "tiles": "1m", "do": ["key:2m", "key:3m"]}, headers=HTMX
    )
    assert response["HX-Push-Url"] == "/en/deal/?ruleset=changsha&tiles=123m"
    assert parts_of(read(response.content.decode()))["tiles"]["value"] == "123m"
    looked = client.get(URLS["en"], {"ruleset": "changsha", "tiles": "1m"}, headers=HTMX)
    assert looked["HX-Replace-Url"] == "/en/deal/?ruleset=changsha&tiles=1m"
    assert "tiles" not in parts_of(read(looked.content.decode()))


# Table rules


def test_table_rules_are_those_of_the_openings_and_change_what_a_deal_holds(client: Client) -> None:
    for game in rules.rulesets().values():
        tree = page(client, {"ruleset": game.key})
        asked = {e["name"] for e in tree.all("select")}
        assert asked == {f"rule-{option.key}" for o in game.openings for option in o.options}
    tiles = {"ruleset": "changchun", "tiles": "1111m 234m 567p 123s"}
    assert "Dadan" not in sentence(page(client, tiles))
    for chosen in ({"option": "dadan-1m=yes"}, {"rule-dadan-1m": "yes"}):
        tree = page(client, tiles | chosen)
        assert "Dadan" in sentence(tree)
        assert tree.all("details")[0].get("open") is not None
    response = client.get(
        URLS["en"], tiles | {"rule-dadan-1m": "yes", "rule-dadan": "dealt-only"}, headers=HTMX
    )
    assert response["HX-Replace-Url"].endswith("&option=dadan-1m%3Dyes")


def test_a_house_rule_that_is_not_asked_here_stays_in_the_form(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "tiles": SIXI, "option": "moments-need-258=no"})
    assert [e["value"] for e in tree.field("option")] == ["moments-need-258=no"]


# Examples


@pytest.mark.parametrize("game", rules.rulesets().values(), ids=lambda g: g.key)
def test_every_example_holds_something_and_every_opening_has_one(client: Client, game: rules.Ruleset) -> None:
    shown = set()
    for example in examples(game):
        look = deal.look(game, deal.read(game, example.tiles))
        shown |= {opening.key for opening, _ in look.openings}
        assert look.openings or look.is_ready
    assert shown == {opening.key for opening in game.openings}
    tree = page(client, {"ruleset": game.key})
    links = [a["href"] for a in tree.all("section", "examples")[0].all("a")]
    assert len(links) == len(examples(game))
    for link in links:
        assert state(read(client.get(URLS["en"] + link).content.decode())) == "win"


def test_the_language_link_keeps_the_deal(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "tiles": SIXI})
    (link,) = tree.by_id("language").all("a")
    assert link["href"] == "/zh-hans/deal/?ruleset=changsha&tiles=2222m+13579p+1479s"


def test_more_fields_than_are_read_are_refused_and_not_a_server_error(client: Client) -> None:
    assert client.get(URLS["en"], QUERY_STRING="&".join(["do=key:1m"] * 1001)).status_code == 400
    assert client.get(URLS["en"], {"do": ["key:1m"] * 900}).status_code in (200, 302)
