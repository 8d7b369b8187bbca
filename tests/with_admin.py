"""What operators see and do where ADMIN=1. `test_admin` runs this file so, in a process of its own."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import chromium, event_loop_allowed  # noqa: F401 - a fixture, and what it needs
from tests.school import Accounts, Classrooms, Learners, Members, client_of, teacher_of
from tests.test_checker_page import read
from tutor.classes.models import Classroom, Member
from tutor.people import brakes, known
from tutor.people.models import Account, Brake, Learner
from tutor.practice.models import Attempt

pytestmark = pytest.mark.django_db

ACCOUNTS, CLASSES, BRAKES = "/admin/people/account/", "/admin/classes/classroom/", "/admin/people/brake/"
LOG = "/admin/admin/logentry/"
PASSWORD = "plum blossom 9"


@pytest.fixture
def operator() -> Client:
    """An operator's browser, in which forms must hold their token."""
    client = client_of(Learners(account=Accounts(name="The operator", is_operator=True)))
    client.get("/en/account/")
    return client


def body(response: HttpResponse) -> str:
    assert response.status_code == 200
    return response.content.decode()


def rows(response: HttpResponse) -> int:
    """How many rows a list shows."""
    tables = read(body(response)).all("table")
    return sum(len(table.all("tr")) - 1 for table in tables if table.get("id") == "result_list")


def change(client: Client, account: Account, **form: Any) -> HttpResponse:
    return client.post(f"{ACCOUNTS}{account.pk}/change/", {"is_active": "on", **form})


def answered(member: Member, slot: str = "1:1") -> Attempt:
    """An answer given in a class."""
    return Attempt.objects.create(
        learner=member.learner, classroom=member.classroom, slot=slot, puzzle="p", game="changsha",
        kind="can-win", topic="win/triplet", level=1, question={}, form="f", answer=["secret-answer"],
        is_right=True, at=timezone.now(),
    )  # fmt: skip


def done() -> list[tuple[str, int]]:
    """What the admin's log says: of what, and what was done (2 changed, 3 deleted)."""
    return [(e.object_repr, e.action_flag) for e in LogEntry.objects.order_by("pk")]


# Who finds it


PATHS = ["/admin/", "/admin", "/admin/login/", "/admin/logout/", "/admin/jsi18n/", "/admin/nothing/",
         "/admin/people/", ACCOUNTS, ACCOUNTS[:-1], f"{ACCOUNTS}1/change/", f"{ACCOUNTS}add/", CLASSES,
         BRAKES, LOG, "/admin/autocomplete/", "/admin/password_change/", "/admin/r/1/1/"]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_to_all_but_operators_it_is_not_there(path: str) -> None:
    room = Classrooms()
    closed = Learners(account=Accounts(is_operator=True, is_active=False))
    for who in (None, Learners(), Members(classroom=room), teacher_of(room), closed):
        client = client_of(who, enforce_csrf_checks=True)
        answers = [
            client.get(path),
            client.post(path, {"a": "x"}),
            client.post(path, b"%", content_type="text/x"),
        ]
        answers.append(client.post(path, "a=1&" * 2000, content_type="application/x-www-form-urlencoded"))
        for response in answers:
            assert response.status_code == 404
            assert b"<h1>There is no page at this address</h1>" in response.content


def test_an_operator_signs_in_where_everybody_does_and_finds_it() -> None:
    Account.objects.create_user("Olga", PASSWORD, is_operator=True)
    client = Client()
    assert client.get("/admin/").status_code == 404
    form = {"name": "olga", "password": PASSWORD}
    response = client.post("/en/account/sign-in/?next=/admin/", form)
    assert (response.status_code, response["Location"]) == (303, "/admin/")
    assert "people/account" in body(client.get("/admin/"))
    assert client.get("/admin/login/").status_code == 404
    assert client.get("/admin/password_change/")["Location"] == "/en/account/password/"
    assert client.post("/admin/logout/").status_code == 303
    assert client.get("/admin/").status_code == 404


def test_who_is_an_operator_no_more_finds_nothing_at_once(operator: Client) -> None:
    assert operator.get("/admin/").status_code == 200
    Account.objects.update(is_operator=False)
    assert operator.get("/admin/").status_code == 404


def test_forms_need_their_token() -> None:
    client = client_of(Learners(account=Accounts(is_operator=True)), enforce_csrf_checks=True)
    account = Accounts()
    assert change(client, account, is_active="").status_code == 403
    assert client.post(f"{ACCOUNTS}{account.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.post("/admin/logout/").status_code == 403
    assert Account.objects.get(pk=account.pk).is_active


def test_only_what_operators_need_is_there(operator: Client) -> None:
    links = {a["href"] for a in read(body(operator.get("/admin/"))).by_id("content-main").all("a")}
    assert links == {ACCOUNTS, CLASSES, BRAKES, LOG, "/admin/people/", "/admin/classes/", "/admin/admin/"}


# What a list does not show can't be asked of it, letter by letter.
@pytest.mark.parametrize(
    ("path", "asked"),
    [
        (ACCOUNTS, {"folded__startswith": "a"}),
        (ACCOUNTS, {"q": "1", "password__startswith": "pbkdf2"}),
        (ACCOUNTS, {"q": "1", "folded__gte": "b"}),
        (CLASSES, {"teacher_code__gte": "t"}),
        (CLASSES, {"code__startswith": "c"}),
        (CLASSES, {"members": "2"}),
        (BRAKES, {"tries__gt": "2"}),
        (LOG, {"user__folded__startswith": "a"}),
    ],
)
def test_no_list_tells_by_its_address_what_it_does_not_show(
    operator: Client, path: str, asked: dict[str, str]
) -> None:
    assert operator.get(path, asked).status_code == 400


@pytest.mark.parametrize("path", ["/admin/autocomplete/", "/admin/r/1/1/"])
def test_what_no_page_uses_is_not_there(operator: Client, path: str) -> None:
    assert operator.get(path).status_code == 404


# Accounts


def test_an_account_is_found_by_its_exact_name_or_number_alone(operator: Client) -> None:
    anna, other = Accounts(name="Anna Lin"), Accounts(name="Anna")
    assert rows(operator.get(ACCOUNTS)) == 0
    for asked, count in {
        "": 0, "Ann": 0, "anna": 1, " ANNA  lin": 1, "Anna%": 0, "%": 0, "Lin": 0,
        str(anna.pk): 1, "99999999999999999999999": 0, "1" * 5000: 0, "²": 0,
    }.items():  # fmt: skip
        assert rows(operator.get(ACCOUNTS, {"q": asked})) == count, asked
    assert rows(operator.get(ACCOUNTS, {"all": "", "o": "1"})) == 0
    assert f"{ACCOUNTS}{other.pk}/change/" in body(operator.get(ACCOUNTS, {"q": "anna"}))


def test_a_new_password_ends_the_sessions_and_what_had_to_wait(operator: Client) -> None:
    account = Account.objects.create_user("Anna", PASSWORD)
    theirs = Client()
    form = {"name": "Anna", "password": PASSWORD}
    assert theirs.post("/en/account/sign-in/", form).status_code == 303
    for _ in range(9):
        brakes.missed(known.key("Anna"))
    assert brakes.wait(known.key("Anna"))
    sessions = Session.objects.count()
    for weak in ("short", "password1"):
        assert "errorlist" in body(change(operator, account, new_password=weak))
    assert Session.objects.count() == sessions
    assert change(operator, account, new_password="north wind 12").status_code == 302
    assert Session.objects.count() == sessions - 1
    assert b"You are not signed in" in theirs.get("/en/account/").content
    assert not Brake.objects.exists()
    assert theirs.post("/en/account/sign-in/", form).status_code == 200
    assert theirs.post("/en/account/sign-in/", form | {"password": "north wind 12"}).status_code == 303
    assert done() == [(f"account {account.pk}", 2)]
    assert "north" not in str(LogEntry.objects.values())
    assert "Anna" not in str(LogEntry.objects.values())


def test_an_account_is_closed_and_opened_again(operator: Client) -> None:
    account = Account.objects.create_user("Anna", PASSWORD)
    theirs, form = Client(), {"name": "Anna", "password": PASSWORD}
    theirs.post("/en/account/sign-in/", form)
    assert change(operator, account, is_active="").status_code == 302
    assert b"You are not signed in" in theirs.get("/en/account/").content
    assert theirs.post("/en/account/sign-in/", form).status_code == 200
    assert change(operator, account).status_code == 302
    brakes.cleared(known.key("Anna"))
    assert theirs.post("/en/account/sign-in/", form).status_code == 303
    assert done() == [(f"account {account.pk}", 2)] * 2


def test_a_brake_is_lifted_for_a_name_or_among_all(operator: Client) -> None:
    account = Accounts(name="Anna")
    for _ in range(9):
        brakes.missed(known.key("Anna"), known.key("Ben"))
    page = read(body(operator.get(f"{ACCOUNTS}{account.pk}/change/")))
    (waits,) = page.all("div", "field-waits")
    assert int(re.search(r"\d+", waits.text)[0]) > 0
    assert change(operator, account, lift="on").status_code == 302
    assert (brakes.wait(known.key("Anna")), brakes.wait(known.key("Ben")) > 0) == (0, True)
    (left,) = Brake.objects.all()
    assert left.pk[:12] in body(operator.get(BRAKES))
    form = {"action": "delete_selected", "_selected_action": left.pk, "post": "yes"}
    assert operator.post(BRAKES, form).status_code == 302
    assert brakes.wait(known.key("Ben")) == 0
    assert [flag for _, flag in done()] == [2, 3]


def test_a_deleted_account_is_gone_with_all_that_was_kept(operator: Client) -> None:
    teacher, student = (Account.objects.create_user(name, PASSWORD) for name in ("Tom", "Anna"))
    room = Classrooms(name="The class")
    Members(classroom=room, learner=Learner.objects.create(account=teacher), is_teacher=True)
    member = Members(classroom=room, learner=Learner.objects.create(account=student), name="Anna in class")
    answered(member)
    theirs = Client()
    theirs.post("/en/account/sign-in/", {"name": "Anna", "password": PASSWORD})
    # Whose class would have no teacher left is not deleted.
    page = body(operator.get(f"{ACCOUNTS}{teacher.pk}/delete/"))
    assert "The class" in page
    operator.post(f"{ACCOUNTS}{teacher.pk}/delete/", {"post": "yes"})
    assert Account.objects.filter(pk=teacher.pk).exists()
    page = body(operator.get(f"{ACCOUNTS}{student.pk}/delete/"))
    assert "Anna" not in page
    sessions = Session.objects.count()
    assert operator.post(f"{ACCOUNTS}{student.pk}/delete/", {"post": "yes"}).status_code == 302
    for rows_of, key in ((Account, student.pk), (Learner, member.learner_id), (Member, member.pk)):
        assert not rows_of.objects.filter(pk=key).exists()
    assert not Attempt.objects.exists()
    assert Session.objects.count() == sessions - 1
    assert operator.get("/admin/").status_code == 200  # signed in as before
    assert done() == [(f"account {student.pk}", 3)]


def test_operators_accounts_are_left_alone(operator: Client) -> None:
    other = Accounts(is_operator=True)
    page = body(operator.get(f"{ACCOUNTS}{other.pk}/change/"))
    assert "new_password" not in page
    assert change(operator, other, is_active="", new_password="north wind 12").status_code == 403
    assert operator.post(f"{ACCOUNTS}{other.pk}/delete/", {"post": "yes"}).status_code == 403
    other.refresh_from_db()
    assert (other.is_active, other.has_usable_password()) == (True, Accounts().has_usable_password())
    assert operator.get(f"{ACCOUNTS}add/").status_code == 403
    assert done() == []


# Classes


def test_classes_are_told_by_their_size_and_not_by_who_is_in_them(operator: Client) -> None:
    room = Classrooms(name="Wednesday 班", game="changsha")
    teacher_of(room, name="Teacher's name")
    member = Members(classroom=room, name="Anna in class")
    Members(classroom=room, name="Gone", left=timezone.now())
    answered(member)
    for path in ("", f"{room.pk}/change/", f"{room.pk}/delete/", f"{room.pk}/history/"):
        page = body(operator.get(f"{CLASSES}{path}"))
        assert "Wednesday 班" in page
        for hidden in (
            "Anna",
            "Teacher's name",
            "Gone",
            "secret-answer",
            room.code,
            member.learner.account.name,
        ):
            assert hidden not in page
    (row,) = [tr for tr in read(body(operator.get(CLASSES))).by_id("result_list").all("tr") if tr.all("td")]
    assert [td.text.strip() for td in row.all("td")][:2] == ["Changsha", "2"]
    assert rows(operator.get(CLASSES, {"q": "wednes"})) == 1
    assert rows(operator.get(CLASSES, {"q": "Anna"})) == 0


def test_a_class_goes_into_the_archive_and_out_of_it_and_is_deleted_as_its_teacher_would(
    operator: Client,
) -> None:
    room = Classrooms()
    attempt = answered(Members(classroom=room))
    change_it = f"{CLASSES}{room.pk}/change/"
    for form, kept in (({"in_archive": "on"}, (False, True)), ({"is_open": "on"}, (True, False))):
        assert operator.post(change_it, form).status_code == 302
        room.refresh_from_db()
        assert (room.is_open, room.archived is not None) == kept
    assert operator.post(f"{CLASSES}{room.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Classroom.objects.filter(pk=room.pk).exists()
    attempt.refresh_from_db()
    assert (attempt.classroom_id, attempt.visible) == (None, None)
    assert done() == [(room.name, 2), (room.name, 2), (room.name, 3)]


# How it is shown


def test_what_was_done_can_be_read_and_not_changed(operator: Client) -> None:
    change(operator, Accounts(), is_active="")
    (entry,) = LogEntry.objects.all()
    assert entry.object_repr in body(operator.get(LOG))
    assert operator.post(f"{LOG}{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    assert operator.post(
        LOG, {"action": "delete_selected", "_selected_action": entry.pk, "post": "yes"}
    ).status_code
    assert operator.post(f"{LOG}{entry.pk}/change/", {"object_repr": "x"}).status_code == 403
    assert LogEntry.objects.get() == entry


@pytest.mark.parametrize(("language", "search"), [("en", "Search"), ("zh-hans", "搜索")])
def test_it_speaks_the_language_of_whoever_asks(operator: Client, language: str, search: str) -> None:
    response = operator.get(ACCOUNTS, headers={"accept-language": language})
    page = read(body(response))
    assert page.all("html")[0]["lang"] == language
    assert [f["value"] for f in page.all("input") if f.get("type") == "submit"] == [search]
    assert "Accept-Language" in response["Vary"]
    assert "no-store" in response["Cache-Control"]


def pages(account: Account, room: Classroom) -> list[str]:
    """All kinds of pages."""
    return ["/admin/", "/admin/people/", ACCOUNTS, f"{ACCOUNTS}?q={account.name}", CLASSES, BRAKES, LOG] + [
        f"{path}{kind}/"
        for path in (f"{ACCOUNTS}{account.pk}/", f"{CLASSES}{room.pk}/")
        for kind in ("change", "delete", "history")
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_in_a_browser_our_policy_refuses_nothing_of_it(
    chromium: Browser,  # noqa: F811
    live_server: LiveServer,
    language: str,
) -> None:
    Account.objects.create_user("Olga", PASSWORD, is_operator=True)
    account, room = Account.objects.create_user("Anna", PASSWORD), Classrooms()
    for _ in range(9):
        brakes.missed("something")
    context = chromium.new_context(base_url=live_server.url, locale=language)
    page, faults = context.new_page(), []
    page.on("console", lambda message: faults.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"/{language}/account/sign-in/?next=/admin/")
    page.fill("[name=name]", "Olga")
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url("**/admin/")
    for path in pages(account, room):
        response = page.goto(path)
        assert response is not None
        assert response.status == 200
        assert "script-src 'self'" in response.headers["content-security-policy"]
        assert not page.locator("[style], script:not([src]), style").count(), path
    page.goto(f"{ACCOUNTS}{account.pk}/change/")
    page.fill("[name=new_password]", "north wind 12")
    page.click("[name=_save]")
    page.wait_for_url(f"**{ACCOUNTS}*")
    assert page.locator(".messagelist .success").count() == 1
    page.goto(BRAKES)
    page.check("#action-toggle")
    page.select_option("[name=action]", "delete_selected")
    page.click("[name=index]")
    page.click("input[type=submit]")
    page.wait_for_url(f"**{BRAKES}")
    page.click("button.theme-toggle")
    page.click("#logout-form button")
    page.wait_for_url("**/account/")
    context.close()
    assert faults == []
    account.refresh_from_db()
    assert account.check_password("north wind 12")
    assert not Brake.objects.exists()
    assert settings.ADMIN
