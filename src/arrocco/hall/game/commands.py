"""What players and the server can command for; what an arbiter can is in `arrocco.hall.game.acts`.

`by` is the person, as the server knows them, never as the message says: the side follows from it.
"""

from __future__ import annotations

import msgspec

from arrocco.hall.game.records import Cause, Channel, Permission
from arrocco.laws.online.side import Side


class PlayerCommand(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True
):
    """Something a person asks of a game; `by` is never read from a message."""

    by: str = ""


class Connect(PlayerCommand, frozen=True, kw_only=True, tag="connect"):
    """A player, or the assistant, is there (7.6)."""

    channel: Channel = Channel.PLATFORM


class Disconnect(PlayerCommand, frozen=True, kw_only=True, tag="disconnect"):
    """A player is gone (7.5)."""

    channel: Channel = Channel.PLATFORM
    cause: Cause = Cause.PLAYER


class Move(PlayerCommand, frozen=True, kw_only=True, tag="move"):
    """A move at a ply: a message that comes late or twice cannot become another move."""

    uci: str
    ply: int


class SetPremove(PlayerCommand, frozen=True, kw_only=True, tag="set_premove"):
    """The answer at a ply that the opponent's move is still to bring about (1.2a)."""

    uci: str
    ply: int


class ClearPremove(PlayerCommand, frozen=True, kw_only=True, tag="clear_premove"):
    """No premove after all."""


class SetAutoQueen(PlayerCommand, frozen=True, kw_only=True, tag="set_auto_queen"):
    """Promote pawns to queens without asking, or no longer (1.2b)."""

    on: bool


class OfferDraw(PlayerCommand, frozen=True, kw_only=True, tag="offer_draw"):
    """Offers the opponent a draw (2.3)."""


class AcceptDraw(PlayerCommand, frozen=True, kw_only=True, tag="accept_draw"):
    """Agrees to the offer that stands (2.2e)."""


class WithdrawOffer(PlayerCommand, frozen=True, kw_only=True, tag="withdraw_offer"):
    """Never granted (2.3): it is here so that it is refused with its article."""


class Resign(PlayerCommand, frozen=True, kw_only=True, tag="resign"):
    """Gives the game up (2.1a)."""


class CallArbiter(PlayerCommand, frozen=True, kw_only=True, tag="call_arbiter"):
    """Asks for the arbiter (11.1)."""

    text: str = ""


class AskPermission(PlayerCommand, frozen=True, kw_only=True, tag="ask_permission"):
    """5.3, 5.6, 7.2, 7.8 — asks the arbiter to be allowed something."""

    permission: Permission
    text: str = ""


class AnswerInspection(PlayerCommand, frozen=True, kw_only=True, tag="answer_inspection"):
    """5.10, 12.4 — shows what the arbiter asked to see, or refuses."""

    inspection: int
    shows: bool
    text: str = ""


class Say(PlayerCommand, frozen=True, kw_only=True, tag="say"):
    """A line of the chat with the arbiters (5.2); an arbiter says to which player."""

    text: str
    to: Side | None = None


class SetVcs(PlayerCommand, frozen=True, kw_only=True, tag="set_vcs"):
    """An arbiter sees that a player is in the video conference, or no longer (9.1)."""

    side: Side
    on: bool


class SetSupervision(PlayerCommand, frozen=True, kw_only=True, tag="set_supervision"):
    """9.1f — the hall itself says that the video server is gone, or back."""

    on: bool


class SetFocus(PlayerCommand, frozen=True, kw_only=True, tag="set_focus"):
    """8.3 — the hall itself says whether the board's window has a player's keyboard."""

    on: bool


class Start(PlayerCommand, frozen=True, kw_only=True, tag="start"):
    """The session begins; `by` is whoever starts the round."""


class Expel(PlayerCommand, frozen=True, kw_only=True, tag="expel"):
    """6.9j, 13.5c — the event has expelled a player; the hall itself says so."""

    player: str
    article: str


class AddNote(PlayerCommand, frozen=True, kw_only=True, tag="add_note"):
    """An arbiter's note, for arbiters only."""

    text: str
