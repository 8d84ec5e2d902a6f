"""The event itself, its rules and its arbiters (6.3)."""

from __future__ import annotations

from datetime import datetime

from arrocco.hall.event import commands as c
from arrocco.hall.event import events as e
from arrocco.hall.event.decision import Decision, happened, objected, refused, signed
from arrocco.hall.event.objections import MOST_TEXT, Laws, objections
from arrocco.hall.event.state import State
from arrocco.laws.online.moments import instant


def create(command: c.Create, now: datetime) -> Decision:
    """The first record of a log, or why there can be no such event."""
    instant(now)
    if not command.by:
        return refused("organiser_needed")
    if not (command.event.strip() and command.name.strip()):
        return refused("name_needed")
    if max(len(command.name), len(command.site)) > MOST_TEXT:
        return refused("text_too_long", most=MOST_TEXT)
    if command.end < command.start:
        return refused("ends_before_it_starts", start=command.start, end=command.end)
    others = [one for one in command.organisers if one and one != command.by]
    return happened(
        e.Created(
            **signed(command, now),
            event=command.event,
            name=command.name.strip(),
            site=command.site.strip(),
            federation=command.federation.strip(),
            start=command.start,
            end=command.end,
            organisers=(command.by, *dict.fromkeys(others)),
        )
    )


def set_rules(state: State, command: c.SetRules, now: datetime, laws: Laws) -> Decision:
    """1.3.3 — the rules say it all in advance: once a round is paired they stand."""
    if state.closed is not None or state.rounds:
        return refused("rules_stand", "1.3.3")
    found = objections(command.rules, laws)
    if found:
        return objected(found)
    return happened(e.RulesSet(**signed(command, now), rules=command.rules))


def appoint_arbiter(state: State, command: c.AppointArbiter, now: datetime, laws: Laws) -> Decision:
    """6.3 — the chief arbiter appoints assistants; the organiser appoints the chief arbiter."""
    new = command.arbiter
    if not (new.account and new.name.strip()):
        return refused("arbiter_without_name", "6.3")
    if state.entry_of(new.account) is not None:
        return refused("arbiter_plays", "6.3", name=new.name)
    appoints_chief = new.chief or (state.chief is not None and new.account == state.chief.account)
    if appoints_chief and command.by not in state.created.organisers:
        return refused("chief_by_organiser", "6.3")
    if not _is_zone(new.zone):
        return refused("no_zone", "6.3")
    return happened(e.ArbiterAppointed(**signed(command, now), arbiter=new))


def dismiss_arbiter(state: State, command: c.DismissArbiter, now: datetime, laws: Laws) -> Decision:
    """An arbiter no longer is one; an event under way keeps its chief arbiter until the next."""
    arbiter = state.arbiter(command.account)
    if arbiter is None:
        return refused("no_such_arbiter", "6.3")
    if arbiter.chief and (state.rounds or command.by not in state.created.organisers):
        return refused("chief_stays", "6.3")
    return happened(e.ArbiterDismissed(**signed(command, now), account=command.account))


def assign_zone(state: State, command: c.AssignZone, now: datetime, laws: Laws) -> Decision:
    """6.3 — which games an assistant watches."""
    arbiter = state.arbiter(command.account)
    if arbiter is None or arbiter.chief:
        return refused("no_such_arbiter", "6.3")
    if not _is_zone(command.zone):
        return refused("no_zone", "6.3")
    return happened(
        e.ZoneAssigned(**signed(command, now), account=command.account, zone=command.zone)
    )


def _is_zone(zone: tuple[int, int] | None) -> bool:
    return zone is None or 1 <= zone[0] <= zone[1]
