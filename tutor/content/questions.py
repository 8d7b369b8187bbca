"""Questions about the table whose values vary: written once, asked with other dice, seats and hands.

A template is a level as lessons have it, with names in braces; `vary` says what each name may be. The engine
answers it for whatever values chance picks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from rules import HandError, Ruleset, asking, notation
from rules.circumstances import SEATS_NAMED
from rules.tiles import SUITS
from tutor.checker.entry import every_tile
from tutor.content import levels, prose
from tutor.content.levels import Level, Making
from tutor.content.source import LANGUAGES, Fault, Node

KINDS = ("choice", "payments", "wall", "birds")
SEATS, YES_NO, NUMBERS = "seats", "yes-no", "numbers"
_RANGE = re.compile(r"(-?[0-9]{1,3})-([0-9]{1,3})")
_NAME = re.compile(r"\{([a-z_]+(?:\.[a-z_]+)?)(!seat|!sum|~)?\}")
_TILE = re.compile(r"[0-9]+[mps]")
_SAMPLES = 40  # values an author's question is checked with
_FEW_SAMPLES = 8
_OFFERED = 4  # numbers to choose from


@dataclass(frozen=True)
class Template:
    """A question about the table. topic: the rule page it drills. cites: the lines it drills. vary: what each
    name may be. node: the level, with names in braces."""

    game: Ruleset
    slug: str
    topic: str
    cites: tuple[str, ...]
    vary: Node | None
    node: Mapping[str, Any]

    @property
    def facts(self) -> int:
        """How many values have to be put together to answer it."""
        return sum(_leaves(self.node[key]) for key in _GIVEN if key in self.node)


_GIVEN = ("given", "gets", "settle", "wall", "birds", "dice")


def _leaves(value: Any) -> int:
    if isinstance(value, Mapping):
        return sum(map(_leaves, value.values()))
    if isinstance(value, list):
        return sum(map(_leaves, value))
    return 1


def template(game: Ruleset, node: Node) -> Template:
    """A template that an author wrote. Raises Fault."""
    for key in ("slug", "topic", "kind", "prompt"):
        node[key].value  # noqa: B018 - a fault where it is missing
    kind = node["kind"]
    if kind.text not in KINDS:
        raise kind.fault(f"a question about the table is one of {', '.join(KINDS)}")
    own = {"slug", "topic", "cites", "vary"}
    plain = {key: item.plain for key, item in node.mapping.items() if key not in own}
    cites = tuple(item.text for item in node.list_of("cites"))
    return Template(game, node["slug"].text, node["topic"].text, cites, node.get("vary"), plain)


def check(made: Template, node: Node) -> None:
    """Asks a template with many values. Raises Fault where one of them can't be asked, or where a name is
    put in that nothing is said of, or the other way round."""
    vary = made.vary.plain if made.vary else {}
    texts = [*_texts(made.node), *_texts(vary)]  # a value that is put in may name another
    named = {found[1].partition(".")[0] for text in texts for found in _NAME.finditer(text)}
    for name in sorted(named - vary.keys()):
        raise node.fault(f"nothing is said of {{{name}}} under vary")
    for name in sorted(vary.keys() - named):
        raise node["vary"].fault(f"{{{name}}} is never put in")
    looked: set[str] = set()
    for n in range(_SAMPLES):
        try:
            asked = Node.of(filled(made, Random(n)))  # noqa: S311 - dice of a question
            asked["prompt"].both  # noqa: B018 - a fault where a language is missing
            level_of(asked, made.game, {})
            asked.done()
            for words in _words(asked):
                if words.text not in looked:
                    _look(words, made.game)
                    looked.add(words.text)
        except Fault as fault:
            raise node.fault(f"with the values of sample {n}: {fault}") from None
        except (KeyError, ValueError) as error:
            raise node.fault(f"with the values of sample {n}: {error}") from None


def level_of(node: Node, game: Ruleset, options: Mapping[str, str]) -> Level:
    """The level of a filled-in template. Raises Fault."""
    return levels.KINDS[node["kind"].text](Making(node, game, options))


def _texts(value: Any) -> Iterator[str]:
    """Every text in a tree of plain data, keys too."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from (*_texts(key), *_texts(item))
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    else:
        yield str(value)


def _words(node: Node) -> Iterator[Node]:
    """Every text in a language that people read."""
    if isinstance(node.value, dict):
        for key, item in node.value.items():
            if key in LANGUAGES:
                yield item
            else:
                yield from _words(item)
    elif isinstance(node.value, list):
        for item in node.value:
            yield from _words(item)


def _look(words: Node, game: Ruleset) -> None:
    """Looks at the marks and tiles of a text. Raises Fault."""
    open_mark = prose.leftovers(words.text)
    if open_mark:
        raise words.fault(f"{open_mark!r} is opened and not closed: “{words.text[:60]}…”")
    for span in prose.marks(words.text):
        if span.kind == prose.TILES:
            try:
                notation.parse_unfinished(span.target, every_tile(game.tiles))
            except HandError as error:
                raise words.fault(f"`{span.target}` can't be read: {error}") from None


def suits(made: Template, game: Ruleset) -> bool:
    """Whether a template can be asked at a table with rules of its own, whatever its values: what an author
    offers to choose from may be right, and a hand that is settled may win, by the usual rules alone."""
    try:
        for n in range(_FEW_SAMPLES):
            node = filled(made, Random(n), game)  # noqa: S311 - dice of a question
            level_of(Node.of(node), made.game, game.house.chosen)
    except (Fault, ValueError):
        return False
    return True


# Filling in


def filled(made: Template, chance: Random, game: Ruleset | None = None) -> dict[str, Any]:
    """The level with values that chance picks, and with what there is to choose from. game: as the table
    plays it; by default as most do."""
    values = dict(_picked(made, chance))
    suits = list(SUITS)
    chance.shuffle(suits)
    renamed = str.maketrans("".join(SUITS), "".join(suits))
    node: dict[str, Any] = _put(dict(made.node), values, renamed, "")
    choices = node.pop("choices", None)
    if choices is not None:
        node["options"] = _choices(choices, node, game or made.game, chance)
    return node


def _picked(made: Template, chance: Random) -> Iterator[tuple[str, Any]]:
    for name, item in made.vary.mapping.items() if made.vary else ():
        yield name, _one_of(item, made.game, chance)


def _one_of(item: Node, game: Ruleset, chance: Random) -> Any:
    if isinstance(item.value, list):
        return chance.choice(item.items).plain
    text = item.text
    between = _RANGE.fullmatch(text)
    if between:
        return str(chance.randint(int(between[1]), int(between[2])))
    if text == "seat":
        return str(chance.randrange(4))
    if text == "dice":
        return f"{chance.randint(1, 6)} {chance.randint(1, 6)}"
    kinds = [t for t in game.tiles.tiles if text == "tile" or t.suit]
    if text not in ("tile", "suited"):
        raise item.fault(f"a value is a range, seat, dice, tile, suited or a list, not {text!r}")
    return chance.choice(kinds).code


def _put(value: Any, values: Mapping[str, Any], renamed: Mapping[int, int], language: str) -> Any:
    """The same with every name replaced. language: of the text it stands in, "" outside of any."""
    if isinstance(value, Mapping):
        is_text = set(value) == {"en", "zh"}
        return {
            _put(key, values, renamed, ""): _put(item, values, renamed, key if is_text else language)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_put(item, values, renamed, language) for item in value]

    def named(found: re.Match[str]) -> str:
        name, _, part = found[1].partition(".")
        if name not in values:
            return found[0]
        said = values[name][part] if part else values[name]
        if isinstance(said, Mapping):
            said = said[language or "en"]
        if found[2] == "!seat":
            return getattr(SEATS_NAMED[int(said)], language or "en")
        if found[2] == "!sum":
            return str(sum(map(int, said.split())))
        if found[2] == "~":
            return _TILE.sub(lambda tiles: tiles[0].translate(renamed), said)
        return str(said)

    whole = _NAME.fullmatch(value)
    if whole and not whole[2] and "." in whole[1]:  # a list or a mapping in place of a text
        name, _, part = whole[1].partition(".")
        found = values.get(name, {}).get(part, value) if isinstance(values.get(name), Mapping) else value
        if not isinstance(found, str) and not (
            isinstance(found, Mapping) and set(found) == {"en", "zh"} and language
        ):
            return _put(found, values, renamed, language)
    return _NAME.sub(named, value)


def _choices(choices: Any, node: Mapping[str, Any], game: Ruleset, chance: Random) -> list[dict[str, Any]]:
    """What there is to choose from, as a level has it."""
    if not isinstance(choices, str):
        mixed = list(choices)
        if not all(
            re.fullmatch(r"-?[0-9]+", str(choice["answer"])) for choice in mixed
        ):  # numbers read best in order
            chance.shuffle(mixed)
        return mixed
    if choices == YES_NO:
        return [_choice("yes", "yes", "是"), _choice("no", "no", "否")]
    if choices == SEATS:
        return [_choice(str(seat), name.en, name.zh) for seat, name in enumerate(SEATS_NAMED)]
    if choices != NUMBERS:
        raise ValueError(f"choices are {SEATS}, {YES_NO}, {NUMBERS} or a list, not {choices!r}")
    (told,) = asking.told(asking.ask(game, node["ask"], node.get("given") or {}).value)
    right = int(told)
    least = max(0, right - chance.randrange(_OFFERED)) if right >= 0 else right - chance.randrange(_OFFERED)
    return [_choice(str(n), str(n), str(n)) for n in range(least, least + _OFFERED)]


def _choice(answer: str, english: str, chinese: str) -> dict[str, Any]:
    return {"answer": answer, "words": {"en": english, "zh": chinese}}
