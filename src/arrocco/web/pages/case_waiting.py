"""Cases of the committee in the inbox of whoever they wait for (13.1, 13.3)."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from anyio import to_thread

from arrocco.desk.case_inbox import CaseWork, WaitingCase, events_with_cases, waiting_cases
from arrocco.desk.case_ratings import WaitingRatings
from arrocco.desk.inbox import InboxItem
from arrocco.errors import Refusal
from arrocco.web.pages.hall_common import hall_of
from arrocco.web.view import View

MAX_EVENTS = 20
"""Events with cases that are looked at, those of the newest cases first."""


async def waiting_in_cases(view: View) -> list[InboxItem]:
    """What waits for the asker: a member's cases as one line, a signature or a statement each."""
    account, desk = view.asker.account, view.office.desk
    if account is None:
        return []
    ratings = view.office.case_ratings.waiting
    now, to_decide = desk.now(), list[WaitingCase]()
    items: list[InboxItem] = []
    for name in (await to_thread.run_sync(events_with_cases, desk))[:MAX_EVENTS]:
        with suppress(Refusal):  # a log that cannot be read is told of on the pages of the hall
            event = await hall_of(view).find_event(name)
            if event is None:
                continue
            look = partial(waiting_cases, desk, account, event.state, now)
            for waiting in await to_thread.run_sync(ratings, view.asker, event.state):
                items.append(_ratings_item(waiting, event.state.created.name))
            for waiting_case in await to_thread.run_sync(look):
                if waiting_case.work is CaseWork.DECIDE:
                    to_decide.append(waiting_case)
                else:
                    items.append(_item([waiting_case], event.state.created.name))
    return [*items, _item(to_decide)] if to_decide else items


def _ratings_item(waiting: WaitingRatings, about: str) -> InboxItem:
    """12.13 — results that a decision has changed, for the officers of ratings."""
    return InboxItem(
        key="case_ratings",
        path=f"/desk/case-ratings/{waiting.case}",
        count=1,
        since=waiting.since,
        until=None,
        is_late=False,
        about=about,
    )


def _item(found: list[WaitingCase], about: str = "") -> InboxItem:
    deadlines = [waiting_case.until for waiting_case in found if waiting_case.until is not None]
    first = found[0]
    is_list = first.work is CaseWork.DECIDE
    path = "/committee/cases" if is_list else f"/committee/cases/{first.number}"
    return InboxItem(
        key=first.work.value,
        path=path,
        count=len(found),
        since=min(waiting_case.since for waiting_case in found),
        until=min(deadlines, default=None),
        is_late=False,
        about=about,
    )
