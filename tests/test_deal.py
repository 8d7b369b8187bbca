"""What dealt tiles may be shown for, in both games, and what each brings."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

import rules
from rules import HandError, deal, notation
from rules.deal import Deal
from rules.hands import Hand


def dealt(ruleset: str, text: str, **options: str) -> Deal:
    game = rules.ruleset(ruleset).with_options({k.replace("_", "-"): v for k, v in options.items()})
    return deal.look(game, deal.read(game, text))


def keys(ruleset: str, text: str, **options: str) -> list[str]:
    return [opening.key for opening, _ in dealt(ruleset, text, **options).openings]


def shown(found: Deal, key: str) -> list[str]:
    ways = next(ways for opening, ways in found.openings if opening.key == key)
    return [notation.write_tiles(way.tiles) for way in ways]


def words(found: Deal, key: str) -> str:
    return " ".join(way.message.en for opening, ways in found.openings if opening.key == key for way in ways)


# Changchun


@pytest.mark.proves("CC-28", "CC-39")
def test_four_winds_dealt_may_be_shown_as_xuanfenggang() -> None:
    assert keys("changchun", "123m 456p 789s ESWN") == ["xuanfenggang"]
    assert keys("changchun", "123m 456p 789s EESW") == []


@pytest.mark.proves("CC-30", "CC-39")
def test_three_dragons_dealt_may_be_shown_as_xigang() -> None:
    found = dealt("changchun", "123m 456p 7899s CFP")
    assert shown(found, "xigang") == ["CFP"]
    assert keys("changchun", "123m 456p 7899s CCF") == []


@pytest.mark.proves("CC-32", "CC-39")
def test_the_three_ones_dealt_may_be_shown_as_yaodan() -> None:
    assert shown(dealt("changchun", "123m 156p 1789s ESW"), "yaodan") == ["1m 1p 1s"]


@pytest.mark.proves("CC-34", "CC-39")
def test_the_three_nines_dealt_may_be_shown_as_jiudan() -> None:
    assert shown(dealt("changchun", "129m 569p 1789s ESW"), "jiudan") == ["9m 9p 9s"]


@pytest.mark.proves("CC-36", "R16", "dadan-1m=no", "dadan-1m=yes")
def test_four_alike_of_the_named_tiles_are_a_dadan() -> None:
    for four in ("1111p", "1111s", "CCCC", "FFFF", "PPPP"):
        rest = "234m 56p 78s EE" if four[-1] in "CFP" else "234m 56m 78m EE"
        assert keys("changchun", f"{four} {rest}") == ["dadan"], four
    for four in ("9999p", "5555s", "EEEE"):
        assert keys("changchun", f"{four} 234m 56m 78m CC") == [], four
    assert keys("changchun", "1111m 234p 56p 78p EE") == []
    assert keys("changchun", "1111m 234p 56p 78p EE", dadan_1m="yes") == ["dadan"]


@pytest.mark.proves("CC-41", "CC-29", "CC-33")
def test_others_may_add_further_tiles_of_the_kind_at_once() -> None:
    found = dealt("changchun", "12m 11p 1s EESWN 78s 9p")
    assert "East (东), which may be added at once" in words(found, "xuanfenggang")
    assert "1饼, which may be added at once" in words(found, "yaodan")


@pytest.mark.proves("CC-40", "R17")
def test_the_dealer_may_not_add_before_the_first_discard() -> None:
    found = dealt("changchun", "123m 4p 11789s EESWN")
    assert found.is_dealer
    assert "not before the dealer's first discard" in words(found, "xuanfenggang")


@pytest.mark.proves("R17", "special-gang-twice=yes", "special-gang-twice=no")
def test_two_sets_of_a_kind_are_two_gangs_or_one_with_additions() -> None:
    text = "CCFFPP 1234567m"
    assert shown(dealt("changchun", text), "xigang") == ["CFP", "CFP"]
    once = dealt("changchun", text, special_gang_twice="no")
    assert shown(once, "xigang") == ["CFP"]
    assert "Red (中), Green (发) and White (白), which may be added at once" in words(once, "xigang")


# Changsha


@pytest.mark.proves("CS-8", "S9")
def test_queyise_is_a_missing_suit_and_counts_once_where_two_are_missing() -> None:
    one = dealt("changsha", "1134579m 123467p")
    assert [(o.key, len(ways)) for o, ways in one.openings] == [("queyise", 1)]
    assert "No bamboo (条)" in words(one, "queyise")
    two = dealt("changsha", "1123344556779m")
    assert [(o.key, len(ways)) for o, ways in two.openings] == [("queyise", 1)]
    assert "dots (筒) and bamboo (条)" in words(two, "queyise")
    assert "queyise" not in keys("changsha", "1134579m 12346p 8s")


@pytest.mark.proves("CS-9")
def test_sixi_is_four_alike() -> None:
    assert shown(dealt("changsha", "2222m 135p 147p 199s"), "sixi") == ["2222m"]
    assert "sixi" not in keys("changsha", "222m 1345p 147p 199s")


@pytest.mark.proves("CS-10", "S7")
def test_banbanhu_is_a_deal_without_any_2_5_or_8() -> None:
    assert keys("changsha", "1134m 1347p 13679s") == ["banbanhu"]
    for one in ("2m", "5p", "8s"):
        assert keys("changsha", f"134m 1347p 13679s {one}") == []


@pytest.mark.proves("CS-11")
def test_liuliushun_is_three_alike_twice() -> None:
    found = dealt("changsha", "555m 444s 1378m 1p 69p")
    assert shown(found, "liuliushun") == ["555m 444s"]
    assert "liuliushun" not in keys("changsha", "555m 44s 13789m 1p 69p")


@pytest.mark.proves("S8", "four-in-liuliushun=yes", "four-in-liuliushun=no")
def test_four_alike_count_as_three_in_liuliushun_at_most_tables() -> None:
    text = "5555m 444s 137m 1p 69p"
    assert keys("changsha", text) == ["sixi", "liuliushun"]
    assert keys("changsha", text, four_in_liuliushun="no") == ["sixi"]


@pytest.mark.proves("CS-12", "S6")
def test_tianhu_is_a_win_among_the_dealers_fourteen() -> None:
    assert keys("changsha", "123m 456p 789s 22p 345s") == ["tianhu"]
    assert keys("changsha", "123m 456p 789s 11p 345s") == []  # the pair must be 2, 5 or 8
    assert "tianhu" not in keys("changsha", "123m 456p 789s 22p 34s")


@pytest.mark.proves("S2", "moments-need-258=no")
def test_tianhu_may_have_any_pair_where_a_table_says_so() -> None:
    assert keys("changsha", "123m 456p 789s 11p 345s", moments_need_258="no") == ["tianhu"]


@pytest.mark.proves("CS-13", "S19")
def test_a_hand_ready_as_dealt_may_win_on_the_dealers_first_discard() -> None:
    found = dealt("changsha", "123m 456p 789s 22p 34s")
    assert found.is_ready
    assert [t.code for t in found.waits] == ["2s", "5s"]
    assert not dealt("changsha", "123m 456p 789s 11p 34s").is_ready
    # The dealer's own first discard is no chance for the dealer.
    assert not dealt("changsha", "123m 456p 789s 22p 34s 9m").is_ready


@pytest.mark.proves("CS-5", "S6")
def test_an_opening_pays_as_a_small_self_drawn_win() -> None:
    assert "2 points from the dealer and 1 from each" in words(
        dealt("changsha", "2222m 135p 147p 199s"), "sixi"
    )
    assert "The dealer gets 2 from each" in words(dealt("changsha", "2222m 135p 147p 199s 3m"), "sixi")


# Both


@pytest.mark.parametrize(
    ("ruleset", "text", "code", "at"),
    [
        ("changsha", "", "tile-count", None),
        ("changsha", "123m", "tile-count", None),
        ("changsha", "123456789m 123456p", "tile-count", None),
        ("changsha", "123456789m 123p E", "tile-not-in-set", 16),
        ("changsha", "11111m 12345678p", "too-many-copies", 4),
        ("changsha", "123456789m (123p) 4p", "bad-meld", 11),
        ("changsha", "123456789m （123p） 4p", "bad-meld", 11),
        ("changsha", "123456789m 123p +4p", "bad-character", 16),
        ("changsha", "123456789m 123p ＋4p", "bad-character", 16),
        ("changchun", "{CFP} 123456789m 1p", "bad-meld", 0),
        ("changchun", "1x", "bad-character", 0),
    ],
)
def test_tiles_that_are_no_deal_are_refused_with_the_place(
    ruleset: str, text: str, code: str, at: int | None
) -> None:
    with pytest.raises(HandError) as refused:
        dealt(ruleset, text)
    assert (refused.value.code, refused.value.at) == (code, at)
    assert refused.value.message.en.strip()
    assert refused.value.message.zh.strip()


def plain_openings(ruleset: str, codes: Sequence[str]) -> set[str]:
    """The same, counted by hand; 天胡 apart, which is a win."""
    times = {code: codes.count(code) for code in codes}
    if ruleset == "changchun":
        groups = {
            "xuanfenggang": ["E", "S", "W", "N"],
            "xigang": ["C", "F", "P"],
            "yaodan": ["1m", "1p", "1s"],
            "jiudan": ["9m", "9p", "9s"],
        }
        found = {key for key, group in groups.items() if all(code in times for code in group)}
        if any(times.get(code) == 4 for code in ("1p", "1s", "C", "F", "P")):
            found.add("dadan")
        return found
    found = set()
    if len({code[1] for code in codes}) < 3:
        found.add("queyise")
    if 4 in times.values():
        found.add("sixi")
    if not any(code[0] in "258" for code in codes):
        found.add("banbanhu")
    if sum(n >= 3 for n in times.values()) >= 2:
        found.add("liuliushun")
    return found


@pytest.mark.parametrize("ruleset", ["changchun", "changsha"])
def test_random_deals_hold_what_counting_finds(ruleset: str) -> None:
    game = rules.ruleset(ruleset)
    wall = [t for t in game.tiles.tiles for _ in range(4)]
    few = [t for t in wall if t.suit is None or t.rank in (1, 4, 9)]
    chance = random.Random(7)
    seen: set[str] = set()
    for n in range(3000):
        tiles = chance.sample(wall if n % 2 else few, 13 + n % 3 // 2)
        found = deal.look(game, Hand.of(tiles))
        got = {opening.key for opening, _ in found.openings if not opening.is_win}
        assert got == plain_openings(ruleset, [t.code for t in tiles]), tiles
        seen |= got
        for _, ways in found.openings:
            for way in ways:
                left = list(tiles)
                for t in way.tiles:
                    left.remove(t)  # every tile shown was dealt
    assert len(seen) >= 4
