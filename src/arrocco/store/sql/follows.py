"""Who follows what by mail: a player, the lists of a system, a tournament."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from enum import StrEnum

from sqlalchemy import Connection, String, cast, func, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import follows, history


class Followed(StrEnum):
    """What can be followed."""

    PLAYER = "player"
    LIST = "list"
    TOURNAMENT = "tournament"


def add(connection: Connection, account: int, kind: Followed, subject: str, at: datetime) -> None:
    """Follows something; once more is no fault."""
    key = {"account": account, "kind": kind.value, "subject": subject}
    seals.upsert(connection, follows, key, {"made_at": moments.written(at)})


def remove(connection: Connection, account: int, kind: Followed, subject: str) -> None:
    mine = (follows.c.account == account, follows.c.kind == kind.value)
    seals.delete(connection, follows, *mine, follows.c.subject == subject)


def of_account(connection: Connection, account: int) -> list[tuple[Followed, str]]:
    """What an account follows."""
    mine = select(follows.c.kind, follows.c.subject).where(follows.c.account == account)
    rows = connection.execute(mine.order_by(follows.c.kind, follows.c.subject))
    return [(Followed(row.kind), row.subject) for row in rows]


def count(connection: Connection, account: int) -> int:
    mine = select(func.count()).where(follows.c.account == account)
    return connection.execute(mine).scalar_one()


def followers(connection: Connection, kind: Followed, subject: str) -> list[int]:
    """The accounts that follow something."""
    same = (follows.c.kind == kind.value, follows.c.subject == subject)
    return list(connection.execute(select(follows.c.account).where(*same)).scalars())


def of_players_on(
    connection: Connection, system: str, list_date: date
) -> Iterator[tuple[int, int]]:
    """Who follows a player for whom a list brought something: accounts with the player's number."""
    number = cast(history.c.player, String(40))
    query = (
        select(follows.c.account, history.c.player)
        .join(history, follows.c.subject == number)
        .where(
            follows.c.kind == Followed.PLAYER.value,
            history.c.system == system,
            history.c.list_date == list_date,
        )
        .order_by(follows.c.account, history.c.player)
    )
    for row in connection.execute(query):
        yield row.account, row.player


def followed_players(connection: Connection) -> list[int]:
    """The players whom anybody follows."""
    query = select(follows.c.subject).where(follows.c.kind == Followed.PLAYER.value).distinct()
    return sorted(int(row.subject) for row in connection.execute(query))


def forget_of_account(connection: Connection, account: int) -> int:
    """Forgets what an account follows; how much."""
    return seals.delete(connection, follows, follows.c.account == account)
