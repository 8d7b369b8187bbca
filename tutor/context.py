"""What every page knows."""

from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest

import rules


def rules_version(request: HttpRequest) -> dict[str, str]:
    """The version of the rules that judge here, for the foot of each page."""
    return {"rules_version": rules.VERSION}


def chosen_game(request: HttpRequest) -> dict[str, str]:
    """The key of the game in the address, which the navigation carries along; "" where it names none."""
    try:
        key = request.GET.get("ruleset", "")
    except TooManyFieldsSent:
        key = ""
    match = request.resolver_match
    key = key or (str(match.kwargs.get("game", "")) if match else "")
    return {"nav_ruleset": key if key in rules.rulesets() else ""}
