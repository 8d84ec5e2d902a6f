"""Attacks on a server of one's own, over loopback and bounded: each a few clients for some seconds.

Usage: attacks.py KIND PORT SECONDS. It runs as a process of its own and behind all others: what it
computes itself takes nothing from the server. It prints how many requests were answered, by status:
an attack that reaches nothing proves nothing.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from itertools import cycle

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.formats.trf import hostile, samples

HOST = "127.0.0.1"
MAX_ANSWER = 20.0
"""Seconds to wait for an answer; who attacks does not wait for ever either."""
_TOKEN = re.compile(r'name="form_token" value="([^"]+)"')
_COOKIE = re.compile(r"set-cookie: ([^;]+)", re.IGNORECASE)
LARGE = (samples.swiss(players=1400, rounds=45), hostile.report("001", "plausible", 1400))
"""As many players as the calculator takes, with 0.8 MB of games and with as many wrong lines."""
_FORM = "application/x-www-form-urlencoded"
_BOUNDARY = "attack-boundary"


class Target:
    """The server that is attacked, until a moment."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port, self.until = port, time.monotonic() + seconds
        self.answers: Counter[str] = Counter()

    @property
    def is_on(self) -> bool:
        return time.monotonic() < self.until

    async def repeat(self, clients: int, attack: Callable[[], Awaitable[str]]) -> None:
        """Several clients, each doing the same again and again."""
        await asyncio.gather(*(self._again(attack) for _ in range(clients)))

    async def _again(self, attack: Callable[[], Awaitable[str]]) -> None:
        """At least once: on a busy machine the time may be over when the form has come."""
        while True:
            try:
                answer = await asyncio.wait_for(attack(), MAX_ANSWER)
            except (OSError, EOFError, TimeoutError, WebSocketException) as error:
                answer = type(error).__name__
                await asyncio.sleep(0.05)
            self.answers[answer] += 1
            if not self.is_on:
                return

    async def request(
        self, method: str, path: str, body: bytes = b"", kind: str = _FORM, cookie: str = ""
    ) -> tuple[str, str]:
        """The status and the whole answer."""
        reader, writer = await asyncio.open_connection(HOST, self.port)
        try:
            head = (
                f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nConnection: close\r\n"
                f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\nCookie: {cookie}\r\n\r\n"
            )
            writer.write(head.encode() + body)
            with suppress(ConnectionError):  # it may be refused before all of it is there
                await writer.drain()
            answer = (await reader.read()).decode(errors="replace")
        finally:
            writer.close()
        return answer[9:12], answer

    async def form(self, path: str) -> tuple[str, str]:
        """The token of a page's form and the cookie that it goes with."""
        _, answer = await self.request("GET", path)
        token, cookie = _TOKEN.search(answer), _COOKIE.search(answer)
        return (token[1] if token else ""), (cookie[1] if cookie else "")


# --- the attacks ----------------------------------------------------------------------------------


async def forms(target: Target) -> None:
    """8 MB of ``a=1&`` for the log-in page, and forms just below what it takes."""
    bodies = cycle(
        (b"a=1&" * (2 << 20), b"a=1&" * 16_000, b"&" * 60_000, b"email=" + b"%41" * 20_000)
    )

    async def attack() -> str:
        return (await target.request("POST", "/en/log-in", next(bodies)))[0]

    await target.repeat(4, attack)


async def half_open(target: Target) -> None:
    """Requests that come a byte at a time, or stop in the middle."""
    chunked = "POST /en/calculator/side-by-side/report HTTP/1.1\r\nTransfer-Encoding: chunked\r\n"
    heads = cycle(
        (
            b"GET /en HTTP/1.1\r\nHost: x\r\nX-Slow: ",
            b"POST /en/log-in HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\na=1",
            f"{chunked}Host: x\r\n\r\n5\r\na=1&".encode(),
            b"G",
        )
    )

    async def attack() -> str:
        reader, writer = await asyncio.open_connection(HOST, target.port)
        try:
            writer.write(next(heads))
            while target.is_on:
                await writer.drain()
                with suppress(TimeoutError):
                    return f"closed {(await asyncio.wait_for(reader.read(64), 0.5))[9:12].decode()}"
                writer.write(b"a")
            return "held open"
        finally:
            writer.close()

    await target.repeat(200, attack)


def _multipart(fields: dict[str, str], name: str, data: bytes) -> bytes:
    parts = [
        f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in fields.items()
    ]
    head = (
        f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="report"; filename="{name}"\r\n'
        "Content-Type: text/plain\r\n\r\n"
    )
    return ("".join(parts) + head).encode() + data + f"\r\n--{_BOUNDARY}--\r\n".encode()


async def _send_reports(target: Target, clients: int, reports: Iterator[bytes]) -> None:
    token, cookie = await target.form("/en/calculator/side-by-side")
    kind = f"multipart/form-data; boundary={_BOUNDARY}"

    async def attack() -> str:
        fields = {"form_token": token, "a": "fide", "b": "uisp", "reason": "an attack"}
        body = _multipart(fields, "report.trf", next(reports))
        path = "/en/calculator/side-by-side/report"
        return (await target.request("POST", path, body, kind, cookie))[0]

    await target.repeat(clients, attack)


async def uploads(target: Target) -> None:
    """Six files of 0.8 MB at the same time for the calculator that costs most."""
    await _send_reports(target, 6, cycle(LARGE))


async def reports(target: Target) -> None:
    """Reports with hundreds of hostile lines of every record type, in every form."""
    await _send_reports(target, 4, cycle(data for _, data in hostile.every_report(400)))


async def sockets(target: Target) -> None:
    """Two hundred sockets that say whatever comes to their mind, and come back when thrown out."""
    said = cycle(
        (
            '{"type":"join","game":"prova-1-1"}',
            '{"type":"ping","id":"x"}',
            "{" * 4000,
            "x" * 5000,
            json.dumps(
                {
                    "type": "wish",
                    "id": "x",
                    "game": "prova-1-1",
                    "wish": {"type": "move", "uci": "e2e4", "ply": 0},
                }
            ),
            '{"type":"event","event":"prova"}',
            '{"type":"wall","event":"prova"}',
            "\x00",
            "[]",
            '{"type":"command","id":"x","event":"prova","command":{"type":"open_round"}}',
        )
    )

    async def attack() -> str:
        address = f"ws://{HOST}:{target.port}/hall/socket"
        async with connect(address, origin=f"http://{HOST}:{target.port}") as socket:  # type: ignore[arg-type]
            for _ in range(60):
                if not target.is_on:
                    break
                await socket.send(next(said))
                await asyncio.sleep(0.02)
                with suppress(TimeoutError):
                    await asyncio.wait_for(socket.recv(), 0.001)
        return "served"

    await target.repeat(200, attack)


async def log_ins(target: Target) -> None:
    """Wrong passwords for everybody's account."""
    token, cookie = await target.form("/en/log-in")
    addresses = cycle(range(1, 102))

    async def attack() -> str:
        email = f"p{next(addresses)}%40example.org"
        body = f"form_token={token}&email={email}&password=wrong-password-of-somebody"
        return (await target.request("POST", "/en/log-in", body.encode(), cookie=cookie))[0]

    await target.repeat(8, attack)


ATTACKS = {
    "forms": forms,
    "half-open": half_open,
    "uploads": uploads,
    "sockets": sockets,
    "log-ins": log_ins,
    "reports": reports,
}


async def run(kind: str, port: int, seconds: float) -> Counter[str]:
    target = Target(port, seconds)
    await ATTACKS[kind](target)
    return target.answers


if __name__ == "__main__":
    os.nice(19)
    _, kind, port, seconds = sys.argv
    print("ready", flush=True)
    print(json.dumps(asyncio.run(run(kind, int(port), float(seconds)))))
