"""The parts of the checker's page that change with every hand, as templates ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django import template
from django.utils.safestring import SafeString

from rules import Ruleset
from rules.verdict import Finding
from tutor.checker import drawing
from tutor.checker.drawing import Page
from tutor.checker.entry import Entry, Key
from tutor.checker.pen import pen
from tutor.checker.views import Answer, Board, Mend

register = template.Library()


def _placed(part: str, oob: object) -> SafeString:
    return SafeString(drawing.swapped(part) if oob else part)


@register.simple_tag
def entry_part(entry: Entry, board: Board, answers: Sequence[Answer], oob: object = "") -> SafeString:
    """What was entered. oob: htmx puts it in the place of the one before."""
    return _placed(drawing.entry_part(pen(), entry, board, answers), oob)


@register.simple_tag
def text_part(entry: Entry, oob: object = "") -> SafeString:
    """The field for the hand as text."""
    return _placed(drawing.text_part(pen(), entry), oob)


@register.simple_tag
def hint_part(board: Board, oob: object = "") -> SafeString:
    """How a hand is written as text."""
    return _placed(drawing.hint_part(pen(), board.example), oob)


@register.simple_tag
def tools_part(entry: Entry, oob: object = "") -> SafeString:
    """The keys that undo and clear."""
    return _placed(drawing.tools_part(pen(), entry), oob)


@register.simple_tag
def modes_part(entry: Entry, board: Board, oob: object = "") -> SafeString:
    """What the next key adds."""
    return _placed(drawing.modes_part(pen(), entry, board), oob)


@register.simple_tag
def keys_part(rows: Iterable[Sequence[Key]], oob: object = "") -> SafeString:
    """The tile keyboard."""
    return _placed(drawing.keys_part(pen(), rows), oob)


@register.simple_tag
def circumstances_part(page: Page) -> SafeString:
    """The fields for how the hand was won."""
    return SafeString(drawing.circumstances_part(pen(), page))


@register.simple_tag
def table_rules_part(page: Page) -> SafeString:
    """The table rules of each game, and what they make of the hand."""
    return SafeString(drawing.table_rules_part(pen(), page))


@register.simple_tag
def shows_part(page: Page) -> SafeString:
    """What tells the server which parts are shown."""
    return SafeString(drawing.shows_part(pen(), page))


@register.simple_tag
def answers_part(page: Page) -> SafeString:
    """What each game says."""
    return SafeString(drawing.answers_part(pen(), page))


@register.simple_tag
def sentence(answer: Answer, entry: Entry, board: Board) -> SafeString:
    """What a game says in one sentence."""
    return SafeString(drawing.sentence(pen(), answer, entry, board))


@register.simple_tag
def announcement(entry: Entry, board: Board, answers: Sequence[Answer]) -> SafeString:
    """What is read out after a change."""
    return SafeString(drawing.announcement(pen(), entry, board, answers))


@register.simple_tag
def answer_part(answer: Answer, entry: Entry, board: Board) -> SafeString:
    """All that one game says."""
    return SafeString(drawing.answer_part(pen(), answer, entry, board))


@register.simple_tag
def findings_part(findings: Iterable[Finding], game: Ruleset, brief: object = "") -> SafeString:
    """A verdict rule by rule."""
    return SafeString(drawing.findings_part(pen(), findings, game, bool(brief)))


@register.simple_tag
def fix_part(mend: Mend, game: Ruleset) -> SafeString:
    """An exchange of one tile, to press."""
    return SafeString(drawing.fix_part(pen(), mend, game))
