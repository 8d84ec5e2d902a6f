"""Commands as they come over the wire: what each kind of person can ask for, and by whom.

Who asks is what the server knows of the connection. A message that says so itself is refused, like
any other that is not exactly one of the commands.
"""

from __future__ import annotations

from typing import Any, Union

import msgspec

from arrocco.errors import Malformed
from arrocco.hall.game import acts
from arrocco.hall.game import commands as c

PlayerCommands = (
    c.Move
    | c.SetPremove
    | c.ClearPremove
    | c.SetAutoQueen
    | c.OfferDraw
    | c.AcceptDraw
    | c.WithdrawOffer
    | c.Resign
    | c.CallArbiter
    | c.AskPermission
    | c.AnswerInspection
)
ArbiterCommands: Any = Union[(c.Start, c.AddNote, c.SetVcs, *acts.COMMANDS)]
"""The small things an arbiter asks, and every act."""

MAX_BYTES = 16_384
"""The longest message; the longest text in one has 2,000 characters."""

# Made once: what a union of types means is worked out when a decoder is made.
_FIELDS = msgspec.json.Decoder(dict[str, Any])
_PLAYER_COMMAND: msgspec.json.Decoder[Any] = msgspec.json.Decoder(PlayerCommands)
_ARBITER_COMMAND: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ArbiterCommands)


def read_player_command(data: bytes, by: str) -> c.PlayerCommand:
    """What a player, or the assistant, asks for. Raises `Malformed` for anything else."""
    command: c.PlayerCommand = _read(data, by, _PLAYER_COMMAND)
    return command


def read_arbiter_command(data: bytes, by: str) -> c.PlayerCommand | acts.ArbiterCommand:
    """What an arbiter asks for. Raises `Malformed` for anything else."""
    command: c.PlayerCommand | acts.ArbiterCommand = _read(data, by, _ARBITER_COMMAND)
    return command


def _read(data: bytes, by: str, kinds: msgspec.json.Decoder[Any]) -> Any:
    if len(data) > MAX_BYTES:
        raise Malformed.of("hall.wire.too_long", most=MAX_BYTES)
    try:
        command = kinds.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if _says_who(data):
            raise Malformed.of("hall.wire.says_who") from None
        raise Malformed.of("hall.wire.no_wish", reason=str(error)) from None
    if command.by:
        raise Malformed.of("hall.wire.says_who")
    msgspec.structs.force_setattr(command, "by", by)  # nobody else has it yet
    return command


def _says_who(data: bytes) -> bool:
    try:
        return "by" in _FIELDS.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
