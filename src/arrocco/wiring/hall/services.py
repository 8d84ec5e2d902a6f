"""What a game is given by the server it is on, and by the rules of its event."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from arrocco.findings import Finding
from arrocco.hall.event.records import Person
from arrocco.hall.event.rules import Rules
from arrocco.office.roles import Asker
from arrocco.wiring.hall.journal import Journal
from arrocco.wiring.hall.outbox import Outbox
from arrocco.wiring.hall.server_time import Time
from arrocco.wiring.hall.tally import HallTally
from arrocco.wiring.hall.thinking import Thinking
from arrocco.wiring.hall.waits import Waits


class Known(Protocol):
    """5.4 — what the office knows of people who enter an event; both may block."""

    def __call__(self, asker: Asker, rules: Rules | None) -> Person:
        """Who somebody is who enters themselves."""
        ...

    def may_have_number(self, account: str, number: int) -> bool:
        """Whether an account is the one that holds a number of the federation, or is none."""
        ...


class Services(NamedTuple):
    """What every room needs of the server."""

    journal: Journal
    time: Time
    thinking: Thinking
    outbox: Outbox
    waits: Waits
    tally: HallTally
    known: Known | None = None
    """`None` where nobody knows: then people say themselves who they are."""


class Policy(NamedTuple):
    """What the event's rules ask of whoever runs a game."""

    premoves: bool = True
    """1.2a — whether moves can be chosen in advance."""
    call_stops_clocks: bool = False
    """11.1 — whether a call for the arbiter stops the clocks."""
    chat: Callable[[str], Finding | None] = lambda person: None
    """5.2, 6.9k — why a player may not write to the arbiters, as the event stands."""
    name_of: Callable[[str], str] = lambda person: ""
    """The name of an arbiter."""
