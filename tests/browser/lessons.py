"""Lessons in a browser: their content, and their questions as they are answered by finger or by keyboard."""

from collections.abc import Iterator
from functools import cached_property
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from rules import Text
from tests.wrong import likely_answers
from tutor.content import load, prose
from tutor.content.build import Chapter, Step
from tutor.content.levels import BIRDS, GROUP, NUMBERS, SWAP, WALL, Answer, Level, numbered

from ..conftest import real_content
from .conftest import settle

FIELDS = "input:not([type=hidden])"
# Name and value of what is chosen or typed.
GIVEN = "all => all.filter(e => e.type === 'number' ? e.value : e.checked).map(e => [e.name, e.value])"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture(autouse=True)
def loaded(live_server: LiveServer, transactional_db: None, shelved: None) -> None:
    """The content as a server has it that has run for a while. No test changes it."""


@pytest.fixture
def stored(loaded: None, fresh_shelf: None) -> None:
    """The content in the database, where the pages read it from."""
    load.store(real_content())


def chapter(place: str) -> Chapter:
    """A chapter by its place, "changsha/birds"."""
    return next(found for found in real_content().chapters if found.place == place)


# A question for each way of answering, and another where one thing is chosen instead of several.
WIDGETS = {
    "row": "changchun/tiles#suits",
    "choices, one": "changchun/tiles#first-throw",
    "wall": "changchun/tiles#deal",
    "choices": "changchun/winning-shape#pieces",
    "row, one tile": "changchun/winning-shape#take-it-apart",
    "swap": "changchun/winning-shape#one-tile-wrong",
    "group": "changchun/winning-shape#four-sets-and-a-pair",
    "keys": "changchun/ready#two-tiles",
    "keys, one tile": "changchun/ready#one-tile-short",
    "claims": "changchun/turns#chi",
    "numbers": "changchun/who-pays#one-discarder",
    "numbers, one": "changchun/counting-fan#adding-up",
    "hands": "changsha/small-win#two-five-eight",
    "birds": "changsha/birds#where-it-falls",
}
ONE_OF_EACH = [widget for widget in WIDGETS if "," not in widget]


def step(place: str) -> Step:
    """A step by its place, "changsha/birds#origin"."""
    return chapter(place.partition("#")[0]).step(place.partition("#")[2])


def example(widget: str) -> Step:
    """The step with the question that stands for a way of answering."""
    found = step(WIDGETS[widget])
    assert found.level
    assert found.level.widget == widget.partition(",")[0]
    assert found.level.many != ("," in widget) or found.level.widget in (SWAP, WALL)
    return found


def a_wrong_answer(level: Level) -> Answer:
    """The first common mistake, or else the first answer, that can be given and is wrong."""
    if level.widget == GROUP:
        tiles = level.shown.hand.loose
        other = next(tile for tile in tiles if tile.suit != tiles[0].suit)
        return frozenset({f"{tiles[0].code} {other.code}"})
    return next(answer for answer in likely_answers(level) if _can_be_given(level, answer))


def _can_be_given(level: Level, answer: Answer) -> bool:
    if level.is_right(answer) or not answer:
        return False
    if level.widget in (NUMBERS, BIRDS):
        return len(answer) == len(level.rights[0])
    if level.widget == SWAP:
        return True
    return answer <= {offer.value for offer in level.offers} and (level.many or len(answer) == 1)


def address(step: Step, answer: Answer) -> str:
    """The query under which a chapter shows an answer to one of its questions."""
    return urlencode([("step", step.slug), *(("a", item) for item in sorted(answer)), ("said", "1")])


def stretches(text: Text, language: str = "en") -> list[str]:
    """The words of a text between its terms, links and tiles."""
    found = []
    for block in prose.blocks(text.in_language(language)):
        for line in block.lines:
            for span in line:
                found += [s.text for s in (span.inner or (span,)) if s.text.strip()]
    return found


def fields(level: Level, answer: Answer) -> list[tuple[str, str]]:
    """An answer as the fields of its form, by name and value."""
    found = []
    for item in sorted(answer):
        head, _, tail = item.partition(":")
        if level.widget == SWAP:
            out, _, into = item.partition(">")
            found += [("out", out), ("in", into)]
        elif level.widget in (NUMBERS, BIRDS):
            found.append((f"n{head}", tail) if tail else ("n0", head))
        elif level.widget == GROUP:
            found += [("t", value) for value in numbered(sorted(codes(item)))]
        else:
            found.append(("a", item))
    return found


def codes(group: str) -> list[str]:
    """The tiles of a group: those of `345m`, `EEE`, `3m E`."""
    found = []
    for part in group.split(".")[0].split():
        suited = part[-1] in "mps"
        found += [f"{sign}{part[-1]}" for sign in part[:-1]] if suited else list(part)
    return found


class Asked:
    """A question on the page of its chapter, as somebody answers it."""

    def __init__(self, page: Page, step: Step, language: str = "en") -> None:
        assert step.level
        self.page = page
        self.step = step
        self.level = step.level
        self.path = f"/{language}/learn/{step.place.partition('#')[0]}/"
        self.language = language
        self.place = page.locator(f"#level-{step.slug}")
        self.button = self.place.locator(".buttons button[value='answer']")
        self.feedback = self.place.locator(".feedback")
        self.mark = page.locator(f"#mark-{step.slug}")
        self.tally = page.locator("#tally")

    def open(self) -> None:
        """Opens the chapter at this step."""
        visit(self.page, f"{self.path}#{self.step.slug}")
        stop_reading(self.page)

    def field(self, name: str, value: str) -> Locator:
        """A field of the form: a typed one, or one of those to choose from."""
        found = self.place.locator(f"input[name='{name}']:not([type=hidden])")
        return found if self.level.widget == NUMBERS else found.and_(self.page.locator(f"[value='{value}']"))

    def settle(self) -> None:
        """Waits until no answer is on its way and the last one is in place."""
        settle(self.page)

    def given(self) -> set[tuple[str, str]]:
        """What is chosen or typed, by name and value."""
        return {(name, value) for name, value in self.place.locator(FIELDS).evaluate_all(GIVEN)}

    def expect_given(self, answer: Answer) -> None:
        """Exactly this is chosen or typed, or grouped."""
        if self.level.widget == GROUP:
            self.expect_groups(len(answer))
        else:
            assert self.given() == set(fields(self.level, answer))

    def expect_groups(self, count: int) -> None:
        """So much is grouped."""
        expect(self.place.locator(".grouped li")).to_have_count(count)

    # By finger

    @cached_property
    def is_touched(self) -> bool:
        """Whether the page stands on a touch screen."""
        return bool(self.page.evaluate("() => navigator.maxTouchPoints > 0"))

    def press(self, target: Locator) -> None:
        """Taps something, or clicks it where there is no touch screen, and waits for the answer."""
        if self.is_touched:
            target.tap()
        else:
            target.click()
        self.settle()

    def choose(self, answer: Answer) -> None:
        """Makes what is chosen or typed be this answer."""
        wanted, given = fields(self.level, answer), self.given()
        for name, value in given - set(wanted):
            if self.field(name, value).get_attribute("type") == "checkbox":
                self.press(self.label(name, value))
        for name, value in wanted:
            field = self.field(name, value)
            if self.level.widget == NUMBERS:
                self.press(field)
                field.fill(value)
            elif (name, value) not in given:
                self.press(self.label(name, value))

    def label(self, name: str, value: str) -> Locator:
        """What is tapped to choose."""
        return self.place.locator("label", has=self.page.locator(f"input[name='{name}'][value='{value}']"))

    def answer(self, answer: Answer) -> None:
        """Gives an answer by finger; grouping, one group after another."""
        for n, part in enumerate(self._presses(answer), 1):
            self.choose(part)
            self.press(self.button)
            if self.level.widget == GROUP and answer in self.level.rights:
                self.expect_groups(n)

    def _presses(self, answer: Answer) -> Iterator[Answer]:
        """An answer as what is chosen for each press of the button: group by group, all at once elsewhere."""
        if self.level.widget == GROUP:
            yield from (frozenset({group}) for group in sorted(answer))
        else:
            yield answer

    # By keyboard

    def answer_by_keyboard(self, answer: Answer, *, backwards: bool = False) -> None:
        """Gives an answer by keyboard alone. backwards: from the feedback, which stands behind the fields."""
        for n, part in enumerate(self._presses(answer)):
            self.choose_by_keyboard(part, backwards=backwards and not n)
            self.tab_to(self.button)
            self.page.keyboard.press("Enter")
            self.settle()
            if self.level.widget == GROUP and answer in self.level.rights:
                self.expect_groups(n + 1)

    def choose_by_keyboard(self, answer: Answer, *, backwards: bool = False) -> None:
        """Makes what is chosen or typed be this answer, by Tab, Space, the arrow keys and typing."""
        keyboard, wanted = self.page.keyboard, set(fields(self.level, answer))
        wait_until_drawn(self.page)
        for _ in range(300):
            given, (kind, name, value) = self._given_and_focused()
            if given == wanted:
                return
            if kind == "number" and (name, value) in given - wanted | {(name, "")}:
                keyboard.type(dict(wanted)[name])
            elif kind == "checkbox" and (name, value) in given ^ wanted:
                keyboard.press("Space")
            elif kind == "radio" and not {pair for pair in given & wanted if pair[0] == name}:
                self._go_by_arrows(name, value, dict(wanted))
            else:
                keyboard.press("Shift+Tab" if backwards else "Tab")
        raise AssertionError(f"{answer} can't be chosen by keyboard: {self.given()}")

    def _go_by_arrows(self, name: str, value: str, wanted: dict[str, str]) -> None:
        for _ in range(100):
            if value == wanted.get(name):
                if not self.field(name, value).is_checked():
                    self.page.keyboard.press("Space")
                return
            self.page.keyboard.press("ArrowDown")
            _, (_, _, value) = self._given_and_focused()
        raise AssertionError(f"the arrow keys don't lead to {wanted}")

    def _given_and_focused(self) -> tuple[set[tuple[str, str]], tuple[str, str, str]]:
        """What is given, and kind, name and value of the field that has the focus; empty where none has."""
        given, focused = self.page.evaluate(
            """([id, fields]) => {
                const level = document.getElementById(id), it = document.activeElement;
                const isField = level.contains(it) && it.tagName === "INPUT";
                const focused = isField ? [it.type, it.name, it.value] : ["", "", ""];
                const given = GIVEN;
                return [given([...level.querySelectorAll(fields)]), focused];
            }""".replace("GIVEN", GIVEN),
            [f"level-{self.step.slug}", FIELDS],
        )
        return {(name, value) for name, value in given}, tuple(focused)

    def holds_focus(self) -> bool:
        """Whether the focus is within this question."""
        return self.place.evaluate("level => level.contains(document.activeElement)")

    def tab_to(self, target: Locator, *, backwards: bool = False, at_most: int = 100) -> None:
        """Presses Tab until the focus is on something."""
        wait_until_drawn(self.page)
        wanted = target.element_handle()
        for _ in range(at_most):
            self.page.keyboard.press("Shift+Tab" if backwards else "Tab")
            if wanted.evaluate("e => e === document.activeElement"):
                return
        raise AssertionError(f"{at_most} times Tab do not lead to {target}")

    # What is said

    def expect_wrong(self, answer: Answer) -> None:
        """The answer is explained, kept and announced."""
        expect(self.place.locator(".feedback.wrong")).to_be_visible()
        if self.level.widget != GROUP:
            for says in self.level.why_wrong(answer):
                for words in stretches(says, self.language):
                    expect(self.place.get_by_role("status")).to_contain_text(words)

    def expect_right(self) -> None:
        """The answer is praised, and what it rests on is told."""
        expect(self.place.locator(".feedback.right")).to_be_visible()
        for words in stretches(self.level.done, self.language):
            expect(self.place.get_by_role("status")).to_contain_text(words)


def wait_until_drawn(page: Page) -> None:
    """Waits until a page with scripts is drawn: only then does Tab go on from the place in its address."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def stop_reading(page: Page) -> None:
    """Lets what is on its way arrive, and notes no reading from now on: leaving the page would cut it off."""
    page.wait_for_load_state()
    page.locator("#read").evaluate_all("all => all.forEach(e => e.removeAttribute('hx-trigger'))")
    settle(page)


def visit(page: Page, path: str) -> None:
    """Opens a page of this site, or the same one again."""
    stop_reading(page)
    if page.url.endswith(path):
        page.reload()
    else:
        page.goto(path)


def answer_all(page: Page, place: str, *, rightly: bool) -> None:
    """Answers every question of the open chapter, without noting it. A hand is grouped rightly or begun."""
    asked = []
    for each in chapter(place).levels:
        assert each.level
        answer = each.level.rights[0]
        if not rightly:
            begun = each.level.widget == GROUP
            answer = frozenset(sorted(answer)[:1]) if begun else a_wrong_answer(each.level)
        asked.append([f"level-{each.slug}", address(each, answer)])
    page.evaluate(
        """asked => Promise.all(asked.map(([id, query]) => window.htmx.ajax(
            "GET", window.location.pathname + "?" + query,
            {source: document.getElementById(id), target: "#" + id, swap: "outerHTML"})))""",
        asked,
    )
    shown = ".feedback.right" if rightly else ".feedback.wrong, .grouped"
    expect(page.locator(".level").locator(shown)).to_have_count(len(asked))
    settle(page)
