"""What every page knows."""

from django.http import HttpRequest

import rules


def rules_version(request: HttpRequest) -> dict[str, str]:
    """The version of the rules that judge here, for the foot of each page."""
    return {"rules_version": rules.VERSION}
