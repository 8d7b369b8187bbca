"""The style guide: the real components, each in its states."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.conftest import real_content
from tests.test_checker_page import read

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shelved")]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_it_shows_each_way_to_answer_and_each_end_of_an_answer(client: Client, language: str):
    response = client.get(f"/{language}/style/")
    assert response.status_code == 200
    tree = read(response.content.decode())
    ids = [e["id"] for e in tree if e.get("id")]
    assert len(ids) == len(set(ids))
    ways = {step.level.widget for chapter in real_content().chapters for step in chapter.steps if step.level}
    assert len(tree.all("div", "level")) == len(ways)
    said = {each["class"] for each in tree.all("div", "feedback")}
    assert {"feedback right", "feedback wrong"} <= said
    assert {each["class"].split()[1] for each in tree.all("div", "answer")} == {"win", "not-win"}
    assert {each["class"].split()[1] for each in tree.all("p", "verdict-line")} >= {"win", "ready"}
    assert [each for each in tree.all("p", "wrong") if each.text.strip()]
