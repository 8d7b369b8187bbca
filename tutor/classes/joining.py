"""Coming into a class by its code, and leaving it.

Codes are short, so wrong ones are slowed down: for whoever tries them, and for a code that many try. Where
from they come doesn't count, for a whole class may join behind one address.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from tutor.classes import access, members
from tutor.classes.forms import CodeForm, NameForm
from tutor.classes.members import Opening
from tutor.classes.pages import page, see
from tutor.people import brakes, learners
from tutor.people.models import Account
from tutor.practice.asking import own
from tutor.requests import Request, readable

_LAST = "class_joined"


@require_http_methods(["GET", "HEAD", "POST"])
@readable
def join(request: Request, code: str = "") -> HttpResponse:
    """Asks for the code of a class, then for a name in it. A guest learns nothing of any code."""
    account = request.user
    learner = learners.of(request)
    if not learners.is_signed_in(request) or not isinstance(account, Account) or learner is None:
        return own(render(request, "classes/join_guest.html", {"next": request.path, "query": ""}))
    if not code:
        form = CodeForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            return _onwards(form)
        return _ask(request, form)
    form = CodeForm({"code": code})
    last, room = request.session.get(_LAST, ("", 0))
    if members.plain(code) == last and access.memberships(request).filter(classroom=room).exists():
        return _is_in(request, room)
    try:
        found = _found(code, account, learner)
    except ValidationError as error:
        form.add_error("code", error)
        return _ask(request, form)
    if found.is_in:
        return _is_in(request, found.classroom.pk)
    return _enter(request, code, account, learner, found)


def _is_in(request: Request, room: int) -> HttpResponse:
    return see(request, "classroom", room, said=gettext("You are in this class already."))


def _onwards(form: CodeForm) -> HttpResponse:
    """From the form to where the code is tried, as from a link."""
    code = members.plain(form.cleaned_data["code"]) or "-"
    return HttpResponseRedirect(reverse("class-join", args=[code]), status=303)


def _ask(request: Request, form: CodeForm) -> HttpResponse:
    return own(render(request, "classes/join.html", {"form": form, "query": ""}))


def _found(code: str, account: Account, learner: int) -> Opening:
    """What a code opens. Raises ValidationError in words: one for all codes that open nothing.

    A right code makes no wrong one forgotten: whoever guesses may well know one.
    """
    mine, theirs = f"join {account.pk}", f"join-code {members.plain(code)}"
    if seconds := brakes.wait(mine, theirs):
        raise ValidationError(brakes.in_words(seconds))
    found = members.opening(code, learner)
    if found is None:
        # A code that does open a class is slowed down for whoever is not let in, and for nobody else.
        brakes.missed(mine, *([] if members.is_known(code) else [theirs]))
        raise ValidationError(
            gettext(
                "You can't join a class with this code. Compare it with your teacher's, or ask for it anew."
            )
        )
    return found


def _enter(request: Request, code: str, account: Account, learner: int, found: Opening) -> HttpResponse:
    """Asks for the name in a class that a code has opened, and lets somebody in under it."""
    initial = {"name": found.member.name if found.member else account.name}
    form = NameForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        try:
            member = members.join(code, learner, form.cleaned_data["name"])
        except ValidationError as error:
            form.add_error("name", error)
        else:
            if member is None:  # closed a moment ago
                return HttpResponseRedirect(request.path, status=303)
            # A teachers' code is spent by that, and leads to the class all the same when it is sent twice.
            request.session[_LAST] = (members.plain(code), member.classroom_id)
            return see(request, "classroom", member.classroom_id, said=gettext("You are in. Welcome!"))
    context = {"form": form, "opening": found, "code": code, "query": ""}
    return own(render(request, "classes/join_as.html", context))


@require_http_methods(["GET", "HEAD", "POST"])
@readable
def leave(request: Request, classroom: int) -> HttpResponse:
    """Leaves a class; a teacher as well, unless they are the last."""
    me = access.member_of(request, classroom)
    trouble = ""
    if request.method == "POST":
        try:
            members.leave(me)
        except ValidationError as error:
            trouble = " ".join(error.messages)
        else:
            said = gettext("You have left the class %(name)s.") % {"name": me.classroom.name}
            return see(request, "classes", said=said)
    here = "class-settings" if me.is_teacher else ""
    return page(request, me, "leave", {"trouble": trouble}, here=here)


urls: list[URLPattern] = [
    path("join/", join, name="class-join"),
    path("join/<str:code>/", join, name="class-join"),
    path("<int:classroom>/leave/", leave, name="class-leave"),
]
