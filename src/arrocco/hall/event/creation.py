"""An event begins: the first record of its log."""

from __future__ import annotations

from datetime import date, datetime

from arrocco.errors import NoLawInForce
from arrocco.hall.event.acts.base import Command
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.objections import MAX_TEXT
from arrocco.hall.event.record import Created
from arrocco.laws.hall import laws_on
from arrocco.moments import instant


class Create(Command, frozen=True, kw_only=True):
    """A new event, organised by whoever asks and by `organisers`."""

    event: str
    name: str
    site: str = ""
    federation: str = ""
    start: date
    end: date
    organisers: tuple[str, ...] = ()


def create(command: Create, now: datetime) -> Decision:
    """The first record of a log, or why there can be no such event."""
    instant(now)
    if not command.by:
        return refused("organiser_needed")
    if not (command.event.strip() and command.name.strip()):
        return refused("name_needed")
    if max(len(command.name), len(command.site)) > MAX_TEXT:
        return refused("text_too_long", most=MAX_TEXT)
    if command.end < command.start:
        return refused("ends_before_it_starts", start=command.start, end=command.end)
    try:
        laws_on(command.start)
    except NoLawInForce:
        return refused("no_law_in_force", start=command.start)
    others = [
        organiser for organiser in command.organisers if organiser and organiser != command.by
    ]
    return happened(
        Created(
            **command.signed(now),
            event=command.event,
            name=command.name.strip(),
            site=command.site.strip(),
            federation=command.federation.strip(),
            start=command.start,
            end=command.end,
            organisers=(command.by, *dict.fromkeys(others)),
        )
    )
