"""Wrong answers to the lessons' questions, for the tests that give them."""

from __future__ import annotations

from collections.abc import Iterator

from tutor.content.levels import BIRDS, NONE, NUMBERS, Answer, Level


def likely_answers(level: Level) -> Iterator[Answer]:
    """Answers that are mostly wrong, those of the authors' mistakes first."""
    for mistake in level.mistakes:
        yield mistake.holds if mistake.holds else level.rights[0] - mistake.misses
    values = [offer.value for offer in level.offers]
    if level.widget == NUMBERS:
        values = [value for right in level.rights for value in right]
        for right in level.rights:
            yield frozenset(_other_number(value) for value in right)
            yield frozenset({_other_number(v) if n == 0 else v for n, v in enumerate(sorted(right))})
    if level.widget == BIRDS:
        for right in level.rights:
            yield frozenset(f"{v.split(':')[0]}:{(int(v.split(':')[1]) + 1) % 4}" for v in right)
            yield frozenset(f"{v.split(':')[0]}:{(int(v.split(':')[1]) + 2) % 4}" for v in right)
        return
    for value in values:
        if level.kind == "which-game":  # in none, or in some
            yield frozenset({value}) if value == NONE else (level.rights[0] - {NONE}) ^ {value}
        elif level.many:
            yield level.rights[0] ^ {value}
        else:
            yield frozenset({value})


def _other_number(value: str) -> str:
    head, colon, number = value.rpartition(":")
    return f"{head}{colon}{int(number) + 1}"
