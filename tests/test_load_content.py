"""Loading the content files: all is checked first, and whatever is wrong stops it with file and line."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

import rules
from tests.conftest import real_content
from tests.test_checker_page import read
from tests.test_regions import toy
from tutor.content import load, shelf
from tutor.content.load import Changes, Content
from tutor.content.models import Piece
from tutor.people.models import Learner, Progress

__all__ = ["toy"]  # a fixture

COURSE = """\
course:
  title: {en: A small course, zh: 小课}
  lead: {en: Nothing but what is needed., zh: 只有必要的。}
"""

CHAPTER = """\
chapters:
  - slug: first
    title: {en: The first chapter, zh: 第一章}
    goal: {en: You can wait., zh: 会听牌。}
    steps:
      - slug: waits
        title: {en: Waits, zh: 听牌}
        cites: [CC-69]
        rulings: [R4]
        text:
          en: |
            [[ting|Ready]]: `7s`, [rule](rule/win/triplet), [step](step/changchun/first#which).
          zh: |
            听牌。
        figures:
          - hand: 123m 45556p 789s SSS
            is: {state: win}
            caption: {en: It wins., zh: 胡了。}
          - tiles: [{show: 123m, words: {en: A run, zh: 顺子}}, {show: "(555p)"}]
          - wall: {first: 3 4, second: 2 5, drawn: 53}
          - dice: 3 4
          - seats: {0: {en: dealer, zh: 庄}}
          - settle: {wins: [{seat: 2, from: 1, fan: 4}]}
            is: {payments: [0, -4, 4, 0]}
          - deal: ESWN ESWN 1m 2p 3s 55s
            is: {ready: no}
          - table: {head: [{en: One, zh: 一}, Two], rows: [[a, b]]}
        claims:
          - {hand: 123m 45556p 78s SSS, is: {waits: [6s, 9s]}}
          - {ask: reserve, given: {gangs: 2}, is: 8}
        level:
          kind: waits
          prompt: {en: What wins?, zh: 听什么？}
          hand: 23456m 555p 77888s
          mistakes:
            - answer: 4m
              say: {en: No 1 or 9., zh: 没有1、9。}
          done: {en: Just so., zh: 正是。}
      - slug: which
        title: {en: Which, zh: 哪一手}
        text: {en: Two hands., zh: 两手牌。}
        level:
          kind: which
          prompt: {en: Which wins?, zh: 哪手胡？}
          hands: [{hand: 123m 456p 789s EEE 55p}, {hand: 123m 456m 789p EEE 55p}]
          goal: {state: win}
          mistakes: [{answer: 2, say: {en: No bamboo., zh: 没有条。}}]
          done: {en: Good., zh: 好。}
      - slug: reserve
        title: {en: The reserve, zh: 留牌}
        text: {en: Some stay., zh: 留几墩。}
        level:
          kind: choice
          prompt: {en: How many?, zh: 几墩？}
          ask: reserve
          given: {gangs: 2}
          options: [{answer: 8}, {answer: 7}]
          mistakes: [{answer: 7, say: {en: One more., zh: 多一墩。}}]
          done: {en: Good., zh: 好。}
      - slug: score
        title: {en: The score, zh: 番数}
        text: {en: Count., zh: 数一数。}
        level:
          kind: score
          prompt: {en: How many fan?, zh: 几番？}
          hand: 123m 456p 789s EEE 5p +5p
          mistakes: [{answer: 99, say: {en: Fewer., zh: 没那么多。}}]
          done: {en: Good., zh: 好。}
"""

RULES = """\
rules:
  - about: win/triplet
    text: {en: At least one triplet., zh: 最少一刻。}
    step: first#waits
    examples:
      - hand: 123m 45556p 789s SSS
        words: {en: Three south winds., zh: 三张南。}
      - hand: 234m 567p 789s 345s 66s
        words: {en: Four runs., zh: 四个顺子。}
"""

SHARED = """\
glossary:
  - slug: ting
    term: {en: ting (ready), zh: 听}
    pinyin: tīng
    han: 听
    short: {en: One tile short., zh: 差一张。}
    games: [changchun]
    rule: changchun/win/triplet
"""

FILES = {
    "changchun/00-course.yaml": COURSE,
    "changchun/01-first.yaml": CHAPTER,
    "changchun/rules.yaml": RULES,
    "glossary.yaml": SHARED,
}
SECOND = CHAPTER.replace("slug: first", "slug: second").replace(
    "step/changchun/first", "step/changchun/second"
)


@dataclass
class Folder:
    """A folder of content files."""

    path: Path

    def write(self, name: str, text: str) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> int:
        """Puts one text for another in a file; the line where that begins."""
        text = (self.path / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {name}"
        self.write(name, text.replace(old, new))
        return text[: text.index(old)].count("\n") + 1

    def check(self) -> Content:
        return load.check(self.path)

    def faults(self) -> list[str]:
        return [str(fault) for fault in self.check().faults]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A small course without a fault."""
    made = Folder(tmp_path / "fixtures")
    for name, text in FILES.items():
        made.write(name, text)
    return made


@pytest.fixture
def complete(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small course counts as all that there has to be."""
    monkeypatch.setattr(load, "missing", lambda content: iter(()))


def loaded(*arguments: str, **options: object) -> str:
    """What the command prints when all is well."""
    out, err = io.StringIO(), io.StringIO()
    call_command("load_content", *arguments, stdout=out, stderr=err, **options)
    assert err.getvalue() == ""
    return out.getvalue()


def refused(**options: object) -> tuple[str, list[str]]:
    """What the command says when it stops, and the faults that it lists."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError) as error:
        call_command("load_content", stdout=out, stderr=err, **options)
    assert out.getvalue() == ""
    return str(error.value), err.getvalue().splitlines()


def stored() -> list[tuple[str, int, object, object]]:
    return list(Piece.objects.values_list("place", "position", "content", "changed"))


# The project's own files


def test_the_content_files_have_no_fault_and_nothing_is_missing() -> None:
    content = real_content()
    assert [str(fault) for fault in content.faults] == []
    assert list(load.missing(content)) == []
    for game in rules.rulesets().values():
        chapters = [c for c in content.chapters if c.game.key == game.key and not c.is_note]
        assert len(chapters) >= 10
        assert sum(len(c.steps) for c in chapters) >= load.LEAST_STEPS
        assert all(len(c.levels) >= load.LEAST_LEVELS for c in chapters)


@pytest.mark.django_db
def test_loading_stores_all_and_loading_again_changes_nothing_and_says_so() -> None:
    said = loaded()
    number = len(real_content().pieces)
    assert said.startswith(f"Stored: {number} added, 0 changed, 0 removed.")
    before = stored()
    assert [place for place, *_ in before] == list(real_content().pieces)
    assert [content for _, _, content, _ in before] == list(real_content().pieces.values())
    assert loaded().startswith("Nothing has changed.")
    assert stored() == before


@pytest.mark.django_db
def test_only_checking_stores_nothing_and_counts_what_there_is() -> None:
    said = loaded("--check")
    chapters = real_content().chapters
    assert said.startswith("All is well: ")
    assert f"{len(chapters)} chapters" in said
    assert f"{sum(len(c.levels) for c in chapters)} levels" in said
    assert f"{len(real_content().topics)} rule pages" in said
    assert not Piece.objects.exists()


# A folder


def test_a_small_course_without_a_fault_has_none(folder: Folder) -> None:
    content = folder.check()
    assert [str(fault) for fault in content.faults] == []
    assert list(content.pieces) == [
        "course/changchun",
        "chapter/changchun/first",
        "rule/changchun/win/triplet",
        "term/ting",
    ]
    (chapter,) = content.chapters
    assert [step.level.kind for step in chapter.levels if step.level] == ["waits", "which", "choice", "score"]
    assert [figure.kind for figure in chapter.steps[0].figures] == [
        "hand",
        "tiles",
        "wall",
        "dice",
        "seats",
        "settle",
        "deal",
        "table",
    ]


@pytest.mark.django_db
def test_a_folder_is_loaded_from_where_it_is(folder: Folder, complete: None) -> None:
    said = loaded(folder=folder.path)
    assert said.startswith("Stored: 4 added, 0 changed, 0 removed. (1 chapters, 4 steps, 4 levels")
    assert set(Piece.objects.values_list("place", flat=True)) == set(folder.check().pieces)


@pytest.mark.django_db
def test_a_text_that_changes_changes_one_piece(folder: Folder, complete: None) -> None:
    loaded(folder=folder.path)
    before = {place: rest for place, *rest in stored()}
    folder.change("changchun/01-first.yaml", "Two hands.", "Two other hands.")
    assert loaded(folder=folder.path).startswith("Stored: 0 added, 1 changed, 0 removed.")
    after = {place: rest for place, *rest in stored()}
    assert [place for place in after if after[place] != before[place]] == ["chapter/changchun/first"]
    step = Piece.objects.get(place="chapter/changchun/first").content["steps"][1]
    assert step["text"]["en"] == "Two other hands."


@pytest.mark.django_db
def test_a_chapter_that_is_gone_goes_alone_and_what_people_did_there_stays(folder: Folder) -> None:
    folder.write("changchun/02-second.yaml", SECOND)
    load.store(folder.check())
    learner = Learner.objects.create()
    for place in ("changchun/second", "changchun/second#waits", "changchun/first#waits"):
        Progress.objects.create(learner=learner, place=place, is_done=True, at="2026-01-01T00:00Z")
    rows = list(Progress.objects.values())
    (folder.path / "changchun/02-second.yaml").unlink()
    added, _, removed = load.store(folder.check())
    assert (added, removed) == (0, 1)
    assert list(Piece.objects.values_list("place", flat=True)) == list(folder.check().pieces)
    assert list(Progress.objects.values()) == rows
    folder.write("changchun/02-second.yaml", SECOND)
    assert load.store(folder.check()).added == 1
    assert list(Progress.objects.values()) == rows


@pytest.mark.django_db
def test_pieces_keep_the_order_of_the_files(folder: Folder) -> None:
    folder.write("changchun/02-second.yaml", SECOND)
    load.store(folder.check())
    for old, new in (("01-first", "09-first"), ("02-second", "03-second")):
        (folder.path / f"changchun/{old}.yaml").rename(folder.path / f"changchun/{new}.yaml")
    assert load.store(folder.check()) == Changes(0, 2, 0)
    chapters = Piece.objects.filter(place__startswith="chapter/").values_list("place", flat=True)
    assert list(chapters) == ["chapter/changchun/second", "chapter/changchun/first"]


@pytest.mark.django_db
def test_content_with_a_fault_is_never_stored(folder: Folder) -> None:
    folder.change("changchun/01-first.yaml", "is: 8}", "is: 7}")
    with pytest.raises(ValueError, match="content with faults is not stored"):
        load.store(folder.check())
    assert not Piece.objects.exists()


# What is wrong

FIRST, ABOUT, TERMS = "changchun/01-first.yaml", "changchun/rules.yaml", "glossary.yaml"

LAST_LEVEL = CHAPTER[CHAPTER.rindex("        level:\n") :]

# By what is wrong: the file, what is written instead of what, how many lines further down the fault is (None
# for the head of the chapter), and what is said.
WRONG: dict[str, tuple[str, str, str, int | None, str]] = {
    "a claim": (FIRST, "is: 8}", "is: 7}", 0, "claimed 7; the engine says 8"),
    "a claim of a figure": (
        FIRST,
        "is: {state: win}",
        "is: {state: ready}",
        0,
        "claimed ready; the engine says win",
    ),
    "a claim about a deal": (
        FIRST,
        "is: {ready: no}",
        "is: {ready: yes}",
        0,
        "claimed yes; the engine says no",
    ),
    "payments": (FIRST, "[0, -4, 4, 0]", "[4, -4, 0, 0]", 0, "the engine says 0, -4, 4, 0"),
    "a rule page that leads nowhere": (
        FIRST,
        "(rule/win/triplet)",
        "(rule/win/triplets)",
        -1,
        "no rule 'changchun/win/triplets'",
    ),
    "a step that leads nowhere": (
        FIRST,
        "first#which)",
        "first#nothing)",
        -1,
        "no step 'changchun/first#nothing'",
    ),
    "a chapter that leads nowhere": (
        FIRST,
        "(step/changchun/first#which)",
        "(step/changchun/last)",
        -1,
        "no step 'changchun/last'",
    ),
    "a page that leads nowhere": (FIRST, "(rule/win/triplet)", "(page/home)", -1, "no page 'home'"),
    "a link to elsewhere": (
        FIRST,
        "(rule/win/triplet)",
        "(https://example.org)",
        -1,
        "a link leads to rule/, step/, check/ or page/",
    ),
    "a hand in a link": (
        FIRST,
        "(rule/win/triplet)",
        "(check/12x)",
        -1,
        "the hand of a link, '12x', can't be read",
    ),
    "tiles in a text": (FIRST, "`7s`", "`7x`", -1, "`7x` can't be read"),
    "an unknown term": (FIRST, "[[ting|Ready]]", "[[tong|Ready]]", -1, "no term 'tong'"),
    "an unknown term in a choice": (
        FIRST,
        "{answer: 8}",
        '{answer: 8, words: {en: "[[eight]]", zh: 八}}',
        0,
        "no term 'eight'",
    ),
    "tiles in a choice": (FIRST, "{answer: 8}", "{answer: 8, words: {en: '`0m`', zh: 八}}", 0, "`0m`"),
    "a question about a tile from nobody": (
        FIRST,
        "{ask: reserve, given: {gangs: 2}, is: 8}",
        "{gets: {tile: 5m, hands: {}}, is: []}",
        0,
        "the table can't be asked this",
    ),
    "a question about no tile": (
        FIRST,
        "{ask: reserve, given: {gangs: 2}, is: 8}",
        "{gets: {from: 0, hands: {}}, is: []}",
        0,
        "the table can't be asked this",
    ),
    "a rule page of no game in the glossary": (
        TERMS,
        "en: One tile short.",
        'en: "One [tile](rule/win/triplet) short."',
        0,
        "",
    ),
    "an unknown term in Chinese": (FIRST, "zh: 胡了。}", 'zh: "[[hu]]。"}', 0, "no term 'hu'"),
    "an unknown term in a caption": (FIRST, "en: It wins.", 'en: "It [[wins]]."', 0, "no term 'wins'"),
    "an unknown term in a prompt": (FIRST, "en: What wins?", 'en: "What [[wins]]?"', 0, "no term 'wins'"),
    "an unknown term in a mistake": (FIRST, "en: No 1 or 9.", 'en: "No [[yaojiu]]."', 0, "no term 'yaojiu'"),
    "an unknown term in a table": (FIRST, "{en: One, zh: 一}", '{en: "[[one]]", zh: 一}', 0, "no term 'one'"),
    "an unknown term at a seat": (
        FIRST,
        "{en: dealer, zh: 庄}",
        '{en: "[[dealer]]", zh: 庄}',
        0,
        "no term 'dealer'",
    ),
    "markup that is not closed": (FIRST, "Two hands.", "Two **hands.", 0, "'**' is opened and not closed"),
    "no Chinese": (FIRST, "{en: Waits, zh: 听牌}", "{en: Waits}", 0, "the Chinese text is missing"),
    "no English": (FIRST, "{en: It wins., zh: 胡了。}", "{zh: 胡了。}", 0, "the English text is missing"),
    "a hand that can't be read": (
        FIRST,
        "hand: 23456m 555p 77888s",
        "hand: 23456m 555p 7788",
        -2,
        "can't be judged",
    ),
    "a hand of a figure": (
        FIRST,
        "hand: 123m 45556p 789s SSS",
        "hand: 123m 45556p 789s S",
        1,
        "the engine refuses this (tile-count)",
    ),
    "a hand that has no such tile": (FIRST, "{show: 123m,", "{show: 0m,", 0, "the tiles can't be read"),
    "an unknown rule": (
        FIRST,
        "is: {state: win}",
        "is: {fails: [three-suit]}",
        0,
        "there is no rule 'three-suit'",
    ),
    "an unknown citation": (FIRST, "cites: [CC-69]", "cites: [CC-99]", 0, "there is no line 'CC-99'"),
    "an unknown ruling": (
        FIRST,
        "ask: reserve, given",
        "ask: reserves, given",
        0,
        "no table ruling 'reserves'",
    ),
    "an unknown house rule": (
        FIRST,
        "        cites: [CC-69]\n",
        "        options: {jiahus: shape}\n",
        0,
        "jiahus",
    ),
    "a mistake that is right": (
        FIRST,
        "answer: 4m",
        "answer: 1m",
        0,
        "this is no mistake: 1m is right, says the engine",
    ),
    "a dead link in a choice": (
        FIRST,
        "[{answer: 8}, {answer: 7}]",
        "[{answer: 8}, {answer: 7, words: {en: '[x](rule/win/nosuch)', zh: 七}}]",
        0,
        "there is no rule 'changchun/win/nosuch'",
    ),
    "a choice whose claim is misspelt": (
        FIRST,
        "ask: reserve\n          given: {gangs: 2}\n          options: [{answer: 8}, {answer: 7}]\n",
        "options: [{words: {en: a, zh: 甲}, claim: {hand: 23456m, is: {stat: win}}}]\n",
        0,
        "",
    ),
    "an alias": (FIRST, "cites: [CC-69]", "cites: &c [CC-69, *c]", 0, "an alias"),
    "a control character": (
        FIRST,
        "title: {en: Waits,",
        'title: {en: "Wa\\x07its",',
        0,
        "control character",
    ),
    "two answers to a level that takes one": (
        FIRST,
        "mistakes: [{answer: 7, say",
        "mistakes: [{answer: 7 8, say",
        0,
        "takes one answer",
    ),
    "a state that there is not": (FIRST, "is: {state: win}", "is: {state: won}", 0, "a state is one of"),
    "a choice without the right one": (
        FIRST,
        "[{answer: 8}, {answer: 7}]",
        "[{answer: 7}]",
        0,
        "one choice must be the engine's answer, which is '8'",
    ),
    "no mistakes": (
        FIRST,
        "mistakes: [{answer: 7, say: {en: One more., zh: 多一墩。}}]",
        "mistakes: []",
        0,
        "at least one common mistake",
    ),
    "a misspelt key": (
        FIRST,
        "          goal: {state: win}",
        "          gaol: {state: win}",
        -3,
        "'goal' is missing",
    ),
    "a key too many": (
        FIRST,
        "          given: {gangs: 2}\n",
        "          given: {gangs: 2}\n          colour: red\n",
        1,
        "'colour' is not known here",
    ),
    "a key too many in a step": (
        FIRST,
        "        rulings: [R4]\n",
        "        ruling: [R4]\n",
        0,
        "'ruling' is not known here",
    ),
    "a slug with capitals": (FIRST, "slug: first", "slug: First", 0, "a slug has lower-case letters"),
    "two steps of one name": (FIRST, "slug: which", "slug: waits", None, "two steps are called 'waits'"),
    "a chapter with three levels": (FIRST, LAST_LEVEL, "", None, "a chapter has at least 4 levels"),
    "a wall that can't be": (FIRST, "drawn: 53}", "drawn: 999}", 0, "there is no such wall"),
    "dice that can't be": (FIRST, "dice: 3 4", "dice: 3 7", 0, "two dice show 1 to 6"),
    "a seat that can't be": (FIRST, "seats: {0:", "seats: {4:", 0, "seats are 0 to 3"),
    "a table with a cell too many": (
        FIRST,
        "rows: [[a, b]]",
        "rows: [[a, b, c]]",
        0,
        "this row has 3 cells, the head 2",
    ),
    "a figure of nothing": (FIRST, "- dice: 3 4", "- cards: 3 4", 0, "a figure has one of hand, tiles"),
    "a hand shown as nothing": (
        FIRST,
        "            caption: {en: It wins., zh: 胡了。}",
        "            show: nothing",
        0,
        "a hand is shown as one of hand, clauses",
    ),
    "a tile lifted that is not there": (
        FIRST,
        "            caption: {en: It wins., zh: 胡了。}",
        "            lift: [9p]",
        0,
        "'9p' is neither a rule nor a tile of the hand",
    ),
    "a rule page of nothing": (
        ABOUT,
        "about: win/triplet",
        "about: win/triplets",
        0,
        "changchun has no 'win/triplets'",
    ),
    "a rule page taught nowhere": (
        ABOUT,
        "step: first#waits",
        "step: first#wait",
        0,
        "no step 'changchun/first#wait'",
    ),
    "a rule page with no hand that fails": (
        ABOUT,
        "hand: 234m 567p 789s 345s 66s",
        "hand: 123m 45556p 789s EEE",
        -6,
        "no example here fails win/triplet",
    ),
    "a rule page with no hand that passes": (
        ABOUT,
        "hand: 123m 45556p 789s SSS",
        "hand: 234m 567p 789s 345s 99s",
        -4,
        "no example here passes win/triplet",
    ),
    "an example that can't be judged": (
        ABOUT,
        "hand: 234m 567p 789s 345s 66s",
        "hand: 234m",
        0,
        "the engine refuses this (tile-count)",
    ),
    "a term of another game": (TERMS, "games: [changchun]", "games: [mars]", 0, "there is no game 'mars'"),
    "a term whose rule is none": (
        TERMS,
        "rule: changchun/win/triplet",
        "rule: win/triplet",
        0,
        "no rule 'win/triplet'",
    ),
    "a term with characters alone": (TERMS, "    pinyin: tīng\n", "", -2, "han and pinyin stand together"),
    "a term within a term": (TERMS, "en: One tile short.", 'en: "One [[tile]] short."', 0, "no term 'tile'"),
    "a file's own key": (TERMS, "glossary:", "glosary:", 1, "'glosary' is not known here"),
}
each_wrong_thing = pytest.mark.parametrize("wrong", WRONG)
HEAD_OF_CHAPTER = 2


def make_wrong(folder: Folder, wrong: str) -> tuple[str, str]:
    """Makes something wrong in a folder; where the fault is, and what is said."""
    name, old, new, down, said = WRONG[wrong]
    line = folder.change(name, old, new)
    return f"fixtures/{name}:{HEAD_OF_CHAPTER if down is None else line + down}: ", said


@each_wrong_thing
def test_whatever_is_wrong_is_told_with_its_file_and_line(folder: Folder, wrong: str) -> None:
    where, said = make_wrong(folder, wrong)
    faults = folder.faults()
    assert any(fault.startswith(where) and said in fault for fault in faults), faults


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [
        "a claim",
        "a rule page that leads nowhere",
        "an unknown term",
        "no Chinese",
        "a hand that can't be read",
        "an unknown rule",
        "an unknown citation",
        "a mistake that is right",
        "a chapter with three levels",
    ],
)
def test_what_is_wrong_stops_the_loading_and_leaves_all_as_it_was(
    folder: Folder, complete: None, wrong: str
) -> None:
    loaded(folder=folder.path)
    Progress.objects.create(learner=Learner.objects.create(), place="changchun/first", at="2026-01-01T00:00Z")
    before, rows = stored(), list(Progress.objects.values())
    where, said = make_wrong(folder, wrong)
    folder.change("changchun/00-course.yaml", "A small course", "Another course")
    error, listed = refused(folder=folder.path)
    assert re.match(r"[1-9]\d* faults; nothing was changed\.", error)
    assert any(fault.startswith(where) and said in fault for fault in listed)
    assert (stored(), list(Progress.objects.values())) == (before, rows)


@pytest.mark.django_db
def test_a_broken_file_among_good_ones_stops_them_all(folder: Folder, complete: None) -> None:
    folder.write("changchun/05-broken.yaml", "chapters: [")
    _, listed = refused(folder=folder.path)
    assert [fault.partition(": ")[0] for fault in listed] == ["fixtures/changchun/05-broken.yaml:2"]
    assert not Piece.objects.exists()
    folder.write("changchun/05-broken.yaml", "just words")
    assert "fixtures/changchun/05-broken.yaml: a content file is a mapping" in folder.faults()


def test_all_that_is_wrong_is_told_at_once(folder: Folder) -> None:
    several = (
        "a claim",
        "no English",
        "dice that can't be",
        "a mistake that is right",
        "a term of another game",
    )
    expected = [make_wrong(folder, wrong) for wrong in several]
    faults = folder.faults()
    for where, said in expected:
        assert any(fault.startswith(where) and said in fault for fault in faults)


@pytest.mark.parametrize(
    ("name", "text", "line", "said"),
    [
        ("mars/01.yaml", COURSE, None, "there is no game 'mars'"),
        ("mars.yaml", COURSE, 2, "'course' is not known here; what belongs to a game stands in its own file"),
        (
            "changchun/05.yaml",
            "compare: {}",
            1,
            "'compare' is not known here; known: course, chapters, rules",
        ),
        (
            "changchun/05.yaml",
            CHAPTER,
            2,
            "'chapter/changchun/first' is already given at fixtures/changchun/01",
        ),
        ("changchun/05.yaml", COURSE, 2, "'course/changchun' is already given"),
        ("changchun/05.yaml", "rules: [{about: win/shape}]", 1, "'examples' is missing"),
        ("changchun/05.yaml", "course: words", 1, "a mapping"),
        ("changchun/05.yaml", "chapters: {a: b}", 1, "a list is expected here"),
    ],
)
def test_a_file_out_of_place_is_a_fault(
    folder: Folder, name: str, text: str, line: int | None, said: str
) -> None:
    folder.write(name, text)
    where = f"fixtures/{name}" + (f":{line}" if line else "")
    faults = folder.faults()
    assert any(fault.startswith(f"{where}: ") and said in fault for fault in faults), faults


@pytest.mark.django_db
def test_faults_of_one_folder_can_be_shown_alone(folder: Folder) -> None:
    make_wrong(folder, "a claim")
    make_wrong(folder, "a term of another game")
    _, listed = refused(folder=folder.path, only="fixtures/glossary")
    assert [fault.partition(":")[0] for fault in listed] == ["fixtures/glossary.yaml"]
    assert loaded(folder=folder.path, only="fixtures/changchun/rules").startswith("All is well")
    assert not Piece.objects.exists()


def test_what_the_content_as_a_whole_lacks_is_told(folder: Folder) -> None:
    said = list(load.missing(folder.check()))
    assert "changsha has no course" in said
    assert "changchun has no course" not in said
    assert "changchun has 4 steps, fewer than 60" in said
    assert "no rule page is written for changchun/win/shape" in said
    assert "no rule page is written for changchun/win/triplet" not in said
    assert "no step teaches CC-68" in said
    assert "no step teaches CC-69" not in said
    assert "the games are not compared" in said


def test_a_note_beside_the_course_needs_no_levels_and_counts_as_no_step(folder: Folder) -> None:
    levelless = re.sub(r"        level:\n(          .*\n)+", "", SECOND)
    folder.write("changchun/02-second.yaml", levelless)
    assert any("at least 4 levels" in fault for fault in folder.faults())
    folder.write("changchun/02-second.yaml", levelless.replace("    steps:", "    note: yes\n    steps:"))
    assert folder.faults() == []
    assert "changchun has 4 steps, fewer than 60" in load.missing(folder.check())


@pytest.mark.django_db
def test_content_that_lacks_something_is_not_stored(folder: Folder) -> None:
    error, listed = refused(folder=folder.path)
    assert f"{len(listed)} faults; nothing was changed." in error
    assert "the games are not compared" in listed
    assert not Piece.objects.exists()


# The games side by side


def test_a_comparison_says_of_each_game_what_its_engine_says(folder: Folder) -> None:
    point = """\
compare:
  title: {en: Side by side, zh: 比一比}
  lead: {en: Two games., zh: 两种打法。}
  points:
    - slug: tiles
      topic: {en: Tiles, zh: 牌}
      changchun: {en: 136 tiles., zh: 136张。}
      changsha: {en: 108 tiles., zh: 108张。}
      cites: [CC-69]
      claims:
        - {game: changsha, hand: 123m 11456p 67789s +8s, is: {state: not-win}}
  hands:
    - hand: 123m 555p 77p 678s 34s +5s
      words: {en: One hand., zh: 一手牌。}
"""
    folder.write("compare.yaml", point)
    assert folder.faults() == []
    for old, new, line, said in (
        ("is: {state: not-win}", "is: {state: win}", 11, "claimed win; the engine says not-win"),
        ("{game: changsha, hand", "{hand", 11, "which game? `game` is missing"),
        ("34s +5s", "34s +E", 13, "can't be judged (tile-not-in-set)"),
    ):
        folder.write("compare.yaml", point.replace(old, new))
        faults = folder.faults()
        assert any(f.startswith(f"fixtures/compare.yaml:{line}: ") and said in f for f in faults), faults


# A new region

TOY_COURSE = """\
course:
  title: {en: Toyland for beginners, zh: 玩具城入门}
  lead: {en: One suit., zh: 一门牌。}
chapters:
  - slug: pairs
    title: {en: Even pairs, zh: 双数将}
    goal: {en: You know what an even pair is., zh: 知道什么是双数将。}
    note: yes
    steps:
      - slug: even
        title: {en: Even, zh: 双数}
        text:
          en: The pair must be [even](rule/win/even-pair).
          zh: 将要[双数](rule/win/even-pair)。
        figures:
          - hand: "22p 123p 456p {3p6p9p} 78p +9p"
            is: {state: win, has: [win]}
        level:
          kind: waits
          prompt: {en: What wins?, zh: 听什么？}
          hand: "22p 123p 456p {3p6p9p} 78p"
          mistakes: [{answer: 1p, say: {en: No., zh: 不对。}}]
          done: {en: Three waits., zh: 三张。}
rules:
  - about: win/even-pair
    text: {en: Two by two., zh: 成双。}
    step: pairs#even
    examples:
      - {hand: "22p 123p 456p {3p6p9p} 78p +9p", words: {en: Twos., zh: 二。}}
      - {hand: "11p 123p 456p {3p6p9p} 78p +9p", words: {en: Ones., zh: 一。}}
glossary:
  - slug: ladder
    term: {en: ladder, zh: 梯子}
    short: {en: Three tiles., zh: 三张牌。}
    games: [toy]
"""


@pytest.fixture
def toyland(toy: rules.Ruleset, tmp_path: Path, db: None, fresh_shelf: None) -> Iterator[rules.Ruleset]:
    """A third game with its course: one module and one content file."""
    folder = Folder(tmp_path / "fixtures")
    folder.write("toy.yaml", TOY_COURSE)
    assert folder.faults() == []
    load.store(folder.check())
    return toy


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_a_new_region_is_one_module_and_one_content_file(
    client: Client, toyland: rules.Ruleset, language: str
) -> None:
    titles = {}
    for path in (
        "learn/",
        "learn/toy/",
        "learn/toy/pairs/",
        "rules/",
        "rules/toy/",
        "rules/toy/win/even-pair/",
        "rules/toy/win/shape/",
        "rules/toy/pattern/win/",
        "glossary/",
    ):
        response = client.get(f"/{language}/{path}")
        assert response.status_code == 200
        titles[path] = read(response.content.decode())
    words = {
        "en": ("Toyland for beginners", "Even pairs", "ladder"),
        "zh-hans": ("玩具城入门", "双数将", "梯子"),
    }
    course, chapter, term = words[language]
    assert course in titles["learn/"].text
    assert course == titles["learn/toy/"].all("h1")[0].text
    assert chapter in titles["learn/toy/pairs/"].all("h1")[0].text
    assert term in titles["glossary/"].text


def test_a_level_of_a_new_region_is_answered(client: Client, toyland: rules.Ruleset) -> None:
    address = "/en/learn/toy/pairs/"
    for chosen, said in ((["3p", "6p", "9p"], "Right."), (["3p", "6p"], "there is one more")):
        tree = read(client.post(address, {"step": "even", "a": chosen}, follow=True).content.decode())
        (status,) = [e for e in tree if e.get("role") == "status"]
        assert said in status.text
    assert shelf.shelf().chapter(toyland, "pairs")


def test_a_new_region_needs_no_other_file_changed(toy: rules.Ruleset, tmp_path: Path) -> None:
    own = Folder(tmp_path / "fixtures")
    own.write("toy.yaml", TOY_COURSE)
    own.write("compare.yaml", (load.FIXTURES / "compare.yaml").read_text(encoding="utf-8"))
    assert [fault for fault in own.faults() if "compare" in fault] == []


@pytest.mark.parametrize("slug", ["main", "tally", "read", "pages", "language"])
def test_a_step_is_not_called_like_another_part_of_the_page(folder: Folder, slug: str) -> None:
    line = folder.change(FIRST, "slug: score", f"slug: {slug}")
    assert any(fault.startswith(f"fixtures/{FIRST}:{line}: ") for fault in folder.faults())
