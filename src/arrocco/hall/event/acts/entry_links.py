"""Links by which players enter themselves: each with an end and a cap."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from arrocco.hall.event.acts.base import OFFICIALS, ActRecord, Command
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.record import Moment
from arrocco.hall.event.records import Positive
from arrocco.hall.event.schedule import MAX_CAP, EntryLink
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws

MAX_LINKS = 200
LONGEST = timedelta(days=365)


def digest_of(secret: str) -> str:
    """What a log keeps of the secret of a link."""
    return sha256(secret.encode()).hexdigest()


class MakeEntryLink(Command, frozen=True, kw_only=True):
    """A link to be shared; whoever asks keeps its secret, the event what it hashes to."""

    MAY = OFFICIALS

    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    until: Moment
    cap: Annotated[int, Meta(ge=1, le=MAX_CAP)]

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        if state.closed is not None:
            return refused("event_closed")
        if state.rules is None:
            return refused("no_rules", "1.3.3")
        if not now < self.until <= now + LONGEST:
            return refused("link_until", days=LONGEST.days)
        if len(state.links) >= MAX_LINKS:
            return refused("too_many_links", most=MAX_LINKS)
        link = EntryLink(
            number=len(state.links) + 1, digest=self.digest, until=self.until, cap=self.cap
        )
        return happened(EntryLinkMade(**self.signed(now), link=link))


class EntryLinkMade(ActRecord, frozen=True, kw_only=True):
    """Players can enter by a link."""

    link: EntryLink

    def changes(self, state: State) -> Changes:
        return {"links": (*state.links, self.link)}

    def is_possible(self, state: State) -> bool:
        return self.link.number == len(state.links) + 1

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", str(self.link.cap)), Detail("moment", self.link.until))


class WithdrawEntryLink(Command, frozen=True, kw_only=True):
    """Lets a link serve no more."""

    MAY = OFFICIALS

    number: Positive

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        link = state.links[self.number - 1] if self.number <= len(state.links) else None
        if link is None or link.withdrawn:
            return refused("no_such_link")
        return happened(EntryLinkWithdrawn(**self.signed(now), number=self.number))


class EntryLinkWithdrawn(ActRecord, frozen=True, kw_only=True):
    """A link serves no more."""

    number: Positive

    def changes(self, state: State) -> Changes:
        links = list(state.links)
        links[self.number - 1] = replace(links[self.number - 1], withdrawn=True)
        return {"links": tuple(links)}

    def is_possible(self, state: State) -> bool:
        return self.number <= len(state.links)

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", str(self.number)),)


def link_of(state: State, secret: str) -> EntryLink | None:
    """The link with a secret, whether it serves or not."""
    digest = digest_of(secret) if secret else ""
    return next((link for link in state.links if link.digest == digest), None)
