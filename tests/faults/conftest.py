"""Tests that break what Paili runs on: `make faults`, and no other run.

Each starts the real server, with the settings of a public site, on this machine's own address alone, with a
database in a temporary folder; all that is started ends with its test.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.site import Site, manage

collect_ignore_glob = [] if os.environ.get("PAILI_FAULTS") == "1" else ["test_*.py"]


@pytest.fixture(scope="session", autouse=True)
def static_files() -> None:
    """The files as a public site serves them, as `make serve` makes them."""
    manage("collectstatic", "--no-input", "--verbosity", "0")


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SQLite with all content and nobody in it, to be copied."""
    path = tmp_path_factory.mktemp("filled") / "site.sqlite3"
    for command in (["migrate", "--verbosity", "0"], ["load_content"]):
        manage(*command, database=f"sqlite:///{path}")
    return path


@pytest.fixture
def database(filled: Path, tmp_path: Path) -> Path:
    """The same, in a folder of its own."""
    (tmp_path / "data").mkdir()
    return Path(shutil.copy(filled, tmp_path / "data"))


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Starts a site, as `Site` does; it ends with the test."""
    started: list[Site] = []

    def start(database: Path | str, *args: str, **more: str) -> Site:
        url = database if isinstance(database, str) else f"sqlite:///{database}"
        started.append(Site(url, tmp_path / "log", *args, **more))
        started[-1].start()
        return started[-1]

    yield start
    for site in started:
        site.kill()
