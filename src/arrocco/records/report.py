"""The report of a tournament: the one record that every road into a rating goes through.

A TRF file and a finished online event both become a `Report`. It holds what was reported, as it was
reported; what a regulation makes of it is decided elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from msgspec import UNSET, UnsetType

from arrocco.findings import Place
from arrocco.records.timecontrol import TimeControl
from arrocco.units import HalfPoints, Rating

PlayerId = int
"""The number a federation gave a player, as given; numbers of different bodies never mix."""


class System(StrEnum):
    """How opponents were chosen; the 2010 text rates round robins in a way of their own."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    DOUBLE_ROUND_ROBIN = "double_round_robin"
    TEAM = "team"
    MATCH = "match"
    KNOCKOUT = "knockout"
    UNKNOWN = "unknown"


class GameKind(StrEnum):
    """Whether a paired game took place on the board."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    """Decided without play: a win, a loss or a loss for both by forfeit."""
    SHORT = "short"
    """Fewer than one move each was made (codes W, D, L): has a result but was not played."""
    FAIR_PLAY = "fair_play"
    """Played, and excluded by the office because of a fair play case."""
    FORCE_MAJEURE = "force_majeure"
    """Played, and excluded by the office for force majeure."""


EXCLUDED_KINDS = (GameKind.FAIR_PLAY, GameKind.FORCE_MAJEURE)
"""Games that were played and are not rated by a decision; no file format has them."""
REPORTED_KINDS = (GameKind.PLAYED, GameKind.FORFEIT, GameKind.SHORT)
"""What a report can say of a game."""


class ByeKind(StrEnum):
    """A round without an opponent."""

    HALF_POINT = "half_point"
    FULL_POINT = "full_point"
    PAIRING_ALLOCATED = "pairing_allocated"
    ZERO_POINT = "zero_point"


@dataclass(frozen=True, slots=True)
class Birth:
    """A birth date as known: lists give the year, reports may give the day."""

    year: int
    month: int | None = None
    day: int | None = None

    @property
    def date(self) -> date | None:
        """The full date, where it is known."""
        if self.month is None or self.day is None:
            return None
        return date(self.year, self.month, self.day)

    def __str__(self) -> str:
        if self.month is None or self.day is None:
            return f"{self.year:04d}"
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"


@dataclass(frozen=True, slots=True)
class NationalRecord:
    """What a national rating record (a line starting with a federation code) adds to an entry."""

    federation: str
    rating: Rating | None
    id: PlayerId | None
    place: Place = Place()


@dataclass(slots=True)
class Entry:
    """A player in this tournament.

    `points` is in tenths because competitions may score in their own way (3-1-0); ratings never
    read it, checks do.
    """

    number: int
    name: str = ""
    id: PlayerId | None = None
    rating: Rating | None = None
    federation: str = ""
    sex: str = ""
    title: str = ""
    birth: Birth | None = None
    points: int | None = None
    rank: int | None = None
    national: tuple[NationalRecord, ...] = ()
    place: Place = Place()


@dataclass(frozen=True, slots=True)
class Game:
    """Two entries paired in a round. `white` and `black` are starting numbers of entries.

    Where the report gives no colours (`colours_known` false) the lower number stands as White.
    """

    round: int
    white: int
    black: int
    white_score: HalfPoints
    black_score: HalfPoints
    kind: GameKind = GameKind.PLAYED
    colours_known: bool = True
    place: Place = Place()


@dataclass(frozen=True, slots=True)
class Bye:
    """An entry without an opponent in a round."""

    round: int
    entry: int
    kind: ByeKind
    place: Place = Place()


@dataclass(slots=True)
class Facts:
    """What a regulation asks about a tournament and a report file does not say.

    The office fills these in at registration; a report read alone has the defaults. What is unset
    is not written, so that what was written before there was such a fact keeps its bytes.
    """

    official: bool = False
    """An official FIDE event (2024: 7.1.3; 2010: 7.13)."""
    online: bool = False
    hybrid: bool = False
    league: bool = False
    national_championship: bool = False
    women_only: bool = False
    world_team_event: bool = False
    """Olympiad, continental or world team championship (2010: 7.14f)."""
    match_games: int | None = None
    """The number of games a match was announced over; `None` when it is not a match."""
    match_waiver: bool = False
    """All games of a decided match are rated by prior request (2024: 6.2)."""
    event: str | UnsetType = UNSET
    """The event of which this is a stage: preliminary, final or play-off (2010: 6.2), or the
    tournament of which this is an interim report (2024: 4)."""
    began: date | UnsetType = UNSET
    """The first day of the tournament of which this is an interim report (2024: 0.1, 4)."""
    by_period: date | UnsetType = UNSET
    """The day on which rating period by period was chosen (2010: 4.13)."""


@dataclass(slots=True)
class Report:
    """A tournament as reported: its facts, its entries, its games and its byes."""

    source: str = ""
    name: str = ""
    city: str = ""
    federation: str = ""
    start: date | None = None
    end: date | None = None
    system: System = System.UNKNOWN
    system_text: str = ""
    chief_arbiter: str = ""
    deputies: tuple[str, ...] = ()
    time_control_text: str = ""
    time_control: TimeControl | None = None
    rounds: int = 0
    round_dates: tuple[date | None, ...] = ()
    entries: list[Entry] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    byes: list[Bye] = field(default_factory=list)
    facts: Facts = field(default_factory=Facts)

    @property
    def law_day(self) -> date | None:
        """The day whose edition rates it: the tournament's first, also in an interim report."""
        return self.facts.began or self.start

    def entry(self, number: int) -> Entry | None:
        """The entry with that starting number."""
        return next((entry for entry in self.entries if entry.number == number), None)
