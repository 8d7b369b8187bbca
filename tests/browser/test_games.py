"""Both games on one page, each with its own tiles and circumstances, and side by side."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import Checker, in_both_languages

pytestmark = pytest.mark.browser

WIN = "123m 45556p 78s SSS +9s"


def circumstances(page: Page) -> list[str]:
    """The names of the visible fields for how a hand was won."""
    fields = page.locator(".circumstances :is(select, input:not([type=hidden]))")
    return fields.evaluate_all("fields => fields.map(f => f.name)")


def options(page: Page, name: str) -> list[str]:
    """What can be chosen in one of them."""
    return page.locator(f"#{name} option").evaluate_all("options => options.map(o => o.value)")


@pytest.mark.parametrize(
    ("language", "names"),
    [("en", ["Changchun", "Changsha", "Compare"]), ("zh-hans", ["长春", "长沙", "对比"])],
)
def test_the_game_is_switched_and_the_hand_stays(checker: Checker, page: Page, names: list[str]):
    changchun, changsha, both = names
    checker.open(WIN)
    expect(page.locator(".answer h2")).to_have_text(changchun)
    page.get_by_role("radio", name=changsha, exact=True).check()
    expect(page.locator(".answer h2")).to_have_text(changsha)
    page.get_by_role("radio", name=both, exact=True).check()
    expect(page.locator(".answer h2")).to_have_text([changchun, changsha])
    expect(page.locator(".brief li")).to_have_count(2)
    assert checker.state()["ruleset"] == "both"
    checker.expect_hand(WIN)


@pytest.mark.parametrize(
    ("language", "loses", "wins"),
    [("en", "Not a win yet: ", "A win: 1 big win."), ("zh-hans", "还不能胡：", "胡了：1个大胡。")],
)
def test_side_by_side_each_game_judges_for_itself(checker: Checker, loses: str, wins: str):
    checker.open("22558m 2258p 2588s +5p", ruleset="both")
    expect(checker.sentences).to_have_count(2)
    expect(checker.sentences.nth(0)).to_contain_text(loses)
    expect(checker.sentences.nth(1)).to_have_text(wins)


def test_honor_keys_are_there_only_where_the_game_has_honors(checker: Checker, page: Page):
    honors = page.locator("#key-E, #key-S, #key-W, #key-N, #key-C, #key-F, #key-P")
    checker.open("123m")
    expect(honors).to_have_count(7)
    page.locator("#ruleset-changsha").check()
    expect(honors).to_have_count(0)
    expect(page.locator(".key")).to_have_count(27)
    page.locator("#ruleset-both").check()
    expect(honors).to_have_count(7)
    checker.expect_hand("123m")


def test_special_gangs_can_be_made_only_where_the_game_has_them(checker: Checker, page: Page):
    checker.open("123m")
    page.locator("#mode-special").check()
    page.locator("#ruleset-changsha").check()
    expect(page.locator("#mode-special")).to_have_count(0)
    expect(page.locator("#mode-tile")).to_be_checked()
    checker.settle()
    checker.tap("1p")
    checker.expect_hand("123m 1p")


@pytest.mark.parametrize(
    ("ruleset", "fields", "ways"),
    [
        (
            "changchun",
            ["by", "seat", "from", "listening", "bao"],
            ["discard", "self-draw", "robbed-gang", "bao-match"],
        ),
        (
            "changsha",
            ["by", "seat", "from", "moments", "birds", "birds"],
            ["discard", "self-draw", "robbed-gang"],
        ),
        ("both", ["by", "seat", "from"], ["discard", "self-draw", "robbed-gang"]),
    ],
)
def test_the_circumstances_are_those_of_the_game(
    checker: Checker, page: Page, ruleset: str, fields: list[str], ways: list[str]
):
    checker.open(WIN, ruleset="changsha" if ruleset == "changchun" else "changchun")
    page.locator(f"#ruleset-{ruleset}").check()
    checker.settle()
    assert circumstances(page) == fields
    assert options(page, "by") == ways


def test_a_circumstance_of_the_other_game_is_left_behind(checker: Checker, page: Page):
    checker.open(WIN, listening="1", bao="2m")
    page.locator("#ruleset-changsha").check()
    checker.settle()
    assert checker.state().keys() == {"ruleset", "hand"}


def test_a_way_to_win_of_the_other_game_is_left_behind(checker: Checker, page: Page):
    checker.open("12355m 45678p 789s +9p", by="bao-match", listening="1", bao="9p")
    expect(page.locator("#by")).to_have_value("bao-match")
    page.locator("#ruleset-changsha").check()
    expect(page.locator(".answer")).to_have_class("answer win")
    expect(page.locator("#by")).to_have_value("discard")


@pytest.mark.parametrize(
    ("language", "scores"),
    [
        ("en", ["A win: 3 fan.", "Fangpao", "Zimo", "A win: 4 fan.", "Zhuanghu"]),
        ("zh-hans", ["胡了：3番。", "放炮", "自摸", "胡了：4番。", "庄胡"]),
    ],
)
def test_the_score_follows_how_the_hand_was_won(checker: Checker, page: Page, scores: list[str]):
    three, fangpao, zimo, four, zhuanghu = scores
    score = page.locator(".score")
    checker.open(WIN)
    expect(checker.sentences).to_have_text(three)
    expect(score).to_contain_text(fangpao)
    checker.choose("by", "self-draw")
    expect(score).to_contain_text(zimo)
    expect(score).not_to_contain_text(fangpao)
    expect(page.locator("#from")).to_have_count(0)
    checker.choose("seat", "0")
    expect(checker.sentences).to_have_text(four)
    expect(score).to_contain_text(zhuanghu)
    checker.choose("by", "discard")
    expect(score).to_contain_text(fangpao)
    assert options(page, "from") == ["1", "2", "3"]
    assert checker.state() == {"ruleset": "changchun", "hand": WIN, "seat": "0"}


def test_a_discarder_that_becomes_the_winner_is_forgotten(checker: Checker, page: Page):
    checker.open(WIN)
    checker.choose("from", "2")
    assert checker.state()["from"] == "2"
    checker.choose("seat", "2")
    expect(page.locator("#from")).to_have_value("0")
    expect(page.locator(".answer")).to_have_class("answer win")


@pytest.mark.parametrize(
    ("language", "stands_for", "baopai", "sentence"),
    [
        ("en", "The bao stands for 7条.", "Baopai", "A win: 6 fan."),
        ("zh-hans", "宝牌当7条用。", "宝牌", "胡了：6番。"),
    ],
)
def test_after_ting_a_drawn_bao_stands_for_the_tile_that_is_missing(
    checker: Checker, page: Page, stands_for: str, baopai: str, sentence: str
):
    checker.open("456m 45556p 89s SSS +2m")
    expect(page.locator(".answer")).to_have_class("answer not-win")
    checker.choose("by", "self-draw")
    page.locator("#listening").check()
    checker.settle()
    checker.choose("bao", "2m")
    expect(page.locator(".answer")).to_have_class("answer win")
    expect(page.locator(".answer")).to_contain_text(stands_for)
    expect(page.locator(".score")).to_contain_text(baopai)
    expect(checker.sentences).to_have_text(sentence)
    page.locator("#listening").uncheck()
    expect(page.locator(".answer")).to_have_class("answer not-win")


@pytest.mark.parametrize(
    ("language", "small", "big", "refused"),
    [
        ("en", "A win: a small win.", "A win: 1 big win.", "Haidilaoyue is a self-draw of the last tile."),
        ("zh-hans", "胡了：小胡。", "胡了：1个大胡。", "海底捞月是自己摸最后一张，要选自摸。"),
    ],
)
def test_a_situation_makes_a_small_win_a_big_one(
    checker: Checker, page: Page, small: str, big: str, refused: str
):
    checker.open("12355m 45678p 789s +9p", ruleset="changsha")
    expect(checker.sentences).to_have_text(small)
    checker.choose("moments", "haidilaoyue")
    expect(checker.sentences).to_have_text(refused)
    checker.choose("by", "self-draw")
    expect(checker.sentences).to_have_text(big)


def test_two_circumstances_chosen_at_once_both_count(checker: Checker, page: Page):
    checker.open(WIN)
    held = checker.hold()
    page.locator("#seat").select_option("0")
    held.wait()
    page.locator("#by").select_option("self-draw")
    held.release()
    expect(page.locator("#by")).to_have_value("self-draw")
    expect(page.locator("#seat")).to_have_value("0")
    assert checker.state() == {"ruleset": "changchun", "hand": WIN, "by": "self-draw", "seat": "0"}


@in_both_languages
def test_a_tile_that_a_game_does_not_have_is_an_error_there_alone(
    checker: Checker, page: Page, language: str
):
    checker.open("234m 567p 34567s FF +8s", ruleset="both")
    expect(page.locator(".answer").nth(0)).to_have_class("answer win")
    expect(page.locator(".answer").nth(1)).to_have_class("answer error")
    expect(page.locator(".answer").nth(1).locator("mark")).to_have_text("F")
