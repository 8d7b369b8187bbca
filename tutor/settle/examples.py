"""Settlements to start from: the winning ones among a game's examples."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules import Ruleset, Text, circumstances
from tutor.settle.form import Form, WinFields, query

_MOST = 5


class Example(NamedTuple):
    """A hand's end worth looking at: a title and the query that settles it."""

    title: Text
    query: str


@lru_cache(maxsize=16)
def examples(game: Ruleset) -> tuple[Example, ...]:
    """The first few examples of a game that win, as settlements."""
    found = []
    for example in game.examples:
        given = dict(example.given)
        hand = game.parse(example.hand)
        verdict = game.judge(hand, circumstances.read(game, hand, given))
        if verdict.prize is None:
            continue
        discarder = verdict.prize.discarder
        form = Form(
            game=game,
            by=verdict.circumstances.by,
            discarder="" if discarder is None else str(discarder),
            moments=given.get("moments", ""),
            listening=given.get("listening", ""),
            bao=given.get("bao", ""),
            wins=(WinFields(seat=str(verdict.prize.seat), hand=example.hand),),
        )
        found.append(Example(example.title, query(form, ())))
    return tuple(found[:_MOST])
