"""Reports of tournaments, in the versions they were sent in."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, func, select

from arrocco.office.records import ReportStatus, SentReport, Tournament
from arrocco.store.folding import folded
from arrocco.store.sql import moments, records, seals
from arrocco.store.sql.tables import reports, tournaments

_DECODER = msgspec.json.Decoder(SentReport)
_TOURNAMENT = msgspec.json.Decoder(Tournament)


def add(connection: Connection, report: SentReport) -> SentReport:
    """Keeps a new report and gives it its number and the next version of its tournament."""
    # Two reports of one tournament sent at once get their versions one after the other.
    held = select(tournaments.c.id).where(tournaments.c.id == report.tournament).with_for_update()
    connection.execute(held)
    last = select(func.coalesce(func.max(reports.c.version), 0)).where(
        reports.c.tournament == report.tournament
    )
    version = connection.execute(last).scalar_one() + 1
    values = columns_of(report) | {"version": version, "record": ""}
    (added,) = seals.insert(connection, reports, values)
    numbered = msgspec.structs.replace(report, id=added.id, version=version)
    records.put(connection, reports, numbered, {})
    return numbered


def get(connection: Connection, report: int) -> SentReport | None:
    query = select(reports.c.record).where(reports.c.id == report)
    record = connection.execute(query).scalar_one_or_none()
    return None if record is None else _DECODER.decode(record)


def change(connection: Connection, old: SentReport, new: SentReport) -> SentReport:
    """Puts `new` in the place of `old`. Raises `Inconsistent` where `old` is no longer there."""
    return records.replace(connection, reports, old, new, columns_of(new))


def columns_of(report: SentReport) -> dict[str, Any]:
    """What the columns have of a record that is kept whole beside them."""
    return {
        "tournament": report.tournament,
        "version": report.version,
        "blob": report.blob,
        "status": report.status.value,
        "sent_at": moments.written(report.sent_at),
    }


def of_tournament(connection: Connection, tournament: int) -> list[SentReport]:
    """The versions of a tournament's report, the newest first."""
    query = select(reports.c.record).where(reports.c.tournament == tournament)
    return _all(connection.execute(query.order_by(reports.c.version.desc())).scalars())


def of_numbers(connection: Connection, numbers: Collection[int]) -> list[SentReport]:
    """Reports by their numbers, in order of them."""
    sent_reports: list[SentReport] = []
    wanted = sorted(numbers)
    for start in range(0, len(wanted), 500):  # databases take so many values at once and no more
        part = select(reports.c.record).where(reports.c.id.in_(wanted[start : start + 500]))
        sent_reports += _all(connection.execute(part.order_by(reports.c.id)).scalars())
    return sent_reports


def with_status(
    connection: Connection,
    status: Collection[ReportStatus],
    *,
    federation: str = "",
    owner: int | None = None,
    text: str = "",
    latest_first: bool = False,
    offset: int = 0,
    limit: int = 50,
) -> tuple[int, list[SentReport]]:
    """How many reports stand so and a page of them, those that wait longest first.

    `latest_first` puts those of the tournaments that start last first; `text` is words of the
    tournament's name, city or chief arbiter.
    """
    joined = reports.join(tournaments, tournaments.c.id == reports.c.tournament)
    wanted: list[ColumnElement[bool]] = [
        reports.c.status.in_(sorted(report_status.value for report_status in status))
    ]
    if federation:
        wanted.append(tournaments.c.federation == federation)
    if owner is not None:
        wanted.append(tournaments.c.registered_by == owner)
    wanted += [
        tournaments.c.folded.contains(word, autoescape=True) for word in folded(text).split()
    ]
    order = (tournaments.c.start.desc(), reports.c.id.desc()) if latest_first else (reports.c.id,)
    counted = select(func.count()).select_from(joined).where(*wanted)
    query = select(reports.c.record).select_from(joined).where(*wanted).order_by(*order)
    rows = connection.execute(query.offset(offset).limit(limit)).scalars()
    return connection.execute(counted).scalar_one(), _all(rows)


def on_days(
    connection: Connection,
    start: date,
    end: date,
    status: Collection[ReportStatus],
    *,
    apart_from: int,
    limit: int,
) -> list[tuple[SentReport, Tournament]]:
    """Reports of other tournaments that were played on some of these days, the newest first."""
    joined = reports.join(tournaments, tournaments.c.id == reports.c.tournament)
    query = (
        select(reports.c.record, tournaments.c.record)
        .select_from(joined)
        .where(
            reports.c.status.in_(sorted(report_status.value for report_status in status)),
            tournaments.c.start <= end,
            tournaments.c.end >= start,
            tournaments.c.id != apart_from,
        )
        .order_by(reports.c.id.desc())
        .limit(limit)
    )
    return [
        (_DECODER.decode(report), _TOURNAMENT.decode(tournament))
        for report, tournament in connection.execute(query)
    ]


def blobs(connection: Connection) -> set[str]:
    """Every blob that a report names: its file, and the games that came with it."""
    named = set(connection.execute(select(reports.c.blob).distinct()).scalars())
    with_games = select(reports.c.record).where(
        reports.c.record.contains('"games_blob":"'), ~reports.c.record.contains('"games_blob":""')
    )
    return named | {
        sent_report.games_blob for sent_report in _all(connection.execute(with_games).scalars())
    }


def _all(rows: Iterable[str]) -> list[SentReport]:
    return [_DECODER.decode(row) for row in rows]
