"""What a game is asked, by a person, by time or by the server itself, and when."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import NamedTuple

from arrocco.findings import Finding, Severity
from arrocco.hall.game import (
    Command,
)
from arrocco.live.outcome import (
    Answer,
)
from arrocco.live.receipts import Receipt

Then = Callable[[Answer], None]


class Turn(Enum):
    """A game changes from one process to the next."""

    HAND_OVER = auto()
    TAKE_OVER = auto()


class Asked(NamedTuple):
    command: Command | None
    """`None` where time itself asks."""
    at: int
    receipt: Receipt | None
    ply: int | None
    then: Then | None
    is_dead: bool = False
    """Whether the position was found to be dead."""
    turn: Turn | None = None
    """What the server itself does with the game."""

    @property
    def is_of_the_server(self) -> bool:
        """Whether nobody waits for an answer: it is done as soon as it can be."""
        return self.then is None


def refusal_by_key(key: str, article: str = "") -> Finding:
    """Why something is not done."""
    return Finding(Severity.ERROR, key, article=article)
