"""Puzzles made by chance: every key is right by the plain reference, no question comes twice, and a higher
level is harder.

What is compared is what a program gets: the hand and the context as JSON carries them. `make test` compares a
sample; `make puzzles` compares thousands of each kind, which takes some minutes. It is the same as
setting PAILI_ALL=1:

    PAILI_ALL=1 .venv/bin/python -m pytest -n auto tests/test_puzzles.py
"""

from __future__ import annotations

import io
import itertools
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from django.core.management import call_command

import rules
from rules import HandError, asking
from tests import reference, reference_distance, reference_settlement
from tests.conftest import THOROUGH, real_content, real_shelf, some_of
from tutor.content.levels import KEYS
from tutor.content.picked import keys_of
from tutor.puzzles.forms import form_of
from tutor.puzzles.hints import hints_of
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import Key, NoPuzzleError, Puzzle, by_id, key_of, picked_puzzle, puzzle, series

EVERYTHING = os.environ.get("PAILI_ALL") == "1"
GAMES = ["changchun", "changsha"]
PAIRS = [(kind, game) for kind in KINDS for game in GAMES]
# Each kind in one game, each game in turn, where not all is tried.
SOME_PAIRS = PAIRS if THOROUGH else [pair for n, pair in enumerate(PAIRS) if n % 4 in (0, 3)]
LEVELS = range(1, 6)
# Puzzles a kind and game, over the five levels.
BY_WIN_CHECK = 5_000 if EVERYTHING else 100
BY_BRUTE_FORCE = 1_000 if EVERYTHING else 100 if THOROUGH else 60
WITH_OPTIONS = 500 if EVERYTHING else 50 if THOROUGH else 30
IN_A_ROW = 200
COUNTED = 300 if EVERYTHING or THOROUGH else 200  # puzzles of which no answer may be right too often
MEASURED = 2_000 if EVERYTHING else 250 if THOROUGH else 120  # puzzles a level
MEASURED_LEVELS = LEVELS if EVERYTHING else some_of(LEVELS, 0, 2)
SHARES = 5 if EVERYTHING else 1  # tests that share the puzzles of a kind, for several cores
ROOT = Path(__file__).parents[1]

STOCK = real_shelf()

Data = dict[str, Any]
KEPT: dict[Key, Puzzle] = {}  # puzzles that several tests look at
MOST_KEPT = 5_000


def made_of(key: Key) -> Puzzle:
    """The puzzle of a key by the usual rules, made once for many tests."""
    if key in KEPT:
        return KEPT[key]
    made = puzzle(key, STOCK)
    if len(KEPT) < MOST_KEPT:
        KEPT[key] = made
    return made


def data_of(made: Puzzle) -> Data:
    """What JSON carries of a puzzle, read back."""
    said = {
        "game": made.game.key,
        "options": dict(made.options),
        "topic": made.topic,
        "hand": made.hand,
        "context": made.context,
        "key": made.keys,
    }
    read: Data = json.loads(json.dumps(said, ensure_ascii=False))
    return read


def sample(
    kind: str, game: str, number: int, options: Mapping[str, str] | None = None, share: int = 0
) -> Iterator[Puzzle]:
    """So many puzzles over the five levels; share: which of SHARES parts."""
    played = rules.rulesets()[game].with_options(options or {})
    for n in range(share, number, SHARES if number > 1_000 else 1):
        key = Key(kind, played, 1 + n % 5, n // 5)
        yield puzzle(key, STOCK) if options else made_of(key)


# What the reference says


def given_of(data: Data) -> dict[str, Any]:
    """How a hand was won, as `reference.judge` takes it."""
    context = data["context"]
    moments = context.get("moments") or ()
    return {
        "by": context["by"],
        "seat": int(context.get("seat", 1)),
        "listening": context.get("listening") in ("1", "yes"),
        "bao": context.get("bao"),
        "moments": tuple(moments.split(",")) if isinstance(moments, str) else tuple(moments),
        "options": data["options"],
    }


def judged(data: Data, *, waits: bool = False) -> dict[str, Any]:
    """What the reference says of a puzzle's hand."""
    hand = reference_settlement.read_hand(data["hand"])
    said: dict[str, Any] = reference.judge(data["game"], *hand, **given_of(data), waits=waits)
    return said


def may_win(data: Data) -> list[str]:
    return ["yes" if judged(data)["wins"] else "no"]


def what_fails(data: Data) -> list[str]:
    fails: list[str] = judged(data)["fails"]
    return fails


def waits_for(data: Data) -> list[str]:
    return sorted(judged(data, waits=True)["waits"])


def exchanges(data: Data) -> list[str]:
    """Every exchange of one tile that makes the hand win as was asked."""
    game, given = data["game"], given_of(data)
    concealed, melds, winning = reference_settlement.read_hand(data["hand"])
    goal = data["context"].get("goal", {}).get("has")
    whole = reference.in_order([*concealed, *([winning] if winning else [])])
    held = whole + reference.tiles_of(melds)
    found = []
    for out in sorted(set(whole)):
        left = reference.without(whole, [out])
        columns = reference_distance.in_columns(left)
        for into in reference.TILES[game]:
            added = reference_distance.in_columns((into,))
            if into == out or held.count(into) == 4:
                continue
            if not reference_distance.may_have_shape(left, columns, (into,), added, melds):
                continue
            hands = []
            if out in concealed:
                hands.append(([*reference.without(concealed, [out]), into], winning))
            if out == winning:
                hands.append((concealed, into))
            said = [reference.judge(game, tiles, melds, last, **given, waits=False) for tiles, last in hands]
            if any(one["wins"] and (goal is None or goal in one["patterns"]) for one in said):
                found.append(f"{out}>{into}")
    return sorted(found)


def worth(data: Data) -> list[str]:
    said = judged(data)
    return [str(said["fan"] if said["big_wins"] is None else said["big_wins"])]


def games_that_let_it_win(data: Data) -> list[str]:
    concealed, melds, winning = reference_settlement.read_hand(data["hand"])
    found = []
    for game in GAMES:
        tiles = [*concealed, *reference.tiles_of(melds), winning]
        if any(t not in reference.TILES[game] for t in tiles):
            continue
        if game == "changsha" and any(kind == "special-gang" for kind, _ in melds):
            continue
        given = given_of(data) | {"options": data["options"] if game == data["game"] else {}}
        if reference.judge(game, concealed, melds, winning, **given, waits=False)["wins"]:
            found.append(game)
    return found or ["none"]


def best_discards(data: Data) -> list[str]:
    """The discards that leave the hand ready; where none does, those that leave it nearest."""
    game, given = data["game"], given_of(data)
    concealed, melds, winning = reference_settlement.read_hand(data["hand"])
    assert winning is None
    rests = {out: reference.without(concealed, [out]) for out in concealed}
    ready = [
        out
        for out, rest in rests.items()
        if reference.judge(game, rest, melds, None, **given)["state"] == "ready"
    ]
    if ready:
        return sorted(ready)
    near = [
        out
        for out, rest in rests.items()
        if reference_distance.distance(game, rest, melds, None, limit=1, **given) == 1
    ]
    assert near, "a discard of this hand should leave it one exchange from ready"
    return sorted(near)


def payments(data: Data) -> list[str]:
    context = data["context"]
    win: dict[str, Any] = given_of(data) | {"hand": data["hand"]}
    del win["options"]
    if "from" in context:
        win["from"] = int(context["from"])
    birds = context.get("birds", "")
    if birds == "0" and data["options"].get("birds") != "0":
        assert not {"haidilaoyue", "haidipao"} & set(win["moments"]), "the last tile is the bird"
    scenario = {
        "wins": [win],
        "birds": birds.split(",") if birds not in ("", "0") else [],
        "options": data["options"],
    }
    settled = reference_settlement.settle(data["game"], scenario)
    return [f"{seat}:{points}" for seat, points in enumerate(settled["payments"])]


def openings(data: Data) -> list[str]:
    """What a deal holds, counted."""
    tiles, melds, _ = reference_settlement.read_hand(data["hand"])
    assert not melds
    assert len(tiles) in (13, 14)
    counts = Counter(tiles)
    fours = [t for t, count in counts.items() if count == 4]
    found = []
    if data["game"] == "changchun":
        gangs = {"xuanfenggang": "ESWN", "xigang": "CFP"}
        found = [key for key, kinds in gangs.items() if all(counts[t] for t in kinds)]
        found += ["yaodan"] if all(counts[f"1{suit}"] for suit in "mps") else []
        found += ["jiudan"] if all(counts[f"9{suit}"] for suit in "mps") else []
        dadan = {"1p", "1s", "C", "F", "P"} | ({"1m"} if data["options"].get("dadan-1m") == "yes" else set())
        found += ["dadan"] if dadan & set(fours) else []
        return sorted(found)
    triplets = [t for t, count in counts.items() if count == 3 or count == 4]
    if data["options"].get("four-in-liuliushun") == "no":
        triplets = [t for t in triplets if counts[t] == 3]
    found += ["queyise"] if len({t[1] for t in tiles}) < 3 else []
    found += ["sixi"] if fours else []
    found += ["banbanhu"] if not any(t[0] in "258" for t in tiles) else []
    found += ["liuliushun"] if len(triplets) >= 2 else []
    if len(tiles) == 14:
        how = {"by": "self-draw", "seat": 0, "moments": ("tianhu",), "options": data["options"]}
        if reference.judge("changsha", tiles, [], None, **how, waits=False)["wins"]:
            found.append("tianhu")
    return sorted(found)


BY_REFERENCE: dict[str, Callable[[Data], list[str]]] = {
    "can-win": may_win,
    "why-not": what_fails,
    "waits": waits_for,
    "build": exchanges,
    "score": worth,
    "which-game": games_that_let_it_win,
}
BY_HAND: dict[str, Callable[[Data], list[str]]] = {
    "discard": best_discards,
    "payment": payments,
    "opening": openings,
}


# A tile that several hands may want

BEST = ("hu", "gang", "peng", "chi")


def can_do(data: Data, seat: int, tile: str) -> list[str]:
    """What a seat can do with a tile that was let go, from the tiles alone and from what binds the seat."""
    context, game = data["context"], data["game"]
    concealed, melds, _ = reference_settlement.read_hand(context["hands"][str(seat)])
    bound = context.get("standings", {}).get(str(seat), {})
    giver = int(context["from"])
    is_added, is_opened = "added" in context, "opened" in context
    how = {
        "by": "robbed-gang" if is_added else "discard",
        "seat": seat,
        "listening": bound.get("listening") == "yes",
        "moments": ("gangshangpao",) if is_opened else (),
        "options": data["options"],
    }
    said = reference.judge(game, concealed, melds, tile, **how, waits=False)
    found = []
    if said["wins"]:
        pays = reference.payments(
            game,
            said["fan"] or said["big_wins"] or 0,
            said["patterns"],
            how["by"],
            seat,
            giver,
            [],
            data["options"],
        )[seat]
        is_free = data["options"].get("missed-win") == "no"
        if is_free or not bound.get("missed") or pays > int(bound["missed"]):
            found.append("hu")
    copies = concealed.count(tile)
    if is_added:
        return found + (["peng"] if game == "changchun" and copies >= 2 else [])
    if copies >= 3:
        rest = reference.without(concealed, [tile] * 3)
        after = reference.judge(game, rest, [*melds, ("exposed-gang", [tile] * 4)], None, **how)
        if not how["listening"] or after["state"] == "ready":
            found.append("gang")
    if copies >= 2:
        found.append("peng")
    if seat == (giver + 1) % 4 and tile in reference.NUMBERED:
        beside = [{f"{int(tile[0]) + step}{tile[1]}" for step in run} for run in ((-2, -1), (-1, 1), (1, 2))]
        found += ["chi"] if any(two <= set(concealed) for two in beside) else []
    return found


def takers(data: Data) -> list[str]:
    """Who gets the tile and what for, where each does the best they can."""
    context = data["context"]
    tiles = context["opened"].split() if "opened" in context else [context.get("tile") or context["added"]]
    giver = int(context["from"])
    seats = [seat for step in (1, 2, 3) if str(seat := (giver + step) % 4) in context["hands"]]
    best = {}
    for seat in seats:
        able = {action for tile in tiles for action in can_do(data, seat, tile)}
        if able:
            best[seat] = min(able, key=BEST.index)
    winners = [seat for seat, action in best.items() if action == "hu"]
    if winners:
        only_one = data["game"] == "changchun" or data["options"].get("several-winners") == "nearest"
        return sorted(f"{seat}:hu" for seat in (winners[:1] if only_one else winners))
    for actions in (("peng", "gang"), ("chi",)):
        for seat, action in best.items():
            if action in actions:
                return [f"{seat}:{action}"]
    return []


BY_HAND["claim"] = takers


# The keys


def assert_right(made: Puzzle, ask: Callable[[Data], list[str]]) -> None:
    data = data_of(made)
    assert data["key"] == sorted(ask(data)), (made.id, data)


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", BY_REFERENCE)
def test_a_key_that_a_win_check_decides_is_right(kind: str, game: str, share: int) -> None:
    for made in sample(kind, game, BY_WIN_CHECK, share=share):
        assert_right(made, BY_REFERENCE[kind])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", BY_HAND)
def test_a_key_is_what_trying_everything_finds(kind: str, game: str) -> None:
    for made in sample(kind, game, BY_BRUTE_FORCE):
        assert_right(made, BY_HAND[kind])


OPTIONS: list[tuple[str, dict[str, str], list[str]]] = [
    ("changchun", {"must-declare-ting": "yes"}, ["can-win", "why-not", "waits", "score", "discard", "claim"]),
    ("changchun", {"seven-pairs": "yes"}, ["can-win", "waits", "build", "score", "which-game"]),
    ("changchun", {"jiahu": "shape", "special-gang-keeps-lihu": "yes"}, ["score", "payment", "build"]),
    ("changchun", {"dragon-pair-waives-triplet": "no", "special-gang-counts-suits": "no"}, ["why-not"]),
    ("changchun", {"discard-pays": "everyone", "points": "doubling"}, ["payment"]),
    ("changchun", {"losing-dealer-pays-extra": "yes", "duibao-includes-baopai": "no"}, ["payment", "score"]),
    ("changchun", {"dadan-1m": "yes"}, ["opening"]),
    ("changsha", {"moments-need-258": "no"}, ["can-win", "score", "payment", "claim"]),
    ("changsha", {"jiangjianghu-needs-shape": "yes"}, ["can-win", "waits", "build", "which-game"]),
    ("changsha", {"quanqiuren-concealed-gang": "no", "three-fours": "6"}, ["why-not", "score"]),
    ("changsha", {"birds": "4", "bird-count-up": "add", "bird-origin": "winner"}, ["payment"]),
    ("changsha", {"birds": "0"}, ["payment"]),
    ("changsha", {"birds": "1"}, ["payment"]),
    ("changsha", {"several-winners": "nearest", "missed-win": "no"}, ["claim"]),
    ("changsha", {"four-in-liuliushun": "no"}, ["opening"]),
]


@pytest.mark.parametrize(
    ("game", "options", "kind"),
    [(game, options, kind) for game, options, kinds in OPTIONS for kind in kinds],
    ids=lambda value: "+".join(value) if isinstance(value, dict) else value,
)
def test_a_table_of_its_own_rules_gets_puzzles_by_them(game: str, options: dict[str, str], kind: str) -> None:
    for made in sample(kind, game, WITH_OPTIONS, options):
        assert made.options == options
        assert_right(made, (BY_REFERENCE | BY_HAND)[kind])


HOUSE_RULES = [
    (game.key, option.key, choice.key)
    for game in rules.rulesets().values()
    for option in game.options
    for choice in option.choices[1:]
]


@pytest.mark.parametrize(
    ("game", "option", "value", "kinds"),
    [(*each, some_of(list(KINDS), n % 4, 4)) for n, each in enumerate(HOUSE_RULES)],
    ids=["-".join(each) for each in HOUSE_RULES],
)
def test_every_answer_to_every_house_rule_gets_puzzles_of_every_kind(
    game: str, option: str, value: str, kinds: list[str]
) -> None:
    asks = BY_REFERENCE | BY_HAND
    for kind in kinds:
        if (option, kind) == ("must-declare-ting", "which-game"):  # no hand wins by itself at this table
            played = rules.rulesets()[game].with_options({option: value})
            assert list(series(kind, played, 3, 0, STOCK)) == []
            continue
        for made in sample(kind, game, 25 if EVERYTHING else 3, {option: value}):
            if kind in asks and (kind != "discard" or made.number < 4):
                assert_right(made, asks[kind])


@pytest.mark.parametrize("game", GAMES)
def test_of_the_choices_about_the_table_the_engines_answer_alone_is_right(game: str) -> None:
    for made in sample("table", game, BY_BRUTE_FORCE):
        node, level = made.node, made.level
        if node["kind"] == "choice" and "ask" in node:
            told = asking.told(asking.ask(made.game, node["ask"], node.get("given") or {}).value)
            assert made.keys == [" ".join(told) or "none"], made.id
            offered = [offer.value for offer in level.offers]
            assert len(offered) == len(set(offered)) > 1, made.id
            assert len({offer.words for offer in level.offers}) == len(offered), made.id
            assert offered.count(made.keys[0]) == 1, made.id
        elif node["kind"] == "payments":
            assert made.keys == settled(made), made.id
        elif node["kind"] == "wall":
            assert len(level.rights) == len(level.rights[0]) == 1, made.id
            assert level.rights[0] <= {offer.value for offer in level.offers}, made.id
        else:
            told_by_seat = [f"{n}:{(int(bird[0]) - 1) % 4}" for n, bird in enumerate(node["birds"])]
            assert made.keys == sorted(told_by_seat), made.id


def settled(made: Puzzle) -> list[str]:
    """What the reference says of the settlement that a question tells of."""
    said = json.loads(json.dumps(made.node["settle"]))
    for part in ("wins", "gangs", "openings"):
        for item in said.get(part, []):
            for name in ("seat", "from", "fan", "big_wins"):
                if name in item:
                    item[name] = int(item[name])
            for name in ("listening", "dealt"):
                if name in item:
                    item[name] = item[name] in ("yes", True)
    for win in said.get("wins", []):
        win.setdefault("by", "discard")
        if win["by"] == "discard":
            win.setdefault("from", 0 if win["seat"] else 1)
    said["options"] = made.node.get("options", {})
    scores = reference_settlement.settle(made.game.key, said)["payments"]
    return [f"{seat}:{points}" for seat, points in enumerate(scores)]


# Near misses, and what is fair


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", ["can-win", "why-not"])
def test_a_hand_that_does_not_win_breaks_the_one_rule_it_is_about(kind: str, game: str) -> None:
    for made in sample(kind, game, BY_WIN_CHECK):
        data = data_of(made)
        said = judged(data)
        if not said["wins"]:
            assert [f"win/{key}" for key in said["fails"]] == [made.topic], made.id
            assert (not said["readings"]) == (said["fails"] == ["shape"]), made.id


def shown_tiles(made: Puzzle) -> list[str]:
    """Every tile that a puzzle shows, birds and the bao apart."""
    context = made.context
    texts = list(context["hands"].values()) if made.kind.key == "claim" else [made.hand]
    if "meld" in context:
        texts.append(context["meld"])  # the added tile stands in it
    found = (context.get("tile") or context.get("opened") or "").split()
    for text in texts:
        concealed, melds, winning = reference_settlement.read_hand(text)
        found += [*concealed, *reference.tiles_of(melds), *([winning] if winning else [])]
    return found


@pytest.mark.parametrize(("kind", "game"), [pair for pair in SOME_PAIRS if pair[0] != "table"])
def test_at_most_four_of_a_tile_are_to_be_seen(kind: str, game: str) -> None:
    for made in sample(kind, game, BY_BRUTE_FORCE):
        tiles = shown_tiles(made)
        assert len(tiles) >= 13
        assert set(tiles) <= set(reference.TILES[game]), made.id
        assert max(Counter(tiles).values()) <= 4, made.id


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", some_of(LEVELS, 0, 2))
def test_about_half_of_the_hands_win(game: str, level: int) -> None:
    played = rules.rulesets()[game]
    wins = [made_of(Key("can-win", played, level, seed)).keys == ["yes"] for seed in range(COUNTED)]
    assert 0.4 <= mean(wins) <= 0.6


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", ["why-not", "which-game", "opening", "claim", "score"])
def test_no_answer_is_right_most_of_the_time(kind: str, game: str) -> None:
    """Whoever always gives the same answer learns nothing and is right less than half of the time."""
    keys = Counter(" ".join(made.keys) for made in sample(kind, game, COUNTED))
    assert len(keys) > 1
    assert max(keys.values()) <= COUNTED / 2


@pytest.mark.parametrize("game", GAMES)
def test_few_discards_are_right_and_some_are_wrong(game: str) -> None:
    nearness = Counter()
    for made in sample("discard", game, BY_BRUTE_FORCE):
        concealed, _, _ = reference_settlement.read_hand(made.hand)
        assert 1 <= len(made.keys) <= 3, made.id
        assert len(made.keys) < len(set(concealed)), made.id
        nearness[made.traits["distance"]] += 1
    assert set(nearness) == {0, 1}


@pytest.mark.parametrize("game", GAMES)
def test_what_a_deal_is_asked_for_is_often_not_there_but_something_else(game: str) -> None:
    found: dict[str, Counter[str]] = {}
    for made in sample("opening", game, 400):
        is_there = made.topic.partition("/")[2] in made.keys
        case = "there" if is_there else "lure" if made.keys else "nothing"
        found.setdefault(made.topic, Counter())[case] += 1
    for topic, cases in found.items():
        assert min(cases["there"], cases["lure"]) > 0, topic
    assert 0.25 <= sum(cases["lure"] for cases in found.values()) / 400 <= 0.42
    assert 0.04 <= sum(cases["nothing"] for cases in found.values()) / 400 <= 0.18


@pytest.mark.parametrize("game", GAMES)
def test_a_tile_is_not_always_won(game: str) -> None:
    actions = Counter(key.partition(":")[2] for made in sample("claim", game, 300) for key in made.keys)
    assert set(actions) >= {"hu", "peng", "gang", "chi"}
    assert actions["hu"] <= 0.75 * actions.total()


@pytest.mark.parametrize("game", GAMES)
def test_only_a_hand_that_is_ready_is_bound(game: str) -> None:
    for made in sample("claim", game, 300):
        for seat in made.context.get("standings", {}):
            concealed, melds, _ = reference_settlement.read_hand(made.context["hands"][seat])
            assert reference.judge(game, concealed, melds, None, seat=int(seat))["waits"], made.id


# No question twice


@pytest.mark.parametrize(("kind", "game"), SOME_PAIRS)
@pytest.mark.parametrize("level", LEVELS if EVERYTHING else [3])
def test_two_hundred_in_a_row_are_all_different(kind: str, level: int, game: str) -> None:
    played = rules.rulesets()[game]
    made = list(itertools.islice(series(kind, played, level, 0, STOCK), IN_A_ROW))
    assert len({one.id for one in made}) == len({one.form for one in made}) == IN_A_ROW
    shortest = {min(json.dumps(renamed(one.node, to), sort_keys=True) for to in RENAMINGS) for one in made}
    assert len(shortest) == IN_A_ROW


RENAMINGS = list(itertools.permutations("mps"))


def renamed(value: Any, to: tuple[str, ...]) -> Any:
    """The same with suits renamed wherever a tile stands; tiles stand in canonical order again."""
    if isinstance(value, Mapping):
        return {key: renamed(item, to) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [renamed(item, to) for item in value]
    if not isinstance(value, str):
        return value
    if "`" in value:
        parts = value.split("`")
        return "`".join(renamed(part, to) if n % 2 else part for n, part in enumerate(parts))
    if not re.search("[1-9][mps]", value) or not set(value) <= set("123456789mpsESWNCFP()[]{}+ "):
        return value
    concealed: list[str] = []
    rest = []
    if len(value.split()) > 14:  # a list of tiles, more than a hand holds
        return " ".join(sorted(value.translate(str.maketrans("mps", "".join(to))).split()))
    for part in value.translate(str.maketrans("mps", "".join(to))).split():
        if part[0] in "([{+":
            rest.append(part)
        else:
            concealed += reference_settlement.read_tiles(part)
    melds = [one if one[0] == "+" else one[0] + inside(one) + one[-1] for one in rest]
    return " ".join([*(one for one in [written(concealed)] if one), *melds])


def inside(meld: str) -> str:
    tiles = reference.in_order(reference_settlement.read_tiles(meld[1:-1]))
    return "".join(tiles) if meld[0] == "{" else written(tiles)


def written(tiles: list[str]) -> str:
    """Tiles as text, a group a suit."""
    groups = [
        (suit, [t[0] for t in reference.in_order(tiles) if t[1:] == suit]) for suit in ("m", "p", "s", "")
    ]
    return " ".join("".join(ranks) + suit for suit, ranks in groups if ranks)


def in_any_suits(node: Any) -> str:
    """A question but for the names of suits, and for what there is to choose from."""
    asked = {name: item for name, item in node.items() if name != "options"}
    return min(json.dumps(renamed(asked, to), sort_keys=True) for to in RENAMINGS)


@pytest.mark.parametrize(("kind", "game"), SOME_PAIRS)
def test_renaming_suits_keeps_the_form_and_nothing_else_does(kind: str, game: str) -> None:
    rng = random.Random(f"{kind} {game}")
    for made in sample(kind, game, 50):
        for to in RENAMINGS:
            assert form_of(made.game, kind, renamed(made.node, to)) == made.form, made.id
        changed = [other for other in one_change(made.node, rng) if other != made.node]
        same = [in_any_suits(one) for one in changed]
        mine = in_any_suits(made.node)
        for other, text in zip(changed, same, strict=True):
            assert (form_of(made.game, kind, other) == made.form) == (text == mine), (made.id, other)


def one_change(value: Any, rng: random.Random) -> Iterator[Any]:
    """The same with one text in it changed: a digit for another, at one place in each."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from ({**value, key: other} for other in one_change(item, rng))
    elif isinstance(value, list | tuple):
        for n, item in enumerate(value):
            yield from ([*value[:n], other, *value[n + 1 :]] for other in one_change(item, rng))
    elif isinstance(value, str) and any(letter in "123456789" for letter in value):
        at = rng.choice([n for n, letter in enumerate(value) if letter in "123456789"])
        yield value[:at] + rng.choice([d for d in "123456789" if d != value[at]]) + value[at + 1 :]


# Ids


SOME = """
import json, sys, os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tutor.settings")
import django
django.setup()
from tutor.content import load
from tutor.content.shelf import Shelf
from tutor.puzzles.puzzle import by_id
pieces, asked = json.load(sys.stdin)
stock = Shelf.of(pieces or load.check().pieces)
for text in asked:
    made = by_id(text, stock)
    print(json.dumps([made.id, made.form, made.hand, made.context, made.keys, made.choices, made.node]))
"""


@pytest.mark.parametrize("hash_seed", some_of(["1", "2"], 0, 2))
def test_an_id_gives_the_same_puzzle_in_another_process(hash_seed: str) -> None:
    made = [one for kind in KINDS for game in GAMES for one in sample(kind, game, 5)]
    made += [one for game, options, kinds in OPTIONS for one in sample(kinds[0], game, 2, options)]
    # Where all is tried, the other process reads the content's files itself.
    pieces = None if THOROUGH else real_content().pieces
    done = subprocess.run(
        [sys.executable, "-c", SOME],
        input=json.dumps([pieces, [one.id for one in made]]),
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    mine = [[m.id, m.form, m.hand, m.context, m.keys, m.choices, m.node] for m in made]
    assert [json.loads(line) for line in done.stdout.splitlines()] == json.loads(json.dumps(mine))


def test_an_id_names_the_house_rules_that_differ_in_any_order() -> None:
    text = "changsha/payment/4/77?option=bird-count-up=add&option=birds=4"
    other = "changsha/payment/4/77?option=birds=4&option=several-winners=all&option=bird-count-up=add"
    first, second = by_id(text, STOCK), by_id(other, STOCK)
    assert first.id == second.id == text
    assert first.node == second.node
    assert first.options == {"birds": "4", "bird-count-up": "add"}
    assert by_id("changsha/payment/4/77", STOCK).node != first.node
    assert by_id("changsha/payment/4/77?option=birds=2", STOCK).id == "changsha/payment/4/77"


def test_a_puzzle_picked_by_hand_has_an_id_too() -> None:
    for game in rules.rulesets().values():
        for one in STOCK.picked(game):
            made = by_id(picked_puzzle(one).id, STOCK)
            assert made.keys == keys_of(one.level)
            assert made.number == one.number
            assert all(hint.en and hint.zh for hint in hints_of(made)), made.id


@pytest.mark.parametrize(
    "text",
    [
        "",
        "changsha",
        "changsha/can-win",
        "changsha/can-win/3",
        "changsha/can-win/0/1",
        "changsha/can-win/6/1",
        "changsha/can-win/3/-1",
        "changsha/can-win/3/1000000000",
        "changsha/can-win/3/１",
        "changsha/can-win/3/1/2",
        "changsha/can-win/3/1\n",
        " changsha/can-win/3/1",
        "changsha/no-such-kind/3/1",
        "beijing/can-win/3/1",
        "beijing/picked/one",
        "changsha/picked/",
        "changsha/picked/no-such-puzzle",
        "changsha/can-win/3/1?option=birds=3",
        "changsha/can-win/3/1?option=jiahu=shape",
        "changsha/can-win/3/1?option=birds",
        "changsha/can-win/3/1?option==",
    ],
)
def test_what_is_no_id_is_no_puzzle(text: str) -> None:
    with pytest.raises(NoPuzzleError):
        by_id(text, STOCK)


def test_a_key_out_of_range_is_no_puzzle() -> None:
    for level, seed in ((0, 1), (6, 1), (3, -1), (3, 1_000_000_000)):
        with pytest.raises(NoPuzzleError):
            puzzle(Key("can-win", rules.ruleset("changsha"), level, seed), STOCK)
    with pytest.raises(HandError):
        key_of("changsha/can-win/3/1?option=birds=3")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_series_about_one_rule_stays_with_it(kind: str, game: str) -> None:
    played = rules.rulesets()[game]
    for topic in KINDS[kind].topics(played, STOCK, 3)[:4]:
        for made in itertools.islice(series(kind, played, 3, 41, STOCK, topic), 3):
            assert made.topic == topic
            assert by_id(made.id, STOCK).node == made.node


# The command


def command(*words: str) -> list[Data]:
    """What `make_puzzles` prints, read."""
    out = io.StringIO()
    call_command("make_puzzles", *words, "--json", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_command_prints_a_puzzle_a_line(kind: str, game: str, shelved: None) -> None:
    said = command(game, "--kind", kind, "--level", "3", "--n", "5", "--seed", "9")
    assert len(said) == 5
    for data in said:
        assert data.keys() >= {"id", "kind", "ruleset", "level", "hand", "context", "key", "choices", "url"}
        assert (data["kind"], data["ruleset"], data["level"]) == (kind, game, 3)
        made = by_id(data["id"], STOCK)
        assert data["key"] == made.keys
        assert data["url"].startswith("/")
        assert data["id"] in data["url"]
        if made.level.widget == KEYS:
            assert data["choices"] == reference.TILES[game]
        if kind in BY_REFERENCE or kind in ("discard", "payment"):
            assert data["context"]["by"]
        ask = (BY_REFERENCE | BY_HAND).get(kind)
        if ask:
            assert data["key"] == sorted(ask(data | {"game": game, "options": {}})), data
    assert command(game, "--kind", kind, "--level", "3", "--n", "5", "--seed", "9") == said


def test_the_command_tells_the_house_rules_in_the_id(shelved: None) -> None:
    (said,) = command("changsha", "--kind", "payment", "--level", "5", "--option", "birds=4")
    assert said["id"].endswith("?option=birds=4")
    assert said["url"].endswith("?option=birds=4")


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_command_tells_people_too(language: str, shelved: None) -> None:
    out = io.StringIO()
    call_command(
        "make_puzzles", "changsha", "--kind", "why-not", "--n", "2", "--language", language, stdout=out
    )
    assert out.getvalue().count("  = ") == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("beijing", "--kind", "waits"), "unknown-ruleset"),
        (("changsha", "--kind", "waits", "--option", "birds=3"), "bad-option"),
        (("changsha", "--kind", "waits", "--option", "jiahu=shape"), "bad-option"),
    ],
)
def test_what_is_wrong_is_said_with_exit_status_two(
    words: tuple[str, ...], code: str, capsys: pytest.CaptureFixture[str], shelved: None
) -> None:
    with pytest.raises(SystemExit) as end:
        call_command("make_puzzles", *words, "--json")
    assert end.value.code == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


def test_puzzles_are_made_where_there_is_no_database_yet(tmp_path: Path) -> None:
    words = ["make_puzzles", "changsha", "--kind", "table", "--n", "2", "--json"]
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        env={**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/none.sqlite3"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["key"] for one in said] == [by_id(one["id"], STOCK).keys for one in said]


# How hard they are


@pytest.mark.parametrize(("kind", "game"), SOME_PAIRS)
def test_what_makes_a_puzzle_hard_grows_with_the_level(kind: str, game: str) -> None:
    played = rules.rulesets()[game]
    measured: dict[str, list[float]] = {}
    for level in MEASURED_LEVELS:
        traits = [made_of(Key(kind, played, level, seed)).traits for seed in range(MEASURED)]
        for name in KINDS[kind].traits:
            measured.setdefault(name, []).append(mean(t[name] for t in traits if name in t))
    for name, means in measured.items():
        assert means == sorted(means), (name, means)
    assert any(means[-1] > means[0] for means in measured.values())
    for name, means in measured.items():
        if (game, name) not in NEVER_VARIES:
            assert means[-1] > means[0], (name, means)


NEVER_VARIES = {("changchun", "birds")}  # that game has none


# Hints


@pytest.mark.parametrize(("kind", "game"), SOME_PAIRS)
def test_there_are_three_hints_to_every_puzzle(kind: str, game: str) -> None:
    for made in sample(kind, game, 100):
        hints = hints_of(made)
        assert len(hints) == 3
        for hint in hints:
            assert hint.en.strip(), made.id
            assert hint.zh.strip(), made.id
            assert "  " not in hint.en, made.id
            assert ".." not in hint.en, made.id
            assert "。。" not in hint.zh, made.id
        if kind == "why-not":
            name = made.game.rule(made.keys[0]).name
            assert name.en.lower() not in hints[0].en.lower(), made.id
            assert name.zh not in hints[0].zh, made.id


@pytest.mark.parametrize("game", GAMES)
def test_the_first_hint_to_why_not_leaves_something_to_choose(game: str) -> None:
    for made in sample("why-not", game, 100):
        told = [rule for rule in made.game.rules if f"“{rule.name.en}”" in hints_of(made)[0].en]
        assert len(told) <= len(made.game.rules) - 2
