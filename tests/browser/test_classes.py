"""A class from its opening to what it gets wrong: a teacher at a desk, a pupil with a card and a phone."""

import csv
import io
import re

import pytest
from playwright.sync_api import Page, expect

from tutor.classes.models import Work
from tutor.practice.models import Attempt

from .conftest import Pages
from .lessons import loaded  # noqa: F401 - used for each test
from .looks import violations_at_widths

pytestmark = pytest.mark.browser

PASSWORD = "plum blossom 9"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def press(page: Page, name: str) -> None:
    """Presses a button by its words."""
    page.get_by_role("button", name=name, exact=True).click()


def follow(page: Page, name: str) -> None:
    """Follows a link by its words."""
    page.get_by_role("link", name=name, exact=True).first.click()


def fill(page: Page, label: str, value: str) -> None:
    page.get_by_label(label, exact=True).fill(value)


def test_from_the_first_card_to_what_the_class_gets_wrong(new_page: Pages):
    desk = new_page()
    _open_a_class(desk)
    name, secret = _print_cards(desk)
    _give_an_assignment(desk)
    phone = new_page(**PHONE)
    _sign_in_with_the_card(phone, name, secret)
    wrong = _answer(phone)
    _see_what_went_wrong(desk, wrong)


def _open_a_class(desk: Page) -> None:
    desk.goto("/en/classes/")
    follow(desk, "Make an account")
    fill(desk, "Sign-in name", "Teacher Li")
    fill(desk, "Password", PASSWORD)
    fill(desk, "The same password again", PASSWORD)
    desk.locator("main form button.main").click()
    follow(desk, "Open a class of your own")
    fill(desk, "Name of the class", "Tuesday club")
    desk.locator("select[name=game]").select_option("changsha")
    desk.locator("select[name=time_zone]").select_option("Europe/Berlin")
    press(desk, "Open the class")
    expect(desk.locator("nav.class-pages")).to_be_visible()


def _print_cards(desk: Page) -> tuple[str, str]:
    """Makes two cards. Returns what stands on the first: the name to sign in with, and the password."""
    follow(desk, "Students")
    follow(desk, "Add students from a list")
    desk.locator("textarea").fill("Zoë Okafor\n王小明\nZoë Okafor\n")
    desk.locator("main form button.main").first.click()
    expect(desk.locator("table.looked-at tbody tr")).to_have_count(3)
    desk.locator("main form button.main").last.click()
    cards = desk.locator(".login-card")
    expect(cards).to_have_count(2)
    expect(cards.first.locator("svg.qr")).to_be_visible()
    desk.emulate_media(media="print")
    expect(desk.locator("header.site")).to_be_hidden()
    expect(cards.first).to_be_visible()
    desk.emulate_media(media="screen")
    return cards.first.locator("dd").first.inner_text(), cards.first.locator(".secret").inner_text()


def _give_an_assignment(desk: Page) -> None:
    desk.goto("/en/classes/")
    follow(desk, "Tuesday club")
    follow(desk, "Make the first assignment")
    fill(desk, "Title", "First evening")
    press(desk, "Make the draft")
    follow(desk, "Add a set of questions")
    desk.get_by_label("Can it win?", exact=True).check()
    fill(desk, "How many questions", "4")
    fill(desk, "Seed", "3")
    press(desk, "Add")
    press(desk, "Give it out now")
    expect(desk.locator("main")).to_contain_text("2 students: 0 begun")


def _sign_in_with_the_card(phone: Page, name: str, secret: str) -> None:
    phone.goto(f"/en/account/sign-in/?name={name}")
    expect(phone.locator("#id_name")).to_have_value(name)
    phone.locator("#id_password").fill(secret)
    phone.locator("main form button.main").tap()
    phone.wait_for_url("**/account/")
    phone.goto("/en/classes/")
    follow(phone, "Tuesday club")
    follow(phone, "First evening")
    assert dict(violations_at_widths(phone, (360,))) == {}
    press(phone, "Begin")


def _answer(phone: Page) -> int:
    """Answers yes to everything, one question after another. Returns how many of the answers are wrong."""
    for number in range(1, 5):
        expect(phone.locator("h1 .counter")).to_have_text(f"{number} of 4")
        phone.get_by_role("button", name="Yes, it wins").tap()
        expect(phone.locator(".feedback")).to_be_visible()
        onwards = phone.locator("a.next")
        expect(onwards).to_have_text("Next" if number < 4 else "Back to the assignment")
        onwards.tap()
    expect(phone.locator("main")).to_contain_text("4 of 4 done")
    work = Work.objects.get()
    assert (work.answered, work.total) == (4, 4)
    assert Attempt.objects.filter(work=work, at__isnull=False).count() == 4
    return work.total - work.right


def _see_what_went_wrong(desk: Page, wrong: int) -> None:
    assert wrong, "all four hands win: choose another seed"
    follow(desk, "Results")
    row = desk.get_by_role("row").filter(has_text="Zoë Okafor")
    expect(row).to_contain_text(f"{100 * (4 - wrong) // 4}%")
    with desk.expect_download() as coming:
        follow(desk, "This table as a CSV file")
    text = coming.value.path().read_bytes()
    assert text.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(text.decode("utf-8-sig"))))
    assert [r[0] for r in rows[1:3]] == ["Zoë Okafor", "王小明"]
    assert str(100 * (4 - wrong) // 4) in rows[1]
    follow(desk, "What goes wrong")
    cells = desk.locator("table.wrong-map tbody td a")
    counts = [re.findall(r"\d+", text) for text in cells.all_inner_texts()]
    assert sum(int(found[-1]) for found in counts) == 4
    cells.first.click()
    expect(desk.locator("main")).to_contain_text("Zoë Okafor")
    expect(desk.locator("main")).to_contain_text("Yes, it wins")
    desk.go_back()
    desk.locator("main form button.main").first.click()
    expect(desk.locator("h1")).to_have_text("What went wrong, once more")
