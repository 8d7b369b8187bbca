"""Nobody who asks sees a reload or a restart: at worst they wait. `deploy/README.md` promises it."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.site import API, CHECK, ROOT, Guest, Site, Unanswered, busy, until

TIMES = 2
# As systemd does: the socket is the child's third file, and the child is told so by its own number.
HAND_ON = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
os.execv(sys.argv[2], sys.argv[2:])
"""


class Activated(Site):
    """A site as `paili.service` is started with `paili.socket`: what it listens at outlives it."""

    def __init__(self, database: str, log: Path) -> None:
        super().__init__(database, log)
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self.socket.getsockname()[1]

    def start(self) -> None:
        """Starts it; what was asked before waits for it."""
        number = self.socket.fileno()
        command = [sys.executable, "-c", HAND_ON, str(number), *self._command]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
                pass_fds=[number],
                start_new_session=True,
            )

    def restart(self) -> None:
        """As `systemctl restart` does: it is told to end, has ended, and another one starts."""
        assert self._process
        self._process.terminate()
        assert self._process.wait(30) == 0
        self.start()


class Asking(Guest):
    """Somebody who asks for one thing again and again. pause: seconds between. waits: how long each took.

    keeps: whether on one connection, as the server in front does, until an answer says that it ends.
    """

    def __init__(self, site: Site, path: str, *, keeps: bool, pause: float) -> None:
        super().__init__(site)
        self.path, self.keeps, self.pause = path, keeps, pause
        self.waits: list[float] = []
        self._connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)

    def answer(self) -> None:
        """Asks once. Raises Unanswered, OSError, HTTPException."""
        began = time.monotonic()
        try:
            self._connection.request("GET", self.path)
            response = self._connection.getresponse()
            body = response.read().decode()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise
        if response.status != 200:
            raise Unanswered((response.status, {}, body))  # type: ignore[arg-type]
        self.waits.append(time.monotonic() - began)
        if not self.keeps:
            self._connection.close()
        time.sleep(self.pause)


class Playing(Guest):
    """Somebody who answers questions. waits: how long each took, its page and its answer."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.waits: list[float] = []

    def answer(self) -> None:
        """Answers the next question."""
        began = time.monotonic()
        super().answer()
        self.waits.append(time.monotonic() - began)
        time.sleep(0.1)


@contextmanager
def asked(site: Site, what: str) -> Iterator[None]:
    """Steady load by six meanwhile: every request of theirs is answered, and the longest wait is told."""
    who = [Asking(site, path, keeps=keeps, pause=0.1) for path in (API, CHECK) for keeps in (True, False)]
    guests = [*who, Playing(site), Playing(site)]
    with busy(guests, lambda guest: guest.answer()) as wrong:
        until(lambda: bool(wrong) or all(guest.waits for guest in guests))
        assert wrong == []
        before = [len(guest.waits) for guest in guests]
        usual = max(wait for guest in guests for wait in guest.waits)
        yield
        counts = [len(guest.waits) for guest in guests]
        until(lambda: all(len(g.waits) > n for g, n in zip(guests, counts, strict=True)))
    waits = [wait for guest, n in zip(guests, before, strict=True) for wait in guest.waits[n:]]
    print(
        f"{what} {TIMES} times: {len(waits)} asked, {len(wrong)} failed, longest wait {max(waits):.2f} s, "
        f"median {statistics.median(waits):.2f} s; before that at most {usual:.2f} s"
    )
    assert wrong == []
    assert not {status for status in site.statuses if status >= 500}


def test_a_reload_under_load_fails_nobody(database: Path, serve: Callable[..., Site]) -> None:
    site = serve(database)
    until(lambda: len(site.workers) == 2)
    with asked(site, "reloaded"):
        for _ in range(TIMES):
            old = set(site.workers)
            assert site._process
            os.kill(site._process.pid, signal.SIGHUP)
            until(lambda gone=old: len(site.workers) == 2 and not gone & set(site.workers))
            time.sleep(1)


@pytest.fixture
def activated(database: Path, tmp_path: Path) -> Iterator[Activated]:
    """A site on a socket that is kept for it."""
    site = Activated(f"sqlite:///{database}", tmp_path / "log")
    site.start()
    yield site
    site.kill()
    site.socket.close()


def test_a_restart_on_a_socket_that_is_kept_fails_nobody(activated: Activated) -> None:
    alone = until(lambda: Guest(activated).get("/healthz").status == 200)
    print(f"a start alone takes {alone:.2f} s until the first answer")
    with asked(activated, "restarted"):
        for _ in range(TIMES):
            activated.restart()
            until(lambda: Guest(activated).get("/healthz").status == 200)
            time.sleep(1)
