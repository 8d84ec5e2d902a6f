"""The ledger and the audit: every row as it was sealed, none missing, none in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from sqlalchemy import Table, func, select

from arrocco.findings import Finding
from arrocco.office.ledger import AnyEntry, decoded
from arrocco.operation.verify.databases import UNREADABLE, Numbered, error
from arrocco.store.sql import audit as audit_log
from arrocco.store.sql import chain_heads
from arrocco.store.sql import ledger as ledger_log
from arrocco.store.sql import tables as t
from arrocco.store.sql.database import Database
from arrocco.words import Phrase

FIRST_HASH = audit_log.FIRST_HASH


class Checked(NamedTuple):
    """What was found of a chain of rows."""

    total: int
    findings: list[Finding]
    rows: list[Any]
    """Those that are whole, where they are asked for."""


def numbers(first: int, last: int) -> Phrase:
    """Numbers from one to another as a sentence has them."""
    if first == last:
        return Phrase("verify.number", {"number": first})
    return Phrase("verify.numbers", {"first": first, "last": last})


def check_audit(database: Database) -> Checked:
    """Every row of the audit against its hash and the row before it."""
    return _check(database, t.audit, "id", chain_heads.AUDIT, _is_whole_audit, keep=False)


def check_ledger(database: Database) -> Checked:
    """Every entry of the ledger; `rows` are the entries that are whole, by number."""
    return _check(database, t.ledger, "seq", chain_heads.LEDGER, _is_whole_entry, keep=True)


def entries_of(checked: Checked) -> dict[int, AnyEntry]:
    """The entries of a ledger that are whole, by number."""
    return {row.seq: decoded(row.body) for row in checked.rows}


def _is_whole_audit(row: Any) -> bool:
    value = row._mapping
    sealed = audit_log.chained([value[name] for name in audit_log.SEALED], row.previous)
    return bool(sealed == row.hash)


def _is_whole_entry(row: Any) -> bool:
    return ledger_log.is_sealed(row, row.seq, row.previous)


def _check(
    database: Database,
    table: Table,
    key: str,
    name: str,
    is_whole: Callable[[Any], bool],
    *,
    keep: bool,
) -> Checked:
    column = table.c[key]
    file = "" if database.file is None else database.file.name

    def read(first: int, last: int) -> list[Any]:
        query = select(table).where(column.between(first, last)).order_by(column)
        with database.reading() as connection:
            return list(connection.execute(query))

    head, last, findings = _end(database, table, key, name, file)
    numbered, kept, count = Numbered(read), [], 0
    before, previous, was_whole = 0, FIRST_HASH, True
    for row in numbered.rows(last):
        number = row._mapping[key]
        count += 1
        whole = _safely(is_whole, row)
        if not whole:
            findings.append(error(f"{name}_rewritten", file, first=number))
        elif row.previous != previous and (was_whole or number > before + 1):
            findings += _break(numbered, name, file, before, number)
        if whole and keep:
            kept.append(row)
        before, previous, was_whole = number, row.hash, whole
    findings += [
        error(f"{name}_unreadable", file, rows=numbers(*part), first=part[0], last=part[1])
        for part in numbered.unreadable
    ]
    if head is not None and before < head.number:
        if not any(part[1] == head.number for part in numbered.unreadable):
            findings += _missing(name, file, before + 1, head.number)
    elif head is not None and was_whole and before == head.number and previous != head.hash:
        findings.append(error(f"{name}_head", file))
    return Checked(count, findings, kept)


def _end(
    database: Database, table: Table, key: str, name: str, file: str
) -> tuple[chain_heads.ChainHead | None, int, list[Finding]]:
    """Where a chain ended when it was last written to, and the number of its last row."""
    head, last, findings = None, 0, []
    try:
        with database.reading() as connection:
            head = chain_heads.get(connection, name)
    except UNREADABLE:
        findings.append(error(f"{name}_head", file))
    try:
        with database.reading() as connection:
            last = connection.execute(select(func.max(table.c[key]))).scalar() or 0
    except UNREADABLE:
        pass  # the rows themselves will tell
    if head is None and last and not findings:
        findings.append(error(f"{name}_head", file))
    return head, max(last, 0 if head is None else head.number), findings


def _break(numbered: Numbered, name: str, file: str, before: int, number: int) -> Iterator[Finding]:
    """What a row tells that does not follow the one before it."""
    if any(first <= number - 1 and last >= before + 1 for first, last in numbered.unreadable):
        return  # what is between them cannot be read, which is told already
    if number > before + 1:
        yield from _missing(name, file, before + 1, number - 1)
    else:
        yield error(f"{name}_order", file, first=number)


def _missing(name: str, file: str, first: int, last: int) -> list[Finding]:
    return [error(f"{name}_missing", file, rows=numbers(first, last), first=first, last=last)]


def _safely(is_whole: Callable[[Any], bool], row: Any) -> bool:
    try:
        return is_whole(row)
    except (ValueError, TypeError, LookupError):  # a value is of another kind than its column
        return False
