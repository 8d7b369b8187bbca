"""The rules of regional Chinese mahjong games, as values that judge hands and explain themselves.

    >>> import rules
    >>> game = rules.ruleset("changsha")
    >>> game.judge(game.parse("12355m 45678p 789s +9p")).summary.en
    'A win: a small win.'

Pure Python: no web framework, no database, no clock. Each game is one module in `rules.regions`.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from . import regions
from .errors import HandError
from .ruleset import Ruleset
from .text import Text

# Goes up when a verdict may change, so that a page, a file or a stored answer can say what judged it.
VERSION = "1"

__all__ = ["VERSION", "HandError", "Ruleset", "Text", "ruleset", "rulesets"]


@cache
def rulesets() -> dict[str, Ruleset]:
    """Every game by its key, in alphabetical order: one for each module in `rules.regions`."""
    names = sorted(m.name for m in pkgutil.iter_modules(regions.__path__))
    found = [import_module(f"{regions.__name__}.{name}").RULESET for name in names]
    return {r.key: r for r in found}


def ruleset(key: str) -> Ruleset:
    """The game of a key. Raises HandError `unknown-ruleset`."""
    known = rulesets()
    if key not in known:
        names = list(known)
        raise HandError(
            "unknown-ruleset",
            Text(
                f"There is no ruleset “{key}”; known: {', '.join(names)}.",
                f"没有“{key}”这套规则，可用：{'、'.join(names)}。",
            ),
        )
    return known[key]
