"""The wall from head to tail, the dice that break it, and the deal.

A `Wall` is a value: taking a tile gives another wall. What its tiles are is left open, so that a lesson may ask
which stack the dice point to without inventing tiles: `Wall.numbered` holds numbers in drawing order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from .table import Reason, others_from, seat_after
from .text import Text

T = TypeVar("T")

Dice = tuple[int, int]

SEAT_NAMES = (
    Text("the dealer", "庄家"),
    Text("the player after the dealer", "庄家的下家"),
    Text("the player opposite the dealer", "庄家的对家"),
    Text("the player before the dealer", "庄家的上家"),
)


class Stack(NamedTuple, Generic[T]):
    """Two tiles, one on the other; None where a tile is taken. The upper one goes first."""

    upper: T | None
    lower: T | None


class Place(NamedTuple):
    """A tile's place in its wall. stack: 0 at the head. upper: whether it lies on another tile."""

    stack: int
    upper: bool


class Drawn(NamedTuple, Generic[T]):
    """A tile taken from a wall, and the wall without it."""

    tile: T
    wall: Wall[T]


class StackCount(NamedTuple):
    """How many stacks have both tiles, and how many the lower one alone."""

    whole: int
    half: int


@dataclass(frozen=True)
class Wall(Generic[T]):
    """Tiles two high. stacks: from head to tail as they were built; an emptied stack keeps its place."""

    stacks: tuple[Stack[T], ...]

    @classmethod
    def of(cls, tiles: Iterable[T]) -> Wall[T]:
        """The wall from which these tiles are drawn in this order. ValueError for an odd number of tiles."""
        tiles = tuple(tiles)
        if len(tiles) % 2:
            raise ValueError(f"a wall is two tiles high, {len(tiles)} tiles don't fill it")
        return cls(tuple(map(Stack, tiles[::2], tiles[1::2])))

    @staticmethod
    def numbered(stacks: int) -> Wall[int]:
        """A wall whose tiles are their own numbers in drawing order, from 0."""
        return Wall.of(range(2 * stacks))

    def __len__(self) -> int:
        """How many tiles are left."""
        return sum((s.upper is not None) + (s.lower is not None) for s in self.stacks)

    def from_tail(self, *, odd_tail: bool = True) -> tuple[int, ...]:
        """The stacks that still have a tile, the last first; without an odd tail tile where that isn't a stack."""
        standing = [n for n, s in enumerate(self.stacks) if s.lower is not None]
        if not odd_tail and self.has_odd_tail:
            standing.pop()
        return tuple(reversed(standing))

    @property
    def has_odd_tail(self) -> bool:
        """Whether the last stack has lost its upper tile."""
        last = next((s for s in reversed(self.stacks) if s.lower is not None), None)
        return last is not None and last.upper is None

    @property
    def count(self) -> StackCount:
        """Whole stacks and half ones."""
        whole = sum(s.upper is not None for s in self.stacks)
        return StackCount(whole, len(self.from_tail()) - whole)

    @property
    def head(self) -> Place:
        """Where the next draw is taken. ValueError where nothing is left."""
        return self.top(self._first(range(len(self.stacks))))

    @property
    def tail(self) -> Place:
        """Where the next replacement is taken. ValueError where nothing is left."""
        return self.top(self._first(reversed(range(len(self.stacks)))))

    def top(self, stack: int) -> Place:
        """The tile of a stack that goes first: the upper, or the lower if that is gone."""
        if not 0 <= stack < len(self.stacks) or self.stacks[stack].lower is None:
            raise ValueError(f"no tile in stack {stack}")
        return Place(stack, self.stacks[stack].upper is not None)

    def at(self, place: Place) -> T:
        """The tile at a place, left where it is. ValueError where there is none."""
        stack = self.stacks[place.stack] if 0 <= place.stack < len(self.stacks) else Stack(None, None)
        tile = stack.upper if place.upper else stack.lower
        if tile is None:
            raise ValueError(f"no tile at {place}")
        return tile

    def take(self, place: Place) -> Drawn[T]:
        """The tile at a place and the wall without it. ValueError for a tile with another on it."""
        tile = self.at(place)
        if place != self.top(place.stack):
            raise ValueError(f"another tile lies on {place}")
        return Drawn(tile, self._with(place, None))

    def put_back(self, place: Place, tile: T) -> Wall[T]:
        """The wall with a tile back where it came from. ValueError where it can't lie."""
        if not 0 <= place.stack < len(self.stacks):
            raise ValueError(f"no stack {place.stack}")
        upper, lower = self.stacks[place.stack]
        if (lower is None or upper is not None) if place.upper else lower is not None:
            raise ValueError(f"no tile can be put at {place}")
        return self._with(place, tile)

    def draw(self) -> Drawn[T]:
        """The next tile from the head: upper, then lower."""
        return self.take(self.head)

    def replace(self) -> Drawn[T]:
        """The next tile from the tail: the upper of the last stack, then the lower."""
        return self.take(self.tail)

    def without(self, drawn: int, replaced: int) -> Wall[T]:
        """The wall after so many draws from the head and replacements. ValueError where it has fewer tiles."""
        taken = f"{drawn} + {replaced} tiles can't be taken from {len(self)}"
        if min(drawn, replaced) < 0:
            raise ValueError(taken)
        if drawn + replaced > len(self):
            raise ValueError(f"{taken}: no tile is left in the wall")
        wall = self
        for _ in range(drawn):
            wall = wall.draw().wall
        for _ in range(replaced):
            wall = wall.replace().wall
        return wall

    def next_tiles(self, count: int) -> tuple[T, ...]:
        """So many tiles in drawing order, left where they are; fewer where the wall has fewer."""
        return tuple(tile for stack in self.stacks for tile in stack if tile is not None)[:count]

    def _first(self, order: Iterable[int]) -> int:
        for number in order:
            if self.stacks[number].lower is not None:
                return number
        raise ValueError("no tile is left in the wall")

    def _with(self, place: Place, tile: T | None) -> Wall[T]:
        upper, lower = self.stacks[place.stack]
        stack = Stack(tile, lower) if place.upper else Stack(upper, tile)
        return Wall((*self.stacks[: place.stack], stack, *self.stacks[place.stack + 1 :]))


# Dice


def checked_seat(seat: int, name: str = "seat") -> int:
    """The seat itself. ValueError unless it is 0 to 3."""
    if seat not in (0, 1, 2, 3):
        raise ValueError(f"{name} is 0 to 3, not {seat}")
    return seat


def dice_sum(dice: Dice) -> int:
    """What two dice show together. ValueError unless each shows 1 to 6."""
    if len(dice) != 2 or any(die not in (1, 2, 3, 4, 5, 6) for die in dice):
        raise ValueError(f"two dice show 1 to 6 each, not {dice}")
    return sum(dice)


def seat_counted(number: int) -> int:
    """The seat that a number falls on: 1 is the dealer, 2 the next player, and on round the table."""
    if number < 1:
        raise ValueError(f"counting starts at 1, not {number}")
    return seat_after(0, number - 1)


def deal_reasons(deal: Deal[T], first: int, *cites: str) -> tuple[Reason, Reason]:
    """How the tiles were taken, and how many each has. cites: what the numbers rest on."""
    seat, left = SEAT_NAMES[first], len(deal.wall)
    return (
        because(
            f"Beginning with {seat.en}, everyone takes 4 tiles three times and then 1; the dealer takes a 14th.",
            f"从{seat.zh}起，每人每次抓4张，抓三轮，再各抓1张，庄家最后多抓一张，共14张。",
        ),
        because(
            f"The dealer has 14 tiles and the others 13 each; {left} stay in the wall.",
            f"庄家14张，闲家各13张，牌墙里还有{left}张。",
            *cites,
        ),
    )


def because(english: str, chinese: str, *cites: str) -> Reason:
    """A reason in both languages."""
    return Reason(Text(english, chinese), cites)


def thrown(dice: Dice) -> Text:
    """A throw in running text: "The dice show 3 + 5"."""
    first, second = dice
    return Text(f"The dice show {first} + {second}", f"骰子是{first}和{second}")


class Break(NamedTuple):
    """Where the wall is opened. stacks_kept: so many off the right end of that seat's wall become the tail."""

    seat: int
    stacks_kept: int

    def order(self, stacks: tuple[int, int, int, int]) -> tuple[tuple[int, int], ...]:
        """Every stack from head to tail as (seat, number from its right end); stacks: how many each seat built.

        Tiles are taken from right to left, so the wall goes on at the left hand: from each player to the previous one.
        """
        if not 0 < self.stacks_kept < stacks[self.seat]:
            raise ValueError(f"{self.stacks_kept} stacks can't be kept of {stacks[self.seat]}")
        own = [(self.seat, n) for n in range(1, stacks[self.seat] + 1)]
        others = [(seat, n) for seat in reversed(others_from(self.seat)) for n in range(1, stacks[seat] + 1)]
        return (*own[self.stacks_kept :], *others, *own[: self.stacks_kept])


def broken(first: Dice, second: Dice) -> Break:
    """The break of two throws: the first counts out whose wall, the second how far in."""
    return Break(seat_counted(dice_sum(first)), dice_sum(second))


# The deal


class Taking(NamedTuple):
    """One grasp of the deal: who takes, and how many tiles."""

    seat: int
    tiles: int


class Deal(NamedTuple, Generic[T]):
    """hands: the tiles of seats 0 to 3 in the order in which they came, 14 for the dealer. wall: what is left."""

    hands: tuple[tuple[T, ...], ...]
    wall: Wall[T]


def takings(first: int) -> tuple[Taking, ...]:
    """The order of the deal from the seat that takes first: three rounds of 4, a round of 1, the dealer's 14th."""
    once_round = (checked_seat(first, "first"), *others_from(first))
    return (*(Taking(seat, tiles) for tiles in (4, 4, 4, 1) for seat in once_round), Taking(0, 1))


def dealt(wall: Wall[T], first: int) -> Deal[T]:
    """The deal from the head of a wall. ValueError where it has fewer than 53 tiles."""
    hands: list[list[T]] = [[], [], [], []]
    for seat, tiles in takings(first):
        for _ in range(tiles):
            tile, wall = wall.draw()
            hands[seat].append(tile)
    return Deal(tuple(map(tuple, hands)), wall)
