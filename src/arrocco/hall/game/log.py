"""Logs as JSON, one event a line, and back: what is read is what was written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Union

import msgspec

from arrocco.errors import Inconsistent, Malformed
from arrocco.hall.game import events as e
from arrocco.hall.game.acts import RECORDS

VERSION = 1
"""The version that events are written in."""

EVENT_TYPES: tuple[type[e.Event], ...] = (
    *(kind for kind in e.Event.__subclasses__() if kind is not e.Act),
    *RECORDS,
)
"""Every kind of event. A kind that changes its shape gets a new version, and the old one stays."""

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[EVENT_TYPES])  # noqa: UP007


_ON_LINE = {
    "hall.log.newer_version": "hall.log.newer_version_on_line",
    "hall.log.no_event": "hall.log.no_event_on_line",
}
"""What is said of an event where its line is known."""


class _Header(msgspec.Struct):
    v: int = 0


_headers = msgspec.json.Decoder(_Header)


def encode(event: e.Event) -> bytes:
    """One event as a line of JSON, without the end of the line."""
    return _encoder.encode(event)


def decode(line: bytes | str) -> e.Event:
    """The event of a line. Raises `Malformed` for anything this version does not know."""
    try:
        event: e.Event = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _not_an_event(line, error) from None
    return event


def _not_an_event(line: bytes | str, error: Exception) -> Malformed:
    try:
        version = _headers.decode(line).v
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        version = 0
    if version > VERSION:
        return Malformed.of("hall.log.newer_version", version=version, known=VERSION)
    return Malformed.of("hall.log.no_event", reason=str(error))


def dump(events: Iterable[e.Event]) -> bytes:
    """A whole log, one event a line."""
    return b"".join(encode(event) + b"\n" for event in events)


def load(data: bytes) -> list[e.Event]:
    """The events of a whole log.

    Raises `Malformed` with the line that is no event, and `Inconsistent` for a log that does not
    begin with the game's creation or goes back in time.
    """
    events: list[e.Event] = []
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            events.append(decode(line))
        except Malformed as refusal:
            raise Malformed.of(_ON_LINE[refusal.key], line=number, **refusal.details) from None
    check(events)
    return events


def check(events: Sequence[e.Event]) -> None:
    """Raises `Inconsistent` unless a log begins with a creation, has one, and follows the time."""
    if not events or not isinstance(events[0], e.Created):
        raise Inconsistent.of("hall.log.no_creation")
    last = events[0].at
    for number, event in enumerate(events[1:], start=1):
        if isinstance(event, e.Created):
            raise Inconsistent.of("hall.log.fault.created_twice", number=number)
        if event.at < last:
            raise Inconsistent.of("hall.log.fault.older", number=number)
        last = event.at
