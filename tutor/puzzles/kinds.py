"""The kinds of puzzle: what each asks, which rules it can be about, and how a fresh one is made.

A maker tries hands of the styles that lead where it wants to go, and lets the engine decide whether one got
there. What it returns is a plain mapping, as an author of lessons would write it: `levels` makes the question
of it, with every right answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any
from weakref import ref

from rules import HandError, Ruleset, Text, notation, rulesets
from rules.deal import look
from rules.hands import Hand
from rules.text import listed
from rules.tiles import Tile
from rules.verdict import Verdict
from tutor.content.build import pages_of
from tutor.content.levels import Level
from tutor.content.picked import scenario_of
from tutor.content.questions import Template, filled, suits
from tutor.content.shelf import Shelf
from tutor.puzzles import tables
from tutor.puzzles.hands import (
    LEVELS,
    Box,
    How,
    NoTilesError,
    broken_by,
    chance_of,
    deal,
    exchanged,
    how_of,
    is_mendable,
    leads,
    near_to,
    styled,
    usual,
)
from tutor.puzzles.making import TRIES, Asked, hand_traits, written

Topics = Callable[[Ruleset, Shelf, int], tuple[str, ...]]
Make = Callable[[Random, Ruleset, int, str, Shelf], "Asked | None"]


@dataclass(frozen=True)
class Kind:
    """A kind of puzzle. name: what it is called. prompt: what it asks.

    topics: the pages of the rules it can be about. make: one try at a puzzle of a level, about a topic.
    traits: what grows, or stays, from level to level. takes_nothing: nothing chosen is an answer.
    tells_topic: its answer is what it is about.
    """

    key: str
    name: Text
    prompt: Text
    topics: Topics
    make: Make
    traits: tuple[str, ...]
    takes_nothing: bool = False
    tells_topic: bool = False

    def lines(self, game: Ruleset, stock: Shelf) -> set[str]:
        """The source lines that this kind drills, at one level or another."""
        if self.key == "table":
            return {line for made in stock.questions(game) for line in made.cites}
        topics = {topic for level in LEVELS for topic in self.topics(game, stock, level)}
        pages = pages_of(game)
        return {line for topic in topics for line in pages[topic].cites}

    def posed(self, level: Level, asks: Text) -> Level:
        """A level as a question of this kind."""
        return replace(level, prompt=asks, takes_nothing=self.takes_nothing)

    def asks(self, node: Mapping[str, Any], game: Ruleset) -> Text:
        """What a puzzle of this kind asks."""
        if "prompt" in node:
            return Text(node["prompt"]["en"], node["prompt"]["zh"])
        has = node.get("goal", {}).get("has")
        if has:
            names = listed([game.pattern(key).name for key in ([has] if isinstance(has, str) else has)])
            return Text(
                f"Exchange one tile to make a win with {names.en}.",
                f"换一张牌，让这手牌胡成{names.zh}。",
            )
        return self.prompt


# Which rules a kind can be about


def _rules(game: Ruleset, stock: Shelf, level: int) -> tuple[str, ...]:
    """The rules of a win: the shape, and whatever a complete hand can break alone."""
    breaks = leads(game).breaks
    return tuple(f"win/{r.key}" for n, r in enumerate(game.rules) if n == 0 or breaks[r.key])


def _partly(game: Ruleset, stock: Shelf, level: int) -> tuple[str, ...]:
    """The shape, and the rules that can bar one of several tiles that a hand waits for."""
    partly = leads(game).partly
    return tuple(f"win/{r.key}" for n, r in enumerate(game.rules) if n == 0 or partly.get(r.key))


def _patterns(game: Ruleset, stock: Shelf, level: int) -> tuple[str, ...]:
    holds = leads(game).holds
    return tuple(f"pattern/{p.key}" for p in game.patterns if holds[p.key])


def _goals(game: Ruleset) -> tuple[str, ...]:
    """The patterns that the tiles of a hand alone decide, and not every win has."""
    known = leads(game)
    most = max(known.bare.values(), default=0)
    keys = [p.key for p in game.patterns if not p.is_moment and p.worth and known.bare.get(p.key)]
    return tuple(f"pattern/{key}" for key in keys if known.bare[key] < most or len(keys) == 1)


def _openings(game: Ruleset, stock: Shelf, level: int) -> tuple[str, ...]:
    return tuple(f"opening/{o.key}" for o in game.openings)


def _rulings(*keys: str) -> Topics:
    def known(game: Ruleset, stock: Shelf, level: int) -> tuple[str, ...]:
        there = {ruling.key for ruling in game.table.rulings}
        return tuple(f"table/{key}" for key in keys if key in there)

    return known


def _is_shape(game: Ruleset, key: str) -> bool:
    return key == game.rules[0].key


# Hands that win, and hands that break one rule


def miss(
    chance: Random, game: Ruleset, level: int, rule: str, *, is_near: bool | None = None
) -> Verdict | None:
    """A full hand that breaks this rule and no other. is_near: one that an exchange mends, where there are
    such; None for one the more often, the higher the level."""
    if is_near is None:
        is_near = chance.random() < (0.1, 0.3, 0.5, 0.7, 0.9)[level - 1]
    found = None
    for _ in range(3):
        found = _broken(chance, game, level, rule, is_near=is_near) or found
        if found is None or is_mendable(found) is is_near:
            return found
    return found


def _broken(chance: Random, game: Ruleset, level: int, rule: str, *, is_near: bool = True) -> Verdict | None:
    for _ in range(TRIES):
        with suppress(NoTilesError):
            verdict = _miss(chance, game, level, rule, is_near)
            if verdict and broken_by(verdict) == (rule,):
                return verdict
    return None


def _miss(chance: Random, game: Ruleset, level: int, rule: str, is_near: bool) -> Verdict | None:
    known, box, how = leads(game), Box(chance, game), chance.choice(usual(game))
    # What breaks the shape alone in the making is another game's shape.
    if not _is_shape(game, rule) or (known.breaks[rule] and chance.random() < 0.15):
        return game.judge(deal(box, styled(chance, known.breaks[rule]), level), how.read)
    hand = deal(box, styled(chance, known.wins), level)
    for _ in range(1 if is_near else 2):
        hand = exchanged(box, hand)
    return game.judge(hand, how.read)


def win(chance: Random, game: Ruleset, level: int, rule: str) -> Verdict | None:
    """A hand that wins; of a rule, one that all but broke it, or is made of what mostly breaks it."""
    known = leads(game)
    styles: Mapping[str, int] = known.wins
    if not _is_shape(game, rule):
        if chance.random() < 0.7:
            for _ in range(3):
                missed = miss(chance, game, level, rule, is_near=True)
                mended = _mended(chance, missed) if missed else None
                if mended:
                    return mended
        both = {style: count for style, count in known.breaks[rule].items() if known.wins.get(style)}
        styles = both or styles
    for _ in range(TRIES):
        with suppress(NoTilesError):
            hand = deal(Box(chance, game), styled(chance, styles), level)
            verdict = game.judge(hand, chance.choice(usual(game)).read)
            if verdict.wins:
                return verdict
    return None


def _mended(chance: Random, missed: Verdict) -> Verdict | None:
    """A losing hand made to win, by what is said of it alone or by one exchange."""
    game = missed.ruleset
    said = game.judge(missed.hand, usual(game)[-1].read)
    if said.wins:
        return said
    ways = game.fixes(missed.hand, missed.circumstances)
    if not ways:
        return None
    verdicts = [
        game.judge(hand, missed.circumstances) for hand in missed.hand.exchanged(*chance.choice(ways))
    ]
    return next((verdict for verdict in verdicts if verdict.wins), None)


def _key(topic: str) -> str:
    return topic.partition("/")[2]


def _asked_of(verdict: Verdict, node: Mapping[str, Any] | None = None, **traits: float) -> Asked:
    given = written(verdict)
    hand = notation.write(verdict.hand)
    context = {"by": "discard", **given, **(node or {})}
    return Asked(
        {"hand": hand, **given, **(node or {})}, hand, context, {**hand_traits(verdict.hand), **traits}
    )


def _can_win(chance: Random, game: Ruleset, level: int, topic: str, stock: Shelf) -> Asked | None:
    if chance.random() < 0.5:
        verdict = win(chance, game, level, _key(topic))
        return _asked_of(verdict) if verdict else None
    verdict = miss(chance, game, level, _key(topic))
    return _asked_of(verdict, near=int(is_mendable(verdict))) if verdict else None


def _why_not(chance: Random, game: Ruleset, level: int, topic: str, stock: Shelf) -> Asked | None:
    verdict = miss(chance, game, level, _key(topic))
    return _asked_of(verdict, near=int(is_mendable(verdict))) if verdict else None


# Waits, discards, exchanges


def _waits(chance: Random, game: Ruleset, level: int, topic: str, stock: Shelf) -> Asked | None:
    wanted = chance.choice(((1,), (1, 1, 1, 2), (2,), (3,), (4,))[level - 1])
    is_none = chance.random() < 0.06
    best: tuple[int, Verdict] | None = None
    for _ in range(4):
        verdict = _waiting(chance, game, level, _key(topic))
        if verdict is None or (not verdict.waits and not is_none):
            continue
        off = abs(len(verdict.waits) - wanted)
        if best is None or off < best[0]:
            best = (off, verdict)
    if best is None:
        return None
    traits = {"waits": len(best[1].waits)} if best[1].waits else {}
    return _asked_of(best[1], None, **traits)


def _waiting(chance: Random, game: Ruleset, level: int, rule: str) -> Verdict | None:
    """A hand one tile short that waits; or, of a rule, one that the rule keeps from some tile, perhaps
    all."""
    if _is_shape(game, rule):
        full = win(chance, game, level, rule)
        return game.judge(full.hand.without_winning(), full.circumstances) if full else None
    found = None
    for _ in range(3):
        full = _broken(chance, game, level, rule)
        if full is None:
            return None
        verdict = game.judge(full.hand.without_winning(), full.circumstances)
        if any(wait.fails == (rule,) for wait in verdict.blocked_waits):
            found = verdict
            if verdict.waits:
                break
    return found


def _discard(chance: Random, game: Ruleset, level: int, topic: str, stock: Shelf) -> Asked | None:
    is_near = level > 3 and chance.random() < (0.4 if level == 4 else 0.8)
    for _ in range(8 if is_near else 2):  # most hands that are not ready leave too much open
        made = _one_to_discard(chance, game, level, _key(topic), is_near=is_near)
        if made:
            return made
    return None


def _one_to_discard(chance: Random, game: Ruleset, level: int, rule: str, *, is_near: bool) -> Asked | None:
    full = win(chance, game, level, rule) if _is_shape(game, rule) else miss(chance, game, level, rule)
    if full is None:
        return None
    how, rest = full.circumstances, full.hand.without_winning()
    box = Box(chance, game)
    for kind in full.hand.tiles:
        box.left[kind] -= 1
    if is_near:
        loose = list(rest.loose)
        loose.remove(chance.choice(loose))
        loose.append(box.draw(sorted({t for held in loose for t in near_to(held)} & box.left.keys())))
        rest = Hand.of(loose, rest.melds)
    drawn = box.draw(sorted({t for held in rest.loose for t in near_to(held)} & box.left.keys()))
    hand = Hand.of((*rest.loose, drawn), rest.melds)
    if len(hand.loose) < 5 or game.wins(hand, how):
        return None
    after = [game.all_waits(hand.without(kind), how) for kind in sorted(set(hand.loose))]
    is_ready = any(not wait.fails for waits in after for wait in waits)
    if is_ready is is_near:
        return None
    ready = sum(any(not wait.fails for wait in waits) for waits in after)
    if ready > _MOST_DISCARDS or ready == len(after):
        return None
    if not _is_shape(game, rule) and not any(wait.fails == (rule,) for waits in after for wait in waits):
        return None
    verdict = game.judge(hand, how)
    if is_near and (verdict.distance != 1 or _nearest(verdict) > _MOST_DISCARDS):
        return None
    return _asked_of(verdict, distance=int(is_near))


_MOST_DISCARDS = 3  # that are right: with more of them hardly anything is asked


def _nearest(verdict: Verdict) -> int:
    """How many different discards bring a hand nearest."""
    game, hand, how = verdict.ruleset, verdict.hand, verdict.circumstances
    least = game.missing(hand, how) or 0
    return sum(game.missing(hand.without(kind), how, least) == least for kind in set(hand.loose))


def _build(chance: Random, game: Ruleset, level: int, topic: str, stock: Shelf) -> Asked | None:
    key = _key(topic)
    if topic.startswith("win/"):
        verdict = miss(chance, game, level, key, is_near=True)
        if verdict is None or not game.fixes(verdict.hand, verdict.circumstances):
            return None
        return _asked_of(verdict)
    box = Box(chance, game)
    won = deal(box, styled(chance, leads(game).holds[key]), level)
    how = usual(game)[-1].read
    if key not in game.judge(won, how).patterns:
        return None
    lost = game.judge(exchanged(box, won), how)
    if lost.wins:
        return None
    return _asked_of(lost, {"goal": {"has": key}})


# What it pays


def _won(chance: Random, game: Ruleset, level: int, pattern: str) -> tuple[Verdict, How] | None:
    """A win that is paid for this pattern, with how it was won."""
    known = leads(game).holds[pattern]
    is_moment = game.pattern(pattern).is_moment
    for _ in range(TRIES):
        with suppress(NoTilesError):
            hand = deal(Box(chance, game), styled(chance, known), level)
            for _ in range(4):  # a hand costs more than another way to have won it
                how = chance_of(chance, game, hand, pattern if is_moment else None)
                if how is None:
                    continue
                verdict = game.judge(hand, how.read)
                if pattern in verdict.patterns:
                    return verdict, how
                if not verdict.wins:
                    break
    return None


def _worth(chance: Random, game: Ruleset, level: int, pattern: str) -> tuple[Verdict, How] | None:
    """A win that is paid for this pattern; of several, the lower levels take the plainest, the higher ones
    that with most patterns."""
    found = []
    for _ in range(chance.choice(((4,), (1, 2), (1,), (3,), (4,))[level - 1])):
        one = _won(chance, game, level, pattern)
        if one is None:
            break
        found.append(one)
    if not found:
        return None
    return (min if level < 3 else max)(found, key=lambda one: (len(one[0].patterns), one[0].total or 0))


def _score(chance: Random, game: Ruleset, level: int, topic: str, stock: Shelf) -> Asked | None:
    one = _worth(chance, game, level, _key(topic))
    if one is None:
        return None
    verdict, how = one
    return _asked_of(verdict, how.given, patterns=len(verdict.patterns))


def _payment(chance: Random, game: Ruleset, level: int, topic: str, stock: Shelf) -> Asked | None:
    one = _worth(chance, game, level, _key(chance.choice(_patterns(game, stock, level))))
    if one is None:
        return None
    verdict, how = one
    given = dict(how.given)
    count = min(game.table.most_birds, chance.choice(((0,), (0,), (1,), (1, 2), (2,))[level - 1]))
    drawn: list[Tile] = []
    if verdict.prize and verdict.prize.birds:  # a tile of the win itself is the bird, and no other
        if len(verdict.prize.birds) != count:
            return None
    elif "birds" in game.inputs:
        box = Box(chance, game)
        for kind in verdict.hand.tiles:
            box.left[kind] -= 1
        drawn = [box.draw(game.tiles.tiles) for _ in range(count)]
        given["birds"] = ",".join(t.code for t in drawn) or "0"
    read = how_of(game, verdict.hand, given)
    if read is None:
        return None
    verdict = game.judge(verdict.hand, read.read)
    if verdict.payments is None:
        return None
    scenario = scenario_of({**given, "hand": notation.write(verdict.hand)})
    made = _asked_of(verdict, birds=count, patterns=len(verdict.patterns))
    return made._replace(node={"settle": scenario}, context=given)


def _which_game(chance: Random, game: Ruleset, level: int, topic: str, stock: Shelf) -> Asked | None:
    others = [other for other in rulesets().values() if other.key != game.key]
    wanted = [chance.random() < 0.5 for _ in others]
    here = chance.random() < 0.5
    rule = _key(topic)
    for _ in range(12):
        verdict = win(chance, game, level, rule) if here else miss(chance, game, level, rule)
        if verdict is None:
            return None
        text = notation.write(verdict.hand)
        if [_wins_in(other, text) for other in others] == wanted and not verdict.circumstances.listening:
            return _asked_of(verdict)
    return None


def _anywhere(game: Ruleset, stock: Shelf, level: int) -> tuple[str, ...]:
    """The rules of a win, where a hand alone says whether it wins."""
    return () if usual(game)[-1].read.listening else _rules(game, stock, level)


def _wins_in(game: Ruleset, text: str) -> bool:
    try:
        return game.wins(game.parse(text))
    except HandError:
        return False


# The deal


def _opening(chance: Random, game: Ruleset, level: int, topic: str, stock: Shelf) -> Asked | None:
    key = _key(topic)
    is_none = chance.random() < 0.1
    is_lure = chance.random() < 0.35  # what is asked about is not there
    wanted = 0 if is_none else chance.choice(((1,), (1, 1, 1, 2), (1, 2), (1, 2, 2), (2, 3))[level - 1])
    best: tuple[int, Hand] | None = None
    for _ in range(24):
        with suppress(NoTilesError):
            hand = tables.dealt(Box(chance, game), wanted + (wanted > 1 and chance.random() < 0.5))
            shown = [opening.key for opening, _ in look(game, hand).openings]
            if is_none and not shown:
                best = (0, hand)
                break
            if (
                (key in shown) is not is_lure
                and shown
                and (best is None or abs(len(shown) - wanted) < abs(best[0] - wanted))
            ):
                best = (len(shown), hand)
            if best and best[0] == wanted:
                break
    if best is None:
        return None
    count, hand = best
    text = notation.write_tiles(hand.loose)
    return Asked({"deal": text}, text, {}, {"openings": count} if count else {})


# The table

_ASKED = ("ask", "gets", "given", "settle", "wall", "find", "birds")
_SHARE = 0.4  # of all questions, ordered by how many facts they put together, that one level asks


def _table(chance: Random, game: Ruleset, level: int, topic: str, stock: Shelf) -> Asked | None:
    """A question about the table; a harder level asks one that puts more together."""
    made = chance.choice([made for made in _asked_at(game, stock, level) if made.topic == topic])
    node = filled(made, chance, game)
    context = {key: node[key] for key in _ASKED if key in node}
    return Asked(node, None, context, {"facts": made.facts})


def _pages(game: Ruleset, stock: Shelf, level: int) -> tuple[str, ...]:
    """The pages of the rules that a level's questions are about."""
    return tuple(dict.fromkeys(made.topic for made in _asked_at(game, stock, level)))


def _asked_at(game: Ruleset, stock: Shelf, level: int) -> list[Template]:
    """The questions that a level asks: a window on all of them from the simplest to the most composed."""
    ordered = _ordered(game, ref(stock))
    first = round((1 - _SHARE) * (level - 1) / 4 * len(ordered))
    return ordered[first : first + round(_SHARE * len(ordered))]


@lru_cache(maxsize=32)
def _ordered(game: Ruleset, stock: ref[Shelf]) -> list[Template]:
    """The questions that a table can be asked, from the simplest to the most composed. stock: as a reference,
    so that nothing here keeps content that is loaded no more."""
    held = stock()
    questions = held.questions(game) if held else []
    asked = [made for made in questions if not game.house.chosen or suits(made, game)]
    return sorted(asked, key=lambda made: made.facts)


# The kinds

_HAND = ("concealed", "crowding")

KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind(
            "can-win",
            Text("Can it win?", "能不能胡"),
            Text("Does this hand win?", "这手牌能胡吗？"),
            _rules,
            _can_win,
            (*_HAND, "near"),
        ),
        Kind(
            "why-not",
            Text("Why not?", "为什么不能胡"),
            Text("This hand doesn't win. Which rule does it break?", "这手牌不能胡。卡在哪一条？"),
            _rules,
            _why_not,
            (*_HAND, "near"),
            tells_topic=True,
        ),
        Kind(
            "waits",
            Text("What does it wait for?", "听哪几张"),
            Text(
                "Which tiles win this hand? Choose them all; if none do, choose nothing.",
                "这手牌听哪几张？全部选出来；一张都听不了就不选。",
            ),
            _partly,
            _waits,
            (*_HAND, "waits"),
            takes_nothing=True,
        ),
        Kind(
            "discard",
            Text("What to discard?", "打哪张"),
            Text(
                "Which tile do you discard so that the hand is ready? "
                "If it can't be, which brings it nearest?",
                "打哪一张能听牌？听不了的话，打哪一张离听最近？",
            ),
            _partly,
            _discard,
            (*_HAND, "distance"),
        ),
        Kind(
            "build",
            Text("Mend the hand", "换一张"),
            Text("Exchange one tile so that the hand wins.", "换一张牌，让这手牌能胡。"),
            lambda game, stock, level: _partly(game, stock, level) + _goals(game),
            _build,
            _HAND,
        ),
        Kind(
            "score",
            Text("What is it worth?", "值多少"),
            Text("How much is this win worth?", "这手牌值多少？"),
            _patterns,
            _score,
            ("patterns",),
        ),
        Kind(
            "payment",
            Text("Who pays whom?", "谁付多少"),
            Text(
                "Counting this win alone, not gang points: what does each player gain or lose? "
                "The stake is 1.",
                "只算这一次胡牌，不算杠分：每家各赢多少、输多少？底注是1。",
            ),
            _rulings("win-pays"),
            _payment,
            ("patterns", "birds"),
        ),
        Kind(
            "opening",
            Text("What does the deal hold?", "起手有什么"),
            Text(
                "What does this deal hold that may be shown? Each for itself, "
                "even if not all can be shown together; "
                "if there is nothing, choose nothing.",
                "起手这副牌够亮哪几种？各看各的，不必能同时亮；一种都没有就不选。",
            ),
            _openings,
            _opening,
            ("openings",),
            tells_topic=True,
            takes_nothing=True,
        ),
        Kind(
            "claim",
            Text("Who gets the tile?", "这张归谁"),
            Text(
                "Who gets this tile, and how? Everyone claims what they can.",
                "这张牌归谁？怎么要？（能要的都会要）",
            ),
            _rulings("claims", "priority", "robbing", "kai-claims"),
            lambda chance, game, level, topic, stock: tables.claim(chance, game, level, topic),
            ("hands", "bound"),
        ),
        Kind(
            "table",
            Text("At the table", "牌桌上"),
            Text("", ""),
            _pages,
            _table,
            ("facts",),
        ),
        Kind(
            "which-game",
            Text("In which game?", "在哪儿能胡"),
            Text("In which game does this hand win?", "这手牌在哪种麻将里能胡？"),
            _anywhere,
            _which_game,
            _HAND,
        ),
    )
}
