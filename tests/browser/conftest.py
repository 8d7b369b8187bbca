"""A real Chromium for the tests of this folder, and the checker page as a visitor uses it."""

import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    Response,
    Route,
    expect,
    sync_playwright,
)
from pytest_django.live_server_helper import LiveServer

from tests.conftest import THOROUGH

# The headless shell does the same with a third less work than the whole browser without a window.
PROGRAMS = (
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 5_000  # milliseconds until a condition that does not come about is a failure
# Many a frame is drawn for what moves: where not all is tried, what moves on its own stands still.
MOTION = "no-preference" if THOROUGH else "reduce"
SIGHT = {"color_scheme": "light", "reduced_motion": MOTION, "forced_colors": "none"}
# A worker would outlive the test that let it in.
DESK = {
    "viewport": {"width": 1280, "height": 900},
    "locale": "en-GB",
    "service_workers": "block",
    **SIGHT,
}
NOTHING = "/nothing"  # the address of an empty page, where windows wait
BUSY = ".htmx-request, .htmx-swapping, .htmx-settling"
QUESTION = re.compile(r"/check/\?")  # what the page asks of the server while it is used

in_both_languages = pytest.mark.parametrize("language", ["en", "zh-hans"])
Contexts = Callable[..., BrowserContext]
Pages = Callable[..., Page]


@pytest.fixture(scope="package", autouse=True)
def event_loop_allowed() -> Iterator[None]:
    """Playwright runs an event loop in this thread, in which Django otherwise refuses to touch a database."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


# For the package, not the session: the event loop must be gone when other tests use the database.
@pytest.fixture(scope="package")
def chromium(event_loop_allowed: None) -> Iterator[Browser]:
    """The browser, started once. Without one the tests are skipped, or fail where one is required."""
    program = next((p for p in PROGRAMS if Path(p).is_file()), None) or next(
        filter(None, map(shutil.which, NAMES)), None
    )
    if program is None:
        if os.environ.get("PAILI_REQUIRE_BROWSER") == "1":
            pytest.fail("There is no Chromium, and PAILI_REQUIRE_BROWSER=1 requires one.")
        pytest.skip("There is no Chromium: install Debian's package chromium-headless-shell.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


class Front:
    """Stands before the site: static files come from memory, for browsers to keep as on a public site."""

    def __init__(self, site: Callable[..., Iterable[bytes]]) -> None:
        self.site = site
        self.files: dict[str, tuple[list[tuple[str, str]], bytes]] = {}

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path == NOTHING:
            # Without the header that all pages have, the browser would start another process for it; without
            # an icon it would ask for one.
            body = b'<!doctype html><title>-</title><link rel="icon" href="data:,">'
            headers = [("Content-Type", "text/html"), ("Content-Length", str(len(body)))]
            start_response("200 OK", [*headers, ("Cross-Origin-Opener-Policy", "same-origin")])
            return [body]
        if not path.startswith(settings.STATIC_URL):
            return self.site(environ, start_response)
        if path not in self.files:
            found: list[Any] = []
            body = b"".join(self.site(environ, lambda *answer: found.append(answer)))
            status, headers = found[0][:2]
            if not status.startswith("200"):
                start_response(status, headers)
                return [body]
            self.files[path] = ([*headers, ("Cache-Control", "max-age=3600")], body)
        headers, body = self.files[path]
        start_response("200 OK", headers)
        return [body]


@pytest.fixture(scope="package")
def site(live_server: LiveServer) -> Iterator[str]:
    """Where the site is served."""
    server = live_server.thread.httpd
    behind = server.get_app()
    server.set_app(Front(behind))
    yield live_server.url
    server.set_app(behind)


class Windows:
    """The browser's windows: those closed after use, and those that are left as new and used again."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.browser = browser
        self.site = site
        self.faults: list[str] = []
        self.idle: dict[str, list[Page]] = {}

    def open(self, **options: Any) -> BrowserContext:
        """A new window, which shares nothing with any other."""
        options = DESK | options
        context = self.browser.new_context(base_url=self.site, **options)
        context.set_default_timeout(PATIENCE)
        context.on("console", self._note_console)
        context.on("weberror", lambda error: self.faults.append(f"error: {error.error}"))
        context.on("requestfailed", self._note_failure)
        context.on("response", self._note_status)
        return context

    def lend(self, **options: Any) -> Page:
        """An empty page in a window that shares nothing with any other that is in use."""
        idle = self.idle.setdefault(repr(options), [])
        return idle.pop() if idle else self.open(**options).new_page()

    def take_back(self, page: Page, **options: Any) -> list[str]:
        """Leaves a window as if it were new. Returns the faults that any window has seen till then."""
        context = page.context
        context.clear_cookies()  # what was on its way to this process has now come
        seen = self.faults.copy()
        try:
            for other in context.pages:
                if other is not page:
                    other.close()
            page.unroute_all(behavior="ignoreErrors")
            context.set_offline(False)
            context.clear_permissions()
            page.goto(NOTHING)
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            given = DESK | options
            page.emulate_media(media="null", **{name: given[name] for name in SIGHT})
            if page.viewport_size != given["viewport"]:
                page.set_viewport_size(given["viewport"])
            page.mouse.move(0, 0)
            context.clear_cookies()
        except Error:
            context.close()
        else:
            self.idle[repr(options)].append(page)
        self.faults.clear()
        return seen

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"console: {message.text}")

    def _note_failure(self, request: Request) -> None:
        # What was still on its way when its page was left, the browser itself gives up.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"failed: {request.url} {request.failure}")

    def _note_status(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"status {response.status}: {response.url}")


@pytest.fixture(scope="package")
def windows(chromium: Browser, site: str) -> Windows:
    """The windows of the browser."""
    return Windows(chromium, site)


@pytest.fixture
def faults(windows: Windows) -> list[str]:
    """What went wrong in the browser. A test that provokes a fault checks it and clears the list."""
    windows.faults.clear()
    return windows.faults


@pytest.fixture
def new_context(windows: Windows, live_server: LiveServer, faults: list[str]) -> Iterator[Contexts]:
    """Opens browser windows that share nothing. None may have seen a fault when the test is over."""
    opened: list[BrowserContext] = []

    def new(**options: Any) -> BrowserContext:
        opened.append(windows.open(**options))
        return opened[-1]

    yield new
    for context in opened:
        context.close()
    assert faults == []


@pytest.fixture
def new_page(windows: Windows, live_server: LiveServer, faults: list[str]) -> Iterator[Pages]:
    """Opens empty pages, each in a window of its own. None may have seen a fault when the test is over.

    The windows are kept for later tests, which is much faster; what `take_back` can't undo, such as a script
    for every page or somebody who listens to it, wants a `new_context`.
    """
    lent: list[tuple[Page, dict[str, Any]]] = []

    def new(**options: Any) -> Page:
        page = windows.lend(**options)
        lent.append((page, options))
        return page

    yield new
    seen = [fault for page, options in lent for fault in windows.take_back(page, **options)]
    assert seen == []


@pytest.fixture
def page(new_page: Pages) -> Page:
    """An empty page on a desk."""
    return new_page()


@pytest.fixture
def context(page: Page) -> BrowserContext:
    """The window in which that page stands."""
    return page.context


@pytest.fixture
def language() -> str:
    """The page's language, for tests that look at no words."""
    return "en"


@pytest.fixture
def checker(page: Page, language: str) -> "Checker":
    """The checker, not opened yet."""
    return Checker(page, language)


def settle(page: Page) -> None:
    """Waits until no answer is on its way and the last one is in place."""
    # Looks again sooner than an expectation does, which waits a tenth of a second.
    page.locator(BUSY).first.wait_for(state="detached")


class Checker:
    """The checker page in one language, as a visitor uses it."""

    def __init__(self, page: Page, language: str = "en") -> None:
        self.page = page
        self.path = f"/{language}/check/"
        self.field = page.locator("#hand")
        self.form = page.locator("#checker")
        self.announced = page.locator("#announce")
        self.notice = page.locator(".notice")
        self.trouble = page.locator("#trouble")
        self.sentences = page.locator(".answer .sentence")

    def open(self, hand: str = "", ruleset: str = "changchun", **given: str) -> None:
        """Opens the page with a state in its address."""
        query = {"ruleset": ruleset, **({"hand": hand} if hand else {}), **given}
        self.page.goto(f"{self.path}?{urlencode(query)}")

    def key(self, code: str) -> Locator:
        """A key of the tile keyboard."""
        return self.page.locator(f"#key-{code}")

    def tap(self, *codes: str) -> None:
        """Presses tile keys, each when the answer to the one before it is there."""
        for code in codes:
            self.press(self.key(code))

    def press(self, target: Locator) -> None:
        """Presses something and waits for the answer."""
        target.click()
        self.settle()

    def add_meld(self, mode: str, code: str) -> None:
        """Presses a key in one of the modes that make melds."""
        self.page.locator(f"#mode-{mode}").check()
        self.settle()
        self.tap(code)

    def choose(self, name: str, value: str) -> None:
        """Chooses from one of the lists of how the hand was won."""
        self.page.locator(f"#{name}").select_option(value)
        self.settle()

    def settle(self) -> None:
        """Waits until no answer is on its way and the last one is in place."""
        settle(self.page)

    def expect_hand(self, text: str) -> None:
        """The hand is exactly this, in the field and in the tiles on the board."""
        expect(self.field).to_have_value(text)
        self.expect_rack(text)

    def expect_rack(self, text: str) -> None:
        """The board holds as many tiles as this text in canonical writing."""
        concealed, _, winning = text.partition("+")
        melds = re.findall(r"[(\[{].*?[)\]}]", concealed)
        for meld in melds:
            concealed = concealed.replace(meld, "", 1)
        tiles = len(re.findall(r"[1-9ESWNCFP]", concealed))
        rack = self.page.locator(".rack")
        expect(rack.locator("button")).to_have_count(tiles + len(melds) + bool(winning))
        expect(rack.locator("button[value^='out:meld']")).to_have_count(len(melds))
        expect(rack.locator("button[value='out:win']")).to_have_count(1 if winning else 0)

    def out(self, what: str) -> Locator:
        """The first button on the board that takes this out: a tile's code, `win`, `meld0`."""
        return self.page.locator(f".rack button[value='out:{what}']").first

    def state(self) -> dict[str, str]:
        """What the page's address says."""
        return dict(parse_qsl(urlsplit(self.page.url).query))

    def focused(self) -> str:
        """The id of the element that has the focus; "" where it has none, and for the page itself."""
        return self.page.evaluate(
            "() => document.activeElement === document.body ? '' : document.activeElement.id"
        )

    def hold(self) -> "Held":
        """From now on the answers to what is done wait until they are let go."""
        return Held(self)


class Held:
    """Requests that are kept from the server until `release`, as a slow connection would."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self.routes: list[Route] = []
        self.slow = True
        checker.page.route(QUESTION, self._keep)

    def _keep(self, route: Route) -> None:
        if self.slow:
            self.routes.append(route)
        else:
            route.continue_()

    def wait(self) -> None:
        """Waits until a request is held."""
        for _ in range(PATIENCE // 10):
            if self.routes:
                return
            self.checker.page.wait_for_timeout(10)
        raise AssertionError("nothing was asked of the server")

    def fail(self) -> None:
        """Breaks the connection of the requests that are held; later ones are held again."""
        broken, self.routes = self.routes, []
        for route in broken:
            route.abort()

    def release(self) -> None:
        """Lets the requests go, and those that come after."""
        self.slow = False
        for route in self.routes:
            route.continue_()
        self.checker.settle()
