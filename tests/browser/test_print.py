"""What comes out of the printer: lessons, rules, worksheets, cards and results, as the pages of a PDF.

Text of one pixel marks where things begin and end, and the pages of the PDF say on which sheet that is.
"""

import io
import re
import unicodedata

import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

from tests.everything import CLASS, LEARNER, TEACHER, Site, made

from .conftest import Pages, in_both_languages, settle
from .lessons import loaded  # noqa: F401 - used for each test

pytestmark = pytest.mark.browser

WIDTH, HEIGHT = 595, 842  # A4 in points
ROOM = 688  # pixels between the margins
SMALLEST = 12  # pixels: nine points
# What is on one sheet from its beginning to its end; and headings, which are on the sheet of what they head.
WHOLE = (
    ".asked, .answers-of > li, .login-card, .figure, .sample, .rule-list > div, .map > li, .every-tile > li,"
    " tbody tr, .level:not(:has(.feedback))"
)
HEADINGS = "h1, h2, h3, h4, figcaption"
# Writes the marks. Returns how many things and how many headings there are.
MARK = """([whole, headings]) => {
    const mark = (text) => {
        const made = document.createElement("i");
        made.style.font = "1px/1 monospace";
        made.style.position = "static";
        made.textContent = text;
        return made;
    };
    const words = [];
    const walker = document.createTreeWalker(document.querySelector("#main"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const around = walker.currentNode.parentElement;
        if (walker.currentNode.data.trim() && around.checkVisibility() && !around.closest("svg, .unseen"))
            words.push(walker.currentNode);
    }
    const put = (node, text) => node.before(mark(text));
    let things = 0;
    for (const thing of document.querySelectorAll(whole)) {
        const inside = words.filter((node) => thing.contains(node));
        if (inside.length < 2) continue;
        put(inside[0], `@b${things}@`);
        inside.at(-1).after(mark(`@e${things}@`));
        things += 1;
    }
    let titles = 0;
    for (const heading of document.querySelectorAll(headings)) {
        const last = words.findLastIndex((node) => heading.contains(node));
        if (last < 0 || last + 1 === words.length) continue;
        words[last].after(mark(`@t${titles}@`));
        put(words[last + 1], `@n${titles}@`);
        titles += 1;
    }
    document.querySelector("#key h2")?.append(mark("@key@"));
    // The room of a drawing is kept; its thousand lines need not be read.
    for (const drawing of document.querySelectorAll("svg")) drawing.style.visibility = "hidden";
    return [things, titles];
}"""
# What may be pressed, what leads elsewhere, and what is too small to read, as far as it would be printed.
AMISS = """(smallest) => {
    const found = [];
    const press = "button:not(.gloss, :has(.tile)), select, nav, summary, .main, .quiet, .buttons, .onwards";
    for (const each of document.querySelectorAll(press))
        if (each.checkVisibility()) found.push(`to press: ${each.outerHTML.slice(0, 90)}`);
    for (const link of document.querySelectorAll("#main a"))
        if (link.checkVisibility() && getComputedStyle(link).textDecorationLine !== "none")
            found.push(`underlined: ${link.outerHTML.slice(0, 90)}`);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const around = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !around.checkVisibility()) continue;
        if (around.closest("svg, .unseen")) continue;
        if (parseFloat(getComputedStyle(around).fontSize) < smallest)
            found.push(`small: ${walker.currentNode.data.trim().slice(0, 60)}`);
    }
    const { color, backgroundColor } = getComputedStyle(document.body);
    if (color !== "rgb(0, 0, 0)" || backgroundColor !== "rgb(255, 255, 255)")
        found.push(`${color} on ${backgroundColor}`);
    return found;
}"""
TOO_WIDE = "() => document.documentElement.scrollWidth - innerWidth"

# Puts the first column of results there again, so many times.
REPEAT = """(times) => document.querySelectorAll(".results-grid tr").forEach((row) => {
    for (let n = 0; n < times; n += 1) row.children[1].after(row.children[1].cloneNode(true));
})"""


@pytest.fixture
def everything(loaded: None) -> Site:  # noqa: F811
    """The site in which everything has happened."""
    return made()


@pytest.fixture
def desk(new_page: Pages) -> Page:
    """A page in the dark, which paper is not."""
    return new_page(color_scheme="dark")


def enter(page: Page, site: str, everything: Site, who: str) -> None:
    """Makes the browser one of the people."""
    page.context.clear_cookies()
    if session := everything.session(who):
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": site}])


def printed(page: Page, most: int, *, room: int = ROOM) -> list[str]:
    """Prints what is shown. Returns the words of each sheet, without spaces; there may be so many at most."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": room, "height": 900})
    assert page.evaluate(AMISS, SMALLEST) == []
    assert page.evaluate(TOO_WIDE) <= 1
    title = "".join(page.locator("h1:visible").all_inner_texts())
    things, titles = page.evaluate(MARK, [WHOLE, HEADINGS])
    reader = PdfReader(io.BytesIO(page.pdf(format="A4", prefer_css_page_size=True)))
    for sheet in reader.pages:
        assert sorted(map(float, sheet.mediabox[2:])) == pytest.approx([WIDTH, HEIGHT], abs=1.5)
    sheets = [squeezed(sheet.extract_text()) for sheet in reader.pages]
    assert says(sheets[0], title)
    assert 1 <= len(sheets) <= most
    assert [n for n, words in enumerate(sheets, 1) if len(without_marks(words)) < 20] == []
    # The head of a table, with its marks, comes again on each sheet: it begins where it is first.
    on: dict[str, int] = {}
    for n, words in enumerate(sheets):
        for mark in re.findall(r"@\w+@", words):
            on.setdefault(mark, n)
    cut = [n for n in range(things) if on[f"@b{n}@"] != on[f"@e{n}@"]]
    assert not cut, [between(sheets, f"@b{n}@") for n in cut]
    left = [n for n in range(titles) if on[f"@t{n}@"] != on[f"@n{n}@"]]
    assert not left, [between(sheets, f"@t{n}@", before=True) for n in left]
    return sheets


def squeezed(text: str) -> str:
    """Text without spaces. A font may draw 目 by the sign for the radical, which is made 目 again."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


def says(words: str, text: str) -> int:
    """How often a sheet says something. Some signs come as radicals, as ⻦ for 鸟, and stay so."""
    sign = "".join(f"[{c}\u2e80-\u2eff]" if c >= "\u3400" else re.escape(c) for c in squeezed(text))
    return len(re.findall(sign, without_marks(words)))


def without_marks(words: str) -> str:
    return re.sub(r"@\w+@", "", words)


def between(sheets: list[str], mark: str, *, before: bool = False) -> str:
    """The words beside a mark, for whoever reads that a test has failed."""
    words = next(words for words in sheets if mark in words)
    parts = words.split(mark)
    return without_marks(parts[0])[-60:] if before else without_marks(parts[1])[:60]


def sheet_of(sheets: list[str], text: str) -> int:
    """On which sheet something is."""
    return next(n for n, words in enumerate(sheets) if text in words)


@in_both_languages
def test_a_chapter_is_printed_with_its_questions_and_the_answers_that_are_shown(
    desk: Page, everything: Site, site: str, language: str
):
    enter(desk, site, everything, "guest")
    desk.goto(f"/{language}/learn/changchun/counting-fan/")
    show = desk.locator(".level a[hx-get*='show=solution']")
    for n in range(2):
        show.first.click()
        settle(desk)
        assert desk.locator(".feedback.told").count() == n + 1
    told = desk.locator(".feedback.told").first.locator("p").first.inner_text()
    assert says("".join(printed(desk, 11)), told) == 2


# Each with the most sheets that it may take.
LISTS = {
    "learn/changsha/": 3,
    "learn/changsha/seven-pairs/": 8,
    "rules/changsha/": 9,
    "rules/changchun/win/terminal-or-honor/": 1,
    "glossary/": 8,
    "settle/?ruleset=changsha&from=0&seat=1&worth=1": 1,
}


@in_both_languages
def test_lists_and_rules_are_printed(desk: Page, everything: Site, site: str, language: str):
    enter(desk, site, everything, "guest")
    for address, most in LISTS.items():
        desk.goto(f"/{language}/{address}")
        sheets = printed(desk, most)
        if language != "en":
            assert re.search(r"[\u4e00-\u9fff]{5}", sheets[-1]), address


@in_both_languages
def test_a_worksheet_keeps_questions_whole_and_its_key_apart(
    desk: Page, everything: Site, site: str, language: str
):
    enter(desk, site, everything, TEACHER)
    keys = everything.keys
    desk.goto(f"/{language}/classes/{keys['classroom']}/assignments/{keys['assignment']}/worksheet/?key=1")
    questions = desk.locator(".asked").count()
    assert questions == 6
    sheets = printed(desk, 5)
    begins = sheet_of(sheets, "@key@")
    assert begins == 1 + max(sheet_of(sheets, f"@e{n}@") for n in range(questions))
    assert sheets[begins].index("@key@") < sheets[begins].index("@b")


@in_both_languages
def test_results_are_printed_with_the_name_of_the_class(
    desk: Page, everything: Site, site: str, language: str
):
    keys = everything.keys
    enter(desk, site, everything, TEACHER)
    for place, most in (("results/", 1), (f"students/{keys['member']}/", 2), ("people/", 1), ("wrong/", 1)):
        desk.goto(f"/{language}/classes/{keys['classroom']}/{place}")
        sheets = printed(desk, most)
        assert says(sheets[0], CLASS)
    enter(desk, site, everything, LEARNER)
    desk.goto(f"/{language}/progress/")
    printed(desk, 3)


@in_both_languages
def test_ten_cards_stand_on_a_sheet(desk: Page, everything: Site, site: str, language: str):
    enter(desk, site, everything, TEACHER)
    names = [f"学生{n}" for n in range(1, 12)] + ["Anna-Sophie Featherstone"]
    desk.goto(f"/{language}/classes/{everything.keys['classroom']}/people/add/")
    desk.locator("textarea[name=names]").fill("\n".join(names))
    desk.locator("form.by-hand button.main").click()
    desk.locator("button[value=make]").click()
    cards = desk.locator(".login-card")
    cards.last.wait_for()
    assert cards.count() == len(names)
    secrets = [squeezed(text) for text in desk.locator(".login-card .secret").all_inner_texts()]
    sheets = printed(desk, 2, room=718)
    assert [sum(secret in without_marks(words) for secret in secrets) for words in sheets] == [10, 2]


@in_both_languages
def test_many_results_are_printed_on_the_long_side(desk: Page, everything: Site, site: str, language: str):
    """Columns beyond the sixth are the same cells again, as in a class to which much was given."""
    enter(desk, site, everything, TEACHER)
    desk.goto(f"/{language}/classes/{everything.keys['classroom']}/results/")
    desk.evaluate(REPEAT, 12)
    assert printed(desk, 1, room=1032)
