"""A question about a hand, in strings, and its answer as data: what the command and the API share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import rules
from rules import circumstances, notation
from rules.errors import HandError
from rules.ruleset import Finding, Judged, Verdict, Wait
from rules.text import Text

GIVEN = ("by", "seat", "from", "listening", "bao", "moments", "birds")


def judge(ruleset: str, hand: str, given: Mapping[str, str], options: Sequence[str] = ()) -> Verdict:
    """The verdict on a hand written in text.

    given: any of GIVEN, as strings. options: house rules, each `key=value`. Raises HandError with the
    first thing that is wrong: ruleset, options, text, circumstances.
    """
    game = rules.ruleset(ruleset)
    for option in options:
        raise HandError(
            "bad-option",
            Text(
                f"{game.name.en} has no house rule “{option.partition('=')[0]}”.",
                f"{game.name.zh}没有“{option.partition('=')[0]}”这条桌上规矩。",
            ),
        )
    parsed = game.parse(hand)
    return game.judge(parsed, circumstances.read(game, parsed, given))


def as_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON data. payments, distance and fixes are not worked out yet: null, null and []."""
    measure = verdict.ruleset.measure.key
    answer: dict[str, Any] = {
        "ruleset": verdict.ruleset.key,
        "hand": notation.write(verdict.hand),
        "state": verdict.state,
        "wins": verdict.wins,
        "findings": [_finding(f) for f in verdict.findings],
        "readings": [_reading(j, chosen=j is verdict.chosen) for j in verdict.readings],
        "patterns": verdict.patterns,
        "fan": verdict.total if measure == "fan" else None,
        "big_wins": verdict.total if measure == "big_wins" else None,
        "payments": None,
        "waits": [{"tile": w.tile.code, "left": w.left} for w in verdict.waits],
        "blocked_waits": [_blocked(w) for w in verdict.blocked_waits],
        "distance": None,
        "fixes": [],
    }
    if verdict.stands_for:
        answer["stands_for"] = verdict.stands_for.code
    return answer


def error_as_json(error: HandError) -> dict[str, Any]:
    """An error as JSON data."""
    return {
        "error": {
            "code": error.code,
            "at": error.at,
            "tiles": [t.code for t in error.tiles],
            "message": error.message.as_dict(),
        }
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule.key,
        "status": finding.status,
        "tiles": [t.code for t in finding.tiles],
        "cites": list(finding.cites),
        "message": finding.message.as_dict(),
    }


def _reading(judged: Judged, *, chosen: bool) -> dict[str, Any]:
    reading = judged.reading
    return {
        "sets": [notation.write_set(s) for s in reading.sets],
        "pair": notation.write_tiles((reading.pair, reading.pair)) if reading.pair else None,
        "wins": judged.wins,
        "chosen": chosen,
        "patterns": judged.patterns,
    }


def _blocked(wait: Wait) -> dict[str, Any]:
    return {"tile": wait.tile.code, "left": wait.left, "fails": list(wait.fails)}
