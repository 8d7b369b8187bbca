"""What holds of every hand in both games, tried on random hands that are often winning ones."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules import notation
from rules.circumstances import read
from rules.hands import Hand
from rules.tiles import Tile, tile
from rules.verdict import Judged, Verdict
from tests import dealing
from tests.test_reference import hand_of

RULESETS = st.sampled_from(["changchun", "changsha"])
SEEDS = st.integers(0, 2**32)
RENAMINGS = st.sampled_from([dict(zip("mps", order, strict=True)) for order in permutations("mps")])


def dealt(ruleset: str, seed: int) -> tuple[list[str], list, str | None, dict[str, Any]]:
    """One random valid hand with circumstances that can be."""
    return next(dealing.hands(ruleset, seed, 1))


def verdict_on(ruleset: str, concealed: list[str], melds: list, winning: str | None, given: Any) -> Verdict:
    """The verdict on a dealt hand."""
    game = rules.ruleset(ruleset)
    hand = hand_of(game, concealed, melds, winning)
    return game.judge(hand, read(game, hand, given))


def random_verdict(ruleset: str, seed: int) -> Verdict:
    """The verdict on a random hand."""
    return verdict_on(ruleset, *dealt(ruleset, seed))


def outcome(verdict: Verdict) -> dict[str, Any]:
    """What a verdict says, in a form that can be compared."""
    return {
        "state": verdict.state,
        "patterns": verdict.patterns,
        "total": verdict.total,
        "stands_for": verdict.stands_for,
        "findings": [(f.rule.key, f.status) for f in verdict.findings],
        "readings": Counter(map(as_read, verdict.readings)),
        "waits": verdict.waits,
        "blocked": verdict.blocked_waits,
    }


def as_read(judged: Judged) -> tuple:
    """The sets and the pair of a reading; two readings are the same where these are."""
    sets = sorted(notation.write_set(s) for s in judged.reading.sets)
    return tuple(sets), judged.reading.pair


def wins(game: rules.Ruleset, hand: Hand) -> bool:
    return game.judge(hand).wins


@given(RULESETS, SEEDS)
@settings(max_examples=200, deadline=None)
def test_the_order_in_which_tiles_are_written_changes_nothing(ruleset: str, seed: int) -> None:
    concealed, melds, winning, circumstances = dealt(ruleset, seed)
    rng = random.Random(seed)
    rng.shuffle(concealed)
    melds = [(kind, rng.sample(tiles, len(tiles))) for kind, tiles in melds]
    game = rules.ruleset(ruleset)
    text = "".join(concealed)
    for kind, tiles in melds:
        opening, closing = dealing.BRACKETS.get(kind, "()")
        text += opening + "".join(tiles) + closing
    hand = game.parse(text + (f"+{winning}" if winning else ""))
    assert hand.concealed == tuple(sorted(map(tile, concealed)))
    assert outcome(game.judge(hand, read(game, hand, circumstances))) == outcome(
        random_verdict(ruleset, seed)
    )


@given(RULESETS, SEEDS, RENAMINGS)
@settings(max_examples=200, deadline=None)
def test_renaming_the_suits_changes_nothing(ruleset: str, seed: int, names: dict[str, str]) -> None:
    """No rule favours a suit; only where several tiles pay alike does a bao pick by their order."""

    def renamed(code: str | None) -> str | None:
        return code[0] + names[code[1]] if code and code[1:] else code

    concealed, melds, winning, circumstances = dealt(ruleset, seed)
    one = verdict_on(ruleset, concealed, melds, winning, circumstances)
    melds = [(kind, sorted((renamed(t) for t in tiles), key=tile)) for kind, tiles in melds]
    circumstances = {**circumstances, "bao": renamed(circumstances["bao"])}
    other = verdict_on(ruleset, [renamed(t) for t in concealed], melds, renamed(winning), circumstances)
    assert other.state == one.state
    assert other.total == one.total
    for mine, theirs in ((one.waits, other.waits), (one.blocked_waits, other.blocked_waits)):
        assert {(renamed(w.tile.code), w.left, w.fails) for w in mine} == {
            (w.tile.code, w.left, w.fails) for w in theirs
        }
    if not one.bao_drawn:
        assert other.patterns == one.patterns
        assert len(other.readings) == len(one.readings)
        assert [(f.rule.key, f.status) for f in other.findings] == [
            (f.rule.key, f.status) for f in one.findings
        ]


@given(RULESETS, SEEDS)
@settings(max_examples=400, deadline=None)
def test_each_reading_uses_every_tile_once_and_no_two_are_alike(ruleset: str, seed: int) -> None:
    verdict = random_verdict(ruleset, seed)
    for judged in verdict.readings:
        pair = judged.reading.pair
        used = [t for s in judged.reading.sets for t in s.tiles] + ([pair, pair] if pair else [])
        if judged.reading.shape.has_sets:
            assert Counter(used) == Counter(judged.hand.tiles)
            assert len(judged.reading.sets) == (4 if pair else 7)
            assert judged.reading.sets[len(judged.reading.concealed_sets) :] == judged.hand.melds
        else:
            assert used == []
            assert {t.rank for t in judged.hand.tiles} <= {2, 5, 8}
    assert max(Counter(map(as_read, verdict.readings)).values(), default=1) == 1


@given(RULESETS, SEEDS)
@settings(max_examples=400, deadline=None)
def test_the_kinds_of_sets_are_counted_as_they_are_read(ruleset: str, seed: int) -> None:
    for judged in random_verdict(ruleset, seed).readings:
        reading = judged.reading
        if reading.pair:
            assert reading.sequences == sum(s.kind == "sequence" for s in reading.sets)
            assert reading.triplets == 4 - reading.sequences
            first = reading.first_triplet()
            ordinary = [s for s in reading.sets if s.kind in ("triplet", "gang")]
            assert first is (ordinary[0] if ordinary else None) or first == ordinary[0]


@given(RULESETS, SEEDS)
@settings(max_examples=150, deadline=None)
def test_waits_are_the_tiles_that_win_and_blocked_waits_those_that_only_complete(
    ruleset: str, seed: int
) -> None:
    game = rules.ruleset(ruleset)
    verdict = random_verdict(ruleset, seed)
    if verdict.is_full and verdict.hand.winning is None:
        assert verdict.waits == verdict.blocked_waits == []
        return
    waiting = verdict.hand.without_winning()
    winning, completing = {}, {}
    for kind in game.tiles.tiles:
        if waiting.copies(kind) == 4:
            continue
        full = game.judge(waiting.with_winning(kind))
        left = 4 - verdict.hand.copies(kind)
        if full.wins:
            winning[kind] = left
        elif full.readings:
            completing[kind] = (left, tuple(f.rule.key for f in full.findings if f.status == "fail"))
    assert {w.tile: w.left for w in verdict.waits} == winning
    assert {w.tile: (w.left, w.fails) for w in verdict.blocked_waits} == completing
    assert game.waits(waiting) == sorted(winning)
    assert [w.tile for w in verdict.waits] == sorted(winning)
    if not verdict.is_full:
        assert verdict.state == ("ready" if winning else "not-ready")


@given(RULESETS, SEEDS)
@settings(max_examples=200, deadline=None)
def test_a_hand_that_wins_was_ready_for_its_tile(ruleset: str, seed: int) -> None:
    verdict = random_verdict(ruleset, seed)
    if verdict.wins and verdict.hand.winning:
        came = verdict.stands_for or verdict.hand.winning
        assert came in [w.tile for w in verdict.waits]
        short = rules.ruleset(ruleset).judge(verdict.hand.without_winning())
        assert short.state == "ready"


@given(RULESETS, SEEDS)
@settings(max_examples=400, deadline=None)
def test_the_suit_of_the_pair_and_its_rank_follow_from_counting(ruleset: str, seed: int) -> None:
    """Sets have three tiles and ranks that sum to a multiple of three; the pair alone leaves a remainder."""
    for judged in random_verdict(ruleset, seed).readings:
        pair = judged.reading.pair
        if pair is None:
            continue
        remainders: dict[str | None, int] = {}
        for suit in ("m", "p", "s", None):
            held = [t for t in in_hand(judged.hand) if t.suit == suit]
            remainders[suit] = len(held) % 3
            if suit == pair.suit is not None:
                assert sum(t.rank for t in held) % 3 == 2 * pair.rank % 3
                assert (pair.rank in (2, 5, 8)) == (sum(t.rank for t in held) % 3 == 1)
        assert remainders == {suit: 2 if suit == pair.suit else 0 for suit in remainders}


def in_hand(hand: Hand) -> list[Tile]:
    """The tiles not in melds: concealed ones and the winning tile."""
    return [*hand.concealed, *([hand.winning] if hand.winning else [])]


@given(RULESETS, SEEDS)
@settings(max_examples=400, deadline=None)
def test_a_total_is_the_sum_of_its_patterns_and_the_chosen_reading_pays_most(ruleset: str, seed: int) -> None:
    game = rules.ruleset(ruleset)
    verdict = random_verdict(ruleset, seed)
    for judged in verdict.readings:
        assert judged.wins == (not judged.fails)
        assert bool(judged.patterns) == judged.wins
        assert {key: game.pattern(key).worth for key in judged.patterns} == judged.patterns
        if judged.wins:
            assert judged.total == sum(judged.patterns.values())
    if verdict.wins:
        assert verdict.total == sum(verdict.patterns.values())
        assert verdict.total == max(j.total for j in verdict.readings if j.wins)
        assert verdict.readings[0] is verdict.chosen
    else:
        assert (verdict.patterns, verdict.total) == ({}, None)
        assert not any(j.wins for j in verdict.readings)


@given(RULESETS, SEEDS)
@settings(max_examples=400, deadline=None)
def test_findings_list_every_rule_once_and_a_full_hand_wins_where_none_fails(ruleset: str, seed: int) -> None:
    game = rules.ruleset(ruleset)
    verdict = random_verdict(ruleset, seed)
    assert [f.rule for f in verdict.findings] == list(game.rules)
    found = [f.status for f in verdict.findings]
    assert set(found) <= {"pass", "fail", "waived", "open"}
    failed = [f.rule.key for f in verdict.findings if f.status == "fail"]
    if verdict.is_full:
        assert verdict.wins == (not failed)
        assert verdict.state == ("win" if verdict.wins else "not-win")
        if verdict.readings:
            assert "open" not in found
            assert len(failed) == min(len(j.fails) for j in verdict.readings)
            assert tuple(failed) == verdict.chosen.fails
        else:
            assert failed[0] == "shape"
    else:
        assert not verdict.wins
        assert verdict.readings == []
        assert set(failed) <= {r.key for r in game.rules if r.is_final}
    for finding in verdict.findings:
        hand = verdict.chosen.hand if verdict.chosen else verdict.hand
        assert not Counter(finding.tiles) - Counter(hand.tiles)
        assert finding.cites


@given(RULESETS, SEEDS)
@settings(max_examples=150, deadline=None)
def test_a_hand_is_a_value(ruleset: str, seed: int) -> None:
    game = rules.ruleset(ruleset)
    concealed, melds, winning, _ = dealt(ruleset, seed)
    hand = hand_of(game, concealed, melds, winning)
    assert hand == hand_of(game, concealed[::-1], melds, winning)
    assert hash(hand) == hash(hand_of(game, concealed[::-1], melds, winning))
    assert len(hand.tiles) == sum(hand.copies(t) for t in game.tiles.tiles)
    assert all(hand.left(t) == 4 - hand.copies(t) >= 0 for t in game.tiles.tiles)
    short = hand.without_winning()
    if winning:
        assert short.with_winning(tile(winning)) == hand
        assert len(short.tiles) == len(hand.tiles) - 1
        other = next(t for t in game.tiles.tiles if short.copies(t) < 4)
        assert hand.with_winning(other) == short.with_winning(other)
        assert hand.winning is tile(winning)
    else:
        assert short is hand


@given(SEEDS)
@settings(max_examples=300, deadline=None)
def test_a_drawn_bao_stands_for_the_legal_wait_that_pays_most(seed: int) -> None:
    """CC-56; R11."""
    game = rules.ruleset("changchun")
    concealed, melds, _, _ = dealt("changchun", seed)
    rng = random.Random(seed)
    bao = rng.choice(
        [t for t in game.tiles.tiles if [*concealed, *(c for m in melds for c in m[1])].count(t.code) < 3]
    )
    if len(concealed) % 3 != 1:
        concealed = concealed[1:]
    hand = hand_of(game, concealed, melds, bao.code)
    said = {"by": "self-draw", "listening": "1", "bao": bao.code, "seat": str(rng.randrange(4))}
    verdict = game.judge(hand, read(game, hand, said))
    waits = game.waits(hand.without_winning())
    assert verdict.wins == bool(waits)
    if not waits:
        assert verdict.stands_for is None
        return
    drawn = {"by": "self-draw", "seat": said["seat"]}
    worth = {}
    for kind in waits:
        as_kind = hand.with_winning(kind)
        worth[kind] = game.judge(as_kind, read(game, as_kind, drawn)).total + 2
    assert verdict.total == max(worth.values())
    assert worth[verdict.stands_for] == verdict.total
    assert verdict.patterns["baopai"] == 2
    if worth.get(bao) == verdict.total:
        assert verdict.stands_for is bao


@pytest.mark.parametrize("ruleset", ["changchun", "changsha"])
def test_without_a_winning_tile_only_what_depends_on_it_is_left_out(ruleset: str) -> None:
    game = rules.ruleset(ruleset)
    compared = 0
    for concealed, melds, winning, said in dealing.hands(ruleset, 7, 400):
        if winning is None or said.get("bao"):
            continue
        marked = verdict_on(ruleset, concealed, melds, winning, said)
        unmarked = verdict_on(ruleset, [*concealed, winning], melds, None, {"seat": said["seat"]})
        assert unmarked.wins == marked.wins
        kept = {
            max(
                (
                    tuple(key for key in j.patterns if not game.pattern(key).needs_winning_tile)
                    for j in marked.readings
                    if j.wins
                ),
                key=lambda keys: sum(game.pattern(key).worth for key in keys),
            )
            if marked.wins
            else ()
        }
        if ruleset == "changsha":  # where a moment was all there was, a small win remains
            kept = {keys if keys or not marked.wins else ("xiaohu",) for keys in kept}
        assert {tuple(unmarked.patterns)} == kept
        compared += 1
    assert compared > 100
