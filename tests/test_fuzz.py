"""Whatever is sent to the checker's page and its API, both answer: never an exception, never a fault."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules import notation
from rules.tiles import TILES
from tests.test_api import CC, CS, KEYS, error_in
from tests.test_checker_page import STATES, URLS, Element, assert_valid, assert_valid_fragment, form_of, read
from tests.test_notation import FRAGMENTS
from tutor.checker.entry import Entry, act, every_tile, modes_of, tile_set_of

API = "/api/v1/check"
HEADERS = [{}, {"HX-Request": "true"}, {"HX-Request": "true", "HX-History-Restore-Request": "true"}]
PARAMETERS = ["ruleset", "hand", "by", "seat", "from", "listening", "bao", "moments", "birds", "option"]
PAGE_PARAMETERS = [*PARAMETERS, "mode", "was", "do", "shown", "rule-jiahu", "rule-birds"]
CODES = [t.code for t in TILES]
ACTIONS = [
    "undo",
    "clear",
    "out:win",
    *(f"out:meld{n}" for n in range(4)),
    *(f"{verb}:{code}" for verb in ("key", "win", "out", "discard") for code in CODES),
    *(f"swap:{out}:{into}" for out in CODES[::3] for into in CODES[::5]),
    *(f"usual:{game}" for game in rules.rulesets()),
]
CLIENT = Client()

# Text with every kind of character: halves of surrogate pairs, NUL, right-to-left, combining, unassigned.
ANYTHING = st.text(st.characters(exclude_categories=()), max_size=30)
TEXTS = st.one_of(
    ANYTHING,
    st.lists(st.one_of(ANYTHING, st.sampled_from(FRAGMENTS)), max_size=8).map("".join),
    st.sampled_from(
        ["", "\x00", "\ud800", "\u202e123m", "e\u0301", "~", "~~", "+", "%", "&", "<b>", "\r\nX: y"]
    ),
)
VALUES = {
    "ruleset": ["changchun", "changsha", "both", ""],
    "hand": [CC, CS, "", "123m", "1111m", *(str(query.get("hand", "")) for query, _ in STATES.values())],
    "by": ["discard", "self-draw", "robbed-gang", "bao-match"],
    "seat": ["0", "1", "2", "3", "-1", "٣", "４"],
    "from": ["0", "1", "2", "3"],
    "listening": ["0", "1"],
    "bao": ["9s", "E", "红中"],
    "moments": ["haidipao", "tianhu", "gangshanghua,dihu", ","],
    "birds": ["0", "1m,2m", ",", "E"],
    "option": ["a=b", "=", "birds=2", "birds=0", "birds=6", "jiahu=shape", "seven-pairs=yes", "jiahu=no"],
    "rule-jiahu": ["shape", "shape-and-only-wait", "no"],
    "rule-birds": ["0", "1", "6"],
    "mode": [*modes_of(rules.ruleset("changchun").tiles), "x"],
    "was": ["1m~12m", "~", "1m~x~"],
    "do": ACTIONS,
    "shown": ["from", "x"],
}


def queries(names: list[str]) -> st.SearchStrategy[list[tuple[str, str]]]:
    """Parameters, some sensible, some not, some repeated, some unknown."""
    known = st.sampled_from(names).flatmap(
        lambda name: st.tuples(st.just(name), st.one_of(st.sampled_from(VALUES[name]), TEXTS))
    )
    return st.lists(st.one_of(known, known, known, st.tuples(TEXTS, TEXTS)), max_size=9)


def in_bytes(text: str) -> str:
    """A text as it stands in a URL; half a surrogate pair as the bytes that some programs send."""
    return quote(text.encode("utf-8", "surrogatepass"))


def query_string(query: list[tuple[str, str]]) -> str:
    return "&".join(f"{in_bytes(name)}={in_bytes(value)}" for name, value in query)


def ask_page(query: str, language: str, headers: dict[str, str]) -> Any:
    """The page's answer, sound in every way that does not depend on what was asked."""
    response = CLIENT.get(URLS[language], headers=headers, QUERY_STRING=query)
    assert response.status_code in (200, 302)
    if response.status_code == 302:
        assert response["Location"].startswith("?")
        assert "HX-Request" not in headers
        return response
    tree = read(response.content.decode("utf-8"))
    if headers == HEADERS[1]:
        assert_valid_fragment(tree)
    elif headers == HEADERS[0]:
        assert_valid(tree)
    return response


def ask_api(query: str) -> Any:
    """The API's answer, in one of its two forms."""
    response = CLIENT.get(API, QUERY_STRING=query)
    assert response.status_code in (200, 400)
    answer = response.json()
    if response.status_code == 200:
        assert answer.keys() - {"stands_for"} == KEYS
    else:
        error_in(answer)
    return answer


@given(queries(PAGE_PARAMETERS), st.sampled_from(sorted(URLS)), st.sampled_from(HEADERS))
@settings(max_examples=120, deadline=None)
def test_the_page_answers_whatever_it_is_asked(
    query: list[tuple[str, str]], language: str, headers: dict[str, str]
) -> None:
    response = ask_page(query_string(query), language, headers)
    if response.status_code == 302:
        ask_page(response["Location"][1:], language, headers)


@given(queries(PARAMETERS))
@settings(max_examples=200, deadline=None)
def test_the_api_answers_whatever_it_is_asked(query: list[tuple[str, str]]) -> None:
    ask_api(query_string(query))


@given(st.sampled_from(["changchun", "changsha"]), TEXTS, st.sampled_from(PARAMETERS[2:-1]), TEXTS)
@settings(max_examples=150, deadline=None)
def test_the_api_answers_any_hand_and_any_circumstance(
    ruleset: str, hand: str, name: str, value: str
) -> None:
    told = ask_api(query_string([("ruleset", ruleset), ("hand", hand)]))
    if "error" in told:
        at = told["error"]["at"]
        received = hand.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        assert at is None or 0 <= at < len(received)
    full = CC if ruleset == "changchun" else CS
    told = ask_api(query_string([("ruleset", ruleset), ("hand", full), (name, value)]))
    assert "error" not in told or told["error"]["code"] == "bad-context"


@given(
    st.binary(max_size=60),
    st.sampled_from(["", "ruleset=changchun&hand=", "ruleset=changsha&by=", "do="]),
    st.booleans(),
    st.sampled_from(sorted(URLS)),
    st.sampled_from(HEADERS),
)
@settings(max_examples=60, deadline=None)
def test_bytes_that_are_no_query_are_answered_too(
    sent: bytes, before: str, quoted: bool, language: str, headers: dict[str, str]
) -> None:
    query = before + (quote(sent) if quoted else sent.decode("latin-1"))
    ask_page(query, language, headers)
    ask_api(query)


LONG = ["1m" * 5_000, "🀄" * 3_000, "\x00" * 9_000, "~" * 9_000]


@pytest.mark.parametrize("text", LONG, ids=lambda text: ascii(text[0]))
@pytest.mark.parametrize("name", PAGE_PARAMETERS)
def test_a_very_long_value_is_answered(name: str, text: str) -> None:
    rest = [("ruleset", "changchun"), ("hand", CC)]
    query = query_string([(key, value) for key, value in rest if key != name] + [(name, text)])
    ask_page(query, "zh-hans", {})
    ask_page(query, "en", HEADERS[1])
    if name in PARAMETERS:
        ask_api(query)


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize("name", ["hand", "by", "was"])
def test_an_action_beside_a_very_long_value_is_answered(name: str, language: str) -> None:
    """Where an action leads has to fit into an address."""
    long = "~".join(["一" * 200] * 20) if name == "was" else "一" * 3_000
    query = [("ruleset", "changchun"), ("hand", "123m"), (name, long), ("do", "clear")]
    ask_page(query_string(query), language, HEADERS[1])
    ask_page(query_string(query), language, {})


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize("parameter", ["do=undo", "hand=1m", "x=y", "x"])
def test_more_parameters_than_any_form_has_are_answered(language: str, parameter: str) -> None:
    ask_page("&".join([parameter] * 900), language, {})
    ask_api("&".join([parameter] * 900))


# Keys


@given(
    st.sampled_from(["changchun", "changsha", "both"]),
    st.lists(st.tuples(st.sampled_from(VALUES["mode"]), st.sampled_from(ACTIONS)), max_size=60),
)
@settings(max_examples=300, deadline=None)
def test_keys_never_make_a_text_that_cannot_be_read(ruleset: str, presses: list[tuple[str, str]]) -> None:
    """Nor more than a hand holds; and undo leads back to where each press began."""
    games = rules.rulesets().values() if ruleset == "both" else [rules.ruleset(ruleset)]
    tile_set = tile_set_of(games)
    entry = Entry()
    for mode, action in presses:
        before = Entry(text=entry.text, mode=mode, past=entry.past)
        entry = act(before, [action], tile_set)
        hand = notation.parse_unfinished(entry.text, tile_set)
        assert notation.write(hand) == entry.text
        assert len(hand.concealed) + 3 * len(hand.melds) <= 13
        assert len(hand.melds) <= 4
        if entry.notice:
            assert entry.text == before.text
        elif action not in ("undo", "clear") and entry.past != before.past:
            assert act(entry, ["undo"], tile_set).text == before.text


@given(
    TEXTS, st.lists(st.one_of(st.sampled_from(ACTIONS), TEXTS), max_size=8), st.sampled_from(VALUES["mode"])
)
@settings(max_examples=300, deadline=None)
def test_actions_on_any_text_never_fail(text: str, actions: list[str], mode: str) -> None:
    for game in rules.rulesets().values():
        entry = act(Entry(text=text, mode=mode), actions, game.tiles)
        assert entry.text in ("", text, *entry.past) or notation.parse_unfinished(
            entry.text, every_tile(game.tiles)
        )


@given(
    st.sampled_from(["changchun", "changsha", "both"]),
    st.lists(st.tuples(st.sampled_from(ACTIONS), st.sampled_from(VALUES["mode"]), st.booleans()), max_size=8),
    st.sampled_from(sorted(URLS)),
)
@settings(max_examples=12, deadline=None)
def test_a_visit_of_random_presses_goes_on_and_on(
    ruleset: str, presses: list[tuple[str, str, bool]], language: str
) -> None:
    """Now with htmx, now without; what htmx shows is what a page at that address would show."""
    tree = get({"ruleset": ruleset}, language)
    for action, mode, with_htmx in presses:
        form = form_of(tree) | {"do": action, "mode": mode}
        if with_htmx:
            response = CLIENT.get(URLS[language], form, headers=HEADERS[1])
            part = read(response.content.decode("utf-8"))
            assert_valid_fragment(part)
            tree = read(CLIENT.get(response["HX-Push-Url"]).content.decode("utf-8"))
            assert part.by_id("hand")["value"] == tree.by_id("hand")["value"]
        else:
            tree = get(form, language)


def get(query: dict[str, str], language: str) -> Element:
    """The page that a request leads to."""
    response = CLIENT.get(URLS[language], query, follow=True)
    assert response.status_code == 200
    tree = read(response.content.decode("utf-8"))
    assert_valid(tree)
    return tree
