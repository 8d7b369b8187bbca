"""What happens at the table: outcomes with their reasons, and rulings that name themselves.

A region's table is a class whose methods are its rulings: who may claim, where the wall is broken, what a gang
pays. Each method says by `@ruling` what it is called, what it holds in words, which source lines it carries
and which house rules change it, and answers with an `Outcome` that gives its reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from .circumstances import Circumstances
from .house import House, HouseRule
from .payments import Gang, Line, Prize
from .text import Text
from .tiles import Tile

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

PLACES = (
    Text("this player", "本人"),
    Text("next player", "下家"),
    Text("player opposite", "对家"),
    Text("previous player", "上家"),
)


class Reason(NamedTuple):
    """Why something is so: a sentence, and the ids of the source rules it rests on, () where the text is silent."""

    message: Text
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """What comes of something at the table, and why. value: the answer itself."""

    value: T
    reasons: tuple[Reason, ...]

    @classmethod
    def of(cls, value: T, english: str, chinese: str, *cites: str) -> Outcome[T]:
        """An outcome with one reason."""
        return cls(value, (Reason(Text(english, chinese), cites),))


@dataclass(frozen=True, eq=False)
class Ruling:
    """A rule of the table: its key, name, what it says, the source rules it carries, the options that change it.

    readings: the ids of our readings of the text it rests on, such as "R21". method: the name of the function.
    """

    key: str
    name: Text
    meaning: Text
    cites: tuple[str, ...]
    options: tuple[HouseRule, ...]
    readings: tuple[str, ...]
    method: str


def ruling(
    key: str,
    name: Text,
    meaning: Text,
    cites: tuple[str, ...] = (),
    *,
    options: tuple[HouseRule, ...] = (),
    readings: tuple[str, ...] = (),
) -> Callable[[F], F]:
    """Marks a method of a table as one of its rulings."""

    def mark(function: F) -> F:
        function.ruling = Ruling(key, name, meaning, cites, options, readings, function.__name__)  # type: ignore[attr-defined]
        return function

    return mark


class Table:
    """A region's table as one house plays it.

    What a game pays for wins, gangs and openings, and who deals next, its own table says; here nothing is paid.

    most_birds: how many bird tiles may be drawn. several_winners: whether several may win one tile.
    pays_gangs, pays_openings, offers_last_tile: whether there is such a thing. dealt: how a hand would win that was ready
    as dealt.
    """

    most_birds = 0
    several_winners = False
    pays_gangs = False
    pays_openings = False
    offers_last_tile = False
    dealt = Circumstances()

    def __init__(self, house: House = House()) -> None:
        self.house = house

    def prize(
        self, circumstances: Circumstances, patterns: Mapping[str, int], total: int, winning: Tile | None
    ) -> Prize:
        """A win as it is paid. winning: the winning tile, None where only the total is known."""
        how = circumstances
        return Prize(how.seat, how.discarder, total, patterns, how.birds or (), how.by)

    def is_on_last_tile(self, circumstances: Circumstances) -> bool:
        """Whether a win is on the last tile of the wall."""
        return False

    def joins(self, moments: tuple[str, ...] | None) -> bool:
        """Whether one player may win two tiles at once in these situations, None where nobody said which."""
        return False

    def joined(self, first: Prize, second: Prize) -> Prize:
        """One player's wins of two tiles as one."""
        raise NotImplementedError("no player wins two tiles at once here")

    def win_lines(self, prize: Prize) -> tuple[Line, ...]:
        """Who pays whom for a win."""
        return ()

    def bird_notes(self, *prizes: Prize) -> tuple[Reason, ...]:
        """Where each bird tile falls, and if it changes anything for the wins of a hand, which share them."""
        return ()

    def gang_lines(self, gang: Gang) -> tuple[Line, ...]:
        """Who pays whom for a gang, whoever wins or nobody."""
        return ()

    def opening_lines(self, seat: int, name: Text, birds: tuple[Tile, ...]) -> tuple[Line, ...]:
        """Who pays whom for an opening that a seat showed."""
        return ()

    def next_dealer(
        self,
        winners: tuple[int, ...],
        discarder: int | None = None,
        taker: int | None = None,
        first_offered: int | None = None,
    ) -> Outcome[int | None]:
        """The seat that deals the next hand, None where that can't be told.

        winners: () for a draw. taker, first_offered: who took the wall's last tile, and who was offered it first.
        """
        return Outcome(None, ())

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """Every ruling, in the order in which they are written down."""
        found: dict[str, Ruling] = {}
        for owner in type(self).__mro__:
            for value in vars(owner).values():
                marked = getattr(value, "ruling", None)
                if marked is not None:
                    found.setdefault(marked.key, marked)
        return tuple(found.values())


def seat_after(seat: int, steps: int = 1) -> int:
    """The seat so many places later in turn order: 1 the next player 下家, 2 opposite 对家, 3 the previous 上家."""
    return (seat + steps) % 4


def others_from(seat: int) -> tuple[int, int, int]:
    """The other three seats in turn order, the next player first."""
    return seat_after(seat, 1), seat_after(seat, 2), seat_after(seat, 3)


def steps_between(seat: int, other: int) -> int:
    """How many places later in turn order the other seat is: 0 for the same, 1 for the next player, …, 3."""
    return (other - seat) % 4
