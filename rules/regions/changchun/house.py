"""The house rules of Changchun tables."""

from ...house import Choice, HouseRule, yes_no
from ...text import Text

DRAGON_PAIR_WAIVES_TRIPLET = HouseRule(
    "dragon-pair-waives-triplet",
    Text("Does a pair of dragons excuse the triplet?", "中发白做将，能免刻子吗？"),
    yes_no(
        "yes",
        Text("Yes: four sequences and a pair of dragons win", "能免，四个顺子加一对中发白可以胡"),
        Text("No: only a special gang excuses the triplet", "不能免，只有特殊杠才能免刻子"),
    ),
    Text(
        "The listed shapes all have a triplet; some tables hold to the list and let dragons excuse nothing.",
        "列出的牌型都带刻子，有的桌子照牌型来，不认中发白免刻。",
    ),
    "R1",
    ("CC-58", "CC-73"),
)
SPECIAL_GANG_IN_PIAOHU = HouseRule(
    "special-gang-in-piaohu",
    Text("May piaohu hold a special gang?", "有特殊杠还算飘胡吗？"),
    yes_no(
        "yes",
        Text("Yes: it counts as a gang", "算，特殊杠当杠看"),
        Text("No: every set must be a real triplet or gang", "不算，飘胡只认真正的刻子和杠"),
    ),
    Text(
        "A special gang is not four alike, so some tables keep piaohu for triplets and gangs proper.",
        "特殊杠不是四张一样的牌，有的桌子飘胡只认刻子和普通杠。",
    ),
    "R3",
    ("CC-68", "CC-77"),
)
SPECIAL_GANG_COUNTS_SUITS = HouseRule(
    "special-gang-counts-suits",
    Text("Do tiles in a special gang count for the suits and for 1 or 9?", "特殊杠里的牌，算三色和幺九吗？"),
    yes_no(
        "yes",
        Text("Yes: they are in the hand", "算，杠里的牌也是手里的牌"),
        Text("No: the other tiles must have the suits and the 1 or 9", "不算，三色和幺九要靠别的牌"),
    ),
    Text(
        "A table that treats a special gang as laid aside asks the rest of the hand to meet the conditions.",
        "有的桌子认为特殊杠已经放到一边，其余的牌自己要三色全、有幺九。",
    ),
    "R4",
    ("CC-69", "CC-70"),
)
CONCEALED_GANG_KEEPS_LIHU = HouseRule(
    "concealed-gang-keeps-lihu",
    Text("Does a hand with a concealed gang still count as lihu?", "暗杠之后还算立胡吗？"),
    yes_no(
        "no",
        Text("Yes: nothing was taken from others", "算，没有吃碰别人的牌"),
        Text("No: any gang ends lihu", "不算，杠了就不是立胡"),
    ),
    Text(
        "A concealed gang takes nothing from others, so many players still call the hand closed.",
        "暗杠没用别人的牌，不少人认为还是门清。",
    ),
    "R6",
    ("CC-74",),
)
SPECIAL_GANG_KEEPS_LIHU = HouseRule(
    "special-gang-keeps-lihu",
    Text("Does a hand with a special gang still count as lihu?", "亮了特殊杠还算立胡吗？"),
    yes_no(
        "no",
        Text("Yes: its tiles were dealt", "算，杠里的牌是起手就有的"),
        Text("No: any gang ends lihu", "不算，杠了就不是立胡"),
    ),
    Text(
        "The tiles of a special gang were dealt, not claimed, so some tables don't count it as opening the hand.",
        "特殊杠是起手自己摸到的，有的桌子不算开门。",
    ),
    "R6",
    ("CC-74",),
)
JIAHU = HouseRule(
    "jiahu",
    Text("When is a win jiahu?", "什么样算夹胡？"),
    (
        Choice(
            "shape-and-only-wait",
            Text(
                "An edge, closed or single wait that is also the only wait",
                "边张、坎张或单吊，而且只听这一张",
            ),
        ),
        Choice(
            "shape", Text("An edge, closed or single wait, even beside other waits", "只要是边张、坎张或单吊")
        ),
        Choice("only-wait", Text("The only tile waited for, whatever the shape of the wait", "只要独听一张")),
    ),
    Text(
        "The text says jiahu is the same as waiting for one tile; where the two disagree, tables do too.",
        "原文说夹胡与独听一致，两样不一致的时候，各桌看法不同。",
    ),
    "R8",
    ("CC-66",),
)
DUIBAO_INCLUDES_BAOPAI = HouseRule(
    "duibao-includes-baopai",
    Text("Does duibao also score baopai?", "对宝还另算宝牌吗？"),
    yes_no(
        "yes",
        Text("Yes: zimo 1, baopai 2 and duibao 2", "算，自摸1、宝牌2、对宝2"),
        Text("No: zimo 1 and duibao 2", "不算，自摸1、对宝2"),
    ),
    Text(
        "The two extra fan can be read as the bao's own or as coming on top of it.",
        "“额外加2番”可以理解成就是宝牌那2番，也可以理解成再加2番。",
    ),
    "R10",
    ("CC-67", "CC-89", "CC-90"),
)
POINTS = HouseRule(
    "points",
    Text("How do fan become points?", "番怎么算成分？"),
    (
        Choice("linear", Text("A point for each fan", "一番一分")),
        Choice(
            "doubling", Text("1 fan is 1 point, and each further fan doubles it", "一番一分，多一番翻一倍")
        ),
        Choice(
            "two-to-fan-cap-6",
            Text("Doubled once for each fan, six times at most", "每番翻一倍，最多翻六次"),
        ),
    ),
    Text(
        "The text adds fan up and gives no points; doubling makes big hands worth far more.",
        "原文只把番加起来，没说多少分；翻倍打的桌子，大牌值钱得多。",
    ),
    "R12",
    ("CC-84",),
)
DISCARD_PAYS = HouseRule(
    "discard-pays",
    Text("Who pays for a win on a discard?", "点炮谁付？"),
    (
        Choice("discarder", Text("The discarder alone, for one share", "只有点炮的付自己那一份")),
        Choice(
            "everyone",
            Text("Everyone; the discarder's share is 1 fan more", "三家都付，点炮的那份多1番"),
        ),
        Choice(
            "discarder-for-all",
            Text("The discarder pays what all three would have paid", "点炮的一个人付三家的份（包分）"),
        ),
    ),
    Text(
        "Where everyone pays, waiting for a discard is worth more; where one pays for all, people discard with care.",
        "三家都付，胡点炮也赚得多；一家包三家，打牌就得格外小心。",
    ),
    "R13",
    ("CC-64", "CC-86"),
)
LOSING_DEALER_PAYS_EXTRA = HouseRule(
    "losing-dealer-pays-extra",
    Text("Does a losing dealer pay 1 fan more?", "庄家输了要多付1番吗？"),
    yes_no(
        "no",
        Text("Yes: what a dealer loses is 1 fan more", "要，庄家输也多1番"),
        Text("No: the fan is for a winning dealer", "不要，庄胡只加在庄家赢的时候"),
    ),
    Text(
        "At many tables the dealer risks as much as there is to gain.",
        "不少桌子庄家赢多收、输也多付，有赚有赔。",
    ),
    "R14",
    ("CC-92",),
)
MUST_DECLARE_TING = HouseRule(
    "must-declare-ting",
    Text("Must ready (听) be declared before winning?", "胡牌之前必须报听吗？"),
    yes_no(
        "no",
        Text("Yes: without declaring 听 nobody may win", "必须，没报听不能胡"),
        Text("No: only wins by the bao need it", "不必，只有靠宝牌胡才要报听"),
    ),
    Text(
        "The text says a ready player may declare; some tables make it a duty, so that others are warned.",
        "原文说听牌后可以宣布，有的桌子要求必须报，好让别家有数。",
    ),
    "R15",
    ("CC-46",),
)
DADAN = HouseRule(
    "dadan",
    Text("Must all four tiles of a dadan be dealt?", "大蛋的四张都要起手就有吗？"),
    (
        Choice(
            "dealt-only",
            Text("Yes: collected later it is an ordinary gang", "要，后来凑齐的只算普通杠"),
        ),
        Choice("any-time", Text("No: any gang of these tiles counts", "不要，什么时候杠都算")),
    ),
    Text(
        "Nobody gains by showing a dealt dadan, so many tables pay for it whenever it comes together.",
        "起手就有的大蛋亮出来反而吃亏，所以很多桌子什么时候凑齐都算。",
    ),
    "R16",
    ("CC-36", "CC-37", "CC-38", "CC-39"),
)
DADAN_1M = HouseRule(
    "dadan-1m",
    Text("Is a gang of 1万 a dadan too?", "四张一万算大蛋吗？"),
    yes_no(
        "no",
        Text("Yes, as 1条 and 1饼 are", "算，和幺鸡、幺饼一样"),
        Text("No: it is an ordinary gang", "不算，就是普通杠"),
    ),
    Text(
        "The text names 1条 and 1饼 but not 1万; some tables take that for a slip.",
        "原文只说幺鸡、幺饼，没提一万，有的桌子当成漏写。",
    ),
    "R16",
    ("CC-36",),
)
SPECIAL_GANG_TWICE = HouseRule(
    "special-gang-twice",
    Text("May one player show two special gangs of one kind?", "同一种特殊杠能亮两副吗？"),
    yes_no(
        "yes",
        Text("Yes, where both were dealt", "能，起手有两副就亮两副"),
        Text("No: one of each kind", "不能，每种只能一副"),
    ),
    Text(
        "A second set can also be added to the first tile by tile, and some tables know only that.",
        "多出来的牌也可以一张张补上去，有的桌子只认补杠。",
    ),
    "R17",
    ("CC-28", "CC-30", "CC-32", "CC-34"),
)
ROB_ADDED_GANG = HouseRule(
    "rob-added-gang",
    Text("Which added tile may be robbed?", "往杠上加的牌，哪些可以抢？"),
    (
        Choice("special-only", Text("One added to a special gang", "只有补到特殊杠上的")),
        Choice(
            "any",
            Text(
                "Also the fourth tile added to a peng, but only to win", "碰过再加的第四张也能抢，但只能抢胡"
            ),
        ),
    ),
    Text(
        "Robbing the fourth tile of a peng is common elsewhere, and many players expect it here too.",
        "碰过再加的第四张可以抢胡，很多地方都这么打，有的桌子也跟着打。",
    ),
    "R19",
    ("CC-24", "CC-42", "CC-43"),
)
RESERVE = HouseRule(
    "reserve",
    Text("How much of the wall is left undrawn?", "牌墙最后留几墩？"),
    (
        Choice("grows", Text("7 stacks, 1 more from the second gang on", "7墩，从第二个杠起每杠多留1墩")),
        Choice("seven", Text("7 stacks, however many gangs", "7墩，杠多少都一样")),
        Choice("none", Text("Nothing: the wall is played out", "不留，摸到底")),
    ),
    Text(
        "Counting gangs is easy to get wrong at a real table; a fixed number is simpler.",
        "真打的时候数杠容易乱，留固定的数更省心。",
    ),
    "R21",
    ("CC-80", "CC-81"),
)
DIRECT_GANG_PAYS = HouseRule(
    "direct-gang-pays",
    Text("Who pays for a gang made with a discard?", "别人打出的牌开明杠，谁付杠分？"),
    (
        Choice("everyone", Text("All three others", "三家都付")),
        Choice("discarder", Text("The discarder alone", "只有打出这张的人付")),
    ),
    Text("At some tables the player who let the fourth tile go pays for it.", "有的桌子谁打出第四张谁负责。"),
    "R22",
    ("CC-96",),
)
SEVEN_PAIRS_WIN = HouseRule(
    "seven-pairs",
    Text("Do seven pairs win?", "七对能胡吗？"),
    yes_no(
        "no",
        Text("Yes: pinghu and the usual fan, no triplet needed", "能，按平胡加番算，不要刻子"),
        Text("No: four sets and a pair alone", "不能，只认四组加一对"),
    ),
    Text(
        "The text lists the shapes and says nothing else wins; players who know other games add seven pairs.",
        "原文说除了列出的牌型都不能胡，打惯别处麻将的人爱加上七对。",
    ),
    "R24",
    ("CC-57",),
)
FIRST_TAKER = HouseRule(
    "first-taker",
    Text("Who takes tiles first?", "谁先抓牌？"),
    (
        Choice("counted", Text("The player the first throw points to", "第一次骰子数到的那家")),
        Choice("dealer", Text("The dealer, whoever's wall is broken", "庄家，从谁的牌墙开都一样")),
    ),
    Text(
        "At most tables the dealer takes first and the dice only say where.",
        "多数桌子庄家先抓，骰子只定从哪里开。",
    ),
    "R27",
    ("CC-12", "CC-13"),
)
JIEHU_PASS = HouseRule(
    "jiehu-pass",
    Text("If the nearest winner passes, may the next one win?", "最近的那家不胡，下一家能胡吗？"),
    (
        Choice("next", Text("Yes, the next who declares", "能，轮到下一家")),
        Choice("none", Text("No: only the nearest ever may", "不能，只有最近的那家能胡")),
    ),
    Text(
        "Read literally, only the nearest may win; if that player passes, nobody does.",
        "照字面，只有最近的那家可以胡，他不胡别人也不能胡。",
    ),
    "R28",
    ("CC-79",),
)
