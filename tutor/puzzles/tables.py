"""Deals, and tables with a tile that several hands may want."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

from rules import HandError, Ruleset, asking, notation
from rules.claims import CHI, HU, PENG
from rules.hands import GANG, SPECIAL_GANG, TRIPLET, Hand, Meld
from rules.table import seat_after
from rules.tiles import SUITS, Tile, tile
from tutor.puzzles.hands import LOOKS, STYLES, Box, NoTilesError, deal, leads, near_to, styled, usual
from tutor.puzzles.making import Asked

DEALT = 13

# Deals: each adds to the tiles something that a game may have a name for


def _four(box: Box) -> list[Tile]:
    kinds = [t for t, left in box.left.items() if left == 4]
    return box.take([box.chance.choice(kinds)] * 4)


def _two_triplets(box: Box) -> list[Tile]:
    kinds = [t for t, left in box.left.items() if left >= 3]
    return [t for kind in box.chance.sample(kinds, 2) for t in box.take([kind] * 3)]


def _special(box: Box) -> list[Tile]:
    gangs = sorted(box.game.tiles.special_gangs.items())
    return box.take(box.chance.choice(gangs)[1].tiles) if gangs else _four(box)


def _two_suits(box: Box) -> list[Tile]:
    suit = box.chance.choice(SUITS)
    _leave_out(box, lambda t: t.suit == suit)
    return []


def _no_middles(box: Box) -> list[Tile]:
    rest = box.chance.choice((0, 1, 2, 2, 2))
    _leave_out(box, lambda t: t.suit is not None and t.rank % 3 == rest)
    return []


def _leave_out(box: Box, which: Callable[[Tile], bool]) -> None:
    for kind in box.left:
        if which(kind):
            box.left[kind] = 0


_PARTS = (_two_suits, _no_middles, _four, _two_triplets, _special, _special)


def dealt(box: Box, parts: int) -> Hand:
    """A deal of 13 tiles, or the dealer's 14, with so many of the things that openings are made of."""
    chance, size = box.chance, DEALT + (box.chance.random() < 0.3)
    tiles: list[Tile] = []
    if parts and any(opening.is_win for opening in box.game.openings) and chance.random() < 0.25:
        return Hand.of(deal(box, styled(chance, _closed(box.game)), 1).loose)
    # What leaves tiles out of the box comes before what takes them from it.
    for n in sorted(chance.sample(range(len(_PARTS)), parts)):
        tiles += _PARTS[n](box)
    if len(tiles) > size:
        raise NoTilesError
    while len(tiles) < size:
        near = [t for held in tiles for t in near_to(held)]
        tiles.append(box.draw(near if near and chance.random() < 0.6 and _has(box, near) else box.left))
    return Hand.of(tiles)


def _closed(game: Ruleset) -> Mapping[str, int]:
    """The styles of hands without melds that win, with how often."""
    return {style: often for style, often in leads(game).wins.items() if STYLES[style].melds == 0}


def _has(box: Box, kinds: list[Tile]) -> bool:
    return any(box.left.get(kind) for kind in kinds)


# Claims

# What the other hands have for the tile, by level: so many of them, and with so many melds on the table.
_WANTING: Mapping[int, tuple[int, ...]] = {1: (1,), 2: (1, 2), 3: (2,), 4: (2, 3), 5: (3,)}
BROKEN = "broken"  # the tile completes the hand, which then breaks a rule


def claim(chance: Random, game: Ruleset, level: int, topic: str) -> Asked | None:
    """One try at a tile that somebody let go, and the hands that may want it."""
    box = Box(chance, game)
    giver = chance.randrange(4)
    others = [seat for seat in range(4) if seat != giver]
    chance.shuffle(others)
    if chance.random() < 0.4:  # who alone may 吃 is among those who want it
        others.sort(key=lambda seat: seat != seat_after(giver))
    wanting = others[: max(chance.choice(_WANTING[level]), 2 if topic == "table/priority" else 1)]
    with suppress(NoTilesError, HandError, ValueError):
        if topic == "table/robbing":
            given = _robbed(box, giver, wanting, level)
        elif topic == "table/kai-claims":
            given = _opened(box, giver, wanting, level)
        else:
            given = _discarded(box, giver, wanting, level)
        if level > 2:
            for seat in others:
                if seat not in given["hands"]:
                    given["hands"][seat] = held(box, DEALT, level)
        hands = dict(sorted(given["hands"].items()))
        given["hands"] = {str(seat): notation.write(hand) for seat, hand in hands.items()}
        ready = [seat for seat in wanting if _points(game, hands[seat], seat)]
        possible = asking.possible(game, given).value
        if usual(game)[-1].read.listening:  # where nobody wins without having declared it, most have
            bound = {seat: {"listening": "yes"} for seat in ready if chance.random() < 0.8}
        elif ready and chance.random() < (0, 0, 0, 0.4, 0.8)[level - 1]:
            seat = chance.choice(ready)
            bound = {seat: _bound(chance, game, hands[seat], seat)}
        else:
            bound = {}
        if any(bound.values()):
            given["standings"] = {str(seat): standing for seat, standing in bound.items()}
        outcome = asking.gets(game, given).value
        seats = {c.seat for c in possible}
        is_none = not outcome and (topic != "table/claims" or chance.random() < 0.5)
        if is_none or (topic == "table/priority" and len(seats) < 2):
            return None
        traits = {"hands": len(hands), "claims": len(possible), "bound": int("standings" in given)}
        return Asked({"gets": given}, None, given, traits)
    return None


def _bound(chance: Random, game: Ruleset, hand: Hand, seat: int) -> dict[str, str]:
    """What may bind a seat whose hand is ready at this game's table: a passed win, a declared 听."""
    known = {ruling.key for ruling in game.table.rulings}
    bounds: list[dict[str, str]] = []
    if "missed-win" in known:
        bounds.append({"missed": str(chance.choice(_points(game, hand, seat)))})
    if "declaring" in known:
        bounds.append({"listening": "yes"})
    return chance.choice(bounds) if bounds else {}


def _points(game: Ruleset, hand: Hand, seat: int) -> list[int]:
    """What each tile that a hand waits for would have paid, had it been another's discard; without birds."""
    found = []
    declared = usual(game)[-1].read
    for kind in game.waits(hand, declared):
        for giver in range(4):
            if giver != seat:
                how = replace(declared, seat=seat, discarder=giver, birds=())
                payments = game.judge(hand.with_winning(kind), how).payments
                found += [payments[seat]] if payments else []
    return found


def _discarded(box: Box, giver: int, wanting: list[int], level: int) -> dict[str, Any]:
    roles = _roles(box.chance, len(wanting), (PENG, PENG, GANG, CHI, CHI))
    kind, hands = _wanting(box, giver, wanting, roles, level)
    return {"from": str(giver), "tile": kind.code, "hands": hands}


def _roles(chance: Random, count: int, others: tuple[str, ...]) -> list[str]:
    """What each of several hands has for a tile: often one wins with it, or would but for a rule; seldom
    two."""
    first = chance.choice((HU, HU, BROKEN, *others))
    return [first, *(HU if chance.random() < 0.2 else chance.choice(others) for _ in range(count - 1))]


def _wanting(
    box: Box, giver: int, wanting: list[int], roles: list[str], level: int
) -> tuple[Tile, dict[int, Hand]]:
    """A tile that was let go, and hands each of which has something for it, as far as there are tiles for
    it."""
    hands: dict[int, Hand] = {}
    kind: Tile | None = None
    for seat, role in sorted(zip(wanting, roles, strict=True), key=lambda pair: pair[1] not in (HU, BROKEN)):
        if role in (HU, BROKEN):
            hands[seat], kind = _waiting(box, kind, role, level)
        else:
            kind = kind or box.draw([t for t in box.left if t.suit])
            hands[seat] = held(box, DEALT, level, _for(box, kind, role))
    assert kind is not None  # noqa: S101 - at least one hand wants it
    return kind, hands


def _waiting(
    box: Box,
    kind: Tile | None,
    role: str,
    level: int,
    fits: Callable[[Hand, Tile], bool] = lambda hand, kind: True,
) -> tuple[Hand, Tile]:
    """A hand that the tile completes; without one, a fitting tile that completes it."""
    game, known = box.game, leads(box.game)
    rules = [key for key, styles in known.breaks.items() if styles and key != game.rules[0].key]
    for _ in range(40):
        before = dict(box.left)
        if kind is not None:
            box.left[kind] += 1  # it lies there already: the hand is dealt with it
        weights = known.wins if role == HU else known.breaks[box.chance.choice(rules)]
        with suppress(NoTilesError):
            hand = deal(box, styled(box.chance, weights), level)
            able = [t for t in set(hand.loose) if (t is kind if kind else fits(hand, t))]
            if able:
                last = box.chance.choice(sorted(able))
                full = hand.without(last).with_winning(last)
                if game.wins(full, usual(game)[-1].read) == (role == HU):
                    return full.without_winning(), last
        box.left = before
    raise NoTilesError


def _for(box: Box, kind: Tile, role: str) -> list[Tile] | None:
    """What a hand has to claim the tile with: for this, or for something else where there are no tiles for
    it. Who has it for a run may sit where nobody may take a tile for one."""
    left = box.left[kind]
    if role == GANG and left == 3:
        return box.take([kind] * 3)
    if role != CHI and left >= 2:
        return box.take([kind] * 2)
    runs = [(tile(f"{r}{kind.suit}"), tile(f"{s}{kind.suit}")) for r, s in _beside(kind)]
    runs = [pair for pair in runs if all(box.left[t] for t in pair)]
    if runs:
        return box.take(box.chance.choice(runs))
    return box.take([kind] * 2) if left >= 2 else None


def _beside(kind: Tile) -> list[tuple[int, int]]:
    """The ranks that make a run with a tile."""
    if kind.suit is None:
        return []
    starts = range(max(1, kind.rank - 2), min(7, kind.rank) + 1)
    runs = [[r for r in range(start, start + 3) if r != kind.rank] for start in starts]
    return [(first, second) for first, second in runs]


def held(box: Box, size: int, level: int, tiles: list[Tile] | None = None) -> Hand:
    """A hand in the midst of play: some of it in sets, the rest nearly. tiles: what it holds already."""
    chance = box.chance
    melds: list[Meld] = []
    for _ in range(chance.choice(LOOKS[level].melds)):
        kind = chance.choice([t for t, left in box.left.items() if left >= 3 and t not in (tiles or ())])
        melds.append(Meld.of(TRIPLET, box.take([kind] * 3)))
    own = list(tiles or ())
    wanted = size - 3 * len(melds)
    while len(own) < wanted:
        near = [t for t in own if box.left.get(t)] + [n for t in own for n in near_to(t)]
        own.append(box.draw(near if chance.random() < 0.7 and _has(box, near) else box.left))
    return Hand.of(own, melds)


def _robbed(box: Box, giver: int, wanting: list[int], level: int) -> dict[str, Any]:
    """A tile added to a gang in front of its player, and a hand that waits for it."""
    specials = box.game.tiles.special_gangs
    kinds = {t for gang in specials.values() for t in gang.tiles}
    first, *others = wanting
    role = box.chance.choice((HU, HU, BROKEN))
    # The gang holds such tiles already: one of each for a special one, the three others else.
    waiting, kind = _waiting(
        box,
        None,
        role,
        level,
        lambda hand, t: t in kinds and box.left[t] > 0 if kinds else box.left[t] == 3,
    )
    if specials:
        key, gang = box.chance.choice(
            [(k, gang) for k, gang in sorted(specials.items()) if kind in gang.tiles]
        )
        meld = Meld.of(SPECIAL_GANG, [kind, *box.take(gang.tiles)], special=key)
    else:
        meld = Meld.of(GANG, [kind, *box.take([kind] * 3)])
    hands = {first: waiting}
    for seat in others:
        own = box.take([kind] * 2) if specials and box.left[kind] >= 2 else None
        hands[seat] = held(box, DEALT, level, own)
    return {"from": str(giver), "added": kind.code, "meld": notation.write_set(meld), "hands": hands}


def _opened(box: Box, giver: int, wanting: list[int], level: int) -> dict[str, Any]:
    """Two tiles turned over for a gang."""
    roles = _roles(box.chance, len(wanting), (PENG, CHI))
    kind, hands = _wanting(box, giver, wanting, roles, level)
    return {"from": str(giver), "opened": f"{kind.code} {box.draw(box.left).code}", "hands": hands}
