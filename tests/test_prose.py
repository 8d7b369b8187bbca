"""The markup of lesson texts: paragraphs, lists, strong words, terms, links and tiles."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules import Text
from tests.test_checker_page import Element, read
from tutor.content.prose import LINK, PLAIN, STRONG, TERM, TILES, Span, blocks, leftovers, marks, spans
from tutor.lessons.templatetags.lessons import line_of, plain_of, prose_of

CHANGCHUN = rules.ruleset("changchun")


def lines(text: str) -> list[list[str]]:
    """The words of each block, a list's items apart."""
    return [["".join(span.text for span in line) for line in block.lines] for block in blocks(text)]


# Spans


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Plain words.", (Span(PLAIN, "Plain words."),)),
        ("", ()),
        ("**Never** so", (Span(STRONG, "Never", inner=(Span(PLAIN, "Never"),)), Span(PLAIN, " so"))),
        ("a [[ting]]", (Span(PLAIN, "a "), Span(TERM, "", "ting"))),
        ("[[ting|declares ready]]", (Span(TERM, "declares ready", "ting"),)),
        ("[[blocked-wait|胡不了的牌]]", (Span(TERM, "胡不了的牌", "blocked-wait"),)),
        ("[the rule](rule/win/triplet)", (Span(LINK, "the rule", "rule/win/triplet"),)),
        (
            "[a step](step/changsha/birds#origin).",
            (Span(LINK, "a step", "step/changsha/birds#origin"), Span(PLAIN, ".")),
        ),
        ("[try](check/123m (555p) +5s)", (Span(LINK, "try", "check/123m (555p) +5s"),)),
        ("`123m EE`", (Span(TILES, "", "123m EE"),)),
        ("`(555p)`碰", (Span(TILES, "", "(555p)"), Span(PLAIN, "碰"))),
        (
            "**the [[bao]] `7s`**",
            (
                Span(
                    STRONG,
                    "the [[bao]] `7s`",
                    inner=(
                        Span(PLAIN, "the "),
                        Span(TERM, "", "bao"),
                        Span(PLAIN, " "),
                        Span(TILES, "", "7s"),
                    ),
                ),
            ),
        ),
        ("**a** and **b**", None),
        ("3 < 4 & [4, 5] (6)", (Span(PLAIN, "3 < 4 & [4, 5] (6)"),)),
    ],
)
def test_marked_words_are_spans(text: str, found: tuple[Span, ...] | None) -> None:
    if found is None:
        assert [span.kind for span in spans(text)] == [STRONG, PLAIN, STRONG]
    else:
        assert spans(text) == found


@given(st.text(alphabet="ab 中，*[]|()`-/\n", max_size=40))
def test_nothing_of_a_text_is_lost(text: str) -> None:
    def written(found: tuple[Span, ...]) -> Iterator[str]:
        for span in found:
            if span.kind == TERM:
                yield f"[[{span.target}{'|' + span.text if span.text else ''}]]"
            else:
                yield {STRONG: f"**{span.text}**", TILES: f"`{span.target}`"}.get(span.kind, span.text)

    if not any(span.kind == LINK for span in spans(text)):
        assert "".join(written(spans(text))) == text


def test_every_term_link_and_row_of_tiles_of_a_text_is_found_inside_strong_words_too() -> None:
    text = "One [[ting]] **and [[bao|it]]**.\n\n- `7s`\n- [rule](rule/win/triplet)\n- plain **words**"
    assert [(span.kind, span.target) for span in marks(text)] == [
        (TERM, "ting"),
        (TERM, "bao"),
        (TILES, "7s"),
        (LINK, "rule/win/triplet"),
    ]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("**a", "**"),
        ("a** b", "**"),
        ("**a** b**", "**"),
        ("[[ting", "[["),
        ("ting]]", "]]"),
        ("[[Ting]]", "[["),
        ("[[ting|]]", "[["),
        ("`7s", "`"),
        ("`7s` `8s", "`"),
        ("[rule](rule/win", "]("),
        ("[](rule/win)", "]("),
        ("**a** [[ting]] [r](rule/win/x) `7s` [4] (5) * ] [", None),
        ("", None),
    ],
)
def test_markup_that_is_opened_and_not_closed_is_noticed(text: str, left: str | None) -> None:
    assert leftovers(text) == left


# Blocks


def test_an_empty_line_makes_a_paragraph() -> None:
    assert lines("One\ntwo.\n\nThree.\n   \n\nFour.\n") == [["One two."], ["Three."], ["Four."]]


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("三种花色\n都要有", "三种花色都要有"),
        ("三种花色，\n都要有", "三种花色，都要有"),
        ("都要有。\n「三色全」", "都要有。「三色全」"),
        ("（四张）\n一样", "（四张）一样"),
        ("来一张\n7条", "来一张 7条"),
        ("7条\n能胡", "7条能胡"),
        ("Three suits\nand a pair", "Three suits and a pair"),
        ("called 万\nin Chinese", "called 万 in Chinese"),
    ],
)
def test_a_line_break_is_a_space_but_between_chinese_characters_it_is_none(text: str, joined: str) -> None:
    assert lines(text) == [[joined]]


@pytest.mark.parametrize("text", ["", "  \n"])
def test_a_text_of_nothing_has_no_list(text: str) -> None:
    assert not any(block.is_list for block in blocks(text))


def test_lines_with_a_dash_each_are_a_list() -> None:
    found = blocks("Before.\n\n- one\n- **two**\n- three\n\nAfter.")
    assert [block.is_list for block in found] == [False, True, False]
    assert lines("- one\n- **two**\n- three") == [["one", "two", "three"]]
    assert found[1].lines[1] == spans("**two**")


def test_a_line_without_a_dash_goes_on_with_the_item_before_it() -> None:
    assert lines("- one\n  and more\n- two") == [["one and more", "two"]]


def test_a_dash_within_a_paragraph_makes_no_list() -> None:
    assert lines("Take one\n- or two.") == [["Take one - or two."]]
    assert [block.is_list for block in blocks("-5 points")] == [False]


# As a page shows it


def shown(text: Text, language: str = "en") -> Element:
    with translation.override(language):
        return read(prose_of(text, CHANGCHUN))


@pytest.mark.django_db
def test_paragraphs_and_lists_are_shown_in_the_language_of_the_page(content: object) -> None:
    text = Text("One **two**. `7s`\n\n- a\n- b", "一、**二**、三。")
    tree = shown(text)
    assert [(e.tag, e.text) for e in tree.children if isinstance(e, Element)] == [
        ("p", "One two."),
        ("ul", "ab"),
    ]
    assert [item.text for item in tree.all("li")] == ["a", "b"]
    assert [strong.text for strong in tree.all("strong")] == ["two"]
    assert [e["aria-label"] for e in tree.all() if e.get("role") == "img"] == ["7 bamboo"]
    assert shown(text, "zh-hans").text == "一、二、三。"


@pytest.mark.django_db
def test_a_term_is_shown_under_its_own_name_or_other_words_and_opens_its_entry(content: object) -> None:
    (own, other) = shown(Text("[[bao]] [[bao|the hidden tile]]", "")).all("button")
    assert (own.text, other.text) == ("bao", "the hidden tile")
    assert {own["popovertarget"], other["popovertarget"]} == {"term-bao"}
    (chinese,) = shown(Text("", "[[bao]]"), "zh-hans").all("button")
    assert chinese.text == "宝"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("rule/win/triplet", "/en/rules/changchun/win/triplet/"),
        ("rule/changsha/win/shape", "/en/rules/changsha/win/shape/"),
        ("step/changsha/birds#where-it-falls", "/en/learn/changsha/birds/#where-it-falls"),
        ("step/changsha/birds", "/en/learn/changsha/birds/"),
        ("page/compare", "/en/compare/"),
        ("page/rules", "/en/rules/"),
        ("check/123m (555p)", "/en/check/?ruleset=changchun&hand=123m+%28555p%29"),
    ],
)
def test_a_link_leads_where_it_says(content: object, target: str, address: str) -> None:
    (link,) = shown(Text(f"[so]({target})", "")).all("a")
    assert (link.text, link["href"]) == ("so", address)


@pytest.mark.django_db
def test_what_an_author_writes_is_no_html(content: object) -> None:
    tree = shown(Text("<b>3 < 4</b> & [[bao|<i>]] and **<u>**", ""))
    assert tree.text == "<b>3 < 4</b> & <i> and <u>"
    assert not [e for e in tree.all() if e.tag in ("b", "i", "u")]


@pytest.mark.django_db
def test_chinese_in_an_english_text_is_marked_as_such(content: object) -> None:
    (mark,) = [e for e in shown(Text("The suit **万** is there.", "")).all() if e.get("lang") == "zh-Hans"]
    assert mark.text == "万"


@pytest.mark.django_db
def test_a_title_has_the_words_alone(content: object) -> None:
    text = Text("**A** [[bao]], [[bao|b]], [c](page/compare) & `7s`", "[[bao]]")
    with translation.override("en"):
        assert plain_of(text, CHANGCHUN) == "A bao, b, c & 7条"
        assert "<p>" not in line_of(text, CHANGCHUN)
    with translation.override("zh-hans"):
        assert plain_of(text, CHANGCHUN) == "宝"


@pytest.mark.parametrize(
    "text", ["他说\n“胡了”，\n大家都看。", "“胡了”\n他说", "等着——\n来了", "等着\n……来了", "「听」\n‘碰’"]
)
def test_between_chinese_marks_a_line_break_is_no_space(text: str) -> None:
    ((line,),) = [block.lines for block in blocks(text)]
    assert "".join(span.text for span in line) == text.replace("\n", "")
