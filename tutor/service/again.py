"""Pages asked for again: where nothing has changed, a browser is told so and gets no page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.utils.cache import patch_vary_headers

from tutor.front import tiles


class AskedAgain(ConditionalGetMiddleware):
    """Middleware, before a page is compressed: an ETag to each that may be kept, and 304 to whoever has it.

    That answer varies by what the page itself varies by, compressed or not, and by the cookie
    where it shows tiles as somebody wants them. A part that htmx asks for is new.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The page with its ETag, or that it is still the same."""
        if getattr(request, tiles.ASKED, False):
            patch_vary_headers(response, ["Cookie"])
        if request.headers.get("HX-Request"):
            return response
        if self.needs_etag(response):
            patch_vary_headers(response, ["Accept-Encoding"])
        return super().process_response(request, response)
