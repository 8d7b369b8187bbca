"""The house rules of Changsha tables."""

from ...house import Choice, HouseRule, yes_no
from ...text import Text

MOMENTS_NEED_258 = HouseRule(
    "moments-need-258",
    Text("Does a win at a special moment need a 2-5-8 pair?", "天胡、杠上花这类胡法，要二五八将吗？"),
    yes_no(
        "yes",
        Text("Yes: the hand must win by itself", "要，牌本身得能胡"),
        Text("No, except on the last tile of the wall", "不要，海底除外"),
    ),
    Text(
        "Tianhu and the like count as big wins, and at some tables any pair will do for those.",
        "这些都列在大胡里，有的桌子大胡一律乱将。",
    ),
    "S2",
    ("CS-3", "CS-12", "CS-22"),
)
JIANGJIANGHU_NEEDS_SHAPE = HouseRule(
    "jiangjianghu-needs-shape",
    Text("Must jiangjianghu have sets and a pair?", "将将胡要成牌型吗？"),
    yes_no(
        "no",
        Text("Yes: triplets and a pair, or seven pairs", "要，得是刻子加将，或者七对"),
        Text("No: any 2s, 5s and 8s", "不要，全是二五八就行"),
    ),
    Text(
        "A hand that wins without any set surprises players from elsewhere; some tables don't play it.",
        "不成牌型也能胡，外地人不习惯，有的桌子不这么打。",
    ),
    "S3",
    ("CS-16",),
)
THREE_FOURS = HouseRule(
    "three-fours",
    Text("What are seven pairs with three fours worth?", "七对里有三组四张一样的，算几个大胡？"),
    (
        Choice("4", Text("4 big wins, as with two", "四个大胡，和两组一样")),
        Choice("6", Text("6 big wins", "六个大胡")),
    ),
    Text(
        "The text stops at “more than one”; some tables go on counting by twos.",
        "原文只说一个以上，有的桌子接着往上加。",
    ),
    "S5",
    ("CS-43",),
)
OPENING_BIRDS = HouseRule(
    "opening-birds",
    Text("Do birds count for openings too?", "起手胡也算鸟吗？"),
    yes_no(
        "no",
        Text("Yes: birds double openings as they double wins", "算，和胡牌一样翻"),
        Text("No: birds are for wins", "不算，鸟只管胡牌"),
    ),
    Text(
        "An opening is paid as a small self-drawn win, and those take birds.",
        "起手胡按小胡自摸算，小胡自摸是有鸟的。",
    ),
    "S6",
    ("CS-5", "CS-63"),
)
FOUR_IN_LIULIUSHUN = HouseRule(
    "four-in-liuliushun",
    Text("Do four alike count as a triplet in liuliushun?", "四张一样的，在六六顺里算刻子吗？"),
    yes_no(
        "yes",
        Text("Yes, and sixi counts as well", "算，四喜也照算"),
        Text("No: exactly three alike, twice", "不算，要正好三张的两套"),
    ),
    Text(
        "Six and six, as the name says, are two threes; a four is already paid as sixi.",
        "六六顺说的是两个三张，四张已经算了四喜。",
    ),
    "S8",
    ("CS-9", "CS-11"),
)
QUANQIUREN_CONCEALED_GANG = HouseRule(
    "quanqiuren-concealed-gang",
    Text("May quanqiuren hold a concealed gang?", "有暗杠还算全求人吗？"),
    yes_no(
        "yes",
        Text("Yes: four melds of any kind", "算，四组下来了就行"),
        Text("No: all four must be taken from others", "不算，四组都要用别人的牌"),
    ),
    Text(
        "The name says everything is begged from others, and a concealed gang is not.",
        "全求人是样样求人，暗杠可没求人。",
    ),
    "S10",
    ("CS-40",),
)
BIRDS = HouseRule(
    "birds",
    Text("How many bird tiles are drawn?", "扎几个鸟？"),
    (
        Choice("2", Text("2", "两个")),
        Choice("1", Text("1", "一个")),
        Choice("4", Text("4", "四个")),
        Choice("6", Text("6", "六个")),
        Choice("0", Text("None", "不扎鸟")),
    ),
    Text(
        "The text gives no number; its example with two hits needs at least two.",
        "原文没说扎几个，举例中了两个，至少要扎两个。",
    ),
    "S11",
    ("CS-56", "CS-57", "CS-63"),
)
BIRD_COUNT_UP = HouseRule(
    "bird-count-up",
    Text("What does a bird do to a payment?", "中鸟怎么算？"),
    (
        Choice("double", Text("Each hit doubles it", "中一个翻一倍，再中再翻")),
        Choice("add", Text("Each hit adds it once more", "中一个多付一份")),
    ),
    Text(
        "Doubling twice makes four times; adding makes three, which keeps stakes lower.",
        "翻两次是四倍，加两次是三倍，输赢小一些。",
    ),
    "S11",
    ("CS-56", "CS-57"),
)
BIRD_ORIGIN = HouseRule(
    "bird-origin",
    Text("From whom are the birds counted?", "鸟从谁数起？"),
    (
        Choice("dealer", Text("From the dealer", "从庄家数起")),
        Choice("winner", Text("From the winner", "从胡牌的人数起")),
    ),
    Text("Counted from the winner, 1, 5 and 9 always hit.", "从胡牌的人数，一、五、九总是中。"),
    "S11",
    ("CS-64",),
)
DOUBLE_GANG = HouseRule(
    "double-gang",
    Text("How are both tiles of one opened gang counted?", "开杠两张都胡，怎么算？"),
    (
        Choice("each", Text("Each tile's hand by itself, added up", "两张各算各的牌型，再相加")),
        Choice("once", Text("The shape once, and one for each tile", "牌型只算一次，每张杠牌加一个")),
    ),
    Text("Counting the same shape twice makes very big wins.", "同一副牌型算两遍，分数会很大。"),
    "S14",
    ("CS-39", "CS-58", "CS-59", "CS-60"),
)
SEVERAL_WINNERS = HouseRule(
    "several-winners",
    Text("May several players win on one tile?", "一炮能多响吗？"),
    (
        Choice("all", Text("Yes: all who can", "能，通炮")),
        Choice("nearest", Text("No: the nearest after the discarder", "不能，离打牌人最近的胡")),
    ),
    Text(
        "Losing three times on one tile is harsh; some tables let only the nearest win.",
        "一张牌赔三家太狠，有的桌子只让最近的胡。",
    ),
    "S16",
    ("CS-61", "CS-62"),
)
MISSED_WIN = HouseRule(
    "missed-win",
    Text("Does passing a win bar the next ones?", "打漏胡吗？"),
    yes_no(
        "yes",
        Text("Yes, until the player's next move or a better win", "打，自己动过牌或者分数变大才能再胡"),
        Text("No: every discard is a new chance", "不打，漏了照样能胡下一张"),
    ),
    Text(
        "The bar stops players from choosing whom to win from; friendly tables drop it.",
        "漏胡是防止挑人胡的，随便玩玩的桌子常常不打。",
    ),
    "S17",
    ("CS-74", "CS-75"),
)
