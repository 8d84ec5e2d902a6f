"""Drafts of lists: entered, made, shown with what changes, published or discarded."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import date
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pyarrow.parquet as pq
from sqlalchemy import Connection

from arrocco.desk import folders, locks
from arrocco.desk.book import Plan, plan_of
from arrocco.desk.desk import Desk, account_of
from arrocco.desk.draft_records import (
    Draft,
    DraftBody,
    DraftDiff,
    DraftLeftOut,
    DraftUnusual,
    Failure,
    Move,
    shown,
    wrong_state,
)
from arrocco.desk.list_builder import Made, Maker
from arrocco.desk.set_aside import Aside
from arrocco.engine.diff import CLASSES, ListDiff
from arrocco.errors import Illegal, Inconsistent, Refusal
from arrocco.formats.lists import read_list
from arrocco.laws.systems import RatingSystem, system_named
from arrocco.office.findings import kept_details
from arrocco.office.ledger import UsedReport
from arrocco.office.records import DraftStatus
from arrocco.office.roles import Asker, Permission, require
from arrocco.office.unusual import Tables, unusual_changes
from arrocco.runs.batches import Progress
from arrocco.store.calculations import ENTRIES, GAMES, PLAYERS, TOURNAMENTS
from arrocco.store.list_folder import LIST
from arrocco.store.sql import drafts
from arrocco.store.sql.drafts import DraftRow

__all__ = [
    "Draft",
    "DraftBody",
    "DraftDiff",
    "DraftLeftOut",
    "DraftUnusual",
    "Drafts",
    "Failure",
    "Move",
]

_S = DraftStatus
_MAX_MOVES = 50
_SECONDS_BETWEEN = 0.2
"""How often a draft says how far it is: not every report is worth a write."""


class Drafts:
    """Makes drafts; used by `Lists`, whose methods ask who may."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    # --- making -----------------------------------------------------------------------------------

    def enter(
        self, asker: Asker, system: str, list_date: date, until_made: ExitStack | None = None
    ) -> int:
        """Notes a draft that is about to be made; its number.

        Where it may have to wait before it is made, `until_made` holds its place until then:
        otherwise a draft that nobody works on has failed.
        """
        with self._desk.acting(asker, "begin_draft", f"list:{system}:{list_date}") as act:
            require(asker, Permission.BUILD_LIST)
            book = self._desk.book(act.connection)
            plan_of(book, system_named(system), list_date, emission=act.day)
            for other in drafts.of_list(act.connection, system, list_date):
                if other.status is _S.RUNNING and self._is_alive(other.id):
                    raise Illegal.of(
                        "desk.refused.draft_running", system=system, list_date=list_date
                    )
            made = drafts.add(
                act.connection,
                system=system,
                list_date=list_date,
                made_by=account_of(asker),
                made_at=act.at,
                ledger_seq=book.head,
            )
            act.details |= {"draft": made.id, "ledger_seq": book.head}
            if until_made is not None:
                until_made.enter_context(locks.held(self._place(made.id)))
            return made.id

    def run(self, number: int, progress: Progress = lambda *_: None) -> None:
        """Makes the list of a draft; what goes wrong is written down with the draft."""
        with locks.held(self._lock(number)):
            row = self.row(number)
            if row.status is not _S.RUNNING:
                return
            try:
                body = self._make(row, _Noted(self._desk, number, progress))
            except _Discarded:
                self.clear(number)
            except Refusal as refusal:
                self._fail(number, Failure(key=refusal.key, details=kept_details(refusal.details)))
            # Whatever it is: a draft must not stand as running when nobody works on it.
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"[:300]
                self._fail(number, Failure(key="desk.failed.defect", details={"reason": reason}))
                raise
            else:
                self._settle(number, _S.READY, body)

    def stopped(self, number: int, refusal: Refusal) -> None:
        """Writes down that a draft was not made, if nobody has said what became of it."""
        if self.row(number).status is _S.RUNNING:
            self._fail(number, Failure(key=refusal.key, details=kept_details(refusal.details)))

    def _make(self, row: DraftRow, progress: Progress) -> DraftBody:
        with self._desk.database.reading() as connection:
            book = self._desk.book(connection).before(row.ledger_seq + 1)
        system = system_named(row.system)
        plan = plan_of(book, system, row.list_date, emission=row.made_at.date())
        folders.remove(self.folder(row.id))
        maker = Maker(book, self._desk.lists, self._desk.blobs.get)
        made = maker.make(plan, self.folder(row.id), progress)
        progress("comparing", 0, 1)
        return DraftBody(
            summary=made.rated.summary,
            diff=self._diff(made, plan, system),
            unusual=_unusual(made.folder, system),
            left_out=tuple(
                DraftLeftOut(
                    report=left_out_report.report,
                    tournament=left_out_report.tournament,
                    reason=left_out_report.reason,
                    errors=left_out_report.errors,
                )
                for left_out_report in made.left_out
            ),
            used=tuple(UsedReport(seq=seq, key=key) for seq, key in made.used),
            corrections=len(plan.corrections),
            player_changes=len(plan.player_changes),
            files=folders.hashes(made.folder),
            format=plan.format,
        )

    def _diff(self, made: Made, plan: Plan, system: RatingSystem) -> DraftDiff:
        if not plan.has_opening:
            return DraftDiff()
        opening = self._desk.lists / system.key / plan.opened_on.isoformat() / LIST
        diff = ListDiff(read_list(opening, system.kind)[0], made.rated.listed)

        def moves(rows: Any) -> tuple[Move, ...]:
            return tuple(_move(diff, int(row)) for row in rows)

        return DraftDiff(
            classes={name: diff.count(name) for name in CLASSES},
            points=diff.points(),
            histogram=tuple(diff.histogram()),
            gains=moves(diff.gains(_MAX_MOVES)),
            losses=moves(diff.losses(_MAX_MOVES)),
            new=moves(diff.rows("new", _MAX_MOVES)),
            delisted=moves(diff.rows("delisted", _MAX_MOVES)),
        )

    # --- what becomes of them ---------------------------------------------------------------------

    def discard(self, asker: Asker, number: int) -> None:
        """Throws a draft away; one that is being made stops."""
        with self._desk.acting(asker, "discard_draft", f"draft:{number}") as act:
            require(asker, Permission.BUILD_LIST)
            row = self._named(act.connection, number)
            was = (_S.RUNNING, _S.READY, _S.FAILED)
            if not drafts.settle(act.connection, number, _S.DISCARDED, was=was):
                raise wrong_state(row)
        if not self._is_alive(number):
            self.clear(number)

    def recover(self, aside: Aside) -> None:
        """Marks drafts as failed that nobody works on, and moves aside what has no draft."""
        with self._desk.database.reading() as connection:
            running = drafts.with_status(connection, _S.RUNNING)
            ready = drafts.with_status(connection, _S.READY)
        stopped = DraftBody(failure=Failure(key="desk.failed.stopped"))
        for row in running:
            if not self._is_alive(row.id):
                self._settle(row.id, _S.FAILED, stopped)
        for row in ready:
            if not self.list_folder(row).is_dir():
                self._settle(row.id, _S.FAILED, stopped, was=_S.READY)
        paths = list(self._desk.drafts.iterdir())  # first: a draft begun meanwhile is not in it
        with self._desk.database.reading() as connection:
            kept = {str(row.id) for row in drafts.with_status(connection, _S.RUNNING, _S.READY)}
        for path in paths:
            if path.name not in kept and path.suffix != ".lock":
                aside.move(path, "left_draft")

    def clear(self, number: int) -> None:
        """Takes the files of a draft away."""
        folders.remove(self.folder(number))

    # --- looking ----------------------------------------------------------------------------------

    def get(self, number: int) -> Draft:
        """A draft as it is shown."""
        return shown(self.row(number))

    def row(self, number: int) -> DraftRow:
        with self._desk.database.reading() as connection:
            return self._named(connection, number)

    def _named(self, connection: Connection, number: int) -> DraftRow:
        draft_row = drafts.get(connection, number)
        if draft_row is None:
            raise Inconsistent.of("desk.refused.no_draft", number=number)
        return draft_row

    def folder(self, number: int) -> Path:
        return self._desk.drafts / str(number)

    def list_folder(self, row: DraftRow) -> Path:
        """The folder of the list in a draft."""
        return self.folder(row.id) / row.list_date.isoformat()

    def _lock(self, number: int) -> Path:
        return self._desk.drafts / f"{number}.lock"

    def _place(self, number: int) -> Path:
        """The lock of who has a draft wait for its turn."""
        return self._desk.drafts / f"{number}.place.lock"

    def _is_alive(self, number: int) -> bool:
        """Whether a draft is being made, or has a place among those that will be."""
        with (
            locks.held_if_free(self._place(number)) as has_no_place,
            locks.held_if_free(self._lock(number)) as is_free,
        ):
            return not (has_no_place and is_free)

    def _fail(self, number: int, failure: Failure) -> None:
        self.clear(number)
        self._settle(number, _S.FAILED, DraftBody(failure=failure))

    def _settle(
        self, number: int, status: DraftStatus, body: DraftBody, was: DraftStatus = _S.RUNNING
    ) -> None:
        with self._desk.database.writing() as connection:
            encoded = msgspec.json.encode(body).decode()
            settled = drafts.settle(connection, number, status, was=(was,), body=encoded)
        if not settled:  # discarded meanwhile
            self.clear(number)


class _Discarded(Exception):
    """The draft was thrown away while it was being made."""


class _Noted:
    """Writes down how far a draft is, and stops one that was discarded."""

    def __init__(self, desk: Desk, number: int, also: Progress) -> None:
        self.desk, self.number, self.also = desk, number, also
        self.last, self.stage = 0.0, ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        self.also(stage, done, total)
        if stage == self.stage and monotonic() - self.last < _SECONDS_BETWEEN:
            return
        self.stage, self.last = stage, monotonic()
        with self.desk.database.writing() as connection:
            if not drafts.progress(connection, self.number, stage, done, total):
                raise _Discarded


def _move(diff: ListDiff, row: int) -> Move:
    after = int(diff.row_after[row])
    listed, at = (diff.after, after) if after >= 0 else (diff.before, int(diff.row_before[row]))
    return Move(
        player=int(diff.id[row]),
        name=str(listed.name[at]),
        federation=str(listed.federation[at]),
        before=int(diff.rating_before[row]) or None,
        after=int(diff.rating_after[row]) or None,
    )


def _unusual(folder: Path, system: RatingSystem) -> tuple[DraftUnusual, ...]:
    players, entries, tournaments, games = (
        pq.read_table(folder / name) for name in (PLAYERS, ENTRIES, TOURNAMENTS, GAMES)
    )
    tables = Tables(players, entries, tournaments, games, system.kind)
    return tuple(
        DraftUnusual(
            kind=change.kind.value,
            players=change.players,
            tournament=change.tournament,
            figures=kept_details(change.figures),
        )
        for change in unusual_changes(tables)
    )
