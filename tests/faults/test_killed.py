"""What was acknowledged stays, whoever is killed."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from tests.faults.site import Guest, Site, Unanswered, busy, until


def kept(database: Path) -> set[tuple[int, int]]:
    """The rounds and numbers of all answers in a file of SQLite that is whole."""
    with sqlite3.connect(database) as found:
        assert found.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert found.execute("PRAGMA foreign_key_check").fetchall() == []
        rows = found.execute("SELECT run_id, number FROM practice_attempt WHERE at IS NOT NULL").fetchall()
    assert len(rows) == len(set(rows))
    return set(rows)


def acknowledged(guests: list[Guest]) -> set[tuple[int, int]]:
    return {place for guest in guests for place in guest.acknowledged}


def test_every_answer_that_was_acknowledged_is_there_after_workers_and_server_were_killed(
    database: Path, serve: Callable[..., Site]
) -> None:
    site = serve(database)
    guests = [Guest(site) for _ in range(6)]
    with busy(guests) as wrong:
        until(lambda: all(guest.acknowledged for guest in guests))
        for _ in range(6):
            before = len(acknowledged(guests))
            until(lambda n=before: len(acknowledged(guests)) > n + 20)
            worker = site.workers[0]
            os.kill(worker, signal.SIGKILL)
            until(lambda gone=worker: len(site.workers) == 2 and gone not in site.workers)
        for _ in range(3):
            before = len(acknowledged(guests))
            until(lambda n=before: len(acknowledged(guests)) > n + 20)
            site.kill()
            assert acknowledged(guests) <= kept(database)
            site.start()
        time.sleep(2)
    site.kill()
    told, found = acknowledged(guests), kept(database)
    print(
        f"{len(told)} acknowledged, {len(found)} kept, {len(wrong)} unanswered; killed 6 workers, 4 servers"
    )
    assert told <= found
    assert [error for error in wrong if isinstance(error, Unanswered | AssertionError)] == []
    site.start()
    assert all(guest.keeps() for guest in guests)
    assert not {status for status in site.statuses if status >= 500}
