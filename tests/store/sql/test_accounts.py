"""Accounts, invitations, sessions and failed attempts: hashes only, once only, in time only."""

from __future__ import annotations

import pytest
from sqlalchemy import select, text

from arrocco.errors import Inconsistent
from arrocco.office.roles import Role
from arrocco.store.sql import (
    accounts,
    audit,
    devices,
    invitations,
    refusal_counts,
    sessions,
    throttle,
)
from arrocco.store.sql.database import Database
from arrocco.store.sql.tables import devices as devices_table
from arrocco.store.sql.tokens import hashed, new_token
from tests.store.sql.people import HOUR, NOW, an_account


class TestAccounts:
    def test_are_found_by_number_and_by_address(self, database: Database) -> None:
        with database.writing() as connection:
            anna = an_account(connection, " Anna@Example.org ")
        with database.reading() as connection:
            assert anna.email == "anna@example.org"
            assert anna.role is Role.ARBITER
            assert anna.created_at == NOW
            assert accounts.by_id(connection, anna.id) == anna
            assert accounts.by_email(connection, "ANNA@example.org") == anna
            assert accounts.by_email(connection, "b@example.org") is None
            assert accounts.by_id(connection, anna.id + 1) is None

    def test_an_address_has_one_account_and_the_transaction_goes_on(
        self, database: Database
    ) -> None:
        with database.writing() as connection:
            an_account(connection)
            with pytest.raises(Inconsistent) as refused:
                an_account(connection, "A@EXAMPLE.ORG")
            an_account(connection, "b@example.org")
        assert refused.value.key == "sql.refused.email_taken"
        with database.reading() as connection:
            found = [one.email for one in accounts.every(connection)]
            assert found == ["a@example.org", "b@example.org"]

    def test_change_only_in_what_is_set(self, database: Database) -> None:
        with database.writing() as connection:
            anna, other = an_account(connection), an_account(connection, "b@example.org")
            accounts.set_password(connection, anna.id, "new")
            accounts.set_language(connection, anna.id, "it")
            accounts.set_disabled(connection, anna.id, True)
            accounts.set_role(connection, anna.id, Role.PLAYER, "NOR", 99_000_001)
        with database.reading() as connection:
            now = accounts.by_id(connection, anna.id)
            assert now is not None
            assert (now.password_hash, now.language, now.disabled) == ("new", "it", True)
            assert (now.role, now.federation, now.player) == (Role.PLAYER, "NOR", 99_000_001)
            assert now.name == anna.name
            assert accounts.by_id(connection, other.id) == other


class TestInvitations:
    def invite(self, database: Database) -> str:
        token = new_token()
        with database.writing() as connection:
            by = an_account(connection)
            invitations.add(
                connection,
                token=token,
                email="New@Example.org",
                role=Role.FEDERATION_OFFICER,
                federation="ITA",
                expires_at=NOW + HOUR,
                invited_by=by.id,
            )
        return token

    def test_serve_once(self, database: Database) -> None:
        token = self.invite(database)
        with database.writing() as connection:
            seen = invitations.by_token(connection, token, NOW)
            assert seen is not None
            assert (seen.email, seen.role) == ("new@example.org", Role.FEDERATION_OFFICER)
            assert invitations.waiting(connection, NOW) == [seen]
            used = invitations.use(connection, token, NOW)
            assert used is not None
            assert used.used_at == NOW
            assert invitations.use(connection, token, NOW) is None
            assert invitations.by_token(connection, token, NOW) is None
            assert invitations.waiting(connection, NOW) == []
            assert not invitations.withdraw(connection, used.id)

    def test_serve_in_time_and_to_the_holder_of_the_token(self, database: Database) -> None:
        token = self.invite(database)
        with database.writing() as connection:
            assert invitations.use(connection, token, NOW + HOUR) is None
            assert invitations.use(connection, token + "x", NOW) is None
            assert invitations.use(connection, hashed(token), NOW) is None
            assert invitations.waiting(connection, NOW + HOUR) == []

    def test_can_be_taken_back(self, database: Database) -> None:
        token = self.invite(database)
        with database.writing() as connection:
            seen = invitations.by_token(connection, token, NOW)
            assert seen is not None
            assert invitations.withdraw(connection, seen.id)
            assert invitations.use(connection, token, NOW) is None


class TestSessions:
    def test_open_to_their_token_until_they_expire(self, database: Database) -> None:
        with database.writing() as connection:
            anna = an_account(connection)
            token = sessions.start(connection, anna.id, NOW, NOW + HOUR)
        with database.reading() as connection:
            assert sessions.account_of(connection, token, NOW) == anna
            assert sessions.account_of(connection, token, NOW + HOUR) is None
            assert sessions.account_of(connection, token[:-1], NOW) is None
            assert sessions.account_of(connection, "", NOW) is None
        with database.writing() as connection:
            sessions.extend(connection, token, NOW + 3 * HOUR)
            assert sessions.account_of(connection, token, NOW + 2 * HOUR) == anna

    def test_no_token_stands_in_the_database(self, database: Database) -> None:
        with database.writing() as connection:
            token = sessions.start(connection, an_account(connection).id, NOW, NOW + HOUR)
            rows = connection.execute(text("SELECT * FROM sessions")).all()
        assert hashed(token) in rows[0]
        assert token not in str(rows)

    def test_a_disabled_account_has_none(self, database: Database) -> None:
        with database.writing() as connection:
            anna = an_account(connection)
            token = sessions.start(connection, anna.id, NOW, NOW + HOUR)
            accounts.set_disabled(connection, anna.id, True)
            assert sessions.account_of(connection, token, NOW) is None

    def test_end_one_by_one_all_but_one_or_by_age(self, database: Database) -> None:
        with database.writing() as connection:
            anna, other = an_account(connection), an_account(connection, "b@example.org")
            one, two, three = (
                sessions.start(connection, anna.id, NOW, NOW + hours * HOUR) for hours in (1, 2, 3)
            )
            theirs = sessions.start(connection, other.id, NOW, NOW + 9 * HOUR)
            sessions.end(connection, three)
            assert sessions.account_of(connection, three, NOW) is None
            sessions.end_all(connection, anna.id, but=one)
            assert sessions.account_of(connection, two, NOW) is None
            assert sessions.account_of(connection, one, NOW) == anna
            assert sessions.purge(connection, NOW + HOUR) == 1
            sessions.end_all(connection, anna.id)
            assert sessions.account_of(connection, theirs, NOW) == other


class TestThrottle:
    def test_one_row_tells_until_when_a_subject_has_paid(self, database: Database) -> None:
        with database.writing() as connection:
            assert throttle.paid_until(connection, "a", NOW) == NOW
            throttle.put_off(connection, "a", NOW + HOUR)
            throttle.put_off(connection, "a", NOW + 2 * HOUR)
            throttle.put_off(connection, "b", NOW + HOUR)
            assert throttle.count(connection) == 2
            assert throttle.paid_until(connection, "a", NOW) == NOW + 2 * HOUR
            assert throttle.paid_until(connection, "a", NOW + 3 * HOUR) == NOW + 3 * HOUR
            throttle.give_back(connection, "a", HOUR, NOW)
            assert throttle.paid_until(connection, "a", NOW) == NOW + HOUR
            assert throttle.purge(connection, NOW) == 0
            assert throttle.purge(connection, NOW + HOUR) == 2
            throttle.put_off(connection, "a", NOW + HOUR)
            throttle.forget(connection, "a")
            assert throttle.count(connection) == 0


class TestDevices:
    def test_are_known_by_account_and_kept_as_hashes(self, database: Database) -> None:
        with database.writing() as connection:
            anna, other = an_account(connection), an_account(connection, email="b@example.org")
            token = devices.remember(connection, "", anna.id, NOW)
            assert devices.is_known(connection, token, anna.id)
            assert not devices.is_known(connection, token, other.id)
            assert not devices.is_known(connection, "", anna.id)
            assert devices.remember(connection, token, anna.id, NOW) == token
            assert devices.remember(connection, token, other.id, NOW) == token
            assert devices.is_known(connection, token, other.id)
            rows = connection.execute(select(devices_table)).all()
            assert len(rows) == 2
            assert token not in str(rows)

    def test_take_no_token_that_was_made_elsewhere(self, database: Database) -> None:
        with database.writing() as connection:
            anna = an_account(connection)
            token = devices.remember(connection, "planted", anna.id, NOW)
            assert token != "planted"
            assert not devices.is_known(connection, "planted", anna.id)

    def test_are_bounded_and_the_oldest_goes(self, database: Database) -> None:
        with database.writing() as connection:
            anna = an_account(connection)
            tokens = [
                devices.remember(connection, "", anna.id, NOW + number * HOUR)
                for number in range(devices.MAX_DEVICES + 2)
            ]
            known = [devices.is_known(connection, token, anna.id) for token in tokens]
            assert known == [False, False] + [True] * devices.MAX_DEVICES
            devices.forget_all(connection, anna.id, but=tokens[-1])
            known = [devices.is_known(connection, token, anna.id) for token in tokens]
            assert known == [False] * (len(tokens) - 1) + [True]


def test_refusals_are_summed_by_window_action_and_key(database: Database) -> None:
    with database.writing() as connection:
        for hour, key, account in ((0, "x", 0), (0, "x", 7), (0, "x", 7), (0, "y", 0), (1, "x", 0)):
            refusal_counts.add(connection, NOW + hour * HOUR, "log_in", key, account)
        sums = refusal_counts.before(connection, NOW + HOUR)
        assert [(one.key, one.total, one.accounts) for one in sums] == [
            ("x", 3, {7: 2}),
            ("y", 1, {}),
        ]
        refusal_counts.forget_before(connection, NOW + HOUR)
        assert refusal_counts.before(connection, NOW + HOUR) == []
        assert len(refusal_counts.before(connection, NOW + 2 * HOUR)) == 1


class TestAudit:
    def fill(self, database: Database) -> tuple[int, list[int]]:
        with database.writing() as connection:
            anna = an_account(connection).id
            lines = [
                audit.append(
                    connection,
                    at=NOW + number * HOUR,
                    account=anna if number % 2 else None,
                    role="arbiter",
                    action="send_report" if number % 3 else "log_in",
                    outcome="done" if number < 6 else "refused",
                    subject=f"report:{number % 4}",
                    address="192.0.2.1",
                    details={"n": number, "à": ["ì"]},
                )
                for number in range(10)
            ]
        return anna, lines

    def test_is_read_page_by_page_the_newest_first(self, database: Database) -> None:
        anna, lines = self.fill(database)
        with database.reading() as connection:
            first = audit.page(connection, limit=4)
            assert [one.id for one in first] == lines[:5:-1]
            second = audit.page(connection, limit=4, before=first[-1].id)
            assert [one.id for one in second] == lines[5:1:-1]
            newest = first[0]
        assert newest.details == {"n": 9, "à": ["ì"]}
        assert (newest.account, newest.at) == (anna, NOW + 9 * HOUR)

    def test_is_filtered(self, database: Database) -> None:
        anna, _ = self.fill(database)
        with database.reading() as connection:

            def numbers(**filters: object) -> list[int]:
                found = audit.page(connection, **filters)  # type: ignore[arg-type]
                return [one.details["n"] for one in reversed(found)]

            assert numbers(account=anna) == [1, 3, 5, 7, 9]
            assert numbers(action="log_in") == [0, 3, 6, 9]
            assert numbers(outcome="refused", action="log_in") == [6, 9]
            assert numbers(subject="report:1") == [1, 5, 9]
            assert numbers(since=NOW + 3 * HOUR, until=NOW + 5 * HOUR) == [3, 4]

    def test_takes_what_is_too_long(self, database: Database) -> None:
        with database.writing() as connection:
            audit.append(
                connection,
                at=NOW,
                account=None,
                role="public",
                action="log_in",
                outcome="refused",
                subject="s" * 900,
                address="a" * 900,
            )
            (line,) = audit.page(connection)
        assert (len(line.subject), len(line.address), line.details) == (200, 100, {})
