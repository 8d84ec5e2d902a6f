"""What each account does not want by mail, and the token by which its mails are refused."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from sqlalchemy import Connection, select

from arrocco.store.sql import seals
from arrocco.store.sql.tables import mail_choices
from arrocco.store.sql.tokens import new_token


def unwanted(connection: Connection, account: int) -> frozenset[str]:
    """The kinds of mail that an account does not want."""
    kinds = select(mail_choices.c.refused).where(mail_choices.c.account == account)
    text = connection.execute(kinds).scalar()
    return frozenset() if text is None else frozenset(msgspec.json.decode(text, type=list[str]))


def refuse(connection: Connection, account: int, kinds: Iterable[str]) -> None:
    """Keeps which kinds an account does not want, and no others."""
    values = {"refused": msgspec.json.encode(sorted(set(kinds))).decode()}
    changed = seals.update(
        connection, mail_choices, mail_choices.c.account == account, values=values
    )
    if not changed:
        key = {"account": account}
        seals.upsert(connection, mail_choices, key, {"token": new_token()} | values, values)


def token_of(connection: Connection, account: int) -> str:
    """The token of an account's mails: it refuses mail and opens nothing. Made where needed."""
    query = select(mail_choices.c.token).where(mail_choices.c.account == account)
    token = connection.execute(query).scalar()
    if token is None:
        refuse(connection, account, ())
        token = connection.execute(query).scalar_one()
    return str(token)


def account_of(connection: Connection, token: str) -> int | None:
    """Whose token it is."""
    query = select(mail_choices.c.account).where(mail_choices.c.token == token)
    return connection.execute(query).scalar()


def forget(connection: Connection, account: int) -> None:
    """Forgets what an account chose."""
    seals.delete(connection, mail_choices, mail_choices.c.account == account)
