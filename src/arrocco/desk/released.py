"""What released versions of this program read: whoever goes back to one has to be read there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, select

from arrocco.store.sql.migrate import RELEASES
from arrocco.store.sql.tables import accounts, ledger

_AT_ONCE = 500


class Release(NamedTuple):
    """Kinds of entries with their fields, kinds of changes in a correction, roles of accounts."""

    entries: dict[str, frozenset[str]]
    changes: frozenset[str]
    roles: frozenset[str]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_READ_BY = {
    "0.1.0": Release(
        entries={
            "list_imported": _words("system list_date blob file_name"),
            "report_accepted": _words(
                "tournament report blob file_name facts received lists time_control"
            ),
            "report_withdrawn": _words("report reason"),
            "correction": _words("report changes reason"),
            "players_merged": _words("kept left reason"),
            "player_changed": _words(
                "player name federation sex title birth died category from_day reason"
            ),
            "list_published": _words(
                "system list_date opened_on edition readings reports corrections player_changes"
                " other_lists files"
            ),
        },
        changes=_words("result id dates"),
        roles=_words(
            "public player arbiter federation_officer rating_administrator system_administrator"
        ),
    )
}


def unread(connection: Connection, revision: str) -> Counter[str]:
    """What the released version of a revision would not read, each kind with its number.

    Empty for a revision that no version was released with: nobody knows what reads it.
    """
    version = next((name for name, last in RELEASES.items() if last == revision), "")
    release = _READ_BY.get(version)
    if release is None:
        return Counter()
    return Counter(_entries(connection, release)) + Counter(_roles(connection, release))


def _entries(connection: Connection, release: Release) -> Iterator[str]:
    rows = select(ledger.c.kind, ledger.c.body).execution_options(yield_per=_AT_ONCE)
    for kind, body in connection.execute(rows):
        fields: dict[str, Any] = msgspec.json.decode(body, type=dict[str, Any])
        changes = {change.get("type", "") for change in fields.get("changes", ())}
        known = release.entries.get(kind)
        is_read = known is not None and fields.keys() - {"kind"} <= known
        if not is_read or not changes <= release.changes:
            yield kind


def _roles(connection: Connection, release: Release) -> Iterator[str]:
    roles = connection.execute(select(accounts.c.role)).scalars()
    yield from (role for role in roles if role not in release.roles)
