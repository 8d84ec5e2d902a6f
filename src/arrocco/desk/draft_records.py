"""What is kept and shown of a draft."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import msgspec
from msgspec import Struct, field

from arrocco.errors import Illegal
from arrocco.office.ledger import UsedReport
from arrocco.office.records import DraftStatus
from arrocco.store.sql.drafts import DraftRow
from arrocco.words import Phrase


class Move(Struct, frozen=True, kw_only=True):
    """A player between the list before and the draft; `None` is unrated."""

    player: int
    name: str
    federation: str
    before: int | None
    after: int | None


class DraftDiff(Struct, frozen=True, kw_only=True):
    """What the draft changes of the list before."""

    classes: dict[str, int] = field(default_factory=dict)
    """How many players are in each of `engine.diff.CLASSES`."""
    points: dict[str, int] = field(default_factory=dict)
    histogram: tuple[tuple[int, int | None, int, int], ...] = ()
    """Bounds of a size of change, how many gained and how many lost so much."""
    gains: tuple[Move, ...] = ()
    losses: tuple[Move, ...] = ()
    new: tuple[Move, ...] = ()
    delisted: tuple[Move, ...] = ()


class DraftUnusual(Struct, frozen=True, kw_only=True):
    """Something to look at; the sentence is ``office.unusual.<kind>`` with the figures."""

    kind: str
    players: tuple[int, ...] = ()
    tournament: int | None = None
    figures: dict[str, Any] = field(default_factory=dict)


class DraftLeftOut(Struct, frozen=True, kw_only=True):
    """A report that is not on the list; the words are ``desk.left_out.<reason>``."""

    report: int
    tournament: int
    reason: str
    errors: tuple[str, ...] = ()
    """The keys of the errors that stop it, where it is the gate that does."""


class Failure(Struct, frozen=True, kw_only=True):
    """Why there is no list: a key of the catalogues and its kept details."""

    key: str
    details: dict[str, object] = field(default_factory=dict)


class DraftBody(Struct, frozen=True, kw_only=True):
    """What is kept of a draft that came to its end."""

    summary: dict[str, Any] = field(default_factory=dict)
    diff: DraftDiff = field(default_factory=DraftDiff)
    unusual: tuple[DraftUnusual, ...] = ()
    left_out: tuple[DraftLeftOut, ...] = ()
    used: tuple[UsedReport, ...] = ()
    corrections: int = 0
    player_changes: int = 0
    files: dict[str, str] = field(default_factory=dict)
    format: int = 1
    """How the files are written; drafts from before there was a second way do not say."""
    failure: Failure | None = None


class Draft(Struct, frozen=True, kw_only=True):
    """A draft as it is shown."""

    id: int
    system: str
    list_date: date
    status: DraftStatus
    stage: str
    done: int
    total: int
    made_by: int
    made_at: datetime
    ledger_seq: int
    summary: dict[str, Any]
    diff: DraftDiff
    unusual: tuple[DraftUnusual, ...]
    left_out: tuple[DraftLeftOut, ...]
    used: tuple[UsedReport, ...]
    corrections: int
    player_changes: int
    failure: Failure | None


def shown(row: DraftRow) -> Draft:
    """A draft of a row."""
    body = body_of(row)
    return Draft(
        id=row.id,
        system=row.system,
        list_date=row.list_date,
        status=row.status,
        stage=row.stage,
        done=row.done,
        total=row.total,
        made_by=row.made_by,
        made_at=row.made_at,
        ledger_seq=row.ledger_seq,
        summary=body.summary,
        diff=body.diff,
        unusual=body.unusual,
        left_out=body.left_out,
        used=body.used,
        corrections=body.corrections,
        player_changes=body.player_changes,
        failure=body.failure,
    )


def body_of(row: DraftRow) -> DraftBody:
    return msgspec.json.decode(row.body, type=DraftBody)


def wrong_state(row: DraftRow) -> Illegal:
    """The refusal for a draft that does not stand as it should."""
    return Illegal.of("desk.refused.draft_state", status=Phrase(f"desk.status.{row.status.value}"))
