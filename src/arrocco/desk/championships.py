"""Championships of the hall: who makes one, and which events are added to it."""

from __future__ import annotations

import re
import secrets
import unicodedata

from arrocco.desk.desk import Desk, account_of
from arrocco.errors import Illegal, NotFound
from arrocco.hall.event.championship import Championship, ChampionshipRule
from arrocco.office.roles import Asker, Forbidden, Permission, require
from arrocco.store.sql import championships, hall_events
from arrocco.store.sql.championships import ChampionshipRow

MAX_EVENTS = 50
MAX_SHOWN = 200
MAX_RANKS = 40
_LONGEST_SLUG = 26


class Championships:
    """Several events with one standing."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def make(self, asker: Asker, stated: Championship) -> ChampionshipRow:
        """States a new championship."""
        with self._desk.acting(asker, "make_championship") as act:
            require(asker, Permission.REGISTER_TOURNAMENT)
            name = " ".join(stated.name.split())
            if not name:
                raise Illegal.of("championship.refused.no_name")
            if stated.rule is ChampionshipRule.GRAND_PRIX and not stated.table:
                raise Illegal.of("championship.refused.no_table")
            row = ChampionshipRow(
                id=f"{_slug(name)}-{secrets.token_hex(2)}",
                name=name[:200],
                rule=stated.rule.value,
                best=stated.best,
                points=",".join(str(points) for points in stated.table[:MAX_RANKS]),
                made_by=account_of(asker),
                made_at=act.at,
            )
            championships.add(act.connection, row)
            act.subject = row.id
            act.details |= {"name": row.name, "rule": row.rule}
            return row

    def may_change(self, asker: Asker, row: ChampionshipRow) -> bool:
        """Whoever made it."""
        return asker.account is not None and asker.account == row.made_by

    def checked(self, asker: Asker, championship: str, event: str) -> ChampionshipRow:
        """The championship, where the asker may add this event to it now.

        Raises `Forbidden`, `NotFound`, `Illegal`.
        """
        with self._desk.looking(asker, "add_to_championship", championship) as connection:
            row = championships.get(connection, championship)
            if row is None:
                raise NotFound.of("championship.refused.none")
            if not self.may_change(asker, row):
                raise Forbidden.of("championship.refused.not_yours")
            if hall_events.get(connection, event) is None:
                raise NotFound.of("hall_live.no_such_event")
            if championships.of_event(connection, event) not in (None, championship):
                raise Illegal.of("championship.refused.event_in_one", event=event)
            if len(championships.events_of(connection, championship)) >= MAX_EVENTS:
                raise Illegal.of("championship.refused.many", most=MAX_EVENTS)
            return row

    def add_event(self, asker: Asker, championship: str, event: str) -> None:
        """Adds an event whose own log says that it belongs there; once is enough."""
        self.checked(asker, championship, event)
        with self._desk.acting(asker, "add_to_championship", championship) as act:
            act.details["event"] = event
            if championships.of_event(act.connection, event) is None:
                championships.add_event(act.connection, championship, event)

    def get(self, championship: str) -> tuple[ChampionshipRow, list[str]]:
        """One with its events in order. Raises `NotFound`."""
        with self._desk.database.reading() as connection:
            row = championships.get(connection, championship)
            if row is None:
                raise NotFound.of("championship.refused.none")
            return row, championships.events_of(connection, championship)

    def newest(self) -> list[ChampionshipRow]:
        with self._desk.database.reading() as connection:
            return championships.newest(connection, MAX_SHOWN)

    def of_event(self, event: str) -> ChampionshipRow | None:
        """The championship that an event was added to."""
        with self._desk.database.reading() as connection:
            championship = championships.of_event(connection, event)
            return None if championship is None else championships.get(connection, championship)


def stated_by(row: ChampionshipRow) -> Championship:
    """What a championship states, as its standings are made by."""
    table = tuple(int(text) for text in row.points.split(",") if text)
    rule = ChampionshipRule(row.rule)
    return Championship(name=row.name, rule=rule, best=row.best, table=table)


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    return slug[:_LONGEST_SLUG].strip("-") or "championship"
