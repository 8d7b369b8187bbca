"""Ends of a hand that can't be: each is refused with what is wrong, and nothing is mended in silence."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from rules import HandError
from rules.settlement import settle

CS = "123m 55m 456p 78p 789s +9p"
OPENED = "1113455678m [9999m] +2m"


def refusal(key: str, scenario: Any) -> HandError:
    with pytest.raises(HandError) as refused:
        settle(rules.ruleset(key), scenario)
    assert refused.value.message.en.strip()
    assert refused.value.message.zh.strip()
    return refused.value


def self_drawn(hand: str, *moments: str, seat: int = 1) -> dict[str, Any]:
    return {"seat": seat, "by": "self-draw", "hand": hand, "moments": list(moments)}


CANNOT_BE = {
    "a discard from nobody": ("changsha", {"wins": [{"seat": 2, "hand": CS}]}, "bad-context"),
    "an empty from": ("changsha", {"wins": [{"seat": 2, "from": "", "hand": CS}]}, "bad-request"),
    "an empty seat": ("changsha", {"wins": [{"seat": "", "from": 0, "hand": CS}]}, "bad-request"),
    "an empty situation": (
        "changsha",
        {"wins": [{"seat": 1, "from": 0, "hand": CS, "moments": [""]}]},
        "bad-request",
    ),
    "two hands of one opener": (
        "changsha",
        {
            "wins": [
                self_drawn(OPENED, "gangshanghua"),
                self_drawn("123m 55m 45p (8888s) 111s +6p", "gangshanghua"),
            ]
        },
        "bad-context",
    ),
    "five copies over both tiles": (
        "changsha",
        {"wins": [self_drawn("2223344m (9999p) (888s) +2m", "gangshanghua")] * 2},
        "too-many-copies",
    ),
    "five copies over hands and gangs": (
        "changchun",
        {
            "wins": [{"seat": 1, "from": 0, "hand": "123m 45556p 78s SSS +9s"}],
            "gangs": [{"seat": 2, "tiles": "(5555p)"}],
        },
        "too-many-copies",
    ),
    "five gangs of one player": (
        "changchun",
        {"gangs": [{"seat": 1, "tiles": f"({n}{n}{n}{n}p)"} for n in range(1, 6)]},
        "bad-context",
    ),
    "a second special gang where one is allowed": (
        "changchun",
        {"options": {"special-gang-twice": "no"}, "gangs": [{"seat": 0, "tiles": "{CFP}"}] * 2},
        "bad-meld",
    ),
    "a special gang that was not dealt": (
        "changchun",
        {"gangs": [{"seat": 0, "tiles": "{CFP}", "dealt": False}]},
        "bad-context",
    ),
    "a concealed gang of a discard": (
        "changchun",
        {"gangs": [{"seat": 0, "tiles": "[5555m]", "from": 1}]},
        "bad-context",
    ),
    "no gang": ("changchun", {"gangs": [{"seat": 0, "tiles": "(123m)"}]}, "bad-meld"),
    "a situation worth more than the win": (
        "changsha",
        {"wins": [{"seat": 1, "by": "self-draw", "big_wins": 0, "moments": ["gangshanghua"]}]},
        "bad-context",
    ),
    "a last tile that another took": (
        "changsha",
        {"wins": [self_drawn(CS, "haidilaoyue")], "last_tile": {"offered": 2, "taker": 3}},
        "bad-context",
    ),
    "tianhu as an opening": ("changsha", {"openings": [{"seat": 0, "keys": ["tianhu"]}]}, "bad-context"),
    "a bird that is no text": ("changsha", {"birds": [["2m"]]}, "bad-request"),
    "a hand and a number": (
        "changchun",
        {"wins": [{"seat": 1, "from": 0, "hand": "123m 45556p 78s SSS +9s", "fan": 3}]},
        "bad-context",
    ),
    "one player twice": (
        "changchun",
        {"wins": [{"seat": 1, "by": "self-draw", "fan": 3}] * 2},
        "bad-context",
    ),
    "options that are a list": ("changsha", {"options": []}, "bad-request"),
}


@pytest.mark.parametrize(("key", "scenario", "code"), CANNOT_BE.values(), ids=list(CANNOT_BE))
def test_what_cannot_be_is_refused(key: str, scenario: Any, code: str) -> None:
    assert refusal(key, scenario).code == code


def test_the_bird_of_a_last_tile_may_be_none_where_nobody_drew_one() -> None:
    win = self_drawn(CS, "haidilaoyue")
    game = rules.ruleset("changsha")
    assert settle(game, {"wins": [win]}).payments == (-14, 26, -6, -6)  # 9p falls on the dealer
    assert settle(game, {"wins": [win], "birds": ["0"]}).payments == (-7, 19, -6, -6)
