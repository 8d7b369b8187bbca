"""The settlement's page: from its form to who pays whom, with and without htmx, in both languages."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest
from django.http import QueryDict
from django.test import Client

import rules
from tests.test_checker_page import HTMX, Element, assert_valid, form_of, read
from tutor import answers
from tutor.settle import form as forms
from tutor.settle.examples import examples

URLS = {"en": "/en/settle/", "zh-hans": "/zh-hans/settle/"}
CC = "123m 45556p 78s SSS +9s"
CS = "12355m 45678p 789s +9p"
CC_WIN = {"ruleset": "changchun", "from": "0", "seat": "1", "hand": CC}
CS_WIN = {"ruleset": "changsha", "from": "0", "seat": "1", "hand": CS}

# Every state of the page: what is asked, and the state of the answer.
STATES: dict[str, tuple[dict[str, Any], str]] = {
    "empty": ({}, "unfinished"),
    "empty in Changsha": ({"ruleset": "changsha"}, "unfinished"),
    "a win": (CC_WIN, "win"),
    "a win by its worth": ({"ruleset": "changchun", "by": "self-draw", "seat": "0", "worth": "4"}, "win"),
    "a small win by its worth": ({"ruleset": "changsha", "from": "2", "seat": "1", "worth": "0"}, "win"),
    "birds and openings": (CS_WIN | {"birds": "2m, 3p", "opening": ["3:sixi", "0:queyise"]}, "win"),
    "two winners": (CS_WIN | {"seat2": "2", "worth2": "1"}, "win"),
    "a gang in the hand": (CC_WIN | {"hand": "23488m 567p 34s {CFP} +5s"}, "win"),
    "gangs": (
        CC_WIN
        | {
            "gang1-seat": "2",
            "gang1-kind": "xuanfenggang",
            "gang1-added": "E",
            "gang2-seat": "0",
            "gang2-kind": "concealed",
            "gang2-tile": "9m",
            "option": "direct-gang-pays=discarder",
        },
        "win",
    ),
    "the bao": (
        {
            "ruleset": "changchun",
            "by": "self-draw",
            "seat": "1",
            "hand": "456m 45556p 89s SSS +2m",
            "listening": "1",
            "bao": "2m",
        },
        "win",
    ),
    "a draw": ({"ruleset": "changchun", "by": "draw"}, "win"),
    "a draw with the last tile": ({"ruleset": "changsha", "by": "draw", "offered": "2", "taker": "3"}, "win"),
    "not a win": (CC_WIN | {"hand": "123m 456p 45789s EE +6s"}, "error"),
    "an unreadable hand": (CC_WIN | {"hand": "123m <x> & y"}, "error"),
    "the hand and its worth": (CC_WIN | {"worth": "3"}, "error"),
    "a worth that is no number": (CS_WIN | {"hand": "", "worth": "many"}, "error"),
    "the winner's own tile": (CC_WIN | {"seat": "0"}, "error"),
    "unreadable birds": (CS_WIN | {"birds": "2m x"}, "error"),
    "too many birds": (CS_WIN | {"birds": "1m 2m 3m"}, "error"),
    "a bird of no such tile": (CS_WIN | {"birds": "E"}, "error"),
    "a gang without a tile": (CC_WIN | {"gang1-kind": "exposed", "gang1-seat": "1"}, "unfinished"),
    "an added tile that does not belong": (
        CC_WIN | {"gang1-kind": "xigang", "gang1-seat": "1", "gang1-added": "1m"},
        "error",
    ),
    "more tiles than there are": (
        CC_WIN | {"gang1-kind": "concealed", "gang1-seat": "2", "gang1-tile": "S"},
        "error",
    ),
    "an unknown ruleset": (CC_WIN | {"ruleset": "mars"}, "error"),
    "an unknown option": (CC_WIN | {"option": "a=b"}, "error"),
    "an unknown way": (CC_WIN | {"by": "magic"}, "error"),
    "an unknown seat": (CC_WIN | {"seat": "7"}, "error"),
    "another game's field": (CS_WIN | {"bao": "2m"}, "error"),
    "an opening that is a win": (CS_WIN | {"opening": "0:tianhu"}, "error"),
}


def page(client: Client, query: Any, language: str = "en", headers: dict[str, str] | None = None) -> Element:
    if isinstance(query, str):
        response = client.get(f"{URLS[language]}?{query}", headers=headers or {}, follow=True)
    else:
        response = client.get(URLS[language], query, headers=headers or {}, follow=True)
    assert response.status_code == 200
    return read(response.content.decode("utf-8"))


def state(tree: Element) -> str:
    (answer,) = tree.all("article", "settled")
    return " ".join(set(answer["class"].split()) - {"answer", "settled"})


def sentences(tree: Element) -> list[str]:
    return [e.text for e in tree.all("p", "sentence")]


def totals(tree: Element) -> list[int]:
    """What each seat gains or loses, in the order of the seats."""
    (table,) = tree.all("table", "sums")
    return [int(cell.text.replace("−", "-")) for cell in table.all("td")]


def owed(tree: Element) -> list[tuple[str, str, str]]:
    """Who pays whom, how much, and why."""
    (table,) = tree.all("table", "owed")
    found = []
    for body in table.all("tbody"):
        first, second = body.all("tr")
        found.append((first.all("th")[0].text, first.all("td")[0].text, second.text))
    return found


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize("name", STATES)
def test_a_page_is_sound_html_in_every_state(client: Client, name: str, language: str) -> None:
    query, expected = STATES[name]
    tree = page(client, query, language)
    assert_valid(tree)
    assert state(tree) == expected
    assert len(tree.all("h1")) == 1
    if expected == "win":
        assert sum(totals(tree)) == 0


# A link may hold what no field can: then the form asks something else.
NO_FIELD = {
    "an unknown ruleset",
    "an unknown way",
    "an unknown seat",
    "another game's field",
    "an opening that is a win",
}


@pytest.mark.parametrize("name", [name for name in STATES if name not in NO_FIELD])
def test_what_was_entered_is_kept(client: Client, name: str) -> None:
    """What the form would send asks the same again."""
    query, expected = STATES[name]
    tree = page(client, query)
    sent = [pair for pair in sent_by(tree) if pair[0] != "shown"]
    again = page(client, urlencode(sent))
    assert state(again) == expected
    assert sentences(again) == sentences(tree)
    for key, value in query.items():
        if key in ("hand", "worth", "birds", "hand2", "worth2", "gang1-added"):
            assert entered(tree, key) == value.replace(",", "")


def entered(tree: Element, key: str) -> str:
    """What a field shows; of birds, what their lists show together."""
    if tree.by_id(key).tag == "input":
        return tree.by_id(key)["value"]
    lists = [e for e in tree if e.tag == "select" and e.get("name") == key]
    return " ".join(o["value"] for e in lists for o in e.all("option") if "selected" in o.attributes)


def sent_by(tree: Element) -> list[tuple[str, str]]:
    """What the settlement's form would send, the buttons aside."""
    form = tree.by_id("settlement")
    sent = []
    for e in form:
        name = e.get("name")
        if e.tag == "input" and name:
            if e.get("type") not in ("radio", "checkbox") or "checked" in e.attributes:
                sent.append((name, e.get("value") or ""))
        elif e.tag == "select" and name:
            options = e.all("option")
            chosen = [o for o in options if "selected" in o.attributes] or options[:1]
            sent.append((name, chosen[0]["value"]))
    return sent


@pytest.mark.parametrize("url", URLS.values())
def test_only_reading_is_allowed(client: Client, url: str) -> None:
    assert client.post(url, CC_WIN).status_code in (403, 405)
    assert client.head(url, CC_WIN).status_code == 200


# What comes of it


@pytest.mark.parametrize("name", [name for name, (_, expected) in STATES.items() if expected == "win"])
def test_the_page_says_what_the_engine_says(client: Client, name: str) -> None:
    query, _ = STATES[name]
    params = QueryDict(urlencode(query, doseq=True))
    game = answers.game_of(params["ruleset"], params.getlist("option"))
    built = forms.scenario(forms.read(params, game))
    settled = answers.settle(built.scenario, game.key, params.getlist("option"))
    tree = page(client, query)
    assert totals(tree) == list(settled.payments)
    for reason in settled.deals_next.reasons:
        assert reason.message.en in tree.text
    said = [why for _, _, why in owed(tree)] if settled.lines else []
    for line in settled.lines:
        assert any(why.startswith(line.message.en) for why in said)
    paid = sum(int(re.match(r"\d+", points)[0]) for _, points, _ in owed(tree)) if said else 0  # type: ignore[index]
    assert paid <= sum(line.points for line in settled.lines)


@pytest.mark.parametrize(
    ("language", "words", "line", "why"),
    [
        ("en", "Next after dealer wins: 3 fan.", "dealer →pays next after dealer", "Discarded: 3 fan"),
        ("zh-hans", "庄家的下家胡了：3番。", "庄家 →付给 庄家的下家", "点炮：3番"),
    ],
)
def test_a_win_says_who_won_who_pays_and_why(
    client: Client, language: str, words: str, line: str, why: str
) -> None:
    tree = page(client, CC_WIN, language)
    assert sentences(tree) == [words]
    ((who, points, reason),) = owed(tree)
    assert (who.replace(" ", ""), points) == (line.replace(" ", ""), "3")
    assert reason.startswith(why)
    assert totals(tree) == [-3, 3, 0, 0]


def test_those_who_pay_the_same_for_the_same_stand_in_one_line(client: Client) -> None:
    tree = page(client, {"ruleset": "changchun", "by": "self-draw", "seat": "0", "worth": "4"})
    ((who, points, _),) = owed(tree)
    assert who.startswith("next after dealer, opposite dealer and before dealer")
    assert points == "4 each"
    assert totals(tree) == [12, -4, -4, -4]


def test_an_empty_page_lists_what_is_still_to_be_said(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha"})
    asked = [a["href"] for a in tree.all("article", "settled")[0].all("a")]
    assert asked == ["#from", "#seat", "#hand"]
    drawn = page(client, {"ruleset": "changsha", "by": "self-draw"})
    assert [a["href"] for a in drawn.all("article", "settled")[0].all("a")] == ["#seat", "#hand"]


def test_a_page_asks_only_what_its_game_uses(client: Client) -> None:
    for game in rules.rulesets().values():
        names = {e.get("name") for e in page(client, {"ruleset": game.key})}
        assert ("bao" in names, "listening" in names) == ("bao" in game.inputs, "listening" in game.inputs)
        assert ("birds" in names) == (game.table.most_birds > 0)
        assert ("moments" in names) == ("moments" in game.inputs)
        assert ("opening" in names) == game.table.pays_openings
        assert ("offered" in names) == game.table.offers_last_tile
        tree = page(client, {"ruleset": game.key})
        ids = {e.get("id") for e in tree}
        assert ("add-win" in ids) == game.table.several_winners
        assert ("add-gang" in ids) == game.table.pays_gangs


def test_house_rules_are_all_asked_and_change_what_is_asked(client: Client) -> None:
    for game in rules.rulesets().values():
        names = {e.get("name") for e in page(client, {"ruleset": game.key})}
        assert {f"rule-{option.key}" for option in game.options} <= names
    nearest = page(client, {"ruleset": "changsha", "rule-several-winners": "nearest", "rule-birds": "0"})
    names = {e.get("name") for e in nearest}
    assert "birds" not in names
    assert "add-win" not in {e.get("id") for e in nearest}


def test_a_house_rule_changes_what_is_paid(client: Client) -> None:
    for chosen in ({"option": "points=doubling"}, {"rule-points": "doubling"}):
        assert totals(page(client, CC_WIN | chosen)) == [-4, 4, 0, 0]


def test_whose_discard_made_a_gang_is_asked_only_where_it_matters(client: Client) -> None:
    gang = {"gang1-kind": "exposed", "gang1-seat": "2", "gang1-tile": "9m"}
    assert "gang1-from" not in {e.get("name") for e in page(client, CC_WIN | gang)}
    tree = page(client, CC_WIN | gang | {"gang1-from": "3", "option": "direct-gang-pays=discarder"})
    assert "gang1-from" in {e.get("name") for e in tree}
    assert totals(tree) == [-3, 3, 1, -1]


def test_gangs_of_the_winning_hand_are_paid_and_the_page_says_so(client: Client) -> None:
    hand = {"hand": "23488m 567p 34s {CFP} +5s"}
    tree = page(client, CC_WIN | hand)
    assert "Taken from the winning hand and paid as well:" in tree.text
    assert totals(tree) == [-3, 5, -1, -1]
    listed = CC_WIN | hand | {"gang1-kind": "xigang", "gang1-seat": "1"}
    again = page(client, listed)
    assert "Taken from the winning hand" not in again.text
    assert totals(again) == [-3, 5, -1, -1]
    others = CC_WIN | hand | {"gang1-kind": "jiudan", "gang1-seat": "1"}
    assert totals(page(client, others)) == [-4, 8, -2, -2]


def test_a_dealt_dadan_is_worth_more_when_it_is_said(client: Client) -> None:
    gang = {"by": "draw", "ruleset": "changchun", "gang1-kind": "concealed", "gang1-seat": "0"}
    assert totals(page(client, gang | {"gang1-tile": "C"})) == [6, -2, -2, -2]
    assert totals(page(client, gang | {"gang1-tile": "C", "gang1-dealt": "1"})) == [12, -4, -4, -4]


def test_the_box_for_four_that_were_dealt_names_what_they_make(client: Client) -> None:
    gang = {"by": "draw", "ruleset": "changchun", "gang1-kind": "concealed", "gang1-seat": "0"}
    for language, words in (("en", "All four were dealt (Dadan)"), ("zh-hans", "起手四张（大蛋）")):
        labels = [e.text for e in page(client, gang, language).all("label")]
        assert words in labels


def test_several_winners_of_one_tile_are_each_paid(client: Client) -> None:
    tree = page(client, CS_WIN | {"seat2": "2", "worth2": "1"})
    assert sentences(tree) == ["Next after dealer wins: a small win.", "Opposite dealer wins: 1 big win."]
    assert totals(tree) == [-9, 2, 7, 0]
    assert "2 players won on one tile" in tree.text


def test_both_tiles_of_an_opened_gang_are_two_entries_of_one_seat(client: Client) -> None:
    both = {"ruleset": "changsha", "from": "0", "seat": "1", "worth": "1", "seat2": "1", "worth2": "2"}
    assert totals(page(client, both)) == [-21, 21, 0, 0]


def test_a_draw_says_who_deals_next_and_why(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "by": "draw", "offered": "2", "taker": "3"})
    assert sentences(tree) == ["Nobody won."]
    assert "whoever took the last tile deals next" in tree.text
    unsaid = page(client, {"ruleset": "changsha", "by": "draw"})
    assert "the table decides" in unsaid.text
    assert unsaid.by_id("next").all("option")


@pytest.mark.parametrize("birds", ["2m,3p", "2m 3p", "2m，3p", "2万、3筒", "2m3p", "2M 3P".lower()])
def test_birds_are_read_however_they_are_set_apart(client: Client, birds: str) -> None:
    assert totals(page(client, CS_WIN | {"birds": birds})) == totals(
        page(client, CS_WIN | {"birds": "2m,3p"})
    )


# Errors


@pytest.mark.parametrize(
    ("name", "field", "mark"),
    [
        ("not a win", "hand", None),
        ("an unreadable hand", "hand", "<"),
        ("the hand and its worth", "worth", None),
        ("a worth that is no number", "worth", None),
        ("unreadable birds", "birds", None),
        ("too many birds", "birds", None),
        ("a bird of no such tile", "birds", None),
        ("an added tile that does not belong", "gang1-added", None),
    ],
)
def test_an_error_stands_beside_its_field_and_points_at_the_place(
    client: Client, name: str, field: str, mark: str | None
) -> None:
    tree = page(client, STATES[name][0])
    (message,) = sentences(tree)
    assert tree.by_id(f"{field}-error").text == message
    assert tree.by_id(field)["aria-invalid"] == "true"
    assert f"{field}-error" in tree.by_id(field)["aria-describedby"].split()
    assert [e["id"] for e in tree if e.get("aria-invalid")] == [field]
    assert [e.text for e in tree.all("mark")] == ([mark] if mark else [])


def test_the_second_winner_is_named_where_the_second_is_wrong(client: Client) -> None:
    tree = page(client, CS_WIN | {"seat2": "2", "hand2": "123m x"})
    assert [e["id"] for e in tree if e.get("aria-invalid")] == ["hand2"]
    assert tree.all("mark")[0].text == "x"


def test_a_hand_that_does_not_win_leads_to_the_checker(client: Client) -> None:
    tree = page(client, STATES["not a win"][0])
    (link,) = [a["href"] for a in tree.all("article", "settled")[0].all("a")]
    shown = read(client.get(link).content.decode())
    assert sentences(shown) == sentences(tree)


@pytest.mark.parametrize(
    "query",
    [
        {"seat": "1" * 5000},
        {"worth": "9" * 400},
        {"worth": "-3"},
        {"worth": "１"},
        {"worth": "1e3"},
        {"from": "x", "seat": "y", "hand": "\x00"},
        {"gang1-kind": "x" * 500, "gang1-seat": "1", "gang1-tile": "(1m)"},
        {"gang1-kind": "exposed", "gang1-seat": "1", "gang1-tile": "zz"},
        {"opening": ["", ":", "0:", "9:sixi"]},
        {"birds": "+1m"},
        {"birds": "(111m)"},
        {"moments": "x,y"},
        {"listening": "maybe"},
        {"offered": "x", "by": "draw"},
        {"by": "draw", "taker": "9", "offered": "1"},
        {"do": ["add-win"] * 50},
        {"do": "drop-win:x"},
        {"do": "drop-gang:99"},
        {"option": ["points=linear", "points=doubling"]},
    ],
    ids=str,
)
@pytest.mark.parametrize("ruleset", rules.rulesets())
def test_nothing_that_is_asked_breaks_the_page(client: Client, ruleset: str, query: dict[str, Any]) -> None:
    base = {"ruleset": ruleset, "from": "0", "seat": "1", "worth": "1"}
    for given in (query, base | query):
        response = client.get(URLS["en"], {"ruleset": ruleset} | given, follow=True)
        assert response.status_code == 200
        assert_valid(read(response.content.decode()))


def test_more_fields_than_are_read_are_refused(client: Client) -> None:
    assert client.get(URLS["en"], QUERY_STRING="&".join(["opening=0:sixi"] * 1001)).status_code == 400


# Adding and taking out rows


def followed(client: Client, query: dict[str, Any]) -> tuple[dict[str, list[str]], str]:
    """Where a press leads: its query and the place on the page."""
    response = client.get(URLS["en"], query)
    assert response.status_code == 302
    there = urlsplit(response["Location"])
    assert "do" not in parse_qs(there.query)
    assert client.get(f"{URLS['en']}?{there.query}").status_code == 200
    return parse_qs(there.query, keep_blank_values=True), there.fragment


def test_another_winner_is_added_and_what_was_entered_is_kept(client: Client) -> None:
    found, place = followed(client, CS_WIN | {"birds": "2m", "do": "add-win"})
    assert place == "win2"
    assert found["seat2"] == [""]
    assert (found["hand"], found["birds"]) == ([CS], ["2m"])
    tree = page(client, {k: v[0] for k, v in found.items()})
    assert len(tree.all("div", "row-of")) == 2
    assert tree.by_id("hand")["value"] == CS


def test_a_winner_in_the_middle_is_taken_out(client: Client) -> None:
    three = CS_WIN | {"seat2": "2", "worth2": "1", "seat3": "3", "worth3": "2"}
    found, _ = followed(client, three | {"do": "drop-win:2"})
    assert (found["seat2"], found["worth2"]) == (["3"], ["2"])
    assert "seat3" not in found
    first, _ = followed(client, three | {"do": "drop-win:1"})
    assert (first["seat"], first["worth"]) == (["2"], ["1"])
    assert "hand" not in first


def test_gangs_are_added_and_taken_out(client: Client) -> None:
    found, place = followed(client, CC_WIN | {"do": "add-gang"})
    assert (found["gang1-kind"], place) == (["exposed"], "gang1")
    gangs = CC_WIN | {
        "gang1-kind": "xigang",
        "gang1-seat": "3",
        "gang2-kind": "concealed",
        "gang2-tile": "9m",
    }
    found, place = followed(client, gangs | {"do": "drop-gang:1"})
    assert (found["gang1-kind"], found["gang1-tile"], place) == (["concealed"], ["9m"], "gangs")


def test_there_is_an_end_to_what_can_be_added(client: Client) -> None:
    query: dict[str, Any] = dict(CS_WIN)
    for _ in range(8):
        found, _ = followed(client, query | {"do": "add-win"})
        query = {k: v[0] for k, v in found.items()}
    tree = page(client, query)
    assert len(tree.by_id("wins").all("fieldset")) == forms.MOST_WINS
    assert "add-win" not in {e.get("id") for e in tree}


def test_htmx_is_answered_at_once_and_gets_the_address(client: Client) -> None:
    response = client.get(URLS["en"], CC_WIN | {"do": "add-gang", "shown": "changchun"}, headers=HTMX)
    assert response.status_code == 200
    query = dict(parse_qsl(urlsplit(response["HX-Replace-Url"]).query))
    assert query == CC_WIN | {"gang1-kind": "exposed"}
    assert {"HX-Request", "Cookie"} <= {v.strip() for v in response["Vary"].split(",")}


def test_what_htmx_takes_from_the_page_is_there(client: Client) -> None:
    """The form swaps parts of the answered page by their ids."""
    for name in ("a win", "gangs", "two winners", "empty in Changsha"):
        tree = page(client, STATES[name][0])
        form = tree.by_id("settlement")
        wanted = [form["hx-select"], form["hx-target"], *form["hx-select-oob"].split(",")]
        ids = {e.get("id") for e in tree}
        assert {part.removeprefix("#").partition(":")[0] for part in wanted} <= ids
        errors = {i for i in ids if i and i.endswith("-error")}
        assert errors == {p.removeprefix("#") for p in wanted if p.endswith("-error")}


# Addresses


def test_the_link_holds_the_settlement_and_no_defaults(client: Client) -> None:
    tree = page(client, CC_WIN | {"rule-points": "linear", "worth": "", "shown": "changchun", "sheet": "1"})
    assert dict(parse_qsl(tree.by_id("link")["href"].removeprefix("?"))) == CC_WIN
    for name in ("gangs", "birds and openings", "two winners", "the bao", "a draw with the last tile"):
        query = STATES[name][0]
        tree = page(client, query)
        again = page(client, tree.by_id("link")["href"].removeprefix("?"))
        assert totals(again) == totals(tree)
        assert again.all("article", "settled") == tree.all("article", "settled")


def test_a_form_of_another_game_leaves_behind_what_this_one_does_not_ask(client: Client) -> None:
    sent = {
        "shown": "changchun",
        "ruleset": "changsha",
        "by": "bao-match",
        "seat": "1",
        "worth": "1",
        "from": "0",
        "listening": "1",
        "bao": "2m",
        "gang1-kind": "xigang",
        "gang1-seat": "2",
        "rule-points": "doubling",
    }
    tree = page(client, sent)
    assert form_of(tree)["by"] == "discard"
    # Three fan are not three big wins: the number is asked for again, and nothing else.
    assert tree.by_id("worth")["value"] == ""
    assert [a["href"] for a in tree.all("article", "settled")[0].all("a")] == ["#hand"]
    assert state(page(client, sent | {"hand": CS, "worth": ""})) == "win"
    back = page(
        client, sent | {"shown": "changsha", "ruleset": "changchun", "opening": "1:sixi", "birds": "2m"}
    )
    assert state(back) in ("win", "error", "unfinished")
    assert "opening" not in {e.get("name") for e in back}


def test_the_language_link_keeps_the_settlement(client: Client) -> None:
    (link,) = page(client, CC_WIN).by_id("language").all("a")
    assert link["href"].startswith("/zh-hans/settle/?ruleset=changchun&from=0&seat=1&hand=123m")


@pytest.mark.parametrize("game", rules.rulesets().values(), ids=lambda g: g.key)
def test_every_example_settles(client: Client, game: rules.Ruleset) -> None:
    assert len(examples(game)) >= 3
    tree = page(client, {"ruleset": game.key})
    links = [a["href"] for a in tree.all("section", "examples")[0].all("a")]
    assert len(links) == len(examples(game))
    for link in links:
        assert state(read(client.get(URLS["en"] + link).content.decode())) == "win"


def test_a_gang_added_from_the_hand_may_have_been_dealt(client: Client) -> None:
    words = "To say that all four were dealt"
    assert words not in page(client, CC_WIN | {"hand": "23488m 567p 34s {CFP} +5s"}).text
    assert words in page(client, CC_WIN | {"hand": "23488m 567p 34s [CCCC] +5s"}).text


# Numbers, links and rules that could be misread


@pytest.mark.parametrize("worth", ["99", "1.5", "-1", "many", "1_0", "9" * 400])
@pytest.mark.parametrize("game", rules.rulesets())
def test_a_number_that_can_not_be_is_refused_beside_its_field(client: Client, game: str, worth: str) -> None:
    tree = page(client, {"ruleset": game, "from": "0", "seat": "1", "worth": worth})
    assert state(tree) == "error"
    assert "a whole number from" in tree.by_id("worth-error").text
    assert not tree.all("form", "adding")
    field = tree.by_id("worth")
    assert not {"min", "max", "step", "pattern", "required"} & field.attributes.keys()
    assert field["type"] == "text"
    drawn = page(client, {"ruleset": game, "from": "0", "seat": "1", "worth": worth, "by": "draw"})
    assert state(drawn) == "win"


def test_the_second_of_two_empty_rows_for_winners_stays(client: Client) -> None:
    found, _ = followed(client, {"ruleset": "changsha", "do": "add-win"})
    assert (found["seat"], found["seat2"]) == ([""], [""])
    tree = page(client, {k: v[0] for k, v in found.items()})
    assert len(tree.by_id("wins").all("fieldset")) == 2


def test_the_rules_of_each_game_wait_until_it_is_chosen_again(client: Client) -> None:
    changchun = {"ruleset": "changchun", "shown": "changchun", "rule-points": "doubling"}
    away = page(client, changchun | {"ruleset": "changsha"})
    assert [e["value"] for e in away.field("other")] == ["changchun:points=doubling"]
    sent = dict(sent_by(away)) | {"rule-birds": "1"}
    back = page(client, sent | {"ruleset": "changchun"})
    assert [o["value"] for o in back.by_id("rule-points").all("option") if "selected" in o.attributes] == [
        "doubling"
    ]
    assert [e["value"] for e in back.field("other")] == ["changsha:birds=1"]
    forth = page(client, dict(sent_by(back)) | {"ruleset": "changsha"})
    assert [o["value"] for o in forth.by_id("rule-birds").all("option") if "selected" in o.attributes] == [
        "1"
    ]


def test_a_form_without_javascript_leads_to_the_short_address(client: Client) -> None:
    sent = sent_by(page(client, CC_WIN))
    assert any(name.startswith("rule-") for name, _ in sent)
    response = client.get(f"{URLS['en']}?{urlencode(sent)}")
    assert response.status_code == 302
    assert dict(parse_qsl(urlsplit(response["Location"]).query)) == CC_WIN
    assert client.get(f"{URLS['en']}?{urlencode(sent)}", headers=HTMX).status_code == 200


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"listening": "yes"}, "listening"),
        (
            {"gang1-kind": "concealed", "gang1-seat": "2", "gang1-tile": "9m", "gang1-dealt": "yes"},
            "gang1-dealt",
        ),
    ],
)
def test_a_link_that_is_not_understood_says_so_beside_the_field(
    client: Client, query: dict[str, str], field: str
) -> None:
    tree = page(client, CC_WIN | query)
    assert state(tree) == "error"
    assert "“yes”" in tree.by_id(f"{field}-error").text
    assert state(page(client, CC_WIN | query | {field: "0"})) == "win"
    assert "checked" not in page(client, CC_WIN | query | {field: "0"}).by_id(field).attributes


def test_a_gang_without_its_kind_is_asked_for(client: Client) -> None:
    tree = page(client, CC_WIN | {"gang1-seat": "2", "gang1-tile": "9m"})
    assert state(tree) == "unfinished"
    assert "What kind of gang is it?" in tree.text
    assert tree.by_id("gang1-kind").all("option")[0]["value"] == ""


def test_who_took_the_last_tile_asks_to_whom_it_was_offered(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "by": "draw", "taker": "3"})
    assert state(tree) == "unfinished"
    assert tree.all("article", "settled")[0].all("a")[0]["href"] == "#offered"
    assert tree.by_id("offered").tag == "fieldset"


@pytest.mark.parametrize(
    "query", [{"gang1-seat": "2"}, {"gang1-kind": "concealed", "gang1-tile": "9m"}, {"bao": "2m"}]
)
def test_what_a_game_does_not_ask_is_left_out_by_one_press(client: Client, query: dict[str, str]) -> None:
    tree = page(client, CS_WIN | query)
    assert state(tree) == "error"
    assert state(page(client, tree.by_id("leave-out")["href"].removeprefix("?"))) == "win"


def test_a_draw_that_says_nothing_of_the_last_tile_says_what_is_not_filled_in(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "by": "draw"})
    assert "Who was offered the last tile is not filled in" in tree.text
    assert "没有海底可问" not in page(client, {"ruleset": "changsha", "by": "draw"}, "zh-hans").text
    assert [e.text for e in tree.all("p", "nobody")] == ["Nobody won."]


def test_birds_are_chosen_from_as_many_lists_as_the_table_draws(client: Client) -> None:
    for chosen, most in (({}, 2), ({"option": "birds=1"}, 1), ({"option": "birds=0"}, 0)):
        tree = page(client, CS_WIN | chosen)
        lists = [e for e in tree if e.tag == "select" and e.get("name") == "birds"]
        assert len(lists) == most
        assert ("No bird" in tree.text) == (most > 0)
    tree = page(client, f"{urlencode(CS_WIN)}&birds=2m&birds=3p")
    assert entered(tree, "birds") == "2m 3p"
    assert totals(tree) == totals(page(client, CS_WIN | {"birds": "2m,3p"}))
    assert "No birds entered" not in tree.text


def test_a_hand_can_be_entered_by_tapping(client: Client) -> None:
    link = page(client, CC_WIN).by_id("tap")["href"]
    assert link.startswith("/en/check/?")
    assert dict(parse_qsl(urlsplit(link).query)) == CC_WIN | {"by": "discard"}
    assert client.get(link).status_code == 200


def test_the_totals_stand_in_one_line_too(client: Client) -> None:
    line = page(client, CC_WIN).by_id("brief")
    assert [e.text for e in line.all("span", "number")] == ["−3", "+3", "0", "0"]
    assert "Whose tile was it?" in page(client, {}).by_id("brief").text


@pytest.mark.parametrize(("by", "words"), [("discard", "谁点的炮？"), ("robbed-gang", "抢谁的杠？")])
def test_whose_tile_it_was_is_asked_in_the_words_of_the_way_it_came(
    client: Client, by: str, words: str
) -> None:
    tree = page(client, {"ruleset": "changchun", "by": by}, "zh-hans")
    assert tree.by_id("whose").text == words
    assert words in tree.all("article", "settled")[0].text
