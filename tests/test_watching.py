"""What teachers see of a class: every number against a plain recount, on screen and in files alike."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from random import Random
from urllib.parse import unquote
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from tests.conftest import THOROUGH
from tests.school import Assignments, Classrooms, Learners, Members, add_set, answered, client_of, teacher_of
from tests.test_checker_page import assert_valid, read
from tutor.classes import csvs, results, watching, working
from tutor.classes.models import CHAPTER, Assignment, Classroom, Extension, Member, Part, Question, Work
from tutor.classes.templatetags.classes import zone_name
from tutor.classes.windows import preset
from tutor.people.models import Progress
from tutor.practice.answering import SHOWN
from tutor.practice.models import Attempt
from tutor.puzzles.kinds import KINDS

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SHANGHAI = ZoneInfo("Asia/Shanghai")

pytestmark = pytest.mark.usefixtures("shelved", "frozen")


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is noon in London and evening in Shanghai."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)


class School:
    """A class with a teacher, students, and work of all sorts made by chance."""

    def __init__(self, chance: Random, students: int = 6, assignments: int = 4) -> None:
        self.room = Classrooms(name="Three")
        self.teacher = teacher_of(self.room, name="Ms Li")
        self.client = client_of(self.teacher)
        self.students = [Members(classroom=self.room, name=f"Kid {n:02}") for n in range(students)]
        self.assignments = [self._assignment(n, chance) for n in range(assignments)]
        for student in self.students[:-1]:
            for one in self.assignments:
                self._work(student, one, chance)

    def _assignment(self, n: int, chance: Random) -> Assignment:
        one = Assignments(
            classroom=self.room,
            place=n,
            opens=NOW - timedelta(days=20),
            due=NOW + timedelta(days=chance.randrange(-5, 5)) if n else None,
            late=chance.choice(["late", "half"]),
            pass_mark=chance.choice([None, 50, 80]),
            tries=2,
        )
        game = chance.choice(["changchun", "changsha"])
        add_set(one, game, size=3, kinds=["can-win", "why-not"], same=n != 1)
        if n == 2:
            Part.objects.create(
                assignment=one, place=1, kind=CHAPTER, game=game, data={"slug": "tiles"}, size=0
            )
            Progress.objects.create(
                learner=self.students[0].learner, place=f"{game}/tiles", is_done=True, at=NOW
            )
        return one

    def _work(self, student: Member, one: Assignment, chance: Random) -> None:
        for _ in range(chance.randrange(3)):
            rights = [chance.random() < 0.6 for _ in range(chance.choice([3, 3, 2]))]
            answered(student, one, rights, at=NOW - timedelta(hours=chance.randrange(1, 400)))
            if len(rights) < 3:
                break

    def get(self, name: str, *keys: object, language: str = "en", **query: object) -> HttpResponse:
        """A page of the class as its teacher sees it."""
        return get(self.client, self.room, name, *keys, language=language, **query)


def get(
    client: Client, room: Classroom, name: str, *keys: object, language: str = "en", **query: object
) -> HttpResponse:
    with translation.override(language):
        return client.get(reverse(name, args=[room.pk, *keys]), query)


def table(response: HttpResponse) -> list[list[str]]:
    """The cells of the first table of a page: head, body and foot."""
    found = read(response.content.decode()).all("table")[0]
    return [[cell.text for cell in row.all() if cell.tag in ("th", "td")] for row in found.all("tr")]


def rows(response: HttpResponse) -> list[list[str]]:
    """The rows of a file."""
    assert response.status_code == 200
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"), newline="")))


@pytest.fixture
def school() -> School:
    """A class as made by one chance."""
    return School(Random("school"))


# The grid


class Plain:
    """A result counted from the answers, one by one, by nothing that the site counts with."""

    def __init__(self, student: Member, one: Assignment) -> None:
        parts = list(Part.objects.filter(assignment=one))
        places = [f"{part.game}/{part.data['slug']}" for part in parts if part.kind == "chapter"]
        read = sum(
            Progress.objects.filter(learner=student.learner, place=place, is_done=True).exists()
            for place in places
        )
        self.of = sum(part.size for part in parts) + len(places)
        extension = Extension.objects.filter(assignment=one, member=student).first()
        self.extended = extension.due if extension else None
        self.due = max(filter(None, [one.due, self.extended])) if one.due else None
        tries = []
        for work in Work.objects.filter(member=student, assignment=one):
            given = [a for a in Attempt.objects.filter(work=work) if a.asked_id and a.at]
            late = [a for a in given if self.due and a.at and a.at >= self.due + timedelta(minutes=1)]
            half = 1 if one.late == "half" else 2
            points = sum(half if a in late else 2 for a in given if a.is_right)
            tries.append((points, len(given), -work.number, len(late)))
        points, answers, _, self.late = max(tries, default=(0, 0, 0, 0))
        self.done = answers + read
        self.points = points + 2 * read
        self.percent = 100 * self.points // (2 * self.of)
        is_over = self.due is not None and self.due + timedelta(minutes=1) <= NOW
        has_mark = one.pass_mark is not None and (self.done == self.of or is_over)
        self.is_passed = self.percent >= (one.pass_mark or 0) if has_mark else None

    @property
    def cells(self) -> list[str]:
        """As the file has it."""
        share = str(self.percent) if self.done else ""
        passed = "" if self.is_passed is None else str(int(self.is_passed))
        extended = self.extended.astimezone(SHANGHAI).isoformat(timespec="seconds") if self.extended else ""
        return [share, str(self.done), str(self.of), str(self.late), passed, extended]


@pytest.mark.parametrize("seed", range(4))
def test_the_grid_holds_what_a_plain_recount_finds(seed: int) -> None:
    school = School(Random(seed))
    Extension.objects.create(
        assignment=school.assignments[3], member=school.students[1], due=NOW + timedelta(days=9)
    )
    working.recount(school.assignments[3])
    told = rows(school.get("class-grid-csv"))
    assert [row[0] for row in told[1:]] == [student.name for student in school.students]
    for student, row in zip(school.students, told[1:], strict=True):
        plain = [Plain(student, one) for one in school.assignments]
        assert row[1:-1] == [cell for one in plain for cell in one.cells]
        total = 100 * sum(one.points for one in plain) // sum(2 * one.of for one in plain)
        assert row[-1] == (str(total) if any(one.done for one in plain) else "")


@pytest.mark.parametrize("sort", ["name", "total", "assignment"])
@pytest.mark.parametrize("down", [False, True])
def test_page_and_file_of_the_grid_agree_in_every_order(school: School, sort: str, down: bool) -> None:
    key = f"a{school.assignments[0].pk}" if sort == "assignment" else sort
    query = {"sort": key} | ({"desc": "1"} if down else {})
    page, file = school.get("class-grid", **query), rows(school.get("class-grid-csv", **query))
    assert file == rows(school.get("class-grid", format="csv", **query))
    shown = table(page)[1:-2]
    assert [row[0] for row in shown] == [row[0] for row in file[1:]]
    for seen, row in zip(shown, file[1:], strict=True):
        for n, cell in enumerate(seen[1:-1]):
            share, done, of, late, passed, extended = row[6 * n + 1 : 6 * n + 7]
            said, _, marks = cell.partition(" ")
            assert said == (f"{share}%" if done == of else f"{done}/{of}" if int(done) else "–")
            assert ("L" in marks, "+" in marks) == (late != "0", extended != "")
            assert ("✓" in marks, "✕" in marks) == (passed == "1", passed == "0")
        assert seen[-1] == (f"{row[-1]}%" if row[-1] else "–")
    ranks = [row[0] for row in file[1:]]
    if sort != "name":
        at = -1 if sort == "total" else 1
        ranks = [(row[at] != "", int(row[at] or 0)) for row in file[1:]]
    assert ranks == sorted(ranks, reverse=down)
    (head,) = [cell for cell in read(page.content.decode()).all("th") if cell.get("aria-sort")]
    assert head["aria-sort"] == ("descending" if down else "ascending")


def test_averages_are_of_those_who_have_begun(school: School) -> None:
    *_, averages, finished = table(school.get("class-grid"))
    for n, one in enumerate(school.assignments, start=1):
        begun = [plain for student in school.students if (plain := Plain(student, one)).done]
        assert averages[n] == f"{round(sum(plain.percent for plain in begun) / len(begun))}%"
        done = sum(plain.done == plain.of for plain in begun)
        assert finished[n] == f"{done}/{len(school.students)}"


def test_whoever_has_no_work_is_named(school: School) -> None:
    tree = read(school.get("class-grid").content.decode())
    (section,) = [e for e in tree.all("section") if e.get("aria-labelledby") == "idle"]
    idle = [s.name for s in school.students if not any(Plain(s, one).done for one in school.assignments)]
    assert [link.text for link in section.all("a")] == idle
    assert school.students[-1].name in idle


def test_names_stand_in_the_order_of_their_pinyin() -> None:
    room = Classrooms()
    one = Assignments(classroom=room)
    part = add_set(one, size=1, same=False)
    for name in ("张三", "Bea", "李四", "阿明", "王五", "ann"):
        answered(Members(classroom=room, name=name), one, [True], at=NOW - timedelta(hours=3))
    names = ["ann", "Bea", "阿明", "李四", "王五", "张三"]
    client = client_of(teacher_of(room))
    for address in (("class-grid",), ("class-activity",)):
        assert [row[0] for row in table(get(client, room, *address))[1:7]] == names
    file = rows(get(client, room, "class-answers", one.pk, part.pk, 1, format="csv"))[1:]
    assert [row[0] for row in file] == names


def test_drafts_and_what_opens_later_are_not_in_the_grid(school: School) -> None:
    Assignments(classroom=school.room, title="Draft", opens=None)
    Assignments(classroom=school.room, title="Later", opens=NOW + timedelta(hours=1))
    Assignments(classroom=school.room, title="Just now", opens=NOW)
    titles = " ".join(table(school.get("class-grid"))[0])
    assert "Just now" in titles
    assert "Draft" not in titles
    assert "Later" not in titles


def test_an_order_that_there_is_not_is_refused_in_words(school: School) -> None:
    other = Assignments(title="of another class")
    for sort in ("a0", f"a{other.pk}", "x", "", "a"):
        response = school.get("class-grid", sort=sort)
        assert response.status_code == 400
        assert "sorted by this" in response.content.decode()


def test_the_work_that_counts_is_the_one_that_counts_for_the_student(school: School) -> None:
    grid = results.grid(school.room, NOW)
    for line in grid.lines:
        student = Member.objects.get(pk=line.student.key)
        student.classroom = school.room
        assert line.cells == [cell for _, cell in results.assignments_of(student, NOW)]


# What goes wrong


def counted(room: Classroom) -> dict[tuple[str, str, str], tuple[int, int]]:
    """Answers and wrong ones by game, rule and kind, one by one."""
    every: Counter[tuple[str, str, str]] = Counter()
    wrong: Counter[tuple[str, str, str]] = Counter()
    here = {m.learner_id for m in Member.objects.filter(classroom=room) if not m.left and not m.is_teacher}
    for one in Attempt.objects.filter(classroom=room):
        if one.at and one.is_right is not None and (one.asked_id or one.board_id) and one.learner_id in here:
            every[one.game, one.topic, one.kind] += 1
            wrong[one.game, one.topic, one.kind] += not one.is_right
    return {key: (every[key], wrong[key]) for key in every}


def odd_ones(school: School) -> None:
    """Answers that don't count: open, not to be judged, to what is gone, of no class or another."""
    first, second, third, fourth, fifth, *_ = Attempt.objects.filter(classroom=school.room).order_by("pk")
    Attempt.objects.filter(pk=first.pk).update(at=None, is_right=None, answer=None)
    Attempt.objects.filter(pk=second.pk).update(is_right=None)
    Attempt.objects.filter(pk=third.pk).update(asked=None)
    Attempt.objects.filter(pk=fourth.pk).update(classroom=Classrooms())
    Attempt.objects.filter(pk=fifth.pk).update(classroom=None)


@pytest.mark.parametrize("seed", range(3))
def test_the_map_holds_what_a_plain_recount_finds(seed: int) -> None:
    school = School(Random(seed))
    odd_ones(school)
    plain = counted(school.room)
    found = results.rules_of(results.judged_in(school.room))
    assert {
        (rule.game, rule.topic, kind): tuple(tally) for rule in found for kind, tally in rule.kinds.items()
    } == plain
    shares = [rule.all.wrong / rule.all.answers for rule in found]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("game", ["", "changchun", "changsha"])
def test_page_and_file_of_the_map_agree(school: School, game: str) -> None:
    query = {"game": game} if game else {}
    head, *shown = table(school.get("class-map", **query))
    told = [
        (row[0], head[n], cell) for row in shown for n, cell in enumerate(row[2:], start=2) if cell != "–"
    ]
    _, *file = rows(school.get("class-map", format="csv", **query))
    names = {"changchun": "Changchun", "changsha": "Changsha"}
    assert not game or {row[0] for row in file} == {names[game]}
    of_rule = [row[1] if game else f"{row[1]}{row[0]}" for row in file]
    assert told == [(rule, row[2], f"{row[5]}% of {row[3]}") for rule, row in zip(of_rule, file, strict=True)]
    assert [0 < int(row[5]) < 100 for row in file] == [0 < int(row[4]) < int(row[3]) for row in file]


def test_the_answers_behind_a_cell_are_all_there_wrong_ones_first(school: School) -> None:
    game, topic, kind = max(counted(school.room), key=lambda key: counted(school.room)[key][0])
    one = Attempt.objects.filter(classroom=school.room, game=game, topic=topic, kind=kind, is_right=True)[0]
    many = [
        Attempt(**{**fields_of(one), "slot": f"more:{n}", "at": NOW - timedelta(minutes=n)})
        for n in range(60)
    ]
    Attempt.objects.bulk_create(many)
    answers, wrong = counted(school.room)[game, topic, kind]
    marks: list[str] = []
    for number in range(1, answers // 50 + 2):
        tree = read(school.get("class-map-answers", game, topic, kind, page=number).content.decode())
        heads = list(tree.all("li", "one-answer"))
        assert 0 < len(heads) <= 50
        marks += [head.all("h3")[0].text[-5:] for head in heads]
        assert f"{wrong} of {answers} wrong" in tree.text
    assert marks == ["wrong"] * wrong + ["right"] * (answers - wrong)


def fields_of(one: Attempt) -> dict[str, object]:
    """All of a row but its key."""
    return {
        field.attname: getattr(one, field.attname) for field in Attempt._meta.fields if not field.primary_key
    }


def test_the_weakest_rules_are_ticked_for_a_set(school: School) -> None:
    tree = read(school.get("class-map").content.decode())
    forms = [e for e in tree.all("form") if "card" in (e.get("class") or "")]
    assert forms
    plain = counted(school.room)
    with translation.override("en"):
        address = reverse("class-assign", args=[school.room.pk])
    for form in forms:
        assert form["action"] == address
        assert form.field("csrfmiddlewaretoken")
        (game,) = [e["value"] for e in form.field("game")]
        wrong = [
            rule.topic
            for rule in results.rules_of(results.judged_in(school.room))
            if rule.game == game and rule.all.wrong
        ][: watching.OFFERED]
        topics = form.field("topic")
        assert [e["value"] for e in topics] == wrong
        assert [e["value"] for e in topics if "checked" in e.attributes] == wrong[:5]
        kinds = {e["value"] for e in form.field("kind") if "checked" in e.attributes}
        missed = {
            kind for (of, about, kind), (_, n) in plain.items() if of == game and n and about in wrong[:5]
        }
        assert kinds == missed


def test_an_archived_class_is_looked_at_but_given_nothing(school: School) -> None:
    Classroom.objects.filter(pk=school.room.pk).update(archived=NOW)
    response = school.get("class-map")
    assert response.status_code == 200
    assert reverse("class-assign", args=[school.room.pk]) not in response.content.decode()


# One question


def test_a_question_shows_every_answer_with_who_gave_it_and_why_it_is_wrong() -> None:
    room = Classrooms()
    one = Assignments(classroom=room, tries=2)
    part = add_set(one, size=1, kinds=["can-win"])
    kids = [Members(classroom=room, name=f"Kid {n}") for n in range(5)]
    for n, kid in enumerate(kids[:4]):
        answered(kid, one, [n % 2 == 0], at=NOW - timedelta(hours=3))
    answered(kids[1], one, [True], at=NOW - timedelta(hours=1))
    Attempt.objects.filter(learner=kids[3].learner).update(help=SHOWN)
    client = client_of(teacher_of(room))
    tree = read(get(client, room, "class-answers", one.pk, part.pk, 1).content.decode())
    told = [
        (
            li.all("", "heading-of")[0].text,
            [e.text for e in li.all("ul", "names")[0].all("li")],
            bool(li.all("", "why")),
        )
        for li in tree.all("li", "one-answer")
    ]
    assert told == [
        ("3 answers✓ right", ["Kid 0", "Kid 1Try 2", "Kid 2"], False),
        ("1 answer✕ wrong", ["Kid 1"], True),
        ("1 answer◇ solution seen", ["Kid 3"], False),
    ]
    header, *file = rows(get(client, room, "class-answers", one.pk, part.pk, 1, format="csv"))
    assert [(row[0], row[1], row[6], row[7]) for row in file] == [
        ("Kid 0", "1", "1", "0"),
        ("Kid 1", "2", "1", "0"),
        ("Kid 2", "1", "1", "0"),
        ("Kid 1", "1", "0", "0"),
        ("Kid 3", "1", "0", "1"),
    ]
    assert len(header) == len(file[0])
    assert [bool(row[9]) for row in file] == [False, False, False, True, False]


def test_of_a_set_that_differs_each_student_is_shown_with_their_own_question() -> None:
    room = Classrooms()
    one = Assignments(classroom=room)
    part = add_set(one, size=2, kinds=["waits"], same=False)
    kids = [Members(classroom=room, name=f"Kid {n:02}") for n in range(4)]
    for kid in kids:
        answered(kid, one, [True, False], at=NOW - timedelta(hours=3))
    client = client_of(teacher_of(room))
    tree = read(get(client, room, "class-answers", one.pk, part.pk, 2).content.decode())
    answers = tree.all("li", "one-answer")
    assert [li.all("h3")[0].text for li in answers] == [f"{kid.name}✕ wrong" for kid in kids]
    hands = [li.all("p", "shown")[0].all("span", "hand")[0]["aria-label"] for li in answers]
    assert len(set(hands)) == len(kids)
    file = rows(get(client, room, "class-answers", one.pk, part.pk, 2, format="csv"))[1:]
    own = Question.objects.filter(part=part, number=2).order_by("work__member__name")
    assert [(row[0], row[4]) for row in file] == [
        (kid.name, question.node["hand"]) for kid, question in zip(kids, own, strict=True)
    ]


def test_what_was_chosen_is_seen_in_each_hand_of_a_page() -> None:
    room = Classrooms()
    one = Assignments(classroom=room)
    part = add_set(one, size=1, kinds=["discard"], same=False)
    kids = [Members(classroom=room) for _ in range(3)]
    for kid in kids:
        answered(kid, one, [False], at=NOW - timedelta(hours=1))
    tree = read(get(client_of(teacher_of(room)), room, "class-answers", one.pk, part.pk, 1).content.decode())
    forms = tree.all("form", "as-given")  # without forms of their own their radio buttons would be one group
    assert len(forms) == len(kids)
    for form in forms:
        assert [e for e in form.field("a") if "checked" in e.attributes]
        assert form.all("label", "is-right")
        assert form.all("label", "is-wrong")


def test_many_different_answers_are_cut_into_pages_and_none_is_lost() -> None:
    room = Classrooms()
    one = Assignments(classroom=room)
    part = add_set(one, size=1, kinds=["waits"], same=False)
    kid = Members(classroom=room, name="Kid")
    work = answered(kid, one, [False], at=NOW - timedelta(hours=3))
    first = Attempt.objects.get(work=work)
    for n in range(60):
        other = Members(classroom=room, name=f"Other {n:02}")
        fields = fields_of(first) | {"learner_id": other.learner_id, "slot": f"x:{n}"}
        mine = Work.objects.create(assignment=one, member=other, seed=1, started=NOW)
        Attempt.objects.create(**fields | {"work_id": mine.pk})
    client = client_of(teacher_of(room))
    names: list[str] = []
    for page, count in ((1, 50), (2, 11)):
        tree = read(get(client, room, "class-answers", one.pk, part.pk, 1, page=page).content.decode())
        found = [li.all("h3")[0].all("a")[0].text for li in tree.all("li", "one-answer")]
        assert len(found) == count
        names += found
    assert names == ["Kid", *(f"Other {n:02}" for n in range(60))]
    file = rows(get(client, room, "class-answers", one.pk, part.pk, 1, format="csv", page=2))
    assert [row[0] for row in file[1:]] == names


@pytest.mark.parametrize("kind", KINDS)
def test_right_and_wrong_answers_of_every_kind_are_said_in_words(kind: str) -> None:
    room = Classrooms()
    one = Assignments(classroom=room)
    add_set(one, "changsha", size=2, kinds=[kind])
    kid = Members(classroom=room)
    answered(kid, one, [True, False], at=NOW - timedelta(hours=1))
    right, wrong = results.given(results.answered_by(kid), room)[::-1]
    number = "[0-9]|[A-Za-z]{2}|[\u4e00-\u9fff]"  # which some questions on the table are answered with
    for given in (right, wrong):
        with translation.override("en"):
            assert re.search(number if kind == "table" else "[A-Za-z]{2}", given.said)
            assert not re.search(r"[1-9][mps]\b", given.said)
        with translation.override("zh-hans"):
            assert re.search(number if kind == "table" else "[\u4e00-\u9fff]", given.said)
    assert right.reasons == ()
    client = client_of(teacher_of(room))
    for question in Question.objects.all():
        for language in ("en", "zh-hans"):
            response = get(
                client, room, "class-answers", one.pk, question.part_id, question.number, language=language
            )
            assert response.status_code == 200
            tree = read(response.content.decode())
            assert next(e.text for e in tree.all("h2")) in ("The question", "题目")
            assert tree.all("li", "one-answer")
            ids = [e["id"] for e in tree.all() if e.get("id")]
            assert len(ids) == len(set(ids))


def test_a_question_that_can_not_be_asked_any_more_still_shows_its_answers(school: School) -> None:
    part = Part.objects.filter(assignment=school.assignments[0]).get()
    Question.objects.filter(part=part, number=1).update(topic="win/gone")
    response = school.get("class-answers", school.assignments[0].pk, part.pk, 1)
    assert response.status_code == 200
    assert "can't be asked any more" in response.content.decode()
    asked = Attempt.objects.filter(asked__part=part, asked__number=1)
    assert len(rows(school.get("class-answers", part.assignment_id, part.pk, 1, format="csv"))) == 1 + len(
        asked
    )


# One student


@pytest.mark.parametrize("seed", range(2))
def test_a_student_has_the_results_of_the_grid_and_every_answer(seed: int) -> None:
    school = School(Random(seed))
    student = school.students[0]
    _, *file = rows(school.get("class-student", student.pk, format="csv"))
    for one, row in zip(school.assignments, file, strict=True):
        plain = Plain(student, one)
        tries = Work.objects.filter(assignment=one, member=student).count()
        assert row[:7] == [one.title, *plain.cells[:3], str(tries), str(plain.late), plain.cells[4]]
    _, *answers = rows(school.get("class-student", student.pk, format="csv", of="answers"))
    mine = Attempt.objects.filter(learner=student.learner).order_by("-at")
    assert [(row[0], row[6], row[8]) for row in answers] == [
        (
            a.at and a.at.astimezone(SHANGHAI).isoformat(timespec="seconds"),
            str(int(bool(a.is_right))),
            str(a.seconds),
        )
        for a in mine
    ]
    tree = read(school.get("class-student", student.pk).content.decode())
    shown = list(tree.all("table"))[1].all("tr")[1:]
    assert len(shown) == min(50, len(answers))
    for row, attempt in zip(shown, mine, strict=False):
        address = row.all("a")[0]["href"]
        assert f"/questions/{attempt.asked.part_id}/{attempt.asked.number}/" in address  # type: ignore[union-attr]
        there = read(school.client.get(address).content.decode())
        assert student.name in there.by_id(address.partition("#")[2]).text


def test_the_weakest_rules_of_a_student_are_of_this_class_alone(school: School) -> None:
    student = school.students[1]
    Attempt.objects.filter(learner=student.learner).update(is_right=True)
    one = Attempt.objects.filter(learner=student.learner)[0]
    elsewhere = fields_of(one) | {"slot": "alone", "classroom_id": None, "is_right": False}
    Attempt.objects.create(**elsewhere)
    page = school.get("class-student", student.pk).content.decode()
    assert "No wrong answer so far." in page
    Attempt.objects.filter(pk=one.pk).update(is_right=False)
    tree = read(school.get("class-student", student.pk).content.decode())
    (section,) = [e for e in tree.all("section") if e.get("aria-labelledby") == "weak"]
    same = Attempt.objects.filter(
        learner=student.learner, classroom=school.room, game=one.game, topic=one.topic, kind=one.kind
    )
    assert f"1 of {same.count()} wrong" in section.text
    assert len(section.all("li")) == 1


# Activity


@pytest.mark.parametrize("window", ["today", "7", "30", "term"])
def test_activity_holds_what_a_plain_recount_finds(school: School, window: str) -> None:
    Classroom.objects.filter(pk=school.room.pk).update(created=NOW - timedelta(days=12))
    odd_ones(school)
    today = date(2026, 11, 30)
    days = {"today": 1, "7": 7, "30": 30, "term": 13}[window]
    wanted = {today - timedelta(days=n) for n in range(days)}
    _, *file = rows(school.get("class-activity", window=window, format="csv"))
    for student, row in zip(school.students, file, strict=True):
        mine = [
            a
            for a in Attempt.objects.filter(learner=student.learner, classroom=school.room)
            if a.at and a.asked_id
        ]
        within = [a for a in mine if a.at and a.at.astimezone(SHANGHAI).date() in wanted]
        seconds = sum(a.seconds or 0 for a in within)
        last = max((a.at for a in mine if a.at), default=None)
        assert row == [
            student.name,
            str(len(within)),
            str(sum(bool(a.is_right) for a in within)),
            str((seconds + 59) // 60),
            str(len({a.at.astimezone(SHANGHAI).date() for a in within if a.at})),
            last.astimezone(SHANGHAI).isoformat(timespec="seconds") if last else "",
        ]
    shown = table(school.get("class-activity", window=window))[1:]
    assert [row[:5] for row in shown] == [row[:5] for row in file]


# A day in a zone, and moments with whether they are in it.
EDGES = [
    ("Asia/Shanghai", "2026-03-02", "2026-03-01T15:59:59Z", False),
    ("Asia/Shanghai", "2026-03-02", "2026-03-01T16:00:00Z", True),
    ("Asia/Shanghai", "2026-03-02", "2026-03-02T15:59:59Z", True),
    ("Asia/Shanghai", "2026-03-02", "2026-03-02T16:00:00Z", False),
    # The day that the clocks go forward has 23 hours, that on which they go back 25.
    ("America/New_York", "2026-03-08", "2026-03-08T04:59:59Z", False),
    ("America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", True),
    ("America/New_York", "2026-03-08", "2026-03-09T03:59:59Z", True),
    ("America/New_York", "2026-03-08", "2026-03-09T04:00:00Z", False),
    ("America/New_York", "2026-11-01", "2026-11-01T03:59:59Z", False),
    ("America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", True),
    ("America/New_York", "2026-11-01", "2026-11-02T04:59:59Z", True),
    ("America/New_York", "2026-11-01", "2026-11-02T05:00:00Z", False),
    # In Cairo the clocks skip midnight itself in spring, and show the hour before it twice in autumn.
    ("Africa/Cairo", "2026-04-24", "2026-04-23T21:59:59Z", False),
    ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z", True),
    ("Africa/Cairo", "2026-10-29", "2026-10-29T21:59:59Z", True),
    ("Africa/Cairo", "2026-10-29", "2026-10-29T22:00:00Z", False),
]


@pytest.mark.parametrize(("zone", "day", "moment", "is_in"), EDGES)
def test_a_day_is_a_day_by_the_clocks_of_the_class(zone: str, day: str, moment: str, is_in: bool) -> None:
    room = Classrooms(time_zone=zone)
    one = Assignments(classroom=room)
    add_set(one, size=1)
    kid = Members(classroom=room, name="Kid")
    answered(kid, one, [True], at=NOW)
    Attempt.objects.update(at=datetime.fromisoformat(moment))
    client = client_of(teacher_of(room))
    query = {"from": day, "to": day}
    ((_, answers, _, _, days, _),) = rows(get(client, room, "class-activity", format="csv", **query))[1:]
    assert (answers, days) == (("1", "1") if is_in else ("0", "0"))
    assert zone_name(zone) in get(client, room, "class-activity", **query).content.decode()


def test_days_are_written_as_elsewhere(school: School) -> None:
    page = school.get("class-activity", **{"from": "2026-11-24", "to": "2026-11-30"}).content.decode()
    assert "From 24 Nov 2026, 0:00, to 30 Nov 2026, 24:00" in page


def test_a_term_begins_on_the_day_when_the_class_was_made() -> None:
    room = Classrooms(time_zone="Asia/Shanghai")
    room.created = datetime(2026, 9, 1, 17, 0, tzinfo=UTC)  # the second of September there
    window = preset(room, "term", date(2026, 11, 30))
    assert (window.first, window.last) == (date(2026, 9, 2), date(2026, 11, 30))
    assert window.start == datetime(2026, 9, 1, 16, 0, tzinfo=UTC)


MISTAKES = [
    ({"from": "2026-03-01", "to": "x"}, "Write a day as in 2026-03-31."),
    ({"from": "2026-02-30", "to": "2026-03-01"}, "Write a day as in 2026-03-31."),
    ({"from": "2026-03-01"}, "Choose a day."),
    ({"from": "", "to": "2026-03-01"}, "Choose a day."),
    ({"from": "2026-03-02", "to": "2026-03-01"}, "This day is before the first one."),
    ({"from": "0001-01-01", "to": "2026-03-01"}, "Choose a day from 2000 to 2099."),
    ({"from": "2026-03-01", "to": "9999-12-31"}, "Choose a day from 2000 to 2099."),
]


@pytest.mark.parametrize(("query", "said"), MISTAKES)
def test_days_that_are_none_are_said_to_be_so(school: School, query: dict[str, str], said: str) -> None:
    for more in ({}, {"format": "csv"}):
        response = school.get("class-activity", **query, **more)
        assert response.status_code == 400
        tree = read(response.content.decode())
        assert_valid(tree)
        assert said in tree.by_id("errors").text
        for name, value in query.items():
            (field,) = tree.field(name)
            assert field.get(
                "value",
            ) in (value, None)


# Files

CELLS = [
    ("Li Lei", "Li Lei"),
    ("=1+1", "'=1+1"),
    ("+49 30", "'+49 30"),
    ("-3", "'-3"),
    ("@SUM(A1)", "'@SUM(A1)"),
    ("\t=1", "'\t=1"),
    ("\r=1", "'\r=1"),
    ("\n=1", "'\n=1"),
    ("＝1", "'＝1"),
    ("a=1", "a=1"),
    ("'=1", "'=1"),
    ('say "hi", twice', 'say "hi", twice'),
    ("two\nlines", "two\nlines"),
    ("王小明", "王小明"),
    ("a;=1+1;b", "a;=1+1;b"),
    ("", ""),
    (None, ""),
    (-3, "-3"),
    (0, "0"),
    (2.5, "2.5"),
    (True, "1"),
    (False, "0"),
    (datetime(2026, 3, 2, 9, 0, 1, 5, tzinfo=UTC), "2026-03-02T17:00:01+08:00"),
]


@pytest.mark.parametrize(("cell", "said"), CELLS)
def test_a_cell_is_never_a_formula_and_a_number_stays_one(cell: csvs.Cell, said: str) -> None:
    text = csvs.written(["=head"], [[cell, "end"]], SHANGHAI)
    assert text.startswith('\ufeff"\'=head"\r\n')
    assert text.endswith("\r\n")
    assert list(csv.reader(io.StringIO(text[1:], newline=""))) == [["'=head"], [said, "end"]]
    # Where lists are separated by semicolons a cell may hold commas, and no text is cut in two all the same.
    rows = list(csv.reader(io.StringIO(text[1:], newline=""), delimiter=";"))
    assert not any(part.startswith("=") for row in rows for part in row)


def test_a_file_is_named_twice_and_kept_by_nobody(school: School) -> None:
    Classroom.objects.filter(pk=school.room.pk).update(name='三班 "A"; x=\\')
    response = school.get("class-grid-csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Cache-Control"] == "private, no-store"
    disposition = response["Content-Disposition"]
    assert disposition.startswith(f"attachment; filename=\"results-{school.room.pk}.csv\"; filename*=UTF-8''")
    assert unquote(disposition.partition("UTF-8''")[2]) == '三班 "A"; x=\\ Results.csv'
    assert response.content.startswith(b"\xef\xbb\xbf")


def test_a_file_speaks_the_language_of_its_page(school: School) -> None:
    assert "答题数" in rows(school.get("class-activity", language="zh-hans", format="csv"))[0]
    assert "Answers" in rows(school.get("class-activity", format="csv"))[0]


# Who sees what


def pages_of(school: School) -> list[tuple[str, list[object]]]:
    """Every page with what its address holds beside the class."""
    part = Part.objects.filter(assignment=school.assignments[0]).get()
    game, topic, kind = next(iter(counted(school.room)))
    return [
        ("class-grid", []),
        ("class-grid-csv", []),
        ("class-student", [school.students[0].pk]),
        ("class-answers", [school.assignments[0].pk, part.pk, 1]),
        ("class-map", []),
        ("class-map-answers", [game, topic, kind]),
        ("class-activity", []),
    ]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_page_is_valid_and_private(school: School, language: str) -> None:
    for name, keys in pages_of(school):
        response = school.get(name, *keys, language=language)
        assert response.status_code == 200
        assert response["Cache-Control"] == "private, no-store"
        if name != "class-grid-csv":
            tree = read(response.content.decode())
            assert_valid(tree)
            assert len(tree.all("h1")) == 1


def test_to_all_but_the_teachers_of_the_class_nothing_is_there(school: School) -> None:
    left = teacher_of(school.room, left=NOW)
    for who in (school.students[0], teacher_of(Classrooms()), Learners(), left, None):
        client = client_of(who)
        for name, keys in pages_of(school):
            assert get(client, school.room, name, *keys).status_code == 404
            assert get(client, school.room, name, *keys, format="csv").status_code == 404


def test_what_is_of_another_class_or_nowhere_is_not_there(school: School) -> None:
    other = School(Random("other"), students=2, assignments=1)
    part = Part.objects.filter(assignment=school.assignments[0]).get()
    theirs = Part.objects.get(assignment=other.assignments[0])
    game, topic, kind = next(iter(counted(school.room)))
    for name, keys, query in [
        ("class-student", [other.students[0].pk], {}),
        ("class-student", [school.teacher.pk], {}),
        ("class-student", [school.students[0].pk], {"page": "2"}),
        ("class-answers", [other.assignments[0].pk, theirs.pk, 1], {}),
        ("class-answers", [school.assignments[0].pk, theirs.pk, 1], {}),
        ("class-answers", [school.assignments[0].pk, part.pk, 4], {}),
        ("class-answers", [school.assignments[0].pk, part.pk, 0], {}),
        ("class-answers", [school.assignments[0].pk, part.pk, 1], {"page": "x"}),
        ("class-map", [], {"game": "mars"}),
        ("class-map", [], {"format": "xls"}),
        ("class-map-answers", [game, topic, "no-kind"], {}),
        ("class-map-answers", ["mars", topic, kind], {}),
        ("class-map-answers", [game, topic, kind], {"page": "0"}),
        ("class-activity", [], {"window": "year"}),
    ]:
        assert school.get(name, *keys, **query).status_code == 404, (name, keys, query)


def test_who_has_left_is_not_seen_and_does_not_count(school: School) -> None:
    gone = school.students[0]
    assert Attempt.objects.filter(learner=gone.learner, classroom=school.room).exists()
    Member.objects.filter(pk=gone.pk).update(left=NOW, name="Gone Girl")
    for name, keys in pages_of(school):
        response = school.get(name, *keys)
        if name == "class-student":
            assert response.status_code == 404
        else:
            assert "Gone Girl" not in response.content.decode()
    found = results.rules_of(results.judged_in(school.room))
    assert sum(rule.all.answers for rule in found) == sum(n for n, _ in counted(school.room).values())
    finished = table(school.get("class-grid"))[-1]
    assert all(cell.endswith(f"/{len(school.students) - 1}") for cell in finished[1:-1])


def test_what_a_teacher_answers_does_not_count(school: School) -> None:
    before = results.rules_of(results.judged_in(school.room))
    one = Attempt.objects.filter(classroom=school.room)[0]
    Attempt.objects.create(**fields_of(one) | {"learner_id": school.teacher.learner_id})
    assert results.rules_of(results.judged_in(school.room)) == before


def test_names_are_text(school: School) -> None:
    Member.objects.filter(pk=school.students[0].pk).update(name="<b>Bo & Co</b>")
    Assignment.objects.filter(pk=school.assignments[0].pk).update(title="<i>=1+1</i>")
    for name, keys in pages_of(school):
        body = school.get(name, *keys).content.decode()
        if name != "class-grid-csv":
            assert "<b>Bo" not in body
            assert "<i>=1" not in body
    assert "<b>Bo & Co</b>" in rows(school.get("class-grid-csv"))[1]


# Speed


def queries_of(school: School) -> dict[str, int]:
    """How many queries each page makes, all that is made once made already."""
    found = {}
    for name, keys in pages_of(school):
        school.get(name, *keys)
        with CaptureQueriesContext(connection) as made:
            assert school.get(name, *keys).status_code == 200
        found[name] = len(made)
    return found


def grown(school: School, students: int, assignments: int) -> None:
    """The class with more students and assignments, who have all answered everything."""
    part = Part.objects.filter(assignment=school.assignments[0]).get()
    questions = list(Question.objects.filter(part=part))
    one = Attempt.objects.filter(asked__part=part)[0]
    kids = [Members(classroom=school.room) for _ in range(students)]
    for n in range(assignments):
        given = Assignments(classroom=school.room, place=10 + n, due=NOW)
        Part.objects.create(assignment=given, kind=part.kind, game=part.game, data=part.data, size=3)
        Extension.objects.create(assignment=given, member=kids[0], due=NOW)
        works = Work.objects.bulk_create(
            Work(assignment=given, member=kid, seed=1, started=NOW, total=3, answered=3) for kid in kids
        )
        Attempt.objects.bulk_create(
            Attempt(
                **fields_of(one)
                | {
                    "learner_id": kid.learner_id,
                    "slot": f"work:{work.pk}:{question.pk}",
                    "work_id": work.pk,
                    "asked_id": question.pk,
                }
            )
            for work, kid in zip(works, kids, strict=True)
            for question in questions
        )


def test_a_large_class_takes_as_many_queries_as_a_small_one() -> None:
    school = School(Random("small"), students=3, assignments=3)
    before = queries_of(school)
    grown(school, students=57 if THOROUGH else 27, assignments=57 if THOROUGH else 27)
    after = queries_of(school)
    assert after == before
    assert max(before.values()) < 25
