"""Entering a hand by keys: what each press does to the text, and why a key can't be pressed.

A page that has no JavaScript sends one action a request, one that has sends those that gathered while it
waited; either way the hand's text comes in, the actions are done in order, and a new text comes out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from rules import HandError, Ruleset, Text, notation, rulesets
from rules.hands import SPECIAL_GANG, Hand, Meld
from rules.tiles import SUITED, Kinds, Tile, TileSet, tile
from tutor.checker.pen import label_of

TILE, WINNING, CHI, PENG, EXPOSED_GANG, CONCEALED_GANG = "tile", "win", "chi", "peng", "gang", "angang"
MODES = {
    TILE: Text("Tile", "单张"),
    CHI: Text("Chi 吃", "吃"),
    PENG: Text("Peng 碰", "碰"),
    EXPOSED_GANG: Text("Gang 明杠", "明杠"),
    CONCEALED_GANG: Text("Concealed gang 暗杠", "暗杠"),
    WINNING: Text("Win 胡", "胡的牌"),
}
SPECIAL = "special"
MAX_ACTIONS = 60
_UNDO_KEPT = 20
_PAST_LENGTH = 1000
_BEFORE = "~"

_FULL = Text("The hand is full: take a tile out first.", "牌已经满了，先拿掉一张。")
_NO_ROOM = Text("There is no room for a meld: take tiles out first.", "放不下一组了，先拿掉几张。")
UNREADABLE = Text("The text above can't be read yet: correct it first.", "上面写的牌看不懂，请先改一改。")


@dataclass(frozen=True)
class Entry:
    """What a visitor has entered. text: the hand as it stands in the field. mode: what the next key makes.
    past: earlier texts, the latest last. notice: why the last action did nothing. news: what it did beside
    what was asked for."""

    text: str = ""
    mode: str = TILE
    past: tuple[str, ...] = ()
    notice: Text | None = None
    news: Text | None = None

    @property
    def past_as_text(self) -> str:
        """The earlier texts in one string, for a form field: each after a mark, not the oldest if long."""
        field = ""
        for text in reversed(self.past):
            if len(field) + len(text) >= _PAST_LENGTH:
                break
            field = _BEFORE + text + field
        return field


def past_from(text: str) -> tuple[str, ...]:
    """The earlier texts of a form field."""
    return tuple(text[:_PAST_LENGTH].split(_BEFORE)[1:])[-_UNDO_KEPT:]


def tile_set_of(games: Iterable[Ruleset]) -> TileSet:
    """The tiles of several games at once, in the first one's words."""
    first, *others = [game.tiles for game in games]
    return _together(first, *others) if others else first


def every_tile(tile_set: TileSet) -> TileSet:
    """The tiles of all games in one game's words: a hand may hold what another game was played with."""
    return _together(tile_set, *(game.tiles for game in rulesets().values()))


@lru_cache(maxsize=64)
def _together(first: TileSet, *others: TileSet) -> TileSet:
    return TileSet(
        kinds=Kinds(t for tiles in (first, *others) for t in tiles.kinds.tiles),
        suits=first.suits,
        special_gangs={key: gang for tiles in (first, *others) for key, gang in tiles.special_gangs.items()},
        nicknames=first.nicknames,
        special_gang_twice=next((t.special_gang_twice for t in (first, *others) if t.special_gangs), True),
    )


def modes_of(tile_set: TileSet) -> dict[str, Text]:
    """The ways a key may be used in this game."""
    special = {SPECIAL: Text("Special gang 特殊杠", "特殊杠")} if tile_set.special_gangs else {}
    return {key: name for key, name in MODES.items() if key != WINNING} | special | {WINNING: MODES[WINNING]}


def act(entry: Entry, actions: Iterable[str], tile_set: TileSet) -> Entry:
    """The entry after some actions: `key:5m` in the chosen mode, `tile:5m`, `chi:5m`, … in one of its own,
    `out:5m`, `out:win`, `out:meld0`, `strays` out, from a full hand `discard:5m` or in it `swap:5m:6m`, where
    the winning tile is meant `swap:5m:6m:win`, `undo`, `clear`.

    An action that can't be done changes nothing and leaves a notice, which stays beside what the others did;
    an unknown one does nothing.
    """
    notice = None
    for action in list(actions)[:MAX_ACTIONS]:
        entry = _act(replace(entry, notice=None, news=None), action, tile_set)
        notice = entry.notice or notice
    return replace(entry, notice=notice)


def _act(entry: Entry, action: str, tile_set: TileSet) -> Entry:
    if action == "undo":
        return replace(entry, text=entry.past[-1], past=entry.past[:-1]) if entry.past else entry
    if action == "clear":
        return changed(entry, "") if entry.text else entry
    verb, _, what = action.partition(":")
    news = None
    try:
        hand = notation.parse_unfinished(entry.text, every_tile(tile_set))
    except HandError:
        return replace(entry, notice=UNREADABLE)
    try:
        if verb == "out":
            made = _without(hand, what)
        elif action == "strays":
            made = _at_home(hand, tile_set)
        elif verb == "discard":
            made = hand.without(_loose(hand, what))
        elif verb == "swap":
            made = _exchanged(hand, what, tile_set)
        elif verb == "key" or verb in modes_of(tile_set):
            mode = entry.mode if verb == "key" else verb
            kind = tile(what)
            notice = why_not(mode, hand, kind, tile_set)
            if notice:
                return replace(entry, notice=notice)
            made = _with(mode, hand, kind, tile_set)
            news = _replaced(hand, made, tile_set) if mode == TILE else None
        else:
            return entry
    except (KeyError, ValueError, IndexError):
        return entry
    if made == hand:
        return entry
    mode = TILE if verb in ("key", WINNING) else entry.mode
    return replace(changed(entry, notation.write(made)), mode=mode, news=news)


def changed(entry: Entry, text: str) -> Entry:
    """The entry with another text, which can be undone unless the one before holds the mark of the past."""
    kept = (*entry.past, entry.text)[-_UNDO_KEPT:] if _BEFORE not in entry.text else entry.past
    return replace(entry, text=text, past=kept)


def why_not(mode: str, hand: Hand, kind: Tile, tile_set: TileSet) -> Text | None:
    """Why a key can't be pressed now, or None where it can."""
    return _why_not(mode, hand, kind, tile_set, 13 - beside(hand))


def _why_not(mode: str, hand: Hand, kind: Tile, tile_set: TileSet, room: int) -> Text | None:
    if kind not in tile_set.kinds:
        name = tile_set.name(kind)
        return Text(f"This game has no {name.en}.", f"这种麻将没有{name.zh}。")
    if mode in (TILE, WINNING):
        return _why_no_tile(mode, hand, kind, tile_set, room)
    needed = _meld_tiles(mode, hand, kind, tile_set)
    if needed is None:
        return _why_no_meld(mode, kind, tile_set.name(kind))
    for t in dict.fromkeys(needed):
        if hand.left(t) < needed.count(t):
            short = tile_set.name(t)
            return Text(f"Not enough {short.en} left for this meld.", f"{short.zh}不够，凑不成这一组。")
    if len(needed) > 1 and (room < 3 or len(hand.melds) >= 4):
        return _NO_ROOM
    return None


def _why_no_meld(mode: str, kind: Tile, name: Text) -> Text:
    if mode == SPECIAL:
        return Text(f"{name.en} is in no special gang.", f"{name.zh}不能做特殊杠。")
    if kind not in SUITED:
        return Text("Winds and dragons make no sequence.", "风牌、中发白不能吃。")
    return Text("For a chi, tap its lowest tile, 1 to 7.", "吃牌请点顺子里最小的那张。")


def _why_no_tile(mode: str, hand: Hand, kind: Tile, tile_set: TileSet, room: int) -> Text | None:
    replaced = hand.winning if hand.winning and (mode == WINNING or room <= 0) else None
    if room < 0:
        if mode == WINNING and kind in hand.concealed:
            return None
        return _FULL
    if hand.left(kind) + (replaced is kind) < 1:
        name = tile_set.name(kind)
        return Text(f"All four {name.en} are in the hand.", f"四张{name.zh}都在手里了。")
    return None


def _with(mode: str, hand: Hand, kind: Tile, tile_set: TileSet) -> Hand:
    concealed, melds = list(hand.concealed), list(hand.melds)
    room = 13 - beside(hand)
    if mode == WINNING and room < 0:
        concealed.remove(kind)
        return Hand.of(concealed, melds, kind)
    if mode == WINNING or (mode == TILE and room == 0):
        return Hand.of(concealed, melds, kind)
    if mode == TILE:
        return Hand.of([*concealed, kind], melds, hand.winning)
    needed = _meld_tiles(mode, hand, kind, tile_set) or ()
    if mode == SPECIAL:
        key = next(key for key, gang in tile_set.special_gangs.items() if kind in gang.tiles)
        if len(needed) == 1:
            at = next(n for n, m in enumerate(melds) if m.special == key)
            melds[at] = Meld.of(SPECIAL_GANG, [*melds[at].tiles, kind], special=key)
        else:
            melds.append(Meld.of(SPECIAL_GANG, needed, special=key))
    else:
        meld = notation.meld_of("[" if mode == CONCEALED_GANG else "(", needed, tile_set)
        if meld:
            melds.append(meld)
    return Hand.of(concealed, melds, hand.winning)


def _meld_tiles(mode: str, hand: Hand, kind: Tile, tile_set: TileSet) -> tuple[Tile, ...] | None:
    """The tiles that a press adds as a meld, or to the special gang that is there; None where none can be."""
    if mode == CHI:
        if kind not in SUITED or kind.rank > 7:
            return None
        return tuple(tile(f"{kind.rank + n}{kind.suit}") for n in range(3))
    if mode == SPECIAL:
        for key, gang in tile_set.special_gangs.items():
            if kind in gang.tiles:
                return (kind,) if any(m.special == key for m in hand.melds) else gang.tiles
        return None
    return {PENG: (kind,) * 3, EXPOSED_GANG: (kind,) * 4, CONCEALED_GANG: (kind,) * 4}.get(mode)


def _without(hand: Hand, what: str) -> Hand:
    if what == "win":
        return hand.without_winning()
    concealed, melds = list(hand.concealed), list(hand.melds)
    if what.startswith("meld") and what[4:].isdecimal():
        del melds[int(what[4:])]
    else:
        concealed.remove(tile(what))
    return Hand.of(concealed, melds, hand.winning)


def _at_home(hand: Hand, tile_set: TileSet) -> Hand:
    """The hand without the tiles and melds that this game has not."""
    loose, melds = strays(hand, tile_set)
    winning = hand.winning if hand.winning in tile_set.kinds else None
    return Hand.of(
        [t for t in hand.concealed if t not in loose], [m for m in hand.melds if m not in melds], winning
    )


def strays(hand: Hand, tile_set: TileSet) -> tuple[list[Tile], list[Meld]]:
    """The tiles of a hand, each once, and the melds that this game has not."""
    loose = [t for t in dict.fromkeys(hand.loose) if t not in tile_set.kinds]
    melds = [
        m
        for m in hand.melds
        if any(t not in tile_set.kinds for t in m.tiles)
        or (m.special is not None and m.special not in tile_set.special_gangs)
    ]
    return loose, melds


def _replaced(before: Hand, after: Hand, tile_set: TileSet) -> Text | None:
    """That a tile pressed took the winning tile's place, or None where it did not."""
    if before.winning is None or after.winning is None or after.winning is before.winning:
        return None
    old, new = every_tile(tile_set).name(before.winning), every_tile(tile_set).name(after.winning)
    return Text(
        f"Winning tile is now {new.en}; it was {old.en}.", f"最后一张换成了{new.zh}，原来是{old.zh}。"
    )


def _loose(hand: Hand, what: str) -> Tile:
    """A tile that a full hand may give up; ValueError where it can't."""
    kind = tile(what)
    if not hand.is_full or kind not in hand.loose:
        raise ValueError(what)
    return kind


def _exchanged(hand: Hand, what: str, tile_set: TileSet) -> Hand:
    out, _, rest = what.partition(":")
    into, _, which = rest.partition(":")
    kind = tile(into)
    if kind not in tile_set.kinds or hand.left(kind) < 1:
        raise ValueError(what)
    # Of two such tiles the concealed one, unless the winning one is meant.
    return hand.exchanged(_loose(hand, out), kind)[-1 if which == "win" else 0]


def beside(hand: Hand) -> int:
    """Tiles beside the winning one, a meld counting three: 13 in a hand that waits."""
    return len(hand.loose) - (hand.winning is not None) + 3 * len(hand.melds)


# The keys


class Key(NamedTuple):
    """A key of the tile keyboard. why_not: why it can't be pressed now, None where it can."""

    tile: Tile
    label: Text
    left: int
    why_not: Text | None


def key_rows(mode: str, hand: Hand | None, tile_set: TileSet) -> list[list[Key]]:
    """The keys for a game's tiles, a row a suit. hand: None where the text can't be read as tiles."""
    held = hand or Hand.of(())
    room = 13 - beside(held)
    # Where there is room and a tile is left, nothing else hinders a key that adds one.
    is_plain = hand is not None and room >= 0 and mode in (TILE, WINNING)
    rows: list[list[Key]] = [[], [], [], []]
    for t in tile_set.tiles:
        left, reason = held.left(t), None
        if hand is None:
            reason = UNREADABLE
        elif left < 1 or not is_plain:
            reason = _why_not(mode, hand, t, tile_set, room)
        rows[t.column].append(Key(t, label_of(tile_set, t), left, reason))
    return [row for row in rows if row]


def spelled(text: str, tile_set: TileSet) -> Text:
    """An example in digits and suits, and for readers of Chinese as they write tiles."""
    han = str.maketrans("123456789", "一二三四五六七八九") | str.maketrans(dict(tile_set.suits))
    return Text(text, text.translate(han))


def around(text: str, at: int | None) -> tuple[str, str, str] | None:
    """A text before, at and after the place of an error; None where there is no place."""
    return None if at is None else (text[:at], text[at : at + 1], text[at + 1 :])
