"""The page of an event: its announcement, players, rounds and standings, and the desk of each."""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Refusal
from arrocco.hall import event as ev
from arrocco.hall.event.games import game_id
from arrocco.hall.event.objections import Laws
from arrocco.hall.event.records import Result, Role, TieBreak
from arrocco.hall.event.state import Phase, State
from arrocco.laws.online.sanctions import Scope
from arrocco.office.roles import Permission
from arrocco.report import GameKind
from arrocco.web.forms import Form
from arrocco.web.pages.hall_commands import CORRECTIONS, OFFICIALS, SANCTIONS, Asking
from arrocco.web.pages.hall_common import ask, event_of, hall_act, hall_of, hall_page, local_text
from arrocco.web.pages.hall_files import games_of
from arrocco.web.pages.hall_rules import points_text, rules_told
from arrocco.web.view import TheForm, TheView, View
from arrocco.wiring.hall.event_room import EventRoom
from arrocco.wiring.hall.server_time import as_datetime
from arrocco.wiring.handover import hand_over, tournament_of

_TEMPLATE = "hall/event.html"
_LAWS = Laws()
_HALF = "½"


@hall_page("/hall/{event:str}")
async def event_page(view: TheView, event: FromPath[str]) -> Response[str]:
    """An event as the asker may see it."""
    room = await event_of(view, event)
    games = await _games(view, room)
    context = await to_thread.run_sync(_context, view, room)
    return view.page(_TEMPLATE, **context, games=games)


@hall_act("/hall/{event:str}/ask/{what:str}")
async def ask_event(
    view: TheView, form: TheForm, event: FromPath[str], what: FromPath[str]
) -> Response[Any]:
    """Asks something of an event; it says itself who may."""
    room = await event_of(view, event)
    account = room.account_of(view.asker)
    try:
        asking = Asking(view, form, room.state, account)
        command = await to_thread.run_sync(asking.read, what)
        await ask(room, account, command)
    except Refusal as refusal:
        context = await to_thread.run_sync(_context, view, room)
        # The form's own fields have names that others share: what was written is not put back.
        shown = Form(language=view.language)
        games = await _games(view, room)
        return view.refused(_TEMPLATE, refusal, **context, games=games, form=shown)
    return view.go(f"/hall/{event}", f"hall_pages.done.{what}")


@hall_act("/hall/{event:str}/hand-over")
async def hand_over_event(view: TheView, event: FromPath[str]) -> Response[Any]:
    """Sends the report of a validated event to the rating office, as any other report (12.13)."""
    room = await event_of(view, event)
    games = await games_of(view, room)
    linked = await _games(view, room)

    def handed() -> Response[Any]:
        try:
            sent = hand_over(view.office, view.asker, room.state, games)
        except Refusal as refusal:
            context = _context(view, room)
            shown = Form(language=view.language)
            return view.refused(_TEMPLATE, refusal, **context, games=linked, form=shown)
        return view.go(f"/hall/{event}", f"work.send.now_{sent.status}")

    return await to_thread.run_sync(handed)


async def _games(view: View, room: EventRoom) -> set[str]:
    """The games to lead to: those that were begun.

    Of a closed event the logs tell: results can be entered without a game in this hall. While it
    is played they are not asked, for pages must not stand in the way of moves.
    """
    if room.state.closed is None:
        begun = [one for one in room.state.rounds if one.phase is not Phase.PAIRED]
        return {
            game_id(room.state, one.number, number)
            for one in begun
            for number in range(1, len(one.boards) + 1)
        }
    logs = await hall_of(view).journal.streams(f"game:{room.state.created.event}-")
    return {log.removeprefix("game:") for log in logs}


def _context(view: View, room: EventRoom) -> dict[str, Any]:
    state = room.state
    account = room.account_of(view.asker)
    now = as_datetime(hall_of(view).time.now())
    shown = ev.view_for(state, account, now)
    role = state.role(account) if account else Role.NOBODY
    names = {entry.entry: entry for entry in shown.entries}
    last = shown.rounds[-1] if shown.rounds else None
    rules, entry, played = shown.rules, state.entry_of(account), state.last_round
    return {
        "event": shown,
        "you": role,
        "roles": state.roles(account) if account else [],
        "is_official": role in OFFICIALS,
        "entry": entry,
        "own_board": None if entry is None or played is None else played.board_of(entry.id),
        "complaints_until": ev.complaints_until(state, _LAWS),
        "appeals_until": ev.appeals_until(state, _LAWS),
        "may_enter": _may_enter(state, account),
        "names": names,
        "last": last,
        "phase_kind": _PHASES,
        "rules": () if rules is None else rules_told(view, rules),
        "points": points_text,
        "result_text": _result_text,
        "tie_break_heads": () if rules is None else rules.tie_breaks,
        "tie_break_value": _tie_break_value,
        "local": lambda value: local_text(view.language, value),
        "scores": _scores(state),
        "sanction_articles": SANCTIONS,
        "correction_articles": CORRECTIONS,
        "scopes": [scope.value for scope in Scope],
        "kinds": [kind.value for kind in GameKind],
        "next_round": state.next_round,
        **_handover(view, state, role),
    }


def _handover(view: View, state: State, role: Role) -> dict[str, Any]:
    """Whether the asker may send the event's report, and what the office has of it already."""
    may = state.validated is not None and role in (Role.CHIEF, Role.ORGANISER)
    tournament, sent = None, []
    if may and view.may(Permission.SEE_TOURNAMENT_FILE):
        tournament = tournament_of(view.office, view.asker, state)
    if tournament is not None:
        sent = view.office.reports.of_tournament(view.asker, tournament.id)
    return {
        "may_hand_over": may,
        "tournament": tournament,
        "sent_report": sent[0] if sent else None,
    }


_PHASES = {Phase.PAIRED: "waiting", Phase.OPEN: "running", Phase.CLOSED: "done"}


def _may_enter(state: State, account: str) -> bool:
    """Whether to offer a form for entering; the event decides."""
    return bool(
        account
        and state.rules is not None
        and state.closed is None
        and not state.rounds
        and state.entry_of(account) is None
        and state.arbiter(account) is None
    )


def _scores(state: State) -> list[tuple[str, str]]:
    """3.2 — the scores a game can have, as values and words of a choice."""
    if state.rules is None:
        return []
    pairs = _LAWS.online.legal_scores(state.rules.scoring)
    return [(f"{w},{b}", f"{_score(w)}–{_score(b)}") for w, b in pairs]


def _score(tenths: int) -> str:
    return _HALF if tenths == 5 else points_text(tenths).replace(".5", _HALF)


def _result_text(result: Result | None) -> str:
    """A result as a table of pairings has it; a game not played is marked."""
    if result is None:
        return ""
    text = f"{_score(result.points[0])}–{_score(result.points[1])}"
    return text if result.kind is GameKind.PLAYED else f"{text} {_MARKS[result.kind]}"


_MARKS = {GameKind.FORFEIT: "F", GameKind.SHORT: "S"}


def _tie_break_value(tie_break: TieBreak, value: int) -> str:
    return ev.shown(tie_break, value)
