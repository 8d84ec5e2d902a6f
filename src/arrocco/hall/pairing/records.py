"""What goes into a pairing and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arrocco.errors import Refusal
from arrocco.laws.online.side import Side


class Edition(StrEnum):
    """The text of C.04.3 that is followed."""

    DUTCH_2017 = "2017"
    """In force until 31 January 2026."""
    DUTCH_2026 = "2026"


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
    forfeited_colour: Side | None = None
    """The colour one was to have in a game that was not played; it counts for nothing."""

    @property
    def played(self) -> bool:
        return self.colour is not None

    @property
    def paired_colour(self) -> Side | None:
        """The colour of the pairing, whether or not the game was played."""
        return self.colour or self.forfeited_colour

    @property
    def was_paired(self) -> bool:
        """Whether the pairing of the round looked at the player, who had an opponent or the bye."""
        return self.opponent > 0 or self.allocated_bye


@dataclass(frozen=True, slots=True)
class Player:
    """A player by number (the TPN of C.04.2), with one `Past` for each round so far.

    `virtual` are the virtual points of an accelerated event in each round so far and the coming
    one (C.04.7): they count for scoregroups and floats only. Rounds that are missing have none.
    """

    number: int
    past: tuple[Past, ...] = ()
    virtual: tuple[int, ...] = ()


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
    edition: Edition = Edition.DUTCH_2026


@dataclass(frozen=True, slots=True)
class RoundPairing:
    """The boards of a round in order, White first, and who has the pairing-allocated bye."""

    boards: tuple[tuple[int, int], ...]
    bye: int | None = None
