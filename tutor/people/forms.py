"""What is typed to make an account, to sign in, and to change or delete it, with what is said to mistakes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tutor.people import brakes, codes, known
from tutor.people.models import LONGEST_NAME, Account, folded, tidied

SHORTEST_NAME = 2
TAKEN = _("This name is taken. Choose another, or sign in if it is yours.")
_MISMATCH = _("There is no account with this name and this password. Capital letters count in a password.")
_NO_PASSWORD = _("Type your password.")
_EXPIRED = _("This login code has expired: ask your teacher for a new one.")
_WRONG_PASSWORD = _("This is not your password. Capital letters count.")
_OTHER_NAME = _("This is not the name of your account.")
# What is said to a password that Django's validators refuse, by their codes.
_REFUSALS = {
    "password_too_short": _("Take at least %(min_length)s characters for the password."),
    "password_too_similar": _("This password is too much like your name. Choose another."),
    "password_too_common": _("This password is one of the first that anybody would guess. Choose another."),
}


class NameField(forms.CharField):
    """A name, in characters that anybody can type again."""

    widget = forms.TextInput(
        attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
    )

    def to_python(self, value: Any) -> str:
        """The name as it is kept."""
        return tidied(super().to_python(value) or "")

    def validate(self, value: str) -> None:
        """Raises ValidationError with the first thing that a name can't be."""
        super().validate(value)
        if not all(map(is_typed, value)):
            raise ValidationError(
                gettext("A name is made of letters, digits, Chinese characters, spaces and . _ - alone.")
            )
        if len(value) < SHORTEST_NAME:
            raise ValidationError(gettext("A name has at least %(n)s characters.") % {"n": SHORTEST_NAME})
        if len(value) > LONGEST_NAME:
            raise ValidationError(gettext("A name has at most %(n)s characters.") % {"n": LONGEST_NAME})
        if not any(c.isalnum() for c in value):
            raise ValidationError(gettext("A name needs a letter, a digit or a Chinese character."))


# Letters that are drawn as nothing: with them two names would look alike.
UNSEEN = "\u115f\u1160\u3164\uffa0"


def is_typed(character: str) -> bool:
    """Whether a character may stand in the name of an account."""
    return (character.isalnum() or character in " ._-") and character not in UNSEEN


class PasswordField(forms.CharField):
    """A password, taken as it is typed; it is never shown again."""

    def __init__(self, *, autocomplete: str, **more: Any) -> None:
        more.setdefault("error_messages", {"required": _NO_PASSWORD})
        widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
        super().__init__(strip=False, widget=widget, **more)


class NewPassword(forms.Form):
    """A new password, typed twice, for nobody can look it up or send it."""

    password = PasswordField(
        label=_("Password"),
        help_text=_("8 characters or more. A few words in a row are easy to remember."),
        autocomplete="new-password",
        error_messages={"required": _("Choose a password.")},
    )
    again = PasswordField(
        label=_("The same password again"),
        autocomplete="new-password",
        error_messages={"required": _("Type the password a second time.")},
    )

    def owner(self) -> Account:
        """Whose password it will be."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        """Both are the same, and the password is hard to guess."""
        given = super().clean() or self.cleaned_data
        password, again = given.get("password"), given.get("again")
        if password:
            try:
                validate_password(password, self.owner())
            except ValidationError as error:
                self.add_error("password", _in_own_words(error.error_list[0]))
        if password and again and password != again:
            self.add_error("again", gettext("The two passwords differ. Type them once more."))
        return given


def _in_own_words(error: ValidationError) -> ValidationError:
    return ValidationError(_REFUSALS.get(error.code or "", error.message), error.code, error.params)


class SignUp(NewPassword):
    """What somebody types to make an account."""

    name = NameField(
        label=_("Sign-in name"),
        help_text=_("What you will sign in with. It need not be your real name."),
        error_messages={"required": _("Choose a name.")},
    )
    field_order = ["name", "password", "again"]

    def owner(self) -> Account:
        """The account that is to be."""
        return Account(name=self.cleaned_data.get("name", ""))

    def clean_name(self) -> str:
        """A name that nobody has yet."""
        name = str(self.cleaned_data["name"])
        if Account.objects.filter(folded=folded(name)).exists():
            raise ValidationError(TAKEN)
        return name


class SignIn(forms.Form):
    """A name and a password or login code.

    Which of them is wrong is not said, nor told by the time it takes. After many wrong tries the next has to
    wait.
    """

    name = forms.CharField(
        label=_("Sign-in name"),
        widget=NameField.widget,
        error_messages={"required": _("Type your name.")},
    )
    password = PasswordField(
        label=_("Password"),
        help_text=_("Or the login code that your teacher gave you."),
        autocomplete="current-password",
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        self.account: Account | None = None
        if not self.is_bound:  # else its errors come first
            first = "password" if self.initial.get("name") else "name"
            self.fields[first].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        """The account is found, and the password or login code is its own."""
        given = super().clean() or self.cleaned_data
        if "name" in given and "password" in given:
            brake = known.key_for(self.request, given["name"])
            if seconds := brakes.wait(brake):
                raise ValidationError(brakes.in_words(seconds))
            self.account = self._found(given["name"], given["password"])
            if self.account is None:
                brakes.missed(brake)
                raise ValidationError(_MISMATCH)
            brakes.cleared(brake)
        return given

    def _found(self, name: str, password: str) -> Account | None:
        try:
            found = codes.owner(name, password)
        except codes.Expired:
            raise ValidationError(_EXPIRED) from None
        if found is not None:
            return found
        # As many times for a name that is none as for one whose password is another.
        tries = (
            authenticate(self.request, username=name, password=text) for text in codes.readings(password)
        )
        return next((found for found in tries if isinstance(found, Account)), None)

    def refuse(self) -> None:
        """Says that they do not match after all."""
        self.add_error(None, _MISMATCH)


class _OfAccount(forms.Form):
    """What somebody who is signed in types about their account."""

    def __init__(self, *args: Any, account: Account, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.account = account

    def owner(self) -> Account:
        """The account."""
        return self.account


class _OwnPassword(_OfAccount):
    """Asks somebody who is signed in for their password, for the browser may have been left alone."""

    old = PasswordField(label=_("Your current password"), autocomplete="current-password")

    def clean_old(self) -> str:
        """It is the account's own."""
        old = str(self.cleaned_data["old"])
        if not any(map(self.account.check_password, codes.readings(old))):
            raise ValidationError(_WRONG_PASSWORD)
        return old


class ChangePassword(_OwnPassword, NewPassword):
    """The password as it is and as it is to be."""

    field_order = ["old", "password", "again"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].label = _("New password")
        self.fields["again"].label = _("The new password again")


class FirstPassword(_OfAccount, NewPassword):
    """The first password of one's own, for an account that has none: there is no other to ask for."""


class Delete(_OwnPassword):
    """The password, without which no account is deleted."""


class DeleteByName(_OfAccount):
    """The name of an account without a password, typed so that nothing is deleted by a slip."""

    typed = forms.CharField(
        label=_("The name of your account"),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
        error_messages={"required": _("Type your name.")},
    )

    def clean_typed(self) -> str:
        """It is the account's own, however it is written."""
        typed = str(self.cleaned_data["typed"])
        if folded(typed) != self.account.folded:
            raise ValidationError(_OTHER_NAME)
        return typed


def password_form(account: Account) -> type[ChangePassword | FirstPassword]:
    """The form in which whoever is signed in gives the account another password, or its first."""
    return ChangePassword if account.has_usable_password() else FirstPassword


def delete_form(account: Account) -> type[Delete | DeleteByName]:
    """The form in which whoever is signed in says that the account is to go."""
    return Delete if account.has_usable_password() else DeleteByName
