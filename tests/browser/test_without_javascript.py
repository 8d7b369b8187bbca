"""The same page with JavaScript switched off: a form, one page for each press."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import Checker, Pages

pytestmark = pytest.mark.browser

WIN = "123m 45556p 78s SSS +9s"


@pytest.fixture
def page(new_page: Pages) -> Page:
    """A page in which no script runs."""
    return new_page(java_script_enabled=False)


@pytest.mark.parametrize(
    ("language", "judge", "sentence"),
    [("en", "Judge", "A win: 3 fan."), ("zh-hans", "看能不能胡", "胡了：3番。")],
)
def test_a_typed_hand_is_judged_on_the_press_of_the_button(
    checker: Checker, page: Page, judge: str, sentence: str
):
    checker.open()
    checker.field.fill(WIN)
    page.get_by_role("button", name=judge, exact=True).click()
    expect(checker.sentences).to_have_text(sentence)
    checker.expect_hand(WIN)


def test_enter_in_the_field_judges_and_presses_no_key(checker: Checker):
    checker.open("1m")
    checker.field.fill("12m")
    checker.field.press("Enter")
    checker.expect_hand("12m")


@pytest.mark.parametrize(("language", "sentence"), [("en", "A win: 3 fan."), ("zh-hans", "胡了：3番。")])
def test_a_hand_is_tapped_in(checker: Checker, sentence: str):
    checker.open("123m 45556p SSS")
    for code, hand in (("7s", "7s"), ("8s", "78s")):
        checker.tap(code)
        checker.expect_hand(f"123m 45556p {hand} SSS")
    checker.tap("9s")
    checker.expect_hand(WIN)
    expect(checker.sentences).to_have_text(sentence)


@pytest.mark.parametrize(
    ("mode", "hand"),
    [
        ("chi", "1m (123m)"),
        ("peng", "1m (111p)"),
        ("gang", "1m (1111p)"),
        ("angang", "1m [1111p]"),
        ("special", "1m {1m1p1s}"),
    ],
)
def test_a_meld_is_made_and_taken_out(checker: Checker, page: Page, mode: str, hand: str):
    checker.open("1m")
    page.locator(f"#mode-{mode}").check()
    checker.tap("1m" if mode == "chi" else "1p")
    checker.expect_hand(hand)
    expect(page.locator("#mode-tile")).to_be_checked()
    checker.press(checker.out("meld0"))
    checker.expect_hand("1m")


def test_undo_goes_back_to_the_beginning(checker: Checker, page: Page):
    checker.open()
    checker.tap("1m", "2m", "3m")
    for earlier in ("12m", "1m", ""):
        checker.press(page.locator("#undo"))
        checker.expect_hand(earlier)


def test_clear_and_undo(checker: Checker, page: Page):
    checker.open(WIN)
    checker.press(page.locator("#clear"))
    checker.expect_hand("")
    checker.press(page.locator("#undo"))
    checker.expect_hand(WIN)


def test_tiles_are_taken_out_and_the_winning_tile_is_changed(checker: Checker):
    checker.open(WIN)
    checker.tap("6s")
    checker.expect_hand("123m 45556p 78s SSS +6s")
    checker.press(checker.out("win"))
    checker.press(checker.out("S"))
    checker.expect_hand("123m 45556p 78s SS")


def test_game_and_circumstances_go_with_the_hand(checker: Checker, page: Page):
    checker.open("12355m 45678p 789s +9p")
    page.locator("#ruleset-changsha").check()
    page.locator("#by").select_option("self-draw")
    checker.press(page.locator("button.main"))
    page.locator("#moments").select_option("haidilaoyue")
    checker.press(page.locator("button.main"))
    expect(checker.sentences).to_have_text("A win: 1 big win.")
    checker.tap("3p")
    expect(page.locator("#moments")).to_have_value("haidilaoyue")
    expect(page.locator("#by")).to_have_value("self-draw")


@pytest.mark.parametrize(
    ("language", "words"), [("en", "All four 5饼 are in the hand."), ("zh-hans", "四张5饼都在手里了。")]
)
def test_a_used_up_key_says_why_it_does_nothing(checker: Checker, words: str):
    checker.open("5555p")
    checker.key("5p").click(force=True)
    expect(checker.notice).to_have_text(words)
    checker.expect_hand("5555p")


def test_the_verdict_and_the_language_link_work(checker: Checker, page: Page):
    checker.open("123m 45556p 78s SSS")
    checker.press(page.locator(".waits button").first)
    checker.expect_hand("123m 45556p 78s SSS +6s")
    checker.press(page.locator("#language a"))
    checker.expect_hand("123m 45556p 78s SSS +6s")
    expect(checker.sentences).to_have_text("胡了：3番。")
