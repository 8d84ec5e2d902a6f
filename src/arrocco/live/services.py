"""What a game is given by the server it is on, and by the rules of its event."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from arrocco.findings import Finding
from arrocco.hall.event.record import Record
from arrocco.hall.event.records import Person
from arrocco.hall.event.state import State
from arrocco.laws.classes import TimeClass
from arrocco.laws.online.law import OnlineLaw
from arrocco.live.analysis import Thinking
from arrocco.live.journal import Journal
from arrocco.live.outbox import Outbox
from arrocco.live.server_time import Time
from arrocco.live.tally import HallTally
from arrocco.live.waits import Waits
from arrocco.office.roles import Asker


class Known(Protocol):
    """5.4 — what the office knows of people who enter an event; both may block."""

    def __call__(self, asker: Asker, kind: TimeClass | None) -> Person:
        """Who somebody is who enters themselves, rated as on the list of a kind."""
        ...

    def may_have_number(self, account: str, number: int) -> bool:
        """Whether an account is the one that holds a number of the federation, or is none."""
        ...


class EventMails(Protocol):
    """Writes to the players of an event what its log has just been given; it may block."""

    def __call__(self, state: State, records: Sequence[Record]) -> int: ...


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
    with_analysis: Callable[[], bool] = lambda: True
    """5.17 — whether players may see analysis: not while their tournament lasts."""
    name_of: Callable[[str], str] = lambda person: ""
    """The name of an arbiter."""
    vcs_grace: int = 3_000
    """9.1f — milliseconds that something may be missing in the video conference."""
    cards: bool = False
    red_card_from: int | None = None
    """9.2 — whether there are cards, and from which on they are red."""
    law: OnlineLaw | None = None
    """The edition that the event is held under; without an event, that of the game's own day."""
