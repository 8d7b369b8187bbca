"""How near a hand is to winning, and what would mend it: the engine against trying every exchange.

`make test` compares a sample, which takes seconds. `make distance` compares thousands of hands, which takes
minutes; it is the same as setting PAILI_ALL=1:

    PAILI_ALL=1 .venv/bin/python -m pytest -n auto tests/test_distance.py
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.circumstances import read
from rules.tiles import Tile
from rules.verdict import Verdict
from tests import dealing, reference, reference_distance
from tests.reference_distance import MORE
from tests.test_reference import hand_of

EVERYTHING = os.environ.get("PAILI_ALL") == "1"
NEAR_HANDS = 2_000 if EVERYTHING else 120
FAR_HANDS = 30 if EVERYTHING else 3
OPTION_HANDS = 400 if EVERYTHING else 30
SHARES = 8  # the near hands are compared in so many tests, for several cores

RULESETS = ["changchun", "changsha"]
OPTIONS = [
    ("changchun", {"seven-pairs": "yes"}, {}),
    ("changchun", {"special-gang-counts-suits": "no", "dragon-pair-waives-triplet": "no"}, {}),
    ("changchun", {"special-gang-in-piaohu": "no"}, {}),
    ("changchun", {"must-declare-ting": "yes"}, {"listening": True}),
    ("changsha", {"moments-need-258": "no"}, {"moments": ("gangshangpao",)}),
    ("changsha", {"moments-need-258": "no"}, {"moments": ("haidipao",)}),
    ("changsha", {"jiangjianghu-needs-shape": "yes"}, {}),
    ("changsha", {"quanqiuren-concealed-gang": "no"}, {}),
]

SEEDS = st.integers(0, 2**32)
Dealt = tuple[list[str], list, str | None]


# Hands


def exchanged(rng: random.Random, ruleset: str, tiles: list[str], melds: list, number: int) -> list[str]:
    """The concealed tiles after so many random exchanges."""
    tiles = list(tiles)
    for _ in range(min(number, len(tiles))):
        held = tiles + reference.tiles_of(melds)
        tiles.remove(rng.choice(tiles))
        tiles.append(rng.choice([t for t in reference.TILES[ruleset] if held.count(t) < 4]))
    return reference.in_order(tiles)


def hands_near(ruleset: str, seed: Any, number: int, exchanges: tuple[int, ...]) -> Iterator[Dealt]:
    """Hands that were complete, or nearly so, before some of their tiles were exchanged at random."""
    rng = random.Random(f"{ruleset} near {seed}")
    for concealed, melds, winning, _ in dealing.hands(ruleset, f"near {seed}", number):
        whole = concealed + ([winning] if winning else [])
        tiles = exchanged(rng, ruleset, whole, melds, rng.choice(exchanges))
        if len(tiles) + 3 * len(melds) == 13:
            yield tiles, melds, None
            continue
        last = rng.choice(tiles)
        tiles.remove(last)
        yield tiles, melds, rng.choice([last, None, None])


def one_short(dealt: Dealt) -> bool:
    """Whether a dealt hand is one tile short."""
    return reference.form_of(*dealt)[0]


def verdict_on(ruleset: str, dealt: Dealt, options: dict[str, str] | None = None, **given: Any) -> Verdict:
    """The engine's verdict on a dealt hand."""
    game = rules.ruleset(ruleset).with_options(options or {})
    hand = hand_of(game, *dealt)
    return game.judge(hand, read(game, hand, given))


def mended(dealt: Dealt, out: str, into: str) -> list[Dealt]:
    """The hands that an exchange may mean: of a concealed tile, of the winning one, or either."""
    concealed, melds, winning = dealt
    found: list[Dealt] = []
    if out in concealed:
        found.append((reference.in_order([*reference.without(concealed, [out]), into]), melds, winning))
    if out == winning:
        found.append((concealed, melds, into))
    return found


# The engine against every exchange


def assert_same(ruleset: str, dealt: Dealt, limit: int, options: dict[str, str], **given: Any) -> Any:
    """Compare distance and fixes of one hand, the fixes that pay most first; MORE beyond the limit."""
    written = (dealing.notation(*dealt), options, given)
    verdict = verdict_on(ruleset, dealt, options, **given)
    tried = reference_distance.distance(ruleset, *dealt, limit=limit, options=options, **given)
    if tried == MORE:
        assert verdict.distance is None or verdict.distance > limit, written
    else:
        assert verdict.distance == tried, written
    fixes = [(fix.out.code, fix.into.code) for fix in verdict.fixes]
    if one_short(dealt) or verdict.wins:
        assert fixes == [], written
        return tried
    every = reference_distance.fixes(ruleset, *dealt, options=options, **given)
    assert set(fixes) <= every, written
    assert len(fixes) == len(set(fixes)) == min(12, len(every)), written
    plain = given | {"bao": None}  # a bao stands for nothing here
    totals = [total_after(ruleset, dealt, fix, options, plain) for fix in fixes]
    assert totals == sorted(totals, reverse=True), written
    assert all(
        total_after(ruleset, dealt, fix, options, plain) <= totals[-1] for fix in every - set(fixes)
    ), written
    return tried


def total_after(
    ruleset: str, dealt: Dealt, fix: tuple[str, str], options: dict[str, str], given: dict[str, Any]
) -> int:
    """Fan or big wins of the hand that an exchange makes, the more where it may mean two."""
    said = [reference.judge(ruleset, *hand, options=options, **given) for hand in mended(dealt, *fix)]
    return max(one["fan"] or one["big_wins"] or 0 for one in said if one["wins"])


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("key", RULESETS)
def test_no_exchange_that_was_tried_brings_a_hand_nearer_than_the_engine_says(key: str, share: int) -> None:
    """Hands within one exchange of ready, some further ones that the deal brings among them."""
    compared = 0
    for dealt in hands_near(key, share, NEAR_HANDS, (0, 1, 1, 2)):
        if assert_same(key, dealt, 1, {}) != MORE:
            compared += 1
            if compared == NEAR_HANDS // SHARES:
                break
    assert compared == NEAR_HANDS // SHARES


@pytest.mark.parametrize("share", range(3))
@pytest.mark.parametrize("key", RULESETS)
def test_a_hand_two_exchanges_away_is_as_far_as_trying_says(key: str, share: int) -> None:
    """Two exchanges are hundreds of thousands of hands, so a few hands have to do."""
    compared = 0
    for dealt in hands_near(key, f"far {share}", 20 * FAR_HANDS, (2, 3, 3)):
        if one_short(dealt) and reference_distance.distance(key, *dealt, limit=1) == MORE:
            compared += assert_same(key, dealt, 2, {}) == 2
        if compared == FAR_HANDS // 3:
            break
    assert compared == FAR_HANDS // 3


@pytest.mark.parametrize(("key", "options", "circumstances"), OPTIONS)
def test_house_rules_move_the_distance_as_they_move_the_win(
    key: str, options: dict[str, str], circumstances: dict[str, Any]
) -> None:
    for dealt in hands_near(key, sorted(options.items()), OPTION_HANDS, (0, 1, 1, 2)):
        assert_same(key, dealt, 1, options, **circumstances)


def test_a_drawn_bao_that_meets_no_ready_hand_is_looked_at_as_the_tile_it_is() -> None:
    """It would win any ready hand; but what is near, and what mends, is told of the hand's own tiles."""
    compared = 0
    for dealt in hands_near("changchun", "bao", OPTION_HANDS * 4, (1, 1, 2)):
        concealed, melds, winning = dealt
        if winning and [*concealed, *reference.tiles_of(melds)].count(winning) <= 2:
            assert_same("changchun", dealt, 1, {}, by="self-draw", listening=True, bao=winning)
            compared += 1
    assert compared >= OPTION_HANDS // 2


# What holds of every hand


@pytest.mark.parametrize("key", RULESETS)
@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_a_ready_hand_is_no_exchange_away_and_a_win_is_one_tile_further(key: str, seed: int) -> None:
    (dealt,) = hands_near(key, seed, 1, (0, 0, 1, 2, 5))
    verdict = verdict_on(key, dealt)
    assert (verdict.distance == -1) is (verdict.state == "win")
    if one_short(dealt):
        assert (verdict.distance == 0) is (verdict.state == "ready")


@pytest.mark.parametrize("key", RULESETS)
@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_a_losing_hand_can_be_mended_exactly_when_it_is_ready_after_a_discard(key: str, seed: int) -> None:
    (dealt,) = hands_near(key, seed, 1, (1, 1, 2, 5))
    verdict = verdict_on(key, dealt)
    if verdict.state == "not-win":
        assert bool(verdict.fixes) is (verdict.distance == 0)
    else:
        assert list(verdict.fixes) == []
    assert len(verdict.fixes) <= 12


@pytest.mark.parametrize("key", RULESETS)
@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_a_hand_that_takes_the_engines_advice_wins(key: str, seed: int) -> None:
    (dealt,) = hands_near(key, seed, 1, (1, 1, 2))
    verdict = verdict_on(key, dealt)
    for fix in verdict.fixes:
        assert fix.out is not fix.into
        assert any(verdict_on(key, hand).wins for hand in mended(dealt, fix.out.code, fix.into.code))
        assert fix.message.en.strip()
        assert any("\u4e00" <= c <= "\u9fff" for c in fix.message.zh)


@pytest.mark.parametrize("key", RULESETS)
@given(SEEDS, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_order_of_tiles_and_melds_does_not_move_the_distance(
    key: str, seed: int, rng: random.Random
) -> None:
    (dealt,) = hands_near(key, seed, 1, (0, 1, 2, 4))
    concealed, melds, winning = dealt
    shuffled = rng.sample(concealed, len(concealed)), rng.sample(melds, len(melds)), winning
    one, other = verdict_on(key, dealt), verdict_on(key, shuffled)
    assert other.distance == one.distance
    assert as_codes(other) == as_codes(one)


def as_codes(verdict: Verdict) -> list[tuple[str, str]]:
    """The fixes of a verdict as codes."""
    return [(fix.out.code, fix.into.code) for fix in verdict.fixes]


@pytest.mark.parametrize("key", RULESETS)
@given(SEEDS, st.sampled_from(list(permutations("mps"))))
@settings(max_examples=60, deadline=None)
def test_renaming_the_suits_does_not_move_the_distance(
    key: str, seed: int, order: tuple[str, str, str]
) -> None:
    def renamed(code: str) -> str:
        return code[0] + dict(zip("mps", order, strict=True))[code[1]] if code[1:] else code

    (dealt,) = hands_near(key, seed, 1, (0, 1, 2, 4))
    concealed, melds, winning = dealt
    other = (
        reference.in_order(map(renamed, concealed)),
        [(kind, reference.in_order(map(renamed, tiles))) for kind, tiles in melds],
        winning and renamed(winning),
    )
    verdict, same = verdict_on(key, dealt), verdict_on(key, other)
    assert same.distance == verdict.distance
    assert len(same.fixes) == len(verdict.fixes)


@pytest.mark.parametrize("key", RULESETS)
@given(SEEDS, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_one_drawn_tile_brings_a_hand_nearer_by_one_at_most(key: str, seed: int, rng: random.Random) -> None:
    rng = random.Random(rng.random())
    dealt = next(hand for hand in hands_near(key, seed, 60, (0, 1, 2, 5)) if one_short(hand))
    concealed, melds, _ = dealt
    before = verdict_on(key, dealt).distance
    held = concealed + reference.tiles_of(melds)
    drawn = rng.choice([tile for tile in reference.TILES[key] if held.count(tile) < 4])
    full = verdict_on(key, (concealed, melds, drawn)).distance
    left = reference.without([*concealed, drawn], [rng.choice(concealed)])
    after = verdict_on(key, (reference.in_order(left), melds, None)).distance
    if before is None:
        assert full is None
        assert after is None
    else:
        # A full hand discards before it is measured, so what it has gained is told by the win alone.
        assert before - 1 <= full <= before
        assert before - 1 <= after <= before + 1


@pytest.mark.parametrize("key", RULESETS)
@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_a_full_hand_is_as_near_as_its_best_discard_leaves_it(key: str, seed: int) -> None:
    (dealt,) = hands_near(key, seed, 1, (1, 2, 5))
    concealed, melds, winning = dealt
    verdict = verdict_on(key, dealt)
    if verdict.state == "not-win":
        whole = concealed + ([winning] if winning else [])
        after = [
            verdict_on(key, (reference.without(whole, [tile]), melds, None)).distance for tile in set(whole)
        ]
        told = [distance for distance in after if distance is not None]
        assert verdict.distance == (min(told) if told else None)


@pytest.mark.parametrize("key", RULESETS)
@given(SEEDS)
@settings(max_examples=400 if EVERYTHING else 80, deadline=None)
def test_what_to_draw_and_discard_is_what_trying_each_tile_finds(key: str, seed: int) -> None:
    _, options, given = random.Random(seed).choice(
        [(key, {}, {}), *[one for one in OPTIONS if one[0] == key]]
    )
    (dealt,) = hands_near(key, seed, 1, (0, 1, 2, 4))
    verdict = verdict_on(key, dealt, options, **given)
    game, hand, distance = verdict.ruleset, verdict.hand, verdict.distance
    if distance is None or distance < 0:
        assert verdict.draws == []
        return
    found: dict[Tile | None, list[tuple[Tile, int]]] = {}
    for discard in sorted(set(hand.loose)) if hand.is_full else [None]:
        rest = hand.without(discard) if discard else hand
        if game.missing(rest, verdict.circumstances) == distance + 1:
            found[discard] = [
                (tile, rest.left(tile))
                for tile in game.tiles.tiles
                if rest.left(tile) > 0
                and game.missing(rest.with_winning(tile), verdict.circumstances) == distance
            ]
    assert {draws.discard: list(draws.tiles) for draws in verdict.draws} == found, dealing.notation(*dealt)
    assert [draws.left for draws in verdict.draws] == sorted((d.left for d in verdict.draws), reverse=True)
    assert verdict.draws == game.draws(hand, verdict.circumstances)


# Hands that nothing mends


def measured(ruleset: str, text: str, options: dict[str, str] | None = None, **given: Any) -> Verdict:
    """The verdict on a written hand."""
    game = rules.ruleset(ruleset).with_options(options or {})
    hand = game.parse(text)
    return game.judge(hand, read(game, hand, given))


HOPELESS = [
    pytest.param("changchun", "C (123m) (222p) (777s) (999m)", {}, id="one tile left beside a 吃"),
    pytest.param("changchun", "C (123m) (222p) (777s) (999m) +E", {}, id="a full hand with one tile left"),
    pytest.param("changchun", "5p (111m) (222m) (333m) (444m)", {}, id="four melds of one suit"),
    pytest.param("changchun", "5p (111m) (EEE) (333m) (NNN)", {}, id="a pair can't bring two suits"),
    pytest.param(
        "changchun",
        "5p (111m) (222p) (333s) {ESWN}",
        {"special-gang-in-piaohu": "no"},
        id="four melds, one of them a special gang that makes no 飘胡",
    ),
    pytest.param(
        "changchun",
        "2345p {1m1p1s} {9m9p9s} {ESWN}",
        {"special-gang-counts-suits": "no"},
        id="a set and a pair can't bring three suits",
    ),
    pytest.param(
        "changchun",
        "123m 456p 78s EEE 22s",
        {"must-declare-ting": "yes"},
        id="听 was not declared",
    ),
]


@pytest.mark.proves("CC-69", "CC-77", "CC-78", "R3", "R4", "R7", "R15")
@pytest.mark.parametrize(("key", "text", "options"), HOPELESS)
def test_a_hand_that_no_exchange_can_mend_has_no_distance(
    key: str, text: str, options: dict[str, str]
) -> None:
    verdict = measured(key, text, options)
    assert verdict.distance is None
    assert list(verdict.fixes) == []
    assert not verdict.wins
    assert not verdict.waits


@pytest.mark.parametrize(("key", "text", "options"), HOPELESS)
def test_trying_finds_no_way_to_mend_it_either(key: str, text: str, options: dict[str, str]) -> None:
    """Every tile is exchanged: the one that is left, and with `make distance` four of them too."""
    hand = rules.ruleset(key).parse(text)
    melds = [(kind_of(meld), [t.code for t in meld.tiles]) for meld in hand.melds]
    concealed = [t.code for t in hand.concealed]
    winning = hand.winning.code if hand.winning else None
    limit = len(concealed) if EVERYTHING else 1
    tried = reference_distance.distance(key, concealed, melds, winning, limit=limit, options=options)
    assert tried is None or (tried == MORE and limit < len(concealed))


def kind_of(meld: Any) -> str:
    """The kind of a meld as the reference names it."""
    if meld.kind == "gang":
        return "concealed-gang" if meld.concealed else "exposed-gang"
    return {"sequence": "chi", "triplet": "peng"}.get(meld.kind, meld.kind)


# Known hands


@pytest.mark.parametrize(
    ("key", "text", "distance"),
    [
        ("changchun", "23456m 555p 77888s +1m", -1),
        ("changchun", "23456m 555p 77888s", 0),
        ("changchun", "23456m 555p 77888s +4m", 0),
        ("changchun", "234567m 555p 2267s", 1),
        ("changsha", "12355m 45678p 789s", 0),
        ("changsha", "123m 456p 789p 234m 9s", 1),
        ("changsha", "2258m 2258p 22588s", 0),
        ("changsha", "1133m 4488p 66779s", 0),
    ],
)
def test_a_hand_is_as_many_exchanges_from_ready_as_its_game_asks(key: str, text: str, distance: int) -> None:
    """A shape that breaks a rule is not ready: 234567m 555p 2267s has no 1 or 9, and 9s is no 将."""
    assert measured(key, text).distance == distance


@pytest.mark.proves("CC-70", "CC-72", "CC-73", "CS-3", "CS-16", "CS-17", "R1", "S1", "S3")
@pytest.mark.parametrize(
    ("key", "text", "fixes"),
    [
        # Without 1, 9 and honors, each end of a sequence that can move to one.
        ("changchun", "234567m 55p 22678s +5p", {"4m>1m", "7m>1m", "6s>9s"}),
        ("changchun", "23456m 555p 77888s +4m", {"4m>1m", "7s>9s"}),
        # A dragon pair waives the triplet, a pair of winds doesn't.
        ("changchun", "123m 456p 456789s C +E", {"E>C"}),
        ("changchun", "123m 456p 456789s S +E", set()),
        # The pair must become one of 2, 5 or 8; a shape that has another pair is no nearer for it.
        ("changsha", "12345m 45678p 789s +9p", {"1m>2m", "1m>5m", "4m>5m"}),
        ("changsha", "12399m 45678p 789s +9p", set()),
        # Whatever is a 2, 5 or 8 will do for a 将将胡.
        ("changsha", "22558m 2258p 2588s +1m", {f"1m>{rank}{suit}" for rank in "258" for suit in "mps"}),
    ],
)
def test_the_mends_of_a_known_hand_are_these_and_no_others(key: str, text: str, fixes: set[str]) -> None:
    verdict = measured(key, text)
    assert {f"{out}>{into}" for out, into in as_codes(verdict)} == fixes
    assert verdict.distance == (0 if fixes else 1)


def test_of_many_exchanges_that_mend_a_hand_twelve_are_named() -> None:
    """Twenty-one mend this one, in a single suit with two tiles four times."""
    verdict = measured("changsha", "3334444556677s +6s")
    concealed = [t.code for t in verdict.hand.concealed]
    every = reference_distance.fixes("changsha", concealed, [], "6s")
    assert len(every) == 21
    assert len(verdict.fixes) == 12
    assert set(as_codes(verdict)) < every
