"""The page that describes the API: what can be asked, by which words, and what is answered."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import rules
from rules import Text
from rules.circumstances import SEATS
from tutor.api.examples import CHECK, DEAL, EXAMPLES, SETTLE

ERRORS = {
    "unknown-ruleset": Text("there is no such game", "没有这套规则"),
    "bad-option": Text("no such table rule, or no such value", "没有这条桌上规矩，或者没有这个值"),
    "too-long": Text("the text is longer than any hand", "写得太长，不会是一手牌"),
    "bad-character": Text("something that is no tile; “at” says where", "有看不懂的字，“at”指出位置"),
    "bad-meld": Text("the tiles in a bracket make no meld", "括号里的牌凑不成吃碰杠"),
    "tile-not-in-set": Text("the game is played without this tile", "这种麻将没有这张牌"),
    "too-many-copies": Text("a fifth copy of a tile", "同一张牌写了第五张"),
    "tile-count": Text("too many or too few tiles", "张数不对"),
    "bad-context": Text("the hand can't have ended that way", "牌局不可能是这样"),
    "not-a-win": Text("settling a hand that does not win", "要结算的牌没有胡"),
    "bad-request": Text("unknown parameters or JSON that can't be read", "有不认识的参数，或者 JSON 读不了"),
}


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    """What can be asked, and what is answered."""
    context = {
        "games": rules.rulesets().values(),
        "seats": list(enumerate(SEATS)),
        "errors": ERRORS,
        "checks": [example for example in EXAMPLES if example.endpoint == CHECK],
        "deals": [example for example in EXAMPLES if example.endpoint == DEAL],
        "settlements": [example for example in EXAMPLES if example.endpoint == SETTLE],
        "origin": request.build_absolute_uri("/")[:-1],
        "query": "",
    }
    return render(request, "api/api.html", context)
