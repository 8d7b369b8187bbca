"""Content files as a tree of texts: what stands where, and what is wrong, with file and line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Text
from tutor.content.source import Fault, Node, read

NAME = "fixtures/changsha/birds.yaml"


@pytest.fixture
def tree(tmp_path: Path) -> Callable[[str | bytes], Node]:
    """Reads a text as the content file NAME."""

    def of(text: str | bytes) -> Node:
        path = tmp_path / "file.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read(path, NAME)

    return of


Tree = Callable[[str | bytes], Node]

CHAPTER = """\
# A comment
chapters:
  - slug: birds
    title: {en: Birds, zh: 鸟}
    steps:
      - slug: first
        text:
          en: |
            One.

            Two.
          zh: |
            一。
      - slug: second
        tiles: [1m, 2m,
          3m]
"""


# What is read


@pytest.mark.parametrize(
    "text", ["no", "yes", "true", "08", "1.50", "null", "~", "2026-01-01", "1e3", "123m", "0x10", "=", "<<"]
)
def test_every_scalar_is_the_text_that_stands_there(tree: Tree, text: str) -> None:
    root = tree(f"a: {text}\nb: [{text}]\n{text}: c\n")
    assert root["a"].text == text
    assert root["b"].texts == [text]
    assert root[text].text == "c"
    assert root.plain == {"a": text, "b": [text], text: "c"}


def test_everything_knows_its_file_and_line(tree: Tree) -> None:
    chapter = tree(CHAPTER)["chapters"].items[0]
    first, second = chapter["steps"].items
    places = {
        "chapter": chapter,
        "slug": chapter["slug"],
        "title": chapter["title"],
        "English title": chapter["title"]["en"],
        "first": first,
        "English": first["text"]["en"],
        "Chinese": first["text"]["zh"],
        "second": second["slug"],
        "2m": second["tiles"].items[1],
        "3m": second["tiles"].items[2],
    }
    assert {name: node.where for name, node in places.items()} == {
        "chapter": f"{NAME}:3",
        "slug": f"{NAME}:3",
        "title": f"{NAME}:4",
        "English title": f"{NAME}:4",
        "first": f"{NAME}:6",
        "English": f"{NAME}:8",
        "Chinese": f"{NAME}:12",
        "second": f"{NAME}:14",
        "2m": f"{NAME}:15",
        "3m": f"{NAME}:16",
    }
    assert str(second.fault("this is wrong")) == f"{NAME}:14: this is wrong"


def test_a_text_has_no_space_around_it_and_keeps_its_paragraphs(tree: Tree) -> None:
    first = tree(CHAPTER)["chapters"].items[0]["steps"].items[0]
    assert first["text"].both == Text("One.\n\nTwo.", "一。")


def test_a_file_with_nothing_in_it_is_an_empty_mapping(tree: Tree) -> None:
    assert tree("").mapping == {}
    assert tree("# nothing yet\n").mapping == {}


def test_a_list_may_be_written_as_words(tree: Tree) -> None:
    root = tree("a: 1m 2m, 3m\nb:\n- 1m\n- 2m 3m\nc: ''\n")
    assert root["a"].texts == ["1m", "2m", "3m"]
    assert {item.where for item in root["a"].items} == {f"{NAME}:1"}
    assert root["b"].texts == ["1m", "2m 3m"]
    assert root["c"].texts == []
    assert root.list_of("d") == []


def test_numbers_and_flags_are_read_from_texts(tree: Tree) -> None:
    root = tree("a: 08\nb: -3\nc: yes\nd: no\n")
    assert (root["a"].number, root["b"].number) == (8, -3)
    assert (root["c"].flag, root["d"].flag) == (True, False)


def test_what_is_not_there_is_none_or_a_fault(tree: Tree) -> None:
    root = tree("x: {}\ny:\n  a: 1\n")
    assert root.get("z") is None
    assert "z" not in root
    assert "y" in root
    with pytest.raises(Fault, match=f"^{NAME}:3: 'b' is missing$"):
        root["y"]["b"]


# What is wrong


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "'a' is given twice"),
        ("a:\n  - b: 1\n    c: 2\n    b: 3\n", 4, "'b' is given twice"),
        ("a: {b: 1, b: 2}\n", 1, "'b' is given twice"),
        ("a: 1\n[b]: 2\n", 2, "a key must be a word"),
        ("a: 1\n{CFP} 23m: 2\n", 2, "the YAML can't be read"),
        ("a: 1\n  b: 2\n", 2, "the YAML can't be read"),
        ("a: 1\nb: [1m, 2m\nc: 3\n", 3, "the YAML can't be read"),
        ("a: 1\n\tb: 2\n", 2, "the YAML can't be read"),
        ('a: "unclosed\n', 2, "the YAML can't be read"),
        ("a: 1\nb: *nowhere\n", 2, "the YAML can't be read"),
        ("a: 1\n---\nb: 2\n", 2, "the YAML can't be read"),
        ("a: 1\nb: &b\n  - *b\n", 2, "an alias"),
    ],
)
def test_a_file_that_cant_be_read_is_a_fault_with_its_line(
    tree: Tree, text: str, line: int, said: str
) -> None:
    with pytest.raises(Fault, match=f"^{NAME}:{line}: {re.escape(said)}"):
        tree(text)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("title: 扎鸟".encode("gb18030"), "the file is not in UTF-8"),
        ("title: 扎鸟".encode("utf-16"), "the file is not in UTF-8"),
        (b"title: \x00", "the YAML can't be read"),
    ],
)
def test_a_file_of_other_bytes_is_a_fault_that_names_the_file(tree: Tree, data: bytes, said: str) -> None:
    with pytest.raises(Fault, match=f"^{NAME}: {said}"):
        tree(data)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda node: node["mapping"].text, "3: a text is expected here"),
        (lambda node: node["list"].text, "5: a text is expected here"),
        (lambda node: node["word"].number, "1: a number is expected here, not 'five'"),
        (lambda node: node["word"].flag, "1: yes or no is expected here, not 'five'"),
        (lambda node: node["mapping"].items, "3: a list is expected here"),
        (lambda node: node["word"].mapping, r"1: a mapping \(key: value\) is expected here"),
        (lambda node: node["list"].mapping, r"5: a mapping \(key: value\) is expected here"),
        (lambda node: node["list"].texts, "6: a text is expected here"),
        (lambda node: node["word"].both, "1: a mapping"),
    ],
)
def test_something_else_than_expected_is_a_fault_at_its_place(
    tree: Tree, ask: Callable[[Node], Any], said: str
) -> None:
    root = tree("word: five\nmapping:\n  a: 1\nlist:\n  - 1m\n  - {a: 1}\n")
    with pytest.raises(Fault, match=f"^{NAME}:{said}"):
        ask(root)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("{en: Birds}", 2, "the Chinese text is missing"),
        ("{zh: 鸟}", 2, "the English text is missing"),
        ("{en: Birds, zh: ''}", 2, "the Chinese text is missing"),
        ("{en: ' ', zh: 鸟}", 2, "the English text is missing"),
        ("{en: Birds, zh: }", 2, "the Chinese text is missing"),
        ("{}", 2, "the English text is missing"),
        ("\n  en: Birds\n  zh: 鸟\n  de: Vögel", 5, "'de' is not known here"),
    ],
)
def test_a_text_in_one_language_or_in_three_is_a_fault(tree: Tree, text: str, line: int, said: str) -> None:
    root = tree(f"slug: birds\ntitle: {text}\n")
    with pytest.raises(Fault, match=f"^{NAME}:{line}: {said}$"):
        root["title"].both  # noqa: B018 - reading it is what fails


def test_a_key_that_nobody_asks_for_is_a_fault_at_its_line(tree: Tree) -> None:
    root = tree("slug: birds\ntitel: Birds\nhint: no\n")
    root["slug"], root.get("hint"), root.get("title")
    with pytest.raises(Fault, match=f"^{NAME}:2: 'titel' is not known here$"):
        root.done()
    root.get("titel")
    root.done()


def test_to_look_whether_a_key_is_there_is_not_to_ask_for_it(tree: Tree) -> None:
    root = tree("slug: birds\n")
    assert "slug" in root
    with pytest.raises(Fault, match="'slug' is not known here"):
        root.done()


# There and back

plain_trees = st.recursive(
    st.text(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)


@given(plain_trees)
def test_a_tree_made_of_plain_data_gives_it_back(plain: Any) -> None:
    assert Node.of(plain).plain == plain


def test_a_tree_made_of_plain_data_reads_as_the_file_did(tree: Tree) -> None:
    root = tree(CHAPTER)
    again = Node.of(root.plain)
    assert again.plain == root.plain
    step = again["chapters"].items[0]["steps"].items[1]
    assert step["tiles"].texts == ["1m", "2m", "3m"]
    with pytest.raises(Fault, match=r"^'text' is missing$"):
        step["text"]
