"""What pages cost beside a bare view that goes through the same middleware, as ratios in one run.

Requests go straight to the WSGI application of a public site (DEBUG=0) on a database of its own. No server
and no network stand between: what a server adds to every request, the bare one too, is not counted, so that
the shares are smaller than a visitor's would be. `bench.load` asks a server, with a goal for the fragment.
"""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from urllib.parse import quote

from . import environment

ROOT = Path(__file__).parents[1]
GOALS = {
    "lesson, first visit": 0.8,
    "lesson with progress": 0.25,
    "answer to a level, recorded": 0.23,
}
_ROUNDS, _REQUESTS = 15, 60


@dataclass(frozen=True)
class Share:
    """A page with its µs, its share of the bare view's speed, and the least that should be, if anything."""

    page: str
    us: float
    share: float
    goal: float | None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none."""
        return None if self.goal is None else self.share >= self.goal


def shares() -> list[Share]:
    """Each page's share, from a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "bench.pages"],
            cwd=ROOT,
            env=environment(folder),
            capture_output=True,
            text=True,
            check=True,
        )
    return [Share(*row) for row in json.loads(done.stdout)]


def _measure() -> list[tuple[str, float, float, float | None]]:
    import django

    django.setup()
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    from tutor.content import load
    from tutor.content.shelf import shelf

    content = load.check()
    load.store(content)
    application = get_wsgi_application()

    def ask(path: str, query: str = "", cookie: str = "", body: str | None = None, **headers: str) -> str:
        """Asks for a page as a server would; the cookie that comes back."""
        data = (body or "").encode()
        environ = {
            "REQUEST_METHOD": "GET" if body is None else "POST",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "testserver",
            "SERVER_PORT": "80",
            "HTTP_HOST": "testserver",
            "HTTP_COOKIE": cookie,
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(data)),
            "wsgi.input": io.BytesIO(data),
            "wsgi.errors": sys.stderr,
            "wsgi.url_scheme": "http",
            "wsgi.version": (1, 0),
            "wsgi.multithread": False,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
            **headers,
        }
        told: list[Any] = []
        answer = application(environ, lambda status, fields, *rest: told.extend((status, dict(fields))))
        b"".join(answer)
        if hasattr(answer, "close"):
            answer.close()
        if not told[0].startswith("200"):
            raise RuntimeError(f"{path}: {told[0]}")
        return str(told[1].get("Set-Cookie", "")).partition(";")[0]

    step = next(s for _, s in shelf().steps.values() if s.level and s.level.widget == "keys")
    chapter = step.place.partition("#")[0]
    right = next(iter(step.level.rights)) if step.level else frozenset()
    lesson = f"/en/learn/{chapter}/"
    answer = "&".join([f"step={step.slug}", *(f"a={item}" for item in sorted(right)), "do=answer"])
    known = ask(lesson, body=answer, HTTP_HX_REQUEST="true")
    hands = iter(_hands())

    def checker() -> None:
        game, hand = next(hands)
        ask("/en/check/", f"ruleset={game}&hand={hand}", HTTP_HX_REQUEST="true")

    tasks: dict[str, Callable[[], object]] = {
        "bare view": lambda: ask("/bare/"),
        "checker fragment": checker,
        "lesson, first visit": lambda: ask(lesson),
        "lesson with progress": lambda: ask(lesson, cookie=known),
        "answer to a level, recorded": lambda: ask(lesson, cookie=known, body=answer, HTTP_HX_REQUEST="true"),
    }
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for task in tasks.values():
        for _ in range(_REQUESTS):
            task()
    for _ in range(_ROUNDS):
        for name, task in tasks.items():
            start = perf_counter()
            for _ in range(_REQUESTS):
                task()
            times[name].append((perf_counter() - start) / _REQUESTS * 1e6)
    bare = times["bare view"]
    return [
        (name, median(spent), median(b / a for a, b in zip(spent, bare, strict=True)), GOALS.get(name))
        for name, spent in times.items()
    ]


def _hands() -> list[tuple[str, str]]:
    """Hands to judge, each once, as a game's key and a notation fit for an address."""
    import rules
    from rules import notation

    from .hands import KINDS, as_hand, deal_apart

    keys = list(rules.rulesets())
    number = (_ROUNDS + 1) * _REQUESTS // (len(keys) * len(KINDS)) + 1
    dealt = deal_apart(keys, "pages", dict.fromkeys(KINDS, number))
    hands = [
        (key, quote(notation.write(as_hand(deal))))
        for key in keys
        for kind in KINDS
        for deal in dealt[key][kind]
    ]
    random.Random(1).shuffle(hands)
    return hands


if __name__ == "__main__":
    print(json.dumps(_measure()))
