"""12.13 — from a decided case to the ratings: the correction that the office is offered.

Nobody corrects a list by a decision alone: a person of the office sees whom it touches and enters
it. The office reads the decision and its articles, not the evidence, the hearing or the votes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.desk.case_mails import tell_account
from arrocco.desk.cases import Cases, named_case
from arrocco.desk.chosen_readings import rio_on
from arrocco.desk.corrected_reports import CorrectedReports
from arrocco.desk.corrections import CorrectionPreview, Corrections
from arrocco.desk.counted_once import TAKEN
from arrocco.desk.desk import Act, Desk, account_of, merged_numbers, require_for, subject_of
from arrocco.desk.mail import MailKind, queue
from arrocco.engine.admission import Waiver
from arrocco.errors import Illegal, NotFound
from arrocco.hall import event as ev
from arrocco.hall.event.report import report_numbers
from arrocco.hall.event.state import State
from arrocco.office.cases import CommitteeCase, rules
from arrocco.office.cases.records import RatingsCorrected
from arrocco.office.ledger import DecidedResult
from arrocco.office.new_players import numbered
from arrocco.office.overlap import same_game
from arrocco.office.records import ReportStatus, SentReport, Tournament, TournamentStatus
from arrocco.office.roles import Asker, Permission, Role, may, require
from arrocco.records.report import GameKind, Report
from arrocco.store.sql import accounts, committee_cases, reports, tournaments
from arrocco.words import Phrase

_WAITING = (ReportStatus.RETURNED, ReportStatus.NEEDS_ANSWERS, ReportStatus.SENT)
_MAX_TOURNAMENTS = 200
_MAX_TOLD = 50


class RatingsState(StrEnum):
    """What a decision means for ratings; its words are ``cases.ratings_state.<value>``."""

    UNCHANGED = "unchanged"
    """No result that is rated comes out otherwise."""
    NOT_SENT = "not_sent"
    """The office has no report: the one to come has the results as decided."""
    TO_SEND_AGAIN = "to_send_again"
    """A report with other results waits to be accepted: the chief arbiter sends another."""
    TO_CORRECT = "to_correct"
    CORRECTED = "corrected"


WAITS = (RatingsState.TO_SEND_AGAIN, RatingsState.TO_CORRECT)


class RatingsOfCase(Struct, frozen=True, kw_only=True):
    """What is left to do about ratings, in which report, by which changes."""

    state: RatingsState
    tournament: Tournament | None = None
    report: SentReport | None = None
    changes: tuple[DecidedResult, ...] = ()


class WaitingRatings(Struct, frozen=True, kw_only=True):
    """A decided case whose results the office has otherwise."""

    case: int
    since: datetime
    state: RatingsState


class CaseRatings:
    """Decisions of the committee on their way into a list."""

    def __init__(self, desk: Desk, cases: Cases) -> None:
        self._desk, self._cases = desk, cases
        self._corrections = Corrections(desk)
        self._corrected = CorrectedReports(desk)

    # --- looking ----------------------------------------------------------------------------------

    def seen_in_case(self, asker: Asker, number: int, event: State) -> RatingsOfCase:
        """What a decision means for ratings, for whoever sees the case. Raises `NotFound`."""
        case, _ = self._cases.get(asker, number, event)
        with self._desk.database.reading() as connection:
            return self._of(connection, case, event)

    def offered(
        self, asker: Asker, number: int, event: State
    ) -> tuple[CommitteeCase, RatingsOfCase, CorrectionPreview | None]:
        """A decided case as the office sees it, and whom its correction would touch.

        Raises `NotFound` for a case that is not decided, or has nothing for the office.
        """
        with self._desk.looking(asker, "see_case_ratings", f"case:{number}") as connection:
            require(asker, Permission.CORRECT)
            case = named_case(connection, number)
            ratings = self._of(connection, case, event)
            if ratings.tournament is None or ratings.state not in (*WAITS, RatingsState.CORRECTED):
                raise NotFound.of("cases.refused.none", number=number)
            require_for(asker, Permission.CORRECT, ratings.tournament)
        if ratings.state is not RatingsState.TO_CORRECT or ratings.report is None:
            return case, ratings, None
        preview = self._corrections.preview(asker, ratings.report.id, ratings.changes)
        return case, ratings, preview

    def waiting(self, asker: Asker, event: State) -> list[WaitingRatings]:
        """The decided cases of an event in which something waits for an officer of ratings."""
        if not may(asker, Permission.CORRECT):
            return []
        waiting = []
        with self._desk.database.reading() as connection:
            for case in committee_cases.of_event(connection, event.created.event):
                ratings = self._of(connection, case, event)
                if ratings.state not in WAITS or ratings.tournament is None:
                    continue
                if may(asker, Permission.CORRECT, subject_of(ratings.tournament)):
                    since = case.records[-1].at
                    waiting.append(
                        WaitingRatings(case=case.number, since=since, state=ratings.state)
                    )
        return waiting

    def of_corrections(self, seqs: list[int]) -> dict[int, int]:
        """By place of a correction in the ledger the case it was made from."""
        with self._desk.database.reading() as connection:
            return committee_cases.by_corrections(connection, seqs)

    # --- entering ---------------------------------------------------------------------------------

    def enter(
        self,
        asker: Asker,
        number: int,
        event: State,
        reason: str,
        waivers: Sequence[Waiver] = (),
    ) -> int:
        """Enters the correction that follows from a decision; its place in the ledger.

        Everybody can read the reason there: it tells nothing of the evidence. Errors that it brings
        into the report are waived with reasons, or stop it.
        """
        with self._desk.acting(asker, "enter_case_correction", f"case:{number}") as act:
            require(asker, Permission.CORRECT)
            case = named_case(act.connection, number)
            ratings = self._of(act.connection, case, event)
            report, tournament = ratings.report, ratings.tournament
            if ratings.state is not RatingsState.TO_CORRECT or report is None or tournament is None:
                raise Illegal.of("cases.refused.nothing_to_correct")
            require_for(asker, Permission.CORRECT, tournament)
            self._corrections.admit(act, asker, report.id, ratings.changes, waivers)
            seq = self._corrections.append(act, asker, report.id, ratings.changes, reason)
            act.details["report"] = report.id
            rules.check_room(case)
            done = RatingsCorrected(
                at=act.at, by=account_of(asker), report=report.id, correction=seq
            )
            case = committee_cases.add(act.connection, case, done)
            tell_account(act, case, case.opened.account, "ratings")
            return seq

    def tell_office(self, asker: Asker, number: int, event: State) -> None:
        """Writes to the officers of ratings where a decision leaves something to them."""
        with self._desk.database.reading() as connection:
            case = named_case(connection, number)
            ratings = self._of(connection, case, event)
        if ratings.state not in WAITS or ratings.tournament is None:
            return
        with self._desk.acting(asker, "tell_office_of_case", f"case:{number}") as act:
            act.details["told"] = _tell_officers(act, case, ratings.tournament)

    # --- what a decision changes ------------------------------------------------------------------

    def _of(self, connection: Connection, case: CommitteeCase, event: State) -> RatingsOfCase:
        scores = case.decided_scores(event.laws.online)
        if event.rules is None or not event.rules.rated or not scores:
            return RatingsOfCase(state=RatingsState.UNCHANGED)
        tournament = tournament_of_event(connection, event)
        sent = None if tournament is None else _report_of(connection, tournament)
        if tournament is None or sent is None:
            return RatingsOfCase(state=RatingsState.NOT_SENT, tournament=tournament)
        read, _ = self._desk.parsed.read(self._desk.blobs.get(sent.blob), sent.file_name)
        merged = merged_numbers(connection)
        known = numbered(read, sent.numbers)
        decided = ev.to_report(event, rio=rio_on(connection, event.created.start))
        changes = _changes(known, decided, event, case, scores, merged)
        if changes and sent.status in TAKEN:
            known = self._corrected.known(self._desk.book(connection), sent.id)
            changes = _changes(known, decided, event, case, scores, merged)
        if changes:
            is_taken = sent.status in TAKEN
            state = RatingsState.TO_CORRECT if is_taken else RatingsState.TO_SEND_AGAIN
        else:
            state = RatingsState.CORRECTED if case.corrections else RatingsState.UNCHANGED
        return RatingsOfCase(state=state, tournament=tournament, report=sent, changes=changes)


def tournament_of_event(connection: Connection, event: State) -> Tournament | None:
    """The tournament under which the office has an event of the hall: of its name and days, online.

    Where there are several, the one to which the hall sent its report, then the newest.
    """
    created = event.created
    _, candidates = tournaments.search(
        connection,
        text=created.name,
        status=(TournamentStatus.REGISTERED,),
        from_day=created.start,
        to_day=created.end,
        limit=_MAX_TOURNAMENTS,
    )
    same = [
        tournament
        for tournament in candidates
        if tournament.registration.facts.online
        and tournament.registration.name == created.name
        and (tournament.registration.start, tournament.registration.end)
        == (created.start, created.end)
    ]

    def order(tournament: Tournament) -> tuple[bool, int]:
        sent = reports.of_tournament(connection, tournament.id)
        return any(report.file_name == f"{created.event}.trf" for report in sent), tournament.id

    return max(same, key=order) if len(same) > 1 else next(iter(same), None)


def _report_of(connection: Connection, tournament: Tournament) -> SentReport | None:
    """The report that counts; else the newest one that waits to be decided."""
    versions = reports.of_tournament(connection, tournament.id)
    for wanted in (TAKEN, _WAITING):
        for sent in versions:
            if sent.status in wanted:
                return sent
    return None


def _changes(
    known: Report,
    decided: Report,
    event: State,
    case: CommitteeCase,
    scores: dict[int, str],
    merged: dict[int, int],
) -> tuple[DecidedResult, ...]:
    """12.13, 15.1 — the games of the player that a report has otherwise than they were decided."""
    culprit = report_numbers(event).get(case.opened.entry)
    changes = []
    for game in decided.games:
        if game.round not in scores or culprit not in (game.white, game.black):
            continue
        place = same_game(decided, game, known, merged)
        told = None if place is None else known.games[place]
        if told is None or {game.kind, told.kind} != {GameKind.PLAYED}:
            continue  # what was not played, or excluded since, is not rated
        white, black = int(game.white_score), int(game.black_score)
        if _name(decided, game.white) == _name(known, told.black):  # other colours since (11.2)
            white, black = black, white
        if (told.white_score, told.black_score) != (white, black):
            changes.append(
                DecidedResult(
                    round=told.round,
                    white=told.white,
                    black=told.black,
                    white_half=white,
                    black_half=black,
                    article=scores[game.round],
                )
            )
    return tuple(changes)


def _name(report: Report, number: int) -> str:
    return next((entry.name for entry in report.entries if entry.number == number), "")


def _tell_officers(act: Act, case: CommitteeCase, tournament: Tournament) -> int:
    subject, told = subject_of(tournament), 0
    for account in accounts.every(act.connection):
        if account.role in (Role.PUBLIC, Role.PLAYER) or told >= _MAX_TOLD:
            continue
        officer = Asker(account=account.id, role=account.role, federation=account.federation)
        if may(officer, Permission.CORRECT, subject):
            told += queue(
                act.connection,
                act.at,
                MailKind.CASE,
                account,
                f"/desk/case-ratings/{case.number}",
                event=case.opened.event_name,
                news=Phrase("cases.news.to_correct"),
            )
    return told
