"""A proposal of pairings: what the system gives, changed by hand, with what a change breaks."""

from __future__ import annotations

from typing import Any, NamedTuple

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Malformed, NotFound, Refusal
from arrocco.hall import event as ev
from arrocco.hall.event.acts.pairing import PairRound, RoundPaired, objections_to_boards
from arrocco.hall.event.field import in_order
from arrocco.hall.event.records import Boards, EventRole
from arrocco.hall.event.state import State
from arrocco.live.reader import EventReader
from arrocco.live.server_time import as_datetime
from arrocco.office.roles import Permission
from arrocco.records.report import ByeKind
from arrocco.web.forms import Form, whole_number
from arrocco.web.pages.hall_common import (
    ask,
    event_of,
    hall_act,
    hall_of,
    hall_page,
    local,
    objected,
)
from arrocco.web.pages.hall_faces import can_be_proposed
from arrocco.web.view import TheForm, TheView, View
from arrocco.words import finding_text

_TEMPLATE = "hall/proposal.html"
_MAX_TEXT = 20_000


class Proposal(NamedTuple):
    """The boards of a round by entry, White first, and who has the bye."""

    boards: Boards
    bye: int | None


@hall_page("/hall/{event:str}/proposal", permission=Permission.SEE_OWN_ACCOUNT)
async def proposal_page(view: TheView, event: FromPath[str]) -> Response[str]:
    """What the system gives for the next round; nothing is published by it."""
    room = await event_of(view, event)
    _require_chief(view, room)
    computed = await to_thread.run_sync(_computed, view, room)
    return view.page(
        _TEMPLATE, **await to_thread.run_sync(_context, view, room, computed, computed)
    )


@hall_act("/hall/{event:str}/proposal")
async def change_proposal(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """Checks a proposal that was changed, or publishes it."""
    room = await event_of(view, event)
    _require_chief(view, room)
    computed = await to_thread.run_sync(_computed, view, room)
    given = _given(form, room.state)
    context = await to_thread.run_sync(_context, view, room, computed, given)
    if form.chosen("check"):
        return view.page(_TEMPLATE, **context, form=form)
    account = room.account_of(view.asker)
    command: dict[str, Any] = {"type": "pair_round"}
    if given != computed:
        reason = form.text("reason", longest=2000)
        boards = [list(board) for board in given.boards]
        command = {"type": "pair_by_hand", "boards": boards, "bye": given.bye, "reason": reason}
    try:
        await ask(room, account, command)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, **context, form=form)
    return view.go(f"/hall/{event}", f"hall_pages.done.{command['type']}")


def _require_chief(view: View, room: EventReader) -> None:
    account = room.account_of(view.asker)
    if not account or EventRole.CHIEF not in room.state.roles(account):
        raise NotFound.of("hall_live.not_the_arbiter")
    if not can_be_proposed(room.state):
        raise NotFound.of("event.no_more_rounds", rounds=room.state.announced_rounds)


def _computed(view: View, room: EventReader) -> Proposal:
    """What the system gives now. Raises `Objected` where it gives nothing."""
    now = local(as_datetime(hall_of(view).time.now()))
    decision = ev.decide(room.state, PairRound(by=room.account_of(view.asker)), now)
    if decision.refusal is not None:
        raise objected(decision.objections)
    paired = next(event for event in decision.events if isinstance(event, RoundPaired))
    byes = [e for e, kind in paired.byes.items() if kind is ByeKind.PAIRING_ALLOCATED]
    return Proposal(paired.boards, byes[0] if byes else None)


def _given(form: Form, state: State) -> Proposal:
    """The proposal of a form: a board a line, two starting numbers; a single one has the bye."""
    entries = dict(enumerate(in_order(state), start=1))
    boards: list[tuple[int, int]] = []
    bye = None
    for line in form.text("boards", longest=_MAX_TEXT).splitlines():
        numbers = [entries.get(whole_number(part) or 0) for part in line.split()]
        match [number for number in numbers if number is not None]:
            case [white, black] if len(numbers) == 2:
                boards.append((white, black))
            case [alone] if len(numbers) == 1:
                bye = alone
            case []:
                if numbers:
                    raise Malformed.of("hall_plan.no_board", line=line[:40])
            case _:
                raise Malformed.of("hall_plan.no_board", line=line[:40])
    return Proposal(tuple(boards), bye)


def _context(view: View, room: EventReader, computed: Proposal, shown: Proposal) -> dict[str, Any]:
    state = room.state
    number_of = {entry: number for number, entry in enumerate(in_order(state), start=1)}
    findings = objections_to_boards(state, shown.boards, shown.bye)
    usual = {frozenset(board) for board in computed.boards}
    return {
        "event": state.created.event,
        "name": state.created.name,
        "number": state.next_round,
        "proposal": shown,
        "players": {
            entry: (number, state.name_of(entry), state.entries[entry - 1].person.rating)
            for entry, number in number_of.items()
        },
        "text": _text(shown, number_of),
        "checks": [
            (finding.is_error, finding.article, finding_text(view.language, finding))
            for finding in findings
        ],
        "is_computed": shown == computed,
        "changed": sum(frozenset(board) not in usual for board in shown.boards),
    }


def _text(shown: Proposal, number_of: dict[int, int]) -> str:
    lines = [f"{number_of[white]} {number_of[black]}" for white, black in shown.boards]
    return "\n".join(lines if shown.bye is None else [*lines, str(number_of[shown.bye])])
