"""Hands as text: every spelling that is read, the one that is written, and every way to be refused."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules import HandError, notation
from rules.hands import Hand
from rules.tiles import FLOWERS, TILES, TileSet, tile
from tests import dealing
from tests.test_reference import hand_of

CHANGCHUN = rules.ruleset("changchun").tiles
CHANGSHA = rules.ruleset("changsha").tiles
SETS = {"changchun": CHANGCHUN, "changsha": CHANGSHA}
SEEDS = st.integers(0, 2**32)

# Every spelling, by what it means. A run is digits, in any mixture, and one suit.
DIGITS = {
    1: "1１一幺么",
    2: "2２二两兩",
    3: "3３三",
    4: "4４四",
    5: "5５五伍",
    6: "6６六",
    7: "7７七",
    8: "8８八",
    9: "9９九",
}
SUITS = {"m": "mｍ万萬", "p": "pｐ饼餅筒", "s": "sｓ条條索"}
NAMES = {
    "E": "E Ｅ 东 東 东风 東風 东風 東风 🀀 1z １ｚ",
    "S": "S Ｓ 南 南风 南風 🀁 2z ２ｚ",
    "W": "W Ｗ 西 西风 西風 🀂 3z ３ｚ",
    "N": "N Ｎ 北 北风 北風 🀃 4z ４ｚ",
    "C": "C Ｃ 中 红中 紅中 🀄 7z ７ｚ",
    "F": "F Ｆ 发 發 发财 發財 发財 發财 🀅 6z ６ｚ",
    "P": "P Ｐ 白 白板 🀆 5z ５ｚ",
    "1s": "幺鸡 幺雞 么鸡 么雞",
}
NAMES |= {f"{n + 1}m": chr(0x1F007 + n) for n in range(9)}
NAMES |= {f"{n + 1}p": chr(0x1F019 + n) for n in range(9)}
NAMES |= {f"{n + 1}s": NAMES.get(f"{n + 1}s", "") + " " + chr(0x1F010 + n) for n in range(9)}
SPELLINGS = {code: names.split() for code, names in NAMES.items()}
for _suit, _letters in SUITS.items():
    for _rank, _digits in DIGITS.items():
        SPELLINGS[f"{_rank}{_suit}"] += [d + s for d in _digits for s in _letters]
BRACKETS = {c: (c, chr(ord(c) + 0xFEE0)) for c in "()[]{}+"}
SPACES = ["", "", "", " ", "  ", "\t", "\n", "\u3000", "\u00a0", "\u200b", "\ufeff", "\u200d"]
SELECTORS = ["\ufe0e", "\ufe0f"]


def read(text: str, ruleset: str = "changchun") -> Hand:
    """The tiles of a text, however many."""
    return notation.parse_unfinished(text, SETS[ruleset])


def codes(text: str) -> str:
    """The concealed tiles of a text as canonical codes, joined."""
    return " ".join(t.code for t in read(text).concealed)


def refusal(text: str, ruleset: str = "changchun") -> HandError:
    """The error that a text is refused with."""
    with pytest.raises(HandError) as refused:
        notation.parse(text, SETS[ruleset])
    return refused.value


def dealt(ruleset: str, seed: int) -> tuple:
    """One random valid hand: concealed tiles, melds, winning tile."""
    return next(dealing.hands(ruleset, seed, 1))[:3]


# What is read


@pytest.mark.parametrize(
    ("code", "spelling"),
    [(code, spelling) for code, spellings in SPELLINGS.items() for spelling in spellings],
)
def test_every_spelling_names_its_tile(code: str, spelling: str) -> None:
    assert notation.parse_tile(spelling) is tile(code)
    assert codes(spelling) == code
    assert codes(f"{spelling} {spelling}") == f"{code} {code}"
    assert read(f"+{spelling}").winning is tile(code)


def test_every_tile_has_a_letter_form_a_chinese_name_and_a_unicode_tile() -> None:
    assert set(SPELLINGS) == {t.code for t in TILES}
    for spellings in SPELLINGS.values():
        assert any(s.isascii() for s in spellings)
        assert any("\u4e00" <= c <= "\u9fff" for s in spellings for c in s)
        assert any("\U0001f000" <= s <= "\U0001f021" for s in spellings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("123m55p", "1m 2m 3m 5p 5p"),
        ("321m", "1m 2m 3m"),
        ("78sSSS", "7s 8s S S S"),
        ("55pP", "5p 5p P"),
        ("一二三万", "1m 2m 3m"),
        ("1二3万", "1m 2m 3m"),
        ("１二3萬", "1m 2m 3m"),
        ("一2３m", "1m 2m 3m"),
        ("123万", "1m 2m 3m"),
        ("伍万伍万", "5m 5m"),
        ("伍五5两万", "2m 5m 5m 5m"),
        ("两万二万", "2m 2m"),
        ("幺万幺饼幺筒幺鸡", "1m 1p 1p 1s"),
        ("么萬么餅么筒么雞", "1m 1p 1p 1s"),
        ("八条八條八索", "8s 8s 8s"),
        ("三筒三饼三餅", "3p 3p 3p"),
        ("东东", "E E"),
        ("东风东", "E E"),
        ("東風東風東", "E E E"),
        ("东南西北", "E S W N"),
        ("中发白", "C F P"),
        ("红中发财白板", "C F P"),
        ("紅中發財白板", "C F P"),
        ("红中中", "C C"),
        ("发发财", "F F"),
        ("白白板", "P P"),
        ("1234567z", "E S W N C F P"),
        ("77z66z", "C C F F"),
        ("🀇🀈🀉🀙🀡🀐🀘", "1m 2m 3m 1p 9p 1s 9s"),
        ("🀀🀁🀂🀃🀄🀅🀆", "E S W N C F P"),
        ("🀄\ufe0e🀄\ufe0f🀅\ufe0e", "C C F"),
        ("🀇\U000e0100🀇", "1m 1m"),
        ("1\u200b2\u200c3\u200dm\u2060\ufeff", "1m 2m 3m"),
        (" 1 2\t3\nm\r\n5 5\u3000p ", "1m 2m 3m 5p 5p"),
        ("\u00a0\u2003E\u2028", "E"),
        ("１２３ｍ　５５ｐＰ", "1m 2m 3m 5p 5p P"),
        ("东 风", "E"),
        ("", ""),
    ],
)
def test_runs_and_names_are_read_as_people_write_them(text: str, expected: str) -> None:
    assert codes(text) == expected


@pytest.mark.parametrize(
    ("text", "kind", "concealed", "special"),
    [
        ("(123m)", "sequence", False, None),
        ("(312m)", "sequence", False, None),
        ("(555p)", "triplet", False, None),
        ("(EEE)", "triplet", False, None),
        ("(8888p)", "gang", False, None),
        ("[8888p]", "gang", True, None),
        ("(1111s)", "gang", False, None),
        ("[1111s]", "gang", True, None),
        ("{ESWN}", "special-gang", False, "xuanfenggang"),
        ("{NWSEEE}", "special-gang", False, "xuanfenggang"),
        ("{CFP}", "special-gang", False, "xigang"),
        ("{PCFC}", "special-gang", False, "xigang"),
        ("{1m1p1s}", "special-gang", False, "yaodan"),
        ("{1s1p1m1s}", "special-gang", False, "yaodan"),
        ("{9m9p9s}", "special-gang", False, "jiudan"),
        ("{99m9p9s}", "special-gang", False, "jiudan"),
        ("（１２３ｍ）", "sequence", False, None),
        ("［８８８８ｐ］", "gang", True, None),
        ("｛东南西北｝", "special-gang", False, "xuanfenggang"),
        ("( 一 二 三 万 )", "sequence", False, None),
        ("{幺鸡幺饼幺万}", "special-gang", False, "yaodan"),
        ("(🀄🀄\ufe0e🀄)", "triplet", False, None),
        ("(555z)", "triplet", False, None),
    ],
)
def test_a_bracket_is_a_meld_told_by_its_tiles(
    text: str, kind: str, concealed: bool, special: str | None
) -> None:
    (meld,) = read(text).melds
    assert (meld.kind, meld.concealed, meld.special) == (kind, concealed, special)
    assert list(meld.tiles) == sorted(meld.tiles)


@pytest.mark.parametrize(
    "text",
    [
        "23m 88p 777s EEE (555p) +4m",
        "(555p) 23m 88p 777s EEE +4m",
        "23m (555p) 88p 777s EEE + 4m",
        "EEE23m777s(5 5 5p)88p ＋４ｍ",
        "东东东 二三万 (五五五筒) 七七七条 八八饼 +四万",
    ],
)
def test_melds_stand_anywhere_before_the_plus(text: str) -> None:
    assert notation.write(notation.parse(text, CHANGCHUN)) == "23m 88p 777s EEE (555p) +4m"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("PFC NWSE 9s1s 9p1p 9m1m +1m", "19m 19p 19s ESWNCFP +1m"),
        ("3s2s1s (321m) [2222z] {CPFC} (8888p) 1s1s +E", "11123s (123m) [SSSS] {CCFP} (8888p) +E"),
        ("{1s1p1m1s} 2m", "2m {1m1p1s1s}"),
        ("{9s9s9p9m9m}", "{9m9m9p9s9s}"),
        ("{EWSNN}", "{ESWNN}"),
        ("(123m)(555p)", "(123m) (555p)"),
        ("(555p)(123m)", "(555p) (123m)"),
        ("+4m", "+4m"),
        ("", ""),
    ],
)
def test_a_hand_is_written_in_canonical_order(text: str, written: str) -> None:
    assert notation.write(read(text)) == written
    assert notation.write(read(written)) == written


@pytest.mark.parametrize(
    "text", ["", " ", "12m", "EE", "0m", "x", "+1m", "(123m)", "1m2m", "m", "9" * 300 + "m"]
)
def test_what_is_not_exactly_one_tile_names_none(text: str) -> None:
    assert notation.parse_tile(text) is None


@given(SEEDS, st.sampled_from(sorted(SETS)))
@settings(max_examples=250, deadline=None)
def test_what_is_written_reads_back_as_the_same_hand(seed: int, ruleset: str) -> None:
    concealed, melds, winning = dealt(ruleset, seed)
    hand = hand_of(rules.ruleset(ruleset), concealed, melds, winning)
    again = notation.parse(notation.write(hand), SETS[ruleset])
    assert again == hand
    assert (again.all_counts, again.is_full, again.concealed) == (
        hand.all_counts,
        hand.is_full,
        hand.concealed,
    )
    assert notation.write(again) == notation.write(hand)


def spelled(rng: random.Random, tiles: list[str]) -> str:
    """Tiles in any order, each in any of its spellings or as part of a run, with space anywhere."""
    tiles = list(tiles)
    rng.shuffle(tiles)
    pieces = []
    while tiles:
        code = tiles.pop()
        if code[1:] and rng.random() < 0.5:
            run = [code, *[t for t in tiles if t[1:] == code[1:]][: rng.randrange(4)]]
            for t in run[1:]:
                tiles.remove(t)
            digits = "".join(rng.choice(SPACES[:4]) + rng.choice(DIGITS[int(t[0])]) for t in run)
            pieces.append(digits + rng.choice(SUITS[code[1]]))
        else:
            pieces.append(rng.choice(SPELLINGS[code]))
            if pieces[-1] >= "\U0001f000":
                pieces[-1] += rng.choice(["", *SELECTORS])
    return "".join(piece + rng.choice(SPACES) for piece in pieces)


@given(SEEDS, st.sampled_from(sorted(SETS)))
@settings(max_examples=350, deadline=None)
def test_a_hand_spelled_at_random_is_the_same_hand(seed: int, ruleset: str) -> None:
    concealed, melds, winning = dealt(ruleset, seed)
    rng = random.Random(seed)
    cuts = sorted(rng.randrange(len(concealed) + 1) for _ in melds)
    rng.shuffle(concealed)
    text = ""
    for (kind, tiles), start, end in zip(melds, [0, *cuts], [*cuts, len(concealed)], strict=False):
        opening, closing = dealing.BRACKETS.get(kind, "()")
        text += spelled(rng, concealed[start:end]) + rng.choice(BRACKETS[opening])
        text += spelled(rng, tiles) + rng.choice(BRACKETS[closing])
    text += spelled(rng, concealed[cuts[-1] if cuts else 0 :])
    if winning:
        text += rng.choice(BRACKETS["+"]) + rng.choice(SPACES) + rng.choice(SPELLINGS[winning])
    assert notation.parse(text, SETS[ruleset]) == hand_of(rules.ruleset(ruleset), concealed, melds, winning)


# What is refused


REFUSED = [
    # text, code, at, tiles
    ("55P", "bad-character", 0, ""),
    ("78S", "bad-character", 0, ""),
    ("e", "bad-character", 0, ""),
    ("0m", "bad-character", 0, ""),
    ("8z", "bad-character", 0, ""),
    ("9z", "bad-character", 0, ""),
    ("123", "bad-character", 0, ""),
    ("123m 55", "bad-character", 5, ""),
    ("123m 55 P", "bad-character", 5, ""),
    ("123m m", "bad-character", 5, ""),
    ("12M", "bad-character", 0, ""),
    ("123ME", "bad-character", 0, ""),
    ("77Z", "bad-character", 0, ""),
    ("z", "bad-character", 0, ""),
    ("17z18z", "bad-character", 4, ""),
    ("123m x", "bad-character", 5, ""),
    ("123m\u200b\ufe0f x", "bad-character", 7, ""),
    (" \t\u3000123m?", "bad-character", 7, ""),
    ("🀄\ufe0e🀄\ufe0e?", "bad-character", 4, ""),
    ("1 2 3 m 0 p", "bad-character", 8, ""),
    ("１２３ｍ　０ｐ", "bad-character", 5, ""),
    ("ｅ", "bad-character", 0, ""),
    ("风", "bad-character", 0, ""),
    ("东风风", "bad-character", 2, ""),
    ("红", "bad-character", 0, ""),
    ("红发", "bad-character", 0, ""),
    ("发板", "bad-character", 1, ""),
    ("财", "bad-character", 0, ""),
    ("板", "bad-character", 0, ""),
    ("鸡", "bad-character", 0, ""),
    ("一鸡", "bad-character", 0, ""),
    ("十万", "bad-character", 0, ""),
    ("零万", "bad-character", 0, ""),
    ("万", "bad-character", 0, ""),
    ("三", "bad-character", 0, ""),
    ("中风", "bad-character", 1, ""),
    ("123m,456p", "bad-character", 4, ""),
    ("123m\U0001f02b", "tile-not-in-set", 4, "\U0001f02b"),
    ("123m\U0001f02c", "bad-character", 4, ""),
    ("123m🂡", "bad-character", 4, ""),
    ("123m\ud800", "bad-character", 4, ""),
    ("123m\x00", "bad-character", 4, ""),
    ("(123m", "bad-character", 0, ""),
    ("5p [8888p", "bad-character", 3, ""),
    ("{CFP", "bad-character", 0, ""),
    ("123m)", "bad-character", 4, ""),
    ("]", "bad-character", 0, ""),
    ("}", "bad-character", 0, ""),
    ("((123m))", "bad-character", 1, ""),
    ("(123m [8888p])", "bad-character", 6, ""),
    ("(123m]", "bad-character", 5, ""),
    ("[8888p)", "bad-character", 6, ""),
    ("{CFP)", "bad-character", 4, ""),
    ("+", "bad-character", 0, ""),
    ("123m +", "bad-character", 5, ""),
    ("123m ++4m", "bad-character", 6, ""),
    ("123m +4m +5m", "bad-character", 9, ""),
    ("+4m 5m", "bad-character", 4, ""),
    ("+45m", "bad-character", 2, ""),
    ("+EE", "bad-character", 2, ""),
    ("+东东", "bad-character", 2, ""),
    ("123m +4m (555p)", "bad-character", 9, ""),
    ("123m + (555p)", "bad-character", 7, ""),
    ("(55+5p)", "bad-character", 1, ""),
    ("()", "bad-meld", 0, ""),
    ("[]", "bad-meld", 0, ""),
    ("{}", "bad-meld", 0, ""),
    ("123m ( )", "bad-meld", 5, ""),
    ("\u200b123m (12m)", "bad-meld", 6, "1m 2m"),
    ("(124m)", "bad-meld", 0, "1m 2m 4m"),
    ("(135m)", "bad-meld", 0, "1m 3m 5m"),
    ("(1m2p3s)", "bad-meld", 0, "1m 2p 3s"),
    ("(89m1p)", "bad-meld", 0, "8m 9m 1p"),
    ("(891m)", "bad-meld", 0, "8m 9m 1m"),
    ("(ESW)", "bad-meld", 0, "E S W"),
    ("(CFP)", "bad-meld", 0, "C F P"),
    ("(ESWN)", "bad-meld", 0, "E S W N"),
    ("(55p)", "bad-meld", 0, "5p 5p"),
    ("(1234m)", "bad-meld", 0, "1m 2m 3m 4m"),
    ("(5556p)", "bad-meld", 0, "5p 5p 5p 6p"),
    ("(1112m)", "bad-meld", 0, "1m 1m 1m 2m"),
    ("(11111m)", "bad-meld", 0, "1m 1m 1m 1m 1m"),
    ("[123m]", "bad-meld", 0, "1m 2m 3m"),
    ("[555p]", "bad-meld", 0, "5p 5p 5p"),
    ("[5556p]", "bad-meld", 0, "5p 5p 5p 6p"),
    ("{ESW}", "bad-meld", 0, "E S W"),
    ("{ESWNC}", "bad-meld", 0, "E S W N C"),
    ("{CF}", "bad-meld", 0, "C F"),
    ("{CCCC}", "bad-meld", 0, "C C C C"),
    ("{1m1p}", "bad-meld", 0, "1m 1p"),
    ("{1m1p1s9s}", "bad-meld", 0, "1m 1p 1s 9s"),
    ("{1m1p2s}", "bad-meld", 0, "1m 1p 2s"),
    ("{1111s}", "bad-meld", 0, "1s 1s 1s 1s"),
    ("(123m) (55p) [8p]", "bad-meld", 7, "5p 5p"),
    ("\U0001f022", "tile-not-in-set", 0, "\U0001f022"),
    ("123m \U0001f029\ufe0e", "tile-not-in-set", 5, "\U0001f029"),
    ("+\U0001f025", "tile-not-in-set", 1, "\U0001f025"),
    ("(\U0001f022\U0001f022\U0001f022)", "tile-not-in-set", 1, "\U0001f022"),
    ("11111m", "too-many-copies", 4, "1m"),
    ("1111m 1m", "too-many-copies", 6, "1m"),
    ("1111m +1m", "too-many-copies", 7, "1m"),
    ("+1m", "tile-count", None, ""),
    ("55p (555p)", "too-many-copies", 7, "5p"),
    ("(555p) 55p", "too-many-copies", 8, "5p"),
    ("[5555p] 123m 5p", "too-many-copies", 13, "5p"),
    ("[5555p] (555p)", "too-many-copies", 9, "5p"),
    ("{EEEESWN} E", "too-many-copies", 10, "E"),
    ("{EEEEESWN}", "too-many-copies", 5, "E"),
    ("{1m1p1s} 1111m", "too-many-copies", 12, "1m"),
    ("一一 1 1 m 幺万", "too-many-copies", 9, "1m"),
    ("东东东风东E", "too-many-copies", 5, "E"),
    ("🀄\ufe0e🀄\ufe0e🀄\ufe0e🀄\ufe0e🀄\ufe0e", "too-many-copies", 8, "C"),
    ("", "tile-count", None, ""),
    ("   ", "tile-count", None, ""),
    ("123m", "tile-count", None, ""),
    ("123m456p789sEEE", "tile-count", None, ""),
    ("123m456p789sEEESSS", "tile-count", None, ""),
    ("123m456p789sEEE+S", "tile-count", None, ""),
    ("123m456p789sEEES+SS", "bad-character", 18, ""),
    ("(123m)(456m)(789m)(123p)(456p)", "tile-count", None, ""),
    ("(123m)(456m)(789m)(123p)", "tile-count", None, ""),
]
REFUSED_IN_CHANGSHA = [
    ("E", "tile-not-in-set", 0, "E"),
    ("123m 1z", "tile-not-in-set", 5, "E"),
    ("123m 红中", "tile-not-in-set", 5, "C"),
    ("(EEE)", "tile-not-in-set", 1, "E"),
    ("[PPPP] 123m", "tile-not-in-set", 1, "P"),
    ("123m\U0001f022", "tile-not-in-set", 4, "\U0001f022"),
    ("{ESWN}", "bad-meld", 0, "E S W N"),
    ("123m {CFP}", "bad-meld", 5, "C F P"),
    ("{1m1p1s}", "bad-meld", 0, "1m 1p 1s"),
    ("{9m9p9s}", "bad-meld", 0, "9m 9p 9s"),
    ("{}", "bad-meld", 0, ""),
]


@pytest.mark.parametrize(
    ("ruleset", "text", "code", "at", "tiles"),
    [("changchun", *row) for row in REFUSED] + [("changsha", *row) for row in REFUSED_IN_CHANGSHA],
    ids=ascii,
)
def test_what_cannot_be_read_is_refused_with_its_code_place_and_tiles(
    ruleset: str, text: str, code: str, at: int | None, tiles: str
) -> None:
    error = refusal(text, ruleset)
    assert (error.code, error.at) == (code, at)
    assert [t.code for t in error.tiles] == tiles.split()
    assert error.message.en.strip()
    assert error.message.zh.strip()


@pytest.mark.parametrize("number", [5, 8, 12, 13, 14, 16, 17, 20, 32])
@pytest.mark.parametrize("piece", ["1m", "9s", "5p", "E", "P"])
def test_the_fifth_copy_is_named_however_many_more_follow(piece: str, number: int) -> None:
    for text in (piece[0] * number + piece[1:], " ".join([piece] * number)):
        error = refusal(text)
        place = 4 if " " not in text else 4 * (len(piece) + 1)
        assert (error.code, error.at, [t.code for t in error.tiles]) == ("too-many-copies", place, [piece])


@pytest.mark.parametrize("number", [5, 8, 12, 13, 14, 16, 17, 20, 32])
def test_the_fifth_copy_inside_a_special_gang_is_named_however_many_more_follow(number: int) -> None:
    error = refusal("123456789m 2p {" + "E" * number + "SWN}")
    assert (error.code, error.at) == ("too-many-copies", 19)


def test_a_text_is_too_long_before_anything_else() -> None:
    longest = "1" * notation.MAX_LENGTH
    assert refusal(longest).code == "bad-character"
    assert (refusal(longest + "1").code, refusal(longest + "1").at) == ("too-long", None)
    assert refusal("(" * 100_000).code == "too-long"
    assert notation.parse("12355m 45678p 789s".ljust(notation.MAX_LENGTH), CHANGSHA)


@pytest.mark.parametrize(
    ("text", "ruleset", "code", "at"),
    [
        ("(12m) E 11111m x", "changsha", "bad-character", 15),
        ("{ESWN} (12m) 5", "changsha", "bad-character", 13),
        ("🀢 11111m (12m)", "changchun", "bad-meld", 9),
        ("EEEEE {ESWN}", "changsha", "bad-meld", 6),
        ("E (12m)", "changsha", "bad-meld", 2),
        ("11111m 🀢", "changchun", "tile-not-in-set", 7),
        ("11111m E", "changsha", "tile-not-in-set", 7),
        ("E 🀢", "changsha", "tile-not-in-set", 0),
        ("(123m)(123m)(123m)(123m)(123m)", "changchun", "too-many-copies", 25),
        ("55555p", "changsha", "too-many-copies", 4),
        ("22222m 11111m", "changsha", "too-many-copies", 4),
        ("1m 2222m 1111m 2m", "changsha", "too-many-copies", 12),
        ("(123m)(456m)(789m)(123p)(456p)55s+5s", "changsha", "tile-count", None),
    ],
)
def test_what_comes_first_is_reported_first(text: str, ruleset: str, code: str, at: int | None) -> None:
    error = refusal(text, ruleset)
    assert (error.code, error.at) == (code, at)


def test_a_hand_of_the_wrong_size_says_how_many_tiles_it_lacks() -> None:
    assert refusal("123m 456p").missing == 8
    assert refusal("123m 456p 789s EEE SSS").missing == -1
    assert refusal("123m").tiles == ()
    assert refusal("x").missing is None


def test_flowers_can_be_named_but_belong_to_neither_game() -> None:
    assert len(FLOWERS) == 10
    for flower in FLOWERS:
        for ruleset in SETS:
            error = refusal(f"1m{flower.code}", ruleset)
            assert (error.code, error.at, error.tiles) == ("tile-not-in-set", 2, (flower,))


# The two ways through a text


FRAGMENTS = [
    *"123456789",
    *"mpszESWNCFP",
    *"()[]{}+",
    *" 0e风鸡万饼条东中发白幺一二\u200b\ufe0f\U0001f007\U0001f022",
    *(
        "123m",
        "55p",
        "789s",
        "111m",
        "1111m",
        "999s",
        "EEE",
        "东风",
        "红中",
        "发财",
        "白板",
        "幺鸡",
        "17z",
        "8z",
    ),
    *(
        "(123m)",
        "(555p)",
        "(8888p)",
        "[8888p]",
        "{ESWN}",
        "{CFP}",
        "{1m1p1s}",
        "{9m9p9s}",
        "{CCFP}",
        "+4m",
        "+E",
    ),
    *("(", "){", "[]", "(12m)", "[555p]", "+45m", "1234567m", "EEEE"),
]


def quickly(text: str, ruleset: str) -> tuple | None:
    """What the quick way reads, None where it gives up."""
    try:
        hand, size = notation._quick(text.translate(notation._FOLD), SETS[ruleset])
    except notation._Irregular:
        return None
    return hand, hand.all_counts, hand.is_full, size


def carefully(text: str, ruleset: str) -> tuple | None:
    """What the careful way reads, None where it refuses."""
    try:
        hand, size = notation._careful(text, text.translate(notation._FOLD), SETS[ruleset])
    except HandError:
        return None
    return hand, hand.all_counts, hand.is_full, size


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=9).map("".join), st.sampled_from(sorted(SETS)))
@settings(max_examples=1500, deadline=None)
def test_the_quick_way_and_the_careful_way_agree(text: str, ruleset: str) -> None:
    quick, careful = quickly(text, ruleset), carefully(text, ruleset)
    assert quick == careful


@given(SEEDS, st.sampled_from(sorted(SETS)), st.data())
@settings(max_examples=300, deadline=None)
def test_the_two_ways_agree_on_a_hand_with_one_character_changed(
    seed: int, ruleset: str, data: st.DataObject
) -> None:
    text = dealing.notation(*dealt(ruleset, seed))
    at = data.draw(st.integers(0, len(text)))
    piece = data.draw(st.sampled_from(["", *FRAGMENTS]))
    text = text[:at] + piece + text[at + data.draw(st.integers(0, 1)) :]
    assert quickly(text, ruleset) == carefully(text, ruleset)


CODES = {"too-long", "bad-character", "bad-meld", "tile-not-in-set", "too-many-copies", "tile-count"}


def error_of(text: str, tile_set: TileSet) -> HandError | None:
    """The error that a text is refused with, None where it is a hand."""
    try:
        notation.parse(text, tile_set)
    except HandError as error:
        return error
    return None


ANYTHING = st.text(st.characters(exclude_categories=()), max_size=40)


@given(st.one_of(ANYTHING, st.lists(st.one_of(ANYTHING, st.sampled_from(FRAGMENTS))).map("".join)))
@settings(max_examples=600, deadline=None)
def test_no_text_raises_anything_but_a_hand_error(text: str) -> None:
    for tile_set in SETS.values():
        error = error_of(text, tile_set)
        if error:
            assert error.code in CODES
            assert error.at is None or 0 <= error.at < len(text)
            assert error.message.en
            assert error.message.zh
    notation.parse_tile(text)


@pytest.mark.parametrize(
    "text",
    [
        "\ud800" * 10,
        "\udfff",
        "\x00",
        "\x7f\x80\x9f",
        "1" * 100_000,
        "(" * 100_000,
        "\u200b" * 100_000,
        "🀄" * 100_000,
    ],
    ids=["surrogates", "low-surrogate", "null", "controls", "digits", "brackets", "nothing-visible", "tiles"],
)
def test_hostile_text_is_refused(text: str) -> None:
    assert refusal(text).code in ("bad-character", "too-long")
    assert notation.parse_tile(text) is None


@given(st.integers(0, 2**31), st.sampled_from(sorted(SETS)), st.sampled_from(["?", "0", "十", "\x00", "e"]))
@settings(max_examples=150, deadline=None)
def test_the_place_of_an_error_counts_what_is_skipped(seed: int, ruleset: str, bad: str) -> None:
    rng = random.Random(seed)
    concealed, _, _ = dealt(ruleset, seed)
    before = spelled(rng, concealed[:5])
    error = refusal(before + bad + spelled(rng, concealed[5:]), ruleset)
    assert (error.code, error.at) == ("bad-character", len(before))
