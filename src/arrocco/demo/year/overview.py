"""An invented year at a overview: its lists, its reports, and what is left to do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import msgspec

from arrocco.desk import Office
from arrocco.desk.status import Status, status_of
from arrocco.laws.systems import SYSTEMS
from arrocco.office.ledger import ListImported, ListPublished, PlayerChanged, PlayersMerged
from arrocco.store.sql import ledger


@dataclass(frozen=True)
class SystemOverview:
    """The lists of one system."""

    system: str
    imported: int
    published: int
    first: date
    latest: date
    players: int
    rated: int
    reports: int
    corrections: int


@dataclass(frozen=True)
class Overview:
    """What an office holds."""

    systems: tuple[SystemOverview, ...]
    merged: int
    changed: int
    status: Status


def overview_of(office: Office) -> Overview:
    """Looks over an office."""
    with office.desk.database.reading() as connection:
        entries = [ledger_entry.entry for ledger_entry in ledger.read(connection)]
    published = [entry for entry in entries if isinstance(entry, ListPublished)]
    imported = [entry for entry in entries if isinstance(entry, ListImported)]
    system_overviews = []
    for system in SYSTEMS:
        made = [list_published for list_published in published if list_published.system == system]
        taken = [list_imported for list_imported in imported if list_imported.system == system]
        days = [list_imported.list_date for list_imported in taken] + [
            list_published.list_date for list_published in made
        ]
        latest = office.lists.latest(system)
        if latest is None:
            continue
        summary = msgspec.json.decode(latest.body)
        system_overviews.append(
            SystemOverview(
                system=system,
                imported=len(taken),
                published=len(made),
                first=min(days),
                latest=max(days),
                players=latest.players,
                rated=int(summary.get("rated", 0)),
                reports=sum(len(list_published.reports) for list_published in made),
                corrections=sum(len(list_published.corrections) for list_published in made),
            )
        )
    return Overview(
        systems=tuple(system_overviews),
        merged=sum(isinstance(entry, PlayersMerged) for entry in entries),
        changed=sum(isinstance(entry, PlayerChanged) for entry in entries),
        status=status_of(office.desk),
    )
