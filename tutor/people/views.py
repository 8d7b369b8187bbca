"""What a learner can do with what is remembered of them."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from tutor.people import learners
from tutor.requests import Request


@require_POST
def forget(request: Request) -> HttpResponse:
    """Forgets all that was remembered."""
    learners.forget(request)
    return HttpResponseRedirect(reverse("learn"), status=303)
