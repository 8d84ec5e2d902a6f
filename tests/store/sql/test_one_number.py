"""One number belongs to one account, in the database itself; those shared before are claimed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from arrocco.operation.verify.seals import check_seals
from arrocco.store.sql import accounts
from arrocco.store.sql.database import Database
from arrocco.store.sql.migrate import migrate
from tests.store.sql.people import an_account

_ACCOUNT = text(
    "INSERT INTO accounts (id, email, name, password_hash, role, federation, player, language,"
    " disabled, created_at) VALUES (:id, :email, 'Ada', 'x', 'player', '', :player, 'en',"
    " :disabled, '')"
)
PLAYERS = "SELECT id, player FROM accounts ORDER BY id"
CLAIMS = "SELECT account, player, state, origin FROM claims ORDER BY account"


def test_two_accounts_cannot_have_one_number(database: Database) -> None:
    with database.writing() as connection:
        first, second = an_account(connection), an_account(connection, "b@example.org")
        accounts.set_role(connection, first.id, first.role, "", 99000001)
    with pytest.raises(IntegrityError), database.writing() as connection:
        accounts.set_role(connection, second.id, second.role, "", 99000001)
    with database.writing() as connection:  # any number of accounts has none
        accounts.set_role(connection, first.id, first.role, "", None)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_numbers_that_accounts_shared_before_stay_with_one_and_wait_for_the_office(
    empty_url: Callable[[str], str], kind: str
) -> None:
    database = Database(empty_url(kind))
    migrate(database, "0006")
    before = [
        (1, 99000001, True),
        (2, 99000001, False),
        (3, 99000001, False),
        (4, None, False),
        (5, 99000005, False),
        (6, None, False),
    ]
    with database.writing() as connection:
        for number, player, disabled in before:
            values = {"id": number, "email": f"{number}@example.org", "player": player}
            connection.execute(_ACCOUNT, values | {"disabled": disabled})
    migrate(database)
    with database.reading() as connection:
        rows = [tuple(row) for row in connection.execute(text(PLAYERS))]
        claims = [tuple(row) for row in connection.execute(text(CLAIMS))]
    # The oldest account that is open keeps it; nobody loses it without being told.
    expected = [(1, None), (2, 99000001), (3, None), (4, None), (5, 99000005), (6, None)]
    assert rows == expected
    assert claims == [(n, 99000001, "waiting", "shared") for n in (1, 3)]
    migrate(database, "0006")
    with database.reading() as connection:
        back = [tuple(row) for row in connection.execute(text(PLAYERS))]
    assert back == [(number, player) for number, player, _ in before]
    migrate(database)
    assert (
        list(
            check_seals(
                database,
            )
        )
        == []
    )
    database.close()
