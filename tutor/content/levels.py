"""Levels: questions whose right answers the engine computes, and which say why a wrong answer is wrong.

An answer is a set of short texts, such as the tiles chosen, `7s>8s` for an exchange or `1:peng` for a claim.
A level knows every answer that is right; whoever shows it needs nothing but its fields. Each kind is one
function that makes the level from what an author, or a generator, wrote.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

from rules import HandError, Ruleset, Text, asking, notation, rulesets
from rules.circumstances import SEATS_NAMED
from rules.claims import ACTION_WORDS, ACTIONS, CHI, HU, PASS, PENG, chis_of, place, why_no_win
from rules.hands import GANG, Hand, Meld
from rules.table import Reason, seat_after
from rules.text import listed
from rules.tiles import DRAGONS, HONOR_KINDS, SUITED, SUITS, TERMINALS, WINDS, Tile
from rules.verdict import FAIL, Verdict
from rules.wall import Dice
from tutor.checker.entry import every_tile
from tutor.content import claims
from tutor.content.claims import Question
from tutor.content.source import Node, RefutedError
from tutor.content.walls import WallFigure, place_name, stack_at, wall_figure

Answer = frozenset[str]

# How an answer is given.
ROW, KEYS, SWAP, CHOICES, HANDS, CLAIMS, WALL, BIRDS, NUMBERS, GROUP = [
    "row",
    "keys",
    "swap",
    "choices",
    "hands",
    "claims",
    "wall",
    "birds",
    "numbers",
    "group",
]


NOTHING = Text("", "")
_NUMBERS = ("no", "one", "two")
LOOK_AGAIN = Text("Look once more.", "再看看。")


class Offer(NamedTuple):
    """Something that can be chosen. value: as it stands in an answer. words, tile, verdict: what shows it."""

    value: str
    words: Text | None = None
    tile: Tile | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True)
class Mistake:
    """A common mistake: what an answer holds that makes it, or what it lacks, and what to say to it."""

    holds: Answer
    misses: Answer
    say: Text

    def is_made(self, answer: Answer) -> bool:
        """Whether an answer makes it."""
        return self.holds <= answer and not self.misses & answer


@dataclass(frozen=True)
class Level:
    """A question with its answers.

    kind: what is asked. widget: how it is answered. many: whether an answer may hold several items. game: as
    its table plays it. offers: what can be chosen. rights: every right answer, the one to show first first.
    reason: what the engine says of one wrongly chosen item, None where it has nothing to say. because: what
    the right answer rests on. shown: the verdict, deal or walls that the question is about. named: other
    names by which an author may call an item, such as "tail" for a stack. again: the same question with dice
    thrown anew, by the number of the throw; None where no dice are thrown. takes_nothing: nothing chosen is
    an answer too, right or wrong. alone: an item that goes with no other, "" for none.
    """

    kind: str
    widget: str
    game: Ruleset
    rights: tuple[Answer, ...]
    many: bool = False
    offers: tuple[Offer, ...] = ()
    reason: Callable[[str], Text | None] = lambda item: None
    because: tuple[Reason, ...] = ()
    shown: Any = None
    prompt: Text = NOTHING
    done: Text = NOTHING
    hint: Text | None = None
    mistakes: tuple[Mistake, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)
    again: Callable[[int], Level] | None = None
    takes_nothing: bool = False
    alone: str = ""

    def is_right(self, answer: Answer) -> bool:
        """Whether an answer is one of the right ones."""
        return answer in self.rights

    def nearest(self, answer: Answer) -> Answer:
        """The right answer that an answer comes nearest to."""
        return min(self.rights, key=lambda right: len(right ^ answer))

    def why_wrong(self, answer: Answer) -> tuple[Text, ...]:
        """What to say to a wrong answer: the author's word on the mistake, then the engine's."""
        made = [mistake for mistake in self.mistakes if mistake.is_made(answer)]
        said = [mistake.say for mistake in made if mistake.holds] or [mistake.say for mistake in made[:1]]
        nearest = self.nearest(answer)
        if not said or self.widget not in (WALL, NUMBERS):
            whys = [why for item in sorted(answer - nearest) if (why := self.reason(item))]
            if self.kind == "payments":
                names = listed(whys)
                whys = [Text(f"These are wrong: {names.en}.", f"这几家不对：{names.zh}。")]
            said += dict.fromkeys(whys)
        missed = len(nearest - answer)
        if self.many and missed and answer and answer < nearest:
            said.append(
                Text(
                    "All of these are right, but there is one more."
                    if missed == 1
                    else f"All of these are right, but there are {missed} more.",
                    f"选的都对，不过还差{missed}个。",
                )
            )
        return tuple(said) or (LOOK_AGAIN,)


# Making levels


class Making(NamedTuple):
    """What a kind makes its level from: the author's mapping, the game and its house rules."""

    node: Node
    game: Ruleset
    options: Mapping[str, str]

    def question(self, kind: str) -> Question:
        """The question that stands under a key."""
        return claims.question(self.node, self.game, self.options, kind)

    def verdict(self) -> Verdict:
        """The verdict on the level's hand."""
        return verdict_of(self.node, self.question(claims.HAND))

    def full(self, state: str | None = None) -> Verdict:
        """The verdict on a hand with all its tiles. state: what it must be."""
        verdict = self.verdict()
        if not verdict.is_full:
            raise self.node["hand"].fault("the hand must have all its tiles")
        if state and verdict.state != state:
            raise self.node["hand"].fault(f"the hand must be {state}, and is {verdict.state}")
        return verdict

    def short(self) -> Verdict:
        """The verdict on a hand that is one tile short."""
        verdict = self.verdict()
        if verdict.is_full:
            raise self.node["hand"].fault("the hand must be one tile short")
        return verdict

    @property
    def goal(self) -> Node:
        """What a win must be; any win where nothing is said."""
        return self.node.get("goal") or Node.of({"state": "win"})


def verdict_of(node: Node, question: Question) -> Verdict:
    """The verdict on a question's hand. Raises Fault where it can't be judged."""
    try:
        return question.verdict()
    except HandError as error:
        raise node.fault(f"{question.asked!r} can't be judged ({error.code}): {error}") from None


def level(node: Node, game: Ruleset, options: Mapping[str, str]) -> Level:
    """The level that an author wrote. Raises Fault for what is wrong with it."""
    kind = node["kind"]
    if kind.text not in KINDS:
        raise kind.fault(f"there is no kind of level {kind.text!r}; known: {', '.join(KINDS)}")
    options = {**options, **claims.options_of(node.get("options"), game)}
    made = KINDS[kind.text](Making(node, game, options))
    if not made.rights:
        raise node.fault("no answer to this level is right")
    hint = node.get("hint")
    made = replace(
        made,
        prompt=node["prompt"].both,
        done=node["done"].both,
        hint=hint.both if hint else None,
        mistakes=tuple(_mistake(item, made) for item in node["mistakes"].items),
    )
    if not made.mistakes:
        raise node["mistakes"].fault("at least one common mistake is needed")
    node.done()
    return made


def _mistake(node: Node, level: Level) -> Mistake:
    held, missed = node.get("answer"), node.get("missing")
    if (held is None) == (missed is None):
        raise node.fault("either answer or missing is needed")
    found = Mistake(_items(held, level), _items(missed, level), node["say"].both)
    node.done()
    if len(found.holds) > 1 and level.widget == CHOICES and not level.many:
        raise node.fault("this level takes one answer; one of several words is written as a list of one")
    wrong = next((right for right in level.rights if found.is_made(right)), None)
    if wrong is not None:
        raise node.fault(
            f"this is no mistake: {', '.join(sorted(wrong)) or 'nothing'} is right, says the engine"
        )
    return found


def _items(node: Node | None, level: Level) -> Answer:
    if node is None:
        return frozenset()
    offered = {offer.value for offer in level.offers}
    for item in node.items:
        if offered and level.named.get(item.text, item.text) not in offered:
            raise item.fault(f"{item.text!r} can't be answered here; known: {', '.join(sorted(offered))}")
        form = _FORMS.get(level.widget)
        if form and not re.fullmatch(form, item.text):
            raise item.fault(f"{item.text!r} can't be answered here")
    return frozenset(level.named.get(text, text) for text in node.texts)


# How an item of an answer is written that is not among offers.
_FORMS = {NUMBERS: r"([0-3]:)?-?[0-9]{1,5}", SWAP: r"[1-9ESWNCFP][mps]?>[1-9ESWNCFP][mps]?"}

# The kinds

CLASSES = {
    "terminals": TERMINALS,
    "honors": HONOR_KINDS,
    "winds": WINDS,
    "dragons": DRAGONS,
    "suited": SUITED,
}


def numbered(tiles: Iterable[Tile | str]) -> list[str]:
    """Tiles as items of an answer: the second of a kind is `7s.2`."""
    seen: Counter[str] = Counter()
    found = []
    for tile in tiles:
        code = tile if isinstance(tile, str) else tile.code
        seen[code] += 1
        found.append(code if seen[code] == 1 else f"{code}.{seen[code]}")
    return found


def _pick(making: Making) -> Level:
    node, game = making.node, making.game
    row = _row(node["tiles"], game)
    if "opening" in node:
        found = _opened(making, row)
    elif "finding" in node:
        verdict = making.verdict()
        key = node["finding"].text
        finding = next((f for f in verdict.findings if f.rule.key == key), None)
        if finding is None:
            raise node["finding"].fault(f"there is no rule {key!r}")
        found = list(finding.tiles)
    else:
        found = [tile for tile in row if _is_of(tile, node["are"])]
    rights = frozenset(numbered(found))
    offers = tuple(Offer(value, tile=tile) for value, tile in zip(numbered(row), row, strict=True))
    if not rights <= {offer.value for offer in offers} or not rights:
        raise node.fault(f"the tiles to choose, {', '.join(sorted(rights)) or 'none'}, are not in the row")
    return Level("pick", ROW, game, (rights,), many=True, offers=offers)


def _row(node: Node, game: Ruleset) -> list[Tile]:
    try:
        hand = notation.parse_unfinished(node.text, every_tile(game.tiles))
    except HandError as error:
        raise node.fault(f"the tiles can't be read ({error.code}): {error}") from None
    return list(hand.tiles)


def _is_of(tile: Tile, node: Node) -> bool:
    name = node.text
    if name in CLASSES:
        return tile in CLASSES[name]
    if name in SUITS:
        return tile.suit == name
    if name.isdigit():
        return tile.suit is not None and str(tile.rank) in name
    raise node.fault(f"no tiles are called {name!r}; known: {', '.join((*CLASSES, *SUITS))}, or ranks as 258")


def _opened(making: Making, row: list[Tile]) -> list[Tile]:
    node = making.node
    asked = Question(making.game, claims.DEAL, node["tiles"].text, {}, making.options)
    key = node["opening"].text
    try:
        found = next((ways for opening, ways in asked.deal().openings if opening.key == key), None)
    except HandError as error:
        raise node["tiles"].fault(f"the deal can't be read ({error.code}): {error}") from None
    if found is None:
        raise node["opening"].fault(f"these tiles make no {key!r}")
    used: Counter[Tile] = Counter()
    for way in found:
        for tile, count in Counter(way.tiles).items():
            used[tile] = max(used[tile], count)
    return list(used.elements())


def _complete(making: Making) -> Level:
    verdict, goal = making.short(), making.goal
    game = verdict.ruleset
    made = _completed(verdict)
    rights = tuple(frozenset({code}) for code, full in made.items() if claims.meets(full, goal))
    return Level(
        "complete",
        KEYS,
        game,
        rights,
        offers=_every_tile(game),
        reason=lambda item: _with_tile(verdict, made, item),
        shown=verdict,
    )


def _completed(verdict: Verdict) -> dict[str, Verdict]:
    """The verdict on a hand with each tile that it doesn't hold four times already."""
    game, hand = verdict.ruleset, verdict.hand
    return {
        tile.code: game.judge(hand.with_winning(tile), verdict.circumstances)
        for tile in game.tiles.tiles
        if hand.left(tile)
    }


def _with_tile(verdict: Verdict, made: Mapping[str, Verdict], item: str) -> Text | None:
    name = _name(verdict.ruleset, item)
    if item not in made:
        return Text(f"The hand itself holds all four {name.en}.", f"四张{name.zh}都在自己手里了。")
    said = _told(made[item])
    return Text(f"With {name.en} {said.en}", f"来{name.zh}，{said.zh}")


def _discard(making: Making) -> Level:
    verdict = making.full()
    game, hand = verdict.ruleset, verdict.hand
    rests = {tile.code: game.judge(hand.without(tile), verdict.circumstances) for tile in set(hand.loose)}
    right = [code for code, rest in rests.items() if rest.state == "ready"]
    if not right:  # then what brings it nearest
        away = {code: rest.distance for code, rest in rests.items() if rest.distance is not None}
        right = [code for code, distance in away.items() if distance == min(away.values())]

    def reason(item: str) -> Text:
        name, rest = _name(game, item), rests[item]
        said = " ".join([rest.summary.en, *(words.en for words in rest.nearness)])
        chinese = "".join([rest.summary.zh, *(words.zh for words in rest.nearness)])
        return Text(f"Without {name.en}: {_small(said)}", f"打掉{name.zh}：{chinese}")

    offers = tuple(Offer(tile.code, tile=tile) for tile in hand.loose)
    rights = tuple(frozenset({code}) for code in sorted(right))
    return Level("discard", ROW, game, rights, offers=offers, reason=reason, shown=verdict)


def _exchange(making: Making) -> Level:
    verdict, goal = making.full("not-win"), making.goal
    game, hand, how = verdict.ruleset, verdict.hand, verdict.circumstances
    rights = tuple(
        frozenset({f"{fix.out.code}>{fix.into.code}"})
        for fix in verdict.all_fixes
        if any(claims.meets(game.judge(h, how), goal) for h in hand.exchanged(fix.out, fix.into))
    )

    def reason(item: str) -> Text | None:
        out, _, into = item.partition(">")
        given, taken = notation.parse_tile(out), notation.parse_tile(into)
        if given is None or taken is None or given not in hand.loose or taken not in game.tiles.kinds:
            return None
        if out != into and hand.left(taken) == 0:
            return Text("There are only four of each tile.", "每种牌只有四张。")
        made = [game.judge(h, how) for h in hand.exchanged(given, taken)]
        said = _told(max(made, key=lambda verdict: verdict.total or -1))
        return Text(
            f"With {_name(game, into).en} for {_name(game, out).en} {said.en}",
            f"{_name(game, out).zh}换成{_name(game, into).zh}，{said.zh}",
        )

    return Level("exchange", SWAP, game, rights, offers=(), reason=reason, shown=verdict)


def _group(making: Making) -> Level:
    verdict = making.full()
    readings = [judged for judged in verdict.readings if judged.wins] or verdict.readings
    rights = []
    for judged in readings:
        groups = [notation.write_tiles(s.tiles) for s in judged.reading.sets if s not in verdict.hand.melds]
        if judged.reading.pair:
            groups.append(notation.write_tiles((judged.reading.pair,) * 2))
        rights.append(frozenset(numbered(sorted(groups))))
    return Level(
        "group",
        GROUP,
        verdict.ruleset,
        tuple(rights),
        many=True,
        reason=lambda item: no_set(verdict.ruleset, item),
        shown=verdict,
    )


def no_set(game: Ruleset, item: str, *, is_alone: bool = False) -> Text | None:
    """Why a group is not right: its tiles make no set, or, unless is_alone, leave tiles without a place.

    item: the group as it is written. None where nothing is wrong with it by itself.
    """
    try:
        hand = notation.parse_unfinished(item.split(".")[0], game.tiles)
    except HandError:
        return None
    tiles = list(hand.loose)
    names = game.tiles.names(tiles)
    runs = [t.rank - n for n, t in enumerate(tiles)]
    is_run = len(tiles) == 3 and tiles[0].suit and len({t.suit for t in tiles}) == 1 and len(set(runs)) == 1
    if (len(set(tiles)) == 1 and len(tiles) in (2, 3)) or is_run:
        if is_alone:
            return None
        return Text(
            f"{names.en} can stand together, but then the other tiles don't all find a place.",
            f"{names.zh}能放在一起，可是这样剩下的牌就凑不齐了。",
        )
    return Text(
        f"{names.en}: no set. A set is three alike, or three in a row in one suit; the pair is two alike.",
        f"{names.zh}不成一组。一组要么三张一样，要么同花色三张连着；将是两张一样的。",
    )


def _clause(making: Making) -> Level:
    verdict = making.full("not-win")
    game = verdict.ruleset
    failing = [f.rule.key for f in verdict.findings if f.status == FAIL]
    findings = {f.rule.key: f for f in verdict.findings}
    return Level(
        "clause",
        CHOICES,
        game,
        tuple(frozenset({key}) for key in failing),
        offers=tuple(Offer(rule.key, words=rule.name) for rule in game.rules),
        reason=lambda item: findings[item].message,
        shown=verdict,
    )


YES, NO, NONE = "yes", "no", "none"
MAY_WIN = {YES: Text("Yes, it wins", "能胡"), NO: Text("No, it doesn't", "不能胡")}


def _can_win(making: Making) -> Level:
    verdict = making.full()
    offers = tuple(Offer(value, words=words) for value, words in MAY_WIN.items())
    right = frozenset({YES if verdict.wins else NO})
    return Level(
        "can-win",
        CHOICES,
        verdict.ruleset,
        (right,),
        offers=offers,
        reason=lambda i: verdict.summary,
        shown=verdict,
    )


class Elsewhere(NamedTuple):
    """A hand, and what each game says of it by its key: a verdict, or why it can't be a hand there."""

    hand: Hand
    found: Mapping[str, Verdict | Text]


def _which_game(making: Making) -> Level:
    asked = making.question(claims.HAND)
    found: dict[str, Verdict | Text] = {}
    for key, game in rulesets().items():
        options = asked.options if key == asked.game.key else {}
        try:
            found[key] = Question(game, claims.HAND, asked.asked, asked.given, options).verdict()
        except HandError as error:
            found[key] = error.message
    right = frozenset(key for key, verdict in found.items() if isinstance(verdict, Verdict) and verdict.wins)
    offers = (
        *(Offer(key, words=rulesets()[key].name) for key in found),
        Offer(NONE, words=Text("in neither" if len(found) == 2 else "in none", "都不能胡")),
    )

    def reason(item: str) -> Text:
        if item == NONE:
            names = listed([rulesets()[key].name for key in sorted(right)])
            return Text(f"It does win, in {names.en}.", f"在{names.zh}能胡。")
        name, said = rulesets()[item].name, found[item]
        words = said.summary if isinstance(said, Verdict) else said
        return Text(f"{name.en}: {_small(words.en)}", f"{name.zh}：{words.zh}")

    return Level(
        "which-game",
        CHOICES,
        asked.played,
        (right or frozenset({NONE}),),
        many=True,
        offers=offers,
        reason=reason,
        shown=Elsewhere(asked.played.parse(asked.asked), found),
        alone=NONE,
    )


def _pair(making: Making) -> Level:
    verdict = making.full()
    game = verdict.ruleset
    winning = [judged for judged in verdict.readings if judged.wins] or verdict.readings
    pairs = {judged.reading.pair for judged in winning if judged.reading.pair}
    others = {j.reading.pair: j for j in verdict.readings if j.reading.pair not in pairs}
    copies = Counter(verdict.hand.loose)

    def reason(item: str) -> Text:
        tile = next(t for t in copies if t.code == item)
        name = game.tiles.name(tile)
        if copies[tile] < 2:
            return Text(f"The hand has only one {name.en}.", f"{name.zh}只有一张，成不了对。")
        if tile in others:
            broken = game.rule(others[tile].fails[0]).name
            return Text(
                f"With {name.en} as the pair the shape is complete, but it breaks “{broken.en}”.",
                f"用{name.zh}做对，牌型能成，可是不符合“{broken.zh}”。",
            )
        return Text(
            f"Take two {name.en} out as the pair, and the rest doesn't fall into sets.",
            f"拿{name.zh}做对，剩下的牌凑不成组。",
        )

    offers = tuple(Offer(tile.code, tile=tile) for tile in sorted(copies))
    rights = tuple(frozenset({tile.code}) for tile in sorted(pairs))
    return Level("pair", ROW, game, rights, offers=offers, reason=reason, shown=verdict)


def _waits(making: Making) -> Level:
    verdict = making.short()
    game = verdict.ruleset
    made = _completed(verdict)
    return Level(
        "waits",
        KEYS,
        game,
        (frozenset(wait.tile.code for wait in verdict.waits),),
        many=True,
        offers=_every_tile(game),
        reason=lambda item: _with_tile(verdict, made, item),
        shown=verdict,
    )


def _which(making: Making) -> Level:
    node, goal = making.node, making.node["goal"]
    verdicts = [
        verdict_of(item, claims.question(item, making.game, making.options, claims.HAND))
        for item in node["hands"].items
    ]
    for item in node["hands"].items:
        item.done()
    offers = tuple(Offer(str(n), verdict=v) for n, v in enumerate(verdicts, 1))
    right = frozenset(offer.value for offer, v in zip(offers, verdicts, strict=True) if claims.meets(v, goal))
    if len(verdicts) < 2:
        raise node["hands"].fault("at least two hands are needed to choose from")

    def reason(item: str) -> Text:
        verdict = verdicts[int(item) - 1]
        if verdict.wins:
            return Text(f"Hand {item} wins, but not as was asked.", f"第{item}手能胡，可是不合题目的要求。")
        said = _told(verdict)
        return Text(f"Hand {item}: {said.en}", f"第{item}手{said.zh}")

    return Level("which", HANDS, making.game, (right,), many=True, offers=offers, reason=reason)


def _openings(making: Making) -> Level:
    asked = making.question(claims.DEAL)
    try:
        deal = asked.deal()
    except HandError as error:
        raise making.node["deal"].fault(f"the deal can't be read ({error.code}): {error}") from None
    game = deal.ruleset
    offers = tuple(Offer(o.key, words=o.name) for o in game.openings)
    meanings = {o.key: o for o in game.openings}

    def reason(item: str) -> Text:
        opening = meanings[item]
        return Text(
            f"No {_small(opening.name.en)} here: that would be “{_small(opening.meaning.en)}”.",
            f"这手没有{opening.name.zh}。{opening.name.zh}是：{opening.meaning.zh}。",
        )

    right = frozenset(opening.key for opening, _ in deal.openings)
    return Level("openings", CHOICES, game, (right,), many=True, offers=offers, reason=reason, shown=deal)


@dataclass(frozen=True)
class Claimed:
    """What a question about a tile shows: who gave it, the tiles in question, the others' hands.

    gang: what a tile was added to, as it lies there then, None where none was. is_opened: the tiles were
    turned over for a gang. is_dealt: the added tile was among those dealt.
    """

    giver: int
    tiles: tuple[Tile, ...]
    hands: Mapping[int, Hand]
    gang: Meld | None
    is_opened: bool = False
    is_dealt: bool = False
    standings: Mapping[int, Any] = field(default_factory=dict)
    passing: tuple[int, ...] = ()


def _claim(making: Making) -> Level:
    asked = making.question(claims.GETS)
    game, given = asked.played, asked.given
    try:
        outcome = asked.outcome()
        possible = asking.possible(game, given)
        hands = {int(seat): game.parse(text) for seat, text in given["hands"].items()}
        named = given.get("opened") or [given.get("tile") or given["added"]]
        if isinstance(named, str):
            named = named.split()
        tiles = tuple(t for code in named if (t := notation.parse_tile(code)))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise making.node["gets"].fault(f"the table can't be asked this: {error}") from None
    if not hands:
        raise making.node["gets"].fault("there is no hand that could get the tile")
    words = {action: ACTION_WORDS[action] for action in ACTIONS if action != PASS}
    offers = tuple(
        Offer(f"{seat}:{action}", words=name) for seat in sorted(hands) for action, name in words.items()
    )
    could = set(asking.told(possible.value))
    giver = int(given["from"])

    def reason(item: str) -> Text:
        seat, _, action = item.partition(":")
        who, name = place(int(seat), giver), ACTION_WORDS[action]
        if item in could:
            return Text(
                f"{_large(who.en)} could {name.en}, but another claim comes first.",
                f"{who.zh}可以{name.zh}，但是轮不到：有人比这优先。",
            )
        gang = _laid_down(given, game)
        if gang is not None and action != HU and (action != PENG or gang.special is None):
            return Text(
                f"A tile added to a gang can't be taken to {name.en}.",
                f"往杠上加的牌不能拿来{name.zh}。",
            )
        why = _no_claim(game, int(seat), action, hands[int(seat)], tiles, giver)
        # Where the tiles would allow it, something else forbids it, and the table has said what.
        bars = [
            r.message for r in possible.reasons if r.message.zh.startswith(who.zh) and name.zh in r.message.zh
        ]
        barred = [bar for tile in tiles if (bar := _barred(game, int(seat), hands[int(seat)], tile, giver))]
        return (
            (barred[0] if action == HU and barred else None)
            or why
            or (bars[-1] if bars else None)
            or Text(f"{_large(who.en)} can't {name.en} here.", f"这张牌{who.zh}不能{name.zh}。")
        )

    standings = given.get("standings") or {}
    shown = Claimed(
        giver,
        tiles,
        hands,
        _laid_down(given, game),
        "opened" in given,
        given.get("dealt") == "yes",
        {int(seat): standing for seat, standing in standings.items()},
        tuple(int(s) for s, action in (given.get("declared") or {}).items() if action == PASS),
    )
    right = frozenset(asking.told(outcome.value))
    return Level("claim", CLAIMS, game, (right,), True, offers, reason, because=outcome.reasons, shown=shown)


def _barred(game: Ruleset, seat: int, hand: Hand, tile: Tile, giver: int) -> Text | None:
    """Why a tile that completes a hand does not win it, None where it doesn't complete it, or wins."""
    if not hand.left(tile):
        return None
    reason = why_no_win(game.tiles, game.judge(hand.with_winning(tile)), seat, tile, giver)
    return reason.message if reason else None


def _laid_down(given: Mapping[str, Any], game: Ruleset) -> Meld | None:
    """The gang that a tile was added to, as a question writes it."""
    if "added" not in given:
        return None
    return notation.parse_unfinished(str(given["meld"]), game.tiles).melds[0]


def _only(count: int) -> str:
    return f"只有{count}张" if count else "没有"


def _no_claim(
    game: Ruleset, seat: int, action: str, hand: Hand, tiles: tuple[Tile, ...], giver: int
) -> Text | None:
    """Why the tiles of a hand allow no such claim, or None where they would."""
    who, names = place(seat, giver), game.tiles.names(tiles, last=Text("or", "、"))
    start = _large(who.en)
    if action == CHI and seat_after(giver) != seat:
        return Text("Only the next player may chi.", "只有下家能吃。")
    if action == CHI and not any(chis_of(hand, tile) for tile in tiles):
        return Text(
            f"{start} has no two tiles that make a run with {names.en}.",
            f"{who.zh}没有能和{names.zh}连成顺子的牌。",
        )
    most = max(hand.loose.count(tile) for tile in tiles)
    if action == PENG and most < 2:
        return Text(
            f"To peng takes two alike: {who.en} holds {_NUMBERS[most]} {names.en}.",
            f"碰要手里有一对：{who.zh}{_only(most)}{names.zh}。",
        )
    if action == GANG and most < 3:
        return Text(
            f"To gang takes three alike: {who.en} holds {_NUMBERS[most]} {names.en}.",
            f"杠要手里有三张：{who.zh}{_only(most)}{names.zh}。",
        )
    if action == HU and not any(w.tile in tiles for w in game.all_waits(hand)):
        return Text(f"{names.en} doesn't complete the hand of {who.en}.", f"{names.zh}凑不成{who.zh}的牌。")
    return None


def _wall(making: Making) -> Level:
    node = making.node
    find, dice = node["find"].text, node.get("dice")
    if find not in _FOUND:
        raise node["find"].fault(f"one of {', '.join(_FOUND)} is to be found")
    game = making.game.with_options(making.options)
    given = _walls_given(node["wall"])
    node["wall"].done()
    try:
        return _found_in(game, given, find, dice_of(dice) if dice else None)
    except (ValueError, KeyError) as error:
        raise node.fault(f"there is no such stack: {error}") from None


_FOUND = ("break", "head", "tail", "bao", "open")
# What says where it is, and what to ask when the dice are thrown again.
_POINTED = {"break": "wall-break", "bao": "bao-place", "open": "opened-stack"}
_AGAIN = {
    "break": Text("Another throw: with which stack does taking begin?", "再掷一次：从哪一墩抓起？"),
    "bao": Text("Another throw: in which stack is the bao?", "再掷一次：宝牌在哪一墩？"),
    "open": Text("Another throw: which stack is turned over?", "再掷一次：翻开哪一墩？"),
}


def _found_in(game: Ruleset, given: Mapping[str, Any], find: str, dice: Dice | None) -> Level:
    """The level that asks for a stack of these walls. Raises ValueError where there is none."""
    plain = wall_figure(game, **given)
    found = wall_figure(game, **{**given, **({find: dice} if find in ("bao", "open") else {})})
    right = stack_at(found, find)
    left = {mark.key: str(mark.spot) for mark in plain.marks if str(mark.spot) in plain.stacks_left}

    def again(seed: int) -> Level:
        chance = Random(f"{find} {seed}")  # noqa: S311 - dice of a lesson
        for _ in range(50):
            thrown = (chance.randint(1, 6), chance.randint(1, 6))
            try:
                if find == "break":
                    first = (chance.randint(1, 6), chance.randint(1, 6))
                    other = _found_in(game, {**given, "first": first, "second": thrown}, find, None)
                else:
                    other = _found_in(game, given, find, thrown)
            except ValueError:
                continue
            return replace(other, prompt=_AGAIN[find])
        raise ValueError("no throw finds a stack in these walls")

    return Level(
        "wall",
        WALL,
        game,
        (frozenset({right}),),
        offers=tuple(Offer(value, words=place_name(value)) for value in plain.stacks_left),
        reason=lambda item: _beside(item, find, right),
        because=_pointed(game, given, find, dice, sum(map(len, plain.sides))),
        shown=Walls(plain, found, find, dice),
        named={name: left[name] for name in ("break", "head", "tail") if name in left},
        again=again if find in _AGAIN else None,
    )


def _pointed(
    game: Ruleset, given: Mapping[str, Any], find: str, dice: Dice | None, stacks: int
) -> tuple[Reason, ...]:
    """Why the dice point to a stack, as the table says."""
    if find not in _POINTED:
        return ()
    if find == "break":
        asked: dict[str, Any] = {"first": given["first"], "second": given["second"]}
    else:
        taken = {key: given.get(key, 0) for key in ("drawn", "replaced")}
        asked = {"wall": {"stacks": stacks, **taken}, "dice": dice}
    return asking.ask(game, _POINTED[find], asked).reasons


def _beside(item: str, find: str, right: str) -> Text | None:
    """What to say to a stack that is not the one."""
    (seat, number), (there, at) = (map(int, spot.split(":")) for spot in (item, right))
    if seat == there and abs(number - at) == 1:
        return Text("One stack off: see where the count begins.", "差一墩：看看从哪儿数起。")
    if find == "break" and seat != there:
        return Text(
            "That is another player's wall: the first throw counts players, the dealer as 1.",
            "这是别家的牌墙：第一掷数人，庄家算1。",
        )
    return None


class Walls(NamedTuple):
    """What a question about the wall shows: the walls, these with what was to be found, which that is, the
    dice to find it by."""

    plain: WallFigure
    found: WallFigure
    find: str
    dice: tuple[int, int] | None


def wall_of(node: Node, game: Ruleset) -> WallFigure:
    """The walls that a mapping describes, as a figure. Raises Fault."""
    try:
        return wall_figure(game, **_walls_given(node))
    except ValueError as error:
        raise node.fault(f"there is no such wall: {error}") from None


def _walls_given(node: Node) -> dict[str, Any]:
    """The dice and the counts of a wall, as they are written."""
    given: dict[str, Any] = {"first": dice_of(node["first"]), "second": dice_of(node["second"])}
    for key in ("drawn", "replaced", "gangs"):
        item = node.get(key)
        if item is not None:
            given[key] = item.number
    for key in ("bao", "open"):
        item = node.get(key)
        if item is not None:
            given[key] = dice_of(item)
    return given


def dice_of(node: Node) -> tuple[int, int]:
    """Two dice. Raises Fault."""
    numbers = [item.number for item in node.items]
    if len(numbers) != 2 or not all(1 <= n <= 6 for n in numbers):
        raise node.fault("two dice show 1 to 6 each, as in 3 4")
    return numbers[0], numbers[1]


def _birds(making: Making) -> Level:
    node = making.node
    game = making.game.with_options(making.options)
    seat = node.get("seat")
    winner = seat.number if seat else 1
    if not node["birds"].items:
        raise node["birds"].fault("there is no bird")
    tiles: list[Tile] = []
    right: list[str] = []
    because: list[Reason] = []
    for n, item in enumerate(node["birds"].items):
        tile = notation.parse_tile(item.text)
        if tile is None or tile.suit is None:
            raise item.fault(f"{item.text!r} is no bird")
        try:
            outcome = asking.ask(game, "bird-seat", {"number": tile.rank, "winner": winner})
        except ValueError as error:
            raise item.fault(str(error)) from None
        tiles.append(tile)
        right.append(f"{n}:{outcome.value}")
        because += outcome.reasons
    offers = tuple(Offer(f"{n}:{s}", tile=tile) for n, tile in enumerate(tiles) for s in range(4))

    def reason(item: str) -> Text:
        n, _, _ = item.partition(":")
        name = game.tiles.name(tiles[int(n)])
        return Text(f"{name.en} doesn't fall there.", f"{name.zh}不落在那里。")

    return Level(
        "birds", BIRDS, game, (frozenset(right),), True, offers, reason, tuple(because), shown=winner
    )


def _payments(making: Making) -> Level:
    asked = making.question(claims.SETTLE)
    try:
        settled = asked.settled()
    except HandError as error:
        raise making.node["settle"].fault(f"this can't be settled ({error.code}): {error}") from None
    right = frozenset(f"{seat}:{points}" for seat, points in enumerate(settled.payments))

    return Level(
        "payments",
        NUMBERS,
        asked.played,
        (right,),
        many=True,
        reason=lambda item: SEATS_NAMED[int(item.partition(":")[0])],
        shown=settled,
    )


def _score(making: Making) -> Level:
    verdict = making.full("win")
    total = verdict.total or 0

    def reason(item: str) -> Text | None:
        if not item.lstrip("-").isdigit():
            return None
        if int(item) < total:
            return Text("Too few: something that pays is not counted yet.", "少了：还有能算的没算上。")
        return Text("Too many: something is counted that isn't there.", "多了：有的不该算。")

    return Level("score", NUMBERS, verdict.ruleset, (frozenset({str(total)}),), reason=reason, shown=verdict)


def _choice(making: Making) -> Level:
    node = making.node
    if "ask" in node or "gets" in node:
        return _asked(making, claims.ASK if "ask" in node else claims.GETS)
    offers, right = [], []
    for n, item in enumerate(node["options"].items, 1):
        offers.append(Offer(str(n), words=item["words"].both))
        claim = item["claim"]
        if _holds(claim, making):
            right.append(str(n))
        item.done()
    return Level(
        "choice",
        CHOICES,
        making.game.with_options(making.options),
        (frozenset(right),) if right else (),
        many=True,
        offers=tuple(offers),
    )


def _holds(node: Node, making: Making) -> bool:
    """Whether a claim is so. A claim that can't be asked at all is a fault."""
    asked = claims.question(node, making.game, making.options)
    said = node["is"]
    node.done()
    if asked.kind in (claims.ASK, claims.GETS):
        try:
            asked.outcome()
        except ValueError as error:
            raise node.fault(f"the table can't be asked this: {error}") from None
    try:
        claims.check(asked, said)
    except RefutedError:
        return False
    return True


def _asked(making: Making, kind: str) -> Level:
    node = making.node
    asked = making.question(kind)
    try:
        outcome = asked.outcome()
    except ValueError as error:
        raise node.fault(f"the table can't be asked this: {error}") from None
    told = " ".join(asking.told(outcome.value)) or "none"
    offers = []
    for item in node["options"].items:
        answer = " ".join(item["answer"].texts)
        words = item.get("words")
        offers.append(Offer(answer, words=words.both if words else Text(answer, answer)))
        item.done()
    if sum(offer.value == told for offer in offers) != 1:
        raise node["options"].fault(f"one choice must be the engine's answer, which is {told!r}")
    return Level(
        "choice",
        CHOICES,
        asked.played,
        (frozenset({told}),),
        offers=tuple(offers),
        because=outcome.reasons,
    )


def _every_tile(game: Ruleset) -> tuple[Offer, ...]:
    return tuple(Offer(tile.code, tile=tile) for tile in game.tiles.tiles)


def _name(game: Ruleset, item: str) -> Text:
    code = item.split(".")[0]
    tile = notation.parse_tile(code)
    return game.tiles.name(tile) if tile else Text(code, code)


def _told(verdict: Verdict) -> Text:
    """What came of a hand, to stand after what was done to it."""
    if verdict.wins:
        total = verdict.ruleset.measure.total(verdict.total or 0)
        return Text(f"it wins: {total.en}.", f"能胡：{total.zh}。")
    failing = next((f for f in verdict.findings if f.status == FAIL), None)
    if failing is None:
        return Text(_small(verdict.summary.en), verdict.summary.zh)
    return Text(f"it doesn't win: {_small(failing.message.en)}", f"还不能胡：{failing.message.zh}")


def _small(words: str) -> str:
    return words[:1].lower() + words[1:]


def _large(words: str) -> str:
    return words[:1].upper() + words[1:]


KINDS: dict[str, Callable[[Making], Level]] = {
    "pick": _pick,
    "complete": _complete,
    "discard": _discard,
    "exchange": _exchange,
    "group": _group,
    "clause": _clause,
    "can-win": _can_win,
    "which-game": _which_game,
    "pair": _pair,
    "waits": _waits,
    "which": _which,
    "openings": _openings,
    "claim": _claim,
    "wall": _wall,
    "birds": _birds,
    "payments": _payments,
    "score": _score,
    "choice": _choice,
}
