"""Lists from elsewhere: the one a system opens with, or those that entry ratings come from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from arrocco.desk.book import IMPORTABLE
from arrocco.desk.rated_reports import years_only
from arrocco.engine.printed_k import past_told_by_k
from arrocco.errors import Illegal, Inconsistent
from arrocco.findings import Finding
from arrocco.formats.lists import write_list
from arrocco.formats.lists.registry import published
from arrocco.laws.systems import ENTRY_LISTS, SYSTEMS
from arrocco.records.ratinglist import RatingList
from arrocco.store.list_folder import (
    FORMAT,
    LIST,
    POOLS,
    STATE,
    new_folder,
    read_from_elsewhere,
    write_pools,
    write_state,
)


@dataclass(frozen=True)
class Imported:
    """A list as it was taken over."""

    listed: RatingList
    findings: tuple[Finding, ...]


def kind_of(system: str) -> str:
    """What list files call the rating of a system. Raises `Inconsistent` for an unknown one."""
    if system in SYSTEMS:
        return SYSTEMS[system].kind
    if system in ENTRY_LISTS:
        return ENTRY_LISTS[system]
    raise Inconsistent.of("desk.refused.not_importable", system=system, known=IMPORTABLE)


def check_day(system: str, list_date: date, last: date | None) -> None:
    """Raises `Illegal` unless a list of this day can come after the last one."""
    if last is not None and list_date <= last:
        raise Illegal.of("desk.refused.import_order", system=system, list_date=list_date, last=last)
    if system in SYSTEMS:
        in_force = SYSTEMS[system].edition_on(list_date).list_in_force(list_date)
        if in_force != list_date:
            raise Illegal.of(
                "desk.refused.import_day", system=system, list_date=list_date, in_force=in_force
            )


def write_imported(
    system: str, list_date: date, file: Path, folder: Path, format_: int = FORMAT
) -> Imported:
    """Writes the folder of a list from a file of it; the same file gives the same folder."""
    kind = kind_of(system)
    stored = read_from_elsewhere(file, kind, list_date)
    if not len(stored.listed):
        raise Inconsistent.of("desk.refused.import_empty", file=file.name, kind=kind)
    if system in SYSTEMS:
        law = SYSTEMS[system].edition_on(list_date)
        stored.players = past_told_by_k(law, stored.players, list_date)
    stored.listed.birth = years_only(stored.listed.birth)
    stored.players.birth = years_only(stored.players.birth)
    with new_folder(folder) as target:
        write_list(stored.listed, target / LIST, "parquet")
        for each in published():
            write_list(stored.listed, target / each.list_file, each.name)
        write_state(target / STATE, stored.players, format_)
        write_pools(target / POOLS, stored.pools)
    return Imported(stored.listed, tuple(stored.findings))
