"""Publishing a list: its folder takes its place and the database says so, both or neither."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import pyarrow.parquet as pq
from msgspec import UNSET
from sqlalchemy import Connection

from arrocco.desk import folders, keys
from arrocco.desk.announcements import tell_published
from arrocco.desk.book import Book, Plan, plan_of
from arrocco.desk.desk import Act, Desk
from arrocco.desk.draft_records import DraftBody, body_of, wrong_state
from arrocco.engine.diff import ListDiff
from arrocco.errors import Illegal
from arrocco.formats.lists import read_list
from arrocco.laws.systems import system_named
from arrocco.office import reports as states
from arrocco.office.cutoff import late_by
from arrocco.office.ledger import ListPublished
from arrocco.office.questions import ClosesByReceipt
from arrocco.office.records import DraftStatus
from arrocco.records.ratinglist import RatingList, empty_list
from arrocco.store.calculations import TOURNAMENTS
from arrocco.store.list_folder import LIST
from arrocco.store.sql import (
    assignments,
    drafts,
    follows,
    history,
    ledger,
    publications,
    rated_tournaments,
    reports,
)
from arrocco.store.sql.drafts import DraftRow
from arrocco.store.sql.history import Change
from arrocco.store.sql.publications import Publication

_S = DraftStatus


@dataclass(frozen=True)
class Prepared:
    """A draft looked through before it is published, so that the transaction is short."""

    row: DraftRow
    body: DraftBody
    plan: Plan
    players: int
    changes: list[Change]
    tournaments: dict[int, int]
    """By tournament of the office: its row in the calculations of the list."""
    followed: dict[int, str]
    """The names of players whom somebody follows, as one of the two lists has them."""


def prepared(desk: Desk, row: DraftRow, draft: Path) -> Prepared:
    """Looks a draft through. Raises `Illegal` where it cannot be published as it is."""
    if row.status is not _S.READY:
        raise wrong_state(row)
    if not draft.is_dir():
        raise Illegal.of("desk.refused.draft_gone")
    system, body = system_named(row.system), body_of(row)
    hashes = folders.hashes(draft)
    for name in sorted(body.files.keys() | hashes.keys()):
        if body.files.get(name) != hashes.get(name):
            raise Illegal.of("desk.refused.draft_changed", file=name)
    with desk.database.reading() as connection:
        book = desk.book(connection).before(row.ledger_seq + 1)
        plan = plan_of(book, system, row.list_date, emission=row.made_at.date())
        followed = follows.followed_players(connection)
    listed, before = read_list(draft / LIST, system.kind)[0], None
    if plan.has_opening:
        opening = desk.lists / system.key / plan.opened_on.isoformat() / LIST
        before = read_list(opening, system.kind)[0]
    return Prepared(
        row,
        body,
        plan,
        len(listed),
        list(changes(before, listed)),
        tournament_rows(draft),
        _names(followed, before, listed),
    )


def _names(players: list[int], *lists: RatingList | None) -> dict[int, str]:
    """Players with their names, as the last of the lists that has them says."""
    numbers = np.array(players, dtype=np.int64)
    names: dict[int, str] = {}
    for rating_list in lists:
        if rating_list is None:
            continue
        rows = rating_list.rows(numbers)
        named = zip(players, rows.tolist(), strict=True)
        names |= {player: rating_list.at(row).name for player, row in named if row >= 0}
    return names


def publish(desk: Desk, act: Act, by: int, ready: Prepared) -> Publication:
    """Writes all that a publication is into the database; the caller moves the folder."""
    row, body, plan = ready.row, ready.body, ready.plan
    entry = ListPublished(
        system=row.system,
        list_date=row.list_date,
        opened_on=plan.opened_on,
        edition=plan.edition,
        readings=dict(plan.readings),
        reports=body.used,
        corrections=plan.corrections,
        player_changes=plan.player_changes,
        other_lists=dict(plan.other_lists),
        files=body.files,
        format=body.format,
        adjustments=plan.adjustments or UNSET,
        emitted=act.at.date() if isinstance(plan.law, ClosesByReceipt) else UNSET,
    )
    # From here on nobody else enters anything until this is done.
    secret = keys.ensured(desk, act, by)
    entered = ledger.append(act.connection, act.at, by, entry)
    seq = entered.seq
    book = desk.book(act.connection).before(seq)
    if row.list_date in book.lists(row.system):
        raise Illegal.of("desk.refused.draft_behind")
    if plan_of(book, plan.system, row.list_date, emission=act.at.date()) != plan:
        raise Illegal.of("desk.refused.draft_behind")
    made = Publication(
        system=row.system,
        list_date=row.list_date,
        seq=seq,
        published_at=act.at,
        players=ready.players,
        body=msgspec.json.encode(body.summary).decode(),
    )
    publications.add(act.connection, made)
    _settle_reports(act.connection, ready, book)
    history.add(act.connection, row.system, row.list_date, ready.changes)
    rated_tournaments.add(act.connection, row.system, row.list_date, ready.tournaments)
    _settle_drafts(act.connection, row)
    keys.sign_head(act, by, secret, entered)
    tell_published(act, row.system, row.list_date, ready.tournaments, ready.followed)
    act.details |= {"seq": seq, "players": ready.players, "reports": len(body.used)}
    late = late_by(plan.law, row.list_date, act.at.date())
    if late:
        act.details["late_by"] = late
    return made


def _settle_reports(connection: Connection, ready: Prepared, book: Book) -> None:
    """Where the reports stand now: on this list, or waiting for the next one."""
    row, body = ready.row, ready.body
    used = {book.report_number(used_report.seq) for used_report in body.used}
    for report in sorted(used):
        assignments.move(connection, report, row.system, row.list_date)
    following = ready.plan.system.edition_on(row.list_date).next_list(row.list_date)
    for left in body.left_out:
        assignments.move(connection, left.report, row.system, following)
    assignments.mark_published(connection, row.system, row.list_date)
    for sent in reports.of_numbers(connection, used):
        reports.change(connection, sent, states.rated(sent))


def _settle_drafts(connection: Connection, row: DraftRow) -> None:
    """This draft is the list; others of the same list are nothing any more."""
    if not drafts.settle(connection, row.id, _S.PUBLISHED, was=(_S.READY,)):
        raise Illegal.of("desk.refused.draft_behind")
    for other in drafts.of_list(connection, row.system, row.list_date):
        if other.id != row.id:
            was = (_S.READY, _S.FAILED, _S.RUNNING)
            drafts.settle(connection, other.id, _S.DISCARDED, was=was)


def tournament_rows(draft: Path) -> dict[int, int]:
    """By tournament of the office: its row in the calculations of a list."""
    table = pq.read_table(draft / TOURNAMENTS, columns=["tournament", "key"])
    rows: dict[int, int] = {}
    for row, key in zip(table["tournament"].to_pylist(), table["key"].to_pylist(), strict=True):
        rows.setdefault(int(key.split(":")[1]), row)
    return rows


# --- history --------------------------------------------------------------------------------------


def changes(before: RatingList | None, after: RatingList, note: str = "") -> Iterator[Change]:
    """What a list brought the players: for those who played, moved, came or went."""
    if before is None:
        before = empty_list(after.system)
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
            player=id_,
            rating=new or None,
            change=new - old if old and new else 0,
            games=max(0, played),
            k=coefficient if coefficient > 0 else None,
            note=note or told,
        )
