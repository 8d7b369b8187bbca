"""Who pays whom in Changsha: small and big wins, the dealer's share, birds; openings; no gang points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...circumstances import Circumstances
from ...house import House
from ...payments import OPENING, WIN, Line, Prize
from ...table import Reason, others_from, ruling
from ...text import Text, listed, plural
from ...tiles import Tile
from .house import BIRD_COUNT_UP, BIRDS, DOUBLE_GANG, OPENING_BIRDS, SEVERAL_WINNERS
from .patterns import patterns
from .tiles import TILE_SET
from .wall import WallRulings

_OPENED_GANG = ("gangshanghua", "gangshangpao")
_LAST_TILE = ("haidilaoyue", "haidipao")


def _worth(total: int, points: int, *, with_dealer: bool) -> Text:
    """What a win is worth between two players, before birds."""
    if not total:
        return (
            Text(f"A small win, and the dealer wins or pays: {points}", f"小胡带庄，{points}分")
            if with_dealer
            else Text(f"A small win: {points}", f"小胡，{points}分")
        )
    each = 6 + with_dealer
    english = f"{plural(total, 'big win')} × {each}"
    if with_dealer:
        return Text(
            f"{english}, as the dealer wins or pays: {points}", f"{total}个大胡带庄，×{each}＝{points}分"
        )
    return Text(f"{english} = {points}", f"{total}个大胡，×{each}＝{points}分")


class PaymentRulings(WallRulings):
    """What a Changsha table pays."""

    pays_openings = True
    offers_last_tile = True

    def __init__(self, house: House = House()) -> None:
        super().__init__(house)
        self.most_birds = int(house[BIRDS])
        self.several_winners = house.says(SEVERAL_WINNERS, "all")
        self._moments = {p.key for p in patterns(house) if p.is_moment}

    def prize(
        self, circumstances: Circumstances, patterns: Mapping[str, int], total: int, winning: Tile | None
    ) -> Prize:
        """A win as it is paid. On the last tile of the wall that tile is the bird (CS-68, S12)."""
        birds = circumstances.birds
        if birds is None:
            on_last = self.most_birds and self.is_on_last_tile(circumstances)
            birds = (winning,) if winning and on_last else ()
        return super().prize(replace(circumstances, birds=birds), patterns, total, winning)

    def is_on_last_tile(self, circumstances: Circumstances) -> bool:
        """Whether a win is on the last tile of the wall."""
        return any(moment in _LAST_TILE for moment in circumstances.moments)

    @ruling(
        "win-pays",
        Text("Who pays for a win", "谁付胡牌的分"),
        Text(
            "a small win 1, each big win 6, and 1 more where the dealer wins or pays; a discard is paid by the discarder alone",
            "小胡1分，大胡每个6分，庄家输赢多1分；点炮只有点炮的付",
        ),
        tuple(f"CS-{n}" for n in (*range(44, 58), 65, 66, 67)),
        options=(BIRD_COUNT_UP,),
        readings=("S4", "S11"),
    )
    def win_lines(self, prize: Prize) -> tuple[Line, ...]:
        """Who pays whom for a win, birds included."""
        payers = others_from(prize.seat) if prize.discarder is None else (prize.discarder,)
        return tuple(self._line(prize, payer) for payer in payers)

    def _line(self, prize: Prize, payer: int) -> Line:
        with_dealer = 0 in (payer, prize.seat)
        points = prize.total * (6 + with_dealer) if prize.total else 1 + with_dealer
        words = _worth(prize.total, points, with_dealer=with_dealer)
        times, birds = self._times(prize, payer, prize.birds)
        if times > 1:
            words = Text(
                f"{words.en}; {birds.en}: × {times} = {times * points}",
                f"{words.zh}；{birds.zh}，×{times}＝{times * points}分",
            )
        cites = ["CS-45" if prize.total else "CS-44"]
        if prize.total > 1:
            cites.append("CS-55")
        if times > 1:
            cites += ["CS-56"] if self.house.says(BIRD_COUNT_UP, "double") else []
            cites += ["CS-64", "CS-68"] if any(key in _LAST_TILE for key in prize.patterns) else ["CS-64"]
        words = Text(f"{words.en}.", f"{words.zh}。")
        return Line(payer, prize.seat, times * points, WIN, words, tuple(cites))

    def _times(self, prize: Prize, payer: int, birds: tuple[Tile, ...]) -> tuple[int, Text]:
        """By how much birds multiply a payment, and which do (S11)."""
        found = [(bird, self.bird_seat(bird.rank, prize.seat).value) for bird in birds]
        on_winner = [TILE_SET.name(bird) for bird, seat in found if seat == prize.seat]
        on_payer = [TILE_SET.name(bird) for bird, seat in found if seat == payer]
        count = len(on_winner) + len(on_payer)
        times = 2**count if self.house.says(BIRD_COUNT_UP, "double") else 1 + count
        parts = []
        if on_winner:
            names = listed(on_winner)
            parts.append(Text(f"{names.en} on the winner", f"{names.zh}扎中赢家"))
        if on_payer:
            names = listed(on_payer)
            parts.append(Text(f"{names.en} on the payer", f"{names.zh}扎中付的人"))
        return times, listed(parts, last=Text("and", "、"))

    def bird_notes(self, *prizes: Prize) -> tuple[Reason, ...]:
        """Where each bird falls, and if it changes anything for the wins of a hand, which share them."""
        notes: list[Reason] = []
        for bird in prizes[0].birds if prizes else ():
            # Where a table counts from the winner, a bird falls elsewhere for each of several.
            seats = {self.bird_seat(bird.rank, prize.seat).value for prize in prizes}
            groups = [prizes] if len(seats) == 1 else [(prize,) for prize in prizes]
            notes += [self._bird_note(bird, group) for group in groups]
        return tuple(dict.fromkeys(notes))

    def _bird_note(self, bird: Tile, prizes: tuple[Prize, ...]) -> Reason:
        found = self.bird_seat(bird.rank, prizes[0].seat)
        name, reason = TILE_SET.name(bird), found.reasons[0]
        winners = {prize.seat for prize in prizes}
        first = prizes[0]
        payers = others_from(first.seat) if first.discarder is None else (first.discarder,)
        if found.value in winners and len(winners) > 1:
            effect = Text("one of the winners: it counts for that winner's payment", "赢家之一，只翻他那一笔")
        elif found.value in winners:
            effect = Text("the winner: it counts for every payment", "赢家，每笔都算中")
        elif found.value in payers and len(winners) > 1:
            effect = Text("the player who pays: it counts for each payment", "付的人，付出的每笔都算中")
        elif found.value in payers:
            effect = Text("a payer: it counts for that payment", "付的人，那一笔算中")
        else:
            effect = Text("who neither wins nor pays: it changes nothing", "没胡也不用付，不算中")
        return Reason(
            Text(
                f"{name.en}. {reason.message.en[:-1]}, {effect.en}.",
                f"{name.zh}：{reason.message.zh[:-1]}，{effect.zh}。",
            ),
            reason.cites,
        )

    def joins(self, moments: tuple[str, ...] | None) -> bool:
        """Whether one player may win two tiles at once: those of one opened gang."""
        return moments is None or any(moment in _OPENED_GANG for moment in moments)

    @ruling(
        "double-gang",
        Text("Both tiles of one opened gang", "开杠两张都胡"),
        Text("each tile's hand is counted by itself and they add up", "两张各按牌型算大胡，再相加"),
        ("CS-33", "CS-39", "CS-58", "CS-59", "CS-60"),
        options=(DOUBLE_GANG,),
        readings=("S14",),
    )
    def joined(self, first: Prize, second: Prize) -> Prize:
        """One player's wins on the two tiles of one opened gang, as one prize."""
        if self.house.says(DOUBLE_GANG, "each"):
            return first._replace(total=first.total + second.total, patterns={})
        hits = 2
        shape = max(self._without_moment(prize) for prize in (first, second))
        return first._replace(total=shape + hits, patterns={})

    def _without_moment(self, prize: Prize) -> int:
        if not prize.patterns:
            return max(prize.total - 1, 0)
        return sum(worth for key, worth in prize.patterns.items() if key not in self._moments)

    @ruling(
        "opening-pays",
        Text("What an opening pays", "起手胡怎么算"),
        Text("each as a small self-drawn win, added up, without birds", "每样按小胡自摸算，可以相加，不算鸟"),
        ("CS-5", "CS-7"),
        options=(OPENING_BIRDS,),
        readings=("S6",),
    )
    def opening_lines(self, seat: int, name: Text, birds: tuple[Tile, ...]) -> tuple[Line, ...]:
        """Who pays whom for an opening that a seat showed."""
        lines = []
        for payer in others_from(seat):
            points = 2 if 0 in (payer, seat) else 1
            words = Text(f"{name.en}: {points}", f"{name.zh}，{points}分")
            if self.house.says(OPENING_BIRDS):
                times, hits = self._times(Prize(seat, None, 0, {}), payer, birds)
                if times > 1:
                    points *= times
                    words = Text(
                        f"{words.en}; {hits.en}: × {times} = {points}",
                        f"{words.zh}；{hits.zh}，×{times}＝{points}分",
                    )
            lines.append(Line(payer, seat, points, OPENING, Text(f"{words.en}.", f"{words.zh}。"), ("CS-5",)))
        return tuple(lines)
