"""How much a request may carry: every route has its own limit, held while the body arrives.

The limit stands in the handler's `opt`. A body whose length is announced is refused before any of
it is read; one that hides its length, as soon as it is too long. That comes before the guard and
before any form is parsed, so nobody's form is larger than the page it belongs to needs.
"""

from __future__ import annotations

import sys
from typing import Any

from anyio import to_thread
from litestar import Request
from litestar.enums import ScopeType
from litestar.exceptions import ClientException
from litestar.handlers import BaseRouteHandler
from litestar.middleware import ASGIMiddleware
from litestar.status_codes import HTTP_413_REQUEST_ENTITY_TOO_LARGE
from litestar.types import ASGIApp, HTTPReceiveMessage, Receive, Scope, Send

from arrocco.web.form_data import close_form
from arrocco.web.guard import ASKER, asker_of
from arrocco.web.routes import BODY_LIMIT, FORM_BYTES

_WITHOUT_BODY = {"GET", "HEAD", "OPTIONS"}
_MAX_DIGITS = 18


class BodyTooLarge(ClientException):
    """A request carries more than its route takes."""

    status_code = HTTP_413_REQUEST_ENTITY_TOO_LARGE

    def __init__(self, limit: int) -> None:
        super().__init__(extra={"limit": limit})
        self.limit = limit


def body_limit(handler: BaseRouteHandler, method: str) -> int:
    """The bytes a request to a route may carry; none where nothing is sent."""
    if method in _WITHOUT_BODY:
        return 0
    limit: int = handler.opt.get(BODY_LIMIT, FORM_BYTES)
    return limit


def size_text(size: int) -> str:
    """A number of bytes as people write it."""
    if size >= 1 << 20:
        return f"{size >> 20} MB"
    return f"{size >> 10} KB"


class BodyLimits(ASGIMiddleware):
    """Holds every HTTP request to the limit of its route; takes away what its form left."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        limit = body_limit(scope["route_handler"], str(scope.get("method")))
        if announced_length(scope) > limit:
            await _find_asker(scope)
            raise BodyTooLarge(limit)
        taken, is_whole = 0, False

        async def counted() -> HTTPReceiveMessage:
            nonlocal taken, is_whole
            message: Any = await receive()
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                is_whole = not message.get("more_body", False)
                if taken > limit:
                    await _find_asker(scope)
                    raise BodyTooLarge(limit)
            elif not is_whole:  # gone in the middle: nobody's defect, and nobody hears the answer
                raise ClientException("the client is gone")
            return message  # type: ignore[no-any-return]

        try:
            await next_app(scope, counted, send)
        finally:
            close_form(scope)


def announced_length(scope: Scope) -> int:
    """The length a request says it has; none where it does not say."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            if not value.isdigit():
                raise ClientException("Invalid content-length")
            return int(value) if len(value) < _MAX_DIGITS else sys.maxsize
    return 0


async def _find_asker(scope: Scope) -> None:
    """Looks up who asks in a thread, for the page that refuses: it is made in the event loop."""
    request = Request[Any, Any, Any](scope)
    if request.state.get(ASKER) is None:
        request.state[ASKER] = await to_thread.run_sync(asker_of, request)
