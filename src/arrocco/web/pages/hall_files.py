"""What an event leaves: its report in TRF, its games in PGN, the arbiter's report, its rating."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.desk.hall_people import rating_known
from arrocco.engine.admission import Waivers, judged
from arrocco.engine.rate_reports import RatedReports, rate_reports
from arrocco.errors import NotFound, Refusal
from arrocco.formats.trf.writer import Version, from_report
from arrocco.hall import event as ev
from arrocco.hall.event.conference_gaps import conference_gaps
from arrocco.hall.event.games import game_id
from arrocco.hall.event.state import rules_of
from arrocco.hall.file_standings import stated_of
from arrocco.hall.game.state import State as GameState
from arrocco.live.reader import EventReader
from arrocco.live.server_time import as_datetime
from arrocco.office.roles import Permission
from arrocco.records.report import Birth, Report
from arrocco.web.pages.hall_commands import OFFICIALS
from arrocco.web.pages.hall_common import event_of, hall_of, hall_page
from arrocco.web.pages.hall_logs import gap_text, report_lines, talk_lines
from arrocco.web.pages.hall_people import names_of
from arrocco.web.view import TheView, View

_TRF = "text/plain"
_PGN = "application/vnd.chess-pgn"


@hall_page("/hall/{event:str}/files/{name:str}")
async def event_file(view: TheView, event: FromPath[str], name: FromPath[str]) -> Response[Any]:
    """A file of an event that is over: ``trf16``, ``trf26`` or ``pgn``."""
    room = await event_of(view, event)
    official = _is_official(view, room)
    if not official and not _is_seen_to_be_over(view, room):
        raise NotFound.of("hall_pages.not_over")

    def trf(version: Version) -> bytes:
        report = ev.to_report(room.state)
        stated = stated_of(rules_of(room.state), room.state.created.start)
        return from_report(report if official else _for_everybody(report), version, *stated)

    match name:
        case "trf16":
            data = await to_thread.run_sync(trf, "trf16")
        case "trf26":
            data = await to_thread.run_sync(trf, "trf26")
        case "pgn":
            games = await games_of(view, room)
            return _file(ev.to_event_pgn(games).encode(), _PGN, f"{event}.pgn")
        case _:
            raise NotFound.of("hall_pages.no_file")
    return _file(data, _TRF, f"{event}-{name}.txt")


@hall_page("/hall/{event:str}/report", permission=Permission.SEE_OWN_ACCOUNT)
async def arbiters_report(view: TheView, event: FromPath[str]) -> Response[str]:
    """Every act of the arbiters, with articles and reasons, to be printed."""
    room = await _for_officials(view, event)
    lines = await hall_of(view).read(f"event:{event}")
    records = [ev.decode(line) for line in lines]
    games = await games_of(view, room)
    state = room.state

    def told() -> Response[str]:
        names = names_of(view, state)
        return view.page(
            "hall/report.html",
            event=event,
            state=state,
            lines=report_lines(view, state, records, games, names),
            gaps=conference_gaps(games, state.laws.online),
            gap_text=partial(gap_text, view),
            talks=talk_lines(view, state, names),
        )

    return await to_thread.run_sync(told)


@hall_page("/hall/{event:str}/rating", permission=Permission.SEE_OWN_ACCOUNT)
async def rating_preview(view: TheView, event: FromPath[str]) -> Response[str]:
    """What the Rating Italia Online would make of the games played so far (14)."""
    room = await _for_officials(view, event)

    def told() -> Response[str]:
        try:
            rated = _rated(view, room)
        except Refusal as refusal:
            return view.refused("hall/rating.html", refusal, event=event, room=room, players=())
        players = [
            (rated.name(row.row), row) for row in (*rated.players(), *rated.newcomers()) if row.n
        ]
        report, law = rated.assembled.reports[0], rated.period.law
        errors = Waivers().admit(judged(report, law)).refused  # with these it would not be rated
        return view.page("hall/rating.html", event=event, room=room, players=players, errors=errors)

    return await to_thread.run_sync(told)


def _rated(view: View, room: EventReader) -> RatedReports:
    """The games by the ratings that the office would take: of the lists, or on entry (14.2)."""
    rio = view.office.readings.rio_on(room.state.created.start)
    report = ev.to_report(room.state, rio=rio)
    unrated, kind = rules_of(room.state).rating_of_unrated, room.state.time_class
    entering = {
        entry.id: (rating_known(view.office, entry.id, kind) or entry.rating or unrated, "event")
        for entry in report.entries
        if entry.id is not None
    }
    return rate_reports(
        rio.law, [report], None, readings=dict(rio.readings), entry_ratings=entering
    )


async def games_of(view: View, room: EventReader) -> list[GameState]:
    """The games of an event as they stand."""
    hall, states = hall_of(view), []
    for round_ in room.state.rounds:
        for number in range(1, len(round_.boards) + 1):
            game = await hall.find_game(game_id(room.state, round_.number, number))
            if game is not None:
                states.append(game.state)
    return states


async def _for_officials(view: View, event: str) -> EventReader:
    room = await event_of(view, event)
    if not _is_official(view, room):
        raise NotFound.of("hall_pages.for_officials")
    return room


def _is_official(view: View, room: EventReader) -> bool:
    account = room.account_of(view.asker)
    return bool(account) and room.state.role(account) in OFFICIALS


def _is_seen_to_be_over(view: View, room: EventReader) -> bool:
    """5.17 — whether an event is over for the asker, who may hear of its last games later."""
    closed = room.state.closed
    now = as_datetime(hall_of(view).time.now())
    return closed is not None and closed + room.delay_for(room.account_of(view.asker)) <= now


def _for_everybody(report: Report) -> Report:
    """A report as it may go round: of births it has the year, as lists have."""
    entries = [
        entry if entry.birth is None else replace(entry, birth=Birth(entry.birth.year))
        for entry in report.entries
    ]
    return replace(report, entries=entries)


def _file(data: bytes, kind: str, name: str) -> Response[bytes]:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=headers)
