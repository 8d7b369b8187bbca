"""How the page looks to different eyes and on different screens: contrast, room, colours, motion."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from .conftest import Checker, Contexts, in_both_languages

pytestmark = pytest.mark.browser

STATES = {
    "empty": {},
    "win": {"hand": "123m 45556p 78s SSS +9s"},
    "not a win": {"hand": "123m 11456p 67789s +8s", "ruleset": "changsha"},
    "waiting": {"hand": "23456m 555p 77888s"},
    "both, one an error": {"hand": "234m 567p 34567s FF +8s", "ruleset": "both"},
    "melds": {"hand": "C [1111m] (2222p) {CFP} (9999m) +C"},
}
in_each_state = pytest.mark.parametrize("state", STATES)
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@in_both_languages
@in_each_state
def test_axe_finds_nothing(checker: Checker, page: Page, state: str):
    axe = Axe()
    checker.open(**STATES[state])
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


@in_each_state
def test_what_the_states_are_made_for_is_there(checker: Checker, page: Page, state: str):
    shows = {
        "empty": ".rack .empty",
        "win": ".answer.win .score",
        "not a win": ".answer.not-win .shown .raised",
        "waiting": ".answer.ready .waits .blocked",
        "both, one an error": ".answer.win + .answer.error mark",
        "melds": ".answer .shown .melds",
    }
    checker.open(**STATES[state])
    expect(page.locator(shows[state]).first).to_be_visible()


@in_both_languages
@in_each_state
def test_nothing_is_wider_than_the_screen(checker: Checker, page: Page, state: str):
    checker.open(**STATES[state])
    too_wide = {}
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


@in_both_languages
@in_each_state
def test_a_page_zoomed_to_twice_its_size_needs_no_scrolling_sideways(
    new_context: Contexts, language: str, state: str
):
    # What a desk of 1280 px shows at 200 %.
    page = new_context(viewport={"width": 640, "height": 450}, device_scale_factor=2).new_page()
    Checker(page, language).open(**STATES[state])
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 640


@in_each_state
def test_what_is_tapped_is_large_enough_on_the_smallest_phone(checker: Checker, page: Page, state: str):
    page.set_viewport_size({"width": 320, "height": 568})
    checker.open(**STATES[state])
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
        ("en", "Not a win yet: The pair must be 2, 5 or 8, and it is 1筒."),
        ("zh-hans", "还不能胡：将要二、五、八，这对是1筒。"),
    ],
)
def test_in_forced_colours_the_verdict_and_what_is_chosen_can_be_seen(
    new_context: Contexts, language: str, sentence: str
):
    page = new_context(forced_colors="active").new_page()
    checker = Checker(page, language)
    checker.open(**STATES["not a win"])
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
        new PerformanceObserver(list => list.getEntries().forEach(entry => { window.shifted += entry.value; }))
            .observe({type: "layout-shift", buffered: true});"""
    )
    checker.open(**STATES[state])
    shifted = page.evaluate(
        """() => document.fonts.ready.then(() => new Promise(done =>
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(window.shifted))))))"""
    )
    assert shifted <= 0.02


@in_both_languages
def test_a_printed_verdict_leaves_out_what_only_a_screen_needs(checker: Checker, page: Page, language: str):
    checker.open(**STATES["win"])
    page.emulate_media(media="print")
    expect(checker.sentences).to_be_visible()
    expect(page.locator(".findings")).to_be_visible()
    expect(page.locator(".keys")).to_be_hidden()
