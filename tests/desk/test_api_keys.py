"""Keys of programs: what they may, until when, and how they end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from arrocco.desk import Office
from arrocco.desk.accounts import NotLoggedIn
from arrocco.desk.api_keys import MAX_KEYS, Scope
from arrocco.office.roles import Permission, Role, may
from arrocco.store.sql.tables import api_keys
from tests.desk.offices import Clock, People
from tests.desk.test_own_account import refused_key

REPORTS = (Scope.REPORTS,)


def test_a_key_may_what_it_was_made_for_and_its_owner_may(office: Office, people: People) -> None:
    key = office.api_keys.make(people.arbiter, "Pairing program", REPORTS, 30)
    asker = office.api_keys.asker_of(key, "192.0.2.7")
    assert asker.account == people.arbiter.account
    assert may(asker, Permission.SEND_REPORT)
    assert not may(asker, Permission.REGISTER_TOURNAMENT)
    of_player = office.api_keys.make(people.player, "Pairing program", REPORTS, 30)
    assert not may(office.api_keys.asker_of(of_player), Permission.SEND_REPORT)


def test_the_database_has_no_key_and_the_last_use_is_kept(
    office: Office, people: People, clock: Clock
) -> None:
    key = office.api_keys.make(people.arbiter, "Pairing program", REPORTS, 30)
    with office.desk.database.reading() as connection:
        assert key not in str(connection.execute(select(api_keys)).all())
    clock.at += timedelta(hours=1)
    office.api_keys.asker_of(key, "192.0.2.7")
    (own,) = office.api_keys.own(people.arbiter)
    assert (own.used_at, own.used_from) == (clock.at, "192.0.2.7")


def test_a_key_ends_by_its_day_by_its_owner_and_with_the_account(
    office: Office, people: People, clock: Clock
) -> None:
    def key_of_arbiter() -> str:
        return office.api_keys.make(people.arbiter, "Program", REPORTS, 1)

    expired = key_of_arbiter()
    clock.at += timedelta(days=1) - timedelta(seconds=1)
    assert office.api_keys.asker_of(expired)
    clock.at += timedelta(seconds=1)
    with pytest.raises(NotLoggedIn):
        office.api_keys.asker_of(expired)
    revoked, closed = key_of_arbiter(), key_of_arbiter()
    newest = office.api_keys.own(people.arbiter)
    assert refused_key(office.api_keys.revoke, people.officer, newest[1].id) == (
        "access.refused.no_key"
    )
    office.api_keys.revoke(people.arbiter, newest[1].id)
    with pytest.raises(NotLoggedIn):
        office.api_keys.asker_of(revoked)
    assert office.api_keys.asker_of(closed)
    assert people.arbiter.account
    office.accounts.disable(people.root, people.arbiter.account)
    office.accounts.enable(people.root, people.arbiter.account)
    for key in (expired, revoked, closed, "arrocco_guessed", ""):
        with pytest.raises(NotLoggedIn):
            office.api_keys.asker_of(key)


def test_another_role_ends_the_keys(office: Office, people: People) -> None:
    key = office.api_keys.make(people.arbiter, "Program", REPORTS, 1)
    assert people.arbiter.account
    office.role_changes.give(people.root, people.arbiter.account, Role.PLAYER, "", "retired")
    with pytest.raises(NotLoggedIn):
        office.api_keys.asker_of(key)


def test_keys_have_bounds(small_office: Office) -> None:
    from tests.desk.offices import people_of

    people, make = people_of(small_office), small_office.api_keys.make
    assert refused_key(make, people.arbiter, "", REPORTS, 1) == "access.refused.key_name"
    assert refused_key(make, people.arbiter, "x", (), 1) == "access.refused.no_scope"
    assert refused_key(make, people.arbiter, "x", REPORTS, 367) == "access.refused.key_days"
    for number in range(MAX_KEYS):
        make(people.arbiter, f"Program {number}", REPORTS, 1)
    assert refused_key(make, people.arbiter, "x", REPORTS, 1) == "access.refused.many_keys"
