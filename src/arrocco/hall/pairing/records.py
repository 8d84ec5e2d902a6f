"""What goes into a pairing and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass

from arrocco.errors import Refusal
from arrocco.laws.online.side import Side


class NoPairing(Refusal):
    """The rules allow no pairing of this round: the chief arbiter decides (C.04.3, 1.9.3)."""


@dataclass(frozen=True, slots=True)
class Past:
    """What a player did in one round.

    `colour` is that of a game that was played, else `None`: an unplayed game gives no colour and
    leaves both free to meet. `points` are in the unit of the event's scoring.
    """

    opponent: int = 0
    colour: Side | None = None
    points: int = 0
    allocated_bye: bool = False

    @property
    def played(self) -> bool:
        return self.colour is not None


@dataclass(frozen=True, slots=True)
class Player:
    """A player by number (the TPN of C.04.2), with one `Past` for each round so far."""

    number: int
    past: tuple[Past, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """Everybody in a Swiss event, as a round is about to be paired.

    `players` holds also those who are `absent` from the coming round: past opponents' scores tell
    who floated. All have the same number of past rounds. Points are in one unit, in which a win is
    `win` and a loss is `loss`.
    """

    players: tuple[Player, ...]
    rounds: int
    """How many rounds the event has: the last one treats its leaders in a way of its own."""
    absent: frozenset[int] = frozenset()
    forbidden: frozenset[tuple[int, int]] = frozenset()
    """Pairs that shall not meet, whatever the order of the two numbers."""
    initial_colour: Side = Side.WHITE
    """The colour drawn by lot for the highest player (C.04.3, 5.1)."""
    win: int = 10
    loss: int = 0


@dataclass(frozen=True, slots=True)
class RoundPairing:
    """The boards of a round in order, White first, and who has the pairing-allocated bye."""

    boards: tuple[tuple[int, int], ...]
    bye: int | None = None
