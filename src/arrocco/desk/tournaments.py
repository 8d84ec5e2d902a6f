"""Tournaments: announced, approved or refused, appealed, cancelled; found by everybody."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.desk.chosen_readings import choices_on
from arrocco.desk.desk import Act, Desk, account_of, require_for, tournament_named
from arrocco.desk.notices import tell_about_tournament
from arrocco.desk.report_checks import Checker, kept_games, stored_findings
from arrocco.desk.withdrawals import withdraw_accepted
from arrocco.laws.publications import Publications
from arrocco.laws.systems import system_named
from arrocco.office import amendments as amending
from arrocco.office import registration as registering
from arrocco.office import tournaments as states
from arrocco.office.new_players import numbered
from arrocco.office.records import (
    Registration,
    ReportStatus,
    SentReport,
    Tournament,
    TournamentStatus,
)
from arrocco.office.registration import Assessment
from arrocco.office.roles import Asker, Permission, Role, Scope, Subject, forbidden, require
from arrocco.store.sql import (
    assignments,
    office_settings,
    publications,
    rated_tournaments,
    reports,
    tournaments,
)

_WAITING = (ReportStatus.RETURNED, ReportStatus.NEEDS_ANSWERS, ReportStatus.SENT)
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
    annulled: bool
    """Whether it was taken out after it was on a list (0.4); that list stays as it is."""


class Tournaments:
    """The calendar of tournaments and their working files."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._checker = Checker(desk)

    # --- announcing -------------------------------------------------------------------------------

    def assess(self, registration: Registration, on: date | None = None) -> tuple[Assessment, ...]:
        """What each law asked makes of a tournament announced on a day; changes nothing."""
        registering.validated(registration)
        with self._desk.database.reading() as connection:
            emissions = {
                system: Publications(
                    publication.list_date
                    for publication in publications.of_system(connection, system)
                )
                for system in registration.systems
            }
            taken = office_settings.get(connection).report_days
            chosen = {
                system: choices_on(connection, system_named(system), registration.start)
                for system in registration.systems
            }
        on = on or self._desk.now().date()
        return registering.assess(registration, on, emissions, taken, chosen)

    def assess_amendment(
        self, asker: Asker, number: int, registration: Registration
    ) -> tuple[Assessment, ...]:
        """What each law makes of a registration if it is amended now; changes nothing."""
        tournament = self.get(asker, number)
        on = amending.announced_on(tournament, registration, self._desk.now().date())
        return self.assess(registration, on)

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

    def amend(
        self, asker: Asker, number: int, registration: Registration, reason: str
    ) -> Tournament:
        """Amends a registration until a report is accepted; reports that wait are checked again."""
        # Checked before the transaction: nobody waits while a large report is read.
        with self._desk.looking(asker, "amend_tournament", _subject(number)) as connection:
            tournament = tournament_named(connection, number)
            require_for(asker, Permission.REGISTER_TOURNAMENT, tournament)
            sent = reports.of_tournament(connection, number)
            at = self._desk.now()
            changed = amending.amended(
                tournament,
                registration,
                self.assess_amendment(asker, number, registration),
                sent,
                reason=reason,
                by=account_of(asker),
                at=at,
            )
            waiting = [sent_report for sent_report in sent if sent_report.status in _WAITING]
            checked = [
                (sent_report, self._checked_again(connection, changed, sent_report))
                for sent_report in waiting
            ]
        with self._desk.acting(asker, "amend_tournament", _subject(number)) as act:
            # A report may have been accepted meanwhile; what was read above is compared below.
            amending.require_amendable(reports.of_tournament(act.connection, number))
            tournaments.change(act.connection, tournament, changed)
            for report, again in checked:
                reports.change(act.connection, report, again)
            fields = amending.changed_fields(tournament.registration, registration)
            act.details |= {
                "status": changed.status.value,
                "changed": [name for name, _, _ in fields],
                "reports_checked_again": [sent_report.id for sent_report, _ in checked],
            }
            return changed

    def _checked_again(
        self, connection: Connection, tournament: Tournament, report: SentReport
    ) -> SentReport:
        read, reading = self._desk.parsed.read(self._desk.blobs.get(report.blob), report.file_name)
        checked = self._checker.check_read(
            connection,
            tournament,
            numbered(read, report.numbers),
            reading,
            report.sent_at.date(),
            games=kept_games(report),
        )
        return amending.rechecked(report, stored_findings(checked.findings))

    # --- looking ----------------------------------------------------------------------------------

    def get(self, asker: Asker, number: int) -> Tournament:
        """The working file of a tournament."""
        with self._desk.looking(asker, "see_tournament", _subject(number)) as connection:
            tournament = tournament_named(connection, number)
            require_for(asker, Permission.SEE_TOURNAMENT_FILE, tournament)
            return tournament

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
                connection,
                text=text,
                federation=federation,
                owner=owner,
                status=status,
                offset=offset,
                limit=limit,
            )

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
            total, rows = tournaments.search(
                connection,
                text=text,
                federation=federation,
                status=_SHOWN,
                or_rated=True,
                from_day=from_day,
                to_day=to_day,
                offset=offset,
                limit=limit,
            )
            return total, [_public(connection, tournament) for tournament in rows]

    def stages(self, some: Collection[Tournament]) -> dict[int, PublicTournament]:
        """How far each of some tournaments has come, as everybody may know it."""
        with self._desk.database.reading() as connection:
            return {tournament.id: _public(connection, tournament) for tournament in some}

    def public(self, number: int) -> PublicTournament:
        """What everybody may know of a tournament."""
        with self._desk.database.reading() as connection:
            return _public(connection, tournament_named(connection, number))

    # --- deciding ---------------------------------------------------------------------------------

    def approve(
        self, asker: Asker, number: int, needed: str, granted_by: str, on: date, note: str = ""
    ) -> Tournament:
        """Records an approval that somebody gave."""

        def approved(tournament: Tournament, _: Act) -> Tournament:
            return states.with_approval(tournament, needed, granted_by=granted_by, on=on, note=note)

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
            asker,
            number,
            "appeal_refusal",
            Permission.APPEAL_REFUSAL,
            lambda tournament, act: states.appealed(tournament, text, on=act.day),
        )

    def decide_appeal(self, asker: Asker, number: int, upheld: bool, note: str = "") -> Tournament:
        """Records what became of an appeal."""
        return self._change(
            asker,
            number,
            "decide_appeal",
            Permission.APPROVE_REGISTRATION,
            lambda tournament, act: states.appeal_decided(
                tournament, upheld=upheld, on=act.day, note=note
            ),
        )

    def cancel(self, asker: Asker, number: int, reason: str) -> Tournament:
        """Takes an announcement back; its accepted reports leave every list to come."""

        def cancelled(tournament: Tournament, act: Act) -> Tournament:
            changed = states.cancelled(tournament, reason, on=act.day)
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
            tournament = tournament_named(act.connection, number)
            require_for(asker, permission, tournament)
            changed = tournaments.change(act.connection, tournament, step(tournament, act))
            act.details["status"] = changed.status.value
            tell_about_tournament(act, asker, action, changed)
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
    raise forbidden(asker, Permission.SEE_TOURNAMENT_FILE)


def _subject(number: int) -> str:
    return f"tournament:{number}"


def _public(connection: Connection, tournament: Tournament) -> PublicTournament:
    told = tournament.registration
    sent = reports.of_tournament(connection, tournament.id)
    taken = [
        sent_report
        for sent_report in sent
        if sent_report.status in (ReportStatus.ACCEPTED, ReportStatus.RATED)
    ]
    waits = {
        system: day
        for sent_report in taken
        for system, (day, is_out) in assignments.of_report(connection, sent_report.id).items()
        if not is_out
    }
    rated = rated_tournaments.of_tournament(connection, tournament.id)
    return PublicTournament(
        id=tournament.id,
        name=told.name,
        city=told.city,
        federation=told.federation,
        systems=told.systems,
        start=told.start,
        end=told.end,
        time_control=told.time_control,
        pairing=told.pairing.value,
        chief_arbiter=told.chief_arbiter,
        rounds=len(told.schedule),
        status=tournament.status,
        report_received=bool(taken),
        waits_for=waits,
        rated=tuple(RatedOn(system=system, list_date=day, row=row) for system, day, row in rated),
        annulled=not taken and any(report.status is ReportStatus.ANNULLED for report in sent),
    )
