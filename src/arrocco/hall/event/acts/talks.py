"""5.2, 9.1, 12.4 — an arbiter talks with players in the video conference: with whom, when and why.

What is said is not kept. That it was said is: before a word can be heard the event's log has it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from arrocco.hall.event.acts.base import ARBITERS, ActRecord, Command
from arrocco.hall.event.acts.chat import board_of, reads
from arrocco.hall.event.acts.joining import objection_to_supervision
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.record import Moment
from arrocco.hall.event.records import EntryId, EventRole
from arrocco.hall.event.state import State
from arrocco.hall.event.talk import Talk, TalkReason
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws

MAX_LISTENERS = 40
"""Players in one talk: each is a connection of its own of the arbiter's browser."""
MAX_NOTE = 200
Entries = Annotated[tuple[EntryId, ...], Meta(min_length=1, max_length=MAX_LISTENERS)]
Note = Annotated[str, Meta(max_length=MAX_NOTE)]
TalkId = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class BeginTalk(Command, frozen=True, kw_only=True):
    """An arbiter begins to talk with players; the video server asks for it in their name."""

    MAY = ARBITERS
    FROM_PAGES = True

    talk: TalkId
    entries: Entries
    why: TalkReason
    note: Note = ""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """With players that the arbiter watches (6.3), for a reason that is said."""
        if talk_of(state, self.talk) is not None:
            return happened()
        objection = objection_to_supervision(state)
        if objection is not None:
            return objection
        entries = tuple(dict.fromkeys(self.entries))
        for entry in entries:
            if state.entry(entry) is None:
                return refused("no_such_entry", entry=entry)
            if not reads(state, self.by, entry):
                return refused("not_in_zone", "6.3", board=board_of(state, entry) or "-")
        note = self.note.strip()
        if self.why is TalkReason.OTHER and not note:
            return refused("reason_needed", "6.3")
        return happened(
            TalkBegan(
                **self.signed(now),
                talk=self.talk,
                entries=entries,
                why=self.why,
                note=note,
            )
        )


class TalkBegan(ActRecord, frozen=True, kw_only=True):
    """An arbiter talks with players from here on."""

    IS_REPORTED = True

    talk: TalkId
    entries: Entries
    why: TalkReason
    note: str = ""

    def changes(self, state: State) -> Changes:
        talk = Talk(
            id=self.talk,
            by=self.by,
            entries=self.entries,
            why=self.why,
            note=self.note,
            began=self.at,
        )
        return {"talks": (*state.talks, talk)}

    def is_possible(self, state: State) -> bool:
        is_new = talk_of(state, self.talk) is None
        return is_new and all(state.entry(entry) is not None for entry in self.entries)

    def details(self, state: State) -> tuple[Detail, ...]:
        told = (
            Detail("text", "; ".join(state.name_of(entry) for entry in self.entries)),
            Detail("word", f"talk_reason.{self.why}"),
        )
        return (*told, Detail("text", self.note)) if self.note else told


class EndTalk(Command, frozen=True, kw_only=True):
    """The video server notes that a talk is over, when, and whose pages took it."""

    MAY = frozenset({EventRole.SERVER})

    talk: TalkId
    ended: Moment | None = None
    """`None` where nobody knows, since the server itself had stopped."""
    reached: Annotated[tuple[EntryId, ...], Meta(max_length=MAX_LISTENERS)] = ()

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """Once, and within the time that it can have lasted."""
        talk = talk_of(state, self.talk)
        if talk is None:
            return refused("no_such_talk")
        if talk.is_over:
            return happened()
        ended = None if self.ended is None else min(max(self.ended, talk.began), now)
        reached = tuple(entry for entry in talk.entries if entry in self.reached)
        return happened(TalkEnded(**self.signed(now), talk=self.talk, ended=ended, reached=reached))


class TalkEnded(ActRecord, frozen=True, kw_only=True):
    """A talk is over; `reached` are those who could hear it."""

    talk: TalkId
    ended: Moment | None = None
    reached: tuple[EntryId, ...] = ()

    def changes(self, state: State) -> Changes:
        talks = (
            replace(talk, ended=self.ended, is_over=True, reached=self.reached)
            if talk.id == self.talk
            else talk
            for talk in state.talks
        )
        return {"talks": tuple(talks)}

    def is_possible(self, state: State) -> bool:
        talk = talk_of(state, self.talk)
        return talk is not None and not talk.is_over

    def details(self, state: State) -> tuple[Detail, ...]:
        reached = "; ".join(state.name_of(entry) for entry in self.reached)
        return (Detail("text", reached),) if reached else ()


def talk_of(state: State, talk: str) -> Talk | None:
    return next((known for known in state.talks if known.id == talk), None)
