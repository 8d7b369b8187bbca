"""A site as the public one is served, and people who use it, over real connections."""

from __future__ import annotations

import html
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = [
    f"/{language}/learn/{path.parent.name}/{slug}/"
    for language in ("en", "zh-hans")
    for path in sorted(ROOT.glob("fixtures/*/[0-9]*.yaml"))
    for slug in re.findall(r"^  - slug: *(\S+)", path.read_text(), re.M)
]
CHECK = "/en/check/?ruleset=changsha&hand=123m+11456p+77789s+%2B9s"
API = "/api/v1/check?ruleset=changsha&hand=123m+11456p+77789s+%2B9s"


def environment(database: str, **more: str) -> dict[str, str]:
    """What a public site is told."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    public = {
        "DEBUG": "0",
        "HTTPS": "0",
        "ALLOWED_HOSTS": "127.0.0.1",
        "SECRET_KEY": "for these tests alone " * 4,
    }
    return kept | public | {"DATABASE_URL": database, "LOG_REQUESTS": "1"} | more


def manage(*args: str, database: str = "sqlite://:memory:") -> None:
    """Runs a command of the project."""
    command = [sys.executable, "manage.py", *args]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(database), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def free_port() -> int:
    """A port of this machine's that nobody listens at."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Site:
    """The server with its workers. log: the file that it writes to. before: a command that starts it."""

    def __init__(
        self, database: str, log: Path, *args: str, before: tuple[str, ...] = (), **more: str
    ) -> None:
        self.port = free_port()
        self.log = log
        gunicorn = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py"]
        self._command = [*before, *gunicorn, *args]
        self._environment = environment(database, BIND=f"127.0.0.1:{self.port}", **more)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it and waits until each worker answers."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=log, start_new_session=True
            )
        until(lambda: Guest(self).ask("GET", "/healthz").status == 200)

    @property
    def workers(self) -> list[int]:
        """The processes that answer."""
        assert self._process
        pid = self._process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def kill(self) -> None:
        """Ends all of it at once, as a machine that is out of memory does."""
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def logged(self) -> list[dict]:
        """The lines of JSON that it has written."""
        lines = self.log.read_text(errors="replace").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    @property
    def statuses(self) -> set[int]:
        """The statuses of all it has answered."""
        return {line["status"] for line in self.logged() if line["logger"] == "paili.access"}


class Listening(Protocol):
    """Whatever answers at a port of this machine's."""

    port: int


class Answer(NamedTuple):
    """What a server answered. headers: by lower-case name."""

    status: int
    headers: dict[str, str]
    body: str


class Guest:
    """Somebody with a browser that keeps cookies; answers question after question of a round.

    acknowledged: the rounds and numbers of questions whose answers the server said it has.
    """

    def __init__(self, site: Listening) -> None:
        self.site = site
        self.acknowledged: list[tuple[int, int]] = []
        self._cookies: dict[str, str] = {}
        self._place: tuple[int, int] | None = None

    def ask(self, method: str, path: str, data: dict[str, str] | None = None, **headers: str) -> Answer:
        """Asks on a connection of its own. Raises OSError, HTTPException where there is no whole answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=30)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self._cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        if data is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, urlencode(data) if data is not None else None, sent)
            response = connection.getresponse()
            body = response.read().decode()
        finally:
            connection.close()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self._cookies[key] = rest.partition(";")[0]
        return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, body)

    def get(self, path: str) -> Answer:
        """Asks for a page."""
        return self.ask("GET", path)

    def question(self) -> str:
        """The address of the question that is open, in a round begun where none is."""
        if self._place is None:
            form = {"mode": "endless", "game": "changsha", "kind": "can-win", "level": "1"}
            begun = self.ask("POST", "/en/practice/start/", form)
            if begun.status != 303:
                raise Unanswered(begun)
            self._place = (int(begun.headers["location"].split("/")[-3]), 1)
        return "/en/practice/runs/{}/{}/".format(*self._place)

    def answer(self) -> None:
        """Answers the next question. Raises Unanswered, or what `ask` raises."""
        path = self.question()
        page = self.get(path)
        if page.status != 200:
            raise Unanswered(page)
        fields = re.findall(
            r'<(?:input type="hidden"|button type="submit") name="(\w+)" value="([^"]*)"', page.body
        )
        form = {name: html.unescape(value) for name, value in fields}  # of the buttons the last
        if "a" in form:  # else it was answered, and it is the acknowledgement that was lost
            told = self.ask("POST", path, form)
            if told.status != 303:
                raise Unanswered(told)
        else:
            assert 'class="feedback' in page.body
        assert self._place
        self.acknowledged.append(self._place)
        self._place = (self._place[0], self._place[1] + 1)

    def keeps(self) -> bool:
        """Whether the server still knows this browser and shows its last answer as given."""
        page = self.get("/en/practice/runs/{}/{}/".format(*self.acknowledged[-1]))
        return page.status == 200 and 'class="feedback' in page.body


class Unanswered(Exception):
    """The server said that it can't. answer: what it said."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"{answer.status}: {answer.body[:300]}")
        self.answer = answer


@contextmanager
def busy(guests: list[Guest], act: Callable[[Guest], None] = Guest.answer) -> Iterator[list[Exception]]:
    """All of them answering, each in a thread of its own, over and over; what went wrong is listed."""
    wrong: list[Exception] = []
    is_over = threading.Event()

    def go_on(guest: Guest) -> None:
        while not is_over.is_set():
            try:
                act(guest)
            except (OSError, http.client.HTTPException, Unanswered) as error:
                wrong.append(error)
                time.sleep(0.1)
            except Exception as error:
                wrong.append(error)
                raise

    threads = [threading.Thread(target=go_on, args=[guest], daemon=True) for guest in guests]
    for thread in threads:
        thread.start()
    try:
        yield wrong
    finally:
        is_over.set()
        for thread in threads:
            thread.join(60)


def until(holds: Callable[[], bool], seconds: float = 30) -> float:
    """Waits until something holds; the seconds that it took. Fails where it never does."""
    started = time.monotonic()
    while time.monotonic() - started < seconds:
        try:
            if holds():
                return time.monotonic() - started
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} seconds")


def memory(pid: int) -> float:
    """The resident memory of a process, in MB."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0
