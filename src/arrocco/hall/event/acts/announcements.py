"""What the officials say to all players at once: on the boards, on the page, in the log."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from arrocco.hall.event.acts.base import OFFICIALS, ActRecord, Command
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.schedule import Announcement
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws

MAX_LETTERS = 500
MAX_KEPT = 20
"""Announcements that pages show; the log has all of them."""


class Announce(Command, frozen=True, kw_only=True):
    """Tells all players something."""

    MAY = OFFICIALS

    text: Annotated[str, Meta(max_length=2000)]

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        text = " ".join(self.text.split())
        if not text:
            return refused("text_needed")
        if len(text) > MAX_LETTERS:
            return refused("text_too_long", most=MAX_LETTERS)
        return happened(Announced(**self.signed(now), text=text))


class Announced(ActRecord, frozen=True, kw_only=True):
    """All players are told something."""

    IS_PUBLIC = True
    IS_REPORTED = True

    text: str

    def changes(self, state: State) -> Changes:
        told = (*state.announcements, Announcement(at=self.at, text=self.text))
        return {"announcements": told[-MAX_KEPT:]}

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", self.text),)
