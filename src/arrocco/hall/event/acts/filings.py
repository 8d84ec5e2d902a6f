"""12.9 to 12.11 — a complaint or an appeal comes in, judged at once by the regulation."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from arrocco.hall.event.acts.base import EVERYBODY, ActRecord, Command
from arrocco.hall.event.acts.closing import complaints_from
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.filings import (
    MAX_TEXT,
    FiledPaper,
    FilingFacts,
    FilingWay,
    Ground,
    Paper,
    as_law_sees,
)
from arrocco.hall.event.record import Moment
from arrocco.hall.event.records import EntryId, Positive
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws
from arrocco.laws.online.filings import Filer, FilingKind

MAX_OF_ACCOUNT = 20
MAX_OF_STRANGER = 3
"""Filings of somebody who has no part in the event: each is written down, and not considered."""
MAX_OF_EVENT = 500
MAX_ABOUT = 20


class SubmitFiling(Command, frozen=True, kw_only=True):
    """A complaint or an appeal, with what the server knows of whoever files it.

    `filer` is another account than `by` where an addressee hands in what reached them.
    """

    MAY = EVERYBODY
    FROM_PAGES = True
    REFUSED_ELSEWHERE = ("event.filings_on_pages", "12.9")

    kind: FilingKind
    way: FilingWay
    text: Annotated[str, Meta(max_length=MAX_TEXT)]
    grounds: Annotated[tuple[Ground, ...], Meta(max_length=len(Ground))] = ()
    about: Annotated[tuple[EntryId, ...], Meta(max_length=MAX_ABOUT)] = ()
    round: Positive | None = None
    filer: str
    name: Annotated[str, Meta(max_length=200)] = ""
    received: Moment | None = None
    """When it reached the addressee, where that was before it came here."""
    has_federation_id: bool = False
    is_member: bool = False
    right_addressee: bool = True
    message: Paper | None = None
    receipt: Paper | None = None

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """12.9, 12.11 — nothing is turned away: what is not considered is written down as such."""
        if not self.text.strip():
            return refused("reason_needed", "12.10")
        if any(state.entry(number) is None for number in self.about):
            return refused("no_such_entry", entry="-")
        if self.round is not None and state.round(self.round) is None:
            return refused("no_such_round", round=self.round)
        role = role_of(state, self.filer)
        most = MAX_OF_STRANGER if role is Filer.OTHER else MAX_OF_ACCOUNT
        own = sum(filed.by == self.filer for filed in state.filings) if self.filer else 0
        if own >= most or len(state.filings) >= MAX_OF_EVENT:
            return refused("too_many_filings", "12.9", most=most)
        entry = state.entry_of(self.filer)
        received = min(self.received or now, now)
        facts = FilingFacts(
            role=role,
            received=received,
            counted_from=self._counted_from(state, laws) or received,
            takes_part=role is not Filer.OTHER,
            has_federation_id=self.has_federation_id
            or (entry is not None and entry.person.id is not None),
            is_member=self.is_member,
            right_addressee=self.right_addressee,
            by_email=self.way is not FilingWay.OTHER,
            only_presumed_strength=set(self.grounds) == {Ground.STRENGTH},
        )
        filed = FiledPaper(
            number=len(state.filings) + 1,
            kind=self.kind,
            at=now,
            by=self.filer,
            facts=facts,
            receipt=self.receipt,
        )
        reasons = tuple(reason.key for reason in laws.online.inadmissible(as_law_sees(filed)))
        return happened(
            FilingSubmitted(
                **self.signed(now),
                number=filed.number,
                kind=self.kind,
                way=self.way,
                text=self.text.strip(),
                grounds=self.grounds,
                about=self.about,
                round=self.round,
                filer=self.filer,
                name=self.name or name_of(state, self.filer),
                facts=facts,
                reasons=reasons,
                message=self.message,
                receipt=self.receipt,
            )
        )

    def _counted_from(self, state: State, laws: Laws) -> datetime | None:
        """12.9 — when the hours began; before that nothing can be late."""
        if self.kind is FilingKind.APPEAL:
            return state.validated
        return complaints_from(state, laws)


class FilingSubmitted(ActRecord, frozen=True, kw_only=True):
    """A complaint or an appeal has come in; with `reasons` it is not considered."""

    IS_REPORTED = True

    number: Positive
    kind: FilingKind
    way: FilingWay
    text: str
    grounds: tuple[Ground, ...] = ()
    about: tuple[EntryId, ...] = ()
    round: Positive | None = None
    filer: str
    name: str = ""
    facts: FilingFacts
    reasons: tuple[str, ...] = ()
    message: Paper | None = None
    receipt: Paper | None = None

    def changes(self, state: State) -> Changes:
        filed = FiledPaper(
            number=self.number,
            kind=self.kind,
            at=self.at,
            by=self.filer,
            name=self.name,
            way=self.way,
            text=self.text,
            grounds=self.grounds,
            about=self.about,
            round=self.round,
            facts=self.facts,
            reasons=self.reasons,
            message=self.message,
            receipt=self.receipt,
        )
        return {"filings": (*state.filings, filed)}

    def is_possible(self, state: State) -> bool:
        return self.number == len(state.filings) + 1

    def details(self, state: State) -> tuple[Detail, ...]:
        considered = "not_considered" if self.reasons else "considered"
        return (
            Detail("said", f"filings.kind.{self.kind.value}"),
            Detail("text", f"{self.number}"),
            Detail("said", f"filings.state.{considered}"),
            Detail("text", self.name),
        )


def role_of(state: State, account: str) -> Filer:
    """12.9 — what somebody is who files: a captain speaks for the team."""
    if state.team_of_captain(account) is not None:
        return Filer.CAPTAIN
    if state.entry_of(account) is not None:
        return Filer.PLAYER
    return Filer.OTHER if state.arbiter(account) is None else Filer.ARBITER


def name_of(state: State, account: str) -> str:
    """The name of a participant; a captain's with the team."""
    team, entry, arbiter = (
        state.team_of_captain(account),
        state.entry_of(account),
        state.arbiter(account),
    )
    if team is not None:
        return f"{team.captain_name} ({team.name})"
    if entry is not None:
        return entry.person.full_name
    return "" if arbiter is None else arbiter.name


def change_filing(state: State, number: int, **changes: Any) -> Changes:
    """What changes in one filing."""
    filings = list(state.filings)
    filings[number - 1] = replace(filings[number - 1], **changes)
    return {"filings": tuple(filings)}
