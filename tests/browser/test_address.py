"""The whole state stands in the page's address: to copy, to reload, to go back to, in either language."""

import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import Checker, Pages

pytestmark = pytest.mark.browser

WIN = "123m 45556p 78s SSS +9s"
BAO = "456m 45556p 89s SSS +2m"
WORDS_BAO = [("en", "A win: 6 fan."), ("zh-hans", "胡了：6番。")]


def enter_bao(checker: Checker) -> None:
    """A win that needs nearly every field."""
    checker.open("456m 45556p 89s SSS")
    checker.tap("2m")
    checker.choose("by", "self-draw")
    checker.page.locator("#listening").check()
    checker.settle()
    checker.choose("bao", "2m")


@pytest.mark.parametrize(("language", "sentence"), WORDS_BAO)
def test_a_copied_address_shows_the_same_verdict_elsewhere(
    checker: Checker, new_page: Pages, language: str, sentence: str
):
    enter_bao(checker)
    expect(checker.sentences).to_have_text(sentence)
    other = Checker(new_page(), language)
    other.page.goto(checker.page.url)
    expect(other.sentences).to_have_text(sentence)
    other.expect_hand(BAO)
    assert other.page.locator(".answer").inner_text() == checker.page.locator(".answer").inner_text()


@pytest.mark.parametrize(("language", "sentence"), WORDS_BAO)
def test_a_reload_keeps_everything(checker: Checker, page: Page, sentence: str):
    enter_bao(checker)
    page.reload()
    expect(checker.sentences).to_have_text(sentence)
    checker.expect_hand(BAO)
    expect(page.locator("#by")).to_have_value("self-draw")
    expect(page.locator("#listening")).to_be_checked()
    expect(page.locator("#bao")).to_have_value("2m")


def test_a_reload_keeps_a_typed_hand_and_the_game(checker: Checker, page: Page):
    checker.open()
    checker.field.fill("12355m45678p789s+9p")
    expect(page.locator(".rack button")).to_have_count(14)
    page.locator("#ruleset-changsha").check()
    expect(page.locator(".answer")).to_have_class("answer win")
    checker.settle()
    page.reload()
    expect(checker.field).to_have_value("12355m45678p789s+9p")
    expect(page.locator("#ruleset-changsha")).to_be_checked()
    expect(page.locator(".answer")).to_have_class("answer win")


@pytest.mark.parametrize(
    ("language", "ready", "win"),
    [
        ("en", "Ready: waits for 6条 or 9条.", "A win: 3 fan."),
        ("zh-hans", "听牌了：听6条、9条。", "胡了：3番。"),
    ],
)
def test_back_goes_to_the_state_before_the_last_press(checker: Checker, page: Page, ready: str, win: str):
    checker.open("123m 45556p 78s SS")
    checker.tap("S", "9s")
    expect(checker.sentences).to_have_text(win)
    page.go_back()
    expect(checker.sentences).to_have_text(ready)
    checker.expect_hand("123m 45556p 78s SSS")
    page.go_back()
    checker.expect_hand("123m 45556p 78s SS")
    page.go_forward()
    checker.expect_hand("123m 45556p 78s SSS")
    checker.settle()
    checker.tap("6s")
    checker.expect_hand("123m 45556p 78s SSS +6s")


def test_back_from_an_example_brings_the_hand_that_was_there(checker: Checker, page: Page):
    checker.open()
    checker.tap("1m", "2m")
    page.locator(".examples a").first.click()
    checker.expect_hand(WIN)
    page.go_back()
    checker.expect_hand("12m")


def test_typing_leaves_no_trail_of_half_typed_hands(checker: Checker, page: Page):
    checker.open("1m")
    checker.tap("2m")
    for text in ("123m", "123m 5", "123m 55p"):
        checker.field.fill(text)
        expect(page).to_have_url(re.compile(f"hand={text.replace(' ', '[+]')}(&|$)"))
    page.go_back()
    checker.expect_hand("1m")


@pytest.mark.parametrize(("language", "other"), [("en", "简体中文"), ("zh-hans", "English")])
def test_a_change_of_language_keeps_the_hand_and_its_verdict(
    checker: Checker, page: Page, language: str, other: str
):
    sentences = dict(WORDS_BAO)
    enter_bao(checker)
    expect(checker.sentences).to_have_text(sentences.pop(language))
    page.get_by_role("link", name=other, exact=True).click()
    expect(checker.sentences).to_have_text(sentences.popitem()[1])
    checker.expect_hand(BAO)
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans" if language == "en" else "en")


def test_a_change_of_language_keeps_what_was_only_typed(checker: Checker, page: Page):
    checker.open(ruleset="changsha")
    checker.field.fill("123m 55p")
    expect(page.locator(".rack button")).to_have_count(5)
    checker.settle()
    page.locator("#language a").click()
    checker.expect_hand("123m 55p")
    expect(page.locator("#ruleset-changsha")).to_be_checked()
