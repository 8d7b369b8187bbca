"""A student's work in a class: begun, answered, interrupted, late, told or not told yet."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests import school
from tests.school import Assignments, Members, add_set, answered, client_of
from tests.test_levels import tree_of
from tests.test_practice import assert_sound
from tutor.classes import dates, handing, working
from tutor.classes.models import (
    AFTER_DUE,
    BY_HAND,
    CHAPTER,
    HALF,
    LATE,
    REFUSED,
    Assignment,
    Board,
    Extension,
    Member,
    Part,
    Work,
)
from tutor.content.levels import Level
from tutor.people.models import Progress
from tutor.practice import record
from tutor.practice.models import Attempt
from tutor.puzzles.puzzle import NoPuzzleError, Puzzle

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shelved")]
NOW = datetime(2026, 3, 10, 12, 0, tzinfo=school.START.tzinfo)
Clock = Callable[[datetime], None]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Sets what time it is."""

    def at(moment: datetime) -> None:
        monkeypatch.setattr(timezone, "now", lambda: moment)

    at(NOW)
    return at


def given(size: int = 3, **more: Any) -> tuple[Member, Assignment]:
    """A student, and an assignment with a set of questions."""
    student = Members()
    assignment = Assignments(classroom=student.classroom, **more)
    add_set(assignment, size=size)
    return student, assignment


def add_chapter(assignment: Assignment) -> None:
    Part.objects.create(
        assignment=assignment, place=1, kind=CHAPTER, game="changsha", data={"slug": "birds"}, size=0
    )


def work_page(assignment: Assignment, language: str = "en") -> str:
    return f"/{language}/classes/{assignment.classroom_id}/work/{assignment.pk}/"


def page_of(work: Work, number: int) -> str:
    return f"{work_page(work.assignment)}{work.number}/{number}/"


def puzzle_of(work: Work, number: int) -> Puzzle:
    question = handing.questions_of(work.assignment, work)[number - 1]
    return handing.asked_by(question, work.assignment.classroom)


def wrong(level: Level) -> frozenset[str]:
    return next(one for offer in level.offers if not level.is_right(one := frozenset({offer.value})))


def give(client: Client, work: Work, number: int, *, right: bool = True, **more: Any) -> HttpResponse:
    puzzle = puzzle_of(work, number)
    answer = puzzle.level.rights[0] if right else wrong(puzzle.level)
    data = {"puzzle": puzzle.id, "form": puzzle.form, "a": sorted(answer), "do": "answer", **more}
    return client.post(page_of(work, number), data)


def test_a_student_begins_and_answers_and_it_is_counted() -> None:
    student, assignment = given()
    client = client_of(student)
    begun = client.post(work_page(assignment))
    work = Work.objects.get()
    assert begun["Location"] == page_of(work, 1)
    assert "1 of 3" in tree_of(client.get(page_of(work, 1))).text
    for number, right in ((1, True), (2, False), (3, True)):
        assert give(client, work, number, right=right)["Location"] == page_of(work, number)
    work.refresh_from_db()
    assert (work.total, work.answered, work.right, work.points, work.late) == (3, 3, 2, 4, 0)
    assert work.finished is not None
    attempts = Attempt.objects.order_by("number")
    assert [a.is_right for a in attempts] == [True, False, True]
    assert {(a.classroom_id, a.work_id, a.visible) for a in attempts} == {
        (assignment.classroom_id, work.pk, None)
    }
    page = tree_of(client.get(work_page(assignment))).text
    assert "3 of 3 done" in page
    assert "66%" in page


def test_work_goes_on_where_it_was_interrupted() -> None:
    student, assignment = given()
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    give(client, work, 1)
    assert client_of(student).post(work_page(assignment))["Location"] == page_of(work, 2)
    assert Work.objects.count() == 1


def test_the_first_answer_counts_whatever_is_sent_after_it() -> None:
    student, assignment = given()
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    give(client, work, 1, right=False)
    assert "answered already" in give(client, work, 1).content.decode()
    work.refresh_from_db()
    assert (work.answered, work.right) == (1, 0)


def test_answers_of_a_class_are_part_of_the_learner_s_own_record() -> None:
    student, assignment = given()
    answered(student, assignment, [True, True, False])
    found = record.record(student.learner_id, timezone.now())
    assert found is not None
    assert found.answers == 3


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("reveal", [AFTER_DUE, BY_HAND])
def test_nothing_tells_what_is_right_before_it_is_time(reveal: str, language: str, clock: Clock) -> None:
    student, assignment = given(reveal=reveal, due=NOW + timedelta(hours=1))
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    pages = []
    for number, right in ((1, True), (2, False), (3, False)):
        give(client, work, number, right=right)
        pages.append(client.get(page_of(work, number).replace("/en/", f"/{language}/")))
    pages.append(client.get(work_page(assignment, language)))
    pages.append(client.get(f"/{language}/classes/{assignment.classroom_id}/"))
    for page in pages:
        tree = tree_of(page)
        assert_sound(tree, language)
        assert not tree.all("div", "verdict-line")
        assert not tree.all("p", "verdict-line")
        assert not tree.all("li", "right")
        assert not tree.all("li", "wrong")
        assert "33%" not in tree.text
    assert record.record(student.learner_id, NOW + timedelta(minutes=5)) is None
    copy = b"".join(client.get("/en/account/data/").streaming_content).decode()
    assert '"right": true' not in copy
    assert '"right": false' not in copy


def test_it_is_told_once_the_last_who_has_more_time_is_due(clock: Clock) -> None:
    due = NOW + timedelta(hours=1)
    student, assignment = given(reveal=AFTER_DUE, due=due)
    later = Members(classroom=student.classroom)
    Extension.objects.create(assignment=assignment, member=later, due=due + timedelta(days=1))
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    give(client, work, 1)
    for moment, is_told in (
        (due, False),
        (due + timedelta(minutes=1), False),
        (due + timedelta(days=1), False),
        (due + timedelta(days=1, minutes=1), True),
    ):
        clock(moment)
        tree = tree_of(client.get(page_of(work, 1)))
        assert bool(tree.all("p", "verdict-line")) is is_told
        assert bool(tree_of(client.get(work_page(assignment))).all("li", "right")) is is_told
        assert (record.record(student.learner_id, moment) is not None) is is_told


def test_an_answer_is_handed_in_and_a_look_at_the_solution_counts_as_wrong() -> None:
    student = Members()
    assignment = Assignments(classroom=student.classroom)
    add_set(assignment, size=2, kinds=["waits"])
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    buttons = {b.get("value"): b for b in tree_of(client.get(page_of(work, 1))).all("button")}
    assert buttons["answer"].text == "Hand in this answer"
    warned = tree_of(client.get(page_of(work, 1))).by_id(buttons["solution"]["aria-describedby"])
    assert warned.text == "If you look at the solution, this question counts as wrong."
    puzzle = puzzle_of(work, 1)
    client.post(page_of(work, 1), {"puzzle": puzzle.id, "form": puzzle.form, "do": "solution"})
    shown = tree_of(client.get(page_of(work, 1)))
    assert "so this question counts as wrong" in shown.all("div", "feedback")[0].text
    assert not [p for p in shown.all("p") if p.get("id") == "solution-counts"]
    assert Attempt.objects.get().is_right is False
    give(client, work, 2)
    assert "counts as wrong" not in tree_of(client.get(page_of(work, 2))).text


def test_hints_and_solution_are_not_had_where_the_assignment_says_so(clock: Clock) -> None:
    student, assignment = given(has_hints=False, reveal=BY_HAND)
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    assert not [
        b
        for b in tree_of(client.get(page_of(work, 1))).all("button")
        if b.get("value") in ("hint", "solution")
    ]
    puzzle = puzzle_of(work, 1)
    for do in ("hint", "solution"):
        page = client.post(page_of(work, 1), {"puzzle": puzzle.id, "form": puzzle.form, "do": do})
        assert not tree_of(page).all("ol", "hints")
    assert not Attempt.objects.filter(at__isnull=False).exists()
    give(client, work, 1, hints="3")
    assert Attempt.objects.get().help == 0


LATENESS = [
    # policy, minutes after the due date, minutes of extension, kept, late, points of one right answer
    (LATE, 0, 0, True, 0, 2),
    (LATE, 0.9, 0, True, 0, 2),
    (LATE, 1, 0, True, 1, 2),
    (LATE, 600, 0, True, 1, 2),
    (HALF, 0, 0, True, 0, 2),
    (HALF, 1, 0, True, 1, 1),
    (HALF, 30, 60, True, 0, 2),
    (HALF, 61, 60, True, 1, 1),
    (REFUSED, 0.9, 0, True, 0, 2),
    (REFUSED, 1, 0, False, 0, 0),
    (REFUSED, 60, 60, True, 0, 2),
    (REFUSED, 61, 60, False, 0, 0),
]


@pytest.mark.parametrize(("policy", "after", "more", "is_kept", "late", "points"), LATENESS)
def test_late_answers_are_taken_as_the_assignment_says(
    policy: str, after: float, more: int, is_kept: bool, late: int, points: int, clock: Clock
) -> None:
    due = NOW + timedelta(hours=1)
    student, assignment = given(late=policy, due=due)
    if more:
        Extension.objects.create(assignment=assignment, member=student, due=due + timedelta(minutes=more))
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    clock(due + timedelta(minutes=after))
    response = give(client, work, 1)
    assert Attempt.objects.filter(at__isnull=False).exists() is is_kept
    if not is_kept:
        assert "was not kept" in response.content.decode()
    work.refresh_from_db()
    assert (work.answered, work.late, work.points) == (int(is_kept), late, points)


def test_more_time_given_afterwards_makes_a_late_answer_one_in_time(clock: Clock) -> None:
    due = NOW + timedelta(hours=1)
    student, assignment = given(late=HALF, due=due)
    work = answered(student, assignment, [True, True, True], at=due)
    work.refresh_from_db()
    assert (work.late, work.points) == (3, 3)
    Extension.objects.create(assignment=assignment, member=student, due=due + timedelta(minutes=2))
    working.recount(assignment)
    work.refresh_from_db()
    assert (work.late, work.points, work.right) == (1, 5, 3)


@pytest.mark.parametrize(("tries", "allowed"), [(1, 1), (2, 2), (0, 4)])
def test_there_are_as_many_tries_as_were_given_and_the_best_counts(tries: int, allowed: int) -> None:
    student, assignment = given(tries=tries)
    client = client_of(student)
    for number in range(1, allowed + 1):
        assert client.post(work_page(assignment)).status_code == 303
        work = Work.objects.get(number=number)
        for question in (1, 2, 3):
            give(client, work, question, right=number == 1)
    again = client.post(work_page(assignment))
    assert again.status_code == (404 if tries else 303)
    assert Work.objects.count() == (allowed if tries else allowed + 1)
    assert "100%" in tree_of(client.get(f"/en/classes/{assignment.classroom_id}/")).text


def test_a_second_press_begins_no_second_try() -> None:
    student, assignment = given(tries=0)
    client = client_of(student)
    assert client.post(work_page(assignment))["Location"] == client.post(work_page(assignment))["Location"]
    assert Work.objects.count() == 1


def test_a_set_is_the_same_for_all_or_another_for_each() -> None:
    student, assignment = given()
    other = Members(classroom=student.classroom)
    add_set(assignment, size=3, same=False)
    forms = []
    for who in (student, other):
        client_of(who).post(work_page(assignment))
        work = Work.objects.get(member=who)
        forms.append([q.form for q in handing.questions_of(assignment, work)])
        assert work.total == 6
        assert len(set(forms[-1])) == 6
    assert forms[0][:3] == forms[1][:3]
    assert not set(forms[0][3:]) & set(forms[1][3:])


def test_questions_stay_as_they_were_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    student, assignment = given()
    client = client_of(student)
    client.post(work_page(assignment))
    before = [puzzle_of(Work.objects.get(), n).form for n in (1, 2, 3)]
    monkeypatch.setattr(handing, "made", lambda *given: [])
    assert [puzzle_of(Work.objects.get(), n).form for n in (1, 2, 3)] == before


def test_the_class_s_house_rules_apply_and_are_shown() -> None:
    student, assignment = given()
    room = student.classroom
    room.options = {"changchun": {"jiahu": "shape"}}
    room.save()
    add_set(assignment, game="changchun", size=1)
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    assert puzzle_of(work, 4).options == {"jiahu": "shape"}
    assert "At this table" in tree_of(client.get(page_of(work, 4))).text
    assert "At this table" in tree_of(client.get(f"/en/classes/{room.pk}/")).text


def test_a_chapter_counts_once_it_is_read_to_the_end_or_solved() -> None:
    student, assignment = given(size=1, pass_mark=50)
    add_chapter(assignment)
    client = client_of(student)
    home = f"/en/classes/{assignment.classroom_id}/"
    assert "0 of 2 done" in tree_of(client.get(home)).text
    client.post("/en/learn/changsha/birds/", {"do": "read"})
    assert "1 of 2 done" in tree_of(client.get(home)).text
    client.post(work_page(assignment))
    give(client, Work.objects.get(), 1, right=False)
    page = tree_of(client.get(home)).text
    assert "2 of 2 done" in page
    assert "50%" in page
    assert "passed" in page


def test_who_is_no_student_of_the_class_gets_404_and_nothing_is_kept() -> None:
    student, assignment = given()
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    outside = Members()
    elsewhere = Assignments(classroom=outside.classroom)
    for who in (None, school.Learners(), outside, school.teacher_of(outside.classroom)):
        other = client_of(who)
        for address in (f"/en/classes/{assignment.classroom_id}/", work_page(assignment), page_of(work, 1)):
            assert other.get(address).status_code == 404
            assert other.get(address, headers={"HX-Request": "true"}).status_code == 404
        assert other.post(work_page(assignment)).status_code == 404
        assert give(other, work, 1).status_code == 404
    # Nor does another class's assignment stand under this class's address.
    assert client.get(f"/en/classes/{assignment.classroom_id}/work/{elsewhere.pk}/").status_code == 404
    assert not Attempt.objects.exists()


def test_another_student_s_work_is_not_seen() -> None:
    student, assignment = given()
    other = Members(classroom=student.classroom)
    client_of(student).post(work_page(assignment))
    work = Work.objects.get()
    assert client_of(other).get(page_of(work, 1)).status_code == 404


def test_a_draft_is_not_there_and_what_is_coming_shows_no_question() -> None:
    student, draft = given(opens=None)
    client = client_of(student)
    assert client.get(work_page(draft)).status_code == 404
    assert draft.title not in client.get(f"/en/classes/{draft.classroom_id}/").content.decode()
    coming = Assignments(classroom=student.classroom, opens=timezone.now() + timedelta(days=1))
    add_set(coming)
    assert coming.title in client.get(f"/en/classes/{draft.classroom_id}/").content.decode()
    page = tree_of(client.get(work_page(coming)))
    assert not page.by_id("main").all("form")
    assert client.post(work_page(coming))["Location"] == work_page(coming)
    assert not Work.objects.exists()


@pytest.mark.parametrize("how", ["left", "archived"])
def test_whoever_left_and_whoever_is_in_an_archived_class_answers_no_more(how: str) -> None:
    student, assignment = given()
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    if how == "left":
        Member.objects.filter(pk=student.pk).update(left=timezone.now())
        assert give(client, work, 1).status_code == 404
    else:
        student.classroom.archived = timezone.now()
        student.classroom.save()
        assert "was not kept" in give(client, work, 1).content.decode()
    assert not Attempt.objects.filter(at__isnull=False).exists()


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_in_an_archived_class_nothing_is_to_do_or_late(language: str, clock: Clock) -> None:
    words = {
        "en": "This class is archived: its work can be looked at, not done.",
        "zh-hans": "这个班已归档：作业和成绩还能看，不能再做。",
    }
    student, late = given(due=NOW - timedelta(days=1))
    room = student.classroom
    going = Assignments(classroom=room, due=NOW + timedelta(days=1))
    add_set(going)
    answered(student, going, [True], at=NOW - timedelta(hours=1))
    coming = Assignments(classroom=room, opens=NOW + timedelta(days=2))
    Board.objects.create(
        classroom=room, opened=NOW, game="changsha", kind="can-win", topic="", level=1, node={}, form=""
    )
    client = client_of(student)
    home = f"/{language}/classes/{room.pk}/"
    before = tree_of(client.get(home)).by_id("main")
    assert [a for a in before.all("a") if a["href"] == f"{home}live/now/"]
    assert [one for one in before.all("strong") if one.get("class") == "late"]
    room.archived = NOW
    room.save()
    page = tree_of(client.get(home)).by_id("main")
    assert_sound(tree_of(client.get(home)), language)
    assert [p.text for p in page.all("p")][1] == words[language]
    assert [section["aria-labelledby"] for section in page.all("section")] == ["done"]
    assert [h.text for h in page.all("h3")] == [late.title, going.title]
    assert coming.title not in page.text
    assert not [a for a in page.all("a") if a["href"] == f"{home}live/now/"]
    assert not [one for one in page.all("strong") if one.get("class") == "late"]
    for assignment in (late, going):
        work = tree_of(client.get(work_page(assignment, language))).by_id("main")
        assert words[language] in [p.text for p in work.all("p")]
        assert not work.all("form")
        assert not [one for one in work.all("p") if one.get("class") == "late"]


def test_an_archived_class_in_which_nothing_was_given_says_so() -> None:
    student = Members(classroom=school.Classrooms(archived=NOW))
    page = tree_of(client_of(student).get(f"/en/classes/{student.classroom_id}/"))
    assert "Nothing was given in this class." in page.text
    assert "New work appears here" not in page.text


def test_teachers_see_how_many_have_read_and_answered_all(clock: Clock) -> None:
    student, assignment = given(size=1)
    add_chapter(assignment)
    other = Members(classroom=student.classroom)
    gone = Members(classroom=student.classroom, left=NOW)
    teacher = client_of(school.teacher_of(student.classroom))
    home = f"/en/classes/{student.classroom_id}/"
    for who in (student, other):
        answered(who, assignment, [False])
    assert "0 students have finished" in tree_of(teacher.get(home)).text
    for who in (student, gone):
        Progress.objects.create(learner=who.learner, place="changsha/birds", is_done=True, at=NOW)
    assert "1 student has finished" in tree_of(teacher.get(home)).text


def test_a_teacher_s_list_takes_as_many_queries_for_one_assignment_as_for_twenty() -> None:
    student, assignment = given()
    teacher = client_of(school.teacher_of(student.classroom))
    counts = []
    for more in (1, 19):
        for _ in range(more):
            one = Assignments(classroom=student.classroom)
            add_set(one, size=1)
            answered(Members(classroom=student.classroom), one, [True])
        with CaptureQueriesContext(connection) as seen:
            assert teacher.get(f"/en/classes/{assignment.classroom_id}/").status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_page_says_how_a_chapter_counts_where_there_are_questions_too(language: str) -> None:
    words = {"en": "A chapter read to the end counts as one question.", "zh-hans": "每读完一章算一题。"}
    student, both = given(size=1)
    add_chapter(both)
    chapters = Assignments(classroom=student.classroom)
    add_chapter(chapters)
    questions = Assignments(classroom=student.classroom)
    add_set(questions)
    for assignment, count in ((both, 1), (chapters, 0), (questions, 0)):
        page = tree_of(client_of(student).get(work_page(assignment, language)))
        assert page.text.count(words[language]) == count


def test_a_member_removed_while_an_answer_is_under_way_keeps_nothing_in_the_class(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    student, assignment = given()
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    asked_by = handing.asked_by

    def left_meanwhile(*given: Any) -> Puzzle:
        Member.objects.filter(pk=student.pk).update(left=NOW)
        return asked_by(*given)

    puzzle = puzzle_of(work, 1)
    monkeypatch.setattr(handing, "asked_by", left_meanwhile)
    data = {"puzzle": puzzle.id, "form": puzzle.form, "a": sorted(puzzle.level.rights[0])}
    assert client.post(page_of(work, 1), data).status_code == 404
    assert not Attempt.objects.exists()


def test_a_list_takes_as_many_queries_for_one_assignment_as_for_twenty() -> None:
    student, assignment = given()
    answered(student, assignment, [True])
    client = client_of(student)
    address = f"/en/classes/{assignment.classroom_id}/"

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get(address).status_code == 200
        return len(seen)

    few = queries()
    for _ in range(19):
        more = Assignments(classroom=student.classroom, due=NOW)
        add_set(more, size=2)
        answered(student, more, [True, False])
    assert queries() == few


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_each_page_of_a_student_is_sound(language: str, clock: Clock) -> None:
    student, assignment = given(
        note="Read\n\nfirst.", due=NOW + timedelta(days=1), pass_mark=60, tries=2, late=HALF
    )
    Assignments(classroom=student.classroom, opens=NOW + timedelta(days=2), title="Später")
    closed = Assignments(classroom=student.classroom, due=NOW - timedelta(days=1), late=REFUSED)
    add_set(closed)
    answered(student, assignment, [True, False])
    client = client_of(student)
    for address in (
        f"/{language}/classes/",
        f"/{language}/classes/{assignment.classroom_id}/",
        work_page(assignment, language),
        work_page(closed, language),
        page_of(Work.objects.get(), 3).replace("/en/", f"/{language}/"),
    ):
        assert_sound(tree_of(client.get(address)), language)
    assert_sound(tree_of(Client().get(f"/{language}/classes/")), language)


def test_the_part_that_htmx_gets_is_the_one_in_the_page() -> None:
    student, assignment = given()
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    part = tree_of(client.get(page_of(work, 1), headers={"HX-Request": "true"}))
    assert not part.all("html")
    assert part.by_id("puzzle")


@pytest.mark.parametrize(
    ("opens", "due", "late", "extended", "at", "state"),
    [
        (None, None, LATE, None, 0, dates.DRAFT),
        (1, None, LATE, None, 0, dates.COMING),
        (0, None, LATE, None, 0, dates.OPEN),
        (0, 5, LATE, None, 5, dates.OPEN),
        (0, 5, LATE, None, 6, dates.OVERDUE),
        (0, 5, REFUSED, None, 6, dates.CLOSED),
        (0, 5, REFUSED, 8, 8, dates.OPEN),
        (0, 5, REFUSED, 8, 9, dates.CLOSED),
        (0, 5, REFUSED, 3, 5, dates.OPEN),  # an extension never takes time away
    ],
)
def test_what_an_assignment_is_at_a_minute(
    opens: int | None, due: int | None, late: str, extended: int | None, at: int, state: str
) -> None:
    def minute(n: int | None) -> datetime | None:
        return None if n is None else NOW + timedelta(minutes=n)

    assignment = Assignment(opens=minute(opens), due=minute(due), late=late)
    now = NOW + timedelta(minutes=at)
    assert dates.state_of(assignment, dates.due_of(assignment, minute(extended)), now) == state


@pytest.mark.parametrize("reveal", [BY_HAND, AFTER_DUE])
def test_which_of_several_tries_is_better_is_not_told_before_it_is_time(reveal: str, clock: Clock) -> None:
    seen = set()
    for is_right in (True, False):
        student, assignment = given(reveal=reveal, due=NOW + timedelta(hours=1), tries=0)
        answered(student, assignment, [False, False, False], at=NOW)
        answered(student, assignment, [is_right], at=NOW)
        client = client_of(student)
        for address in (work_page(assignment), f"/en/classes/{assignment.classroom_id}/"):
            page = tree_of(client.get(address)).text
            seen.add((address.replace(str(assignment.pk), ""), "1 of 3 done" in page, "3 of 3 done" in page))
    assert all(one[1] for one in seen)


def test_the_id_of_a_puzzle_that_anybody_can_open_is_in_no_page_and_no_copy(clock: Clock) -> None:
    student, assignment = given(reveal=BY_HAND)
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    give(client, work, 1)
    for question in handing.questions_of(assignment, work):
        for number in (1, 2):
            assert question.puzzle not in client.get(page_of(work, number)).content.decode()
        copy = b"".join(client.get("/en/account/data/").streaming_content).decode()
        assert question.puzzle not in copy


def test_nothing_to_answer_begins_nothing() -> None:
    student = Members()
    empty = Assignments(classroom=student.classroom)
    Part.objects.create(assignment=empty, kind=CHAPTER, game="changsha", data={"slug": "birds"}, size=0)
    client = client_of(student)
    assert client.post(work_page(empty))["Location"] == work_page(empty)
    assert "no question to answer" in client.get(work_page(empty)).content.decode()
    part = add_set(empty, size=1)
    client.post(work_page(empty))
    part.delete()
    working.recount(empty)
    assert client.post(work_page(empty))["Location"] == work_page(empty)
    assert Work.objects.get().total == 0


def test_a_question_taken_out_while_it_is_answered_is_404_and_keeps_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    student, assignment = given()
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    puzzle = puzzle_of(work, 1)
    asked_by = handing.asked_by

    def taken_out_meanwhile(*given: Any) -> Puzzle:
        found = asked_by(*given)
        assignment.parts.all().delete()
        return found

    monkeypatch.setattr(handing, "asked_by", taken_out_meanwhile)
    data = {"puzzle": puzzle.id, "form": puzzle.form, "a": sorted(puzzle.level.rights[0])}
    assert client.post(page_of(work, 1), data).status_code == 404
    assert not Attempt.objects.exists()


def test_what_can_t_be_asked_any_more_counts_in_nothing_until_it_can_be_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    student, assignment = given(pass_mark=100)
    client = client_of(student)
    client.post(work_page(assignment))
    work = Work.objects.get()
    gone = handing.questions_of(assignment, work)[1].pk
    asked_by = handing.asked_by

    def by_other_rules(kept: Any, classroom: Any) -> Puzzle:
        if kept.pk == gone:
            raise NoPuzzleError
        return asked_by(kept, classroom)

    with monkeypatch.context() as patch:
        patch.setattr(handing, "asked_by", by_other_rules)
        assert "can't be asked any more" in tree_of(client.get(page_of(work, 2))).text
        give(client, work, 1)
        give(client, work, 3)
        work.refresh_from_db()
        assert (work.total, work.answered) == (2, 2)
        assert work.finished is not None
        page = tree_of(client.get(work_page(assignment))).text
        assert "2 of 2 done" in page
        assert "100%" in page
        assert client.post(work_page(assignment)).status_code == 404  # there is but one try
    client.get(page_of(work, 2))
    work.refresh_from_db()
    assert (work.total, work.finished) == (3, None)


def test_more_time_of_somebody_who_is_gone_holds_nothing_back(clock: Clock) -> None:
    due = NOW + timedelta(hours=1)
    student, assignment = given(reveal=AFTER_DUE, due=due)
    gone = Members(classroom=student.classroom, left=NOW)
    Extension.objects.create(assignment=assignment, member=gone, due=due + timedelta(days=100))
    answered(student, assignment, [True], at=NOW)
    clock(due + timedelta(minutes=1))
    assert tree_of(client_of(student).get(work_page(assignment))).all("li", "right")


@pytest.mark.parametrize("how", ["by hand", "by the clock"])
def test_a_miss_is_reviewed_once_it_is_told(how: str, clock: Clock) -> None:
    due = NOW + timedelta(hours=1)
    student, assignment = given(reveal=BY_HAND if how == "by hand" else AFTER_DUE, due=due)
    student.learner.reviews = True
    student.learner.save()
    client = client_of(student)
    client.post(work_page(assignment))
    give(client, Work.objects.get(), 1, right=False)
    client.get("/en/practice/")
    assert not student.learner.cards.exists()
    if how == "by hand":
        assignment.revealed = NOW
        assignment.save()
        working.seal(assignment)
    else:
        clock(due + timedelta(minutes=2))
        client.get("/en/practice/")
    assert student.learner.cards.count() == 1
