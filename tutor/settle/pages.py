"""The score sheet's pages: the visitor's own, which only POST changes, and one read from a link."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

import rules
from rules import Text
from rules.circumstances import SEATS
from rules.text import listed
from tutor.requests import LONGEST_ADDRESS, readable
from tutor.settle.keeping import keep, kept
from tutor.settle.sheet import (
    MOST_HANDS,
    MOST_POINTS,
    PLAYERS,
    Full,
    NoSheet,
    Played,
    Sheet,
    decode,
    encode,
    name_from,
    packed,
    stake_from,
    unpacked,
)
from tutor.settle.views import Asked, answered, played, player_names

# What a spreadsheet would take for a formula.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
_NOTES = {
    "added": Text("The hand is written down.", "记上了。"),
    "saved": Text("The players are written down.", "玩家记上了。"),
    "back": Text("The hand is back.", "又记回来了。"),
    "taken": Text("This is your sheet now.", "这张记分表现在是你的了。"),
    "moved": Text(
        "Nothing was done: the sheet has changed since that page was loaded. See below what it holds now.",
        "什么也没改：那一页打开以后，记分表已经变了。现在的内容在下面。",
    ),
    "full": Text(
        f"Nothing was added: the sheet is full, at {MOST_HANDS} hands. Save it, then start a new one.",
        f"没有记上：记分表满了，最多{MOST_HANDS}局。先保存，再开一张新的。",
    ),
    "unsettled": Text(
        "Nothing was added: that hand can't be settled. Go back and look at what it says.",
        "没有记上：那一局还算不出来，请回去看看缺什么。",
    ),
}


class Change(NamedTuple):
    """What came of a POST: the sheet, and what its page then says. error: what was typed can't be."""

    sheet: Sheet
    says: Mapping[str, str] = {}
    error: Text | None = None


@require_http_methods(["GET", "HEAD", "POST"])
@readable
def sheet(request: HttpRequest) -> HttpResponse:
    """The score sheet: GET shows it, or the one that a link holds; POST changes the visitor's own."""
    own = kept(request)
    if request.method == "POST":
        change = _CHANGES.get(request.POST.get("do", ""), _nothing)(own, request.POST)
        if change.error:
            return _page(request, own, typed=request.POST, error=change.error)
        query = f"?{urlencode(change.says)}" if change.says else ""
        response = HttpResponseRedirect(f"{reverse('sheet')}{query}")
        return keep(request, response, change.sheet) if change.sheet != own else response
    if "sheet" in request.GET:
        try:
            return _shared(request, decode(request.GET["sheet"]), own)
        except NoSheet:
            return _page(request, own, error=_BAD_LINK)
    return _page(request, own)


_BAD_LINK = Text(
    "This link holds no score sheet: it may have been cut short. Here is your own.",
    "这个链接里没有记分表，可能没复制全。下面是你自己的。",
)


def _page(
    request: HttpRequest, own: Sheet, typed: QueryDict | None = None, error: Text | None = None
) -> HttpResponse:
    """The visitor's own sheet. typed: what was filled in and refused, with the error."""
    names = player_names(own)
    doing = typed.get("do", "") if typed is not None else ""
    context = {
        "sheet": own,
        "shown": Shown.of(own),
        "note": _NOTES.get(request.GET.get("said", "")),
        "undone": _undone(own, request.GET.get("undone", "")),
        "old": request.GET.get("old", ""),
        "error": error,
        "doing": doing,
        "players": [
            Field(
                player,
                names[player],
                (
                    typed.get(f"name{player}", "")
                    if typed is not None and doing == "players"
                    else own.names[player]
                ),
                typed.get(f"points{player}", "") if typed is not None and doing == "points" else "",
            )
            for player in PLAYERS
        ],
        "stake": typed.get("stake", "") if typed is not None and doing == "players" else own.stake,
        "link": f"{reverse('sheet')}?{urlencode({'sheet': encode(own)})}",
        "seats": [(SEATS[seat], names[own.player_at(seat)]) for seat in range(4)],
        "last_game": next((hand.ruleset for hand in reversed(own.hands) if hand.ruleset), ""),
        "most_hands": MOST_HANDS,
        "query": "",
    }
    return render(request, "settle/sheet.html", context)


def _shared(request: HttpRequest, shared: Sheet, own: Sheet) -> HttpResponse:
    """A sheet that a link holds, to read."""
    context = {
        "sheet": shared,
        "shown": Shown.of(shared),
        "code": encode(shared),
        "own": own,
        "is_own": shared == own,
        "query": urlencode({"sheet": encode(shared)}),
    }
    return render(request, "settle/shared.html", context)


@require_safe
@readable
def download(request: HttpRequest) -> HttpResponse:
    """The sheet for a spreadsheet: the visitor's own, or the one that a link holds."""
    try:
        written = decode(request.GET["sheet"]) if "sheet" in request.GET else kept(request)
    except NoSheet:
        return _page(request, kept(request), error=_BAD_LINK)
    response = HttpResponse(
        "\ufeff",
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="paili-{date.today():%Y-%m-%d}.csv"'},
    )
    shown = Shown.of(written)
    language = get_language() or "en"
    writer = csv.writer(response)
    names = [_safe(name.in_language(language)) for name in shown.names]
    writer.writerow([_("Hand"), _("Dealer"), _("How it ended"), *names])
    for row in shown.rows:
        dealer, words = names[row.dealer], _safe(row.words.in_language(language))
        writer.writerow([row.number, dealer, words, *row.points])
    writer.writerow(["", "", _("Total"), *written.totals])
    if written.worth:
        writer.writerow(
            ["", "", f"{_('Total')} × {written.stake}", *(f"{worth:f}" for worth in written.worth)]
        )
    return response


def _safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The answer to a form that came from elsewhere, or from a browser without cookies."""
    return render(request, "settle/refused.html", {"query": ""}, status=403)


# Changes


def _nothing(own: Sheet, posted: QueryDict) -> Change:
    return Change(own)


def _add(own: Sheet, posted: QueryDict) -> Change:
    """A settlement, computed anew from its query."""
    if posted.get("hands") != str(len(own.hands)):
        return Change(own, {"said": "moved"})
    query = posted.get("settlement", "")
    asked = Asked.of(QueryDict(query if len(query) < LONGEST_ADDRESS else ""))
    settlement = answered(asked.form, asked.ruleset, asked.options).settlement
    if settlement is None:
        return Change(own, {"said": "unsettled"})
    return _with(own, played(settlement, own, _player(posted.get("next", ""))))


def _points(own: Sheet, posted: QueryDict) -> Change:
    """Four numbers that were typed."""
    numbers = []
    for player, name in enumerate(player_names(own)):
        text = posted.get(f"points{player}", "").strip()
        try:
            number = int(text.replace("−", "-").replace("－", "-").replace("＋", "+") or "0")
        except ValueError:
            number = MOST_POINTS + 1
        if abs(number) > MOST_POINTS:
            shown = text[:20]
            return Change(
                own,
                error=Text(
                    f"“{shown}” for {name.en} is not a whole number of points.",
                    f"{name.zh}的分数“{shown}”不是整数。",
                ),
            )
        numbers.append(number)
    total = sum(numbers)
    if total:
        return Change(
            own,
            error=Text(
                f"What some win others pay: the four must add up to 0, and they add up to {total:+d}.",
                f"有赢就有输，四家加起来应当是0，现在是{total:+d}。",
            ),
        )
    a, b, c, d = numbers
    next_dealer = _player(posted.get("next", ""))
    return _with(own, Played((a, b, c, d), own.dealer if next_dealer is None else next_dealer))


def _with(own: Sheet, hand: Played, said: str = "added") -> Change:
    try:
        return Change(own.with_hand(hand), {"said": said})
    except Full:
        return Change(own, {"said": "full"})


def _undo(own: Sheet, posted: QueryDict) -> Change:
    """Takes the last hand back, and says which it was, so that it can be put back."""
    if not own.hands or posted.get("hands") != str(len(own.hands)):
        return Change(own, {"said": "moved"} if own.hands else {})
    return Change(own.without_last(), {"undone": json.dumps(packed(own.hands[-1]), separators=(",", ":"))})


def _put_back(own: Sheet, posted: QueryDict) -> Change:
    hand = _undone(own, posted.get("undone", ""))
    if hand is None or posted.get("hands") != str(len(own.hands)):
        return Change(own, {"said": "moved"})
    return _with(own, hand.hand, "back")


class Undone(NamedTuple):
    """A hand that was taken back: its number, itself, and as a form holds it."""

    number: int
    hand: Played
    text: str


def _undone(own: Sheet, text: str) -> Undone | None:
    if not 0 < len(text) < 200:
        return None
    try:
        return Undone(len(own.hands) + 1, unpacked(json.loads(text)), text)
    except (ValueError, RecursionError):
        return None


def _players(own: Sheet, posted: QueryDict) -> Change:
    """Names, the first dealer as long as nobody has played, and the stake."""
    try:
        stake = stake_from(posted.get("stake", "")[:20])
    except ValueError:
        return Change(
            own,
            error=Text(
                "The stake is an amount for each point, such as 1 or 0.5, at most 10000.",
                "每分多少要写成数目，如 1 或 0.5，最多10000。",
            ),
        )
    a, b, c, d = (name_from(posted.get(f"name{player}", "")) for player in PLAYERS)
    first = _player(posted.get("first", ""))
    changed = replace(own, names=(a, b, c, d), stake=stake)
    if first is not None and not own.hands:
        changed = replace(changed, first_dealer=first)
    return Change(changed, {"said": "saved"})


def _new(own: Sheet, posted: QueryDict) -> Change:
    """An empty sheet for the same players; the old one stays behind the link that is then shown."""
    if posted.get("hands") != str(len(own.hands)):
        return Change(own, {"said": "moved"})
    return Change(replace(own, hands=(), first_dealer=own.dealer), {"old": encode(own)})


def _take(own: Sheet, posted: QueryDict) -> Change:
    """A shared sheet as the visitor's own; theirs stays behind the link that is then shown."""
    try:
        taken = decode(posted.get("sheet", ""))
    except NoSheet:
        return Change(own)
    return Change(taken, {"said": "taken", **({"old": encode(own)} if own.hands else {})})


_CHANGES: dict[str, Callable[[Sheet, QueryDict], Change]] = {
    "add": _add,
    "points": _points,
    "undo": _undo,
    "put-back": _put_back,
    "players": _players,
    "new": _new,
    "take": _take,
}


def _player(text: str) -> int | None:
    return int(text) if text in ("0", "1", "2", "3") else None


# What is shown


class Field(NamedTuple):
    """A player in the forms: number, what the page calls them, and what stands in the fields."""

    number: int
    name: Text
    typed_name: str
    typed_points: str


class Row(NamedTuple):
    """A hand in the table. dealer: the player who dealt."""

    number: int
    dealer: int
    words: Text
    points: tuple[int, ...]


@dataclass(frozen=True)
class Shown:
    """A sheet as its table shows it. worth: the totals at the stake, None where there is none."""

    names: list[Text]
    rows: list[Row]
    totals: tuple[int, ...]
    worth: tuple[Decimal, ...] | None

    @classmethod
    def of(cls, written: Sheet) -> Shown:
        """A sheet in words."""
        names = player_names(written)
        rows = [
            Row(n + 1, written.dealer_of(n), _words(hand, names), hand.points)
            for n, hand in enumerate(written.hands)
        ]
        return cls(names, rows, written.totals, written.worth)


def _words(hand: Played, names: list[Text]) -> Text:
    """How a hand ended."""
    if not hand.ruleset:
        return Text("written in by hand", "手记")
    game = rules.rulesets().get(hand.ruleset)
    where = game.name if game else Text(hand.ruleset, hand.ruleset)
    if not hand.winners:
        return Text(f"{where.en}: nobody won", f"{where.zh}：没人胡")
    winners = listed([names[player] for player in hand.winners])
    if hand.discarder is None:
        return Text(f"{where.en}: {winners.en}, self-drawn", f"{where.zh}：{winners.zh}自摸")
    loser = names[hand.discarder]
    return Text(f"{where.en}: {winners.en} from {loser.en}", f"{where.zh}：{winners.zh}胡{loser.zh}的牌")
