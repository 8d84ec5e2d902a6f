"""12.6 — the prizes of an event: their table, who gets what, and the list of payments."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.desk.filing_parties import party_of
from arrocco.desk.tournament_life import prizes_released, prizes_wait_for
from arrocco.errors import Malformed, NotFound, Refusal
from arrocco.formats.csv_cells import defused
from arrocco.hall import event as ev
from arrocco.hall.event.acts.prizes import SetPrizes
from arrocco.hall.event.prize_table import MAX_CATEGORIES, MAX_PLACES, PrizeCategory, PrizeTable
from arrocco.hall.event.prizes import awarded, payments
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import State
from arrocco.live.reader import EventReader
from arrocco.live.server_time import as_datetime
from arrocco.office.roles import Permission
from arrocco.web.pages.hall_common import (
    decimal_in,
    event_of,
    hall_act,
    hall_of,
    hall_page,
    objected,
)
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "hall/prizes.html"
_MAX_TABLE = 10_000
_MAX_NAME = 100
_AMOUNT = re.compile(r"(\d{1,6})(?:[.,](\d\d))?")
_BORN, _BELOW = re.compile(r">=?(19\d\d|2[01]\d\d)"), re.compile(r"<(\d{1,4})")


@hall_page("/hall/{event:str}/prizes")
async def prizes(view: TheView, event: FromPath[str]) -> Response[str]:
    """The table of prizes, and who gets them once they are released."""
    room = await event_of(view, event)
    return view.page(_TEMPLATE, **await to_thread.run_sync(_context, view, room))


@hall_act("/hall/{event:str}/prizes")
async def set_prizes(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """The organiser states the table."""
    room = await event_of(view, event)
    account = room.account_of(view.asker)
    try:
        if not _is_organiser(room.state, account):
            raise NotFound.of("hall_pages.for_officials")
        categories = read_table(form.text("table", longest=_MAX_TABLE))
        if not form.ok:
            raise Malformed.of("hall_pages.form_wrong", faults=tuple(form.errors.values()))
        table = PrizeTable(categories=categories, one_each=form.chosen("one_each"))
        outcome = await room.ask(SetPrizes(by=account, prizes=table))
        if outcome.objections:
            raise objected(outcome.objections)
    except Refusal as refusal:
        context = await to_thread.run_sync(_context, view, room)
        fields = {"prizes.line_wrong": "table", "prizes.too_many": "table"}
        return view.refused(_TEMPLATE, refusal, form=form, fields=fields, **context)
    return view.go(f"/hall/{event}/prizes", "prizes.done")


@hall_page("/hall/{event:str}/prizes/payments", permission=Permission.SEE_OWN_ACCOUNT)
async def payment_list(view: TheView, event: FromPath[str]) -> Response[bytes]:
    """12.6 — the list of payments as CSV; there is none while prizes are held."""
    room = await event_of(view, event)
    if not await to_thread.run_sync(_may_pay, view, room):
        raise NotFound.of("hall_pages.for_officials")
    if not await to_thread.run_sync(prizes_released, view.office.desk, room.state):
        raise NotFound.of("prizes.held")
    text = io.StringIO()
    written = csv.writer(text)
    written.writerow(["name", "id", "euro"])
    for entry, cents in payments(room.state):
        person = room.state.entries[entry - 1].person
        written.writerow([defused(person.full_name), person.id or "", _euro(cents)])
    headers = {"content-disposition": f'attachment; filename="{event}-payments.csv"'}
    return Response(text.getvalue().encode(), media_type="text/csv; charset=utf-8", headers=headers)


def read_table(text: str) -> tuple[PrizeCategory, ...]:
    """A category a line: name; conditions; prizes by places. Raises `Malformed` with the line."""
    prize_categories = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split(";")]
        if len(parts) not in (2, 3) or not 0 < len(parts[0]) <= _MAX_NAME:
            raise Malformed.of("prizes.line_wrong", line=number)
        conditions = parts[1].split() if len(parts) == 3 else []
        amounts = [_AMOUNT.fullmatch(amount) for amount in parts[-1].split()]
        cents = [100 * int(a[1]) + int(a[2] or 0) for a in amounts if a is not None]
        known = {
            name: value for condition in conditions for name, value in _condition(condition, number)
        }
        if not cents or len(cents) != len(amounts) or len(cents) > MAX_PLACES or 0 in cents:
            raise Malformed.of("prizes.line_wrong", line=number)
        prize_categories.append(PrizeCategory(name=parts[0], cents=tuple(cents), **known))
    if len(prize_categories) > MAX_CATEGORIES:
        raise Malformed.of("prizes.too_many", most=MAX_CATEGORIES)
    return tuple(prize_categories)


def _condition(text: str, line: int) -> list[tuple[str, Any]]:
    if text.upper() == "F":
        return [("women", True)]
    if born := _BORN.fullmatch(text):
        return [("born_from", int(born[1]))]
    if (below := _BELOW.fullmatch(text)) and int(below[1]) > 0:
        return [("rated_below", int(below[1]))]
    raise Malformed.of("prizes.line_wrong", line=line)


def _written(table: PrizeTable | None) -> str:
    """The table as its form has it."""
    lines = []
    for prize_category in () if table is None else table.categories:
        conditions = ["F"] if prize_category.women else []
        conditions += [] if prize_category.born_from is None else [f">={prize_category.born_from}"]
        conditions += (
            [] if prize_category.rated_below is None else [f"<{prize_category.rated_below}"]
        )
        middle = f" {' '.join(conditions)};" if conditions else ""
        amounts = " ".join(_euro(cents) for cents in prize_category.cents)
        lines.append(f"{prize_category.name};{middle} {amounts}")
    return "\n".join(lines)


def _euro(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _is_organiser(state: State, account: str) -> bool:
    return bool(account) and EventRole.ORGANISER in state.roles(account)


def _may_pay(view: View, room: EventReader) -> bool:
    account = room.account_of(view.asker)
    party = party_of(view.office.desk, view.asker, room.state, account)
    return party.is_chief or party.is_treasurer or _is_organiser(room.state, account)


def _context(view: View, room: EventReader) -> dict[str, Any]:
    now, account = as_datetime(hall_of(view).time.now()), room.account_of(view.asker)
    state = room.state if room.takes_part(account) else ev.as_seen(room.state, now)
    may_pay, released = _may_pay(view, room), prizes_released(view.office.desk, state)
    is_shown = released or (may_pay and state.closed is not None)
    is_organiser = _is_organiser(state, account)
    return {
        "event": room.id,
        "state": state,
        "table": state.prizes,
        "released": released,
        "waits": prizes_wait_for(view.office.desk, state) if may_pay else (),
        "awards": awarded(state) if is_shown else [],
        "payments": payments(state) if released and may_pay else [],
        "may_set": is_organiser and state.closed is None and state.rules is not None,
        "may_pay": may_pay,
        "written": _written(state.prizes),
        "euro": lambda cents: decimal_in(view.language, _euro(cents)),
    }
