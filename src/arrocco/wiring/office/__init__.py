"""The office as everybody uses it: one object, whose parts are the use cases.

Every method asks the one table of permissions, is one transaction, and leaves a line in the audit
log when it changes something or is refused.
"""

from __future__ import annotations

import os
from pathlib import Path

from arrocco.errors import Inconsistent
from arrocco.store.sql.database import Database, sqlite_url
from arrocco.store.sql.migrate import migrate
from arrocco.wiring.office.accounts import Accounts
from arrocco.wiring.office.audit import Audit
from arrocco.wiring.office.corrections import Corrections
from arrocco.wiring.office.desk import Desk, Now, utc_now
from arrocco.wiring.office.lists import Lists
from arrocco.wiring.office.people import People
from arrocco.wiring.office.replays import Replays
from arrocco.wiring.office.reports import Reports
from arrocco.wiring.office.tournaments import Tournaments

__all__ = ["Office", "utc_now"]

DATABASE_VARIABLE = "ARROCCO_DATABASE"
_PARTS = ("blobs", "lists", "drafts", "views")


class Office:
    """An office: a folder and a database."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.folder = desk.folder
        self.accounts = Accounts(desk)
        self.tournaments = Tournaments(desk)
        self.reports = Reports(desk)
        self.lists = Lists(desk)
        self.corrections = Corrections(desk)
        self.people = People(desk, self.lists)
        self.audit = Audit(desk)
        self.replays = Replays(desk)

    @classmethod
    def open(
        cls, folder: Path, *, database: str = "", now: Now = utc_now, create: bool = True
    ) -> Office:
        """Opens an office, made where there is none, and puts right what a crash has left.

        Raises `Inconsistent` for a folder without one that is not to be made.
        """
        folder = folder.absolute()
        if not create and not (folder / _PARTS[0]).is_dir():
            raise Inconsistent.of("desk.refused.not_an_office", folder=folder)
        for part in _PARTS:
            (folder / part).mkdir(parents=True, exist_ok=True)
        url = database or os.environ.get(DATABASE_VARIABLE) or sqlite_url(folder)
        opened = Database(url)
        try:
            migrate(opened)
            office = cls(Desk(folder, opened, now))
            office.lists.recover()
        except BaseException:
            opened.close()
            raise
        return office

    def close(self) -> None:
        """Stops a replay that is under way and closes the database."""
        self.replays.close()
        self.desk.database.close()
