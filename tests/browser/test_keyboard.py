"""The checker by keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import Checker, in_both_languages

pytestmark = pytest.mark.browser

WIN = "123m 45556p 78s SSS +9s"


def tab_to(checker: Checker, target: str, at_most: int = 60) -> None:
    """Presses Tab until the focus is on an element."""
    for _ in range(at_most):
        checker.page.keyboard.press("Tab")
        if checker.focused() == target:
            return
    raise AssertionError(f"{at_most} times Tab do not lead to {target}")


@pytest.mark.parametrize(
    ("language", "skip", "sentence"),
    [("en", "Skip to the content", "A win: 3 fan."), ("zh-hans", "跳到正文", "胡了：3番。")],
)
def test_from_the_top_of_the_page_to_a_verdict(checker: Checker, page: Page, skip: str, sentence: str):
    checker.open()
    page.keyboard.press("Tab")
    link = page.get_by_role("link", name=skip)
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Tab")
    assert checker.focused() == "ruleset-changchun"
    page.keyboard.press("Tab")
    expect(checker.field).to_be_focused()
    page.keyboard.type(WIN)
    page.keyboard.press("Enter")
    expect(checker.sentences).to_have_text(sentence)
    expect(checker.field).to_be_focused()
    expect(checker.field).to_have_value(WIN)


def test_the_focus_is_always_seen(checker: Checker, page: Page):
    checker.open(WIN)
    for _ in range(60):
        page.keyboard.press("Tab")
        outline = page.evaluate(
            """() => {
                const it = document.activeElement;
                const drawn = it.matches("input[type=radio]") ? it.nextElementSibling : it;
                const style = getComputedStyle(drawn);
                return [it.outerHTML.slice(0, 80), style.outlineStyle, parseFloat(style.outlineWidth)];
            }"""
        )
        if outline[0].startswith("<body"):
            break
        assert outline[1] != "none", outline
        assert outline[2] >= 2, outline


def test_a_key_is_pressed_by_space_and_by_enter_and_keeps_the_focus(checker: Checker, page: Page):
    checker.open()
    checker.field.focus()
    tab_to(checker, "key-1m")
    page.keyboard.press("Space")
    checker.expect_hand("1m")
    checker.settle()
    assert checker.focused() == "key-1m"
    page.keyboard.press("Enter")
    checker.expect_hand("11m")
    checker.settle()
    assert checker.focused() == "key-1m"
    page.keyboard.press("Tab")
    assert checker.focused() == "key-2m"
    page.keyboard.press("Space")
    checker.expect_hand("112m")


def test_a_key_keeps_the_focus_when_it_is_used_up(checker: Checker, page: Page):
    checker.open("111m")
    checker.key("1m").focus()
    page.keyboard.press("Space")
    checker.expect_hand("1111m")
    checker.settle()
    assert checker.focused() == "key-1m"
    page.keyboard.press("Space")
    expect(checker.notice).to_be_visible()
    checker.expect_hand("1111m")


def test_radio_groups_go_by_arrow_keys(checker: Checker, page: Page):
    checker.open("123m")
    page.locator("#ruleset-changchun").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#ruleset-changsha")).to_be_checked()
    expect(page.locator("#key-E")).to_have_count(0)
    checker.settle()
    assert checker.focused() == "ruleset-changsha"
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#key-E")).to_have_count(1)
    checker.settle()

    page.locator("#mode-tile").focus()
    for mode in ("chi", "peng", "gang"):
        page.keyboard.press("ArrowRight")
        checker.settle()
        expect(page.locator(f"#mode-{mode}")).to_be_checked()
        assert checker.focused() == f"mode-{mode}"
    page.keyboard.press("ArrowLeft")
    checker.settle()
    assert checker.focused() == "mode-peng"
    tab_to(checker, "key-1m")
    page.keyboard.press("Enter")
    checker.expect_hand("123m (111m)")


def test_arrow_keys_without_a_pause_are_not_lost(checker: Checker, page: Page):
    checker.open()
    page.locator("#mode-tile").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    checker.settle()
    expect(page.locator("#mode-angang")).to_be_checked()
    assert checker.focused() == "mode-angang"


def test_circumstances_are_chosen_by_keyboard(checker: Checker, page: Page):
    checker.open(WIN)
    page.locator("#by").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#by")).to_have_value("self-draw")
    checker.settle()
    assert checker.focused() == "by"
    tab_to(checker, "listening", at_most=3)
    page.keyboard.press("Space")
    expect(page.locator("#listening")).to_be_checked()
    checker.settle()
    assert checker.state()["listening"] == "1"
    assert checker.focused() == "listening"


@pytest.mark.parametrize(
    ("hand", "target"),
    [
        pytest.param("123m", "button[value='out:2m']", id="a tile"),
        pytest.param("123m", "button[value='out:3m']", id="the last tile of its kind"),
        pytest.param("1m", "button[value='out:1m']", id="the only tile"),
        pytest.param(WIN, "button[value='out:win']", id="the winning tile"),
        pytest.param("1m (555p)", "button[value='out:meld0']", id="a meld"),
        pytest.param(WIN, "#clear", id="clear"),
        pytest.param("123m 45556p 78s SSS", ".waits button >> nth=0", id="a wait"),
    ],
)
def test_a_press_that_takes_its_own_button_away_does_not_lose_the_focus(
    checker: Checker, page: Page, hand: str, target: str
):
    checker.open(hand)
    page.locator(target).focus()
    page.keyboard.press("Enter")
    expect(checker.field).not_to_have_value(hand)
    checker.settle()
    assert checker.focused() != ""


def test_the_last_undo_does_not_lose_the_focus(checker: Checker, page: Page):
    checker.open("1m")
    checker.tap("2m")
    page.locator("#undo").focus()
    page.keyboard.press("Enter")
    checker.expect_hand("1m")
    checker.settle()
    assert checker.focused() != ""


@in_both_languages
def test_the_sentence_beside_the_hand_leads_to_its_answer(checker: Checker, page: Page, language: str):
    checker.open(WIN)
    page.locator(".brief a").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#answer-changchun")).to_be_focused()
    expect(page.locator("#answer-changchun")).to_be_in_viewport()
