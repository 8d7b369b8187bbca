"""Hands as people hold them: sets and a pair, some of it on the table, dealt from one box of tiles.

A `Box` gives out tiles, never more than four of a kind over everything it has dealt. A style says what a hand
is made of, a look how hard it is to read. What a game calls its rules and patterns nobody here knows: `leads`
finds out, by dealing and judging a few hands, which style leads to which of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from random import Random
from typing import NamedTuple

from rules import HandError, Ruleset, circumstances
from rules.circumstances import Circumstances
from rules.hands import GANG, SEQUENCE, SPECIAL_GANG, TRIPLET, Hand, Meld
from rules.tiles import SUITS, Tile, tile
from rules.verdict import FAIL, Verdict

LEVELS = (1, 2, 3, 4, 5)
COPIES = 4
SETS = 4


class NoTilesError(Exception):
    """The box can't serve what was asked for: deal anew."""


class Look(NamedTuple):
    """How hard a hand is to read. melds: how many lie open. crowd: how many groups share one suit. width: in
    how many neighbouring ranks those lie."""

    melds: tuple[int, ...]
    crowd: tuple[int, ...]
    width: int


LOOKS: Mapping[int, Look] = {
    1: Look((2, 3), (1, 2), 9),
    2: Look((1, 2, 2), (2,), 9),
    3: Look((1,), (2, 2, 3), 7),
    4: Look((1, 0), (2, 3, 3), 6),
    5: Look((0,), (3, 4, 5), 5),
}


class Style(NamedTuple):
    """What a hand is made of. suits: of how many suits. ranks: the ranks in use. triplets: the
    share of sets that are triplets. honors: the share of groups from winds and dragons, where there are any.
    melds: how many lie open, None for as many as the look has. pairs: seven pairs, of which so many make four
    alike. gangs: the share of open triplets that are gangs. special: whether the first meld is a special
    gang. share: how often it is dealt, beside others that lead to the same."""

    suits: int = 3
    ranks: str = "123456789"
    triplets: float = 0.35
    honors: float = 0.2
    melds: int | None = None
    pairs: tuple[int, ...] = ()
    gangs: float = 0.15
    special: bool = False
    share: float = 1.0


STYLES: Mapping[str, Style] = {
    "plain": Style(),
    "runs": Style(triplets=0, honors=0),
    "runs-honor-pair": Style(triplets=0, honors=0.3),
    "triplets": Style(triplets=1),
    "two-suits": Style(suits=2),
    "one-suit": Style(suits=1, honors=0),
    "inner": Style(ranks="2345678", honors=0),
    "by-threes": Style(ranks="258", triplets=1, honors=0, share=0.15),
    "melded": Style(melds=4, triplets=0.5),
    "melded-triplets": Style(melds=4, triplets=1, gangs=0.3),
    "closed": Style(melds=0),
    "ganged": Style(gangs=0.7, triplets=0.6),
    "special": Style(special=True),
    "pairs": Style(melds=0, pairs=(0, 0, 0, 1)),
    "fours": Style(melds=0, pairs=(1, 2, 2, 3), share=0.5),
}


class Box:
    """A box of tiles, four of each kind, from which everything that a question shows is taken."""

    def __init__(self, chance: Random, game: Ruleset) -> None:
        self.chance = chance
        self.game = game
        self.left: dict[Tile, int] = dict.fromkeys(game.tiles.tiles, COPIES)
        self.honors = [t for t in game.tiles.tiles if t.suit is None]

    def take(self, tiles: Sequence[Tile]) -> list[Tile]:
        """These tiles. Raises NoTilesError where the box doesn't hold them any more."""
        left = self.left
        for n, kind in enumerate(tiles):
            if not left.get(kind):
                for taken in tiles[:n]:
                    left[taken] += 1
                raise NoTilesError
            left[kind] -= 1
        return list(tiles)

    def draw(self, kinds: Iterable[Tile]) -> Tile:
        """A tile of these kinds, each kind as likely as it has copies left."""
        pile = [t for t in kinds for _ in range(self.left.get(t, 0))]
        if not pile:
            raise NoTilesError
        kind = self.chance.choice(pile)
        self.left[kind] -= 1
        return kind


class _Dealer:
    """Deals the groups of one hand."""

    def __init__(self, box: Box, style: Style, look: Look) -> None:
        self.box, self.style, self.chance = box, style, box.chance
        suits = [s for s in SUITS if any(t.suit == s for t in box.game.tiles.tiles)]
        self.chance.shuffle(suits)
        self.suits = suits[: style.suits]
        self.ranks = [int(rank) for rank in style.ranks]
        groups = SETS + 1
        self.main = self.suits[0]
        # The suit of each group: some share the main one, the rest are spread over the others.
        crowd = min(groups, self.chance.choice(look.crowd))
        others = self.suits[1:] or self.suits
        self.plan = [self.main] * crowd + [others[n % len(others)] for n in range(groups - crowd)]
        width = look.width if look.width < len(self.ranks) else len(self.ranks)
        at = self.chance.randint(0, len(self.ranks) - width)
        self.window = self.ranks[at : at + width]

    def _ranks(self, suit: str) -> list[int]:
        return self.window if suit == self.main else self.ranks

    def _is_honor(self) -> bool:
        return bool(self.box.honors) and self.chance.random() < self.style.honors

    def alike(self, suit: str, count: int) -> list[Tile]:
        """So many tiles alike."""
        if self._is_honor():
            kinds = [t for t in self.box.honors if self.box.left[t] >= count]
        else:
            kinds = [t for r in self._ranks(suit) if self.box.left[t := tile(f"{r}{suit}")] >= count]
        if not kinds:
            raise NoTilesError
        return self.box.take([self.chance.choice(kinds)] * count)

    def run(self, suit: str) -> list[Tile]:
        """Three in a row."""
        ranks = self._ranks(suit)
        starts = [r for r in ranks if r + 1 in ranks and r + 2 in ranks]
        if not starts:
            raise NoTilesError
        start = self.chance.choice(starts)
        return self.box.take([tile(f"{start + n}{suit}") for n in range(3)])

    def group(self, suit: str) -> list[Tile]:
        """A set: three alike or three in a row."""
        if self.chance.random() < self.style.triplets:
            return self.alike(suit, 3)
        return self.run(suit)

    def meld(self, suit: str) -> Meld:
        """A set that lies open, perhaps a gang."""
        style = self.style
        if self.chance.random() < style.triplets:
            if self.chance.random() < style.gangs:
                return Meld.of(GANG, self.alike(suit, 4), concealed=self.chance.random() < 0.4)
            return Meld.of(TRIPLET, self.alike(suit, 3))
        return Meld.of(SEQUENCE, self.run(suit))

    def special(self) -> Meld:
        """A special gang, perhaps with a tile added."""
        key, gang = self.chance.choice(sorted(self.box.game.tiles.special_gangs.items()))
        tiles = self.box.take(gang.tiles)
        if self.chance.random() < 0.3:
            tiles += self.box.take([self.chance.choice(gang.tiles)])
        return Meld.of(SPECIAL_GANG, tiles, special=key)

    def hand(self, melds: int) -> Hand:
        """A full hand of sets and a pair, with one of its concealed tiles as the winning one."""
        suits = self.plan[:]
        # The pair stands where the crowd is as often as a set does; what lies open is taken from the others.
        pair = suits.pop(self.chance.randrange(len(suits)))
        laid = []
        for n in range(melds):
            suit = suits.pop()
            laid.append(self.special() if self.style.special and n == 0 else self.meld(suit))
        tiles = self.alike(pair, 2)
        for suit in suits:
            tiles += self.group(suit)
        return _with_winning(self.chance, tiles, laid)

    def pairs(self) -> Hand:
        """Seven pairs, some of them alike."""
        fours = self.chance.choice(self.style.pairs)
        tiles: list[Tile] = []
        for n in range(7 - fours):
            suit = self.plan[n % len(self.plan)]
            kinds = [t for r in self._ranks(suit) if self.box.left[t := tile(f"{r}{suit}")] == COPIES] or [
                t for t, left in self.box.left.items() if left == COPIES
            ]
            tiles += self.box.take([self.chance.choice(kinds)] * (4 if n < fours else 2))
        return _with_winning(self.chance, tiles, [])


def _with_winning(chance: Random, tiles: list[Tile], melds: Sequence[Meld]) -> Hand:
    winning = chance.choice(tiles)
    tiles.remove(winning)
    return Hand.of(tiles, melds, winning)


def deal(box: Box, style: Style, level: int) -> Hand:
    """A full hand of a style, as hard to read as its level has it. Raises NoTilesError."""
    look = LOOKS[level]
    dealer = _Dealer(box, style, look)
    if style.pairs:
        return dealer.pairs()
    melds = box.chance.choice(look.melds) if style.melds is None else style.melds
    return dealer.hand(max(melds, 1) if style.special else melds)


def exchanged(box: Box, hand: Hand) -> Hand:
    """The hand with one concealed tile, or its winning one, for another near to what it holds."""
    loose = list(hand.loose)
    out = box.chance.choice(loose)
    loose.remove(out)
    near = {t for held in loose for t in near_to(held)} & box.left.keys()
    into = box.draw(sorted(near - {out}))
    loose.append(into)
    return _with_winning(box.chance, loose, hand.melds)


@lru_cache(maxsize=64)
def near_to(kind: Tile) -> tuple[Tile, ...]:
    """A tile with its neighbours up to two ranks away."""
    if kind.suit is None:
        return (kind,)
    return tuple(tile(f"{r}{kind.suit}") for r in range(max(1, kind.rank - 2), min(9, kind.rank + 2) + 1))


# How it was won


class How(NamedTuple):
    """Circumstances, and as they are written."""

    given: dict[str, str]
    read: Circumstances


USUAL = How({}, Circumstances())
# The ways of winning that every game has come up more often than the others, as they do at the table.
_COMMON_WAYS, _COMMON = ("discard", "self-draw"), 2


def chance_of(chance: Random, game: Ruleset, hand: Hand, moment: str | None = None) -> How | None:
    """How a hand may have been won, by chance; in this situation, if one is named. None where it can't be."""
    way = chance.choices(game.ways, [_COMMON if way.key in _COMMON_WAYS else 1 for way in game.ways])[0]
    given = {"by": way.key}
    seat = chance.choice((0, 1, 1, 2, 3))
    given["seat"] = str(seat)
    if not way.self_drawn:
        given["from"] = str(chance.choice([s for s in range(4) if s != seat]))
    if "listening" in game.inputs and chance.random() < 0.4:
        given["listening"] = "1"
    if "bao" in game.inputs and "listening" in given and hand.winning:
        bao = hand.winning if chance.random() < 0.6 else chance.choice(game.tiles.tiles)
        given["bao"] = bao.code
    if moment:
        given["moments"] = moment
    elif "moments" in game.inputs and chance.random() < 0.25:
        given["moments"] = chance.choice([p.key for p in game.patterns if p.is_moment])
    return how_of(game, hand, given)


def how_of(game: Ruleset, hand: Hand, given: Mapping[str, str]) -> How | None:
    """Circumstances as they are written, read; None where they can't be."""
    try:
        return How(dict(given), circumstances.read(game, hand, given))
    except HandError:
        return None


# Which style leads where

_SAMPLES = 40


class Leads(NamedTuple):
    """What came of hands of each style: how many broke exactly one rule, by rule; how many won, by pattern.

    bare: patterns of hands judged with nothing said of how they were won. wins: how many won. partly: how
    many waited for a tile that a rule bars and for one that wins, by rule.
    """

    breaks: Mapping[str, Mapping[str, int]]
    holds: Mapping[str, Mapping[str, int]]
    bare: Mapping[str, int]
    wins: Mapping[str, int]
    partly: Mapping[str, int]


@lru_cache(maxsize=32)
def leads(game: Ruleset) -> Leads:
    """Which style leads to which rule and pattern of a game, found by dealing a few hands; always the
    same."""
    breaks: dict[str, Counter[str]] = {r.key: Counter() for r in game.rules}
    holds: dict[str, Counter[str]] = {p.key: Counter() for p in game.patterns}
    bare: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    partly: Counter[str] = Counter()
    for style, made in STYLES.items():
        if made.special and not game.tiles.special_gangs:
            continue
        chance = Random(f"leads {style}")  # noqa: S311 - hands, no secrets
        for n in range(_SAMPLES):
            try:
                hand = deal(Box(chance, game), made, LEVELS[n % len(LEVELS)])
            except NoTilesError:
                continue
            how = chance.choice(usual(game))
            verdict = game.judge(hand, how.read)
            if verdict.wins:
                wins[style] += 1
            broken = broken_by(verdict)
            if len(broken) == 1:
                breaks[broken[0]][style] += 1
                waits = game.all_waits(hand, how.read)
                if any(not wait.fails for wait in waits) and any(wait.fails == broken for wait in waits):
                    partly[broken[0]] += 1
            unmarked = game.judge(Hand.of(hand.loose, hand.melds), how.read)
            bare.update(unmarked.patterns)
            for pattern in game.patterns:
                told = chance_of(chance, game, hand, pattern.key if pattern.is_moment else None)
                if told and pattern.key in game.judge(hand, told.read).patterns:
                    holds[pattern.key][style] += 1
    return Leads(breaks, holds, bare, wins, partly)


@lru_cache(maxsize=32)
def usual(game: Ruleset) -> tuple[How, ...]:
    """The circumstances to judge by where nothing is said: where nobody wins without having declared it,
    both."""
    chance = Random("usual")  # noqa: S311 - hands, no secrets
    if "listening" not in game.inputs:
        return (USUAL,)
    for n in range(_SAMPLES):
        with suppress(NoTilesError):
            style = STYLES[chance.choice(("plain", "closed", "triplets"))]
            hand = deal(Box(chance, game), style, LEVELS[n % len(LEVELS)])
            if game.wins(hand):
                return (USUAL,)
    return (USUAL, How({"listening": "1"}, Circumstances(listening=True)))


def broken_by(verdict: Verdict) -> tuple[str, ...]:
    """The keys of the rules that a full hand breaks."""
    if verdict.chosen is not None:
        return verdict.chosen.fails
    return tuple(f.rule.key for f in verdict.findings if f.status == FAIL)


def is_mendable(verdict: Verdict) -> bool:
    """Whether one exchange makes a losing hand win."""
    return bool(verdict.ruleset.fixes(verdict.hand, verdict.circumstances))


def styled(chance: Random, weights: Mapping[str, int]) -> Style:
    """A style, the likelier the more often it led there. weights: by its name."""
    names = list(weights)
    return STYLES[chance.choices(names, [weights[name] * STYLES[name].share for name in names])[0]]
