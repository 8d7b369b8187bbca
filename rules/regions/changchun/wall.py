"""The wall of a Changchun table: dealer, dice, deal, replacement tiles, the bao's place, and where drawing ends."""

from __future__ import annotations

from typing import TypeVar

from ...table import Outcome, Reason, Table, others_from, ruling
from ...text import Text, listed, plural
from ...tiles import TILES, Tile
from ...wall import (
    SEAT_NAMES,
    Break,
    Deal,
    Dice,
    Drawn,
    Place,
    Wall,
    because,
    broken,
    checked_seat,
    deal_reasons,
    dealt,
    dice_sum,
    seat_counted,
    thrown,
)
from .house import FIRST_TAKER, RESERVE

T = TypeVar("T")

_THREE_TILE_GANGS = ("xigang", "yaodan", "jiudan")


class WallRulings(Table):
    """Everything that is settled by where a tile lies."""

    # Players, tiles and dice

    @ruling(
        "players",
        Text("Four players", "四人对局"),
        Text("The game is for exactly four.", "长春麻将四个人打，缺一不可。"),
        ("CC-2",),
    )
    def can_play(self, players: int) -> Outcome[bool]:
        """Whether so many players can play."""
        if players == 4:
            return Outcome.of(True, "Four players: the table is complete.", "四个人，齐了。", "CC-2")
        return Outcome.of(
            False, f"It takes four players, not {players}.", f"要四个人才能打，{players}个人不行。", "CC-2"
        )

    @ruling(
        "tiles",
        Text("136 tiles", "一百三十六张牌"),
        Text(
            "Three suits, four winds and three dragons, four of each tile.",
            "条、饼、万三种花色，加上东南西北和中发白，每种四张。",
        ),
        ("CC-4",),
    )
    def tiles(self) -> Outcome[tuple[Tile, ...]]:
        """Every tile the wall is built of, in canonical order."""
        return Outcome.of(
            tuple(t for t in TILES for _ in range(4)),
            "27 kinds in three suits, 4 winds and 3 dragons make 34; four of each are 136 tiles.",
            "三种花色27种，加4种风牌、3种字牌，共34种，每种4张，一共136张。",
            "CC-4",
        )

    @ruling(
        "stacks",
        Text("17 stacks each", "每人十七墩"),
        Text("Each player builds a wall of 17 stacks, two tiles high.", "每人面前码17墩，每墩上下两张。"),
        ("CC-5",),
    )
    def stacks(self, seat: int) -> Outcome[int]:
        """How many stacks the player at a seat builds."""
        return Outcome.of(
            17,
            f"{SEAT_NAMES[checked_seat(seat)].en.capitalize()} builds 17 stacks like everyone: 4 × 17 × 2 = 136 tiles.",
            f"{SEAT_NAMES[seat].zh}和大家一样码17墩，四家17墩，每墩2张，正好136张。",
            "CC-5",
        )

    @ruling(
        "dice",
        Text("Two dice", "两个骰子"),
        Text(
            "Every throw is of two dice, for the break of the wall and for the bao alike.",
            "每次都掷两个骰子，开牌、定宝都一样。",
        ),
        ("CC-6",),
        readings=("R27",),
    )
    def throw(self, dice: Dice) -> Outcome[int]:
        """What a throw counts."""
        total = dice_sum(dice)
        words = thrown(dice)
        return Outcome.of(total, f"{words.en} = {total}.", f"{words.zh}，一共{total}点。", "CC-6")

    # The dealer

    @ruling(
        "first-dealer",
        Text("The first dealer", "第一局的庄家"),
        Text("Chance picks who deals first.", "第一局随机选一位玩家坐庄。"),
        ("CC-7",),
    )
    def first_dealer(self, number: int) -> Outcome[int]:
        """Who deals the first hand, as the number of a player; number: 0 to 3, drawn by chance."""
        player = checked_seat(number, "number") + 1
        return Outcome.of(
            number,
            f"Chance picks player {player} of the 4: that player deals first.",
            f"四位玩家里随机选中第{player}位，第一局由他坐庄。",
            "CC-7",
        )

    @ruling(
        "fresh-game",
        Text("When a player leaves", "有人离开"),
        Text(
            "When a player leaves or the room is closed, a fresh game begins and the dealer is chosen anew.",
            "有人离开或者房间解散，就算重新开局，庄家重新选。",
        ),
        ("CC-11",),
    )
    def fresh_game(self, number: int) -> Outcome[int]:
        """Who deals after a player has left, as the number of a player; number: 0 to 3, drawn by chance."""
        player = checked_seat(number, "number") + 1
        return Outcome.of(
            number,
            f"A fresh game begins, whoever dealt before: chance picks player {player} of the 4 as dealer.",
            f"算新的一局，不管原来谁坐庄，重新随机，选中第{player}位玩家坐庄。",
            "CC-11",
        )

    @ruling(
        "next-dealer",
        Text("Who deals next", "下一局谁坐庄"),
        Text(
            "A dealer who wins stays, and so does one whose hand is drawn; otherwise the next player deals.",
            "庄家胡了连庄，荒庄也连庄；闲家胡了，由庄家的下家坐庄。",
        ),
        ("CC-8", "CC-9", "CC-10", "CC-83"),
    )
    def next_dealer(
        self,
        winners: tuple[int, ...],
        discarder: int | None = None,
        taker: int | None = None,
        first_offered: int | None = None,
    ) -> Outcome[int | None]:
        """The next dealer's seat: 0 stays, 1 the next player. winners: the one who won, or () for a draw.

        Nothing else matters here.
        """
        if len(winners) > 1:
            raise ValueError(f"one player wins a hand at most, not {len(winners)}")
        if not winners:
            return Outcome.of(
                0,
                "Nobody won (荒庄): the dealer stays and a new hand begins.",
                "没人胡，荒庄，庄家不变，重新开局。",
                "CC-10",
                "CC-83",
            )
        if checked_seat(winners[0], "winner") == 0:
            return Outcome.of(0, "The dealer won and deals again.", "庄家胡了，继续坐庄。", "CC-8")
        winner = SEAT_NAMES[winners[0]]
        return Outcome.of(
            1,
            f"The winner is {winner.en}, so the deal passes to the player after the dealer.",
            f"{winner.zh}胡了，轮到庄家的下家坐庄。",
            "CC-9",
        )

    # Breaking the wall and dealing

    @ruling(
        "first-taker",
        Text("Who takes first", "谁先抓牌"),
        Text(
            "The dealer's first throw, the dealer counted as 1, points to the player who takes first.",
            "庄家第一次掷骰子，从自己数起，数到谁谁先抓牌。",
        ),
        ("CC-12",),
        options=(FIRST_TAKER,),
        readings=("R27",),
    )
    def first_taker(self, first: Dice) -> Outcome[int]:
        """The seat that takes tiles first. first: the dealer's first throw."""
        counted = self._counted(first)
        if self.house.says(FIRST_TAKER, "counted"):
            return Outcome(
                counted.value,
                (
                    *counted.reasons,
                    because("Whoever is counted out takes tiles first.", "数到谁，谁就先抓牌。", "CC-12"),
                ),
            )
        return Outcome.of(
            0,
            "At this table the dealer takes first; the dice only say whose wall is broken.",
            "这桌由庄家先抓，骰子只定开谁的牌墙。",
        )

    def _counted(self, first: Dice) -> Outcome[int]:
        total, words = dice_sum(first), thrown(first)
        seat = seat_counted(total)
        return Outcome.of(
            seat,
            f"{words.en} = {total}: with the dealer as 1, the count ends on {SEAT_NAMES[seat].en}.",
            f"{words.zh}，共{total}点，从庄家数起，数到{SEAT_NAMES[seat].zh}。",
            "CC-12",
        )

    @ruling(
        "wall-break",
        Text("Breaking the wall", "开牌"),
        Text(
            "The player counted out opens the wall in front of them; the second throw is counted off its right end.",
            "数到谁就开谁的牌墙，第二次掷几点，就从右往左数几墩，从后面一墩开始抓。",
        ),
        ("CC-12", "CC-13"),
        readings=("R27",),
    )
    def wall_break(self, first: Dice, second: Dice) -> Outcome[Break]:
        """Where the wall is opened by the dealer's two throws."""
        place, words = broken(first, second), thrown(second)
        kept, seat = place.stacks_kept, SEAT_NAMES[place.seat]
        return Outcome(
            place,
            (
                *self._counted(first).reasons,
                because(
                    f"{words.en}: {kept} stacks at the right end of the wall of {seat.en} stay and become its tail; "
                    f"the first tiles come from stack {kept + 1}.",
                    f"{words.zh}，{seat.zh}那道牌墙右边的{kept}墩留下当牌尾，从第{kept + 1}墩开始抓。",
                    "CC-13",
                ),
            ),
        )

    @ruling(
        "deal",
        Text("The deal", "抓牌"),
        Text(
            "The dealer is dealt 14 tiles and the others 13; the dealer acts first.",
            "庄家抓14张，闲家各抓13张，庄家先出牌。",
        ),
        ("CC-14",),
    )
    def deal(self, wall: Wall[T], first: int) -> Outcome[Deal[T]]:
        """The hands dealt from a full wall. first: the seat that takes first."""
        if len(wall) != 136:
            raise ValueError(f"the deal is made from 136 tiles, not {len(wall)}")
        deal = dealt(wall, first)
        return Outcome(deal, deal_reasons(deal, first, "CC-14"))

    @ruling(
        "first-to-act",
        Text("Who acts first", "谁先出牌"),
        Text("The dealer opens the play.", "庄家先出牌。"),
        ("CC-14",),
    )
    def first_to_act(self) -> Outcome[int]:
        """The seat that acts first once the tiles are dealt."""
        return Outcome.of(
            0,
            "The dealer already holds 14 tiles, so the dealer acts first, whoever took tiles first.",
            "庄家手里已经有14张，不管谁先抓的牌，都由庄家先出。",
            "CC-14",
        )

    # Replacement tiles

    @ruling(
        "replacement-count",
        Text("Which gangs draw", "哪些杠要补牌"),
        Text(
            "A gang draws one tile; a special gang of three tiles draws none when it is shown, each tile added to it one.",
            "开杠补一张；三张的特殊杠亮出来不补，以后每补杠一张就补一张牌。",
        ),
        ("CC-18",),
        readings=("R2",),
    )
    def replacements(self, gang: str) -> Outcome[int]:
        """How many tiles a gang draws. gang: `gang`, `xuanfenggang`, `xigang`, `yaodan`, `jiudan` or `added`."""
        if gang in _THREE_TILE_GANGS:
            return Outcome.of(
                0,
                "This gang is three tiles, as many as any set: a replacement would leave the hand a tile too long.",
                "这副杠只有三张，和一组牌一样多，再补牌手里就多一张了，所以不补。",
            )
        words = {
            "gang": Text("A gang is four tiles: draw one from the tail.", "杠是四张牌，从牌尾补一张。"),
            "xuanfenggang": Text(
                "The four winds are four tiles: draw one from the tail.", "旋风杠是四张牌，从牌尾补一张。"
            ),
            "added": Text(
                "Each tile added to a gang leaves the hand: draw one from the tail.",
                "补杠时手里少了一张，从牌尾补一张。",
            ),
        }
        if gang not in words:
            raise ValueError(f"gang is one of {', '.join((*words, *_THREE_TILE_GANGS))}, not {gang!r}")
        return Outcome(1, (Reason(words[gang], ("CC-18",)),))

    @ruling(
        "replacement",
        Text("The replacement tile", "杠后补牌"),
        Text(
            "It is the next tile of the last stack, upper then lower, however near the end of the wall.",
            "从最后一墩补，先上张后下张，牌墙快抓完了也照补。",
        ),
        ("CC-18", "CC-26"),
        readings=("R2", "R21"),
    )
    def replacement(self, wall: Wall[T]) -> Outcome[Drawn[T]]:
        """The tile a gang draws. ValueError for an empty wall."""
        english, chinese = ("upper", "上张") if wall.tail.upper else ("lower", "下张")
        return Outcome.of(
            wall.replace(),
            f"The replacement comes from the tail: the {english} tile of the last stack.",
            f"从牌尾补，补最后一墩的{chinese}。",
            "CC-18",
            "CC-26",
        )

    # The bao

    @ruling(
        "bao-place",
        Text("Where the bao lies", "宝牌在哪一墩"),
        Text(
            "The first to declare 听 throws the dice and counts so many stacks from the tail; an odd tail tile is no stack.",
            "第一个报听的掷骰子，点数是几，就从牌尾数起，数几墩，牌尾的单张不算一墩。",
        ),
        ("CC-6", "CC-50", "CC-51", "CC-82"),
        readings=("R23",),
    )
    def bao_place(self, wall: Wall[T], dice: Dice) -> Outcome[Place | None]:
        """The place of the bao, which stays in the wall; None: too few stacks, throw again."""
        total, words, stacks = dice_sum(dice), thrown(dice), wall.from_tail(odd_tail=False)
        reasons = [
            because(
                f"{words.en}: count {total} stacks from the tail.",
                f"{words.zh}，从牌尾数起，数{total}墩。",
                "CC-6",
                "CC-50",
            )
        ]
        if wall.has_odd_tail:
            reasons.append(
                because(
                    "The odd tile at the tail is not a stack and isn't counted.",
                    "牌尾的单张不算一墩。",
                    "CC-82",
                )
            )
        if total > len(stacks):
            left = plural(len(stacks), "stack")
            words = Text(
                f"The wall has only {left}: throw again.", f"牌墙只剩{len(stacks)}墩，不够数，重新掷。"
            )
            return Outcome(None, (*reasons, Reason(words)))
        place = wall.top(stacks[total - 1])
        words = (
            Text(
                "Its upper tile is the bao, and it stays where it is.", "这一墩的上张就是宝牌，留在原处不动。"
            )
            if place.upper
            else Text(
                "Its upper tile is gone, so the lower one is the bao, and it stays where it is.",
                "这一墩的上张已经抓走，下张就是宝牌，留在原处不动。",
            )
        )
        return Outcome(place, (*reasons, Reason(words, ("CC-51",))))

    @ruling(
        "bao-sight",
        Text("Who may see the bao", "谁能看宝"),
        Text(
            "The first to declare 听 turns it over and keeps it hidden; later ones may look; nobody else may.",
            "第一个报听的翻宝，不给别人看；后来报听的可以看；没报听的不能看。",
        ),
        ("CC-48", "CC-51", "CC-53"),
    )
    def may_see_bao(self, seat: int, listeners: tuple[int, ...]) -> Outcome[bool]:
        """Whether a player may look at the bao. listeners: the seats that have declared 听, the first one first."""
        _check_listeners(listeners)
        if checked_seat(seat) not in listeners:
            return Outcome.of(
                False,
                "A player who hasn't declared 听 may not look at the bao.",
                "没报听的不能看宝牌。",
                "CC-48",
                "CC-51",
            )
        if seat == listeners[0]:
            return Outcome.of(
                True,
                "The first to declare 听 turns the bao over, and shows it to nobody else.",
                "第一个报听的自己翻宝，不给别人看。",
                "CC-48",
                "CC-51",
            )
        return Outcome.of(
            True,
            "Having declared 听 later, this player may look at the bao that is already there.",
            "后来报听的可以看已经定下的宝牌。",
            "CC-48",
            "CC-53",
        )

    @ruling(
        "bao-change",
        Text("When the bao changes", "什么时候换宝"),
        Text(
            "Once three copies have been discarded there is a new bao. A claimed discard counts, and one from before "
            "the bao was turned; a tile shown from a hand does not.",
            "宝牌被打出三张就要换。打出后被吃碰杠的算，翻宝之前打出的也算，从手里亮出来的不算。",
        ),
        ("CC-54",),
        readings=("R23",),
    )
    def bao_changes(
        self, discarded: int, claimed: int = 0, earlier: int = 0, shown: int = 0
    ) -> Outcome[bool]:
        """Whether the bao is thrown for again, by its copies in sight.

        discarded: since it was turned, and still lying there. claimed: discarded and taken by somebody. earlier:
        discarded before it was turned. shown: laid down from a hand.
        """
        copies = (discarded, claimed, earlier, shown)
        if min(copies) < 0 or sum(copies) > 4:
            raise ValueError(f"a tile has 0 to 4 copies, not {copies}")
        counted = discarded + claimed + earlier
        found = [
            Text(f"{count} {english}", f"{chinese}{count}张")
            for count, english, chinese in (
                (discarded, "discarded since it was turned", "翻宝以后打出的"),
                (claimed, "discarded and claimed", "打出后被拿走的"),
                (earlier, "discarded before it was turned", "翻宝以前打出的"),
            )
            if count
        ]
        words = listed(found)
        reasons = [
            because(f"Copies of the bao: {words.en}.", f"桌面上的宝牌：{words.zh}。", "CC-54")
            if found
            else because("No copy of the bao has been discarded.", "还没人打出过宝牌。", "CC-54")
        ]
        if shown:
            reasons.append(
                because(
                    f"{plural(shown, 'copy', 'copies')} shown from a hand: not discarded, so not counted.",
                    f"从手里亮出来的{shown}张不是打出的，不算。",
                )
            )
        verdict = (
            Text(
                "That makes three: the old bao is turned back in its place and the dice are thrown for a new one.",
                "够三张了，原来的宝牌扣回原位，重新掷骰子换宝。",
            )
            if counted >= 3
            else Text("It takes three, so the bao stays.", "要三张才换，宝牌不变。")
        )
        return Outcome(counted >= 3, (*reasons, Reason(verdict, ("CC-54",))))

    @ruling(
        "bao-looks",
        Text("Who looks at a new bao", "换宝以后谁看"),
        Text(
            "The first to declare 听 throws again and looks; the other listeners look in turn order after that.",
            "由第一个报听的重新掷骰子、先看宝，其余报听的按顺序看。",
        ),
        ("CC-54",),
        readings=("R23",),
    )
    def bao_looks(self, listeners: tuple[int, ...]) -> Outcome[tuple[int, ...]]:
        """The order in which a new bao is looked at, whoever throws first. listeners: the first to declare 听 first."""
        _check_listeners(listeners)
        if not listeners:
            raise ValueError("listeners is empty, and without 听 there is no bao")
        first = SEAT_NAMES[listeners[0]]
        return Outcome.of(
            (listeners[0], *(seat for seat in others_from(listeners[0]) if seat in listeners)),
            f"The first to declare 听 throws again: {first.en}. The other listeners look in turn order from there.",
            f"第一个报听的是{first.zh}，由他重新掷骰子；其余报听的从他的下家起按顺序看。",
            "CC-54",
        )

    # Where drawing ends

    @ruling(
        "reserve",
        Text("The stacks that stay", "留墩"),
        Text(
            "7 stacks stay undrawn with no gang or one, and 1 more for each further gang.",
            "没杠或一个杠留7墩，以后每多一个杠多留1墩。",
        ),
        ("CC-80", "CC-81"),
        options=(RESERVE,),
        readings=("R21",),
    )
    def reserve(self, gangs: int, special: int = 0, added: int = 0) -> Outcome[int]:
        """How many stacks are never drawn by turn.

        gangs: ordinary ones of all players. special: special gangs shown. added: tiles added to them, robbed ones apart.
        """
        if min(gangs, special, added) < 0:
            raise ValueError(f"there can't be {min(gangs, special, added)} gangs")
        if self.house.says(RESERVE, "none"):
            return Outcome.of(0, "At this table the wall is played out.", "这桌不留墩，摸到底。")
        if self.house.says(RESERVE, "seven"):
            return Outcome.of(
                7,
                "At this table 7 stacks stay, however many gangs.",
                "这桌一律留7墩，杠多少都一样。",
                "CC-80",
            )
        total = gangs + special + added
        kept = 6 + max(total, 1)
        reasons = [
            because(
                f"{plural(total, 'gang') if total else 'No gang'}: the last {kept} stacks stay.",
                f"{total}个杠，最后留{kept}墩。" if total else "没有杠，最后留7墩。",
                *(("CC-81",) if total else ("CC-80",)),
            )
        ]
        if special or added:
            reasons.append(
                because(
                    "A special gang counts as one, and so does each tile added to it.",
                    "特殊杠算一个杠，补上去的每一张也算一个杠。",
                )
            )
        return Outcome(kept, tuple(reasons))

    @ruling(
        "draws-left",
        Text("What can still be drawn", "还能抓几张"),
        Text(
            "Everything before the stacks that stay; an odd tile at the tail is no stack and stays beside them.",
            "留下的墩以外都能抓；牌尾的单张不算一墩，也不抓。",
        ),
        ("CC-80", "CC-81", "CC-82"),
        options=(RESERVE,),
        readings=("R21",),
    )
    def draws_left(self, wall: Wall[T], gangs: int, special: int = 0, added: int = 0) -> Outcome[int]:
        """How many tiles can still be drawn by turn, replacements apart. The gangs are counted as by `reserve`."""
        reserve = self.reserve(gangs, special, added)
        if not len(wall):
            words = Text("The wall is empty.", "牌墙已经没有牌了。")
            return Outcome(0, (*reserve.reasons, Reason(words)))
        if not reserve.value:
            words = Text(
                f"{plural(len(wall), 'tile')} left, all to be drawn.", f"牌墙还有{len(wall)}张，都能抓。"
            )
            return Outcome(len(wall), (*reserve.reasons, Reason(words)))
        left = max(0, len(wall) - 2 * reserve.value - wall.has_odd_tail)
        odd = Text(" and the odd tile at the tail", "和牌尾的单张") if wall.has_odd_tail else Text("", "")
        words = Text(
            f"Of {plural(len(wall), 'tile')}, {reserve.value} stacks{odd.en} stay: {left} can still be drawn.",
            f"牌墙还有{len(wall)}张，{reserve.value}墩{odd.zh}不动，还能抓{left}张。",
        )
        if not left:
            words = Text(
                f"{plural(len(wall), 'tile')} left, and all of them stay.",
                f"牌墙只剩{len(wall)}张，都要留着，不能再抓。",
            )
        return Outcome(
            left, (*reserve.reasons, Reason(words, ("CC-80", "CC-82") if wall.has_odd_tail else ("CC-80",)))
        )

    @ruling(
        "wall-exhausted",
        Text("Nobody wins", "荒庄"),
        Text(
            "When nothing can be drawn and nobody has won, the hand is drawn (荒庄).",
            "能抓的牌抓完了还没人胡，就是荒庄。",
        ),
        ("CC-80", "CC-81", "CC-82", "CC-83"),
        options=(RESERVE,),
        readings=("R21",),
    )
    def is_exhausted(self, wall: Wall[T], gangs: int, special: int = 0, added: int = 0) -> Outcome[bool]:
        """Whether the hand is drawn because nothing is left to draw. The gangs are counted as by `reserve`."""
        left = self.draws_left(wall, gangs, special, added)
        words = (
            Text("There are tiles to draw: play goes on.", "还有牌可抓，接着打。")
            if left.value
            else Text(
                "Nothing can be drawn: unless somebody wins now, the hand is drawn (荒庄).",
                "没牌可抓了，再没人胡就荒庄。",
            )
        )
        return Outcome(left.value == 0, (*left.reasons, Reason(words, ("CC-83",))))


def _check_listeners(listeners: tuple[int, ...]) -> None:
    for seat in listeners:
        checked_seat(seat, "listener")
    if len(set(listeners)) < len(listeners):
        raise ValueError(f"a player declares 听 once, not {listeners}")
