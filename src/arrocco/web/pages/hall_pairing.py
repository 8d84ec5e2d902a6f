"""Why a round of an event is paired as it is, board by board."""

from __future__ import annotations

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import NotFound
from arrocco.hall import event as ev
from arrocco.hall.event.pairing_reasons import explained_round
from arrocco.web.pages.hall_common import event_of, hall_of, hall_page
from arrocco.web.view import TheView

MAX_PLAYERS = 200
"""Pairing again takes time: larger rounds are explained by `arrocco pairing make --explain`."""


@hall_page("/hall/{event:str}/rounds/{number:int}/pairing")
async def why_paired(view: TheView, event: FromPath[str], number: FromPath[int]) -> Response[str]:
    """The boards of a round with the reasons of the pairing rules."""
    room = await event_of(view, event)
    if len(room.state.entries) > MAX_PLAYERS or room.state.round(number) is None:
        raise NotFound.of("hall_pages.no_reasons")
    lines = await hall_of(view).read(f"event:{event}")

    def told() -> Response[str]:
        explained = explained_round([ev.decode(line) for line in lines], number)
        if explained is None:
            raise NotFound.of("hall_pages.no_reasons")
        state, entry_of = room.state, explained.entry_of

        def label(player: int) -> str:
            return f"{state.name_of(entry_of[player])} ({player})"

        boards = [
            {
                "white": label(board.white),
                "black": "" if board.black is None else label(board.black),
                "reasons": [reason.said(view.language, label) for reason in board.reasons],
            }
            for board in explained.boards
        ]
        return view.page("hall/pairing.html", event=state.created, number=number, boards=boards)

    return await to_thread.run_sync(told)
