"""Logs of events as JSON, one record a line, and back: what is read is what was written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Union

import msgspec

from arrocco.errors import Malformed
from arrocco.hall.event.acts import RECORDS
from arrocco.hall.event.record import Created, Record
from arrocco.words import system

VERSION = 1
"""The version that records are written in."""

RECORD_TYPES: tuple[type[Record], ...] = (Created, *RECORDS)
"""Every kind of record. A kind that changes its shape gets a new version, and the old one stays."""

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[RECORD_TYPES])  # noqa: UP007


class _Header(msgspec.Struct):
    v: int = 0


_headers = msgspec.json.Decoder(_Header)
_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError)


def encode(event: Record) -> bytes:
    """One record as a line of JSON, without the end of the line."""
    return _encoder.encode(event)


def decode(line: bytes | str) -> Record:
    """The record of a line. Raises `Malformed` for anything this version does not know."""
    return _decode(line, 1)


def _decode(line: bytes | str, number: int) -> Record:
    try:
        event: Record = _decoder.decode(line)
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


def dump(events: Iterable[Record]) -> bytes:
    """A whole log, one record a line."""
    return b"".join(encode(event) + b"\n" for event in events)


def load(data: bytes) -> list[Record]:
    """The records of a whole log. Raises `Malformed` with the line that is none.

    Whether they can have happened in this order is for `fold` to say.
    """
    return [
        _decode(line, number)
        for number, line in enumerate(data.splitlines(), start=1)
        if line.strip()
    ]
