"""A database that can't be written to, or has no room: said clearly, and over when it is over."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.site import API, CHAPTERS, CHECK, Answer, Guest, Site, Unanswered, busy, until
from tests.faults.test_killed import acknowledged, kept
from tutor.service.trouble import NOT_SAVED, NOT_SHOWN

# Root may write what nobody may, unless it has given that up.
WITHOUT_RIGHTS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


def assert_clear(answer: Answer, words: str) -> None:
    assert answer.status == 503, answer.body[:300]
    assert answer.headers["retry-after"] == "30"
    assert words.replace("'", "&#x27;") in answer.body


def refused(guest: Guest) -> Answer:
    """What is said to an answer that can't be kept."""
    with pytest.raises(Unanswered) as raised:
        guest.answer()
    return raised.value.answer


@pytest.fixture
def before() -> tuple[str, ...]:
    """A command with which the server may do no more than the owner of its files."""
    if os.getuid() != 0:
        return ()
    if not shutil.which("setpriv"):
        pytest.skip(
            "As root files can be written whatever they say, and there is no setpriv to give that up."
        )
    return WITHOUT_RIGHTS


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_read_only_database_is_said_to_be_in_the_way_until_it_can_be_written(
    database: Path, serve: Callable[..., Site], before: tuple[str, ...], what: str
) -> None:
    database.chmod(0o444)
    if what == "folder":
        database.parent.chmod(0o555)
    site = serve(database, before=before)
    guest = Guest(site)
    assert_clear(refused(guest), NOT_SAVED.en)
    if what == "folder":  # where SQLite can't put down who reads
        assert_clear(guest.get(CHAPTERS[0]), NOT_SHOWN.en)
        assert guest.get("/readyz").status == 503
    else:
        assert guest.get(CHAPTERS[0]).status == 200
    assert [guest.get(path).status for path in (CHECK, API, "/healthz")] == [200] * 3
    database.parent.chmod(0o755)
    for path in database.parent.iterdir():
        path.chmod(0o644)
    # Each thread of each worker may find once more that its connection is one for reading.
    refusals = 0
    while len(guest.acknowledged) < 30:
        try:
            guest.answer()
        except Unanswered as error:
            assert_clear(error.answer, NOT_SAVED.en)
            refusals += 1
    print(f"{refusals} refused after it could be written again")
    assert refusals <= 8
    assert guest.get("/readyz").status == 200
    assert site.statuses <= {200, 303, 503}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 12 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(place)]
    if os.getuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("A small disk can be mounted by root alone.")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(place: Path) -> Path:
    """A file with which a disk is full."""
    filler = place / "filler"
    with filler.open("ab", buffering=0) as file:
        for size in (65536, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return filler


def test_a_full_disk_is_said_to_be_in_the_way_until_there_is_room(
    filled: Path, small_disk: Path, serve: Callable[..., Site]
) -> None:
    database = Path(shutil.copy(filled, small_disk / "site.sqlite3"))
    site = serve(database)
    guests = [Guest(site) for _ in range(4)]
    for guest in guests:
        guest.answer()
    filler = fill(small_disk)
    with busy(guests) as wrong:  # what was taken from the disk before may be used up first
        until(lambda: len(wrong) > 12)
    for error in wrong:
        assert isinstance(error, Unanswered)
        assert error.answer.status == 503
    assert_clear(refused(guests[0]), NOT_SAVED.en)
    assert_clear(
        guests[0].ask("POST", "/zh-hans/practice/start/", {"mode": "quick", "game": "changsha"}), NOT_SAVED.zh
    )
    part = Guest(site).ask("POST", CHAPTERS[0], {"do": "read"}, HX_Request="true")
    assert_clear(part, NOT_SAVED.en)
    assert part.body.startswith('<p class="trouble"')
    assert [guests[0].get(path).status for path in ("/en/practice/", CHECK, API, CHAPTERS[0], "/en/")] == [
        200
    ] * 5
    assert acknowledged(guests) <= kept(database)
    filler.unlink()
    started = time.monotonic()
    for guest in guests:
        guest.answer()
    print(f"{len(wrong)} refused, answered {time.monotonic() - started:.1f} s after there was room again")
    site.kill()
    assert acknowledged(guests) <= kept(database)
    assert site.statuses <= {200, 303, 503}


def test_a_database_that_somebody_keeps_locked_is_waited_for_and_then_said_to_be_in_the_way(
    database: Path, serve: Callable[..., Site]
) -> None:
    site = serve(database)
    guest = Guest(site)
    guest.answer()
    with sqlite3.connect(database, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        started = time.monotonic()
        assert_clear(refused(guest), NOT_SAVED.en)
        print(f"refused after {time.monotonic() - started:.1f} s")
        assert guest.get("/en/practice/").status == 200  # readers wait for nobody
        other.execute("ROLLBACK")
    guest.answer()
    assert site.statuses <= {200, 303, 503}
