"""Search over lessons, rules, the glossary and the site's pages, in both languages and pinyin.

Everything is found in memory. A query that names a source line or writes down tiles is answered first of all
with the line's place or the checker.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

import rules
from rules import HandError, Ruleset, Text, notation
from rules.hands import Hand
from rules.tiles import TileSet
from tutor.checker.entry import every_tile
from tutor.checker.templatetags.tiles import marked
from tutor.content.shelf import shelf
from tutor.front.index import (
    EXACT,
    GLOSSARY,
    KINDS,
    LESSONS,
    PAGES,
    RULES,
    TOLD,
    Answer,
    Entry,
    Found,
    Query,
    folded,
    index_of,
    is_han,
    singular,
    words_of,
)
from tutor.requests import Request, readable
from tutor.rulebook import addresses

LONGEST = 100
SHOWN = 10
AROUND = {"en": 180, "zh": 90}  # how much of a text is shown
EXAMPLES = ("seven pairs", "qidui", "听牌", "CC-12", "123m 456p 77s")
KIND_NAMES = {
    RULES: Text("Rules", "规则"),
    GLOSSARY: Text("Glossary", "词汇表"),
    LESSONS: Text("Lessons", "课程"),
    PAGES: Text("Pages", "页面"),
}

_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")


class Result(NamedTuple):
    """Something found, as the page shows it. also: its name in the other language, or its characters."""

    address: str
    place: SafeString
    name: SafeString
    also: SafeString
    pinyin: SafeString
    line: SafeString


class Group(NamedTuple):
    """What is found of one kind, or the first of it. all_address: where all of it is, "" if this is all."""

    kind: str
    name: Text
    results: list[Result]
    total: int
    all_address: str


class Tiles(NamedTuple):
    """A query that is tiles: how they are drawn, and for each game its checker, or why it can't take them."""

    hand: Hand
    tile_set: TileSet
    offers: list[tuple[Ruleset, str, Text | None]]


@require_safe
@readable
def search(request: Request) -> HttpResponse:
    """What is found of some words."""
    raw = request.GET.get("q", "")
    text = _UNSEEN.sub(" ", unicodedata.normalize("NFC", raw[: LONGEST + 1]))
    text = " ".join(text.split())
    context: dict[str, Any] = {"query": text[:LONGEST], "examples": _links(EXAMPLES), "longest": LONGEST}
    if len(raw) > LONGEST:
        context["trouble"] = Text(
            f"That is {len(raw)} characters. A search has at most {LONGEST}: a word or two is best.",
            f"一共{len(raw)}个字符，最多{LONGEST}个。写一两个词就好。",
        )
    elif "\ufffd" in text:
        context["trouble"] = Text(
            "Some of these characters can't be read. Please type the words again.",
            "有些字符读不出来，请重新输入。",
        )
    elif text:
        context |= _found(text, request.GET.get("kind", ""))
    return render(request, "front/search.html", context)


def _found(text: str, kind: str) -> dict[str, Any]:
    index = index_of(shelf())
    query = Query.of(text)
    line = _line(query.whole)
    tiles = _tiles(text)
    answer = index.citing(line[1]) if line else index.search(query)
    groups = _groups(text, query, answer, kind)
    is_found = bool(answer.found or line or tiles)
    return {
        "line": line and (*line, addresses.of_line(*line)),
        "tiles": tiles,
        "groups": groups,
        "only": KIND_NAMES.get(kind),
        "everything": _address(text),
        "count": len(answer.found) + bool(line) + bool(tiles),
        "is_found": is_found,
        "suggestions": [] if is_found else _links(index.suggestions(query)),
    }


def _address(text: str, kind: str = "") -> str:
    return f"{reverse('search')}?{urlencode({'q': text, **({'kind': kind} if kind else {})})}"


def _links(texts: Any) -> list[tuple[str, str]]:
    return [(text, _address(text)) for text in texts]


def _line(whole: str) -> tuple[Ruleset, str] | None:
    """The source line that is named, with its game."""
    for game in rules.rulesets().values():
        for line in game.lines:
            if Query.of(line).whole == whole:
                return game, line
    return None


def _tiles(text: str) -> Tiles | None:
    """The tiles that are written down, where any game can read them."""
    hands: list[tuple[Ruleset, Hand]] = []
    offers: list[tuple[Ruleset, str, Text | None]] = []
    for game in rules.rulesets().values():
        address = addresses.of_hand(game, text)
        try:
            hands.append((game, notation.parse_unfinished(text, game.tiles)))
            offers.append((game, address, None))
        except HandError as error:
            offers.append((game, address, error.message))
    if not hands or not hands[0][1].tiles:
        return None
    game, hand = hands[0]
    return Tiles(hand, every_tile(game.tiles), offers)


# What is shown


def _groups(text: str, query: Query, answer: Answer, kind: str) -> list[Group]:
    """What is found by kind: what is called so first, then rules and terms before lessons and pages."""
    by_kind: dict[str, list[Found]] = {}
    for found in answer.found:
        by_kind.setdefault(found.entry.kind, []).append(found)

    def order(key: str) -> tuple[bool, bool, int, int]:
        best = by_kind[key][0].rank
        is_content = key in (RULES, GLOSSARY)
        return best != EXACT, not is_content, best if is_content else 0, KINDS.index(key)

    pattern = _pattern(query, answer.also)
    groups = []
    for key in sorted(by_kind, key=order):
        if kind in KINDS and key != kind:
            continue
        everything = by_kind[key]
        shown = everything if kind == key else everything[:SHOWN]
        more = _address(text, key) if len(shown) < len(everything) else ""
        results = [_result(found, pattern) for found in shown]
        groups.append(Group(key, KIND_NAMES[key], results, len(everything), more))
    return groups


def _result(found: Found, pattern: re.Pattern[str] | None) -> Result:
    entry = found.entry
    language, other = ("zh", "en") if (get_language() or "en").startswith("zh") else ("en", "zh")
    name, also = entry.name.in_language(language), entry.name.in_language(other)
    if entry.kind == GLOSSARY and entry.names:
        also = entry.names[0]
    is_same = folded(also) == folded(name)
    return Result(
        entry.address,
        _place(entry),
        _marked(name, pattern),
        mark_safe("") if is_same or entry.kind == LESSONS else _foreign(also, pattern, other),
        _marked(entry.pinyin, pattern),
        _told(found, pattern, language, other),
    )


def _place(entry: Entry) -> SafeString:
    """The games of an entry, and the chapter of a step."""
    language = get_language() or "en"
    between = "、" if language.startswith("zh") else ", "
    parts = [between.join(game.name.in_language(language) for game in entry.games)]
    if entry.within:
        parts.append(entry.within.in_language(language))
    return marked(" › ".join(filter(None, parts)))


def _told(found: Found, pattern: re.Pattern[str] | None, language: str, other: str) -> SafeString:
    """A line of an entry's text; in the other language where only that holds what was asked for."""
    text = found.entry.text.in_language(language)
    abroad = found.entry.text.in_language(other)
    if found.rank == TOLD and pattern and not pattern.search(folded(text)) and pattern.search(folded(abroad)):
        return _foreign(_piece(abroad, pattern, AROUND[other]), pattern, other)
    return _marked(_piece(text, pattern, AROUND[language]), pattern)


def _piece(text: str, pattern: re.Pattern[str] | None, length: int) -> str:
    """So much of a text as a line has room for, around the first word that was asked for."""
    text = " ".join(text.split())
    match = pattern.search(folded(text)) if pattern else None
    start = 0
    if match and match.end() > length - 10:
        start = match.start() - length // 3
        gap = re.search(r"[\s，。；：、]", text[start : match.start()])
        start += gap.end() if gap else 0
    piece = text[start : start + length]
    end = start + len(piece)
    if end < len(text):
        last = max(piece.rfind(" "), len(piece) - 24)
        cut = piece[: last if re.match(r"[A-Za-z0-9]", text[end]) and " " in piece else None].rstrip(
            " ,;，；、"
        )
        piece = f"{cut}…"
    return f"…{piece}" if start else piece


def _pattern(query: Query, also: tuple[str, ...]) -> re.Pattern[str] | None:
    """What is marked in folded text: each word, and the whole where it stands with gaps."""
    sought = [re.escape(word) for word in (*query.words, *map(folded, also)) if is_han(word)]
    sought += [_spelt(" ".join(words_of(folded(name))), "['’]?") for name in also if not is_han(name)]
    latin = [word for word in query.words if not is_han(word)]
    if len(latin) == len(query.words) and len(query.whole) > 2:
        sought.append(_spelt(query.whole, "[ '’-]?"))
    sought += [_spelt(word, "['’]?") for word in latin]
    sought += [rf"(?<![^\W_]){re.escape(singular(word))}(?![a-z0-9])" for word in latin]
    return re.compile("|".join(sorted(sought, key=len, reverse=True))) if sought else None


def _spelt(word: str, gap: str) -> str:
    return r"(?<![^\W_])" + gap.join(map(re.escape, word)) + r"[a-z0-9]*"


def _marked(text: str, pattern: re.Pattern[str] | None, *, is_foreign: bool = False) -> SafeString:
    """A text with the words that were asked for marked, and Chinese on an English page marked as such."""
    plain = conditional_escape if is_foreign else marked
    parts, at = [], 0
    for match in pattern.finditer(folded(text)) if pattern else ():
        parts.append(plain(text[at : match.start()]))
        parts.append(format_html('<mark class="found">{}</mark>', plain(text[match.start() : match.end()])))
        at = match.end()
    parts.append(plain(text[at:]))
    return mark_safe("".join(parts))  # noqa: S308 - each part is escaped above


def _foreign(text: str, pattern: re.Pattern[str] | None, language: str) -> SafeString:
    """A text in the language that the page is not in."""
    code = "zh-Hans" if language == "zh" else "en"
    return format_html('<span lang="{}">{}</span>', code, _marked(text, pattern, is_foreign=True))
