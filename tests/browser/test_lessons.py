"""Chapters of the courses as somebody goes through them: by finger, by keyboard, without JavaScript."""

import re
from contextlib import suppress
from threading import Barrier, BrokenBarrierError, Lock
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from tutor.content.levels import numbered
from tutor.people import learners

from ..conftest import real_content, some_of
from .conftest import Contexts, Pages, in_both_languages
from .lessons import (
    ONE_OF_EACH,
    PHONE,
    WIDGETS,
    Asked,
    a_wrong_answer,
    chapter,
    codes,
    example,
    fields,
    loaded,  # noqa: F401 - used for each test
    step,
    stop_reading,
    stored,  # noqa: F401
    stretches,
    visit,
    wait_until_drawn,
)
from .test_hindrances import forgive_disconnection

pytestmark = pytest.mark.browser

CHAPTERS = ["changchun/winning-shape", "changsha/small-win"]


@pytest.fixture
def phone(new_page: Pages) -> Page:
    """A page on a phone."""
    return new_page(**PHONE)


@pytest.fixture
def plain(new_page: Pages) -> Page:
    """A page on a phone in which no script runs."""
    return new_page(java_script_enabled=False, **PHONE)


def posts(page: Page) -> list[Request]:
    """What the page posts from now on."""
    found: list[Request] = []
    page.on("request", lambda request: found.append(request) if request.method == "POST" else None)
    return found


# A whole chapter


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize("place", some_of(CHAPTERS, 0, 2))
def test_a_chapter_is_gone_through_from_the_map_to_the_next_chapter(phone: Page, place: str):
    taught, game = chapter(place), place.partition("/")[0]
    course = [found for found in real_content().chapters if found.game.key == game and not found.is_note]
    following = course[course.index(taught) + 1]
    count = len(taught.levels)

    visit(phone, f"/en/learn/{game}/")
    expect(phone.locator(".map > li")).to_have_class(["new"] * len(course))
    begin = phone.get_by_role("link", name="Begin", exact=True)
    expect(begin).to_have_attribute("href", f"/en/learn/{course[0].place}/")
    row = phone.locator(".map > li").nth(course.index(taught))
    expect(row).to_contain_text(f"0 of {count} questions solved")
    row.get_by_role("link").tap()
    expect(phone).to_have_url(re.compile(f"/en/learn/{place}/$"))
    expect(phone.locator("#tally")).to_have_text(f"0 of {count} questions solved")
    expect(phone.locator(".steps .tick")).to_have_count(0)
    stop_reading(phone)

    for solved, each in enumerate(taught.levels):
        asked = Asked(phone, each)
        phone.locator(f".steps a[href='#{each.slug}']").tap()
        if not solved:
            wrong = a_wrong_answer(asked.level)
            asked.answer(wrong)
            asked.expect_wrong(wrong)
            expect(asked.tally).to_have_text(f"0 of {count} questions solved")
            expect(asked.mark).to_have_text("")
        asked.answer(asked.level.rights[0])
        asked.expect_right()
        expect(asked.tally).to_have_text(f"{solved + 1} of {count} questions solved")
        expect(asked.mark).to_contain_text("solved")
        expect(phone.locator(".steps .tick")).to_have_count(solved + 1)

    phone.get_by_role("button", name="Next chapter").tap()
    expect(phone).to_have_url(re.compile(f"/en/learn/{following.place}/$"))
    expect(phone.locator("h1")).to_contain_text(following.title.en)
    phone.locator(".crumbs a").last.tap()
    row = phone.locator(".map > li").nth(course.index(taught))
    expect(row).to_have_class("done")
    expect(row).to_contain_text(f"Done · {count} of {count} questions solved")
    expect(phone.locator(".map .done")).to_have_count(1)
    expect(phone.get_by_text(f"You have seen 1 of {len(course)} chapters.")).to_be_visible()
    on = phone.get_by_role("link", name=f"Go on: {following.title.en}")
    expect(on).to_have_attribute("href", f"/en/learn/{following.place}/")


def test_one_goes_on_where_one_stopped(phone: Page):
    taught = chapter("changchun/winning-shape")
    first, second, third = taught.steps[:3]
    asked = Asked(phone, first)
    asked.open()
    asked.answer(asked.level.rights[0])
    asked.expect_right()
    for path in ("learn/", "learn/changchun/"):
        visit(phone, f"/en/{path}")
        phone.get_by_role("link", name=f"Go on: {taught.title.en}").tap()
        expect(phone).to_have_url(re.compile(f"/en/learn/{taught.place}/#{second.slug}$"))
        expect(phone.locator(f"#{second.slug} h2")).to_be_in_viewport()
    # A question that was tried and not solved is where one stopped.
    tried = Asked(phone, third)
    tried.answer(a_wrong_answer(tried.level))
    expect(tried.feedback).to_be_visible()
    visit(phone, "/en/learn/changchun/")
    expect(phone.locator(".map .begun")).to_have_count(1)
    phone.get_by_role("link", name=f"Go on: {taught.title.en}").tap()
    expect(phone).to_have_url(re.compile(f"#{third.slug}$"))


def test_the_other_language_shows_the_same_progress(phone: Page):
    asked = Asked(phone, step("changsha/small-win#sets-and-pair"))
    asked.open()
    asked.answer(asked.level.rights[0])
    expect(asked.mark).to_contain_text("solved")
    count = len(chapter("changsha/small-win").levels)
    phone.locator("#language a").tap()
    expect(phone.locator("html")).to_have_attribute("lang", "zh-hans")
    expect(phone.locator("h1")).to_contain_text(chapter("changsha/small-win").title.zh)
    counted = re.compile(rf"1\D+{count}|{count}\D+1")
    expect(asked.tally).to_have_text(counted)
    expect(asked.mark).to_contain_text("✓")
    phone.locator(".crumbs a").last.tap()
    expect(phone.locator(".map .begun .counted")).to_have_text(counted)


def test_back_from_a_chapter_leads_to_a_map_that_knows_what_was_done(phone: Page):
    taught = chapter("changsha/small-win")
    for solved, each in enumerate(taught.levels[:2], 1):
        asked = Asked(phone, each)
        visit(phone, "/en/learn/changsha/")
        phone.get_by_role("link", name=taught.title.en).last.tap()
        expect(phone).to_have_url(re.compile(f"/en/learn/{taught.place}/"))
        asked.answer(asked.level.rights[0])
        expect(asked.tally).to_contain_text(f"{solved} of ")
        phone.go_back()
        counted = phone.locator(".map .begun .counted")
        expect(counted).to_have_text(f"{solved} of {len(taught.levels)} questions solved")


def test_back_from_a_rule_leads_to_a_chapter_that_knows_what_was_done(phone: Page):
    for solved, each in enumerate(chapter("changsha/small-win").levels[:2], 1):
        asked = Asked(phone, each)
        asked.open()
        asked.answer(asked.level.rights[0])
        expect(asked.mark).to_contain_text("solved")
        phone.locator(f"#{asked.step.slug} .cites a").first.tap()
        expect(phone).to_have_url(re.compile("/rules/changsha/"))
        phone.go_back()
        expect(asked.mark).to_contain_text("solved")
        expect(asked.tally).to_contain_text(f"{solved} of ")


def test_what_was_done_is_forgotten_on_request(phone: Page):
    asked = Asked(phone, step("changsha/small-win#sets-and-pair"))
    asked.open()
    asked.answer(asked.level.rights[0])
    expect(asked.mark).to_contain_text("solved")
    visit(phone, "/en/learn/changsha/")
    phone.get_by_role("button", name="Forget everything I have done").tap()
    expect(phone.get_by_text("You have seen")).to_have_count(0)
    expect(phone.get_by_role("link", name="Begin", exact=True)).to_have_count(2)
    asked.open()
    expect(asked.tally).to_contain_text("0 of ")


# Each way of answering


@pytest.mark.parametrize("widget", some_of(ONE_OF_EACH, 0, 3))
def test_by_finger_a_wrong_answer_is_explained_and_a_right_one_praised(phone: Page, widget: str):
    asked = Asked(phone, example(widget))
    asked.open()
    wrong, right = a_wrong_answer(asked.level), asked.level.rights[0]
    asked.answer(wrong)
    asked.expect_wrong(wrong)
    expect(asked.feedback).to_be_focused()
    expect(asked.feedback).to_be_in_viewport()
    asked.answer(right)
    asked.expect_right()
    expect(asked.feedback).to_be_focused()
    expect(asked.feedback).to_be_in_viewport()
    asked.expect_given(right)
    expect(asked.tally).to_contain_text("1 of ")


@pytest.mark.parametrize("widget", some_of(list(WIDGETS), 1, 3))
def test_by_keyboard_a_wrong_answer_is_explained_and_a_right_one_praised(page: Page, widget: str):
    asked = Asked(page, example(widget))
    asked.open()
    wrong, right = a_wrong_answer(asked.level), asked.level.rights[0]
    asked.answer_by_keyboard(wrong)
    asked.expect_wrong(wrong)
    expect(asked.feedback).to_be_focused()
    asked.answer_by_keyboard(right, backwards=True)
    asked.expect_right()
    expect(asked.feedback).to_be_focused()
    asked.expect_given(right)
    expect(asked.mark).to_contain_text("solved")


def test_an_answer_that_is_not_complete_is_asked_for_and_kept(phone: Page):
    for widget in some_of([name for name in ONE_OF_EACH if name not in ("claims", "swap")], 1, 2):
        asked = Asked(phone, example(widget))
        asked.open()
        several = widget in ("numbers", "birds")
        part = frozenset(sorted(asked.level.rights[0])[:1]) if several else frozenset()
        asked.choose(part)
        asked.press(asked.button)
        expect(asked.place.get_by_role("status").locator(".error")).to_be_focused()
        assert asked.given() == set(fields(asked.level, part)), widget
        expect(asked.mark).to_have_text("")


def test_half_an_exchange_is_asked_for_the_other_half_and_kept(phone: Page):
    asked = Asked(phone, example("swap"))
    out = fields(asked.level, asked.level.rights[0])[0]
    asked.open()
    asked.press(asked.label(*out))
    asked.press(asked.button)
    expect(asked.place.get_by_role("status").locator(".error")).to_be_focused()
    assert asked.given() == {out}


def test_a_typed_number_out_of_all_bounds_is_kept_to_be_mended(phone: Page):
    asked = Asked(phone, example("numbers"))
    asked.open()
    strange = frozenset({"0:1234567", "1:2", "2:3", "3:4"})
    asked.answer(strange)
    expect(asked.place.get_by_role("status").locator(".error")).to_contain_text("1234567")
    asked.expect_given(strange)


def test_every_solution_is_shown_and_told_and_not_counted_and_started_over(phone: Page):
    for widget in some_of(ONE_OF_EACH, 0, 2):
        asked = Asked(phone, example(widget))
        asked.open()
        expect(asked.place.get_by_text("Start over")).to_have_count(0)
        asked.press(asked.place.get_by_text("Show the solution"))
        told = asked.place.get_by_role("status").locator(".told")
        expect(told).to_be_focused()
        expect(told.locator(".solution")).to_be_visible()
        for words in stretches(asked.level.done):
            expect(told).to_contain_text(words)
        asked.expect_given(asked.level.rights[0])
        expect(asked.place.get_by_text("Show the solution")).to_have_count(0)
        expect(asked.mark).to_have_text("")
        expect(asked.tally).to_contain_text("0 of ")
        asked.press(asked.place.get_by_text("Start over"))
        expect(asked.feedback).to_have_count(0)
        asked.expect_given(frozenset())


def test_what_is_solved_stays_solved(phone: Page):
    asked = Asked(phone, example("row"))
    asked.open()
    asked.answer(asked.level.rights[0])
    asked.expect_right()
    asked.press(asked.place.get_by_text("Start over"))
    asked.expect_given(frozenset())
    expect(asked.mark).to_contain_text("solved")
    wrong = a_wrong_answer(asked.level)
    asked.answer(wrong)
    asked.expect_wrong(wrong)
    expect(asked.mark).to_contain_text("solved")
    expect(asked.tally).to_contain_text("1 of ")


def test_a_hint_is_there_until_the_answer_is_right(phone: Page):
    asked = Asked(phone, example("group"))
    asked.open()
    hint = asked.place.locator("details")
    expect(hint.locator("p")).to_be_hidden()
    hint.locator("summary").tap()
    expect(hint.locator("p")).to_be_visible()
    asked.answer(asked.level.rights[0])
    asked.expect_right()
    expect(hint).to_have_count(0)


def test_start_over_keeps_the_focus_in_the_question(page: Page):
    asked = Asked(page, example("row"))
    asked.open()
    asked.answer(a_wrong_answer(asked.level))
    asked.tab_to(asked.place.get_by_text("Start over"))
    page.keyboard.press("Enter")
    expect(asked.feedback).to_have_count(0)
    asked.settle()
    assert asked.holds_focus()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_the_dice_are_thrown_again_for_another_question(new_page: Pages, script: bool):
    page = new_page(java_script_enabled=script, **PHONE)
    asked = Asked(page, step("changchun/tiles#second-throw"))
    asked.open()
    asked.press(asked.place.get_by_text("Throw the dice again"))
    expect(asked.place.locator("h3")).to_contain_text("Another throw")
    assert asked.level.again
    asked.level = asked.level.again(int(asked.place.locator("input[name='throw']").get_attribute("value")))
    if script:
        assert asked.holds_focus()
    wrong, right = a_wrong_answer(asked.level), asked.level.rights[0]
    asked.answer(wrong)
    asked.expect_wrong(wrong)
    asked.answer(right)
    asked.expect_right()
    asked.expect_given(right)
    if not script:
        visit(page, page.url)
        asked.expect_right()
    expect(asked.tally).to_contain_text("1 of ")


def test_the_focus_is_always_seen(page: Page):
    for widget in some_of(("row", "choices", "wall", "claims", "numbers", "birds"), 0, 2):
        asked = Asked(page, example(widget))
        asked.open()
        wait_until_drawn(page)
        seen = 0
        for _ in range(60):
            page.keyboard.press("Tab")
            kind, drawn = page.evaluate(
                """() => {
                    const it = document.activeElement;
                    const around = [it, it.nextElementSibling, it.parentElement].filter(Boolean);
                    const isDrawn = e => {
                        const style = getComputedStyle(e);
                        return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
                    };
                    return [it.tagName + " " + it.type, around.some(isDrawn)];
                }"""
            )
            assert drawn, f"{widget}: {kind}"
            seen += asked.holds_focus()
            if seen and not asked.holds_focus():
                break
        assert seen, widget


# Grouping


def test_a_group_made_or_taken_apart_keeps_the_focus_in_the_question(page: Page):
    asked = Asked(page, example("group"))
    asked.open()
    first, second = sorted(asked.level.rights[0])[:2]
    asked.choose_by_keyboard(frozenset({first}))
    asked.tab_to(asked.button)
    page.keyboard.press("Enter")
    asked.expect_groups(1)
    asked.settle()
    assert asked.holds_focus(), "after a group was made"
    asked.choose(frozenset({second}))
    asked.button.click()
    asked.expect_groups(2)
    apart = asked.place.get_by_role("button", name="Take this group apart").first
    apart.focus()
    page.keyboard.press("Enter")
    asked.expect_groups(1)
    asked.settle()
    assert asked.holds_focus(), "after a group was taken apart"


def test_enter_on_a_chosen_tile_takes_no_group_apart(page: Page):
    asked = Asked(page, example("group"))
    asked.open()
    first, second = sorted(asked.level.rights[0])[:2]
    asked.answer(frozenset({first}))
    asked.expect_groups(1)
    asked.choose(frozenset({second}))
    asked.field(*fields(asked.level, frozenset({second}))[0]).press("Enter")
    asked.settle()
    asked.expect_groups(2)


def test_a_group_is_taken_apart_by_a_tap(phone: Page):
    asked = Asked(phone, example("group"))
    asked.open()
    tiles = asked.place.locator(".pick")
    count = tiles.count()
    first, second = sorted(asked.level.rights[0])[:2]
    asked.answer(frozenset({first}))
    asked.expect_groups(1)
    asked.answer(frozenset({second}))
    asked.expect_groups(2)
    asked.press(asked.place.get_by_role("button", name="Take this group apart").first)
    asked.expect_groups(1)
    expect(tiles).to_have_count(count - len(fields(asked.level, frozenset({second}))))


def test_a_common_mistake_in_grouping_is_explained(phone: Page):
    asked = Asked(phone, step("changchun/winning-shape#two-readings"))
    mistake = asked.level.mistakes[0]
    (tempting,) = mistake.holds
    asked.open()
    asked.answer(mistake.holds)
    if not asked.feedback.count():  # told at once, or when the other tiles find no place
        tiles = numbered(asked.level.shown.hand.loose)
        left = [tile for tile in tiles if tile not in numbered(codes(tempting))]
        asked.answer(frozenset({" ".join(left[:2])}))
    for words in stretches(mistake.say):
        expect(asked.place.locator(".wrong")).to_contain_text(words)


def test_what_is_all_grouped_is_not_asked_for_more(phone: Page):
    asked = Asked(phone, example("group"))
    asked.open()
    asked.answer(asked.level.rights[0])
    asked.expect_right()
    expect(asked.button).to_have_count(0)


# Without JavaScript


@pytest.mark.parametrize("widget", some_of([name for name in ONE_OF_EACH if name != "group"], 3, 4))
def test_without_javascript_an_answer_has_an_address_that_shows_it_again(
    plain: Page, new_page: Pages, widget: str
):
    asked = Asked(plain, example(widget))
    wrong, right = a_wrong_answer(asked.level), asked.level.rights[0]
    asked.open()
    asked.answer(wrong)
    asked.expect_wrong(wrong)
    asked.answer(right)
    asked.expect_right()
    expect(asked.tally).to_contain_text("1 of ")
    assert plain.url.endswith(f"#{asked.step.slug}")
    visit(plain, plain.url)
    asked.expect_right()
    asked.expect_given(right)

    other = Asked(new_page(), asked.step)
    other.page.goto(plain.url)
    other.expect_right()
    other.expect_given(right)
    expect(other.tally).to_contain_text("0 of ")

    # The browser itself keeps what is chosen on a page that one goes back to.
    plain.go_back()
    asked.expect_wrong(wrong)


def test_without_javascript_an_answer_that_is_not_complete_is_asked_for_and_kept(plain: Page):
    for widget in ("row", "numbers", "birds"):
        asked = Asked(plain, example(widget))
        asked.open()
        several = widget != "row"
        part = frozenset(sorted(asked.level.rights[0])[:1]) if several else frozenset()
        asked.choose(part)
        asked.press(asked.button)
        expect(asked.place.locator(".error"), widget).to_be_visible()
        assert asked.given() == set(fields(asked.level, part)), widget


def test_without_javascript_a_hand_is_grouped_step_by_step(plain: Page):
    asked = Asked(plain, example("group"))
    groups = sorted(asked.level.rights[0])
    asked.open()
    asked.answer(frozenset(groups[:1]))
    asked.expect_groups(1)
    asked.answer(frozenset(groups[1:2]))
    asked.expect_groups(2)
    plain.go_back()
    asked.expect_groups(1)
    plain.go_forward()
    asked.expect_groups(2)
    asked.place.get_by_role("button", name="Take this group apart").last.tap()
    asked.expect_groups(1)
    for count, group in enumerate(groups[1:], 2):
        asked.answer(frozenset({group}))
        asked.expect_groups(count)
    asked.expect_right()
    expect(asked.tally).to_contain_text("1 of ")


def test_without_javascript_what_is_no_group_is_explained(plain: Page):
    asked = Asked(plain, example("group"))
    asked.open()
    asked.press(asked.button)
    expect(asked.feedback).to_contain_text("Choose the tiles")
    asked.answer(a_wrong_answer(asked.level))
    expect(asked.feedback).to_contain_text("no set")


def test_without_javascript_a_solution_is_shown_and_started_over(plain: Page):
    asked = Asked(plain, example("keys"))
    asked.open()
    asked.place.get_by_text("Show the solution").tap()
    expect(asked.place.locator(".told")).to_be_visible()
    asked.expect_given(asked.level.rights[0])
    asked.place.get_by_text("Start over").tap()
    expect(asked.feedback).to_have_count(0)
    assert asked.given() == set()
    expect(asked.tally).to_contain_text("0 of ")


def test_without_javascript_the_button_for_the_next_chapter_notes_the_reading(plain: Page):
    visit(plain, "/en/learn/changsha/tiles/")
    button = plain.get_by_role("button", name="Next chapter")
    button.scroll_into_view_if_needed()
    button.tap()
    expect(plain).to_have_url(re.compile("/en/learn/changsha/turns/$"))
    visit(plain, "/en/learn/changsha/")
    expect(plain.locator(".map .done")).to_contain_text(chapter("changsha/tiles").title.en)


def test_without_javascript_the_other_language_keeps_the_answer(plain: Page):
    asked = Asked(plain, example("choices"))
    wrong = a_wrong_answer(asked.level)
    asked.open()
    asked.answer(wrong)
    asked.expect_wrong(wrong)
    plain.locator("#language a").tap()
    expect(plain.locator("html")).to_have_attribute("lang", "zh-hans")
    in_chinese = Asked(plain, asked.step, "zh-hans")
    in_chinese.expect_wrong(wrong)
    in_chinese.expect_given(wrong)


# Terms


@in_both_languages
def test_a_tapped_term_opens_its_entry_which_leads_to_the_glossary(phone: Page, language: str):
    visit(phone, f"/{language}/learn/changchun/winning-shape/#pieces")
    term = next(found for found in real_content().terms if found.slug == "triplet")
    named, entry = (
        phone.locator("#pieces .gloss[popovertarget='term-triplet']"),
        phone.locator("#term-triplet"),
    )
    expect(entry).to_be_hidden()
    named.tap()
    expect(entry).to_be_in_viewport(ratio=1)
    expect(entry).to_contain_text(term.name.in_language(language))
    for words in stretches(term.short, language):
        expect(entry).to_contain_text(words)
    entry.get_by_role("button").tap()
    expect(entry).to_be_hidden()
    expect(named).to_be_focused()
    # Another term takes the place of the one that is open; a tap beside it closes it.
    named.tap()
    phone.locator("#pieces .gloss[popovertarget='term-pair']").tap()
    expect(entry).to_be_hidden()
    expect(phone.locator("#term-pair")).to_be_visible()
    phone.locator("#pieces h2").tap()
    expect(phone.locator(":popover-open")).to_have_count(0)
    named.tap()
    entry.get_by_role("link").last.tap()
    expect(phone).to_have_url(re.compile(f"/{language}/glossary/#triplet$"))
    expect(phone.locator("#triplet:target")).to_be_in_viewport()


def test_a_term_is_opened_and_closed_by_keyboard(page: Page):
    asked = Asked(page, step("changchun/winning-shape#pieces"))
    asked.open()
    named, entry = page.locator("#pieces .gloss[popovertarget='term-triplet']"), page.locator("#term-triplet")
    asked.tab_to(named)
    page.keyboard.press("Enter")
    expect(entry).to_be_visible()
    page.keyboard.press("Escape")
    expect(entry).to_be_hidden()
    expect(named).to_be_focused()
    page.keyboard.press("Space")
    expect(entry).to_be_visible()
    asked.tab_to(entry.get_by_role("link").last, at_most=3)
    asked.tab_to(entry.get_by_role("button"), at_most=1)
    page.keyboard.press("Enter")
    expect(entry).to_be_hidden()
    expect(named).to_be_focused()


def test_without_javascript_a_term_opens_too(plain: Page):
    visit(plain, "/en/learn/changchun/winning-shape/#pieces")
    plain.locator("#pieces .gloss").first.tap()
    expect(plain.locator(":popover-open")).to_be_visible()


# Reading


def test_a_chapter_read_to_its_end_is_noted_once(new_context: Contexts):
    phone = new_context(**PHONE).new_page()
    sent = posts(phone)
    visit(phone, "/en/learn/changsha/openings/")
    phone.locator(".step").nth(1).scroll_into_view_if_needed()
    phone.wait_for_timeout(500)
    assert sent == []
    assert phone.context.cookies() == []
    with phone.expect_response(lambda response: response.request.method == "POST") as answered:
        phone.locator("#read").scroll_into_view_if_needed()
    assert answered.value.status == 204
    phone.locator("h1").scroll_into_view_if_needed()
    phone.locator("#read").scroll_into_view_if_needed()
    phone.wait_for_timeout(500)
    assert [request.post_data for request in sent] == ["do=read"]
    visit(phone, "/en/learn/changsha/")
    title = chapter("changsha/openings").title.en
    expect(phone.locator(".map .done")).to_have_count(1)
    expect(phone.locator(".map .done")).to_contain_text(title)


# Two windows, no connection


def test_an_answer_from_an_older_page_loses_nothing(context: BrowserContext, page: Page):
    first, second = chapter("changsha/small-win").levels[:2]
    here, there = Asked(page, first), Asked(context.new_page(), second)
    here.open()
    there.open()
    here.page.bring_to_front()
    here.answer(here.level.rights[0])
    expect(here.tally).to_contain_text("1 of ")
    there.page.bring_to_front()
    there.answer(there.level.rights[0])
    there.expect_right()
    expect(there.tally).to_contain_text("2 of ")
    visit(here.page, here.page.url)
    for slug in (first.slug, second.slug):
        expect(here.page.locator(f"#mark-{slug}")).to_contain_text("solved")


def test_two_answers_on_their_way_at_once_are_both_remembered(page: Page, monkeypatch: pytest.MonkeyPatch):
    """Somebody new is known only once the first answer has come back."""
    both_arrived, one_by_one, note = Barrier(2), Lock(), learners.note

    def note_when_both_arrived(*args: Any, **given: Any) -> None:
        with suppress(BrokenBarrierError):
            both_arrived.wait(timeout=1)
        with one_by_one:
            note(*args, **given)

    monkeypatch.setattr(learners, "note", note_when_both_arrived)
    first, second = (Asked(page, each) for each in chapter("changsha/small-win").levels[1:3])
    first.open()
    first.choose(first.level.rights[0])
    second.choose(second.level.rights[0])
    first.button.click()
    second.button.click()
    first.expect_right()
    second.expect_right()
    visit(page, page.url)
    expect(first.tally).to_contain_text("2 of ")


def test_an_answer_without_a_connection_is_kept_and_can_be_sent_again(phone: Page, faults: list[str]):
    for widget in ("row", "numbers", "group"):
        asked = Asked(phone, example(widget))
        asked.open()
        groups = sorted(asked.level.rights[0])
        if widget == "group":
            asked.answer(frozenset(groups[:1]))
            asked.expect_groups(1)
        chosen = frozenset(groups[1:2]) if widget == "group" else asked.level.rights[0]
        asked.choose(chosen)
        phone.context.set_offline(True)
        asked.press(asked.button)
        assert asked.given() == set(fields(asked.level, chosen))
        expect(asked.feedback).to_have_count(0)
        forgive_disconnection(faults)
        phone.context.set_offline(False)
        asked.press(asked.button)
        if widget == "group":
            asked.expect_groups(2)
        else:
            asked.expect_right()


@in_both_languages
def test_without_a_connection_one_is_told_that_nothing_was_checked(
    phone: Page, faults: list[str], language: str
):
    asked = Asked(phone, example("row"), language)
    asked.open()
    asked.choose(asked.level.rights[0])
    phone.context.set_offline(True)
    told = phone.get_by_role("alert").filter(visible=True)
    expect(told).to_have_count(0)
    for _ in range(2):
        asked.press(asked.button)
        expect(told).to_be_in_viewport()
    expect(told).to_have_text(re.compile("kept" if language == "en" else "[\u4e00-\u9fff]"))
    forgive_disconnection(faults)
    phone.context.set_offline(False)
    asked.press(asked.button)
    asked.expect_right()
    expect(told).to_have_count(0)
    # The next question tells it too.
    other = Asked(phone, step("changchun/tiles#four-players"), language)
    other.choose(other.level.rights[0])
    phone.context.set_offline(True)
    other.press(other.button)
    expect(told).to_be_in_viewport()
    forgive_disconnection(faults)
