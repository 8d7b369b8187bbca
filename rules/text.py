"""Sentences in both languages, kept side by side so that neither can be forgotten.

The engine has no notion of "the current language": it hands out a `Text`, and whoever shows it picks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

LANGUAGES = ("en", "zh-hans")


class Text(NamedTuple):
    """One sentence or name, written natively in English and in Simplified Chinese."""

    en: str
    zh: str

    def in_language(self, language: str) -> str:
        """The wording for a language code: any `zh…` is Chinese, anything else English."""
        return self.zh if language.startswith("zh") else self.en

    def as_dict(self) -> dict[str, str]:
        """`{"en": …, "zh-hans": …}`, the form in which JSON carries it."""
        return {"en": self.en, "zh-hans": self.zh}


def listed(items: Iterable[Text], *, last: Text = Text("and", "和")) -> Text:
    """The items as a list in running text: "a, b and c", 「a、b 和 c」."""
    items = list(items)
    if not items:
        return Text("", "")
    english, chinese = [t.en for t in items], [t.zh for t in items]
    if len(items) == 1:
        return items[0]
    return Text(
        f"{', '.join(english[:-1])} {last.en} {english[-1]}",
        f"{'、'.join(chinese[:-1])}{last.zh}{chinese[-1]}",
    )


def plural(count: int, one: str, many: str | None = None) -> str:
    """An English count with its noun: "1 set", "3 sets"."""
    return f"{count} {one if count == 1 else many or one + 's'}"
