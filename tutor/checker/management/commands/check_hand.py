"""`manage.py check_hand`: the checker in a terminal, and for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

from django.core.management.base import CommandError, CommandParser

import rules
from rules import HandError, notation
from rules.circumstances import SEATS
from rules.verdict import Verdict
from tutor import answers
from tutor.terminal import AnsweringCommand

MARKS = {"pass": "✓", "fail": "✕", "waived": "◇", "open": "·"}


class Command(AnsweringCommand):
    help = "Says, clause by clause, whether a hand may win and why."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ruleset", help=" or ".join(rules.rulesets()))
        parser.add_argument("hand", nargs="?", help='such as "123m 45556p 78s SSS +9s"')
        ways = dict.fromkeys(way.key for game in rules.rulesets().values() for way in game.ways)
        moments = [p.key for game in rules.rulesets().values() for p in game.patterns if p.is_moment]
        parser.add_argument("--by", action="append", help=f"how the winning tile came: {', '.join(ways)}")
        parser.add_argument(
            "--seat", action="append", help="the winner: 0 the dealer, 1 next, 2 opposite, 3 before"
        )
        parser.add_argument("--from", action="append", help="the seat that discarded or was robbed")
        parser.add_argument("--listening", action="store_const", const="1", help="听 was declared")
        parser.add_argument("--bao", action="append", help="the bao tile")
        parser.add_argument("--moments", action="append", help=f"the situation: {', '.join(moments)}")
        parser.add_argument(
            "--birds", action="append", help="bird tiles, with commas between them; 0 for none"
        )
        parser.add_argument("--file", help="judge each line of this file instead")
        self.add_answer_arguments(parser)

    def answer(self, options: dict[str, Any]) -> Iterator[str]:
        if (options["hand"] is None) == (options["file"] is None):
            raise CommandError("Give one hand, or a --file with one hand a line.")
        if options["file"] is None:
            try:
                yield from self._verdict(options["hand"], options)
            except HandError as error:
                if not options["json"]:
                    yield from _place(options["hand"], error)
                raise
            return
        for text in _lines(options["file"]):
            try:
                yield from self._verdict(text, options)
            except HandError as error:
                if options["json"]:
                    yield self.as_json(answers.error_as_json(error))
                else:
                    yield from _place(text, error)
                    yield f"{error.code}: {error.message.in_language(options['language'])}"

    def _verdict(self, text: str, options: dict[str, Any]) -> Iterator[str]:
        given = {key: _once(key, options[key]) for key in answers.GIVEN if options[key] is not None}
        verdict = answers.judge(options["ruleset"], text, given, options["option"])
        if options["json"]:
            yield self.as_json(answers.as_json(verdict))
        else:
            yield from _readable(verdict, options["language"])


def _once(key: str, given: str | list[str]) -> str:
    if isinstance(given, list) and len(given) > 1:
        raise answers.bad_request(f"“{key}” is given more than once.", f"参数“{key}”写了不止一次。")
    return given[0] if isinstance(given, list) else given


def _lines(path: str) -> list[str]:
    try:
        text = Path(path).read_bytes().decode(errors="replace")
    except OSError as error:
        raise CommandError(f"{path} can't be read: {error.strerror}.") from error
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _place(text: str, error: HandError) -> Iterator[str]:
    """Where there is a place, the text with a mark under it."""
    if error.at is not None:
        # What can't be seen gets a dot, so that the mark stands in its place.
        yield "".join(c if c.isprintable() else "·" for c in text)
        yield " " * sum(2 if east_asian_width(c) in "WF" else 1 for c in text[: error.at]) + "^"


def _readable(verdict: Verdict, language: str) -> Iterator[str]:
    game = verdict.ruleset
    yield f"{game.name.in_language(language)}  {notation.write(verdict.hand)}"
    yield verdict.summary.in_language(language)
    yield ""
    for finding in verdict.findings:
        name = finding.rule.name.in_language(language)
        cites = f"  [{' '.join(finding.cites)}]"
        yield f"  {MARKS[finding.status]} {name}: {finding.message.in_language(language)}{cites}"
    if verdict.stands_for:
        stand_in = game.tiles.name(verdict.stands_for)
        yield "  " + (
            f"宝牌当{stand_in.zh}用。" if language != "en" else f"The bao stands for {stand_in.en}."
        )
    if verdict.wins:
        yield ""
        for key, worth in verdict.patterns.items():
            pattern = game.pattern(key)
            name, meaning = pattern.name.in_language(language), pattern.meaning.in_language(language)
            yield f"  {worth:>2}  {name}: {meaning}"
        yield f"  {verdict.total:>2}  = {game.measure.total(verdict.total or 0).in_language(language)}"
    for judged in verdict.readings:
        pair = judged.reading.pair
        sets = [notation.write_set(s) for s in judged.reading.sets]
        parts = sets + ([notation.write_tiles((pair, pair))] if pair else [])
        if parts:
            yield f"  {'=' if judged is verdict.chosen else '-'} {' '.join(parts)}"
    left = "{}（剩{}张）" if language != "en" else "{} ({} left)"
    for wait in [*verdict.waits, *verdict.blocked_waits]:
        rules_broken = [game.rule(key).name.in_language(language) for key in wait.fails]
        why = f"  ✕ {', '.join(rules_broken)}" if rules_broken else ""
        name = game.tiles.name(wait.tile).in_language(language)
        yield f"  {'→' if not wait.fails else '·'} {left.format(name, wait.left)}{why}"
    if verdict.lines:
        yield ""
        seats = [seat.in_language(language) for seat in SEATS]
        for line in verdict.lines:
            why = line.message.in_language(language)
            yield f"  {seats[line.payer]} → {seats[line.receiver]}  {line.points}  {why}"
    yield from (f"  {note.message.in_language(language)}" for note in verdict.bird_notes)
    yield from (f"  {words.in_language(language)}" for words in verdict.nearness)
    yield from (f"  ⇄ {fix.message.in_language(language)}" for fix in verdict.fixes)
    for option in verdict.changed_by:
        choice = option.choice(game.house[option])
        name, words = option.name.in_language(language), choice.words.in_language(language)
        yield f"  * {name} {words}"
