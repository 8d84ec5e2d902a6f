"""Drafts of lists, made in a process for heavy work: in their own queue, one at a time."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import date

from arrocco.desk import Office
from arrocco.desk.heavy_tasks import in_office, place_of
from arrocco.errors import Refusal
from arrocco.operation.heavy import HeavyWork, Job, JobFailed
from arrocco.web.heavy import lanes_of, owner_of
from arrocco.web.view import View


def begin_draft(view: View, system: str, list_date: date) -> int:
    """Enters a draft and has it made when its turn comes; its number. Raises `Refusal`."""
    office, queue = view.office, lanes_of(view).drafts
    with ExitStack() as until_made:
        number = office.lists.enter_draft(view.asker, system, list_date, until_made)
        try:
            job = queue.submit(owner_of(view.asker), in_office, place_of(office), _make, number)
        except Refusal as refusal:
            office.lists.draft_stopped(number, refusal)
            raise
        place = until_made.pop_all()
    job.future.add_done_callback(lambda _: _ended(office, queue, job, number, place))
    return number


def _make(office: Office, number: int) -> None:
    """Makes a draft; what becomes of it is written down with it."""
    office.lists.run_draft(number)


def _ended(office: Office, queue: HeavyWork, job: Job, number: int, place: ExitStack) -> None:
    """Gives the place of a draft back, and writes down that its process was stopped."""
    with place:
        queue.forget(job)
        outcome = job.outcome()
        # Where the server ends, whoever opens the office next finds that nobody works on it.
        if isinstance(outcome, JobFailed):
            office.lists.draft_stopped(number, outcome)
