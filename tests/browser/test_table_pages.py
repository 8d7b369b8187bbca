"""The deal, the settlement, the score sheet and the API's page, as a visitor with a phone uses them."""

import json
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from .conftest import Contexts, Pages, in_both_languages, settle
from .looks import violations_at_widths

pytestmark = pytest.mark.browser

CC = "123m 45556p 78s SSS +9s"
CS = "12355m 45678p 789s +9p"
CC_WIN = {"ruleset": "changchun", "from": "0", "seat": "1", "hand": CC}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

# Each page in its states, with what must be there to be looked at.
STATES = {
    "deal, empty": ("deal/", {}, ".rack .empty"),
    "deal, openings": ("deal/", {"ruleset": "changsha", "tiles": "2222m 555m 4477p 99p"}, ".findings .tiles"),
    "deal, error": ("deal/", {"ruleset": "changsha", "tiles": "22222m"}, ".answer.error mark"),
    "settle, empty": ("settle/", {"ruleset": "changsha"}, ".answer.unfinished"),
    "settle, gangs": (
        "settle/",
        CC_WIN
        | {"gang1-kind": "xigang", "gang1-seat": "2", "gang2-kind": "exposed", "gang2-tile": "9m"}
        | {"gang2-seat": "3", "option": "direct-gang-pays=discarder"},
        ".answer.win .owed",
    ),
    "settle, two winners": (
        "settle/",
        {"ruleset": "changsha", "from": "0", "seat": "1", "hand": CS, "seat2": "2", "worth2": "1"}
        | {"birds": "2m 3p", "opening": "3:sixi"},
        ".adding",
    ),
    "settle, error": ("settle/", CC_WIN | {"hand": "123m 456p 45789s EE +6s"}, "[aria-invalid]"),
    "settle, draw": ("settle/", {"ruleset": "changsha", "by": "draw", "sheet": "1"}, "#next"),
    "sheet, empty": ("settle/sheet/", {}, "#save-players"),
    "api": ("api/", {}, ".example"),
}
in_each_state = pytest.mark.parametrize("state", STATES)


@pytest.fixture
def phone(new_page: Pages) -> Page:
    """A page on a phone."""
    return new_page(**PHONE)


def show(page: Page, state: str, language: str = "en") -> None:
    """Opens a page in one of the states."""
    path, query, mark = STATES[state]
    page.goto(f"/{language}/{path}?{urlencode(query)}")
    expect(page.locator(mark).first).to_be_visible()


def settled(page: Page) -> None:
    """Waits until no answer is on its way and the last one is in place."""
    settle(page)


def state_of(page: Page) -> dict[str, str]:
    """What the page's address says."""
    return dict(parse_qsl(urlsplit(page.url).query))


def choose(page: Page, name: str, value: str) -> None:
    """Taps a button of the settlement's form."""
    page.locator(f"label:has(#{name}-{value})").click()
    settled(page)


def write(page: Page, name: str, text: str) -> None:
    """Types into a field of the settlement's form and leaves it."""
    page.locator(f"#{name}").fill(text)
    page.locator(f"#{name}").blur()
    settled(page)


def points(page: Page) -> list[str]:
    return page.locator(".sums td").all_inner_texts()


# The deal


def test_a_deal_is_tapped_in(phone: Page):
    phone.goto("/en/deal/?ruleset=changsha")
    for code in ("2m", "2m", "2m", "2m", "1p", "3p", "5p", "7p", "9p", "1s", "4s", "7s", "9s"):
        phone.locator(f"#key-{code}").tap()
    expect(phone.locator(".sentence")).to_have_text("This deal holds Sixi.")
    expect(phone.locator("#tiles")).to_have_value("2222m 13579p 1479s")
    expect(phone.locator("#announce")).to_have_text("This deal holds Sixi.")
    assert state_of(phone) == {"ruleset": "changsha", "tiles": "2222m 13579p 1479s"}
    phone.locator(".rack button").first.tap()
    expect(phone.locator("#tiles")).to_have_value("222m 13579p 1479s")
    phone.locator("#undo").tap()
    expect(phone.locator("#tiles")).to_have_value("2222m 13579p 1479s")


def test_taps_that_come_faster_than_answers_are_all_done(phone: Page):
    phone.goto("/en/deal/?ruleset=changsha")
    held: list[Route] = []

    def first_waits(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    phone.route("**/deal/?*", first_waits)
    for code in ("1m", "2m", "3m", "4m"):
        phone.locator(f"#key-{code}").tap()
    held[0].continue_()
    expect(phone.locator("#tiles")).to_have_value("1234m")
    expect(phone.locator(".rack button")).to_have_count(4)


def test_a_tap_without_a_connection_is_kept(phone: Page, faults: list[str]):
    phone.goto("/en/deal/?ruleset=changsha")
    phone.route("**/deal/?*", lambda route: route.abort())
    phone.locator("#key-1m").tap()
    expect(phone.locator("#trouble")).to_be_visible()
    phone.unroute("**/deal/?*")
    phone.locator("#key-2m").tap()
    expect(phone.locator("#tiles")).to_have_value("12m")
    expect(phone.locator("#trouble")).to_be_hidden()
    assert len(faults) > 0
    faults.clear()


def test_tiles_are_typed_and_dealt_at_random(phone: Page):
    phone.goto("/en/deal/?ruleset=changsha")
    phone.locator("#tiles").fill("13467m 13469p 134s")
    expect(phone.locator(".sentence")).to_have_text("This deal holds Banbanhu.")
    phone.locator("#deal-14").tap()
    expect(phone.locator(".rack button")).to_have_count(14)
    phone.locator("#undo").tap()
    expect(phone.locator("#tiles")).to_have_value("13467m 13469p 134s")


# The settlement


def test_a_hand_is_settled_by_a_few_taps(phone: Page):
    phone.goto("/en/settle/?ruleset=changsha")
    choose(phone, "by", "self-draw")
    expect(phone.locator("#from")).to_be_hidden()
    choose(phone, "seat", "2")
    write(phone, "worth", "1")
    expect(phone.locator(".sentence")).to_have_text("Opposite dealer wins: 1 big win.")
    assert points(phone) == ["−7", "−6", "+19", "−6"]
    choose(phone, "by", "discard")
    expect(phone.locator("#from")).to_be_visible()
    expect(phone.locator("#answer")).to_contain_text("Whose tile was it?")
    choose(phone, "from", "0")
    assert points(phone) == ["−7", "0", "+7", "0"]
    assert state_of(phone) == {"ruleset": "changsha", "from": "0", "seat": "2", "worth": "1"}


def test_what_is_asked_follows_the_game_and_rows_come_and_go(phone: Page):
    phone.goto(f"/en/settle/?{urlencode(CC_WIN)}")
    phone.locator("#gangs-more summary").tap()
    phone.locator("#add-gang").tap()
    expect(phone.locator("#gang1")).to_be_focused()
    phone.locator("#gang1-seat").select_option("2")
    phone.locator("#gang1-kind").select_option("xigang")
    settled(phone)
    expect(phone.locator("#gang1-tile")).to_be_hidden()
    expect(phone.locator("#gang1-added")).to_be_visible()
    write(phone, "gang1-added", "F")
    assert points(phone) == ["−5", "+1", "+6", "−2"]
    phone.locator("#drop-gang-1").tap()
    settled(phone)
    assert points(phone) == ["−3", "+3", "0", "0"]
    choose(phone, "ruleset", "changsha")
    expect(phone.locator("#birds")).to_be_visible()
    expect(phone.locator("#bao")).to_have_count(0)
    expect(phone.locator("#ruleset-changsha")).to_be_checked()
    expect(phone.locator("#hand")).to_have_value(CC)
    write(phone, "hand", CS)
    phone.locator("#add-win").tap()
    expect(phone.locator("#win2")).to_be_focused()
    choose(phone, "seat2", "3")
    write(phone, "worth2", "0")
    assert points(phone) == ["−4", "+2", "0", "+2"]


def test_an_error_stands_beside_its_field_while_one_types(phone: Page):
    phone.goto(f"/en/settle/?{urlencode(CC_WIN)}")
    phone.locator("#hand").fill("123m 45556p 78s SSx")
    wrong = phone.locator("#hand-error")
    expect(wrong).to_contain_text("x")
    expect(phone.locator("#hand")).to_have_attribute("aria-invalid", "true")
    expect(phone.locator("#hand")).to_have_value("123m 45556p 78s SSx")
    phone.locator("#hand").fill(CC)
    expect(wrong).to_be_hidden()
    expect(phone.locator("#hand")).not_to_have_attribute("aria-invalid", "true")
    expect(phone.locator(".sentence")).to_have_text("Next after dealer wins: 3 fan.")


def test_a_house_rule_is_chosen(phone: Page):
    phone.goto(f"/en/settle/?{urlencode(CC_WIN)}")
    phone.locator("summary", has_text="Table rules").tap()
    phone.locator("#rule-points").select_option("doubling")
    settled(phone)
    expect(phone.locator("#rule-points")).to_be_visible()
    assert points(phone) == ["−4", "+4", "0", "0"]
    assert state_of(phone)["option"] == "points=doubling"


def test_the_settle_button_leads_to_the_answer(phone: Page):
    phone.goto(f"/en/settle/?{urlencode(CC_WIN)}")
    phone.locator("#submit").tap()
    settled(phone)
    expect(phone.locator(".sentence")).to_be_in_viewport()


def test_the_whole_settlement_works_by_keyboard(page: Page):
    page.goto("/en/settle/?ruleset=changchun")
    page.locator("#by-discard").focus()
    page.keyboard.press("ArrowRight")
    settled(page)
    page.locator("#seat-0").focus()
    page.keyboard.press("Space")
    settled(page)
    page.keyboard.press("Tab")
    expect(page.locator("#hand")).to_be_focused()
    page.keyboard.type(CC)
    page.keyboard.press("Enter")
    expect(page.locator(".sentence")).to_have_text("Dealer wins: 4 fan.")
    expect(page.locator("#hand")).to_be_focused()


# The sheet


def test_an_evening_is_written_down_taken_back_and_shared(phone: Page, new_page: Pages):
    phone.goto("/en/settle/sheet/")
    for n, name in enumerate(("Ann", "Bo", "Cy", "Di")):
        phone.locator(f"#name{n}").fill(name)
    phone.locator("#save-players").tap()
    phone.locator("#next-hand").tap()
    choose(phone, "ruleset", "changsha")
    choose(phone, "from", "0")
    choose(phone, "seat", "1")
    write(phone, "hand", CS)
    expect(phone.locator(".adding .mapping li").first).to_have_text("Ann dealer −2")
    phone.locator("#add").tap()
    expect(phone.locator(".mapping li").first).to_have_text("Bo dealer")
    expect(phone.locator("tfoot td")).to_have_text(["−2", "+2", "0", "0"])
    phone.locator("summary", has_text="Add by hand").tap()
    phone.locator("#points3").fill("5")
    phone.locator("#add-points").tap()
    expect(phone.locator("#error")).to_have_text(
        "What some win others pay: the four must add up to 0, and they add up to +5."
    )
    phone.locator("#points0").fill("-5")
    phone.locator("#add-points").tap()
    expect(phone.locator("tfoot td")).to_have_text(["−7", "+2", "0", "+5"])
    phone.locator("#undo").tap()
    expect(phone.locator("tfoot td")).to_have_text(["−2", "+2", "0", "0"])
    phone.locator("#put-back").tap()
    expect(phone.locator("tfoot td")).to_have_text(["−7", "+2", "0", "+5"])

    other = new_page()
    other.goto(phone.locator("#link").get_attribute("href"))
    expect(other.locator("tfoot td")).to_have_text(["−7", "+2", "0", "+5"])
    expect(other.locator("#undo")).to_have_count(0)
    other.locator("#take").click()
    expect(other.locator("#undo")).to_have_text("Take back hand 2")

    phone.locator("summary", has_text="Start a new sheet").tap()
    phone.locator("#new").tap()
    expect(phone.locator("table")).to_have_count(0)
    phone.get_by_role("link", name="The old sheet is still behind this link").tap()
    expect(phone.locator("tfoot td")).to_have_text(["−7", "+2", "0", "+5"])


def test_the_sheet_is_downloaded(phone: Page):
    phone.goto(f"/en/settle/?{urlencode(CC_WIN)}")
    phone.locator("#add").tap()
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Download for a spreadsheet").tap()
    assert download.value.suggested_filename.endswith(".csv")


def test_a_link_is_copied(new_context: Contexts):
    context: BrowserContext = new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"/en/settle/?{urlencode(CC_WIN)}&sheet=1")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert dict(parse_qsl(urlsplit(copied).query)) == CC_WIN


# Without JavaScript


def test_everything_works_without_javascript(new_page: Pages):
    page = new_page(java_script_enabled=False, **PHONE)
    page.goto("/en/deal/?ruleset=changsha&tiles=2222m 13579p 147s")
    page.locator("#key-9s").tap()
    expect(page.locator(".sentence")).to_have_text("This deal holds Sixi.")
    page.get_by_role("link", name="Settle up").tap()
    page.locator("label:has(#ruleset-changsha)").tap()
    page.locator("#submit").tap()
    page.locator("label:has(#from-0)").tap()
    page.locator("label:has(#seat-1)").tap()
    page.locator("#hand").fill(CS)
    page.locator("#add-win").tap()
    expect(page.locator("#win2")).to_be_visible()
    expect(page.locator("#hand")).to_have_value(CS)
    page.locator("label:has(#seat2-2)").tap()
    page.locator("#worth2").fill("1")
    page.locator("#birds").select_option("2m")
    page.locator("#worth2").press("Enter")
    assert urlsplit(page.url).fragment == "answer"
    assert points(page) == ["−11", "+4", "+7", "0"]
    page.locator("#add").tap()
    expect(page.locator("tfoot td")).to_have_text(["−11", "+4", "+7", "0"])
    page.locator("#undo").tap()
    page.locator("#put-back").tap()
    expect(page.locator("tfoot td")).to_have_text(["−11", "+4", "+7", "0"])
    page.locator("#language a").tap()
    expect(page.locator("h1")).to_have_text("记分表")


# For every eye, hand and screen


def fill_sheet(page: Page, language: str) -> None:
    """Opens a sheet with a hand, a stake and long names."""
    page.goto(f"/{language}/settle/sheet/")
    for n, name in enumerate(("Bartholomew van Dyke", "一二三四五六七八九十一二三四五六七八九十", "", "Di")):
        page.locator(f"#name{n}").fill(name)
    page.locator("#stake").fill("0.25")
    page.locator("#save-players").click()
    expect(page.locator(".said")).to_be_visible()
    page.goto(f"/{language}/settle/?{urlencode(CC_WIN)}&sheet=1")
    page.locator("#add").click()
    expect(page.locator(".evening")).to_be_visible()


def open_all(page: Page) -> None:
    """Opens what is folded away, to be looked at as well."""
    page.locator("details").evaluate_all("all => all.forEach(e => { e.open = true; })")


@in_both_languages
@in_each_state
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(page: Page, state: str, language: str):
    show(page, state, language)
    open_all(page)
    found = dict(violations_at_widths(page, (320, 1280), list(STATES).index(state) // 2))
    found |= {f"too wide, {width} px": places for width, places in too_wide(page).items()}
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)


@in_both_languages
def test_axe_finds_nothing_on_a_sheet(page: Page, language: str):
    fill_sheet(page, language)
    found: dict[str, object] = {}
    link = page.locator("#link").get_attribute("href")
    addresses = (page.url, link, f"/{language}/settle/?{urlencode(CC_WIN)}&sheet=1")
    for number, address in enumerate(addresses, start=int(language == "en")):
        page.goto(address)
        open_all(page)
        found |= violations_at_widths(page, (320, 1280), number)
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)


def too_wide(page: Page) -> dict[int, list[str]]:
    """What is wider than its place, by the width of the screen; code scrolls in a place of its own."""
    found = {}
    for width in (320, 360, 640, 900, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        wide = page.evaluate(
            """() => [document.documentElement, ...document.querySelectorAll("main *:not(pre):not(.asked)")]
                .filter(e => !e.closest(".asked, svg, .unseen, select, input"))
                .filter(e => getComputedStyle(e).display !== "inline" && e.clientWidth > 0)
                .filter(e => e.scrollWidth > e.clientWidth + 1)
                .map(e => `${e.tagName}.${e.className}: ${e.scrollWidth} > ${e.clientWidth}`)"""
        )
        if wide:
            found[width] = wide
    return found


@in_both_languages
def test_a_sheet_with_long_names_fits_the_screen(page: Page, language: str):
    fill_sheet(page, language)
    open_all(page)
    assert not too_wide(page)
    page.goto(f"/{language}/settle/?{urlencode(CC_WIN)}&sheet=1")
    assert not too_wide(page)


@in_each_state
def test_what_is_tapped_is_large_enough_on_the_smallest_phone(page: Page, state: str):
    page.set_viewport_size({"width": 320, "height": 568})
    show(page, state)
    open_all(page)
    tapped = "main button:not([aria-hidden]), .choice label, .tick input, select, summary, #pages a"
    small = page.locator(tapped).evaluate_all(
        """all => all.filter(e => e.checkVisibility())
            .map(e => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
            .filter(([, box]) => box.width < 24 || box.height < 24)
            .map(([html, box]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${html}`)"""
    )
    assert not small


@in_each_state
def test_nothing_jumps_while_a_page_loads(new_context: Contexts, state: str):
    page = new_context().new_page()
    page.add_init_script(
        """window.shifted = 0;
        new PerformanceObserver(list => list.getEntries().forEach(e => { window.shifted += e.value; }))
            .observe({type: "layout-shift", buffered: true});"""
    )
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        show(page, state)
        shifted = page.evaluate(
            """async () => {
                await document.fonts.ready;
                for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
                return window.shifted;
            }"""
        )
        assert shifted <= 0.02
