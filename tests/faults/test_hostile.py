"""Clients that are slow, huge, broken or many: refused or served, and nobody else waits for long."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.faults.site import API, CHAPTERS, CHECK, ROOT, Guest, Site, free_port, until

HOST = b"Host: 127.0.0.1\r\n"
HEAD = b"GET /en/ HTTP/1.1\r\n" + HOST + b"X: "
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
POST = b"POST /en/learn/changsha/tiles/ HTTP/1.1\r\n" + HOST + FORM
BROKEN = {
    "no HTTP": b"hello\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
    "zeros": bytes(5000) + b"\r\n\r\n",
    "no version": b"GET /\r\n\r\n",
    "another version": b"GET / HTTP/9.9\r\n" + HOST + b"\r\n",
    "a method of its own": b"BREW /en/ HTTP/1.1\r\n" + HOST + b"\r\n",
    "no host": b"GET /en/ HTTP/1.1\r\n\r\n",
    "another host": b"GET /en/ HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
    "a host that is none": b"GET /en/ HTTP/1.1\r\nHost: a b/\\:x\r\n\r\n",
    "no path": b"GET  HTTP/1.1\r\n" + HOST + b"\r\n",
    "a path that is no UTF-8": b"GET /en/%ff%fe%00/ HTTP/1.1\r\n" + HOST + b"\r\n",
    "raw bytes in the path": b"GET /en/\xff\xfe/ HTTP/1.1\r\n" + HOST + b"\r\n",
    "a whole address": b"GET http://elsewhere.example/en/ HTTP/1.1\r\n" + HOST + b"\r\n",
    "a header without colon": b"GET / HTTP/1.1\r\n" + HOST + b"nothing\r\n\r\n",
    "a zero in a header": b"GET / HTTP/1.1\r\n" + HOST + b"X: a\x00b\r\n\r\n",
    "a folded header": b"GET / HTTP/1.1\r\n" + HOST + b"X: a\r\n b\r\n\r\n",
    "cookies of any bytes": b"GET /en/ HTTP/1.1\r\n" + HOST + b"Cookie: sessionid=\xff\xfe; ;;=;\"\r\n\r\n",
    "a long line": b"GET /en/?" + b"a" * 20_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "a large header": b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 200_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\n" + HOST + b"X: a\r\n" * 2000 + b"\r\n",
    "a length below zero": POST + b"Content-Length: -5\r\n\r\nhello",
    "a length that is none": POST + b"Content-Length: five\r\n\r\nhello",
    "two lengths": POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
    "length and chunks": POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /\r\n",
    "a chunk that is none": POST + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n0\r\n\r\n",
    "a chunk without end": POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 5000,
    "an encoding nobody knows": POST + b"Transfer-Encoding: rot13\r\n\r\nhello",
    "a form in parts without bounds": (
        b"POST /en/learn/changsha/tiles/ HTTP/1.1\r\n" + HOST + b"Content-Type: multipart/form-data\r\n"
        b"Content-Length: 5\r\n\r\nhello"
    ),
    "less than was said": POST + b"Content-Length: 500\r\n\r\nhello",
}  # fmt: skip


@pytest.fixture
def site(database: Path, serve: Callable[..., Site]) -> Site:
    return serve(database)


@pytest.fixture
def well(site: Site) -> Iterator[None]:
    """That the server is as it was when the test is over: the same workers, which answer, and no fault."""
    until(lambda: Guest(site).get(CHECK).status == 200)
    workers = set(site.workers)
    yield
    guest = Guest(site)
    assert [guest.get(path).status for path in (CHECK, API, CHAPTERS[0], "/readyz")] == [200] * 4
    guest.answer()
    assert set(site.workers) == workers
    assert not {status for status in site.statuses if status >= 500}


def status_of(site: Site, sent: bytes, more: bytes = b"", times: int = 0) -> str:
    """The status that bytes are answered with; "closed" where the connection ends without one."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as client:
        with contextlib.suppress(OSError):  # it may answer and close before it has read all
            client.sendall(sent)
            for _ in range(times):
                client.sendall(more)
            client.shutdown(socket.SHUT_WR)
        try:
            answer = client.recv(4096)
        except ConnectionError:
            return "closed"
    return answer.split()[1].decode() if answer.startswith(b"HTTP/") else "closed"


@pytest.mark.usefixtures("well")
def test_what_is_no_http_is_refused(site: Site) -> None:
    found = {name: status_of(site, sent) for name, sent in BROKEN.items()}
    print(found)
    # 501 is gunicorn's own answer, and the right one, to an encoding that it does not know.
    assert found.pop("an encoding nobody knows") in ("400", "501")
    assert {name: status for name, status in found.items() if status[0] not in "234c"} == {}
    assert status_of(site, BROKEN["no HTTP"])[0] in "4c"


@pytest.mark.usefixtures("well")
def test_huge_bodies_are_refused(site: Site) -> None:
    large, piece = 60 * 1024 * 1024, b"a=" + b"a" * (1024 * 1024 - 2)
    said = f"Content-Length: {large}\r\n\r\n".encode()
    api = b"POST /api/v1/settle HTTP/1.1\r\n" + HOST
    found = {
        "form": status_of(site, POST + said, piece, 60),
        "API": status_of(site, api + said, piece, 60),
        "chunks": status_of(
            site, POST + b"Transfer-Encoding: chunked\r\n\r\n", b"100000\r\n" + piece + b"\r\n", 60
        ),
        "many fields": status_of(site, POST + b"Content-Length: 200000\r\n\r\n", b"a=&" * 1000, 66),
    }
    print(found)
    assert found["form"] == "413"
    assert {status[0] for status in found.values()} <= {"4", "c"}


@contextlib.contextmanager
def dribbling(site: Site | Front, starts: list[bytes]) -> Iterator[None]:
    """Clients that begin a request so and go on by a byte a second, or say nothing where they begin none."""
    is_over = threading.Event()

    def dribble(start: bytes) -> None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", site.port)) as client:
            client.sendall(start)
            while not is_over.wait(1):
                client.sendall(b"a" if start else b"")

    threads = [threading.Thread(target=dribble, args=[start], daemon=True) for start in starts]
    for thread in threads:
        thread.start()
    time.sleep(1)
    yield
    is_over.set()
    for thread in threads:
        thread.join(10)


def longest_wait(site: Site | Front) -> float:
    """The seconds that the slowest of some requests took."""
    waits = []
    for _ in range(20):
        started = time.monotonic()
        assert Guest(site).get(CHECK).status == 200
        waits.append(time.monotonic() - started)
        time.sleep(0.2)
    return max(waits)


class Front(NamedTuple):
    """A server in front. port: where it listens."""

    port: int


@pytest.fixture
def front(site: Site, tmp_path: Path) -> Iterator[Front]:
    """nginx in front of the site, as it is deployed, but without HTTPS."""
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        pytest.skip("nginx is not installed here.")
    place = tmp_path / "nginx"
    place.mkdir()
    port = free_port()
    conf = (ROOT / "deploy" / "nginx.conf").read_text()
    for pattern, instead in {
        r"server unix:\S+": f"server 127.0.0.1:{site.port}",
        r"listen \[::\].*": "",
        r"listen 80;": f"listen 127.0.0.1:{free_port()};",
        r"listen 443 ssl;": f"listen 127.0.0.1:{port};",
        r"ssl_\w+ .*": "",
        r"include proxy_params;": "",
    }.items():
        conf, count = re.subn(pattern, instead, conf)
        assert count, pattern
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {place}/{kind};" for kind in kinds)
    (place / "conf").write_text(
        f"{'user root;' if os.getuid() == 0 else ''} daemon off; pid {place}/pid; error_log {place}/errors;"
        f"events {{}} http {{ access_log off; {paths}\n{conf} }}"
    )
    running = subprocess.Popen([program, "-p", place, "-e", place / "errors", "-c", place / "conf"])
    try:
        until(lambda: Guest(Front(port)).get("/healthz").status == 200)
        yield Front(port)
    finally:
        running.terminate()
        running.wait(20)


DROPS = [HEAD, POST + b"Content-Length: 1000\r\n\r\n", b""]


@pytest.mark.usefixtures("well")
def test_slow_clients_keep_nobody_waiting(site: Site, front: Front) -> None:
    """The server in front hands a request on when it has all of it."""
    with dribbling(front, DROPS * 50):
        wait = longest_wait(front)
    print(f"beside {50 * len(DROPS)} slow ones answered within {wait:.2f} s")
    assert wait < 5


@pytest.mark.usefixtures("well")
def test_fewer_slow_clients_than_a_worker_has_threads_keep_nobody_waiting(site: Site) -> None:
    """As many as that hold a worker where there is no server in front."""
    with dribbling(site, DROPS):
        wait = longest_wait(site)
    print(f"without a server in front beside {len(DROPS)} slow ones answered within {wait:.2f} s")
    assert wait < 10


@pytest.mark.usefixtures("well")
def test_slow_clients_that_hold_every_thread_leave_it_sound(site: Site) -> None:
    with dribbling(site, [HEAD] * 40):
        time.sleep(10)
    wait = until(lambda: Guest(site).get(CHECK).status == 200)
    print(f"answered {wait:.2f} s after forty slow ones were gone")


@pytest.mark.usefixtures("well")
def test_two_hundred_at_once_are_all_served(site: Site) -> None:
    paths = [CHECK, API, *CHAPTERS[:2]]
    found: Counter[int | str] = Counter()
    together = threading.Barrier(200)

    def ask(path: str) -> None:
        together.wait()
        try:
            found[Guest(site).get(path).status] += 1
        except OSError as error:
            found[type(error).__name__] += 1

    threads = [threading.Thread(target=ask, args=[paths[n % len(paths)]]) for n in range(200)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    print(f"{dict(found)} within {time.monotonic() - started:.1f} s")
    assert found == {200: 200}
