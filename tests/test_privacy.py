"""What the page on privacy says is what the site does: its cookies, its days, what leads to it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from http.cookies import Morsel

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from tests.everything import made, pages
from tests.school import client_of
from tests.test_checker_page import Element, read
from tutor.front.privacy import COOKIES
from tutor.people import tidy
from tutor.people.models import Learner, Progress
from tutor.practice.models import Run
from tutor.settle import keeping
from tutor.settle.sheet import Sheet

LANGUAGES = ("en", "zh-hans")
PASSWORD = "river-stone-7"


def page(language: str, client: Client | None = None) -> Element:
    response = (client or Client()).get(f"/{language}/privacy/")
    assert response.status_code == 200
    return read(response.content.decode())


def cookies_on(tree: Element) -> dict[str, int]:
    """The days of each cookie that a page names."""
    (listed,) = [e for e in tree.all("dl") if e.get("id") == "all-cookies"]
    found = {}
    for term in listed.all("dt"):
        (name,) = [e.text for e in term.all("code")]
        (days,) = re.findall(r"\d+", term.text.replace(name, ""))
        found[name] = int(days)
    return found


class Walk:
    """A browser on a walk: every cookie that it is sent on its way, as it was sent first."""

    def __init__(self) -> None:
        self.client = Client()
        self.sent: dict[str, Morsel[str]] = {}

    def get(self, path: str) -> None:
        self._note(self.client.get(path))

    def post(self, path: str, **fields: str) -> None:
        self._note(self.client.post(path, fields))

    def _note(self, response: object) -> None:
        assert response.status_code in (200, 302, 303), response.status_code
        for name, morsel in response.cookies.items():
            if morsel.value:
                self.sent.setdefault(name, morsel)


@pytest.fixture
def walk(shelved: None) -> Walk:
    """Over every page that the site has, and through all that leaves something in a browser."""
    site = made()
    walk = Walk()
    for who, learner in site.people.items():
        walk.client = client_of(learner)
        for shown in pages(site, "en"):
            if shown.who == who:
                walk.get(shown.path)
    walk.client = Client()
    for path in ("/", "/healthz", "/sw.js", "/manifest/en.webmanifest", "/api/"):
        walk.get(path)
    walk.post("/en/tiles/", style="index")
    walk.post("/en/learn/changsha/birds/", do="read")
    walk.post("/en/practice/start/", mode="quick", game="changsha", level="2", kind="can-win")
    walk.post(
        "/en/settle/sheet/", do="players", guard=Sheet().guard, name0="A", name1="B", name2="C", name3="D"
    )
    walk.post("/en/account/sign-up/", name="Xenia", password=PASSWORD, again=PASSWORD)
    walk.get("/en/account/data/")
    walk.post("/en/account/sign-out/")
    walk.post("/en/account/sign-in/", name="Xenia", password=PASSWORD)
    assert walk.client.session["signed_in"]
    return walk


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cookies_named_are_those_that_a_walk_through_the_site_sets(walk: Walk, language: str) -> None:
    day = 24 * 3600
    sent = {name: int(morsel["max-age"]) / day for name, morsel in walk.sent.items()}
    assert cookies_on(page(language, walk.client)) == sent


def test_no_cookie_is_for_scripts_or_for_other_sites(walk: Walk) -> None:
    assert {name for name, morsel in walk.sent.items() if not morsel["httponly"]} == set()
    assert {morsel["samesite"] for morsel in walk.sent.values()} == {"Lax"}
    assert {morsel["domain"] for morsel in walk.sent.values()} == {""}


def test_looking_around_stores_nothing_and_needs_no_session(content: object) -> None:
    client = Client()
    for path in (
        "",
        "learn/changsha/birds/",
        "rules/changsha/",
        "check/?ruleset=changsha&hand=123m",
        "account/",
    ):
        client.get(f"/en/{path}")
    assert settings.SESSION_COOKIE_NAME not in client.cookies
    assert not Learner.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_days_are_those_of_the_settings(language: str) -> None:
    tree = page(language)
    day = 24 * 3600
    named = cookies_on(tree)
    assert named[settings.SESSION_COOKIE_NAME] == settings.SESSION_COOKIE_AGE // day
    assert named[settings.CSRF_COOKIE_NAME] == settings.CSRF_COOKIE_AGE // day
    assert named[keeping.COOKIE] == keeping.DAYS_KEPT
    text = " ".join(tree.all("main")[0].text.split())
    numbers = sorted(int(n) for n in re.findall(r"\d+", text))
    assert numbers == sorted([*(cookie.days for cookie in COOKIES), settings.SESSION_COOKIE_AGE // day + 1])


@pytest.mark.django_db
def test_a_guest_is_kept_for_as_many_days_as_it_says() -> None:
    now = timezone.now()
    days = max(int(n) for n in re.findall(r"\d+", page("en").all("main")[0].text))
    for kept, is_gone in ((days - 0.1, False), (days + 0.1, True)):
        learner = Learner.objects.create()
        Learner.objects.update(created=datetime(2020, 1, 1, tzinfo=timezone.get_current_timezone()))
        Progress.objects.create(learner=learner, place="changsha/birds", at=now - timedelta(days=kept))
        tidy.tidy(now)
        assert Learner.objects.filter(pk=learner.pk).exists() is not is_gone


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_leads_to_it_and_it_leads_to_the_account(language: str) -> None:
    tree = read(Client().get(f"/{language}/account/").content.decode())
    assert f"/{language}/privacy/" in [a["href"] for a in tree.all("footer")[0].all("a")]
    leads = {a["href"] for a in page(language).all("main")[0].all("a")}
    assert leads == {f"/{language}/account/", f"/{language}/classes/"}


@pytest.mark.django_db
def test_the_page_asks_no_database_for_a_stranger(django_assert_num_queries: object) -> None:
    with django_assert_num_queries(0):
        page("en")


def test_what_it_says_of_forgetting_is_so(content: object) -> None:
    client = Client()
    client.post("/en/learn/changsha/birds/", {"do": "read"})
    client.post("/en/practice/start/", {"mode": "quick", "game": "changsha", "level": "2", "kind": "can-win"})
    assert Run.objects.exists()
    client.post("/en/learn/forget/")
    assert not Learner.objects.exists()
    assert not Progress.objects.exists()
    assert not Run.objects.exists()


def test_each_language_has_words_of_its_own() -> None:
    uses = {}
    for language in LANGUAGES:
        with override(language):
            uses[language] = [str(cookie.use) for cookie in COOKIES]
    assert not set(uses["en"]) & set(uses["zh-hans"])
