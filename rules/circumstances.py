"""How a hand was completed: who won, on whose tile, in what situation.

`read` is the one door for circumstances from outside, as `notation` is for tiles: what can't be, such as
a self-drawn robbed gang, is a `bad-context` error that says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import notation
from .errors import HandError
from .text import Text, plural
from .tiles import Tile

if TYPE_CHECKING:
    from .hands import Hand
    from .ruleset import Ruleset

SEATS = (
    Text("dealer", "庄家"),
    Text("next after dealer", "庄家的下家"),
    Text("opposite dealer", "庄家的对家"),
    Text("before dealer", "庄家的上家"),
)
# The same in running text.
SEATS_NAMED = (
    Text("the dealer", "庄家"),
    Text("the player after the dealer", "庄家的下家"),
    Text("the player opposite the dealer", "庄家的对家"),
    Text("the player before the dealer", "庄家的上家"),
)


@dataclass(frozen=True)
class Circumstances:
    """by: the key of a way to win. seat: the winner, 0 the dealer to 3. discarder: the seat that discarded
    or was robbed, None for a self-draw. listening: 听 was declared. bao: the turned bao. moments: keys of
    situations. birds: the bird tiles drawn, None where nobody said."""

    by: str = "discard"
    seat: int = 1
    discarder: int | None = 0
    listening: bool = False
    bao: Tile | None = None
    moments: tuple[str, ...] = ()
    birds: tuple[Tile, ...] | None = None


def read(
    ruleset: Ruleset, hand: Hand | None, given: Mapping[str, str | int | Sequence[str] | None]
) -> Circumstances:
    """Circumstances from strings, checked against the ruleset and the hand, None where only its worth is known.

    given: any of `by`, `seat`, `from`, `listening`, `bao`, `moments`, `birds`; numbers may be numbers, lists
    are comma-separated strings or sequences; an empty value or None is one not given. Raises HandError `bad-context`.
    """
    given = {
        key: value for key, value in given.items() if value is not False and value not in ("", (), [], None)
    }
    _only_inputs_of(ruleset, given)

    by = str(given.get("by", "discard"))
    way = next((w for w in ruleset.ways if w.key == by), None)
    if way is None:
        known = [w.key for w in ruleset.ways]
        raise _bad(
            f"There is no way to win called “{by}”; this game knows {', '.join(known)}.",
            f"没有“{by}”这种胡法，可用：{'、'.join(known)}。",
        )

    seat = _seat(given, "seat", 1)
    discarder: int | None = None
    if "from" in given and way.self_drawn:
        raise _bad(
            "A self-drawn win is from nobody: leave out who discarded.", "自摸的牌不来自别家，不要写出牌人。"
        )
    if not way.self_drawn:
        discarder = _seat(given, "from", 1 if seat == 0 else 0)
        if discarder == seat:
            raise _bad("A player can't win on their own discard.", "不能胡自己打出的牌。")

    circumstances = Circumstances(
        by=by,
        seat=seat,
        discarder=discarder,
        listening=_flag(given, "listening"),
        bao=_tile(ruleset, str(given["bao"]), Text("bao", "宝牌")) if "bao" in given else None,
        moments=_listed(given, "moments"),
        birds=birds(ruleset, _listed(given, "birds")) if "birds" in given else None,
    )
    _moments_can_be(ruleset, hand, circumstances)
    if way.complaint and (complaint := way.complaint(ruleset, hand, circumstances)):
        raise HandError("bad-context", complaint)
    return circumstances


def _only_inputs_of(ruleset: Ruleset, given: Mapping[str, object]) -> None:
    for key in given:
        if key not in ("by", "seat", "from", *ruleset.inputs):
            raise _bad(f"{ruleset.name.en} has no “{key}”.", f"{ruleset.name.zh}没有“{key}”这一项。")


def _moments_can_be(ruleset: Ruleset, hand: Hand | None, circumstances: Circumstances) -> None:
    known = {p.key: p for p in ruleset.patterns if p.is_moment}
    for key in circumstances.moments:
        if key not in known:
            raise _bad(
                f"There is no situation called “{key}”; this game knows {', '.join(known)}.",
                f"没有“{key}”这种情形，可用：{'、'.join(known)}。",
            )
    if len(circumstances.moments) > 1:
        raise _bad(
            f"Only one situation can hold at a time, not {' and '.join(circumstances.moments)}.",
            f"同一次胡牌只能有一种情形，不能同时是{'和'.join(known[k].name.zh for k in circumstances.moments)}。",
        )
    for key in circumstances.moments:
        complaint = known[key].complaint
        if complaint and (words := complaint(ruleset, hand, circumstances)):
            raise HandError("bad-context", words)


def _seat(given: Mapping[str, object], key: str, default: int) -> int:
    value = str(given.get(key, default))
    if value not in ("0", "1", "2", "3"):
        raise _bad(
            f"“{key}” is a seat from 0 (the dealer) to 3, not “{value}”.",
            f"“{key}”是座位号，0（庄家）到3，不能是“{value}”。",
        )
    return int(value)


def _flag(given: Mapping[str, object], key: str) -> bool:
    value = given.get(key, False)
    if value in (True, "1"):
        return True
    if value in (False, "0"):
        return False
    raise _bad(f"“{key}” is 1 or 0, not “{value}”.", f"“{key}”只能是1或0，不能是“{value}”。")


def _listed(given: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = given.get(key, ())
    items = value.split(",") if isinstance(value, str) else value
    found = tuple(item.strip() for item in items)  # type: ignore[attr-defined]
    if "" in found:
        raise _bad(f"“{key}” has an empty entry: {value}", f"“{key}”里有空的一项：{value}")
    return found


def birds(ruleset: Ruleset, names: Sequence[str]) -> tuple[Tile, ...]:
    """The bird tiles of these names, `0` alone for none. Raises HandError `bad-context`."""
    if list(names) == ["0"]:
        return ()
    found = tuple(_tile(ruleset, name, Text("bird", "鸟牌")) for name in names)
    most = ruleset.table.most_birds
    if len(found) > most:
        raise _bad(
            f"{plural(len(found), 'bird')} can't be: this table draws {most or 'none'}.",
            f"不能有{len(found)}个鸟：这桌{f'扎{most}个鸟' if most else '不扎鸟'}。",
        )
    return found


def _tile(ruleset: Ruleset, text: str, what: Text) -> Tile:
    kind = notation.parse_tile(text)
    if kind is None or kind not in ruleset.tiles.kinds:
        raise _bad(
            f"The {what.en} “{text}” is not one tile of {ruleset.name.en}.",
            f"{what.zh}“{text}”不是{ruleset.name.zh}的一张牌。",
        )
    return kind


def _bad(english: str, chinese: str) -> HandError:
    return HandError("bad-context", Text(english, chinese))
