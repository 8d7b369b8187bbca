"""What is looked for on pages of every kind."""

from collections.abc import Iterable, Iterator
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# What axe looks for: WCAG 2.2 at levels A and AA, and its own advice.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What of it is a matter of colour. A test shows that the schemes differ in nothing else.
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


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


def violations_at_widths(page: Page, widths: Iterable[int]) -> Iterator[tuple[str, list[Any]]]:
    """What axe finds at some widths of the screen and in both colour schemes, and what it is."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme, rules in (("light", TAGS), ("dark", COLOURS)):
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
