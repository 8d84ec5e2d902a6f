"""The second factor: codes serve once, guessing is slow, the owner is not shut out."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from threading import Barrier, Thread

import pyotp
import pytest
from sqlalchemy import select

from arrocco.desk import Office
from arrocco.desk.accounts import PENDING_MINUTES, NotLoggedIn, TooManyAttempts
from arrocco.desk.throttle import OF_FACTOR, OF_OWN_PASSWORD
from arrocco.errors import Inconsistent, Refusal
from arrocco.office.roles import Forbidden, Permission, Role, may
from arrocco.store.sql.tables import recovery_codes
from tests.desk.mailbag import token_in, written
from tests.desk.offices import PASSWORD, Clock, People

ARBITER = "arbiter@example.org"
STEP = timedelta(seconds=30)


def with_app(office: Office, people: People) -> tuple[pyotp.TOTP, list[str]]:
    """Sets up an app for the arbiter."""
    new = office.second_factors.new_app(people.arbiter, "Office")
    app = pyotp.TOTP(new.secret)
    code = app.at(office.desk.now())
    return app, office.second_factors.add_app(people.arbiter, new.attempt, code, "Phone")


def pending(office: Office, device: str = "") -> str:
    opened = office.accounts.log_in_with(ARBITER, PASSWORD, "192.0.2.7", device)
    assert opened.token == ""
    return opened.pending


def test_the_password_alone_opens_nothing(office: Office, people: People, clock: Clock) -> None:
    app, _ = with_app(office, people)
    with pytest.raises(NotLoggedIn):
        office.accounts.log_in(ARBITER, PASSWORD)
    with pytest.raises(NotLoggedIn):
        office.accounts.asker_of(pending(office))
    clock.at += STEP
    opened = office.second_factors.log_in(pending(office), app.at(clock.at))
    assert office.accounts.asker_of(opened.token).account == people.arbiter.account


def test_a_code_serves_once_also_with_another_password(
    office: Office, people: People, clock: Clock
) -> None:
    app, _ = with_app(office, people)
    with pytest.raises(NotLoggedIn):  # the one that set it up
        office.second_factors.log_in(pending(office), app.at(clock.at))
    clock.at += STEP
    code = app.at(clock.at)
    office.second_factors.log_in(pending(office), code)
    with pytest.raises(NotLoggedIn):
        office.second_factors.log_in(pending(office), code)


def test_a_code_is_good_one_step_early_or_late_and_no_more(
    office: Office, people: People, clock: Clock
) -> None:
    app, _ = with_app(office, people)
    clock.at += 10 * STEP
    for off, is_good in ((-2, False), (2, False), (-1, True), (1, True)):
        code = app.at(clock.at + off * STEP)
        if is_good:
            assert office.second_factors.log_in(pending(office), code).token
        else:
            with pytest.raises(NotLoggedIn):
                office.second_factors.log_in(pending(office), code)


def test_of_many_at_once_with_one_code_one_gets_in(
    office: Office, people: People, clock: Clock
) -> None:
    app, _ = with_app(office, people)
    clock.at += STEP
    code, barrier, opened = app.at(clock.at), Barrier(5), []
    tokens = [pending(office) for _ in range(5)]

    def show(token: str) -> None:
        barrier.wait()
        with suppress(Refusal):
            opened.append(office.second_factors.log_in(token, code).token)

    threads = [Thread(target=show, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 1


def test_recovery_codes_serve_once_and_are_kept_as_hashes(
    office: Office, people: People, clock: Clock
) -> None:
    _, codes = with_app(office, people)
    assert len(set(codes)) == 10
    with office.desk.database.reading() as connection:
        kept = str(connection.execute(select(recovery_codes)).all())
    assert codes[0].replace("-", "") not in kept
    typed = codes[0].upper().replace("-", " ")
    assert office.second_factors.log_in(pending(office), typed).token
    with pytest.raises(NotLoggedIn):
        office.second_factors.log_in(pending(office), codes[0])
    assert office.second_factors.own(people.arbiter).codes_left == 9
    fresh = office.second_factors.new_codes(people.arbiter)
    with pytest.raises(NotLoggedIn):
        office.second_factors.log_in(pending(office), codes[1])
    assert office.second_factors.log_in(pending(office), fresh[0]).token


def test_who_knows_the_password_cannot_guess_on_nor_shut_the_owner_out(
    office: Office, people: People, clock: Clock
) -> None:
    known = office.accounts.log_in_with(ARBITER, PASSWORD).device
    app, _ = with_app(office, people)
    clock.at += STEP
    token = pending(office)
    for _ in range(OF_FACTOR.burst):
        with pytest.raises(NotLoggedIn):
            office.second_factors.log_in(token, "000000", "203.0.113.9")
    with pytest.raises(TooManyAttempts):
        office.second_factors.log_in(token, app.at(clock.at), "203.0.113.9")
    # The owner's own browser has its own allowance.
    assert office.second_factors.log_in(
        pending(office, known), app.at(clock.at), "198.51.100.7", known
    ).token


def test_the_password_is_not_good_for_ever(office: Office, people: People, clock: Clock) -> None:
    app, _ = with_app(office, people)
    token = pending(office)
    clock.at += timedelta(minutes=PENDING_MINUTES)
    with pytest.raises(NotLoggedIn) as refused:
        office.second_factors.log_in(token, app.at(clock.at))
    assert refused.value.key == "access.refused.pending"


def test_a_forgotten_password_does_not_go_round_it(
    office: Office, people: People, clock: Clock
) -> None:
    app, _ = with_app(office, people)
    clock.at += STEP
    office.own_account.ask_reset(ARBITER)
    office.own_account.reset(token_in(office, "reset"), "otto gatti sotto il tetto")
    opened = office.accounts.log_in_with(ARBITER, "otto gatti sotto il tetto", "192.0.2.7")
    assert opened.token == ""
    with pytest.raises(NotLoggedIn):
        office.accounts.asker_of(opened.pending)
    assert office.second_factors.log_in(opened.pending, app.at(clock.at)).token


def test_setting_up_needs_a_code_of_the_app(office: Office, people: People) -> None:
    new = office.second_factors.new_app(people.arbiter, "Office")
    with pytest.raises(NotLoggedIn):
        office.second_factors.add_app(people.arbiter, new.attempt, "000000", "Phone")
    with pytest.raises(Inconsistent):  # somebody else's
        office.second_factors.add_app(people.officer, new.attempt, "000000", "Phone")
    assert office.accounts.log_in(ARBITER, PASSWORD)


def test_codes_cannot_be_guessed_on_while_an_app_is_set_up(office: Office, people: People) -> None:
    new = office.second_factors.new_app(people.arbiter, "Office")
    right = pyotp.TOTP(new.secret).at(office.desk.now())
    wrong = "000000" if right != "000000" else "000001"
    for _ in range(OF_OWN_PASSWORD.burst):
        with pytest.raises(NotLoggedIn):
            office.second_factors.add_app(people.arbiter, new.attempt, wrong, "Phone")
    with pytest.raises(TooManyAttempts):
        office.second_factors.add_app(people.arbiter, new.attempt, right, "Phone")
    assert office.second_factors.own(people.arbiter).factors == []


def test_a_role_that_needs_one_can_only_set_it_up(
    office: Office, people: People, clock: Clock
) -> None:
    token = office.accounts.log_in(ARBITER, PASSWORD)
    office.settings.change(people.root, second_factor=(Role.ARBITER,))
    asker = office.accounts.asker_of(token)
    assert asker.lacks_factor
    assert not may(asker, Permission.REGISTER_TOURNAMENT)
    with pytest.raises(Forbidden):
        office.tournaments.mine(asker)
    with_app(office, people)
    asker = office.accounts.asker_of(token)
    assert not asker.lacks_factor
    (factor,) = office.second_factors.own(asker).factors
    with pytest.raises(Inconsistent) as refused:
        office.second_factors.remove(asker, factor.id)
    assert refused.value.key == "access.refused.factor_required"


def test_an_administrator_helps_who_lost_it(office: Office, people: People) -> None:
    with_app(office, people)
    assert people.arbiter.account
    assert people.root.account
    with pytest.raises(Inconsistent):
        office.second_factors.reset(people.root, people.root.account)
    office.second_factors.reset(people.root, people.arbiter.account)
    assert office.accounts.log_in(ARBITER, PASSWORD)
    assert written(office)[-1][:2] == ("account_changed", ARBITER)
