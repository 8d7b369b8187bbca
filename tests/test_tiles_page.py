"""The page of all tiles."""

import pytest
from django.test import Client

import rules
from rules.tiles import TILES
from tests.test_checker_page import assert_valid, read


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
