"""The live board: who may ask and answer, what is kept, when it is told, and what it costs to look again."""

from __future__ import annotations

import html
import re
from collections import Counter
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

import rules
from tests.school import Assignments, Classrooms, Members, add_puzzle, add_set, client_of, teacher_of
from tests.test_accounts import at_once
from tutor.classes import boards, handing
from tutor.classes.models import SEALED, Board, Classroom, Member, Question
from tutor.content.levels import CHOICES
from tutor.practice.models import Attempt, Card
from tutor.puzzles.addresses import of_puzzle
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import Key, Puzzle, by_id, picked_id, puzzle
from tutor.puzzles.stock import stock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shelved")]

PART = {"HX-Request": "true"}
LANGUAGES = ["en", "zh-hans"]


def url(name: str, *keys: int, language: str = "en") -> str:
    with translation.override(language):
        return reverse(name, args=keys)


def text_of(response: Any) -> str:
    return " ".join(html.unescape(response.content.decode()).split())


def made(kind: str = "can-win", game: str = "changsha", seed: int = 3) -> Puzzle:
    return puzzle(Key(kind, rules.rulesets()[game], 2, seed), stock())


class Lesson:
    """A class with its teacher and two students, each in a browser of their own."""

    def __init__(self) -> None:
        self.room: Classroom = Classrooms()
        self.teacher = teacher_of(self.room)
        self.students: list[Member] = [Members(classroom=self.room), Members(classroom=self.room)]
        self.desk = client_of(self.teacher)
        self.phones = [client_of(student) for student in self.students]
        self.home = url("class-boards", self.room.pk)
        self.live = url("class-live", self.room.pk)

    def open(self, asked: Puzzle | None = None) -> Board:
        fields = handing.kept(asked or made())
        return boards.open_board(self.room, fields, timezone.now())

    def page_of(self, board: Board) -> str:
        return url("class-board", self.room.pk, board.pk)

    def do(self, board: Board, what: str) -> Any:
        return self.desk.post(self.page_of(board), {"do": what})

    def answer(self, phone: Client, board: Board, *items: str, part: bool = True) -> Any:
        shown = boards.asked(Board.objects.select_related("classroom").get(pk=board.pk))
        assert shown is not None
        form = {"puzzle": shown.id, "form": shown.form, "a": items, "do": "answer"}
        return phone.post(self.live, form, headers=PART if part else {})


@pytest.fixture
def lesson() -> Lesson:
    return Lesson()


def right_and_wrong(board: Board) -> tuple[list[str], list[str]]:
    asked = boards.asked(board)
    assert asked is not None
    right = asked.level.rights[0]
    wrong = next(o.value for o in asked.level.offers if not asked.level.is_right(frozenset({o.value})))
    return sorted(right), [wrong]


# Opening


def test_a_fresh_question_is_what_was_chosen(lesson: Lesson):
    opened = lesson.desk.post(
        lesson.home, {"make": "fresh", "about": "changchun:win/triplet", "kind": "why-not", "level": "3"}
    )
    board = Board.objects.get()
    assert opened.status_code == 303
    assert (board.game, board.topic, board.kind, board.level) == ("changchun", "win/triplet", "why-not", 3)
    assert urlsplit(opened["Location"]).path == lesson.page_of(board)


def test_the_next_question_is_made_alike_and_is_another(lesson: Lesson):
    opened = lesson.desk.post(
        lesson.home, {"make": "fresh", "about": "changsha:", "kind": "can-win", "level": "2"}
    )
    for _ in range(4):
        shown = lesson.desk.get(opened["Location"]).content.decode()
        fields = dict(
            re.findall(r'<input type="hidden" name="(make|about|kind|level)" value="([^"]*)"', shown)
        )
        assert fields == {"make": "fresh", "about": "changsha:", "kind": "can-win", "level": "2"}
        opened = lesson.desk.post(lesson.home, fields)
    forms = Board.objects.values_list("form", flat=True)
    assert len(set(forms)) == len(forms) == 5
    assert Board.objects.filter(closed=None).count() == 1


@pytest.mark.parametrize(
    ("topic", "kind", "about"),
    [
        ("win/pair-258", "can-win", "changsha:win/pair-258"),
        ("win/pair-258", "why-not", "changsha:"),  # there the rule is the answer
        ("no/rule", "can-win", "changsha:"),
    ],
)
def test_without_a_choice_the_next_is_about_the_same_where_that_gives_nothing_away(
    lesson: Lesson, topic: str, kind: str, about: str
):
    board = Board(classroom=lesson.room, game="changsha", topic=topic, kind=kind, level=4)
    assert boards._alike(board) == {"about": about, "kind": kind, "level": 4}


def test_a_picked_puzzle_is_asked(lesson: Lesson):
    picked = stock().picked(rules.rulesets()["changsha"])[0]
    lesson.desk.post(lesson.home, {"make": "picked", "picked": picked_id(picked)})
    board = Board.objects.get()
    assert board.puzzle == picked_id(picked)
    assert boards.asked(board) is not None


@pytest.mark.parametrize("written", ["{id}", "http://testserver{address}", "{address}"])
def test_any_puzzle_is_asked_by_its_id_or_its_address(lesson: Lesson, written: str):
    asked = made("waits", "changchun", 7)
    text = written.format(id=asked.id, address=of_puzzle(asked.id))
    lesson.desk.post(lesson.home, {"make": "address", "address": text})
    board = Board.objects.get()
    assert (board.puzzle, board.node) == (asked.id, asked.node)


def test_a_question_of_an_assignment_is_asked_as_it_was_handed_out(lesson: Lesson):
    assignment = Assignments(classroom=lesson.room)
    add_set(assignment, size=2)
    add_puzzle(assignment, made("score").id)
    row = Question.objects.order_by("pk").last()
    assert row is not None
    lesson.desk.post(lesson.home, {"make": "assigned", "question": row.pk})
    board = Board.objects.get()
    assert (board.node, board.form, board.kind) == (row.node, row.form, row.kind)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"make": "fresh", "about": "", "level": "2"}, "Choose again."),
        ({"make": "fresh", "about": "nowhere:", "level": "2"}, "Choose again."),
        ({"make": "fresh", "about": "changsha:", "level": "9"}, "Choose again."),
        ({"make": "fresh", "about": "changsha:", "kind": "riddle", "level": "2"}, "Choose again."),
        (
            {"make": "fresh", "about": "changsha:win/pair-258", "kind": "payment", "level": "2"},
            "No question of this kind asks about that.",
        ),
        ({"make": "picked", "picked": "changsha/picked/none"}, "Choose again."),
        ({"make": "address", "address": ""}, "Paste the link of a question."),
        ({"make": "address", "address": "changsha/can-win/9/1"}, "There is no question at"),
        ({"make": "address", "address": "x" * 2000}, "This is no link to a question."),
        ({"make": "assigned", "question": "1"}, "Choose again."),
        ({"make": "assigned", "question": "one"}, "Choose again."),
    ],
)
def test_what_cannot_be_asked_is_told_in_words(lesson: Lesson, sent: dict[str, str], said: str):
    answer = lesson.desk.post(lesson.home, sent)
    assert answer.status_code == 200
    assert said in text_of(answer)
    assert not Board.objects.exists()
    if sent.get("address", "").startswith("changsha"):
        assert 'value="changsha/can-win/9/1"' in answer.content.decode(), "what was typed is still there"


def test_a_question_of_another_class_cannot_be_asked(lesson: Lesson):
    assignment = Assignments()
    add_set(assignment, size=1)
    lesson.desk.post(lesson.home, {"make": "assigned", "question": Question.objects.get().pk})
    assert not Board.objects.exists()


def test_opening_one_closes_the_one_before_in_this_class_alone(lesson: Lesson):
    other = Lesson()
    elsewhere, first, second = other.open(), lesson.open(), lesson.open()
    for board in (elsewhere, first, second):
        board.refresh_from_db()
    assert first.closed is not None
    assert elsewhere.closed is second.closed is None


@pytest.mark.usefixtures("transactional_db")
def test_of_boards_opened_at_once_one_stays_open(lesson: Lesson):
    fields = handing.kept(made())
    opened = at_once(*[lambda: boards.open_board(lesson.room, fields, timezone.now())] * 4)
    assert all(isinstance(board, Board) for board in opened)
    assert Board.objects.filter(closed=None).count() == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_earlier_boards_are_listed_with_how_they_went(lesson: Lesson, language: str):
    board = lesson.open()
    right, wrong = right_and_wrong(board)
    lesson.answer(lesson.phones[0], board, *right)
    lesson.answer(lesson.phones[1], board, *wrong)
    home = url("class-boards", lesson.room.pk, language=language)
    if language == "en":
        assert re.search(r"2 answers · <strong>open", text_of(lesson.desk.get(home)))
        lesson.do(board, "stop")
        assert "the solution was not shown yet" in text_of(lesson.desk.get(home))
    lesson.do(board, "show")
    listed = lesson.desk.get(home)
    assert listed.status_code == 200
    if language == "en":
        assert "2 answers · 1 right" in text_of(listed)


# Answering


def test_an_answer_is_kept_sealed_and_told_when_the_solution_is_shown(lesson: Lesson):
    board = lesson.open()
    right, wrong = right_and_wrong(board)
    for phone, student, items in zip(lesson.phones, lesson.students, (right, wrong), strict=True):
        said = text_of(lesson.answer(phone, board, *items))
        assert "Your answer is kept." in said
        assert "Right." not in said
        assert "Not right." not in said
        kept = Attempt.objects.get(learner=student.learner)
        assert (kept.slot, kept.classroom, kept.board) == (f"board:{board.pk}", lesson.room, board)
        assert (kept.is_right, kept.visible, kept.number) == (items == right, SEALED, None)
        assert "Right." not in text_of(phone.get(lesson.live))
    lesson.do(board, "show")
    assert set(Attempt.objects.values_list("visible", flat=True)) == {None}
    assert "Right." in text_of(lesson.phones[0].get(lesson.live))
    assert "Not right." in text_of(lesson.phones[1].get(lesson.live))


@pytest.mark.parametrize("kind", [key for key in KINDS if key != "opening"])
def test_each_kind_of_question_can_be_asked_answered_and_shown(lesson: Lesson, kind: str):
    board = lesson.open(made(kind, "changsha"))
    asked = boards.asked(board)
    assert asked is not None
    assert lesson.desk.get(lesson.page_of(board)).status_code == 200
    assert "<form" in text_of(lesson.phones[0].get(lesson.live))
    lesson.answer(lesson.phones[0], board, *asked.level.rights[0])
    assert Attempt.objects.get().is_right
    lesson.do(board, "show")
    for client, address in ((lesson.desk, lesson.page_of(board)), (lesson.phones[1], lesson.live)):
        assert "This is the solution." in text_of(client.get(address))
    assert "Right." in text_of(lesson.phones[0].get(lesson.live))


def test_a_second_answer_changes_nothing(lesson: Lesson):
    board = lesson.open()
    right, wrong = right_and_wrong(board)
    lesson.answer(lesson.phones[0], board, *right)
    assert "the first answer counts" in text_of(lesson.answer(lesson.phones[0], board, *wrong))
    assert Attempt.objects.get().answer == right


def test_neither_hints_nor_the_solution_are_to_be_had(lesson: Lesson):
    board = lesson.open()
    shown = text_of(lesson.phones[0].get(lesson.live))
    assert "A hint" not in shown
    assert "Show the solution" not in shown
    asked = boards.asked(board)
    assert asked is not None
    for do in ("hint", "solution"):
        lesson.phones[0].post(lesson.live, {"puzzle": asked.id, "form": asked.form, "do": do}, headers=PART)
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("end", ["stop", "close", "show"])
def test_after_the_end_answers_are_refused_in_words_and_nothing_is_kept(lesson: Lesson, end: str):
    board = lesson.open()
    right, _ = right_and_wrong(board)
    assert lesson.do(board, end).status_code == 303
    for part in (True, False):
        said = lesson.answer(lesson.phones[0], board, *right, part=part)
        assert said.status_code == 200
        assert "The answers have been stopped, and yours was not kept" in text_of(said)
    assert not Attempt.objects.exists()


def test_an_answer_that_crosses_the_end_is_refused_too(lesson: Lesson, monkeypatch: pytest.MonkeyPatch):
    board = lesson.open()
    right, _ = right_and_wrong(board)
    posted = boards.asking.posted

    def meanwhile(*given: Any) -> Any:
        boards.stop(board, timezone.now())
        return posted(*given)

    monkeypatch.setattr(boards.asking, "posted", meanwhile)
    assert "yours was not kept" in text_of(lesson.answer(lesson.phones[0], board, *right))
    assert not Attempt.objects.exists()


def test_an_answer_to_the_board_before_is_not_taken_for_this_one(lesson: Lesson):
    first = lesson.open()
    right, _ = right_and_wrong(first)
    lesson.open(made(seed=11))
    said = text_of(lesson.answer(lesson.phones[0], first, *right))
    assert "This form belongs to another question" in said
    assert not Attempt.objects.exists()


def test_without_javascript_an_answer_leads_back_to_the_page(lesson: Lesson):
    board = lesson.open()
    right, _ = right_and_wrong(board)
    answer = lesson.answer(lesson.phones[0], board, *right, part=False)
    assert (answer.status_code, answer["Location"]) == (303, lesson.live)
    assert "Your answer is kept." in text_of(lesson.phones[0].get(lesson.live))


def test_whoever_comes_while_a_board_is_open_can_answer_and_whoever_has_left_cannot(lesson: Lesson):
    board = lesson.open()
    right, _ = right_and_wrong(board)
    late = Members(classroom=lesson.room)
    assert lesson.answer(client_of(late), board, *right).status_code == 200
    assert Attempt.objects.filter(learner=late.learner).exists()
    gone = lesson.students[0]
    gone.left = timezone.now()
    gone.save()
    assert lesson.phones[0].get(lesson.live).status_code == 404
    assert lesson.answer(lesson.phones[0], board, *right).status_code == 404
    assert not Attempt.objects.filter(learner=gone.learner).exists()


def test_whoever_answered_and_left_is_told_all_the_same(lesson: Lesson):
    board = lesson.open()
    right, _ = right_and_wrong(board)
    lesson.answer(lesson.phones[0], board, *right)
    Attempt.objects.update(classroom=None)
    boards.show(board, timezone.now())
    assert Attempt.objects.get().visible is None


def test_reviews_learn_of_a_miss_when_the_solution_is_shown(lesson: Lesson):
    learner = lesson.students[0].learner
    learner.reviews = True
    learner.save()
    board = lesson.open()
    lesson.answer(lesson.phones[0], board, *right_and_wrong(board)[1])
    assert not Card.objects.exists()
    lesson.do(board, "show")
    assert Card.objects.get().learner == learner


@pytest.mark.usefixtures("transactional_db")
def test_no_answer_stays_sealed_that_is_given_while_the_solution_is_shown(lesson: Lesson):
    board = lesson.open()
    right, _ = right_and_wrong(board)
    phones = [client_of(Members(classroom=lesson.room)) for _ in range(4)]
    at_once(
        lambda: boards.show(board, timezone.now()),
        *[lambda phone=phone: lesson.answer(phone, board, *right) for phone in phones],
    )
    assert not Attempt.objects.filter(visible=SEALED).exists()
    assert Attempt.objects.count() <= 4


# What is seen


def test_the_student_waits_is_asked_waits_for_the_solution_and_is_asked_the_next(lesson: Lesson):
    phone = lesson.phones[0]

    def poll(page: str) -> Any:
        found = re.search(r'hx-get="([^"]*)"', page)
        assert found
        return phone.get(html.unescape(found[1]), headers=PART)

    page = phone.get(lesson.live).content.decode()
    assert "Nothing is asked at the moment." in page
    assert poll(page).status_code == 204
    board = lesson.open()
    part = poll(page)
    assert part.status_code == 200
    assert 'hx-swap-oob="true"' in part.content.decode(), "what asks next is sent along"
    page = part.content.decode()
    assert poll(page).status_code == 204
    lesson.answer(phone, board, *right_and_wrong(board)[0])
    assert poll(page).status_code == 204, "an answer is shown at once, and fetched no second time"
    lesson.do(board, "stop")
    page = poll(page).content.decode()
    assert "Your answer is kept." in page
    lesson.do(board, "show")
    page = poll(page).content.decode()
    assert "Right." in html.unescape(page)
    second = lesson.open(made(seed=11))
    page = poll(page).content.decode()
    asked = boards.asked(second)
    assert asked is not None
    assert f'name="form" value="{asked.form}"' in page


def test_what_a_poll_gets_is_what_the_page_shows(lesson: Lesson):
    board = lesson.open()
    for what in ("", "stop", "show"):
        if what:
            lesson.do(board, what)
        part = text_of(lesson.phones[0].get(lesson.live, {"seen": "other"}, headers=PART))
        page = text_of(lesson.phones[0].get(lesson.live))
        of_part = re.sub(
            r' tabindex="-1"(?= id="ask-question")', "", part.partition('<div id="live-poll"')[0]
        )
        without_time = re.compile(r'name="asked" value="[0-9]+"')
        assert without_time.sub("", of_part) in without_time.sub("", page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_gave_no_answer_sees_the_question_and_then_the_solution(lesson: Lesson, language: str):
    board = lesson.open()
    live = url("class-live", lesson.room.pk, language=language)
    lesson.do(board, "stop")
    stopped = lesson.phones[0].get(live)
    lesson.do(board, "show")
    shown = lesson.phones[0].get(live)
    assert stopped.status_code == shown.status_code == 200
    if language == "en":
        assert "you have given none" in text_of(stopped)
        assert "This is the solution." not in text_of(stopped)
        assert "This is the solution." in text_of(shown)
    assert not Attempt.objects.exists()


def test_an_hour_after_its_end_a_board_is_over_for_students(lesson: Lesson):
    board = lesson.open()
    lesson.do(board, "show")
    assert "This is the solution." in text_of(lesson.phones[0].get(lesson.live))
    long_ago = timezone.now() - timedelta(hours=1, minutes=1)
    Board.objects.update(opened=long_ago, closed=long_ago, revealed=long_ago)
    assert "Nothing is asked at the moment." in text_of(lesson.phones[0].get(lesson.live))


def test_the_projector_counts_and_names_nobody(lesson: Lesson):
    board = lesson.open()
    right, wrong = right_and_wrong(board)
    lesson.answer(lesson.phones[0], board, *right)
    page = text_of(lesson.desk.get(lesson.page_of(board)))
    assert "Answered: 1 of 2" in page
    assert lesson.live in page
    lesson.answer(lesson.phones[1], board, *wrong)
    polled = lesson.desk.get(lesson.page_of(board), {"seen": "open.1.2"}, headers=PART)
    assert "Answered: 2 of 2" in text_of(polled)
    assert "Everybody has answered." in text_of(polled)
    for who in lesson.students:
        assert who.name not in page + text_of(polled)
    assert "This is the solution." not in page


def test_the_projector_leaves_the_tabs_of_the_class_out_but_leads_back(lesson: Lesson):
    page = lesson.desk.get(lesson.page_of(lesson.open())).content.decode()
    assert "class-pages" not in page
    for home in (url("classes"), url("classroom", lesson.room.pk), lesson.home):
        assert f'<a href="{home}">' in page


def test_the_button_that_shows_the_solution_says_that_everybody_sees_it(lesson: Lesson):
    assert "Show everybody the solution" in text_of(lesson.desk.get(lesson.page_of(lesson.open())))


def test_on_the_live_board_an_answer_is_handed_in_and_not_checked(lesson: Lesson):
    lesson.open(made("waits"))
    page = text_of(lesson.phones[0].get(lesson.live))
    assert "Hand in this answer" in page
    assert ">Check<" not in page
    assert "counts as wrong" not in page


def test_nothing_says_what_is_right_before_the_solution_is_shown(lesson: Lesson):
    board = lesson.open()
    lesson.answer(lesson.phones[0], board, *right_and_wrong(board)[0])
    lesson.do(board, "stop")
    stopped = text_of(lesson.desk.get(lesson.page_of(board)))
    assert "is-right" not in stopped
    lesson.do(board, "show")
    assert text_of(lesson.desk.get(lesson.page_of(board))).count('class="is-right"') == 1


def test_the_projector_is_told_nothing_while_nothing_changes_and_anew_when_it_was_ended_elsewhere(
    lesson: Lesson,
):
    board = lesson.open()
    here = lesson.page_of(board)
    found = re.search(r'hx-get="([^"]*)"', lesson.desk.get(here).content.decode())
    assert found
    seen = html.unescape(found[1])
    assert lesson.desk.get(seen, headers=PART).status_code == 204
    boards.stop(board, timezone.now())
    ended = lesson.desk.get(seen, headers=PART)
    assert (ended.status_code, ended["HX-Refresh"]) == (286, "true")
    assert "hx-get" not in lesson.desk.get(here).content.decode(), "nothing is asked for any more"


# How answers are spread


def spread(asked: Puzzle, *answers: list[str]) -> tuple[list[tuple[list[str], int, bool]], int]:
    given = Counter(frozenset(answer) for answer in answers)
    shown, left = boards.bars(asked.level, given)
    return [(sorted(bar.level.rights[0]), bar.times, bar.is_right) for bar in shown], left


def test_each_choice_has_a_bar_even_where_nobody_chose_it():
    asked = made()
    right = asked.level.rights[0]
    assert asked.level.widget == CHOICES
    found, left = spread(asked, ["yes"], ["yes"])
    assert found == [
        (["yes"], 2, frozenset({"yes"}) == right),
        (["no"], 0, frozenset({"no"}) == right),
    ]
    assert left == 0


def test_where_several_may_be_chosen_each_is_counted_and_so_is_nothing():
    asked = made("which-game")
    values = [offer.value for offer in asked.level.offers]
    found, _ = spread(asked, values, values[:1], [])
    assert [(items, times) for items, times, _ in found] == [
        (values[:1], 2),
        *(([value], 1) for value in values[1:]),
        ([], 1),
    ]


def test_without_choices_each_answer_that_was_given_has_a_bar_the_most_frequent_first():
    asked = made("score")
    right = sorted(asked.level.rights[0])
    assert spread(asked, ["77"], right, right)[0] == [(right, 2, True), (["77"], 1, False)]


def test_of_very_many_answers_the_rest_is_a_number():
    asked = made("score")
    found, left = spread(asked, *([str(n)] for n in range(20, 40)))
    assert len(found) + left == 20
    assert left > 0


# Who may


def test_to_others_it_is_not_there(lesson: Lesson):
    board = lesson.open()
    elsewhere = Lesson()
    for client in (*lesson.phones, elsewhere.desk, elsewhere.phones[0], Client()):
        for address in (lesson.home, lesson.page_of(board)):
            assert client.get(address).status_code == 404
            assert client.post(address, {"do": "show", "make": "fresh"}).status_code == 404
    for client in (elsewhere.desk, elsewhere.phones[0], Client()):
        assert client.get(lesson.live).status_code == 404
        assert client.post(lesson.live).status_code == 404
    assert elsewhere.desk.get(url("class-board", elsewhere.room.pk, board.pk)).status_code == 404
    board.refresh_from_db()
    assert board.closed is None


def test_a_teacher_who_follows_the_students_link_comes_to_the_boards(lesson: Lesson):
    assert lesson.desk.get(lesson.live)["Location"] == lesson.home


def test_in_an_archived_class_nothing_is_asked_and_nothing_changes(lesson: Lesson):
    board = lesson.open()
    lesson.room.archived = timezone.now()
    lesson.room.save()
    right, _ = right_and_wrong(board)
    assert "nothing is asked in it any more" in text_of(lesson.answer(lesson.phones[0], board, *right))
    polled = lesson.phones[0].get(lesson.live, {"seen": f"open.{board.pk}"}, headers=PART)
    assert polled.status_code == 286
    assert "hx-get" not in polled.content.decode()
    for address, sent in (
        (lesson.page_of(board), {"do": "show"}),
        (lesson.home, {"make": "fresh", "about": "changsha:", "level": "2"}),
    ):
        assert "This class is archived" in text_of(lesson.desk.post(address, sent, follow=True))
    board.refresh_from_db()
    assert board.closed is None
    assert Board.objects.count() == 1
    assert not Attempt.objects.exists()


@pytest.mark.parametrize(("sent", "where"), [({"do": "nonsense"}, "page"), ({"make": "nonsense"}, "home")])
def test_what_the_page_never_offers_is_not_found(lesson: Lesson, sent: dict[str, str], where: str):
    board = lesson.open()
    address = lesson.home if where == "home" else lesson.page_of(board)
    assert lesson.desk.post(address, sent).status_code == 404


def test_another_sites_form_is_refused(lesson: Lesson):
    board = lesson.open()
    asked = boards.asked(board)
    assert asked is not None
    sent = {"puzzle": asked.id, "form": asked.form, "a": "yes"}
    refused = lesson.phones[0].post(lesson.live, sent, headers={"Sec-Fetch-Site": "cross-site"})
    assert refused.status_code == 403
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_that_cannot_be_asked_any_more_is_told(lesson: Lesson, language: str):
    board = lesson.open()
    Board.objects.update(kind="a kind of the past")
    page = url("class-board", lesson.room.pk, board.pk, language=language)
    live = url("class-live", lesson.room.pk, language=language)
    for client, address in ((lesson.desk, page), (lesson.phones[0], live)):
        answer = client.get(address)
        assert answer.status_code == 200
        if language == "en":
            assert "This question can't be asked any more." in text_of(answer)
    assert lesson.desk.get(lesson.home).status_code == 200


# What it costs


@pytest.mark.parametrize("students", [3, 100])
@pytest.mark.parametrize(
    ("who", "seen", "most"),
    [("phone", "same", 3), ("phone", "other", 4), ("desk", "same", 5), ("desk", "other", 5)],
)
def test_to_look_again_costs_as_much_for_a_hundred_students_as_for_three(
    lesson: Lesson, students: int, who: str, seen: str, most: int
):
    board = lesson.open()
    right, wrong = right_and_wrong(board)
    template = dict(handing.kept(made()))
    node = template.pop("node")
    for _ in range(students - len(lesson.students)):
        Members(classroom=lesson.room)
    for n, student in enumerate(lesson.room.members.filter(is_teacher=False)):
        Attempt.objects.create(
            learner=student.learner,
            slot=f"board:{board.pk}",
            question=node,
            answer=right if n % 2 else wrong,
            is_right=bool(n % 2),
            at=timezone.now(),
            classroom=lesson.room,
            board=board,
            visible=SEALED,
            **template,
        )
    client = lesson.phones[0] if who == "phone" else lesson.desk
    address = lesson.live if who == "phone" else lesson.page_of(board)
    same = f"open.{board.pk}" if who == "phone" else f"open.{students}.{students}"
    asked = {"seen": same if seen == "same" else "open.0.0"}
    client.get(address, asked, headers=PART)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address, asked, headers=PART)
    assert answer.status_code == (204 if seen == "same" else 200)
    assert len(queries) == most, [query["sql"][:90] for query in queries]


def test_an_address_with_the_choice_in_it_leads_on(lesson: Lesson):
    opened = lesson.desk.post(lesson.home, {"make": "fresh", "about": "changsha:", "kind": "", "level": "1"})
    assert parse_qs(urlsplit(opened["Location"]).query, keep_blank_values=True) == {
        "about": ["changsha:"],
        "kind": [""],
        "level": ["1"],
    }
    board = Board.objects.get()
    stopped = lesson.desk.post(opened["Location"], {"do": "stop"})
    assert stopped["Location"] == opened["Location"]
    assert by_id(board.puzzle, stock()).number == board.level
