"""What the pages read: all stored content as values, made when first asked for and kept by the process.

Every so often one query asks whether anything was loaded since; then a new shelf takes the old one's place,
and with it goes whatever was kept of the old one's pages.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db import Error
from django.db.models import Count, Max, TextField
from django.db.models.functions import Cast

import rules
from rules import Ruleset
from tutor.content import load
from tutor.content.build import Builder, Chapter, Comparison, Course, Step, Term, Topic, taught
from tutor.content.models import Piece
from tutor.content.picked import Picked
from tutor.content.questions import Template
from tutor.content.source import Node
from tutor.service.trouble import trouble

_MOST = 256  # parts kept for a while


class Shelf:
    """All content of one version."""

    def __init__(self, pieces: Iterable[tuple[str, str]]) -> None:
        """pieces: the place of each, and what it holds as JSON, which takes a fifth of the room."""
        self._pieces = dict(pieces)
        self._made: dict[str, Any] = {}
        self._named: dict[str, dict[str, None]] = {}
        self._kept: dict[tuple[str, ...], bytes] = {}
        self._kept_a_while: dict[Hashable, bytes] = {}

    @classmethod
    def of(cls, pieces: Mapping[str, Any]) -> Shelf:
        """A shelf of pieces that are in no database, by place."""
        return cls((place, json.dumps(piece, ensure_ascii=False)) for place, piece in pieces.items())

    def course(self, game: Ruleset) -> Course | None:
        """The head of a game's course, None where none is loaded."""
        return self._one(f"{load.COURSE}/{game.key}", game, Builder.course)

    def chapters(self, game: Ruleset) -> list[Chapter]:
        """A game's chapters in order, the notes beside the course last."""
        prefix = f"{load.CHAPTER}/{game.key}/"
        slugs = [place[len(prefix) :] for place in self._pieces if place.startswith(prefix)]
        return [chapter for slug in slugs if (chapter := self.chapter(game, slug))]

    def chapter(self, game: Ruleset, slug: str) -> Chapter | None:
        """A chapter, None where there is none."""
        return self._one(f"{load.CHAPTER}/{game.key}/{slug}", game, Builder.chapter)

    def topic(self, game: Ruleset, about: str) -> Topic | None:
        """What an author wrote for a rule page, None where nothing is written."""
        return self._one(f"{load.RULE}/{game.key}/{about}", game, Builder.topic)

    def questions(self, game: Ruleset) -> list[Template]:
        """A game's questions about the table."""
        return self._all(f"{load.QUESTION}/{game.key}/", game, Builder.question)

    def picked(self, game: Ruleset) -> list[Picked]:
        """A game's puzzles picked by hand, in order."""
        return self._all(f"{load.PICKED}/{game.key}/", game, Builder.picked)

    def picked_one(self, game: Ruleset, slug: str) -> Picked | None:
        """A puzzle picked by hand, None where there is none."""
        return self._one(f"{load.PICKED}/{game.key}/{slug}", game, Builder.picked)

    @cached_property
    def terms(self) -> dict[str, Term]:
        """The glossary by slug, in the order in which it reads well."""
        prefix = f"{load.TERM}/"
        found = (self._one(p, None, Builder.term) for p in self._pieces if p.startswith(prefix))
        return {term.slug: term for term in found if term}

    def terms_in(self, place: str) -> list[Term]:
        """The glossary's entries that a piece names, each once. place: of a piece that was asked for."""
        return [self.terms[slug] for slug in self._named.get(place, ()) if slug in self.terms]

    @cached_property
    def comparison(self) -> Comparison | None:
        """How the games differ, None where that is not written."""
        return self._one(load.COMPARISON, None, Builder.comparison)

    @cached_property
    def steps(self) -> dict[str, tuple[Chapter, Step]]:
        """Every step with its chapter, by place."""
        chapters = [chapter for game in rules.rulesets().values() for chapter in self.chapters(game)]
        return {step.place: (chapter, step) for chapter in chapters for step in chapter.steps}

    @cached_property
    def taught(self) -> dict[str, list[str]]:
        """The places of the steps that teach each source line."""
        return taught(chapter for game in rules.rulesets().values() for chapter in self.chapters(game))

    def keep(self, key: tuple[str, ...], make: Callable[[], str]) -> bytes:
        """A page, or part of one, made of this content alone, by what it is; made when first asked for."""
        if key not in self._kept:
            self._kept[key] = make().encode()
        return self._kept[key]

    def keep_a_while(self, key: Hashable, make: Callable[[], str]) -> bytes:
        """The same of what may be countless, such as answers: all are forgotten where there are too many."""
        found = self._kept_a_while.get(key)
        if found is None:
            found = make().encode()
            if len(self._kept_a_while) >= _MOST:
                self._kept_a_while.clear()
            self._kept_a_while[key] = found
        return found

    def _all(self, prefix: str, game: Ruleset, make: Any) -> list[Any]:
        found = (self._one(place, game, make) for place in self._pieces if place.startswith(prefix))
        return [made for made in found if made]

    def _one(self, place: str, game: Ruleset | None, make: Any) -> Any:
        if place not in self._made:
            found = self._pieces.get(place)
            builder = Builder(game)
            self._made[place] = None if found is None else make(builder, Node.of(json.loads(found)))
            self._named[place] = dict.fromkeys(r.target for r in builder.references if r.kind == "term")
        return self._made[place]


_shelf = Shelf([])
_version: Any = None
_looked = float("-inf")


def shelf() -> Shelf:
    """The content as it stands now, or stood at most CONTENT_SECONDS ago."""
    global _shelf, _version, _looked
    if time.monotonic() - _looked >= settings.CONTENT_SECONDS:
        try:
            version = Piece.objects.aggregate(count=Count("pk"), last=Max("changed"))
            if version != _version:
                as_json = Cast("content", TextField())
                _shelf = Shelf(Piece.objects.values_list("place", as_json))
                _version = version
        except Error as error:
            # While the database is away, what was read of it before goes on.
            if _version is None or not trouble(error):
                raise
        _looked = time.monotonic()
    return _shelf
