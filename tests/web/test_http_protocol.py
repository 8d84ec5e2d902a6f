"""Connections that are begun and not finished are closed, counted, and disturb nobody."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
import pytest
import uvicorn

from arrocco.desk import Office
from arrocco.web.client_address import Proxies
from arrocco.web.hall_app import SOCKETS
from arrocco.web.http_protocol import HttpLimits, HttpNumbers, http_protocol
from tests.web.apps import app_of

LIMITS = HttpLimits(
    head_seconds=0.5,
    body_seconds=0.5,
    body_bytes=100,
    reading_seconds=0.5,
    linger_seconds=0.5,
    connections_of_sender=5,
)
WAIT = 60.0


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Reads a body and tells its length; writes much where it is asked to."""
    if scope["type"] != "http":
        return
    if scope["path"] == "/refuse":
        body = b"no"
    elif scope["path"] == "/much":
        body = b"x" * (64 << 20)
    else:
        length, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            length += len(message["body"])
            more = message.get("more_body", False)
        body = str(length).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Served:
    def __init__(self, port: int, numbers: HttpNumbers) -> None:
        self.port, self.numbers = port, numbers
        self.made: list[socket.socket] = []

    def connect(self, begin: bytes = b"") -> socket.socket:
        made = socket.create_connection(("127.0.0.1", self.port), timeout=WAIT)
        self.made.append(made)
        made.sendall(begin)
        return made

    def wait_for(self, reason: str, count: int = 1) -> None:
        until = time.monotonic() + WAIT
        while self.numbers.closed[reason] < count:
            assert time.monotonic() < until, self.numbers
            time.sleep(0.02)


@contextmanager
def serving(
    app: Any = echo, proxies: Proxies | None = None, limits: HttpLimits = LIMITS
) -> Iterator[Served]:
    numbers = HttpNumbers()
    config = uvicorn.Config(
        app,
        http=http_protocol(proxies or Proxies(), numbers, limits),
        lifespan="off",
        log_level="critical",
        proxy_headers=False,
        **SOCKETS,
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            served = Served(listening.getsockname()[1], numbers)
            yield served
            for made in served.made:
                made.close()
        finally:
            server.should_exit = True
            thread.join()


def everything(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    taken = b""
    with suppress(ConnectionError):
        while part := connection.recv(1 << 16):
            taken += part
    return taken


@pytest.mark.parametrize(
    ("begin", "reason", "status"),
    [
        (b"", "slow_head", b"408"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", "slow_head", b"408"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nabc", "slow_body", b"408"),
        (
            b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
            "slow_body",
            b"408",
        ),
        (b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 70_000, "long_head", b"431"),
    ],
)
def test_what_is_begun_and_not_finished_is_closed_and_counted(
    begin: bytes, reason: str, status: bytes
) -> None:
    with serving() as served:
        connection = served.connect(begin)
        answer = everything(connection)
        assert answer.startswith(b"HTTP/1.1 " + status), answer
        assert served.numbers.closed == {reason: 1}
        connection.close()
        assert httpx.get(f"http://127.0.0.1:{served.port}/", timeout=60).text == "0"


def test_a_head_that_drips_is_not_kept_open_by_dripping() -> None:
    with serving() as served:
        connection = served.connect(b"GET / HTTP/1.1\r\n")
        with suppress(ConnectionError):
            for _ in range(40):
                connection.sendall(b"X: y\r\n")
                time.sleep(0.05)
        served.wait_for("slow_head")


def test_empty_lines_do_not_keep_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as served:
        connection = served.connect(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200 OK" in connection.recv(4096)
        began = time.monotonic()
        connection.sendall(b"\r\n")
        assert everything(connection) == b""
        assert time.monotonic() - began < 4, "sooner than uvicorn would"


def test_a_body_that_keeps_its_pace_may_take_its_time() -> None:
    with serving() as served:
        connection = served.connect(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n")
        for _ in range(20):
            connection.sendall(b"x" * 100)
            time.sleep(0.1)
        assert b"2000" in connection.recv(4096)
        assert not served.numbers.closed


def test_a_client_that_does_not_read_is_dropped() -> None:
    with serving() as served:
        connection = served.connect(b"GET /much HTTP/1.1\r\nHost: x\r\n\r\n")
        served.wait_for("slow_reader")
        connection.close()


def test_one_sender_has_only_so_many_connections() -> None:
    with serving(limits=HttpLimits(connections_of_sender=5)) as served:
        held = [served.connect() for _ in range(5)]
        time.sleep(0.2)
        assert everything(served.connect()).startswith(b"HTTP/1.1 503")
        assert served.numbers.closed == {"too_many": 1}
        held.pop().close()
        time.sleep(0.2)
        assert httpx.get(f"http://127.0.0.1:{served.port}/", timeout=60).text == "0"
        for connection in held:
            connection.close()


def test_a_trusted_proxy_has_as_many_as_it_needs() -> None:
    with serving(proxies=Proxies(["127.0.0.1"])) as served:
        held = [served.connect(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(20)]
        assert all(b"200 OK" in connection.recv(4096) for connection in held)
        for connection in held:
            connection.close()


def test_what_is_closed_is_not_counted_as_open() -> None:
    with serving() as served:
        held = [served.connect() for _ in range(3)]
        time.sleep(0.1)
        assert served.numbers.open == 3
        for connection in held:
            connection.close()
        until = time.monotonic() + WAIT
        while served.numbers.open and time.monotonic() < until:
            time.sleep(0.02)
        assert served.numbers.open == 0


def test_requests_in_a_row_are_all_answered() -> None:
    with serving() as served:
        request = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
        connection = served.connect(request * 3)
        taken = b""
        while taken.count(b"200 OK") < 3:
            taken += connection.recv(4096)
        assert not served.numbers.closed
        connection.close()


def test_an_answer_that_comes_before_the_body_has_is_not_lost() -> None:
    with serving() as served:
        head = b"POST /refuse HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n"
        connection = served.connect(head)
        with suppress(ConnectionError):
            connection.sendall(b"x" * 4_000_000)
        assert b"\r\n\r\nno" in everything(connection)


def test_a_form_too_large_is_told_so_over_a_real_connection(office: Office) -> None:
    with serving(app_of(office)) as served:
        url = f"http://127.0.0.1:{served.port}/en/log-in"
        headers = {"content-type": "application/x-www-form-urlencoded"}
        answer = httpx.post(url, content=b"a=1&" * 2_000_000, headers=headers, timeout=60)
        assert answer.status_code == 413
        assert "64 KB" in answer.text
