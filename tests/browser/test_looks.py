"""How the page looks to different eyes and on different screens: contrast, room, colours, motion."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import Checker, Pages, in_both_languages
from .looks import TAGS as TAGS
from .looks import other_differences

pytestmark = pytest.mark.browser

# What each state is for must be on the page, or the tests would look at nothing.
STATES = {
    "empty": ({}, ".rack .empty"),
    "win": ({"hand": "123m 45556p 78s SSS +9s"}, ".answer.win .score"),
    "not a win": ({"hand": "123m 11456p 67789s +8s", "ruleset": "changsha"}, ".answer.not-win .raised"),
    "waiting": ({"hand": "23456m 555p 77888s"}, ".answer.ready .waits .blocked"),
    "both, one an error": (
        {"hand": "234m 567p 34567s FF +8s", "ruleset": "both"},
        ".answer.win + .answer.error mark",
    ),
    "melds": ({"hand": "C [1111m] (2222p) {CFP} (9999m) +C"}, ".answer .shown .melds"),
}
in_each_state = pytest.mark.parametrize("state", STATES)


def show(checker: Checker, state: str) -> None:
    """Opens the page in one of the states."""
    given, mark = STATES[state]
    checker.open(**given)
    expect(checker.page.locator(mark).first).to_be_visible()


@pytest.mark.parametrize("path", ["check", "deal", "settle", "settle/sheet", "api"])
def test_the_dark_scheme_differs_in_colours_alone(page: Page, path: str):
    page.goto(f"/en/{path}/")
    assert other_differences(page) == []


@in_each_state
def test_what_is_tapped_is_large_enough_on_the_smallest_phone(checker: Checker, page: Page, state: str):
    page.set_viewport_size({"width": 320, "height": 568})
    show(checker, state)
    small = page.locator("button, .choice label, .tick input, select, .examples a").evaluate_all(
        """all => all.map(e => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
            .filter(([, box]) => box.width < 24 || box.height < 24)
            .map(([html, box]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${html}`)"""
    )
    assert not small


def test_every_tile_key_is_within_the_screen_of_the_smallest_phone(checker: Checker, page: Page):
    page.set_viewport_size({"width": 320, "height": 568})
    checker.open()
    boxes = page.locator(".key").evaluate_all("all => all.map(e => e.getBoundingClientRect())")
    assert len(boxes) == 34
    assert all(box["left"] >= 0 and box["right"] <= 320 for box in boxes)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Not a win yet: the pair must be 2, 5 or 8, and it is 1筒."),
        ("zh-hans", "还不能胡：将牌必须是二、五、八，这对是1筒。"),
    ],
)
def test_in_forced_colours_the_verdict_and_what_is_chosen_can_be_seen(
    new_page: Pages, language: str, sentence: str
):
    page = new_page(forced_colors="active")
    checker = Checker(page, language)
    show(checker, "not a win")
    expect(checker.sentences).to_have_text(sentence)
    marks = page.locator(".findings .mark")
    shapes = marks.evaluate_all("all => all.map(m => getComputedStyle(m, '::before').content)")
    assert shapes == ['"✓"', '"✕"']
    borders = page.locator(".choice input + span").evaluate_all(
        "all => all.map(s => [s.previousElementSibling.checked, getComputedStyle(s).borderTopWidth])"
    )
    assert {width for checked, width in borders if checked} != {
        width for checked, width in borders if not checked
    }
    checker.tap("5p")
    checker.expect_hand("123m 11456p 67789s +5p")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_tiles_move_only_where_motion_is_welcome(new_page: Pages, motion: str):
    page = new_page(reduced_motion=motion)
    checker = Checker(page)
    checker.open("12m")
    held = checker.hold()
    checker.key("3m").click()
    coming = page.locator(".coming")
    expect(coming).to_have_count(1)
    expect(coming).to_have_css("animation-name", "none" if motion == "reduce" else "arrive")
    if motion == "reduce":
        assert page.evaluate("() => document.getAnimations().length") == 0
        moving = page.locator("*").evaluate_all(
            """all => all.filter(e => getComputedStyle(e).animationName !== "none"
                || getComputedStyle(e).transitionDuration !== "0s").length"""
        )
        assert moving == 0
    held.release()
    checker.expect_hand("123m")


@in_both_languages
def test_a_printed_verdict_leaves_out_what_only_a_screen_needs(checker: Checker, page: Page, language: str):
    show(checker, "win")
    page.emulate_media(media="print")
    expect(checker.sentences).to_be_visible()
    expect(page.locator(".findings")).to_be_visible()
    expect(page.locator(".keys")).to_be_hidden()
