"""Who learns here, and what they have done. Nothing is stored before there is something worth keeping."""

from __future__ import annotations

import unicodedata
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.sessions.models import Session
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

LONGEST_NAME = 40


def tidied(name: str) -> str:
    """A name as it is kept: each character in its usual form and width, single spaces, none at the ends."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def folded(name: str) -> str:
    """A name as it is compared: width, case and more or fewer spaces make no other name."""
    return tidied(name).casefold()


class Accounts(BaseUserManager["Account"]):
    """Accounts by their name."""

    def get_by_natural_key(self, name: str | None) -> Account:
        """The account of a name, however it is written. Raises Account.DoesNotExist."""
        return self.get(folded=folded(name or ""))

    def create_user(self, name: str, password: str | None = None, **more: Any) -> Account:
        """A new account. Raises IntegrityError where the name is taken."""
        account = self.model(name=tidied(name), **more)
        account.set_password(password)
        account.save(using=self._db)
        return account


class Account(AbstractBaseUser):
    """A name and a password, by which somebody is known on any device. No e-mail, nothing else.

    name: as its owner writes it. folded: as names are compared, so that no two differ by case, width or
    spaces alone. is_active: whether it can be signed in to. is_operator: whether its owner runs the site, see
    `admin`.
    """

    name = models.CharField(max_length=LONGEST_NAME)
    folded = models.CharField(max_length=LONGEST_NAME * 3, unique=True, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    is_active = models.BooleanField(default=True)
    is_operator = models.BooleanField(default=False, db_default=False)

    objects = Accounts()

    USERNAME_FIELD = "folded"

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")

    def __str__(self) -> str:
        return gettext("account %(n)s") % {"n": self.pk}

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Stores the account with its name as names are compared."""
        self.folded = folded(self.name)
        super().save(*args, **kwargs)

    @property
    def is_staff(self) -> bool:
        """Whether Django's admin lets its owner in, where there is an admin."""
        return self.is_operator

    def has_perm(self, perm: str, obj: object = None) -> bool:
        """Whether its owner may do something there: an operator all that the admin offers."""
        return self.is_active and self.is_operator

    def has_module_perms(self, app_label: str) -> bool:
        """Whether its owner sees a part of the admin."""
        return self.is_active and self.is_operator


class SignedIn(models.Model):
    """A session in which somebody is signed in to an account, so that it can be ended from another one."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, primary_key=True, related_name="+")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="signed_in")

    def __str__(self) -> str:
        return f"account {self.account_id}, signed in"


class Learner(models.Model):
    """Somebody who learns: known to one browser by its session, or to any by an account.

    merged_into: the learner who has taken over all that was kept here, so that an answer that was under way
    then still finds its owner. reviews: whether questions that were missed come again. hides_rating: whether
    the rating is kept out of sight.
    """

    account = models.OneToOneField(
        Account, on_delete=models.CASCADE, null=True, blank=True, related_name="learner"
    )
    merged_into = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="merged"
    )
    created = models.DateTimeField(auto_now_add=True)
    reviews = models.BooleanField(default=False)
    hides_rating = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"learner {self.pk}"


class Progress(models.Model):
    """What a learner has done at a place of the lessons: a chapter read ("changsha/birds"), a level tried or
    solved ("changsha/birds#origin").

    Places are kept as text: lessons come and go, what somebody did stays.
    """

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="progress")
    place = models.CharField(max_length=160)
    is_done = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["learner", "place"], name="one_progress_a_place")]

    def __str__(self) -> str:
        return f"{self.place}: {'done' if self.is_done else 'tried'}"


class LoginCode(models.Model):
    """A code that stands in for the password of an account without one, until it expires.

    digest: of the code, keyed, together with what stands in the password's place: with another password the
    code is worth nothing. See `codes`.
    """

    account = models.OneToOneField(
        Account, on_delete=models.CASCADE, primary_key=True, related_name="login_code"
    )
    digest = models.CharField(max_length=64)
    made = models.DateTimeField()
    expires = models.DateTimeField()

    def __str__(self) -> str:
        return f"login code of account {self.account_id}"


class Brake(models.Model):
    """How often in a row something was tried in vain. See `brakes`.

    key: a keyed digest of what was tried, which can't be read back.
    """

    key = models.CharField(max_length=64, primary_key=True)
    misses = models.PositiveIntegerField(default=1)
    last = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("wrong tries")
        verbose_name_plural = _("wrong tries")

    def __str__(self) -> str:
        return f"{self.misses} in vain"
