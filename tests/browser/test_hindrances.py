"""When a press can't do what it says: a used-up key, no room, no connection."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import Checker

pytestmark = pytest.mark.browser

# What the browser and htmx say in the console when there is no connection.
DISCONNECTED = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "htmx:afterRequest", "htmx:sendError")


def forgive_disconnection(faults: list[str]) -> None:
    """Checks that nothing went wrong but the connection."""
    assert faults
    assert [fault for fault in faults if not any(known in fault for known in DISCONNECTED)] == []
    faults.clear()


@pytest.mark.parametrize(
    ("language", "words"), [("en", "All four 5饼 are in the hand."), ("zh-hans", "四张5饼都在手里了。")]
)
def test_a_used_up_key_is_marked_and_says_why_when_pressed(checker: Checker, page: Page, words: str):
    checker.open("555p")
    expect(checker.key("5p")).not_to_have_attribute("aria-disabled", "true")
    checker.tap("5p")
    expect(checker.key("5p")).to_have_attribute("aria-disabled", "true")
    assert words in checker.key("5p").get_attribute("aria-label")
    checker.key("5p").click(force=True)
    expect(checker.notice).to_have_text(words)
    expect(checker.announced).to_have_text(words)
    checker.expect_hand("5555p")
    checker.settle()
    checker.press(checker.out("5p"))
    expect(checker.key("5p")).not_to_have_attribute("aria-disabled", "true")
    expect(checker.notice).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "hand", "mode", "key", "words"),
    [
        ("en", "123m 45556p 78s SSS", "chi", "1m", "There is no room for a meld: take tiles out first."),
        ("zh-hans", "123m 45556p 78s SSS", "chi", "1m", "放不下一组了，先拿掉几张。"),
        ("en", "5p", "gang", "5p", "Not enough 5饼 left for this meld."),
        ("zh-hans", "5p", "gang", "5p", "5饼不够，凑不成这一组。"),
        ("en", "", "chi", "8m", "For a chi, tap its lowest tile, 1 to 7."),
        ("zh-hans", "", "chi", "8m", "吃牌请点顺子里最小的那张。"),
    ],
)
def test_a_meld_that_can_not_be_made_says_why(
    checker: Checker, page: Page, hand: str, mode: str, key: str, words: str
):
    checker.open(hand)
    page.locator(f"#mode-{mode}").check()
    expect(checker.key(key)).to_have_attribute("aria-disabled", "true")
    checker.settle()
    checker.key(key).click(force=True)
    expect(checker.notice).to_have_text(words)
    checker.expect_hand(hand)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "No connection: what you entered is kept and will be answered when the connection is back."),
        ("zh-hans", "连不上网：按的和写的都记着，网一通就给出结果。"),
    ],
)
def test_without_a_connection_presses_are_kept_and_the_next_press_sends_them(
    checker: Checker, page: Page, context: BrowserContext, faults: list[str], words: str
):
    checker.open("1m")
    context.set_offline(True)
    for code in ("2m", "3m", "5p"):
        checker.key(code).click()
        expect(checker.trouble).to_have_text(words)
    expect(checker.trouble).to_be_visible()
    expect(checker.field).to_have_value("1m")
    context.set_offline(False)
    checker.settle()
    checker.tap("6p")
    checker.expect_hand("123m 56p")
    expect(checker.trouble).to_be_hidden()
    forgive_disconnection(faults)


def test_presses_that_wait_when_the_connection_fails_are_not_lost(
    checker: Checker, page: Page, faults: list[str]
):
    checker.open("1m")
    held = checker.hold()
    checker.key("2m").click()
    held.wait()
    checker.key("3m").click()
    checker.key("4m").click()
    held.fail()
    expect(checker.trouble).to_be_visible()
    held.wait()  # what waited is tried with what failed
    held.release()
    checker.expect_hand("1234m")
    expect(checker.trouble).to_be_hidden()
    forgive_disconnection(faults)


def test_a_mode_that_the_answer_ends_is_shown_as_ended_after_a_broken_connection(
    checker: Checker, page: Page, faults: list[str]
):
    """A wait that is pressed sets the winning tile, and the next key adds a tile again."""
    checker.open("12355m 45678p 777s")
    held = checker.hold()
    page.locator("#mode-chi").check()
    held.wait()
    page.locator(".answer button[value='win:3p']").click()
    held.fail()
    held.wait()
    held.release()
    checker.expect_hand("12355m 45678p 777s +3p")
    expect(page.locator("#mode-tile")).to_be_checked()
    checker.tap("1p")
    checker.expect_hand("12355m 45678p 777s +1p")
    forgive_disconnection(faults)


def test_a_typed_hand_is_judged_by_the_button_once_the_connection_is_back(
    checker: Checker, page: Page, context: BrowserContext, faults: list[str]
):
    checker.open()
    context.set_offline(True)
    checker.field.fill("123m 45556p 78s SSS +9s")
    expect(checker.trouble).to_be_visible()
    context.set_offline(False)
    checker.settle()
    checker.press(page.locator("button.main"))
    expect(checker.sentences).to_have_text("A win: 3 fan.")
    expect(checker.trouble).to_be_hidden()
    forgive_disconnection(faults)
