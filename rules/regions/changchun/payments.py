"""Who pays whom in Changchun: a win by its fan, and gangs apart from it."""

from __future__ import annotations

from ...hands import SPECIAL_GANG
from ...house import House
from ...payments import GANG, WIN, Gang, Line, Prize
from ...table import Table, others_from, ruling
from ...text import Text, listed
from .house import (
    DADAN,
    DADAN_1M,
    DIRECT_GANG_PAYS,
    DISCARD_PAYS,
    LOSING_DEALER_PAYS_EXTRA,
    POINTS,
)
from .openings import dadan_kinds
from .patterns import patterns
from .tiles import SPECIAL_GANGS


class PaymentRulings(Table):
    """What a Changchun table pays."""

    pays_gangs = True

    def __init__(self, house: House = House()) -> None:
        super().__init__(house)
        self._names = {p.key: p.name for p in patterns(house)}
        self._dadan = dadan_kinds(house)

    @ruling(
        "points",
        Text("From fan to points", "番数与分"),
        Text("what a number of fan comes to in points", "几番是几分"),
        ("CC-84",),
        options=(POINTS,),
        readings=("R12",),
    )
    def points(self, fan: int) -> int:
        """The points that so many fan come to, for a stake of 1."""
        if fan < 1:
            return 0
        if self.house.says(POINTS, "linear"):
            return fan
        doublings = fan - 1 if self.house.says(POINTS, "doubling") else min(fan, 6)
        return 1 << doublings

    @ruling(
        "win-pays",
        Text("Who pays for a win", "谁付胡牌的分"),
        Text(
            "a discard is paid by the discarder, a self-draw by all three",
            "点炮由放炮的人付，自摸三家都付",
        ),
        ("CC-63", "CC-64", "CC-65", "CC-76", "CC-86", "CC-92"),
        options=(DISCARD_PAYS, LOSING_DEALER_PAYS_EXTRA),
        readings=("R13", "R14", "R25"),
    )
    def win_lines(self, prize: Prize) -> tuple[Line, ...]:
        """Who pays whom for a win."""
        if prize.discarder is None:
            return tuple(
                self._line(prize, seat, seat, prize.total, "CC-65") for seat in others_from(prize.seat)
            )
        if self.house.says(DISCARD_PAYS, "discarder"):
            return (self._line(prize, prize.discarder, prize.discarder, prize.total, "CC-64"),)
        for_all = self.house.says(DISCARD_PAYS, "discarder-for-all")
        lines = []
        for seat in others_from(prize.seat):
            # The fan for the discard is the discarder's alone.
            fan = prize.total if seat == prize.discarder else prize.total - 1
            lines.append(self._line(prize, seat, prize.discarder if for_all else seat, fan, "CC-86"))
        return tuple(line for line in lines if line.points)

    def _line(self, prize: Prize, owing: int, paying: int, fan: int, cite: str) -> Line:
        """What one seat owes for a win. paying: who pays it, which may be another."""
        extra = self.house.says(LOSING_DEALER_PAYS_EXTRA) and owing == 0
        owed = fan + extra
        points = self.points(owed)
        parts = [
            Text(f"{self._names[key].en.lower()} {worth}", f"{self._names[key].zh}{worth}")
            for key, worth in prize.patterns.items()
            if not (key == "fangpao" and fan < prize.total)
        ]
        if extra:
            parts.append(Text("the losing dealer 1", "庄家输1"))
        made = listed(parts) if len(parts) > 1 else Text("", "")
        english = f"{owed} fan" + (f" ({made.en})" if parts[1:] else "")
        chinese = f"{owed}番" + (f"（{made.zh}）" if parts[1:] else "")
        if points != owed:
            english, chinese = f"{english}, {points} points", f"{chinese}，合{points}分"
        how = Text("Self-drawn", "自摸") if prize.discarder is None else Text("Discarded", "点炮")
        if prize.by == "robbed-gang":
            how = Text("Robbed of a gang, paid as a discard", "被抢杠，按点炮付")
        if owing != paying:
            how = Text("Discarded, paid for another", "点炮，替别家付")
        elif prize.discarder not in (None, paying):
            how = Text("Not the discarder", "没点炮的也付")
        words = Text(f"{how.en}: {english}.", f"{how.zh}：{chinese}。")
        cites = tuple(dict.fromkeys((cite, "CC-84", *(("CC-92",) if extra else ()))))
        return Line(paying, prize.seat, points, WIN, words, cites)

    @ruling(
        "gang-points",
        Text("Gang points", "杠分"),
        Text(
            "an exposed or special gang 1, each tile added 1, a concealed gang 2, a dadan 2 or 4, from each of the others, "
            "also when nobody wins",
            "明杠、特殊杠1分，每补一张1分，暗杠2分，大蛋2分或4分，其他三家各付，荒庄也付",
        ),
        ("CC-36", "CC-37", "CC-38", "CC-94", "CC-95", "CC-96", "CC-97"),
        options=(DADAN, DADAN_1M, DIRECT_GANG_PAYS),
        readings=("R16", "R22"),
    )
    def gang_lines(self, gang: Gang) -> tuple[Line, ...]:
        """Who pays whom for a gang, whoever wins or nobody."""
        points, words, cite = self._worth(gang)
        payers: tuple[int, ...] = others_from(gang.seat)
        if gang.discarder is not None and self.house.says(DIRECT_GANG_PAYS, "discarder"):
            payers = (gang.discarder,)
        return tuple(Line(payer, gang.seat, points, GANG, words, (cite, "CC-94")) for payer in payers)

    def _worth(self, gang: Gang) -> tuple[int, Text, str]:
        """What a gang brings from each who pays, in words, and the source rule."""
        meld = gang.meld
        if meld.kind == SPECIAL_GANG:
            special = SPECIAL_GANGS[meld.special or ""]
            added = len(meld.tiles) - len(special.tiles)
            if not added:
                return 1, Text(f"A {special.name.en}: 1.", f"{special.name.zh}：1。"), "CC-96"
            words = Text(
                f"A {special.name.en} and {added} added: 1 + {added} = {1 + added}.",
                f"{special.name.zh}补了{added}张：1＋{added}＝{1 + added}。",
            )
            return 1 + added, words, "CC-96"
        if meld.tiles[0] in self._dadan and (gang.dealt or self.house.says(DADAN, "any-time")):
            if meld.concealed:
                return 4, Text("A dadan ganged face down: 4.", "暗大蛋：4。"), "CC-38"
            return 2, Text("A dadan ganged face up: 2.", "明大蛋：2。"), "CC-37"
        if meld.concealed:
            return 2, Text("A concealed gang: 2.", "暗杠：2。"), "CC-97"
        return 1, Text("An exposed gang: 1.", "明杠：1。"), "CC-96"
