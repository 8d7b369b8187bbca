"""What Changsha is played with: the three suits alone, 108 tiles."""

from __future__ import annotations

from types import MappingProxyType

from ...tiles import SUITED, TileSet

TILE_SET = TileSet(kinds=SUITED, suits=MappingProxyType({"m": "万", "p": "筒", "s": "条"}))
