"""12.3, 12.6, 12.9 — what is final when: the steps of a tournament after its last round."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from arrocco.desk.desk import Desk
from arrocco.desk.open_matters import checks_complete, missing_checks, open_matters
from arrocco.desk.watched_checks import unwatched_games
from arrocco.hall.event.acts.closing import appeals_until, complaints_from, complaints_until
from arrocco.hall.event.acts.official import announcement_waits_for
from arrocco.hall.event.state import State
from arrocco.laws.online.filings import FilingKind


class LifeStep(StrEnum):
    """The steps, in their order."""

    LAST_ROUND = "last_round"
    COMPLAINTS = "complaints"
    VALIDATION = "validation"
    APPEALS = "appeals"
    CHECKS = "checks"
    ANNOUNCEMENT = "announcement"
    PRIZES = "prizes"
    RECORDINGS = "recordings"


class StepState(Struct, frozen=True, kw_only=True):
    """A step: since when it is done, until when it lasts, and what it waits for."""

    step: LifeStep
    article: str
    is_done: bool
    at: datetime | None = None
    until: datetime | None = None
    waits: tuple[str, ...] = ()
    """Keys of what guards it: what has to happen first."""


class ErasedRecordings(Struct, frozen=True, kw_only=True):
    """What is known of an event's recordings: how many are kept, when others were erased."""

    kept: int = 0
    erased: datetime | None = None


def life_of(
    desk: Desk, event: State, now: datetime, recordings: ErasedRecordings
) -> list[StepState]:
    """The life of a tournament on one page."""
    laws = event.laws
    ended, until = complaints_from(event, laws), complaints_until(event, laws)
    appeals = appeals_until(event, laws)
    matters = {matter.kind.value for matter in open_matters(desk, event)}
    unwatched = _count_unwatched(desk, event)
    is_over = ended is not None
    no_complaints = ended is not None and laws.online.hours_are_over(
        FilingKind.COMPLAINT, ended, now
    )
    no_appeals = event.validated is not None and laws.online.hours_are_over(
        FilingKind.APPEAL, event.validated, now
    )
    return [
        StepState(
            step=LifeStep.LAST_ROUND,
            article="12.9",
            is_done=is_over,
            at=ended,
            waits=() if is_over else ("rounds",),
        ),
        StepState(
            step=LifeStep.COMPLAINTS,
            article="12.9",
            until=until,
            is_done=no_complaints and "complaint" not in matters,
            waits=_waits(
                (not is_over, "rounds"),
                (is_over and not no_complaints, "hours"),
                ("complaint" in matters, "complaint"),
            ),
        ),
        StepState(
            step=LifeStep.VALIDATION,
            article="12.9",
            is_done=event.validated is not None,
            at=event.validated,
            waits=_waits(
                (event.validated is None and not no_complaints, "complaint_hours"),
                (event.closed is None, "not_closed"),
                ("complaint" in matters, "complaint"),
                (event.validated is None, "validation"),
            ),
        ),
        StepState(
            step=LifeStep.APPEALS,
            article="12.9",
            until=appeals,
            is_done=no_appeals and "appeal" not in matters,
            waits=_waits(
                (event.validated is None, "validation"),
                (event.validated is not None and not no_appeals, "hours"),
                ("appeal" in matters, "appeal"),
            ),
        ),
        StepState(
            step=LifeStep.CHECKS,
            article="12.1, 12.6",
            at=event.checked,
            is_done=checks_complete(desk, event) and not unwatched,
            waits=(
                *(missing.value for missing in missing_checks(desk, event)),
                *_waits((unwatched > 0, "unwatched")),
            ),
        ),
        StepState(
            step=LifeStep.ANNOUNCEMENT,
            article="12.3",
            is_done=event.announced is not None,
            at=event.announced,
            waits=official_waits_for(desk, event, now),
        ),
        StepState(
            step=LifeStep.PRIZES,
            article="12.6",
            is_done=prizes_released(desk, event),
            at=event.announced if prizes_released(desk, event) else None,
            waits=prizes_wait_for(desk, event),
        ),
        StepState(
            step=LifeStep.RECORDINGS,
            article="12.3",
            is_done=recordings.kept == 0 and event.announced is not None,
            at=recordings.erased,
            waits=_waits(
                (event.announced is None, "announcement"),
                (event.announced is not None and recordings.kept > 0, "erasure"),
            ),
        ),
    ]


def official_waits_for(desk: Desk, event: State, now: datetime) -> tuple[str, ...]:
    """12.3 — what the official announcement waits for, and with it the end of the recordings: a
    filing or a case that is open keeps them."""
    if event.announced is not None:
        return ()
    official = announcement_waits_for(
        event,
        now,
        event.laws,
        len(open_matters(desk, event)),
        checks_complete=checks_complete(desk, event),
    )
    return *(reason.key for reason in official), "announcement"


def prizes_released(desk: Desk, event: State) -> bool:
    """12.6 — whether prizes are awarded: results official, every game checked, nothing open."""
    return not prizes_wait_for(desk, event)


def prizes_wait_for(desk: Desk, event: State) -> tuple[str, ...]:
    """12.6 — what keeps prizes held."""
    unwatched, matters = _count_unwatched(desk, event), len(open_matters(desk, event))
    may = event.laws.online.prizes_may_be_awarded(games_to_check=unwatched, open_cases=matters)
    return _waits(
        (event.announced is None, "announcement"),
        (not may and unwatched > 0, "unwatched"),
        (not may and matters > 0, "matters_open"),
    )


def _count_unwatched(desk: Desk, event: State) -> int:
    with desk.database.reading() as connection:
        return len(unwatched_games(connection, event))


def _waits(*reasons: tuple[bool, str]) -> tuple[str, ...]:
    return tuple(key for applies, key in reasons if applies)
