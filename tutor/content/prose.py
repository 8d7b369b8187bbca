"""The little markup of lesson texts, taken apart: paragraphs and lists of spans, to be drawn or checked.

`**strong**`, `[[term]]` or `[[term|other words]]`, `[words](rule/win/triplet)`, and tiles between backticks.
"""

from __future__ import annotations

import re
from typing import NamedTuple

PLAIN, STRONG, TERM, LINK, TILES = "plain", "strong", "term", "link", "tiles"

_MARKED = re.compile(
    r"\*\*(?P<strong>.+?)\*\*"
    r"|\[\[(?P<term>[a-z0-9-]+)(?:\|(?P<called>[^\]]+))?\]\]"
    r"|\[(?P<words>[^\]]+)\]\((?P<target>(?:[^()]|\([^()]*\))+)\)"
    r"|`(?P<tiles>[^`]+)`",
    re.DOTALL,
)


class Span(NamedTuple):
    """A stretch of text. target: the term's slug, where a link leads, or the tiles; "" for plain text.

    text: the words shown; "" for a term under its own name. inner: what stands inside strong words.
    """

    kind: str
    text: str
    target: str = ""
    inner: tuple[Span, ...] = ()


class Block(NamedTuple):
    """A paragraph, which has one line, or a list with a line for each item."""

    is_list: bool
    lines: tuple[tuple[Span, ...], ...]


def blocks(text: str) -> tuple[Block, ...]:
    """A text as paragraphs and lists."""
    found = []
    for piece in re.split(r"\n\s*\n", text.strip()):
        rows = [row.strip() for row in piece.splitlines()]
        if not rows:
            continue
        if rows[0].startswith("- "):
            found.append(Block(True, tuple(spans(_joined(item)) for item in _items(rows))))
        else:
            found.append(Block(False, (spans(_joined(rows)),)))
    return tuple(found)


def spans(text: str) -> tuple[Span, ...]:
    """A line of text as spans."""
    found, at = [], 0
    for match in _MARKED.finditer(text):
        if match.start() > at:
            found.append(Span(PLAIN, text[at : match.start()]))
        at = match.end()
        if match["strong"]:
            found.append(Span(STRONG, match["strong"], inner=spans(match["strong"])))
        elif match["term"]:
            found.append(Span(TERM, match["called"] or "", match["term"]))
        elif match["target"]:
            found.append(Span(LINK, match["words"], match["target"].strip()))
        else:
            found.append(Span(TILES, "", match["tiles"]))
    if at < len(text):
        found.append(Span(PLAIN, text[at:]))
    return tuple(found)


def marks(text: str) -> list[Span]:
    """Every term, link and row of tiles in a text."""
    found = []
    for block in blocks(text):
        for line in block.lines:
            for span in line:
                found += [inner for inner in (span, *span.inner) if inner.kind in (TERM, LINK, TILES)]
    return found


def leftovers(text: str) -> str | None:
    """Markup that is opened and never closed, or None: what an author did not mean to be shown."""
    rest = _MARKED.sub("", text)
    return next((sign for sign in ("**", "[[", "]]", "`", "](") if sign in rest), None)


def _items(rows: list[str]) -> list[list[str]]:
    """The rows of each item of a list; one without a dash goes on with the item before it."""
    items: list[list[str]] = []
    for row in rows:
        if row.startswith("- "):
            items.append([row[2:]])
        else:
            items[-1].append(row)
    return items


_HAN = re.compile(r"[\u2014\u2018-\u201d\u2026\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


def _joined(rows: list[str]) -> str:
    """The rows of a paragraph as one line; between Han characters a break is no space."""
    joined = ""
    for row in rows:
        if joined and not (_HAN.match(joined[-1]) and _HAN.match(row[:1])):
            joined += " "
        joined += row
    return joined
