"""What nobody can reach any more goes; what somebody may still come back to stays."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.school import Accounts, Learners, Members
from tutor.people import tidy
from tutor.people.accounts import sign_in
from tutor.people.models import Account, Brake, Learner, LoginCode, Progress, SignedIn
from tutor.practice.models import Attempt, Card, Run

NOTHING = tidy.Tidied(0, 0, 0, 0, 0, 0)
DAY = timedelta(days=1)
LONG_AGO = timedelta(seconds=settings.SESSION_COOKIE_AGE) + 2 * DAY

pytestmark = pytest.mark.django_db


@pytest.fixture
def now() -> datetime:
    return timezone.now()


def guest(created: datetime, **more: Any) -> Learner:
    """A guest from a time in the past."""
    learner = Learner.objects.create(**more)
    Learner.objects.filter(pk=learner.pk).update(created=created)
    learner.refresh_from_db()
    return learner


def progress(learner: Learner, at: datetime) -> None:
    Progress.objects.create(learner=learner, place=f"changsha/{learner.progress.count()}", at=at)


def run(learner: Learner, at: datetime) -> Run:
    return Run.objects.create(learner=learner, mode="quick", game="changsha", seed=1, started=at)


def ended_run(learner: Learner, at: datetime) -> None:
    Run.objects.filter(pk=run(learner, at - 5 * DAY).pk).update(ended=at)


def attempt(learner: Learner, at: datetime | None) -> None:
    Attempt.objects.create(
        learner=learner, slot=f"slot {learner.attempts.count()}", level=1, question={}, at=at
    )


def card(learner: Learner, at: datetime) -> None:
    Card.objects.create(learner=learner, state={}, due=at, missed=at, topic=f"{learner.cards.count()}")


def session(learner: Learner | None, ends: datetime) -> str:
    """A browser's session that ends at a time. Returns its key."""
    client = Client()
    store = client.session
    store["learner"] = learner.pk if learner else None
    store.save()
    assert store.session_key
    Session.objects.filter(pk=store.session_key).update(expire_date=ends)
    return str(store.session_key)


def test_a_guest_of_long_ago_goes_with_all_they_did(now: datetime) -> None:
    learner = guest(now - LONG_AGO)
    for make in (progress, run, ended_run, attempt, card):
        make(learner, now - LONG_AGO)
    attempt(learner, None)  # hints alone
    assert tidy.tidy(now) == NOTHING._replace(guests=1)
    assert [m.objects.count() for m in (Learner, Progress, Run, Attempt, Card)] == [0] * 5
    assert tidy.tidy(now) == NOTHING


@pytest.mark.parametrize("make", [progress, run, ended_run, attempt, card])
def test_a_guest_who_did_something_since_stays(make: Callable[..., Any], now: datetime) -> None:
    learner = guest(now - LONG_AGO)
    progress(learner, now - LONG_AGO)
    make(learner, now - tidy.kept_for() + timedelta(minutes=1))
    assert tidy.tidy(now) == NOTHING
    assert Progress.objects.filter(learner=learner).exists()


def test_a_guest_stays_to_the_day(now: datetime) -> None:
    guest(now - tidy.kept_for() + timedelta(minutes=1))
    assert tidy.tidy(now) == NOTHING
    assert tidy.tidy(now + timedelta(minutes=2)).guests == 1


@pytest.mark.parametrize(("ends", "stays"), [(DAY, True), (-DAY / 2, True), (-2 * DAY, False)])
def test_a_guest_whom_a_browser_may_know_stays(ends: timedelta, stays: bool, now: datetime) -> None:
    learner = guest(now - LONG_AGO)
    session(learner, now + ends)
    tidy.tidy(now)
    assert Learner.objects.exists() == stays


def test_a_guest_is_known_by_what_the_site_itself_keeps_in_a_session(content: object, now: datetime) -> None:
    client = Client()
    assert client.post("/en/learn/changsha/tiles/", {"do": "read"}).status_code in (200, 303)
    Learner.objects.update(created=now - LONG_AGO)
    Progress.objects.update(at=now - LONG_AGO)
    assert tidy.tidy(now) == NOTHING
    Session.objects.all().delete()
    assert tidy.tidy(now).guests == 1


def test_nobody_with_an_account_or_a_class_goes(now: datetime) -> None:
    Learners()
    Members(learner=guest(now - LONG_AGO), left=now - LONG_AGO)
    Learner.objects.update(created=now - LONG_AGO)
    assert tidy.tidy(now) == NOTHING
    assert Learner.objects.count() == 2


@pytest.mark.parametrize(("signed_in", "stays"), [(DAY / 2, True), (2 * DAY, False), (None, False)])
def test_a_guest_whose_things_an_account_took_over_goes_a_day_later(
    signed_in: timedelta | None, stays: bool, now: datetime
) -> None:
    into = Learners(account=Accounts(last_login=now - signed_in if signed_in is not None else None))
    merged = guest(now - LONG_AGO, merged_into=into)
    assert tidy.tidy(now) == NOTHING._replace(merged=not stays)
    assert Learner.objects.filter(pk=merged.pk).exists() == stays
    assert Learner.objects.filter(pk=into.pk).exists()


def test_a_takeover_is_a_sign_in(rf: Any, now: datetime) -> None:
    request = rf.get("/")
    request.session = Client().session
    request.session["learner"] = guest(now - LONG_AGO).pk
    account = Accounts()
    assert sign_in(request, account)
    request.session.save()  # as the middleware does
    account.refresh_from_db()
    assert account.last_login >= now
    assert tidy.tidy() == NOTHING
    Account.objects.update(last_login=now - 2 * DAY)
    assert tidy.tidy().merged == 1


def test_nobody_into_whom_others_were_merged_goes_before_them(now: datetime) -> None:
    into = guest(now - LONG_AGO)
    guest(now - DAY, merged_into=into)
    assert tidy.tidy(now) == NOTHING


def test_sessions_that_ended_go_with_who_was_signed_in(now: datetime) -> None:
    account = Accounts()
    keys = [session(None, now + ends) for ends in (-DAY, timedelta(minutes=1))]
    for key in keys:
        SignedIn.objects.create(session_id=key, account=account)
    assert tidy.tidy(now) == NOTHING._replace(sessions=1)
    assert [one.pk for one in Session.objects.all()] == keys[1:]
    assert [one.pk for one in SignedIn.objects.all()] == keys[1:]


@pytest.mark.parametrize(
    ("password", "expired", "stays"),
    [
        ("", timedelta(minutes=1), True),  # they are told that it has expired
        ("", LONG_AGO, False),
        ("river stone", timedelta(minutes=1), False),
        ("river stone", -DAY, True),
    ],
)
def test_login_codes_go_when_nobody_is_told_of_them(
    password: str, expired: timedelta, stays: bool, now: datetime
) -> None:
    account = Accounts()
    account.set_password(password or None)
    account.save()
    LoginCode.objects.create(account=account, digest="", made=now - LONG_AGO, expires=now - expired)
    assert tidy.tidy(now) == NOTHING._replace(login_codes=not stays)
    assert LoginCode.objects.exists() == stays
    assert Account.objects.exists()


def test_brakes_go_after_a_day(now: datetime) -> None:
    Brake.objects.create(key="old", last=now - DAY - timedelta(minutes=1))
    Brake.objects.create(key="new", last=now - DAY + timedelta(minutes=1))
    assert tidy.tidy(now) == NOTHING._replace(brakes=1)
    assert Brake.objects.get().key == "new"


def everything(now: datetime, guests: int) -> None:
    """So many of each that may go."""
    into = Learners()
    for n in range(guests):
        learner = guest(now - LONG_AGO)
        for make in (progress, attempt, attempt, run, card):
            make(learner, now - LONG_AGO)
        guest(now - LONG_AGO, merged_into=into)
        Brake.objects.create(key=f"{n}", last=now - 2 * DAY)
        SignedIn.objects.create(session_id=session(None, now - DAY), account=into.account)


def test_pieces_leave_nothing_and_a_look_changes_nothing(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidy, "MOST", 2)
    everything(now, 5)
    kept = guest(now - LONG_AGO)
    session(kept, now + DAY)
    expected = tidy.Tidied(guests=5, merged=5, sessions=5, login_codes=0, brakes=5, jobs=0)
    for _ in range(2):
        assert tidy.tidy(now, dry_run=True) == expected
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert tidy.tidy(now) == expected
    deletes = [query["sql"] for query in queries if query["sql"].startswith("DELETE")]
    assert deletes
    assert all(sql.count(",") < 2 for sql in deletes)  # no more than two keys each
    assert [m.objects.count() for m in (Learner, Progress, Attempt, Session, SignedIn)] == [2, 0, 0, 1, 0]
    assert tidy.tidy(now) == NOTHING


def test_many_take_no_more_queries_than_few(now: datetime) -> None:
    counts = []
    for guests in (2, 40):
        everything(now, guests)
        with CaptureQueriesContext(connection) as queries:
            assert tidy.tidy(now).guests == guests
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_command_says_what_went() -> None:
    now = timezone.now()
    everything(now, 3)
    said = []
    for options in ({"dry_run": True}, {}, {}):
        out = StringIO()
        call_command("tidy", stdout=out, **options)
        said.append(out.getvalue().splitlines())
    assert said[0][0] == "Would be removed:"
    assert said[1][0] == "Removed:"
    assert said[0][1:] == said[1][1:]
    assert said[1][1].strip() == "3 guests whom no browser knows any more"
    assert [int(line.split()[0]) for line in said[2][1:]] == [0] * 6
