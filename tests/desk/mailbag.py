"""What the office has written by mail, as somebody who opens it reads it."""

from __future__ import annotations

import re

import msgspec
from sqlalchemy import select

from arrocco.desk import Office
from arrocco.store.sql.tables import mails


def written(office: Office, kind: str = "") -> list[tuple[str, str, str]]:
    """Kind, address and parameters of all mails, the oldest first."""
    with office.desk.database.reading() as connection:
        rows = connection.execute(select(mails).order_by(mails.c.id))
        return [(r.kind, r.address, r.params) for r in rows if kind in ("", r.kind)]


def token_in(office: Office, kind: str) -> str:
    """The token of the newest mail of a kind."""
    path = msgspec.json.decode(written(office, kind)[-1][2])["path"]
    found = re.search(r"token=([\w-]+)", path)
    assert found, path
    return found[1]


def code_in(office: Office) -> str:
    """The code of the newest mail that has one."""
    return str(msgspec.json.decode(written(office, "claim_code")[-1][2])["words"]["code"])
