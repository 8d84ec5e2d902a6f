"""What an event is made of: people, arbiters, results, sanctions, and the names of its choices."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from arrocco.laws.online.sanctions import Scope
from arrocco.records.report import Birth, ByeKind, GameKind, PlayerId, System

EntryId = Annotated[int, Meta(ge=1)]
"""The number of an entry in the order of entering; it never changes. Starting numbers do."""
Positive = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]
Pair = tuple[int, int]
"""Something of White and of Black, in this order."""
Boards = tuple[tuple[EntryId, EntryId], ...]
"""The boards of a round in order, White first, by entry."""


class PairingSystem(StrEnum):
    """How opponents are chosen."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    DOUBLE_ROUND_ROBIN = "double_round_robin"
    TEAM = "team"
    """Teams, everybody against everybody, on boards in order."""
    MANUAL = "manual"
    """Every round by hand."""

    @property
    def reported(self) -> System:
        """The system as reports name it."""
        return System.UNKNOWN if self is PairingSystem.MANUAL else System(self.value)

    @property
    def is_round_robin(self) -> bool:
        return self in _ROUND_ROBINS


_ROUND_ROBINS = (
    PairingSystem.ROUND_ROBIN,
    PairingSystem.DOUBLE_ROUND_ROBIN,
    PairingSystem.TEAM,
)


class TieBreak(StrEnum):
    """How equal points are told apart, by the names of FIDE Handbook C.07."""

    DIRECT_ENCOUNTER = "direct_encounter"
    WINS = "wins"
    GAMES_WON = "games_won"
    GAMES_WITH_BLACK = "games_with_black"
    GAMES_WON_WITH_BLACK = "games_won_with_black"
    PROGRESSIVE = "progressive"
    BUCHHOLZ = "buchholz"
    BUCHHOLZ_CUT_1 = "buchholz_cut_1"
    BUCHHOLZ_MEDIAN = "buchholz_median"
    SONNEBORN_BERGER = "sonneborn_berger"
    AVERAGE_RATING = "average_rating"
    PERFORMANCE = "performance"


class EventRole(StrEnum):
    """What somebody is in an event; where they are several things, the first of these."""

    CHIEF = "chief"
    """The chief arbiter."""
    ORGANISER = "organiser"
    ASSISTANT = "assistant"
    """6.3 — an assistant of the chief arbiter."""
    PLAYER = "player"
    SERVER = "server"
    """The hall itself, when a game ends."""
    NOBODY = "nobody"


class Person(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player as the federation knows them (5.4); the rating is that of the list in force.

    `account` is the one the player plays with: what the hall knows a connection by.
    """

    account: str
    surname: str
    name: str
    id: PlayerId | None = None
    federation: str = ""
    rating: Annotated[int, Meta(ge=1, le=9999)] | None = None
    title: str = ""
    sex: str = ""
    birth: Birth | None = None

    @property
    def full_name(self) -> str:
        """As reports write it: surname, name."""
        return f"{self.surname.strip()}, {self.name.strip()}"


class Arbiter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An arbiter of the event; assistants (6.3) may have boards of theirs."""

    account: str
    name: str
    chief: bool = False
    id: PlayerId | None = None
    zone: Pair | None = None
    """The first and the last board that an assistant watches; `None` for all."""

    def watches(self, board: int) -> bool:
        """6.3 — whether a board is one of the arbiter's."""
        return self.chief or self.zone is None or self.zone[0] <= board <= self.zone[1]


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """What a game came to: points as the event gives them, half points as reports have them."""

    points: tuple[Count, Count]
    half_points: tuple[Count, Count]
    kind: GameKind = GameKind.PLAYED

    @property
    def was_played(self) -> bool:
        """Whether the two met on the board: also a game of less than a move each has colours."""
        return self.kind is not GameKind.FORFEIT


class Sanction(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sanction of an arbiter (6.9) or of the Fair Play Committee (13.5), by its article.

    `round`, `board` and `result` are of the game whose points it changes, `rounds` those that an
    exclusion covers, `fine` is in euro cents.
    """

    number: Positive
    article: str
    entry: EntryId
    by: str
    reason: str
    scope: Scope | None = None
    rounds: tuple[Positive, ...] = ()
    round: Positive | None = None
    board: Positive | None = None
    result: Result | None = None
    fine: Count | None = None
    days: Positive | None = None
    """13.5c — how long the committee excludes a player for."""
    game: str = ""
    """The game whose arbiter imposed it, in the act of number `act` there."""
    act: Count | None = None
    final: bool = False
    """5.16, 12.7 — whether it cannot be appealed."""


EXCLUDES_FROM_ROUNDS = frozenset({"6.9h"})
EXCLUDES_FROM_STANDINGS = frozenset({"6.9i", "13.5d"})
ABSENCE = "9.1e"
"""Who stays away without a word may be excluded; repeated, from the championship."""
EXPELS = frozenset({"6.9j", ABSENCE})
BLOCKS_CHAT = frozenset({"6.9k", "13.5f"})
COMMITTEE_EXCLUDES = "13.5c"
"""From rounds or from all of it, as its scope says."""

REQUESTED_BYES = (ByeKind.HALF_POINT, ByeKind.ZERO_POINT)
"""The byes a player can ask for."""
