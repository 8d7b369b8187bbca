"""How the page looks to different eyes and on different screens: contrast, room, colours, motion."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from .conftest import Checker, Contexts, in_both_languages

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
# What axe looks for: WCAG 2.2 at levels A and AA, and its own advice.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def show(checker: Checker, state: str) -> None:
    """Opens the page in one of the states."""
    given, mark = STATES[state]
    checker.open(**given)
    expect(checker.page.locator(mark).first).to_be_visible()


@in_both_languages
@in_each_state
def test_axe_finds_nothing(checker: Checker, page: Page, state: str):
    axe = Axe()
    show(checker, state)
    found = {}
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            results = axe.run(page, options={"runOnly": TAGS, "resultTypes": ["violations"]})
            for violation in results.response["violations"]:
                places = [node["target"] for node in violation["nodes"]]
                found[f"{violation['id']}, {width} px, {scheme}"] = places
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)


@in_both_languages
@in_each_state
def test_nothing_is_wider_than_the_screen(checker: Checker, page: Page, state: str):
    show(checker, state)
    too_wide = {}
    # 640 and 320 px are also what a screen of 1280 px shows when zoomed to 200 % and 400 %.
    for width in (320, 360, 640, 768, 900, 1100, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        scrolling = page.evaluate(
            """() => [document.documentElement, ...document.querySelectorAll(".board, .answer, .intro")]
                .filter(e => e.scrollWidth > e.clientWidth)
                .map(e => `${e.tagName}.${e.className}: ${e.scrollWidth} > ${e.clientWidth}`)"""
        )
        if scrolling:
            too_wide[width] = scrolling
    assert not too_wide


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
    new_context: Contexts, language: str, sentence: str
):
    page = new_context(forced_colors="active").new_page()
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
def test_tiles_move_only_where_motion_is_welcome(new_context: Contexts, motion: str):
    page = new_context(reduced_motion=motion).new_page()
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
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("state", ["empty", "win"])
def test_nothing_jumps_while_the_page_loads(checker: Checker, page: Page, state: str, width: int):
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(
        """window.shifted = 0;
        new PerformanceObserver(list => list.getEntries().forEach(e => { window.shifted += e.value; }))
            .observe({type: "layout-shift", buffered: true});"""
    )
    show(checker, state)
    shifted = page.evaluate(
        """async () => {
            await document.fonts.ready;
            for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
            await new Promise(setTimeout);
            return window.shifted;
        }"""
    )
    assert shifted <= 0.02


@in_both_languages
def test_a_printed_verdict_leaves_out_what_only_a_screen_needs(checker: Checker, page: Page, language: str):
    show(checker, "win")
    page.emulate_media(media="print")
    expect(checker.sentences).to_be_visible()
    expect(page.locator(".findings")).to_be_visible()
    expect(page.locator(".keys")).to_be_hidden()
