"""The people of a class, for its teachers: added from a list, renamed, moved, removed, let in again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext, ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from tutor.classes import access, members, rosters
from tutor.classes.forms import ListForm, MoveForm, NameForm, SecretForm
from tutor.classes.models import Classroom, Member
from tutor.classes.pages import page, see
from tutor.people import cards
from tutor.people.models import Account
from tutor.practice.asking import own
from tutor.requests import Request, readable

_ORDERS = ("name", "joined")


@require_http_methods(["GET", "HEAD", "POST"])
@readable
def people(request: Request, classroom: int) -> HttpResponse:
    """Who is in a class and who was removed; posted, lets one of those in again."""
    me = access.teacher_of(request, classroom)
    if request.method == "POST":
        return _take_back(request, me)
    order = request.GET.get("sort", "name")
    if order not in _ORDERS:
        raise Http404
    there = _listed(me.classroom.members.filter(left=None), order)
    context = {
        "students": [one for one in there if not one.is_teacher],
        "teachers": [(one, members.may_remove(me, one)) for one in there if one.is_teacher],
        "removed": _removed(me),
        "sort": order,
        "code": members.written(me.classroom.code),
        "query": "" if order == "name" else f"sort={order}",
    }
    return page(request, me, "people", context, here="class-people")


def _listed(found: QuerySet[Member], order: str) -> list[Member]:
    """People with their accounts, by their names or by when they joined."""
    rows = list(found.select_related("learner__account").order_by("joined", "pk"))
    return sorted(rows, key=lambda one: members.in_order(one.name)) if order == "name" else rows


def _removed(me: Member) -> list[Member]:
    """Whom a teacher may let in again. Whoever left by themselves comes back by themselves, or not."""
    barred = me.classroom.members.filter(left__isnull=False, is_barred=True)
    return [one for one in _listed(barred, "name") if members.may_remove(me, one)]


def _take_back(request: Request, me: Member) -> HttpResponse:
    if me.classroom.archived is not None:
        return see(request, "class-people", me.classroom_id)
    key = request.POST.get("member", "")
    member = next((one for one in _removed(me) if str(one.pk) == key), None)
    if member is None:
        raise Http404
    try:
        members.take_back(member)
        said = gettext("%(name)s is in the class again, with all answers.") % {"name": member.name}
    except ValidationError as error:
        said = " ".join(error.messages)
    return see(request, "class-people", me.classroom_id, said=said)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@readable
def add(request: Request, classroom: int) -> HttpResponse:
    """Asks for a list of names, shows what would become of it, and makes the accounts."""
    me = access.teacher_of(request, classroom)
    if me.classroom.archived is not None:
        return see(request, "class-people", classroom)
    if request.method != "POST":
        return _add(request, me, {"form": ListForm()})
    form = ListForm(request.POST, request.FILES)
    if not form.is_valid():
        return _add(request, me, {"form": form})
    if request.POST.get("do") != "make":
        return _looked_at(request, me, form, SecretForm())
    secret = SecretForm(request.POST)
    if not secret.is_valid():
        return _looked_at(request, me, form, secret)
    seen = request.POST.get("seen", "")
    try:
        made = rosters.make(me.classroom, form.listed, seen=seen, with_code=secret.with_code)
    except rosters.Stale:
        return _looked_at(request, me, form, secret, is_stale=True)
    if not made:
        return _looked_at(request, me, form, secret)
    return _cards(request, me.classroom, made, reverse("class-people", args=[classroom]))


def _add(request: Request, me: Member, context: dict[str, Any]) -> HttpResponse:
    return page(request, me, "add_people", context, here="class-people")


def _looked_at(
    request: Request, me: Member, form: ListForm, secret: SecretForm, *, is_stale: bool = False
) -> HttpResponse:
    """What would become of a list; is_stale: nothing was made, for something has been since."""
    lines = rosters.look(me.classroom, form.listed)
    new = [line for line in lines if line.state == rosters.NEW]
    context = {
        "form": form,
        "secret": secret,
        "lines": lines,
        "new": new,
        "bad": [line for line in lines if line.state == rosters.BAD],
        "there": [line for line in lines if line.state == rosters.THERE],
        "names": "\n".join(line.name for line in new),
        "mark": rosters.mark(me.classroom),
        "is_stale": is_stale,
    }
    return _add(request, me, context)


def _cards(request: Request, classroom: Classroom, made: list[cards.Card], back: str) -> HttpResponse:
    """The page with cards, in the language of the class and by its clocks."""
    with translation.override(classroom.language), timezone.override(classroom.zone):
        title = ngettext("%(n)s login card for %(class)s", "%(n)s login cards for %(class)s", len(made))
        context = {
            "cards": cards.with_qr(request, made, reverse("classroom", args=[classroom.pk])),
            "place": classroom.name,
            "title": title % {"n": len(made), "class": classroom.name},
            "back": back,
            "query": "",
        }
        return own(render(request, "people/cards.html", context))


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@readable
def member(request: Request, classroom: int, member: int) -> HttpResponse:
    """A student, and what their teacher can do for them; a teacher who joined later, to be removed."""
    me = access.teacher_of(request, classroom)
    student = access.other_of(me.classroom, member)
    if not members.may_remove(me, student):
        raise Http404
    do = request.POST.get("do", "")
    if request.method == "POST" and me.classroom.archived is not None:
        return see(request, "class-member", classroom, member)
    if do == "remove":
        members.remove(student, by=me)
        said = gettext("%(name)s is removed; further down you can let them in again.")
        return see(request, "class-people", classroom, said=said % {"name": student.name})
    if do == "card" and not student.is_managed:
        raise Http404
    if student.is_teacher:
        if request.method == "POST":
            raise Http404
        return page(request, me, "member", {"student": student}, here="class-people")
    name = NameForm(request.POST if do == "rename" else None, initial={"name": student.name})
    secret = SecretForm(request.POST if do == "card" else None)
    into = MoveForm(request.POST if do == "move" else None, taught=_elsewhere(me))
    is_stale = False
    if name.is_valid() and (answer := _renamed(request, student, name)):
        return answer
    if into.is_valid() and (answer := _moved(request, student, into)):
        return answer
    if secret.is_valid():
        card = _new_card(student, secret.with_code, request.POST.get("before", ""))
        if card is not None:
            back = reverse("class-member", args=[classroom, member])
            return _cards(request, me.classroom, [card], back)
        is_stale = True
    context = {
        "student": student,
        "form": next((form for form in (name, secret, into) if form.errors), name),
        "name_form": name,
        "secret_form": secret,
        "move_form": into,
        "before": _state(student.learner.account),
        "is_stale": is_stale,
    }
    return page(request, me, "member", context, here="class-people")


def _elsewhere(me: Member) -> QuerySet[Member]:
    """A teacher in their other classes."""
    mine = Member.objects.filter(learner=me.learner_id, is_teacher=True, left=None)
    others = mine.filter(classroom__archived=None).exclude(classroom=me.classroom_id)
    return others.select_related("classroom").order_by("-classroom__created")


def _renamed(request: Request, student: Member, form: NameForm) -> HttpResponse | None:
    try:
        members.rename(student, form.cleaned_data["name"])
    except ValidationError as error:
        form.add_error("name", error)
        return None
    return see(
        request, "class-member", student.classroom_id, student.pk, said=gettext("The name is changed.")
    )


def _moved(request: Request, student: Member, form: MoveForm) -> HttpResponse | None:
    try:
        members.move(student, form.classroom)
    except ValidationError as error:
        form.add_error("into" if student.is_managed else None, error)
        return None
    said = gettext("%(name)s is in %(class)s now.") % {"name": student.name, "class": form.classroom.name}
    return see(request, "class-people", student.classroom_id, said=said)


def _new_card(student: Member, with_code: timedelta | None, before: str) -> cards.Card | None:
    """A new card; None where there was another since the form was shown, as when it is sent twice."""
    with transaction.atomic():
        account = Account.objects.select_for_update().filter(learner=student.learner_id).first()
        if account is None or not constant_time_compare(_state(account), before):
            return None
        return cards.reset(account, with_code=with_code)._replace(name=student.name)


def _state(account: Account | None) -> str:
    """What changes with whatever an account signs in with, and tells nothing of it."""
    return salted_hmac(__name__, account.password if account else "").hexdigest()


urls: list[URLPattern] = [
    path("<int:classroom>/people/", people, name="class-people"),
    path("<int:classroom>/people/add/", add, name="class-add"),
    path("<int:classroom>/people/<int:member>/", member, name="class-member"),
]
