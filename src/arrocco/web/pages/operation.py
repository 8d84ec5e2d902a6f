"""How the server does: its alarms and checks, the site, the hall, the machine."""

from __future__ import annotations

from datetime import UTC, datetime

from litestar import Response
from markupsafe import Markup, escape

from arrocco.live.numbers import HallNumbers
from arrocco.live.process_numbers import ProcessNumbers
from arrocco.live.tally import Spread
from arrocco.office.roles import Permission
from arrocco.operation import logs
from arrocco.operation.disk import gigabytes
from arrocco.operation.observation import Observation
from arrocco.operation.operation import Operation
from arrocco.web import writing
from arrocco.web.routes import page
from arrocco.web.view import TheView, View

Facts = list[tuple[str, str]]


@page("/operation", permission=Permission.SEE_OPERATION)
def operation(view: TheView) -> Response[str]:
    """What there is to see of the running server."""
    running: Operation = view.request.app.state.operation
    seen = running.watch.look()
    hall = None if seen.hall is None else _hall(view, seen.hall)
    return view.page(
        "operation/page.html",
        seen=seen,
        alarms=running.watch.alarms,
        site=_site(view, running, seen),
        hall=hall,
        machine=_machine(view, seen),
    )


def _site(view: View, running: Operation, seen: Observation) -> Facts:
    counts = logs.counts
    errors = sum(counts.by_level.get(level, 0) for level in ("error", "critical"))
    last = _t(view, "never")
    if counts.last_error:
        last = _moment(view, counts.last_error)
        if counts.last_error_request:
            last += " · " + _t(view, "request", id=counts.last_error_request)
    pages = running.pages
    return [
        (_t(view, "version"), running.version),
        *_process(view, seen.process),
        (_t(view, "answered"), writing.count(view.language, pages.answered)),
        (_t(view, "under_way"), writing.count(view.language, pages.now_under_way)),
        (_t(view, "defects"), writing.count(view.language, pages.failures)),
        (_t(view, "errors"), writing.count(view.language, errors)),
        (_t(view, "last_error"), last),
    ]


def _process(view: View, process: ProcessNumbers) -> Facts:
    jumps = writing.count(view.language, process.clock_jumps)
    if process.clock_jumps:
        offset = f"{process.clock_offset_seconds:+.1f}"
        jumps = _t(view, "clock_off", count=jumps, seconds=offset)
    return [
        (_t(view, "up_since"), _moment(view, process.started)),
        (_t(view, "memory"), _t(view, "megabytes", value=process.memory_bytes // 10**6)),
        (_t(view, "processor"), _t(view, "seconds", value=f"{process.cpu_seconds:.0f}")),
        (
            _t(view, "files"),
            _t(view, "files_of", open=process.open_files, most=process.max_open_files),
        ),
        (_t(view, "lag"), _milliseconds(view, process.loop_lag_seconds)),
        (_t(view, "clock"), jumps),
    ]


def _hall(view: View, hall: HallNumbers) -> Facts:
    own = hall.process
    process = _t(view, "same_process") if own is None else _t(view, "own_process", pid=own.pid)
    waiting = _t(
        view, "queues_of", disk=hall.journal_queue, rooms=hall.room_queue, judge=hall.thinking_queue
    )
    games = _t(
        view, "games_all", running=hall.games.get("running", 0), all=sum(hall.games.values())
    )
    return [
        (_t(view, "version"), hall.version),
        (_t(view, "process"), process),
        *([] if own is None else _process(view, own)),
        (_t(view, "games"), games),
        (_t(view, "events"), writing.count(view.language, hall.events)),
        (_t(view, "sockets"), writing.count(view.language, hall.sockets)),
        (_t(view, "moves"), writing.count(view.language, hall.moves)),
        (_t(view, "queues"), waiting),
        (_t(view, "commits"), _spread(view, "commit_time", hall.commit_seconds)),
        (_t(view, "failed_writes"), writing.count(view.language, hall.failed_writes)),
        (_t(view, "flags"), _spread(view, "flags_late", hall.flag_lateness)),
    ]


def _machine(view: View, seen: Observation) -> Facts:
    facts: Facts = []
    database = seen.database
    if database is not None:
        lists = sum(database.lists.values())
        facts += [
            (_t(view, "database"), f"{database.kind} {database.version}"),
            (_t(view, "schema"), database.revision),
            (_t(view, "answer"), _milliseconds(view, database.seconds)),
            (_t(view, "entries"), writing.count(view.language, database.entries)),
            (_t(view, "lists"), writing.count(view.language, lists)),
        ]
    if seen.disk is not None:
        free, total = gigabytes(seen.disk.free), gigabytes(seen.disk.total)
        facts.append((_t(view, "disk"), _t(view, "disk_free", free=free, total=total)))
    backup = _t(view, "no_backup")
    if seen.backup is not None:
        at, file = writing.moment(view.language, seen.backup.at), seen.backup.file
        backup = Markup("{}<br><span class='hint'>{}</span>").format(at, escape(file))
    facts.append((_t(view, "backup"), backup))
    return facts


def _spread(view: View, key: str, spread: Spread) -> str:
    total = spread.total
    if not total:
        return writing.count(view.language, 0)
    return _t(
        view,
        key,
        count=writing.count(view.language, total),
        mean=f"{1000 * spread.sum / total:.1f}",
        most=f"{1000 * spread.largest:.0f}",
    )


def _milliseconds(view: View, seconds: float) -> str:
    return _t(view, "milliseconds", value=f"{1000 * seconds:.1f}")


def _moment(view: View, seconds: float) -> str:
    return writing.moment(view.language, datetime.fromtimestamp(seconds, UTC))


def _t(view: View, key: str, **details: object) -> str:
    return view.t(f"operation.page.{key}", **details)
