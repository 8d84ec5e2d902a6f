"""Commands as they come over the wire, and by whom: who asks is what the server knows of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, Union

import msgspec

from arrocco.errors import Malformed
from arrocco.hall.event.acts import COMMANDS, Command
from arrocco.hall.event.creation import Create
from arrocco.words import system

MAX_BYTES = 65_536
"""The longest message: a round paired by hand of a few hundred boards."""

if TYPE_CHECKING:
    AnyCommand: TypeAlias = Command
else:
    AnyCommand = Union[COMMANDS]  # noqa: UP007
"""Everything that can be asked of an event that exists; what it is follows from the modules."""


def read_command(data: bytes, by: str) -> Command:
    """What somebody asks of an event that exists.

    Raises `Malformed` for a message that is not exactly one command, or says itself who asks, or
    comes from nobody: that would be the hall itself.
    """
    command: Command = _read(data, by, AnyCommand)
    return command


def read_create(data: bytes, by: str) -> Create:
    """The command for a new event."""
    command: Create = _read(data, by, Create)
    return command


def _read(data: bytes, by: str, kinds: Any) -> Any:
    if not by:
        raise Malformed.of("event.command_of_nobody")
    if len(data) > MAX_BYTES:
        raise Malformed.of("event.command_too_long", most=MAX_BYTES)
    try:
        fields = msgspec.json.decode(data, type=dict[str, Any])
        if "by" in fields:
            raise Malformed.of("event.command_says_who")
        return msgspec.convert({**fields, "by": by}, kinds)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError) as error:
        raise Malformed.of("event.not_a_command", error=system(error)) from None
