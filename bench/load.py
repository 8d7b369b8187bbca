"""What a site stands under load: gunicorn as it is deployed, asked by many connections at once.

    python -m bench.load

Three kinds of requests take turns in one run: a bare view through the same middleware, the checker's fragment
by the address of a hand, and by a tap, which sends the whole form. Each hand is asked once. Server and client
speak on loopback and share the machine: the client takes its part of the processor, which "ms of work" leaves
out.
"""

from __future__ import annotations

import json
import os
import random
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
from urllib.parse import urlencode

import rules
from rules import Ruleset, notation

from . import environment
from .hands import KINDS, Deal, as_hand, deal_apart

ROOT = Path(__file__).parents[1]
WORKERS, CONNECTIONS = 2, 16
ENOUGH, SHARE, LATE, MEMORY = 1000, 0.55, 50, 80  # requests/s, of the bare view's, ms, MB
BARE, ADDRESS, TAP = "bare view", "fragment, by address", "fragment, by a tap"

_ROUNDS, _REQUESTS, _WARM = 5, 1000, 600
_PATIENCE = 60.0  # seconds
_TICKS = os.sysconf("SC_CLK_TCK")


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


@dataclass(frozen=True)
class Results:
    """Each kind's load, and how many MB of memory the largest worker has after it."""

    loads: list[Load]
    memory: float


def measured() -> Results:
    """All kinds, in rounds."""
    kinds = {BARE: cycle([_request("/bare/")]), ADDRESS: _addresses(), TAP: _taps()}
    rounds: dict[str, list[tuple[float, ...]]] = {name: [] for name in kinds}
    with _server() as (port, master):
        for requests in kinds.values():
            _ask(port, islice(requests, _WARM))
        for _ in range(_ROUNDS):
            for name, requests in kinds.items():
                before = _work(master)
                times, seconds = _ask(port, islice(requests, _REQUESTS))
                work = (_work(master) - before) / len(times) * 1000
                late = quantiles(times, n=100)[-1]
                rounds[name].append((len(times) / seconds, median(times) * 1000, late * 1000, work))
        memory = max(map(_memory, _workers(master)))
    loads = []
    for name, found in rounds.items():
        rate, middle, late, work = map(median, zip(*found, strict=True))
        share = median(one[0] / bare[0] for one, bare in zip(found, rounds[BARE], strict=True))
        loads.append(Load(name, rate, share, middle, late, work))
    return Results(loads, memory)


def as_text(results: Results) -> str:
    """A table, each number beside its goal."""
    bare = results.loads[0]
    lines = [
        f"{WORKERS} workers, {CONNECTIONS} connections, medians of {_ROUNDS} rounds of {_REQUESTS} requests",
        f"{'':22}{'requests/s':>12}{'of bare':>9}{'median':>9}{'p99':>9}{'ms of work':>12}",
    ]
    for load in results.loads:
        lines.append(
            f"{load.name:22}{load.rate:>12.0f}{load.share:>9.2f}{load.middle:>6.1f} ms{load.late:>6.1f} ms"
            f"{load.work:>12.2f}"
        )
        if load is not bare:
            enough = min(ENOUGH, SHARE * bare.rate)
            met = load.rate >= enough and load.late < LATE
            lines[-1] += f"   {enough:.0f} requests/s, p99 < {LATE} ms: {'met' if met else 'NOT MET'}"
    met = results.memory <= MEMORY
    lines.append(
        f"memory of a worker: {results.memory:.0f} MB, at most {MEMORY}: {'met' if met else 'NOT MET'}"
    )
    return "\n".join(lines)


# What is asked


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


def _taps() -> Iterator[bytes]:
    """The last tile of each hand is pressed: all that the form holds is sent."""
    for (game, held), language in zip(_hands("tap"), cycle(["en", "zh-hans"]), strict=False):
        before = notation.write(as_hand(held[:-1] if len(held) == 14 else held).without_winning())
        form = {
            "ruleset": game.key,
            "hand": before,
            "was": "".join(f"~{before[:n]}" for n in range(4, len(before), 4)),
            "shown": "1",
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
    return _request(
        f"/{language}/check/?{urlencode(form)}", f"HX-Request: true\r\nHX-Current-URL: {here}\r\n"
    )


def _request(path: str, headers: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode()


# The client


class _Connection:
    """A connection that is kept alive, and made anew where the server has closed it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None
        self._came = bytearray()
        self.request = b""
        self.sent = 0.0

    def send(self, request: bytes) -> socket.socket:
        """Sends a request; the socket on which the answer comes."""
        self.request, self.sent = request, time.perf_counter()
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=_PATIENCE)
        self._socket.sendall(request)
        self._came.clear()
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
        self._came += part
        end = self._came.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self._came[:end]).lower()
        if not head.startswith(b"http/1.1 200"):
            raise RuntimeError(head.decode(errors="replace"))
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        done = len(self._came) >= end + 4 + length
        if done and b"connection: close" in head:
            self.close()
        return done


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
def _server() -> Iterator[tuple[int, int]]:
    """The site as deployed, on a database of its own: its port and the id of its master process."""
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
            yield port, master.pid
        finally:
            master.terminate()
            master.wait(_PATIENCE)


def _await(port: int, master: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _PATIENCE
    while master.poll() is None and time.monotonic() < until:
        try:
            _ask(port, [_request("/bare/")])
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
    print(json.dumps(asdict(found), indent=2) if "--json" in sys.argv else as_text(found))
