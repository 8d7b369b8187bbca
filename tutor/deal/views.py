"""The page of the deal: which openings dealt tiles hold, what each pays, and if they are ready as dealt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

import rules
from rules import HandError, Ruleset, Text, notation
from rules.deal import Deal
from rules.hands import Hand
from rules.ruleset import Pattern
from rules.text import listed
from rules.tiles import Tile, TileSet
from tutor import answers, house
from tutor.checker.entry import Entry, Key, around, every_tile, key_rows, past_from, spelled
from tutor.deal.entry import act
from tutor.deal.examples import examples, would_count
from tutor.requests import LONGEST_ADDRESS, Request, readable, varied, wants_part


@require_safe
@readable
def deal(request: Request) -> HttpResponse:
    """What a deal holds: the whole state stands in the URL; `do` are presses of keys, done and gone."""
    asked = request.GET.get("ruleset", "")
    known = rules.rulesets()
    plain = known.get(asked) or next(iter(known.values()))
    options = house.options_from(request.GET, [plain], ())
    game = house.played(plain, options)
    before = Entry(text=request.GET.get("tiles", ""), past=past_from(request.GET.get("was", "")))
    actions = request.GET.getlist("do")
    entry = act(before, actions, game.tiles)
    written = house.written([game], house.strays(options, [plain]))
    query = _query(game, entry.text, written)
    address = f"{reverse('deal')}?{query}"

    if actions and not request.htmx and not entry.notice and len(address) < LONGEST_ADDRESS:
        past = f"&{urlencode({'was': entry.past_as_text})}" if entry.past else ""
        return varied(HttpResponseRedirect(f"?{query}{past}"))
    settings = _settings(game)
    shown = {setting.rule.key for setting in settings}
    context = {
        "entry": entry,
        "game": game,
        "rulesets": known.values(),
        "board": _board(entry, game.tiles),
        "answer": _answer(asked or game.key, entry.text, written),
        "settings": settings,
        "changed": any(setting.is_changed for setting in settings),
        "other_options": [option for option in written if option.partition("=")[0] not in shown],
        "examples": examples(game),
        "would_count": would_count(game),
        "query": query,
        "edited": bool(actions),
    }
    response = render(request, "deal/_live.html" if wants_part(request) else "deal/deal.html", context)
    if wants_part(request) and len(address) < LONGEST_ADDRESS:
        response["HX-Push-Url" if actions else "HX-Replace-Url"] = address
    return varied(response)


def _settings(game: Ruleset) -> list[house.Setting]:
    """The house rules that change what a deal holds."""
    used = {option.key for opening in game.openings for option in opening.options}
    return [
        setting for panel in house.panels([game]) for setting in panel.settings if setting.rule.key in used
    ]


def _query(game: Ruleset, text: str, options: Sequence[str]) -> str:
    fields = {"ruleset": game.key, **({"tiles": text} if text else {})}
    return urlencode([*fields.items(), *(("option", option) for option in options)])


# The board


@dataclass(frozen=True)
class Board:
    """The tiles as far as they can be read, and the keys. hand: None where the text can't be read."""

    tile_set: TileSet
    hand: Hand | None
    rows: list[list[Key]]
    example: Text

    @property
    def held(self) -> int:
        """How many tiles there are."""
        return len(self.hand.tiles) if self.hand else 0


def _board(entry: Entry, tile_set: TileSet) -> Board:
    board_set = every_tile(tile_set)
    try:
        hand = notation.parse_unfinished(entry.text, board_set)
    except HandError:
        hand = None
    example = spelled("2222m 13579p 1479s", tile_set)
    return Board(board_set, hand, key_rows("tile", hand, tile_set), example)


# The answer


@dataclass(frozen=True)
class Answer:
    """What there is to say of a deal: what it holds, or what is wrong, or that it is still short."""

    deal: Deal | None = None
    error: HandError | None = None
    text: tuple[str, str, str] | None = None  # before, at and after the place of the error

    @property
    def missing(self) -> int:
        """How many tiles are missing where nothing else is wrong, else 0."""
        short = self.error is not None and self.error.code == "tile-count"
        return max((self.error.missing or 0) if short and self.error else 0, 0)

    @property
    def state(self) -> str:
        """`unfinished`, `error`, and for a deal `win` where it holds something, else `nothing`."""
        if self.deal is None:
            return "unfinished" if self.missing else "error"
        return "win" if self.deal.openings or self.deal.is_ready else "nothing"

    @property
    def names(self) -> Text:
        """The openings by name, in one list."""
        return listed([opening.name for opening, _ in self.deal.openings] if self.deal else [])

    @property
    def raised(self) -> tuple[Tile, ...]:
        """The tiles that make openings, unless that is all: bars under every tile would point at nothing."""
        return self.deal.showing if self.deal else ()

    @property
    def moments(self) -> list[Pattern]:
        """The situations that make a win of a hand that was ready as dealt."""
        if self.deal is None:
            return []
        game = self.deal.ruleset
        return [game.pattern(key) for key in game.table.dealt.moments]


def _answer(ruleset: str, text: str, options: Sequence[str]) -> Answer:
    try:
        return Answer(answers.look(ruleset, text, options))
    except HandError as error:
        return Answer(error=error, text=around(text, error.at))
