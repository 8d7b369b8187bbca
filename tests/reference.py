"""A second opinion on hands: both rulesets under every house rule, written the slow and plain way.

The engine reads shapes quickly, and quick code can be wrong in ways that its own examples don't show. This
module answers the same questions by trying everything: every split of the tiles into sets and a pair, every
tile that might be a wait. It shares no line with the engine, uses no table and skips no branch, so that where
the two differ one of them has misread a rule.

Tiles are codes: "1m" to "9m", the same with p and s, E S W N and C F P. A hand is `concealed` (codes, without
the winning tile), `melds` (pairs of kind and codes; the kinds are "chi", "peng", "exposed-gang",
"concealed-gang" and "special-gang") and `winning` (a code or None). It is taken to be valid: the right number
of tiles, no fifth copy, circumstances that can be.

A reading is a tuple `(sets, pair, fails)`: `sets` is the sorted tuple of the sets as text, melds in their
brackets ("123m", "EEE", "(555p)", "[8888p]", "{1m1p1s1s}"); `pair` is text such as "77s"; `fails` is the
sorted tuple of the rules that this reading breaks. Seven pairs have seven two-tile sets and no pair (None).
A 将将胡 (every tile a 2, 5 or 8) without any structure has no sets and no pair: `((), None, ())`.
"""

SUITS = "mps"
NUMBERED = [f"{number}{suit}" for suit in SUITS for number in range(1, 10)]
WINDS = ["E", "S", "W", "N"]
DRAGONS = ["C", "F", "P"]
CANONICAL = NUMBERED + WINDS + DRAGONS
LOOSE = "loose"  # stands for the sets of a hand that wins without structure
TILES = {"changchun": CANONICAL, "changsha": NUMBERED}

FAN = {
    "pinghu": 1,
    "fangpao": 1,
    "zimo": 1,
    "jiahu": 1,
    "baopai": 2,
    "duibao": 2,
    "piaohu": 2,
    "zhuanghu": 1,
    "lihu": 1,
}

# What tables play differently, the default first: the options that a hand or what it is paid depends on.
HOUSE_RULES = {
    "changchun": {
        "dragon-pair-waives-triplet": ("yes", "no"),
        "special-gang-in-piaohu": ("yes", "no"),
        "special-gang-counts-suits": ("yes", "no"),
        "concealed-gang-keeps-lihu": ("no", "yes"),
        "special-gang-keeps-lihu": ("no", "yes"),
        "jiahu": ("shape-and-only-wait", "shape", "only-wait"),
        "duibao-includes-baopai": ("yes", "no"),
        "must-declare-ting": ("no", "yes"),
        "seven-pairs": ("no", "yes"),
        "points": ("linear", "doubling", "two-to-fan-cap-6"),
        "discard-pays": ("discarder", "everyone", "discarder-for-all"),
        "losing-dealer-pays-extra": ("no", "yes"),
    },
    "changsha": {
        "moments-need-258": ("yes", "no"),
        "jiangjianghu-needs-shape": ("no", "yes"),
        "three-fours": ("4", "6"),
        "quanqiuren-concealed-gang": ("yes", "no"),
        "birds": ("2", "1", "4", "6", "0"),
        "bird-count-up": ("double", "add"),
        "bird-origin": ("dealer", "winner"),
    },
}


def house(ruleset, options):
    """The answer of a table to every question above; what `options` leave out is played by default."""
    return {key: (options or {}).get(key, values[0]) for key, values in HOUSE_RULES[ruleset].items()}


def judge(
    ruleset,
    concealed,
    melds,
    winning,
    *,
    by="discard",
    seat=1,
    listening=False,
    bao=None,
    moments=(),
    options=None,
    waits=True,
):
    """Judge a hand; the answer is a dict with the keys that stand in `answer` below.

    `options` are house rules by key; the waits depend on them and on the circumstances as the win does.

    A full hand without a winning tile is judged, less what depends on that tile; with one tile short only the
    waits are told, `fails` and `readings` are empty. `fails` is that of the reading that breaks fewest rules,
    ["shape"] where there is no reading. `waits` maps a tile to the copies left, `blocked` to those copies and
    the rules that bar it. `stands_for` is the tile a drawn bao that wins is taken for, else None.
    `waits=False` leaves `waits` and `blocked` None where there is a winning tile, which is quicker.
    """
    concealed = in_order(concealed)
    one_short, unmarked = form_of(concealed, melds, winning)
    table = house(ruleset, options) | {"by": by, "seat": seat, "listening": listening, "moments": moments}
    drawn_bao = by == "self-draw" and listening and winning is not None and winning == bao
    readings = [] if one_short else readings_of(ruleset, concealed, melds, winning, table)
    answer = {
        "state": "not-win",
        "wins": False,
        "fails": [],
        "patterns": {},
        "fan": None,
        "big_wins": None,
        "readings": [],
        "waits": {} if unmarked or waits else None,
        "blocked": {} if unmarked or waits else None,
        "stands_for": None,
    }

    legal = []
    may_be_jiahu = ruleset == "changchun" and any(reading_wins(reading) for reading in readings)
    if not unmarked and (one_short or waits or drawn_bao or may_be_jiahu):
        legal, barred = tiles_waited_for(ruleset, concealed, melds, table)
        if one_short or waits:
            whole = concealed + tiles_of(melds) + ([winning] if winning else [])
            answer["waits"] = {tile: 4 - whole.count(tile) for tile in legal}
            answer["blocked"] = {tile: (4 - whole.count(tile), fails) for tile, fails in barred.items()}
    if one_short:
        answer["state"] = "ready" if legal else "not-ready"
        return answer

    completing = winning
    if drawn_bao and legal:
        completing = best_stand_in(concealed, melds, bao, legal, table)
        readings = readings_of(ruleset, concealed, melds, completing, table)
        answer["stands_for"] = completing
    answer["readings"] = as_text(readings, melds)
    answer["fails"] = fewest_fails(readings)
    if answer["fails"]:
        return answer

    answer["state"], answer["wins"] = "win", True
    winners = [reading for reading in readings if reading_wins(reading)]
    if ruleset == "changchun":
        listed = [
            changchun_patterns(reading, melds, completing, legal, table, drawn_bao) for reading in winners
        ]
    else:
        listed = [changsha_patterns(reading, concealed, melds, winning, table) for reading in winners]
    answer["patterns"] = max(listed, key=worth)
    answer["fan" if ruleset == "changchun" else "big_wins"] = worth(answer["patterns"])
    return answer


def form_of(concealed, melds, winning):
    """(one tile short, full without a winning tile); ValueError where the tiles make no hand."""
    missing = 14 - 3 * len(melds) - len(concealed)
    if missing == 1:
        return winning is None, False
    if missing == 0 and winning is None:
        return False, True
    raise ValueError(f"{len(concealed)} concealed tiles with {len(melds)} melds are no hand")


# Tiles and their text


def in_order(tiles):
    """The tiles in canonical order."""
    return sorted(tiles, key=CANONICAL.index)


def is_numbered(tile):
    """Whether the tile belongs to a suit."""
    return len(tile) == 2


def tiles_of(melds):
    """All tiles inside the melds."""
    return [tile for _, tiles in melds for tile in tiles]


def text(tiles):
    """A set of one suit or of honors as text: 123m, EEE."""
    tiles = in_order(tiles)
    if is_numbered(tiles[0]):
        return "".join(tile[0] for tile in tiles) + tiles[0][1]
    return "".join(tiles)


def meld_text(meld):
    """A meld in its brackets; a special gang is written tile by tile."""
    kind, tiles = meld
    if kind == "special-gang":
        return "{" + "".join(in_order(tiles)) + "}"
    if kind == "concealed-gang":
        return "[" + text(tiles) + "]"
    return "(" + text(tiles) + ")"


def sets_text(sets, melds):
    """All sets of a reading, melds included, as sorted text; none for a hand without structure."""
    if sets == LOOSE:
        return ()
    return tuple(sorted([text(one) for one in sets] + [meld_text(meld) for meld in melds]))


def as_text(readings, melds):
    """The readings in the form that this module's docstring describes, in an order that never changes."""
    written = [
        (sets_text(sets, melds), text(pair) if pair else None, fails) for sets, pair, fails in readings
    ]
    return sorted(written, key=str)


# Readings


def is_triplet(one):
    """Whether a concealed set of three is a triplet."""
    return len(one) == 3 and one[0] == one[1] == one[2]


def is_run(one):
    """Whether a concealed set of three is a sequence."""
    return len(one) == 3 and not is_triplet(one)


def run_from(tile):
    """The sequence that starts at this tile, None where there is none. Honors never run (CC-19)."""
    if not is_numbered(tile) or int(tile[0]) > 7:
        return None
    number, suit = int(tile[0]), tile[1]
    return (tile, f"{number + 1}{suit}", f"{number + 2}{suit}")


def without(tiles, taken):
    """The tiles less those taken, in the same order."""
    left = list(tiles)
    for tile in taken:
        left.remove(tile)
    return left


def splits(tiles, sets=(), pair=None):
    """Every way to split ordered tiles into sets of three and one pair, as a set of (sorted sets, pair).

    The smallest tile must be in the pair, a triplet or a sequence that it starts: each is tried.
    """
    if not tiles:
        return {(tuple(sorted(sets)), pair)} if pair else set()
    found = set()
    first = tiles[0]
    copies = tiles.count(first)
    run = run_from(first)
    if pair is None and copies >= 2:
        found |= splits(without(tiles, (first,) * 2), sets, (first,) * 2)
    if copies >= 3:
        found |= splits(without(tiles, (first,) * 3), (*sets, (first,) * 3), pair)
    if run and run[1] in tiles and run[2] in tiles:
        found |= splits(without(tiles, run), (*sets, run), pair)
    return found


def seven_pairs(tiles, melds):
    """The seven pairs of a hand without melds (CS-28, R24), None if it has not got them.

    Four alike are two pairs (shared rulings, "four alike in hand").
    """
    if melds or len(tiles) != 14:
        return None
    pairs = [tuple(tiles[at : at + 2]) for at in range(0, 14, 2)]
    return tuple(pairs) if all(a == b for a, b in pairs) else None


def is_258(tile):
    """Whether the tile may be a 将 in Changsha (CS-3)."""
    return tile[0] in "258"


def is_pairs(sets, pair):
    """Whether a reading is one of seven pairs."""
    return sets != LOOSE and pair is None


def readings_of(ruleset, concealed, melds, tile, table):
    """Every reading (sets, pair, fails) of the concealed tiles with `tile` (None adds nothing).

    `table` holds the house rules and the circumstances under their names. `sets` holds the concealed sets
    only, as tuples of codes; LOOSE marks a 将将胡 without structure, which is read only where the tiles have
    no other shape.
    """
    tiles = in_order(concealed + ([tile] if tile else []))
    shapes = list(splits(tiles))
    everything = tiles + tiles_of(melds)
    pairs = seven_pairs(tiles, melds)
    if pairs and (ruleset == "changsha" or table["seven-pairs"] == "yes"):
        shapes.append((pairs, None))
    if ruleset == "changchun":
        return [(sets, pair, changchun_fails(sets, pair, tiles, melds, table)) for sets, pair in shapes]
    if not shapes and all_258(everything, melds) and table["jiangjianghu-needs-shape"] == "no":
        shapes.append((LOOSE, None))
    return [(sets, pair, changsha_fails(sets, pair, melds, everything, table)) for sets, pair in shapes]


def reading_wins(reading):
    """Whether a reading breaks no rule."""
    return not reading[2]


def fewest_fails(readings):
    """The rules broken, as a list, by the reading that breaks fewest; ["shape"] where nothing is read."""
    if not readings:
        return ["shape"]
    return list(min((fails for _, _, fails in readings), key=lambda fails: (len(fails), fails)))


def tiles_waited_for(ruleset, concealed, melds, table):
    """(legal, barred): the tiles that win this hand, and those that complete a shape but break rules.

    A tile of which the hand holds all four can't be waited for (shared rulings, "waits").
    """
    held = concealed + tiles_of(melds)
    legal, barred = [], {}
    for tile in TILES[ruleset]:
        if held.count(tile) == 4:
            continue
        fails = fewest_fails(readings_of(ruleset, concealed, melds, tile, table))
        if not fails:
            legal.append(tile)
        elif fails != ["shape"]:
            barred[tile] = fails
    return legal, barred


def worth(patterns):
    """Fan, or big wins, of a set of patterns: everything adds (CC-84, S4)."""
    return sum(patterns.values())


# Changchun


def all_triplets(sets, melds):
    """Whether no set is a sequence or a pair: triplets and gangs, special gangs too (CC-68, CC-78, R3)."""
    return all(is_triplet(one) for one in sets) and all(kind != "chi" for kind, _ in melds)


def has_special_gang(melds):
    """Whether some meld is a special gang."""
    return any(kind == "special-gang" for kind, _ in melds)


def is_piaohu(sets, melds, table):
    """Whether the hand is a 飘胡 (CC-68, CC-78, R3)."""
    if table["special-gang-in-piaohu"] == "no" and has_special_gang(melds):
        return False
    return all_triplets(sets, melds)


def keeps_lihu(melds, table):
    """Whether the hand is a 立胡: nothing declared, or only what the table lets pass (CC-74, R6)."""
    passed = {
        "concealed-gang": table["concealed-gang-keeps-lihu"] == "yes",
        "special-gang": table["special-gang-keeps-lihu"] == "yes",
    }
    return all(passed.get(kind, False) for kind, _ in melds)


def has_triplet(sets, melds):
    """Whether some set is a triplet or a gang, in the hand or on the table (CC-72, R2)."""
    return any(is_triplet(one) for one in sets) or any(kind != "chi" for kind, _ in melds)


def changchun_fails(sets, pair, tiles, melds, table):
    """The rules of a Changchun win that a reading breaks; `tiles` are those outside the melds."""
    fails = []
    everything = tiles + tiles_of(melds)
    counted = everything  # R4: for three suits and 1 or 9, tiles inside special gangs too
    if table["special-gang-counts-suits"] == "no":
        counted = tiles + tiles_of([meld for meld in melds if meld[0] != "special-gang"])
    suits = {tile[1] for tile in counted if is_numbered(tile)}
    if suits != set(SUITS):  # CC-69
        fails.append("three-suits")
    ends = any(is_numbered(tile) and tile[0] in "19" for tile in counted)
    if not ends and all(is_numbered(tile) for tile in everything):  # CC-70, CC-71, R5
        fails.append("terminal-or-honor")
    dragons = any(tile in DRAGONS for tile in everything)
    waived = has_special_gang(melds) or (dragons and table["dragon-pair-waives-triplet"] == "yes")
    # CC-72, CC-73, R1, R2; seven pairs are not asked for a triplet (R24)
    if not has_triplet(sets, melds) and not waived and not is_pairs(sets, pair):
        fails.append("triplet")
    if len(melds) == 4 and not is_piaohu(sets, melds, table):  # CC-77, R7
        fails.append("single-tile-hand")
    if table["must-declare-ting"] == "yes" and not table["listening"]:  # R15
        fails.append("declared")
    return tuple(sorted(fails))


def fills_narrowly(sets, pair, tile):
    """Whether the tile may have completed an edge, a closed run or a pair of the reading (CC-66, R8)."""
    if is_pairs(sets, pair) or tile in pair:
        return True
    for one in sets:
        if is_run(one) and tile in one:
            closed = tile == one[1]
            edge = (tile == one[2] and one[0][0] == "1") or (tile == one[0] and one[2][0] == "9")
            if closed or edge:
                return True
    return False


def is_jiahu(sets, pair, completing, legal, table):
    """Whether the win is a 夹胡: a narrow shape, the only wait, or both, as the table asks (CC-66, R8)."""
    narrow = fills_narrowly(sets, pair, completing)
    only = legal == [completing]
    return {"shape-and-only-wait": narrow and only, "shape": narrow, "only-wait": only}[table["jiahu"]]


def changchun_patterns(reading, melds, completing, legal, table, drawn_bao):
    """The patterns of a winning reading.

    `completing` is the winning tile, for a drawn bao the tile it stands for.
    `legal` lists the tiles the hand waits for; without a winning tile (None) what depends on it is left out.
    """
    sets, pair, _ = reading
    by = table["by"]
    keys = ["pinghu"]
    if completing is not None:
        if by in ("discard", "robbed-gang"):  # R19: a robbed gang scores as 放炮
            keys.append("fangpao")
        if by in ("self-draw", "bao-match"):
            keys.append("zimo")
        if by == "bao-match":  # R10
            keys.append("duibao")
        if drawn_bao or (by == "bao-match" and table["duibao-includes-baopai"] == "yes"):  # R10, R11
            keys.append("baopai")
        if is_jiahu(sets, pair, completing, legal, table):
            keys.append("jiahu")
    if is_piaohu(sets, melds, table):
        keys.append("piaohu")
    if table["seat"] == 0:  # R14
        keys.append("zhuanghu")
    if keeps_lihu(melds, table):
        keys.append("lihu")
    return {key: FAN[key] for key in keys}


def best_stand_in(concealed, melds, bao, legal, table):
    """The legal wait a drawn bao stands for: the one that pays most (R11).

    Where several pay alike, the bao itself if it is one of them, else the first in canonical order.
    """
    pays = {}
    for tile in legal:
        readings = readings_of("changchun", concealed, melds, tile, table)
        winners = [one for one in readings if reading_wins(one)]
        pays[tile] = max(worth(changchun_patterns(one, melds, tile, legal, table, True)) for one in winners)
    best = [tile for tile in legal if pays[tile] == max(pays.values())]
    return bao if bao in best else best[0]


# Changsha


def all_258(everything, melds):
    """Whether the hand is a 将将胡: every tile a 2, 5 or 8, no 吃 (CS-16, CS-18, S3)."""
    return all(is_258(tile) for tile in everything) and all(kind != "chi" for kind, _ in melds)


def is_sets_and_pair(sets, pair):
    """Whether a reading is an ordinary one, four sets and a pair."""
    return sets != LOOSE and pair is not None


def one_suit(everything):
    """Whether all tiles are of one suit (CS-19)."""
    return len({tile[1] for tile in everything}) == 1


def is_quanqiuren(melds, table):
    """Whether the hand is down to one tile after four melds (CS-40, S10)."""
    if table["quanqiuren-concealed-gang"] == "no" and any(kind == "concealed-gang" for kind, _ in melds):
        return False
    return len(melds) == 4


def moment_frees_pair(table):
    """Whether the way of winning lets any pair do, 海底 apart (S2)."""
    freeing = ("tianhu", "dihu", "gangshanghua", "gangshangpao", "qiangganghu")
    happened = table["by"] == "robbed-gang" or any(moment in freeing for moment in table["moments"])
    return happened and table["moments-need-258"] == "no"


def changsha_fails(sets, pair, melds, everything, table):
    """The rules of a Changsha win that a reading breaks: pair-258 or none (CS-3, S1)."""
    if not is_sets_and_pair(sets, pair) or is_258(pair[0]):
        return ()
    freed = (
        all_triplets(sets, melds)  # 碰碰胡
        or one_suit(everything)  # 清一色
        or is_quanqiuren(melds, table)
        or moment_frees_pair(table)
    )
    return () if freed else ("pair-258",)


def qidui_pattern(pairs, table):
    """The name and worth of seven pairs, by how many tiles are there four times (CS-42, CS-43, S5)."""
    fours = len({pair for pair in pairs if pairs.count(pair) == 2})
    if fours == 0:
        return {"qidui": 1}
    if fours == 1:
        return {"haohua-qidui": 2}
    return {"chaohaohua-qidui": int(table["three-fours"]) if fours == 3 else 4}


def changsha_patterns(reading, concealed, melds, winning, table):
    """The patterns of a winning reading; a win with no big one is a small win, alone and worth 0 (S4)."""
    sets, pair, _ = reading
    everything = concealed + ([winning] if winning else []) + tiles_of(melds)
    patterns = {}
    if is_sets_and_pair(sets, pair):
        if all_triplets(sets, melds):  # CS-14
            patterns["pengpenghu"] = 1
        if is_quanqiuren(melds, table):
            patterns["quanqiuren"] = 1
    elif is_pairs(sets, pair):
        patterns.update(qidui_pattern(sets, table))
    if all_258(everything, melds):
        patterns["jiangjianghu"] = 1
    if one_suit(everything) and sets != LOOSE:  # S1: a one-suit hand still needs a shape
        patterns["qingyise"] = 1
    if winning is not None:
        for moment in table["moments"]:
            patterns[moment] = 1
        if table["by"] == "robbed-gang":
            patterns["qiangganghu"] = 1
    return patterns or {"xiaohu": 0}


# Who pays


def payments(ruleset, total, patterns, by, seat, discarder=None, birds=None, options=None, winning=None):
    """What each seat gains or loses by one win, as a list of four numbers that sum to nothing.

    `total` is fan or big wins, with the `patterns` it is made of (their keys are enough). `birds` are the
    bird tiles drawn, None where nobody said; `winning` is asked for only to know the bird of a 海底 win.
    """
    table = house(ruleset, options)
    if birds is None and any(moment in patterns for moment in ("haidilaoyue", "haidipao")):
        birds = [] if winning is None or table["birds"] == "0" else [winning]  # CS-68, S12
    change = [0, 0, 0, 0]
    for payer in (other for other in range(4) if other != seat):
        if ruleset == "changchun":
            points, who = changchun_share(total, by, seat, payer, discarder, table)
        else:
            points, who = changsha_share(total, by, seat, payer, discarder, birds or [], table)
        change[who] -= points
        change[seat] += points
    return change


def is_self_drawn(by):
    """Whether everybody pays for the win."""
    return by in ("self-draw", "bao-match")


def fan_to_points(fan, table):
    """The points that so many fan are worth, in stakes (R12)."""
    if table["points"] == "doubling":
        return 2 ** (fan - 1)
    if table["points"] == "two-to-fan-cap-6":
        return 2 ** min(fan, 6)
    return fan


def changchun_share(fan, by, seat, loser, discarder, table):
    """(points, who pays them): what one loser owes, and who puts it on the table (CC-64, CC-65, R13, R14)."""
    if table["losing-dealer-pays-extra"] == "yes" and loser == 0:
        fan += 1
    if is_self_drawn(by) or loser == discarder:
        return fan_to_points(fan, table), loser
    if table["discard-pays"] == "discarder":
        return 0, loser
    # The +1 of a discard win is in the discarder's own share alone.
    points = fan_to_points(fan - 1, table)
    return points, discarder if table["discard-pays"] == "discarder-for-all" else loser


def changsha_share(big_wins, by, seat, loser, discarder, birds, table):
    """(points, who pays them): what one loser owes, birds counted (CS-44 to CS-57, CS-64 to CS-67)."""
    if not is_self_drawn(by) and loser != discarder:
        return 0, loser
    dealer = 1 if 0 in (seat, loser) else 0
    points = (6 + dealer) * big_wins if big_wins else 1 + dealer
    return points * bird_factor(birds, seat, loser, table), loser


def bird_seat(bird, winner, table):
    """The seat on which a bird falls: 1, 5 and 9 on the one that counting starts from, and so on (CS-64)."""
    origin = winner if table["bird-origin"] == "winner" else 0
    return (origin + int(bird[0]) - 1) % 4


def bird_factor(birds, winner, loser, table):
    """What the birds make of a payment: each counts that falls on its receiver or on its payer (S11)."""
    hits = sum(1 for bird in birds if bird_seat(bird, winner, table) in (winner, loser))
    return 1 + hits if table["bird-count-up"] == "add" else 2**hits
