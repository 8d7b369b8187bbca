"""Hands as text: the one door by which tiles enter, and how they are written on the way out.

Canonical writing: suits `m` 万, `p` 饼/筒, `s` 条 after their digits, honors `E S W N C F P`, one group a suit
and one for the honors; then the melds, `(…)` exposed, `[…]` concealed gang, `{…}` special gang; then `+`
and the winning tile: `23m 88p 777s EEE (555p) +4m`. Chinese names, Unicode tiles, full-width forms and
`1z`–`7z` are read too, never written. Nothing is repaired: what can't be read is an error with its place.

There are two ways through a text, with one grammar between them. The quick way takes large steps and
gives up where one does not fit; the careful way then goes tile by tile and says what is wrong and where.
Complaints come in a fixed order: length, characters, melds, tiles of the game, copies, tile count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from . import columns
from .errors import HandError
from .hands import GANG, SEQUENCE, SPECIAL_GANG, TRIPLET, Hand, Meld, Set
from .text import Text, listed, plural
from .tiles import FLOWERS, TILES, Tile, TileSet, tile

MAX_LENGTH = 200

# Single characters that mean the same: folded first, one for one, so that places stay countable.
_SKIPPED = [
    *(c for c in map(chr, range(0x3001)) if c.isspace()),
    *map(chr, (0x00AD, 0x034F, 0xFEFF, *range(0x180B, 0x1810), *range(0x200B, 0x2010))),
    *map(chr, (*range(0x202A, 0x202F), *range(0x2060, 0x2065), *range(0x2066, 0x206A))),
    *map(chr, range(0xFE00, 0xFE10)),
    *map(chr, range(0xE0100, 0xE01F0)),
]
_FOLDED = {
    **{chr(ord(c) + 0xFEE0): c for c in "123456789mpszESWNCFP()[]{}+0"},
    **dict(zip("萬條饼餅筒東風紅發財两兩么雞鷄", "万条饼饼饼东风红发财22幺鸡鸡", strict=True)),
    "索": "条",
    **dict(zip("一二三四五六七八九伍", "1234567895", strict=True)),
}
_SKIPPED_SET = frozenset(_SKIPPED)
_FOLD = str.maketrans({**_FOLDED, **dict.fromkeys(_SKIPPED, None)})

_SUIT_OF = {"m": "m", "p": "p", "s": "s", "万": "m", "饼": "p", "条": "s"}
_NUMBERED_HONORS = dict(zip("1234567", "ESWNPFC", strict=True))
_NAMES = {
    **{c: c for c in "ESWNCFP"},
    **{"东": "E", "南": "S", "西": "W", "北": "N", "东风": "E", "南风": "S", "西风": "W", "北风": "N"},
    **{"中": "C", "红中": "C", "发": "F", "发财": "F", "白": "P", "白板": "P", "幺鸡": "1s"},
    **dict(zip(map(chr, range(0x1F000, 0x1F007)), "ESWNCFP", strict=True)),
    **{chr(0x1F007 + n): f"{n + 1}m" for n in range(9)},
    **{chr(0x1F010 + n): f"{n + 1}s" for n in range(9)},
    **{chr(0x1F019 + n): f"{n + 1}p" for n in range(9)},
    **{f.code: f.code for f in FLOWERS},
}
_NAME_PATTERN = "|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True))
_RUN_PATTERN = r"[1-9幺]+[mpsz万饼条]"
_STEP = re.compile(rf"({_RUN_PATTERN}|[ESWNCFP]+|{_NAME_PATTERN})|([(\[{{][^()\[\]{{}}+]*[)\]}}])|(\+)")
_PIECE = re.compile(rf"(?P<run>{_RUN_PATTERN})|(?P<name>{_NAME_PATTERN})")
_COLUMN_OF = {"m": 0, "p": 1, "s": 2, "万": 0, "饼": 1, "条": 2}
_UNIT_OF = {str(rank): columns.unit(rank) for rank in range(1, 10)} | {"幺": columns.unit(1)}
_TILE_OF = {(t.column, t.unit): t for t in TILES + FLOWERS}
_CLOSING = {"(": ")", "[": "]", "{": "}"}

_TOO_MANY = 0x333333333 << columns.RANKS  # added to a column, it lifts a rank with five or more copies …
_TOP_BITS = 0x888888888 << columns.RANKS  # … into its top bit


class _Irregular(Exception):
    """The quick way does not fit this text."""


def parse(text: str, tile_set: TileSet) -> Hand:
    """The hand written in a text: full, or one tile short.

    Raises HandError `too-long`, `bad-character`, `bad-meld`, `tile-not-in-set`, `too-many-copies` or
    `tile-count`, whose `at` counts code points of the text as given.
    """
    hand, size = _read(text, tile_set)
    if len(hand.melds) > 4 or (size != 14 and (size != 13 or hand.winning)):
        raise _wrong_size(hand, size)
    return hand


def parse_unfinished(text: str, tile_set: TileSet) -> Hand:
    """The tiles written in a text, however many; raises what `parse` raises, but for `tile-count`."""
    return _read(text, tile_set)[0]


def parse_tile(text: str) -> Tile | None:
    """The one tile that a text names in any spelling, or None."""
    folded = text.translate(_FOLD) if len(text) <= MAX_LENGTH else ""
    if not _PIECE.fullmatch(folded):
        return None
    try:
        found = _run(folded)
    except _Irregular:
        return None
    return found[0] if len(found) == 1 else None


def place_of(text: str, marks: str) -> int:
    """Where the first of these marks stands in a text, in any spelling; -1 where none does."""
    return next((n for n, c in enumerate(text) if c.translate(_FOLD) and c.translate(_FOLD) in marks), -1)


def write(hand: Hand) -> str:
    """A hand in canonical notation."""
    groups = [write_tiles(hand.concealed)] if hand.concealed else []
    groups += map(write_set, hand.melds)
    if hand.winning:
        groups.append(f"+{hand.winning.code}")
    return " ".join(groups)


def write_tiles(tiles: Iterable[Tile]) -> str:
    """Tiles in canonical notation, neighbours of one suit as one group: `123m 55p EE`."""
    groups = [(suit, list(group)) for suit, group in groupby(tiles, key=lambda t: t.suit)]
    return " ".join(
        "".join(str(t.rank) if suit else t.code for t in group) + (suit or "") for suit, group in groups
    )


def write_set(group: Set | Meld) -> str:
    """A set, or a meld with its brackets: `123m`, `(555p)`, `[8888p]`, `{1m1p1s}`."""
    if not isinstance(group, Meld):
        return write_tiles(group.tiles)
    if group.kind == SPECIAL_GANG:
        return "{" + "".join(t.code for t in group.tiles) + "}"
    inside = write_tiles(group.tiles)
    return f"[{inside}]" if group.concealed else f"({inside})"


def _read(text: str, tile_set: TileSet) -> tuple[Hand, int]:
    """The hand and its size, a meld counting three."""
    if len(text) > MAX_LENGTH:
        raise HandError(
            "too-long",
            Text(
                f"The text has {len(text)} characters; a hand needs at most {MAX_LENGTH}.",
                f"输入有{len(text)}个字符，一手牌最多{MAX_LENGTH}个。",
            ),
        )
    try:
        # The texts that come most often, ASCII with spaces, need no folding.
        return _quick(text.replace(" ", "") if text.isascii() else text.translate(_FOLD), tile_set)
    except _Irregular:
        return _careful(text, text.translate(_FOLD), tile_set)


@lru_cache(maxsize=1 << 12)
def _run(piece: str) -> tuple[Tile, ...]:
    """The tiles of one piece of folded text: a run such as `123m`, honors, or one tile's name."""
    suit = piece[-1]
    if suit == "z":
        if set(piece) & {"8", "9"}:
            raise _Irregular
        return tuple(tile(_NUMBERED_HONORS[n]) for n in piece[:-1].replace("幺", "1"))
    if suit in _SUIT_OF and len(piece) > 1:
        return tuple(tile(n + _SUIT_OF[suit]) for n in piece[:-1].replace("幺", "1"))
    if piece in _NAMES:
        return (tile(_NAMES[piece]),)
    return tuple(map(tile, piece))


@lru_cache(maxsize=1 << 12)
def _column(piece: str) -> tuple[int, int, int]:
    """The same as the column they are of, what they add to it, and how many they are.

    A fifth copy within one piece is irregular at once: a column counts to fifteen of a rank and no further.
    """
    held = len(piece) - 1
    if held > 4 and max(map(piece.count, piece)) > 4:
        raise _Irregular
    column = _COLUMN_OF.get(piece[-1])
    if column is not None and held:
        return column, sum([_UNIT_OF[rank] for rank in piece[:-1]]), held
    found = _run(piece)
    return found[0].column, sum([t.unit for t in found]), len(found)


def _pieces(folded: str) -> list[str]:
    pieces, end = [], 0
    for match in _PIECE.finditer(folded):
        if match.start() != end:
            break
        end = match.end()
        pieces.append(match[0])
    if end != len(folded):
        raise _Irregular
    return pieces


@lru_cache(maxsize=1 << 13)
def _meld(folded: str, tile_set: TileSet) -> Meld:
    """The meld of a bracket with its content."""
    found = [t for piece in _pieces(folded[1:-1]) for t in _run(piece)]
    meld = None if folded[-1] != _CLOSING[folded[0]] else meld_of(folded[0], found, tile_set)
    if meld is None or max(map(found.count, found)) > 4:
        raise _Irregular
    return meld


def meld_of(bracket: str, tiles: Iterable[Tile], tile_set: TileSet) -> Meld | None:
    """The meld that these tiles make within `(`, `[` or `{`, or None where they make none."""
    tiles = sorted(tiles)
    if bracket == "{":
        held = set(tiles)
        special = next((key for key, gang in tile_set.special_gangs.items() if held == set(gang.tiles)), None)
        return Meld.of(SPECIAL_GANG, tiles, special=special) if special else None
    alike = len(set(tiles)) == 1
    if alike and len(tiles) == 4:
        return Meld.of(GANG, tiles, concealed=bracket == "[")
    if bracket == "[" or len(tiles) != 3:
        return None
    if alike:
        return Meld.of(TRIPLET, tiles)
    first, second, third = tiles
    if first.suit and first.suit == third.suit and first.rank + 1 == second.rank == third.rank - 1:
        return Meld.of(SEQUENCE, tiles)
    return None


# The quick way


def _quick(folded: str, tile_set: TileSet) -> tuple[Hand, int]:
    totals = [0, 0, 0, 0]
    outside = tile_set.kinds.others
    melds: list[Meld] = []
    size = read = 0
    plus = False
    winning = None
    for piece, bracket, _ in _STEP.findall(folded):
        if piece:
            read += len(piece)
            column, more, held = _column(piece)
            size += held
            if plus:
                if winning or held != 1:
                    raise _Irregular
                winning = _TILE_OF[column, more]
            totals[column] = total = totals[column] + more
            if (total + _TOO_MANY) & _TOP_BITS or total & outside[column]:
                raise _Irregular
        elif plus:
            raise _Irregular
        elif bracket:
            read += len(bracket)
            meld = _meld(bracket, tile_set)
            melds.append(meld)
            size += 3
            for column, more in enumerate(meld.counts):
                totals[column] = total = totals[column] + more
                if (total + _TOO_MANY) & _TOP_BITS or total & outside[column]:
                    raise _Irregular
        else:
            read += 1
            plus = True
    # Whatever was passed over is missing from what was read.
    if read != len(folded) or (plus and winning is None):
        raise _Irregular
    if len(melds) > 1 and _second_of_a_kind(melds, tile_set) is not None:
        raise _Irregular
    a, b, c, d = totals
    counts = all_counts = a, b, c, d
    for meld in melds:
        w, x, y, z = meld.counts
        a, b, c, d = counts
        counts = a - w, b - x, c - y, d - z
    return tuple.__new__(Hand, (counts, all_counts, tuple(melds), winning, size % 3 == 2)), size


def _second_of_a_kind(melds: list[Meld], tile_set: TileSet) -> int | None:
    """The place of a special gang of which there is one already, where a table allows no second."""
    if tile_set.special_gang_twice:
        return None
    kinds = [meld.special for meld in melds]
    return next((n for n, kind in enumerate(kinds) if kind and kind in kinds[:n]), None)


# The careful way


class _Placed(NamedTuple):
    tile: Tile
    at: int


class _Bracket(NamedTuple):
    opening: str
    at: int
    tiles: list[_Placed]


def _careful(text: str, folded: str, tile_set: TileSet) -> tuple[Hand, int]:
    places = [i for i, c in enumerate(text) if c not in _SKIPPED_SET]
    concealed, brackets, winning = _characters(text, folded, [*places, len(text)])
    melds = [_checked_meld(b, tile_set) for b in brackets]
    second = _second_of_a_kind(melds, tile_set)
    if second is not None:
        name = tile_set.special_gangs[melds[second].special or ""].name
        raise HandError(
            "bad-meld",
            Text(
                f"At this table a player may show only one {name.en}; add the other tiles to it.",
                f"这桌每人只能亮一副{name.zh}，多的牌请补在那一副上。",
            ),
            at=brackets[second].at,
            tiles=melds[second].tiles,
        )
    placed = concealed + [p for b in brackets for p in b.tiles] + ([winning] if winning else [])
    placed.sort(key=lambda p: p.at)
    _tiles_exist(placed, tile_set)
    _four_copies(placed, tile_set)
    hand = Hand.of([p.tile for p in concealed], melds, winning.tile if winning else None)
    return hand, len(concealed) + 3 * len(melds) + bool(winning)


def _characters(
    text: str, folded: str, places: list[int]
) -> tuple[list[_Placed], list[_Bracket], _Placed | None]:
    concealed: list[_Placed] = []
    brackets: list[_Bracket] = []
    inside: _Bracket | None = None
    plus = None
    winning: _Placed | None = None
    at = 0
    while at < len(folded):
        c = folded[at]
        place = places[at]
        step = 1
        if c in _CLOSING:
            if inside:
                raise _unreadable(
                    place,
                    f"A bracket can't stand inside another: close “{inside.opening}” first.",
                    f"括号里不能再开括号，先写“{_CLOSING[inside.opening]}”。",
                )
            if plus is not None:
                raise _unreadable(
                    place,
                    "Melds stand before the “+”; after it comes one tile.",
                    "吃碰杠写在“+”前面，“+”后面只写一张牌。",
                )
            inside = _Bracket(c, place, [])
        elif c in ")]}":
            if not inside:
                raise _unreadable(
                    place, f"“{c}” closes a bracket that was not opened.", f"“{c}”前面没有对应的左括号。"
                )
            if c != _CLOSING[inside.opening]:
                raise _unreadable(
                    place,
                    f"“{inside.opening}” is closed by “{_CLOSING[inside.opening]}”, not by “{c}”.",
                    f"“{inside.opening}”要用“{_CLOSING[inside.opening]}”来关，不是“{c}”。",
                )
            brackets.append(inside)
            inside = None
        elif c == "+":
            if inside:
                raise _unreadable(
                    inside.at,
                    f"Close the bracket “{inside.opening}” before the “+”.",
                    f"“+”之前先写“{_CLOSING[inside.opening]}”。",
                )
            if plus is not None:
                raise _unreadable(
                    place,
                    "There is a second “+”: only the winning tile has one.",
                    "出现了第二个“+”，只有胡的那张牌前面写“+”。",
                )
            plus = place
        else:
            match = _PIECE.match(folded, at)
            if not match:
                raise _unknown(text, folded, at, places)
            step = len(match[0])
            found = _placed(match[0], at, places)
            if inside:
                inside.tiles.extend(found)
            elif plus is None:
                concealed.extend(found)
            else:
                if winning or len(found) > 1:
                    raise _unreadable(
                        found[0 if winning else 1].at,
                        "After the “+” comes exactly one tile.",
                        "“+”后面只能写一张牌。",
                    )
                winning = found[0]
        at += step
    if inside:
        raise _unreadable(
            inside.at,
            f"The bracket “{inside.opening}” is not closed: “{_CLOSING[inside.opening]}” is missing.",
            f"括号“{inside.opening}”没有关上，少了“{_CLOSING[inside.opening]}”。",
        )
    if plus is not None and not winning:
        raise _unreadable(plus, "The winning tile is missing after the “+”.", "“+”后面少了胡的那张牌。")
    return concealed, brackets, winning


def _placed(piece: str, at: int, places: list[int]) -> list[_Placed]:
    if piece[-1] == "z":
        for n, c in enumerate(piece):
            if c in "89":
                raise _unreadable(
                    places[at + n],
                    f"“{c}z” is no tile: honors are 1z to 7z.",
                    f"没有“{c}z”这张牌，风牌和中发白是1z到7z。",
                )
    return [_Placed(t, places[at + n]) for n, t in enumerate(_run(piece))]


def _unknown(text: str, folded: str, at: int, places: list[int]) -> HandError:
    match = re.match(r"[1-9幺]+", folded[at:])
    c = text[places[at]]
    if match:
        end = at + len(match[0])
        # As it was typed, which may be 一二 where the folded text has 12.
        digits = text[places[at] : places[end - 1] + 1]
        after = folded[end : end + 1]
        if after == "0":
            return _unreadable(
                places[end], "There is no 0: ranks go from 1 to 9.", "没有0这张牌，牌只有1到9。"
            )
        if after in ("M", "P", "S", "Z") and after:
            return _unreadable(
                places[at],
                f"“{digits}” has no suit: suits are small letters (“{digits}{after.lower()}”), capitals are honors.",
                f"“{digits}”后面没有花色：花色用小写字母（“{digits}{after.lower()}”），大写字母是风牌和中发白。",
            )
        return _unreadable(
            places[at],
            f"“{digits}” has no suit: write m, p or s (or 万, 饼/筒, 条) after the digits.",
            f"“{digits}”后面没有花色：数字后面写万、饼（筒）、条，或 m、p、s。",
        )
    if folded[at] == "0":
        return _unreadable(places[at], "There is no 0: ranks go from 1 to 9.", "没有0这张牌，牌只有1到9。")
    if c.upper() in "ESWNCFP" and c.upper() != c:
        return _unreadable(
            places[at],
            f"“{c}” stands after no digit; if an honor is meant, write the capital “{c.upper()}”.",
            f"“{c}”前面没有数字；如果是风牌或中发白，请用大写“{c.upper()}”。",
        )
    if folded[at] in "mpsz万饼条":
        return _unreadable(
            places[at],
            f"“{c}” needs digits before it, as in “5{c}”.",
            f"“{c}”前面要有数字，比如“5{c}”。",
        )
    return _unreadable(
        places[at],
        f"“{c}” is not part of a tile: expected digits with a suit (123m), E S W N C F P, a Chinese name or a bracket.",
        f"“{c}”不是牌：应当是数字加花色（如123万、123m）、东南西北中发白，或者括号。",
    )


def _checked_meld(bracket: _Bracket, tile_set: TileSet) -> Meld:
    found = [p.tile for p in bracket.tiles]
    meld = meld_of(bracket.opening, found, tile_set)
    if meld is None:
        raise HandError(
            "bad-meld", _why_no_meld(bracket.opening, found, tile_set), at=bracket.at, tiles=found
        )
    return meld


def _why_no_meld(opening: str, found: list[Tile], tile_set: TileSet) -> Text:
    if not found:
        return Text("The bracket is empty.", "括号里没有牌。")
    held = tile_set.names(found)
    if opening == "{" and not tile_set.special_gangs:
        return Text(
            "This game has no special gangs: “{…}” can't stand here.", "这里没有特殊杠，不能写“{…}”。"
        )
    if opening == "{":
        known = listed(
            [
                Text(written, f"{gang.name.zh}{written}")
                for gang in tile_set.special_gangs.values()
                for written in ["{" + "".join(t.code for t in gang.tiles) + "}"]
            ]
        )
        return Text(
            f"{held.en} are no special gang; those are {known.en}, with more of the same tiles.",
            f"{held.zh}不是特殊杠；特殊杠是{known.zh}，可以再补同样的牌。",
        )
    if opening == "[":
        return Text(
            f"{held.en}: a concealed gang is four tiles alike.", f"{held.zh}不是暗杠：暗杠是四张一样的牌。"
        )
    return Text(
        f"{held.en} are no meld: a meld is a sequence in one suit, three alike or four alike.",
        f"{held.zh}不能成一组：应当是同花色顺子、三张一样或四张一样。",
    )


def _tiles_exist(placed: list[_Placed], tile_set: TileSet) -> None:
    for kind, at in placed:
        if kind not in tile_set.kinds:
            name = tile_set.name(kind)
            raise HandError(
                "tile-not-in-set",
                Text(f"This game has no {name.en}: take it out.", f"这种麻将没有{name.zh}，请拿掉。"),
                at=at,
                tiles=[kind],
            )


def _four_copies(placed: list[_Placed], tile_set: TileSet) -> None:
    seen: Counter[Tile] = Counter()
    for kind, at in placed:
        seen[kind] += 1
        if seen[kind] == 5:
            name = tile_set.name(kind)
            raise HandError(
                "too-many-copies",
                Text(
                    f"There are only four {name.en}, and this is the fifth.",
                    f"{name.zh}一共只有四张，这是第五张。",
                ),
                at=at,
                tiles=[kind],
            )


def _wrong_size(hand: Hand, size: int) -> HandError:
    if len(hand.melds) > 4:
        return HandError(
            "tile-count",
            Text(
                f"A hand has at most four melds, not {len(hand.melds)}.",
                f"一手牌最多四组吃碰杠，现在有{len(hand.melds)}组。",
            ),
            missing=14 - size,
        )
    beside = Text(" beside the winning tile", "（胡的那张除外）") if hand.winning else Text("", "")
    held = size - (hand.winning is not None)
    full = (
        Text("13", "13张") if hand.winning else Text("13 to see its waits, or 14", "13张看听牌、14张看胡牌")
    )
    return HandError(
        "tile-count",
        Text(
            f"This hand has {plural(held, 'tile')}{beside.en}, each meld counted as three; it should have {full.en}.",
            f"这手牌有{held}张{beside.zh}，每组吃碰杠算三张；应当是{full.zh}。",
        ),
        missing=14 - size,
    )


def _unreadable(at: int, english: str, chinese: str) -> HandError:
    return HandError("bad-character", Text(english, chinese), at=at)
