"""The process that plays the living hall: told of its cast on standard input, until that ends."""

from __future__ import annotations

import asyncio
import os
import sys

import msgspec
import uvloop

from arrocco.demo.living.cast import Cast
from arrocco.demo.living.course import live

_AGAIN = 60
"""Seconds after which a new event is begun where one could not go on."""
_NICENESS = 10


def main() -> None:
    """Plays until whoever started this process goes away."""
    os.nice(_NICENESS)
    cast = msgspec.json.decode(sys.stdin.readline(), type=Cast)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_until_left(cast))


async def _until_left(cast: Cast) -> None:
    playing = asyncio.create_task(_play(cast))
    await asyncio.to_thread(sys.stdin.read)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


async def _play(cast: Cast) -> None:
    while True:
        try:
            await live(cast)
        except Exception as error:
            print(f"demo: {error!r}", file=sys.stderr)
        await asyncio.sleep(_AGAIN)


if __name__ == "__main__":
    main()
