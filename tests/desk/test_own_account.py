"""Forgotten passwords, new addresses, sessions, closing: links serve once, nobody is shut out."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from threading import Barrier, Thread

import pytest
from sqlalchemy import select

from arrocco.desk import Office
from arrocco.desk.accounts import NotLoggedIn, TooManyAttempts
from arrocco.desk.own_account import LINK_MINUTES
from arrocco.desk.throttle import OF_MAILS, OF_OWN_PASSWORD, OF_RESETS
from arrocco.errors import Inconsistent, Refusal
from arrocco.office.roles import Role
from arrocco.store.sql.tables import one_time_tokens
from tests.desk.mailbag import token_in, written
from tests.desk.offices import PASSWORD, Clock, People

NEW = "otto gatti sotto il tetto"
ARBITER = "arbiter@example.org"


def refused_key(call: object, *args: object, **more: object) -> str:
    with pytest.raises(Refusal) as refused:
        call(*args, **more)  # type: ignore[operator]
    return refused.value.key


class TestForgottenPassword:
    def test_a_link_chooses_a_new_one_once_and_ends_all_sessions(
        self, office: Office, people: People
    ) -> None:
        session = office.accounts.log_in(ARBITER, PASSWORD)
        office.own_account.ask_reset("ARBITER@example.org")
        token = token_in(office, "reset")
        office.own_account.reset(token, NEW)
        assert refused_key(office.own_account.reset, token, PASSWORD) == "access.refused.link"
        with pytest.raises(NotLoggedIn):
            office.accounts.asker_of(session)
        with pytest.raises(NotLoggedIn):
            office.accounts.log_in(ARBITER, PASSWORD)
        assert office.accounts.log_in(ARBITER, NEW)
        assert written(office)[-1][:2] == ("account_changed", ARBITER)

    def test_who_asks_learns_nothing_and_a_stranger_gets_no_mail(
        self, small_office: Office
    ) -> None:
        small_office.own_account.ask_reset("nobody@example.org")
        assert written(small_office) == []

    def test_a_link_has_an_end(self, office: Office, people: People, clock: Clock) -> None:
        office.own_account.ask_reset(ARBITER)
        token = token_in(office, "reset")
        clock.at += timedelta(minutes=LINK_MINUTES)
        assert not office.own_account.has_reset(token)
        assert refused_key(office.own_account.reset, token, NEW) == "access.refused.link"

    def test_the_database_has_no_token(self, office: Office, people: People) -> None:
        office.own_account.ask_reset(ARBITER)
        token = token_in(office, "reset")
        with office.desk.database.reading() as connection:
            rows = connection.execute(select(one_time_tokens)).all()
        assert len(rows) == 1
        assert token not in str(rows)

    def test_a_token_of_another_purpose_chooses_no_password(
        self, office: Office, people: People
    ) -> None:
        office.own_account.ask_new_address(people.arbiter, "new@example.org", PASSWORD)
        token = token_in(office, "new_address")
        assert refused_key(office.own_account.reset, token, NEW) == "access.refused.link"

    def test_of_many_at_once_with_one_link_one_chooses(
        self, office: Office, people: People
    ) -> None:
        office.own_account.ask_reset(ARBITER)
        token, barrier, outcomes = token_in(office, "reset"), Barrier(6), []

        def choose(number: int) -> None:
            barrier.wait()
            with suppress(Refusal):
                office.own_account.reset(token, f"{NEW} numero {number}")
                outcomes.append(number)

        threads = [Thread(target=choose, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (won,) = outcomes
        assert office.accounts.log_in(ARBITER, f"{NEW} numero {won}")

    def test_a_flood_from_elsewhere_leaves_the_owner_links_that_serve(
        self, office: Office, people: People
    ) -> None:
        for number in range(40):
            office.own_account.ask_reset(ARBITER, f"192.0.2.{number}")
        assert len(written(office, "reset")) == OF_RESETS.burst
        office.own_account.reset(token_in(office, "reset"), NEW, "198.51.100.7")
        assert office.accounts.log_in(ARBITER, NEW)

    def test_one_sender_writes_to_few(self, office: Office, people: People) -> None:
        for number in range(OF_MAILS.burst):
            office.own_account.ask_reset(f"guess{number}@example.org", "192.0.2.7")
        with pytest.raises(TooManyAttempts):
            office.own_account.ask_reset(ARBITER, "192.0.2.7")
        office.own_account.ask_reset(ARBITER, "198.51.100.7")
        assert len(written(office, "reset")) == 1

    def test_an_administrator_makes_a_link_for_who_gets_no_mail(
        self, office: Office, people: People
    ) -> None:
        assert people.arbiter.account
        token = office.own_account.reset_link(people.root, people.arbiter.account)
        office.own_account.reset(token, NEW)
        assert office.accounts.log_in(ARBITER, NEW)


class TestNewAddress:
    def test_is_confirmed_at_the_new_one_and_told_to_the_old(
        self, office: Office, people: People
    ) -> None:
        office.own_account.ask_new_address(people.arbiter, "New@example.org", PASSWORD)
        assert office.accounts.log_in(ARBITER, PASSWORD)
        token = token_in(office, "new_address")
        assert office.own_account.new_address(token) == "new@example.org"
        office.own_account.confirm_address(token)
        assert written(office)[-1][:2] == ("account_changed", ARBITER)
        assert office.accounts.log_in("new@example.org", PASSWORD)
        with pytest.raises(NotLoggedIn):
            office.accounts.log_in(ARBITER, PASSWORD)
        assert refused_key(office.own_account.confirm_address, token) == "access.refused.link"

    def test_of_another_account_is_refused_when_it_is_confirmed(
        self, office: Office, people: People
    ) -> None:
        office.own_account.ask_new_address(
            people.arbiter, "federation_officer@example.org", PASSWORD
        )
        token = token_in(office, "new_address")
        key = refused_key(office.own_account.confirm_address, token)
        assert key == "sql.refused.email_taken"

    def test_needs_the_password_which_cannot_be_guessed_on(
        self, office: Office, people: People
    ) -> None:
        for _ in range(OF_OWN_PASSWORD.burst):
            with pytest.raises(NotLoggedIn):
                office.own_account.ask_new_address(people.arbiter, "new@example.org", "wrong")
        with pytest.raises(TooManyAttempts):
            office.own_account.ask_new_address(people.arbiter, "new@example.org", PASSWORD)
        assert office.accounts.log_in(ARBITER, PASSWORD)  # logging in is another matter


class TestSessions:
    def test_are_listed_and_ended_one_by_one_or_all(self, office: Office, people: People) -> None:
        first, second, third = (
            office.accounts.log_in_with(ARBITER, PASSWORD, "192.0.2.7", agent=f"Browser {n}").token
            for n in (1, 2, 3)
        )
        mine = office.own_account.sessions(people.arbiter)
        assert {one.agent for one in mine} >= {"Browser 1", "Browser 2", "Browser 3"}
        chosen = next(one for one in mine if one.agent == "Browser 1")
        with pytest.raises(Inconsistent):
            office.own_account.end_session(people.officer, chosen.id)
        office.own_account.end_session(people.arbiter, chosen.id)
        with pytest.raises(NotLoggedIn):
            office.accounts.asker_of(first)
        office.own_account.end_everywhere(people.arbiter, keep=second)
        assert office.accounts.asker_of(second).name
        with pytest.raises(NotLoggedIn):
            office.accounts.asker_of(third)
        with pytest.raises(Inconsistent):
            office.own_account.end_session(people.arbiter, "%")


class TestClosing:
    def test_frees_the_number_and_an_administrator_reopens(
        self, office: Office, people: People
    ) -> None:
        player = office.accounts.me(people.player)
        office.own_account.close(people.player, PASSWORD)
        with pytest.raises(NotLoggedIn):
            office.accounts.log_in(player.email, PASSWORD)
        assert written(office)[-1][:2] == ("account_changed", player.email)
        office.accounts.invite(people.root, "b@example.org", Role.PLAYER, player=player.player)
        office.accounts.enable(people.root, player.id)
        reopened = office.accounts.asker_of(office.accounts.log_in(player.email, PASSWORD))
        assert reopened.player is None

    def test_the_last_who_can_manage_accounts_stays(self, office: Office, people: People) -> None:
        key = refused_key(office.own_account.close, people.root, PASSWORD)
        assert key == "access.refused.last_manager"
        assert people.arbiter.account
        office.role_changes.give(
            people.root, people.arbiter.account, Role.HEAD_OF_OFFICE, reason="moves on"
        )
        office.own_account.close(people.root, PASSWORD)


class TestRoles:
    def test_are_given_and_taken_with_history(self, office: Office, people: People) -> None:
        arbiter = people.arbiter.account
        assert arbiter
        give = office.role_changes.give
        give(people.root, arbiter, Role.FEDERATION_OFFICER, "ITA", "elected in June")
        give(people.root, arbiter, Role.ARBITER, "", "term is over")
        history = office.role_changes.history(people.root, arbiter)
        assert [(c.role, c.federation, c.reason) for c in history] == [
            ("arbiter", "", "term is over"),
            ("federation_officer", "ITA", "elected in June"),
        ]
        assert {change.by_name for change in history} == {people.root.name}
        assert refused_key(give, people.root, arbiter, Role.ARBITER, "", "x") == (
            "access.refused.same_role"
        )
        assert refused_key(give, people.root, arbiter, Role.PLAYER, "", "") == (
            "office.refused.field"
        )

    def test_the_last_manager_cannot_step_down(self, office: Office, people: People) -> None:
        assert people.root.account
        key = refused_key(
            office.role_changes.give, people.root, people.root.account, Role.PLAYER, "", "tired"
        )
        assert key == "access.refused.last_manager"
