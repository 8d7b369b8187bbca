"""The figures that the server draws: walls as the rulings have them, in both languages, for eye and ear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise, product
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context, Engine
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules import Ruleset, Text
from tests.test_words import complaint
from tutor.content.walls import (
    BAO,
    BREAK,
    EMPTY,
    FINDS,
    HALF,
    HEAD,
    OPEN,
    TAIL,
    WHOLE,
    Spot,
    StackLeft,
    WallFigure,
    ordinal,
    place_name,
    stack_at,
    stack_label,
    wall_figure,
)
from tutor.lessons.templatetags.figures import drawing, spread

CHANGCHUN, CHANGSHA = rules.ruleset("changchun"), rules.ruleset("changsha")
SIDES = {"changchun": (17, 17, 17, 17), "changsha": (14, 13, 14, 13)}
THROWS = list(product(range(1, 7), repeat=2))
ENGINE = Engine(
    dirs=[Path(settings.BASE_DIR) / "templates"],
    libraries={
        "figures": "tutor.lessons.templatetags.figures",
        "tiles": "tutor.checker.templatetags.tiles",
    },
)

games = pytest.mark.parametrize("game", [CHANGCHUN, CHANGSHA], ids=lambda game: game.key)
in_both_languages = pytest.mark.parametrize("language", ["en", "zh-hans"])
dice = st.tuples(st.integers(1, 6), st.integers(1, 6))


def shown(tag: str, language: str = "en", **context: object) -> str:
    """What a template with this tag makes."""
    with translation.override(language):
        return ENGINE.from_string(f"{{% load figures %}}{tag}").render(Context(context))


class Elements(HTMLParser):
    """Every element of some HTML with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def __iter__(self) -> Iterator[tuple[str, dict[str, str | None]]]:
        return iter(self.found)


def round_the_table(game: Ruleset, first: int, second: int) -> list[tuple[int, int]]:
    """Every stack from head to tail, counted out: to the left from the break, then each wall to the left."""
    counts = SIDES[game.key]
    seat, number = (first - 1) % 4, second
    found = []
    while len(found) < sum(counts):
        number += 1
        if number > counts[seat]:
            seat, number = (seat - 1) % 4, 1
        found.append((seat, number))
    return found


def heights(game: Ruleset, first: int, second: int, drawn: int, replaced: int) -> dict[tuple[int, int], int]:
    """How many tiles each stack has, tile by tile."""
    order = round_the_table(game, first, second)
    left = dict.fromkeys(order, 2)
    for from_end, tiles in ((order, drawn), (order[::-1], replaced)):
        for _ in range(tiles):
            left[next(place for place in from_end if left[place])] -= 1
    return left


# Which stack is which


@games
@pytest.mark.parametrize("first", THROWS[::5])
def test_taking_begins_behind_as_many_stacks_as_the_second_throw_says(
    game: Ruleset, first: tuple[int, int]
) -> None:
    for second in THROWS:
        figure = wall_figure(game, first=first, second=second)
        order = round_the_table(game, sum(first), sum(second))
        assert stack_at(figure, BREAK) == stack_at(figure, HEAD) == "{}:{}".format(*order[0])
        assert stack_at(figure, TAIL) == "{}:{}".format(*order[-1])
        assert order[-1] == (order[0][0], sum(second)), "the stacks kept at the right end are the tail"


@given(st.sampled_from([CHANGCHUN, CHANGSHA]), dice, dice, st.integers(0, 100), st.integers(0, 8))
def test_tiles_go_from_the_head_and_from_the_tail_the_upper_before_the_lower(
    game: Ruleset, first: tuple[int, int], second: tuple[int, int], drawn: int, replaced: int
) -> None:
    figure = wall_figure(game, first=first, second=second, drawn=drawn, replaced=replaced)
    left = heights(game, sum(first), sum(second), drawn, replaced)
    states = {EMPTY: 0, HALF: 1, WHOLE: 2}
    assert {stack.spot: states[stack.state] for side in figure.sides for stack in side} == left
    standing = [place for place in round_the_table(game, sum(first), sum(second)) if left[place]]
    if standing:
        head, tail = figure.mark(HEAD), figure.mark(TAIL)
        assert head
        assert tail
        assert (head.spot, head.upper) == (standing[0], left[standing[0]] == 2)
        assert (tail.spot, tail.upper) == (standing[-1], left[standing[-1]] == 2)


@games
def test_each_wall_is_numbered_from_its_own_right_end(game: Ruleset) -> None:
    figure = wall_figure(game, first=(1, 1), second=(1, 1))
    for seat, side in enumerate(figure.sides):
        assert [stack.spot for stack in side] == [(seat, n + 1) for n in range(SIDES[game.key][seat])]


def test_the_stacks_that_stay_are_the_last_ones_and_an_odd_tail_tile_is_none_of_them() -> None:
    even = wall_figure(CHANGCHUN, first=(1, 4), second=(2, 5), drawn=53, gangs=0)
    assert even.reserve == tuple((0, n) for n in (7, 6, 5, 4, 3, 2, 1))
    assert "odd tile" not in even.notes[-1].words.en
    odd = wall_figure(CHANGCHUN, first=(1, 4), second=(2, 5), drawn=54, replaced=1, gangs=1)
    assert odd.reserve == (*((0, n) for n in (6, 5, 4, 3, 2, 1)), (1, 17))
    assert "odd tile" in odd.notes[-1].words.en
    more = wall_figure(CHANGCHUN, first=(1, 4), second=(2, 5), drawn=53, replaced=2, gangs=2)
    assert more.reserve == (*((0, n) for n in (6, 5, 4, 3, 2, 1)), (1, 17), (1, 16))


def test_no_stack_stays_in_a_game_that_keeps_none_or_at_a_table_that_plays_without() -> None:
    assert wall_figure(CHANGSHA, first=(1, 4), second=(2, 5), gangs=1).reserve == ()
    played_out = CHANGCHUN.with_options({"reserve": "none"})
    assert wall_figure(played_out, first=(1, 4), second=(2, 5), gangs=1).reserve == ()


@pytest.mark.parametrize("replaced", [0, 1, 2, 5])
@pytest.mark.parametrize("thrown", THROWS[::7])
def test_the_bao_is_counted_from_the_tail_without_an_odd_tile(thrown: tuple[int, int], replaced: int) -> None:
    figure = wall_figure(CHANGCHUN, first=(2, 4), second=(1, 2), drawn=53, replaced=replaced, bao=thrown)
    left = heights(CHANGCHUN, 6, 3, 53, replaced)
    counted = [place for place in reversed(round_the_table(CHANGCHUN, 6, 3)) if left[place] == 2]
    assert stack_at(figure, BAO) == "{}:{}".format(*counted[sum(thrown) - 1])


@pytest.mark.parametrize("replaced", [0, 1, 2, 5])
@pytest.mark.parametrize("thrown", THROWS[::7])
def test_an_opened_gang_counts_every_stack_from_the_tail_a_half_one_too(
    thrown: tuple[int, int], replaced: int
) -> None:
    figure = wall_figure(CHANGSHA, first=(2, 4), second=(1, 2), drawn=53, replaced=replaced, open=thrown)
    left = heights(CHANGSHA, 6, 3, 53, replaced)
    counted = [place for place in reversed(round_the_table(CHANGSHA, 6, 3)) if left[place]]
    assert stack_at(figure, OPEN) == "{}:{}".format(*counted[sum(thrown) - 1])


def test_where_the_wall_is_too_short_for_the_sum_the_smaller_die_opens_the_stack() -> None:
    figure = wall_figure(CHANGSHA, first=(1, 1), second=(1, 1), drawn=98, open=(2, 6))
    assert stack_at(figure, OPEN) == "1:1"


@pytest.mark.parametrize(
    ("game", "more"),
    [
        (CHANGSHA, {"bao": (1, 2)}),
        (CHANGCHUN, {"open": (1, 2)}),
        (CHANGCHUN, {"drawn": 130, "bao": (6, 6)}),
        (CHANGSHA, {"drawn": 104, "open": (6, 6)}),
        (CHANGSHA, {"drawn": 107, "open": (1, 1)}),
        (CHANGCHUN, {"drawn": 137}),
        (CHANGCHUN, {"drawn": 130, "replaced": 7}),
        (CHANGCHUN, {"drawn": -1}),
    ],
)
def test_what_a_game_or_its_wall_has_not_is_refused(game: Ruleset, more: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        wall_figure(game, first=(3, 4), second=(2, 5), **more)


def test_a_stack_that_nobody_can_choose_is_no_answer() -> None:
    begun = wall_figure(CHANGCHUN, first=(3, 4), second=(2, 5), drawn=2)
    with pytest.raises(ValueError, match="emptied"):
        stack_at(begun, BREAK)
    with pytest.raises(ValueError, match="no bao"):
        stack_at(begun, BAO)
    played_out = wall_figure(CHANGCHUN, first=(3, 4), second=(2, 5), drawn=136)
    with pytest.raises(ValueError, match="no tail"):
        stack_at(played_out, TAIL)
    assert played_out.stacks_left == ()


# Words


def test_a_stack_is_named_by_its_wall_and_its_number_from_the_right() -> None:
    assert place_name("0:7") == ("the 7th stack from the right of the dealer's wall", "庄家牌墙从右数第7墩")
    assert place_name(Spot(3, 2)).en == "the 2nd stack from the right of the wall before the dealer's"
    assert stack_label(StackLeft(Spot(0, 7), WHOLE)).en == "Dealer's wall, stack 7 from the right"
    assert stack_label(StackLeft(Spot(1, 1), HALF)).zh == "庄家下家的牌墙从右数第1墩，只剩下面一张"
    numbers = (1, 2, 3, 4, 11, 12, 13, 21)
    assert list(map(ordinal, numbers)) == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st"]


@pytest.mark.parametrize("text", ["", "7", "4:1", "0:0", "-1:3", "a:b", "0:7:1"])
def test_only_a_seat_and_a_number_name_a_stack(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        place_name(text)


@games
def test_everything_a_wall_says_is_a_sentence_in_both_languages(game: Ruleset) -> None:
    more = {"bao": (2, 3)} if game is CHANGCHUN else {"open": (2, 3)}
    figure = wall_figure(game, first=(1, 4), second=(2, 5), drawn=54, replaced=1, gangs=1, **more)
    said = [figure.summary, *figure.stock, *(note.words for note in figure.notes)]
    assert [c for text in said if (c := complaint(text, sentence=True))] == []
    assert len(figure.notes) == len(figure.marks) + bool(figure.reserve)


def test_the_walls_in_words_say_what_is_left_of_each() -> None:
    figure = wall_figure(CHANGCHUN, first=(1, 4), second=(2, 5), drawn=53, replaced=2)
    assert figure.stock[0].en == (
        "The dealer's wall, from the right: stacks 1 to 6 whole, stacks 7 to 17 taken."
    )
    assert figure.stock[3].zh == "庄家上家的牌墙从右数，第1到16墩已经抓走，第17墩只剩下面一张。"
    assert figure.summary.en == (
        "The four walls from above: 40 of 68 stacks are whole, 1 has its lower tile alone, 27 are taken."
    )


# Pictures


def figures() -> Iterator[tuple[str, WallFigure]]:
    yield "untouched", wall_figure(CHANGCHUN, first=(3, 4), second=(2, 5))
    yield (
        "bao",
        wall_figure(CHANGCHUN, first=(1, 4), second=(2, 5), drawn=54, replaced=1, gangs=1, bao=(2, 5)),
    )
    yield "opened", wall_figure(CHANGSHA, first=(1, 1), second=(6, 6), drawn=53, replaced=3, open=(1, 2))
    yield "empty", wall_figure(CHANGSHA, first=(3, 4), second=(2, 5), drawn=108)


FIGURES = dict(figures())
all_figures = pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)


@all_figures
@in_both_languages
def test_a_wall_is_drawn_with_what_it_says_and_without_styles_of_its_own(
    figure: WallFigure, language: str
) -> None:
    html = shown("{% wall figure %}", language, figure=figure)
    elements = list(Elements(html))
    assert not [attributes for _, attributes in elements if "style" in attributes or "id" in attributes]
    assert "input" not in [tag for tag, _ in elements]
    text = re.sub(r"<[^>]*>", "", html).replace("&#x27;", "'")
    for words in (*(note.words for note in figure.notes), *figure.stock, figure.summary):
        assert words.in_language(language) in text
    pictures = [attributes for _, attributes in elements if attributes.get("role") == "img"]
    assert all(attributes["aria-label"] for attributes in pictures)
    assert len(pictures) == 1 + len(figure.throws)


@all_figures
@in_both_languages
@pytest.mark.parametrize("find", ["", *FINDS])
def test_every_stack_that_is_left_can_be_chosen_once_by_its_name(
    figure: WallFigure, language: str, find: str
) -> None:
    html = shown('{% wall figure answers=find name="a" %}', language, figure=figure, find=find)
    fields = [attributes for tag, attributes in Elements(html) if tag == "input"]
    assert sorted(field["value"] or "" for field in fields) == sorted(figure.stacks_left)
    assert {(field["type"], field["name"]) for field in fields} <= {("radio", "a")}
    assert not [field for field in fields if "checked" in field]
    labels = re.findall(r'<label>.*?value="(.*?)".*?class="spoken">(.*?)</span></label>', html, re.DOTALL)
    stacks = {str(stack.spot): stack for side in figure.sides for stack in side}
    assert len(labels) == len(fields)
    for value, label in labels:
        assert label.replace("&#x27;", "'") == stack_label(stacks[value]).in_language(language)


def test_the_chosen_stack_is_checked_and_no_other() -> None:
    html = shown('{% wall figure "break" "a" "2:8" %}', figure=FIGURES["untouched"])
    assert [a["value"] for tag, a in Elements(html) if tag == "input" and "checked" in a] == ["2:8"]


@pytest.mark.parametrize(
    ("find", "marks"),
    [("", []), ("break", []), ("head", ["break"]), ("tail", ["break"]), ("bao", ["break", "head", "tail"])],
)
def test_no_mark_tells_the_answer(find: str, marks: list[str]) -> None:
    figure = FIGURES["bao"]
    html = shown("{% wall figure answers=find %}", figure=figure, find=find)
    assert sorted(re.findall(r'<g class="badge (\w+)"', html)) == sorted(marks)
    assert re.findall(r'"badge (\w+)" aria', html) == marks
    assert not re.findall(r'class="kept"|class="cut"' if "break" not in marks else 'class="kept"', html)


@games
def test_each_wall_is_drawn_before_its_player_with_the_right_end_at_that_players_right(game: Ruleset) -> None:
    figure = wall_figure(game, first=(3, 4), second=(2, 5))
    numbers = drawing(figure).numbers
    ones = [(number.x, number.y) for number in numbers if number.number == 1]
    tens = [(number.x, number.y) for number in numbers if number.number == 10]
    (bottom, right, top, left), (bottom_10, right_10, top_10, left_10) = ones, tens
    assert bottom[0] > bottom_10[0], "the dealer's right end is at the right"
    assert bottom[1] == bottom_10[1] > 0
    assert right[1] < right_10[1], "the next player's right end is at the top"
    assert right[0] == right_10[0] > 0
    assert top[0] < top_10[0], "the right end of the player opposite is at the left"
    assert top[1] == top_10[1] < 0
    assert left[1] > left_10[1], "the previous player's right end is at the bottom"
    assert left[0] == left_10[0] < 0


@given(st.lists(st.floats(-90, 90), max_size=5).map(sorted))
def test_marks_stand_apart_in_their_order(wanted: list[float]) -> None:
    places = spread(wanted, 22, 90)
    assert len(places) == len(wanted)
    assert all(after - before > 21.99 for before, after in pairwise(places))
    assert all(-90.01 < place < 90.01 for place in places)
    if all(after - before >= 22 for before, after in pairwise(wanted)):
        assert places == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("language", "label"), [("en", "3 and 4: 7 in all"), ("zh-hans", "3点和4点，一共7点")]
)
def test_two_dice_are_one_picture_with_their_sum(language: str, label: str) -> None:
    for thrown in ("3 4", (3, 4)):
        html = shown("{% dice thrown %}", language, thrown=thrown)
        assert f'role="img" aria-label="{label}"' in html
        assert re.findall(r'class="pips-(\d)"', html) == ["3", "4"]


@pytest.mark.parametrize("thrown", ["7 1", "3", "3 4 5", "a b"])
def test_what_no_two_dice_show_is_not_drawn(thrown: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        shown("{% dice thrown %}", thrown=thrown)


@in_both_languages
def test_the_seats_stand_in_turn_order_each_with_its_note(language: str) -> None:
    notes = {0: Text("pays <3>", "付3分"), 2: Text("takes 吃", "吃")}
    html = shown("{% seats notes lit %}", language, notes=notes, lit=[2])
    seats = re.findall(r'<li class="(.*?)">(.*?)</li>', html, re.DOTALL)
    assert [style for style, _ in seats] == ["seat-0", "seat-1", "seat-2 lit", "seat-3"]
    assert [re.findall(r'"turn">(\d)<', seat)[0] for _, seat in seats] == ["1", "2", "3", "4"]
    assert ["word" in seat for _, seat in seats] == [True, False, True, False]
    if language == "en":
        assert "pays &lt;3&gt;" in seats[0][1]
        assert "next after dealer" in seats[1][1]
        assert '<span lang="zh-Hans">吃</span>' in seats[2][1]
        assert "pointed out" in seats[2][1]
    else:
        assert "庄家的下家" in seats[1][1]
    assert "style=" not in html
