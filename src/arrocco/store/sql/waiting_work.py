"""How much waits in the tables, since when, and until when: one row for each kind of work."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, FromClause, func, select

from arrocco.office.records import Tournament
from arrocco.store.sql import moments
from arrocco.store.sql import tables as t

RETURNED = ("returned", "needs_answers")
"""What a report is that its sender has to do something about."""


class Waiting(Struct, frozen=True):
    """How many wait, since when the oldest does, and when the first is due."""

    count: int
    since: datetime | None = None
    until: datetime | None = None


def reports(
    connection: Connection, status: Sequence[str], federation: str = "", owner: int | None = None
) -> Waiting:
    """Reports with a status, of a federation's or an account's tournaments."""
    joined = t.reports.join(t.tournaments, t.reports.c.tournament == t.tournaments.c.id)
    where = [t.reports.c.status.in_(status), *_whose(federation, owner)]
    return _row(connection, joined, where, t.reports.c.sent_at)


def systems_of_reports(connection: Connection, status: str) -> list[str]:
    """The systems that tournaments with reports of a status are to be rated in."""
    joined = t.reports.join(t.tournaments, t.reports.c.tournament == t.tournaments.c.id)
    query = select(t.tournaments.c.record).select_from(joined).where(t.reports.c.status == status)
    systems: set[str] = set()
    for row in connection.execute(query):
        systems.update(msgspec.json.decode(row.record, type=Tournament).registration.systems)
    return sorted(systems)


def tournaments(
    connection: Connection, status: Sequence[str], federation: str = "", owner: int | None = None
) -> Waiting:
    """Tournaments with a status; they should be decided before they start."""
    where = [t.tournaments.c.status.in_(status), *_whose(federation, owner)]
    since, until = t.tournaments.c.registered_at, t.tournaments.c.start
    return _row(connection, t.tournaments, where, since, until)


def without_report(
    connection: Connection, today: date, federation: str = "", owner: int | None = None
) -> list[Tournament]:
    """Registered tournaments that are over and have no report; one that was withdrawn is none."""
    sent = select(t.reports.c.tournament).where(t.reports.c.status != "withdrawn")
    where = [
        t.tournaments.c.status == "registered",
        t.tournaments.c.end < today,
        t.tournaments.c.id.not_in(sent),
        *_whose(federation, owner),
    ]
    return _tournaments(connection, where)


def with_returned_report(
    connection: Connection, federation: str = "", owner: int | None = None
) -> list[Tournament]:
    """Tournaments whose report came back to whoever sent it."""
    back = select(t.reports.c.tournament).where(t.reports.c.status.in_(RETURNED))
    where = [t.tournaments.c.id.in_(back), *_whose(federation, owner)]
    return _tournaments(connection, where)


def _tournaments(connection: Connection, where: Sequence[ColumnElement[bool]]) -> list[Tournament]:
    query = select(t.tournaments.c.record).where(*where).order_by(t.tournaments.c.id)
    return [msgspec.json.decode(row.record, type=Tournament) for row in connection.execute(query)]


def own_claims(connection: Connection, account: int) -> Waiting:
    """One's own claims of a number that nobody has decided."""
    where = [t.claims.c.state == "waiting", t.claims.c.account == account]
    return _row(connection, t.claims, where, t.claims.c.made_at)


def drafts(connection: Connection, status: str) -> Waiting:
    """Drafts with a status; each is due on the day of its list."""
    where = [t.drafts.c.status == status]
    return _row(connection, t.drafts, where, t.drafts.c.made_at, t.drafts.c.list_date)


def questions(connection: Connection, federation: str = "") -> Waiting:
    """Questions of players that nobody has answered."""
    joined = t.questions.join(t.tournaments, t.questions.c.tournament == t.tournaments.c.id)
    where = [t.questions.c.state == "open", *_whose(federation, None)]
    return _row(connection, joined, where, t.questions.c.asked_at, t.questions.c.due_at)


def own_questions(connection: Connection, account: int) -> Waiting:
    """One's own questions that wait for an answer."""
    where = [t.questions.c.state == "open", t.questions.c.account == account]
    return _row(connection, t.questions, where, t.questions.c.asked_at, t.questions.c.due_at)


def mails(connection: Connection, state: str) -> Waiting:
    """Mails of a state of which a mail server said why; without one nobody refused anything."""
    where = [t.mails.c.state == state, t.mails.c.said != ""]
    return _row(connection, t.mails, where, t.mails.c.queued_at)


def _whose(federation: str, owner: int | None) -> list[ColumnElement[bool]]:
    where: list[ColumnElement[bool]] = []
    if federation:
        where.append(t.tournaments.c.federation == federation)
    if owner is not None:
        where.append(t.tournaments.c.registered_by == owner)
    return where


def _row(
    connection: Connection,
    table: FromClause,
    where: Sequence[ColumnElement[bool]],
    since: ColumnElement[Any],
    until: ColumnElement[Any] | None = None,
) -> Waiting:
    first = [func.min(since)] + ([] if until is None else [func.min(until)])
    row = connection.execute(select(func.count(), *first).select_from(table).where(*where)).one()
    return Waiting(row[0], _moment(row[1]), _moment(row[2]) if until is not None else None)


def _moment(value: date | str | None) -> datetime | None:
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    return moments.read_maybe(value)
