"""Where a request really comes from, when proxies that are trusted pass it on.

Whoever connects can write any header. Only a proxy that the operator names is believed when it
says for whom it asks, and of the addresses it hands on the last one counts that is no trusted
proxy itself: all before it was written by somebody unknown.

Both processes, site and hall, put `RealAddress` around their application; from there on the
``client`` and the ``scheme`` of a scope are the real ones, of sockets as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import Any, NamedTuple

from litestar.types import ASGIApp, Receive, Scope, Send

from arrocco.errors import Inconsistent
from arrocco.office.networks import parse_address

MAX_HOPS = 32
"""Addresses of one header that are looked at, from the last one back."""
X_FORWARDED, FORWARDED = "x-forwarded-for", "forwarded"
HEADERS = (X_FORWARDED, FORWARDED)
MAX_ELEMENT = 500
"""Characters of one element: an address, a name and a scheme. A longer one is no proxy's."""
_SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}
_PAIR = re.compile(r"""\s*([!#$%&'*+.^_`|~\w-]+)=("(?:[^"\\]|\\.)*"|[^;,\s"]*)\s*""")
_PORT = re.compile(r":\d{1,5}$")
_FROM_PROXY = "arrocco.from_proxy"

Address = IPv4Address | IPv6Address


class Hop(NamedTuple):
    """For whom a proxy asks, as it says; the scheme is empty where it does not say."""

    address: Address | None
    scheme: str = ""


class Proxies:
    """The proxies that are trusted, and the header they write first of the two."""

    def __init__(self, networks: Iterable[str] = (), header: str = X_FORWARDED) -> None:
        """Raises `Inconsistent` for what is no address and no network."""
        self._networks = [_network(text) for text in networks]
        self._order = (header, *(name for name in HEADERS if name != header))

    def trusts(self, address: Address | None) -> bool:
        """Whether an address is that of a trusted proxy."""
        return address is not None and any(address in network for network in self._networks)

    def real(self, peer: str, headers: Sequence[tuple[bytes, bytes]]) -> tuple[str, str]:
        """The address a request comes from, and the scheme it came by where that is told."""
        address, scheme = parse_address(peer), ""
        if not self.trusts(address):
            return peer if address is None else str(address), ""
        for hop in reversed(self._hops(headers)):
            # What is hidden or cannot be read was handed on by the proxy known last.
            if hop.address is None:
                break
            address, scheme = hop.address, hop.scheme or scheme
            if not self.trusts(address):
                break
        return str(address), scheme

    def _hops(self, headers: Sequence[tuple[bytes, bytes]]) -> list[Hop]:
        for name in self._order:
            values = _values(headers, name)
            if values:
                return _forwarded(values) if name == FORWARDED else _x_forwarded(values, headers)
        return []


class RealAddress:
    """An application whose scopes tell where requests really come from."""

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self._app, self.proxies = app, proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told: Any = scope
        if told["type"] in ("http", "websocket") and told.get("client"):
            host, port = told["client"]
            told[_FROM_PROXY] = self.proxies.trusts(parse_address(host))
            address, scheme = self.proxies.real(host, told["headers"])
            if address != host:
                told["client"] = (address, port)
            if scheme:
                is_socket = told["type"] == "websocket"
                told["scheme"] = scheme.replace("http", "ws") if is_socket else scheme
        await self._app(scope, receive, send)


def is_from_proxy(scope: Scope) -> bool:
    """Whether a trusted proxy handed a request on: its request id is believed then."""
    told: Any = scope
    return bool(told.get(_FROM_PROXY))


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError:
        raise Inconsistent.of("web.refused.proxy", text=text[:60]) from None


def _values(headers: Sequence[tuple[bytes, bytes]], name: str) -> list[str]:
    """The elements of a header, which may stand in several lines; the last ones of very many."""
    wanted = name.encode()
    text = ",".join(value.decode("latin-1") for key, value in headers if key.lower() == wanted)
    return text.rsplit(",", MAX_HOPS)[-MAX_HOPS:] if text.strip() else []


def _x_forwarded(values: list[str], headers: Sequence[tuple[bytes, bytes]]) -> list[Hop]:
    schemes = _values(headers, "x-forwarded-proto")
    scheme = _SCHEMES.get(schemes[-1].strip().lower(), "") if schemes else ""
    hops = [Hop(_address(value.strip())) for value in values]
    return [*hops[:-1], Hop(hops[-1].address, scheme)]


def _forwarded(values: list[str]) -> list[Hop]:
    """RFC 7239 — ``for=192.0.2.60;proto=https, for="[2001:db8::1]:4711"``."""
    hops = []
    for value in values:
        if (
            len(value) > MAX_ELEMENT
        ):  # finding no pair in it takes a time that grows with the square
            hops.append(Hop(None))
            continue
        pairs = {name.lower(): text.strip('"') for name, text in _PAIR.findall(value)}
        scheme = _SCHEMES.get(pairs.get("proto", "").lower(), "")
        hops.append(Hop(_address(pairs.get("for", "")), scheme))
    return hops


def _address(text: str) -> Address | None:
    """An address, with its port or in brackets as well; `None` for a name that hides one."""
    text = text.strip('"')
    if text.startswith("["):
        return parse_address(text[1:].partition("]")[0])
    return parse_address(text) or parse_address(_PORT.sub("", text))
