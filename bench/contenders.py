"""Who is timed: each library with its native input and the call that answers.

The input is made outside the time, except where a text is read. In the timed loop a contender is one call
per hand, the library's own function wherever that suffices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from mahjong.agari import Agari
from mahjong.hand_calculating.divider import HandDivider
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig
from mahjong.shanten import Shanten
from mahjong.tile import TilesConverter
from MahjongGB import MahjongFanCalculator, RegularShanten
from xiangting import PlayerCount, calculate_necessary_tiles, calculate_replacement_number

from rules import Ruleset, notation
from rules.circumstances import Circumstances
from rules.hands import Hand
from rules.readings import FOUR_SETS
from rules.verdict import Verdict

from .hands import Deal, as_hand

OURS, MAHJONG, MAHJONG_BY_DISTANCE = "Paili", "mahjong", "mahjong by distance"
XIANGTING, MAHJONG_GB = "xiangting", "PyMahjongGB"


@dataclass(frozen=True)
class Contender:
    """A library at one task. prepare: the arguments of `ask` for a hand. yes: whether an answer says that
    the hand wins, or waits for something. share: of the hands in a round, less than 1 for a slow one."""

    name: str
    prepare: Callable[[Deal], tuple[Any, ...]]
    ask: Callable[..., Any]
    yes: Callable[[Any], bool] = bool
    share: float = 1.0


# Native input

_GB_SUITS = {"m": "W", "p": "B", "s": "T"}
_GB_HONORS = {"E": "F1", "S": "F2", "W": "F3", "N": "F4", "C": "J1", "F": "J2", "P": "J3"}
_HONORS = "ESWNPFC"  # in the order of the two libraries that number them


def _index(code: str) -> int:
    return 27 + _HONORS.index(code) if len(code) == 1 else 9 * "mps".index(code[1]) + int(code[0]) - 1


def _counts(deal: Deal) -> list[int]:
    counts = [0] * 34
    for code in deal:
        counts[_index(code)] += 1
    return counts


def _gb_tile(code: str) -> str:
    return _GB_HONORS[code] if len(code) == 1 else _GB_SUITS[code[1]] + code[0]


def _gb_hand(deal: Deal) -> tuple[Any, ...]:
    *held, winning = map(_gb_tile, deal)
    flowers, self_drawn, seat, round_wind = 0, True, 0, 0
    return (), tuple(held), winning, flowers, self_drawn, False, False, False, seat, round_wind


def _numbered(codes: tuple[str, ...]) -> str:
    """Tiles as mahjong reads them, such as 123m55z."""
    pairs = [(c[0], c[1]) if len(c) == 2 else (str(_HONORS.index(c) + 1), "z") for c in codes]
    pairs.sort(key=lambda pair: ("mpsz".index(pair[1]), pair[0]))
    return "".join(
        "".join(number for number, _ in group) + suit for suit, group in groupby(pairs, key=lambda p: p[1])
    )


def _hand(deal: Deal) -> tuple[Hand]:
    return (as_hand(deal),)


# Other libraries

_SELF_DRAWN = HandConfig(is_tsumo=True)  # so that every win has a value


def _tiles_and_winning(deal: Deal) -> tuple[list[int], int]:
    return _read_text(_numbered(deal), _numbered(deal[-1:]))


def _read_text(text: str, winning: str) -> tuple[list[int], int]:
    tiles = TilesConverter.one_line_string_to_136_array(text)
    return tiles, TilesConverter.one_line_string_to_136_array(winning)[0]


def _value(tiles: list[int], winning: int) -> Any:
    return HandCalculator.estimate_hand_value(tiles, winning, config=_SELF_DRAWN)


def _value_of_text(text: str, winning: str) -> Any:
    return _value(*_read_text(text, winning))


def _fan(*hand: Any) -> Any:
    try:
        return MahjongFanCalculator(*hand)
    except TypeError:  # how it says that a hand doesn't win
        return None


def _waits_by(counts: list[int], completes: Callable[[list[int]], bool]) -> list[int]:
    waits = []
    for index in range(34):
        if counts[index] < 4:
            counts[index] += 1
            if completes(counts):
                waits.append(index)
            counts[index] -= 1
    return waits


def _waits_by_agari(counts: list[int]) -> list[int]:
    return _waits_by(counts, Agari.is_agari)


def _waits_by_distance(counts: list[int]) -> list[int]:
    return _waits_by(counts, lambda counts: Shanten.calculate_shanten(counts) < 0)


def _is_valued(response: Any) -> bool:
    return response.error is None


MAHJONG_WIN_CHECK = Contender(MAHJONG, lambda deal: (_counts(deal),), Agari.is_agari)
MAHJONG_READINGS = Contender(MAHJONG, lambda deal: (_counts(deal),), HandDivider.divide_hand)
MAHJONG_WAITS = Contender(MAHJONG, lambda deal: (_counts(deal),), _waits_by_agari)
MAHJONG_WAITS_BY_DISTANCE = Contender(
    MAHJONG_BY_DISTANCE, lambda deal: (_counts(deal),), _waits_by_distance, share=0.04
)
MAHJONG_VALUE = Contender(MAHJONG, _tiles_and_winning, _value, _is_valued)
MAHJONG_VALUE_OF_TEXT = Contender(
    MAHJONG, lambda deal: (_numbered(deal), _numbered(deal[-1:])), _value_of_text, _is_valued
)
MAHJONG_DISTANCE = Contender(
    MAHJONG, lambda deal: (_counts(deal),), Shanten.calculate_shanten, lambda distance: distance < 0
)
XIANGTING_WIN_CHECK = Contender(
    XIANGTING,
    lambda deal: (_counts(deal), PlayerCount.FOUR),
    calculate_replacement_number,
    lambda distance: distance == 0,
)
XIANGTING_WAITS = Contender(
    XIANGTING,
    lambda deal: (_counts(deal), PlayerCount.FOUR),
    calculate_necessary_tiles,
    lambda answer: answer[0] == 1,
)
MAHJONG_GB_WAITS = Contender(
    MAHJONG_GB,
    lambda deal: (tuple(map(_gb_tile, deal)),),
    RegularShanten,
    lambda answer: answer[0] == 0,
    share=0.2,
)
MAHJONG_GB_VALUE = Contender(MAHJONG_GB, _gb_hand, _fan, lambda fan: fan is not None)


# Ours

OUR_READINGS = Contender(OURS, _hand, FOUR_SETS.read)
OUR_WAITS = Contender(OURS, _hand, FOUR_SETS.completing)


def our_reasoned_waits(game: Ruleset) -> Contender:
    """Every tile that completes a shape, with the rules it would break."""
    return Contender(OURS, _hand, game.all_waits)


def our_win_check(game: Ruleset) -> Contender:
    """Whether a hand wins by the game's rules."""

    def wins(hand: Hand) -> bool:
        return game.judge(hand).wins

    return Contender(OURS, _hand, wins)


def our_distance(game: Ruleset) -> Contender:
    """How far a hand is from a win under the game's rules: the best of every shape and rule."""
    return Contender(OURS, _hand, game.missing, lambda missing: missing == 0)


def our_discards(game: Ruleset) -> Contender:
    """Every discard that keeps a hand as near as it is, with the draws that bring it nearer."""
    return Contender(OURS, _hand, game.draws, lambda draws: not draws, share=0.05)


def our_fixes(game: Ruleset) -> Contender:
    """Every exchange of one tile that makes a hand win."""
    return Contender(OURS, _hand, game.fixes, share=0.25)


def our_verdict(game: Ruleset, *, from_text: bool = False, findings: bool = False) -> Contender:
    """A verdict with its patterns and total, from a hand or from text, with all findings built or not."""
    circumstances = Circumstances(by=next(way.key for way in game.ways if way.self_drawn))

    def judge(hand: Hand) -> Verdict:
        verdict = game.judge(hand, circumstances)
        _ = verdict.wins, verdict.patterns, verdict.total
        return verdict

    def judge_and_explain(hand: Hand) -> Verdict:
        verdict = judge(hand)
        _ = verdict.findings
        return verdict

    def judge_text(text: str) -> Verdict:
        return judge(game.parse(text))

    def judge_and_explain_text(text: str) -> Verdict:
        return judge_and_explain(game.parse(text))

    if from_text:
        return Contender(
            OURS,
            lambda deal: (notation.write(as_hand(deal)),),
            judge_and_explain_text if findings else judge_text,
            lambda verdict: verdict.wins,
        )
    return Contender(OURS, _hand, judge_and_explain if findings else judge, lambda verdict: verdict.wins)
