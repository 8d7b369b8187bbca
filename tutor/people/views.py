"""What a learner can do with what is remembered of them: keep it with an account, take it away, have it gone.

Whoever signs in or up goes on as the same learner, see `accounts`. No address names a person: a page shows
what is kept of whoever asks, and nothing else.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render, resolve_url
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tutor.classes import access, members
from tutor.people import accounts, copies, known, learners
from tutor.people.forms import TAKEN, SignIn, SignUp, delete_form, password_form
from tutor.people.models import LONGEST_NAME, Account
from tutor.requests import LONGEST_ADDRESS, Request, readable

_SAID = "said"


@require_POST
def forget(request: Request) -> HttpResponse:
    """Forgets all that was remembered; with an account, leads to where that can be deleted."""
    if learners.is_signed_in(request):
        return _see("account-delete")
    learners.forget(request)
    return _see("learn")


@never_cache
@require_safe
@readable
def account(request: Request) -> HttpResponse:
    """Who somebody is, what is kept of them, and what they can do with it."""
    mine = _account_of(request)
    said = request.session.pop(_SAID, "")
    kept = copies.kept(learners.of(request))
    rooms = access.memberships(request).values_list("classroom__time_zone", flat=True)
    context = {"account": mine, "kept": kept, "said": said, "is_in_class": bool(rooms)}
    with timezone.override(_clock(set(rooms))):  # by which their cards tell the time too
        return _page(request, "account", context)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readable
def sign_up(request: Request) -> HttpResponse:
    """Makes an account."""
    if _account_of(request):
        return _onwards(request)
    form = SignUp(request.POST if request.method == "POST" else None)
    if form.is_valid():
        if accounts.sign_up(request, form.cleaned_data["name"], form.cleaned_data["password"]):
            return _entered(request, form.cleaned_data["name"], "signed-up")
        form.add_error("name", TAKEN)  # a moment ago
    return _page(request, "sign_up", {"form": form, "next": _next(request)})


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readable
def sign_in(request: Request) -> HttpResponse:
    """Signs in; an address may name who."""
    if _account_of(request):
        return _onwards(request)
    name = request.GET.get("name", "")
    name = name if len(name) <= LONGEST_NAME else ""
    form = SignIn(request.POST if request.method == "POST" else None, request=request, initial={"name": name})
    if form.is_valid() and form.account is not None:
        if accounts.sign_in(request, form.account):
            return _entered(request, form.account.name, "signed-in")
        form.refuse()
    leads = _next(request)
    asked = {key: value for key, value in (("next", leads), ("name", name)) if value}
    return _page(request, "sign_in", {"form": form, "next": leads, "query": urlencode(asked)})


@never_cache
@require_POST
def sign_out(request: Request) -> HttpResponse:
    """Signs out; a guest stays who they are."""
    if learners.is_signed_in(request):
        accounts.sign_out(request)
    return _see("account")


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readable
@login_required
def change_password(request: Request) -> HttpResponse:
    """Changes the password of whoever is signed in, or sets the first."""
    mine = _own(request)
    is_first = not mine.has_usable_password()
    form = password_form(mine)(request.POST if request.method == "POST" else None, account=mine)
    if form.is_valid():
        if not accounts.change_password(request, mine, form.cleaned_data["password"]):
            return _see("account-password")  # changed elsewhere a moment ago, which has signed out here
        request.session[_SAID] = "chosen" if is_first else "changed"
        return _see("account")
    return _page(request, "password", {"form": form, "account": mine})


@never_cache
@require_safe
def data(request: Request) -> HttpResponseBase:
    """All that is kept of whoever asks, as a file."""
    mine = _account_of(request)
    pieces = copies.written(learners.of(request), mine)
    return StreamingHttpResponse(
        pieces,
        content_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="paili-data.json"'},
    )


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readable
@login_required
def delete(request: Request) -> HttpResponse:
    """Deletes the account of whoever is signed in, after their password, and says that it is gone."""
    mine = _own(request)
    form = delete_form(mine)(request.POST if request.method == "POST" else None, account=mine)
    taught = accounts.delete(request, mine) if form.is_valid() else members.sole_classes(mine)
    if form.is_valid() and not taught:
        response = _page(request, "deleted", {"name": mine.name})
        known.forget(response)
        return response
    kept = copies.kept(learners.of(request))
    return _page(request, "delete", {"form": form, "account": mine, "kept": kept, "taught": taught})


def _account_of(request: Request) -> Account | None:
    """The account that somebody is signed in to. To be asked first, for the session may be at its end."""
    user = request.user
    if isinstance(user, Account):
        return user
    if learners.is_signed_in(request):
        accounts.sign_out(request)
    return None


def _own(request: Request) -> Account:
    found = _account_of(request)
    if found is None:
        raise TypeError("nobody is signed in where login_required let somebody pass")
    return found


def _clock(zones: set[str]) -> str | None:
    """The time zone that somebody's classes have in common, None for the usual one."""
    return zones.pop() if len(zones) == 1 else None


def _page(request: Request, name: str, context: dict[str, Any]) -> HttpResponse:
    leads = context.get("next", "")
    return render(
        request,
        f"people/{name}.html",
        # The other language's page leads to the same.
        {"query": urlencode({"next": leads}) if leads else "", **context},
    )


def _next(request: Request) -> str:
    """Where a form is to lead, "" where nothing is said or where that is no page of this site."""
    told = request.POST.get("next", request.GET.get("next", ""))
    is_own = url_has_allowed_host_and_scheme(told, {request.get_host()}, require_https=request.is_secure())
    return told if is_own and len(told) <= LONGEST_ADDRESS else ""


def _onwards(request: Request, said: str = "") -> HttpResponse:
    """To where the form was to lead, else to the account's page, which says what came of it."""
    if leads := _next(request):
        return HttpResponseRedirect(leads, status=303)
    if said:
        request.session[_SAID] = said
    return _see("account")


def _entered(request: Request, name: str, said: str) -> HttpResponse:
    """To where the form was to lead, from a browser that is known for this name from now on."""
    response = _onwards(request, said)
    known.remember(request, response, name)
    return response


def _see(name: str) -> HttpResponse:
    return HttpResponseRedirect(resolve_url(name), status=303)
