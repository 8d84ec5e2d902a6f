"""The cases of the Fair Play Committee: their records in order, which are only added."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import Connection, Row, func, select

from arrocco.office.cases import CommitteeCase, fold_case
from arrocco.office.cases.records import (
    AnyCaseRecord,
    CaseOpened,
    RatingsCorrected,
    decode_record,
    encode_record,
)
from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import committee_records as records


def open_case(connection: Connection, opened: CaseOpened) -> CommitteeCase:
    """Begins a case; its number is the next one."""
    last = connection.execute(select(func.max(records.c.case))).scalar_one_or_none() or 0
    _add(connection, last + 1, 0, opened.event, opened)
    return fold_case(last + 1, [opened])


def add(connection: Connection, case: CommitteeCase, record: AnyCaseRecord) -> CommitteeCase:
    """Enters a record behind the last one; two at once collide, and one is refused."""
    _add(connection, case.number, len(case.records), case.opened.event, record)
    return fold_case(case.number, (*case.records, record))


def _add(connection: Connection, case: int, number: int, event: str, record: AnyCaseRecord) -> None:
    values = {
        "case": case,
        "number": number,
        "event": event,
        "account": record.by,
        "at": moments.written(record.at),
        "body": encode_record(record),
    }
    seals.insert(connection, records, values)


def get(connection: Connection, case: int) -> CommitteeCase | None:
    rows = connection.execute(select(records).where(records.c.case == case).order_by(*_ORDER))
    return next(iter(_folded(rows)), None)


def every(connection: Connection) -> list[CommitteeCase]:
    """All cases, the newest first."""
    return _folded(connection.execute(select(records).order_by(*_ORDER)))[::-1]


def of_event(connection: Connection, event: str) -> list[CommitteeCase]:
    """The cases of an event, the newest first."""
    rows = select(records).where(records.c.event == event).order_by(*_ORDER)
    return _folded(connection.execute(rows))[::-1]


def by_corrections(connection: Connection, seqs: Collection[int]) -> dict[int, int]:
    """By place of a correction in the ledger the case it was made from."""
    if not seqs:
        return {}
    rows = select(records.c.case, records.c.body).where(
        records.c.body.contains(_CORRECTED, autoescape=True)
    )
    cases = {}
    for row in connection.execute(rows):
        record = decode_record(row.body)
        if isinstance(record, RatingsCorrected) and record.correction in seqs:
            cases[record.correction] = row.case
    return cases


def blobs(connection: Connection) -> set[str]:
    """The names of all files that are evidence."""
    return {evidence_added.blob for case in every(connection) for evidence_added in case.evidence}


_CORRECTED = f'"{RatingsCorrected.__struct_config__.tag}"'
_ORDER = (records.c.case, records.c.number)


def _folded(rows: Iterable[Row[tuple[object, ...]]]) -> list[CommitteeCase]:
    by_case: dict[int, list[AnyCaseRecord]] = {}
    for row in rows:
        value = row._mapping
        by_case.setdefault(value["case"], []).append(decode_record(value["body"]))
    return [fold_case(number, told) for number, told in by_case.items()]
