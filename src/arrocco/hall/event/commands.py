"""What can be asked of an event. `by` is the person, as the server knows them, never as they say.

Scores are in tenths of points; boards and entries are counted from 1.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import Meta, Struct

from arrocco.hall.event.events import Moment
from arrocco.hall.event.records import (
    Arbiter,
    Boards,
    Count,
    EntryId,
    Pair,
    Person,
    Positive,
    Result,
)
from arrocco.hall.event.rules import Rules
from arrocco.laws.online.sanctions import Scope
from arrocco.report import ByeKind, GameKind

Reason = str
"""Why something is asked, in somebody's own words; `decide` minds how many."""


class Command(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """Something that somebody asks of an event."""

    by: str


class Create(Command, frozen=True, kw_only=True, tag="create"):
    """A new event, organised by whoever asks and by `organisers`."""

    event: str
    name: str
    site: str = ""
    federation: str = ""
    start: date
    end: date
    organisers: tuple[str, ...] = ()


class SetRules(Command, frozen=True, kw_only=True, tag="set_rules"):
    """The rules of the competition, until its first round is paired."""

    rules: Rules


# --- arbiters -------------------------------------------------------------------------------------


class AppointArbiter(Command, frozen=True, kw_only=True, tag="appoint_arbiter"):
    """Makes somebody an arbiter, or the chief arbiter (6.3)."""

    arbiter: Arbiter


class DismissArbiter(Command, frozen=True, kw_only=True, tag="dismiss_arbiter"):
    account: str


class AssignZone(Command, frozen=True, kw_only=True, tag="assign_zone"):
    """Gives an assistant the boards from the first to the last, or with `None` all (6.3)."""

    account: str
    zone: Pair | None = None


# --- entries --------------------------------------------------------------------------------------


class Enter(Command, frozen=True, kw_only=True, tag="enter"):
    """Enters a player: oneself, or for officials anybody, also once the event has begun."""

    person: Person


class CorrectPerson(Command, frozen=True, kw_only=True, tag="correct_person"):
    """Puts right what is known of a player (5.4)."""

    entry: EntryId
    person: Person


class CheckIn(Command, frozen=True, kw_only=True, tag="check_in"):
    """A player is there; an official can also bring back one who had withdrawn."""

    entry: EntryId


class WithdrawEntry(Command, frozen=True, kw_only=True, tag="withdraw_entry"):
    """A player leaves the event (9.1e: one tells the arbiter beforehand)."""

    entry: EntryId
    reason: Reason = ""


class RequestBye(Command, frozen=True, kw_only=True, tag="request_bye"):
    """A player asks not to be paired in a round, for half a point or for nothing."""

    entry: EntryId
    round: Positive
    kind: ByeKind = ByeKind.ZERO_POINT


class CancelBye(Command, frozen=True, kw_only=True, tag="cancel_bye"):
    """A player will play after all."""

    entry: EntryId
    round: Positive


class ForbidPair(Command, frozen=True, kw_only=True, tag="forbid_pair"):
    """Two players are not to meet."""

    one: EntryId
    other: EntryId
    reason: Reason


class AllowPair(Command, frozen=True, kw_only=True, tag="allow_pair"):
    one: EntryId
    other: EntryId


# --- rounds ---------------------------------------------------------------------------------------


class PairRound(Command, frozen=True, kw_only=True, tag="pair_round"):
    """Pairs the next round by the system of the event.

    `order` gives the entries of a round robin by starting number, as they were drawn by lot.
    """

    starts: Moment | None = None
    order: tuple[EntryId, ...] = ()


class PairByHand(Command, frozen=True, kw_only=True, tag="pair_by_hand"):
    """The next round as the chief arbiter pairs it; a reason sets aside what the system minds."""

    boards: Boards
    bye: EntryId | None = None
    starts: Moment | None = None
    reason: Reason = ""


class WithdrawPairing(Command, frozen=True, kw_only=True, tag="withdraw_pairing"):
    """Takes a pairing back before its round begins."""

    reason: Reason


class DrawSample(Command, frozen=True, kw_only=True, tag="draw_sample"):
    """Draws the players to be watched in a round (9.1) from a seed that anybody can check."""

    seed: Annotated[str, Meta(max_length=200)]


class OpenRound(Command, frozen=True, kw_only=True, tag="open_round"):
    """Lets all games of a round begin together."""


class DelayRound(Command, frozen=True, kw_only=True, tag="delay_round"):
    starts: Moment
    reason: Reason


class CloseRound(Command, frozen=True, kw_only=True, tag="close_round"):
    """Ends a round once all results are there."""


class TakeResult(Command, frozen=True, kw_only=True, tag="take_result"):
    """A game has ended; the hall itself asks this, with nobody as `by`, again if it changes."""

    round: Positive
    board: Positive
    result: Result
    game: str = ""
    article: str = ""


class TakeBack(Command, frozen=True, kw_only=True, tag="take_back"):
    """A game goes on or begins anew (6.8, 11.2); `white` is who has White now. The hall asks."""

    round: Positive
    board: Positive
    white: EntryId
    game: str = ""


class CorrectResult(Command, frozen=True, kw_only=True, tag="correct_result"):
    """Changes a result (11.3, 11.4, 5.16, 13.3, 13.5b); `kind` tells if it was played after all."""

    round: Positive
    board: Positive
    points: Pair
    article: str
    reason: Reason
    kind: GameKind | None = None


# --- sanctions ------------------------------------------------------------------------------------


class Impose(Command, frozen=True, kw_only=True, tag="impose"):
    """Imposes a sanction of 6.9, or records one of the committee (13.5).

    `points` of the game in `round`, White first, are what 6.9d, e, f and 13.5b make of it; `days`
    are how long the committee excludes somebody for (13.5c).
    """

    article: str
    entry: EntryId
    reason: Reason
    scope: Scope | None = None
    rounds: tuple[Positive, ...] = ()
    round: Positive | None = None
    points: Pair | None = None
    fine: int | None = None
    days: Annotated[int, Meta(ge=1, le=36_500)] | None = None


class LiftSanction(Command, frozen=True, kw_only=True, tag="lift_sanction"):
    """Takes a sanction back; what it did to a game is undone."""

    number: Positive
    reason: Reason


class CarryOut(Command, frozen=True, kw_only=True, tag="carry_out"):
    """A sanction of a game's arbiter that the event carries out, once; the hall itself asks."""

    game: str
    act: Count
    impose: Impose


class CarryBack(Command, frozen=True, kw_only=True, tag="carry_back"):
    """The act in a game was withdrawn by `arbiter`: its sanction holds no more."""

    game: str
    act: Count
    arbiter: str
    reason: Reason


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """5.2 — a line from a player to the arbiters; an arbiter says to which entry."""

    text: str
    entry: EntryId | None = None


# --- the end --------------------------------------------------------------------------------------


class CloseEvent(Command, frozen=True, kw_only=True, tag="close_event"):
    """Ends the event; before its last round with a reason."""

    reason: Reason = ""


class Validate(Command, frozen=True, kw_only=True, tag="validate"):
    """The chief arbiter validates the standings (12.9)."""


AnyCommand = (
    SetRules | AppointArbiter | DismissArbiter | AssignZone
    | Enter | CorrectPerson | CheckIn | WithdrawEntry | RequestBye | CancelBye
    | ForbidPair | AllowPair
    | PairRound | PairByHand | WithdrawPairing | DrawSample
    | OpenRound | DelayRound | CloseRound | TakeResult | TakeBack | CorrectResult
    | Impose | LiftSanction | CarryOut | CarryBack | Say | CloseEvent | Validate
)  # fmt: skip
"""Everything that can be asked of an event that exists."""
