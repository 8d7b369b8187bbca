"""The walls, dice and seats of lessons as pictures.

A wall is drawn as its own player sees it, and turned to its side of the table: x runs to that player's right,
y out of the table towards them, and the middle of the table is 0. Sizes are in units of the drawing; a stack
takes 16.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import cos, radians, sin
from typing import Any, NamedTuple

from django import template

from rules.circumstances import SEATS
from rules.text import Text
from rules.wall import Dice
from tutor.content.walls import (
    BREAK,
    CHOOSE,
    EMPTY,
    IN_WORDS,
    LETTERS,
    POINTED_OUT,
    RIGHT_END,
    STATES,
    WALLS,
    WHOLE,
    StackLeft,
    WallFigure,
    dice_label,
    stack_label,
)

register = template.Library()

PITCH = 16
_LAYER, _FACE = 5, 18  # the height of a tile, and how deep its back is
_DEPTH = _FACE + 2 * _LAYER
_CORNER = 2  # between a wall and the next
_MARGIN = 6
_LANE = 15  # from the wall to the middles of its marks
_MARK = 22  # how far apart these stand at least
_SCALE = 1.5  # pixels a unit where there is room, so that a stack is 24 wide
_TURNS = (0, -90, 180, 90)
_NUMBERED = (1, 5, 10, 15)

_OUTLINES = {
    "break": "M-13 0L-5-10H10V10H-5Z",
    "head": "M-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0Z",
    "tail": "M-9.5-9.5H9.5V9.5H-9.5Z",
    "bao": "M0-13L13 0L0 13L-13 0Z",
    "open": "M-12 0L-6-10.5H6L12 0L6 10.5H-6Z",
    "reserve": "M-13 0H13",
}
_PIPS = {
    1: "M20 20h0",
    2: "M12 12h0M28 28h0",
    3: "M11 11h0M20 20h0M29 29h0",
    4: "M12 12h0M28 12h0M12 28h0M28 28h0",
    5: "M11 11h0M29 11h0M20 20h0M11 29h0M29 29h0",
    6: "M13 10h0M27 10h0M13 20h0M27 20h0M13 30h0M27 30h0",
}


# The walls


class Number(NamedTuple):
    """A stack's number, upright on its back."""

    x: float
    y: float
    number: int
    state: str


class Badge(NamedTuple):
    """A mark: where it stands, how far its shape is turned, and where the line to its stack ends."""

    key: str
    x: float
    y: float
    turn: int
    to_x: float
    to_y: float


class SideDrawing(NamedTuple):
    """One wall, to be turned, as paths.

    back, edge, seam: of its stacks. empty: outlines of emptied ones. kept: a line along those that stay. cut:
    the break.
    """

    turn: int
    back: str
    edge: str
    seam: str
    empty: str
    kept: str
    cut: str


class Drawing(NamedTuple):
    """The four walls. width, height: in pixels, where there is room for them."""

    view_box: str
    width: float
    height: float
    sides: tuple[SideDrawing, ...]
    numbers: tuple[Number, ...]
    badges: tuple[Badge, ...]


def drawing(figure: WallFigure) -> Drawing:
    """The walls of a figure as paths and places."""
    along, across = ((most * PITCH + _DEPTH + _CORNER) / 2 for most in figure.most)
    sides, numbers, badges = [], [], []
    for seat, side in enumerate(figure.sides):
        turned = _turned(_TURNS[seat])
        rim, other = (along, across)[seat % 2 == 0], (across, along)[seat % 2 == 0]
        sides.append(_side(figure, seat, rim))
        for stack in side:
            if stack.spot.number in _NUMBERED:
                place = turned(_x(side, stack.spot.number) + PITCH / 2, rim - _middle_from_rim(stack.state))
                numbers.append(Number(*place, stack.spot.number, stack.state))
        badges += _badges(figure, seat, rim, other - _DEPTH - _LANE - _MARK)
    wide, high = along + _MARGIN, across + _MARGIN
    return Drawing(
        f"{-wide:g} {-high:g} {2 * wide:g} {2 * high:g}",
        2 * wide * _SCALE,
        2 * high * _SCALE,
        tuple(sides),
        tuple(numbers),
        tuple(badges),
    )


def _side(figure: WallFigure, seat: int, rim: float) -> SideDrawing:
    side = figure.sides[seat]
    above = rim - _DEPTH - 3.5
    back, edge, seam, empty, kept, cut = [], [], [], [], [], ""
    for stack in side:
        x, top = _x(side, stack.spot.number), rim - _back_from_rim(stack.state)
        if stack.state == EMPTY:
            empty.append(_box(x + 2, top + 1.5, PITCH - 4, rim - top - 3))
            continue
        back.append(_box(x + 0.5, top, PITCH - 1, _FACE))
        edge.append(_box(x + 0.5, top + _FACE - 3, PITCH - 1, rim - top - _FACE + 3))
        if stack.state == WHOLE:
            seam.append(f"M{x + 0.5:g} {rim - _LAYER:g}h{PITCH - 1}")
        if stack.spot in figure.reserve:
            kept.append(f"M{x:g} {above:g}h{PITCH}")
    mark = figure.mark(BREAK)
    if mark and mark.spot.seat == seat:
        cut = f"M{_x(side, mark.spot.number) + PITCH:g} {above:g}v{_DEPTH + 7}"
    return SideDrawing(
        _TURNS[seat], "".join(back), "".join(edge), "".join(seam), "".join(empty), "".join(kept), cut
    )


def _badges(figure: WallFigure, seat: int, rim: float, furthest: float) -> list[Badge]:
    side, turned = figure.sides[seat], _turned(_TURNS[seat])
    here = sorted(
        ((_x(side, mark.spot.number) + PITCH / 2, mark) for mark in figure.marks if mark.spot.seat == seat),
        key=lambda found: found[0],
    )
    places = spread([x for x, _ in here], _MARK, furthest)
    badges = []
    for (x, mark), place in zip(here, places, strict=True):
        from_rim = _back_from_rim(side[mark.spot.number - 1].state)
        badges.append(
            Badge(
                mark.key,
                *turned(place, rim - _DEPTH - _LANE),
                _TURNS[seat] if mark.key == BREAK else 0,
                *turned(x, rim - from_rim + 2),
            )
        )
    return badges


def spread(wanted: Iterable[float], apart: float, furthest: float) -> list[float]:
    """Places near those wanted, in their order, so far apart from each other and none beyond the furthest."""
    blocks: list[list[float]] = []
    for n, place in enumerate(wanted):
        blocks.append([place - n * apart])
        while len(blocks) > 1 and _mean(blocks[-2]) > _mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    means = [_mean(block) for block in blocks for _ in block]
    most = furthest - (len(means) - 1) * apart
    return [min(max(mean, -furthest), most) + n * apart for n, mean in enumerate(means)]


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def _x(side: tuple[StackLeft, ...], number: int) -> float:
    """Where a stack begins. Each wall has the corner at its right end and leaves out the one at its left."""
    return (len(side) * PITCH + _DEPTH + _CORNER) / 2 - number * PITCH


def _back_from_rim(state: str) -> float:
    """How far from the table's rim the back of a stack begins; a lower one lies nearer."""
    return _FACE + (2 * _LAYER if state == WHOLE else _LAYER)


def _middle_from_rim(state: str) -> float:
    return (_DEPTH - _LAYER) / 2 if state == EMPTY else _back_from_rim(state) - _FACE / 2


def _box(x: float, y: float, width: float, height: float) -> str:
    bend = "a1.5 1.5 0 0 1"
    return (
        f"M{x + 1.5:g} {y:g}h{width - 3:g}{bend} 1.5 1.5v{height - 3:g}{bend}-1.5 1.5"
        f"h{3 - width:g}{bend}-1.5-1.5v{3 - height:g}{bend} 1.5-1.5Z"
    )


def _turned(degrees: int) -> Callable[[float, float], tuple[float, float]]:
    c, s = round(cos(radians(degrees))), round(sin(radians(degrees)))
    return lambda x, y: (x * c - y * s, x * s + y * c)


@register.filter
def outline(key: str) -> str:
    """The path of a mark, around 0."""
    return _OUTLINES[key]


@register.filter
def letter(key: str) -> Text:
    """What stands on a mark."""
    return LETTERS[key]


# Choosing a stack


class Choice(NamedTuple):
    """A stack to choose, or the outline of an emptied one. value: "seat:number", "" where it is emptied."""

    number: int
    state: str
    value: str
    label: Text


class ChoiceSide(NamedTuple):
    """A wall to choose from. choices: from its left end, so that the arrow keys go where they point."""

    seat: int
    wall: Text
    choices: tuple[Choice, ...]

    @property
    def is_emptied(self) -> bool:
        """Whether no stack is left to choose."""
        return not any(choice.value for choice in self.choices)


def choice_sides(figure: WallFigure) -> tuple[ChoiceSide, ...]:
    """Every wall of a figure, to choose a stack from."""
    return tuple(
        ChoiceSide(seat, WALLS[seat], tuple(_choice(stack) for stack in reversed(side)))
        for seat, side in enumerate(figure.sides)
    )


def _choice(stack: StackLeft) -> Choice:
    value = "" if stack.state == EMPTY else str(stack.spot)
    return Choice(stack.spot.number, stack.state, value, stack_label(stack))


@register.inclusion_tag("figures/wall.html")
def wall(figure: WallFigure, answers: object = None, name: str = "stack", chosen: str = "") -> dict[str, Any]:
    """The four walls from above, with what their marks say; or, with `answers`, a stack to be chosen.

    answers: which is asked for, one of `FINDS`; marks that would tell are left out, and all of them where it
    is none of these. name: of the fields. chosen: "seat:number" of the stack that is.
    """
    asked = answers is not None
    shown = figure.asking(str(answers)) if asked else figure
    return {
        "figure": shown,
        "drawing": drawing(shown),
        "seats": SEATS,
        "sides": choice_sides(shown) if asked else (),
        "states": [(state, words) for state, words in STATES.items() if state != WHOLE and shown.has(state)],
        "said": {"choose": CHOOSE, "right_end": RIGHT_END, "in_words": IN_WORDS, "emptied": STATES[EMPTY]},
        "name": name,
        "chosen": chosen,
    }


# Dice and seats


class Die(NamedTuple):
    """One die. pips: their path."""

    number: int
    pips: str


@register.inclusion_tag("figures/dice.html")
def dice(thrown: Dice | str) -> dict[str, Any]:
    """Two dice as one picture. thrown: may be text, "3 4"."""
    one, other = (int(die) for die in thrown.split()) if isinstance(thrown, str) else thrown
    return {
        "label": dice_label((one, other)),
        "dice": [Die(number, _PIPS[number]) for number in (one, other)],
    }


class SeatNote(NamedTuple):
    """A seat at the table. turn: its number in turn order, the dealer's is 1. lit: if it is pointed out."""

    seat: int
    turn: int
    name: Text
    note: Text | None
    lit: bool


@register.inclusion_tag("figures/seats.html")
def seats(notes: Mapping[int, Text], lit: Iterable[int] = ()) -> dict[str, Any]:
    """The table from above. notes: a short text by seat. lit: the seats pointed out."""
    pointed_out = frozenset(lit)
    return {
        "seats": [SeatNote(n, n + 1, name, notes.get(n), n in pointed_out) for n, name in enumerate(SEATS)],
        "turns": _TURNS,
        "pointed_out": POINTED_OUT,
    }
