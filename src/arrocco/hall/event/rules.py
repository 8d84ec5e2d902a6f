"""The rules of a competition: what the regulation leaves to it to say."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from functools import cached_property

from msgspec import UNSET, Struct, UnsetType

from arrocco.errors import Malformed
from arrocco.hall.event.records import PairingSystem, TieBreak
from arrocco.laws.classes import TimeClass
from arrocco.laws.hall import OnlineRating, first_entry_rating
from arrocco.laws.online.sanctions import ArbiterSanction
from arrocco.laws.online.score import Scoring
from arrocco.laws.online.side import Side
from arrocco.records.timecontrol import TimeControl, parse_code

TENTHS = Scoring(10, 5, 0, 0)
"""3.1 — one point, half a point and nothing. Points of events are in tenths, as in reports."""

ZERO = timedelta(0)
USUAL_GRACE = timedelta(seconds=3)
"""9.1f — where the rules do not state another: what a browser needs to come back by itself."""


class Supervision(StrEnum):
    """9.1 — who is watched in a video conference."""

    NONE = "none"
    SAMPLE = "sample"
    """Some players, chosen by lot."""
    FULL = "full"


class Chat(StrEnum):
    """5.2 — in a tournament the chat is only for what is said to arbiters."""

    CLOSED = "closed"
    ARBITERS = "arbiters"
    EVERYBODY = "everybody"
    """Cannot be; it is here so that it is refused with its article."""


class Spectators(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who looks on, and how much later than the players."""

    admitted: bool = True
    delay: timedelta = ZERO
    delay_half_moves: int = 0


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """What an event's own rules say. What they must state has no default that says it."""

    system: PairingSystem = PairingSystem.SWISS
    rounds: int = 0
    """A round robin has as many as its table: 0."""
    time_control: str = ""
    """The code of TRF record 222, in seconds: ``300+3``, ``40/6000+30:900+30``."""
    tolerance: timedelta | None = None
    """1.3.5 — `None` where it is not stated, which is not zero."""
    white_loses_time_while_absent: bool = True
    """1.3.5 — unless the rules say otherwise."""
    reconnection_limit: timedelta | None = None
    """7.7 — the time in which one must be back; `None` leaves it to the clock."""
    disconnection_rule: str = ""
    """7.4 — the consequences of a disconnection, in the event's own words."""
    premoves: bool = True
    """1.2a — whether players can choose moves in advance."""
    scoring: Scoring = TENTHS
    bye_points: int | None = None
    """What the allocated bye gives; `None` as much as a win."""
    half_point_byes: int = 0
    """How many a player can ask for."""
    half_point_byes_until: int | None = None
    """The last round one can be asked for."""
    late_entries_until: int = 1
    """The last round that somebody new can be paired in."""
    check_in: bool = False
    """Whether only who has checked in is paired."""
    federation_id_required: bool = True
    """5.4 — in official competitions everybody plays under their federation's account."""
    spectators: Spectators = Spectators()
    chat: Chat = Chat.ARBITERS
    call_stops_clocks: bool = False
    """11.1 — whether a call for the arbiter stops the clocks."""
    supervision: Supervision = Supervision.NONE
    sample: int = 0
    """9.1 — how many players are watched in each round."""
    share_screen: bool | UnsetType = UNSET
    """8.1, 9.1c — whether who is watched shares the screen as well; unset in logs of before."""
    second_camera: bool | UnsetType = UNSET
    """10.3 — whether who is watched needs a second camera; else it is offered."""
    rest_between_rounds: bool | UnsetType = UNSET
    """12.3 — whether cameras may be off between rounds, as they may after one's own game (5.14)."""
    vcs_grace: timedelta | UnsetType = UNSET
    """9.1f — how long something may be missing before moves wait for it; unset as usual."""
    cards: bool = False
    """9.2 — yellow and red cards for leaving the video conference."""
    red_card_from: int | None = None
    announced_fine: int | None = None
    """6.9g — the highest fine announced beforehand, in euro cents; `None` for none."""
    device_sanction: ArbiterSanction | None = None
    """5.9 — a milder one in the place of the loss for a forbidden device."""
    final_decisions: tuple[ArbiterSanction, ...] = ()
    """5.16, 12.7 — decisions of the chief arbiter that cannot be appealed."""
    fair_play_only_by_platform: bool = False
    """12.8 — cannot be."""
    rated: bool = True
    """Whether the games count for the Rating Italia Online (14.1)."""
    tie_breaks: tuple[TieBreak, ...] = ()
    """In the order in which they decide."""
    rating_of_unrated: int = first_entry_rating()
    """14.2 — what a player without a rating counts as in tie-breaks of ratings."""
    initial_colour: Side = Side.WHITE
    """The colour drawn by lot for the first player of a Swiss (C.04.3, 5.1)."""

    @cached_property
    def control(self) -> TimeControl | None:
        """1.3.6 — the time control; `None` where the code cannot be read."""
        try:
            return parse_code(self.time_control)
        except Malformed:
            return None

    @property
    def needs_screen(self) -> bool:
        return self.share_screen is not False

    @property
    def needs_second_camera(self) -> bool:
        return self.second_camera is True

    @property
    def may_rest_between_rounds(self) -> bool:
        return self.rest_between_rounds is not False

    @property
    def grace(self) -> timedelta:
        return USUAL_GRACE if isinstance(self.vcs_grace, UnsetType) else self.vcs_grace

    @property
    def points_for_bye(self) -> int:
        return self.scoring.win if self.bye_points is None else self.bye_points

    @property
    def cycles(self) -> int:
        """How often two players meet in a round robin."""
        return 2 if self.system is PairingSystem.DOUBLE_ROUND_ROBIN else 1

    def time_class(self, rio: OnlineRating) -> TimeClass | None:
        """14.3 — bullet, blitz or rapid; `None` for a control of no type."""
        return None if self.control is None else rio.time_class(self.control)
