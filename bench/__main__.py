"""`python -m bench`: everything from one run, each number beside its goal."""

from __future__ import annotations

import argparse
import json
import sys
from importlib.util import find_spec

import rules
from rules import notation

from .hands import KINDS, as_hand, deal_apart

PEERS = {"mahjong": "mahjong", "xiangting": "xiangting", "MahjongGB": "PyMahjongGB"}


def main() -> int:
    """Measure and print; 2 where a library to compare with is missing."""
    options = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    options.add_argument("--quick", action="store_true", help="fewer hands: a first look, not a result")
    options.add_argument("--json", action="store_true", help="print JSON")
    options.add_argument("--seed", default="1", help="another seed deals other hands (default: 1)")
    given = options.parse_args()

    missing = [name for module, name in PEERS.items() if not find_spec(module)]
    if missing:
        print(f"Missing: {', '.join(missing)}. `make bench` installs what is compared with.", file=sys.stderr)
        return 2
    # Only now, as these import the libraries.
    from . import classes, fresh, load, puzzles, report, timing, visits

    warm, size, rounds, starts, judged, made = (
        (1000, 100, 5, 5, 8_000, 40) if given.quick else (12_000, 400, 15, 21, 50_000, 400)
    )
    games = list(rules.rulesets().values())
    keys = [game.key for game in games]

    some = deal_apart(
        keys, f"{given.seed} for memory", dict.fromkeys(KINDS, judged // len(keys) // len(KINDS))
    )
    texts = [
        f"{key} {notation.write(as_hand(deal))}"
        for hands in zip(*(some[key][kind] for key in keys for kind in KINDS), strict=True)
        for key, deal in zip([key for key in keys for _ in KINDS], hands, strict=True)
    ]
    costs = fresh.costs(texts, starts)
    makings = puzzles.makings(made)
    of_class = classes.measured()
    of_load = load.measured()
    of_visits = visits.measured(visits.TIMES_QUICK if given.quick else visits.TIMES)

    rows = [row for game in games for row in timing.rows_of(game)]
    deals = deal_apart(keys, given.seed, timing.hands_wanted(rows, warm, size, rounds))
    timing.measure(rows, deals, warm, size, rounds)

    results = report.Results(rows, costs, makings, size, rounds, warm)
    if given.json:
        told = {
            **report.as_json(results),
            "classes": classes.as_json(of_class),
            "load": load.as_json(of_load),
            "visits": visits.as_json(of_visits),
        }
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        parts = [
            report.as_text(results),
            classes.as_text(of_class),
            load.as_text(of_load),
            visits.as_text(of_visits),
        ]
        print(*parts, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
