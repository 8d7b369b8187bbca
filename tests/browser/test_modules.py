"""What each module of `static/js` promises, one by one; each test begins with the name of its module."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.templatetags.static import static
from playwright.sync_api import BrowserContext, Page, Route, expect

from .conftest import NOTHING, Checker, Pages, settle
from .test_hindrances import forgive_disconnection

pytestmark = pytest.mark.browser

NOT_A_WIN = "123m 11456p 67789s +8s"
MOVED = """() => {
    window.moved = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, time) {
        moved.push([this.closest("button")?.id ?? "", frames.transform[0], time]);
        return animate.call(this, frames, time);
    };
}"""

Alone = Callable[[str, str], None]


@pytest.fixture
def page(new_page: Pages) -> Page:
    """An empty page that asks the server itself, with nothing kept in between."""
    return new_page(service_workers="block")


@pytest.fixture
def alone(page: Page) -> Alone:
    """Loads one module into an empty page with the markup that it is to meet."""

    def load(name: str, body: str) -> None:
        page.goto(NOTHING)
        page.evaluate("html => { document.body.innerHTML = html; window.printed = 0; }", body)
        page.evaluate("() => { window.print = () => window.printed++; }")
        page.add_script_tag(url=static(f"js/{name}.js"), type="module")

    return load


def tell(page: Page, target: str, event: str, detail: str = "{}") -> bool:
    """Tells of an event as htmx does. Returns whether it goes on."""
    goes_on: bool = page.evaluate(
        f"""() => {{
            const elt = document.querySelector("{target}");
            const detail = {{ elt, ...{detail} }};
            const how = {{ bubbles: true, cancelable: true, detail }};
            return elt.dispatchEvent(new CustomEvent("{event}", how));
        }}"""
    )
    return goes_on


def cut(page: Page) -> None:
    """From now on what a script asks finds no connection; pages are still loaded."""

    def answer(route: Route) -> None:
        if "hx-request" in route.request.headers:
            route.abort()
        else:
            route.continue_()

    page.route(re.compile(r"/(check|deal|settle)/\?"), answer)


def mend(page: Page) -> None:
    """The connection is back, and the browser says so."""
    page.unroute_all()
    page.evaluate("() => dispatchEvent(new Event('online'))")


# The forms


def test_forms_sends_by_itself_what_was_pressed_without_a_connection(
    checker: Checker, context: BrowserContext, faults: list[str]
):
    checker.open("1m")
    context.set_offline(True)
    for code in ("2m", "3m"):
        checker.key(code).click()
        expect(checker.trouble).to_contain_text("will be answered when the connection is back")
    context.set_offline(False)
    checker.expect_hand("123m")
    expect(checker.trouble).to_be_hidden()
    forgive_disconnection(faults)


def test_forms_takes_up_unsent_presses_when_the_page_is_opened_again(
    checker: Checker, page: Page, faults: list[str]
):
    checker.open("1m")
    address = page.url
    cut(page)
    for code in ("2m", "3m"):
        checker.key(code).click()
        expect(checker.trouble).to_be_visible()
    checker.settle()  # what is on its way would be broken off
    page.goto(NOTHING)
    page.goto(address)
    expect(checker.trouble).to_be_visible()
    expect(checker.field).to_have_value("1m")
    mend(page)
    checker.expect_hand("123m")
    expect(checker.trouble).to_be_hidden()
    checker.settle()
    page.goto(address)
    checker.expect_hand("1m")  # what had its answer is not sent again
    checker.settle()
    assert page.evaluate("() => sessionStorage.getItem(location.pathname)") is None
    forgive_disconnection(faults)


def test_forms_takes_up_unsent_text_where_it_was_typed_and_nowhere_else(
    checker: Checker, page: Page, faults: list[str]
):
    checker.open()
    address = page.url
    cut(page)
    checker.field.fill("123m 55p")
    expect(checker.trouble).to_be_visible()
    checker.settle()
    page.unroute_all()
    checker.open("9s")
    checker.expect_hand("9s")
    page.goto(address)
    expect(checker.field).to_have_value("123m 55p")
    checker.expect_rack("123m 55p")
    forgive_disconnection(faults)


def test_forms_takes_up_an_unsent_settlement(page: Page, faults: list[str]):
    page.goto("/en/settle/?ruleset=changsha&from=0&seat=1&worth=1")
    address = page.url
    cut(page)
    page.locator("#worth").fill("3")
    page.locator("#add-win").click()
    expect(page.locator("#trouble")).to_be_visible()
    settle(page)
    page.goto(NOTHING)
    page.unroute_all()
    page.goto(address)
    expect(page.locator("#win2")).to_be_visible()
    expect(page.locator("#worth")).to_have_value("3")
    expect(page.locator("#win3")).to_have_count(0)
    forgive_disconnection(faults)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_forms_moves_a_pressed_tile_from_its_key_to_its_place(new_page: Pages, motion: str):
    checker = Checker(new_page(reduced_motion=motion, service_workers="block"))
    checker.open("13m")
    checker.page.evaluate(MOVED)
    checker.tap("2m")
    checker.expect_hand("123m")
    moved: list[Any] = checker.page.evaluate("() => moved")
    assert [target for target, _, _ in moved] == ([] if motion == "reduce" else ["", "out-2m-2"])
    assert all(re.match(r"translate\(-?[\d.]+px, -?[\d.]+px\)", start) for _, start, _ in moved)
    assert all(120 <= time <= 200 for _, _, time in moved)


def test_forms_points_at_the_tiles_of_the_clause_one_looks_at(checker: Checker, page: Page):
    checker.open(NOT_A_WIN, ruleset="changsha")
    raised = page.locator(".shown .hand .pointed")
    clause = page.locator(".findings li", has=page.locator(".tile")).last
    expect(raised).to_have_count(0)
    clause.hover()
    expect(raised).to_have_count(clause.locator(".tile").count())
    faces = "all => all.map(e => e.innerHTML).sort()"
    assert raised.evaluate_all(faces) == clause.locator(".tile").evaluate_all(faces)
    page.locator("h1").hover()
    expect(raised).to_have_count(0)
    clause.locator("a").first.focus()
    expect(raised).not_to_have_count(0)


# The others, each alone with what it needs


def test_practice_counts_the_seconds_takes_keys_and_leads_the_focus(page: Page, alone: Alone):
    alone(
        "practice",
        """<p id="trouble" hidden>!</p><p id="gone" hidden>?</p>
        <div id="puzzle"><div class="level"><form><input name="seconds"><div class="one-tap">
        <button type="button" onclick="this.textContent = 'A'"></button>
        <button type="button" onclick="this.textContent = 'B'"></button></div>
        <button type="button" value="hint" onclick="this.textContent = 'H'"></button></form>
        <div class="feedback-place"><div class="feedback" tabindex="-1"></div></div></div></div>""",
    )
    page.keyboard.press("2")
    page.keyboard.press("h")
    expect(page.locator("button")).to_have_text(["", "B", "H"])
    page.evaluate("() => document.querySelector('form').addEventListener('submit', e => e.preventDefault())")
    page.evaluate("() => document.querySelector('form').requestSubmit()")
    expect(page.locator("input")).to_have_value(re.compile(r"^\d+$"))
    tell(page, ".level", "htmx:afterSwap")
    expect(page.locator(".feedback")).to_be_focused()
    tell(page, ".level", "htmx:afterRequest", "{ successful: false, xhr: { status: 404 } }")
    expect(page.locator("#gone")).to_be_visible()
    expect(page.locator("#trouble")).to_be_hidden()


def test_lessons_leads_the_focus_and_tells_trouble_beside_the_level(page: Page, alone: Alone):
    alone(
        "lessons",
        """<p id="trouble" hidden>!</p><div class="level"><form id="asked"></form>
        <div class="feedback-place"><div class="feedback" tabindex="-1"></div></div></div>""",
    )
    tell(page, "#asked", "htmx:afterSwap")
    expect(page.locator(".feedback")).to_be_focused()
    tell(page, "#asked", "htmx:afterRequest", "{ successful: false }")
    expect(page.locator(".level #trouble")).to_be_visible()
    tell(page, "#asked", "htmx:afterRequest", "{ successful: true }")
    expect(page.locator("#trouble")).to_be_hidden()


def test_board_asks_nothing_unseen_and_nothing_of_a_page_that_is_gone(page: Page, alone: Alone):
    alone("board", '<p id="tally" data-polls="yes"></p><p id="other"></p>')
    assert tell(page, "#tally", "htmx:beforeRequest")
    page.evaluate("() => Object.defineProperty(document, 'hidden', { get: () => hides, configurable: true })")
    page.evaluate("() => { window.hides = true; }")
    assert not tell(page, "#tally", "htmx:beforeRequest")
    assert tell(page, "#other", "htmx:beforeRequest")
    page.evaluate("() => { window.hides = false; }")
    tell(page, "#tally", "htmx:responseError", "{ xhr: { status: 500 } }")
    assert tell(page, "#tally", "htmx:beforeRequest")
    tell(page, "#tally", "htmx:responseError", "{ xhr: { status: 404 } }")
    assert not tell(page, "#tally", "htmx:beforeRequest")


def test_print_offers_a_button_that_prints(page: Page, alone: Alone):
    alone("print", '<button id="print" hidden>Print</button>')
    page.locator("#print").click()
    assert page.evaluate("() => window.printed") == 1


def test_offline_lets_the_browser_keep_pages(new_page: Pages):
    page = new_page(service_workers="allow")
    page.goto("/en/check/")
    worker = page.evaluate("() => navigator.serviceWorker.ready.then(({ active }) => active.scriptURL)")
    assert worker.endswith("/sw.js")
