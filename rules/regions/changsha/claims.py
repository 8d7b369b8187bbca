"""Turns, claims, gangs, robbing, the last tile and missed wins at a Changsha table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ...circumstances import Circumstances
from ...claims import (
    ALL_FREE,
    CHI,
    DISCARD,
    DRAW,
    END,
    FREE,
    HU,
    PASS,
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
    check_there_is,
    check_waiting,
    claim_words,
    gathered,
    in_turn,
    melds_with,
    next_move,
    no_chi_words,
    of_seat,
    own_gangs_of,
    place,
    taken,
    why_first,
    why_no_win,
    wished,
)
from ...hands import GANG, Hand, Meld
from ...ruleset import Ruleset
from ...table import Outcome, Reason, Table, others_from, ruling
from ...text import Text, plural
from ...tiles import Tile
from .house import DOUBLE_GANG, MISSED_WIN, SEVERAL_WINNERS

BU, KAI = "bu", "kai"

_UNWRITTEN = Reason(
    Text(
        "This is not in the text of the rules; most tables play it this way.",
        "原文没写，一般都这么打。",
    )
)
_STEP_CITES = {DRAW: (), DISCARD: (), REPLACE: ("CS-69",), END: ()}
_WIN_CITES = {
    "dihu": ("CS-13",),
    "haidipao": ("CS-24", "CS-25", "CS-26"),
    "gangshangpao": ("CS-37", "CS-79"),
}
_RANK = {PENG: 0, GANG: 0, CHI: 1}

_Found = Iterator[tuple[Claim | None, Reason]]


_OPENED = Circumstances("self-draw", 1, None, moments=("gangshanghua",))


class ClaimRulings(Table):
    """Who may take a tile, what a gang allows, and which wins a player may no longer declare."""

    # Turns

    @ruling(
        "turn-order",
        Text("Turn order", "轮次"),
        Text(
            "Next player, opposite, previous player, as the birds are counted.",
            "下家、对家、上家，和数鸟的顺序一样。",
        ),
        ("CS-64",),
        readings=("S21",),
    )
    def turn_order(self, seat: int) -> Outcome[tuple[int, int, int]]:
        """The other seats in the order in which their turns come."""
        check_seat(seat)
        words = Text(
            "The turn goes to the next player, then the player opposite, then the previous player. The text has this order for counting birds alone.",
            "轮次是下家、对家、上家。原文只在数鸟的时候说了这个顺序。",
        )
        return Outcome(others_from(seat), (Reason(words, ("CS-64",)), _UNWRITTEN))

    @ruling(
        "next-to-act",
        Text("Whose move it is", "轮到谁"),
        Text(
            "The dealer opens with a discard; whoever takes it plays on; if nobody does, the next player draws.",
            "庄家先打一张，谁要了牌谁接着打，没人要就由下家摸牌。",
        ),
        ("CS-6",),
        readings=("S21",),
    )
    def next_to_act(self, discarder: int | None, claim: Claim | None = None) -> Outcome[Turn]:
        """Whose move follows a discard and the claim on it, if any; discarder None: the hand has just been dealt."""
        if discarder is None:
            return Outcome.of(
                Turn(0, DISCARD),
                "The dealer has a tile more and opens by discarding one.",
                "庄家多一张牌，先打出一张。",
                "CS-6",
            )
        move = next_move(discarder, claim, _STEP_CITES)
        return Outcome(move.value, (*move.reasons, _UNWRITTEN)) if move.value.step == DRAW else move

    # Claims

    @ruling(
        "claims",
        Text("Claims on a discard", "别家打的牌谁能要"),
        Text(
            "Anyone may win, peng with two or gang with three; only the next player may chi.",
            "谁都可以胡，有两张可以碰，有三张可以杠；吃只有下家可以。",
        ),
        ("CS-13", "CS-24", "CS-25", "CS-26", "CS-74", "CS-80", "CS-82"),
        options=(MISSED_WIN,),
        readings=("S13", "S17", "S18", "S21"),
    )
    def claims(
        self,
        game: Ruleset,
        discarder: int,
        kind: Tile,
        hands: Mapping[int, Hand],
        standings: Mapping[int, Standing] = ALL_FREE,
        *,
        moment: str | None = None,
    ) -> Outcome[tuple[Claim, ...]]:
        """Every claim that each of these hands, by seat, could make on a discard, in turn order.

        moment: `dihu` where the rules of `dihu` hold, `haidipao` for the last tile of the wall.
        """
        if moment not in (None, "dihu", "haidipao"):
            raise ValueError(f"a discard is dihu or haidipao or neither, not {moment!r}")
        if moment == "dihu" and discarder != 0:
            raise ValueError("dihu is won on the dealer's first discard")
        moments = (moment,) if moment else ()
        return self._claims(game, discarder, (kind,), hands, standings, "discard", moments)

    @ruling(
        "priority",
        Text("Priority", "谁先得"),
        Text(
            "A win comes first, then peng or gang, then chi; all who can win do: if one does, the others must.",
            "先胡，再碰杠，最后吃；能胡的都胡（通炮），有一家胡了，别家也必须胡。",
        ),
        ("CS-61", "CS-62"),
        options=(SEVERAL_WINNERS,),
        readings=("S13", "S16", "S21"),
    )
    def resolve(
        self, giver: int, possible: Iterable[Claim], declared: Iterable[Claim]
    ) -> Outcome[tuple[Claim, ...]]:
        """The claims that get the tile: all wins, else one, else (). giver: who discarded, or adds to a gang.

        possible: what `claims`, `claims_on_opened` or `robbers` found. declared: one claim a seat; a seat that
        says nothing passes.
        """
        possible = tuple(possible)
        wishes = wished(possible, declared, giver)
        wins = tuple(claim for claim in wishes if claim.action == HU)
        if not wishes:
            return Outcome.of((), "Nobody claims the tile.", "没人要这张牌。")
        if wins and self.house.says(SEVERAL_WINNERS, "all"):
            return self._all_win(giver, possible, wins, wishes)
        winner = wins[0] if wins else min(wishes, key=lambda claim: _RANK[claim.action])
        reasons = [
            Reason(words, ("CS-61",) if rival and rival.action == HU else ())
            for rival, words in why_first(giver, winner, wishes)
        ]
        if winner.tiles and winner.action != HU:
            reasons.append(Reason(Text("The other tile of the 开杠 is dead.", "开杠的另一张作废。")))
        return Outcome((winner,), (*reasons, *(() if len(wishes) == 1 else (_UNWRITTEN,))))

    def _all_win(
        self, giver: int, possible: tuple[Claim, ...], wins: tuple[Claim, ...], wishes: tuple[Claim, ...]
    ) -> Outcome[tuple[Claim, ...]]:
        able = in_turn((claim for claim in possible if claim.action == HU), giver)
        first = place(wins[0].seat, giver)
        others = [claim for claim in wishes if claim.seat not in {claim.seat for claim in able}]
        reasons = []
        for claim in able:
            who = place(claim.seat, giver)
            if claim in wins:
                words = Text(f"{capitalized(who.en)} declares a win, and wins.", f"{who.zh}喊胡，胡了。")
                reasons.append(Reason(words, ("CS-61",)))
            else:
                words = Text(
                    f"{capitalized(who.en)} can win too, and must, since {first.en} does.",
                    f"{first.zh}胡了，{who.zh}也能胡，必须跟着胡。",
                )
                reasons.append(Reason(words, ("CS-62",)))
        reasons += [Reason(words) for rival, words in why_first(giver, wins[0], [*others, wins[0]]) if rival]
        return Outcome(able, (*reasons, *((_UNWRITTEN,) if others else ())))

    # Gangs

    @ruling(
        "own-gangs",
        Text("Gangs in one's own turn", "自己杠"),
        Text(
            "Four alike in the concealed hand, or the fourth tile of a peng; not after a 开杠.",
            "手里四张一样的，或者碰过的第四张；开过杠以后摸到的牌不能再杠。",
        ),
        ("CS-29", "CS-35", "CS-80"),
        readings=("S13",),
    )
    def own_gangs(self, game: Ruleset, hand: Hand, standing: Standing = FREE) -> Outcome[tuple[Meld, ...]]:
        """The gangs that a player whose turn it is may lay down."""
        check_full(hand)
        melds = own_gangs_of(hand)
        if not melds:
            return Outcome.of((), "The hand has no four alike to gang.", "手里没有能杠的四张。", "CS-29")
        names = game.tiles.names(meld.tiles[0] for meld in melds)
        if standing.locked:
            return Outcome.of(
                (),
                f"After a 开杠 drawn tiles are only won with or discarded, so {names.en} can't be ganged.",
                f"开过杠，摸到的牌不胡就打，{names.zh}不能再杠。",
                "CS-80",
            )
        return Outcome.of(
            melds,
            f"Four alike may be ganged: {names.en}.",
            f"四张一样的可以杠：{names.zh}。",
            "CS-29",
            "CS-35",
        )

    @ruling(
        "gang-choices",
        Text("补 or 开杠", "补还是开杠"),
        Text(
            "A hand that is ready without the four tiles may take 补 or 开杠; any other hand, only 补.",
            "拿开这四张以后听牌，补张、开杠都行；没听牌只能补张。",
        ),
        ("CS-29", "CS-69", "CS-76"),
        readings=("S13",),
    )
    def gang_choices(self, game: Ruleset, hand: Hand) -> Outcome[tuple[str, ...]]:
        """How a gang may be gone on with: `bu`, `kai`. hand: the waiting hand with the gang laid down."""
        check_waiting(hand)
        _check_gang(hand)
        # Ready for what the gang may turn up, which at some tables needs less than another win.
        waits = game.waits(hand, _OPENED)
        if not waits:
            return Outcome.of(
                (BU,),
                "Without the four tiles the hand is not ready: only 补, a tile from the tail of the wall.",
                "拿开这四张，手里没听牌，只能补张。",
                "CS-69",
                "CS-76",
            )
        names = game.tiles.names(waits, last=Text("or", "、"))
        return Outcome.of(
            (BU, KAI),
            f"Without the four tiles the hand waits for {names.en}: 补, or 开杠 with the dice.",
            f"拿开这四张，手里听{names.zh}，可以补张，也可以掷骰子开杠。",
            "CS-29",
            "CS-69",
            "CS-76",
        )

    @ruling(
        "bu-win",
        Text("A win on a 补 tile", "补张胡牌"),
        Text("A plain self-draw; not gangshanghua.", "只算自摸，不算杠上花。"),
        ("CS-70",),
        readings=("S13",),
    )
    def bu_win(self, game: Ruleset, seat: int, hand: Hand, kind: Tile) -> Outcome[Circumstances | None]:
        """How a win on a 补 tile is scored, None where the tile does not win the waiting hand."""
        check_seat(seat)
        check_waiting(hand)
        check_kind(game.tiles, kind)
        check_there_is(hand, (kind,))
        name, drawn = game.tiles.name(kind), Circumstances("self-draw", seat, None)
        if not game.judge(hand.with_winning(kind), drawn).wins:
            return Outcome.of(
                None, f"{name.en} does not win: a tile is discarded.", f"{name.zh}胡不了，打出一张。", "CS-70"
            )
        return Outcome.of(
            drawn,
            f"{name.en} wins as a plain self-draw: a 补 tile is no gangshanghua.",
            f"补到{name.zh}胡了，只算自摸，不算杠上花。",
            "CS-70",
        )

    @ruling(
        "kai-win",
        Text("The opener's win", "开杠自己胡"),
        Text(
            "The opener's win on either tile comes first and ends the hand; otherwise both are discarded.",
            "开杠翻出的牌，自己能胡先胡，这一局就完了；胡不了，两张都要打出去。",
        ),
        ("CS-32", "CS-33", "CS-38", "CS-78"),
        readings=("S13",),
    )
    def opener_wins(
        self, game: Ruleset, opener: int, hand: Hand, kinds: tuple[Tile, ...]
    ) -> Outcome[tuple[Tile, ...]]:
        """The tiles turned up by a 开杠 that the opener wins on, as 杠上花; () where all must be discarded."""
        check_seat(opener)
        check_waiting(hand)
        _check_opened(kinds)
        check_there_is(hand, kinds)
        _check_gang(hand)
        how = Circumstances("self-draw", opener, None, moments=("gangshanghua",))
        won = tuple(kind for kind in kinds if game.judge(hand.with_winning(kind), how).wins)
        names = game.tiles.names(won or kinds)
        if not won:
            return Outcome.of(
                (),
                f"The opener does not win: {names.en} must be discarded, together if they are two.",
                f"开杠翻出{names.zh}，自己胡不了，必须打出去，两张就一起打。",
                "CS-78",
            )
        twice = Reason(Text("Both tiles win, and count two big wins.", "两张都胡，算两个大胡。"), ("CS-33",))
        words = Text(
            f"The opener wins on {names.en}: gangshanghua, before anyone else is asked.",
            f"开杠翻出{names.zh}，自己先胡，是杠上花。",
        )
        first = Reason(words, ("CS-32", "CS-38", "CS-78"))
        return Outcome(won, (first, twice) if len(won) == 2 else (first,))

    @ruling(
        "kai-claims",
        Text("Claims on opened tiles", "开杠打出的牌"),
        Text(
            "Others may win on either or both, as gangshangpao; else one claim takes one tile and the other is dead.",
            "别家能胡先胡，是杠上炮，两张都能胡就都算；没人胡，一家吃碰杠走一张，另一张作废。",
        ),
        ("CS-37", "CS-39", "CS-79", "CS-81"),
        options=(MISSED_WIN,),
        readings=("S13", "S17"),
    )
    def claims_on_opened(
        self,
        game: Ruleset,
        opener: int,
        kinds: tuple[Tile, ...],
        hands: Mapping[int, Hand],
        standings: Mapping[int, Standing] = ALL_FREE,
    ) -> Outcome[tuple[Claim, ...]]:
        """Every claim that these hands could make on the one or two tiles that an opener has to discard."""
        _check_opened(kinds)
        return self._claims(game, opener, kinds, hands, standings, "discard", ("gangshangpao",))

    @ruling(
        "kai-lock",
        Text("The lock after 开杠", "开杠锁牌"),
        Text(
            "A drawn tile is discarded unless it wins; no chi, no peng, no gang with a drawn tile.",
            "摸到的牌胡不了就打出去，不能吃碰，摸到的牌也不能杠。",
        ),
        ("CS-80",),
        readings=("S13",),
    )
    def locked_draw(self, game: Ruleset, seat: int, hand: Hand) -> Outcome[tuple[str, ...]]:
        """What a locked player may do with the drawn tile, which is the hand's winning tile: `hu`, `discard`."""
        check_full(hand)
        if hand.winning is None:
            raise ValueError("the drawn tile must be set apart")
        name = game.tiles.name(hand.winning)
        if game.judge(hand, Circumstances("self-draw", seat, None)).wins:
            return Outcome.of((HU, DISCARD), f"{name.en} wins.", f"{name.zh}可以胡。", "CS-80")
        return Outcome.of(
            (DISCARD,),
            f"After a 开杠, {name.en} does not win and must be discarded.",
            f"开过杠，{name.zh}胡不了，必须打出去。",
            "CS-80",
        )

    @ruling(
        "kai-without-tile",
        Text("A 开杠 without a tile", "开杠拿不到牌"),
        Text("The turn passes and the lock holds.", "轮到下家，锁牌照旧。"),
        ("CS-80", "CS-84"),
        readings=("S15",),
    )
    def opened_nothing(self, opener: int) -> Outcome[tuple[Turn, Standing]]:
        """Whose move follows a 开杠 whose dice reach no tile, and how the opener stands."""
        move = next_move(opener, None, {})
        who = place(move.value.seat, opener)
        words = Text(
            f"The dice reach no tile, so there is nothing to discard and {who.en} draws.",
            f"骰子数到的地方没有牌，不用打牌，轮到{who.zh}摸。",
        )
        holds = Text("The opener stays locked all the same.", "开了杠，牌照样锁住。")
        return Outcome(
            (move.value, Standing(locked=True)), (Reason(words, ("CS-84",)), Reason(holds, ("CS-80",)))
        )

    # Robbing

    @ruling(
        "robbing",
        Text("Robbing a gang", "谁能抢杠"),
        Text(
            "Only a tile added to a peng can be robbed, by all who win with it; a gang made any other way never.",
            "只有碰过再加的那张能抢，能胡的都可以抢；暗杠，还有手里三张、杠别家打的那种明杠，都不能抢。",
        ),
        ("CS-34", "CS-35", "CS-36"),
        options=(MISSED_WIN,),
        readings=("S16", "S17", "S20"),
    )
    def robbers(
        self,
        game: Ruleset,
        adder: int,
        meld: Meld,
        added: Tile | None,
        hands: Mapping[int, Hand],
        standings: Mapping[int, Standing] = ALL_FREE,
    ) -> Outcome[tuple[Claim, ...]]:
        """Every win that these hands could declare on a gang, 补 or 开. added: the tile put to a 碰, else None."""
        check_question(game.tiles, adder, meld.tiles, hands)
        if meld.kind != GANG or (added and (added not in meld.tiles or meld.concealed)):
            raise ValueError(f"{added} is not added to {meld}")
        if meld.concealed:
            return Outcome.of((), "A concealed gang can't be robbed.", "暗杠不能抢。", "CS-34")
        if added is None:
            return Outcome.of(
                (),
                "A gang made with a discard can't be robbed: whoever wanted to win had to say so at the discard.",
                "别人打的牌开的杠不能抢，要胡在打出来的时候就得胡。",
                "CS-36",
            )
        return self._claims(game, adder, (added,), hands, standings, "robbed-gang", ())

    @ruling(
        "after-robbing",
        Text("After a robbery", "抢杠之后"),
        Text("A robbed gang is void, and the hand is over.", "被抢的杠不算，这一局结束。"),
        ("CS-35",),
        readings=("S20",),
    )
    def after_robbing(self, adder: int, winners: tuple[Claim, ...]) -> Outcome[Turn]:
        """Whose move follows an addition and those who robbed it, if any."""
        check_seat(adder)
        for claim in winners:
            check_taker(claim.seat, adder)
            if claim.action != HU:
                raise ValueError("a gang is robbed by hu alone")
        if winners:
            return Outcome.of(
                Turn(winners[0].seat, END),
                "The tile is won from the player who added it: the gang is void and the hand is over.",
                "这张被抢胡，杠作废，这一局结束。",
                "CS-35",
            )
        return Outcome.of(
            Turn(adder, REPLACE),
            "Nobody robs the tile: the gang stands.",
            "没人抢，杠成立，接着补张或开杠。",
            "CS-35",
        )

    # The last tile

    @ruling(
        "last-tile-win",
        Text("Winning on the last tile", "海底胡"),
        Text(
            "Whoever takes the last tile wins with it or discards it; the pair is judged as the shape asks.",
            "要了海底的，能胡就胡，胡不了就打出去；将按牌型来。",
        ),
        ("CS-22", "CS-24"),
        readings=("S18",),
    )
    def last_tile(self, game: Ruleset, taker: int, hand: Hand, kind: Tile) -> Outcome[tuple[str, ...]]:
        """What the player who took the last tile may do with it: `hu` or `discard`."""
        check_seat(taker)
        check_waiting(hand)
        check_kind(game.tiles, kind)
        check_there_is(hand, (kind,))
        name = game.tiles.name(kind)
        how = Circumstances("self-draw", taker, None, moments=("haidilaoyue",))
        verdict = game.judge(hand.with_winning(kind), how)
        if verdict.wins:
            return Outcome.of(
                (HU,), f"{name.en} is the last tile, and wins.", f"海底是{name.zh}，胡了。", "CS-21", "CS-22"
            )
        return Outcome.of(
            (DISCARD,),
            f"{name.en} does not win for the player who took it, so it is discarded and others may win on it.",
            f"要了海底，{name.zh}胡不了，打出去，别家能胡可以胡。",
            "CS-22",
            "CS-24",
        )

    # Missed wins

    @ruling(
        "win-points",
        Text("What a discard win scores", "一炮值多少"),
        Text(
            "A small win 1, each big win 6; where the dealer wins or pays, 2 and 7. Birds don't count.",
            "小胡1分，大胡每个6分；庄家胡或者庄家放炮，小胡和每个大胡各加1分；不算鸟。",
        ),
        ("CS-44", "CS-45", "CS-74"),
        options=(DOUBLE_GANG,),
        readings=("S14", "S17"),
    )
    def win_points(self, big_wins: tuple[int, ...], with_dealer: bool) -> Outcome[int]:
        """What a win on another player's tile would pay before birds.

        big_wins: those of each tile won with, of which a 开杠 can give two; 0 for a small win. with_dealer: the
        dealer wins or pays.
        """
        if not big_wins or min(big_wins) < 0:
            raise ValueError(f"a win has tiles with big wins from 0 up, not {big_wins}")
        total = sum(big_wins)
        if self.house.says(DOUBLE_GANG, "once"):
            total = max(big_wins) + len(big_wins) - 1
        points = total * (6 + with_dealer) or 1 + with_dealer
        return Outcome.of(
            points,
            f"The win would pay {plural(points, 'point')} before birds.",
            f"不算鸟，这一炮值{points}分。",
            "CS-44",
            "CS-45",
        )

    @ruling(
        "missed-win",
        Text("A missed win", "漏胡"),
        Text(
            "A passed discard win bars every win on another player's tile that does not score more.",
            "别家打出来能胡没胡，之后分数没有变大的炮都不能胡；自摸不受影响。",
        ),
        ("CS-74", "CS-75"),
        options=(MISSED_WIN,),
        readings=("S17",),
    )
    def is_barred(self, missed: int, points: int, self_drawn: bool = False) -> Outcome[bool]:
        """Whether a player who passed a win may not take this one. missed: what that one would have paid, 0 for none."""
        _check_points(missed, points)
        if self_drawn:
            return Outcome.of(
                False, "A self-drawn win is never barred.", "自摸不算漏胡，随时可以胡。", "CS-74"
            )
        if not missed:
            return Outcome.of(False, "No win was passed.", "没有漏过胡。", "CS-74")
        if self.house.says(MISSED_WIN, "no"):
            return Outcome.of(False, "At this table a passed win bars nothing.", "这桌不打漏胡。", "CS-74")
        if points > missed:
            return Outcome.of(
                False,
                f"A win of {missed} was passed, and this one scores more, {points}: it may be taken.",
                f"漏了{missed}分的胡，这次{points}分，变大了，可以胡。",
                "CS-75",
            )
        return Outcome.of(
            True,
            f"A win of {missed} was passed, and this one scores {points}: no win on a discard before the player's next move.",
            f"漏了{missed}分的胡，这次{points}分，没有变大，自己动牌以前不能胡别家的牌。",
            "CS-74",
            "CS-75",
        )

    @ruling(
        "passing-a-win",
        Text("Passing a win", "能胡不胡"),
        Text(
            "The best win passed since the player's own last move is what counts.",
            "自己动牌以后漏过的胡，按最大的一次算。",
        ),
        ("CS-74",),
        options=(MISSED_WIN,),
        readings=("S17",),
    )
    def missed_after(self, missed: int, points: int) -> Outcome[int]:
        """What stands as missed after one more win was passed."""
        _check_points(missed, points)
        if self.house.says(MISSED_WIN, "no"):
            return Outcome.of(0, "At this table a passed win bars nothing.", "这桌不打漏胡。", "CS-74")
        most = max(missed, points)
        return Outcome.of(most, f"The player has missed a win of {most}.", f"这家漏了{most}分的胡。", "CS-74")

    @ruling(
        "bar-lifts",
        Text("When the bar lifts", "漏胡解除"),
        Text("With the player's next draw, chi, peng, 补 or gang.", "自己摸、吃、碰、补、杠以后。"),
        ("CS-75",),
        readings=("S17",),
    )
    def lifts_bar(self, act: str) -> Outcome[bool]:
        """Whether the player's own act ends the bar: `draw`, `chi`, `peng`, `bu`, `gang`; `discard` and `pass` don't."""
        if act not in (DRAW, CHI, PENG, BU, GANG, DISCARD, PASS):
            raise ValueError(f"no act is called {act!r}")
        if act in (DISCARD, PASS):
            return Outcome.of(
                False, "Nothing came into the hand, so the bar stays.", "手里没进牌，漏胡还在。", "CS-75"
            )
        return Outcome.of(
            True, "The player has moved, so any win may be taken again.", "自己动过牌，又可以胡了。", "CS-75"
        )

    # The first moments

    @ruling(
        "tianhu",
        Text("When a hand is tianhu", "怎样算天胡"),
        Text("The dealer's 14 dealt tiles win.", "庄家起手14张就胡。"),
        ("CS-12",),
        readings=("S2",),
    )
    def is_tianhu(self, game: Ruleset, hand: Hand) -> Outcome[bool]:
        """Whether these fourteen tiles, dealt to the dealer, win."""
        check_full(hand)
        if hand.melds:
            raise ValueError("a hand as dealt has no melds")
        if game.judge(hand, Circumstances("self-draw", 0, None, moments=("tianhu",))).wins:
            return Outcome.of(
                True, "The dealer's tiles win as dealt: tianhu.", "庄家起手就胡，是天胡。", "CS-12"
            )
        return Outcome.of(
            False, "The dealer's tiles do not win as dealt.", "庄家起手没胡，不是天胡。", "CS-12"
        )

    @ruling(
        "dihu",
        Text("When a win is dihu", "怎样算地胡"),
        Text(
            "A hand ready as dealt wins on the dealer's first discard, with nothing claimed before.",
            "闲家起手听牌，庄家打出的第一张就点炮，中间没人吃碰杠。",
        ),
        ("CS-13",),
        readings=("S19",),
    )
    def is_dihu(
        self,
        game: Ruleset,
        seat: int,
        hand: Hand,
        kind: Tile,
        *,
        first_discard: bool,
        claimed: bool = False,
        opened: bool = False,
    ) -> Outcome[bool]:
        """Whether a win on the dealer's discard is 地胡. claimed: a tile was claimed before. opened: it is a 开杠 tile."""
        check_question(game.tiles, 0, [kind], {seat: hand})
        name = game.tiles.name(kind)
        if opened:
            return Outcome.of(
                False,
                f"{name.en} was turned up by a 开杠, which is no ordinary discard: not dihu.",
                f"{name.zh}是开杠翻出来的，不是平常打的牌，不算地胡。",
                "CS-13",
            )
        if not first_discard:
            return Outcome.of(
                False, "Only the dealer's first discard makes dihu.", "庄家打的第一张才算地胡。", "CS-13"
            )
        if claimed or hand.melds:
            return Outcome.of(
                False, "A tile was claimed before, so it is no dihu.", "之前有人吃碰杠过，不算地胡。", "CS-13"
            )
        wins = game.judge(hand.with_winning(kind), Circumstances("discard", seat, 0, moments=("dihu",))).wins
        if not wins:
            return Outcome.of(
                False, f"The hand as dealt does not win with {name.en}.", f"起手的牌不胡{name.zh}。", "CS-13"
            )
        return Outcome.of(
            True,
            f"Ready as dealt, and the dealer's first discard is {name.en}: dihu.",
            f"起手听牌，庄家第一张就打{name.zh}，是地胡。",
            "CS-13",
        )

    @ruling(
        "shown-openings",
        Text("Tiles shown for an opening", "起手胡亮的牌"),
        Text(
            "They lie open until the dealer's first discard, then go back; the hand plays on as if nothing was shown.",
            "亮到庄家打出第一张为止，然后收回手里，照常打，不影响后面胡牌。",
        ),
        ("CS-5", "CS-6", "CS-7"),
        readings=("S6",),
    )
    def shown_openings(
        self, game: Ruleset, hand: Hand, shown: Iterable[Tile], dealer_has_discarded: bool
    ) -> Outcome[tuple[Tile, ...]]:
        """The tiles of a hand that lie open for its 起手胡; they stay part of the hand throughout."""
        shown = tuple(shown)
        for kind, count in Counter(shown).items():
            if hand.loose.count(kind) < count:
                raise ValueError(f"the hand has not {count} of {kind} to show")
        names = game.tiles.names(dict.fromkeys(shown))
        if dealer_has_discarded:
            return Outcome.of(
                (),
                f"The dealer has discarded: {names.en} go back into the hand, which may still win as any other.",
                f"庄家打出第一张，{names.zh}收回手里，后面照样可以胡。",
                "CS-6",
                "CS-7",
            )
        return Outcome.of(
            shown,
            f"{names.en} lie open until the dealer's first discard.",
            f"亮出{names.zh}，等庄家打出第一张再收回。",
            "CS-5",
            "CS-6",
        )

    # What several rulings ask

    def _claims(
        self,
        game: Ruleset,
        giver: int,
        kinds: tuple[Tile, ...],
        hands: Mapping[int, Hand],
        standings: Mapping[int, Standing],
        by: str,
        moments: tuple[str, ...],
    ) -> Outcome[tuple[Claim, ...]]:
        check_question(game.tiles, giver, kinds, hands)
        only_wins = by == "robbed-gang" or "haidipao" in moments
        found: list[tuple[Claim | None, Reason]] = []
        for seat in others_from(giver):
            if seat in hands:
                standing = standings.get(seat, FREE)
                found += self._hu(game, seat, hands[seat], kinds, giver, standing, by, moments)
                if not only_wins:
                    found += _melds(game, seat, hands[seat], kinds, giver, standing)
        names = game.tiles.names(dict.fromkeys(kinds))
        if "haidipao" in moments:
            words = Text("The last tile can only be won with.", "海底只能胡，不能吃碰杠。")
            found += [(None, Reason(words)), (None, _UNWRITTEN)]
        if only_wins:
            words = Text(f"Nobody can win on {names.en}.", f"{names.zh}没人能胡。")
        else:
            words = Text(f"Nobody can do anything with {names.en}.", f"{names.zh}谁也用不上。")
        return gathered(found, Reason(words))

    def _hu(
        self,
        game: Ruleset,
        seat: int,
        hand: Hand,
        kinds: tuple[Tile, ...],
        giver: int,
        standing: Standing,
        by: str,
        moments: tuple[str, ...],
    ) -> _Found:
        if "dihu" in moments and hand.melds:
            moments = ()  # with a meld the hand is not as dealt: an ordinary discard
        how = Circumstances(by, seat, giver, moments=moments)
        verdicts = {kind: game.judge(hand.with_winning(kind), how) for kind in kinds}
        for kind, verdict in verdicts.items():
            why_not = why_no_win(game.tiles, verdict, seat, kind, giver)
            if why_not:
                yield None, why_not
        won = tuple(kind for kind in kinds if verdicts[kind].wins)
        if not won:
            return
        totals = tuple(verdicts[kind].total or 0 for kind in won)
        points = self.win_points(totals, 0 in (seat, giver)).value
        barred = self.is_barred(standing.missed, points)
        if barred.value:
            yield None, of_seat(seat, giver, barred.reasons[0])
            return
        claim = Claim(seat, HU, None, won if len(kinds) > 1 else ())
        cites = _WIN_CITES[moments[0]] if moments else ("CS-35",) if by == "robbed-gang" else ("CS-61",)
        for kind in dict.fromkeys(won):
            yield (
                claim if kind is won[0] else None,
                Reason(claim_words(game.tiles, claim, kind, giver), cites),
            )
        if len(won) > 1:
            yield None, Reason(Text("Both tiles win, and both count.", "两张都胡，都算。"), ("CS-39",))
        if standing.missed:
            yield None, of_seat(seat, giver, barred.reasons[0])


def _check_gang(hand: Hand) -> None:
    if all(meld.kind != GANG for meld in hand.melds):
        raise ValueError("no gang is laid down in this hand")


def _melds(
    game: Ruleset, seat: int, hand: Hand, kinds: tuple[Tile, ...], giver: int, standing: Standing
) -> _Found:
    for kind in dict.fromkeys(kinds):
        for claim in melds_with(seat, hand, kind, giver):
            who, name = place(seat, giver), game.tiles.name(kind)
            if standing.locked and claim.action != GANG:
                words = Text(
                    f"{capitalized(who.en)} has made a 开杠 and may not chi or peng {name.en}.",
                    f"{who.zh}开过杠，不能吃碰{name.zh}。",
                )
                yield None, Reason(words, ("CS-80",))
            elif standing.locked and claim.meld and not game.waits(taken(hand, claim.meld, kind)):
                words = Text(
                    f"{capitalized(who.en)} has made a 开杠, and a gang of {name.en} would end its wait.",
                    f"{who.zh}开过杠，再杠{name.zh}就不听牌了，不能杠。",
                )
                yield None, Reason(words, ("CS-82",))
            else:
                words = claim_words(game.tiles, claim, kind, giver)
                if len(kinds) > 1:
                    claim = claim._replace(tiles=(kind,))
                cites = ("CS-82",) if standing.locked else ("CS-81",) if len(kinds) > 1 else ()
                yield claim, Reason(words, cites)
        against = no_chi_words(game.tiles, seat, hand, kind, giver)
        if against:
            yield None, Reason(against)
            yield None, _UNWRITTEN


def _check_opened(kinds: tuple[Tile, ...]) -> None:
    if len(kinds) not in (1, 2):
        raise ValueError(f"a 开杠 turns up one tile or two, not {len(kinds)}")


def _check_points(missed: int, points: int) -> None:
    if missed < 0 or points < 0:
        raise ValueError(f"points are never negative, unlike {min(missed, points)}")
