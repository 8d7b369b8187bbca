"""Whether two questions are the same but for the names of the suits."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import blake2s
from itertools import permutations
from typing import Any

from rules import HandError, Ruleset, notation
from rules.tiles import SUITS

_TILES = re.compile(r"(?=.*[0-9][mps])[0-9mpsESWNCFP(){}\[\]+ ]+")
_QUOTED = re.compile(r"`([^`]*)`")
_RENAMINGS = tuple(str.maketrans("".join(SUITS), "".join(suits)) for suits in permutations(SUITS))


def form_of(game: Ruleset, kind: str, node: Mapping[str, Any]) -> str:
    """A short text that is the same for a question and for the same with suits renamed, and for no other.
    In which order there is something to choose from makes no other question."""
    node = {name: item for name, item in node.items() if name != "options"}
    written = min(json.dumps([kind, _renamed(node, game, names)], sort_keys=True) for names in _RENAMINGS)
    return blake2s(written.encode(), digest_size=12).hexdigest()


def _renamed(value: Any, game: Ruleset, names: Mapping[int, int]) -> Any:
    if isinstance(value, Mapping):
        return {key: _renamed(item, game, names) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(item, game, names) for item in value]
    if not isinstance(value, str):
        return value
    if "`" in value:  # a text that names tiles
        return _QUOTED.sub(lambda found: f"`{_renamed(found[1], game, names)}`", value)
    if not _TILES.fullmatch(value):
        return value
    renamed = value.translate(names)
    try:
        return notation.write(notation.parse_unfinished(renamed, game.tiles))
    except HandError:  # more tiles than a hand holds
        return " ".join(sorted(renamed.split()))
