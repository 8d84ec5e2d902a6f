"""6.3 — the rules of an event, and its arbiters."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from arrocco.hall.event.acts.base import OFFICIALS, ActRecord, Command
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, objected, refused
from arrocco.hall.event.objections import objections
from arrocco.hall.event.records import Arbiter, EventRole, Pair
from arrocco.hall.event.rules import Rules
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws


class SetRules(Command, frozen=True, kw_only=True):
    """The rules of the competition, until its first round is paired."""

    MAY = frozenset({EventRole.ORGANISER})

    rules: Rules

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """1.3.3 — the rules say it all in advance: once a round is paired they stand."""
        if state.closed is not None or state.rounds:
            return refused("rules_stand", "1.3.3")
        findings = objections(self.rules, laws)
        if findings:
            return objected(findings)
        return happened(RulesSet(**self.signed(now), rules=self.rules))


class RulesSet(ActRecord, frozen=True, kw_only=True):
    """The rules of the competition, as they are announced."""

    rules: Rules

    def changes(self, state: State) -> Changes:
        return {"rules": self.rules}


class AppointArbiter(Command, frozen=True, kw_only=True):
    """Makes somebody an arbiter, or the chief arbiter (6.3)."""

    MAY = OFFICIALS

    arbiter: Arbiter

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """6.3 — the chief arbiter appoints assistants; the organiser appoints the chief arbiter."""
        new = self.arbiter
        if not (new.account and new.name.strip()):
            return refused("arbiter_without_name", "6.3")
        if state.entry_of(new.account) is not None:
            return refused("arbiter_plays", "6.3", name=new.name)
        appoints_chief = new.chief or (
            state.chief is not None and new.account == state.chief.account
        )
        if appoints_chief and self.by not in state.created.organisers:
            return refused("chief_by_organiser", "6.3")
        if not _is_zone(new.zone):
            return refused("no_zone", "6.3")
        return happened(ArbiterAppointed(**self.signed(now), arbiter=new))


class ArbiterAppointed(ActRecord, frozen=True, kw_only=True):
    """Somebody is an arbiter of the event; a new chief arbiter takes the old one's place."""

    CHANGES_PEOPLE = True
    CHANGES_ARBITERS = True

    arbiter: Arbiter

    def changes(self, state: State) -> Changes:
        new = self.arbiter
        others = [arbiter for arbiter in state.arbiters if arbiter.account != new.account]
        if new.chief:
            others = [replace(other, chief=False) for other in others]
        return {"arbiters": (*others, new)}

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", self.arbiter.name),)


class DismissArbiter(Command, frozen=True, kw_only=True):
    MAY = OFFICIALS

    account: str

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """An arbiter no longer is one; an event under way keeps its chief until the next."""
        arbiter = state.arbiter(self.account)
        if arbiter is None:
            return refused("no_such_arbiter", "6.3")
        if arbiter.chief and (state.rounds or self.by not in state.created.organisers):
            return refused("chief_stays", "6.3")
        return happened(ArbiterDismissed(**self.signed(now), account=self.account))


class ArbiterDismissed(ActRecord, frozen=True, kw_only=True):
    CHANGES_PEOPLE = True
    CHANGES_ARBITERS = True

    account: str

    def changes(self, state: State) -> Changes:
        return {
            "arbiters": tuple(
                arbiter for arbiter in state.arbiters if arbiter.account != self.account
            )
        }

    def is_possible(self, state: State) -> bool:
        return state.arbiter(self.account) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("account", self.account),)


class AssignZone(Command, frozen=True, kw_only=True):
    """Gives an assistant the boards from the first to the last, or with `None` all (6.3)."""

    MAY = frozenset({EventRole.CHIEF})

    account: str
    zone: Pair | None = None

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """6.3 — which games an assistant watches."""
        arbiter = state.arbiter(self.account)
        if arbiter is None or arbiter.chief:
            return refused("no_such_arbiter", "6.3")
        if not _is_zone(self.zone):
            return refused("no_zone", "6.3")
        return happened(ZoneAssigned(**self.signed(now), account=self.account, zone=self.zone))


class ZoneAssigned(ActRecord, frozen=True, kw_only=True):
    """6.3 — an assistant watches some boards, or all."""

    CHANGES_ARBITERS = True

    account: str
    zone: Pair | None = None

    def changes(self, state: State) -> Changes:
        return {
            "arbiters": tuple(
                replace(arbiter, zone=self.zone) if arbiter.account == self.account else arbiter
                for arbiter in state.arbiters
            )
        }

    def is_possible(self, state: State) -> bool:
        return state.arbiter(self.account) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        zone = () if self.zone is None else (Detail("text", f"{self.zone[0]}–{self.zone[1]}"),)
        return (Detail("account", self.account), *zone)


def _is_zone(zone: tuple[int, int] | None) -> bool:
    return zone is None or 1 <= zone[0] <= zone[1]
