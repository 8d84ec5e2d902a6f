"""All boards of a round on one page, the cross-table of the event, and its games as they grow."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import msgspec
from anyio import to_thread
from litestar import Response
from litestar.params import FromPath, QueryParameter

from arrocco.errors import NotFound
from arrocco.hall import event as ev
from arrocco.hall.event.games import game_id
from arrocco.hall.event.records import EventRole, Result
from arrocco.hall.event.state import Phase, Round
from arrocco.hall.event.view import PublicView
from arrocco.hall.game import GameRole, view_for
from arrocco.live.messages import LiveBoard
from arrocco.live.reader import EventReader, HallReader
from arrocco.live.server_time import as_datetime
from arrocco.records.report import GameKind
from arrocco.web.crosstable import BYE_MARKS
from arrocco.web.pages.hall_common import (
    decimal_in,
    event_of,
    hall_of,
    hall_page,
    script_words,
)
from arrocco.web.pages.hall_figures import points_text, score_text
from arrocco.web.view import TheView

MAX_LINES = 400
"""Players of a cross-table on a page."""


class Cell(NamedTuple):
    """A round of a player: what it came to, against whom, with which colour."""

    text: str = ""
    opponent: int | None = None
    white: bool = False
    game: str = ""


class Line(NamedTuple):
    """A player's line of the cross-table."""

    entry: int
    points: int
    cells: tuple[Cell, ...]


@hall_page("/hall/{event:str}/live")
async def live_boards(
    view: TheView,
    event: FromPath[str],
    number: Annotated[int, QueryParameter(name="round", ge=0, le=1000)] = 0,
) -> Response[str]:
    """Every board of a round, moving while it is played; the cross-table below."""
    room = await event_of(view, event)
    hall = hall_of(view)
    account = room.account_of(view.asker)
    if not room.may_look_on(account):
        raise NotFound.of("hall_live.no_such_event")
    state = room.state
    begun = [one for one in state.rounds if one.phase is not Phase.PAIRED]
    shown = next(
        (round_ for round_ in begun if round_.number == number), begun[-1] if begun else None
    )
    boards = [] if shown is None else await _boards(hall, room, shown)
    now = as_datetime(hall.time.now())

    def told() -> Response[str]:
        seen = ev.view_for(state, account, now)
        plays = state.entry_of(account) is not None
        return view.page(
            "hall/live.html",
            event=event,
            state=state,
            seen=seen,
            names={entry.entry: entry for entry in seen.entries},
            rounds=[round_.number for round_ in begun],
            round=shown,
            is_live=bool(begun) and shown is begun[-1] and shown.phase is Phase.OPEN,
            is_followed=state.closed is None and (shown is None or shown is begun[-1]),
            boards=msgspec.json.encode(boards).decode(),
            words=script_words(view.language),
            table=cross_table_of(seen),
            points=lambda tenths: decimal_in(view.language, points_text(tenths)),
            total=len(seen.entries),
            may_have_games=state.closed is not None or not plays,
            may_export=state.role(account) in (EventRole.CHIEF, EventRole.ORGANISER)
            if account
            else False,
        )

    return await to_thread.run_sync(told)


async def _boards(hall: HallReader, room: EventReader, round_: Round) -> list[LiveBoard]:
    """5.17 — the boards of a round as those who look on see them now."""
    boards = []
    for number in range(1, len(round_.boards) + 1):
        game = await hall.find_game(game_id(room.state, round_.number, number))
        if game is None:
            continue
        now = hall.time.now()
        seen = view_for(game.state, GameRole.SPECTATOR, now)
        boards.append(
            LiveBoard(
                board=game.state.created.board,
                at=now,
                phase=seen.phase,
                fen=seen.fen.partition(" ")[0],
                last=seen.last,
                clock=seen.clock,
                scores=None if seen.result is None else seen.result.scores,
                game=game.id,
                white=seen.white.name,
                black=seen.black.name,
            )
        )
    return boards


# --- the cross-table ------------------------------------------------------------------------------


def cross_table_of(seen: PublicView) -> list[Line]:
    """A line a player by rank, a cell a round, as far as somebody may see results."""
    cells: dict[tuple[int, int], Cell] = {}
    for round_ in seen.rounds:
        for board in round_.boards:
            for entry, opponent, is_white in (
                (board.white, board.black, True),
                (board.black, board.white, False),
            ):
                text = "" if board.result is None else _text(board.result, is_white=is_white)
                cells[entry, round_.number] = Cell(text, opponent, is_white, board.game)
        for entry, kind in round_.byes.items():
            cells[entry, round_.number] = Cell(BYE_MARKS[kind])
    return [
        Line(
            place.entry,
            place.points,
            tuple(
                cells.get((place.entry, round_view.number), Cell()) for round_view in seen.rounds
            ),
        )
        for place in seen.standings[:MAX_LINES]
    ]


def _text(result: Result, *, is_white: bool) -> str:
    text = score_text(result.points[0 if is_white else 1])
    return text if result.kind is GameKind.PLAYED else f"{text}{_UNPLAYED}"


_UNPLAYED = "F"


def cross_table_rows(seen: PublicView) -> list[list[Any]]:
    """The same as rows of a file: line, name, points; for each round result, colour, opponent."""
    names = {entry.entry: entry.name for entry in seen.entries}
    lines = cross_table_of(seen)
    places = {line.entry: place for place, line in enumerate(lines, start=1)}
    return [
        [places[line.entry], names.get(line.entry, str(line.entry)), points_text(line.points)]
        + [
            cell.text
            if cell.opponent is None
            else f"{cell.text}{'w' if cell.white else 'b'}{places.get(cell.opponent, '')}"
            for cell in line.cells
        ]
        for line in lines
    ]
