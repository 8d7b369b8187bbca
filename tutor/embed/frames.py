"""What is answered under /embed/ may stand in any site's frame: what is wrong there too is said in the frame,
where a browser would else show nothing, or a mistake of the other site's."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

ADDRESSES = "/embed/"
_LEAVING = re.compile(rb'<a (?=[^>]*href="/)')


class Frames:
    """Middleware next to the views: whatever answers there, a page or an error, may be framed.

    Links that leave it open beside it, for no other page may stand in the frame.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path.startswith(ADDRESSES):
            # How the middleware for either header is told of an exception by its own decorators.
            response.xframe_options_exempt = True
            response._csp_replace = {"frame-ancestors": ["*"]}  # type: ignore[attr-defined]
            response.content = _LEAVING.sub(b'<a target="_blank" rel="noopener" ', response.content)
        return response
