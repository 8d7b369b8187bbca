"""Content files as their author wrote them: a tree of texts, each of which knows its file and line.

The files are YAML of which every scalar is read as text, so that `no`, `08` or `123m` mean what they say. The
same tree is made of what the database keeps, without lines, as it was checked before it was stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from rules.text import Text

LANGUAGES = ("en", "zh")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f]")  # signs that are no text; tab and line end are
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the quicker one, where PyYAML was built with it


class Fault(ValueError):
    """Something wrong in a content file: where, and what, in English for the author."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}" if where else message)


class RefutedError(Fault):
    """A claim that the engine contradicts."""


class Node:
    """A text, a list or a mapping of a content file. value: `str`, `list[Node]` or `dict[str, Node]`."""

    __slots__ = ("_asked", "value", "where")

    def __init__(self, value: str | list[Node] | dict[str, Node], where: str = "") -> None:
        self.value = value
        self.where = where
        self._asked: set[str] = set()

    @classmethod
    def of(cls, plain: Any) -> Node:
        """The tree of plain data, such as `plain` gives."""
        if isinstance(plain, dict):
            return cls({str(key): cls.of(item) for key, item in plain.items()})
        if isinstance(plain, list | tuple):
            return cls([cls.of(item) for item in plain])
        return cls(str(plain))

    @property
    def plain(self) -> Any:
        """The same as texts, lists and dicts, fit for JSON."""
        if isinstance(self.value, dict):
            return {key: item.plain for key, item in self.value.items()}
        if isinstance(self.value, list):
            return [item.plain for item in self.value]
        return self.value

    def fault(self, message: str) -> Fault:
        """A fault at this place."""
        return Fault(self.where, message)

    def refuted(self, message: str) -> RefutedError:
        """That the engine contradicts what is claimed at this place."""
        return RefutedError(self.where, message)

    # Reading, with a fault where something else is found

    @property
    def text(self) -> str:
        """The text itself."""
        if not isinstance(self.value, str):
            raise self.fault("a text is expected here")
        if _CONTROL.search(self.value):
            raise self.fault("there is a control character here")
        return self.value.strip()

    @property
    def number(self) -> int:
        """A whole number."""
        try:
            return int(self.text)
        except ValueError:
            raise self.fault(f"a number is expected here, not {self.text!r}") from None

    @property
    def flag(self) -> bool:
        """yes or no."""
        if self.text not in ("yes", "no"):
            raise self.fault(f"yes or no is expected here, not {self.text!r}")
        return self.text == "yes"

    @property
    def items(self) -> list[Node]:
        """The items of a list; a text stands for a list of its words."""
        if isinstance(self.value, str):
            return [Node(word, self.where) for word in self.value.replace(",", " ").split()]
        if isinstance(self.value, dict):
            raise self.fault("a list is expected here")
        return self.value

    @property
    def texts(self) -> list[str]:
        """A list of texts."""
        return [item.text for item in self.items]

    @property
    def mapping(self) -> dict[str, Node]:
        """A mapping."""
        if not isinstance(self.value, dict):
            raise self.fault("a mapping (key: value) is expected here")
        return self.value

    @property
    def both(self) -> Text:
        """A text in both languages: a mapping of `en` and `zh`."""
        for language in LANGUAGES:
            if language not in self.mapping or not self.mapping[language].text:
                raise self.fault(f"the {'English' if language == 'en' else 'Chinese'} text is missing")
        self._only(LANGUAGES)
        return Text(*(self.mapping[language].text for language in LANGUAGES))

    def get(self, key: str) -> Node | None:
        """What stands under a key, None where there is no such key."""
        self._asked.add(key)
        return self.mapping.get(key)

    def __getitem__(self, key: str) -> Node:
        found = self.get(key)
        if found is None:
            raise self.fault(f"{key!r} is missing")
        return found

    def __contains__(self, key: str) -> bool:
        return key in self.mapping

    def list_of(self, key: str) -> list[Node]:
        """The items of a list under a key; [] where there is no such key."""
        found = self.get(key)
        return found.items if found else []

    def done(self) -> None:
        """Says that everything has been read; a key that nobody asked for is a fault."""
        self._only(self._asked)

    def _only(self, known: Any) -> None:
        for key, item in self.mapping.items():
            if key not in known:
                raise Fault(item.where, f"{key!r} is not known here")


def read(path: Path, name: str) -> Node:
    """The tree of a YAML file. name: how its places are called. Raises Fault."""
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=_LOADER)
    except OSError as error:
        raise Fault(name, f"the file can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Fault(name, "the file is not in UTF-8") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise Fault(f"{name}:{line}", f"the YAML can't be read: {error.problem}") from None
    except yaml.YAMLError as error:
        raise Fault(name, f"the YAML can't be read: {' '.join(str(error).split())}") from None
    return _node(root, name, set()) if root else Node({}, name)


def _node(node: yaml.Node, name: str, seen: set[int]) -> Node:
    where = f"{name}:{node.start_mark.line + 1}"
    if id(node) in seen:
        raise Fault(where, "an alias (*name) repeats this, and aliases are not read here: write it out")
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        return Node(str(node.value), where)
    if isinstance(node, yaml.SequenceNode):
        return Node([_node(item, name, seen) for item in node.value], where)
    return Node(dict(_pairs(node, name, seen)), where)


def _pairs(node: yaml.Node, name: str, known: set[int]) -> Iterator[tuple[str, Node]]:
    seen = set()
    for key, value in node.value:
        at = f"{name}:{key.start_mark.line + 1}"
        if not isinstance(key, yaml.ScalarNode):
            raise Fault(at, "a key must be a word; a hand that begins with a bracket needs quotes")
        if key.value in seen:
            raise Fault(at, f"{key.value!r} is given twice")
        seen.add(key.value)
        item = _node(value, name, known)
        item.where = at if isinstance(value, yaml.ScalarNode) else item.where
        yield str(key.value), item
