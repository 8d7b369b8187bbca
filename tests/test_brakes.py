"""Guessing gets slower with each wrong try, for whoever guesses, and for nobody else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core import signing
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.test_accounts import (
    LANGUAGES,
    NAME,
    PASSWORD,
    at_once,
    errors,
    leads_to,
    sign_in,
    sign_out,
    sign_up,
    tree,
    url,
)
from tutor.people import brakes, cards, forms
from tutor.people import known as known_browsers
from tutor.people.models import Account, Brake

pytestmark = pytest.mark.django_db


START = datetime(2026, 9, 1, 8, tzinfo=UTC)
SCHOOL = "203.0.113.7"


class Clock:
    """The time as the brakes see it, which passes when a test says so."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> datetime:
        return self.time

    def passes(self, **time: float) -> None:
        self.time += timedelta(**time)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(brakes, "timezone", clock)
    return clock


def miss(times: int, *keys: str) -> None:
    for _ in range(times):
        brakes.missed(*keys)


# How long


WAITS = [(0, 0), (1, 0), (5, 0), (6, 2), (7, 4), (8, 8), (9, 16), (10, 32), (11, 60), (12, 60), (5000, 60)]


@pytest.mark.parametrize(("misses", "seconds"), WAITS)
def test_the_first_misses_are_free_and_then_each_waits_longer(
    clock: Clock, misses: int, seconds: int
) -> None:
    if misses > 20:
        miss(1, "a")
        Brake.objects.update(misses=misses)
    else:
        miss(misses, "a")
    assert brakes.wait("a") == seconds
    assert brakes.wait("b") == 0


def test_a_wait_runs_out_second_by_second(clock: Clock) -> None:
    miss(8, "a")
    for passed, left in ((0.0, 8), (0.5, 8), (1.0, 7), (7.9, 1), (8.0, 0), (9.0, 0)):
        assert brakes.wait("a", now=START + timedelta(seconds=passed)) == left


def test_after_an_hour_without_a_miss_all_is_forgotten(clock: Clock) -> None:
    miss(9, "a")
    clock.passes(minutes=59)
    miss(1, "a")
    assert brakes.wait("a") == 32
    clock.passes(minutes=60)
    miss(1, "a")
    assert brakes.wait("a") == 0
    assert Brake.objects.get().misses == 1


def test_the_longest_wait_of_several_keys_counts_and_each_is_counted(clock: Clock) -> None:
    miss(7, "a")
    miss(2, "a", "b")
    assert brakes.wait("a", "b", "c") == brakes.wait("b", "a") == 16
    assert brakes.wait("b") == brakes.wait() == 0
    miss(4, "b")
    assert brakes.wait("b") == 2


def test_who_was_right_starts_anew(clock: Clock) -> None:
    miss(9, "a", "b", "c")
    brakes.cleared("a", "b")
    assert (brakes.wait("a", "b"), brakes.wait("c")) == (0, 16)
    assert Brake.objects.count() == 1


def test_what_was_tried_can_not_be_read_in_the_database() -> None:
    brakes.missed("Lan Xiaoming")
    (key,) = Brake.objects.values_list("key", flat=True)
    assert len(key) == 64
    assert "lan" not in key.lower()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "SECRET_KEY", "another")
        brakes.missed("Lan Xiaoming")
    assert Brake.objects.count() == 2  # who has the database alone can't try names on it


def test_old_rows_go_a_few_at_a_time_and_recent_ones_stay(clock: Clock) -> None:
    Brake.objects.bulk_create(
        Brake(key=f"old {n}", last=START - timedelta(hours=25)) for n in range(brakes._SWEPT + 20)
    )
    Brake.objects.create(key="recent", last=START - timedelta(hours=23))
    brakes.missed("a")
    assert Brake.objects.filter(key__startswith="old").count() == 20
    brakes.missed("a")
    assert Brake.objects.count() == 2
    assert Brake.objects.filter(key="recent").exists()


def test_it_costs_one_query_to_ask(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        brakes.wait("a", "b", "c")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("transactional_db")
def test_no_miss_is_lost_when_several_come_at_once() -> None:
    acts: list[Callable[[], Any]] = [
        lambda keys=keys: brakes.missed(*keys) for keys in (("a", "b"), ("b", "a"), ("a",), ("b",)) * 3
    ]
    assert at_once(*acts) == [None] * 12
    assert list(Brake.objects.values_list("misses", flat=True)) == [9, 9]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("transactional_db")
def test_what_one_process_counts_slows_the_others() -> None:
    at_once(lambda: miss(4, "a"))
    at_once(lambda: miss(4, "a"))
    (seconds,) = at_once(lambda: brakes.wait("a"))
    assert 0 < seconds <= 8
    assert brakes.wait("a") in (seconds - 1, seconds)


# Signing in


def guess(client: Client, name: str = NAME) -> str:
    """A wrong password, and what is said to it."""
    return errors(sign_in(client, name, "a guess"))[""]


def guess_on(clock: Clock, client: Client, times: int, name: str = NAME) -> None:
    """Somebody who goes on guessing, as patiently as they must."""
    for _ in range(times):
        clock.passes(seconds=brakes.LONGEST)
        assert "no account with this name and this password" in guess(client, name)


def wait_said(seconds: int, language: str = "en") -> str:
    if language == "zh-hans":
        return f"错的次数太多了，请过{seconds}秒再试。"
    return f"Too many wrong tries. Wait {seconds} second{'s' * (seconds > 1)}, then try again."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [NAME, "Nobody"])
def test_a_name_that_was_guessed_at_has_to_wait_whether_it_is_one_or_not(
    clock: Clock, name: str, language: str
) -> None:
    Account.objects.create_user(NAME, PASSWORD)
    guess_on(clock, Client(), 6, name)
    for passed, left in ((0, 2), (1, 1)):
        clock.passes(seconds=passed)
        response = sign_in(Client(), name, PASSWORD, language=language)
        assert errors(response) == {"": wait_said(left, language)}
        assert tree(response).by_id("id_name")["value"] == name
        assert not tree(response).by_id("id_password").get("value")
    clock.passes(seconds=1)
    response = sign_in(Client(), name, PASSWORD, language=language)
    assert response.status_code == (303 if name == NAME else 200)


def test_a_try_during_the_wait_is_refused_unseen_and_makes_it_no_longer(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    Account.objects.create_user(NAME, PASSWORD)
    guess_on(clock, Client(), 8)
    monkeypatch.setattr(forms, "authenticate", never)
    monkeypatch.setattr(forms.codes, "owner", never)
    for left in range(8, 0, -1):
        assert [guess(Client()) for _ in range(3)] == [wait_said(left)] * 3
        clock.passes(seconds=1)
    monkeypatch.undo()
    assert leads_to(sign_in(Client())) == url()


def never(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("looked at a password that was to wait")


@pytest.mark.parametrize("variant", ["lan xiaoming", "LAN  XIAOMING", " Ｌan Xiaoming　"])
def test_a_name_written_otherwise_waits_as_well(clock: Clock, variant: str) -> None:
    Account.objects.create_user(NAME, PASSWORD)
    for name in (variant, NAME) * 4:
        guess_on(clock, Client(), 1, name)
    assert guess(Client(), variant) == guess(Client()) == wait_said(8)


def test_who_guesses_slows_the_one_name_alone_also_behind_the_same_address(clock: Clock) -> None:
    for name in (NAME, "Another"):
        Account.objects.create_user(name, PASSWORD)
    guess_on(clock, Client(REMOTE_ADDR=SCHOOL), 20)
    assert guess(Client(REMOTE_ADDR="198.51.100.1")) == wait_said(60)
    assert leads_to(sign_in(Client(REMOTE_ADDR=SCHOOL), "Another")) == url()


def test_to_sign_in_forgets_the_misses_before(clock: Clock) -> None:
    Account.objects.create_user(NAME, PASSWORD)
    for _ in range(3):
        guess_on(clock, Client(), 5)
        assert leads_to(sign_in(Client())) == url()
    assert not Brake.objects.exists()


def test_a_form_that_is_not_filled_in_is_no_miss(clock: Clock) -> None:
    for _ in range(9):
        assert list(errors(sign_in(Client(), NAME, ""))) == ["password"]
    assert not Brake.objects.exists()


def test_thirty_pupils_behind_one_address_all_sign_in_within_a_minute(clock: Clock) -> None:
    made = cards.make_accounts([f"王小明{n}" for n in range(30)], with_code=None)
    browsers = [Client(REMOTE_ADDR=SCHOOL) for _ in made]
    for number, (client, card) in enumerate(zip(browsers, made, strict=True)):
        for _ in range(2 if number % 3 == 0 else 0):
            assert "no account with this name" in errors(sign_in(client, card.account.name, "mistyped"))[""]
        assert leads_to(sign_in(client, card.account.name, card.secret)) == url()
        clock.passes(seconds=1.9)
    assert clock.time < START + timedelta(minutes=1)
    assert [client.session["learner"] for client in browsers] == [card.account.learner.pk for card in made]


# A browser that is known


@pytest.fixture
def known(client: Client, clock: Clock) -> Client:
    """A browser that has signed in before."""
    Account.objects.create_user(NAME, PASSWORD)
    sign_in(client)
    sign_out(client)
    return client


def slow(times: int, name: str = NAME) -> None:
    """Strangers have just typed wrong passwords for a name so many times."""
    miss(times, known_browsers.key(name))


def test_a_known_browser_does_not_wait_for_what_strangers_type(known: Client) -> None:
    slow(12)
    assert guess(Client()) == wait_said(60)
    assert leads_to(sign_in(known)) == url()
    assert guess(Client()) == wait_said(60)  # nor do strangers gain by it


def test_a_known_browser_can_not_guess_without_limit_either(known: Client, clock: Clock) -> None:
    guess_on(clock, known, 8)
    assert guess(known) == wait_said(8)
    assert leads_to(sign_in(Client())) == url()
    assert guess(known) == wait_said(8)


def test_a_browser_is_known_for_the_names_alone_that_it_signed_in_with(known: Client) -> None:
    sign_up(known, name="Another")
    sign_out(known)
    Account.objects.create_user("Third", PASSWORD)
    for name in (NAME, "Another", "Third"):
        slow(8, name)
    assert guess(known, "Third") == wait_said(8)
    for name in (NAME.upper(), "Another"):
        assert leads_to(sign_in(known, name)) == url()
        sign_out(known)


def test_two_known_browsers_are_counted_apart(known: Client, clock: Clock) -> None:
    sign_in(other := Client())
    sign_out(other)
    guess_on(clock, known, 8)
    assert leads_to(sign_in(other)) == url()


def test_a_browser_keeps_its_last_ten_names_and_none_that_can_be_read(known: Client) -> None:
    for n in range(10):
        sign_up(known, name=f"Pupil {n}")
        sign_out(known)
    cookie = known.cookies["known"]
    assert cookie["httponly"]
    assert (cookie["samesite"], cookie["path"], cookie["max-age"]) == ("Lax", "/", 365 * 24 * 3600)
    assert len(cookie.value) < 400
    assert "pupil" not in cookie.value.lower()
    for name in (NAME, "Pupil 0", "Pupil 9"):
        slow(8, name)
    assert guess(known) == wait_said(8)
    for name in ("Pupil 0", "Pupil 9"):
        assert leads_to(sign_in(known, name)) == url()
        sign_out(known)


@pytest.mark.parametrize(
    "forge",
    [
        lambda value: "",
        lambda value: "x" * 3000,
        lambda value: value[:-1] + ("a" if value[-1] != "a" else "b"),
        lambda value: f"0.{value}",
        lambda value: signing.get_cookie_signer(salt="another").sign(value.rsplit(":", 2)[0]),
    ],
)
def test_a_forged_cookie_makes_no_browser_known(known: Client, forge: Callable[[str], str]) -> None:
    known.cookies["known"] = forge(known.cookies["known"].value)
    slow(8)
    assert guess(known) == wait_said(8)


def test_a_deleted_account_leaves_neither_a_brake_nor_a_known_browser(known: Client) -> None:
    sign_in(known)
    slow(3)
    known.post(url("delete/"), {"old": PASSWORD})
    assert not Brake.objects.exists()
    assert known.cookies["known"].value == ""
