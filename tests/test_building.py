"""Free building: which goals a game has, how a hand stands to one, and the page with and without htmx.

No test here may touch the database: nothing of what is built is recorded.
"""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

import rules
from rules import Ruleset, circumstances
from rules.errors import HandError
from tests.regions import toy
from tests.test_checker_page import (
    HTMX,
    RESTORE,
    Element,
    assert_valid,
    assert_valid_fragment,
    form_of,
    parts_of,
    read,
    sentences,
    states,
    swapped,
)
from tutor.practice.building import LIMITS, Goal, broken_by, survey

URLS = {"en": "/en/practice/build/", "zh-hans": "/zh-hans/practice/build/"}
CC = {"ruleset": "changchun"}
CS = {"ruleset": "changsha"}
TRIPLETS = "1113334466777p +4p"
RUNS = "1113334456777p +5p"
PAIR_OF_6 = "123m 45666p 789789s"

# Every state that the page can be in, by name: what is asked, and the state of the answer.
STATES: dict[str, tuple[dict[str, Any], str]] = {
    "empty": ({}, "unfinished"),
    "a few tiles": (CS | {"goal": "qidui", "hand": "1122m"}, "unfinished"),
    "one tile short": (CS | {"goal": "qidui", "hand": "1122334455667m"}, "unfinished"),
    "two patterns reached": (CS | {"goal": "pengpenghu+qingyise", "hand": TRIPLETS}, "win"),
    "one pattern missed": (CS | {"goal": "pengpenghu+qingyise", "hand": RUNS}, "not-win"),
    "no win": (CS | {"goal": "qidui", "hand": "11333446677p 99m +4p"}, "not-win"),
    "no tile set apart": (CC | {"goal": "jiahu", "hand": "123m 11456p 789s EEE"}, "not-win"),
    "waits enough": (CS | {"goal": "waits-2", "hand": "1113334466777p"}, "win"),
    "waits too few": (CS | {"goal": "waits-4", "hand": "1113334466777p"}, "not-win"),
    "waits that are blocked": (CC | {"goal": "waits-3", "hand": "23456m 555p 77888s"}, "not-win"),
    "a tile too many": (CS | {"goal": "waits-4", "hand": TRIPLETS}, "not-win"),
    "only one rule broken": (CS | {"goal": "fails-pair-258", "hand": PAIR_OF_6}, "win"),
    "no rule broken": (CS | {"goal": "fails-pair-258", "hand": "123m 55456p 789789s"}, "not-win"),
    "two rules broken": (CC | {"goal": "fails-triplet", "hand": "12312322m 456789p"}, "not-win"),
    "another rule broken": (CC | {"goal": "fails-triplet", "hand": "12312322m 444456p"}, "not-win"),
    "a limit kept": (CS | {"goal": "qingyise+no-melds", "hand": TRIPLETS}, "win"),
    "a limit not kept": (CS | {"goal": "pengpenghu+no-melds", "hand": "11133344p (777s) (999m)"}, "not-win"),
    "far from a win": (CS | {"goal": "fails-shape+near", "hand": "147m 258p 369s 11122s"}, "not-win"),
    "a fifth copy": (CS | {"goal": "qidui", "hand": "11111m"}, "error"),
    "a tile of another game": (CS | {"goal": "qidui", "hand": "123m E"}, "error"),
    "an unreadable character": (CS | {"goal": "qidui", "hand": "123m <x> & y"}, "error"),
    "too long": (CS | {"goal": "qidui", "hand": "1m" * 101}, "error"),
    "no such goal": (CS | {"goal": "<b>&"}, "unfinished"),
    "an unknown ruleset": ({"ruleset": "mars", "hand": TRIPLETS}, "error"),
    "both games": ({"ruleset": "both", "hand": "123m"}, "unfinished"),
    "a key that can't be pressed": (CS | {"hand": "1111m", "do": "key:1m"}, "unfinished"),
}
GAMES = pytest.mark.parametrize("game", rules.rulesets().values(), ids=lambda game: game.key)


def page(
    client: Client, query: dict[str, Any], language: str = "en", headers: dict[str, str] | None = None
) -> Element:
    response = client.get(URLS[language], query, headers=headers or {})
    assert response.status_code == 200
    return read(response.content.decode("utf-8"))


def sentence(client: Client, goal: str, hand: str, ruleset: str = "changsha", language: str = "en") -> str:
    (said,) = sentences(page(client, {"ruleset": ruleset, "goal": goal, "hand": hand}, language))
    return said


def keys(game: Ruleset, group: str) -> list[str]:
    return [goal.key for found in survey(game).groups if found.key == group for goal in found.goals]


def parts(tree: Element) -> list[tuple[str, str]]:
    """What the goal asks for, with the mark that each part has."""
    found = tree.all("ul", "findings")[0].all("li")
    return [(item["class"], item.all("strong")[0].text) for item in found]


# Goals


def test_patterns_are_asked_for_that_the_tiles_alone_decide() -> None:
    assert keys(rules.ruleset("changchun"), "one") == ["piaohu", "lihu", "jiahu"]
    assert keys(rules.ruleset("changsha"), "one") == [
        "pengpenghu",
        "jiangjianghu",
        "qingyise",
        "quanqiuren",
        "qidui",
        "haohua-qidui",
        "chaohaohua-qidui",
    ]


@GAMES
def test_two_patterns_are_asked_for_at_once_where_a_hand_can_have_both(game: Ruleset) -> None:
    pairs = keys(game, "two")
    assert {"changchun": 3, "changsha": 11}[game.key] == len(pairs)
    one = keys(game, "one")
    assert all(set(pair.split("+")) < set(one) for pair in pairs)
    # Twelve tiles of a suit are 2, 5 or 8; seven pairs hold no triplets and no melds.
    assert not {"jiangjianghu+qingyise", "pengpenghu+qidui", "quanqiuren+qidui"} & set(pairs)


@GAMES
def test_every_rule_can_be_asked_for_as_the_only_one_broken(game: Ruleset) -> None:
    assert keys(game, "fails") == [
        "fails-shape+near",
        *(f"fails-{rule.key}" for rule in game.rules if rule.key != "shape"),
    ]


@GAMES
def test_a_limit_is_set_where_it_makes_a_goal_harder(game: Ruleset) -> None:
    limited = keys(game, "limits")
    assert limited
    assert all(key.split("+")[-1] in LIMITS for key in limited)
    has_honors = any(t.suit is None for t in game.tiles.tiles)
    assert has_honors is any(key.endswith("+no-honors") for key in limited)
    # Those that nobody makes with melds.
    assert not {"qidui+no-melds", "lihu+no-melds"} & set(limited)


@GAMES
def test_every_goal_is_reached_by_its_example_however_the_hand_is_won(game: Ruleset) -> None:
    found = survey(game)
    assert list(found.examples) == found.goals
    for goal, text in found.examples.items():
        hand = game.parse(text)
        assert goal.is_reached(game.judge(hand)), goal.key
        assert {part.status for part in goal.parts(game.judge(hand))} == {"pass"}
        for way, seat in product(game.ways, "0123"):
            try:
                how = circumstances.read(game, hand, {"by": way.key, "seat": seat})
            except HandError:
                continue
            if goal.patterns:
                assert goal.is_reached(game.judge(hand, how)), (goal.key, way.key, seat)


@GAMES
def test_goals_have_their_own_keys_and_words_and_follow_each_other_in_a_round(game: Ruleset) -> None:
    found = survey(game)
    for words in ("key", "name", "task"):
        assert len({getattr(goal, words) for goal in found.goals}) == len(found.goals)
    walked, goal = [], found.goals[0]
    while goal not in walked:
        walked.append(goal)
        goal = found.after(goal)
    assert walked == found.goals


def test_a_third_game_gets_its_goals_from_its_own_rules() -> None:
    found = survey(toy.RULESET)
    fails = [goal.key for group in found.groups if group.key == "fails" for goal in group.goals]
    assert fails == ["fails-shape+near", "fails-even-pair"]
    # Every win has its only pattern.
    assert {"one", "two"}.isdisjoint(group.key for group in found.groups)
    for goal, text in found.examples.items():
        assert goal.is_reached(toy.RULESET.judge(toy.RULESET.parse(text)))


def test_a_hand_of_another_size_reaches_nothing() -> None:
    game = rules.ruleset("changsha")
    short, full = game.judge(game.parse("1113334466777p")), game.judge(game.parse(TRIPLETS))
    assert Goal(game, waits=2).is_reached(short)
    assert not Goal(game, waits=2).is_reached(full)
    assert not Goal(game, ("pengpenghu",)).is_reached(short)
    assert Goal(game, ("pengpenghu",)).is_reached(full)


def test_a_tile_of_which_none_is_left_is_not_waited_for() -> None:
    game = rules.ruleset("changsha")
    verdict = game.judge(game.parse("3m (333m) (444p) (777s) (888s)"))
    assert [wait.tile.code for wait in verdict.waits if wait.left] == []
    assert not Goal(game, waits=1).is_reached(verdict)


# The page


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize("name", STATES)
def test_a_page_is_sound_html_in_every_state(client: Client, name: str, language: str) -> None:
    query, expected = STATES[name]
    tree = page(client, query, language)
    assert_valid(tree)
    assert states(tree) == [expected]
    (root,) = tree.all("html")
    assert root["lang"] == language
    assert len(tree.all("h1")) == 1
    levels = [int(e.tag[1]) for e in tree if e.tag in ("h1", "h2", "h3")]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for field in tree.field("hand"):
        assert field["value"] == query.get("hand", "")


@pytest.mark.parametrize("language", URLS)
@pytest.mark.parametrize("name", STATES)
def test_what_htmx_gets_is_the_markup_that_the_page_holds(client: Client, name: str, language: str) -> None:
    query, _ = STATES[name]
    whole = page(client, query, language)
    fragment = page(client, query, language, HTMX)
    assert_valid_fragment(fragment)
    for key, part in parts_of(fragment).items():
        if key == "announce":
            assert part.children == whole.by_id(key).children
        else:
            assert part == whole.by_id(key)


def test_what_htmx_gets_makes_one_goal_into_another(client: Client) -> None:
    query = {**CS, "goal": "qidui", "hand": "1122m"}
    before, after = page(client, {"ruleset": "changchun"}), page(client, query)
    made = swapped(before, page(client, query, headers=HTMX))
    for place in ("goal", "answers", "entry", "keys", "modes", "goals", "language"):
        assert made.by_id(place) == after.by_id(place)


def test_a_restored_page_is_the_whole_page(client: Client) -> None:
    query, _ = STATES["one pattern missed"]
    assert page(client, query, headers=RESTORE) == page(client, query)


@pytest.mark.parametrize("headers", [{}, HTMX, RESTORE])
@pytest.mark.parametrize("query", [{}, {"do": "key:1m"}])
def test_caches_are_told_that_the_answer_depends_on_htmx(
    client: Client, headers: dict[str, str], query: dict[str, str]
) -> None:
    response = client.get(URLS["en"], query, headers=headers)
    assert "HX-Request" in [v.strip() for v in response["Vary"].split(",")]


@pytest.mark.parametrize("url", URLS.values())
def test_only_reading_is_allowed(client: Client, url: str) -> None:
    assert client.post(url, {"hand": "1m"}).status_code == 405
    assert client.head(url).status_code == 200


def test_more_fields_than_are_read_are_refused(client: Client) -> None:
    assert client.get(URLS["en"], QUERY_STRING="&".join(["do=key:1m"] * 1001)).status_code == 400


# The goal in the address


@pytest.mark.parametrize(
    "written",
    ["pengpenghu+qingyise", "qingyise+pengpenghu", "pengpenghu%2Bqingyise", "qingyise%20pengpenghu"],
)
def test_a_goal_of_two_patterns_is_written_in_any_order(client: Client, written: str) -> None:
    response = client.get(URLS["en"], QUERY_STRING=f"ruleset=changsha&goal={written}")
    tree = read(response.content.decode())
    assert tree.by_id("goal-title").text == "Build a win with Pengpenghu and Qingyise at once."
    assert form_of(tree)["goal"] == "pengpenghu+qingyise"


@GAMES
@pytest.mark.parametrize("language", URLS)
def test_all_goals_are_listed_and_each_link_leads_to_its_own(
    client: Client, game: Ruleset, language: str
) -> None:
    links = page(client, {"ruleset": game.key}, language).by_id("goals").all("a")
    goals = survey(game).goals
    assert [link.text for link in links] == [goal.name.in_language(language) for goal in goals]
    for link, goal in zip(links, goals, strict=True):
        tree = read(client.get(URLS[language] + link["href"]).content.decode())
        assert tree.by_id("goal-title").text == goal.task.in_language(language)
        assert states(tree) == ["unfinished"]
        (current,) = [a for a in tree.by_id("goals").all("a") if a.get("aria-current")]
        assert current["href"] == link["href"]


def test_the_next_goal_is_a_link_and_follows_once_one_is_reached(client: Client) -> None:
    tree = page(client, CS | {"goal": "pengpenghu", "hand": TRIPLETS})
    (following,) = tree.by_id("answers").all("a", "main")
    assert following.text == "Next goal"
    assert parse_qs(following["href"][1:]) == {"ruleset": ["changsha"], "goal": ["jiangjianghu"]}
    assert following["href"] in [a["href"] for a in tree.by_id("goal").all("a")]
    assert not page(client, CS | {"goal": "qidui", "hand": TRIPLETS}).by_id("answers").all("a", "main")


@GAMES
def test_a_hand_that_reaches_the_goal_can_be_shown(client: Client, game: Ruleset) -> None:
    for goal in survey(game).goals:
        tree = page(client, {"ruleset": game.key, "goal": goal.key})
        (link,) = [a for a in tree.by_id("answers").all("a") if a.text.startswith("Show a hand")]
        assert states(read(client.get(URLS["en"] + link["href"]).content.decode())) == ["win"]


def test_a_goal_that_there_is_not_is_said_but_one_of_the_other_game_gives_way(client: Client) -> None:
    title = "Build a win with Piaohu."
    unknown = page(client, CC | {"goal": "golden-dragon"})
    assert "There is no such goal." in unknown.by_id("goal").text
    assert unknown.by_id("goal-title").text == title
    other = page(client, CC | {"goal": "qidui"})
    assert "There is no such goal." not in other.by_id("goal").text
    assert other.by_id("goal-title").text == title


def test_the_language_link_keeps_goal_and_hand(client: Client) -> None:
    tree = page(client, CS | {"goal": "pengpenghu+qingyise", "hand": "111m"})
    (link,) = tree.by_id("language").all("a")
    assert link["href"] == "/zh-hans/practice/build/?ruleset=changsha&goal=pengpenghu+qingyise&hand=111m"


# How a hand stands to its goal


@pytest.mark.parametrize(
    ("goal", "hand", "english", "chinese"),
    [
        (
            "pengpenghu+qingyise",
            TRIPLETS,
            "Goal reached: a win with Pengpenghu and Qingyise.",
            "做到了，胡的是碰碰胡和清一色。",
        ),
        (
            "pengpenghu+qingyise",
            RUNS,
            "A win, but not with Pengpenghu: it counts as Qingyise.",
            "胡是能胡，可不算碰碰胡，算的是清一色。",
        ),
        (
            "pengpenghu+qingyise",
            "12355m 45678p 789s +9p",
            "A win, but not with Pengpenghu and Qingyise: it counts as Xiaohu.",
            "胡是能胡，可不算碰碰胡和清一色，算的是小胡。",
        ),
        ("qidui", "1122334455667m", "One more tile, the last.", "再来最后一张。"),
        ("qidui", "1122m", "9 more tiles to see what the hand waits for.", None),
        (
            "waits-2",
            "1113334466777p",
            "Goal reached. Ready: waits for 4筒 or 6筒.",
            "做到了。听牌了：听4筒、6筒。",
        ),
        ("waits-4", "1113334466777p", "It waits for only 2 kinds: 4筒 and 6筒.", "只听2种：4筒和6筒。"),
        (
            "waits-4",
            TRIPLETS,
            "One tile too many: a hand that waits has 13, a meld counting three.",
            "多了一张：听牌的时候手牌是13张，一组吃碰杠算三张。",
        ),
        (
            "fails-pair-258",
            PAIR_OF_6,
            "Goal reached. Only this is wrong: the pair must be 2, 5 or 8, and it is 6筒.",
            "做到了，只差这一条：将牌必须是二、五、八，这对是6筒。",
        ),
        (
            "fails-pair-258",
            "123m 55456p 789789s",
            "This hand wins, so it breaks no rule.",
            "这手牌能胡，各条都符合。",
        ),
        (
            "fails-pair-258",
            "147m 258p 369s 11122s",
            "It breaks “Shape”, not “A pair of 2, 5 or 8”.",
            "不符合的是“牌型”，不是“二五八将”。",
        ),
        (
            "pengpenghu+no-melds",
            "11133344p (777s) (999m)",
            "Almost: there are melds.",
            "差一点：有吃碰杠。",
        ),
        (
            "fails-shape+near",
            "147m 258p 369s 11122s",
            "No single exchange makes it win.",
            "换哪一张都胡不了。",
        ),
        (
            "qidui",
            "11333446677p 99m +4p",
            "Not a win yet: 6 pairs; 3筒 and 4筒 are left over.",
            "还不能胡：已有6对；3筒和4筒用不上。",
        ),
    ],
)
def test_the_answer_opens_with_whether_the_goal_is_reached_or_why_not(
    client: Client, goal: str, hand: str, english: str, chinese: str | None
) -> None:
    assert sentence(client, goal, hand) == english
    tree = page(client, CS | {"goal": goal, "hand": hand})
    assert tree.by_id("announce").text.strip() == english
    assert english in tree.by_id("entry").text
    if chinese:
        assert sentence(client, goal, hand, language="zh-hans") == chinese


def test_what_the_goal_asks_for_is_ticked_off_one_by_one(client: Client) -> None:
    def marks(goal: str, hand: str, ruleset: str = "changsha") -> list[tuple[str, str]]:
        return parts(page(client, {"ruleset": ruleset, "goal": goal, "hand": hand}))

    assert marks("pengpenghu+qingyise", RUNS) == [
        ("pass", "A win"),
        ("fail", "Pengpenghu"),
        ("pass", "Qingyise"),
    ]
    assert marks("qidui", "11333446677p 99m +4p") == [("fail", "A win"), ("open", "Qidui")]
    assert marks("jiahu", "123m 11456p 789s EEE", "changchun") == [("pass", "A win"), ("open", "Jiahu")]
    assert marks("fails-triplet", "12312322m 456789p", "changchun") == [
        ("pass", "Breaks “A triplet”"),
        ("fail", "Breaks nothing else"),
    ]
    assert marks("pengpenghu+no-melds", "11133344p (777s) (999m)")[-1] == ("fail", "No melds")


def test_every_rule_is_told_of_a_full_hand(client: Client) -> None:
    tree = page(client, CC | {"goal": "piaohu", "hand": "12312322m 456789p"})
    findings = tree.all("ul", "findings")[1].all("li")
    assert [item["class"] for item in findings] == ["pass", "fail", "pass", "fail", "pass"]


def test_a_win_says_what_it_counts_as_but_not_what_hangs_on_how_it_was_won(client: Client) -> None:
    tree = page(client, CC | {"goal": "piaohu", "hand": "123m 45556p 789s EEE"})
    counted = [item.text.split(":")[0] for item in tree.by_id("answers").all("ul", "plain")[0].all("li")]
    assert counted == ["Pinghu", "Lihu"]


@GAMES
def test_an_exchange_that_reaches_the_goal_is_offered_and_does(client: Client, game: Ruleset) -> None:
    """From each goal's example one tile away, where the hand is full and misses the goal."""
    tried = 0
    for goal, text in survey(game).examples.items():
        if goal.waits or goal.limits:
            continue
        hand = game.parse(text)
        out, into = next(
            (out, into)
            for out, into in product(dict.fromkeys(hand.loose), game.tiles.tiles)
            if out is not into and hand.left(into) and not _reaches(goal, hand, out, into)
        )
        query = {"ruleset": game.key, "goal": goal.key, "hand": text}
        spoilt = page(client, query | {"do": f"swap:{out.code}:{into.code}"}, headers=HTMX)
        fixes = [b["value"] for b in spoilt.by_id("answers").all("button", "fix")]
        made = parts_of(spoilt)["hand"]["value"]
        assert 0 < len(fixes) <= 3
        for fix in fixes:
            mended = page(client, query | {"hand": made, "do": fix}, headers=HTMX)
            assert states(mended) == ["win"], (goal.key, made, fix)
        tried += 1
    assert tried > 5


def _reaches(goal: Goal, hand: Any, out: Any, into: Any) -> bool:
    return goal.is_reached(goal.game.judge(hand.exchanged(out, into)[0]))


def test_a_win_that_no_exchange_brings_to_the_goal_says_so(client: Client) -> None:
    words = "No exchange of a single tile reaches the goal from here."
    far = page(client, CS | {"goal": "qidui", "hand": "12355m 45678p 789s +9p"})
    assert words in far.text
    assert not far.all("button", "fix")
    assert words not in page(client, CS | {"goal": "pengpenghu+qingyise", "hand": RUNS}).text
    assert words not in page(client, CC | {"goal": "jiahu", "hand": "123m 11456p 789s EEE"}).text


def test_what_would_complete_a_waiting_hand_but_is_barred_is_explained(client: Client) -> None:
    tree = page(client, CC | {"goal": "waits-3", "hand": "23456m 555p 77888s"})
    assert "Completes the shape, but may not win" in tree.text
    assert "There is no 1 or 9" in tree.by_id("answers").text


def test_the_only_broken_rule_is_that_of_the_reading_which_counts() -> None:
    game = rules.ruleset("changsha")
    assert broken_by(game.judge(game.parse(PAIR_OF_6))) == ("pair-258",)
    assert broken_by(game.judge(game.parse(TRIPLETS))) == ()


# The board


def followed(client: Client, query: dict[str, Any]) -> dict[str, list[str]]:
    response = client.get(URLS["en"], query)
    assert response.status_code == 302
    found = parse_qs(urlsplit(response["Location"]).query, keep_blank_values=True)
    assert "do" not in found
    assert client.get(URLS["en"] + response["Location"]).status_code == 200
    return found


@pytest.mark.parametrize(
    ("hand", "press", "made"),
    [
        ("", {"do": "key:1m"}, "1m"),
        ("23m", {"do": "key:1m"}, "123m"),
        ("1m", {"do": "out:1m"}, None),
        ("", {"do": "key:1m", "mode": "chi"}, "(123m)"),
        ("", {"do": "key:1m", "mode": "angang"}, "[1111m]"),
        ("1113334466777p", {"do": "key:4p"}, TRIPLETS),
        (RUNS, {"do": "swap:6p:4p"}, "1113334445777p +5p"),
        (TRIPLETS, {"do": "clear"}, None),
    ],
)
def test_a_press_leads_to_a_page_of_its_own_without_javascript(
    client: Client, hand: str, press: dict[str, str], made: str | None
) -> None:
    query = CS | {"goal": "pengpenghu+qingyise", "hand": hand}
    found = followed(client, query | press)
    assert found.get("hand") == ([made] if made else None)
    assert found["goal"] == ["pengpenghu qingyise"]
    again = followed(client, {k: v[0] for k, v in found.items()} | {"do": "undo"})
    assert again.get("hand", [""]) == [hand]


def test_a_form_without_javascript_keeps_goal_and_game(client: Client) -> None:
    form = form_of(page(client, CS | {"goal": "pengpenghu+qingyise", "hand": "111m"}))
    assert {form["ruleset"], form["goal"], form["hand"]} == {"changsha", "pengpenghu+qingyise", "111m"}
    tree = page(client, form | {"hand": "222m"})
    assert tree.by_id("goal-title").text == "Build a win with Pengpenghu and Qingyise at once."


@pytest.mark.parametrize(
    ("hand", "at", "error"),
    [
        ("11111m", "1", "There are only four 1万, and this is the fifth."),
        ("123m E", "E", "This game has no East (东): take it out."),
    ],
)
def test_the_keys_errors_are_those_of_the_checker(client: Client, hand: str, at: str, error: str) -> None:
    tree = page(client, CS | {"goal": "qidui", "hand": hand})
    assert sentences(tree) == [error]
    (mark,) = tree.all("mark")
    assert mark.text == at
    four = page(client, CS | {"hand": "1111m", "do": "key:1m"})
    assert four.all("p", "notice")[0].text == "All four 1万 are in the hand."


def test_htmx_gets_its_address_and_the_new_text(client: Client) -> None:
    query = CS | {"goal": "qidui", "hand": "1m"}
    response = client.get(URLS["en"], query | {"do": ["key:2m", "key:3m"]}, headers=HTMX)
    assert response["HX-Push-Url"] == "/en/practice/build/?ruleset=changsha&goal=qidui&hand=123m"
    assert parts_of(read(response.content.decode()))["hand"]["value"] == "123m"
    looked = client.get(URLS["en"], query, headers=HTMX)
    assert looked["HX-Replace-Url"] == "/en/practice/build/?ruleset=changsha&goal=qidui&hand=1m"
    assert "hand" not in parts_of(read(looked.content.decode()))
