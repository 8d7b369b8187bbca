"""The engine against the plain reference: same hands in, same answers out, on every point that both know."""

from __future__ import annotations

import pytest

import rules
from rules import notation
from rules.circumstances import read
from rules.hands import GANG, SEQUENCE, SPECIAL_GANG, TRIPLET, Hand, Meld
from rules.tiles import tile
from rules.verdict import Judged, Verdict
from tests import dealing, reference
from tests.conftest import THOROUGH

HANDS = 20_000 if THOROUGH else 6_000
MELD_KINDS = {
    "chi": (SEQUENCE, False),
    "peng": (TRIPLET, False),
    "exposed-gang": (GANG, False),
    "concealed-gang": (GANG, True),
    "special-gang": (SPECIAL_GANG, False),
}


def hand_of(game: rules.Ruleset, concealed: list[str], melds: list, winning: str | None) -> Hand:
    """The engine's hand for a dealt one, made without its notation."""
    declared = []
    for kind, codes in melds:
        kinds = [tile(c) for c in codes]
        special = next(
            (key for key, held in game.tiles.special_gangs.items() if set(held.tiles) == set(kinds)), None
        )
        own_kind, hidden = MELD_KINDS[kind]
        declared.append(
            Meld.of(own_kind, kinds, concealed=hidden, special=special if kind == "special-gang" else None)
        )
    return Hand.of([tile(c) for c in concealed], declared, tile(winning) if winning else None)


def comparable(judged: Judged) -> tuple:
    """A reading in the reference's form: sorted sets, pair, sorted fails."""
    sets = tuple(sorted(notation.write_set(s).replace(" ", "") for s in judged.reading.sets))
    pair = judged.reading.pair
    return sets, pair and notation.write_tiles((pair, pair)), tuple(sorted(judged.fails))


def answer(verdict: Verdict) -> dict:
    """What the reference says of a hand, as the engine says it."""
    return {
        "state": verdict.state,
        "wins": verdict.wins,
        "fails": sorted(f.rule.key for f in verdict.findings if f.status == "fail"),
        "patterns": verdict.patterns,
        "total": verdict.total,
        "readings": sorted(map(comparable, verdict.readings), key=repr),
        "waits": {w.tile.code: w.left for w in verdict.waits},
        "blocked": {w.tile.code: (w.left, sorted(w.fails)) for w in verdict.blocked_waits},
        "stands_for": verdict.stands_for and verdict.stands_for.code,
    }


def expected(said: dict) -> dict:
    """The reference's answer with its total under one name."""
    said = dict(said)
    fan, big_wins = said.pop("fan"), said.pop("big_wins")
    return {
        **said,
        "total": fan if fan is not None else big_wins,
        "readings": sorted(said["readings"], key=repr),
    }


@pytest.mark.parametrize("key", ["changchun", "changsha"])
def test_thousands_of_random_hands_are_judged_as_the_reference_judges_them(key: str) -> None:
    game = rules.ruleset(key)
    judged = 0
    for dealt in dealing.hands(key, 20_261_129, HANDS):
        concealed, melds, winning, given = dealt
        hand = hand_of(game, concealed, melds, winning)
        assert game.parse(dealing.notation(concealed, melds, winning)) == hand
        verdict = game.judge(hand, read(game, hand, given))
        said = expected(reference.judge(key, concealed, melds, winning, **dealing.for_judge(given)))
        mine = answer(verdict)
        if not verdict.is_full:
            # Of a hand one tile short the reference says only what it waits for.
            mine["fails"] = []
        if mine["state"] == "not-win" and not verdict.readings:
            # Without a reading the reference names the shape alone; the engine says all that it can tell.
            assert "shape" in mine["fails"]
            mine["fails"] = ["shape"]
        assert mine == said, dealing.notation(concealed, melds, winning)
        judged += 1
    assert judged == HANDS
