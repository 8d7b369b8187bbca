"""Signing up, in and out, a new password, and the end of an account.

Each is one transaction, in which the learner behind the browser becomes the account's, or one with it, before
the session says so. Passwords are hashed before it begins: nobody waits for that.
"""

from __future__ import annotations

from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from tutor.classes import members, working
from tutor.classes.models import Classroom, Member
from tutor.people import brakes, known, learners
from tutor.people.merging import merge
from tutor.people.models import Account, Learner, SignedIn, tidied


def sign_up(request: HttpRequest, name: str, password: str) -> bool:
    """Makes an account for whoever is behind this browser, and signs in. False where the name is taken."""
    account = Account(name=tidied(name))
    account.set_password(password)
    try:
        with transaction.atomic():
            guest = _guest(request)
            account.save()
            learner = guest or Learner()
            learner.account = account
            learner.save()
            _enter(request, account, learner)
    except IntegrityError:
        if Account.objects.filter(folded=account.folded).exists():
            return False
        raise
    return True


def sign_in(request: HttpRequest, account: Account) -> bool:
    """Signs in to an account; what was kept in this browser joins what is kept with it.

    False where the account is gone or closed, or has another password than the one just given.
    """
    with transaction.atomic():
        as_given = Account.objects.filter(pk=account.pk, password=account.password, is_active=True)
        if not as_given.select_for_update().exists():
            return False
        guest = _guest(request)
        learner, _ = Learner.objects.select_for_update().get_or_create(account=account)
        if guest is not None:
            merge(guest, learner)
        _enter(request, account, learner)
    return True


def sign_out(request: HttpRequest) -> None:
    """Signs out: of this browser nothing is known any more."""
    logout(request)


def change_password(request: HttpRequest, account: Account, password: str) -> bool:
    """Gives an account a new password, and ends its sessions in other browsers.

    False where it has got another one since it was read.
    """
    before = account.password
    account.set_password(password)
    with transaction.atomic():
        if not Account.objects.select_for_update().filter(pk=account.pk, password=before).exists():
            return False
        account.save(update_fields=["password"])
        update_session_auth_hash(request, account)  # the session goes on under another key
        end_sessions(account)
        _note_session(request, account)
    return True


def end_sessions(account: Account) -> None:
    """Signs out wherever somebody is signed in to an account; to be called when its password has changed.

    Lesson pages know a learner by the session alone and never look at the account.
    """
    Session.objects.filter(pk__in=account.signed_in.values("session")).delete()


def delete(request: HttpRequest, account: Account) -> list[Classroom]:
    """Removes an account and signs out, unless classes have no other teacher: returns those."""
    if taught := remove(account):
        return taught
    logout(request)
    return []


def remove(account: Account) -> list[Classroom]:
    """Removes an account with everything that is kept with it, wherever somebody is signed in to it.

    Nothing is done where classes have no other teacher: returns those.
    """
    with transaction.atomic():
        # Locked before all that hangs on it, as when somebody signs in or joins a class.
        if Account.objects.select_for_update().filter(pk=account.pk).exists():
            Learner.objects.select_for_update().filter(account=account).first()
            if taught := members.sole_classes(account, lock=True):
                return taught
            extended = members.extended(Member.objects.filter(learner__account=account))
            end_sessions(account)
            Account.objects.filter(pk=account.pk).delete()
            for assignment in extended:
                working.seal(assignment)
    brakes.cleared(known.key(account.name))
    return []


def _guest(request: HttpRequest) -> Learner | None:
    """The learner of this browser as long as it is nobody's account, locked until the transaction ends."""
    learner = learners.locked(request)
    return learner if learner is not None and learner.account_id is None else None


def _enter(request: HttpRequest, account: Account, learner: Learner) -> None:
    login(request, account)
    learners.become(request, learner)
    _note_session(request, account)


def _note_session(request: HttpRequest, account: Account) -> None:
    if request.session.session_key is None:  # the one before was somebody else's, and is gone
        request.session.create()
    SignedIn.objects.create(session_id=str(request.session.session_key), account=account)
