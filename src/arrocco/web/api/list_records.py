"""Systems and lists as the API answers them."""

from __future__ import annotations

from datetime import date, datetime

from msgspec import Struct

from arrocco.store.list_view import ViewedPlayer


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


class ListSignature(Struct, frozen=True, kw_only=True):
    """The head of the ledger with which a list came out, signed by the office (Ed25519)."""

    office: str
    seq: int
    head: str
    key: str
    signature: str


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
    signed: ListSignature | None
    """None for a list that came out before the office had a key."""


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
        id=row.id,
        name=row.name,
        federation=row.federation,
        sex=row.sex,
        title=row.title,
        other_titles=others,
        rating=row.rating,
        games=row.games,
        k=row.k,
        birth_year=row.birth.year if row.birth else None,
        active=not row.is_inactive,
    )
