"""Who may try a password: guessing is slow, and nobody is locked out by what others do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import pytest
from sqlalchemy import func, select

from arrocco.desk import Office, passwords
from arrocco.desk import throttle as limits
from arrocco.desk.accounts import NotLoggedIn, TooManyAttempts
from arrocco.desk.desk import MAX_NOTED
from arrocco.desk.throttle import (
    MAX_HASHING,
    MAX_HASHING_OF_SENDER,
    OF_ACCOUNT,
    OF_ADDRESS,
    OF_DEVICE,
    OF_PAIR,
    Limit,
    Throttle,
)
from arrocco.errors import Inconsistent
from arrocco.office.networks import network_of
from arrocco.office.roles import Forbidden
from arrocco.store.sql import audit, devices, throttle
from arrocco.store.sql.tables import audit as audit_table
from arrocco.store.sql.tables import metadata
from tests.desk.offices import PASSWORD, Clock, people_of

ROOT, ARBITER = "root@example.org", "arbiter@example.org"
HOME, SCHOOL = "192.0.2.1", "198.51.100.9"


def guess(office: Office, email: str = ROOT, address: str = HOME, device: str = "") -> str:
    """What becomes of a wrong password."""
    with pytest.raises((NotLoggedIn, TooManyAttempts)) as refused:
        office.accounts.log_in_with(email, "wrong", address, device)
    return refused.value.key.rpartition(".")[2]


class TestLockOut:
    def test_a_clock_that_is_set_back_locks_nobody_out(self, office: Office, clock: Clock) -> None:
        people_of(office)
        guess(office)
        clock.at -= timedelta(days=30)
        assert office.accounts.log_in(ROOT, PASSWORD, HOME)

    def test_wrong_passwords_from_elsewhere_do_not_refuse_the_right_one(
        self, office: Office
    ) -> None:
        people_of(office)
        for number in range(50):
            assert guess(office, address=f"203.0.113.{number % 7}")
        assert office.accounts.log_in(ROOT, PASSWORD, HOME)

    def test_from_one_address_an_account_is_guessed_at_slowly(
        self, office: Office, clock: Clock
    ) -> None:
        people_of(office)
        said = [guess(office) for _ in range(OF_PAIR.burst + 3)]
        assert said == ["not_logged_in"] * OF_PAIR.burst + ["too_many_attempts"] * 3
        with pytest.raises(TooManyAttempts) as refused:
            office.accounts.log_in(ROOT, PASSWORD, HOME)
        assert refused.value.details["minutes"] == 2
        assert office.accounts.log_in(ARBITER, PASSWORD, HOME), "only this account, from here"
        clock.at += OF_PAIR.every
        assert guess(office) == "not_logged_in"
        assert guess(office) == "too_many_attempts"
        clock.at += OF_PAIR.every
        assert office.accounts.log_in(ROOT, PASSWORD, HOME)
        assert [guess(office) for _ in range(OF_PAIR.burst)] == ["not_logged_in"] * OF_PAIR.burst

    def test_failures_behind_one_address_lock_nobody_there(self, office: Office) -> None:
        people_of(office)
        for number in range(OF_ADDRESS.burst - 1):
            assert guess(office, f"pupil{number % 40}@example.org", SCHOOL) == "not_logged_in"
        assert office.accounts.log_in(ROOT, PASSWORD, SCHOOL)

    def test_an_address_that_guesses_at_all_accounts_has_to_wait(self, office: Office) -> None:
        people_of(office)
        mine = office.accounts.log_in_with(ROOT, PASSWORD, SCHOOL).device
        for number in range(OF_ADDRESS.burst):
            assert guess(office, f"pupil{number}@example.org", SCHOOL) == "not_logged_in"
        assert guess(office, "another@example.org", SCHOOL) == "too_many_attempts"
        with pytest.raises(TooManyAttempts):
            office.accounts.log_in(ARBITER, PASSWORD, SCHOOL)
        assert office.accounts.log_in_with(ROOT, PASSWORD, SCHOOL, mine), "a known browser may"
        assert office.accounts.log_in(ARBITER, PASSWORD, HOME)

    def test_a_guess_from_many_addresses_is_slowed_and_known_browsers_pass(
        self, office: Office, clock: Clock
    ) -> None:
        people_of(office)
        mine = office.accounts.log_in_with(ROOT, PASSWORD, HOME).device
        said = [guess(office, address=f"2001:db8:{n:x}::1") for n in range(OF_ACCOUNT.burst + 5)]
        assert said.count("too_many_attempts") == 5
        clock.at += timedelta(hours=1)
        hour = [guess(office, address=f"2001:db9:{n:x}::1") for n in range(200)]
        assert hour.count("not_logged_in") == OF_ACCOUNT.burst
        assert office.accounts.log_in_with(ROOT, PASSWORD, "203.0.113.7", mine)
        assert office.accounts.log_in(ARBITER, PASSWORD, HOME), "other accounts are not touched"

    def test_a_known_browser_cannot_guess_for_ever(self, office: Office, clock: Clock) -> None:
        people_of(office)
        mine = office.accounts.log_in_with(ROOT, PASSWORD, HOME).device
        said = [guess(office, device=mine) for _ in range(OF_DEVICE.burst + 1)]
        assert said == ["not_logged_in"] * OF_DEVICE.burst + ["too_many_attempts"]
        assert guess(office) == "not_logged_in", "who does not say so is a stranger"
        clock.at += OF_DEVICE.every
        assert office.accounts.log_in_with(ROOT, PASSWORD, HOME, mine).device == mine

    def test_a_browser_is_known_at_its_own_accounts_only(self, office: Office) -> None:
        people_of(office)
        mine = office.accounts.log_in_with(ROOT, PASSWORD, HOME).device
        for number in range(OF_ACCOUNT.burst):
            guess(office, ARBITER, f"203.0.113.{number}")
        with pytest.raises(TooManyAttempts):
            office.accounts.log_in_with(ARBITER, PASSWORD, HOME, mine)

    def test_a_new_password_forgets_the_other_browsers(self, office: Office) -> None:
        people_of(office)
        mine, other = (office.accounts.log_in_with(ROOT, PASSWORD, HOME) for _ in range(2))
        asker = office.accounts.asker_of(mine.token)
        office.accounts.change_password(
            asker, PASSWORD, "nuova e lunga parola", keep=mine.token, device=mine.device
        )
        with office.desk.database.reading() as connection:
            assert devices.is_known(connection, mine.device, asker.account or 0)
            assert not devices.is_known(connection, other.device, asker.account or 0)

    def test_neighbours_in_one_network_of_version_6_are_one_sender(self, office: Office) -> None:
        people_of(office)
        said = [guess(office, address=f"2001:db8::{n:x}") for n in range(1, OF_PAIR.burst + 2)]
        assert said[-1] == "too_many_attempts"
        assert network_of("2001:db8::1") == network_of("2001:db8::ffff") == "2001:db8::/64"
        assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"
        assert network_of("fe80::1%eth0") == "fe80::/64"
        assert network_of("local") == "local"

    def test_nobodys_account_behaves_as_somebodys(self, office: Office) -> None:
        people_of(office)
        for email in (ROOT, "nobody@example.org"):
            said = [guess(office, email) for _ in range(OF_PAIR.burst + 1)]
            assert said == ["not_logged_in"] * OF_PAIR.burst + ["too_many_attempts"]

    def test_what_was_counted_outlasts_a_restart(self, office: Office) -> None:
        people_of(office)
        for _ in range(OF_PAIR.burst):
            guess(office)
        again = Office(office.desk)
        assert guess(again) == "too_many_attempts"


class TestWork:
    def test_refused_tries_cost_no_hash(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        people_of(office)
        for _ in range(OF_PAIR.burst):
            guess(office)
        calls: list[str | None] = []
        monkeypatch.setattr(passwords, "matches", lambda kept, tried: calls.append(kept))
        assert guess(office) == "too_many_attempts"
        assert calls == []

    def test_few_wait_for_a_hash_at_once_and_known_browsers_have_places(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        people_of(office)
        mine = office.accounts.log_in_with(ROOT, PASSWORD, HOME).device
        matches, go_on, begun = passwords.matches, Event(), []

        def slow(kept: str | None, tried: str) -> bool:
            begun.append(kept)
            go_on.wait(30)
            return matches(kept, tried)

        monkeypatch.setattr(passwords, "matches", slow)
        with ThreadPoolExecutor(MAX_HASHING + 8) as pool:
            crowd = [
                pool.submit(guess, office, f"x{n}@example.org", SCHOOL)
                for n in range(MAX_HASHING_OF_SENDER + 4)
            ]
            while len([one for one in crowd if one.done()]) < 4:
                go_on.wait(0.01)
            assert {one.result() for one in crowd if one.done()} == {"log_in_is_busy"}
            others = [
                pool.submit(guess, office, f"y{n}@example.org", f"203.0.113.{n}")
                for n in range(MAX_HASHING - MAX_HASHING_OF_SENDER)
            ]
            while len(begun) < MAX_HASHING:
                go_on.wait(0.01)
            assert guess(office, "z@example.org") == "log_in_is_busy"
            known = pool.submit(office.accounts.log_in_with, ROOT, PASSWORD, HOME, mine)
            while len(begun) <= MAX_HASHING:
                go_on.wait(0.01)
            go_on.set()
            assert known.result().token
            assert {other.result() for other in others} == {"not_logged_in"}
        assert office.accounts.log_in(ROOT, PASSWORD, HOME), "places are given back"


class TestStorage:
    def test_whatever_strangers_try_little_is_kept(
        self, office: Office, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        people_of(office)
        monkeypatch.setattr(passwords, "matches", lambda kept, tried: False)
        strangers, tries = Limit(40, timedelta(milliseconds=200)), 200
        monkeypatch.setattr(limits, "OF_STRANGERS", strangers)
        with office.desk.database.reading() as connection:
            before = connection.execute(select(func.count()).select_from(audit_table)).scalar_one()
        said = []
        for number in range(tries):
            clock.at += timedelta(milliseconds=50)
            address = f"2001:db8:{number:x}::1"
            said.append(guess(office, f"typed-{number}@example.org", address))
        paid = said.count("not_logged_in")
        assert paid <= strangers.burst + tries * 0.05 / strangers.every.total_seconds() + 1
        with office.desk.database.reading() as connection:
            assert throttle.count(connection) <= 3 * paid + 1
            after = connection.execute(select(func.count()).select_from(audit_table)).scalar_one()
            assert after == before
            for table in metadata.sorted_tables:
                assert "typed-" not in str(connection.execute(select(table)).all()), table.name
        clock.at += timedelta(hours=2)
        guess(office)
        with office.desk.database.reading() as connection:
            assert throttle.count(connection) <= 4, "what is over is forgotten"
            lines = audit.page(connection, action="log_in", outcome="refused")
        assert [(line.details["key"], line.details["count"]) for line in lines] == [
            ("desk.refused.too_many_attempts", tries - paid),
            ("desk.refused.not_logged_in", paid),
        ]
        assert all((line.subject, line.address, line.account) == ("", "", None) for line in lines)

    def test_guessed_invitations_are_counted_too(self, office: Office, clock: Clock) -> None:
        people = people_of(office)
        before = len(office.audit.page(people.root, limit=500))
        for number in range(20):
            with pytest.raises(Inconsistent):
                office.accounts.accept_invitation(f"guess{number}", "Nessuna Finta", PASSWORD)
        assert len(office.audit.page(people.root, limit=500)) == before
        clock.at += timedelta(hours=1)
        lines = office.audit.page(people.root, limit=500)
        assert len(lines) == before + 1
        assert (lines[0].action, lines[0].details["count"]) == ("accept_invitation", 20)

    def test_an_account_that_is_refused_again_and_again_fills_no_log(
        self, office: Office, clock: Clock
    ) -> None:
        """Where people sign up themselves, an account is no more than an address."""
        people = people_of(office)
        before = len(office.audit.page(people.root, limit=500))
        for _ in range(MAX_NOTED + 40):
            with pytest.raises(Forbidden):
                office.audit.page(people.player)
        with pytest.raises(Forbidden):
            office.audit.page(people.arbiter)
        assert len(office.audit.page(people.root, limit=500)) == before + MAX_NOTED + 1
        clock.at += timedelta(hours=1)
        lines = office.audit.page(people.root, limit=500)
        assert len(lines) == before + MAX_NOTED + 2
        assert (lines[0].action, lines[0].details["count"]) == ("read_audit", 40)
        assert lines[0].details["accounts"] == {str(people.player.account): 40}
        with pytest.raises(Forbidden):
            office.audit.page(people.player)
        assert office.audit.page(people.root)[0].account == people.player.account

    def test_a_sum_names_the_accounts_tried_most(self, office: Office, clock: Clock) -> None:
        people = people_of(office)
        for _ in range(3):
            guess(office, ARBITER)
        guess(office, ROOT)
        guess(office, "nobody@example.org")
        clock.at += timedelta(hours=1)
        line = office.audit.page(people.root, outcome="refused")[0]
        arbiter, root = str(people.arbiter.account), str(people.root.account)
        assert line.details["count"] == 5
        assert line.details["accounts"] == {arbiter: 3, root: 1}


def test_two_offices_of_one_database_do_not_collide(office: Office) -> None:
    people_of(office)
    offices = [office, Office(office.desk)]
    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda n: guess(offices[n % 2], ROOT, HOME), range(24)))
    assert said.count("not_logged_in") == OF_PAIR.burst


def test_an_attempt_of_nobody_keeps_no_plain_hash() -> None:
    one, other = Throttle(), Throttle()
    assert one._nobody("a@example.org") == one._nobody(" A@example.org")
    assert one._nobody("a@example.org") != other._nobody("a@example.org")
