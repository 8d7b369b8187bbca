"""The score sheet's pages: the visitor's own, which only POST changes, and one read from a link."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple
from urllib.parse import urlencode

from django.core.exceptions import TooManyFieldsSent
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

import rules
from rules import Text
from rules.circumstances import SEATS
from rules.text import listed
from tutor.requests import LONGEST_ADDRESS, readable, varied
from tutor.settle.keeping import keep, kept, lost
from tutor.settle.sheet import (
    LONGEST_NAME,
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
    whole_name,
)
from tutor.settle.views import Asked, answered, played, player_names

# What a spreadsheet would take for a formula.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
_WHOLE = re.compile(r"[+-]?\d+")
# How long after a press the page still says what came of it.
_SAID_FOR = timedelta(hours=1)
_MOVED = Text(
    "Nothing was done: the sheet has changed since that page was loaded. See below what it holds now.",
    "什么也没改：那一页打开以后，记分表已经变了。现在的内容在下面。",
)
_NOTES = {
    "added": Text("Hand {n} added.", "第{n}局记上了。"),
    "saved": Text("The players are written down.", "玩家记上了。"),
    "shortened": Text(
        f"The players are written down; a name longer than {LONGEST_NAME} characters was shortened.",
        f"玩家记上了，名字最多{LONGEST_NAME}个字，太长的截短了。",
    ),
    "back": Text("Hand {n} is back.", "第{n}局又记回来了。"),
    "taken": Text("This is your sheet now.", "这张记分表现在是你的了。"),
    "moved": _MOVED,
    "moved-hand": Text(
        "The hand was not added: the sheet has changed since that page was loaded. Go back, load the page "
        "anew and look at who sits where before you add it.",
        "这局没有记上：那一页打开以后，记分表已经变了。请返回那一页刷新，看清各家座位再记。",
    ),
    "full": Text(
        f"Nothing was added: the sheet is full, at {MOST_HANDS} hands. Save it, then start a new one.",
        f"没有记上：记分表满了，最多{MOST_HANDS}局。先保存，再开一张新的。",
    ),
    "full-size": Text(
        "Nothing was added: the sheet is full, a browser keeps no more than this. Save it, then start a "
        "new one.",
        "没有记上：记分表满了，浏览器里存不下更多。先保存，再开一张新的。",
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
    response = _answer(request)
    response["Cache-Control"] = "private, no-store"
    return response


def _answer(request: HttpRequest) -> HttpResponse:
    own = kept(request)
    if request.method == "POST":
        change = _change(own, request.POST)
        if change.error:
            return _page(request, own, typed=request.POST, error=change.error)
        says = {key: _sealed(request, text) for key, text in change.says.items()}
        response = HttpResponseRedirect(f"{reverse('sheet')}{f'?{urlencode(says)}' if says else ''}")
        return keep(request, response, change.sheet) if change.sheet != own else response
    if "sheet" in request.GET:
        try:
            return _shared(request, decode(request.GET["sheet"]), own)
        except NoSheet:
            return _page(request, own, error=_BAD_LINK)
    return _page(request, own)


def _change(own: Sheet, posted: QueryDict) -> Change:
    """What a press does. Done a second time from the same page it changes nothing and says the same."""
    change = _CHANGES.get(posted.get("do", ""), _nothing)
    before = next((base for base in _bases(own, posted) if base.guard == posted.get("guard")), None)
    if before is None:
        return _too_late(own, posted)
    made = change(before, posted)
    if made.error or before == own:
        return made
    return made._replace(sheet=own) if made.sheet == own else _too_late(own, posted)


def _bases(own: Sheet, posted: QueryDict) -> Iterator[Sheet]:
    """The sheets from which the page may have been made: this one, and those from which it may have come."""
    yield own
    if own.hands:
        yield own.without_last()
    with suppress(ValueError, RecursionError):
        yield replace(own, hands=(*own.hands, unpacked(json.loads(posted.get("last", "")))))
    with suppress(NoSheet):
        yield decode(posted.get("mine", ""))
    yield Sheet()


def _too_late(own: Sheet, posted: QueryDict) -> Change:
    """The answer to a page that was made from another sheet; what was typed there stays typed."""
    do = posted.get("do", "")
    if do == "players" and (change := _players(own, posted)).sheet == own:
        return change
    if do in ("players", "points"):
        return Change(own, error=_MOVED)
    if do not in _CHANGES:
        return Change(own)
    return Change(own, {"said": "moved-hand" if do == "add" else "moved"})


def _sealed(request: HttpRequest, text: str) -> str:
    """A text that `_unsealed` takes from this visitor alone, not from a link that somebody else wrote."""
    return _signer(request).sign(text)


def _unsealed(request: HttpRequest, name: str) -> str:
    """What an address says of the press that led to it, "" if nothing or if this site did not say it."""
    try:
        return _signer(request).unsign(request.GET.get(name, ""), max_age=_SAID_FOR)
    except BadSignature:
        return ""


def _signer(request: HttpRequest) -> TimestampSigner:
    get_token(request)  # sees to it that the visitor has one
    return TimestampSigner(salt=f"paili-said {request.META['CSRF_COOKIE']}")


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
    old = _unsealed(request, "old")
    undone = _undone(own, _unsealed(request, "undone"))
    said, _space, number = _unsealed(request, "said").partition(" ")
    note = _NOTES.get(said)
    context = {
        "sheet": own,
        "lost": lost(request),
        "shown": Shown.of(own),
        "note": Text(note.en.format(n=number), note.zh.format(n=number)) if note else None,
        "undone": undone,
        "put_back": request.GET.get("undone", ""),
        "old": old,
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
        "next": _chosen(typed, "next", own.dealer),
        "first": _chosen(typed, "first", own.first_dealer),
        "code": encode(own),
        "last": json.dumps(packed(own.hands[-1]), separators=(",", ":")) if own.hands else "",
        "seats": [(SEATS[seat], names[own.player_at(seat)]) for seat in range(4)],
        "next_hand": _next_hand(own),
        "most_hands": MOST_HANDS,
        # The other language's page says the same.
        "query": urlencode(
            {
                key: request.GET[key]
                for key, is_told in (("said", note), ("undone", undone), ("old", old))
                if is_told
            }
        ),
    }
    return render(request, "settle/sheet.html", context)


def _chosen(typed: QueryDict | None, name: str, otherwise: int) -> int:
    player = _player(typed.get(name, "")) if typed is not None else None
    return otherwise if player is None else player


def _next_hand(own: Sheet) -> str:
    """The query that asks for the next hand, of the game and by the table rules of the last one."""
    last = next((hand.ruleset for hand in reversed(own.hands) if hand.ruleset), "")
    game, *options = own.table or (last,)
    fields = [("ruleset", game), *(("option", option) for option in options)] if game else []
    return urlencode([*fields, ("sheet", str(len(own.hands) + 1))])


def _shared(request: HttpRequest, shared: Sheet, own: Sheet) -> HttpResponse:
    """A sheet that a link holds, to read."""
    context = {
        "sheet": shared,
        "shown": Shown.of(shared),
        "code": encode(shared),
        "own": own,
        "own_code": "" if own.is_blank else encode(own),
        "lost": lost(request),
        "is_own": shared == own,
        "query": urlencode({"sheet": encode(shared)}),
    }
    return render(request, "settle/shared.html", context)


@require_safe
@readable
def download(request: HttpRequest) -> HttpResponse:
    """The sheet for a spreadsheet: the visitor's own, or the one that a link holds."""
    if "sheet" not in request.GET and lost(request):
        return varied(HttpResponseRedirect(reverse("sheet")), "Cookie")  # whose page says so
    try:
        written = decode(request.GET["sheet"]) if "sheet" in request.GET else kept(request)
    except NoSheet:
        return varied(HttpResponseRedirect(f"{reverse('sheet')}?sheet="), "Cookie")  # whose page says so
    response = HttpResponse(
        "\ufeff",
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="paili-{date.today():%Y-%m-%d}.csv"',
            "Cache-Control": "private, no-store",
        },
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
    return varied(response, "Cookie")


def _safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


# Changes


def _nothing(own: Sheet, posted: QueryDict) -> Change:
    return Change(own)


def _add(own: Sheet, posted: QueryDict) -> Change:
    """A settlement, computed anew from its query."""
    query = posted.get("settlement", "")
    try:
        asked = Asked.of(QueryDict(query if len(query) < LONGEST_ADDRESS else ""))
    except TooManyFieldsSent:
        return Change(own, {"said": "unsettled"})
    settlement = answered(asked.form, asked.ruleset, asked.options).settlement
    if settlement is None:
        return Change(own, {"said": "unsettled"})
    first = _player(posted.get("first", ""))
    if first is not None and own.is_blank:
        own = replace(own, first_dealer=first)
    hand = played(settlement, own, _player(posted.get("next", "")))
    return _with(own, hand, table=(asked.form.game.key, *asked.options))


def _points(own: Sheet, posted: QueryDict) -> Change:
    """Four numbers that were typed."""
    texts = [posted.get(f"points{player}", "").strip() for player in PLAYERS]
    if not any(texts):
        return Change(own, error=Text("Fill in what each player wins or pays.", "请先填各家输赢多少分。"))
    numbers = []
    for text, name in zip(texts, player_names(own), strict=True):
        shown = text if len(text) <= 20 else f"{text[:20]}…"
        plain = text.replace("−", "-").replace("－", "-").replace("＋", "+") or "0"
        if not _WHOLE.fullmatch(plain):
            return Change(
                own,
                error=Text(
                    f"“{shown}” for {name.en} is not a whole number of points.",
                    f"{name.zh}的分数“{shown}”不是整数。",
                ),
            )
        if len(plain) > 20 or abs(int(plain)) > MOST_POINTS:
            return Change(
                own,
                error=Text(
                    f"“{shown}” for {name.en} is too large: {MOST_POINTS} points at most.",
                    f"{name.zh}的分数“{shown}”太大，最多{MOST_POINTS}。",
                ),
            )
        numbers.append(int(plain))
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


def _with(own: Sheet, hand: Played, said: str = "added", table: tuple[str, ...] = ()) -> Change:
    try:
        return Change(own.with_hand(hand, table), {"said": f"{said} {len(own.hands) + 1}"})
    except Full:
        return Change(own, {"said": "full" if len(own.hands) == MOST_HANDS else "full-size"})


def _undo(own: Sheet, posted: QueryDict) -> Change:
    """Takes the last hand back, and says which it was, so that it can be put back."""
    if not own.hands:
        return Change(own)
    shorter = own.without_last()
    return Change(
        shorter, {"undone": json.dumps([shorter.guard, packed(own.hands[-1])], separators=(",", ":"))}
    )


def _put_back(own: Sheet, posted: QueryDict) -> Change:
    # Who can post can write any hand down: the seal is for links, and is not asked for here.
    undone = _undone(own, posted.get("undone", "").rsplit(":", 2)[0])
    return _with(own, undone.hand, "back") if undone else Change(own, {"said": "moved"})


class Undone(NamedTuple):
    """A hand that was taken back: its number and itself."""

    number: int
    hand: Played


def _undone(own: Sheet, text: str) -> Undone | None:
    """The hand that was taken from just this sheet, if the text holds one."""
    if not 0 < len(text) < 200:
        return None
    try:
        guard, hand = json.loads(text)
        return Undone(len(own.hands) + 1, unpacked(hand)) if guard == own.guard else None
    except (ValueError, TypeError, RecursionError):
        return None


def _players(own: Sheet, posted: QueryDict) -> Change:
    """Names, the first dealer as long as nobody has played, and the stake."""
    try:
        stake = stake_from(posted.get("stake", "")[:20])
    except ValueError:
        return Change(
            own,
            error=Text(
                "The stake is an amount for each point, such as 1 or 0.5: at most 10000, two decimals, no "
                "separators between thousands.",
                "“一分算多少”要填数字，如1或0.5，最多10000，小数最多两位，千位不要加逗号。",
            ),
        )
    typed = [posted.get(f"name{player}", "") for player in PLAYERS]
    a, b, c, d = map(name_from, typed)
    try:
        changed = own.with_players((a, b, c, d), stake)
    except Full:
        return Change(
            own,
            error=Text(
                "This sheet is nearly full and has no room for such long names. Shorten them, or save the "
                "sheet and start a new one.",
                "记分表快满了，放不下这么长的名字。请把名字写短些，或者先保存，再开一张新的。",
            ),
        )
    first = _player(posted.get("first", ""))
    if first is not None and not own.hands:
        changed = replace(changed, first_dealer=first)
    is_short = any(len(whole_name(name)) > LONGEST_NAME for name in typed)
    return Change(changed, {"said": "shortened" if is_short else "saved"})


def _new(own: Sheet, posted: QueryDict) -> Change:
    """An empty sheet for the same players; the old one stays behind the link that is then shown."""
    if not own.hands:
        return Change(own)
    return Change(replace(own, hands=(), first_dealer=own.dealer), {"old": encode(own)})


def _take(own: Sheet, posted: QueryDict) -> Change:
    """A shared sheet as the visitor's own; theirs stays behind the link that is then shown."""
    try:
        taken = decode(posted.get("sheet", ""))
    except NoSheet:
        return Change(own)
    return Change(taken, {"said": "taken", **({} if own.is_blank else {"old": encode(own)})})


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
        return Text("written in by hand", "自己记的")
    game = rules.rulesets().get(hand.ruleset)
    where = game.name if game else Text(hand.ruleset, hand.ruleset)
    if not hand.winners:
        return Text(f"{where.en}: nobody won", f"{where.zh}：没人胡")
    winners = listed([names[player] for player in hand.winners])
    if hand.discarder is None:
        return Text(f"{where.en}: {winners.en}, self-drawn", f"{where.zh}：{winners.zh}自摸")
    loser = names[hand.discarder]
    return Text(f"{where.en}: {winners.en} from {loser.en}", f"{where.zh}：{winners.zh}胡{loser.zh}的牌")
