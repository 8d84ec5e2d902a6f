"""How a handler comes into the route table: with its permission, or not at all.

`page` answers GET with a page, `act` answers POST with what a form asks, `api` answers with JSON.
Each names the `Permission` that the guard asks for before anything of the request is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from litestar import Litestar, get, post
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.routes import HTTPRoute

from arrocco.office.roles import Permission

PERMISSION = "permission"
ANONYMOUS = "anonymous"
"""A handler that gives everybody the same needs no look at who asks: files and schemas."""

UNCOMPRESSED = "uncompressed"
"""A handler that sends files as they are: another encoding would have another length and parts."""

BODY_LIMIT = "body_limit"
"""The option of a handler that names how many bytes a request to it may carry."""
FORM_BYTES = 64 * 1024
"""What a form without a file may carry; also any route that does not say otherwise."""

COMMANDS = "commands"
"""A handler that gives the hall commands, of which an account may give only so many."""

Handler = Callable[..., Any]
_METHODS_OF_ALL = {"OPTIONS"}
"""Litestar answers these itself: they only tell which methods there are."""


def page(
    path: str, *, permission: Permission, **options: Any
) -> Callable[[Handler], HTTPRouteHandler]:
    """A page, under ``/en`` and ``/it``; the function runs in a thread and gets `view`."""
    return get(
        path, opt={PERMISSION: permission}, include_in_schema=False, sync_to_thread=True, **options
    )


def act(
    path: str, *, permission: Permission, body_limit: int = FORM_BYTES, **options: Any
) -> Callable[[Handler], HTTPRouteHandler]:
    """What a form asks for; the function gets `view` and `form`, and answers with `view.go`.

    A form with a file names its `body_limit` in bytes.
    """
    return post(
        path,
        opt={PERMISSION: permission, BODY_LIMIT: body_limit},
        include_in_schema=False,
        sync_to_thread=True,
        status_code=200,
        **options,
    )


def waiting_page(
    path: str, *, permission: Permission, **options: Any
) -> Callable[[Handler], HTTPRouteHandler]:
    """A page whose function is asynchronous: it waits for heavy work without taking a thread."""
    return get(path, opt={PERMISSION: permission}, include_in_schema=False, **options)


def heavy_act(
    path: str, *, permission: Permission, body_limit: int = FORM_BYTES, **options: Any
) -> Callable[[Handler], HTTPRouteHandler]:
    """What a form asks for where it is heavy work: the function is asynchronous."""
    return post(
        path,
        opt={PERMISSION: permission, BODY_LIMIT: body_limit},
        include_in_schema=False,
        status_code=200,
        **options,
    )


def heavy_api_act(
    path: str, *, permission: Permission, body_limit: int = FORM_BYTES, **options: Any
) -> Callable[[Handler], HTTPRouteHandler]:
    """A JSON answer to a request with heavy work: the function is asynchronous."""
    opt = {PERMISSION: permission, BODY_LIMIT: body_limit}
    return post(path, opt=opt, status_code=200, **options)


def heavy_api(
    path: str, *, permission: Permission, **options: Any
) -> Callable[[Handler], HTTPRouteHandler]:
    """A JSON answer where it may be heavy work: the function is asynchronous."""
    return get(path, opt={PERMISSION: permission}, **options)


def api(
    path: str, *, permission: Permission, **options: Any
) -> Callable[[Handler], HTTPRouteHandler]:
    """A JSON answer under ``/api/v1``, described in the schema by the types of the function."""
    return get(path, opt={PERMISSION: permission}, sync_to_thread=True, **options)


def api_act(
    path: str, *, permission: Permission, body_limit: int = FORM_BYTES, **options: Any
) -> Callable[[Handler], HTTPRouteHandler]:
    """A JSON answer under ``/api/v1`` to a request that changes something."""
    opt = {PERMISSION: permission, BODY_LIMIT: body_limit}
    return post(path, opt=opt, sync_to_thread=True, status_code=200, **options)


def handlers_in(package: str) -> list[BaseRouteHandler]:
    """All handlers of the modules of a package, in the order of the modules' names."""
    base_route_handlers: list[BaseRouteHandler] = []
    folder = import_module(package)
    for module in sorted(info.name for info in iter_modules(folder.__path__)):
        base_route_handlers.extend(
            value
            for value in vars(import_module(f"{package}.{module}")).values()
            if isinstance(value, BaseRouteHandler)
        )
    return base_route_handlers


def route_table(app: Litestar) -> Iterator[tuple[str, str, BaseRouteHandler]]:
    """Every path with its method and handler; websockets have the method ``WS``."""
    for route in app.routes:
        handlers = route.route_handlers if isinstance(route, HTTPRoute) else [route.route_handler]
        for handler in handlers:
            for method in sorted(getattr(handler, "http_methods", None) or {"WS"}):
                if method not in _METHODS_OF_ALL:
                    yield route.path, method, handler


def refuse_without_permission(app: Litestar) -> None:
    """Raises `TypeError` for a handler that names no permission: the application must not start."""
    for path, method, handler in route_table(app):
        if not isinstance(handler.opt.get(PERMISSION), Permission):
            raise TypeError(f"{method} {path} ({handler}) names no permission")
