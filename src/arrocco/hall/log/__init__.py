"""The log of a game: what happened, in order, never changed; everything else follows from it."""

from arrocco.hall.log.codec import EVENT_TYPES, VERSION, check, decode, dump, encode, load
from arrocco.hall.log.records import Card, Cause, Channel, Cleared, Pair, Player, Reason, Rules

__all__ = [
    "EVENT_TYPES",
    "VERSION",
    "Card",
    "Cause",
    "Channel",
    "Cleared",
    "Pair",
    "Player",
    "Reason",
    "Rules",
    "check",
    "decode",
    "dump",
    "encode",
    "load",
]
