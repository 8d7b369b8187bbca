"""Mixed load for SOAK seconds, ten minutes unless that is set: no error, and memory that does not grow."""

from __future__ import annotations

import itertools
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from tests.faults.site import API, CHAPTERS, CHECK, Guest, Site, Unanswered, busy, memory, until
from tests.faults.test_killed import acknowledged, kept

SECONDS = int(os.environ.get("SOAK") or "600")
# What is kept in memory, and is bounded, is nearly there after half the time; a short run sees it still come.
WARM = SECONDS // 2
MOST = 12 if SECONDS >= 600 else 48  # MB that a worker may grow by after that
MANY = 9000  # requests after which little is new any more, and after as many again nothing
TILES = [f"{n}{suit}" for suit in "mps" for n in range(1, 10)] * 4


def looking(site: Site, seed: int) -> Callable[[Guest], None]:
    """What somebody does who reads, checks hands and searches, each time another way."""
    chance = random.Random(seed)
    steps = itertools.cycle(["hand", "api", "chapter", "hand", "search", "home", "deal", "puzzle", "rules"])

    def path() -> str:
        tiles = "+".join(chance.sample(TILES, 14))
        game = chance.choice(["changsha", "changchun"])
        return {
            "hand": f"/en/check/?ruleset={game}&hand={tiles}",
            "api": f"/api/v1/check?ruleset={game}&hand={tiles}",
            "chapter": chance.choice(CHAPTERS),
            "search": f"/zh-hans/search/?q={quote(chance.choice('胡将杠听x'))}",
            "home": f"/en/?game={game}",
            "deal": CHECK.replace("/check/", "/deal/").replace("hand=", "tiles="),
            "puzzle": f"/en/puzzles/{game}/can-win/1/{chance.randrange(10**6)}/",
            "rules": f"/en/rules/{game}/",
        }[next(steps)]

    def act(guest: Guest) -> None:
        found = guest.get(path())
        if found.status not in (200, 400):  # tiles at random may be too many of a kind
            raise Unanswered(found)

    return act


def test_an_evening_of_use_leaves_no_error_and_no_memory_behind(
    database: Path, serve: Callable[..., Site]
) -> None:
    site = serve(database, "--max-requests", "0")  # so that no worker makes way for a fresh one
    until(lambda: len(site.workers) == 2)  # the first one answers before the other is there
    workers = site.workers
    guests, readers = [Guest(site) for _ in range(3)], [Guest(site) for _ in range(3)]
    acts = {id(guest): looking(site, n) for n, guest in enumerate(readers)}
    sampled: list[tuple[float, list[float]]] = []
    started = time.monotonic()
    with busy([*guests, *readers], lambda guest: acts.get(id(guest), Guest.answer)(guest)) as wrong:
        while (passed := time.monotonic() - started) < SECONDS:
            sampled.append((passed, [memory(worker) for worker in workers]))
            time.sleep(1)
    warm = next(found for passed, found in sampled if passed >= WARM)
    most = [max(found[n] for passed, found in sampled if passed >= WARM) for n in range(len(workers))]
    grown = [last - first for last, first in zip(most, warm, strict=True)]
    answered = [line for line in site.logged() if line["logger"] == "paili.access"]
    slowest = max(line["ms"] for line in answered)
    print(
        f"{len(answered)} answers in {SECONDS} s, {len(acknowledged(guests))} kept, slowest {slowest:.0f} ms;"
    )
    every = {round(passed): found for passed, found in sampled[:: max(1, len(sampled) // 10)]}
    print(f"MB after {WARM} s {warm}, at most since {most}, grown by {grown}; by second: {every}")
    assert wrong == []
    assert site.workers == workers
    assert site.statuses <= {200, 303, 400}
    assert max(grown) < MOST
    assert Guest(site).get(API).status == 200
    site.kill()
    assert acknowledged(guests) <= kept(database)


def test_what_a_worker_keeps_has_an_end(database: Path, serve: Callable[..., Site]) -> None:
    """After many questions, no two alike, it grows no more: what it keeps is bounded, and nothing is left."""
    site = serve(database, "--max-requests", "0", "--workers", "1")
    (worker,) = site.workers
    guest, act = Guest(site), looking(site, 0)
    found = []
    for _ in range(3):
        for _ in range(MANY):
            act(guest)
        found.append(memory(worker))
    print(f"MB after each {MANY} requests: {found}")
    assert found[-1] - found[-2] < 2
