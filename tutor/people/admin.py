"""Accounts, brakes and the record of what operators did, in the admin.

An account is found by its exact name or its key, and shown without its name: there is no list to look around
in. Operators' own accounts are left alone here: whoever may set a password may act in that name.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.utils.formats import localize
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters

from tutor.classes import members
from tutor.people import accounts, brakes, known
from tutor.people.models import Account, Brake, folded
from tutor.service.operators import Shown

_LARGEST = 2**63 - 1  # than which no key of a database is larger


def _is_operator(account: Account | None) -> bool:
    return account is not None and account.is_operator


class AccountForm(forms.ModelForm):
    """What an operator does to an account."""

    new_password = forms.CharField(
        label=_("New password"),
        help_text=_(
            "Leave it empty to keep the present one. Whoever is signed in has to sign in anew; "
            "tell the owner to choose a password of their own then."
        ),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
        required=False,
        strip=False,
    )
    lift = forms.BooleanField(
        label=_("Forget wrong tries"),
        help_text=_("The next try to sign in with this name need not wait."),
        required=False,
    )

    class Meta:
        model = Account
        fields = ["is_active"]
        labels = {"is_active": _("Open")}
        help_texts = {
            "is_active": _("Nobody signs in to an account that is closed. What is kept with it stays.")
        }

    def clean_new_password(self) -> str:
        """Raises ValidationError for one that is easy to guess."""
        password = str(self.cleaned_data["new_password"])
        if password:
            validate_password(password, self.instance)
        return password


@admin.register(Account)
class Accounts(Shown):
    """Accounts, of which none is listed before it was asked for."""

    form = AccountForm
    actions = None
    list_display = ["__str__", "made", "last_login", "is_open", "runs_site"]
    search_fields = ["folded"]
    search_help_text = _(
        "The exact sign-in name, or the number of the account. None is listed until it is asked for."
    )
    show_full_result_count = False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Account], search_term: str
    ) -> tuple[QuerySet[Account], bool]:
        """The account of exactly this name, and the one of this key; nothing where nothing was typed."""
        asked = Q(folded=folded(search_term))
        if search_term.isdecimal() and len(search_term) < 20 and int(search_term) <= _LARGEST:
            asked |= Q(pk=int(search_term))
        return queryset.filter(asked) if search_term else queryset.none(), False

    def get_fields(self, request: HttpRequest, obj: Account | None = None) -> list[Any]:
        """What is shown."""
        changed = [] if _is_operator(obj) else ["is_active", "new_password", "lift"]
        return [*self.get_readonly_fields(request, obj), *changed]

    def get_readonly_fields(self, request: HttpRequest, obj: Account | None = None) -> list[str]:
        """What is only shown; of an operator all."""
        return ["made", "last_login", "waits", *(["is_open", "runs_site"] if _is_operator(obj) else [])]

    @admin.display(description=_("created"), ordering="created")
    def made(self, account: Account) -> str:
        """Since when there is the account."""
        return localize(localtime(account.created))

    @admin.display(description=_("open"), boolean=True)
    def is_open(self, account: Account) -> bool:
        """Whether it can be signed in to."""
        return account.is_active

    @admin.display(description=_("operator"), boolean=True)
    def runs_site(self, account: Account) -> bool:
        """Whether it is an operator's."""
        return account.is_operator

    @admin.display(description=_("seconds until the next try"))
    def waits(self, account: Account) -> int:
        """How long a stranger to the name has to wait after wrong tries."""
        return brakes.wait(known.key(account.name))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """People make their accounts themselves, or teachers do."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        """All but operators'."""
        return super().has_change_permission(request, obj) and not _is_operator(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        """All but operators'."""
        return super().has_delete_permission(request, obj) and not _is_operator(obj)

    @method_decorator(sensitive_post_parameters())
    def changeform_view(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """The page of an account; what is typed there is for no report of errors."""
        return super().changeform_view(*args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Account, form: AccountForm, change: bool) -> None:
        """Stores what was changed, and ends the sessions that no longer hold."""
        changed = ["is_active"]
        if password := form.cleaned_data["new_password"]:
            obj.set_password(password)
            changed.append("password")
        obj.save(update_fields=changed)
        if password or not obj.is_active:
            accounts.end_sessions(obj)
        if password or form.cleaned_data["lift"]:
            brakes.cleared(known.key(obj.name))

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[Any, int], set[Any], list[Any]]:
        """What goes, in words; in the way are the classes that would have no teacher left."""
        (account,) = objs
        gone = [_("The account, with all that is kept with it.")]
        return gone, {}, set(), [str(room) for room in members.sole_classes(account)]

    def delete_model(self, request: HttpRequest, obj: Account) -> None:
        """Deletes the account as its owner would. Raises PermissionDenied where it has got in the way of a
        class since it was asked about."""
        if accounts.remove(obj):
            raise PermissionDenied


@admin.register(Brake)
class Brakes(Shown):
    """What has to wait after wrong tries. Of what was tried there is a digest alone."""

    list_display = ["short", "tries", "latest"]
    list_display_links = None
    ordering = ["-last"]

    @admin.display(description=_("digest"))
    def short(self, brake: Brake) -> str:
        """Enough of the key to tell one from another."""
        return brake.pk[:12]

    @admin.display(description=_("tries in vain"), ordering="misses")
    def tries(self, brake: Brake) -> int:
        """How many there were in a row."""
        return brake.misses

    @admin.display(description=_("the last of them"), ordering="last")
    def latest(self, brake: Brake) -> datetime:
        """When that was."""
        return brake.last

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only wrong tries make one."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """A brake is lifted or left as it is."""
        return False


@admin.register(LogEntry)
class Log(Shown):
    """What operators did, all of them, to be read alone."""

    list_display = ["action_time", "user", "content_type", "object_repr", "action_flag", "get_change_message"]
    list_display_links = None
    list_select_related = ["user", "content_type"]
    ordering = ["-action_time"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """It writes itself."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """What was done was done."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody takes anything out."""
        return False
