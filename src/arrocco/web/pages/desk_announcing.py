"""The form that announces a tournament: read into a registration, faults under their fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from msgspec import UNSET

from arrocco.errors import Refusal
from arrocco.laws.systems import SYSTEMS
from arrocco.office.amendments import spread_rounds
from arrocco.office.announcement import LONGEST, MAX_PLAYERS, MAX_ROUNDS
from arrocco.office.records import Registration, RoundTime
from arrocco.office.registration import Assessment
from arrocco.records.report import Facts, System
from arrocco.records.timecontrol import Period, TimeControl, parse
from arrocco.web.forms import Form
from arrocco.web.view import View
from arrocco.words import show

FACTS = (
    "official",
    "online",
    "hybrid",
    "league",
    "national_championship",
    "women_only",
    "world_team_event",
    "match_waiver",
)
"""What can be ticked about a tournament, by the names that `Facts` has for it."""
BY_PERIOD = "by_period"
"""Ticked too; what is kept is the day on which it was (FIDE 2010, 4.13)."""
_HIGHEST_RATING = 4000


@dataclass(frozen=True)
class Row:
    """A round of the schedule as the form shows it."""

    number: int
    day: str
    hour: str


def rows_of(form: Form, *, again: bool = False) -> list[Row]:
    """A row for each round: as it was written, else spread over the days of the tournament.

    `again` spreads all of them, whatever was written.
    """
    count = form.integer("rounds", needed=True, least=1, most=MAX_ROUNDS) or 0
    start, end = form.day("start", needed=True), form.day("end", needed=True)
    spread = _spread(start, end, count)
    return [
        Row(
            number,
            (not again and form.text(f"day_{number}", longest=10)) or planned,
            form.text(f"hour_{number}", longest=5),
        )
        for number, planned in enumerate(spread, start=1)
    ]


def _spread(start: date | None, end: date | None, count: int) -> list[str]:
    """The days of so many rounds, evenly from the first day to the last."""
    if start is None or end is None or end < start:
        return [""] * count
    return [day.isoformat() for day in spread_rounds(start, end, count)]


def registration_of(form: Form, rows: Sequence[Row], today: date) -> Registration | None:
    """The registration that the form announces; `None` where a field cannot be read."""
    texts = {
        name: form.text(name, needed=name != "remarks", longest=LONGEST[name])
        for name in ("name", "city", "time_control", "chief_arbiter", "remarks")
    }
    federation = form.text("federation", needed=True, longest=3).upper()
    systems = tuple(one for one in form.values("systems") if one)
    if not systems:
        form.wrong("systems", "office.fault.no_system")
    if not SYSTEMS.keys() >= set(systems):
        form.wrong("systems", "web.field.not_a_choice")
    pairing = form.choice("pairing", System)
    start, end = form.day("start", needed=True), form.day("end", needed=True)
    schedule = [_round_time(form, row) for row in rows]
    players = form.integer("expected_players", least=2, most=MAX_PLAYERS)
    top, woman = (
        form.integer(name, least=1, most=_HIGHEST_RATING) for name in ("top_rating", "top_woman")
    )
    ticked = {name: name in form.values("facts") for name in FACTS}
    games = form.integer("match_games", least=1, most=MAX_ROUNDS)
    event = form.text("event", longest=LONGEST["name"])
    if not form.ok or start is None or end is None or pairing is None:
        return None
    return Registration(
        **texts,
        federation=federation,
        systems=systems,
        start=start,
        end=end,
        schedule=tuple(planned for planned in schedule if planned is not None),
        pairing=pairing,
        expected_players=players,
        top_rating=top,
        top_woman=woman,
        facts=Facts(
            **ticked,
            match_games=games,
            event=event or UNSET,
            began=UNSET,
            by_period=today if BY_PERIOD in form.values("facts") else UNSET,
        ),
    )


def _round_time(form: Form, row: Row) -> RoundTime | None:
    try:
        return RoundTime(date.fromisoformat(row.day), row.hour)
    except ValueError:
        form.wrong(f"day_{row.number}", "web.field.not_a_day")
        return None


def tell_field(view: View, form: Form, refusal: Refusal) -> bool:
    """Puts a refusal of one field under that field; whether it was one."""
    name, why = refusal.details.get("name"), refusal.details.get("why")
    if refusal.key != "office.refused.field" or not isinstance(name, str) or why is None:
        return False
    form.errors.setdefault("facts" if name == "online" else name, show(view.language, why))
    return True


def form_context(
    view: View,
    form: Form | None = None,
    rows: list[Row] | None = None,
    assessments: tuple[Assessment, ...] = (),
) -> dict[str, Any]:
    """What the form that announces a tournament is shown with."""
    form = form or Form(language=view.language)
    return {
        "form": form,
        "rows": rows or [],
        "assessments": assessments,
        "amending": None,
        "changes": [],
        "ratable": all(assessment.can_be_rated for assessment in assessments),
        "control_words": control_in_words(view, form.value("time_control")),
        "systems": [(key, view.t(f"web.system.{key}")) for key in SYSTEMS],
        "pairings": [
            (system.value, view.t(f"desk_pages.pairing.{system.value}")) for system in System
        ],
        "facts": [(name, view.t(f"desk_pages.fact.{name}")) for name in (*FACTS, BY_PERIOD)],
    }


# --- time controls in words -----------------------------------------------------------------------


def control_in_words(view: View, text: str) -> str:
    """A time control as it was understood; empty where it cannot be read."""
    try:
        control = parse(text)
    except Refusal:
        return ""
    return say_control(view, control)


def say_control(view: View, control: TimeControl) -> str:
    """A time control in words: each period, its moves and its increment."""
    if control.is_equal:
        return _side(view, control.white)
    white, black = _side(view, control.white), _side(view, control.black)
    return view.t("desk_pages.control.sides", white=white, black=black)


def _side(view: View, periods: Sequence[Period]) -> str:
    parts = []
    for period in periods:
        time = _time(view, period.seconds)
        if period.moves is not None:
            part = view.t("desk_pages.control.moves", time=time, moves=period.moves)
        elif len(periods) > 1:
            part = view.t("desk_pages.control.rest", time=time)
        else:
            part = view.t("desk_pages.control.whole", time=time)
        if period.increment:
            plus = view.t("desk_pages.control.increment", seconds=period.increment)
            part = view.t("desk_pages.control.with_increment", time=part, increment=plus)
        parts.append(part)
    return "; ".join(parts)


def _time(view: View, seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    if not rest:
        return view.t("desk_pages.control.minutes", minutes=minutes)
    if not minutes:
        return view.t("desk_pages.control.seconds", seconds=rest)
    return view.t("desk_pages.control.minutes_seconds", minutes=minutes, seconds=rest)
