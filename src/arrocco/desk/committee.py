"""13.1 — the Fair Play Committee: who is named to its three seats, for how long."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.desk.account_parts import named
from arrocco.desk.desk import Desk
from arrocco.desk.reasons import check_reason
from arrocco.errors import Inconsistent
from arrocco.laws.hall import laws_held_under
from arrocco.laws.online.fair_play import Member, Seat
from arrocco.office.roles import Asker, Forbidden, Permission, Role, require
from arrocco.store.sql import accounts, committee_members
from arrocco.store.sql.committee_members import CommitteeMember

MAX_RESOLUTION = 300


class SeatHeld(Struct, frozen=True, kw_only=True):
    """A term in the committee, with the name of whoever holds it."""

    member: CommitteeMember
    name: str
    holds: bool


class Committee:
    """Who belongs to the committee."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def is_member(self, account: int | None) -> bool:
        """Whether an account holds a seat of the committee now."""
        with self._desk.database.reading() as connection:
            return is_member(connection, account, self._desk.now())

    def has_members(self) -> bool:
        """Whether the federation has named anybody who holds a seat now."""
        with self._desk.database.reading() as connection:
            return bool(committee_members.holding(connection, self._desk.now()))

    def members(self) -> list[SeatHeld]:
        """All terms, those that hold first; who decides on others is no secret."""
        at = self._desk.now()
        with self._desk.database.reading() as connection:
            terms = committee_members.every(connection)
            names = {
                term.account: ""
                if (owner := accounts.by_id(connection, term.account)) is None
                else owner.name
                for term in terms
            }
        held = [
            SeatHeld(member=term, name=names[term.account], holds=term.holds(at)) for term in terms
        ]
        seats = list(Seat)
        return sorted(held, key=lambda one: (not one.holds, seats.index(one.member.seat)))

    def empty_seats(self) -> list[Seat]:
        """13.1 — the seats that nobody holds now."""
        at = self._desk.now()
        with self._desk.database.reading() as connection:
            members = _members(connection, at)
        return list(laws_held_under(at.date()).online.empty_seats(members))

    def candidates(self, asker: Asker) -> list[tuple[int, str]]:
        """The accounts of the committee that can be named: open ones of its role, by number."""
        with self._desk.looking(asker, "see_committee") as connection:
            require(asker, Permission.NAME_COMMITTEE)
            rows = accounts.every(connection)
        return [
            (account.id, account.name)
            for account in rows
            if account.role is Role.COMMITTEE and not account.disabled
        ]

    def name_member(
        self,
        asker: Asker,
        account: int,
        seat: Seat,
        *,
        category: str = "",
        resolution: str,
        until: datetime | None = None,
    ) -> CommitteeMember:
        """13.1 — enters whom the federation has named to a seat, from now until a moment.

        Raises `Inconsistent` for who has not what the seat asks, holds one, or finds it taken.
        """
        with self._desk.acting(asker, "name_committee_member", str(account)) as act:
            require(asker, Permission.NAME_COMMITTEE)
            owner = named(act.connection, account)
            if owner.role is not Role.COMMITTEE or owner.disabled:
                raise Inconsistent.of("committee.refused.not_an_account")
            resolution = " ".join(resolution.split())[:MAX_RESOLUTION]
            if not resolution:
                raise Inconsistent.of("committee.refused.no_resolution")
            if until is not None and until <= act.at:
                raise Inconsistent.of("committee.refused.term_over")
            category = category.strip().upper()[:10]
            if not _qualified(category, seat).can_take(seat):
                raise Inconsistent.of("committee.refused.not_a_master")
            for held in committee_members.holding(act.connection, act.at):
                if held.account == account:
                    raise Inconsistent.of("committee.refused.has_seat")
                if held.seat is seat:
                    raise Inconsistent.of("committee.refused.seat_taken")
            act.details |= {"seat": seat.value, "resolution": resolution}
            return committee_members.add(
                act.connection,
                account=account,
                seat=seat,
                category=category,
                resolution=resolution,
                since=act.at,
                until=until,
                by=asker.account,
                at=act.at,
            )

    def end_term(self, asker: Asker, member: int, reason: str) -> None:
        """Ends a term now; what was decided in it stands."""
        with self._desk.acting(asker, "end_committee_term") as act:
            require(asker, Permission.NAME_COMMITTEE)
            check_reason(reason)
            ended = committee_members.end(
                act.connection, member, act.at, asker.account, reason.strip()
            )
            if ended is None:
                raise Inconsistent.of("committee.refused.no_term")
            act.subject = str(ended.account)
            act.details |= {"seat": ended.seat.value, "reason": reason.strip()}


def is_member(connection: Connection, account: int | None, at: datetime) -> bool:
    """Whether an account holds a seat of the committee at a moment, and is one of its role."""
    return seat_held(connection, account, at) is not None


def seat_held(connection: Connection, account: int | None, at: datetime) -> Seat | None:
    """13.1 — the seat of an account; none for one that was closed or given another role."""
    owner = None if account is None else accounts.by_id(connection, account)
    if owner is None or owner.disabled or owner.role is not Role.COMMITTEE:
        return None
    return committee_members.seat_of(connection, account, at)


def require_member(connection: Connection, asker: Asker, at: datetime) -> Seat:
    """The asker's seat. Raises `Forbidden` for everybody without one."""
    require(asker, Permission.JUDGE_FAIR_PLAY)
    seat = seat_held(connection, asker.account, at)
    if seat is None:
        raise Forbidden.of("committee.refused.no_seat")
    return seat


def is_complete(connection: Connection, at: datetime) -> bool:
    """13.1 — whether the committee has its three members, one for each seat."""
    return laws_held_under(at.date()).online.committee_is_valid(_members(connection, at))


def _members(connection: Connection, at: datetime) -> list[Member]:
    """Who holds a seat at a moment, by what qualifies them."""
    held = committee_members.holding(connection, at)
    return [_qualified(term.category, term.seat) for term in held]


def _qualified(category: str, seat: Seat) -> Member:
    """What qualifies somebody whom the federation names to a seat: only a category is shown."""
    return Member(
        category=category,
        is_international_arbiter=seat is Seat.INTERNATIONAL_ARBITER,
        is_anti_cheating_expert=seat is Seat.ANTI_CHEATING_EXPERT,
    )
