"""The JavaScript of the site: how much there is, and that none of it is left over or untested."""

import re
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
MODULES = sorted((ROOT / "static" / "js").glob("*.js"))
WORKER = ROOT / "templates" / "front" / "sw.js"
MOST = 20_000  # bytes of all that is not htmx, as it is written


def test_all_modules_together_are_small():
    sizes = {path.name: path.stat().st_size for path in [*MODULES, WORKER] if path.exists()}
    assert "forms.js" in sizes
    assert sum(sizes.values()) < MOST, sizes


def test_each_module_is_loaded_by_a_template_and_each_loaded_one_is_there():
    loaded = set()
    for template in (ROOT / "templates").rglob("*.html"):
        loaded.update(re.findall(r"static 'js/([a-z]+\.js)'", template.read_text()))
    assert loaded == {path.name for path in MODULES}


def test_each_module_works_alone():
    # An imported file would have another name where the site is served, with a hash of what it holds.
    importing = [
        p.name for p in MODULES if re.search(r"^\s*(import|export)\b|\bimport\(", p.read_text(), re.M)
    ]
    assert importing == []


def test_each_module_says_first_what_is_so_without_it():
    for path in MODULES:
        assert "without this module" in path.read_text().lower().partition("\n")[0], path.name


def test_each_module_has_a_browser_test_that_names_it():
    tests = (ROOT / "tests" / "browser" / "test_modules.py").read_text()
    unnamed = [path.name for path in MODULES if f"def test_{path.stem}_" not in tests]
    assert unnamed == []
