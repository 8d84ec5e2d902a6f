"""Janus as a process of this one: it ends when this one does, however that comes about."""

from __future__ import annotations

import asyncio
import logging
import shutil
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from contextlib import suppress
from pathlib import Path

from arrocco.video.janus.configuration import program

log = logging.getLogger(__name__)

ENDS_WITHIN = 3.0
"""Seconds that Janus has to close its files."""


class JanusProcess:
    """A Janus that runs."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, configuration: Path) -> JanusProcess:
        """Starts it. Raises `OSError`, and `Unavailable` where it is not installed."""
        command = [program(), "--configs-folder", str(configuration.parent)]
        command += ["--config", str(configuration)]
        if (bound := shutil.which("setpriv")) is not None:  # a killed parent takes it along
            command = [bound, "--pdeathsig", "KILL", *command]
        process = await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, cwd=configuration.parent
        )
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        return self._process.returncode is not None

    async def ended(self) -> int:
        return await self._process.wait()

    def kill(self) -> None:
        """Ends it at once: one that has hung would not end by itself."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def stop(self) -> None:
        """Ends it, with its files closed if it is able to."""
        if not self.has_ended:
            with suppress(ProcessLookupError):
                self._process.terminate()
        try:
            async with asyncio.timeout(ENDS_WITHIN):
                await self._process.wait()
        except TimeoutError:
            self.kill()
            await self._process.wait()
        await self._reading

    async def _read(self) -> None:
        """What Janus complains of goes into the log of the video."""
        assert self._process.stdout is not None
        with suppress(ValueError):  # a line longer than any of Janus'
            async for line in self._process.stdout:
                if text := line.decode(errors="replace").strip():
                    log.info("janus: %s", text)
