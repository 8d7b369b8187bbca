"""Each region's game is one module that nobody else names, in a package that needs no website."""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

import rules
from rules import HandError, regions
from rules.circumstances import read

ROOT = Path(rules.__file__).parent
TOY_FOLDER = str(Path(__file__).parent / "regions")
SOURCES = sorted(ROOT.rglob("*.py"))
OUTSIDE = [path for path in SOURCES if ROOT / "regions" not in path.parents]
REGIONS = sorted(path.parent.name for path in (ROOT / "regions").glob("*/__init__.py"))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT.parent))


# What `rules` may import


def imported(path: Path) -> set[str]:
    """The first part of every absolute import in a module; "" for a relative one."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("" if node.level else (node.module or "").split(".")[0])
    return found


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_a_module_of_the_rules_imports_the_standard_library_and_its_neighbours_alone(path: Path) -> None:
    assert imported(path) <= {"", "rules", *sys.stdlib_module_names}


def test_loading_every_game_loads_neither_django_nor_the_website() -> None:
    code = """
import sys
import rules
for game in rules.rulesets().values():
    hand = game.parse(game.examples[0].hand)
    verdict = game.judge(hand)
    assert verdict.findings and verdict.summary
print([m for m in sys.modules if m.split(".")[0] in ("django", "tutor", "tests")])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT.parent, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


# Nobody names a region


def docstrings(source: str) -> Iterator[tuple[int, int]]:
    """The first and last line of every docstring."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.lineno, first.end_lineno or first.lineno


def words_outside_docstrings(path: Path) -> str:
    """All source text of a module, comments too, without its docstrings."""
    source = path.read_text(encoding="utf-8")
    skipped = {line for first, last in docstrings(source) for line in range(first, last + 1)}
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return " ".join(t.string for t in tokens if t.start[0] not in skipped)


@pytest.mark.parametrize("path", OUTSIDE, ids=name)
def test_no_module_outside_the_regions_names_one(path: Path) -> None:
    text = words_outside_docstrings(path).lower()
    for game in rules.rulesets().values():
        for word in (game.key, game.name.en.lower(), game.name.zh):
            assert word not in text


@pytest.mark.parametrize("region", REGIONS)
def test_no_region_names_another_in_its_code(region: str) -> None:
    for path in (ROOT / "regions" / region).glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        for other in set(REGIONS) - {region}:
            assert other not in used
            assert not any(module and other in module for module in modules)


def test_every_package_of_the_regions_is_a_game_under_its_own_name() -> None:
    assert list(rules.rulesets()) == REGIONS == ["changchun", "changsha"]
    for key, game in rules.rulesets().items():
        assert game.key == key
        assert rules.ruleset(key) is game


@pytest.mark.parametrize("key", ["", "Changsha", "beijing", "changsha ", "__init__"])
def test_a_game_that_is_not_there_is_refused_with_those_that_are(key: str) -> None:
    with pytest.raises(HandError) as refused:
        rules.ruleset(key)
    assert refused.value.code == "unknown-ruleset"
    assert refused.value.at is None
    for known in REGIONS:
        assert known in refused.value.message.en
        assert known in refused.value.message.zh


# A game from elsewhere


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[rules.Ruleset]:
    """A third game, known for the time of a test because its folder is."""
    monkeypatch.setattr(regions, "__path__", [*regions.__path__, TOY_FOLDER])
    rules.rulesets.cache_clear()
    try:
        yield rules.ruleset("toy")
    finally:
        monkeypatch.undo()
        rules.rulesets.cache_clear()
        sys.modules.pop(f"{regions.__name__}.toy", None)
        if hasattr(regions, "toy"):
            del regions.toy


def test_a_module_in_the_folder_is_all_that_a_new_game_takes(toy: rules.Ruleset) -> None:
    assert list(rules.rulesets()) == ["changchun", "changsha", "toy"]
    assert toy.name.zh == "玩具城"


def test_a_new_game_reads_its_own_tiles_and_gangs_and_no_others(toy: rules.Ruleset) -> None:
    hand = toy.parse("22p 123p 456p {3p6p9p9p} 78p +9p")
    (meld,) = hand.melds
    assert (meld.kind, meld.special) == ("special-gang", "ladder")
    with pytest.raises(HandError) as refused:
        rules.ruleset("changchun").parse("{3p6p9p}")
    assert refused.value.code == "bad-meld"


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("E", "tile-not-in-set", 0),
        ("22p 1m", "tile-not-in-set", 4),
        ("22p (123s)", "tile-not-in-set", 5),
        ("22p {CFP}", "bad-meld", 4),
        ("22p (1m2p3s)", "bad-meld", 4),
        ("55555p", "too-many-copies", 4),
        ("5p", "tile-count", None),
    ],
)
def test_a_new_game_refuses_what_it_does_not_know(
    toy: rules.Ruleset, text: str, code: str, at: int | None
) -> None:
    with pytest.raises(HandError) as refused:
        toy.parse(text)
    assert (refused.value.code, refused.value.at) == (code, at)
    assert refused.value.message.en.strip()
    assert refused.value.message.zh.strip()


def test_a_new_game_judges_and_explains_itself_in_both_languages(toy: rules.Ruleset) -> None:
    win = toy.judge(toy.parse("22p 123p 456p {3p6p9p} 78p +9p"))
    assert (win.state, win.patterns, win.total) == ("win", {"win": 3}, 3)
    assert [w.tile.code for w in win.waits] == ["3p", "6p", "9p"]
    assert [(f.rule.key, f.status, f.cites) for f in win.findings] == [
        ("shape", "pass", ("TOY-1",)),
        ("even-pair", "pass", ("TOY-2",)),
    ]
    loss = toy.judge(toy.parse("11p 123p 456p {3p6p9p} 78p +9p"))
    assert (loss.state, loss.patterns, loss.total) == ("not-win", {}, None)
    assert ("9p", ("even-pair",)) in [(w.tile.code, w.fails) for w in loss.blocked_waits]
    for verdict in (win, loss):
        for text in (verdict.summary, *(f.message for f in verdict.findings)):
            assert text.en.strip()
            assert any("\u4e00" <= c <= "\u9fff" for c in text.zh)


def test_a_new_game_has_no_circumstances_but_its_own(toy: rules.Ruleset) -> None:
    hand = toy.parse(toy.examples[0].hand)
    assert read(toy, hand, {"by": "self-draw", "seat": "3"}).discarder is None
    for given in ({"listening": "1"}, {"moments": "tianhu"}, {"birds": "1p"}, {"by": "robbed-gang"}):
        with pytest.raises(HandError) as refused:
            read(toy, hand, given)
        assert refused.value.code == "bad-context"


def test_a_new_game_is_gone_when_its_folder_is() -> None:
    assert "toy" not in rules.rulesets()
    assert TOY_FOLDER not in list(regions.__path__)


@pytest.mark.django_db
@pytest.mark.parametrize("hand", ["22p 123p 456p {3p6p9p} 78p +9p", "11p 123p 456p {3p6p9p} 78p +9p"])
def test_the_checker_judges_a_new_region_whose_lines_are_not_listed(
    client: Client, toy: rules.Ruleset, hand: str
) -> None:
    assert client.get("/en/check/", {"ruleset": "toy", "hand": hand}).status_code == 200
