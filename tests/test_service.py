"""What runs the site: whether it is well, what it logs and counts, copies of its data."""

from __future__ import annotations

import json
import logging
import re
import runpy
import sqlite3
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from tests.test_checker_page import assert_valid, read
from tests.test_setup import PUBLIC, python, setting
from tutor import answers
from tutor.content.models import Piece
from tutor.embed import frames
from tutor.service import health
from tutor.service.logs import Line, Numbered
from tutor.service.trouble import NO_ANSWER, RETRY_AFTER

DEPLOY = django_settings.BASE_DIR / "deploy"


def said(client: Client, path: str) -> tuple[int, str]:
    response = client.get(path)
    assert "no-store" in response["Cache-Control"]
    return response.status_code, response.content.decode().strip()


# Whether it is well


def test_a_process_that_answers_lives(client: Client) -> None:
    # Without the fixture `db` a query would be an error.
    assert said(client, "/healthz") == (200, "live")


def test_a_site_with_its_tables_and_content_is_ready(client: Client, content: object) -> None:
    assert said(client, "/readyz") == (200, "ready")


@pytest.mark.django_db
def test_a_site_without_content_is_not_ready(client: Client) -> None:
    Piece.objects.all().delete()
    assert said(client, "/readyz") == (503, "content: run manage.py load_content")


@pytest.mark.django_db
def test_a_site_whose_tables_are_older_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: ["one"])
    assert said(client, "/readyz") == (503, "migrations: run manage.py migrate")


def test_a_site_without_its_database_lives_and_is_not_ready(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> str:
        raise DatabaseError("connection to 10.0.0.7 as paili failed")

    monkeypatch.setattr(health, "_missing", broken)
    assert said(client, "/readyz") == (503, "database: no answer")
    assert said(client, "/healthz") == (200, "live")


# What it logs


@pytest.fixture
def lines() -> Callable[[], list[dict]]:
    """What is logged from now on, line by line."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Line())
    handler.addFilter(Numbered())
    loggers = [logging.getLogger(name) for name in ("paili.access", "django", "paili.test")]
    before = [(logger, logger.level) for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    for logger, level in before:
        logger.removeHandler(handler)
        logger.setLevel(level)


def test_each_answer_has_a_number_that_its_lines_carry(client: Client, lines: Callable) -> None:
    response = client.get("/api/v1/check?ruleset=changsha&hand=123m+11456p+77789s+%2B9s")
    (line,) = [line for line in lines() if line["logger"] == "paili.access"]
    assert line["request"] == response["X-Request-ID"]
    assert (line["method"], line["route"], line["status"]) == ("GET", "api/v1/check", 200)
    assert line["ms"] > 0
    assert client.get("/healthz")["X-Request-ID"] != response["X-Request-ID"]


@pytest.mark.parametrize(
    ("given", "is_kept"),
    [("0123456789abcdef", True), ("short", False), ("a" * 65, False), ('x"} {"level": "forged', False)],
)
def test_a_number_that_the_server_in_front_gave_is_kept(client: Client, given: str, is_kept: bool) -> None:
    assert (client.get("/healthz", headers={"x-request-id": given})["X-Request-ID"] == given) is is_kept


@pytest.mark.django_db
def test_no_line_says_what_was_asked_or_typed(client: Client, lines: Callable) -> None:
    client.get("/en/search/?q=Anna-Secret")
    client.get("/en/no-such-Anna-Secret/")
    client.post("/en/account/sign-in/", {"name": "Anna-Secret", "password": "Anna-Secret"})
    found = lines()
    assert {line["status"] for line in found if line["logger"] == "paili.access"} == {200, 404}
    assert "Secret" not in json.dumps(found)


def test_of_an_exception_there_is_the_kind_and_the_way_but_not_its_words(lines: Callable) -> None:
    try:
        raise ValueError("Anna-Secret")
    except ValueError:
        logging.getLogger("paili.test").exception("failed")
    (line,) = lines()
    assert (line["message"], line["exception"], line["level"]) == ("failed", "ValueError", "ERROR")
    assert line["at"][0].endswith(" test_of_an_exception_there_is_the_kind_and_the_way_but_not_its_words")
    assert "Secret" not in json.dumps(line)


def test_a_public_site_logs_lines_of_json_and_a_developer_reads_words() -> None:
    formatter = "settings.LOGGING['handlers']['console']['formatter']"
    assert setting(formatter, **PUBLIC) == "json"
    assert setting(formatter) == "words"
    level = "settings.LOGGING['loggers']['paili.access']['level']"
    assert [setting(level), setting(level, LOG_REQUESTS="1")] == ["WARNING", "INFO"]


# What it counts


@pytest.mark.django_db
def test_counts_are_kept_from_strangers_unless_they_are_wanted(
    client: Client, settings: LazySettings
) -> None:
    assert client.get("/metrics").status_code == 404
    settings.METRICS = True
    client.get("/api/v1/check?ruleset=changsha&hand=123m+11456p+77789s+%2B9s")
    text = client.get("/metrics").content.decode()
    assert 'paili_answers_total{method="GET",route="api/v1/check",status="200"}' in text
    assert 'paili_answer_seconds_count{route="api/v1/check"}' in text


# Copies


@pytest.fixture
def database(tmp_path: Path) -> dict[str, str]:
    """A database of its own, for commands in processes of their own."""
    environment = {"DATABASE_URL": f"sqlite:///{tmp_path}/site.sqlite3"}
    done = python("manage.py", "migrate", "--verbosity", "0", **environment)
    assert done.returncode == 0, done.stderr
    return environment


def names(path: Path) -> list[str]:
    with sqlite3.connect(path) as open_one:
        return [name for (name,) in open_one.execute("SELECT name FROM people_account ORDER BY name")]


def add(path: Path, name: str) -> None:
    with sqlite3.connect(path) as open_one:
        columns = {row[1]: row[2] for row in open_one.execute("PRAGMA table_info(people_account)")}
        filled = {c: "" if "char" in kind else 0 for c, kind in columns.items() if c != "id"} | {"name": name}
        filled |= {c: "2026-01-01" for c, kind in columns.items() if "date" in kind}
        filled |= {c: name for c in columns if c in ("key", "folded")}
        marks = ", ".join("?" for _ in filled)
        open_one.execute(
            f"INSERT INTO people_account ({', '.join(filled)}) VALUES ({marks})",
            list(filled.values()),
        )


def test_a_copy_brings_back_what_there_was(database: dict[str, str], tmp_path: Path) -> None:
    site, copy = tmp_path / "site.sqlite3", tmp_path / "copy"
    add(site, "Anna")
    done = python("manage.py", "backup", str(copy), **database)
    assert done.returncode == 0, done.stderr
    assert oct(copy.stat().st_mode)[-3:] == "600"
    add(site, "Ben")
    refused = python("manage.py", "restore", str(copy), **database)
    assert "Say --yes" in refused.stderr
    assert names(site) == ["Anna", "Ben"]
    assert python("manage.py", "restore", "--yes", str(copy), **database).returncode == 0
    assert names(site) == ["Anna"]


def test_no_copy_is_overwritten_and_no_other_file_restored(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("mine")
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", there)
    assert there.read_text() == "mine"
    for file in (there, tmp_path / "none"):
        with pytest.raises(CommandError, match=r"no whole copy|no file|no copy"):
            call_command("restore", file, "--yes")


def test_where_nothing_can_be_written_no_part_is_left(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Nothing can be written"):
        call_command("backup", tmp_path / "no" / "such" / "folder")
    assert list(tmp_path.iterdir()) == []


# The server


@pytest.mark.parametrize(
    ("bind", "trusted"), [("unix:/run/paili.sock", "*"), ("127.0.0.1:8000", "127.0.0.1,::1")]
)
def test_the_server_in_front_is_believed_that_a_request_came_by_https(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings, bind: str, trusted: str
) -> None:
    # A socket has no address: whoever may write to it is this machine's own.
    monkeypatch.setenv("BIND", bind)
    said = runpy.run_path(str(settings.BASE_DIR / "deploy" / "gunicorn.conf.py"))
    assert said["forwarded_allow_ips"] == trusted


# The server in front


CONF = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
OWN_PAGES = {int(path.stem): path for path in DEPLOY.glob("nginx/*.html")}


def test_what_nginx_answers_itself_is_said_on_pages_that_are_there() -> None:
    said = re.findall(r"^    error_page (\d+) /nginx/(\d+)\.html;$", CONF, re.M)
    assert {int(status): int(page) for status, page in said} == {status: status for status in OWN_PAGES}
    assert OWN_PAGES.keys() == {413, 414, 429, 502, 504}
    (root,) = re.findall(r"location /nginx/ \{\s+internal;\s+root (\S+);", CONF)
    assert root == "/srv/paili/current/deploy"


@pytest.mark.parametrize("status", OWN_PAGES)
def test_nginxs_own_pages_speak_both_languages_and_need_nothing_of_pailis(status: int) -> None:
    tree = read(OWN_PAGES[status].read_text(encoding="utf-8"))
    assert_valid(tree)
    (chinese,), (english,) = tree.all("h1"), tree.all("h2")
    assert re.search(r"[\u4e00-\u9fff]", chinese.text)
    assert english.text.isascii()
    assert [part["lang"] for part in [*tree.all("html"), *tree.all("div")]] == ["zh-Hans", "en"]
    assert len(tree.all("p")) % 2 == 0
    assert [link["href"] for link in tree.all("link")] == ["/nginx/own.css"]
    assert (DEPLOY / "nginx" / "own.css").exists()
    assert not [tag for tag in ("script", "img", "iframe", "form") if tree.all(tag)]
    assert {a["href"] for a in tree.all("a")} <= {"", "/"}


def test_nginx_lets_other_sites_frame_its_pages_where_paili_does() -> None:
    (addresses,) = re.findall(r'^    ~\^(\S+) "\*";$', CONF, re.M)
    assert addresses == frames.ADDRESSES
    assert "default-src 'none'; style-src 'self'; frame-ancestors $paili_framed_by" in CONF


@pytest.mark.parametrize(
    ("place", "refused", "error", "status"),
    [
        ("too_large", "413 =400", answers.too_long(), 400),
        ("unavailable", "502 504 =503", answers.HandError("unavailable", NO_ANSWER), 503),
    ],
)
def test_nginx_refuses_programs_in_pailis_own_words(
    place: str, refused: str, error: answers.HandError, status: int
) -> None:
    api = CONF[CONF.index("location /api/v1/") :]
    assert f"error_page {refused} @{place};" in api[: api.index("}")]
    body = api[api.index(f"location @{place} ") :]
    ((code, said),) = re.findall(r"return (\d+) '(.*)';", body[: body.index("\n    }")])
    assert int(code) == status
    assert json.loads(said.replace("\\'", "'")) == answers.error_as_json(error)


def test_nginx_says_when_to_ask_again_as_paili_does() -> None:
    again = dict(re.findall(r"^    (\d{3}) (\d+);$", CONF, re.M))
    assert again == {"429": "1", "502": str(RETRY_AFTER), "504": str(RETRY_AFTER)}
    assert set(re.findall(r"Retry-After (\d+)", CONF)) == {"1", str(RETRY_AFTER)}


def test_a_page_asked_for_by_its_head_alone_has_no_body(client: Client, shelved: None) -> None:
    page, head = client.get("/en/privacy/"), client.head("/en/privacy/")
    assert head.status_code == 200
    assert head.content == b""
    assert head["Content-Length"] == page["Content-Length"]


def test_what_django_logs_of_a_request_has_its_number_too(client: Client, shelved: None) -> None:
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(Line().format(record))

    logger, kept = logging.getLogger("django.request"), Kept()
    logger.addHandler(kept)
    try:
        number = client.get("/en/nothing/")["X-Request-ID"]
    finally:
        logger.removeHandler(kept)
    assert [json.loads(line)["request"] for line in lines] == [number]


@pytest.mark.django_db
def test_a_process_without_collected_files_is_not_ready(
    client: Client, content: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/readyz").content == b"ready\n"
    monkeypatch.setattr(health.staticfiles_storage, "hashed_files", {}, raising=False)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content) == (
        503,
        b"static files: run manage.py collectstatic, then start anew\n",
    )
