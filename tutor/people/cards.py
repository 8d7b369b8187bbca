"""Accounts made for others, and the cards that say how to sign in: a name, a first password or login code.

What is on a card is known only while it is made; afterwards there is but a digest of it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import NamedTuple

import segno
from django.contrib.auth import hashers
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from tutor.people import accounts, brakes, codes, known
from tutor.people.forms import SHORTEST_NAME, UNSEEN, is_typed
from tutor.people.models import LONGEST_NAME, Account, Learner, folded, tidied

# A password of so many characters by chance needs little hashing, and a class is to be made while its teacher
# waits. Django hashes it anew, as often as any other, when somebody signs in with it.
_ITERATIONS = 20_000
_TRIED_AT_ONCE = 50
_NAMELESS = "pupil"
_QUIET = 4  # modules around a QR code that stay white


class Card(NamedTuple):
    """What somebody needs to sign in to an account for the first time.

    name: who it is for, as given. secret: the first password or the login code. expires: of a login code,
    else None. qr: what leads to the page for signing in, as a drawing; see `with_qr`.
    """

    account: Account
    name: str
    secret: str
    expires: datetime | None
    qr: SafeString = SafeString()


def display_name(text: str) -> str:
    """The name of a pupil as others in the class see it, tidied. Raises ValidationError in words."""
    if not is_seen(text):
        raise ValidationError(
            gettext("A name stands on one line, and all of its characters can be seen."), "unseen"
        )
    name = tidied(text)
    if not name:
        raise ValidationError(gettext("Type a name."), "required")
    if len(name) > LONGEST_NAME:
        raise ValidationError(
            gettext("A name has at most %(n)s characters.") % {"n": LONGEST_NAME}, "too long"
        )
    if not any(c.isalnum() for c in name):
        raise ValidationError(gettext("A name needs a letter, a digit or a Chinese character."), "no letter")
    return name


def is_seen(text: str) -> bool:
    """Whether text stands on one line, and all of its characters can be seen."""
    return not any(map(_is_unseen, text.strip()))


def make_accounts(names: Sequence[str], *, with_code: timedelta | None) -> list[Card]:
    """An account with its learner for each name, all or none; with a code that lasts so long, or a password.

    Each is called as its name if nobody is yet, else with a number after it.
    """
    made = [(name, *_first_password(with_code)) for name in names]
    with transaction.atomic():
        return [_card(_make(name, hashed), name, secret, with_code) for name, secret, hashed in made]


def reset(account: Account, *, with_code: timedelta | None) -> Card:
    """A new code or first password for an account. What it had before is worth nothing, its sessions end."""
    password, hashed = _first_password(with_code)
    with transaction.atomic():
        account.password = hashed
        account.save(update_fields=["password"])
        card = _card(account, account.name, password, with_code)
        accounts.end_sessions(account)
    brakes.cleared(known.key(account.name))
    return card


def with_qr(request: HttpRequest, cards: Iterable[Card], leads: str = "") -> list[Card]:
    """The cards with a QR code each, which opens the page for signing in with the name filled in.

    leads: the address that it leads on to, "" for the account's page.
    """
    page = request.build_absolute_uri(reverse("sign-in"))
    onwards = {"next": leads} if leads else {}
    label = gettext("QR code: opens the page for signing in")
    return [
        card._replace(qr=qr(f"{page}?{urlencode({'name': card.account.name, **onwards})}", label))
        for card in cards
    ]


def qr(address: str, label: str) -> SafeString:
    """An address as a QR code: an SVG picture, black on white in any colour scheme. label: what it opens."""
    rows = segno.make(address, error="l", micro=False).matrix
    size = len(rows) + 2 * _QUIET
    return format_html(
        '<svg class="qr" role="img" aria-label="{}" viewBox="0 0 {} {}" shape-rendering="crispEdges">'
        '<path fill="#ffffff" d="M0 0h{}v{}h-{}z"/><path fill="#000000" d="{}"/></svg>',
        label,
        *[size] * 5,
        "".join(
            f"M{x + _QUIET} {y + _QUIET}h{long}v1h-{long}z"
            for y, row in enumerate(rows)
            for x, long in _dark(row)
        ),
    )


def _dark(row: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Where in a row of a QR code something dark begins, and how long it is."""
    x = 0
    for is_dark, modules in groupby(row):
        long = len(list(modules))
        if is_dark:
            yield x, long
        x += long


def _first_password(with_code: timedelta | None) -> tuple[str, str]:
    """A password by chance and its hash; none that anybody could type where there is to be a code."""
    if with_code is not None:
        return "", hashers.make_password(None)
    password, hasher = codes.drawn(codes.PASSWORD_LENGTH), hashers.get_hasher()
    if isinstance(hasher, hashers.PBKDF2PasswordHasher):
        return password, hasher.encode(password, hasher.salt(), iterations=_ITERATIONS)
    return password, hasher.encode(password, hasher.salt())


def _card(account: Account, name: str, password: str, with_code: timedelta | None) -> Card:
    if with_code is None:
        return Card(account, name, password, None)
    return Card(account, name, *codes.give(account, with_code))


def _make(name: str, hashed: str) -> Account:
    wanted = tidied("".join(filter(is_typed, tidied(name))))
    wanted = wanted if any(c.isalnum() for c in wanted) else ""
    while True:
        account = Account(name=_free(wanted), password=hashed)
        try:
            with transaction.atomic():
                account.save()
        except IntegrityError:  # taken a moment ago
            continue
        Learner.objects.create(account=account)
        return account


def _free(wanted: str) -> str:
    """The first name that no account has: as wanted, else with a number after it."""
    first = 1
    while True:
        names = {
            folded(name): name
            for name in (_numbered(wanted, number) for number in range(first, first + _TRIED_AT_ONCE))
        }
        taken = set(Account.objects.filter(folded__in=names).values_list("folded", flat=True))
        if free := [name for key, name in names.items() if key not in taken]:
            return free[0]
        first += _TRIED_AT_ONCE


def _numbered(wanted: str, number: int) -> str:
    if number == 1 and len(wanted) >= SHORTEST_NAME:
        return wanted[:LONGEST_NAME].rstrip()
    stem = wanted or _NAMELESS
    end = f"-{number}" if stem[-1].isdigit() else str(number)
    return stem[: LONGEST_NAME - len(end)] + end


def _is_unseen(character: str) -> bool:
    """Whether a character is drawn as nothing, or breaks the line."""
    return unicodedata.category(character) in _UNSEEN_CATEGORIES or bool(_UNSEEN.match(character))


_UNSEEN_CATEGORIES = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
_UNSEEN = re.compile(f"[{UNSEEN}\u034f\u17b4\u17b5\u180b-\u180f\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef]")
