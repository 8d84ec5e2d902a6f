"""What every rating regulation answers, so that one engine can serve them all.

The questions are the same everywhere: how large is the difference that counts, what score does it
predict, which K applies, how is the result rounded. The answers are the editions'.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

from arrocco.errors import Illegal
from arrocco.laws import tables
from arrocco.laws.edition import Edition
from arrocco.report import Birth
from arrocco.timecontrol import TimeControl
from arrocco.units import Hundredths, Rating


class Exclusion(StrEnum):
    """Why a game is not rated for a player. Every excluded game leaves with one of these."""

    UNPLAYED = "unplayed"
    OPPONENT_UNRATED = "opponent_unrated"
    OWN_UNRATED = "own_unrated"
    """The player is unrated: the game goes to their initial rating, not to a change."""
    TOO_FAST = "too_fast"
    UNEQUAL_TIMES = "unequal_times"
    WRONG_CLASS = "wrong_class"
    MATCH_UNRATED = "match_unrated"
    MATCH_DECIDED = "match_decided"
    RATING_GAP = "rating_gap"
    FIRST_EVENT_IGNORED = "first_event_ignored"
    BOTH_UNRATED = "both_unrated"
    ONE_SIDED = "one_sided"
    """The opponent was unrated at the start and has been listed since: rated for them only."""
    OPPONENT_IGNORED = "opponent_ignored"
    """Round robin against an unrated player whose first event is ignored (FIDE 2010, 6.1)."""
    BELOW_FLOOR_IGNORED = "below_floor_ignored"
    """A first result worth less than the lowest rating (FIDE 2010, 8.31)."""


class Coefficient(NamedTuple):
    """A K and the line of the regulation that gives it, as a key for words."""

    k: int
    reason: str


class InitialRating(NamedTuple):
    """The steps from results against rated opponents to a first rating.

    `average_hundredths` is only shown; the rating comes from the exact sum.
    """

    games: int
    half_points: int
    average_hundredths: Hundredths
    percent: int
    dp: int
    rating: Rating
    reasons: tuple[str, ...]
    """Keys of what was applied on the way: ``cap``, ``above_half`` ..."""


@dataclass(frozen=True)
class Tranche:
    """An unrated player's result in one event against opponents that count.

    `month` is the number of the month of the list it was rated for (year times 12 plus month minus
    1). A round robin rated as such has its own average Rc (FIDE 2010, 8.21b) and number of
    opponents; elsewhere both are `None` and the average is the mean of the opponents.
    """

    month: int
    tournament: str
    games: int
    ratings: int
    """The sum of the opponents' ratings; in a round robin rated as such, Rc times the games."""
    half_points: int
    round_robin_opponents: int | None = None
    seven_suffice: bool = False
    """Seven games are enough for this result (FIDE 2010, 7.14f)."""


@dataclass(frozen=True)
class PlayerFacts:
    """What K may depend on: the player as the list that opens the period shows them."""

    completed_games: int
    reached_2400: bool
    reached_2300: bool
    birth: Birth | None = None


class RatingLaw(Edition):
    """An edition of a regulation that rates games."""

    DIFFERENCE_CAP: ClassVar[int]
    EXCLUSION_ARTICLES: ClassVar[Mapping[Exclusion, str]]
    ARTICLES: ClassVar[Mapping[str, str]]
    """Where each step of a computation stands: ``difference``, ``expected``, ``k`` ..."""
    K_FROM_TOURNAMENT: ClassVar[bool] = False
    """Whether K belongs to the tournament (RIO, UISP) rather than to the player (FIDE)."""
    MINIMUM_TIME_BY_FIELD: ClassVar[bool] = False
    """Whether the minimum time looks at the whole field (FIDE 2010) or at the two players."""
    HAS_GAP: ClassVar[bool] = False
    """Whether ratings too far apart exclude a game: see `gap_is_excluded`."""
    RATES_ROUND_ROBINS: ClassVar[bool] = False
    """Whether complete round robins with unrated players have a method of their own (2010)."""
    STANDARD_STANDS_IN: ClassVar[bool] = False
    """Whether a player without a rating is rated with the standard one (FIDE rapid and blitz)."""
    COUNTS_BY_EVENT: ClassVar[bool] = False
    """Whether what a difference counts for depends on the player's other games of the event: see
    `counted_differences`."""
    HAS_UNRATED: ClassVar[bool] = True
    """Whether a player can be without a rating; RIO and UISP give everybody one on entry."""

    @property
    def carries_decimals(self) -> bool:
        """Whether the next period starts from the exact rating rather than the published one."""
        return False

    def is_capped(self, own: int) -> bool:
        """Whether differences of a player with this rating are cut at the cap."""
        return True

    def counted_difference(self, own: int, opponent: int) -> int:
        """The difference as it counts for the player, cut where the regulation cuts it."""
        difference = own - opponent
        if not self.is_capped(own):
            return difference
        return max(-self.DIFFERENCE_CAP, min(self.DIFFERENCE_CAP, difference))

    def counted_differences(self, own: int, opponents: Sequence[int]) -> list[int]:
        """The differences of all a player's counted games of one event, as they count."""
        return [self.counted_difference(own, opponent) for opponent in opponents]

    def expected_score(self, counted_difference: int) -> Hundredths:
        """The score the table predicts for a difference that counts."""
        return tables.expected_score(counted_difference)

    def expected_points(self, expected: int) -> Hundredths:
        """The expected points of one tournament from the sum of its expected scores."""
        return Hundredths(expected)

    def applied_coefficient(self, k: int, games: int) -> int:
        """K after any limit on K times the games of a period."""
        return k

    @abstractmethod
    def new_rating(self, rating: int, variation: int) -> Rating:
        """The rating after a period whose variation is given in hundredths."""

    @abstractmethod
    def excluded_by_time(
        self, control: TimeControl, own: int | None, opponent: int | None
    ) -> Exclusion | None:
        """Why a game at this time control is not rated, given the two ratings; `None` if it is.

        Every regulation looks at the higher of the two ratings, if at any.
        """

    def match_is_rated(self, *ratings: int | None) -> bool:
        """Whether a match between players with these ratings is rated at all."""
        return True

    def games_rated_in_match(
        self, scores: Sequence[tuple[int, int]], games: int, *, waiver: bool = False
    ) -> int:
        """How many games of a match over so many games are rated, from the first."""
        return len(scores)

    def gap_is_excluded(self, own: Any, opponent: Any) -> Any:
        """Whether a game between these two ratings is not rated because they lie too far apart.

        Written with operators only, so that it answers for two numbers and for two columns alike.
        """
        return False

    @abstractmethod
    def coefficient(self, facts: PlayerFacts, on: date) -> Coefficient:
        """The K of a player in the period that a list dated `on` opens."""

    # --- lists ------------------------------------------------------------------------------------

    @abstractmethod
    def list_in_force(self, day: date) -> date:
        """The date of the list in force on a day."""

    @abstractmethod
    def next_list(self, list_date: date) -> date:
        """The date of the list after this one."""

    def period_of(self, day: date) -> tuple[date, date]:
        """The list that opens the period a day lies in, and the list that closes it."""
        opening = self.list_in_force(day)
        return opening, self.next_list(opening)

    def list_used(self, start: date, list_date: date) -> date:
        """The list whose ratings a tournament is rated with that goes on the list of a date."""
        return self.period_of(start)[0]

    def ratings_are_fixed_in_period(self) -> bool:
        """Whether all tournaments of a period start from the ratings of the list that opens it."""
        return True

    def list_refusal(self, end: date, list_date: date, *, official: bool = False) -> str | None:
        """Why a tournament that ended on a day cannot be on a list: ``not_yet``, ``too_late``."""
        return None

    def is_inactive(self, last_rated_list: date | None, list_date: date) -> bool:
        """Whether a player is shown as inactive on a list; never where nothing is said of it."""
        return False

    def is_of_kind(self, control: TimeControl, kind: str) -> bool:
        """Whether a time control belongs to this kind of rating, where there are several."""
        return True

    def entry_rating_for(self, kind: str, held: Mapping[str, int | None]) -> tuple[int, str]:
        """The rating on entry of a new player from the ratings held elsewhere, and its source."""
        return self.entry_rating_without_lists()

    # --- first ratings, where a regulation has unrated players ------------------------------------

    def first_event_is_ignored(
        self,
        half_points_against_rated: int,
        half_points: int,
        *,
        is_first: bool,
        has_scored: bool = False,
        games_against_rated: int = 0,
    ) -> bool:
        """Whether an unrated player's result in an event is ignored because it is the first."""
        return False

    def first_results_are_ignored(self, rating: int, *, has_performance: bool = False) -> bool:
        """Whether first results that come to this rating are ignored because it is too low."""
        return False

    @property
    def first_event_ends_the_search(self) -> bool:
        """Whether only the very first event can be ignored, or every one until a result passes."""
        return True

    def pooled_tranches(self, tranches: Sequence[Tranche], list_date: date) -> list[Tranche]:
        """The results that still count together on a list of this date."""
        return list(tranches)

    def pooled_initial_rating(self, tranches: Sequence[Tranche]) -> InitialRating:
        """The first rating that pooled results come to."""
        raise Illegal.of("laws.refused.no_unrated", law=self.law)

    def first_rating_is_published(
        self, games: int, rating: int, *, seven_suffice: bool = False
    ) -> bool:
        """Whether a first rating from so many games is published."""
        return True

    def is_delisted(self, rating: int) -> bool:
        """Whether a rating is below the lowest that is published."""
        return False

    def is_junior(self, birth: Birth | None, on: date) -> bool:
        """Whether a player counts as a junior in the period that a list dated `on` opens."""
        return False

    def k_line(
        self, completed_games: int, reached_2400: bool, reached_2300: bool, junior: bool
    ) -> Coefficient:
        """The line of the regulation that gives a player K, with the age already judged."""
        return self.coefficient(PlayerFacts(completed_games, reached_2400, reached_2300), date.min)

    def tournament_coefficient(self, control: TimeControl | None, *, online: bool) -> Coefficient:
        """The K of a whole tournament, where the regulation gives K to tournaments.

        Raises `Illegal` where it does not, or where it has no K for this time control.
        """
        raise Illegal.of("laws.refused.k_of_players", law=self.law)

    def entry_rating_without_lists(self) -> tuple[int, str]:
        """The rating on entry of a player no other list has, and the name of its source."""
        raise Illegal.of("laws.refused.no_entry_rating", law=self.law)

    # --- where things stand ---------------------------------------------------------------------

    def article(self, step: str) -> str:
        """The article of a step of the computation."""
        return self.ARTICLES[step]

    def exclusion_article(self, reason: Exclusion) -> str:
        """The article that excludes a game for this reason."""
        return self.EXCLUSION_ARTICLES[reason]
