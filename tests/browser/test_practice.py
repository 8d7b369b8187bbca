"""Practice in a browser: rounds by keyboard alone and by touch, what is ready before it is wanted, looks."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from tests.conftest import THOROUGH
from tests.wrong import likely_answers
from tutor.content.levels import BIRDS, CHOICES, CLAIMS, KEYS, NUMBERS, ROW, SWAP, WALL, Answer, Level
from tutor.people.models import Learner
from tutor.practice import reviews, runs, views
from tutor.practice.models import Attempt, Card, Run
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import by_id
from tutor.puzzles.stock import stock

from .conftest import Pages, in_both_languages, settle
from .lessons import PHONE, fields, loaded  # noqa: F401 - used for each test
from .looks import COLOURS, TAGS, TOO_WIDE, violations

pytestmark = pytest.mark.browser

# Together one of each kind; those with fields and tiles of all sorts by keyboard.
BY_KEYBOARD = [kind for kind in KINDS if kind != "table"]
BY_TOUCH = ["table", "claim", "waits", "build", "payment"]


@pytest.fixture(autouse=True)
def same_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds are made of the same questions each time."""
    monkeypatch.setattr(views, "SystemRandom", lambda: Random(11))


class Question:
    """The question that a page shows, as somebody answers it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.box = page.locator("#puzzle")
        self.heading = self.box.locator("h1")
        self.feedback = self.box.locator(".feedback")
        self.next = self.box.locator("a.next")
        self.clock = self.box.locator(".clock")

    @property
    def level(self) -> Level:
        return by_id(self.box.locator("input[name=puzzle]").input_value(), stock()).level

    @property
    def is_one_tap(self) -> bool:
        """Whether a press of one of two buttons is the answer."""
        return self.box.locator(".one-tap").count() > 0

    def number(self) -> int:
        found = re.search(r"\d+", self.box.locator(".counter").inner_text())
        assert found
        return int(found[0])

    def wrong(self) -> Answer:
        """A wrong answer that the form can give."""
        level = self.level
        offered = {offer.value for offer in level.offers}
        for answer in likely_answers(level):
            is_whole = level.widget not in (NUMBERS, BIRDS) or len(answer) == len(level.rights[0])
            is_one = level.many or level.widget in (NUMBERS, BIRDS) or len(answer) == 1
            if (
                answer
                and not level.is_right(answer)
                and is_whole
                and is_one
                and (not offered or answer <= offered)
            ):
                return answer
        if level.widget == SWAP:
            tile = level.shown.hand.loose[0]
            other = next(t for t in level.game.tiles.tiles if t != tile and level.shown.hand.left(t))
            answers = [frozenset({f"{a.code}>{other.code}"}) for a in level.shown.hand.loose if a != other]
            return next(a for a in answers if not level.is_right(a))
        raise AssertionError("no wrong answer is known")

    def field(self, name: str, value: str) -> Locator:
        return self.box.locator(f"input[name='{name}'][value='{value}']").first

    def expect_verdict(self, *, rightly: bool) -> None:
        """The verdict is there."""
        expect(self.feedback).to_have_class("feedback right" if rightly else "feedback wrong")

    def expect_answered(self, *, rightly: bool) -> None:
        """The verdict is there, and has the focus."""
        self.expect_verdict(rightly=rightly)
        expect(self.feedback).to_be_focused()
        expect(self.next).to_be_visible()

    # By keyboard

    def answer_by_keys(self, answer: Answer) -> None:
        """Gives an answer by keys."""
        if self.is_one_tap:
            buttons = self.box.locator(".one-tap button")
            (value,) = answer
            number = buttons.evaluate_all("all => all.map(e => e.value)").index(value) + 1
            self.page.keyboard.press(str(number))
        else:
            self.press_keys(answer)
            self.page.keyboard.press("Enter")

    def press_keys(self, answer: Answer) -> None:
        """Chooses an answer by keys."""
        level, keyboard = self.level, self.page.keyboard
        if level.widget == ROW and not level.many:
            # The first of tiles alike; the key after the digit, Enter, comes at once.
            shown = self.box.locator(".pick-row input").evaluate_all(
                "all => all.map(e => e.value.split('.')[0])"
            )
            (item,) = answer
            number = shown.index(item.split(".")[0]) + 1
            if number < 10:
                keyboard.press(str(number))
                return
        if level.widget in (KEYS, ROW, SWAP):
            codes = [code.split(".")[0] for item in sorted(answer) for code in item.split(">")]
            for code in codes:
                if len(code) == 2:
                    keyboard.press(code[0])
                    keyboard.press(code[1])
                else:
                    keyboard.press(f"Shift+{code}")
        elif level.widget in (CHOICES, CLAIMS, BIRDS):
            inputs = self.box.locator(".pick-line input, .choice input")
            shown = inputs.evaluate_all("all => all.map(e => [e.name, e.value])")
            for name, value in fields(level, answer):
                number = shown.index([name, value]) + 1
                if number < 10:
                    keyboard.press(str(number))
                else:
                    self.tab_to(self.field(name, value))
                    keyboard.press("Space")
        elif level.widget == NUMBERS:
            for name, value in fields(level, answer):
                self.tab_to(self.box.locator(f"input[name={name}]"))
                keyboard.type(value)
        else:
            raise AssertionError(f"no keys for {level.widget}")

    def tab_to(self, target: Locator) -> None:
        for _ in range(60):
            self.page.keyboard.press("Tab")
            if target.evaluate("e => e === document.activeElement"):
                return
        raise AssertionError(f"60 times Tab do not lead to {target}")

    # By touch

    def tap(self, answer: Answer) -> None:
        """Chooses an answer by finger."""
        for name, value in fields(self.level, answer):
            if self.level.widget == NUMBERS:
                field = self.box.locator(f"input[name={name}]")
                field.tap()
                field.fill(value)
            elif self.level.widget == WALL:
                self.field(name, value).locator("xpath=..").tap()
            else:
                field = self.page.locator(f"input[name='{name}'][value='{value}']")
                self.box.locator("label", has=field).first.tap()

    def check(self) -> None:
        self.box.locator("button[value=answer]").tap()


def begin(
    page: Page, kinds: list[str], mode: str = "quick", language: str = "en", game: str = "changchun"
) -> Question:
    """Begins a round of these kinds, by the form of the page."""
    page.goto(f"/{language}/practice/?ruleset={game}")
    form = page.locator("details[open] form.chooser")
    for kind in kinds:
        form.locator(f"input[name=kind][value={kind}]").check()
    form.locator(f"button[value={mode}]").click()
    page.wait_for_url(re.compile(r"/runs/\d+/1/$"))
    return Question(page)


def test_ten_questions_of_ten_kinds_by_keyboard_alone(page: Page):
    asked = begin(page, BY_KEYBOARD)
    seen = []
    for number in range(1, 11):
        assert asked.number() == number
        level = asked.level
        seen.append(by_id(asked.box.locator("input[name=puzzle]").input_value(), stock()).kind.key)
        rightly = number % 3 != 0
        if number == 2:
            page.keyboard.press("h")
            expect(asked.box.locator(".hints li")).to_have_count(1)
            expect(asked.box.locator(".hints li")).to_be_focused()
        asked.answer_by_keys(level.rights[0] if rightly else asked.wrong())
        asked.expect_answered(rightly=rightly)
        if number < 10:
            page.keyboard.press("Enter")
            page.wait_for_url(f"**/{number + 1}/")
            expect(asked.heading).to_be_focused()
    assert sorted(seen) == sorted(BY_KEYBOARD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/end/")
    expect(page.locator("h1")).to_have_text("7 of 10 right")
    expect(page.locator(".tally-row .wrong")).to_have_count(3)
    assert list(Attempt.objects.order_by("number").values_list("number", "is_right")) == [
        (n, n % 3 != 0) for n in range(1, 11)
    ]
    assert set(Attempt.objects.values_list("help", flat=True)) == {0, 1}
    assert None not in Attempt.objects.values_list("seconds", flat=True)


def test_ten_questions_by_touch_on_a_phone(new_page: Pages):
    page = new_page(**PHONE)
    asked = begin(page, BY_TOUCH, language="zh-hans", game="changsha")
    seen = set()
    for number in range(1, 11):
        assert asked.number() == number
        seen.add(by_id(asked.box.locator("input[name=puzzle]").input_value(), stock()).kind.key)
        rightly = number % 4 != 0
        asked.tap(asked.level.rights[0] if rightly else asked.wrong())
        asked.check()
        asked.expect_answered(rightly=rightly)
        expect(asked.feedback).to_be_in_viewport()
        asked.next.tap()
        if number < 10:
            page.wait_for_url(f"**/{number + 1}/")
            expect(asked.heading).to_be_in_viewport()
    assert seen == set(BY_TOUCH)
    page.wait_for_url("**/end/")
    expect(page.locator(".tally-row .right")).to_have_count(8)
    page.locator(".missed form button").first.tap()
    page.wait_for_url(re.compile(r"/runs/\d+/1/$"))


def answer(page: Page, asked: Question, *, rightly: bool = True) -> None:
    """Answers by keys, and waits until the next question is there."""
    ahead = f"/{asked.number() + 1}/"
    given = asked.level.rights[0] if rightly else asked.wrong()
    with page.expect_request_finished(lambda request: request.url.endswith(ahead)):
        asked.answer_by_keys(given)
    asked.expect_answered(rightly=rightly)


def test_whether_a_hand_wins_is_one_tap_and_marked(new_page: Pages):
    page = new_page(**PHONE)
    asked = begin(page, ["can-win"])
    for number, rightly in ((1, True), (2, False)):
        assert asked.number() == number
        (right,) = asked.level.rights[0]
        buttons = asked.box.locator(".one-tap button")
        expect(buttons).to_have_count(2)
        assert all(buttons.nth(n).bounding_box()["height"] >= 44 for n in (0, 1))
        expect(asked.box.locator("button[value=answer]")).to_have_count(0)
        other = {"yes": "no", "no": "yes"}[right]
        asked.box.locator(f".one-tap button[value={right if rightly else other}]").tap()
        asked.expect_answered(rightly=rightly)
        expect(asked.feedback).to_be_in_viewport()
        expect(buttons).to_have_count(0)
        expect(asked.box.locator(".is-right input")).to_have_value(right)
        wrong = asked.box.locator(".is-wrong input")
        expect(wrong).to_have_count(0 if rightly else 1)
        asked.next.tap()
        page.wait_for_url(f"**/{number + 1}/")
    # Without a choice, Enter gives no answer.
    page.keyboard.press("Enter")
    settle(page)
    expect(asked.box.locator(".one-tap")).to_be_visible()
    assert list(Attempt.objects.order_by("number").values_list("is_right", flat=True)) == [True, False]


@pytest.mark.parametrize("kind", ["can-win", "why-not"])
def test_once_more_counts_for_nothing(page: Page, kind: str):
    page.goto(f"/en/puzzles/changsha/{kind}/2/7/")
    asked = Question(page)
    asked.answer_by_keys(asked.wrong())
    asked.expect_answered(rightly=False)
    for _ in range(2):
        page.get_by_role("link", name="Once more, without counting").click()
        page.wait_for_url("**/?again=1")
        expect(asked.feedback).to_have_count(0)
        page.keyboard.press("h")
        expect(asked.box.locator(".hints li")).to_have_count(1)
        expect(asked.box.locator(".hints li")).to_be_focused()
        asked.answer_by_keys(asked.level.rights[0])
        asked.expect_answered(rightly=True)
    page.goto(page.url.partition("?")[0])
    expect(asked.feedback).to_have_class("feedback wrong")
    assert Attempt.objects.get().help == 0


def test_the_next_question_is_there_without_the_server_and_back_shows_the_answered_one(page: Page):
    asked = begin(page, ["can-win", "why-not"])
    first = asked.level
    answer(page, asked)
    title = page.title()
    page.context.set_offline(True)
    # A second press while it appears is none.
    asked.next.evaluate("link => { link.click(); link.click(); }")
    expect(asked.heading).to_be_focused()
    assert asked.number() == 2
    page.context.set_offline(False)
    assert page.url.endswith("/2/")
    assert page.title() != title
    answer(page, asked, rightly=False)
    page.go_back()
    expect(asked.box.locator(".counter")).to_have_text("1 of 10")
    expect(asked.feedback).to_have_class("feedback right")
    assert asked.level.rights == first.rights
    page.go_forward()
    expect(asked.box.locator(".counter")).to_have_text("2 of 10")
    expect(asked.feedback).to_have_class("feedback wrong")
    page.keyboard.press("Enter")
    expect(asked.box.locator(".counter")).to_have_text("3 of 10")
    assert Attempt.objects.count() == 2


def test_what_was_chosen_stays_when_the_page_is_skipped_through_or_the_server_is_away(
    page: Page, faults: list[str]
):
    asked = begin(page, ["why-not"])
    ((name, value),) = fields(asked.level, asked.level.rights[0])
    asked.field(name, value).check()
    page.locator("a.skip").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))
    expect(asked.field(name, value)).to_be_checked()
    page.context.set_offline(True)
    asked.box.locator("button[value=answer]").click()
    expect(page.locator("#trouble")).to_be_visible()
    expect(page.locator("#gone")).to_be_hidden()
    page.context.set_offline(False)
    assert faults
    faults.clear()
    expect(asked.field(name, value)).to_be_checked()
    asked.box.locator("button[value=answer]").click()
    asked.expect_answered(rightly=True)
    expect(page.locator("#trouble")).to_have_count(0)
    settle(page)


def test_an_answer_to_a_round_that_is_gone_is_told_so(page: Page, faults: list[str]):
    asked = begin(page, ["can-win"])
    Learner.objects.all().delete()
    asked.answer_by_keys(asked.level.rights[0])
    expect(page.locator("#gone")).to_be_visible()
    expect(page.locator("#trouble")).to_be_hidden()
    assert [fault for fault in faults if "404" not in fault] == []
    assert faults
    faults.clear()
    page.locator("#gone a").click()
    expect(page.locator("h1")).to_have_text("Practise")


def test_nothing_chosen_is_said_and_gets_the_focus(page: Page):
    asked = begin(page, ["why-not"])
    page.keyboard.press("Enter")
    expect(asked.feedback).to_have_class("feedback error")
    expect(asked.feedback).to_be_focused()
    assert not Attempt.objects.exists()


def test_the_clock_counts_down_and_what_comes_too_late_is_told(page: Page):
    asked = begin(page, [], mode="clock")
    expect(asked.clock).to_have_text(re.compile(r"^[012]:[0-5]\d$"))
    before = asked.clock.inner_text()
    expect(asked.clock).not_to_have_text(before)
    expect(asked.clock).to_have_text(re.compile(r"^[012]:[0-5]\d$"))
    answer(page, asked)
    page.keyboard.press("Enter")
    expect(asked.heading).to_be_focused()
    expect(asked.clock).to_have_text(re.compile(r"^[012]:[0-5]\d$"))
    Run.objects.update(started=timezone.now() - timedelta(minutes=4))
    Attempt.objects.update(at=timezone.now() - timedelta(minutes=3))
    asked.answer_by_keys(asked.level.rights[0])
    expect(asked.box.locator(".said")).to_contain_text("The time was up.")
    expect(asked.clock).to_have_text("0:00")
    asked.next.click()
    page.wait_for_url("**/end/")
    expect(page.locator("h1")).to_have_text("1 of 1 right")


def few_seconds_left(page: Page) -> None:
    """Three seconds are left on the clock of a round that has been going on for a while."""
    Run.objects.update(started=timezone.now() - timedelta(seconds=runs.CLOCK_SECONDS - 3))
    page.reload()


def test_when_the_time_is_up_an_open_question_gives_way_to_the_results(page: Page):
    asked = begin(page, [], mode="clock")
    answer(page, asked)
    page.keyboard.press("Enter")
    expect(asked.heading).to_be_focused()
    few_seconds_left(page)
    expect(asked.clock).to_have_text(re.compile("^0:0[0-3]$"))
    page.wait_for_url("**/end/")
    expect(page.locator("h1")).to_have_text("1 of 1 right")
    # Gone back to, the question leads there too.
    page.go_back()
    page.wait_for_url("**/end/")


def test_when_the_time_is_up_an_answer_stays_to_be_read_and_the_results_come_next(page: Page):
    asked = begin(page, [], mode="clock")
    few_seconds_left(page)
    answer(page, asked, rightly=False)
    expect(asked.clock).to_have_text("0:00")
    page.wait_for_timeout(600)
    asked.expect_answered(rightly=False)
    page.keyboard.press("Enter")
    page.wait_for_url("**/end/")
    expect(page.locator("h1")).to_have_text("0 of 1 right")
    # So it is where the page came after the time, and leads nowhere by itself.
    page.go_back()
    asked.expect_verdict(rightly=False)
    expect(asked.clock).to_have_text("0:00")


def test_a_rule_that_was_missed_comes_up_for_review(page: Page):
    asked = begin(page, ["why-not"])
    answer(page, asked, rightly=False)
    learner = Learner.objects.get()
    learner.reviews = True
    learner.save()
    reviews.rebuild(learner)
    card = Card.objects.get()
    Card.objects.update(due=timezone.now() - timedelta(minutes=1))
    page.goto("/en/practice/")
    page.get_by_role("button", name="Review 1 rule that you missed").click()
    page.wait_for_url(re.compile(r"/runs/\d+/1/$"))
    expect(asked.box.locator(".because-of")).to_contain_text("Review, because you missed")
    puzzle = by_id(asked.box.locator("input[name=puzzle]").input_value(), stock())
    assert (puzzle.kind.key, puzzle.topic) == (card.kind, card.topic)
    asked.answer_by_keys(asked.level.rights[0])
    asked.expect_answered(rightly=True)
    assert Card.objects.get().due > card.due
    page.keyboard.press("Enter")
    page.wait_for_url("**/end/")
    expect(page.locator("h1")).to_have_text("1 of 1 right")


def looks(page: Page, state: str, number: int) -> Iterator[tuple[str, object]]:
    """What is wrong with a page on a phone, in both schemes, and on the smallest screen.

    Where not all is tried, it is looked at in one scheme, in turn by its number.
    """
    both = [("light", TAGS), ("dark", COLOURS)]
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 740})
        if wide := page.evaluate(TOO_WIDE):
            yield f"{state}, {width} px", wide[:5]
        if width == 360:
            for scheme, rules in both if THOROUGH else [(both[number % 2][0], TAGS)]:
                page.emulate_media(color_scheme=scheme)
                for violation, places in violations(page, rules).items():
                    yield f"{violation}, {state}, {scheme}", places
            page.emulate_media(color_scheme="light")


@in_both_languages
def test_every_page_suits_eyes_ears_and_small_screens(page: Page, language: str):
    found: dict[str, object] = {}
    asked = begin(page, ["which-game", "score", "discard", "claim"], language=language)
    found |= looks(page, "asked", 0)
    for number in range(1, 5):
        asked.answer_by_keys(asked.wrong())
        asked.expect_answered(rightly=False)
        page.locator("#puzzle details").evaluate_all("all => all.forEach(e => e.open = true)")
        kind = by_id(asked.box.locator("input[name=puzzle]").input_value(), stock()).kind.key
        found |= looks(page, f"{kind}, answered wrong", number)
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/{number + 1}/")
        expect(asked.heading).to_be_focused()
    page.goto(re.sub(r"/5/$", "/end/", page.url))
    expect(page.locator(".missed").first).to_be_visible()
    found |= looks(page, "end", 1)
    for number, path in enumerate(("", "daily/", "picked/changchun/")):
        page.goto(f"/{language}/practice/{path}")
        page.locator("main details").evaluate_all("all => all.forEach(e => e.open = true)")
        found |= looks(page, path or "home", number)
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)


@pytest.mark.parametrize("question", ["score/3/110", "score/1/111", "score/1/101"])
def test_a_score_of_long_names_fits_the_smallest_phone(page: Page, question: str):
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"/en/puzzles/changsha/{question}/")
    page.locator("button[value=solution]").click()
    expect(page.locator(".feedback .score")).to_be_visible()
    assert page.evaluate(TOO_WIDE) == []
