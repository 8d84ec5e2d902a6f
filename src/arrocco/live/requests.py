"""What other processes ask of the hall, and its answers: msgpack frames over a Unix-domain socket.

A connection carries one request and one answer, each with its length before it. Only this server's
own user can open the socket, so a request says itself who asks; sizes are bounded all the same.
"""

from __future__ import annotations

import asyncio
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any

import msgspec

from arrocco.errors import Refusal
from arrocco.findings import Finding, Place, Severity
from arrocco.hall.event.creation import Create
from arrocco.hall.event.wire import AnyCommand
from arrocco.hall.presence import PlayerPresence, RecordingHead
from arrocco.live.event_room import CommandOutcome
from arrocco.live.numbers import HallNumbers
from arrocco.live.receipts import Receipt
from arrocco.office.roles import Asker

MAX_FRAME = 4 * 1024 * 1024
"""Bytes of a request or an answer."""
_LENGTH = 4


class Request(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=str.lower):
    """Something asked of the hall."""


class CreateEvent(Request, frozen=True, kw_only=True):
    """A new event."""

    command: Create


class AskEvent(Request, frozen=True, kw_only=True):
    """A command to an event; with `asker` somebody wrote its fields themselves."""

    event: str
    command: AnyCommand
    receipt: Receipt | None = None
    asker: Asker | None = None


class Numbers(Request, frozen=True, kw_only=True):
    """The hall in numbers, for whoever watches it."""


class TellPresence(Request, frozen=True, kw_only=True):
    """9.1 — the video server says who is in the conference, and that it is there itself."""

    players: list[PlayerPresence]
    is_up: bool = True
    """False where it can see nobody, by a fault of its own."""


class KeepHeads(Request, frozen=True, kw_only=True):
    """The last slices of recordings, to be entered in the log of their event."""

    event: str
    heads: list[RecordingHead]


AnyRequest = CreateEvent | AskEvent | Numbers | TellPresence | KeepHeads


class FindingSent(msgspec.Struct, frozen=True):
    """A finding on its way to another process."""

    severity: str
    key: str
    article: str
    details: Any
    place: tuple[str, int | None, int | None] = ("", None, None)


class Reply(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=str.lower):
    """The hall's answer."""


class Answered(Reply, frozen=True, kw_only=True):
    """What became of a command."""

    again: bool = False
    objections: list[FindingSent] = []


class Counted(Reply, frozen=True, kw_only=True):
    """The hall at this moment."""

    numbers: HallNumbers


class Heard(Reply, frozen=True, kw_only=True):
    """5.14 — who need not be in the conference: event and account of each."""

    free: list[tuple[str, str]] = []


class Declined(Reply, frozen=True, kw_only=True):
    """A refusal: its class, what it says, and its status."""

    kind: str
    key: str
    details: Any
    findings: list[FindingSent]
    status: int | None = None


class Failed(Reply, frozen=True, kw_only=True):
    """Something went wrong that is no refusal; the hall has it in its own log."""

    error: str


AnyReply = Answered | Counted | Heard | Declined | Failed

_encoder = msgspec.msgpack.Encoder()
_requests = msgspec.msgpack.Decoder(AnyRequest)
_replies = msgspec.msgpack.Decoder(AnyReply)


def encode(message: Request | Reply) -> bytes:
    return _encoder.encode(message)


def decode_request(data: bytes) -> AnyRequest:
    """Raises `msgspec.DecodeError` for what is no request."""
    request: AnyRequest = _requests.decode(data)
    return request


def decode_reply(data: bytes) -> AnyReply:
    """Raises `msgspec.DecodeError` for what is no answer."""
    reply: AnyReply = _replies.decode(data)
    return reply


# --- frames ---------------------------------------------------------------------------------------


async def read_frame(reader: asyncio.StreamReader) -> bytes:
    """Raises `EOFError` where the other side has gone, `ValueError` for a frame too long."""
    length = int.from_bytes(await reader.readexactly(_LENGTH), "big")
    if length > MAX_FRAME:
        raise ValueError(f"a frame of {length} bytes")
    return await reader.readexactly(length)


def frame(data: bytes) -> bytes:
    if len(data) > MAX_FRAME:
        raise ValueError(f"a frame of {len(data)} bytes")
    return len(data).to_bytes(_LENGTH, "big") + data


# --- outcomes and refusals ------------------------------------------------------------------------


def reply_of(outcome: CommandOutcome) -> Answered:
    """The answer to a command; what it brought about is in the log, for whoever wants to know."""
    return Answered(
        again=outcome.again, objections=[_sent(objection) for objection in outcome.objections]
    )


def outcome_of(reply: Answered) -> CommandOutcome:
    objections = tuple(_received(objection) for objection in reply.objections)
    return CommandOutcome(objections=objections, again=reply.again)


def declined(refusal: Refusal) -> Declined:
    """A refusal as it is sent."""
    kind = type(refusal)
    return Declined(
        kind=f"{kind.__module__}.{kind.__qualname__}",
        key=refusal.key,
        details=_packed(refusal.details),
        findings=[_sent(finding) for finding in refusal.findings],
        status=getattr(refusal, "http_status", None),
    )


def refusal_of(reply: Declined) -> Refusal:
    """The same refusal, of the same class where this process knows it."""
    kind = _kinds(Refusal).get(reply.kind, Refusal)
    findings = tuple(_received(finding) for finding in reply.findings)
    refusal = kind.of(reply.key, findings=findings, **_unpacked(reply.details))
    if reply.status is not None and getattr(refusal, "http_status", None) != reply.status:
        refusal.http_status = reply.status  # type: ignore[attr-defined]
    return refusal


def _kinds(kind: type[Refusal]) -> dict[str, type[Refusal]]:
    kinds = {f"{kind.__module__}.{kind.__qualname__}": kind}
    for below in kind.__subclasses__():
        kinds |= _kinds(below)
    return kinds


def _sent(finding: Finding) -> FindingSent:
    place = finding.place
    return FindingSent(
        finding.severity.value,
        finding.key,
        finding.article,
        _packed(finding.details),
        (place.file, place.line, place.column),
    )


def _received(sent: FindingSent) -> Finding:
    return Finding(
        Severity(sent.severity), sent.key, Place(*sent.place), sent.article, _unpacked(sent.details)
    )


# --- details: what sentences mention, of the few kinds they do ------------------------------------

_KIND, _VALUE = "$kind", "$value"


def _packed(value: Any) -> Any:
    """A value that is the same again in the other process, as far as sentences show it."""
    match value:
        case None | bool() | int() | float():
            return value
        case Enum():
            return _packed(value.value)
        case str():
            return str(value)
        case dict():
            return {str(name): _packed(one) for name, one in value.items()}
        case tuple() | list() | set() | frozenset():
            return [_packed(one) for one in value]
        case datetime():
            return {_KIND: "datetime", _VALUE: value.isoformat()}
        case date():
            return {_KIND: "date", _VALUE: value.isoformat()}
        case time():
            return {_KIND: "time", _VALUE: value.isoformat()}
        case timedelta():
            return {_KIND: "timedelta", _VALUE: value.total_seconds()}
        case Decimal():
            return {_KIND: "decimal", _VALUE: str(value)}
        case _:
            return str(value)


_UNPACKED: dict[str, Any] = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": lambda seconds: timedelta(seconds=seconds),
    "decimal": Decimal,
}


def _unpacked(value: Any) -> Any:
    match value:
        case {"$kind": kind, "$value": inner}:
            return _UNPACKED[kind](inner)
        case dict():
            return {name: _unpacked(one) for name, one in value.items()}
        case list():
            return tuple(_unpacked(one) for one in value)
        case _:
            return value
