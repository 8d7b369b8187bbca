"""A puzzle as a question of somebody else's quiz: what stands in it, how it is answered, and why.

The formats differ in what they can ask. This says of each puzzle what it needs; each format then takes the
fittest of its own kinds of question. What is right comes from the puzzle's level alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import get_language, gettext, pgettext

from rules import Ruleset, Text, notation
from rules.circumstances import SEATS, SEATS_NAMED
from rules.hands import Hand
from rules.tiles import Tile
from rules.tiles import tile as tile_of
from rules.verdict import Verdict
from tutor.checker.entry import every_tile
from tutor.checker.pen import hand_label
from tutor.checker.templatetags.tiles import signed, words
from tutor.content import prose
from tutor.content.levels import (
    BIRDS,
    CHOICES,
    CLAIMS,
    GROUP,
    HANDS,
    KEYS,
    LOOK_AGAIN,
    NUMBERS,
    ROW,
    SWAP,
    WALL,
    Answer,
    Level,
    Offer,
)
from tutor.content.walls import dice_label, place_name
from tutor.lessons import words as lesson_words
from tutor.lessons.templatetags.lessons import plain_of
from tutor.practice.templatetags.practice import table_rules
from tutor.puzzles.puzzle import Puzzle

_HOW_TO_SWAP = Text(
    "Write the tile you give up, the sign > and the tile you take, as in 1m>2m. The letter m stands for 万, "
    "p for 筒 (饼), s for 条; E, S, W and N are the winds, C is 中, F is 发, P is 白.",
    "这样写：换出去的牌、大于号、换进来的牌，例如1m>2m。m是万，p是筒（饼），s是条；E、S、W、N是东、南、西、北风，"
    "C是中，F是发，P是白。",
)
_EVERY = Text(
    "Choose every right one. Where nothing is right, choose “None of these”.",
    "对的全部选出来；都不对就选“一个都没有”。",
)
_WHO = Text("Choose who gets it, and how.", "选出归谁、怎么要。")
_NONE = Text("None of these", "一个都没有")
_NOBODY = Text("Nobody gets it", "谁都不要")
_SOMETHING = Text("Something here is right.", "其实有对的。")
_IN_WORDS = Text("Answer in words.", "请用文字作答。")
_BIRD = Text("Bird {}: {}", "第{}个鸟：{}")
# Kinds of level whose engine says of a right item, too, what comes of it.
_TOLD_EITHER_WAY = ("can-win", "clause", "complete", "discard", "exchange", "waits", "which-game")
_WITHOUT_SITUATION = ("discard", "group", "pair")  # where the site's pages tell none either
MOST_RIGHTS = 20
# The shares of a question's points that Moodle takes, in percent.
SHARES = (
    *("100", "90", "83.33333", "80", "75", "70", "66.66667", "60", "50", "40", "33.33333", "30", "25", "20"),
    *("16.66667", "14.28571", "12.5", "11.11111", "10", "5"),
)


class Tiles(NamedTuple):
    """Tiles that a question shows. said: whose or what they are, "" where that is plain. label: read aloud.
    text: as the checker reads them."""

    said: str
    hand: Hand
    label: str
    text: str


class Choice(NamedTuple):
    """Something to choose. why: what to say to whoever chose it."""

    words: str
    is_right: bool
    why: str
    tiles: Tiles | None = None


class Choices(NamedTuple):
    """Answered by choosing. many: every right one is to be chosen; else one, and any right one will do."""

    choices: list[Choice]
    many: bool

    @property
    def shares(self) -> list[str]:
        """The percents of each choice. Of many, each wrong one takes away what a right one gives, or more, so
        that whoever chooses everything gets nothing."""
        if not self.many:
            return ["100" if choice.is_right else "0" for choice in self.choices]
        rights = sum(choice.is_right for choice in self.choices)
        given = _parts_of(rights)
        taken = max(float(given[0]), 100 / (len(self.choices) - rights or 1))
        least = next(share for share in reversed(SHARES) if float(share) >= taken - 0.001)
        each = iter(given)
        return [next(each) if choice.is_right else f"-{least}" for choice in self.choices]


class Number(NamedTuple):
    """Answered with a whole number. unit: of what."""

    value: int
    unit: str


class Written(NamedTuple):
    """Answered with a short text, any of these."""

    answers: list[str]


class Blank(NamedTuple):
    """A place to fill in. others: what else could be filled in, and is wrong."""

    label: str
    right: str
    others: tuple[str, ...] = ()


class Blanks(NamedTuple):
    """Answered by filling in several places. are_numbers: with whole numbers."""

    blanks: list[Blank]
    are_numbers: bool


class Open(NamedTuple):
    """Answered in free words, which somebody must read: no format can judge it."""


Form = Choices | Number | Written | Blanks | Open


class Question(NamedTuple):
    """A puzzle as a question. parts: what stands in it, in order. reasons: the answer and why."""

    title: str
    parts: list[str | Tiles]
    form: Form
    reasons: list[str]


def question(puzzle: Puzzle, number: int) -> Question:
    """A puzzle as the question of this number, in the language that is active."""
    level = puzzle.level
    form = _form(level)
    name = " ".join(words(puzzle.title or puzzle.kind.name).split())
    return Question(
        f"{number:02} {words(puzzle.game.name)} · {name}",
        [*_parts(puzzle), *_how(level, form)],
        form,
        list(dict.fromkeys(_reasons(puzzle))),
    )


def _parts_of(count: int) -> list[str]:
    """A hundred percent in so many parts that Moodle takes."""
    even = next((share for share in SHARES if abs(float(share) * count - 100) < 0.001), None)
    return [even] * count if even else ["10"] * (20 - count) + ["5"] * (2 * count - 20)


# What stands in a question


def _parts(puzzle: Puzzle) -> Iterator[str | Tiles]:
    level, game = puzzle.level, puzzle.game
    yield plain_of(level.prompt, game)
    for span in prose.marks(words(level.prompt)):
        if span.kind == prose.TILES:
            yield _tiles(notation.parse_unfinished(span.target, every_tile(game.tiles)), game)
    if puzzle.options:
        yield _term(gettext("At this table"), table_rules(game))
    yield from _shown(level)
    if puzzle.context.get("birds") == "0":
        yield gettext("No bird counts.")


def _shown(level: Level) -> Iterator[str | Tiles]:
    """What a question is about: hands, tiles, walls, and how it came about."""
    shown, game = level.shown, level.game
    if level.kind == "payments":
        yield from _scenario(level)
    elif level.widget == CLAIMS:
        yield from _claimed(level)
    elif level.widget == WALL:
        figure = shown.plain.asking(shown.find)
        yield from (_term(words(throw.name), words(dice_label(throw.dice))) for throw in figure.throws)
        yield from ([words(dice_label(shown.dice))] if shown.dice else [])
        yield from map(words, (figure.summary, *figure.stock))
    elif hasattr(shown, "hand"):
        yield _tiles(shown.hand, game)
    if isinstance(shown, Verdict) and level.kind not in _WITHOUT_SITUATION:
        how = lesson_words.situation(shown)
        yield from ([words(how)] if how else [])


def _scenario(level: Level) -> Iterator[str | Tiles]:
    game, scenario = level.game, level.shown.scenario
    for win in scenario.wins:
        if win.verdict:
            yield _tiles(win.verdict.hand, game)
        yield words(lesson_words.win(win, game))
    if scenario.birds:
        yield _row(scenario.birds, game, _before(pgettext("the tiles drawn", "Birds")))
    for gang in scenario.gangs:
        yield _tiles(Hand.of((), [gang.meld]), game, _before(words(SEATS[gang.seat])))
        yield from filter(None, [words(lesson_words.gang(gang))])
    for seat, openings in scenario.openings:
        listed = pgettext("between the parts of a total", ", ").join(words(o.name) for o in openings)
        yield _term(words(SEATS[seat]), listed)


def _claimed(level: Level) -> Iterator[str | Tiles]:
    shown, game = level.shown, level.game
    who = {"who": words(SEATS_NAMED[shown.giver])}
    if shown.gang:
        said = (
            gettext("Added to a gang by %(who)s:")
            if shown.is_dealt
            else gettext("Drawn and added to a gang by %(who)s:")
        )
    elif shown.is_opened:
        said = gettext("Turned over by %(who)s after a gang:")
    else:
        said = gettext("Discarded by %(who)s:")
    yield _row(shown.tiles, game, said % who)
    if shown.gang:
        yield _tiles(Hand.of((), [shown.gang]), game, "→")
    for seat, hand in sorted(shown.hands.items()):
        yield _tiles(hand, game, _before(f"{words(SEATS[seat])}{words(lesson_words.beside(shown, seat))}"))


def _how(level: Level, form: Form) -> Iterator[str]:
    """How to answer, where the form does not say it."""
    if isinstance(form, Open):
        yield words(_IN_WORDS)
    elif level.widget == SWAP:
        yield words(_HOW_TO_SWAP)
    elif level.kind == "which-game":
        yield gettext("It may win in several.")
    elif level.widget == CLAIMS:
        yield words(_WHO)
    elif isinstance(form, Choices) and form.many:
        yield words(_EVERY)
    elif isinstance(form, Blanks) and form.are_numbers:
        yield gettext("Points for each player, with a minus for a loss")


def _tiles(hand: Hand, game: Ruleset, said: str = "") -> Tiles:
    label = words(hand_label(hand, every_tile(game.tiles)))
    return Tiles(said, hand, label, notation.write(hand))


def _row(tiles: tuple[Tile, ...], game: Ruleset, said: str) -> Tiles:
    return _tiles(Hand.of(tiles), game, said)


def _term(name: str, meaning: str) -> str:
    return f"{_before(name)}{meaning}"


def _before(name: str) -> str:
    return name + pgettext("between a term and its meaning", ": ")


# How a question is answered


def _form(level: Level) -> Form:
    right = level.rights[0]
    if level.widget in (CHOICES, ROW, KEYS, HANDS, CLAIMS, WALL):
        return _choices(level)
    if level.widget == SWAP:
        swaps = [item.split(">") for answer in level.rights for item in sorted(answer)]
        return Written([f"{out}{between}{into}" for out, into in swaps for between in (">", " > ")])
    if level.kind == "score":
        return Number(int(next(iter(right))), words(level.game.measure.name))
    if level.kind == "payments":
        points = [int(item.partition(":")[2]) for item in sorted(right)]
        return Blanks([_points_of(seat, points) for seat in range(4)], are_numbers=True)
    if level.widget == BIRDS:
        return _birds(level)
    return Open()


def _points_of(seat: int, points: list[int]) -> Blank:
    """A seat's points to fill in. What else could be: another's points, the same turned round, or none."""
    near = {0, *points, *(-number for number in points)}
    others = tuple(signed(number) for number in sorted(near - {points[seat]}))
    return Blank(words(SEATS[seat]), signed(points[seat]), others)


def _birds(level: Level) -> Form:
    """Birds and the seats where they fall: with one bird a choice, with several each to be filled in."""
    seats = [words(seat) for seat in SEATS]
    fallen = dict(item.split(":") for item in sorted(level.rights[0]))
    tiles = {offer.value.split(":")[0]: offer.tile for offer in level.offers}
    if len(tiles) == 1:
        return _choices(level)
    blanks = []
    for number, tile in tiles.items():
        right = seats[int(fallen[number])]
        label = words(_BIRD).format(int(number) + 1, _tile_words(tile, level.game) if tile else "")
        blanks.append(Blank(label, right, tuple(seat for seat in seats if seat != right)))
    return Blanks(blanks, are_numbers=False)


def _choices(level: Level) -> Form:
    rights = {item for answer in level.rights for item in answer}
    if level.many and len(level.rights) != 1:
        return Open()
    many = level.many and level.widget != BIRDS
    offers = {
        offer.value.split(".")[0] if level.widget == ROW else offer.value: offer for offer in _offered(level)
    }
    choices = [
        Choice(
            _choice_words(level, value, offer),
            value in rights,
            _why(level, value, is_right=value in rights),
            _tiles(offer.verdict.hand, level.game) if offer.verdict else None,
        )
        for value, offer in offers.items()
    ]
    if many and not level.alone:
        says_nothing = _NOBODY if level.widget == CLAIMS else _NONE
        why = _judged(not rights, words(_SOMETHING) if rights else _because(level))
        choices.append(Choice(words(says_nothing), not rights, why))
    known = sum(choice.is_right for choice in choices)
    if known == len(choices) or known > MOST_RIGHTS or not rights <= set(offers):
        return Open()
    return Choices(choices, many)


def _offered(level: Level) -> list[Offer]:
    """What can be chosen; of the stacks of the walls, those that one comes to who counts wrongly."""
    if level.widget != WALL:
        return list(level.offers)
    seat, number = map(int, next(iter(level.rights[0])).split(":"))
    near = {(seat, number + step) for step in (-1, 0, 1)} | {(other, number) for other in range(4)}
    return [offer for offer in level.offers if tuple(map(int, offer.value.split(":"))) in near]


def _choice_words(level: Level, value: str, offer: Offer, *, with_codes: bool = True) -> str:
    if level.widget == WALL:
        return words(place_name(value))
    if level.widget == CLAIMS:
        return _term(words(SEATS[int(value.partition(":")[0])]), words(offer.words))
    if level.widget == BIRDS:
        return words(SEATS[int(value.partition(":")[2])])
    if offer.tile:
        return _tile_words(offer.tile, level.game, with_codes=with_codes)
    if offer.verdict:
        return value if with_codes else words(hand_label(offer.verdict.hand, every_tile(level.game.tiles)))
    return plain_of(offer.words, level.game)


def _tile_words(tile: Tile, game: Ruleset, *, with_codes: bool = True) -> str:
    name = words(every_tile(game.tiles).label(tile))
    return f"{name} ({tile.code})" if with_codes else name


def _why(level: Level, value: str, *, is_right: bool) -> str:
    """What is said to whoever chose this."""
    if is_right and level.kind == "openings":
        return _judged(is_right, words(next(o.meaning for o in level.game.openings if o.key == value)))
    said = level.reason(value) if not is_right or level.kind in _TOLD_EITHER_WAY else None
    return _judged(is_right, words(said) or _because(level) or ("" if is_right else words(LOOK_AGAIN)))


def _because(level: Level) -> str:
    return _joined([words(reason.message) for reason in level.because])


def _judged(is_right: bool, why: str) -> str:
    verdict = pgettext("an answer", "Right.") if is_right else pgettext("an answer", "Not right.")
    return _joined([verdict, why])


def _joined(sentences: list[str]) -> str:
    """Sentences in a row: English ones with a space between them."""
    between = "" if (get_language() or "en").startswith("zh") else " "
    return between.join(filter(None, sentences))


# Why


def _reasons(puzzle: Puzzle) -> Iterator[str]:
    """The answer, and what it rests on."""
    level = puzzle.level
    answers = " / ".join(_said(level, right) for right in level.rights)
    yield _term(pgettext("the right one", "Answer"), answers)
    if puzzle.note:
        yield plain_of(puzzle.note, puzzle.game)
    yield from (words(reason.message) for reason in level.because)
    yield from _found(level)


def _said(level: Level, right: Answer) -> str:
    """A right answer in words."""
    if not right:
        return words(_NOBODY if level.widget == CLAIMS else _NONE)
    offers = {offer.value: offer for offer in level.offers}
    return pgettext("between the parts of a total", ", ").join(
        item_words(level, value, offers.get(value)) for value in sorted(right)
    )


def item_words(level: Level, value: str, offer: Offer | None, *, with_codes: bool = True) -> str:
    """An item of an answer in words. offer: what it was chosen from, if anything. with_codes: so that tiles
    can be typed from it. Raises HandError, LookupError or ValueError where a question has no such item."""
    game, (head, _, tail) = level.game, value.partition(":")
    if level.kind == "score":
        return words(game.measure.total(int(value)))
    if level.widget == SWAP:
        out, into = (_tile_words(tile_of(code), game, with_codes=with_codes) for code in value.split(">"))
        return f"{out} → {into}"
    if level.widget == NUMBERS:
        return f"{words(SEATS[int(head)])} {signed(int(tail))}"
    if level.widget == GROUP:
        text, tiles = value.split(".")[0], every_tile(game.tiles)
        return text if with_codes else words(tiles.names(notation.parse_unfinished(text, tiles).loose))
    if level.widget == BIRDS and offer and offer.tile:
        return _term(_tile_words(offer.tile, game, with_codes=with_codes), words(SEATS[int(tail)]))
    return _choice_words(level, value, offer, with_codes=with_codes) if offer else value.split(".")[0]


def _found(level: Level) -> Iterator[str]:
    """What the engine says of what a question is about."""
    shown, game = level.shown, level.game
    if level.kind == "payments":
        for line in shown.lines:
            pays = f"{words(SEATS[line.payer])} → {words(SEATS[line.receiver])}"
            yield _term(f"{pays} {line.points}", words(line.message))
        yield from (words(note.message) for note in shown.bird_notes)
    elif level.kind == "openings":
        yield from (_term(words(o.name), words(o.meaning)) for o, _ in shown.openings)
    elif level.kind == "which-game":
        for key, said in shown.found.items():
            offer = next(offer for offer in level.offers if offer.value == key)
            yield _term(words(offer.words), words(said.summary if isinstance(said, Verdict) else said))
    elif isinstance(shown, Verdict):
        yield from _judgement(level, shown, game)


def _judgement(level: Level, verdict: Verdict, game: Ruleset) -> Iterator[str]:
    if level.kind in ("can-win", "clause", "exchange", "score"):
        yield words(verdict.summary)
        failing = (finding for finding in verdict.findings if finding.status == "fail")
        yield from (words(finding.message) for finding in failing)
        for key, worth in verdict.patterns.items():
            pattern = game.pattern(key)
            yield _term(f"{words(pattern.name)} ({worth})", words(pattern.meaning))
    told = sorted(item for right in level.rights for item in right) if level.kind != "clause" else []
    if level.kind in ("complete", "discard", "exchange", "waits"):
        yield from (words(said) for item in told if (said := level.reason(item)))
    for wait in verdict.blocked_waits if level.kind == "waits" else ():
        yield _term(words(game.tiles.name(wait.tile)), _joined([words(w) for w in verdict.why_blocked(wait)]))
