"""Lists of names: read from text and files, looked at line by line, made into students with cards."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import translation

from tests import school
from tests.school import Classrooms, Members, client_of
from tests.test_accounts import LANGUAGES, at_once, sign_in
from tests.test_checker_page import read
from tutor.classes import members, rosters
from tutor.classes.models import Classroom, Member
from tutor.people.models import Account

pytestmark = pytest.mark.django_db


def names(listed: list[rosters.Listed]) -> list[tuple[int, str]]:
    return [(one.number, one.text) for one in listed]


# Reading


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lan\nMei", [(1, "Lan"), (2, "Mei")]),
        ("\nLan\r\n\r\n Mei \r\n", [(2, "Lan"), (4, " Mei ")]),
        ("Smith, John\n李雷", [(1, "Smith, John"), (2, "李雷")]),
    ],
)
def test_a_pasted_list_has_one_name_a_line(text: str, expected: list[tuple[int, str]]) -> None:
    assert names(rosters.from_text(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("李雷\n韩梅梅\n", [(1, "李雷"), (2, "韩梅梅")]),
        ("学号,姓名\n1,李雷\n\n2,韩梅梅\n", [(2, "李雷"), (4, "韩梅梅")]),
        ("Name;Class\nLan;3\nMei;3", [(2, "Lan"), (3, "Mei")]),
        ("no\tNAME\r\n1\tLan\r\n", [(2, "Lan")]),
        ('"Smith, John",3\n"Lan ""Lala""",4', [(1, "Smith, John"), (2, 'Lan "Lala"')]),
        ('"two\nlines",1\nMei,2', [(1, "two\nlines"), (3, "Mei")]),
        ("no,name\n1,Lan\n2\n3,Mei", [(2, "Lan"), (4, "Mei")]),
        ("Lan\u2028Mei", [(1, "Lan\u2028Mei")]),
    ],
)
def test_a_file_is_read_by_its_column_of_names(text: str, expected: list[tuple[int, str]]) -> None:
    listed, _encoding = rosters.from_file(text.encode())
    assert names(listed) == expected


@pytest.mark.parametrize(
    ("encoded", "told"),
    [("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8"), ("gb18030", "GB18030"), ("gbk", "GB18030")],
)
def test_a_file_tells_its_encoding_apart(encoded: str, told: str) -> None:
    listed, encoding = rosters.from_file("姓名\n李雷\n".encode(encoded))
    assert (names(listed), encoding) == ([(2, "李雷")], told)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param("姓名\n李雷".encode("utf-16"), "no text that can be read", id="UTF-16"),
        pytest.param(b"PK\x03\x04\x00\x00\xff\xff", "no text that can be read", id="a workbook"),
        pytest.param(b"Lan\x00Mei", "no text that can be read", id="a null"),
        pytest.param(b'"Lan"x,1', "Line 1 can't be read", id="a broken quotation"),
        pytest.param(b'Lan\n"Mei', "Line 2 can't be read", id="an open quotation"),
        pytest.param(b"", "no name in this list", id="empty"),
        pytest.param(b"name\n \n", "no name in this list", id="a head alone"),
        pytest.param(b"a\n" * 201, "has 201 names", id="too many"),
    ],
)
def test_a_file_that_is_no_list_of_names_is_refused_in_words(data: bytes, why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        rosters.from_file(data)


def test_two_hundred_names_can_be_added_at_once() -> None:
    assert len(rosters.from_text("a\n" * 200)) == 200
    with pytest.raises(ValidationError, match="201"):
        rosters.from_text("a\n" * 201)


# Looking


def test_looking_at_a_list_says_what_becomes_of_each_line_and_keeps_nothing() -> None:
    room = Classrooms()
    Members(classroom=room, name="Mei")
    Members(classroom=room, name="Gone", left=school.START)
    Account.objects.create_user("Lan")
    before = Account.objects.count(), Member.objects.count()
    listed = rosters.from_text("Lan\nＭＥＩ\nlan\n" + "x" * 41 + "\n!!\nGone")
    lines = rosters.look(room, listed)
    assert [(line.number, line.state) for line in lines] == [
        (1, "new"),
        (2, "there"),
        (3, "bad"),
        (4, "bad"),
        (5, "bad"),
        (6, "new"),
    ]
    assert [line.account for line in lines if line.state == "new"] == ["Lan2", "Gone"]
    assert (Account.objects.count(), Member.objects.count()) == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_bad_line_says_why_in_both_languages(language: str) -> None:
    text = "Lan\nlan\n!!\nLa\u202en\n" + "x" * 41
    with translation.override(language):
        lines = rosters.look(Classrooms(), rosters.from_text(text))
        others = [line.why for line in lines if line.state == "bad"]
    assert [line.number for line in lines if line.state == "bad"] == [2, 3, 4, 5]
    assert len(set(others)) == 4
    assert all(others)


def test_what_was_looked_at_is_what_is_made() -> None:
    room = Classrooms()
    listed = rosters.from_text("李雷\n李 雷\n!\nLan")
    lines = rosters.look(room, listed)
    made = rosters.make(room, listed, seen=rosters.mark(room), with_code=timedelta(days=7))
    assert [card.account.name for card in made] == [line.account for line in lines if line.state == "new"]
    kept = room.members.order_by("pk")
    assert [(one.name, one.is_managed, one.is_teacher) for one in kept] == [
        ("李雷", True, False),
        ("李 雷", True, False),
        ("Lan", True, False),
    ]
    assert [one.folded for one in kept] == ["李雷", "李 雷", "lan"]


def test_a_list_made_twice_makes_nobody_twice_even_when_someone_was_renamed() -> None:
    room = Classrooms()
    listed, seen = rosters.from_text("Lan\nMei"), rosters.mark(room)
    rosters.make(room, listed, seen=seen, with_code=None)
    members.rename(room.members.get(name="Lan"), "Lanlan")
    with pytest.raises(rosters.Stale):
        rosters.make(room, listed, seen=seen, with_code=None)
    assert Account.objects.count() == 2


def test_pupils_who_join_by_the_code_meanwhile_do_not_stop_a_list() -> None:
    room = Classrooms()
    seen = rosters.mark(room)
    Members(classroom=room, name="Mei")
    made = rosters.make(room, rosters.from_text("Lan\nMei"), seen=seen, with_code=None)
    assert [card.name for card in made] == ["Lan"]


@pytest.mark.django_db(transaction=True)
def test_a_list_sent_twice_at_once_is_made_once(transactional_db: None) -> None:
    room = Classrooms()
    listed, seen = rosters.from_text("Lan\nMei\nBo"), rosters.mark(room)

    def make() -> int:
        return len(rosters.make(room, listed, seen=seen, with_code=timedelta(days=1)))

    given = at_once(make, make, make)
    assert sorted(map(str, map(type, given))) == sorted(map(str, [int, rosters.Stale, rosters.Stale]))
    assert room.members.count() == Account.objects.count() == 3


# The page


def page(room: Classroom, language: str = "en") -> str:
    return f"/{language}/classes/{room.pk}/people/add/"


@pytest.fixture
def room() -> Classroom:
    """A class with a teacher."""
    return school.teacher_of(Classrooms()).classroom


@pytest.fixture
def teacher(room: Classroom) -> Client:
    """The browser of its teacher."""
    return client_of(room.members.get())


def confirmed(response: HttpResponse, secret: str = "password") -> dict[str, str]:
    """What the form under a list that was looked at sends on."""
    fields = read(response.content.decode()).all("input")
    kept = {field["name"]: field["value"] for field in fields if field["name"] in ("names", "seen")}
    return {**kept, "do": "make", "secret": secret}


@pytest.mark.parametrize("secret", ["password", "1", "7", "30"])
def test_a_pasted_list_becomes_cards_that_let_pupils_in(
    teacher: Client, room: Classroom, secret: str
) -> None:
    looked = teacher.post(page(room), {"names": "Lan Xiaoming\n!!\n李雷"})
    assert Account.objects.count() == 1
    made = teacher.post(page(room), confirmed(looked, secret))
    assert made.status_code == 200
    assert "no-store" in made["Cache-Control"]
    cards = made.context["cards"]
    assert [card.name for card in cards] == ["Lan Xiaoming", "李雷"]
    assert all(card.secret in made.content.decode() for card in cards)
    assert made.content.decode().count('class="qr"') == 2
    days = {card.expires and (card.expires - card.account.login_code.made).days for card in cards}
    assert days == {None if secret == "password" else int(secret)}
    assert sign_in(Client(), cards[0].account.name, cards[0].secret).status_code == 303


def test_sending_the_confirmation_again_makes_nothing_and_says_so(teacher: Client, room: Classroom) -> None:
    looked = teacher.post(page(room), {"names": "Lan\nMei"})
    sent = confirmed(looked, "password")
    first = teacher.post(page(room), sent)
    again = teacher.post(page(room), sent)
    assert len(first.context["cards"]) == 2
    assert again.context["is_stale"]
    assert "Nothing was made this time" in again.content.decode()
    assert not any(card.secret in again.content.decode() for card in first.context["cards"])
    assert room.members.filter(is_managed=True).count() == 2


@pytest.mark.parametrize(
    "sent",
    [{}, {"names": " \n"}, {"names": "a\n" * 201}, {"do": "make", "names": ""}],
    ids=["nothing", "white space", "too many", "nothing to make"],
)
def test_a_list_without_names_is_asked_for_again(
    teacher: Client, room: Classroom, sent: dict[str, str]
) -> None:
    response = teacher.post(page(room), sent)
    assert response.status_code == 200
    assert read(response.content.decode()).by_id("errors")
    assert Account.objects.count() == 1


def test_a_file_is_looked_at_with_the_encoding_it_was_read_in(teacher: Client, room: Classroom) -> None:
    file = SimpleUploadedFile("names.csv", "学号,姓名\n1,李雷\n".encode("gb18030"))
    response = teacher.post(page(room), {"file": file})
    assert "The file was read as GB18030" in response.content.decode()
    assert confirmed(response)["names"] == "李雷"


def test_a_file_that_is_too_large_or_comes_with_names_is_refused(teacher: Client, room: Classroom) -> None:
    large = SimpleUploadedFile("names.csv", b"a" * (100 * 1024 + 1))
    assert "larger than 100 KB" in teacher.post(page(room), {"file": large}).content.decode()
    small = SimpleUploadedFile("names.csv", b"Lan")
    both = teacher.post(page(room), {"file": small, "names": "Mei"}).content.decode()
    assert "one of the two" in both
    assert ">\nMei</textarea>" in both


@pytest.mark.parametrize("secret", ["", "365", "x"])
def test_how_to_sign_in_must_be_chosen_from_the_list(teacher: Client, room: Classroom, secret: str) -> None:
    sent = {"names": "Lan", "seen": "0", "do": "make", "secret": secret}
    response = teacher.post(page(room), sent)
    assert "Choose a first password or a login code" in response.content.decode()
    assert confirmed(response)["names"] == "Lan"
    assert Account.objects.count() == 1


def test_cards_speak_the_language_of_the_class(room: Classroom, teacher: Client) -> None:
    Classroom.objects.update(language="zh-hans")
    sent = {"names": "Lan", "seen": "0", "do": "make", "secret": "7"}
    text = teacher.post(page(room), sent).content.decode()
    assert '<html lang="zh-hans">' in text
    assert "CST" in text
