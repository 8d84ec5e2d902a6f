"""A second look at who asks: before keys and factors change, the password was entered lately.

Whoever finds a browser open, or has stolen its session, cannot make themselves at home with it.
"""

from __future__ import annotations

from datetime import timedelta

from arrocco.desk.account_parts import NotLoggedIn
from arrocco.desk.desk import Desk, account_of
from arrocco.desk.own_account import OwnAccount
from arrocco.office.roles import Asker
from arrocco.store.sql import one_time, sessions
from arrocco.store.sql.one_time import Purpose

SERVES = timedelta(minutes=15)
"""How long a password that was entered holds, from logging in or from the second look."""


class Proofs:
    """Which sessions have shown lately whose they are."""

    def __init__(self, desk: Desk, own_account: OwnAccount) -> None:
        self._desk, self._own_account = desk, own_account

    def is_fresh(self, asker: Asker, session: str) -> bool:
        """Whether the password was entered in a session a little while ago."""
        if asker.account is None or not session:
            return False
        at = self._desk.now()
        with self._desk.database.reading() as connection:
            kept = one_time.get(connection, session, Purpose.PROOF, at)
            if kept is not None and kept.account == asker.account:
                return True
            name = sessions.id_of(session)
            own = sessions.of_account(connection, asker.account, at)
            return any(one.id == name and at - one.created_at < SERVES for one in own)

    def require(self, asker: Asker, session: str) -> None:
        """Raises `NotLoggedIn` for a session whose password was entered too long ago."""
        if not self.is_fresh(asker, session):
            raise NotLoggedIn.of("access.refused.proof")

    def show(self, asker: Asker, session: str, password: str) -> None:
        """Takes the password again. Raises `NotLoggedIn`, `TooManyAttempts`."""
        self._own_account.proved(asker, "prove_again", password)
        with self._desk.acting(asker, "prove_again", str(asker.account)) as act:
            one_time.purge(act.connection, act.at)
            one_time.add(
                act.connection, session, Purpose.PROOF, act.at + SERVES, account=account_of(asker)
            )
