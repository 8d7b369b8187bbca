"""Django's admin for whoever runs the site, where ADMIN=1 asks for one: /admin/.

To everybody but operators nothing stands there, signed in or not. They sign in as everybody does; `manage.py
operator` says who they are. What they see and do there is said in `people.admin` and `classes.admin`: no
learner's name and no answer is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

from django.apps import apps
from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.admin.apps import SimpleAdminConfig
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.urls import URLPattern, URLResolver
from django.utils.translation import gettext_lazy as _


class Site(AdminSite):
    """The admin as Paili has it."""

    site_title = site_header = _("Paili: operators")
    index_title = _("What operators do")

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether an operator asks."""
        return request.user.is_active and getattr(request.user, "is_operator", False)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Django's, none of which is there for anybody else."""
        unused = ("autocomplete", "view_on_site")  # which look into what no page shows
        found = [pattern for pattern in super().get_urls() if getattr(pattern, "name", "") not in unused]
        self._hide(found)
        return found

    def _hide(self, patterns: list[Any]) -> None:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                self._hide(pattern.url_patterns)
            else:
                pattern.callback = self._for_operators(pattern.callback)

    def _for_operators(self, view: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(view)
        def hidden(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if not self.has_permission(request):
                raise Http404
            return view(request, *args, **kwargs)

        # Nothing else may answer first and so tell that something is there. `admin_view` asks for the token.
        hidden.csrf_exempt = True  # type: ignore[attr-defined]
        hidden.should_append_slash = False  # type: ignore[attr-defined]
        return hidden

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """There is no other page to sign in than everybody's. Raises Http404."""
        raise Http404

    def logout(self, request: Any, extra_context: Any = None) -> Any:
        """Signs out as everywhere."""
        from tutor.people.views import sign_out  # which is there after the models, and this before

        return sign_out(request)

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """An operator's own password is changed where everybody's is."""
        return HttpResponseRedirect(resolve_url("account-password"))


class Shown(ModelAdmin):
    """A page of the admin, in which nothing can be found by what it does not show.

    Django's lists take a condition on any field from the address: `password__startswith`, say.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """None from an address: what was searched for and the order of columns are not among them."""
        return False


class Operators(SimpleAdminConfig):
    """The app, with what is offered there and nothing that other apps would add."""

    default_site = "tutor.service.operators.Site"

    def ready(self) -> None:
        """Registers Paili's own."""
        super().ready()
        names = {"people": _("People"), "classes": _("Classes")}
        for label, name in names.items():
            apps.get_app_config(label).verbose_name = name
            import_module(f"tutor.{label}.admin")
