"""Accounts made for a class, cards with a first password or login code, and how pupils go on from there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import hashers
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory, override_settings
from django.utils import timezone, translation

from tests.school import Classrooms, Members
from tests.test_accounts import (
    LANGUAGES,
    NAME,
    PASSWORD,
    at_once,
    errors,
    known_as,
    leads_to,
    sign_in,
    sign_out,
    sign_up,
    tree,
    url,
)
from tests.test_checker_page import Element, assert_valid, read
from tests.test_progress import LEVEL, solve
from tutor.people import accounts, brakes, cards, codes, known
from tutor.people.forms import NameField
from tutor.people.models import Account, Brake, Learner, LoginCode, SignedIn

pytestmark = pytest.mark.django_db


DAY = timedelta(days=1)
OWN = "bamboo and rain"
MISMATCH = "There is no account with this name and this password. Capital letters count in a password."
EXPIRED = {
    "en": "This login code has expired: ask your teacher for a new one.",
    "zh-hans": "这个登录码过期了，请找老师要一个新的。",
}


@pytest.fixture
def card() -> cards.Card:
    """A card with a login code."""
    return coded(NAME)


def coded(name: str) -> cards.Card:
    (made,) = cards.make_accounts([name], with_code=DAY)
    return made


def with_password(name: str) -> cards.Card:
    (made,) = cards.make_accounts([name], with_code=None)
    return made


def enter(card: cards.Card, client: Client | None = None, **more: str) -> HttpResponse:
    return sign_in(client or Client(), card.account.name, card.secret, **more)


def choose(client: Client, password: str = OWN, **more: str) -> HttpResponse:
    return client.post(url("password/"), {"password": password, "again": password, **more})


# Accounts for a list of names


@pytest.mark.parametrize("make", [coded, with_password])
def test_a_card_signs_in_to_an_account_with_a_learner(make: Callable[[str], cards.Card]) -> None:
    card = make("王小明")
    assert (card.name, card.account.name, card.account.pk) == ("王小明", "王小明", Account.objects.get().pk)
    assert leads_to(enter(card, client := Client())) == url()
    assert known_as(client) == Learner.objects.get() == card.account.learner


def test_first_passwords_and_codes_are_easy_to_copy_and_differ() -> None:
    letters = f"[{codes.ALPHABET}]"
    assert not set(codes.ALPHABET) & set("0o1li")
    passwords = {card.secret for card in cards.make_accounts(["Pupil"] * 20, with_code=None)}
    made = cards.make_accounts(["Pupil"] * 20, with_code=DAY)
    assert len(passwords) == len({card.secret for card in made}) == 20
    assert all(re.fullmatch(f"{letters}{{4}}-{letters}{{4}}", secret) for secret in passwords)
    assert all(re.fullmatch(f"{letters}{{5}}-{letters}{{5}}", card.secret) for card in made)


NAMES: list[tuple[list[str], list[str]]] = [
    (["王小明", "王小明", "王小明"], ["王小明", "王小明2", "王小明3"]),
    (["Anna", "ANNA", " anna "], ["Anna", "ANNA2", "anna3"]),
    (["Anna", "Anna2", "Anna"], ["Anna", "Anna2", "Anna3"]),
    (["Pupil 7", "Pupil 7"], ["Pupil 7", "Pupil 7-2"]),
    (["O'Brien", "Anna & Ben", "欧阳·娜娜", "<b>Li</b>"], ["OBrien", "Anna Ben", "欧阳娜娜", "bLib"]),
    (["兰", "兰"], ["兰1", "兰2"]),
    (["☺", "…", "-"], ["pupil1", "pupil2", "pupil3"]),
    (["x" * 40, "x" * 40], ["x" * 40, "x" * 39 + "2"]),
    (["Ｌａｎ　Ｍei"], ["Lan Mei"]),
    (["ﷺ" * 3], ["صلى الله عليه وسلمصلى الله عليه وسلمصلى"]),
]


@pytest.mark.parametrize(("names", "expected"), NAMES)
def test_user_names_are_made_from_names_and_are_free(names: list[str], expected: list[str]) -> None:
    made = cards.make_accounts(names, with_code=DAY)
    assert [card.account.name for card in made] == expected
    assert [card.name for card in made] == names
    for card in made:
        assert NameField().clean(card.account.name) == card.account.name


def test_a_name_that_many_have_gets_the_next_number_with_few_queries() -> None:
    made = cards.make_accounts(["王伟"] * 120, with_code=DAY)
    assert [card.account.name for card in made][-1] == "王伟120"
    sign_up(Client(), name="王伟121")
    assert coded("王伟").account.name == "王伟122"


def test_all_accounts_of_a_list_are_made_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    give = codes.give

    def fails(account: Account, lasts: timedelta) -> Any:
        if account.name == "Third":
            raise RuntimeError
        return give(account, lasts)

    monkeypatch.setattr(codes, "give", fails)
    with pytest.raises(RuntimeError):
        cards.make_accounts(["First", "Second", "Third"], with_code=DAY)
    assert not Account.objects.exists()
    assert not LoginCode.objects.exists()


def test_a_first_password_is_hashed_quickly_and_anew_when_somebody_signs_in_with_it() -> None:
    real = hashers.PBKDF2PasswordHasher
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.PBKDF2PasswordHasher"]):
        card = with_password(NAME)
        before = hashers.identify_hasher(card.account.password).decode(card.account.password)
        assert before["iterations"] == 20_000
        assert errors(sign_in(Client(), NAME, "mistyped")) == {"": MISMATCH}
        client = Client()
        assert leads_to(enter(card, client)) == url()
        account = Account.objects.get()
        assert real().decode(account.password)["iterations"] == real.iterations
        assert account.check_password(card.secret)
        assert NAME in tree(client.get(url())).text


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("transactional_db")
def test_two_lists_at_once_get_names_of_their_own() -> None:
    names = ["王小明", "李雷", "韩梅梅"]
    made = at_once(*[lambda: cards.make_accounts(names, with_code=DAY)] * 3)
    given = [card.account.name for cards_ in made for card in cards_]
    assert len(set(given)) == Account.objects.count() == Learner.objects.count() == 9


# Login codes


WRITINGS = pytest.mark.parametrize(
    "write",
    [
        str.upper,
        lambda code: code.replace("-", ""),
        lambda code: f" {code[:3]} {code[3:]} ",
        lambda code: "-".join(code),
        lambda code: code.replace("-", "–"),
        lambda code: "".join(chr(ord(c) + 0xFEE0) for c in code),
    ],
)


@WRITINGS
def test_a_code_is_read_however_it_is_written(card: cards.Card, write: Callable[[str], str]) -> None:
    assert leads_to(sign_in(Client(), NAME.upper(), write(card.secret))) == url()


def test_a_code_opens_its_own_account_alone(card: cards.Card) -> None:
    other = coded("Another")
    for name, code in (
        ("Another", card.secret),
        ("Nobody", card.secret),
        (NAME, other.secret),
        (NAME, card.secret[:-1]),
        (NAME, card.secret + "a"),
        (NAME, "-"),
        (NAME, Account.objects.get(name=NAME).password),
        (NAME, LoginCode.objects.get(account=card.account).digest),
    ):
        assert errors(sign_in(Client(), name, code)) == {"": MISMATCH}
    Brake.objects.all().delete()
    Account.objects.update(is_active=False)
    assert errors(enter(card)) == {"": MISMATCH}


def test_a_code_works_again_and_again_and_leads_on_as_a_password_does(card: cards.Card) -> None:
    for _ in range(2):
        assert leads_to(enter(card, next="/en/check/")) == "/en/check/"
    assert LoginCode.objects.count() == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_expired_code_is_told_from_a_wrong_one_when_it_is_right(card: cards.Card, language: str) -> None:
    LoginCode.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert errors(enter(card, language=language)) == {"": EXPIRED[language]}
    assert not Brake.objects.exists()
    assert errors(sign_in(Client(), NAME, card.secret[:-1])) == {"": MISMATCH}
    assert not Session.objects.exists()


def test_a_code_lasts_as_long_as_it_was_made_for(card: cards.Card) -> None:
    kept = LoginCode.objects.get()
    assert card.expires == kept.expires == kept.made + DAY
    assert timezone.now() - timedelta(minutes=1) < kept.made <= timezone.now()


def test_the_code_is_kept_nowhere(card: cards.Card) -> None:
    kept = LoginCode.objects.values().get() | Account.objects.values().get()
    plain = card.secret.replace("-", "")
    assert not [value for value in kept.values() if plain in str(value) or card.secret in str(value)]
    LoginCode.objects.update(digest="")
    assert errors(sign_in(Client(), NAME, "-")) == {"": MISMATCH}


def test_wrong_codes_are_slowed_as_wrong_passwords_are(card: cards.Card) -> None:
    for n in range(brakes.FREE + 1):
        assert errors(sign_in(Client(), NAME, f"aaaaa-{n}")) == {"": MISMATCH}
    assert "Too many wrong tries." in errors(enter(card))[""]


@WRITINGS
def test_a_first_password_is_read_however_it_is_written(write: Callable[[str], str]) -> None:
    card = with_password(NAME)
    client = Client()
    assert leads_to(sign_in(client, NAME, write(card.secret))) == url()
    changed = client.post(url("password/"), {"old": write(card.secret), "password": OWN, "again": OWN})
    assert leads_to(changed) == url()


def test_a_password_that_somebody_chose_is_read_exactly() -> None:
    Account.objects.create_user(NAME, "Bamboo-and-rain")
    Account.objects.create_user("Another", "WXYZ-2345")  # as long as one on a card
    for name, password in ((NAME, "bamboo-and-rain"), (NAME, "bambooandrain"), ("Another", "wxyz2345")):
        assert errors(sign_in(Client(), name, password)) == {"": MISMATCH}
    assert leads_to(sign_in(Client(), "Another", "WXYZ-2345")) == url()


@pytest.mark.parametrize(("typed", "times"), [("aaaaa-aaaaa", 1), ("aaaa-aaaa", 1), ("AAAA aaaa", 2)])
@pytest.mark.parametrize("make", [coded, with_password])
def test_what_is_wrong_takes_as_much_hashing_as_a_wrong_name_and_is_one_miss(
    make: Callable[[str], cards.Card], typed: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(NAME)
    hashed = []
    encode = hashers.MD5PasswordHasher.encode

    def counted(self: Any, *args: Any, **kwargs: Any) -> str:
        hashed.append(args)
        return encode(self, *args, **kwargs)

    monkeypatch.setattr(hashers.MD5PasswordHasher, "encode", counted)
    for name in (NAME, "Nobody"):
        hashed.clear()
        sign_in(Client(), name, typed)
        assert len(hashed) == times
    assert list(Brake.objects.values_list("misses", flat=True)) == [1, 1]


# A password of one's own


@pytest.mark.parametrize(
    ("zones", "until"),
    [
        (["Asia/Shanghai", "Asia/Shanghai"], "24 Dec 2026, 17:05 CST."),
        (["Asia/Shanghai", "Europe/Berlin"], "24 Dec 2026, 09:05 UTC."),
    ],
)
def test_the_end_of_a_code_is_told_by_the_clocks_of_the_class(
    card: cards.Card, zones: list[str], until: str
) -> None:
    for zone in zones:
        Members(classroom=Classrooms(time_zone=zone), learner=card.account.learner)
    enter(card, client := Client())
    LoginCode.objects.update(expires=datetime(2026, 12, 24, 9, 5, tzinfo=UTC))
    assert f"Your login code works until {until}" in tree(client.get(url())).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_came_with_a_code_is_told_that_a_password_can_be_chosen(card: cards.Card, language: str) -> None:
    enter(card, client := Client())
    LoginCode.objects.update(expires=datetime(2026, 12, 24, 9, 5, tzinfo=UTC))
    words = {
        "en": (
            "Your login code works until 24 Dec 2026, 09:05 UTC.",
            "Choose a password of your own",
            "Change the password",
        ),
        "zh-hans": ("你的登录码在2026年12月24日 09:05 UTC之前有效。", "设一个自己的密码", "修改密码"),
    }
    until, chosen, changed = words[language]
    page = tree(client.get(url(language=language)))
    assert until in page.text
    (link,) = [a for a in page.all("a") if a["href"] == url("password/", language)]
    assert link.text == chosen
    assert changed not in page.text
    form = tree(client.get(url("password/", language)))
    assert_valid(form)
    assert [h.text for h in form.all("h1")] == [chosen]
    assert not form.field("old")
    choose(client)
    page = tree(client.get(url(language=language)))
    assert until not in page.text
    assert chosen not in page.text
    assert changed in page.text
    assert form.text != tree(client.get(url("password/", language))).text


def test_a_password_of_ones_own_ends_the_code_and_other_sessions(card: cards.Card, shelved: None) -> None:
    enter(card, client := Client())
    solve(client, LEVEL)
    enter(card, other := Client())
    assert leads_to(choose(client)) == url()
    assert "You have a password of your own now." in tree(client.get(url())).text
    assert NAME not in tree(other.get(url())).text
    assert errors(enter(card)) == {"": MISMATCH}
    assert leads_to(sign_in(Client(), NAME, OWN)) == url()
    assert known_as(client) == card.account.learner


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        ({"password": "short", "again": "short"}, ["password"]),
        ({"password": "lan xiaoming", "again": "lan xiaoming"}, ["password"]),
        ({"again": "something else"}, ["again"]),
        ({"password": "", "again": ""}, ["password", "again"]),
    ],
)
def test_the_first_password_is_as_hard_to_guess_as_any(
    card: cards.Card, given: dict[str, str], fields: list[str]
) -> None:
    enter(card, client := Client())
    assert list(errors(choose(client, **given))) == fields
    assert not Account.objects.get().has_usable_password()


def test_who_has_a_password_can_not_do_without_it(card: cards.Card) -> None:
    sign_up(client := Client(), name="Another")
    assert list(errors(choose(client))) == ["old"]
    assert list(errors(client.post(url("delete/"), {"typed": "Another"}))) == ["old"]
    assert Account.objects.get(name="Another").check_password(PASSWORD)


def test_of_two_who_choose_at_once_the_first_password_stands(card: cards.Card) -> None:
    enter(card, client := Client())
    request = RequestFactory().post("/")
    request.session = client.session
    before = Account.objects.get()
    choose(client)
    assert not accounts.change_password(request, before, "a later one")
    assert Account.objects.get().check_password(OWN)


# To take away, and to have gone


def test_a_copy_tells_of_the_code_until_there_is_a_password(card: cards.Card) -> None:
    enter(card, client := Client())
    kept = LoginCode.objects.get()
    told = json.loads(text := client.get(url("data/")).getvalue().decode())
    assert told["account"]["login_code"] == {
        "made": kept.made.isoformat(),
        "expires": kept.expires.isoformat(),
    }
    assert kept.digest not in text
    assert "scrambled form of your login code" in tree(client.get(url())).text
    choose(client)
    assert json.loads(client.get(url("data/")).getvalue())["account"]["login_code"] is None
    assert "scrambled form of your password" in tree(client.get(url())).text


def test_a_copy_tells_all_of_a_code_but_its_digest() -> None:
    assert {field.name for field in LoginCode._meta.concrete_fields} == {
        "account",
        "digest",
        "made",
        "expires",
    }


def test_deletion_knows_everything_that_belongs_to_an_account() -> None:
    belongs = {relation.related_model for relation in Account._meta.related_objects}
    assert {SignedIn, Learner, LoginCode} <= belongs
    assert {relation.on_delete.__name__ for relation in Account._meta.related_objects} == {"CASCADE"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_password_an_account_is_deleted_by_its_name(card: cards.Card, language: str) -> None:
    enter(card, client := Client())
    coded("Stranger")
    page = tree(client.get(url("delete/", language)))
    assert_valid(page)
    assert not page.field("old")
    words = {"en": "This is not the name of your account.", "zh-hans": "这不是你账号的名字。"}
    response = client.post(url("delete/", language), {"typed": "Stranger"})
    assert errors(response) == {"typed": words[language]}
    assert tree(response).by_id("id_typed")["value"] == "Stranger"
    assert list(errors(client.post(url("delete/", language), {}))) == ["typed"]
    assert Account.objects.count() == 2
    brakes.missed(known.key(NAME))
    client.post(url("delete/", language), {"typed": f" {NAME.upper()}"})
    assert [account.name for account in Account.objects.all()] == ["Stranger"]
    assert LoginCode.objects.get().account == Account.objects.get()
    for model in (Brake, Session, SignedIn):
        assert not model._default_manager.exists()
    assert Learner.objects.count() == 1


# A new card


@pytest.mark.parametrize("before", ["code", "first password", "own password"])
@pytest.mark.parametrize("with_code", [DAY, None])
def test_a_new_card_ends_what_was_before(before: str, with_code: timedelta | None, shelved: None) -> None:
    card = with_password(NAME) if before == "first password" else coded(NAME)
    enter(card, client := Client())
    solve(client, LEVEL)
    if before == "own password":
        choose(client)
    for _ in range(10):
        brakes.missed(known.key(NAME))
    new = cards.reset(Account.objects.get(), with_code=with_code)
    assert (new.account, new.name, new.expires is None) == (card.account, NAME, with_code is None)
    assert not SignedIn.objects.exists()
    assert not Session.objects.exists()
    assert "You have seen" not in client.get("/en/learn/").content.decode()
    assert NAME not in tree(client.get(url())).text
    assert leads_to(enter(new, browser := Client())) == url()
    assert known_as(browser) == card.account.learner
    for secret in (card.secret, OWN):
        assert errors(sign_in(Client(), NAME, secret)) == {"": MISMATCH}


def test_who_signs_in_while_the_card_is_made_anew_is_asked_again(card: cards.Card) -> None:
    found = codes.owner(NAME, card.secret)
    assert found is not None
    cards.reset(card.account, with_code=DAY)
    request = RequestFactory().post("/")
    request.session = Client().session
    assert not accounts.sign_in(request, found)


# Names that a class sees


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("O'Brien", "O'Brien"),
        ("欧阳·娜娜", "欧阳·娜娜"),
        ("兰", "兰"),
        ("<b>&", "<b>&"),
        ("  Ｌａｎ　 Mei ", "Lan Mei"),
        ("Zoë\u00a0K.", "Zoë K."),
        ("Nguyễn Thị", "Nguyễn Thị"),
        ("7", "7"),
        ("x" * 40, "x" * 40),
        ("\u2026Li\r\n", "...Li"),
    ],
)
def test_a_name_that_a_class_sees_is_tidied(text: str, name: str) -> None:
    assert cards.display_name(text) == name


UNSEEN = "A name stands on one line, and all of its characters can be seen."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Type a name."),
        (" \u3000\n", "Type a name."),
        ("x" * 41, "A name has at most 40 characters."),
        ("ﷺ" * 3, "A name has at most 40 characters."),
        ("'-·", "A name needs a letter, a digit or a Chinese character."),
        ("Lan\nMei", UNSEEN),
        ("Lan\tMei", UNSEEN),
        ("Lan\u2028Mei", UNSEEN),
        ("Lan\x00", UNSEEN),
        ("Lan\u200bMei", UNSEEN),
        ("\u202eMei", UNSEEN),
        ("\ufeffLan", UNSEEN),
        ("Lan\u3164", UNSEEN),
        ("Lan\u2800", UNSEEN),
        ("葛\U000e0100", UNSEEN),
        ("Lan\U000e0041", UNSEEN),
        ("Lan\ue000", UNSEEN),
    ],
)
def test_a_name_that_can_not_be_shown_is_refused_in_words(text: str, words: str) -> None:
    with translation.override("en"), pytest.raises(ValidationError) as refused:
        cards.display_name(text)
    assert refused.value.messages == [words]


# To print


def printed(made: list[cards.Card], language: str = "en") -> Element:
    request = RequestFactory(headers={"host": "paili.example"}).get("/", secure=True)
    request.session = Client().session
    with translation.override(language), override_settings(ALLOWED_HOSTS=["paili.example"]):
        made = cards.with_qr(request, made)
        context = {"cards": made, "title": "2 cards", "place": "Class 3b", "back": "/en/back/"}
        return read(render_to_string("people/cards.html", context, request))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_of_cards_shows_what_each_pupil_needs(language: str) -> None:
    made = [with_password("<b>O'Brien & Co"), coded("欧阳·娜娜")]
    page = printed(made, language)
    assert_valid(page)
    assert [h.text for h in page.all("h1")] == ["2 cards"]
    assert [h.text for h in page.all("h2")] == ["<b>O'Brien & Co", "欧阳·娜娜"]
    items = [item for item in page.all("li") if item.get("class") == "login-card"]
    labels = {"en": ("First password", "Login code"), "zh-hans": ("初始密码", "登录码")}[language]
    works = {"en": "Works until", "zh-hans": "有效期至"}[language]
    name = {"en": "Sign-in name", "zh-hans": "登录名"}[language]
    for item, card, label in zip(items, made, labels, strict=True):
        for said in (
            card.account.name,
            card.secret,
            label,
            name,
            "Class 3b",
            "https://paili.example/classes/",
        ):
            assert said in item.text
        assert (works in item.text) == (card.expires is not None)
        (drawing,) = item.all("svg")
        assert drawing["role"] == "img"
        assert drawing["aria-label"]
    assert any(link["href"] == "/en/back/" for link in page.all("a"))
    assert "style" not in {name for element in page.all("svg", "path") for name in element.attributes}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_address_on_a_card_leads_to_the_classes_and_from_there_to_sign_in(language: str) -> None:
    response = Client().get("/classes/", headers={"Accept-Language": language}, follow=True)
    assert response.redirect_chain == [(f"/{language}/classes/", 302)]
    signs_in = f"{url('sign-in/', language)}?next=/{language}/classes/"
    (link,) = [a for a in tree(response).by_id("main").all("a") if a["href"] == signs_in]
    assert link.text in printed([with_password(NAME)], language).text
    label = {"en": "Sign-in name", "zh-hans": "登录名"}[language]
    assert label in [field.text for field in tree(Client().get(signs_in)).all("label")]


@pytest.mark.parametrize(
    ("leads", "more"), [("", ""), ("/zh-hans/classes/7/", "&next=%2Fzh-hans%2Fclasses%2F7%2F")]
)
def test_a_qr_code_reads_as_the_page_for_signing_in_with_the_name(
    client: Client, leads: str, more: str
) -> None:
    card = with_password("王小明")
    request = RequestFactory().get("/")
    page = "http://testserver/zh-hans/account/sign-in/?name=%E7%8E%8B%E5%B0%8F%E6%98%8E"
    with translation.override("zh-hans"):
        (drawn,) = cards.with_qr(request, [card], leads)
    assert drawn.qr == cards.qr(f"{page}{more}", "二维码：打开登录页面")
    assert card.secret not in drawn.qr
    opened = tree(client.get(f"{page}{more}"))
    assert opened.by_id("id_name")["value"] == "王小明"
    assert [field["value"] for field in opened.field("next")] == [leads][: len(leads)]


def test_a_qr_code_is_black_on_white_with_its_quiet_zone() -> None:
    drawing = cards.qr("https://paili.example/", "Opens <paili>")
    assert 'aria-label="Opens &lt;paili&gt;"' in drawing
    (size,) = re.findall(r'viewBox="0 0 (\d+) \1"', drawing)
    ground, modules = re.findall(r'<path fill="(#\w+)" d="([^"]+)"/>', drawing)
    assert ground == ("#ffffff", f"M0 0h{size}v{size}h-{size}z")
    assert modules[0] == "#000000"
    dark = {
        (int(x) + n, int(y))
        for x, y, long in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", modules[1])
        for n in range(int(long))
    }
    for axis in (0, 1):
        places = [module[axis] for module in dark]
        assert (min(places), max(places)) == (4, int(size) - 5)
    ring = {(x, y) for x in range(4, 11) for y in range(4, 11) if {x, y} & {4, 10}}
    finder = ring | {(x, y) for x in range(6, 9) for y in range(6, 9)}
    assert {(x, y) for x, y in dark if x <= 11 and y <= 11} == finder


# The page for signing in


@pytest.mark.parametrize("name", ["王小明", "<b>&\"'", "a b"])
def test_an_address_may_fill_in_the_name(client: Client, name: str) -> None:
    response = client.get(url("sign-in/"), {"name": name, "next": "/en/check/"})
    page = tree(response)
    assert_valid(page)
    assert page.by_id("id_name")["value"] == name
    other = next(
        link["href"] for link in page.all("a") if link["href"].startswith(url("sign-in/", "zh-hans"))
    )
    again = tree(client.get(other))
    assert again.by_id("id_name")["value"] == name
    assert again.field("next")[0]["value"] == "/en/check/"
    assert "sessionid" not in client.cookies


@pytest.mark.parametrize(
    ("response", "focused"),
    [
        (lambda client: client.get(url("sign-in/")), "id_name"),
        (lambda client: client.get(url("sign-in/"), {"name": NAME}), "id_password"),
        (lambda client: client.post(url("sign-in/"), {"name": NAME}), "errors"),
    ],
)
def test_the_focus_is_where_it_goes_on(
    client: Client, response: Callable[[Client], HttpResponse], focused: str
) -> None:
    page = tree(response(client))
    assert [one["id"] for one in page if "autofocus" in one.attributes] == [focused]


def test_a_name_in_the_address_that_none_can_be_is_left_out(client: Client) -> None:
    page = tree(client.get(url("sign-in/"), {"name": "x" * 41}))
    assert not page.by_id("id_name").get("value")


def test_what_is_typed_counts_more_than_the_address(client: Client) -> None:
    response = client.post(f"{url('sign-in/')}?name=Another", {"name": NAME, "password": "wrong"})
    assert tree(response).by_id("id_name")["value"] == NAME
    assert sign_out(client).status_code == 303
