"""The fields for how a hand was won: what the games shown ask, and what is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules import Ruleset, Text, notation
from rules.circumstances import SEATS
from rules.circumstances import Circumstances as Situation
from rules.ruleset import Pattern, Way
from rules.tiles import TileSet


@dataclass(frozen=True)
class Circumstances:
    """The fields for how the hand was won, as far as the games shown use them, with what is chosen."""

    ways: list[Way]
    seats: tuple[tuple[str, Text], ...]
    discarders: tuple[tuple[str, Text], ...]
    listening: bool | None
    baos: tuple[tuple[str, Text], ...]
    moments: list[Pattern]
    birds: Birds | None
    chosen: dict[str, str]


@dataclass(frozen=True)
class Birds:
    """The fields for the bird tiles. chosen: one for each that may be drawn, "" where none is.

    kinds: what each may be. is_winning: nothing said means that the winning tile is the bird. is_none: none
    was drawn, and somebody said so.
    """

    kinds: tuple[tuple[str, Text], ...]
    chosen: list[str]
    is_winning: bool
    is_none: bool


def circumstances_of(games: Sequence[Ruleset], given: dict[str, str], tile_set: TileSet) -> Circumstances:
    """The fields for how a hand was won, as far as all these games use them."""
    ways = [w for w in games[0].ways if all(w.key in {x.key for x in g.ways} for g in games)]
    seats = tuple((str(n), name) for n, name in enumerate(SEATS))
    chosen = {"by": "discard", "seat": "1", **given}
    chosen.setdefault("from", "1" if chosen["seat"] == "0" else "0")
    way = next((w for w in ways if w.key == chosen["by"]), None)
    inputs = games[0].inputs if len(games) == 1 else ()
    return Circumstances(
        ways=ways,
        seats=seats,
        discarders=() if way and way.self_drawn else tuple(s for s in seats if s[0] != chosen["seat"]),
        listening="listening" in given if "listening" in inputs else None,
        baos=tuple((t.code, tile_set.name(t)) for t in tile_set.tiles) if "bao" in inputs else (),
        moments=[p for p in games[0].patterns if p.is_moment and not p.implied_by]
        if "moments" in inputs
        else [],
        birds=_birds(games[0], given, way) if "birds" in inputs else None,
        chosen=chosen,
    )


def _birds(game: Ruleset, given: dict[str, str], way: Way | None) -> Birds | None:
    most = game.table.most_birds
    if not most:
        return None
    named = given.get("birds", "").split(",")
    drawn = [kind.code for kind in map(notation.parse_tile, named) if kind and kind in game.tiles.kinds][
        :most
    ]
    moments = tuple(given.get("moments", "").split(","))
    situation = Situation(discarder=None if way and way.self_drawn else 0, moments=moments)
    return Birds(
        kinds=tuple((t.code, game.tiles.name(t)) for t in game.tiles.tiles),
        chosen=drawn + [""] * (most - len(drawn)),
        is_winning=bool(game.table.prize(situation, {}, 0, game.tiles.tiles[0]).birds),
        is_none=named == ["0"],
    )
