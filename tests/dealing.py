"""Random hands for tests that compare two judges, with a seed so that a difference can be dealt again.

Tiles drawn blindly hardly ever make a winning hand, so a comparison on them would only prove that both
judges can say no. The dealers below each aim at one kind of hand in which scorers are known to err: several
readings, four alike, pairs that are also sequences, declared gangs, a hand one tile off. Whatever they deal
is valid: at most four copies of a tile, the right number of tiles, circumstances that can be.

Codes, melds and winning tile are those of `reference.judge`.
"""

import random

SUITS = "mps"
NUMBERED = [f"{number}{suit}" for suit in SUITS for number in range(1, 10)]
WINDS = ["E", "S", "W", "N"]
DRAGONS = ["C", "F", "P"]
CANONICAL = NUMBERED + WINDS + DRAGONS
TILES = {"changchun": CANONICAL, "changsha": NUMBERED}
ONES = ["1m", "1p", "1s"]
NINES = ["9m", "9p", "9s"]
SPECIAL_GANGS = [WINDS, DRAGONS, ONES, NINES]

MELD_KINDS = ["chi", "peng", "exposed-gang", "concealed-gang"]
NO_CHI = ["peng", "exposed-gang", "concealed-gang"]


class NoTilesError(Exception):
    """The wall can't serve what a dealer asked for; the hand is dealt anew."""


class Wall:
    """Four copies of every tile of the ruleset, from which a hand is taken."""

    def __init__(self, rng, ruleset):
        self.rng = rng
        self.ruleset = ruleset
        self.tiles = TILES[ruleset]
        self.left = dict.fromkeys(self.tiles, 4)

    def has(self, tiles):
        """Whether all these tiles are still there."""
        return all(self.left.get(tile, 0) >= tiles.count(tile) for tile in tiles)

    def take(self, choices):
        """Take one of several lists of tiles, any that is still there."""
        served = [tiles for tiles in choices if self.has(tiles)]
        if not served:
            raise NoTilesError
        tiles = list(self.rng.choice(served))
        for tile in tiles:
            self.left[tile] -= 1
        return tiles

    def take_copies(self, tiles, number):
        """Take a number of copies of one of these tiles."""
        return self.take([[tile] * number for tile in tiles])

    def draw(self, tiles, number):
        """Draw that many tiles blindly, of these kinds only."""
        pile = [tile for tile in tiles for _ in range(self.left[tile])]
        if len(pile) < number:
            raise NoTilesError
        drawn = self.rng.sample(pile, number)
        for tile in drawn:
            self.left[tile] -= 1
        return drawn


def in_order(tiles):
    """The tiles in canonical order."""
    return sorted(tiles, key=CANONICAL.index)


def runs(tiles):
    """Every sequence that these tiles allow."""
    found = []
    for tile in tiles:
        if tile in NUMBERED and int(tile[0]) <= 7:
            run = [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)]
            if all(one in tiles for one in run):
                found.append(run)
    return found


def suited(suits):
    """The tiles of these suits."""
    return [tile for tile in NUMBERED if tile[1] in suits]


# Parts of a hand


def take_set(wall, tiles, run_share):
    """A concealed set: a sequence with the probability `run_share`, else a triplet."""
    if wall.rng.random() < run_share:
        return wall.take(runs(tiles))
    return wall.take_copies(tiles, 3)


def take_meld(wall, tiles, kinds):
    """A declared meld of one of these kinds; special gangs may hold up to three added tiles."""
    kind = wall.rng.choice(kinds)
    if kind == "special-gang":
        return kind, take_special_gang(wall)
    if kind == "chi":
        return kind, wall.take(runs(tiles))
    return kind, wall.take_copies(tiles, 3 if kind == "peng" else 4)


def take_special_gang(wall):
    """A special gang of Changchun, often with additions."""
    gang = wall.rng.choice(SPECIAL_GANGS)
    taken = wall.take([gang])
    for _ in range(wall.rng.choice([0, 0, 1, 1, 2, 3])):
        if any(wall.left[tile] for tile in gang):
            taken += wall.take_copies(gang, 1)
    return in_order(taken)


def meld_kinds(wall):
    """All kinds of melds of the ruleset."""
    return MELD_KINDS + (["special-gang", "special-gang"] if wall.ruleset == "changchun" else [])


def complete(wall, *, tiles=None, pair=None, melds=None, kinds=None, run_share=0.6, declared=()):
    """A hand of four sets and a pair, as (concealed, melds): the shape is there, whatever the rules say.

    `declared` are melds that it has already, `melds` the number of further ones (None: any).
    """
    tiles = tiles or wall.tiles
    number = wall.rng.choice([0, 0, 0, 1, 1, 2, 2, 3, 4]) if melds is None else melds
    declared = list(declared) + [take_meld(wall, tiles, kinds or meld_kinds(wall)) for _ in range(number)]
    concealed = wall.take_copies(pair or tiles, 2)
    for _ in range(4 - len(declared)):
        concealed += take_set(wall, tiles, run_share)
    return concealed, declared


# Dealers: each takes a wall and returns (all concealed tiles of a full hand, melds)


def deal_any_win(wall):
    """Sets and a pair of all kinds, with up to four melds."""
    return complete(wall, run_share=wall.rng.choice([0.2, 0.5, 0.7, 1.0]))


def deal_near_miss(wall):
    """A hand of another kind with one concealed tile exchanged."""
    concealed, melds = wall.rng.choice(NEARLY)(wall)
    concealed.remove(wall.rng.choice(concealed))
    return concealed + wall.draw(wall.tiles, 1), melds


def deal_few_suits(wall):
    """Sets and a pair from one suit, or from two."""
    suits = wall.rng.sample(SUITS, wall.rng.choice([1, 1, 2]))
    number = wall.rng.choice([0, 0, 0, 1, 2])
    return complete(wall, tiles=suited(suits), melds=number, kinds=MELD_KINDS, run_share=0.7)


def deal_few_suits_blindly(wall):
    """Any tiles of one suit, or of two; few of them win, most read in part."""
    suits = wall.rng.sample(SUITS, wall.rng.choice([1, 1, 1, 2]))
    return wall.draw(suited(suits), 14), []


def deal_stacked(wall):
    """Three neighbours three times each, triplets as well as sequences, with another set and a pair."""
    first, suit = wall.rng.randint(1, 7), wall.rng.choice(SUITS)
    concealed = wall.take([[f"{first + step}{suit}" for step in range(3) for _ in range(3)]])
    near = [f"{number}{suit}" for number in range(max(1, first - 2), min(9, first + 4) + 1)]
    others = wall.rng.sample([other for other in SUITS if other != suit], 2)
    melds = []
    if wall.rng.random() < 0.3:
        melds.append(take_meld(wall, wall.tiles, meld_kinds(wall)))
    else:
        concealed += take_set(wall, wall.rng.choice([near, suited(others[0]), wall.tiles]), 0.6)
    return concealed + wall.take_copies(wall.rng.choice([near, suited(others[1]), wall.tiles]), 2), melds


def deal_seven_pairs(wall):
    """Seven pairs of which up to three are four alike, sometimes in one suit, sometimes all 2, 5 and 8."""
    kinds = [wall.tiles, wall.tiles, suited(wall.rng.choice(SUITS)), [t for t in NUMBERED if t[0] in "258"]]
    tiles = wall.rng.choice(kinds)
    fours = wall.rng.choice([0, 0, 1, 2, 3])
    concealed = []
    for _ in range(fours):
        concealed += wall.take_copies(tiles, 4)
    while len(concealed) < 14:
        concealed += wall.take_copies([tile for tile in tiles if tile not in concealed], 2)
    return concealed, []


def deal_pairs_and_runs(wall):
    """Hands such as 223344 556677 88: equal sequences and a pair, seven pairs as well as sets."""
    suits = wall.rng.sample(SUITS, wall.rng.choice([1, 2]))
    concealed = []
    for _ in range(2):
        concealed += wall.take([run * 2 for run in runs(suited(suits))])
    return concealed + wall.take_copies(wall.rng.choice([wall.tiles, suited(suits)]), 2), []


def deal_258(wall):
    """Only 2, 5 and 8, drawn blindly or as triplets, with up to four melds."""
    tiles = [tile for tile in NUMBERED if tile[0] in "258"]
    number = wall.rng.choice([0, 0, 1, 2, 3, 4])
    if wall.rng.random() < 0.4:
        return complete(wall, tiles=tiles, melds=number, kinds=NO_CHI, run_share=0)
    melds = [take_meld(wall, tiles, NO_CHI) for _ in range(number)]
    return wall.draw(tiles, 14 - 3 * number), melds


def deal_blindly(wall):
    """Any tiles, with up to four melds."""
    number = wall.rng.choice([0, 0, 0, 1, 2, 3, 4])
    melds = [take_meld(wall, wall.tiles, meld_kinds(wall)) for _ in range(number)]
    return wall.draw(wall.tiles, 14 - 3 * number), melds


def deal_triplets(wall):
    """Triplets and gangs only, special gangs among them in Changchun."""
    kinds = [kind for kind in meld_kinds(wall) if kind != "chi"]
    return complete(wall, kinds=kinds, run_share=0)


def deal_single_tile(wall):
    """Four melds, which leave one tile to wait with; sometimes without any 吃."""
    kinds = wall.rng.choice([meld_kinds(wall), [kind for kind in meld_kinds(wall) if kind != "chi"]])
    return complete(wall, melds=4, kinds=kinds)


def deal_no_terminals(wall):
    """A winning shape without 1, 9 and honors."""
    tiles = [tile for tile in NUMBERED if tile[0] not in "19"]
    number = wall.rng.choice([0, 0, 1, 2])
    return complete(wall, tiles=tiles, melds=number, kinds=MELD_KINDS)


def deal_suit_missing(wall):
    """A winning shape in two suits; honors may be there."""
    tiles = suited(wall.rng.sample(SUITS, 2)) + [tile for tile in wall.tiles if tile not in NUMBERED]
    kinds = meld_kinds(wall) if wall.rng.random() < 0.2 else MELD_KINDS
    return complete(wall, tiles=tiles, kinds=kinds)


def deal_runs_only(wall):
    """Four sequences with a pair of any kind: dragons, winds, 2-5-8 or another."""
    pairs = [wall.tiles, [tile for tile in NUMBERED if tile[0] in "258"]]
    if wall.ruleset == "changchun":
        pairs = [wall.tiles, DRAGONS, DRAGONS, WINDS]
    number = wall.rng.choice([0, 0, 1, 2, 3])
    return complete(
        wall, tiles=NUMBERED, pair=wall.rng.choice(pairs), melds=number, kinds=["chi"], run_share=1
    )


def deal_special_gangs(wall):
    """One or two special gangs, some of one kind, with other sets that may need what they waive."""
    gangs = [("special-gang", take_special_gang(wall)) for _ in range(wall.rng.choice([1, 1, 2]))]
    others = wall.rng.choice([0, 0, 1, 4 - len(gangs)])
    tiles = wall.rng.choice([wall.tiles, NUMBERED, [tile for tile in NUMBERED if tile[0] not in "19"]])
    run_share = wall.rng.choice([0, 0.8, 1])
    return complete(wall, tiles=tiles, melds=others, kinds=MELD_KINDS, run_share=run_share, declared=gangs)


def deal_three_suits(wall):
    """One set of each of two suits, on the table or not, and the rest from the third suit."""
    suits = wall.rng.sample(SUITS, 3)
    all_numbers = wall.rng.choice(["123456789", "2345678", "123456"])
    tiles = {suit: [tile for tile in suited(suit) if tile[0] in all_numbers] for suit in suits}
    concealed, melds = [], []
    for suit in suits[:2]:
        if wall.rng.random() < 0.4:
            melds.append(take_meld(wall, tiles[suit], MELD_KINDS))
        else:
            concealed += take_set(wall, tiles[suit], 0.6)
    if wall.rng.random() < 0.2:
        return concealed + wall.draw(tiles[suits[2]], 8), melds
    concealed += wall.take_copies(wall.rng.choice([tiles[suits[2]], wall.tiles]), 2)
    for _ in range(2):
        concealed += take_set(wall, tiles[suits[2]], 0.6)
    return concealed, melds


COMMON = [
    (deal_any_win, 5),
    (deal_near_miss, 4),
    (deal_few_suits, 3),
    (deal_few_suits_blindly, 2),
    (deal_stacked, 3),
    (deal_seven_pairs, 2),
    (deal_pairs_and_runs, 2),
    (deal_258, 2),
    (deal_blindly, 1),
    (deal_triplets, 2),
    (deal_single_tile, 1),
    (deal_no_terminals, 2),
    (deal_suit_missing, 1),
    (deal_runs_only, 2),
]
DEALERS = {
    "changchun": [*COMMON, (deal_special_gangs, 3), (deal_three_suits, 6), (deal_near_miss, 2)],
    "changsha": COMMON,
}
NEARLY = [
    deal_any_win,
    deal_few_suits,
    deal_stacked,
    deal_seven_pairs,
    deal_pairs_and_runs,
    deal_258,
    deal_triplets,
    deal_three_suits,
]


# The hand at the table


def hands(ruleset, seed, n):
    """Deal `n` hands as (concealed, melds, winning, circumstances), the same ones for the same seed.

    `winning` is None for a hand one tile short and for a full one in which no tile is marked. The
    circumstances are a dict with all of by, seat, from, listening, bao and moments; None, False and () mean
    not given.
    """
    rng = random.Random(f"{ruleset} {seed}")
    dealers, shares = zip(*DEALERS[ruleset], strict=True)
    dealt = 0
    while dealt < n:
        wall = Wall(rng, ruleset)
        try:
            tiles, melds = rng.choices(dealers, shares)[0](wall)
        except NoTilesError:
            continue
        rng.shuffle(melds)
        yield at_the_table(wall, in_order(tiles), melds)
        dealt += 1


def at_the_table(wall, tiles, melds):
    """Choose how the full hand came about: a winning tile, none marked, one tile short, or a bao drawn."""
    chance = wall.rng.random()
    if chance < 0.06:
        return tiles, melds, None, circumstances(wall, tiles, melds, None, full=True)
    winning = wall.rng.choice(tiles)
    concealed = list(tiles)
    concealed.remove(winning)
    if chance < 0.18:
        return concealed, melds, None, circumstances(wall, concealed, melds, None, full=False)
    if chance < 0.26 and wall.ruleset == "changchun":
        bao = drawn_bao(wall, concealed, melds)
        seat = wall.rng.randrange(4)
        return concealed, melds, bao, table(by="self-draw", seat=seat, listening=True, bao=bao)
    return concealed, melds, winning, circumstances(wall, concealed, melds, winning, full=True)


def drawn_bao(wall, concealed, melds):
    """A bao that may be drawn to this hand: one copy comes, one lies turned, so it holds two at most."""
    return wall.rng.choice([tile for tile in wall.tiles if held(concealed, melds).count(tile) <= 2])


def held(concealed, melds):
    """All tiles of a hand, those of its melds too."""
    return concealed + [tile for _, tiles in melds for tile in tiles]


def table(**given):
    """Circumstances with all their keys."""
    blank = {"by": "discard", "seat": 1, "from": None, "listening": False, "bao": None, "moments": ()}
    return blank | given


def for_judge(given):
    """Circumstances as keyword arguments of `reference.judge`, which doesn't ask whom the tile came from."""
    return {key: value for key, value in given.items() if key != "from"}


def circumstances(wall, concealed, melds, winning, *, full):
    """Circumstances that can be: who wins, on whose tile and how, and what the ruleset adds to that."""
    rng = wall.rng
    seat = rng.randrange(4)
    by = rng.choice(ways(wall, concealed, melds, winning))
    source = None
    if by in ("discard", "robbed-gang") and rng.random() < 0.5:
        source = rng.choice([other for other in range(4) if other != seat])
    if wall.ruleset == "changchun":
        listening = by == "bao-match" or rng.random() < 0.4
        bao = winning if by == "bao-match" else maybe_bao(wall, concealed, melds, winning, by)
        return table(by=by, seat=seat, listening=listening, bao=bao) | {"from": source}
    moments = rng.choice([(), *possible_moments(melds, by, seat, source)]) if full else ()
    return table(by=by, seat=seat, moments=moments) | {"from": source}


def ways(wall, concealed, melds, winning):
    """The ways in which this winning tile may have come, common ones several times."""
    common = ["discard", "discard", "self-draw", "self-draw"]
    if winning is None:
        return common
    copies = held(concealed, melds).count(winning)
    if wall.ruleset == "changsha":  # the gang robbed has a 碰 of the same tile (S20)
        return common + (["robbed-gang"] if copies == 0 else [])
    gang = next((kinds for kinds in SPECIAL_GANGS if winning in kinds), ())
    # The gang that is added to holds one of each of its kinds (R19).
    if gang and copies <= 2 and all(held(concealed, melds).count(kind) <= 3 for kind in gang):
        common.append("robbed-gang")
    return [*common, "bao-match"]


def maybe_bao(wall, concealed, melds, winning, by):
    """A bao or None; often the winning tile where a copy is left to lie turned."""
    rng = wall.rng
    if rng.random() < 0.5:
        return None
    whole = [*held(concealed, melds), winning]
    turned = [tile for tile in wall.tiles if whole.count(tile) < 4]
    if by == "robbed-gang" and winning in turned:
        turned.remove(winning)
    return winning if winning in turned and rng.random() < 0.5 else rng.choice(turned)


def possible_moments(melds, by, seat, source):
    """The moments, each alone in a tuple, that go with this way of winning in Changsha."""
    moments = []
    if by == "self-draw":
        moments = ["haidilaoyue"]
        if any(kind.endswith("gang") for kind, _ in melds):
            moments.append("gangshanghua")
        if seat == 0 and not melds:
            moments.append("tianhu")
    if by == "discard":
        moments = ["haidipao", "gangshangpao"]
        if seat != 0 and source in (0, None) and not melds:
            moments.append("dihu")
    if by == "robbed-gang":
        moments = ["qiangganghu"]
    return [(moment,) for moment in moments]


# Notation


BRACKETS = {"special-gang": "{}", "concealed-gang": "[]"}


def groups(tiles):
    """Tiles as text, one group a suit and one for all honors: 23m 88p EEE."""
    tiles = in_order(tiles)
    written = []
    for suit in SUITS:
        numbers = "".join(tile[0] for tile in tiles if tile[1:] == suit)
        if numbers:
            written.append(numbers + suit)
    honors = "".join(tile for tile in tiles if len(tile) == 1)
    return " ".join(written + ([honors] if honors else []))


def notation(concealed, melds, winning):
    """The hand in canonical notation: 23m 88p 777s EEE (555p) {1m1p1s} +4m."""
    parts = [groups(concealed)]
    for kind, tiles in melds:
        opening, closing = BRACKETS.get(kind, "()")
        inside = "".join(in_order(tiles)) if kind == "special-gang" else groups(tiles)
        parts.append(opening + inside + closing)
    if winning:
        parts.append("+" + winning)
    return " ".join(parts)
