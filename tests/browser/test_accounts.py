"""The account in a browser: by keyboard alone, and to different eyes."""

import itertools
import json

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import some_of

from .conftest import Contexts, in_both_languages
from .lessons import PHONE, loaded  # noqa: F401 - used for each test
from .looks import TOO_WIDE, violations

pytestmark = pytest.mark.browser

PASSWORD = "plum blossom 9"
IN_WORDS = {
    "en": (
        "Lan",
        "Your account is made, and you are signed in.",
        "You are not signed in",
        "You are signed in.",
    ),
    "zh-hans": ("兰小明", "账号建好了，已经登录。", "你还没有登录", "已经登录。"),
}


def type_in(page: Page, *values: str) -> None:
    """Types into the fields of a form one after another, from the one that has the focus, and sends it."""
    for number, value in enumerate(values):
        if number:
            page.keyboard.press("Tab")
        page.keyboard.type(value)
    page.keyboard.press("Enter")


def tab_to(page: Page, target: str) -> None:
    """Presses Tab until the focus is on an element."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("target => document.activeElement.matches(target)", target):
            return
    raise AssertionError(f"40 times Tab do not lead to {target}")


@in_both_languages
@pytest.mark.parametrize("with_javascript", [True, False], ids=["javascript", "no javascript"])
def test_to_sign_up_out_and_in_by_keyboard(new_context: Contexts, language: str, with_javascript: bool):
    page = new_context(java_script_enabled=with_javascript, **PHONE).new_page()
    name, made, out, again = IN_WORDS[language]

    def reach(target: str, path: str = "") -> None:
        page.wait_for_url(f"**/{language}/{path}")
        tab_to(page, target)

    page.goto(f"/{language}/learn/")
    reach("footer a[href$='/account/']", "learn/")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text(out)
    reach("main a[href$='/sign-up/']", "account/")
    page.keyboard.press("Enter")
    reach("#id_name", "account/sign-up/")
    type_in(page, name, PASSWORD, PASSWORD)
    expect(page.locator(".said")).to_have_text(made)
    reach("#sign-out", "account/")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text(out)
    reach("main a[href$='/sign-in/']", "account/")
    page.keyboard.press("Enter")
    reach("#id_name", "account/sign-in/")
    type_in(page, name, PASSWORD)
    expect(page.locator(".said")).to_have_text(again)
    expect(page.locator("main")).to_contain_text(name)


def test_mistakes_get_the_focus_and_lead_to_their_fields(page: Page):
    page.goto("/en/account/sign-up/")
    page.locator("#id_name").focus()
    type_in(page, "Lan", "short", "other")
    expect(page.locator("#errors")).to_be_focused()
    expect(page.locator("#errors")).to_be_in_viewport()
    expect(page.locator("#id_name")).to_have_value("Lan")
    for field in ("password", "again"):
        expect(page.locator(f"#id_{field}")).to_have_value("")
        expect(page.locator(f"#id_{field}")).to_have_accessible_description(
            page.locator(f"#errors a[href='#id_{field}']").inner_text().strip()
            if field == "again"
            else "8 characters or more. A few words in a row are easy to remember. "
            "Take at least 8 characters for the password."
        )
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#id_password")).to_be_focused()


def sign_up(page: Page, language: str) -> None:
    page.goto(f"/{language}/account/sign-up/")
    page.locator("#id_name").fill("Lan")
    for field in ("password", "again"):
        page.locator(f"#id_{field}").fill(PASSWORD)
    page.locator("main .main").click()
    expect(page.locator("#sign-out")).to_be_visible()


@in_both_languages
def test_every_page_suits_eyes_ears_and_small_screens(page: Page, language: str):
    found: dict[str, object] = {}
    numbers = itertools.count(int(language == "en"))

    def look(state: str) -> None:
        for scheme in some_of(("light", "dark"), next(numbers) % 2, 2):
            page.set_viewport_size({"width": 360, "height": 740})
            page.emulate_media(color_scheme=scheme)
            for violation, places in violations(page).items():
                found[f"{violation}, {state}, {scheme}"] = places
        for width in (320, 360, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            if wide := page.evaluate(TOO_WIDE):
                found[f"{state}, {width} px"] = wide[:5]

    def visit(path: str) -> None:
        page.goto(f"/{language}/{path}")

    for path in ("account/", "account/sign-in/"):
        visit(path)
        look(path)
    page.locator("main .main").click()
    expect(page.locator("#errors")).to_be_visible()
    look("sign-in, mistakes")
    page.context.request.post(f"/{language}/learn/changsha/tiles/", form={"do": "read"})
    for path in ("learn/", "account/", "account/sign-up/"):
        visit(path)
        look(f"{path}, something kept")
    page.locator("main .main").click()
    expect(page.locator("#errors")).to_be_visible()
    look("sign-up, mistakes")
    sign_up(page, language)
    look("account, signed in")
    for path in ("account/password/", "account/delete/"):
        visit(path)
        look(path)
    page.locator("#id_old").fill(PASSWORD)
    page.locator("main .main").click()
    expect(page.locator("h1")).to_have_text(
        {"en": "Your account is deleted", "zh-hans": "账号已注销"}[language]
    )
    look("deleted")
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)


def test_what_is_tapped_is_large_enough_on_the_smallest_phone(new_context: Contexts):
    page = new_context(**PHONE | {"viewport": {"width": 320, "height": 568}}).new_page()
    found = {}
    sign_up(page, "en")
    for path in ("account/", "account/password/", "account/delete/"):
        page.goto(f"/en/{path}")
        small = page.locator("main :is(a, button, input:not([type=hidden])), footer a").evaluate_all(
            """all => all.filter(e => e.checkVisibility())
                .map(e => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
                .filter(([, box]) => box.width < 24 || box.height < 24)
                .map(([html, box]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${html}`)"""
        )
        if small:
            found[path] = small
    assert not found
