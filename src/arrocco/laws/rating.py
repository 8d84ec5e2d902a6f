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
from arrocco.records.report import Birth, GameKind
from arrocco.records.timecontrol import TimeControl
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
    FAIR_PLAY = "fair_play"
    """Played, and excluded by a decision about fair play (FIDE 2024, 5.1)."""
    FORCE_MAJEURE = "force_majeure"


class Coefficient(NamedTuple):
    """A K and the line of the regulation that gives it, as a key for words."""

    k: int
    reason: str


class PlayRated(NamedTuple):
    """The one kind of play that a regulation rates, and the article that says so."""

    online: bool
    article: str


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

    `month` is the number of the month (year times 12 plus month minus 1) of the list that closes
    the period it was played in, or of the list it was rated for: see `RatingLaw.pool_period`. A
    round robin rated as such has its own average Rc (FIDE 2010, 8.21b) and number of opponents;
    elsewhere both are `None` and the average is the mean of the opponents.
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
    waits_for: str = ""
    """The tournament in which there is no point yet: with one the result counts (2024, 8.2.1)."""


@dataclass(frozen=True)
class PlayerFacts:
    """What K may depend on: the player as the list that opens the period shows them."""

    completed_games: int
    highest_published: int = 0
    """The highest rating a list has shown the player with; 0 where none has."""
    birth: Birth | None = None
    rating: int | None = None
    """The rating on that list, where K may depend on it too."""


class RatingLaw(Edition):
    """An edition of a regulation that rates games."""

    DIFFERENCE_CAP: ClassVar[int]
    EXCLUSION_ARTICLES: ClassVar[Mapping[Exclusion, str]]
    ARTICLES: ClassVar[Mapping[str, str]]
    """Where each step of a computation stands: ``difference``, ``expected``, ``k`` ..."""
    K_FROM_TOURNAMENT: ClassVar[bool] = False
    """Whether K belongs to the tournament (RIO, UISP) rather than to the player (FIDE)."""
    K_LINES: ClassVar[Mapping[str, str]] = {}
    """By the reason of a K: the name of the value it compares the highest published rating with."""
    NUMBERS_OF: ClassVar[Mapping[str, Mapping[str, str | int]]] = {}
    """By the reason of a step: the values its words name, as `named` takes them."""
    MINIMUM_TIME_BY_FIELD: ClassVar[bool] = False
    """Whether the minimum time looks at the whole field (FIDE 2010) or at the two players."""
    HAS_GAP: ClassVar[bool] = False
    """Whether ratings too far apart exclude a game: see `gap_is_excluded`."""
    RATES_ROUND_ROBINS: ClassVar[bool] = False
    """Whether complete round robins with unrated players have a method of their own (2010)."""
    PLAY_RATED: ClassVar[PlayRated | None] = None
    """Over the board or online, where only one of them is rated."""
    STANDARD_STANDS_IN: ClassVar[bool] = False
    """Whether a player without a rating is rated with the standard one (FIDE rapid and blitz)."""
    COUNTS_BY_EVENT: ClassVar[bool] = False
    """Whether what a difference counts for depends on the player's other games of the event: see
    `counted_differences`."""
    LISTS_ONLY_RATED: ClassVar[bool] = False
    """Whether a list leaves out who is unrated or inactive for good; else everybody is on it."""
    ADJUSTED_LIST: ClassVar[date | None] = None
    """The list whose ratings are adjusted, once and all together, when the edition comes in."""
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

    def is_played(self, kind: GameKind) -> bool:
        """Whether a game of this kind was played as the regulation asks."""
        return kind is GameKind.PLAYED

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

    def list_for_game(self, start: date, played: date, *, declared: date | None = None) -> date:
        """The list whose ratings a game uses: that of the start, whenever it is played."""
        return self.list_in_force(start)

    def stages_are_one_event(self) -> bool:
        """Whether preliminaries, finals and play-offs count as one event."""
        return False

    def interim_is_one_event(self) -> bool:
        """Whether the interim reports of a tournament are one event for a first rating."""
        return False

    def ratings_are_fixed_in_period(self) -> bool:
        """Whether all tournaments of a period start from the ratings of the list that opens it."""
        return True

    def list_refusal(self, end: date, list_date: date, *, official: bool = False) -> str | None:
        """Why a tournament that ended on a day cannot be on a list: ``not_yet``, ``too_late``."""
        return None

    def is_inactive(self, last_rated_list: date | None, list_date: date) -> bool:
        """Whether a player is shown as inactive on a list; never where nothing is said of it."""
        return False

    def is_listed(self, last_rated_list: date | None, list_date: date) -> bool:
        """Whether a player is still on a list, however long without games."""
        return True

    def is_on_top_list(self, last_rated_list: date | None, list_date: date) -> bool:
        """Whether a player can still appear among the top players."""
        return not self.is_inactive(last_rated_list, list_date)

    def is_on_list_of_titled(self, title: str, rating: int | None) -> bool:
        """Whether a player stands on the list of those who have a title and no rating."""
        return False

    def is_of_kind(self, control: TimeControl, kind: str) -> bool:
        """Whether a time control belongs to this kind of rating, where there are several."""
        return True

    def entry_rating_for(self, kind: str, held: Mapping[str, int | None]) -> tuple[int, str]:
        """The rating on entry of a new player from the ratings held elsewhere, and its source."""
        return self.entry_rating_without_lists()

    def categories_are_of_list(self) -> bool:
        """Whether a list shows the categories that its own ratings have earned."""
        return False

    def enters_by_start(self) -> bool:
        """Whether the lists that give a rating on entry are those in force at the first start."""
        return False

    def list_out_by(self, start: date, list_date: date, emitted: Mapping[date, date]) -> date:
        """The list a tournament is rated with, where it is known on which days lists came out."""
        return self.list_used(start, list_date)

    def lists_every_entrant(self) -> bool:
        """Whether who enters is on the list also with no game that counts."""
        return False

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

    def pooled_tranches(
        self, tranches: Sequence[Tranche], list_date: date, *, fresh: int = 0
    ) -> list[Tranche]:
        """The results that still count together on a list of this date; the last `fresh` are new.

        Each is as old as its `month` says: see `pool_period`.
        """
        return list(tranches)

    def pool_period(self, start: date, list_date: date) -> date:
        """The list from which the age of a pooled result is counted."""
        return list_date

    def newcomer_games_are_of_period(self) -> bool:
        """Whether a list prints, for who is new on it, the games of the period or of the pool."""
        return False

    def listed_since_by_entry(self) -> bool:
        """Whether who was listed after a start is rated with the rating of that first list."""
        return False

    def pooled_initial_rating(self, tranches: Sequence[Tranche]) -> InitialRating:
        """The first rating that pooled results come to."""
        raise Illegal.of("laws.refused.no_unrated", law=self.law)

    def first_rating_is_published(
        self, games: int, rating: int, *, seven_suffice: bool = False
    ) -> bool:
        """Whether a first rating from so many games is published."""
        return True

    def seven_games_suffice(self, tranches: Sequence[Tranche], *, affiliated: bool = False) -> bool:
        """Whether fewer games are enough for these results of a new player, or for this player."""
        return False

    def is_delisted(self, rating: int) -> bool:
        """Whether a rating is below the lowest that is published."""
        return False

    def reentry_is_as_new(self) -> bool:
        """Whether who was delisted is then like any unrated player, the past forgotten."""
        return False

    def is_junior(self, birth: Birth | None, on: date) -> bool:
        """Whether a player counts as a junior in the period that a list dated `on` opens."""
        return False

    def k_ratings(self) -> tuple[int, ...]:
        """The ratings that change a player's K once they were published, in ascending order."""
        return tuple(sorted({getattr(self, name) for name in self.K_LINES.values()}))

    @property
    def k_asks_rating(self) -> bool:
        """Whether K depends on the rating of the list too, not only on the highest published."""
        return False

    def k_line(
        self, completed_games: int, highest_published: int, junior: bool, rating: int | None = None
    ) -> Coefficient:
        """The line of the regulation that gives a player K, with the age already judged.

        `rating` is asked for where `k_asks_rating`.
        """
        return self.coefficient(PlayerFacts(completed_games, highest_published), date.min)

    def games_not_new(self) -> int:
        """So many completed games leave nobody new to the list; 0 where K does not ask for them."""
        return int(getattr(self, "K_NEW_GAMES", 0))

    def k_details(self, reason: str) -> dict[str, int]:
        """What the words for a line of K name besides K itself: the numbers it depends on."""
        name = self.K_LINES.get(reason)
        rating = {} if name is None else {"rating": int(getattr(self, name))}
        return rating | self.numbers_of(reason)

    def numbers_of(self, reason: str) -> dict[str, int]:
        """The numbers of the text that the words for a reason name."""
        return self.named(self.NUMBERS_OF.get(reason, {}))

    def tournament_coefficient(self, control: TimeControl | None, *, online: bool) -> Coefficient:
        """The K of a whole tournament, where the regulation gives K to tournaments.

        Raises `Illegal` where it does not, or where it has no K for this time control.
        """
        raise Illegal.of("laws.refused.k_of_players", law=self.law)

    def entry_rating_without_lists(self) -> tuple[int, str]:
        """The rating on entry of a player no other list has, and the name of its source."""
        raise Illegal.of("laws.refused.no_entry_rating", law=self.law)

    def adjusted_rating(self, rating: int) -> Rating:
        """A rating of the list that is adjusted, as the adjustment leaves it."""
        return Rating(rating)

    # --- where things stand ---------------------------------------------------------------------

    def article(self, step: str) -> str:
        """The article of a step of the computation."""
        return self.ARTICLES[step]

    def exclusion_article(self, reason: Exclusion) -> str:
        """The article that excludes a game for this reason.

        The one about unplayed games also says which played ones are not rated (FIDE 2024, 5.1).
        """
        if reason in (Exclusion.FAIR_PLAY, Exclusion.FORCE_MAJEURE):
            reason = Exclusion.UNPLAYED
        return self.EXCLUSION_ARTICLES[reason]
