"""A table asked in text and answered in text: what lessons, rule pages and puzzles say of it is run through here.

Every ruling of every table can be asked by its key, with what its method takes written as text: a hand as
`notation` reads it, dice as "3 4", a claim as "1:peng". What comes back is the ruling's own outcome; `told`
writes its value as short texts that can be compared. Nothing here knows which game it serves.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from . import notation
from .circumstances import Circumstances
from .claims import ACTIONS, CHI, HU, PASS, PENG, Claim, Standing, Turn
from .errors import HandError
from .hands import GANG, Hand, Meld
from .ruleset import Ruleset
from .table import Outcome
from .tiles import Tile
from .wall import Break, Deal, Dice, Drawn, Place, Wall

# What a player does who takes all they can.
_BEST = (HU, GANG, PENG, CHI)

_Read = Callable[[Ruleset, Any], Any]


def ask(game: Ruleset, key: str, given: Mapping[str, Any]) -> Outcome[Any]:
    """What a ruling of the game's table says. given: its method's parameters, as text.

    Raises ValueError in plain English, HandError among them, for what can't be asked or read.
    """
    method = game.ruling(key)
    parameters = inspect.signature(method).parameters
    unknown = [name for name in given if name not in parameters]
    if unknown:
        raise ValueError(f"{key} takes {', '.join(parameters)}, not {', '.join(unknown)}")
    taken = {name: _read(game, p, given[name]) for name, p in parameters.items() if name in given}
    if "game" in parameters:
        taken["game"] = game
    missing = [n for n, p in parameters.items() if p.default is inspect.Parameter.empty and n not in taken]
    if missing:
        raise ValueError(f"{key} needs {', '.join(missing)}")
    outcome = method(**taken)
    if not isinstance(outcome, Outcome):
        raise ValueError(f"{key} is no question with one answer; settle a hand instead")
    return outcome


def gets(game: Ruleset, given: Mapping[str, Any]) -> Outcome[tuple[Claim, ...]]:
    """Who gets a tile, and why. given: `from` and `hands`, with `tile` for a discard, `opened` for the two tiles
    of an opened gang, or `added` and `meld` for a tile added to a gang; `moment` for a situation; `standings` where
    something binds a seat; `declared`, an action by seat, where somebody does not take the best they can. Raises ValueError as `ask` does.
    """
    try:
        return _gets(game, given)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"who gets the tile can't be read from {dict(given)!r}: {error!r}") from None


# What may be said of a tile that somebody gets.
_TOLD = ("tile", "opened", "added", "meld", "dealt", "moment", "from", "hands", "standings", "declared")


def _gets(game: Ruleset, given: Mapping[str, Any]) -> Outcome[tuple[Claim, ...]]:
    _only(given, *_TOLD)
    giver = _named(game, "from", _int, given["from"])
    claims = possible(game, given)
    seats = {claim.seat for claim in claims.value}
    actions = _named(game, "declared", _actions, given.get("declared") or {})
    declared = []
    for seat in sorted(seats | set(actions)):
        own = [claim for claim in claims.value if claim.seat == seat]
        action = actions.get(seat) or min((claim.action for claim in own), key=_BEST.index)
        if action != PASS:
            made = [claim for claim in own if claim.action == action]
            declared += made[:1] or [Claim(seat, action)]
    outcome: Outcome[tuple[Claim, ...]] = game.ruling("priority")(giver, claims.value, declared)
    # What decides comes first, then what else could have been done, or why it could not.
    reasons = tuple(dict.fromkeys((*outcome.reasons, *claims.reasons))) if claims.value else claims.reasons
    return Outcome(outcome.value, reasons)


def possible(game: Ruleset, given: Mapping[str, Any]) -> Outcome[tuple[Claim, ...]]:
    """Every claim that could be made in such a question, as `gets` takes it, and why or why not."""
    shared = {name: given[name] for name in ("hands", "standings") if name in given}
    if "added" in given:
        own = {name: given[name] for name in ("added", "meld", "dealt") if name in given}
        return ask(game, "robbing", {"adder": given["from"], **own, **shared})
    if "opened" in given:
        return ask(game, "kai-claims", {"opener": given["from"], "kinds": given["opened"], **shared})
    moment = {"moment": given["moment"]} if "moment" in given else {}
    return ask(game, "claims", {"discarder": given["from"], "kind": given["tile"], **moment, **shared})


def told(value: Any) -> tuple[str, ...]:
    """An answer as short texts: "yes", "8", "5m", "1:peng", "2:7"; () for nothing at all."""
    if isinstance(value, Deal):  # how many tiles each seat has
        return tuple(str(len(hand)) for hand in value.hands)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(_word(item) for item in value)
    return (_word(value),)


def _word(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Tile):
        return value.code
    if isinstance(value, Meld):
        return notation.write_set(value)
    if isinstance(value, Claim):
        return f"{value.seat}:{value.action}"
    if isinstance(value, Turn):
        return f"{value.seat}:{value.step}"
    if isinstance(value, Break):
        return f"{value.seat}:{value.stacks_kept}"
    if isinstance(value, Place):
        return f"{value.stack}:{'upper' if value.upper else 'lower'}"
    if isinstance(value, Drawn):
        return str(value.tile)
    if isinstance(value, int | str):
        return str(value)
    if isinstance(value, Circumstances):
        return value.by
    if isinstance(value, Standing):
        return "locked" if value.locked else "listening" if value.listening else "free"
    if hasattr(value, "stack"):  # an opened stack: which from the tail, and its tiles
        return " ".join(map(str, (value.stack, *value.tiles)))
    return str(value)


# Reading what a ruling takes


def _read(game: Ruleset, parameter: inspect.Parameter, text: Any) -> Any:
    kind = str(parameter.annotation)
    name = parameter.name
    if kind.endswith(" | None"):
        if text in (None, "none"):
            return None
        kind = kind.removesuffix(" | None")
    if kind not in READERS:
        raise ValueError(f"{name} can't be given in text")
    return _named(game, name, READERS[kind], text)


def _named(game: Ruleset, name: str, reader: _Read, text: Any) -> Any:
    """What a reader makes of a text; what it can't read is said with the name."""
    try:
        return reader(game, text)
    except HandError:
        raise
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise ValueError(f"{name} can't be read from {text!r}: {error}") from None


def _only(given: Mapping[str, Any], *known: str) -> None:
    unknown = [key for key in given if key not in known]
    if unknown:
        raise ValueError(f"known here are {', '.join(known)}, not {', '.join(unknown)}")


def _actions(game: Ruleset, text: Any) -> dict[int, str]:
    return {int(seat): str(action) for seat, action in text.items()}


def _items(text: Any) -> Sequence[Any]:
    if isinstance(text, str):
        return text.replace(",", " ").split()
    return list(text)


def _yes(game: Ruleset, text: Any) -> bool:
    if isinstance(text, bool):
        return text
    if text not in ("yes", "no"):
        raise ValueError(f"yes or no, not {text!r}")
    return bool(text == "yes")


def _int(game: Ruleset, text: Any) -> int:
    return int(text)


def _tile(game: Ruleset, text: Any) -> Tile:
    found = notation.parse_tile(str(text))
    if found is None:
        raise ValueError(f"no tile is written {text!r}")
    return found


def _tiles(game: Ruleset, text: Any) -> tuple[Tile, ...]:
    return tuple(_tile(game, item) for item in _items(text))


def _dice(game: Ruleset, text: Any) -> Dice:
    first, second = (int(die) for die in _items(text))
    return first, second


def _hand(game: Ruleset, text: Any) -> Hand:
    return game.parse(str(text))


def _meld(game: Ruleset, text: Any) -> Meld:
    melds = notation.parse_unfinished(str(text), game.tiles).melds
    if len(melds) != 1:
        raise ValueError(f"one meld is needed, not {text!r}")
    return melds[0]


def _melds(game: Ruleset, text: Any) -> tuple[Meld, ...]:
    return tuple(_meld(game, item) for item in _items(text))


def _hands(game: Ruleset, text: Any) -> dict[int, Hand]:
    return {int(seat): _hand(game, hand) for seat, hand in text.items()}


def _standing(game: Ruleset, text: Any) -> Standing:
    _only(text, "listening", "locked", "missed")
    return Standing(
        listening=_yes(game, text.get("listening", "no")),
        locked=_yes(game, text.get("locked", "no")),
        missed=int(text.get("missed", 0)),
    )


def _standings(game: Ruleset, text: Any) -> dict[int, Standing]:
    return {int(seat): _standing(game, standing) for seat, standing in text.items()}


def _claim(game: Ruleset, text: Any) -> Claim:
    seat, action, *meld = str(text).split(":")
    if action not in ACTIONS:
        raise ValueError(f"no claim is called {action!r}")
    return Claim(int(seat), action, _meld(game, meld[0]) if meld else None)


def _claims(game: Ruleset, text: Any) -> tuple[Claim, ...]:
    return tuple(_claim(game, item) for item in _items(text))


def _wall(game: Ruleset, text: Any) -> Wall[int]:
    _only(text, "stacks", "drawn", "replaced")
    whole = Wall.numbered(int(text["stacks"]))
    return whole.without(int(text.get("drawn", 0)), int(text.get("replaced", 0)))


def _numbers(game: Ruleset, text: Any) -> tuple[int, ...]:
    return tuple(int(item) for item in _items(text))


def _flags(game: Ruleset, text: Any) -> tuple[bool, ...]:
    return tuple(_yes(game, item) for item in _items(text))


def _text(game: Ruleset, text: Any) -> str:
    return str(text)


# By the annotation of the parameter, as the rulings write it.
READERS: dict[str, _Read] = {
    "int": _int,
    "bool": _yes,
    "str": _text,
    "Dice": _dice,
    "Tile": _tile,
    "Hand": _hand,
    "Meld": _meld,
    "Standing": _standing,
    "Claim": _claim,
    "Wall[T]": _wall,
    "T": _tile,
    "Mapping[int, Hand]": _hands,
    "Mapping[int, Standing]": _standings,
    "Iterable[Tile]": _tiles,
    "tuple[Tile, ...]": _tiles,
    "Iterable[Meld]": _melds,
    "Iterable[Claim]": _claims,
    "tuple[Claim, ...]": _claims,
    "tuple[int, ...]": _numbers,
    "tuple[bool, ...]": _flags,
}


def parameters(game: Ruleset, key: str) -> Iterable[str]:
    """What a ruling takes, each as "name: kind", for whoever writes a question."""
    for name, parameter in inspect.signature(game.ruling(key)).parameters.items():
        if name != "game":
            yield f"{name}: {parameter.annotation}"
