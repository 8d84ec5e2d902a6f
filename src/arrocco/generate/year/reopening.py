"""Opens an invented office again: its time goes on where its story ended."""

from __future__ import annotations

from pathlib import Path

from arrocco.errors import Inconsistent
from arrocco.generate.year.clock import going_on_from
from arrocco.generate.year.staff import ROOT
from arrocco.store.sql import accounts, audit
from arrocco.store.sql.database import Database, sqlite_url
from arrocco.wiring.office import Office


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
    return Office.open(folder, database=url, now=going_on_from(last[0].at), create=False)
