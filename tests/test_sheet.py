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
    """A press of a button, which leads back to the sheet."""
    response = client.post(URL, {"do": do, **fields})
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
    return post(client, "add", settlement=settlement, hands=str(len(kept(client).hands)), **fields)


def name_players(client: Client, first: int = 0, stake: str = "") -> None:
    post(client, "players", first=first, stake=stake, **{f"name{n}": name for n, name in enumerate(NAMES)})


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
    assert tree.by_id("next-hand")["href"] == "/en/settle/?ruleset=changsha&sheet=1"


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
    assert "can't be settled" in page(client, "?said=unsettled").text


def test_a_hand_is_not_written_down_twice(client: Client) -> None:
    add(client)
    again = post(client, "add", settlement=CS_WIN, hands="0")
    assert "said=moved" in again["Location"]
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
        (("9" * 30, "0", "0", "0"), "for Ann is not a whole number"),
        (("9" * 6000, "0", "0", "0"), "for Ann is not a whole number"),
    ],
)
def test_points_that_can_not_be_are_refused_and_kept_in_the_form(
    client: Client, typed: tuple[str, ...], words: str
) -> None:
    name_players(client)
    fields = {f"points{n}": text for n, text in enumerate(typed)}
    response = client.post(URL, {"do": "points", **fields})
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
    response = post(client, "undo", hands="2")
    assert kept(client) == before.without_last()
    tree = page(client, f"?{urlsplit(response['Location']).query}")
    assert "Hand 2 was taken back." in tree.text
    (undone,) = [e["value"] for e in tree.field("undone")]
    post(client, "put-back", undone=undone, hands="1")
    assert kept(client) == before
    stale = post(client, "put-back", undone=undone, hands="1")
    assert "said=moved" in stale["Location"]
    assert kept(client) == before


def test_taking_back_twice_from_one_page_takes_back_one(client: Client) -> None:
    add(client)
    add(client, "ruleset=changchun&by=draw")
    post(client, "undo", hands="2")
    post(client, "undo", hands="2")
    assert len(kept(client).hands) == 1
    post(client, "undo", hands="1")
    post(client, "undo", hands="0")
    assert kept(client).hands == ()


@pytest.mark.parametrize("undone", ["x", "[]", "[9,1,1,1]", "[" * 150, "x" * 500])
def test_what_was_never_taken_back_can_not_be_put_back(client: Client, undone: str) -> None:
    post(client, "put-back", undone=undone, hands="0")
    assert kept(client).hands == ()
    page(client, f"?{urlencode({'undone': undone})}")


def test_a_new_sheet_keeps_the_players_and_leads_to_the_old_one(client: Client) -> None:
    name_players(client, stake="0.5")
    add(client)
    old = kept(client)
    response = post(client, "new", hands="1")
    new = kept(client)
    assert (new.names, new.stake, new.hands, new.dealer) == (NAMES, "0.5", (), old.dealer)
    query = urlsplit(response["Location"]).query
    assert decode(parse_qs(query)["old"][0]) == old
    tree = page(client, f"?{query}")
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
    assert f"the sheet is full, at {MOST_HANDS} hands" in page(client, "?said=full").text


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
    tree = page(client, f"{path}?sheet={code}")
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
    for language, words in (("en", "allow cookies"), ("zh-hans", "允许本站使用 cookie")):
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
    sent = {"do": "players", "name0": "Ann", "csrfmiddlewaretoken": token}
    assert strict.post(URL, sent, headers={"origin": "https://elsewhere.example"}).status_code == 403
    assert strict.post(URL, sent, headers={"origin": "https://testserver"}).status_code == 302
