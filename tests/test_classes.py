"""Classes made and run: who may do what, how people join and leave, and what becomes of their work."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import rules
from tests import school
from tests.school import Assignments, Classrooms, Learners, Members, add_set, answered, client_of, teacher_of
from tests.test_accounts import (
    LANGUAGES,
    MORE_TIME,
    at_once,
    kept_back_for,
    leads_to,
    sign_in,
)
from tests.test_checker_page import assert_valid, read
from tutor.classes import members
from tutor.classes.assign_forms import Titled
from tutor.classes.models import SEALED, Board, Classroom, Member
from tutor.people import brakes, cards
from tutor.people.models import Account, Brake, Learner
from tutor.practice.models import Attempt

pytestmark = pytest.mark.django_db


NO_ENTRY = "You can't join a class with this code. Compare it with your teacher's, or ask for it anew."


def url(path: str = "", language: str = "en") -> str:
    return f"/{language}/classes/{path}"


def text_of(response: HttpResponse) -> str:
    return " ".join(read(response.content.decode()).text.split())


def said(client: Client, response: HttpResponse) -> str:
    """What the page says that a form led to."""
    page = read(client.get(leads_to(response)).content.decode())
    return next(p.text for p in page.all("p") if p.get("class") == "said")


@pytest.fixture
def me() -> Member:
    """A teacher of a class."""
    return teacher_of(Classrooms(name="Night class"), name="Teacher Lin")


@pytest.fixture
def room(me: Member) -> Classroom:
    """The class."""
    return me.classroom


@pytest.fixture
def teacher(me: Member) -> Client:
    """The teacher's browser."""
    return client_of(me)


def coded(room: Classroom, name: str = "Mei") -> tuple[Member, cards.Card]:
    """A student whose account was made for the class, and their card."""
    (card,) = cards.make_accounts([name], with_code=timedelta(days=1))
    return Members(classroom=room, learner=card.account.learner, name=name, is_managed=True), card


def main_of(response: HttpResponse) -> str:
    """What a page that there is not says, without its own address."""
    assert response.status_code == 404
    (main,) = read(response.content.decode()).all("main")
    return " ".join(main.text.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guest_is_told_to_sign_in_for_any_address_of_a_class_alike(language: str, room: Classroom) -> None:
    guest = Client()
    there = (f"{room.pk}/", f"{room.pk}/people/?sort=joined")
    nothing = (f"{room.pk + 1}/", f"{room.pk}/work/7/", "7/nothing/", "nothing/")
    pages = set()
    for path in there + nothing:
        response = guest.get(url(path, language))
        page = read(response.content.decode())
        assert_valid(page)
        leads = f"/{language}/account/sign-in/?next={quote(url(path, language), safe='')}"
        assert leads in [a["href"] for a in page.by_id("main").all("a")]
        pages.add(main_of(response))
    (said,) = pages
    assert {"en": "If this is a page of your class, sign in.", "zh-hans": "如果这是你班级的页面"}[
        language
    ] in said
    elsewhere = main_of(guest.get(f"/{language}/nothing/"))
    signed_in = main_of(client_of(Learners()).get(url(there[0], language)))
    assert elsewhere == signed_in
    assert elsewhere != said


def test_a_guest_who_signs_in_at_a_page_of_the_class_comes_back_to_it() -> None:
    student, card = coded(Classrooms())
    guest = Client()
    page = read(guest.get(url(f"{student.classroom_id}/")).content.decode())
    (link,) = [a["href"] for a in page.by_id("main").all("a") if "sign-in" in a["href"]]
    (leads,) = read(guest.get(link).content.decode()).field("next")
    entered = sign_in(guest, card.account.name, card.secret, next=leads["value"])
    assert leads_to(entered) == url(f"{student.classroom_id}/")
    assert guest.get(leads_to(entered)).status_code == 200


# Opening a class, and its settings


def filled(**more: str) -> dict[str, str]:
    return {
        "name": "Night class",
        "mine": "Teacher Lin",
        "game": "",
        "language": "en",
        "time_zone": "Asia/Shanghai",
        **more,
    }


def test_whoever_is_signed_in_opens_a_class_and_is_its_first_teacher() -> None:
    learner = Learners()
    client = client_of(learner)
    response = client.post(url("new/"), filled(game="changsha"))
    room = Classroom.objects.get()
    assert leads_to(response) == url(f"{room.pk}/people/")
    assert (room.name, room.game, room.language, room.time_zone) == (
        "Night class",
        "changsha",
        "en",
        "Asia/Shanghai",
    )
    assert len(room.code) == 8
    assert room.is_open
    assert room.teacher_code is None
    (member,) = room.members.all()
    assert (member.learner, member.name, member.is_teacher) == (learner, "Teacher Lin", True)


def test_a_guest_who_opens_a_class_is_led_to_sign_in_and_back() -> None:
    response = Client().get(url("new/"))
    assert response["Location"] == "/en/account/sign-in/?next=/en/classes/new/"
    assert Client().post(url("new/"), filled()).status_code == 302
    assert not Classroom.objects.exists()


def test_no_time_zone_is_guessed() -> None:
    page = read(client_of(Learners()).get(url("new/")).content.decode())
    zones = page.by_id("id_time_zone").all("option")
    assert [zone["value"] for zone in zones[:2]] == ["", "Asia/Shanghai"]
    assert not any("selected" in zone.attributes for zone in zones[1:])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", " "),
        ("name", "x" * 121),
        ("mine", ""),
        ("mine", "x" * 41),
        ("game", "riichi"),
        ("language", "fr"),
        ("language", ""),
        ("time_zone", ""),
        ("time_zone", "Asia/Nowhere"),
    ],
)
def test_a_class_with_something_wrong_is_not_opened_and_says_what(
    field: str, value: str, language: str
) -> None:
    response = client_of(Learners()).post(url("new/", language), filled(**{field: value}))
    page = read(response.content.decode())
    assert [link["href"] for link in page.by_id("errors").all("a")] == [f"#id_{field}"]
    assert not Classroom.objects.exists()
    kept = page.by_id("id_name")["value"] if field != "name" else "Night class"
    assert kept == "Night class"


def a_rule(game: str) -> tuple[str, str]:
    """A table rule of a game, and a choice that is not the usual one."""
    rule = rules.rulesets()[game].options[0]
    return rule.key, rule.choices[1].key


@pytest.mark.parametrize(
    "text",
    ["\u2800", "\u3164", "Night\nclass", "Night\tclass", "Night\x1bclass", "\u202eNight", "Ni\u200bght"],
)
def test_a_name_or_title_that_can_not_be_seen_is_refused_in_words(text: str) -> None:
    client = client_of(Learners())
    refused = read(client.post(url("new/"), filled(name=text)).content.decode())
    words = "stands on one line, and all of its characters can be seen."
    assert refused.by_id("id_name_error").text.strip() == f"A name {words}"
    assert not Classroom.objects.exists()
    assert Titled({"title": text}).errors["title"] == [f"A title {words}"]


@pytest.mark.parametrize("text", ["三（2）班", "作业：第一章", "x" * 120, "Zoë’s ★"])
def test_a_class_and_an_assignment_are_called_just_as_it_is_typed(text: str) -> None:
    client_of(Learners()).post(url("new/"), filled(name=text))
    titled = Titled({"title": text})
    assert titled.is_valid()
    assert Classroom.objects.get().name == titled.cleaned_data["title"] == text


def test_a_press_made_twice_opens_one_class() -> None:
    client = client_of(Learners())
    first, again = (client.post(url("new/"), filled()) for _ in range(2))
    assert leads_to(first) == leads_to(again) == url(f"{Classroom.objects.get().pk}/people/")
    client.post(url("new/"), filled(name="Day class"))
    client_of(Learners()).post(url("new/"), filled())
    Classroom.objects.update(created=timezone.now() - timedelta(minutes=2))
    client.post(url("new/"), filled())
    assert Classroom.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_two_presses_at_once_open_one_class(transactional_db: None) -> None:
    client = client_of(Learners())
    at_once(*[partial(client.post, url("new/"), filled())] * 2)
    assert Classroom.objects.count() == 1


def test_only_table_rules_that_differ_are_kept(teacher: Client, room: Classroom) -> None:
    sent = {f"rule-{rule.key}": rule.default for game in rules.rulesets().values() for rule in game.options}
    key, value = a_rule("changsha")
    teacher.post(url(f"{room.pk}/settings/"), filled(**sent | {f"rule-{key}": value}))
    room = Classroom.objects.get()
    assert room.options == {"changsha": {key: value}}
    assert room.games["changsha"].house.chosen == {key: value}


def test_a_table_rule_that_there_is_not_is_refused(teacher: Client, room: Classroom) -> None:
    key, _value = a_rule("changsha")
    response = teacher.post(url(f"{room.pk}/settings/"), filled(**{f"rule-{key}": "nonsense"}, name="New"))
    assert f"{key}=nonsense" in read(response.content.decode()).by_id("errors").text
    assert Classroom.objects.get().name == "Night class"


def test_settings_change_all_of_a_class(teacher: Client, room: Classroom) -> None:
    more = {"name": "Day class", "mine": "Lin", "game": "changchun"}
    sent = filled(**more, language="zh-hans", time_zone="Europe/Paris")
    assert said(teacher, teacher.post(url(f"{room.pk}/settings/"), sent)) == "Saved."
    room.refresh_from_db()
    assert (room.name, room.game, room.language, room.time_zone) == (
        "Day class",
        "changchun",
        "zh-hans",
        "Europe/Paris",
    )
    assert room.members.get().name == "Lin"


def offered(teacher: Client, room: Classroom) -> set[str]:
    """The games whose table rules the settings offer."""
    page = read(teacher.get(url(f"{room.pk}/settings/")).content.decode())
    names = {
        name.removeprefix("rule-") for e in page.all("select") if (name := e["name"]).startswith("rule-")
    }
    return {key for key, game in rules.rulesets().items() if {rule.key for rule in game.options} <= names}


def test_the_settings_offer_the_table_rules_of_the_games_that_the_class_plays(
    teacher: Client, room: Classroom
) -> None:
    assert offered(teacher, room) == {"changchun", "changsha"}
    teacher.post(url(f"{room.pk}/settings/"), filled(game="changchun"))
    assert offered(teacher, room) == {"changchun"}
    teacher.post(url(f"{room.pk}/settings/"), filled(game="changsha"))
    assert offered(teacher, room) == {"changsha"}


def test_table_rules_that_are_not_offered_are_kept_as_they_are(teacher: Client, room: Classroom) -> None:
    room.options = {game: dict([a_rule(game)]) for game in rules.rulesets()}
    room.game = "changchun"
    room.save()
    key, value = a_rule("changchun")
    teacher.post(url(f"{room.pk}/settings/"), filled(game="", **{f"rule-{key}": value}))
    room.refresh_from_db()
    assert room.options == {game: dict([a_rule(game)]) for game in rules.rulesets()}
    assert said(teacher, teacher.post(url(f"{room.pk}/settings/"), filled(game=""))) == "Saved."
    room.refresh_from_db()
    assert room.options == {}


def test_a_name_that_a_student_has_is_refused_and_nothing_else_is_stored(
    teacher: Client, room: Classroom
) -> None:
    Members(classroom=room, name="Mei")
    response = teacher.post(url(f"{room.pk}/settings/"), filled(name="Day class", mine="ＭＥＩ"))
    assert "already" in read(response.content.decode()).by_id("id_mine_error").text
    assert Classroom.objects.get().name == "Night class"


def test_changed_table_rules_say_that_old_answers_keep_their_verdict(
    shelved: None, teacher: Client, room: Classroom
) -> None:
    key, value = a_rule("changsha")
    sent = filled(**{f"rule-{key}": value})
    assert said(teacher, teacher.post(url(f"{room.pk}/settings/"), sent)) == "Saved."
    assignment = Assignments(classroom=room)
    add_set(assignment, size=1)
    answered(Members(classroom=room), assignment, [True])
    back = teacher.post(url(f"{room.pk}/settings/"), filled())
    assert "keep their verdict until you have them judged again" in said(teacher, back)
    assert said(teacher, teacher.post(url(f"{room.pk}/settings/"), filled())) == "Saved."
    assert url(f"{room.pk}/judge/") in teacher.get(url(f"{room.pk}/settings/")).content.decode()


def test_a_new_code_ends_the_old_one_at_once(teacher: Client, room: Classroom) -> None:
    old = room.code
    teacher.post(url(f"{room.pk}/settings/"), {"do": "new-code"})
    new = Classroom.objects.get().code
    stranger = Learners().pk
    assert new != old
    assert members.opening(old, stranger) is None
    assert members.opening(new, stranger) is not None


def test_joining_is_closed_and_opened_and_a_code_for_teachers_made_and_taken_away(
    teacher: Client, room: Classroom
) -> None:
    def done(do: str) -> tuple[bool, bool]:
        teacher.post(url(f"{room.pk}/settings/"), {"do": do})
        room.refresh_from_db()
        return room.is_open, room.teacher_code is not None

    assert done("close") == (False, False)
    assert done("teacher-code") == (False, True)
    assert done("open") == (True, True)
    assert done("no-teacher-code") == (True, False)


def test_an_archived_class_changes_nothing_until_it_is_taken_out(
    teacher: Client, me: Member, room: Classroom
) -> None:
    student, _card = coded(room)
    Members(classroom=room, name="Gone", left=school.START, is_barred=True)
    teacher.post(url(f"{room.pk}/settings/"), {"do": "archive"})
    before = Classroom.objects.values().get(), list(Member.objects.values()), list(Account.objects.values())
    gone = Member.objects.get(name="Gone").pk
    for path, data in (
        ("settings/", filled(name="Other")),
        ("settings/", {"do": "new-code"}),
        ("settings/", {"do": "teacher-code"}),
        ("people/", {"member": gone}),
        ("people/add/", {"names": "Lan", "do": "make", "seen": "0", "secret": "7"}),
        (f"people/{student.pk}/", {"do": "rename", "name": "Other"}),
        (f"people/{student.pk}/", {"do": "remove"}),
        (f"people/{student.pk}/", {"do": "card", "secret": "7"}),
    ):
        assert teacher.post(url(f"{room.pk}/{path}"), data).status_code == 303, path
    after = Classroom.objects.values().get(), list(Member.objects.values()), list(Account.objects.values())
    assert before == after
    for path in ("settings/", "people/", "code/", f"people/{student.pk}/"):
        assert teacher.get(url(f"{room.pk}/{path}")).status_code == 200
    teacher.post(url(f"{room.pk}/settings/"), {"do": "unarchive"})
    assert Classroom.objects.get().archived is None


def test_a_class_is_deleted_after_its_name_and_leaves_everybody_their_answers(
    shelved: None, teacher: Client, room: Classroom
) -> None:
    student, _card = coded(room)
    assignment = Assignments(classroom=room, reveal="by-hand")
    add_set(assignment, size=2)
    answered(student, assignment, [True, False])
    assert set(Attempt.objects.values_list("visible", flat=True)) == {SEALED}
    refused = teacher.post(url(f"{room.pk}/delete/"), {"typed": "Day class"})
    assert read(refused.content.decode()).by_id("errors")
    assert leads_to(teacher.post(url(f"{room.pk}/delete/"), {"typed": " night CLASS "})) == url()
    assert not Classroom.objects.exists()
    assert not Member.objects.exists()
    kept = Attempt.objects.filter(learner=student.learner)
    assert set(kept.values_list("classroom", "work", "visible")) == {(None, None, None)}
    assert kept.count() == 2


def test_a_class_is_deleted_by_its_first_teacher_alone_and_others_see_why(
    me: Member, teacher: Client
) -> None:
    room = me.classroom
    later = client_of(teacher_of(room, name="Later", joined=me.joined + timedelta(days=1)))
    page, typed = url(f"{room.pk}/delete/"), {"typed": room.name}
    for refused in (later.get(page), later.post(page, typed)):
        assert "Only Teacher Lin can delete this class" in text_of(refused)
        assert not read(refused.content.decode()).field("typed")
    assert Classroom.objects.exists()
    members.leave(me)
    assert leads_to(later.post(page, typed)) == url()
    assert not Classroom.objects.exists()


# Who may do what


PAGES = ("settings/", "delete/", "people/", "people/add/", "people/{student}/", "code/")


@pytest.mark.parametrize("path", [*PAGES, "leave/"])
@pytest.mark.parametrize("who", ["guest", "stranger", "student", "former", "former teacher", "teacher"])
def test_pages_of_a_class_are_there_for_its_teachers_alone(me: Member, path: str, who: str) -> None:
    room = me.classroom
    student = Members(classroom=room)
    people = {
        "guest": None,
        "stranger": teacher_of(Classrooms()),
        "student": student,
        "former": Members(classroom=room, left=school.START),
        "former teacher": teacher_of(room, left=school.START),
        "teacher": me,
    }
    client = client_of(people[who])
    may = who == "teacher" or (who == "student" and path == "leave/")
    address = url(f"{room.pk}/{path.format(student=student.pk)}")
    assert client.get(address).status_code == (200 if may else 404)
    if not may and path != "code/":
        assert client.post(address, {"do": "remove", "typed": room.name, "names": "Lan"}).status_code == 404
        assert Classroom.objects.filter(pk=room.pk).exists()
        assert Member.objects.filter(pk=student.pk, left=None).exists()


def test_a_teacher_reaches_no_student_of_another_class(teacher: Client, room: Classroom) -> None:
    others = [Members().pk, Members(classroom=room, left=school.START).pk, room.members.first().pk]
    for key in others:
        for data in ({}, {"do": "remove"}, {"do": "card", "secret": "7"}, {"do": "rename", "name": "X"}):
            assert teacher.post(url(f"{room.pk}/people/{key}/"), data).status_code == 404


# Joining

STATES: dict[str, dict[str, Any]] = {
    "open": {},
    "closed": {"is_open": False},
    "archived": {"archived": school.START},
}
# Who comes with which code to a class in which state; None where they are refused, else whether as a teacher.
JOINING: list[tuple[str, str, str, bool | None]] = [
    ("open", "students", "stranger", False),
    ("open", "students", "left", False),
    ("open", "students", "barred", None),
    ("open", "students", "left teacher", False),
    ("open", "teachers", "stranger", True),
    ("open", "teachers", "left", None),
    ("open", "teachers", "barred", None),
    ("open", "teachers", "left teacher", True),
    ("closed", "students", "stranger", None),
    ("closed", "students", "left", None),
    ("closed", "students", "barred", None),
    ("closed", "teachers", "stranger", True),
    ("closed", "teachers", "left", None),
    ("archived", "students", "stranger", None),
    ("archived", "students", "left", None),
    ("archived", "teachers", "stranger", None),
    ("archived", "teachers", "left teacher", None),
]


def somebody(room: Classroom, who: str) -> Learner:
    """A learner who was something in a class, or never there."""
    if who == "stranger":
        return Learners()
    more = {"is_teacher": who == "left teacher", "is_barred": who == "barred"}
    return Members(classroom=room, name="Before", left=school.START, **more).learner


@pytest.mark.parametrize(("state", "code", "who", "expected"), JOINING)
def test_who_can_join_which_class_by_which_code(
    state: str, code: str, who: str, expected: bool | None
) -> None:
    room = Classrooms(code="abcdefgh", teacher_code="stuvwxyz", **STATES[state])
    learner = somebody(room, who)
    client = client_of(learner)
    link = url(f"join/{'abcdefgh' if code == 'students' else 'stuvwxyz'}/")
    shown = client.get(link)
    assert (room.name in shown.content.decode()) == (expected is not None)
    response = client.post(link, {"name": "Now"})
    there = Member.objects.filter(classroom=room, learner=learner, left=None).first()
    if expected is None:
        assert there is None
        assert read(response.content.decode()).by_id("id_code_error").text.strip() == NO_ENTRY
    else:
        assert leads_to(response) == url(f"{room.pk}/")
        assert there is not None
        assert (there.name, there.is_teacher, there.is_managed) == ("Now", expected, False)


@pytest.mark.parametrize("code", ["abcdefgh", "ABCD-EFGH", " abcd efgh ", "ａｂｃｄ－ｅｆｇｈ", "abcd–efgh"])
def test_a_code_is_read_however_it_is_written(code: str) -> None:
    room = Classrooms(code="abcdefgh")
    client = client_of(Learners())
    link = leads_to(client.post(url("join/"), {"code": code}))
    assert room.name in client.get(link).content.decode()


@pytest.mark.parametrize("code", ["", " "])
def test_a_code_must_be_typed(code: str) -> None:
    response = client_of(Learners()).post(url("join/"), {"code": code})
    assert read(response.content.decode()).by_id("id_code_error").text.strip() == "Type the code."


@pytest.mark.parametrize("code", ["---", "..", "x" * 500, "码", "%00"])
def test_a_code_that_is_none_is_answered_like_any_wrong_one(code: str) -> None:
    client = client_of(Learners())
    page = client.get(leads_to(client.post(url("join/"), {"code": code})))
    assert NO_ENTRY in page.content.decode().replace("&#x27;", "'")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guest_is_led_to_sign_in_and_learns_nothing_of_a_code(language: str) -> None:
    Classrooms(code="abcdefgh", name="Night class")
    pages = []
    for code in ("abcdefgh", "zzzzzzzz"):
        link = url(f"join/{code}/", language)
        for response in (Client().get(link), Client().post(link, {"name": "Now"})):
            assert response.status_code == 200
            text = response.content.decode()
            assert f"?next={link}" in text
            pages.append(text.replace(code, ""))
    assert len(set(pages)) == 1
    assert not Brake.objects.exists()
    assert not Member.objects.exists()


def test_a_guest_who_signs_in_comes_back_to_the_class() -> None:
    room = Classrooms(code="abcdefgh")
    (card,) = cards.make_accounts(["Mei"], with_code=None)
    client = Client()
    response = sign_in(client, card.account.name, card.secret, next=url("join/abcdefgh/"))
    assert room.name in client.get(leads_to(response)).content.decode()


def test_the_name_is_the_accounts_unless_another_is_typed() -> None:
    Classrooms(code="abcdefgh")
    learner = Learners()
    page = read(client_of(learner).get(url("join/abcdefgh/")).content.decode())
    assert page.by_id("id_name")["value"] == learner.account.name


@pytest.mark.parametrize("name", ["mei", "ＭＥＩ", "  Mei ", "teacher lin"])
def test_no_two_in_a_class_have_one_name(room: Classroom, name: str) -> None:
    Members(classroom=room, name="Mei")
    response = client_of(Learners()).post(url(f"join/{room.code}/"), {"name": name})
    assert "already" in read(response.content.decode()).by_id("id_name_error").text
    assert room.members.count() == 2


def test_the_name_of_somebody_who_left_is_free(room: Classroom) -> None:
    Members(classroom=room, name="Mei", left=school.START)
    assert client_of(Learners()).post(url(f"join/{room.code}/"), {"name": "Mei"}).status_code == 303


def test_whoever_is_in_is_led_to_the_class_by_either_code(me: Member) -> None:
    Classroom.objects.update(teacher_code="stuvwxyz", is_open=False)
    student = Members(classroom=me.classroom)
    for code in (me.classroom.code, "stuvwxyz"):
        response = client_of(student).get(url(f"join/{code}/"))
        assert leads_to(response) == url(f"{me.classroom_id}/")
    student.refresh_from_db()
    assert not student.is_teacher


@pytest.mark.django_db(transaction=True)
def test_two_who_join_at_once_never_get_one_name(transactional_db: None) -> None:
    room = Classrooms()
    learners = [Learners().pk for _ in range(3)]
    given = at_once(*[partial(members.join, room.code, learner, "Mei") for learner in learners])
    assert sum(isinstance(one, Member) for one in given) == 1
    assert sum(isinstance(one, ValidationError) for one in given) == 2
    assert room.members.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_press_made_twice_joins_once(transactional_db: None) -> None:
    room, learner = Classrooms(), Learners().pk
    given = at_once(*[partial(members.join, room.code, learner, "Mei")] * 2)
    assert {one.pk for one in given} == {room.members.get().pk}


def test_the_code_for_teachers_lets_in_one_teacher_alone(me: Member) -> None:
    Classroom.objects.update(teacher_code="stuvwxyz")
    link, first, second = url("join/stuvwxyz/"), client_of(Learners()), client_of(Learners())
    assert me.classroom.name in second.get(link).content.decode()
    assert leads_to(first.post(link, {"name": "First"})) == url(f"{me.classroom_id}/")
    assert wrong(second, "stuvwxyz") == NO_ENTRY
    assert read(second.post(link, {"name": "Second"}).content.decode()).by_id("id_code_error")
    assert [one.name for one in me.classroom.members.order_by("pk")] == ["Teacher Lin", "First"]
    assert client_of(me).post(url(f"{me.classroom_id}/settings/"), {"do": "teacher-code"}).status_code == 303
    new = Classroom.objects.get().teacher_code
    assert new not in (None, "stuvwxyz")


def test_a_spent_code_leads_whoever_came_by_it_to_the_class(me: Member) -> None:
    Classroom.objects.update(teacher_code="stuvwxyz")
    link, client = url("join/stuvwxyz/"), client_of(Learners())
    pressed = [client.post(link, {"name": "First"}) for _ in range(2)]
    assert [leads_to(response) for response in pressed] == [url(f"{me.classroom_id}/")] * 2
    assert leads_to(client.get(url("join/STUV-WXYZ/"))) == url(f"{me.classroom_id}/")
    assert not Brake.objects.exists()
    client.post(url(f"{me.classroom_id}/leave/"))
    assert wrong(client, "stuvwxyz") == NO_ENTRY


@pytest.mark.django_db(transaction=True)
def test_of_two_who_come_with_the_code_for_teachers_at_once_one_is_in(transactional_db: None) -> None:
    room = Classrooms(teacher_code="stuvwxyz")
    learners = [Learners().pk for _ in range(2)]
    at_once(*[partial(members.join, "stuvwxyz", key, f"Teacher {key}") for key in learners])
    assert room.members.count() == 1


# The brakes


def wrong(client: Client, code: str = "zzzzzzzz") -> str:
    page = read(client.get(url(f"join/{code}/")).content.decode())
    return page.by_id("id_code_error").text.strip()


def test_whoever_guesses_codes_has_to_wait_even_for_a_right_one(room: Classroom) -> None:
    client = client_of(Learners())
    told = [wrong(client, f"zzzzzzz{n}") for n in range(brakes.FREE + 2)]
    assert told[: brakes.FREE + 1] == [NO_ENTRY] * (brakes.FREE + 1)
    assert told[-1].startswith("Too many wrong tries")
    assert wrong(client, room.code).startswith("Too many wrong tries")
    assert room.name not in client.get(url(f"join/{room.code}/")).content.decode()


def test_a_right_code_makes_no_wrong_one_forgotten(room: Classroom) -> None:
    client = client_of(Learners())
    for n in range(brakes.FREE + 1):
        wrong(client, f"zzzzzzz{n}")
        if n < brakes.FREE:
            assert room.name in client.get(url(f"join/{room.code}/")).content.decode()
    assert wrong(client).startswith("Too many wrong tries")


def test_thirty_behind_one_address_join_at_once_though_one_of_them_guesses(room: Classroom) -> None:
    guesser = client_of(Learners(), REMOTE_ADDR="10.0.0.1")
    for n in range(brakes.FREE + 2):
        wrong(guesser, f"zzzzzzz{n}")
    for n in range(30):
        client = client_of(Learners(), REMOTE_ADDR="10.0.0.1")
        wrong(client, f"yyyyyy{n}")  # each mistypes it once
        assert client.post(url(f"join/{room.code}/"), {"name": f"Pupil {n}"}).status_code == 303
    assert room.members.filter(is_teacher=False).count() == 30


def test_whoever_was_removed_slows_down_nobody_else(room: Classroom) -> None:
    barred = client_of(somebody(room, "barred"))
    for _ in range(brakes.FREE + 3):
        wrong(barred, room.code)
    assert wrong(barred, room.code).startswith("Too many wrong tries")
    assert room.name in client_of(Learners()).get(url(f"join/{room.code}/")).content.decode()


def test_one_code_that_many_accounts_guess_is_slowed_down() -> None:
    told = [wrong(client_of(Learners())) for _ in range(brakes.FREE + 2)]
    assert told[-1].startswith("Too many wrong tries")


# Leaving and coming back


def worked(student: Member) -> Attempt:
    """A student's answers: one in an assignment, one on the live board, one of their own practice."""
    room = student.classroom
    assignment = Assignments(classroom=room)
    add_set(assignment, size=1)
    work = answered(student, assignment, [True])
    (attempt,) = work.attempts.all()
    question = {"game": "changsha", "kind": "can-win", "topic": "", "level": 1, "node": {}, "form": "f"}
    board = Board.objects.create(classroom=room, opened=school.START, **question)
    own = {"learner": student.learner, "game": "changsha", "kind": "can-win", "level": 1, "question": {}}
    Attempt.objects.create(slot="board", board=board, classroom=room, is_right=True, **own)
    Attempt.objects.create(slot="own", is_right=True, **own)
    return attempt


def seen_by(room: Classroom) -> int:
    """How many answers a class sees."""
    return Attempt.objects.filter(classroom=room).count()


def test_whoever_leaves_takes_their_answers_along_and_brings_them_back(
    shelved: None, room: Classroom
) -> None:
    student, _card = coded(room)
    worked(student)
    other = Members(classroom=room)
    add_set(assignment := Assignments(classroom=room), size=1)
    answered(other, assignment, [True])
    assert seen_by(room) == 3
    client = client_of(student)
    assert leads_to(client.post(url(f"{room.pk}/leave/"))) == url()
    assert seen_by(room) == 1
    assert Attempt.objects.filter(learner=student.learner).count() == 3
    assert client.get(url(f"{room.pk}/leave/")).status_code == 404
    client.post(url(f"join/{room.code}/"), {"name": "Mei again"})
    assert seen_by(room) == 3
    student.refresh_from_db()
    assert (student.name, student.left, student.is_managed) == ("Mei again", None, True)
    assert student.works.count() == 1


def test_whoever_is_removed_comes_back_by_a_teacher_alone(
    shelved: None, teacher: Client, room: Classroom
) -> None:
    student = Members(classroom=room, name="Mei")
    worked(student)
    response = teacher.post(url(f"{room.pk}/people/{student.pk}/"), {"do": "remove"})
    assert "Mei is removed" in said(teacher, response)
    assert seen_by(room) == 0
    assert wrong(client_of(student), room.code) == NO_ENTRY
    back = teacher.post(url(f"{room.pk}/people/"), {"member": student.pk})
    assert said(teacher, back) == "Mei is in the class again, with all answers."
    assert seen_by(room) == 2
    student.refresh_from_db()
    assert (student.left, student.is_barred) == (None, False)


def test_whoever_left_by_themselves_is_not_fetched_back(teacher: Client, room: Classroom) -> None:
    gone = Members(classroom=room, name="Left alone", left=school.START)
    other = Members(left=school.START, is_barred=True)
    for key in (gone.pk, other.pk, 0, "", "x", "9" * 5000):
        assert teacher.post(url(f"{room.pk}/people/"), {"member": key}).status_code == 404
    assert "Left alone" not in teacher.get(url(f"{room.pk}/people/")).content.decode()


def test_nobody_is_let_in_again_under_a_name_that_another_has_by_now(
    teacher: Client, room: Classroom
) -> None:
    gone = Members(classroom=room, name="Mei", left=school.START, is_barred=True)
    Members(classroom=room, name="mei")
    assert "already" in said(teacher, teacher.post(url(f"{room.pk}/people/"), {"member": gone.pk}))
    gone.refresh_from_db()
    assert gone.left is not None


def test_the_last_teacher_stays_and_says_why(teacher: Client, me: Member) -> None:
    Members(classroom=me.classroom)
    refused = teacher.post(url(f"{me.classroom_id}/leave/"))
    assert "only teacher" in read(refused.content.decode()).by_id("errors").text
    second = teacher_of(me.classroom)
    assert teacher.post(url(f"{me.classroom_id}/leave/")).status_code == 303
    with pytest.raises(ValidationError):
        members.leave(second)


def test_a_teacher_who_joined_later_is_removed_and_let_in_again_by_an_earlier_one(me: Member) -> None:
    room = me.classroom
    second, third = (
        teacher_of(room, name=name, joined=me.joined + timedelta(days=day))
        for day, name in ((1, "Second"), (2, "Third"))
    )
    Classroom.objects.update(teacher_code="stuvwxyz")
    pages = {one: url(f"{room.pk}/people/{one.pk}/") for one in (me, second, third)}
    may = {me: [second, third], second: [third], third: []}
    for one, others in may.items():
        client = client_of(one)
        shown = client.get(url(f"{room.pk}/people/")).content.decode()
        for other, page in pages.items():
            assert (f'href="{page}"' in shown) == (other in others)
            assert client.get(page).status_code == (200 if other in others else 404)
            if other not in others:
                assert client.post(page, {"do": "remove"}).status_code == 404
            for do in ("rename", "card", "move", ""):
                assert client.post(page, {"do": do, "name": "X", "secret": "7"}).status_code == 404
    assert room.members.filter(left=None).count() == 3
    response = client_of(me).post(pages[second], {"do": "remove"})
    assert leads_to(response) == url(f"{room.pk}/people/")
    second.refresh_from_db()
    assert (second.left is None, second.is_barred) == (False, True)
    assert Classroom.objects.get().teacher_code is None
    assert wrong(client_of(second), room.code) == NO_ENTRY
    back = {"member": second.pk}
    assert client_of(third).post(url(f"{room.pk}/people/"), back).status_code == 404
    assert "Second" not in text_of(client_of(third).get(url(f"{room.pk}/people/")))
    assert "Second (teacher)" in text_of(client_of(me).get(url(f"{room.pk}/people/")))
    assert client_of(me).post(url(f"{room.pk}/people/"), back).status_code == 303
    second.refresh_from_db()
    assert (second.left, second.is_teacher) == (None, True)


@pytest.mark.django_db(transaction=True)
def test_a_teacher_who_leaves_at_that_moment_removes_nobody(transactional_db: None) -> None:
    first = teacher_of(Classrooms())
    second = teacher_of(first.classroom, joined=first.joined + timedelta(days=1))
    at_once(partial(members.leave, first), partial(members.remove, second, by=first))
    assert first.classroom.members.filter(left=None, is_teacher=True).count() == 1


def by_leaving(student: Member, teacher: Member) -> None:
    members.leave(student)


def by_code(student: Member, teacher: Member) -> None:
    members.join(student.classroom.code, student.learner_id, "Back")


def by_removal(student: Member, teacher: Member) -> None:
    members.remove(student, by=teacher)


def by_teacher(student: Member, teacher: Member) -> None:
    members.take_back(student)


def by_move(student: Member, teacher: Member) -> None:
    members.move(student, Classrooms())


def by_move_back(student: Member, teacher: Member) -> None:
    there = Member.objects.get(learner=student.learner_id, left=None)
    members.move(there, student.classroom)


@pytest.mark.parametrize(
    ("go", "come"), [(by_leaving, by_code), (by_removal, by_teacher), (by_move, by_move_back)]
)
def test_more_time_keeps_answers_back_only_while_its_owner_is_in_the_class(
    shelved: None, me: Member, go: Callable[..., None], come: Callable[..., None]
) -> None:
    student, _card = coded(me.classroom)
    assignment, due = kept_back_for(student)

    def told() -> list[Any]:
        return list(Attempt.objects.filter(work__assignment=assignment).values_list("visible", flat=True))

    assert told() == [due + MORE_TIME]
    go(student, me)
    assert told() == [due]
    student.refresh_from_db()
    come(student, me)
    assert told() == [due + MORE_TIME]


@pytest.mark.django_db(transaction=True)
def test_two_teachers_who_leave_at_once_leave_one_behind(transactional_db: None) -> None:
    room = Classrooms()
    two = [teacher_of(room), teacher_of(room)]
    at_once(*[partial(members.leave, one) for one in two])
    assert room.members.filter(left=None, is_teacher=True).count() == 1


def test_the_classes_that_end_with_an_account_are_those_with_no_other_teacher(me: Member) -> None:
    learner = me.learner
    teacher_of(teacher_of(Classrooms(), learner=learner).classroom)
    Members(learner=learner)
    teacher_of(Classrooms(), learner=learner, left=school.START)
    sole = teacher_of(Classrooms(), learner=learner).classroom
    teacher_of(sole, left=school.START)
    assert members.sole_classes(learner.account) == [me.classroom, sole]
    assert members.sole_classes(Learners().account) == []


# One student


def test_a_student_is_renamed_unless_the_name_is_taken(teacher: Client, room: Classroom) -> None:
    student, other = Members(classroom=room, name="Mei"), Members(classroom=room, name="Lan")
    page = url(f"{room.pk}/people/{student.pk}/")
    for name in ("lan", "", "!!", "x" * 41):
        refused = teacher.post(page, {"do": "rename", "name": name})
        assert read(refused.content.decode()).by_id("id_name_error").text.strip()
    assert said(teacher, teacher.post(page, {"do": "rename", "name": "MEI"})) == "The name is changed."
    student.refresh_from_db()
    other.refresh_from_db()
    assert (student.name, student.folded, other.name) == ("MEI", "mei", "Lan")


def before(teacher: Client, page: str) -> str:
    tree = read(teacher.get(page).content.decode())
    return next(field["value"] for field in tree.all("input") if field.get("name") == "before")


@pytest.mark.parametrize("secret", ["password", "7"])
def test_a_new_card_is_made_once_however_often_the_form_is_sent(
    teacher: Client, room: Classroom, secret: str
) -> None:
    student, card = coded(room)
    page = url(f"{room.pk}/people/{student.pk}/")
    sent = {"do": "card", "secret": secret, "before": before(teacher, page)}
    first, again = teacher.post(page, sent), teacher.post(page, sent)
    (new,) = first.context["cards"]
    assert new.name == "Mei"
    assert new.secret in first.content.decode()
    leads = f"http://testserver/en/account/sign-in/?name=Mei&next=%2Fen%2Fclasses%2F{room.pk}%2F"
    assert new.qr == cards.qr(leads, "QR code: opens the page for signing in")
    assert room.name in first.content.decode()
    assert "Nothing was made" in again.content.decode()
    assert new.secret not in again.content.decode()
    assert sign_in(Client(), card.account.name, card.secret).status_code == 200
    assert sign_in(Client(), card.account.name, new.secret).status_code == 303


def test_nobody_gets_a_new_card_for_an_account_of_ones_own(teacher: Client, room: Classroom) -> None:
    student = Members(classroom=room)
    page = url(f"{room.pk}/people/{student.pk}/")
    kept = Account.objects.get(learner=student.learner).password
    assert "theirs alone" in text_of(teacher.get(page))
    assert teacher.post(page, {"do": "card", "secret": "7", "before": ""}).status_code == 404
    assert Account.objects.get(learner=student.learner).password == kept


@pytest.mark.django_db(transaction=True)
def test_a_new_card_asked_for_twice_at_once_is_made_once(transactional_db: None) -> None:
    me = teacher_of(Classrooms())
    student, _card = coded(me.classroom)
    page = url(f"{me.classroom_id}/people/{student.pk}/")
    clients = [client_of(me), client_of(me)]
    sent = {"do": "card", "secret": "7", "before": before(clients[0], page)}
    given = at_once(*[partial(client.post, page, sent) for client in clients])
    assert sorted(b"login-card" in response.content for response in given) == [False, True]


def test_a_student_is_moved_with_their_password_and_back_with_their_work(
    shelved: None, teacher: Client, me: Member
) -> None:
    old, new = me.classroom, teacher_of(Classrooms(), learner=me.learner).classroom
    student, _card = coded(old)
    worked(student)
    response = teacher.post(url(f"{old.pk}/people/{student.pk}/"), {"do": "move", "into": new.pk})
    assert said(teacher, response) == f"Mei is in {new.name} now."
    student.refresh_from_db()
    there = new.members.get(learner=student.learner)
    assert (there.name, there.is_managed, there.left) == ("Mei", True, None)
    assert (student.is_barred, student.left is None) == (False, False)
    assert seen_by(old) == seen_by(new) == 0
    teacher.post(url(f"{new.pk}/people/{there.pk}/"), {"do": "move", "into": old.pk})
    assert seen_by(old) == 2
    student.refresh_from_db()
    assert (student.left, student.works.count()) == (None, 1)


@pytest.mark.parametrize("before", ["never there", "left by themselves", "removed"])
def test_nobody_is_moved_whose_account_is_their_own(teacher: Client, me: Member, before: str) -> None:
    student = Members(classroom=me.classroom, name="Mei")
    other = teacher_of(Classrooms(), learner=me.learner).classroom
    if before != "never there":
        is_barred = before == "removed"
        Members(classroom=other, learner=student.learner, left=school.START, is_barred=is_barred)
    page = url(f"{me.classroom_id}/people/{student.pk}/")
    shown = teacher.get(page)
    assert "only its owner takes it elsewhere" in text_of(shown)
    assert not read(shown.content.decode()).field("into")
    refused = teacher.post(page, {"do": "move", "into": other.pk})
    assert "Only accounts made for a class are moved" in read(refused.content.decode()).by_id("errors").text
    assert_valid(read(refused.content.decode()))
    assert [one.classroom for one in Member.objects.filter(learner=student.learner, left=None)] == [
        me.classroom
    ]


@pytest.mark.parametrize("why", ["not taught", "archived", "name taken", "there already", "none", "huge"])
def test_a_student_is_moved_only_where_it_makes_sense(teacher: Client, me: Member, why: str) -> None:
    student = Members(classroom=me.classroom, name="Mei", is_managed=True)
    archived = school.START if why == "archived" else None
    other = Classrooms(archived=archived)
    if why != "not taught":
        teacher_of(other, learner=me.learner)
    if why == "name taken":
        Members(classroom=other, name="mei")
    if why == "there already":
        Members(classroom=other, learner=student.learner, name="Another name")
    into = {"none": "", "huge": "9" * 30}.get(why, other.pk)
    response = teacher.post(url(f"{me.classroom_id}/people/{student.pk}/"), {"do": "move", "into": into})
    assert read(response.content.decode()).by_id("errors").all("li")
    student.refresh_from_db()
    assert student.left is None


# Lists of people, and the code for the projector


@pytest.mark.parametrize(("sort", "expected"), [("", "ABC"), ("name", "ABC"), ("joined", "CAB")])
def test_students_are_sorted_by_name_or_by_when_they_joined(
    teacher: Client, room: Classroom, sort: str, expected: str
) -> None:
    for n, name in enumerate("CAB"):
        Members(classroom=room, name=name, joined=school.START + timedelta(days=n))
    response = teacher.get(url(f"{room.pk}/people/"), {"sort": sort} if sort else {})
    page = read(response.content.decode())
    rows = [th.text.strip() for th in page.all("th") if th.get("scope") == "row"]
    assert "".join(rows) == expected
    assert [th.get("aria-sort") for th in page.all("th")].count("ascending") == 1


def test_chinese_names_are_sorted_by_pinyin_after_letters(teacher: Client, room: Classroom) -> None:
    order = ["2号", "Amy", "bob", "Cai", "阿明", "陈晨", "李雷", "王伟", "张三", "赵四"]
    for name in reversed(order):
        Members(classroom=room, name=name)
    page = read(teacher.get(url(f"{room.pk}/people/")).content.decode())
    assert [th.text.strip() for th in page.all("th") if th.get("scope") == "row"] == order


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_code_is_written_in_two_halves_wherever_it_stands(
    teacher: Client, room: Classroom, language: str
) -> None:
    Classroom.objects.update(code="atzwftgf")
    for path in ("", "people/", "code/", "settings/"):
        text = text_of(teacher.get(url(f"{room.pk}/{path}", language)))
        assert "atzw-ftgf" in text
        assert "atzwftgf" not in text.replace("/atzwftgf/", "")


@pytest.mark.parametrize(
    ("zone", "language", "expected"),
    [
        ("Asia/Shanghai", "en", "Beijing time"),
        ("Asia/Shanghai", "zh-hans", "北京时间"),
        ("America/New_York", "zh-hans", "America/New York"),
    ],
)
def test_time_zones_go_by_the_names_that_people_use(
    room: Classroom, zone: str, language: str, expected: str
) -> None:
    Classroom.objects.update(time_zone=zone)
    text = text_of(client_of(Members(classroom=room)).get(url(f"{room.pk}/", language)))
    assert expected in text
    assert zone not in text


def test_an_order_that_there_is_not_is_no_page(teacher: Client, room: Classroom) -> None:
    assert teacher.get(url(f"{room.pk}/people/"), {"sort": "password"}).status_code == 404


def test_two_hundred_students_take_no_more_queries_than_ten(teacher: Client, room: Classroom) -> None:
    counts = []
    for more in (10, 190):
        for n in range(more):
            Members(classroom=room, is_managed=n % 2 == 0)
            Members(classroom=room, left=school.START, is_barred=True)
        with CaptureQueriesContext(connection) as queries:
            assert teacher.get(url(f"{room.pk}/people/")).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 8


def test_the_code_is_shown_with_its_link_and_htmx_is_told_who_has_come(
    teacher: Client, room: Classroom
) -> None:
    Members(classroom=room)
    shown = teacher.get(url(f"{room.pk}/code/"))
    text = shown.content.decode()
    assert members.written(room.code) in text
    assert f"http://testserver/en/classes/join/{room.code}/" in text
    assert 'class="qr"' in text
    (drawn,) = read(text).all("svg")
    assert drawn["aria-label"] == "QR code: opens the page for joining"
    part = teacher.get(url(f"{room.pk}/code/"), headers={"HX-Request": "true"}).content.decode()
    assert "1 student is in" in part
    assert part in text


@pytest.mark.parametrize("state", ["closed", "archived"])
def test_no_code_is_shown_that_opens_nothing(teacher: Client, room: Classroom, state: str) -> None:
    Classroom.objects.update(**STATES[state])
    assert members.written(room.code) not in teacher.get(url(f"{room.pk}/code/")).content.decode()


def test_the_code_for_teachers_is_shown_in_the_settings_alone(teacher: Client, room: Classroom) -> None:
    Classroom.objects.update(teacher_code="stuvwxyz")
    student = client_of(Members(classroom=room))
    assert "stuv-wxyz" in teacher.get(url(f"{room.pk}/settings/")).content.decode()
    for page in (
        teacher.get(url(f"{room.pk}/code/")),
        teacher.get(url(f"{room.pk}/people/")),
        student.get(url(f"{room.pk}/leave/")),
    ):
        assert "stuv" not in page.content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_sound(language: str, me: Member) -> None:
    room = me.classroom
    Classroom.objects.update(teacher_code="stuvwxyz")
    student, _card = coded(room)
    Members(classroom=room, left=timezone.now(), is_barred=True)
    teacher_of(Classrooms(), learner=me.learner)
    later = teacher_of(room, joined=me.joined + timedelta(days=1))
    teacher, stranger = client_of(me), client_of(Learners())
    pages = [teacher.get(url(f"{room.pk}/{path.format(student=student.pk)}", language)) for path in PAGES]
    pages += [
        client_of(student).get(url(f"{room.pk}/leave/", language)),
        teacher.get(url(f"{room.pk}/leave/", language)),
        teacher.post(url(f"{room.pk}/people/add/", language), {"names": "Lan\n!\nMei"}),
        teacher.post(url(f"{room.pk}/settings/", language), {}),
        stranger.get(url("new/", language)),
        stranger.get(url("join/", language)),
        stranger.get(url(f"join/{room.code}/", language)),
        Client().get(url("join/", language)),
        teacher.get(url(f"{room.pk}/people/{later.pk}/", language)),
        client_of(later).get(url(f"{room.pk}/delete/", language)),
    ]
    for response in pages:
        assert response.status_code == 200
        assert "no-store" in response["Cache-Control"]
        assert_valid(read(response.content.decode()))
