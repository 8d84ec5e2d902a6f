"""Programs are told what is published: signed, again after a failure, never inside the network."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Barrier, Event, Thread
from typing import Any

import pytest

from arrocco.desk import Office, safe_request
from arrocco.desk.safe_request import Unsafe, checked_url, public_address
from arrocco.desk.webhooks import (
    ALLOW_PRIVATE,
    MAX_OF_ACCOUNT,
    RETRIES,
    WebhookDelivery,
    signature,
    tell_programs,
)
from arrocco.errors import Illegal, Inconsistent, NotFound
from tests.desk.offices import Clock, People, people_of


@contextmanager
def program(*statuses: int) -> Iterator[tuple[str, list[tuple[dict[str, str], bytes]]]]:
    """A program of this machine that answers with statuses in turn, then 204."""
    told: list[tuple[dict[str, str], bytes]] = []
    answers = list(statuses)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            told.append(({k.lower(): v for k, v in self.headers.items()}, body))
            status = answers.pop(0) if answers else 204
            self.send_response(status)
            if status in (301, 302, 307):
                self.send_header("location", "/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook?x=1", told
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def people_here(small_office: Office, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setenv(ALLOW_PRIVATE, "yes")
    return people_of(small_office)


def publish(office: Office) -> None:
    with office.desk.database.writing() as connection:
        tell_programs(
            connection,
            office.desk.now(),
            "list_published",
            system="fide",
            list_date=date(2025, 6, 1),
        )


def test_a_program_is_told_once_and_can_check_who_tells_it(
    small_office: Office, people_here: People
) -> None:
    with program() as (url, told):
        hook = small_office.webhooks.add(people_here.player, url)
        publish(small_office)
        assert WebhookDelivery(small_office.desk).deliver() == 1
        assert WebhookDelivery(small_office.desk).deliver() == 0
    ((headers, body),) = told
    said = json.loads(body)
    assert (said["kind"], said["list_date"]) == ("list_published", "2025-06-01")
    assert headers["arrocco-event"] == said["event"]
    right = signature(hook.secret, headers["arrocco-time"], body)
    assert headers["arrocco-signature"] == right
    assert signature(hook.secret, headers["arrocco-time"], body + b" ") != right


def test_two_workers_at_once_do_not_tell_a_program_twice(
    office: Office, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ALLOW_PRIVATE, "yes")
    with program() as (url, told):
        office.webhooks.add(people.player, url)
        for _ in range(6):
            publish(office)
        barrier, taken = Barrier(2), list[int]()

        def work() -> None:
            barrier.wait()
            taken.append(WebhookDelivery(office.desk).deliver())

        threads = [Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        WebhookDelivery(office.desk).deliver()  # one that found nothing free leaves some
    assert len(told) == 6
    assert len({headers["arrocco-event"] for headers, _ in told}) == 6


def test_a_failure_is_tried_again_and_given_up_in_the_end(
    small_office: Office, people_here: People, clock: Clock
) -> None:
    with program(500, 302) as (url, told):
        small_office.webhooks.add(people_here.player, url)
        publish(small_office)
        delivery = WebhookDelivery(small_office.desk)
        assert delivery.deliver() == 0
        clock.at += RETRIES[0] - timedelta(seconds=1)
        assert delivery.deliver() == 0
        assert len(told) == 1
        clock.at += timedelta(seconds=1)
        assert delivery.deliver() == 0  # a redirect is not followed
        assert len(told) == 2
        clock.at += RETRIES[1]
        assert delivery.deliver() == 1
    assert len({headers["arrocco-event"] for headers, _ in told}) == 1
    publish(small_office)  # now nobody is there
    for wait in (timedelta(), *RETRIES):
        clock.at += wait
        delivery.deliver()
    ((_, calls),) = small_office.webhooks.mine(people_here.player)
    assert calls[0].state == "failed"
    assert "refused" in calls[0].said


PRIVATE = (
    "127.0.0.1",
    "10.1.2.3",
    "192.168.0.1",
    "172.16.0.1",
    "169.254.169.254",
    "0.0.0.0",
    "100.64.0.1",
    "::1",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "224.0.0.1",
    "2130706433",
    "localhost",
)


@pytest.mark.parametrize("host", PRIVATE)
def test_nothing_is_asked_inside_the_network(host: str) -> None:
    with pytest.raises((Unsafe, OSError)):
        public_address(host, 443)


def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(2, 1, 6, "", (address, 443)) for address in ("93.184.216.34", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(Unsafe):
        public_address("both.example", 443)
    found.pop()
    assert public_address("both.example", 443) == "93.184.216.34"


def test_a_name_that_moves_between_check_and_call_is_called_where_it_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """DNS rebinding: the name is asked once, and the socket goes to the address that was seen."""
    asked: list[str] = []
    connected: list[Any] = []

    def resolve(host: str, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        address = "93.184.216.34" if len(asked) == 1 else "127.0.0.1"
        return [(2, 1, 6, "", (address, 443))]

    def connect(address: Any, *_: Any) -> socket.socket:
        connected.append(address)
        raise OSError("far away")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(OSError, match="far away"):
        safe_request.post("https://moves.example/hook", b"{}", {})
    assert asked == ["moves.example"]
    assert connected == [("93.184.216.34", 443)]


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_answer_that_drips_holds_nobody_up(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    """Each byte came in time, and all calls of the office waited for the one that never ended."""
    monkeypatch.setattr(safe_request, "TIMEOUT", 0.5)
    is_over = Event()

    def drip(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1" if scheme == "http" else b"\x16\x03\x03\x40\x00")
            while not is_over.wait(0.05):
                connection.sendall(b"\2")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=drip, args=(listening,), daemon=True)
        thread.start()
        url = f"{scheme}://127.0.0.1:{listening.getsockname()[1]}/"
        try:
            with pytest.raises(OSError):
                safe_request.post(url, b"{}", {}, allow_private=True)
        finally:
            is_over.set()
            thread.join()


def test_a_private_address_fails_for_good_where_the_operator_allows_none(
    small_office: Office, people_here: People
) -> None:
    with program() as (url, told):
        small_office.webhooks.add(people_here.player, url.replace("http:", "https:"))
        publish(small_office)
        WebhookDelivery(small_office.desk, allow_private=False).deliver()
    ((_, (call,)),) = small_office.webhooks.mine(people_here.player)
    assert (call.state, told) == ("failed", [])


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "https://",
        "https://a b.org",
        "https://u@x.org",
        "https://x.org/#y",
        f"https://x.org/{'a' * 500}",
        "https://x.org:0/",
        "https://x.org:x/",
        "https://x.org/\r\nHost: y",
    ],
)
def test_addresses_that_make_no_sense_are_refused(url: str) -> None:
    with pytest.raises(Inconsistent):
        checked_url(url)


def test_addresses_are_bounded_and_ones_own(small_office: Office, people_here: People) -> None:
    hooks = [
        small_office.webhooks.add(people_here.player, f"https://example.org/{n}")
        for n in range(MAX_OF_ACCOUNT)
    ]
    with pytest.raises(Illegal):
        small_office.webhooks.add(people_here.player, "https://example.org/more")
    with pytest.raises(NotFound):
        small_office.webhooks.stop(people_here.arbiter, hooks[0].id)
    small_office.webhooks.stop(people_here.player, hooks[0].id)
    assert len(small_office.webhooks.mine(people_here.player)) == MAX_OF_ACCOUNT - 1
