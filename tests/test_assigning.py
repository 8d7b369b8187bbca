"""Making assignments: parts, ways, extensions, order, copies, trying them, and what becomes of answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import rules
from tests.school import (
    START,
    Assignments,
    Classrooms,
    Members,
    add_puzzle,
    add_set,
    answered,
    client_of,
    teacher_of,
)
from tests.test_accounts import at_once
from tests.test_checker_page import read
from tutor.classes import drafting, editing, handing, members, working
from tutor.classes.drafting import Draft, RefusedError, id_of
from tutor.classes.models import (
    AFTER_DUE,
    AT_ONCE,
    BY_HAND,
    CHAPTER,
    HALF,
    LATE,
    PUZZLE,
    REFUSED,
    SEALED,
    SET,
    Assignment,
    Classroom,
    Extension,
    Member,
    Part,
    Question,
    Work,
)
from tutor.content.build import KINDS
from tutor.people.models import Progress
from tutor.practice.models import Attempt, Card
from tutor.puzzles.stock import stock
from tutor.rulebook.views import KIND_NAMES

LANGUAGES = ("en", "zh-hans")
RICH = "changsha/picked/rich-in-jiang"
HOUR = timedelta(hours=1)


@pytest.fixture
def classroom(shelved: None) -> Classroom:
    return Classrooms()


@pytest.fixture
def teacher(classroom: Classroom) -> Client:
    return client_of(teacher_of(classroom))


@pytest.fixture
def given(classroom: Classroom) -> Assignment:
    return Assignments(classroom=classroom)


def at(given: Assignment, rest: str = "", language: str = "en") -> str:
    return f"/{language}/classes/{given.classroom_id}/assignments/{given.pk}/{rest}"


def text_of(answer: Any) -> str:
    return unescape(answer.content.decode())


def is_marked(body: str, field: str) -> bool:
    """Whether a page names an error of a field, links to it from the list of errors, and has the field."""
    return (
        f'<a href="#id_{field}">' in body and f'id="id_{field}_error"' in body and f'id="id_{field}"' in body
    )


def ways(given: Assignment, **more: str) -> dict[str, str]:
    """What the form of an assignment's dates and ways sends, as it stands there."""

    def local(moment: datetime | None) -> str:
        return moment.astimezone(given.classroom.zone).strftime("%Y-%m-%dT%H:%M") if moment else ""

    return {
        "title": given.title,
        "note": given.note,
        "opens": local(given.opens),
        "due": local(given.due),
        "late": given.late,
        "tries": str(given.tries),
        "pass_mark": "" if given.pass_mark is None else str(given.pass_mark),
        "has_hints": "yes" if given.has_hints else "no",
        "reveal": given.reveal,
    } | more


# The list, and a new one


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_class_without_assignments_says_what_to_do_next(
    teacher: Client, classroom: Classroom, language: str
) -> None:
    body = text_of(teacher.get(f"/{language}/classes/{classroom.pk}/"))
    assert f'href="/{language}/classes/{classroom.pk}/assignments/new/"' in body
    assert members.written(classroom.code) in body


def test_a_new_assignment_is_a_draft_at_the_end_that_no_student_sees(
    teacher: Client, given: Assignment, classroom: Classroom
) -> None:
    new = f"/en/classes/{classroom.pk}/assignments/new/"
    assert teacher.get(new).status_code == 200
    answer = teacher.post(new, {"title": " Week 2 ", "note": "Read first."})
    made = Assignment.objects.latest("pk")
    assert answer["Location"] == at(made)
    assert (made.title, made.note, made.opens, made.due, made.place) == (
        "Week 2",
        "Read first.",
        None,
        None,
        1,
    )
    student = client_of(Members(classroom=classroom))
    assert "Week 2" not in text_of(student.get(f"/en/classes/{classroom.pk}/"))
    assert student.get(f"/en/classes/{classroom.pk}/work/{made.pk}/").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("title", "note", "field"), [("", "", "title"), ("x" * 121, "", "title"), ("t", "n" * 2001, "note")]
)
def test_a_title_that_cant_be_is_said_and_nothing_typed_is_lost(
    teacher: Client, classroom: Classroom, title: str, note: str, field: str, language: str
) -> None:
    answer = teacher.post(
        f"/{language}/classes/{classroom.pk}/assignments/new/", {"title": title, "note": note}
    )
    body = text_of(answer)
    assert answer.status_code == 200
    assert is_marked(body, field)
    assert title in body
    assert note in body
    assert not Assignment.objects.exists()


def test_the_weakest_rules_make_a_draft_with_ten_questions_about_them(
    teacher: Client, classroom: Classroom
) -> None:
    new = f"/en/classes/{classroom.pk}/assignments/new/"
    asked = {"game": "changsha", "topic": ["win/pair-258", "win/shape"], "kind": ["can-win", "why-not"]}
    shown = text_of(teacher.get(new, asked))
    assert 'name="topic" value="win/pair-258"' in shown
    assert not Assignment.objects.exists()
    answer = teacher.post(new, asked)
    assert answer.status_code == 303
    part = Part.objects.get()
    assert (part.kind, part.size, part.data["same"]) == (SET, 10, True)
    assert (part.data["topics"], part.data["kinds"]) == (asked["topic"], asked["kind"])
    questions = list(part.questions.all())
    assert {one.topic for one in questions} == {"win/pair-258", "win/shape"}
    assert part.assignment.title
    assert part.assignment.opens is None
    assert "What there is to do" in text_of(teacher.get(answer["Location"]))


@pytest.mark.parametrize(
    "asked",
    [
        {"game": "nowhere", "topic": "win/shape"},
        {"game": "changsha", "topic": "win/nothing"},
        {"game": "changsha", "topic": "win/shape", "kind": "no-kind"},
    ],
)
def test_rules_that_there_are_not_make_nothing(
    teacher: Client, classroom: Classroom, asked: dict[str, str]
) -> None:
    new = f"/en/classes/{classroom.pk}/assignments/new/"
    assert teacher.get(new, asked).status_code == 404
    assert teacher.post(new, asked).status_code == 404
    assert not Assignment.objects.exists()


def test_rules_of_which_nothing_can_be_asked_are_said_and_leave_no_draft(
    teacher: Client, classroom: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handing, "made", lambda *anything: [])
    answer = teacher.post(
        f"/en/classes/{classroom.pk}/assignments/new/",
        {"game": "changsha", "topic": "win/shape", "kind": "can-win"},
    )
    assert answer.status_code == 200
    assert "no such questions" in text_of(answer)
    assert not Assignment.objects.exists()


def test_assignments_move_up_and_down_and_stay_at_the_ends(teacher: Client, classroom: Classroom) -> None:
    rows = [Assignments(classroom=classroom, title=name, place=0) for name in "abc"]

    def order() -> str:
        return "".join(classroom.assignments.order_by("place", "pk").values_list("title", flat=True))

    for row, to, then in (
        (0, "up", "abc"),
        (0, "down", "bac"),
        (0, "down", "bca"),
        (0, "down", "bca"),
        (2, "up", "cba"),
    ):
        answer = teacher.post(at(rows[row], "move/"), {"to": to})
        assert answer.status_code == 303
        assert order() == then
        body = teacher.get(answer["Location"]).content.decode()
        assert body.count(" autofocus") == 1
        assert f'action="{at(rows[row], "move/")}"' in body[: body.index(" autofocus")].rpartition("<form")[2]


def test_the_list_asks_the_database_as_often_for_fifty_as_for_five(
    teacher: Client, classroom: Classroom
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as found:
            assert teacher.get(f"/en/classes/{classroom.pk}/").status_code == 200
        return len(found)

    Assignments.create_batch(5, classroom=classroom)
    queries()  # what is read once a process
    few = queries()
    Assignments.create_batch(45, classroom=classroom)
    assert queries() == few


def test_an_assignment_asks_the_database_as_often_for_many_parts_as_for_few(
    teacher: Client, given: Assignment
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            assert teacher.get(at(given)).status_code == 200
        return len(found)

    add_set(given)
    queries()
    few = queries()
    for _ in range(6):
        add_puzzle(given, RICH)
    assert queries() == few


# Who may


@pytest.mark.parametrize(
    "rest",
    [
        "",
        "edit/",
        "delete/",
        "duplicate/",
        "parts/new/set/",
        "parts/own/",
        "preview/1/",
        "parts/{part}/remove/",
    ],
)
@pytest.mark.parametrize("who", ["guest", "student", "other teacher", "teacher who left"])
def test_to_others_it_is_not_there(given: Assignment, rest: str, who: str) -> None:
    part = add_set(given, size=1)
    classroom = given.classroom
    people: dict[str, Callable[[], Member | None]] = {
        "guest": lambda: None,
        "student": lambda: Members(classroom=classroom),
        "other teacher": lambda: teacher_of(Classrooms()),
        "teacher who left": lambda: teacher_of(classroom, left=timezone.now()),
    }
    assert client_of(people[who]()).get(at(given, rest.format(part=part.pk))).status_code == 404


@pytest.mark.parametrize("rest", ["move/", "give/", "extend/", "reveal/", "parts/{part}/move/"])
def test_to_others_nothing_can_be_posted(given: Assignment, rest: str) -> None:
    part = add_set(given, size=1)
    for who in (None, Members(classroom=given.classroom), teacher_of(Classrooms())):
        address = at(given, rest.format(part=part.pk))
        assert client_of(who).post(address, {"do": "show", "to": "up"}).status_code == 404
        assert client_of(who).get(address).status_code in (404, 405)
    given.refresh_from_db()
    assert given.revealed is None


def test_an_assignment_of_another_class_is_not_there(teacher: Client, classroom: Classroom) -> None:
    other = Assignments()
    assert teacher.get(f"/en/classes/{classroom.pk}/assignments/{other.pk}/").status_code == 404
    assert teacher.post(f"/en/classes/{classroom.pk}/assignments/{other.pk}/delete/").status_code == 404
    assert Assignment.objects.filter(pk=other.pk).exists()


@pytest.mark.parametrize(
    ("rest", "form"),
    [
        ("edit/", {"title": "changed"}),
        ("give/", {"do": "back"}),
        ("reveal/", {"do": "show"}),
        ("delete/", {}),
        ("duplicate/", {}),
        ("parts/new/chapter/", {"chapters": "01-tiles"}),
        ("parts/own/", {}),
    ],
)
def test_an_archived_class_is_looked_at_and_not_changed(
    teacher: Client, given: Assignment, rest: str, form: dict[str, str]
) -> None:
    add_set(given, size=1)
    Classroom.objects.update(archived=timezone.now())
    before = [list(table.objects.order_by("pk").values()) for table in (Assignment, Part, Question)]
    body = teacher.get(at(given)).content.decode()
    assert "<form" not in body
    assert teacher.get(at(given, "preview/1/")).status_code == 200
    assert teacher.post(at(given, rest), form).status_code == 303
    assert "archived" in text_of(teacher.get(f"/en/classes/{given.classroom_id}/"))
    assert [list(table.objects.order_by("pk").values()) for table in (Assignment, Part, Question)] == before


# Dates and ways


def test_dates_are_those_of_the_class(teacher: Client, given: Assignment) -> None:
    Classroom.objects.update(time_zone="Asia/Kathmandu")
    form = ways(given, opens="2026-03-02T09:00", due="2026-04-01T00:00", late=HALF, tries="0", pass_mark="60")
    form |= {"has_hints": "no", "reveal": AFTER_DUE, "title": "Spring", "note": ""}
    assert teacher.post(at(given, "edit/"), form).status_code == 303
    given.refresh_from_db()
    assert given.opens == datetime(2026, 3, 2, 3, 15, tzinfo=UTC)
    assert given.due == datetime(2026, 3, 31, 18, 15, tzinfo=UTC)
    assert (given.late, given.tries, given.pass_mark, given.has_hints) == (HALF, 0, 60, False)
    body = text_of(teacher.get(at(given, "edit/")))
    assert 'value="2026-04-01T00:00"' in body
    assert "Asia/Kathmandu" in body


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"title": ""}, "title"),
        ({"due": "2026-03-29T02:30"}, "due"),  # the clocks skip it
        ({"opens": "2026-03-29T02:30"}, "opens"),
        ({"due": "2026-02-30T10:00"}, "due"),
        ({"due": "tomorrow"}, "due"),
        ({"due": "2026-04-01T10:00+02:00"}, "due"),
        ({"due": "0001-01-01T00:00"}, "due"),
        ({"due": "9999-12-31T23:59"}, "due"),
        ({"due": "2026-03-01T10:00"}, "due"),  # before it opens
        ({"due": "2026-03-02T10:00"}, "due"),  # when it opens
        ({"reveal": AFTER_DUE}, "due"),  # there is none
        ({"late": "whatever"}, "late"),
        ({"tries": "4"}, "tries"),
        ({"tries": "x"}, "tries"),
        ({"pass_mark": "0"}, "pass_mark"),
        ({"pass_mark": "101"}, "pass_mark"),
        ({"pass_mark": "half"}, "pass_mark"),
        ({"reveal": "never"}, "reveal"),
        ({"has_hints": "maybe"}, "has_hints"),
    ],
)
def test_ways_that_cant_be_are_said_at_their_field_and_change_nothing(
    teacher: Client, given: Assignment, changes: dict[str, str], field: str, language: str
) -> None:
    Classroom.objects.update(time_zone="Europe/Berlin")
    given.refresh_from_db()
    before = Assignment.objects.values().get()
    answer = teacher.post(at(given, "edit/", language), ways(given, opens="2026-03-02T10:00") | changes)
    body = text_of(answer)
    assert answer.status_code == 200
    assert is_marked(body, field)
    assert Assignment.objects.values().get() == before
    for name, typed in changes.items():
        if name in ("due", "opens", "pass_mark", "title"):
            assert f'name="{name}" value="{typed}"' in body or not typed


def test_what_stands_there_is_stored_again_to_the_second(teacher: Client, given: Assignment) -> None:
    """The first of two hours that clocks show alike, and the seconds of a press."""
    Classroom.objects.update(time_zone="Europe/Berlin")
    given.refresh_from_db()
    given.opens = datetime(2026, 3, 2, 9, 0, 17, tzinfo=UTC)
    given.due = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)  # 02:30 for the first time
    given.save()
    assert teacher.post(at(given, "edit/"), ways(given, note="new")).status_code == 303
    now = Assignment.objects.get()
    assert (now.opens, now.due, now.note) == (given.opens, given.due, "new")


@pytest.mark.parametrize(
    ("late", "reveal", "more_time", "points", "late_answers"),
    [
        (late, reveal, more, points, late_answers)
        for reveal in (AT_ONCE, AFTER_DUE, BY_HAND)
        for late, more, points, late_answers in (
            (LATE, False, 4, 2),
            (HALF, False, 3, 2),
            (REFUSED, False, 4, 2),
            (HALF, True, 4, 0),
        )
    ],
)
def test_new_ways_hold_for_what_was_answered_before(
    teacher: Client,
    given: Assignment,
    late: str,
    reveal: str,
    more_time: bool,
    points: int,
    late_answers: int,
) -> None:
    add_set(given)
    student = Members(classroom=given.classroom)
    first = datetime(2026, 3, 9, 4, 0, tzinfo=UTC)
    work = answered(student, given, [True, True, False], at=first)  # at 12:01, 12:02 and 12:03 in Shanghai
    if more_time:
        Extension.objects.create(assignment=given, member=student, due=first + HOUR)
    form = ways(given, due="2026-03-09T12:01", late=late, reveal=reveal)
    assert teacher.post(at(given, "edit/"), form).status_code == 303
    work.refresh_from_db()
    assert (work.points, work.late, work.answered) == (points, late_answers, 3)
    due = first + (HOUR if more_time else timedelta(minutes=1))
    told = {AT_ONCE: None, AFTER_DUE: due + timedelta(minutes=1), BY_HAND: SEALED}[reveal]
    assert set(work.attempts.values_list("visible", flat=True)) == {told}


@pytest.mark.parametrize("opens", ["", "2099-01-01T00:00"])
def test_what_somebody_has_begun_stays_open(teacher: Client, given: Assignment, opens: str) -> None:
    add_set(given)
    answered(Members(classroom=given.classroom), given, [True])
    answer = teacher.post(at(given, "edit/"), ways(given, opens=opens))
    assert is_marked(text_of(answer), "opens")
    before = given.opens
    given.refresh_from_db()
    assert given.opens == before


# Giving out


def test_it_is_given_out_and_taken_back_while_nobody_has_begun(teacher: Client, given: Assignment) -> None:
    Assignment.objects.update(opens=None)
    student = Members(classroom=given.classroom)
    page = f"/en/classes/{given.classroom_id}/work/{given.pk}/"
    teacher.post(at(given, "give/"), {"do": "out"})
    given.refresh_from_db()
    assert given.opens is None  # there is nothing in it
    assert "add a part" in text_of(teacher.get(at(given)))
    add_set(given)
    for do, is_there in (("out", True), ("out", True), ("back", False), ("back", False), ("out", True)):
        assert teacher.post(at(given, "give/"), {"do": do}).status_code == 303
        assert client_of(student).get(page).status_code == (200 if is_there else 404)
    answered(student, given, [True])
    assert 'value="back"' not in text_of(teacher.get(at(given)))
    teacher.post(at(given, "give/"), {"do": "back"})
    given.refresh_from_db()
    assert given.opens is not None
    assert "has begun" in text_of(teacher.get(at(given)))


def test_it_is_not_given_out_when_it_would_be_due_already_or_never_told(
    teacher: Client, given: Assignment
) -> None:
    add_set(given)
    for due, reveal in ((timezone.now() - HOUR, AT_ONCE), (None, AFTER_DUE)):
        Assignment.objects.update(opens=None, due=due, reveal=reveal)
        teacher.post(at(given, "give/"), {"do": "out"})
        given.refresh_from_db()
        assert given.opens is None
    Assignment.objects.update(due=timezone.now() + HOUR)
    teacher.post(at(given, "give/"), {"do": "out"})
    given.refresh_from_db()
    assert given.opens is not None


# More time, and telling what is right


def test_more_time_counts_for_one_and_keeps_the_answers_of_all_sealed(
    teacher: Client, given: Assignment
) -> None:
    first = timezone.now().replace(second=0, microsecond=0) - timedelta(hours=3)
    Assignment.objects.update(due=first, late=HALF, reveal=AFTER_DUE)
    given.refresh_from_db()
    add_set(given)
    one, other = Members(classroom=given.classroom, name="Ann"), Members(classroom=given.classroom)
    works = [answered(student, given, [True, True], at=first) for student in (one, other)]
    later = first + timedelta(hours=9)
    local = later.astimezone(given.classroom.zone).strftime("%Y-%m-%dT%H:%M")
    assert teacher.post(at(given, "extend/"), {"member": one.pk, "due": local}).status_code == 303
    for work, points in zip(works, (4, 2), strict=True):
        work.refresh_from_db()
        assert work.points == points
        assert {*work.attempts.values_list("visible", flat=True)} == {later + timedelta(minutes=1)}
    assert "Ann has more time" in text_of(teacher.get(at(given)))
    assert teacher.post(at(given, "extend/"), {"remove": one.pk}).status_code == 303
    assert not Extension.objects.exists()
    works[0].refresh_from_db()
    assert works[0].points == 2
    assert {*Attempt.objects.values_list("visible", flat=True)} == {first + timedelta(minutes=1)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("who", "due", "field"),
    [
        ("student", "", "due"),
        ("student", "2026-03-09T12:00", "due"),  # no more than the others have
        ("student", "soon", "due"),
        ("nobody", "2026-03-10T12:00", "member"),
        ("teacher", "2026-03-10T12:00", "member"),
        ("stranger", "2026-03-10T12:00", "member"),
    ],
)
def test_more_time_that_cant_be_is_said(
    teacher: Client, given: Assignment, who: str, due: str, field: str, language: str
) -> None:
    Assignment.objects.update(due=datetime(2026, 3, 9, 4, 0, tzinfo=UTC))
    people = {
        "student": Members(classroom=given.classroom),
        "teacher": teacher_of(given.classroom),
        "stranger": Members(),
    }
    key = people[who].pk if who in people else ""
    answer = teacher.post(at(given, "extend/", language), {"member": key, "due": due})
    assert answer.status_code == 200
    assert is_marked(text_of(answer), field)
    assert not Extension.objects.exists()


@pytest.mark.parametrize("remove", ["", "x", "9" * 30, "-1"])
def test_taking_back_more_time_that_nobody_has_changes_nothing(
    teacher: Client, given: Assignment, remove: str
) -> None:
    assert teacher.post(at(given, "extend/"), {"remove": remove}).status_code == 303


def test_answers_are_shown_by_hand_and_sealed_again(teacher: Client, given: Assignment) -> None:
    Assignment.objects.update(reveal=BY_HAND)
    given.refresh_from_db()
    add_set(given)
    answered(Members(classroom=given.classroom), given, [True])
    assert {*Attempt.objects.values_list("visible", flat=True)} == {SEALED}
    for do, visible in (("show", None), ("show", None), ("back", SEALED), ("show", None)):
        teacher.post(at(given, "reveal/"), {"do": do})
        assert {*Attempt.objects.values_list("visible", flat=True)} == {visible}
        assert f'value="{"back" if visible is None else "show"}"' in text_of(teacher.get(at(given)))


# Parts


def test_chapters_are_added_once_each(teacher: Client, given: Assignment) -> None:
    page = text_of(teacher.get(at(given, "parts/new/chapter/?game=changchun")))
    offered = re.findall(r'name="chapters" value="([^"]+)"', page)
    form = {"game": "changchun", "chapters": offered[:2]}
    assert teacher.post(at(given, "parts/new/chapter/"), form).status_code == 303
    parts = list(given.parts.order_by("place"))
    assert [(p.kind, p.game, p.data, p.size) for p in parts] == [
        (CHAPTER, "changchun", {"slug": slug}, 0) for slug in offered[:2]
    ]
    answer = teacher.post(at(given, "parts/new/chapter/"), form)
    assert is_marked(text_of(answer), "chapters")
    assert given.parts.count() == 2


def test_a_chapter_that_two_teachers_add_at_once_is_there_once(given: Assignment) -> None:
    for _ in range(2):
        chapter = Part(kind=CHAPTER, game="changsha", data={"slug": "tiles"}, size=0)
        drafting.add(given, [Draft(chapter)])
    assert given.parts.count() == 1


SET_FORM = {"game": "changsha", "level": "2", "size": "4", "sharing": "same", "seed": "7"}


def test_a_set_that_is_the_same_for_all_is_handed_out_at_once(teacher: Client, given: Assignment) -> None:
    form = SET_FORM | {"kinds": ["can-win", "why-not"], "topics": ["win/pair-258"]}
    assert teacher.post(at(given, "parts/new/set/"), form).status_code == 303
    part = given.parts.get()
    assert part.data == {
        "kinds": ["can-win", "why-not"],
        "topics": ["win/pair-258"],
        "level": 2,
        "seed": 7,
        "same": True,
    }
    assert part.questions.count() == part.size == 4
    again = Assignments(classroom=given.classroom)
    teacher.post(at(again, "parts/new/set/"), form)
    assert list(again.parts.get().questions.values_list("form", flat=True)) == list(
        part.questions.values_list("form", flat=True)
    )
    assert "seed 7" in text_of(teacher.get(at(given)))


def test_a_set_that_is_other_for_each_is_handed_out_when_somebody_begins(
    teacher: Client, given: Assignment
) -> None:
    assert teacher.post(at(given, "parts/new/set/"), SET_FORM | {"sharing": "each"}).status_code == 303
    part = given.parts.get()
    assert (part.size, part.questions.count(), part.data["same"]) == (4, 0, False)
    work = working.begin(given, Members(classroom=given.classroom), timezone.now())
    assert work.questions.count() == work.total == 4


@pytest.mark.parametrize("sharing", ["same", "each"])
def test_where_there_are_fewer_questions_it_is_said_and_stored(
    teacher: Client, given: Assignment, sharing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = handing.made
    monkeypatch.setattr(handing, "made", lambda *asked: made(*asked)[:2])
    teacher.post(at(given, "parts/new/set/"), SET_FORM | {"sharing": sharing})
    assert given.parts.get().size == 2
    assert "no more than 2" in text_of(teacher.get(at(given)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"size": "0"}, "size"),
        ({"size": "51"}, "size"),
        ({"size": "many"}, "size"),
        ({"level": "6"}, "level"),
        ({"seed": "-1"}, "seed"),
        ({"seed": "1000000000"}, "seed"),
        ({"seed": ""}, "seed"),
        ({"sharing": "some"}, "sharing"),
        ({"kinds": ["no-kind"]}, "kinds"),
        ({"topics": ["win/nothing"]}, "topics"),
        ({"kinds": ["payment"], "topics": ["win/shape"]}, "topics"),
    ],
)
def test_a_set_that_cant_be_is_said_at_its_field(
    teacher: Client, given: Assignment, changes: dict[str, Any], field: str, language: str
) -> None:
    answer = teacher.post(at(given, "parts/new/set/", language), SET_FORM | changes)
    assert answer.status_code == 200
    assert is_marked(text_of(answer), field)
    assert not Part.objects.exists()


def test_too_many_rules_are_refused(teacher: Client, given: Assignment) -> None:
    page = text_of(teacher.get(at(given, "parts/new/set/?game=changsha")))
    topics = re.findall(r'name="topics" value="([^"]+)"', page)
    assert len(topics) > handing.MOST_TOPICS
    answer = teacher.post(at(given, "parts/new/set/"), SET_FORM | {"topics": topics})
    assert is_marked(text_of(answer), "topics")


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("changsha/can-win/3/84210", "changsha/can-win/3/84210"),
        ("https://x.org/en/puzzles/changsha/can-win/3/84210/", "changsha/can-win/3/84210"),
        (
            "/zh-hans/puzzles/changsha/can-win/3/84210/?option=birds=4",
            "changsha/can-win/3/84210?option=birds=4",
        ),
        (" https://x.org/en/puzzles/changsha/picked/rich-in-jiang/ ", RICH),
        ("http://[", "http://["),
    ],
)
def test_an_address_names_a_puzzle(text: str, id: str) -> None:
    assert id_of(text) == id


def test_puzzles_are_added_by_ticks_and_by_address(teacher: Client, given: Assignment) -> None:
    page = text_of(teacher.get(at(given, "parts/new/puzzle/?game=changsha")))
    assert f'value="{RICH}"' in page
    form = {"game": "changsha", "picked": [RICH], "address": "http://h/en/puzzles/changchun/waits/2/5/"}
    assert teacher.post(at(given, "parts/new/puzzle/"), form).status_code == 303
    questions = handing.questions_of(given, None)
    assert [q.puzzle for q in questions] == [RICH, "changchun/waits/2/5"]
    assert [(p.kind, p.size, p.game) for p in given.parts.order_by("place")] == [
        (PUZZLE, 1, "changsha"),
        (PUZZLE, 1, "changchun"),
    ]


@pytest.mark.parametrize(
    ("of_class", "id", "options"),
    [
        ({}, "changsha/score/2/5", {}),
        ({}, "changsha/score/2/5?option=birds=4", {"birds": "4"}),
        ({"changsha": {"birds": "4"}}, "changsha/score/2/5?option=birds=4", {}),
        ({"changsha": {"birds": "4"}}, "changsha/score/2/5", {}),
    ],
)
def test_house_rules_of_a_puzzle_are_kept_where_the_class_plays_otherwise(
    shelved: None, of_class: dict[str, Any], id: str, options: dict[str, str]
) -> None:
    classroom = Classrooms(options=of_class)
    assert drafting.for_class(id, classroom, stock()).options == options


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({}, "picked"),
        ({"picked": ["changsha/picked/nothing"]}, "picked"),
        ({"address": "hello"}, "address"),
        ({"address": "changsha/can-win/9/1"}, "address"),
        ({"address": "changsha/can-win/2/1?option=birds=99"}, "address"),
        ({"address": "x" * 2000}, "address"),
        ({"address": "\u0000"}, "address"),
    ],
)
def test_a_puzzle_that_there_is_not_is_said(
    teacher: Client, given: Assignment, form: dict[str, Any], field: str, language: str
) -> None:
    answer = teacher.post(at(given, "parts/new/puzzle/", language), {"game": "changsha", **form})
    assert answer.status_code == 200
    assert is_marked(text_of(answer), field)
    assert not Part.objects.exists()


BOTH_BIRDS = "changsha/picked/birds-on-both"


@pytest.mark.parametrize(
    ("language", "title", "shut", "said"),
    [
        (
            "en",
            "Two birds land",
            "not by this class's table rules",
            "By this class's table rules “{}” can't be asked. Untick it.",
        ),
        (
            "zh-hans",
            "两只鸟都落了",
            "这个班的桌上规矩不能出",
            "按这个班的桌上规矩，“{}”不能出。请取消勾选。",
        ),
    ],
)
def test_a_picked_puzzle_that_the_table_rules_rule_out_is_shut_and_called_by_its_title(
    shelved: None, language: str, title: str, shut: str, said: str
) -> None:
    classroom = Classrooms(options={"changsha": {"birds": "0"}})
    given, teacher = Assignments(classroom=classroom), client_of(teacher_of(classroom))
    address = at(given, "parts/new/puzzle/", language)
    boxes = {
        box["value"]: box
        for box in read(teacher.get(f"{address}?game=changsha").content.decode()).all("input")
        if box.get("name") == "picked"
    }
    assert "disabled" in boxes[BOTH_BIRDS].attributes
    assert shut in text_of(teacher.get(f"{address}?game=changsha"))
    assert "disabled" not in boxes[RICH].attributes
    answer = teacher.post(address, {"game": "changsha", "picked": [BOTH_BIRDS, RICH]})
    assert said.format(title) in text_of(answer)
    tree = read(answer.content.decode())
    again = {box["value"]: box for box in tree.all("input") if box.get("name") == "picked"}
    assert "disabled" not in again[BOTH_BIRDS].attributes  # or it couldn't be unticked
    assert not Part.objects.exists()


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Rich in 2s, 5s and 8s"), ("zh-hans", "将多得用不完")]
)
def test_a_picked_puzzle_keeps_its_title_in_the_language_of_the_class(
    shelved: None, language: str, title: str
) -> None:
    classroom = Classrooms(language=language)
    given, teacher = Assignments(classroom=classroom), client_of(teacher_of(classroom))
    form = {"game": "changsha", "picked": [RICH]}
    assert teacher.post(at(given, "parts/new/puzzle/"), form).status_code == 303
    assert Question.objects.get().title == title
    for rest in ("", "preview/1/", "worksheet/"):
        tree = read(teacher.get(at(given, rest)).content.decode())
        assert title in tree.all("main")[0].text


def test_a_class_of_one_game_takes_no_puzzle_of_another(shelved: None) -> None:
    with pytest.raises(RefusedError, match="Changsha"):
        drafting.for_class(RICH, Classrooms(game="changchun"), stock())


@pytest.mark.parametrize(
    "rest", ["parts/new/nothing/", "parts/new/set/?game=nowhere", "preview/1/", "preview/0/"]
)
def test_what_there_is_not_is_not_found(teacher: Client, given: Assignment, rest: str) -> None:
    assert teacher.get(at(given, rest)).status_code == 404


def test_parts_are_moved(teacher: Client, given: Assignment) -> None:
    parts = [add_puzzle(given, RICH) for _ in range(3)]
    for row, to, then in ((0, "up", (0, 1, 2)), (0, "down", (1, 0, 2)), (2, "up", (1, 2, 0))):
        answer = teacher.post(at(given, f"parts/{parts[row].pk}/move/"), {"to": to})
        assert list(given.parts.order_by("place", "pk")) == [parts[n] for n in then]
        assert teacher.get(answer["Location"]).content.decode().count(" autofocus") == 1


def test_a_part_taken_out_leaves_the_answers_to_those_who_gave_them(
    teacher: Client, given: Assignment
) -> None:
    first, second = add_set(given, size=2), add_set(given, size=2)
    student = Members(classroom=given.classroom)
    work = answered(student, given, [True, True, True, False])
    idle = answered(Members(classroom=given.classroom), given, [])
    asked = text_of(teacher.get(at(given, f"parts/{first.pk}/remove/")))
    assert "1 student has answered here" in asked
    assert given.parts.count() == 2
    assert teacher.post(at(given, f"parts/{first.pk}/remove/")).status_code == 303
    for one, counts in ((work, (2, 2, 1)), (idle, (2, 0, 0))):
        one.refresh_from_db()
        assert (one.total, one.answered, one.right) == counts
    assert work.finished
    kept = Attempt.objects.filter(learner=student.learner)
    assert kept.count() == 4
    assert kept.filter(asked=None).count() == 2
    assert list(given.parts.all()) == [second]
    # Another teacher presses a moment later.
    assert teacher.post(at(given, f"parts/{first.pk}/remove/")).status_code == 303
    assert teacher.get(at(given, f"parts/{first.pk}/remove/")).status_code == 303


@pytest.mark.parametrize("sharing", ["same", "each"])
def test_a_set_added_later_becomes_part_of_what_was_begun(
    teacher: Client, given: Assignment, sharing: str
) -> None:
    add_set(given, size=1)
    works = [answered(Members(classroom=given.classroom), given, rights) for rights in ([True], [])]
    form = SET_FORM | {"sharing": sharing}
    answer = teacher.post(at(given, "parts/new/set/"), form)
    assert is_marked(text_of(answer), "sure")
    assert "2 students have begun" in text_of(answer)
    assert given.parts.count() == 1
    assert teacher.post(at(given, "parts/new/set/"), form | {"sure": "on"}).status_code == 303
    for work, count in zip(works, (1, 0), strict=True):
        work.refresh_from_db()
        assert (work.total, work.answered, work.finished) == (5, count, None)
        assert len(handing.questions_of(given, work)) == 5
        assert work.questions.count() == (4 if sharing == "each" else 0)
    if sharing == "each":
        forms = [tuple(work.questions.values_list("form", flat=True)) for work in works]
        assert forms[0] != forms[1]


# Trying it


def everything() -> list[Any]:
    tables = (Attempt, Work, Question, Part, Progress, Card, Assignment)
    return [list(table.objects.order_by("pk").values()) for table in tables]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_preview_is_answered_for_nothing(teacher: Client, given: Assignment, language: str) -> None:
    add_set(given, size=1, kinds=["can-win"])
    add_set(given, game="changchun", size=2, same=False, kinds=["can-win"])
    before = everything()
    for number in (1, 2, 3):
        address = at(given, f"preview/{number}/", language)
        body = teacher.get(address).content.decode()
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', body))
        assert body.count("preview/") >= 2
        assert "/embed/" not in body  # it is found nowhere else
        told = set()
        for value in ("yes", "no"):
            answer = teacher.post(address, {**fields, "a": value})
            assert answer.status_code == 200
            found = re.search(r'class="feedback (right|wrong)"', answer.content.decode())
            assert found is not None
            told.add(found[1])
        assert told == {"right", "wrong"}
        assert 'class="hints"' in teacher.post(address, {**fields, "do": "hint"}).content.decode()
        assert "feedback told" in teacher.post(address, {**fields, "do": "solution"}).content.decode()
        part = teacher.post(address, {**fields, "a": "yes"}, headers={"HX-Request": "true"}).content.decode()
        assert part.lstrip().startswith('<div class="lessons puzzle')
        other = teacher.post(address, {**fields, "form": "another", "a": "yes"}).content.decode()
        assert 'class="feedback right"' not in other
        assert 'class="feedback wrong"' not in other
    assert everything() == before


def test_a_preview_says_that_a_sample_is_one_and_goes_on_to_the_next(
    teacher: Client, given: Assignment
) -> None:
    add_set(given, size=1)
    add_set(given, size=2, same=False)
    bodies = [text_of(teacher.get(at(given, f"preview/{n}/"))) for n in (1, 2, 3)]
    assert ["sample" in body for body in bodies] == [False, True, True]
    assert [at(given, f"preview/{n + 1}/") in bodies[n - 1] for n in (1, 2)] == [True, True]
    assert teacher.get(at(given, "preview/4/")).status_code == 404
    samples = {re.search(r'name="form" value="(\w+)"', body)[1] for body in bodies[1:]}  # type: ignore[index]
    assert len(samples) == 2


def test_a_preview_has_hints_where_the_assignment_has(teacher: Client, given: Assignment) -> None:
    add_set(given, size=1)
    assert 'value="hint"' in text_of(teacher.get(at(given, "preview/1/")))
    Assignment.objects.update(has_hints=False)
    assert 'value="hint"' not in text_of(teacher.get(at(given, "preview/1/")))


def test_a_question_that_cant_be_asked_any_more_is_said(teacher: Client, given: Assignment) -> None:
    part = add_puzzle(given, RICH)
    part.questions.update(kind="no-such-kind")
    assert "can't be asked any more" in text_of(teacher.get(at(given, "preview/1/")))


def test_a_class_s_table_rules_stand_on_its_assignments_and_questions(shelved: None) -> None:
    classroom = Classrooms(options={"changsha": {"birds": "4"}})
    given = Assignments(classroom=classroom)
    add_set(given, size=1)
    teacher = client_of(teacher_of(classroom))
    for rest in ("", "preview/1/", "parts/new/set/?game=changsha", "parts/own/?game=changsha"):
        assert "At this table" in text_of(teacher.get(at(given, rest)))


@pytest.mark.parametrize(
    ("is_same", "tries", "reveal", "is_said"),
    [
        (True, 3, AT_ONCE, True),
        (True, 0, AT_ONCE, True),
        (True, 1, AT_ONCE, False),
        (True, 3, BY_HAND, False),
        (False, 3, AT_ONCE, False),
    ],
)
def test_that_a_second_try_knows_the_answers_is_said_where_it_does(
    teacher: Client, given: Assignment, is_same: bool, tries: int, reveal: str, is_said: bool
) -> None:
    add_set(given, same=is_same)
    Assignment.objects.update(tries=tries, reveal=reveal)
    for rest in ("", "edit/"):
        assert ("are known on a second try" in text_of(teacher.get(at(given, rest)))) == is_said


def test_rules_are_ticked_in_the_groups_of_the_rulebook(teacher: Client, given: Assignment) -> None:
    tree = read(teacher.get(at(given, "parts/new/set/?game=changsha")).content.decode())
    groups = {
        group.all("legend")[0].text: [box["value"] for box in group.all("input")]
        for group in tree.all("fieldset", "box-group")
    }
    assert list(groups) == [KIND_NAMES[kind].en for kind in KINDS]
    for kind, values in zip(KINDS, groups.values(), strict=True):
        assert values
        assert all(value.startswith(f"{kind}/") for value in values)
    every = [box["value"] for box in tree.all("input") if box.get("name") == "topics"]
    assert sorted(every) == sorted(value for values in groups.values() for value in values)


# Who has done it, and what is taken along


def test_whoever_has_read_the_chapters_has_finished_too(teacher: Client, given: Assignment) -> None:
    chapter = stock().chapters(rules.rulesets()["changsha"])[0]
    drafting.add(given, [Draft(Part(kind=CHAPTER, game="changsha", data={"slug": chapter.slug}, size=0))])
    one, other, _ = (Members(classroom=given.classroom) for _ in range(3))
    page = at(given)
    assert "3 students: 0 begun, 0 finished." in text_of(teacher.get(page))
    Progress.objects.create(learner=one.learner, place=chapter.place, is_done=True, at=START)
    assert "3 students: 1 begun, 1 finished." in text_of(teacher.get(page))
    add_set(given, size=2)
    answered(one, given, [True, False])
    answered(other, given, [True, True])
    assert "3 students: 2 begun, 1 finished." in text_of(teacher.get(page))


@pytest.mark.parametrize("archived", [None, START])
def test_an_assignment_leads_to_what_is_printed_and_exported(
    teacher: Client, given: Assignment, archived: datetime | None
) -> None:
    Classroom.objects.update(archived=archived)
    links = [
        link["href"]
        for link in read(teacher.get(at(given)).content.decode()).all("a")
        if "href" in link.attributes
    ]
    assert links.count(at(given, "take/")) == 1
    taken = read(teacher.get(at(given, "take/")).content.decode())
    assert [heading.text for heading in taken.all("h1")] == ["Print or export"]


def test_students_to_give_more_time_stand_in_the_order_of_their_pinyin(
    teacher: Client, given: Assignment
) -> None:
    Assignment.objects.update(due=timezone.now() + HOUR)
    for name in ("张三", "Bea", "李四", "阿明", "王五", "ann"):
        Members(classroom=given.classroom, name=name)
    tree = read(teacher.get(at(given)).content.decode())
    (select,) = [e for e in tree.all("select") if e.get("name") == "member"]
    names = [option.text for option in select.all("option")]
    assert names == ["Choose a student", "ann", "Bea", "阿明", "李四", "王五", "张三"]


# Copies, and the end


def test_a_copy_is_a_draft_without_dates_that_asks_the_same(teacher: Client, given: Assignment) -> None:
    now = timezone.now()
    Assignment.objects.update(
        due=now, revealed=now, reveal=BY_HAND, late=HALF, tries=3, pass_mark=50, has_hints=False
    )
    given.refresh_from_db()
    shared, each = add_set(given), add_set(given, same=False)
    add_puzzle(given, RICH)
    Part.objects.create(assignment=given, place=3, kind=CHAPTER, game="changsha", data={"slug": "x"}, size=0)
    answered(Members(classroom=given.classroom), given, [True])
    form = {"title": "Again", "into": given.classroom_id}
    answer = teacher.post(at(given, "duplicate/"), form)
    made = Assignment.objects.latest("pk")
    assert answer["Location"] == at(made)
    assert (made.title, made.opens, made.due, made.revealed, made.place) == ("Again", None, None, None, 1)
    assert (made.late, made.tries, made.pass_mark, made.has_hints, made.reveal) == (
        HALF,
        3,
        50,
        False,
        BY_HAND,
    )

    def asked(one: Assignment) -> list[Any]:
        parts = one.parts.order_by("place")
        return [
            (p.kind, p.game, p.data, p.size, list(p.questions.filter(work=None).values_list("form", "node")))
            for p in parts
        ]

    assert asked(made) == asked(given)
    assert not made.works.exists()
    assert given.works.count() == 1
    assert {shared.assignment_id, each.assignment_id} == {given.pk}
    assert Part.objects.count() == 8


def test_a_copy_goes_into_another_class_of_the_same_teacher_alone(
    given: Assignment, classroom: Classroom
) -> None:
    me = teacher_of(classroom)
    mine, foreign, archived, one_game = (
        Classrooms(),
        Classrooms(),
        Classrooms(archived=timezone.now()),
        Classrooms(game="changchun"),
    )
    student_in = Classrooms()
    for other in (mine, archived, one_game):
        Members(classroom=other, learner=me.learner, is_teacher=True)
    Members(classroom=student_in, learner=me.learner)
    add_puzzle(given, RICH)
    client = client_of(me)
    for into in (foreign, archived, one_game, student_in):
        answer = client.post(at(given, "duplicate/"), {"title": "Copy", "into": into.pk})
        assert answer.status_code == 200
        assert is_marked(text_of(answer), "into")
    assert Assignment.objects.count() == 1
    assert client.post(at(given, "duplicate/"), {"title": "Copy", "into": mine.pk}).status_code == 303
    made = mine.assignments.get()
    assert [q.puzzle for q in handing.questions_of(made, None)] == [RICH]


def test_deleting_says_what_goes_and_leaves_the_answers_told(teacher: Client, given: Assignment) -> None:
    Assignment.objects.update(reveal=BY_HAND)
    given.refresh_from_db()
    add_set(given)
    answered(Members(classroom=given.classroom), given, [True, False])
    body = text_of(teacher.get(at(given, "delete/")))
    assert "1 student has begun it" in body
    assert Assignment.objects.exists()
    assert teacher.post(at(given, "delete/")).status_code == 303
    assert not Assignment.objects.exists()
    assert not Work.objects.exists()
    assert list(Attempt.objects.values_list("visible", "work")) == [(None, None)] * 2
    assert teacher.post(at(given, "delete/")).status_code == 404


# Two teachers at once


@pytest.mark.usefixtures("transactional_db")
def test_two_teachers_who_press_at_once_stay_out_of_each_others_way() -> None:
    classroom = Classrooms()
    given = Assignments(classroom=classroom)
    rows = [Assignments(classroom=classroom, place=n) for n in range(1, 4)]
    clients = [client_of(teacher_of(classroom)) for _ in range(2)]
    cache.clear()

    def codes(*presses: Callable[[Client], Any]) -> list[object]:
        made = [
            lambda c=client, p=press: p(c).status_code for client, press in zip(clients, presses, strict=True)
        ]
        return at_once(*made)

    chapters = [lambda c, n=n: drafted(c, given, n) for n in range(2)]
    assert codes(*chapters) == [303, 303]
    assert sorted(given.parts.values_list("place", flat=True)) == [0, 1]
    moves = [lambda c, n=n: c.post(at(rows[n], "move/"), {"to": "up"}) for n in (1, 2)]
    assert codes(*moves) == [303, 303]
    places = sorted(classroom.assignments.values_list("place", flat=True))
    assert places == [0, 1, 2, 3]
    part = given.parts.first()
    assert part is not None
    removes = [lambda c: c.post(at(given, f"parts/{part.pk}/remove/"))] * 2
    assert codes(*removes) == [303, 303]
    assert given.parts.count() == 1
    new = f"/en/classes/{classroom.pk}/assignments/new/"
    assert codes(*[lambda c: c.post(new, {"title": "New"})] * 2) == [303, 303]
    assert sorted(classroom.assignments.values_list("place", flat=True)) == [0, 1, 2, 3, 4, 5]
    deletes = codes(*[lambda c: c.post(at(given, "delete/"))] * 2)
    assert sorted(map(str, deletes)) in (["303", "404"], ["303", "303"])


def drafted(client: Client, given: Assignment, n: int) -> Any:
    return client.post(at(given, "parts/own/"), OWN_FORM | {"hardness": str(n + 1)})


OWN_FORM = {
    "game": "changsha",
    "ask": "waits",
    "hand": "22m 77p 123m 456p 678s",
    "claim": "7p",
    "prompt": "",
    "shown": "1",
    "by": "discard",
    "seat": "1",
    "from": "0",
}


def test_moving_what_is_gone_changes_nothing(given: Assignment) -> None:
    rows = [Assignments(classroom=given.classroom, place=n) for n in range(2)]
    editing.move(rows, 0, "up")
    assert [row.place for row in rows] == [0, 1]
