"""Tournaments: announced, approved or refused, appealed, cancelled; found by everybody."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.laws.publications import Publications
from arrocco.office import registration as registering
from arrocco.office import tournaments as states
from arrocco.office.records import (
    Registration,
    ReportStatus,
    Tournament,
    TournamentStatus,
)
from arrocco.office.registration import Assessment
from arrocco.office.roles import Asker, Forbidden, Permission, Role, Scope, Subject, require
from arrocco.store.sql import (
    assignments,
    publications,
    rated_tournaments,
    reports,
    tournaments,
)
from arrocco.wiring.office.desk import Act, Desk, account_of, require_for, tournament_named
from arrocco.wiring.office.withdrawing import withdraw_accepted

_SHOWN = (TournamentStatus.REGISTERED, TournamentStatus.AWAITING_APPROVAL)


class RatedOn(Struct, frozen=True, kw_only=True):
    """A list a tournament is on; `row` is its number in the calculations of the list."""

    system: str
    list_date: date
    row: int


class PublicTournament(Struct, frozen=True, kw_only=True):
    """What everybody may know of a tournament."""

    id: int
    name: str
    city: str
    federation: str
    systems: tuple[str, ...]
    start: date
    end: date
    time_control: str
    pairing: str
    chief_arbiter: str
    rounds: int
    status: TournamentStatus
    report_received: bool
    """Whether a report was accepted."""
    waits_for: dict[str, date]
    """Lists it falls on that are not out yet, by system."""
    rated: tuple[RatedOn, ...]


class Tournaments:
    """The calendar of tournaments and their working files."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    # --- announcing -------------------------------------------------------------------------------

    def assess(self, registration: Registration, on: date | None = None) -> tuple[Assessment, ...]:
        """What each law asked makes of a tournament announced on a day; changes nothing."""
        registering.validated(registration)
        with self._desk.database.reading() as connection:
            emissions = {
                system: Publications(
                    one.list_date for one in publications.of_system(connection, system)
                )
                for system in registration.systems
            }
        return registering.assess(registration, on or self._desk.now().date(), emissions)

    def register(self, asker: Asker, registration: Registration) -> Tournament:
        """Announces a tournament."""
        with self._desk.acting(asker, "register_tournament") as act:
            mine = Subject(federation=registration.federation, owner=asker.account)
            require(asker, Permission.REGISTER_TOURNAMENT, mine)
            assessments = self.assess(registration, act.day)
            made = states.new_tournament(
                0, registration, assessments, by=account_of(asker), at=act.at
            )
            made = tournaments.add(act.connection, made)
            act.subject = _subject(made.id)
            act.details |= {"name": registration.name, "systems": registration.systems}
            return made

    # --- looking ----------------------------------------------------------------------------------

    def get(self, asker: Asker, number: int) -> Tournament:
        """The working file of a tournament."""
        with self._desk.looking(asker, "see_tournament", _subject(number)) as connection:
            found = tournament_named(connection, number)
            require_for(asker, Permission.SEE_TOURNAMENT_FILE, found)
            return found

    def mine(
        self,
        asker: Asker,
        *,
        text: str = "",
        status: Collection[TournamentStatus] = (),
        offset: int = 0,
        limit: int = 50,
    ) -> tuple[int, list[Tournament]]:
        """How many tournaments the asker works on, and a page of them.

        An arbiter's own, a federation's for its officer, all of them for the administrator.
        """
        with self._desk.looking(asker, "see_tournaments") as connection:
            federation, owner = whose(asker)
            return tournaments.search(
                connection, text=text, federation=federation, owner=owner, status=status,
                offset=offset, limit=limit,
            )  # fmt: skip

    def search(
        self,
        asker: Asker,
        *,
        text: str = "",
        federation: str = "",
        from_day: date | None = None,
        to_day: date | None = None,
        offset: int = 0,
        limit: int = 50,
    ) -> tuple[int, list[PublicTournament]]:
        """How many tournaments there are, and a page of them as everybody may see them."""
        with self._desk.looking(asker, "search_tournaments") as connection:
            require(asker, Permission.LOOK_UP)
            total, found = tournaments.search(
                connection, text=text, federation=federation, status=_SHOWN, from_day=from_day,
                to_day=to_day, offset=offset, limit=limit,
            )  # fmt: skip
            return total, [_public(connection, one) for one in found]

    def public(self, number: int) -> PublicTournament:
        """What everybody may know of a tournament."""
        with self._desk.database.reading() as connection:
            return _public(connection, tournament_named(connection, number))

    # --- deciding ---------------------------------------------------------------------------------

    def approve(
        self, asker: Asker, number: int, needed: str, granted_by: str, on: date, note: str = ""
    ) -> Tournament:
        """Records an approval that somebody gave."""

        def approved(found: Tournament, _: Act) -> Tournament:
            return states.with_approval(found, needed, granted_by=granted_by, on=on, note=note)

        return self._change(
            asker, number, "approve_tournament", Permission.APPROVE_REGISTRATION, approved
        )

    def refuse(self, asker: Asker, number: int, reason: str) -> Tournament:
        """Refuses to rate a tournament; its accepted reports leave every list to come (0.4)."""

        def refused(found: Tournament, act: Act) -> Tournament:
            changed = states.refused(found, reason, on=act.day)
            act.details["reports_withdrawn"] = withdraw_accepted(act, asker, number, reason)
            return changed

        return self._change(
            asker, number, "refuse_tournament", Permission.APPROVE_REGISTRATION, refused
        )

    def appeal(self, asker: Asker, number: int, text: str) -> Tournament:
        """Appeals against a refusal."""
        return self._change(
            asker, number, "appeal_refusal", Permission.APPEAL_REFUSAL,
            lambda found, act: states.appealed(found, text, on=act.day),
        )  # fmt: skip

    def decide_appeal(self, asker: Asker, number: int, upheld: bool, note: str = "") -> Tournament:
        """Records what became of an appeal."""
        return self._change(
            asker, number, "decide_appeal", Permission.APPROVE_REGISTRATION,
            lambda found, act: states.appeal_decided(found, upheld=upheld, on=act.day, note=note),
        )  # fmt: skip

    def cancel(self, asker: Asker, number: int, reason: str) -> Tournament:
        """Takes an announcement back; its accepted reports leave every list to come."""

        def cancelled(found: Tournament, act: Act) -> Tournament:
            changed = states.cancelled(found, reason, on=act.day)
            act.details["reports_withdrawn"] = withdraw_accepted(act, asker, number, reason)
            return changed

        return self._change(
            asker, number, "cancel_tournament", Permission.REGISTER_TOURNAMENT, cancelled
        )

    def _change(
        self,
        asker: Asker,
        number: int,
        action: str,
        permission: Permission,
        step: Callable[[Tournament, Act], Tournament],
    ) -> Tournament:
        with self._desk.acting(asker, action, _subject(number)) as act:
            found = tournament_named(act.connection, number)
            require_for(asker, permission, found)
            changed = tournaments.change(act.connection, found, step(found, act))
            act.details["status"] = changed.status.value
            return changed


def whose(asker: Asker) -> tuple[str, int | None]:
    """Whose tournaments an asker works on: a federation's, an account's, or everybody's."""
    scope = asker.scope_of(Permission.SEE_TOURNAMENT_FILE)
    if scope is Scope.ALL:
        return "", None
    if scope is not None and asker.role is Role.FEDERATION_OFFICER and asker.federation:
        return asker.federation, None
    if scope is not None and asker.account is not None:
        return "", asker.account
    raise Forbidden.of("office.refused.forbidden", permission=Permission.SEE_TOURNAMENT_FILE.value)


def _subject(number: int) -> str:
    return f"tournament:{number}"


def _public(connection: Connection, found: Tournament) -> PublicTournament:
    told = found.registration
    taken = [
        one
        for one in reports.of_tournament(connection, found.id)
        if one.status in (ReportStatus.ACCEPTED, ReportStatus.RATED)
    ]
    waits = {
        system: day
        for one in taken
        for system, (day, is_out) in assignments.of_report(connection, one.id).items()
        if not is_out
    }
    rated = rated_tournaments.of_tournament(connection, found.id)
    return PublicTournament(
        id=found.id, name=told.name, city=told.city, federation=told.federation,
        systems=told.systems, start=told.start, end=told.end, time_control=told.time_control,
        pairing=told.pairing.value, chief_arbiter=told.chief_arbiter, rounds=len(told.schedule),
        status=found.status, report_received=bool(taken), waits_for=waits,
        rated=tuple(RatedOn(system=system, list_date=day, row=row) for system, day, row in rated),
    )  # fmt: skip
