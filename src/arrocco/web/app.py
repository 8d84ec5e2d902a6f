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
from arrocco.desk import Office
from arrocco.desk.mail_delivery import MailDelivery
from arrocco.desk.mail_settings import mail_settings_from
from arrocco.desk.webhooks import WebhookDelivery
from arrocco.live.reader import HallReader
from arrocco.office.roles import Permission
from arrocco.operation.backups.scheduler import start_backups
from arrocco.operation.operation import Operation
from arrocco.operation.settings import OperationSettings
from arrocco.operation.spool_worker import SpoolWorker
from arrocco.web import failures, hall_app, heavy, operation_api
from arrocco.web.assets import Assets, static_file
from arrocco.web.bodies import BodyLimits
from arrocco.web.client_address import Proxies, RealAddress, is_from_proxy
from arrocco.web.cookies import CookieJar
from arrocco.web.crest import colour_file, crest_file
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
from arrocco.web.tournament_games import Games
from arrocco.web.tournament_tables import KeptTables
from arrocco.web.view import provide_form, provide_view
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
    office: Office,
    *,
    secure: bool,
    with_hall: bool = False,
    hall: HallReader | None = None,
    proxies: Proxies | None = None,
    settings: OperationSettings | None = None,
    logged_addresses: str = SHORT,
) -> Litestar:
    """The web application of an office; `secure` where the public reaches it over https.

    `proxies` are those that are believed when they say for whom they ask: none without it.
    `hall` is the playing hall that runs elsewhere. `with_hall` opens one in this process when the
    application starts and closes it when it ends.
    `settings` say who may watch and when there is an alarm, `logged_addresses` how much of a
    visitor's address the access log keeps.
    Raises `TypeError` when a handler names no permission: such an application must not start.
    """
    app = routed(with_hall=with_hall, has_hall=hall is not None)
    furnish(
        app,
        office,
        secure=secure,
        hall=hall,
        proxies=proxies,
        settings=settings,
        logged_addresses=logged_addresses,
    )
    return app


def routed(*, with_hall: bool, has_hall: bool) -> Litestar:
    """The application with its routes, which are the same for every office, and without one."""
    is_served = with_hall or has_hall
    app = Litestar(
        [
            front_door,
            static_file,
            crest_file,
            colour_file,
            *hall_app.HANDLERS,
            *operation_api.HANDLERS,
            *_routers(handlers_in("arrocco.web.pages")),
        ],
        lifespan=_lives(with_hall=with_hall, has_hall=has_hall),
        on_startup=[_start_heavy_work] if is_served else [],
        on_shutdown=[_end_heavy_work] if is_served else [],
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
        logging_config=None,
        debug=False,
    )
    refuse_without_permission(app)
    return app


def furnish(
    app: Litestar,
    office: Office,
    *,
    secure: bool,
    hall: HallReader | None = None,
    proxies: Proxies | None = None,
    settings: OperationSettings | None = None,
    logged_addresses: str = SHORT,
) -> None:
    """Gives routes the office they are about, and what is kept, counted and logged beside it."""
    operation, http = Operation(office.desk, settings), HttpNumbers()
    operation.pages.registry.register(ConnectionMetrics(http))
    lanes = heavy.Lanes()
    for name, queue in lanes.by_name().items():
        operation.pages.watch_queue(name, queue.waiting)
    app.state = State(
        {
            "office": office,
            "hall": hall,
            "live": None,
            "hall_damaged": None,
            "heavy": lanes,
            "tables": KeptTables(),
            "games": Games(office),
            "assets": Assets(),
            "video": None,
            "video_places": {},
            "cookies": CookieJar(secure=secure),
            "operation": operation,
            "proxies": proxies or Proxies(),
            "http": http,
            "mail": MailDelivery(office.desk, mail_settings_from()),
        }
    )
    app.state.pages = frozenset(
        path[3:] or "/"
        for path, method, _ in route_table(app)
        if method == "GET" and path.startswith("/en")
    )
    logged: Any = RequestLog(
        HeadAnswers(app.asgi_handler, app.routes),
        operation.pages,
        addresses=logged_addresses,
        address_of=_address_of,
        is_from_proxy=is_from_proxy,
    )
    app.asgi_handler = RealAddress(logged, app.state.proxies)
    logging.getLogger("arrocco.web").debug("%d pages", len(app.state.pages))


def _start_heavy_work(app: Litestar) -> None:
    app.state.heavy.start_soon()


def _end_heavy_work(app: Litestar) -> None:
    app.state.heavy.close()


def _lives(*, with_hall: bool, has_hall: bool) -> list[Life]:
    """What is opened before the application answers, and closed after it."""
    if with_hall:
        return [_backups, _spools_of, hall_app.hall_of_app, _watched]
    return [_backups, _spools_of, _watched] if has_hall else []


@asynccontextmanager
async def _spools_of(app: Litestar) -> AsyncIterator[None]:
    """The worker that sends mail and calls programs, as long as the application runs."""
    worker = SpoolWorker([app.state.mail, WebhookDelivery(app.state.office.desk)])
    worker.start()
    try:
        yield
    finally:
        await asyncio.to_thread(worker.close)


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


@asynccontextmanager
async def _backups(app: Litestar) -> AsyncIterator[None]:
    """The backups that the environment asks for, as long as the application runs."""
    scheduler = start_backups(app.state.office)
    try:
        yield
    finally:
        if scheduler is not None:
            await asyncio.to_thread(scheduler.close)


def _routers(pages: list[BaseRouteHandler]) -> list[Router]:
    made = [Router(f"/{language}", route_handlers=pages) for language in LANGUAGES]
    api = handlers_in("arrocco.web.api")
    return [*made, Router("/api/v1", route_handlers=api)] if api else made


def _openapi() -> OpenAPIConfig:
    router = Router("/api/v1/schema", route_handlers=[], opt=_TO_EVERYBODY)
    return OpenAPIConfig(
        title="Arrocco",
        version=__version__,
        use_handler_docstrings=True,
        openapi_router=router,
        render_plugins=[JsonRenderPlugin(path="/")],
    )
