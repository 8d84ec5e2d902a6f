"""12.10 — the files of filings: copies of transfers and e-mails, bounded and kept by their hash."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from arrocco.desk.desk import Desk
from arrocco.desk.uploads import plain_name
from arrocco.errors import Inconsistent, Malformed
from arrocco.hall.event.filings import Paper
from arrocco.office.roles import Asker, Permission, require
from arrocco.store.sql import filing_papers

MAX_FILE = 3 << 20
"""Bytes of one file: a photograph of a receipt, a message with its attachment."""
MAX_OF_ACCOUNT = 60 << 20
"""Bytes that one account sends in one event."""
MAX_LATELY = 200 << 20
"""Bytes that one account sends in all events within `_LATELY`: there is no end of events."""
_LATELY = timedelta(days=30)
MESSAGE = "message/rfc822"
_RECEIPTS = {
    b"%PDF-": "application/pdf",
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
}


class Attachment(NamedTuple):
    """A file by its name, and what is in it."""

    name: str
    data: bytes


def is_receipt(data: bytes) -> bool:
    """Whether it can be the copy of a transfer: a PDF or a picture."""
    return any(data.startswith(head) for head in _RECEIPTS)


class FilingPapers:
    """Keeps the files that come with filings, and gives them back."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def keep_receipt(self, asker: Asker, event: str, file: Attachment) -> Paper:
        """Keeps the copy of a transfer. Raises `Malformed` for what is no PDF and no picture."""
        kind = next((k for head, k in _RECEIPTS.items() if file.data.startswith(head)), "")
        if not kind:
            raise Malformed.of("filings.refused.no_receipt", file=plain_name(file.name))
        return self._keep(asker, event, file, kind)

    def keep_message(self, asker: Asker, event: str, file: Attachment) -> Paper:
        """Keeps an e-mail as it was sent."""
        return self._keep(asker, event, file, MESSAGE)

    def _keep(self, asker: Asker, event: str, file: Attachment, kind: str) -> Paper:
        name = plain_name(file.name)
        if len(file.data) > MAX_FILE:
            raise Malformed.of("filings.refused.file_too_large", file=name, most=MAX_FILE >> 20)
        with self._desk.acting(asker, "keep_filing_paper", f"event:{event}") as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            account = asker.account or 0
            sent = filing_papers.bytes_of(act.connection, event, account)
            if sent + len(file.data) > MAX_OF_ACCOUNT:
                raise Inconsistent.of("filings.refused.too_much", most=MAX_OF_ACCOUNT >> 20)
            lately = filing_papers.bytes_since(act.connection, account, act.at - _LATELY)
            if lately + len(file.data) > MAX_LATELY:
                raise Inconsistent.of(
                    "filings.refused.too_much_lately", most=MAX_LATELY >> 20, days=_LATELY.days
                )
            blob = self._desk.blobs.put(file.data)
            act.details |= {"file": name, "blob": blob}
            filing_papers.add(
                act.connection,
                event=event,
                account=account,
                name=name,
                media_type=kind,
                blob=blob,
                size=len(file.data),
                at=act.at,
            )
        return Paper(name=name, media_type=kind, blob=blob, size=len(file.data))

    def read(self, paper: Paper) -> bytes:
        """The bytes of a file; who may have them is for the caller to know."""
        return self._desk.blobs.get(paper.blob)
