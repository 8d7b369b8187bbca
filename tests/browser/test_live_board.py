"""The live board with three browsers: a projector and two phones, none of which anybody reloads."""

import itertools
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Request, expect

import rules
from tests.conftest import THOROUGH
from tests.school import Assignments, Classrooms, Members, add_set, answered, client_of, teacher_of
from tutor.classes import boards, handing, rejudge
from tutor.classes.models import Board, Classroom, Member
from tutor.puzzles.puzzle import Key, Puzzle, puzzle
from tutor.puzzles.stock import stock

from .conftest import Pages, in_both_languages, settle
from .lessons import loaded  # noqa: F401 - used for each test
from .looks import TOO_WIDE, violations_at_widths

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDTHS = (320, 390, 1280)
KINDS = ("can-win", "discard", "claim")


@pytest.fixture
def room() -> Classroom:
    """A class with its teacher and two students."""
    made: Classroom = Classrooms(game="changsha")
    teacher_of(made)
    Members.create_batch(2, classroom=made)
    return made


def asked(kind: str = "can-win", seed: int = 3) -> Puzzle:
    return puzzle(Key(kind, rules.rulesets()["changsha"], 2, seed), stock())


POLL = re.compile(r"[?&]seen=")
HIDE = "() => Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })"


def calm(page: Page) -> None:
    """Lets a page ask for nothing more, or leaving it would break a request off."""
    page.evaluate(HIDE)
    settle(page)


def polls_of(page: Page) -> int:
    """How often a page asks for something new within two turns."""
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    page.wait_for_timeout(4500)
    page.remove_listener("request", note)
    return sum(bool(POLL.search(url)) for url in asked)


SignIn = Callable[..., Page]


@pytest.fixture
def sign_in(new_page: Pages, site: str) -> Iterator[SignIn]:
    """Opens the pages of people who are signed in."""
    pages: list[Page] = []

    def signed_in(who: Member, **options: Any) -> Page:
        page = new_page(**options)
        session = client_of(who).cookies["sessionid"].value
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": site}])
        pages.append(page)
        return page

    yield signed_in
    for page in pages:
        calm(page)


def tab_to(page: Page, words: str) -> None:
    """Presses Tab until the focus is on what has these words."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.textContent.trim()") == words:
            return
    raise AssertionError(f"60 times Tab do not lead to {words!r}")


def members(room: Classroom) -> tuple[Member, list[Member]]:
    return room.members.get(is_teacher=True), list(room.members.filter(is_teacher=False).order_by("pk"))


def faults_of(page: Page, number: int) -> dict[str, object]:
    """What axe finds, and what is too wide, at each width. number: the page's, for looks that take turns."""
    found: dict[str, object] = dict(violations_at_widths(page, WIDTHS if THOROUGH else WIDTHS[:1], number))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        if wide := page.evaluate(TOO_WIDE):
            found[f"too wide, {width} px"] = wide[:5]
    return found


def test_a_class_answers_together_and_the_teacher_needs_no_mouse(sign_in: SignIn, room: Classroom):
    teacher, students = members(room)
    desk = sign_in(teacher)
    phones = [sign_in(student, **PHONE) for student in students]
    for phone in phones:
        phone.goto(f"/en/classes/{room.pk}/live/now/")
        expect(phone.locator("h1")).to_have_text("Nothing is asked at the moment.")
    desk.goto(f"/en/classes/{room.pk}/live/")
    tab_to(desk, "Open the board")
    desk.locator("#fresh-kind").select_option("can-win")
    desk.keyboard.press("Enter")
    expect(desk.locator("#answers-title")).to_have_text("Answered: 0 of 2")
    board = Board.objects.select_related("classroom").get()
    question = boards.asked(board)
    assert question is not None
    right = question.level.rights[0]
    words = {offer.value: offer.words.en for offer in question.level.offers if offer.words}
    numbers = desk.locator(".bar-count")
    expect(numbers).to_have_text(["0"] * len(words))
    for n, (phone, value) in enumerate(
        zip(phones, sorted(words, key=lambda value: value not in right), strict=True), start=1
    ):
        phone.get_by_role("button", name=words[value], exact=True).tap()
        expect(phone.locator(".feedback")).to_contain_text("Your answer is kept.")
        expect(desk.locator("#answers-title")).to_have_text(f"Answered: {n} of 2")
    expect(numbers).to_have_text(["1"] * len(words))
    expect(desk.locator("#board-said")).to_have_text("Everybody has answered.")
    tab_to(desk, "Show everybody the solution")
    desk.keyboard.press("Enter")
    expect(desk.locator(".bars .is-right")).to_have_count(1)
    expect(phones[0].locator(".feedback")).to_contain_text("Right.")
    expect(phones[1].locator(".feedback")).to_contain_text("Not right.")
    expect(phones[1].locator(".feedback")).to_be_focused()
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    expect(desk.locator("#answers-title")).to_have_text("Answered: 0 of 2")
    for phone in phones:
        expect(phone.locator(".one-tap button")).to_have_count(len(words))


def test_nothing_is_asked_for_while_nobody_looks_nor_when_the_board_is_over(sign_in: SignIn, room: Classroom):
    teacher, _ = members(room)
    board = boards.open_board(room, handing.kept(asked()), timezone.now())
    desk = sign_in(teacher)
    desk.goto(f"/en/classes/{room.pk}/live/{board.pk}/")
    with desk.expect_request(POLL):
        pass
    calm(desk)
    assert polls_of(desk) == 0
    desk.evaluate("() => { delete document.hidden; }")
    with desk.expect_request(POLL):
        pass
    boards.stop(board, timezone.now())
    expect(desk.locator("#join-title")).to_have_text("What students see")
    assert polls_of(desk) == 0


def test_what_somebody_is_choosing_stays_while_nothing_changes(sign_in: SignIn, room: Classroom):
    _, students = members(room)
    boards.open_board(room, handing.kept(asked("waits")), timezone.now())
    phone = sign_in(students[0], **PHONE)
    phone.goto(f"/en/classes/{room.pk}/live/now/")
    tile = phone.locator(".pick input").first
    tile.check(force=True)
    with phone.expect_response(lambda response: response.status == 204):
        pass
    expect(tile).to_be_checked()


def test_whoever_is_taken_out_of_the_class_is_told_and_asks_no_more(
    sign_in: SignIn, room: Classroom, faults: list[str]
):
    _, students = members(room)
    phone = sign_in(students[0], **PHONE)
    phone.goto(f"/en/classes/{room.pk}/live/now/")
    students[0].left = students[0].joined
    students[0].save()
    expect(phone.locator("#gone")).to_be_visible()
    assert polls_of(phone) == 0
    assert faults
    faults.clear()


@in_both_languages
@pytest.mark.parametrize("kind", KINDS)
def test_its_pages_have_no_barrier_and_fit(sign_in: SignIn, room: Classroom, language: str, kind: str):
    teacher, students = members(room)
    desk, phone = sign_in(teacher), sign_in(students[0], **PHONE)
    found: dict[str, object] = {}
    numbers = itertools.count()

    def look(page: Page, path: str, when: str) -> None:
        page.goto(f"/{language}/classes/{room.pk}/live/{path}")
        amiss = faults_of(page, KINDS.index(kind) + next(numbers) // 2)
        found.update({f"{path} {when}: {what}": where for what, where in amiss.items()})
        calm(page)

    # What nothing is asked on yet, or any more, is the same for each kind.
    looks_around = THOROUGH or kind == KINDS[0]
    if looks_around:
        look(phone, "now/", "waiting")
    board = boards.open_board(room, handing.kept(asked(kind)), timezone.now())
    for when in ("open", "stopped", "shown"):
        if when == "stopped":
            boards.stop(board, timezone.now())
        if when == "shown":
            boards.show(board, timezone.now())
        look(desk, f"{board.pk}/", when)
        look(phone, "now/", when)
    if looks_around:
        look(desk, "", "listed")
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)


@in_both_languages
def test_judging_again_goes_on_by_itself_and_has_no_barrier(sign_in: SignIn, room: Classroom, language: str):
    teacher, students = members(room)
    assignment = Assignments(classroom=room)
    add_set(assignment, size=3)
    for student in students:
        answered(student, assignment, [True, False, True])
    room.attempts.filter(pk=room.attempts.earliest("pk").pk).update(is_right=False)
    desk = sign_in(teacher)
    desk.goto(f"/{language}/classes/{room.pk}/judge/")
    found = faults_of(desk, 0)
    judging = rejudge.begin(room, "Ms Lin")
    desk.goto(f"/{language}/classes/{room.pk}/judge/{judging.pk}/")
    expect(desk.locator(".class-table tbody tr")).to_have_count(1)
    found |= faults_of(desk, 1)
    assert not found, json.dumps(found, ensure_ascii=False, indent=1)
