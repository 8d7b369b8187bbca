"""What somebody answers to a level: read from a form or an address, judged, written into an address again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict

from rules import Text, notation
from rules.tiles import Tile
from rules.tiles import tile as tile_of
from tutor.content.build import Step
from tutor.content.levels import (
    BIRDS,
    CLAIMS,
    GROUP,
    NOTHING,
    NUMBERS,
    ROW,
    SWAP,
    Answer,
    Level,
    no_set,
    numbered,
)

MOST_ITEMS = 40  # more than any answer has
SOLUTION = "solution"
MOST_THROWS = 9_999
LONGEST_ITEM = 450  # than which no item of an answer is longer; a game's whole set of tiles is one
LONGEST_TILE = 8  # than which no tile of a group is longer, as it is numbered
_MINUS = str.maketrans("−–—", "---")
_OTHER = Text("This answer belongs to another question.", "这个答案不是这道题的。")


def level_of(level: Level, form: QueryDict) -> tuple[Level, int]:
    """The level that a form or an address speaks of, and the number of the throw, 0 for the lesson's dice."""
    throw = form.get("throw", "")
    if level.again is None or not re.fullmatch(r"[1-9][0-9]{0,3}", throw):
        return level, 0
    return level.again(int(throw)), int(throw)


class Try(NamedTuple):
    """An answer to a level, and what to say to it.

    is_right: None where nothing is judged yet. error: why it can't be judged. says: why it is wrong.
    is_shown: the solution is shown. groups: for grouping, what is grouped so far; chosen: the tiles that were
    to be the next group and are not.
    """

    answer: Answer = frozenset()
    is_right: bool | None = None
    error: Text | None = None
    says: tuple[Text, ...] = ()
    is_shown: bool = False
    groups: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()

    def query(self, step: Step, throw: int = 0) -> str:
        """The address's query that shows the same again. throw: of the dice, 0 for those of the lesson."""
        items = self.groups if step.level and step.level.widget == GROUP else sorted(self.answer)
        pairs = [("step", step.slug), *(("a", item) for item in items)]
        if throw:
            pairs.append(("throw", str(throw)))
        if step.level and step.level.widget == GROUP:
            refused = self.error or (self.is_right is False and self.chosen)
            pairs += [("t", code) for code in self.chosen] + ([("do", "answer")] if refused else [])
        elif self.is_right is not None or self.error:
            pairs.append(("said", "1"))
        return urlencode(pairs)


UNTRIED = Try()


def shown(level: Level) -> Try:
    """The solution itself."""
    right = level.rights[0]
    groups = tuple(sorted(item.split(".")[0] for item in right)) if level.widget == GROUP else ()
    return Try(right, is_shown=True, groups=groups)


def read(level: Level, form: QueryDict) -> Try:
    """The try in a form or an address. What can't be read is an error in words, with what was given kept."""
    if level.widget == GROUP:
        return _grouped(level, form)
    answer = frozenset(_items(level, form))
    if "said" not in form and not answer and form.get("do") != "answer":
        return UNTRIED
    error = _trouble(level, answer, form)
    if error:
        return Try(answer, error=error)
    return judged(level, answer)


def judged(level: Level, answer: Answer) -> Try:
    """A try with this answer."""
    if level.is_right(answer):
        return Try(answer, is_right=True)
    return Try(answer, is_right=False, says=level.why_wrong(answer))


def _items(level: Level, form: QueryDict) -> Iterable[str]:
    items = [item[:LONGEST_ITEM] for item in form.getlist("a")[:MOST_ITEMS]]
    if level.widget == NUMBERS and items:
        return [head + colon + number_of(text) for head, colon, text in (i.rpartition(":") for i in items)]
    if items and level.widget == ROW and level.many:
        # Which of two tiles alike was chosen does not matter.
        return numbered(item.split(".")[0] for item in items)
    if items:
        return items
    if level.widget == SWAP:
        out, into = form.get("out", ""), form.get("in", "")
        return [f"{out}>{into}"] if out or into else []
    if level.widget in (NUMBERS, BIRDS):
        count = len(level.rights[0])
        if level.kind == "score":
            number = number_of(form.get("n0", ""))
            return [number] if number else []
        given = [(n, number_of(form.get(f"n{n}", ""))) for n in range(count)]
        return [f"{n}:{value}" for n, value in given if value]
    return []


def number_of(text: str) -> str:
    """A number as it is usually written, whatever signs and digits it was typed with; else the text."""
    plain = unicodedata.normalize("NFKC", text.strip()[:LONGEST_ITEM]).translate(_MINUS)
    return str(int(plain)) if re.fullmatch(r"[+-]?[0-9]{1,5}", plain) else plain


def _trouble(level: Level, answer: Answer, form: QueryDict) -> Text | None:
    """Why an answer can't be judged, or None."""
    if level.widget == NUMBERS:
        for item in sorted(answer):
            number = item.rpartition(":")[2]
            if not re.fullmatch(r"-?[0-9]{1,5}", number):
                return Text(f"“{number[:20]}” is no number.", f"“{number[:20]}”不是数字。")
        asked = {item.rpartition(":")[0] for item in level.rights[0]}
        told = [item.rpartition(":")[0] for item in answer]
        if not asked.issuperset(told) or len(set(told)) < len(told):
            return _OTHER
    if level.widget in (NUMBERS, BIRDS) and len(answer) < len(level.rights[0]):
        return Text("Something is still empty.", "还有没填的。")
    if level.widget == SWAP and not (answer and all(all(item.partition(">")) for item in answer)):
        return Text("Choose a tile to give up and one to take.", "选一张换出去的，再选一张换进来的。")
    if level.widget == SWAP:
        codes = {code for item in answer for code in item.split(">")}
        if not codes <= {tile.code for tile in level.game.tiles.tiles}:
            return _OTHER
    if level.widget == SWAP and any(len(set(item.split(">"))) == 1 for item in answer):
        return Text("Take another tile than the one you give up.", "换进来的要和换出去的不一样。")
    known = {offer.value for offer in level.offers}
    if known and not answer <= known:
        return _OTHER
    if level.alone and level.alone in answer and len(answer) > 1:
        alone = next((offer.words for offer in level.offers if offer.value == level.alone), None) or NOTHING
        return Text(f"“{alone.en}” goes with nothing else.", f"选了“{alone.zh}”就不能再选别的。")
    if not answer and level.widget != CLAIMS and not level.takes_nothing and frozenset() not in level.rights:
        return Text("Choose something first.", "先选一个。")
    return None


# Grouping


def _grouped(level: Level, form: QueryDict) -> Try:
    """A hand grouped so far, with what was just pressed done to it."""
    hand = level.shown.hand
    groups = [item.split(".")[0] for item in form.getlist("a")[:MOST_ITEMS]]
    left = left_of(hand.loose, groups)
    if left is None or not all(_is_group(level, group) for group in groups):
        return Try(error=_OTHER)
    do = form.get("do", "")
    undone = re.fullmatch(r"undo:([0-9]{1,2})", do)
    if undone and int(undone[1]) < len(groups):
        del groups[int(undone[1])]
        return Try(groups=tuple(groups))
    said: tuple[Text, ...] = ()
    if do == "answer":
        picked = tuple(item[:LONGEST_TILE] for item in form.getlist("t")[:MOST_ITEMS])
        codes = [value.split(".")[0] for value in picked]
        if not set(codes) <= {tile.code for tile in level.game.tiles.tiles}:
            return Try(groups=tuple(groups), error=_OTHER)
        if not codes:
            return Try(
                groups=tuple(groups), error=Text("Choose the tiles of one set or the pair.", "先选出一组牌。")
            )
        more = left_of(left, codes)
        if more is None:
            return Try(groups=tuple(groups), error=Text("These tiles are not there.", "没有这几张牌。"))
        group = notation.write_tiles(sorted(map(tile_of, codes)))
        said = _mistaken(level, [*groups, group])
        trouble = no_set(level.game, group, is_alone=True)
        if trouble:
            return Try(groups=tuple(groups), is_right=False, says=(*said, trouble), chosen=picked)
        groups.append(group)
        left = more
    if not left and groups:
        return judged(level, frozenset(numbered(sorted(groups))))._replace(groups=tuple(groups))
    return Try(groups=tuple(groups), is_right=False if said else None, says=said)


def _mistaken(level: Level, groups: list[str]) -> tuple[Text, ...]:
    """What the author says to a common mistake that is among the groups made so far."""
    made = frozenset(numbered(sorted(groups)))
    return tuple(mistake.say for mistake in level.mistakes if mistake.holds and mistake.holds <= made)


def left_of(tiles: Iterable[Tile], groups: Iterable[str]) -> list[Tile] | None:
    """The tiles without those of the groups, None where they don't hold them."""
    left = list(tiles)
    for code in (code for group in groups for code in _codes(group)):
        tile = next((tile for tile in left if tile.code == code), None)
        if tile is None:
            return None
        left.remove(tile)
    return left


def _is_group(level: Level, group: str) -> bool:
    """Whether a text is a group as it is written: two tiles or more, in order."""
    codes = _codes(group)
    known = {tile.code for tile in level.game.tiles.tiles}
    if len(codes) < 2 or not known.issuperset(codes):
        return False
    return notation.write_tiles(sorted(map(tile_of, codes))) == group


def _codes(group: str) -> list[str]:
    """The codes of a group as it is written: 123m, EEE."""
    if group[-1:] in ("m", "p", "s"):
        return [f"{digit}{group[-1]}" for digit in group[:-1]]
    return list(group)
