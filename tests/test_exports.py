"""Puzzles taken along: as a Moodle quiz, as GIFT, and on paper.

Both formats are read here by readers written from what their makers publish, which know nothing of Paili: the
XML as Moodle's import takes it, GIFT by its grammar. What they read must be right by the puzzle itself.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.contrib.staticfiles import finders
from django.test import RequestFactory
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules import HandError, Text, notation
from rules.circumstances import SEATS
from rules.claims import ACTION_WORDS
from tests.conftest import real_shelf
from tests.test_checker_page import Element, assert_valid, read
from tutor.content import prose
from tutor.content.levels import BIRDS, CHOICES, CLAIMS, GROUP, KEYS, ROW, SWAP, WALL, Level
from tutor.content.walls import place_name
from tutor.exports import gift, moodle
from tutor.exports.picture import picture
from tutor.exports.quiz import Choice, Choices
from tutor.exports.worksheet import worksheet
from tutor.lessons.templatetags.lessons import plain_of
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import Puzzle, picked_puzzle, series

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shelved")]

STOCK = real_shelf()
GAMES = rules.rulesets()
LANGUAGES = ("en", "zh-hans")
in_both_languages = pytest.mark.parametrize("language", LANGUAGES)
SETS = [(game, kind) for game in GAMES for kind in [*KINDS, "picked"]]
each_set = pytest.mark.parametrize(("game", "kind"), SETS, ids=[" ".join(pair) for pair in SETS])


@cache
def puzzles_of(game: str, kind: str) -> list[Puzzle]:
    """A few puzzles of a kind from three levels; all that were picked by hand."""
    if kind == "picked":
        return [picked_puzzle(found) for found in STOCK.picked(GAMES[game])]
    count = 15 if kind == "table" else 2  # the table's questions are of several forms
    made = (islice(series(kind, GAMES[game], level, 5, STOCK), count) for level in (1, 3, 5))
    return list(chain.from_iterable(made))


def all_puzzles() -> list[Puzzle]:
    return [puzzle for pair in SETS for puzzle in puzzles_of(*pair)]


# What a reader finds


@dataclass
class Read:
    """A question as a reader finds it. choices: each with its percents and what is said to it. gaps: what
    stands before each, its right answer and the wrong ones."""

    type: str
    title: str
    text: str
    reasons: str
    choices: list[tuple[str, float, str]] = field(default_factory=list)
    gaps: list[tuple[str, str, frozenset[str]]] = field(default_factory=list)
    single: bool = True
    files: dict[str, str] = field(default_factory=dict)

    @property
    def right(self) -> list[str]:
        return [text for text, share, _ in self.choices if share > 0]


NOTHING = {"None of these", "Nobody gets it", "一个都没有", "谁都不要"}


def key_of(level: Level) -> set[str]:
    """What may be chosen or written, as the level itself says it, in the language that is active."""
    language = translation.get_language()
    right = {item for answer in level.rights for item in answer}
    colon = "：" if language == "zh-hans" else ": "

    def told(text: Text) -> str:
        return text.in_language(language)

    if level.widget == CHOICES:
        return {plain_of(offer.words, level.game) for offer in level.offers if offer.value in right}
    if level.widget == CLAIMS:
        return {
            f"{told(SEATS[int(seat)])}{colon}{told(ACTION_WORDS[action])}"
            for seat, action in (item.split(":") for item in right)
        }
    if level.widget == WALL:
        return {told(place_name(item)) for item in right}
    if level.widget == BIRDS:
        return {told(SEATS[int(item.partition(":")[2])]) for item in right}
    return {item.split(".")[0] for item in right}


def without_minus(number: str) -> int:
    return int(number.replace("−", "-"))


def assert_right(found: Read, puzzle: Puzzle) -> None:
    """What is right by what was read is right by the engine, and nothing else is."""
    level = puzzle.level
    if level.widget == SWAP:
        assert found.type == "short"
        assert {re.sub(r"\s", "", text) for text in found.right} == key_of(level)
        assert [share for _, share, _ in found.choices] == [100] * len(found.choices)
    elif level.kind == "score":
        assert found.type == "number"
        assert [set(found.right)] == [set(right) for right in level.rights]
    elif level.kind == "payments":
        assert found.type == "gaps"
        assert [without_minus(right) for _, right, _ in found.gaps] == list(level.shown.payments)
        seats = [seat.in_language(translation.get_language()) for seat in SEATS]
        assert [label for label, _, _ in found.gaps] == seats
    elif level.widget == BIRDS and len({offer.value.split(":")[0] for offer in level.offers}) > 1:
        fallen = dict(item.split(":") for item in level.rights[0])
        seats = [seat.in_language(translation.get_language()) for seat in SEATS]
        assert [right for _, right, _ in found.gaps] == [
            seats[int(fallen[str(n)])] for n in range(len(fallen))
        ]
        assert all({right, *wrong} == set(seats) for _, right, wrong in found.gaps)
    else:
        assert_chosen_rightly(found, level)
    assert found.reasons


def assert_chosen_rightly(found: Read, level: Level) -> None:
    assert found.type == "choices"
    texts = [text for text, _, _ in found.choices]
    assert len(set(texts)) == len(texts) > 1
    is_tiles = level.widget in (KEYS, ROW)
    right = {match[1] if is_tiles and (match := re.search(r"\((\w+)\)$", t)) else t for t in found.right}
    assert right == (key_of(level) or right & NOTHING)
    assert found.single is (not level.many or level.widget == BIRDS)
    shares = [share for _, share, _ in found.choices]
    if found.single:
        assert set(shares) == {0, 100}
    else:
        assert sum(share for share in shares if share > 0) == pytest.approx(100, abs=0.01)
        assert sum(shares) <= 0.01, "whoever chooses everything gets something"
        assert 0 not in shares
    for _, share, why in found.choices:
        assert why.startswith(("Right.", "对了。") if share > 0 else ("Not right.", "不对。"))
    offered = {offer.value.split(".")[0] for offer in level.offers}
    assert len(texts) >= (len(offered) if level.widget not in (WALL, BIRDS) else 2)


# Moodle XML, as Moodle's import takes it: docs.moodle.org, "Moodle XML format"

TAKEN = [100, 90, 83.33333, 80, 75, 70, 66.66667, 60, 50, 40, 33.33333, 30, 25, 20, 16.66667, 14.28571]
TAKEN += [12.5, 11.11111, 10, 5, 0]
TYPES = {
    "multichoice": "choices",
    "numerical": "number",
    "shortanswer": "short",
    "cloze": "gaps",
    "essay": "open",
}
COMMON = ["name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden"]
OWN = {
    "multichoice": ["single", "shuffleanswers", "answernumbering", "answer"],
    "numerical": ["answer"],
    "shortanswer": ["usecase", "answer"],
    "cloze": [],
    "essay": ["responseformat"],
}
_GAP = re.compile(r"([^>{}]*) \{(\d+):([A-Z]+):((?:\\.|[^}\\])*)\}")


def html_of(node: ET.Element) -> str:
    """The text of an element in HTML, which must be sound, with its files there."""
    assert node.get("format") == "html"
    markup = node.findtext("text")
    assert markup is not None
    tree = read(markup)
    files = {file.get("name"): file for file in node.findall("file")}
    images = tree.all("img")
    assert [img["src"] for img in images] == [f"@@PLUGINFILE@@/{name}" for name in files]
    assert all(img["alt"] and "alt" in img.attributes for img in images)
    for file in files.values():
        assert (file.get("path"), file.get("encoding")) == ("/", "base64")
        assert_picture(b64decode(file.text or "", validate=True).decode())
    return markup


def assert_picture(svg: str) -> None:
    """It is an SVG by itself, in which everything that is used is there."""
    root = ET.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    ids = {e.get("id") for e in root.iter() if e.get("id")}
    used = {(e.get("href") or "").removeprefix("#") for e in root.iter("{http://www.w3.org/2000/svg}use")}
    assert used
    assert used == ids, "what is not used needs no place"


def plain(markup: str) -> str:
    return read(markup).text


def read_xml(text: str) -> tuple[str, list[Read]]:
    """The category and the questions of a Moodle XML file."""
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
    root = ET.fromstring(text.encode())
    assert root.tag == "quiz"
    assert {e.tag for e in root} == {"question"}
    category, *questions = root
    assert category.get("type") == "category"
    return category.findtext("category/text") or "", [read_xml_question(node) for node in questions]


def read_xml_question(node: ET.Element) -> Read:
    kind = node.get("type") or ""
    tags = list(dict.fromkeys(e.tag for e in node))
    assert tags == COMMON + OWN[kind]
    text = html_of(node.find("questiontext") or ET.Element(""))
    name = node.findtext("name/text") or ""
    assert name
    assert "\n" not in name
    found = Read(TYPES[kind], name, text, plain(html_of(node.find("generalfeedback") or ET.Element(""))))
    for answer in node.findall("answer"):
        share = float(answer.get("fraction") or "")
        assert any(abs(abs(share) - taken) < 0.00001 for taken in TAKEN)
        if kind == "multichoice":
            said = plain(html_of(answer)), share, plain(html_of(answer.find("feedback") or ET.Element("")))
        else:
            said = answer.findtext("text") or "", share, ""
        found.choices.append(said)
    if kind == "multichoice":
        assert node.findtext("single") in ("true", "false")
        found.single = node.findtext("single") == "true"
    if kind == "numerical":
        assert [a.findtext("tolerance") for a in node.findall("answer")] == ["0"]
        assert re.fullmatch(r"-?\d+", found.choices[0][0])
    if kind == "cloze":
        found.gaps = list(gaps_in(text))
        assert found.gaps
    else:
        assert "{" not in text
    return found


def gaps_in(markup: str) -> Iterator[tuple[str, str, frozenset[str]]]:
    assert markup.count("{") == len(_GAP.findall(markup))
    for label, weight, kind, inside in _GAP.findall(markup):
        assert weight == "1"
        options = [re.sub(r"\\(.)", r"\1", option) for option in re.split(r"(?<!\\)~", inside)]
        right = [option.removeprefix("=") for option in options if option.startswith("=")]
        assert len(right) == 1
        if kind == "NUMERICAL":
            assert re.fullmatch(r"-?\d+", right[0])
            assert len(options) == 1
        else:
            assert kind == "MULTICHOICE"
        yield plain(label), plain(right[0]), frozenset(plain(o) for o in options if not o.startswith("="))


# GIFT by its grammar: docs.moodle.org, "GIFT format"; a sign of its own stands for itself after a backslash

SIGNS = "~=#{}:"
CONTROL = {sign: chr(0xF0000 + n) for n, sign in enumerate(SIGNS)}


def unescaped(text: str) -> str:
    """The text with each sign that controls as a letter that no text holds, and the others as themselves."""
    found, at = [], 0
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 1
            assert text[at] in f"{SIGNS}\\n", f"\\{text[at]} means nothing"
            found.append("\n" if text[at] == "n" else text[at])
        else:
            found.append(CONTROL.get(sign, sign))
        at += 1
    return "".join(found)


def read_gift(text: str) -> tuple[str, list[Read]]:
    """The category and the questions of a GIFT file."""
    assert text.endswith("\n")
    first, *blocks = re.split(r"\n[ \t]*\n", text.removesuffix("\n"))
    assert first.startswith("$CATEGORY: ")
    assert "\n" not in first
    return first.removeprefix("$CATEGORY: ").replace("\\\\", "\\"), [read_gift_question(b) for b in blocks]


def read_gift_question(block: str) -> Read:
    assert not [line for line in block.splitlines() if line.startswith("//") or not line.strip()]
    name = CONTROL[":"] * 2
    empty, title, rest = unescaped(block).split(name)
    assert empty == ""
    stem, rest = rest.split(CONTROL["{"])
    body, rest = rest.split(CONTROL["}"])
    assert rest == ""
    body, reasons = body.split(CONTROL["#"] * 4)
    found = Read("open", free(title), formatted(stem), formatted(reasons))
    body = body.strip()
    if body.startswith(CONTROL["#"]):
        number, _, tolerance = body[1:].partition(CONTROL[":"])
        assert tolerance == "0"
        assert re.fullmatch(r"-?\d+", number)
        found.type, found.choices = "number", [(number, 100, "")]
    elif "->" in body:
        found.type = "gaps"
        pairs = [pair.split(" -> ") for pair in f" {body}".split(CONTROL["="])[1:]]
        wrong = frozenset(free(right).strip() for left, right in pairs if not left.strip())
        filled = [(formatted(left), free(right).strip()) for left, right in pairs if left.strip()]
        offered = wrong | {right for _, right in filled}
        found.gaps = [(left, right, offered - {right}) for left, right in filled]
        assert len(offered) > 2
    elif CONTROL["~"] in body:
        answers = re.findall(f"([{CONTROL['~']}{CONTROL['=']}])([^{CONTROL['~']}{CONTROL['=']}]*)", body)
        found.type, found.choices = "choices", [gift_choice(sign, said) for sign, said in answers]
        found.single = CONTROL["="] in body
    elif body:
        found.type = "short"
        empty, *answers = body.split(CONTROL["="])
        assert empty == ""
        found.choices = [(free(said).strip(), 100, "") for said in answers]
    return found


def gift_choice(sign: str, said: str) -> tuple[str, float, str]:
    words, _, why = said.partition(CONTROL["#"])
    weight = re.match(r"%(-?\d{1,3}(?:\.\d+)?)%", words)
    share = float(weight[1]) if weight else 100 if sign == CONTROL["="] else 0
    assert any(abs(abs(share) - taken) < 0.00001 for taken in TAKEN)
    return formatted(words[weight.end() if weight else 0 :]), share, formatted(why)


def formatted(text: str) -> str:
    """A text that says that it is plain."""
    assert text.lstrip().startswith("[plain]")
    return free(text.lstrip().removeprefix("[plain]")).strip()


def free(text: str) -> str:
    """A text in which nothing controls."""
    assert not set(text) & set(CONTROL.values())
    return text


# The quizzes


@in_both_languages
@each_set
def test_a_moodle_quiz_is_sound_and_right_by_the_engine(game: str, kind: str, language: str) -> None:
    puzzles = puzzles_of(game, kind)
    category, found = read_xml(moodle.xml("Week 3", puzzles, language))
    assert category == "$course$/top/Week 3"
    assert len(found) == len(puzzles)
    with translation.override(language):
        for puzzle, asked in zip(puzzles, found, strict=True):
            assert_right(asked, puzzle)
            assert_told(plain(asked.text), puzzle)
            assert f'<div lang="{language}">' in asked.text


@in_both_languages
@each_set
def test_a_gift_quiz_is_sound_and_right_by_the_engine(game: str, kind: str, language: str) -> None:
    puzzles = puzzles_of(game, kind)
    category, found = read_gift(gift.text("Week 3", puzzles, language))
    assert category == "$course$/top/Week 3"
    assert len(found) == len(puzzles)
    with translation.override(language):
        for puzzle, asked in zip(puzzles, found, strict=True):
            assert_right(asked, puzzle)
            assert_told(asked.text, puzzle)


def assert_told(text: str, puzzle: Puzzle) -> None:
    """A question says what it asks and which tiles it is about, as the checker reads them."""
    level = puzzle.level
    assert " ".join(plain_of(level.prompt, puzzle.game).split()) in " ".join(text.split())
    hands = [level.shown.hand] if hasattr(level.shown, "hand") else []
    hands += list(level.shown.hands.values()) if level.widget == CLAIMS else []
    if level.kind == "payments":
        hands += [win.verdict.hand for win in level.shown.scenario.wins if win.verdict]
    for hand in hands:
        assert rules.notation.write(hand) in text


@in_both_languages
def test_titles_tell_the_questions_of_a_quiz_apart(language: str) -> None:
    puzzles = all_puzzles()
    for found in (
        read_xml(moodle.xml("All", puzzles, language))[1],
        read_gift(gift.text("All", puzzles, language))[1],
    ):
        assert len({asked.title for asked in found}) == len(puzzles)


def test_what_every_puzzle_is_can_be_asked_in_both_formats() -> None:
    puzzles = all_puzzles()
    forms = {"choices", "short", "number", "gaps"}
    assert {asked.type for asked in read_xml(moodle.xml("All", puzzles, "en"))[1]} == forms
    assert {asked.type for asked in read_gift(gift.text("All", puzzles, "en"))[1]} == forms


def house_puzzles() -> list[Puzzle]:
    played = GAMES["changsha"].with_options({"birds": "4"})
    return list(islice(series("payment", played, 3, 5, STOCK), 2))


@in_both_languages
def test_house_rules_are_said_in_the_question(language: str) -> None:
    puzzles = house_puzzles()
    rule = next(o for o in puzzles[0].game.options if o.key == "birds")
    between = " " if language == "en" else ""
    said = f"{rule.name.in_language(language)}{between}{rule.choice('4').words.in_language(language)}"
    for found in (
        read_xml(moodle.xml("T", puzzles, language))[1],
        read_gift(gift.text("T", puzzles, language))[1],
    ):
        assert all(said in asked.text for asked in found)


@in_both_languages
def test_where_a_seat_sits_stands_in_the_brackets_of_the_language(language: str) -> None:
    puzzles = puzzles_of("changsha", "claim")
    written = [asked.text for asked in read_gift(gift.text("T", puzzles, language))[1]]
    sheet = sheet_of(puzzles, language, with_key=False)
    shown = [
        " ".join(legend.text for legend in asked.all("legend")) for asked in sheet.all("section", "asked")
    ]
    for said in [*written, *shown]:
        assert re.search(r"[a-z] \((the|that) " if language == "en" else "（(出牌人的|就是这)", said)
        assert not re.search("（that|（the" if language == "en" else r"\(出牌人|\(就是", said)


def test_an_empty_quiz_is_sound() -> None:
    assert read_xml(moodle.xml("Nothing", [], "en")) == ("$course$/top/Nothing", [])
    assert read_gift(gift.text("Nothing", [], "en")) == ("$course$/top/Nothing", [])


def asked_of(level: Level) -> Puzzle:
    return replace(puzzles_of("changsha", "can-win")[0], level=level)


def test_a_question_that_no_format_can_judge_is_left_to_a_reader_with_its_answer_told() -> None:
    puzzle = puzzles_of("changsha", "discard")[0]
    verdict = puzzle.level.shown
    every = tuple(frozenset({offer.value.split(".")[0]}) for offer in puzzle.level.offers)
    grouped = Level("group", GROUP, puzzle.game, (frozenset({"123m", "55p"}),), many=True, shown=verdict)
    several = replace(puzzles_of("changsha", "waits")[0].level, rights=(frozenset({"1m"}), frozenset({"2m"})))
    crowd = replace(
        puzzles_of("changsha", "waits")[0].level,
        rights=(frozenset(tile.code for tile in puzzle.game.tiles.tiles[:25]),),
    )
    for level in (replace(puzzle.level, rights=every), grouped, several, crowd):
        for found in (
            read_xml(moodle.xml("T", [asked_of(level)], "en"))[1],
            read_gift(gift.text("T", [asked_of(level)], "en"))[1],
        ):
            assert [asked.type for asked in found] == ["open"]
            assert found[0].reasons.startswith("Answer: ")
            code = min(min(level.rights, key=sorted)).split(".")[0]
            assert code in found[0].reasons


@pytest.mark.parametrize("rights", range(1, 21))
@pytest.mark.parametrize("wrongs", [1, 2, 5, 14, 26, 33])
def test_the_right_ones_together_are_all_and_everything_together_is_nothing(rights: int, wrongs: int) -> None:
    choices = [Choice("", n < rights, "") for n in range(rights + wrongs)]
    shares = [float(share) for share in Choices(choices, many=True).shares]
    assert all(any(abs(abs(share) - taken) < 0.00001 for taken in TAKEN) for share in shares)
    assert all((share > 0) is (n < rights) for n, share in enumerate(shares))
    assert round(sum(shares[:rights]), 2) == 100
    assert sum(shares) <= 0.001


# Texts that nobody writes

NASTY = [
    "]]>",
    "<![CDATA[x]]>",
    "<script>alert(1)</script>",
    "a & b < c > d \" ' &amp; &#0;",
    "{1:NUMERICAL:=3}",
    "{=right ~wrong #no ####all}",
    "~%100%x =y # z -> w : { } \\ \\n \\\\",
    "// no comment\n\n::no title:: {T}",
    "[html]<b>x</b>",
    "[plain]x",
    "$CATEGORY: x",
    "@@PLUGINFILE@@/x.svg",
    "a/b//c",
    "line\r\nline\rline\u2028line\x0bline",
    "\x00\x08\x1f\x7f\ud800\ufffe",
    "日本 牌理 🀄 𝕏",
    "%50%x",
    "*",
]


def can_be_kept(said: str) -> bool:
    """Whether content files and teachers' forms take a text: tiles in it can be drawn."""
    for mark in prose.marks(said):
        if mark.kind == prose.TILES:
            try:
                notation.parse_unfinished(mark.target, rules.rulesets()["changsha"].tiles)
            except HandError:
                return False
    return True


nasty_texts = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=40),
    st.lists(st.sampled_from([*"~=#{}:\\%[]<>&\"'\n\r $/@*-> n", "1m", "]]>", "->"]), max_size=20).map(
        "".join
    ),
).filter(can_be_kept)


def spoiled(said: str) -> Puzzle:
    """A puzzle all of whose texts are this one, its choices numbered so that they can be told apart."""
    puzzle = next(p for p in puzzles_of("changsha", "which-game") if p.level.widget == CHOICES)
    text = Text(said, said)
    offers = tuple(
        offer._replace(words=Text(f"{n} {said}", f"{n} {said}"))
        for n, offer in enumerate(puzzle.level.offers)
    )
    level = replace(puzzle.level, prompt=text, offers=offers, reason=lambda item: text)
    return replace(puzzle, level=level, title=text, note=text)


def kept(text: str) -> str:
    """A text as any reader may keep it: white space folded, what no file can hold replaced."""
    return " ".join(re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text).split())


@settings(max_examples=200, deadline=None)
@given(said=nasty_texts)
@pytest.mark.parametrize("said_of", ["xml", "gift"])
def test_no_text_breaks_a_file_or_is_taken_for_more_than_a_text(said_of: str, said: str) -> None:
    puzzle = spoiled(said)
    if said_of == "xml":
        ((found,),) = (read_xml(moodle.xml(said, [puzzle], "en"))[1],)
    else:
        ((found,),) = (read_gift(gift.text(said, [puzzle], "en"))[1],)
    level = puzzle.level
    shown = [kept(plain_of(offer.words, puzzle.game)) for offer in level.offers]
    texts = [kept(text) for text, _, _ in found.choices]
    if said_of == "gift":  # an arrow of two signs would divide a pair
        shown = [text.replace("->", "→") for text in shown]
    assert texts == [text.strip() for text in shown]
    assert found.right == [
        text
        for (text, *_), offer in zip(found.choices, level.offers, strict=True)
        if offer.value in level.rights[0]
    ]


@pytest.mark.parametrize("title", [*NASTY, "", "  ", "/", "x\\"])
def test_a_title_is_one_category_whatever_stands_in_it(title: str) -> None:
    for category in (read_xml(moodle.xml(title, [], "en"))[0], read_gift(gift.text(title, [], "en"))[0]):
        head, top, *names = re.split(r"(?<!/)/(?!/)", category)
        assert (head, top) == ("$course$", "top")
        assert "".join(names).strip()
        assert "\n" not in category


# Pictures


@pytest.mark.parametrize("game", GAMES)
def test_every_tile_and_meld_can_be_drawn(game: str) -> None:
    for puzzle in puzzles_of(game, "picked"):
        hand = getattr(puzzle.level.shown, "hand", None)
        if hand:
            drawn = picture(hand)
            assert_picture(drawn.svg)
            tiles = len(hand.tiles)
            assert len(re.findall(r'<use href="#t-[^"]+" x=', drawn.svg)) == tiles
            assert drawn.width > tiles * 36


def test_a_concealed_gang_lies_on_its_face_and_the_winning_tile_is_framed() -> None:
    game = GAMES["changchun"]
    drawn = picture(game.parse("[1111m] 234p 567s 99s 34m +5m"))
    assert drawn.svg.count('href="#t-back" x=') == 2
    assert drawn.svg.count('href="#t-1m" x=') == 2
    assert len(re.findall(r'<rect [^>]*stroke-width="5"/>', drawn.svg)) == 1


# On paper


def sheet_of(puzzles: list[Puzzle], language: str, title: str = "Week 3", **more: Any) -> Element:
    with translation.override(language):
        response = worksheet(RequestFactory().get("/"), title, puzzles, **{"with_key": True, **more})
    assert response.status_code == 200
    tree = read(response.content.decode())
    for legend in tree.all("legend"):
        if not legend.text:  # a picture, which has a label, names its group
            legend.attributes["aria-label"] = legend.all("span", "tiles")[0]["aria-label"]
    assert_valid(tree)
    return tree


@in_both_languages
@each_set
def test_a_worksheet_asks_every_question_and_tells_no_answer(game: str, kind: str, language: str) -> None:
    puzzles = puzzles_of(game, kind)
    tree = sheet_of(puzzles, language, with_key=False)
    asked = tree.all("section", "asked")
    assert [section.all("span", "counter")[0].text for section in asked] == [
        str(n) for n in range(1, len(puzzles) + 1)
    ]
    for section, puzzle in zip(asked, puzzles, strict=True):
        fields = [e for e in section if e.tag in ("input", "select")]
        assert len(fields) > 1 or puzzle.level.kind == "score"
        assert not [e for e in fields if "checked" in e.attributes]
        assert {e["value"] for e in fields if e.get("type") == "number"} <= {""}
        assert "disabled" in section.all("fieldset")[0].attributes
    assert not [e for e in tree if e.get("id") == "key"]
    assert not [e for e in tree if "is-right" in (e.get("class") or "")]
    assert not tree.all("ul", "because")


@in_both_languages
@each_set
def test_a_key_tells_every_answer_and_why(game: str, kind: str, language: str) -> None:
    puzzles = puzzles_of(game, kind)
    tree = sheet_of(puzzles, language)
    key = [li for li in tree.by_id("key").all("ol", "answers-of")[0].children if isinstance(li, Element)]
    assert len(key) == len(puzzles)
    with translation.override(language):
        for item, puzzle in zip(key, puzzles, strict=True):
            (solution,) = item.all("ul", "solution")
            assert all(li.text or li.all("svg") for li in solution.all("li"))
            assert_solved(solution, puzzle.level, language)


def assert_solved(solution: Element, level: Level, language: str) -> None:
    """The solution of a key shows all that is right, and nothing else."""
    right = {item for answer in level.rights for item in answer}
    shown = [use["href"].partition("#")[2] for use in solution.all("use")]
    faces = [key.removeprefix("t-") for key in shown if key != "f"]
    assert shown.count("f") == len(faces)  # each on a tile's body
    words = solution.text
    if level.widget in (KEYS, ROW):
        assert set(faces) == {item.split(".")[0] for item in right}
    elif level.widget == SWAP:
        swaps = [item.split(">") for item in sorted(right)]
        assert faces == [code for swap in swaps for code in swap]
    elif level.kind == "payments":
        assert [without_minus(n) for n in re.findall(r"[+−]?\d+", words)] == list(level.shown.payments)
    elif level.widget in (CHOICES, WALL):
        assert {li.text for li in solution.all("li")} >= key_of(level) or faces
    elif level.kind == "score":
        assert words == level.game.measure.total(int(min(right))).in_language(language)
    elif level.widget == CLAIMS and right:
        assert {li.text for li in solution.all("li")} == key_of(level)


@in_both_languages
def test_a_worksheet_has_a_place_for_name_and_date_and_says_by_which_rules(language: str) -> None:
    puzzles = [*puzzles_of("changchun", "can-win"), *house_puzzles()]
    tree = sheet_of(puzzles, language, heading={"Class <3>": "Mahjong & more", "Due": "2026-05-04"})
    who = tree.all("p", "who")[0]
    assert len(who.all("i", "rule")) == 2
    tables = [li.text for li in tree.all("ul", "tables")[0].all("li")]
    assert len(tables) == 2
    rule = next(o for o in house_puzzles()[0].game.options if o.key == "birds")
    between = " " if language == "en" else ""
    assert tables[1].endswith(
        f"{rule.name.in_language(language)}{between}{rule.choice('4').words.in_language(language)}"
    )
    assert [dt.text for dt in tree.all("dt")] == ["Class <3>", "Due"]
    assert [dd.text for dd in tree.all("dl", "heading")[0].all("dd")] == ["Mahjong & more", "2026-05-04"]


def test_the_button_that_prints_is_shown_by_a_script_alone() -> None:
    tree = sheet_of([], "en")
    assert "hidden" in tree.by_id("print").attributes
    (module,) = [e["src"] for e in tree.all("script") if "print" in (e.get("src") or "")]
    found = finders.find(module.removeprefix("/static/"))
    assert found
    assert ".hidden = false" in Path(found).read_text(encoding="utf-8")


@pytest.mark.parametrize("title", [said for said in NASTY if said.isprintable()])
def test_a_title_is_shown_on_the_sheet_as_it_is(title: str) -> None:
    (heading,) = sheet_of(puzzles_of("changsha", "can-win"), "en", title=title).all("h1")
    assert heading.text == " ".join(title.split())


def test_a_sheet_without_questions_is_a_page_all_the_same() -> None:
    assert not sheet_of([], "en").all("section", "asked")
