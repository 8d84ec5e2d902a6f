"""What a period run is asked to do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from arrocco.dates import Month as CalendarMonth
from arrocco.engine.admission import Waivers
from arrocco.laws.systems import only_kind_of
from arrocco.office.suspensions import Suspension
from arrocco.records.reportbatch import ReportBatch
from arrocco.records.told_facts import ToldFact
from arrocco.store.list_folder import (
    FORMAT,
    StoredList,
)


def never(key: str) -> bool:
    """No report was let in before."""
    return False


@dataclass
class PeriodJob:
    """What is to be rated, and how."""

    law: str
    period: CalendarMonth
    lists: Path
    reports: tuple[Path | ReportBatch, ...]
    """Files and folders of reports, or reports in columns."""
    out: Path
    kind: str = ""
    readings: dict[str, str] = field(default_factory=dict)
    named_readings: tuple[str, ...] | None = None
    """The readings that the summary names; all, unless a list is made again."""
    formats: tuple[str, ...] = ()
    games: bool = False
    entry_lists: Mapping[str, Path] = field(default_factory=dict)
    """By name: a list, or a folder of lists of which the one in force is asked (UISP, I.5)."""
    entry_days: Mapping[str, Collection[date]] = field(default_factory=dict)
    """By name of an entry list given as a folder: the days that count, where not all do."""
    emitted: Mapping[date, date] = field(default_factory=dict)
    """By date of a list: the day it really came out, where that is another (UISP, I.2, I.4)."""
    standard_lists: Path | None = None
    workers: int = 0
    memory: int = 2 << 30
    """Bytes that batches may take at a time."""
    runner: str = "local"
    master: str = ""
    edition: str = ""
    """An edition named to rate every tournament, in force on those days or not (for replays)."""
    affiliated: tuple[int, ...] = ()
    """Players of the IBCA, the ICSC or the IPCA whose list does not say so (FIDE 2010, 7.14g)."""
    interim: Mapping[str, tuple[str, date]] = field(default_factory=dict)
    """By key of an interim report: what its tournament is called, and its first day (2024: 4)."""
    online: bool = False
    """Every tournament was played online, whatever its report says or does not (RIO, 14.1)."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """By the key of a report: that of its tournament on the list, where it is another."""
    format: int = FORMAT
    """How the files of the list are written."""
    facts: tuple[ToldFact, ...] = ()
    """What was told of reports besides their files."""
    suspended: tuple[Suspension, ...] = ()
    """Federations that are no members for a time (10.1): reports that touch it are told."""
    waivers: Waivers = field(default_factory=Waivers)
    """Errors of reports that somebody lets pass."""
    looks_back: bool = False
    """Whether a tournament that a list of the folder has rated already is an error (9.1)."""
    is_decided: Callable[[str], bool] = never
    """Whether a report, by its key, was let in before: a list that is made again, a replay."""
    compares_columns: bool = False
    """Whether reports in columns are compared by their games too: what an office accepted was."""
    opening: StoredList | None = None
    """What opens the period, where it is not the list in the folder."""
    adjusted: Mapping[str, Collection[date]] = field(default_factory=dict)
    """By system: lists of other periods that were adjusted since they came out."""
    adjust: Callable[[StoredList], None] | None = None
    """Changes what the period opens with, for corrections and changes of players.

    `players` and `listed` keep the same rows; the ratings opponents had are those of `listed`.
    """

    @property
    def has_list(self) -> bool:
        """Whether a list opens the period; without one nobody can be missing on it."""
        return self.opening is None or len(self.opening.listed) > 0

    @property
    def rating_kind(self) -> str:
        return self.kind or only_kind_of(self.law)
