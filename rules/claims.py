"""Who may take a tile and what for: 吃, 碰, 杠 and 胡 as both games have them.

What the games settle differently, such as how many may win on one tile, their own tables say. Here is what
the tiles allow, and the words for it. In sentences a seat is named by its place after the player who gave
the tile: 下家 the next player, 对家 the player opposite, 上家 the previous player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from .hands import GANG, SEQUENCE, SPECIAL_GANG, TRIPLET, Hand, Meld
from .table import PLACES, Outcome, Reason, others_from, seat_after, steps_between
from .text import Text
from .tiles import Tile, TileSet, tile
from .verdict import FAIL, Verdict

HU, PENG, CHI, PASS = "hu", "peng", "chi", "pass"  # beside GANG, which is also the meld's name
ACTIONS = (HU, PENG, GANG, CHI, PASS)
DRAW, DISCARD, REPLACE, END = "draw", "discard", "replace", "end"


class Claim(NamedTuple):
    """What one seat does about a tile: action `hu`, `peng`, `gang`, `chi` or `pass`.

    meld: what would lie in front of the player, None for `hu` and `pass`. tiles: which tiles it takes where
    two lie there at once, as after a 开杠; else ().
    """

    seat: int
    action: str
    meld: Meld | None = None
    tiles: tuple[Tile, ...] = ()


class Standing(NamedTuple):
    """What binds a seat. listening: 听 was declared. locked: no tile may change the hand any more.

    In Changchun seeing the bao locks a hand, in Changsha a 开杠. missed: the most points that a passed win
    on a discard would have paid since the player's own last move, 0 where none was passed.
    """

    listening: bool = False
    locked: bool = False
    missed: int = 0


class Turn(NamedTuple):
    """Whose move it is, and what: `draw`, `discard`, `replace` after a gang, or `end` of the hand."""

    seat: int
    step: str


ACTION_WORDS = {
    HU: Text("win", "胡"),
    PENG: Text("peng", "碰"),
    GANG: Text("gang", "杠"),
    CHI: Text("chi", "吃"),
}
FREE = Standing()
ALL_FREE: Mapping[int, Standing] = MappingProxyType({})


# What the tiles allow


def peng_of(hand: Hand, kind: Tile) -> Meld | None:
    """The 碰 that a hand with two such concealed tiles makes of a discard, else None."""
    return Meld.of(TRIPLET, [kind] * 3) if hand.loose.count(kind) >= 2 else None


def gang_of(hand: Hand, kind: Tile) -> Meld | None:
    """The 杠 that a hand with three such concealed tiles makes of a discard, else None."""
    return Meld.of(GANG, [kind] * 4) if hand.loose.count(kind) >= 3 else None


def chis_of(hand: Hand, kind: Tile) -> tuple[Meld, ...]:
    """Every 吃 that the concealed tiles allow for a suited tile, lowest first; () for a wind or dragon."""
    if kind.suit is None:
        return ()
    held = set(hand.loose)
    runs = []
    for start in range(max(1, kind.rank - 2), min(7, kind.rank) + 1):
        run = [tile(f"{rank}{kind.suit}") for rank in range(start, start + 3)]
        if held.issuperset(t for t in run if t is not kind):
            runs.append(Meld.of(SEQUENCE, run))
    return tuple(runs)


def melds_with(seat: int, hand: Hand, kind: Tile, discarder: int) -> tuple[Claim, ...]:
    """Every 碰, 杠 and, for the discarder's next player, 吃 that the tiles allow for a discard."""
    claims = [Claim(seat, PENG, peng_of(hand, kind)), Claim(seat, GANG, gang_of(hand, kind))]
    if steps_between(discarder, seat) == 1:
        claims += [Claim(seat, CHI, meld) for meld in chis_of(hand, kind)]
    return tuple(c for c in claims if c.meld)


def own_gangs_of(hand: Hand) -> tuple[Meld, ...]:
    """The gangs that a hand can make in its own turn: four concealed alike, and the fourth tile of a 碰."""
    held = Counter(hand.loose)
    concealed = [Meld.of(GANG, [kind] * 4, concealed=True) for kind in held if held[kind] == 4]
    pengs = [meld.tiles[0] for meld in hand.melds if meld.kind == TRIPLET]
    return (*concealed, *(Meld.of(GANG, [kind] * 4) for kind in pengs if kind in held))


def taken(hand: Hand, meld: Meld, kind: Tile) -> Hand:
    """The hand after a discard was taken for a meld."""
    used = list(meld.tiles)
    used.remove(kind)
    return _without(hand, used, (*hand.melds, meld))


def laid(hand: Hand, meld: Meld) -> Hand:
    """The hand after one of its `own_gangs_of` was laid down."""
    if meld.concealed:
        return _without(hand, meld.tiles, (*hand.melds, meld))
    kind = meld.tiles[0]
    melds = tuple(meld if m.tiles[0] is kind else m for m in hand.melds)
    return _without(hand, [kind], melds)


def grown(hand: Hand, kind: Tile) -> Hand:
    """The hand after a concealed tile was added to its special gang of such tiles. Raises ValueError without one."""
    at = next((n for n, m in enumerate(hand.melds) if m.kind == SPECIAL_GANG and kind in m.tiles), None)
    if at is None:
        raise ValueError(f"no special gang of this hand takes {kind}")
    old = hand.melds[at]
    new = Meld.of(SPECIAL_GANG, (*old.tiles, kind), special=old.special)
    return _without(hand, [kind], (*hand.melds[:at], new, *hand.melds[at + 1 :]))


def without(hand: Hand, kind: Tile) -> Hand:
    """The hand after a concealed tile was discarded. Raises ValueError where it holds none."""
    return _without(hand, [kind], hand.melds)


def _without(hand: Hand, used: Iterable[Tile], melds: tuple[Meld, ...]) -> Hand:
    left = Counter(hand.loose)
    for kind in used:
        if not left[kind]:
            raise ValueError(f"the hand has no {kind} to lay down")
        left[kind] -= 1
    return Hand.of(left.elements(), melds)


# Who gets the tile


def in_turn(claims: Iterable[Claim], giver: int) -> tuple[Claim, ...]:
    """The claims in turn order after the player who gave the tile; those of one seat as they come."""
    return tuple(sorted(claims, key=lambda claim: steps_between(giver, claim.seat)))


def wished(possible: Iterable[Claim], declared: Iterable[Claim], giver: int) -> tuple[Claim, ...]:
    """The declared claims without the passes, in turn order; a seat that says nothing passes.

    Raises ValueError for a second claim of one seat, and for one that is not among the possible.
    """
    possible, declared = tuple(possible), tuple(declared)
    for seat, count in Counter(claim.seat for claim in declared).items():
        check_seat(seat)
        if count > 1:
            raise ValueError(f"seat {seat} declares {count} claims, not one")
    for claim in declared:
        if claim.action != PASS and claim not in possible:
            raise ValueError(f"seat {claim.seat} can't {claim.action} here")
    return in_turn((claim for claim in declared if claim.action != PASS), giver)


def next_move(giver: int, claim: Claim | None, cites: Mapping[str, tuple[str, ...]]) -> Outcome[Turn]:
    """Whose move follows a discard and the claim on it, None for none. cites: the source rules for each step."""
    check_seat(giver)
    if claim is not None:
        check_taker(claim.seat, giver)
    if claim is None or claim.action == PASS:
        turn = Turn(seat_after(giver), DRAW)
    elif claim.action in ACTIONS:
        turn = Turn(claim.seat, {HU: END, GANG: REPLACE}.get(claim.action, DISCARD))
    else:
        raise ValueError(f"no claim is called {claim.action!r}")
    who = place(turn.seat, giver)
    words = {
        DRAW: Text(f"Nobody takes the tile, so {who.en} draws.", f"没人要，{who.zh}抓牌。"),
        DISCARD: Text(
            f"{capitalized(who.en)} has taken the tile and must discard one.",
            f"{who.zh}要了这张牌，必须打出一张。",
        ),
        REPLACE: Text(
            f"{capitalized(who.en)} has ganged and takes a tile for it before discarding.",
            f"{who.zh}杠了，先补牌，再打出一张。",
        ),
        END: Text(f"{capitalized(who.en)} wins: the hand is over.", f"{who.zh}胡了，这一局结束。"),
    }
    return Outcome(turn, (Reason(words[turn.step], cites.get(turn.step, ())),))


# Words


def place(seat: int, giver: int) -> Text:
    """A seat by its place after the player who gave the tile: "the next player", 「下家」."""
    named = PLACES[steps_between(giver, seat)]
    return Text(f"the {named.en}", named.zh)


def capitalized(words: str) -> str:
    """English words at the start of a sentence."""
    return words[0].upper() + words[1:]


def claim_words(tiles: TileSet, claim: Claim, kind: Tile, giver: int) -> Text:
    """What a seat may do with a tile, and what it has for it, in one sentence."""
    who, name = place(claim.seat, giver), tiles.name(kind)
    start = capitalized(who.en)
    if claim.action == HU:
        return Text(f"{start} waits for {name.en} and may win.", f"{who.zh}听{name.zh}，可以胡。")
    if claim.action == PENG:
        return Text(f"{start} holds two {name.en} and may peng.", f"{who.zh}手里有一对{name.zh}，可以碰。")
    if claim.action == GANG:
        return Text(f"{start} holds three {name.en} and may gang.", f"{who.zh}手里有三张{name.zh}，可以杠。")
    own = list(claim.meld.tiles) if claim.meld else []
    own.remove(kind)
    names = tiles.names(own)
    return Text(f"{start} may chi {name.en} with {names.en}.", f"{who.zh}可以用{names.zh}吃{name.zh}。")


def no_chi_words(tiles: TileSet, seat: int, hand: Hand, kind: Tile, giver: int) -> Text | None:
    """Why a seat that has the tiles for a 吃 may not make it, or None where it may or hasn't."""
    if steps_between(giver, seat) == 1 or not chis_of(hand, kind):
        return None
    who, name = place(seat, giver), tiles.name(kind)
    return Text(
        f"{capitalized(who.en)} has the tiles to chi {name.en}, but only the next player may.",
        f"{who.zh}手里的牌能吃{name.zh}，可是只有下家能吃。",
    )


def why_no_win(tiles: TileSet, verdict: Verdict, seat: int, kind: Tile, giver: int) -> Reason | None:
    """Why a hand that a tile would complete does not win with it, or None where it wins or is not complete."""
    if verdict.chosen is None or verdict.wins:
        return None
    who, name = place(seat, giver), tiles.name(kind)
    why = next(finding for finding in verdict.findings if finding.status == FAIL)
    words = Text(
        f"{name.en} completes the hand of {who.en}, but it does not win: {why.message.en[0].lower()}{why.message.en[1:]}",
        f"{name.zh}能让{who.zh}成牌，但是不能胡：{why.message.zh}",
    )
    return Reason(words, why.cites)


def of_seat(seat: int, giver: int, reason: Reason) -> Reason:
    """A reason with the seat that it is about before it."""
    who, words = place(seat, giver), reason.message
    english = f"{capitalized(who.en)}: {words.en[0].lower()}{words.en[1:]}"
    return Reason(Text(english, f"{who.zh}：{words.zh}"), reason.cites)


def why_first(giver: int, winner: Claim, wishes: Iterable[Claim]) -> Iterator[tuple[Claim | None, Text]]:
    """Why a claim gets the tile: for each rival claim it comes before, or once with None where it has no rival."""
    who, action = place(winner.seat, giver), ACTION_WORDS[winner.action]
    rivals = [claim for claim in wishes if claim is not winner]
    if not rivals:
        yield (
            None,
            Text(
                f"Only {who.en} claims the tile, to {action.en}.",
                f"只有{who.zh}要{action.zh}这张牌，牌归{who.zh}。",
            ),
        )
    for claim in rivals:
        other, less = place(claim.seat, giver), ACTION_WORDS[claim.action]
        if claim.action == winner.action:
            words = Text(
                f"{capitalized(who.en)} gets the tile to {action.en}, being nearer in turn order than {other.en}.",
                f"{who.zh}排在{other.zh}前面，牌归{who.zh}{action.zh}。",
            )
        else:
            words = Text(
                f"{capitalized(who.en)} gets the tile to {action.en}: that comes before the {less.en} of {other.en}.",
                f"{action.zh}比{less.zh}优先，牌归{who.zh}{action.zh}，{other.zh}{less.zh}不成。",
            )
        yield claim, words


def gathered(found: Iterable[tuple[Claim | None, Reason]], nothing: Reason) -> Outcome[tuple[Claim, ...]]:
    """The claims with what was found about them; with `nothing` alone where nothing was found."""
    found = tuple(found)
    reasons = tuple(dict.fromkeys(reason for _, reason in found))
    return Outcome(tuple(claim for claim, _ in found if claim), reasons or (nothing,))


# What the tables are asked


def check_seat(seat: int) -> None:
    """Raises ValueError for what is no seat."""
    if seat not in range(4):
        raise ValueError(f"a seat is 0 to 3, not {seat}")


def check_kind(tiles: TileSet, kind: Tile) -> None:
    """Raises ValueError for a tile that the game is played without."""
    if kind not in tiles.kinds:
        raise ValueError(f"this game has no {kind}")


def check_waiting(hand: Hand) -> None:
    """Raises ValueError unless the hand is one tile short."""
    if len(hand.loose) + 3 * len(hand.melds) != 13:
        raise ValueError(f"a hand that waits for a tile is one short, unlike {hand}")


def check_taker(seat: int, giver: int) -> None:
    """Raises ValueError unless a seat is another than that of the player who gives a tile."""
    check_seat(giver)
    if seat not in others_from(giver):
        raise ValueError(f"seat {seat} can't take a tile from seat {giver}")


def check_there_is(hand: Hand, kinds: Iterable[Tile]) -> None:
    """Raises ValueError where a hand already holds so many of these tiles that they can't all come to it."""
    for kind, coming in Counter(kinds).items():
        if hand.left(kind) < coming:
            raise ValueError(f"there are four {kind}, and this hand would hold {hand.copies(kind) + coming}")


def check_full(hand: Hand) -> None:
    """Raises ValueError unless the hand has all its tiles."""
    if len(hand.loose) + 3 * len(hand.melds) != 14:
        raise ValueError(f"a hand whose turn it is has all its tiles, unlike {hand}")


def check_question(tiles: TileSet, giver: int, given: Iterable[Tile], hands: Mapping[int, Hand]) -> None:
    """Raises ValueError unless these tiles, all that lie there of their kinds, can come from the giver to the hands."""
    check_seat(giver)
    for seat, hand in hands.items():
        check_taker(seat, giver)
        check_waiting(hand)
    for kind, lying in Counter(given).items():
        check_kind(tiles, kind)
        if lying + sum(hand.copies(kind) for hand in hands.values()) > 4:
            raise ValueError(f"there are only four {kind}")
