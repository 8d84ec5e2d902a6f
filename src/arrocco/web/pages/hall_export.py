"""Everything that an event leaves, in one archive, for its chief arbiter and its organiser."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable

import msgspec
from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import NotFound
from arrocco.formats.csv_cells import defused_row
from arrocco.formats.trf.writer import from_report
from arrocco.hall import event as ev
from arrocco.hall.event.acts.chat import Said
from arrocco.hall.event.record import Record
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.standings import shown as tie_break_text
from arrocco.hall.event.state import State, rules_of
from arrocco.hall.file_standings import stated_of
from arrocco.hall.game import GameRole, visible_to
from arrocco.hall.game import Phase as GamePhase
from arrocco.hall.game import State as GameState
from arrocco.hall.game import events as e
from arrocco.hall.game.log import decode, encode
from arrocco.live.reader import EventReader
from arrocco.office.roles import Permission
from arrocco.web.pages.hall_common import event_of, hall_of, hall_page
from arrocco.web.pages.hall_figures import points_text
from arrocco.web.pages.hall_files import games_of
from arrocco.web.pages.hall_live import cross_table_rows
from arrocco.web.pages.hall_logs import LogLine, report_lines
from arrocco.web.pages.hall_people import names_of
from arrocco.web.view import TheView, View

_DATED = (1980, 1, 1, 0, 0, 0)
"""No file of the archive has a date of its own, so that two of the same event are the same."""


@hall_page("/hall/{event:str}/export.zip", permission=Permission.SEE_OWN_ACCOUNT)
async def export_event(view: TheView, event: FromPath[str]) -> Response[bytes]:
    """TRF, PGN, logs, standings, cross-table, entries and the arbiter's report.

    5.2 — lines of the chat are for the arbiters: an organiser gets the logs without them.
    """
    room = await event_of(view, event)
    account = room.account_of(view.asker)
    role = room.state.role(account) if account else EventRole.NOBODY
    if role not in (EventRole.CHIEF, EventRole.ORGANISER):
        raise NotFound.of("hall_pages.for_officials")
    records = [ev.decode(line) for line in await hall_of(view).read(f"event:{event}")]
    games = await games_of(view, room)
    logs = {
        game.created.game: [
            decode(line) for line in await hall_of(view).read(f"game:{game.created.game}")
        ]
        for game in games
    }

    def packed() -> bytes:
        files = _files(view, room, account, records, games, logs, with_chat=role is EventRole.CHIEF)
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(zipfile.ZipInfo(f"{event}/{name}", _DATED), data)
        return held.getvalue()

    data = await to_thread.run_sync(packed)
    headers = {"content-disposition": f'attachment; filename="{event}.zip"'}
    return Response(data, media_type="application/zip", headers=headers)


def _files(
    view: View,
    room: EventReader,
    account: str,
    records: list[Record],
    games: list[GameState],
    logs: dict[str, list[e.Event]],
    *,
    with_chat: bool,
) -> dict[str, bytes]:
    state = room.state
    lines = report_lines(view, state, records, games, names_of(view, state))
    kept = [record for record in records if with_chat or not isinstance(record, Said)]
    files = {
        "entries.csv": _csv(_entry_rows(state)),
        "games.pgn": ev.to_event_pgn(games).encode(),
        "arbiters-report.csv": _csv(_report_rows(view, lines)),
        "log/event.jsonl": b"".join(ev.encode(record) + b"\n" for record in kept),
    }
    if state.rules is not None:
        seen = ev.view_for(state, account, state.last_at)
        files["rules.json"] = msgspec.json.format(msgspec.json.encode(state.rules))
        files["standings.csv"] = _csv(_standing_rows(state))
        rounds = [f"round {number}" for number in range(1, len(state.rounds) + 1)]
        files["cross-table.csv"] = _csv(
            [["line", "name", "points", *rounds], *cross_table_rows(seen)]
        )
        report = ev.to_report(state)
        files["report-trf16.txt"] = from_report(report, "trf16")
        files["report-trf26.txt"] = from_report(
            report, "trf26", *stated_of(rules_of(state), state.created.start)
        )
    for game in games:
        files[f"log/games/{game.created.game}.jsonl"] = _game_log(
            game, logs[game.created.game], with_chat=with_chat
        )
    return files


def _game_log(game: GameState, events: list[e.Event], *, with_chat: bool) -> bytes:
    """1.2a — premoves stand in it once the game is over, as in the log that its arbiters read."""
    is_over = game.phase is GamePhase.ENDED
    return b"".join(
        encode(event) + b"\n"
        for event in events
        if (is_over or visible_to(event, GameRole.ARBITER))
        and (with_chat or not isinstance(event, e.Said))
    )


def _entry_rows(state: State) -> Iterable[list[object]]:
    yield ["entry", "surname", "name", "id", "federation", "title", "rating", "withdrawn"]
    for entry in state.entries:
        person = entry.person
        yield [
            entry.id,
            person.surname,
            person.name,
            person.id or "",
            person.federation,
            person.title,
            person.rating or "",
            "yes" if entry.withdrawn else "",
        ]


def _standing_rows(state: State) -> Iterable[list[object]]:
    assert state.rules is not None
    breaks = state.rules.tie_breaks
    yield ["rank", "name", "points", *(tie_break.value for tie_break in breaks)]
    for place in ev.standings(state):
        values = [
            tie_break_text(tie_break, place.values[at]) for at, tie_break in enumerate(breaks)
        ]
        yield [place.rank, state.name_of(place.entry), points_text(place.points), *values]


def _report_rows(view: View, lines: list[LogLine]) -> Iterable[list[object]]:
    yield [view.t(f"hall_pages.log.{name}") for name in _REPORT]
    for line in lines:
        what = " · ".join(part for part in (line.what, line.detail, line.undone) if part)
        yield [line.at, line.where, line.who, what, line.article, line.reason]


_REPORT = ("at", "place", "who", "what", "article", "reason")


def _csv(rows: Iterable[list[object]]) -> bytes:
    """A table for spreadsheets, with no cell that one would compute."""
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    for row in rows:
        writer.writerow(defused_row(map(str, row)))
    return held.getvalue().encode("utf-8-sig")
