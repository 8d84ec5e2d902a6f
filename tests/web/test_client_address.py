"""Where requests come from: proxies that are named are believed, and nobody else."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.errors import Inconsistent
from arrocco.office.roles import Role
from arrocco.web.client_address import FORWARDED, Proxies, RealAddress, is_from_proxy
from tests.web.apps import app_of
from tests.web.conftest import Browser, Client
from tests.web.offices import PASSWORD, email_of
from tests.web.visits import posted

PROXY, INNER, CLIENT = "10.0.0.1", "10.0.0.2", "203.0.113.5"
LOG_IN = "/en/log-in"
TRUSTED = Proxies(["10.0.0.0/8", "fd00::/8"])


def real(peer: str, proxies: Proxies = TRUSTED, **headers: str | list[str]) -> tuple[str, str]:
    lines = [
        (name.replace("_", "-").encode(), line.encode())
        for name, lines in headers.items()
        for line in ([lines] if isinstance(lines, str) else lines)
    ]
    return proxies.real(peer, lines)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, (PROXY, "")),
        ({"x_forwarded_for": CLIENT}, (CLIENT, "")),
        ({"x_forwarded_for": CLIENT, "x_forwarded_proto": "https"}, (CLIENT, "https")),
        ({"x_forwarded_for": CLIENT, "x_forwarded_proto": "javascript"}, (CLIENT, "")),
        ({"x_forwarded_for": f"{CLIENT}:4711"}, (CLIENT, "")),
        ({"x_forwarded_for": f"6.6.6.6, {CLIENT}"}, (CLIENT, "")),
        ({"x_forwarded_for": f"6.6.6.6, {CLIENT}, {INNER}"}, (CLIENT, "")),
        ({"x_forwarded_for": ["6.6.6.6", f"{CLIENT}", INNER]}, (CLIENT, "")),
        ({"x_forwarded_for": INNER}, (INNER, "")),
        ({"x_forwarded_for": "2001:db8::1"}, ("2001:db8::1", "")),
        ({"x_forwarded_for": "[2001:db8::1]:80"}, ("2001:db8::1", "")),
        ({"x_forwarded_for": "::ffff:203.0.113.5"}, (CLIENT, "")),
        ({"x_forwarded_for": f"{CLIENT}, nonsense"}, (PROXY, "")),
        ({"x_forwarded_for": f"{CLIENT}, unknown, {INNER}"}, (INNER, "")),
        ({"x_forwarded_for": ""}, (PROXY, "")),
        ({"x_forwarded_for": "9" * 60_000}, (PROXY, "")),
        ({"x_forwarded_for": "6.6.6.6," * 5000 + CLIENT}, (CLIENT, "")),
        ({"forwarded": f"for={CLIENT};proto=https;by={PROXY}"}, (CLIENT, "https")),
        ({"forwarded": f'for="{CLIENT}:4711"'}, (CLIENT, "")),
        ({"forwarded": 'For="[2001:db8::1]:4711"; Proto=HTTPS'}, ("2001:db8::1", "https")),
        ({"forwarded": f"for=6.6.6.6, for={CLIENT};proto=http, for={INNER}"}, (CLIENT, "http")),
        ({"forwarded": "for=_hidden"}, (PROXY, "")),
        ({"forwarded": "for=unknown, for=;;;==,,"}, (PROXY, "")),
        # A proxy that writes one header hands the other on as a stranger wrote it.
        ({"x_forwarded_for": CLIENT, "forwarded": "for=6.6.6.6"}, (CLIENT, "")),
    ],
)
def test_a_trusted_proxy_says_for_whom_it_asks(
    headers: dict[str, Any], expected: tuple[str, str]
) -> None:
    assert real(PROXY, **headers) == expected


def test_nobody_else_is_believed() -> None:
    headers: dict[str, Any] = {
        "x_forwarded_for": "6.6.6.6",
        "forwarded": "for=6.6.6.6",
        "x_forwarded_proto": "https",
    }
    assert real(CLIENT, **headers) == (CLIENT, "")
    assert real("127.0.0.1", Proxies(), **headers) == ("127.0.0.1", "")
    assert real("testclient", **headers) == ("testclient", "")
    assert real("::ffff:10.0.0.9", x_forwarded_for=CLIENT) == (CLIENT, "")
    assert real("fd00::1", x_forwarded_for=CLIENT) == (CLIENT, "")


def test_the_operator_says_which_header_the_proxies_write() -> None:
    proxies = Proxies([PROXY], FORWARDED)
    headers: dict[str, Any] = {"x_forwarded_for": "6.6.6.6", "forwarded": f"for={CLIENT}"}
    assert real(PROXY, proxies, **headers) == (CLIENT, "")


@pytest.mark.parametrize("one", [" ", "a", 'a="\\\\', "a=b;"])
def test_what_a_stranger_wrote_before_a_proxy_costs_nothing(one: str) -> None:
    """60 KB of blanks stopped the loop that asks, in the site as in the hall, for a minute."""
    proxies = Proxies([PROXY], FORWARDED)
    said = one * (60_000 // len(one))
    began = time.thread_time()
    assert real(PROXY, proxies, forwarded=f"{said}, for={CLIENT}") == (CLIENT, "")
    assert real(PROXY, proxies, forwarded=f"for={CLIENT}, {said}") == (PROXY, "")
    assert time.thread_time() - began < 0.5


@pytest.mark.parametrize("text", ["", "proxy.example.org", "10.0.0.0/99", "1.2.3"])
def test_what_is_no_network_is_refused(text: str) -> None:
    with pytest.raises(Inconsistent) as refused:
        Proxies([text])
    assert refused.value.key == "web.refused.proxy"


@pytest.mark.parametrize(("kind", "scheme"), [("http", "https"), ("websocket", "wss")])
def test_scopes_of_pages_and_sockets_tell_it(kind: str, scheme: str) -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    headers = [(b"x-forwarded-for", CLIENT.encode()), (b"x-forwarded-proto", b"https")]
    scope = {"type": kind, "client": (PROXY, 5), "scheme": kind, "headers": headers}
    wrapped: Any = RealAddress(app, TRUSTED)
    anyio.run(wrapped, scope, None, None)
    anyio.run(wrapped, {"type": "lifespan"}, None, None)
    anyio.run(wrapped, {"type": kind, "client": None, "headers": headers}, None, None)
    assert (seen[0]["client"], seen[0]["scheme"]) == ((CLIENT, 5), scheme)
    assert is_from_proxy(seen[0])
    assert seen[2]["client"] is None


@pytest.fixture
def visit(office: Office, browser: Browser) -> Callable[[str, str], Client]:
    """Makes browsers that connect from an address and say for whom they ask."""
    app = app_of(office, proxies=TRUSTED)
    inner: Any = app.asgi_handler
    peers: dict[str, str] = {}

    async def connected(scope: Any, receive: Any, send: Any) -> None:
        told = dict(scope["headers"]).get(b"x-forwarded-for", b"").decode()
        scope["client"] = (peers[told], 1)
        await inner(scope, receive, send)

    app.asgi_handler = connected

    def made(peer: str, forwarded: str) -> Client:
        opened = browser(app=app)
        opened.headers["x-forwarded-for"] = forwarded
        peers[forwarded] = peer
        return opened

    return made


def test_limits_count_and_the_log_tells_the_real_address(
    office: Office, visit: Callable[[str, str], Client]
) -> None:
    """Behind one proxy, those who guess wait and their neighbours do not."""
    data = {"email": email_of(Role.ARBITER), "password": "wrong"}
    bad, good = visit(PROXY, "203.0.113.66"), visit(PROXY, CLIENT)
    statuses = [posted(bad, LOG_IN, data, form=LOG_IN).status_code for _ in range(9)]
    assert statuses == [401] * 8 + [429]
    right = posted(good, LOG_IN, data | {"password": PASSWORD}, form=LOG_IN)
    assert right.status_code == 303
    line = office.audit.page(operator(Role.SYSTEM_ADMINISTRATOR), action="log_in")[0]
    assert line.address == CLIENT


def test_who_writes_the_header_themselves_is_counted_as_one(
    visit: Callable[[str, str], Client],
) -> None:
    data = {"email": email_of(Role.ARBITER), "password": "wrong"}
    liars = [visit(CLIENT, f"198.51.100.{number}") for number in range(9)]
    statuses = [posted(liar, LOG_IN, data, form=LOG_IN).status_code for liar in liars]
    assert statuses == [401] * 8 + [429]
