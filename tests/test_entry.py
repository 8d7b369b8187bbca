"""Entering a hand by keys: what each press makes of the text, and what it says when it can't."""

from __future__ import annotations

import pytest

import rules
from rules import Text, notation
from rules.tiles import TILES, tile
from tutor.checker.entry import (
    CHI,
    CONCEALED_GANG,
    EXPOSED_GANG,
    MAX_ACTIONS,
    PENG,
    SPECIAL,
    TILE,
    WINNING,
    Entry,
    act,
    modes_of,
    past_from,
    tile_set_of,
    why_not,
)

CHANGCHUN = rules.ruleset("changchun").tiles
CHANGSHA = rules.ruleset("changsha").tiles
SETS = {"changchun": CHANGCHUN, "changsha": CHANGSHA}
THIRTEEN = "123m 45556p 78s SSS"
UNDO_KEPT = 20


def pressed(text: str, *actions: str, mode: str = TILE, ruleset: str = "changchun") -> Entry:
    """The entry after some actions on a text."""
    return act(Entry(text=text, mode=mode), actions, SETS[ruleset])


def assert_unchanged(text: str, *actions: str, mode: str = TILE, ruleset: str = "changchun") -> Entry:
    """These actions change nothing and leave a notice in both languages, which is returned."""
    entry = pressed(text, *actions, mode=mode, ruleset=ruleset)
    assert (entry.text, entry.past, entry.mode) == (text, (), mode)
    assert entry.notice
    assert entry.notice.en.strip()
    assert entry.notice.zh.strip()
    return entry


# What a key makes


@pytest.mark.parametrize(
    ("mode", "text", "key", "made"),
    [
        (TILE, "", "5m", "5m"),
        (TILE, "123m", "E", "123m E"),
        (TILE, "55p", "1m", "1m 55p"),
        (TILE, "一二三万", "5p", "123m 5p"),
        (TILE, "12m +9s", "3m", "123m +9s"),
        (TILE, THIRTEEN, "9s", f"{THIRTEEN} +9s"),
        (TILE, "5p (123m) (222p) (777s) (999m)", "5p", "5p (123m) (222p) (777s) (999m) +5p"),
        (CHI, "", "1m", "(123m)"),
        (CHI, "55p", "7s", "55p (789s)"),
        (CHI, "(123m)", "1m", "(123m) (123m)"),
        (PENG, "", "5p", "(555p)"),
        (PENG, "(123m)", "E", "(123m) (EEE)"),
        (PENG, "5p", "5p", "5p (555p)"),
        (EXPOSED_GANG, "", "8p", "(8888p)"),
        (EXPOSED_GANG, "12m", "1s", "12m (1111s)"),
        (CONCEALED_GANG, "", "8p", "[8888p]"),
        (CONCEALED_GANG, "12m (123m)", "C", "12m (123m) [CCCC]"),
        (SPECIAL, "", "E", "{ESWN}"),
        (SPECIAL, "", "N", "{ESWN}"),
        (SPECIAL, "", "F", "{CFP}"),
        (SPECIAL, "12m", "1p", "12m {1m1p1s}"),
        (SPECIAL, "", "9m", "{9m9p9s}"),
        (SPECIAL, "{CFP}", "E", "{CFP} {ESWN}"),
        (WINNING, "", "4m", "+4m"),
        (WINNING, "12m", "3m", "12m +3m"),
        (WINNING, THIRTEEN, "9s", f"{THIRTEEN} +9s"),
    ],
)
def test_a_key_adds_what_its_mode_says(mode: str, text: str, key: str, made: str) -> None:
    entry = pressed(text, f"key:{key}", mode=mode)
    assert (entry.text, entry.notice) == (made, None)
    assert entry.past == (text,)


@pytest.mark.parametrize("mode", modes_of(CHANGCHUN))
def test_after_a_press_the_next_key_adds_a_tile_again(mode: str) -> None:
    entry = pressed("", "key:1m", "key:2m", mode=mode)
    assert entry.mode == TILE
    assert notation.parse_unfinished(entry.text, CHANGCHUN).concealed[-1:] == (tile("2m"),)


@pytest.mark.parametrize(
    ("text", "key", "made"),
    [
        ("{CFP}", "C", "{CCFP}"),
        ("{CCFP}", "P", "{CCFPP}"),
        ("{ESWN}", "E", "{EESWN}"),
        ("{1m1p1s}", "1s", "{1m1p1s1s}"),
        ("12m (123p) {9m9p9s} [5555s]", "9p", "12m (123p) {9m9p9p9s} [5555s]"),
        # An addition takes no room: a gang counts as three, however many tiles it has.
        ("23488m 567p 34s {CFP}", "F", "23488m 567p 34s {CFFP}"),
        ("23488m 567p 34s {CFP} +5s", "F", "23488m 567p 34s {CFFP} +5s"),
        ("2m {ESWN} {CFP} {1m1p1s} {9m9p9s}", "W", "2m {ESWWN} {CFP} {1m1p1s} {9m9p9s}"),
    ],
)
def test_a_tile_is_added_to_the_special_gang_that_is_there(text: str, key: str, made: str) -> None:
    entry = pressed(text, f"key:{key}", mode=SPECIAL)
    assert (entry.text, entry.notice) == (made, None)


def test_a_special_gang_grows_until_the_copies_are_used_up() -> None:
    entry = Entry()
    for held in ("{CFP}", "{CCFP}", "{CCCFP}", "{CCCCFP}"):
        entry = act(Entry(text=entry.text, mode=SPECIAL), ["key:C"], CHANGCHUN)
        assert (entry.text, entry.notice) == (held, None)
    assert_unchanged("{CCCCFP}", "key:C", mode=SPECIAL)
    assert_unchanged("{CFP} CCC", "key:C", mode=SPECIAL)


# What can't be pressed


@pytest.mark.parametrize(
    ("mode", "key", "said"),
    [
        (CHI, "8m", Text("For a chi, tap its lowest tile, 1 to 7.", "吃牌请点顺子里最小的那张。")),
        (CHI, "9s", Text("For a chi, tap its lowest tile, 1 to 7.", "吃牌请点顺子里最小的那张。")),
        (CHI, "E", Text("Winds and dragons make no sequence.", "风牌、中发白不能吃。")),
        (CHI, "P", Text("Winds and dragons make no sequence.", "风牌、中发白不能吃。")),
        (SPECIAL, "5m", Text("5万 is in no special gang.", "5万不能做特殊杠。")),
        (SPECIAL, "2p", Text("2饼 is in no special gang.", "2饼不能做特殊杠。")),
    ],
)
def test_a_key_that_starts_no_such_meld_says_so(mode: str, key: str, said: Text) -> None:
    assert assert_unchanged("12m", f"key:{key}", mode=mode).notice == said


@pytest.mark.parametrize(
    ("mode", "text", "key", "short"),
    [
        (TILE, "1111m", "1m", "1万"),
        (TILE, "(1111m)", "1m", "1万"),
        (TILE, "11m (123m) +1m", "1m", "1万"),
        (WINNING, "1111m", "1m", "1万"),
        (CHI, "3333m", "1m", "3万"),
        (CHI, "[2222m]", "1m", "2万"),
        (PENG, "55p", "5p", "5饼"),
        (PENG, "(456p) +5p", "5p", "5饼"),
        (EXPOSED_GANG, "5p", "5p", "5饼"),
        (CONCEALED_GANG, "(456p)", "5p", "5饼"),
        (SPECIAL, "WWWW", "E", "West"),
        (SPECIAL, "[PPPP]", "C", "White"),
    ],
)
def test_used_up_tiles_are_named(mode: str, text: str, key: str, short: str) -> None:
    notice = assert_unchanged(text, f"key:{key}", mode=mode).notice
    assert notice
    assert short in notice.en


@pytest.mark.parametrize(
    ("mode", "text", "key"),
    [
        (CHI, "123m 45556p 78s S", "1m"),
        (PENG, "123m 45556p 78s S", "E"),
        (EXPOSED_GANG, THIRTEEN, "1s"),
        (CONCEALED_GANG, THIRTEEN, "1s"),
        (SPECIAL, "123m 45556p 78s S", "C"),
        (PENG, f"{THIRTEEN} +9s", "E"),
        (PENG, "1m (123m) (456m) (789m) (123p)", "E"),
        (PENG, "(123m) (456m) (789m) (123p)", "E"),
        (PENG, "123m 45556p 789s SSS E", "E"),
    ],
)
def test_a_meld_needs_room_for_three(mode: str, text: str, key: str) -> None:
    assert_unchanged(text, f"key:{key}", mode=mode)


@pytest.mark.parametrize("mode", [CHI, PENG, EXPOSED_GANG, CONCEALED_GANG, SPECIAL])
def test_ten_tiles_leave_room_for_a_meld(mode: str) -> None:
    entry = pressed("345m 45556p 78s", "key:1m", mode=mode)
    assert entry.notice is None
    assert len(notation.parse_unfinished(entry.text, CHANGCHUN).melds) == 1


@pytest.mark.parametrize("ruleset", SETS)
def test_a_full_hand_takes_no_further_tile_in_silence(ruleset: str) -> None:
    """Fourteen tiles with none set apart: neither dropped nor replaced."""
    full = "123m 456m 789m 123p 55s"
    entry = assert_unchanged(full, "key:9s", ruleset=ruleset)
    assert entry.notice == assert_unchanged(full, "win:9s", ruleset=ruleset).notice


def test_a_tile_of_another_game_says_that_this_one_has_none() -> None:
    for mode in (*modes_of(CHANGSHA), SPECIAL):
        notice = assert_unchanged("12m", "key:E", mode=mode, ruleset="changsha").notice
        assert notice
        assert "East" in notice.en
    assert_unchanged("12m", "key:\U0001f022")


def test_changsha_has_no_special_gangs() -> None:
    assert SPECIAL in modes_of(CHANGCHUN)
    assert SPECIAL not in modes_of(CHANGSHA)
    assert_unchanged("12m", "key:1p", mode=SPECIAL, ruleset="changsha")


# The winning tile


def test_the_winning_tile_is_replaced_by_the_next_one() -> None:
    full = f"{THIRTEEN} +9s"
    for entry in (
        pressed(full, "key:6s"),
        pressed(full, "win:6s"),
        pressed(full, "key:6s", mode=WINNING),
        pressed("123m +9s", "out:1m", "key:1m", "win:6s"),
    ):
        assert entry.text.endswith(" +6s")
        assert entry.notice is None
    assert pressed("12m +9s", "win:3m").text == "12m +3m"


def test_a_winning_tile_of_the_last_copy_may_replace_itself() -> None:
    hand = "111m 45556p 78s SSS +1m"
    assert pressed(hand, "win:1m").text == hand
    assert pressed(hand, "key:1m").text == hand
    assert_unchanged("111m 4555p 78s SSS +1m", "key:1m")


@pytest.mark.parametrize(
    ("text", "key", "made"),
    [
        ("123m 45556p 789s SSS", "9s", "123m 45556p 78s SSS +9s"),
        ("123m 45556p 789s SSS", "5p", "123m 4556p 789s SSS +5p"),
        ("55p (123m) (456m) (789m) (123p)", "5p", "5p (123m) (456m) (789m) (123p) +5p"),
        ("1111m 45556p 78s SSS", "1m", "111m 45556p 78s SSS +1m"),
    ],
)
def test_the_winning_tile_is_moved_out_of_a_full_hand(text: str, key: str, made: str) -> None:
    for entry in (pressed(text, f"win:{key}"), pressed(text, f"key:{key}", mode=WINNING)):
        assert (entry.text, entry.notice) == (made, None)


def test_win_sets_the_winning_tile_in_any_mode() -> None:
    for mode in modes_of(CHANGCHUN):
        entry = pressed(THIRTEEN, "win:9s", mode=mode)
        assert (entry.text, entry.mode) == (f"{THIRTEEN} +9s", TILE)


# Taking out


@pytest.mark.parametrize(
    ("text", "what", "made"),
    [
        ("123m", "2m", "13m"),
        ("55p", "5p", "5p"),
        ("5p", "5p", ""),
        ("55p +5p", "5p", "5p +5p"),
        ("12m +3m", "win", "12m"),
        ("12m (123m) [5555p] +3m", "meld0", "12m [5555p] +3m"),
        ("12m (123m) [5555p] +3m", "meld1", "12m (123m) +3m"),
        ("{CCFP}", "meld0", ""),
        ("EES", "E", "ES"),
        (f"{THIRTEEN} +9s", "S", "123m 45556p 78s SS +9s"),
    ],
)
def test_a_tile_a_meld_or_the_winning_tile_is_taken_out(text: str, what: str, made: str) -> None:
    entry = pressed(text, f"out:{what}")
    assert (entry.text, entry.past, entry.notice) == (made, (text,), None)


# Undo and clear


def test_undo_goes_back_one_action_at_a_time() -> None:
    entry = pressed("", "key:1m", "key:2m", "out:1m", "clear")
    assert entry.text == ""
    for text in ("2m", "12m", "1m", "", ""):
        entry = act(entry, ["undo"], CHANGCHUN)
        assert entry.text == text
    assert entry.past == ()


def test_undo_brings_back_what_was_typed_readable_or_not() -> None:
    for text in ("一二三万", "123m x", "1m" * 90):
        entry = pressed(text, "clear")
        assert entry.text == ""
        assert act(entry, ["undo"], CHANGCHUN).text == text


def test_undo_reaches_back_a_fixed_number_of_actions() -> None:
    keys = [f"key:{t.code}" for t in TILES[:9]] + [f"out:{t.code}" for t in TILES[:9]]
    entry = act(Entry(), keys * 2, CHANGCHUN)
    assert len(entry.past) == UNDO_KEPT
    back = act(entry, ["undo"] * UNDO_KEPT, CHANGCHUN)
    assert back.text == act(Entry(), (keys * 2)[:-UNDO_KEPT], CHANGCHUN).text
    assert act(back, ["undo"], CHANGCHUN) == back


def test_there_is_nothing_to_undo_or_clear_at_first() -> None:
    assert act(Entry(), ["undo", "clear"], CHANGCHUN) == Entry()


def test_what_changes_nothing_is_not_undone() -> None:
    entry = pressed("1111m", "key:1m", "out:9s", "nonsense", "key:2m")
    assert entry.past == ("1111m",)
    assert act(entry, ["undo"], CHANGCHUN).text == "1111m"


@pytest.mark.parametrize(
    "past",
    [
        (),
        ("",),
        ("", "1m"),
        ("1m", ""),
        ("1m", "", "1m"),
        ("", ""),
        ("一二三万", "123m (555p) +4m", "{CCFP}"),
        tuple(f"{n % 9 + 1}m" for n in range(UNDO_KEPT)),
    ],
)
def test_earlier_texts_survive_a_form_field(past: tuple[str, ...]) -> None:
    assert past_from(Entry(past=past).past_as_text) == past


@pytest.mark.parametrize("number", [1, 2, 3, 5])
def test_undo_goes_all_the_way_back_though_the_past_travels_in_a_form_field(number: int) -> None:
    """Each press is a request of its own."""
    entry = Entry()
    for n in range(number):
        sent = Entry(text=entry.text, past=past_from(entry.past_as_text))
        entry = act(sent, [f"key:{n + 1}m"], CHANGCHUN)
    for _ in range(number):
        sent = Entry(text=entry.text, past=past_from(entry.past_as_text))
        entry = act(sent, ["undo"], CHANGCHUN)
    assert entry.text == ""


def test_a_field_that_is_no_past_is_left_aside() -> None:
    assert past_from("1m" * 100_000) == ()
    assert len(past_from("1m~" * 100)) == UNDO_KEPT


def test_a_text_that_looks_like_several_is_not_kept_as_one() -> None:
    entry = pressed("1m~2m", "clear")
    assert past_from(entry.past_as_text) == entry.past
    assert "1m" not in entry.past


# What is left alone


@pytest.mark.parametrize(
    "action",
    [
        "",
        "key",
        "key:",
        "key:x",
        "key:10m",
        "key:5m5m",
        "key: 5m",
        "Key:5m",
        "KEY:5M",
        "win:",
        "out:",
        "out:9s",
        "out:E",
        "out:meld",
        "out:meld2",
        "out:meld-1",
        "out:meld99999999999999999999",
        "out:meldx",
        "out:\U0001f022",
        "add:5m",
        "Undo",
        "undo:1",
        "clear:1",
        "5m",
        "\x00",
        "\ud800",
        "key:\ud800",
        "~",
    ],
    ids=ascii,
)
@pytest.mark.parametrize("mode", [TILE, PENG, SPECIAL])
def test_an_unknown_action_does_nothing(action: str, mode: str) -> None:
    before = Entry(text="12m (123m) (555p) +3m", mode=mode, past=("12m",))
    assert act(before, [action], CHANGCHUN) == before


def test_taking_out_a_winning_tile_that_is_not_there_does_nothing() -> None:
    """Nor does it leave a step that undo would have to go back."""
    assert act(Entry(text="12m"), ["out:win"], CHANGCHUN) == Entry(text="12m")


@pytest.mark.parametrize(
    "text", ["x", "123", "(12m)", "1m~2m", "11111m", "\U0001f022", "1m" * 101, "(" * 500]
)
def test_keys_leave_a_text_alone_that_cannot_be_read(text: str) -> None:
    for action in ("key:1m", "win:1m", "out:1m"):
        assert_unchanged(text, action)


def test_a_hand_of_the_other_game_can_be_changed_but_gets_none_of_its_tiles() -> None:
    changsha = rules.ruleset("changsha").tiles
    assert act(Entry("EE"), ["key:1m", "out:E"], changsha).text == "1m E"
    assert act(Entry("1m {CFP}"), ["out:meld0"], changsha).text == "1m"
    assert assert_unchanged("EE", "key:E", ruleset="changsha").notice == Text(
        "This game has no East (东).", "这种麻将没有东风。"
    )


def test_a_notice_goes_with_the_next_action() -> None:
    stuck = assert_unchanged("1111m", "key:1m")
    assert act(stuck, ["key:2m"], CHANGCHUN).notice is None
    assert act(stuck, ["undo"], CHANGCHUN).notice is None


def test_no_more_than_so_many_actions_are_done_at_once() -> None:
    entry = act(Entry(), ["key:1m", "out:1m"] * (MAX_ACTIONS // 2) + ["key:2m"], CHANGCHUN)
    assert entry.text == ""
    assert act(Entry(), iter(["key:1m"] * 3), CHANGCHUN).text == "111m"


# Two games at once


def test_both_games_at_once_have_the_tiles_and_gangs_of_either() -> None:
    both = tile_set_of(rules.rulesets().values())
    assert set(both.tiles) == set(TILES)
    assert set(both.special_gangs) == set(CHANGCHUN.special_gangs)
    assert act(Entry(mode=SPECIAL), ["key:E", "key:5m"], both).text == "5m {ESWN}"
    assert tile_set_of([rules.ruleset("changsha")]) is CHANGSHA


# The reasons


def test_every_reason_is_the_notice_that_a_press_leaves() -> None:
    """What a key can't do it says beforehand; what it can do leaves no more than a full hand."""
    texts = ["", "1111m (123p) {CFP}", THIRTEEN, f"{THIRTEEN} +9s", "123m 45556p 789s SSS", "12m +3m"]
    for text in texts:
        hand = notation.parse_unfinished(text, CHANGCHUN)
        for mode in modes_of(CHANGCHUN):
            for kind in TILES:
                entry = pressed(text, f"key:{kind.code}", mode=mode)
                assert entry.notice == why_not(mode, hand, kind, CHANGCHUN)
                if entry.notice is None:
                    made = notation.parse_unfinished(entry.text, CHANGCHUN)
                    assert len(made.concealed) + 3 * len(made.melds) <= 13
                else:
                    assert entry.text == text
