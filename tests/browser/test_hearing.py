"""What a screen reader is told: names, labels, and the live region."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from .conftest import Checker, in_both_languages

pytestmark = pytest.mark.browser

WIN = "123m 45556p 78s SSS +9s"
HAN = re.compile(r"[\u4e00-\u9fff]")
LATIN = re.compile(r"[A-Za-z]")


def names(page: Page, selector: str) -> list[str]:
    """The labels of some elements."""
    return page.locator(selector).evaluate_all("all => all.map(e => e.getAttribute('aria-label') || '')")


@pytest.mark.parametrize(
    ("language", "unfinished", "ready", "win"),
    [
        (
            "en",
            "1 more tile to see what the hand waits for.",
            "Ready: waits for 6条 or 9条.",
            "A win: 3 fan.",
        ),
        ("zh-hans", "还差1张，就能看听什么。", "听牌了：听6条、9条。", "胡了：3番。"),
    ],
)
def test_the_live_region_is_there_from_the_start_and_says_each_verdict(
    checker: Checker, page: Page, unfinished: str, ready: str, win: str
):
    checker.open()
    expect(checker.announced).to_have_role("status")
    region = checker.announced.element_handle()
    checker.field.fill("123m 45556p 78s SS")
    expect(checker.announced).to_contain_text(unfinished)
    checker.settle()
    checker.tap("S")
    expect(checker.announced).to_contain_text(ready)
    checker.tap("9s")
    expect(checker.announced).to_contain_text(win)
    # A region that is put into the page anew is not read out.
    assert page.evaluate("region => region === document.getElementById('announce')", region)


@pytest.mark.parametrize(
    ("language", "names"), [("en", ["Changchun: ", "Changsha: "]), ("zh-hans", ["长春：", "长沙："])]
)
def test_side_by_side_the_live_region_names_the_games(checker: Checker, names: list[str]):
    checker.open("123m 45556p 78s SSS", ruleset="both")
    checker.tap("9s")
    for name in names:
        expect(checker.announced).to_contain_text(name)


@in_both_languages
def test_every_tile_has_a_name_in_the_pages_language(checker: Checker, page: Page, language: str):
    foreign = HAN if language == "en" else LATIN
    checker.open("11m 45556p 78s SSS {CFP}")
    shown = names(page, ".key") + names(page, ".answer [role=img]") + names(page, ".waits button")
    shown += names(page, ".rack button[value^='out:']:not(.meld)")
    assert len(shown) > 34 + 10
    for name in shown:
        assert name.strip()
        assert not foreign.search(name), name


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["1 character", "9 dots", "9 bamboo", "East wind", "Red dragon", "White dragon"]),
        ("zh-hans", ["1万", "9饼", "9条", "东风", "红中", "白板"]),
    ],
)
def test_tile_keys_are_found_by_name(checker: Checker, page: Page, expected: list[str]):
    checker.open()
    keys = page.locator(".keys")
    for name, code in zip(expected, ["1m", "9p", "9s", "E", "C", "P"], strict=True):
        expect(keys.get_by_role("button", name=name, exact=True)).to_have_attribute("value", f"key:{code}")


@pytest.mark.parametrize(
    ("language", "label"),
    [
        (
            "en",
            "1 character, 5 dots, 5 dots and 5 dots; chi of 7 bamboo, 8 bamboo and 9 bamboo; "
            "peng of South wind; peng of 9 bamboo; "
            "winning tile: 1 character",
        ),
        ("zh-hans", "1万、5饼、5饼、5饼；吃7条、8条、9条；碰南风；碰9条；胡1万"),
    ],
)
def test_the_picture_of_the_hand_is_read_out_tile_by_tile(checker: Checker, page: Page, label: str):
    checker.open("1m 555p (789s) (SSS) (999s) +1m")
    picture = page.locator(".shown [role=img]")
    expect(picture).to_have_accessible_name(label)
    expect(picture.locator("svg:not([aria-hidden=true])")).to_have_count(0)


@in_both_languages
def test_every_field_and_button_has_a_name(checker: Checker, page: Page, language: str):
    checker.open(WIN)
    # What is shut has no name until it is opened.
    page.evaluate("() => document.querySelectorAll('details').forEach(d => d.open = true)")
    controls = page.locator("button, input:not([type=hidden]), select, a")
    for n in range(controls.count()):
        expect(controls.nth(n)).to_have_accessible_name(re.compile(r"\S"))
    expect(checker.field).to_have_accessible_description(re.compile("12355m 45678p 777s"))


@pytest.mark.parametrize(
    ("language", "status"),
    [
        ("en", ["met", "met", "not met", "met", "met"]),
        ("zh-hans", ["满足", "满足", "不满足", "满足", "满足"]),
    ],
)
def test_each_rules_status_is_said_in_words(checker: Checker, page: Page, status: list[str]):
    checker.open("23456m 555p 77888s +4m")
    expect(page.locator(".findings .status")).to_have_text(status)


@in_both_languages
def test_headings_start_at_one_and_leave_out_no_level(checker: Checker, page: Page, language: str):
    checker.open(WIN, ruleset="both")
    levels = page.locator("h1, h2, h3, h4").evaluate_all("all => all.map(h => Number(h.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
