"""The score sheet of an evening: four players, the hands they played, who deals next.

A sheet is a value and fits into a cookie or an address: `encode` writes it as one short text, `decode` reads
it and trusts nothing in it. Players sit in turn order, each before the next one; a settlement speaks of
seats, which count from the dealer, so that they move with the deal.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import unicodedata
import zlib
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

PLAYERS = range(4)
MOST_HANDS = 200
# With its signature it stays well below the 4,096 bytes that browsers keep of a cookie.
LONGEST_CODE = 3500
# Of it, what hands leave for names and a stake, which may still change when the sheet is full.
PLAYERS_ROOM = 500
LONGEST_NAME = 20
MOST_POINTS = 10**13
_MOST_JSON = 40_000
_KEY = re.compile(r"[a-z0-9-]{1,20}")
_OPTION = re.compile(r"[a-z0-9-]{1,40}=[a-z0-9-]{1,40}")
_MOST_OPTIONS = 40
# One decimal mark, as keyboards have it; three digits after it would rather be thousands.
_AMOUNT = re.compile(r"([0-9]+(?:[.,，。．][0-9]{1,2})?|[.,，。．][0-9]{1,2})(e[0-9])?")
_JOINERS = "\u200c\u200d"

Points = tuple[int, int, int, int]


class Full(Exception):
    """The sheet has no room for another hand."""


class NoSheet(ValueError):
    """A text or data that holds no sheet."""


@dataclass(frozen=True)
class Played:
    """One hand as it stands in a sheet.

    points: by player; they sum to zero. next_dealer: the player who deals the one after it. ruleset: the
    game's key, "" for a hand that was added by hand. winners, discarder: players.
    """

    points: Points
    next_dealer: int
    ruleset: str = ""
    winners: tuple[int, ...] = ()
    discarder: int | None = None


@dataclass(frozen=True)
class Sheet:
    """The evening so far. names: "" where none was given. stake: what a point is worth, "" if nobody said.

    table: the game that was settled last and its house rules, each `key=value`: the next hand's too.
    """

    names: tuple[str, str, str, str] = ("", "", "", "")
    first_dealer: int = 0
    stake: str = ""
    hands: tuple[Played, ...] = ()
    table: tuple[str, ...] = ()

    @property
    def dealer(self) -> int:
        """The player who deals now."""
        return self.hands[-1].next_dealer if self.hands else self.first_dealer

    @property
    def totals(self) -> Points:
        """What each player has won or lost so far."""
        a, b, c, d = (sum(hand.points[player] for hand in self.hands) for player in PLAYERS)
        return a, b, c, d

    @property
    def worth(self) -> tuple[Decimal, Decimal, Decimal, Decimal] | None:
        """The totals at this stake, None where there is none."""
        if not self.stake:
            return None
        a, b, c, d = (total * Decimal(self.stake) for total in self.totals)
        return a, b, c, d

    def dealer_of(self, number: int) -> int:
        """Who dealt a hand, counted from 0."""
        return self.hands[number - 1].next_dealer if number else self.first_dealer

    def player_at(self, seat: int) -> int:
        """The player who sits at a seat now, 0 being the dealer."""
        return (self.dealer + seat) % 4

    def seats_to_players(self, points: Points) -> Points:
        """Points by seat as points by player."""
        found = [0, 0, 0, 0]
        for seat, value in enumerate(points):
            found[self.player_at(seat)] = value
        a, b, c, d = found
        return a, b, c, d

    def with_hand(self, hand: Played, table: tuple[str, ...] = ()) -> Sheet:
        """The sheet with one more hand. table: how it was played, "" if that is not known. Raises Full."""
        longer = replace(self, hands=(*self.hands, hand), table=table or self.table)
        for written in (longer, replace(longer, table=longer.table[:1])):
            if written._has_room():
                return written
        raise Full

    def _has_room(self) -> bool:
        """Whether a cookie can hold these hands whatever the players are called."""
        plain = replace(self, names=("", "", "", ""), stake="")
        return (
            len(self.hands) <= MOST_HANDS
            and len(encode(plain)) <= LONGEST_CODE - PLAYERS_ROOM
            and len(encode(self)) <= LONGEST_CODE
        )

    def with_players(self, names: tuple[str, str, str, str], stake: str) -> Sheet:
        """The sheet with these names and this stake. Raises Full."""
        changed = replace(self, names=names, stake=stake)
        if len(encode(changed)) > LONGEST_CODE:
            raise Full
        return changed

    def before(self, number: int) -> Sheet:
        """The sheet as it stood before a hand, which is counted from 0."""
        return replace(self, hands=self.hands[:number])

    def without_last(self) -> Sheet:
        """The sheet without its last hand; itself where it has none."""
        return replace(self, hands=self.hands[:-1])

    @property
    def guard(self) -> str:
        """A short text that tells this sheet from others: a form says with it which one it was made from."""
        written = encode(replace(self, table=()))
        return hashlib.sha256(written.encode()).hexdigest()[:16]

    @property
    def is_blank(self) -> bool:
        """Whether nothing has been written down yet."""
        return replace(self, table=()) == Sheet()


def name_from(text: str) -> str:
    """A player's name from what was typed: on one line, without what can't be seen, not too long."""
    return whole_name(text)[:LONGEST_NAME].strip(f" {_JOINERS}")


def whole_name(text: str) -> str:
    """A name as `name_from` reads it, however long it is. What joins letters or signs to one is kept."""
    seen = "".join(c if c.isprintable() or c in _JOINERS else " " for c in text)
    return " ".join(part for part in (p.strip(_JOINERS) for p in seen.split()) if part)


def stake_from(text: str) -> str:
    """A stake from what was typed, "" for none. Raises ValueError."""
    text = text.strip()
    if not text:
        return ""
    plain = unicodedata.normalize("NFKC", text)
    if not _AMOUNT.fullmatch(plain):
        raise ValueError(text)
    stake = Decimal(re.sub(r"[,，。．]", ".", plain))
    if not (0 < stake <= 10_000 and stake == round(stake, 2)):
        raise ValueError(text)
    return f"{stake.normalize():f}"


# As one short text


def encode(sheet: Sheet) -> str:
    """The sheet as a text that an address can hold."""
    data: list[Any] = [sheet.names, sheet.first_dealer, sheet.stake, [packed(hand) for hand in sheet.hands]]
    if sheet.table:
        data.append(sheet.table)
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(zlib.compress(written, 9)).rstrip(b"=").decode()


def decode(text: str) -> Sheet:
    """The sheet in such a text. Raises NoSheet where it holds none."""
    if not 0 < len(text) <= LONGEST_CODE:
        raise NoSheet("too long or empty")
    try:
        compressed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        reader = zlib.decompressobj()
        written = reader.decompress(compressed, _MOST_JSON)
        if not reader.eof:
            raise NoSheet("cut short or far too long")
        names, first_dealer, stake, hands, *rest = json.loads(written)
    except (ValueError, TypeError, RecursionError, zlib.error) as error:
        raise NoSheet("not the form of a sheet") from error
    if not (isinstance(names, list) and len(names) == 4 and all(isinstance(n, str) for n in names)):
        raise NoSheet("names")
    if not isinstance(hands, list) or len(hands) > MOST_HANDS:
        raise NoSheet("hands")
    if not isinstance(stake, str) or len(stake) > 20:
        raise NoSheet("stake")
    if len(rest) > 1:
        raise NoSheet("more than a sheet")
    a, b, c, d = map(name_from, names)
    try:
        stake = stake_from(stake)
    except ValueError as error:
        raise NoSheet("stake") from error
    return Sheet((a, b, c, d), _player(first_dealer), stake, tuple(map(unpacked, hands)), _table(*rest))


def _table(data: Any = ()) -> tuple[str, ...]:
    """A game's key and its options from plain data. Raises NoSheet."""
    if data == ():
        return ()
    if not isinstance(data, list) or len(data) > _MOST_OPTIONS or not all(isinstance(t, str) for t in data):
        raise NoSheet("a table")
    if not data or not _KEY.fullmatch(data[0]) or not all(map(_OPTION.fullmatch, data[1:])):
        raise NoSheet("a table")
    return tuple(data)


def packed(hand: Played) -> list[Any]:
    """A hand as plain data; the fourth player's points follow from the others'."""
    first: list[Any] = [hand.next_dealer, *hand.points[:3]]
    if not hand.ruleset:
        return first
    return [*first, hand.ruleset, list(hand.winners), hand.discarder]


def unpacked(data: Any) -> Played:
    """A hand from plain data. Raises NoSheet."""
    if not isinstance(data, list) or len(data) not in (4, 7):
        raise NoSheet("a hand")
    next_dealer, a, b, c, *settled = data
    for points in (a, b, c):
        if isinstance(points, bool) or not isinstance(points, int) or abs(points) > MOST_POINTS:
            raise NoSheet("points")
    hand = Played((a, b, c, -a - b - c), _player(next_dealer))
    if not settled:
        return hand
    ruleset, winners, discarder = settled
    if not isinstance(ruleset, str) or not _KEY.fullmatch(ruleset):
        raise NoSheet("ruleset")
    if not isinstance(winners, list) or len(winners) > 3:
        raise NoSheet("winners")
    return replace(
        hand,
        ruleset=ruleset,
        winners=tuple(map(_player, winners)),
        discarder=None if discarder is None else _player(discarder),
    )


def _player(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value not in PLAYERS:
        raise NoSheet("a player")
    return value
