"""The settlement's form: what its fields and an address hold, and the scenario that they make.

The names of the fields are those of the checker where they mean the same, so that a hand can be handed on
from there. Nothing is decided here: what can't be is left to the engine, which says why.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict

from rules import HandError, Ruleset, Text, notation
from rules.hands import GANG, SPECIAL_GANG, Hand, Meld
from rules.payments import Gang
from rules.ruleset import Way
from rules.settlement import MOST_GANGS, MOST_TOTAL, MOST_WINS
from rules.text import listed
from rules.tiles import TILES, Tile

DRAW = "draw"  # beside the ways to win: nobody did
NOBODY = "nobody"
EXPOSED, CONCEALED = "exposed", "concealed"
ADD_WIN, DROP_WIN, ADD_GANG, DROP_GANG = "add-win", "drop-win:", "add-gang", "drop-gang:"
_LONGEST_TEXT = 400
_WHOLE = re.compile(r"\d{1,4}")


class WinFields(NamedTuple):
    """One winner: the seat, and the hand in text or what it is worth."""

    seat: str = ""
    hand: str = ""
    worth: str = ""


class GangFields(NamedTuple):
    """One gang. kind: exposed, concealed, or the key of a special gang, "" where nobody said. tile: of which
    an ordinary one is made. added: the tiles added to a special one. discarder: whose discard made it.
    dealt: "1" where all four were dealt, "0" or "" where not."""

    seat: str = ""
    kind: str = EXPOSED
    tile: str = ""
    added: str = ""
    discarder: str = ""
    dealt: str = ""


@dataclass(frozen=True)
class Form:
    """What was filled in. by: a way to win or `DRAW`. openings: seat and key of each."""

    game: Ruleset
    by: str = ""
    discarder: str = ""
    moments: str = ""
    listening: str = ""
    bao: str = ""
    birds: str = ""
    wins: tuple[WinFields, ...] = (WinFields(),)
    gangs: tuple[GangFields, ...] = ()
    openings: tuple[tuple[str, str], ...] = ()
    offered: str = ""
    taker: str = ""

    @property
    def is_draw(self) -> bool:
        """Whether nobody won."""
        return self.by == DRAW

    @property
    def way(self) -> Way | None:
        """The way in which the winning tile came, None where it is none that the game has."""
        return next((way for way in self.game.ways if way.key == self.by), None)

    @property
    def asks_discarder(self) -> bool:
        """Whether the winning tile came from somebody else."""
        return not self.is_draw and (self.way is None or not self.way.self_drawn)

    @property
    def may_add_win(self) -> bool:
        """Whether one more winner can be asked for."""
        return self.game.table.several_winners and len(self.wins) < MOST_WINS

    @property
    def may_add_gang(self) -> bool:
        """Whether one more gang can be asked for."""
        return self.game.table.pays_gangs and len(self.gangs) < MOST_GANGS


class Missing(NamedTuple):
    """Something that has not been filled in yet: the id of its field, and what is asked."""

    field: str
    message: Text


class FieldError(Exception):
    """Something filled in that can't be, and in which field."""

    def __init__(self, field: str, error: HandError) -> None:
        super().__init__(error)
        self.field = field
        self.error = error


# What a game asks


def asks_whose_discard(game: Ruleset) -> bool:
    """Whether it matters at this table whose discard made a gang."""
    gang = _gang_of(game.tiles.tiles[0])
    return game.table.gang_lines(gang) != game.table.gang_lines(gang._replace(discarder=1))


def asks_dealt(game: Ruleset) -> bool:
    """Whether it matters for any tile that all four were dealt."""
    return any(_matters_dealt(game, kind) for kind in game.tiles.tiles)


def named_when_dealt(game: Ruleset) -> Text | None:
    """What the game calls four alike that are paid otherwise because they were dealt, None where nothing."""
    names = [
        opening.name
        for opening in game.openings
        if not opening.is_win
        and any(
            _matters_dealt(game, kind)
            and any(f.tiles == (kind,) * 4 for f in opening.found(game, Hand.of((kind,) * 4)))
            for kind in game.tiles.tiles
        )
    ]
    return listed(names) if names else None


def _matters_dealt(game: Ruleset, kind: Tile) -> bool:
    gang = _gang_of(kind)
    return game.table.gang_lines(gang) != game.table.gang_lines(gang._replace(dealt=True))


def _gang_of(kind: Tile) -> Gang:
    return Gang(0, Meld.of(GANG, (kind,) * 4), dealt=False, discarder=None)


# From an address or a form, and back


def read(params: QueryDict, game: Ruleset) -> Form:
    """What an address or a form holds.

    A link is taken at its word. A form, which says for which game it was `shown`, may hold what only another
    game asks; that is left behind, and so is what a hand is worth there.
    """
    form = Form(
        game=game,
        by=params.get("by", "") or game.ways[0].key,
        discarder=params.get("from", ""),
        moments=params.get("moments", ""),
        listening=params.get("listening", ""),
        bao=params.get("bao", ""),
        birds=" ".join(filter(None, params.getlist("birds")))[:_LONGEST_TEXT],
        wins=tuple(_wins(params)) or (WinFields(),),
        gangs=tuple(_gangs(params)),
        openings=tuple((seat, key) for seat, _, key in (o.partition(":") for o in params.getlist("opening"))),
        offered=params.get("offered", ""),
        taker=params.get("taker", ""),
    )
    if params.get("shown", game.key) == game.key:
        return form
    return used(replace(form, wins=tuple(win._replace(worth="") for win in form.wins)))


def _wins(params: QueryDict) -> Iterable[WinFields]:
    for n in range(1, MOST_WINS + 1):
        names = win_names(n)
        if any(name in params for name in names):
            yield WinFields(*(params.get(name, "")[:_LONGEST_TEXT] for name in names))


def win_names(n: int) -> tuple[str, str, str]:
    """The names of a winner's fields, in the order of `WinFields`; winners are counted from 1."""
    number = "" if n == 1 else str(n)
    return f"seat{number}", f"hand{number}", f"worth{number}"


def _gangs(params: QueryDict) -> Iterable[GangFields]:
    for n in range(1, MOST_GANGS + 1):
        names = gang_names(n)
        if any(params.get(name) for name in names):
            yield GangFields(*(params.get(name, "")[:_LONGEST_TEXT] for name in names))


def gang_names(n: int) -> tuple[str, str, str, str, str, str]:
    """The names of a gang's fields, in the order of `GangFields`; gangs are counted from 1."""
    gang = f"gang{n}"
    return f"{gang}-seat", f"{gang}-kind", f"{gang}-tile", f"{gang}-added", f"{gang}-from", f"{gang}-dealt"


def used(form: Form) -> Form:
    """The form without what its game does not ask."""
    game, table = form.game, form.game.table
    codes = {t.code for t in game.tiles.tiles}
    kinds = {EXPOSED, CONCEALED, *game.tiles.special_gangs}
    known = {opening.key for opening in game.openings if not opening.is_win} if table.pays_openings else ()
    return replace(
        form,
        by=form.by if form.is_draw or form.way else game.ways[0].key,
        moments=form.moments if "moments" in game.inputs else "",
        listening=form.listening if "listening" in game.inputs else "",
        bao=form.bao if "bao" in game.inputs else "",
        birds=form.birds if "birds" in game.inputs else "",
        wins=form.wins if table.several_winners else form.wins[:1],
        gangs=tuple(g for g in form.gangs if g.kind in ("", *kinds) and g.tile in ("", *codes))
        if game.table.pays_gangs
        else (),
        openings=tuple(o for o in form.openings if o[1] in known),
        offered=form.offered if table.offers_last_tile else "",
        taker=form.taker if table.offers_last_tile else "",
    )


def changed(form: Form, action: str) -> tuple[Form, str]:
    """The form after a press of a button that adds or drops a row, and the id of what to show then."""
    wins, gangs = form.wins, form.gangs
    if action == ADD_WIN and form.may_add_win:
        return replace(form, wins=(*wins, WinFields())), f"win{len(wins) + 1}"
    if action == ADD_GANG and form.may_add_gang:
        return replace(form, gangs=(*gangs, GangFields())), f"gang{len(gangs) + 1}"
    if action.startswith(DROP_WIN) and len(wins) > 1:
        return replace(form, wins=_without(wins, action.removeprefix(DROP_WIN))), "wins"
    if action.startswith(DROP_GANG):
        return replace(form, gangs=_without(gangs, action.removeprefix(DROP_GANG))), "gangs"
    return form, ""


def _without(rows: tuple[Any, ...], number: str) -> tuple[Any, ...]:
    """The rows but for one, which is counted from 1."""
    return tuple(row for n, row in enumerate(rows, 1) if str(n) != number)


def query(form: Form, options: Sequence[str]) -> str:
    """The form as an address holds it: what is not asked is left out, and so are defaults.

    options: house rules, each `key=value`.
    """
    fields = [("ruleset", form.game.key)]
    if form.by != form.game.ways[0].key:
        fields.append(("by", form.by))
    if form.asks_discarder:
        fields.append(("from", form.discarder))
    if not form.is_draw:
        fields += [(key, getattr(form, key)) for key in ("moments", "listening", "bao", "birds")]
        for n, win in enumerate(form.wins, 1):
            fields += zip(win_names(n), win, strict=True)
    else:
        fields += [("birds", form.birds)] if form.openings else []
        fields += [("offered", form.offered), ("taker", form.taker)]
    for n, gang in enumerate(form.gangs, 1):
        fields += zip(gang_names(n), gang, strict=True)
    fields += [("opening", f"{seat}:{key}") for seat, key in form.openings]
    fields += [("option", option) for option in options]
    # Of several winners each seat stands even when empty: it says that there is one.
    several = len(form.wins) > 1
    return urlencode([(k, v) for k, v in fields if v or (k.startswith("seat") and several)])


# The scenario


def asked_discarder(by: str) -> Text:
    """The question whose the winning tile was, in the words of the way it came."""
    return Text("Whose tile was it?", "谁点的炮？" if by == "discard" else "抢谁的杠？")


def missing(form: Form) -> list[Missing]:
    """What has to be filled in before anything can be settled."""
    found = []
    if form.asks_discarder and not form.discarder:
        found.append(Missing("from", asked_discarder(form.by)))
    for n, win in enumerate(() if form.is_draw else form.wins, 1):
        seat, hand, _ = win_names(n)
        if not win.seat:
            found.append(Missing(seat, Text("Who won?", "谁胡的？")))
        if not win.hand.strip() and not win.worth.strip():
            measure = form.game.measure.name
            found.append(
                Missing(
                    hand,
                    Text(
                        f"The winning hand, or how many {measure.en} it is worth.",
                        f"胡的是哪手牌？或者一共多少{measure.zh}？",
                    ),
                )
            )
    if form.is_draw and form.game.table.offers_last_tile and form.taker and not form.offered:
        found.append(Missing("offered", Text("Who was offered the last tile first?", "海底牌先问的谁？")))
    for n, gang in enumerate(form.gangs if form.game.table.pays_gangs else (), 1):
        if not gang.seat:
            found.append(Missing(f"gang{n}-seat", Text("Whose gang is it?", "是谁的杠？")))
        if not gang.kind:
            found.append(Missing(f"gang{n}-kind", Text("What kind of gang is it?", "是什么杠？")))
        if not gang.tile and gang.kind in (EXPOSED, CONCEALED):
            found.append(Missing(f"gang{n}-tile", Text("Of which tile is the gang?", "杠的是哪张牌？")))
    return found


class Built(NamedTuple):
    """A scenario, and the gangs in it that stand in winning hands but not in the list: seat and meld."""

    scenario: dict[str, Any]
    added: list[tuple[int, Meld]]


def scenario(form: Form) -> Built:
    """The scenario of a form in which nothing is missing. Raises FieldError."""
    data: dict[str, Any] = {}
    if not form.is_draw:
        data["wins"] = [_win(form, n, win) for n, win in enumerate(form.wins, 1)]
    elif form.offered:
        data["last_tile"] = {
            "offered": _number(form.offered),
            "taker": _number(form.taker) if form.taker not in ("", NOBODY) else None,
        }
    if form.gangs and not form.game.table.pays_gangs:
        name = form.game.name
        words = Text(f"In {name.en} gangs are not paid, and not asked for.", f"{name.zh}的杠不算分，不用填。")
        raise FieldError("", HandError("bad-context", words))
    gangs = [_gang(form.game, n, gang) for n, gang in enumerate(form.gangs, 1)]
    added = _gangs_in_hands(form, data.get("wins", ()), gangs) if form.game.table.pays_gangs else []
    gangs += [{"seat": seat, "tiles": notation.write_set(meld)} for seat, meld in added]
    if gangs:
        data["gangs"] = gangs
    if form.openings:
        seats = dict.fromkeys(seat for seat, _ in form.openings)
        data["openings"] = [
            {"seat": _number(seat), "keys": [key for s, key in form.openings if s == seat]} for seat in seats
        ]
    if form.birds.strip() and (not form.is_draw or form.openings):
        data["birds"] = [t.code for t in _tiles(form.game, form.birds, "birds")]
    return Built(data, added)


def _win(form: Form, n: int, win: WinFields) -> dict[str, Any]:
    worth_field = win_names(n)[2]
    measure = form.game.measure
    entry: dict[str, Any] = {"seat": _number(win.seat), "by": form.by}
    if form.asks_discarder:
        entry["from"] = _number(form.discarder)
    if win.hand.strip() and win.worth.strip():
        raise FieldError(
            worth_field,
            HandError(
                "bad-context",
                Text(
                    f"Give the hand or its {measure.name.en}, one of the two: the hand tells its worth.",
                    f"写手牌或者写{measure.name.zh}，只写一样：有手牌就能算出来。",
                ),
            ),
        )
    if win.hand.strip():
        entry["hand"] = win.hand
    else:
        entry[measure.key] = _worth(form.game, win.worth, worth_field)
    if form.moments:
        entry["moments"] = [form.moments]
    if form.listening:
        entry["listening"] = _yes(form.listening, "listening")
    if form.bao:
        entry["bao"] = form.bao
    return entry


def _worth(game: Ruleset, text: str, field: str) -> int:
    """How many fan or big wins a hand is worth. Raises FieldError."""
    measure = game.measure.name
    least = min((p.worth for p in game.patterns), default=0)
    plain = unicodedata.normalize("NFKC", text.strip())
    if _WHOLE.fullmatch(plain) and least <= int(plain) <= MOST_TOTAL:
        return int(plain)
    shown = text.strip() if len(text.strip()) <= 20 else f"{text.strip()[:20]}…"
    words = Text(
        f"The {measure.en} are a whole number from {least} to {MOST_TOTAL}, not “{shown}”.",
        f"{measure.zh}数要填{least}到{MOST_TOTAL}的整数，不能是“{shown}”。",
    )
    raise FieldError(field, HandError("bad-context", words))


def _yes(text: str, field: str) -> bool:
    """What a box to be ticked says in a link. Raises FieldError."""
    if text in ("", "0", "1"):
        return text == "1"
    shown = text[:20]
    words = Text(
        f"The link says “{shown}” here: 1 is yes, 0 is no.",
        f"链接里这一项写的是“{shown}”，只能写1（是）或0（不是）。",
    )
    raise FieldError(field, HandError("bad-request", words))


def _gang(game: Ruleset, n: int, gang: GangFields) -> dict[str, Any]:
    entry: dict[str, Any] = {"seat": _number(gang.seat)}
    special = game.tiles.special_gangs.get(gang.kind)
    if special:
        tiles = sorted([*special.tiles, *_tiles(game, gang.added, f"gang{n}-added")])
        entry["tiles"] = f"{{{''.join(t.code for t in tiles)}}}"
        return entry
    kind = next((t for t in TILES if t.code == gang.tile), None)
    text = notation.write_tiles((kind,) * 4) if kind else gang.tile
    entry["tiles"] = f"[{text}]" if gang.kind == CONCEALED else f"({text})"
    if _yes(gang.dealt, f"gang{n}-dealt"):
        entry["dealt"] = True
    if gang.discarder and gang.kind == EXPOSED:
        entry["from"] = _number(gang.discarder)
    return entry


def _gangs_in_hands(
    form: Form, wins: Iterable[dict[str, Any]], gangs: Iterable[dict[str, Any]]
) -> list[tuple[int, Meld]]:
    """The gangs of the winning hands that are not in the list, each with its seat."""
    listed = Counter((gang["seat"], meld) for gang in gangs for meld in _melds(form.game, gang["tiles"]))
    found = []
    for win in wins:
        for meld in _melds(form.game, win.get("hand", "")):
            if meld.kind not in (GANG, SPECIAL_GANG):
                continue
            if listed[win["seat"], meld]:
                listed[win["seat"], meld] -= 1
            else:
                found.append((win["seat"], meld))
    return found


def _melds(game: Ruleset, text: str) -> tuple[Meld, ...]:
    """The melds in a text, none where it can't be read: the engine will say so."""
    try:
        return notation.parse_unfinished(text, game.tiles).melds
    except HandError:
        return ()


def birds_of(form: Form) -> list[str] | None:
    """The codes of the birds as far as fields can show them, each from a list; None where they can't."""
    try:
        codes = [tile.code for tile in _tiles(form.game, form.birds, "birds")]
    except FieldError:
        return None
    kinds = {tile.code for tile in form.game.tiles.tiles}
    return codes if len(codes) <= form.game.table.most_birds and kinds.issuperset(codes) else None


def _tiles(game: Ruleset, text: str, field: str) -> tuple[Tile, ...]:
    """The tiles in a text of tiles alone, with or without commas. Raises FieldError."""
    plain = text.translate(str.maketrans(",，、;；", "     "))
    try:
        hand = notation.parse_unfinished(plain, game.tiles)
    except HandError as error:
        raise FieldError(field, error) from error
    if hand.melds or hand.winning:
        words = Text("Write tiles alone here, such as 2m 3p.", "这里只写牌，如 2m 3p。")
        raise FieldError(field, HandError("bad-character", words))
    return hand.concealed


def _number(text: str) -> Any:
    """A number from a field; what is none stays as it is, and the engine says that it can't be read."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
