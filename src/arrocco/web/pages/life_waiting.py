"""What waits in the life of an event for its chief arbiter and the committee, for the inbox."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from arrocco.desk.filing_parties import FilingParty, party_of
from arrocco.desk.inbox import InboxItem
from arrocco.desk.tournament_life import ErasedRecordings, LifeStep, StepState, life_of
from arrocco.hall.event.state import State
from arrocco.laws.online.filings import FilingKind
from arrocco.web.view import View

_ACTS = {
    LifeStep.VALIDATION: ("to_validate", {"validation"}),
    LifeStep.CHECKS: ("to_check", {"not_declared"}),
    LifeStep.ANNOUNCEMENT: ("to_announce", {"announcement"}),
}
"""Steps that a person takes: the words of each, and what it waits for where nothing else does."""
_FILINGS = {FilingKind.COMPLAINT: "complaints", FilingKind.APPEAL: "appeals"}


def waiting_in_life(view: View, state: State, account: str, now: datetime) -> list[InboxItem]:
    """Complaints and appeals that the asker decides (12.9), steps that nothing else holds up."""
    party = party_of(view.office.desk, view.asker, state, account)
    items = list(_filings(state, party))
    if party.is_chief and state.announced is None:
        # Recordings are a step that nobody is asked for here.
        items += _steps(state, life_of(view.office.desk, state, now, ErasedRecordings()))
    return items


def _filings(state: State, party: FilingParty) -> Iterator[InboxItem]:
    event = f"/hall/{state.created.event}"
    to_decide = [filed for filed in state.filings if party.decides(filed) is not None]
    for kind, key in _FILINGS.items():
        moments = [filed.at for filed in to_decide if filed.kind is kind]
        if moments:
            yield event_item(state, key, f"{event}/filings", count=len(moments), since=min(moments))


def _steps(state: State, steps: list[StepState]) -> Iterator[InboxItem]:
    event = f"/hall/{state.created.event}"
    by_step = {step.step: step for step in steps}
    ended = by_step[LifeStep.LAST_ROUND]
    if ended.is_done and state.closed is None:
        yield event_item(state, "to_close", event, since=ended.at)
    for step, (key, own) in _ACTS.items():
        if not by_step[step].is_done and set(by_step[step].waits) == own:
            yield event_item(state, key, f"{event}/life", since=_since(state, by_step, step))


def _since(state: State, steps: dict[LifeStep, StepState], step: LifeStep) -> datetime | None:
    """Since when a step can be taken, as far as one moment says so."""
    if step is LifeStep.VALIDATION:
        return steps[LifeStep.COMPLAINTS].until
    return state.closed if step is LifeStep.CHECKS else None


def event_item(
    state: State,
    key: str,
    path: str,
    *,
    count: int = 1,
    since: datetime | None = None,
    until: datetime | None = None,
) -> InboxItem:
    """What waits in an event, and the page where it is done."""
    return InboxItem(
        key=key,
        path=path,
        count=count,
        since=since,
        until=until,
        is_late=False,
        about=state.created.name,
    )
