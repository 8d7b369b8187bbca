"""
Keeps the translations in step with the texts in templates and code.

Does the work of `makemessages` and `compilemessages` without GNU gettext, which a fresh machine lacks:
Django turns a template into calls of gettext, Babel finds the calls, polib reads and writes the catalogue.
Texts are sorted, places are named without line numbers and nothing is dated, so that a catalogue changes
only where a text does. A text that is gone is dropped; version control remembers its translation.
"""

import io
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polib
from babel.messages.extract import extract
from babel.messages.plurals import get_plural
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

# What each function's arguments are: (1, 2) a singular and a plural, "c" a context.
CALLS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[a-z]|\{\w*\}")

Key = tuple[str, str]  # context or "", text


@dataclass
class Text:
    """One text to translate, and what a translator should know of it."""

    plural: str = ""
    comments: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)


def collect(root: Path) -> dict[Key, Text]:
    """Every text to translate in the templates and code below `root`, sorted."""
    texts: dict[Key, Text] = {}
    for path in _sources(root):
        place = path.relative_to(root).as_posix()
        for singular, plural, context, comments in _texts_in(path, place):
            text = texts.setdefault((context, singular), Text())
            text.plural = text.plural or plural
            text.comments += [comment for comment in comments if comment not in text.comments]
            if place not in text.places:
                text.places.append(place)
    return dict(sorted(texts.items()))


def _sources(root: Path) -> Iterator[Path]:
    found: set[Path] = set()
    for folder, pattern in [("templates", "*.html"), ("tutor", "*.html"), ("tutor", "*.py")]:
        found.update((root / folder).rglob(pattern))
    yield from sorted(found)


def _texts_in(path: Path, place: str) -> Iterator[tuple[str, str, str, list[str]]]:
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        # Babel reads it as Python, where the template's own indentation would be an error.
        source = "\n".join(line.lstrip() for line in templatize(source, origin=place).split("\n"))
    found = extract(
        "python",
        io.BytesIO(source.encode()),
        keywords=CALLS,
        comment_tags=["Translators:"],
        options={"encoding": "utf-8"},
        strip_comment_tags=True,
    )
    for _line, message, comments, context in found:
        singular, plural = message if isinstance(message, tuple) else (message, "")
        yield singular, plural, context or "", comments


def merge(texts: dict[Key, Text], old: polib.POFile, language: str) -> polib.POFile:
    """A catalogue of exactly `texts`, with the translations that `old` has for them."""
    known = {_key(entry): entry for entry in old if not entry.obsolete}
    catalogue = polib.POFile(wrapwidth=100)
    catalogue.metadata = {
        "Language": to_locale(language),
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": get_plural(to_locale(language)).plural_forms,
    }
    for (context, singular), text in texts.items():
        entry = polib.POEntry(
            msgctxt=context or None,
            msgid=singular,
            msgid_plural=text.plural,
            comment="\n".join(text.comments),
            occurrences=[(place, "") for place in text.places],
        )
        before = known.get((context, singular))
        if before:
            entry.tcomment = before.tcomment
            entry.flags = before.flags
            entry.msgstr = before.msgstr or before.msgstr_plural.get(0, "")
        if text.plural:
            entry.msgstr_plural = (before and before.msgstr_plural) or {0: entry.msgstr}
            entry.msgstr = ""
        catalogue.append(entry)
    return catalogue


def faults(
    texts: dict[Key, Text], catalogue: polib.POFile, compiled: bytes | None, language: str
) -> list[str]:
    """What keeps `catalogue`, and `compiled` from it, from being complete and up to date; one line each."""
    found = []
    known = {_key(entry): entry for entry in catalogue if not entry.obsolete}
    wanted = {_key(entry): entry for entry in merge(texts, catalogue, language)}
    for key, entry in wanted.items():
        before = known.get(key)
        translations = list(entry.msgstr_plural.values()) or [entry.msgstr]
        if not all(translations):
            found.append(f"missing: {_name(key)} ({', '.join(texts[key].places)})")
        elif entry.fuzzy:
            found.append(f"fuzzy: {_name(key)}")
        elif any(
            _placeholders(text) != _placeholders(entry.msgid_plural or entry.msgid) for text in translations
        ):
            found.append(f"placeholders differ: {_name(key)}")
        elif before is None or str(before) != str(entry):
            found.append(f"stale: {_name(key)}")
    found += [
        f"obsolete: {_name(_key(entry))}"
        for entry in catalogue
        if entry.obsolete or _key(entry) not in wanted
    ]
    if compiled != catalogue.to_binary():
        found.append("stale: the .mo file is not what the .po file compiles to")
    return found


def _key(entry: polib.POEntry) -> Key:
    return entry.msgctxt or "", entry.msgid


def _name(key: Key) -> str:
    context, text = key
    return f"{text!r} in the context {context!r}" if context else repr(text)


def _placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDER.findall(text))


def read(path: Path) -> polib.POFile:
    """The catalogue at `path`; an empty one where there is no such file."""
    return polib.pofile(str(path), wrapwidth=100) if path.exists() else polib.POFile()


def translated_languages() -> list[str]:
    """The languages that have a catalogue: all but the one the texts are written in."""
    return [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def catalogue_path(root: Path, language: str) -> Path:
    return root / "locale" / to_locale(language) / "LC_MESSAGES" / "django.po"


class Command(BaseCommand):
    help = "Collects the texts to translate from templates and code, and compiles the translations."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="Change nothing; fail unless all is translated and up to date.",
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        root = settings.BASE_DIR
        texts = collect(root)
        found = []
        for language in translated_languages():
            path = catalogue_path(root, language)
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                catalogue = merge(texts, read(path), language)
                catalogue.save(str(path))
                # From the file as written, so that what --check compiles is the same.
                path.with_suffix(".mo").write_bytes(read(path).to_binary())
            compiled = path.with_suffix(".mo")
            found += [
                f"{language}: {fault}"
                for fault in faults(
                    texts, read(path), compiled.read_bytes() if compiled.exists() else None, language
                )
            ]
        for fault in found:
            self.stdout.write(fault)
        if check and found:
            raise CommandError(
                f"{len(found)} to put right: run `make messages`, then translate what is missing."
            )
        self.stdout.write(f"{len(texts)} texts.")
