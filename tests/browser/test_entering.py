"""Entering a hand: by keys, by typing, by paste; melds; taking tiles out; undo."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import QUESTION, Checker, Pages, in_both_languages

pytestmark = pytest.mark.browser

WIN = "123m 45556p 78s SSS +9s"
WIN_KEYS = ["1m", "2m", "3m", "4p", "5p", "5p", "5p", "6p", "7s", "8s", "S", "S", "S", "9s"]
WORDS_WIN = [("en", "A win: 3 fan."), ("zh-hans", "胡了：3番。")]


# Tapping


@pytest.mark.parametrize(("language", "sentence"), WORDS_WIN)
def test_a_hand_is_tapped_in_tile_by_tile(checker: Checker, sentence: str):
    checker.open()
    checker.tap(*WIN_KEYS)
    checker.expect_hand(WIN)
    expect(checker.sentences).to_have_text(sentence)
    expect(checker.page.locator(".brief")).to_have_text(sentence)


def test_taps_without_any_pause_are_neither_lost_nor_doubled(checker: Checker, page: Page):
    checker.open()
    page.evaluate("codes => codes.forEach(code => document.getElementById(`key-${code}`).click())", WIN_KEYS)
    checker.expect_hand(WIN)
    assert checker.state()["hand"] == WIN


def test_taps_by_mouse_one_right_after_the_other_are_neither_lost_nor_doubled(checker: Checker, page: Page):
    checker.open()
    for code in WIN_KEYS:
        # No waiting for an answer: wherever the key stands at this moment, it is pressed.
        box = checker.key(code).bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    checker.expect_hand(WIN)


def test_taps_by_finger_one_right_after_the_other_are_neither_lost_nor_doubled(new_page: Pages):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    checker = Checker(page)
    checker.open()
    checker.key("1s").scroll_into_view_if_needed()
    for code in WIN_KEYS:
        box = checker.key(code).bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    checker.expect_hand(WIN)


def test_taps_while_an_answer_is_slow_go_out_together(checker: Checker):
    checker.open()
    held = checker.hold()
    for code in WIN_KEYS:
        checker.key(code).click()
    held.wait()
    assert len(held.routes) == 1, "one request at a time"
    held.release()
    checker.expect_hand(WIN)


def test_a_tapped_tile_is_in_the_hand_before_the_answer_comes(checker: Checker, page: Page):
    checker.open("12m")
    held = checker.hold()
    checker.key("3m").click()
    expect(page.locator(".rack .tile")).to_have_count(3)
    held.release()
    checker.expect_hand("123m")


def test_a_key_held_down_while_the_board_is_drawn_anew_is_pressed_once(checker: Checker, page: Page):
    checker.open("1m")
    held = checker.hold()
    checker.key("2m").click()
    held.wait()
    checker.key("3m").hover()
    page.mouse.down()
    held.release()
    checker.expect_hand("12m")
    page.mouse.up()
    checker.expect_hand("123m")


def test_undo_held_down_while_the_board_is_drawn_anew_is_pressed_once(checker: Checker, page: Page):
    checker.open()
    checker.tap("1m", "2m", "3m")
    held = checker.hold()
    page.locator("#undo").click()
    held.wait()
    page.locator("#undo").hover()
    page.mouse.down()
    held.release()
    checker.expect_hand("12m")
    page.mouse.up()
    checker.expect_hand("1m")


@pytest.mark.parametrize(("width", "height"), [(360, 780), (1280, 900)], ids=["phone", "desk"])
def test_the_keys_stay_where_they_are_while_a_hand_is_tapped_in(
    checker: Checker, page: Page, width: int, height: int
):
    page.set_viewport_size({"width": width, "height": height})
    checker.open()
    page.evaluate("() => document.querySelector('.keys').scrollIntoView({block: 'end'})")
    first = checker.key("5p").bounding_box()
    for code in WIN_KEYS:
        checker.tap(code)
        now = checker.key("5p").bounding_box()
        # A second quick tap on the same spot must meet the same key.
        assert abs(now["y"] - first["y"]) < first["height"] / 2, f"moved by {code}"


def test_the_fourteenth_tile_is_the_winning_one_and_another_key_changes_it(checker: Checker, page: Page):
    checker.open(WIN)
    checker.tap("6s")
    checker.expect_hand("123m 45556p 78s SSS +6s")
    checker.press(checker.out("win"))
    checker.expect_hand("123m 45556p 78s SSS")
    checker.add_meld("win", "9s")
    checker.expect_hand(WIN)


def test_the_winning_tile_may_be_chosen_before_the_hand_is_full(checker: Checker):
    checker.open("12m")
    checker.add_meld("win", "3m")
    checker.expect_hand("12m +3m")
    checker.tap("5p")
    checker.expect_hand("12m 5p +3m")


@pytest.mark.parametrize(
    ("language", "key", "sentence"),
    [("en", "Win with 9 bamboo", "A win: 3 fan."), ("zh-hans", "胡9条", "胡了：3番。")],
)
def test_a_wait_in_the_verdict_is_pressed_to_win_with_it(
    checker: Checker, page: Page, key: str, sentence: str
):
    checker.open("123m 45556p 78s SSS")
    checker.press(page.get_by_role("button", name=key, exact=True))
    checker.expect_hand(WIN)
    expect(checker.sentences).to_have_text(sentence)


@pytest.mark.parametrize(
    ("language", "key", "sentence"),
    [
        ("en", "Try 4 characters, which is blocked", "Not a win yet: "),
        ("zh-hans", "试试4万（不能胡）", "还不能胡："),
    ],
)
def test_a_blocked_wait_is_pressed_to_see_why_it_does_not_win(
    checker: Checker, page: Page, key: str, sentence: str
):
    checker.open("23456m 555p 77888s")
    checker.press(page.get_by_role("button", name=key, exact=True))
    checker.expect_hand("23456m 555p 77888s +4m")
    expect(checker.sentences).to_contain_text(sentence)


# Typing and pasting


@pytest.mark.parametrize(("language", "sentence"), WORDS_WIN)
def test_a_typed_hand_is_judged_without_a_press(checker: Checker, sentence: str):
    checker.open()
    checker.field.press_sequentially("123m45556p78sSSS+9s")
    expect(checker.sentences).to_have_text(sentence)
    checker.expect_rack(WIN)
    expect(checker.field).to_have_value("123m45556p78sSSS+9s")  # stays as it was typed


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("一二三万 四五五五六饼 七八条 南南南 +九条", id="names"),
        pytest.param("一二三萬 四五五五六餅 七八條 南風南風南風+九條", id="traditional"),
        pytest.param("🀇🀈🀉🀜🀝🀝🀝🀞🀖🀗🀁🀁🀁+🀘", id="unicode"),
    ],
)
@pytest.mark.parametrize(("language", "sentence"), WORDS_WIN)
def test_a_hand_is_pasted_in_other_spellings(checker: Checker, page: Page, text: str, sentence: str):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    checker.open()
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    checker.field.click()
    page.keyboard.press("Control+V")
    expect(checker.field).to_have_value(text)
    expect(checker.sentences).to_have_text(sentence)
    checker.expect_rack(WIN)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "1 more tile to see what the hand waits for."), ("zh-hans", "还差1张，就能看听什么。")],
)
def test_keys_go_on_from_a_pasted_hand(checker: Checker, sentence: str):
    checker.open()
    checker.field.fill("一二三万 四五五五六饼 七八条 南南")
    expect(checker.sentences).to_have_text(sentence)
    checker.tap("S")
    checker.expect_hand("123m 45556p 78s SSS")


def test_a_key_pressed_right_after_typing_adds_to_what_was_typed(checker: Checker):
    checker.open()
    checker.field.press_sequentially("12m")
    checker.key("3m").click()
    checker.expect_hand("123m")


def test_what_is_typed_while_an_answer_is_on_its_way_is_not_overwritten(checker: Checker):
    checker.open("1m")
    held = checker.hold()
    checker.key("2m").click()
    held.wait()
    checker.field.fill("555p")
    held.release()
    expect(checker.field).to_have_value("555p")
    checker.expect_hand("555p")
    assert checker.focused() == "hand"


@pytest.mark.parametrize(
    ("language", "empty"),
    [("en", "The text can't be read as tiles yet."), ("zh-hans", "这样写看不出是什么牌。")],
)
def test_text_that_is_no_hand_is_marked_where_it_goes_wrong(checker: Checker, page: Page, empty: str):
    checker.open()
    checker.field.fill("123m x5p")
    expect(page.locator(".source mark")).to_have_text("x")
    expect(page.locator(".rack")).to_contain_text(empty)
    expect(checker.sentences).not_to_be_empty()


# Melds


@pytest.mark.parametrize(
    ("mode", "key", "hand"),
    [
        ("chi", "1m", "(123m)"),
        ("peng", "5p", "(555p)"),
        ("gang", "8s", "(8888s)"),
        ("angang", "8s", "[8888s]"),
        ("special", "C", "{CFP}"),
        ("special", "E", "{ESWN}"),
        ("special", "1p", "{1m1p1s}"),
        ("special", "9s", "{9m9p9s}"),
    ],
)
def test_a_mode_makes_the_next_key_a_meld_and_the_one_after_it_a_tile(
    checker: Checker, page: Page, mode: str, key: str, hand: str
):
    checker.open()
    checker.add_meld(mode, key)
    checker.expect_hand(hand)
    expect(page.locator("#mode-tile")).to_be_checked()
    checker.tap("5m")
    checker.expect_hand(f"5m {hand}")


def test_a_tile_is_added_to_a_special_gang_that_is_there(checker: Checker):
    checker.open()
    checker.add_meld("special", "C")
    checker.add_meld("special", "C")
    checker.expect_hand("{CCFP}")
    checker.add_meld("special", "P")
    checker.expect_hand("{CCFPP}")


def test_a_concealed_gang_shows_two_backs(checker: Checker, page: Page):
    checker.open("[8888s]")
    expect(page.locator(".rack .meld use[href$='#t-back']")).to_have_count(2)
    expect(page.locator(".rack .meld use[href$='#t-8s']")).to_have_count(2)


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["Chi 吃", "Peng 碰", "Concealed gang 暗杠", "Special gang 特殊杠"]),
        ("zh-hans", ["吃", "碰", "暗杠", "特殊杠"]),
    ],
)
def test_a_whole_hand_is_made_of_melds(checker: Checker, page: Page, names: list[str]):
    checker.open()
    modes = page.locator(".modes")
    for name, key in zip(names, ["1m", "2p", "3s", "C"], strict=True):
        modes.get_by_role("radio", name=name, exact=True).check()
        checker.settle()
        checker.tap(key)
    checker.tap("5m", "5m")
    checker.expect_hand("5m (123m) (222p) [3333s] {CFP} +5m")


def test_a_meld_chosen_while_a_press_is_on_its_way_is_kept(checker: Checker, page: Page):
    checker.open("1m")
    held = checker.hold()
    checker.key("2m").click()
    held.wait()
    page.locator("#mode-peng").check()
    checker.key("5p").click()
    held.release()
    checker.expect_hand("12m (555p)")


def test_a_meld_chosen_after_presses_that_still_wait_is_not_made_of_them(checker: Checker, page: Page):
    checker.open("1m")
    held = checker.hold()
    checker.key("2m").click()
    held.wait()
    checker.key("3m").click()  # waits for the first answer
    page.locator("#mode-peng").check()
    checker.key("5p").click()
    held.release()
    checker.expect_hand("123m (555p)")


# Taking out, undo, clear


@pytest.mark.parametrize(("language", "name"), [("en", "Take out 2 characters"), ("zh-hans", "拿掉2万")])
def test_a_tile_is_taken_out_by_pressing_it(checker: Checker, page: Page, name: str):
    checker.open("123m 55p")
    checker.press(page.get_by_role("button", name=name, exact=True))
    checker.expect_hand("13m 55p")


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "Take out the peng of 5 dots"), ("zh-hans", "拿掉碰5饼")],
)
def test_a_meld_is_taken_out_by_pressing_it(checker: Checker, page: Page, name: str):
    checker.open("1m (123m) (555p) [8888s]")
    checker.press(page.get_by_role("button", name=name, exact=True))
    checker.expect_hand("1m (123m) [8888s]")


@in_both_languages
def test_undo_goes_back_press_by_press(checker: Checker, page: Page, language: str):
    undo = page.get_by_role("button", name={"en": "Undo", "zh-hans": "撤销"}[language], exact=True)
    checker.open()
    checker.tap("1m", "2m")
    checker.add_meld("peng", "5p")
    checker.press(checker.out("1m"))
    checker.expect_hand("2m (555p)")
    for earlier in ("12m (555p)", "12m", "1m", ""):
        checker.press(undo)
        checker.expect_hand(earlier)
    checker.tap("9s")
    checker.expect_hand("9s")


def test_undo_takes_back_one_of_several_quick_presses(checker: Checker, page: Page):
    checker.open()
    page.evaluate("() => ['1m', '2m', '3m'].forEach(c => document.getElementById(`key-${c}`).click())")
    checker.expect_hand("123m")
    checker.settle()
    checker.press(page.locator("#undo"))
    checker.expect_hand("12m")


@in_both_languages
def test_clear_empties_the_hand_and_undo_brings_it_back(checker: Checker, page: Page, language: str):
    checker.open(WIN)
    checker.press(page.get_by_role("button", name={"en": "Clear", "zh-hans": "清空"}[language], exact=True))
    checker.expect_hand("")
    expect(checker.sentences).to_have_text(
        {"en": "The verdict appears here.", "zh-hans": "结果会显示在这里。"}[language]
    )
    checker.press(page.locator("#undo"))
    checker.expect_hand(WIN)


@pytest.mark.parametrize(
    ("language", "first", "count"), [("en", "A closed hand wins", 10), ("zh-hans", "门清胡牌", 10)]
)
def test_an_example_fills_the_page(checker: Checker, page: Page, first: str, count: int):
    checker.open()
    examples = page.locator(".examples a")
    expect(examples).to_have_count(count)
    page.get_by_role("link", name=first, exact=True).click()
    checker.expect_hand(WIN)


def test_what_stays_as_it_is_is_neither_sent_nor_drawn_again(checker: Checker, page: Page):
    checker.open("123m 456p")
    lasting = page.locator(".row, #circumstances, #table-rules")
    lasting.evaluate_all("all => all.forEach(e => { e.isOld = true; })")
    old = "all => all.filter(e => e.isOld).length"
    parts = lasting.evaluate_all(old)
    assert parts == 6
    with page.expect_request(QUESTION) as asked:
        checker.tap("5m")
    assert "shows=" in asked.value.url
    assert lasting.evaluate_all(old) == parts
    checker.expect_hand("1235m 456p")
    # A field may show what was not taken.
    with page.expect_request(QUESTION) as asked:
        checker.choose("by", "self-draw")
    assert "shows=" not in asked.value.url
    assert lasting.evaluate_all(old) == parts - 2
