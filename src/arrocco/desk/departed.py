"""Players who are on the newest lists no more: who died, and whose number became another one."""

from __future__ import annotations

from datetime import date
from threading import Lock

from msgspec import Struct

from arrocco.desk.book import IMPORTABLE
from arrocco.desk.desk import Desk, merged_numbers
from arrocco.desk.lists import Lists
from arrocco.errors import Inconsistent
from arrocco.office.ledger import PlayerChanged, PlayerCreated
from arrocco.store.folding import folded
from arrocco.store.list_view import ViewedPlayer
from arrocco.store.sql import history, ledger


class Departed(Struct, frozen=True, kw_only=True):
    """Somebody who died, or a number that was left for another."""

    player: int
    name: str
    federation: str
    title: str
    birth_year: int | None
    successor: int | None
    """The number that is kept in the end; `None` for who died under this one."""
    died: date | None
    last_lists: dict[str, date]
    """By system: the last list that has them."""
    left_with: dict[str, date]
    """By system: the list they left with; not there while that list is to come."""


class DepartedPlayers:
    """Everybody whom the ledger says gone; few, and kept until something is entered."""

    def __init__(self, desk: Desk, lists: Lists) -> None:
        self._desk, self._lists = desk, lists
        self._lock = Lock()
        self._kept: tuple[int, dict[int, Departed]] = (-1, {})

    def all(self) -> dict[int, Departed]:
        """By number."""
        with self._desk.database.reading() as connection:
            head = ledger.head_seq(connection)
            with self._lock:
                if self._kept[0] == head:
                    return self._kept[1]
            merged = merged_numbers(connection)
            died, created = dict[int, date](), dict[int, PlayerCreated]()
            for entered in ledger.of_kind(connection, PlayerChanged, PlayerCreated):
                entry = entered.entry
                if isinstance(entry, PlayerCreated):
                    created[entry.player] = entry
                elif isinstance(entry, PlayerChanged) and entry.died is not None:
                    died[entry.player] = entry.died
            rows = {
                player: history.of_player(connection, player)
                for player in sorted(merged.keys() | died.keys())
            }
        departed = {}
        for player, changes in rows.items():
            days: dict[str, list[date]] = {}
            for row in changes:
                days.setdefault(row.system, []).append(row.list_date)
            departed[player] = self._departed(
                player, days, merged.get(player), died.get(player), created.get(player)
            )
        with self._lock:
            self._kept = head, departed
        return departed

    def get(self, player: int) -> Departed | None:
        """One of them by number."""
        return self.all().get(player)

    def search(self, text: str, limit: int = 20) -> list[Departed]:
        """Those whose number or whose name, word by word as far as typed, is asked for."""
        words = folded(text).split()
        if not words:
            return []
        departeds = [
            departed
            for departed in self.all().values()
            if words == [str(departed.player)]
            or all(
                any(part.startswith(word) for part in folded(departed.name).split())
                for word in words
            )
        ]
        return departeds[:limit]

    def _departed(
        self,
        player: int,
        days: dict[str, list[date]],
        successor: int | None,
        died: date | None,
        created: PlayerCreated | None,
    ) -> Departed:
        known: ViewedPlayer | None = None
        last, left = dict[str, date](), dict[str, date]()
        for system in IMPORTABLE:
            published = [publication.list_date for publication in self._lists.published(system)]
            row, on = self._last_row(system, player, published, days.get(system, []))
            if row is None or on is None:
                continue
            known, last[system] = known or row, on
            later = [day for day in published if day > on]
            if later:
                left[system] = min(later)
        return Departed(
            player=player,
            name=known.name if known else created.name if created else "",
            federation=known.federation if known else created.federation if created else "",
            title=known.title if known else "",
            birth_year=known.birth.year if known and known.birth else None,
            successor=successor,
            died=died,
            last_lists=last,
            left_with=left,
        )

    def _last_row(
        self, system: str, player: int, published: list[date], changed: list[date]
    ) -> tuple[ViewedPlayer | None, date | None]:
        """The last list of a system that has a player: the newest, or one before they left it."""
        if not published:
            return None, None
        newest = published[0]
        tried = [newest]
        if changed:  # the last change of all is that they left; the list before has them
            leaving = max(changed)
            tried += [leaving, *(day for day in published if day < leaving)][:2]
        for day in tried:
            try:
                row = self._lists.view(system, day).player(player)
            except Inconsistent:
                continue
            if row is not None:
                return row, day
        return None, None
