"""Lists from elsewhere: the one a system opens with, or those that entry ratings come from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from arrocco.engine.printed_k import past_told_by_k
from arrocco.errors import Illegal, Inconsistent
from arrocco.findings import Finding
from arrocco.formats.lists import write_list
from arrocco.office.systems import SYSTEMS
from arrocco.ratinglist import RatingList
from arrocco.store.list_folder import (
    LIST,
    POOLS,
    STATE,
    ListFolder,
    new_folder,
    write_pools,
    write_state,
)
from arrocco.wiring.office.book import IMPORTABLE
from arrocco.wiring.office.making import years_only
from arrocco.wiring.period import ENTRY_KINDS, LIST_FILES


@dataclass(frozen=True)
class Imported:
    """A list as it was taken over."""

    listed: RatingList
    findings: tuple[Finding, ...]


def kind_of(system: str) -> str:
    """What list files call the rating of a system. Raises `Inconsistent` for an unknown one."""
    if system in SYSTEMS:
        return SYSTEMS[system].kind
    if system in ENTRY_KINDS:
        return ENTRY_KINDS[system]
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


def write_imported(system: str, list_date: date, file: Path, folder: Path) -> Imported:
    """Writes the folder of a list from a file of it; the same file gives the same folder."""
    kind = kind_of(system)
    with TemporaryDirectory(prefix="arrocco-") as scratch:
        # A folder of lists knows how to take one from elsewhere, by the day it is named after.
        (Path(scratch) / f"{list_date}.csv").symlink_to(file.absolute())
        stored = ListFolder(Path(scratch), kind).read(list_date)
    if not len(stored.listed):
        raise Inconsistent.of("desk.refused.import_empty", file=file.name, kind=kind)
    if system in SYSTEMS:
        law = SYSTEMS[system].edition_on(list_date)
        stored.players = past_told_by_k(law, stored.players, list_date)
    stored.listed.birth = years_only(stored.listed.birth)
    stored.players.birth = years_only(stored.players.birth)
    with new_folder(folder) as target:
        write_list(stored.listed, target / LIST, "parquet")
        for format_, name in LIST_FILES.items():
            write_list(stored.listed, target / name, format_)
        write_state(target / STATE, stored.players)
        write_pools(target / POOLS, stored.pools)
    return Imported(stored.listed, tuple(stored.findings))
