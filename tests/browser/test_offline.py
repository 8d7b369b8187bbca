"""Without a network: what was read is there, the rest says so, and nothing is left for the next person."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import Contexts
from .lessons import loaded  # noqa: F401 - used for each test

pytestmark = pytest.mark.browser

CONTROLLED = "() => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller))"


@pytest.fixture
def context(new_context: Contexts) -> BrowserContext:
    """A window that lets the worker in."""
    return new_context(service_workers="allow")


@pytest.fixture
def page(context: BrowserContext, faults: list[str]) -> Iterator[Page]:
    """A page that the worker serves. What fails for lack of a network is no fault here."""
    page = context.new_page()
    page.goto("/en/rules/")
    page.wait_for_function(CONTROLLED)
    yield page
    context.set_offline(False)
    faults.clear()


def leave(context: BrowserContext) -> None:
    context.set_offline(True)


def test_what_was_read_is_there_and_what_was_not_is_said_so(context: BrowserContext, page: Page):
    page.goto("/en/learn/changsha/birds/")
    title = page.locator("h1").inner_text()
    page.goto("/zh-hans/glossary/")
    leave(context)
    page.goto("/en/learn/changsha/birds/")
    assert page.locator("h1").inner_text() == title
    response = page.goto("/zh-hans/practice/")
    assert response is not None
    assert response.status == 503
    expect(page.locator("h1")).to_have_text("没连上网")
    expect(page.locator("#kept a").first).to_be_visible()
    kept = page.locator("#kept a").evaluate_all("all => all.map(a => new URL(a.href).pathname)")
    assert kept == ["/zh-hans/glossary/"]


def test_the_checker_keeps_what_is_tapped_and_answers_when_the_network_is_back(
    context: BrowserContext, page: Page
):
    leave(context)
    page.goto("/en/check/?ruleset=changchun")
    for code in ("1m", "2m", "3m"):
        page.locator(f"#key-{code}").click()
    expect(page.locator("#trouble")).to_be_visible()
    context.set_offline(False)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.locator("#hand")).to_have_value("123m")
    expect(page.locator("#trouble")).to_be_hidden()


def test_who_signs_out_leaves_nothing_that_was_read(context: BrowserContext, page: Page):
    page.goto("/en/learn/changsha/birds/")
    page.goto("/en/account/sign-in/")
    page.evaluate("() => fetch('/en/account/sign-out/', { method: 'POST' })")
    page.wait_for_function("async () => !(await caches.keys()).some((name) => name.startsWith('pages-'))")
    leave(context)
    page.goto("/en/learn/changsha/birds/")
    expect(page.locator("h1")).to_have_text("No connection")


def test_who_forgets_what_was_done_leaves_nothing_that_was_read(context: BrowserContext, page: Page):
    page.goto("/en/learn/changsha/birds/?step=where-it-falls&a=0&said=1")
    page.goto("/en/learn/changsha/birds/")
    page.goto("/en/progress/")
    page.evaluate(
        """() => {
            const form = document.createElement("form");
            Object.assign(form, { method: "post", action: "/en/learn/forget/" });
            document.body.append(form);
            form.submit();
        }"""
    )
    page.wait_for_url("**/learn/**")
    leave(context)
    page.goto("/en/learn/changsha/birds/")
    expect(page.locator("h1")).to_have_text("No connection")


def test_of_what_was_read_the_last_eighty_pages_are_kept(page: Page):
    many = """async (count) => {
        const name = (await caches.keys()).find((name) => name.startsWith("pages-"));
        const cache = await caches.open(name);
        for (let n = 0; n < count; n++) await cache.put(`/en/rules/changsha/clause/n${n}/`, new Response(""));
    }"""
    page.evaluate(many, 90)
    page.goto("/en/glossary/")
    last = """async () => {
        const found = [];
        for (const name of await caches.keys())
            if (name.startsWith("pages-")) found.push(...await (await caches.open(name)).keys());
        return found.map(({ url }) => new URL(url).pathname);
    }"""
    page.wait_for_function(f"async () => (await ({last})()).length === 80")
    kept = page.evaluate(last)
    assert kept[-1] == "/en/glossary/"
    assert kept[0] == "/en/rules/changsha/clause/n11/"


def test_a_new_version_takes_over_and_keeps_what_was_read(context: BrowserContext, page: Page):
    page.goto("/en/learn/changsha/birds/")
    before = set(page.evaluate("() => caches.keys()"))
    context.route("**/sw.js", lambda route: changed(route))
    page.evaluate("() => navigator.serviceWorker.getRegistration().then((one) => one.update())")
    page.wait_for_function(
        "async (before) => (await caches.keys()).every((name) => !before.includes(name))", arg=list(before)
    )
    leave(context)
    page.goto("/en/learn/changsha/birds/")
    expect(page.locator("h1")).not_to_have_text("No connection")


def changed(route: object) -> None:
    """The worker as another version has it."""
    response = route.fetch()  # type: ignore[attr-defined]
    text = (
        response.text()
        .replace('const STOCK = "stock-', 'const STOCK = "stock-x')
        .replace('const PAGES = "pages-', 'const PAGES = "pages-x')
    )
    route.fulfill(response=response, body=text)  # type: ignore[attr-defined]
