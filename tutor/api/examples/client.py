"""Asks Paili about mahjong hands. Python 3.11 or newer, its standard library alone.

python client.py http://127.0.0.1:8000 changsha "12355m 45678p 789s +9p"
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen


class Refused(Exception):
    """Paili has answered with an error. code: which one; at: the place in the text that was sent, or None."""

    def __init__(self, status: int, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"]["en"])
        self.status = status
        self.code: str = error["code"]
        self.at: int | None = error["at"]
        self.message: dict[str, str] = error["message"]


class Paili:
    """A Paili site. timeout: seconds to wait for an answer; tries: how often to ask where it is too busy."""

    def __init__(self, site: str, timeout: float = 10, tries: int = 3) -> None:
        if not site.startswith(("http://", "https://")):
            raise ValueError(f"not the address of a site: {site}")
        self.site = site.rstrip("/")
        self.timeout = timeout
        self.tries = tries

    def check(
        self, ruleset: str, hand: str, options: Sequence[str] = (), **given: str | int
    ) -> dict[str, Any]:
        """The verdict on a hand. given: `by`, `seat` and so on; `from_` stands for `from`."""
        asked = {key.rstrip("_"): value for key, value in given.items()}
        return self._get("check", {"ruleset": ruleset, "hand": hand, "option": options, **asked})

    def deal(self, ruleset: str, tiles: str, options: Sequence[str] = ()) -> dict[str, Any]:
        """What dealt tiles hold."""
        return self._get("deal", {"ruleset": ruleset, "tiles": tiles, "option": options})

    def settle(self, scenario: Mapping[str, Any]) -> dict[str, Any]:
        """Who pays whom at the end of a hand."""
        return self._ask("settle", json.dumps(scenario).encode())

    def _get(self, path: str, asked: Mapping[str, Any]) -> dict[str, Any]:
        return self._ask(f"{path}?{urlencode(asked, doseq=True)}")

    def _ask(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        request = Request(f"{self.site}/api/v1/{path}", body, headers)  # noqa: S310 - HTTP, as checked above
        for last in [False] * (self.tries - 1) + [True]:
            try:
                with urlopen(request, timeout=self.timeout) as answer:  # noqa: S310
                    found: dict[str, Any] = json.load(answer)
                    return found
            except HTTPError as error:
                with error:
                    if error.code == 429 and not last:
                        time.sleep(float(error.headers.get("Retry-After", "1")))
                        continue
                    if error.headers.get_content_type() == "application/json":
                        raise Refused(error.code, json.load(error)["error"]) from None
                    raise
        raise AssertionError("the last try answers or raises")


def main() -> int:
    """Prints the verdict on a hand. Returns 0, 2 for what Paili refuses, or 1 where it can't be asked."""
    if len(sys.argv) != 4:
        print(__doc__)
        return 2
    site, ruleset, hand = sys.argv[1:]
    try:
        print(json.dumps(Paili(site).check(ruleset, hand), ensure_ascii=False, indent=2))
    except Refused as refused:
        place = "" if refused.at is None else f" (at {refused.at})"
        print(f"{refused.code}{place}: {refused}", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(f"Paili can't be asked: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
