"""What tests share: the project's own content, checked once a process, and passwords that cost no time."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

import pytest
from django.conf import LazySettings, settings
from django.test import override_settings
from django.utils import translation

from tutor.content import load, shelf
from tutor.puzzles import stock

T = TypeVar("T")

# Whether all is tried, as `make check` does: what is asked in both languages in both, not in one in turn, and
# what is the same for many things for each of them, not for some.
THOROUGH = os.environ.get("PAILI_THOROUGH") == "1"
# How many cases of a test that uses the database are run where not all is tried, and how many on PostgreSQL:
# what it asks of the database is the same in each.
CASES, CASES_ON_POSTGRESQL = 16, 4
CASES_IN_A_BROWSER = 4  # the same of a test in a browser, which takes long


def pytest_addoption(parser: pytest.Parser) -> None:
    """--with-database: of all tests, but those in a browser, the ones that have to do with the database."""
    parser.addoption("--with-database", action="store_true", help="only tests that use the database")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what has nothing to do with the database, where that was asked for.

    Unless some tests were named or all is tried, a test that asks the same in both languages asks in one of
    them, in turn, and of many cases of a test with a database or a browser some are run, evenly chosen.
    """
    if config.getoption("--with-database"):
        _keep(config, items, [item for item in items if _is_about_the_database(item)])
    if THOROUGH or config.option.keyword or any("::" in arg for arg in config.args):
        return
    asked: dict[str, dict[str, list[pytest.Item]]] = {}
    for item in items:
        language = getattr(getattr(item, "callspec", None), "params", {}).get("language")
        if language in ("en", "zh-hans"):
            asked.setdefault(item.nodeid.partition("[")[0], {}).setdefault(language, []).append(item)
    by_test = [found.values() for found in asked.values() if len(found) == 2]
    pairs = [pair for found in by_test for pair in zip(*found, strict=False)]
    left = {pair[number % 2].nodeid for number, pair in enumerate(pairs)}
    _keep(config, items, [item for item in items if item.nodeid not in left])
    most = CASES_ON_POSTGRESQL if config.getoption("--with-database") else CASES
    cases: dict[tuple[str, int], list[pytest.Item]] = {}
    for item in items:
        if _is_in_a_browser(item):
            cases.setdefault((item.nodeid.partition("[")[0], CASES_IN_A_BROWSER), []).append(item)
        elif _is_about_the_database(item):
            cases.setdefault((item.nodeid.partition("[")[0], most), []).append(item)
    some = {item for (_, most), found in cases.items() for item in found[:: -(-len(found) // most)]}
    many = {item for found in cases.values() for item in found}
    _keep(config, items, [item for item in items if item in some or item not in many])


def _keep(config: pytest.Config, items: list[pytest.Item], kept: list[pytest.Item]) -> None:
    """Leaves out all but some."""
    config.hook.pytest_deselected(items=list(set(items) - set(kept)))
    items[:] = kept


def _is_about_the_database(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    has_database = item.get_closest_marker("django_db") or {"db", "transactional_db"} & set(fixtures)
    return bool(has_database) and item.get_closest_marker("browser") is None


def _is_in_a_browser(item: pytest.Item) -> bool:
    """Whether it has a browser and is no share of a test that is shared out to several cores."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    return item.get_closest_marker("browser") is not None and "share" not in params


def some_of(items: Sequence[T], first: int, of: int) -> Sequence[T]:
    """Of many things of one kind every `of`-th from the `first`, or all of them where all is tried."""
    return items if THOROUGH else items[first::of]


@functools.cache
def real_content() -> load.Content:
    """The project's own content files, checked once a process."""
    return load.check()


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Passwords are hashed at once, which nobody should do who has any to keep."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(autouse=True)
def first_language() -> None:
    """A test finds the language of a process that has answered nobody, not that of the test before."""
    translation.activate(settings.LANGUAGE_CODE)


@functools.cache
def real_shelf() -> shelf.Shelf:
    """The project's own content as its pages and puzzles read it, made once a process."""
    return shelf.Shelf.of(real_content().pieces)


@pytest.fixture(scope="session", autouse=True)
def files_read_once() -> Iterator[None]:
    """Where no content is loaded, puzzles are made of the files as they were checked already."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stock, "_files", real_shelf)
        yield


@pytest.fixture
def fresh_shelf(monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> None:
    """No content and no page is left of another test, and what is loaded is seen at once."""
    settings.CONTENT_SECONDS = 0
    monkeypatch.setattr(shelf, "_shelf", shelf.Shelf([]))
    monkeypatch.setattr(shelf, "_version", None)
    monkeypatch.setattr(shelf, "_looked", float("-inf"))


@pytest.fixture
def content(db: None, fresh_shelf: None) -> load.Content:
    """The project's own content, in the database."""
    load.store(real_content())
    return real_content()


@pytest.fixture
def shelved(db: None, fresh_shelf: None, monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> None:
    """The project's own content as a server has it that has run for a while: read, with pages and parts kept.

    They stay from test to test. For tests of which there are hundreds, and which change none of it.
    """
    settings.CONTENT_SECONDS = 3600
    monkeypatch.setattr(shelf, "_shelf", real_shelf())
    monkeypatch.setattr(shelf, "_looked", time.monotonic())


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """SQLite in a file, as a site has it: in memory all threads share a connection, and one that writes fails
    at once, instead of waiting its turn, while another reads."""
    default = settings.DATABASES["default"]
    if default["ENGINE"] == "django.db.backends.sqlite3":
        default.setdefault("TEST", {})["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
