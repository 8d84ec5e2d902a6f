"""HEAD for every page: what GET would answer, without the body; and which methods there are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

_OF_ROUTE = ("route_handler", "path_template", "path_params", "path", "state")


class HeadAnswers:
    """An application that answers HEAD wherever it answers GET."""

    def __init__(self, app: ASGIApp, routes: Iterable[BaseRoute]) -> None:
        self._app = app
        self._methods: dict[str, set[str]] = {}
        for route in routes:
            if isinstance(route, HTTPRoute):
                methods = {str(m) for handler in route.route_handlers for m in handler.http_methods}
                self._methods.setdefault(route.path_format, set()).update(methods)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told: Any = scope
        if told["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_head = told["method"] == "HEAD"
        # A copy: the server drops the body of an answer by the method of the scope it made.
        asked: Any = {**told, "method": "GET"} if is_head else told

        async def answer(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = self._methods.get(asked.get("path_template", ""), set())
                message["headers"] = [
                    _with_head(name, value, own) for name, value in message.get("headers", ())
                ]
            elif is_head:
                if message.get("more_body", False):
                    return
                message = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(message)

        try:
            await self._app(asked, receive, answer)
        finally:
            if is_head:
                told.update({name: asked[name] for name in _OF_ROUTE if name in asked})


def _with_head(name: bytes, value: bytes, own: set[str]) -> tuple[bytes, bytes]:
    """A header; the one that names the methods of a route names all, and HEAD beside GET.

    The framework's own answer to OPTIONS leaves those out that were added to a path later.
    """
    if name.lower() != b"allow":
        return name, value
    methods = {method.strip() for method in value.decode("latin-1").split(",")} | own | {"OPTIONS"}
    if "GET" in methods:
        methods.add("HEAD")
    return name, ", ".join(sorted(methods)).encode("latin-1")
