"""The real program `arrocco serve` on a free port, for tests of what an operator sees."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

_ADDRESS = re.compile(r"http://[^\s\"]+")
_STOP_SECONDS = 90
PROGRAM = "from arrocco.cli.main import main; main()"


class RunningServer:
    """A server at work; what it logs goes to a file."""

    def __init__(self, address: str, stderr: Path, pid: int) -> None:
        self.address, self.stderr, self.pid = address, stderr, pid

    def get(self, path: str, **options: Any) -> httpx.Response:
        return httpx.get(self.address + path, timeout=60, **options)

    def log(self) -> list[dict[str, Any]]:
        """The lines of its log, where it is JSON."""
        return [json.loads(line) for line in self.stderr.read_text().splitlines()]

    def status_of(self, path: str, wanted: int, seconds: float = 20) -> httpx.Response:
        """Asks until the status is the wanted one; the last answer."""
        until = time.monotonic() + seconds
        while True:
            answer = self.get(path)
            if answer.status_code == wanted or time.monotonic() > until:
                return answer
            time.sleep(0.3)


@contextmanager
def running_server(
    folder: Path,
    *options: str,
    environment: Mapping[str, str] | None = None,
    program: str = PROGRAM,
    command: Sequence[str] = ("serve", "--port", "0"),
) -> Iterator[RunningServer]:
    """Serves a folder until the block ends, and then stops as asked.

    Another command that ends with serving it may come first.
    """
    stderr = folder.with_name(f"{folder.name}.log")
    inherited = {name: v for name, v in os.environ.items() if not name.startswith("ARROCCO_")}
    inherited["ARROCCO_ENGINE"] = "off"  # games are watched where a test is about it
    with stderr.open("wb") as log:
        server = subprocess.Popen(
            [
                sys.executable,
                "-c",
                program,
                *command,
                "--office",
                str(folder),
                "--lang",
                "en",
                *options,
            ],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=inherited | dict(environment or {}),
        )
    assert server.stdout is not None
    try:
        first, address = "", None
        for line in server.stdout:
            first += line
            address = _ADDRESS.search(line)
            if address:
                break
        assert address, f"the server did not start: {first}{stderr.read_text()}"
        yield RunningServer(address[0], stderr, server.pid)
        server.terminate()
        server.communicate(timeout=_STOP_SECONDS)
        assert server.returncode == 0, stderr.read_text()
    finally:
        if server.poll() is None:
            server.kill()
            server.wait()
        server.stdout.close()
