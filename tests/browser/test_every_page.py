"""Every page that the site has, as it looks in both languages and schemes on a phone and at a desk.

New pages come by themselves, since `tests.everything` finds them by their addresses. Each is opened once, on
a phone in the light or at a desk in the dark, in one of the languages, in turn; with PAILI_THOROUGH=1 in both
languages and schemes at both. PAILI_SHOTS says where pictures are kept.
"""

import json
import os
import re
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Page

from tests.conftest import THOROUGH, some_of
from tests.everything import GUEST, WRITTEN, Shown, Site, made, pages

from .conftest import Contexts, settle
from .lessons import loaded, stop_reading  # noqa: F401 - one is used for each test
from .looks import COLOURS, CUT_OFF, SHIFTED, TAGS, TOO_WIDE, UNSOUND, violations
from .test_live_board import HIDE

pytestmark = pytest.mark.browser

SHARES = 6  # tests that share the pages, for several cores
LANGUAGES = ("en", "zh-hans")
WIDTHS = (360, 1280)
OTHER_WIDTHS = (320, 640, 900, 1440)  # 640 px is also what a desk shows when zoomed to 200 %
HEIGHT = 800
SHIFT = 0.02  # how far the parts of a page may move on their own
TALLEST = 6000  # pixels of a page that its picture shows
# Opens what is folded away, and says how much that was.
OPEN_ALL = """() => {
    const closed = document.querySelectorAll("details:not([open])");
    closed.forEach(e => { e.open = true; });
    return closed.length;
}"""
MISSING = Shown("no such page", "no-such-page/", GUEST)
PICTURES = os.environ.get("PAILI_SHOTS") or (
    str(settings.BASE_DIR / "artefacts" / "looks") if os.environ.get("CI") == "true" else ""
)


@pytest.fixture
def everything(loaded: None) -> Site:  # noqa: F811
    """The site in which everything has happened."""
    return made()


@pytest.mark.parametrize("share", range(SHARES))
def test_every_page_is_sound_and_fits_in_both_languages_and_schemes_on_a_phone_and_at_a_desk(
    new_context: Contexts, everything: Site, site: str, faults: list[str], share: int
):
    windows = {width: window(new_context, width) for width in WIDTHS}
    found: dict[str, object] = {}
    for language in LANGUAGES:
        all_pages = [*pages(everything, language), MISSING._replace(path=f"/{language}/{MISSING.path}")]
        for number, shown in list(enumerate(all_pages))[share::SHARES]:
            for width in at_widths(number, language):
                page = windows[width]
                enter(page, everything.session(shown.who), site)
                amiss = look(page, shown, language, width, number)
                if seen := [fault for fault in faults if shown.name != MISSING.name or "404" not in fault]:
                    amiss["faults"] = seen
                faults.clear()
                found |= {f"{shown.name}, {language}, {what}": where for what, where in amiss.items()}
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)


def at_widths(number: int, language: str) -> tuple[int, ...]:
    """At which widths a page is opened in a language: of four pages, each in another language or width."""
    if THOROUGH:
        return WIDTHS
    return (WIDTHS[number // 2 % 2],) if LANGUAGES[number % 2] == language else ()


def looks_at(width: int) -> list[tuple[str, object]]:
    """In which schemes a page is looked at that is open at a width, and for what."""
    looks: list[tuple[str, object]] = [("light", TAGS), ("dark", COLOURS)]
    return looks if THOROUGH else [(looks[WIDTHS.index(width)][0], TAGS)]


def window(new_context: Contexts, width: int) -> Page:
    """A window of some width that keeps no file, so that each page comes as to somebody new."""
    page = new_context(viewport={"width": width, "height": HEIGHT}, service_workers="block").new_page()
    page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
    return page


def enter(page: Page, session: str, site: str) -> None:
    """Makes a window be that of somebody who is signed in, or of a guest."""
    page.context.clear_cookies()
    if session:
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": site}])


def look(page: Page, shown: Shown, language: str, width: int, number: int) -> dict[str, object]:
    """Opens a page, which has a number. Returns what is amiss there: where, by what it is."""
    found: dict[str, object] = {}
    response = page.goto(shown.path)
    assert response is not None
    if response.status != (404 if shown.name == MISSING.name else 200):
        return {"status": response.status}
    settle(page)
    if (shifted := page.evaluate(SHIFTED)) > SHIFT:
        found[f"moved while it was loaded, {width} px"] = shifted
    # Asks for nothing more: going on would break it off.
    page.evaluate(HIDE)
    stop_reading(page)
    if unsound := page.evaluate(UNSOUND, WRITTEN):
        found["unsound"] = unsound[:5]
    found |= at_a_glance(page, f"{width} px")
    for scheme, _ in looks_at(width) if PICTURES else ():
        page.emulate_media(color_scheme=scheme)
        keep_picture(page, shown.name, language, scheme)
    has_opened = page.evaluate(OPEN_ALL)
    for scheme, rules in looks_at(width):
        page.emulate_media(color_scheme=scheme)
        found |= {f"{what}, {width} px, {scheme}": at for what, at in violations(page, rules).items()}
    page.emulate_media(color_scheme="light")
    if has_opened:
        found |= at_a_glance(page, f"{width} px, all open")
    for other in some_of(OTHER_WIDTHS, number // 4 % 4, 4):
        page.set_viewport_size({"width": other, "height": HEIGHT})
        found |= at_a_glance(page, f"{other} px, all open")
    page.set_viewport_size({"width": width, "height": HEIGHT})
    return found


def at_a_glance(page: Page, where: str) -> dict[str, object]:
    """What of a page can't be seen, each at most five times."""
    wide, cut = page.evaluate(f"() => [({TOO_WIDE})(), ({CUT_OFF})()]")
    found = {f"too wide, {where}": wide[:5], f"cut off, {where}": cut[:5]}
    return {what: places for what, places in found.items() if places}


def keep_picture(page: Page, name: str, language: str, scheme: str) -> None:
    """Keeps a picture of a page as it stands."""
    assert page.viewport_size
    width = page.viewport_size["width"]
    height = min(TALLEST, page.evaluate("() => document.documentElement.scrollHeight"))
    file = f"{re.sub('[^a-z0-9]+', '-', name)}_{language}_{width}_{scheme}.jpg"
    clip = {"x": 0, "y": 0, "width": width, "height": height}
    page.screenshot(path=Path(PICTURES) / file, type="jpeg", quality=60, full_page=True, clip=clip)


def test_what_is_amiss_is_found_out(page: Page):
    page.set_viewport_size({"width": 360, "height": HEIGHT})
    page.set_content(
        """<!doctype html><html lang="en"><title>-</title><main><h1>One</h1></main><main><h3>三 Ming</h3>
        <p lang="zh-Hans">三</p><p style="width: 20px; overflow: hidden; white-space: nowrap">Cut off here</p>
        <p style="width: 400px">Wide</p><p style="width: 1px; overflow: hidden">Heard</p></main></html>"""
    )
    assert page.evaluate(UNSOUND, ["Ming"]) == [
        "2 of main",
        "h3 after h1: 三 Ming",
        "not said to be Chinese: <h3>三 Ming</h3>",
    ]
    assert page.evaluate(UNSOUND, ["三 Ming"]) == ["2 of main", "h3 after h1: 三 Ming"]
    found = at_a_glance(page, "here")
    assert found["cut off, here"] == ["P#.: Cut off here"]
    assert "P#.: 400 > 400" in str(found["too wide, here"])
