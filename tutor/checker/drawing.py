"""What changes with every hand, drawn: the tiles that were entered, the keys, and what a game says of them.

It is drawn by functions because a phone asks for it at each tap and a template takes many times as long.
What rests on few choices is drawn by templates and kept. The tags of `checker` are how templates ask for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from django.template.loader import render_to_string

from rules import Ruleset
from rules.circumstances import SEATS
from rules.text import Text, listed
from rules.tiles import Tile, TileSet
from rules.verdict import FAIL, PASS, WAIVED, Draws, Finding, Judged, Verdict, Wait
from tutor import house
from tutor.checker.entry import Entry, Key, tile_set_of
from tutor.checker.pen import Pen, face, faces, signed
from tutor.checker.winning import circumstances_of

if TYPE_CHECKING:
    from tutor.checker.views import Answer, Blocked, Board, Mend

_PICTURED = 9  # tiles that bring a hand nearer; of more no picture is drawn
_OPEN_DRAWS, _OPEN_DISCARDS, _OPEN_FIXES = 12, 5, 5  # and more of them stand folded away


@dataclass(frozen=True)
class Page:
    """What the checker's page shows.

    games: as this table plays them. ruleset: what they are called in an address. given: how the hand was won.
    strays: options that no field can show. query: of the page's address. edited: keys have changed the hand.
    carried: the game that the links in its head carry along, "" for none.
    """

    games: Sequence[Ruleset]
    ruleset: str
    entry: Entry
    board: Board
    given: Mapping[str, str]
    strays: Sequence[str]
    answers: Sequence[Answer]
    query: str
    edited: bool
    carried: str


def live(to: Pen, page: Page, shows: Collection[str]) -> str:
    """What changes with the hand, for htmx: the answers, which it asked for, and the parts elsewhere.

    shows: the marks of the lasting parts that the browser has. What stays as it is there is not sent again.
    """
    entry, board, answers = page.entry, page.board, page.answers
    lasting = _lasting(to, page)
    parts = [
        entry_part(to, entry, board, answers),
        tools_part(to, entry),
        *[piece for part in lasting for piece in part.new_to(shows)],
        _language(to, page.query),
        _shows(lasting),
    ]
    if page.edited:
        parts.append(text_part(to, entry))
    said = f'<p id="announce" hx-swap-oob="innerHTML">{announcement(to, entry, board, answers)}</p>\n'
    return "\n".join([answers_part(to, page), *map(swapped, parts), said])


def swapped(part: str) -> str:
    """A part as htmx puts it in the place of the one before."""
    return part.replace(">", ' hx-swap-oob="true">', 1)


# What few presses change


class _Lasting(NamedTuple):
    """A part that few presses change.

    mark: how a browser says that it shows it; "" for what it is to get anyhow. within: pieces that change
    oftener, of which the mark says nothing.
    """

    part: str
    mark: str
    within: Sequence[_Lasting] = ()

    @classmethod
    def whole(cls, part: str) -> _Lasting:
        """A part that changes as a whole."""
        return cls(part, _mark(part))

    def new_to(self, shows: Collection[str]) -> list[str]:
        """What of it a browser is to get that shows what these marks stand for."""
        if self.mark not in shows:
            return [self.part]
        return [piece.part for piece in self.within if piece.mark not in shows]


def _mark(part: str) -> str:
    return f"{crc32(part.encode()):x}"


def _lasting(to: Pen, page: Page) -> list[_Lasting]:
    return [
        _hint(to, page.board.example),
        _modes(to, page.entry.mode, tuple(page.board.modes.items())),
        _keys(to, page.board.rows),
        _circumstances(to, tuple(page.games), tuple(page.given.items())),
        _table_rules(to, page),
        _pages(to, page.carried),
    ]


def shows_part(to: Pen, page: Page) -> str:
    """What tells the server, with the next question, which lasting parts are shown."""
    return _shows(_lasting(to, page))


def _shows(lasting: Iterable[_Lasting]) -> str:
    marks = [piece.mark for part in lasting for piece in (part, *part.within) if piece.mark]
    return f'<input type="hidden" name="shows" id="shows" value="{" ".join(marks)}">\n'


# The tiles that were entered


def entry_part(to: Pen, entry: Entry, board: Board, answers: Sequence[Answer]) -> str:
    """The rack with the hand, what the games say of it in brief, and how many tiles there are."""
    label = to.gettext("Tiles in the hand: press one to take it out")
    return f"""\
<div id="entry" class="entry">
  <input type="hidden" name="was" value="{escape(entry.past_as_text)}">
  <div class="rack" role="group" aria-label="{label}">
    {_rack(to, board)}
  </div>
  <div class="brief">
    {_brief(to, entry, board, answers)}
  </div>
  <p class="count">{_count(to, board)}</p>
</div>
"""


def _rack(to: Pen, board: Board) -> str:
    hand, tile_set = board.hand, board.tile_set
    if hand is None:
        unreadable = to.gettext("The text can't be read as tiles yet.")
        return f'<p class="empty">{unreadable}</p>'
    suits = [
        f'<span class="suit">{"".join([_held(to, tile_set, t, n) for n, t in enumerate(tiles, 1)])}</span>\n'
        for _, tiles in groupby(hand.concealed, key=lambda t: t.suit)
    ]
    if hand.winning:
        out = to.gettext("Take out the winning tile, %(tile)s", tile=to.label(tile_set, hand.winning))
        tag = to.pgettext("mark under the winning tile", "last tile")
        suits.append(
            '<span class="winning"><button type="submit" name="do" value="out:win" id="out-win" class="held"'
            f' aria-label="{out}">{face(hand.winning.code)}</button>'
            f'<span class="tag" aria-hidden="true">{tag}</span></span>'
        )
    rack = f'<div class="concealed">\n{"".join(suits)}\n</div>'
    if board.melds:
        melds = []
        for n, (meld, name) in enumerate(board.melds):
            out = to.gettext("Take out the %(meld)s", meld=to.words(name))
            melds.append(
                f'<button type="submit" name="do" value="out:meld{n}" id="out-meld-{n + 1}" class="held meld"'
                f' aria-label="{out}">{faces(meld)}</button>'
            )
        rack += f'\n<div class="melds">\n{"".join(melds)}\n</div>'
    if not hand.loose and not board.melds:
        how = to.gettext("Tap the tiles below: 13 to see what the hand waits for, one more to judge it.")
        rack += f'\n<p class="empty">{how}</p>'
    return rack


@lru_cache(maxsize=1024)
def _held(to: Pen, tile_set: TileSet, kind: Tile, place: int) -> str:
    out = to.gettext("Take out %(tile)s", tile=to.label(tile_set, kind))
    return (
        f'<button type="submit" name="do" value="out:{kind.code}" id="out-{kind.code}-{place}" class="held"'
        f' aria-label="{out}">{face(kind.code)}</button>'
    )


def _brief(to: Pen, entry: Entry, board: Board, answers: Sequence[Answer]) -> str:
    if entry.notice:
        return f'<p class="notice">{to.marked(entry.notice)}</p>'
    news = f'<p class="notice">{to.marked(entry.news)}</p>' if entry.news else ""
    said = []
    for answer in answers:
        words = _named(to, answer, answers) + sentence(to, answer, entry, board)
        if entry.text:
            words = f'<a href="#answer-{answer.game.key}">{words}</a>'
        said.append(f'<li class="{answer.state}">{words}</li>')
    return f"{news}<ul>\n{''.join(said)}\n</ul>"


def _count(to: Pen, board: Board) -> str:
    if board.hand is None:
        return ""
    if board.hand.winning:
        return to.gettext("%(held)s + the winning tile", held=board.held)
    if board.held > 13:
        return to.ngettext("%(n)s tile", "%(n)s tiles", board.held)
    return to.gettext("%(held)s of 13", held=board.held)


def _named(to: Pen, answer: Answer, answers: Sequence[Answer]) -> str:
    """The game's name before what it says, where several games are asked."""
    if len(answers) < 2:
        return ""
    return to.words(answer.game.name) + to.pgettext("between a term and its meaning", ": ")


def sentence(to: Pen, answer: Answer, entry: Entry, board: Board) -> str:
    """What a game says in one sentence."""
    if not answer.is_unfinished:
        return to.marked(answer.sentence)
    if not entry.text:
        return to.gettext("The verdict appears here.")
    if board.hand and board.hand.winning:
        return to.ngettext(
            "%(n)s more tile beside the winning one.",
            "%(n)s more tiles beside the winning one.",
            board.missing,
        )
    return to.ngettext(
        "%(n)s more tile to see what the hand waits for.",
        "%(n)s more tiles to see what the hand waits for.",
        board.missing,
    )


def announcement(to: Pen, entry: Entry, board: Board, answers: Sequence[Answer]) -> str:
    """What is read out after a change: why nothing changed, or what each game says now."""
    if entry.notice:
        return to.marked(entry.notice)
    if not entry.text:
        return ""
    said = [_named(to, answer, answers) + sentence(to, answer, entry, board) for answer in answers]
    news = [to.marked(entry.news)] if entry.news else []
    return " ".join([*news, *said, ""])


def text_part(to: Pen, entry: Entry) -> str:
    """The field for the hand as text."""
    return (
        f'<input id="hand" name="hand" type="text" value="{escape(entry.text)}" maxlength="400"'
        ' aria-describedby="hand-hint" autocapitalize="none" autocorrect="off" spellcheck="false"'
        ' enterkeyhint="go">\n'
    )


def hint_part(to: Pen, example: Text) -> str:
    """How a hand is written as text."""
    return _hint(to, example).part


@lru_cache(maxsize=64)
def _hint(to: Pen, example: Text) -> _Lasting:
    how = to.gettext(
        "For example <code>%(example)s</code>, with the winning tile after the <code>+</code>. "
        "Chinese names are read too.",
        example=to.words(example),
    )
    return _Lasting.whole(f'<p class="hint" id="hand-hint">{how}</p>\n')


# The keys


def tools_part(to: Pen, entry: Entry) -> str:
    """The keys that undo and clear."""
    undo, clear, disabled = to.gettext("Undo"), to.gettext("Clear"), ' aria-disabled="true"'
    no_undo, no_clear = "" if entry.past else disabled, "" if entry.text else disabled
    return f"""\
<div id="tools" class="tools">
  <button type="submit" name="do" value="undo" id="undo" class="quiet"{no_undo}>{undo}</button>
  <button type="submit" name="do" value="clear" id="clear" class="quiet"{no_clear}>{clear}</button>
</div>
"""


def modes_part(to: Pen, entry: Entry, board: Board) -> str:
    """What the next key adds."""
    return _modes(to, entry.mode, tuple(board.modes.items())).part


@lru_cache(maxsize=64)
def _modes(to: Pen, chosen: str, modes: tuple[tuple[str, Text], ...]) -> _Lasting:
    legend = to.gettext("The next key adds")
    choices = [
        f'<label><input type="radio" name="mode" id="mode-{key}" value="{key}"'
        f"{' checked' if key == chosen else ''}><span>{to.marked(name)}</span></label>"
        for key, name in modes
    ]
    return _Lasting.whole(f"""\
<fieldset id="modes" class="choice modes">
  <legend>{legend}</legend>
  {"".join(choices)}
</fieldset>
""")


def keys_part(to: Pen, rows: Iterable[Sequence[Key]]) -> str:
    """The tile keyboard, a row a suit."""
    return _keys(to, rows).part


def _keys(to: Pen, rows: Iterable[Sequence[Key]]) -> _Lasting:
    label = to.gettext("Tile keys")
    drawn = [
        f'<div class="row" id="keys-{row[0].tile.code}">\n{"".join([_key(to, key) for key in row])}\n  </div>'
        for row in rows
    ]
    keyboard = f"""\
<div id="keys" class="keys" role="group" aria-label="{label}">
  {"".join(drawn)}
</div>
"""
    outline = label + " ".join([key.tile.code for row in rows for key in row])
    return _Lasting(keyboard, _mark(outline), [_Lasting.whole(row) for row in drawn])


@lru_cache(maxsize=2048)
def _key(to: Pen, key: Key) -> str:
    label, disabled = to.words(key.label), ""
    if key.why_not:
        why_not = to.words(key.why_not)
        label += f" – {why_not}"
        disabled = f' aria-disabled="true" title="{why_not}"'
    left = key.left if key.left < 4 else ""
    return (
        f'<button type="submit" name="do" value="key:{key.tile.code}" id="key-{key.tile.code}" class="key"'
        f' aria-label="{label}"{disabled}>{face(key.tile.code)}'
        f'<span class="left" aria-hidden="true">{left}</span></button>'
    )


# What rests on few choices: drawn by templates, and kept


def circumstances_part(to: Pen, page: Page) -> str:
    """The fields for how the hand was won."""
    return _circumstances(to, tuple(page.games), tuple(page.given.items())).part


@lru_cache(maxsize=128)
def _circumstances(to: Pen, games: tuple[Ruleset, ...], given: tuple[tuple[str, str], ...]) -> _Lasting:
    circumstances = circumstances_of(games, dict(given), tile_set_of(games))
    return _Lasting.whole(render_to_string("checker/_circumstances.html", {"circumstances": circumstances}))


class _Panel(NamedTuple):
    """A game's table rules. What the rules make of the hand stands between summary and fields."""

    game: Ruleset
    summary: str
    fields: str
    mark: str


def table_rules_part(to: Pen, page: Page) -> str:
    """The table rules of each game, and what they make of the hand."""
    return _table_rules(to, page).part


def _table_rules(to: Pen, page: Page) -> _Lasting:
    label = to.gettext("Table rules")
    kept = "".join([f'<input type="hidden" name="option" value="{escape(stray)}">' for stray in page.strays])
    panels = _panels(to, tuple(page.games), bool(page.strays))
    now = {answer.game.key: _now(to, answer, page) for answer in page.answers}
    drawn = [
        f'<details id="rules-{panel.game.key}">\n    {panel.summary}\n    {now[panel.game.key]}\n'
        f"    {panel.fields}\n  </details>"
        for panel in panels
    ]
    section = f"""\
<section id="table-rules" class="table-rules" aria-label="{label}">
  {kept}
  {"".join(drawn)}
</section>
"""
    outline = " ".join([label, kept, *[panel.mark for panel in panels]])
    return _Lasting(section, _mark(outline), [_Lasting(said, "") for said in now.values()])


def _now(to: Pen, answer: Answer, page: Page) -> str:
    said = sentence(to, answer, page.entry, page.board) if page.entry.text else ""
    return f'<p id="now-{answer.game.key}" class="now {answer.state}">{said}</p>'


@lru_cache(maxsize=64)
def _panels(to: Pen, games: tuple[Ruleset, ...], has_strays: bool) -> list[_Panel]:
    found = []
    for panel in house.panels(games):
        context = {"panel": panel, "games": games, "strays": has_strays}
        summary = render_to_string("checker/_table_rules_summary.html", context)
        fields = render_to_string("checker/_table_rules_fields.html", context)
        found.append(_Panel(panel.game, summary, fields, _mark(summary + fields)))
    return found


@lru_cache(maxsize=64)
def _examples(to: Pen, games: tuple[Ruleset, ...], ruleset: str, is_empty: bool) -> str:
    """Hands to look at. ruleset: what the page shows. is_empty: there is no hand yet."""
    context = {"games": games, "ruleset": ruleset, "is_empty": is_empty}
    return render_to_string("checker/_examples.html", context)


@lru_cache(maxsize=64)
def _pages(to: Pen, carried: str) -> _Lasting:
    """The links to the other pages."""
    context = {"request": _REQUEST, "nav_ruleset": carried}
    return _Lasting.whole(render_to_string("_pages.html", context))


def _language(to: Pen, query: str) -> str:
    """The link to this page in the other language."""
    before, after = _around_query(to)
    return before + escape(query) + after


@lru_cache(maxsize=64)
def _around_query(to: Pen) -> tuple[str, str]:
    context = {"request": _REQUEST, "query": "query"}
    before, _, after = render_to_string("_language.html", context).partition("?query")
    return f"{before}?", after


class _Match(NamedTuple):
    """Which view answers."""

    view_name: str
    args: tuple[str, ...] = ()
    kwargs: Mapping[str, str] = MappingProxyType({})


class _Request(NamedTuple):
    """As much of a request as the links look at."""

    resolver_match: _Match


_REQUEST = _Request(_Match("check"))


# What the games say


def answers_part(to: Pen, page: Page) -> str:
    """What each game says, how to send it on, and other hands to look at."""
    is_empty, share = not page.entry.text, ""
    if not is_empty:
        holds = to.gettext("This page's address holds the hand: send it on to share.")
        copy, copied = to.gettext("Copy link"), to.gettext("Link copied")
        share = (
            f'<p class="share">{holds} <button type="button" id="share" class="quiet" hidden'
            f' data-done="{copied}">{copy}</button></p>'
        )
    answers = "".join([answer_part(to, answer, page.entry, page.board) for answer in page.answers])
    return f"""\
<div id="answers" class="answers{" two" if len(page.answers) > 1 else ""}">
  {answers}
  {share}
  {_examples(to, tuple(page.games), page.ruleset, is_empty)}
</div>
"""


def answer_part(to: Pen, answer: Answer, entry: Entry, board: Board) -> str:
    """All that one game says: the sentence, and the verdict with its reasons or how to mend what is wrong."""
    key = answer.game.key
    is_bad_option = answer.error is not None and answer.error.code == "bad-option"
    style = " long" if is_bad_option else " calm" if answer.is_calm else ""
    if answer.verdict:
        body = _verdict(to, answer, answer.verdict)
    elif is_bad_option:
        usual = to.gettext("Back to the usual rules")
        body = (
            f'<p class="ends"><button type="submit" name="do" value="usual:{key}" id="mend-{key}"'
            f' class="quiet">{usual}</button></p>'
        )
    elif answer.text:
        body = _misread(to, answer, answer.text)
    elif answer.way_out:
        way = answer.way_out
        body = f'<p class="ends"><a href="?{escape(way.query)}" class="quiet">{to.marked(way.words)}</a></p>'
    elif answer.is_unfinished:
        needed = to.gettext("A hand has 13 tiles and a winning tile. A meld (吃, 碰 or 杠) counts as three.")
        body = f"<p>{to.mark(needed)}</p>"
    else:
        body = ""
    return f"""\
<article class="answer {answer.state}" aria-labelledby="answer-{key}">
  <h2 id="answer-{key}" tabindex="-1">{to.words(answer.game.name)}</h2>
  <p class="sentence{style}">{sentence(to, answer, entry, board)}</p>
  {body}
</article>
"""


def _misread(to: Pen, answer: Answer, text: tuple[str, str, str]) -> str:
    """A text with the place of the error marked in it."""
    before, at, after = map(escape, text)
    out = ""
    if answer.strays:
        key, take_out = answer.game.key, to.gettext("Take out %(tiles)s", tiles=to.marked(answer.strays))
        out = (
            f'<p class="ends"><button type="submit" name="do" value="strays" id="strays-{key}" class="quiet">'
            f"{take_out}</button></p>"
        )
    return f'{out}\n    <p class="source"><code>{before}<mark>{at or "&nbsp;"}</mark>{after}</code></p>'


def _verdict(to: Pen, answer: Answer, verdict: Verdict) -> str:
    """The one verdict block: hand, clauses, score and payments, readings, waits, how near, table rules."""
    game = answer.game
    near = _waits(to, answer, verdict) + (_nearer(to, answer, verdict) if verdict.nearness else "")
    rule_by_rule = to.gettext("Rule by rule")
    parts = [
        _last_tile(to, answer),
        _changed(to, answer),
        f'<p class="shown">{to.hand_picture(verdict.hand, game.tiles, answer.raised)}</p>',
        _stands_for(to, verdict),
        f'<p class="idle">{to.marked(answer.idle)}</p>' if answer.idle else "",
        *(f'<p class="one-away">{fix_part(to, mend, game)}</p>' for mend in answer.mends[:1]),
        *(_elsewhere(to, answer)),
        "" if verdict.is_full else near,
        f"<h3>{rule_by_rule}</h3>",
        findings_part(to, verdict.findings, game),
        _worth(to, answer, verdict) if verdict.wins else "",
        _payments(to, answer, verdict) if verdict.wins and verdict.lines else "",
        _readings(to, verdict) if verdict.readings else "",
        near if verdict.is_full else "",
        _note(to, answer) if game.options else "",
    ]
    return "\n".join([part for part in parts if part])


def _last_tile(to: Pen, answer: Answer) -> str:
    """The tiles with which the hand may have been won, to press."""
    if not answer.last_tiles:
        return ""
    game, buttons = answer.game, []
    which = to.gettext("That is the least. Which tile was it won with?")
    for kind in answer.last_tiles:
        won = to.gettext("Won with %(tile)s", tile=to.label(game.tiles, kind))
        buttons.append(_press(f"win:{kind.code}", f"last-{game.key}-{kind.code}", won, kind))
    return f"""\
<div class="last-tile">
  <p>{which}</p>
  <p class="held-tiles">{"".join(buttons)}</p>
</div>"""


def _press(action: str, name: str, label: str, kind: Tile) -> str:
    """A tile to press. name: the button's id."""
    return (
        f'<button type="submit" name="do" value="{action}" id="{name}" class="held" aria-label="{label}">'
        f"{face(kind.code)}</button>"
    )


def _changed(to: Pen, answer: Answer) -> str:
    if not answer.changes:
        return ""
    decides = to.gettext("A rule of this table decides here")
    return f'<p class="by-table"><a href="#note-{answer.game.key}">{decides}</a></p>'


def _stands_for(to: Pen, verdict: Verdict) -> str:
    if not verdict.stands_for:
        return ""
    name = to.words(verdict.ruleset.tiles.name(verdict.stands_for))
    stands_for = to.gettext("The bao stands for %(tile)s.", tile=name)
    return f"<p>{stands_for}</p>"


def _elsewhere(to: Pen, answer: Answer) -> Iterable[str]:
    for there in answer.elsewhere:
        would = to.gettext(
            "This hand would win in %(game)s as %(patterns)s.",
            game=to.words(there.game.name),
            patterns=to.marked(there.won_as),
        )
        yield f'<p class="elsewhere"><a href="?{escape(there.query)}">{would}</a></p>'


def findings_part(to: Pen, findings: Iterable[Finding], game: Ruleset, is_brief: bool = False) -> str:
    """A verdict rule by rule. is_brief: what is met and has no tiles to show is left out."""
    shown = [f for f in findings if not is_brief or f.tiles or f.status != PASS]
    return f'<ul class="findings">\n  {"".join([_finding(to, f, game) for f in shown])}\n</ul>\n'


def _finding(to: Pen, finding: Finding, game: Ruleset) -> str:
    if finding.status == PASS:
        status = to.pgettext("a rule", "met")
    elif finding.status == FAIL:
        status = to.pgettext("a rule", "not met")
    elif finding.status == WAIVED:
        status = to.pgettext("a rule", "waived")
    else:
        status = to.pgettext("a rule", "can't tell yet")
    rule, picture = finding.rule, ""
    if 0 < len(finding.tiles) < 13:
        picture = f"<p>{to.picture(finding.tiles, game.tiles, 'small')}</p>"
    name = f'<a href="{to.rule_address(game, "win", rule.key)}">{to.marked(rule.name)}</a>'
    return f"""\
<li class="{finding.status}">
    <span class="mark" aria-hidden="true"></span>
    <div>
      <p><strong>{name}</strong> <span class="status">{status}</span></p>
      <p>{to.marked(finding.message)} {to.cited(finding.cites)}</p>
      {picture}
    </div>
  </li>"""


# What a win is worth


def _worth(to: Pen, answer: Answer, verdict: Verdict) -> str:
    heading, in_all, apart = to.gettext("What it is worth"), to.gettext("In all"), ""
    if not verdict.hand.winning:
        uncounted = to.gettext("No winning tile is set apart, so what depends on it is not counted.")
        apart = f"<p>{uncounted}</p>"
    rows = []
    for pattern, worth in answer.patterns:
        name = (
            f'<a href="{to.rule_address(answer.game, "pattern", pattern.key)}">{to.marked(pattern.name)}</a>'
        )
        meaning = f"{to.marked(pattern.meaning)} {to.cited(pattern.cites)}"
        rows.append(f'<tr><th scope="row">{name}</th><td>{meaning}</td><td class="number">{worth}</td></tr>')
    total = _total(to, answer.game, verdict.chosen) if verdict.chosen else ""
    return f"""\
<h3>{heading}</h3>
  {apart}
  <table class="score">
    <tbody>
      {"".join(rows)}
    </tbody>
    <tfoot><tr><th scope="row">{in_all}</th><td colspan="2" class="number">{total}</td></tr></tfoot>
  </table>"""


def _total(to: Pen, game: Ruleset, judged: Judged) -> str:
    return to.words(game.measure.total(judged.total))


def _payments(to: Pen, answer: Answer, verdict: Verdict) -> str:
    key, assumed = answer.game.key, ""
    if answer.assumed:
        change = to.pgettext("the circumstances", "change")
        assumed = (
            f'<p class="assumed">{to.marked(answer.assumed)} – <a href="#circumstances">{change}</a></p>\n'
        )
    heading, who, why = to.gettext("Who pays whom"), to.gettext("Who pays whom, and why"), to.gettext("Why")
    points, in_all = to.gettext("Points"), to.gettext("In all, each seat")
    pays = to.pgettext("between who pays and who gets", "pays")
    arrow = f'<span class="to"><span aria-hidden="true">→</span><span class="unseen">{pays}</span></span>'
    seats = [to.words(seat) for seat in SEATS]
    lines = [
        f'<tr role="row"><th scope="row" role="rowheader">{seats[line.payer]} {arrow} {seats[line.receiver]}'
        "</th>"
        f'<td role="cell" class="how">{to.marked(line.message)} {to.cited(line.cites)}</td>'
        f'<td role="cell" class="points">{line.points}</td></tr>'
        for line in verdict.lines
    ]
    birds = [
        f'<p class="bird">{to.marked(note.message)} {to.cited(note.cites)}</p>\n'
        for note in verdict.bird_notes
    ]
    totals = verdict.payments or ()
    heads = [f'<th scope="col">{seats[n]}</th>' for n in range(len(totals))]
    cells = [f'<td class="points{_gain(total)}">{signed(total)}</td>' for total in totals]
    return f"""\
<h3 id="pays-{key}">{heading}</h3>
{assumed}<table class="payments" role="table" aria-labelledby="pays-{key}">
  <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">{who}</th>\
<th scope="col" role="columnheader" class="unseen">{why}</th>\
<th scope="col" role="columnheader" class="points">{points}</th></tr></thead>
  <tbody role="rowgroup">
    {"".join(lines)}
  </tbody>
</table>
{"".join(birds)}<table class="totals">
  <caption>{in_all}</caption>
  <thead><tr>{"".join(heads)}</tr></thead>
  <tbody><tr>{"".join(cells)}</tr></tbody>
</table>"""


def _gain(points: int) -> str:
    return " gains" if points > 0 else " loses" if points < 0 else ""


def _readings(to: Pen, verdict: Verdict) -> str:
    game, several = verdict.ruleset, len(verdict.readings) > 1
    heading = to.gettext("How it is read")
    if several:
        heading = to.ngettext("%(n)s way to read it", "%(n)s ways to read it", len(verdict.readings))
    not_met = to.pgettext("rules of a reading", "Not met") + to.pgettext(
        "between a term and its meaning", ": "
    )
    counts = to.gettext("(this one counts)")
    items = []
    for judged in verdict.readings:
        reading, is_chosen = judged.reading, judged is verdict.chosen
        groups = "".join([to.set_picture(group, game.tiles) for group in reading.sets])
        if groups and reading.pair:
            groups += to.picture((reading.pair, reading.pair), game.tiles)
        read = f'<p class="groups">{groups}</p>' if groups else f"<p>{to.marked(reading.shape.name)}</p>"
        if judged.wins:
            result = _total(to, game, judged)
        else:
            result = not_met + to.words(listed([game.rule(key).name for key in judged.fails]))
        if is_chosen and several:
            result += f" <strong>{counts}</strong>"
        style = ' class="chosen"' if is_chosen else ""
        items.append(f'<li{style}>\n      {read}\n      <p class="result">{result}</p>\n    </li>')
    return f'<h3>{heading}</h3>\n  <ol class="readings">\n    {"".join(items)}\n  </ol>'


# What a hand waits for, and what would bring it nearer


def _waits(to: Pen, answer: Answer, verdict: Verdict) -> str:
    waits = verdict.waits
    if not waits and not answer.blocked:
        return ""
    if not waits:
        heading = to.gettext("Completes the shape, but may not win")
    elif verdict.is_full:
        heading = to.gettext("What it was waiting for")
    else:
        heading = to.gettext("What it waits for")
    game, items = answer.game, []
    for wait in waits:
        label = to.gettext("Win with %(tile)s", tile=to.label(game.tiles, wait.tile))
        items.append(f"<li>{_wait(to, game, wait, label)}</li>")
    blocked = [_blocked(to, game, blocked) for blocked in answer.blocked]
    return f"""\
<h3>{heading}</h3>
  <ul class="waits">
    {"".join(items)}
    {"".join(blocked)}
  </ul>
"""


def _wait(to: Pen, game: Ruleset, wait: Wait, label: str) -> str:
    kind = wait.tile
    press = _press(f"win:{kind.code}", f"wait-{game.key}-{kind.code}", label, kind)
    return f"{press}<span>{_left(to, wait.left)}</span>"


def _blocked(to: Pen, game: Ruleset, blocked: Blocked) -> str:
    waits = []
    for wait in blocked.waits:
        label = to.gettext("Try %(tile)s, which is blocked", tile=to.label(game.tiles, wait.tile))
        waits.append(_wait(to, game, wait, label))
    reasons = "".join([f"{to.marked(reason)} " for reason in blocked.reasons])
    why = f'<span class="why"><span class="mark" aria-hidden="true"></span>{reasons}</span>'
    return f'<li class="blocked">\n      {"".join(waits)}\n      {why}\n    </li>'


def _left(to: Pen, n: int) -> str:
    return to.ngettext("%(n)s left", "%(n)s left", n)


def fix_part(to: Pen, mend: Mend, game: Ruleset) -> str:
    """An exchange of one tile, to press."""
    fix = mend.fix
    out, into, which = fix.out.code, fix.into.code, ":win" if fix.of_winning else ""
    tiles = (
        f'<span class="faces" aria-hidden="true">{face(out)}<span class="arrow">→</span>{face(into)}</span>'
    )
    words = f'{to.marked(fix.message)} <span class="left-over">{_left(to, mend.left)}</span>'
    return (
        f'<button type="submit" name="do" value="swap:{out}:{into}{which}" id="fix-{game.key}-{out}-{into}"'
        f' class="fix">{tiles}<span>{words}</span></button>\n'
    )


def _nearer(to: Pen, answer: Answer, verdict: Verdict) -> str:
    key = answer.game.key
    heading = to.gettext("How near it is")
    sentences = "".join([f"<p>{to.marked(said)}</p>" for said in verdict.nearness])
    if not verdict.is_full:
        ways = "".join([_drawing(to, answer.game, draws) for draws in answer.draws])
    else:
        ways = _discards(to, answer, verdict.distance == 0) if answer.draws else ""
    return f"""\
<section class="nearer" aria-labelledby="nearer-{key}">
  <h3 id="nearer-{key}">{heading}</h3>
  {sentences}
  {_fixes(to, answer)}
  {ways}
</section>
"""


def _fixes(to: Pen, answer: Answer) -> str:
    """The exchanges that win, but for the first, which stands above."""
    mends, game = answer.mends, answer.game
    if len(mends) < 2:
        return ""
    others = to.gettext("Other exchanges that win:")
    items = [f"<li>{fix_part(to, mend, game)}</li>" for mend in mends]
    shown = f"<p>{others}</p>\n    {_list('fixes', items[1:_OPEN_FIXES])}"
    rest = items[_OPEN_FIXES:]
    if not rest:
        return shown
    more = to.ngettext("%(n)s more exchange", "%(n)s more exchanges", len(rest))
    return f"{shown}\n    {_folded(more, _list('fixes', rest))}"


def _list(style: str, items: Iterable[str]) -> str:
    return f'<ul class="{style}">{"".join(items)}</ul>'


def _folded(summary: str, body: str) -> str:
    return f'<details class="rest">\n      <summary>{summary}</summary>\n      {body}\n    </details>'


def _drawing(to: Pen, game: Ruleset, draws: Draws) -> str:
    """The tiles that bring a hand nearer, to press."""
    kinds = len(draws.tiles)
    words = to.ngettext(
        "%(n)s tile brings it nearer, %(left)s left. Tap it to draw it.",
        "%(n)s kinds of tile bring it nearer, %(left)s left. Tap one to draw it.",
        kinds,
        left=draws.left,
    )
    items = []
    for kind, left in draws.tiles:
        label = to.ngettext(
            "Draw %(tile)s, %(n)s left", "Draw %(tile)s, %(n)s left", left, tile=to.label(game.tiles, kind)
        )
        press = _press(f"win:{kind.code}", f"draw-{game.key}-{kind.code}", label, kind)
        items.append(f'<li>{press}<span aria-hidden="true">{left}</span></li>')
    body = f'<ul class="drawing">\n  {"".join(items)}\n</ul>\n'
    if kinds > _OPEN_DRAWS:
        show = to.gettext("Show them")
        body = f'<details class="rest"><summary>{show}</summary>{body}</details>'
    return f"<p>{words}</p>\n      {body}\n    "


def _discards(to: Pen, answer: Answer, is_ready: bool) -> str:
    """What a full hand may give up, and what it then draws. is_ready: what it draws makes it win."""
    items = [_discard(to, answer.game, draws) for draws in answer.draws]
    if is_ready:
        heading = to.gettext("What to discard, and what then wins")
        return _folded(heading, _list("draws", items))
    best = to.gettext("Best discards, and what then brings it nearer:")
    shown = f"<p>{best}</p>\n    {_list('draws', items[:_OPEN_DISCARDS])}"
    rest = items[_OPEN_DISCARDS:]
    if not rest:
        return shown
    more = to.ngettext("%(n)s more discard", "%(n)s more discards", len(rest))
    return f"{shown}\n    {_folded(more, _list('draws', rest))}"


def _discard(to: Pen, game: Ruleset, draws: Draws) -> str:
    press, kinds = "", len(draws.tiles)
    if draws.discard:
        code = draws.discard.code
        label = to.gettext("Discard %(tile)s", tile=to.label(game.tiles, draws.discard))
        press = _press(f"discard:{code}", f"discard-{game.key}-{code}", label, draws.discard)
    picture = ""
    if kinds <= _PICTURED:
        picture = f"<p>{to.picture([t for t, _ in draws.tiles], game.tiles, 'small')}</p>"
    if kinds > 1:
        words = to.ngettext("%(n)s kind, %(left)s left", "%(n)s kinds, %(left)s left", kinds, left=draws.left)
    else:
        words = _left(to, draws.left)
    return f"""\
<li>{press}<span class="arrow" aria-hidden="true">→</span><div>
  {picture}
  <p class="left-over">{words}</p>
</div></li>
"""


# The table rules that decided


def _note(to: Pen, answer: Answer) -> str:
    game, notes = answer.game, []
    for setting in answer.changes:
        judged = to.gettext(
            "Judged by this table's rule: %(name)s <strong>%(chosen)s</strong>; usually: %(usual)s.",
            name=to.marked(setting.rule.name),
            chosen=to.marked(setting.chosen.words),
            usual=to.marked(setting.usual.words),
        )
        notes.append(f'<p class="changed"><span class="mark" aria-hidden="true"></span>{judged}</p>\n  ')
    if not notes:
        changed, rules = len(game.house.chosen), to.gettext("Table rules")
        if changed:
            words = to.ngettext(
                "%(n)s rule of this table is not the usual one, but it makes no difference here.",
                "%(n)s rules of this table are not the usual ones, but they make no difference here.",
                changed,
            )
        else:
            words = to.ngettext(
                "Judged by the usual rules. Tables differ on %(n)s point:",
                "Judged by the usual rules. Tables differ on %(n)s points:",
                len(game.options),
            )
        notes.append(f'<p>{words} <a href="#table-rules">{rules}</a></p>\n  ')
    return f'<div id="note-{game.key}" class="note" tabindex="-1">\n  {"".join(notes)}\n</div>\n'
