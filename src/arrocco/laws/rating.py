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
    HAS_UNRATED: ClassVar[bool] = True
    """Whether a player can be without a rating; RIO and UISP give everybody one on entry."""

    def is_capped(self, own: int) -> bool:
        """Whether differences of a player with this rating are cut at the cap."""
        return True

    def counted_difference(self, own: int, opponent: int) -> int:
        """The difference as it counts for the player, cut where the regulation cuts it."""
        difference = own - opponent
        if not self.is_capped(own):
            return difference
        return max(-self.DIFFERENCE_CAP, min(self.DIFFERENCE_CAP, difference))

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
        """Why a game at this time control is not rated, given the two ratings; `None` if it is."""

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

    def tournament_coefficient(self, control: TimeControl | None, *, online: bool) -> Coefficient:
        """The K of a whole tournament, where the regulation gives K to tournaments.

        Raises `Illegal` where it does not, or where it has no K for this time control.
        """
        raise Illegal(f"{self.law} gives K to players, not to tournaments")

    def entry_rating_without_lists(self) -> tuple[int, str]:
        """The rating on entry of a player no other list has, and the name of its source."""
        raise Illegal(f"{self.law} has no rating on entry: a new player is unrated")

    def article(self, step: str) -> str:
        """The article of a step of the computation."""
        return self.ARTICLES[step]

    def exclusion_article(self, reason: Exclusion) -> str:
        """The article that excludes a game for this reason."""
        return self.EXCLUSION_ARTICLES[reason]
