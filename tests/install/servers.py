"""A real `arrocco serve` in a process of its own, and a person who logs in to it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from arrocco.web.guard import TOKEN_FIELD
from tests.web.visits import all_of

_STOP_SECONDS = 90
_ADDRESS = re.compile(r"http://\S+")
SOURCES: tuple[str, ...] = (sys.executable, "-c", "from arrocco.cli.main import main; main()")


def environment(**more: str) -> dict[str, str]:
    """The environment without what would let a program find the sources or another office."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "ARROCCO_", "VIRTUAL_ENV"))
    }
    return {**kept, "ARROCCO_LANG": "en", **more}


@contextmanager
def serving(
    office: Path,
    *options: str,
    program: Sequence[str] = SOURCES,
    env: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """The address of a server on a free port, which is stopped after the block."""
    server = subprocess.Popen(
        [*program, "serve", "--office", str(office), "--port", "0", "--lang", "en", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=office.parent,
        env=dict(env) if env is not None else None,
    )
    assert server.stdout is not None
    assert server.stderr is not None
    try:
        match = _ADDRESS.search(server.stdout.readline())
        assert match, f"the server did not start: {server.stderr.read()}"
        yield match[0]
    finally:
        server.terminate()
        server.communicate(timeout=_STOP_SECONDS)


def log_in(client: httpx.Client, email: str, password: str) -> httpx.Response:
    """Sends the form of the log-in page; no redirect is followed."""
    (token, *_) = all_of(client.get("/en/log-in").text, f"//input[@name='{TOKEN_FIELD}']/@value")
    return client.post(
        "/en/log-in",
        data={TOKEN_FIELD: token, "email": email, "password": password},
        headers={"Origin": str(client.base_url).rstrip("/")},
    )
