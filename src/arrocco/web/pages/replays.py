"""Replays: the history of a system under another regulation, for officers to ask, all to see."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from arrocco.desk.replay_files import KEPT
from arrocco.desk.replay_records import Replay, ReplayStatus
from arrocco.errors import NotFound, Refusal
from arrocco.laws.systems import SYSTEMS, RatingSystem, system_named
from arrocco.office.findings import details_of
from arrocco.office.replaying import offers
from arrocco.office.roles import Permission
from arrocco.web import writing
from arrocco.web.forms import Form
from arrocco.web.pages.replay_shown import FILES, csv_of, named, offered, shown
from arrocco.web.routes import PERMISSION, act, page
from arrocco.web.view import TheForm, TheView, View

HERE = "/statistics/replays"
SIGNS = {
    ReplayStatus.WAITING: "waiting",
    ReplayStatus.RUNNING: "running",
    ReplayStatus.DONE: "done",
    ReplayStatus.FAILED: "error",
    ReplayStatus.CANCELLED: "off",
    ReplayStatus.INTERRUPTED: "warning",
}


@page(HERE, permission=Permission.LOOK_UP)
def replays(view: TheView) -> Response[str]:
    """All replays that are kept, and a form to ask for one."""
    form = Form(dict(view.request.query_params.items()), view.language)
    return view.page("replays/all.html", **_all(view, form))


@act(HERE, permission=Permission.REPLAY)
def ask(view: TheView, form: TheForm) -> Response[Any]:
    """Asks for a replay."""
    first, last = form.day("first", needed=True), form.day("last", needed=True)
    system, other = form.text("system", needed=True), form.text("other", needed=True)
    if not form.ok or first is None or last is None:
        return view.page("replays/all.html", status=422, **_all(view, form))
    try:
        number = view.office.replays.ask(view.asker, system, first, last, other)
    except Refusal as refusal:
        return view.refused("replays/all.html", refusal, **_all(view, form))
    return view.go(f"{HERE}/{number}", "replay_pages.asked", number=number)


@page(HERE + "/{number:int}", permission=Permission.LOOK_UP)
def replay(view: TheView, number: FromPath[int]) -> Response[str]:
    """What a replay was asked for, and what it found."""
    row = view.office.replays.get(number)
    if row.status is ReplayStatus.WAITING:
        view.office.replays.work_on_waiting()
    return view.page("replays/one.html", **_one(view, row))


@page(HERE + "/{number:int}/progress", permission=Permission.LOOK_UP)
def progress(view: TheView, number: FromPath[int]) -> Response[str]:
    """How far a replay is, for the page that waits for it."""
    row = view.office.replays.get(number)
    answer = view.partial("replays/_progress.html", replay=row)
    if not row.status.is_open:
        answer.headers["hx-refresh"] = "true"
    return answer


@act(HERE + "/{number:int}/cancel", permission=Permission.REPLAY)
def cancel(view: TheView, number: FromPath[int]) -> Response[Any]:
    """Stops a replay."""
    try:
        view.office.replays.cancel(view.asker, number)
    except Refusal as refusal:
        row = view.office.replays.get(number)
        return view.refused("replays/one.html", refusal, **_one(view, row))
    return view.go(f"{HERE}/{number}", "replay_pages.cancelled", number=number)


@get(
    HERE + "/{number:int}/files/{file:str}",
    opt={PERMISSION: Permission.LOOK_UP},
    include_in_schema=False,
    sync_to_thread=True,
)
def figures(view: TheView, number: FromPath[int], file: FromPath[str]) -> Response[bytes]:
    """What a replay found as a table of text."""
    if file not in FILES:
        raise NotFound.of("statistics_pages.refused.no_table", file=file[:60], known=FILES)
    path = view.office.replays.players(number)
    body = csv_of(view.office.replays.get(number), path, file)
    name = f"replay-{number}-{file}"
    return Response(
        body,
        media_type="text/csv",
        headers={
            "content-disposition": f'attachment; filename="{name}"',
            "cache-control": "no-cache",
        },
    )


# --- what the templates are given -----------------------------------------------------------------


def _all(view: View, form: Form) -> dict[str, Any]:
    made = view.office.replays.days()
    ready = [system for key, system in SYSTEMS.items() if key in made]
    chosen = _chosen(form.value("system"), ready)
    days = made[chosen.key] if chosen else []
    return {
        "form": form,
        "replays": [
            (replay, named(view, replay.asked.other)) for replay in view.office.replays.all()
        ],
        "kept": KEPT,
        "signs": SIGNS,
        "systems": [
            (rating_system.key, view.t(f"web.system.{rating_system.key}"))
            for rating_system in ready
        ],
        "chosen": chosen,
        "days": [(day.isoformat(), writing.day(view.language, day)) for day in days],
        "groups": offered(view, offers(chosen)) if chosen else [],
    }


def _chosen(key: str, ready: list[RatingSystem]) -> RatingSystem | None:
    if key in SYSTEMS and system_named(key) in ready:
        return system_named(key)
    return ready[0] if ready else None


def _one(view: View, found: Replay) -> dict[str, Any]:
    failure = found.ended.failure if found.ended else None
    may_cancel = found.status.is_open and (
        view.may(Permission.BUILD_LIST)
        or (view.may(Permission.REPLAY) and view.asker.account == found.asked.by)
    )
    return {
        "replay": found,
        "signs": SIGNS,
        "other": named(view, found.asked.other),
        "failure": Refusal.of(failure.key, **details_of(failure.details)) if failure else None,
        "may_cancel": may_cancel,
        "shown": shown(view, found) if found.found else None,
        "files": FILES,
    }
