"""A puzzle as a value: everything follows from its kind, game, house rules, level and seed.

Nothing of it is stored anywhere: the same id gives the same puzzle on any machine, as long as the rules and
the kinds stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import rules
from rules import HandError, Ruleset, Text
from tutor.content import picked
from tutor.content.build import pages_of
from tutor.content.levels import Level
from tutor.content.picked import Picked, keys_of
from tutor.content.shelf import Shelf
from tutor.content.source import Fault
from tutor.puzzles.forms import form_of
from tutor.puzzles.hands import LEVELS, NoTilesError
from tutor.puzzles.kinds import KINDS, Kind

MOST_SEEDS = 1_000_000_000
PICKED = "picked"
_TRIES = 60  # searches before a puzzle is given up
_ID = re.compile(r"([a-z0-9-]+)/([a-z0-9-]+)/([1-5])/([0-9]{1,9})")


class NoPuzzleError(LookupError):
    """There is no such puzzle."""


class Key(NamedTuple):
    """What a puzzle is made from. game: as the table plays it."""

    kind: str
    game: Ruleset
    level: int
    seed: int

    @property
    def id(self) -> str:
        """The key as text: `changsha/can-win/3/84210?option=birds=4`."""
        options = sorted(f"{key}={value}" for key, value in self.game.house.chosen.items())
        query = f"?{urlencode([('option', option) for option in options], safe='=')}" if options else ""
        return f"{self.game.key}/{self.kind}/{self.level}/{self.seed}{query}"


def key_of(text: str) -> Key:
    """The key of an id. Raises NoPuzzleError, HandError for house rules there are not."""
    path, _, query = text.partition("?")
    found = _ID.fullmatch(path)
    if not found or found[1] not in rules.rulesets() or found[2] not in KINDS:
        raise NoPuzzleError(text)
    chosen = dict(value.partition("=")[::2] for name, value in parse_qsl(query) if name == "option")
    return Key(found[2], rules.rulesets()[found[1]].with_options(chosen), int(found[3]), int(found[4]))


@dataclass(frozen=True)
class Puzzle:
    """A question with every right answer. topic: the page of the rule it is about. number: how hard, 1 to 5.

    level: the question. node: the same as an author would write it. hand: the tiles it is about, as text,
    None where there are none. context: how the hand was won, or what else a program must know. traits: what
    makes it hard. form: the same for the same question with suits renamed. title, note: of one picked by
    hand.
    """

    id: str
    kind: Kind
    game: Ruleset
    number: int
    topic: str
    level: Level
    node: Mapping[str, Any]
    hand: str | None
    context: Mapping[str, Any]
    traits: Mapping[str, float]
    form: str
    title: Text | None = None
    note: Text | None = None

    @property
    def keys(self) -> list[str]:
        """All that is right, as texts."""
        return keys_of(self.level)

    @property
    def choices(self) -> list[str]:
        """What can be chosen, each once."""
        return list(dict.fromkeys(offer.value.split(".")[0] for offer in self.level.offers))

    @property
    def options(self) -> Mapping[str, str]:
        """The house rules that differ from the default."""
        return self.game.house.chosen


def puzzle(key: Key, stock: Shelf) -> Puzzle:
    """The puzzle of a key. Raises NoPuzzleError where there is none."""
    kind = KINDS[key.kind]
    if key.level not in LEVELS or not 0 <= key.seed < MOST_SEEDS:
        raise NoPuzzleError(key.id)
    topics = kind.topics(key.game, stock, key.level)
    if not topics:
        raise NoPuzzleError(key.id)
    topic = topic_of(key, topics)
    chance = Random(key.id)  # noqa: S311 - a puzzle is no secret
    for _ in range(_TRIES):
        asked = None
        with suppress(NoTilesError):
            asked = kind.make(chance, key.game, key.level, topic, stock)
        if asked is None:
            continue
        try:
            made = level_of(kind, asked.node, key.game)
        except Fault:  # by this table's rules nothing that is offered is right
            continue
        return Puzzle(
            key.id,
            kind,
            key.game,
            key.level,
            topic,
            made,
            asked.node,
            asked.hand,
            asked.context,
            asked.traits,
            form_of(key.game, kind.key, asked.node),
        )
    raise NoPuzzleError(key.id)


def level_of(kind: Kind, node: Mapping[str, Any], game: Ruleset) -> Level:
    """The question of a kind that is written so, as a table plays it. Raises Fault."""
    usual = rules.rulesets()[game.key]
    made = picked.level_of(node.get("kind", kind.key), node, usual, dict(game.house.chosen))
    return kind.posed(made, kind.asks(node, game))


def topic_of(key: Key, topics: Sequence[str]) -> str:
    """What a puzzle is about. It follows from the key, and can't be read off it: for some kinds it is the
    answer."""
    turn, at = divmod(key.seed, len(topics))
    order = list(topics)  # each comes once before any comes again
    Random(f"{key.kind} {key.game.key} {key.level} {turn}").shuffle(order)  # noqa: S311 - no secret
    return order[at]


def picked_id(found: Picked) -> str:
    """The id of a puzzle picked by hand."""
    return f"{found.game.key}/{PICKED}/{found.slug}"


def picked_puzzle(found: Picked) -> Puzzle:
    """A puzzle picked by hand, as one like any other."""
    kind = KINDS[found.kind]
    game = found.game.with_options(found.options)
    hand = found.node.get("hand") or found.node.get("deal")
    prompt = found.prompt or kind.asks(found.node, game)
    return Puzzle(
        picked_id(found),
        kind,
        game,
        found.number,
        found.topic,
        kind.posed(found.level, prompt),
        found.node,
        hand,
        _context(found.node),
        {},
        form_of(game, kind.key, found.node),
        found.title,
        found.note,
    )


def by_id(text: str, stock: Shelf) -> Puzzle:
    """The puzzle of an id, made by chance or picked by hand. Raises NoPuzzleError."""
    game, _, rest = text.partition("/")
    if rest.startswith(f"{PICKED}/"):
        found = (
            stock.picked_one(rules.rulesets()[game], rest.removeprefix(f"{PICKED}/"))
            if game in rules.rulesets()
            else None
        )
        if found is None:
            raise NoPuzzleError(text)
        return picked_puzzle(found)
    try:
        return puzzle(key_of(text), stock)
    except HandError:
        raise NoPuzzleError(text) from None


def stored(
    id: str,
    kind: str,
    game: Ruleset,
    *,
    number: int,
    topic: str,
    node: Mapping[str, Any],
    form: str,
    title: Text | None = None,
) -> Puzzle:
    """A puzzle from what was kept of it, as a game is played now. Raises NoPuzzleError where it can't be
    asked any more."""
    found = KINDS.get(kind)
    if found is None or topic not in pages_of(game):
        raise NoPuzzleError(id)
    try:
        level = level_of(found, node, game)
    except (Fault, HandError, LookupError):
        raise NoPuzzleError(id) from None
    return Puzzle(
        id,
        found,
        game,
        number,
        topic,
        level,
        node,
        node.get("hand") or node.get("deal"),
        _context(node),
        {},
        form,
        title,
    )


def _context(node: Mapping[str, Any]) -> dict[str, Any]:
    """How a hand was won, from the question about it."""
    return {key: value for key, value in node.items() if key not in ("hand", "deal", "goal")}


def series(
    kind: str, game: Ruleset, level: int, seed: int, stock: Shelf, topic: str | None = None
) -> Iterator[Puzzle]:
    """Puzzles from a seed on, none twice up to renaming of suits; about one topic, if one is named."""
    known: set[str] = set()
    for at in seeds(KINDS[kind], game, level, seed, stock, topic):
        try:
            made = puzzle(Key(kind, game, level, at), stock)
        except NoPuzzleError:
            continue
        if made.form not in known:
            known.add(made.form)
            yield made


def seeds(
    kind: Kind, game: Ruleset, level: int, first: int, stock: Shelf, topic: str | None = None
) -> Iterator[int]:
    """The seeds from one on; only those of one topic, if one is named that this level has. None where the
    kind has nothing to ask."""
    topics = kind.topics(game, stock, level)
    if not topics:
        return
    for n in range(MOST_SEEDS):
        seed = (first + n) % MOST_SEEDS
        if topic not in topics or topic_of(Key(kind.key, game, level, seed), topics) == topic:
            yield seed
