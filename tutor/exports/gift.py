"""Puzzles as a quiz in GIFT, the plain text that Moodle and many other systems read.

It holds no pictures: tiles are told in words and as the checker reads them. Several places to fill in become
pairs to match, an exchange is written down, the rest is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import override, pgettext

from tutor.exports.moodle import category_name
from tutor.exports.quiz import Blanks, Choices, Form, Number, Question, Tiles, Written, question
from tutor.puzzles.puzzle import Puzzle

_LINE = "\n"
_CONTROLS = str.maketrans({sign: f"\\{sign}" for sign in "\\~=#{}:"} | {_LINE: "\\n"})
_LINE_ENDS = str.maketrans(dict.fromkeys("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029", _LINE))


def text(title: str, puzzles: Sequence[Puzzle], language: str) -> str:
    """A GIFT file: a category of this title, and a question for each puzzle."""
    with override(language):
        asked = [_question(question(puzzle, number)) for number, puzzle in enumerate(puzzles, 1)]
    category = category_name(title).replace("\\", "\\\\")
    return "\n\n".join([f"$CATEGORY: $course$/top/{category}", *asked]) + "\n"


def _question(asked: Question) -> str:
    parts = [part if isinstance(part, str) else _tiles(part) for part in asked.parts]
    parts += [asked.form.unit] if isinstance(asked.form, Number) else []
    answers = "\n".join([*_answers(asked.form), f"####{_plain(*asked.reasons)}"])
    return f"::{_escaped(asked.title)}::{_plain(*parts)} {{{answers}\n}}"


def _answers(form: Form) -> Iterator[str]:
    if isinstance(form, Choices):
        for choice, share in zip(form.choices, form.shares, strict=True):
            sign = f"~%{share}%" if form.many else "=" if choice.is_right else "~"
            shown = [_tiles(choice.tiles)] if choice.tiles else []
            yield f"{sign}{_plain(choice.words, *shown)}#{_plain(choice.why)}"
    elif isinstance(form, Number):
        yield f"#{form.value}:0"
    elif isinstance(form, Written):
        yield from (f"={_escaped(answer)}" for answer in form.answers)
    elif isinstance(form, Blanks):
        yield from (f"={_plain(blank.label)} -> {_escaped(blank.right)}" for blank in form.blanks)
        wrong = {other for blank in form.blanks for other in blank.others}
        for other in sorted(wrong - {blank.right for blank in form.blanks}):
            yield f"= -> {_escaped(other)}"


def _tiles(tiles: Tiles) -> str:
    said = f"{tiles.said} " if tiles.said else ""
    colon = pgettext("between a term and its meaning", ": ")
    return f"{said}{tiles.text}{colon}{tiles.label}"


def _plain(*lines: str) -> str:
    """A text as it stands in a file: said to be plain, so that nothing in it is taken for markup."""
    return f"[plain]{_escaped(_LINE.join(lines))}"


def _escaped(words: str) -> str:
    return words.translate(_LINE_ENDS).translate(_CONTROLS).replace("->", "→")
