"""The office as everybody uses it: one object, whose parts are the use cases.

Every method asks the one table of permissions, is one transaction, and leaves a line in the audit
log when it changes something or is refused.
"""

from __future__ import annotations

import os
from pathlib import Path

from arrocco.desk import locks
from arrocco.desk.accounts import Accounts
from arrocco.desk.adjustments import Adjustments
from arrocco.desk.alarms import FairPlayAlarms
from arrocco.desk.annulments import Annulments
from arrocco.desk.api_keys import ApiKeys
from arrocco.desk.audit import Audit
from arrocco.desk.bulk_invitations import BulkInvitations
from arrocco.desk.case_ratings import CaseRatings
from arrocco.desk.cases import Cases
from arrocco.desk.championships import Championships
from arrocco.desk.chosen_readings import ChosenReadings
from arrocco.desk.claims import Claims
from arrocco.desk.committee import Committee
from arrocco.desk.corrections import Corrections
from arrocco.desk.departed import DepartedPlayers
from arrocco.desk.desk import Desk, Now, utc_now
from arrocco.desk.entry_numbers import EntryNumbers
from arrocco.desk.event_invitations import EventInvitations
from arrocco.desk.filing_papers import FilingPapers
from arrocco.desk.follows import Following
from arrocco.desk.inbox import Inbox
from arrocco.desk.keys import Keys
from arrocco.desk.lists import Lists
from arrocco.desk.mailbox import Mailbox
from arrocco.desk.owed_reports import OwedReports
from arrocco.desk.own_account import OwnAccount
from arrocco.desk.passkeys import Passkeys
from arrocco.desk.people import People
from arrocco.desk.personal_data import PersonalData
from arrocco.desk.player_files import PlayerFiles
from arrocco.desk.proof import Proofs
from arrocco.desk.questions import Questions
from arrocco.desk.replacements import Replacements
from arrocco.desk.replays import Replays
from arrocco.desk.reports import Reports
from arrocco.desk.role_changes import RoleChanges
from arrocco.desk.same_office import require_one_office, require_same_lists
from arrocco.desk.second_factor import SecondFactors
from arrocco.desk.set_aside import Aside, SetAside
from arrocco.desk.settings import Settings
from arrocco.desk.sign_up import SignUps
from arrocco.desk.tournaments import Tournaments
from arrocco.desk.webhooks import Webhooks
from arrocco.store import office_folder
from arrocco.store.office_folder import OTHERS, PARTS
from arrocco.store.sql import office_id
from arrocco.store.sql.database import Database, sqlite_url
from arrocco.store.sql.migrate import migrate, require_newest

__all__ = ["Office", "utc_now"]

DATABASE_VARIABLE = "ARROCCO_DATABASE"


class Office:
    """An office: a folder and a database."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.folder = desk.folder
        self.settings = Settings(desk)
        self.accounts = Accounts(desk)
        self.own_account = OwnAccount(desk)
        self.proofs = Proofs(desk, self.own_account)
        self.personal_data = PersonalData(desk, self.own_account)
        self.sign_ups = SignUps(desk)
        self.second_factors = SecondFactors(desk)
        self.passkeys = Passkeys(desk)
        self.api_keys = ApiKeys(desk)
        self.role_changes = RoleChanges(desk)
        self.tournaments = Tournaments(desk)
        self.reports = Reports(desk)
        self.lists = Lists(desk)
        self.corrections = Corrections(desk)
        self.replacements = Replacements(desk)
        self.annulments = Annulments(desk)
        self.adjustments = Adjustments(desk)
        self.readings = ChosenReadings(desk)
        self.people = People(desk, self.lists)
        self.mail = Mailbox(desk)
        self.event_invitations = EventInvitations(desk)
        self.bulk = BulkInvitations(desk, self.accounts, self.people)
        self.webhooks = Webhooks(desk)
        self.championships = Championships(desk)
        self.committee = Committee(desk)
        self.filing_papers = FilingPapers(desk)
        self.cases = Cases(desk)
        self.case_ratings = CaseRatings(desk, self.cases)
        self.fair_play_alarms = FairPlayAlarms(desk)
        self.player_files = PlayerFiles(desk)
        self.numbers = EntryNumbers(desk, self.lists)
        self.questions = Questions(desk, self.people)
        self.following = Following(desk)
        self.claims = Claims(desk, self.people)
        self.owed_reports = OwedReports(desk)
        self.inbox = Inbox(desk, self.lists, self.claims)
        self.departed = DepartedPlayers(desk, self.lists)
        self.audit = Audit(desk)
        self.keys = Keys(desk)
        self.replays = Replays(desk)
        self.moved_aside: tuple[SetAside, ...] = ()
        """What opening it has found and does not know."""

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        database: str = "",
        now: Now = utc_now,
        create: bool = True,
        with_unknown_lists_aside: bool = False,
    ) -> Office:
        """Opens an office, made where folder and database are both empty, to work in it.

        What a crash has left is put right, and nothing is deleted: `moved_aside` tells what was
        found and is not known. Raises `Inconsistent` where folder and database are not of one
        office, or the database is not of the same time as the folder. `with_unknown_lists_aside`
        is somebody's decision to go on with an older database: its folder keeps the lists aside.
        """
        folder = folder.absolute()
        opened = Database(address_of(folder, database))
        try:
            is_there = require_one_office(folder, opened, create=create)
            if is_there and not with_unknown_lists_aside:
                require_same_lists(folder, opened)  # before anything is made or migrated
            folder.parent.mkdir(parents=True, exist_ok=True)
            os.umask(OTHERS)  # of all that this process writes, also through libraries
            for part in PARTS:
                (folder / part).mkdir(parents=True, exist_ok=True)
            office_folder.close_to_others(folder)
            office = cls(Desk(folder, opened, now))
            with locks.held(folder / office_folder.LISTS_LOCK):
                migrate(opened)
                _give_id(folder, opened, now)
                aside = Aside(folder, now())
                office.lists.recover(aside, with_unknown=with_unknown_lists_aside)
            office.moved_aside = tuple(aside.moved)
        except BaseException:
            opened.close()
            raise
        return office

    @classmethod
    def open_to_read(cls, folder: Path, *, database: str = "", now: Now = utc_now) -> Office:
        """Opens an office to look at it: nothing is made, migrated, put right or written.

        Raises `Refusal` where there is none, where folder and database are not of one office, or
        where the database is of another revision than this program's.
        """
        folder = folder.absolute()
        opened = Database(address_of(folder, database), read_only=True)
        try:
            require_one_office(folder, opened, create=False)
            require_newest(opened)
            require_same_lists(folder, opened)
            return cls(Desk(folder, opened, now))
        except BaseException:
            opened.close()
            raise

    @classmethod
    def attach(cls, folder: Path, *, now: Now = utc_now) -> Office:
        """The office that another process of the same server has opened and put in order."""
        folder = folder.absolute()
        os.umask(OTHERS)
        return cls(Desk(folder, Database(address_of(folder)), now))

    def close(self) -> None:
        """Stops a replay that is under way and closes the database."""
        self.replays.close()
        self.desk.database.close()


def address_of(folder: Path, database: str = "") -> str:
    """The address of the database: the one named, that of the environment, or the folder's own."""
    return database or os.environ.get(DATABASE_VARIABLE) or sqlite_url(folder)


def _give_id(folder: Path, database: Database, now: Now) -> None:
    """Sees that folder and database have the same id; an office of an older program has none."""
    here = office_folder.read_id(folder)
    with database.reading() as connection:
        there = office_id.get(connection)
    if there is None:
        there = here or office_folder.new_id()
        with database.writing() as connection:
            office_id.put(connection, there, now())
    if here is None:  # after the database: a folder with an id has an office in its database
        office_folder.write_id(folder, there)
