"""Lessons in templates: their texts with terms, links and tiles; figures; what levels are answered with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import groupby
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import pgettext

from rules import HandError, Ruleset, Text, notation, rulesets
from rules.circumstances import SEATS, SEATS_NAMED
from rules.hands import Hand
from rules.payments import Gang
from rules.ruleset import Pattern
from rules.settlement import Winner
from rules.tiles import Tile, TileSet
from rules.tiles import tile as tile_of
from rules.verdict import Finding, Verdict, Wait
from tutor.checker.entry import every_tile
from tutor.checker.templatetags.tiles import hand_picture, marked, seat, signed, tiles_picture, words
from tutor.content import prose
from tutor.content.build import Step, Term, pages_of
from tutor.content.claims import Question
from tutor.content.levels import BIRDS, CLAIMS, GROUP, HANDS, KEYS, NUMBERS, ROW, SWAP, WALL, Level, numbered
from tutor.content.shelf import shelf
from tutor.content.walls import place_name
from tutor.lessons import words as lesson_words
from tutor.lessons.tries import Try, left_of
from tutor.rulebook import addresses

register = template.Library()


@register.simple_tag
def prose_of(text: Text | None, game: Ruleset | None = None) -> SafeString:
    """A text of several paragraphs."""
    found = []
    for block in prose.blocks(words(text)):
        if block.is_list:
            items = format_html_join("", "<li>{}</li>", ((_line(line, game),) for line in block.lines))
            found.append(format_html('<ul class="points-list">{}</ul>', items))
        else:
            found.append(format_html("<p>{}</p>", _line(block.lines[0], game)))
    return _joined(found)


@register.simple_tag
def line_of(text: Text | None, game: Ruleset | None = None) -> SafeString:
    """A text of one paragraph, without the paragraph."""
    return _joined([_line(line, game) for block in prose.blocks(words(text)) for line in block.lines], " ")


@register.simple_tag
def plain_of(text: Text | None, game: Ruleset | None = None) -> str:
    """A text with nothing but words, for titles and labels."""
    lines = (line for block in prose.blocks(words(text)) for line in block.lines)
    return " ".join("".join(_plain(span, game) for span in line) for line in lines)


@register.simple_tag
def step_address(place: str) -> str:
    """The address of a step or chapter."""
    return addresses.of_step(place)


_CLOSING = re.compile(r"[,.;:!?)…’”，。、；：！？）》」』]*")


def _line(line: Iterable[prose.Span], game: Ruleset | None) -> SafeString:
    """A line of text; no mark that closes after a term or a tile begins a new line on the screen."""
    made: list[SafeString] = []
    before = ""
    for span in line:
        if span.kind == prose.PLAIN and before in (prose.TERM, prose.TILES):
            mark = _CLOSING.match(span.text)[0]  # type: ignore[index]  # it matches nothing, too
            if mark:
                made[-1] = format_html('<span class="tied">{}{}</span>', made[-1], mark)
            span = span._replace(text=span.text[len(mark) :])
        made.append(_span(span, game))
        before = span.kind
    return _joined(made)


def _span(span: prose.Span, game: Ruleset | None) -> SafeString:
    if span.kind == prose.STRONG:
        return format_html("<strong>{}</strong>", _line(span.inner, game))
    if span.kind == prose.TERM:
        term = shelf().terms.get(span.target)
        shown = span.text or (words(term.name) if term else span.target)
        if term is None:
            return marked(shown)
        return format_html(
            '<button type="button" class="gloss" popovertarget="term-{}">{}</button>',
            span.target,
            marked(shown),
        )
    if span.kind == prose.LINK:
        return format_html('<a href="{}">{}</a>', _address(span.target, game), marked(span.text))
    if span.kind == prose.TILES:
        return _tiles(span.target, _tile_set(game))
    return marked(span.text)


def _plain(span: prose.Span, game: Ruleset | None) -> str:
    if span.kind == prose.STRONG:
        return "".join(_plain(inner, game) for inner in span.inner)
    if span.kind == prose.TERM and not span.text:
        term = shelf().terms.get(span.target)
        return words(term.name) if term else span.target
    if span.kind == prose.TILES:
        tile_set = _tile_set(game)
        return words(tile_set.names(notation.parse_unfinished(span.target, tile_set).tiles))
    return span.text


def _address(target: str, game: Ruleset | None) -> str:
    kind, _, rest = target.partition("/")
    if kind == "step":
        return addresses.of_step(rest)
    if kind == "page":
        return addresses.of_page(rest)
    if kind == "check" and game:
        return addresses.of_hand(game, rest)
    place = rest if rest.count("/") == 2 or game is None else f"{game.key}/{rest}"
    return addresses.of_rule(place)


def _tile_set(game: Ruleset | None) -> TileSet:
    return every_tile((game or next(iter(rulesets().values()))).tiles)


def _tiles(text: str, tile_set: TileSet) -> SafeString:
    hand = notation.parse_unfinished(text, tile_set)
    if hand.melds or hand.winning:
        return hand_picture(hand, tile_set, (), "inline-hand")
    return tiles_picture(hand.tiles, tile_set, "inline-tiles")


def _joined(parts: list[SafeString], between: str = "") -> SafeString:
    return mark_safe(escape(between).join(parts))  # noqa: S308 - each part is escaped by its maker


# Figures and levels


@register.simple_tag
def situation(verdict: Verdict) -> Text | None:
    """How a hand was won, where that is not the usual way."""
    return lesson_words.situation(verdict)


@register.simple_tag
def outcome(verdict: Verdict, show: str) -> SafeString:
    """What a figure says of its hand."""
    return marked(words(lesson_words.outcome(verdict, show)))


@register.simple_tag
def row_picture(hand: Hand, game: Ruleset) -> SafeString:
    """A row of tiles and melds, some perhaps of another game."""
    tile_set = every_tile(game.tiles)
    if hand.melds or hand.winning:
        return hand_picture(hand, tile_set)
    return tiles_picture(hand.tiles, tile_set)


@register.filter
def alone(tile: Tile) -> tuple[Tile]:
    """A tile as a row of one."""
    return (tile,)


@register.filter
def is_tiles(level: Level) -> bool:
    """Whether all that can be chosen is tiles."""
    spans = [span for offer in level.offers for span in prose.spans(words(offer.words))]
    return all(span.kind == prose.TILES for span in spans)


@register.filter
def less_one(number: int) -> int:
    """One less."""
    return number - 1


@register.filter
def patterns(verdict: Verdict) -> list[tuple[Pattern, int]]:
    """What a win is paid for, and how much."""
    return [(verdict.ruleset.pattern(key), worth) for key, worth in verdict.patterns.items()]


@register.simple_tag
def blocked_reason(verdict: Verdict, wait: Wait) -> SafeString:
    """Why a tile that completes the shape does not win."""
    return marked(" ".join(map(words, verdict.why_blocked(wait))))


@register.simple_tag
def checker_address(verdict: Verdict) -> str:
    """The checker with a hand as it is judged here."""
    return addresses.of_verdict(verdict)


@register.simple_tag
def rule_page(place: str) -> str:
    """The address of a rule page, "game/kind/key"."""
    return addresses.of_rule(place)


@register.simple_tag
def win_words(win: Winner, game: Ruleset) -> Text:
    """A win of a settlement in words: who, on whose tile, and what it is worth where no hand shows it."""
    return lesson_words.win(win, game)


@register.simple_tag
def gang_words(gang: Gang, game: Ruleset) -> Text:
    """How a gang came about, in words."""
    return lesson_words.gang(gang)


@register.simple_tag
def seats_of(notes: Mapping[int, Text], game: Ruleset) -> SafeString:
    """The table from above with a word at each seat; markup in the words is taken out."""
    plain = {seat: Text(said, said) for seat, note in notes.items() if (said := plain_of(note, game))}
    return mark_safe(  # noqa: S308 - a template of our own
        render_to_string("lessons/_seats.html", {"notes": plain})
    )


@register.simple_tag
def solution_of(level: Level) -> SafeString:
    """The solution, item by item."""
    game, right = level.game, level.rights[0]
    tile_set = every_tile(game.tiles)
    by_value = {offer.value: offer for offer in level.offers}
    tiles = [offer.tile for value in sorted(right) if (offer := by_value.get(value)) and offer.tile]
    if not right:
        nothing = Text("Nothing, and nobody." if level.widget == CLAIMS else "Nothing.", "都不选。")
        return format_html("<li>{}</li>", words(nothing))
    if level.widget in (ROW, KEYS):
        return format_html("<li>{}</li>", tiles_picture(sorted(tiles), tile_set))
    return format_html_join("", "<li>{}</li>", ((_solved(level, v, tile_set),) for v in sorted(right)))


@register.simple_tag
def solutions_of(level: Level) -> SafeString:
    """Every right answer, where each is one item."""
    tile_set = every_tile(level.game.tiles)
    items = sorted({item for right in level.rights for item in right})
    return format_html_join("", "<li>{}</li>", ((_solved(level, item, tile_set),) for item in items))


def _solved(level: Level, value: str, tile_set: TileSet) -> SafeString:
    """An item of a solution."""
    offer = next((offer for offer in level.offers if offer.value == value), None)
    head, _, tail = value.partition(":")
    if level.widget == GROUP:
        return tiles_picture(notation.parse_unfinished(value.split(".")[0], tile_set).loose, tile_set)
    if level.widget == WALL:
        return marked(words(place_name(value)))
    if level.widget == SWAP:
        out, into = (tiles_picture([tile_of(code)], tile_set) for code in value.split(">"))
        return format_html("{} → {}", out, into)
    if level.widget == BIRDS and offer and offer.tile:
        return format_html("{} {}", tiles_picture([offer.tile], tile_set), seat(int(tail)))
    if level.widget == CLAIMS and offer:
        colon = pgettext("between a term and its meaning", ": ")
        return format_html("{}{}{}", seat(int(head)), colon, words(offer.words))
    if level.widget == HANDS and offer and offer.verdict:
        return hand_picture(offer.verdict.hand, tile_set)
    if level.kind == "payments":
        return format_html("{} {}", seat(int(head)), signed(int(tail)))
    if level.kind == "score":
        return marked(words(level.game.measure.total(int(value))))
    return line_of(offer.words, level.game) if offer and offer.words else marked(value)


@register.simple_tag(takes_context=True)
def widget(context: Any, level: Level, attempt: Try, step: Step) -> SafeString:
    """What a level is answered with, as its answer so far stands."""
    return mark_safe(  # noqa: S308 - a template of our own
        render_to_string(
            f"lessons/widgets/{level.widget}.html",
            {
                "level": level,
                "attempt": attempt,
                "step": step,
                "tiles": every_tile(level.game.tiles),
                **_widget_context(level, attempt),
                **(_marks(level, attempt) if context.get("is_revealed") else {}),
            },
        )
    )


def _marks(level: Level, attempt: Try) -> dict[str, Any]:
    """Which items of a given answer are right, and which are not."""
    right = {item for answer in level.rights for item in answer}
    if level.many:
        right = set(level.nearest(attempt.answer))
    return {"right": right, "wrong": attempt.answer - right}


def _widget_context(level: Level, attempt: Try) -> dict[str, Any]:
    answer = attempt.answer
    if level.widget == KEYS:
        return {"rows": _rows(level.game)}
    if level.widget == SWAP:
        out, _, into = next(iter(answer), ">").partition(">")
        hand = level.shown.hand
        return {"rows": _rows(level.game), "held": list(dict.fromkeys(hand.loose)), "out": out, "into": into}
    if level.widget == WALL:
        return {"chosen": next(iter(answer), "")}
    if level.widget == GROUP:
        left = left_of(level.shown.hand.loose, attempt.groups) or []
        tile_set = every_tile(level.game.tiles)
        groups = [(g, notation.parse_unfinished(g, tile_set).loose) for g in attempt.groups]
        return {"groups": groups, "left": list(zip(numbered(left), left, strict=True))}
    if level.widget == NUMBERS:
        given = dict(item.split(":", 1) for item in answer if ":" in item)
        if level.kind == "score":
            return {"score": next(iter(answer), ""), "measure": level.game.measure.name}
        return {"seats": [(n, SEATS[n], given.get(str(n), "")) for n in range(4)]}
    if level.widget == BIRDS:
        birds = {offer.value.split(":")[0]: offer.tile for offer in level.offers}
        return {
            "birds": [
                (n, tile, [(s, SEATS[s], f"{n}:{s}" in answer) for s in range(4)])
                for n, tile in birds.items()
            ]
        }
    if level.widget == CLAIMS:
        rows = []
        for number, hand in sorted(level.shown.hands.items()):
            offers = [(o, o.value in answer) for o in level.offers if o.value.startswith(f"{number}:")]
            rows.append((SEATS[number], lesson_words.beside(level.shown, number), hand, offers))
        return {"rows": rows, "giver": SEATS_NAMED[level.shown.giver]}
    return {}


def _rows(game: Ruleset) -> list[list[Tile]]:
    """A game's tiles as rows of keys: a suit a row, then winds and dragons."""
    rows = [list(tiles) for _, tiles in groupby(game.tiles.tiles, key=lambda tile: tile.suit)]
    return [row for row in rows if row]


# Rule pages


@register.simple_tag
def topic_line(game: Ruleset, entry: Any) -> str:
    """What a rule says in its first sentence, for the list of all."""
    topic = shelf().topic(game, f"{entry.kind}/{entry.key}")
    return re.split(r"(?<=[.!?]) |(?<=[。！？])", plain_of(topic.text, game))[0] if topic else ""


@register.simple_tag
def worth_words(game: Ruleset, worth: int) -> str:
    """What a pattern is worth."""
    return words(game.measure.total(worth))


@register.simple_tag
def option_words(asked: Question) -> SafeString:
    """The house rules under which an example is judged, in words."""
    chosen = {option.key: option for option in asked.game.options}
    said = [words(chosen[key].choice(value).words) for key, value in asked.options.items()]
    return marked(" · ".join(said))


@register.filter
def lift(finding: Finding) -> tuple[Tile, ...]:
    """The tiles to raise for a finding, none where that would be most of a hand."""
    return finding.tiles if len(finding.tiles) < 8 else ()


@register.simple_tag
def asked_words(asked: Question) -> dict[str, Any]:
    """The hands and tiles that a question to the table is about, each hand with whose it is if said."""
    game, given = asked.played, asked.given
    hands: list[tuple[Text | None, Hand]] = []
    tiles: list[Tile] = []
    for name, value in given.items():
        if name == "hands":
            hands += [(SEATS[int(number)], game.parse(hand)) for number, hand in value.items()]
        elif name in ("hand", "before", "after"):
            with suppress(HandError):  # what a discard comes after is a move, such as "peng"
                hands.append((None, game.parse(value)))
        elif name in ("kind", "tile", "bao", "discard", "added", "drawn", "kinds", "opened", "shown"):
            codes = value if isinstance(value, list) else str(value).split()
            tiles += [tile for code in codes if (tile := notation.parse_tile(str(code)))]
    return {"hands": hands, "tiles": tiles}


@register.filter
def pages_in(term: Term, game: Ruleset | str) -> list[str]:
    """The rule pages of a term: those of the game that one reads about, all of them where it is none."""
    return [p for p in term.pages if isinstance(game, str) or p.startswith(f"{game.key}/")]


@register.simple_tag
def page_name(place: str) -> SafeString:
    """The name of a rule page, "game/kind/key"."""
    game, _, about = place.partition("/")
    return marked(words(pages_of(rulesets()[game])[about].name))


@register.simple_tag
def page_game(place: str) -> str:
    """The name of the game whose rule page this is."""
    return words(rulesets()[place.partition("/")[0]].name)


@register.simple_tag
def a_win(game: Ruleset) -> Hand | None:
    """A hand that wins this game, for its cover."""
    judged = (game.judge(game.parse(example.hand)) for example in game.examples if not example.given)
    return next((verdict.hand for verdict in judged if verdict.wins), None)
