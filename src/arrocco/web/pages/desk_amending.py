"""Amending a registration: the form that announced it, filled in, and what the laws make of it."""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from litestar import Response
from msgspec import UNSET

from arrocco.desk.desk import subject_of
from arrocco.errors import Refusal
from arrocco.office.amendments import changed_fields
from arrocco.office.records import Registration, RoundTime, Tournament
from arrocco.office.registration import Assessment
from arrocco.office.roles import Permission, require
from arrocco.web import heavy, writing
from arrocco.web.forms import Form
from arrocco.web.pages.desk_announcing import (
    BY_PERIOD,
    FACTS,
    Row,
    form_context,
    registration_of,
    rows_of,
    tell_field,
)
from arrocco.web.pages.desk_numbers import Number
from arrocco.web.report_work import amend_registration
from arrocco.web.routes import heavy_act, page
from arrocco.web.view import TheForm, TheView, View
from arrocco.words import Language

_AMEND = "desk/register.html"
_LONGEST = 2000


@page("/desk/tournaments/{tournament:int}/amend", permission=Permission.REGISTER_TOURNAMENT)
def amend_form(view: TheView, tournament: Number) -> Response[str]:
    """The form of a registration as it stands."""
    target = _found(view, tournament)
    form = form_of(target.registration, view.language)
    return view.page(_AMEND, **_context(view, target, form, rows_of(form)))


@heavy_act("/desk/tournaments/{tournament:int}/amend", permission=Permission.REGISTER_TOURNAMENT)
async def amend(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Shows the rounds, what the laws make of it, or amends it: reports that wait are checked."""
    asked = await to_thread.run_sync(_asked, view, form, tournament)
    if isinstance(asked, Response):
        return asked
    registration, reason, rows = asked

    def answer(later: View, outcome: Tournament | Refusal) -> Response[Any]:
        if isinstance(outcome, Tournament):
            return later.go(f"/desk/tournaments/{tournament}", "desk_pages.amend.done")
        context = _context(later, _found(later, tournament), form, rows)
        if tell_field(later, form, outcome):
            return later.page(_AMEND, status=422, **context)
        return later.refused(_AMEND, outcome, **context)

    return await heavy.answer_in_office(
        view, answer, amend_registration, view.asker, tournament, registration, reason
    )


def _asked(
    view: View, form: Form, number: int
) -> Response[Any] | tuple[Registration, str, list[Row]]:
    """What is to be amended; the page where nothing is to be written yet, or cannot be."""
    tournament, wanted = _found(view, number), form.value("do")
    rows = rows_of(form, again=wanted == "spread")
    if wanted in ("rows", "spread"):
        form.errors = {name: told for name, told in form.errors.items() if name == "rounds"}
        return view.page(_AMEND, **_context(view, tournament, form, rows))
    asked = registration_of(form, rows, view.office.desk.now().date())
    reason = form.text("reason", needed=wanted == "amend", longest=_LONGEST)
    if asked is None or not form.ok:
        return view.page(_AMEND, status=422, **_context(view, tournament, form, rows))
    asked = _with_day_of_choice(asked, tournament.registration)
    if wanted == "amend":
        return asked, reason, rows
    try:
        assessments = view.office.tournaments.assess_amendment(view.asker, number, asked)
    except Refusal as refusal:
        if tell_field(view, form, refusal):
            return view.page(_AMEND, status=422, **_context(view, tournament, form, rows))
        return view.refused(_AMEND, refusal, **_context(view, tournament, form, rows))
    return view.page(_AMEND, **_context(view, tournament, form, rows, assessments, asked))


def _with_day_of_choice(asked: Registration, before: Registration) -> Registration:
    """The day on which rating period by period was chosen stays (FIDE 2010, 4.13)."""
    if asked.facts.by_period and before.facts.by_period:
        asked.facts.by_period = before.facts.by_period
    return asked


def _found(view: View, number: int) -> Tournament:
    tournament = view.office.tournaments.get(view.asker, number)
    require(view.asker, Permission.REGISTER_TOURNAMENT, subject_of(tournament))
    return tournament


def _context(
    view: View,
    tournament: Tournament,
    form: Form,
    rows: list[Row],
    assessments: tuple[Assessment, ...] = (),
    asked: Registration | None = None,
) -> dict[str, Any]:
    changes = shown_changes(view, tournament.registration, asked) if asked is not None else []
    return form_context(view, form, rows, assessments) | {
        "amending": tournament,
        "changes": changes,
    }


def form_of(registration: Registration, language: Language) -> Form:
    """The form filled in with a registration."""
    facts = registration.facts
    fields: dict[str, Any] = {
        name: str(getattr(registration, name) or "")
        for name in (
            "name",
            "city",
            "federation",
            "time_control",
            "chief_arbiter",
            "remarks",
            "expected_players",
            "top_rating",
            "top_woman",
        )
    }
    fields |= {
        "systems": list(registration.systems),
        "pairing": registration.pairing.value,
        "start": registration.start.isoformat(),
        "end": registration.end.isoformat(),
        "rounds": str(len(registration.schedule)),
        "facts": [name for name in (*FACTS, BY_PERIOD) if getattr(facts, name)],
        "match_games": str(facts.match_games or ""),
        "event": "" if facts.event is UNSET else facts.event,
    }
    for number, planned in enumerate(registration.schedule, start=1):
        fields[f"day_{number}"] = planned.day.isoformat()
        fields[f"hour_{number}"] = planned.hour
    return Form(fields, language)


# --- what changed ---------------------------------------------------------------------------------


def shown_changes(view: View, before: Registration, after: Registration) -> list[tuple[str, ...]]:
    """Each field that differs: its name, what it said, what it says now."""
    return [
        (_name(view, name), _shown(view, name, first), _shown(view, name, other))
        for name, first, other in changed_fields(before, after)
    ]


def _name(view: View, name: str) -> str:
    if name in (*FACTS, BY_PERIOD):
        return view.t(f"desk_pages.fact.{name}")
    return view.t(f"desk_pages.field.{'rounds' if name == 'schedule' else name}")


def _shown(view: View, name: str, value: Any) -> str:
    if name == "schedule":
        return _schedule(view, value)
    if name == "pairing":
        return view.t(f"desk_pages.pairing.{value}")
    if name in FACTS:
        return view.t("desk_pages.yes" if value else "desk_pages.no")
    if name in ("start", "end"):
        return writing.day(view.language, value)
    return "–" if value in (None, "", UNSET) else str(value)


def _schedule(view: View, schedule: tuple[RoundTime, ...]) -> str:
    """How many rounds, and how many on each day."""
    days: dict[str, int] = {}
    for planned in schedule:
        day = writing.day(view.language, planned.day)
        days[day] = days.get(day, 0) + 1
    told = ", ".join(f"{day}: {count}" for day, count in days.items())
    return f"{len(schedule)} ({told})"
