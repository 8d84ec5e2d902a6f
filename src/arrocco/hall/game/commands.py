"""What players and the server can wish for; what an arbiter can is in `arrocco.hall.acts`.

`by` is the person, as the server knows them, never as the message says: the side follows from it.
"""

from __future__ import annotations

import msgspec

from arrocco.hall.log.records import Cause, Channel
from arrocco.laws.online.side import Side


class Wish(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """Something a person asks of a game."""

    by: str


class Connect(Wish, frozen=True, kw_only=True, tag="connect"):
    """A player, or the assistant, is there (7.6)."""

    channel: Channel = Channel.PLATFORM


class Disconnect(Wish, frozen=True, kw_only=True, tag="disconnect"):
    """A player is gone (7.5)."""

    channel: Channel = Channel.PLATFORM
    cause: Cause = Cause.PLAYER


class Move(Wish, frozen=True, kw_only=True, tag="move"):
    """A move at a ply: a message that comes late or twice cannot become another move."""

    uci: str
    ply: int


class SetPremove(Wish, frozen=True, kw_only=True, tag="set_premove"):
    """The answer at a ply that the opponent's move is still to bring about (1.2a)."""

    uci: str
    ply: int


class ClearPremove(Wish, frozen=True, kw_only=True, tag="clear_premove"):
    """No premove after all."""


class SetAutoQueen(Wish, frozen=True, kw_only=True, tag="set_auto_queen"):
    """Promote pawns to queens without asking, or no longer (1.2b)."""

    on: bool


class OfferDraw(Wish, frozen=True, kw_only=True, tag="offer_draw"):
    """Offers the opponent a draw (2.3)."""


class AcceptDraw(Wish, frozen=True, kw_only=True, tag="accept_draw"):
    """Agrees to the offer that stands (2.2e)."""


class WithdrawOffer(Wish, frozen=True, kw_only=True, tag="withdraw_offer"):
    """Never granted (2.3): it is here so that it is refused with its article."""


class Resign(Wish, frozen=True, kw_only=True, tag="resign"):
    """Gives the game up (2.1a)."""


class CallArbiter(Wish, frozen=True, kw_only=True, tag="call_arbiter"):
    """Asks for the arbiter (11.1)."""

    text: str = ""


class Say(Wish, frozen=True, kw_only=True, tag="say"):
    """A line of the chat with the arbiters (5.2); an arbiter says to which player."""

    text: str
    to: Side | None = None


class SetVcs(Wish, frozen=True, kw_only=True, tag="set_vcs"):
    """An arbiter sees that a player is in the video conference, or no longer (9.1)."""

    side: Side
    on: bool


class Start(Wish, frozen=True, kw_only=True, tag="start"):
    """The session begins; `by` is whoever starts the round."""


class AddNote(Wish, frozen=True, kw_only=True, tag="add_note"):
    """An arbiter's note, for arbiters only."""

    text: str
