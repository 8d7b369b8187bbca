"""Every text is there in both languages, and each page speaks one of them."""

import re
from io import StringIO
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from tutor.management.commands import update_messages as messages

HAN = re.compile(r"[\u2e80-\u2fdf\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")

# English texts that name a thing in Chinese on purpose.
HAN_IN_ENGLISH: frozenset[str] = frozenset(
    {
        # Words of the table, said beside their English ones.
        "A hand has 13 tiles and a winning tile. A meld (吃, 碰 or 杠) counts as three.",
        "Birds (扎鸟)",
        "The bao (宝牌)",
        "Ready declared (听)",
    }
)
# Texts whose Chinese has no Chinese character on purpose, such as a name.
LATIN_IN_CHINESE: frozenset[str] = frozenset()

LANGUAGES = messages.translated_languages()


def catalogue(language: str) -> polib.POFile:
    return messages.read(messages.catalogue_path(settings.BASE_DIR, language))


def words(text: str) -> str:
    """`text` without what is no language: placeholders, tags, entities."""
    return re.sub(r"%\(\w+\)[a-z]|%[a-z]|\{\w*\}|<[^>]*>|&\w+;", " ", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_and_compiled(language: str):
    path = messages.catalogue_path(settings.BASE_DIR, language)
    compiled = path.with_suffix(".mo")
    found = messages.faults(
        messages.collect(settings.BASE_DIR),
        messages.read(path),
        compiled.read_bytes() if compiled.exists() else None,
        language,
    )
    assert found == []


def test_english_is_written_in_english():
    texts = messages.collect(settings.BASE_DIR)
    assert [text for _context, text in texts if HAN.search(text) and text not in HAN_IN_ENGLISH] == []


def test_chinese_is_written_in_chinese():
    untranslated = [
        (entry.msgid, text)
        for entry in catalogue("zh-hans")
        for text in [entry.msgstr, *entry.msgstr_plural.values()]
        if re.search("[A-Za-z]{2}", words(text))
        and not HAN.search(text)
        and entry.msgid not in LATIN_IN_CHINESE
    ]
    assert untranslated == []


TEMPLATE = """{% load i18n %}
    <p>{% translate "A pair" %}</p>
  {# Translators: the button below a hand #}
  <button>{% translate "Check" context "verb" %}</button> 100%
{% blocktranslate trimmed count n=waits|length %}
    One tile (wins), {{ n }} of 4.
  {% plural %}
    {{ n }} tiles win.
{% endblocktranslate %}
    {% include "x.html" with title=_("It's ready") %}
"""
CODE = """
from django.utils.translation import gettext_lazy as _, ngettext
LABEL = _("A pair")
def says(n):
    return ngettext("One \\"fix\\"", "%(n)s "
                    "fixes", n) % {"n": n}
"""


@pytest.fixture
def project(tmp_path: Path, settings) -> Path:
    (tmp_path / "templates" / "board").mkdir(parents=True)
    (tmp_path / "templates" / "board" / "page.html").write_text(TEMPLATE)
    (tmp_path / "tutor").mkdir()
    (tmp_path / "tutor" / "views.py").write_text(CODE)
    settings.BASE_DIR = tmp_path
    return tmp_path


def command(*args: str) -> str:
    out = StringIO()
    call_command("update_messages", *args, stdout=out)
    return out.getvalue()


def test_texts_are_collected_from_templates_and_code(project: Path):
    texts = messages.collect(project)
    assert {key: text.plural for key, text in texts.items()} == {
        ("", "A pair"): "",
        ("", "It's ready"): "",
        ("", 'One "fix"'): "%(n)s fixes",
        ("", "One tile (wins), %(n)s of 4."): "%(n)s tiles win.",
        ("verb", "Check"): "",
    }
    assert texts["", "A pair"].places == ["templates/board/page.html", "tutor/views.py"]
    assert texts["verb", "Check"].comments == ["the button below a hand"]


def test_updating_keeps_translations_and_drops_what_is_gone(project: Path):
    command()
    path = messages.catalogue_path(project, "zh-hans")
    po = messages.read(path)
    assert {entry.msgid for entry in po.untranslated_entries()} == {entry.msgid for entry in po}
    po.find("A pair").msgstr = "将"
    po.find('One "fix"').msgstr_plural = {0: "%(n)s 种改法"}
    po.save(str(path))
    (project / "templates" / "board" / "page.html").unlink()
    command()
    assert {entry.msgid: entry.msgstr or entry.msgstr_plural for entry in messages.read(path)} == {
        "A pair": "将",
        'One "fix"': {0: "%(n)s 种改法"},
    }
    assert command("--check") == "2 texts.\n"
    before = path.read_bytes(), path.with_suffix(".mo").read_bytes()
    command()
    assert (path.read_bytes(), path.with_suffix(".mo").read_bytes()) == before


def test_the_check_names_each_fault(project: Path):
    command()
    path = messages.catalogue_path(project, "zh-hans")
    po = messages.read(path)
    po.find("A pair").msgstr = "将"
    po.find("A pair").occurrences = []
    po.find("It's ready").msgstr = "听牌"
    po.find("It's ready").flags = ["fuzzy"]
    po.find('One "fix"').msgstr_plural = {0: "%(m)s 种改法"}
    po.append(polib.POEntry(msgid="Gone", msgstr="没了"))
    po.save(str(path))
    out = StringIO()
    with pytest.raises(CommandError, match="7 to put right"):
        call_command("update_messages", "--check", stdout=out)
    assert out.getvalue().splitlines() == [
        "zh-hans: stale: 'A pair'",
        'zh-hans: fuzzy: "It\'s ready"',
        "zh-hans: placeholders differ: 'One \"fix\"'",
        "zh-hans: missing: 'One tile (wins), %(n)s of 4.' (templates/board/page.html)",
        "zh-hans: missing: 'Check' in the context 'verb' (templates/board/page.html)",
        "zh-hans: obsolete: 'Gone'",
        "zh-hans: stale: the .mo file is not what the .po file compiles to",
    ]
