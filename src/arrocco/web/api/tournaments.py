"""Tournaments as everybody may see them, and reports that arbiters send with their session."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from typing import Annotated

from anyio import to_thread
from litestar.datastructures import UploadFile
from litestar.enums import RequestEncodingType
from litestar.params import Body, FromPath, JSONBody, QueryParameter
from msgspec import Struct, field

from arrocco.desk.tournaments import PublicTournament
from arrocco.desk.uploads import File
from arrocco.engine.admission import Waiver
from arrocco.findings import Finding
from arrocco.office.cutoff import NoList
from arrocco.office.findings import finding_of
from arrocco.office.records import SentReport
from arrocco.office.roles import Permission
from arrocco.store.tournament_rows import RatedEntry
from arrocco.units import decimal, points
from arrocco.web import crosstable, heavy
from arrocco.web.api.records import WaiverRecord, refusals
from arrocco.web.api.tournament_records import (
    CheckedRecord,
    FindingRecord,
    RatedLine,
    RatedTable,
    SentRecord,
    SessionRecord,
    TableCell,
    TableLine,
    TournamentHead,
    TournamentRecord,
    TournamentRows,
)
from arrocco.web.pages.desk_reports import REPORT_BYTES
from arrocco.web.pages.public_tournaments import (
    accepted_reports,
    in_lists,
    public_tournament,
)
from arrocco.web.report_work import CheckedFile, accept_report, check_file, send_file
from arrocco.web.routes import api, heavy_api, heavy_api_act
from arrocco.web.tournament_tables import ReportTable, whole_tables
from arrocco.web.view import TheView, View
from arrocco.web.writing import tenths
from arrocco.words import finding_advice, finding_text

Text = Annotated[str, QueryParameter(max_length=80)]
Federation = Annotated[str, QueryParameter(max_length=3)]
Day = Annotated[date | None, QueryParameter()]
Offset = Annotated[int, QueryParameter(ge=0, le=10**9)]
Limit = Annotated[int, QueryParameter(ge=1, le=200)]


@api("/tournaments", permission=Permission.LOOK_UP, responses=refusals())
def tournaments(
    view: TheView,
    q: Text = "",
    federation: Federation = "",
    from_day: Day = None,
    to_day: Day = None,
    offset: Offset = 0,
    limit: Limit = 50,
) -> TournamentRows:
    """Tournaments that are announced or were played, the newest first."""
    total, public_tournaments = view.office.tournaments.search(
        view.asker,
        text=q,
        federation=federation.upper(),
        from_day=from_day,
        to_day=to_day,
        offset=offset,
        limit=limit,
    )
    return TournamentRows(
        total=total,
        offset=offset,
        tournaments=[_head(tournament) for tournament in public_tournaments],
    )


@heavy_api("/tournaments/{tournament:int}", permission=Permission.LOOK_UP, responses=refusals(404))
async def tournament(view: TheView, tournament: FromPath[int]) -> TournamentRecord:
    """A tournament with its cross-tables and what it brought in each system."""
    shown = await to_thread.run_sync(public_tournament, view, tournament)
    tables = await whole_tables(view, await accepted_reports(view, shown))
    return await to_thread.run_sync(_record, view, shown, tables)


def _record(view: View, found: PublicTournament, tables: list[ReportTable]) -> TournamentRecord:
    rated = [
        RatedTable(
            system=in_list.system,
            list_date=in_list.list_date,
            law=in_list.rated.law,
            edition=in_list.rated.edition,
            players=[_rated_line(row) for row in in_list.rated.entries],
        )
        for in_list in in_lists(view, found)
    ]
    lines = [[_line(row) for row in table.table.lines] for table in tables]
    return TournamentRecord(tournament=_head(found), tables=lines, rated=rated)


def _head(one: PublicTournament) -> TournamentHead:
    rated: dict[str, list[date]] = {}
    for on in one.rated:
        rated.setdefault(on.system, []).append(on.list_date)
    return TournamentHead(
        id=one.id,
        name=one.name,
        city=one.city,
        federation=one.federation,
        systems=list(one.systems),
        start=one.start,
        end=one.end,
        time_control=one.time_control,
        pairing=one.pairing,
        chief_arbiter=one.chief_arbiter,
        rounds=one.rounds,
        status=one.status.value,
        report_received=one.report_received,
        waits_for=one.waits_for,
        rated_on=rated,
        annulled=one.annulled,
    )


def _line(row: crosstable.TableLine) -> TableLine:
    entry = row.entry
    return TableLine(
        number=entry.number,
        rank=entry.rank,
        id=entry.id,
        name=entry.name,
        federation=entry.federation,
        rating=entry.rating,
        points=tenths("en", row.points),
        rounds=[
            TableCell(
                result=cell.result,
                opponent=cell.opponent,
                white=cell.white,
                played=not cell.unplayed,
            )
            for cell in row.cells
        ],
    )


def _rated_line(row: RatedEntry) -> RatedLine:
    return RatedLine(
        id=row.player,
        rating=row.own,
        n=row.games,
        score=points(row.half_points),
        expected=decimal(row.expected),
        delta=decimal(row.delta),
        k=row.k or None,
        variation=decimal(row.variation),
        towards_first_rating=row.pool_games,
    )


# --- reports --------------------------------------------------------------------------------------


class SentFile(Struct):
    """A report as a file, with its games in PGN beside it or in one archive with it."""

    file: UploadFile
    games: UploadFile | None = None


Sent = Annotated[SentFile, Body(media_type=RequestEncodingType.MULTI_PART)]
_REFUSED = refusals(401, 403, 404, 409, 413, 422, 429, 503)


@api("/session", permission=Permission.SEE_OWN_ACCOUNT, responses=refusals(401, 403))
def session(view: TheView) -> SessionRecord:
    """Whose session the request carries, and a token for requests that change something."""
    asker = view.asker
    assert asker.account is not None, "the guard asks for an account"
    return SessionRecord(
        account=asker.account, name=asker.name, role=asker.role.value, form_token=view.form_token()
    )


@heavy_api_act(
    "/tournaments/{tournament:int}/reports/check",
    permission=Permission.SEND_REPORT,
    body_limit=REPORT_BYTES,
    responses=_REFUSED,
)
async def check_report(view: TheView, tournament: FromPath[int], data: Sent) -> CheckedRecord:
    """Says what would become of a report; changes nothing."""
    name, content, games = await to_thread.run_sync(_taken, data)
    await to_thread.run_sync(lambda: public_tournament(view, tournament, every=True))
    checked: CheckedFile = await heavy.result_in_office(
        view, check_file, view.asker, tournament, name, content, games
    )
    return await to_thread.run_sync(_checked_record, view, checked)


def _checked_record(view: View, checked: CheckedFile) -> CheckedRecord:
    findings = [
        _finding(view, system, finding)
        for system, found in checked.findings.items()
        for finding in found
    ]
    return CheckedRecord(
        status=checked.status.value,
        players=checked.shown.players,
        games=checked.shown.games,
        findings=findings,
        lists={
            system: None if isinstance(on, NoList) else on for system, on in checked.lists.items()
        },
    )


@heavy_api_act(
    "/tournaments/{tournament:int}/reports",
    permission=Permission.SEND_REPORT,
    body_limit=REPORT_BYTES,
    responses=_REFUSED,
)
async def send_report(view: TheView, tournament: FromPath[int], data: Sent) -> SentRecord:
    """Sends a report; once this answers it is on the disk."""
    name, content, games = await to_thread.run_sync(_taken, data)
    await to_thread.run_sync(lambda: public_tournament(view, tournament, every=True))
    sent: SentReport = await heavy.result_in_office(
        view, send_file, view.asker, tournament, name, content, games
    )
    return await to_thread.run_sync(_sent_record, view, sent)


class AcceptRecord(Struct):
    """What an administrator says when accepting a report."""

    note: str = ""
    waivers: list[WaiverRecord] = field(default_factory=list)


@heavy_api_act(
    "/reports/{report:int}/accept", permission=Permission.DECIDE_REPORT, responses=_REFUSED
)
async def accept(view: TheView, report: FromPath[int], data: JSONBody[AcceptRecord]) -> SentRecord:
    """Accepts a report to be rated; each of its errors needs a waiver with a reason."""
    waivers = [Waiver(waiver.key, waiver.reason) for waiver in data.waivers]
    sent: SentReport = await heavy.result_in_office(
        view, accept_report, view.asker, report, data.note, waivers
    )
    return await to_thread.run_sync(_sent_record, view, sent)


def _sent_record(view: View, sent: SentReport) -> SentRecord:
    return SentRecord(
        report=sent.id,
        version=sent.version,
        status=sent.status.value,
        sha256=sent.blob,
        games_sha256=sent.games_blob,
        findings=[_finding(view, finding.system, finding_of(finding)) for finding in sent.findings],
    )


def _taken(data: SentFile) -> tuple[str, bytes, File | None]:
    """The name and the bytes of what was sent, and the games beside it."""
    games = None
    if data.games is not None:
        with closing(data.games.file) as file:
            games = File(data.games.filename, file.read())
    with closing(data.file.file) as file:
        return data.file.filename, file.read(), games


def _finding(view: View, system: str, finding: Finding) -> FindingRecord:
    return FindingRecord(
        system=system,
        severity=finding.severity.value,
        key=finding.key,
        article=finding.article,
        line=finding.place.line,
        column=finding.place.column,
        text=finding_text(view.language, finding),
        do=finding_advice(view.language, finding),
        more=finding.more,
    )
