"""Starts and ends the process that plays the living hall."""

from __future__ import annotations

import subprocess
import sys

import msgspec
from msgspec.structs import replace

from arrocco.demo.living.cast import Cast

_LONGEST = 5
"""Seconds within which the process goes when it is left."""


class LivingHall:
    """The process beside a server; it ends with its parent, whose end of the pipe it reads."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, cast: Cast, ahead: int) -> None:
        """Tells the process who plays, and how far the demo's time is ahead."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "arrocco.demo.living"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(replace(cast, ahead=ahead)) + b"\n")
        self._process.stdin.flush()

    def close(self) -> None:
        process = self._process
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(_LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
