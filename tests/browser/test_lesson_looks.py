"""How lessons, rule pages and the glossary look to different eyes and on different screens."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.conftest import THOROUGH, some_of

from .conftest import Pages, in_both_languages
from .lessons import (
    ONE_OF_EACH,
    PHONE,
    Asked,
    answer_all,
    example,
    fields,
    loaded,  # noqa: F401 - used for each test
    visit,
)
from .looks import COLOURS, TAGS, TOO_WIDE, other_differences, violations
from .test_table_pages import open_all

pytestmark = pytest.mark.browser

BOTH = ("en", "zh-hans")
# Each page with what must be there to be looked at, the languages to look at it in, and for a chapter whether
# its questions are answered rightly, wrongly or not at all.
STATES = {
    "learn": ("learn/", ".courses .go-on", BOTH, None),
    "map": ("learn/changchun/", ".map .new", BOTH, None),
    "map, begun": ("learn/changsha/", ".map .done", ("en",), None),
    "chapter": ("learn/changchun/tiles/", ".walls .choices", BOTH, None),
    "chapter, right answers": ("learn/changsha/tiles/", ".feedback.right .because", BOTH, True),
    "exam, wrong answers": ("learn/changchun/exam/", ".feedback.wrong", BOTH, False),
    "exam, right answers": ("learn/changsha/exam/", ".feedback.right .score", BOTH, True),
    "groups begun": ("learn/changchun/winning-shape/", ".grouped", ("en",), False),
    "birds": ("learn/changsha/birds/", ".bird-of", ("zh-hans",), False),
    "rulebooks": ("rules/", ".courses", BOTH, None),
    "rulebook": ("rules/changchun/", ".lines-table", BOTH, None),
    "rule of a win": ("rules/changchun/win/terminal-or-honor/", ".sample", BOTH, None),
    "rule of a pattern": ("rules/changsha/pattern/haohua-qidui/", ".sample", BOTH, None),
    "rule of an opening": ("rules/changsha/opening/liuliushun/", ".sample", BOTH, None),
    "rule of the table": ("rules/changchun/table/win-pays/", ".sample", BOTH, None),
    "glossary": ("glossary/", ".rule-list", BOTH, None),
    "compare": ("compare/", ".both-hand", BOTH, None),
}
WIDTHS = (320, 360, 768, 1024, 1280, 1440)


def show(page: Page, state: str, language: str) -> None:
    """Opens a page in one of the states."""
    path, mark, _, rightly = STATES[state]
    if state == "map, begun":
        page.context.request.post(f"/{language}/learn/changsha/tiles/", form={"do": "read"})
    visit(page, f"/{language}/{path}")
    if rightly is not None:
        answer_all(page, path.removeprefix("learn/").rstrip("/"), rightly=rightly)
    expect(page.locator(mark).first).to_be_visible()


def in_turn(state: str) -> tuple[str, ...]:
    """The languages to look at a page in: those that it has, or one of them."""
    languages = STATES[state][2]
    return languages if THOROUGH else (languages[list(STATES).index(state) % len(languages)],)


# Pages on which nothing is done yet are looked at with all others.
@pytest.mark.parametrize(
    "state", [name for name, state in STATES.items() if state[3] is not None or "," in name]
)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen_or_than_its_place(page: Page, state: str):
    found = {}
    number = list(STATES).index(state)
    for language in in_turn(state):
        show(page, state, language)
        open_all(page)
        first, second = (360, 1280) if language == "en" else (1280, 360)
        looks = [(first, "light", TAGS), (second, "dark", COLOURS), (second, "light", TAGS)]
        once = [(first, "light", TAGS), (second, "dark", TAGS)][number // 2 % 2]
        for width, scheme, rules in looks if THOROUGH else [once]:
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            for violation, places in violations(page, rules).items():
                found[f"{violation}, {language}, {width} px, {scheme}"] = places
        page.emulate_media(color_scheme="light")
        for width in (WIDTHS[0], *some_of(WIDTHS[1:], number % 5, 5)):
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate(TOO_WIDE)
            if wide:
                found[f"too wide, {language}, {width} px"] = wide[:5]
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)


def test_the_dark_scheme_differs_in_colours_alone(page: Page):
    for path in ("learn/", "learn/changchun/tiles/", "rules/changchun/", "glossary/", "compare/"):
        visit(page, f"/en/{path}")
        assert other_differences(page) == [], path


@in_both_languages
def test_axe_finds_nothing_in_an_open_term(new_page: Pages, language: str):
    found = {}
    for scheme in some_of(("light", "dark"), BOTH.index(language), 2):
        page = new_page(color_scheme=scheme, **PHONE)
        visit(page, f"/{language}/learn/changchun/winning-shape/")
        page.locator(".gloss").first.tap()
        expect(page.locator(":popover-open")).to_be_visible()
        found |= {(each, scheme): places for each, places in violations(page, context=".terms").items()}
    assert not found


@in_both_languages
def test_what_scrolls_sideways_can_be_reached_by_keyboard(page: Page, language: str):
    page.set_viewport_size({"width": 320, "height": 568})
    for state in ("rulebook", "chapter", "compare"):
        show(page, state, language)
        for place in page.locator(".scrolling").all():
            expect(place).to_have_attribute("tabindex", "0")
            expect(place).to_have_accessible_name(re.compile(r"\S"))


def test_what_is_tapped_is_large_enough_on_the_smallest_phone(new_page: Pages):
    page = new_page(**PHONE | {"viewport": {"width": 320, "height": 568}})
    tapped = (
        "#pages a, main :is(button:not(.gloss, [aria-hidden]), summary, label:has(input), [type=number]), "
        "main :is(.buttons, .go-on, .inline, .steps, .crumbs, .cites, .links, .plain, h2, dt) a, "
        "main a.to-checker"
    )
    found = {}
    for state in some_of(list(STATES), 0, 2):
        show(page, state, "en")
        open_all(page)
        small = page.locator(tapped).evaluate_all(
            """all => all.filter(e => e.checkVisibility())
                .map(e => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
                .filter(([, box]) => box.width < 24 || box.height < 24)
                .map(([html, box]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${html}`)"""
        )
        if small:
            found[state] = small[:5]
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)


def test_nothing_moves_where_motion_is_not_welcome(new_page: Pages):
    page = new_page(reduced_motion="reduce")
    show(page, "exam, right answers", "en")
    moving = page.locator("*").evaluate_all(
        """all => all.filter(e => getComputedStyle(e).animationName !== "none"
            || getComputedStyle(e).transitionDuration !== "0s").map(e => e.outerHTML.slice(0, 80))"""
    )
    assert moving == []
    asked = Asked(page, example("row"))
    asked.open()
    asked.choose(asked.level.rights[0])
    assert page.evaluate("() => document.getAnimations().length") == 0
    assert page.evaluate("() => getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def picture(page: Page, target: Locator) -> bytes:
    """How something looks when neither the focus nor the mouse is on it."""
    page.evaluate("() => document.activeElement.blur()")
    page.mouse.move(0, 0)
    return target.screenshot()


@pytest.mark.parametrize("width", [360, 1280])
def test_what_is_chosen_can_be_seen_in_forced_colours(new_page: Pages, width: int):
    page = new_page(forced_colors="active", viewport={"width": width, "height": 900})
    widgets = [name for name in ONE_OF_EACH if name != "numbers"]
    for widget in some_of(widgets, (360, 1280).index(width), 2):
        asked = Asked(page, example(widget))
        asked.open()
        place = asked.label(*fields(asked.level, asked.level.rights[0])[0])
        before = picture(page, place)
        asked.press(place)
        assert picture(page, place) != before, widget


def test_in_forced_colours_a_chosen_tile_has_an_outline(new_page: Pages):
    page = new_page(forced_colors="active")
    for widget in ("row", "swap", "group", "keys"):
        asked = Asked(page, example(widget))
        asked.open()
        field = asked.field(*fields(asked.level, asked.level.rights[0])[0])
        tile = field.locator("xpath=..").locator(".tile")
        expect(tile).to_have_css("outline-style", "none")
        field.check()
        page.evaluate("() => document.activeElement.blur()")
        expect(tile).not_to_have_css("outline-style", "none")
        expect(tile).not_to_have_css("outline-width", "0px")


def test_what_is_said_of_a_chosen_stack_covers_no_stack(page: Page):
    found = {}
    for language in BOTH:
        asked = Asked(page, example("wall"), language)
        for width in some_of(WIDTHS, BOTH.index(language), 2):
            page.set_viewport_size({"width": width, "height": 900})
            asked.open()
            asked.choose(asked.level.rights[0])
            covered = asked.place.evaluate(
                """level => {
                    const said = level.querySelector("label:has(:checked) .spoken").getBoundingClientRect();
                    const others = [...level.querySelectorAll(".spot, .marks")];
                    return others.map(e => e.getBoundingClientRect()).filter(
                        box => box.left < said.right - 1 && said.left < box.right - 1
                            && box.top < said.bottom - 1 && said.top < box.bottom - 1).length;
                }"""
            )
            if covered:
                found[f"{language}, {width} px"] = covered
    assert not found


def test_on_paper_there_is_nothing_to_press_and_no_open_term(page: Page):
    found = {}
    for state in some_of(list(STATES), 1, 2):
        show(page, state, "en")
        if page.locator(".gloss").count():
            page.locator(".gloss").first.evaluate("e => e.popoverTargetElement.showPopover()")
        page.emulate_media(media="print")
        left = page.locator("button:not(.gloss, [aria-hidden]), .buttons, [popover]").filter(visible=True)
        if left.count():
            found[state] = left.evaluate_all("all => all.slice(0, 5).map(e => e.outerHTML.slice(0, 100))")
        expect(page.locator("h1")).to_be_visible()
        page.emulate_media(media="screen")
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)
