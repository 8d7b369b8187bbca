"""What search looks through: rules, terms, chapters, steps and pages, with both languages' words and pinyin.

An index belongs to one shelf and goes with it. What is compared is folded first, character for character, so
that what was found can be marked in the text as it stands: case, tone marks, full-width forms, traditional
characters and the regions' words for one suit make no difference.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import count
from typing import NamedTuple
from weakref import WeakKeyDictionary

from django.urls import reverse

import rules
from rules import Ruleset, Text, notation
from tutor.checker.entry import every_tile
from tutor.content import prose
from tutor.content.build import Chapter, Step, Term, pages_of
from tutor.content.shelf import Shelf
from tutor.rulebook import addresses

RULES, GLOSSARY, LESSONS, PAGES = KINDS = ("rules", "glossary", "lessons", "pages")
EXACT, PREFIX, NAMED, TOLD = range(4)  # how well an entry matches: by its whole name … by its text alone

_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[0-9]*[\u3400-\u9fff][0-9\u3400-\u9fff]*|[^\W_\u3400-\u9fff]+")
_APOSTROPHES = re.compile("['‘’ʼ`]")
_BRACKETS = re.compile(r"^(.+?)\s*[(（](.+)[)）]$")

_ONE_FOR_ANOTHER = dict(
    zip(
        "萬條餅東風發紅財兩聽對槓將順莊補開張飄寶鳥單邊門鎖規則點亂數個與誰搶報換還後來這裡為無會時種練習課計詞長"
        "麼雞鷄華墻牆離問連剛過進幾處讓說話讀學術語頁圖總結達運喫摃牠缐線槍圍獨殘筒索",
        "万条饼东风发红财两听对杠将顺庄补开张飘宝鸟单边门锁规则点乱数个与谁抢报换还后来这里为无会时种练习课计词长"
        "么鸡鸡华墙墙离问连刚过进几处让说话读学术语页图总结达运吃杠它线线枪围独残饼条",
        strict=True,
    )
)

# How the characters of names sound; what stands here is found by pinyin, even where the content gives none.
_SOUNDS = {
    character: sound
    for sound, characters in re.findall(
        "([a-z]+)([^a-z ]+)",
        "an暗 ba八把 bai白百 ban板 bao宝报 bian边 bie别 bing饼 bu不补 cha叉差 chai拆 chao超 chi吃 chu出除 "
        "ci次 da大打 dan单蛋 dao到 de得的 di地底第 dian点 diao吊 dou都 du独 dui对 dun墩 duo多 er二 "
        "fa发法 fan番翻 fang放 fen分 feng风 fu付 gang杠 ge个 gui规 hai海还 hao豪 hou候后 hu胡 hua华花 "
        "huan换 huang荒 ji几己 jia加夹家 jiang将 jie截解 jin进 jiu九就 ju局矩 kai开 kan坎看 ke刻 kou口 lao捞 "
        "le了 li离立里 liang两亮 ling零 liu六留 lou漏 luan乱 lun轮 luo落 man漫 me么 mei每没 men门 ming明 "
        "mo摸 na哪拿那 neng能 niao鸟 pai牌 pao炮 peng碰 piao飘 ping平 qi七起 qiang墙抢 qing清 qiu求 quan全 "
        "que缺 ren人 san三 se色 shang上 shao少 shen什 shi十时是 shou手 shu数殊 shui谁 shun顺 si四 "
        "suan算 suo锁 te特 tian天 tiao条 ting听 tong筒通 tou骰 wan万 wei尾 wen问 wu五 xi喜 xia下 xian先限 "
        "xiao小 xie些 xing型 xuan旋 yao幺要 yi一以 you有游 yu与 yue月 zai在 zen怎 zha扎 zhang张 zhi之值 "
        "yang样 zhong中 zhu注 zhua抓 zhuang庄 zhuo桌 zi子自 zu组 zui最 zuo坐",
    )
    for character in characters
}

_GAME_PAGES = {
    "course": (
        Text("{game}: the course", "{game}麻将课程"),
        Text("Learn {game} mahjong from the first tile.", "从第一张牌学{game}麻将。"),
    ),
    "rulebook": (
        Text("{game}: all rules", "{game}：全部规则"),
        Text(
            "All rules of {game} mahjong on one page, and the source text line by line.",
            "{game}麻将的全部规则在一页上，原文一条一条可查。",
        ),
    ),
    "picked": (
        Text("{game}: puzzles picked by hand", "{game}：精选题"),
        Text("Each with a surprise and a reason.", "每道题都有出人意料的地方，也有道理。"),
    ),
}
_PAGES = {
    "check": (
        Text("Check a hand", "看看能不能胡"),
        Text(
            "Enter a hand and see, rule by rule, whether it wins and why, and what it waits for.",
            "验牌：输入一手牌，逐条看能不能胡、为什么、听什么、值多少。",
        ),
    ),
    "deal": (
        Text("The deal", "起手牌"),
        Text(
            "Which openings the dealt tiles hold, what each pays, and whether the hand is ready.",
            "起手的牌能亮什么、各算多少、听没听牌。",
        ),
    ),
    "settle": (
        Text("Settle up", "结算"),
        Text(
            "Who pays whom after a hand, line by line, and who deals next.",
            "一局打完算分：谁付谁多少，一笔一笔算清，下一局谁坐庄。",
        ),
    ),
    "sheet": (
        Text("Score sheet", "记分表"),
        Text("Keep the score of an evening.", "记一晚上的分：每局、总分、下一局谁坐庄。"),
    ),
    "practice": (
        Text("Practise", "练习"),
        Text(
            "Puzzles without end: can it win, why not, what does it wait for, who pays whom.",
            "练不完的题目：能不能胡、为什么不能、听什么、谁付谁。",
        ),
    ),
    "build": (
        Text("Build a hand", "摆牌"),
        Text("Build any hand that reaches a goal.", "按要求自己组一手牌。"),
    ),
    "daily": (
        Text("Puzzle of the day", "每日一题"),
        Text("A puzzle a day for each game.", "每种麻将每天一道题。"),
    ),
    "progress": (
        Text("How you are doing", "我的成绩"),
        Text("Your practice, rule by rule and day by day.", "练得怎么样：逐条规则、逐日记录。"),
    ),
    "learn": (
        Text("Learn", "学习"),
        Text("The courses, from the first tile to the first evening.", "课程：从认牌到上桌。"),
    ),
    "rulebooks": (
        Text("Rules", "规则"),
        Text("Every rule with hands that pass and hands that fail.", "每条规则都有符合和不符合的牌。"),
    ),
    "compare": (
        Text("The two games side by side", "两种麻将对照"),
        Text("Compare the games point by point.", "长春和长沙逐项比较：哪里一样，哪里不同。"),
    ),
    "glossary": (
        Text("Glossary", "词汇表"),
        Text("The words of the table in characters, pinyin and English.", "牌桌上的术语：汉字、拼音、英文。"),
    ),
    "tiles": (
        Text("The tiles", "认牌"),
        Text("Every tile with its names, and how tiles are drawn.", "每张牌和它的叫法，还有牌面样式。"),
    ),
    "classes": (
        Text("Classes", "班级"),
        Text("For teachers and students: homework and results.", "老师和学生用：作业和成绩。"),
    ),
    "account": (
        Text("Your account", "我的账号"),
        Text("Sign in, sign up, password, your data.", "登录、注册、密码、账号里的数据。"),
    ),
    "api": (
        Text("The API", "接口"),
        Text("How a program asks about a hand.", "写程序的人用的 API：怎样查询一手牌。"),
    ),
}


class _Folding(dict[int, str]):
    """Characters as they are compared, each worked out when first met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        plain = unicodedata.normalize("NFKD", character)[0].casefold()[:1] or character
        self[code] = _ONE_FOR_ANOTHER.get(plain, plain)
        return self[code]


_folding = _Folding()


def folded(text: str) -> str:
    """A text as it is compared, as long as it was."""
    return text.translate(_folding)


def words_of(text: str) -> list[str]:
    """The words of a folded text; a run of Han characters is one."""
    return _WORD.findall(_APOSTROPHES.sub("", text))


def is_han(word: str) -> bool:
    """Whether a word holds Han characters, and is looked for anywhere in a text."""
    return _HAN.search(word) is not None


def singular(word: str) -> str:
    """An English word without the ending of its plural."""
    if is_han(word) or len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses")) else word[:-1]


def sound(text: str) -> str:
    """How Chinese sounds, its syllables apart; "" where a character is not known or none is Han."""
    if not _HAN.search(text):
        return ""
    said = [f" {_SOUNDS.get(c, '?')} " if _HAN.match(c) else c for c in text]
    return "" if " ? " in said else folded("".join(said))


def begins(word: str, sought: str) -> bool:
    """Whether a word begins as was asked, or is the one thing of which several were asked for."""
    return word.startswith(sought) or word == singular(sought)


@dataclass(frozen=True)
class Entry:
    """Something to be found. place: what its address is made of. within: the chapter of a step.

    names: what it may be called besides, in any language. cites: the source lines it rests on.
    """

    kind: str
    place: str
    name: Text
    text: Text
    games: tuple[Ruleset, ...] = ()
    within: Text | None = None
    names: tuple[str, ...] = ()
    pinyin: str = ""
    cites: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """Where it is told, in the language of the page."""
        if self.kind == RULES:
            return addresses.of_rule(self.place)
        if self.kind == GLOSSARY:
            return addresses.of_term(self.place)
        if self.kind == LESSONS:
            return addresses.of_step(self.place)
        name, _, game = self.place.partition("/")
        return reverse(name, args=[game] if game else [])

    @cached_property
    def called(self) -> tuple[tuple[str, ...], ...]:
        """Every name as folded words; a name with brackets also without them, and what stands in them."""
        found: dict[tuple[str, ...], None] = {}
        for name in (self.name.en, self.name.zh, self.pinyin, *self.names):
            parts = _BRACKETS.match(name)
            for part in (name, *(parts.groups() if parts else ())):
                found[tuple(words_of(folded(part)))] = None
                found[tuple(words_of(sound(part)))] = None
        found.pop((), None)
        return tuple(found)

    @cached_property
    def tails(self) -> tuple[tuple[str, ...], ...]:
        """Every name without spaces, from each of its words on."""
        return tuple(tuple("".join(name[n:]) for n in range(len(name))) for name in self.called)

    @cached_property
    def name_words(self) -> frozenset[str]:
        """The words of the names and of the games'."""
        games = (w for game in self.games for w in words_of(folded(f"{game.name.en} {game.name.zh}")))
        return frozenset((*games, *(word for name in self.called for word in name)))

    @cached_property
    def folded(self) -> str:
        """All that it says, folded."""
        said = [self.name, self.text, *([self.within] if self.within else [])]
        return folded("\n".join([*(words for text in said for words in text), *self.names, self.pinyin]))


class Query(NamedTuple):
    """What is looked for: its words, and the whole without spaces."""

    words: tuple[str, ...]
    whole: str

    @classmethod
    def of(cls, text: str) -> Query:
        """What a visitor typed."""
        found = words_of(folded(text))
        names = "|".join(re.escape(folded(game.name.zh)) for game in rules.rulesets().values())
        parts = [part for word in found for part in re.split(f"({names})", word) if part]
        return cls(tuple(dict.fromkeys(parts)), "".join(found))


class Found(NamedTuple):
    """An entry that matches, and how well."""

    entry: Entry
    rank: int


@dataclass(frozen=True)
class Answer:
    """What is found, best first. also: what a query in pinyin means, in Chinese and in English."""

    found: list[Found] = field(default_factory=list)
    also: tuple[str, ...] = ()


class Index:
    """All entries of a shelf, and which of them hold each word."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = tuple(entries)
        holding: dict[str, set[int]] = {}
        for number, entry in enumerate(self.entries):
            for word in {*entry.name_words, *words_of(entry.folded)}:
                if not is_han(word):
                    holding.setdefault(word, set()).add(number)
        self._words = sorted(holding)
        self._holding = holding
        self._tails = sorted(
            (tail, number)
            for number, entry in enumerate(self.entries)
            for tail in {tail for tails in entry.tails for tail in tails}
        )
        # What suggestions are made of: a name as it is compared, and as it is shown.
        self._names: dict[str, str] = {}
        for entry in self.entries:
            for name in (entry.name.en, entry.name.zh, entry.pinyin):
                whole = Query.of(name).whole
                if len(whole) > 1:
                    self._names.setdefault(whole, name)

    def search(self, query: Query) -> Answer:
        """What holds every word, or has the whole in a name."""
        if not query.words:
            return Answer()
        holding = set.intersection(*map(self._with, query.words))
        found = []
        meant: dict[str, None] = {}  # in Chinese …
        english: dict[str, None] = {}  # … and in English
        for number in sorted(holding | self._called(query.whole)):
            entry = self.entries[number]
            rank = _rank(entry, query, number in holding)
            if rank == EXACT and entry.kind in (RULES, GLOSSARY) and not is_han(query.whole):
                names = self._meant(entry, query.whole)
                meant |= dict.fromkeys(names)
                english |= dict.fromkeys([entry.name.en] if names else ())
            if rank is not None:
                found.append((rank, number))
        seen = {number for _, number in found}
        for han in map(folded, meant):
            more = [n for n, entry in enumerate(self.entries) if n not in seen and han in entry.folded]
            found += [(NAMED if han in folded(self.entries[n].name.zh) else TOLD, n) for n in more]
            seen.update(more)
        found.sort(key=lambda item: (item[0], self._nearness(item[0], item[1], query), item[1]))
        return Answer([Found(self.entries[number], rank) for rank, number in found], (*meant, *english))

    def citing(self, line: str) -> Answer:
        """What rests on a source line or teaches it."""
        return Answer([Found(entry, PREFIX) for entry in self.entries if line in entry.cites])

    def suggestions(self, query: Query) -> list[str]:
        """Names that may have been meant: spelt nearly so, held in what was typed, or words of it alone."""
        cutoff = 0.6 if is_han(query.whole) else 0.75
        shortest = 3 if is_han(query.whole) else 4
        near = []
        if len(query.whole) >= shortest:
            near = get_close_matches(query.whole, self._names, n=3, cutoff=cutoff)
        if is_han(query.whole):
            held = [n for n in self._names if is_han(n) and n in query.whole]
            near += sorted(held, key=len, reverse=True)[:2]
        found = [self._names[name] for name in near]
        if len(query.words) > 1 and not near:
            found += [word for word in query.words if (is_han(word) or len(word) > 2) and self._with(word)]
        return list(dict.fromkeys(found))[:4]

    def _with(self, word: str) -> set[int]:
        """The entries that hold a word, Chinese anywhere, others at the beginning of a word."""
        if is_han(word):
            return {
                n for n, entry in enumerate(self.entries) if word in entry.folded or word in entry.name_words
            }
        found = set(self._holding.get(singular(word), ()))
        for at in count(bisect_left(self._words, word)):
            if at == len(self._words) or not self._words[at].startswith(word):
                return found
            found |= self._holding[self._words[at]]
        return found

    def _called(self, whole: str) -> set[int]:
        """The entries with a name that goes on like this from one of its words."""
        found: set[int] = set()
        for at in count(bisect_left(self._tails, (whole, -1))):
            if at == len(self._tails) or not self._tails[at][0].startswith(whole):
                return found
            found.add(self._tails[at][1])
        return found

    def _meant(self, entry: Entry, whole: str) -> list[str]:
        """The Chinese name of an entry that was asked for in pinyin."""
        han = _BRACKETS.sub(r"\1", entry.name.zh)
        sounds = {Query.of(entry.pinyin).whole, Query.of(sound(han)).whole}
        return [han] if len(han) > 1 and whole in sounds else []

    def _nearness(self, rank: int, number: int, query: Query) -> int:
        """Among what matches alike, the nearer first: shorter names, or those that hold more of the words."""
        entry = self.entries[number]
        if rank == PREFIX:
            return min(
                (len(tails[0]) for tails in entry.tails if tails[0].startswith(query.whole)), default=99
            )
        return -sum(_is_in_name(entry, word) for word in query.words) if rank == TOLD else 0


def _rank(entry: Entry, query: Query, holds_all: bool) -> int | None:
    whole = query.whole
    rank = None
    for tails in entry.tails:
        if tails[0] == whole:
            return EXACT
        if tails[0].startswith(whole):
            rank = PREFIX
        elif rank is None and (any(tail.startswith(whole) for tail in tails) or _holds_han(tails[0], whole)):
            rank = NAMED
    if not holds_all or rank == PREFIX:
        return rank
    several = [singular(word) for word in query.words]
    for name in entry.called:
        if [singular(word) for word in name] == several:
            return EXACT
        if len(name) >= len(several) and all(map(begins, name, query.words)):
            rank = PREFIX
    if rank is None:
        rank = NAMED if all(_is_in_name(entry, word) for word in query.words) else TOLD
    return rank


def _holds_han(name: str, whole: str) -> bool:
    return is_han(whole) and whole in name


def _is_in_name(entry: Entry, word: str) -> bool:
    if is_han(word):
        return any(word in name for name in entry.name_words)
    return any(begins(name, word) for name in entry.name_words)


# What there is to find


_indexes: WeakKeyDictionary[Shelf, Index] = WeakKeyDictionary()


def index_of(stock: Shelf) -> Index:
    """The index of a shelf, made when first asked for."""
    if stock not in _indexes:
        _indexes[stock] = Index([*_rules(stock), *_terms(stock), *_lessons(stock), *_pages()])
    return _indexes[stock]


def _plain(stock: Shelf, game: Ruleset | None, text: Text) -> Text:
    """A text without markup, in each language."""
    tile_set = every_tile((game or next(iter(rules.rulesets().values()))).tiles)

    def plain(span: prose.Span, language: str) -> str:
        if span.kind == prose.STRONG:
            return "".join(plain(inner, language) for inner in span.inner)
        if span.kind == prose.TERM and not span.text:
            term = stock.terms.get(span.target)
            return term.name.in_language(language) if term else span.target
        if span.kind == prose.TILES:
            tiles = notation.parse_unfinished(span.target, tile_set).tiles
            return tile_set.names(tiles).in_language(language)
        return span.text

    def told(language: str) -> str:
        blocks = prose.blocks(text.in_language(language))
        lines = ["".join(plain(span, language) for span in line) for block in blocks for line in block.lines]
        return " ".join(lines)

    return Text(told("en"), told("zh"))


def _rules(stock: Shelf) -> Iterable[Entry]:
    for game in rules.rulesets().values():
        for place, thing in pages_of(game).items():
            topic = stock.topic(game, place)
            told = [_plain(stock, game, topic.text)] if topic else []
            meaning = getattr(thing, "meaning", Text("", ""))
            said = [meaning, *told] if meaning.en else told
            text = Text(" · ".join(t.en for t in said), " · ".join(t.zh for t in said))
            yield Entry(RULES, f"{game.key}/{place}", thing.name, text, (game,), cites=thing.cites)


def _terms(stock: Shelf) -> Iterable[Entry]:
    for term in stock.terms.values():
        yield _term(stock, term)


def _term(stock: Shelf, term: Term) -> Entry:
    games = tuple(game for key, game in rules.rulesets().items() if key in term.games)
    han = (term.han,) if term.han and term.han != term.name.zh else ()
    return Entry(
        GLOSSARY, term.slug, term.name, _plain(stock, None, term.short), games, names=han, pinyin=term.pinyin
    )


def _lessons(stock: Shelf) -> Iterable[Entry]:
    for game in rules.rulesets().values():
        for chapter in stock.chapters(game):
            title = _plain(stock, game, chapter.title)
            yield Entry(LESSONS, chapter.place, title, _plain(stock, game, chapter.goal), (game,))
            for step in chapter.steps:
                yield _step(stock, chapter, step, title)


def _step(stock: Shelf, chapter: Chapter, step: Step, title: Text) -> Entry:
    game = chapter.game
    name, text = _plain(stock, game, step.title), _plain(stock, game, step.text)
    return Entry(LESSONS, step.place, name, text, (game,), within=title, cites=step.cites)


def _pages() -> Iterable[Entry]:
    for page, (name, text) in _PAGES.items():
        yield Entry(PAGES, page, name, text)
    for game in rules.rulesets().values():
        for page, texts in _GAME_PAGES.items():
            name, text = (Text(t.en.format(game=game.name.en), t.zh.format(game=game.name.zh)) for t in texts)
            names = (game.name.en, game.name.zh) if page == "course" else ()
            yield Entry(PAGES, f"{page}/{game.key}", name, text, names=names)
