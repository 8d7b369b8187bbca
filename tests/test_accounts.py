"""Accounts: a name and a password, by which somebody goes on learning on any device, and nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from http.cookies import SimpleCookie
from importlib import import_module
from pathlib import Path
from threading import Barrier, Thread
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import LazySettings, settings
from django.contrib.auth import hashers
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.db import connection, connections, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests import school
from tests.test_checker_page import Element, assert_valid, read
from tests.test_progress import LEVEL, SECOND, fail, read_to_the_end, solve
from tutor.classes import boards, dates, handing, members, working
from tutor.classes.models import AFTER_DUE, BY_HAND, Assignment, Classroom, Extension, Member
from tutor.people import accounts, copies, learners
from tutor.people.forms import SignUp
from tutor.people.models import Account, Learner, Progress, SignedIn, folded
from tutor.practice.models import Archived, Attempt, Card, Run
from tutor.puzzles.puzzle import Puzzle

pytestmark = pytest.mark.django_db

NAME, PASSWORD = "Lan Xiaoming", "plum blossom 9"
NOON = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)
LANGUAGES = ("en", "zh-hans")
MORE_TIME = timedelta(days=9)


# What a visitor does


def url(path: str = "", language: str = "en") -> str:
    return f"/{language}/account/{path}"


def sign_up(client: Client, name: str = NAME, password: str = PASSWORD, **more: str) -> HttpResponse:
    language = more.pop("language", "en")
    data = {"name": name, "password": password, "again": password, **more}
    return client.post(url("sign-up/", language), data)


def sign_in(client: Client, name: str = NAME, password: str = PASSWORD, **more: str) -> HttpResponse:
    language = more.pop("language", "en")
    return client.post(url("sign-in/", language), {"name": name, "password": password, **more})


def sign_out(client: Client) -> HttpResponse:
    return client.post(url("sign-out/"))


def leads_to(response: HttpResponse) -> str:
    assert response.status_code == 303
    return response["Location"]


def tree(response: HttpResponse) -> Element:
    assert response.status_code == 200
    return read(response.content.decode())


def errors(response: HttpResponse) -> dict[str, str]:
    """What a form says is wrong, by field, "" for all of it; its summary and its fields say the same."""
    page = tree(response)
    summary = page.by_id("errors")
    assert "autofocus" in summary.attributes
    assert summary["tabindex"] == "-1"
    told = {}
    for item in summary.all("li"):
        (link,) = item.all("a") or [None]
        field = page.by_id(link["href"][1:]) if link else None
        if field is not None:
            assert field["aria-invalid"] == "true"
            assert f"{field['id']}_error" in field["aria-describedby"].split()
            assert item.text in page.by_id(f"{field['id']}_error").text
        told[field["name"] if field else ""] = item.text
    return told


def known_as(client: Client) -> Learner:
    """The learner of a browser's session."""
    return Learner.objects.get(pk=client.session["learner"])


def places(learner: Learner) -> dict[str, bool]:
    return dict(Progress.objects.filter(learner=learner).values_list("place", "is_done"))


def asked(learner: Learner, slot: str = "", **more: Any) -> Attempt:
    """A question of practice, answered rightly."""
    given = {
        "slot": slot or f"slot {Attempt.objects.count()}",
        "puzzle": "changsha/wins/1/7",
        "game": "changsha",
        "kind": "wins",
        "topic": "win/triplet",
        "level": 1,
        "question": {"hand": "123m"},
        "form": "f",
        "answer": ["yes"],
        "is_right": True,
        "at": NOON,
        "rules": "1",
    }
    return Attempt.objects.create(learner=learner, **given | more)


def reviewed(learner: Learner, days: int, topic: str = "win/triplet", **more: Any) -> Card:
    """A rule that comes up for review after so many days."""
    due = NOON + timedelta(days=days)
    given = {"game": "changsha", "kind": "wins", "state": {"days": days}, "missed": NOON}
    return Card.objects.create(learner=learner, topic=topic, due=due, **given | more)


def kept_back_for(member: Member) -> tuple[Assignment, datetime]:
    """An assignment that another in the class has answered and this one has more time for, and from when it
    would be told without."""
    room = member.classroom
    assignment = school.Assignments(classroom=room, reveal=AFTER_DUE, due=NOON)
    school.add_set(assignment, size=1)
    school.answered(school.Members(classroom=room), assignment, [True])
    Extension.objects.create(assignment=assignment, member=member, due=NOON + MORE_TIME)
    working.seal(assignment)
    return assignment, NOON + dates.MINUTE


def played(learner: Learner, **more: Any) -> Run:
    return Run.objects.create(learner=learner, mode="ten", game="changsha", seed=7, started=NOON, **more)


# Signing up, in and out


def test_an_account_is_a_name_and_a_password_and_is_signed_in_at_once(client: Client) -> None:
    assert leads_to(sign_up(client)) == url()
    account = Account.objects.get()
    assert (account.name, account.check_password(PASSWORD)) == (NAME, True)
    assert account.learner == known_as(client)
    page = tree(client.get(url()))
    assert NAME in page.text
    assert "Your account is made" in page.text
    assert "Your account is made" not in tree(client.get(url())).text
    assert {field.name for field in Account._meta.concrete_fields} == {
        "id",
        "name",
        "folded",
        "password",
        "created",
        "last_login",
        "is_operator",
        "is_active",
    }


def test_what_a_guest_did_stays_theirs_when_they_sign_up(client: Client, shelved: None) -> None:
    solve(client, LEVEL)
    guest = known_as(client)
    before = client.cookies["sessionid"].value
    sign_up(client)
    assert known_as(client) == guest == Account.objects.get().learner
    assert Learner.objects.count() == 1
    assert places(guest) == {LEVEL: True}
    assert client.cookies["sessionid"].value != before
    assert not Session.objects.filter(pk=before).exists()


def test_signing_out_leaves_nothing_in_the_browser_and_signing_in_brings_it_back(
    client: Client, shelved: None
) -> None:
    solve(client, LEVEL)
    sign_up(client)
    learner = known_as(client)
    assert leads_to(sign_out(client)) == url()
    assert dict(client.session) == {}
    assert not Session.objects.exists()
    assert not SignedIn.objects.exists()
    assert NAME not in tree(client.get(url())).text
    assert 'id="kept-here"' not in client.get("/en/learn/").content.decode()
    other = Client()
    for browser in (client, other):
        assert leads_to(sign_in(browser, language="zh-hans")) == url(language="zh-hans")
        assert known_as(browser) == learner
    assert Learner.objects.count() == 1
    assert "接着学" in tree(other.get(url(language="zh-hans"))).text


def test_what_is_done_anywhere_is_seen_everywhere(client: Client, shelved: None) -> None:
    sign_up(client)
    other = Client()
    sign_in(other)
    solve(client, LEVEL)
    read_to_the_end(other, SECOND.place)
    assert places(Account.objects.get().learner) == {LEVEL: True, SECOND.place: True}
    assert Learner.objects.count() == 1


def test_a_guest_stays_who_they_are_when_they_sign_out(client: Client, shelved: None) -> None:
    solve(client, LEVEL)
    guest = known_as(client)
    sign_out(client)
    assert known_as(client) == guest


def test_who_is_signed_in_needs_no_form_for_it(client: Client) -> None:
    sign_up(client)
    for path in ("sign-up/", "sign-in/"):
        assert leads_to(client.get(url(path))) == url()
        assert leads_to(client.post(url(path), {"name": "Somebody", "password": "x"})) == url()
        assert leads_to(client.get(url(path), {"next": "/en/check/"})) == "/en/check/"
    assert Account.objects.count() == 1


def test_to_look_around_makes_no_session(client: Client) -> None:
    for language in LANGUAGES:
        for path in ("", "sign-up/", "sign-in/", "data/"):
            assert client.get(url(path, language)).status_code == 200
            assert client.head(url(path, language)).status_code == 200
    assert "sessionid" not in client.cookies
    assert not Session.objects.exists()
    assert not Learner.objects.exists()


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_are_sound_and_kept_by_no_cache(client: Client, shelved: None, language: str) -> None:
    wrong = {"name": "<b>&", "password": "12345678"}
    responses = [
        client.get(url(path, language)) for path in ("", "sign-up/", "sign-in/", "sign-in/?next=/en/check/")
    ]
    responses += [client.post(url(path, language), wrong) for path in ("sign-up/", "sign-in/")]
    solve(client, LEVEL)
    responses += [client.get(url(path, language)) for path in ("", "sign-up/", "sign-in/")]
    sign_up(client)
    responses += [client.get(url(path, language)) for path in ("", "password/", "delete/")]
    responses += [client.post(url(path, language), wrong) for path in ("password/", "delete/")]
    responses.append(client.post(url("delete/", language), {"old": PASSWORD}))
    for response in responses:
        assert_valid(tree(response))
        assert "no-store" in response["Cache-Control"]
        assert "12345678" not in response.content.decode()


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        (
            "sign-up/",
            {"name": "username", "password": "new-password", "again": "new-password"},
        ),
        ("sign-in/", {"name": "username", "password": "current-password"}),
        (
            "password/",
            {
                "name": "username",
                "old": "current-password",
                "password": "new-password",
                "again": "new-password",
            },
        ),
        ("delete/", {"name": "username", "old": "current-password"}),
    ],
)
def test_password_managers_are_told_what_is_what(client: Client, path: str, fields: dict[str, str]) -> None:
    if path in ("password/", "delete/"):
        sign_up(client)
    (form,) = tree(client.get(url(path))).all("form")
    found = {e["name"]: e["autocomplete"] for e in form.all("input") if e.get("autocomplete")}
    assert found == fields
    for field in fields:
        (control,) = form.field(field)
        assert (control["type"] == "password") == (field != "name")
        labels = [e for e in form.all("label") if e.get("for") == control.get("id") or control in e.children]
        assert [bool(label.text) for label in labels] == [True]


# What can't be


TOO_LONG = "x" * 41
MISTAKES: dict[str, tuple[dict[str, str], str, str, str]] = {
    "no name": ({"name": " 　"}, "name", "Choose a name.", "请起个名字。"),
    "short name": ({"name": "兰"}, "name", "A name has at least 2 characters.", "名字至少要2个字。"),
    "long name": ({"name": TOO_LONG}, "name", "A name has at most 40 characters.", "名字最多40个字。"),
    "other characters": (
        {"name": "lan@home"},
        "name",
        "A name is made of letters, digits, Chinese characters, spaces and . _ - alone.",
        "名字里只能有汉字、字母、数字、空格和 . _ -。",
    ),
    "what can't be seen": (
        {"name": "lan\u200bmei"},
        "name",
        "A name is made of letters, digits, Chinese characters, spaces and . _ - alone.",
        "名字里只能有汉字、字母、数字、空格和 . _ -。",
    ),
    "no letter": (
        {"name": ".-_."},
        "name",
        "A name needs a letter, a digit or a Chinese character.",
        "名字里总得有个汉字、字母或数字。",
    ),
    "taken": (
        {"name": "ＴＡＫＥＮ  name"},
        "name",
        "This name is taken. Choose another, or sign in if it is yours.",
        "这个名字已经有人用了。换一个，或者直接登录（如果是你的）。",
    ),
    "no password": ({"password": "", "again": PASSWORD}, "password", "Choose a password.", "请设一个密码。"),
    "short password": (
        {"password": "zq7 kfw", "again": "zq7 kfw"},
        "password",
        "Take at least 8 characters for the password.",
        "密码至少要8位。",
    ),
    "common password": (
        {"password": "iloveyou1", "again": "iloveyou1"},
        "password",
        "This password is one of the first that anybody would guess. Choose another.",
        "这个密码太常见，一猜就中，换一个吧。",
    ),
    "password like the name": (
        {"password": "lanxiaoming", "again": "lanxiaoming"},
        "password",
        "This password is too much like your name. Choose another.",
        "密码跟名字太像，换一个吧。",
    ),
    "password once": ({"again": ""}, "again", "Type the password a second time.", "请把密码再输一遍。"),
    "two passwords": (
        {"again": PASSWORD.upper()},
        "again",
        "The two passwords differ. Type them once more.",
        "两遍密码不一样，请重新输入。",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mistake_is_told_at_its_field_and_the_name_stays_typed(
    client: Client, mistake: str, language: str
) -> None:
    Account.objects.create_user("Taken Name", PASSWORD)
    given, field, *words = MISTAKES[mistake]
    response = sign_up(client, language=language, **{"name": "Lan Xiaoming"} | given)
    assert errors(response) == {field: words[LANGUAGES.index(language)]}
    page = tree(response)
    assert page.by_id("id_name").get("value") == (given.get("name", "Lan Xiaoming") or None)
    assert not page.by_id("id_password").get("value")
    assert not page.by_id("id_again").get("value")
    assert Account.objects.count() == 1
    assert "sessionid" not in client.cookies


@pytest.mark.parametrize("other", ["lan xiaoming", "LAN XIAOMING", "Ｌan Xiaoming", " Lan   Xiaoming　"])
def test_a_name_written_otherwise_is_the_same_name(client: Client, other: str) -> None:
    sign_up(client)
    assert list(errors(sign_up(Client(), name=other))) == ["name"]
    assert leads_to(sign_in(Client(), name=other)) == url()


@pytest.mark.parametrize("name", ["兰小明", "Łucja", "x2", "a.b_c-d", "蘭 2", "Ｌａｎ", "ß" * 40, "Ян"])
def test_names_of_many_kinds_are_names(client: Client, name: str) -> None:
    assert leads_to(sign_up(client, name=name)) == url()
    assert Account.objects.get().folded == folded(name)
    assert leads_to(sign_in(Client(), name=name)) == url()


@pytest.mark.parametrize("language", LANGUAGES)
def test_whether_the_name_or_the_password_is_wrong_is_not_said(client: Client, language: str) -> None:
    Account.objects.create_user(NAME, PASSWORD)
    Account.objects.create_user("Resting", PASSWORD, is_active=False)
    words = {
        "en": "There is no account with this name and this password. Capital letters count in a password.",
        "zh-hans": "名字或密码不对。密码分大小写。",
    }
    for name, password in (
        (NAME, PASSWORD.upper()),
        (NAME, f" {PASSWORD}"),
        ("Nobody", PASSWORD),
        ("Resting", PASSWORD),
        ("x" * 100_000, PASSWORD),
        (NAME, "x" * 100_000),
    ):
        response = sign_in(client, name, password, language=language)
        assert errors(response) == {"": words[language]}
        assert tree(response).by_id("id_name")["value"] == name
        assert not tree(response).by_id("id_password").get("value")
    empty = {"en": ["Type your name.", "Type your password."], "zh-hans": ["请输入名字。", "请输入密码。"]}
    assert list(errors(sign_in(client, "", "", language=language)).values()) == empty[language]
    assert "sessionid" not in client.cookies


def test_a_wrong_name_takes_as_long_as_a_wrong_password(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    Account.objects.create_user(NAME, PASSWORD)
    hashed = []
    encode = hashers.MD5PasswordHasher.encode

    def counted(self: Any, *args: Any, **kwargs: Any) -> str:
        hashed.append(args)
        return encode(self, *args, **kwargs)

    monkeypatch.setattr(hashers.MD5PasswordHasher, "encode", counted)
    for name in (NAME, "Nobody"):
        hashed.clear()
        sign_in(client, name, "wrong password")
        assert len(hashed) == 1


@pytest.mark.parametrize("path", ["sign-up/", "sign-in/"])
@pytest.mark.parametrize(
    "told",
    [
        "https://elsewhere.example/",
        "//elsewhere.example",
        "///elsewhere.example",
        "/\\elsewhere.example",
        "\\\\elsewhere.example",
        "http:elsewhere.example",
        "javascript:alert(1)",
        "http://testserver@elsewhere.example/",
        " https://elsewhere.example",
        "\x00/en/learn/",
        "/en/" + "x" * 5000,
        "",
    ],
)
def test_a_form_leads_to_no_other_site(client: Client, path: str, told: str) -> None:
    page = tree(client.get(url(path), {"next": told}))
    assert page.field("next") == []
    if path == "sign-in/":
        Account.objects.create_user(NAME, PASSWORD)
    act = sign_in if path == "sign-in/" else sign_up
    assert leads_to(act(client, next=told)) == url()


@pytest.mark.parametrize("act", [sign_in, sign_up])
def test_a_form_leads_back_to_where_it_was_asked_for(client: Client, act: Callable[..., Any]) -> None:
    path, target = ("sign-in/" if act is sign_in else "sign-up/"), "/en/settle/?n=1&m=二"
    if act is sign_in:
        Account.objects.create_user(NAME, PASSWORD)
    page = tree(client.get(url(path), {"next": target}))
    (field,) = page.field("next")
    assert field["value"] == target
    query = urlencode({"next": target})
    links = {link["href"] for link in page.all("a")}
    assert {f"/zh-hans/account/{path}?{query}"} <= links
    assert any(link.startswith("/en/account/sign-") and link.endswith(query) for link in links)
    (still,) = tree(act(client, name="", next=target)).field("next")
    assert still["value"] == target
    assert leads_to(act(client, next=target)) == "/en/settle/?n=1&m=%E4%BA%8C"


def test_what_only_somebody_signed_in_may_do_asks_others_to_sign_in(client: Client) -> None:
    for path in ("password/", "delete/"):
        for method in (client.get, client.post):
            response = method(url(path))
            assert response.status_code == 302
            assert response["Location"] == f"/en/account/sign-in/?next=/en/account/{path}"


def test_another_site_signs_nobody_in_up_or_out(client: Client) -> None:
    Account.objects.create_user(NAME, PASSWORD)
    strict = Client(enforce_csrf_checks=True)
    assert sign_in(strict).status_code == 403
    assert sign_up(strict, name="Another").status_code == 403
    strict.get(url("sign-in/"))
    token = strict.cookies["csrftoken"].value
    assert leads_to(sign_in(strict, csrfmiddlewaretoken=token)) == url()
    assert strict.cookies["csrftoken"].value != token
    data = {"old": PASSWORD, "password": "another one", "again": "another one"}
    for path in ("sign-out/", "password/", "delete/"):
        assert strict.post(url(path), data).status_code == 403
    for path in ("sign-out/", "data/"):
        method = strict.get if path == "sign-out/" else strict.post
        assert method(url(path)).status_code in (403, 405)
    assert Account.objects.get().check_password(PASSWORD)
    assert strict.session["learner"]


# Guest and account made one


def test_merging_knows_everything_that_belongs_to_a_learner() -> None:
    belongs = {relation.related_model for relation in Learner._meta.related_objects}
    only_with_an_account = {Member}
    assert belongs - only_with_an_account == {Progress, Attempt, Archived, Run, Card, Learner}


def guest_and_account(client: Client) -> tuple[Learner, Learner]:
    """The learner of a browser, and that of an account that it is about to sign in to."""
    Account.objects.create_user(NAME, PASSWORD)
    mine = Learner.objects.create(account=Account.objects.get())
    guest = Learner.objects.create()
    session = client.session
    session["learner"] = guest.pk
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return guest, mine


@pytest.mark.parametrize("theirs", [None, (False, 0), (True, 0), (False, 2), (True, 2)])
@pytest.mark.parametrize("mine", [None, (False, 1), (True, 1)])
def test_done_stays_done_and_the_latest_time_counts(
    client: Client, theirs: tuple[bool, int] | None, mine: tuple[bool, int] | None
) -> None:
    guest, into = guest_and_account(client)
    for learner, state in ((guest, theirs), (into, mine)):
        Progress.objects.create(learner=learner, place=f"of {learner.pk}", at=NOON)
        if state:
            done, day = state
            at = NOON + timedelta(days=day)
            Progress.objects.create(learner=learner, place="changsha/birds", is_done=done, at=at)
    sign_in(client)
    states = [state for state in (theirs, mine) if state]
    rows = Progress.objects.filter(learner=into)
    assert Progress.objects.count() == rows.count() == 2 + bool(states)
    if states:
        row = rows.get(place="changsha/birds")
        assert row.is_done == any(done for done, _ in states)
        assert row.at == NOON + timedelta(days=max(day for _, day in states))


def test_every_answer_is_kept_also_where_both_answered_the_same(client: Client) -> None:
    guest, mine = guest_and_account(client)
    most = Attempt._meta.get_field("slot").max_length
    long = "d" * most
    rounds = [played(guest), played(mine)]
    kept = [
        asked(guest, f"{rounds[0].pk}:1", run=rounds[0], number=1),
        asked(guest, "daily", answer=["no"], is_right=False),
        asked(mine, "daily"),
        asked(guest, long),
        asked(mine, long),
    ]
    sign_in(client)
    assert set(Attempt.objects.filter(learner=mine)) == set(kept)
    assert set(Run.objects.filter(learner=mine)) == set(rounds)
    slots = {attempt.pk: attempt.slot for attempt in Attempt.objects.all()}
    assert slots[kept[0].pk] == f"{rounds[0].pk}:1"
    assert (slots[kept[1].pk], slots[kept[2].pk]) == (f"daily~{kept[1].pk}", "daily")
    assert slots[kept[4].pk] == long
    assert slots[kept[3].pk] == f"{long[: most - 1 - len(str(kept[3].pk))]}~{kept[3].pk}"
    assert Attempt.objects.get(pk=kept[1].pk).answer == ["no"]


def test_a_rule_to_review_comes_up_as_early_as_for_either(client: Client) -> None:
    guest, mine = guest_and_account(client)
    for learner, late in ((guest, 5), (mine, 2)):
        reviewed(learner, late, "mine is earlier")
        reviewed(learner, 7 - late, "theirs is earlier")
        reviewed(learner, 3, "both at once", state={"of": learner.pk})
        reviewed(learner, 1, f"of {learner.pk}")
        reviewed(learner, 1, "one topic", kind=f"kind {learner.pk}")
    sign_in(client)
    cards = {(card.topic, card.kind): card for card in Card.objects.filter(learner=mine)}
    assert len(cards) == Card.objects.count() == 7
    for topic in ("mine is earlier", "theirs is earlier"):
        assert cards[topic, "wins"].due == NOON + timedelta(days=2)
        assert cards[topic, "wins"].state == {"days": 2}
    assert cards["both at once", "wins"].state == {"of": mine.pk}


@pytest.mark.parametrize("setting", ["reviews", "hides_rating"])
@pytest.mark.parametrize(("theirs", "mine"), [(True, False), (False, True), (False, False)])
def test_a_setting_of_either_holds(client: Client, setting: str, theirs: bool, mine: bool) -> None:
    guest, into = guest_and_account(client)
    for learner, value in ((guest, theirs), (into, mine)):
        Learner.objects.filter(pk=learner.pk).update(**{setting: value})
    sign_in(client)
    into.refresh_from_db()
    assert getattr(into, setting) == (theirs or mine)


def test_the_guest_stays_as_a_sign_to_the_account(client: Client) -> None:
    guest, mine = guest_and_account(client)
    sign_in(client)
    guest.refresh_from_db()
    assert guest.merged_into == mine
    assert known_as(client) == mine
    with transaction.atomic():
        assert learners.resolve(guest.pk) == learners.resolve(mine.pk) == mine
        assert learners.resolve(mine.pk + guest.pk) is None


def test_a_merge_of_much_takes_no_more_queries_than_one_of_little(client: Client) -> None:
    used = []
    for many in (3, 150):
        Account.objects.all().delete()
        Learner.objects.all().delete()
        guest, mine = guest_and_account(browser := Client())
        for learner in (guest, mine):
            Progress.objects.bulk_create(
                Progress(learner=learner, place=f"place {n}", at=NOON) for n in range(many)
            )
            for n in range(many):
                asked(learner, f"{learner.pk}:{n}")
                reviewed(learner, learner.pk + n, f"topic {n}")
        with CountedQueries() as counted:
            sign_in(browser)
        used.append(counted.number)
    assert used[0] == used[1]


class CountedQueries:
    """How many queries are made while it is open."""

    number = 0

    def __enter__(self) -> CountedQueries:
        self._wrapper = connection.execute_wrapper(self._count)
        self._wrapper.__enter__()
        return self

    def __exit__(self, *args: Any) -> None:
        self._wrapper.__exit__(*args)

    def _count(self, execute: Any, *args: Any) -> Any:
        self.number += 1
        return execute(*args)


def test_who_switches_accounts_in_a_browser_mixes_nothing(client: Client, shelved: None) -> None:
    sign_up(client)
    solve(client, LEVEL)
    sign_out(client)
    sign_up(client, name="Another")
    assert places(known_as(client)) == {}
    sign_in(other := Client())
    assert places(known_as(other)) == {LEVEL: True}
    for account in Account.objects.all():
        account.set_password("another one")
        account.save()
    # Another is signed in here still, though not known any more.
    assert leads_to(sign_in(client, password="another one")) == url()
    assert places(known_as(client)) == {LEVEL: True}
    assert not Learner.objects.exclude(merged_into=None).exists()


def test_an_account_is_never_merged_into_another(client: Client) -> None:
    guest, mine = guest_and_account(client)
    Progress.objects.create(learner=guest, place="changsha/birds", at=NOON)
    owner = Account.objects.create_user("Another", PASSWORD)
    Learner.objects.filter(pk=guest.pk).update(account=owner)
    for account in (mine.account, owner):
        assert account
        assert accounts.sign_in(with_session(client), account)
    assert places(mine) == {}
    assert places(owner.learner) == {"changsha/birds": False}
    assert not Learner.objects.exclude(merged_into=None).exists()


def test_a_guest_is_merged_once(client: Client) -> None:
    _guest, mine = guest_and_account(client)
    again = with_session(client)
    sign_in(client)
    asked(mine, "daily")
    account = mine.account
    assert account
    assert accounts.sign_in(again, account)
    assert learners.of(again) == mine.pk
    assert Attempt.objects.get().slot == "daily"


def test_a_name_that_is_taken_at_that_very_moment_is_taken(
    client: Client, monkeypatch: pytest.MonkeyPatch, shelved: None
) -> None:
    solve(client, LEVEL)
    Account.objects.create_user(NAME, PASSWORD)
    monkeypatch.setattr(SignUp, "clean_name", lambda form: form.cleaned_data["name"])
    assert "This name is taken." in errors(sign_up(client))["name"]
    assert places(known_as(client)) == {LEVEL: True}
    assert known_as(client).account is None
    assert "Kept in this browser only." in tree(client.get("/en/learn/")).text


# What is under way meanwhile


def with_session(client: Client) -> HttpRequest:
    """A request of a browser whose session is read, but which has done nothing yet."""
    request = RequestFactory().post("/")
    store = import_module(settings.SESSION_ENGINE).SessionStore
    request.session = store(client.cookies[settings.SESSION_COOKIE_NAME].value)
    request.user = AnonymousUser()
    learners.of(request)
    return request


def test_an_answer_that_was_under_way_lands_with_the_account(client: Client, shelved: None) -> None:
    Account.objects.create_user(NAME, PASSWORD)
    fail(client, LEVEL)
    requests = [with_session(client) for _ in range(2)]
    sign_in(client)
    learners.note(requests[0], LEVEL, is_done=True)
    learners.note(requests[1], SECOND.place, is_done=False)
    account = Account.objects.get().learner
    assert places(account) == {LEVEL: True, SECOND.place: False}
    assert Progress.objects.exclude(learner=account).count() == 0
    assert learners.done(requests[0]).places == places(account)
    assert not requests[0].session.modified
    assert Learner.objects.count() == 2


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Does several things in as many threads that begin together; what each gave back, or raised."""
    gate, given = Barrier(len(acts)), [None] * len(acts)

    def run(number: int) -> None:
        gate.wait()
        try:
            given[number] = acts[number]()
        except Exception as error:
            given[number] = error
        finally:
            connections.close_all()

    threads = [Thread(target=run, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return given


class Guest:
    """A browser in which something was done, and some more requests of it that come at once."""

    def __init__(self) -> None:
        self.client = Client()
        request = RequestFactory().post("/")
        request.session = self.client.session
        learners.note(request, "changsha/tiles", is_done=False)
        request.session.save()
        self.client.cookies[settings.SESSION_COOKIE_NAME] = request.session.session_key
        self.learner = known_as(self.client)

    def notes(self, *places: str) -> list[Callable[[], None]]:
        """Each place is noted as done by a request that has read its session already."""
        acts = []
        for place in places:
            request = with_session(self.client)
            acts.append(lambda request=request, place=place: learners.note(request, place, is_done=True))
        return acts


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("transactional_db")
class TestAtOnce:
    """Several requests at the same time."""

    @pytest.mark.parametrize("turn", range(5))
    def test_no_answer_is_lost_while_somebody_signs_in(self, turn: int) -> None:
        Account.objects.create_user(NAME, PASSWORD)
        guest = Guest()
        where = ["changsha/tiles", *(f"changsha/place-{n}" for n in range(5))]
        acts = guest.notes(*where)
        acts.insert(turn, lambda: sign_in(guest.client))
        results = at_once(*acts)
        assert leads_to(results.pop(turn)) == url()
        assert results == [None] * len(where)
        account = Account.objects.get().learner
        assert places(account) == dict.fromkeys(where, True)
        assert Progress.objects.count() == len(where)
        assert Learner.objects.count() == 2

    def test_no_answer_is_lost_while_somebody_signs_up(self) -> None:
        guest = Guest()
        where = [f"changsha/place-{n}" for n in range(4)]
        results = at_once(lambda: sign_up(guest.client), *guest.notes(*where))
        assert leads_to(results[0]) == url()
        assert places(Account.objects.get().learner) == {
            "changsha/tiles": False,
            **dict.fromkeys(where, True),
        }

    def test_two_presses_sign_in_once(self) -> None:
        Account.objects.create_user(NAME, PASSWORD)
        guest = Guest()
        again = Client()
        again.cookies = SimpleCookie(guest.client.cookies.output(header=""))
        again.cookies[settings.SESSION_COOKIE_NAME] = guest.client.cookies["sessionid"].value
        results = at_once(lambda: sign_in(guest.client), lambda: sign_in(again))
        assert {response.status_code for response in results} == {303}
        account = Account.objects.get().learner
        assert places(account) == {"changsha/tiles": False}
        assert Learner.objects.count() == 2

    def test_several_browsers_join_one_account(self) -> None:
        Account.objects.create_user(NAME, PASSWORD)
        guests = [Guest() for _ in range(4)]
        for guest in guests:
            asked(guest.learner, "daily")
        at_once(*(lambda client=guest.client: sign_in(client) for guest in guests))
        account = Account.objects.get().learner
        assert places(account) == {"changsha/tiles": False}
        assert Attempt.objects.filter(learner=account).count() == 4
        assert {known_as(guest.client) for guest in guests} == {account}

    def test_a_name_is_given_once(self) -> None:
        browsers = [Client() for _ in range(4)]
        results = at_once(*(lambda client=client: sign_up(client) for client in browsers))
        assert sorted(response.status_code for response in results) == [200, 200, 200, 303]
        assert Account.objects.count() == Learner.objects.count() == 1
        refused = [response for response in results if response.status_code == 200]
        assert all("This name is taken." in errors(response)["name"] for response in refused)


def test_who_signs_in_while_the_password_changes_is_asked_again(client: Client) -> None:
    sign_up(Client())
    before = Account.objects.get()
    changed = Account.objects.get()
    changed.set_password("another one")
    changed.save()
    request = RequestFactory().post("/")
    request.session = client.session
    assert not accounts.sign_in(request, before)
    changed.delete()
    assert not accounts.sign_in(request, before)


# A new password


def test_a_new_password_signs_out_all_others(client: Client, shelved: None) -> None:
    sign_up(client)
    solve(client, LEVEL)
    others = [Client(), Client()]
    for other in others:
        sign_in(other)
    key = client.cookies["sessionid"].value
    new = "bamboo and rain"
    data = {"old": PASSWORD, "password": new, "again": new}
    assert leads_to(client.post(url("password/"), data)) == url()
    assert client.cookies["sessionid"].value != key
    assert "Your password is changed." in tree(client.get(url())).text
    assert places(known_as(client)) == {LEVEL: True}
    assert Session.objects.count() == SignedIn.objects.count() == 1
    for other in others:
        # Neither read nor written, on the pages too that never look at the account.
        assert "You have seen" not in other.get("/en/learn/").content.decode()
        solve(other, SECOND.levels[0].place)
        assert NAME not in tree(other.get(url())).text
    assert places(known_as(client)) == {LEVEL: True}
    assert list(errors(sign_in(Client()))) == [""]
    assert leads_to(sign_in(Client(), password=new)) == url()
    # Again, now that this session has another key.
    data = {"old": new, "password": PASSWORD, "again": PASSWORD}
    assert leads_to(client.post(url("password/"), data)) == url()
    assert Session.objects.filter(pk__in=SignedIn.objects.values("session")).count() == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_password_needs_the_one_before_and_is_hard_to_guess(client: Client, language: str) -> None:
    sign_up(client)
    new = "bamboo and rain"
    for data, fields in (
        ({"old": "wrong", "password": new, "again": new}, ["old"]),
        ({"password": new, "again": new}, ["old"]),
        ({"old": PASSWORD, "password": new, "again": f"{new}."}, ["again"]),
        ({"old": PASSWORD, "password": "short", "again": "short"}, ["password"]),
        ({"old": PASSWORD, "password": "lan xiaoming", "again": "lan xiaoming"}, ["password"]),
        ({}, ["old", "password", "again"]),
    ):
        assert list(errors(client.post(url("password/", language), data))) == fields
    words = {"en": "This is not your password. Capital letters count.", "zh-hans": "密码不对。密码分大小写。"}
    assert errors(client.post(url("delete/", language), {"old": new})) == {"old": words[language]}
    assert Account.objects.get().check_password(PASSWORD)


def test_a_session_whose_password_was_changed_behind_its_back_shows_nothing(
    client: Client, shelved: None
) -> None:
    sign_up(client)
    solve(client, LEVEL)
    for change in ({"password": hashers.make_password("another one")}, {"is_active": False}):
        sign_in(browser := Client())
        Account.objects.update(**change)
        assert json.loads(browser.get(url("data/")).getvalue())["progress"] == []
        assert "none of your learning is kept" in tree(browser.get(url())).text
        Account.objects.update(password=hashers.make_password(PASSWORD))


# To take away, and to have gone


def test_a_copy_holds_all_that_is_kept_and_nothing_of_others(client: Client) -> None:
    sign_up(client)
    sign_up(Client(), name="Stranger")
    mine, theirs = (account.learner for account in Account.objects.order_by("pk"))
    for learner, place in ((mine, "changsha/birds"), (theirs, "changchun/tiles")):
        Progress.objects.create(learner=learner, place=place, is_done=True, at=NOON)
        a_round = played(learner, spec={"topics": [place]}, ended=NOON)
        asked(learner, run=a_round, number=1, seconds=12, help=2, answer=["东", place])
        asked(learner, answer=None, is_right=None, at=None)
        reviewed(learner, 3, place)
    Learner.objects.filter(pk=mine.pk).update(reviews=True)
    response = client.get(url("data/"))
    assert response["Content-Disposition"] == 'attachment; filename="paili-data.json"'
    assert response["Content-Type"] == "application/json"
    text = response.getvalue().decode()
    told = json.loads(text)
    noon = "2026-05-04T12:30:00+00:00"
    account = Account.objects.get(name=NAME)
    assert account.last_login is not None
    assert told["account"] == {
        "name": NAME,
        "created": account.created.isoformat(),
        "last_sign_in": account.last_login.isoformat(),
        "login_code": None,
    }
    assert told["since"] == mine.created.isoformat()
    assert told["settings"] == {"reviews": True, "hides_rating": False}
    assert told["progress"] == [{"place": "changsha/birds", "done": True, "at": noon}]
    (a_round,) = told["runs"]
    assert a_round | {"run": 0} == {
        "run": 0,
        "mode": "ten",
        "game": "changsha",
        "asked": {"topics": ["changsha/birds"]},
        "seed": 7,
        "started": noon,
        "ended": noon,
    }
    first, second = told["attempts"]
    assert first == {
        "puzzle": "changsha/wins/1/7",
        "game": "changsha",
        "kind": "wins",
        "topic": "win/triplet",
        "level": 1,
        "run": a_round["run"],
        "number": 1,
        "question": {"hand": "123m"},
        "answer": ["东", "changsha/birds"],
        "right": True,
        "help": 2,
        "seconds": 12,
        "at": noon,
        "rules": "1",
        "class": None,
    }
    assert [second[key] for key in ("answer", "right", "at", "run")] == [None] * 4
    assert second["topic"] == "win/triplet"
    (card,) = told["cards"]
    assert (card["topic"], card["due"]) == ("changsha/birds", "2026-05-07T12:30:00+00:00")
    assert "东" in text
    assert not [word for word in ("changchun/tiles", "Stranger", "md5", account.password) if word in text]


def test_a_copy_leaves_out_only_what_nobody_needs() -> None:
    told = {model: set(fields.values()) for _, model, fields in copies._ROWS}
    left = {
        Progress: {"id"},
        Run: set(),
        Attempt: {"id", "slot", "form", "work", "asked", "board", "visible"},
        Archived: {"id", "whose"},
        Card: {"id"},
        Member: {"id", "folded", "is_managed", "is_barred"},
    }
    fields_of = {
        "pk": "id",
        "right": "is_right",
        "told_topic": "topic",
        "classroom__name": "classroom",
    }
    assert set(told) == {r.related_model for r in Learner._meta.related_objects} - {Learner}
    for model, fields in told.items():
        kept = {field.name for field in model._meta.concrete_fields} - {"learner"}
        assert kept - left[model] == {fields_of.get(name, name) for name in fields}, model


def test_a_copy_tells_of_classes_and_not_what_they_keep_back(client: Client) -> None:
    sign_up(client)
    mine = Account.objects.get().learner
    given = {"language": "en", "time_zone": "UTC"}
    rooms = [Classroom.objects.create(name=f"Class {n}", code=str(n), **given) for n in range(2)]
    Member.objects.create(classroom=rooms[0], learner=mine, name="Lan", joined=NOON)
    stranger = Learner.objects.create(account=Account.objects.create_user("Stranger"))
    Member.objects.create(classroom=rooms[1], learner=stranger, name="Stranger", joined=NOON)
    now = timezone.now()
    for visible in (None, now - timedelta(minutes=1), now + timedelta(minutes=1)):
        asked(mine, classroom=rooms[0], visible=visible)
    told = json.loads(client.get(url("data/")).getvalue())
    assert told["classes"] == [
        {
            "class": "Class 0",
            "name": "Lan",
            "teacher": False,
            "joined": "2026-05-04T12:30:00+00:00",
            "left": None,
        }
    ]
    assert [row["class"] for row in told["attempts"]] == ["Class 0"] * 3
    assert [row["right"] for row in told["attempts"]] == [True, True, None]
    assert "Classes, with your work in them1" in tree(client.get(url("delete/"))).text
    Member.objects.filter(learner=mine).update(left=NOON)
    assert "To my classes" not in tree(client.get(url())).text
    Member.objects.filter(learner=mine).update(left=None)
    links = [
        (a.text, a.get("class")) for a in tree(client.get(url())).all("a") if a["href"] == "/en/classes/"
    ]
    assert ("To my classes", "main") in links
    assert ("Classes, with your work in them", "inner-link") in links
    client.post(url("delete/"), {"old": PASSWORD})
    assert [member.name for member in Member.objects.all()] == ["Stranger"]
    assert not Attempt.objects.exists()


def test_a_copy_names_no_topic_that_is_the_answer_before_it_is_answered_and_told(shelved: None) -> None:
    student = school.Members()
    room, browser = student.classroom, school.client_of(student)

    def topics() -> list[tuple[str, str | None]]:
        told = json.loads(browser.get(url("data/")).getvalue())
        return [(row["kind"], row["topic"]) for row in told["attempts"]]

    def sent(path: str, puzzle: Puzzle, do: str) -> int:
        form = {"puzzle": puzzle.id, "form": puzzle.form, "a": min(map(min, puzzle.level.rights)), "do": do}
        return browser.post(f"/en/classes/{room.pk}/{path}", form).status_code

    assignment = school.Assignments(classroom=room, reveal=BY_HAND)
    school.add_set(assignment, size=1, kinds=["why-not"])
    work = working.begin(assignment, student, timezone.now())
    (question,) = handing.questions_of(assignment, work)
    puzzle = handing.asked_by(question, room)
    page = f"work/{assignment.pk}/1/1/"
    assert sent(page, puzzle, "hint") == 200
    board = boards.open_board(room, handing.kept(puzzle), timezone.now())
    on_board = boards.asked(board)
    assert on_board is not None
    assert sent("live/now/", on_board, "answer") == 303
    assert Attempt.objects.get(slot__startswith="work:").help == 1
    assert topics() == [("why-not", None)] * 2
    boards.show(board, timezone.now())
    assignment.revealed = timezone.now()
    assignment.save()
    working.seal(assignment)
    assert topics() == [("why-not", None), ("why-not", question.topic)]
    assert sent(page, puzzle, "answer") == 303
    assert topics() == [("why-not", question.topic)] * 2


def test_a_guest_gets_a_copy_too(client: Client, shelved: None) -> None:
    empty = json.loads(client.get(url("data/")).getvalue())
    assert empty == {
        "account": None,
        "since": None,
        "settings": None,
        "progress": [],
        "runs": [],
        "attempts": [],
        "archived": [],
        "cards": [],
        "classes": [],
    }
    solve(client, LEVEL)
    told = json.loads(client.get(url("data/", "zh-hans")).getvalue())
    assert told["account"] is None
    assert [(row["place"], row["done"]) for row in told["progress"]] == [(LEVEL, True)]


def test_a_deleted_account_is_gone_for_good(client: Client, shelved: None) -> None:
    solve(client, LEVEL)
    guest = known_as(client)
    Account.objects.create_user(NAME, PASSWORD)
    asked(guest, run=played(guest))
    reviewed(guest, 1)
    sign_in(client)
    sign_up(stranger := Client(), name="Stranger")
    solve(stranger, LEVEL)
    sign_in(other := Client())
    page = tree(client.get(url("delete/")))
    for words in (
        "Chapters and questions of the courses1",
        "Rounds of practice1",
        "your answers1",
        "review1",
    ):
        assert words in page.text
    assert list(errors(client.post(url("delete/"), {"old": "wrong"}))) == ["old"]
    assert Account.objects.count() == 2
    gone = tree(client.post(url("delete/"), {"old": PASSWORD}))
    assert "Your account is deleted" in gone.text
    assert NAME in gone.text
    assert [account.name for account in Account.objects.all()] == ["Stranger"]
    assert list(Learner.objects.all()) == [known_as(stranger)]
    for model in (Run, Attempt, Card):
        assert not model._default_manager.exists()
    assert Progress.objects.count() == Session.objects.count() == 1
    for browser in (client, other):
        assert "You are not signed in" in tree(browser.get(url())).text
    assert client.post(url("delete/"), {"old": PASSWORD}).status_code == 302
    assert list(errors(sign_in(Client()))) == [""]
    assert leads_to(sign_up(Client())) == url()


def test_to_forget_deletes_no_account(client: Client, shelved: None) -> None:
    sign_up(client)
    solve(client, LEVEL)
    for language in LANGUAGES:
        assert leads_to(client.post(f"/{language}/learn/forget/")) == url("delete/", language)
    assert places(known_as(client)) == {LEVEL: True}
    sign_out(client)
    solve(client, LEVEL)
    (forget,) = tree(client.get(url())).all("form")
    assert leads_to(client.post(forget["action"])) == "/en/learn/"
    assert "none of your learning is kept" in tree(client.get(url())).text


def test_nobody_reaches_what_is_a_strangers(client: Client, shelved: None) -> None:
    sign_up(owner := Client())
    solve(owner, LEVEL)
    sign_up(client, name="Stranger")
    for browser in (client, Client()):
        for path in ("", "delete/", "data/"):
            for query in ({}, {"learner": known_as(owner).pk, "account": 1, "name": NAME}):
                response = browser.get(url(path), query)
                said = b"".join(response) if response.streaming else response.content
                assert NAME.encode() not in said
                assert b"Chapters and questions" not in said
                assert LEVEL.encode() not in said
        assert "You have seen" not in browser.get("/en/learn/").content.decode()


# What pages cost and say


def test_a_guest_is_told_that_an_account_keeps_it_anywhere(client: Client, shelved: None) -> None:
    def told(language: str = "en") -> list[str]:
        page = tree(client.get(f"/{language}/learn/"))
        return [e.text for e in page.all("p") if e.get("id") == "kept-here"]

    assert told() == []
    fail(client, LEVEL)
    assert told() == ["Kept in this browser only. Make an account to keep it anywhere."]
    assert told("zh-hans") == ["学习记录只存在这个浏览器里。注册账号，换哪台设备都能接着学。"]
    sign_up(client)
    assert told() == []


def test_each_page_leads_to_the_account_and_none_knows_whose_it_is(client: Client, shelved: None) -> None:
    pages = ["/en/learn/changsha/", "/en/rules/", "/en/glossary/", "/en/check/"]
    before = [client.get(path).content for path in pages]
    sign_up(client)
    assert [client.get(path).content for path in pages] == before
    for content in before:
        assert "/en/account/" in [link["href"] for link in read(content.decode()).all("a")]


def test_pages_take_as_many_queries_whatever_is_kept(
    client: Client, shelved: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    sign_up(client)
    client.get(url())
    session, account, counts, rooms, taught = 1, 1, 6, 1, 1
    for many in (1, 30):
        for n in range(many):
            asked(known_as(client), f"{many} {n}", run=played(known_as(client)))
            reviewed(known_as(client), n, f"{many} {n}")
        with django_assert_num_queries(session + account + counts + rooms):
            client.get(url())
        with django_assert_num_queries(session + account + counts + taught):
            client.get(url("delete/"))
        with django_assert_num_queries(session + account + 1 + counts):
            client.get(url("data/")).getvalue()
        with django_assert_num_queries(session + 1):
            client.get("/en/learn/")  # what is done, and nothing of the account
    with django_assert_num_queries(0):
        Client().get(url())


def test_nobody_deletes_an_account_that_is_a_class_s_only_teacher(client: Client) -> None:
    sign_up(client)
    mine = Learner.objects.get()
    room = school.teacher_of(school.Classrooms(), learner=mine).classroom
    assert room.name in client.get(url("delete/")).content.decode()
    client.post(url("delete/"), {"old": PASSWORD})
    assert Account.objects.exists()
    school.teacher_of(room)
    assert room.name not in client.get(url("delete/")).content.decode()
    client.post(url("delete/"), {"old": PASSWORD})
    assert not Account.objects.filter(pk=mine.account_id).exists()


def test_nor_where_the_other_teacher_leaves_at_that_very_moment(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_up(client)
    room = school.teacher_of(school.Classrooms(), learner=Learner.objects.get()).classroom
    other = school.teacher_of(room)
    monkeypatch.setattr(Account, "check_password", lambda *_: members.leave(other) is None)
    assert room.name in client.post(url("delete/"), {"old": PASSWORD}).content.decode()
    assert Account.objects.filter(name=NAME).exists()
    assert "signed_in" in client.session


@pytest.mark.django_db(transaction=True)
def test_of_two_teachers_who_delete_their_accounts_at_once_one_stays(transactional_db: None) -> None:
    room, clients = school.Classrooms(), [Client(), Client()]
    for number, browser in enumerate(clients):
        sign_up(browser, name=f"Teacher {number}")
        school.teacher_of(room, learner=known_as(browser))
    at_once(*[partial(browser.post, url("delete/"), {"old": PASSWORD}) for browser in clients])
    assert Account.objects.count() == room.members.count() == 1


def test_more_time_of_a_deleted_account_keeps_nobody_s_answers_back(client: Client, shelved: None) -> None:
    sign_up(client)
    gone = school.Members(learner=Learner.objects.get())
    assignment, due = kept_back_for(gone)
    client.post(url("delete/"), {"old": PASSWORD})
    assert not Account.objects.filter(name=NAME).exists()
    assert [answer.visible for answer in Attempt.objects.filter(work__assignment=assignment)] == [due]


def test_passwords_are_quick_in_tests_alone(settings: LazySettings) -> None:
    source = (Path(settings.BASE_DIR) / "tutor" / "settings.py").read_text()
    assert "PASSWORD_HASHERS" not in source
