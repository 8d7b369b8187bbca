"""On a phone: what is pressed leads to its answer, keys keep still, nothing runs over the edge."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from .conftest import Checker, Pages, in_both_languages

pytestmark = pytest.mark.browser

READY = "123m 45556p 78s SSS"
WIN = f"{READY} +9s"
NEAR = "23456m 555p 77888s +4m"
LONG = "W" * 300


@pytest.fixture
def page(new_page: Pages) -> Page:
    """An empty page on a phone."""
    return new_page(viewport={"width": 360, "height": 780}, has_touch=True, is_mobile=True)


@pytest.fixture
def said(page: Page) -> Iterator[list[str]]:
    """All that the browser writes to its console, but that no worker is let in."""
    found: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if "Service Worker registration blocked" not in message.text:
            found.append(message.text)

    page.on("console", note)
    yield found
    page.remove_listener("console", note)


@in_both_languages
@pytest.mark.parametrize(
    ("hand", "button"),
    [
        (WIN, "#wait-changchun-6s"),
        (NEAR, "#wait-changchun-1m"),
        (READY, "#wait-changchun-9s"),
        (NEAR, ".fix"),
    ],
)
def test_a_tile_tapped_in_an_answer_leads_to_the_new_verdict(
    checker: Checker, page: Page, hand: str, button: str
):
    checker.open(hand)
    page.locator(button).first.scroll_into_view_if_needed()
    page.locator(button).first.tap()
    checker.settle()
    expect(page.locator(".answer")).to_have_class("answer win")
    expect(page.locator("#answer-changchun")).to_be_focused()
    expect(checker.sentences).to_be_in_viewport()


@in_both_languages
@pytest.mark.parametrize("ruleset", ["changchun", "both"])
def test_the_keys_keep_still_while_the_verdict_grows_and_shrinks(checker: Checker, page: Page, ruleset: str):
    checker.open("23456m 555p 77888s", ruleset=ruleset)
    page.locator("#key-5s").scroll_into_view_if_needed()
    first = page.locator("#key-5s").bounding_box()
    for code in ("4m", "9s", "8p", "1m", "5s"):
        page.locator(f"#key-{code}").tap()
        checker.settle()
        now = page.locator("#key-5s").bounding_box()
        assert abs(now["y"] - first["y"]) < 1, f"moved by {code}"
    page.locator("#undo").tap()
    checker.settle()
    assert abs(page.locator("#key-5s").bounding_box()["y"] - first["y"]) < 1


def test_the_console_stays_empty(checker: Checker, page: Page, said: list[str]):
    checker.open(READY)
    for code in ("9s", "8s", "6s"):
        page.locator(f"#key-{code}").tap()
        checker.settle()
    for button in ("#undo", "#wait-changchun-6s", "#out-win", "#key-1m", ".fix"):
        page.locator(button).first.tap()
        checker.settle()
    checker.choose("by", "self-draw")
    checker.choose("seat", "0")
    page.locator("#rules-changchun-summary").tap()
    checker.choose("rule-seven-pairs", "yes")
    page.locator("#rules-changchun-others-summary").tap()
    expect(page.locator("#rules-changchun-others")).to_have_attribute("open", "")
    page.locator("#ruleset-both").check()
    checker.settle()
    page.locator("#ruleset-changsha").check()
    checker.settle()
    page.goto("/en/deal/?ruleset=changsha")
    for button in ("#key-1m", "#key-2p", "#deal-13", "#undo", "#deal-14"):
        page.locator(button).tap()
        checker.settle()
    assert said == []


def test_what_is_open_among_the_other_rules_stays_open(checker: Checker, page: Page):
    checker.open(WIN)
    page.locator("#rules-changchun-summary").tap()
    page.locator("#rules-changchun-others-summary").tap()
    checker.choose("rule-first-taker", page.locator("#rule-first-taker option").nth(1).get_attribute("value"))
    expect(page.locator("#rule-first-taker")).to_be_visible()
    assert "first-taker" in checker.state()["option"]


def test_the_tile_it_was_won_with_is_tapped(checker: Checker, page: Page):
    checker.open("123m 45556p 789s SSS")
    page.locator("#last-changchun-9s").tap()
    checker.settle()
    checker.expect_hand(WIN)
    expect(checker.sentences).to_be_in_viewport()


def test_a_tile_of_another_game_is_taken_out_by_one_tap(checker: Checker, page: Page):
    checker.open("123m 456p FF EE", ruleset="changsha")
    page.locator("#strays-changsha").tap()
    checker.settle()
    checker.expect_hand("123m 456p")


@in_both_languages
def test_an_impossible_situation_is_mended_by_one_tap(checker: Checker, page: Page):
    checker.open("12355m 45678p 789s +9p", ruleset="changsha", moments="tianhu")
    page.locator(".answer .ends a").tap()
    expect(page.locator(".answer")).to_have_class("answer win")
    expect(page.locator("#by")).to_have_value("self-draw")
    expect(page.locator("#seat")).to_have_value("0")


def test_the_game_goes_along_after_a_switch(checker: Checker, page: Page):
    checker.open(READY)
    page.locator("#ruleset-changsha").check()
    checker.settle()
    page.locator("#pages a[href*='/check/']").tap()
    expect(page.locator("#ruleset-changsha")).to_be_checked()
    page.locator("#pages a[href*='/deal/']").tap()
    expect(page.locator("[name=ruleset][value=changsha]")).to_be_checked()


@in_both_languages
@pytest.mark.parametrize("path", ["check", "deal"])
@pytest.mark.parametrize(
    "query",
    [f"hand=1m&tiles=1m&option={LONG}", f"hand=1m&seat={LONG}", f"hand=1m&tiles=1m&ruleset={LONG}", "do=x"],
)
def test_long_values_run_over_no_edge(page: Page, language: str, path: str, query: str):
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"/{language}/{path}/?{query}")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320


@in_both_languages
def test_the_whole_hand_as_text_can_be_read(checker: Checker, page: Page):
    checker.open("123m 45556p 78s SSS +9s")
    assert page.evaluate(
        "() => { const f = document.getElementById('hand'); return f.scrollWidth <= f.clientWidth }"
    )


@in_both_languages
def test_suits_stay_together_where_they_fit(checker: Checker, page: Page):
    checker.open(WIN)
    rows = page.locator(".answer .shown .suit").evaluate_all(
        """all => all.map(suit => [...suit.children].map(t => Math.round(t.getBoundingClientRect().top)))
            .map(tops => new Set(tops).size)"""
    )
    assert len(rows) == 4
    assert rows == [1] * len(rows)


@in_both_languages
@pytest.mark.parametrize("hand", [WIN, NEAR])
def test_links_in_a_line_are_high_enough(checker: Checker, page: Page, hand: str):
    checker.open(hand)
    small = page.locator(".note a, .assumed a, footer.site a, .share button, .brief a").evaluate_all(
        """all => all.map(e => [e.outerHTML.slice(0, 90), e.getBoundingClientRect().height])
            .filter(([, height]) => height && height < 24)"""
    )
    assert small == []


@in_both_languages
def test_payments_are_told_in_two_lines_each(checker: Checker, page: Page):
    checker.open(WIN)
    row = page.locator(".payments tbody tr").first
    who, why, points = (row.locator(part).bounding_box() for part in ("th", ".how", ".points"))
    assert why["y"] > who["y"]
    assert points["y"] == who["y"]
    assert why["width"] > 250


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tiles_of_an_opening_are_marked_in_jade(new_page: Pages, scheme: str):
    page = new_page(color_scheme=scheme)
    page.goto("/en/deal/?ruleset=changsha&tiles=2222m+13579p+1479s")
    jade = {"light": "rgb(11, 107, 77)", "dark": "rgb(92, 199, 157)"}[scheme]
    mark = page.locator(".hand .raised").first.evaluate("e => getComputedStyle(e).filter")
    assert jade in mark
