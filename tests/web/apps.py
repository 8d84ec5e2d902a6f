"""Applications of offices for tests, each in milliseconds: their routes are made once."""

from __future__ import annotations

from copy import copy
from functools import cache

from litestar import Litestar
from litestar.events import SimpleEventEmitter

from arrocco.desk import Office
from arrocco.operation.settings import OperationSettings
from arrocco.web.app import furnish, routed
from arrocco.web.client_address import Proxies


def app_of(
    office: Office,
    *,
    secure: bool = False,
    with_hall: bool = False,
    proxies: Proxies | None = None,
    settings: OperationSettings | None = None,
) -> Litestar:
    """What `create_app` makes of an office; only the routes are shared."""
    app = copy(_routes(with_hall))
    app.asgi_router = copy(app.asgi_router)
    app.asgi_router.app = app  # whose life it is that begins and ends
    app.event_emitter = SimpleEventEmitter([])  # it belongs to one event loop
    furnish(app, office, secure=secure, proxies=proxies, settings=settings)
    return app


@cache
def _routes(with_hall: bool) -> Litestar:
    """Five hundred routes in two languages: half a second of work, a thousand times."""
    return routed(with_hall=with_hall, has_hall=False)
