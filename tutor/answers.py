"""Questions in strings and their answers as data: what the commands, the API and the pages share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import rules
from rules import Ruleset, circumstances, deal, notation, settlement
from rules.deal import Deal
from rules.errors import HandError
from rules.settlement import Settlement
from rules.text import Text
from rules.verdict import Finding, Fix, Judged, Verdict, Wait

# A scenario with every win, gang and opening written out is far shorter.
LONGEST_SCENARIO = 20_000
GIVEN = ("by", "seat", "from", "listening", "bao", "moments", "birds")


def game_of(ruleset: str, options: Sequence[str] = ()) -> Ruleset:
    """The game of a key as a table plays it. options: house rules, each `key=value`. Raises HandError."""
    return rules.ruleset(ruleset).with_options(chosen_from(options))


def chosen_from(options: Sequence[str]) -> dict[str, str]:
    """House rules by key, from texts `key=value`. Raises HandError `bad-option`."""
    chosen: dict[str, str] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise HandError(
                "bad-option",
                Text(
                    f"A table rule is written key=value, not “{option}”.",
                    f"桌上规矩要写成“键=值”，不是“{option}”。",
                ),
            )
        if chosen.get(key, value) != value:
            raise HandError(
                "bad-option",
                Text(f"The table rule “{key}” is given twice.", f"桌上规矩“{key}”写了两次，值还不一样。"),
            )
        chosen[key] = value
    return chosen


def judge(ruleset: str, hand: str, given: Mapping[str, str], options: Sequence[str] = ()) -> Verdict:
    """The verdict on a hand written in text.

    given: any of GIVEN, as strings. options: house rules, each `key=value`. Raises HandError with the
    first thing that is wrong: ruleset, options, text, circumstances.
    """
    game = game_of(ruleset, options)
    parsed = game.parse(hand)
    return game.judge(parsed, circumstances.read(game, parsed, given))


def look(ruleset: str, tiles: str, options: Sequence[str] = ()) -> Deal:
    """What dealt tiles written in text hold. Raises HandError as `judge` does."""
    game = game_of(ruleset, options)
    return deal.look(game, deal.read(game, tiles))


def settle(
    scenario: Mapping[str, Any], ruleset: str | None = None, options: Sequence[str] = ()
) -> Settlement:
    """The settlement of a scenario, which names its ruleset unless that is given. Raises HandError.

    options: house rules, each `key=value`, beside the scenario's own.
    """
    key = scenario.get("ruleset", "") if ruleset is None else ruleset
    if not isinstance(key, str):
        raise bad_request("The ruleset is a text.", "“ruleset”要写成文字。")
    if scenario.get("ruleset", key) != key:
        raise bad_request(
            f"The scenario is of another ruleset than {key}.", f"这份结算写的不是{key}这套规则。"
        )
    own = scenario.get("options", {})
    if options and isinstance(own, Mapping):
        chosen = chosen_from(options)
        twice = next((k for k, value in chosen.items() if own.get(k, value) != value), None)
        if twice:
            raise HandError(
                "bad-option",
                Text(
                    f"The table rule “{twice}” is one thing in the scenario and another beside it.",
                    f"桌上规矩“{twice}”，结算里写的和另外给的不一样。",
                ),
            )
        scenario = {**scenario, "options": {**own, **chosen}}
    return settlement.settle(rules.ruleset(key), scenario)


def scenario_from(text: bytes) -> dict[str, Any]:
    """A scenario from JSON text. Raises HandError `bad-request`."""
    if len(text) > LONGEST_SCENARIO:
        raise too_long()
    try:
        scenario = json.loads(text.decode("utf-8-sig"), parse_constant=_no_constant, object_pairs_hook=_once)
        json.dumps(scenario, ensure_ascii=False).encode()  # halves of character pairs can't be said again
    except HandError:
        raise
    except json.JSONDecodeError as error:
        raise HandError(
            "bad-request",
            Text(
                f"The JSON can't be read: {error.msg.lower()}.",
                f"JSON 读不了，第{error.lineno}行第{error.colno}列有错。",
            ),
            at=error.pos,
        ) from None
    except (ValueError, RecursionError):
        raise bad_request("The JSON can't be read.", "JSON 读不了。") from None
    if not isinstance(scenario, dict):
        raise bad_request("A scenario is a JSON object: {…}.", "结算内容要写成 JSON 对象：{…}。")
    return scenario


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        key = next(k for n, (k, _) in enumerate(pairs) if k in dict(pairs[:n]))
        raise bad_request(f"“{key}” is given more than once.", f"“{key}”写了不止一次。")
    return found


def too_long() -> HandError:
    """The error for a scenario that is longer than any can be."""
    return bad_request(
        f"The scenario is too long: at most {LONGEST_SCENARIO} bytes.",
        f"结算内容太长，最多{LONGEST_SCENARIO}字节。",
    )


def bad_request(english: str, chinese: str) -> HandError:
    """The error for a request that can't be read."""
    return HandError("bad-request", Text(english, chinese))


def as_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON data."""
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
        "payments": list(verdict.payments) if verdict.payments else None,
        "waits": [{"tile": w.tile.code, "left": w.left} for w in verdict.waits],
        "blocked_waits": [_blocked(w) for w in verdict.blocked_waits],
        "distance": verdict.distance,
        "fixes": [_fix(f) for f in verdict.fixes],
    }
    if verdict.stands_for:
        answer["stands_for"] = verdict.stands_for.code
    if verdict.ruleset.house.chosen:
        answer["options"] = dict(verdict.ruleset.house.chosen)
        answer["changed_by"] = [option.key for option in verdict.changed_by]
    return answer


def deal_as_json(found: Deal) -> dict[str, Any]:
    """What a deal holds, as JSON data."""
    return {
        "openings": [opening.key for opening, _ in found.openings],
        "ready": found.is_ready,
        "details": [
            {
                "opening": opening.key,
                "tiles": [t.code for t in way.tiles],
                "cites": list(opening.cites),
                "message": way.message.as_dict(),
            }
            for opening, ways in found.openings
            for way in ways
        ],
        "waits": [t.code for t in found.waits],
    }


def settlement_as_json(settled: Settlement) -> dict[str, Any]:
    """A settlement as JSON data. explained: why each line is paid, in the order of the lines."""
    return {
        "payments": list(settled.payments),
        "lines": [
            {"from": line.payer, "to": line.receiver, "points": line.points, "for": line.purpose}
            for line in settled.lines
        ],
        "next_dealer": settled.next_dealer,
        "explained": [
            {"cites": list(line.cites), "message": line.message.as_dict()} for line in settled.lines
        ],
    }


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


def _fix(fix: Fix) -> dict[str, Any]:
    return {"out": fix.out.code, "in": fix.into.code, "message": fix.message.as_dict()}
