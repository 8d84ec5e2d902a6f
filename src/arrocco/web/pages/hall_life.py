"""12.3, 12.6, 12.9 — the life of a tournament on one page, and the acts that end it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.desk.filing_parties import FilingParty, party_of
from arrocco.desk.open_matters import checks_complete, open_matters
from arrocco.desk.tournament_life import ErasedRecordings, life_of
from arrocco.desk.watched_checks import UnwatchedBoard, unwatched_boards
from arrocco.errors import NotFound, Refusal, Unavailable
from arrocco.hall import event as ev
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.check_waivers import WaiveCheck
from arrocco.hall.event.acts.filing_decisions import CHIEF, COMMITTEE, Capacity
from arrocco.hall.event.acts.official import AnnounceResults, DeclareChecks
from arrocco.hall.event.games import game_id
from arrocco.hall.event.state import State
from arrocco.live.reader import EventReader
from arrocco.live.server_time import as_datetime
from arrocco.video.erasure import certificate_of, erase
from arrocco.video.recordings import FOLDER, recordings_of
from arrocco.web.forms import Form
from arrocco.web.pages.hall_common import (
    event_of,
    hall_act,
    hall_of,
    hall_page,
    local_text,
    objected,
)
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "hall/life.html"


@hall_page("/hall/{event:str}/life")
async def life(view: TheView, event: FromPath[str]) -> Response[str]:
    """Every step with its moment; what it waits for is for those who have to do with it."""
    room = await event_of(view, event)
    waive = await _to_waive(view, room)
    return view.page(_TEMPLATE, to_waive=waive, **await to_thread.run_sync(_context, view, room))


@hall_act("/hall/{event:str}/life/checks")
async def declare_checks(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """12.6 — the chief arbiter or the committee says that the checks are complete, and which."""
    room = await event_of(view, event)
    party = await to_thread.run_sync(_party, view, room)
    if not party.is_addressee:
        raise NotFound.of("filings.refused.not_yours")
    capacity: Capacity = CHIEF if party.is_chief else COMMITTEE
    reason = form.text("reason", needed=True, longest=2000)
    command = DeclareChecks(by=party.account, capacity=capacity, reason=reason)
    return await _asked(view, form, room, command, "checks")


@hall_act("/hall/{event:str}/life/waive")
async def waive_check(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """12.6 — the chief arbiter waives the check of a game that was never played in the hall."""
    room = await event_of(view, event)
    party = await to_thread.run_sync(_party, view, room)
    if not party.is_chief:
        raise NotFound.of("filings.refused.not_yours")
    # What is no number names no board.
    round_ = form.integer("round", needed=True, least=1) or 0
    board = form.integer("board", needed=True, least=1) or 0
    command = WaiveCheck(
        by=party.account,
        round=round_,
        board=board,
        reason=form.text("reason", needed=True, longest=2000),
        moves=await _moves_played(view, room, round_, board),
    )
    return await _asked(view, form, room, command, "waived")


async def _moves_played(view: View, room: EventReader, round_: int, board: int) -> int:
    """How many moves the hall has seen at a board, also of a game that was given up.

    None where its log cannot be read: nobody can watch such a game.
    """
    try:
        game = await hall_of(view).find_game(game_id(room.state, round_, board))
    except Unavailable:
        raise
    except Refusal:
        game = None
    if game is None:
        return 0
    return len(game.state.moves) + sum(len(earlier.moves) for earlier in game.state.earlier)


@hall_act("/hall/{event:str}/life/announce")
async def announce_results(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """12.3 — the official announcement; recordings are erased by it."""
    room = await event_of(view, event)
    party = await to_thread.run_sync(_party, view, room)
    if not party.is_chief:
        raise NotFound.of("filings.refused.not_yours")
    desk, state = view.office.desk, room.state
    matters = await to_thread.run_sync(open_matters, desk, state)
    checked = await to_thread.run_sync(checks_complete, desk, state)
    command = AnnounceResults(by=party.account, open_matters=len(matters), checks_complete=checked)
    answer = await _asked(view, form, room, command, "announced")
    after = (await event_of(view, event)).state
    if state.laws.online.recording_must_be_erased(results_announced=after.announced is not None):
        await to_thread.run_sync(_erase, view, room)
    return answer


async def _asked(
    view: View, form: Form, room: EventReader, command: Command, done: str
) -> Response[Any]:
    outcome = await room.ask(command)
    if outcome.objections:
        refusal: Refusal = objected(outcome.objections)
        waive = await _to_waive(view, room)
        context = {"to_waive": waive, **await to_thread.run_sync(_context, view, room)}
        return view.refused(
            _TEMPLATE, refusal, form=form, fields={"event.reason_needed": "reason"}, **context
        )
    return view.go(f"/hall/{room.id}/life", f"filings.done.{done}")


def _erase(view: View, room: EventReader) -> None:
    """Erases what there is; a certificate of it stays."""
    folder = _folder(view)
    if recordings_of(folder, room.id):
        at = as_datetime(hall_of(view).time.now())
        reason = "12.3: official announcement of the results"
        erase(folder, room.id, f"{at:%Y-%m-%dT%H:%M:%SZ}", view.asker.name, reason)


def _folder(view: View) -> Path:
    return view.office.folder / FOLDER


def _recordings(view: View, event: str) -> ErasedRecordings:
    certificate = certificate_of(_folder(view), event)
    at = None if certificate is None else datetime.fromisoformat(certificate.at)
    return ErasedRecordings(kept=len(recordings_of(_folder(view), event)), erased=at)


def _party(view: View, room: EventReader) -> FilingParty:
    return party_of(view.office.desk, view.asker, room.state, room.account_of(view.asker))


def _context(view: View, room: EventReader) -> dict[str, Any]:
    now = as_datetime(hall_of(view).time.now())
    account = room.account_of(view.asker)
    # 5.17 — who has no part in the event hears of its last games later.
    state = room.state if room.takes_part(account) else ev.as_seen(room.state, now)
    party = _party(view, room)
    steps = life_of(view.office.desk, state, now, _recordings(view, room.id))
    return {
        "event": room.id,
        "state": state,
        "party": party,
        "steps": steps,
        "local": lambda moment: local_text(view.language, moment),
        "may_declare": party.is_addressee and state.closed is not None and state.checked is None,
        "may_announce": party.is_chief and state.validated is not None and not state.announced,
    }


async def _to_waive(view: View, room: EventReader) -> list[tuple[UnwatchedBoard, str]]:
    """12.6 — for the chief: boards of which the hall has seen no move, and who played."""
    state = room.state
    party = await to_thread.run_sync(_party, view, room)
    if not party.is_chief or state.closed is None:
        return []
    return [
        (one, " – ".join(map(state.name_of, board.players)))
        for one in await to_thread.run_sync(_unwatched, view, state)
        for board in [state.rounds[one.round - 1].boards[one.board - 1]]
        if not await _moves_played(view, room, one.round, one.board)
    ]


def _unwatched(view: View, state: State) -> list[UnwatchedBoard]:
    with view.office.desk.database.reading() as connection:
        return unwatched_boards(connection, state)
