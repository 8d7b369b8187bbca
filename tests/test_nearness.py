"""What columns lack, found for all complete columns at once, against trying them one by one."""

from __future__ import annotations

import random

import pytest

import rules
from rules import columns, nearness
from rules.hands import Hand
from rules.nearness import EMPTY, HELD, NEVER, feature

TRIPLET = feature(lambda library: library.with_triplet)
NO_SEQUENCE = feature(lambda library: ~library.with_sequence)
ENDS = feature(lambda library: library.holding((1, 9)))
PAIR_OF_FIVES = feature(lambda library: library.paired((5,)))


def complete_columns(kinds: int, *, sequences: bool) -> list[tuple[tuple[int, ...], int, int, int, int]]:
    """Every column of up to four sets and a pair: counts, sets, pair, sequences, triplets."""
    blocks = [(tuple(3 * (n == at) for n in range(kinds)), 0, 1) for at in range(kinds)]
    if sequences:
        blocks += [(tuple(int(at <= n < at + 3) for n in range(kinds)), 1, 0) for at in range(kinds - 2)]
    level = {((0,) * kinds, 0, 0)}
    found = set()
    for sets in range(5):
        for held, runs, alike in level:
            found.add((held, sets, 0, runs, alike))
            for at in range(kinds):
                if held[at] <= 2:
                    with_pair = (*held[:at], held[at] + 2, *held[at + 1 :])
                    found.add((with_pair, sets, at + 1, runs, alike))
        level = {
            (tuple(map(sum, zip(held, block, strict=True))), runs + run, alike + triplet)
            for held, runs, alike in level
            for block, run, triplet in blocks
        }
        level = {entry for entry in level if max(entry[0]) <= 4}
    return sorted(found)


HAS = {
    HELD: lambda held, pair, runs, alike: any(held),
    EMPTY: lambda held, pair, runs, alike: not any(held),
    TRIPLET: lambda held, pair, runs, alike: alike > 0,
    NO_SEQUENCE: lambda held, pair, runs, alike: runs == 0,
    ENDS: lambda held, pair, runs, alike: held[0] > 0 or (len(held) == 9 and held[8] > 0),
    PAIR_OF_FIVES: lambda held, pair, runs, alike: pair == 5,
}


@pytest.mark.parametrize(("kinds", "sequences"), [(9, True), (7, False)])
def test_the_fewest_lacking_of_each_group_is_what_trying_every_column_finds(
    kinds: int, sequences: bool
) -> None:
    every = complete_columns(kinds, sequences=sequences)
    library = nearness._four_sets_library(kinds, sequences=sequences)
    chance = random.Random(3)
    wall = [rank for rank in range(1, kinds + 1) for _ in range(4)]
    wanted = [0, *HAS, HELD | ENDS, ENDS | TRIPLET, HELD | NO_SEQUENCE]
    for n in range(12):
        held = chance.sample(wall, chance.randint(0, 14))
        rest = list(wall)
        for rank in held:
            rest.remove(rank)
        melded = chance.sample(rest, 3) if n % 2 else []
        counts, in_melds = (sum(map(columns.unit, ranks)) for ranks in (held, melded))
        for reach in (2, 5, NEVER):
            found = library.fewest(counts, in_melds, wanted, reach)
            for features, costs in zip(wanted, found, strict=True):
                expected = [NEVER] * 10
                for column, sets, pair, runs, alike in every:
                    has = [test(column, pair, runs, alike) for bit, test in HAS.items() if features & bit]
                    fits = all(column[r - 1] + melded.count(r) <= 4 for r in range(1, kinds + 1))
                    group = 2 * sets + (pair > 0)
                    if all(has) and fits and 3 * sets + 2 * (pair > 0) <= len(held) + reach:
                        lacking = sum(max(0, column[r - 1] - held.count(r)) for r in range(1, kinds + 1))
                        expected[group] = min(expected[group], lacking)
                assert list(costs) == expected, (held, melded, features, reach)


def test_columns_of_pairs_are_counted_by_their_pairs() -> None:
    library = nearness._pairs_library(9)
    counts = sum(map(columns.unit, (1, 1, 2, 5, 5, 5, 5)))
    (costs,) = library.fewest(counts, 0, [0], NEVER)
    # 11 and 55 55 are there, 2 lacks one; each further pair two.
    assert costs == (0, 0, 0, 0, 1, 3, 5, 7)
    (costs,) = library.fewest(counts, 0, [HELD | ENDS], NEVER)
    assert costs == (NEVER, 0, 0, 0, 1, 3, 5, 7)


@pytest.mark.parametrize("ruleset", ["changchun", "changsha"])
def test_hands_far_from_a_win_are_counted_as_exactly_as_near_ones(ruleset: str) -> None:
    game = rules.ruleset(ruleset)
    wall = [t for t in game.tiles.tiles for _ in range(4)]
    near = nearness._SETS_AND_PAIR
    within = nearness._within(game.tiles.kinds)
    seen = set()
    for n in range(1500):
        hand = Hand.of(random.Random(n).sample(wall, 13 + n % 2))
        needs = nearness.NOTHING
        for rule in game.rules[1:]:
            needs = nearness.both(needs, rule.needs(game.shapes[0], hand, game.table.dealt))
        asked = (hand.counts, (0, 0, 0, 0), needs, within, 9)
        assert near.fewest(*asked) == nearness._fewest(near._far, *asked)
        seen.add(near.fewest(*asked))
    assert max(seen) > nearness._REACH


def test_what_is_kept_is_bounded_and_what_is_forgotten_comes_out_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = rules.ruleset("changchun")
    wall = [t for t in game.tiles.tiles for _ in range(4)]
    hands = [Hand.of(random.Random(n).sample(wall, 14)) for n in range(300)]
    before = [game.missing(hand) for hand in hands]
    monkeypatch.setattr(nearness, "_KEPT", 20)
    sums = nearness._SETS_AND_PAIR._near
    for kept in (*sums._columns, sums._joined):
        kept.clear()
    assert [game.missing(hand) for hand in hands] == before
    assert all(len(kept) <= 20 for kept in sums._columns)
    assert len(sums._joined) <= 40


def test_needs_that_two_rules_have_are_put_together_in_every_way() -> None:
    one, two = ((1, 0, 0, 0), (0, 1, 0, 0)), ((2, 0, 0, 0), (0, 0, 0, 4))
    assert set(nearness.both(one, two)) == {(3, 0, 0, 0), (1, 0, 0, 4), (2, 1, 0, 0), (0, 1, 0, 4)}
    assert nearness.both(one, nearness.IMPOSSIBLE) == ()
    assert set(nearness.both(one, nearness.NOTHING)) == set(one)
