"""How a hand was won, in words, for figures and levels that hang on it."""

from __future__ import annotations

from typing import Any

from rules import Ruleset, Text
from rules.circumstances import SEATS_NAMED, Circumstances
from rules.payments import Gang
from rules.settlement import Winner
from rules.table import steps_between
from rules.text import listed
from rules.verdict import Verdict
from tutor.content.levels import Claimed

_USUAL = Circumstances()
# A seat as the player who let a tile go sees it.
_SEEN_FROM = (
    Text("that player", "就是这家"),
    Text("the next player", "出牌人的下家"),
    Text("the player opposite", "出牌人的对家"),
    Text("the previous player", "出牌人的上家"),
)


def situation(verdict: Verdict) -> Text | None:
    """The circumstances of a full hand in a sentence; None where they are the usual ones."""
    how, game = verdict.circumstances, verdict.ruleset
    if how == _USUAL or not verdict.is_full:
        return _declared(verdict)
    winner, tile = SEATS_NAMED[how.seat], verdict.hand.winning
    name = game.tiles.name(tile) if tile else Text("the last tile", "最后一张")
    if how.by == "self-draw":
        english, chinese = f"{winner.en} draws {name.en}", f"{winner.zh}自己摸到{name.zh}"
    elif how.discarder is None:
        way = next(way for way in game.ways if way.key == how.by)
        english = f"{winner.en}: {way.name.en.lower()}, {name.en}"
        chinese = f"{winner.zh}{way.name.zh}，{name.zh}"
    else:
        giver = SEATS_NAMED[how.discarder]
        did, done = ("discards {}", "打出{}") if how.by == "discard" else ("adds {} to a gang", "往杠上加{}")
        english = f"{giver.en} {did.format(name.en)}, and this is the hand of {winner.en}"
        chinese = f"{giver.zh}{done.format(name.zh)}，这手牌是{winner.zh}的"
    more = [game.pattern(key).name for key in how.moments]
    if how.listening:
        more.append(Text("ready (听) declared", "已报听"))
    if how.bao:
        bao = game.tiles.name(how.bao)
        more.append(Text(f"the bao is {bao.en}", f"宝牌是{bao.zh}"))
    if how.birds:
        birds = listed([game.tiles.name(bird) for bird in how.birds])
        more.append(Text(f"birds: {birds.en}", f"鸟是{birds.zh}"))
    english = "; ".join([english[0].upper() + english[1:], *(m.en for m in more)])
    return Text(f"{english}.", f"{'，'.join([chinese, *(m.zh for m in more)])}。")


def outcome(verdict: Verdict, show: str) -> Text:
    """What a figure says of its hand: what a win is worth only where that is what it shows."""
    if verdict.wins and show not in ("score", "payments", "verdict"):
        return Text("A win.", "能胡。")
    return verdict.summary


def _declared(verdict: Verdict) -> Text | None:
    how, game = verdict.circumstances, verdict.ruleset
    if how.bao and how.listening:
        bao = game.tiles.name(how.bao)
        return Text(f"Ready (听) declared; the bao is {bao.en}.", f"已报听，宝牌是{bao.zh}。")
    if how.listening:
        return Text("Ready (听) declared.", "已报听。")
    return None


def win(won: Winner, game: Ruleset) -> Text:
    """A win of a settlement: who, on whose tile, in what situation; its worth where no hand shows it."""
    how = won.circumstances
    winner, way = SEATS_NAMED[how.seat], next(way for way in game.ways if way.key == how.by)
    english, chinese = [f"{winner.en} wins"], [f"{winner.zh}胡"]
    if how.by == "self-draw":
        english = [f"{winner.en} wins by self-draw"]
        chinese.append(way.name.zh)
    elif how.discarder is None:
        english.append(way.name.en.lower())
        chinese.append(way.name.zh)
    elif how.by == "discard":
        english.append(f"on a tile from {SEATS_NAMED[how.discarder].en}")
        chinese.append(f"{SEATS_NAMED[how.discarder].zh}打出的牌")
    else:
        english.append(f"{way.name.en.lower()} from {SEATS_NAMED[how.discarder].en}")
        chinese.append(f"{way.name.zh}，牌是{SEATS_NAMED[how.discarder].zh}的")
    if how.listening:
        english.append("having declared ready (听)")
        chinese.append("已报听")
    if how.bao:
        bao = game.tiles.name(how.bao)
        english.append(f"the bao being {bao.en}")
        chinese.append(f"宝牌是{bao.zh}")
    for key in how.moments:
        english.append(game.pattern(key).name.en.lower())
        chinese.append(game.pattern(key).name.zh)
    if won.verdict is None:
        worth = game.measure.total(won.prize.total)
        english.append(worth.en)
        chinese.append(worth.zh)
    said = ", ".join(english)
    return Text(f"{said[0].upper()}{said[1:]}.", f"{'，'.join(chinese)}。")


def gang(made: Gang) -> Text:
    """How a gang came about: from whose discard, or dealt."""
    if made.discarder is not None:
        who = SEATS_NAMED[made.discarder]
        return Text(f"on a tile from {who.en}", f"{who.zh}打出的牌")
    return Text("all four dealt", "四张都是起手的") if made.dealt and not made.meld.special else Text("", "")


def beside(asked: Claimed, seat: int) -> Text:
    """What stands behind the name of a seat that may claim a tile: where it sits, and what binds it."""
    place = _SEEN_FROM[steps_between(asked.giver, seat)]
    bound = _standing(asked.standings.get(seat), seat in asked.passing)
    if bound is None:
        return Text(f" ({place.en})", f"（{place.zh}）")
    return Text(f" ({place.en}; {bound.en})", f"（{place.zh}；{bound.zh}）")


def _standing(given: Any, is_passing: bool) -> Text | None:
    """What binds a seat, as a question gives it; None where nothing does."""
    found = []
    if given and given.get("locked") == "yes":
        found.append(Text("locked", "已锁牌"))
    elif given and given.get("listening") == "yes":
        found.append(Text("has declared ready (听)", "已报听"))
    if given and int(given.get("missed", 0)):
        points = int(given["missed"])
        found.append(
            Text(
                f"has just passed a win that would have paid {points}",
                f"刚刚漏过一张能胡的，胡了是{points}分",
            )
        )
    if is_passing:
        found.append(Text("passes", "不要"))
    return listed(found) if found else None
