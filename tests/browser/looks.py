"""What is looked for on pages of every kind."""

from collections.abc import Iterable, Iterator
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.conftest import THOROUGH

# What axe looks for: WCAG 2.2 at levels A and AA, and its own advice.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What of it is a matter of colour. A test shows that the schemes differ in nothing else.
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}

# What runs over the edge of the screen, or of a place whose edge is seen. What can be scrolled is none of it.
TOO_WIDE = """() => {
    const isSeen = e => e.clientWidth > 1 && e.checkVisibility()
        && !e.closest("svg, input, .scrolling, .asked, .unseen");
    const hasEdge = e => {
        const style = getComputedStyle(e);
        return style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.borderRightWidth !== "0px"
            || style.overflowX !== "visible";
    };
    const runsOver = e => {
        const box = e.getBoundingClientRect();
        return box.left < -1 || box.right > document.documentElement.clientWidth + 1
            || (hasEdge(e) && e.scrollWidth > e.clientWidth + 1);
    };
    return [document.documentElement, ...document.querySelectorAll("body *")]
        .filter(e => isSeen(e) && runsOver(e))
        .map(e => `${e.tagName}#${e.id}.${e.className}: ${e.scrollWidth} > ${e.clientWidth}`);
}"""

# Words of which a part can't be seen or scrolled to: they run over the edge of what clips them. What is left
# out on purpose stands in a title.
CUT_OFF = """() => {
    const found = [];
    const clips = overflow => overflow === "hidden" || overflow === "clip";
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const holder = text.parentElement;
        if (!/\\S/.test(text.data) || !holder.checkVisibility({ visibilityProperty: true })) continue;
        if (holder.closest("svg, .unseen, script, option, textarea, [title]")) continue;
        range.selectNodeContents(text);
        const words = range.getBoundingClientRect();
        if (!words.width) continue;
        let canScrollX = false, canScrollY = false;
        for (let e = holder; e && e !== document.body; e = e.parentElement) {
            const style = getComputedStyle(e), box = e.getBoundingClientRect();
            if (clips(style.overflowX) && box.width < 2) break;  // only to be heard
            const isCutX = !canScrollX && clips(style.overflowX)
                && (words.left < box.left - 1 || words.right > box.right + 1);
            // What stands above and below the letters may go.
            const isCutY = !canScrollY && clips(style.overflowY)
                && (words.top < box.top - 4 || words.bottom > box.bottom + 4);
            if (isCutX || isCutY) {
                found.push(`${e.tagName}#${e.id}.${e.className}: ${text.data.trim().slice(0, 40)}`);
                break;
            }
            canScrollX ||= /auto|scroll/.test(style.overflowX);
            canScrollY ||= /auto|scroll/.test(style.overflowY);
            if (style.position === "fixed") break;
        }
    }
    return found;
}"""

# What is amiss whatever the width: headings, the main part, and Chinese words on an English page that nothing
# says to be Chinese, so that a voice would spell them out. A list can't say it of some of its words, data are
# for programs, and nobody knows the language of what people wrote.
UNSOUND = """written => {
    const found = [];
    for (const tag of ["h1", "main"]) {
        const number = document.querySelectorAll(tag).length;
        if (number !== 1) found.push(`${number} of ${tag}`);
    }
    let before = 0;
    for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
        const level = Number(heading.tagName[1]);
        if (level > before + 1) found.push(`h${level} after h${before}: ${heading.textContent.trim()}`);
        before = level;
    }
    if (document.documentElement.lang !== "en") return found;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const holder = text.parentElement;
        if (holder.closest("[lang|=zh], [aria-hidden=true], option, textarea, pre, script")) continue;
        const words = written.reduce((words, given) => words.replaceAll(given, ""), text.data);
        if (!/\\p{Script=Han}/u.test(words)) continue;
        found.push(`not said to be Chinese: ${holder.outerHTML.slice(0, 120)}`);
    }
    return found;
}"""

# How far a page's parts have moved on their own since it was asked for, once its letters are there.
SHIFTED = """async () => {
    let shifted = 0;
    const observer = new PerformanceObserver(list => list.getEntries().forEach(e => { shifted += e.value; }));
    observer.observe({ type: "layout-shift", buffered: true });
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    await new Promise(setTimeout);
    return shifted;
}"""


def violations(page: Page, rules: Any = TAGS, context: str | None = None) -> dict[str, list[Any]]:
    """What axe finds on a page as it stands now: the places, by what is wrong there."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(
        """async ([context, options]) => {
            const results = await axe.run(context || document, options);
            return results.violations.map(found => [found.id, found.nodes.map(node => node.target)]);
        }""",
        [context, {"runOnly": rules, "resultTypes": ["violations"]}],
    )
    return dict(found)


def violations_at_widths(
    page: Page, widths: Iterable[int], number: int = 0
) -> Iterator[tuple[str, list[Any]]]:
    """What axe finds at some widths of the screen and in both colour schemes, and what it is.

    Where not all is tried, it looks once: at the first width in the light, or, where the number of the page
    is odd, at the last one in the dark.
    """
    widths = list(widths)
    looks = [(width, *look) for width in widths for look in (("light", TAGS), ("dark", COLOURS))]
    once = (widths[-1], "dark", TAGS) if number % 2 else looks[0]
    for width, scheme, rules in looks if THOROUGH else [once]:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        for violation, places in violations(page, rules).items():
            yield f"{violation}, {width} px, {scheme}", places
    page.emulate_media(color_scheme="light")


def other_differences(page: Page) -> list[str]:
    """In what the dark scheme differs but in colours. In the dark, axe looks only for what these decide."""
    differences = page.evaluate(
        """() => {
            const found = [];
            const isColour = value => CSS.supports("color", value) || CSS.supports("box-shadow", value);
            const asksForScheme = sheet => /color-scheme/.test(sheet.media.mediaText);
            const look = (rules, isInScheme) => {
                for (const rule of rules) {
                    const isScheme = isInScheme || /color-scheme/.test(rule.conditionText || "");
                    if (rule.cssRules) look(rule.cssRules, isScheme);
                    const imported = rule.styleSheet;
                    if (imported) look(imported.cssRules, isScheme || asksForScheme(imported));
                    if (!isScheme) continue;
                    for (const name of rule.style || []) {
                        const value = rule.style.getPropertyValue(name).trim();
                        found.push([`${name}: ${value}`, name.startsWith("--") && isColour(value)]);
                    }
                }
            };
            for (const sheet of document.styleSheets) look(sheet.cssRules, asksForScheme(sheet));
            return found;
        }"""
    )
    assert differences, "there is no dark scheme"
    scripts = page.locator("script[src]").evaluate_all("all => all.map(e => e.src)")
    asking = [script for script in scripts if "prefers-color-scheme" in page.request.get(script).text()]
    return [said for said, is_colour in differences if not is_colour] + asking
