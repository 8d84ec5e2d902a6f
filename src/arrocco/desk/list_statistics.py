"""Statistics of an office's lists: counted in the background when first asked for, then kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from threading import Lock, Thread

from arrocco.desk import Office
from arrocco.errors import Refusal
from arrocco.laws.systems import system_named
from arrocco.store.list_folder import LIST
from arrocco.store.sql import ledger
from arrocco.store.statistics import ListPlace
from arrocco.store.statistics_kept import count_list, joined, keep, kept_name, read_kept
from arrocco.store.statistics_rows import Tables

_FOLDER = "statistics"


@dataclass(frozen=True)
class Counting:
    """How far the statistics of a system are; `tables` once all lists are counted."""

    lists: tuple[date, ...]
    done: int
    tables: Tables | None = None
    refusal: Refusal | None = None
    """Why a list could not be counted."""

    @property
    def total(self) -> int:
        return len(self.lists)


@dataclass(frozen=True)
class _Wanted:
    place: ListPlace
    before: ListPlace | None
    name: str


class Watching:
    """The statistics of one office. Nothing is counted twice, nor while somebody waits."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self._lock = Lock()
        self._threads: dict[str, Thread] = {}
        self._refusals: dict[tuple[str, str], Refusal] = {}
        self._tables: dict[str, tuple[tuple[str, ...], Tables]] = {}

    def of(self, system: str, patience: float = 0.0) -> Counting:
        """The statistics of a system, or how far they are; counting begins where it is needed.

        A small office is counted within the `patience` of a request, in seconds.
        """
        system_named(system)
        wanted = self._wanted(system)
        figures = self._look(system, wanted)
        if figures.tables is not None or figures.refusal is not None:
            return figures
        self._begin(system, wanted).join(patience)
        return self._look(system, wanted)

    def _wanted(self, system: str) -> list[_Wanted]:
        """The lists of a system, the oldest first, each named by what it is counted from."""
        published = list(reversed(self.office.lists.published(system)))
        with self.office.desk.database.reading() as connection:
            entries = [ledger.get(connection, publication.seq) for publication in published]
        hashes = ["" if entry is None else entry.hash for entry in entries]
        folder = self.office.desk.folder / "lists" / system
        places = [
            ListPlace(folder / publication.list_date.isoformat() / LIST, publication.list_date)
            for publication in published
        ]
        return [
            _Wanted(place, before, kept_name(own, hash_before))
            for place, before, own, hash_before in zip(
                places, [None, *places], hashes, ["", *hashes], strict=False
            )
        ]

    def _look(self, system: str, wanted: list[_Wanted]) -> Counting:
        days = tuple(listed.place.on for listed in wanted if listed.place.on)
        names = tuple(listed.name for listed in wanted)
        with self._lock:
            known = self._tables.get(system)
            refused = next(
                (self._refusals[system, n] for n in names if (system, n) in self._refusals), None
            )
        if known is not None and known[0] == names:
            return Counting(days, len(days), known[1])
        parts: list[Tables] = []
        for name in names:
            tables = read_kept(self._folder(system), name)
            if tables is None:
                return Counting(days, len(parts), None, refused)
            parts.append(tables)
        tables = joined(parts)
        with self._lock:
            self._tables[system] = (names, tables)
        return Counting(days, len(days), tables)

    def _begin(self, system: str, wanted: list[_Wanted]) -> Thread:
        with self._lock:
            thread = self._threads.get(system)
            if thread is None or not thread.is_alive():
                # A daemon: what it has not finished is counted again, nothing else is lost.
                thread = Thread(
                    target=self._count,
                    args=(system, wanted),
                    name=f"statistics-{system}",
                    daemon=True,
                )
                self._threads[system] = thread
                thread.start()
        return thread

    def _count(self, system: str, wanted: list[_Wanted]) -> None:
        kind = system_named(system).kind
        folder = self._folder(system)
        for one in wanted:
            if read_kept(folder, one.name) is not None:
                continue
            try:
                keep(folder, one.name, count_list(one.place, one.before, kind))
            except Refusal as refusal:
                with self._lock:
                    self._refusals[system, one.name] = refusal
                return

    def _folder(self, system: str) -> Path:
        return self.office.desk.views / _FOLDER / system
