"""What lets a browser keep pages: the manifest, the worker and the page in their stead."""

from __future__ import annotations

import json
import re

import pytest
from django.conf import LazySettings
from django.contrib.staticfiles import finders
from django.test import Client

import rules
from tests.test_checker_page import assert_valid, read
from tutor.front import offline

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shelved")]


@pytest.mark.parametrize(("language", "start"), [("en", "/en/"), ("zh-hans", "/zh-hans/")])
def test_a_browser_can_install_the_site(client: Client, language: str, start: str):
    response = client.get(f"/manifest/{language}.webmanifest")
    assert response["Content-Type"] == "application/manifest+json"
    said = json.loads(response.content)
    assert (said["start_url"], said["scope"], said["display"]) == (start, "/", "standalone")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in said["icons"]}
    for icon in said["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")), icon
    for shortcut in said["shortcuts"]:
        assert client.get(shortcut["url"]).status_code == 200
    page = client.get(start).content.decode()
    assert f'<link rel="manifest" href="/manifest/{language}.webmanifest">' in page


def test_there_is_no_manifest_in_another_language(client: Client):
    assert client.get("/manifest/fr.webmanifest").status_code == 404


def worker(client: Client) -> str:
    response = client.get("/sw.js")
    assert response["Content-Type"].startswith("text/javascript")
    assert "no-cache" in response["Cache-Control"]
    return response.content.decode()


def test_the_worker_takes_along_what_there_is(client: Client):
    (listed,) = re.findall(r"^const FILES = (.*);$", worker(client), flags=re.MULTILINE)
    files = json.loads(listed)
    assert {"/en/offline/", "/zh-hans/offline/", "/en/check/", "/zh-hans/check/"} <= set(files)
    for path in files:
        if path.startswith("/static/"):
            assert finders.find(path.removeprefix("/static/")), path
        else:
            assert client.get(path).status_code == 200, path


def test_what_the_offline_pages_use_is_taken_along(client: Client):
    taken = {f"/static/{name}" for name in offline.FILES}
    for path in (
        "/en/offline/",
        "/en/check/",
        "/en/",
        "/en/learn/changsha/birds/",
        "/en/glossary/",
        "/en/tiles/",
    ):
        page = client.get(path).content.decode()
        used = set(re.findall(r'(?:href|src)="(/static/[^"#]+\.(?:css|js|svg))', page))
        assert used <= taken, path


def test_a_new_version_has_another_text(client: Client, monkeypatch: pytest.MonkeyPatch):
    before = worker(client)
    assert worker(client) == before
    monkeypatch.setattr(rules, "VERSION", "another")
    assert worker(client) != before


@pytest.mark.parametrize(("language", "said"), [("en", "No connection"), ("zh-hans", "没连上网")])
def test_the_page_in_their_stead_says_what_can_be_done(client: Client, language: str, said: str):
    tree = read(client.get(f"/{language}/offline/").content.decode())
    assert_valid(tree)
    assert tree.all("h1")[0].text == said
    assert f"/{language}/check/" in [a["href"] for a in tree.by_id("main").all("a")]


def test_a_public_site_hands_out_the_same(client: Client, settings: LazySettings, tmp_path: object):
    from django.core.management import call_command

    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    }
    call_command("collectstatic", verbosity=0, interactive=False)
    (listed,) = re.findall(r"^const FILES = (.*);$", worker(client), flags=re.MULTILINE)
    hashed = [path for path in json.loads(listed) if path.startswith("/static/")]
    assert all(re.search(r"\.[0-9a-f]{12}\.", path) for path in hashed)
