"""How tiles are drawn on request: the picture in the browser changes, and stays changed on other pages."""

import pytest
from playwright.sync_api import Page

from .lessons import loaded  # noqa: F401 - used for each test

pytestmark = pytest.mark.browser


def tile(page: Page) -> bytes:
    page.goto("/en/check/?ruleset=changchun")
    return page.locator("#key-3p").screenshot()


def wish(page: Page, *styles: str) -> None:
    page.goto("/en/tiles/")
    for style in ("index", "contrast"):
        page.locator(f"#style-{style}").set_checked(style in styles)
    page.locator(".how-drawn button").click()
    page.wait_for_load_state()


def test_each_wish_changes_the_tiles_of_other_pages_and_can_be_taken_back(page: Page):
    seen = [tile(page)]
    for styles in (["index"], ["contrast"], ["index", "contrast"]):
        wish(page, *styles)
        seen.append(tile(page))
    assert len(set(seen)) == 4
    wish(page)
    assert tile(page) == seen[0]


def test_who_asks_the_system_for_more_contrast_gets_it_without_a_wish(page: Page):
    before = tile(page)
    page.emulate_media(contrast="more")
    assert tile(page) != before
    page.emulate_media(contrast="null")
