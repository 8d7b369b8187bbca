"""The checker page and its API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

import rules
from rules import HandError, Ruleset, Text, notation
from rules.circumstances import SEATS
from rules.hands import Hand, Meld
from rules.ruleset import FAIL, Pattern, Verdict, Wait, Way
from rules.tiles import Tile, TileSet
from tutor import answers
from tutor.api.views import readable
from tutor.checker.entry import (
    UNREADABLE,
    Entry,
    act,
    beside,
    every_tile,
    modes_of,
    past_from,
    tile_set_of,
    why_not,
)
from tutor.checker.templatetags.tiles import meld_label

BOTH = "both"
LONGEST_ADDRESS = 4000


class Request(HttpRequest):
    """A request as HtmxMiddleware hands it on."""

    htmx: HtmxDetails


@require_safe
@readable
def check(request: Request) -> HttpResponse:
    """The checker: the whole state stands in the URL; `do` are presses of keys, done and gone."""
    key = request.GET.get("ruleset", "")
    known = rules.rulesets()
    games = list(known.values()) if key == BOTH else [known.get(key) or next(iter(known.values()))]
    shown = BOTH if key == BOTH else games[0].key
    tile_set = tile_set_of(games)
    before = Entry(
        text=request.GET.get("hand", ""),
        mode=request.GET.get("mode", "") if request.GET.get("mode") in modes_of(tile_set) else "tile",
        past=past_from(request.GET.get("was", "")),
    )
    actions = request.GET.getlist("do")
    entry = act(before, actions, tile_set)
    given = _given(request.GET, games)
    options = request.GET.getlist("option")
    query = _query(shown, entry.text, given, options)
    address = f"{reverse('check')}?{query}"

    if actions and not request.htmx and not entry.notice and len(address) < LONGEST_ADDRESS:
        past = f"&{urlencode({'was': entry.past_as_text})}" if entry.past else ""
        return _varied(HttpResponseRedirect(f"?{query}{past}"))
    context = {
        "entry": entry,
        "games": games,
        "ruleset": shown,
        "rulesets": known.values(),
        "both": BOTH,
        "board": _board(entry, tile_set),
        "circumstances": _circumstances(games, given, tile_set),
        "options": options,
        "answers": [_answer(game, key, entry.text, given, options) for game in games],
        "query": query,
        "edited": bool(actions),
    }
    response = render(
        request, "checker/_live.html" if _wants_part(request) else "checker/check.html", context
    )
    if _wants_part(request) and len(address) < LONGEST_ADDRESS:
        response["HX-Push-Url" if actions else "HX-Replace-Url"] = address
    return _varied(response)


def _varied(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request"])
    return response


def _wants_part(request: Request) -> bool:
    return bool(request.htmx) and not request.htmx.history_restore_request


def _given(params: Mapping[str, str], games: list[Ruleset]) -> dict[str, str]:
    """The circumstances that were given and that every game shown can use, without the defaults.

    A link is taken at its word. A form, which says `shown`, may hold what fitted before one of its fields was
    changed: the other game's fields, a discarder of a tile that is now self-drawn. That is left behind.
    """
    from_form = "shown" in params
    used = {"by", "seat", "from"}.union(set.intersection(*(set(game.inputs) for game in games)))
    given = {key: params[key] for key in answers.GIVEN if params.get(key)}
    if from_form or len(games) > 1:
        given = {key: value for key, value in given.items() if key in used}
        if not all(given.get("by", "discard") in {way.key for way in game.ways} for game in games):
            del given["by"]
    way = next((way for way in games[0].ways if way.key == given.get("by", "discard")), None)
    seat = given.get("seat", "1")
    if from_form and ((way and way.self_drawn) or given.get("from") == seat):
        given.pop("from", None)
    defaults = {"by": "discard", "seat": "1", "listening": "0"}
    if way and not way.self_drawn:
        defaults["from"] = "1" if seat == "0" else "0"
    return {key: value for key, value in given.items() if value != defaults.get(key)}


def _query(ruleset: str, hand: str, given: Mapping[str, str], options: list[str]) -> str:
    fields = {"ruleset": ruleset, **({"hand": hand} if hand else {}), **given}
    return urlencode([*fields.items(), *(("option", option) for option in options)])


# The board


@dataclass(frozen=True)
class Key:
    """A key of the tile keyboard. why_not: why it can't be pressed now, None where it can."""

    tile: Tile
    label: Text
    left: int
    why_not: Text | None


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


def _board(entry: Entry, tile_set: TileSet) -> Board:
    board_set = every_tile(tile_set)
    try:
        hand = notation.parse_unfinished(entry.text, board_set)
    except HandError:
        hand = None
    empty = hand or Hand.of(())
    rows: list[list[Key]] = [[], [], [], []]
    for t in tile_set.tiles:
        reason = why_not(entry.mode, hand, t, tile_set) if hand else UNREADABLE
        rows[t.column].append(Key(t, tile_set.label(t), empty.left(t), reason))
    held = beside(empty)
    return Board(
        tile_set=board_set,
        hand=hand,
        rows=[row for row in rows if row],
        modes=modes_of(tile_set),
        melds=[(m, meld_label(m, board_set)) for m in empty.melds],
        held=held,
        missing=13 - held,
    )


# The circumstances


@dataclass(frozen=True)
class Circumstances:
    """The fields for how the hand was won, as far as the games shown use them, with what is chosen."""

    ways: list[Way]
    seats: list[tuple[str, Text]]
    discarders: list[tuple[str, Text]]
    listening: bool | None
    baos: list[tuple[str, Text]]
    moments: list[Pattern]
    chosen: dict[str, str]


def _circumstances(games: list[Ruleset], given: dict[str, str], tile_set: TileSet) -> Circumstances:
    ways = [w for w in games[0].ways if all(w.key in {x.key for x in g.ways} for g in games)]
    seats = [(str(n), name) for n, name in enumerate(SEATS)]
    chosen = {"by": "discard", "seat": "1", **given}
    chosen.setdefault("from", "1" if chosen["seat"] == "0" else "0")
    way = next((w for w in ways if w.key == chosen["by"]), None)
    inputs = games[0].inputs if len(games) == 1 else ()
    return Circumstances(
        ways=ways,
        seats=seats,
        discarders=[s for s in seats if s[0] != chosen["seat"]] if not (way and way.self_drawn) else [],
        listening="listening" in given if "listening" in inputs else None,
        baos=[(t.code, tile_set.name(t)) for t in tile_set.tiles] if "bao" in inputs else [],
        moments=[p for p in games[0].patterns if p.is_moment and not p.implied_by]
        if "moments" in inputs
        else [],
        chosen=chosen,
    )


# The answer


@dataclass(frozen=True)
class Blocked:
    """Waits that complete the shape but break rules, all for the same reasons."""

    waits: list[Wait]
    reasons: list[Text]


@dataclass(frozen=True)
class Answer:
    """What one game says: a verdict, or an error, or that the hand is still short."""

    game: Ruleset
    verdict: Verdict | None = None
    error: HandError | None = None
    text: tuple[str, str, str] | None = None  # before, at and after the place of the error
    raised: tuple[Tile, ...] = ()
    blocked: tuple[Blocked, ...] = ()

    @property
    def sentence(self) -> Text:
        """The verdict, or what is wrong, in one sentence."""
        if self.verdict:
            return self.verdict.summary
        return self.error.message if self.error else Text("", "")

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


def _answer(game: Ruleset, asked: str, text: str, given: Mapping[str, str], options: list[str]) -> Answer:
    """What a game says. asked: the ruleset that the address names, which may be none that there is."""
    try:
        verdict = answers.judge(game.key if asked in ("", BOTH) else asked, text, given, options)
    except HandError as error:
        at = error.at
        place = None if at is None else (text[:at], text[at : at + 1], text[at + 1 :])
        return Answer(game, error=error, text=place)
    failing = [f for f in verdict.findings if f.status == FAIL]
    # Bars under most of the hand would point at nothing.
    raised = failing[0].tiles if failing and 2 * len(failing[0].tiles) < len(verdict.hand.tiles) else ()
    return Answer(game, verdict=verdict, raised=raised, blocked=tuple(_blocked(verdict)))


def _blocked(verdict: Verdict) -> list[Blocked]:
    waiting = verdict.hand.without_winning()
    groups: dict[tuple[Text, ...], list[Wait]] = {}
    for wait in verdict.blocked_waits:
        findings = verdict.ruleset.judge(waiting.with_winning(wait.tile)).findings
        reasons = tuple(f.message for f in findings if f.status == FAIL)
        groups.setdefault(reasons, []).append(wait)
    return [Blocked(waits, list(reasons)) for reasons, waits in groups.items()]
