"""How the pages of a class look on different screens, in both languages and schemes: all of them."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page

from tests.conftest import EACH_LANGUAGE
from tests.school import Assignments, Classrooms, Members, add_set, answered, client_of, teacher_of
from tutor.classes.models import BY_HAND, CHAPTER, HALF, Board, Judging, Member, Part, Question
from tutor.classes.urls import urlpatterns

from .conftest import Pages, settle
from .lessons import loaded  # noqa: F401 - used for each test
from .looks import COLOURS, TAGS, violations
from .test_lesson_looks import TOO_WIDE
from .test_live_board import HIDE

pytestmark = pytest.mark.browser

# Pages that are no pages: what is downloaded, what only takes a form.
NO_PAGES = {
    "class-grid-csv",
    "class-moodle",
    "class-gift",
    "class-move",
    "class-give",
    "class-extend",
    "class-reveal",
    "class-part-move",
}
OF_STUDENTS = {"class-work", "class-question", "class-leave", "class-live"}
PAGES = [p for p in dict.fromkeys(str(p.name) for p in urlpatterns) if p not in NO_PAGES]


@pytest.fixture
def school() -> dict[str, object]:
    """A class in which everything has happened, and what stands in its addresses."""
    room = Classrooms(name="周三长沙麻将班 of Wednesday", options={"changchun": {"jiahu": "shape"}})
    teacher = teacher_of(room, name="李老师")
    students = [Members(classroom=room, name=name, is_managed=True) for name in ("王小明", "Anna", "Zoë Ó")]
    now = timezone.now()
    given = Assignments(
        classroom=room,
        title="第一周 the first week",
        note="Read first.",
        due=now - timedelta(hours=2),
        pass_mark=60,
        late=HALF,
        tries=2,
    )
    part = add_set(given, size=4, kinds=["can-win", "waits", "score"])
    add_set(given, game="changchun", size=2, same=False)
    Part.objects.create(
        assignment=given, place=5, kind=CHAPTER, game="changsha", data={"slug": "birds"}, size=0
    )
    sealed = Assignments(classroom=room, title="第二周 sealed", reveal=BY_HAND, due=now + timedelta(days=2))
    add_set(sealed, size=2)
    Assignments(classroom=room, title="以后 later", opens=now + timedelta(days=9))
    Assignments(classroom=room, title="草稿 draft", opens=None)
    for n, student in enumerate(students):
        answered(
            student, given, [n % 2 == 0, False, True, n > 0, True], at=now - timedelta(hours=2, minutes=3)
        )
        answered(student, sealed, [True])
    question = Question.objects.filter(part=part).earliest("number")
    fields = ("puzzle", "game", "kind", "topic", "level", "options", "node", "form")
    board = Board.objects.create(
        classroom=room, opened=now, **{name: getattr(question, name) for name in fields}
    )
    judging = Judging.objects.create(
        classroom=room, asked_by=teacher.name, rules="1", begun=now, finished=now, seen=15, total=15
    )
    return {
        "classroom": room.pk,
        "member": students[0].pk,
        "assignment": given.pk,
        "part": part.pk,
        "question": 1,
        "number": 1,
        "board": board.pk,
        "judging": judging.pk,
        "game": question.game,
        "topic": question.topic,
        "kind": question.kind,
        "code": room.code,
    }


def address(name: str, keys: dict[str, object], language: str) -> str:
    pattern = next(p for p in urlpatterns if p.name == name)
    given = {key: keys[key] for key in pattern.pattern.converters}
    if name == "class-part-add":
        given["kind"] = "set"
    return reverse(name, kwargs=given).replace("/en/", f"/{language}/", 1)


SHARES = 4  # tests that share the pages, for several cores


@pytest.mark.parametrize("share", range(SHARES))
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    new_page: Pages, site: str, school: dict[str, object], share: int
):
    page: Page = new_page()
    found: dict[str, object] = {}
    for number, name in enumerate(PAGES[share::SHARES]):
        languages = ("en", "zh-hans") if EACH_LANGUAGE else (("en", "zh-hans")[number % 2],)
        for language in languages:
            enter(page, site, who_sees(name, school))
            show(page, address(name, school, language))
            found |= {f"{name}, {language}, {what}": where for what, where in faults(page, language).items()}
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


def who_sees(name: str, school: dict[str, object]) -> Member:
    if name in OF_STUDENTS:
        return Member.objects.get(pk=school["member"])
    return Member.objects.get(classroom=school["classroom"], is_teacher=True)


def enter(page: Page, site: str, who: Member) -> None:
    session = client_of(who).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site}])


def show(page: Page, url: str) -> None:
    """Opens a page with all that it can open, and lets it ask for nothing more."""
    response = page.goto(url)
    assert response is not None
    assert (url, response.status) == (url, 200)
    page.evaluate(HIDE)
    settle(page)
    page.evaluate("() => document.querySelectorAll('details').forEach(d => d.open = true)")


def faults(page: Page, language: str) -> dict[str, object]:
    """What axe finds, and what is too wide."""
    found: dict[str, object] = {}
    first, second = (320, 1280) if language == "en" else (1280, 320)
    looks = [(first, "light", TAGS), (second, "dark", COLOURS)]
    if EACH_LANGUAGE:
        looks.append((second, "light", TAGS))
    for width, scheme, rules in looks:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        for violation, places in violations(page, rules).items():
            found[f"{violation}, {width} px, {scheme}"] = places
        if wide := page.evaluate(TOO_WIDE):
            found[f"too wide, {width} px"] = wide[:5]
    return found
