"""A request to an address that a stranger gave, which must not reach the inside of the network.

The name is resolved once; every address it has must be a public one, and the connection is made to
the very address that was checked, so a name that answers differently a moment later changes
nothing. Redirects are not followed. What comes back is bounded in size and time.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from contextlib import suppress
from threading import Timer
from urllib.parse import SplitResult, urlsplit

from arrocco.errors import Inconsistent

TIMEOUT = 10.0
"""Seconds for each step, and for all of them together: an answer that drips holds nobody up."""
MAX_ANSWER = 16 * 1024
MAX_URL = 500
_PORTS = {"http": 80, "https": 443}


class Unsafe(Exception):
    """The address leads where this server must not ask."""


def checked_url(url: str, *, allow_private: bool = False) -> SplitResult:
    """An address that may be kept. Raises `Inconsistent`; its name is resolved when it is used."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Inconsistent.of("hooks.refused.url") from None
    is_plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= MAX_URL
    schemes = ("https", "http") if allow_private else ("https",)
    if not is_plain or parts.scheme not in schemes or not parts.hostname or port == 0:
        raise Inconsistent.of("hooks.refused.url")
    if parts.username is not None or parts.fragment:
        raise Inconsistent.of("hooks.refused.url")
    return parts


def public_address(host: str, port: int, *, allow_private: bool = False) -> str:
    """The address of a name to connect to. Raises `Unsafe` where any of them is not public."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise OSError(f"{host}: {error}") from error
    addresses = [str(answer[4][0]) for answer in answers]
    if not allow_private and not all(map(_is_public, addresses)):
        raise Unsafe(f"{host} is not a public address")
    return addresses[0]


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address.teredo is not None:
            return False
        if address in ipaddress.ip_network("64:ff9b::/96"):  # NAT64 leads to version 4
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None and not inner.is_global:
            return False
    return address.is_global and not address.is_multicast


class _Pinned(http.client.HTTPConnection):
    """A connection to one address, whatever its name resolves to now."""

    def __init__(self, host: str, port: int, address: str, context: ssl.SSLContext | None) -> None:
        super().__init__(host, port, timeout=TIMEOUT)
        self._address, self._tls = address, context

    def connect(self) -> None:
        made = socket.create_connection((self._address, self.port), self.timeout)
        self.sock = made
        if self._tls is not None:
            tls = self._tls.wrap_socket(
                made, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.sock = tls
            tls.do_handshake()

    def cut_off(self) -> None:
        """Ends whatever is being waited for."""
        with suppress(OSError, AttributeError):  # not connected yet, or no more
            self.sock.shutdown(socket.SHUT_RDWR)


def post(url: str, body: bytes, headers: dict[str, str], *, allow_private: bool = False) -> int:
    """Posts a body; the status of the answer. Raises `OSError`, `Unsafe`."""
    parts = checked_url(url, allow_private=allow_private)
    host = parts.hostname or ""
    port = parts.port or _PORTS[parts.scheme]
    address = public_address(host, port, allow_private=allow_private)
    context = ssl.create_default_context() if parts.scheme == "https" else None
    connection = _Pinned(host, port, address, context)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    timer = Timer(TIMEOUT, connection.cut_off)
    timer.daemon = True
    timer.start()
    try:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read(MAX_ANSWER)
        return answer.status
    except http.client.HTTPException as error:
        raise OSError(f"{type(error).__name__}: {error}") from error
    finally:
        timer.cancel()
        connection.close()
