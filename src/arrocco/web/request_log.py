"""Around every request: its id, its line in the access log, its place in the numbers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from ipaddress import ip_address, ip_network
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from arrocco.operation.log_context import is_sane_id, log_context, new_request_id
from arrocco.operation.logs import ACCESS
from arrocco.operation.metrics import UNMATCHED, PageNumbers
from arrocco.web.language import language_of_path

access = logging.getLogger(ACCESS)
HEADER = b"x-request-id"
_QUIET = frozenset({"/health", "/ready", "/metrics"})
"""What watches ask every few seconds: only what goes wrong is worth a line."""
_MAX_PATH = 200
_OPENED, _REFUSED = 101, 403
WHOLE, SHORT, NONE = "whole", "short", "none"
ADDRESSES = (WHOLE, SHORT, NONE)
"""How much of a visitor's address the access log keeps."""


class RequestLog:
    """Wraps an application."""

    def __init__(
        self,
        app: ASGIApp,
        pages: PageNumbers,
        *,
        addresses: str = SHORT,
        address_of: Callable[[Any], str],
        is_from_proxy: Callable[[Any], bool],
    ) -> None:
        """`is_from_proxy` tells whether a request came by way of a proxy that is trusted."""
        self._app, self._pages, self._addresses = app, pages, addresses
        self._address_of, self._is_from_proxy = address_of, is_from_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request_id = self._id_of(scope)
        answer = _Answer(send, request_id)
        began = time.perf_counter()
        with log_context(request_id=request_id), self._under_way(scope):
            try:
                await self._app(scope, receive, answer)
            except BaseException:
                answer.status = answer.status or 500
                raise
            finally:
                seconds = time.perf_counter() - began
                self._count(scope, answer.status, seconds)
                if access.isEnabledFor(logging.INFO):
                    self._write(scope, answer, seconds)

    def _under_way(self, scope: Any) -> AbstractContextManager[Any]:
        is_page = scope["type"] == "http"  # a socket is open for hours
        return self._pages.under_way() if is_page else nullcontext()

    def _id_of(self, scope: Scope) -> str:
        if self._is_from_proxy(scope):
            given = next((v for name, v in scope["headers"] if name == HEADER), b"")
            text = given.decode("latin-1")
            if is_sane_id(text):
                return text
        return new_request_id()

    def _count(self, scope: Any, status: int, seconds: float) -> None:
        if scope["type"] == "http":
            self._pages.count(route_of(scope), scope["method"], status, seconds)

    def _write(self, scope: Any, answer: _Answer, seconds: float) -> None:
        route = route_of(scope)
        if route in _QUIET and answer.status == 200:
            return
        fields = {
            "method": scope.get("method", "WS"),
            "route": route,
            "path": scope["path"][:_MAX_PATH],  # never the query: it may hold a token
            "status": answer.status,
            "bytes": answer.bytes,
            "ms": round(seconds * 1000, 1),
        }
        if self._addresses != NONE:
            fields["address"] = shown_address(self._address_of(scope), self._addresses)
        access.info("%s %s", fields["method"], route, extra=fields)


class _Answer:
    """Sends on what the application sends, with the id of the request, and counts it."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send, self._id = send, request_id.encode()
        self.status = self.bytes = 0

    async def __call__(self, message: Message) -> None:
        kind = message["type"]
        if kind == "http.response.start":
            self.status = message["status"]  # type: ignore[typeddict-item]
            sent: Any = message.get("headers", [])
            headers = [header for header in sent if header[0].lower() != HEADER]
            message["headers"] = [*headers, (HEADER, self._id)]  # type: ignore[typeddict-unknown-key]
        elif kind == "http.response.body":
            self.bytes += len(message.get("body", b""))  # type: ignore[arg-type]
        elif kind == "websocket.accept":
            self.status = _OPENED
        elif kind == "websocket.close" and not self.status:
            self.status = _REFUSED
        await self._send(message)


def route_of(scope: Any) -> str:
    """The template of the route that took a request, the same in both languages."""
    template = str(scope.get("path_template") or "")
    if not template:
        return UNMATCHED
    return f"/{{language}}{template[3:]}" if language_of_path(template) else template


def shown_address(address: str, how: str) -> str:
    """An address as the log keeps it: whole, or the network it belongs to."""
    if how == WHOLE:
        return address
    try:
        bits = 24 if ip_address(address).version == 4 else 48
        return str(ip_network(f"{address}/{bits}", strict=False).network_address)
    except ValueError:
        return ""
