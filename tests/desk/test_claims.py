"""Claims of numbers, sign-up of players: one number, one account; codes cannot be guessed."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from threading import Barrier, Thread

import pytest

from arrocco.desk import Office
from arrocco.desk.accounts import TooManyAttempts
from arrocco.desk.claims import CODE_MINUTES
from arrocco.desk.throttle import OF_CLAIMS, OF_CODES, OF_MAILS, OF_RESETS
from arrocco.errors import Refusal
from arrocco.office.claims import ClaimOrigin, ClaimState
from arrocco.office.roles import Asker, Forbidden, Role
from arrocco.office.settings import SignUp
from tests.desk.mailbag import code_in, token_in, written
from tests.desk.offices import PASSWORD, Clock, People, name_of, player_id, write_opening
from tests.desk.test_own_account import refused_key

TWO, THREE = player_id(2), player_id(3)


@pytest.fixture
def listed(office: Office, people: People, tmp_path: Path) -> Office:
    """The office with a list of players."""
    file = write_opening(tmp_path / "list.csv")
    office.lists.import_list(people.administrator, "fide", date(2025, 5, 1), file)
    office.settings.change(people.root, sign_up=SignUp.OPEN)
    return office


def signed_up(office: Office, email: str = "new@example.org", name: str = "Nuova Finta") -> Asker:
    office.sign_ups.ask(email, "", "it")
    office.sign_ups.finish(token_in(office, "sign_up"), name, PASSWORD, language="it")
    return office.accounts.asker_of(office.accounts.log_in(email, PASSWORD))


class TestSignUp:
    def test_confirms_the_address_before_there_is_an_account(
        self, office: Office, people: People
    ) -> None:
        office.settings.change(people.root, sign_up=SignUp.OPEN)
        asker = signed_up(office)
        assert (asker.role, asker.player) == (Role.PLAYER, None)
        token = token_in(office, "sign_up")
        assert refused_key(office.sign_ups.finish, token, "X", PASSWORD) == "access.refused.link"

    def test_is_off_by_itself_and_by_link_needs_the_link(
        self, office: Office, people: People, clock: Clock
    ) -> None:
        ask = office.sign_ups.ask
        assert refused_key(ask, "a@example.org", "", "en") == "access.refused.sign_up_off"
        office.settings.change(people.root, sign_up=SignUp.LINK)
        link = office.settings.new_sign_up_link(people.root, 7)
        assert refused_key(ask, "a@example.org", "x" + link, "en") == "access.refused.sign_up_off"
        ask("a@example.org", link, "en")
        newer = office.settings.new_sign_up_link(people.root, 7)
        assert refused_key(ask, "b@example.org", link, "en") == "access.refused.sign_up_off"
        clock.at += timedelta(days=7)
        assert refused_key(ask, "b@example.org", newer, "en") == "access.refused.sign_up_off"

    def test_does_not_tell_who_has_an_account(self, office: Office, people: People) -> None:
        office.settings.change(people.root, sign_up=SignUp.OPEN)
        office.sign_ups.ask("arbiter@example.org", "", "en")
        assert written(office)[-1][:2] == ("reset", "arbiter@example.org")
        assert not written(office, "sign_up")

    def test_is_slow_for_one_sender_and_one_address(self, office: Office, people: People) -> None:
        office.settings.change(people.root, sign_up=SignUp.OPEN)
        for _ in range(OF_MAILS.burst):
            office.sign_ups.ask("a@example.org", "", "en", "192.0.2.7")
        assert len(written(office, "sign_up")) == OF_RESETS.burst
        with pytest.raises(TooManyAttempts):
            office.sign_ups.ask("b@example.org", "", "en", "192.0.2.7")


class TestByTheOffice:
    def test_an_officer_accepts_and_the_number_is_theirs(
        self, listed: Office, people: People
    ) -> None:
        new = signed_up(listed)
        listed.claims.ask(new, TWO, "born in 1966")
        assert refused_key(listed.claims.ask, new, THREE) == "access.refused.claim_waits"
        (shown,) = listed.claims.waiting(people.officer)
        assert (shown.player_name, shown.claim.note) == (name_of(2), "born in 1966")
        listed.claims.decide(people.officer, shown.claim.id, accept=True)
        assert listed.accounts.me(new).player == TWO
        key = refused_key(listed.claims.decide, people.officer, shown.claim.id, accept=True)
        assert key == "access.refused.decided"

    def test_a_refusal_has_a_reason_and_is_told(self, listed: Office, people: People) -> None:
        new = signed_up(listed)
        claim = listed.claims.ask(new, TWO)
        decide = listed.claims.decide
        assert refused_key(decide, people.officer, claim, accept=False) == "office.refused.field"
        decide(people.officer, claim, accept=False, reason="another birth date")
        (own,) = listed.claims.own(new)
        assert (own.state, own.reason) == (ClaimState.REFUSED, "another birth date")
        assert written(listed)[-1][:2] == ("account_changed", "new@example.org")

    def test_only_officers_of_the_players_federation_decide(
        self, listed: Office, people: People
    ) -> None:
        new = signed_up(listed)
        claim = listed.claims.ask(new, TWO)
        elsewhere = Asker(
            account=people.officer.account, role=Role.FEDERATION_OFFICER, federation="FRA"
        )
        assert listed.claims.waiting(elsewhere) == []
        for asker in (elsewhere, people.arbiter, new):
            with pytest.raises(Forbidden):
                listed.claims.decide(asker, claim, accept=True)

    def test_a_number_that_somebody_has_stays_there_until_it_is_taken_away(
        self, listed: Office, people: People
    ) -> None:
        new, taken = signed_up(listed), player_id(1)
        claim = listed.claims.ask(new, taken)
        (shown,) = listed.claims.waiting(people.officer)
        assert "player@example.org" in shown.holder
        key = refused_key(listed.claims.decide, people.officer, claim, accept=True)
        assert key == "access.refused.number_taken"
        assert people.player.account
        listed.claims.release(people.officer, people.player.account, "was a mistake")
        listed.claims.decide(people.officer, claim, accept=True)
        assert listed.accounts.me(new).player == taken
        assert listed.accounts.me(people.player).player is None

    def test_of_two_who_are_accepted_at_once_one_gets_it(
        self, listed: Office, people: People
    ) -> None:
        first, second = signed_up(listed), signed_up(listed, "other@example.org")
        numbers = [listed.claims.ask(one, TWO) for one in (first, second)]
        barrier, done = Barrier(2), []

        def decide(number: int) -> None:
            barrier.wait()
            with suppress(Refusal):
                listed.claims.decide(people.officer, number, accept=True)
                done.append(number)

        threads = [Thread(target=decide, args=(number,)) for number in numbers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(done) == 1
        holders = [listed.accounts.me(one).player for one in (first, second)]
        assert sorted(holders, key=str) == [TWO, None]

    def test_nobody_claims_without_end(self, listed: Office, people: People) -> None:
        new = signed_up(listed)
        for _ in range(OF_CLAIMS.burst):
            listed.claims.ask(new, TWO)
            listed.claims.withdraw(new)
        with pytest.raises(TooManyAttempts):
            listed.claims.ask(new, TWO)


class TestByACode:
    def test_goes_to_the_address_the_office_has(self, listed: Office, people: People) -> None:
        new = signed_up(listed)
        assert refused_key(listed.claims.send_code, new, TWO) == "access.refused.no_address"
        listed.claims.put_address(people.officer, TWO, "Two@example.org")
        listed.claims.send_code(new, TWO)
        assert written(listed, "claim_code")[-1][1] == "two@example.org"
        code = code_in(listed)
        assert refused_key(listed.claims.enter_code, new, THREE, code) == "access.refused.code"
        listed.claims.enter_code(new, TWO, f" {code[:4]} {code[4:]}")
        assert listed.accounts.me(new).player == TWO
        assert listed.claims.own(new)[0].origin is ClaimOrigin.CODE

    def test_serves_one_account_once_and_has_an_end(
        self, listed: Office, people: People, clock: Clock
    ) -> None:
        new, other = signed_up(listed), signed_up(listed, "other@example.org")
        listed.claims.put_address(people.officer, TWO, "two@example.org")
        listed.claims.send_code(new, TWO)
        code = code_in(listed)
        assert refused_key(listed.claims.enter_code, other, TWO, code) == "access.refused.code"
        clock.at += timedelta(minutes=CODE_MINUTES)
        assert refused_key(listed.claims.enter_code, new, TWO, code) == "access.refused.code"

    def test_cannot_be_guessed_on_and_others_are_not_held_up(
        self, listed: Office, people: People
    ) -> None:
        new, other = signed_up(listed), signed_up(listed, "other@example.org")
        listed.claims.put_address(people.officer, TWO, "two@example.org")
        listed.claims.send_code(other, TWO)
        for number in range(OF_CODES.burst):
            refused_key(listed.claims.enter_code, other, TWO, f"{number:08}")
        with pytest.raises(TooManyAttempts):
            listed.claims.enter_code(other, TWO, code_in(listed))
        listed.claims.send_code(new, TWO)  # the rightful one
        listed.claims.enter_code(new, TWO, code_in(listed))
        assert listed.accounts.me(new).player == TWO

    def test_who_has_the_address_is_not_held_up_by_others_who_ask_for_codes(
        self, listed: Office, people: People
    ) -> None:
        listed.claims.put_address(people.officer, TWO, "two@example.org")
        rightful = signed_up(listed, "Two@example.org")
        others = [signed_up(listed, f"other{n}@example.org") for n in range(OF_CLAIMS.burst + 1)]
        for other in others[:-1]:
            listed.claims.send_code(other, TWO)
        with pytest.raises(TooManyAttempts):
            listed.claims.send_code(others[-1], TWO)
        assert len(written(listed, "claim_code")) == OF_CLAIMS.burst, "the mailbox is not flooded"
        listed.claims.send_code(rightful, TWO)
        listed.claims.enter_code(rightful, TWO, code_in(listed))
        assert listed.accounts.me(rightful).player == TWO

    def test_of_a_code_and_an_officer_at_once_one_gives_the_number(
        self, listed: Office, people: People
    ) -> None:
        first, second = signed_up(listed), signed_up(listed, "other@example.org")
        listed.claims.put_address(people.officer, TWO, "two@example.org")
        claim = listed.claims.ask(first, TWO)
        listed.claims.send_code(second, TWO)
        code, barrier, done = code_in(listed), Barrier(2), []

        def by_office() -> None:
            barrier.wait()
            with suppress(Refusal):
                listed.claims.decide(people.officer, claim, accept=True)
                done.append(first)

        def by_code() -> None:
            barrier.wait()
            with suppress(Refusal):
                listed.claims.enter_code(second, TWO, code)
                done.append(second)

        threads = [Thread(target=one) for one in (by_office, by_code)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (holder,) = done
        for one in (first, second):
            assert listed.accounts.me(one).player == (TWO if one is holder else None)

    def test_of_many_at_once_with_one_code_one_enters_it(
        self, listed: Office, people: People
    ) -> None:
        new = signed_up(listed)
        listed.claims.put_address(people.officer, TWO, "two@example.org")
        listed.claims.send_code(new, TWO)
        code, barrier, done = code_in(listed), Barrier(4), []

        def enter() -> None:
            barrier.wait()
            with suppress(Refusal):
                listed.claims.enter_code(new, TWO, code)
                done.append(code)

        threads = [Thread(target=enter) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert done == [code]
        assert listed.accounts.me(new).player == TWO
        taken = [one for one in listed.claims.own(new) if one.state is ClaimState.ACCEPTED]
        assert len(taken) == 1
