"""The wall of a Changsha table: dealer, dice, deal, 补 and 开杠, the last tile 海底, and the birds.

Much of it is not in the text; the reasons say so wherever that is the case.
"""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from ...table import Outcome, Table, others_from, ruling
from ...text import Text, plural
from ...tiles import TILES, Tile
from ...wall import (
    SEAT_NAMES,
    Break,
    Deal,
    Dice,
    Drawn,
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
from .house import BIRD_ORIGIN, BIRDS

T = TypeVar("T")

_UNWRITTEN = because(
    "This is not in the text of the rules; most tables play it this way.", "原文没写，一般都这么打。"
)


class Opened(NamedTuple, Generic[T]):
    """What a 开杠 turns over. stack: its number from the tail, 0 for none. tiles: two, one or none, the upper first."""

    stack: int
    tiles: tuple[T, ...]
    wall: Wall[T]


class WallRulings(Table):
    """Everything that is settled by where a tile lies."""

    # Tiles and stacks

    @ruling(
        "tiles",
        Text("108 tiles", "一百零八张牌"),
        Text(
            "Three suits, four of each tile; no winds, no dragons.", "只有条、筒、万，没有东南西北和中发白。"
        ),
        ("CS-1", "CS-2"),
    )
    def tiles(self) -> Outcome[tuple[Tile, ...]]:
        """Every tile the wall is built of, in canonical order."""
        return Outcome.of(
            tuple(t for t in TILES if t.suit for _ in range(4)),
            "3 suits of 9 tiles, four of each: 108. Winds and dragons are left out.",
            "条、筒、万各9种，每种4张，一共108张，没有东南西北和中发白。",
            "CS-1",
            "CS-2",
        )

    @ruling(
        "stacks",
        Text("54 stacks", "五十四墩"),
        Text(
            "The dealer and the player opposite build 14 stacks each, the other two 13; not in the text.",
            "庄家和对家各码14墩，另外两家各码13墩；原文没写。",
        ),
        readings=("S21",),
    )
    def stacks(self, seat: int) -> Outcome[int]:
        """How many stacks the player at a seat builds."""
        count, name = (14, 13)[checked_seat(seat) % 2], SEAT_NAMES[seat]
        built = because(
            f"{name.en.capitalize()} builds {count} stacks: 14 + 13 + 14 + 13 = 54, two tiles each.",
            f"{name.zh}码{count}墩：四家14、13、14、13，一共54墩，每墩2张。",
        )
        return Outcome(count, (built, _UNWRITTEN))

    # The dealer

    @ruling(
        "first-dealer",
        Text("The first dealer", "第一局的庄家"),
        Text(
            "Somebody throws two dice and counts round the table, themselves as 1; not in the text.",
            "随便一位掷两个骰子，从自己数起，数到谁谁坐庄；原文没写。",
        ),
        readings=("S21",),
    )
    def first_dealer(self, dice: Dice) -> Outcome[int]:
        """Who deals the first hand: 0 the thrower, 1 the next player, 2 opposite, 3 the previous player."""
        total, words = dice_sum(dice), thrown(dice)
        steps = seat_counted(total)
        name = (
            Text("the thrower", "掷骰子的人自己"),
            Text("the next player", "下家"),
            Text("the player opposite", "对家"),
            Text("the previous player", "上家"),
        )[steps]
        count = because(
            f"{words.en} = {total}: with the thrower as 1, the count ends on {name.en}, who deals first.",
            f"{words.zh}，共{total}点，掷骰子的人算1，数到{name.zh}，由他坐庄。",
        )
        return Outcome(steps, (count, _UNWRITTEN))

    @ruling(
        "next-dealer",
        Text("Who deals next", "下一局谁坐庄"),
        Text(
            "The winner deals next, after several winners the discarder; on a draw whoever took the last tile, "
            "else whoever was offered it first. Not in the text.",
            "谁胡谁坐庄，一炮多响由放炮的坐庄；没人胡，谁要了海底谁坐庄，都没要就由先问的那家坐庄。原文没写。",
        ),
        readings=("S21",),
    )
    def next_dealer(
        self,
        winners: tuple[int, ...],
        discarder: int | None = None,
        taker: int | None = None,
        first_offered: int | None = None,
    ) -> Outcome[int | None]:
        """The next dealer's seat, None where nothing is said.

        discarder: whose tile several players won on. taker: of the last tile; first_offered: who was offered it
        first; None where there was none.
        """
        named = {"discarder": discarder, "taker": taker, "first_offered": first_offered}
        for key, seat in (*named.items(), *(("winner", winner) for winner in winners)):
            if seat is not None:
                checked_seat(seat, key)
        if len(winners) > 1:
            if discarder is None or discarder in winners or len(set(winners)) < len(winners):
                raise ValueError(f"{winners} can't have won on a tile of {discarder}")
            name = SEAT_NAMES[discarder]
            reason = because(
                f"{len(winners)} players won on one tile, so its discarder deals next: {name.en}.",
                f"一炮{len(winners)}响，放炮的是{name.zh}，由他坐庄。",
            )
            return Outcome(discarder, (reason, _UNWRITTEN))
        if winners:
            name = SEAT_NAMES[winners[0]]
            reason = because(f"The winner deals next: {name.en}.", f"谁胡谁坐庄，下一局由{name.zh}坐庄。")
            return Outcome(winners[0], (reason, _UNWRITTEN))
        if taker is not None:
            name = SEAT_NAMES[taker]
            reason = because(
                f"Nobody won, so whoever took the last tile deals next: {name.en}.",
                f"没人胡，海底是{name.zh}要的，由他坐庄。",
            )
            return Outcome(taker, (reason, _UNWRITTEN))
        if first_offered is not None:
            name = SEAT_NAMES[first_offered]
            reason = because(
                f"Nobody took the last tile, so whoever was offered it first deals next: {name.en}.",
                f"没人要海底，先问的是{name.zh}，由他坐庄。",
            )
            return Outcome(first_offered, (reason, _UNWRITTEN))
        return Outcome.of(
            None,
            "Nobody won and no last tile was offered; the text doesn't say who deals then, so the table decides.",
            "没人胡，也没有海底可问，原文没写谁坐庄，由桌上商量。",
        )

    # Breaking the wall and dealing

    @ruling(
        "first-taker",
        Text("Who takes first", "谁先抓牌"),
        Text("The dealer takes first; not in the text.", "庄家先抓牌；原文没写。"),
        readings=("S21",),
    )
    def first_taker(self, first: Dice) -> Outcome[int]:
        """The seat that takes tiles first, whatever the first throw."""
        dice_sum(first)
        reason = because(
            "The dealer takes tiles first; the dice only say whose wall is broken.",
            "庄家先抓牌，骰子只定开谁的牌墙。",
        )
        return Outcome(0, (reason, _UNWRITTEN))

    @ruling(
        "wall-break",
        Text("Breaking the wall", "开牌"),
        Text(
            "The first throw, the dealer counted as 1, says whose wall is opened; the second is counted off its "
            "right end. Not in the text.",
            "第一次掷骰子从庄家数起，数到谁就开谁的牌墙；第二次掷几点，就从右往左数几墩。原文没写。",
        ),
        readings=("R27", "S21"),
    )
    def wall_break(self, first: Dice, second: Dice) -> Outcome[Break]:
        """Where the wall is opened by the dealer's two throws."""
        place, words, more = broken(first, second), thrown(first), thrown(second)
        kept, seat = place.stacks_kept, SEAT_NAMES[place.seat]
        return Outcome(
            place,
            (
                because(
                    f"{words.en} = {sum(first)}: with the dealer as 1, the count ends on {seat.en}.",
                    f"{words.zh}，共{sum(first)}点，从庄家数起，数到{seat.zh}。",
                ),
                because(
                    f"{more.en}: {kept} stacks at the right end of that wall stay and become its tail; "
                    f"the first tiles come from stack {kept + 1}.",
                    f"{more.zh}，那道牌墙右边的{kept}墩留下当牌尾，从第{kept + 1}墩开始抓。",
                ),
                _UNWRITTEN,
            ),
        )

    @ruling(
        "deal",
        Text("The deal", "抓牌"),
        Text(
            "The dealer is dealt 14 tiles and the others 13; not in the text.",
            "庄家抓14张，闲家各抓13张；原文没写。",
        ),
        readings=("S21",),
    )
    def deal(self, wall: Wall[T], first: int = 0) -> Outcome[Deal[T]]:
        """The hands dealt from a full wall. first: the seat that takes first."""
        if len(wall) != 108:
            raise ValueError(f"the deal is made from 108 tiles, not {len(wall)}")
        deal = dealt(wall, first)
        return Outcome(deal, (*deal_reasons(deal, first), _UNWRITTEN))

    # 补 and 开杠

    @ruling(
        "replacement",
        Text("补: the replacement tile", "补张"),
        Text(
            "It is the next tile of the last stack, upper then lower, one at a time and without a choice; "
            "with one tile left there is none.",
            "从最后一墩补，先上张后下张，一次一张，不能挑；只剩最后一张就不能补。",
        ),
        ("CS-71", "CS-72"),
    )
    def replacement(self, wall: Wall[T]) -> Outcome[Drawn[T] | None]:
        """The tile that 补 draws, None for the last one. ValueError for an empty wall."""
        place = wall.tail
        if len(wall) == 1:
            return Outcome.of(
                None, "Only the last tile is left: no 补.", "只剩最后一张牌，不能补张。", "CS-72"
            )
        english, chinese = ("upper", "上张") if place.upper else ("lower", "下张")
        return Outcome.of(
            wall.replace(),
            f"补 takes the {english} tile of the last stack, that one alone and no other.",
            f"补最后一墩的{chinese}，只补这一张，不能挑。",
            "CS-71",
        )

    @ruling(
        "may-open",
        Text("开杠 and the last stack", "最后一墩不能开杠"),
        Text("With only the last stack left nobody may open a gang.", "只剩最后一墩，不能掷骰子开杠。"),
        ("CS-86",),
        readings=("S15",),
    )
    def may_open(self, wall: Wall[T]) -> Outcome[bool]:
        """Whether the wall is long enough for 开杠; whether the player is ready is another matter."""
        stacks = len(wall.from_tail())
        if stacks > 1:
            return Outcome.of(
                True,
                f"{stacks} stacks are left: the dice may be thrown.",
                f"还剩{stacks}墩，可以掷骰子开杠。",
            )
        if not stacks:
            return Outcome.of(
                False, "No stack is left, so there is nothing to open.", "牌墙已经没有牌，不能开杠。", "CS-86"
            )
        return Outcome.of(
            False, "Only the last stack is left: no 开杠.", "只剩最后一墩，不能掷骰子开杠。", "CS-86"
        )

    @ruling(
        "opened-stack",
        Text("开杠: the stack the dice name", "开杠开哪一墩"),
        Text(
            "The sum of the dice is counted in stacks from the tail and that stack is turned over whole. Beyond the "
            "wall the smaller die is counted, and if that is too many as well there is no tile.",
            "骰子掷几点就从牌尾数起，数几墩，整墩翻开。点数比墩数多就用小的那个骰子，还不够就拿不到牌。",
        ),
        ("CS-30", "CS-31", "CS-77", "CS-83", "CS-84", "CS-85"),
        readings=("S13", "S15"),
    )
    def opened(self, wall: Wall[T], dice: Dice) -> Outcome[Opened[T]]:
        """What 开杠 turns over. Half stacks count, emptied ones don't. ValueError where `may_open` says no."""
        if not self.may_open(wall).value:
            raise ValueError("the wall has no second stack, so no gang is opened")
        stacks, total, words = wall.from_tail(), dice_sum(dice), thrown(dice)
        count, left = total, Text(plural(len(stacks), "stack"), f"{len(stacks)}墩")
        reasons = [
            because(
                f"{words.en}: count {total} stacks from the tail.",
                f"{words.zh}，从牌尾数起，数{total}墩。",
                "CS-30",
                "CS-77",
            )
        ]
        if total > len(stacks):
            count = min(dice)
            reasons.append(
                because(
                    f"The wall has only {left.en}: count the smaller die, {count}.",
                    f"牌墙只剩{left.zh}，改用小的骰子，数{count}墩。",
                    "CS-83",
                )
            )
        if count > len(stacks):
            reasons.append(
                because(
                    "That is still too many, so no tile is taken and the turn passes.",
                    "还是不够，拿不到牌，轮到下家。",
                    "CS-84",
                )
            )
            return Outcome(Opened(0, (), wall), tuple(reasons))
        stack = stacks[count - 1]
        tiles = tuple(tile for tile in wall.stacks[stack] if tile is not None)
        for _ in tiles:
            wall = wall.take(wall.top(stack)).wall
        reasons.append(
            because("Both its tiles are turned over.", "这一墩上下两张都翻开。", "CS-30")
            if len(tiles) == 2
            else because(
                "Its upper tile is gone, so only the lower is turned over.",
                "这一墩的上张已经没了，只翻下张。",
                "CS-31",
                "CS-85",
            )
        )
        return Outcome(Opened(count, tiles, wall), tuple(reasons))

    # The last tile

    @ruling(
        "last-tile",
        Text("海底: the last tile", "海底"),
        Text("The last tile of the wall is 海底.", "牌墙最后一张牌是海底。"),
        ("CS-21",),
    )
    def is_last_tile(self, wall: Wall[T]) -> Outcome[bool]:
        """Whether the next draw is the last tile."""
        if len(wall) == 1:
            return Outcome.of(True, "One tile is left: it is 海底.", "只剩一张，这张就是海底。", "CS-21")
        return Outcome.of(
            False,
            f"{plural(len(wall), 'tile')} left; only the last one is 海底.",
            f"牌墙还有{len(wall)}张，最后一张才是海底。",
            "CS-21",
        )

    @ruling(
        "last-tile-offer",
        Text("Who is offered the last tile", "海底问谁"),
        Text(
            "It is offered round the table, first to the player next to draw; each may decline. If all do, nobody wins.",
            "从轮到摸牌的那家问起，按座次一家一家问，可以不要；都不要就没人胡。",
        ),
        ("CS-23", "CS-73"),
        readings=("S18",),
    )
    def last_tile_offer(self, next_to_draw: int, declined: int) -> Outcome[int | None]:
        """The seat asked after so many have declined; None: all four have, and the hand is drawn."""
        if not 0 <= declined <= 4:
            raise ValueError(f"0 to 4 players decline, not {declined}")
        seats = (checked_seat(next_to_draw, "next_to_draw"), *others_from(next_to_draw))
        if declined == 4:
            return Outcome.of(
                None,
                "All four have declined the last tile: the hand is drawn.",
                "四家都不要海底，这局没人胡。",
            )
        name = SEAT_NAMES[seats[declined]]
        asked = because(
            f"{plural(declined, 'player').capitalize()} declined: the next in turn is asked, {name.en}.",
            f"前面{declined}家不要，按座次问到{name.zh}。",
            "CS-23",
            "CS-73",
        )
        if not declined:
            asked = because(
                f"The next to draw is asked first: {name.en}.",
                f"轮到{name.zh}摸牌，先问他要不要。",
                "CS-23",
                "CS-73",
            )
        return Outcome(seats[declined], (asked,))

    @ruling(
        "last-tile-taker",
        Text("Who takes the last tile", "谁要海底"),
        Text(
            "The first who says yes takes it; if nobody does, the hand is drawn.",
            "第一个说要的拿海底；没人要，这局没人胡。",
        ),
        ("CS-23", "CS-73"),
        readings=("S18",),
    )
    def last_tile_taker(self, next_to_draw: int, answers: tuple[bool, ...]) -> Outcome[int | None]:
        """The taker, None for a draw. answers: yes or no in the order asked, up to the first yes or all four."""
        if True in answers[:-1] or (True not in answers and len(answers) != 4) or len(answers) > 4:
            raise ValueError(f"asking ends with the first yes or the fourth no, not {answers}")
        if True not in answers:
            return self.last_tile_offer(next_to_draw, 4)
        asked = self.last_tile_offer(next_to_draw, len(answers) - 1)
        taken = because(
            "This player wants it: the asking ends and the tile is taken.",
            "这家要，不再往下问，海底归他。",
            "CS-23",
        )
        return Outcome(asked.value, (*asked.reasons, taken))

    @ruling(
        "last-tile-claims",
        Text("Claims on the last tile", "海底能不能吃碰杠"),
        Text(
            "The last tile, discarded by its taker, can only be won on: no 吃, 碰 or 杠. Not in the text.",
            "要海底的人打出海底，别家只能胡，不能吃碰杠；原文没写。",
        ),
        ("CS-24",),
        readings=("S18",),
    )
    def may_claim_last_tile(self, claim: str) -> Outcome[bool]:
        """Whether a discarded last tile allows a claim. claim: `chi`, `peng`, `gang` or `hu`."""
        if claim not in ("chi", "peng", "gang", "hu"):
            raise ValueError(f"a claim is chi, peng, gang or hu, not {claim!r}")
        if claim == "hu":
            return Outcome.of(True, "The last tile may be won on.", "海底打出来，别家可以胡。", "CS-24")
        reason = because(
            "After the last tile the hand ends, so nobody may 吃, 碰 or 杠 it.",
            "海底一过这局就完了，不能吃、碰、杠。",
        )
        return Outcome(False, (reason, _UNWRITTEN))

    # Birds

    @ruling(
        "bird-tiles",
        Text("The bird tiles", "扎鸟翻哪几张"),
        Text(
            "After a win the next tiles of the wall are the birds: two, or fewer where the wall has fewer.",
            "胡牌后接着摸的牌就是鸟，扎两个，牌墙不够就少扎。",
        ),
        ("CS-63",),
        options=(BIRDS,),
        readings=("S11",),
    )
    def bird_tiles(self, wall: Wall[T]) -> Outcome[tuple[T, ...]]:
        """The bird tiles that follow a win, in drawing order."""
        wanted = int(self.house[BIRDS])
        birds = wall.next_tiles(wanted)
        if not wanted:
            return Outcome.of((), "This table plays without birds.", "这桌不扎鸟。")
        number = because(
            f"This table draws {plural(wanted, 'bird')}; the text gives no number.",
            f"这桌扎{wanted}个鸟，原文没写几个。",
        )
        drawn = because(
            f"{'The bird is' if len(birds) == 1 else 'The birds are'} drawn right after the win: the next {'tile' if len(birds) == 1 else f'{len(birds)} tiles'} of the wall.",
            f"胡牌后接着摸{len(birds)}张，就是鸟。",
            "CS-63",
        )
        if len(birds) < wanted:
            drawn = because(
                f"The wall has only {plural(len(birds), 'tile')} left, so there {'is' if len(birds) == 1 else 'are'} only {plural(len(birds), 'bird')}.",
                f"牌墙只剩{len(birds)}张，只能扎{len(birds)}个。",
            )
        if not birds:
            drawn = because("The wall is empty, so there is no bird.", "牌墙已经没有牌，没有鸟。")
        return Outcome(birds, (number, drawn))

    @ruling(
        "last-tile-bird",
        Text("The bird of a win on 海底", "海底胡的鸟"),
        Text(
            "After a win on the last tile that tile is the one bird.", "海底胡了，海底这张就是鸟，只有一个。"
        ),
        ("CS-68",),
        options=(BIRDS,),
        readings=("S12",),
    )
    def last_tile_bird(self, tile: T) -> Outcome[tuple[T, ...]]:
        """The bird of a win on the last tile, drawn or discarded: that tile, or none where no birds are played."""
        if self.house.says(BIRDS, "0"):
            return Outcome.of((), "This table plays without birds.", "这桌不扎鸟。")
        return Outcome.of(
            (tile,),
            "The win was on the last tile, so that tile itself is the one bird.",
            "海底胡，就以海底这张牌为鸟，只有这一个。",
            "CS-68",
        )

    @ruling(
        "bird-seat",
        Text("Where a bird falls", "鸟落谁家"),
        Text(
            "Count round the table from the dealer by the number on the tile, the dealer being 1.",
            "以庄家为1，按牌面数字往下家数，数到谁就落谁家。",
        ),
        ("CS-64",),
        options=(BIRD_ORIGIN,),
        readings=("S11",),
    )
    def bird_seat(self, number: int, winner: int) -> Outcome[int]:
        """The seat a bird falls on. number: 1 to 9, on the tile. winner: from whom some tables count."""
        if not 1 <= number <= 9:
            raise ValueError(f"a bird shows 1 to 9, not {number}")
        checked_seat(winner, "winner")
        if self.house.says(BIRD_ORIGIN, "dealer"):
            seat = seat_counted(number)
            return Outcome.of(
                seat,
                f"With the dealer as 1, {number} falls on {SEAT_NAMES[seat].en}.",
                f"庄家算1，数到{number}，落在{SEAT_NAMES[seat].zh}。",
                "CS-64",
            )
        seat = (winner + seat_counted(number)) % 4
        return Outcome.of(
            seat,
            f"At this table the winner is 1: from {SEAT_NAMES[winner].en}, {number} falls on {SEAT_NAMES[seat].en}.",
            f"这桌从胡牌的人数起，{SEAT_NAMES[winner].zh}算1，数到{number}，落在{SEAT_NAMES[seat].zh}。",
        )
