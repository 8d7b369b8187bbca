"""Login codes: what a teacher hands out in place of a password, and which ends by itself.

The code itself is kept nowhere. Its digest covers what stands in the place of the account's password too, so
that a code ends with the next password or code, whoever sets it. First passwords look like codes, and are
read as leniently.
"""

from __future__ import annotations

import secrets
import unicodedata
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from tutor.people.models import Account, LoginCode, folded

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that looks like something else
LENGTH = 10
PASSWORD_LENGTH = 8  # of a first password


class Expired(Exception):
    """The code was right until it expired."""


def drawn(length: int) -> str:
    """So many characters by chance, each easy to read, in two halves with a hyphen between them."""
    return _halved("".join(secrets.choice(ALPHABET) for _ in range(length)))


def readings(password: str) -> list[str]:
    """What may be meant by a password as it is typed: itself, and the first password that it looks like."""
    plain = _plain(password)
    if len(plain) != PASSWORD_LENGTH or not set(plain) <= set(ALPHABET):
        return [password]
    return list(dict.fromkeys((password, _halved(plain))))


def give(account: Account, lasts: timedelta) -> tuple[str, datetime]:
    """A new code of a stored account and when it expires; the password and any code before are worth nothing.

    To be called within a transaction, in which the account is stored.
    """
    code, now = drawn(LENGTH), timezone.now()
    account.set_unusable_password()
    account.save(update_fields=["password"])
    given = {"digest": _digest(account, code), "made": now, "expires": now + lasts}
    LoginCode.objects.update_or_create(account=account, defaults=given)
    return code, now + lasts


def owner(name: str, code: str) -> Account | None:
    """The account of a name, if the code is its own, however they are written. One query.

    Raises Expired for the right code when it is too late.
    """
    found = (
        LoginCode.objects.select_related("account")
        .filter(account__folded=folded(name), account__is_active=True)
        .first()
    )
    account = found.account if found else Account()
    if not constant_time_compare(_digest(account, code), found.digest if found else "") or found is None:
        return None
    if found.expires <= timezone.now():
        raise Expired
    return account


def _digest(account: Account, code: str) -> str:
    return salted_hmac(__name__, f"{account.password} {_plain(code)}", algorithm="sha256").hexdigest()


def _halved(plain: str) -> str:
    half = len(plain) // 2
    return f"{plain[:half]}-{plain[half:]}"


def _plain(code: str) -> str:
    """A code as it is compared: neither case nor width, spaces or hyphens make it another."""
    folded_code = unicodedata.normalize("NFKC", code).casefold()
    return "".join(c for c in folded_code if not c.isspace() and unicodedata.category(c) != "Pd")
