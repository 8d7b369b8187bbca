"""PostgreSQL is stopped and started again under a site that goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.faults.site import API, CHAPTERS, CHECK, Guest, Site, Unanswered, busy, free_port, manage, until
from tests.faults.test_disk import assert_clear
from tests.faults.test_killed import acknowledged
from tutor.service.trouble import NOT_SAVED, NOT_SHOWN

PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin/initdb"), default=None)


class Cluster:
    """A PostgreSQL of its own, at this machine's own address."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"postgres://paili@127.0.0.1:{self.port}/postgres"
        self._data = folder / "data"
        self._as: dict = {"user": "postgres", "group": "postgres"} if os.getuid() == 0 else {}
        if self._as:
            shutil.chown(folder, "postgres", "postgres")
        self._run("initdb", "--username=paili", "--auth=trust", "--encoding=UTF8", "--no-sync")

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self._data}"
        self._run("pg_ctl", "-w", "-l", str(self._data.parent / "log"), "-o", options, "start")

    def stop(self, mode: str) -> None:
        self._run("pg_ctl", "-w", "-m", mode, "stop")

    def _run(self, program: str, *args: str) -> None:
        assert PROGRAMS
        subprocess.run(
            [PROGRAMS.parent / program, "-D", self._data, *args],
            cwd="/",
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self._as,
        )


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    if PROGRAMS is None:
        pytest.skip("PostgreSQL is not installed here.")
    with tempfile.TemporaryDirectory(prefix="paili-faults-") as folder:  # where its user may go, too
        found = Cluster(Path(folder))
        found.start()
        for command in (["migrate", "--verbosity", "0"], ["load_content"]):
            manage(*command, database=found.url)
        yield found
        found.stop("immediate")


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_database_that_was_stopped_is_said_to_be_away_and_used_again_when_it_is_back(
    cluster: Cluster, serve: Callable[..., Site], mode: str
) -> None:
    site = serve(cluster.url)
    guests, new = [Guest(site) for _ in range(4)], Guest(site)
    assert new.get("/readyz").status == 200
    with busy(guests) as wrong:
        until(lambda: all(len(guest.acknowledged) > 3 for guest in guests))
        for _ in range(8):  # by each worker
            assert new.get("/en/").status == new.get(CHAPTERS[0]).status == 200
        assert wrong == []
        cluster.stop(mode)
        until(lambda: len(wrong) > 20)
        assert_clear(guests[0].get("/en/progress/"), NOT_SHOWN.en)
        started = time.monotonic()
        assert_clear(new.ask("POST", CHAPTERS[0], {"do": "read"}), NOT_SAVED.en)
        seconds = time.monotonic() - started
        assert [new.get(path).status for path in (CHECK, API, "/en/", CHAPTERS[0], "/healthz")] == [200] * 5
        ready = new.get("/readyz")
        assert (ready.status, ready.body) == (503, "database: no answer\n")
        away = len(wrong)
        cluster.start()
        back = until(lambda: new.get("/readyz").status == 200)
        time.sleep(0.5)  # what was asked before then may be answered still
        late = len(wrong)
        before = len(acknowledged(guests))
        until(lambda: len(acknowledged(guests)) > before + 40)
        assert len(wrong) == late
    print(f"{mode}: {away} refused, one within {seconds:.2f} s; ready {back:.2f} s after the start")
    for error in wrong:
        assert isinstance(error, Unanswered)
        assert error.answer.status == 503
    with psycopg.connect(cluster.url) as found:
        rows = found.execute("SELECT run_id, number FROM practice_attempt WHERE at IS NOT NULL").fetchall()
    assert acknowledged(guests) <= set(rows)
    assert all(guest.keeps() for guest in guests)
    assert site.statuses <= {200, 303, 503}


def test_no_request_fails_where_the_database_was_started_anew_between_two(
    cluster: Cluster, serve: Callable[..., Site]
) -> None:
    site = serve(cluster.url, WORKERS="1")
    guest = Guest(site)
    for _ in range(5):
        guest.answer()
    cluster.stop("fast")
    cluster.start()
    for _ in range(20):
        guest.answer()
    assert site.statuses <= {200, 303}
