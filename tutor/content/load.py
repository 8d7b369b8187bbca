"""Loading the content files: all are checked as a whole, then all are stored in one transaction, or none.

What is stored is keyed by place. Loading the same files again changes nothing, and what people did, which is
kept by place elsewhere, is never touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.db import transaction
from django.utils import timezone

import rules
from rules import Ruleset
from tutor.content.build import Builder, Chapter, Reference, Term, Topic, pages_of
from tutor.content.models import Piece
from tutor.content.picked import Picked
from tutor.content.questions import Template
from tutor.content.source import Fault, Node, read

T = TypeVar("T")

FIXTURES = Path(settings.BASE_DIR) / "fixtures"
LEAST_LEVELS = 4  # in a chapter
LEAST_STEPS = 60  # in a course
LEAST_PICKED = 60  # puzzles picked by hand, of a game

COURSE, CHAPTER, RULE, TERM, COMPARISON = "course", "chapter", "rule", "term", "compare"
QUESTION, PICKED = "question", "picked"
# What a link to a page may name.
PAGES = ("check", "deal", "settle", "learn", "practice", "rules", "glossary", "compare")


class Changes(NamedTuple):
    """What storing changed, in pieces."""

    added: int
    changed: int
    removed: int


@dataclass
class Content:
    """Everything in the files, checked. pieces: what is stored, by place. faults: all that is wrong."""

    pieces: dict[str, Any] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    chapters: list[Chapter] = field(default_factory=list)
    topics: list[Topic] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)
    questions: list[Template] = field(default_factory=list)
    picked: list[Picked] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    _places: dict[str, str] = field(default_factory=dict)

    def add(self, place: str, node: Node) -> None:
        """Notes a piece; a place that is taken is a fault."""
        if place in self.pieces:
            self.faults.append(node.fault(f"{place!r} is already given at {self._places[place]}"))
            return
        self.pieces[place] = node.plain
        self._places[place] = node.where


def check(folder: Path = FIXTURES) -> Content:
    """Everything in a folder of content files, with all that is wrong in it."""
    content = Content()
    for game, name, root in _files(folder, content):
        builder = Builder(game, is_checking=True)
        for key, node in root.value.items() if isinstance(root.value, dict) else ():
            try:
                _take(content, builder, key, node)
            except Fault as fault:
                content.faults.append(fault)
        if not isinstance(root.value, dict):
            content.faults.append(Fault(name, "a content file is a mapping"))
        content.faults += builder.faults
        content.references += builder.references
    _whole(content)
    return content


def store(content: Content) -> Changes:
    """Puts checked content in place of what was stored, in one transaction."""
    if content.faults:
        raise ValueError("content with faults is not stored")
    wanted = {place: (n, plain) for n, (place, plain) in enumerate(content.pieces.items())}
    now = timezone.now()
    with transaction.atomic():
        stored = {piece.place: piece for piece in Piece.objects.all()}
        new = [
            Piece(place=place, position=n, content=plain, changed=now)
            for place, (n, plain) in wanted.items()
            if place not in stored
        ]
        changed = []
        for place, piece in stored.items():
            if place in wanted and (piece.position, piece.content) != wanted[place]:
                piece.position, piece.content = wanted[place]
                piece.changed = now
                changed.append(piece)
        gone = [piece.pk for place, piece in stored.items() if place not in wanted]
        Piece.objects.bulk_create(new)
        Piece.objects.bulk_update(changed, ["position", "content", "changed"], batch_size=100)
        Piece.objects.filter(pk__in=gone).delete()
    return Changes(len(new), len(changed), len(gone))


def _files(folder: Path, content: Content) -> Iterator[tuple[Ruleset | None, str, Node]]:
    """Each file with the game that it belongs to, GAME.yaml or GAME/*.yaml, or none for what is shared."""
    games = rules.rulesets()
    for path in sorted([*folder.glob("*.yaml"), *folder.glob("*/*.yaml")], key=lambda p: p.as_posix()):
        name = path.relative_to(folder.parent).as_posix()
        owner = path.stem if path.parent == folder else path.parent.name
        if path.parent != folder and owner not in games:
            content.faults.append(Fault(name, f"there is no game {owner!r}"))
            continue
        try:
            yield games.get(owner), name, read(path, name)
        except Fault as fault:
            content.faults.append(fault)


def _take(content: Content, builder: Builder, key: str, node: Node) -> None:
    game = builder.game
    if key == "glossary":
        for item, term in _made(content, node, builder.term):
            content.terms.append(term)
            content.add(f"{TERM}/{term.slug}", item)
    elif key == "compare" and game is None:
        builder.comparison(node)
        content.add(COMPARISON, node)
    elif game is None:
        raise node.fault(
            f"{key!r} is not known here; what belongs to a game stands in its own file or folder"
        )
    elif key == "course":
        builder.course(node)
        content.add(f"{COURSE}/{game.key}", node)
    elif key == "chapters":
        for item, chapter in _made(content, node, builder.chapter):
            content.chapters.append(chapter)
            content.add(f"{CHAPTER}/{chapter.place}", item)
            if len(chapter.levels) < LEAST_LEVELS and not chapter.is_note:
                content.faults.append(item.fault(f"a chapter has at least {LEAST_LEVELS} levels"))
    elif key == "rules":
        for item, topic in _made(content, node, builder.topic):
            content.topics.append(topic)
            content.add(f"{RULE}/{game.key}/{topic.about}", item)
    elif key == "questions":
        for item, asked in _made(content, node, builder.question):
            content.questions.append(asked)
            content.add(f"{QUESTION}/{game.key}/{asked.slug}", item)
    elif key == "picked":
        for item, puzzle in _made(content, node, builder.picked):
            content.picked.append(puzzle)
            content.add(f"{PICKED}/{puzzle.place}", item)
    else:
        raise node.fault(
            f"{key!r} is not known here; known: course, chapters, rules, questions, picked, glossary"
        )


def _made(content: Content, node: Node, make: Callable[[Node], T]) -> Iterator[tuple[Node, T]]:
    """What is made of each item of a list; an item that can't be made is a fault, and the next is tried."""
    for item in node.items:
        try:
            made = make(item)
        except Fault as fault:
            content.faults.append(fault)
        else:
            yield item, made


def _whole(content: Content) -> None:
    """What can be told only when everything is known: links, and that nothing is missing."""
    terms = {term.slug for term in content.terms}
    steps = {step.place for chapter in content.chapters for step in chapter.steps}
    chapters = {chapter.place for chapter in content.chapters}
    known_rules = {f"{game.key}/{about}" for game in rules.rulesets().values() for about in pages_of(game)}
    known = {"term": terms, "step": steps | chapters, "rule": known_rules, "page": set(PAGES)}
    for reference in content.references:
        if reference.target not in known[reference.kind]:
            content.faults.append(
                reference.node.fault(f"there is no {reference.kind} {reference.target!r} to point to")
            )


def missing(content: Content) -> Iterator[str]:
    """What the content as a whole lacks: heads of courses, steps, rule pages, lines that no step teaches."""
    taught = {line for chapter in content.chapters for step in chapter.steps for line in step.cites}
    written = {f"{topic.game.key}/{topic.about}" for topic in content.topics}
    for game in rules.rulesets().values():
        if f"{COURSE}/{game.key}" not in content.pieces:
            yield f"{game.key} has no course"
        steps = [s for c in content.chapters if c.game.key == game.key for s in c.steps if not c.is_note]
        if len(steps) < LEAST_STEPS:
            yield f"{game.key} has {len(steps)} steps, fewer than {LEAST_STEPS}"
        for about in pages_of(game):
            if f"{game.key}/{about}" not in written:
                yield f"no rule page is written for {game.key}/{about}"
        for line in game.lines:
            if line not in taught:
                yield f"no step teaches {line}"
        picked = sum(puzzle.game.key == game.key for puzzle in content.picked)
        if picked < LEAST_PICKED:
            yield f"{game.key} has {picked} puzzles picked by hand, fewer than {LEAST_PICKED}"
        if not any(asked.game.key == game.key for asked in content.questions):
            yield f"{game.key} has no questions about the table"
    if COMPARISON not in content.pieces:
        yield "the games are not compared"
