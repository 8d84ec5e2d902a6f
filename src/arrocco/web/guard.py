"""The one guard before every handler: who asks, whether they may, and whether they meant to.

In this order: the account of the session, the permission the handler names, then the form's token
(which means reading the body, so it comes last). Whether the asker may do it *to this subject* is
for the office to say, which knows the subject.
"""

from __future__ import annotations

from typing import Any, NoReturn

from anyio import to_thread
from litestar import Request, WebSocket
from litestar.connection import ASGIConnection
from litestar.exceptions import ClientException, NotFoundException
from litestar.handlers import BaseRouteHandler
from msgspec.structs import replace

from arrocco.desk import Office
from arrocco.desk.account_parts import NotLoggedIn
from arrocco.errors import Refusal, Unavailable
from arrocco.office.roles import Asker, Permission, forbidden, may
from arrocco.operation.log_context import add_to_log_context
from arrocco.web.command_rate import rates_of
from arrocco.web.cookies import CookieJar, form_token_fits
from arrocco.web.form_data import form_data
from arrocco.web.request_log import route_of
from arrocco.web.routes import ANONYMOUS, COMMANDS, PERMISSION

ASKER = "arrocco_asker"
TOKEN_FIELD = "form_token"
TOKEN_HEADER = "x-form-token"
LARGEST_NUMBER = 2**63 - 1
MAX_QUERY = 8192
"""Bytes of the query of an address: links of a page repeat it, so a long one multiplies."""
_MAX_KEY = 200
_SAFE = {"GET", "HEAD", "OPTIONS"}


class LogInFirst(Exception):
    """The public asked for what needs an account."""


class SetUpFactorFirst(Exception):
    """The office asks this role for a second factor, and the account has none."""


class NotMeant(Refusal):
    """A request that changes something does not come from a page of this site."""

    http_status = 403


class QueryTooLong(Refusal):
    """An address has a longer query than any page of this site writes."""

    http_status = 414


async def admit(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Lets a request through to its handler or raises why not."""
    add_to_log_context(route=route_of(connection.scope))
    _check_address(connection)
    if connection.scope.get("method") == "OPTIONS":  # it only tells which methods there are
        connection.state[ASKER] = Asker()
        return
    if handler.opt.get(ANONYMOUS):
        connection.state[ASKER] = Asker()
        return
    asker = await to_thread.run_sync(asker_of, connection)
    connection.state[ASKER] = asker
    permission: Permission = handler.opt[PERMISSION]
    if not may(asker, permission):
        if asker.account is None:
            raise LogInFirst
        if asker.lacks_factor and may(replace(asker, lacks_factor=False), permission):
            raise SetUpFactorFirst
        await _forbid(connection, asker, permission)
    if asker.only is not None and handler.opt.get(COMMANDS):
        # Each scope lets a program see its owner's account, which is all that the hall asks for:
        # who plays, judges or organises there is a person, and no key was made for that.
        await _forbid(connection, asker, permission)
    # No browser sends the key of a program by itself: a request that has one was meant.
    if isinstance(connection, Request) and connection.method not in _SAFE and asker.only is None:
        try:
            await _check_meant(connection)
        except NotMeant as refusal:
            if asker.account is not None:
                await _note(connection, asker, permission, refusal)
            raise
        if handler.opt.get(COMMANDS) and asker.account is not None:
            rates_of(connection.app.state).take(asker.account)
    if isinstance(connection, WebSocket):
        _check_origin(connection)


def _check_address(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """A number or a character in an address that no database can hold names nothing there is."""
    for value in connection.path_params.values():
        if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            raise NotFoundException
        if isinstance(value, str) and "\0" in value:
            raise NotFoundException
    query = connection.scope["query_string"]
    if len(query) > MAX_QUERY:
        raise QueryTooLong.of("web.refused.query_too_long", given=len(query), most=MAX_QUERY)
    if b"%00" in query:
        raise ClientException


async def _forbid(
    connection: ASGIConnection[Any, Any, Any, Any], asker: Asker, permission: Permission
) -> NoReturn:
    refusal = forbidden(asker, permission)
    await _note(connection, asker, permission, refusal)
    raise refusal


async def _note(
    connection: ASGIConnection[Any, Any, Any, Any],
    asker: Asker,
    permission: Permission,
    refusal: Refusal,
) -> None:
    """Writes down what somebody with an account tried and may not; strangers fill no log."""
    audit = connection.app.state.office.audit
    await to_thread.run_sync(audit.note, asker, permission.value, connection.url.path, refusal)


def asker_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Asker:
    """The account whose session the request carries; the public without one."""
    if (known := connection.state.get(ASKER)) is not None:
        return known  # type: ignore[no-any-return]
    address = connection.client.host if connection.client else ""
    if (key := _key_of(connection)) is not None:
        return _program(connection, key, address)
    jar: CookieJar = connection.app.state.cookies
    office: Office = connection.app.state.office
    token = connection.cookies.get(jar.session, "")
    try:
        return office.accounts.asker_of(token, address) if token else Asker(address=address)
    except Unavailable:  # nobody is signed out by a fault of the server
        raise
    except Refusal:  # the session is over: what needs an account will say so
        return Asker(address=address)


def _program(connection: ASGIConnection[Any, Any, Any, Any], key: str, address: str) -> Asker:
    """In whose name a program asks. Raises `NotLoggedIn`, which is then told to nobody known."""
    office: Office = connection.app.state.office
    try:
        return office.api_keys.asker_of(key, address)
    except NotLoggedIn:
        connection.state[ASKER] = Asker(address=address)
        raise


def _key_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The key of a program that asks the API; pages take none."""
    if not connection.url.path.startswith("/api/"):
        return None
    scheme, _, key = connection.headers.get("authorization", "").partition(" ")
    return key.strip()[:_MAX_KEY] if scheme.lower() == "bearer" else None


async def _check_meant(request: Request[Any, Any, Any]) -> None:
    jar: CookieJar = request.app.state.cookies
    # Parsed here for the handler too: what the framework would do in the event loop, a thread does.
    given = (await form_data(request)).get(TOKEN_FIELD, [""])[0]
    token = request.headers.get(TOKEN_HEADER) or (given if isinstance(given, str) else "")
    cookie = request.cookies.get(jar.session) or request.cookies.get(jar.visit, "")
    foreign = request.headers.get("sec-fetch-site", "same-origin") == "cross-site"
    if foreign or not form_token_fits(token, cookie):
        raise NotMeant.of("web.refused.not_meant")


def _check_origin(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """A browser names the page that opens a socket; another site's page may not."""
    origin = connection.headers.get("origin", "")
    if origin and origin.partition("://")[2] != connection.headers.get("host", ""):
        raise NotMeant.of("web.refused.not_meant")
