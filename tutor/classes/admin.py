"""Classes in the admin: which there are and how large, never who is in them or what they answered."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import localize
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tutor.classes import members
from tutor.classes.models import Classroom
from tutor.practice.models import Attempt
from tutor.service.operators import Shown


class ClassroomForm(forms.ModelForm):
    """What an operator does to a class."""

    in_archive = forms.BooleanField(
        label=_("In the archive"),
        help_text=_("Everything can be looked at, nothing is changed."),
        required=False,
    )

    class Meta:
        model = Classroom
        fields = ["is_open"]
        labels = {"is_open": _("Students can join with the code")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["in_archive"] = self.instance.archived is not None


@admin.register(Classroom)
class Classrooms(Shown):
    """All classes."""

    form = ClassroomForm
    actions = None
    list_display = ["__str__", "games", "people", "made", "latest", "is_going_on"]
    list_per_page = 50
    ordering = ["-created", "-pk"]
    search_fields = ["name"]
    readonly_fields = ["games", "people", "made", "latest"]
    fields = [*readonly_fields, "is_open", "in_archive"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Classroom]:
        """Classes with how many are in them, and when one of them last answered there."""
        answered = Attempt.objects.filter(classroom=OuterRef("pk")).order_by().values("classroom")
        return (
            super()
            .get_queryset(request)
            .annotate(
                people=Count("members", filter=Q(members__left=None)),
                latest=Subquery(answered.annotate(latest=Max("at")).values("latest")),
            )
        )

    @admin.display(description=_("game"))
    def games(self, room: Classroom) -> str:
        """The games that it plays, in the page's language."""
        return " ".join(game.name.in_language(get_language() or "en") for game in room.games.values())

    @admin.display(description=_("created"), ordering="created")
    def made(self, room: Classroom) -> str:
        """Since when there is the class."""
        return localize(timezone.localtime(room.created))

    @admin.display(description=_("members"), ordering="people")
    def people(self, room: Any) -> int:
        """How many are in it, teachers among them."""
        return int(room.people)

    @admin.display(description=_("last answer"), ordering="latest")
    def latest(self, room: Any) -> str:
        """When somebody last answered there."""
        return localize(timezone.localtime(room.latest)) if room.latest else "–"

    @admin.display(description=_("not in the archive"), boolean=True)
    def is_going_on(self, room: Classroom) -> bool:
        """Whether it can be changed and answered in."""
        return room.archived is None

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A class begins with its teacher."""
        return False

    def save_model(self, request: HttpRequest, obj: Classroom, form: ClassroomForm, change: bool) -> None:
        """Stores whether it is open and in the archive, and nothing else."""
        if form.cleaned_data["in_archive"] != (obj.archived is not None):
            obj.archived = timezone.now() if form.cleaned_data["in_archive"] else None
        obj.save(update_fields=["is_open", "archived"])

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[Any, int], set[Any], list[Any]]:
        """What goes, in words and numbers."""
        gone = [_("The class, its places and all that was given there. Answers stay with who gave them.")]
        (room,) = objs
        counted = {
            _("members"): room.people,
            _("assignments"): room.assignments.count(),
            _("live boards"): room.boards.count(),
        }
        return gone, counted, set(), []

    def delete_model(self, request: HttpRequest, obj: Classroom) -> None:
        """Deletes the class as its teacher would."""
        members.delete(obj)
