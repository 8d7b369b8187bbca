"""The tiles: how they are drawn, how a visitor wants them, and the page of them all."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.test import Client

import rules
from rules.tiles import TILES, Tile
from tests.test_checker_page import assert_valid, read
from tutor.exports.picture import picture


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_each_tile_of_every_game_stands_there_once_with_its_names(client: Client, language: str):
    tree = read(client.get(f"/{language}/tiles/").content.decode())
    assert_valid(tree)
    rows = [li for each in tree.all("ul", "every-tile") for li in each.all("li")]
    assert [row.all("code")[0].text for row in rows] == [tile.code for tile in TILES]
    for row, tile in zip(rows, TILES, strict=True):
        game = next(game for game in rules.rulesets().values() if tile in game.tiles.tiles)
        assert game.tiles.label(tile).en in row.text
        assert row.all("p", "pinyin")[0].text.strip()
    assert "幺鸡" in rows[18].text
    assert "三筒" in rows[11].text


STYLES = ["index", "contrast"]
PAGES = ["/en/", "/en/check/", "/en/rules/changchun/", "/en/learn/changsha/birds/", "/en/tiles/"]


def root_class(client: Client, path: str) -> str:
    found = re.search(r'<html lang="en"(?: class="([^"]*)")?>', client.get(path).content.decode())
    assert found
    return found[1] or ""


@pytest.mark.django_db
@pytest.mark.usefixtures("shelved")
def test_how_tiles_are_drawn_holds_for_all_pages_of_this_browser_alone(client: Client):
    assert client.post("/en/tiles/", {"style": STYLES}).status_code == 303
    assert {root_class(client, path) for path in PAGES} == {"tiles-index tiles-contrast"}
    assert {root_class(Client(), path) for path in PAGES} == {""}
    client.post("/en/tiles/", {"style": ["index"]})
    assert {root_class(client, path) for path in PAGES} == {"tiles-index"}
    client.post("/en/tiles/", {})
    assert {root_class(client, path) for path in PAGES} == {""}


@pytest.mark.django_db
@pytest.mark.usefixtures("shelved")
@pytest.mark.parametrize("path", [*PAGES, "/en/deal/", "/en/search/", "/en/api/", "/en/style/", "/en/rules/"])
def test_caches_keep_apart_how_tiles_are_drawn_and_frames_know_nobody(client: Client, path: str):
    assert "Cookie" in client.get(path)["Vary"]
    framed = client.get("/embed/en/check/?ruleset=changchun")
    assert framed.status_code == 200
    assert "Cookie" not in framed.get("Vary", "")


@pytest.mark.django_db
@pytest.mark.parametrize("forged", ['"><script>', "contrast2", "index index", "x" * 900])
def test_a_forged_wish_is_ignored(client: Client, forged: str):
    client.cookies["tiles"] = forged
    assert root_class(client, "/en/tiles/") == ""
    assert "script" not in (client.post("/en/tiles/", {"style": forged}).cookies["tiles"].value)


@pytest.mark.django_db
def test_another_site_cannot_wish(client: Client):
    headers = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
    assert client.post("/en/tiles/", {"style": STYLES}, headers=headers).status_code == 403


def test_the_sprite_holds_every_tile_in_little_room_and_flat_attributes():
    text = (settings.BASE_DIR / "static" / "tiles.svg").read_text(encoding="utf-8")
    assert len(text.encode()) < 45_000
    root = ElementTree.fromstring(text)
    ids = [each.get("id") for each in root.iter("{http://www.w3.org/2000/svg}symbol")]
    assert ids == ["f", *(f"t-{tile.code}" for tile in sorted_as_drawn(ids)), "t-back"]
    assert len(ids) == len(TILES) + 2
    for each in root.iter():
        assert each.tag.rpartition("}")[2] not in ("style", "script", "text", "image")
        assert "style" not in each.attrib
    assert not re.search(r"var\(--[a-z-]+\)", text), "a property without what it is by itself"


def test_a_tile_has_few_parts_as_a_browser_copies_them_for_each_tile_of_a_page():
    root = ElementTree.parse(settings.BASE_DIR / "static" / "tiles.svg").getroot()
    by_id = {each.get("id"): each for each in root.iter() if each.get("id")}

    def parts(of: ElementTree.Element) -> int:
        used = by_id[of.attrib["href"].removeprefix("#")] if "href" in of.attrib else None
        return 1 + sum(map(parts, of)) + (parts(used) if used is not None else 0)

    counted = [parts(each) for key, each in by_id.items() if key.startswith("t-")]
    assert max(counted) <= 30
    assert sum(counted) / len(counted) < 10


def sorted_as_drawn(ids: list[str | None]) -> list[Tile]:
    return sorted(TILES, key=lambda tile: ids.index(f"t-{tile.code}"))


def test_a_file_of_its_own_asks_for_no_property_and_shows_no_index():
    game = rules.ruleset("changchun")
    svg = picture(game.parse("123m 45556p 78s SSS +9s")).svg
    assert "var(" not in svg
    assert 'href="#i' not in svg
