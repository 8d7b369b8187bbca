"""House rules: what tables play differently, as options of the rule they change.

A `HouseRule` is a question with its answers, the default first. A `House` is what one table has answered. The
region's own rules are built from a house, so that a ruleset with other answers is simply another value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from .errors import HandError
from .text import Text


class Choice(NamedTuple):
    """An answer to a house rule: its key, and in words what is then played."""

    key: str
    words: Text


@dataclass(frozen=True, eq=False)
class HouseRule:
    """A point that tables settle differently.

    name: the question in a few words. choices: the default first. why: the reason a table would choose otherwise.
    ruling: the reading it belongs to, such as "R8". cites: ids of the source rules it is about.
    """

    key: str
    name: Text
    choices: tuple[Choice, ...]
    why: Text
    ruling: str
    cites: tuple[str, ...] = ()

    @property
    def default(self) -> str:
        """The key of the choice that holds unless a table says otherwise."""
        return self.choices[0].key

    def choice(self, key: str) -> Choice:
        """The choice of a key; KeyError where there is none."""
        return {c.key: c for c in self.choices}[key]


@dataclass(frozen=True)
class House:
    """The answers of one table by the key of the house rule; what is not answered is played by default."""

    chosen: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def __getitem__(self, rule: HouseRule) -> str:
        return self.chosen.get(rule.key, rule.default)

    def says(self, rule: HouseRule, key: str = "yes") -> bool:
        """Whether the table has chosen this answer."""
        return self[rule] == key


def yes_no(default: str, yes: Text, no: Text) -> tuple[Choice, Choice]:
    """The two choices of a yes-or-no question, the default first."""
    choices = (Choice("yes", yes), Choice("no", no))
    return choices if default == "yes" else (choices[1], choices[0])


def checked(game: Text, rules: Iterable[HouseRule], chosen: Mapping[str, str]) -> dict[str, str]:
    """The choices that differ from the default, in the order of the rules. Raises HandError `bad-option`."""
    known = {rule.key: rule for rule in rules}
    for key, value in chosen.items():
        rule = known.get(key)
        if rule is None:
            listed = ", ".join(known) or "none"
            raise HandError(
                "bad-option",
                Text(
                    f"{game.en} has no table rule “{key}”; known: {listed}.",
                    f"{game.zh}没有“{key}”这条桌上规矩，可用：{'、'.join(known) or '无'}。",
                ),
            )
        if value not in {c.key for c in rule.choices}:
            values = [c.key for c in rule.choices]
            raise HandError(
                "bad-option",
                Text(
                    f"The table rule “{key}” is one of {', '.join(values)}, not “{value}”.",
                    f"桌上规矩“{key}”只能是{'、'.join(values)}，不能是“{value}”。",
                ),
            )
    return {key: chosen[key] for key, rule in known.items() if chosen.get(key, rule.default) != rule.default}
