"""The page of an event: its announcement, players, rounds and standings, and the desk of each."""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.desk.filing_parties import party_of
from arrocco.desk.handover import hand_over, tournament_of
from arrocco.errors import Refusal
from arrocco.hall import event as ev
from arrocco.hall.event.acts import COMMANDS
from arrocco.hall.event.acts.absence import absences
from arrocco.hall.event.acts.filings import role_of
from arrocco.hall.event.acts.results import CORRECTED_BY
from arrocco.hall.event.attendance import expected, is_late
from arrocco.hall.event.games import game_id
from arrocco.hall.event.records import EventRole, Result
from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.sanction_rules import (
    IMPOSED,
    IMPOSED_BY_ASSISTANTS,
    fields_of_articles,
    scopes_of_articles,
)
from arrocco.hall.event.state import Phase, State
from arrocco.hall.event.view import EntryView
from arrocco.laws.online.filings import Filer
from arrocco.live.reader import EventReader
from arrocco.live.server_time import as_datetime
from arrocco.office.roles import Permission
from arrocco.records.report import REPORTED_KINDS, GameKind
from arrocco.web.forms import Form
from arrocco.web.pages.hall_boxes import BOX, Boxes
from arrocco.web.pages.hall_commands import (
    OFFICIALS,
    Asking,
)
from arrocco.web.pages.hall_common import (
    ask,
    decimal_in,
    event_of,
    hall_act,
    hall_of,
    hall_page,
    start_words,
)
from arrocco.web.pages.hall_faces import PLAYER, faces_of
from arrocco.web.pages.hall_figures import points_text, score_text
from arrocco.web.pages.hall_files import games_of
from arrocco.web.pages.hall_video import video_context
from arrocco.web.status import status_of
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "hall/event.html"
_FOR_OTHERS = {"enter", "withdraw_entry", "request_bye", "cancel_bye"}
"""What everybody asks for themselves, and only the chief arbiter and the organiser for others."""


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
        face = PLAYER if form.value(BOX).endswith("-own") else ""
        context = await to_thread.run_sync(_context, view, room, face)
        games = await _games(view, room)
        return _refused(view, form, what, refusal, {**context, "games": games})
    return view.go(f"/hall/{event}", f"hall_pages.done.{what}")


def _refused(
    view: View, form: Form, what: str, refusal: Refusal, context: dict[str, Any]
) -> Response[str]:
    """The page again: the refusal stands in the box that was sent, or above where there is none."""
    # Fields of other forms have the same names: what was written goes back into its box only.
    context["form"] = Form(language=view.language)
    if form.value(BOX):
        boxes = Boxes(view.language)
        boxes.refused(what, form, refusal)
        page = view.page(_TEMPLATE, status=status_of(refusal), **{**context, "boxes": boxes})
        if boxes.was_told:
            return page
    return view.refused(_TEMPLATE, refusal, **context)


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
        return view.go(f"/hall/{event}", f"desk_pages.send.now_{sent.status}")

    return await to_thread.run_sync(handed)


async def _games(view: View, room: EventReader) -> set[str]:
    """The games to lead to: those that were begun.

    Of a closed event the logs tell: results can be entered without a game in this hall.
    """
    if room.state.closed is None:
        begun = [one for one in room.state.rounds if one.phase is not Phase.PAIRED]
        return {
            game_id(room.state, round_.number, number)
            for round_ in begun
            for number in range(1, len(round_.boards) + 1)
        }
    logs = await hall_of(view).streams(f"game:{room.state.created.event}-")
    return {log.removeprefix("game:") for log in logs}


def _context(view: View, room: EventReader, face: str = "") -> dict[str, Any]:
    state = room.state
    account = room.account_of(view.asker)
    now = as_datetime(hall_of(view).time.now())
    shown = ev.view_for(state, account, now)
    role = state.role(account) if account else EventRole.NOBODY
    people = _people(state, shown)
    names = {entry.entry: entry for entry in people}
    last = shown.rounds[-1] if shown.rounds else None
    rules, entry, played = shown.rules, state.entry_of(account), state.last_round
    complaints = ev.complaints_until(state, state.laws)
    return {
        "event": shown,
        "words": start_words(view.language),
        "you": role,
        "roles": state.roles(account) if account else [],
        "is_official": role in OFFICIALS,
        "entry": entry,
        "own_board": None if entry is None or played is None else played.board_of(entry.id),
        "complaints_until": complaints,
        "appeals_until": ev.appeals_until(state, state.laws),
        "may_enter": _may_enter(state, account),
        "names": names,
        "last": last,
        "phase_kind": _PHASES,
        "points": lambda tenths: decimal_in(view.language, points_text(tenths)),
        "result_text": _result_text,
        "tie_break_heads": () if rules is None else rules.tie_breaks,
        "acronyms": ev.ACRONYMS,
        "tie_break_value": lambda tie_break, value: decimal_in(
            view.language, ev.shown(tie_break, value)
        ),
        "scores": _scores(state),
        "sanction_articles": IMPOSED if role is not EventRole.ASSISTANT else IMPOSED_BY_ASSISTANTS,
        "correction_articles": CORRECTED_BY,
        "sanction_fields": fields_of_articles(state.laws),
        "scopes": scopes_of_articles(state.laws).items(),
        "kinds": [kind.value for kind in REPORTED_KINDS],
        "next_round": state.next_round,
        "championship": state.championship,
        "has_prizes": state.prizes is not None,
        **_filings(view, state, account),
        "in_championship": view.office.championships.of_event(shown.event)
        if state.championship
        else None,
        "boxes": Boxes(view.language),
        "may_ask": _may_ask(state, account),
        "may_still_enter": _may_still_enter(state),
        "complaints_open": complaints is not None and now < complaints,
        **_chosen_from(view, state, people),
        "is_supervised": state.rules is not None
        and state.rules.supervision is not Supervision.NONE,
        "joining_time": state.joining,
        "sample": _sample(state) if role in OFFICIALS else (),
        **_handover(view, state, role),
        **faces_of(view, state, account, face),
        "written": state.number if room.takes_part(account) else 0,
        **video_context(view, state, account),
    }


def _filings(view: View, state: State, account: str) -> dict[str, Any]:
    """12.9 — whether to lead to complaints and appeals, and how many wait for the asker."""
    party = party_of(view.office.desk, view.asker, state, account) if account else None
    if party is None or not state.rounds:
        return {"may_file": False}
    has_part = role_of(state, account) is not Filer.OTHER
    return {
        "may_file": has_part or party.is_member or party.is_treasurer,
        "open_filings": sum(party.decides(filed) is not None for filed in state.filings),
    }


def _may_ask(state: State, account: str) -> set[str]:
    """The commands whose forms are shown to an official: those the event would not turn down."""
    roles = set(state.roles(account)) if account else set()
    asked = {
        str(command.__struct_config__.tag)
        for command in COMMANDS
        if not command.MAY.isdisjoint(roles)
    }
    if roles.isdisjoint((EventRole.CHIEF, EventRole.ORGANISER)):
        asked -= _FOR_OTHERS
    return asked


def _may_still_enter(state: State) -> bool:
    """C.04.2 — whether an official may still enter players: until a round of the rules."""
    rules = state.rules
    if rules is None or (state.rounds and rules.system.is_round_robin):
        return False
    return state.next_round <= rules.late_entries_until


def _sample(state: State) -> tuple[int, ...]:
    """9.1 — who is watched in a round that is paired or played."""
    last = state.last_round
    return () if last is None or last.phase is Phase.CLOSED else last.sample


def _people(state: State, shown: ev.PublicView) -> list[EntryView]:
    """Everybody in the event; officials see those too who withdrew before they had a number."""
    listed = list(shown.entries)
    if not isinstance(shown, ev.OfficialView):
        return listed
    known = {entry_view.entry for entry_view in listed}
    gone = [
        EntryView(
            entry=entry.id,
            number=0,
            name=entry.person.full_name,
            title=entry.person.title,
            rating=entry.person.rating,
            federation=entry.person.federation,
            withdrawn=entry.withdrawn,
            excluded=False,
        )
        for entry in state.entries
        if entry.id not in known
    ]
    return listed + gone


def _chosen_from(view: View, state: State, people: list[EntryView]) -> dict[str, Any]:
    """Whom the forms of officials choose from: everybody, who is there, and who is not."""

    def choices(of: list[EntryView]) -> list[tuple[str, str]]:
        gone = view.t("hall_pages.own.withdrawn")
        return [
            (
                str(entry_view.entry),
                (f"{entry_view.number}. " if entry_view.number else "")
                + entry_view.name
                + (f" ({gone})" if entry_view.withdrawn else ""),
            )
            for entry_view in of
        ]

    here = {entry.id for entry in state.entries if entry.checked_in}
    now, law = as_datetime(hall_of(view).time.now()), state.laws.online
    late = {entry.id for entry in expected(state) if is_late(state, entry, now, law)}
    return {
        "people": people,
        "everybody": choices(people),
        "there": choices([person for person in people if not person.withdrawn]),
        "away": choices([person for person in people if person.entry not in here]),
        "present": len(here),
        "absentees": choices(
            [
                person
                for person in people
                if not person.withdrawn
                and not person.excluded
                and (absences(state, person.entry) or person.entry in late)
            ]
        ),
    }


def _handover(view: View, state: State, role: EventRole) -> dict[str, Any]:
    """Whether the asker may send the event's report, and what the office has of it already."""
    may = state.validated is not None and role in (EventRole.CHIEF, EventRole.ORGANISER)
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
    pairs = state.laws.online.legal_scores(state.rules.scoring)
    return [(f"{w},{b}", f"{score_text(w)}–{score_text(b)}") for w, b in pairs]


def _result_text(result: Result | None) -> str:
    """A result as a table of pairings has it; a game not played is marked."""
    if result is None:
        return ""
    text = f"{score_text(result.points[0])}–{score_text(result.points[1])}"
    return text if result.kind is GameKind.PLAYED else f"{text} {_MARKS[result.kind]}"


_MARKS = {GameKind.FORFEIT: "F", GameKind.SHORT: "S"}
