"""What an assignment asks: the questions of its parts, kept as they are handed out and asked from that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from django.db.models import Q

import rules
from rules import Ruleset, Text
from tutor.classes.models import SET, Assignment, Classroom, Kept, Part, Question, Work, by_house_rules
from tutor.content.shelf import Shelf
from tutor.practice import runs
from tutor.puzzles.kinds import KINDS
from tutor.puzzles.puzzle import NoPuzzleError, Puzzle, puzzle, stored

MOST_QUESTIONS = 50  # of a set
MOST_TOPICS = 20


def made(part: Part, game: Ruleset, seed: int, stock: Shelf) -> list[Puzzle]:
    """The questions of a set, none twice; fewer than it asks for where there are no more.

    Its kinds and its rules come in turn; a rule is asked in such of the kinds as drill it.
    """
    kinds = [kind for kind in part.data.get("kinds", ()) if kind in KINDS] or list(KINDS)
    topics = part.data.get("topics") or [""]
    found: list[Puzzle] = []
    forms: set[str] = set()
    for number in range(part.size):
        topic = topics[number % len(topics)]
        able = [kind for kind in kinds if not topic or kind in runs.kinds_about(game, topic, stock)] or kinds
        turn, at = divmod(number // len(topics), len(able))
        Random(f"{seed} {topic} {turn}").shuffle(able)  # noqa: S311 - questions, no secrets
        one = _fresh(game, able[at:] + able[:at], part.data["level"], f"{seed} {number}", topic, stock, forms)
        if one is not None:
            found.append(one)
            forms.add(one.form)
    return found


def _fresh(
    game: Ruleset, kinds: Sequence[str], level: int, seed: str, topic: str, stock: Shelf, known: set[str]
) -> Puzzle | None:
    """A question that is none of the known ones."""
    chance = Random(seed)  # noqa: S311 - questions, no secrets
    for key in runs.keys(game, kinds, level, chance, stock, topic):
        try:
            one = puzzle(key, stock)
        except NoPuzzleError:
            continue
        if one.form not in known:
            return one
    return None


def kept(puzzle: Puzzle) -> dict[str, object]:
    """A puzzle as the fields that keep it, whatever becomes of its id."""
    usual = rules.rulesets()[puzzle.game.key]
    prompt = puzzle.level.prompt
    node = dict(puzzle.node)
    if prompt and prompt != puzzle.kind.asks(node, usual):
        node["prompt"] = {"en": prompt.en, "zh": prompt.zh}
    return {
        "puzzle": puzzle.id,
        "game": puzzle.game.key,
        "kind": puzzle.kind.key,
        "topic": puzzle.topic,
        "level": puzzle.number,
        "node": node,
        "form": puzzle.form,
    }


def hand_out(part: Part, classroom: Classroom, seed: int, stock: Shelf, work: Work | None = None) -> int:
    """Makes and keeps the questions of a set, for all or for one work. Returns how many there are."""
    return keep(part, made(part, classroom.played(part.game), seed, stock), work)


def keep(part: Part, puzzles: Sequence[Puzzle], work: Work | None = None) -> int:
    """Keeps made questions as those of a part, for all or for one work. Returns how many there are."""
    Question.objects.bulk_create(
        Question(part=part, work=work, number=number, **kept(one))
        for number, one in enumerate(puzzles, start=1)
    )
    return len(puzzles)


def is_own_for_each(part: Part) -> bool:
    """Whether each student gets other questions than the next."""
    return part.kind == SET and not part.data.get("same")


def has_same(parts: Iterable[Part]) -> bool:
    """Whether some questions of these parts are the same for all, and in each try."""
    return any(part.size and not is_own_for_each(part) for part in parts)


def questions_of(assignment: Assignment, work: Work | None) -> list[Question]:
    """All that an assignment asks in one work, in order; without a work what it asks everybody. One query."""
    for_whom = Q(work=None) | Q(work=work) if work else Q(work=None)
    rows = Question.objects.filter(for_whom, part__assignment=assignment)
    return list(rows.order_by("part__place", "part", "number"))


def asked_by(kept: Kept, classroom: Classroom) -> Puzzle:
    """A kept question as the class plays now. Raises NoPuzzleError where it can't be asked any more.

    Its id is one of its own: by that of the puzzle it was made from anybody would be shown the solution. A
    teacher's own has no title beside what it asks.
    """
    key = f"{kept.game}/{kept._meta.model_name}/{kept.pk}"
    if kept.game not in rules.rulesets():
        raise NoPuzzleError(key)
    game = by_house_rules(classroom.played(kept.game), kept.options)
    title = Text(kept.title, kept.title) if kept.puzzle and kept.title else None
    return stored(
        key,
        kept.kind,
        game,
        number=kept.level,
        topic=kept.topic,
        node=kept.node,
        form=kept.form,
        title=title,
    )
