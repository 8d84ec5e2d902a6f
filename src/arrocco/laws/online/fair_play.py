"""The FSI online regulation, articles 12.3, 12.6, 12.13 and 13.1: prizes, exclusions, committee."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations
from typing import TypeVar

from arrocco.laws.edition import Edition, Legal

Player = TypeVar("Player")

MASTER_OR_HIGHER = frozenset({"M", "MF", "FM", "MI", "IM", "GM"})
"""13.1 — the categories from Maestro up, in Italian and in FIDE's letters."""


class Viewer(StrEnum):
    """Who may ask to see the recording of a video conference."""

    CHIEF_ARBITER = "chief_arbiter"
    COMMITTEE = "committee"
    ARBITER = "arbiter"
    ORGANISER = "organiser"
    PLAYER = "player"


class Seat(StrEnum):
    """The three seats of the Fair Play Committee."""

    MASTER = "master"
    INTERNATIONAL_ARBITER = "international_arbiter"
    ANTI_CHEATING_EXPERT = "anti_cheating_expert"


@dataclass(frozen=True)
class Member:
    """A member of the committee, by what qualifies them."""

    category: str = ""
    is_international_arbiter: bool = False
    is_anti_cheating_expert: bool = False

    def can_take(self, seat: Seat) -> bool:
        """Whether the member has what a seat asks."""
        if seat is Seat.MASTER:
            return self.category in MASTER_OR_HIGHER
        if seat is Seat.INTERNATIONAL_ARBITER:
            return self.is_international_arbiter
        return self.is_anti_cheating_expert


class FairPlay(Edition):
    """Fair play checks, what waits for them, and who makes up the committee."""

    COMMITTEE_MEMBERS = Legal(
        3, "13.1", "members",
        "of the Fair Play Committee: a master, an International Arbiter, an expert",
        "del Comitato Fair Play: un Maestro, un Arbitro Internazionale, un esperto",
    )  # fmt: skip

    def may_see_recording(self, viewer: Viewer) -> bool:
        """12.3 — only the chief arbiter and the committee have access to recordings."""
        return viewer in (Viewer.CHIEF_ARBITER, Viewer.COMMITTEE)

    def recording_must_be_erased(self, *, results_announced: bool) -> bool:
        """12.3 — recordings are erased once the results of the tournament are official."""
        return results_announced

    def prizes_may_be_awarded(self, *, games_to_check: int, open_cases: int) -> bool:
        """12.6 — no prizes before every fair play check is completed."""
        return games_to_check == 0 and open_cases == 0

    def standings_after_exclusion(
        self, points: Mapping[Player, int], excluded: Collection[Player]
    ) -> dict[Player, int]:
        """12.13 — excluded players leave the standings; nobody else's points change."""
        return {player: score for player, score in points.items() if player not in excluded}

    def empty_seats(self, members: Sequence[Member]) -> tuple[Seat, ...]:
        """13.1 — the seats that these members, one seat each, leave empty."""
        seats = tuple(Seat)
        fullest: tuple[Seat, ...] = seats
        padded = [*members, *([Member()] * len(seats))]
        for order in permutations(padded, len(seats)):
            empty = tuple(
                seat for seat, member in zip(seats, order, strict=True) if not member.can_take(seat)
            )
            if len(empty) < len(fullest):
                fullest = empty
        return fullest

    def committee_is_valid(self, members: Sequence[Member]) -> bool:
        """13.1 — three members: one for each seat, and nobody more."""
        return len(members) == self.COMMITTEE_MEMBERS and not self.empty_seats(members)
