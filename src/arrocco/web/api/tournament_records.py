"""Tournaments and reports as the API answers them."""

from __future__ import annotations

from datetime import date

from msgspec import Struct

from arrocco.web.api.records import RefusedFinding


class TournamentHead(Struct, frozen=True, kw_only=True):
    """What everybody may know of a tournament."""

    id: int
    name: str
    city: str
    federation: str
    systems: list[str]
    start: date
    end: date
    time_control: str
    pairing: str
    chief_arbiter: str
    rounds: int
    status: str
    report_received: bool
    waits_for: dict[str, date]
    rated_on: dict[str, list[date]]
    annulled: bool
    """Whether it was taken out after it was on a list; that list stays as it is."""


class TournamentRows(Struct, frozen=True, kw_only=True):
    """Some tournaments, and how many there are in all."""

    total: int
    offset: int
    tournaments: list[TournamentHead]


class TableCell(Struct, frozen=True, kw_only=True):
    """A round of a player; `opponent` is a starting number."""

    result: str
    opponent: int | None
    white: bool | None
    played: bool


class TableLine(Struct, frozen=True, kw_only=True):
    """A line of a cross-table."""

    number: int
    rank: int | None
    id: int | None
    name: str
    federation: str
    rating: int | None
    points: str
    rounds: list[TableCell]


class RatedLine(Struct, frozen=True, kw_only=True):
    """What a tournament brought a player in one system."""

    id: int
    rating: int | None
    n: int
    score: str
    expected: str
    delta: str
    k: int | None
    variation: str
    towards_first_rating: int


class RatedTable(Struct, frozen=True, kw_only=True):
    """A tournament on one list."""

    system: str
    list_date: date
    law: str
    edition: str
    players: list[RatedLine]


class TournamentRecord(Struct, frozen=True, kw_only=True):
    """A tournament with its cross-tables and what it brought in each system."""

    tournament: TournamentHead
    tables: list[list[TableLine]]
    rated: list[RatedTable]


class FindingRecord(RefusedFinding, frozen=True, kw_only=True):
    """Something that was found in a report; `system` is empty where it holds for all."""

    system: str


class CheckedRecord(Struct, frozen=True, kw_only=True):
    """What would become of a report."""

    status: str
    players: int
    games: int
    findings: list[FindingRecord]
    lists: dict[str, date | None]


class SentRecord(Struct, frozen=True, kw_only=True):
    """A report that was sent: it is on the disk."""

    report: int
    version: int
    status: str
    sha256: str
    games_sha256: str
    """Of the games that came with it; empty without them."""
    findings: list[FindingRecord]


class SessionRecord(Struct, frozen=True, kw_only=True):
    """Who asks, and the token that requests which change something carry as X-Form-Token."""

    account: int
    name: str
    role: str
    form_token: str
