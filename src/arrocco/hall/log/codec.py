"""Logs as JSON, one event a line, and back: what is read is what was written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, get_args

import msgspec

from arrocco.errors import Inconsistent, Malformed
from arrocco.hall.log import events as e

VERSION = 1
"""The version that events are written in."""

AnyEvent = (
    e.Created | e.Started | e.Joined | e.Connected | e.Disconnected
    | e.Moved | e.PremoveSet | e.PremoveCleared | e.PremoveExecuted | e.AutoQueenSet
    | e.DrawOffered | e.DrawAccepted | e.DrawRefused | e.Resigned | e.Flagged | e.Ended
    | e.ArbiterCalled | e.Note
    | e.Paused | e.Resumed | e.TimeSet | e.TimeAdded | e.TimeSubtracted
    | e.ResumedFromPosition | e.NewGame | e.ResultDeclared | e.ResultCorrected | e.PointsChanged
    | e.Warned | e.Fined | e.Excluded | e.ChatBlocked | e.AssistantAllowed | e.CallAnswered
    | e.Withdrawn
)  # fmt: skip
"""Every kind of event. A kind that changes its shape gets a new version, and the old one stays."""

EVENT_TYPES: tuple[type[e.Event], ...] = get_args(AnyEvent)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(AnyEvent)


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
        return Malformed(
            f"the event is written in version {version} of the log, this program knows {VERSION}",
            "read the log with the program that wrote it or a later one",
        )
    return Malformed(
        f"this is no event of a game: {error}", "give the log as it was written, one event a line"
    )


def dump(events: Iterable[e.Event]) -> bytes:
    """A whole log, one event a line."""
    return b"".join(encode(event) + b"\n" for event in events)


def load(data: bytes) -> list[e.Event]:
    """The events of a whole log.

    Raises `Malformed` with the line that is no event, and `Inconsistent` for a log that does not
    begin with the game's creation or goes back in time.
    """
    found: list[e.Event] = []
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(decode(line))
        except Malformed as refusal:
            raise Malformed(f"line {number}: {refusal.message}", refusal.advice) from None
    check(found)
    return found


def check(events: Sequence[e.Event]) -> None:
    """Raises `Inconsistent` unless a log begins with a creation, has one, and follows the time."""
    advice = "give the whole log, in the order it was written"
    if not events or not isinstance(events[0], e.Created):
        raise Inconsistent("the log does not begin with the creation of its game", advice)
    last = events[0].at
    for number, event in enumerate(events[1:], start=1):
        if isinstance(event, e.Created):
            raise Inconsistent(f"event {number} creates the game a second time", advice)
        if event.at < last:
            raise Inconsistent(f"event {number} is older than the one before it", advice)
        last = event.at
