"""The score sheet: as a value, as a text, and on its pages."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import zlib
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.test_checker_page import Element, assert_valid, read
from tests.test_setup import PUBLIC, setting
from tutor.settle.keeping import COOKIE
from tutor.settle.sheet import (
    LONGEST_CODE,
    MOST_HANDS,
    Full,
    NoSheet,
    Played,
    Sheet,
    decode,
    encode,
    name_from,
    stake_from,
)

URLS = {"en": "/en/settle/sheet/", "zh-hans": "/zh-hans/settle/sheet/"}
URL = URLS["en"]
CS_WIN = "ruleset=changsha&from=0&seat=1&hand=12355m+45678p+789s+%2B9p"
NAMES = ("Ann", "Bo", "Cy", "Di")

players = st.integers(0, 3)
points = st.integers(-(10**6), 10**6)
hands = st.builds(
    lambda a, b, c, next_dealer, ruleset, winners, discarder: Played(
        (a, b, c, -a - b - c),
        next_dealer,
        ruleset,
        tuple(winners) if ruleset else (),
        discarder if ruleset else None,
    ),
    points,
    points,
    points,
    players,
    st.sampled_from(["", "changsha", "changchun"]),
    st.lists(players, max_size=3),
    st.none() | players,
)
names = st.text(max_size=30).map(name_from)
sheets = st.builds(
    Sheet,
    st.tuples(names, names, names, names),
    players,
    st.sampled_from(["", "1", "0.5", "10000", "0.01"]),
    st.lists(hands, max_size=20).map(tuple),
)


# As a value


@given(sheets)
def test_a_sheet_comes_back_from_its_text(sheet: Sheet) -> None:
    assert decode(encode(sheet)) == sheet
    assert re.fullmatch(r"[A-Za-z0-9_-]+", encode(sheet))


@given(sheets)
def test_totals_sum_to_zero(sheet: Sheet) -> None:
    assert sum(sheet.totals) == 0
    assert sheet.worth is None or sum(sheet.worth) == 0


@given(sheets, hands)
def test_a_hand_that_is_taken_back_leaves_no_trace(sheet: Sheet, hand: Played) -> None:
    assert sheet.with_hand(hand).without_last() == sheet
    assert sheet.with_hand(hand).dealer == hand.next_dealer


@given(st.text(max_size=200))
def test_a_text_that_is_no_sheet_is_refused(text: str) -> None:
    with pytest.raises(NoSheet):
        decode(text)


def packed(data: Any) -> str:
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(data).encode())).rstrip(b"=").decode()


GOOD = [["", "", "", ""], 0, "", [[0, 1, -1, 0]]]


def test_the_form_of_a_text_is_this_one() -> None:
    assert decode(packed(GOOD)).hands == (Played((1, -1, 0, 0), 0),)


@pytest.mark.parametrize(
    "data",
    [
        None,
        5,
        "x",
        [],
        {},
        [1, 2, 3, 4],
        [["", "", ""], 0, "", []],
        [["", "", "", 1], 0, "", []],
        [["", "", "", ""], 4, "", []],
        [["", "", "", ""], True, "", []],
        [["", "", "", ""], None, "", []],
        [["", "", "", ""], 0, 1, []],
        [["", "", "", ""], 0, "x", []],
        [["", "", "", ""], 0, "-1", []],
        [["", "", "", ""], 0, "1" * 30, []],
        [["", "", "", ""], 0, "", {}],
        [["", "", "", ""], 0, "", [1]],
        [["", "", "", ""], 0, "", [[0, 1, 2]]],
        [["", "", "", ""], 0, "", [[4, 1, 2, 3]]],
        [["", "", "", ""], 0, "", [[0, 1.5, 2, 3]]],
        [["", "", "", ""], 0, "", [[0, True, 2, 3]]],
        [["", "", "", ""], 0, "", [[0, 10**20, 2, 3]]],
        [["", "", "", ""], 0, "", [[0, 1, 2, 3, "<b>", [], None]]],
        [["", "", "", ""], 0, "", [[0, 1, 2, 3, "changsha", [9], None]]],
        [["", "", "", ""], 0, "", [[0, 1, 2, 3, "changsha", 1, None]]],
        [["", "", "", ""], 0, "", [[0, 1, 2, 3, "changsha", [0, 1, 2, 3], None]]],
        [["", "", "", ""], 0, "", [[0, 1, 2, 3, "changsha", [], "x"]]],
        [["", "", "", ""], 0, "", [[0, 1, -1, 0]] * (MOST_HANDS + 1)],
    ],
    ids=str,
)
def test_data_that_is_no_sheet_is_refused(data: Any) -> None:
    with pytest.raises(NoSheet):
        decode(packed(data))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A" * (LONGEST_CODE + 1),
        base64.urlsafe_b64encode(zlib.compress(b"[" * 10_000_000)).decode(),
        base64.urlsafe_b64encode(zlib.compress(b"[" * 20_000)).decode(),
        base64.urlsafe_b64encode(zlib.compress(json.dumps(GOOD).encode())[:-4]).decode(),
    ],
    ids=["empty", "long", "a bomb", "nested", "cut short"],
)
def test_a_text_that_is_too_much_or_too_little_is_refused(text: str) -> None:
    with pytest.raises(NoSheet):
        decode(text)


def test_names_from_a_link_are_held_to_what_a_form_takes() -> None:
    data = [["a" * 99, "\u202eb\n c", "<b>", " "], 0, "", []]
    assert decode(packed(data)).names == ("a" * 20, "b c", "<b>", "")


def test_a_sheet_that_is_full_takes_no_more() -> None:
    sheet = Sheet(hands=(Played((1, -1, 0, 0), 1),) * MOST_HANDS)
    with pytest.raises(Full):
        sheet.with_hand(Played((0, 0, 0, 0), 0))
    assert len(encode(sheet)) < LONGEST_CODE


def filled(sheet: Sheet) -> Sheet:
    """The sheet with hands of large numbers, as many as its text has room for."""
    for n in range(MOST_HANDS):
        a, b, c = ((n + 7) ** k * 9_973 % 10**12 for k in (3, 4, 5))
        try:
            sheet = sheet.with_hand(Played((a, b, c, -a - b - c), n % 4, "changsha", (n % 4,), None))
        except Full:
            break
    return sheet


def test_a_sheet_whose_text_would_be_too_long_takes_no_more() -> None:
    sheet = filled(Sheet())
    assert 60 < len(sheet.hands) < MOST_HANDS
    assert decode(encode(sheet)) == sheet


def test_seats_go_round_with_the_deal() -> None:
    sheet = Sheet(first_dealer=2)
    assert [sheet.player_at(seat) for seat in range(4)] == [2, 3, 0, 1]
    assert sheet.seats_to_players((-6, 6, 0, 0)) == (0, 0, -6, 6)


@pytest.mark.parametrize(
    ("text", "stake"),
    [("", ""), (" ", ""), ("1", "1"), ("0.50", "0.5"), ("0,5", "0.5"), ("10000", "10000"), ("1e2", "100")],
)
def test_a_stake_is_read(text: str, stake: str) -> None:
    assert stake_from(text) == stake


@pytest.mark.parametrize("text", ["x", "-1", "0", "10001", "0.001", "nan", "inf", "1 2", "=1"])
def test_a_stake_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        stake_from(text)


# On its pages


def kept(client: Client) -> Sheet:
    """The sheet in the visitor's cookie."""
    return decode(client.cookies[COOKIE].value.split(":")[0]) if COOKIE in client.cookies else Sheet()


def post(client: Client, do: str, **fields: Any) -> HttpResponse:
    """A press of a button on a page that shows the sheet as it is; it leads back to the sheet."""
    response = client.post(URL, {"do": do, "guard": kept(client).guard, **fields})
    assert response.status_code == 302, response.content.decode()
    assert urlsplit(response["Location"]).path == URL
    return response


def page(client: Client, query: str = "", language: str = "en") -> Element:
    response = client.get(f"{URLS[language]}{query}")
    assert response.status_code == 200
    tree = read(response.content.decode())
    assert_valid(tree)
    return tree


def add(client: Client, settlement: str = CS_WIN, **fields: Any) -> HttpResponse:
    return post(client, "add", settlement=settlement, **fields)


def name_players(client: Client, first: int = 0, stake: str = "") -> None:
    post(client, "players", first=first, stake=stake, **{f"name{n}": name for n, name in enumerate(NAMES)})


def told(client: Client, response: HttpResponse) -> Element:
    """The page to which a press leads."""
    return page(client, f"?{urlsplit(response['Location']).query}")


def form_sent(tree: Element, button: str) -> dict[str, str]:
    """The hidden fields of the form in which a button stands."""
    (form,) = [f for f in tree.all("form") if any(b.get("id") == button for b in f.all("button"))]
    hidden = [e for e in form.all("input") if e.get("type") == "hidden"]
    return {e["name"]: e["value"] for e in hidden if e["name"] != "csrfmiddlewaretoken"}


def mapping(tree: Element) -> list[str]:
    """Who sits where, line by line."""
    (box,) = tree.all("ul", "mapping")
    return [" ".join(item.strings()) for item in box.all("li")]


@pytest.mark.parametrize("language", URLS)
def test_an_empty_sheet_says_what_to_do_next(client: Client, language: str) -> None:
    tree = page(client, language=language)
    assert tree.by_id("next-hand")["href"] == f"/{language}/settle/?sheet=1"
    assert not tree.all("table")
    assert str(MOST_HANDS) in tree.text
    assert COOKIE not in client.cookies


def test_a_settlement_is_written_down_for_the_players_at_its_seats(client: Client) -> None:
    name_players(client, first=2)
    add(client)
    sheet = kept(client)
    assert sheet.names == NAMES
    (hand,) = sheet.hands
    assert hand == Played((0, 0, -2, 2), 3, "changsha", (3,), 2)
    tree = page(client)
    assert "Changsha: Di from Cy" in tree.text
    assert mapping(tree) == [
        "Di dealer",
        "Ann next after dealer",
        "Bo opposite dealer",
        "Cy before dealer",
    ]
    assert tree.by_id("next-hand")["href"] == "/en/settle/?ruleset=changsha&sheet=2"


def test_the_dealer_moves_as_the_engine_says(client: Client) -> None:
    add(client)
    assert kept(client).dealer == 1
    add(client, "ruleset=changchun&by=self-draw&seat=0&worth=3")
    assert kept(client).dealer == 1
    assert kept(client).hands[1].points == (-3, 9, -3, -3)
    add(client, "ruleset=changchun&by=self-draw&seat=2&worth=3")
    assert kept(client).dealer == 2
    add(client, "ruleset=changsha&by=draw", next="0")
    assert kept(client).dealer == 0
    add(client, "ruleset=changsha&by=draw")
    assert kept(client).dealer == 0
    add(client, "ruleset=changsha&by=draw&offered=3")
    assert kept(client).dealer == 3
    text = page(client).text
    assert "Changsha: nobody won" in text
    assert "Changchun: Player 2, self-drawn" in text


def test_a_settlement_is_computed_anew_and_not_taken_from_the_form(client: Client) -> None:
    add(client, points="9,9,9,9", next="3")
    assert kept(client).hands[0].points == (-2, 2, 0, 0)
    assert kept(client).dealer == 1


@pytest.mark.parametrize(
    "settlement", ["", "ruleset=mars", "ruleset=changsha", "x" * 5000, CS_WIN + "&bao=1m"]
)
def test_what_can_not_be_settled_is_not_written_down(client: Client, settlement: str) -> None:
    response = add(client, settlement)
    assert "said=unsettled" in response["Location"]
    assert COOKIE not in client.cookies
    assert "can't be settled" in told(client, response).text


def test_a_hand_is_not_written_down_twice(client: Client) -> None:
    blank = kept(client).guard
    first = add(client)
    again = post(client, "add", settlement=CS_WIN, guard=blank)
    assert told(client, again).text == told(client, first).text
    assert len(kept(client).hands) == 1
    other = post(client, "add", settlement=CS_WIN.replace("seat=1", "seat=2"), guard=blank)
    assert "said=moved" in other["Location"]
    assert "has changed since that page was loaded" in told(client, other).text
    assert len(kept(client).hands) == 1


def test_points_are_added_by_hand(client: Client) -> None:
    name_players(client)
    post(client, "points", points0="-5", points1="+3", points2="", points3=" 2 ", next="2")
    assert kept(client).hands == (Played((-5, 3, 0, 2), 2),)
    post(client, "points", points0="−1", points1="1", points2="0", points3="0")
    assert kept(client).dealer == 2
    assert "written in by hand" in page(client).text


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (("1", "2", "3", "4"), "add up to +10"),
        (("1", "-2", "", ""), "add up to -1"),
        (("x", "0", "0", "0"), "“x” for Ann is not a whole number"),
        (("0", "1.5", "0", "0"), "“1.5” for Bo is not a whole number"),
        (("9" * 30, "0", "0", "0"), "for Ann is too large"),
        (("9" * 6000, "0", "0", "0"), "for Ann is too large"),
        (("99999999999999", "0", "0", "0"), "“99999999999999” for Ann is too large"),
        (("1_0", "-10", "", ""), "“1_0” for Ann is not a whole number"),
        (("", " ", "", ""), "Fill in what each player wins or pays"),
    ],
)
def test_points_that_can_not_be_are_refused_and_kept_in_the_form(
    client: Client, typed: tuple[str, ...], words: str
) -> None:
    name_players(client)
    fields = {f"points{n}": text for n, text in enumerate(typed)}
    response = client.post(URL, {"do": "points", "guard": kept(client).guard, **fields})
    assert response.status_code == 200
    tree = read(response.content.decode())
    assert_valid(tree)
    assert words in tree.by_id("error").text
    assert [tree.by_id(name)["value"] for name in fields] == list(typed)
    assert kept(client).hands == ()


def test_the_last_hand_is_taken_back_and_put_back(client: Client) -> None:
    add(client)
    add(client, "ruleset=changchun&by=self-draw&seat=2&worth=3")
    before = kept(client)
    response = post(client, "undo")
    assert kept(client) == before.without_last()
    tree = told(client, response)
    assert "Hand 2 was taken back." in tree.text
    (undone,) = [e["value"] for e in tree.field("undone")]
    shorter = kept(client).guard
    first = post(client, "put-back", undone=undone)
    assert kept(client) == before
    again = post(client, "put-back", undone=undone, guard=shorter)
    assert told(client, again).text == told(client, first).text
    assert "Hand 2 is back." in told(client, again).text
    assert kept(client) == before
    add(client, "ruleset=changchun&by=draw")
    stale = post(client, "put-back", undone=undone, guard=shorter)
    assert "said=moved" in stale["Location"]
    assert len(kept(client).hands) == 3


def test_taking_back_twice_from_one_page_takes_back_one(client: Client) -> None:
    add(client)
    add(client, "ruleset=changchun&by=draw")
    sent = form_sent(page(client), "undo")
    first = post(client, "undo", **sent)
    again = post(client, "undo", **sent)
    assert len(kept(client).hands) == 1
    assert told(client, again).text == told(client, first).text
    assert "Hand 2 was taken back." in told(client, again).text
    assert told(client, again).by_id("put-back")
    post(client, "undo")
    post(client, "undo")
    assert kept(client).hands == ()


@pytest.mark.parametrize("undone", ["x", "[]", "[9,1,1,1]", "[" * 150, "x" * 500])
def test_what_was_never_taken_back_can_not_be_put_back(client: Client, undone: str) -> None:
    post(client, "put-back", undone=undone)
    assert kept(client).hands == ()
    page(client, f"?{urlencode({'undone': undone})}")


def test_a_new_sheet_keeps_the_players_and_leads_to_the_old_one(client: Client) -> None:
    name_players(client, stake="0.5")
    add(client)
    old = kept(client)
    sent = form_sent(page(client), "new")
    response = post(client, "new", **sent)
    new = kept(client)
    assert (new.names, new.stake, new.hands, new.dealer) == (NAMES, "0.5", (), old.dealer)
    query = urlsplit(response["Location"]).query
    assert decode(parse_qs(query)["old"][0].split(":")[0]) == old
    again = post(client, "new", **sent)
    assert told(client, again).text == told(client, response).text
    assert kept(client) == new
    tree = told(client, again)
    (link,) = [a["href"] for a in tree.all("a") if "sheet=" in a["href"] and "settle/sheet" in a["href"]]
    shared = read(client.get(link).content.decode())
    (code,) = [e["value"] for e in shared.field("sheet")]
    post(client, "take", sheet=code)
    assert kept(client) == old


def test_a_sheet_that_is_full_says_so_and_loses_nothing(client: Client) -> None:
    full = Sheet(hands=(Played((1, -1, 0, 0), 1),) * MOST_HANDS)
    post(client, "take", sheet=encode(full))
    for response in (add(client), post(client, "points", points0="1", points1="-1")):
        assert "said=full" in response["Location"]
    assert kept(client) == full
    assert f"the sheet is full, at {MOST_HANDS} hands" in told(client, add(client)).text


@pytest.mark.parametrize("do", ["", "x", "add", "undo", "put-back", "new", "take", "players"])
def test_a_press_without_anything_else_breaks_nothing(client: Client, do: str) -> None:
    post(client, do)
    assert kept(client).hands == ()


def test_names_and_the_stake_are_held_to_their_bounds(client: Client) -> None:
    post(client, "players", name0="  Ann\n Lee ", name1="x" * 90, name2="<i>", name3="", stake="0,25")
    assert kept(client).names == ("Ann Lee", "x" * 20, "<i>", "")
    assert kept(client).stake == "0.25"
    assert "<i>" in page(client).text
    response = client.post(URL, {"do": "players", "name0": "Kept", "stake": "much"})
    tree = read(response.content.decode())
    assert_valid(tree)
    assert "The stake is an amount" in tree.by_id("error").text
    assert (tree.by_id("name0")["value"], tree.by_id("stake")["value"]) == ("Kept", "much")


def test_the_first_dealer_is_asked_until_somebody_has_played(client: Client) -> None:
    name_players(client, first=3)
    assert kept(client).dealer == 3
    add(client)
    assert "first" not in {e.get("id") for e in page(client)}
    name_players(client, first=1)
    assert kept(client).first_dealer == 3


# Sharing


def shared_code(client: Client) -> str:
    link = page(client).by_id("link")["href"]
    return parse_qs(urlsplit(link).query)["sheet"][0]


@pytest.mark.parametrize("language", URLS)
def test_a_link_shows_the_sheet_to_others_to_read(client: Client, language: str) -> None:
    name_players(client, stake="2")
    add(client)
    code = shared_code(client)
    reader = Client()
    tree = page(reader, f"?sheet={code}", language)
    assert COOKIE not in reader.cookies
    assert "Ann" in tree.text
    assert [cell.text for cell in tree.all("tfoot")[0].all("td")] == [
        *("−2", "+2", "0", "0"),
        *("−4", "+4", "0", "0"),
    ]
    assert not {e.get("id") for e in tree} & {"undo", "new", "add-points"}
    (link,) = tree.by_id("language").all("a")
    assert link["href"].endswith(f"?sheet={code}")
    post(reader, "take", sheet=code)
    assert kept(reader) == kept(client)
    assert "This is your own sheet" in page(reader, f"?sheet={code}").text


@pytest.mark.parametrize("code", ["", "x", "%00", "A" * 5000])
@pytest.mark.parametrize("path", ["", "csv/"])
def test_a_link_that_was_cut_short_says_so(client: Client, code: str, path: str) -> None:
    response = client.get(f"{URL}{path}?sheet={code}", follow=True)
    assert response.redirect_chain == ([(f"{URL}?sheet=", 302)] if path else [])
    tree = read(response.content.decode())
    assert_valid(tree)
    assert "This link holds no score sheet" in tree.by_id("error").text


def test_a_cookie_that_was_changed_is_a_blank_sheet(client: Client) -> None:
    add(client)
    client.cookies[COOKIE] = encode(Sheet(names=("Eve", "", "", ""))) + ":x:y"
    assert "Eve" not in page(client).text
    assert not page(client).all("table")


# The spreadsheet


def rows(client: Client, query: str = "", language: str = "en") -> list[list[str]]:
    response = client.get(f"{URLS[language]}csv/{query}")
    assert response.status_code == 200
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert re.fullmatch(r'attachment; filename="paili-\d{4}-\d\d-\d\d\.csv"', response["Content-Disposition"])
    text = response.content.decode("utf-8")
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text[1:])))


def test_the_spreadsheet_holds_every_hand_and_the_totals_as_numbers(client: Client) -> None:
    name_players(client, stake="0.5")
    add(client)
    post(client, "points", points0="5", points1="-5")
    assert rows(client) == [
        ["Hand", "Dealer", "How it ended", *NAMES],
        ["1", "Ann", "Changsha: Bo from Ann", "-2", "2", "0", "0"],
        ["2", "Bo", "written in by hand", "5", "-5", "0", "0"],
        ["", "", "Total", "3", "-3", "0", "0"],
        ["", "", "Total × 0.5", "1.5", "-1.5", "0.0", "0.0"],
    ]
    assert Decimal("1.5") == kept(client).worth[0]  # type: ignore[index]
    assert rows(client, language="zh-hans")[1][2] == "长沙：Bo胡Ann的牌"
    assert rows(Client(), f"?sheet={shared_code(client)}") == rows(client)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "＝", "＋", "－", "＠"])
def test_a_name_is_no_formula(client: Client, start: str) -> None:
    post(client, "players", name0=f"{start}1+1", name1="Bo")
    add(client)
    table = rows(client)
    assert table[0][3] == f"'{start}1+1"
    assert table[1][1] == f"'{start}1+1"
    assert not [cell for row in table for cell in row[:3] if cell.startswith(start)]


def test_an_empty_sheet_is_a_spreadsheet_too(client: Client) -> None:
    assert len(rows(client)) == 2


# From the settlement, and safely


def test_the_settlement_shows_who_sits_where_and_what_would_be_written_down(client: Client) -> None:
    name_players(client, first=2)
    response = client.get(f"/en/settle/?{CS_WIN}&sheet=1")
    tree = read(response.content.decode())
    assert_valid(tree)
    assert mapping(tree) == [
        "Cy dealer −2",
        "Di next after dealer +2",
        "Ann opposite dealer 0",
        "Bo before dealer 0",
    ]
    assert "Di (next after dealer) wins" in tree.text
    plain = read(client.get(f"/en/settle/?{CS_WIN}").content.decode())
    assert "Di (next after dealer)" not in plain.text
    assert "sheet=1" not in tree.by_id("link")["href"]


def test_a_form_from_elsewhere_is_refused_in_words() -> None:
    strict = Client(enforce_csrf_checks=True)
    for language, words in (("en", "Allow cookies"), ("zh-hans", "允许本站使用 cookie")):
        response = strict.post(URLS[language], {"do": "new", "hands": "0"})
        assert response.status_code == 403
        tree = read(response.content.decode())
        assert_valid(tree)
        assert words in tree.text
        assert COOKIE not in response.cookies


def test_a_form_of_the_page_is_accepted() -> None:
    strict = Client(enforce_csrf_checks=True)
    tree = read(strict.get(f"/en/settle/?{CS_WIN}").content.decode())
    sent = {e["name"]: e["value"] for e in tree.all("form", "adding")[0].all("input")}
    assert strict.post(URL, sent | {"do": "add"}).status_code == 302
    assert len(kept(strict).hands) == 1


def test_the_cookie_is_not_for_scripts_or_other_sites_and_fits_a_browser(client: Client) -> None:
    sheet = filled(Sheet(names=("一" * 20,) * 4))
    response = post(client, "take", sheet=encode(sheet))
    cookie = response.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert len(cookie.OutputString()) < 4096
    assert len(f"GET {URL}?sheet={encode(sheet)} HTTP/1.1") < 4094


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_a_sheet_is_read_and_posted_to(client: Client, method: str) -> None:
    assert getattr(client, method)(URL).status_code == 405
    assert client.post(f"{URL}csv/").status_code == 405
    assert client.head(URL).status_code == 200


def test_a_public_site_takes_forms_of_its_own_hosts_over_https_too() -> None:
    hosts = "paili.example, .school.example"
    shown = setting("settings.CSRF_TRUSTED_ORIGINS", **PUBLIC | {"ALLOWED_HOSTS": hosts})
    assert shown == "['https://paili.example', 'https://*.school.example']"
    assert setting("settings.CSRF_TRUSTED_ORIGINS", **PUBLIC | {"ALLOWED_HOSTS": "*"}) == "[]"


def test_a_form_sent_over_https_to_the_server_in_front_is_accepted(settings) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://testserver"]
    strict = Client(enforce_csrf_checks=True)
    tree = read(strict.get(URL).content.decode())
    token = tree.field("csrfmiddlewaretoken")[0]["value"]
    guard = tree.field("guard")[0]["value"]
    sent = {"do": "players", "name0": "Ann", "csrfmiddlewaretoken": token, "guard": guard}
    assert strict.post(URL, sent, headers={"origin": "https://elsewhere.example"}).status_code == 403
    assert strict.post(URL, sent, headers={"origin": "https://testserver"}).status_code == 302


# Pressed twice, from an old page, or by somebody else's link


def sent_with(client: Client, button: str) -> dict[str, str]:
    return form_sent(page(client), button)


def test_points_added_by_hand_twice_from_one_page_are_one_hand(client: Client) -> None:
    sent = sent_with(client, "add-points") | {"points0": "5", "points1": "-5"}
    first, again = post(client, "points", **sent), post(client, "points", **sent)
    assert len(kept(client).hands) == 1
    assert told(client, again).text == told(client, first).text
    assert "Hand 1 added." in told(client, again).text


def test_a_sheet_is_taken_over_twice_and_the_own_one_stays_behind_its_link(client: Client) -> None:
    name_players(client, stake="2")
    own = kept(client)
    code = encode(Sheet(hands=(Played((1, -1, 0, 0), 1),)))
    sent = form_sent(page(client, f"?sheet={code}"), "take")
    for _ in range(2):
        response = post(client, "take", **sent)
        query = parse_qs(urlsplit(response["Location"]).query)
        assert decode(query["old"][0].split(":")[0]) == own
        assert "This is your sheet now." in told(client, response).text
    assert kept(client) == decode(code)


def test_a_page_made_from_another_sheet_changes_nothing_and_keeps_what_was_typed(client: Client) -> None:
    add(client)
    old = {b: sent_with(client, b) for b in ("add-points", "undo", "save-players", "new")}
    shared = form_sent(page(client, f"?sheet={encode(Sheet(names=NAMES))}"), "take")
    add(client, "ruleset=changchun&by=draw")
    add(client, "ruleset=changchun&by=self-draw&seat=2&worth=3")
    before = kept(client)
    for do, sent in (("undo", old["undo"]), ("new", old["new"]), ("take", shared)):
        assert "has changed since that page was loaded" in told(client, post(client, do, **sent)).text
    typed = {
        "players": old["save-players"] | {"name0": "Kept", "stake": "3"},
        "points": old["add-points"] | {"points0": "7", "points1": "-7"},
    }
    for do, sent in typed.items():
        response = client.post(URL, {"do": do, **sent})
        tree = read(response.content.decode())
        assert "has changed since that page was loaded" in tree.by_id("error").text
        values = [e["value"] for e in tree.all("input") if e.get("value")]
        assert ("Kept" if do == "players" else "-7") in values
    assert kept(client) == before


def test_the_same_settlement_is_asked_about_before_it_is_added_again(client: Client) -> None:
    add(client)

    def shown(query: str) -> Element:
        tree = read(client.get(f"/en/settle/?{query}").content.decode())
        assert_valid(tree)
        return tree

    for number in ("", "&sheet=1"):
        tree = shown(CS_WIN + number)
        words = "This hand is already written down as hand 1. Add it again?"
        assert tree.by_id("written").text == words
        assert tree.by_id("add").text == "Add it again"
    # The next hand may well end as the one before it did, and a hand that was mended is another.
    for query in (f"{CS_WIN}&sheet=2", f"{CS_WIN}&birds=2m&sheet=1".replace("seat=1", "seat=2")):
        assert "written" not in {e.get("id") for e in shown(query)}
    post(client, "points", points0="1", points1="-1")
    assert (
        shown(f"{CS_WIN}&sheet=1")
        .by_id("written")
        .text.startswith("This hand is already written down as hand 1")
    )


def test_the_next_hand_is_played_by_the_rules_of_the_last_one(client: Client) -> None:
    add(client, f"{CS_WIN}&option=birds%3D1")
    assert kept(client).table == ("changsha", "birds=1")
    link = "/en/settle/?ruleset=changsha&option=birds%3D1&sheet={}"
    assert page(client).by_id("next-hand")["href"] == link.format(2)
    post(client, "points", points0="1", points1="-1")
    assert page(client).by_id("next-hand")["href"] == link.format(3)
    post(client, "new", **sent_with(client, "new"))
    assert page(client).by_id("next-hand")["href"] == link.format(1)
    assert decode(encode(kept(client))) == kept(client)


@pytest.mark.parametrize(
    "table", [[], "x", [1], ["<b>"], ["changsha", "a"], ["changsha", "a=<b>"], ["a"] * 60]
)
def test_a_table_that_is_none_is_refused(table: Any) -> None:
    with pytest.raises(NoSheet):
        decode(packed([*GOOD, table]))
    with pytest.raises(NoSheet):
        decode(packed([*GOOD, ["changsha"], 1]))


def test_who_deals_first_is_asked_where_a_hand_starts_the_sheet(client: Client) -> None:
    tree = read(client.get(f"/en/settle/?{CS_WIN}").content.decode())
    assert [o["value"] for o in tree.by_id("first").all("option")] == ["0", "1", "2", "3"]
    sent = form_sent(tree, "add") | {"first": "2"}
    for _ in range(2):
        post(client, "add", **sent)
        assert kept(client).first_dealer == 2
        assert kept(client).hands[0].points == (0, 0, -2, 2)
        assert len(kept(client).hands) == 1
    assert "first" not in {e.get("id") for e in read(client.get(f"/en/settle/?{CS_WIN}").content.decode())}


def test_a_sheet_whose_seats_are_shown_does_not_ask_who_dealt(client: Client) -> None:
    tree = read(client.get(f"/en/settle/?{CS_WIN}&sheet=1").content.decode())
    assert mapping(tree)[0] == "Player 1 dealer −2"
    assert "first" not in {e.get("id") for e in tree}


def test_a_full_sheet_takes_names_and_a_stake_and_loses_nothing(client: Client) -> None:
    sheet = filled(Sheet())
    client.cookies.clear()
    post(client, "take", sheet=encode(sheet))
    long = {f"name{n}": "".join(chr(0x20000 + 997 * k + 31 * n) for k in range(20)) for n in range(4)}
    response = client.post(URL, {"do": "players", "guard": kept(client).guard, "stake": "123.45", **long})
    assert response.status_code == 302
    assert kept(client).hands == sheet.hands
    assert kept(client).names == tuple(long.values())
    assert "the sheet is full, a browser keeps no more" in told(client, add(client)).text


def test_names_for_which_there_is_no_room_are_refused_and_kept_in_the_form(client: Client) -> None:
    hands: tuple[Played, ...] = ()
    while len(encode(Sheet(hands=hands))) < LONGEST_CODE - 100:
        a, b, c = ((len(hands) + 7) ** k * 9_973 % 10**12 for k in (3, 4, 5))
        hands += (Played((a, b, c, -a - b - c), len(hands) % 4),)
    post(client, "take", sheet=encode(Sheet(hands=hands)))
    before = kept(client)
    long = {f"name{n}": "".join(chr(0x20000 + 997 * k + 31 * n) for k in range(20)) for n in range(4)}
    response = client.post(URL, {"do": "players", "guard": before.guard, **long})
    tree = read(response.content.decode())
    assert "no room for such long names" in tree.by_id("error").text
    assert [tree.by_id(name)["value"] for name in long] == list(long.values())
    assert kept(client) == before


def test_a_cookie_that_can_not_be_read_is_reported(client: Client) -> None:
    add(client)
    assert "can't be read" not in page(client).text
    for value, holds in ((encode(Sheet(names=NAMES)) + ":x:y", True), ("broken", False)):
        client.cookies[COOKIE] = value
        tree = page(client)
        assert "The score sheet in this browser can't be read" in tree.by_id("lost").text
        assert bool(tree.by_id("lost").all("a")) == holds
        assert client.get(f"{URL}csv/")["Location"] == URL
        assert "can't be read" in client.get(f"/en/settle/?{CS_WIN}").content.decode().replace("&#x27;", "'")


def test_nobody_else_can_write_what_the_page_says(client: Client) -> None:
    code = encode(Sheet(names=("Eve", "", "", ""), hands=(Played((99, -99, 0, 0), 0),)))
    other = Client()
    add(other)
    said = urlsplit(post(other, "undo", **sent_with(other, "undo"))["Location"]).query
    for query in (f"old={code}", "said=moved", 'undone=["x",[0,9,-9,0]]', said):
        tree = page(client, f"?{query}")
        assert not tree.all("p", "said")
        assert not tree.all("form", "said")
    assert page(other, f"?{said}").all("form", "said")


def test_the_language_link_keeps_what_can_be_put_back(client: Client) -> None:
    add(client)
    for do in ("undo", "new"):
        tree = told(client, post(client, do, **sent_with(client, do)))
        (link,) = tree.by_id("language").all("a")
        there = page(client, f"?{urlsplit(link['href']).query}", "zh-hans")
        assert ("撤回了" if do == "undo" else "旧的记分表") in there.text
        add(client)


def test_no_one_else_is_shown_a_sheet_that_was_kept_on_the_way(client: Client) -> None:
    add(client)
    for path in (URL, f"{URL}csv/", f"/en/settle/?{CS_WIN}&sheet=1"):
        response = client.get(path)
        assert response["Cache-Control"] == "private, no-store"
        assert "Cookie" in [v.strip() for v in response["Vary"].split(",")]


def test_a_settlement_of_too_many_fields_is_refused_in_words(client: Client) -> None:
    response = add(client, "&".join(["a=" for _ in range(1200)]))
    assert "can't be settled" in told(client, response).text


@pytest.mark.parametrize(
    "text", ["1,000", "1，000", "1.000", "1_0", "1,000,000", "1.5.2", "1。000", "１,000"]
)
def test_thousands_and_underscores_are_no_stake(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        stake_from(text)
    assert (stake_from("１，５"), stake_from("0。5")) == ("1.5", "0.5")


def test_a_name_keeps_what_joins_its_signs_and_says_when_it_is_shortened(client: Client) -> None:
    family = "👨‍👩‍👧"
    assert name_from(f"\u200d{family} می‌روم\u200c ") == f"{family} می‌روم"
    response = post(client, "players", name0=family, name1="x" * 21)
    assert "was shortened" in told(client, response).text
    assert kept(client).names[0] == family
    assert "was shortened" not in told(client, post(client, "players", name0="x" * 20)).text


def test_the_numbers_of_hands_are_said(client: Client) -> None:
    assert "Hand 1 added." in told(client, add(client)).text
    assert "第2局记上了。" in page(client, f"?{urlsplit(add(client)['Location']).query}", "zh-hans").text
    assert "To correct an earlier hand, add the difference by hand." in page(client).text
