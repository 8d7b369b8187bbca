"""What a first visit with a phone and a slow connection takes: bytes, the time till it stands, its jumps.

The public site (DEBUG=0, files with hashed names, compressed) is served on loopback by the threads of a
process, on a database of its own, and looked at in a Chromium without a window, with the connection,
processor and size of a small phone. Every visit starts with an empty cache. The browser slows each request,
not the start of a connection: what TLS and TCP take before the first request is not counted.

`python -m bench.visits` measures these rows alone.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from . import environment

ROOT = Path(__file__).parents[1]
LANGUAGES = ("en", "zh-hans")
WEIGHT = 60_000  # bytes at most
PAINT = 1_500  # ms, to stay under
SHIFT = 0.02  # at most
TIMES, TIMES_QUICK = 5, 3

_LESSON = "changsha/birds"
_LATENCY, _DOWN, _UP = 150, 1_600_000 // 8, 750_000 // 8  # ms, bytes a second
_SLOWER = 4
_SIZE = {"width": 360, "height": 740}
_QUIET, _PATIENCE = 0.7, 60.0  # seconds
_PROGRAMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_SEEN = """() => new Promise(done => {
  const seen = {paint: 0, shift: 0};
  const look = (type, note) =>
    new PerformanceObserver(list => list.getEntries().forEach(note)).observe({type, buffered: true});
  look("largest-contentful-paint", entry => { seen.paint = entry.startTime; });
  look("layout-shift", entry => { seen.shift += entry.value; });
  setTimeout(() => done(seen), 200);
})"""
_READY = """async seconds => {
  const late = new Promise(done => setTimeout(done, seconds * 1000, false));
  if (!(await navigator.serviceWorker?.getRegistration())) return true;
  return Boolean(await Promise.race([navigator.serviceWorker.ready, late]));
}"""


@dataclass(frozen=True)
class Visit:
    """A page as it comes to a browser that has never been here: medians of several visits.

    weight: the bytes of what is asked for till the page is loaded. parts: each file's, the greatest first.
    later: the bytes of what comes after that, most of it what the service worker keeps for a time offline.
    paint: the ms till the largest piece of content stands. shift: how far the layout jumped.
    """

    page: str
    language: str
    weight: float
    parts: dict[str, float]
    later: float
    paint: float
    shift: float

    @property
    def met(self) -> dict[str, bool]:
        """Whether each goal is met."""
        return {
            "weight": self.weight <= WEIGHT,
            "paint": self.paint < PAINT,
            "shift": self.shift <= SHIFT,
        }


@dataclass(frozen=True)
class Measured:
    """The visits, of each page as many as `times`; or, where there are none, why they were not measured."""

    times: int
    visits: list[Visit]
    missing: str = ""


def measured(times: int = TIMES) -> Measured:
    """Every page visited so many times."""
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if not find_spec("playwright"):
        return Measured(times, [], "Playwright is not installed")
    if program is None:
        return Measured(times, [], "there is no Chromium")
    with _site() as (address, pages):
        return Measured(times, _visited(program, address, pages, times))


def as_text(found: Measured) -> str:
    """The visits as a table for people."""
    title = (
        f"A first visit with a phone: {_LATENCY} ms there and back, {_DOWN * 8 / 1e6:g} Mbit/s down, a "
        f"processor {_SLOWER} times as slow, {_SIZE['width']} × {_SIZE['height']}; medians of {found.times}"
    )
    if found.missing:
        goals = f"≤ {WEIGHT / 1000:g} KB, < {PAINT / 1000:g} s, shift ≤ {SHIFT:g}"
        return "\n".join(["", title, f"  not measured: {found.missing} (goals: {goals})"])
    lines = ["", title]
    for visit in found.visits:
        said = {name: "met" if met else "NOT MET" for name, met in visit.met.items()}
        name = f"{visit.page} ({visit.language})"
        lines.append(
            f"  {name:<42}{visit.weight / 1000:>6.1f} KB ≤ {WEIGHT / 1000:g} KB {said['weight']:<8}"
            f"{visit.paint / 1000:>6.2f} s < {PAINT / 1000:g} s {said['paint']:<8}"
            f" shift {visit.shift:.3f} ≤ {SHIFT:g} {said['shift']}"
        )
        most = ", ".join(f"{part} {size / 1000:.1f}" for part, size in list(visit.parts.items())[:5])
        lines.append(f"    most: {most}; after it is loaded, in the background: {visit.later / 1000:.1f} KB")
    return "\n".join(lines)


def as_json(found: Measured) -> dict[str, Any]:
    """The same for programs."""
    return {
        "times": found.times,
        "not_measured": found.missing or None,
        "goals": {"weight_bytes_at_most": WEIGHT, "paint_ms_below": PAINT, "shift_at_most": SHIFT},
        "pages": [
            {
                "page": visit.page,
                "language": visit.language,
                "weight_bytes": round(visit.weight),
                "paint_ms": round(visit.paint),
                "shift": round(visit.shift, 4),
                "later_bytes": round(visit.later),
                "parts_bytes": {part: round(size) for part, size in visit.parts.items()},
                "met": visit.met,
            }
            for visit in found.visits
        ],
    }


# The browser


def _visited(program: str, address: str, pages: dict[str, str], times: int) -> list[Visit]:
    from playwright.sync_api import sync_playwright

    seen: dict[tuple[str, str], list[_Seen]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        # The first round warms up the server and the browser.
        for round_ in range(times + 1):
            for page, path in pages.items():
                for language in LANGUAGES:
                    one = _visit(browser, f"{address}/{language}/{path}")
                    if round_:
                        seen.setdefault((page, language), []).append(one)
        browser.close()
    visits = []
    for (page, language), ones in seen.items():
        parts = {part: median(one.parts.get(part, 0) for one in ones) for part in ones[-1].parts}
        visits.append(
            Visit(
                page=page,
                language=language,
                weight=median(sum(one.parts.values()) for one in ones),
                parts=dict(sorted(parts.items(), key=lambda part: -part[1])),
                later=median(one.later for one in ones),
                paint=median(one.paint for one in ones),
                shift=median(one.shift for one in ones),
            )
        )
    return visits


@dataclass(frozen=True)
class _Seen:
    """One visit."""

    parts: dict[str, float]
    later: float
    paint: float
    shift: float


def _visit(browser: Any, address: str) -> _Seen:
    """Opens the page in a window of its own and waits until nothing more comes, the worker's files too."""
    context = browser.new_context(viewport=_SIZE, is_mobile=True, has_touch=True, device_scale_factor=2)
    by_worker: list[Any] = []
    faults: list[str] = []
    context.on(
        "requestfinished", lambda request: by_worker.append(request) if request.service_worker else None
    )
    context.on(
        "response",
        lambda answer: faults.append(f"{answer.url}: {answer.status}") if answer.status >= 400 else None,
    )
    page = context.new_page()
    protocol = context.new_cdp_session(page)
    sent: dict[str, dict[str, Any]] = {}
    size: dict[str, float] = {}
    loaded: list[float] = []
    protocol.on("Network.requestWillBeSent", lambda event: sent.setdefault(event["requestId"], event))
    protocol.on(
        "Network.loadingFinished", lambda event: size.update({event["requestId"]: event["encodedDataLength"]})
    )
    protocol.on("Page.loadEventFired", lambda event: loaded.append(event["timestamp"]))
    protocol.send("Page.enable")
    protocol.send("Network.enable")
    protocol.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": _LATENCY, "downloadThroughput": _DOWN, "uploadThroughput": _UP},
    )
    protocol.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
    page.goto(address, wait_until="load")
    _wait_until_quiet(page, size, by_worker)
    seen = page.evaluate(_SEEN)
    if not page.evaluate(_READY, _PATIENCE):
        raise RuntimeError(f"{address}: the service worker did not start within {_PATIENCE:g} seconds")
    _wait_until_quiet(page, size, by_worker)
    if faults:
        raise RuntimeError("; ".join(faults))
    parts: dict[str, float] = {}
    later = 0.0
    for key, bytes_ in size.items():
        if key not in sent:
            continue
        if sent[key]["timestamp"] <= loaded[0]:
            part = _name(sent[key]["request"]["url"], address)
            parts[part] = parts.get(part, 0) + bytes_
        else:
            later += bytes_
    for request in by_worker:
        sizes = request.sizes()
        later += sizes["responseHeadersSize"] + sizes["responseBodySize"]
        if request.url == request.service_worker.url:  # the worker itself comes without a size
            later += float(request.response().headers.get("content-length", 0))
    context.close()
    return _Seen(parts, later, seen["paint"], seen["shift"])


def _wait_until_quiet(page: Any, *counted: Any) -> None:
    """Waits until none of the lists has grown for a while."""
    before, since = -1, time.monotonic()
    end = since + _PATIENCE
    while time.monotonic() < min(end, since + _QUIET):
        page.wait_for_timeout(100)
        count = sum(map(len, counted))
        if count != before:
            before, since = count, time.monotonic()


def _name(url: str, address: str) -> str:
    """What a file is called without its hash; the page itself is "HTML"."""
    if url == address:
        return "HTML"
    return re.sub(r"\.[0-9a-f]{12}(?=\.)", "", urlsplit(url).path.rsplit("/", 1)[-1])


# The site


@contextmanager
def _site() -> Iterator[tuple[str, dict[str, str]]]:
    """The public site in a process of its own: its address, and the pages to visit."""
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "bench.visits", "--serve"],
            cwd=ROOT,
            env=environment(folder, ALLOWED_HOSTS="127.0.0.1,testserver"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            line = server.stdout.readline() if server.stdout else ""
            if not line:
                raise RuntimeError("The site to be visited did not start.")
            told = json.loads(line)
            yield told["address"], told["pages"]
        finally:
            server.communicate()  # closes what it reads, which ends it


def _serve() -> None:
    """Makes the site, says where it is, and serves it until whoever started it closes what is read here."""
    import threading

    import django

    django.setup()
    from django.core.management import call_command
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    from tutor.content import load
    from tutor.wsgi import application

    load.store(load.check())

    class Handler(WSGIRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Says nothing of each request."""

    server = ThreadedWSGIServer(("127.0.0.1", 0), Handler)
    server.set_app(application)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pages = {"home": "", "checker": "check/", **_lessons()}
    print(json.dumps({"address": f"http://127.0.0.1:{server.server_port}", "pages": pages}), flush=True)
    sys.stdin.read()
    server.shutdown()


def _lessons() -> dict[str, str]:
    """A lesson as most are, and the one whose page weighs most."""
    from django.test import Client

    from tutor.content.shelf import shelf

    client = Client(headers={"accept-encoding": "gzip"})
    chapters = dict.fromkeys(step.place.partition("#")[0] for _, step in shelf().steps.values())
    heaviest = max(chapters, key=lambda chapter: len(client.get(f"/en/learn/{chapter}/").content))
    return {f"lesson {chapter}": f"learn/{chapter}/" for chapter in (_LESSON, heaviest)}


def _main() -> None:
    options = argparse.ArgumentParser(prog="python -m bench.visits", description=__doc__)
    options.add_argument("--quick", action="store_true", help="fewer visits: a first look, not a result")
    options.add_argument("--json", action="store_true", help="print JSON")
    options.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.serve:
        _serve()
        return
    found = measured(TIMES_QUICK if given.quick else TIMES)
    print(json.dumps(as_json(found), ensure_ascii=False, indent=2) if given.json else as_text(found).lstrip())


if __name__ == "__main__":
    _main()
