"""Random hands to time, dealt from a seed in another process.

What is timed must not have been seen before by the process that times it, and still must be known to be a
win, a near miss or another kind of hand. So the hands are dealt and sorted by kind elsewhere, and each is
dealt only once. A complete hand is four random sets and a pair, taken from one wall with four copies of
each tile. All hands are concealed, which every library can read.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import rules
from rules import Ruleset
from rules.hands import Hand
from rules.tiles import Tile, tile

# Codes such as "5m" or "E"; in a full hand, the last one is the winning tile.
Deal = tuple[str, ...]

WIN, BLOCKED, NEAR, READY, ANY = "win", "blocked", "not win", "ready", "random"
KINDS = {
    WIN: "a win by the game's rules",
    BLOCKED: "the shape of a win, with a rule of the game broken",
    NEAR: "a win with one tile exchanged, which leaves it no shape",
    READY: "a complete hand less a tile",
    ANY: "fourteen tiles as the wall gives them",
}

_SEQUENCES = 0.65  # share of the sets


def as_hand(deal: Deal) -> Hand:
    """The hand as the engine takes it."""
    held = [tile(code) for code in deal]
    return Hand.of(held) if len(held) == 13 else Hand.of(held[:-1], winning=held[-1])


def deal(key: str, seed: str, wanted: Mapping[str, int]) -> dict[str, list[Deal]]:
    """Hands of a ruleset: as many of each kind as wanted, no two with the same tiles."""
    game = rules.ruleset(key)
    rng = random.Random(f"{key} {seed}")
    complete = _dealer(game, rng)
    wall = [kind for kind in game.tiles.tiles for _ in range(4)]
    seen: set[Deal] = set()
    found: dict[str, list[Deal]] = {kind: [] for kind in wanted}
    for kind, number in wanted.items():
        while len(found[kind]) < number:
            held = rng.sample(wall, 14) if kind == ANY else complete()
            rng.shuffle(held)
            if kind == READY:
                held.pop()
            if kind == NEAR:
                held[rng.randrange(14)] = rng.choice(game.tiles.tiles)
                if max(Counter(held).values()) > 4:
                    continue
            codes = tuple(t.code for t in held)
            same = tuple(sorted(codes))
            if same not in seen and (kind == ANY or _kind(game, codes) == kind):
                seen.add(same)
                found[kind].append(codes)
    return found


def deal_apart(keys: list[str], seed: str, wanted: Mapping[str, int]) -> dict[str, dict[str, list[Deal]]]:
    """What `deal` deals, by ruleset, in processes of its own."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        dealt = {key: pool.submit(deal, key, seed, wanted) for key in keys}
        return {key: future.result() for key, future in dealt.items()}


def _dealer(game: Ruleset, rng: random.Random) -> Callable[[], list[Tile]]:
    kinds = game.tiles.tiles
    sequences = [
        (a, b, c) for a, b, c in zip(kinds, kinds[1:], kinds[2:], strict=False) if a.suit and a.suit == c.suit
    ]

    def complete() -> list[Tile]:
        while True:
            held = [rng.choice(kinds)] * 2
            for _ in range(4):
                held += rng.choice(sequences) if rng.random() < _SEQUENCES else (rng.choice(kinds),) * 3
            if max(Counter(held).values()) <= 4:
                return held

    return complete


def _kind(game: Ruleset, codes: Deal) -> str:
    hand = as_hand(codes)
    if not hand.is_full:
        return READY
    verdict = game.judge(hand)
    if verdict.wins:
        return WIN
    return BLOCKED if verdict.chosen else NEAR
