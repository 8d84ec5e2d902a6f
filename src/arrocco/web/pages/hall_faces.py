"""The three faces of an event's page, and its announcement as a document of its own."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from litestar import Response
from litestar.params import FromPath

from arrocco.hall import event as ev
from arrocco.hall.event.acts.waiting import places_left
from arrocco.hall.event.games import game_id
from arrocco.hall.event.records import EventRole, PairingSystem, Result
from arrocco.hall.event.schedule import Schedule
from arrocco.hall.event.starts import NextStart, next_start
from arrocco.hall.event.state import Phase, State
from arrocco.live.server_time import as_datetime
from arrocco.web.pages.hall_common import ZONE, event_of, hall_of, hall_page, local_text
from arrocco.web.pages.hall_figures import control_in_words
from arrocco.web.pages.hall_rules_told import rules_told
from arrocco.web.view import TheView, View

PLAYER, ARBITER, PUBLIC = "player", "arbiter", "public"
_OFFICIALS = (EventRole.CHIEF, EventRole.ORGANISER, EventRole.ASSISTANT)


class OwnGame(NamedTuple):
    """A round of a player: an opponent, or the bye they had."""

    round: int
    opponent: int | None
    side: str
    result: Result | None
    game: str
    bye: str = ""


@hall_page("/hall/{event:str}/announcement")
async def announcement(view: TheView, event: FromPath[str]) -> Response[str]:
    """What the event announced of itself, to be read and printed."""
    room = await event_of(view, event)
    state = room.state
    shown = ev.view_for(state, "", as_datetime(hall_of(view).time.now()))
    rules = shown.rules
    return view.page(
        "hall/announcement.html",
        event=shown,
        rules=() if rules is None else rules_told(view, rules),
        zone=str(ZONE),
        measures=[measure for measure in state.measures if measure.is_public],
        **_plan(view, state),
    )


def faces_of(view: View, state: State, account: str, wanted: str = "") -> dict[str, Any]:
    """What the page shows to whom: `face` is the one that is shown."""
    roles = state.roles(account) if account else []
    entry = state.entry_of(account) if account else None
    faces = [PUBLIC]
    if entry is not None:
        faces.insert(0, PLAYER)
    if any(role in roles for role in _OFFICIALS):
        faces.insert(0, ARBITER)
    asked = wanted or view.request.query_params.get("as", "")
    start = next_start(state)
    return {
        "faces": faces,
        "own_face": faces[0],
        "face": asked if asked in faces else faces[0],
        "start": start,
        "held_reason": "" if start is None else _reason(view, start),
        "own_games": () if entry is None else _games_of(state, entry.id),
        "announcements": state.announcements[::-1],
        "measures": state.measures[::-1],
        "template_name": state.template,
        "waits": _waits(view, state, start),
        "all_played": is_all_played(state),
        "may_propose": EventRole.CHIEF in roles and can_be_proposed(state),
        **_places(state, account, as_datetime(hall_of(view).time.now())),
        **_plan(view, state),
    }


def can_be_proposed(state: State) -> bool:
    """Whether the next round can be paired now, by a proposal that is changed by hand."""
    last, rules = state.last_round, state.rules
    return (
        rules is not None
        and rules.system is PairingSystem.SWISS
        and state.closed is None
        and (last is None or last.phase is Phase.CLOSED)
        and len(state.rounds) < state.announced_rounds
        and sum(not entry.withdrawn for entry in state.entries) > 1
    )


def is_all_played(state: State) -> bool:
    """Whether the last of the announced rounds is over."""
    last = state.last_round
    is_over = last is not None and last.phase is Phase.CLOSED
    return is_over and 0 < state.announced_rounds <= len(state.rounds)


def _plan(view: View, state: State) -> dict[str, Any]:
    control = None if state.rules is None else state.rules.control
    words = "" if control is None else control_in_words(view.language, control, state.laws.rio)
    return {
        "plan": state.schedule,
        "plan_facts": _facts(view, state, state.schedule),
        "control_words": words,
        "local": lambda value: local_text(view.language, value),
    }


def _facts(view: View, state: State, plan: Schedule) -> list[tuple[str, str]]:
    """What the schedule states, for the facts at the top of a page."""
    facts: list[tuple[str, str]] = []
    first = plan.start_of(1)
    if first is not None and not state.rounds:
        label = view.t("hall_plan.facts.first_start")
        facts.append((label, local_text(view.language, first)))
    if plan.cap is not None:
        taken = plan.cap - (places_left(state, plan.cap) or 0)
        waiting = len(state.waiting)
        said = view.t("hall_plan.facts.places_value", taken=taken, cap=plan.cap, waiting=waiting)
        facts.append((view.t("hall_plan.facts.places"), said))
    if plan.entries_until is not None and not state.rounds:
        label = view.t("hall_plan.facts.entries_until")
        facts.append((label, local_text(view.language, plan.entries_until)))
    least, most = plan.least_rating, plan.most_rating
    if least is not None or most is not None:
        key = "from_to" if least and most else "from" if least else "to"
        said = view.t(f"hall_plan.facts.{key}", least=least or 0, most=most or 0)
        facts.append((view.t("hall_plan.facts.ratings"), said))
    return facts


def _places(state: State, account: str, now: datetime) -> dict[str, Any]:
    plan = state.schedule
    place = next(
        (n for n, one in enumerate(state.waiting, start=1) if one.person.account == account), 0
    )
    is_over = plan.entries_until is not None and now > plan.entries_until
    is_official = bool(account) and state.role(account) in (EventRole.CHIEF, EventRole.ORGANISER)
    return {
        "waiting": state.waiting,
        "waiting_place": place if account else 0,
        "may_enter_now": is_official or not (plan.by_invitation or is_over),
        "is_full": places_left(state, plan.cap) == 0,
    }


def _reason(view: View, start: NextStart) -> str:
    """Why a start is held; where the hall itself holds it, in words."""
    reason = start.held or ""
    return view.t(f"{reason}.text") if reason.startswith("event.") else reason


def _games_of(state: State, entry: int) -> list[OwnGame]:
    games = []
    for round_ in reversed(state.rounds):
        number = round_.board_of(entry)
        if number is None:
            bye = round_.byes.get(entry)
            if bye is not None:
                games.append(OwnGame(round_.number, None, "", None, "", bye.value))
            continue
        board = round_.boards[number - 1]
        is_white = board.white == entry
        games.append(
            OwnGame(
                round_.number,
                board.black if is_white else board.white,
                "white" if is_white else "black",
                board.result,
                game_id(state, round_.number, number),
            )
        )
    return games


def _waits(view: View, state: State, start: NextStart | None) -> list[tuple[str, str]]:
    """What waits for an official: each as a kind of status and its words."""
    waits: list[tuple[str, str]] = []
    last, rules = state.last_round, state.rules
    if start is not None and start.is_held:
        said = view.t("hall_plan.start.held", round=start.round, reason=_reason(view, start))
        waits.append(("off", said))
    if last is not None and last.phase is Phase.OPEN:
        left = sum(board.result is None for board in last.boards)
        if left:
            waits.append(("running", view.t("hall_plan.waits.results", count=left)))
    if rules is not None and rules.check_in and (last is None or last.phase is Phase.CLOSED):
        away = sum(not (entry.checked_in or entry.withdrawn) for entry in state.entries)
        if away:
            waits.append(("waiting", view.t("hall_plan.waits.check_ins", count=away)))
    if state.waiting:
        count = len(state.waiting)
        waits.append(("waiting", view.t("hall_plan.waits.waiting", count=count)))
    return waits
