"""Sockets of strangers: few at a time, and listened to slowly; players come as they are."""

from __future__ import annotations

import asyncio

import pytest

from arrocco.web import socket_admission
from arrocco.web.client_address import Proxies
from arrocco.web.socket_admission import (
    SESSION_BURST,
    STRANGER_BURST,
    STRANGERS_PER_SECOND,
    Admission,
)
from arrocco.web.strangers_pace import ALL_SECONDS, SENDER_SECONDS, StrangersPace

HEAD = b"GET /hall/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    now = [1_000_000]
    monkeypatch.setattr(socket_admission, "_now", lambda: now[0])
    return now


def head(**headers: str) -> bytes:
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return HEAD + lines.encode() + b"\r\n"


def admitted(admission: Admission, peer: str, text: bytes, tries: int) -> int:
    return sum(admission.admits(peer, text) for _ in range(tries))


def test_a_stranger_opens_few_sockets_and_more_later(clock: list[int]) -> None:
    admission = Admission(Proxies(), "arrocco_session")
    assert admitted(admission, "192.0.2.1", head(), 200) == STRANGER_BURST
    assert admitted(admission, "192.0.2.2", head(), 1) == 1
    clock[0] += 2_000
    assert admitted(admission, "192.0.2.1", head(), 200) == 2 * STRANGERS_PER_SECOND
    assert admission.refused == 140 + 190


def test_players_of_a_large_event_all_come_back_at_once(clock: list[int]) -> None:
    admission = Admission(Proxies(), "arrocco_session")
    admitted(admission, "192.0.2.1", head(), 200)
    session = head(Cookie="other=1; arrocco_session=abc")
    assert admitted(admission, "192.0.2.1", session, SESSION_BURST + 10) == SESSION_BURST


def test_a_network_of_version_6_is_one_sender(clock: list[int]) -> None:
    admission = Admission(Proxies(), "arrocco_session")
    tries = [admission.admits(f"2001:db8::{n:x}", head()) for n in range(1, 200)]
    assert sum(tries) == STRANGER_BURST


def test_behind_a_trusted_proxy_each_sender_has_their_own(clock: list[int]) -> None:
    admission = Admission(Proxies(["127.0.0.1"]), "arrocco_session")
    for sender in ("192.0.2.1", "192.0.2.2"):
        text = head(X_Forwarded_For=sender)
        assert admitted(admission, "127.0.0.1", text, 100) == STRANGER_BURST
    forged = head(X_Forwarded_For="192.0.2.3")
    assert admitted(admission, "198.51.100.7", forged, 100) == STRANGER_BURST
    assert admitted(admission, "198.51.100.7", head(X_Forwarded_For="192.0.2.4"), 10) == 0


def test_all_strangers_together_are_bounded(clock: list[int]) -> None:
    admission = Admission(Proxies(), "arrocco_session")
    tries = [admission.admits(f"192.0.{n // 200}.{n % 200}", head()) for n in range(1_000)]
    assert sum(tries) == socket_admission.ALL_BURST


def test_messages_of_strangers_wait_their_turn() -> None:
    async def heard(senders: list[str]) -> float:
        pace = StrangersPace()
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await asyncio.gather(*(pace.wait(sender) for sender in senders))
        return loop.time() - begun

    assert asyncio.run(heard(["a"] * 21)) >= 20 * SENDER_SECONDS
    several = [str(number) for number in range(101)]
    took = asyncio.run(heard(several))
    assert 100 * ALL_SECONDS <= took < 101 * SENDER_SECONDS + 5
