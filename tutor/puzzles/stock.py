"""The content that puzzles are made of: what is loaded, or the files where nothing is loaded yet."""

from __future__ import annotations

from functools import cache

from django.db import Error

import rules
from tutor.content import load
from tutor.content.shelf import Shelf, shelf


def stock() -> Shelf:
    """The content as it is loaded; without any, as where only commands run, the files themselves."""
    try:
        loaded = shelf()
    except Error:  # no database has been made
        return _files()
    games = rules.rulesets().values()
    return loaded if any(loaded.questions(game) for game in games) else _files()


@cache
def _files() -> Shelf:
    return Shelf.of(load.check().pieces)
