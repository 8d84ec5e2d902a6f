"""The first steps of a new office: which of them are neither done nor left for later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from arrocco.desk.settings import READY, STEPS
from arrocco.laws.systems import SYSTEMS
from arrocco.office.roles import Asker, Permission, may
from arrocco.store.sql import accounts

if TYPE_CHECKING:
    from arrocco.desk import Office


def steps_left(office: Office, asker: Asker) -> list[str]:
    """What somebody who manages the office has still to do; nothing for anybody else."""
    if not may(asker, Permission.MANAGE_OFFICE):
        return []
    over = office.settings.get().steps_done
    if all(step in over for step in STEPS):
        return []
    done = {*over, *_seen(office, asker)}
    return [step for step in STEPS if step not in done]


def next_step(office: Office, asker: Asker) -> str:
    """What the head of a new office is led to after something was done; empty for nothing.

    After the last step that is the page that says so, until it was read. Who went through all of
    them one by one came to it already.
    """
    if not may(asker, Permission.MANAGE_OFFICE):
        return ""
    over = office.settings.get().steps_done
    if READY in over or all(step in over for step in STEPS):
        return ""
    left = steps_left(office, asker)
    return left[0] if left else READY


def _seen(office: Office, asker: Asker) -> Iterator[str]:
    """The steps whose outcome is there, wherever it was done."""
    settings = office.settings.get()
    if settings.name_en or settings.name_it:
        yield "identity"
    if any(office.lists.latest(system) is not None for system in SYSTEMS):
        yield "list"
    with office.desk.database.reading() as connection:
        people = accounts.count(connection)
    if people > 1 or office.accounts.waiting(asker):
        yield "people"
    if office.tournaments.search(asker, limit=1)[0]:
        yield "tournament"
