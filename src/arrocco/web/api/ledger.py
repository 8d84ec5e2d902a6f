"""The ledger for everybody: its head, its keys, its entries; `arrocco ledger verify` reads them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Annotated

from litestar import get
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream
from msgspec import Struct

from arrocco.desk.ledger_copy import Head, LedgerCopy
from arrocco.errors import NotFound, Refusal
from arrocco.office.roles import Permission
from arrocco.web.api.records import refusals
from arrocco.web.routes import PERMISSION, api
from arrocco.web.view import TheView

From = Annotated[int, QueryParameter(name="from", ge=1, le=10**12)]
_AT_ONCE = 1 << 18


class KeyRecord(Struct, frozen=True, kw_only=True):
    """A public key of the office (Ed25519), and the entry that brought it."""

    seq: int
    at: datetime
    public: str
    fingerprint: str
    replaces: str
    proved: bool
    """Whether the key before vouches for it."""
    reason: str


class SignedHead(Struct, frozen=True, kw_only=True):
    """The head of the ledger as a list came out, signed."""

    office: str
    system: str
    list_date: date
    seq: int
    head: str
    key: str
    signature: str


class SignedHeads(Struct, frozen=True, kw_only=True):
    """The keys of the office and every head that it has signed."""

    office: str
    keys: list[KeyRecord]
    heads: list[SignedHead]


@api("/ledger/head", permission=Permission.LOOK_UP, responses=refusals())
def ledger_head(view: TheView) -> Head:
    """The end of the ledger: whoever sees the same was told the same."""
    return LedgerCopy(view.office.desk).head()


@api("/ledger/keys", permission=Permission.LOOK_UP, responses=refusals())
def ledger_keys(view: TheView) -> SignedHeads:
    """The public keys, and the heads that were signed as lists came out."""
    keys, office = view.office.keys, view.office.keys.office_id()
    return SignedHeads(
        office=office,
        keys=[
            KeyRecord(
                seq=known_key.seq,
                at=known_key.at,
                public=known_key.public,
                fingerprint=known_key.fingerprint,
                replaces=known_key.replaces,
                proved=known_key.is_proved,
                reason=known_key.reason,
            )
            for known_key in keys.known()
        ],
        heads=[
            SignedHead(
                office=office,
                system=signed_head.system,
                list_date=signed_head.list_date,
                seq=signed_head.seq,
                head=signed_head.head,
                key=signed_head.key,
                signature=signed_head.signature,
            )
            for signed_head in keys.signed_heads().values()
        ],
    )


@get(
    "/ledger/entries",
    opt={PERMISSION: Permission.LOOK_UP},
    sync_to_thread=True,
    media_type="application/jsonl",
    responses=refusals(),
)
def ledger_entries(view: TheView, first: From = 1) -> Stream:
    """The entries from a place on, a line of JSON each."""
    return Stream(
        LedgerCopy(view.office.desk).lines(first),
        media_type="application/jsonl",
        headers={"content-disposition": 'attachment; filename="ledger.jsonl"'},
    )


@get(
    "/ledger/imported/{blob:str}",
    opt={PERMISSION: Permission.LOOK_UP},
    sync_to_thread=True,
    media_type="application/octet-stream",
    responses=refusals(404),
)
def imported_file(view: TheView, blob: FromPath[str]) -> Stream:
    """The file that a list was imported from, by its SHA-256, as it came."""
    try:
        path = LedgerCopy(view.office.desk).imported(blob)
    except Refusal as refusal:
        raise NotFound.of(refusal.key, **refusal.details) from None
    headers = {"content-disposition": f'attachment; filename="{path.parent.name}{path.name}"'}
    return Stream(_read(path), media_type="application/octet-stream", headers=headers)


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while part := file.read(_AT_ONCE):
            yield part
