"""An invented year at a glance: its lists, its reports, and what is left to do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import msgspec

from arrocco.office.ledger import ListImported, ListPublished, PlayerChanged, PlayersMerged
from arrocco.office.systems import SYSTEMS
from arrocco.store.sql import ledger
from arrocco.wiring.office import Office
from arrocco.wiring.office.status import Status, status_of


@dataclass(frozen=True)
class SystemGlance:
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
class Glance:
    """What an office holds."""

    systems: tuple[SystemGlance, ...]
    merged: int
    changed: int
    status: Status


def glance_at(office: Office) -> Glance:
    """Looks over an office."""
    with office.desk.database.reading() as connection:
        entries = [one.entry for one in ledger.read(connection)]
    published = [one for one in entries if isinstance(one, ListPublished)]
    imported = [one for one in entries if isinstance(one, ListImported)]
    found = []
    for system in SYSTEMS:
        made = [one for one in published if one.system == system]
        taken = [one for one in imported if one.system == system]
        days = [one.list_date for one in taken] + [one.list_date for one in made]
        latest = office.lists.latest(system)
        if latest is None:
            continue
        summary = msgspec.json.decode(latest.body)
        found.append(
            SystemGlance(
                system=system, imported=len(taken), published=len(made), first=min(days),
                latest=max(days), players=latest.players, rated=int(summary.get("rated", 0)),
                reports=sum(len(one.reports) for one in made),
                corrections=sum(len(one.corrections) for one in made),
            )
        )  # fmt: skip
    return Glance(
        systems=tuple(found),
        merged=sum(isinstance(one, PlayersMerged) for one in entries),
        changed=sum(isinstance(one, PlayerChanged) for one in entries),
        status=status_of(office.desk),
    )
