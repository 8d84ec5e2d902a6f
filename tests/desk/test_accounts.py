"""Accounts: invitations serve once, guessing is slow, sessions end, everything is written down."""

from __future__ import annotations

from datetime import timedelta

import pytest
from argon2 import PasswordHasher

from arrocco.desk import Office, passwords
from arrocco.desk.accounts import NotLoggedIn, TooManyAttempts
from arrocco.desk.throttle import OF_OWN_PASSWORD
from arrocco.errors import Inconsistent
from arrocco.office.roles import Asker, Forbidden, Role
from arrocco.store.sql import accounts
from tests.desk.offices import PASSWORD, Clock, People, people_of

ROOT = "root@example.org"


def audited(office: Office, people: People) -> list[tuple[str, str, int | None]]:
    """The audit log, the oldest first."""
    lines = office.audit.page(people.root, limit=500)
    return [(line.action, line.outcome, line.account) for line in reversed(lines)]


class TestInvitations:
    def test_serve_once(self, office: Office) -> None:
        token = office.accounts.invite_first(ROOT)
        assert office.accounts.invitation(token).role is Role.SYSTEM_ADMINISTRATOR
        office.accounts.accept_invitation(token, "Radice Finta", PASSWORD)
        with pytest.raises(Inconsistent):
            office.accounts.accept_invitation(token, "Altra Finta", PASSWORD)
        with pytest.raises(Inconsistent):
            office.accounts.invite_first("other@example.org")

    def test_expire_after_seven_days(self, office: Office, clock: Clock) -> None:
        token = office.accounts.invite_first(ROOT)
        clock.at += timedelta(days=7)
        with pytest.raises(Inconsistent):
            office.accounts.accept_invitation(token, "Radice Finta", PASSWORD)

    def test_that_do_not_serve_cost_no_hash(
        self, small_office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls: list[str] = []
        monkeypatch.setattr(passwords, "hashed", calls.append)
        with pytest.raises(Inconsistent) as refused:
            small_office.accounts.accept_invitation("guessed", "Nessuna Finta", PASSWORD)
        assert refused.value.key == "desk.refused.no_invitation"
        assert calls == []

    def test_can_be_taken_back(self, office: Office, people: People) -> None:
        token = office.accounts.invite(people.root, "new@example.org", Role.ARBITER)
        (waiting,) = office.accounts.waiting(people.root)
        office.accounts.withdraw_invitation(people.root, waiting.id)
        with pytest.raises(Inconsistent):
            office.accounts.invitation(token)

    def test_are_the_system_administrators(self, small_office: Office) -> None:
        people = people_of(small_office)
        for asker in (people.administrator, people.officer, people.arbiter, people.public):
            with pytest.raises(Forbidden):
                small_office.accounts.invite(asker, "friend@example.org", Role.ARBITER)

    @pytest.mark.parametrize(
        ("email", "role", "federation", "player"),
        [
            ("nobody", Role.ARBITER, "", None),
            ("a b@example.org", Role.ARBITER, "", None),
            ("a@b", Role.ARBITER, "", None),
            ("x@example.org", Role.PUBLIC, "", None),
            ("x@example.org", Role.FEDERATION_OFFICER, "", None),
            ("x@example.org", Role.FEDERATION_OFFICER, "ita", None),
            ("x@example.org", Role.PLAYER, "", None),
            ("ARBITER@example.org", Role.ARBITER, "", None),
        ],
    )
    def test_have_to_make_sense(
        self, small_office: Office, email: str, role: Role, federation: str, player: int | None
    ) -> None:
        people = people_of(small_office)
        with pytest.raises(Inconsistent):
            small_office.accounts.invite(people.root, email, role, federation, player)

    def test_take_no_short_password(self, small_office: Office) -> None:
        token = small_office.accounts.invite_first(ROOT)
        with pytest.raises(Inconsistent):
            small_office.accounts.accept_invitation(token, "Radice Finta", "undici.....")
        with pytest.raises(Inconsistent):
            small_office.accounts.accept_invitation(token, " ", PASSWORD)
        small_office.accounts.accept_invitation(token, "Radice Finta", "dodici......")


class TestCommonPasswords:
    @pytest.mark.parametrize(
        "password",
        [
            "password1234",
            "Password123!",
            "qwertyuiop12",
            "123456789012",
            "aaaaaaaaaaaa",
            "P@ssw0rd1234",
            "1q2w3e4r5t6y",
            "iloveyou1234",
            "abcdefghijkl",
            "demodemodemo",
            "radicefinta1",
            "root@example.org",
            "arroccoarrocco",
        ],
    )
    def test_are_refused_in_plain_words(self, small_office: Office, password: str) -> None:
        token = small_office.accounts.invite_first(ROOT)
        with pytest.raises(Inconsistent) as refused:
            small_office.accounts.accept_invitation(token, "Radice Finta", password)
        assert refused.value.key == "desk.refused.common_password"
        assert small_office.accounts.accept_invitation(token, "Radice Finta", PASSWORD)

    def test_that_are_there_already_still_open_their_accounts(self, small_office: Office) -> None:
        people_of(small_office)
        with small_office.desk.database.writing() as connection:
            accounts.set_password(connection, 1, passwords.hashed("password1234"))
        token = small_office.accounts.log_in(ROOT, "password1234")
        asker = small_office.accounts.asker_of(token)
        with pytest.raises(Inconsistent) as refused:
            small_office.accounts.change_password(asker, "password1234", "qwertyuiop12")
        assert refused.value.key == "desk.refused.common_password"
        small_office.accounts.change_password(asker, "password1234", "sei gatti sul tetto")


class TestLoggingIn:
    def test_tells_nothing_of_who_exists(self, small_office: Office) -> None:
        people_of(small_office)
        messages = set()
        for email, password in ((ROOT, "wrong"), ("nobody@example.org", PASSWORD)):
            with pytest.raises(NotLoggedIn) as refused:
                small_office.accounts.log_in(email, password)
            messages.add((refused.value.message, refused.value.key))
        assert len(messages) == 1

    def test_hashes_also_for_nobody(
        self, small_office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls = []
        matches = passwords.matches

        def watched(kept: str | None, tried: str) -> bool:
            calls.append(kept)
            return matches(kept, tried)

        monkeypatch.setattr(passwords, "matches", watched)
        with pytest.raises(NotLoggedIn):
            small_office.accounts.log_in("nobody@example.org", PASSWORD)
        assert calls == [None]
        assert not passwords.matches(None, "the password of nobody")

    def test_renews_a_hash_of_other_parameters(
        self, small_office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        people_of(small_office)
        stronger = PasswordHasher(time_cost=2, memory_cost=64, parallelism=1)
        monkeypatch.setattr(passwords, "_HASHER", stronger)
        small_office.accounts.log_in(ROOT, PASSWORD)
        with small_office.desk.database.reading() as connection:
            account = accounts.by_email(connection, ROOT)
        assert account is not None
        assert "t=2" in account.password_hash
        small_office.accounts.log_in(ROOT, PASSWORD)


class TestSessions:
    def test_last_twelve_hours_and_longer_in_use(self, office: Office, clock: Clock) -> None:
        people_of(office)
        token = office.accounts.log_in(ROOT, PASSWORD)
        for _ in range(3):
            clock.at += timedelta(hours=11)
            assert office.accounts.asker_of(token, "192.0.2.5").address == "192.0.2.5"
        clock.at += timedelta(hours=13)
        with pytest.raises(NotLoggedIn):
            office.accounts.asker_of(token)

    def test_end_with_logging_out(self, small_office: Office) -> None:
        people_of(small_office)
        token = small_office.accounts.log_in(ROOT, PASSWORD)
        small_office.accounts.log_out(token)
        small_office.accounts.log_out(token)
        with pytest.raises(NotLoggedIn):
            small_office.accounts.asker_of(token)

    def test_end_with_a_new_password_but_for_ones_own(self, small_office: Office) -> None:
        people_of(small_office)
        mine, other = (small_office.accounts.log_in(ROOT, PASSWORD) for _ in range(2))
        asker = small_office.accounts.asker_of(mine)
        with pytest.raises(NotLoggedIn):
            small_office.accounts.change_password(asker, "wrong", "un'altra parola")
        small_office.accounts.change_password(asker, PASSWORD, "un'altra parola", keep=mine)
        assert small_office.accounts.asker_of(mine).account == asker.account
        with pytest.raises(NotLoggedIn):
            small_office.accounts.asker_of(other)
        with pytest.raises(NotLoggedIn):
            small_office.accounts.log_in(ROOT, PASSWORD)
        small_office.accounts.log_in(ROOT, "un'altra parola")

    def test_do_not_let_one_guess_at_the_password(self, office: Office, clock: Clock) -> None:
        people_of(office)
        asker = office.accounts.asker_of(office.accounts.log_in(ROOT, PASSWORD))
        for _ in range(OF_OWN_PASSWORD.burst):
            with pytest.raises(NotLoggedIn):
                office.accounts.change_password(asker, "wrong", "un'altra parola")
        with pytest.raises(TooManyAttempts):
            office.accounts.change_password(asker, PASSWORD, "un'altra parola")
        clock.at += timedelta(minutes=16)
        office.accounts.change_password(asker, PASSWORD, "un'altra parola")

    def test_end_for_who_is_shut_out(self, small_office: Office) -> None:
        people = people_of(small_office)
        token = small_office.accounts.log_in("arbiter@example.org", PASSWORD)
        account = people.arbiter.account
        assert account is not None
        small_office.accounts.disable(people.root, account)
        with pytest.raises(NotLoggedIn):
            small_office.accounts.asker_of(token)
        with pytest.raises(NotLoggedIn):
            small_office.accounts.log_in("arbiter@example.org", PASSWORD)
        small_office.accounts.enable(people.root, account)
        small_office.accounts.log_in("arbiter@example.org", PASSWORD)
        with pytest.raises(Inconsistent):
            small_office.accounts.disable(people.root, people.root.account or 0)


def test_what_is_done_and_what_is_refused_is_written_down(office: Office, people: People) -> None:
    before = len(audited(office, people))
    with pytest.raises(Forbidden):
        office.accounts.all(people.arbiter)
    with pytest.raises(NotLoggedIn):
        office.accounts.log_in(ROOT, "wrong")
    office.accounts.set_language(people.arbiter, "it")
    assert office.accounts.me(people.arbiter).language == "it"
    with pytest.raises(Forbidden):
        office.audit.page(people.arbiter)
    with pytest.raises(Forbidden):
        office.accounts.me(Asker())
    account = people.arbiter.account
    assert audited(office, people)[before:] == [
        ("see_accounts", "refused", account),
        ("set_language", "done", account),
        ("read_audit", "refused", account),
    ]
