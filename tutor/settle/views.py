"""The page of the settlement: how a hand ended goes in, who pays whom and who deals next comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

import rules
from rules import HandError, Ruleset, Text
from rules.circumstances import SEATS
from rules.hands import Meld
from rules.payments import Line
from rules.settlement import Settlement
from rules.text import listed
from tutor import answers, house
from tutor.checker.entry import around
from tutor.requests import LONGEST_ADDRESS, readable, varied
from tutor.settle.examples import examples
from tutor.settle.form import (
    CONCEALED,
    DRAW,
    EXPOSED,
    FieldError,
    Form,
    Missing,
    asked_discarder,
    asks_dealt,
    asks_whose_discard,
    birds_of,
    changed,
    gang_names,
    missing,
    named_when_dealt,
    query,
    read,
    scenario,
    used,
    win_names,
)
from tutor.settle.keeping import kept, lost
from tutor.settle.sheet import Played, Sheet

MOST_ACTIONS = 20
_MOST_OTHERS = 60


@require_safe
@readable
def settle(request: HttpRequest) -> HttpResponse:
    """Who pays whom: the whole state stands in the URL; `do` are presses of buttons, done and gone."""
    asked = Asked.of(request.GET)
    form, place = asked.form, ""
    actions = request.GET.getlist("do")[:MOST_ACTIONS]
    for action in actions:
        form, place = changed(form, action)
    link = query(form, asked.options)
    number = _hand_number(request.GET.get("sheet", ""))
    rest = [*(("other", other) for other in asked.others), *((("sheet", str(number)),) if number else ())]
    own = f"{link}&{urlencode(rest)}" if rest else link
    address = f"{reverse('settle')}?{own}"
    # A form's fields are many; its address holds only what matters.
    from_fields = any(name.startswith(house.FIELD) for name in request.GET)
    if (actions or from_fields) and "HX-Request" not in request.headers and len(address) < LONGEST_ADDRESS:
        return varied(HttpResponseRedirect(f"?{own}{'#' + place if place else ''}"), "HX-Request", "Cookie")

    sheet = kept(request)
    names = player_names(sheet) if number else None
    at_seats = [names[sheet.player_at(seat)] for seat in range(4)] if names else None
    seats = seat_names(at_seats)
    answer = answered(form, asked.ruleset, asked.options)
    without = query(used(form), asked.options)
    context = {
        "form": form,
        "fields": Fields.of(form, seats, at_seats),
        "rulesets": rules.rulesets().values(),
        "panels": house.panels([form.game]),
        "strays": asked.strays,
        "others": asked.others,
        "answer": answer,
        "shown": Shown.of(answer.settlement, seats, at_seats) if answer.settlement else None,
        "examples": examples(form.game),
        "sheet": sheet,
        "lost": lost(request),
        "number": number,
        "adding": Adding.of(answer.settlement, sheet, number) if answer.settlement else None,
        "link": link,
        "tapping": _checker_query(form, form.game, form.wins[0].hand, asked.options),
        "without": ""
        if answer.error is None or without == link
        else f"{without}&{urlencode(rest)}".rstrip("&"),
        "query": own,
        "error_places": error_places(form),
    }
    response = render(request, "settle/settle.html", context)
    if len(address) < LONGEST_ADDRESS:
        response["HX-Replace-Url"] = address
    if number or sheet.hands:
        response["Cache-Control"] = "private, no-store"
    return varied(response, "HX-Request", "Cookie")


def _hand_number(text: str) -> int:
    """Which hand of the visitor's sheet is settled, counted from 1; 0 where it is none of a sheet."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0


class Asked(NamedTuple):
    """What an address asks. ruleset: the key that it names, which may be none that there is. options: the
    house rules as an address holds them. strays: those of them that no field can show. others: those of
    the other games, each `ruleset:key=value`, which wait for their game to be chosen again."""

    form: Form
    ruleset: str
    options: list[str]
    strays: list[str]
    others: list[str]

    @classmethod
    def of(cls, params: QueryDict) -> Asked:
        """What these fields ask."""
        key = params.get("ruleset", "")
        known = rules.rulesets()
        plain = known.get(key) or next(iter(known.values()))
        options = house.options_from(params, [plain], ())
        waiting = list(dict.fromkeys(params.getlist("other")))[:_MOST_OTHERS]
        before = known.get(params.get("shown", plain.key), plain)
        if before.key != plain.key:
            # The game was changed: its own rules come back, and those of the one before wait.
            options += [o.partition(":")[2] for o in waiting if o.partition(":")[0] == plain.key]
            left = house.played(before, house.options_from(params, [before], ()))
            waiting = [o for o in waiting if o.partition(":")[0] != before.key]
            waiting += [f"{before.key}:{option}" for option in house.written([left], ())]
        game = house.played(plain, options)
        strays = house.strays(options, [plain])
        others = [o for o in waiting if o.partition(":")[0] in known.keys() - {plain.key}]
        return cls(read(params, game), key or plain.key, house.written([game], strays), strays, others)


# The fields


# The seats in a word each, for buttons side by side: all but the first are counted from the dealer.
SHORT_SEATS = (
    Text("dealer", "庄家"),
    Text("next", "下家"),
    Text("opposite", "对家"),
    Text("before", "上家"),
)


class Choice(NamedTuple):
    """A value of a field with its words. style: how the page tells it from others, if it does."""

    value: str
    words: Text
    style: str = ""


class Seat(NamedTuple):
    """A seat as a button. player: who sits there, None where no sheet says."""

    value: str
    words: Text
    player: Text | None


@dataclass(frozen=True)
class Fields:
    """What the form offers, as far as its game asks it. birds: what each list of birds shows, None where
    only a text can show what was entered."""

    ways: list[Choice]
    seats: list[Choice]
    buttons: list[Seat]
    moments: list[Choice]
    baos: list[Choice]
    asks_listening: bool
    asks_birds: bool
    birds: list[str] | None
    pays_gangs: bool
    gang_kinds: list[Choice]
    tiles: list[Choice]
    asks_dealt: bool
    dealt_names: Text | None
    asks_whose_discard: bool
    openings: list[tuple[Choice, list[Choice]]]
    chosen_openings: list[str]
    offers_last_tile: bool
    least: int
    least_words: Text | None
    whose: Text

    @classmethod
    def of(cls, form: Form, seats: Sequence[Text], players: Sequence[Text] | None) -> Fields:
        """The fields of a form. seats: what each is called. players: who sits there, None if nobody says."""
        game, table = form.game, form.game.table
        names = [Choice(str(n), name) for n, name in enumerate(seats)]
        least = min((p.worth for p in game.patterns), default=0)
        paid = [o for o in game.openings if not o.is_win] if table.pays_openings else []
        gangs = table.pays_gangs
        birds = birds_of(form)
        return cls(
            ways=[
                *(Choice(w.key, w.name, "self-drawn" if w.self_drawn else "") for w in game.ways),
                Choice(DRAW, Text("nobody won", "没人胡")),
            ],
            seats=names,
            buttons=[
                Seat(str(n), words, players[n] if players else None) for n, words in enumerate(SHORT_SEATS)
            ],
            moments=[
                Choice(p.key, Text(f"{p.name.en}: {p.meaning.en}", f"{p.name.zh}：{p.meaning.zh}"))
                for p in game.patterns
                if p.is_moment and not p.implied_by and "moments" in game.inputs
            ],
            baos=[Choice(t.code, game.tiles.name(t)) for t in game.tiles.tiles]
            if "bao" in game.inputs
            else [],
            asks_listening="listening" in game.inputs,
            asks_birds="birds" in game.inputs and table.most_birds > 0,
            birds=None if birds is None else [*birds, *[""] * (table.most_birds - len(birds))],
            pays_gangs=gangs,
            gang_kinds=[
                Choice(EXPOSED, Text("exposed gang", "明杠"), "ordinary exposed"),
                Choice(CONCEALED, Text("concealed gang", "暗杠"), "ordinary"),
                *(Choice(key, gang.name, "special") for key, gang in game.tiles.special_gangs.items()),
            ],
            tiles=[Choice(t.code, game.tiles.name(t)) for t in game.tiles.tiles],
            asks_dealt=gangs and asks_dealt(game),
            dealt_names=named_when_dealt(game) if gangs else None,
            asks_whose_discard=gangs and asks_whose_discard(game),
            openings=[
                (seat, [Choice(f"{seat.value}:{o.key}", o.name) for o in paid]) for seat in names if paid
            ],
            chosen_openings=[f"{seat}:{key}" for seat, key in form.openings],
            offers_last_tile=table.offers_last_tile,
            least=least,
            least_words=game.measure.total(least) if least == 0 else None,
            whose=asked_discarder(form.by),
        )


def error_places(form: Form) -> list[str]:
    """The fields beside which an error can be said."""
    found = [name for n, _ in enumerate(form.wins, 1) for name in win_names(n)[1:]]
    if form.game.table.pays_gangs:
        found += [gang_names(n)[at] for n, _ in enumerate(form.gangs, 1) for at in (2, 3)]
        if asks_dealt(form.game):
            found += [gang_names(n)[5] for n, _ in enumerate(form.gangs, 1)]
    if "listening" in form.game.inputs:
        found.append("listening")
    return [*found, "birds"] if "birds" in form.game.inputs and form.game.table.most_birds else found


def seat_names(players: Sequence[Text] | None) -> list[Text]:
    """What each seat is called, with the player who sits there where that is known."""
    if players is None:
        return list(SEATS)
    return [
        Text(f"{player.en} ({seat.en})", f"{player.zh}（{seat.zh}）")
        for player, seat in zip(players, SEATS, strict=True)
    ]


def player_names(sheet: Sheet) -> list[Text]:
    """What each player is called."""
    return [
        Text(name, name) if name else Text(f"Player {n}", f"玩家{n}") for n, name in enumerate(sheet.names, 1)
    ]


# The answer


@dataclass(frozen=True)
class Answer:
    """What there is to say: a settlement, or what is still to be filled in, or what is wrong and where.

    field: the id of the field that is wrong, "" where it can't be told. text: the hand before, at and after
    the place of the error. added: gangs of winning hands that were not in the list, each with its seat.
    checked: for a hand that does not win, the question for the checker.
    """

    settlement: Settlement | None = None
    missing: Sequence[Missing] = ()
    error: HandError | None = None
    field: str = ""
    text: tuple[str, str, str] | None = None
    added: Sequence[tuple[int, Meld]] = ()
    checked: str = ""

    @property
    def state(self) -> str:
        """`win` for a settlement, else `unfinished` or `error`."""
        if self.settlement:
            return "win"
        return "unfinished" if self.missing else "error"

    @property
    def may_be_dealt(self) -> bool:
        """Whether a gang was added of which nobody said how its tiles came."""
        return any(not meld.special for _, meld in self.added)


def answered(form: Form, ruleset: str, options: Sequence[str]) -> Answer:
    """The answer to a form. ruleset: the key that was asked for. options: house rules, each `key=value`."""
    try:
        game = answers.game_of(ruleset, options)
    except HandError as error:
        return Answer(error=error)
    gaps = missing(form)
    if gaps:
        return Answer(missing=gaps)
    try:
        built = scenario(form)
    except FieldError as wrong:
        return Answer(error=wrong.error, field=wrong.field if wrong.field in error_places(form) else "")

    def ask(part: dict[str, Any]) -> Settlement:
        return answers.settle(part, ruleset, options)

    try:
        return Answer(ask(built.scenario), added=built.added)
    except HandError as error:
        field = _field_of(error, form, built.scenario, ask)
        hand = form.wins[_number_of(field) - 1].hand if field.startswith("hand") else ""
        return Answer(
            error=error,
            field=field if field in error_places(form) else "",
            text=around(hand, error.at if hand else None),
            checked=_checker_query(form, game, hand, options) if error.code == "not-a-win" else "",
        )


def _field_of(
    error: HandError, form: Form, data: dict[str, Any], ask: Callable[[dict[str, Any]], Settlement]
) -> str:
    """The id of the field at fault: of the first part that is refused alone for the same reason, or ""."""

    def fails(part: dict[str, Any]) -> bool:
        try:
            ask(part)
        except HandError as same:
            return same.message == error.message
        return False

    if data.get("birds") and fails({"birds": data["birds"]}):
        return "birds"
    for n, win in enumerate(data.get("wins", ()), 1):
        if fails({"wins": [win]}):
            return f"{'hand' if 'hand' in win else 'worth'}{n if n > 1 else ''}"
    for n, (gang, fields) in enumerate(zip(data.get("gangs", ()), form.gangs, strict=False), 1):
        if fails({"gangs": [gang]}):
            return f"gang{n}-{'tile' if fields.kind in (EXPOSED, CONCEALED) else 'added'}"
    return ""


def _number_of(field: str) -> int:
    return int(field.removeprefix("hand") or 1)


def _checker_query(form: Form, game: Ruleset, hand: str, options: Sequence[str]) -> str:
    """The question that the checker answers rule by rule."""
    seat = next((win.seat for win in form.wins if win.hand == hand), "")
    fields = {
        "ruleset": game.key,
        "hand": hand,
        "by": form.by,
        "seat": seat,
        "from": form.discarder if form.asks_discarder else "",
        "listening": form.listening,
        "bao": form.bao,
        "moments": form.moments,
    }
    return urlencode([*((k, v) for k, v in fields.items() if v), *(("option", o) for o in options)])


class Payment(NamedTuple):
    """Lines of a settlement that say the same. each: whether several pay, each of them these points."""

    payers: Text
    receiver: Text
    points: int
    message: Text
    cites: tuple[str, ...]
    each: bool


class Won(NamedTuple):
    """A win of a settlement. patterns: name and worth of what it is made of, where the hand is known."""

    words: Text
    hand: Any
    patterns: list[tuple[Text, int]]


@dataclass(frozen=True)
class Shown:
    """A settlement as the page shows it. short: seat, player if known, and points, for a single line."""

    wins: list[Won]
    payments: list[Payment]
    totals: list[tuple[Text, int]]
    short: list[tuple[Text, Text | None, int]]
    next_dealer: Text | None
    birds_unsaid: int

    @classmethod
    def of(cls, settlement: Settlement, seats: Sequence[Text], players: Sequence[Text] | None) -> Shown:
        """A settlement in words. seats: what each is called. players: who sits there, None if nobody says."""
        game = settlement.scenario.ruleset
        wins = []
        for win in settlement.scenario.wins:
            total = game.measure.total(win.prize.total)
            name = seats[win.prize.seat]
            wins.append(
                Won(
                    Text(
                        f"{name.en[0].upper()}{name.en[1:]} wins: {total.en}.", f"{name.zh}胡了：{total.zh}。"
                    ),
                    win.verdict.hand if win.verdict else None,
                    [(game.pattern(key).name, worth) for key, worth in win.verdict.patterns.items()]
                    if win.verdict
                    else [],
                )
            )
        dealer = settlement.next_dealer
        return cls(
            wins,
            [_payment(list(lines), seats) for _, lines in groupby(settlement.lines, key=_alike)],
            list(zip(seats, settlement.payments, strict=True)),
            list(zip(SHORT_SEATS, players or (None,) * 4, settlement.payments, strict=True)),
            None if dealer is None else seats[dealer],
            _birds_unsaid(settlement),
        )


def _birds_unsaid(settlement: Settlement) -> int:
    """How many birds the table draws where they count and none was entered, else 0."""
    scenario = settlement.scenario
    counts = scenario.wins or scenario.openings
    return 0 if scenario.birds or not counts else scenario.ruleset.table.most_birds


def _alike(line: Line) -> tuple[object, ...]:
    return line.receiver, line.points, line.message, line.cites


def _payment(lines: list[Line], seats: Sequence[Text]) -> Payment:
    first = lines[0]
    payers = listed([seats[line.payer] for line in lines], last=Text("and", "、"))
    return Payment(payers, seats[first.receiver], first.points, first.message, first.cites, len(lines) > 1)


# The sheet


@dataclass(frozen=True)
class Adding:
    """What adding a settlement to the visitor's sheet will do. asks_dealer: nothing says who deals next.
    asks_first: nothing says who dealt. written: the number of the hand that it already is, 0 if none."""

    players: list[tuple[Text, Text, int]]  # player, seat, points
    choices: list[Choice]
    asks_dealer: bool
    asks_first: bool
    written: int

    @classmethod
    def of(cls, settlement: Settlement, sheet: Sheet, number: int) -> Adding:
        """The players in the order of their seats, with what each gains or loses. number: which hand of the
        sheet the page asked for, 0 if it did not say."""
        names = player_names(sheet)
        at = [sheet.player_at(seat) for seat in range(4)]
        return cls(
            [(names[player], SEATS[seat], settlement.payments[seat]) for seat, player in enumerate(at)],
            [Choice(str(player), names[player]) for player in at],
            settlement.next_dealer is None,
            sheet.is_blank and not number,
            _written(settlement, sheet, number),
        )


def _written(settlement: Settlement, sheet: Sheet, number: int) -> int:
    """The number of the hand of a sheet that is this very settlement: what a page asked for, or the last."""
    last = len(sheet.hands)
    if number == last + 1:
        return 0
    for n in (number, last):
        if not 0 < n <= last:
            continue
        there = sheet.hands[n - 1]
        if played(settlement, sheet.before(n - 1), there.next_dealer) == there:
            return n
    return 0


def played(settlement: Settlement, sheet: Sheet, next_dealer: int | None) -> Played:
    """A settlement as a hand of a sheet. next_dealer: the player who deals next if nothing else says it."""
    if settlement.next_dealer is not None:
        next_dealer = sheet.player_at(settlement.next_dealer)
    wins = settlement.scenario.wins
    discarder = wins[0].prize.discarder if wins else None
    return Played(
        points=sheet.seats_to_players(settlement.payments),
        next_dealer=sheet.dealer if next_dealer is None else next_dealer,
        ruleset=settlement.scenario.ruleset.key,
        winners=tuple(dict.fromkeys(sheet.player_at(win.prize.seat) for win in wins)),
        discarder=None if discarder is None else sheet.player_at(discarder),
    )
