"""What a query may hold: the parameters of each endpoint by name, each of them once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tutor import answers

CHECK, DEAL, SETTLE = "check", "deal", "settle"
KNOWN: dict[str, tuple[str, ...]] = {
    CHECK: ("ruleset", "hand", "option", *answers.GIVEN),
    DEAL: ("ruleset", "tiles", "option"),
    SETTLE: (),
}


def only_known(given: Iterable[tuple[str, Sequence[object]]], known: Sequence[str]) -> None:
    """Raises HandError `bad-request` for what is not known, or is given more than once and may not be.

    given: each parameter with its values.
    """
    for key, values in given:
        if key not in known:
            raise answers.bad_request(
                f"There is no parameter “{key}”; known: {', '.join(known) or 'none'}.",
                f"没有“{key}”这个参数，可用：{'、'.join(known) or '无'}。",
            )
        if len(values) > 1 and key != "option":
            raise answers.bad_request(f"“{key}” is given more than once.", f"参数“{key}”写了不止一次。")
