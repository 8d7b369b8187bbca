"""What the lessons get wrong so far."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

import rules
from rules import asking, regions
from tests.test_asking import CHANGCHUN, CHI
from tests.test_checker_page import HAN, Element
from tests.test_lesson_pages import (
    PATHS,
    VERSION,
    learner_with,
    page,
)
from tests.test_levels import (
    BOTH,
    made,
)
from tests.test_load_content import FIRST, TOY_COURSE, Folder, folder
from tests.test_progress import CHAPTERS, after, lead, read_to_the_end, solve
from tests.test_progress import FIRST as FIRST_CHAPTER
from tests.test_regions import TOY_FOLDER, toy
from tutor.content import load, prose
from tutor.content.models import Piece
from tutor.content.source import Fault

__all__ = ["folder", "toy"]

# 8. keys that nobody reads are passed over in silence  -> test_levels.py, test_asking.py


@pytest.mark.parametrize(
    "fields",
    [
        {
            "kind": "which",
            "hands": [
                {"hand": "123m 456p 789s EEE 55p", "form": "self-draw"},
                {"hand": "123m 456m 789p EEE 55p"},
            ],
            "goal": {"state": "win"},
            "mistakes": [{"answer": "2", "say": BOTH}],
        },
        {"kind": "wall", "find": "break", "wall": {"first": "3 4", "second": "2 5", "drwan": "53"}},
        {
            "kind": "claim",
            "gets": {"tile": "5m", "from": "0", "hands": {"1": CHI}, "standing": {"1": {"locked": "yes"}}},
        },
    ],
    ids=["which", "wall", "claim"],
)
def test_a_misspelt_key_within_a_level_is_a_fault(fields: dict[str, Any]) -> None:
    with pytest.raises(Fault, match=r"form|drwan|standing"):
        made(CHANGCHUN, **fields)


@pytest.mark.parametrize(
    ("key", "given", "said"),
    [
        ("own-gangs", {"hand": "1111m 456p 789s EEE 5p", "standing": {"lockd": "yes"}}, "lockd"),
        ("replacement", {"wall": {"stacks": "68", "drwan": "3"}}, "drwan"),
    ],
)
def test_a_misspelt_key_within_what_a_ruling_takes_is_refused(
    key: str, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        asking.ask(CHANGCHUN, key, given)


# 9. asking.gets: KeyError, AttributeError; the loader stops with a traceback  -> test_asking.py


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"tile": "5m", "hands": {"1": CHI}}, "from"),
        ({"from": "0", "hands": {"1": CHI}}, "tile"),
        ({"added": "5m", "from": "0", "hands": {}}, "meld"),
        ({"tile": "5m", "from": "0", "hands": {"1": CHI}, "declared": ["pass"]}, "declared"),
        ({"tile": "5m", "from": "0", "hands": {"1": CHI}, "colour": "red"}, "colour"),
        ({"tile": "5m", "from": "0", "hands": {"1": CHI}, "declared": {"x": "pass"}}, "declared"),
        ({"tile": "5m", "from": "x", "hands": {"1": CHI}}, "from"),
    ],
)
def test_who_gets_a_tile_is_refused_with_the_word_that_is_wrong(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        asking.gets(CHANGCHUN, given)


# 10. asking._read: which parameter?  -> test_asking.py


@pytest.mark.parametrize(
    ("key", "given", "said"),
    [
        ("dice", {"dice": "3"}, "dice can't be read from '3'"),
        ("dice", {"dice": "3 4 5"}, "dice can't be read from '3 4 5'"),
        ("reserve", {"gangs": "many"}, "gangs can't be read from 'many'"),
        ("must-discard", {"after": "peng", "wins": "maybe"}, "wins can't be read from 'maybe'"),
        ("next-to-act", {"discarder": "1", "claim": "2"}, "claim can't be read from '2'"),
        ("bao-looks", {"listeners": "one"}, "listeners can't be read from 'one'"),
    ],
)
def test_what_cant_be_read_is_named(key: str, given: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        asking.ask(CHANGCHUN, key, given)


# 13. build._point, rulebook._compare: a new region breaks the comparison  -> test_load_content.py


def test_a_new_region_needs_no_other_file_changed(toy: rules.Ruleset, tmp_path: Path) -> None:
    own = Folder(tmp_path / "fixtures")
    own.write("toy.yaml", TOY_COURSE)
    own.write("compare.yaml", (load.FIXTURES / "compare.yaml").read_text(encoding="utf-8"))
    assert [fault for fault in own.faults() if "compare" in fault] == []


@pytest.mark.django_db
def test_the_comparison_stays_when_a_new_region_comes(
    client: Client, content: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regions, "__path__", [*regions.__path__, TOY_FOLDER])
    rules.rulesets.cache_clear()
    try:
        assert client.get("/en/compare/").status_code == 200
    finally:
        monkeypatch.undo()
        rules.rulesets.cache_clear()


@pytest.mark.django_db
@pytest.mark.parametrize("hand", ["22p 123p 456p {3p6p9p} 78p +9p", "11p 123p 456p {3p6p9p} 78p +9p"])
def test_the_checker_judges_a_new_region_whose_lines_are_not_listed(
    client: Client, toy: rules.Ruleset, hand: str
) -> None:
    assert client.get("/en/check/", {"ruleset": "toy", "hand": hand}).status_code == 200


# 14. lessons.views.learn asks for the version once a course  -> test_lesson_pages.py


@pytest.mark.parametrize("number", [None, 0, 300])
def test_the_list_of_courses_costs_no_more_than_a_course(
    client: Client, content: object, django_assert_num_queries: DjangoAssertNumQueries, number: int | None
) -> None:
    client.get("/en/learn/")
    if number is not None:
        learner_with(client, number)
    with django_assert_num_queries(VERSION + (2 if number is not None else 0)):
        client.get("/en/learn/")


# 15., 16. prose.blocks  -> test_prose.py


@pytest.mark.parametrize(
    "text", ["他说\n“胡了”，\n大家都看。", "“胡了”\n他说", "等着——\n来了", "等着\n……来了", "「听」\n‘碰’"]
)
def test_between_chinese_marks_a_line_break_is_no_space(text: str) -> None:
    ((line,),) = [block.lines for block in prose.blocks(text)]
    assert "".join(span.text for span in line) == text.replace("\n", "")


# 17. page_name without lang  -> test_lesson_pages.py


def unmarked(element: Element) -> list[str]:
    """Each text of an English page with Chinese in it that is not marked as such."""
    if element.tag in ("title", "code") or (element.get("lang") and element.tag != "html"):
        return []
    found = []
    for child in element.children:
        found += unmarked(child) if isinstance(child, Element) else [child] if HAN.search(child) else []
    return found


def test_chinese_on_an_english_page_is_marked_as_chinese(client: Client, shelved: None) -> None:
    found = {
        text for path in PATHS if "must-discard" not in path for text in unmarked(page(client, f"/en/{path}"))
    }
    assert sorted(found) == []


# 19. claims.meets: what does not win meets these goals  -> test_levels.py


@pytest.mark.parametrize("goal", [{"lacks": ["qidui"]}, {"at_least": "0"}])
def test_only_a_win_meets_a_goal_for_a_win(goal: dict[str, Any]) -> None:
    mistakes = [{"answer": "1m", "say": BOTH}]
    level = made(
        rules.ruleset("changsha"), kind="complete", hand="2233445566778m", goal=goal, mistakes=mistakes
    )
    assert {item for right in level.rights for item in right} <= {"2m", "5m", "8m"}


# 20. Map.next_place: the latest place is gone  -> test_progress.py


def test_one_goes_on_elsewhere_when_the_chapter_where_one_was_last_is_gone(
    client: Client, content: object
) -> None:
    solve(client, CHAPTERS[1].levels[0].place)
    read_to_the_end(client, FIRST_CHAPTER.place)
    Piece.objects.get(place=f"chapter/{FIRST_CHAPTER.place}").delete()
    assert lead(client, "Go on", after(CHAPTERS[1].levels[0].place))


# 22. a step called like something else on the page: two elements with one id  -> test_load_content.py


@pytest.mark.parametrize("slug", ["main", "tally", "read", "pages", "language"])
def test_a_step_is_not_called_like_another_part_of_the_page(folder: Folder, slug: str) -> None:
    line = folder.change(FIRST, "slug: score", f"slug: {slug}")
    assert any(fault.startswith(f"fixtures/{FIRST}:{line}: ") for fault in folder.faults())
