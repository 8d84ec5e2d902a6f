"""Opens an invented office again: its time goes on where its story ended."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from arrocco.demo.year.clock import going_on_from
from arrocco.demo.year.staff import ROOT
from arrocco.desk import Office
from arrocco.errors import Inconsistent
from arrocco.live.server_time import as_datetime
from arrocco.store.hall_file import hall_file
from arrocco.store.sql import accounts, audit
from arrocco.store.sql.database import Database, sqlite_url

_LAST_RECORDS = """
SELECT log.body FROM hall_log AS log
JOIN (SELECT chain, max(link) AS link FROM hall_heads GROUP BY chain) AS ends
  ON ends.chain = log.chain WHERE log.link > ends.link - 20
"""
"""The last records of each event: not all of them have a moment."""


def reopen(folder: Path, database: str = "") -> Office:
    """Opens an invented office. Raises `Inconsistent` for a folder that holds none.

    Without `database` it is the file in the folder, whatever the environment names: that one may
    belong to an office that is real.
    """
    url = database or sqlite_url(folder.absolute())
    file = (folder / "office").with_suffix(".sqlite")
    if not (folder / "blobs").is_dir() or (not database and not file.exists()):
        raise Inconsistent.of("demo_office.not_invented", folder=folder)
    looked_into = Database(url)
    try:
        with looked_into.reading() as connection:
            is_invented = accounts.by_email(connection, ROOT.email) is not None
            last = audit.page(connection, limit=1)
    finally:
        looked_into.close()
    if not is_invented or not last:
        raise Inconsistent.of("demo_office.not_invented", folder=folder)
    # The hall goes on playing while nobody does anything in the office.
    start = max(last[0].at, _end_of_hall(hall_file(folder)) or last[0].at)
    return Office.open(folder, database=url, now=going_on_from(start), create=False)


def _end_of_hall(file: Path) -> datetime | None:
    """When the last thing happened in the hall; `None` where nothing has."""
    if not file.exists():
        return None
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        records = [json.loads(body) for (body,) in connection.execute(_LAST_RECORDS)]
    # Receipts of messages, which are lists, stand in the same chains.
    moments = [record.get("at") for record in records if isinstance(record, dict)]
    known = [moment for moment in moments if isinstance(moment, int)]
    return as_datetime(max(known)) if known else None
