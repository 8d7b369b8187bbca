"""Who gets to see what of a class: every address, tried by everybody. What isn't yours is 404."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.urls import URLPattern, reverse
from django.utils import timezone

from tests import school
from tests.school import Assignments, Classrooms, Learners, Members, add_set, answered, client_of
from tutor.classes import handing
from tutor.classes.models import Assignment, Board, Classroom, Judging, Member, Part, Question, Work
from tutor.classes.urls import urlpatterns
from tutor.practice.models import Attempt

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shelved")]

ANYBODY, MEMBER, STUDENT, TEACHER = "anybody", "member", "student", "teacher"
# Whose each address is. One that is missing here fails the test.
WHOSE = {
    "classes": ANYBODY,
    "class-join": ANYBODY,
    "class-new": ANYBODY,
    "classroom": MEMBER,
    "class-work": STUDENT,
    "class-question": STUDENT,
    "class-leave": MEMBER,
    "class-live": MEMBER,
}
GUARDED = [p for p in urlpatterns if WHOSE.get(p.name or "", TEACHER) != ANYBODY]


class People(NamedTuple):
    """Whoever may come along. keys: what is in the addresses of the class."""

    keys: dict[str, Any]
    guest: Client
    stranger: Client
    other_student: Client
    other_teacher: Client
    former: Client
    student: Client
    teacher: Client
    other_keys: dict[str, Any]

    @property
    def outside(self) -> Iterator[tuple[str, Client]]:
        for name in ("guest", "stranger", "other_student", "other_teacher", "former"):
            yield name, getattr(self, name)


@pytest.fixture
def people() -> People:
    keys, student, teacher = _a_class()
    other_keys, other_student, other_teacher = _a_class()
    former = Members(classroom=student.classroom, left=timezone.now())
    return People(
        keys,
        client_of(None),
        client_of(Learners()),
        client_of(other_student),
        client_of(other_teacher),
        client_of(former),
        client_of(student),
        client_of(teacher),
        other_keys,
    )


def _a_class() -> tuple[dict[str, Any], Member, Member]:
    """A class with one of everything."""
    room = Classrooms()
    student, teacher = Members(classroom=room), school.teacher_of(room)
    assignment = Assignments(classroom=room)
    part = add_set(assignment, size=2)
    work = answered(student, assignment, [True, False])
    question = Question.objects.filter(part=part).earliest("number")
    fields = ("puzzle", "game", "kind", "topic", "level", "options", "node", "form")
    board = Board.objects.create(
        classroom=room, opened=timezone.now(), **{name: getattr(question, name) for name in fields}
    )
    judging = Judging.objects.create(
        classroom=room, asked_by=teacher.name, rules="0", begun=timezone.now(), finished=timezone.now()
    )
    keys = {
        "classroom": room.pk,
        "member": student.pk,
        "assignment": assignment.pk,
        "part": part.pk,
        "question": 1,
        "number": work.number,
        "board": board.pk,
        "judging": judging.pk,
        "game": question.game,
        "topic": question.topic,
        "kind": question.kind,
        "code": room.code,
    }
    return keys, student, teacher


def address(pattern: URLPattern, keys: dict[str, Any]) -> str:
    names = list(pattern.pattern.converters)
    given = {name: keys[name] for name in names}
    if pattern.name == "class-part-add":
        given["kind"] = "set"
    return reverse(str(pattern.name), kwargs=given)


def whose(pattern: URLPattern) -> str:
    return WHOSE.get(str(pattern.name), TEACHER)


def statuses(client: Client, url: str) -> dict[str, int]:
    """What somebody gets: the page, the part that htmx asks for, and an answer to a form."""
    return {
        "page": client.get(url).status_code,
        "part": client.get(url, headers={"HX-Request": "true"}).status_code,
        "form": client.post(url, {"do": "answer", "name": "x", "title": "x"}).status_code,
    }


def all_there_is() -> list[object]:
    """All rows of classes, as they are."""
    models = (Classroom, Member, Assignment, Part, Question, Work, Board, Judging, Attempt)
    return [list(model.objects.order_by("pk").values()) for model in models]


def test_what_is_of_a_class_is_404_to_everybody_outside_it_and_changes_by_nothing_they_send(
    people: People,
) -> None:
    before = all_there_is()
    seen = {
        (str(pattern.name), name, how): status
        for pattern in GUARDED
        for name, client in people.outside
        for how, status in statuses(client, address(pattern, people.keys)).items()
        if status != 404 and not (status == 405 and is_refused_to_all(people, pattern, how))
    }
    assert seen == {}
    assert all_there_is() == before


def is_refused_to_all(people: People, pattern: URLPattern, how: str) -> bool:
    """Whether an address takes nothing in this way, from nobody: 405 tells then nothing of anybody."""
    client = people.student if whose(pattern) == STUDENT else people.teacher
    url = address(pattern, people.keys)
    return (client.post(url, {"do": "?"}) if how == "form" else client.get(url)).status_code == 405


def test_what_is_of_teachers_is_404_to_students_and_the_other_way_round(people: People) -> None:
    for pattern in GUARDED:
        url = address(pattern, people.keys)
        for client, its in ((people.teacher, (TEACHER, MEMBER)), (people.student, (STUDENT, MEMBER))):
            page = client.get(url).status_code
            if whose(pattern) in its:
                assert (pattern.name, page in (200, 302, 303, 405)) == (pattern.name, True)
            else:
                assert (pattern.name, page in (404, 405)) == (pattern.name, True)
                assert client.get(url, headers={"HX-Request": "true"}).status_code in (404, 405)
                assert client.post(url, {"do": "answer"}).status_code in (404, 405)


def test_things_of_another_class_are_404_under_one_s_own(people: People) -> None:
    theirs = Part.objects.filter(assignment__classroom=people.other_keys["classroom"])
    before = list(theirs.values())
    for pattern in GUARDED:
        client = people.student if whose(pattern) == STUDENT else people.teacher
        for name in ("assignment", "member", "board", "judging", "part"):
            if name not in pattern.pattern.converters:
                continue
            url = address(pattern, people.keys | {name: people.other_keys[name]})
            # A part may have been removed a moment ago: that leads back to where it was.
            allowed = (404, 405, 303) if name == "part" else (404, 405)
            assert (url, client.get(url).status_code in allowed) == (url, True)
            assert (url, client.post(url, {"do": "answer"}).status_code in allowed) == (url, True)
    assert list(theirs.values()) == before


def test_there_is_nothing_at_numbers_that_nothing_has(people: People) -> None:
    for pattern in GUARDED:
        client = people.student if whose(pattern) == STUDENT else people.teacher
        for name in (n for n in pattern.pattern.converters if isinstance(people.keys[n], int)):
            for number in (0, 10**30):
                url = address(pattern, people.keys | {name: number})
                allowed = (404, 405, 303) if name == "part" else (404, 405)
                assert (url, client.get(url).status_code in allowed) == (url, True)


@pytest.mark.parametrize("kind", ["csv"])
def test_tables_to_download_are_404_too(people: People, kind: str) -> None:
    for name in ("class-grid", "class-map", "class-activity"):
        url = f"{reverse(name, kwargs={'classroom': people.keys['classroom']})}?format={kind}"
        for _, client in people.outside:
            assert client.get(url).status_code == 404
        assert people.student.get(url).status_code == 404
        assert people.teacher.get(url)["Content-Type"].startswith("text/csv")


def test_every_address_of_the_part_is_below_classes_and_has_a_name() -> None:
    assert all(p.name and p.name.startswith("class") for p in urlpatterns)
    assert WHOSE.keys() <= {p.name for p in urlpatterns}


def test_names_of_students_are_seen_by_nobody_outside(people: People) -> None:
    student = Member.objects.get(pk=people.keys["member"])
    student.name = "Xaverina"
    student.save()
    for _, client in people.outside:
        for pattern in urlpatterns:
            keys = {name: people.keys[name] for name in pattern.pattern.converters}
            assert "Xaverina" not in client.get(reverse(str(pattern.name), kwargs=keys)).content.decode()


def test_questions_of_a_class_are_found_neither_as_puzzles_nor_in_frames(people: People) -> None:
    for kept in (*Question.objects.all(), *Board.objects.all()):
        id = handing.asked_by(kept, Classroom.objects.get(pk=people.keys["classroom"])).id
        for url in (f"/en/puzzles/{id}/", f"/embed/en/puzzles/{id}/"):
            for client in (people.guest, people.other_teacher, people.student, people.teacher):
                assert client.get(url).status_code == 404
                assert client.post(url, {"puzzle": id, "do": "solution"}).status_code == 404
