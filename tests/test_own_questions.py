"""Questions that teachers write: what the engine says to each claim, and that nothing is kept before."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

import rules
from tests.school import START, Assignments, Classrooms, Members, add_set, answered, client_of, teacher_of
from tutor.classes import handing
from tutor.classes.models import OWN, Assignment, Classroom, Part, Question
from tutor.classes.own import ASKS
from tutor.content.picked import keys_of

LANGUAGES = ("en", "zh-hans")
# By game and kind: a hand, what is right of it, and what is wrong.
CLAIMS: list[tuple[str, str, str, list[str], list[str]]] = [
    ("changsha", "can-win", "2588m 25588p 22558s", ["yes"], ["no"]),
    ("changsha", "can-win", "123m 456m 789p 345s 77s", ["no"], ["yes"]),
    ("changsha", "why-not", "222m 555m 888p 567s 99s", ["pair-258"], ["shape"]),
    ("changsha", "waits", "22m 77p 123m 456p 678s", ["7p"], ["2m 7p"]),
    ("changsha", "score", "5s [1111m] [9999p] [7777s] 345s +5s", ["0"], ["3"]),
    ("changsha", "score", "2588m 25588p 22558s", ["1"], ["2"]),
    ("changsha", "discard", "123m 456m 789p 34s 22s 9s", ["9s"], ["3s"]),
    ("changchun", "can-win", "19m 19p 19s ESWN CFP C", ["no"], ["yes"]),
    ("changchun", "why-not", "EEE SSS WWW NNN 55m", ["three-suits"], ["triplet"]),
    ("changchun", "waits", "2345m EEE 678p 567s", ["2m 5m"], ["2m"]),
    ("changchun", "discard", "EEE 345m 678p 22s 88s 6s", ["6s 8s"], ["6s"]),
]


@pytest.fixture
def classroom(shelved: None) -> Classroom:
    return Classrooms()


@pytest.fixture
def teacher(classroom: Classroom) -> Client:
    return client_of(teacher_of(classroom))


@pytest.fixture
def given(classroom: Classroom) -> Assignment:
    return Assignments(classroom=classroom, opens=None)


def page_of(given: Assignment, language: str = "en") -> str:
    return f"/{language}/classes/{given.classroom_id}/assignments/{given.pk}/parts/own/"


def sent(game: str, ask: str, hand: str, claim: list[str], **more: Any) -> dict[str, Any]:
    """What the form sends, with the circumstances as they stand there."""
    shown = {"shown": "1", "by": "discard", "seat": "1", "from": "0", "moments": ""}
    return (
        {"game": game, "ask": ask, "hand": hand, "claim": claim, "hardness": "2", "prompt": ""} | shown | more
    )


def errors_in(body: str) -> dict[str, str]:
    """The errors of a page by the id of the field that each links to, "" for those of none."""
    listed = re.search(r'<section class="errors".*?</section>', body, re.DOTALL)
    if listed is None:
        return {}
    found = re.findall(r'<li>(?:<a href="#([^"]*)">)?(.*?)(?:</a>)?</li>', listed[0], re.DOTALL)
    return {field: unescape(words) for field, words in found}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "ask", "hand", "right", "wrong"), CLAIMS)
def test_what_the_engine_says_too_is_kept_at_once(
    teacher: Client,
    given: Assignment,
    game: str,
    ask: str,
    hand: str,
    right: list[str],
    wrong: list[str],
    language: str,
) -> None:
    answer = teacher.post(page_of(given, language), sent(game, ask, hand, right))
    assert answer.status_code == 303
    part = given.parts.get()
    assert (part.kind, part.game, part.size) == (OWN, game, 1)
    question = part.questions.get()
    assert (question.puzzle, question.kind, question.level, question.work) == ("", ask, 2, None)
    level = handing.asked_by(question, given.classroom).level
    assert keys_of(level) == sorted(" ".join(right).split())
    # And it can be tried.
    shown = teacher.get(f"/{language}/classes/{given.classroom_id}/assignments/{given.pk}/preview/1/")
    assert shown.status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "ask", "hand", "right", "wrong"), CLAIMS)
def test_what_the_engine_denies_is_explained_and_kept_only_by_its_own_answer(
    teacher: Client,
    given: Assignment,
    game: str,
    ask: str,
    hand: str,
    right: list[str],
    wrong: list[str],
    language: str,
) -> None:
    form = sent(game, ask, hand, wrong)
    answer = teacher.post(page_of(given, language), form)
    body = answer.content.decode()
    assert answer.status_code == 200
    assert not Part.objects.exists()
    assert ' value="engine"' in body
    assert f"/rules/{game}/" in body
    found = re.search(r'name="found" value="([^"]*)"', body)
    assert found is not None
    assert found[1].split() == sorted(" ".join(right).split())
    # What was typed is all there.
    assert f'value="{hand}"' in body
    answer = teacher.post(page_of(given, language), form | {"do": "engine", "found": found[1]})
    assert answer.status_code == 303
    assert Question.objects.get().kind == ask


def test_the_engines_answer_is_taken_for_no_other_hand_than_it_was_shown_for(
    teacher: Client, given: Assignment
) -> None:
    form = sent("changsha", "can-win", "123m 456m 789p 345s 22s", ["no"], do="engine", found="no")
    answer = teacher.post(page_of(given), form)
    assert answer.status_code == 200
    assert not Part.objects.exists()
    assert 'name="found" value="yes"' in answer.content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "ask", "hand", "claim", "field"),
    [
        ("changsha", "can-win", "", ["yes"], "id_hand"),
        ("changsha", "can-win", "hello", ["yes"], "id_hand"),
        ("changsha", "can-win", "22222m 55p", ["yes"], "id_hand"),
        ("changsha", "can-win", "EEE 345m 678p 22s 88s 6s", ["yes"], "id_hand"),  # it has no winds
        ("changsha", "can-win", "123m 456m 789p 345s 7s", ["yes"], "id_hand"),  # one tile short
        ("changsha", "can-win", "1m" * 300, ["yes"], "id_hand"),
        ("changsha", "can-win", "2588m 25588p 22558s", [], "id_claim"),
        ("changsha", "can-win", "2588m 25588p 22558s", ["perhaps"], "id_claim"),
        ("changsha", "why-not", "2588m 25588p 22558s", ["shape"], "id_hand"),  # it wins
        ("changsha", "why-not", "222m 555m 888p 567s 99s", [], "id_claim"),
        ("changsha", "why-not", "222m 555m 888p 567s 99s", ["no-rule"], "id_claim"),
        ("changsha", "waits", "2588m 25588p 22558s", ["7p"], "id_hand"),  # nothing is missing
        ("changsha", "waits", "22m 77p 123m 456p 678s", ["x"], "id_claim"),
        ("changsha", "waits", "22m 77p 123m 456p 678s", ["(777p)"], "id_claim"),
        ("changsha", "score", "123m 456m 789p 345s 77s", ["0"], "id_hand"),  # it doesn't win
        ("changsha", "score", "2588m 25588p 22558s", ["much"], "id_claim"),
        ("changsha", "score", "2588m 25588p 22558s", [""], "id_claim"),
        ("changsha", "discard", "123m 456m 789p 34s 22s 9s", [""], "id_claim"),
        ("changchun", "can-win", "\x07", ["yes"], "id_hand"),
        ("changchun", "waits", "2345m EEE 678p 567s", ["2m ?"], "id_claim"),
    ],
)
def test_what_cant_be_asked_is_an_error_in_words_at_its_field(
    teacher: Client,
    given: Assignment,
    game: str,
    ask: str,
    hand: str,
    claim: list[str],
    field: str,
    language: str,
) -> None:
    answer = teacher.post(page_of(given, language), sent(game, ask, hand, claim))
    body = answer.content.decode()
    assert answer.status_code == 200
    errors = errors_in(body)
    assert field in errors
    assert f'id="{field}"' in body
    assert language == "en" or re.search("[㐀-鿿]", errors[field])
    assert not Part.objects.exists()


def test_how_it_was_won_counts_and_what_cant_be_is_said(teacher: Client, given: Assignment) -> None:
    hand = "2588m 25588p 2255s +8s"
    good = sent("changsha", "score", hand, ["2"], by="self-draw", moments="gang-bloom")
    answer = teacher.post(page_of(given), good)
    assert answer.status_code in (200, 303)
    bad = sent("changsha", "score", hand, ["2"], seat="1", **{"from": "1"}, by="no-such-way")
    del bad["shown"]
    answer = teacher.post(page_of(given), bad)
    assert answer.status_code == 200
    assert "no-such-way" in errors_in(answer.content.decode())[""]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["changsha", "changchun"])
@pytest.mark.parametrize("ask", ASKS)
def test_each_way_to_write_a_hand_that_the_hint_tells_is_read(
    teacher: Client, given: Assignment, ask: str, game: str, language: str
) -> None:
    body = unescape(teacher.get(page_of(given, language) + f"?game={game}&ask={ask}").content.decode())
    hint = re.search(r'id="id_hand_helptext">(.*?)</p>', body, re.DOTALL)
    assert hint is not None
    read_aloud = re.sub(r"<[^>]+>", "", hint[1])  # without the marks that say what is Chinese
    in_chinese = "一[一二三四五六七八九万饼筒条 ]{10,}[饼筒条](?: ?\\+ ?九.)?"
    typed = re.findall(rf"12355m [0-9ps ]+[ps](?: \+9p)?|{in_chinese}", read_aloud)
    hands = {rules.rulesets()[game].parse(text) for text in typed}
    assert len(typed) == 2
    assert {hand.winning is not None for hand in hands} == {ask not in ("waits", "discard")}
    assert len(hands) == 1
    assert ("饼" in hint[1], "筒" in hint[1]) == (game == "changchun", game == "changsha")


@pytest.mark.parametrize("ask", ASKS)
def test_how_it_was_won_is_asked_where_something_is_won(teacher: Client, given: Assignment, ask: str) -> None:
    for game in ("changsha", "changchun"):
        body = teacher.get(page_of(given) + f"?game={game}&ask={ask}").content.decode()
        is_won = ask not in ("waits", "discard")
        assert ('name="by"' in body, 'name="seat"' in body) == (is_won, is_won)
        assert ('name="birds"' in body) == (ask == "score" and game == "changsha")
        assert ('name="listening"' in body) == (game == "changchun")


def test_ready_declared_is_kept_with_what_a_hand_waits_for(teacher: Client, given: Assignment) -> None:
    form = sent("changchun", "waits", "2345m EEE 678p 567s", ["2m 5m"], listening="1", by="self-draw")
    assert teacher.post(page_of(given), form).status_code == 303
    assert Question.objects.get().node == {"hand": "2345m 678p 567s EEE", "listening": "1"}


@pytest.mark.parametrize(
    ("ask", "language", "said"),
    [
        ("can-win", "en", "These are 13 tiles; the winning one is missing. Put it last, after a +: +7s."),
        ("score", "zh-hans", "这里有13张，还差胡的那张：写在最后，前面加 +，如 +七条。"),
        ("discard", "en", "These are 13 tiles; a tile is discarded from 14. Add the one that was drawn."),
        ("discard", "zh-hans", "这里有13张，打牌要14张：把刚摸的那张也写上。"),
    ],
)
def test_a_tile_that_is_missing_is_said_to_be_so(
    teacher: Client, given: Assignment, ask: str, language: str, said: str
) -> None:
    form = sent("changsha", ask, "123m 456m 789p 345s 7s", ["7s" if ask == "discard" else "1"])
    answer = teacher.post(page_of(given, language), form)
    assert errors_in(answer.content.decode())["id_hand"] == said


@pytest.mark.parametrize(
    ("prompt", "is_good"),
    [
        ("Can 张三 win with `7p`?", True),
        ("**Think** first.", True),
        ("<script>alert(1)</script>", True),
        ("Look at `7x`", False),
        ("an open ` mark", False),
        ("[here](rule/win/shape)", False),
        ("[[jiang]]", False),
        ("x" * 301, False),
    ],
)
def test_a_wording_of_ones_own_is_words_and_tiles(
    teacher: Client, given: Assignment, prompt: str, is_good: bool
) -> None:
    form = sent("changsha", "waits", "22m 77p 123m 456p 678s", ["7p"], prompt=prompt)
    answer = teacher.post(page_of(given), form)
    assert answer.status_code == (303 if is_good else 200)
    assert Question.objects.exists() is is_good
    if is_good:
        asked = teacher.get(f"/en/classes/{given.classroom_id}/assignments/{given.pk}/preview/1/")
        assert asked.status_code == 200
        assert "<script>alert" not in asked.content.decode()
    else:
        assert "id_prompt" in errors_in(answer.content.decode())


def test_the_classs_own_rules_decide_what_is_right(shelved: None) -> None:
    classroom = Classrooms(options={"changsha": {"birds": "4"}})
    given = Assignments(classroom=classroom, opens=None)
    teacher = client_of(teacher_of(classroom))
    hand = "2588m 25588p 2255s +8s"
    body = teacher.get(page_of(given) + "?game=changsha&ask=score").content.decode()
    assert body.count('name="birds"') == 4
    answer = teacher.post(
        page_of(given), sent("changsha", "score", hand, ["1"], birds=["1m", "2m", "3m", "4m"])
    )
    assert answer.status_code == 303
    assert Question.objects.get().node["birds"] == "1m,2m,3m,4m"


def test_a_tile_may_be_written_in_chinese(teacher: Client, given: Assignment) -> None:
    form = sent("changsha", "waits", "二二万 七七筒 一二三万 四五六筒 六七八条", ["七筒"])
    assert teacher.post(page_of(given), form).status_code == 303
    assert Question.objects.get().node["hand"]


@pytest.mark.parametrize("query", ["?ask=nothing", "?game=nowhere", "?game="])
def test_what_no_page_offers_is_not_there(teacher: Client, given: Assignment, query: str) -> None:
    expected = 200 if query == "?game=" else 404
    assert teacher.get(page_of(given) + query).status_code == expected


def test_a_hand_that_waits_for_nothing_is_a_question_too(teacher: Client, given: Assignment) -> None:
    form = sent("changsha", "waits", "159m 159p 159s 2468m", [""])
    answer = teacher.post(page_of(given), form)
    assert answer.status_code == 303
    level = handing.asked_by(Question.objects.get(), given.classroom).level
    assert level.rights == (frozenset(),)


def test_once_somebody_has_begun_it_is_added_only_when_that_is_meant(
    teacher: Client, given: Assignment, classroom: Classroom
) -> None:
    Assignment.objects.update(opens=START)
    given.refresh_from_db()
    add_set(given, size=1)
    work = answered(Members(classroom=classroom), given, [True])
    assert work.finished
    form = sent("changsha", "waits", "22m 77p 123m 456p 678s", ["7p"])
    answer = teacher.post(page_of(given), form)
    assert "id_sure" in errors_in(answer.content.decode())
    assert given.parts.count() == 1
    assert teacher.post(page_of(given), form | {"sure": "on"}).status_code == 303
    work.refresh_from_db()
    assert (work.total, work.answered, work.finished) == (2, 1, None)


def test_only_teachers_of_the_class_write_questions(given: Assignment, classroom: Classroom) -> None:
    form = sent("changsha", "waits", "22m 77p 123m 456p 678s", ["7p"])
    for who in (None, Members(classroom=classroom), teacher_of(Classrooms())):
        assert client_of(who).get(page_of(given)).status_code == 404
        assert client_of(who).post(page_of(given), form).status_code == 404
    assert not Part.objects.exists()
