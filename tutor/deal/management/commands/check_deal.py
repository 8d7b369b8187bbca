"""`manage.py check_deal`: what a deal holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

import rules
from rules import notation
from rules.deal import Deal
from tutor import answers
from tutor.terminal import AnsweringCommand


class Command(AnsweringCommand):
    help = "Says which openings dealt tiles hold, and whether they are ready as dealt."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ruleset", help=" or ".join(rules.rulesets()))
        parser.add_argument("tiles", help='13 tiles, or the dealer\'s 14, such as "1199m 134p 6677s EE C"')
        self.add_answer_arguments(parser)

    def answer(self, options: dict[str, Any]) -> Iterator[str]:
        found = answers.look(options["ruleset"], options["tiles"], options["option"])
        if options["json"]:
            yield self.as_json(answers.deal_as_json(found))
        else:
            yield from _readable(found, options["language"])


def _readable(deal: Deal, language: str) -> Iterator[str]:
    game = deal.ruleset
    yield f"{game.name.in_language(language)}  {notation.write(deal.hand)}"
    for opening, ways in deal.openings:
        name, meaning = opening.name.in_language(language), opening.meaning.in_language(language)
        yield f"  {name}: {meaning}  [{' '.join(opening.cites)}]"
        for way in ways:
            yield f"    {notation.write_tiles(way.tiles)}  {way.message.in_language(language)}"
    if not deal.openings:
        yield "  起手没有可亮的牌。" if language != "en" else "  Nothing to show."
    if deal.waits:
        names = game.tiles.names(deal.waits).in_language(language)
        yield f"  起手听牌：{names}" if language != "en" else f"  Ready as dealt: {names}"
