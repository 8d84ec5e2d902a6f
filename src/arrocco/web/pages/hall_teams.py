"""The teams of an event: their list, their matches round by round, and their standings (12.9)."""

from __future__ import annotations

import csv
import io
from typing import Any

import msgspec
from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Malformed, NotFound, Refusal
from arrocco.hall import event as ev
from arrocco.hall.event.acts.teams import MAX_BOARDS, MAX_PLAYERS
from arrocco.hall.event.records import EventRole, PairingSystem
from arrocco.hall.event.state import State, Team
from arrocco.hall.event.teams import matches_of, team_standings
from arrocco.hall.pairing import berger
from arrocco.live.reader import EventReader
from arrocco.live.server_time import as_datetime
from arrocco.store.sql import accounts
from arrocco.store.sql.accounts import Account
from arrocco.web.pages.hall_common import ask, decimal_in, event_of, hall_act, hall_of, hall_page
from arrocco.web.pages.hall_figures import points_text
from arrocco.web.pages.hall_people import account_by, person_of_account
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "hall/teams.html"
_MAX_LIST = 100_000


@hall_page("/hall/{event:str}/teams")
async def teams(view: TheView, event: FromPath[str]) -> Response[str]:
    """Teams with their captains, matches and standings."""
    room = await event_of(view, event)
    context = await to_thread.run_sync(_context, view, room)
    return view.page(_TEMPLATE, **context)


@hall_act("/hall/{event:str}/teams")
async def set_teams(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """States the teams from a list; players who are not entered yet are entered."""
    room = await event_of(view, event)
    account = room.account_of(view.asker)
    try:
        if not _may_set(room.state, account):
            raise NotFound.of("hall_pages.for_officials")
        boards = form.integer("boards", needed=True, least=1, most=MAX_BOARDS)
        lines = _lines(form.text("list", needed=True, longest=_MAX_LIST))
        if not form.ok or boards is None:
            raise Malformed.of("hall_pages.form_wrong", faults=tuple(form.errors.values()))
        named = await to_thread.run_sync(_people, view, lines)
        for person in await to_thread.run_sync(_not_entered, view, room.state, named):
            await ask(room, account, {"type": "enter", "person": person})
        state = (await event_of(view, event)).state
        stated = msgspec.to_builtins(_teams(state, named))
        await ask(room, account, {"type": "set_teams", "boards": boards, "teams": stated})
    except Refusal as refusal:
        context = await to_thread.run_sync(_context, view, await event_of(view, event))
        return view.refused(_TEMPLATE, refusal, form=form, fields={}, **context)
    return view.go(f"/hall/{event}/teams", "hall_teams.done")


# --- reading the list -----------------------------------------------------------------------------

Line = tuple[str, list[str]]
"""A team's name; its captain and its players as they are written."""
Named = list[tuple[str, Account, list[Account]]]


def _lines(text: str) -> list[Line]:
    """A team a line: name, captain, players in order of boards; commas or semicolons between."""
    delimiter = ";" if text.count(";") > text.count(",") else ","
    lines: list[Line] = []
    for number, row in enumerate(csv.reader(io.StringIO(text), delimiter=delimiter), start=1):
        cells = [cell.strip() for cell in row]
        cells = cells[: len(cells) - next((n for n, c in enumerate(cells[::-1]) if c), len(cells))]
        if not cells:
            continue
        if len(cells) < 3 or not all(cells) or len(cells) > MAX_PLAYERS + 2:
            raise Malformed.of("hall_teams.line_wrong", line=number, most=MAX_PLAYERS)
        lines.append((cells[0], cells[1:]))
    if len(lines) > berger.MAX_PLAYERS:
        raise Malformed.of("hall_teams.too_many", most=berger.MAX_PLAYERS)
    return lines


def _people(view: View, lines: list[Line]) -> Named:
    """The accounts of everybody named, by e-mail address or by the federation's number."""
    named: Named = []
    for name, (captain, *players) in lines:
        named.append(
            (name, _account(view, captain), [_account(view, player) for player in players])
        )
    return named


def _account(view: View, text: str) -> Account:
    if not text.isdecimal():
        return account_by(view, text)
    with view.office.desk.database.reading() as connection:
        account = accounts.by_player(connection, int(text)) if len(text) < 15 else None
    if account is None or account.disabled:
        raise Malformed.of("hall_teams.no_number", number=text[:20])
    return account


def _not_entered(view: View, state: State, named: Named) -> list[dict[str, Any]]:
    known = {entry.person.account for entry in state.entries}
    wanted = {str(player.id): player for _, _, players in named for player in players}
    return [
        person_of_account(view, account, state.time_class)
        for key, account in wanted.items()
        if key not in known
    ]


def _teams(state: State, named: Named) -> list[Team]:
    entry_of = {entry.person.account: entry.id for entry in state.entries}
    return [
        Team(
            name=name,
            captain=str(captain.id),
            captain_name=captain.name,
            entries=tuple(entry_of[str(player.id)] for player in players),
        )
        for name, captain, players in named
    ]


# --- showing --------------------------------------------------------------------------------------


def _may_set(state: State, account: str) -> bool:
    officials = (EventRole.CHIEF, EventRole.ORGANISER)
    return bool(account) and not set(state.roles(account)).isdisjoint(officials)


def _context(view: View, room: EventReader) -> dict[str, Any]:
    account = room.account_of(view.asker)
    now = as_datetime(hall_of(view).time.now())
    # 5.17 — who takes part sees results at once, others as late as games.
    state = room.state if room.takes_part(account) else ev.as_seen(room.state, now)
    if state.rules is None or state.rules.system is not PairingSystem.TEAM:
        raise NotFound.of("event.no_team_event")
    rounds = [(one, list(matches_of(state, one))) for one in reversed(state.rounds)]
    return {
        "event": room.id,
        "state": state,
        "teams": list(enumerate(state.teams, start=1)),
        "rounds": rounds if state.teams else [],
        "standings": team_standings(state) if state.teams and state.rounds else [],
        "may_set": _may_set(state, account) and not state.rounds and state.closed is None,
        "points": lambda tenths: decimal_in(view.language, points_text(tenths)),
    }
