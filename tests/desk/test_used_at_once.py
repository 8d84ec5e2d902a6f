"""What serves once serves once, also when many send it at the same moment, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Barrier, Thread

import pyotp
import pytest

from arrocco.desk import Office
from arrocco.errors import NotFound, Refusal
from arrocco.office.roles import Role
from arrocco.office.settings import SignUp
from tests.desk.mailbag import token_in, written
from tests.desk.offices import PASSWORD, People, player_id
from tests.desk.test_second_factor import pending, with_app

AT_ONCE = 6


def at_once(ask: Callable[[int], object]) -> list[int]:
    """Who of many was granted what all ask for at the same moment; any defect fails the test."""
    barrier, granted, defects = Barrier(AT_ONCE), list[int](), list[BaseException]()

    def try_it(number: int) -> None:
        barrier.wait()
        try:
            with suppress(Refusal):
                ask(number)
                granted.append(number)
        except Exception as defect:
            defects.append(defect)

    threads = [Thread(target=try_it, args=(number,)) for number in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not defects, defects
    return granted


def password(number: int) -> str:
    return f"{PASSWORD} numero {number}"


def test_an_invitation_makes_one_account(office: Office, people: People) -> None:
    token = office.accounts.invite(people.root, "new@example.org", Role.ARBITER, "", None)
    (won,) = at_once(lambda n: office.accounts.accept_invitation(token, f"Finta {n}", password(n)))
    assert office.accounts.log_in("new@example.org", password(won))
    assert [one.email for one in office.accounts.all(people.root)].count("new@example.org") == 1


def test_one_number_is_given_to_one_of_those_who_are_invited_with_it(
    office: Office, people: People
) -> None:
    number = player_id(7)
    tokens = [
        office.accounts.invite(people.root, f"p{n}@example.org", Role.PLAYER, "", number)
        for n in range(AT_ONCE)
    ]
    granted = at_once(
        lambda n: office.accounts.accept_invitation(tokens[n], f"Finta {n}", password(n))
    )
    assert len(granted) == 1
    holders = [one for one in office.accounts.all(people.root) if one.player == number]
    assert [one.email for one in holders] == [f"p{granted[0]}@example.org"]


def test_a_link_to_finish_a_sign_up_makes_one_account(office: Office, people: People) -> None:
    office.settings.change(people.root, sign_up=SignUp.OPEN)
    office.sign_ups.ask("new@example.org", "", "it")
    token = token_in(office, "sign_up")
    (won,) = at_once(lambda n: office.sign_ups.finish(token, f"Finta {n}", password(n)))
    assert office.accounts.log_in("new@example.org", password(won))


def test_a_link_with_a_cap_invites_no_more_than_that(office: Office, people: People) -> None:
    token = office.bulk.make_link(people.root, Role.ARBITER, "", 2, 5)
    granted = at_once(lambda n: office.bulk.join(token, f"a{n}@example.org", "it"))
    assert len(granted) == 2
    asked = {f"a{n}@example.org" for n in range(AT_ONCE)}
    assert {address for _, address, _ in written(office)} & asked == {
        f"a{n}@example.org" for n in granted
    }
    with pytest.raises(NotFound):
        office.bulk.link(token)


def test_a_new_address_is_confirmed_once(office: Office, people: People) -> None:
    office.own_account.ask_new_address(people.arbiter, "moved@example.org", PASSWORD)
    token = token_in(office, "new_address")
    assert len(at_once(lambda _: office.own_account.confirm_address(token))) == 1
    assert office.accounts.log_in("moved@example.org", PASSWORD)


def test_two_accounts_that_want_one_address_do_not_both_get_it(
    office: Office, people: People
) -> None:
    tokens = []
    for asker in (people.arbiter, people.officer):
        office.own_account.ask_new_address(asker, "wanted@example.org", PASSWORD)
        tokens.append(token_in(office, "new_address"))
    granted = at_once(lambda n: office.own_account.confirm_address(tokens[n % 2]))
    assert len(granted) == 1
    holders = [one for one in office.accounts.all(people.root) if one.email == "wanted@example.org"]
    assert len(holders) == 1


def test_a_recovery_code_opens_one_session(office: Office, people: People) -> None:
    _, codes = with_app(office, people)
    attempts = [pending(office) for _ in range(AT_ONCE)]
    granted = at_once(lambda n: office.second_factors.log_in(attempts[n], codes[0]))
    assert len(granted) == 1


def test_an_app_is_set_up_once_from_one_picture(office: Office, people: People) -> None:
    new = office.second_factors.new_app(people.arbiter, "Office")
    code = pyotp.TOTP(new.secret).at(office.desk.now())
    granted = at_once(
        lambda n: office.second_factors.add_app(people.arbiter, new.attempt, code, f"Phone {n}")
    )
    assert len(granted) == 1
    assert len(office.second_factors.own(people.arbiter).factors) == 1
