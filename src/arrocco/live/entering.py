"""Who makes an event of which federation, and who enters it under which number."""

from __future__ import annotations

from arrocco.findings import Finding, Severity
from arrocco.hall.event import State as EventState
from arrocco.hall.event.acts import Command as EventCommand
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.records import EventRole
from arrocco.office.roles import Asker, Permission, Subject, require
from arrocco.office.roles import Role as OfficeRole


def federation_of_event(asker: Asker, federation: str) -> str:
    """The federation of an event that somebody makes: an officer's own, whatever is left empty.

    Raises `Forbidden` for one that is not theirs to make.
    """
    if asker.role is OfficeRole.FEDERATION_OFFICER:
        federation = federation or asker.federation
    subject = Subject(federation=federation, owner=asker.account)
    require(asker, Permission.REGISTER_TOURNAMENT, subject)
    return federation


def objection_to_entry(event: EventState, asker: Asker, command: EventCommand) -> Finding | None:
    """5.4 — who enters themselves does so under the federation's number of their own account.

    Games are rated under the number of the entry: another's would change another's rating.
    Officials answer for whomever they enter, as for a report that they send.
    """
    if not isinstance(command, Enter) or not enters_themselves(event, command):
        return None
    if command.person.id in (None, asker.player):
        return None
    return Finding(Severity.ERROR, "event.not_about_you", article="5.4")


def enters_themselves(event: EventState, command: Enter) -> bool:
    """Whether whoever enters is no official, who may enter others."""
    return event.role(command.by) not in (EventRole.ORGANISER, EventRole.CHIEF)
