"""Free building as a visitor uses it: tapped, typed, by keyboard, without JavaScript, and how it looks."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.conftest import some_of

from .conftest import Contexts
from .test_looks import TAGS

pytestmark = pytest.mark.browser

BUILD = "/en/practice/build/?ruleset=changsha&goal="
PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
STATES = {
    "empty": "qidui",
    "reached": "pengpenghu+qingyise&hand=1113334466777p%2B4p",
    "missed by a win": "pengpenghu+qingyise&hand=1113334456777p%2B5p",
    "only one rule broken": "fails-pair-258&hand=123m45666p789789s",
    "too few waits": "waits-4&hand=1113334466777p",
    "error": "qidui&hand=11111m",
}


def settled(page: Page) -> None:
    """Waits until no answer is on its way and the last one is in place."""
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


def state_of(page: Page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def test_a_hand_is_tapped_in_and_an_exchange_brings_it_to_the_goal(new_context: Contexts):
    phone = new_context(**PHONE).new_page()
    phone.goto(f"{BUILD}pengpenghu+qingyise&hand=1113334456p")
    phone.locator("label:has(#mode-peng)").tap()
    settled(phone)
    phone.locator("#key-7p").tap()
    settled(phone)
    expect(phone.locator("#announce")).to_have_text("One more tile, the last.")
    phone.locator("#key-5p").tap()
    settled(phone)
    said = phone.locator(".sentence")
    expect(said).to_have_text("A win, but not with Pengpenghu: it counts as Qingyise.")
    expect(phone.locator(".brief")).to_have_text("A win, but not with Pengpenghu: it counts as Qingyise.")
    phone.locator(".fix").first.tap()
    settled(phone)
    expect(said).to_have_text("Goal reached: a win with Pengpenghu and Qingyise.")
    assert state_of(phone)["goal"] == "pengpenghu qingyise"
    phone.locator("#undo").tap()
    settled(phone)
    expect(said).to_have_text("A win, but not with Pengpenghu: it counts as Qingyise.")
    phone.go_back()
    expect(said).to_have_text("Goal reached: a win with Pengpenghu and Qingyise.")
    phone.get_by_role("link", name="Next goal").tap()
    expect(phone.locator("#goal-title")).to_have_text("Build a win with Pengpenghu and Quanqiuren at once.")
    expect(phone.locator("#hand")).to_have_value("")


def test_a_hand_is_typed_and_the_game_changed_with_its_goals(page: Page):
    page.goto(f"{BUILD}qidui")
    page.locator("#hand").press_sequentially("1122334455667m +7m")
    expect(page.locator(".sentence")).to_have_text("Goal reached: a win with Qingyise and Qidui.")
    page.locator("#ruleset-changchun").check()
    expect(page.locator("#goal-title")).to_have_text("Build a win with Piaohu.")
    settled(page)
    expect(page.locator("#goals a").first).to_have_text("Piaohu")
    assert state_of(page) == {"ruleset": "changchun", "goal": "piaohu", "hand": "1122334455667m +7m"}
    assert page.evaluate("document.querySelector('#ruleset-changchun').checked")


def test_a_hand_is_built_by_keyboard_alone(page: Page):
    page.goto(f"{BUILD}fails-pair-258&hand=123m45666p789s78s")
    page.locator("#key-9s").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".sentence")).to_contain_text("Goal reached. Only this is wrong:")
    expect(page.locator("#key-9s")).to_be_focused()
    page.get_by_role("link", name="All goals").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#goals a").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#goal-title")).to_have_text("Build a win with Pengpenghu.")


def test_without_javascript_each_press_is_a_page_of_the_same_goal(new_context: Contexts):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{BUILD}pengpenghu+qingyise&hand=1113334466p")
    page.locator("#mode-peng").check()
    page.locator("#key-7p").click()
    page.locator("#key-4p").click()
    said = page.locator(".sentence")
    expect(said).to_have_text("Goal reached: a win with Pengpenghu and Qingyise.")
    page.locator("#out-win").click()
    page.locator("#key-9p").click()
    expect(said).to_contain_text("Not a win yet")
    page.locator("#undo").click()
    expect(said).to_have_text("One more tile, the last.")
    page.locator("#hand").fill("1113334456p (777p) +5p")
    page.locator("#hand").press("Enter")
    expect(said).to_have_text("A win, but not with Pengpenghu: it counts as Qingyise.")
    page.locator(".fix").first.click()
    expect(said).to_have_text("Goal reached: a win with Pengpenghu and Qingyise.")


def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(new_context: Contexts):
    axe = Axe()
    page = new_context().new_page()
    looks = [("light", 320, "en"), ("dark", 320, "zh-hans"), ("dark", 1280, "en")]
    for number, (name, goal) in enumerate(STATES.items()):
        for scheme, width, language in some_of(looks, number % len(looks), len(looks)):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(BUILD.replace("/en/", f"/{language}/") + goal)
            results = axe.run(page, options={"runOnly": TAGS, "resultTypes": ["violations"]})
            assert results.violations_count == 0, f"{name}, {scheme}, {width}: {results.generate_report()}"
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name}, {width}"
