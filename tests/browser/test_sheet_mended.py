"""The settlement and the sheet on a phone, on a slow or broken connection, and fingers that press twice."""

from collections.abc import Iterator
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from .conftest import Pages
from .test_table_pages import CC, CC_WIN, CS, PHONE, choose, open_all, points, settled, too_wide, write

pytestmark = pytest.mark.browser

WORTH = "/en/settle/?ruleset=changsha&from=0&seat=1&worth=1"
ASKED = "**/settle/?*"


@pytest.fixture
def phone(new_page: Pages) -> Page:
    """A page on a phone."""
    return new_page(**PHONE)


class Slow:
    """Holds what the page asks until it is let go."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.held: list[Route] = []
        self.is_over = False
        page.route(ASKED, self.keep)

    def keep(self, route: Route) -> None:
        if self.is_over:
            route.continue_()
        else:
            self.held.append(route)

    def wait(self) -> None:
        for _ in range(500):
            if self.held:
                return
            self.page.wait_for_timeout(10)
        raise AssertionError("nothing was asked")

    def let_go(self) -> None:
        """Lets the question go that has been waiting longest."""
        self.wait()
        self.held.pop(0).continue_()

    def end(self) -> None:
        self.is_over = True
        while self.held:
            self.held.pop(0).continue_()


@pytest.fixture
def slow(phone: Page) -> Iterator[Slow]:
    """A slow connection, once a page is there."""
    phone.goto(WORTH)
    return Slow(phone)


def expect_late(page: Page) -> None:
    expect(page.locator("#answer")).to_have_attribute("aria-busy", "true")
    if page.locator("#add").count():
        expect(page.locator("#add")).to_be_disabled()


def expect_up_to_date(page: Page) -> None:
    settled(page)
    expect(page.locator("#answer")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("#add")).to_be_enabled()


@pytest.mark.parametrize("worth", ["99", "1.5", "-1"])
def test_a_number_that_can_not_be_is_told_beside_its_field_and_locks_nothing(phone: Page, worth: str):
    phone.goto(WORTH)
    phone.locator("#worth").fill(worth)
    expect(phone.locator("#worth-error")).to_contain_text("whole number")
    expect(phone.locator("#add")).to_have_count(0)
    choose(phone, "by", "draw")
    expect(phone.locator(".sentence")).to_have_text("Nobody won.")
    expect_up_to_date(phone)
    choose(phone, "by", "discard")
    write(phone, "worth", "2")
    assert points(phone)[1] == "+14"


def test_a_hidden_wrong_number_locks_nothing_without_javascript(new_page: Pages):
    page = new_page(java_script_enabled=False, **PHONE)
    page.goto(WORTH)
    page.locator("#worth").fill("99")
    page.locator("label:has(#by-draw)").tap()
    page.locator("#submit").tap()
    expect(page.locator(".sentence")).to_have_text("Nobody won.")
    assert not [key for key, _ in parse_qsl(urlsplit(page.url).query) if key.startswith("rule-")]


def test_an_answer_that_is_behind_says_so_and_can_not_be_added(phone: Page, slow: Slow):
    expect_up_to_date(phone)
    phone.locator("#worth").fill("2")
    expect_late(phone)
    slow.wait()
    expect_late(phone)
    phone.locator("#worth").fill("3")
    slow.let_go()
    slow.wait()
    expect_late(phone)
    slow.end()
    expect_up_to_date(phone)
    assert points(phone)[1] == "+21"


@pytest.mark.parametrize(("status", "words"), [(0, "No connection"), (503, "The server did not answer")])
def test_a_broken_connection_is_told_and_the_next_press_sends_everything(
    phone: Page, faults: list[str], status: int, words: str
):
    phone.goto(WORTH)
    phone.route(ASKED, lambda route: route.fulfill(status=status) if status else route.abort())
    phone.locator("#worth").fill("3")
    expect(phone.locator("#trouble")).to_contain_text(words)
    expect_late(phone)
    phone.locator("#add-win").tap()
    expect(phone.locator("#trouble")).to_be_visible()
    expect_late(phone)
    phone.unroute(ASKED)
    choose(phone, "seat", "2")
    expect(phone.locator("#win2")).to_be_visible()
    expect(phone.locator("#trouble")).to_be_hidden()
    expect(phone.locator("#worth")).to_have_value("3")
    expect(phone.locator("#seat-2")).to_be_checked()
    choose(phone, "seat2", "3")
    write(phone, "worth2", "1")
    expect_up_to_date(phone)
    assert faults
    faults.clear()


def test_what_is_typed_while_the_form_is_drawn_anew_stays(phone: Page, slow: Slow):
    phone.locator("summary", has_text="Table rules").tap()
    phone.locator("#rule-birds").select_option("1")
    slow.wait()
    phone.locator("#worth").fill("")
    phone.locator("#hand").press_sequentially(CS)
    slow.let_go()
    expect(phone.locator("#rule-birds")).to_have_value("1")
    expect(phone.locator("#hand")).to_have_value(CS)
    slow.end()
    expect(phone.locator(".sentence")).to_have_text("Next after dealer wins: a small win.")
    expect(phone.locator("#hand")).to_have_value(CS)
    expect_up_to_date(phone)


def test_another_winner_and_what_is_typed_meanwhile_both_come(phone: Page, slow: Slow):
    phone.locator("#add-win").tap()
    slow.wait()
    phone.locator("#worth").fill("4")
    slow.let_go()
    expect(phone.locator("#win2")).to_be_visible()
    expect(phone.locator("#worth")).to_have_value("4")
    slow.end()
    settled(phone)
    expect(phone.locator("#worth")).to_have_value("4")


def test_another_winner_is_asked_for_before_the_first_is_filled_in(phone: Page):
    phone.goto("/en/settle/?ruleset=changsha")
    phone.locator("#add-win").tap()
    expect(phone.locator("#win2")).to_be_visible()
    expect(phone.locator("#win2")).to_be_focused()


def test_another_game_asks_the_worth_anew_and_remembers_each_table(phone: Page):
    phone.goto(f"/en/settle/?{urlencode(CC_WIN | {'hand': '', 'worth': '3', 'option': 'points=doubling'})}")
    choose(phone, "ruleset", "changsha")
    expect(phone.locator("#worth")).to_have_value("")
    choose(phone, "ruleset", "changchun")
    expect(phone.locator("#rule-points")).to_have_value("doubling")


def test_a_hand_gone_back_to_is_not_written_down_twice_unasked(phone: Page):
    phone.goto(WORTH)
    phone.locator("#add").tap()
    expect(phone.locator(".said")).to_have_text("Hand 1 added.")
    phone.go_back()
    phone.reload()
    expect(phone.locator("#written")).to_have_text(
        "This hand is already written down as hand 1. Add it again?"
    )
    expect(phone.locator("#add")).to_have_text("Add it again")


def test_a_double_press_adds_one_hand(phone: Page):
    phone.goto(WORTH)
    phone.locator("#add").evaluate("button => { button.click(); button.click(); }")
    expect(phone.locator(".said")).to_have_text("Hand 1 added.")
    expect(phone.locator(".evening tbody")).to_have_count(1)
    phone.locator("#undo").evaluate("button => { button.click(); button.click(); }")
    expect(phone.locator("#put-back")).to_be_visible()
    phone.locator("#put-back").tap()
    expect(phone.locator(".said")).to_have_text("Hand 1 is back.")


def test_the_totals_stay_in_sight_while_one_enters(phone: Page):
    phone.goto(WORTH)
    line = phone.locator("#brief")
    expect(line).to_be_in_viewport()
    write(phone, "worth", "2")
    expect(line.locator(".number")).to_have_text(["−14", "+14", "0", "0"])
    line.tap()
    expect(phone.locator(".sentence")).to_be_in_viewport()
    phone.set_viewport_size({"width": 1200, "height": 900})
    expect(line).to_be_hidden()


def test_a_draw_is_not_shown_as_a_win(phone: Page):
    phone.goto("/en/settle/?ruleset=changsha&by=draw")
    colours = phone.evaluate(
        """() => [".settled", ".sentence"].map(e => document.querySelector(e)).map(e => {
            const style = getComputedStyle(e);
            return e.matches(".sentence") ? style.color : style.borderLeftColor;
        })"""
    )
    assert colours == ["rgb(138, 131, 113)", "rgb(29, 33, 31)"]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_long_names_and_large_points_fit_the_smallest_phone(page: Page, language: str):
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"/{language}/settle/sheet/")
    for n in range(4):
        page.locator(f"#name{n}").fill("W" * 20)
    page.locator("#stake").fill("10000")
    page.locator("#save-players").click()
    expect(page.locator(".said")).to_be_visible()
    for n in range(3):
        page.locator("details:has(#points0) summary").click()
        for player, sign in enumerate(("", "-", "", "-")):
            page.locator(f"#points{player}").fill(f"{sign}{9999999999990 + n}")
        page.locator("#add-points").click()
        expect(page.locator(".evening tbody")).to_have_count(n + 1)
    open_all(page)
    assert not too_wide(page)
    shared = page.locator("#link").get_attribute("href")
    for address in (shared, f"/{language}/settle/?{urlencode(CC_WIN)}&sheet=4"):
        page.goto(address)
        open_all(page)
        assert not too_wide(page)


def test_links_and_boxes_are_large_enough_for_a_finger(phone: Page):
    for address in ("/en/settle/?ruleset=changchun", f"{WORTH}&sheet=1"):
        phone.goto(address)
        small = small_links(phone)
        assert not small
    phone.locator("#add").tap()
    expect(phone.locator(".evening")).to_be_visible()
    assert not small_links(phone)


def small_links(page: Page) -> list[str]:
    return page.locator("main a, main .tick label").evaluate_all(
        """all => all.filter(e => e.checkVisibility())
            .map(e => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
            .filter(([, box]) => box.height < 24)
            .map(([html, box]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${html}`)"""
    )


def test_a_hand_is_entered_by_tapping_and_comes_from_the_form(phone: Page):
    phone.goto("/en/settle/?ruleset=changchun&from=0&seat=1")
    write(phone, "hand", CC)
    phone.locator("#tap").tap()
    expect(phone.locator("#hand")).to_have_value(CC)
    expect(phone.locator(".answer.win")).to_be_visible()
