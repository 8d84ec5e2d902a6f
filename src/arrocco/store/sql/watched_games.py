"""The queue of games that an engine watches, with what it has said of them so far.

A worker takes a game for a while and writes as it goes on. One that is killed leaves what it has
written; when its while is over another one goes on from there. Rows and positions are sealed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from sqlalchemy import Connection, Row, and_, func, or_, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.analysis_chain import chain_of
from arrocco.store.sql.tables import watched_games as games


class QueuedGame(Struct, frozen=True, kw_only=True):
    """A game at a number of nodes: how far it may be looked at, how far it was."""

    game: str
    nodes: int
    event: str
    plies: int
    is_over: bool
    done: int = 0
    digest: str = ""
    setting: str = ""
    positions: str = "[]"

    @property
    def is_complete(self) -> bool:
        return self.is_over and self.done == self.plies


def put(connection: Connection, queued: QueuedGame) -> None:
    """Enters a game, or how far one may be looked at by now; what was analysed stays."""
    key = {"game": queued.game, "nodes": queued.nodes}
    values = {
        "event": queued.event,
        "plies": queued.plies,
        "is_over": queued.is_over,
        "done": queued.done,
        "digest": queued.digest,
        "setting": queued.setting,
        "positions": queued.positions,
        "chain": _chain_of(queued),
        "taken_by": "",
        "taken_until": "",
    }
    changed = {"plies": queued.plies, "is_over": queued.is_over}
    seals.upsert(connection, games, key, values, changed)


def want(connection: Connection, queued: QueuedGame) -> None:
    """Enters a game that a person asked for, to be looked at so far at least."""
    known = extents(connection, queued.event, queued.nodes).get(queued.game)
    if known is None or known[0] < queued.plies:
        put(connection, queued)


def of_games(connection: Connection, names: Sequence[str], nodes: int) -> dict[str, QueuedGame]:
    """These games at a number of nodes, by name."""
    wanted = select(games).where(games.c.game.in_(names), games.c.nodes == nodes)
    return {row.game: _read(row) for row in connection.execute(wanted)}


def take(connection: Connection, worker: str, now: datetime, until: datetime) -> QueuedGame | None:
    """The next game to analyse, for this worker alone until a moment: what persons asked first."""
    moment = moments.written(now)
    due = and_(games.c.done != games.c.plies, games.c.taken_until < moment)
    order = (games.c.nodes.desc(), games.c.is_over.desc(), games.c.game)
    chosen = select(games.c.game, games.c.nodes).where(due).order_by(*order).limit(1)
    if connection.dialect.name == "postgresql":
        chosen = chosen.with_for_update(skip_locked=True)
    row = connection.execute(chosen).one_or_none()
    if row is None:
        return None
    same = (games.c.game == row.game, games.c.nodes == row.nodes, due)
    taken = {"taken_by": worker, "taken_until": moments.written(until)}
    changed = seals.update(connection, games, *same, values=taken)
    return _read(changed[0]) if changed else None


def save(connection: Connection, queued: QueuedGame, worker: str, until: datetime | None) -> bool:
    """Writes how far a worker has come; false where the game is another's by now.

    Without `until` the worker is done with it.
    """
    held = (games.c.game == queued.game, games.c.nodes == queued.nodes, games.c.taken_by == worker)
    values = {
        "done": queued.done,
        "digest": queued.digest,
        "setting": queued.setting,
        "positions": queued.positions,
        "chain": _chain_of(queued),
        "taken_until": "" if until is None else moments.written(until),
        "taken_by": "" if until is None else worker,
    }
    return len(seals.update(connection, games, *held, values=values)) == 1


def shorten(connection: Connection, queued: QueuedGame, plies: int) -> None:
    """Takes back how far a game may be looked at, unless somebody has said otherwise since."""
    same = (
        games.c.game == queued.game,
        games.c.nodes == queued.nodes,
        games.c.plies == queued.plies,
    )
    seals.update(connection, games, *same, values={"plies": plies})


def of_event(connection: Connection, event: str, nodes: int) -> list[QueuedGame]:
    """The games of an event at a number of nodes, in the order of their names."""
    wanted = select(games).where(games.c.event == event, games.c.nodes == nodes)
    return [_read(row) for row in connection.execute(wanted.order_by(games.c.game))]


def nodes_of(connection: Connection, event: str) -> dict[int, int]:
    """At which numbers of nodes games of an event were queued, and how many at each."""
    counted = select(games.c.nodes, func.count().label("games")).where(games.c.event == event)
    rows = connection.execute(counted.group_by(games.c.nodes).order_by(games.c.nodes))
    return {row.nodes: row.games for row in rows}


def completed(connection: Connection, event: str) -> set[str]:
    """The games of an event that are over and were analysed to their end, at whatever nodes."""
    whole = (games.c.event == event, games.c.is_over, games.c.done == games.c.plies)
    return set(connection.execute(select(games.c.game).where(*whole)).scalars())


def names(connection: Connection, event: str) -> set[str]:
    """The games of an event that were played in the hall so far that they were queued."""
    return set(connection.execute(select(games.c.game).where(games.c.event == event)).scalars())


def extents(connection: Connection, event: str, nodes: int) -> dict[str, tuple[int, bool]]:
    """By game of an event: how far it may be looked at, and whether it is over."""
    wanted = select(games.c.game, games.c.plies, games.c.is_over)
    rows = connection.execute(wanted.where(games.c.event == event, games.c.nodes == nodes))
    return {row.game: (row.plies, row.is_over) for row in rows}


def count_waiting(connection: Connection) -> int:
    """How many games have positions that wait."""
    waiting = or_(games.c.done < games.c.plies, games.c.done > games.c.plies)
    return connection.execute(select(func.count()).where(waiting)).scalar_one()


def _chain_of(queued: QueuedGame) -> str:
    return chain_of(queued.game, queued.nodes, queued.setting, queued.positions)


def _read(row: Row[tuple[object, ...]]) -> QueuedGame:
    value = row._mapping
    names = QueuedGame.__struct_fields__
    return QueuedGame(**{name: value[name] for name in names})
