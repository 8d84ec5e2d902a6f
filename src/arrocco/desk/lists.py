"""Lists: when they come, how they are drafted, published, imported, looked at and verified."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

import msgspec

from arrocco.desk import folders, keys, locks
from arrocco.desk.book import plan_of
from arrocco.desk.desk import Desk, account_of
from arrocco.desk.draft_records import Draft, shown
from arrocco.desk.drafts import Drafts
from arrocco.desk.list_import import check_day, kind_of, write_imported
from arrocco.desk.list_verification import Verification, Verifier
from arrocco.desk.publication import changes, prepared, publish
from arrocco.desk.same_office import compare, require_together
from arrocco.desk.set_aside import Aside
from arrocco.desk.uploads import plain_name
from arrocco.errors import Inconsistent, Refusal
from arrocco.findings import Finding
from arrocco.formats.lists import read_list
from arrocco.laws.rating import RatingLaw
from arrocco.laws.systems import system_named
from arrocco.office.cutoff import StillOpen, UpcomingList, calendar, require_closed, still_open
from arrocco.office.entry_days import EntryDays, entry_days
from arrocco.office.ledger import ListImported, list_format
from arrocco.office.records import DraftStatus
from arrocco.office.roles import Asker, Permission, require
from arrocco.records.ratinglist import RatingList
from arrocco.runs.batches import Progress
from arrocco.store import office_folder
from arrocco.store.list_folder import FORMAT, LIST
from arrocco.store.list_view import ListView, open_view
from arrocco.store.office_folder import ListName, publishing
from arrocco.store.sql import (
    assignments,
    drafts,
    history,
    ledger,
    office_settings,
    publications,
)
from arrocco.store.sql.publications import Publication
from arrocco.words import Phrase

__all__ = ["CalendarRow", "Draft", "Lists", "Verification"]

_OPEN_VIEWS = 24


@dataclass(frozen=True)
class CalendarRow:
    """A list to come, and how many reports wait for it."""

    upcoming: UpcomingList
    waiting: int
    drafts: tuple[Draft, ...]
    """Its drafts, the newest first."""


class Lists:
    """The lists of all systems."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._drafts = Drafts(desk)
        self._views: OrderedDict[tuple[str, date], ListView] = OrderedDict()
        self._views_lock = Lock()

    # --- the calendar -----------------------------------------------------------------------------

    def calendar(self, system: str, today: date | None = None, count: int = 3) -> list[CalendarRow]:
        """The next lists of a system, the first not published yet at the top."""
        rating_system = system_named(system)
        with self._desk.database.reading() as connection:
            days = [
                publication.list_date for publication in publications.of_system(connection, system)
            ]
            waiting = assignments.waiting(connection, system)
            rows = []
            taken = office_settings.get(connection).report_days
            for upcoming in calendar(
                rating_system, today or self._desk.now().date(), days, count, taken
            ):
                made = drafts.of_list(connection, system, upcoming.list_date)
                rows.append(
                    CalendarRow(
                        upcoming,
                        waiting.get(upcoming.list_date, 0),
                        tuple(shown(row) for row in made),
                    )
                )
            return rows

    # --- drafts -----------------------------------------------------------------------------------

    def enter_draft(
        self, asker: Asker, system: str, list_date: date, until_made: ExitStack | None = None
    ) -> int:
        """Notes a draft for `run_draft` to make; its number. `until_made` holds its place."""
        return self._drafts.enter(asker, system, list_date, until_made)

    def run_draft(self, number: int, progress: Progress = lambda *_: None) -> Draft:
        """Makes a draft that was entered, here and now."""
        self._drafts.run(number, progress)
        return self._drafts.get(number)

    def draft_stopped(self, number: int, refusal: Refusal) -> None:
        """Writes down why a draft that was entered was not made."""
        self._drafts.stopped(number, refusal)

    def draft(self, asker: Asker, number: int) -> Draft:
        """A draft: how far it is, and what it changes."""
        with self._desk.looking(asker, "see_draft", f"draft:{number}"):
            require(asker, Permission.BUILD_LIST)
        return self._drafts.get(number)

    def drafts(self, asker: Asker, system: str, list_date: date) -> list[Draft]:
        """The drafts of a list, the newest first."""
        with self._desk.looking(asker, "see_drafts", f"list:{system}:{list_date}") as connection:
            require(asker, Permission.BUILD_LIST)
            return [shown(row) for row in drafts.of_list(connection, system, list_date)]

    def is_behind(self, asker: Asker, number: int) -> bool:
        """Whether something was entered since that changes the list of a draft."""
        draft = self.draft(asker, number)
        with self._desk.database.reading() as connection:
            book = self._desk.book(connection)
        system = system_named(draft.system)
        if draft.list_date in book.lists(draft.system):
            return True
        before = book.before(draft.ledger_seq + 1)
        made, today = draft.made_at.date(), self._desk.now().date()
        then = plan_of(before, system, draft.list_date, emission=made)
        return then != plan_of(book, system, draft.list_date, emission=today)

    def still_open(self, asker: Asker, number: int, today: date | None = None) -> StillOpen | None:
        """The period of the list of a draft; `None` once it has closed."""
        draft = self.draft(asker, number)
        return still_open(_law_of(draft), draft.list_date, today or self._desk.now().date())

    def entry_days(self, asker: Asker, number: int) -> tuple[EntryDays, ...]:
        """Until when tournaments can still enter the list of a draft."""
        draft = self.draft(asker, number)
        with self._desk.database.reading() as connection:
            taken = office_settings.get(connection).report_days
        return entry_days(_law_of(draft), draft.list_date, self._desk.now().date(), taken)

    def draft_folder(self, asker: Asker, number: int) -> Path:
        """The folder of the list in a draft that is ready."""
        draft = self.draft(asker, number)
        folder = self._drafts.folder(number) / draft.list_date.isoformat()
        if draft.status is not DraftStatus.READY or not folder.is_dir():
            raise Inconsistent.of("desk.refused.draft_gone")
        return folder

    def discard(self, asker: Asker, number: int) -> None:
        """Throws a draft away."""
        self._drafts.discard(asker, number)

    # --- publishing -------------------------------------------------------------------------------

    def publish(
        self, asker: Asker, number: int, *, before_closing: bool = False, today: date | None = None
    ) -> Publication:
        """Publishes a draft: from now on the list is in force and stays as it is.

        `before_closing` confirms that it comes out though its period is still open.
        """
        subject = f"draft:{number}"
        with locks.held(self._lock):
            with self._desk.looking(asker, "publish_list", subject):
                require(asker, Permission.PUBLISH_LIST)
                row = self._drafts.row(number)
                draft = self._drafts.list_folder(row)
                ready = prepared(self._desk, row, draft)
                law = ready.plan.system.edition_on(ready.plan.opened_on)
                early = still_open(law, row.list_date, today or self._desk.now().date())
                require_closed(early, confirmed=before_closing)
            subject = f"list:{row.system}:{row.list_date}"
            with (
                publishing(self._desk.folder, ListName(row.system, row.list_date)),
                folders.moving() as move,
                self._desk.acting(asker, "publish_list", subject) as act,
            ):
                made = publish(self._desk, act, account_of(asker), ready)
                if early is not None:
                    act.details |= {
                        "before_closing": early.closes.isoformat(),
                        "days_left": early.days_left,
                    }
                # The last step before the commit: what a crash leaves is put right at the start.
                move(draft, self._folder(row.system, row.list_date))
        self._drafts.clear(number)
        self._build_view(row.system, row.list_date)
        return made

    def import_list(
        self, asker: Asker, system: str, list_date: date, path: Path
    ) -> tuple[Publication, tuple[Finding, ...]]:
        """Takes over a list from elsewhere, with what reading it found."""
        subject = f"list:{system}:{list_date}"
        with locks.held(self._lock), TemporaryDirectory(dir=self._desk.drafts) as scratch:
            with self._desk.looking(asker, "import_list", subject) as connection:
                require(asker, Permission.PUBLISH_LIST)
                kind = kind_of(system)
                last = publications.latest(connection, system)
                check_day(system, list_date, last.list_date if last else None)
                blob = self._desk.blobs.put(path.read_bytes())
                here = Path(scratch) / list_date.isoformat()
                imported = write_imported(system, list_date, self._desk.blobs.path(blob), here)
            before = None
            if last is not None:
                before = read_list(self._folder(system, last.list_date) / LIST, kind)[0]
            brought = list(changes(before, imported.listed, "imported"))
            with (
                publishing(self._desk.folder, ListName(system, list_date)),
                folders.moving() as move,
                self._desk.acting(asker, "import_list", subject) as act,
            ):
                entry = ListImported(
                    system=system,
                    list_date=list_date,
                    blob=blob,
                    file_name=plain_name(path.name),
                    format=FORMAT,
                )
                secret = keys.ensured(self._desk, act, account_of(asker))
                entered = ledger.append(act.connection, act.at, account_of(asker), entry)
                seq = entered.seq
                made = Publication(
                    system=system,
                    list_date=list_date,
                    seq=seq,
                    published_at=act.at,
                    players=len(imported.listed),
                    body=_summary(entry, imported.listed),
                )
                publications.add(act.connection, made)
                history.add(act.connection, system, list_date, brought)
                keys.sign_head(act, account_of(asker), secret, entered)
                act.details |= {"seq": seq, "blob": blob, "players": len(imported.listed)}
                move(here, self._folder(system, list_date))
        self._build_view(system, list_date)
        return made, imported.findings

    def _build_view(self, system: str, list_date: date) -> None:
        """Builds the view of a new list; where that fails it is built when it is asked for."""
        with suppress(Refusal, OSError):
            self.view(system, list_date)

    # --- looking ----------------------------------------------------------------------------------

    def published(self, system: str) -> list[Publication]:
        """The lists of a system that are out, the newest first."""
        with self._desk.database.reading() as connection:
            return publications.of_system(connection, system)

    def latest(self, system: str, on_or_before: date | None = None) -> Publication | None:
        """The newest list of a system, or the one in force on a day."""
        with self._desk.database.reading() as connection:
            return publications.latest(connection, system, on_or_before=on_or_before)

    def publication(self, system: str, list_date: date) -> Publication:
        """A list that is out. Raises `Inconsistent` naming those that are."""
        with self._desk.database.reading() as connection:
            row = publications.get(connection, system, list_date)
            if row is not None:
                return row
            days = [
                publication.list_date for publication in publications.of_system(connection, system)
            ]
        known = tuple(days) or Phrase("desk.no_list_yet")
        raise Inconsistent.of(
            "desk.refused.not_published", system=system, list_date=list_date, known=known
        )

    def folder(self, system: str, list_date: date) -> Path:
        """The folder of a list that is out."""
        self.publication(system, list_date)
        return self._folder(system, list_date)

    def public_view(self, system: str, list_date: date | None = None) -> ListView:
        """A list as everybody may look into it: without the fields that the office hides."""
        with self._desk.database.reading() as connection:
            hidden = office_settings.get(connection).hidden_fields
        return self.view(system, list_date).without(hidden)

    def view(self, system: str, list_date: date | None = None) -> ListView:
        """A list to look into, the newest by default; built where it is missing."""
        if list_date is None:
            latest = self.latest(system)
            if latest is None:
                raise Inconsistent.of("desk.refused.no_lists", system=system)
            list_date = latest.list_date
        key = system, list_date
        with self._views_lock:
            if key in self._views:
                self._views.move_to_end(key)
                return self._views[key]
        folder = self.folder(system, list_date)
        view = open_view(folder, self._desk.views / system / list_date.isoformat())
        with self._views_lock:
            self._views[key] = view
            while len(self._views) > _OPEN_VIEWS:
                self._views.popitem(last=False)
        return view

    def verify(self, system: str, list_date: date) -> Verification:
        """Builds a list again from the ledger and compares it byte by byte."""
        return Verifier(self._desk).verify(system, list_date)

    def verify_all(self) -> list[Verification]:
        """Verifies every list, in the order they came out."""
        return Verifier(self._desk).verify_all()

    # --- after a crash ----------------------------------------------------------------------------

    def recover(self, aside: Aside, *, with_unknown: bool = False) -> None:
        """Moves aside what an interrupted publication has left, puts back lists that are out, and
        settles drafts that nobody works on.

        Raises `Inconsistent`, with nothing changed, where folder and database have other lists;
        `with_unknown` moves those aside that the database does not know. The caller holds the lock.
        """
        desk = self._desk
        compared = compare(desk.folder, desk.database)
        if with_unknown:
            unknown, compared = compared.unknown, replace(compared, unknown=())
        else:
            unknown = ()
        require_together(desk.folder, desk.database, compared)
        there = office_folder.lists_in(desk.folder)
        for name in compared.interrupted:
            aside.move(there[name], "interrupted_publication")
        for name in unknown:
            aside.move(there[name], "unknown_list")
        for path in office_folder.unfinished_in(desk.folder):
            aside.move(path, "unfinished")
        with desk.database.reading() as connection:
            published = publications.every(connection)
            made = {
                (row.system, row.list_date): self._drafts.list_folder(row)
                for row in drafts.with_status(connection, DraftStatus.PUBLISHED)
            }
        for publication in published:
            if (publication.system, publication.list_date) in compared.to_put_back:
                target = self._folder(publication.system, publication.list_date)
                self._put_back(
                    publication, target, made.get((publication.system, publication.list_date))
                )
        office_folder.clear_publishing(desk.folder)
        self._drafts.recover(aside)

    def _put_back(self, publication: Publication, target: Path, draft: Path | None) -> None:
        """A list that is out without its folder: the commit held, the rename was taken back."""
        if draft is not None and draft.is_dir():
            with folders.moving() as move:
                move(draft, target)
            return
        with self._desk.database.reading() as connection:
            entered = ledger.get(connection, publication.seq)
        if entered is not None and isinstance(entered.entry, ListImported):
            entry = entered.entry
            blob = self._desk.blobs.path(entry.blob)
            write_imported(entry.system, entry.list_date, blob, target, list_format(entry))

    @property
    def _lock(self) -> Path:
        return self._desk.folder / office_folder.LISTS_LOCK

    def _folder(self, system: str, list_date: date) -> Path:
        return self._desk.lists / system / list_date.isoformat()


def _summary(entry: ListImported, listed: RatingList) -> str:
    """What is kept to be shown of an imported list."""
    summary = {
        "imported": entry.file_name,
        "list": entry.list_date.isoformat(),
        "players": len(listed),
        "rated": int((listed.rating > 0).sum()),
    }
    return msgspec.json.encode(summary).decode()


def _law_of(draft: Draft) -> RatingLaw:
    """The edition that a draft which is ready was rated under."""
    opened_on = date.fromisoformat(str(draft.summary["opened_on"]))
    return system_named(draft.system).edition_on(opened_on)
