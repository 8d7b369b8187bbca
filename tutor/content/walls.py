"""The four walls that lessons draw, as values: each stack's place, name and state, and what marks it.

The game's table is asked for everything by the keys of its rulings, so that what is drawn is that game's own
way of breaking the wall, keeping stacks and finding the bao. The words stand here too, in both languages,
beside what they speak of; the template tags only draw.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from rules.ruleset import Ruleset
from rules.text import Text, plural
from rules.wall import Break, Dice, Place, Wall, dice_sum

WHOLE, HALF, EMPTY = "whole", "half", "empty"
BREAK, HEAD, TAIL, BAO, OPEN = "break", "head", "tail", "bao", "open"
FINDS = (BREAK, HEAD, TAIL, BAO, OPEN)
RESERVE = "reserve"

WALLS = (
    Text("the dealer's wall", "庄家牌墙"),
    Text("the wall after the dealer's", "庄家下家的牌墙"),
    Text("the wall opposite the dealer's", "庄家对家的牌墙"),
    Text("the wall before the dealer's", "庄家上家的牌墙"),
)
# What stands on each mark.
LETTERS = {
    BREAK: Text("S", "起"),
    HEAD: Text("H", "头"),
    TAIL: Text("T", "尾"),
    BAO: Text("B", "宝"),
    OPEN: Text("G", "杠"),
    RESERVE: Text("", ""),  # a line along its stacks
}
# Which marks don't give the answer away where one of them is asked for.
_SHOWN_WITH = {HEAD: (BREAK,), TAIL: (BREAK,), BAO: (BREAK, HEAD, TAIL), OPEN: (BREAK, HEAD, TAIL)}


class Spot(NamedTuple):
    """A stack's place at the table. number: from the right end of that player's wall, which is 1.

    As a string it is "seat:number", the answer form of levels.
    """

    seat: int
    number: int

    def __str__(self) -> str:
        return f"{self.seat}:{self.number}"

    @classmethod
    def read(cls, text: str) -> Spot:
        """The place written as "seat:number". ValueError for anything else."""
        seat, _, number = text.partition(":")
        spot = cls(int(seat), int(number))
        if not 0 <= spot.seat < len(WALLS) or spot.number < 1:
            raise ValueError(f"no stack is at {text!r}")
        return spot


class StackLeft(NamedTuple):
    """What is left of a stack. state: `WHOLE`, `HALF` (the lower tile alone) or `EMPTY`."""

    spot: Spot
    state: str


class Mark(NamedTuple):
    """A stack of which something is said. key: one of `FINDS`. upper: whether its upper tile is meant."""

    key: str
    spot: Spot
    upper: bool


class Throw(NamedTuple):
    """Two dice, and what they were thrown for."""

    name: Text
    dice: Dice

    @property
    def sum(self) -> int:
        """What they show together."""
        return dice_sum(self.dice)


class Note(NamedTuple):
    """What a mark says. key: one of `FINDS`, or `RESERVE`."""

    key: str
    words: Text


@dataclass(frozen=True)
class WallFigure:
    """The four walls from above. sides: by seat, the stacks from that player's right end. reserve: those that
    stay undrawn, from the tail; () where nobody asked, or the game keeps none."""

    sides: tuple[tuple[StackLeft, ...], ...]
    throws: tuple[Throw, ...]
    marks: tuple[Mark, ...]
    reserve: tuple[Spot, ...] = ()

    @property
    def stacks_left(self) -> tuple[str, ...]:
        """Every stack that still has a tile, as "seat:number"."""
        return tuple(str(stack.spot) for side in self.sides for stack in side if stack.state != EMPTY)

    @property
    def most(self) -> tuple[int, int]:
        """How many stacks the longest wall has along the table and across it."""
        along, right, opposite, left = map(len, self.sides)
        return max(along, opposite), max(right, left)

    def has(self, state: str) -> bool:
        """Whether any stack is in this state."""
        return any(stack.state == state for side in self.sides for stack in side)

    def mark(self, key: str) -> Mark | None:
        """The mark of a key."""
        return next((mark for mark in self.marks if mark.key == key), None)

    def asking(self, find: str) -> WallFigure:
        """The same walls without the marks that tell where `find` is."""
        shown = tuple(mark for mark in self.marks if mark.key in _SHOWN_WITH.get(find, ()))
        return replace(self, marks=shown, reserve=())

    @property
    def summary(self) -> Text:
        """What one sees, in a sentence."""
        states = [stack.state for side in self.sides for stack in side]
        whole, half, taken = (states.count(state) for state in (WHOLE, HALF, EMPTY))
        english = [f"{whole} of {plural(len(states), 'stack')} are whole"]
        chinese = [f"{len(states)}墩里有{whole}墩完整"]
        if half:
            english.append(f"{half} {'has its' if half == 1 else 'have their'} lower tile alone")
            chinese.append(f"{half}墩只剩下面一张")
        if taken:
            english.append(f"{taken} {'is' if taken == 1 else 'are'} taken")
            chinese.append(f"{taken}墩已经抓走")
        return Text(
            f"The four walls from above: {', '.join(english)}.", f"从上面看四家的牌墙：{'，'.join(chinese)}。"
        )

    @property
    def notes(self) -> tuple[Note, ...]:
        """What each mark says, and where it is."""
        found = [Note(mark.key, _said(mark)) for mark in self.marks]
        if self.reserve:
            found.append(Note(RESERVE, self._kept()))
        return tuple(found)

    def _kept(self) -> Text:
        number, end = len(self.reserve), place_name(self.reserve[-1])
        tail = self.mark(TAIL)
        odd = Text(" The odd tile at the tail is no stack.", "牌尾的单张不算一墩。")
        if not tail or tail.upper or tail.spot in self.reserve:
            odd = Text("", "")
        return Text(
            f"Stay undrawn: the last {plural(number, 'stack')}, up to {end.en}.{odd.en}",
            f"留着不抓：最后{number}墩，到{end.zh}为止。{odd.zh}",
        )

    @property
    def stock(self) -> tuple[Text, ...]:
        """What is left of each wall, a sentence a seat."""
        return tuple(_stock(seat, side) for seat, side in enumerate(self.sides))


def wall_figure(
    game: Ruleset,
    *,
    first: Dice,
    second: Dice,
    drawn: int = 0,
    replaced: int = 0,
    gangs: int | None = None,
    bao: Dice | None = None,
    open: Dice | None = None,
) -> WallFigure:
    """The walls after two throws, so many tiles drawn from the head and so many taken from the tail.

    gangs: show the stacks that stay for so many. bao, open: the dice that find the bao, the stack of a 开杠.
    ValueError where the wall has no such tiles, or the game no such ruling.
    """
    stacks = tuple(game.ruling("stacks")(seat).value for seat in range(4))
    broken: Break = game.ruling("wall-break")(first, second).value
    order = [Spot(*place) for place in broken.order((stacks[0], stacks[1], stacks[2], stacks[3]))]
    wall = Wall.numbered(len(order)).without(drawn, replaced)
    states = {spot: _state(wall, stack) for stack, spot in enumerate(order)}

    marks = [Mark(BREAK, order[0], upper=True)]
    if len(wall):
        marks += [Mark(key, order[at.stack], at.upper) for key, at in ((HEAD, wall.head), (TAIL, wall.tail))]
    throws = [Throw(Text("1st throw", "第一掷"), first), Throw(Text("2nd throw", "第二掷"), second)]
    if bao:
        at = _bao(game, wall, bao)
        marks.append(Mark(BAO, order[at.stack], at.upper))
        throws.append(Throw(Text("for the bao", "掷宝"), bao))
    if open:
        at = _opened(game, wall, open)
        marks.append(Mark(OPEN, order[at.stack], at.upper))
        throws.append(Throw(Text("for the gang", "开杠"), open))
    kept = game.ruling(RESERVE)(gangs).value if gangs is not None and _has(game, RESERVE) else 0
    return WallFigure(
        sides=tuple(
            tuple(StackLeft(spot, states[spot]) for spot in (Spot(seat, n + 1) for n in range(stacks[seat])))
            for seat in range(4)
        ),
        throws=tuple(throws),
        marks=tuple(marks),
        reserve=tuple(order[stack] for stack in wall.from_tail(odd_tail=False)[:kept]),
    )


def stack_at(figure: WallFigure, find: str) -> str:
    """The stack to find, as "seat:number". find: one of `FINDS`. ValueError where there is none to choose."""
    mark = figure.mark(find)
    if mark is None:
        raise ValueError(f"these walls have no {find}")
    if str(mark.spot) not in figure.stacks_left:
        raise ValueError(f"the stack of the {find} is emptied, so nobody can choose it")
    return str(mark.spot)


# The table's answers


def _has(game: Ruleset, key: str) -> bool:
    return any(ruling.key == key for ruling in game.table.rulings)


def _state(wall: Wall[int], stack: int) -> str:
    upper, lower = wall.stacks[stack]
    if lower is None:
        return EMPTY
    return HALF if upper is None else WHOLE


def _bao(game: Ruleset, wall: Wall[int], dice: Dice) -> Place:
    place: Place | None = game.ruling("bao-place")(wall, dice).value
    if place is None:
        raise ValueError(f"{dice_sum(dice)} stacks can't be counted from the tail, the dice are thrown again")
    return place


def _opened(game: Ruleset, wall: Wall[int], dice: Dice) -> Place:
    counted: int = game.ruling("opened-stack")(wall, dice).value.stack
    if not counted:
        raise ValueError(f"neither {dice_sum(dice)} nor {min(dice)} stacks can be counted from the tail")
    return wall.top(wall.from_tail()[counted - 1])


# Words


def place_name(place: Spot | str) -> Text:
    """A stack in running text: "the 7th stack from the right of the dealer's wall".

    place: a spot, or "seat:number", for which ValueError where it is none.
    """
    seat, number = Spot.read(place) if isinstance(place, str) else place
    return Text(
        f"the {ordinal(number)} stack from the right of {WALLS[seat].en}",
        f"{WALLS[seat].zh}从右数第{number}墩",
    )


def stack_label(stack: StackLeft) -> Text:
    """A stack as something to choose: "Dealer's wall, stack 7 from the right"."""
    seat, number = stack.spot
    english = WALLS[seat].en.removeprefix("the ").capitalize()
    half = Text(", its lower tile alone", "，只剩下面一张") if stack.state == HALF else Text("", "")
    return Text(
        f"{english}, stack {number} from the right{half.en}",
        f"{WALLS[seat].zh}从右数第{number}墩{half.zh}",
    )


def ordinal(number: int) -> str:
    """An English ordinal in figures: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def dice_label(dice: Dice) -> Text:
    """Two dice read aloud: "3 and 4: 7 in all"."""
    one, other = dice
    total = dice_sum(dice)
    return Text(f"{one} and {other}: {total} in all", f"{one}点和{other}点，一共{total}点")


CHOOSE = Text("Choose a stack", "选一墩牌")
RIGHT_END = Text("right end", "右端")
IN_WORDS = Text("The walls in words", "用文字说明")
STATES = {
    WHOLE: Text("two tiles", "两张都在"),
    HALF: Text("the lower tile alone", "只剩下面一张"),
    EMPTY: Text("taken", "已经抓走"),
}
POINTED_OUT = Text("pointed out", "指出的座位")


def _said(mark: Mark) -> Text:
    english, chinese = place_name(mark.spot)
    upper, zh_upper = ("upper", "上张") if mark.upper else ("lower", "下张")
    match mark.key:
        case "break":
            return Text(f"Taking begins at {english}.", f"起抓：{chinese}。")
        case "head":
            return Text(
                f"The head, where the next draw is: the {upper} tile of {english}.",
                f"牌头，下一张抓这里：{chinese}的{zh_upper}。",
            )
        case "tail":
            return Text(
                f"The tail, where the next replacement is: the {upper} tile of {english}.",
                f"牌尾，补牌补这里：{chinese}的{zh_upper}。",
            )
        case "bao":
            return Text(f"The bao: the {upper} tile of {english}.", f"宝牌：{chinese}的{zh_upper}。")
        case _:
            return Text(f"The stack that 开杠 opens: {english}.", f"开杠开的一墩：{chinese}。")


_LEFT = {
    WHOLE: Text("whole", "完整"),
    HALF: Text("with the lower tile alone", "只剩下面一张"),
    EMPTY: Text("taken", "已经抓走"),
}


def _stock(seat: int, side: tuple[StackLeft, ...]) -> Text:
    english, chinese = [], []
    for state, run in groupby(side, key=lambda stack: stack.state):
        numbers = [stack.spot.number for stack in run]
        first, last = numbers[0], numbers[-1]
        one = first == last
        english.append(f"{f'stack {first}' if one else f'stacks {first} to {last}'} {_LEFT[state].en}")
        chinese.append(f"第{first if one else f'{first}到{last}'}墩{_LEFT[state].zh}")
    wall = WALLS[seat]
    return Text(
        f"{wall.en[0].upper()}{wall.en[1:]}, from the right: {', '.join(english)}.",
        f"{wall.zh}从右数，{'，'.join(chinese)}。",
    )
