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

from tutor.people.models import LONGEST_NAME, Account, folded, tidied

SHORTEST_NAME = 2
TAKEN = _("This name is taken. Choose another, or sign in if it is yours.")
_MISMATCH = _("There is no account with this name and this password. Capital letters count in a password.")
_NO_PASSWORD = _("Type your password.")
_WRONG_PASSWORD = _("This is not your password. Capital letters count.")
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
        if any(not (c.isalnum() or c in " ._-") or c in _UNSEEN for c in value):
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
_UNSEEN = "\u115f\u1160\u3164\uffa0"


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
        label=_("Name"),
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
    """A name and a password. Which of them is wrong is not said, nor told by the time it takes."""

    name = forms.CharField(
        label=_("Name"),
        widget=NameField.widget,
        error_messages={"required": _("Type your name.")},
    )
    password = PasswordField(label=_("Password"), autocomplete="current-password")

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        self.account: Account | None = None

    def clean(self) -> dict[str, Any]:
        """The account is found, and the password is its own."""
        given = super().clean() or self.cleaned_data
        if "name" in given and "password" in given:
            found = authenticate(self.request, username=given["name"], password=given["password"])
            if not isinstance(found, Account):
                raise ValidationError(_MISMATCH)
            self.account = found
        return given

    def refuse(self) -> None:
        """Says that they do not match after all."""
        self.add_error(None, _MISMATCH)


class _OwnPassword(forms.Form):
    """Asks somebody who is signed in for their password, for the browser may have been left alone."""

    old = PasswordField(label=_("Your password now"), autocomplete="current-password")

    def __init__(self, *args: Any, account: Account, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.account = account

    def clean_old(self) -> str:
        """It is the account's own."""
        old = str(self.cleaned_data["old"])
        if not self.account.check_password(old):
            raise ValidationError(_WRONG_PASSWORD)
        return old


class ChangePassword(_OwnPassword, NewPassword):
    """The password as it is and as it is to be."""

    field_order = ["old", "password", "again"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].label = _("New password")
        self.fields["again"].label = _("The new password again")

    def owner(self) -> Account:
        """The account."""
        return self.account


class Delete(_OwnPassword):
    """The password, without which no account is deleted."""
