"""Answers judged again: what changes and what does not, with no answer taken twice or left out."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone, translation

import rules
from tests import reference, reference_settlement
from tests.school import Assignments, Classrooms, Members, answered, client_of, teacher_of
from tests.test_accounts import at_once
from tutor.classes import handing, rejudge
from tutor.classes.models import (
    OWN,
    Assignment,
    Board,
    Change,
    Classroom,
    Judging,
    Member,
    Part,
    Question,
    Work,
)
from tutor.practice import record as records
from tutor.practice.answering import SHOWN
from tutor.practice.models import Attempt, Card
from tutor.puzzles.forms import form_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shelved")]


GAME = "changchun"
# Wins and hands that never win, seven pairs, and pairs of dragons, both of which tables judge otherwise.
HANDS = [
    "12223m 456p 45789s +6s",
    "1199m 3355p 77s 22s E +E",
    "123m 456p 789s 123s C +C",
    "2244m 6688p 1155s F +F",
    "234m 567p 678s 345s P +P",
    "123m 456p 789s 134s C +C",
    "11m 222p 345p 678s 78s +9s",
]
SEVEN_PAIRS = {GAME: {"seven-pairs": "yes"}}
NO_WAIVER = {GAME: {"dragon-pair-waives-triplet": "no"}}
BOTH = {GAME: {"seven-pairs": "yes", "dragon-pair-waives-triplet": "no"}}


def wins(hand: str, options: dict[str, dict[str, str]] | None = None) -> bool:
    """What the reference says of a hand, which shares no line with the engine."""
    said = reference.judge(
        GAME, *reference_settlement.read_hand(hand), options=(options or {}).get(GAME, {}), waits=False
    )
    return bool(said["wins"])


def asking(classroom: Classroom, hands: list[str] = HANDS, **more: Any) -> Assignment:
    """An assignment that asks of hands whether they win."""
    assignment = Assignments(classroom=classroom, **more)
    part = Part.objects.create(assignment=assignment, kind=OWN, game=GAME, size=len(hands))
    for number, hand in enumerate(hands, start=1):
        Question.objects.create(part=part, number=number, **kept(hand))
    return assignment


def kept(hand: str) -> dict[str, Any]:
    node = {"hand": hand}
    form = form_of(rules.rulesets()[GAME], "can-win", node)
    return {"game": GAME, "kind": "can-win", "topic": "win/triplet", "level": 2, "node": node, "form": form}


@pytest.fixture
def classroom() -> Classroom:
    """A class of three that has answered everything, one half right, one all, one nothing."""
    room: Classroom = Classrooms()
    teacher_of(room, name="Ms Lin")
    assignment = asking(room)
    for rights in ([True, False] * len(HANDS), [True] * len(HANDS), [False] * len(HANDS)):
        answered(Members(classroom=room), assignment, rights)
    return room


def change_rules(classroom: Classroom, options: dict[str, Any]) -> None:
    classroom.options = options
    classroom.save()


def verdicts(classroom: Classroom) -> dict[int, bool | None]:
    return dict(Attempt.objects.filter(classroom=classroom).values_list("pk", "is_right"))


def recounted(classroom: Classroom, options: dict[str, Any]) -> dict[int, bool]:
    """Which answers are right by the reference under some house rules."""
    return {
        attempt.pk: attempt.answer == ["yes" if wins(attempt.question["hand"], options) else "no"]
        for attempt in Attempt.objects.filter(classroom=classroom)
    }


def flips(judging: Judging) -> dict[int, bool | None]:
    return dict(judging.changes.values_list("attempt", "is_right"))


def finished(classroom: Classroom) -> Judging:
    return rejudge.go_on(rejudge.begin(classroom, "Ms Lin"))


def accept(judging: Judging) -> None:
    assert rejudge.accept(judging)
    assert rejudge.go_on(judging).follows == []


def url(name: str, *keys: int, language: str = "en") -> str:
    with translation.override(language):
        return reverse(name, args=keys)


# What changes


def test_the_reference_and_the_engine_agree_on_what_was_answered_before(classroom: Classroom):
    assert verdicts(classroom) == recounted(classroom, {})


@pytest.mark.parametrize("options", [SEVEN_PAIRS, NO_WAIVER, BOTH])
def test_a_changed_house_rule_flips_exactly_the_answers_that_an_independent_recount_flips(
    classroom: Classroom, options: dict[str, Any]
):
    before = verdicts(classroom)
    change_rules(classroom, options)
    judging = finished(classroom)
    wanted = {pk: now for pk, now in recounted(classroom, options).items() if now != before[pk]}
    assert wanted
    assert flips(judging) == wanted
    assert judging.seen == judging.total == len(before)
    assert verdicts(classroom) == before, "nothing changes before it is accepted"


def test_nothing_changes_where_no_rule_has(classroom: Classroom):
    assert flips(finished(classroom)) == {}


def test_whoever_was_shown_the_solution_stays_not_right(classroom: Classroom):
    attempts = Attempt.objects.filter(classroom=classroom, question__hand=HANDS[1])
    attempts.update(help=SHOWN, is_right=False, answer=["yes"])
    change_rules(classroom, SEVEN_PAIRS)
    shown = set(attempts.values_list("pk", flat=True))
    assert not shown & set(flips(finished(classroom)))


def test_what_cannot_be_asked_any_more_is_listed_and_keeps_its_verdict(classroom: Classroom):
    gone = Attempt.objects.filter(classroom=classroom).earliest("pk")
    assert gone.asked is not None
    gone.asked.kind = "a kind of the past"
    gone.asked.save()
    judging = finished(classroom)
    told = Attempt.objects.filter(asked=gone.asked).values_list("pk", flat=True)
    assert flips(judging) == dict.fromkeys(told)
    before = verdicts(classroom)
    assert rejudge.accept(judging)
    assert verdicts(classroom) == before
    assert judging.changes.count() == len(told)


def test_an_answer_is_judged_from_what_it_holds_where_its_question_was_deleted(classroom: Classroom):
    Question.objects.filter(node__hand=HANDS[1]).delete()
    before = verdicts(classroom)
    change_rules(classroom, SEVEN_PAIRS)
    wanted = {pk: now for pk, now in recounted(classroom, SEVEN_PAIRS).items() if now != before[pk]}
    assert flips(finished(classroom)) == wanted


def test_answers_to_a_live_board_are_judged_too(classroom: Classroom):
    student = classroom.members.filter(is_teacher=False).earliest("pk")
    now = timezone.now()
    board = Board.objects.create(classroom=classroom, opened=now, closed=now, **kept(HANDS[1]))
    attempt = Attempt.objects.create(
        learner=student.learner,
        slot=f"board:{board.pk}",
        puzzle="",
        question={},
        answer=["yes"],
        is_right=False,
        at=now,
        classroom=classroom,
        board=board,
        **{name: getattr(board, name) for name in ("game", "kind", "topic", "level", "form")},
    )
    change_rules(classroom, SEVEN_PAIRS)
    assert flips(finished(classroom))[attempt.pk] is True


def test_other_classes_and_practice_are_left_alone(classroom: Classroom):
    other: Classroom = Classrooms()
    student = Members(classroom=other)
    answered(student, asking(other), [True] * len(HANDS))
    Attempt.objects.create(
        learner=student.learner,
        slot="alone",
        puzzle="alone",
        question={"hand": HANDS[1]},
        answer=["no"],
        is_right=True,
        at=timezone.now(),
        **{name: kept(HANDS[1])[name] for name in ("game", "kind", "topic", "level", "form")},
    )
    before = dict(Attempt.objects.exclude(classroom=classroom).values_list("pk", "is_right"))
    for room in (classroom, other):
        change_rules(room, SEVEN_PAIRS)
    judging = finished(classroom)
    assert rejudge.accept(judging)
    assert dict(Attempt.objects.exclude(classroom=classroom).values_list("pk", "is_right")) == before
    assert set(flips(judging)) <= set(verdicts(classroom))


# The job


def test_a_judging_goes_by_the_house_rules_of_when_it_began(classroom: Classroom):
    change_rules(classroom, SEVEN_PAIRS)
    judging = rejudge.go_on(rejudge.begin(classroom, "Ms Lin"), rows=3)
    change_rules(classroom, {})
    found = flips(rejudge.go_on(judging))
    before = verdicts(classroom)
    assert found == {pk: now for pk, now in recounted(classroom, SEVEN_PAIRS).items() if now != before[pk]}


@pytest.mark.parametrize("rows", [1, 4, 20])
def test_broken_off_and_gone_on_with_it_finds_the_same_as_in_one_go(classroom: Classroom, rows: int):
    change_rules(classroom, SEVEN_PAIRS)
    judging = finished(classroom)
    whole = flips(judging)
    rejudge.drop(judging)
    judging, steps = rejudge.begin(classroom, "Ms Lin"), 0
    while judging.finished is None:
        before = judging.seen
        judging = rejudge.go_on(judging, rows=rows)
        assert judging.seen - before <= rows
        steps += 1
    assert flips(judging) == whole
    assert judging.seen == len(HANDS) * 3
    assert steps > 1


def test_a_time_that_is_up_at_once_still_moves_it_on(classroom: Classroom):
    judging = rejudge.go_on(rejudge.begin(classroom, "Ms Lin"), seconds=0)
    assert judging.seen == 1
    assert judging.finished is None


def test_a_piece_that_broke_off_leaves_nothing_behind(classroom: Classroom, monkeypatch: pytest.MonkeyPatch):
    change_rules(classroom, SEVEN_PAIRS)
    judging = rejudge.begin(classroom, "Ms Lin")

    def broken(*args: Any, **more: Any) -> None:
        raise InterruptedError

    with monkeypatch.context() as patch:
        patch.setattr(Judging, "save", broken)
        with pytest.raises(InterruptedError):
            rejudge.go_on(judging, rows=5)
    judging.refresh_from_db()
    assert (judging.seen, judging.last, judging.changes.count()) == (0, 0, 0)
    assert rejudge.go_on(judging).finished


def test_a_piece_that_somebody_else_stored_meanwhile_is_thrown_away(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
):
    change_rules(classroom, SEVEN_PAIRS)
    judging = rejudge.begin(classroom, "Ms Lin")
    whole, judged = rejudge.go_on, rejudge._changed
    others: list[Judging] = []

    def meanwhile(*args: Any) -> Change | None:
        if not others:
            others.append(judging)
            with monkeypatch.context() as patch:
                patch.setattr(rejudge, "_changed", judged)
                whole(judging, rows=6)
        return judged(*args)

    monkeypatch.setattr(rejudge, "_changed", meanwhile)
    done = rejudge.go_on(judging)
    assert done.seen == len(HANDS) * 3
    before = verdicts(classroom)
    assert flips(done) == {
        pk: now for pk, now in recounted(classroom, SEVEN_PAIRS).items() if now != before[pk]
    }


@pytest.mark.usefixtures("transactional_db")
def test_several_who_work_at_it_at_once_judge_each_answer_once(classroom: Classroom):
    change_rules(classroom, SEVEN_PAIRS)
    judging = rejudge.begin(classroom, "Ms Lin")
    before = verdicts(classroom)

    def work() -> int:
        while rejudge.go_on(judging, rows=2).finished is None:
            pass
        return judging.pk

    assert at_once(work, work, work) == [judging.pk] * 3
    judging.refresh_from_db()
    assert judging.seen == len(before)
    assert flips(judging) == {
        pk: now for pk, now in recounted(classroom, SEVEN_PAIRS).items() if now != before[pk]
    }


def test_while_one_is_undecided_no_other_begins(classroom: Classroom):
    first = rejudge.begin(classroom, "Ms Lin")
    assert rejudge.begin(classroom, "Mr Wu").pk == first.pk
    first = rejudge.go_on(first)
    assert rejudge.begin(classroom, "Mr Wu").pk == first.pk
    assert rejudge.drop(first)
    assert rejudge.begin(classroom, "Mr Wu").pk != first.pk


def test_it_begins_anew_where_the_engine_was_renewed_on_the_way(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
):
    change_rules(classroom, SEVEN_PAIRS)
    whole = rejudge.go_on(rejudge.begin(classroom, "Ms Lin"), rows=9)
    monkeypatch.setattr(rules, "VERSION", "next")
    done = rejudge.go_on(whole)
    assert done.rules == "next"
    assert done.seen == len(HANDS) * 3
    before = verdicts(classroom)
    assert flips(done) == {
        pk: now for pk, now in recounted(classroom, SEVEN_PAIRS).items() if now != before[pk]
    }


def test_the_same_question_is_made_once_for_the_whole_class(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
):
    made: list[int] = []
    real = handing.asked_by

    def counted(kept: Any, classroom: Classroom) -> Any:
        made.append(kept.pk)
        return real(kept, classroom)

    monkeypatch.setattr(handing, "asked_by", counted)
    finished(classroom)
    assert len(made) == len(set(made)) == len(HANDS)


# Accepted, dropped


def test_accepting_changes_those_answers_and_keeps_both_verdicts_in_the_log(classroom: Classroom):
    before = verdicts(classroom)
    change_rules(classroom, BOTH)
    judging = finished(classroom)
    found = flips(judging)
    assert rejudge.accept(judging)
    assert verdicts(classroom) == before | found
    for change in judging.changes.select_related("attempt"):
        assert change.was_right is before[change.attempt_id]
        assert change.was_rules == "test"
        assert change.attempt.rules == rules.VERSION
    untouched = Attempt.objects.filter(classroom=classroom).exclude(pk__in=found)
    assert set(untouched.values_list("rules", flat=True)) == {"test"}


def test_the_numbers_of_works_follow(classroom: Classroom):
    change_rules(classroom, BOTH)
    counted = {work.pk: work.right for work in Work.objects.all()}
    accept(finished(classroom))
    now = recounted(classroom, BOTH)
    for work in Work.objects.all():
        right = sum(now[pk] for pk in work.attempts.values_list("pk", flat=True))
        assert (work.right, work.points) == (right, 2 * right)
    assert counted != {work.pk: work.right for work in Work.objects.all()}


def test_each_students_own_record_and_reviews_follow(classroom: Classroom):
    change_rules(classroom, SEVEN_PAIRS)
    # Answered rightly then, and wrong now: a rule to review.
    all_right = classroom.members.filter(is_teacher=False).order_by("pk")[1]
    learner = all_right.learner
    learner.reviews = True
    learner.save()
    assert not Card.objects.filter(learner=learner).exists()
    now = timezone.now()
    record = records.record(learner.pk, now)
    assert record is not None
    right = sum(day.right for day in record.days)
    accept(finished(classroom))
    record = records.record(learner.pk, now)
    assert record is not None
    lost = sum(wins(hand) != wins(hand, SEVEN_PAIRS) for hand in HANDS)
    assert lost
    assert sum(day.right for day in record.days) == right - lost
    assert Card.objects.filter(learner=learner).count() == 1


def test_accepting_twice_is_accepting_once(classroom: Classroom):
    change_rules(classroom, SEVEN_PAIRS)
    judging = finished(classroom)
    assert rejudge.accept(judging)
    judging.refresh_from_db()
    now, at = verdicts(classroom), judging.accepted
    assert not rejudge.accept(judging)
    assert not rejudge.drop(judging)
    judging.refresh_from_db()
    assert (verdicts(classroom), judging.accepted, judging.dropped) == (now, at, None)


def test_an_answer_that_goes_while_it_is_judged_is_left_out(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
):
    change_rules(classroom, BOTH)
    judged, gone = rejudge._changed, []

    def changed(attempt: Attempt, *given: Any) -> Change | None:
        found = judged(attempt, *given)
        if found is not None and not gone:
            gone.append(attempt.pk)
            Attempt.objects.filter(pk=attempt.pk).delete()
        return found

    monkeypatch.setattr(rejudge, "_changed", changed)
    judging = finished(classroom)
    assert judging.finished
    assert len(gone) == 1
    assert flips(judging)
    assert gone[0] not in flips(judging)


def test_what_follows_can_be_broken_off_between_two_pieces(classroom: Classroom):
    again = asking(classroom)
    for student in classroom.members.filter(is_teacher=False):
        answered(student, again, [True] * len(HANDS))
    change_rules(classroom, BOTH)
    judging = finished(classroom)
    assert rejudge.accept(judging)
    judging.refresh_from_db()
    assert judging.following == len(judging.follows) == classroom.assignments.count() == 2
    assert len(rejudge.go_on(judging, seconds=0).follows) == 1
    judging.refresh_from_db()
    assert rejudge.is_going(judging)
    done = rejudge.go_on(judging)
    assert (done.follows, done.following, rejudge.is_going(done)) == ([], 2, False)
    now = verdicts(classroom)
    for work in Work.objects.all():
        assert work.right == sum(bool(now[pk]) for pk in work.attempts.values_list("pk", flat=True))


@pytest.mark.usefixtures("transactional_db")
def test_of_two_who_accept_at_once_one_does(classroom: Classroom):
    change_rules(classroom, SEVEN_PAIRS)
    judging = finished(classroom)
    found, before = flips(judging), verdicts(classroom)
    assert sorted(at_once(*[lambda: rejudge.accept(judging)] * 2)) == [False, True]
    assert verdicts(classroom) == before | found


def test_an_answer_that_was_changed_meanwhile_stays_as_it_is(classroom: Classroom):
    change_rules(classroom, SEVEN_PAIRS)
    judging = finished(classroom)
    change = judging.changes.earliest("pk")
    Attempt.objects.filter(pk=change.attempt_id).update(is_right=change.is_right, rules="by hand")
    assert rejudge.accept(judging)
    attempt = Attempt.objects.get(pk=change.attempt_id)
    assert (attempt.is_right, attempt.rules) == (change.is_right, "by hand")


@pytest.mark.parametrize("rows", [3, None])
def test_dropping_changes_nothing_and_ends_it(classroom: Classroom, rows: int | None):
    change_rules(classroom, SEVEN_PAIRS)
    before = verdicts(classroom)
    judging = rejudge.go_on(rejudge.begin(classroom, "Ms Lin"), rows=rows)
    seen = judging.seen
    assert rejudge.drop(judging)
    assert not rejudge.accept(judging)
    assert rejudge.go_on(judging).seen == seen
    assert verdicts(classroom) == before


def test_what_is_not_finished_is_not_accepted(classroom: Classroom):
    change_rules(classroom, SEVEN_PAIRS)
    before = verdicts(classroom)
    assert not rejudge.accept(rejudge.go_on(rejudge.begin(classroom, "Ms Lin"), rows=15))
    assert verdicts(classroom) == before


def test_back_to_the_old_rules_another_judging_restores_every_verdict(classroom: Classroom):
    before = verdicts(classroom)
    for options in (BOTH, {}):
        change_rules(classroom, options)
        assert rejudge.accept(finished(classroom))
    assert verdicts(classroom) == before
    assert [one.changes.count() > 0 for one in classroom.judgings.all()] == [True, True]


# Pages


def teacher(classroom: Classroom) -> Member:
    return classroom.members.get(is_teacher=True)


def text_of(response: Any) -> str:
    """A page on one line; the tokens in its forms, new each time, are left out."""
    return re.sub(
        r'(name="csrfmiddlewaretoken" value=")[^"]*', r"\1", " ".join(response.content.decode().split())
    )


def test_a_teacher_begins_watches_and_accepts_without_javascript(classroom: Classroom):
    change_rules(classroom, SEVEN_PAIRS)
    client = client_of(teacher(classroom))
    home = url("class-judge", classroom.pk)
    assert "Judge all answers again" in text_of(client.get(home))
    begun = client.post(home)
    judging = Judging.objects.get()
    here = url("class-judging", classroom.pk, judging.pk)
    assert (begun.status_code, begun["Location"]) == (303, here)
    assert "Go on judging" in text_of(client.get(here))
    for _ in range(50):
        assert client.post(here, {"do": "go-on"}).status_code == 303
        judging.refresh_from_db()
        if judging.finished:
            break
    shown = text_of(client.get(here))
    n = judging.changes.count()
    assert f"Accept: change {n} answers" in shown
    for student in classroom.members.filter(is_teacher=False):
        assert (student.name in shown) is judging.changes.filter(attempt__learner=student.learner).exists()
    accepted = client.post(here, {"do": "accept"}, follow=True)
    assert f"{n} answers were changed." in text_of(accepted)
    assert "Accept:" not in text_of(accepted)
    assert "accepted" in text_of(client.get(home))


def test_with_htmx_it_goes_on_by_itself_until_it_is_finished(classroom: Classroom):
    client = client_of(teacher(classroom))
    judging = rejudge.begin(classroom, "Ms Lin")
    here = url("class-judging", classroom.pk, judging.pk)
    page = text_of(client.get(here))
    assert 'hx-trigger="submit, load delay' in page
    for _ in range(50):
        part = text_of(client.post(here, {"do": "go-on"}, headers={"HX-Request": "true"}))
        assert part.startswith('<div class="judging" id="judging">')
        if "hx-trigger" not in part:
            break
        assert "not finished yet" in part
    judging.refresh_from_db()
    assert judging.finished
    assert "not decided yet" in part
    assert "not finished yet" not in part
    assert part in text_of(client.get(here))


def test_where_nothing_changes_it_is_noted_without_a_number(classroom: Classroom):
    judging = finished(classroom)
    client = client_of(teacher(classroom))
    here = url("class-judging", classroom.pk, judging.pk)
    noted = text_of(client.post(here, {"do": "accept"}, follow=True))
    assert "No answer needed a change; noted." in noted
    assert "0 answers" not in noted


def test_once_accepted_the_table_says_now(classroom: Classroom):
    change_rules(classroom, SEVEN_PAIRS)
    judging = finished(classroom)
    client = client_of(teacher(classroom))
    here = url("class-judging", classroom.pk, judging.pk)
    would_be, now = '<th scope="col">Would be</th>', '<th scope="col">Now</th>'
    before = text_of(client.get(here))
    assert would_be in before
    assert now not in before
    after = text_of(client.post(here, {"do": "accept"}, follow=True))
    assert now in after
    assert would_be not in after


def test_the_table_of_changes_has_pages_of_fifty(classroom: Classroom):
    assignment = classroom.assignments.get()
    for _ in range(17):
        answered(Members(classroom=classroom), assignment, [True] * len(HANDS))
    change_rules(classroom, BOTH)
    judging = finished(classroom)
    assert judging.changes.count() > 50
    client = client_of(teacher(classroom))
    here = url("class-judging", classroom.pk, judging.pk)
    first, second = (client.get(here, {"page": page}).content.decode() for page in (1, 2))
    assert first.count('<th scope="row">') == 50
    assert second.count('<th scope="row">') == min(50, judging.changes.count() - 50)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_each_page_can_be_read_in_both_languages(classroom: Classroom, language: str):
    change_rules(classroom, BOTH)
    judging = finished(classroom)
    client = client_of(teacher(classroom))
    for address in (
        url("class-judge", classroom.pk, language=language),
        url("class-judging", classroom.pk, judging.pk, language=language),
    ):
        assert client.get(address).status_code == 200


def test_the_page_says_whether_the_rules_have_changed(classroom: Classroom):
    client = client_of(teacher(classroom))
    home = url("class-judge", classroom.pk)
    assert "They have never been judged again." in text_of(client.get(home))
    rejudge.accept(finished(classroom))
    assert "nor Paili's have changed since the answers were last judged again" in text_of(client.get(home))
    change_rules(classroom, SEVEN_PAIRS)
    assert "The rules have changed since the answers were last judged again" in text_of(client.get(home))


def test_nobody_else_sees_it_or_touches_it(classroom: Classroom):
    judging = finished(classroom)
    student = classroom.members.filter(is_teacher=False).first()
    elsewhere = teacher_of(Classrooms())
    for who in (student, elsewhere, None):
        client = client_of(who)
        for address in (url("class-judge", classroom.pk), url("class-judging", classroom.pk, judging.pk)):
            assert client.get(address).status_code == 404
            assert client.post(address, {"do": "accept"}).status_code == 404
    of_other = client_of(elsewhere)
    assert of_other.get(url("class-judging", elsewhere.classroom_id, judging.pk)).status_code == 404
    judging.refresh_from_db()
    assert judging.accepted is None


def test_nothing_is_judged_in_an_archived_class(classroom: Classroom):
    judging = finished(classroom)
    classroom.archived = timezone.now()
    classroom.save()
    client = client_of(teacher(classroom))
    said = client.post(url("class-judging", classroom.pk, judging.pk), {"do": "accept"}, follow=True)
    assert "This class is archived" in text_of(said)
    client.post(url("class-judge", classroom.pk))
    judging.refresh_from_db()
    assert judging.accepted is None
    assert Judging.objects.count() == 1


def test_what_the_page_never_offers_is_not_found(classroom: Classroom):
    judging = finished(classroom)
    client = client_of(teacher(classroom))
    assert client.post(url("class-judging", classroom.pk, judging.pk), {"do": "nonsense"}).status_code == 404


# The command


def test_the_command_says_what_would_change_and_changes_it_only_when_told(classroom: Classroom):
    change_rules(classroom, SEVEN_PAIRS)
    before = verdicts(classroom)
    told = StringIO()
    call_command("judge_again", classroom.pk, stdout=told)
    judging = Judging.objects.get()
    found = list(flips(judging).values())
    assert f"{len(before)} of {len(before)} answers judged" in told.getvalue()
    assert (
        f"{found.count(True)} from wrong to right, {found.count(False)} from right to wrong"
        in told.getvalue()
    )
    assert verdicts(classroom) == before
    call_command("judge_again", classroom.pk, "--accept", stdout=told)
    assert Judging.objects.count() == 1
    assert verdicts(classroom) == before | flips(judging)


def test_the_command_names_a_class_that_there_is_not():
    with pytest.raises(CommandError, match=r"There is no class 404\."):
        call_command("judge_again", 404)
