"""What is answered while the database is away: clearly, with nothing lost, and not as a fault of Paili's own.

What happens with a real one that is killed, full or stopped, see `tests/faults`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import LazySettings
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler, Error
from django.http import HttpResponse
from django.test import Client
from psycopg import errors as postgres

from tests.test_checker_page import HTMX, RESTORE, Element, assert_valid, read
from tests.test_levels import STEPS, address
from tests.test_setup import PUBLIC, setting
from tutor.content import shelf
from tutor.people.models import Learner, Progress
from tutor.service.trouble import NO_ANSWER, NOT_SAVED, NOT_SHOWN, trouble

CHAPTER = next(iter(STEPS))
LANGUAGES = ("en", "zh-hans")
in_both_languages = pytest.mark.parametrize("language", LANGUAGES)


@contextmanager
def away(error: Exception | None = None, *, which: str = "") -> Iterator[None]:
    """A database that answers no query, or none that holds these words, with an error."""
    met = error or OperationalError("the server at 10.0.0.7 does not answer")

    def refuse(execute: Callable, sql: str, *args: Any) -> Any:
        if which in sql:
            raise met
        return execute(sql, *args)

    with connection.execute_wrapper(refuse):
        yield


@pytest.fixture
def visitor(shelved: None) -> Client:
    """A browser, whose faults of ours are answered as on a site."""
    return Client(raise_request_exception=False)


@pytest.fixture
def known(visitor: Client) -> Client:
    """The same, of somebody who has done something."""
    answer(visitor)
    assert Progress.objects.count() == 1
    return visitor


def answer(client: Client, language: str = "en", **headers: str) -> HttpResponse:
    """Sends that a chapter was read."""
    return client.post(address(CHAPTER, language), {"do": "read"}, headers=headers)


def assert_unavailable(response: HttpResponse) -> None:
    assert response.status_code == 503
    assert response["Retry-After"] == "30"
    assert "no-store" in response["Cache-Control"]
    assert not response.cookies
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert "10.0.0.7" not in response.content.decode()


# What is said


@in_both_languages
def test_a_page_that_can_t_be_shown_says_so_and_leads_back_to_itself(known: Client, language: str) -> None:
    path = f"/{language}/practice/?game=changsha"
    with away():
        response = known.get(path)
    assert_unavailable(response)
    tree = read(response.content.decode())
    assert_valid(tree)
    assert tree.all("html")[0]["lang"] == language
    assert NOT_SHOWN.in_language(language) in tree.text
    assert path in [link["href"] for link in tree.all("a")]


@in_both_languages
def test_what_was_sent_is_said_not_to_be_saved_and_is_not(known: Client, language: str) -> None:
    before = list(Progress.objects.values())
    with away():
        response = answer(known, language)
    assert_unavailable(response)
    tree = read(response.content.decode())
    assert_valid(tree)
    assert NOT_SAVED.in_language(language) in tree.text
    # A link would ask for the page anew, without what was entered.
    assert [link["href"] for link in tree.all("a")] == ["/", f"/{language}/check/"]
    assert list(Progress.objects.values()) == before


@in_both_languages
def test_with_htmx_the_answer_is_a_part_and_the_page_stays_as_it_is(known: Client, language: str) -> None:
    with away():
        response = answer(known, language, **HTMX)
        restored = known.get(f"/{language}/practice/", headers=RESTORE)
    assert_unavailable(response)
    part = read(response.content.decode())
    assert [(e.tag, e["role"]) for e in part.children if isinstance(e, Element)] == [("p", "alert")]
    assert part.text.strip() == NOT_SAVED.in_language(language)
    assert_unavailable(restored)
    assert read(restored.content.decode()).all("html")


def test_a_program_hears_of_it_in_json(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> None:
        raise OperationalError("the server at 10.0.0.7 does not answer")

    monkeypatch.setattr("tutor.api.views.answers.judge", broken)
    response = visitor.get("/api/v1/check?ruleset=changsha&hand=1m")
    assert_unavailable(response)
    error = json.loads(response.content)["error"]
    assert (error["code"], error["message"]) == ("unavailable", NO_ANSWER.as_dict())


@in_both_languages
def test_a_frame_is_answered_in_its_own_language(
    visitor: Client, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    def broken(*args: Any) -> None:
        raise InterfaceError("connection already closed")

    monkeypatch.setattr("tutor.embed.views.board_of", broken)
    response = visitor.get(f"/embed/{language}/check/", headers={"accept-language": "fr"})
    assert_unavailable(response)
    assert NOT_SHOWN.in_language(language) in read(response.content.decode()).text


def test_the_answer_needs_no_database_itself(known: Client) -> None:
    asked: list[str] = []

    def count(execute: Callable, sql: str, *args: Any) -> Any:
        asked.append(sql)
        raise OperationalError

    with connection.execute_wrapper(count):
        assert_unavailable(known.get("/en/practice/"))
    assert len(asked) == 1  # the one that met the trouble


# Where it is met


def test_a_session_that_can_t_be_saved_means_that_nothing_was(visitor: Client) -> None:
    with away(which='INTO "django_session"'):
        response = answer(visitor)
    assert_unavailable(response)
    assert NOT_SAVED.en in read(response.content.decode()).text
    assert answer(visitor).status_code == 303


def test_a_session_that_can_t_be_changed_is_no_session_that_was_ended(
    known: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Somebody known by the session, of whom all else is gone: the session is to name another one.
    Learner.objects.all().delete()
    with away(which='UPDATE "django_session"'):
        assert_unavailable(answer(known))
    assert answer(known).status_code == 303


def test_a_session_that_was_ended_meanwhile_is_still_told_apart(known: Client) -> None:
    Learner.objects.all().delete()
    with away(DatabaseError("Forced update did not affect any rows."), which='UPDATE "django_session"'):
        assert answer(known).status_code == 400


def test_a_wrong_address_is_one_while_the_database_is_away(known: Client) -> None:
    with away():
        assert known.get("/en/classes/no/such/page/").status_code == 404


def test_the_next_request_is_answered_as_ever(known: Client) -> None:
    with away():
        assert known.get("/en/practice/").status_code == 503
    assert known.get("/en/practice/").status_code == 200


def test_what_needs_no_database_is_answered_while_it_is_away(known: Client) -> None:
    paths = [
        "/en/check/?ruleset=changsha&hand=123m+11456p+77789s+%2B9s",
        "/en/deal/?ruleset=changsha&tiles=2222m+13579p+1479s",
        "/en/settle/?ruleset=changsha&from=0&seat=1&worth=1",
        "/en/tiles/",
        "/en/api/",
        "/en/offline/",
        "/en/rules/",
        "/en/glossary/",
        "/en/compare/",
        "/api/v1/check?ruleset=changsha&hand=123m+11456p+77789s+%2B9s",
        "/healthz",
    ]
    with away():
        assert {path: known.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)


def test_somebody_new_sees_the_pages_that_are_kept_while_the_database_is_away(visitor: Client) -> None:
    paths = ["/en/", "/en/learn/", "/en/learn/changsha/", address(CHAPTER), "/en/rules/changsha/"]
    with away():
        assert {path: visitor.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)


# What counts as trouble


@pytest.mark.parametrize(
    "error",
    [IntegrityError("UNIQUE constraint failed"), DatabaseError("odd"), ValueError("odd"), KeyError("odd")],
    ids=lambda error: type(error).__name__,
)
def test_mistakes_of_ours_stay_faults_of_ours(known: Client, error: Exception) -> None:
    with away(error):
        response = known.get("/en/practice/")
    assert response.status_code == 500
    assert "Retry-After" not in response


@pytest.fixture
def file(db: None, tmp_path: Path) -> Iterator[BaseDatabaseWrapper]:
    """A SQLite file of its own, with a table, asked through Django; nobody is waited for."""
    made = {"ENGINE": "django.db.backends.sqlite3", "NAME": tmp_path / "file", "OPTIONS": {"timeout": 0}}
    own = ConnectionHandler({"default": made})["default"]
    with own.cursor() as cursor:
        cursor.execute("CREATE TABLE t (a TEXT UNIQUE)")
        cursor.execute("INSERT INTO t VALUES ('there')")
    yield own
    own.close()


def met(file: BaseDatabaseWrapper, *statements: str) -> str:
    """What the last of some statements is called, which fails."""
    with file.cursor() as cursor:
        for statement in statements[:-1]:
            cursor.execute(statement)
        with pytest.raises(Error) as raised:
            cursor.execute(statements[-1])
    return trouble(raised.value)


def test_of_sqlite_what_passes_is_told_from_what_is_wrong(file: BaseDatabaseWrapper) -> None:
    write = "INSERT INTO t VALUES (hex(randomblob(100000)))"
    assert met(file, "SELECT nothing FROM nowhere") == ""
    assert met(file, "INSERT INTO t VALUES ('there')") == ""
    assert met(file, "PRAGMA max_page_count = 10", write) == "full"
    assert met(file, "PRAGMA query_only = ON", write) == "read-only"
    file.close()
    with sqlite3.connect(file.settings_dict["NAME"]) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert met(file, write) == "locked"


def test_a_file_of_sqlite_that_is_not_there_is_trouble(file: BaseDatabaseWrapper, tmp_path: Path) -> None:
    file.close()
    file.settings_dict["NAME"] = tmp_path / "no" / "file"
    with pytest.raises(OperationalError) as raised:
        file.ensure_connection()
    assert trouble(raised.value) == "can't be opened"


@pytest.mark.parametrize(
    ("kind", "cause", "said"),
    [
        (OperationalError, psycopg.OperationalError("connection refused"), "no answer"),
        (OperationalError, postgres.AdminShutdown(), "no answer (57P01)"),
        (OperationalError, postgres.DiskFull(), "no answer (53100)"),
        (OperationalError, postgres.LockNotAvailable(), "no answer (55P03)"),
        (InterfaceError, psycopg.InterfaceError("the connection is closed"), "no answer"),
        (InterfaceError, None, "no answer"),  # Django's own
        (DatabaseError, postgres.ReadOnlySqlTransaction(), "read-only"),
        (DatabaseError, postgres.UndefinedTable(), ""),
        (IntegrityError, postgres.UniqueViolation(), ""),
        (ValueError, None, ""),
    ],
)
def test_of_postgresql_what_passes_is_told_from_what_is_wrong(
    kind: type[Exception], cause: Exception | None, said: str
) -> None:
    error = kind("words")
    error.__cause__ = cause
    assert trouble(error) == said


def test_the_log_says_what_kept_the_database_but_nothing_that_was_typed(
    known: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with away():
        known.get("/en/search/?q=Anna-Secret")
        known.post("/en/account/sign-in/", {"name": "Anna-Secret", "password": "Anna-Secret"})
    records = [record for record in caplog.records if record.name == "paili.database"]
    assert {(record.levelname, record.getMessage()) for record in records} == {
        ("ERROR", "database: no answer")
    }
    assert all(record.exc_info for record in records)


# How it is set


def test_a_connection_is_tried_before_it_is_used_again_and_waited_for_only_some_seconds() -> None:
    where = {**PUBLIC, "DATABASE_URL": "postgres://paili@127.0.0.1/paili"}
    assert setting("settings.DATABASES['default']['CONN_HEALTH_CHECKS']", **where) == "True"
    assert setting("settings.os.environ['PGCONNECT_TIMEOUT']", **where) == "5"
    assert setting("settings.os.environ['PGCONNECT_TIMEOUT']", **where, PGCONNECT_TIMEOUT="9") == "9"


def test_no_other_middleware_keeps_sessions(settings: LazySettings) -> None:
    assert [name for name in settings.MIDDLEWARE if "ession" in name] == ["tutor.service.trouble.Sessions"]


def test_content_that_was_read_goes_on_while_the_database_is_away(
    shelved: None, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = shelf.shelf()
    monkeypatch.setattr(shelf, "_version", {"count": 1})
    settings.CONTENT_SECONDS = 0
    with away():
        assert shelf.shelf() is before
    monkeypatch.setattr(shelf, "_version", None)
    with away(), pytest.raises(OperationalError):  # nothing was read yet
        shelf.shelf()
