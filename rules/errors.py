"""The one exception of the engine: the input is not a hand that can be judged.

A hand that does not win is an answer, never an error. What is raised here says in both languages what
is wrong and where, and nothing has been repaired or dropped on the way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .text import Text
    from .tiles import Tile


class HandError(ValueError):
    """Input that is no hand, or circumstances that can't be.

    code: `unknown-ruleset`, `bad-option`, `too-long`, `bad-character`, `bad-meld`, `tile-not-in-set`,
    `too-many-copies`, `tile-count` or `bad-context`. at: 0-based place in the text as given, in code
    points, or None. tiles: the tiles at fault. missing: for `tile-count`, how many tiles the hand lacks
    (negative: has too many), else None.
    """

    def __init__(
        self,
        code: str,
        message: Text,
        *,
        at: int | None = None,
        tiles: Iterable[Tile] = (),
        missing: int | None = None,
    ) -> None:
        super().__init__(message.en)
        self.code = code
        self.message = message
        self.at = at
        self.tiles = tuple(tiles)
        self.missing = missing
