"""Every level of the courses: its right answers, its wrong ones, and what the page says to both.

Each answer goes through the page: the form that the page shows is filled in as somebody would, and sent. Keys
that are checks of a hand are compared with the reference, which is no part of the engine.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, pairwise, zip_longest
from typing import Any

import pytest
from django.http import HttpResponse, QueryDict
from django.test import Client
from django.utils import translation

import rules
from rules import Ruleset, Text
from rules.hands import Hand
from rules.verdict import Verdict
from tests import reference
from tests.conftest import real_content
from tests.test_checker_page import FULL_STOP, HAN, HTMX, Element, read
from tests.test_reference import MELD_KINDS
from tests.wrong import likely_answers
from tutor.content import levels
from tutor.content.build import Chapter, Step
from tutor.content.levels import (
    BIRDS,
    CHOICES,
    CLAIMS,
    GROUP,
    HANDS,
    KEYS,
    NUMBERS,
    ROW,
    SWAP,
    WALL,
    Answer,
    Level,
    Mistake,
    numbered,
)
from tutor.content.source import Fault, Node
from tutor.lessons import tries
from tutor.lessons.templatetags.lessons import prose_of
from tutor.people.models import Progress

CHANGCHUN, CHANGSHA = (rules.ruleset(key) for key in ("changchun", "changsha"))
LANGUAGES = ("en", "zh-hans")
RIGHT = {"en": "Right.", "zh-hans": "对了"}
WRONG = {"en": "Not yet.", "zh-hans": "还不对"}

STEPS: dict[str, tuple[Chapter, Step]] = {
    step.place: (chapter, step) for chapter in real_content().chapters for step in chapter.levels
}
ONE_OF_EACH = {(c.game.key, level_of.kind): place for place, (c, s) in STEPS.items() if (level_of := s.level)}
every_level = pytest.mark.parametrize("place", STEPS)
one_of_each_kind = pytest.mark.parametrize("place", ONE_OF_EACH.values())


def level_at(place: str) -> Level:
    level = STEPS[place][1].level
    assert level
    return level


def authored(place: str) -> dict[str, Any]:
    """A level as its author wrote it."""
    chapter, step = STEPS[place]
    steps = real_content().pieces[f"chapter/{chapter.place}"]["steps"]
    level: dict[str, Any] = next(plain["level"] for plain in steps if plain["slug"] == step.slug)
    return level


# Answers


def wrong_answers(level: Level) -> list[Answer]:
    """Different wrong answers that the form of a level can give, those of its mistakes first."""
    found = {}
    for answer in chain(likely_answers(level), more_answers(level)):
        whole = completed(level, answer)
        if not level.is_right(whole) and (whole or level.widget == CLAIMS):
            found[whole] = None
    return list(found)


def more_answers(level: Level) -> Iterator[Answer]:
    """Answers that a level doesn't think of by itself, right ones among them."""
    if level.widget == SWAP:
        hand = level.shown.hand
        for out in dict.fromkeys(hand.loose):
            for into in level.game.tiles.tiles:
                if hand.left(into) and into != out:
                    yield frozenset({f"{out.code}>{into.code}"})
    elif level.kind == "score":
        (total,) = level.rights[0]
        yield from (frozenset({str(int(total) + more)}) for more in (-1, 1, 2) if int(total) + more >= 0)
    else:
        yield from (frozenset({offer.value}) for offer in level.offers)


def completed(level: Level, answer: Answer) -> Answer:
    """An answer as a form gives it: empty fields filled in rightly, tiles that are alike not told apart."""
    if level.widget == ROW:
        return frozenset(numbered(sorted(item.split(".")[0] for item in answer)))
    if level.kind == "payments" or level.widget == BIRDS:
        given = {item.split(":")[0] for item in answer}
        return answer | {item for item in level.nearest(answer) if item.split(":")[0] not in given}
    return answer


def answer_with(level: Level, mistake: Mistake) -> Answer:
    """An answer that makes a mistake."""
    if mistake.holds:
        return completed(level, mistake.holds)
    left = completed(level, level.rights[0] - mistake.misses)
    others = ({offer.value} for offer in level.offers if offer.value not in level.rights[0])
    return left or frozenset(next(others))


@every_level
def test_each_right_answer_is_right_and_any_other_is_wrong_with_a_sentence_in_both_languages(
    place: str,
) -> None:
    level = level_at(place)
    assert level.rights
    assert len(set(level.rights)) == len(level.rights)
    for right in level.rights:
        assert level.is_right(right)
        assert level.many or level.widget == NUMBERS or len(right) == 1
        if level.offers:
            assert right <= {offer.value for offer in level.offers}
    wrong = [*wrong_answers(level), *(m.holds or level.rights[0] - m.misses for m in level.mistakes)]
    is_one_of_two = not level.many and len(level.offers) == 2
    assert len(set(wrong)) >= (1 if is_one_of_two or level.widget == GROUP else 2)
    for answer in wrong:
        assert not level.is_right(answer)
        said = level.why_wrong(answer)
        assert said
        for sentence in said:
            assert sentence.en.strip()
            assert not FULL_STOP.search(sentence.en)
            assert HAN.search(sentence.zh)


@every_level
def test_no_mistake_is_made_by_a_right_answer_and_each_is_answered_with_its_own_words(place: str) -> None:
    level = level_at(place)
    assert level.mistakes
    for mistake in level.mistakes:
        assert not any(mistake.is_made(right) for right in level.rights)
        answer = answer_with(level, mistake)
        assert mistake.is_made(answer)
        first = next(m for m in level.mistakes if m.is_made(answer))
        expected = mistake if mistake.holds else first
        assert expected.say in level.why_wrong(answer)


# The page


def address(place: str, language: str = "en") -> str:
    chapter, _, _ = place.partition("#")
    return f"/{language}/learn/{chapter}/"


def tree_of(response: HttpResponse) -> Element:
    assert response.status_code == 200
    return read(response.content.decode())


def form_in(tree: Element, place: str) -> Element:
    """The form of a level on a page, or alone."""
    (form,) = tree.by_id(f"level-{place.partition('#')[2]}").all("form")
    return form


def fresh_form(client: Client, place: str, language: str = "en") -> Element:
    """The form of a level that nothing was answered to yet."""
    slug = place.partition("#")[2]
    return form_in(tree_of(client.get(address(place, language), {"step": slug}, headers=HTMX)), place)


def said(tree: Element, place: str) -> str:
    """What the page says to the answer of a level."""
    (status,) = [e for e in form_in(tree, place) if e.get("role") == "status"]
    return status.text


def sent(form: Element) -> dict[str, list[str]]:
    """What a form sends as it stands, with its button; without one, where a press of two is the answer."""
    data: dict[str, list[str]] = {}
    for field in form.all("input"):
        chosen = field.get("type") not in ("radio", "checkbox") or "checked" in field.attributes
        if chosen and (field.get("type") == "hidden" or field.get("value")):
            data.setdefault(field["name"], []).append(field["value"])
    names = {button["name"] for button in form.all("button") if button.get("value") == "answer"}
    if form.all("div", "one-tap"):
        assert not names
        return data
    (name,) = names
    return data | {name: ["answer"]}


def filled(form: Element, level: Level, answer: Answer) -> dict[str, list[str]]:
    """What a form sends when this answer is given in it: all of it must be there to choose or to fill in."""
    data = sent(form)

    def choose(name: str, value: str, kind: str) -> None:
        # Equal tiles of a hand are told apart by nothing: the first will do.
        field = next(f for f in form.field(name) if f["value"] == value)
        assert field["type"] == kind
        data.setdefault(name, []).append(value)

    kind = "checkbox" if level.many else "radio"
    if form.all("div", "one-tap"):
        (value,) = answer
        (button,) = (b for b in form.all("div", "one-tap")[0].all("button") if b["value"] == value)
        assert button["type"] == "submit"
        data[button["name"]] = [value]
    elif level.widget in (ROW, KEYS, CHOICES, HANDS, CLAIMS, WALL):
        for value in sorted(answer):
            choose("a", value, kind)
    elif level.widget == SWAP:
        (swap,) = answer
        out, _, into = swap.partition(">")
        choose("out", out, "radio")
        choose("in", into, "radio")
    elif level.widget == BIRDS:
        for item in sorted(answer):
            number, _, seat = item.partition(":")
            choose(f"n{number}", seat, "radio")
    elif level.widget == NUMBERS:
        for item in sorted(answer):
            number, _, value = item.rpartition(":")
            (field,) = form.field(f"n{number or 0}")
            assert field["type"] == "number"
            data[field["name"]] = [value]
    return data


def post(client: Client, form: Element, data: dict[str, list[str]], *, with_htmx: bool) -> HttpResponse:
    """Sends a form as a browser does, with htmx or without."""
    target = form["action"].partition("#")[0]
    assert form["method"] == "post"
    assert form["hx-post"] == target
    return client.post(target, data, headers=HTMX if with_htmx else {})


def answered(client: Client, form: Element, place: str, answer: Answer, *, with_htmx: bool) -> Element:
    """What a visitor sees after an answer was given in a form: the level, or its page."""
    level = level_at(place)
    if level.widget == GROUP:
        return grouped(client, form, place, [g.split(".")[0] for g in sorted(answer)], with_htmx=with_htmx)
    response = post(client, form, filled(form, level, answer), with_htmx=with_htmx)
    return shown_after(client, response, place, with_htmx=with_htmx)


def shown_after(client: Client, response: HttpResponse, place: str, *, with_htmx: bool) -> Element:
    if with_htmx:
        return tree_of(response)
    assert response.status_code == 303
    leads, _, fragment = response["Location"].partition("#")
    assert fragment == place.partition("#")[2]
    assert leads.startswith(f"{form_address(place, leads)}?step={fragment}")
    return tree_of(client.get(leads))


def form_address(place: str, leads: str) -> str:
    return address(place, leads.split("/")[1])


def grouped(client: Client, form: Element, place: str, groups: list[str], *, with_htmx: bool) -> Element:
    """Groups tiles set by set, as somebody would who presses the button after each."""
    tree = form
    for n, group in enumerate(groups):
        tree = group_chosen(client, form, place, group, with_htmx=with_htmx)
        if n + 1 < len(groups):
            assert said(tree, place) == ""
            form = form_in(tree, place)
    return tree


def group_chosen(client: Client, form: Element, place: str, group: str, *, with_htmx: bool) -> Element:
    data = sent(form)
    left = [field["value"] for field in form.field("t")]
    for code in [f"{rank}{group[-1]}" for rank in group[:-1]] if group[-1] in "mps" else list(group):
        value = next(v for v in left if v.split(".")[0] == code)
        left.remove(value)
        data.setdefault("t", []).append(value)
    return shown_after(client, post(client, form, data, with_htmx=with_htmx), place, with_htmx=with_htmx)


def words_of(text: Text, game: Ruleset, language: str) -> str:
    """A sentence as the page shows it."""
    with translation.override(language):
        return read(prose_of(text, game)).text


def no_sets(level: Level) -> list[str]:
    """Two groups of a hand that are no set and no pair."""
    tiles = sorted(set(level.shown.hand.loose))
    return [rules.notation.write_tiles(pair) for pair in pairwise(tiles) if pair[0].suit == pair[1].suit][:2]


@every_level
def test_the_solution_given_in_the_form_is_right_and_is_remembered(
    client: Client, shelved: None, place: str
) -> None:
    level, chapter, slug = level_at(place), STEPS[place][0], place.partition("#")[2]
    for right, language in zip_longest(level.rights[:3], LANGUAGES, fillvalue=None):
        right, language = right or level.rights[0], language or "en"
        form = fresh_form(client, place, language)
        tree = answered(client, form, place, right, with_htmx=True)
        assert said(tree, place).startswith(RIGHT[language])
        assert words_of(level.done, chapter.game, language) in said(tree, place)
        assert tree.by_id(f"mark-{slug}").text.startswith("✓")
        assert sorted(re.findall(r"\d+", tree.by_id("tally").text)) == sorted(["1", str(len(chapter.levels))])
    assert list(Progress.objects.values_list("place", "is_done")) == [(place, True)]


@every_level
def test_wrong_answers_given_in_the_form_are_told_why(client: Client, shelved: None, place: str) -> None:
    level, game = level_at(place), STEPS[place][0].game
    if level.widget == GROUP:
        tried: list[Any] = no_sets(level)
    else:
        tried = [a for m in level.mistakes if (a := answer_with(level, m))]
        tried += [a for a in wrong_answers(level) if a not in tried][: max(1, 2 - len(tried))]
    assert len(set(tried)) >= (1 if not level.many and len(level.offers) == 2 else 2)
    for language, answers in (("en", tried), ("zh-hans", tried[:1])):
        form = fresh_form(client, place, language)
        for answer in answers:
            if level.widget == GROUP:
                tree = group_chosen(client, form, place, answer, with_htmx=True)
                why = levels.no_set(level.game, answer, is_alone=True)
                expected = [why] if why else []
            else:
                tree = answered(client, form, place, answer, with_htmx=True)
                expected = list(level.why_wrong(answer))
            told = said(tree, place)
            assert told.startswith(WRONG[language])
            assert expected
            for sentence in expected:
                assert words_of(sentence, game, language) in told
            assert words_of(level.done, game, language) not in told
    assert list(Progress.objects.values_list("place", "is_done")) == [(place, False)]


@one_of_each_kind
@pytest.mark.parametrize("language", LANGUAGES)
def test_without_javascript_a_right_answer_leads_to_an_address_that_says_so_again(
    client: Client, shelved: None, place: str, language: str
) -> None:
    level = level_at(place)
    page = tree_of(client.get(address(place, language)))
    assert said(page, place) == ""
    tree = answered(client, form_in(page, place), place, level.rights[0], with_htmx=False)
    assert said(tree, place).startswith(RIGHT[language])
    assert tree.by_id(f"mark-{place.partition('#')[2]}").text.startswith("✓")
    others = [s.place for s in STEPS[place][0].levels if s.place != place]
    assert {said(tree, other) for other in others} == {""}
    assert len(tree.all("h1")) == 1
    assert list(Progress.objects.values_list("place", "is_done")) == [(place, True)]


@pytest.mark.parametrize("place", [p for p in ONE_OF_EACH.values() if level_at(p).widget != GROUP])
@pytest.mark.parametrize("language", LANGUAGES)
def test_without_javascript_a_wrong_answer_leads_to_an_address_that_says_why_and_keeps_it(
    client: Client, shelved: None, place: str, language: str
) -> None:
    level, game = level_at(place), STEPS[place][0].game
    answer = wrong_answers(level)[LANGUAGES.index(language) % len(wrong_answers(level))]
    form = fresh_form(client, place, language)
    data = filled(form, level, answer)
    tree = shown_after(client, post(client, form, data, with_htmx=False), place, with_htmx=False)
    assert said(tree, place).startswith(WRONG[language])
    for sentence in level.why_wrong(answer):
        assert words_of(sentence, game, language) in said(tree, place)
    kept = sent(form_in(tree, place))
    assert {k: set(v) for k, v in kept.items()} == {k: set(v) for k, v in data.items()}
    assert list(Progress.objects.values_list("place", "is_done")) == [(place, False)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_javascript_a_wrong_group_is_told_why_too(
    client: Client, shelved: None, language: str
) -> None:
    place = next(place for place in STEPS if level_at(place).widget == GROUP)
    form = fresh_form(client, place, language)
    for group in no_sets(level_at(place)):
        with_htmx = said(group_chosen(client, form, place, group, with_htmx=True), place)
        assert with_htmx.startswith(WRONG[language])
        assert said(group_chosen(client, form, place, group, with_htmx=False), place) == with_htmx
    nothing = shown_after(client, post(client, form, sent(form), with_htmx=False), place, with_htmx=False)
    assert (
        said(nothing, place)
        == {"en": "Choose the tiles of one set or the pair.", "zh-hans": "先选出一组牌。"}[language]
    )


@pytest.mark.parametrize("place", [place for place in STEPS if level_at(place).widget == GROUP])
def test_a_mistake_in_grouping_is_answered_with_the_author_s_words(
    client: Client, shelved: None, place: str
) -> None:
    """At the latest when what is left over makes no set."""
    level, game = level_at(place), STEPS[place][0].game
    for mistake in (mistake for mistake in level.mistakes if mistake.holds):
        groups = [group.split(".")[0] for group in sorted(mistake.holds)]
        form, heard = fresh_form(client, place), ""
        for group in groups:
            tree = group_chosen(client, form, place, group, with_htmx=True)
            form, heard = form_in(tree, place), said(tree, place)
        for pair in pairwise(tries.left_of(level.shown.hand.loose, groups) or ()):
            if pair[0] != pair[1] and pair[0].suit == pair[1].suit:
                group = rules.notation.write_tiles(pair)
                heard += said(group_chosen(client, form, place, group, with_htmx=True), place)
        assert words_of(mistake.say, game, "en") in heard


@pytest.mark.parametrize("place", [p for p in STEPS if level_at(p).widget == NUMBERS][::6])
def test_a_number_may_have_a_nought_before_it(client: Client, shelved: None, place: str) -> None:
    form, level = fresh_form(client, place), level_at(place)
    data = filled(form, level, level.rights[0])
    numbers = {
        name: [re.sub(r"^(-?)(\d+)$", r"\g<1>0\2", v[0])] for name, v in data.items() if name[0] == "n"
    }
    assert numbers
    assert said(tree_of(post(client, form, {**data, **numbers}, with_htmx=True)), place).startswith("Right.")


@one_of_each_kind
def test_the_solution_is_shown_to_whoever_asks_and_counts_for_nothing(
    client: Client, shelved: None, place: str
) -> None:
    level, game = level_at(place), STEPS[place][0].game
    for language, headers in (("en", {}), ("zh-hans", HTMX)):
        (link,) = [a for a in fresh_form(client, place, language).all("a") if "show=solution" in a["href"]]
        leads = link["hx-get"] if headers else link["href"].partition("#")[0]
        tree = tree_of(client.get(leads, headers=headers))
        assert words_of(level.done, game, language) in said(tree, place)
        assert not said(tree, place).startswith(RIGHT[language])
        shown = form_in(tree, place)
        if level.widget == GROUP:
            groups = {field["value"].split(".")[0] for field in shown.field("a")}
            assert groups == {group.split(".")[0] for group in level.rights[0]}
        else:
            whole = filled(fresh_form(client, place, language), level, level.rights[0])
            assert {k: set(v) for k, v in sent(shown).items()} == {k: set(v) for k, v in whole.items()}
    assert not Progress.objects.exists()


def test_every_level_of_the_content_files_is_tried() -> None:
    chapters = {
        place: plain for place, plain in real_content().pieces.items() if place.startswith("chapter/")
    }
    written = {
        f"{place.removeprefix('chapter/')}#{step['slug']}"
        for place, chapter in chapters.items()
        for step in chapter["steps"]
        if "level" in step
    }
    assert set(STEPS) == written
    assert len(written) > 150


def test_every_way_to_answer_and_every_kind_is_tried() -> None:
    found = [level_at(place) for place in STEPS]
    assert {level.widget for level in found} == {
        ROW,
        KEYS,
        SWAP,
        CHOICES,
        HANDS,
        CLAIMS,
        WALL,
        BIRDS,
        NUMBERS,
        GROUP,
    }
    # Two kinds are asked by puzzles alone.
    assert {level.kind for level in found} == set(levels.KINDS) - {"can-win", "which-game"}


# The same keys by the reference

OWN_KINDS = {made: name for name, made in MELD_KINDS.items()}


def codes(hand: Hand) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """A hand's tiles and melds as the reference takes them, its winning tile apart."""
    melds = [(OWN_KINDS[meld.kind, meld.concealed], [t.code for t in meld.tiles]) for meld in hand.melds]
    return [tile.code for tile in hand.concealed], melds


def by_reference(verdict: Verdict, concealed: list[str], winning: str | None) -> dict[str, Any]:
    """What the reference says of tiles beside a hand's melds, under its circumstances and house rules."""
    how, game = verdict.circumstances, verdict.ruleset
    known = reference.HOUSE_RULES[game.key]
    said: dict[str, Any] = reference.judge(
        game.key,
        concealed,
        codes(verdict.hand)[1],
        winning,
        by=how.by,
        seat=how.seat,
        listening=how.listening,
        bao=how.bao.code if how.bao else None,
        moments=how.moments,
        options={key: value for key, value in game.house.chosen.items() if key in known},
    )
    return said


def meets(said: dict[str, Any], goal: dict[str, Any]) -> bool:
    """Whether the reference finds a goal met."""
    total = said["fan"] if said["fan"] is not None else said["big_wins"]
    tests = {
        "state": lambda wanted: said["state"] == wanted,
        "has": lambda wanted: set(wanted) <= set(said["patterns"]),
        "lacks": lambda wanted: not set(wanted) & set(said["patterns"]),
        "fan": lambda wanted: said["fan"] == int(wanted),
        "big_wins": lambda wanted: said["big_wins"] == int(wanted),
        "at_least": lambda wanted: (total or 0) >= int(wanted),
    }
    return all(tests[key](wanted) for key, wanted in goal.items())


def copies(verdict: Verdict) -> Counter[str]:
    return Counter(tile.code for tile in verdict.hand.tiles)


def waits_key(place: str) -> set[Answer]:
    verdict = level_at(place).shown
    return {frozenset(by_reference(verdict, codes(verdict.hand)[0], None)["waits"])}


def complete_key(place: str) -> set[Answer]:
    verdict, goal = level_at(place).shown, authored(place).get("goal", {"state": "win"})
    concealed, held = codes(verdict.hand)[0], copies(verdict)
    tiles = [tile for tile in reference.TILES[verdict.ruleset.key] if held[tile] < 4]
    return {frozenset({t}) for t in tiles if meets(by_reference(verdict, concealed, t), goal)}


def discard_key(place: str) -> set[Answer]:
    verdict = level_at(place).shown
    tiles = [tile.code for tile in verdict.hand.loose]
    rests = {tile: reference.without(tiles, [tile]) for tile in tiles}
    return {
        frozenset({t}) for t, rest in rests.items() if by_reference(verdict, rest, None)["state"] == "ready"
    }


def which_key(place: str) -> set[Answer]:
    goal, found = authored(place)["goal"], set()
    for offer in level_at(place).offers:
        verdict = offer.verdict
        assert verdict
        winning = verdict.hand.winning
        said = by_reference(verdict, codes(verdict.hand)[0], winning.code if winning else None)
        if meets(said, goal):
            found.add(offer.value)
    return {frozenset(found)}


def clause_key(place: str) -> set[Answer]:
    verdict = level_at(place).shown
    winning = verdict.hand.winning
    said = by_reference(verdict, codes(verdict.hand)[0], winning.code if winning else None)
    return {frozenset({key}) for key in said["fails"]}


def pair_key(place: str) -> set[Answer]:
    verdict = level_at(place).shown
    winning = verdict.hand.winning
    said = by_reference(verdict, codes(verdict.hand)[0], winning.code if winning else None)
    readings = [r for r in said["readings"] if not r[2]] or said["readings"]
    return {frozenset({pair[1:] if len(pair) == 3 else pair[0]}) for _, pair, _ in readings if pair}


def exchange_key(place: str) -> set[Answer]:
    verdict, goal = level_at(place).shown, authored(place).get("goal", {"state": "win"})
    hand, found = verdict.hand, set()
    concealed, held = codes(hand)[0], copies(verdict)
    own = hand.winning.code if hand.winning else None
    for into in reference.TILES[verdict.ruleset.key]:
        for out in {tile.code for tile in hand.loose} - {into}:
            if held[into] == 4:
                continue
            made = []
            if out in concealed:
                made.append(([*reference.without(concealed, [out]), into], own))
            if out == own:
                made.append((concealed, into))
            if any(meets(by_reference(verdict, tiles, winning), goal) for tiles, winning in made):
                found.add(frozenset({f"{out}>{into}"}))
    return found


def group_key(place: str) -> set[Answer]:
    verdict = level_at(place).shown
    winning = verdict.hand.winning
    said = by_reference(verdict, codes(verdict.hand)[0], winning.code if winning else None)
    readings = [r for r in said["readings"] if not r[2]] or said["readings"]
    concealed = [([s for s in sets if s[0] not in "([{"], pair) for sets, pair, _ in readings]
    return {frozenset(numbered(sorted([*sets, *([pair] if pair else [])]))) for sets, pair in concealed}


KEYS_BY_REFERENCE = {
    "waits": waits_key,
    "complete": complete_key,
    "discard": discard_key,
    "which": which_key,
    "clause": clause_key,
    "pair": pair_key,
    "exchange": exchange_key,
    "group": group_key,
}


@pytest.mark.parametrize("place", [p for p in STEPS if level_at(p).kind in KEYS_BY_REFERENCE])
def test_the_key_of_a_level_that_checks_hands_is_the_reference_s_own(place: str) -> None:
    level = level_at(place)
    key = KEYS_BY_REFERENCE[level.kind](place)
    if key == {frozenset({"shape"})}:
        # Without a shape the reference says nothing else; the engine says all that it can tell.
        assert frozenset({"shape"}) in level.rights
    else:
        assert set(level.rights) == key


# What the engine says to a wrong answer, kind by kind

BOTH = {"en": "Words.", "zh": "话。"}


def made(game: Ruleset, around: dict[str, str] | None = None, /, **fields: Any) -> Level:
    """A level with these fields; its mistake is one that hardly anybody makes."""
    hard = [{"answer": MISTAKES.get(fields["kind"], ""), "say": BOTH}]
    plain = {"prompt": BOTH, "done": BOTH, "mistakes": hard, **fields}
    return levels.level(Node.of(plain), game, around or {})


# An answer that the levels below can be given, that is wrong, and that is not tried.
MISTAKES = {
    "pick": "1m 9m",
    "complete": "1p",
    "waits": "1m 2m 3m 4m",
    "discard": "2m",
    "exchange": "1m>1m",
    "group": "12m 13m",
    "clause": "shape",
    "which": "1 2 3",
    "openings": "sixi banbanhu",
    "claim": "1:hu 1:peng",
    "wall": "0:1",
    "birds": "0:0 0:1",
    "payments": "0:99",
    "score": "99",
    "choice": "7",
    "pair": "2m",
}

READY = "2345m 456p 111s EEE"
CHI = {"tile": "5m", "from": "0", "hands": {"1": "46m 258p 147s ESWCF", "2": "55m 258p 147s ESWCF"}}


@pytest.mark.parametrize(
    ("game", "fields", "rights", "wrong", "english", "chinese"),
    [
        (
            CHANGCHUN,
            {"kind": "complete", "hand": "123m 45556p 78s SSS"},
            None,
            ["7s"],
            "With 7条 it doesn't win: ",
            "来7条，还不能胡：",
        ),
        (
            CHANGCHUN,
            {"kind": "waits", "hand": "23456m 555p 77888s"},
            ["1m"],
            ["1m", "4m"],
            "With 4万 it doesn't win: there is no 1 or 9",
            "来4万，还不能胡：",
        ),
        (
            CHANGCHUN,
            {"kind": "waits", "hand": "1111m 456p 789s EEE"},
            None,
            ["1m"],
            "The hand itself holds all four 1万.",
            "四张1万都在自己手里了。",
        ),
        (
            CHANGCHUN,
            {"kind": "discard", "hand": "23456m 555p 77888s 9p"},
            ["9p"],
            ["8s"],
            "Without 8条: ",
            "打掉8条：",
        ),
        (
            CHANGCHUN,
            {"kind": "exchange", "hand": "234m 567p 345888s 6p E"},
            None,
            ["6p>9m"],
            "With 9万 for 6饼 it doesn't win: ",
            "6饼换成9万，还不能胡：",
        ),
        (
            CHANGCHUN,
            {"kind": "exchange", "hand": "1111m 456p 789s EE 33s"},
            None,
            ["3s>1m"],
            "There are only four of each tile.",
            "每种牌只有四张。",
        ),
        (
            CHANGCHUN,
            {"kind": "clause", "hand": "234m 678p 567s 345s EE"},
            ["triplet"],
            ["terminal-or-honor"],
            "East",
            "东",
        ),
        (
            CHANGCHUN,
            {"kind": "pair", "hand": "123m 45556p 789s SSS"},
            ["5p"],
            ["1m"],
            "The hand has only one 1万.",
            "1万只有一张，成不了对。",
        ),
        (
            CHANGCHUN,
            {"kind": "pair", "hand": "123m 45556p 789s SSS"},
            ["5p"],
            ["S"],
            "Take two South (南) out as the pair, and the rest doesn't fall into sets.",
            "拿南风做对，剩下的牌凑不成组。",
        ),
        (
            CHANGCHUN,
            {
                "kind": "pair",
                "hand": "22m 333444555p 999s",
                "mistakes": [{"answer": "4p", "say": BOTH}],
            },
            None,
            ["3p"],
            "Take two 3饼 out as the pair",
            "拿3饼做对",
        ),
        (
            CHANGSHA,
            {
                "kind": "which",
                "hands": [{"hand": "123m 11456p 67789s +8s"}, {"hand": "12355m 45678p 789s +9p"}],
                "goal": {"state": "win"},
                "mistakes": [{"answer": "1", "say": BOTH}],
            },
            ["2"],
            ["1", "2"],
            "Hand 1: it doesn't win: the pair must be 2, 5 or 8",
            "第1手还不能胡：",
        ),
        (
            CHANGSHA,
            {"kind": "openings", "deal": "2222m 13579p 1479s"},
            ["sixi"],
            ["sixi", "liuliushun"],
            "No liuliushun here: that would be “three alike, twice”.",
            "这手没有六六顺。六六顺是：",
        ),
        (
            CHANGCHUN,
            {"kind": "claim", "gets": CHI},
            ["2:peng"],
            ["1:chi"],
            "could chi, but another claim comes first.",
            "可以吃，但是轮不到：有人比这优先。",
        ),
        (
            CHANGCHUN,
            {"kind": "claim", "gets": CHI},
            ["2:peng"],
            ["1:hu"],
            "5万 doesn't complete the hand of the next player.",
            "5万凑不成下家的牌。",
        ),
        (
            CHANGSHA,
            {"kind": "birds", "birds": ["5m", "2p"]},
            ["0:0", "1:1"],
            ["0:2", "1:1"],
            "5万 doesn't fall there.",
            "5万不落在那里。",
        ),
        (
            CHANGCHUN,
            {"kind": "payments", "settle": {"wins": [{"seat": "2", "from": "1", "fan": "4"}]}},
            ["0:0", "1:-4", "2:4", "3:0"],
            ["0:-4", "1:-4", "2:4", "3:0"],
            "These are wrong: the dealer.",
            "这几家不对：庄家。",
        ),
        (
            CHANGCHUN,
            {"kind": "score", "hand": "123m 456p 789s EEE 5p +5p", "by": "self-draw", "seat": "0"},
            ["5"],
            ["4"],
            "Too few: something that pays is not counted yet.",
            "少了：",
        ),
        (
            CHANGCHUN,
            {"kind": "score", "hand": "123m 456p 789s EEE 5p +5p", "by": "self-draw", "seat": "0"},
            ["5"],
            ["6"],
            "Too many: something is counted that isn't there.",
            "多了：",
        ),
        (
            CHANGCHUN,
            {"kind": "pick", "tiles": "19m 5p EC", "are": "honors"},
            ["C", "E"],
            ["E"],
            "All of these are right, but there is one more.",
            "选的都对，不过还差1个。",
        ),
        (
            CHANGCHUN,
            {
                "kind": "pick",
                "tiles": "1m 2m 9m 19p",
                "are": "terminals",
                "mistakes": [{"answer": "2m", "say": BOTH}],
            },
            ["1m", "1p", "9m", "9p"],
            ["1m"],
            "All of these are right, but there are 3 more.",
            "选的都对，不过还差3个。",
        ),
        (
            CHANGCHUN,
            {
                "kind": "choice",
                "ask": "reserve",
                "given": {"gangs": "2"},
                "options": [{"answer": "8"}, {"answer": "7"}, {"answer": "9"}],
            },
            ["8"],
            ["9"],
            "Look once more.",
            "再看看。",
        ),
        (
            CHANGCHUN,
            {"kind": "wall", "find": "break", "wall": {"first": "3 4", "second": "2 5"}},
            ["2:8"],
            ["2:7"],
            "One stack off: see where the count begins.",
            "差一墩：看看从哪儿数起。",
        ),
        (
            CHANGCHUN,
            {"kind": "group", "hand": "123m 45556p 789s SSS"},
            None,
            ["12m", "345p", "556p", "789s", "SSS", "3m"],
            "1万 and 2万: no set.",
            "1万和2万不成一组。",
        ),
        (
            CHANGCHUN,
            {"kind": "group", "hand": "11123m 456p 789s EEE"},
            None,
            ["111m", "23m", "456p", "789s", "EEE"],
            "1万, 1万 and 1万 can stand together, but then the other tiles don't all find a place.",
            "能放在一起，可是这样剩下的牌就凑不齐了。",
        ),
    ],
)
def test_the_engine_says_why_an_answer_is_wrong(
    game: Ruleset,
    fields: dict[str, Any],
    rights: list[str] | None,
    wrong: list[str],
    english: str,
    chinese: str,
) -> None:
    level = made(game, **fields)
    if rights:
        assert level.rights == (frozenset(rights),)
    answer = frozenset(wrong)
    assert not level.is_right(answer)
    told = level.why_wrong(answer)
    assert english in " ".join(text.en for text in told)
    assert chinese in " ".join(text.zh for text in told)


def test_the_author_s_words_on_a_mistake_come_before_the_engine_s() -> None:
    first, second = {"en": "First.", "zh": "一。"}, {"en": "Second.", "zh": "二。"}
    level = made(
        CHANGCHUN,
        kind="waits",
        hand="23456m 555p 77888s",
        mistakes=[
            {"missing": "1m", "say": first},
            {"answer": "4m", "say": second},
            {"answer": "4m 7m", "say": BOTH},
        ],
    )
    assert level.why_wrong(frozenset({"4m"}))[0].en == "Second."
    assert [text.en for text in level.why_wrong(frozenset({"4m", "7m"}))][:2] == ["Second.", "Words."]
    assert level.why_wrong(frozenset({"9p"}))[0].en == "First."
    assert "First." not in [text.en for text in level.why_wrong(frozenset({"1m", "9p"}))]


def test_a_wrong_answer_is_compared_with_the_right_one_that_it_comes_nearest_to() -> None:
    level = made(CHANGCHUN, kind="group", hand="22m 333444555p 999s")
    rows = frozenset({"345p", "345p.2", "345p.3", "99s", "22m"})
    assert len(level.rights) == 2
    assert level.nearest(rows) >= {"345p", "345p.2", "345p.3"}
    assert all("3饼" not in text.en for text in level.why_wrong(rows))


def test_a_hand_is_grouped_in_any_way_that_wins_or_in_any_way_where_none_does() -> None:
    both = made(CHANGSHA, kind="group", hand="222333444m 55p 678s")
    rows = frozenset({"234m", "234m.2", "234m.3", "55p", "678s"})
    assert set(both.rights) == {frozenset({"222m", "333m", "444m", "55p", "678s"}), rows}
    # Changchun asks for a triplet, so here the sequences are no win.
    one = made(CHANGCHUN, kind="group", hand="111222333m 456p 77s")
    assert one.rights == (frozenset({"111m", "222m", "333m", "456p", "77s"}),)
    none = made(CHANGSHA, kind="group", hand="123m 11456p 678789s")
    assert none.rights == (frozenset({"123m", "456p", "678s", "789s", "11p"}),)


@pytest.mark.parametrize(
    ("fields", "goal", "rights"),
    [
        ({"kind": "complete", "hand": "2233445566778m"}, None, "2m 5m 8m"),
        ({"kind": "complete", "hand": "2233445566778m"}, {"big_wins": "2"}, "8m"),
        ({"kind": "complete", "hand": "2233445566778m"}, {"has": ["qidui"]}, "8m"),
        ({"kind": "complete", "hand": "2233445566778m"}, {"state": "win", "lacks": ["qidui"]}, "2m 5m"),
        ({"kind": "exchange", "hand": "223344m 556677m 8m 1p"}, None, "1p>2m 1p>5m 1p>8m 8m>1p"),
        ({"kind": "exchange", "hand": "223344m 556677m 8m 1p"}, {"at_least": "2"}, "1p>8m"),
        ({"kind": "exchange", "hand": "222m 555m 888p 12p 555s"}, {"has": ["pengpenghu"]}, "1p>2p 2p>1p"),
    ],
)
def test_a_goal_asks_for_more_than_any_win(
    fields: dict[str, Any], goal: dict[str, Any] | None, rights: str
) -> None:
    mistakes = [{"answer": "1m>9m" if fields["kind"] == "exchange" else "1m", "say": BOTH}]
    level = made(CHANGSHA, **fields, mistakes=mistakes, **({"goal": goal} if goal else {}))
    assert set(level.rights) == {frozenset({item}) for item in rights.split()}


def test_any_reading_s_pair_will_do_where_no_reading_wins() -> None:
    level = made(CHANGSHA, kind="pair", hand="123m 11456p 678789s")
    assert level.rights == (frozenset({"1p"}),)


def test_a_level_is_judged_under_the_house_rules_around_it_and_its_own() -> None:
    fields = {"kind": "clause", "hand": "234m 567p 678s 345s CC"}
    strict = {"dragon-pair-waives-triplet": "no"}
    assert made(CHANGCHUN, strict, **fields).rights == (frozenset({"triplet"}),)
    assert made(CHANGCHUN, **fields, options=strict).rights == (frozenset({"triplet"}),)
    with pytest.raises(Fault, match="the hand must be not-win, and is win"):
        made(CHANGCHUN, **fields)


def test_statements_are_true_where_their_claims_hold() -> None:
    hand = "123m 456p 789s EEE 55p"
    level = made(
        CHANGCHUN,
        kind="choice",
        options=[
            {"words": BOTH, "claim": {"hand": hand, "is": {"state": "win"}}},
            {"words": BOTH, "claim": {"hand": hand, "is": {"state": "not-win"}}},
            {"words": BOTH, "claim": {"ask": "reserve", "given": {"gangs": "2"}, "is": "8"}},
            {"words": BOTH, "claim": {"ask": "reserve", "given": {"gangs": "2"}, "is": "7"}},
            {"words": BOTH, "claim": {"hand": "123m (12p) 5s", "is": {"error": "bad-meld"}}},
            {
                "words": BOTH,
                "claim": {"game": "changsha", "hand": "123m 11456p 67789s +8s", "is": {"state": "win"}},
            },
        ],
        mistakes=[{"answer": "2", "say": BOTH}],
    )
    assert level.rights == (frozenset({"1", "3", "5"}),)
    assert level.many


@pytest.mark.parametrize("untold", [{"stat": "win"}, {}, {"fails": ["three-suit"]}])
@pytest.mark.parametrize(
    "where", ["fixtures/changsha/01-tiles.yaml:3", "fixtures/changsha/02-claimed.yaml:3"]
)
def test_a_statement_whose_claim_cant_be_made_is_a_fault_and_not_merely_false(
    untold: dict[str, Any], where: str
) -> None:
    hand = "123m 456p 789s EEE 55p"
    plain = {
        "kind": "choice",
        "prompt": BOTH,
        "done": BOTH,
        "options": [
            {"words": BOTH, "claim": {"hand": hand, "is": {"state": "win"}}},
            {"words": BOTH, "claim": {"hand": hand, "is": untold}},
        ],
        "mistakes": [{"answer": "2", "say": BOTH}],
    }
    node = Node.of(plain)
    node["options"].items[1]["claim"]["is"].where = where
    for item in node["options"].items[1]["claim"]["is"].mapping.values():
        item.where = where
    with pytest.raises(Fault):
        levels.level(node, CHANGCHUN, {})


def test_a_mark_on_the_wall_may_be_named_by_an_author_as_what_it_marks() -> None:
    wall = {"first": "3 4", "second": "2 5", "drawn": "53"}
    level = made(
        CHANGCHUN,
        kind="wall",
        find="head",
        wall=wall,
        mistakes=[{"answer": "tail", "say": BOTH}],
    )
    assert level.mistakes[0].holds == {level.named["tail"]}
    with pytest.raises(Fault, match="this is no mistake"):
        made(CHANGCHUN, kind="wall", find="tail", wall=wall, mistakes=[{"answer": "tail", "say": BOTH}])


@pytest.mark.parametrize(
    ("chosen", "is_right"),
    [
        ("2m 2m.2 2m.3", True),
        ("2m.2 2m.3 2m.4", True),
        ("2m.3 2m.4", False),
        ("2m 2m.2 2m.3 2m.4", False),
    ],
)
def test_it_does_not_matter_which_of_tiles_alike_is_chosen(chosen: str, is_right: bool) -> None:
    level = made(
        CHANGSHA,
        kind="pick",
        tiles="2222m 555m 4477p 99p",
        opening="liuliushun",
        mistakes=[{"answer": "9p", "say": BOTH}],
    )
    form = QueryDict(mutable=True)
    form.update({"do": "answer"})
    form.setlist("a", [*chosen.split(), "5m", "5m.2", "5m.3"])
    assert tries.read(level, form).is_right is is_right


# The dice thrown again

THROWN = [place for place in STEPS if level_at(place).again]


@pytest.mark.parametrize("place", THROWN)
def test_thrown_again_the_dice_ask_for_another_stack_which_the_table_finds(place: str) -> None:
    level = level_at(place)
    assert level.again
    found = [level.again(number) for number in range(1, 25)]
    for other in found:
        assert len(other.rights) == 1
        assert other.rights[0] <= {offer.value for offer in other.offers}
        assert other.prompt != level.prompt
        (item,) = other.rights[0]
        thrown = other.shown.dice or next(t.dice for t in other.shown.plain.throws[1:])
        assert all(1 <= die <= 6 for die in thrown)
        wrong = next(offer.value for offer in other.offers if offer.value != item)
        assert other.why_wrong(frozenset({wrong}))
    assert len({other.rights for other in found}) > 3
    assert [level.again(number).rights for number in range(1, 25)] == [other.rights for other in found]


@pytest.mark.parametrize("place", THROWN[:2])
@pytest.mark.parametrize("with_htmx", [True, False], ids=["htmx", "page"])
def test_an_answer_to_a_throw_is_judged_by_that_throw_and_leads_back_to_it(
    client: Client, shelved: None, place: str, with_htmx: bool
) -> None:
    level = level_at(place)
    assert level.again
    throw = next(n for n in range(1, 50) if level.again(n).rights != level.rights)
    other = level.again(throw)
    slug = place.partition("#")[2]
    form = form_in(tree_of(client.get(address(place), {"step": slug, "throw": throw})), place)
    assert sent(form)["throw"] == [str(throw)]
    for answer, begins in ((level.rights[0], "Not yet."), (other.rights[0], "Right.")):
        if answer <= {offer.value for offer in other.offers}:
            response = post(client, form, filled(form, other, answer), with_htmx=with_htmx)
            tree = shown_after(client, response, place, with_htmx=with_htmx)
            assert said(tree, place).startswith(begins)
            assert sent(form_in(tree, place))["throw"] == [str(throw)]


@pytest.mark.parametrize("throw", ["", "0", "-1", "x", "10000", "99999999999999999999", "1.5", "٣", "1 OR 1"])
def test_a_throw_that_is_none_is_that_of_the_lesson(client: Client, shelved: None, throw: str) -> None:
    place = THROWN[0]
    slug = place.partition("#")[2]
    level = level_at(place)
    wrong = next(offer.value for offer in level.offers if offer.value not in level.rights[0])
    for answer, begins in ((level.rights[0], "Right."), (frozenset({wrong}), "Not yet.")):
        data = {"step": slug, "do": "answer", "throw": throw, "a": sorted(answer)}
        assert said(tree_of(client.post(address(place), data, headers=HTMX)), place).startswith(begins)


# Levels that can't be


@pytest.mark.parametrize(
    ("game", "fields", "words"),
    [
        (CHANGCHUN, {"kind": "riddle"}, "there is no kind of level 'riddle'; known: pick, complete"),
        (CHANGCHUN, {"kind": "waits"}, "'hand' is missing"),
        (CHANGCHUN, {"kind": "waits", "hand": "123m 456p 789s EEE 55p"}, "the hand must be one tile short"),
        (
            CHANGCHUN,
            {"kind": "complete", "hand": "123m 456p 789s EEE 55p"},
            "the hand must be one tile short",
        ),
        (CHANGCHUN, {"kind": "complete", "hand": "147m 258p 1469s 147s"}, "no answer to this level is right"),
        (CHANGCHUN, {"kind": "discard", "hand": READY}, "the hand must have all its tiles"),
        (
            CHANGCHUN,
            {"kind": "discard", "hand": "CF (123m) (222p) (777s) (999m)"},
            "no answer to this level is right",
        ),
        (
            CHANGCHUN,
            {"kind": "exchange", "hand": "123m 456p 789s EEE 55p"},
            "the hand must be not-win, and is win",
        ),
        (CHANGCHUN, {"kind": "clause", "hand": "123m 456p 789s EEE 55p"}, "the hand must be not-win"),
        (
            CHANGCHUN,
            {"kind": "score", "hand": "123m 456m 789m EEE 55p"},
            "the hand must be win, and is not-win",
        ),
        (CHANGCHUN, {"kind": "group", "hand": READY}, "the hand must have all its tiles"),
        (CHANGCHUN, {"kind": "pair", "hand": "147m 258p 1469s 147s E"}, "no answer to this level is right"),
        (CHANGCHUN, {"kind": "waits", "hand": "123m (12p) 5s"}, "can't be judged (bad-meld)"),
        (CHANGCHUN, {"kind": "pick", "tiles": "12x", "are": "honors"}, "the tiles can't be read"),
        (CHANGCHUN, {"kind": "pick", "tiles": "12m E", "are": "fruit"}, "no tiles are called 'fruit'; known"),
        (
            CHANGCHUN,
            {"kind": "pick", "tiles": "12m", "are": "honors"},
            "the tiles to choose, none, are not in",
        ),
        (CHANGCHUN, {"kind": "pick", "tiles": "12m"}, "'are' is missing"),
        (
            CHANGCHUN,
            {"kind": "pick", "tiles": "12m", "finding": "nothing", "hand": "123m 456p 789s EEE 55p"},
            "there is no rule 'nothing'",
        ),
        (CHANGSHA, {"kind": "pick", "tiles": "147m 258p 1469s 147s", "opening": "sixi"}, "make no 'sixi'"),
        (CHANGSHA, {"kind": "openings", "deal": "22222m"}, "the deal can't be read (too-many-copies)"),
        (CHANGCHUN, {"kind": "claim", "gets": {"tile": "5m", "hands": {}}}, "the table can't be asked this"),
        (CHANGCHUN, {"kind": "claim", "gets": {**CHI, "tile": "0m"}}, "no tile is written '0m'"),
        (CHANGCHUN, {"kind": "wall", "find": "door", "wall": {}}, "one of break, head, tail, bao, open"),
        (
            CHANGCHUN,
            {"kind": "wall", "find": "break", "wall": {"first": "3 7", "second": "2 5"}},
            "two dice show 1 to 6 each",
        ),
        (
            CHANGCHUN,
            {"kind": "wall", "find": "bao", "wall": {"first": "3 4", "second": "2 5"}},
            "these walls have no bao",
        ),
        (
            CHANGCHUN,
            {"kind": "wall", "find": "head", "wall": {"first": "3 4", "second": "2 5", "drawn": "999"}},
            "there is no such stack: 999 + 0 tiles can't be taken from 136",
        ),
        (CHANGSHA, {"kind": "birds", "birds": ["0m"]}, "'0m' is no bird"),
        (CHANGCHUN, {"kind": "birds", "birds": ["E"]}, "'E' is no bird"),
        (CHANGCHUN, {"kind": "birds", "birds": ["5m"]}, "changchun has no table ruling 'bird-seat'"),
        (
            CHANGCHUN,
            {"kind": "payments", "settle": {"wins": [{"seat": "9", "fan": "1"}]}},
            "this can't be settled",
        ),
        (
            CHANGCHUN,
            {"kind": "choice", "ask": "reserve", "given": {"gangs": "2"}, "options": [{"answer": "7"}]},
            "one choice must be the engine's answer, which is '8'",
        ),
        (
            CHANGCHUN,
            {
                "kind": "choice",
                "ask": "reserve",
                "given": {"gangs": "2"},
                "options": [{"answer": "8"}, {"answer": "8"}],
            },
            "one choice must be the engine's answer",
        ),
        (
            CHANGCHUN,
            {"kind": "choice", "ask": "nothing", "options": [{"answer": "8"}]},
            "changchun has no table ruling 'nothing'",
        ),
        (
            CHANGCHUN,
            {
                "kind": "choice",
                "options": [{"words": BOTH, "claim": {"hand": "123m (12p)", "is": {"state": "win"}}}],
            },
            "the engine refuses this (bad-meld)",
        ),
        (
            CHANGCHUN,
            {
                "kind": "choice",
                "options": [{"words": BOTH, "claim": {"ask": "reserve", "is": "8"}}],
            },
            "the table can't be asked this: reserve needs gangs",
        ),
        (
            CHANGCHUN,
            {"kind": "which", "hands": [{"hand": READY}, {"hand": READY}], "goal": {"colour": "red"}},
            "a goal has no 'colour'",
        ),
        (CHANGCHUN, {"kind": "waits", "hand": READY, "colour": "red"}, "'colour' is not known here"),
        (CHANGCHUN, {"kind": "waits", "hand": READY, "options": {"colour": "red"}}, "colour"),
        (
            CHANGCHUN,
            {"kind": "waits", "hand": READY, "mistakes": []},
            "at least one common mistake is needed",
        ),
        (
            CHANGCHUN,
            {"kind": "waits", "hand": READY, "mistakes": [{"answer": "2m 5m", "say": BOTH}]},
            "this is no mistake: 2m, 5m is right, says the engine",
        ),
        (
            CHANGCHUN,
            {"kind": "waits", "hand": READY, "mistakes": [{"missing": "9m", "say": BOTH}]},
            "this is no mistake: 2m, 5m is right, says the engine",
        ),
        (
            CHANGCHUN,
            {"kind": "waits", "hand": READY, "mistakes": [{"answer": "0m", "say": BOTH}]},
            "'0m' can't be answered here; known: 1m",
        ),
        (
            CHANGCHUN,
            {"kind": "waits", "hand": READY, "mistakes": [{"say": BOTH}]},
            "either answer or missing is needed",
        ),
        (
            CHANGCHUN,
            {"kind": "waits", "hand": READY, "mistakes": [{"answer": "1m", "missing": "2m", "say": BOTH}]},
            "either answer or missing is needed",
        ),
        (
            CHANGCHUN,
            {"kind": "waits", "hand": READY, "mistakes": [{"answer": "1m", "say": BOTH, "why": "x"}]},
            "'why' is not known here",
        ),
        (
            CHANGCHUN,
            {"kind": "waits", "hand": READY, "mistakes": [{"answer": "1m", "say": {"en": "Words."}}]},
            "the Chinese text is missing",
        ),
        (CHANGCHUN, {"kind": "waits", "hand": READY, "done": {"zh": "话。"}}, "the English text is missing"),
    ],
)
def test_a_level_that_cant_be_is_refused_with_the_reason(
    game: Ruleset, fields: dict[str, Any], words: str
) -> None:
    with pytest.raises(Fault, match=re.escape(words)):
        made(game, **fields)


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


@pytest.mark.parametrize("goal", [{"lacks": ["qidui"]}, {"at_least": "0"}])
def test_only_a_win_meets_a_goal_for_a_win(goal: dict[str, Any]) -> None:
    mistakes = [{"answer": "1m", "say": BOTH}]
    level = made(
        rules.ruleset("changsha"), kind="complete", hand="2233445566778m", goal=goal, mistakes=mistakes
    )
    assert {item for right in level.rights for item in right} <= {"2m", "5m", "8m"}
