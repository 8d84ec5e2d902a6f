"""Logs of events as JSON, one record a line, and back: what is read is what was written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

import msgspec

from arrocco.errors import Malformed
from arrocco.hall.event import events as e
from arrocco.words import system

VERSION = 1
"""The version that records are written in."""

EVENT_TYPES: tuple[type[e.Event], ...] = get_args(e.AnyEvent)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(e.AnyEvent)


class _Header(msgspec.Struct):
    v: int = 0


_headers = msgspec.json.Decoder(_Header)
_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError)


def encode(event: e.Event) -> bytes:
    """One record as a line of JSON, without the end of the line."""
    return _encoder.encode(event)


def decode(line: bytes | str) -> e.Event:
    """The record of a line. Raises `Malformed` for anything this version does not know."""
    return _decode(line, 1)


def _decode(line: bytes | str, number: int) -> e.Event:
    try:
        event: e.Event = _decoder.decode(line)
    except _FAULTS as error:
        version = _version(line)
        if version > VERSION:
            raise Malformed.of(
                "event.log_of_later_version", line=number, version=version, known=VERSION
            ) from None
        raise Malformed.of("event.log_line", line=number, error=system(error)) from None
    return event


def _version(line: bytes | str) -> int:
    try:
        return _headers.decode(line).v
    except _FAULTS:
        return 0


def dump(events: Iterable[e.Event]) -> bytes:
    """A whole log, one record a line."""
    return b"".join(encode(event) + b"\n" for event in events)


def load(data: bytes) -> list[e.Event]:
    """The records of a whole log. Raises `Malformed` with the line that is none.

    Whether they can have happened in this order is for `fold` to say.
    """
    return [
        _decode(line, number)
        for number, line in enumerate(data.splitlines(), start=1)
        if line.strip()
    ]
