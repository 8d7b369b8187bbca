"""The checker on a phone at a table with its own rules: what changes, who pays, how a hand is mended."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import Checker, Pages, in_both_languages
from .looks import violations_at_widths

pytestmark = pytest.mark.browser

PAIRS = "2255m 3377p 1199s C +C"
NEAR = "23456m 555p 77888s +4m"
CS = "12355m 45678p 789s +9p"
PHONE = {"width": 360, "height": 740}

# What each state is for must be on the page, or the tests would look at nothing.
STATES = {
    "a table's own rule": (
        {"hand": PAIRS, "option": "seven-pairs=yes"},
        ".answer.win .note .changed",
    ),
    "one tile away": ({"hand": NEAR}, ".answer.not-win .one-away .fix"),
    "many exchanges": ({"hand": "22558m 2258p 2588s +9p", "ruleset": "changsha"}, ".rest .fix"),
    "discards": ({"hand": "123m 11456p 67789s +8s", "ruleset": "changsha"}, ".draws .held"),
    "draws": ({"hand": "123m 456p 45789s EE"}, ".drawing .held"),
    "payments and birds": (
        {"hand": CS, "ruleset": "changsha", "by": "self-draw", "birds": "2m,5p"},
        ".bird + .totals",
    ),
    "a win elsewhere": ({"hand": "2255m 337744p 119s +9s"}, ".elsewhere"),
    "both": ({"hand": CS, "ruleset": "both", "option": "points=doubling"}, "#rules-changsha"),
    "a bad option": ({"hand": CS, "option": "colour=red"}, ".answer.error .long"),
}
in_each_state = pytest.mark.parametrize("state", STATES)


@pytest.fixture
def page(new_page: Pages) -> Page:
    """An empty page on a phone."""
    return new_page(viewport=PHONE, has_touch=True)


def show(checker: Checker, state: str) -> None:
    """Opens the page in one of the states, with everything that can be opened open."""
    given, mark = STATES[state]
    checker.open(**given)
    checker.page.evaluate("() => document.querySelectorAll('details').forEach(d => d.open = true)")
    expect(checker.page.locator(mark).first).to_be_visible()


def options(page: Page) -> list[str]:
    """The house rules in the page's address."""
    return page.evaluate("() => new URL(location).searchParams.getAll('option')")


def settled_focus(page: Page) -> str:
    """The id of what has the focus."""
    return page.evaluate("() => document.activeElement.id")


# A house rule is changed


@pytest.mark.parametrize(
    ("language", "loses", "wins", "why"),
    [
        ("en", "Not a win yet: ", "A win: 4 fan.", "Judged by this table's rule: Do seven pairs win?"),
        ("zh-hans", "还不能胡：", "胡了：4番。", "按这桌的规矩判：七对能胡吗？"),
    ],
)
def test_a_changed_rule_changes_the_verdict_which_says_so_and_back_undoes_it(
    checker: Checker, page: Page, loses: str, wins: str, why: str
):
    checker.open(PAIRS)
    expect(checker.sentences).to_contain_text(loses)
    page.locator("#rules-changchun-summary").tap()
    checker.choose("rule-seven-pairs", "yes")
    expect(checker.sentences).to_have_text(wins)
    expect(page.locator(".note .changed")).to_contain_text(why)
    expect(checker.announced).to_have_text(wins)
    assert options(page) == ["seven-pairs=yes"]
    page.go_back()
    expect(checker.sentences).to_contain_text(loses)
    expect(page.locator("#rule-seven-pairs")).to_have_value("no")
    assert options(page) == []
    page.go_forward()
    expect(checker.sentences).to_have_text(wins)
    expect(page.locator("#rule-seven-pairs")).to_have_value("yes")


def test_the_rules_stay_open_and_in_their_place_while_they_are_changed(checker: Checker, page: Page):
    checker.open(PAIRS)
    page.locator("#rules-changchun-summary").tap()
    select = page.locator("#rule-points")
    select.scroll_into_view_if_needed()
    select.focus()
    before = select.bounding_box()
    checker.choose("rule-points", "doubling")
    expect(page.locator("#rules-changchun")).to_have_attribute("open", "")
    expect(page.locator("#rules-changchun .tally")).to_have_text("1 changed")
    assert settled_focus(page) == "rule-points"
    assert select.bounding_box()["y"] == pytest.approx(before["y"], abs=1)
    # The verdict is in sight beside the rule.
    expect(page.locator("#rules-changchun .now")).to_be_in_viewport()


def test_one_tap_goes_back_to_the_usual_rules(checker: Checker, page: Page):
    checker.open(PAIRS, option="seven-pairs=yes")
    page.locator("#rules-changchun-summary").tap()
    button = page.locator("#usual-changchun")
    button.tap()
    checker.settle()
    expect(page.locator(".answer")).to_have_class("answer not-win")
    expect(page.locator("#rule-seven-pairs")).to_have_value("no")
    expect(button).to_have_attribute("aria-disabled", "true")
    assert settled_focus(page) == "usual-changchun"
    assert options(page) == []


def test_rules_are_changed_by_keyboard(checker: Checker, page: Page):
    checker.open(PAIRS)
    page.locator("#rules-changchun-summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert settled_focus(page) == "rule-seven-pairs"
    page.keyboard.press("ArrowDown")
    expect(page.locator(".answer")).to_have_class("answer win")
    checker.settle()
    assert settled_focus(page) == "rule-seven-pairs"
    assert options(page) == ["seven-pairs=yes"]


def test_every_rule_that_has_the_focus_is_seen_beside_the_verdict(checker: Checker, page: Page):
    """What stays in sight hides nothing that is used."""
    checker.open(PAIRS)
    page.locator("#rules-changchun-summary").focus()
    page.keyboard.press("Enter")
    for key in ("Tab", "Shift+Tab"):
        for _ in range(12):
            page.keyboard.press(key)
            hidden = page.evaluate(
                """() => {
                    const box = document.activeElement.getBoundingClientRect();
                    const now = document.querySelector(".now").getBoundingClientRect();
                    return box.top < now.bottom && box.bottom > now.top && document.activeElement.id;
                }"""
            )
            assert hidden is False


def test_side_by_side_each_game_is_changed_by_itself(checker: Checker, page: Page):
    checker.open("22558m 2258p 2588s +5p", ruleset="both")
    page.locator("#rules-changsha-summary").tap()
    checker.choose("rule-jiangjianghu-needs-shape", "yes")
    expect(page.locator(".answer").nth(1)).to_have_class("answer not-win")
    expect(page.locator("#rules-changchun .tally")).to_have_text("all as usual")
    page.locator("#ruleset-changchun").check()
    expect(page.locator(".answer")).to_have_count(1)
    checker.settle()
    assert options(page) == []


def test_without_javascript_the_form_does_it_all(new_page: Pages):
    page = new_page(viewport=PHONE, java_script_enabled=False)
    checker = Checker(page)
    checker.open(PAIRS)
    page.locator("#rules-changchun-summary").click()
    page.locator("#rule-seven-pairs").select_option("yes")
    page.get_by_role("button", name="Judge by these rules").click()
    expect(checker.sentences).to_have_text("A win: 4 fan.")
    expect(page).to_have_url(re.compile(r"[?&]option=seven-pairs%3Dyes$"))
    assert "rule-" not in page.url
    checker.press(checker.out("win"))
    expect(page).to_have_url(re.compile(r"option=seven-pairs%3Dyes"))
    checker.open(NEAR)
    page.locator(".one-away .fix").click()
    expect(checker.sentences).to_have_text("A win: 3 fan.")
    page.locator("#undo").click()
    checker.expect_hand(NEAR)


# On the way to a win


@in_both_languages
def test_a_tap_on_an_exchange_mends_the_hand(checker: Checker, page: Page, language: str):
    checker.open(NEAR)
    page.locator(".one-away .fix").tap()
    checker.settle()
    checker.expect_hand("12356m 555p 77888s +4m")
    expect(page.locator(".answer")).to_have_class("answer win")
    # The button is gone; the focus, and with it the screen, is at the answer.
    assert settled_focus(page) == "answer-changchun"
    expect(checker.sentences).to_be_in_viewport()
    page.go_back()
    checker.expect_hand(NEAR)


def test_a_discard_and_a_draw_lead_on(checker: Checker, page: Page):
    checker.open("123m 11456p 67789s +8s", ruleset="changsha")
    page.locator("#discard-changsha-1p").tap()
    checker.settle()
    checker.expect_hand("123m 1456p 677889s")
    page.locator("#draw-changsha-5m").tap()
    checker.settle()
    checker.expect_hand("123m 1456p 677889s +5m")
    page.locator(".rest summary").tap()
    page.locator("#discard-changsha-1p").tap()
    checker.settle()
    expect(page.locator(".answer")).to_have_class("answer ready")


def test_the_other_game_is_one_tap_away(checker: Checker, page: Page):
    checker.open("2255m 337744p 119s +9s")
    page.locator(".elsewhere a").tap()
    expect(page.locator("#ruleset-changsha")).to_be_checked()
    expect(page.locator(".answer")).to_have_class("answer win")


def test_birds_multiply_what_is_paid(checker: Checker, page: Page):
    checker.open(CS, ruleset="changsha")
    totals = page.locator(".totals td")
    expect(totals).to_have_text(["−2", "+2", "0", "0"])
    checker.choose("bird-1", "2m")
    expect(totals).to_have_text(["−4", "+4", "0", "0"])
    checker.choose("bird-2", "5p")
    expect(totals).to_have_text(["−8", "+8", "0", "0"])
    assert checker.state()["birds"] == "2m,5p"
    page.locator("#rules-changsha-summary").tap()
    checker.choose("rule-birds", "0")
    expect(totals).to_have_text(["−2", "+2", "0", "0"])
    expect(page.locator("#bird-1")).to_have_count(0)
    assert "birds" not in checker.state()


# How it looks


@in_both_languages
@in_each_state
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(checker: Checker, page: Page, state: str):
    show(checker, state)
    found = dict(violations_at_widths(page, (320, 1280), list(STATES).index(state) // 2))
    for width in (320, 360, 768, 900, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        scrolling = page.evaluate(
            """() => [document.documentElement, ...document.querySelectorAll(".board, .answer, .intro")]
                .filter(e => e.scrollWidth > e.clientWidth)
                .map(e => `${e.tagName}.${e.className}: ${e.scrollWidth} > ${e.clientWidth}`)"""
        )
        if scrolling:
            found[f"too wide, {width} px"] = scrolling
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)


@in_each_state
def test_what_is_tapped_is_large_enough_on_the_smallest_phone(checker: Checker, page: Page, state: str):
    page.set_viewport_size({"width": 320, "height": 568})
    show(checker, state)
    small = page.locator("button:visible, summary, select, .by-table a, .elsewhere a").evaluate_all(
        """all => all.map(e => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
            .filter(([, box]) => box.width < 24 || box.height < 24)
            .map(([html, box]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${html}`)"""
    )
    assert not small
