"""The desk's start page: what waits for whoever asks, and the one way to each place."""

from __future__ import annotations

from anyio import to_thread
from litestar import Response

from arrocco.desk.inbox import InboxItem
from arrocco.office.roles import Permission
from arrocco.operation.operation import Operation
from arrocco.web.pages.case_waiting import waiting_in_cases
from arrocco.web.pages.hall_common import hall_page, local_text
from arrocco.web.pages.hall_waiting import waiting_in_hall
from arrocco.web.view import TheView, View


def _in_office(view: View) -> list[InboxItem]:
    """What waits in the office; a new one has its first steps before all else."""
    items = [*_alarms(view), *view.office.inbox.of(view.asker)]
    left = view.steps_left
    if left:
        first = InboxItem(
            key="first_steps",
            path="/first-steps",
            count=len(left),
            since=None,
            until=None,
            is_late=False,
        )
        items.insert(0, first)
    return items


def _alarms(view: View) -> list[InboxItem]:
    """What is the matter with the server, for those who look after it."""
    running: Operation | None = getattr(view.request.app.state, "operation", None)
    if running is None or not view.may(Permission.SEE_OPERATION) or not running.watch.alarms:
        return []
    raised = running.watch.alarms
    since = min(alarm.since for alarm in raised)
    return [
        InboxItem(
            key="alarms",
            path="/operation",
            count=len(raised),
            since=since,
            until=None,
            is_late=False,
        )
    ]


@hall_page("/desk", permission=Permission.SEE_OWN_ACCOUNT)
async def inbox(view: TheView) -> Response[str]:
    """What waits in the hall and in the office, since when, until when; the rest behind it."""
    inbox_items = await to_thread.run_sync(_in_office, view)
    items = await waiting_in_hall(view) + await waiting_in_cases(view)
    items += [item for item in inbox_items if view.has(item.path)]
    counts = {item.path: item.count for item in items}
    return view.page(
        "inbox.html",
        items=items,
        counts=counts,
        local=lambda value: local_text(view.language, value),
    )
