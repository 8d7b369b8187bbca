"""What the documents show is what happens."""

import doctest
import re
import shlex
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

import rules

README = settings.BASE_DIR / "README.md"
COMMANDS = re.findall(r"manage\.py (check_hand .*?)`?$", README.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_python_shown_in_the_readme_and_the_engine_runs_as_shown() -> None:
    shown = doctest.testfile(str(README), module_relative=False)
    assert (shown.attempted > 0, shown.failed) == (True, 0)
    shown = doctest.testmod(rules)
    assert (shown.attempted > 0, shown.failed) == (True, 0)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_shown_in_the_readme_judges_a_winning_hand(command: str) -> None:
    said = StringIO()
    call_command(*shlex.split(command), stdout=said)
    assert re.search(r"A win|胡了|\"wins\": true", said.getvalue())


def test_the_deal_shown_in_the_readme_holds_openings() -> None:
    (command,) = re.findall(r"manage\.py (check_deal .*)", README.read_text(encoding="utf-8"))
    said = StringIO()
    call_command(*shlex.split(command), stdout=said)
    assert "Sixi" in said.getvalue()


def test_the_settlements_shown_in_the_readme_are_paid(tmp_path: Path, client: Client) -> None:
    text = README.read_text(encoding="utf-8")
    (scenario,) = re.findall(r"echo '(.*)' > hand\.json", text)
    path = tmp_path / "hand.json"
    path.write_text(scenario, encoding="utf-8")
    (ruleset,) = re.findall(r"manage\.py settle (\w+) hand\.json", text)
    said = StringIO()
    call_command("settle", ruleset, str(path), "--json", stdout=said)
    assert '"payments": [-5, 1, 6, -2]' in said.getvalue()
    ((body, address),) = re.findall(r"curl -d '(.*)' 'http://[^/]*(/[^']*)'", text)
    answer = client.post(address, body, content_type="application/x-www-form-urlencoded").json()
    assert answer["payments"] == [21, -7, -7, -7]


def test_the_address_shown_in_the_readme_is_answered(client: Client) -> None:
    (address,) = re.findall(r"curl 'http://[^/]*(/[^']*)'", README.read_text(encoding="utf-8"))
    assert client.get(address).json()["wins"] is True


def test_every_dependency_is_justified_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    lists = Path(settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8")
    named = re.findall(r'^    "([a-z0-9-]+)', lists.split("[tool.")[0], re.MULTILINE)
    assert len(named) > 10
    assert [name for name in named if name not in text] == []
