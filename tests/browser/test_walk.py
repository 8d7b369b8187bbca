"""A walk through every page by Tab, as it is heard, and where the focus is after what is done there.

Each page of `tests.everything` is gone over at a desk in one language, in turn. In CI what is met on the way
(landmarks, headings, groups, live regions, and each stop with its name) is kept as a text, a page each, in
`artefacts/walks`: read aloud, it is what somebody hears who does not see the page.
"""

import json
import os
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Locator, Page, expect

from tests.everything import TEACHER, Site, address, pages

from .conftest import Contexts, Pages, in_both_languages, settle
from .lessons import loaded  # noqa: F401 - used for each test
from .test_every_page import OPEN_ALL, enter, everything  # noqa: F401 - one is a fixture
from .test_live_board import HIDE

pytestmark = pytest.mark.browser

SHARES = 2  # tests that share the pages, for several cores
# Pages on which Tab is pressed as often as there are stops: with groups of radio buttons, with a place that
# scrolls and has the focus for it, and with much that is folded away.
PRESSED = {"home", "settle: settled", "class-grid"}
# What may share a name with others that do something else, by its role: only what is beside it tells which.
ALIKE = {
    "style": ("link button checkbox", "one piece is shown for several hands and in several states"),
    "rulebook": ("link", "steps of two lessons may have one title: they stand side by side in a line's row"),
}
WALKS = settings.BASE_DIR / "artefacts" / "walks" if os.environ.get("CI") == "true" else None

# What is met on a page, in the order of the document. Of a stop: its role and name, what names the groups in
# which it stands, what else is said of it, what it does, and whether it is seen to have the focus. A key must
# have been pressed before, since the focus is drawn for those who use keys. Names are found in a plain way;
# that each thing has one for the browser too, axe looks after on every page.
WALK = r"""() => {
    const clean = text => (text ?? "").replace(/\s+/g, " ").trim();
    const isShown = e => e.checkVisibility({ visibilityProperty: true });
    const textOf = id => document.getElementById(id)?.textContent ?? `nothing is called ${id}`;
    const byIds = (e, name) => clean((e.getAttribute(name)?.match(/\S+/g) ?? []).map(textOf).join(" "));
    const named = e => clean(e.ariaLabel) || byIds(e, "aria-labelledby");
    const heard = node => {
        if (node.nodeType === Node.TEXT_NODE) return node.data;
        if (node.nodeType !== Node.ELEMENT_NODE || node.ariaHidden === "true") return "";
        if (node.ariaLabel || node.alt) return ` ${node.ariaLabel || node.alt} `;
        if (!isShown(node) || node.matches("select, textarea")) return "";
        const text = [...node.childNodes].map(heard).join("");
        return getComputedStyle(node).display.startsWith("inline") ? text : ` ${text} `;
    };
    const nameOf = e => named(e) || clean([...(e.labels ?? [])].map(heard).join(" "))
        || (e.matches("input, select, textarea, fieldset") ? "" : clean(heard(e))) || clean(e.title);
    const legendOf = e => {
        const legend = e.querySelector("legend");
        return legend ? clean(heard(legend)) : "";
    };
    const KINDS = { checkbox: "checkbox", radio: "radio", number: "spinbutton", submit: "button" };
    const TAGS = { a: "link", summary: "button", select: "combobox", textarea: "textbox" };
    const roleOf = e => e.getAttribute("role")
        ?? (e.localName === "input" ? KINDS[e.type] ?? "textbox" : TAGS[e.localName] ?? e.localName);
    const FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
    const forms = [...document.forms];
    const groupOf = e => `${forms.indexOf(e.form)} ${e.name}`;
    const radios = Map.groupBy(document.querySelectorAll("input[type=radio]:enabled"), groupOf);
    const isFirst = e => {
        const group = radios.get(groupOf(e)) ?? [e];
        return e === (group.find(each => each.checked) ?? group.find(isShown));
    };
    const isStop = e => e.tabIndex >= 0 && !e.matches(":disabled") && isShown(e) && !e.closest("[inert]")
        && (e.type !== "radio" || isFirst(e));
    const scrolls = e => {
        const isWider = e.scrollWidth > e.clientWidth, isHigher = e.scrollHeight > e.clientHeight;
        if ((!isWider && !isHigher) || e.matches("html, body, svg *")) return false;
        const { overflowX, overflowY } = getComputedStyle(e);
        const can = (isWider && /auto|scroll/.test(overflowX)) || (isHigher && /auto|scroll/.test(overflowY));
        return can && ![...e.querySelectorAll(FOCUSABLE)].some(each => each.tabIndex >= 0);
    };
    const ring = e => {
        const { outlineStyle, outlineWidth } = getComputedStyle(e);
        const isDrawn = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
        return isDrawn ? `${outlineStyle} ${outlineWidth}` : "";
    };
    const groupsOf = e => {
        const found = [];
        for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
            let name = named(p);
            if (p.localName === "fieldset") name ||= legendOf(p);
            if (p.localName === "table") name ||= clean(p.caption?.textContent);
            if (/^t[dh]$/.test(p.localName)) {
                const row = p.parentElement, top = p.closest("table").tHead?.rows[0];
                const heads = [row.querySelector("th"), top?.cells[p.cellIndex]];
                name ||= clean(heads.map(head => (head === p ? "" : head?.textContent ?? "")).join(" "));
            }
            if (name) found.unshift(name);
        }
        return found;
    };
    const does = e => {
        if (e.href) return e.href;
        if (e.localName === "button") {
            if (e.type !== "submit" || !e.form) return e.getAttribute("popovertarget") || e.id;
            const sent = [...new FormData(e.form)].filter(([name]) => name !== "csrfmiddlewaretoken");
            return [e.form.method, e.form.action, e.name, e.value, ...sent].join(" ");
        }
        // Tiles alike do alike: their fields differ in a number after a point.
        const value = /radio|checkbox/.test(e.type) ? e.value.split(".")[0] : "";
        return [e.localName, forms.indexOf(e.form), e.name ?? "", value, e.name ? "" : e.id].join(" ");
    };
    const LANDMARKS = { header: "banner", footer: "contentinfo", main: "main", nav: "navigation",
        aside: "complementary", section: "region", form: "form", article: "article" };

    const met = [];
    let heading = "";
    for (const e of document.querySelectorAll("body *")) {
        const role = e.getAttribute("role") ?? "", tag = e.localName;
        if (/^(status|alert)$/.test(role)) met.push({ what: "live", role, name: clean(e.textContent) });
        if (!isShown(e)) continue;
        if (/^h[1-6]$/.test(tag)) {
            heading = clean(heard(e));
            met.push({ what: "heading", role: tag, name: heading });
        } else if (tag === "fieldset" || role === "group" || role === "radiogroup") {
            met.push({ what: "group", role: role || "group", name: named(e) || legendOf(e) });
        } else if (tag in LANDMARKS) {
            const isPart = /^(section|form|article)$/.test(tag)
                || (/^(header|footer)$/.test(tag) && e.closest("main"));
            const name = named(e);
            if (name || !isPart) met.push({ what: "landmark", role: role || LANDMARKS[tag], name });
        } else if (role === "img" && !e.closest("a, button, label, [aria-hidden=true]")) {
            met.push({ what: "picture", role, name: nameOf(e) });
        }
        const isFocusable = e.matches(FOCUSABLE);
        if (isFocusable ? !isStop(e) : !scrolls(e)) continue;
        const drawn = [e, e.nextElementSibling, e.closest("label"), e.parentElement].filter(Boolean);
        const before = drawn.map(ring), had = document.activeElement === e;
        e.focus({ preventScroll: true });
        const isRinged = drawn.some((each, n) => ring(each) && (had || ring(each) !== before[n]));
        met.push({
            what: "stop",
            role: isFocusable ? roleOf(e) : "what scrolls",
            name: nameOf(e).slice(0, 200),
            groups: groupsOf(e),
            heading,
            description: byIds(e, "aria-describedby"),
            state: ["current", "expanded", "invalid", "disabled"]
                .filter(name => !["", "false"].includes(e.getAttribute(`aria-${name}`) ?? "")),
            does: does(e),
            html: e.outerHTML.slice(0, 120),
            isSeen: document.activeElement === e && isRinged,
            isInOrder: e.tabIndex <= 0,
        });
    }
    return met;
}"""
FOCUSED = (
    "() => document.activeElement === document.body ? '' : document.activeElement.outerHTML.slice(0, 120)"
)


@pytest.mark.parametrize("share", range(SHARES))
@in_both_languages
def test_every_page_is_walked_by_tab_and_each_stop_is_seen_and_says_what_it_does(
    new_context: Contexts,
    everything: Site,  # noqa: F811
    site: str,
    language: str,
    share: int,
):
    window, entered = new_context().new_page(), None
    found: dict[str, list[str]] = {}
    for shown in pages(everything, language)[share::SHARES]:
        if shown.who != entered:
            entered = shown.who
            enter(window, everything.session(entered), site)
        window.goto(shown.path)
        window.evaluate(HIDE)
        window.evaluate(OPEN_ALL)
        settle(window)
        window.keyboard.press("Tab")
        met = window.evaluate(WALK)
        amiss = faults_of(met, *ALIKE.get(shown.name, ()))
        if shown.name in PRESSED:
            amiss += real_order(window, met)
        if amiss:
            found[shown.name] = amiss[:8]
        if WALKS:
            keep(met, WALKS / f"{re.sub('[^a-z0-9]+', '-', shown.name)}_{language}.txt", shown.path)
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)


def faults_of(met: list[dict[str, Any]], may_be_alike: str = "", _why: str = "") -> list[str]:
    """What is amiss with what is met on a page. may_be_alike: roles of what need not be told apart there."""
    found = []
    heard: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for one in met:
        if one["what"] in ("group", "picture") and not one["name"]:
            found.append(f"a {one['what']} without a name")
        if one["what"] != "stop":
            continue
        if not one["name"]:
            found.append(f"without a name: {one['html']}")
        if not one["isSeen"]:
            found.append(f"the focus is not seen: {one['html']}")
        if not one["isInOrder"]:
            found.append(f"out of order: {one['html']}")
        if "nothing is called" in one["description"]:
            found.append(f"{one['description']}: {one['html']}")
        # A link may be told from another by the heading above it. What changes something says what it
        # changes, or its group does.
        above = one["heading"] if one["role"] == "link" else ""
        said = (one["role"], one["name"], one["description"], *one["groups"], above)
        heard[said].add(one["does"])
    return found + [
        f"{said} does {len(places)} things: {sorted(places)[:2]}"
        for said, places in heard.items()
        if len(places) > 1 and said[0] not in may_be_alike.split()
    ]


def real_order(page: Page, met: list[dict[str, Any]]) -> list[str]:
    """Where Tab leads otherwise than from stop to stop in the order of the document."""
    stops = [one["html"] for one in met if one["what"] == "stop"]
    page.evaluate(
        "() => { document.activeElement.blur(); getSelection().removeAllRanges(); scrollTo(0, 0); }"
    )
    page.locator("a.skip").focus()
    reached = [page.evaluate(FOCUSED)]
    for _ in stops[1:]:
        page.keyboard.press("Tab")
        reached.append(page.evaluate(FOCUSED))
    pairs = zip(stops, reached, strict=True)
    return [f"Tab leads to {real}, not to {stop}" for stop, real in pairs if real != stop][:2]


def keep(met: list[dict[str, Any]], file: Path, path: str) -> None:
    """Keeps a walk as a text."""
    lines = [path, ""]
    for one in met:
        if one["what"] != "stop":
            lines.append(f"{one['role']} {one['name']}".rstrip())
            continue
        more = [f" ({', '.join(one['state'])})" if one["state"] else ""]
        more += [f" – {one['description']}"] if one["description"] else []
        lines.append(f"    {one['role']}: {one['name']}{''.join(more)}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_what_is_amiss_on_a_walk_is_found_out(page: Page):
    page.set_content(
        """<!doctype html><html lang="en"><title>-</title><style>.bare:focus { outline: none }
        :focus-visible { outline: 3px solid }</style><main><h1>One</h1><a href="/a">Go</a><a href="/b">Go</a>
        <a href="/c" class="bare">Bare</a><button></button><input aria-label="Late" tabindex="2">
        <fieldset><input aria-label="Told" aria-describedby="gone"></fieldset></main></html>"""
    )
    page.keyboard.press("Tab")
    met = page.evaluate(WALK)
    found = faults_of(met)
    for words in (
        'the focus is not seen: <a href="/c"',
        "without a name: <button>",
        "out of order: <input",
        "a group without a name",
        "nothing is called gone",
        "('link', 'Go', '', 'One') does 2 things",
    ):
        assert [fault for fault in found if fault.startswith(words)], words
    assert len(found) == 6
    assert not [fault for fault in faults_of(met, "link") if "does 2 things" in fault]


def press(target: Locator) -> None:
    """Presses Enter on something, as one does who has come to it by Tab."""
    target.focus()
    target.press("Enter")


def test_a_settlement_is_announced_in_a_place_that_stays(page: Page):
    page.goto("/en/settle/?ruleset=changsha&from=0&seat=1&worth=1")
    said = page.locator("#announce")
    expect(said).to_have_role("status")
    expect(said).to_contain_text("dealer −7, next +7")
    region = said.element_handle()
    page.locator("#worth").fill("2")
    expect(said).to_contain_text("dealer −14, next +14")
    page.locator("#worth").fill("2x")
    expect(said).not_to_contain_text("−14")
    expect(page.locator("#worth")).to_have_attribute("aria-invalid", "true")
    page.locator("#worth").fill("1")
    expect(said).to_contain_text("dealer −7")
    # This draws the whole form anew.
    page.locator("#by-discard").focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    expect(page.locator("#by-self-draw")).to_be_focused()
    expect(said).not_to_contain_text("dealer −7, next +7")
    assert page.evaluate("region => region === document.getElementById('announce')", region)
    assert page.locator("#settle [role=status]").count() == 0


def test_what_is_said_of_a_sheet_has_the_focus(page: Page):
    page.goto("/en/settle/?ruleset=changsha&from=0&seat=1&worth=1")
    press(page.locator("#add"))
    expect(page.locator("p.said[role=status]")).to_be_focused()
    press(page.locator("#undo"))
    expect(page.locator("form.said [role=status]")).to_be_focused()
    # What takes it back comes next.
    page.keyboard.press("Tab")
    expect(page.locator("#put-back")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("p.said[role=status]")).to_be_focused()
    page.locator("details:has(#points0) summary").press("Enter")
    page.locator("#points0").fill("3")
    press(page.locator("#add-points"))
    expect(page.locator("#error")).to_be_focused()
    expect(page.locator("#points0")).to_have_accessible_description(re.compile(r"\S"))


def test_what_is_said_of_an_account_and_what_is_wrong_with_a_form_have_the_focus(page: Page):
    page.goto("/en/account/sign-up/")
    page.locator("#id_name").fill("Walker")
    for field in page.locator("input[type=password]").all():
        field.fill("plum blossom 9")
    page.keyboard.press("Enter")
    expect(page.locator(".said[role=status]")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("main a").first).to_be_focused()
    page.goto("/en/account/delete/")
    press(page.locator("main form button").last)
    expect(page.locator("#errors")).to_be_focused()


def test_what_is_said_in_a_class_has_the_focus_and_a_moved_part_keeps_it(
    new_page: Pages,
    everything: Site,  # noqa: F811
    site: str,
):
    page = new_page()
    enter(page, everything.session(TEACHER), site)
    page.goto(address(everything, "class-assignment", "en"))
    press(page.get_by_role("button", name="Move down: part 1", exact=True))
    expect(page.get_by_role("button", name="Move down: part 2", exact=True)).to_be_focused()
    press(page.get_by_role("link", name="Take out part 3", exact=True))
    press(page.locator("main form button.main, main form button.quiet").first)
    expect(page.locator(".said[role=status]")).to_be_focused()
    press(page.locator(".adding-parts a").first)
    press(page.locator("main form:has(fieldset) button.main"))
    # Students have begun: this wants to be confirmed first.
    expect(page.locator("#errors")).to_be_focused()
    page.goto(address(everything, "class-grid", "en"))
    press(page.locator(".results-grid thead a").first)
    page.wait_for_url("**desc=1*")
    expect(page.locator(".results-grid thead th").first).to_have_attribute("aria-sort", "descending")


def test_who_joins_a_class_by_its_code_is_told_so_first(
    new_page: Pages,
    everything: Site,  # noqa: F811
    site: str,
):
    page = new_page()
    enter(page, everything.session("learner"), site)
    page.goto("/en/classes/join/")
    code = page.locator("input[name=code]")
    code.fill("zzzzzz")
    code.press("Enter")
    expect(page.locator("#errors")).to_be_focused()
    expect(code).to_have_attribute("aria-invalid", "true")
    expect(code).to_have_accessible_description(re.compile(r"\S"))
    code.fill(everything.keys["code"])
    code.press("Enter")
    press(page.locator("main form button.main").last)
    expect(page.locator(".said[role=status]")).to_be_focused()
