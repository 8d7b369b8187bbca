"""The checker's page at tables that play otherwise: house rules, who pays, birds, and the way to a win."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from django.test import Client

import rules
from rules import notation
from rules.circumstances import SEATS
from tests.test_api import CC, CS
from tests.test_checker_page import (
    BLOCKED,
    HTMX,
    PAIRS,
    URLS,
    Element,
    form_of,
    page,
    press,
    read,
    sent,
    sentences,
    states,
)
from tests.test_options import judged
from tutor.checker.entry import Entry, act, every_tile, tile_set_of

GAMES = list(rules.rulesets().values())
SEVEN = {"ruleset": "changchun", "hand": PAIRS, "option": "seven-pairs=yes"}
in_both_languages = pytest.mark.parametrize("language", URLS)


def flat(text: str) -> str:
    """A text as a page's reader sees it, white space folded."""
    return " ".join(text.split())


def rules_of(tree: Element) -> dict[str, Element]:
    """The fields of the table rules by key."""
    return {
        e["name"].removeprefix("rule-"): e
        for e in tree.all("select")
        if (e.get("name") or "").startswith("rule-")
    }


def chosen(select: Element) -> str:
    """What a list has chosen."""
    (option,) = [o for o in select.all("option") if "selected" in o.attributes]
    return option["value"]


def redirected(client: Client, form: dict[str, Any], language: str = "en") -> list[tuple[str, str]]:
    """The address to which a form leads without JavaScript."""
    response = client.get(URLS[language], form)
    assert response.status_code == 302
    return parse_qsl(urlsplit(response["Location"]).query)


# The panel


@in_both_languages
@pytest.mark.parametrize("ruleset", [*rules.rulesets(), "both"])
def test_every_house_rule_of_the_games_shown_can_be_chosen(
    client: Client, ruleset: str, language: str
) -> None:
    tree = page(client, {"ruleset": ruleset}, language)
    games = [game for game in GAMES if ruleset in (game.key, "both")]
    panels = [e for e in tree.by_id("table-rules").all("details") if "others" not in (e.get("class") or "")]
    assert [panel["id"] for panel in panels] == [f"rules-{game.key}" for game in games]
    for game, panel in zip(games, panels, strict=True):
        assert "open" not in panel.attributes
        judging, others = panel.all("ul")
        (rest,) = panel.all("details", "others")
        assert "open" not in rest.attributes
        assert rest.all("ul") == [others]
        items = judging.all("li") + others.all("li")
        assert len(items) == len(game.options)
        by_key = {item.all("select")[0]["id"].removeprefix("rule-"): item for item in items}
        for rule in game.options:
            item = by_key[rule.key]
            (select,) = item.all("select")
            assert item.all("label")[0].text == flat(rule.name.in_language(language))
            assert [o["value"] for o in select.all("option")] == [c.key for c in rule.choices]
            assert [o.text for o in select.all("option")] == [
                flat(c.words.in_language(language)) for c in rule.choices
            ]
            assert chosen(select) == rule.default
            assert flat(rule.why.in_language(language)) in item.text


@pytest.mark.parametrize(
    ("language", "usual", "one", "two"),
    [
        ("en", "all as usual", "1 changed", "2 changed"),
        ("zh-hans", "都照通常打法", "改了1条", "改了2条"),
    ],
)
def test_the_summary_says_how_many_rules_are_not_the_usual_ones(
    client: Client, language: str, usual: str, one: str, two: str
) -> None:
    for options, words in (
        ([], usual),
        (["jiahu=shape"], one),
        (["jiahu=shape-and-only-wait"], usual),
        (["points=doubling", "jiahu=shape"], two),
    ):
        tree = page(client, {"ruleset": "changchun", "option": options}, language)
        assert tree.by_id("rules-changchun-summary").all("span", "tally")[0].text == words
        assert ("aria-disabled" in tree.by_id("usual-changchun").attributes) is (words == usual)


@in_both_languages
def test_a_changed_rule_says_what_is_usual(client: Client, language: str) -> None:
    tree = page(client, SEVEN, language)
    (changed,) = tree.by_id("table-rules").all("li", "changed")
    rule = next(rule for rule in rules.ruleset("changchun").options if rule.key == "seven-pairs")
    assert chosen(changed.all("select")[0]) == "yes"
    assert flat(rule.choices[0].words.in_language(language)) in changed.all("p", "usual")[0].text


def test_a_choice_is_one_field_of_the_form_and_one_option_of_the_address(client: Client) -> None:
    form = form_of(page(client, {"ruleset": "changchun", "hand": PAIRS}))
    assert redirected(client, form) == [("ruleset", "changchun"), ("hand", PAIRS)]
    form |= {"rule-seven-pairs": "yes", "rule-points": "doubling"}
    assert redirected(client, form) == [
        ("ruleset", "changchun"),
        ("hand", PAIRS),
        ("option", "seven-pairs=yes"),
        ("option", "points=doubling"),
    ]
    assert states(sent(client, form)) == ["win"]


def test_what_the_address_chose_stays_chosen_in_the_form(client: Client) -> None:
    tree = page(client, SEVEN | {"by": "self-draw"})
    assert ("option", "seven-pairs=yes") in redirected(client, form_of(tree) | {"by": "discard"})
    assert ("option", "seven-pairs=yes") in redirected(client, form_of(tree) | {"do": "out:win"})
    (link,) = tree.by_id("language").all("a")
    assert ("option", "seven-pairs=yes") in parse_qsl(urlsplit(link["href"]).query)


def test_the_mode_of_the_next_key_outlives_the_form(client: Client) -> None:
    form = form_of(page(client, {"ruleset": "changchun", "hand": "1m"})) | {"mode": "peng"}
    assert form_of(sent(client, form))["mode"] == "peng"


def test_one_press_goes_back_to_the_usual_rules(client: Client) -> None:
    tree = press(client, page(client, SEVEN), "usual:changchun")
    assert states(tree) == ["not-win"]
    assert chosen(rules_of(tree)["seven-pairs"]) == "no"
    both = page(client, {"ruleset": "both", "option": ["jiahu=shape", "birds=4"]})
    assert redirected(client, form_of(both) | {"do": "usual:changsha"}) == [
        ("ruleset", "both"),
        ("option", "jiahu=shape"),
    ]


def test_side_by_side_each_game_has_its_own_rules(client: Client) -> None:
    query = {
        "ruleset": "both",
        "hand": "22558m 2258p 2588s +5p",
        "option": ["seven-pairs=yes", "jiangjianghu-needs-shape=yes"],
    }
    tree = page(client, query)
    assert states(tree) == ["not-win", "not-win"]
    assert [e.text for e in tree.all("span", "tally")] == ["1 changed", "1 changed"]
    without = page(client, query | {"option": "seven-pairs=yes"})
    assert states(without) == ["not-win", "win"]
    assert redirected(client, form_of(tree))[2:] == [("option", option) for option in query["option"]]


def test_a_rule_of_the_other_game_is_left_behind_when_the_game_is_changed(client: Client) -> None:
    form = form_of(page(client, {"ruleset": "changchun", "hand": CS, "option": "jiahu=shape"}))
    assert redirected(client, form | {"ruleset": "changsha"}) == [("ruleset", "changsha"), ("hand", CS)]
    both = form_of(page(client, {"ruleset": "both", "hand": CS, "option": ["jiahu=shape", "birds=4"]}))
    assert ("option", "birds=4") in redirected(client, both | {"ruleset": "changsha"})


@pytest.mark.parametrize(
    ("ruleset", "options", "wrong"),
    [
        ("changchun", ["colour=red"], [True]),
        ("changchun", ["jiahu"], [True]),
        ("changchun", ["jiahu=maybe"], [True]),
        ("changchun", ["birds=4"], [True]),
        ("changchun", ["jiahu=shape", "jiahu=only-wait"], [True]),
        ("both", ["colour=red"], [True, True]),
        ("both", ["jiahu=maybe"], [True, False]),
        ("both", ["birds=9", "jiahu=shape"], [False, True]),
        ("both", ["birds=4", "jiahu=shape"], [False, False]),
    ],
)
def test_a_bad_option_of_a_link_is_said_so_and_can_be_mended(
    client: Client, ruleset: str, options: list[str], wrong: list[bool]
) -> None:
    query = {"ruleset": ruleset, "hand": CS, "option": options}
    tree = page(client, query)
    assert [state == "error" for state in states(tree)] == wrong
    again = sent(client, form_of(tree) | ({"option": options} if any(wrong) else {}))
    assert [state == "error" for state in states(again)] == wrong
    if any(wrong):
        (mend, *_) = [b for b in tree.all("button") if (b.get("id") or "").startswith("mend-")]
        mended = sent(client, form_of(tree) | {"option": options, "do": mend["value"]})
        assert states(mended)[wrong.index(True)] != "error"


def test_a_choice_takes_the_place_of_a_bad_value_of_the_same_rule(client: Client) -> None:
    tree = page(client, {"ruleset": "changchun", "hand": CC, "option": "jiahu=maybe"})
    form = form_of(tree)
    assert form["option"] == "jiahu=maybe"
    assert redirected(client, form | {"rule-jiahu": "shape"})[2:] == [("option", "jiahu=shape")]


@pytest.mark.parametrize("ruleset", ["changchun", "both"])
@pytest.mark.parametrize(
    ("options", "state", "in_the_rack"), [([], "not-win", 8), (["special-gang-twice=no"], "error", 0)]
)
def test_the_hand_is_read_as_this_table_lets_it_lie(
    client: Client, options: list[str], state: str, in_the_rack: int, ruleset: str
) -> None:
    hand = "44m 34s {CFP} {CFP} (321m) +5s"
    tree = page(client, {"ruleset": ruleset, "hand": hand, "option": options})
    assert states(tree)[0] == state
    assert len(tree.all("div", "rack")[0].all("button")) == in_the_rack


def test_tiles_of_several_games_follow_the_first_that_has_special_gangs() -> None:
    once = rules.ruleset("changchun").with_options({"special-gang-twice": "no"})
    other = rules.ruleset("changsha")
    for games in ([once], [once, other], [other, once]):
        assert not tile_set_of(games).special_gang_twice
        assert not every_tile(tile_set_of(games)).special_gang_twice
    assert every_tile(other.tiles).special_gang_twice


# With htmx


def test_a_changed_rule_is_a_step_back_to_which_the_browser_can_go(client: Client) -> None:
    tree = page(client, {"ruleset": "changchun", "hand": PAIRS})
    here = "http://testserver/en/check/?ruleset=changchun&hand=x"
    form = form_of(tree) | {"rule-seven-pairs": "yes"}
    response = client.get(URLS["en"], form, headers=HTMX | {"HX-Current-URL": here})
    pushed = response["HX-Push-Url"]
    assert parse_qs(urlsplit(pushed).query)["option"] == ["seven-pairs=yes"]
    assert states(read(response.content.decode())) == ["win"]
    # Something else that is changed at this table is no step, nor is another game.
    for change in ({"by": "self-draw"}, {"ruleset": "changsha"}):
        later = client.get(
            URLS["en"], form | change, headers=HTMX | {"HX-Current-URL": f"http://testserver{pushed}"}
        )
        assert "HX-Push-Url" not in later
        assert "HX-Replace-Url" in later


@pytest.mark.parametrize("url", ["http://[", "", "x?ruleset=%ff&option", "?" * 50])
def test_a_browser_that_gives_a_strange_address_is_answered(client: Client, url: str) -> None:
    assert client.get(URLS["en"], SEVEN, headers=HTMX | {"HX-Current-URL": url}).status_code == 200


# What the verdict says of the table


@in_both_languages
def test_a_verdict_that_a_house_rule_changed_says_so(client: Client, language: str) -> None:
    tree = page(client, SEVEN | {"option": ["seven-pairs=yes", "special-gang-twice=no"]}, language)
    (note,) = tree.all("div", "note")
    (changed,) = note.all("p", "changed")
    rule = next(rule for rule in rules.ruleset("changchun").options if rule.key == "seven-pairs")
    for words in (rule.name, rule.choice("yes").words, rule.choice("no").words):
        assert flat(words.in_language(language)) in changed.text
    assert ("Judged by this table's rule" if language == "en" else "按这桌的规矩判") in changed.text
    (link,) = tree.all("p", "by-table")[0].all("a")
    assert link["href"] == f"#{note['id']}"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], f"Judged by the usual rules. Tables differ on {len(GAMES[0].options)} points: Table rules"),
        (
            ["special-gang-twice=no"],
            "1 rule of this table is not the usual one, but it makes no difference here. Table rules",
        ),
    ],
)
def test_a_verdict_that_no_house_rule_changed_says_that(
    client: Client, options: list[str], words: str
) -> None:
    tree = page(client, {"ruleset": "changchun", "hand": CC, "option": options})
    assert tree.all("div", "note")[0].text == words
    assert tree.all("p", "by-table") == []


def test_waits_are_blocked_for_the_reasons_of_this_table_and_these_circumstances(client: Client) -> None:
    query = {"ruleset": "changchun", "hand": BLOCKED, "option": "must-declare-ting=yes"}
    quiet = page(client, query).all("ul", "waits")[0]
    assert quiet.all("li", "blocked")[0].text != quiet.all("li", "blocked")[-1].text
    declared = page(client, query | {"listening": "1"}).all("ul", "waits")[0]
    plain = page(client, query | {"option": []}).all("ul", "waits")[0]
    assert declared.all("li", "blocked")[0].text == plain.all("li", "blocked")[0].text


# Who pays whom


@in_both_languages
@pytest.mark.parametrize(
    "query",
    [
        {"ruleset": "changchun", "hand": CC},
        {"ruleset": "changchun", "hand": CC, "seat": "0", "from": "3", "option": "discard-pays=everyone"},
        {"ruleset": "changsha", "hand": CS, "by": "self-draw", "birds": "2m,5p"},
        {"ruleset": "changsha", "hand": "11133m 44999p 777s +4p", "seat": "2", "from": "0"},
    ],
)
def test_every_payment_is_told_with_its_reason_and_the_seats_add_up_to_nothing(
    client: Client, query: dict[str, str], language: str
) -> None:
    tree = page(client, query, language)
    given = {k: v for k, v in query.items() if k not in ("ruleset", "hand", "option")}
    option = query.get("option")
    verdict = judged(query["ruleset"], query["hand"], dict([option.split("=")]) if option else {}, **given)
    (table,) = tree.all("table", "payments")
    rows = table.all("tbody")[0].all("tr")
    assert verdict.lines
    for row, line in zip(rows, verdict.lines, strict=True):
        who, why, points = [c for c in row.children if isinstance(c, Element)]
        assert who["scope"] == "row"
        assert who.text.startswith(SEATS[line.payer].in_language(language))
        assert who.text.endswith(SEATS[line.receiver].in_language(language))
        assert flat(line.message.in_language(language)) in why.text
        assert all(cite in why.text for cite in line.cites)
        assert points.text == str(line.points)
    (totals,) = tree.all("table", "totals")
    assert [e.text for e in totals.all("th")] == [flat(seat.in_language(language)) for seat in SEATS]
    shown = [int(e.text.replace("−", "-")) for e in totals.all("td")]
    assert tuple(shown) == verdict.payments
    assert sum(shown) == 0


@pytest.mark.parametrize("hand", ["123m 45556p 789s SSS", BLOCKED, f"{BLOCKED} +4m"])
def test_nothing_is_paid_where_nobody_knows_what(client: Client, hand: str) -> None:
    tree = page(client, {"ruleset": "changchun", "hand": hand})
    assert tree.all("table", "payments") == tree.all("table", "totals") == []


# Birds


@pytest.mark.parametrize(("option", "number"), [("2", 2), ("1", 1), ("4", 4), ("6", 6), ("0", 0)])
def test_there_is_a_field_for_each_bird_that_the_table_draws(
    client: Client, option: str, number: int
) -> None:
    tree = page(client, {"ruleset": "changsha", "hand": CS, "option": f"birds={option}"})
    assert len(tree.field("birds")) == number
    assert page(client, {"ruleset": "changchun", "hand": CC}).field("birds") == []


def test_birds_are_chosen_and_stand_in_the_address(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "hand": CS, "birds": "2m,五筒"})
    assert [chosen(field) for field in tree.field("birds")] == ["2m", "5p"]
    form = form_of(tree)
    assert ("birds", "2m,5p") in redirected(client, form | {"birds": ["2m", "5p"]})
    assert ("birds", "5p") in redirected(client, form | {"birds": ["", "5p"]})
    assert "birds" not in dict(redirected(client, form | {"birds": ["", ""]}))
    fewer = redirected(client, form | {"birds": ["2m", "5p"], "rule-birds": "1"})
    assert ("birds", "2m") in fewer
    assert "birds" not in dict(redirected(client, form | {"birds": ["2m", "5p"], "rule-birds": "0"}))


def test_too_many_birds_of_a_link_are_an_error(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "hand": CS, "birds": "2m,3m", "option": "birds=1"})
    assert states(tree) == ["error"]


def test_on_the_last_tile_the_winning_tile_is_the_bird_unless_somebody_says_otherwise(
    client: Client,
) -> None:
    last = {"ruleset": "changsha", "hand": CS, "by": "self-draw", "moments": "haidilaoyue"}
    first = page(client, last).field("birds")[0].all("option")
    assert [(o["value"], o.text) for o in first[:2]] == [("", "the winning tile"), ("0", "none")]
    none = page(client, last | {"birds": "0"})
    assert chosen(none.field("birds")[0]) == "0"
    assert ("birds", "0") in redirected(client, form_of(none) | {"birds": ["0", ""]})
    plain = page(client, {"ruleset": "changsha", "hand": CS}).field("birds")[0].all("option")
    assert [o["value"] for o in plain[:2]] == ["", "1m"]


# On the way to a win


@in_both_languages
@pytest.mark.parametrize(
    ("ruleset", "hand"),
    [
        ("changchun", f"{BLOCKED} +4m"),
        ("changsha", "22558m 2258p 2588s +9p"),
        ("changchun", "123m 45556p 78s SSS +1m"),
    ],
)
def test_every_exchange_that_wins_is_offered_and_does_what_it_says(
    client: Client, ruleset: str, hand: str, language: str
) -> None:
    tree = page(client, {"ruleset": ruleset, "hand": hand}, language)
    verdict = judged(ruleset, hand)
    buttons = tree.all("button", "fix")
    assert len(buttons) == len(verdict.fixes) > 0
    assert tree.all("p", "one-away")[0].all("button")[0] is buttons[0]
    for button, fix in zip(buttons, verdict.fixes, strict=True):
        of_winning = ":win" if fix.of_winning else ""
        assert button["value"] == f"swap:{fix.out.code}:{fix.into.code}{of_winning}"
        assert flat(fix.message.in_language(language)) in button.text
        assert str(verdict.hand.left(fix.into)) in button.text
        mended = press(client, page(client, {"ruleset": ruleset, "hand": hand}), button["value"])
        assert states(mended) == ["win"]
        assert mended.by_id("hand")["value"] == notation.write(fix.hand)


@in_both_languages
def test_a_hand_that_nothing_can_save_says_so(client: Client, language: str) -> None:
    hand = "C (123m) (222p) (777s) (999m) +C"
    tree = page(client, {"ruleset": "changchun", "hand": hand}, language)
    (nearer,) = tree.all("section", "nearer")
    (sentence,) = judged("changchun", hand).nearness
    assert sentence.in_language(language) in nearer.text
    assert nearer.all("button") == []


@pytest.mark.parametrize(
    ("ruleset", "hand"),
    [("changsha", "147m 258p 1469s 147s"), ("changchun", "123m 456p 45789s EE")],
)
def test_a_hand_that_waits_for_nothing_yet_says_which_draws_bring_it_nearer(
    client: Client, ruleset: str, hand: str
) -> None:
    tree = page(client, {"ruleset": ruleset, "hand": hand})
    verdict = judged(ruleset, hand)
    (draws,) = verdict.draws
    (nearer,) = tree.all("section", "nearer")
    assert verdict.nearness[0].en in nearer.text
    assert f"{draws.left} left" in nearer.text
    buttons = nearer.all("ul", "drawing")[0].all("button")
    assert [b["value"] for b in buttons] == [f"win:{t.code}" for t, _ in draws.tiles]
    assert all(
        b["aria-label"].endswith(f"{left} left") for b, (_, left) in zip(buttons, draws.tiles, strict=True)
    )


@pytest.mark.parametrize("hand", ["123m 11456p 67789s +8s", "22558m 2258p 2588s +9p"])
def test_a_full_hand_says_what_to_discard_and_what_helps_then(client: Client, hand: str) -> None:
    tree = page(client, {"ruleset": "changsha", "hand": hand})
    verdict = judged("changsha", hand)
    rows = [row for listed in tree.all("ul", "draws") for row in listed.all("li")]
    for row, draws in zip(rows, verdict.draws, strict=True):
        (button,) = row.all("button")
        assert draws.discard
        assert button["value"] == f"discard:{draws.discard.code}"
        assert f"{draws.left} left" in row.text
        after = press(client, page(client, {"ruleset": "changsha", "hand": hand}), button["value"])
        assert after.by_id("hand")["value"] == notation.write(verdict.hand.without(draws.discard))


def test_a_long_list_shows_its_best_and_keeps_the_rest_shut(client: Client) -> None:
    tree = page(client, {"ruleset": "changsha", "hand": "123m 11456p 67789s +8s"})
    (nearer,) = tree.all("section", "nearer")
    (shut,) = nearer.all("details")
    assert "open" not in shut.attributes
    assert len(nearer.all("ul", "draws")[0].all("li")) == 5
    assert shut.all("summary")[0].text == f"{len(shut.all('li'))} more discards"


@pytest.mark.parametrize("hand", [CC, "123m 45556p 78s SSS", BLOCKED])
def test_a_win_or_a_ready_hand_is_near_enough(client: Client, hand: str) -> None:
    assert page(client, {"ruleset": "changchun", "hand": hand}).all("section", "nearer") == []


@pytest.mark.parametrize(
    ("text", "action", "made"),
    [
        ("123m 45556p 78s SSS +1m", "swap:1m:9s", "23m 45556p 789s SSS +1m"),
        (f"{BLOCKED} +4m", "swap:4m:1m", "12356m 555p 77888s +4m"),
        (f"{BLOCKED} +9m", "swap:9m:1m", f"{BLOCKED} +1m"),
        (f"{BLOCKED} +4m", "discard:4m", BLOCKED),
    ],
)
def test_an_exchange_or_a_discard_can_be_undone(text: str, action: str, made: str) -> None:
    after = act(Entry(text=text), [action], rules.ruleset("changchun").tiles)
    assert (after.text, after.past) == (made, (text,))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (f"{BLOCKED} +4m", "swap:9p:1m"),
        (f"{BLOCKED} +4m", "swap:4m:X"),
        (f"{BLOCKED} +4m", "swap:4m"),
        (f"{BLOCKED} +4m", "discard:E"),
        (f"{BLOCKED} +4m", "discard:"),
        ("23456m 5555p 7788s +4m", "swap:4m:5p"),
        (BLOCKED, "swap:2m:1m"),
        (BLOCKED, "discard:2m"),
    ],
)
def test_an_exchange_or_a_discard_that_cannot_be_made_changes_nothing(text: str, action: str) -> None:
    before = Entry(text=text)
    assert act(before, [action], rules.ruleset("changchun").tiles) == before


def test_no_tile_is_exchanged_for_one_that_the_game_has_not() -> None:
    before = Entry(text=CS)
    assert act(before, ["swap:9p:E"], rules.ruleset("changsha").tiles) == before


# The other games


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "This hand would win in Changsha as qidui."),
        ("zh-hans", "这手牌按长沙打法能胡：七对。"),
    ],
)
def test_a_hand_that_loses_here_and_would_win_elsewhere_says_where(
    client: Client, language: str, sentence: str
) -> None:
    query = {"ruleset": "changchun", "hand": "2255m 337744p 119s +9s", "by": "self-draw", "listening": "1"}
    tree = page(client, query, language)
    (line,) = tree.all("p", "elsewhere")
    assert line.text == sentence
    (link,) = line.all("a")
    assert dict(parse_qsl(link["href"][1:])) == {
        "ruleset": "changsha",
        "hand": query["hand"],
        "by": "self-draw",
    }
    assert states(read(client.get(URLS[language] + link["href"]).content.decode())) == ["win"]


@pytest.mark.parametrize(
    "query",
    [
        {"ruleset": "changchun", "hand": CC},
        {"ruleset": "changchun", "hand": PAIRS},
        {"ruleset": "changchun", "hand": BLOCKED},
        {"ruleset": "changchun", "hand": "147m 258p 147s 258s +9s"},
        {"ruleset": "both", "hand": "2255m 337744p 119s +9s"},
    ],
)
def test_nothing_is_said_of_a_game_in_which_it_would_not_win(client: Client, query: dict[str, str]) -> None:
    assert page(client, query).all("p", "elsewhere") == []


@pytest.mark.parametrize("query", [{"by": "bao-match", "listening": "1", "bao": "9s"}, {"bao": "xx"}])
def test_a_way_to_win_that_the_other_game_has_not_is_left_out_there(
    client: Client, query: dict[str, str]
) -> None:
    tree = page(client, {"ruleset": "changchun", "hand": "2255m 337744p 119s +9s", **query})
    for line in tree.all("p", "elsewhere"):
        assert "by" not in dict(parse_qsl(line.all("a")[0]["href"][1:]))


def test_the_verdict_keeps_its_order(client: Client) -> None:
    """Sentence, hand, the exchange that wins, clauses, readings, waits, how near, table rules."""
    tree = page(client, {"ruleset": "changchun", "hand": f"{BLOCKED} +4m"})
    (article,) = tree.all("article", "answer")
    found = [c.get("class") or c.tag for c in article.children if isinstance(c, Element)]
    marks = ["sentence", "shown", "one-away", "findings", "readings", "waits", "nearer", "note"]
    assert [mark for mark in found if mark in marks] == marks
    won = page(client, {"ruleset": "changchun", "hand": CC}).all("article", "answer")[0]
    found = [c.get("class") or c.tag for c in won.children if isinstance(c, Element)]
    marks = ["sentence", "shown", "findings", "score", "payments", "totals", "readings", "waits", "note"]
    assert [mark for mark in found if mark in marks] == marks


def test_an_error_that_names_many_rules_is_set_small(client: Client) -> None:
    tree = page(client, {"ruleset": "changchun", "hand": CC, "option": "colour=red"})
    assert tree.all("p", "sentence")[0]["class"] == "sentence long"
    assert "colour" in sentences(tree)[0]
