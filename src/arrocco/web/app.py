"""The application: the office's pages in both languages, the API, the static files."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Router, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.response import Redirect

from arrocco import __version__
from arrocco.office.roles import Permission
from arrocco.web import failures, hall_app, heavy, operation_api
from arrocco.web.assets import Assets, static_file
from arrocco.web.bodies import BodyLimits
from arrocco.web.client_address import Proxies, RealAddress, is_from_proxy
from arrocco.web.cookies import CookieJar
from arrocco.web.guard import admit
from arrocco.web.headers import add_headers
from arrocco.web.http_metrics import ConnectionMetrics
from arrocco.web.http_protocol import HttpNumbers
from arrocco.web.language import LANGUAGE_COOKIE, preferred_language
from arrocco.web.methods import HeadAnswers
from arrocco.web.request_log import SHORT, RequestLog
from arrocco.web.routes import (
    ANONYMOUS,
    PERMISSION,
    UNCOMPRESSED,
    handlers_in,
    refuse_without_permission,
    route_table,
)
from arrocco.web.view import provide_form, provide_view
from arrocco.wiring.backups.scheduler import start_backups
from arrocco.wiring.hall.reader import HallReader
from arrocco.wiring.hall_people import who_asks
from arrocco.wiring.office import Office
from arrocco.wiring.operation.operation import Operation
from arrocco.wiring.operation.settings import OperationSettings
from arrocco.words import LANGUAGES

Life = Callable[[Litestar], AbstractAsyncContextManager[None]]
_TO_EVERYBODY = {PERMISSION: Permission.LOOK_UP, ANONYMOUS: True}


@get("/", opt=_TO_EVERYBODY, include_in_schema=False, sync_to_thread=False)
def front_door(request: Request[object, object, State]) -> Redirect:
    """Leads to the pages in the visitor's language."""
    language = preferred_language(
        request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", "")
    )
    headers = {"vary": "accept-language, cookie"}
    return Redirect(f"/{language}", status_code=302, headers=headers)


def create_app(
    office: Office, *, secure: bool, with_hall: bool = False, hall: HallReader | None = None,
    proxies: Proxies | None = None,
    settings: OperationSettings | None = None, logged_addresses: str = SHORT,
) -> Litestar:  # fmt: skip
    """The web application of an office; `secure` where the public reaches it over https.

    `proxies` are those that are believed when they say for whom they ask: none without it.
    `hall` is the playing hall that runs elsewhere. `with_hall` opens one in this process when the
    application starts and closes it when it ends.
    `settings` say who may watch and when there is an alarm, `logged_addresses` how much of a
    visitor's address the access log keeps.
    Raises `TypeError` when a handler names no permission: such an application must not start.
    """
    pages = handlers_in("arrocco.web.pages")
    operation, http = Operation(office.desk, settings), HttpNumbers()
    operation.pages.registry.register(ConnectionMetrics(http))
    lanes = heavy.Lanes()
    for name, queue in lanes.by_name().items():
        operation.pages.watch_queue(name, queue.waiting)
    app = Litestar(
        [front_door, static_file, *hall_app.HANDLERS, *operation_api.HANDLERS, *_routers(pages)],
        lifespan=_lives(office, with_hall=with_hall, has_hall=hall is not None),
        on_startup=[lanes.start_soon] if with_hall or hall is not None else [],
        on_shutdown=[lanes.close] if with_hall or hall is not None else [],
        guards=[admit],
        dependencies={
            "view": Provide(provide_view, sync_to_thread=True),
            "form": Provide(provide_form),
        },
        exception_handlers=failures.handlers(),
        before_send=[add_headers],
        middleware=[BodyLimits()],
        request_max_body_size=None,  # each route has its own
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1000, gzip_compress_level=5, exclude_opt_key=UNCOMPRESSED
        ),
        openapi_config=_openapi(),
        state=State({
            "office": office, "hall": hall, "live": None, "hall_damaged": None, "heavy": lanes,
            "assets": Assets(),
            "cookies": CookieJar(secure=secure), "operation": operation,
            "proxies": proxies or Proxies(), "http": http,
        }),
        logging_config=None,
        debug=False,
    )  # fmt: skip
    app.state.pages = frozenset(
        path[3:] or "/"
        for path, method, _ in route_table(app)
        if method == "GET" and path.startswith("/en")
    )
    refuse_without_permission(app)
    logged: Any = RequestLog(
        HeadAnswers(app.asgi_handler, app.routes), operation.pages, addresses=logged_addresses,
        address_of=_address_of, is_from_proxy=is_from_proxy,
    )  # fmt: skip
    app.asgi_handler = RealAddress(logged, app.state.proxies)
    logging.getLogger("arrocco.web").debug("%d pages", len(app.state.pages))
    return app


def _lives(office: Office, *, with_hall: bool, has_hall: bool) -> list[Life]:
    """What is opened before the application answers, and closed after it."""
    if with_hall:
        return [_backups_of(office), _hall_of(office), _watched]
    return [_backups_of(office), _watched] if has_hall else []


def _hall_of(office: Office) -> Life:
    """The playing hall of an office, in its time."""
    desk = office.desk
    return hall_app.hall_in(office.folder, desk.database, who_asks(office), desk.now)


@asynccontextmanager
async def _watched(app: Litestar) -> AsyncIterator[None]:
    """The watch of the site, from after its hall is open until before it is closed."""
    operation: Operation = app.state.operation
    hall: HallReader | None = app.state.hall
    operation.start(None if hall is None else hall.link)
    try:
        yield
    finally:
        operation.stop()


def _address_of(scope: Any) -> str:
    client = scope.get("client")
    return client[0] if client else ""


def _backups_of(office: Office) -> Life:
    """The backups that the environment asks for, as long as the application runs."""

    @asynccontextmanager
    async def made(app: Litestar) -> AsyncIterator[None]:
        scheduler = start_backups(office)
        try:
            yield
        finally:
            if scheduler is not None:
                await asyncio.to_thread(scheduler.close)

    return made


def _routers(pages: list[BaseRouteHandler]) -> list[Router]:
    made = [Router(f"/{language}", route_handlers=pages) for language in LANGUAGES]
    api = handlers_in("arrocco.web.api")
    return [*made, Router("/api/v1", route_handlers=api)] if api else made


def _openapi() -> OpenAPIConfig:
    router = Router("/api/v1/schema", route_handlers=[], opt=_TO_EVERYBODY)
    return OpenAPIConfig(
        title="Arrocco", version=__version__, use_handler_docstrings=True, openapi_router=router,
        render_plugins=[JsonRenderPlugin(path="/")],
    )  # fmt: skip
