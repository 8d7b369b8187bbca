"""What tests share: the project's own content, checked once a process, and passwords that cost no time."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator

import pytest
from django.conf import LazySettings
from django.test import override_settings

from tutor.content import load, shelf


@functools.cache
def real_content() -> load.Content:
    """The project's own content files, checked once a process."""
    return load.check()


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Passwords are hashed at once, which nobody should do who has any to keep."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@functools.cache
def _stock() -> shelf.Shelf:
    return shelf.Shelf(list(real_content().pieces.items()))


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
    monkeypatch.setattr(shelf, "_shelf", _stock())
    monkeypatch.setattr(shelf, "_looked", time.monotonic())
