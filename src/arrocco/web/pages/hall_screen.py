"""12.1, 12.2 — the screen of an event, for its chief arbiter and the committee alone (5.17)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.desk.alarms import dismissal_of
from arrocco.errors import NotFound, Refusal
from arrocco.fairplay.calibration import calibration_of
from arrocco.fairplay.cells import GAPS
from arrocco.fairplay.power import Power
from arrocco.fairplay.screen import FIGURES, Figure
from arrocco.hall.event.records import EventRole
from arrocco.hall.game.state import State as GameState
from arrocco.live.reader import EventReader
from arrocco.office.cases.records import CaseOrigin
from arrocco.office.roles import Permission
from arrocco.store.engine_trouble import engine_trouble
from arrocco.store.sql import watched_games
from arrocco.watch.event_screen import (
    EventScreen,
    ScreenRow,
    baseline_to_use,
    event_screen,
    nodes_to_show,
)
from arrocco.watch.settings import watch_settings_from
from arrocco.web.charts import Chart
from arrocco.web.forms import Form
from arrocco.web.interval_chart import IntervalRow, interval_chart, percent
from arrocco.web.pages.hall_common import event_of, hall_act, hall_page, local_text
from arrocco.web.pages.hall_files import games_of
from arrocco.web.view import TheForm, TheView, View
from arrocco.words import number

_TEMPLATE = "hall/screen.html"
_IN_PERCENT = {"first": 10_000, "third": 10_000, "loss": 10}
"""What makes hundredths of a per cent of a figure: losses are in thousandths of a point."""


@hall_page("/hall/{event:str}/screen", permission=Permission.SEE_OWN_ACCOUNT)
async def screen_page(view: TheView, event: FromPath[str]) -> Response[str]:
    """Every player's figures with their limits: pictures first, numbers behind."""
    room = await for_screen(view, event)
    games = await games_of(view, room)

    def shown() -> Response[str]:
        screen = screen_of(view, room, games)
        return view.page(_TEMPLATE, **_context(view, room, screen))

    return await to_thread.run_sync(shown)


@hall_page("/hall/{event:str}/screen/report", permission=Permission.SEE_OWN_ACCOUNT)
async def screen_report(view: TheView, event: FromPath[str]) -> Response[bytes]:
    """The same as a file: computed again it has the same bytes."""
    room = await for_screen(view, event)
    games = await games_of(view, room)
    data = await to_thread.run_sync(lambda: screen_of(view, room, games).report())
    headers = {"content-disposition": f'attachment; filename="{event}-screen.json"'}
    return Response(data, media_type="application/json", headers=headers)


@hall_act("/hall/{event:str}/screen/dismiss")
async def dismiss_alarm(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """12.2 — a person has looked at an alarm: it stays dismissed without new games."""
    room = await for_screen(view, event)
    games = await games_of(view, room)

    def dismissed() -> Response[Any]:
        screen = screen_of(view, room, games)
        row = _row_of(screen, form)
        try:
            view.office.fair_play_alarms.dismiss(
                view.asker, room.state, row.entry, row.games, form.text("reason", longest=2000)
            )
        except Refusal as refusal:
            return view.refused(_TEMPLATE, refusal, form=form, **_context(view, room, screen))
        return view.go(f"/hall/{event}/screen", "cases.done.dismissed")

    return await to_thread.run_sync(dismissed)


@hall_act("/hall/{event:str}/screen/case", permission=Permission.JUDGE_FAIR_PLAY)
async def open_case(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """A member opens a case from an alarm; the report of this moment is its first evidence."""
    room = await for_screen(view, event)
    games = await games_of(view, room)

    def opened() -> Response[Any]:
        screen = screen_of(view, room, games)
        row, cases = _row_of(screen, form), view.office.cases
        try:
            case = cases.open_case(
                view.asker,
                room.state,
                row.entry,
                CaseOrigin.ALARM,
                form.text("subject", longest=8000),
            )
            cases.add_evidence(
                view.asker,
                case.number,
                room.state,
                f"{event}-screen.json",
                screen.report(),
                media_type="application/json",
            )
        except Refusal as refusal:
            return view.refused(_TEMPLATE, refusal, form=form, **_context(view, room, screen))
        return view.go(f"/committee/cases/{case.number}", "cases.done.opened")

    return await to_thread.run_sync(opened)


def _row_of(screen: EventScreen, form: Form) -> ScreenRow:
    """The player that a form is about. Raises `NotFound`."""
    entry = form.integer("entry", needed=True, least=1)
    row = next((row for row in screen.rows if row.entry == entry), None)
    if row is None:
        raise NotFound.of("watch.for_few")
    return row


async def for_screen(view: View, event: str) -> EventReader:
    """The event, for its chief arbiter and the committee. Raises `NotFound` for others.

    12.2, 5.17 — while the tournament lasts nobody else learns even that there is something to see.
    """
    room = await event_of(view, event)
    account = room.account_of(view.asker)
    is_chief = bool(account) and EventRole.CHIEF in room.state.roles(account)
    if room.state.entry_of(account) is not None:  # 5.17 — whoever else they are, they play in it
        raise NotFound.of("watch.for_few")
    committee = view.office.committee
    if is_chief or await to_thread.run_sync(committee.is_member, view.asker.account):
        return room
    raise NotFound.of("watch.for_few")


def screen_of(view: View, room: EventReader, games: list[GameState]) -> EventScreen:
    """The screen of an event as it can be told now."""
    settings = watch_settings_from()
    with view.office.desk.database.reading() as connection:
        nodes = nodes_to_show(watched_games.nodes_of(connection, room.id), settings.nodes)
        queued = watched_games.of_event(connection, room.id, nodes)
    return event_screen(room.state, games, queued, baseline_to_use(settings.baseline))


def _context(view: View, room: EventReader, screen: EventScreen) -> dict[str, Any]:
    settings = watch_settings_from()
    dismissed = view.office.fair_play_alarms.dismissed(room.id)
    dismissed_rows = [(row, dismissal_of(dismissed, row.entry, row.games)) for row in screen.rows]
    return {
        "alarms": [row for row, holds in dismissed_rows if row.stands_out and holds is None],
        "dismissed": [(row, holds) for row, holds in dismissed_rows if holds is not None],
        "is_member": view.may(Permission.JUDGE_FAIR_PLAY),
        "local": lambda moment: local_text(view.language, moment),
        "event": room.id,
        "name": room.state.created.name,
        "screen": screen,
        "late": settings.late,
        "has_engine": settings.is_on,
        "calibration": calibration_of(settings.baseline),
        "trouble": engine_trouble(view.office.folder, view.office.desk.now()),
        "charts": [_chart(view, screen, name) for name in FIGURES],
        "decimal": lambda value: number(view.language, f"{value:g}"),
        "bins": difficulty_heads(),
    }


def difficulty_heads() -> list[str]:
    """The bins of difficulty in per cent, from decisions with several good moves."""
    edges = [edge // 10 for edge in GAPS]
    middle = [f"{low}–{high} %" for low, high in pairwise(edges)]
    return [f"< {edges[0]} %", *middle, f"≥ {edges[-1]} %"]


def _chart(view: View, screen: EventScreen, name: str) -> Chart:
    t = view.t
    rows: list[IntervalRow] = []
    table: list[tuple[str, ...]] = []
    for row in screen.rows:
        player = row.screened
        figure = (
            None if player is None else next((f for f in player.figures if f.name == name), None)
        )
        if player is None or figure is None:
            table.append((row.name, "0", "–", "–", "–", "–", t("watch.screen.too_few")))
            continue
        beside = t("watch.screen.too_few") if player.too_few else power_ranges(figure)
        rows.append(figure_row(row.name, figure, beside, is_faint=player.too_few))
        table.append(figure_cells(view, row.name, figure, is_few=player.too_few))
    heads = ("player", "decisions", "seen", "interval", "expected", "z", "power")
    return interval_chart(
        view.language,
        t(f"watch.screen.figure.{name}"),
        tuple(t(f"watch.screen.head.{head}") for head in heads),
        rows,
        table,
        beside=t("watch.screen.found_at"),
        source=t(f"watch.screen.about.{name}"),
        legend=(("a", t("watch.screen.seen")), ("c", t("watch.screen.expected"))),
    )


def figure_row(name: str, figure: Figure, beside: str, *, is_faint: bool) -> IntervalRow:
    scale = _IN_PERCENT[figure.name]
    expected = None if figure.expected is None else round(figure.expected * scale)
    return IntervalRow(
        name,
        round(figure.low * scale),
        round(figure.seen * scale),
        round(figure.high * scale),
        expected,
        beside,
        is_faint,
    )


def figure_cells(view: View, name: str, figure: Figure, *, is_few: bool) -> tuple[str, ...]:
    def shown(value: float | None) -> str:
        if value is None:
            return "–"
        return percent(view.language, round(value * _IN_PERCENT[figure.name]))

    z = "–" if figure.z is None else number(view.language, f"{figure.z:.2f}")
    beyond = f" ({view.t('watch.screen.beyond')})" if figure.stands_out else ""
    interval = f"{shown(figure.low)} – {shown(figure.high)}"
    seen, expected = shown(figure.seen), shown(figure.expected)
    found = view.t("watch.screen.too_few") if is_few else power_text(figure)
    return name, str(figure.decisions), seen, interval, expected, f"{z}{beyond}", found


def power_text(figure: Figure) -> str:
    """The chances to be found with help in 30, 50 and 100 % of the moves, with their intervals."""
    if not figure.power:
        return "–"
    return " / ".join(f"{round(100 * power.chance)} % ({_range(power)})" for power in figure.power)


def power_ranges(figure: Figure) -> str:
    """The same in as little room as a drawing has: only between what each chance lies."""
    if not figure.power:
        return "–"
    return " / ".join(_range(power) for power in figure.power)


def _range(power: Power) -> str:
    low, high = round(100 * power.low), round(100 * power.high)
    return f"{low}–{high}" if low < high else f"{low}"
