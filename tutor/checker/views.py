"""The checker page: a hand, how it was won and by which table's rules, and what the games shown say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlencode

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

import rules
from rules import HandError, Ruleset, Text, circumstances, notation
from rules.circumstances import SEATS_NAMED
from rules.hands import Hand, Meld
from rules.ruleset import Pattern
from rules.text import listed
from rules.tiles import Tile, TileSet
from rules.verdict import FAIL, Draws, Fix, Verdict, Wait
from tutor import answers, house
from tutor.checker.drawing import Page, live
from tutor.checker.entry import (
    Entry,
    Key,
    act,
    around,
    beside,
    every_tile,
    key_rows,
    modes_of,
    past_from,
    spelled,
    strays,
    tile_set_of,
)
from tutor.checker.pen import meld_label, pen
from tutor.requests import LONGEST_ADDRESS, Request, readable, varied, wants_part

BOTH = "both"
_FAR = 3  # tiles away from ready, from which the best discard is nobody's question


@require_safe
@readable
def check(request: Request) -> HttpResponse:
    """The checker: the whole state stands in the URL; `do` are presses of keys, done and gone."""
    key = request.GET.get("ruleset", "")
    known = rules.rulesets()
    plain = list(known.values()) if key == BOTH else [known.get(key) or next(iter(known.values()))]
    shown = BOTH if key == BOTH else plain[0].key
    actions = request.GET.getlist("do")
    options = house.options_from(request.GET, plain, actions)
    games = [house.played(game, options) for game in plain]
    not_understood = house.strays(options, plain)
    tile_set = tile_set_of(games)
    before = Entry(
        text=request.GET.get("hand", ""),
        mode=request.GET.get("mode", "") if request.GET.get("mode") in modes_of(tile_set) else "tile",
        past=past_from(request.GET.get("was", "")),
    )
    entry = act(before, [action for action in actions if not action.startswith(house.USUAL)], tile_set)
    given = given_from(request.GET, games)
    written = house.written(games, not_understood)
    query = _query(shown, entry.text, given, written)
    address = f"{reverse('check')}?{query}"

    # A form's fields are many; its address holds only what matters.
    from_fields = any(name.startswith(house.FIELD) for name in request.GET)
    is_told = entry.notice or entry.news  # which no address holds
    if (actions or from_fields) and not request.htmx and not is_told and len(address) < LONGEST_ADDRESS:
        rest = {"was": entry.past_as_text} if entry.past else {}
        if from_fields and entry.mode != "tile":
            rest["mode"] = entry.mode
        return varied(HttpResponseRedirect(f"?{query}{'&' if rest else ''}{urlencode(rest)}"))
    page = Page(
        games=games,
        ruleset=shown,
        entry=entry,
        board=board_of(entry, tile_set),
        given=given,
        strays=not_understood,
        answers=[
            answer_of(game, key, entry.text, given, house.options_of(game, options, games)) for game in games
        ],
        query=query,
        edited=bool(actions),
        carried=key if key in known else "",
    )
    if wants_part(request):
        response = HttpResponse(live(pen(), page, request.GET.get("shows", "").split()))
    else:
        response = render(request, "checker/check.html", _context(page))
    if wants_part(request) and len(address) < LONGEST_ADDRESS:
        is_step = actions or _other_table(request, shown, written)
        response["HX-Push-Url" if is_step else "HX-Replace-Url"] = address
    return varied(response)


def _context(page: Page) -> dict[str, Any]:
    return {
        "page": page,
        "entry": page.entry,
        "board": page.board,
        "answers": page.answers,
        "ruleset": page.ruleset,
        "rulesets": rules.rulesets().values(),
        "both": BOTH,
        "query": page.query,
    }


def _other_table(request: Request, shown: str, options: list[str]) -> bool:
    """Whether the same game was shown by other house rules before: a step to which Back should lead."""
    before = parse_qs((request.htmx.current_url or "").partition("?")[2])
    was_shown = before.get("ruleset", [next(iter(rules.rulesets()))])[0]
    return (
        request.htmx.current_url is not None
        and was_shown == shown
        and sorted(before.get("option", [])) != sorted(options)
    )


def given_from(params: QueryDict, games: list[Ruleset]) -> dict[str, str]:
    """The circumstances that were given and that every game shown can use, without the defaults.

    A link is taken at its word. A form, which says `shown`, may hold what fitted before one of its fields was
    changed: the other game's fields, a discarder of a tile that is now self-drawn. That is left behind.
    """
    from_form = "shown" in params
    used = {"by", "seat", "from"}.union(set.intersection(*(set(game.inputs) for game in games)))
    given = {key: ",".join(_said(params, key)) for key in answers.GIVEN if _said(params, key)}
    if from_form or len(games) > 1:
        given = {key: value for key, value in given.items() if key in used}
        if not all(given.get("by", "discard") in {way.key for way in game.ways} for game in games):
            del given["by"]
    if from_form and "birds" in given:
        most = min(game.table.most_birds for game in games)
        drawn = [bird for bird in given["birds"].split(",") if bird not in ("", "0")][:most]
        if most:
            given["birds"] = ",".join(drawn) or "0"
        else:
            del given["birds"]
    way = next((way for way in games[0].ways if way.key == given.get("by", "discard")), None)
    seat = given.get("seat", "1")
    if from_form and ((way and way.self_drawn) or given.get("from") == seat):
        given.pop("from", None)
    defaults = {"by": "discard", "seat": "1", "listening": "0"}
    if way and not way.self_drawn:
        defaults["from"] = "1" if seat == "0" else "0"
    return {key: value for key, value in given.items() if value != defaults.get(key)}


def _said(params: QueryDict, key: str) -> list[str]:
    """What was said of a circumstance: one value, but a field for each bird."""
    values = params.getlist(key)
    return [value for value in (values if key == "birds" else values[-1:]) if value]


def _query(ruleset: str, hand: str, given: Mapping[str, str], options: Sequence[str]) -> str:
    fields = {"ruleset": ruleset, **({"hand": hand} if hand else {}), **given}
    return urlencode([*fields.items(), *(("option", option) for option in options)])


# The board


@dataclass(frozen=True)
class Board:
    """What the board shows. hand: None where the text can't be read. held, missing: tiles beside the winning
    one, a meld counting three, and how many are short of 13."""

    tile_set: TileSet
    hand: Hand | None
    rows: list[list[Key]]
    modes: dict[str, Text]
    melds: list[tuple[Meld, Text]]
    held: int
    missing: int
    example: Text


def board_of(entry: Entry, tile_set: TileSet) -> Board:
    """The board for what was entered, with the keys of these tiles."""
    board_set = every_tile(tile_set)
    try:
        hand = notation.parse_unfinished(entry.text, board_set)
    except HandError:
        hand = None
    empty = hand or Hand.of(())
    held = beside(empty)
    return Board(
        tile_set=board_set,
        hand=hand,
        rows=key_rows(entry.mode, hand, tile_set),
        modes=modes_of(tile_set),
        melds=[(m, meld_label(m, board_set)) for m in empty.melds],
        held=held,
        missing=13 - held,
        example=spelled("12355m 45678p 777s +9p", tile_set),
    )


# The answer


@dataclass(frozen=True)
class Blocked:
    """Waits that complete the shape but break rules, all for the same reasons."""

    waits: list[Wait]
    reasons: list[Text]


class Mend(NamedTuple):
    """An exchange that makes a losing hand win. left: copies of the tile it asks for."""

    fix: Fix
    left: int


@dataclass(frozen=True)
class Elsewhere:
    """Another game in which a losing hand would win. won_as: its patterns. query: shows it there."""

    game: Ruleset
    won_as: Text
    query: str


class WayOut(NamedTuple):
    """Circumstances that can be, near those that can't. query: shows the hand in them."""

    words: Text
    query: str


@dataclass(frozen=True)
class Answer:
    """What one game says: a verdict, or an error, or that the hand is still short.

    elsewhere: the other games in which a losing hand would win. way_out: from circumstances that can't be.
    strays: what the hand holds that this game has not, and a press takes out. assumed: what the payments
    assume because nobody said it. idle: what was said but does not count. is_compared: beside another game.
    """

    game: Ruleset
    verdict: Verdict | None = None
    error: HandError | None = None
    text: tuple[str, str, str] | None = None  # before, at and after the place of the error
    raised: tuple[Tile, ...] = ()
    blocked: tuple[Blocked, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    way_out: WayOut | None = None
    strays: Text | None = None
    assumed: Text | None = None
    idle: Text | None = None
    is_compared: bool = False

    @property
    def is_calm(self) -> bool:
        """Whether what is wrong is only that this game, compared with another, has no such tile."""
        return self.is_compared and self.error is not None and self.error.code == "tile-not-in-set"

    @property
    def sentence(self) -> Text:
        """The verdict, or what is wrong, in one sentence."""
        if self.verdict:
            return self.verdict.summary
        if self.is_calm and self.error:
            name = every_tile(self.game.tiles).name(self.error.tiles[0])
            return Text(f"{self.game.name.en} has no {name.en}.", f"{self.game.name.zh}没有{name.zh}。")
        return self.error.message if self.error else Text("", "")

    @property
    def state(self) -> str:
        """The verdict's state, `unfinished` or `error`."""
        if self.verdict:
            return self.verdict.state
        return "unfinished" if self.is_unfinished else "error"

    @property
    def is_unfinished(self) -> bool:
        """Whether nothing is wrong but that tiles are still missing."""
        return self.error is not None and self.error.code == "tile-count" and (self.error.missing or 0) > 0

    @property
    def patterns(self) -> list[tuple[Pattern, int]]:
        """What the win is paid for."""
        if not self.verdict:
            return []
        return [(self.game.pattern(key), worth) for key, worth in self.verdict.patterns.items()]

    @cached_property
    def last_tiles(self) -> list[Tile]:
        """The tiles with which a hand may have been won in which none is set apart, each once."""
        if not self.verdict or not self.verdict.wins or self.verdict.hand.winning:
            return []
        return list(dict.fromkeys(self.verdict.hand.loose))

    @cached_property
    def mends(self) -> list[Mend]:
        """The exchanges that make a losing hand win, the best first."""
        if not self.verdict:
            return []
        return [Mend(fix, self.verdict.hand.left(fix.into)) for fix in self.verdict.fixes]

    @cached_property
    def draws(self) -> list[Draws]:
        """What brings a hand that is not ready nearer; the waits of a ready one stand elsewhere."""
        verdict = self.verdict
        # Far from ready, or where all are alike, an order of discards would only seem to say something.
        if not verdict or verdict.state == "ready" or (verdict.is_full and (verdict.distance or 0) > _FAR):
            return []
        found = [draws for draws in verdict.draws if draws.tiles]
        if not verdict.is_full or verdict.distance == 0:
            return found
        return [] if len(found) > 1 and len({draws.left for draws in found}) == 1 else found

    @cached_property
    def changes(self) -> list[house.Setting]:
        """The table's own rules that this verdict hangs on."""
        if not self.verdict:
            return []
        table = self.verdict.ruleset.house
        return [house.Setting(rule, rule.choice(table[rule])) for rule in self.verdict.changed_by]


def answer_of(game: Ruleset, asked: str, text: str, given: Mapping[str, str], options: list[str]) -> Answer:
    """What a game says. asked: the ruleset that the address names, which may be none that there is."""
    try:
        verdict = answers.judge(game.key if asked in ("", BOTH) else asked, text, given, options)
    except HandError as error:
        return Answer(
            game,
            error=error,
            text=around(text, error.at),
            way_out=_way_out(game, text, given, options) if error.code == "bad-context" else None,
            strays=_strays(game, text) if asked != BOTH and error.at is not None else None,
            is_compared=asked == BOTH,
        )
    failing = [f for f in verdict.findings if f.status == FAIL]
    # Bars under most of the hand would point at nothing.
    raised = failing[0].tiles if failing and 2 * len(failing[0].tiles) < len(verdict.hand.tiles) else ()
    return Answer(
        game,
        verdict=verdict,
        raised=raised,
        blocked=tuple(_blocked(verdict)),
        elsewhere=tuple(_elsewhere(verdict, text, given))
        if asked != BOTH and verdict.state == "not-win"
        else (),
        assumed=_assumed(verdict, given),
        idle=_idle(verdict),
        is_compared=asked == BOTH,
    )


def _assumed(verdict: Verdict, given: Mapping[str, str]) -> Text | None:
    """How the payments take it that the hand was won, where nobody said."""
    how = verdict.circumstances
    if not verdict.lines or how.discarder is None or {"by", "seat", "from"} & set(given):
        return None
    way = next(way for way in verdict.ruleset.ways if way.key == how.by)
    by, winner = SEATS_NAMED[how.discarder], SEATS_NAMED[how.seat]
    return Text(
        f"Assuming: {way.name.en} by {by.en}, won by {winner.en}",
        f"没说怎么胡的，先按{by.zh}{way.name.zh}、{winner.zh}胡来算",
    )


def _idle(verdict: Verdict) -> Text | None:
    """That a bao was given which does not count because 听 was not declared."""
    game, how = verdict.ruleset, verdict.circumstances
    if not how.bao or how.listening or not game.substitutes or not verdict.hand.winning:
        return None
    if not game.substitutes(game, verdict.hand, replace(how, listening=True)):
        return None
    return Text("The bao does not count: ready (听) was not declared.", "没有报听，宝牌不算。")


def _strays(game: Ruleset, text: str) -> Text | None:
    """The tiles and melds of a hand that this game has not, by name; None where there are none."""
    all_tiles = every_tile(game.tiles)
    try:
        loose, melds = strays(notation.parse_unfinished(text, all_tiles), game.tiles)
    except HandError:
        return None
    names = [all_tiles.name(t) for t in loose] + [meld_label(m, all_tiles) for m in melds]
    return listed(names) if names else None


# What may be left out of the circumstances, where nothing else helps.
_LEFT_OUT = {
    "moments": Text("the situation", "特殊情形"),
    "bao": Text("the bao", "宝牌"),
    "birds": Text("the birds", "扎鸟"),
    "listening": Text("ready (听)", "听"),
    "from": Text("who discarded", "打牌的人"),
}


def _way_out(game: Ruleset, text: str, given: Mapping[str, str], options: Sequence[str]) -> WayOut | None:
    """The nearest circumstances of which the game does not complain, None where it complains of them all."""
    hand = game.parse(text)
    for changed in [
        *_nearby(game, given),
        *({k: v for k, v in given.items() if k != key} for key in _LEFT_OUT),
    ]:
        try:
            how = circumstances.read(game, hand, changed)
        except HandError:
            continue
        return WayOut(_change(game, given, changed, how), _query(game.key, text, changed, options))
    return None


def _nearby(game: Ruleset, given: Mapping[str, str]) -> list[dict[str, str]]:
    """Other ways, winners and declarations, those first that change least; who discarded may fall away."""
    was = {"by": "discard", "seat": "1", "listening": "0", **given}
    listening = ["0", "1"] if "listening" in game.inputs else [was["listening"]]
    self_drawn = {way.key for way in game.ways if way.self_drawn}
    found = []
    for by, seat, ready in product([way.key for way in game.ways], "1023", listening):
        chosen = {"by": by, "seat": seat, "listening": ready}
        cost = 2 * (by != was["by"]) + (seat != was["seat"]) + (ready != was["listening"])
        kept = {**given, **chosen}
        if by not in self_drawn:
            found.append((cost, kept))
        found.append((cost + ("from" in given), {k: v for k, v in kept.items() if k != "from"}))
    return [
        {key: value for key, value in chosen.items() if (key, value) not in _DEFAULTS}
        for _, chosen in sorted(found, key=lambda pair: pair[0])
    ]


_DEFAULTS = {("by", "discard"), ("seat", "1"), ("listening", "0")}


def _change(
    game: Ruleset, given: Mapping[str, str], changed: Mapping[str, str], how: circumstances.Circumstances
) -> Text:
    """What is to be set otherwise, in words."""

    def differs(key: str) -> bool:
        return given.get(key) != changed.get(key)

    parts = []
    if differs("by"):
        parts.append(next(way.name for way in game.ways if way.key == how.by))
    if differs("seat"):
        name = SEATS_NAMED[how.seat]
        parts.append(Text(f"won by {name.en}", f"{name.zh}胡"))
    if differs("from") and how.discarder is not None:
        name = SEATS_NAMED[how.discarder]
        parts.append(Text(f"discarded by {name.en}", f"{name.zh}打出"))
    if differs("listening"):
        parts.append(
            Text("ready (听) declared", "报了听")
            if how.listening
            else Text("ready (听) not declared", "没报听")
        )
    if not parts:
        name = next(name for key, name in _LEFT_OUT.items() if key in given and key not in changed)
        return Text(f"Leave out {name.en}", f"去掉{name.zh}")
    return Text("Set it to: " + ", ".join(p.en for p in parts), "改成：" + "、".join(p.zh for p in parts))


def _elsewhere(verdict: Verdict, text: str, given: Mapping[str, str]) -> list[Elsewhere]:
    """The other games that a losing hand would win, in the circumstances that both games know."""
    if verdict.state != "not-win":
        return []
    game, found = verdict.ruleset, []
    for other in rules.rulesets().values():
        if other.key == game.key:
            continue
        shared = {"by", "seat", "from", *(set(game.inputs) & set(other.inputs))}
        if given.get("by", "discard") not in {way.key for way in other.ways}:
            shared -= {"by"}
        kept = {key: value for key, value in given.items() if key in shared}
        try:
            there = answers.judge(other.key, text, kept)
        except HandError:
            continue
        if there.wins:
            names = [other.pattern(key).name for key in there.patterns]
            won_as = listed([Text(name.en.lower(), name.zh) for name in names])
            found.append(Elsewhere(other, won_as, _query(other.key, text, kept, [])))
    return found


def _blocked(verdict: Verdict) -> list[Blocked]:
    groups: dict[tuple[Text, ...], list[Wait]] = {}
    for wait in verdict.blocked_waits:
        groups.setdefault(verdict.why_blocked(wait), []).append(wait)
    return [Blocked(waits, list(reasons)) for reasons, waits in groups.items()]
