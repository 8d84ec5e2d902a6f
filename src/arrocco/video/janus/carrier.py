"""What streams and voices need of the engine that carries them."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Protocol

from arrocco.video.janus.requests import Requests
from arrocco.video.janus.rooms import Publishing
from arrocco.video.media import Hears
from arrocco.video.messages import IceServer
from arrocco.video.recordings import Recordings


class Carrier(Protocol):
    """The engine, as those see it that it carries."""

    hears: Hears
    recordings: Recordings
    requests: Requests | None
    """`None` while Janus is not there."""
    publishing: dict[int, Publishing]
    """By handle: what Janus tells of."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Has something done beside everything else."""
        ...

    def ice_servers(self, account: str) -> tuple[IceServer, ...]: ...
