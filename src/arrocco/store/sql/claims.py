"""Claims of numbers, and the addresses that the office itself has of players."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from arrocco.errors import Inconsistent
from arrocco.office.claims import Claim, ClaimOrigin, ClaimState
from arrocco.store.sql import moments, seals
from arrocco.store.sql.accounts import same_email
from arrocco.store.sql.tables import claims, player_addresses


def add(
    connection: Connection,
    account: int,
    player: int,
    at: datetime,
    *,
    origin: ClaimOrigin = ClaimOrigin.ASKED,
    state: ClaimState = ClaimState.WAITING,
    note: str = "",
) -> Claim:
    """A new claim. Raises `Inconsistent` where the account has one that waits."""
    values = {
        "account": account,
        "player": player,
        "state": state.value,
        "origin": origin.value,
        "note": note,
        "made_at": moments.written(at),
    }
    try:
        with connection.begin_nested():
            return _read(seals.insert(connection, claims, values)[0]._mapping)
    except IntegrityError:
        raise Inconsistent.of("access.refused.claim_waits") from None


def get(connection: Connection, claim: int) -> Claim | None:
    row = connection.execute(select(claims).where(claims.c.id == claim)).one_or_none()
    return None if row is None else _read(row._mapping)


def decide(
    connection: Connection,
    claim: int,
    state: ClaimState,
    at: datetime,
    by: int | None,
    reason: str = "",
) -> bool:
    """Ends a claim that waits; whether it did wait: of two who decide at once one does."""
    values = {
        "state": state.value,
        "decided_by": by,
        "decided_at": moments.written(at),
        "reason": reason,
    }
    waits = claims.c.id == claim, claims.c.state == ClaimState.WAITING.value
    return bool(seals.update(connection, claims, *waits, values=values))


def waiting(connection: Connection) -> list[Claim]:
    """Claims that wait, the oldest first."""
    query = select(claims).where(claims.c.state == ClaimState.WAITING.value).order_by(claims.c.id)
    return [_read(row._mapping) for row in connection.execute(query)]


def of_account(connection: Connection, account: int) -> list[Claim]:
    """The claims of an account, the newest first."""
    query = select(claims).where(claims.c.account == account).order_by(claims.c.id.desc())
    return [_read(row._mapping) for row in connection.execute(query)]


def _read(value: Any) -> Claim:
    return Claim(
        id=value["id"],
        account=value["account"],
        player=value["player"],
        state=ClaimState(value["state"]),
        origin=ClaimOrigin(value["origin"]),
        note=value["note"],
        made_at=moments.read(value["made_at"]),
        decided_by=value["decided_by"],
        decided_at=moments.read_maybe(value["decided_at"]),
        reason=value["reason"],
    )


# --- addresses ------------------------------------------------------------------------------------


def address_of(connection: Connection, player: int) -> str:
    """The address that the office has of a player; empty without one."""
    query = select(player_addresses.c.email).where(player_addresses.c.player == player)
    return connection.execute(query).scalar() or ""


def put_address(
    connection: Connection, player: int, email: str, at: datetime, by: int | None
) -> None:
    """Keeps the address of a player."""
    values = {"email": same_email(email), "entered_by": by, "entered_at": moments.written(at)}
    seals.upsert(connection, player_addresses, {"player": player}, values)


def forget_address(connection: Connection, player: int) -> bool:
    """Forgets the address of a player; whether there was one."""
    return seals.delete(connection, player_addresses, player_addresses.c.player == player) == 1
