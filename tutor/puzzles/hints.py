"""Three hints to a puzzle: which rule, where to look, one step of the answer."""

from __future__ import annotations

from collections.abc import Iterable

from rules import Text
from rules.circumstances import SEATS_NAMED
from rules.text import listed, plural
from rules.tiles import SUITS, Tile
from rules.tiles import tile as tile_of
from rules.verdict import FAIL, Verdict
from tutor.content.build import pages_of
from tutor.content.levels import BIRDS, CLAIMS, KEYS, NUMBERS, ROW, SWAP, WALL
from tutor.puzzles.puzzle import Puzzle

MOST = 3


def hints_of(puzzle: Puzzle) -> tuple[Text, ...]:
    """The hints, from the first to the last; each says more than the one before."""
    return _rule(puzzle), _place(puzzle), _step(puzzle)


def _rule(puzzle: Puzzle) -> Text:
    game, kind = puzzle.game, puzzle.kind.key
    if kind == "why-not":  # the rule is the question
        verdict = puzzle.level.shown
        held = [f.rule.name for f in verdict.findings if f.status != FAIL and f.rule.key not in puzzle.keys]
        told = held[: max(0, min(2, len(game.rules) - 2))]  # at least two are left to choose from
        if not told:
            return Text("Take the rules one by one, in order.", "一条一条对，从头看起。")
        names = listed([Text(f"“{name.en}”", f"“{name.zh}”") for name in told], last=Text("or", "和"))
        return Text(f"It isn't {names.en}.", f"不是{names.zh}。")
    if kind == "opening":  # so is what it is called
        many = len(puzzle.keys)
        if not many:
            return Text("Look twice: it may hold nothing.", "多看一眼：也许什么都没有。")
        return Text(f"It holds {plural(many, 'thing')} that may be shown.", f"够亮的有{many}种。")
    name = pages_of(game)[puzzle.topic].name
    return Text(f"Think of “{name.en}”.", f"想想“{name.zh}”。")


def _place(puzzle: Puzzle) -> Text:
    """Where in the hand, or at the table, the answer lies."""
    level, keys = puzzle.level, puzzle.keys
    if level.widget in (KEYS, ROW):
        return _suits(puzzle, keys)
    if level.widget == SWAP:
        outs = _suits_of(puzzle, {item.partition(">")[0] for item in keys})
        return Text(f"What to give up is among the {outs.en}.", f"该换出去的在{outs.zh}里。")
    if level.widget == CLAIMS:
        many = len({item.partition(":")[0] for item in keys})
        if not many:
            return Text("Ask of each hand what it could do.", "一家一家看，拿这张能做什么。")
        return Text(
            f"{plural(many, 'player')} gets something here."
            if many == 1
            else f"{many} players get something here.",
            f"这张牌有{many}家能拿到。",
        )
    if level.widget == NUMBERS and ":" in keys[0]:
        payers = [SEATS_NAMED[int(item[0])] for item in keys if int(item[2:]) < 0]
        if not payers:
            return Text("Nobody pays anything.", "谁也不用付。")
        names = listed(payers)
        return Text(f"Who pays: {names.en}.", f"付的是{names.zh}。")
    if level.widget == NUMBERS:
        verdict = level.shown
        many = len(verdict.patterns)
        return Text(
            f"It is paid for {plural(many, 'thing')}.",
            f"能算的有{many}样。",
        )
    shown = level.shown if isinstance(level.shown, Verdict) else None
    if shown and shown.chosen is not None:
        count = len(shown.readings)
        return Text(
            "The tiles do fall into sets." if count == 1 else f"The tiles can be read in {count} ways.",
            "牌型是成的，看别的条件。" if count == 1 else f"这手牌有{count}种拆法。",
        )
    if shown:
        return Text("Try to take the tiles apart into sets.", "先试着把牌拆成组。")
    if level.many:
        return Text(
            f"{plural(len(keys), 'choice')} {'is' if len(keys) == 1 else 'are'} right.",
            f"对的有{len(keys)}个。",
        )
    meaning = pages_of(puzzle.game)[puzzle.topic].meaning
    return Text(f"The rule: {meaning.en}", f"规则：{meaning.zh}")


def _suits(puzzle: Puzzle, keys: Iterable[str]) -> Text:
    suits = _suits_of(puzzle, keys)
    if not suits.en:
        return Text("Look whether any tile wins at all.", "先看看有没有一张能胡。")
    return Text(f"Look among the {suits.en}.", f"看{suits.zh}。")


def _suits_of(puzzle: Puzzle, codes: Iterable[str]) -> Text:
    tiles = sorted({tile_of(code) for code in codes}, key=lambda t: t.order)
    names = [puzzle.game.tiles.suit_name(suit) for suit in SUITS if any(t.suit == suit for t in tiles)]
    if any(t.suit is None for t in tiles):
        names.append(Text("winds and dragons", "风牌和中发白"))
    return listed(names)


def _step(puzzle: Puzzle) -> Text:
    """One item of the answer, or what is left when a wrong choice is gone."""
    level, keys, tiles = puzzle.level, puzzle.keys, puzzle.game.tiles
    if level.widget == KEYS:
        if not keys:
            return Text("No tile wins this hand.", "一张都听不了。")
        name = tiles.name(tile_of(keys[0]))
        return Text(f"{name.en} is one of them.", f"{name.zh}是一张。")
    if level.widget == ROW:
        wrong: list[Tile] = sorted(
            {offer.tile for offer in level.offers if offer.tile and offer.tile.code not in keys}
        )
        left = [tile_of(keys[0]), *wrong[:1]]
        names = listed([tiles.name(t) for t in sorted(left)], last=Text("or", "或"))
        return Text(f"It is {names.en}.", f"打{names.zh}。")
    if level.widget == SWAP:
        name = tiles.name(tile_of(keys[0].partition(">")[0]))
        return Text(f"Give up {name.en}.", f"换掉{name.zh}。")
    if level.widget == CLAIMS:
        if not keys:
            return Text("Nobody gets it.", "谁也要不了。")
        seat = SEATS_NAMED[int(keys[0][0])]
        return Text(f"Look at the hand of {seat.en}.", f"看{seat.zh}的牌。")
    if level.widget == NUMBERS and ":" in keys[0]:
        number, _, points = keys[-1].partition(":")
        who = SEATS_NAMED[int(number)]
        return Text(f"For {who.en} it is {points}.", f"{who.zh}是{points}。")
    if level.widget == NUMBERS:
        names = listed([puzzle.game.pattern(key).name for key in level.shown.patterns])
        return Text(f"What pays: {names.en}.", f"能算的：{names.zh}。")
    if level.widget in (WALL, BIRDS):
        wall = level.widget == WALL
        seat = SEATS_NAMED[int(keys[0].split(":")[0 if wall else 1])]
        return Text(
            f"It stands in the wall of {seat.en}." if wall else f"The first falls on {seat.en}.",
            f"在{seat.zh}那面牌墙里。" if wall else f"第一个鸟落在{seat.zh}那里。",
        )
    if puzzle.kind.key == "can-win":
        finding = next(
            (f for f in level.shown.findings if f"win/{f.rule.key}" == puzzle.topic), level.shown.findings[0]
        )
        return finding.message
    if len(level.offers) == 2 and level.because:  # to rule out one would say no more than the answer
        return level.because[0].message
    choices = [offer.words for offer in level.offers if offer.value not in keys and offer.words]
    if not choices:
        return Text("All of them are right.", "全都对。")
    english, chinese = choices[-1].en.rstrip("."), choices[-1].zh.rstrip("。")
    return Text(f"Not this: {english}.", f"不是这个：{chinese}。")
