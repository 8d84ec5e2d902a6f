"""13.1 — who is named to the Fair Play Committee, to which seat and until when."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arrocco.desk import Office
from arrocco.desk.committee import is_complete, require_member
from arrocco.errors import Inconsistent
from arrocco.laws.online.fair_play import Seat
from arrocco.office.roles import Asker, Forbidden, Role
from tests.desk.offices import PASSWORD, Clock, People

BY = "Delibera finta 3/2025"


def invited(office: Office, people: People, name: str) -> Asker:
    """An account of the committee, logged in."""
    email = f"{name}@example.org"
    token = office.accounts.invite(people.root, email, Role.COMMITTEE)
    office.accounts.accept_invitation(token, f"Finta {name}", PASSWORD)
    return office.accounts.asker_of(office.accounts.log_in(email, PASSWORD, "192.0.2.1"))


def name(office: Office, people: People, who: Asker, seat: Seat, **options: object) -> int:
    assert who.account is not None
    named = office.committee.name_member(
        people.root,
        who.account,
        seat,
        resolution=BY,
        **options,  # type: ignore[arg-type]
    )
    return named.id


def test_13_1_three_seats_each_with_what_it_asks(office: Office, people: People) -> None:
    master, arbiter, expert = (invited(office, people, who) for who in ("alfa", "beta", "gamma"))
    with pytest.raises(Inconsistent) as refusal:
        name(office, people, master, Seat.MASTER, category="CM")
    assert refusal.value.key == "committee.refused.not_a_master"
    assert not office.committee.has_members()
    name(office, people, master, Seat.MASTER, category="m")
    name(office, people, arbiter, Seat.INTERNATIONAL_ARBITER)
    assert office.committee.empty_seats() == [Seat.ANTI_CHEATING_EXPERT]
    with office.desk.database.reading() as connection:
        assert not is_complete(connection, office.desk.now())
    name(office, people, expert, Seat.ANTI_CHEATING_EXPERT)
    with office.desk.database.reading() as connection:
        assert is_complete(connection, office.desk.now())
        assert require_member(connection, expert, office.desk.now()) is Seat.ANTI_CHEATING_EXPERT
    assert office.committee.is_member(master.account)
    assert not office.committee.is_member(people.arbiter.account)
    assert not office.committee.is_member(None)


def test_13_1_one_seat_each_and_one_holder_a_seat(office: Office, people: People) -> None:
    one, other = invited(office, people, "alfa"), invited(office, people, "beta")
    name(office, people, one, Seat.INTERNATIONAL_ARBITER)
    for who, seat, key in (
        (one, Seat.ANTI_CHEATING_EXPERT, "has_seat"),
        (other, Seat.INTERNATIONAL_ARBITER, "seat_taken"),
    ):
        with pytest.raises(Inconsistent) as refusal:
            name(office, people, who, seat)
        assert refusal.value.key == f"committee.refused.{key}"


def test_a_term_ends_at_its_moment_and_not_before(
    office: Office, people: People, clock: Clock
) -> None:
    one, other = invited(office, people, "alfa"), invited(office, people, "beta")
    until = clock.at + timedelta(days=30)
    name(office, people, one, Seat.ANTI_CHEATING_EXPERT, until=until)
    clock.at = until - timedelta(microseconds=1)
    assert office.committee.is_member(one.account)
    clock.at = until
    assert not office.committee.is_member(one.account)
    with office.desk.database.reading() as connection, pytest.raises(Forbidden):
        require_member(connection, one, clock.at)
    name(office, people, other, Seat.ANTI_CHEATING_EXPERT)
    assert [one.holds for one in office.committee.members()] == [True, False]


def test_a_term_is_ended_with_a_reason_and_stays_in_the_history(
    office: Office, people: People
) -> None:
    one = invited(office, people, "alfa")
    term = name(office, people, one, Seat.ANTI_CHEATING_EXPERT)
    with pytest.raises(Inconsistent):
        office.committee.end_term(people.root, term, " ")
    office.committee.end_term(people.root, term, "si dimette")
    assert not office.committee.is_member(one.account)
    assert [(t.holds, t.member.ended_reason) for t in office.committee.members()] == [
        (False, "si dimette")
    ]
    with pytest.raises(Inconsistent):
        office.committee.end_term(people.root, term, "ancora")


def test_only_accounts_of_the_committee_are_named(office: Office, people: People) -> None:
    with pytest.raises(Inconsistent) as refusal:
        name(office, people, people.arbiter, Seat.INTERNATIONAL_ARBITER)
    assert refusal.value.key == "committee.refused.not_an_account"


def test_who_gets_another_role_or_is_closed_is_no_member(office: Office, people: People) -> None:
    one = invited(office, people, "alfa")
    assert one.account is not None
    name(office, people, one, Seat.ANTI_CHEATING_EXPERT)
    office.accounts.disable(people.root, one.account)
    assert not office.committee.is_member(one.account)
    office.accounts.enable(people.root, one.account)
    assert office.committee.is_member(one.account)
    office.role_changes.give(people.root, one.account, Role.ARBITER, reason="torna arbitro")
    assert not office.committee.is_member(one.account)


def test_nobody_but_the_administrator_names_members(office: Office, people: People) -> None:
    one = invited(office, people, "alfa")
    assert one.account is not None
    for asker in (people.administrator, people.officer, people.arbiter, people.player, one):
        with pytest.raises(Forbidden):
            office.committee.name_member(
                asker, one.account, Seat.ANTI_CHEATING_EXPERT, resolution=BY
            )
        with pytest.raises(Forbidden):
            office.committee.end_term(asker, 1, "no")
