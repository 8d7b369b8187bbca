"""What columns lack, found for all complete columns at once, against trying them one by one."""

from __future__ import annotations

import random
import threading
import time

import pytest

import rules
from rules import columns, features, nearness
from rules.features import EMPTY, ENDS, HELD, NEVER, NO_SEQUENCE, PAIR_OF_258, TRIPLET, feature
from rules.hands import Hand

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
    PAIR_OF_258: lambda held, pair, runs, alike: pair in (0, 2, 5, 8),
    PAIR_OF_FIVES: lambda held, pair, runs, alike: pair == 5,
}


@pytest.mark.parametrize(("kinds", "sequences"), [(9, True), (7, False)])
def test_the_fewest_lacking_of_each_group_is_what_trying_every_column_finds(
    kinds: int, sequences: bool
) -> None:
    every = []
    for column, sets, pair, runs, alike in complete_columns(kinds, sequences=sequences):
        has = sum(bit for bit, test in HAS.items() if test(column, pair, runs, alike))
        every.append((column, 2 * sets + (pair > 0), has))
    library = features.four_sets(kinds, sequences=sequences)
    chance = random.Random(3)
    wall = [rank for rank in range(1, kinds + 1) for _ in range(4)]
    wanted = [0, *HAS, HELD | ENDS, ENDS | TRIPLET, HELD | NO_SEQUENCE]
    for n in range(6):
        held = chance.sample(wall, chance.randint(0, 14))
        rest = list(wall)
        for rank in held:
            rest.remove(rank)
        melded = chance.sample(rest, 3) if n % 2 else []
        have = [held.count(rank) for rank in range(1, kinds + 1)]
        most = [4 - melded.count(rank) for rank in range(1, kinds + 1)]
        expected = {asked: [NEVER] * 10 for asked in wanted}
        for column, group, has in every:
            if all(map(int.__le__, column, most)):
                lacking = sum(max(0, c - h) for c, h in zip(column, have, strict=True))
                for asked, costs in expected.items():
                    if asked & has == asked and lacking < costs[group]:
                        costs[group] = lacking
        counts, in_melds = (sum(map(columns.unit, ranks)) for ranks in (held, melded))
        for groups in (1, 4, 10):
            found = library.fewest(counts, in_melds, wanted, groups)
            for asked, costs in zip(wanted, found, strict=True):
                left_out = [NEVER] * (10 - groups)
                assert list(costs) == expected[asked][:groups] + left_out, (held, melded, asked)


def test_columns_of_pairs_are_counted_by_their_pairs() -> None:
    library = features.pairs(9)
    counts = sum(map(columns.unit, (1, 1, 2, 5, 5, 5, 5)))
    (costs,) = library.fewest(counts, 0, [0], 8)
    # 11 and 55 55 are there, 2 lacks one; each further pair two.
    assert costs == (0, 0, 0, 0, 1, 3, 5, 7)
    (costs,) = library.fewest(counts, 0, [HELD | ENDS], 8)
    assert costs == (NEVER, 0, 0, 0, 1, 3, 5, 7)


def test_the_table_holds_what_the_library_finds() -> None:
    library, kept = features.four_sets(9, sequences=True), nearness.table()
    starts, lengths, places = nearness._places()
    width = len(nearness._IN_TABLE)
    chance = random.Random(5)
    wall = [rank for rank in range(1, 10) for _ in range(4)]
    for n in range(1500):
        counts = sum(map(columns.unit, chance.sample(wall, n % 15)))
        high, low = divmod(counts & columns.INDEX, nearness._LOW)
        assert (places[low] < lengths[high]) is (n % 15 <= nearness._MOST)
        if n % 15 <= nearness._MOST:
            at = width * kept.row_of[starts[high] + places[low]]
            found = library.fewest(counts, 0, nearness._IN_TABLE, 10)
            assert [kept.costs[number] for number in kept.rows[at : at + width]] == found


@pytest.mark.parametrize("ruleset", ["changchun", "changsha"])
def test_with_and_without_the_table_hands_come_out_alike(ruleset: str) -> None:
    game = rules.ruleset(ruleset)
    wall = [t for t in game.tiles.tiles for _ in range(4)]
    few = [t for t in wall if t.suit == "m" or t.rank in (1, 5)]
    without = nearness.Shelf(
        lambda: features.four_sets(9, sequences=True), lambda: features.four_sets(7, sequences=False)
    )
    within = nearness._within(game.tiles.kinds)
    for n in range(400):
        hand = Hand.of(random.Random(n).sample(few if n % 3 else wall, 13 + n % 2))
        demands = ()
        for rule in game.rules[1:]:
            demands += (rule.needs(game.shapes[0], hand, game.table.dealt),)
        asked = (hand.counts, (0, 0, 0, 0), demands, within, 9)
        together = nearness.NOTHING
        for needs in demands:
            together = nearness.both(together, needs)
        plainly = [without.fewest(hand.counts, (0, 0, 0, 0), ((need,),), within, 9) for need in together]
        assert min(plainly) == without.fewest(*asked)
        assert nearness._SETS_AND_PAIR.fewest(*asked) == without.fewest(*asked)


def test_a_feature_that_the_table_does_not_know_is_looked_up() -> None:
    shelf = nearness._SETS_AND_PAIR
    hand = rules.ruleset("changchun").parse("123m 456p 789s 11s EE")
    need = ((0, PAIR_OF_FIVES, 0, 0),)
    assert shelf.fewest(hand.counts, (0, 0, 0, 0), (), (0, 0, 0, 0), 9) == 1
    assert shelf.fewest(hand.counts, (0, 0, 0, 0), (need,), (0, 0, 0, 0), 9) == 3


def test_what_is_kept_is_bounded_and_what_is_forgotten_comes_out_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = rules.ruleset("changchun")
    wall = [t for t in game.tiles.tiles for _ in range(4)]
    hands = [Hand.of(random.Random(n).sample(wall, 14)) for n in range(300)]
    before = [game.missing(hand) for hand in hands]
    monkeypatch.setattr(nearness, "_KEPT", 20)
    shelf = nearness._SETS_AND_PAIR
    for kept in (*shelf._columns, shelf._joined, shelf._whole):
        kept.clear()
    assert [game.missing(hand) for hand in hands] == before
    assert all(len(kept) <= 20 for kept in shelf._columns)
    assert len(shelf._joined) <= 20
    assert len(shelf._whole) <= 20


def test_needs_that_two_rules_have_are_put_together_in_every_way() -> None:
    one, two = ((1, 0, 0, 0), (0, 1, 0, 0)), ((2, 0, 0, 0), (0, 0, 0, 4))
    assert set(nearness.both(one, two)) == {(3, 0, 0, 0), (1, 0, 0, 4), (2, 1, 0, 0), (0, 1, 0, 4)}
    assert nearness.both(one, nearness.IMPOSSIBLE) == ()
    assert set(nearness.both(one, nearness.NOTHING)) == set(one)


def test_threads_that_are_the_first_to_ask_find_the_same() -> None:
    hand = rules.ruleset("changchun").parse("19m 19p 19s ESWNCF 5m")
    at_once, kept, found = threading.Barrier(4), nearness.table(), list[int]()

    def slowly() -> nearness.Table:
        time.sleep(0.05)  # the others come meanwhile
        return kept

    shelf = nearness.Shelf(
        lambda: features.four_sets(9, sequences=True), lambda: features.four_sets(7, sequences=False), slowly
    )

    def ask() -> None:
        at_once.wait()
        found.append(shelf.fewest(hand.counts, (0, 0, 0, 0), (nearness.NOTHING,), (0, 0, 0, 0), 9))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [9] * 4
    assert shelf.fewest(hand.counts, (0, 0, 0, 0), (nearness.NOTHING,), (0, 0, 0, 0), 9) == 9
