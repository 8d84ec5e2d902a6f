"""Wishes as they come over the wire: what each kind of person can ask for, and by whom.

Who asks is what the server knows of the connection. A message that says so itself is refused, like
any other that is not exactly one of the wishes.
"""

from __future__ import annotations

from typing import Any

import msgspec

from arrocco.errors import Malformed
from arrocco.hall import acts as a
from arrocco.hall.game import commands as c

PlayerWish = (
    c.Move | c.SetPremove | c.ClearPremove | c.SetAutoQueen
    | c.OfferDraw | c.AcceptDraw | c.WithdrawOffer | c.Resign | c.CallArbiter
)  # fmt: skip
ArbiterWish = (
    c.Start | c.AddNote | c.SetVcs
    | a.Pause | a.Resume | a.SetTime | a.AddTime | a.SubtractTime
    | a.ResumeFromPosition | a.Replay | a.CorrectColours
    | a.DeclareResult | a.CorrectResult | a.ChangePoints
    | a.Warn | a.Fine | a.Exclude | a.BlockChat | a.AllowAssistant | a.AnswerCall | a.Withdraw
)  # fmt: skip

MOST_BYTES = 16_384
"""The longest message; the longest text in one has 2,000 characters."""

# Made once: what a union of types means is worked out when a decoder is made.
_FIELDS = msgspec.json.Decoder(dict[str, Any])
_PLAYER_WISH: msgspec.json.Decoder[Any] = msgspec.json.Decoder(PlayerWish)
_ARBITER_WISH: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ArbiterWish)


def read_player_wish(data: bytes, by: str) -> c.Wish:
    """What a player, or the assistant, asks for. Raises `Malformed` for anything else."""
    wish: c.Wish = _read(data, by, _PLAYER_WISH)
    return wish


def read_arbiter_wish(data: bytes, by: str) -> c.Wish | a.ArbiterAct:
    """What an arbiter asks for. Raises `Malformed` for anything else."""
    wish: c.Wish | a.ArbiterAct = _read(data, by, _ARBITER_WISH)
    return wish


def _read(data: bytes, by: str, kinds: msgspec.json.Decoder[Any]) -> Any:
    if len(data) > MOST_BYTES:
        raise Malformed.of("hall.wire.too_long", most=MOST_BYTES)
    try:
        if data[:1] == b"{" and b'"by"' not in data and b"\\" not in data:
            # Nothing in it can be read as who asks, so it is put before all that is in it.
            return kinds.decode(b'{"by":' + msgspec.json.encode(by) + b"," + data[1:])
        fields = _FIELDS.decode(data)
        if "by" in fields:
            raise Malformed.of("hall.wire.says_who")
        return kinds.decode(msgspec.json.encode({**fields, "by": by}))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed.of("hall.wire.no_wish", reason=str(error)) from None
