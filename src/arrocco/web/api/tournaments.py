"""Tournaments as everybody may see them, and reports that arbiters send with their session."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from typing import Annotated

from anyio import to_thread
from litestar.datastructures import UploadFile
from litestar.enums import RequestEncodingType
from litestar.params import Body, FromPath, QueryParameter
from msgspec import Struct

from arrocco.findings import Finding
from arrocco.office.cutoff import NoList
from arrocco.office.findings import finding_of
from arrocco.office.records import SentReport
from arrocco.office.roles import Permission
from arrocco.store.tournament_rows import RatedEntry
from arrocco.units import decimal, points
from arrocco.web import heavy
from arrocco.web.api.records import (
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
    refusals,
)
from arrocco.web.pages.public_asking import lookup_of
from arrocco.web.pages.public_tournaments import (
    TableRow,
    cross_table,
    in_lists,
    public_tournament,
)
from arrocco.web.pages.work_reports import REPORT_BYTES
from arrocco.web.report_work import CheckedFile, check_file, send_file
from arrocco.web.routes import api, heavy_api_act
from arrocco.web.view import TheView, View
from arrocco.wiring.office.tournaments import PublicTournament
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
    total, found = view.office.tournaments.search(
        view.asker, text=q, federation=federation.upper(), from_day=from_day, to_day=to_day,
        offset=offset, limit=limit,
    )  # fmt: skip
    return TournamentRows(total=total, offset=offset, tournaments=[_head(one) for one in found])


@api("/tournaments/{tournament:int}", permission=Permission.LOOK_UP, responses=refusals(404))
def tournament(view: TheView, tournament: FromPath[int]) -> TournamentRecord:
    """A tournament with its cross-tables and what it brought in each system."""
    found = public_tournament(view, tournament)
    reports = lookup_of(view).reports(tournament) if found.rated else []
    rated = [
        RatedTable(
            system=one.system, list_date=one.list_date, law=one.rated.law,
            edition=one.rated.edition, players=[_rated_line(row) for row in one.rated.entries],
        )
        for one in in_lists(view, found)
    ]  # fmt: skip
    tables = [[_line(row) for row in cross_table(report)] for report in reports]
    return TournamentRecord(tournament=_head(found), tables=tables, rated=rated)


def _head(one: PublicTournament) -> TournamentHead:
    rated: dict[str, list[date]] = {}
    for on in one.rated:
        rated.setdefault(on.system, []).append(on.list_date)
    return TournamentHead(
        id=one.id, name=one.name, city=one.city, federation=one.federation,
        systems=list(one.systems), start=one.start, end=one.end, time_control=one.time_control,
        pairing=one.pairing, chief_arbiter=one.chief_arbiter, rounds=one.rounds,
        status=one.status.value, report_received=one.report_received, waits_for=one.waits_for,
        rated_on=rated,
    )  # fmt: skip


def _line(row: TableRow) -> TableLine:
    entry = row.entry
    return TableLine(
        number=entry.number, rank=entry.rank, id=entry.id, name=entry.name,
        federation=entry.federation, rating=entry.rating, points=row.points,
        rounds=[
            TableCell(
                result=one.result, opponent=one.opponent, white=one.white, played=not one.unplayed
            )
            for one in row.cells
        ],
    )  # fmt: skip


def _rated_line(row: RatedEntry) -> RatedLine:
    return RatedLine(
        id=row.player, rating=row.own, n=row.games, score=points(row.half_points),
        expected=decimal(row.expected), delta=decimal(row.delta), k=row.k or None,
        variation=decimal(row.variation), towards_first_rating=row.pool_games,
    )  # fmt: skip


# --- reports --------------------------------------------------------------------------------------


class SentFile(Struct):
    """A report as a file, or an archive with one file in it."""

    file: UploadFile


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
    permission=Permission.SEND_REPORT, body_limit=REPORT_BYTES, responses=_REFUSED,
)  # fmt: skip
async def check_report(view: TheView, tournament: FromPath[int], data: Sent) -> CheckedRecord:
    """Says what would become of a report; changes nothing."""
    name, content = await to_thread.run_sync(_taken, data)
    await to_thread.run_sync(lambda: public_tournament(view, tournament, every=True))
    checked: CheckedFile = await heavy.result_in_office(
        view, check_file, view.asker, tournament, name, content, view.language
    )
    return await to_thread.run_sync(_checked_record, view, checked)


def _checked_record(view: View, checked: CheckedFile) -> CheckedRecord:
    findings = [
        _finding(view, system, one) for system, found in checked.findings.items() for one in found
    ]
    return CheckedRecord(
        status=checked.status.value, players=checked.shown.players, games=checked.shown.games,
        findings=findings,
        lists={
            system: None if isinstance(on, NoList) else on for system, on in checked.lists.items()
        },
    )  # fmt: skip


@heavy_api_act(
    "/tournaments/{tournament:int}/reports",
    permission=Permission.SEND_REPORT, body_limit=REPORT_BYTES, responses=_REFUSED,
)  # fmt: skip
async def send_report(view: TheView, tournament: FromPath[int], data: Sent) -> SentRecord:
    """Sends a report; once this answers it is on the disk."""
    name, content = await to_thread.run_sync(_taken, data)
    await to_thread.run_sync(lambda: public_tournament(view, tournament, every=True))
    sent: SentReport = await heavy.result_in_office(
        view, send_file, view.asker, tournament, name, content
    )
    return await to_thread.run_sync(_sent_record, view, sent)


def _sent_record(view: View, sent: SentReport) -> SentRecord:
    return SentRecord(
        report=sent.id, version=sent.version, status=sent.status.value, sha256=sent.blob,
        findings=[_finding(view, one.system, finding_of(one)) for one in sent.findings],
    )  # fmt: skip


def _taken(data: SentFile) -> tuple[str, bytes]:
    """The name and the bytes of what was sent."""
    with closing(data.file.file) as file:
        return data.file.filename, file.read()


def _finding(view: View, system: str, one: Finding) -> FindingRecord:
    return FindingRecord(
        system=system, severity=one.severity.value, key=one.key, article=one.article,
        line=one.place.line, column=one.place.column, text=finding_text(view.language, one),
        do=finding_advice(view.language, one), more=one.more,
    )  # fmt: skip
