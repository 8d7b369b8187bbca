"""A site in which everything has happened, and every page that it has, for tests that look at all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import urljoin

from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone
from django.utils.translation import override

from tests.school import (
    Accounts,
    Assignments,
    Classrooms,
    Learners,
    Members,
    add_set,
    answered,
    client_of,
    teacher_of,
)
from tests.test_record import PAIR, SHAPE, answer, store
from tutor.classes.models import BY_HAND, CHAPTER, HALF, Board, Judging, Part, Question
from tutor.people.models import Learner
from tutor.practice import runs
from tutor.practice.models import Run

GUEST, LEARNER, STUDENT, TEACHER = "guest", "learner", "student", "teacher"

# Addresses that are no pages: what only takes a form, leads on, is downloaded or read by programs.
NO_PAGES = {
    "root", "live", "ready", "metrics", "worker", "manifest",
    "api-root", "api-check", "api-deal", "api-settle", "api-description",
    "forget", "run-start", "run", "daily", "rating", "reviews", "sheet-csv",
    "sign-out", "account-data",
    "class-grid-csv", "class-moodle", "class-gift", "class-move", "class-give", "class-extend",
    "class-reveal", "class-part-move",
}  # fmt: skip
# Who sees a page, where that is not a guest, or a teacher in a class.
WHO = {
    "account": LEARNER,
    "account-password": LEARNER,
    "account-delete": LEARNER,
    "progress": LEARNER,
    "practice": LEARNER,
    "run-question": LEARNER,
    "run-end": LEARNER,
    "class-work": STUDENT,
    "class-question": STUDENT,
    "class-leave": STUDENT,
    "class-live": STUDENT,
}
# What an address says besides, to show what a page holds when it is used. A name may have several.
STATES: dict[str, dict[str, str]] = {
    "check": {
        "": "",
        "win": "?ruleset=changchun&hand=123m+45556p+78s+SSS+%2B9s",
        "not a win": "?ruleset=changsha&hand=123m+11456p+67789s+%2B8s",
        "waiting": "?ruleset=changchun&hand=23456m+555p+77888s",
        "both, one an error": "?ruleset=both&hand=234m+567p+34567s+FF+%2B8s",
        "melds": "?ruleset=changchun&hand=C+%5B1111m%5D+%282222p%29+%7BCFP%7D+%289999m%29+%2BC",
    },
    "deal": {"": "", "openings": "?ruleset=changsha&hand=2222m+555p+147p+199s"},
    "settle": {"": "", "settled": "?ruleset=changsha&from=0&seat=1&worth=1"},
    "practice": {"": "", "a game": "?game=changsha"},
    "run-question": {"": "", "answered": "../3/"},
    "rule": {"": "", "of the table": "../../table/win-pays/"},
    "home": {"": "", "mended": "?game=changchun&mended"},
    "search": {"": "", "found": "?q=qidui", "not found": "?q=xyzzy"},
}

# What the people of the site have written: names and titles.
CLASS, TITLES = (
    "周三长沙麻将班 of Wednesday",
    ("第一周 the first week", "第二周 sealed", "以后 later", "草稿 draft"),
)
NAMES = ("李老师", "王小明", "Anna", "Zoë Ó", "小明 Ming")
WRITTEN = (CLASS, *TITLES, *NAMES)


class Site(NamedTuple):
    """What there is. keys: what stands in addresses. people: who looks, None for a guest."""

    keys: dict[str, Any]
    people: dict[str, Learner | None]

    def session(self, who: str) -> str:
        """The key of the session by which a browser is one of the people; "" for a guest."""
        learner = self.people[who]
        return client_of(learner).cookies["sessionid"].value if learner else ""


class Shown(NamedTuple):
    """A page to look at. name: of its address, with its state, "check: win"."""

    name: str
    path: str
    who: str


def names() -> list[str]:
    """The names of all pages, in order of their addresses."""
    found: dict[str, None] = {}
    for pattern in patterns():
        if pattern.name and pattern.name not in NO_PAGES:
            found.setdefault(pattern.name)
    return list(found)


def patterns(among: list[Any] | None = None) -> Iterator[URLPattern]:
    """All addresses that there are."""
    for each in get_resolver().url_patterns if among is None else among:
        if isinstance(each, URLPattern):
            yield each
        else:
            yield from patterns(each.url_patterns)


def pages(site: Site, language: str) -> list[Shown]:
    """Every page in each of its states, in one language."""
    found = []
    for name in names():
        who = who_sees(name)
        path = address(site, name, language)
        for state, query in STATES.get(name, {"": ""}).items():
            found.append(Shown(f"{name}: {state}" if state else name, urljoin(path, query), who))
    return found


def who_sees(name: str) -> str:
    """Who sees a page."""
    return WHO.get(name, TEACHER if name.startswith("class-") or name == "classroom" else GUEST)


def address(site: Site, name: str, language: str) -> str:
    """The address of a page in a language."""
    pattern = next(p for p in patterns() if p.name == name)
    given = {key: site.keys[key] for key in pattern.pattern.converters}
    if name == "rule":
        given |= {"game": "changchun", "kind": "win", "key": "terminal-or-honor"}
    elif name == "run-question":
        given["number"] = 5
    elif name == "class-part-add":
        given["kind"] = "set"
    elif name.startswith("embed-"):
        given["language"] = language
    with override(language):
        return reverse(name, kwargs=given)


def made() -> Site:
    """Makes it all. Needs the content."""
    now = timezone.now()
    room = Classrooms(name=CLASS, options={"changchun": {"jiahu": "shape"}})
    teacher = teacher_of(room, name=NAMES[0])
    students = [Members(classroom=room, name=name, is_managed=True) for name in NAMES[1:4]]
    given = Assignments(
        classroom=room,
        title=TITLES[0],
        note="Read first.",
        due=now - timedelta(hours=2),
        pass_mark=60,
        late=HALF,
        tries=2,
    )
    part = add_set(given, size=4, seed=7, kinds=["can-win", "waits", "score"])
    add_set(given, game="changchun", size=2, seed=8, same=False)
    Part.objects.create(
        assignment=given, place=5, kind=CHAPTER, game="changsha", data={"slug": "birds"}, size=0
    )
    sealed = Assignments(classroom=room, title=TITLES[1], reveal=BY_HAND, due=now + timedelta(days=2))
    add_set(sealed, size=2, seed=9)
    Assignments(classroom=room, title=TITLES[2], opens=now + timedelta(days=9))
    Assignments(classroom=room, title=TITLES[3], opens=None)
    for n, student in enumerate(students):
        answered(
            student, given, [n % 2 == 0, False, True, n > 0, True], at=now - timedelta(hours=2, minutes=3)
        )
        answered(student, sealed, [True])
    question = Question.objects.filter(part=part).earliest("number")
    fields = ("puzzle", "game", "kind", "topic", "level", "options", "node", "form")
    board = Board.objects.create(
        classroom=room, opened=now, **{name: getattr(question, name) for name in fields}
    )
    judging = Judging.objects.create(
        classroom=room, asked_by=teacher.name, rules="1", begun=now, finished=now, seen=15, total=15
    )
    learner = Learners(account=Accounts(name=NAMES[4]))
    keys = {
        "classroom": room.pk,
        "member": students[0].pk,
        "assignment": given.pk,
        "part": part.pk,
        "question": 1,
        "number": 1,
        "board": board.pk,
        "judging": judging.pk,
        "game": question.game,
        "slug": "birds",
        "topic": question.topic,
        "kind": question.kind,
        "key": "",
        "code": room.code,
        "id": "changsha/why-not/2/84210",
        "run": practised(learner),
        "language": "en",
    }
    return Site(keys, {GUEST: None, LEARNER: learner, STUDENT: students[0].learner, TEACHER: teacher.learner})


def practised(learner: Learner) -> int:
    """Lets somebody practise for three weeks. Returns the key of the last round: four questions answered."""
    now = timezone.now()
    store(
        answer(
            learner,
            n % 4 != 1,
            at=now - timedelta(days=20 - n // 3, minutes=9 * (n % 3)),
            game=("changsha", "changchun")[n % 2],
            topic=(SHAPE, PAIR if n % 2 == 0 else "win/triplet")[n // 2 % 2],
            kind=("can-win", "why-not", "waits")[n % 3],
            level=1 + n // 20,
            seconds=8 + n % 17,
            helped=n % 11 == 0,
        )
        for n in range(60)
    )
    client = client_of(learner)
    client.post("/en/learn/changsha/tiles/", {"do": "read"})
    client.post(
        "/en/practice/start/", {"mode": runs.QUICK, "game": "changsha", "level": "2", "kind": "can-win"}
    )
    run = Run.objects.latest("pk").pk
    for number in range(1, 5):
        say_yes(client, f"/en/practice/runs/{run}/{number}/")
    return run


def say_yes(client: Client, path: str) -> None:
    """Answers a question that is answered by one tap."""
    page = client.get(path).content.decode()
    hidden = dict(re.findall(r'<input type="hidden" name="([a-z]+)" value="([^"]*)">', page))
    response = client.post(path, {**hidden, "a": "yes"})
    assert response.status_code == 303
