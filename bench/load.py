"""What a site stands under load: gunicorn as it is deployed, asked by many connections at once.

    python -m bench.load

Kinds of requests take turns in one run: a bare view through the same middleware; the checker's fragment by
the address of a hand and by a tap, which sends the whole form, each hand asked once; a chapter for somebody
new and for learners; an answer that is recorded, each connection's in turn another learner's. Server and
client speak on loopback and share the machine: the client takes its part of the processor, which "ms of work"
leaves out.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlencode

import rules
from rules import Ruleset, notation

from . import environment
from .hands import KINDS, Deal, as_hand, deal_apart

ROOT = Path(__file__).parents[1]
WORKERS, CONNECTIONS = 2, 16
LATE, MEMORY = 50, 80  # ms, MB

_ROUNDS, _REQUESTS, _WARM = 5, 1000, 600
_PATIENCE = 60.0  # seconds
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Goal:
    """What is wanted of a kind of requests.

    share: of the bare view's requests/s. enough: requests/s that are enough where that share is more.
    late: ms in which 99 of 100 are to be answered.
    """

    share: float
    enough: float = math.inf
    late: float = math.inf


_FRAGMENT = Goal(0.55, enough=1000, late=LATE)
GOALS = {
    "fragment, by address": _FRAGMENT,
    "fragment, by a tap": _FRAGMENT,
    "chapter, first visit": Goal(0.8),
    "chapter with progress": Goal(0.25),
    "answer, recorded": Goal(0.23),
}
BARE, ADDRESS, TAP, CHAPTER, PROGRESS, ANSWER = "bare view", *GOALS


@dataclass(frozen=True)
class Load:
    """How requests of one kind were answered, as medians of the rounds.

    rate: requests/s, and share: of the bare view's in the same round. middle, late: ms until the answer is
    there, median and 99th percentile. work: ms of processor time of the workers a request.
    """

    name: str
    rate: float
    share: float
    middle: float
    late: float
    work: float

    @property
    def met(self) -> bool | None:
        """Whether its goal is met; None where it has none."""
        goal = GOALS.get(self.name)
        if goal is None:
            return None
        return (self.share >= goal.share or self.rate >= goal.enough) and self.late < goal.late


@dataclass(frozen=True)
class Results:
    """Each kind's load, and how many MB of memory the largest worker has after it."""

    loads: list[Load]
    memory: float


def measured() -> Results:
    """All kinds, in rounds."""
    rounds: dict[str, list[tuple[float, ...]]] = {}
    with _server() as (port, master, settings):
        kinds = _kinds(port, settings)
        for requests in kinds.values():
            _ask(port, islice(requests, _WARM))
        for _ in range(_ROUNDS):
            for name, requests in kinds.items():
                before = _work(master)
                times, seconds = _ask(port, islice(requests, _REQUESTS))
                work = (_work(master) - before) / len(times) * 1000
                late = quantiles(times, n=100)[-1]
                row = (len(times) / seconds, median(times) * 1000, late * 1000, work)
                rounds.setdefault(name, []).append(row)
        memory = max(map(_memory, _workers(master)))
    loads = []
    for name, found in rounds.items():
        rate, middle, late, work = map(median, zip(*found, strict=True))
        share = median(one[0] / bare[0] for one, bare in zip(found, rounds[BARE], strict=True))
        loads.append(Load(name, rate, share, middle, late, work))
    return Results(loads, memory)


def as_text(results: Results) -> str:
    """A table, each number beside its goal."""
    lines = [
        f"{WORKERS} workers, {CONNECTIONS} connections, medians of {_ROUNDS} rounds of {_REQUESTS} requests",
        f"{'':22}{'requests/s':>12}{'of bare':>9}{'median':>9}{'p99':>9}{'ms of work':>12}",
    ]
    for load in results.loads:
        line = (
            f"{load.name:22}{load.rate:>12.0f}{load.share:>9.2f}{load.middle:>6.1f} ms{load.late:>6.1f} ms"
            f"{load.work:>12.2f}"
        )
        if goal := GOALS.get(load.name):
            wanted = f"≥ {goal.share:g}"
            wanted += f" or {goal.enough:g} requests/s" if goal.enough < math.inf else ""
            wanted += f", p99 < {goal.late:g} ms" if goal.late < math.inf else ""
            line += f"   {wanted}: {'met' if load.met else 'NOT MET'}"
        lines.append(line)
    met = results.memory <= MEMORY
    lines.append(
        f"memory of a worker: {results.memory:.0f} MB, at most {MEMORY}: {'met' if met else 'NOT MET'}"
    )
    return "\n".join(lines)


def as_json(results: Results) -> dict[str, Any]:
    """The same for programs."""
    loads = [{**asdict(load), "met": load.met} for load in results.loads]
    return {"loads": loads, "memory_mb": results.memory, "memory_at_most_mb": MEMORY}


# What is asked


def _kinds(port: int, settings: dict[str, str]) -> dict[str, Iterator[bytes]]:
    """The requests of each kind; only hands come to an end. Makes learners, each by a first answer."""
    told = subprocess.run(
        [sys.executable, "-c", "from bench.load import tell_answer; tell_answer()"],
        cwd=ROOT,
        env=settings,
        capture_output=True,
        text=True,
        check=True,
    )
    chapter, answer = json.loads(told.stdout)
    cookies = [_cookie(_answer_of(port, _post(chapter, answer))) for _ in range(CONNECTIONS)]
    return {
        BARE: cycle([_get("/bare/")]),
        ADDRESS: _addresses(),
        TAP: _taps(port),
        CHAPTER: cycle([_get(chapter)]),
        PROGRESS: cycle([_get(chapter, f"Cookie: {cookie}\r\n") for cookie in cookies]),
        ANSWER: cycle([_post(chapter, answer, f"Cookie: {cookie}\r\n") for cookie in cookies]),
    }


def tell_answer() -> None:
    """Prints a chapter's address and the form that solves a level of it, by the site's settings."""
    import django

    django.setup()
    from tutor.content.shelf import shelf

    step = next(s for _, s in shelf().steps.values() if s.level and s.level.widget == "keys")
    assert step.level
    fields = [("step", step.slug), *(("a", item) for item in sorted(next(iter(step.level.rights))))]
    chapter = step.place.partition("#")[0]
    print(json.dumps([f"/en/learn/{chapter}/", urlencode([*fields, ("do", "answer")])]))


def _hands(seed: str) -> Iterator[tuple[Ruleset, Deal]]:
    """Hands of all games and kinds, each once."""
    keys = list(rules.rulesets())
    number = (_WARM + _ROUNDS * _REQUESTS) // (len(keys) * len(KINDS)) + 1
    dealt = deal_apart(keys, seed, dict.fromkeys(KINDS, number))
    hands = [(rules.ruleset(key), hand) for key in keys for kind in KINDS for hand in dealt[key][kind]]
    random.Random(seed).shuffle(hands)
    yield from hands


def _addresses() -> Iterator[bytes]:
    for (game, held), language in zip(_hands("address"), cycle(["en", "zh-hans"]), strict=False):
        yield _fragment(language, {"ruleset": game.key, "hand": notation.write(as_hand(held))})


def _taps(port: int) -> Iterator[bytes]:
    """The last tile of each hand is pressed: all that the form holds is sent, with what its page showed when
    it was opened."""
    shown = {
        (game, language): _shown(_answer_of(port, _get(f"/{language}/check/?ruleset={game}")))
        for game in rules.rulesets()
        for language in ("en", "zh-hans")
    }
    for (game, held), language in zip(_hands("tap"), cycle(["en", "zh-hans"]), strict=False):
        before = notation.write(as_hand(held[:-1] if len(held) == 14 else held).without_winning())
        form = {
            "ruleset": game.key,
            "hand": before,
            "was": "".join(f"~{before[:n]}" for n in range(4, len(before), 4)),
            "shown": "1",
            "shows": shown[game.key, language],
            "by": "discard",
            "seat": "1",
            "from": "0",
            "mode": "tile",
            **{f"rule-{option.key}": option.default for option in game.options},
            "do": f"key:{held[-1]}" if len(held) == 14 else "undo",
        }
        yield _fragment(language, form)


def _fragment(language: str, form: dict[str, str]) -> bytes:
    here = f"http://localhost/{language}/check/"
    return _get(f"/{language}/check/?{urlencode(form)}", f"{_PART}HX-Current-URL: {here}\r\n")


_PART = "HX-Request: true\r\n"


def _get(path: str, headers: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode()


def _post(path: str, form: str, headers: str = "") -> bytes:
    kind = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n"
    return f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{_PART}{headers}{kind}\r\n{form}".encode()


# The client


class _Connection:
    """A connection that is kept alive, and made anew where the server has closed it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None
        self.came = bytearray()
        self.request = b""
        self.sent = 0.0

    def send(self, request: bytes) -> socket.socket:
        """Sends a request; the socket on which the answer comes."""
        self.request, self.sent = request, time.perf_counter()
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=_PATIENCE)
        self._socket.sendall(request)
        self.came.clear()
        return self._socket

    def close(self) -> None:
        """Ends the connection; the next request makes a new one."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def is_done(self) -> bool:
        """Reads what has come; whether the answer is there. ConnectionError where it will not come."""
        assert self._socket is not None
        part = self._socket.recv(1 << 18)
        if not part:
            raise ConnectionError
        self.came += part
        end = self.came.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self.came[:end]).lower()
        if not head.startswith(b"http/1.1 200"):
            raise RuntimeError(head.decode(errors="replace"))
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        done = len(self.came) >= end + 4 + length
        if done and b"connection: close" in head:
            self.close()
        return done


def _answer_of(port: int, request: bytes) -> bytes:
    """The answer to a single request, head and body."""
    connection = _Connection(port)
    connection.send(request)
    while not connection.is_done():
        pass
    connection.close()
    return bytes(connection.came)


def _cookie(answer: bytes) -> str:
    """The cookie of a session that an answer gives."""
    return answer.decode().partition("Set-Cookie: ")[2].partition(";")[0]


def _shown(answer: bytes) -> str:
    """What a page of the checker says that it shows."""
    found = re.search(r'id="shows" value="([^"]+)"', answer.decode())
    assert found
    return found[1]


def _ask(port: int, requests: Iterable[bytes]) -> tuple[list[float], float]:
    """The seconds that each answer took, and all of them together."""
    waiting, times = iter(requests), list[float]()
    start = time.perf_counter()
    with selectors.DefaultSelector() as selector:

        def start_on(connection: _Connection, request: bytes | None) -> None:
            if request is None:
                connection.close()
            else:
                selector.register(connection.send(request), selectors.EVENT_READ, connection)

        for _ in range(CONNECTIONS):
            start_on(_Connection(port), next(waiting, None))
        while selector.get_map():
            ready = selector.select(_PATIENCE)
            if not ready:
                raise TimeoutError("no answer")
            for key, _ in ready:
                connection: _Connection = key.data
                try:
                    done = connection.is_done()
                except ConnectionError:
                    # A worker that makes way for a fresh one closes its connections: asked again.
                    selector.unregister(key.fileobj)
                    connection.close()
                    start_on(connection, connection.request)
                    continue
                if done:
                    times.append(time.perf_counter() - connection.sent)
                    selector.unregister(key.fileobj)
                    start_on(connection, next(waiting, None))
    return times, time.perf_counter() - start


# The server


@contextmanager
def _server() -> Iterator[tuple[int, int, dict[str, str]]]:
    """The site as deployed, on a database of its own: its port, its master process, its settings."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        settings = environment(
            folder,
            HTTPS="0",
            ALLOWED_HOSTS="localhost",
            BIND=f"127.0.0.1:{port}",
            WORKERS=str(WORKERS),
            MALLOC_ARENA_MAX="1",  # as paili.service has it
        )
        for command in (["migrate"], ["load_content"], ["collectstatic", "--no-input"]):
            subprocess.run(
                [sys.executable, "manage.py", *command, "--verbosity", "0"],
                cwd=ROOT,
                env=settings,
                check=True,
            )
        master = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "gunicorn",
                "--config",
                "deploy/gunicorn.conf.py",
                "--log-level",
                "warning",
            ],
            cwd=ROOT,
            env=settings,
        )
        try:
            _await(port, master)
            yield port, master.pid, settings
        finally:
            master.terminate()
            master.wait(_PATIENCE)


def _await(port: int, master: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _PATIENCE
    while master.poll() is None and time.monotonic() < until:
        try:
            _ask(port, [_get("/bare/")])
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("gunicorn does not answer")


def _workers(master: int) -> Sequence[int]:
    return [int(pid) for pid in Path(f"/proc/{master}/task/{master}/children").read_text().split()]


def _work(master: int) -> float:
    """The seconds of processor time that all workers have taken, those too that are gone."""
    gone = Path(f"/proc/{master}/stat").read_text().rpartition(")")[2].split()[13:15]
    spent = [
        Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13] for pid in _workers(master)
    ]
    return sum(int(ticks) for pair in [gone, *spent] for ticks in pair) / _TICKS


def _memory(pid: int) -> float:
    """The MB of memory that a process has, those too that it shares with others."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


if __name__ == "__main__":
    found = measured()
    print(json.dumps(as_json(found), indent=2) if "--json" in sys.argv else as_text(found))
