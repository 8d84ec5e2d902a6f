"""`/health`, `/ready` and `/metrics`: what watches a server from outside asks, in no language.

Everybody may ask whether the site lives and is ready. Why it is not, and the numbers, are for
whoever runs it: from an address or with a token that the settings name, or as its administrator.
"""

from __future__ import annotations

import hmac
from typing import Any

from anyio import to_thread
from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler

from arrocco.errors import Refusal
from arrocco.office.roles import Permission, may
from arrocco.operation.metrics import CONTENT_TYPE
from arrocco.operation.observation import Observation
from arrocco.operation.operation import Operation
from arrocco.web.guard import ASKER, asker_of
from arrocco.web.routes import ANONYMOUS, PERMISSION, UNCOMPRESSED

PATHS = frozenset({"/health", "/ready", "/metrics"})
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
_OPT = {PERMISSION: Permission.LOOK_UP, ANONYMOUS: True, UNCOMPRESSED: True}

AnyRequest = Request[Any, Any, Any]


@get("/health", opt=_OPT, include_in_schema=False, sync_to_thread=False)
def health() -> dict[str, str]:
    """The process lives and its loop turns; nothing else is asked."""
    return {"status": "alive"}


@get("/ready", opt=_OPT, include_in_schema=False)
async def ready(request: AnyRequest) -> Response[dict[str, Any]]:
    """Whether the site can do its work: 200, or 503 and what is wrong for whoever runs it."""
    operation = _operation(request)
    try:
        seen = await operation.observe()
    except TimeoutError:
        seen = None
    body: dict[str, Any] = {"ready": seen is not None and seen.is_ready}
    if await _is_operator(request):
        body |= _details(operation, seen)
    return Response(body, status_code=200 if body["ready"] else 503)


@get("/metrics", opt=_OPT, include_in_schema=False)
async def metrics(request: AnyRequest) -> Response[bytes]:
    """All numbers for Prometheus; to strangers there is no such page."""
    if not _is_trusted(request):
        raise NotFoundException
    return Response(await _operation(request).metrics(), media_type=CONTENT_TYPE)


HANDLERS: list[BaseRouteHandler] = [health, ready, metrics]


def _details(operation: Operation, seen: Observation | None) -> dict[str, Any]:
    if seen is None:
        return {"checks": {"watch": "no answer"}}
    return {
        "checks": {name: "ok" if held else seen.failed[name] for name, held in seen.checks.items()},
        "alarms": [alarm.key for alarm in operation.watch.alarms],
    }


def _operation(request: AnyRequest) -> Operation:
    operation: Operation = request.app.state.operation
    return operation


def _is_trusted(request: AnyRequest) -> bool:
    """Whether a request has the token, or comes straight from an address that is allowed.

    What came by way of a proxy has its sender's address in a header: who sent it is then not the
    neighbour that the connection shows.
    """
    settings = _operation(request).settings
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if settings.metrics_token and kind.lower() == "bearer":
        return hmac.compare_digest(token.strip().encode(), settings.metrics_token.encode())
    if any(name in request.headers for name in _FORWARDED):
        return False
    return settings.allows(request.client.host if request.client else "")


async def _is_operator(request: AnyRequest) -> bool:
    """The same, or an administrator who is logged in."""
    if _is_trusted(request):
        return True
    jar = request.app.state.cookies
    if not request.cookies.get(jar.session):
        return False
    request.state[ASKER] = None  # so that the session is asked
    try:
        asker = await to_thread.run_sync(asker_of, request)
    except (Refusal, OSError):  # the database does not say who asks
        return False
    return may(asker, Permission.SEE_OPERATION)
