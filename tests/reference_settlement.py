"""A second opinion on the settlement: who pays whom at the end of a hand, from the rule texts alone.

A scenario is what `rules.settlement.settle` takes, as plain lists and dicts: `wins`, `gangs`, `openings`,
`birds`, `last_tile` and `options`, each of which may be missing. It is taken to be valid. The hand of a
winner may be written in canonical notation; it is then judged by `reference.judge`.

Every payment is a line: the payer, the receiver, the points, and what for (`win`, `gang` or `opening`).
"""

from tests import reference

# The options that only the settlement asks for, the default first; the others stand in `reference`.
HOUSE_RULES = {
    "changchun": {
        "dadan": ("dealt-only", "any-time"),
        "dadan-1m": ("no", "yes"),
        "direct-gang-pays": ("everyone", "discarder"),
    },
    "changsha": {
        "opening-birds": ("no", "yes"),
        "double-gang": ("each", "once"),
        "several-winners": ("all", "nearest"),
    },
}
EVERYONE = [0, 1, 2, 3]


def settle(ruleset, scenario):
    """The end of a hand, as a dict of `payments` by seat, `lines` and `next_dealer`."""
    options = scenario.get("options", {})
    own = {key: options.get(key, values[0]) for key, values in HOUSE_RULES[ruleset].items()}
    table = reference.house(ruleset, options) | own
    lines = changchun_lines(scenario, table) if ruleset == "changchun" else changsha_lines(scenario, table)
    payments = [0, 0, 0, 0]
    for payer, receiver, points, _ in lines:
        payments[payer] -= points
        payments[receiver] += points
    dealer = changchun_dealer(scenario) if ruleset == "changchun" else changsha_dealer(scenario)
    return {"payments": payments, "lines": lines, "next_dealer": dealer}


def total_of(ruleset, win, options):
    """Fan or big wins of one winner's hand, as told or by judging it."""
    told = "fan" if ruleset == "changchun" else "big_wins"
    if told in win:
        return win[told]
    answer = reference.judge(
        ruleset,
        *read_hand(win["hand"]),
        by=win["by"],
        seat=win["seat"],
        listening=win.get("listening", False),
        bao=win.get("bao"),
        moments=tuple(win.get("moments", ())),
        options=options,
        waits=False,
    )
    assert answer["wins"], win["hand"]
    return answer[told]


def read_hand(text):
    """(concealed, melds, winning) of a hand in canonical notation."""
    concealed, melds, winning = [], [], None
    for part in text.split():
        if part[0] == "+":
            winning = part[1:]
        elif part[0] in "([{":
            melds.append(read_meld(part))
        else:
            concealed += read_tiles(part)
    return concealed, melds, winning


def read_tiles(text):
    """The tiles of a text without brackets: 23m4p, EES."""
    tiles, numbers = [], ""
    for letter in text:
        if letter.isdigit():
            numbers += letter
        elif letter in "mps":
            tiles += [number + letter for number in numbers]
            numbers = ""
        else:
            tiles.append(letter)
    return tiles


def read_meld(text):
    """The kind and the tiles of a meld in its brackets."""
    tiles = read_tiles(text[1:-1])
    if text[0] == "{":
        return "special-gang", tiles
    if text[0] == "[":
        return "concealed-gang", tiles
    if len(tiles) == 4:
        return "exposed-gang", tiles
    return ("peng" if tiles[0] == tiles[1] else "chi"), tiles


def others(seat):
    """The other three seats."""
    return [other for other in EVERYONE if other != seat]


# Changchun


def changchun_lines(scenario, table):
    """Every payment: the win, if there is one, and the gangs of all four players."""
    lines = []
    for win in scenario.get("wins", []):
        fan = total_of("changchun", win, scenario.get("options"))
        seat, discarder = win["seat"], win.get("from")
        for loser in others(seat):
            points, payer = reference.changchun_share(fan, win["by"], seat, loser, discarder, table)
            lines.append((payer, seat, points, "win"))
    for gang in scenario.get("gangs", []):
        lines += gang_lines(gang, table)
    return lines


def gang_lines(gang, table):
    """What the others pay for a gang: each the same, dealer or not (CC-94, CC-95, R22)."""
    payers = others(gang["seat"])
    if gang.get("from") is not None and table["direct-gang-pays"] == "discarder":
        payers = [gang["from"]]
    return [(payer, gang["seat"], multiple(gang, table), "gang") for payer in payers]


def multiple(gang, table):
    """How many stakes each payer owes for a gang (CC-37, CC-38, CC-96, CC-97, R16, R22)."""
    kind, tiles = read_meld(gang["tiles"])
    if kind == "special-gang":
        first = (
            4 if tiles[0] in reference.WINDS else 3
        )  # 旋风杠 begins with four tiles, the others with three
        return 1 + len(tiles) - first
    concealed = kind == "concealed-gang"
    may_be_dadan = ["1s", "1p", *reference.DRAGONS] + (["1m"] if table["dadan-1m"] == "yes" else [])
    is_dadan = tiles[0] in may_be_dadan and (gang.get("dealt", False) or table["dadan"] == "any-time")
    if is_dadan:
        return 4 if concealed else 2
    return 2 if concealed else 1


def changchun_dealer(scenario):
    """Who deals next: the dealer after his own win or a draw, else the next player (CC-8 to CC-10)."""
    wins = scenario.get("wins", [])
    return 1 if wins and wins[0]["seat"] != 0 else 0


# Changsha


def changsha_lines(scenario, table):
    """Every payment: each winner's, birds counted after his big wins are added, and the openings'."""
    wins = scenario.get("wins", [])
    birds = birds_of(scenario, table)
    lines = []
    for seat in sorted({win["seat"] for win in wins}):
        mine = [win for win in wins if win["seat"] == seat]
        big_wins = added([total_of("changsha", win, scenario.get("options")) for win in mine], table)
        for loser in others(seat):
            points, payer = reference.changsha_share(
                big_wins, mine[0]["by"], seat, loser, mine[0].get("from"), birds, table
            )
            lines.append((payer, seat, points, "win"))
    for opening in scenario.get("openings", []):
        lines += opening_lines(opening, birds, table)
    return lines


def added(totals, table):
    """The big wins of one winner, whose two totals are those of the two tiles of one 开杠 (CS-58, S14).

    Each total has one big win for the gang tile itself; the rest is the shape.
    """
    if len(totals) == 1 or table["double-gang"] == "each":
        return sum(totals)
    return max(total - 1 for total in totals) + len(totals)


def birds_of(scenario, table):
    """The birds: those drawn, or the winning tile of a 海底 win (CS-63, CS-68, S12)."""
    if scenario.get("birds"):
        return scenario["birds"]
    for win in scenario.get("wins", []):
        last = {"haidilaoyue", "haidipao"} & set(win.get("moments", ()))
        if last and "hand" in win and table["birds"] != "0":
            return [win["hand"].split("+")[1]]
    return []


def opening_lines(opening, birds, table):
    """What the others pay for opening patterns: each is a 小胡 by self-draw (CS-5, CS-7, S6)."""
    seat = opening["seat"]
    counted = birds if table["opening-birds"] == "yes" else []
    return [
        (
            payer,
            seat,
            reference.changsha_share(0, "self-draw", seat, payer, None, counted, table)[0],
            "opening",
        )
        for payer in others(seat)
        for _ in set(opening["keys"])
    ]


def changsha_dealer(scenario):
    """Who deals next: the winner, after several the discarder; on a draw the taker of the last tile (S21)."""
    wins = scenario.get("wins", [])
    winners = {win["seat"] for win in wins}
    if len(winners) > 1:
        return wins[0]["from"]
    if winners:
        return wins[0]["seat"]
    last = scenario.get("last_tile")
    if last is None:
        return None
    return last["offered"] if last.get("taker") is None else last["taker"]
