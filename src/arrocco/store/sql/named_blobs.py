"""Which files kept by their hash rows name: backups take them along, verifying asks for them.

A table that names files too is added here. What the ledger names is read from its entries.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from arrocco.store.sql import committee_cases, filing_papers, reports

NAMED_BY: dict[str, Callable[[Connection], set[str]]] = {
    "reports": reports.blobs,
    "filing_papers": filing_papers.blobs,
    "committee_records": committee_cases.blobs,
}
"""By table: the files that its rows name."""


def named_blobs(connection: Connection) -> set[str]:
    """Every file that a row of these tables names."""
    return {name for named in NAMED_BY.values() for name in named(connection)}
