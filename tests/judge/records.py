"""Plain data that goes into the judge and comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction


class Verdict(StrEnum):
    """What becomes of a game for one of its two players.

    Where several reasons hold, the first in this order is given.
    """

    COUNTED = "counted"
    POOLED = "pooled"
    """Kept for the first rating of a player without one."""
    UNPLAYED = "unplayed"
    TOO_FAST = "too_fast"
    TOO_SLOW = "too_slow"
    UNEQUAL_TIMES = "unequal_times"
    MATCH_UNRATED = "match_unrated"
    MATCH_DECIDED = "match_decided"
    GAP_600 = "gap_600"
    OPPONENT_IGNORED = "opponent_ignored"
    """2010, 6.1: round-robin game against an unrated player whose first event is ignored."""
    ONE_SIDED = "one_sided"
    """The opponent had no rating at the start of the event and has one now (8.2.4; 2010: 8.4)."""
    OPPONENT_UNRATED = "opponent_unrated"
    FIRST_EVENT_IGNORED = "first_event_ignored"
    BELOW_FLOOR_IGNORED = "below_floor_ignored"
    """2010, 8.31: a first result that is worth less than the floor."""


@dataclass(frozen=True)
class JGame:
    """A game of the report; `white` and `black` are player ids, results are in half points."""

    round: int
    white: int
    black: int
    white_half: int
    black_half: int
    played: bool = True


@dataclass(frozen=True)
class JBye:
    """A round without an opponent; it never counts."""

    round: int
    player: int
    half: int


@dataclass(frozen=True)
class JTournament:
    """A tournament with the ratings of the list in force at its start (`None` unrated)."""

    id: str
    start: date
    end: date
    system: str
    """swiss, round_robin, double_round_robin, team or match."""
    games: tuple[JGame, ...]
    ratings: dict[int, int | None]
    """Every entrant, also one who never sat down to play."""
    minutes60: int
    """The minutes of a player for 60 moves, the lesser of the two sides."""
    base_minutes: int
    increment: int
    """Seconds per move."""
    byes: tuple[JBye, ...] = ()
    online: bool = False
    official: bool = False
    world_team: bool = False
    """Olympiad, continental or world team championship (2010: 7.14f)."""
    equal_times: bool = True
    match_games: int | None = None
    match_waiver: bool = False
    interim_of: str = ""
    """The long tournament of which these are the games of one month (2024: 4)."""
    standard_ratings: dict[int, int | None] = field(default_factory=dict)
    """Rapid and blitz: standard ratings at the start, for those without a rapid or blitz one."""


@dataclass(frozen=True)
class JPoolResult:
    """What a player without a rating did in one tournament, kept towards his first rating."""

    month: int
    """Month of the list the tournament was rated for, counted from year 0."""
    tournament: str
    n: int
    opponent_sum: int
    """Sum of the opponents' ratings; in a 2010 round robin, n times Rc (new)."""
    half: int
    round_robin_opponents: int | None = None
    """2010 round robin: the n of n/(n+1)."""
    world_team: bool = False
    pointless_in: str = ""
    """A long tournament in which he has no point yet: the result is ignored until he has one."""


@dataclass(frozen=True)
class JPlayer:
    """A player as he stands on the previous list."""

    id: int
    rating: int | None = None
    k: int | None = None
    """K printed on the previous list; `None`: derive it from the rest."""
    birth: date | None = None
    birth_year: int | None = None
    games_total: int = 0
    ever_2400: bool = False
    ever_2300: bool = False
    last_rated_month: int | None = None
    pool: tuple[JPoolResult, ...] = ()
    first_event_done: bool = False
    """No further event of his can be ignored as the first one."""
    special_body: bool = False
    """2010, 7.14g: member of IBCA, ICSC or IPCA."""
    standard: int | None = None
    """Rapid and blitz: his standard rating on the day of the previous list."""
    category: str | None = None
    """RIO: the online category he holds."""
    entered: tuple[tuple[date, int], ...] = ()
    """The lists on which he came to have a rating, and that rating, in order."""
    exact: Fraction | None = None
    """UISP with decimals carried: the rating before it was rounded for print."""


@dataclass(frozen=True)
class JSide:
    """One game seen from one player."""

    tournament: str
    game: int
    """Position in the tournament's games."""
    player: int
    opponent: int
    verdict: Verdict
    score: Fraction
    own: int | None = None
    against: int | None = None
    difference: int | None = None
    counted_difference: int | None = None
    expected: Fraction | None = None


@dataclass(frozen=True)
class JSum:
    """The counted games of one player in one tournament."""

    tournament: str
    n: int
    score: Fraction
    expected: Fraction
    """As the law uses it: RIO and UISP round it to tenths."""
    expected_unrounded: Fraction
    k: int
    variation: Fraction


@dataclass(frozen=True)
class JInitial:
    """How a first rating is found from a pool."""

    n: int
    score: Fraction
    average: Fraction
    """2024: Ra with the two players of 1800; 2010: Rc."""
    p: int
    """The fraction of points in hundredths (2024: with the two draws)."""
    dp: int | None
    """`None` where the law does not ask the table (2010, 50 % and more)."""
    above_half: int
    """2010: half points above 50 %."""
    unrounded: Fraction
    initial: int
    publishable: bool


@dataclass(frozen=True)
class JRoundRobin:
    """2010, 8.58: the ratings of the unrated players of a complete round robin."""

    n: int
    rar: Fraction
    dpa: Fraction
    ra: int
    first: dict[int, int]
    """Ru of the first pass."""
    rc_new: dict[int, int]
    ru_new: dict[int, int]


@dataclass(frozen=True)
class JPlayerResult:
    """What a period makes of a player."""

    id: int
    before: int | None
    """The rating on the previous list."""
    base: int | None
    """What the change is added to: `before`, or a rating of entry or a standard one standing in."""
    n: int
    score: Fraction
    expected: Fraction
    expected_unrounded: Fraction
    k: int | None
    """K of the period; `None` for an unrated player and in UISP, where each event has its own."""
    k_applied: int | None
    """After the 700 rule."""
    variation: Fraction
    change: int
    new_rating: int | None
    k_printed: int | None
    """K on the new list."""
    games_in_period: int
    """Counted games, or for a player without a rating those of the period that were pooled."""
    initial: JInitial | None
    published_first: bool
    delisted: bool
    inactive: bool
    sums: tuple[JSum, ...]
    after: JPlayer
    """The player as he stands on the new list."""


@dataclass(frozen=True)
class JResult:
    """A period judged: every player, every side of every game, every 2010 round robin."""

    players: dict[int, JPlayerResult]
    sides: tuple[JSide, ...]
    round_robins: dict[str, JRoundRobin]


def month_index(day: date) -> int:
    """Months since year 0."""
    return day.year * 12 + day.month - 1
