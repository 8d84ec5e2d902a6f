"""What an engine has said of games: every figure as it was written, by game and half move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from arrocco.findings import Finding
from arrocco.operation.verify.databases import UNREADABLE, error
from arrocco.operation.verify.files import warning
from arrocco.operation.verify.hall import log_of
from arrocco.store.sql import seals
from arrocco.store.sql.analysis_chain import first_fault
from arrocco.store.sql.database import Database
from arrocco.store.sql.tables import watched_games
from arrocco.words import Phrase

_NONE = "[]"


def check_analyses(database: Database) -> Iterator[Finding]:
    """The positions of every game against their hashes; rows as such have their seals."""
    file = "" if database.file is None else database.file.name
    unsealed: Counter[str] = Counter()
    try:
        with database.reading() as connection:
            rows = list(seals.raw_rows(connection, watched_games))
    except (*UNREADABLE, ValueError, TypeError):
        return  # that the table cannot be read is told with the seals
    for row in rows:
        game, nodes, positions = str(row.game), row.nodes, str(row.positions)
        if not row.chain:
            unsealed[str(row.event)] += positions != _NONE
            continue
        fault = first_fault(game, nodes, str(row.setting), positions, str(row.chain))
        if fault is not None:
            unknown = Phrase("verify.ply_unknown", {"place": fault.place + 1})
            ply = unknown if fault.ply is None else Phrase("verify.ply", {"ply": fault.ply + 1})
            details = {"log": log_of(f"game:{game}"), "game": game, "nodes": nodes, "ply": ply}
            yield error("analysis", file, **details)
    for event, count in sorted(unsealed.items()):
        if count:
            yield warning("analysis_unsealed", file, event=event, count=count)
