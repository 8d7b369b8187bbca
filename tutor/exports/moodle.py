"""Puzzles as a quiz in Moodle XML, for the question bank of a school's Moodle.

The tiles go along as pictures in the file. A question with several numbers becomes one with embedded answers
(cloze); an exchange is written down; the rest is chosen.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from django.utils.html import escape
from django.utils.translation import override

from tutor.exports.picture import picture
from tutor.exports.quiz import Blank, Blanks, Choices, Number, Open, Question, Tiles, Written, question
from tutor.puzzles.puzzle import Puzzle

# What XML can't hold, and the line ends that it doesn't keep.
_UNSAID = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TYPES: dict[type, str] = {
    Choices: "multichoice",
    Number: "numerical",
    Written: "shortanswer",
    Blanks: "cloze",
    Open: "essay",
}


def xml(title: str, puzzles: Sequence[Puzzle], language: str) -> str:
    """A Moodle XML file: a category of this title, and a question for each puzzle."""
    quiz = ET.Element("quiz")
    category = ET.SubElement(quiz, "question", type="category")
    _text(ET.SubElement(category, "category"), f"$course$/top/{category_name(title)}")
    with override(language):
        for number, puzzle in enumerate(puzzles, 1):
            _add(quiz, question(puzzle, number), language)
    ET.indent(quiz)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(quiz, encoding="unicode")}\n'


def category_name(title: str) -> str:
    """A title as the name of one category, in one line. Its slashes are doubled, for single ones divide; one
    at an end stands off, or it would run into those around it."""
    name = " ".join(_UNSAID.sub("\ufffd", title).split()).replace("/", "//") or "Paili"
    return f"{' ' * name.startswith('/')}{name}{' ' * name.endswith('/')}"


def _add(quiz: ET.Element, asked: Question, language: str) -> None:
    form = asked.form
    node = ET.SubElement(quiz, "question", type=_TYPES[type(form)])
    _text(ET.SubElement(node, "name"), asked.title)
    text = ET.SubElement(node, "questiontext", format="html")
    files: list[str] = []
    parts = [_part(part, files) for part in asked.parts]
    parts += [_gap(blank, form) for blank in form.blanks] if isinstance(form, Blanks) else []
    parts += [_paragraph(form.unit)] if isinstance(form, Number) else []
    _text(text, f'<div lang="{language}">{"".join(parts)}</div>')
    _attach(text, files)
    _html(node, "generalfeedback", "".join(map(_paragraph, asked.reasons)))
    for name, value in (("defaultgrade", "1"), ("penalty", "0.3333333"), ("hidden", "0")):
        ET.SubElement(node, name).text = value
    _answers(node, form)


def _answers(node: ET.Element, form: object) -> None:
    if isinstance(form, Choices):
        for name, value in (("single", _flag(not form.many)), ("shuffleanswers", "false")):
            ET.SubElement(node, name).text = value
        ET.SubElement(node, "answernumbering").text = "abc"
        for choice, share in zip(form.choices, form.shares, strict=True):
            files: list[str] = []
            words = escape(choice.words) + (_picture(choice.tiles, files) if choice.tiles else "")
            answer = _html(node, "answer", words, fraction=share)
            _attach(answer, files)
            _html(answer, "feedback", escape(choice.why))
    elif isinstance(form, Number):
        answer = _answer(node, str(form.value))
        ET.SubElement(answer, "tolerance").text = "0"
    elif isinstance(form, Written):
        ET.SubElement(node, "usecase").text = "0"
        for said in form.answers:
            _answer(node, said)
    elif isinstance(form, Open):
        ET.SubElement(node, "responseformat").text = "editor"


def _answer(node: ET.Element, said: str) -> ET.Element:
    """A right answer as somebody types it."""
    answer = ET.SubElement(node, "answer", fraction="100", format="moodle_auto_format")
    ET.SubElement(answer, "text").text = said
    return answer


def _gap(blank: Blank, form: Blanks) -> str:
    if form.are_numbers:
        inside = f"NUMERICAL:={blank.right.replace('−', '-').removeprefix('+')}"
    else:
        inside = "MULTICHOICE:" + "~".join([f"={_gap_text(blank.right)}", *map(_gap_text, blank.others)])
    return f"<p>{_escaped(blank.label)} {{1:{inside}}}</p>"


def _gap_text(text: str) -> str:
    return re.sub(r'([}#~/"\\])', r"\\\1", escape(text))


def _part(part: str | Tiles, files: list[str]) -> str:
    if isinstance(part, str):
        return _paragraph(part)
    said = f"{_escaped(part.said)} " if part.said else ""
    return f"<p>{said}{_picture(part, files)}<br><code>{_escaped(part.text)}</code></p>"


def _picture(tiles: Tiles, files: list[str]) -> str:
    """An image of tiles; its file is added to the files."""
    drawn = picture(tiles.hand)
    files.append(drawn.svg)
    return (
        f'<img src="@@PLUGINFILE@@/tiles-{len(files)}.svg" alt="{_escaped(tiles.label)}" '
        f'width="{drawn.width}" height="{drawn.height}" style="max-width: 100%; height: auto">'
    )


def _paragraph(text: str) -> str:
    return f"<p>{_escaped(text)}</p>"


def _escaped(text: str) -> str:
    """A text that Moodle takes for no markup, no gap and no place of a file."""
    return escape(text).replace("{", "&#123;").replace("@@", "&#64;&#64;")


def _html(node: ET.Element, name: str, html: str, **attributes: str) -> ET.Element:
    made = ET.SubElement(node, name, {"format": "html", **attributes})
    _text(made, html)
    return made


def _text(node: ET.Element, text: str) -> None:
    ET.SubElement(node, "text").text = _UNSAID.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def _attach(node: ET.Element, files: list[str]) -> None:
    for number, svg in enumerate(files, 1):
        file = ET.SubElement(node, "file", name=f"tiles-{number}.svg", path="/", encoding="base64")
        file.text = b64encode(svg.encode()).decode("ascii")


def _flag(is_so: bool) -> str:
    return "true" if is_so else "false"
