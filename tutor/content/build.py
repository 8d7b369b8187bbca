"""Lessons, rule pages, the glossary and the comparison as values, made from what authors wrote.

The same makes them for the loader, which checks everything, and for the pages, which show what was checked.
Whatever is wrong is a `Fault` at its place; what points elsewhere is noted, to be checked when all is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import rules
from rules import HandError, Ruleset, Text, notation
from rules.deal import Deal
from rules.hands import Hand
from rules.settlement import Settlement
from rules.tiles import Tile, TileSet
from rules.verdict import Verdict
from tutor.checker.entry import every_tile
from tutor.content import claims, levels, picked, prose, questions
from tutor.content.claims import Question
from tutor.content.levels import Level
from tutor.content.picked import Picked
from tutor.content.questions import Template
from tutor.content.source import Fault, Node

LONGEST_SLUG = 40
_HAN = re.compile(r"[\u3400-\u9fff]")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
RESERVED = ("main", "pages", "language", "tally", "read")  # ids that a chapter's page has already
SHOWS = ("hand", "clauses", "reading", "score", "payments", "waits", "verdict")
KINDS = ("win", "pattern", "opening", "table")


class Row(NamedTuple):
    """Tiles or melds with a word for them."""

    hand: Hand
    words: Text | None


@dataclass(frozen=True)
class Figure:
    """A picture in a lesson. kind: the key under which the author wrote it. game: as its table plays it.

    shown: a Verdict, Deal, Settlement or WallFigure, rows of tiles, dice, notes by seat, or a plain table.
    show: for a hand, what of its verdict; for a settlement "dealer" where it says who deals next.
    lifted: the tiles raised in a hand.
    """

    kind: str
    game: Ruleset
    shown: Any
    caption: Text | None = None
    show: str = "hand"
    lifted: tuple[Tile, ...] = ()
    question: Question | None = None


@dataclass(frozen=True)
class Step:
    """One idea: prose, figures, and mostly something to try. place: "course/chapter#step"."""

    place: str
    slug: str
    title: Text
    text: Text
    cites: tuple[str, ...]
    rulings: tuple[str, ...]
    figures: tuple[Figure, ...]
    level: Level | None
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Chapter:
    """A chapter of a course. is_note: it is read beside the course, with nothing to solve."""

    game: Ruleset
    slug: str
    title: Text
    goal: Text
    steps: tuple[Step, ...]
    is_note: bool = False

    @property
    def place(self) -> str:
        """ "course/chapter"."""
        return f"{self.game.key}/{self.slug}"

    @property
    def levels(self) -> tuple[Step, ...]:
        """The steps with something to solve."""
        return tuple(step for step in self.steps if step.level)

    def step(self, slug: str) -> Step:
        """The step of a slug; KeyError where there is none."""
        return {step.slug: step for step in self.steps}[slug]


class Course(NamedTuple):
    """What stands at the head of a course."""

    game: Ruleset
    title: Text
    lead: Text


class Sample(NamedTuple):
    """An example on a rule page: what is asked, its words, and what the engine says when the page is made."""

    question: Question
    words: Text


class Topic(NamedTuple):
    """More on a rule, pattern, opening or ruling. about: "win/triplet". step: where it is taught, or ""."""

    game: Ruleset
    about: str
    text: Text
    step: str
    samples: tuple[Sample, ...]


class Term(NamedTuple):
    """A word of the game. han, pinyin: "" for one that is not Chinese. games: where it is used, () for all.

    pages: the rule pages about it, each "game/kind/key".
    """

    slug: str
    name: Text
    short: Text
    han: str
    pinyin: str
    games: tuple[str, ...]
    pages: tuple[str, ...]


class Point(NamedTuple):
    """A point on which games are compared: what each has, by its key."""

    slug: str
    topic: Text
    said: Mapping[str, Text]
    cites: tuple[str, ...]


class Comparison(NamedTuple):
    """The page that compares the games. hands: each with its words, to be judged by every game."""

    title: Text
    lead: Text
    points: tuple[Point, ...]
    hands: tuple[tuple[str, Text], ...]


class Reference(NamedTuple):
    """Something that a text points to: a `term`, `rule`, `step` or `page`, and where it was written."""

    kind: str
    target: str
    node: Node


class Builder:
    """Makes content of one game, or of none for what the games share, and notes what points elsewhere.

    is_checking: claims are run, as the loader wants and the pages don't need. faults: what went wrong in a
    part that others don't hang on; it grows while things are made.
    """

    def __init__(self, game: Ruleset | None = None, *, is_checking: bool = False) -> None:
        self.game = game
        self.is_checking = is_checking
        self.references: list[Reference] = []
        self.faults: list[Fault] = []

    # Courses

    def course(self, node: Node) -> Course:
        """The head of a course."""
        made = Course(self._game, self.text(node["title"]), self.text(node["lead"]))
        node.done()
        return made

    def chapter(self, node: Node) -> Chapter:
        """A chapter with its steps."""
        slug = self.slug(node["slug"])
        note = node.get("note")
        steps = []
        for item in node["steps"].items:
            made = self._kept(self.step, item, f"{self._game.key}/{slug}")
            if made:
                steps.append(made)
        title, goal = self.text(node["title"]), self.text(node["goal"])
        node.done()
        for item in node["steps"].items:
            if item["slug"].text in RESERVED:
                raise item["slug"].fault(f"{item['slug'].text!r} is another part of the page, and no step")
        slugs = [step.slug for step in steps]
        for twice in {s for s in slugs if slugs.count(s) > 1}:
            raise node.fault(f"two steps are called {twice!r}")
        return Chapter(self._game, slug, title, goal, tuple(steps), bool(note and note.flag))

    def step(self, node: Node, chapter: str) -> Step:
        """A step of a chapter, which is named by its place."""
        slug = self.slug(node["slug"])
        options = claims.options_of(node.get("options"), self._game)
        cites = tuple(self._cited(item) for item in node.list_of("cites"))
        rulings = tuple(item.text for item in node.list_of("rulings"))
        title = self.text(node["title"])
        text = self.text(node["text"]) if "text" in node else Text("", "")
        figures = [self._kept(self.figure, item, options) for item in node.list_of("figures")]
        for item in node.list_of("claims"):
            self._kept(self.claim, item, options)
        asked = node.get("level")
        level = self._kept(self.level, asked, options) if asked else None
        node.done()
        return Step(
            f"{chapter}#{slug}",
            slug,
            title,
            text,
            cites,
            rulings,
            tuple(figure for figure in figures if figure),
            level,
            options,
        )

    def level(self, node: Node, options: Mapping[str, str]) -> Level:
        """A level, whose texts are checked like all others."""
        made = levels.level(node, self._game, options)
        for name in ("prompt", "done", "hint"):
            if name in node:
                self.text(node[name])
        for item in node["mistakes"].items:
            self.text(item["say"])
        offered = node.get("options")
        for item in offered.items if offered and isinstance(offered.value, list) else ():
            if "words" in item:
                self.text(item["words"])
        return made

    def claim(self, node: Node, options: Mapping[str, str]) -> None:
        """Runs what an author claims."""
        asked = claims.question(node, self._game, options)
        said = node["is"]
        node.done()
        if self.is_checking:
            claims.check(asked, said)

    # Figures

    def figure(self, node: Node, options: Mapping[str, str]) -> Figure:
        """A figure, whose claim is run."""
        kind = next((kind for kind in _FIGURES if kind in node), None)
        if kind is None:
            raise node.fault(f"a figure has one of {', '.join(_FIGURES)}")
        caption = node.get("caption")
        words = self.text(caption) if caption else None
        made = _FIGURES[kind](self, node, options)
        node.done()
        return replace(made, caption=words)

    # Rule pages, glossary, comparison

    def topic(self, node: Node) -> Topic:
        """What an author adds to a rule page."""
        about = node["about"].text
        if about not in pages_of(self._game):
            raise node["about"].fault(f"{self._game.key} has no {about!r}")
        step = node.get("step")
        if step:
            self.references.append(Reference("step", f"{self._game.key}/{step.text}", step))
        samples = tuple(self._sample(item) for item in node["examples"].items)
        made = Topic(self._game, about, self.text(node["text"]), step.text if step else "", samples)
        if self.is_checking:
            self._shows_both(node, made)
        node.done()
        return made

    def _sample(self, node: Node) -> Sample:
        asked = claims.question(node, self._game, {})
        said = node.get("is")
        if self.is_checking:
            if said:
                claims.check(asked, said)
            elif asked.kind in (claims.ASK, claims.GETS, claims.SETTLE):
                raise node.fault("an answer of the table needs what it is: `is`")
            else:
                shown(node, asked)
        made = Sample(asked, self.text(node["words"]))
        node.done()
        return made

    def _shows_both(self, node: Node, topic: Topic) -> None:
        kind = topic.about.partition("/")[0]
        found = {passes(topic, sample) for sample in topic.samples}
        if kind == "table":
            return
        for wanted, name in ((True, "passes"), (False, "fails")):
            if wanted not in found:
                raise node.fault(f"no example here {name} {topic.about}")

    # Puzzles

    def question(self, node: Node) -> Template:
        """A question about the table whose values vary; checking asks it with many of them."""
        made = questions.template(self._game, node)
        self.slug(node["slug"])
        if made.topic not in pages_of(self._game):
            raise node["topic"].fault(f"{self._game.key} has no {made.topic!r}")
        if self.is_checking:
            entry = pages_of(self._game)[made.topic]
            for item in node.list_of("cites"):
                if item.text not in entry.cites:
                    raise item.fault(f"{made.topic} does not rest on {item.text!r}")
            questions.check(made, node)
        return made

    def picked(self, node: Node) -> Picked:
        """A puzzle picked by hand."""
        made = picked.picked(node, self._game)
        self.slug(node["slug"])
        for name in ("title", "prompt", "note"):
            if name in node:
                self.text(node[name])
        if made.topic not in pages_of(made.level.game):
            raise node.fault(f"{self._game.key} has no {made.topic!r}")
        return made

    def term(self, node: Node) -> Term:
        """An entry of the glossary."""
        games = tuple(item.text for item in node.list_of("games"))
        for key in games:
            if key not in rules.rulesets():
                raise node["games"].fault(f"there is no game {key!r}")
        pages = tuple(item.text for item in node.list_of("rule"))
        for page in pages:
            self.references.append(Reference("rule", page, node["rule"]))
        han, pinyin = node.get("han"), node.get("pinyin")
        if (han is None) != (pinyin is None):
            raise node.fault("han and pinyin stand together")
        made = Term(
            self.slug(node["slug"]),
            self.text(node["term"]),
            self.text(node["short"]),
            han.text if han else "",
            pinyin.text if pinyin else "",
            games,
            pages,
        )
        node.done()
        return made

    def comparison(self, node: Node) -> Comparison:
        """The page that compares the games."""
        points = tuple(self._point(item) for item in node["points"].items)
        hands = []
        for item in node["hands"].items:
            hand = item["hand"]
            for game in compared(points):
                levels.verdict_of(hand, Question(game, claims.HAND, hand.text))
            hands.append((hand.text, self.text(item["words"])))
            item.done()
        made = Comparison(self.text(node["title"]), self.text(node["lead"]), points, tuple(hands))
        node.done()
        return made

    def _point(self, node: Node) -> Point:
        said = {key: self.text(node[key]) for key in rules.rulesets() if key in node}
        cites = tuple(self._cited(item) for item in node.list_of("cites"))
        for item in node.list_of("claims"):
            asked = claims.question(item, next(iter(rules.rulesets().values())), {})
            if "game" not in item:
                raise item.fault("which game? `game` is missing")
            claimed = item["is"]
            item.done()
            if self.is_checking:
                claims.check(asked, claimed)
        made = Point(self.slug(node["slug"]), self.text(node["topic"]), said, cites)
        node.done()
        return made

    # Parts

    @property
    def _game(self) -> Ruleset:
        if self.game is None:
            raise Fault("", "this belongs to a game")
        return self.game

    def _kept(self, make: Callable[..., Any], *what: Any) -> Any:
        """What is made, or None with its fault kept, so that an author sees all faults at once."""
        try:
            return make(*what)
        except Fault as fault:
            if not self.is_checking:
                raise
            self.faults.append(fault)
            return None

    def slug(self, node: Node) -> str:
        """A slug: lower case, digits, hyphens."""
        if len(node.text) > LONGEST_SLUG:
            raise node.fault(f"a slug has {LONGEST_SLUG} characters at most")
        if not _SLUG.fullmatch(node.text):
            raise node.fault(f"a slug has lower-case letters, digits and hyphens, unlike {node.text!r}")
        return node.text

    def text(self, node: Node) -> Text:
        """A text in both languages, whose terms, links and tiles are looked at."""
        found = node.both
        for words in (found.en, found.zh):
            self.marks(words, node)
        return found

    def marks(self, words: str, node: Node) -> None:
        """Looks at the terms, links and tiles of a text."""
        open_mark = prose.leftovers(words)
        if open_mark:
            raise node.fault(f"{open_mark!r} is opened and not closed: “{words[:60]}…”")
        for span in prose.marks(words):
            self._look(span, node)

    def _look(self, span: prose.Span, node: Node) -> None:
        if span.kind == prose.TERM:
            self.references.append(Reference("term", span.target, node))
        elif span.kind == prose.TILES:
            try:
                notation.parse_unfinished(span.target, self._tiles)
            except HandError as error:
                raise node.fault(f"`{span.target}` can't be read: {error}") from None
        else:
            kind, _, target = span.target.partition("/")
            if self.game is None and (kind == "check" or target.partition("/")[0] in KINDS):
                raise node.fault(f"which game? {span.target!r} stands outside of any")
            if kind == "check":
                try:
                    notation.parse_unfinished(target, self._tiles)
                except HandError as error:
                    raise node.fault(f"the hand of a link, {target!r}, can't be read: {error}") from None
            elif kind in ("rule", "step", "page"):
                if kind == "rule" and target.partition("/")[0] in KINDS:
                    target = f"{self._game.key}/{target}"
                self.references.append(Reference(kind, target, node))
            else:
                raise node.fault(f"a link leads to rule/, step/, check/ or page/, not {span.target!r}")

    @property
    def _tiles(self) -> TileSet:
        # A lesson may show a tile that its game is played without, to say so.
        return every_tile((self.game or next(iter(rules.rulesets().values()))).tiles)

    def _cited(self, node: Node) -> str:
        known = [line for game in rules.rulesets().values() for line in game.lines]
        if node.text not in known:
            raise node.fault(f"there is no line {node.text!r}")
        return node.text


# What the pages of a game are


def compared(points: tuple[Point, ...]) -> list[Ruleset]:
    """The games of which a comparison says something."""
    said = {key for point in points for key in point.said}
    return [game for key, game in rules.rulesets().items() if key in said]


def pages_of(game: Ruleset) -> dict[str, Any]:
    """Everything that has a rule page, by "kind/key": rules, patterns, openings, rulings of the table."""
    return {
        **{f"win/{rule.key}": rule for rule in game.rules},
        **{f"pattern/{pattern.key}": pattern for pattern in game.patterns},
        **{f"opening/{opening.key}": opening for opening in game.openings},
        **{f"table/{ruling.key}": ruling for ruling in game.table.rulings},
    }


def shown(node: Node, asked: Question) -> Verdict | Deal | Settlement:
    """What a question about a hand, a deal or a settlement shows. Raises Fault where it can't be asked."""
    try:
        if asked.kind == claims.HAND:
            return asked.verdict()
        return asked.deal() if asked.kind == claims.DEAL else asked.settled()
    except HandError as error:
        raise node.fault(f"the engine refuses this ({error.code}): {error}") from None


def passes(topic: Topic, sample: Sample) -> bool:
    """Whether an example meets the rule, has the pattern or holds the opening; what the table says does."""
    kind, _, key = topic.about.partition("/")
    if kind == "table":
        return True
    if kind == "opening":
        return any(opening.key == key for opening, _ in sample.question.deal().openings)
    verdict = sample.question.verdict()
    if kind == "pattern":
        return key in verdict.patterns
    if key == "shape":
        return verdict.chosen is not None
    return any(f.rule.key == key and f.status in ("pass", "waived") for f in verdict.findings)


# Figures by what the author wrote


def _hand(builder: Builder, node: Node, options: Mapping[str, str]) -> Figure:
    asked = claims.question(node, builder._game, options, claims.HAND)
    said = node["is"]
    if builder.is_checking:
        claims.check(asked, said)
    elif "error" in said:
        raise node.fault("a figure shows a hand that can be judged")
    verdict = shown(node, asked)
    assert isinstance(verdict, Verdict)  # noqa: S101 - a hand was asked about
    show = node.get("show")
    if show and show.text not in SHOWS:
        raise show.fault(f"a hand is shown as one of {', '.join(SHOWS)}")
    return Figure(
        "hand",
        verdict.ruleset,
        verdict,
        show=show.text if show else "hand",
        lifted=_lifted(node.get("lift"), verdict),
        question=asked,
    )


def _lifted(node: Node | None, verdict: Verdict) -> tuple[Tile, ...]:
    if node is None:
        return ()
    finding = next((f for f in verdict.findings if f.rule.key == node.plain), None)
    if finding:
        return finding.tiles
    found = []
    for item in node.items:
        tile = notation.parse_tile(item.text)
        if tile is None or tile not in verdict.hand.tiles:
            raise item.fault(f"{item.text!r} is neither a rule nor a tile of the hand")
        found.append(tile)
    return tuple(found)


def _tiles(builder: Builder, node: Node, options: Mapping[str, str]) -> Figure:
    rows = []
    for item in node["tiles"].items:
        try:
            hand = notation.parse_unfinished(item["show"].text, builder._tiles)
        except HandError as error:
            raise item.fault(f"the tiles can't be read ({error.code}): {error}") from None
        words = item.get("words")
        rows.append(Row(hand, builder.text(words) if words else None))
        item.done()
    return Figure("tiles", builder._game, tuple(rows))


def _deal(builder: Builder, node: Node, options: Mapping[str, str]) -> Figure:
    asked = claims.question(node, builder._game, options, claims.DEAL)
    said = node["is"]
    if builder.is_checking:
        claims.check(asked, said)
    return Figure("deal", asked.played, shown(node, asked), question=asked)


def _settle(builder: Builder, node: Node, options: Mapping[str, str]) -> Figure:
    asked = claims.question(node, builder._game, options, claims.SETTLE)
    said = node["is"]
    if builder.is_checking:
        claims.check(asked, said)
    show = "dealer" if "next_dealer" in said else "payments"
    return Figure("settle", asked.played, shown(node, asked), show=show, question=asked)


def _wall(builder: Builder, node: Node, options: Mapping[str, str]) -> Figure:
    game = builder._game.with_options(options)
    wall = levels.wall_of(node["wall"], game)
    node["wall"].done()
    return Figure("wall", game, wall)


def _dice(builder: Builder, node: Node, options: Mapping[str, str]) -> Figure:
    return Figure("dice", builder._game, levels.dice_of(node["dice"]))


def _seats(builder: Builder, node: Node, options: Mapping[str, str]) -> Figure:
    notes = {}
    for seat, item in node["seats"].mapping.items():
        if seat not in ("0", "1", "2", "3"):
            raise item.fault("seats are 0 to 3")
        notes[int(seat)] = builder.text(item)
    return Figure("seats", builder._game, notes)


def _table(builder: Builder, node: Node, options: Mapping[str, str]) -> Figure:
    table = node["table"]

    def cell(item: Node) -> Text:
        if not isinstance(item.value, str):
            return builder.text(item)
        if _HAN.search(item.text):
            raise item.fault("what is not the same in both languages needs both")
        builder.marks(item.text, item)
        return Text(item.text, item.text)

    head = [cell(item) for item in table["head"].items]
    if not head:
        raise table.fault("a table has columns")
    rows = [[cell(item) for item in row.items] for row in table["rows"].items]
    for row, made in zip(table["rows"].items, rows, strict=True):
        if len(made) != len(head):
            raise row.fault(f"this row has {len(made)} cells, the head {len(head)}")
    table.done()
    return Figure("table", builder._game, (head, rows))


_FIGURES: dict[str, Callable[[Builder, Node, Mapping[str, str]], Figure]] = {
    "hand": _hand,
    "tiles": _tiles,
    "deal": _deal,
    "settle": _settle,
    "wall": _wall,
    "dice": _dice,
    "seats": _seats,
    "table": _table,
}


def taught(chapters: Iterable[Chapter]) -> dict[str, list[str]]:
    """The places of the steps that teach each source line, by the line."""
    found: dict[str, list[str]] = {}
    for chapter in chapters:
        for step in chapter.steps:
            for line in step.cites:
                found.setdefault(line, []).append(step.place)
    return found
