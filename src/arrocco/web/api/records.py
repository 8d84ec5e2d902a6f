"""The answers of the API: dates as 2025-06-01, decimals and scores as text, ratings as numbers."""

from __future__ import annotations

from datetime import date, datetime

from litestar.openapi.datastructures import ResponseSpec
from msgspec import UNSET, Struct, UnsetType

from arrocco.engine.explain import Step
from arrocco.engine.wording import sentence
from arrocco.store.list_view import ViewedPlayer
from arrocco.words import Language


class RefusedFinding(Struct, frozen=True, kw_only=True):
    """Something found in what was sent."""

    severity: str
    key: str
    article: str
    line: int | None
    column: int | None
    text: str
    do: str
    more: int = 0
    """How many others of its kind there are that are only counted."""


class Refused(Struct, frozen=True, kw_only=True):
    """Why something was not done, and what to do."""

    refused: str
    advice: str
    key: str | UnsetType = UNSET
    findings: list[RefusedFinding] | UnsetType = UNSET
    reference: str | UnsetType = UNSET


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """How an answer that refuses is described."""
    return {
        status: ResponseSpec(Refused, generate_examples=False, description="Refused, with why.")
        for status in (400, *statuses)
    }


# --- systems and lists ----------------------------------------------------------------------------


class SystemRecord(Struct, frozen=True, kw_only=True):
    """A rating that this office keeps or asks."""

    key: str
    name: str
    law: str
    """Empty for lists that are only asked about new players."""
    kind: str
    latest: date | None
    lists: int


class ListHead(Struct, frozen=True, kw_only=True):
    """A list that is out."""

    system: str
    list_date: date
    players: int
    published_at: datetime
    seq: int
    """Its place in the ledger."""


class FileRecord(Struct, frozen=True, kw_only=True):
    """A file of a list; `sealed` where the ledger names its hash."""

    name: str
    size: int
    sha256: str
    sealed: bool
    url: str


class ListRecord(Struct, frozen=True, kw_only=True):
    """A list with its files and its entry in the ledger."""

    system: str
    list_date: date
    players: int
    published_at: datetime
    seq: int
    entry_hash: str
    previous_hash: str
    edition: str
    reports: int
    corrections: int
    imported: str
    """The name of the file of a list from elsewhere; empty for one made here."""
    imported_sha256: str
    files: list[FileRecord]


class PlayerRow(Struct, frozen=True, kw_only=True):
    """A row of a list."""

    id: int
    name: str
    federation: str
    sex: str
    title: str
    other_titles: list[str]
    """Women's, arbiters' and organisers' titles; on a RIO list the online category."""
    rating: int | None
    games: int | None
    k: int | None
    birth_year: int | None
    active: bool


class ListRows(Struct, frozen=True, kw_only=True):
    """Some rows of a list, and how many there are in all."""

    system: str
    list_date: date
    total: int
    offset: int
    players: list[PlayerRow]


class ChangeRow(Struct, frozen=True, kw_only=True):
    """A player on a list and the one before."""

    id: int
    name: str
    before: int | None
    after: int | None
    change: int | None
    federation_before: str | None
    federation: str | None
    title_before: str | None
    title: str | None


class ChangeRows(Struct, frozen=True, kw_only=True):
    """What a list changed of the one before."""

    system: str
    list_date: date
    before: date | None
    kind: str
    counts: dict[str, int]
    total: int
    offset: int
    players: list[ChangeRow]


def player_row(row: ViewedPlayer) -> PlayerRow:
    """A row of a list as the API gives it; of a birth only the year."""
    others = [title for title in (row.w_title, row.o_title, row.foa_title) if title]
    return PlayerRow(
        id=row.id, name=row.name, federation=row.federation, sex=row.sex, title=row.title,
        other_titles=others, rating=row.rating, games=row.games, k=row.k,
        birth_year=row.birth.year if row.birth else None, active=not row.is_inactive,
    )  # fmt: skip


# --- players --------------------------------------------------------------------------------------


class FoundPlayer(Struct, frozen=True, kw_only=True):
    """A player that a search found, with the ratings of the newest lists by system."""

    id: int
    name: str
    federation: str
    title: str
    birth_year: int | None
    ratings: dict[str, int | None]


class RatingRecord(Struct, frozen=True, kw_only=True):
    """A player on the newest list of a system."""

    list_date: date
    rating: int | None
    games: int | None
    k: int | None
    active: bool
    rank: int | None
    federation_rank: int | None


class PlayerRecord(Struct, frozen=True, kw_only=True):
    """A player: who they are and their ratings by system."""

    id: int
    name: str
    federation: str
    sex: str
    title: str
    birth_year: int | None
    ratings: dict[str, RatingRecord]


class HistoryRecord(Struct, frozen=True, kw_only=True):
    """A list that changed something for a player; `player` is the number it was under."""

    list_date: date
    player: int
    rating: int | None
    change: int
    games: int
    k: int | None
    note: str


class EntryRecord(Struct, frozen=True, kw_only=True):
    """A merger, a correction or a change that the ledger holds of a player."""

    seq: int
    at: datetime
    kind: str
    other: int | None
    tournament: int | None
    fields: list[str]
    lists: dict[str, date]


class PlayerHistory(Struct, frozen=True, kw_only=True):
    """The ratings of a player list by list, by system, the oldest first."""

    id: int
    systems: dict[str, list[HistoryRecord]]
    entries: list[EntryRecord]


class StepRecord(Struct, frozen=True, kw_only=True):
    """A step of a computation, in words, with its article."""

    text: str
    article: str
    key: str


class GameRecord(Struct, frozen=True, kw_only=True):
    """A game from the player's side; figures are missing where it does not count."""

    round: int
    opponent: int | None
    opponent_name: str
    opponent_rating: int | None
    score: str
    difference: int | None
    counted_difference: int | None
    expected: str | None
    delta: str | None
    excluded: str | None
    article: str


class EventRecord(Struct, frozen=True, kw_only=True):
    """A tournament of a player's period."""

    key: str
    name: str
    start: date
    end: date
    edition: str
    rating: int | None
    n: int
    score: str
    expected: str
    delta: str
    k: int | None
    variation: str
    games: list[GameRecord] | None
    """Missing where the games were not kept."""
    steps: list[StepRecord]


class PeriodRecord(Struct, frozen=True, kw_only=True):
    """How one list came to a player's rating: the rows of the computation itself."""

    id: int
    name: str
    system: str
    law: str
    edition: str
    readings: dict[str, str]
    opened_on: date
    list_date: date
    rating: int | None
    n: int
    score: str
    expected: str
    delta: str
    k: int | None
    k_reason: str | None
    k_applied: int | None
    variation: str
    change: int
    new_rating: int | None
    result: str
    tournaments: list[EventRecord]
    steps: list[StepRecord]


def step_record(language: Language, step: Step) -> StepRecord:
    return StepRecord(text=sentence(language, step), article=step.article, key=step.key)


# --- tournaments ----------------------------------------------------------------------------------


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


# --- reports --------------------------------------------------------------------------------------


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
    findings: list[FindingRecord]


class SessionRecord(Struct, frozen=True, kw_only=True):
    """Who asks, and the token that requests which change something carry as X-Form-Token."""

    account: int
    name: str
    role: str
    form_token: str
