"""Turns, claims, gangs, robbing, ready (听) and the bao at a Changchun table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ...circumstances import Circumstances
from ...claims import (
    ACTION_WORDS,
    ALL_FREE,
    CHI,
    DISCARD,
    DRAW,
    END,
    FREE,
    HU,
    PENG,
    REPLACE,
    Claim,
    Standing,
    Turn,
    capitalized,
    check_full,
    check_kind,
    check_question,
    check_seat,
    check_taker,
    check_waiting,
    claim_words,
    gathered,
    grown,
    in_turn,
    laid,
    melds_with,
    next_move,
    no_chi_words,
    of_seat,
    own_gangs_of,
    peng_of,
    place,
    taken,
    why_first,
    why_no_win,
    wished,
    without,
)
from ...hands import GANG, SEQUENCE, SPECIAL_GANG, Hand, Meld
from ...ruleset import Ruleset
from ...table import Outcome, Reason, Table, others_from, ruling, seat_after
from ...text import Text
from ...tiles import DRAGONS, WINDS, Tile
from .house import (
    DADAN,
    DADAN_1M,
    JIEHU_PASS,
    MUST_DECLARE_TING,
    ROB_ADDED_GANG,
    SPECIAL_GANG_IN_PIAOHU,
    SPECIAL_GANG_TWICE,
)
from .openings import dadan_kinds

CLAIMS, DICE, LOOK = "claims", "dice", "look"

_CLAIM_CITES = {PENG: ("CC-21",), GANG: ("CC-23",), CHI: ("CC-19", "CC-20")}
_SHOWN_CITES = {"xuanfenggang": "CC-28", "xigang": "CC-30", "yaodan": "CC-32", "jiudan": "CC-34"}
_GROWN_CITES = {"xuanfenggang": "CC-29", "xigang": "CC-31", "yaodan": "CC-33", "jiudan": "CC-35"}
_STEP_CITES = {DRAW: ("CC-16",), DISCARD: ("CC-17",), REPLACE: ("CC-17", "CC-18"), END: ("CC-22",)}

_LISTENING = Circumstances(listening=True)

_UNWRITTEN_DEALT = Reason(
    Text(
        "The text knows no bonus for it, and does not say which tile counts as drawn.",
        "原文没有天胡的番，也没写哪张算摸到的。",
    )
)

_Found = Iterator[tuple[Claim | None, Reason]]


class ClaimRulings(Table):
    """Who may take a tile, what a turn allows, and what a player who declared ready is bound to."""

    # Turns

    @ruling(
        "turn-order",
        Text("Turn order", "轮次"),
        Text(
            "Play, counting and “nearest” all go one way: next player, opposite, previous player.",
            "出牌、数人、比远近，都按一个顺序：下家、对家、上家。",
        ),
        ("CC-3", "CC-16", "CC-79"),
    )
    def turn_order(self, seat: int) -> Outcome[tuple[int, int, int]]:
        """The other seats in the order in which their turns come."""
        check_seat(seat)
        return Outcome.of(
            others_from(seat),
            "The turn goes to the next player, then the player opposite, then the previous player. The text gives two opposite directions in two places, so we name none and keep to this one order.",
            "轮次是下家、对家、上家。原文两处说的方向正好相反，所以这里不说方向，只认这一个顺序。",
            "CC-3",
            "CC-16",
            "CC-79",
        )

    @ruling(
        "next-to-act",
        Text("Whose move it is", "轮到谁"),
        Text(
            "The dealer opens with a discard; whoever takes it plays on; if nobody does, the next player draws.",
            "庄家先打一张，谁要了牌谁接着打，没人要就由下家抓牌。",
        ),
        ("CC-15", "CC-16", "CC-17"),
    )
    def next_to_act(self, discarder: int | None, claim: Claim | None = None) -> Outcome[Turn]:
        """Whose move follows a discard and the claim on it, if any; discarder None: the hand has just been dealt."""
        if discarder is None:
            return Outcome.of(
                Turn(0, DISCARD),
                "The dealer has a tile more and opens by discarding one.",
                "庄家多一张牌，先打出一张。",
                "CC-15",
            )
        return next_move(discarder, claim, _STEP_CITES)

    @ruling(
        "must-discard",
        Text("A discard every turn", "有进有出"),
        Text(
            "After a draw, chi, peng or gang a player who does not win must discard.",
            "抓牌、吃、碰、杠之后，没胡就必须打出一张。",
        ),
        ("CC-3", "CC-17"),
    )
    def must_discard(self, after: str, wins: bool) -> Outcome[bool]:
        """Whether a player must discard after `draw`, `chi`, `peng` or `gang`, its replacement drawn."""
        if after not in (DRAW, CHI, PENG, GANG):
            raise ValueError(f"a player moves by draw, chi, peng or gang, not {after!r}")
        if wins:
            return Outcome.of(False, "The hand wins: nothing is discarded.", "胡了，不用再打牌。", "CC-17")
        return Outcome.of(
            True, "No win yet, so one tile must be discarded.", "还没胡，必须打出一张。", "CC-3", "CC-17"
        )

    # Claims

    @ruling(
        "claims",
        Text("Claims on a discard", "别家打的牌谁能要"),
        Text(
            "Anyone may win, peng with two or gang with three; only the next player may chi, and only suited tiles.",
            "谁都可以胡，有两张可以碰，有三张可以杠；吃只有下家可以，而且只能吃万、饼、条。",
        ),
        ("CC-15", "CC-19", "CC-20", "CC-21", "CC-23", "CC-47", "CC-52", "CC-63"),
        options=(MUST_DECLARE_TING,),
        readings=("R15", "R20", "R26"),
    )
    def claims(
        self,
        game: Ruleset,
        discarder: int,
        kind: Tile,
        hands: Mapping[int, Hand],
        standings: Mapping[int, Standing] = ALL_FREE,
    ) -> Outcome[tuple[Claim, ...]]:
        """Every claim that each of these hands, by seat, could make on a discard, in turn order."""
        check_question(game.tiles, discarder, [kind], hands)
        found: list[tuple[Claim | None, Reason]] = []
        for seat in others_from(discarder):
            if seat in hands:
                standing = standings.get(seat, FREE)
                found += self._hu(game, seat, hands[seat], kind, discarder, standing, "discard")
                found += self._melds(game, seat, hands[seat], kind, discarder, standing)
        name = game.tiles.name(kind)
        nothing = Text(f"Nobody can do anything with {name.en}.", f"{name.zh}谁也用不上。")
        return gathered(found, Reason(nothing, ("CC-16",)))

    @ruling(
        "priority",
        Text("Priority", "谁先得"),
        Text(
            "A win comes before peng, peng before gang, gang before chi; of several winners the nearest wins.",
            "先胡，再碰，再杠，最后吃；几家同时能胡，只有最近的胡（截胡）。",
        ),
        ("CC-22", "CC-49", "CC-79"),
        options=(JIEHU_PASS,),
        readings=("R18", "R28"),
    )
    def resolve(
        self, giver: int, possible: Iterable[Claim], declared: Iterable[Claim]
    ) -> Outcome[tuple[Claim, ...]]:
        """The claim that gets the tile, () where nobody does. giver: who discarded, or adds to a gang.

        possible: what `claims` or `robbers` found. declared: one claim a seat; a seat that says nothing passes.
        """
        possible = tuple(possible)
        wishes = wished(possible, declared, giver)
        able = [claim.seat for claim in in_turn(possible, giver) if claim.action == HU]
        wins = [claim for claim in wishes if claim.action == HU]
        if wins and wins[0].seat != able[0]:
            first, later = place(able[0], giver), place(wins[0].seat, giver)
            if self.house.says(JIEHU_PASS, "none"):
                barred = Reason(
                    Text(
                        f"{capitalized(first.en)} is the nearest who could win, and passed: at this table nobody else may win then.",
                        f"{first.zh}离得最近却没胡，这桌的规矩是别家也不能胡。",
                    ),
                    ("CC-79",),
                )
                rest = self.resolve(
                    giver,
                    [c for c in possible if c.action != HU],
                    [c for c in wishes if c.action != HU],
                )
                return Outcome(rest.value, (barred, *rest.reasons))
            return Outcome.of(
                (wins[0],),
                f"{capitalized(first.en)} could win but passes, so {later.en} is now the nearest and wins.",
                f"{first.zh}能胡但不胡，轮到{later.zh}胡。",
                "CC-79",
            )
        if not wishes:
            return Outcome.of((), "Nobody claims the tile.", "没人要这张牌。", "CC-16")
        rank = (HU, PENG, GANG, CHI)
        winner = min(wishes, key=lambda claim: rank.index(claim.action))
        cites = ("CC-22", "CC-49") if winner.action == HU else ("CC-49",)
        reasons = [
            Reason(words, ("CC-79",) if rival and rival.action == HU else cites)
            for rival, words in why_first(giver, winner, wishes)
        ]
        return Outcome((winner,), tuple(reasons))

    @ruling(
        "down-to-one",
        Text("Down to one tile", "手把一"),
        Text(
            "A fourth meld may be claimed, but with one tile left only piaohu wins.",
            "第四组也可以吃碰杠，不过手里只剩一张的时候，只有飘胡能胡。",
        ),
        ("CC-77",),
        options=(SPECIAL_GANG_IN_PIAOHU,),
        readings=("R7",),
    )
    def down_to_one(self, melds: Iterable[Meld]) -> Outcome[bool]:
        """Whether a hand with these four melds may still win; laying them down is never barred."""
        melds = tuple(melds)
        if len(melds) != 4:
            raise ValueError(f"one tile is left after four melds, not {len(melds)}")
        if any(m.kind == SEQUENCE for m in melds):
            return Outcome.of(
                False,
                "The meld is allowed, but with one tile left only piaohu wins, and this hand has a sequence: it must stay without a win.",
                "这一组可以亮，可是手把一只能胡飘胡，这手牌吃过，胡不了了。",
                "CC-77",
            )
        if self.house.says(SPECIAL_GANG_IN_PIAOHU, "no") and any(m.kind == SPECIAL_GANG for m in melds):
            return Outcome.of(
                False,
                "The meld is allowed, but with one tile left only piaohu wins, and at this table a special gang is none of its sets.",
                "这一组可以亮，可是手把一只能胡飘胡，这桌有特殊杠不算飘胡，胡不了了。",
                "CC-77",
            )
        return Outcome.of(
            True,
            "The meld is allowed, and the one tile left may still make the pair of a piaohu.",
            "这一组可以亮，剩的一张单吊，还能胡飘胡。",
            "CC-77",
        )

    # Gangs in one's own turn

    @ruling(
        "own-gangs",
        Text("Gangs in one's own turn", "自己杠"),
        Text(
            "Four alike in the concealed hand make a concealed gang; the fourth tile may be added to a peng.",
            "手里四张一样的可以暗杠；碰过的牌，第四张到手可以补成明杠。",
        ),
        ("CC-24", "CC-25", "CC-47"),
        readings=("R17", "R20", "R26"),
    )
    def own_gangs(self, game: Ruleset, hand: Hand, standing: Standing = FREE) -> Outcome[tuple[Meld, ...]]:
        """The gangs that a player whose turn it is may lay down, special ones apart.

        After 听 the hand must name its drawn tile as the winning tile.
        """
        check_full(hand)
        melds: list[Meld] = []
        reasons: list[Reason] = []
        for meld in own_gangs_of(hand):
            name = game.tiles.name(meld.tiles[0])
            bound = self._bound(game, hand, laid(hand, meld), meld.tiles[0], standing)
            if bound and not bound.value:
                reasons += bound.reasons
                continue
            melds.append(meld)
            if meld.concealed:
                words = Text(
                    f"Four {name.en} in hand make a concealed gang.", f"手里四张{name.zh}，可以暗杠。"
                )
            else:
                words = Text(
                    f"The fourth {name.en} may be added to the peng.", f"碰过{name.zh}，第四张可以杠上去。"
                )
            reasons.append(Reason(words, ("CC-25",) if meld.concealed else ("CC-24",)))
            reasons += bound.reasons if bound else ()
        if reasons:
            return Outcome(tuple(melds), tuple(reasons))
        return Outcome.of((), "The hand has no four alike to gang.", "手里没有能杠的四张。", "CC-24", "CC-25")

    @ruling(
        "special-gangs",
        Text("Showing a special gang", "亮特殊杠"),
        Text(
            "The four winds, three dragons, three 1s or three 9s may be shown if they were dealt, before anything else.",
            "东南西北、中发白、三个幺、三个九，起手就齐才能亮，要在抓牌打牌之前亮。",
        ),
        ("CC-27", "CC-28", "CC-30", "CC-32", "CC-34", "CC-39"),
        options=(SPECIAL_GANG_TWICE,),
        readings=("R17",),
    )
    def special_gangs(
        self, game: Ruleset, seat: int, hand: Hand, *, drawn: Iterable[Tile] = (), moved: bool = False
    ) -> Outcome[tuple[Meld, ...]]:
        """The special gangs that a player may show, each as often as the dealt tiles hold it.

        drawn: the concealed tiles that were not dealt, such as replacements. moved: the dealer has discarded,
        another player has drawn or claimed.
        """
        check_seat(seat)
        dealt, held = Counter(hand.loose) - Counter(drawn), Counter(hand.loose)
        melds: list[Meld] = []
        reasons: list[Reason] = []
        for key, special in game.tiles.special_gangs.items():
            sets = min(dealt[kind] for kind in special.tiles)
            names, cite = game.tiles.names(special.tiles), _SHOWN_CITES[key]
            if sets and moved:
                late = _too_late(seat)
                message = Text(f"{capitalized(special.name.en)}: {late.en}", f"{special.name.zh}：{late.zh}")
                reasons.append(Reason(message, (cite, "CC-39")))
                continue
            if not sets and all(held[kind] for kind in special.tiles):
                message = Text(
                    f"{names.en} are together only with a tile drawn later, so they are no {special.name.en}.",
                    f"{names.zh}是后来摸齐的，不算{special.name.zh}。",
                )
                reasons.append(Reason(message, (cite, "CC-39")))
                continue
            shown = sum(meld.special == key for meld in hand.melds)
            once = self.house.says(SPECIAL_GANG_TWICE, "no") and sets + shown > 1
            if once:
                sets = 0 if shown else 1
            if sets:
                message = Text(f"{names.en} were dealt and may be shown.", f"起手有{names.zh}，可以亮。")
                reasons.append(Reason(message, (cite, "CC-39")))
            if once:
                message = Text(
                    f"At this table one {special.name.en} is all: a second set can only be added to it.",
                    f"这桌一家只能亮一副{special.name.zh}，多出来的只能补上去。",
                )
                reasons.append(Reason(message, (cite,)))
            melds += [Meld.of(SPECIAL_GANG, special.tiles, special=key)] * sets
        if reasons:
            return Outcome(tuple(melds), tuple(reasons))
        return Outcome.of(
            (), "No special gang is complete among the dealt tiles.", "起手没有凑齐特殊杠。", "CC-27", "CC-39"
        )

    @ruling(
        "additions",
        Text("Adding to a special gang", "特殊杠补牌"),
        Text(
            "A later tile of the kind may be added, each one more gang; the dealer adds none before the first discard.",
            "后来的同类牌可以补上去，补一张多一个明杠；庄家打出第一张之前不许补。",
        ),
        ("CC-29", "CC-31", "CC-33", "CC-35", "CC-40", "CC-41", "CC-47"),
        readings=("R17", "R20", "R26"),
    )
    def additions(
        self,
        game: Ruleset,
        seat: int,
        hand: Hand,
        *,
        first_turn: bool = False,
        standing: Standing = FREE,
    ) -> Outcome[tuple[Tile, ...]]:
        """The concealed tiles that may be added to the hand's special gangs, one after another.

        first_turn: nothing has been discarded (the dealer) or drawn and claimed (another player) yet. After 听
        the hand must name its drawn tile as the winning tile.
        """
        check_seat(seat)
        specials = {kind: meld.special or "" for meld in hand.melds if meld.special for kind in meld.tiles}
        kinds = [kind for kind in hand.loose if kind in specials]
        names = game.tiles.names(kinds)
        if not kinds:
            words = "Nothing in hand belongs to a special gang on the table.", "手里没有能补到特殊杠上的牌。"
            return Outcome.of((), *words, "CC-29", "CC-31", "CC-33", "CC-35")
        if first_turn and seat == 0:
            return Outcome.of(
                (),
                f"The dealer may not add {names.en} before the first discard; later turns allow it.",
                f"庄家第一手不许补{names.zh}，打出第一张以后才行。",
                "CC-40",
            )
        allowed: list[Tile] = []
        reasons: list[Reason] = []
        for kind in kinds:
            name, special = game.tiles.name(kind), game.tiles.special_gangs[specials[kind]].name
            bound = self._bound(game, hand, grown(hand, kind), kind, standing)
            if bound and not bound.value:
                reasons += bound.reasons
                continue
            allowed.append(kind)
            message = Text(
                f"{name.en} may be added to the {special.en}, for one more gang.",
                f"{name.zh}可以补到{special.zh}上，多算一个明杠。",
            )
            reasons.append(Reason(message, (_GROWN_CITES[specials[kind]],)))
        if len(allowed) > 1:
            words = Text("They may all be added in a row.", "可以一张接一张补完。")
            reasons.append(Reason(words, ("CC-41",)))
        return Outcome(tuple(allowed), tuple(dict.fromkeys(reasons)))

    @ruling(
        "dadan",
        Text("When a gang is a dadan", "怎样算大蛋"),
        Text(
            "A gang of 1条, 1饼 or a dragon whose four tiles were all dealt.",
            "幺鸡、幺饼、红中、发财、白板的杠，四张都是起手就有的。",
        ),
        ("CC-36", "CC-39"),
        options=(DADAN, DADAN_1M),
        readings=("R16",),
    )
    def dadan(self, game: Ruleset, kind: Tile, dealt: bool) -> Outcome[bool]:
        """Whether a gang of four such tiles is a dadan. dealt: all four were dealt."""
        check_kind(game.tiles, kind)
        name = game.tiles.name(kind)
        if kind not in dadan_kinds(self.house):
            return Outcome.of(
                False,
                f"Four {name.en} are an ordinary gang: only 1条, 1饼 and the dragons make a dadan{', and at some tables 1万' if kind.code == '1m' else ''}.",
                f"四张{name.zh}是普通杠，幺鸡、幺饼和中发白才有大蛋{'，有的桌子一万也算' if kind.code == '1m' else ''}。",
                "CC-36",
            )
        if dealt:
            return Outcome.of(
                True, f"Four {name.en}, all dealt: a dadan.", f"起手四张{name.zh}，是大蛋。", "CC-36", "CC-39"
            )
        if self.house.says(DADAN, "any-time"):
            return Outcome.of(
                True,
                f"At this table a gang of {name.en} is a dadan whenever it comes together.",
                f"这桌什么时候凑齐四张{name.zh}都算大蛋。",
                "CC-36",
            )
        return Outcome.of(
            False,
            f"The four {name.en} came together later, so this is an ordinary gang.",
            f"四张{name.zh}是后来凑齐的，只算普通杠。",
            "CC-36",
            "CC-39",
        )

    # Robbing

    @ruling(
        "robbing",
        Text("Robbing an added tile", "抢补杠"),
        Text(
            "A tile drawn later and added to a special gang may be taken to win or to peng.",
            "后来摸到、补到特殊杠上的牌，别家可以抢胡，也可以抢叉（碰）。",
        ),
        ("CC-42", "CC-43", "CC-52"),
        options=(ROB_ADDED_GANG,),
        readings=("R18", "R19", "R26"),
    )
    def robbers(
        self,
        game: Ruleset,
        adder: int,
        meld: Meld,
        added: Tile | None,
        hands: Mapping[int, Hand],
        standings: Mapping[int, Standing] = ALL_FREE,
        *,
        dealt: bool = False,
    ) -> Outcome[tuple[Claim, ...]]:
        """Every claim that these hands could make on a gang as it now lies there; `resolve` says who gets it.

        added: the tile just added to it, None for a gang laid down whole. dealt: that tile was dealt to the adder.
        """
        check_question(game.tiles, adder, meld.tiles, hands)
        if meld.kind not in (GANG, SPECIAL_GANG) or (added and (added not in meld.tiles or meld.concealed)):
            raise ValueError(f"{added} is not added to {meld}")
        safe = self._safe(meld, added, dealt)
        if safe or added is None:
            return Outcome((), safe)
        found: list[tuple[Claim | None, Reason]] = []
        for seat in others_from(adder):
            if seat not in hands:
                continue
            standing = standings.get(seat, FREE)
            # The text has additions to special gangs robbed; the fourth tile of a peng is the table's own rule.
            cites = ("CC-42", "CC-43") if meld.special else ()
            found += self._hu(game, seat, hands[seat], added, adder, standing, "robbed-gang", cites)
            peng = peng_of(hands[seat], added)
            if peng:
                claim = Claim(seat, PENG, peng)
                refused = _refused_by_lock(claim, adder, standing)
                words = claim_words(game.tiles, claim, added, adder)
                found.append(
                    (None, refused) if refused else (claim, Reason(words, ("CC-42", "CC-43", "CC-45")))
                )
        name = game.tiles.name(added)
        nothing = Text(f"Nobody can rob {name.en}: the addition stands.", f"没人能抢{name.zh}，补杠算数。")
        return gathered(found, Reason(nothing, ("CC-42",)))

    @ruling(
        "after-robbing",
        Text("After a robbery", "抢杠之后"),
        Text(
            "A robbed addition is void: the robber has the tile, and play goes on from there.",
            "被抢的补杠不算，牌归抢的人，从抢的人接着打。",
        ),
        ("CC-44", "CC-45"),
        readings=("R19",),
    )
    def after_robbing(self, adder: int, claim: Claim | None) -> Outcome[Turn]:
        """Whose move follows an addition and the claim that robbed it, if any."""
        check_seat(adder)
        if claim is None:
            return Outcome.of(
                Turn(adder, REPLACE),
                "Nobody robs it: the gang counts, and the player draws a replacement.",
                "没人抢，补杠算数，补一张牌。",
                "CC-18",
            )
        check_taker(claim.seat, adder)
        if claim.action not in (HU, PENG):
            raise ValueError(f"an added tile is robbed by hu or peng, not {claim.action}")
        who = place(claim.seat, adder)
        if claim.action == HU:
            return Outcome.of(
                Turn(claim.seat, END),
                f"{capitalized(who.en)} wins with the tile: the addition is void and the hand is over.",
                f"{who.zh}抢胡，补杠作废，这一局结束。",
                "CC-42",
                "CC-44",
            )
        return Outcome.of(
            Turn(claim.seat, DISCARD),
            f"{capitalized(who.en)} pengs the tile: the addition is void, its player discards nothing, and {who.en} discards.",
            f"{who.zh}抢叉，补杠作废，补的人不用打牌，由{who.zh}打出一张接着走。",
            "CC-44",
            "CC-45",
        )

    # Ready

    @ruling(
        "declaring",
        Text("Declaring ready", "报听"),
        Text(
            "Ready (听) is declared with one's own discard, if the hand then legally waits for a tile.",
            "自己打牌的时候报听，打完以后必须真有牌可胡。",
        ),
        ("CC-46",),
        readings=("R26",),
    )
    def declaring(self, game: Ruleset, hand: Hand, discard: Tile) -> Outcome[tuple[Tile, ...]]:
        """The tiles that the hand waits for after this discard; () where 听 may not be declared with it."""
        check_full(hand)
        waits = tuple(game.waits(without(hand, discard), _LISTENING))
        name, names = game.tiles.name(discard), game.tiles.names(waits, last=Text("or", "、"))
        if not waits:
            return Outcome.of(
                (),
                f"Without {name.en} no tile would win, so ready can't be declared.",
                f"打出{name.zh}以后没有牌可胡，不能报听。",
                "CC-46",
            )
        return Outcome.of(
            waits,
            f"Without {name.en} the hand waits for {names.en}: ready (听) may be declared with this discard.",
            f"打出{name.zh}就听{names.zh}，可以报听。",
            "CC-46",
        )

    @ruling(
        "after-declaring",
        Text("What follows declaring ready", "报听之后"),
        Text(
            "Claims on that discard come first; then the first to declare rolls the dice, a later one may look.",
            "先看有没有人要打出的牌；然后第一个报听的掷骰子，后来报听的可以看宝牌。",
        ),
        ("CC-46", "CC-50", "CC-53"),
        readings=("R26",),
    )
    def after_declaring(self, first: bool) -> Outcome[tuple[str, ...]]:
        """What happens in order after 听 was declared: `claims`, `dice`, `look`. first: nobody declared before."""
        claims = Reason(
            Text("The discard can be claimed first, as any other.", "打出的牌和平时一样，别家可以先要。"),
            ("CC-46",),
        )
        if first:
            words = Text(
                "Then the first to declare rolls the dice, turns the bao over and looks.",
                "然后第一个报听的掷骰子，翻宝牌，自己看。",
            )
            return Outcome((CLAIMS, DICE, LOOK), (claims, Reason(words, ("CC-50", "CC-51"))))
        words = Text(
            "Then the player may look at the bao that lies there, and need not.",
            "然后可以看已经定好的宝牌，也可以不看。",
        )
        return Outcome((CLAIMS, LOOK), (claims, Reason(words, ("CC-53",))))

    @ruling(
        "lock",
        Text("The lock", "锁牌"),
        Text(
            "The first to declare is locked at once, a later one from looking: nothing is taken into the hand.",
            "第一个报听的马上锁住，后来的看了宝牌才锁住：不能再进牌换听。",
        ),
        ("CC-52", "CC-53"),
        readings=("R26",),
    )
    def is_locked(self, first: bool, looked: bool) -> Outcome[bool]:
        """Whether a player who declared 听 is locked. first: nobody declared before."""
        if first:
            return Outcome.of(
                True,
                "The first to declare rolls for the bao and is locked at once: no chi, no peng, no other wait.",
                "第一个报听的掷骰子翻宝，马上锁住：不能吃碰，不能换听。",
                "CC-52",
            )
        if looked:
            return Outcome.of(
                True,
                "Having looked at the bao, the player is locked: no chi, no peng, no other wait.",
                "看了宝牌就锁住：不能吃碰，不能换听。",
                "CC-53",
            )
        return Outcome.of(
            False,
            "Looking is a choice, and only looking locks a later declarer.",
            "看不看宝牌自己定，没看就没锁住。",
            "CC-53",
        )

    @ruling(
        "keeps-ready",
        Text("A gang after declaring ready", "听后杠牌"),
        Text(
            "Allowed if the hand still waits for a tile; once the bao was seen, only if it waits for the same tiles.",
            "杠完还听牌就可以；看过宝牌以后，听的牌不能变。",
        ),
        ("CC-47", "CC-52", "CC-53"),
        readings=("R20",),
    )
    def keeps_ready(self, game: Ruleset, before: Hand, after: Hand, seen: bool) -> Outcome[bool]:
        """Whether a player who declared 听 may make a gang. before, after: the waiting hand without and with it."""
        check_waiting(before)
        check_waiting(after)
        old, new = game.waits(before, _LISTENING), game.waits(after, _LISTENING)
        if not old:
            raise ValueError("a player who declared 听 waits for a tile, unlike this hand")
        was, will = (game.tiles.names(waits, last=Text("or", "、")) for waits in (old, new))
        if not new:
            return Outcome.of(
                False,
                f"The gang would end the wait for {was.en}: not after declaring ready.",
                f"杠了就不听{was.zh}了，报听以后不能这么杠。",
                "CC-47",
            )
        if seen and old != new:
            return Outcome.of(
                False,
                f"The gang would change the wait from {was.en} to {will.en}: not after seeing the bao.",
                f"杠了以后，听的牌从{was.zh}变成{will.zh}，看过宝牌不能换听。",
                "CC-47",
                "CC-52",
                "CC-53",
            )
        return Outcome.of(
            True,
            f"With the gang the hand still waits for {will.en}: allowed after declaring ready.",
            f"杠完还听{will.zh}，报听以后可以杠。",
            "CC-47",
        )

    @ruling(
        "locked-draw",
        Text("A draw while locked", "锁牌后摸牌"),
        Text(
            "A drawn tile is discarded unless it wins or makes a gang.",
            "摸到的牌不是胡、不是杠，就要打出去。",
        ),
        ("CC-47", "CC-52", "CC-53", "CC-56"),
        readings=("R20", "R26"),
    )
    def locked_draw(self, game: Ruleset, hand: Hand, bao: Tile | None) -> Outcome[tuple[str, ...]]:
        """What a locked player may do with the drawn tile, which is the hand's winning tile: `hu`, `gang`, `discard`."""
        check_full(hand)
        if hand.winning is None:
            raise ValueError("the drawn tile must be set apart")
        name = game.tiles.name(hand.winning)
        standing = Standing(locked=True)
        acts: list[str] = []
        reasons: list[Reason] = []
        if game.judge(hand, Circumstances("self-draw", 1, None, listening=True, bao=bao)).wins:
            acts.append(HU)
            words = Text(f"{name.en} wins.", f"{name.zh}可以胡。")
            reasons.append(Reason(words, ("CC-56",) if hand.winning is bao else ("CC-65",)))
        gangs = self.own_gangs(game, hand, standing)
        more = self.additions(game, 1, hand, standing=standing)
        if gangs.value or more.value:
            acts.append(GANG)
        reasons += (*(gangs.reasons if own_gangs_of(hand) else ()), *(more.reasons if more.value else ()))
        acts.append(DISCARD)
        if acts == [DISCARD]:
            words = Text(
                f"The hand is locked: {name.en} can't be kept and must go out again.",
                f"牌锁住了，{name.zh}不能留，必须打出去。",
            )
        else:
            words = Text(
                f"The hand is locked: otherwise {name.en} must go out again.",
                f"牌锁住了，不胡不杠，{name.zh}就必须打出去。",
            )
        return Outcome(tuple(acts), (*reasons, Reason(words, ("CC-52", "CC-53"))))

    @ruling(
        "look",
        Text("Looking at the bao", "看宝牌"),
        Text(
            "If the bao is a tile the hand legally waits for, it wins at once: duibao.",
            "看到的宝牌正是自己要胡的牌，马上胡，叫对宝。",
        ),
        ("CC-55",),
        readings=("R26",),
    )
    def look(self, game: Ruleset, hand: Hand, bao: Tile) -> Outcome[bool]:
        """Whether a waiting hand wins by 对宝 when its player looks at this bao."""
        check_waiting(hand)
        check_kind(game.tiles, bao)
        name = game.tiles.name(bao)
        if bao in game.waits(hand, _LISTENING):
            return Outcome.of(
                True,
                f"The bao is {name.en}, and the hand waits for {name.en}: it wins at once, by duibao.",
                f"宝牌是{name.zh}，正好听{name.zh}，马上胡，这是对宝。",
                "CC-55",
            )
        return Outcome.of(
            False,
            f"The bao is {name.en}, which the hand does not wait for: play goes on.",
            f"宝牌是{name.zh}，听的不是这张，接着打。",
            "CC-55",
        )

    @ruling(
        "bao",
        Text("Drawing the bao", "摸宝"),
        Text(
            "Drawn after declaring ready, the bao wins as the waited-for tile that pays most; discarded, it is an ordinary tile.",
            "报听以后摸到宝牌就胡，当成番数最多的那张听牌用；打出来的宝牌只是普通牌。",
        ),
        ("CC-56",),
        readings=("R11",),
    )
    def bao_stands_for(
        self, game: Ruleset, hand: Hand, bao: Tile, *, listening: bool, discarded: bool = False
    ) -> Outcome[Tile | None]:
        """The tile that the bao is for a waiting hand, None where it is only itself. discarded: by another player."""
        check_waiting(hand)
        check_kind(game.tiles, bao)
        name = game.tiles.name(bao)
        if discarded:
            words = f"A discarded bao is an ordinary {name.en}.", f"打出来的宝牌只当普通的{name.zh}。"
            return Outcome.of(None, *words, "CC-56")
        if not listening:
            return Outcome.of(
                None,
                f"Ready was not declared, so the drawn {name.en} is only itself.",
                f"没报听，摸到的{name.zh}只是普通牌。",
                "CC-56",
            )
        verdict = game.judge(
            hand.with_winning(bao), Circumstances("self-draw", 1, None, listening=True, bao=bao)
        )
        if verdict.stands_for is None:
            return Outcome.of(
                None,
                f"The hand waits for nothing that {name.en} could stand for.",
                f"没有听的牌，{name.zh}代替不了什么。",
                "CC-56",
            )
        stands_for = game.tiles.name(verdict.stands_for)
        return Outcome.of(
            verdict.stands_for,
            f"The drawn bao {name.en} wins as {stands_for.en}, the waited-for tile that pays most.",
            f"摸到宝牌{name.zh}就胡，当{stands_for.zh}用，番数最多。",
            "CC-56",
        )

    @ruling(
        "dealt-win",
        Text("A win among the dealt tiles", "起手就胡"),
        Text(
            "The dealer may win with the 14 tiles as dealt: an ordinary self-draw of the tile that pays most.",
            "庄家起手14张就能胡，算普通自摸，哪张当作摸到的番数最多就算哪张。",
        ),
        ("CC-14", "CC-65"),
        readings=("R24",),
    )
    def dealt_win(self, game: Ruleset, hand: Hand) -> Outcome[Tile | None]:
        """Of the dealer's 14 tiles the one that counts as drawn, None where they are no win."""
        check_full(hand)
        how = Circumstances("self-draw", 0, None)
        best: Tile | None = None
        most = -1
        for kind in sorted(set(hand.loose)):
            total = game.judge(hand.without(kind).with_winning(kind), how).total
            if total is not None and total > most:
                best, most = kind, total
        if best is None:
            return Outcome.of(None, "The tiles as dealt are no win.", "起手的牌还胡不了。", "CC-14")
        name, worth = game.tiles.name(best), game.measure.total(most)
        words = Text(
            f"The dealer wins as dealt: a self-draw, with {name.en} as the drawn tile, for {worth.en}.",
            f"庄家起手就胡，算自摸，{name.zh}当作摸到的那张，{worth.zh}。",
        )
        return Outcome(best, (Reason(words, ("CC-65",)), _UNWRITTEN_DEALT))

    # What several rulings ask

    def _hu(
        self,
        game: Ruleset,
        seat: int,
        hand: Hand,
        kind: Tile,
        giver: int,
        standing: Standing,
        by: str,
        cites: tuple[str, ...] = ("CC-63",),
    ) -> _Found:
        verdict = game.judge(
            hand.with_winning(kind), Circumstances(by=by, seat=seat, discarder=giver, listening=True)
        )
        if not verdict.wins:
            why_not = why_no_win(game.tiles, verdict, seat, kind, giver)
            if why_not:
                yield None, why_not
        elif self.house.says(MUST_DECLARE_TING) and not _is_ready(standing):
            who = place(seat, giver)
            words = Text(
                f"{capitalized(who.en)} has not declared ready, and without that nobody wins at this table.",
                f"{who.zh}没报听，这桌不报听不能胡。",
            )
            yield None, Reason(words, ("CC-46",))
        else:
            claim = Claim(seat, HU)
            yield claim, Reason(claim_words(game.tiles, claim, kind, giver), cites)

    def _melds(
        self, game: Ruleset, seat: int, hand: Hand, kind: Tile, discarder: int, standing: Standing
    ) -> _Found:
        for claim in melds_with(seat, hand, kind, discarder):
            refused = _refused_by_lock(claim, discarder, standing)
            if refused:
                yield None, refused
                continue
            words = claim_words(game.tiles, claim, kind, discarder)
            if claim.action == GANG and claim.meld and _is_ready(standing):
                kept = self.keeps_ready(game, hand, taken(hand, claim.meld, kind), standing.locked)
                if not kept.value:
                    yield None, of_seat(seat, discarder, kept.reasons[0])
                    continue
            yield claim, Reason(words, _CLAIM_CITES[claim.action])
            if len(hand.melds) == 3 and claim.meld:
                yield None, self.down_to_one((*hand.melds, claim.meld)).reasons[0]
        against = no_chi_words(game.tiles, seat, hand, kind, discarder)
        if against:
            yield None, Reason(against, ("CC-20",))
        if kind.suit is None and seat == seat_after(discarder):
            family = next(f.tiles for f in (WINDS, DRAGONS) if kind in f)
            if len(family & set(hand.loose) - {kind}) > 1:
                name = game.tiles.name(kind)
                words = Text(
                    f"{name.en} can't be taken by chi: winds and dragons make no sequence.",
                    f"{name.zh}不能吃，风牌和中发白不成顺子。",
                )
                yield None, Reason(words, ("CC-19",))

    def _bound(
        self, game: Ruleset, hand: Hand, after: Hand, kind: Tile, standing: Standing
    ) -> Outcome[bool] | None:
        """Whether a gang in one's own turn is allowed after 听; None where nothing binds the hand."""
        if not _is_ready(standing):
            return None
        if hand.winning is None:
            raise ValueError("after declaring ready the drawn tile must be set apart")
        if standing.locked and kind is not hand.winning:
            drawn = game.tiles.name(hand.winning)
            return Outcome.of(
                False,
                f"The hand is locked: a gang must use the drawn tile, which is {drawn.en}.",
                f"牌锁住了，只能用刚摸到的牌杠，这张是{drawn.zh}。",
                "CC-52",
                "CC-53",
            )
        return self.keeps_ready(game, hand.without_winning(), after, standing.locked)

    def _safe(self, meld: Meld, added: Tile | None, dealt: bool) -> tuple[Reason, ...]:
        """Why a gang can't be robbed; () where it can."""
        if added is None:
            words = Text(
                "A gang laid down whole is no addition, and can't be robbed.",
                "整副亮出来的杠不算补杠，不能抢。",
            )
        elif meld.special is None:
            if self.house.says(ROB_ADDED_GANG, "any"):
                return ()
            words = Text(
                "The fourth tile on a peng can't be robbed: only additions to special gangs can.",
                "碰过再杠的第四张不能抢，只有补到特殊杠上的才能抢。",
            )
        elif dealt:
            words = Text(
                "The added tile was dealt, not drawn later, so it can't be robbed.",
                "补的这张起手就有，不是后来摸到的，不能抢。",
            )
        else:
            return ()
        return (Reason(words, ("CC-43",)),)


def _is_ready(standing: Standing) -> bool:
    """Whether a seat has declared 听, without which nothing locks it."""
    return standing.listening or standing.locked


def _refused_by_lock(claim: Claim, giver: int, standing: Standing) -> Reason | None:
    if not standing.locked or claim.action not in (PENG, CHI):
        return None
    who, action = place(claim.seat, giver), ACTION_WORDS[claim.action]
    words = Text(
        f"{capitalized(who.en)} has seen the bao and may not {action.en}: no tile goes into a locked hand.",
        f"{who.zh}看过宝牌，牌锁住了，不能{action.zh}。",
    )
    return Reason(words, ("CC-52", "CC-53"))


def _too_late(seat: int) -> Text:
    if seat == 0:
        return Text("the dealer may show it only before the first discard.", "庄家打出第一张以后就不能亮了。")
    return Text(
        "it may be shown only before the player's first draw or claim.", "抓过牌或者吃碰杠过，就不能亮了。"
    )
