"""The table rules on the page: from an address or a form to the games as a table plays them, and back.

An address holds each choice that is not the usual one as `option=key=value`. A form sends one field for each
house rule, `rule-key`, and what an address held that no field can show: an error stays until it is mended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.http import QueryDict

from rules import Ruleset
from rules.house import Choice, HouseRule
from rules.tiles import TileSet

FIELD = "rule-"
# The rulings of a table that say what a win is paid.
_OF_A_WIN = ("win-pays", "points", "bird-seat", "bird-tiles")
USUAL = "usual:"  # and a game's key: the press that goes back to what is usual there


@dataclass(frozen=True)
class Setting:
    """A house rule with what this table plays."""

    rule: HouseRule
    chosen: Choice

    @property
    def usual(self) -> Choice:
        """What is played where nobody says otherwise."""
        return self.rule.choices[0]

    @property
    def is_changed(self) -> bool:
        """Whether this table plays something else."""
        return self.chosen is not self.usual


@dataclass(frozen=True)
class Panel:
    """The house rules of a game as the page offers them. game: as this table plays it. of_a_win: the keys of
    those that may change whether a hand wins or what is paid for it."""

    game: Ruleset
    settings: list[Setting]
    of_a_win: frozenset[str] = frozenset()

    @property
    def judging(self) -> list[Setting]:
        """Those that may change what is said of a hand."""
        return [setting for setting in self.settings if setting.rule.key in self.of_a_win]

    @property
    def others(self) -> list[Setting]:
        """Those of the rest of the play."""
        return [setting for setting in self.settings if setting.rule.key not in self.of_a_win]

    @property
    def others_changed(self) -> int:
        """How many of the others are not the usual ones."""
        return sum(setting.is_changed for setting in self.others)

    @property
    def changed(self) -> int:
        """How many are not the usual ones."""
        return sum(setting.is_changed for setting in self.settings)


def options_from(params: QueryDict, games: Sequence[Ruleset], actions: Iterable[str]) -> list[str]:
    """The house rules that were asked for, each `key=value`, those of a form's fields without the usual ones.

    A field of a game that is not shown is left behind.
    """
    known = {rule.key: rule for game in games for rule in game.options}
    sent = {name.removeprefix(FIELD) for name in params if name.startswith(FIELD)}
    fields = {
        key: params[FIELD + key]
        for key, rule in known.items()
        if key in sent and params[FIELD + key] != rule.default
    }
    options = [o for o in params.getlist("option") if _key(o) not in fields]
    options += [f"{key}={value}" for key, value in fields.items()]
    for game in games:
        if USUAL + game.key in actions:
            own = {rule.key for rule in game.options}
            options = [o for o in options if _key(o) in known and _key(o) not in own]
    return options


def options_of(game: Ruleset, options: Sequence[str], games: Sequence[Ruleset]) -> list[str]:
    """The options that this game is judged by, good or bad; not what another of the games alone has."""
    return [o for o in options if _is_for(game, o, games)]


def _is_for(game: Ruleset, option: str, games: Sequence[Ruleset]) -> bool:
    if _has(game, option):
        return _fits(game, option) or not any(_fits(g, option) for g in games)
    return not any(_has(g, option) for g in games)


def played(game: Ruleset, options: Sequence[str]) -> Ruleset:
    """The game by those options that it has; what it has not is no error here."""
    given = [o for o in options if _fits(game, o)]
    chosen = dict(o.split("=", 1) for o in given)
    return game.with_options({key: value for key, value in chosen.items() if _agree(key, given)})


def written(games: Iterable[Ruleset], strays: Iterable[str]) -> list[str]:
    """The options as an address holds them: what differs from the usual, then what was not understood."""
    chosen = [f"{key}={value}" for game in games for key, value in game.house.chosen.items()]
    return list(dict.fromkeys([*chosen, *strays]))


def strays(options: Sequence[str], games: Sequence[Ruleset]) -> list[str]:
    """The options that no field can show: no game shown has them, or they contradict each other."""
    return [o for o in options if not any(_fits(game, o) for game in games) or not _agree(_key(o), options)]


def panels(games: Iterable[Ruleset]) -> list[Panel]:
    """What each game lets a table choose; a house rule that several games have is offered once."""
    games = list(games)
    of_a_win = frozenset(key for game in games for key in _of_a_win(game))
    found, seen = [], set[str]()
    for game in games:
        settings = [
            Setting(rule, rule.choice(game.house[rule])) for rule in game.options if rule.key not in seen
        ]
        seen |= {setting.rule.key for setting in settings}
        if settings:
            found.append(Panel(game, settings, of_a_win))
    return found


@lru_cache(maxsize=64)
def _of_a_win(game: Ruleset) -> frozenset[str]:
    """The keys of the house rules by which a hand is read, judged and paid."""
    found = _parts_of_a_win(game)
    for option in game.options:
        others = [game.with_options({**game.house.chosen, option.key: c.key}) for c in option.choices]
        # A choice may bring a rule that the usual game has not, or change which melds can be written.
        found = found.union(*map(_parts_of_a_win, others))
        if len({_written_with(other.tiles) for other in others}) > 1:
            found |= {option.key}
    return found


def _parts_of_a_win(game: Ruleset) -> frozenset[str]:
    found = {option.key for rule in game.rules for option in rule.options}
    found |= {option.key for pattern in game.patterns for option in pattern.options}
    found |= {option.key for way in game.ways for option in way.options}
    found |= {o.key for ruling in game.table.rulings if ruling.key in _OF_A_WIN for o in ruling.options}
    return frozenset(found)


def _written_with(tiles: TileSet) -> tuple[object, ...]:
    return tiles.kinds.tiles, tuple(tiles.special_gangs), tiles.special_gang_twice


def _key(option: str) -> str:
    return option.partition("=")[0]


def _has(game: Ruleset, option: str) -> bool:
    return any(rule.key == _key(option) for rule in game.options)


def _fits(game: Ruleset, option: str) -> bool:
    key, _, value = option.partition("=")
    return any(rule.key == key and value in {c.key for c in rule.choices} for rule in game.options)


def _agree(key: str, options: Iterable[str]) -> bool:
    return len({o for o in options if _key(o) == key}) == 1
