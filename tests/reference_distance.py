"""A second opinion on how near a hand is to winning: every exchange is tried, fewest tiles first.

The engine tells the distance of a hand from what each suit lacks. This module knows nothing of that: it
takes tiles out, puts others in, and asks `reference` whether what comes of it wins. Hands, melds, winning
tiles and circumstances are those of `reference.judge`.

An exchange takes one tile out of those outside the melds and puts one in of which the hand then holds no
fifth copy. A hand one tile short is ready after some exchanges if one more tile wins it; so with k exchanges
k tiles go and k + 1 come. A full hand discards first, which comes to the same: k + 1 tiles go and k + 1 come.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement

from tests import reference

MORE = "more"  # further than was asked for, perhaps never
COLUMNS = ("m", "p", "s", "")


def distance(ruleset, concealed, melds, winning, *, limit=1, **given):
    """The exchanges before the hand is ready, -1 for a win, None where none can help, MORE beyond `limit`.

    `given` are the circumstances and options of `reference.judge`. That none can help is told where `limit`
    allows to exchange every tile, or where the win was not declared, which no tile mends.
    """
    tiles = concealed + ([winning] if winning else [])
    one_short, _ = reference.form_of(concealed, melds, winning)
    if not one_short and wins(ruleset, concealed, melds, winning, given):
        return -1
    house = reference.house(ruleset, given.get("options"))
    if house.get("must-declare-ting") == "yes" and not given.get("listening"):
        return None
    for exchanges in range(limit + 1):
        come = exchanges + 1
        go = exchanges if one_short else come
        if go > len(tiles):
            return None
        if some_exchange_wins(ruleset, tiles, melds, go, come, given):
            return exchanges
    return None if limit >= len(tiles) - (0 if one_short else 1) else MORE


def fixes(ruleset, concealed, melds, winning, **given):
    """Every (out, in) that makes a losing full hand win, as a set.

    A tile put in for the winning tile is the winning tile. A bao stands for nothing here: an exchange mends
    the hand's own tiles, as the distance is told of them.
    """
    given = given | {"bao": None}
    held = concealed + reference.tiles_of(melds) + ([winning] if winning else [])
    found = set()
    for into in reference.TILES[ruleset]:
        if held.count(into) == 4:
            continue
        for out in set(concealed):
            if wins(ruleset, [*reference.without(concealed, [out]), into], melds, winning, given):
                found.add((out, into))
        if winning and wins(ruleset, concealed, melds, into, given):
            found.add((winning, into))
    return found


def wins(ruleset, concealed, melds, winning, given):
    """Whether a full hand wins."""
    return reference.judge(ruleset, concealed, melds, winning, waits=False, **given)["wins"]


def some_exchange_wins(ruleset, tiles, melds, go, come, given):
    """Whether some hand wins that has `go` of the tiles less and `come` more."""
    fixed = reference.tiles_of(melds)
    judged = {}
    for out in sorted(set(combinations(reference.in_order(tiles), go))):
        left = reference.without(reference.in_order(tiles), out)
        columns = in_columns(left)
        for into, more in additions(ruleset, come):
            if not may_have_shape(left, columns, into, more, melds):
                continue
            whole = tuple(reference.in_order([*left, *into]))
            if whole not in judged:
                copies = [*whole, *fixed]
                possible = all(copies.count(tile) <= 4 for tile in whole)
                judged[whole] = possible and wins(ruleset, list(whole), melds, None, given)
            if judged[whole]:
                return True
    return False


@cache
def additions(ruleset, number):
    """Every choice of so many tiles: the tiles in order, and the same by column."""
    choices = combinations_with_replacement(reference.TILES[ruleset], number)
    return [(tiles, in_columns(tiles)) for tiles in choices]


def in_columns(tiles):
    """Ordered tiles apart by suit, the honors last."""
    return tuple(tuple(tile for tile in tiles if tile[1:] == suit) for suit in COLUMNS)


def may_have_shape(left, columns, into, more, melds):
    """Whether the tiles make sets and a pair, or may make a hand without: only those are worth judging.

    No set has tiles of two columns, so each of them falls into sets by itself, one of them with the pair;
    a column with one tile over, or two with a pair, are refused at a glance.
    """
    if not melds:
        whole = sorted([*left, *into])
        if whole[::2] == whole[1::2]:
            return True
    if all(tile[0] in "258" for tile in into) and all(tile[0] in "258" for tile in left):
        return True
    over = [(len(a) + len(b)) % 3 for a, b in zip(columns, more, strict=True)]
    if sum(over) != 2 or 1 in over:
        return False
    return all(falls_into_sets(a, b) for a, b in zip(columns, more, strict=True))


@cache
def falls_into_sets(tiles, more=()):
    """Whether the tiles of one column make sets, with one pair where two tiles are over."""
    tiles = reference.in_order([*tiles, *more])
    if not tiles:
        return True
    first = tiles[0]
    starts = [(first,) * 3, reference.run_from(first)]
    if len(tiles) % 3 == 2:
        starts.append((first,) * 2)
    return any(
        start and holds(tiles, start) and falls_into_sets(tuple(reference.without(tiles, start)))
        for start in starts
    )


def holds(tiles, wanted):
    """Whether all of the wanted tiles are there."""
    return all(tiles.count(tile) >= wanted.count(tile) for tile in wanted)
