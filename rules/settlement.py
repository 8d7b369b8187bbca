"""The end of a hand: who pays whom for wins, gangs and openings, line by line, and who deals next.

A scenario is plain data, as it comes from JSON: `read` is the one door, where everything is checked and what
can't be is an error that says where. What is paid is each region's own, as its table says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from . import circumstances, notation
from .circumstances import Circumstances
from .errors import HandError
from .hands import GANG as GANG_MELD
from .hands import SPECIAL_GANG
from .payments import Gang, Line, Prize, totals
from .ruleset import Opening, Ruleset
from .table import Outcome, Reason
from .text import Text
from .tiles import Tile
from .verdict import Verdict

KEYS = ("ruleset", "options", "wins", "gangs", "openings", "birds", "last_tile")
_WIN_KEYS = ("seat", "from", "by", "hand", "moments", "listening", "bao")
_GIVEN = ("seat", "from", "by", "moments", "listening", "bao")
MOST_WINS, MOST_GANGS, MOST_OPENINGS = 6, 16, 4
# No hand comes near it; it keeps doubled points within bounds.
MOST_TOTAL = 40


class Winner(NamedTuple):
    """One win of a scenario. verdict: None where only its worth is given."""

    circumstances: Circumstances
    prize: Prize
    verdict: Verdict | None


class LastTile(NamedTuple):
    """Who was offered the last tile of the wall first, and who took it, None where nobody did."""

    offered: int
    taker: int | None


@dataclass(frozen=True)
class Scenario:
    """How a hand ended, checked. drawn: the bird tiles drawn."""

    ruleset: Ruleset
    wins: tuple[Winner, ...] = ()
    gangs: tuple[Gang, ...] = ()
    openings: tuple[tuple[int, tuple[Opening, ...]], ...] = ()
    drawn: tuple[Tile, ...] = ()
    last_tile: LastTile | None = None

    @property
    def birds(self) -> tuple[Tile, ...]:
        """The hand's birds: those drawn, or on the last tile of the wall that tile, which nobody draws."""
        return self.wins[0].prize.birds if self.wins else self.drawn


@dataclass(frozen=True)
class Settlement:
    """What comes of a hand. deals_next: the seat that deals next, as seats are now, and why; None where the
    scenario does not say enough."""

    scenario: Scenario
    lines: tuple[Line, ...]
    deals_next: Outcome[int | None]

    @property
    def next_dealer(self) -> int | None:
        """The seat that deals next."""
        return self.deals_next.value

    @property
    def bird_notes(self) -> tuple[Reason, ...]:
        """Where each bird falls, and if it changes anything."""
        prizes = {win.prize.seat: win.prize for win in self.scenario.wins}
        return self.scenario.ruleset.table.bird_notes(*prizes.values())

    @property
    def payments(self) -> tuple[int, int, int, int]:
        """What each seat gains or loses; the four sum to zero."""
        return totals(self.lines)


def settle(ruleset: Ruleset, data: Mapping[str, Any]) -> Settlement:
    """The settlement of a scenario given as data. Raises HandError.

    data: the keys of `KEYS`, each optional; `options` are applied to the ruleset, `ruleset` itself is ignored.
    """
    return settled(read(ruleset, data))


def settled(scenario: Scenario) -> Settlement:
    """The settlement of a scenario."""
    table = scenario.ruleset.table
    lines: list[Line] = []
    for prize in _prizes(scenario):
        lines += table.win_lines(prize)
    for gang in scenario.gangs:
        lines += table.gang_lines(gang)
    for seat, openings in scenario.openings:
        for opening in openings:
            lines += table.opening_lines(seat, opening.name, scenario.birds)
    winners = tuple(sorted({win.prize.seat for win in scenario.wins}))
    discarder = scenario.wins[0].prize.discarder if scenario.wins else None
    offered, taker = scenario.last_tile or (None, None)
    return Settlement(scenario, tuple(lines), table.next_dealer(winners, discarder, taker, offered))


def _prizes(scenario: Scenario) -> list[Prize]:
    """What each winner is paid for; two wins of one player are joined."""
    by_seat: dict[int, Prize] = {}
    for win in scenario.wins:
        seat = win.prize.seat
        by_seat[seat] = (
            scenario.ruleset.table.joined(by_seat[seat], win.prize) if seat in by_seat else win.prize
        )
    return list(by_seat.values())


# Reading a scenario


def read(ruleset: Ruleset, data: Mapping[str, Any]) -> Scenario:
    """A scenario from data, everything checked. Raises HandError."""
    _known(data, KEYS, Text("The scenario", "这份结算"))
    options = {} if data.get("options") is None else _mapping(data["options"], "options")
    for key, value in options.items():
        if not isinstance(value, str):
            raise _unread(
                f'The option “{key}” is a text, such as "2".', f'规矩“{key}”的值要写成文字，如 "2"。'
            )
    game = ruleset.with_options(options)
    birds = _birds(game, data.get("birds"))
    wins = tuple(_win(game, entry, birds) for entry in _list(data.get("wins"), "wins", MOST_WINS))
    _wins_go_together(game, wins)
    gangs = tuple(_gang(game, entry) for entry in _list(data.get("gangs"), "gangs", MOST_GANGS))
    _gangs_can_be(game, gangs)
    _tiles_suffice(game, wins, gangs)
    openings = _openings(game, _list(data.get("openings"), "openings", MOST_OPENINGS))
    return Scenario(game, wins, gangs, openings, birds or (), _last_tile(game, data.get("last_tile"), wins))


def _win(game: Ruleset, entry: Any, birds: tuple[Tile, ...] | None) -> Winner:
    measure = game.measure.key
    entry = _mapping(entry, "wins")
    _known(entry, (*_WIN_KEYS, measure), Text("A win", "一次胡牌"))
    text, total = entry.get("hand"), entry.get(measure)
    if (text is None) == (total is None):
        raise _bad(
            f"A win has either its hand or its {measure}, one of the two.",
            f"每次胡牌写出“hand”（手牌）或者“{measure}”（{game.measure.name.zh}），只写一样。",
        )
    if text is not None and not isinstance(text, str):
        raise _unread("The hand of a win is a text.", "胡牌的“hand”要写成文字。")
    given: dict[str, Any] = {key: _plain(key, entry.get(key)) for key in _GIVEN}
    if birds is not None:
        given["birds"] = [bird.code for bird in birds] or ["0"]
    hand = game.parse(text) if text is not None else None
    way = next((w for w in game.ways if w.key == (given["by"] or "discard")), None)
    if way and not way.self_drawn and given["from"] is None:
        raise _bad(
            "Say who discarded the winning tile, or was robbed of it: “from” is missing.",
            "没写谁点的炮（或者抢了谁的杠），缺“from”。",
        )
    how = circumstances.read(game, hand, given)
    if hand is None:
        return Winner(how, game.table.prize(how, {}, _total(game, total, how), None), None)
    if hand.winning is None:
        raise _bad("A hand that won has its winning tile after “+”.", "胡了的手牌，“+”后面要写胡的那张。")
    verdict = game.judge(hand, how)
    if verdict.prize is None:
        raise HandError("not-a-win", verdict.summary)
    return Winner(how, verdict.prize, verdict)


def _total(game: Ruleset, total: Any, how: Circumstances) -> int:
    # A situation that is itself paid for is part of the total.
    named = sum(p.worth for p in game.patterns if p.key in how.moments)
    least = max(min((p.worth for p in game.patterns), default=0), named)
    if isinstance(total, bool) or not isinstance(total, int):
        raise _unread(
            f"“{game.measure.key}” is a whole number.",
            f"“{game.measure.key}”（{game.measure.name.zh}）要写整数。",
        )
    if not least <= total <= MOST_TOTAL:
        raise _bad(
            f"“{game.measure.key}” is from {least} to {MOST_TOTAL}, not {total}.",
            f"“{game.measure.key}”（{game.measure.name.zh}）从{least}到{MOST_TOTAL}，不能是{total}。",
        )
    return total


def _wins_go_together(game: Ruleset, wins: Sequence[Winner]) -> None:
    """Several wins are several winners of one tile or of the two tiles of one opened gang."""
    if len(wins) < 2:
        return
    seats = Counter(w.prize.seat for w in wins)
    several = game.table.several_winners
    if len(seats) > 1 and not several:
        raise _bad(
            "Only one player wins a tile here: the nearest after the discarder.",
            "一张牌只能一家胡：离出牌的人最近的那家。",
        )
    if max(seats.values()) > 1 and not game.table.joins(None):
        raise _bad("A player wins a hand once.", "一局里一个人只能胡一次。")
    if max(seats.values()) > 2:
        raise _bad(
            "An opened gang turns two tiles: a player wins twice at most.",
            "开杠只翻两张牌，一个人最多胡两次。",
        )
    first = wins[0]
    for win in wins[1:]:
        if (win.circumstances.by, win.prize.discarder) != (first.circumstances.by, first.prize.discarder):
            raise _bad(
                "Several wins come from one discard or one robbed gang: the same “by” and “from” for all.",
                "几次胡牌要来自同一次出牌或同一个杠：“by”和“from”要一样。",
            )
        if win.circumstances.moments != first.circumstances.moments:
            raise _bad(
                "Several wins on one tile are won in the same situation: the same “moments” for all.",
                "几家同时胡，情形要一样：“moments”要相同。",
            )
    if len(seats) > 1 and first.prize.discarder is None:
        raise _bad("Only one player can draw the winning tile.", "自摸只能有一个人胡。")
    # Where only the worth of the wins is known, nobody has said that they are not of an opened gang.
    unsaid = all(win.verdict is None for win in wins) and not first.circumstances.moments
    opened = game.table.joins(None if unsaid else first.circumstances.moments)
    if max(seats.values()) > 1 and not opened:
        raise _bad(
            "A player wins twice only on the two tiles of one opened gang.",
            "同一个人胡两次，只能是开杠翻出的两张牌都胡。",
        )
    for seat in seats:
        hands = {w.verdict.hand.without_winning() for w in wins if w.verdict and w.prize.seat == seat}
        if len(hands) > 1:
            raise _bad(
                "The two wins of one player are of one hand, each with its own winning tile.",
                "同一个人胡的两张，手牌应该是同一副，只有胡的那张不同。",
            )
    tiles = {w.verdict.hand.winning for w in wins if w.verdict}
    if len(tiles) > (2 if opened else 1):
        names = game.tiles.names(sorted(t for t in tiles if t))
        raise _bad(f"All win on one tile, not on {names.en}.", f"几家胡的应该是同一张牌，不能是{names.zh}。")


def _gang(game: Ruleset, entry: Any) -> Gang:
    entry = _mapping(entry, "gangs")
    _known(entry, ("seat", "tiles", "from", "dealt"), Text("A gang", "一个杠"))
    seat = _seat(entry.get("seat"), Text("The seat of a gang", "杠的“seat”"))
    text = entry.get("tiles")
    if not isinstance(text, str):
        raise _unread(
            'The tiles of a gang are a text, such as "[5555m]".', '杠的“tiles”要写成文字，如 "[5555m]"。'
        )
    held = notation.parse_unfinished(text, game.tiles)
    if len(held.melds) != 1 or held.loose or held.melds[0].kind not in (GANG_MELD, SPECIAL_GANG):
        raise HandError(
            "bad-meld",
            Text(
                f"“{text}” is not one gang: write it in brackets, as [5555m], (2222p) or a special gang.",
                f"“{text}”不是一个杠：请连括号写，如 [5555m]、(2222p) 或特殊杠。",
            ),
            at=0,
        )
    meld = held.melds[0]
    dealt = _flag(entry.get("dealt"), bool(meld.special))
    discarder = (
        None
        if entry.get("from") is None
        else _seat(entry["from"], Text("The “from” of a gang", "杠的“from”"))
    )
    if discarder == seat:
        raise _bad("A player can't gang their own discard.", "不能杠自己打出的牌。")
    if discarder is not None and (meld.concealed or meld.special or dealt):
        raise _bad(
            "Only an exposed gang of four alike is made with another's discard: leave out “from”.",
            "只有明杠才用别家打出的牌，这里不要写“from”。",
        )
    if meld.special and not dealt:
        raise _bad("A special gang is one only if it was dealt.", "特殊杠要起手集齐才算。")
    return Gang(seat, meld, dealt, discarder)


def _gangs_can_be(game: Ruleset, gangs: Sequence[Gang]) -> None:
    """A player has four melds at most."""
    for seat in range(4):
        own = [gang.meld for gang in gangs if gang.seat == seat]
        if len(own) > 4:
            raise _bad("A player has four gangs at most.", "一个人最多四个杠。")
        specials = [meld.special for meld in own if meld.special]
        if len(set(specials)) < len(specials) and not game.tiles.special_gang_twice:
            raise HandError(
                "bad-meld",
                Text(
                    "At this table a player may show only one special gang of a kind.",
                    "这桌同一种特殊杠每人只能亮一副。",
                ),
            )


def _tiles_suffice(game: Ruleset, wins: Sequence[Winner], gangs: Sequence[Gang]) -> None:
    """No tile is on the table more than four times: in the gangs and the winning hands together."""
    hands = {win.prize.seat: win.verdict.hand for win in wins if win.verdict}
    seen = Counter(tile for gang in gangs for tile in gang.meld.tiles)
    # Several winners win one and the same tile; the two tiles of an opened gang are two.
    won: Counter[Tile] = Counter()
    for seat, hand in hands.items():
        # A gang of the hand that is listed among the gangs is one and the same.
        listed = Counter(gang.meld for gang in gangs if gang.seat == seat)
        seen.update(hand.concealed)
        seen.update(tile for meld in (Counter(hand.melds) - listed).elements() for tile in meld.tiles)
        own = (w.verdict.hand.winning for w in wins if w.verdict and w.prize.seat == seat)
        won |= Counter(tile for tile in own if tile)
    seen += won
    for kind in sorted(seen):
        if seen[kind] > 4:
            name = game.tiles.name(kind)
            raise HandError(
                "too-many-copies",
                Text(
                    f"There are only four {name.en}; the hands and gangs hold {seen[kind]}.",
                    f"{name.zh}一共四张，手牌和杠里写了{seen[kind]}张。",
                ),
                tiles=[kind],
            )


def _openings(game: Ruleset, entries: Sequence[Any]) -> tuple[tuple[int, tuple[Opening, ...]], ...]:
    known = {o.key: o for o in game.openings if not o.is_win} if game.table.pays_openings else {}
    won = {o.key for o in game.openings if o.is_win}
    found: dict[int, list[Opening]] = {}
    for entry in entries:
        entry = _mapping(entry, "openings")
        _known(entry, ("seat", "keys"), Text("An opening", "起手胡"))
        seat = _seat(entry.get("seat"), Text("The seat of an opening", "起手胡的“seat”"))
        for key in _list(entry.get("keys"), "keys", 10):
            if not isinstance(key, str):
                raise _unread("The keys of an opening are texts.", "起手胡的“keys”要写成文字的列表。")
            if key in won:
                raise _bad(
                    f"“{key}” is a win: write it under “wins”, with “moments”.",
                    f"“{key}”是胡牌，请写在“wins”里，用“moments”注明。",
                )
            if key not in known:
                raise _bad(
                    f"{game.name.en} pays no opening “{key}”; known: {', '.join(known) or 'none'}.",
                    f"{game.name.zh}没有“{key}”这种起手胡，可用：{'、'.join(known) or '无'}。",
                )
            opening = known[key]
            if opening in found.setdefault(seat, []):
                raise _bad(f"“{key}” is paid once to a player.", f"“{key}”同一个人只算一次。")
            found[seat].append(opening)
    return tuple((seat, tuple(openings)) for seat, openings in found.items())


def _birds(game: Ruleset, value: Any) -> tuple[Tile, ...] | None:
    """The birds drawn; None where none were, as on the last tile, which is then the bird itself."""
    names = _list(value, "birds", 8)
    if not all(isinstance(name, str) for name in names):
        raise _unread('“birds” is a list of tiles, such as ["2m"].', '“birds”要写成牌的列表，如 ["2m"]。')
    if not names:
        return None
    if "birds" not in game.inputs:
        raise _bad(f"{game.name.en} has no birds.", f"{game.name.zh}没有鸟。")
    return circumstances.birds(game, names)


def _last_tile(game: Ruleset, value: Any, wins: Sequence[Winner]) -> LastTile | None:
    if value is None:
        return None
    value = _mapping(value, "last_tile")
    _known(value, ("offered", "taker"), Text("The last tile", "海底牌"))
    if not game.table.offers_last_tile:
        raise _bad(f"In {game.name.en} the last tile is not offered.", f"{game.name.zh}没有海底漫游。")
    offered = _seat(
        value.get("offered"), Text("Who was offered the last tile first", "海底的“offered”（先问谁）")
    )
    taker = None
    if value.get("taker") is not None:
        taker = _seat(value["taker"], Text("Who took the last tile", "海底的“taker”（谁要了）"))
    for win in wins:
        holder = win.prize.seat if win.prize.discarder is None else win.prize.discarder
        if game.table.is_on_last_tile(win.circumstances) and taker != holder:
            raise _bad(
                "A win on the last tile is on the tile that its taker drew: “taker” does not fit.",
                "海底胡的牌是要海底的人摸的，“taker”对不上。",
            )
    return LastTile(offered, taker)


# Plain data


def _known(entry: Mapping[str, Any], keys: Sequence[str], what: Text) -> None:
    for key in entry:
        if key not in keys:
            raise _unread(
                f"{what.en} has no “{key}”; known: {', '.join(keys)}.",
                f"{what.zh}没有“{key}”这一项，可用：{'、'.join(keys)}。",
            )


def _mapping(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _unread(f"“{name}” is made of objects: {{…}}.", f"“{name}”要写成对象：{{…}}。")
    return value


def _list(value: Any, name: str, most: int) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise _unread(f"“{name}” is a list: […].", f"“{name}”要写成列表：[…]。")
    if len(value) > most:
        raise _bad(f"“{name}” has at most {most} entries.", f"“{name}”最多{most}项。")
    return list(value)


def _seat(value: Any, what: Text) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value not in range(4):
        raise _bad(f"{what.en} is a number from 0 (the dealer) to 3.", f"{what.zh}要写座位号，0（庄家）到3。")
    return value


def _flag(value: Any, default: bool) -> bool:
    if value is None:
        return default
    if not isinstance(value, bool):
        raise _unread("“dealt” is true or false.", "“dealt”要写 true 或 false。")
    return value


def _plain(key: str, value: Any) -> Any:
    """A value of a win as `circumstances.read` takes it: a text, a number, a flag or a list of texts."""
    kinds: tuple[type, ...] = {"moments": (str, list), "listening": (bool,)}.get(key, (str, int))
    if value is None:
        return None
    if value == "":
        raise _unread(f"“{key}” of a win is empty.", f"胡牌的“{key}”是空的。")
    if not isinstance(value, kinds) or (isinstance(value, bool) and key != "listening"):
        raise _unread(f"“{key}” of a win can't be read.", f"胡牌的“{key}”写法不对。")
    if isinstance(value, list) and not all(isinstance(item, str) and item for item in value):
        raise _unread(f"“{key}” is a list of texts.", f"“{key}”要写成文字的列表。")
    return value


def _bad(english: str, chinese: str) -> HandError:
    return HandError("bad-context", Text(english, chinese))


def _unread(english: str, chinese: str) -> HandError:
    return HandError("bad-request", Text(english, chinese))
