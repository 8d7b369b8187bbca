"""The site's addresses, and a view that does nothing."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from tutor.urls import urlpatterns as site


def bare(request: HttpRequest) -> HttpResponse:
    """Nothing at all."""
    return HttpResponse("ok")


urlpatterns = [path("bare/", bare), *site]
