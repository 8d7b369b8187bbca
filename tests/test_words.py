"""What the engine says: everything in both languages, every source named, every example true to its title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import rules
from rules import HandError, Text
from rules.circumstances import SEATS, read
from rules.tiles import TILES
from rules.verdict import Verdict
from tests import dealing
from tests.test_circumstances import CANNOT_BE
from tests.test_notation import REFUSED, REFUSED_IN_CHANGSHA
from tests.test_properties import verdict_on

GAMES = list(rules.rulesets().values())
RULE_COUNT = {"changchun": ("CC", 97), "changsha": ("CS", 86)}
HAN = re.compile(r"[\u3400-\u9fff]")
FULL_WIDTH = re.compile(r"[\u3000-\u303f\uff00-\uffef]")
HALF_WIDTH = re.compile(r"[\u3400-\u9fff][,;:?!.]|[,;:?!.][\u3400-\u9fff]")
LATIN_SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,} [a-z]{2,}")


def complaint(text: Text, *, sentence: bool = False) -> str | None:
    """What is wrong with a text, None if nothing is."""
    if not text.en.strip() or text.en != text.en.strip():
        return f"no English, or space around it: {text!r}"
    if not HAN.search(text.zh) or text.zh != text.zh.strip():
        return f"no Chinese, or space around it: {text!r}"
    if FULL_WIDTH.search(text.en):
        return f"full-width punctuation in English: {text!r}"
    if HALF_WIDTH.search(text.zh):
        return f"half-width punctuation in Chinese: {text!r}"
    if LATIN_SENTENCE.search(text.zh):
        return f"English left in Chinese: {text!r}"
    if sentence and (text.en[-1] not in ".?!" or text.zh[-1] not in "。？！"):
        return f"a sentence without its full stop: {text!r}"
    if re.search(r"\bNone\b|\{\w+\}|  ", text.en + text.zh) and "{ESWN}" not in text.en:
        return f"unfinished words: {text!r}"
    return None


def names(game: rules.Ruleset) -> Iterator[Text]:
    """Every name and title of a game."""
    yield game.name
    yield game.measure.name
    yield from (rule.name for rule in game.rules)
    yield from (shape.name for shape in game.shapes)
    yield from (way.name for way in game.ways)
    yield from (example.title for example in game.examples)
    for owner in (*game.patterns, *game.openings, *game.table.rulings):
        yield owner.name
        yield owner.meaning
    for option in game.options:
        yield option.name
        yield from (choice.words for choice in option.choices)
    yield from (game.measure.total(n) for n in range(12))
    yield from map(game.tiles.label, game.tiles.tiles)
    yield from (game.tiles.suit_name(suit) for suit in game.tiles.suits)


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.key)
def test_every_name_is_there_in_both_languages(game: rules.Ruleset) -> None:
    assert [c for c in map(complaint, names(game)) if c] == []


def test_every_seat_and_tile_has_a_name_in_both_languages() -> None:
    assert [c for c in map(complaint, SEATS) if c] == []
    for game in GAMES:
        for kind in TILES:
            if kind in game.tiles.kinds:
                text = game.tiles.name(kind)
                assert text.en
                assert HAN.search(text.zh)
                assert not FULL_WIDTH.search(text.en)


def sentences(verdict: Verdict) -> Iterator[Text]:
    """Everything that a verdict says."""
    yield verdict.summary
    yield from (finding.message for finding in verdict.findings)
    yield from (line.message for line in verdict.lines)
    yield from (fix.message for fix in verdict.fixes)
    yield from verdict.nearness


@pytest.mark.parametrize("key", sorted(RULE_COUNT))
def test_every_sentence_of_a_verdict_is_there_in_both_languages(key: str) -> None:
    said: dict[Text, str] = {}
    for dealt in dealing.hands(key, 2026, 1500):
        for text in sentences(verdict_on(key, *dealt)):
            said.setdefault(text, dealing.notation(*dealt[:3]))
    assert len(said) > 100
    assert [(c, hand) for text, hand in said.items() if (c := complaint(text, sentence=True))] == []


@pytest.mark.parametrize("key", sorted(RULE_COUNT))
def test_every_finding_of_a_verdict_cites_rules_of_its_own_game(key: str) -> None:
    for dealt in dealing.hands(key, 11, 500):
        for finding in verdict_on(key, *dealt).findings:
            assert_cites(key, finding.cites)


def assert_cites(key: str, cites: tuple[str, ...]) -> None:
    """The ids are those of lines in the game's source text, each once."""
    prefix, last = RULE_COUNT[key]
    assert cites
    assert len(set(cites)) == len(cites)
    for one in cites:
        found = re.fullmatch(r"(C[CS])-([1-9]\d?)", one)
        assert found, one
        assert found[1] == prefix
        assert 1 <= int(found[2]) <= last


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.key)
def test_every_rule_and_pattern_cites_rules_of_its_own_game(game: rules.Ruleset) -> None:
    for owner in (*game.rules, *game.patterns):
        assert_cites(game.key, owner.cites)


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.key)
def test_every_opening_ruling_and_house_rule_cites_rules_of_its_own_game(game: rules.Ruleset) -> None:
    for owner in (*game.openings, *game.options):
        assert_cites(game.key, owner.cites)
    for ruling in game.table.rulings:
        # What the text does not say cites a reading of it instead.
        assert ruling.cites or ruling.readings
        if ruling.cites:
            assert_cites(game.key, ruling.cites)


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.key)
def test_every_house_rule_asks_a_question_and_says_why_a_table_would_choose_otherwise(
    game: rules.Ruleset,
) -> None:
    for option in game.options:
        assert option.name.en.endswith("?")
        assert option.name.zh.endswith("？")
        assert complaint(option.why, sentence=True) is None
        assert len(option.choices) >= 2


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.key)
def test_keys_are_written_alike_and_stand_once(game: rules.Ruleset) -> None:
    for owners in (game.rules, game.patterns, game.ways, game.shapes, game.openings, game.table.rulings):
        keys = [owner.key for owner in owners]
        assert len(set(keys)) == len(keys)
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key) for key in keys)


ERRORS = [("changchun", row[0]) for row in REFUSED] + [("changsha", row[0]) for row in REFUSED_IN_CHANGSHA]


@pytest.mark.parametrize(("key", "text"), [*ERRORS, ("changsha", "1" * 300)], ids=ascii)
def test_every_refusal_of_a_text_speaks_both_languages(key: str, text: str) -> None:
    with pytest.raises(HandError) as refused:
        rules.ruleset(key).parse(text)
    # A character that was typed is repeated as it was typed.
    quoted = re.compile("“[^”]*”|[\U0001f000-\U0001f02b]")
    message = Text(quoted.sub("“…”", refused.value.message.en), quoted.sub("“…”", refused.value.message.zh))
    assert complaint(message, sentence=True) is None


@pytest.mark.parametrize("row", CANNOT_BE, ids=[row[0] for row in CANNOT_BE])
def test_every_refusal_of_circumstances_speaks_both_languages(row: tuple[Any, ...]) -> None:
    _, key, text, given, _ = row
    game = rules.ruleset(key)
    with pytest.raises(HandError) as refused:
        read(game, game.parse(text), given)
    assert complaint(refused.value.message, sentence=True) is None


def test_an_unknown_ruleset_is_refused_in_both_languages() -> None:
    with pytest.raises(HandError) as refused:
        rules.ruleset("nowhere")
    assert complaint(refused.value.message, sentence=True) is None


# Examples: what each title claims


CLAIMS: dict[str, dict[str, dict[str, Any]]] = {
    "changchun": {
        "A closed hand wins": {"state": "win", "has": ["lihu"]},
        "Looks complete, lacks a suit": {"state": "not-win", "fails": ["three-suits"]},
        "No 1, no 9": {"state": "not-win", "fails": ["terminal-or-honor"]},
        "All sequences: no triplet": {"state": "not-win", "fails": ["triplet"]},
        "A pair of dragons excuses two rules": {"state": "win", "waived": ["terminal-or-honor", "triplet"]},
        "Seven pairs don't count here": {"state": "not-win", "fails": ["shape"]},
        "One tile left, after a chi": {"state": "not-win", "fails": ["single-tile-hand"]},
        "A gang of the three dragons": {"state": "win", "waived": ["terminal-or-honor", "triplet"]},
        "The bao is drawn": {"state": "win", "has": ["baopai"], "stands_for": "7s"},
        "What does it wait for?": {"state": "ready", "waits": ["1m"]},
    },
    "changsha": {
        "A small win with a pair of 5s": {"state": "win", "has": ["xiaohu"], "pair": 5},
        "Looks complete, wrong pair": {"state": "not-win", "fails": ["pair-258"]},
        "Wrong pair, one tile away": {"state": "not-win", "fails": ["pair-258"]},
        "Any pair will do: all triplets": {"state": "win", "has": ["pengpenghu"], "waived": ["pair-258"]},
        "No sets at all, yet a win": {"state": "win", "has": ["jiangjianghu"], "sets": 0},
        "Same tiles, several readings": {"state": "win", "shapes": 2},
        "Seven pairs with four alike": {"state": "win", "has": ["haohua-qidui"]},
        "Pairs, but one was a peng": {"state": "not-win", "fails": ["shape"]},
        "Four melds, one tile": {"state": "win", "has": ["quanqiuren"], "melds": 4},
        "After opening a gang": {"state": "win", "has": ["gangshanghua"]},
        "What does it wait for?": {"state": "ready", "waits": ["2m", "5m"]},
    },
}
EXAMPLES = [pytest.param(g, e, id=f"{g.key}: {e.title.en}") for g in GAMES for e in g.examples]


@pytest.mark.parametrize(("game", "example"), EXAMPLES)
def test_an_example_is_what_its_title_says(game: rules.Ruleset, example: Any) -> None:
    assert example.title.en in CLAIMS[game.key], "an example without its claim in this table"
    claim = CLAIMS[game.key][example.title.en]
    hand = game.parse(example.hand)
    verdict = game.judge(hand, read(game, hand, dict(example.given)))
    by_status = {s: [f.rule.key for f in verdict.findings if f.status == s] for s in ("fail", "waived")}
    assert verdict.state == claim["state"]
    assert by_status["fail"] == claim.get("fails", [])
    assert set(claim.get("waived", [])) <= set(by_status["waived"])
    assert set(claim.get("has", [])) <= set(verdict.patterns)
    assert (verdict.stands_for and verdict.stands_for.code) == claim.get("stands_for")
    if "waits" in claim:
        assert [w.tile.code for w in verdict.waits] == claim["waits"]
    if "pair" in claim:
        assert verdict.chosen.reading.pair.rank == claim["pair"]
    if "sets" in claim:
        assert len(verdict.chosen.reading.sets) == claim["sets"]
    if "shapes" in claim:
        assert len({j.reading.shape for j in verdict.readings}) == claim["shapes"]
    if "melds" in claim:
        assert len(hand.melds) == claim["melds"]


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.key)
def test_no_two_examples_are_alike_and_none_is_missing(game: rules.Ruleset) -> None:
    assert len({(e.hand, e.given) for e in game.examples}) == len(game.examples)
    assert {e.title.en for e in game.examples} == set(CLAIMS[game.key])
