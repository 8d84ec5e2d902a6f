"""Publishing a list: its folder takes its place and the database says so, both or neither."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import msgspec
import numpy as np
import pyarrow.parquet as pq
from sqlalchemy import Connection

from arrocco.engine.diff import ListDiff
from arrocco.errors import Illegal
from arrocco.formats.lists import read_list
from arrocco.office import reports as states
from arrocco.office.ledger import ListPublished
from arrocco.office.records import DraftStatus
from arrocco.office.systems import RatingSystem, system_named
from arrocco.ratinglist import RatingList
from arrocco.store.calculations import TOURNAMENTS
from arrocco.store.list_folder import LIST
from arrocco.store.sql import (
    assignments,
    drafts,
    history,
    ledger,
    publications,
    rated_tournaments,
    reports,
)
from arrocco.store.sql.drafts import DraftRow
from arrocco.store.sql.history import Change
from arrocco.store.sql.publications import Publication
from arrocco.wiring.office import folders
from arrocco.wiring.office.book import Book, Plan, plan_of
from arrocco.wiring.office.desk import Act, Desk
from arrocco.wiring.office.drafts import DraftBody, body_of, wrong_state

_S = DraftStatus


def publish_draft(desk: Desk, act: Act, by: int, row: DraftRow, draft: Path) -> ListPublished:
    """Publishes a draft within an act; the caller holds the lock of the lists."""
    if row.status is not _S.READY:
        raise wrong_state(row)
    if not draft.is_dir():
        raise Illegal.of("desk.refused.draft_gone")
    system, body = system_named(row.system), body_of(row)
    found = folders.hashes(draft)
    for name in sorted(body.files.keys() | found.keys()):
        if body.files.get(name) != found.get(name):
            raise Illegal.of("desk.refused.draft_changed", file=name)
    plan = _plan_known(desk, act, row, system)
    entry = ListPublished(
        system=system.key, list_date=row.list_date, opened_on=plan.opened_on,
        edition=plan.edition, readings=dict(plan.readings), reports=body.used,
        corrections=plan.corrections, player_changes=plan.player_changes,
        other_lists=dict(plan.other_lists), files=body.files,
    )  # fmt: skip
    # From here on nobody else enters anything until this is done.
    seq = ledger.append(act.connection, act.at, by, entry).seq
    book = desk.book(act.connection).before(seq)
    if plan_of(book, system, row.list_date) != plan:
        raise Illegal.of("desk.refused.draft_behind")
    listed, _ = read_list(draft / LIST, system.kind)
    _write(desk, act, seq, row, body, book, listed)
    _write_history(desk, act.connection, plan, listed)
    rows = _tournament_rows(draft)
    rated_tournaments.add(act.connection, system.key, row.list_date, rows)
    if not drafts.settle(act.connection, row.id, _S.PUBLISHED, was=(_S.READY,)):
        raise Illegal.of("desk.refused.draft_behind")
    for other in drafts.of_list(act.connection, system.key, row.list_date):
        if other.id != row.id:
            was = (_S.READY, _S.FAILED, _S.RUNNING)
            drafts.settle(act.connection, other.id, _S.DISCARDED, was=was)
    act.details |= {"seq": seq, "players": len(listed), "reports": len(body.used)}
    return entry


def _plan_known(desk: Desk, act: Act, row: DraftRow, system: RatingSystem) -> Plan:
    """What the draft was made of."""
    book = desk.book(act.connection)
    if system_has(book, system.key, row.list_date):
        raise Illegal.of("desk.refused.draft_behind")
    return plan_of(book.before(row.ledger_seq + 1), system, row.list_date)


def system_has(book: Book, system: str, list_date: date) -> bool:
    return list_date in book.lists(system)


def _write(
    desk: Desk,
    act: Act,
    seq: int,
    row: DraftRow,
    body: DraftBody,
    book: Book,
    listed: RatingList,
) -> None:
    """The publication, and where its reports stand now."""
    publications.add(
        act.connection,
        Publication(
            system=row.system, list_date=row.list_date, seq=seq, published_at=act.at,
            players=len(listed), body=msgspec.json.encode(body.summary).decode(),
        ),
    )  # fmt: skip
    used = {book.report_number(one.seq) for one in body.used}
    for report in sorted(used):
        assignments.move(act.connection, report, row.system, row.list_date)
    following = system_named(row.system).edition_on(row.list_date).next_list(row.list_date)
    for left in body.left_out:
        assignments.move(act.connection, left.report, row.system, following)
    assignments.mark_published(act.connection, row.system, row.list_date)
    for sent in reports.of_numbers(act.connection, used):
        reports.change(act.connection, sent, states.rated(sent))


def _tournament_rows(draft: Path) -> dict[int, int]:
    """By tournament of the office: its row in the calculations of the list."""
    table = pq.read_table(draft / TOURNAMENTS, columns=["tournament", "key"])
    rows: dict[int, int] = {}
    for row, key in zip(table["tournament"].to_pylist(), table["key"].to_pylist(), strict=True):
        rows.setdefault(int(key.split(":")[1]), row)
    return rows


# --- history --------------------------------------------------------------------------------------


def _write_history(desk: Desk, connection: Connection, plan: Plan, listed: RatingList) -> None:
    before = None
    if plan.has_opening:
        path = desk.lists / plan.system.key / plan.opened_on.isoformat() / LIST
        before = read_list(path, plan.system.kind)[0]
    history.add(connection, plan.system.key, plan.list_date, changes(before, listed))


def changes(before: RatingList | None, after: RatingList, note: str = "") -> Iterator[Change]:
    """What a list brought the players: for those who played, moved, came or went."""
    if before is None:
        before = _nobody(after)
    diff = ListDiff(before, after)
    row = diff.row_after
    games = np.where(row >= 0, after.games[row], 0) if len(after) else np.zeros(len(diff), int)
    k = np.where(row >= 0, after.k[row], -1) if len(after) else np.zeros(len(diff), int) - 1
    was, now = diff.rating_before, diff.rating_after
    shown = np.flatnonzero((was != now) | ((games > 0) if not note else False))
    columns = (diff.id, was, now, games, k)
    for id_, old, new, played, coefficient in zip(
        *(column[shown].tolist() for column in columns), strict=True
    ):
        told = "new" if not old else "" if new else "delisted"
        yield Change(
            player=id_, rating=new or None, change=new - old if old and new else 0,
            games=max(0, played), k=coefficient if coefficient > 0 else None, note=note or told,
        )  # fmt: skip


def _nobody(like: RatingList) -> RatingList:
    """A list without anybody."""
    names = ("id", "name", "federation", "sex", "title", "rating", "games", "k", "birth", "flag")
    return RatingList(**{name: getattr(like, name)[:0] for name in names}, system=like.system)
