"""The FSI online regulation, articles 12.3, 12.6, 12.13 and 13.1: prizes, exclusions, committee."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from itertools import permutations
from typing import TypeVar

from arrocco.laws.edition import Choice, Edition, Legal, Reading

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


class NotYet(Enum):
    """What the official announcement of the results waits for: its key and its article."""

    NOT_VALIDATED = ("not_validated", "12.9")
    APPEALS_OPEN = ("appeals_open", "12.9")
    MATTERS_OPEN = ("matters_open", "12.3")
    CHECKS_MISSING = ("checks_missing", "12.6")

    def __init__(self, key: str, article: str) -> None:
        self.key = key
        self.article = article


class FairPlay(Edition):
    """Fair play checks, what waits for them, and who makes up the committee."""

    COMMITTEE_MEMBERS = Legal(3, "13.1", "members").means(
        "of the Fair Play Committee: a master, an International Arbiter, an expert",
        "del Comitato Fair Play: un Maestro, un Arbitro Internazionale, un esperto",
    )

    def may_see_recording(self, viewer: Viewer) -> bool:
        """12.3 — only the chief arbiter and the committee have access to recordings."""
        return viewer in (Viewer.CHIEF_ARBITER, Viewer.COMMITTEE)

    RECORDINGS_ERASED = Reading("recordings_erased", "12.3", "announcement", "guess").means(
        "When recordings are erased",
        "Quando si cancellano le registrazioni",
        Choice("announcement").means(
            "by the official announcement of the results",
            "con l'annuncio ufficiale dei risultati",
        ),
        Choice("retention").means(
            "once the time that the organiser stated beforehand is over, too",
            "quando è passato anche il tempo indicato prima dall'organizzatore",
        ),
    )

    def announcement_waits_for(
        self, *, validated: bool, appeals_over: bool, open_matters: int, checks_complete: bool
    ) -> tuple[NotYet, ...]:
        """12.3, 12.6, 12.9 — everything that keeps results from being official; nothing if so.

        Italiano: tutto ciò che impedisce ai risultati di essere ufficiali; niente se lo sono.
        """
        checks = (
            (not validated, NotYet.NOT_VALIDATED),
            (validated and not appeals_over, NotYet.APPEALS_OPEN),
            (open_matters > 0, NotYet.MATTERS_OPEN),
            (not checks_complete, NotYet.CHECKS_MISSING),
        )
        return tuple(reason for applies, reason in checks if applies)

    def recording_must_be_erased(
        self, *, results_announced: bool, retention_over: bool = False
    ) -> bool:
        """12.3 — recordings are erased once the results of the tournament are official."""
        if self.reads("recordings_erased", "retention"):
            return results_announced and retention_over
        return results_announced

    def prizes_may_be_awarded(self, *, games_to_check: int, open_cases: int) -> bool:
        """12.6 — no prizes before every fair play check is completed."""
        return games_to_check == 0 and open_cases == 0

    def standings_after_exclusion(
        self, points: Mapping[Player, int], excluded: Collection[Player]
    ) -> dict[Player, int]:
        """12.13 — excluded players leave the standings; nobody else's points change."""
        return {player: score for player, score in points.items() if player not in excluded}

    def opponent_may_be_given(self, before: int, after: int, *, is_excluded: bool) -> bool:
        """12.13 — who met a player excluded from the standings keeps what they had, no more.

        Italiano: chi ha incontrato un escluso dalla classifica tiene ciò che aveva, non di più.
        """
        return after <= before or not is_excluded

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
        """13.1 — {COMMITTEE_MEMBERS} members: one for each seat, and nobody more."""
        return len(members) == self.COMMITTEE_MEMBERS and not self.empty_seats(members)

    def committee_majority(self) -> int:
        """13.1 — how many members must be in favour of a decision: more than half of the seats.

        Italiano: quanti componenti devono essere favorevoli: più della metà dei posti.
        """
        return int(self.COMMITTEE_MEMBERS) // 2 + 1
